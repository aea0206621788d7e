"""Why this table: the reasons of one table in sentences that a player can check.

Every sentence is counted from the request and the table, not remembered from the search.
"""

from __future__ import annotations

from itertools import combinations

from scoring.texts import Message
from scoring.texts import gettext_lazy as _

from .filling import filling_players
from .model import Drawn, Kind, Request, Table, pair

_MOVEMENTS = {
    "columns": _("Planned in advance: this stage was laid out so that no two players meet twice."),
    "search": _("Computed: players were swapped between tables until no swap improved the draw."),
    "look-ahead": _("Look-ahead: this round was drawn together with those still to come."),
    "every": _("Every possible draw was weighed; this one was drawn by lot among the best."),
    "whist": _("Whist movement: everybody partners everybody once and opposes everybody twice."),
    "swiss-halves": _(
        "Swiss: within equal scores the top half meets the bottom half, at the lowest total cost."
    ),
    "swiss-neighbours": _("Swiss: neighbours in the ranking meet, at the lowest total cost."),
    "swiss-lots": _("Swiss: nobody is seeded and nothing is played, so the matches came by lot."),
    "swiss-seeds": _(
        "Swiss: nothing is played, so the seeded come first and the others after them by lot."
    ),
}


def explain(request: Request, drawn: Drawn, number: int) -> tuple[Message, ...]:
    """Return the reasons for table ``number``; :class:`KeyError` when there is no such table."""
    table = next((t for t in drawn.tables if t.number == number), None)
    if table is None:
        raise KeyError(number)
    out = []
    if table in request.wishes.locked:
        out.append(_("The director locked this table."))
    elif drawn.movement in _MOVEMENTS:
        out.append(_MOVEMENTS[drawn.movement])
    out.append(_meetings(request, table))
    if table.kind is Kind.PARTNERS:
        out.append(_partners(request, table))
    if filling_players(request.kind, [table]):
        out.append(_filling(request, table))
    out += _people(request, table)
    out += _duties(request, table)
    out.append(_("Lots: public draw code “{seed}”.").format(seed=drawn.seed))
    return tuple(out)


def _names(pairs: list[tuple[int, int]]) -> str:
    return ", ".join(f"{a}–{b}" for a, b in pairs)


def _meetings(request: Request, table: Table) -> Message:
    met = [m for m in table.meetings() if request.history.meetings.get(m, 0)]
    if not met:
        return _("No two players at this table have met before.")
    return _("Have met before: {names}.").format(names=_names(met))


def _partners(request: Request, table: Table) -> Message:
    again = [m for m in table.partners() if request.history.partners.get(m, 0)]
    if not again:
        return _("Both partnerships are new.")
    return _("Partners again: {names}.").format(names=_names(again))


def _filling(request: Request, table: Table) -> Message:
    had = ", ".join(f"{p}: {request.history.byes.get(p, 0)}×" for p in table.players)
    return _(
        "Three players, because the number is not a multiple of four: does not count for the standings, credited "
        "as a bye. Such turns before: {had}."
    ).format(had=had)


def _people(request: Request, table: Table) -> list[Message]:
    people = {c.id: c for c in request.contestants}
    seated = [people[p] for p in table.players if p in people]
    out = []
    clash = [pair(a.id, b.id) for a, b in combinations(seated, 2) if a.club and a.club == b.club]
    if clash:
        out.append(_("Same club: {names}.").format(names=_names(clash)))
    if request.by_score or table.kind is Kind.MATCH:
        scores = ", ".join(str(c.score) for c in seated)
        out.append(_("Scores before the round: {scores}.").format(scores=scores))
    out += [
        _("Number {number} keeps table {table}.").format(number=c.id, table=c.fixed_table)
        for c in seated
        if c.fixed_table
    ]
    return out


def _duties(request: Request, table: Table) -> list[Message]:
    out = []
    if table.scorekeeper is not None:
        times = request.history.scorekeepers.get(table.scorekeeper, 0)
        who = table.scorekeeper
        out.append(
            _("Scorekeeper {number}: had the duty {times}× before.").format(number=who, times=times)
        )
    if table.dealer is not None:
        times = request.history.dealers.get(table.dealer, 0)
        out.append(
            _("First dealer {number}: dealt first {times}× before.").format(
                number=table.dealer, times=times
            )
        )
    return out
