"""When something that the clock decides was last looked at."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("ledger", "0001_squashed_0010_roles_found")]

    operations = [
        migrations.CreateModel(
            "Tick",
            [
                ("name", models.CharField(max_length=40, primary_key=True, serialize=False)),
                ("at", models.DateTimeField()),
                ("uneven_at", models.DateTimeField(null=True)),
            ],
        ),
    ]
