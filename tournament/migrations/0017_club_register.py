"""The register of members, registrations on the public page, category and fee of players."""

import django.db.models.deletion
import uuid
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('tournament', '0016_paused_clock'),
    ]

    operations = [
        migrations.CreateModel(
            name='Member',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('name', models.CharField(max_length=100)),
                ('club', models.CharField(blank=True, max_length=80)),
                ('category', models.CharField(blank=True, max_length=30)),
                ('email', models.EmailField(blank=True, max_length=254)),
                ('phone', models.CharField(blank=True, max_length=30)),
            ],
            options={
                'ordering': ['name', 'club', 'category'],
            },
        ),
        migrations.AddField(
            model_name='entrant',
            name='category',
            field=models.CharField(blank=True, db_default='', default='', max_length=30),
        ),
        migrations.AddField(
            model_name='entrant',
            name='paid',
            field=models.BooleanField(db_default=False, default=False),
        ),
        migrations.AddField(
            model_name='event',
            name='places',
            field=models.PositiveIntegerField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name='event',
            name='registration',
            field=models.BooleanField(db_default=False, default=False),
        ),
        migrations.AddField(
            model_name='event',
            name='registration_until',
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name='person',
            name='phone',
            field=models.CharField(blank=True, db_default='', default='', max_length=30),
        ),
        migrations.AddField(
            model_name='person',
            name='member',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='persons', to='tournament.member'),
        ),
        migrations.CreateModel(
            name='Registration',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('name', models.CharField(blank=True, max_length=100)),
                ('partner', models.CharField(blank=True, max_length=100)),
                ('club', models.CharField(blank=True, max_length=80)),
                ('email', models.EmailField(blank=True, max_length=254)),
                ('phone', models.CharField(blank=True, max_length=30)),
                ('state', models.CharField(choices=[('asked', 'to be confirmed'), ('waiting', 'on the waiting list'), ('entered', 'accepted'), ('refused', 'refused')], default='asked', max_length=10)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('entrant', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='registrations', to='tournament.entrant')),
                ('event', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='registrations', to='tournament.event')),
            ],
            options={
                'ordering': ['created_at'],
            },
        ),
    ]
