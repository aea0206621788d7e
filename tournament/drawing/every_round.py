"""Formats whose every round is drawn by itself: individuals by table, the Swiss system, lots.

For rulebooks with one against all others (auctions, three players), individuals sit at tables of
the rulebook's size (:func:`alone`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations
from typing import Final

from scoring.texts import gettext_lazy as _
from tournament.pairing.byes import choose_byes, table_sizes
from tournament.pairing.certificate import certify
from tournament.pairing.championship import check_request, draw_championship, finish
from tournament.pairing.chance import Chance
from tournament.pairing.costs import apart, banned
from tournament.pairing.filling import put_right, turn_of
from tournament.pairing.lots import lots_into_groups
from tournament.pairing.model import (
    Certificate,
    Contestant,
    Drawn,
    DrawRefused,
    History,
    Kind,
    Progress,
    Request,
    Table,
)
from tournament.pairing.seating import at_fixed_places, with_duties
from tournament.pairing.solo import draw_solo
from tournament.pairing.swiss import draw_swiss
from tournament.pairing.swiss_costs import ByeFor, Order

from .spec import DrawnRound, Spec

LOTS_TRIED: Final = 200
"""Number of lots before the bans are declared impossible."""
BANS_FIRST_SINCE: Final = 6
"""From this version on a ban outweighs clubs and whose turn it is to sit out."""
FAMILIES_TRIED: Final = 40
"""Number of lots tried to separate families."""


def individual(spec: Spec, progress: Progress | None) -> DrawnRound:
    """Draw new tables and new partners in every round."""
    if spec.kind is Kind.SOLO:
        return alone(spec, progress)
    return DrawnRound(draw_championship(spec.request(), progress))


def alone(spec: Spec, progress: Progress | None) -> DrawnRound:
    """Tables where each plays for themselves; players who do not fit the rulebook's tables sit out in turn."""
    request = spec.request()
    sizes = [size for size in spec.players if 3 <= size <= 7]
    if len(sizes) > 1 or not sizes:
        return DrawnRound(draw_solo(request, spec.size, progress))
    return DrawnRound(draw_solo(request, sizes[0], progress, exactly=True))


def swiss(spec: Spec, progress: Progress | None) -> DrawnRound:
    """Draw the cheapest round of all, proven (docs/decisions/pairing.md)."""
    drawn = draw_swiss(
        spec.request(), Order(spec.rules.order), ByeFor(spec.rules.bye_for), progress
    )
    return DrawnRound(drawn)


def by_lot(spec: Spec, progress: Progress | None) -> DrawnRound:
    """Draw tables or matches by lot ("Tirage au sort"): clubs spread, bans respected, earlier rounds ignored."""
    if spec.kind is Kind.SOLO:
        return alone(spec, progress)
    request = spec.request()
    people = check_request(request)
    wishes = request.wishes
    away = wishes.held | {p for table in wishes.locked for p in table.players}
    free = [who for who in request.contestants if who.id not in away]
    protect = request.round_no <= wishes.clubs_apart_until
    families = (
        request.version >= 4
        and request.round_no <= wishes.families_apart_until
        and any(who.family for who in free)
    )
    tries = LOTS_TRIED if wishes.bans else FAMILIES_TRIED if families else 1
    best: tuple[tuple[int, int], tuple[Table, ...], tuple[int, ...], Certificate] | None = None
    turns_give_way = request.version >= BANS_FIRST_SINCE and bool(wishes.bans)
    for attempt in range(2 * tries):
        if attempt == tries and best is not None:
            break
        label = f"round {request.round_no}|lots" + (f"|{attempt}" if attempt else "")
        out_of_turn = turns_give_way and attempt >= tries
        byes, sizes = _sizes(request, free, label, in_turn=not out_of_turn)
        playing = [who for who in free if who.id not in byes]
        if out_of_turn:
            protect = False
        pool = playing if protect else [replace(who, club="") for who in playing]
        groups = [
            [who.id for who in group]
            for group in lots_into_groups(
                pool, sizes, request.seed, label=label, version=request.version
            )
        ]
        if attempt < tries:
            turn = turn_of((who.id for who in playing), 3 * sizes.count(3), request.history)
            put_right(
                groups,
                turn,
                lambda group: _clashes(request, group, people),
                Chance(request.seed, f"{label}|turn"),
            )
        elif 3 not in sizes and not turns_give_way:
            continue  # there was no turn to give way to the bans
        tables = _seat(request, groups, people)
        certificate = certify(request, tables, byes)
        if certificate["bans_broken"].value:
            continue
        clashes = (
            certificate["byes_repeated"].value if out_of_turn else 0,
            certificate["family_clashes"].value if families else 0,
        )
        if best is None or clashes < best[0]:
            best = clashes, tables, byes, certificate
        if not any(clashes):
            break
    if best is None:
        raise DrawRefused(
            "bans",
            _("No draw was found that keeps these players apart."),
        )
    _clashes_left, tables, byes, certificate = best
    return DrawnRound(
        Drawn(
            request.round_no,
            "lots",
            request.seed,
            tables,
            byes,
            certificate,
            (),
            tuple(sorted(wishes.held)),
        )
    )


def _sizes(
    request: Request, free: list[Contestant], label: str, *, in_turn: bool
) -> tuple[tuple[int, ...], list[int]]:
    """Return the entrants who sit out, and the sizes of the tables."""
    if request.kind is Kind.MATCH:
        out, sizes = len(free) % 2, [2] * (len(free) // 2)
    else:
        fours, threes, out = table_sizes(len(free), request.odd)
        sizes = [4] * fours + [3] * threes
    if not sizes and not request.wishes.locked:
        raise DrawRefused(
            "too_few",
            _("Too few players for a table."),
        )
    chance = Chance(request.seed, f"{label}|sitting out")
    history = request.history if in_turn else History()
    return choose_byes(free, out, history, chance, request.wishes.bye_first), sizes


def _clashes(request: Request, group: Sequence[int], people: dict[int, Contestant]) -> int:
    """Return the cost of a group: each ban outweighs all pairs of one club or family."""
    pairs = [(people[a], people[b]) for a, b in combinations(group, 2)]
    bans = sum(1 for a, b in pairs if banned(a, b, request))
    return len(people) ** 2 * bans + sum(1 for a, b in pairs if apart(a, b, request))


def _seat(
    request: Request, groups: list[list[int]], people: dict[int, Contestant]
) -> tuple[Table, ...]:
    """Turn the groups into tables with their duties; a match gets its sides by lot."""
    if request.kind is not Kind.MATCH:
        return finish(request, groups, people)
    taken = {table.number for table in request.wishes.locked}
    numbers = (n for n in range(request.first_table, 10**9) if n not in taken)
    drawn = []
    for number, (one, two) in zip(numbers, groups, strict=False):
        if Chance(request.seed, f"round {request.round_no}|side {number}").below(2):
            one, two = two, one
        drawn.append(Table(number, Kind.MATCH, (one, two)))
    history = request.history.after(request.wishes.locked)
    lots = Chance(request.seed, f"round {request.round_no}|duties")
    placed = at_fixed_places(drawn, people, request.wishes.locked)
    tables = [*request.wishes.locked, *with_duties(placed, history, people, lots)]
    return tuple(sorted(tables, key=lambda table: table.number))
