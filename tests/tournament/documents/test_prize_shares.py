"""Ties share the money of the places they fill (rules specification D.2)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournament.documents import DocumentError, PrizeShares, share_prizes


@pytest.mark.parametrize(
    ("ranks", "prizes", "expected"),
    [
        ([1, 2, 3], {1: 300, 2: 200}, PrizeShares((300, 200, 0), 0)),
        ([1, 1, 3], {1: 300, 2: 200, 3: 100}, PrizeShares((250, 250, 100), 0)),
        # Three for second place fill places 2 to 4: 200 + 100 + 0 by three, no cent left.
        ([1, 2, 2, 2], {1: 300, 2: 200, 3: 100}, PrizeShares((300, 100, 100, 100), 0)),
        # A hundred by three leaves one cent, which nobody of them gets.
        ([1, 1, 1], {1: 100}, PrizeShares((33, 33, 33), 1)),
        # The tie reaches below the prizes: two share the last of them.
        ([1, 2, 2], {1: 300, 2: 201}, PrizeShares((300, 100, 100), 1)),
        ([], {1: 100}, PrizeShares((), 0)),
        ([2, 1], {1: 5, 2: 3}, PrizeShares((3, 5), 0)),
    ],
)
def test_worked_shares(ranks, prizes, expected):
    assert share_prizes(ranks, prizes) == expected


@pytest.mark.parametrize("ranks", [[1, 3], [2], [1, 1, 2], [0, 1]])
def test_ranks_that_no_standing_has_are_refused(ranks):
    with pytest.raises(DocumentError, match="place"):
        share_prizes(ranks, {1: 100})


def test_a_prize_below_zero_is_refused():
    with pytest.raises(DocumentError):
        share_prizes([1], {1: -1})


@given(
    st.lists(st.integers(1, 6), max_size=20),
    st.dictionaries(st.integers(1, 40), st.integers(0, 10**7), max_size=40),
)
def test_nothing_is_made_or_lost(groups, prizes):
    ranks, place = [], 1
    for size in groups:
        ranks += [place] * size
        place += size
    shares = share_prizes(ranks, prizes)
    paid = sum(amount for at, amount in prizes.items() if at < place)
    assert sum(shares.cents) + shares.left_over == paid
    assert shares.left_over < max(1, sum(groups))
    for rank, cents in zip(ranks, shares.cents, strict=True):
        assert cents == shares.cents[ranks.index(rank)]
