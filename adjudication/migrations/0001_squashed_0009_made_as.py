"""Incidents and rulings as of release 1.0.0."""

import django.db.models.deletion
import uuid
from django.conf import settings
from django.db import migrations, models

from ledger.migrating import CreateModels, RULING_VERSIONS


class Migration(migrations.Migration):

    replaces = [
        ('adjudication', '0001_initial'),
        ('adjudication', '0002_append_only'),
        ('adjudication', '0003_penal_code_edition'),
        ('adjudication', '0004_incident_violation'),
        ('adjudication', '0005_confirmations'),
        ('adjudication', '0006_one_table'),
        ('adjudication', '0007_withdrawn_incidents'),
        ('adjudication', '0008_two_persons'),
        ('adjudication', '0009_made_as'),
    ]

    initial = True

    dependencies = [
        ('ledger', '0001_squashed_0010_roles_found'),
        ('scoring', '0001_squashed_0011_side_writer'),
        ('tournament', '0015_squashed_0024_club_looks'),
    ]

    operations = [
        CreateModels(
            migrations.CreateModel(
                name='Incident',
                fields=[
                    ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                    ('number', models.PositiveIntegerField()),
                    ('state', models.CharField(choices=[('open', 'open'), ('ruled', 'ruled'), ('dismissed', 'closed without a ruling'), ('withdrawn', 'withdrawn')], default='open', max_length=10)),
                    ('table_number', models.PositiveSmallIntegerField(null=True)),
                    ('deal', models.PositiveSmallIntegerField(null=True)),
                    ('seats', models.JSONField(default=dict)),
                    ('told', models.CharField(max_length=500)),
                    ('opened_by', models.CharField(max_length=80)),
                    ('opened_at', models.DateTimeField()),
                    ('taken_by', models.CharField(blank=True, max_length=80)),
                    ('closed_at', models.DateTimeField(null=True)),
                    ('closed_reason', models.CharField(blank=True, max_length=500)),
                    ('call', models.OneToOneField(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='incident', to='scoring.refereecall')),
                    ('event', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='incidents', to='tournament.event')),
                    ('round', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='incidents', to='tournament.round')),
                    ('sheet', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='incidents', to='scoring.sheet')),
                    ('vanished_at', models.DateTimeField(null=True)),
                    ('violation', models.JSONField(db_default=models.Value({}, output_field=models.JSONField()), default=dict)),
                    ('violation_key', models.CharField(blank=True, db_default='', default='', max_length=60)),
                    ('table', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='incidents', to='scoring.table')),
                    ('closed_by', models.CharField(blank=True, db_default='', default='', max_length=80)),
                ],
                options={
                    'ordering': ['event', 'number'],
                    'constraints': [models.UniqueConstraint(fields=('event', 'number'), name='incident_number_once'), models.CheckConstraint(condition=models.Q(('closed_at__isnull', True), ('closed_at__gte', models.F('opened_at')), _connector='OR'), name='incident_closed_after_it_was_opened'), models.UniqueConstraint(condition=models.Q(('violation_key', ''), _negated=True), fields=('sheet', 'deal', 'violation_key'), name='one_incident_per_violation'), models.CheckConstraint(condition=models.Q(('state__in', ['open', 'ruled', 'dismissed', 'withdrawn'])), name='incident_state_is_known'), models.CheckConstraint(condition=models.Q(models.Q(('state__in', ['dismissed', 'withdrawn']), _negated=True), models.Q(('closed_reason', ''), _negated=True), _connector='OR'), name='dismissal_has_its_reason')],
                },
            ),
            migrations.CreateModel(
                name='PenalCode',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('number', models.PositiveSmallIntegerField()),
                    ('current', models.BooleanField(default=True)),
                    ('edition', models.CharField(max_length=20)),
                    ('policy', models.CharField(choices=[('STRICT', 'a card on the table cannot be taken back'), ('NEXT_TRICK', 'corrected until a card of the next trick'), ('BRIDGE', 'corrected until the offending side plays to the next trick')], default='STRICT', max_length=12)),
                    ('appeal_minutes', models.PositiveSmallIntegerField(default=30)),
                    ('content', models.JSONField(default=dict)),
                    ('fingerprint', models.CharField(max_length=64)),
                    ('reason', models.CharField(blank=True, max_length=300)),
                    ('made_by', models.CharField(max_length=80)),
                    ('made_at', models.DateTimeField()),
                    ('event', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='penal_codes', to='tournament.event')),
                ],
                options={
                    'ordering': ['event', 'number'],
                    'constraints': [models.UniqueConstraint(fields=('event', 'number'), name='penal_code_number_once'), models.UniqueConstraint(condition=models.Q(('current', True)), fields=('event',), name='one_current_penal_code'), models.CheckConstraint(condition=models.Q(('policy__in', ['STRICT', 'NEXT_TRICK', 'BRIDGE'])), name='correction_policy_is_known')],
                },
            ),
            migrations.CreateModel(
                name='RefereePlays',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('entrant', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='staff', to='tournament.entrant')),
                    ('event', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='playing_staff', to='tournament.event')),
                    ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='plays_as', to=settings.AUTH_USER_MODEL)),
                ],
                options={
                    'constraints': [models.UniqueConstraint(fields=('event', 'user'), name='staff_plays_once_per_event')],
                },
            ),
            migrations.CreateModel(
                name='RuledDeal',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('number', models.PositiveSmallIntegerField()),
                    ('entry', models.JSONField(null=True)),
                    ('voided', models.BooleanField(default=False)),
                    ('sheet', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='ruled_deals', to='scoring.sheet')),
                ],
                options={
                    'constraints': [models.UniqueConstraint(fields=('sheet', 'number'), name='ruled_deal_once')],
                },
            ),
            migrations.CreateModel(
                name='Ruling',
                fields=[
                    ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                    ('number', models.PositiveIntegerField()),
                    ('state', models.CharField(choices=[('provisional', 'provisional'), ('final', 'final'), ('annulled', 'annulled')], default='provisional', max_length=12)),
                    ('versions_made', models.PositiveSmallIntegerField(default=0)),
                    ('article', models.CharField(max_length=24)),
                    ('side', models.CharField(blank=True, max_length=8)),
                    ('measure', models.CharField(max_length=24)),
                    ('referee', models.CharField(max_length=80)),
                    ('issued_at', models.DateTimeField()),
                    ('appeal_until', models.DateTimeField()),
                    ('final_at', models.DateTimeField(null=True)),
                    ('event', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='rulings', to='tournament.event')),
                    ('incident', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='rulings', to='adjudication.incident')),
                    ('offender', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='rulings_against', to='tournament.entrant')),
                ],
                options={
                    'ordering': ['event', 'number'],
                    'indexes': [models.Index(fields=['event', 'article'], name='rulings_by_article'), models.Index(fields=['state', 'appeal_until'], name='rulings_by_deadline')],
                    'constraints': [models.UniqueConstraint(fields=('event', 'number'), name='ruling_number_once'), models.CheckConstraint(condition=models.Q(('state__in', ['provisional', 'final', 'annulled'])), name='ruling_state_is_known'), models.CheckConstraint(condition=models.Q(('article', ''), _negated=True), name='ruling_cites_an_article'), models.CheckConstraint(condition=models.Q(models.Q(('state', 'final'), _negated=True), ('final_at__isnull', False), _connector='OR'), name='final_ruling_has_its_time')],
                },
            ),
            migrations.CreateModel(
                name='Appeal',
                fields=[
                    ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                    ('side', models.CharField(max_length=8)),
                    ('grounds', models.CharField(max_length=1000)),
                    ('state', models.CharField(choices=[('open', 'to be heard'), ('upheld', 'ruling upheld'), ('changed', 'ruling changed'), ('overturned', 'ruling overturned'), ('withdrawn', 'withdrawn')], default='open', max_length=12)),
                    ('lodged_by', models.CharField(max_length=80)),
                    ('lodged_at', models.DateTimeField()),
                    ('heard_by', models.CharField(blank=True, max_length=80)),
                    ('heard_at', models.DateTimeField(null=True)),
                    ('decision', models.CharField(blank=True, max_length=1000)),
                    ('ruling', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='appeals', to='adjudication.ruling')),
                ],
                options={
                    'ordering': ['lodged_at'],
                    'constraints': [models.UniqueConstraint(fields=('ruling', 'side'), name='one_appeal_per_side'), models.UniqueConstraint(condition=models.Q(('state', 'open')), fields=('ruling',), name='one_open_appeal_per_ruling'), models.CheckConstraint(condition=models.Q(('state__in', ['open', 'upheld', 'changed', 'overturned', 'withdrawn'])), name='appeal_state_is_known'), models.CheckConstraint(condition=models.Q(('state__in', ['open', 'withdrawn']), models.Q(('heard_at__isnull', False), models.Q(('heard_by', ''), _negated=True), models.Q(('decision', ''), _negated=True)), _connector='OR'), name='heard_appeal_says_by_whom_and_why')],
                },
            ),
            migrations.CreateModel(
                name='RulingVersion',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('number', models.PositiveSmallIntegerField()),
                    ('cause', models.CharField(choices=[('issued', 'issued'), ('amended', 'amended'), ('annulled', 'annulled'), ('upheld', 'upheld on appeal'), ('changed', 'changed on appeal'), ('overturned', 'overturned on appeal')], max_length=12)),
                    ('in_force', models.BooleanField()),
                    ('article', models.CharField(max_length=24)),
                    ('facts', models.JSONField(default=dict)),
                    ('proposal', models.JSONField()),
                    ('context', models.JSONField()),
                    ('reason', models.CharField(blank=True, max_length=1000)),
                    ('next_round', models.CharField(blank=True, choices=[('', 'no later round is drawn'), ('stands', 'the draw remains unchanged'), ('redraw', 'draws not yet published are discarded and made again')], max_length=10)),
                    ('made_by', models.CharField(max_length=80)),
                    ('made_at', models.DateTimeField()),
                    ('ruling', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='versions', to='adjudication.ruling')),
                    ('rulers', models.CharField(blank=True, choices=[('referee', 'referee'), ('chief', 'chief'), ('two', 'two')], db_default='', default='', max_length=8)),
                    ('second', models.CharField(blank=True, db_default='', default='', max_length=80)),
                    ('made_as', models.CharField(blank=True, choices=[('referee', 'referee'), ('chief', 'chief'), ('committee', 'committee')], db_default='', default='', max_length=10)),
                ],
                options={
                    'ordering': ['ruling', 'number'],
                    'constraints': [models.UniqueConstraint(fields=('ruling', 'number'), name='ruling_version_once'), models.CheckConstraint(condition=models.Q(('number__gte', 1)), name='versions_count_from_one'), models.CheckConstraint(condition=models.Q(('article', ''), _negated=True), name='ruling_version_cites_an_article'), models.CheckConstraint(condition=models.Q(('cause', 'issued'), models.Q(('reason', ''), _negated=True), _connector='OR'), name='change_has_its_reason'), models.CheckConstraint(condition=models.Q(('rulers__in', ['', 'referee', 'chief', 'two'])), name='rulers_are_known'), models.CheckConstraint(condition=models.Q(('rulers__in', ['', 'two']), models.Q(('proposal__has_key', 'needs_second'), _negated=True), ('proposal__needs_second', False), _connector='OR'), name='grave_measures_are_for_two'), models.CheckConstraint(condition=models.Q(models.Q(('rulers', 'two'), _negated=True), ('in_force', False), ('cause__in', ['upheld', 'changed']), models.Q(models.Q(('second', ''), _negated=True), models.Q(('second', models.F('made_by')), _negated=True)), _connector='OR'), name='two_persons_stand_behind_it'), models.CheckConstraint(condition=models.Q(('rulers__in', ['', 'chief', 'two']), models.Q(('context__has_key', 'rulers'), _negated=True), _connector='OR'), name='rulers_of_the_article_are_kept'), models.CheckConstraint(condition=models.Q(('made_as__in', ['', 'referee', 'chief']), models.Q(('cause__in', ['upheld', 'changed', 'overturned']), ('made_as', 'committee')), _connector='OR'), name='committee_answers_appeals'), models.CheckConstraint(condition=models.Q(('rulers__in', ['', 'referee']), ('made_as__in', ['chief', 'committee']), _connector='OR'), name='chief_makes_what_is_the_chiefs')],
                },
            ),
            migrations.CreateModel(
                name='Confirmation',
                fields=[
                    ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                    ('state', models.CharField(choices=[('waiting', 'waiting for a second person'), ('confirmed', 'confirmed'), ('refused', 'refused'), ('withdrawn', 'withdrawn')], default='waiting', max_length=12)),
                    ('article', models.CharField(max_length=24)),
                    ('facts', models.JSONField(default=dict)),
                    ('claimed', models.CharField(blank=True, max_length=20)),
                    ('next_round', models.CharField(blank=True, choices=[('', 'no later round is drawn'), ('stands', 'the draw remains unchanged'), ('redraw', 'draws not yet published are discarded and made again')], max_length=10)),
                    ('reason', models.CharField(blank=True, max_length=1000)),
                    ('seen', models.PositiveSmallIntegerField()),
                    ('proposal', models.JSONField()),
                    ('context', models.JSONField()),
                    ('proposed_by', models.CharField(max_length=80)),
                    ('proposed_at', models.DateTimeField()),
                    ('decided_by', models.CharField(blank=True, max_length=80)),
                    ('decided_at', models.DateTimeField(null=True)),
                    ('answer', models.CharField(blank=True, max_length=1000)),
                    ('version', models.PositiveSmallIntegerField(null=True)),
                    ('amends', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='proposed_amendments', to='adjudication.ruling')),
                    ('event', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='confirmations', to='tournament.event')),
                    ('incident', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='confirmations', to='adjudication.incident')),
                    ('ruling', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='confirmations', to='adjudication.ruling')),
                ],
                options={
                    'ordering': ['proposed_at'],
                    'constraints': [models.CheckConstraint(condition=models.Q(('state__in', ['waiting', 'confirmed', 'refused', 'withdrawn'])), name='confirmation_state_is_known'), models.CheckConstraint(condition=models.Q(models.Q(('state__in', ['confirmed', 'refused']), _negated=True), models.Q(models.Q(('decided_by', models.F('proposed_by')), _negated=True), models.Q(('decided_by', ''), _negated=True)), _connector='OR'), name='second_person_is_another'), models.CheckConstraint(condition=models.Q(('state', 'waiting'), ('decided_at__isnull', False), _connector='OR'), name='decided_confirmation_has_its_time'), models.CheckConstraint(condition=models.Q(models.Q(('state', 'confirmed'), _negated=True), models.Q(('ruling__isnull', False), ('version__isnull', False)), _connector='OR'), name='confirmed_decision_is_a_ruling'), models.CheckConstraint(condition=models.Q(models.Q(('state', 'refused'), _negated=True), models.Q(('answer', ''), _negated=True), _connector='OR'), name='refusal_has_its_reason'), models.UniqueConstraint(condition=models.Q(('state', 'waiting')), fields=('incident',), name='one_waiting_decision_per_incident')],
                },
            ),
        ),
        RULING_VERSIONS,
    ]
