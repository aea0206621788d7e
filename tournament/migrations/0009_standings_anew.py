"""Provisional standings are computed anew: a bracket now gives the places of a knock-out."""

from django.db import migrations


def compute_anew(apps, schema_editor):
    """Mark provisional standings as out of date; frozen and final ones stay as they were signed."""
    apps.get_model("tournament", "Standings").objects.filter(state="provisional").update(version=0)


class Migration(migrations.Migration):
    dependencies = [("tournament", "0008_event_hidden")]

    operations = [migrations.RunPython(compute_anew, migrations.RunPython.noop)]
