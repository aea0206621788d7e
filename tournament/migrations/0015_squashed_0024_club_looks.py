"""Seats as of release 1.0.0."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    replaces = [
        ('tournament', '0015_one_table'),
        ('tournament', '0016_paused_clock'),
        ('tournament', '0017_club_register'),
        ('tournament', '0018_tell_illegal'),
        ('tournament', '0019_club_rule'),
        ('tournament', '0020_notices'),
        ('tournament', '0021_words_of_states'),
        ('tournament', '0022_languages_of_catalogues'),
        ('tournament', '0023_mergers'),
        ('tournament', '0024_club_looks'),
    ]

    dependencies = [
        ('scoring', '0001_squashed_0011_side_writer'),
        ('tournament', '0001_squashed_0014_counting_edition'),
    ]

    operations = [
        migrations.CreateModel(
            name='Seat',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('position', models.CharField(max_length=2)),
                ('scorekeeper', models.BooleanField(default=False)),
                ('entrant', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='seats', to='tournament.entrant')),
                ('round', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='seats', to='tournament.round')),
                ('table', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='seats', to='scoring.table')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('round', 'entrant'), name='entrant_sits_once'), models.UniqueConstraint(fields=('table', 'position'), name='seat_taken_once')],
                'ordering': ['table', 'position'],
            },
        ),
    ]
