"""SQLite backend for many concurrent writers: the writers of a process queue in order of arrival.

SQLite admits one writer; the others retry after a pause until their timeout ends, so that an unlucky
writer fails while later writers succeed. Here the threads of a process queue for a turn before they
begin a transaction, and each is woken for its turn. Other processes (the worker) still wait by
SQLite's own retries. Reads never wait.
"""

from __future__ import annotations

import os
import threading
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

import django
from django.core.exceptions import ImproperlyConfigured
from django.db.backends.sqlite3 import base
from django.db.utils import OperationalError

# The methods that begin and end a transaction are undocumented in Django.
READ_IN: Final = (5, 2)
if django.VERSION[:2] != READ_IN:
    raise ImproperlyConfigured(
        "config/sqlite/base.py was written against Django {}.{}: compare BaseDatabaseWrapper and SQLite's "
        "DatabaseWrapper, then change READ_IN.".format(*READ_IN)
    )

_WRITES: Final = ("INSERT", "UPDATE", "DELETE", "REPLACE")


class Queue:
    """One turn at a time, first come, first served."""

    def __init__(self) -> None:
        self._guard = threading.Lock()
        self._taken = False
        self._waiting: deque[threading.Event] = deque()

    def take(self, patience: float) -> bool:
        """Wait for the turn; false when it has not come within so many seconds."""
        with self._guard:
            if not self._taken:
                self._taken = True
                return True
            mine = threading.Event()
            self._waiting.append(mine)
        if mine.wait(patience):
            return True
        with self._guard:
            if mine.is_set():
                return True
            self._waiting.remove(mine)
            return False

    def give(self) -> None:
        """Give the turn to the one that has waited longest."""
        with self._guard:
            if self._waiting:
                self._waiting.popleft().set()
            else:
                self._taken = False


_queues: dict[str, Queue] = {}
_adding = threading.Lock()


def queue_of(database: str) -> Queue:
    """Return this process's queue of writers for a database file."""
    with _adding:
        return _queues.setdefault(database, Queue())


def keep_private(database: str) -> None:
    """Restrict a database file to the service's own account, creating the file if it is missing.

    An existing file is never opened: closing it would release SQLite's locks in this process.
    """
    if database.startswith((":", "file:")):
        return
    with suppress(OSError):
        os.close(os.open(database, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    for ending in ("", "-wal", "-shm"):
        file = Path(database + ending)
        with suppress(OSError):
            if file.stat().st_mode & 0o077:
                file.chmod(0o600)


class Cursor(base.SQLiteCursorWrapper):
    """A cursor whose single writes, outside a transaction, take a turn of their own."""

    def __init__(self, connection: Any, database: DatabaseWrapper) -> None:
        super().__init__(connection)
        self.database = database

    def execute(self, query: str, params: Any = None) -> Any:
        """Run a statement."""
        return self.database.in_turn(query, lambda: super(Cursor, self).execute(query, params))

    def executemany(self, query: str, param_list: Any) -> Any:
        """Run a statement for each of ``param_list``."""
        return self.database.in_turn(
            query, lambda: super(Cursor, self).executemany(query, param_list)
        )


class DatabaseWrapper(base.DatabaseWrapper):
    """A connection that waits in the queue before it begins to write."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._queue = queue_of(str(self.settings_dict["NAME"]))
        self._has_turn = False

    def get_new_connection(self, conn_params: object) -> object:
        """Open the database, whose file is private."""
        keep_private(str(self.settings_dict["NAME"]))
        return super().get_new_connection(conn_params)

    def create_cursor(self, name: str | None = None) -> object:
        """Return a cursor of this connection."""
        return self.connection.cursor(factory=lambda connection: Cursor(connection, self))

    def in_turn(self, query: str, act: Callable[[], object]) -> object:
        """Run a statement, with a turn of its own where it writes outside a transaction."""
        alone = not self._has_turn and not self.in_atomic_block and self._queues_up
        if not alone or not query.lstrip()[:7].upper().startswith(_WRITES):
            return act()
        self._take_turn()
        try:
            return act()
        finally:
            self._give_turn()

    @property
    def _queues_up(self) -> bool:
        # A database in memory belongs to its tests; a node that only reads begins no writing.
        mode = self.transaction_mode  # type: ignore[attr-defined]  # unknown to the stubs
        return mode == "IMMEDIATE" and not self.is_in_memory_db()

    def _take_turn(self) -> None:
        patience = float(self.settings_dict.get("OPTIONS", {}).get("timeout", 5))
        if not self._queue.take(patience):
            raise OperationalError("database is locked")
        self._has_turn = True

    def _give_turn(self) -> None:
        if self._has_turn:
            self._has_turn = False
            self._queue.give()

    def _start_transaction_under_autocommit(self) -> None:
        if not self._has_turn and self._queues_up:
            self._take_turn()
        try:
            super()._start_transaction_under_autocommit()  # type: ignore[misc]  # unknown to the stubs
        except BaseException:
            self._give_turn()
            raise

    def _commit(self) -> None:
        super()._commit()  # type: ignore[misc]  # unknown to the stubs
        self._give_turn()

    def _rollback(self) -> None:
        try:
            super()._rollback()  # type: ignore[misc]  # unknown to the stubs
        finally:
            self._give_turn()

    def _close(self) -> None:
        try:
            super()._close()  # type: ignore[misc]  # unknown to the stubs
        finally:
            self._give_turn()
