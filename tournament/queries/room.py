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
from typing import NamedTuple

from django.urls import reverse
from django.utils import timezone
from django.utils.http import urlencode
from django.utils.timesince import timesince
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from tournament.models import DrawState, EntrantState, Round, RoundState, Table
from tournament.models.tables import RefereeCall, Sheet, SheetScore, SheetState, call_label
from tournament.queries.disputes import dispute_reasons
from tournament.queries.falls import rulings_at
from tournament.queries.matches import decide_address, open_matches
from tournament.queries.names import Name
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


class RoomSheet(NamedTuple):
    """The sheet of a game in the director's room."""

    table: uuid.UUID
    pk: uuid.UUID
    order: int
    state: str
    finished: bool
    score: SheetScore
    changed_at: datetime
    ended_early: bool

    @property
    def deals(self) -> int:
        """Number of recorded deals."""
        return self.score.get("deals", 0)

    @property
    def begun(self) -> bool:
        """Whether anything is written or decided."""
        return bool(self.deals) or self.finished or self.state != SheetState.OPEN

    @property
    def label(self) -> str:
        """Progress of the game, in words."""
        if self.state == SheetState.OPEN and self.finished:
            return _("unsigned")
        return str(SheetState(self.state).label) if self.begun else _("no deal yet")

    @property
    def chip(self) -> str:
        """The state's code as chips know it."""
        known = {"official": "signed", "disputed": "disputed", "claimed": "waiting", "void": "void"}
        playing = "playing" if self.begun else "planned"
        return known.get(self.state, "waiting" if self.finished else playing)

    @property
    def is_open(self) -> bool:
        """Whether deals can be written."""
        return self.state in (SheetState.OPEN, SheetState.CLAIMED, SheetState.DISPUTED)


@dataclass(slots=True)
class RoomTable:
    """A table in the director's room; ``state`` is one of :data:`ORDER`."""

    shown: ShownTable
    state: str
    why: str = ""
    since: datetime | None = None
    sheets: list[RoomSheet] = field(default_factory=list)
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


def room(round_: Round) -> list[RoomTable]:
    """Return every table of a round, the most pressing first."""
    now = timezone.now()
    sheets: dict[uuid.UUID, list[RoomSheet]] = {}
    for values in (
        Sheet.objects.filter(table__round=round_)
        .order_by("order")
        .values_list(
            "table_id",
            "pk",
            "order",
            "state",
            "finished",
            "score",
            "changed_at",
            "ended_early",
        )
    ):
        row = RoomSheet(*values)
        sheets.setdefault(row.table, []).append(row)
    calls = {
        table: (called_at, call_label(topic, words), claimed)
        for table, called_at, topic, words, claimed in RefereeCall.objects.filter(
            table__round=round_, closed_at__isnull=True
        ).values_list("table_id", "called_at", "topic", "reason", "claimed_by")
    }
    disputed = [
        row.pk for rows in sheets.values() for row in rows if row.state == SheetState.DISPUTED
    ]
    reasons = dispute_reasons(round_.stage.event_id, disputed) if disputed else {}
    tables = []
    unsigned, forfeited = tables_waiting(round_)
    for shown in progress(round_):
        listed = sheets.get(shown.id, [])
        settled = bool(listed) and shown.number not in unsigned
        table = _placed(round_, shown, listed, calls.get(shown.id), reasons, now, settled=settled)
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
    round_: Round,
    shown: ShownTable,
    sheets: list[RoomSheet],
    call: tuple[datetime, str, str] | None,
    reasons: Mapping[uuid.UUID, str],
    now: datetime,
    *,
    settled: bool,
) -> RoomTable:
    disputed = [row for row in sheets if row.state == SheetState.DISPUTED]
    unsigned = [
        row for row in sheets if row.finished and row.state in (SheetState.OPEN, SheetState.CLAIMED)
    ]
    if call is not None:
        called_at, reason, claimed = call
        coming = _("a referee is coming: %(reason)s") % {"reason": reason} if claimed else reason
        return RoomTable(shown, "called", coming, called_at)
    if settled:
        return RoomTable(shown, "signed")
    if disputed:
        why = _("game %(n)d is in dispute") % {"n": disputed[0].order}
        given = reasons.get(disputed[0].pk)
        words = f"{why}{_(':')} {given}" if given else why
        return RoomTable(shown, "disputed", words, disputed[0].changed_at)
    playing = round_.state == RoundState.PLAYING
    ends_at = round_.ends_at + timedelta(minutes=shown.extra_minutes) if round_.ends_at else None
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
            _("game %(n)d is over and not signed") % {"n": unsigned[0].order},
            unsigned[0].changed_at,
        )
    left = [
        seat.entrant.name for seat in shown.seats if seat.entrant.state == EntrantState.WITHDRAWN
    ]
    if left:
        why = _("%(names)s left: the round waits for a replacement or a forfeit")
        return RoomTable(shown, "left", why % {"names": ", ".join(left)})
    last = shown.last_activity or round_.started_at
    if playing and last is not None and now - last > SILENT:
        return RoomTable(shown, "silent", _("nothing recorded for a long time"), last)
    # Of a game whose points alone were copied from paper no deal is known.
    return RoomTable(shown, "playing" if shown.deals or shown.games_signed else "planned")


def count_signed(tables: list[RoomTable]) -> int:
    """Count the tables signed or decided, without those that a forfeit prevents from playing."""
    return sum(table.settled and table.state != "forfeited" for table in tables)


def is_settled(tables: list[RoomTable]) -> bool:
    """Return whether all tables are settled, so that the round can be closed."""
    return bool(tables) and all(table.settled for table in tables)


def ended_early(tables: list[RoomTable]) -> list[str]:
    """Return the games that were ended before the bell, by table."""
    return _games(tables, lambda row: row.ended_early)


def signed_at_once(round_: Round, tables: list[RoomTable]) -> list[str]:
    """Return the games that one device signed for both sides within seconds, by table."""
    official = [
        row.pk for table in tables for row in table.sheets if row.state == SheetState.OFFICIAL
    ]
    devices = signed_by_one_device(round_.stage.event_id, official)
    return _games(tables, lambda row: row.pk in devices)


def _games(tables: list[RoomTable], shown: Callable[[RoomSheet], bool]) -> list[str]:
    return [
        _("table %(table)d, game %(game)d") % {"table": table.number, "game": row.order}
        for table in sorted(tables, key=lambda table: table.number)
        for row in table.sheets
        if shown(row)
    ]


def address(round_: Round, number: int) -> str:
    """Return the address of a table's page for staff, in its own round."""
    return reverse("desk-round-table", args=[round_.stage.event.slug, round_.pk, number])


class Action(NamedTuple):
    """A link to what helps a table on."""

    url: str
    label: str


def _is_match(table: RoomTable) -> bool:
    """Return whether two sides meet at a table."""
    return {seat.position for seat in table.shown.seats} == {"NS", "EW"}


def _deciding(table: RoomTable, round_: Round) -> str:
    """Return the address at which the match of a table is decided; "" where it has a result by play."""
    drawn = round_.draws.filter(state=DrawState.PUBLISHED).first()
    if drawn is None or all(
        match.table.number != table.number for match in open_matches(round_.stage, round_.number)
    ):
        return ""
    return decide_address(drawn, round_.stage.event.slug, table.number)


def ways_on(table: RoomTable, round_: Round, can: Collection[str]) -> list[Action]:
    """Return the ways to help a table that a player left, by the reader's capabilities; else none.

    Another player takes the place while nothing is recorded, a match between two is decided, and at
    any other table a referee rules the forfeit.
    """
    gone = [
        seat.entrant.number
        for seat in table.shown.seats
        if seat.entrant.state == EntrantState.WITHDRAWN
    ]
    if not gone or table.settled or round_.state == RoundState.CLOSED:
        return []
    slug, query = round_.stage.event.slug, urlencode({"old": gone[0]})
    ways: list[Action] = []
    if "entrants.manage" in can and not (table.shown.deals or table.shown.games_signed):
        ways.append(Action(f"{reverse('desk-wishes', args=[slug])}?{query}#replace", _("Replace")))
    match = _is_match(table)
    if match and "rounds.manage" in can and (deciding := _deciding(table, round_)):
        ways.append(Action(deciding, _("Decide the match")))
    elif not match and "incidents.rule" in can:
        query = urlencode({"player": gone[0]})
        ways.append(Action(f"{reverse('referee-new', args=[slug])}?{query}", _("Rule a forfeit")))
    return ways


def verbs_at(table: RoomTable, round_: Round, can: Collection[str]) -> list[Action]:
    """Return what may be done about the result of a table, beside its score sheets, in the state that the round is in."""
    slug = round_.stage.event.slug
    verbs: list[Action] = []
    if _is_match(table) and "rounds.manage" in can and (deciding := _deciding(table, round_)):
        decided = bool(table.shown.decided)
        label = _("Take the decision back") if decided else _("Walk-over or decision")
        verbs.append(Action(deciding, label))
    if "incidents.rule" in can:
        query = urlencode({"table": str(table.number), "round": str(round_.pk)})
        address_ = f"{reverse('referee-new', args=[slug])}?{query}"
        verbs.append(Action(address_, _("Rule: forfeit, penalty, play again")))
    if "incidents.read" in can:
        for number in rulings_at(round_, table.number):
            address_ = f"{reverse('referee-ruling', args=[slug, number])}?preview=undone#undone"
            verbs.append(Action(address_, _("Annul ruling %(n)d") % {"n": number}))
    if "entrants.manage" in can:
        verbs.append(Action(f"{reverse('desk-wishes', args=[slug])}#replace", _("Substitute")))
    return verbs


class Holdup(NamedTuple):
    """A table that holds up the round: its number and state, why and since when, and what helps it on."""

    table: int
    state: str
    label: str
    why: str
    since: str
    actions: list[Action]


def holdups(
    tables: list[RoomTable], round_: Round | None, can: Collection[str] = ()
) -> list[Holdup]:
    """Return the tables that delay the round, for ``parts/round/holdups.html``; ``can``: the
    reader's capabilities.

    A table that a player left offers only the ways to help it: its own page does not list them.
    """
    if round_ is None:
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
        Holdup(
            table.number,
            table.chip,
            words[table.state],
            table.why,
            _("for %(time)s") % {"time": timesince(table.since)} if table.since else "",
            ways_on(table, round_, can)
            if table.state == "left"
            else [Action(address(round_, table.number), _("Act"))],
        )
        for table in tables
        if table.state in words
    ]


def first_waiting_sheet(tables: list[RoomTable]) -> uuid.UUID | None:
    """Return the first game without an official result, in the order of the tables."""
    done = (SheetState.OFFICIAL, SheetState.VOID)
    return next(
        (
            sheet.pk
            for table in sorted(tables, key=lambda table: table.number)
            for sheet in table.sheets
            if sheet.state not in done and not table.settled
        ),
        None,
    )


def _signed_games(table: RoomTable) -> str:
    return f"{table.shown.games_signed}/{table.shown.games}"


class Tile(NamedTuple):
    """A table of the hall; ``label`` names its players."""

    number: int
    state: str
    line: str
    url: str
    label: str


def tiles(tables: list[RoomTable], round_: Round | None) -> list[Tile]:
    """Return every table by number, for ``parts/round/room.html``."""
    if round_ is None:
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
        Tile(
            table.number,
            table.chip,
            (table.shown.decided and _("decided"))
            or words.get(table.state, "")
            or (not table.shown.deals and f"{_('signed')}{_(':')} {_signed_games(table)}")
            or ngettext("%(n)d deal", "%(n)d deals", table.shown.deals) % {"n": table.shown.deals},
            address(round_, table.number),
            Name(", ".join(seat.entrant.name for seat in table.shown.seats)),
        )
        for table in sorted(tables, key=lambda table: table.number)
    ]


def table_of(round_: Round, number: int) -> Table | None:
    """Return one table of a round."""
    return Table.objects.filter(round=round_, number=number).first()
