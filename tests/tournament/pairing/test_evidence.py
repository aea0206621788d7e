"""Randomness and bounds that others must be able to reproduce, checked without the product's own code."""

from __future__ import annotations

from collections import Counter
from hashlib import sha256
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.texts import Message
from tournament.pairing.bounds import (
    club_bound,
    partner_bound,
    score_bound,
    short_of_new,
)
from tournament.pairing.chance import Chance
from tournament.pairing.model import Certificate, History, Kind, Line, Table


def by_the_book(seed: str, label: str, n: int) -> list[int]:
    """Shuffle by Fisher–Yates over SHA-256 as the guide describes it."""
    words, block = [], 0
    items = list(range(n))
    for i in range(n - 1, 0, -1):
        while True:
            if not words:
                digest = sha256(f"{seed}|{label}|{block}".encode()).digest()
                block += 1
                words = [int.from_bytes(digest[k : k + 4], "big") for k in range(0, 32, 4)]
            word = words.pop(0)
            if word < 2**32 // (i + 1) * (i + 1):
                break
        j = word % (i + 1)
        items[i], items[j] = items[j], items[i]
    return items


@pytest.mark.guide("formats#repeating-a-draw")
@settings(max_examples=25, deadline=None)
@given(st.text(), st.text(), st.integers(0, 60))
def test_shuffles_follow_the_published_recipe(seed: str, label: str, n: int) -> None:
    assert Chance(seed, label).shuffled(range(n)) == by_the_book(seed, label, n)


@pytest.mark.guide("formats#repeating-a-draw")
def test_the_first_word_is_the_head_of_a_known_hash() -> None:
    # printf 'a|b|0' | sha256sum
    assert Chance("a", "b").word() == int(sha256(b"a|b|0").hexdigest()[:8], 16)


@pytest.mark.guide("formats#repeating-a-draw")
def test_below_is_even_and_refuses_nonsense() -> None:
    chance = Chance("even", "")
    counts = Counter(chance.below(6) for _ in range(6000))
    assert all(850 < counts[k] < 1150 for k in range(6))
    with pytest.raises(ValueError, match="positive"):
        chance.below(0)


def seatings(n: int, size: int) -> list[list[tuple[int, ...]]]:
    def build(left: frozenset[int]) -> list[list[tuple[int, ...]]]:
        if not left:
            return [[]]
        first = min(left)
        out = []
        for others in combinations(sorted(left - {first}), size - 1):
            group = (first, *others)
            out += [[group, *more] for more in build(left - set(group))]
        return out

    return build(frozenset(range(n)))


EIGHT = seatings(8, 4)
NINE = seatings(9, 3)
PAIRINGS = seatings(8, 2)


@pytest.mark.guide("formats#the-draw-report")
@settings(max_examples=40, deadline=None)
@given(st.lists(st.integers(0, 4), min_size=8, max_size=8))
def test_the_score_bound_is_the_minimum_over_all_seatings_of_eight(scores: list[int]) -> None:
    levels = sorted({*scores})
    level = sorted(levels.index(s) for s in scores)
    least = min(
        sum(abs(level[a] - level[b]) for g in seating for a, b in combinations(g, 2))
        for seating in EIGHT
    )
    assert score_bound(level, [4, 4]) <= least
    assert score_bound(level, [4, 4]) == least  # two equal tables: attained


@settings(max_examples=30, deadline=None)
@given(st.lists(st.integers(0, 3), min_size=9, max_size=9))
def test_the_score_bound_never_exceeds_the_minimum_at_tables_of_three(scores: list[int]) -> None:
    level = sorted(scores)
    least = min(
        sum(abs(level[a] - level[b]) for g in seating for a, b in combinations(g, 2))
        for seating in NINE
    )
    assert score_bound(level, [3, 3, 3]) <= least


@pytest.mark.guide("formats#the-draw-report")
@settings(max_examples=40, deadline=None)
@given(st.lists(st.sampled_from(["a", "b", ""]), min_size=8, max_size=8))
def test_the_club_bound_is_the_minimum_or_below(clubs: list[str]) -> None:
    least = min(
        sum(1 for g in seating for a, b in combinations(g, 2) if clubs[a] and clubs[a] == clubs[b])
        for seating in EIGHT
    )
    assert club_bound(Counter(c for c in clubs if c), [4, 4]) <= least


@pytest.mark.guide("formats#the-draw-report")
@settings(max_examples=40, deadline=None)
@given(st.sets(st.sampled_from(list(combinations(range(8), 2)))))
def test_no_seating_repeats_less_than_the_bound(before: set[tuple[int, int]]) -> None:
    tables = [Table(1, Kind.ROTATION, (0, 1, 2, 3)), Table(2, Kind.ROTATION, (4, 5, 6, 7))]
    least = min(
        sum(1 for g in seating for two in combinations(g, 2) if two in before) for seating in EIGHT
    )
    bound = short_of_new(tables, dict.fromkeys(before, 1), lambda t: 3)
    assert bound <= least


@pytest.mark.guide("formats#the-draw-report")
@settings(max_examples=40, deadline=None)
@given(st.sets(st.sampled_from(list(combinations(range(8), 2)))))
def test_the_partner_bound_is_the_least_number_of_repeats(before: set[tuple[int, int]]) -> None:
    tables = [Table(1, Kind.PARTNERS, (0, 1, 2, 3)), Table(2, Kind.PARTNERS, (4, 5, 6, 7))]
    least = min(sum(1 for two in matching if two in before) for matching in PAIRINGS)
    assert partner_bound(tables, dict.fromkeys(before, 1)) == least


def test_history_counts_games_sittings_and_duties() -> None:
    table = Table(1, Kind.ROTATION, (4, 3, 2, 1), scorekeeper=4, dealer=1)
    match = Table(2, Kind.MATCH, (8, 9))
    auction = Table(3, Kind.SOLO, (10, 11, 12))
    before = History()
    after = before.after([table, match, auction], byes=[7]).after([table])
    assert after.partners[1, 2] == 2
    assert after.opponents[1, 2] == 4
    assert after.meetings[1, 2] == 2
    assert after.opponents[8, 9] == after.meetings[8, 9] == 1
    assert (8, 9) not in after.partners
    assert after.opponents[10, 12] == 1
    assert after.rounds[4] == 2
    assert (after.byes, after.scorekeepers, after.dealers) == ({7: 1}, {4: 2}, {1: 2})
    assert before == History()


@pytest.mark.guide("formats#the-draw-report")
def test_a_certificate_line_knows_when_it_is_optimal() -> None:
    why = Message("x")
    assert Line("a", 3, 3, True, why).optimal
    assert not Line("a", 3, 3, False, why).optimal
    assert not Line("a", 4, 3, True, why).optimal
    with pytest.raises(KeyError):
        Certificate(())["a"]
