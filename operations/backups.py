"""Backups of the database while the service runs, and their way back.

SQLite is copied page by page through its own online backup and checked for integrity; PostgreSQL
is dumped by ``pg_dump`` in its custom format, which is one snapshot. A backup appears under its
final name only when it is whole. Nothing official lives outside the database.

The default folder is pruned: backups beyond the newest few, all refused backups but the newest, and
partial files of killed processes are deleted. The newest proved backup always stays.
"""

from __future__ import annotations

import itertools
import json
import os
import re
import secrets
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time
from contextlib import closing, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

import environ
from django.conf import settings
from django.db import connection, transaction
from django.db.migrations.loader import MigrationLoader
from django.utils import timezone

from ledger.actors import Actor
from ledger.anchors import SHORT, as_json
from ledger.models import ORGANISATION, Sealed

PREFIX: Final = "manille-"
REFUSED: Final = "refused-"
REPLACED: Final = "replaced-"
"""Beginning of the name of a backup that a restore made of the database that it replaced."""
HALF_WRITTEN: Final = 3600.0
"""Seconds after which a file that nobody has written to is what a killed process left."""
_PATIENTLY: Final = ["nice", "-n", "10"] if shutil.which("nice") else []
_EMPTY: Final = """
DO $$
DECLARE each text;
BEGIN
    FOR each IN
        SELECT format('DROP %s IF EXISTS %I.%I CASCADE', CASE c.relkind
            WHEN 'v' THEN 'VIEW' WHEN 'm' THEN 'MATERIALIZED VIEW' WHEN 'S' THEN 'SEQUENCE'
            ELSE 'TABLE' END, n.nspname, c.relname)
        FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
        WHERE n.nspname = ANY (current_schemas(false)) AND c.relkind IN ('r', 'p', 'v', 'm', 'S')
            -- What belongs to a table or an extension goes, or stays, with it.
            AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.classid = 'pg_class'::regclass
                AND d.objid = c.oid AND d.deptype IN ('a', 'e', 'i'))
        UNION ALL
        SELECT format('DROP FUNCTION IF EXISTS %I.%I(%s) CASCADE', n.nspname, p.proname,
            pg_get_function_identity_arguments(p.oid))
        FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace
        WHERE n.nspname = ANY (current_schemas(false)) AND p.prokind = 'f'
            AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.classid = 'pg_proc'::regclass
                AND d.objid = p.oid AND d.deptype = 'e')
    LOOP
        EXECUTE each;
    END LOOP;
END $$
"""
"""Everything in the database's schemas goes: also what a later release than the backup's has made."""


class BackupFailed(Exception):
    """A backup or restore failed; the message gives the cause."""


def folder() -> Path:
    """Return the default folder of backups. A process that only reads backups may lack write access."""
    return Path(settings.BACKUP_DIR)


def _writable_folder() -> Path:
    """Return the default folder, created if missing, readable by the service only."""
    path = folder()
    try:
        path.mkdir(parents=True, exist_ok=True)
        path.chmod(0o700)
    except OSError as error:
        raise BackupFailed(str(error)) from error
    return path


def make(into: Path | None = None) -> Path:
    """Back the database up and return the file.

    The usual name says when it was made, how many entries all journals had just before and the first
    digits of the digest of their anchors, which stand in a file beside it
    (:func:`anchors_beside`). So a copy of the names alone holds a backup, and the service, to them.
    """
    heads = None
    if into is None:
        heads = as_json()
        entries = sum(int(each.split(".", 1)[0]) for each in heads["anchors"].values())
        usual = f"{PREFIX}{_stamp()}-e{entries}-{heads['all'][:SHORT]}{_kind()}"
        final = _writable_folder() / usual
        _remove_half_written()
    else:
        final = into
    if final.exists():
        raise BackupFailed(f"{final} is there already.")
    part = final.with_name(final.name + ".part")
    try:
        part.unlink(missing_ok=True)
        os.close(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
        if connection.vendor == "sqlite":
            _copy_sqlite(Path(str(connection.settings_dict["NAME"])), part, alone=True)
        else:
            _postgres("pg_dump", "--format=custom", "--no-owner", f"--file={part}")
            _postgres("pg_restore", "--list", str(part), database=False)
        with part.open("rb") as written:
            os.fsync(written.fileno())
        if heads is not None:
            anchors_beside(final).write_text(json.dumps(heads, indent=1) + "\n")
        part.rename(final)
    except OSError as error:
        raise BackupFailed(str(error)) from error
    finally:
        with suppress(OSError):
            part.unlink()
    return final


def _kind() -> str:
    return ".sqlite3" if connection.vendor == "sqlite" else ".dump"


def _stamp() -> str:
    return datetime.now(UTC).strftime("%Y%m%d-%H%M%S-%f")


def anchors_beside(backup: Path) -> Path:
    """Return the path of a backup's anchors, which the restored database must pass through."""
    return backup.with_name(f"anchors-{backup.stem}.json")


def proof_beside(backup: Path) -> Path:
    """Return the path of the empty marker file of a backup that passed a trial restore."""
    return backup.with_name(f"proved-{backup.stem}")


def before_first_release(applied: set[tuple[str, str]]) -> bool:
    """Whether a release before 1.0 wrote a database, by its migrations (application, name).

    It has only a part of what a migration of today replaces.
    """
    replacements = MigrationLoader(None, replace_migrations=False).replacements.values()
    return any(
        0 < len(applied.intersection(each.replaces)) < len(each.replaces) for each in replacements
    )


def _require_release(backup: Path, applied: set[tuple[str, str]]) -> None:
    if before_first_release(applied):
        raise BackupFailed(
            f"A release before 1.0 wrote {backup}: restore it with that release, upgrade to release "
            "1.0.1, and restore a backup made there. Nothing was changed."
        )


def _migrations_of_sqlite(backup: Path) -> set[tuple[str, str]]:
    with closing(sqlite3.connect(f"file:{backup}?mode=ro", uri=True)) as copy:
        return set(copy.execute("SELECT app, name FROM django_migrations"))


def _migrations_of_script(script: Path) -> set[tuple[str, str]]:
    """Read them from what ``pg_restore`` has written out."""
    with script.open(encoding="utf-8") as lines:
        for line in lines:
            if re.match(r"COPY \S*django_migrations \(id, app, name,", line):
                rows = itertools.takewhile(lambda row: not row.startswith("\\."), lines)
                return {(app, name) for _id, app, name, *_ in (row.split("\t") for row in rows)}
    return set()


def bring_back(backup: Path, *, keep: bool = False) -> Path | None:
    """Put the backup in the place of the present database, whole or not at all.

    ``keep``: first back the present database up, and return that file, by which this can be undone.
    """
    if not backup.is_file():
        raise BackupFailed(f"There is no file {backup}.")
    with backup.open("rb") as file:
        head = file.read(16)
    kind = "sqlite" if head.startswith(b"SQLite format 3") else "postgresql"
    if kind == "postgresql" and not head.startswith(b"PGDMP"):
        raise BackupFailed(f"{backup} is no backup of this service.")
    if kind != connection.vendor:
        raise BackupFailed(
            f"{backup} is a backup of {kind}; this service runs on {connection.vendor}."
        )
    target = str(connection.settings_dict["NAME"])
    connection.close()
    if kind == "sqlite":
        _check_sqlite(backup)
        _require_release(backup, _migrations_of_sqlite(backup))
        replaced = _keep_replaced() if keep else None
        _copy_sqlite(backup, Path(target))
        return replaced
    with tempfile.TemporaryDirectory(prefix="manille-restore-") as place:
        # Written out whole before anything is emptied: half a backup ends here.
        script = Path(place, "backup.sql")
        _postgres("pg_restore", "--no-owner", f"--file={script}", str(backup), database=False)
        _require_release(backup, _migrations_of_script(script))
        replaced = _keep_replaced() if keep else None
        _postgres(
            "psql",
            "--no-psqlrc",
            "--quiet",
            "--set=ON_ERROR_STOP=1",
            "--single-transaction",
            f"--command={_EMPTY}",
            f"--file={script}",
        )
    return replaced


def _keep_replaced() -> Path:
    """Back up the database that is about to be replaced; :func:`prune` deletes the file after a week."""
    try:
        return make(_writable_folder() / f"{REPLACED}{_stamp()}{_kind()}")
    except BackupFailed as failure:
        raise BackupFailed(
            f"The present database cannot be backed up: {failure} Nothing was changed; "
            "--keep-no-copy replaces it all the same."
        ) from failure


def note_replaced(file: Path) -> None:
    """Count the age of the backup of a replaced database in the database that has its place."""
    Sealed.objects.create(
        scope=ORGANISATION,
        verb="database.replaced",
        subject="database",
        label=file.name,
        made_by=str(Actor.system("restore")),
        made_at=timezone.now(),
    )


def prove(backup: Path) -> bool:
    """Restore a backup elsewhere and compare every row and standing; false where there is no place.

    A process of its own does it, with less of the processor than who serves. SQLite is restored in a
    folder that goes afterwards, PostgreSQL in the database of BACKUP_PROOF_URL. A backup that does not
    come back whole is put aside under a name that no alert takes for one, in the place of the one refused
    before; where it cannot be tried, it stays.
    """
    if connection.vendor != "sqlite":
        if not settings.BACKUP_PROOF_URL:
            return False
        _check_place(settings.BACKUP_PROOF_URL)
    with tempfile.TemporaryDirectory(prefix="manille-proof-") as place:
        done = subprocess.run(  # noqa: S603
            [
                *_PATIENTLY,
                sys.executable,
                "manage.py",
                "restore",
                "--replace",
                "--keep-no-copy",
                str(backup.resolve()),
            ],
            cwd=settings.BASE_DIR,
            capture_output=True,
            text=True,
            env=dict(os.environ)
            | {
                "MANILLE_MODE": "embedded",
                "MANILLE_VAR": place,
                "BROKER_URL": "",
                "CACHE_URL": "",
                "SECRET_KEY": settings.SECRET_KEY,
                "READ_ONLY_NODE": "0",
                "DATABASE_URL": "" if connection.vendor == "sqlite" else settings.BACKUP_PROOF_URL,
            },
        )
    if done.returncode:
        output = f"{done.stdout.strip()} {done.stderr.strip()}"
        aside = backup.with_name(f"{REFUSED}{backup.name}")
        anchors = anchors_beside(backup)
        backup.rename(aside)
        if anchors.exists():
            anchors.rename(anchors_beside(aside))
        _prune_refused()
        raise BackupFailed(f"{aside} does not come back whole: {output[-1000:]}")
    proof_beside(backup).touch(mode=0o600)
    return True


def _check_place(url: str) -> None:
    """Refuse a place of proof that cannot be reached, or that is this database by another name."""
    import psycopg

    named: dict[str, Any] = environ.Env.db_url_config(url)
    mark = secrets.randbelow(2**31)
    try:
        with (
            psycopg.connect(
                host=named["HOST"] or None,
                port=named["PORT"] or None,
                user=named["USER"] or None,
                password=named["PASSWORD"] or None,
                dbname=named["NAME"],
                connect_timeout=10,
                **named.get("OPTIONS", {}),
            ) as there,
            transaction.atomic(),
            connection.cursor() as here,
        ):
            here.execute("SELECT pg_advisory_xact_lock(%s, %s)", (0, mark))
            row = there.execute(
                "SELECT count(*) FROM pg_locks JOIN pg_database ON pg_database.oid = database"
                " WHERE datname = current_database() AND locktype = 'advisory'"
                " AND classid = 0 AND objid = %s AND objsubid = 2",
                (mark,),
            ).fetchone()
    except psycopg.Error as error:
        raise BackupFailed(
            f"The backup is made, but not proved: BACKUP_PROOF_URL cannot be used: {error}"
        ) from error
    if row != (0,):
        raise BackupFailed("BACKUP_PROOF_URL is the database itself: name another one.")


def free_bytes() -> int:
    """Return the free bytes on the disk of the backups, also before their folder exists."""
    place = folder().absolute()
    while not place.exists():
        place = place.parent
    return shutil.disk_usage(place).free


def newest() -> float | None:
    """Return the time of the newest backup in the default folder (Unix seconds); ``None`` without one."""
    return max((path.stat().st_mtime for path in _there()), default=None)


def _there(prefix: str = PREFIX) -> list[Path]:
    """Return the complete backups in the default folder, the oldest first."""
    kinds = (".sqlite3", ".dump")
    return sorted(path for path in folder().glob(f"{prefix}*") if path.suffix in kinds)


def prune(keep: int) -> list[Path]:
    """Delete what the usual folder need not keep; returns the backups that went.

    The newest ``keep`` backups stay, the newest proved one however old it is, and the newest refused one;
    backups of replaced databases stay for a week, by the count of :mod:`ledger.sealed`.
    """
    there = _there()
    proved = [path for path in there if proof_beside(path).exists()]
    stays = {*there[max(0, len(there) - keep) :], *proved[-1:]}
    gone = [path for path in there if path not in stays]
    for path in gone:
        _remove(path)
    _remove_half_written()
    return gone + _prune_refused() + _prune_replaced()


def _prune_refused() -> list[Path]:
    gone = _there(f"{REFUSED}{PREFIX}")[:-1]
    for path in gone:
        _remove(path)
    return gone


def _prune_replaced() -> list[Path]:
    there = _there(REPLACED)
    if not there:
        return []
    noted = set(Sealed.objects.filter(verb="database.replaced").values_list("label", flat=True))
    gone = [path for path in there if path.name not in noted]
    for path in gone:
        _remove(path)
    return gone


def _remove(backup: Path) -> None:
    for path in (backup, anchors_beside(backup), proof_beside(backup)):
        path.unlink(missing_ok=True)


def _remove_half_written() -> None:
    """Delete the leftovers of killed backup processes: partial files and their SQLite journals."""
    for path in folder().glob(f"{PREFIX}*.part*"):
        with suppress(FileNotFoundError):
            if abs(time.time() - path.stat().st_mtime) > HALF_WRITTEN:
                path.unlink()


def _check_sqlite(path: Path) -> None:
    try:
        with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as copy:
            answer = copy.execute("PRAGMA integrity_check").fetchone()[0]
    except sqlite3.DatabaseError as error:
        raise BackupFailed(f"{path}: {error}") from error
    if answer != "ok":
        raise BackupFailed(f"{path}: {answer}")


def _copy_sqlite(source: Path, target: Path, *, alone: bool = False) -> None:
    """Copy a live database without blocking its readers and writers. ``alone``: without a WAL file."""
    try:
        with (
            closing(sqlite3.connect(source, timeout=30)) as of,
            closing(sqlite3.connect(target, timeout=30)) as to,
        ):
            of.backup(to)
            if alone:
                to.execute("PRAGMA journal_mode=DELETE")
    except sqlite3.Error as error:
        raise BackupFailed(f"{target}: {error}") from error
    _check_sqlite(target)


def _postgres(program: str, *words: str, database: bool = True) -> None:
    """Run a program of PostgreSQL's client; the password goes by the environment, never in words."""
    newest = sorted(
        Path("/usr/lib/postgresql").glob(f"*/bin/{program}"),
        key=lambda path: int(path.parts[4]) if path.parts[4].isdigit() else 0,
    )
    newest_program = str(newest[-1]) if newest else shutil.which(program)
    if newest_program is None:
        raise BackupFailed(f"{program} is not installed: install the PostgreSQL client.")
    own = connection.settings_dict
    given = {
        "PGHOST": own["HOST"],
        "PGPORT": own["PORT"],
        "PGUSER": own["USER"],
        "PGPASSWORD": own["PASSWORD"],
        "PGDATABASE": own["NAME"] if database else "",
    }
    done = subprocess.run(  # noqa: S603
        [newest_program, *words],
        env=dict(os.environ) | {name: str(value) for name, value in given.items() if value},
        capture_output=True,
        text=True,
    )
    if done.returncode:
        raise BackupFailed(f"{program}: {done.stderr.strip()[-1000:]}")
