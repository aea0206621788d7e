"""Who handed an incident over to the chief referee, with the article and facts that they proposed."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("adjudication", "0010_unseated_incidents")]

    operations = [
        migrations.AddField(
            "incident",
            "handed_by",
            models.CharField(blank=True, db_default="", default="", max_length=80),
        ),
        migrations.AddField("incident", "handed_at", models.DateTimeField(null=True)),
        migrations.AddField(
            "incident",
            "handed",
            models.JSONField(
                db_default=models.Value({}, output_field=models.JSONField()), default=dict
            ),
        ),
    ]
