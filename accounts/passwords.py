"""Password rules with translated messages, and password hashing."""

from __future__ import annotations

import secrets
import threading
import time
from collections import deque
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Final

from django.contrib.auth.hashers import Argon2PasswordHasher
from django.contrib.auth.password_validation import MinimumLengthValidator
from django.utils.translation import ngettext

from ledger.requests import WAITS


class MinimumLength(MinimumLengthValidator):
    """Django's validator with a message of our own: Django's Dutch catalog leaves it in English."""

    def get_error_message(self) -> str:
        """Return the message for a password that is too short."""
        return ngettext(
            "This password is too short: use at least %(n)d character.",
            "This password is too short: use at least %(n)d characters.",
            self.min_length,
        ) % {"n": self.min_length}


_turn: Final = threading.Lock()
_seconds: Final[deque[float]] = deque(maxlen=16)
"""Durations in seconds of the latest hashes of this process, each measured alone."""


@contextmanager
def _alone() -> Iterator[None]:
    with _turn:
        begun = time.perf_counter()
        yield
        _seconds.append(time.perf_counter() - begun)


class Argon2(Argon2PasswordHasher):
    """Django's own, one at a time in a process: each takes 100 MB and every processor there is."""

    def encode(self, password: str, salt: str) -> str:
        """Return the hash of a password."""
        with _alone():
            return super().encode(password, salt)

    def verify(self, password: str, encoded: str) -> bool:
        """Whether this is the password of the hash."""
        with _alone():
            return super().verify(password, encoded)


def wait_like_a_check(environ: Mapping[str, object]) -> bool:
    """Hold the answer back by what one of the last hashes took; false where this process has made none yet.

    The server waits where it can (:data:`ledger.requests.WAITS`), so that no thread sleeps.
    """
    try:
        seconds = secrets.choice(_seconds)
    except IndexError:
        return False
    waits = environ.get(WAITS)
    if isinstance(waits, list):
        waits.append(seconds)
    else:
        time.sleep(seconds)
    return True
