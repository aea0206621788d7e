"""Every environment variable the service reads: name, default, meaning.

Settings, the operator's guide and the check that the guide is complete all read this one table.
Nothing else in the project reads the environment.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final
from urllib.parse import SplitResult, urlsplit
from zoneinfo import available_timezones

import environ

from ledger.errors import WrongSetting

BASE_DIR: Final = Path(__file__).resolve().parent.parent
Check = Callable[[str], object]
"""Whether a text can be used as a value, or as one of the list."""


@dataclass(frozen=True, slots=True)
class Variable:
    """One environment variable: how it is read, its default, and what it means to an operator.

    Attributes:
        least: of a number; ``most`` likewise.
        words: all values of a text, where these are few.
        fits: the check of a text, or of each text of a list; an empty one is what is not set.
        wanted: what to set the variable to, after a value that does not fit.
    """

    name: str
    kind: str
    default: object
    meaning: str
    least: int = 0
    most: int = 0
    words: tuple[str, ...] = ()
    fits: Check | None = None
    wanted: str = ""


def _like(pattern: str) -> Check:
    return re.compile(pattern, re.ASCII).fullmatch


def _split(text: str) -> SplitResult | None:
    """Split an address into its parts; ``None`` if it is invalid."""
    try:
        parts = urlsplit(text)
        usable = parts.port != 0 and not re.search(r"\s", text)
    except ValueError:
        return None
    return parts if usable else None


def _address(*schemes: str) -> Check:
    """Return the check for an address of one of the schemes that names a host."""

    def fits(text: str) -> bool:
        parts = _split(text)
        return parts is not None and parts.scheme in schemes and bool(parts.hostname)

    return fits


def _is_database(text: str) -> bool:
    """Whether a text names a database: a file of SQLite, or PostgreSQL's, if need be by its socket."""
    if text.startswith("sqlite://"):
        return True
    parts = _split(text)
    if parts is None or parts.scheme not in ("postgres", "postgresql"):
        return False
    return len(parts.path) > 1


def _is_place(text: str) -> bool:
    """Whether a text is an address and a port to listen on."""
    host, _colon, port = text.rpartition(":")
    return bool(re.fullmatch(r"\[[0-9a-fA-F:.]+\]|[\w.-]+", host, re.ASCII)) and (
        port.isascii() and port.isdigit() and 1 <= int(port) <= 65535
    )


_HOST: Final = r"\*|\.?[\w-]+(?:\.[\w-]+)*|\[[0-9a-fA-F:.]+\]"


VARIABLES: Final = {
    variable.name: variable
    for variable in (
        Variable(
            "MANILLE_MODE",
            "str",
            "embedded",
            "`embedded` (one machine, nothing else to install) or `production` (PostgreSQL and "
            "Redis; refuses to start on an insecure setting).",
            words=("embedded", "production"),
        ),
        Variable(
            "MANILLE_VAR",
            "str",
            str(BASE_DIR / "var"),
            "Folder for everything a running installation writes: the embedded database and "
            "queue, collected static files, uploads, backups.",
            wanted="the path of a folder",
        ),
        Variable(
            "SECRET_KEY",
            "str",
            "",
            "Signing key, at least 50 characters. Embedded: made once and kept in the var folder.",
            fits=_like(r"(?s).{50,}"),
            wanted="50 or more random characters (openssl rand -hex 32)",
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
            fits=_like("[0-9a-fA-F]{64}"),
            wanted="64 hexadecimal digits",
        ),
        Variable("DEBUG", "bool", False, "Developer pages on errors. Never in production."),
        Variable(
            "ALLOWED_HOSTS",
            "list",
            [],
            "Host names the service answers to, comma separated. Embedded: localhost.",
            fits=_like(_HOST),
            wanted="host names without scheme or port, as in manille.example,192.168.1.10",
        ),
        Variable(
            "CSRF_TRUSTED_ORIGINS",
            "list",
            [],
            "Origins (https://host) behind a proxy that may send forms.",
            fits=_like(rf"https?://(?:\*\.)?(?:{_HOST})(?::\d{{1,5}})?"),
            wanted="origins, as in https://manille.example",
        ),
        Variable(
            "PUBLIC_URL",
            "str",
            "",
            "Address printed into QR codes and documents, e.g. https://manille.example. Empty: the address of the request.",
            fits=_address("https", "http"),
            wanted="an address that begins with https:// or http://",
        ),
        Variable(
            "DATABASE_URL",
            "str",
            "",
            "`postgres://user:password@host:5432/name`. Empty: SQLite in the var folder.",
            fits=_is_database,
            wanted="postgres://user:password@host:5432/name",
        ),
        Variable(
            "DATABASE_POOL",
            "int",
            8,
            "PostgreSQL connections that each process opens, at most.",
            least=1,
            most=1000,
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
            fits=_address("redis", "rediss"),
            wanted="redis://host:6379/0",
        ),
        Variable(
            "CACHE_URL",
            "str",
            "",
            "`rediscache://host:6379/1`. Empty: the memory of each process.",
            fits=_address("rediscache", "redis", "rediss"),
            wanted="rediscache://host:6379/1",
        ),
        Variable(
            "HTTPS", "bool", False, "The service is reached by https: secure cookies and redirect."
        ),
        Variable(
            "HSTS_SECONDS",
            "int",
            0,
            "Strict-Transport-Security in seconds; raise in steps once https is proven.",
            most=10**9,
        ),
        Variable(
            "TRUST_PROXY",
            "bool",
            False,
            "A proxy in front sets X-Forwarded-Proto and X-Forwarded-For.",
        ),
        Variable("LOG_FORMAT", "str", "text", "`text` or `json`.", words=("text", "json")),
        Variable(
            "TIME_ZONE",
            "str",
            "Europe/Brussels",
            "Time zone of the times on pages and papers, e.g. `Indian/Reunion`. Its data come with the service (`tzdata`).",
            fits=available_timezones().__contains__,
            wanted="a name such as Europe/Paris",
        ),
        Variable(
            "LOG_LEVEL",
            "str",
            "INFO",
            "Least level that is logged. `make run`: `WARNING` where nothing is said.",
            words=("DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL"),
        ),
        Variable(
            "EMAIL_URL",
            "str",
            "",
            "`smtp+tls://user:password@host:587`. Needs `EMAIL_FROM` and `PUBLIC_URL`. Empty: no e-mail is sent, "
            "and no page asks for an address.",
            fits=_address("smtp", "smtps", "smtp+tls", "smtp+ssl"),
            wanted="smtp+tls://user:password@host:587",
        ),
        Variable(
            "EMAIL_FROM",
            "str",
            "",
            "The address from which e-mail to players comes.",
            fits=_like(r"[^\r\n]+@[^\r\n]+"),
            wanted="the address it sends from",
        ),
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
            "Days after a finished event until the workers erase the personal data of who played in no later one. "
            "0: only by hand.",
            most=36_500,
        ),
        Variable(
            "BACKUP_HOURS",
            "int",
            24,
            "A worker makes and proves a backup when the newest is so many hours old. 0: none, something "
            "else does (the `backup` service of `docker/compose.yaml`).",
            most=8_760,
        ),
        Variable(
            "BACKUP_KEEP",
            "int",
            14,
            "How many of the workers' backups are kept. 0: all.",
            most=100_000,
        ),
        Variable(
            "BACKUP_DIR",
            "str",
            "",
            "Folder for backups. Empty: `backups` in the var folder.",
        ),
        Variable(
            "BACKUP_PROOF_URL",
            "str",
            "",
            "PostgreSQL: a second, otherwise unused database in which each backup is restored and its "
            "standings compared; it is overwritten. Empty: the dump's own list is read, no more. SQLite needs none.",
            fits=_is_database,
            wanted="postgres://user:password@host:5432/name",
        ),
        Variable(
            "JOB_LEASE_SECONDS",
            "int",
            20,
            "A job whose worker gave no sign of life for so long is taken up again.",
            least=1,
            most=3_600,
        ),
        Variable(
            "WEB_PROCESSES",
            "int",
            1,
            "Web processes of one machine; with compose of each container, there 2 where nothing is said.",
            least=1,
            most=256,
        ),
        Variable(
            "WORKER_PROCESSES",
            "int",
            1,
            "With compose the processes of each worker container, 2 where nothing is said.",
            least=1,
            most=256,
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
            fits=_is_place,
            wanted="an address and port, as in 127.0.0.1:9464",
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
    """Return the value of a declared variable; an undeclared name is a programming error (KeyError)."""
    variable = VARIABLES[name]
    reader = {"str": _env.str, "bool": _env.bool, "int": _env.int, "list": _env.list}[variable.kind]
    given = os.environ.get(name, "").lower()
    if variable.kind == "bool" and given not in (*_env.BOOLEAN_TRUE_STRINGS, *_NO):
        raise WrongSetting(f"{name} is {given!r}: set {name} to true or false.")
    try:
        value = reader(name, default=variable.default)
    except ValueError as error:
        raise WrongSetting(_of_number(variable, "no number")) from error
    if variable.most and not variable.least <= value <= variable.most:
        raise WrongSetting(_of_number(variable, str(value)))
    if variable.words and value not in variable.words:
        raise WrongSetting(
            f"{name} is {value!r}: set {name} to one of {', '.join(variable.words)}."
        )
    if variable.kind == "list":
        value = [text.strip() for text in value]
    texts = value if variable.kind == "list" else [value]
    fits = variable.fits
    # The value itself is not repeated: many hold a password.
    if (fits and not all(fits(text) for text in texts if text)) or (
        variable.kind == "str" and variable.default and not value
    ):
        raise WrongSetting(f"{name} cannot be used as it is: set {name} to {variable.wanted}.")
    return value


def _of_number(variable: Variable, what: str) -> str:
    between = f"a whole number from {variable.least} to {variable.most}"
    return f"{variable.name} is {what}: set {variable.name} to {between}."


def check_all() -> None:
    """Refuse the first variable that cannot be used, read here or not."""
    for name in VARIABLES:
        read(name)
