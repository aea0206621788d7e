"""How a stage ranks its clubs; empty: by the percentage of games won, as before."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tournament", "0018_tell_illegal")]

    operations = [
        migrations.AddField(
            "stage", "club_rule", models.JSONField(blank=True, db_default={}, default=dict)
        ),
    ]
