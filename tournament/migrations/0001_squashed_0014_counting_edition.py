"""The tournament as of release 1.0.0, without seats: those need the tables."""

import django.core.validators
import django.db.models.deletion
import tournament.models.events
import uuid
from django.db import migrations, models

from ledger.migrating import CreateModels


class Migration(migrations.Migration):

    replaces = [
        ('tournament', '0001_initial'),
        ('tournament', '0002_rendered_standings'),
        ('tournament', '0003_draw_formats'),
        ('tournament', '0004_player_file'),
        ('tournament', '0005_frame_version'),
        ('tournament', '0006_database_defaults'),
        ('tournament', '0007_entrant_link'),
        ('tournament', '0008_event_hidden'),
        ('tournament', '0009_standings_anew'),
        ('tournament', '0010_decided_reason'),
        ('tournament', '0011_entrant_merged'),
        ('tournament', '0012_ranking_edition'),
        ('tournament', '0013_forfeited_round'),
        ('tournament', '0014_counting_edition'),
    ]

    initial = True

    dependencies = [
    ]

    operations = [
        CreateModels(
            migrations.CreateModel(
                name='Event',
                fields=[
                    ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                    ('slug', models.SlugField(max_length=60, unique=True)),
                    ('name', models.CharField(max_length=120, verbose_name='Name of the event')),
                    ('place', models.CharField(blank=True, max_length=120, verbose_name='Place')),
                    ('day', models.DateField(validators=[tournament.models.events.require_day], verbose_name='Day')),
                    ('language', models.CharField(default='nl', max_length=2, verbose_name='Language of the documents')),
                    ('rulebook', models.CharField(max_length=30, verbose_name='Rulebook')),
                    ('edition', models.CharField(max_length=40)),
                    ('options', models.JSONField(blank=True, default=dict)),
                    ('protocol', models.CharField(choices=[('confirm', 'one side enters, the other confirms'), ('double', 'both sides enter blind, the entries are compared'), ('referee', 'a referee or director confirms')], default='confirm', max_length=10, verbose_name='How a result becomes official')),
                    ('bell_rule', models.CharField(choices=[('finish', 'play out the current deal'), ('first_trick', 'play it out if its first trick is complete, otherwise cancel it'), ('cancel', 'the current deal is cancelled')], default='finish', max_length=12, verbose_name='At the bell')),
                    ('depth', models.CharField(choices=[('points', 'points of one side'), ('tricks', 'points and tricks'), ('list', 'trick by trick'), ('cards', 'card by card')], default='points', max_length=10, verbose_name='Level of detail')),
                    ('state', models.CharField(choices=[('open', 'open for registration'), ('running', 'running'), ('finished', 'finished')], default='open', max_length=10)),
                    ('short_names', models.BooleanField(default=False, help_text='First name and initial on public pages and the hall screen.', verbose_name='Shorten names in public')),
                    ('hide_last_rounds', models.PositiveSmallIntegerField(default=0, help_text='Results of these rounds of each stage stay hidden until the standings are final or the event is finished.', validators=[django.core.validators.MaxValueValidator(60)], verbose_name='Last rounds kept hidden')),
                    ('public_seed', models.CharField(max_length=40)),
                    ('sponsors', models.TextField(blank=True, help_text='One a line; shown at the foot of the hall screen.', max_length=2000, verbose_name='Sponsors')),
                    ('version', models.PositiveBigIntegerField(default=0)),
                    ('created_at', models.DateTimeField(auto_now_add=True)),
                    ('frame_version', models.PositiveBigIntegerField(db_default=0, default=0)),
                    ('hidden', models.BooleanField(db_default=False, default=False)),
                    ('places', models.PositiveIntegerField(blank=True, help_text='Players who register after that go on the waiting list.', null=True, validators=[django.core.validators.MinValueValidator(1), django.core.validators.MaxValueValidator(5000)], verbose_name='Places')),
                    ('registration', models.BooleanField(db_default=False, default=False, help_text='With a code for the door; you confirm each of them.', verbose_name='Players register themselves on a public page')),
                    ('registration_until', models.DateTimeField(blank=True, null=True, validators=[tournament.models.events.require_day], verbose_name='Registration closes')),
                    ('tell_illegal', models.BooleanField(db_default=True, default=True, help_text='Where deals are recorded card by card. The referee is told in any case.', verbose_name='Tell the table of an illegal card before the deal ends')),
                    ('colour', models.CharField(blank=True, db_default='', default='', max_length=7, validators=[django.core.validators.RegexValidator('^#[0-9a-f]{6}\\Z', 'Enter a colour as #1b4a99.')], verbose_name='Colour of the club')),
                    ('logo', models.CharField(blank=True, db_default='', default='', max_length=64)),
                ],
                options={
                    'ordering': ['-day', 'name'],
                    'constraints': [models.CheckConstraint(condition=models.Q(('language', ''), _negated=True), name='event_language_is_known'), models.CheckConstraint(condition=models.Q(('colour', ''), ('colour__startswith', '#'), _connector='OR'), name='event_colour_is_hexadecimal')],
                },
            ),
            migrations.CreateModel(
                name='Club',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('name', models.CharField(max_length=80)),
                    ('event', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='clubs', to='tournament.event')),
                ],
                options={
                    'ordering': ['name'],
                    'constraints': [models.UniqueConstraint(fields=('event', 'name'), name='club_once_per_event')],
                },
            ),
            migrations.CreateModel(
                name='PrintedDocument',
                fields=[
                    ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                    ('kind', models.CharField(max_length=30)),
                    ('parameters', models.JSONField(default=dict)),
                    ('language', models.CharField(max_length=2)),
                    ('paper', models.CharField(default='a4', max_length=10)),
                    ('state', models.CharField(blank=True, max_length=12)),
                    ('fingerprint', models.CharField(max_length=64)),
                    ('content', models.BinaryField()),
                    ('made_by', models.CharField(max_length=80)),
                    ('made_at', models.DateTimeField(auto_now_add=True)),
                    ('event', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='documents', to='tournament.event')),
                ],
                options={
                    'ordering': ['-made_at'],
                },
            ),
            migrations.CreateModel(
                name='Stage',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('order', models.PositiveSmallIntegerField()),
                    ('name', models.CharField(max_length=60, verbose_name='Name of the stage')),
                    ('format', models.CharField(choices=[('individual_draw', 'individual championship (new table every round)'), ('individual_movement', 'individual, fixed movement'), ('pairs_swiss', 'pairs, Swiss system'), ('pairs_mitchell', 'pairs, Mitchell'), ('round_robin', 'pairs, round robin'), ('pools_ko', 'pools and knock-out'), ('ko', 'knock-out'), ('random', 'drawn by lot every round')], max_length=20, verbose_name='Format')),
                    ('rounds_planned', models.PositiveSmallIntegerField(default=3, validators=[django.core.validators.MinValueValidator(1), django.core.validators.MaxValueValidator(60)], verbose_name='Rounds')),
                    ('games_per_round', models.PositiveSmallIntegerField(choices=[(3, 'three: everybody at the table partners everybody'), (1, 'one')], default=3, verbose_name='Games in a round')),
                    ('deals_per_game', models.PositiveSmallIntegerField(blank=True, default=4, null=True, validators=[django.core.validators.MinValueValidator(1), django.core.validators.MaxValueValidator(60)], verbose_name='Deals in a game')),
                    ('target', models.JSONField(null=True)),
                    ('minutes', models.PositiveSmallIntegerField(default=90, validators=[django.core.validators.MinValueValidator(5), django.core.validators.MaxValueValidator(600)], verbose_name='Minutes for a round')),
                    ('ranking', models.CharField(default='world_championship', max_length=40, verbose_name='Ranking')),
                    ('ranking_rule', models.JSONField(default=dict)),
                    ('carries_over', models.BooleanField(default=False, verbose_name='Results of earlier stages count')),
                    ('cut', models.JSONField(default=dict)),
                    ('club_rounds', models.PositiveSmallIntegerField(default=2, help_text='0: not kept apart.', validators=[django.core.validators.MaxValueValidator(60)], verbose_name='Keep members of a club apart through round')),
                    ('event', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='stages', to='tournament.event')),
                    ('drawing', models.JSONField(blank=True, default=dict)),
                    ('ranking_edition', models.PositiveSmallIntegerField(db_default=1, default=1)),
                    ('club_rule', models.JSONField(blank=True, db_default={}, default=dict)),
                ],
                options={
                    'ordering': ['order'],
                    'constraints': [models.UniqueConstraint(fields=('event', 'order'), name='stage_order_once'), models.CheckConstraint(condition=models.Q(('games_per_round__in', [1, 3])), name='one_or_three_games_a_round'), models.CheckConstraint(condition=models.Q(('deals_per_game__isnull', False), ('target__isnull', False), _connector='OR'), name='a_game_ends_somewhere')],
                },
            ),
            migrations.CreateModel(
                name='Round',
                fields=[
                    ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                    ('number', models.PositiveSmallIntegerField()),
                    ('state', models.CharField(choices=[('planned', 'to come'), ('drawn', 'drawn, not published'), ('published', 'published'), ('playing', 'in play'), ('closed', 'finished')], default='planned', max_length=10)),
                    ('publish_at', models.DateTimeField(null=True)),
                    ('published_at', models.DateTimeField(null=True)),
                    ('started_at', models.DateTimeField(null=True)),
                    ('ends_at', models.DateTimeField(null=True)),
                    ('closed_at', models.DateTimeField(null=True)),
                    ('stage', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='rounds', to='tournament.stage')),
                    ('publish_draw', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='scheduled_for', to='tournament.draw')),
                    ('paused_left', models.PositiveIntegerField(null=True)),
                ],
                options={
                    'ordering': ['stage__order', 'number'],
                    'constraints': [models.UniqueConstraint(fields=('stage', 'number'), name='round_number_once'), models.CheckConstraint(condition=models.Q(('state__in', ['planned', 'drawn', 'published', 'playing', 'closed'])), name='round_state_is_known'), models.CheckConstraint(condition=models.Q(('publish_at__isnull', True), ('state', 'drawn'), _connector='OR'), name='only_a_drawn_round_waits_for_its_time')],
                },
            ),
            migrations.CreateModel(
                name='Draw',
                fields=[
                    ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                    ('number', models.PositiveSmallIntegerField()),
                    ('state', models.CharField(choices=[('candidate', 'draft'), ('published', 'published'), ('discarded', 'discarded')], default='candidate', max_length=10)),
                    ('seed', models.CharField(max_length=80)),
                    ('movement', models.CharField(max_length=60)),
                    ('tables', models.JSONField()),
                    ('byes', models.JSONField(default=list)),
                    ('certificate', models.JSONField(default=dict)),
                    ('edits', models.JSONField(default=list)),
                    ('made_by', models.CharField(max_length=80)),
                    ('made_at', models.DateTimeField(auto_now_add=True)),
                    ('round', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='draws', to='tournament.round')),
                    ('held', models.JSONField(default=list)),
                    ('plan', models.JSONField(default=dict)),
                    ('request', models.JSONField(default=dict)),
                ],
                options={
                    'ordering': ['number'],
                    'constraints': [models.UniqueConstraint(fields=('round', 'number'), name='draw_number_once'), models.UniqueConstraint(condition=models.Q(('state', 'published')), fields=('round',), name='one_published_draw')],
                },
            ),
            migrations.CreateModel(
                name='Standings',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('state', models.CharField(choices=[('provisional', 'provisional'), ('frozen', 'frozen'), ('final', 'final')], default='provisional', max_length=12)),
                    ('after_round', models.PositiveSmallIntegerField(default=0)),
                    ('rows', models.JSONField(default=list)),
                    ('hash', models.CharField(blank=True, max_length=64)),
                    ('version', models.PositiveBigIntegerField(default=0)),
                    ('computed_at', models.DateTimeField(null=True)),
                    ('stage', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='standings', to='tournament.stage')),
                    ('history', models.JSONField(default=list)),
                    ('edition', models.PositiveSmallIntegerField(db_default=1, default=1)),
                ],
            ),
            migrations.CreateModel(
                name='RenderedStandings',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('language', models.CharField(max_length=2)),
                    ('version', models.PositiveBigIntegerField()),
                    ('made_of', models.CharField(max_length=64)),
                    ('head', models.JSONField()),
                    ('rows', models.TextField()),
                    ('stage', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='rendered', to='tournament.stage')),
                ],
                options={
                    'constraints': [models.UniqueConstraint(fields=('stage', 'language'), name='rows_once_a_language')],
                },
            ),
            migrations.CreateModel(
                name='PlayerFile',
                fields=[
                    ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                    ('content', models.BinaryField()),
                    ('uploaded_by', models.CharField(max_length=80)),
                    ('uploaded_at', models.DateTimeField(auto_now_add=True)),
                    ('imported_at', models.DateTimeField(null=True)),
                    ('event', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='player_files', to='tournament.event')),
                ],
                options={
                    'constraints': [models.CheckConstraint(condition=models.Q(('imported_at__isnull', True), ('content', b''), _connector='OR'), name='imported_file_is_emptied')],
                },
            ),
            migrations.CreateModel(
                name='Member',
                fields=[
                    ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                    ('name', models.CharField(max_length=100, verbose_name='Name')),
                    ('club', models.CharField(blank=True, max_length=80, verbose_name='Club')),
                    ('category', models.CharField(blank=True, max_length=30, verbose_name='Category')),
                    ('email', models.EmailField(blank=True, max_length=254, verbose_name='E-mail')),
                    ('phone', models.CharField(blank=True, max_length=30, verbose_name='Phone number')),
                ],
                options={
                    'ordering': ['name', 'club', 'category'],
                },
            ),
            migrations.CreateModel(
                name='Person',
                fields=[
                    ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                    ('name', models.CharField(max_length=100, verbose_name='Name')),
                    ('email', models.EmailField(blank=True, max_length=254, verbose_name='E-mail')),
                    ('erased_at', models.DateTimeField(null=True)),
                    ('phone', models.CharField(blank=True, db_default='', default='', max_length=30, verbose_name='Phone number')),
                    ('member', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='persons', to='tournament.member')),
                ],
                options={
                    'constraints': [models.CheckConstraint(condition=models.Q(('erased_at__isnull', True), models.Q(('email', ''), ('name', '')), _connector='OR'), name='erased_person_has_no_data')],
                },
            ),
            migrations.CreateModel(
                name='Entrant',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('number', models.PositiveIntegerField(validators=[django.core.validators.MinValueValidator(1), django.core.validators.MaxValueValidator(99999)], verbose_name='Start number')),
                    ('family', models.CharField(blank=True, max_length=40, verbose_name='Family')),
                    ('fixed_seat', models.BooleanField(default=False, verbose_name='Fixed seat')),
                    ('state', models.CharField(choices=[('registered', 'registered'), ('present', 'present'), ('withdrawn', 'withdrawn'), ('merged', 'merged into another number')], default='registered', max_length=10, verbose_name='State')),
                    ('from_round', models.PositiveSmallIntegerField(default=1)),
                    ('withdrawn_after', models.PositiveSmallIntegerField(null=True)),
                    ('link_hash', models.CharField(blank=True, max_length=64)),
                    ('created_at', models.DateTimeField(auto_now_add=True)),
                    ('club', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='entrants', to='tournament.club')),
                    ('event', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='entrants', to='tournament.event')),
                    ('partner', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='partner_entries', to='tournament.person')),
                    ('person', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='entries', to='tournament.person')),
                    ('keeps_score', models.BooleanField(default=True, verbose_name='Keeps score')),
                    ('link_epoch', models.PositiveIntegerField(db_default=1, default=1)),
                    ('category', models.CharField(blank=True, db_default='', default='', max_length=30, verbose_name='Category')),
                    ('paid', models.BooleanField(db_default=False, default=False, verbose_name='Paid')),
                ],
                options={
                    'ordering': ['number'],
                    'constraints': [models.UniqueConstraint(fields=('event', 'number'), name='entrant_number_once'), models.UniqueConstraint(fields=('event', 'person'), name='person_enters_once'), models.CheckConstraint(condition=models.Q(('number__gte', 1)), name='entrant_number_from_one'), models.CheckConstraint(condition=models.Q(('partner__isnull', True), models.Q(('partner', models.F('person')), _negated=True), _connector='OR'), name='pair_is_two_persons')],
                },
            ),
            migrations.CreateModel(
                name='Bye',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('kind', models.CharField(default='bye', max_length=12)),
                    ('entrant', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='byes', to='tournament.entrant')),
                    ('round', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='byes', to='tournament.round')),
                ],
                options={
                    'constraints': [models.UniqueConstraint(fields=('round', 'entrant'), name='bye_once_a_round')],
                },
            ),
            migrations.CreateModel(
                name='Lot',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('lot', models.PositiveIntegerField()),
                    ('entrant', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='lots', to='tournament.entrant')),
                    ('stage', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='lots', to='tournament.stage')),
                ],
                options={
                    'constraints': [models.UniqueConstraint(fields=('stage', 'entrant'), name='lot_once'), models.UniqueConstraint(fields=('stage', 'lot'), name='lots_differ')],
                },
            ),
            migrations.CreateModel(
                name='Adjustment',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('source', models.CharField(max_length=80)),
                    ('marks', models.IntegerField(default=0)),
                    ('games_won', models.IntegerField(default=0)),
                    ('match_points', models.IntegerField(default=0)),
                    ('penalties', models.PositiveSmallIntegerField(default=0)),
                    ('disqualified', models.BooleanField(default=False)),
                    ('reason', models.CharField(max_length=300)),
                    ('made_by', models.CharField(max_length=80)),
                    ('made_at', models.DateTimeField(auto_now_add=True)),
                    ('annulled_at', models.DateTimeField(null=True)),
                    ('annulled_reason', models.CharField(blank=True, max_length=300)),
                    ('entrant', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='adjustments', to='tournament.entrant')),
                    ('event', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='adjustments', to='tournament.event')),
                    ('round', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, to='tournament.round')),
                    ('stage', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='adjustments', to='tournament.stage')),
                    ('forfeited', models.BooleanField(db_default=False, default=False)),
                ],
                options={
                    'ordering': ['pk'],
                    'constraints': [models.UniqueConstraint(condition=models.Q(('annulled_at__isnull', True)), fields=('source', 'entrant'), name='one_standing_adjustment_per_source')],
                },
            ),
            migrations.CreateModel(
                name='StageEntrant',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('seed', models.PositiveIntegerField(default=0)),
                    ('origin', models.CharField(blank=True, max_length=40)),
                    ('entrant', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='stages', to='tournament.entrant')),
                    ('stage', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='field', to='tournament.stage')),
                ],
                options={
                    'ordering': ['seed', 'entrant'],
                    'constraints': [models.UniqueConstraint(fields=('stage', 'entrant'), name='entrant_once_per_stage')],
                },
            ),
            migrations.CreateModel(
                name='Ban',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('made_by', models.CharField(max_length=80)),
                    ('made_at', models.DateTimeField(auto_now_add=True)),
                    ('event', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='bans', to='tournament.event')),
                    ('one', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='bans_as_one', to='tournament.entrant')),
                    ('two', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='bans_as_two', to='tournament.entrant')),
                ],
                options={
                    'ordering': ['one', 'two'],
                    'constraints': [models.UniqueConstraint(fields=('one', 'two'), name='ban_once'), models.CheckConstraint(condition=models.Q(('one__lt', models.F('two'))), name='ban_is_ordered')],
                },
            ),
            migrations.CreateModel(
                name='Registration',
                fields=[
                    ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                    ('name', models.CharField(blank=True, max_length=100, verbose_name='First and last name')),
                    ('partner', models.CharField(blank=True, max_length=100, verbose_name='Partner')),
                    ('club', models.CharField(blank=True, max_length=80, verbose_name='Club')),
                    ('email', models.EmailField(blank=True, max_length=254, verbose_name='E-mail')),
                    ('phone', models.CharField(blank=True, max_length=30, verbose_name='Phone number')),
                    ('state', models.CharField(choices=[('asked', 'to be confirmed'), ('waiting', 'on the waiting list'), ('entered', 'accepted'), ('refused', 'refused')], default='asked', max_length=10)),
                    ('created_at', models.DateTimeField(auto_now_add=True)),
                    ('entrant', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='registrations', to='tournament.entrant')),
                    ('event', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='registrations', to='tournament.event')),
                ],
                options={
                    'ordering': ['created_at'],
                },
            ),
            migrations.CreateModel(
                name='MailConsent',
                fields=[
                    ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                    ('language', models.CharField(max_length=5)),
                    ('refused', models.CharField(blank=True, max_length=200)),
                    ('created_at', models.DateTimeField(auto_now_add=True)),
                    ('entrant', models.OneToOneField(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='mail', to='tournament.entrant')),
                    ('registration', models.OneToOneField(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='mail', to='tournament.registration')),
                ],
                options={
                    'constraints': [models.CheckConstraint(condition=models.Q(('registration__isnull', False), ('entrant__isnull', False), _connector='OR'), name='mail_is_wanted_by_somebody')],
                },
            ),
            migrations.CreateModel(
                name='PushSubscription',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('endpoint', models.CharField(max_length=1000)),
                    ('public_key', models.CharField(max_length=90)),
                    ('secret', models.CharField(max_length=30)),
                    ('language', models.CharField(max_length=5)),
                    ('created_at', models.DateTimeField(auto_now_add=True)),
                    ('entrant', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='subscriptions', to='tournament.entrant')),
                ],
                options={
                    'ordering': ['pk'],
                    'constraints': [models.UniqueConstraint(fields=('entrant', 'endpoint'), name='device_subscribes_once')],
                },
            ),
            migrations.CreateModel(
                name='Notice',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('matter', models.UUIDField()),
                    ('kind', models.CharField(choices=[('draw', 'Draw'), ('result', 'Result'), ('ruling', 'Ruling'), ('receipt', 'Receipt'), ('link', 'Link')], max_length=10)),
                    ('subject', models.UUIDField(null=True)),
                    ('state', models.CharField(choices=[('waiting', 'Waiting'), ('sent', 'Sent'), ('failed', 'Failed')], default='waiting', max_length=10)),
                    ('attempts', models.PositiveSmallIntegerField(default=0)),
                    ('due_at', models.DateTimeField()),
                    ('failure', models.CharField(blank=True, max_length=200)),
                    ('consent', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='notices', to='tournament.mailconsent')),
                    ('event', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='notices', to='tournament.event')),
                    ('subscription', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='notices', to='tournament.pushsubscription')),
                ],
                options={
                    'ordering': ['pk'],
                    'indexes': [models.Index(condition=models.Q(('state', 'waiting')), fields=['due_at'], name='notices_to_be_sent')],
                    'constraints': [models.UniqueConstraint(fields=('matter', 'subscription'), name='device_is_told_a_matter_once'), models.UniqueConstraint(fields=('matter', 'consent'), name='address_is_told_a_matter_once'), models.CheckConstraint(condition=models.Q(('subscription__isnull', True), ('consent__isnull', True), _connector='XOR'), name='notice_goes_one_way')],
                },
            ),
            migrations.CreateModel(
                name='Merger',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('number', models.PositiveIntegerField()),
                    ('before', models.JSONField(default=dict)),
                    ('made_at', models.DateTimeField(auto_now_add=True)),
                    ('event', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='mergers', to='tournament.event')),
                    ('into', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='mergers', to='tournament.entrant')),
                    ('partner', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='partner_mergers', to='tournament.person')),
                    ('person', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='mergers', to='tournament.person')),
                ],
                options={
                    'ordering': ['number'],
                    'constraints': [models.UniqueConstraint(fields=('event', 'number'), name='merger_of_a_number_once')],
                },
            ),
            migrations.CreateModel(
                name='EventLogo',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('content', models.BinaryField()),
                    ('event', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='picture', to='tournament.event')),
                ],
            ),
        ),
    ]
