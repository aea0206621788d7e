"""A version of a ruling says with which right it was made: the chief's are never made with less.

SQLite makes the table anew for a constraint and loses its triggers with the former one: they are
dropped before and created again afterwards.
"""

from importlib import import_module

from django.db import migrations, models
from django.db.models import Q

triggers = import_module("adjudication.migrations.0002_append_only")
RIGHTS = ["referee", "chief", "committee"]


class Migration(migrations.Migration):
    dependencies = [("adjudication", "0008_two_persons")]

    operations = [
        migrations.RunPython(triggers.allow_change, triggers.forbid_change),
        migrations.AddField(
            "rulingversion",
            "made_as",
            models.CharField(
                blank=True,
                choices=[(each, each) for each in RIGHTS],
                db_default="",
                default="",
                max_length=10,
            ),
        ),
        migrations.AddConstraint(
            "rulingversion",
            models.CheckConstraint(
                condition=Q(rulers__in=["", "chief", "two"]) | ~Q(context__has_key="rulers"),
                name="rulers_of_the_article_are_kept",
            ),
        ),
        migrations.AddConstraint(
            "rulingversion",
            models.CheckConstraint(
                condition=Q(made_as__in=["", "referee", "chief"])
                | Q(made_as="committee", cause__in=["upheld", "changed", "overturned"]),
                name="committee_answers_appeals",
            ),
        ),
        migrations.AddConstraint(
            "rulingversion",
            models.CheckConstraint(
                condition=Q(rulers__in=["", "referee"]) | Q(made_as__in=["chief", "committee"]),
                name="chief_makes_what_is_the_chiefs",
            ),
        ),
        migrations.RunPython(triggers.forbid_change, triggers.allow_change),
    ]
