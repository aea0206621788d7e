"""Single-flight for derived work: one caller computes, the others wait, and writers never wait.

Computing derived values takes a tenth of a second; inside an SQLite transaction this would block
every signature for that time. So the lock for computing is separate from the row locks: the inputs
are read from a snapshot, and the outcome is written in a short transaction of its own.
"""

from __future__ import annotations

import fcntl
import threading
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from django.conf import settings
from django.db import connection

_locks: dict[str, threading.Lock] = {}
_adding = threading.Lock()


@contextmanager
def single_flight(name: str) -> Iterator[None]:
    """Hold the lock ``name``, which is exclusive among all processes of this installation.

    Inside a transaction the lock is skipped: its holder might wait for rows that the caller has
    already locked, a deadlock. There the row locks exclude other callers.
    """
    if connection.in_atomic_block:
        yield
        return
    with _adding:
        lock = _locks.setdefault(name, threading.Lock())
    with lock:
        if connection.vendor == "postgresql":
            with connection.cursor() as cursor:
                cursor.execute("SELECT pg_advisory_lock(%s)", [zlib.crc32(name.encode())])
                try:
                    yield
                finally:
                    cursor.execute("SELECT pg_advisory_unlock(%s)", [zlib.crc32(name.encode())])
            return
        # Same folder as in earlier releases, whose processes may still run during an upgrade.
        folder = Path(settings.VAR_DIR) / "turns"
        folder.mkdir(parents=True, exist_ok=True)
        with open(folder / f"{zlib.crc32(name.encode()):08x}", "w") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            yield


@contextmanager
def snapshot() -> Iterator[None]:
    """Read one consistent state of the records without locks; writes are not allowed inside.

    Inside a transaction of the caller the reads belong to that transaction.
    """
    if connection.in_atomic_block:
        yield
        return
    begin = (
        "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
        if connection.vendor == "postgresql"
        else "BEGIN DEFERRED"
    )
    with connection.cursor() as cursor:
        cursor.execute(begin)
        try:
            yield
        finally:
            cursor.execute("COMMIT")
