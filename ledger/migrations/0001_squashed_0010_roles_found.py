"""The ledger as of release 1.0.0."""

import django.contrib.auth.validators
import django.db.models.deletion
import django.utils.timezone
import uuid
from django.conf import settings
from django.db import migrations, models

from ledger.migrating import CreateModels, JOURNALS


class Migration(migrations.Migration):

    replaces = [
        ('ledger', '0001_initial'),
        ('ledger', '0002_append_only'),
        ('ledger', '0003_accounts_and_tokens'),
        ('ledger', '0004_audit_rows'),
        ('ledger', '0005_rows_append_only'),
        ('ledger', '0006_database_defaults'),
        ('ledger', '0007_user_manager'),
        ('ledger', '0008_may_open_events'),
        ('ledger', '0009_job_request_id'),
        ('ledger', '0010_roles_found'),
    ]

    initial = True

    dependencies = [
        ('auth', '0012_alter_user_first_name_max_length'),
    ]

    operations = [
        CreateModels(
            migrations.CreateModel(
                name='AuditHead',
                fields=[
                    ('scope', models.UUIDField(primary_key=True, serialize=False)),
                    ('sequence', models.PositiveBigIntegerField(default=0)),
                    ('hash', models.CharField(default='', max_length=64)),
                    ('rows_hash', models.CharField(db_default='', default='', max_length=64)),
                    ('rows_sequence', models.PositiveBigIntegerField(db_default=0, default=0)),
                ],
            ),
            migrations.CreateModel(
                name='User',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('password', models.CharField(max_length=128, verbose_name='password')),
                    ('last_login', models.DateTimeField(blank=True, null=True, verbose_name='last login')),
                    ('is_superuser', models.BooleanField(default=False, help_text='Designates that this user has all permissions without explicitly assigning them.', verbose_name='superuser status')),
                    ('username', models.CharField(error_messages={'unique': 'A user with that username already exists.'}, help_text='Required. 150 characters or fewer. Letters, digits and @/./+/-/_ only.', max_length=150, unique=True, validators=[django.contrib.auth.validators.UnicodeUsernameValidator()], verbose_name='username')),
                    ('first_name', models.CharField(blank=True, max_length=150, verbose_name='first name')),
                    ('last_name', models.CharField(blank=True, max_length=150, verbose_name='last name')),
                    ('email', models.EmailField(blank=True, max_length=254, verbose_name='email address')),
                    ('is_staff', models.BooleanField(default=False, help_text='Designates whether the user can log into this admin site.', verbose_name='staff status')),
                    ('is_active', models.BooleanField(default=True, help_text='Designates whether this user should be treated as active. Unselect this instead of deleting accounts.', verbose_name='active')),
                    ('date_joined', models.DateTimeField(default=django.utils.timezone.now, verbose_name='date joined')),
                    ('groups', models.ManyToManyField(blank=True, help_text='The groups this user belongs to. A user will get all permissions granted to each of their groups.', related_name='user_set', related_query_name='user', to='auth.group', verbose_name='groups')),
                    ('user_permissions', models.ManyToManyField(blank=True, help_text='Specific permissions for this user.', related_name='user_set', related_query_name='user', to='auth.permission', verbose_name='user permissions')),
                    ('password_given', models.BooleanField(db_default=False, default=False)),
                    ('second_step', models.BooleanField(db_default=False, default=False)),
                    ('may_open_events', models.BooleanField(db_default=False, default=False)),
                ],
                options={
                    'verbose_name': 'user',
                    'verbose_name_plural': 'users',
                    'abstract': False,
                    'swappable': 'AUTH_USER_MODEL',
                },
            ),
            migrations.CreateModel(
                name='AuditEntry',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('scope', models.UUIDField()),
                    ('sequence', models.PositiveBigIntegerField()),
                    ('at', models.DateTimeField()),
                    ('actor', models.CharField(max_length=80)),
                    ('verb', models.CharField(max_length=60)),
                    ('object_type', models.CharField(max_length=40)),
                    ('object_id', models.CharField(max_length=40)),
                    ('before', models.JSONField(null=True)),
                    ('after', models.JSONField(null=True)),
                    ('request_id', models.CharField(blank=True, max_length=40)),
                    ('previous_hash', models.CharField(blank=True, max_length=64)),
                    ('hash', models.CharField(max_length=64)),
                ],
                options={
                    'ordering': ['scope', 'sequence'],
                    'indexes': [models.Index(fields=['scope', 'object_type', 'object_id'], name='audit_by_object')],
                    'constraints': [models.UniqueConstraint(fields=('scope', 'sequence'), name='audit_sequence_once')],
                },
            ),
            migrations.CreateModel(
                name='IdempotencyKey',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('scope', models.UUIDField()),
                    ('key', models.CharField(max_length=80)),
                    ('fingerprint', models.CharField(max_length=64)),
                    ('answer', models.JSONField()),
                    ('created_at', models.DateTimeField(auto_now_add=True)),
                ],
                options={
                    'constraints': [models.UniqueConstraint(fields=('scope', 'key'), name='idempotency_key_once')],
                },
            ),
            migrations.CreateModel(
                name='Job',
                fields=[
                    ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                    ('scope', models.UUIDField(db_index=True)),
                    ('kind', models.CharField(max_length=60)),
                    ('parameters', models.JSONField(default=dict)),
                    ('key', models.CharField(blank=True, max_length=120)),
                    ('state', models.CharField(choices=[('queued', 'queued'), ('running', 'running'), ('done', 'done'), ('failed', 'failed')], default='queued', max_length=10)),
                    ('done_steps', models.PositiveIntegerField(default=0)),
                    ('all_steps', models.PositiveIntegerField(default=0)),
                    ('step', models.CharField(blank=True, max_length=120)),
                    ('result', models.JSONField(default=dict)),
                    ('failure', models.TextField(blank=True)),
                    ('attempt', models.PositiveSmallIntegerField(default=0)),
                    ('claim', models.UUIDField(editable=False, null=True)),
                    ('alive_at', models.DateTimeField(null=True)),
                    ('requested_by', models.CharField(max_length=80)),
                    ('created_at', models.DateTimeField(auto_now_add=True)),
                    ('started_at', models.DateTimeField(null=True)),
                    ('finished_at', models.DateTimeField(null=True)),
                    ('request_id', models.CharField(blank=True, db_default='', default='', max_length=40)),
                ],
                options={
                    'ordering': ['-created_at'],
                    'constraints': [models.UniqueConstraint(condition=models.Q(models.Q(('key', ''), _negated=True), ('state__in', ['queued', 'running'])), fields=('scope', 'key'), name='one_open_job_per_key'), models.CheckConstraint(condition=models.Q(('state__in', ['queued', 'running', 'done', 'failed'])), name='job_state_is_known'), models.CheckConstraint(condition=models.Q(models.Q(('state', 'running'), _negated=True), ('claim__isnull', False), _connector='OR'), name='running_job_is_claimed')],
                },
            ),
            migrations.CreateModel(
                name='RoleGrant',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('scope', models.UUIDField(db_index=True)),
                    ('role', models.CharField(choices=[('admin', 'organisation administrator'), ('director', 'director'), ('chief_referee', 'chief referee'), ('referee', 'referee'), ('appeals', 'appeals member'), ('scorekeeper', 'scorekeeper'), ('reader', 'read-only')], max_length=20)),
                    ('granted_at', models.DateTimeField(auto_now_add=True)),
                    ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='role_grants', to=settings.AUTH_USER_MODEL)),
                ],
                options={
                    'constraints': [models.UniqueConstraint(fields=('user', 'scope', 'role'), name='role_granted_once'), models.CheckConstraint(condition=models.Q(models.Q(('role', 'admin'), _negated=True), ('scope', uuid.UUID('00000000-0000-0000-0000-000000000000')), _connector='OR'), name='administrator_of_the_organisation_only')],
                },
            ),
            migrations.CreateModel(
                name='ApiToken',
                fields=[
                    ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                    ('name', models.CharField(max_length=60)),
                    ('hash', models.CharField(max_length=64, unique=True)),
                    ('scope', models.UUIDField(default=uuid.UUID('00000000-0000-0000-0000-000000000000'))),
                    ('may_write', models.BooleanField(default=False)),
                    ('created_at', models.DateTimeField(auto_now_add=True)),
                    ('expires_at', models.DateTimeField()),
                    ('revoked_at', models.DateTimeField(null=True)),
                    ('used_at', models.DateTimeField(null=True)),
                    ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='api_tokens', to=settings.AUTH_USER_MODEL)),
                ],
                options={
                    'ordering': ['-created_at'],
                    'constraints': [models.CheckConstraint(condition=models.Q(('hash', ''), _negated=True), name='api_token_has_a_hash')],
                },
            ),
            migrations.CreateModel(
                name='AuditRows',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('scope', models.UUIDField()),
                    ('sequence', models.PositiveBigIntegerField()),
                    ('entry', models.PositiveBigIntegerField()),
                    ('body', models.TextField()),
                    ('previous_hash', models.CharField(blank=True, max_length=64)),
                    ('hash', models.CharField(max_length=64)),
                ],
                options={
                    'ordering': ['scope', 'sequence'],
                    'constraints': [models.UniqueConstraint(fields=('scope', 'sequence'), name='audit_rows_once')],
                },
            ),
        ),
        *JOURNALS,
    ]
