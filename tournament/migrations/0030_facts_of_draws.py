from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tournament", "0029_final_lists"),
    ]

    operations = [
        migrations.AddField(
            model_name="draw",
            name="facts",
            field=models.CharField(blank=True, db_default="", default="", max_length=64),
        ),
        migrations.AddField(
            model_name="draw",
            name="despite",
            field=models.JSONField(
                db_default=models.Value({}, output_field=models.JSONField()), default=dict
            ),
        ),
    ]
