"""Settings: one module, everything that varies comes from :mod:`config.environment`.

Two shapes of the same service: *embedded* (SQLite in WAL mode, a queue in folders, one machine)
and *production* (PostgreSQL, Redis, any number of processes). A production start on an insecure
value stops here and names the variable to set.
"""

from __future__ import annotations

import fcntl
import os
import secrets
from pathlib import Path
from typing import Any

import environ
from django.conf.locale import LANG_INFO
from kombu import Exchange, Queue

from ledger.errors import WrongSetting
from operations import logs
from scoring.texts import LANGUAGES as SPOKEN

from .environment import BASE_DIR, check_all, read

check_all()
MODE = read("MANILLE_MODE")
PRODUCTION = MODE == "production"
VAR_DIR = Path(read("MANILLE_VAR"))


def _unusable(variable: str, error: OSError) -> WrongSetting:
    why = f"{variable} cannot be used ({error.strerror})"
    return WrongSetting(f"{why}: set {variable} to a folder that can be written.")


def _folder(path: Path, variable: str) -> Path:
    """Make a folder of the service where it is missing."""
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise _unusable(variable, error) from error
    return path


def _write_key(path: Path) -> None:
    """Write a new signing key whole or not at all; of processes that start together one does."""
    folder = os.open(path.parent, os.O_RDONLY)
    part = path.with_suffix(".part")
    try:
        fcntl.flock(folder, fcntl.LOCK_EX)
        if path.exists():
            return
        part.unlink(missing_ok=True)
        with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
            file.write(secrets.token_urlsafe(64))
            file.flush()
            os.fsync(file.fileno())
        part.rename(path)
    except OSError as error:
        part.unlink(missing_ok=True)
        raise _unusable("MANILLE_VAR", error) from error
    finally:
        os.close(folder)


def _stored_secret() -> str:
    """Return the embedded installation's own secret key, created at the first start."""
    path = _folder(VAR_DIR, "MANILLE_VAR") / "secret.key"
    if not path.exists():
        _write_key(path)
    key = path.read_text()
    if len(key) < 50:
        raise WrongSetting(
            f"{path} holds no whole key: put the key of a copy in its place or set SECRET_KEY; or delete the file "
            "for a new one, and print links, badges and slips again."
        )
    return key


DEBUG = read("DEBUG")
SECRET_KEY = read("SECRET_KEY") or ("" if PRODUCTION else _stored_secret())
ALLOWED_HOSTS = read("ALLOWED_HOSTS") or (
    [] if PRODUCTION else ["localhost", "127.0.0.1", "[::1]", "testserver"]
)
CSRF_TRUSTED_ORIGINS = read("CSRF_TRUSTED_ORIGINS")
PUBLIC_URL = read("PUBLIC_URL").rstrip("/")
READ_ONLY_NODE = read("READ_ONLY_NODE")
SETUP_CODE = read("SETUP_CODE")
SIGNING_KEY = read("SIGNING_KEY")
if PRODUCTION:
    for _wrong, _say in (
        (DEBUG, "DEBUG is on: set DEBUG=0."),
        (
            not SECRET_KEY,
            "SECRET_KEY is missing: set SECRET_KEY to 50 or more random characters.",
        ),
        (
            not ALLOWED_HOSTS or "*" in ALLOWED_HOSTS,
            "ALLOWED_HOSTS is empty or a wildcard: set ALLOWED_HOSTS to the host names of this service.",
        ),
        (
            not read("DATABASE_URL").startswith(("postgres://", "postgresql://")),
            "DATABASE_URL names no PostgreSQL: set DATABASE_URL=postgres://user:password@host:5432/name.",
        ),
        (
            not read("BROKER_URL").startswith(("redis://", "rediss://")),
            "BROKER_URL names no Redis: set BROKER_URL=redis://host:6379/0.",
        ),
        (
            not read("CACHE_URL").startswith(("rediscache://", "redis://", "rediss://")),
            "CACHE_URL names no Redis: set CACHE_URL=rediscache://host:6379/1.",
        ),
    ):
        if _wrong:
            raise WrongSetting(_say)

INSTALLED_APPS = [
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "django_otp",
    "django_otp.plugins.otp_totp",
    "django_otp.plugins.otp_static",
    "rest_framework",
    "drf_spectacular",
    "ledger",
    "accounts",
    "tournament",
    "tournament.tables",
    "adjudication",
    "operations",
    "config",
]

MIDDLEWARE = [
    "ledger.middleware.RequestContext",
    "operations.metrics.Timing",
    "operations.robots.NoIndex",
    "config.read_node.OnlyShows",
    "django.middleware.security.SecurityMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "ledger.middleware.ContentSecurityPolicy",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.middleware.gzip.GZipMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "ledger.middleware.Language",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django_otp.middleware.OTPMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "config.errors.RefusalPages",
]

ROOT_URLCONF = "config.urls"
WSGI_APPLICATION = "config.wsgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": False,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "config.context.site",
            ],
            "builtins": [
                "django.templatetags.i18n",
                "django.templatetags.static",
                "tournament.templatetags.controls",
                "tournament.templatetags.rounds",
            ],
        },
    }
]
FORM_RENDERER = "config.forms.FormRenderer"

# Databases ------------------------------------------------------------------------------------

_database_url = read("DATABASE_URL") or f"sqlite:///{VAR_DIR / 'manille.sqlite3'}"


def _database(url: str) -> dict[str, object]:
    """Return Django's settings of one database, with the safety options of its kind."""
    settings: dict[str, Any] = environ.Env.db_url_config(url)
    if "sqlite" in str(settings["ENGINE"]):
        settings["ENGINE"] = "config.sqlite"
        # In memory; runners of tests may hang a number of their own on it.
        settings["TEST"] = {"NAME": "file:manille?mode=memory&cache=shared&of=tests"}
        settings["OPTIONS"] = {
            # Writers queue at BEGIN instead of failing half-way through a read-then-write.
            "transaction_mode": "DEFERRED" if READ_ONLY_NODE else "IMMEDIATE",
            "timeout": 30,
            "init_command": (
                "PRAGMA query_only=ON; PRAGMA cache_size=-32000;"
                if READ_ONLY_NODE
                else "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA cache_size=-32000;"
            ),
        }
    else:
        settings["CONN_MAX_AGE"] = 0
        settings["CONN_HEALTH_CHECKS"] = True
        settings["OPTIONS"] = {
            # When all tables write together, requests queue for a free connection in order; with 136
            # tables the longest wait was nine seconds. The same limit holds for an unreachable server.
            "pool": {"min_size": 1, "max_size": read("DATABASE_POOL"), "timeout": 15},
            "connect_timeout": 5,
        }
        if READ_ONLY_NODE:
            settings["OPTIONS"]["options"] = "-c default_transaction_read_only=on"
    return settings


DATABASES = {"default": _database(_database_url)}
DATABASE_ROUTERS = ["operations.routing.Router"]
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
EMBEDDED_DATABASE = "sqlite" in str(DATABASES["default"]["ENGINE"])

CACHES = {
    "default": (
        {
            **environ.Env.cache_url_config(read("CACHE_URL")),
            "BACKEND": "config.cache.PatientRedis",
            "OPTIONS": {
                "serializer": "config.cache.PlainValues",
                "socket_connect_timeout": 1,
                "socket_timeout": 2,
            },
        }
        if read("CACHE_URL")
        else {
            "BACKEND": "django.core.cache.backends.locmem.LocMemCache",
            "LOCATION": "manille",
            # A flood of names must not push out the counts of limits (accounts/limits.py).
            "OPTIONS": {"MAX_ENTRIES": 100_000},
        }
    )
}

# Celery ---------------------------------------------------------------------------------------

_queue_dir = VAR_DIR / "queue"
CELERY_BROKER_URL = read("BROKER_URL") or "filesystem://localhost//"
if CELERY_BROKER_URL.startswith("filesystem"):
    CELERY_BROKER_TRANSPORT_OPTIONS = {
        "data_folder_in": str(_queue_dir / "messages"),
        "data_folder_out": str(_queue_dir / "messages"),
        "control_folder": str(_queue_dir / "control"),
        "store_processed": False,
        "polling_interval": 0.1,  # seconds until a waiting worker looks again
    }
    for _name in ("messages", "control"):
        _folder(_queue_dir / _name, "MANILLE_VAR")
else:
    CELERY_BROKER_TRANSPORT_OPTIONS = {
        "visibility_timeout": 300,
        "socket_connect_timeout": 2,
        "socket_timeout": 10,
        "max_retries": 1,
    }
# Push services and mail servers make only one another's notices wait: a worker without -Q takes from both.
CELERY_TASK_DEFAULT_QUEUE = "celery"
NOTICES_QUEUE = "notices"
CELERY_TASK_QUEUES = [
    Queue(_name, Exchange(_name), routing_key=_name)
    for _name in (CELERY_TASK_DEFAULT_QUEUE, NOTICES_QUEUE)
]
# The Job row is the truth: messages carry an id, may be lost or doubled, and return nothing.
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_SERIALIZER = "json"
CELERY_ACCEPT_CONTENT = ["json"]
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_TASK_PUBLISH_RETRY_POLICY = {"max_retries": 1, "interval_start": 0, "interval_max": 0.2}
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_TIMEZONE = "UTC"
JOB_LEASE_SECONDS = read("JOB_LEASE_SECONDS")

# People ---------------------------------------------------------------------------------------

AUTH_USER_MODEL = "ledger.User"
LOGIN_URL = "login"
LOGIN_REDIRECT_URL = "/desk/?now=1"
LOGOUT_REDIRECT_URL = "home"
PASSWORD_HASHERS = [
    "accounts.passwords.Argon2",
    "django.contrib.auth.hashers.PBKDF2PasswordHasher",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {
        "NAME": "accounts.passwords.MinimumLength",
        "OPTIONS": {"min_length": 10},
    },
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
    {"NAME": "django.contrib.auth.password_validation.NumericPasswordValidator"},
]
SECOND_STEP_ROLES = read("SECOND_STEP_ROLES")
OTP_TOTP_ISSUER = "Manille"
# Wrong codes are counted by network address and by day (accounts/limits.py). The delays of django-otp
# double with each wrong code from any sender, and could lock the account's owner out for days.
OTP_TOTP_THROTTLE_FACTOR = 0
OTP_STATIC_THROTTLE_FACTOR = 0
RETENTION_DAYS = read("RETENTION_DAYS")
METRICS_TOKEN = read("METRICS_TOKEN")
METRICS_LISTEN = read("METRICS_LISTEN")
METRICS_DIR = read("PROMETHEUS_MULTIPROC_DIR")
if METRICS_DIR:
    _folder(Path(METRICS_DIR), "PROMETHEUS_MULTIPROC_DIR")
BACKUP_HOURS = read("BACKUP_HOURS")
BACKUP_KEEP = read("BACKUP_KEEP")
BACKUP_DIR = read("BACKUP_DIR") or str(VAR_DIR / "backups")
BACKUP_PROOF_URL = read("BACKUP_PROOF_URL")

# Languages ------------------------------------------------------------------------------------

LANGUAGE_CODE = "en"
LANGUAGES = [
    (code, LANG_INFO.get(code, {"name_local": code})["name_local"].capitalize())
    for code in [*SPOKEN[1:], SPOKEN[0]]
]
LOCALE_PATHS = [BASE_DIR / "locale"]
LANGUAGE_COOKIE_AGE = 365 * 24 * 3600
LANGUAGE_COOKIE_SAMESITE = "Lax"
USE_I18N = True
USE_TZ = True
FORMAT_MODULE_PATH = "config.formats"
TIME_ZONE = read("TIME_ZONE")

# Files ----------------------------------------------------------------------------------------

STATIC_URL = "static/"
STATIC_ROOT = VAR_DIR / "static"
STATICFILES_DIRS = [BASE_DIR / "static"]
# Any other name than a hashed one is requested again: an upgrade may have changed the file.
WHITENOISE_MAX_AGE = 0
WHITENOISE_ALLOW_ALL_ORIGINS = False
MEDIA_ROOT = VAR_DIR / "files"
MEDIA_URL = ""
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "config.static.StaticFiles"},
}
DATA_UPLOAD_MAX_MEMORY_SIZE = 2_500_000
FILE_UPLOAD_MAX_MEMORY_SIZE = 2_500_000
DATA_UPLOAD_MAX_NUMBER_FIELDS = 4000
IMPORT_MAX_BYTES = 10_000_000
IMPORT_MAX_ROWS = 10_000

# Security -------------------------------------------------------------------------------------

HTTPS = read("HTTPS")
SECURE_SSL_REDIRECT = HTTPS
SECURE_REDIRECT_EXEMPT = [r"^health/"]
SESSION_COOKIE_SECURE = HTTPS
CSRF_COOKIE_SECURE = HTTPS
LANGUAGE_COOKIE_SECURE = HTTPS
# Forms bear the token; no script reads either cookie.
CSRF_COOKIE_HTTPONLY = LANGUAGE_COOKIE_HTTPONLY = True
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
CSRF_COOKIE_SAMESITE = "Lax"
CSRF_FAILURE_VIEW = "config.errors.csrf_failure"
SECURE_HSTS_SECONDS = read("HSTS_SECONDS")
SECURE_HSTS_INCLUDE_SUBDOMAINS = SECURE_HSTS_SECONDS > 0
SECURE_HSTS_PRELOAD = SECURE_HSTS_SECONDS >= 31536000
if not SECURE_HSTS_PRELOAD:
    # Browsers' lists take a year or more: on the steps towards it nothing is missing.
    SILENCED_SYSTEM_CHECKS = ["security.W021"]
SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
if read("TRUST_PROXY"):
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
TRUST_PROXY = read("TRUST_PROXY")
CONTENT_SECURITY_POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "font-src 'self'",
        "connect-src 'self'",
        "manifest-src 'self'",
        "worker-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    )
)

# API ------------------------------------------------------------------------------------------

REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "accounts.api.BearerToken",
        "rest_framework.authentication.SessionAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["tournament.access.Declared"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["accounts.api.BoundedJSONParser"],
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "EXCEPTION_HANDLER": "config.errors.problem_json",
    "TEST_REQUEST_DEFAULT_FORMAT": "json",
}
VERSION = "1.0.1"
SPECTACULAR_SETTINGS = {
    "TITLE": "Manille tournaments",
    "DESCRIPTION": "Rules engine, score sheets, draws, standings and rulings of manille events.",
    "VERSION": VERSION,
    "SERVE_INCLUDE_SCHEMA": False,
    "COMPONENT_SPLIT_REQUEST": True,
    "ENUM_NAME_OVERRIDES": {
        "StandingsStateEnum": "tournament.models.StandingsState",
        "RulingStateEnum": "adjudication.models.RulingState",
        "EventProtocolEnum": "tournament.models.tables.Protocol",
        "EventStateEnum": "tournament.models.EventState",
        "RulebookEnum": "scoring.engine.rulebook.RULEBOOKS",
    },
    "POSTPROCESSING_HOOKS": [
        "drf_spectacular.hooks.postprocess_schema_enums",
        "operations.openapi.describe_refusals",
    ],
}

# E-mail and logs --------------------------------------------------------------------------------

EMAIL_BACKEND = "django.core.mail.backends.dummy.EmailBackend"
EMAIL_URL = read("EMAIL_URL")
EMAIL_FROM = read("EMAIL_FROM")
if EMAIL_URL:
    globals().update(environ.Env.email_url_config(EMAIL_URL))
    EMAIL_BACKEND = "tournament.services.mail.Server"
    if not EMAIL_FROM:
        raise WrongSetting("EMAIL_URL is set: set EMAIL_FROM to the address it sends from.")
    if not PUBLIC_URL:
        raise WrongSetting("EMAIL_URL is set: set PUBLIC_URL, which e-mails link to.")
# Tests send to a push server of their own; no variable opens this.
PUSH_PRIVATE = False

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "lines": {
            "()": "structlog.stdlib.ProcessorFormatter",
            "processors": logs.processors(read("LOG_FORMAT")),
            "foreign_pre_chain": logs.shared(),
        }
    },
    "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "lines"}},
    "root": {"handlers": ["stderr"], "level": read("LOG_LEVEL")},
    "loggers": {
        "django.server": {"handlers": ["stderr"], "level": "WARNING", "propagate": False},
        "django.utils.autoreload": {"level": "WARNING"},
    },
}

SITE_NAME = "Manille"
