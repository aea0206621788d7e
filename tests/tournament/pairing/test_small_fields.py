"""Small fields: draws and the claims of their certificates, recounted over every possible draw.

The recount is independent: it lists every choice of byes and every seating, and counts directly.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations
from pathlib import Path

import pytest

from tests.sampled import one_in
from tests.tournament.pairing.hall import players
from tournament.drawing import formats
from tournament.drawing.rules import read_rules
from tournament.drawing.spec import Before, Spec, long_table, spec_as_json, spec_from_json
from tournament.pairing.certificate import certify
from tournament.pairing.championship import draw_championship
from tournament.pairing.chance import Chance
from tournament.pairing.exact import NEVER, Field, least_price
from tournament.pairing.model import Contestant, Drawn, History, Kind, Request, Table, Wishes

OF_0_2_0 = json.loads((Path(__file__).parent / "data" / "draws_of_0_2_0.json").read_text("utf-8"))

Groups = list[tuple[int, ...]]
CHAMPIONSHIP = ("individual_draw", (4,), 4)
THREES = ("individual_draw", (3,), 3)


def seatings(left: frozenset[int], sizes: tuple[int, ...]) -> Iterator[Groups]:
    if not left:
        yield []
        return
    first = min(left)
    for size in sorted(set(sizes)):
        at = sizes.index(size)
        rest = sizes[:at] + sizes[at + 1 :]
        for others in combinations(sorted(left - {first}), size - 1):
            for more in seatings(left - {first, *others}, rest):
                yield [(first, *others), *more]


def every_draw(
    n: int, sizes: tuple[int, ...], had: Counter[int], filling: bool
) -> Iterator[tuple[Groups, tuple[int, ...]]]:
    """Yield every seating for every choice of byes in which no player sits out twice before all others once."""
    everybody = range(1, n + 1)
    choices = list(combinations(everybody, n - sum(sizes)))
    fewest = min(sum(had[p] for p in out) for out in choices)
    turns = sorted(had[p] for p in everybody)[: 3 * sizes.count(3)] if filling else []
    for out in choices:
        if sum(had[p] for p in out) > fewest:
            continue
        for groups in seatings(frozenset(everybody) - set(out), sizes):
            threes = sorted(had[p] for g in groups if len(g) == 3 for p in g) if filling else []
            if threes == turns:
                yield groups, out


def pairs_met(group: tuple[int, ...], met: Counter[tuple[int, int]]) -> int:
    return sum(1 for two in combinations(sorted(group), 2) if met[two])


def partners_met(group: tuple[int, ...], were: Counter[tuple[int, int]]) -> int:
    a, b, c, d = sorted(group)
    ways = [((a, b), (c, d)), ((a, c), (b, d)), ((a, d), (b, c))]
    return min(sum(1 for side in way if were[side]) for way in ways)


def opponents_met(group: tuple[int, ...], were: Counter[tuple[int, int]]) -> int:
    a, b, c, d = group
    ways = [(a, b, c, d), (a, c, b, d), (a, d, b, c)]
    return min(
        sum(1 for x in way[:2] for y in way[2:] if were[min(x, y), max(x, y)]) for way in ways
    )


def play_and_recount(
    n: int,
    rounds: int,
    kind: Kind,
    what: tuple[str, tuple[int, ...], int],
    rules: dict[str, str],
    seed: str,
) -> None:
    before: tuple[Before, ...] = ()
    slots: tuple[int, ...] = ()
    met: Counter[tuple[int, int]] = Counter()
    partners: Counter[tuple[int, int]] = Counter()
    opponents: Counter[tuple[int, int]] = Counter()
    had: Counter[int] = Counter()
    for number in range(1, rounds + 1):
        spec = Spec(
            what[0],
            read_rules(rules),
            kind,
            players(n),
            number,
            rounds,
            seed,
            before,
            slots=slots,
            players=what[1],
            size=what[2],
        )
        drawn = formats.draw(spec).drawn
        sizes = tuple(sorted(len(t.players) for t in drawn.tables))
        filling = kind is not Kind.SOLO and 3 in sizes
        draws = list(every_draw(n, sizes, had, filling))
        threes = [p for t in drawn.tables if filling and len(t.players) == 3 for p in t.players]
        reached = sum(pairs_met(t.players, met) for t in drawn.tables)
        fewest = min(sum(pairs_met(g, met) for g in groups) for groups, _ in draws)
        assert reached == fewest
        line = drawn.certificate["repeated_meetings"]
        assert (line.value, line.bound, line.optimal) == (reached, fewest, True)
        total = drawn.certificate["meetings_total"]
        excess = sum(times - 1 for times in met.values() if times > 1) + fewest
        assert total.value == excess
        assert total.bound <= excess
        if kind is Kind.PARTNERS and not filling:
            for code, count, were in (
                ("repeated_partners", partners_met, partners),
                ("repeated_opponents", opponents_met, opponents),
            ):
                least = min(sum(count(g, were) for g in groups) for groups, _ in draws)
                line = drawn.certificate[code]
                assert line.bound <= least <= line.value
                assert line.optimal == (line.value == least)
        for table in drawn.tables:
            met.update(combinations(sorted(table.players), 2))
            if table.kind is Kind.PARTNERS:
                a, b, c, d = table.players
                partners.update([(min(a, c), max(a, c)), (min(b, d), max(b, d))])
                opponents.update((min(x, y), max(x, y)) for x in (a, c) for y in (b, d))
            elif table.kind is Kind.SOLO:
                opponents.update(combinations(sorted(table.players), 2))
        had.update([*drawn.byes, *threes])
        before = (*before, Before(drawn.tables, drawn.byes))
        slots = drawn.slots


@pytest.mark.guide("formats#the-draw-report")
@pytest.mark.parametrize("kind", [Kind.PARTNERS, Kind.ROTATION])
@pytest.mark.parametrize("n", [4, 5, 6, 7, *one_in(2, [8, 9, 10, 11])])
def test_a_small_championship_is_drawn_at_its_optimum(n: int, kind: Kind) -> None:
    play_and_recount(n, 4, kind, CHAMPIONSHIP, {}, "lottery 7-12-19")


@pytest.mark.parametrize("n", [5, 7, 10, 11])
def test_tables_of_three_that_fill_up_are_weighed_too(n: int) -> None:
    play_and_recount(n, 4, Kind.PARTNERS, CHAMPIONSHIP, {"odd": "threes"}, "lottery 7-12-19")


@pytest.mark.guide("formats#the-draw-report")
@pytest.mark.parametrize("n", range(3, 11))
def test_the_three_player_game_is_drawn_at_its_optimum(n: int) -> None:
    play_and_recount(n, 4, Kind.SOLO, THREES, {}, "lottery 7-12-19")


@pytest.mark.long
@pytest.mark.parametrize("kind", [Kind.PARTNERS, Kind.ROTATION])
@pytest.mark.parametrize("n", range(4, 13))
def test_six_rounds_of_a_small_championship_are_at_their_optimum(n: int, kind: Kind) -> None:
    play_and_recount(n, 6, kind, CHAMPIONSHIP, {}, f"lottery {n}")


@pytest.mark.long
@pytest.mark.parametrize("n", range(5, 13))
def test_five_rounds_with_tables_of_three_are_at_their_optimum(n: int) -> None:
    if n not in (6, 9):
        play_and_recount(n, 5, Kind.PARTNERS, CHAMPIONSHIP, {"odd": "threes"}, f"lottery {n}")
    play_and_recount(n, 5, Kind.SOLO, THREES, {}, f"lottery {n}")


@pytest.mark.parametrize(
    ("size", "n"),
    one_in(5, [(size, n) for size in (4, 5, 6, 7) for n in range(size, 13)]),
)
def test_an_auction_of_any_size_is_drawn_at_its_optimum(size: int, n: int) -> None:
    play_and_recount(
        n, 4, Kind.SOLO, ("individual_draw", (3, 4, 5, 6, 7), size), {}, f"lottery {n}"
    )


@pytest.mark.guide("formats#the-draw-report")
@pytest.mark.parametrize("kept", OF_0_2_0, ids=lambda kept: kept["movement"])
def test_a_draw_of_0_2_0_is_drawn_again_as_it_was(kept: dict) -> None:
    # Ten players in their third round (4 pairs meet again, 2 would suffice), nine (6, 3), eight in threes (1, 0):
    # published so, and therefore reproduced from the published request.
    spec = spec_from_json(kept["request"])
    drawn = formats.draw(spec).drawn
    assert drawn.tables == tuple(long_table(row) for row in kept["tables"])
    assert list(drawn.byes) == kept["byes"]
    line = drawn.certificate["repeated_meetings"]
    assert (line.value, line.optimal) == (kept["certificate"], False)
    now = formats.draw(replace(spec, version=2)).drawn.certificate["repeated_meetings"]
    assert now.optimal
    assert now.value < line.value
    assert spec_from_json(spec_as_json(spec)) == spec


@pytest.mark.guide("formats#the-draw-report")
def test_a_request_says_which_algorithm_draws_it() -> None:
    spec = Spec("individual_draw", read_rules({}), Kind.ROTATION, players(8), 1, 1, "seed")
    assert spec_as_json(spec)["version"] == 7
    assert spec_from_json(spec_as_json(spec)) == spec


@pytest.mark.guide("formats#wishes")
def test_clubs_bans_and_volunteers_are_kept_before_or_after_meetings_as_promised() -> None:
    field = tuple(Contestant(k, club="A" if k <= 3 else "") for k in range(1, 11))
    wishes = Wishes(
        bans=frozenset({(4, 5)}),
        clubs_apart_until=9,
        bye_first=frozenset({6}),
    )
    drawn = draw_championship(Request(field, 1, "seed", 1, Kind.PARTNERS, wishes=wishes))
    assert 6 in drawn.byes
    assert drawn.certificate.values()["bans_broken"] == 0
    # Three players of one club at two tables: with one of them sitting out, no clash is needed.
    assert drawn.certificate.values()["club_clashes"] == 0


@pytest.mark.guide("formats#the-draw-report")
def test_a_bound_that_another_choice_of_who_sits_out_could_beat_is_not_proven() -> None:
    # Seventeen players are too many to weigh every draw. A club of nine at four tables clashes at least six times
    # when one of them sits out, seven when all nine play.
    field = tuple(Contestant(k, club="A" if k <= 9 else "") for k in range(1, 18))
    request = Request(field, 1, "seed", 1, Kind.ROTATION)
    tables = [Table(1, Kind.ROTATION, (1, 2, 3, 10))]
    tables += [
        Table(2, Kind.ROTATION, (4, 5, 11, 12)),
        Table(3, Kind.ROTATION, (6, 7, 13, 14)),
        Table(4, Kind.ROTATION, (8, 9, 15, 16)),
    ]
    line = certify(request, tables, [17])["club_clashes"]
    assert (line.value, line.bound, line.optimal) == (6, 4, False)


@pytest.mark.guide("formats#the-draw-report")
def test_every_seating_of_least_price_is_as_likely() -> None:
    # Eight at two tables, with a high price for (1, 2): 20 of 35 seatings separate them.
    def price(table: tuple[int, ...]) -> tuple[int, int]:
        return (1 if {1, 2} <= set(table) else 0, 0)

    found: Counter[frozenset[tuple[int, ...]]] = Counter()
    for k in range(1_000):
        best = Field(range(1, 9), [4, 4], price).draw([()], Chance("seed", str(k)))
        assert best is not None
        assert best.price == (0, 0)
        found[frozenset(best.tables)] += 1
    assert len(found) == 20
    assert min(found.values()) > 30


def test_where_no_table_may_be_there_is_no_seating() -> None:
    assert least_price(range(8), [4, 4], [()], lambda table: NEVER) is None
    with pytest.raises(ValueError, match="too large"):
        least_price(range(20), [4] * 5, [()], lambda table: 0)


def test_a_hand_that_breaks_the_turn_is_weighed_against_every_choice() -> None:
    history = History().after([Table(1, Kind.PARTNERS, (1, 2, 3, 4))], byes=[5])
    request = Request(players(5), 2, "seed", 2, Kind.PARTNERS, history=history)
    drawn: Drawn = draw_championship(request)
    assert drawn.byes != (5,)
    again = certify(request, [Table(1, Kind.PARTNERS, (1, 3, 2, 4))], [5])
    line = again["repeated_meetings"]
    assert (line.value, line.bound, line.optimal) == (6, 3, False)
    assert not again["byes_repeated"].optimal
