import uuid

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ("tournament", "0003_draw_formats"),
    ]

    operations = [
        migrations.CreateModel(
            name="PlayerFile",
            fields=[
                ("id", models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ("content", models.BinaryField()),
                ("uploaded_by", models.CharField(max_length=80)),
                ("uploaded_at", models.DateTimeField(auto_now_add=True)),
                ("imported_at", models.DateTimeField(null=True)),
                (
                    "event",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="player_files",
                        to="tournament.event",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("imported_at__isnull", True), ("content", b""), _connector="OR"),
                        name="imported_file_is_emptied",
                    )
                ],
            },
        ),
    ]
