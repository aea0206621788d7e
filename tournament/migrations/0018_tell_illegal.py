"""Whether a table is told at once of a card that was not allowed; it is, as it was before."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tournament", "0017_club_register")]

    operations = [
        migrations.AddField(
            "event", "tell_illegal", models.BooleanField(db_default=True, default=True)
        ),
    ]
