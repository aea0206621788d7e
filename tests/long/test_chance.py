"""Fairness of random draws: meetings, byes, North seats and pools, counted over up to 2,000 draw codes a format."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from math import comb

import pytest

from tests.tournament.pairing.hall import chi_squared, met, mostly_below
from tournament.drawing.formats import draw
from tournament.drawing.rules import read_rules
from tournament.drawing.spec import DrawnRound, Spec
from tournament.pairing.model import Contestant, Kind

pytestmark = pytest.mark.long
CODES = 2_000
MOVEMENTS = 300
"""Draw codes of a fixed movement, each of which lays out every round in a tenth of a second."""
WEIGHED = 60
"""Draw codes in fields of individuals where every draw is weighed, a third of a second each."""


def drawn(
    format_: str, players: int, kind: Kind, rounds: int, **rules: object
) -> Iterator[DrawnRound]:
    """Yield the first round of a stage for one draw code after another."""
    field = tuple(Contestant(number) for number in range(1, players + 1))
    weighed = format_ == "individual_draw" and players in (13, 14, 18)
    movement = format_ == "individual_movement"
    for code in range(WEIGHED if weighed else MOVEMENTS if movement else CODES):
        yield draw(Spec(format_, read_rules(rules), kind, field, 1, rounds, f"code {code}"))


def meetings(one: DrawnRound) -> Counter[object]:
    return Counter(met(one.drawn.tables))


def out(one: DrawnRound) -> Counter[object]:
    return Counter(one.drawn.byes)


def first_seats(one: DrawnRound) -> Counter[object]:
    return Counter(table.players[0] for table in one.drawn.tables)


def first_table(one: DrawnRound) -> Counter[object]:
    return Counter(one.drawn.tables[0].players)


def in_pools(one: DrawnRound) -> Counter[object]:
    return Counter((a, b) for pool in one.plan["pools"] for a in pool for b in pool if a < b)


Seen = Callable[[DrawnRound], Counter[object]]
PAIRS, ALONE, WHIST = Kind.MATCH, Kind.PARTNERS, {"movement": "whist"}
COUNTED: list[tuple[str, int, Kind, int, dict[str, object], tuple[Seen, ...]]] = [
    (
        "individual_draw",
        16,
        ALONE,
        5,
        {},
        (meetings, first_seats),
    ),
    ("individual_draw", 28, ALONE, 6, {}, (meetings,)),
    (
        "individual_draw",
        14,
        ALONE,
        4,
        {},
        (out, meetings),
    ),
    (
        "individual_draw",
        18,
        ALONE,
        4,
        {},
        (out, meetings),
    ),
    ("individual_draw", 13, Kind.SOLO, 4, {}, (meetings,)),
    (
        "individual_movement",
        16,
        ALONE,
        4,
        {},
        (meetings, first_seats),
    ),
    ("individual_movement", 13, ALONE, 5, WHIST, (out,)),
    ("individual_movement", 12, ALONE, 5, WHIST, (meetings,)),
    ("pairs_swiss", 8, PAIRS, 4, {}, (meetings,)),
    (
        "pairs_swiss",
        9,
        PAIRS,
        4,
        {},
        (out, first_seats),
    ),
    (
        "pairs_mitchell",
        10,
        PAIRS,
        4,
        {},
        (meetings, first_seats),
    ),
    (
        "round_robin",
        8,
        PAIRS,
        7,
        {},
        (meetings, first_table),
    ),
    ("round_robin", 7, PAIRS, 7, {}, (out,)),
    (
        "pools_ko",
        12,
        PAIRS,
        5,
        {},
        (in_pools, meetings),
    ),
    ("ko", 8, PAIRS, 3, {}, (meetings,)),
    ("ko", 11, PAIRS, 4, {}, (out,)),
    ("random", 16, ALONE, 3, {}, (meetings,)),
    ("random", 14, ALONE, 3, {}, (out,)),
    ("random", 8, PAIRS, 3, {"unit": "pair"}, (meetings,)),
    ("random", 13, ALONE, 3, {"odd": "threes"}, (meetings,)),
]
"""A stage, and the counts taken of its first round."""


@pytest.mark.parametrize(("format_", "players", "kind", "rounds", "rules", "seen"), COUNTED)
def test_nobody_is_favoured_whatever_the_codes(
    format_: str,
    players: int,
    kind: Kind,
    rounds: int,
    rules: dict[str, object],
    seen: tuple[Seen, ...],
) -> None:
    counts: list[Counter[object]] = [Counter() for _each in seen]
    for one in drawn(format_, players, kind, rounds, **rules):
        for count, what in zip(counts, seen, strict=True):
            count += what(one)
    for count, what in zip(counts, seen, strict=True):
        kinds = comb(players, 2) if what in (meetings, in_pools) else players
        assert len(count) == kinds, what
        assert chi_squared(count, kinds, count.total()) < mostly_below(kinds - 1), what
