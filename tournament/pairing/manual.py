"""The director's hand: change a draw and see what the change costs before making it.

Every function takes the request the draw was made for and the draw, and answers a :class:`Change`: the
new draw with its own certificate, and the difference of every line. Nothing is changed in place, so
"undo" is keeping the old draw.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from scoring.texts import gettext_lazy as _

from .certificate import certify
from .chance import Chance
from .model import (
    Certificate,
    Contestant,
    Drawn,
    DrawRefused,
    History,
    Kind,
    Request,
    Table,
    pair,
)
from .seating import duties, seat_table, with_duties
from .swiss import weigh_matches
from .swiss_costs import ByeFor, Order


@dataclass(frozen=True, slots=True)
class Change:
    """A changed draw and, code by code, by how much each line of its certificate moves."""

    after: Drawn
    delta: Mapping[str, int]

    @property
    def worse(self) -> tuple[str, ...]:
        """The codes that get worse."""
        return tuple(code for code, by in self.delta.items() if by > 0)


def _certificate(
    request: Request, drawn: Drawn, tables: Sequence[Table], byes: Iterable[int]
) -> Certificate:
    if drawn.movement.startswith("swiss-"):
        named = drawn.movement.removeprefix("swiss-")
        order = Order(named) if named in set(Order) else Order.HALVES
        return weigh_matches(request, tables, tuple(byes), order, ByeFor.LAST)
    return certify(request, tables, tuple(byes))


def _changed(
    request: Request, drawn: Drawn, tables: Sequence[Table], byes: Iterable[int]
) -> Change:
    """Weigh ``tables`` against the draw; both certificates are counted the same way."""
    before = _certificate(request, drawn, drawn.tables, drawn.byes).values()
    ordered = tuple(sorted(tables, key=lambda t: t.number))
    out = tuple(sorted(byes))
    certificate = _certificate(request, drawn, ordered, out)
    after = replace(drawn, tables=ordered, byes=out, certificate=certificate)
    values = certificate.values()
    return Change(after, {code: values[code] - before.get(code, 0) for code in values})


def _unknown(who: int) -> DrawRefused:
    return DrawRefused(
        "unknown",
        _("Number {number} is not in this draw.").format(number=who),
        (who,),
    )


def swap(request: Request, drawn: Drawn, one: int, two: int) -> Change:
    """Exchange two contestants: both seated (also at one table), or one of them sitting out.

    The duties of a table go to the person who sits on the seat that had them, unless the newcomer must not
    keep the score: then they are assigned again.
    """
    known = {p for t in drawn.tables for p in t.players} | set(drawn.byes)
    for who in (one, two):
        if who not in known:
            raise _unknown(who)
    trade = {one: two, two: one}
    people = {c.id: c for c in request.contestants}
    tables = [_traded(t, trade, request.history, people) for t in drawn.tables]
    return _changed(request, drawn, tables, [trade.get(b, b) for b in drawn.byes])


def _traded(
    table: Table, trade: Mapping[int, int], history: History, people: Mapping[int, Contestant]
) -> Table:
    if not any(p in trade for p in table.players):
        return table
    players = tuple(trade.get(p, p) for p in table.players)
    # A duty stays with its player if they are still at the table, else with the seat.
    keeper, dealer = table.scorekeeper, table.dealer
    if keeper is not None and keeper not in players:
        keeper = trade[keeper]
        person = people.get(keeper)
        if person is not None and not person.scorekeeper:
            keeper = duties(players, history, people, Chance("", f"table {table.number}"))[0]
    if dealer is not None and dealer not in players:
        dealer = trade[dealer]
    return replace(table, players=players, scorekeeper=keeper, dealer=dealer)


def move_table(request: Request, drawn: Drawn, number: int, to: int) -> Change:
    """Give a table another number; a table that has it takes the old one."""
    if number not in {t.number for t in drawn.tables}:
        raise _unknown(number)
    trade = {number: to, to: number}
    tables = [replace(t, number=trade.get(t.number, t.number)) for t in drawn.tables]
    return _changed(request, drawn, tables, drawn.byes)


def replace_contestant(request: Request, drawn: Drawn, old: int, new: Contestant) -> Change:
    """Put ``new`` on the seat of ``old`` (a replacement after the draw).

    The new contestant brings their own club and history; the slot of the stage passes to them.
    """
    known = {p for t in drawn.tables for p in t.players} | set(drawn.byes)
    if old not in known:
        raise _unknown(old)
    if new.id in known:
        raise DrawRefused(
            "twice",
            _("Number {number} is already in this draw.").format(number=new.id),
            (new.id,),
        )
    others = tuple(c for c in request.contestants if c.id not in (old, new.id))
    request = replace(request, contestants=(*others, new))
    people = {c.id: c for c in request.contestants}
    trade = {old: new.id}
    tables = [_traded(t, trade, request.history, people) for t in drawn.tables]
    change = _changed(request, drawn, tables, [trade.get(b, b) for b in drawn.byes])
    slots = tuple(trade.get(s, s) for s in drawn.slots)
    return replace(change, after=replace(change.after, slots=slots))


def seat_held(request: Request, drawn: Drawn, players: Sequence[int], number: int) -> Change:
    """Seat together, at a free table, players who were held while their table was still playing.

    ``players`` may also name who sits out. They leave :attr:`Drawn.held` and the byes.
    """
    group = tuple(players)
    free = set(drawn.held) | set(drawn.byes)
    for who in group:
        if who not in free:
            raise _unknown(who)
    if number in {t.number for t in drawn.tables}:
        raise DrawRefused(
            "table_taken",
            _("Table {number} is taken.").format(number=number),
        )
    if len(group) not in (3, 4) and request.kind in (Kind.PARTNERS, Kind.ROTATION):
        raise DrawRefused(
            "size",
            _("A table needs four players, or three."),
        )
    people = {c.id: c for c in request.contestants}
    label = f"round {request.round_no}|held"
    bare = seat_table(number, group, request.kind, request.history, people, drawn.seed, label)
    lots = Chance(drawn.seed, f"{label}|duties {number}")
    (table,) = with_duties([bare], request.history, people, lots)
    held = tuple(h for h in drawn.held if h not in group)
    byes = [b for b in drawn.byes if b not in group]
    change = _changed(request, drawn, (*drawn.tables, table), byes)
    return replace(change, after=replace(change.after, held=held))


def cheapest_swaps(
    request: Request, drawn: Drawn, who: int, limit: int = 10
) -> tuple[tuple[int, int], ...]:
    """Return the contestants at other tables that are the best exchanges for ``who``.

    Each is ``(id, repeated meetings added)``, best first, at most ``limit``. Only meetings and bans
    are weighed (a ban counts as 1,000); :func:`swap` computes the full cost of one exchange.
    """
    here = drawn.table_of(who)
    if here is None:
        raise _unknown(who)
    met = request.history.meetings

    def cost(players: Sequence[int]) -> int:
        keys = [pair(a, b) for a, b in combinations(players, 2)]
        return sum((met.get(k, 0) > 0) + 1000 * (k in request.wishes.bans) for k in keys)

    locked = {t.number for t in request.wishes.locked}
    out = []
    for there in drawn.tables:
        if there.number == here.number or there.number in locked:
            continue
        now = cost(here.players) + cost(there.players)
        for other in there.players:
            one = [other if p == who else p for p in here.players]
            two = [who if p == other else p for p in there.players]
            out.append((other, cost(one) + cost(two) - now))
    return tuple(sorted(out, key=lambda item: (item[1], item[0]))[:limit])
