"""Points that a number of tricks can be worth, computed from the pack (rules specification A.0, A.8).

A side that won *t* tricks of *n* cards holds *t·n* cards, so its card points lie between the
*t·n* lowest and the *t·n* highest values of the pack in use, and every value in between can occur;
a trick point is added where tricks count. In the three-player game the two reserve cards join the
side that won the first trick.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from .cards import VALUES, cards_of
from .rulebook import Game


@dataclass(frozen=True, slots=True)
class Bounds:
    """The least and the most points, both possible."""

    low: int
    high: int

    def __contains__(self, points: object) -> bool:
        return isinstance(points, int) and self.low <= points <= self.high


@lru_cache(maxsize=64)
def _values(deck: int) -> tuple[int, ...]:
    return tuple(sorted(VALUES[card] for card in cards_of(deck)))


def _lowest(game: Game, cards: int) -> int:
    return sum(_values(game.deck_mask)[:cards])


def _highest(game: Game, cards: int) -> int:
    return sum(_values(game.deck_mask)[::-1][:cards])


def side_bounds(game: Game, tricks: int, *, first_trick: bool | None = None) -> Bounds:
    """Return the points of a side with ``tricks`` tricks; ``first_trick``: whether it won trick 1.

    >>> from .rulebook import resolve
    >>> side_bounds(resolve("parlee"), 4)
    Bounds(low=8, high=60)
    """
    own = tricks * game.players
    reserve = game.widow_size if game.reserve_scores else 0
    if tricks == 0:
        first_trick = False
    elif tricks == game.tricks:
        first_trick = True
    low_cards = own + (reserve if first_trick else 0)
    high_cards = own + (0 if first_trick is False else reserve)
    counted = tricks if game.trick_point else 0
    return Bounds(_lowest(game, low_cards) + counted, _highest(game, high_cards) + counted)


def deal_bounds(game: Game) -> Bounds:
    """Return the bounds of all points of a deal: equal bounds if the total is exact."""
    if game.total_is_exact:
        return Bounds(game.total, game.total)
    return side_bounds(game, game.tricks)


def table(game: Game) -> list[tuple[int, int, int]]:
    """Return the table of A.0 for a game: (tricks, least points, most points)."""
    rows = []
    for tricks in range(game.tricks + 1):
        bounds = side_bounds(game, tricks)
        rows.append((tricks, bounds.low, bounds.high))
    return rows


def tricks_allowing(game: Game, points: int) -> list[int]:
    """Return the numbers of tricks with which a side can have ``points``."""
    return [tricks for tricks in range(game.tricks + 1) if points in side_bounds(game, tricks)]


def first_impossible_trick(game: Game, points: Sequence[int]) -> int | None:
    """Return the first trick (from 0) whose points the pack cannot yield after the tricks before it.

    ``points`` are the tricks' values in order, with the trick point where tricks count; the search
    is exact: it distributes the pack's cards over the tricks. ``None``: one deal can yield all tricks.
    """
    counted = 1 if game.trick_point else 0
    cards = [each - counted for each in points]
    counts = [0] * 6
    for value in _values(game.deck_mask):
        counts[value] += 1
    spare = game.players * (game.tricks - len(cards)) + game.widow_size
    if _shared_out(tuple(counts), tuple(sorted(cards, reverse=True)), game.players, spare):
        return None
    for end in range(1, len(cards) + 1):
        spare = game.players * (game.tricks - end) + game.widow_size
        if not _shared_out(
            tuple(counts), tuple(sorted(cards[:end], reverse=True)), game.players, spare
        ):
            return end - 1
    return len(cards) - 1


@lru_cache(maxsize=1024)
def _makings(value: int, size: int, highest: int = 5) -> tuple[tuple[int, ...], ...]:
    """Return every way to make ``value`` with ``size`` cards of values 0..``highest``, as counts."""
    if highest == 0:
        return ((size,),) if value == 0 else ()
    return tuple(
        (*rest, count)
        for count in range(min(size, value // highest), -1, -1)
        for rest in _makings(value - count * highest, size - count, highest - 1)
    )


@lru_cache(maxsize=65536)
def _shared_out(counts: tuple[int, ...], tricks: tuple[int, ...], size: int, spare: int) -> bool:
    """Whether ``tricks`` of ``size`` cards can be made from a pack, ``spare`` cards left over."""
    if not tricks:
        return sum(counts) == spare
    for cards in _makings(tricks[0], size):
        left = tuple(have - used for have, used in zip(counts, cards, strict=True))
        if min(left) >= 0 and _shared_out(left, tricks[1:], size, spare):
            return True
    return False
