"""Whether an account may open and take up events without administering the organisation."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("ledger", "0007_user_manager")]

    operations = [
        migrations.AddField(
            "user", "may_open_events", models.BooleanField(db_default=False, default=False)
        ),
    ]
