"""A version of a ruling says who may make it, and who confirmed what takes two persons.

SQLite makes the table anew for a constraint and loses its triggers with the former one: they are
dropped before and created again afterwards.
"""

from importlib import import_module

from django.db import migrations, models
from django.db.models import F, Q

triggers = import_module("adjudication.migrations.0002_append_only")
RULERS = ["referee", "chief", "two"]


class Migration(migrations.Migration):
    dependencies = [("adjudication", "0007_withdrawn_incidents")]

    operations = [
        migrations.RunPython(triggers.allow_change, triggers.forbid_change),
        migrations.AddField(
            "rulingversion",
            "rulers",
            models.CharField(
                blank=True,
                choices=[(each, each) for each in RULERS],
                db_default="",
                default="",
                max_length=8,
            ),
        ),
        migrations.AddField(
            "rulingversion",
            "second",
            models.CharField(blank=True, db_default="", default="", max_length=80),
        ),
        migrations.AddConstraint(
            "rulingversion",
            models.CheckConstraint(condition=Q(rulers__in=["", *RULERS]), name="rulers_are_known"),
        ),
        migrations.AddConstraint(
            "rulingversion",
            models.CheckConstraint(
                condition=Q(rulers__in=["", "two"])
                | ~Q(proposal__has_key="needs_second")
                | Q(proposal__needs_second=False),
                name="grave_measures_are_for_two",
            ),
        ),
        migrations.AddConstraint(
            "rulingversion",
            models.CheckConstraint(
                condition=~Q(rulers="two")
                | Q(in_force=False)
                | Q(cause__in=["upheld", "changed"])
                | (~Q(second="") & ~Q(second=F("made_by"))),
                name="two_persons_stand_behind_it",
            ),
        ),
        migrations.RunPython(triggers.forbid_change, triggers.allow_change),
    ]
