"""Timetables for more players than places: no player sits out twice before all others sat out once."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.tournament.pairing.hall import met
from tournament.drawing.formats import draw
from tournament.drawing.rules import DrawRules
from tournament.drawing.spec import Before, DrawnRound, Spec
from tournament.pairing.model import Contestant, DrawRefused, Kind, Wishes


def played(
    field: list[tuple[Contestant, ...]], movement: str, kind: Kind = Kind.PARTNERS, **more: object
) -> list[DrawnRound]:
    """Draw a stage with one round for each field. Check that every player is seated or has a bye."""
    before: list[Before] = []
    plan: dict[str, object] = {}
    out = []
    for number, here in enumerate(field, start=1):
        spec = Spec(
            "individual_movement",
            DrawRules(movement=movement),
            kind,
            here,
            number,
            len(field),
            "public",
            tuple(before),
            plan=plan,
            **more,
        )
        outcome = draw(spec)
        drawn, plan = outcome.drawn, outcome.plan
        seated = [p for t in drawn.tables for p in t.players]
        assert sorted([*seated, *drawn.byes]) == [c.id for c in here]
        before.append(Before(drawn.tables, drawn.byes))
        out.append(outcome)
    return out


def players(n: int) -> tuple[Contestant, ...]:
    return tuple(Contestant(i, club=f"c{i % 7}") for i in range(1, n + 1))


@pytest.mark.guide("formats#when-the-number-does-not-fit")
@settings(max_examples=20, deadline=None)
@given(st.integers(16, 70), st.sampled_from([Kind.PARTNERS, Kind.ROTATION]))
def test_a_rainbow_of_any_number_lets_its_norths_sit_and_the_others_rest_in_turn(
    n: int, kind: Kind
) -> None:
    rounds = 4
    stage = played([players(n)] * rounds, "rainbow", kind)
    byes = Counter(b for one in stage for b in one.drawn.byes)
    assert [len(one.drawn.byes) for one in stage] == [n % 4] * rounds
    # At least 12 of 16 players move: in four rounds with at most three byes each, no player sits out twice.
    assert max(byes.values(), default=0) <= 1
    norths = {t.players[0] for t in stage[0].drawn.tables}
    stay = [{(t.number, t.players[0]) for t in one.drawn.tables} for one in stage]
    assert all(here == stay[0] for here in stay)
    assert not norths & set().union(*(one.drawn.byes for one in stage[1:]))
    again = sum(v - 1 for v in met(t for one in stage for t in one.drawn.tables).values())
    assert again <= (0 if n % 4 == 0 or n >= 40 else 3 * (n % 4))


def test_a_rainbow_that_cannot_last_so_long_says_how_long_it_can() -> None:
    with pytest.raises(DrawRefused) as refused:
        played([players(17)] * 6, "rainbow")
    assert refused.value.code == "number"
    assert "17 players lasts at most 4 rounds, not 6" in str(refused.value)
    for few in (0, 1, 3):
        with pytest.raises(DrawRefused):
            played([players(few)], "rainbow")


@pytest.mark.guide("formats#when-the-number-does-not-fit")
@pytest.mark.long
@settings(max_examples=10, deadline=None)
@given(st.integers(1, 3), st.integers(0, 99))
def test_who_comes_late_to_a_whist_tournament_does_not_sit_out_all_evening(
    late: int, luck: int
) -> None:
    rng = random.Random(luck)
    ban = tuple(sorted(rng.sample(range(1, 20), 2)))
    field = [players(16), *[players(16 + late)] * 5]
    had: Counter[int] = Counter()
    stage = played(field, "whist", wishes=Wishes(bans=frozenset({ban})))
    for here, one in zip(field, stage, strict=True):
        out = one.drawn.byes
        others = [had[c.id] for c in here if c.id not in out]
        assert max((had[p] for p in out), default=0) <= min(others)
        had.update(out)
    newcomers = range(17, 17 + late)
    assert all(had[p] < 5 for p in newcomers)
    if ban[1] > 16:
        together = {frozenset(t.players) for one in stage for t in one.drawn.tables}
        assert not any(set(ban) <= table for table in together)


@pytest.mark.guide("formats#when-the-number-does-not-fit")
def test_who_cannot_move_is_not_sent_away_for_a_turn() -> None:
    field = tuple(
        Contestant(c.id, fixed_table=3 if c.id == 4 else 0, fixed_seat="N" if c.id == 4 else "")
        for c in players(18)
    )
    for one in played([field] * 4, "rainbow"):
        at = one.drawn.table_of(4)
        assert at is not None
        assert (at.number, at.players[0]) == (3, 4)
