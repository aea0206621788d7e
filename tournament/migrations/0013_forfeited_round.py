"""An adjustment may say that its round is forfeited, instead of what it takes back."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tournament", "0012_ranking_edition")]

    operations = [
        migrations.AddField(
            "adjustment", "forfeited", models.BooleanField(db_default=False, default=False)
        ),
    ]
