"""Rate limits that stop guessing without locking out a hall behind one address.

A limit counts attempts (passwords, tokens) or costly requests in a window, by a name the caller
builds from what it protects. An attempt is counted before it is evaluated, so that a thousand at
once are no more than a thousand in turn; a right one is taken off again. The count lives in the cache: in production one count for
all processes, embedded one for the process.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from datetime import timedelta
from functools import lru_cache
from ipaddress import IPv6Address, IPv6Network, ip_address

from django.conf import settings
from django.core.cache import cache
from django.http import HttpRequest
from django.utils import timezone
from django.utils.timesince import timeuntil
from django.utils.translation import gettext_lazy as _

from accounts.attempts import note_attempt, seconds_blocked
from accounts.models import AttemptKind
from ledger.errors import TooMany


@dataclass(frozen=True, slots=True)
class Limit:
    """At most ``most`` in ``seconds`` for one name.

    ``by_line``: the names are lines (:func:`address`), and a blocked line gets no attempt.
    """

    name: str
    most: int
    seconds: int
    by_line: bool = False

    def _key(self, who: str) -> str:
        return f"limit:{self.name}:{who}"

    def reached(self, who: str) -> bool:
        """Return whether ``who`` must wait."""
        return int(cache.get(self._key(who), 0)) >= self.most

    def take(self, who: str) -> bool:
        """Count one attempt of ``who``, in one step; false where it is one too many.

        The window begins with the first attempt.
        """
        if self.by_line and seconds_blocked(who):
            note_attempt(AttemptKind.BLOCK, who)
            return False
        key = self._key(who)
        if cache.add(key, 0, self.seconds):
            cache.set(f"{key}:end", time.time() + self.seconds, self.seconds)
        try:
            within = int(cache.incr(key)) <= self.most
        except ValueError:  # the window ended between the two calls
            cache.set(key, 1, self.seconds)
            return True
        if self.by_line and not within:
            note_attempt(AttemptKind.LIMIT, who)
        return within

    def wait(self, who: str) -> int:
        """Return the seconds until the window or block of ``who`` ends; the whole window if its end is unknown."""
        if self.by_line and (blocked := seconds_blocked(who)):
            return blocked
        end = cache.get(f"{self._key(who)}:end")
        return self.seconds if end is None else max(0, int(end - time.time()))

    def wait_in_words(self, who: str) -> str:
        """Return :meth:`wait` in the reader's language, rounded up to whole minutes."""
        return timeuntil(timezone.now() + timedelta(seconds=self.wait(who) + 59))

    def give_back(self, who: str) -> None:
        """Refund one attempt of ``who`` after a success."""
        key = self._key(who)
        try:
            if int(cache.decr(key)) < 0:
                cache.delete(key)
        except ValueError:  # the window is over
            return

    def check(self, who: str) -> None:
        """Count one attempt, or refuse it (:class:`TooMany`) where the limit is reached."""
        if not self.take(who):
            raise TooMany("too_many", _("Too many attempts: wait a few minutes, then try again."))

    def clear(self, who: str) -> None:
        """Forget what was counted, after a success."""
        cache.delete(self._key(who))


@lru_cache(maxsize=4096)
def one_line(text: str) -> str:
    """Return the part of a network address that identifies one line: all of IPv4, the first half of IPv6.

    A subscriber may call from any of the 2^64 addresses in that half (RFC 6177).
    """
    try:
        known = ip_address(text.strip())
    except ValueError:
        return text.strip()[:64]
    if not isinstance(known, IPv6Address):
        return str(known)
    return str(known.ipv4_mapped or IPv6Network((int(known), 64), strict=False))


def address(request: HttpRequest) -> str:
    """Return the caller's line (:func:`one_line`), behind a trusted proxy if there is one."""
    if settings.TRUST_PROXY:
        forwarded = request.headers.get("X-Forwarded-For", "")
        if forwarded:
            return one_line(forwarded.rsplit(",", 1)[-1])
    return one_line(str(request.META.get("REMOTE_ADDR", "")))


LOGIN_BY_NAME = Limit("login-name", 8, 600)
"""Wrong passwords for one user name."""

LOGIN_BY_ADDRESS = Limit("login-address", 60, 600, by_line=True)
"""Wrong passwords from one address: a whole desk of staff may share it."""

LOGIN_ONE_BY_ONE = Limit("login-one-by-one", 1, 5)
"""Passwords for one name from an address that has had its wrong ones. Each name has its own turn,
so that who is new in that hall still signs in, whatever other names are asked with."""

LOGIN_OF_NOBODY = Limit("login-nobody", 8, 600)
"""Names without an account whose password is hashed all the same, in the whole service; for more
of them the answer is the same and as late, without the work (:class:`accounts.passwords.Argon2`)."""

LOGIN_BY_BROWSER = Limit("login-browser", 8, 600)
"""Wrong passwords from a browser that this member of staff has signed in with before."""

CODES_BY_USER = Limit("second-step", 8, 600)
"""Wrong codes of the second step for one account from one place: an address, or a browser that the
account has signed in with before. Wrong passwords of a session count here too, for the account."""

CODES_BY_DAY = Limit("second-step-day", 40, 24 * 3600)
"""Wrong codes of six digits for one account in a day, from new browsers wherever they are, and as
many from those that it has signed in with. Three codes are right at any moment, so all of them
guess right on one day in 4,000. A backup code is too long to be guessed and is not counted."""

SETUP_BY_ADDRESS = Limit("setup-address", 20, 600, by_line=True)
"""Wrong setup codes from one address, while nobody has an account."""

TOKENS_BY_ADDRESS = Limit("token-address", 300, 600, by_line=True)
"""Wrong links from one address. A right link is never refused for the wrong ones beside it: the
limit slows down who guesses, and 2,000 phones of a hall may share the address."""

REGISTRATIONS_BY_ADDRESS = Limit("register-address", 60, 600, by_line=True)
"""Registrations from one address: those who stand at the door may share the hall's."""

DEVICES_BY_PLAYER = Limit("push-player", 30, 600)
"""Subscriptions of devices from one player's page: each has the service look a name up."""

CALLS_BY_TABLE = Limit("referee-calls", 12, 600)
"""Referee calls from one table."""


def wrong_link(request: HttpRequest) -> None:
    """Count a wrong link or token against the address that tried it.

    Raises :class:`TooMany` once there were too many. Called only when the link *is* wrong, so that
    a guesser slows down themselves and nobody who shares their address.
    """
    line = address(request)
    note_attempt(AttemptKind.LINK, line)
    TOKENS_BY_ADDRESS.check(line)
