"""Rounds as pages want them: the current one, its tables, who sits where, how far each table is."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final, NotRequired, TypedDict

from django.db.models import Count, Max, Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from tournament.cache import cached
from tournament.models import Adjustment, Bye, Event, Round, RoundState, Seat, Stage, Table
from tournament.models.tables import BellRule, RefereeCall, Series, Sheet, SheetState
from tournament.queries.brackets import title_of
from tournament.queries.names import Shown, directory, seat_name
from tournament.queries.sheet_rules import fills_up
from tournament.queries.table_clock import ClockShown, as_clock


def current_round(event: Event) -> Round | None:
    """Return the latest published round; ``None`` before the first publication."""
    return (
        Round.objects.filter(stage__event=event, published_at__isnull=False)
        .select_related("stage__event")
        .order_by("-stage__order", "-number")
        .first()
    )


def round_now(event: Event) -> Round | None:
    """:func:`current_round` for pages, read once under a mark of the draw; not to be changed."""
    key = (event.pk, event.frame_version)
    return cached(("round now", *key), lambda: current_round(event))


def stages_of(event: Event) -> list[Stage]:
    """Return the stages in their order, for pages: read once under a mark of the draw; not to be changed."""
    key = (event.pk, event.frame_version)
    return cached(("stages in order", *key), lambda: list(event.stages.all()))


def published_rounds(event: Event) -> list[Round]:
    """Return every published round, oldest first."""
    return list(
        Round.objects.filter(stage__event=event, published_at__isnull=False)
        .select_related("stage__event")
        .order_by("stage__order", "number")
    )


@dataclass(frozen=True, slots=True)
class OpenAgain:
    """A round reopened behind the current one: the number of its signed tables, and of all.

    ``closable``: whether the only open tables are those that a forfeit prevents from playing;
    closing asks about these.
    """

    round: Round
    signed: int
    all: int
    closable: bool


def open_again(published: list[Round]) -> list[OpenAgain]:
    """Return the published rounds before the current one that are not closed; 3 queries for each."""
    again = []
    for round_ in published[:-1]:
        if round_.state != RoundState.CLOSED:
            tables = round_.tables.count()
            waiting, forfeited = tables_waiting(round_)
            signed = tables - len(waiting) - len(forfeited)
            again.append(OpenAgain(round_, signed, tables, closable=not waiting))
    return again


@dataclass(slots=True)
class ShownSeat:
    """A seat of a table and who sits there."""

    position: str
    entrant: Shown
    scorekeeper: bool

    @property
    def letter(self) -> str:
        """The seat in the reader's language."""
        return seat_name(self.position)


@dataclass(slots=True)
class ShownTable:
    """A table of a round as pages show it."""

    id: uuid.UUID
    number: int
    seats: list[ShownSeat] = field(default_factory=list)
    state: str = "planned"
    deals: int = 0
    games_signed: int = 0
    games: int = 0
    last_activity: datetime | None = None
    calls: int = 0
    extra_minutes: int = 0
    filling: bool = False
    decided: str = ""
    """Name of the side that has the match by the director's decision; ``reason`` is the director's."""
    reason: str = ""


_SEATING: Final = ("A", "B", "C", "D", "NS", "EW", "N", "E", "S", "W", *"1234567")
"""Order of the seats of a table: North-South before East-West."""


def tables_of(shown_round: Round) -> list[ShownTable]:
    """Return the tables of a round by number, with their players in the order of the seats.

    3 queries, 1 more with tables of three.
    """
    event = shown_round.stage.event
    people = directory(event)
    tables = {
        pk: ShownTable(
            pk, number, decided=people[winner].name if winner in people else "", reason=reason
        )
        for pk, number, winner, reason in Table.objects.filter(round=shown_round)
        .order_by("number")
        .values_list("pk", "number", "decided_for_id", "decided_reason")
    }
    for table, position, entrant, scorekeeper in Seat.objects.filter(round=shown_round).values_list(
        "table_id", "position", "entrant_id", "scorekeeper"
    ):
        tables[table].seats.append(ShownSeat(position, people[entrant], scorekeeper))
    for shown in tables.values():
        shown.seats.sort(key=lambda seat: _SEATING.index(seat.position))
    of_three = [shown for shown in tables.values() if fills_up(event, len(shown.seats))]
    if of_three:
        counting = Sheet.objects.filter(table__round=shown_round, counts=True)
        counted = set(counting.values_list("table_id", flat=True))
        for shown in of_three:
            shown.filling = shown.id not in counted
    return list(tables.values())


def byes_of(shown_round: Round) -> list[Shown]:
    """Return the players with a bye in a round, without those credited at a filling table."""
    people = directory(shown_round.stage.event)
    out = Bye.objects.filter(round=shown_round).exclude(
        entrant__in=Seat.objects.filter(round=shown_round).values("entrant")
    )
    return sorted(
        (people[pk] for pk in out.values_list("entrant_id", flat=True)),
        key=lambda person: person.number,
    )


def room(shown_round: Round) -> list[ShownTable]:
    """Return every table's progress: the longest waiting first; a fixed number of queries (6)."""
    tables = {table.id: table for table in tables_of(shown_round)}
    rows = (
        Table.objects.filter(round=shown_round)
        .annotate(
            laid=Count("sheets", distinct=True),
            signed=Count(
                "sheets",
                filter=Q(sheets__state__in=[SheetState.OFFICIAL, SheetState.VOID]),
                distinct=True,
            ),
            disputed=Count("sheets", filter=Q(sheets__state=SheetState.DISPUTED), distinct=True),
            entered=Count(
                "sheets__deals",
                filter=Q(
                    sheets__deals__current=True,
                    sheets__deals__series=Series.OFFICIAL,
                ),
                distinct=True,
            ),
            activity=Max("sheets__changed_at", filter=Q(sheets__version__gt=0)),
        )
        .values_list("pk", "laid", "signed", "disputed", "entered", "activity", "extra_minutes")
    )
    calls = dict(
        RefereeCall.objects.filter(table__round=shown_round, closed_at__isnull=True)
        .values_list("table_id")
        .annotate(count=Count("pk"))
    )
    now = timezone.now()
    over = bool(shown_round.ends_at and now > shown_round.ends_at)
    for pk, sheets, signed, disputed, entered, activity, extra in rows:
        table = tables[pk]
        table.games, table.games_signed, table.deals = sheets, signed, entered
        table.last_activity, table.extra_minutes = activity, extra
        table.calls = calls.get(pk, 0)
        if sheets and signed == sheets:
            table.state = "signed"
        elif disputed:
            table.state = "disputed"
        elif over and shown_round.state == RoundState.PLAYING:
            table.state = "late"
        elif entered:
            table.state = "playing"
    order = {"disputed": 0, "late": 1, "planned": 2, "playing": 3, "signed": 4}
    return sorted(
        tables.values(), key=lambda table: (-table.calls, order[table.state], table.number)
    )


def clock_shown(shown_round: Round | None) -> ClockShown | None:
    """Return the clock of a round for ``parts/clock/clock.html``; None where nothing is to count.

    The text without script is the hour of the bell, which stays true however old the page is.
    """
    if shown_round is None or shown_round.state in (RoundState.PLANNED, RoundState.DRAWN):
        return None
    label = title_of(shown_round)
    if shown_round.state == RoundState.CLOSED:
        return ClockShown(label, "over")
    if shown_round.paused_left is not None:
        return ClockShown(label, "paused", as_clock(shown_round.paused_left))
    if shown_round.state == RoundState.PUBLISHED or shown_round.ends_at is None:
        return ClockShown(label, "waiting")
    bell = timezone.localtime(shown_round.ends_at)
    note = BellRule(shown_round.stage.event.bell_rule).label
    return ClockShown(
        label,
        "running",
        f"→ {bell:%H:%M}",
        shown_round.ends_at,
        shown_round.stage.minutes * 60,
        _("Bell at %(time)s: %(rule)s.") % {"time": f"{bell:%H:%M}", "rule": note},
    )


class SeatCard(TypedDict):
    """A seat on a card of a draw; on the desk's cards it may be tapped."""

    seat: str
    name: str
    entrant: int
    side: int
    scorer: bool
    url: NotRequired[str]
    me: NotRequired[bool]
    new_side: NotRequired[bool]
    club: NotRequired[str]
    dealer: NotRequired[bool]


class TableCard(TypedDict):
    """A table on a card of a draw, as ``parts/draw/cards.html`` takes it."""

    number: int
    note: str
    url: NotRequired[str]
    seats: list[SeatCard]
    decided: NotRequired[str]
    reason: NotRequired[str]


def draw_contexts(
    tables: list[ShownTable],
    url: Callable[[int], str],
    *,
    decisions: bool = True,
    names: Mapping[frozenset[int], str] | None = None,
    table_url: Callable[[int], str] | None = None,
) -> list[TableCard]:
    """Return the tables of a draw for ``parts/draw/cards.html``; ``url``: a player's page.

    ``decisions``: show the matches decided by the director. ``names``: the names of the tables of
    those start numbers. ``table_url``: the page of a table, for staff.
    """
    shown: list[TableCard] = []
    for table in tables:
        sided = table.seats and table.seats[0].position in (*"NESW", "NS", "EW")
        seats = sorted(table.seats, key=lambda s: "NSEW".find(s.position)) if sided else table.seats
        shown.append(
            {
                "number": table.number,
                "url": table_url(table.number) if table_url is not None else "",
                "note": _("not ranked")
                if table.filling
                else (names or {}).get(frozenset(seat.entrant.number for seat in seats), ""),
                "decided": table.decided if decisions else "",
                "reason": table.reason,
                "seats": [
                    {
                        "seat": seat.letter,
                        "name": seat.entrant.name,
                        "entrant": seat.entrant.number,
                        "url": url(seat.entrant.number),
                        "side": 1 if seat.position in "NS" else 2,
                        "new_side": bool(sided) and seat.position == "E",
                        "scorer": seat.scorekeeper,
                    }
                    for seat in seats
                ],
            }
        )
    return shown


def forfeits_of(event: Event) -> set[tuple[int, uuid.UUID | None]]:
    """Return the entrant and round of each forfeit."""
    forfeits = Adjustment.objects.filter(event=event, forfeited=True, annulled_at__isnull=True)
    return set(forfeits.values_list("entrant_id", "round_id"))


def unsigned_tables(played: Round) -> list[int]:
    """Return the numbers of the tables of a round with a sheet not yet official.

    Not among them: decided matches, and tables that a forfeit keeps from playing.
    """
    return tables_waiting(played)[0]


def tables_waiting(played: Round) -> tuple[list[int], list[int]]:
    """Return the numbers of the unsigned tables, and of those that a forfeit prevents from playing."""
    idle = _idle(played)
    unsigned = dict(_unsigned(played).values_list("number", "pk"))
    waiting = sorted(number for number, pk in unsigned.items() if pk not in idle)
    return waiting, sorted(set(unsigned) - set(waiting))


WAITING: Final = [SheetState.OPEN, SheetState.CLAIMED, SheetState.DISPUTED]


def _unsigned(played: Round) -> QuerySet[Table]:
    return played.tables.filter(sheets__state__in=WAITING, decided_for__isnull=True)


def _idle(played: Round) -> set[uuid.UUID]:
    """Return the unsigned tables of a forfeit without a finished game to sign."""
    gone = Adjustment.objects.filter(round=played, forfeited=True, annulled_at__isnull=True)
    forfeited = set(
        _unsigned(played)
        .filter(seats__entrant__in=gone.values("entrant"))
        .values_list("pk", flat=True)
    )
    ended = played.tables.filter(pk__in=forfeited, sheets__state__in=WAITING, sheets__finished=True)
    return forfeited - set(ended.values_list("pk", flat=True))
