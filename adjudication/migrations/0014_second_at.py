"""The seats of the second-named players of pairs, where a referee said who sat where."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("adjudication", "0013_discipline_register")]

    operations = [
        migrations.AddField(
            "incident",
            "second_at",
            models.CharField(blank=True, db_default="", default="", max_length=4),
        ),
    ]
