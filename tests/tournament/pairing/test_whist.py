"""Whist tournaments: every available one is developed in full and counted pair by pair."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest

from tests.sampled import one_in
from tests.tournament.pairing.hall import players
from tests.tournament.pairing.test_kept_and_late import stage
from tournament.pairing.columns import standing_longest
from tournament.pairing.model import DrawRefused
from tournament.pairing.orthogonal import ODD, WHOLE, columns_of
from tournament.pairing.starters import HOLED, HOLED_APART, STARTERS
from tournament.pairing.whist import draw_whist
from tournament.pairing.whist_plans import LARGEST, has_whist, nearest_whist, whist_plan

POSSIBLE = [n for n in range(4, LARGEST + 1) if n % 4 < 2]

#: Numbers for which a Whist tournament exists but is not available (docs/formats.md).
MISSING = [129, 132, 152, 217, 228, 264, 284, 332]


def counted(n: int) -> None:
    """Check the definition of Wh(n): Moore 1896; n - 1 rounds for 4k, n rounds for 4k + 1."""
    plan = whist_plan(n)
    assert plan is not None
    assert len(plan) == (n - 1 if n % 4 == 0 else n)
    partners: Counter[tuple[int, int]] = Counter()
    opponents: Counter[tuple[int, int]] = Counter()
    out: Counter[int] = Counter()
    for tables, byes in plan:
        assert sorted([s for t in tables for s in t] + list(byes)) == list(range(n))
        out.update(byes)
        for a, b, c, d in tables:
            partners.update([(min(a, c), max(a, c)), (min(b, d), max(b, d))])
            opponents.update((min(x, y), max(x, y)) for x in (a, c) for y in (b, d))
    everybody = set(combinations(range(n), 2))
    assert partners == dict.fromkeys(everybody, 1)
    assert opponents == dict.fromkeys(everybody, 2)
    assert set(out.values()) == (set() if n % 4 == 0 else {1})


@pytest.mark.guide("formats#table-of-formats")
def test_whist_tournaments_partner_once_oppose_twice_up_to_a_hundred() -> None:
    for n in POSSIBLE:
        if n <= 100 and n not in MISSING:
            counted(n)


@pytest.mark.parametrize(
    "n", sorted(k for k in {*STARTERS, *(m * v + 1 for m, v in (*HOLED, *HOLED_APART))} if k > 100)
)
def test_larger_stored_first_rounds_hold(n: int) -> None:
    counted(n)


@pytest.mark.guide("director#which-format-when", "formats#how-many-rounds-without-a-second-meeting")
def test_every_number_but_the_listed_ones_is_held_ready() -> None:
    # Wh(n) exists for all n = 4k and 4k + 1 (Baker 1975): a missing number is missing only in this library.
    assert [n for n in POSSIBLE if not has_whist(n)] == MISSING


@pytest.mark.parametrize("m", sorted({*ODD, *WHOLE, 5, 7, 8, 9, 16, 25, 35, 49}))
def test_complete_columns_take_every_difference_once(m: int) -> None:
    columns = columns_of(m)
    assert columns is not None
    assert len(columns.shifts) == m
    assert columns.shifts[0] == (0, 0, 0)
    four = [(0, *shift) for shift in columns.shifts]
    for i, j in combinations(range(4), 2):
        # From any element of one column, each of the others is reached in exactly one round.
        for t in range(m):
            back = next(x for x in range(m) if columns.add(x, four[0][i]) == t)
            reached = []
            for row in four:
                start = next(x for x in range(m) if columns.add(x, row[i]) == back)
                reached.append(columns.add(start, row[j]))
            assert sorted(reached) == list(range(m))


def test_numbers_without_complete_columns_say_so() -> None:
    assert [m for m in range(1, 12) if columns_of(m) is None] == [1, 2, 3, 6, 10]


def test_a_drawn_whist_tournament_has_the_players_and_fair_duties() -> None:
    drawn = draw_whist(players(13), "seed")
    assert len(drawn) == 13
    keepers = Counter(t.scorekeeper for d in drawn for t in d.tables)
    assert sum(keepers.values()) == 39
    assert max(keepers.values()) - min(keepers.values()) <= 2
    assert drawn[-1].certificate["repeated_partners"].value == 0


@pytest.mark.guide("formats#how-many-rounds-without-a-second-meeting")
def test_a_whist_tournament_of_a_number_without_one_names_the_nearest() -> None:
    with pytest.raises(DrawRefused) as refused:
        draw_whist(players(7), "seed")
    assert refused.value.code == "number"
    for text in (
        refused.value.reason.render("en"),
        refused.value.reason.render("fr"),
        refused.value.reason.render("nl"),
    ):
        assert "5, 8" in text
    assert nearest_whist(129) == (128, 133)
    assert nearest_whist(10_000) == (LARGEST,)
    with pytest.raises(DrawRefused, match="available"):
        draw_whist(players(MISSING[0]), "seed")


def test_a_whist_tournament_has_no_more_rounds_than_its_timetable() -> None:
    with pytest.raises(DrawRefused, match="has 7 rounds, not 8"):
        draw_whist(players(8), "seed", rounds=8)


@pytest.mark.guide("formats#when-the-number-does-not-fit")
@pytest.mark.parametrize(
    ("movement", "n", "gone"),
    one_in(
        5,
        [
            (movement, n, gone)
            for movement in ("whist", "rainbow")
            for n in (8, 9, 12, 13, 16, 17, 20, 21)
            for gone in (1, 2, 3, 5)
            # A table is withdrawn, and there is a Rainbow of three rounds for this number.
            if n - gone >= 4 and (movement == "whist" or standing_longest(4 * (n // 4)) >= 3)
        ],
    ),
)
def test_nobody_who_could_make_a_table_is_left_idle_after_withdrawals(
    movement: str, n: int, gone: int
) -> None:
    number = 3
    rules = {"movement": movement}
    fields = [players(n), *[tuple(p for p in players(n) if p.id > gone)] * (number - 1)]
    for field, drawn in zip(fields, stage("individual_movement", fields, rules=rules), strict=True):
        seated = [p for table in drawn.drawn.tables for p in table.players]
        assert len(drawn.drawn.tables) == len(field) // 4
        assert sorted([*seated, *drawn.drawn.byes]) == sorted(who.id for who in field)
        assert len(drawn.drawn.byes) == len(field) % 4
