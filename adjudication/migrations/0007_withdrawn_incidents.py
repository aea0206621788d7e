"""An incident opened by mistake is withdrawn; who closed an incident is kept."""

from django.db import migrations, models
from django.db.models import Q

STATES = [
    ("open", "open"),
    ("ruled", "ruled"),
    ("dismissed", "closed without a ruling"),
    ("withdrawn", "withdrawn"),
]


class Migration(migrations.Migration):
    dependencies = [("adjudication", "0006_one_table")]

    operations = [
        migrations.RemoveConstraint("incident", "incident_state_is_known"),
        migrations.RemoveConstraint("incident", "dismissal_has_its_reason"),
        migrations.AddField(
            "incident",
            "closed_by",
            models.CharField(blank=True, db_default="", default="", max_length=80),
        ),
        migrations.AlterField(
            "incident",
            "state",
            models.CharField(choices=STATES, default="open", max_length=10),
        ),
        migrations.AddConstraint(
            "incident",
            models.CheckConstraint(
                condition=Q(state__in=[code for code, _label in STATES]),
                name="incident_state_is_known",
            ),
        ),
        migrations.AddConstraint(
            "incident",
            models.CheckConstraint(
                condition=~Q(state__in=["dismissed", "withdrawn"]) | ~Q(closed_reason=""),
                name="dismissal_has_its_reason",
            ),
        ),
    ]
