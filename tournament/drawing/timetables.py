"""Formats laid out whole before the first round: Mitchell, round robin, Rainbow, Whist.

The timetable is made for the field of the first draw, and stored unchanged. Later changes of the
field (rules specification D.2):

* An entrant who leaves is a hole: a pair that should have met them sits out; the others of an
  individual table are drawn among themselves and any free players, as far as tables of four go.
* A late entrant takes the place of one who left, in order of start numbers, for the rest of the
  stage. Without such a place an individual is redrawn with others or sits out; a pair plays the pair
  that would sit out, when the number was odd, and is otherwise refused with the time of its entry.
* An entrant who returns takes their own place again, unless it was given away.

Individuals without a place in the timetable sit out in turn: a player who has sat out more often
than a seated one takes that seat for the round (:mod:`.sitting_out`). So a Rainbow is laid out for
the largest multiple of four, and one to three players sit out in every round.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import count

from scoring.texts import gettext_lazy as _
from scoring.texts import ngettext_lazy
from tournament.pairing.berger import draw_round_robin
from tournament.pairing.certificate import certify
from tournament.pairing.championship import draw_championship
from tournament.pairing.chance import Chance
from tournament.pairing.fixed import by_lot, refuse_number
from tournament.pairing.mitchell import draw_mitchell
from tournament.pairing.model import (
    Contestant,
    Drawn,
    DrawRefused,
    Kind,
    Progress,
    Table,
)
from tournament.pairing.seating import at_fixed_places, with_duties
from tournament.pairing.whist import draw_rainbow, draw_whist, longest_movement

from .apart import Met, lay_out, meetings
from .locked import keep_matches, no_place
from .sitting_out import in_turn
from .spec import DrawnRound, Plan, RoundJson, Spec, long_table, short_table

Make = Callable[[Sequence[Contestant], str], Sequence[Drawn]]
"""The timetable of a field by a draw code."""


def mitchell(spec: Spec, progress: Progress | None) -> DrawnRound:
    """N–S stay, E–W move up."""
    return follow(
        spec, lambda field, seed: draw_mitchell(field, spec.rounds, seed), "mitchell", progress
    )


def round_robin(spec: Spec, progress: Progress | None) -> DrawnRound:
    """Draw a round robin by the Berger table, single or double."""
    twice = spec.rules.twice

    def make(field: Sequence[Contestant], seed: str) -> Sequence[Drawn]:
        return draw_round_robin(field, seed, twice=twice)

    return follow(spec, make, "round-robin", progress)


def movement(spec: Spec, progress: Progress | None) -> DrawnRound:
    """Draw a Rainbow or a Whist tournament."""
    if spec.kind is Kind.SOLO or spec.kind is Kind.MATCH:
        raise DrawRefused(
            "kind",
            _("A fixed movement seats four players, two against two."),
        )
    if spec.rules.movement == "whist":
        return follow(
            spec, lambda field, seed: draw_whist(field, seed, spec.rounds), "whist", progress
        )
    return follow(spec, lambda field, seed: _rainbow(spec, field, seed), "rainbow", progress)


def _rainbow(spec: Spec, field: Sequence[Contestant], seed: str) -> Sequence[Drawn]:
    """Draw a Rainbow of any number; :class:`DrawRefused` ``number`` gives the largest number of rounds."""
    n = len(field)
    most = longest_movement("rainbow", n)
    if spec.rounds > most:
        raise refuse_number(
            ngettext_lazy(
                "A Rainbow of {players} players lasts at most {most} round, not {rounds}: plan fewer, or draw an individual championship.",
                "A Rainbow of {players} players lasts at most {most} rounds, not {rounds}: plan fewer, or draw an individual championship.",
                "most",
            ).format(players=n, most=most, rounds=spec.rounds)
        )
    order = by_lot(field, seed, "over")
    order.sort(key=lambda who: not (who.fixed_table or who.fixed_seat))
    return draw_rainbow(order[: n - n % 4], spec.rounds, seed)


def _field_of(rounds: Sequence[Drawn]) -> list[int]:
    """Return the entrants with a place in the timetable."""
    return sorted(
        {p for one in rounds for table in one.tables for p in table.players}
        | {p for one in rounds for p in one.byes}
    )


def timetable_json(rounds: Sequence[Drawn]) -> list[RoundJson]:
    """Return a timetable in plain values."""
    return [
        {"tables": [short_table(t) for t in one.tables], "byes": list(one.byes)} for one in rounds
    ]


def follow(spec: Spec, make: Make, name: str, progress: Progress | None) -> DrawnRound:
    """Return the stage's timetable in this round, with holes and late players filled in.

    Raises :class:`DrawRefused` ``number`` where the movement does not exist for the field, and
    ``over`` after its last round.
    """
    held = spec.wishes.held
    if "rounds" in spec.plan:
        plan = spec.plan.copy()
    else:
        field = [who for who in spec.contestants if who.id not in held]
        rounds = lay_out(spec, lambda seed, _: make(field, seed), lambda laid: _met(spec, laid))
        if spec.kind is Kind.ROTATION:
            rounds = [replace(one, tables=_rotating(one.tables)) for one in rounds]
        plan = {
            "rounds": timetable_json(rounds),
            "field": _field_of(rounds),
            "stand_in": {},
            "needed": len(rounds),
        }
    if spec.round_no > len(plan["rounds"]):
        raise DrawRefused(
            "over",
            ngettext_lazy(
                "This movement ends after {rounds} round.",
                "This movement ends after {rounds} rounds.",
                "rounds",
            ).format(rounds=len(plan["rounds"])),
        )
    stand_in, unplaced = _places(spec, plan)
    plan["stand_in"] = stand_in
    if plan.get("guest") in stand_in.values():
        del plan["guest"]
    now = plan["rounds"][spec.round_no - 1]
    locked = {p for table in spec.wishes.locked for p in table.players}
    here = {who.id for who in spec.contestants} - held
    byes = [p for p in (stand_in.get(str(b), b) for b in now["byes"]) if p in here]
    if spec.kind is Kind.MATCH:
        locked = set()
        unplaced = _guest(plan, unplaced, here)
    whole, loose = [], [p for p in unplaced if p not in locked]
    for row in now["tables"]:
        table = _with_stand_ins(long_table(row), stand_in)
        left = [p for p in table.players if p in here and p not in locked]
        if len(left) == len(table.players):
            whole.append(table)
        else:
            loose += left
    if spec.kind is Kind.MATCH and plan.get("guest") in here and len(byes) == 1:
        taken = {row[0] for row in now["tables"]}
        free = next(number for number in count(1) if number not in taken)
        whole.append(Table(free, Kind.MATCH, (byes.pop(), plan["guest"])))
    elif plan.get("guest") in here:
        byes.append(plan["guest"])
    byes = [b for b in byes if b not in locked]
    return _fill(spec, plan, whole, byes, loose, name, progress)


def _met(spec: Spec, rounds: Sequence[Drawn]) -> Iterator[Met]:
    """Yield the meetings of a timetable in the rounds that the stage plays."""
    for one in rounds[: spec.rounds or len(rounds)]:
        yield from meetings(one.round_no, one.tables)


def _guest(plan: Plan, unplaced: Sequence[int], here: set[int]) -> list[int]:
    """Give the first late pair the empty place of an odd field, if it is free.

    Raises :class:`DrawRefused` ``no_place`` for the others.
    """
    waiting = [p for p in unplaced if p != plan.get("guest")]
    if waiting and len(plan["field"]) % 2 and plan.get("guest") not in here:
        plan["guest"] = waiting.pop(0)
    if waiting:
        raise no_place(waiting)
    return []


def _rotating(tables: Sequence[Table]) -> tuple[Table, ...]:
    """Give tables of one match the three rotations: N is A, then their partner, and E, W."""
    return tuple(
        replace(
            t,
            kind=Kind.ROTATION,
            players=(t.players[0], t.players[2], t.players[1], t.players[3]),
        )
        for t in tables
    )


def _places(spec: Spec, plan: Plan) -> tuple[dict[str, int], list[int]]:
    """Return the stand-ins from now on, and the entrants without a place in the timetable."""
    here = sorted(who.id for who in spec.contestants if who.id not in spec.wishes.held)
    stand_ins: dict[str, int] = {
        gone: now
        for gone, now in plan["stand_in"].items()
        if now in here or now in spec.wishes.held
    }
    placed = set(stand_ins.values()) | {p for p in plan["field"] if str(p) not in stand_ins}
    present = set(here) | spec.wishes.held
    holes = [p for p in plan["field"] if str(p) not in stand_ins and p not in present]
    unplaced = [p for p in here if p not in placed]
    for gone in holes:
        if not unplaced:
            break
        stand_ins[str(gone)] = unplaced.pop(0)
    return stand_ins, unplaced


def _with_stand_ins(table: Table, stand_in: dict[str, int]) -> Table:
    def now(who: int | None) -> int | None:
        return None if who is None else stand_in.get(str(who), who)

    players = tuple(stand_in.get(str(p), p) for p in table.players)
    return replace(
        table, players=players, scorekeeper=now(table.scorekeeper), dealer=now(table.dealer)
    )


def _to_come(spec: Spec, plan: Plan) -> list[tuple[int, ...]]:
    """Return the complete tables of the later rounds."""
    here = {who.id for who in spec.contestants}
    out = []
    for one in plan["rounds"][spec.round_no :]:
        for row in one["tables"]:
            table = _with_stand_ins(long_table(row), plan["stand_in"])
            if here.issuperset(table.players):
                out.append(table.players)
    return out


def _byes_to_come(spec: Spec, plan: Plan) -> frozenset[int]:
    """Return the entrants who have a bye in a later round of the timetable."""
    later = plan["rounds"][spec.round_no :]
    return frozenset(plan["stand_in"].get(str(b), b) for one in later for b in one["byes"])


def _fill(
    spec: Spec,
    plan: Plan,
    whole: list[Table],
    byes: list[int],
    loose: list[int],
    name: str,
    progress: Progress | None,
) -> DrawnRound:
    """Return the complete tables, with the players of broken ones redrawn where they fill a table."""
    request = spec.request()
    locked = spec.wishes.locked
    tables = whole
    if spec.kind is Kind.MATCH:
        tables = [t for t in keep_matches(spec, whole) if t not in locked]
    else:
        taken = {table.number for table in locked}
        top = max((table.number for table in (*whole, *locked)), default=0)
        moved = count(top + 1)
        tables = [replace(t, number=next(moved)) if t.number in taken else t for t in whole]
    individual = spec.kind is not Kind.MATCH
    if individual and spec.version >= 3 and byes and len(loose) % 4 + len(byes) >= 4:
        # The entrants with a bye complete a table with the players of the broken ones.
        loose, byes = [*loose, *byes], []
    if individual and len(loose) >= 4:
        people = tuple(who for who in spec.contestants if who.id in set(loose))
        taken = {table.number for table in (*tables, *locked)}
        free = (number for number in count(1) if number not in taken)
        again = draw_championship(
            replace(
                request,
                contestants=people,
                slots=(),
                wishes=replace(request.wishes, locked=(), held=frozenset()),
            ),
            progress,
        )
        tables = [*tables, *(replace(t, number=next(free)) for t in again.tables)]
        loose = list(again.byes)
    if individual:
        tables, loose = in_turn(
            spec, tables, loose, _byes_to_come(spec, plan), keep_first=name == "rainbow"
        )
    out = tuple(sorted({*byes, *loose}))
    tables = sorted(tables, key=lambda table: table.number)
    if not tables and not locked:
        raise DrawRefused(
            "too_few",
            _("Too few players for a table."),
        )
    people_by_id = {who.id: who for who in spec.contestants}
    lots = Chance(spec.seed, f"{name}|round {spec.round_no}|duties")
    placed = at_fixed_places(tables, people_by_id, locked)
    shared = with_duties(
        placed, request.history.after(locked), people_by_id, lots, _to_come(spec, plan)
    )
    tables = sorted((*locked, *shared), key=lambda table: table.number)
    drawn = Drawn(
        spec.round_no,
        name,
        spec.seed,
        tuple(tables),
        out,
        certify(request, tables, out),
        (),
        tuple(sorted(spec.wishes.held)),
    )
    return DrawnRound(drawn, plan)
