"""Moments at which something ends: a connection, however slowly the other side sends; a piece of work.

The timeout of a socket begins anew with each byte; a :class:`Deadline` is one for all that is said on it.
"""

from __future__ import annotations

import os
import signal
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from types import TracebackType
from typing import NoReturn


class TooLong(BaseException):
    """The work was ended at its deadline; no handler of the work's own exceptions catches it."""


@contextmanager
def ended_after(seconds: float, release: Callable[[], None]) -> Iterator[None]:
    """Raise :class:`TooLong` in the body when the seconds are over, and again until it ends.

    A signal does it, so only a process's main thread has deadlines: every worker works there.
    ``release`` is called first; it lets go of what the body holds elsewhere.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def end(_number: int, _frame: object) -> NoReturn:
        release()
        raise TooLong

    before = signal.signal(signal.SIGALRM, end)
    others = signal.setitimer(signal.ITIMER_REAL, seconds, 5.0)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, *others)
        signal.signal(signal.SIGALRM, before)


class Deadline:
    """Shut the watched connections down when the seconds are over; to be used with ``with``."""

    def __init__(self, seconds: float) -> None:
        self._at = time.monotonic() + seconds
        self._watched: list[socket.socket] = []
        self._lock = threading.Lock()
        self._timer = threading.Timer(seconds, self._end)
        self._timer.daemon = True

    def __enter__(self) -> Deadline:
        self._timer.start()
        return self

    def __exit__(
        self,
        _kind: type[BaseException] | None,
        _error: BaseException | None,
        _trace: TracebackType | None,
    ) -> None:
        self._timer.cancel()
        with self._lock:
            for held in self._watched:
                held.close()
            self._watched.clear()

    @property
    def left(self) -> float:
        """Seconds left; zero or negative after the deadline."""
        return self._at - time.monotonic()

    def watch(self, connection: socket.socket) -> None:
        """Shut a connection down at the deadline, also after TLS wraps it."""
        with self._lock:
            # Duplicate the descriptor: the caller's may be closed and its number reused.
            self._watched.append(socket.socket(fileno=os.dup(connection.fileno())))
        if self.left <= 0:
            self._end()

    def _end(self) -> None:
        with self._lock:
            for held in self._watched:
                with suppress(OSError):
                    held.shutdown(socket.SHUT_RDWR)
