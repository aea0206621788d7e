"""Whether an event publishes final rulings on conduct; it does not."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tournament", "0015_squashed_0024_club_looks")]

    operations = [
        migrations.AddField(
            "event",
            "publish_conduct",
            models.BooleanField(
                db_default=False,
                default=False,
                help_text="Late arrival, slow play, talking and the like. Otherwise only the offender and the staff read them; others see the points that change at their table.",
                verbose_name="Publish rulings on conduct once they are final",
            ),
        ),
    ]
