"""Backups of the database while the service runs, and their way back.

SQLite is copied page by page through its own online backup and checked for integrity; PostgreSQL
is dumped by ``pg_dump`` in its custom format, which is one snapshot. A backup appears under its
final name only when it is whole. Nothing official lives outside the database.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from django.conf import settings
from django.db import connection

PREFIX: Final = "manille-"
_PATIENTLY: Final = ["nice", "-n", "10"] if shutil.which("nice") else []


class BackupFailed(Exception):
    """A backup could not be made or brought back; the text says why."""


def folder() -> Path:
    """Where backups are kept unless told otherwise; readable by the service only."""
    path = Path(settings.BACKUP_DIR)
    path.mkdir(parents=True, exist_ok=True)
    path.chmod(0o700)
    return path


def make(into: Path | None = None) -> Path:
    """Back the database up; returns the file."""
    kind = ".sqlite3" if connection.vendor == "sqlite" else ".dump"
    stamp = datetime.now(UTC).strftime("%Y%m%d-%H%M%S-%f")
    final = into or folder() / f"{PREFIX}{stamp}{kind}"
    if final.exists():
        raise BackupFailed(f"{final} is there already.")
    part = final.with_name(final.name + ".part")
    part.unlink(missing_ok=True)
    try:
        os.close(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
        if connection.vendor == "sqlite":
            _copy_sqlite(Path(str(connection.settings_dict["NAME"])), part, alone=True)
        else:
            _postgres("pg_dump", "--format=custom", "--no-owner", f"--file={part}")
            _postgres("pg_restore", "--list", str(part), database=False)
        with part.open("rb") as written:
            os.fsync(written.fileno())
        part.rename(final)
    except OSError as error:
        raise BackupFailed(str(error)) from error
    finally:
        part.unlink(missing_ok=True)
    return final


def bring_back(backup: Path) -> None:
    """Put the backup in the place of the present database, whole or not at all."""
    if not backup.is_file():
        raise BackupFailed(f"There is no file {backup}.")
    with backup.open("rb") as file:
        head = file.read(16)
    found = "sqlite" if head.startswith(b"SQLite format 3") else "postgresql"
    if found == "postgresql" and not head.startswith(b"PGDMP"):
        raise BackupFailed(f"{backup} is no backup of this service.")
    if found != connection.vendor:
        raise BackupFailed(
            f"{backup} is a backup of {found}; this service runs on {connection.vendor}."
        )
    target = str(connection.settings_dict["NAME"])
    connection.close()
    if found == "sqlite":
        _check_sqlite(backup)
        _copy_sqlite(backup, Path(target))
        return
    _postgres(
        "pg_restore", "--clean", "--if-exists", "--no-owner", "--single-transaction",
        "--exit-on-error", f"--dbname={target}", str(backup),
    )  # fmt: skip


def prove(backup: Path) -> bool:
    """Restore a backup elsewhere and compare every row and standing; false where there is no place.

    A process of its own does it, with less of the processor than who serves. SQLite is restored in a
    folder that goes afterwards, PostgreSQL in the database of BACKUP_PROOF_URL. A backup that does not
    come back whole is put aside under a name that no restore and no alert takes for one.
    """
    if connection.vendor != "sqlite" and not settings.BACKUP_PROOF_URL:
        return False
    if settings.BACKUP_PROOF_URL and os.environ.get("DATABASE_URL") == settings.BACKUP_PROOF_URL:
        raise BackupFailed("BACKUP_PROOF_URL is the database itself: name another one.")
    with tempfile.TemporaryDirectory(prefix="manille-proof-") as place:
        done = subprocess.run(  # noqa: S603
            [*_PATIENTLY, sys.executable, "manage.py", "restore", "--replace", str(backup.resolve())],
            cwd=settings.BASE_DIR, capture_output=True, text=True,
            env=dict(os.environ) | {
                "MANILLE_MODE": "embedded", "MANILLE_VAR": place, "BROKER_URL": "", "CACHE_URL": "",
                "SECRET_KEY": settings.SECRET_KEY, "READ_ONLY_NODE": "0",
                "DATABASE_URL": "" if connection.vendor == "sqlite" else settings.BACKUP_PROOF_URL,
            },
        )  # fmt: skip
    if done.returncode:
        told = f"{done.stdout.strip()} {done.stderr.strip()}"
        aside = backup.with_name(f"refused-{backup.name}")
        backup.rename(aside)
        raise BackupFailed(f"{aside} does not come back whole: {told[-1000:]}")
    return True


def newest() -> float | None:
    """When the newest backup of the usual folder was made (seconds of the epoch); None: none is there."""
    return max((path.stat().st_mtime for path in _there()), default=None)


def _there() -> list[Path]:
    """The whole backups of the usual folder, the oldest first."""
    kinds = (".sqlite3", ".dump")
    return sorted(path for path in folder().glob(f"{PREFIX}*") if path.suffix in kinds)


def prune(keep: int) -> list[Path]:
    """Delete all but the newest ``keep`` backups of the usual folder; those that went."""
    there = _there()
    gone = there[: max(0, len(there) - keep)]
    for path in gone:
        path.unlink()
    return gone


def _check_sqlite(path: Path) -> None:
    try:
        with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as copy:
            answer = copy.execute("PRAGMA integrity_check").fetchone()[0]
    except sqlite3.DatabaseError as error:
        raise BackupFailed(f"{path}: {error}") from error
    if answer != "ok":
        raise BackupFailed(f"{path}: {answer}")


def _copy_sqlite(source: Path, target: Path, *, alone: bool = False) -> None:
    """Copy a live database; readers and writers of both go on. ``alone``: one file, no log beside it."""
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
    found = str(newest[-1]) if newest else shutil.which(program)
    if found is None:
        raise BackupFailed(f"{program} is not installed: install the PostgreSQL client.")
    own = connection.settings_dict
    given = {
        "PGHOST": own["HOST"], "PGPORT": own["PORT"], "PGUSER": own["USER"],
        "PGPASSWORD": own["PASSWORD"], "PGDATABASE": own["NAME"] if database else "",
    }  # fmt: skip
    done = subprocess.run(  # noqa: S603
        [found, *words],
        env=dict(os.environ) | {name: str(value) for name, value in given.items() if value},
        capture_output=True, text=True,
    )  # fmt: skip
    if done.returncode:
        raise BackupFailed(f"{program}: {done.stderr.strip()[-1000:]}")
