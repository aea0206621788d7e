"""A clock that stands still keeps the seconds that were left."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tournament", "0015_one_table")]

    operations = [
        migrations.AddField("round", "paused_left", models.PositiveIntegerField(null=True)),
    ]
