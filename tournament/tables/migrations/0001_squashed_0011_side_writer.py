"""Tables and their sheets as of release 1.0.0."""

import django.db.models.deletion
import uuid
from django.db import migrations, models

from ledger.migrating import CreateModels


class Migration(migrations.Migration):

    replaces = [
        ('scoring', '0001_initial'),
        ('scoring', '0002_table_tools'),
        ('scoring', '0003_reopened_for_a_deal'),
        ('scoring', '0004_ended_at_the_bell'),
        ('scoring', '0005_call_topic'),
        ('scoring', '0006_sides_of_single_players'),
        ('scoring', '0007_one_table'),
        ('scoring', '0008_remove_last_activity'),
        ('scoring', '0009_result_topic'),
        ('scoring', '0010_totals_of_a_slip'),
        ('scoring', '0011_side_writer'),
    ]

    initial = True

    dependencies = [
        ('tournament', '0001_squashed_0014_counting_edition'),
    ]

    operations = [
        CreateModels(
            migrations.CreateModel(
                name='Table',
                fields=[
                    ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                    ('scope', models.UUIDField(db_index=True)),
                    ('label', models.CharField(max_length=20)),
                    ('token_hash', models.CharField(blank=True, max_length=64)),
                    ('token_epoch', models.PositiveIntegerField(default=1)),
                    ('open', models.BooleanField(default=True)),
                    ('writer', models.UUIDField(null=True)),
                    ('writer_since', models.DateTimeField(null=True)),
                    ('writer_epoch', models.PositiveIntegerField(default=0)),
                    ('round', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='tables', to='tournament.round')),
                    ('number', models.PositiveSmallIntegerField()),
                    ('extra_minutes', models.PositiveSmallIntegerField(default=0)),
                    ('decided_for', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='decided_tables', to='tournament.entrant')),
                    ('decided_reason', models.CharField(blank=True, db_default='', default='', max_length=300)),
                ],
                options={
                    'constraints': [models.CheckConstraint(condition=models.Q(('writer__isnull', True), ('writer_since__isnull', False), _connector='OR'), name='writer_has_a_since'), models.UniqueConstraint(condition=models.Q(('token_hash', ''), _negated=True), fields=('token_hash',), name='table_token_once'), models.UniqueConstraint(fields=('round', 'number'), name='table_number_in_round_once'), models.CheckConstraint(condition=models.Q(('number__gte', 1)), name='numbers_count_from_one')],
                    'ordering': ['number'],
                },
            ),
            migrations.CreateModel(
                name='Sheet',
                fields=[
                    ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                    ('scope', models.UUIDField(db_index=True)),
                    ('order', models.PositiveSmallIntegerField(default=1)),
                    ('rulebook', models.CharField(max_length=30)),
                    ('edition', models.CharField(max_length=40)),
                    ('options', models.JSONField(default=dict)),
                    ('first_dealer', models.CharField(max_length=2)),
                    ('protocol', models.CharField(choices=[('confirm', 'one side enters, the other confirms'), ('double', 'both sides enter blind, the entries are compared'), ('referee', 'a referee or director confirms')], default='confirm', max_length=10)),
                    ('depth', models.CharField(choices=[('points', 'points of one side'), ('tricks', 'points and tricks'), ('list', 'trick by trick'), ('cards', 'card by card')], default='points', max_length=10)),
                    ('state', models.CharField(choices=[('open', 'in play'), ('claimed', 'waiting for the other side'), ('disputed', 'in dispute'), ('official', 'signed'), ('void', 'void')], default='open', max_length=10)),
                    ('version', models.PositiveIntegerField(default=0)),
                    ('score', models.JSONField(default=dict)),
                    ('finished', models.BooleanField(default=False)),
                    ('ended_by', models.CharField(blank=True, max_length=10)),
                    ('created_at', models.DateTimeField(auto_now_add=True)),
                    ('changed_at', models.DateTimeField(auto_now=True)),
                    ('table', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='sheets', to='scoring.table')),
                    ('bell_deals', models.PositiveSmallIntegerField(null=True)),
                    ('likeness', models.CharField(blank=True, db_index=True, max_length=64)),
                    ('reopened', models.JSONField(db_default=models.Value({}, output_field=models.JSONField()), default=dict)),
                    ('bell_at', models.DateTimeField(null=True)),
                    ('ended_early', models.BooleanField(db_default=False, default=False)),
                    ('sides', models.JSONField()),
                    ('counts', models.BooleanField(default=True)),
                    ('totals', models.JSONField(db_default=models.Value({}, output_field=models.JSONField()), default=dict)),
                ],
                options={
                    'ordering': ['table_id', 'order'],
                    'constraints': [models.UniqueConstraint(fields=('table', 'order'), name='one_sheet_per_place_in_order'), models.CheckConstraint(condition=models.Q(('state__in', ['open', 'claimed', 'disputed', 'official', 'void'])), name='sheet_state_is_known')],
                },
            ),
            migrations.CreateModel(
                name='RefereeCall',
                fields=[
                    ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                    ('deal', models.PositiveSmallIntegerField(null=True)),
                    ('reason', models.CharField(max_length=200)),
                    ('called_by', models.CharField(max_length=80)),
                    ('called_at', models.DateTimeField()),
                    ('claimed_by', models.CharField(blank=True, max_length=80)),
                    ('claimed_at', models.DateTimeField(null=True)),
                    ('closed_at', models.DateTimeField(null=True)),
                    ('table', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='calls', to='scoring.table')),
                    ('sheet', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='calls', to='scoring.sheet')),
                    ('topic', models.CharField(blank=True, choices=[('play', 'a card or a revoke'), ('score', 'the score'), ('deal', 'the deal or the auction'), ('conduct', 'talk or conduct'), ('other', 'something else'), ('result', 'a signed result is wrong')], db_default='', default='', max_length=10)),
                ],
                options={
                    'ordering': ['called_at'],
                    'constraints': [models.CheckConstraint(condition=models.Q(('closed_at__isnull', True), ('closed_at__gte', models.F('called_at')), _connector='OR'), name='call_closed_after_it_was_made')],
                },
            ),
            migrations.CreateModel(
                name='OfficialResult',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('number', models.PositiveSmallIntegerField()),
                    ('current', models.BooleanField(default=True)),
                    ('sheet_version', models.PositiveIntegerField()),
                    ('result', models.JSONField()),
                    ('reason', models.CharField(blank=True, max_length=300)),
                    ('made_by', models.CharField(max_length=80)),
                    ('made_at', models.DateTimeField()),
                    ('sheet', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='results', to='scoring.sheet')),
                ],
                options={
                    'ordering': ['sheet', 'number'],
                    'constraints': [models.UniqueConstraint(fields=('sheet', 'number'), name='result_number_once'), models.UniqueConstraint(condition=models.Q(('current', True)), fields=('sheet',), name='one_official_result_per_match')],
                },
            ),
            migrations.CreateModel(
                name='DealVersion',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('series', models.CharField(choices=[('official', 'official'), ('NS', 'North-South'), ('EW', 'East-West'), ('1', '1'), ('2', '2'), ('3', '3'), ('4', '4'), ('5', '5'), ('6', '6'), ('7', '7')], default='official', max_length=10)),
                    ('number', models.PositiveSmallIntegerField()),
                    ('version', models.PositiveSmallIntegerField(default=1)),
                    ('current', models.BooleanField(default=True)),
                    ('entry', models.JSONField()),
                    ('infractions', models.JSONField(default=list)),
                    ('marks', models.JSONField()),
                    ('lines', models.JSONField(default=list)),
                    ('void', models.BooleanField(default=False)),
                    ('game_won', models.CharField(blank=True, max_length=4)),
                    ('flagged', models.JSONField(default=list)),
                    ('annulled', models.BooleanField(default=False)),
                    ('reason', models.CharField(blank=True, max_length=300)),
                    ('entered_by', models.CharField(max_length=80)),
                    ('entered_at', models.DateTimeField()),
                    ('sheet', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='deals', to='scoring.sheet')),
                    ('doubts', models.JSONField(default=list)),
                ],
                options={
                    'ordering': ['sheet', 'series', 'number', 'version'],
                    'constraints': [models.UniqueConstraint(fields=('sheet', 'series', 'number', 'version'), name='deal_version_once'), models.UniqueConstraint(condition=models.Q(('current', True)), fields=('sheet', 'series', 'number'), name='one_current_version_per_deal'), models.CheckConstraint(condition=models.Q(('number__gte', 1)), name='deals_count_from_one')],
                },
            ),
            migrations.CreateModel(
                name='Signature',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('side', models.CharField(max_length=8)),
                    ('sheet_version', models.PositiveIntegerField()),
                    ('signed_by', models.CharField(max_length=80)),
                    ('signed_at', models.DateTimeField()),
                    ('standing', models.BooleanField(default=True)),
                    ('sheet', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='signatures', to='scoring.sheet')),
                ],
                options={
                    'constraints': [models.UniqueConstraint(condition=models.Q(('standing', True)), fields=('sheet', 'side'), name='one_standing_signature_per_side')],
                },
            ),
            migrations.CreateModel(
                name='SideWriter',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('side', models.CharField(max_length=8)),
                    ('device', models.UUIDField()),
                    ('since', models.DateTimeField()),
                    ('table', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='side_writers', to='scoring.table')),
                ],
                options={
                    'constraints': [models.UniqueConstraint(fields=('table', 'side'), name='one_writer_per_side')],
                },
            ),
        ),
    ]
