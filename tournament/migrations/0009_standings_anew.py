"""Provisional standings are computed anew: a bracket now gives the places of a knock-out."""

from django.apps.registry import Apps
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor


def compute_anew(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Mark provisional standings as out of date; frozen and final ones stay as they were signed."""
    apps.get_model("tournament", "Standings").objects.filter(state="provisional").update(version=0)


class Migration(migrations.Migration):
    dependencies = [("tournament", "0008_event_hidden")]

    operations = [migrations.RunPython(compute_anew, migrations.RunPython.noop)]
