"""Members, hearing and vote of an appeals committee, and appeals against its decisions."""

from django.db import migrations, models
from django.db.models import F, Q


class Migration(migrations.Migration):
    dependencies = [("adjudication", "0011_handed_over")]

    operations = [
        migrations.AddField(
            "appeal", "instance", models.PositiveSmallIntegerField(db_default=1, default=1)
        ),
        migrations.AddField("appeal", "hearing_at", models.DateTimeField(null=True)),
        migrations.AddField(
            "appeal",
            "heard",
            models.JSONField(
                db_default=models.Value([], output_field=models.JSONField()), default=list
            ),
        ),
        migrations.AddField(
            "appeal",
            "members",
            models.JSONField(
                db_default=models.Value([], output_field=models.JSONField()), default=list
            ),
        ),
        migrations.AddField("appeal", "votes_for", models.PositiveSmallIntegerField(null=True)),
        migrations.AddField("appeal", "votes_against", models.PositiveSmallIntegerField(null=True)),
        migrations.AddField(
            "appeal",
            "tie",
            models.CharField(
                blank=True,
                choices=[("stands", "the ruling stands"), ("chair", "the chair decides")],
                db_default="",
                default="",
                max_length=6,
            ),
        ),
        migrations.RemoveConstraint("appeal", "one_appeal_per_side"),
        migrations.AddConstraint(
            "appeal",
            models.UniqueConstraint(
                fields=("ruling", "side", "instance"), name="one_appeal_per_side"
            ),
        ),
        migrations.AddConstraint(
            "appeal",
            models.CheckConstraint(
                condition=Q(("instance__in", [1, 2])), name="appeals_have_two_instances"
            ),
        ),
        migrations.AddConstraint(
            "appeal",
            models.CheckConstraint(
                condition=Q(votes_for__isnull=True, votes_against__isnull=True)
                | Q(votes_for__gte=2 - F("votes_against")),
                name="two_members_vote",
            ),
        ),
        migrations.AddConstraint(
            "appeal",
            models.CheckConstraint(
                condition=Q(("tie__in", ["", "stands", "chair"])), name="tie_of_votes_is_known"
            ),
        ),
    ]
