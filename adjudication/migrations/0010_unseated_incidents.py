"""When the draw was withdrawn at whose table an incident happened; of earlier ones it is not known."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("adjudication", "0001_squashed_0009_made_as")]

    operations = [
        migrations.AddField("incident", "unseated_at", models.DateTimeField(null=True)),
    ]
