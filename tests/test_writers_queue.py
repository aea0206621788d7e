"""Writers of the embedded database proceed in the order of their requests, and all of them proceed."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from django.db.utils import ConnectionHandler, OperationalError

from config.sqlite.base import Queue, keep_private, queue_of

PATIENCE = 30


def test_the_turn_goes_to_whoever_has_waited_longest() -> None:
    queue, order = Queue(), list[int]()
    assert queue.take(PATIENCE)

    def wait(number: int) -> None:
        assert queue.take(PATIENCE)
        order.append(number)
        queue.give()

    threads = []
    for number in range(20):
        threads.append(threading.Thread(target=wait, args=(number,)))
        threads[-1].start()
        while len(queue._waiting) < number + 1:
            pass
    queue.give()
    for thread in threads:
        thread.join(PATIENCE)
    assert order == list(range(20))
    assert queue.take(0)


def test_who_gave_up_is_passed_over() -> None:
    queue = Queue()
    assert queue.take(PATIENCE)
    assert not queue.take(0.001)
    queue.give()
    assert queue.take(0)


class Database:
    """An embedded database of the test, with a connection for each thread."""

    def __init__(self, path: Path, timeout: float) -> None:
        self.path = path
        self.handler = ConnectionHandler(
            {
                "default": {
                    "ENGINE": "config.sqlite",
                    "NAME": str(path),
                    "OPTIONS": {
                        "transaction_mode": "IMMEDIATE",
                        "timeout": timeout,
                        "init_command": "PRAGMA journal_mode=WAL;",
                    },
                }
            }
        )

    @property
    def here(self) -> Any:
        return self.handler["default"]

    def run(self, sql: str) -> None:
        with self.here.cursor() as cursor:
            cursor.execute(sql)

    def count(self) -> int:
        with sqlite3.connect(self.path) as seen:
            return int(seen.execute("SELECT count(*) FROM entry").fetchone()[0])

    def atomic(self) -> Any:
        return _Atomic(self.here)


class _Atomic:
    """``transaction.atomic`` for a connection outside Django's own handler."""

    def __init__(self, connection: Any) -> None:
        self.connection = connection

    def __enter__(self) -> None:
        self.connection.set_autocommit(False, force_begin_transaction_with_broken_autocommit=True)

    def __exit__(self, kind: Any, *_rest: Any) -> None:
        if kind is None:
            self.connection.commit()
        else:
            self.connection.rollback()
        self.connection.set_autocommit(True)


@pytest.fixture(autouse=True)
def _own_databases(django_db_blocker: Any) -> Iterator[None]:
    with django_db_blocker.unblock():
        yield


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    made = Database(tmp_path / "own.sqlite3", PATIENCE)
    made.run("CREATE TABLE entry (id INTEGER PRIMARY KEY, who INTEGER)")
    yield made
    made.here.close()


def test_forty_writers_at_once_all_come_on(database: Database) -> None:
    start = threading.Barrier(40)

    def write(who: int) -> None:
        start.wait(PATIENCE)
        for _turn in range(10):
            with database.atomic():
                database.run(f"INSERT INTO entry (who) VALUES ({who})")
            database.run(f"INSERT INTO entry (who) VALUES ({who})")
        database.here.close()

    with ThreadPoolExecutor(40) as hands:
        for done in [hands.submit(write, who) for who in range(40)]:
            done.result()
    assert database.count() == 800
    assert queue_of(str(database.path)).take(0)


def test_a_writer_waits_for_its_turn_no_longer_than_it_may(tmp_path: Path) -> None:
    database = Database(tmp_path / "own.sqlite3", 0.05)
    database.run("CREATE TABLE entry (id INTEGER PRIMARY KEY, who INTEGER)")
    failed = []

    def write() -> None:
        try:
            with database.atomic():
                database.run("INSERT INTO entry (who) VALUES (2)")
        except OperationalError as error:
            failed.append(str(error))
        database.here.close()

    with database.atomic():
        database.run("INSERT INTO entry (who) VALUES (1)")
        other = threading.Thread(target=write)
        other.start()
        other.join(PATIENCE)
    assert failed == ["database is locked"]
    assert database.count() == 1
    database.here.close()


def test_the_turn_is_given_back_however_the_transaction_ends(database: Database) -> None:
    queue = queue_of(str(database.path))
    with pytest.raises(OperationalError, match="no such table"), database.atomic():
        database.run("INSERT INTO absent (who) VALUES (1)")
    assert queue.take(0)
    queue.give()
    database.here.set_autocommit(False, force_begin_transaction_with_broken_autocommit=True)
    database.here.close()
    assert queue.take(0)
    queue.give()
    other = sqlite3.connect(database.path)
    other.execute("BEGIN IMMEDIATE")
    database.here.settings_dict["OPTIONS"]["timeout"] = 0.01
    database.here.close()
    with pytest.raises(OperationalError), database.atomic():
        pass
    other.close()
    assert queue.take(0)
    assert database.count() == 0


@pytest.mark.guide("security#security")
def test_nobody_else_reads_the_file_of_the_database(tmp_path: Path) -> None:
    new, old = tmp_path / "new", tmp_path / "old"
    old.write_bytes(b"as it was")
    for file in (old, tmp_path / "old-wal"):
        file.touch()
        file.chmod(0o644)
    for file in (new, old):
        keep_private(str(file))
    modes = {file.name: file.stat().st_mode & 0o777 for file in tmp_path.iterdir()}
    assert modes == {"new": 0o600, "old": 0o600, "old-wal": 0o600}
    assert old.read_bytes() == b"as it was"
