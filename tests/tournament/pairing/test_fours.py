"""Seventeen to twenty-four players: the best of all draws, and the order of the criteria."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from hashlib import sha256
from itertools import combinations

import pytest

from tests.tournament.pairing.hall import chi_squared, mostly_below
from tournament.drawing.formats import draw
from tournament.drawing.rules import DrawRules
from tournament.drawing.spec import Before, DrawnRound, Spec
from tournament.pairing.chance import Chance
from tournament.pairing.exact import Field
from tournament.pairing.fours import FieldOfFours
from tournament.pairing.model import Contestant, DrawRefused, Kind, Pair, Wishes, pair

CLUBS = {number: "ABCDE"[number % 5] for number in range(1, 25)}


def first_round(
    format_: str,
    players: int,
    kind: Kind,
    *,
    rounds: int = 1,
    bans: frozenset[Pair] = frozenset(),
    clubs: dict[int, str] | None = None,
) -> Spec:
    field = tuple(
        Contestant(number, rating=-number, club=(clubs or {}).get(number, ""))
        for number in range(1, players + 1)
    )
    return Spec(
        format_, DrawRules(), kind, field, 1, rounds, f"gold {players}", wishes=Wishes(bans=bans)
    )


def evening(spec: Spec) -> list[DrawnRound]:
    """Draw all rounds of a stage."""
    drawn: list[DrawnRound] = []
    for number in range(1, spec.rounds + 1):
        drawn.append(draw(replace(spec, round_no=number)))
        spec = replace(
            spec,
            before=(*spec.before, Before(drawn[-1].drawn.tables, drawn[-1].drawn.byes)),
            slots=drawn[-1].drawn.slots,
            plan=drawn[-1].plan,
        )
    return drawn


def met_after(players: int, rounds: int) -> set[tuple[int, ...]]:
    """Return the pairs that have met after random rounds."""
    met: set[tuple[int, ...]] = set()
    for number in range(rounds):
        order = Chance("met", str(number)).shuffled(range(players))
        for at in range(0, players - 3, 4):
            met |= {tuple(sorted(two)) for two in combinations(order[at : at + 4], 2)}
    return met


@pytest.mark.guide("formats#the-draw-report")
@pytest.mark.parametrize("rounds", [3, 5])
def test_seventeen_players_have_the_least_that_sixteen_of_them_have(rounds: int) -> None:
    met = met_after(17, rounds)

    def again(table: tuple[int, ...]) -> int:
        return sum(two in met for two in combinations(table, 2))

    solved = FieldOfFours(range(17), 1, lambda table: (again(table),))
    for out in (0, 8, 16):
        here = [player for player in range(17) if player != out]
        best = solved.draw([[out]], Chance("seed", str(out)))
        least = Field(here, [4] * 4, lambda table: (again(table), 0)).best([()])
        assert best is not None
        assert least is not None
        assert best.price == least[0]
        assert best.out == (out,)
        assert sorted(player for table in best.tables for player in table) == here
        assert sum(again(table) for table in best.tables) == best.price[0]


def test_the_terms_outweigh_each_other_in_their_order_and_a_table_may_be_forbidden() -> None:
    def price(table: tuple[int, ...]) -> tuple[int, ...] | None:
        if {0, 1} <= set(table):
            return None
        return (3 * (0 in table and 2 in table), 1 - (0 in table and 3 in table), len(table))

    best = FieldOfFours(range(20), 0, price).draw([()], Chance("seed", "terms"))
    assert best is not None
    mine = next(table for table in best.tables if 0 in table)
    assert 3 in mine
    assert not {1, 2} & set(mine)
    assert FieldOfFours(range(17), 1, lambda _table: None).draw([[3]], Chance("a", "b")) is None


@pytest.mark.guide("formats#the-draw-report")
def test_of_seatings_equally_good_each_is_as_likely() -> None:
    # Only three whole tables are good; the last four and the player who sits out come from five: five ways.
    good = [(0, 1, 2, 3), (4, 5, 6, 7), (8, 9, 10, 11)]
    solved = FieldOfFours(range(17), 1, lambda table: (table not in good,))
    outs = [[player] for player in range(17)]
    found = Counter(
        best.out for k in range(500) if (best := solved.draw(outs, Chance("seed", str(k))))
    )
    assert len(found) == 5
    assert chi_squared(found, 5, 500) < mostly_below(4)


@pytest.mark.guide("formats#the-draw-report")
@pytest.mark.parametrize("players", [17, 18, 21])
def test_every_round_of_a_club_evening_is_the_least_there_is(players: int) -> None:
    for drawn in evening(first_round("individual_draw", players, Kind.PARTNERS, rounds=4)):
        assert drawn.drawn.certificate["repeated_meetings"].optimal


@pytest.mark.guide("formats#wishes")
@pytest.mark.parametrize("format_", ["individual_draw", "random"])
@pytest.mark.parametrize("players", [5, 6, 7])
def test_a_ban_outweighs_whose_turn_it_is_to_sit_out(format_: str, players: int) -> None:
    bans = frozenset({(1, 2)})
    spec = first_round(format_, players, Kind.PARTNERS, rounds=5, bans=bans)
    for drawn in evening(spec):
        met = {m for table in drawn.drawn.tables for m in table.meetings()}
        assert not bans & met
    if players < 7:
        with pytest.raises(DrawRefused, match="apart"):
            evening(replace(spec, version=5))


@pytest.mark.guide("formats#wishes")
def test_in_pools_a_ban_outweighs_clubs() -> None:
    # Player 1 must not meet 3 and 4, who are of one club: separating that club would put one of them in player 1's
    # pool.
    clubs = {1: "A", 2: "A", 3: "B", 4: "B", 5: "C", 6: "C", 7: "D", 8: "D"}
    bans = frozenset({(1, 3), (1, 4)})
    spec = first_round("pools_ko", 8, Kind.MATCH, rounds=3, bans=bans, clubs=clubs)
    pools = draw(spec).plan["pools"]
    mine = next(pool for pool in pools if 1 in pool)
    assert not {3, 4} & set(mine)
    with pytest.raises(DrawRefused):
        draw(replace(spec, version=5))
    everybody = frozenset(pair(1, other) for other in range(2, 9))
    with pytest.raises(DrawRefused, match="No lots were found"):
        draw(replace(spec, wishes=Wishes(bans=everybody)))


OF_1_0_1 = (
    ("individual_draw", 18, Kind.PARTNERS, 4, "e16cb9a10fcfca58"),
    ("individual_draw", 11, Kind.PARTNERS, 3, "256aa355219d6e3c"),
    ("individual_draw", 20, Kind.SOLO, 3, "393388fefa168269"),
    ("random", 14, Kind.PARTNERS, 3, "d4006aac0a9d74bd"),
    ("pools_ko", 12, Kind.MATCH, 2, "31ee274563686af5"),
    ("pairs_swiss", 11, Kind.MATCH, 4, "5f55bc6183d0a3c4"),
    ("round_robin", 7, Kind.MATCH, 3, "ee8b1f4ff75fde70"),
)


@pytest.mark.guide("formats#the-draw-report")
@pytest.mark.parametrize(("format_", "players", "kind", "rounds", "kept"), OF_1_0_1)
def test_draws_of_1_0_1_are_drawn_again_as_they_were(
    format_: str, players: int, kind: Kind, rounds: int, kept: str
) -> None:
    wishes = format_ in ("random", "pools_ko")
    spec = first_round(
        format_,
        players,
        kind,
        rounds=rounds,
        bans=frozenset({(1, 2)} if wishes else ()),
        clubs=CLUBS if wishes else None,
    )
    drawn = [each.drawn for each in evening(replace(spec, version=5))]
    rows = [
        [[[table.number, *table.players] for table in one.tables], list(one.byes)] for one in drawn
    ]
    assert sha256(json.dumps(rows).encode()).hexdigest()[:16] == kept
