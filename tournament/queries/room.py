"""The room as the director watches it: each table's progress, and what holds up the round, in order.

First stand the tables that wait for a referee, then those in dispute, those late after the bell
(their own extra time counted), those that are over but unsigned, those whose players have left,
and those that have been silent for long; then the rest by number. A fixed number of queries, whatever the size of the hall.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, TypedDict

from django.urls import reverse
from django.utils import timezone
from django.utils.http import urlencode
from django.utils.timesince import timesince
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from tournament.models import DrawState, EntrantState, Round, RoundState, Table
from tournament.models.tables import RefereeCall, Sheet, SheetState, call_label
from tournament.queries.disputes import dispute_reasons
from tournament.queries.one_device import signed_by_one_device
from tournament.queries.rounds import ShownTable, tables_waiting
from tournament.queries.rounds import room as progress

SILENT = timedelta(minutes=20)
"""A table in play that wrote nothing for so long is looked at (R, project decision)."""

MOST = 12
"""Hold-ups listed one by one; the rest show on the tiles."""

HOLDING = ("called", "disputed", "late", "waiting", "left", "silent")
"""The states in which a table holds up the round, the most pressing first."""

ORDER = (*HOLDING, "planned", "playing", "forfeited", "signed")


@dataclass(slots=True)
class RoomTable:
    """A table in the director's room; ``state`` is one of :data:`ORDER`."""

    shown: ShownTable
    state: str
    why: str = ""
    since: datetime | None = None
    sheets: list[Mapping[str, Any]] = field(default_factory=list)
    settled: bool = False
    """Whether the round can be closed as far as this table goes: signed, decided, or forfeited."""

    @property
    def number(self) -> int:
        """The table's number."""
        return self.shown.number

    @property
    def chip(self) -> str:
        """The state's code as chips know it."""
        words = {"silent": "late", "left": "late", "forfeited": "void"}
        return words.get(self.state, self.state)


def room(part: Round) -> list[RoomTable]:
    """Every table of a round, the most pressing first."""
    now = timezone.now()
    sheets: dict[uuid.UUID, list[Mapping[str, Any]]] = {}
    for row in (
        Sheet.objects.filter(table__round=part)
        .order_by("order")
        .values(
            "pk",
            "order",
            "state",
            "finished",
            "score",
            "sides",
            "table_id",
            "changed_at",
            "ended_early",
        )
    ):
        sheets.setdefault(row["table_id"], []).append(row)
    calls = {
        table: (called_at, call_label(topic, words), claimed)
        for table, called_at, topic, words, claimed in RefereeCall.objects.filter(
            table__round=part, closed_at__isnull=True
        ).values_list("table_id", "called_at", "topic", "reason", "claimed_by")
    }
    disputed = [
        row["pk"] for rows in sheets.values() for row in rows if row["state"] == SheetState.DISPUTED
    ]
    reasons = dispute_reasons(part.stage.event_id, disputed) if disputed else {}
    tables = []
    unsigned, forfeited = tables_waiting(part)
    for shown in progress(part):
        listed = sheets.get(shown.id, [])
        settled = bool(listed) and shown.number not in unsigned
        table = _placed(part, shown, listed, calls.get(shown.id), reasons, now, settled=settled)
        if table.state == "signed" and shown.number in forfeited:
            table = RoomTable(shown, "forfeited")
        table.sheets, table.settled = listed, settled
        tables.append(table)
    return sorted(
        tables,
        key=lambda table: (
            ORDER.index(table.state),
            table.since or now if table.state in HOLDING else now,
            table.number,
        ),
    )


def _placed(
    part: Round,
    shown: ShownTable,
    sheets: list[Mapping[str, Any]],
    call: Any,
    reasons: Mapping[uuid.UUID, str],
    now: datetime,
    *,
    settled: bool,
) -> RoomTable:
    disputed = [row for row in sheets if row["state"] == SheetState.DISPUTED]
    unsigned = [
        row
        for row in sheets
        if row["finished"] and row["state"] in (SheetState.OPEN, SheetState.CLAIMED)
    ]
    if call is not None:
        called_at, reason, claimed = call
        why = _("a referee is coming: %(reason)s") % {"reason": reason} if claimed else reason
        return RoomTable(shown, "called", why, called_at)
    if settled:
        return RoomTable(shown, "signed")
    if disputed:
        why = _("game %(n)d is in dispute") % {"n": disputed[0]["order"]}
        reason = reasons.get(disputed[0]["pk"])
        return RoomTable(
            shown,
            "disputed",
            f"{why}{_(':')} {reason}" if reason else why,
            disputed[0]["changed_at"],
        )
    playing = part.state == RoundState.PLAYING
    ends_at = part.ends_at + timedelta(minutes=shown.extra_minutes) if part.ends_at else None
    if playing and ends_at is not None and now > ends_at:
        return RoomTable(
            shown,
            "late",
            _("games signed after the bell: %(signed)d of %(all)d")
            % {"signed": shown.games_signed, "all": shown.games},
            ends_at,
        )
    if unsigned:
        return RoomTable(
            shown,
            "waiting",
            _("game %(n)d is over and not signed") % {"n": unsigned[0]["order"]},
            unsigned[0]["changed_at"],
        )
    left = [
        seat.entrant.name for seat in shown.seats if seat.entrant.state == EntrantState.WITHDRAWN
    ]
    if left:
        why = _("%(names)s left: the round waits for a replacement or a forfeit")
        return RoomTable(shown, "left", why % {"names": ", ".join(left)})
    last = shown.last_activity or part.started_at
    if playing and last is not None and now - last > SILENT:
        return RoomTable(shown, "silent", _("nothing recorded for a long time"), last)
    # Of a game whose points alone were copied from paper no deal is known.
    return RoomTable(shown, "playing" if shown.deals or shown.games_signed else "planned")


def count_signed(tables: list[RoomTable]) -> int:
    """How many tables have signed, or are decided; not those that a forfeit keeps from playing."""
    return sum(table.settled and table.state != "forfeited" for table in tables)


def is_settled(tables: list[RoomTable]) -> bool:
    """Whether no table keeps the round from being closed."""
    return bool(tables) and all(table.settled for table in tables)


def ended_early(tables: list[RoomTable]) -> list[str]:
    """The games that were ended before the bell, by table."""
    return _games(tables, lambda row: bool(row["ended_early"]))


def signed_at_once(part: Round, tables: list[RoomTable]) -> list[str]:
    """The games that one device signed for both sides within seconds, by table."""
    official = [
        row["pk"] for table in tables for row in table.sheets if row["state"] == SheetState.OFFICIAL
    ]
    devices = signed_by_one_device(part.stage.event_id, official)
    return _games(tables, lambda row: row["pk"] in devices)


def _games(tables: list[RoomTable], shown: Callable[[Mapping[str, Any]], bool]) -> list[str]:
    return [
        _("table %(table)d, game %(game)d") % {"table": table.number, "game": row["order"]}
        for table in sorted(tables, key=lambda table: table.number)
        for row in table.sheets
        if shown(row)
    ]


def address(part: Round, number: int) -> str:
    """Return the address of a table's page for staff, in its own round."""
    return reverse("desk-round-table", args=[part.stage.event.slug, part.pk, number])


def ways_on(table: RoomTable, part: Round, can: Collection[str]) -> list[dict[str, str]]:
    """Where a table that somebody left is helped on, by what the reader ``can`` do; empty for other tables.

    Another player takes the place while nothing is recorded, a match between two is decided, and at any
    other table a referee rules the forfeit.
    """
    gone = [
        seat.entrant.number
        for seat in table.shown.seats
        if seat.entrant.state == EntrantState.WITHDRAWN
    ]
    if not gone or table.settled or part.state == RoundState.CLOSED:
        return []
    slug, query = part.stage.event.slug, urlencode({"old": gone[0]})
    ways = []
    if "entrants.manage" in can and not (table.shown.deals or table.shown.games_signed):
        ways.append((f"{reverse('desk-wishes', args=[slug])}?{query}#replace", _("Replace")))
    match = {seat.position for seat in table.shown.seats} == {"NS", "EW"}
    drawn = part.draws.filter(state=DrawState.PUBLISHED).first() if match else None
    if drawn is not None and "rounds.manage" in can:
        address_ = reverse("desk-draw", args=[slug, drawn.pk])
        ways.append((f"{address_}#matches", _("Decide the match")))
    elif not match and "incidents.rule" in can:
        query = urlencode({"player": gone[0]})
        ways.append((f"{reverse('referee-new', args=[slug])}?{query}", _("Rule a forfeit")))
    return [{"url": url, "label": label} for url, label in ways]


class Holdup(TypedDict):
    """A table that holds up the round: its number and state, why and since when, and what helps it on."""

    table: int
    state: str
    label: str
    why: str
    since: str
    actions: list[dict[str, str]]


def holdups(tables: list[RoomTable], part: Round | None, can: Collection[str] = ()) -> list[Holdup]:
    """What holds up the round, as ``parts/holdups.html`` shows it; ``can``: the reader's capabilities.

    A table that somebody left offers what helps it on, or nothing: its own page does not.
    """
    if part is None:
        return []
    words = {
        "called": _("waiting for the referee"),
        "disputed": _("in dispute"),
        "late": _("late"),
        "waiting": _("unsigned"),
        "left": _("a player short"),
        "silent": _("no news"),
    }
    return [
        {
            "table": table.number,
            "state": table.chip,
            "label": words[table.state],
            "why": table.why,
            "since": _("for %(time)s") % {"time": timesince(table.since)} if table.since else "",
            "actions": ways_on(table, part, can)
            if table.state == "left"
            else [{"url": address(part, table.number), "label": _("Act")}],
        }
        for table in tables
        if table.state in words
    ]


def first_waiting_sheet(tables: list[RoomTable]) -> uuid.UUID | None:
    """The first game, in the order of the tables, that has no official result yet."""
    done = (SheetState.OFFICIAL, SheetState.VOID)
    return next(
        (
            sheet["pk"]
            for table in sorted(tables, key=lambda table: table.number)
            for sheet in table.sheets
            if sheet["state"] not in done and not table.settled
        ),
        None,
    )


def _signed_games(table: RoomTable) -> str:
    return f"{table.shown.games_signed}/{table.shown.games}"


def tiles(tables: list[RoomTable], part: Round | None) -> list[dict[str, object]]:
    """Every table by number, as ``parts/room.html`` shows it."""
    if part is None:
        return []
    words = {
        "called": pgettext("tile of the room", "referee"),
        "disputed": _("dispute"),
        "late": _("late"),
        "waiting": _("unsigned"),
        "left": _("a player short"),
        "silent": _("no news"),
        "planned": _("no deal yet"),
        "signed": _("signed"),
        "forfeited": pgettext("tile of the room", "forfeit"),
    }
    return [
        {
            "number": table.number,
            "state": table.chip,
            "line": (table.shown.decided and _("decided"))
            or words.get(table.state, "")
            or (not table.shown.deals and f"{_('signed')}{_(':')} {_signed_games(table)}")
            or ngettext("%(n)d deal", "%(n)d deals", table.shown.deals) % {"n": table.shown.deals},
            "url": address(part, table.number),
            "label": ", ".join(seat.entrant.name for seat in table.shown.seats),
        }
        for table in sorted(tables, key=lambda table: table.number)
    ]


def table_of(part: Round, number: int) -> Table | None:
    """One table of a round."""
    return Table.objects.filter(round=part, number=number).first()
