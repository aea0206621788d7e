"""The discipline register, and entrants admitted despite an entry."""

import django.db.models.deletion
import uuid
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('adjudication', '0012_committees'),
        ('tournament', '0031_points_of_a_place'),
    ]

    operations = [
        migrations.CreateModel(
            name='Sanction',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('kind', models.CharField(choices=[('warning', 'warning'), ('suspended', 'conditional sanction'), ('ban', 'suspension')], max_length=10)),
                ('article', models.CharField(max_length=24)),
                ('reason', models.CharField(max_length=300)),
                ('since', models.DateField()),
                ('until', models.DateField(null=True)),
                ('made_by', models.CharField(max_length=80)),
                ('made_at', models.DateTimeField()),
                ('lifted_at', models.DateTimeField(null=True)),
                ('lifted_by', models.CharField(blank=True, max_length=80)),
                ('lifted_reason', models.CharField(blank=True, max_length=300)),
                ('member', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='sanctions', to='tournament.member')),
                ('person', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='sanctions', to='tournament.person')),
                ('ruling', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='sanctions', to='adjudication.ruling')),
            ],
            options={
                'ordering': ['-since', '-made_at'],
            },
        ),
        migrations.CreateModel(
            name='Admission',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('reason', models.CharField(max_length=300)),
                ('made_by', models.CharField(max_length=80)),
                ('made_at', models.DateTimeField()),
                ('entrant', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='admissions', to='tournament.entrant')),
                ('sanction', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='admissions', to='adjudication.sanction')),
            ],
        ),
        migrations.AddConstraint(
            model_name='sanction',
            constraint=models.CheckConstraint(condition=models.Q(('kind__in', ['warning', 'suspended', 'ban'])), name='sanction_kind_is_known'),
        ),
        migrations.AddConstraint(
            model_name='sanction',
            constraint=models.CheckConstraint(condition=models.Q(('kind', 'warning'), ('until__gte', models.F('since')), _connector='OR'), name='bans_have_their_last_day'),
        ),
        migrations.AddConstraint(
            model_name='sanction',
            constraint=models.CheckConstraint(condition=models.Q(('reason', ''), _negated=True), name='sanction_has_its_reason'),
        ),
        migrations.AddConstraint(
            model_name='sanction',
            constraint=models.CheckConstraint(condition=models.Q(('lifted_at__isnull', True), models.Q(('lifted_reason', ''), _negated=True), _connector='OR'), name='lifted_sanction_has_its_reason'),
        ),
        migrations.AddConstraint(
            model_name='admission',
            constraint=models.UniqueConstraint(fields=('entrant', 'sanction'), name='admitted_once'),
        ),
        migrations.AddConstraint(
            model_name='admission',
            constraint=models.CheckConstraint(condition=models.Q(('reason', ''), _negated=True), name='admission_has_its_reason'),
        ),
    ]
