"""Every environment variable the service reads: name, default, meaning.

Settings, the operator's guide and the check that the guide is complete all read this one table.
Nothing else in the project reads the environment.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import environ
from django.core.exceptions import ImproperlyConfigured

BASE_DIR: Final = Path(__file__).resolve().parent.parent


@dataclass(frozen=True, slots=True)
class Variable:
    """One environment variable: how it is read, its default, and what it means to an operator."""

    name: str
    kind: str
    default: Any
    meaning: str


VARIABLES: Final = {
    variable.name: variable
    for variable in (
        Variable(
            "MANILLE_MODE",
            "str",
            "embedded",
            "`embedded` (one machine, nothing else to install) or `production` (PostgreSQL and "
            "Redis; refuses to start on an insecure setting).",
        ),
        Variable(
            "MANILLE_VAR",
            "str",
            str(BASE_DIR / "var"),
            "Folder for everything a running installation writes: the embedded database and "
            "queue, collected static files, uploads, backups.",
        ),
        Variable(
            "SECRET_KEY",
            "str",
            "",
            "Signing key, at least 50 characters. Embedded: made once and kept in the var folder.",
        ),
        Variable(
            "SETUP_CODE",
            "str",
            "",
            "Code that the page of the first account asks for; of no use once there is an account. "
            "Empty: one that follows from `SECRET_KEY`, shown at the start and by `manage.py setup_code`.",
        ),
        Variable(
            "SIGNING_KEY",
            "str",
            "",
            "Ed25519 key with which the installation signs heads of journals and archives: 64 hexadecimal digits "
            "(`openssl rand -hex 32`). Empty: one that follows from `SECRET_KEY`.",
        ),
        Variable("DEBUG", "bool", False, "Developer pages on errors. Never in production."),
        Variable(
            "ALLOWED_HOSTS",
            "list",
            [],
            "Host names the service answers to, comma separated. Embedded: localhost.",
        ),
        Variable(
            "CSRF_TRUSTED_ORIGINS",
            "list",
            [],
            "Origins (https://host) behind a proxy that may send forms.",
        ),
        Variable(
            "PUBLIC_URL",
            "str",
            "",
            "Address printed into QR codes and documents, e.g. https://manille.example. Empty: the address of the request.",
        ),
        Variable(
            "DATABASE_URL",
            "str",
            "",
            "`postgres://user:password@host:5432/name`. Empty: SQLite in the var folder.",
        ),
        Variable(
            "DATABASE_POOL", "int", 8, "PostgreSQL connections that each process opens, at most."
        ),
        Variable(
            "READ_ONLY_NODE",
            "bool",
            False,
            "This web process only shows public pages (`/e/`), from a database that may be a "
            "read-only replica (`DATABASE_URL`); it writes nothing.",
        ),
        Variable(
            "BROKER_URL",
            "str",
            "",
            "Celery's queue, `redis://host:6379/0`. Empty: folders in the var folder.",
        ),
        Variable(
            "CACHE_URL", "str", "", "`rediscache://host:6379/1`. Empty: the memory of each process."
        ),
        Variable(
            "HTTPS", "bool", False, "The service is reached by https: secure cookies and redirect."
        ),
        Variable(
            "HSTS_SECONDS",
            "int",
            0,
            "Strict-Transport-Security in seconds; raise in steps once https is proven.",
        ),
        Variable(
            "TRUST_PROXY",
            "bool",
            False,
            "A proxy in front sets X-Forwarded-Proto and X-Forwarded-For.",
        ),
        Variable("LOG_FORMAT", "str", "text", "`text` or `json`."),
        Variable(
            "LOG_LEVEL",
            "str",
            "INFO",
            "Least level that is logged. `make run`: `WARNING` where nothing is said.",
        ),
        Variable(
            "EMAIL_URL",
            "str",
            "",
            "`smtp+tls://user:password@host:587`. Needs `EMAIL_FROM` and `PUBLIC_URL`. Empty: no e-mail is sent, "
            "and no page asks for an address.",
        ),
        Variable("EMAIL_FROM", "str", "", "The address from which e-mail to players comes."),
        Variable(
            "SECOND_STEP_ROLES",
            "list",
            [],
            "Roles that must sign in with a code besides the password, e.g. `admin,director`; a word that is no "
            "role is refused at the start. Empty: everybody may, nobody must.",
        ),
        Variable(
            "RETENTION_DAYS",
            "int",
            730,
            "Days after an event until the workers erase the personal data of who played in no later one. "
            "0: only by hand.",
        ),
        Variable(
            "BACKUP_HOURS",
            "int",
            24,
            "A worker makes and proves a backup when the newest is so many hours old. 0: none, something "
            "else does (the `backup` service of `docker/compose.yaml`).",
        ),
        Variable("BACKUP_KEEP", "int", 14, "How many of the workers' backups are kept."),
        Variable(
            "BACKUP_DIR", "str", "", "Folder for backups. Empty: `backups` in the var folder."
        ),
        Variable(
            "BACKUP_PROOF_URL",
            "str",
            "",
            "PostgreSQL: a second, otherwise unused database in which each backup is restored and its "
            "standings compared; it is overwritten. Empty: the dump's own list is read, no more. SQLite needs none.",
        ),
        Variable(
            "JOB_LEASE_SECONDS",
            "int",
            20,
            "A job whose worker gave no sign of life for so long is taken up again.",
        ),
        Variable(
            "METRICS_TOKEN",
            "str",
            "",
            "Bearer token for `/metrics/`. Empty: only the organisation's administrator reads it.",
        ),
        Variable(
            "METRICS_LISTEN",
            "str",
            "",
            "Address and port of their own on which web processes give Prometheus the figures, without token, host "
            "name or https, e.g. `127.0.0.1:9464`: for an internal network only. Empty: none.",
        ),
        Variable(
            "PROMETHEUS_MULTIPROC_DIR",
            "str",
            "",
            "Folder in which the web processes of one machine or container count together, in memory: on a disk that is "
            "full they could not go on. `make run` (`/dev/shm`, where there is one) and the image set it and empty it "
            "at the start.",
        ),
    )
}

_env = environ.Env()
_NO: Final = ("", "false", "off", "no", "n", "0")


def read(name: str) -> Any:
    """The value of a declared variable; an undeclared name is a programming error (KeyError)."""
    variable = VARIABLES[name]
    reader = {"str": _env.str, "bool": _env.bool, "int": _env.int, "list": _env.list}[variable.kind]
    given = os.environ.get(name, "").lower()
    if variable.kind == "bool" and given not in (*_env.BOOLEAN_TRUE_STRINGS, *_NO):
        raise ImproperlyConfigured(f"{name} is {given!r}: set {name} to true or false.")
    try:
        return reader(name, default=variable.default)
    except ValueError as error:
        raise ImproperlyConfigured(f"{name} is no number: set {name} to a whole one.") from error
