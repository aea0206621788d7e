"""Whether an event publishes final rulings on conduct; it does not."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tournament", "0024_club_looks")]

    operations = [
        migrations.AddField(
            "event", "publish_conduct", models.BooleanField(db_default=False, default=False)
        ),
    ]
