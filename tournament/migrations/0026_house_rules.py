"""A club's own rules, kept for its next events, and those that an event was opened with: none."""

import uuid

from django.db import migrations, models
from django.db.models.functions import Lower


class Migration(migrations.Migration):
    dependencies = [("tournament", "0025_publish_conduct")]

    operations = [
        migrations.AddField(
            "event", "house_rules", models.JSONField(blank=True, db_default={}, default=dict)
        ),
        migrations.CreateModel(
            name="HouseRules",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=uuid.uuid4, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("name", models.CharField(max_length=80)),
                ("stated", models.JSONField()),
            ],
            options={
                "ordering": ["name"],
                "constraints": [
                    models.CheckConstraint(
                        condition=~models.Q(name=""), name="house_rules_have_a_name"
                    ),
                    models.UniqueConstraint(Lower("name"), name="house_rules_name_once"),
                ],
            },
        ),
    ]
