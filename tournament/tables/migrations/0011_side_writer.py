import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("scoring", "0010_totals_of_a_slip"),
    ]

    operations = [
        migrations.RenameModel(old_name="SidePen", new_name="SideWriter"),
        migrations.AlterField(
            model_name="sidewriter",
            name="table",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE,
                related_name="side_writers",
                to="scoring.table",
            ),
        ),
        migrations.RemoveConstraint(model_name="sidewriter", name="one_pen_per_side"),
        migrations.AddConstraint(
            model_name="sidewriter",
            constraint=models.UniqueConstraint(
                fields=["table", "side"], name="one_writer_per_side"
            ),
        ),
    ]
