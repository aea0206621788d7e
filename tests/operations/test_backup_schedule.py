"""Backups made by the workers: when they are due, made once, proved, and reported when they fail."""

from __future__ import annotations

import io
import json
import os
import re
import shutil
import socket
import sqlite3
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
import structlog
from django.core.cache import cache
from django.core.management import CommandError, call_command
from django.db import connection

from ledger import sealed
from ledger.anchors import as_json
from operations import backup_schedule, backups
from tests import forks
from tests.moment import later
from tests.tournament.build import make_event

pytestmark = pytest.mark.django_db
NOW = 1_800_000_000.0
HOUR = 3600


@pytest.fixture(autouse=True)
def _own_folder(settings: Any, tmp_path: Path) -> Iterator[None]:
    settings.BACKUP_DIR = str(tmp_path / "backups")
    (tmp_path / "backups").mkdir()
    settings.BACKUP_HOURS, settings.BACKUP_KEEP = 24, 3
    cache.clear()
    yield
    for process in backup_schedule._running:
        process.wait(60)
    backup_schedule._running.clear()


def lay(age: float, name: str = "manille-1.sqlite3") -> None:
    path = backups.folder() / name
    path.touch()
    os.utime(path, (NOW - age, NOW - age))


def test_none_is_due_without_an_event() -> None:
    assert not backup_schedule.due(NOW)
    make_event(4)
    assert backup_schedule.due(NOW)


@pytest.fixture
def live(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[sqlite3.Connection]:
    """Yield a writer on the service's SQLite database, whose last row is still in the write-ahead log."""
    make_event(4)
    name = tmp_path / "live.sqlite3"
    monkeypatch.setitem(connection.settings_dict, "NAME", str(name))
    monkeypatch.setattr(connection, "vendor", "sqlite")
    with closing(sqlite3.connect(name)) as database:
        database.execute("PRAGMA journal_mode=WAL")
        database.execute("CREATE TABLE kept (n int)")
        database.execute("INSERT INTO kept VALUES (7)")
        database.commit()
        yield database


@pytest.mark.parametrize("usual", [True, False])
def test_a_backup_is_one_file_of_the_services_own(
    live: sqlite3.Connection, tmp_path: Path, usual: bool
) -> None:
    heads = as_json()
    made = backups.make(None if usual else tmp_path / "mine.backup")
    assert made.stat().st_mode & 0o777 == 0o600
    with closing(sqlite3.connect(made)) as copy:
        assert copy.execute("SELECT n FROM kept").fetchall() == [(7,)]
    there = {path.name for path in backups.folder().iterdir()}
    if not usual:
        # A backup to a named path gets no anchors file.
        assert (made, there) == (tmp_path / "mine.backup", set())
        return
    assert backups.folder().stat().st_mode & 0o777 == 0o700
    entries = sum(int(each.split(".")[0]) for each in heads["anchors"].values())
    assert re.fullmatch(
        rf"manille-\d{{8}}-\d{{6}}-\d{{6}}-e{entries}-{heads['all'][:16]}\.sqlite3", made.name
    )
    assert there == {made.name, backups.anchors_beside(made).name}
    beside = json.loads(backups.anchors_beside(made).read_text())
    assert (beside["anchors"], beside["all"]) == (heads["anchors"], heads["all"])
    assert backups.newest() == made.stat().st_mtime


def test_a_backup_that_cannot_be_made_says_why_and_leaves_nothing(
    live: sqlite3.Connection, settings: Any, tmp_path: Path
) -> None:
    for place, why in (
        (tmp_path / "nowhere" / "one.backup", "No such file or directory"),
        (tmp_path / "live.sqlite3", "is there already"),
        (tmp_path / "live.sqlite3" / "one.backup", "Not a directory"),
    ):
        with pytest.raises(backups.BackupFailed, match=why):
            backups.make(place)
    settings.BACKUP_DIR = str(tmp_path / "live.sqlite3" / "backups")
    with pytest.raises(CommandError, match="Not a directory"):
        call_command("backup")
    assert live.execute("SELECT n FROM kept").fetchall() == [(7,)]
    assert not list(tmp_path.rglob("*.part"))


@pytest.mark.parametrize("fails", ["", "pg_dump", "pg_restore"])
def test_programs_of_postgresql_make_a_backup_and_say_why_they_cannot(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, fails: str
) -> None:
    for program in ("pg_dump", "pg_restore"):
        script = tmp_path / program
        script.write_text(
            f"#!/bin/sh\necho {program} $1 $PGHOST $PGUSER $PGPASSWORD $PGDATABASE >> {tmp_path}/asked\n"
            + ("echo 'no room: §' >&2\nexit 1\n" if program == fails else "")
        )
        script.chmod(0o700)
    run = subprocess.run

    def run_ours(words: list[str], **more: Any) -> subprocess.CompletedProcess[str]:
        return run([str(tmp_path / Path(words[0]).name), *words[1:]], **more)

    monkeypatch.setattr(subprocess, "run", run_ours)
    monkeypatch.setattr(shutil, "which", lambda program: program)
    monkeypatch.setattr(connection, "vendor", "postgresql")
    place = {"HOST": "there", "USER": "anna", "PASSWORD": "safe", "NAME": "manille"}
    for name, value in place.items():
        monkeypatch.setitem(connection.settings_dict, name, value)
        monkeypatch.delenv(f"PG{name}", raising=False)
    monkeypatch.delenv("PGDATABASE", raising=False)
    if fails:
        with pytest.raises(backups.BackupFailed, match=rf"^{fails}: no room: §$"):
            backups.make()
        assert not list(backups.folder().iterdir())
    else:
        assert backups.make().suffix == ".dump"
    # The password appears in no process list, and the dump is read once without a database.
    asked = (tmp_path / "asked").read_text().splitlines()
    assert (
        asked
        == [
            "pg_dump --format=custom there anna safe manille",
            "pg_restore --list there anna safe",
        ][: 1 if fails == "pg_dump" else 2]
    )


@pytest.mark.guide("operator#automatic-backups")
def test_the_oldest_backups_go_and_the_newest_stay() -> None:
    for day in (3, 1, 4, 2):
        lay(0, f"manille-2026110{day}T000000.sqlite3")
        backups.anchors_beside(backups.folder() / f"manille-2026110{day}T000000.sqlite3").touch()
    # With more room than backups, all stay.
    assert backups.prune(5) == []
    assert [path.name[:16] for path in backups.prune(3)] == ["manille-20261101"]
    assert [path.name[:16] for path in backups.prune(1)] == [
        "manille-20261102",
        "manille-20261103",
    ]
    # Each remaining backup has its anchors, and no other anchors are left.
    assert len(list(backups.folder().iterdir())) == 2
    (stays,) = backups.folder().glob("manille-2026*")
    assert stays.name.startswith("manille-20261104")
    assert backups.anchors_beside(stays).exists()


def test_a_backup_without_anchors_beside_it_goes_like_any_other() -> None:
    """From a release that wrote none, or copied back without them."""
    for number in range(3):
        lay(0, f"manille-{number}.sqlite3")
    backups.anchors_beside(backups.folder() / "manille-1.sqlite3").touch()
    assert [path.name for path in backups.prune(1)] == ["manille-0.sqlite3", "manille-1.sqlite3"]
    assert [path.name for path in backups.folder().iterdir()] == ["manille-2.sqlite3"]
    # ``prune(0)`` removes all backups.
    assert [path.name for path in backups.prune(0)] == ["manille-2.sqlite3"]
    assert backups.prune(0) == []


@pytest.mark.guide("operator#automatic-backups")
@pytest.mark.parametrize(
    ("age", "is_due"), [(23.9 * HOUR, False), (24 * HOUR, True), (0, False), (-HOUR, True)]
)
def test_due_when_the_newest_is_too_old_or_of_a_clock_that_was_wrong(
    age: float, is_due: bool
) -> None:
    make_event(4)
    lay(age)
    lay(90 * HOUR, "manille-0.sqlite3")
    assert backup_schedule.due(NOW) is is_due


@pytest.mark.guide("operator#a-copy-elsewhere")
def test_half_a_backup_and_a_refused_one_count_for_nothing() -> None:
    make_event(4)
    lay(0, "manille-1.sqlite3.part")
    lay(0, "refused-manille-1.sqlite3")
    assert backup_schedule.due(NOW)


@pytest.mark.guide("operator#automatic-backups")
def test_it_can_be_switched_off(settings: Any) -> None:
    make_event(4)
    settings.BACKUP_HOURS = 0
    assert not backup_schedule.due(NOW)
    assert not backup_schedule.look_after_backups()


class Child:
    """A process that ends when it is terminated."""

    def __init__(self, words: list[str], errors: str | None = None, **_more: Any) -> None:
        self.words = words
        self.stderr = None if errors is None else io.StringIO(errors)
        self.returncode: int | None = None

    def poll(self) -> int | None:
        return self.returncode

    def wait(self, _seconds: float) -> None:
        return


def test_one_is_made_however_many_look(monkeypatch: pytest.MonkeyPatch) -> None:
    make_event(4)
    made: list[Child] = []

    def started(words: list[str], **_more: Any) -> Child:
        made.append(Child(words))
        return made[-1]

    monkeypatch.setattr(
        subprocess,
        "Popen",
        started,
    )
    assert [backup_schedule.look_after_backups() for _look in range(3)] == [True, False, False]
    assert made[0].words[-4:] == ["backup", "--prove", "--keep", "3"]
    # After a failure the backup is retried when the turn has expired, not at every check.
    made[0].returncode = 1
    assert not backup_schedule.look_after_backups()
    cache.delete("backup-turn")
    assert backup_schedule.look_after_backups()
    assert len(made) == 2


@pytest.mark.parametrize(
    ("returned", "errors", "line"),
    [
        (0, "", {"event": "backup_made", "log_level": "info"}),
        # A warning of a successful backup is not a fault.
        (0, "a warning", {"event": "backup_made", "log_level": "info"}),
        (1, "no room", {"event": "backup_failed", "log_level": "error", "told": "no room"}),
        (-9, None, {"event": "backup_failed", "log_level": "error", "told": ""}),
        (2, "x" * 999 + "yz", {"event": "backup_failed", "log_level": "error"}),
    ],
)
def test_how_a_backup_ended_is_said_once(
    monkeypatch: pytest.MonkeyPatch, returned: int, errors: str | None, line: dict[str, str]
) -> None:
    make_event(4)
    child = Child([], errors)
    monkeypatch.setattr(subprocess, "Popen", lambda _words, **_more: child)
    with structlog.testing.capture_logs() as lines:
        # A running backup logs nothing.
        assert [backup_schedule.look_after_backups() for _look in range(2)] == [True, False]
        assert lines == []
        child.returncode = returned
        assert [backup_schedule.look_after_backups() for _look in range(2)] == [False, False]
    (told,) = lines
    assert line.items() <= told.items()
    # The last characters of its error output are logged.
    assert told.get("told", "") == ((errors or "")[-1000:] if returned else "")


class Listener:
    """A minimal PostgreSQL server that records the requested user and database and refuses every connection."""

    def __init__(self) -> None:
        self.door = socket.create_server(("127.0.0.1", 0))
        self.door.settimeout(10)
        self.heard: dict[str, str] = {}
        self.hearing = threading.Thread(target=self._hear)
        self.hearing.start()

    def url(self, who: str, name: str) -> str:
        return f"postgres://{who}127.0.0.1:{self.door.getsockname()[1]}/{name}?sslmode=disable"

    def _hear(self) -> None:
        caller, _address = self.door.accept()
        with self.door, caller, caller.makefile("rwb") as line:
            words = line.read(int.from_bytes(line.read(4)) - 4)[4:].decode().split("\0")
            self.heard = dict(zip(words[::2], words[1::2], strict=False))
            # Request the password in clear text (AuthenticationCleartextPassword).
            line.write(b"R" + (8).to_bytes(4) + (3).to_bytes(4))
            line.flush()
            if line.read(1) == b"p":
                self.heard["password"] = line.read(int.from_bytes(line.read(4)) - 4)[:-1].decode()
            said = b"SFATAL\0C28P01\0Mnobody comes in\0\0"
            line.write(b"E" + (4 + len(said)).to_bytes(4) + said)


@pytest.mark.parametrize(
    ("who", "heard"),
    [
        ("anna:s%40fe@", {"user": "anna", "database": "proof", "password": "s@fe"}),
        ("anna@", {"user": "anna", "database": "proof"}),
    ],
)
def test_the_place_of_proof_is_asked_for_as_it_is_named(
    monkeypatch: pytest.MonkeyPatch, settings: Any, who: str, heard: dict[str, str]
) -> None:
    monkeypatch.setattr(connection, "vendor", "postgresql")
    monkeypatch.delenv("PGPASSWORD", raising=False)
    lay(0)
    backup = backups.folder() / "manille-1.sqlite3"
    settings.BACKUP_PROOF_URL = ""
    assert not backups.prove(backup)
    server = Listener()
    settings.BACKUP_PROOF_URL = server.url(who, "proof")
    with pytest.raises(backups.BackupFailed, match="made, but not proved") as refused:
        backups.prove(backup)
    server.hearing.join()
    assert {name: server.heard.get(name) for name in heard} == heard
    assert ("password" in server.heard) is ("password" in heard)
    assert "s@fe" not in str(refused.value)
    # A backup that cannot be tried is not moved aside.
    assert backup.exists()


def command(tmp_path: Path, *words: str, **more: str) -> subprocess.CompletedProcess[str]:
    """Run a command in its own installation."""
    environment = {
        **os.environ,
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "MANILLE_VAR": str(tmp_path),
        "DATABASE_URL": "",
        "BROKER_URL": "",
        "CACHE_URL": "",
        "BACKUP_DIR": str(tmp_path / "safe"),
        **more,
    }
    return forks.run(["manage.py", *words], environment)


@pytest.mark.guide("operator#automatic-backups", "security#security")
@pytest.mark.long
def test_a_backup_is_proved_by_bringing_it_back(tmp_path: Path) -> None:
    assert command(tmp_path, "migrate", "--verbosity", "0").returncode == 0
    assert command(tmp_path, "demo", "--players", "16", "--rounds", "1").returncode == 0
    # The database for proofs is a PostgreSQL database; SQLite is proved in a folder.
    elsewhere = {"BACKUP_PROOF_URL": "postgres://nobody@127.0.0.1:1/none"}
    done = command(tmp_path, "backup", "--prove", "--keep", "2", **elsewhere)
    assert done.returncode == 0, done.stderr
    assert "restored elsewhere and compared: the same" in done.stdout
    assert (tmp_path / "manille.sqlite3").stat().st_mode & 0o777 == 0o600
    (made,) = (tmp_path / "safe").glob("manille-*")
    assert made.stat().st_mode & 0o777 == 0o600
    # The backup's name and the anchors file both record the length of the journals.
    (beside,) = (tmp_path / "safe").glob("anchors-*")
    heads = json.loads(beside.read_text())
    entries = sum(int(each.split(".")[0]) for each in heads["anchors"].values())
    assert entries > 0
    assert made.stem.endswith(f"-e{entries}-{heads['all'][:16]}")
    copy = tmp_path / "copy"
    brought_back = command(copy, "restore", str(made), BACKUP_DIR="")
    assert brought_back.returncode == 0, brought_back.stderr
    found = command(copy, "audit_verify", "--expect", str(beside), BACKUP_DIR="")
    assert found.returncode == 0, found.stderr
    assert f"all: {heads['all']}" in found.stdout
    # A row changed behind the service: the copy is readable, but differs from the record.
    with sqlite3.connect(tmp_path / "manille.sqlite3") as database:
        assert database.execute("UPDATE tournament_stage SET minutes = 7").rowcount > 0
    refused = command(tmp_path, "backup", "--prove", "--keep", "2")
    assert refused.returncode == 1
    assert "does not come back whole" in refused.stderr
    assert "tournament.Stage" in refused.stderr
    assert "b'" not in refused.stderr
    assert len(list((tmp_path / "safe").glob("manille-*"))) == 1
    (aside,) = (tmp_path / "safe").glob("refused-*")
    # Its anchors moved aside with it; the remaining anchors belong to the remaining backup.
    beside_it = backups.anchors_beside(aside)
    assert set((tmp_path / "safe").glob("anchors-*")) == {beside, beside_it}
    assert json.loads(beside_it.read_text())["anchors"]
    # Without a better backup it is restored all the same, and the differences are printed.
    restored = command(tmp_path / "last", "restore", str(aside), BACKUP_DIR="")
    assert restored.returncode == 1
    assert "tournament.Stage" in restored.stdout + restored.stderr
    with sqlite3.connect(tmp_path / "last" / "manille.sqlite3") as database:
        assert database.execute("SELECT count(*) FROM tournament_event").fetchone()[0] > 0


@pytest.mark.guide("operator#restore-a-backup")
@pytest.mark.long
def test_accounts_are_not_lost_to_a_restore_that_says_nothing_of_them(tmp_path: Path) -> None:
    """An installation is in use from its first account on, before it has an event."""
    assert command(tmp_path, "migrate", "--verbosity", "0").returncode == 0
    backup = tmp_path / "empty.backup"
    assert command(tmp_path, "backup", str(backup)).returncode == 0
    # An empty installation needs no --replace.
    assert command(tmp_path, "restore", str(backup)).returncode == 0
    assert command(tmp_path, "person", "--administrator", "anna").returncode == 0
    refused = command(tmp_path, "restore", str(backup))
    assert refused.returncode == 1
    assert "holds events or accounts: say --replace" in refused.stderr
    assert "is made already" in command(tmp_path, "setup_code").stdout
    assert command(tmp_path, "restore", "--replace", str(backup)).returncode == 0
    assert "Setup code" in command(tmp_path, "setup_code").stdout
    # What was replaced can be restored, for a week by the count of the database in its place.
    (replaced,) = (tmp_path / "safe").glob("replaced-*")
    assert replaced.stat().st_mode & 0o777 == 0o600
    assert command(tmp_path, "backup", "--keep", "1").returncode == 0
    assert replaced.exists()
    undone = command(tmp_path, "restore", str(replaced))
    assert undone.returncode == 0, undone.stderr
    assert "is made already" in command(tmp_path, "setup_code").stdout
    # The database of before knows of no replaced one: its backup goes with the next.
    assert command(tmp_path, "backup", "--keep", "1").returncode == 0
    assert not replaced.exists()


@pytest.mark.guide("operator#restore-a-backup")
@pytest.mark.django_db
def test_the_backup_of_a_replaced_database_lasts_a_week() -> None:
    file = backups.folder() / "replaced-20261128-120000-000000.sqlite3"
    file.write_bytes(b"")
    backups.note_replaced(file)
    sealed.destroy_due()
    with later(days=740):
        sealed.destroy_due()
        assert backups.prune(1) == []
    sealed.destroy_due()
    for day in range(1, 6):
        assert file.exists()
        with later(days=day):
            sealed.destroy_due()
            backups.prune(1)
    assert not file.exists()


def left() -> set[str]:
    return {path.name for path in backups.folder().iterdir()}


@pytest.mark.guide("operator#automatic-backups")
def test_of_refused_backups_the_newest_stays() -> None:
    for number in range(5):
        for name in (f"manille-{number}.sqlite3", f"refused-manille-{number}.sqlite3"):
            lay(0, name)
            backups.anchors_beside(backups.folder() / name).touch()
    gone = {path.name for path in backups.prune(3)}
    assert gone == {f"manille-{n}.sqlite3" for n in (0, 1)} | {
        f"refused-manille-{n}.sqlite3" for n in range(4)
    }
    stay = [*(f"manille-{n}" for n in (2, 3, 4)), "refused-manille-4"]
    assert left() == {
        form.format(name) for name in stay for form in ("{}.sqlite3", "anchors-{}.json")
    }


@pytest.mark.guide("operator#automatic-backups")
def test_the_newest_proved_backup_stays_however_many_unproved_ones_follow() -> None:
    for number in range(6):
        lay(0, f"manille-{number}.sqlite3")
    for number in (0, 1):
        backups.proof_beside(backups.folder() / f"manille-{number}.sqlite3").touch()
    gone = [path.name for path in backups.prune(2)]
    assert gone == [f"manille-{n}.sqlite3" for n in (0, 2, 3)]
    assert left() == {"proved-manille-1", *(f"manille-{n}.sqlite3" for n in (1, 4, 5))}


@pytest.mark.guide("operator#automatic-backups")
def test_what_a_killed_process_left_half_written_goes(
    live: sqlite3.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(time, "time", lambda: NOW)
    for age in (0, 2 * HOUR):
        lay(age, f"manille-{age}.sqlite3.part")
        lay(age, f"manille-{age}.sqlite3.part-journal")
    lay(2 * HOUR, "somebody-s.part")
    made = backups.make()
    # Another process may still write the recent one.
    young = {"manille-0.sqlite3.part", "manille-0.sqlite3.part-journal"}
    assert left() == young | {"somebody-s.part", made.name, backups.anchors_beside(made).name}


@pytest.fixture
def restores(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Set the exit codes of the proving restores, in order."""
    ends: list[int] = []
    monkeypatch.setattr(
        subprocess,
        "run",
        lambda words, **_more: subprocess.CompletedProcess(words, ends.pop(0), "", "differs"),
    )
    return ends


@pytest.mark.guide("operator#automatic-backups")
def test_a_day_of_refused_backups_leaves_one_and_the_proved_one(
    live: sqlite3.Connection, restores: list[int]
) -> None:
    restores += [0, *[1] * 96]
    call_command("backup", "--prove", "--keep", "3", stdout=io.StringIO())
    (proved,) = left() & {path.name for path in backups.folder().glob("manille-*")}
    for _quarter in range(96):
        with pytest.raises(CommandError, match="does not come back whole"):
            call_command("backup", "--prove", "--keep", "3")
    databases = {name for name in left() if name.endswith(".sqlite3")}
    assert len(databases) == 2
    assert proved in databases
    assert len(left()) == 5
    # Without --keep the files do not pile up either.
    restores += [1, 1]
    for _twice in range(2):
        with pytest.raises(CommandError, match="does not come back whole"):
            call_command("backup", "--prove")
    assert len(left()) == 5


def test_where_none_is_proved_the_refused_one_holds_the_data(
    live: sqlite3.Connection, restores: list[int]
) -> None:
    restores += [1, 1]
    for _twice in range(2):
        with pytest.raises(CommandError):
            call_command("backup", "--prove", "--keep", "1")
    (aside,) = backups.folder().glob("refused-*")
    with closing(sqlite3.connect(aside)) as copy:
        assert copy.execute("SELECT n FROM kept").fetchall() == [(7,)]


def test_the_worker_looks_after_it() -> None:
    from config.celery import TakeUpLeftJobs

    class Timer:
        def call_repeatedly(self, _seconds: float, _act: Any, acts: tuple[Any, ...]) -> None:
            self.acts = acts

    class Worker:
        timer = Timer()

    TakeUpLeftJobs(None).start(Worker())
    assert backup_schedule.look_after_backups in Worker.timer.acts
