"""The request that asked for a job, which its log lines and journal entries bear."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("ledger", "0008_may_open_events")]

    operations = [
        migrations.AddField(
            "job",
            "request_id",
            models.CharField(blank=True, db_default="", default="", max_length=40),
        ),
    ]
