"""Journal of security: refused attempts by line and hour, blocked lines, and the browsers of an account.

Rows older than :data:`KEPT` are deleted. A read-only node only logs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

import structlog
from django.conf import settings
from django.contrib.auth import HASH_SESSION_KEY
from django.contrib.sessions.models import Session
from django.core.cache import cache
from django.db import IntegrityError, transaction
from django.db.models import F, Max, Sum
from django.http import HttpRequest
from django.utils import timezone
from django.utils.crypto import constant_time_compare
from django.utils.translation import gettext_lazy as _

from accounts.models import Attempt, AttemptKind, BlockedLine, SignedIn, User
from ledger import audit
from ledger.actors import Actor
from ledger.change import change
from ledger.errors import Refused
from ledger.models import ORGANISATION

audit.name_verbs(
    "line",
    blocked=_("Network address blocked for an hour"),
    unblocked=_("Network address unblocked"),
)

log = structlog.get_logger(__name__)
KEPT: Final = timedelta(days=30)
BLOCKED_FOR: Final = timedelta(hours=1)
MOST_LINES: Final = 10_000
"""Rows of one hour: beyond them attempts are only logged, so that a flood does not fill the disk."""
_BLOCKED: Final = "blocked-lines"
_REREAD: Final = 10
"""Seconds for which a process may use the list of blocked lines."""


def note_attempt(kind: AttemptKind, line: str, user: User | None = None) -> None:
    """Count a refused attempt in its row of this hour, and log it.

    Attempts stopped by a limit or a block are counted once a minute for each line.
    """
    if kind in (AttemptKind.LIMIT, AttemptKind.BLOCK) and not cache.add(
        f"noted:{kind}:{line}", 1, 60
    ):
        return
    log.warning("attempt_refused", kind=kind.value, line=line, user=user.pk if user else None)
    if settings.READ_ONLY_NODE:
        return
    now = timezone.now()
    hour = now.replace(minute=0, second=0, microsecond=0)
    rows = Attempt.objects.filter(hour=hour, line=line, kind=kind, user=user)
    if rows.update(count=F("count") + 1, last_at=now):
        return
    if Attempt.objects.filter(hour=hour).count() >= MOST_LINES:
        return
    Attempt.objects.filter(hour__lt=now - KEPT).delete()
    try:
        with transaction.atomic():
            Attempt.objects.create(hour=hour, line=line, kind=kind, user=user, last_at=now)
    except IntegrityError:  # another process made the row in the meantime
        rows.update(count=F("count") + 1, last_at=now)


@dataclass(frozen=True, slots=True)
class Line:
    """Refused attempts of the last day from one line; ``accounts``: names of the accounts under attack."""

    line: str
    count: int
    last: datetime
    kinds: list[tuple[str, int]]
    accounts: list[str]
    blocked_until: datetime | None


def lines_of_the_day(most: int = 50) -> list[Line]:
    """Return the lines with refused attempts in the last 24 hours, most attempts first."""
    since = timezone.now() - timedelta(days=1)
    recent = Attempt.objects.filter(last_at__gte=since).order_by()
    totals = list(
        recent.values("line")
        .annotate(n=Sum("count"), last=Max("last_at"))
        .order_by("-n", "line")[:most]
    )
    lines = [total["line"] for total in totals]
    kinds: dict[str, dict[str, int]] = {line: {} for line in lines}
    for row in recent.filter(line__in=lines).values("line", "kind").annotate(n=Sum("count")):
        kinds[row["line"]][str(AttemptKind(row["kind"]).label)] = row["n"]
    names: dict[str, set[str]] = {line: set() for line in lines}
    for line, name in recent.filter(line__in=lines, user__isnull=False).values_list(
        "line", "user__username"
    ):
        names[line].add(name)
    blocked = blocked_lines()
    return [
        Line(
            total["line"],
            total["n"],
            total["last"],
            sorted(kinds[total["line"]].items()),
            sorted(names[total["line"]]),
            blocked.get(total["line"]),
        )
        for total in totals
    ]


def counts_by_kind() -> dict[str, int]:
    """Return the refused attempts that are stored, by kind."""
    counted = Attempt.objects.order_by().values_list("kind").annotate(n=Sum("count"))
    return dict.fromkeys(AttemptKind.values, 0) | dict(counted)


def attempts_on(user: User, since: datetime | None = None) -> list[Attempt]:
    """Return the refused attempts on an account, latest first."""
    rows = Attempt.objects.filter(user=user)
    return list((rows.filter(last_at__gt=since) if since else rows)[:50])


def blocked_lines() -> dict[str, datetime]:
    """Return the blocked lines with the end of each block; at most ten seconds old."""
    known: dict[str, datetime] | None = cache.get(_BLOCKED)
    if known is None:
        rows = BlockedLine.objects.filter(until__gt=timezone.now())
        known = dict(rows.values_list("line", "until"))
        cache.set(_BLOCKED, known, _REREAD)
    return known


def seconds_blocked(line: str) -> int:
    """Return the seconds for which a line is still blocked; 0 for a line that is not."""
    until = blocked_lines().get(line)
    return 0 if until is None else max(0, int((until - timezone.now()).total_seconds()))


@change()
def block_line(*, line: str, actor: Actor) -> BlockedLine:
    """Refuse sign-ins, wrong links, registrations and searches of a line for an hour.

    Right links and browsers that an account has signed in with are not affected.
    """
    line = line.strip()
    if not Attempt.objects.filter(line=line).exists():
        raise Refused(
            "unknown_line", _("No refused attempt came from this network address."), field="line"
        )
    until = timezone.now() + BLOCKED_FOR
    blocked, _new = BlockedLine.objects.update_or_create(line=line, defaults={"until": until})
    audit.append(
        blocked, "line.blocked", actor, scope=ORGANISATION, after={"until": until.isoformat()}
    )
    cache.delete(_BLOCKED)
    return blocked


@change()
def unblock_line(*, line: str, actor: Actor) -> None:
    """End the block of a line."""
    blocked = BlockedLine.objects.filter(line=line).first()
    if blocked is not None:
        audit.append(blocked, "line.unblocked", actor, scope=ORGANISATION)
        blocked.delete()
        cache.delete(_BLOCKED)


def note_sign_in(request: HttpRequest, user: User, line: str) -> None:
    """Store the browser of a request that has just signed in, under its present session."""
    if request.session.session_key is None:
        request.session.save()
    SignedIn.objects.update_or_create(
        session_key=request.session.session_key,
        defaults={
            "user": user,
            "line": line,
            "browser": request.headers.get("User-Agent", "")[:200],
        },
    )


def browsers_of(user: User) -> list[SignedIn]:
    """Return the browsers in which an account is signed in; ended ones are deleted."""
    rows = list(SignedIn.objects.filter(user=user))
    sessions = {
        session.session_key: session.get_decoded()
        for session in Session.objects.filter(
            session_key__in=[row.session_key for row in rows], expire_date__gt=timezone.now()
        )
    }
    valid = user.get_session_auth_hash()
    open_ = [
        row
        for row in rows
        if constant_time_compare(sessions.get(row.session_key, {}).get(HASH_SESSION_KEY, ""), valid)
    ]
    SignedIn.objects.filter(user=user).exclude(pk__in=[row.pk for row in open_]).delete()
    return open_


def end_browsers(user: User, rows: Sequence[int], *, but: str | None) -> int:
    """Sign an account out in these browsers (by key), except in the session ``but``; returns how many."""
    ended = SignedIn.objects.filter(user=user, pk__in=rows).exclude(session_key=but)
    keys = list(ended.values_list("session_key", flat=True))
    Session.objects.filter(session_key__in=keys).delete()
    ended.delete()
    return len(keys)
