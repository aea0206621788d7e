"""Tables of three: players fill up in turn, as with byes, without repeated meetings, in every field."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from itertools import combinations, product

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from tests.tournament.pairing.hall import met, play, players
from tournament.drawing.formats import draw
from tournament.drawing.rules import DrawRules
from tournament.drawing.spec import Before, Spec
from tournament.pairing.championship import draw_championship
from tournament.pairing.explain import explain
from tournament.pairing.filling import begin, turn_of
from tournament.pairing.model import Contestant, Drawn, History, Kind, Odd, Request, Wishes


def threes(drawn: Drawn) -> list[int]:
    return [p for t in drawn.tables for p in t.players if len(t.players) == 3]


def in_turn(had: Counter[int], here: list[int], out: list[int]) -> bool:
    """Return whether every player in ``out`` had at most as many turns as each other player here."""
    others = [had[p] for p in here if p not in out]
    return not others or max(had[p] for p in out) <= min(others)


@pytest.mark.guide("formats#when-the-number-does-not-fit")
@pytest.mark.long
@settings(max_examples=60, deadline=None)
@given(
    st.integers(6, 70),
    st.integers(2, 9),
    st.sampled_from([Kind.PARTNERS, Kind.ROTATION]),
    st.booleans(),
    st.integers(0, 99),
)
def test_nobody_fills_up_again_before_everybody_has(
    n: int, rounds: int, kind: Kind, by_score: bool, luck: int
) -> None:
    rng = random.Random(luck)

    def between(number: int, here: tuple[Contestant, ...]) -> tuple[Contestant, ...]:
        now = [replace(c, score=rng.randrange(4)) for c in here]
        if number > 1 and len(now) > 8:
            now.pop(rng.randrange(len(now)))
            now += [Contestant(1000 * number + k) for k in range(rng.randrange(3))]
        return tuple(now)

    had: Counter[int] = Counter()
    for request, drawn in play(
        players(n), rounds, kind=kind, odd=Odd.THREES, between=between, by_score=by_score
    ):
        here = [c.id for c in request.contestants]
        out = [*drawn.byes, *threes(drawn)]
        if out:
            assert in_turn(had, here, out)
            assert drawn.certificate["byes_repeated"].value == sum(1 for p in out if had[p])
            assert drawn.certificate["byes_repeated"].optimal
        had.update(out)


@pytest.mark.parametrize("n", [125, 126, 127])
def test_filling_in_turn_costs_a_hall_no_second_meeting(n: int) -> None:
    """Each player fills up at most once, and the meetings last longer than that."""
    stage = play(players(n, clubs=20), 10, odd=Odd.THREES, wishes=Wishes(clubs_apart_until=2))
    filled = Counter(p for _, drawn in stage for p in threes(drawn))
    assert max(filled.values()) == 1
    assert max(met(t for _, drawn in stage for t in drawn.tables).values()) == 1
    assert all(d.certificate["club_clashes"].value == 0 for _, d in stage[:2])


def test_one_gone_leaves_a_hole_that_is_the_table_of_three() -> None:
    def between(number: int, here: tuple[Contestant, ...]) -> tuple[Contestant, ...]:
        return here if number == 1 else here[:63]

    stage = play(players(64), 6, odd=Odd.THREES, between=between)
    assert [drawn.movement for _, drawn in stage] == ["columns"] * 6
    assert len({p for _, drawn in stage for p in threes(drawn)}) == 15


@pytest.mark.guide("formats#when-the-number-does-not-fit")
def test_a_ban_outweighs_the_turn() -> None:
    field = players(7)
    had = dict.fromkeys(range(4, 8), 1)
    wishes = Wishes(bans=frozenset({(1, 2)}))
    request = Request(field, 2, "seed", 2, Kind.PARTNERS, Odd.THREES, History(byes=had), wishes)
    drawn = draw_championship(request)
    assert drawn.certificate["bans_broken"].value == 0
    assert drawn.certificate["byes_repeated"].value >= 1
    assert drawn.certificate["byes_repeated"].bound == 0


def test_the_turn_is_worked_out_from_the_fewest() -> None:
    turn = turn_of(range(1, 9), 3, History(byes={1: 2, 2: 1, 3: 1, 4: 1, 5: 1, 6: 1}))
    assert (turn.must, turn.barred) == (frozenset({7, 8}), frozenset({1}))
    assert turn_of(range(1, 9), 0, History()).barred == frozenset()


def test_a_whole_table_is_broken_only_when_nobody_else_may_fill_up() -> None:
    whole = [[1, 2, 3, 4], [5, 6, 7, 8]]
    kept, three, rest = begin(whole, [], [9, 10, 11], turn_of(range(1, 12), 3, History()))
    assert (kept, three, rest) == (whole, [[9, 10, 11]], [])
    turn = turn_of(range(1, 12), 3, History(byes={9: 1, 10: 1, 11: 1}))
    kept, three, rest = begin(whole, [], [9, 10, 11], turn)
    assert kept == [[1, 2, 3, 4]]
    assert set(three[0]) < {5, 6, 7, 8}
    assert {9, 10, 11} < set(rest)


def can_part(had: Counter[int], here: list[int], ban: tuple[int, ...], seats: int) -> bool:
    """Return whether two players can be separated while ``seats`` are filled exactly by those in turn.

    With one table of three, not both need to be there; with one table of four, the same.
    """
    limit = sorted(had[p] for p in here)[seats - 1]
    free = sum(had[p] == limit for p in here)
    chosen = seats - sum(had[p] < limit for p in here)
    for places in product((3, 4), repeat=2):
        sure = [3 if had[p] < limit else 4 if had[p] > limit else 0 for p in ban]
        if any(must and must != place for must, place in zip(sure, places, strict=True)):
            continue
        mine = [place for must, place in zip(sure, places, strict=True) if not must]
        if mine.count(3) > chosen or mine.count(4) > free - chosen:
            continue
        tables = {3: seats // 3, 4: (len(here) - seats) // 4}
        if places[0] != places[1] or tables[places[0]] > 1:
            return True
    return False


@settings(max_examples=25, deadline=None)
@given(st.integers(6, 30), st.integers(2, 6), st.integers(0, 99))
@example(7, 6, 4)  # a table of three and one of four: the ban outweighs the turn
@example(10, 6, 5)
def test_by_lot_the_turn_is_kept_too(n: int, rounds: int, luck: int) -> None:
    assume(n not in (6, 9))  # every table would be of three: refused
    rng = random.Random(luck)
    field = tuple(Contestant(i, club=f"c{rng.randrange(6)}") for i in range(1, n + 1))
    ban = tuple(sorted(rng.sample(range(1, n + 1), 2)))
    before: list[Before] = []
    had: Counter[int] = Counter()
    for number in range(1, rounds + 1):
        spec = Spec(
            "random",
            DrawRules(odd="threes"),
            Kind.PARTNERS,
            field,
            number,
            rounds,
            f"s{luck}",
            tuple(before),
            Wishes(bans=frozenset({ban}), clubs_apart_until=rounds),
        )
        drawn = draw(spec).drawn
        assert sorted([*drawn.byes, *(p for t in drawn.tables for p in t.players)]) == [
            c.id for c in field
        ]
        assert not any(set(ban) <= set(t.players) for t in drawn.tables)
        out = [*drawn.byes, *threes(drawn)]
        if out and can_part(had, [c.id for c in field], ban, len(out)):
            assert in_turn(had, [c.id for c in field], out)
        had.update(out)
        before.append(Before(drawn.tables, drawn.byes))


def test_the_table_says_why_it_has_three() -> None:
    request, drawn = play(players(11), 1, odd=Odd.THREES)[0]
    three = next(t for t in drawn.tables if len(t.players) == 3)
    said = " ".join(text.render("en") for text in explain(request, drawn, three.number))
    assert "credited as a bye" in said
    assert all(f"{p}: 0×" in said for p in three.players)
    full = next(t for t in drawn.tables if len(t.players) == 4)
    assert "credited" not in " ".join(t.render("en") for t in explain(request, drawn, full.number))
    assert not any(set(two) <= set(full.players) for two in combinations(three.players, 2))
