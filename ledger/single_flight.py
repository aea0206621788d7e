"""Single-flight for derived work: one computes while the others wait, and nobody who writes does.

Computing what follows from the records takes a tenth of a second; inside a transaction of SQLite
that would be a tenth of a second in which no table can sign. So the lock for computing has nothing
to do with the records' locks; what is computed is read from a snapshot and written in a short
transaction of its own.
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
    """Wait until nobody else, in any process of this installation, does the work of that name.

    Inside a transaction it waits for nobody: what the caller has locked already would be waited
    for by the one who has the lock. There the rows that are locked keep others out.
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
        # The folder of earlier releases, which may still run beside this one.
        folder = Path(settings.VAR_DIR) / "turns"
        folder.mkdir(parents=True, exist_ok=True)
        with open(folder / f"{zlib.crc32(name.encode()):08x}", "w") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            yield


@contextmanager
def snapshot() -> Iterator[None]:
    """Reads inside see one state of the records and lock nothing; nothing may be written there.

    Inside a transaction of the caller's own the reads are part of that.
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
