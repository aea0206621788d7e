from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tournament", "0030_facts_of_draws"),
    ]

    operations = [
        migrations.AddField(
            model_name="stageentrant",
            name="takes_points",
            field=models.BooleanField(db_default=False, default=False),
        ),
    ]
