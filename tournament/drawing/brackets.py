"""Knock-out, and pools followed by a main and a consolation knock-out.

The bracket is drawn once and stored (``plan``); every later round follows from the winners.
Withdrawn entrants lose by default: their opponents pass as if by a bye. A match without a winner
stops the next draw, because the director must decide it, never this module.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from scoring.texts import gettext_lazy as _
from tournament.pairing.certificate import certify
from tournament.pairing.chance import Chance
from tournament.pairing.knockout import Bracket, draw_knockout
from tournament.pairing.lots import group_sizes
from tournament.pairing.model import Drawn, DrawRefused, Kind, Progress, Table
from tournament.pairing.pools import draw_pools, main_and_consolation
from tournament.pairing.seating import at_fixed_places, with_duties

from .apart import LOTS_TRIED, SINCE, lay_out, meetings
from .locked import keep_matches
from .rules import DrawRules
from .spec import DrawnRound, Plan, RoundJson, Spec, long_table, short_table

DrawName = Literal["main", "consolation"]
NAMES: Final[tuple[DrawName, ...]] = ("main", "consolation")


def knock_out(spec: Spec, progress: Progress | None) -> DrawnRound:
    """Draw a knock-out from the stage's first round on."""
    plan = spec.plan.copy()
    if "main" not in plan:
        bracket = draw_knockout(spec.contestants, spec.seed, seeds=spec.rules.seeds)
        for attempt in range(1, LOTS_TRIED if spec.version >= SINCE and spec.wishes.bans else 1):
            if not any(
                two in spec.wishes.bans for *_at, two in meetings(1, bracket.round_tables(1, {}))
            ):
                break
            bracket = draw_knockout(
                spec.contestants, f"{spec.seed}|apart {attempt}", seeds=spec.rules.seeds
            )
        plan = {
            "main": list(bracket.places),
            "knockout_from": 1,
            "needed": bracket.rounds,
            "field": sorted(who.id for who in spec.contestants),
        }
    return _round(spec, plan)


def pools_and_knock_out(spec: Spec, progress: Progress | None) -> DrawnRound:
    """Draw pools by lot, each a round robin; then a knock-out of the best of each pool."""
    plan = spec.plan.copy()
    if "pools" not in plan:
        pools = lay_out(
            spec,
            lambda seed, people: draw_pools(
                people,
                seed,
                size=spec.rules.pool_size,
                seeds=spec.rules.seeds,
                version=spec.version,
            ),
            lambda laid: [
                met
                for pool in laid
                for one in pool.rounds
                for met in meetings(one.round_no, one.tables)
            ],
        )
        count = max(len(pool.rounds) for pool in pools)
        timetable: list[RoundJson] = []
        for number in range(count):
            playing = [pool for pool in pools if number < len(pool.rounds)]
            timetable.append(
                {
                    "tables": [short_table(t) for p in playing for t in p.rounds[number].tables],
                    "byes": [b for p in playing for b in p.rounds[number].byes],
                }
            )
        upper, lower = _beyond_pools([len(pool.members) for pool in pools], spec.rules)
        plan = {
            "pools": [list(pool.members) for pool in pools],
            "rounds": timetable,
            "field": sorted(who.id for who in spec.contestants),
            "needed": count + max((max(n, 1) - 1).bit_length() for n in (upper, lower)),
            "qualifiers": upper,
        }
    if spec.round_no <= len(plan["rounds"]):
        return _pool_round(spec, plan)
    if "knockout_from" not in plan:
        present = {who.id: who for who in spec.contestants}
        rankings = [[present[who] for who in pool if who in present] for pool in spec.results.pools]
        main, consolation = main_and_consolation(
            rankings, spec.seed, main=spec.rules.main, best_next=spec.rules.best_next
        )
        plan["knockout_from"] = spec.round_no
        if main is not None:
            plan["main"] = list(main.places)
        if consolation is not None and spec.rules.consolation:
            plan["consolation"] = list(consolation.places)
        sizes = [len(plan[name]) for name in NAMES if name in plan]
        plan["needed"] = spec.round_no - 1 + max(((n - 1).bit_length() for n in sizes), default=0)
    return _round(spec, plan)


def traded_in_brackets(plan: Plan, one: int, two: int) -> Plan:
    """Exchange the places of two entrants in a plan's brackets."""
    trade = {one: two, two: one}
    changed = plan.copy()
    for name in NAMES:
        if name in changed:
            changed[name] = [p if p is None else trade.get(p, p) for p in changed[name]]
    return changed


def rounds_of(entrants: int, rules: DrawRules, *, pools: bool) -> int:
    """Return the rounds of a bracket of so many entrants, with those of the pools before it."""
    if not pools:
        return (max(entrants, 1) - 1).bit_length()
    sizes = group_sizes(entrants, rules.pool_size)
    before = max((size - 1 + size % 2 for size in sizes), default=0)
    upper, lower = _beyond_pools(sizes, rules)
    return before + max((max(n, 1) - 1).bit_length() for n in (upper, lower))


def _beyond_pools(sizes: Sequence[int], rules: DrawRules) -> tuple[int, int]:
    """Return how many qualify from pools of these sizes for the knock-out, and how many for its consolation."""
    upper = sum(min(size, rules.main) for size in sizes)
    upper += min(rules.best_next, sum(size > rules.main for size in sizes))
    return upper, sum(sizes) - upper if rules.consolation else 0


def _pool_round(spec: Spec, plan: Plan) -> DrawnRound:
    """Return the pools' tables of this round; an entrant whose opponent has withdrawn sits out."""
    now = plan["rounds"][spec.round_no - 1]
    here = {who.id for who in spec.contestants}
    tables, byes = [], [b for b in now["byes"] if b in here]
    for row in now["tables"]:
        table = long_table(row)
        left = [p for p in table.players if p in here]
        if len(left) == len(table.players):
            tables.append(table)
        else:
            byes += left
    byes += sorted(here - set(plan["field"]))
    return _outcome(spec, plan, tables, byes, "pools")


def bracket_places(
    plan: Plan,
    won: Mapping[int, frozenset[int]],
    pools: Sequence[Sequence[Sequence[int]]],
    here: set[int],
    *,
    third_place: bool = False,
    left_lose: bool = True,
) -> dict[int, tuple[int, int, int]]:
    """Start number → (draw, first place, last place) as far as the stage is decided.

    Draw 0 is the main one, 1 the consolation, 2 the pool of the entrants in neither. Entrants
    beaten in the same round share its places; the others share the places from 1 on that are open
    to them. ``pools`` holds the members of each pool, tied ones together. ``won`` maps a round of
    the stage to the entrants who won or passed; ``here`` are the entrants who have not left.
    ``left_lose``: an entrant who left has lost the first match that they did not win, against any
    opponent, and no match has a winner before its opponent is known.
    """
    places: dict[int, tuple[int, int, int]] = {}
    for pool in pools:
        first = 1
        for group in pool:
            last = first + len(group) - 1
            places |= {number: (len(NAMES), first, last) for number in group}
            first = last + 1
    for draw, name in enumerate(NAMES):
        if name not in plan:
            continue
        bracket = Bracket(tuple(plan[name]), "")
        places |= {
            number: (draw, first, last)
            for number, (first, last) in _span_of_each(
                plan, won, bracket, here, waits=left_lose
            ).items()
        }
        if left_lose:
            lost = _spans_of_left(plan, won, bracket, here)
            places |= {number: (draw, first, last) for number, (first, last) in lost.items()}
        if name == "main" and third_place and bracket.rounds > 1:
            best = won.get(plan["knockout_from"] + bracket.rounds - 1, frozenset())
            beaten = [number for number, place in places.items() if place[:2] == (draw, 3)]
            through = [number for number in beaten if number in best]
            if len(through) == 1:
                places |= dict.fromkeys(beaten, (draw, 4, 4))
                places[through[0]] = (draw, 3, 3)
    return places


@dataclass(frozen=True, slots=True)
class Match:
    """Match of a bracket: its sides (``None`` for an empty or unknown place), and the winner, if known."""

    sides: tuple[int | None, int | None]
    winner: int | None


def bracket_rounds(
    plan: Plan, won: Mapping[int, frozenset[int]], name: DrawName, here: set[int]
) -> list[list[Match]]:
    """Return every round of a bracket of the plan (``main`` or ``consolation``), to its final."""
    bracket = Bracket(tuple(plan[name]), "")
    winners = _winners(won, plan, bracket, bracket.rounds + 1, here, [])
    rounds: list[list[Match]] = []
    for number in range(1, bracket.rounds + 1):
        matches = []
        for match in range(1, len(bracket.places) // 2**number + 1):
            if number == 1:
                one, two = bracket.places[2 * match - 2], bracket.places[2 * match - 1]
            else:
                one = winners.get((number - 1, 2 * match - 1))
                two = winners.get((number - 1, 2 * match))
            matches.append(Match((one, two), winners.get((number, match))))
        rounds.append(matches)
    return rounds


def _span_of_each(
    plan: Plan,
    won: Mapping[int, frozenset[int]],
    bracket: Bracket,
    here: set[int],
    *,
    waits: bool,
) -> dict[int, tuple[int, int]]:
    """Return the places that each entrant of a bracket has won, or may still win."""
    winners = _winners(won, plan, bracket, bracket.rounds + 1, here, [], waits=waits)
    size, everybody = len(bracket.places), [p for p in bracket.places if p is not None]
    spans: dict[int, tuple[int, int]] = {}
    for number in range(1, bracket.rounds + 1):
        for match in range(1, size // 2**number + 1):
            through = winners.get((number, match))
            last = min(size // 2 ** (number - 1), len(everybody))
            for who in _sides(bracket, number, match, winners):
                if through is None:
                    spans[who] = (1, last)
                elif who != through:
                    spans[who] = (size // 2**number + 1, last)
                elif number == bracket.rounds:
                    spans[who] = (1, 1)
                else:
                    spans[who] = (1, min(size // 2**number, len(everybody)))
    return spans


def _spans_of_left(
    plan: Plan, won: Mapping[int, frozenset[int]], bracket: Bracket, here: set[int]
) -> dict[int, tuple[int, int]]:
    """Return the places of withdrawn entrants: those of the last round that they reached and did not win."""
    size, everybody = len(bracket.places), [p for p in bracket.places if p is not None]
    spans: dict[int, tuple[int, int]] = {}
    for who in everybody:
        if who in here:
            continue
        for number in range(1, bracket.rounds + 1):
            if who not in won.get(plan["knockout_from"] + number - 1, ()):
                last = min(size // 2 ** (number - 1), len(everybody))
                spans[who] = (size // 2**number + 1, last)
                break
    return spans


def _round(spec: Spec, plan: Plan) -> DrawnRound:
    """Draw this round of every bracket of the stage."""
    here = {who.id for who in spec.contestants}
    number = spec.round_no - plan["knockout_from"] + 1
    tables: list[Table] = []
    byes: list[int] = []
    undecided: list[int] = []
    for name in NAMES:
        if name not in plan:
            continue
        bracket = Bracket(tuple(plan[name]), spec.seed)
        if number > bracket.rounds:
            continue
        winners = _winners(spec.results.won, plan, bracket, number, here, undecided)
        first = max((table.number for table in tables), default=0) + 1
        if number == 1:
            byes += [p for p in bracket.byes() if p in here]
        for table in bracket.round_tables(number, winners, first):
            left = [p for p in table.players if p in here]
            if len(left) == 2:
                tables.append(table)
            else:
                byes += left
        if name == "main" and spec.rules.third_place and number == bracket.rounds > 1:
            losers = _beaten(bracket, number - 1, winners, here)
            if len(losers) == 2:
                top = max((table.number for table in tables), default=0)
                tables.append(Table(top + 1, Kind.MATCH, (losers[0], losers[1])))
            else:
                byes += losers
    if undecided:
        listed = ", ".join(map(str, sorted(undecided)))
        raise DrawRefused(
            "no_winner",
            _(
                "These matches have no winner yet: numbers {listed}. Sign or decide them first."
            ).format(listed=listed),
            tuple(sorted(undecided)),
        )
    if not tables and not byes:
        raise DrawRefused(
            "over",
            _("The knock-out is over."),
        )
    return _outcome(spec, plan, tables, byes, "knockout")


def _winners(
    won_in: Mapping[int, frozenset[int]],
    plan: Plan,
    bracket: Bracket,
    number: int,
    here: set[int],
    undecided: list[int],
    *,
    waits: bool = True,
) -> dict[tuple[int, int], int]:
    """(round, match) → winner for every round of the bracket before ``number``.

    ``waits``: a side whose opponent is not known yet has not won; only an empty place is a bye.
    """
    winners: dict[tuple[int, int], int] = {}
    for past in range(1, number):
        won = won_in.get(plan["knockout_from"] + past - 1, frozenset())
        for match in range(1, len(bracket.places) // 2**past + 1):
            sides = _sides(bracket, past, match, winners)
            if len(sides) < 2:
                if sides and (past == 1 or not waits or _is_bye(bracket, past, match)):
                    winners[past, match] = sides[0]
                continue
            through = [p for p in sides if p in won] or [p for p in sides if p in here]
            if len(through) == 1:
                winners[past, match] = through[0]
            elif not through:
                # Both have withdrawn: one must fill the place so that the next opponent can pass.
                winners[past, match] = sides[0]
            else:
                undecided += sides
    return winners


def _is_bye(bracket: Bracket, past: int, match: int) -> bool:
    """Return whether one half of the bracket below a match is empty."""
    half = 2 ** (past - 1)
    first = (match - 1) * 2 * half
    halves = (bracket.places[first : first + half], bracket.places[first + half : first + 2 * half])
    return any(all(place is None for place in places) for places in halves)


def _sides(
    bracket: Bracket, past: int, match: int, winners: dict[tuple[int, int], int]
) -> list[int]:
    """Return the sides of a match; a single one when the other place is empty or not known yet."""
    if past == 1:
        places = bracket.places[2 * match - 2 : 2 * match]
        return [p for p in places if p is not None]
    before = [winners.get((past - 1, 2 * match - 1)), winners.get((past - 1, 2 * match))]
    return [p for p in before if p is not None]


def _beaten(
    bracket: Bracket, number: int, winners: dict[tuple[int, int], int], here: set[int]
) -> list[int]:
    """Return the losers of a round who are still in the event, in order of their matches."""
    out = []
    for match in range(1, len(bracket.places) // 2**number + 1):
        through = winners.get((number, match))
        out += [p for p in _sides(bracket, number, match, winners) if p != through and p in here]
    return out


def _outcome(
    spec: Spec, plan: Plan, tables: Sequence[Table], byes: Sequence[int], name: str
) -> DrawnRound:
    ordered = tuple(sorted(tables, key=lambda table: table.number))
    out = tuple(sorted(set(byes)))
    request = spec.request()
    people = {who.id: who for who in spec.contestants}
    lots = Chance(spec.seed, f"round {spec.round_no}|duties")
    placed = keep_matches(spec, at_fixed_places(ordered, people))
    locked = set(spec.wishes.locked)
    fresh = [table for table in placed if table not in locked]
    history = request.history.after(spec.wishes.locked)
    shared = with_duties(fresh, history, people, lots)
    ordered = tuple(sorted((*spec.wishes.locked, *shared), key=lambda table: table.number))
    return DrawnRound(
        Drawn(
            spec.round_no,
            name,
            spec.seed,
            ordered,
            out,
            certify(request, ordered, out),
            (),
            tuple(sorted(spec.wishes.held)),
        ),
        plan,
    )
