from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("scoring", "0008_remove_last_activity"),
    ]

    operations = [
        migrations.AlterField(
            model_name="refereecall",
            name="topic",
            field=models.CharField(
                blank=True,
                choices=[
                    ("play", "a card or a revoke"),
                    ("score", "the score"),
                    ("deal", "the deal or the auction"),
                    ("conduct", "talk or conduct"),
                    ("other", "something else"),
                    ("result", "a signed result is wrong"),
                ],
                db_default="",
                default="",
                max_length=10,
            ),
        ),
    ]
