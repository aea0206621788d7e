"""Entrants of known strength play the rounds of a format, in many events side by side.

Strengths are normal with spread 1. In a deal a side scores its mean strength minus that of the
other, plus normal noise of spread :data:`NOISE`; where each plays for themselves, each their own
strength plus noise, against the mean of the others. A bye is worth the average of the entrant's own
rounds; for a pair it is a win.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
import numpy.typing as npt

from tournament.advice.laying import IntArray, LaidRound
from tournament.pairing.model import Kind

FloatArray = npt.NDArray[np.float64]
NOISE: Final = 6.0
"""Noise of one deal, in spreads of strength (docs/formats.md says how it was set)."""
_GAMES: Final = {
    Kind.MATCH: [np.array([1.0, -1.0])],
    Kind.PARTNERS: [np.array([1.0, -1.0, 1.0, -1.0])],
    Kind.ROTATION: [
        np.array([1.0, 1.0, -1.0, -1.0]),
        np.array([1.0, -1.0, 1.0, -1.0]),
        np.array([1.0, -1.0, -1.0, 1.0]),
    ],
}
"""The games of a table: the seats of one side 1, those of the other −1."""


class Events:
    """Many events of ``n`` entrants, each with strengths of its own and all with the same draw.

    ``strengths``, ``net``, ``won`` and ``counted`` (rounds) have a row for each event and a column for each entrant.
    """

    def __init__(self, count: int, n: int, kind: Kind, *, by_wins: bool) -> None:
        self.lots = np.random.default_rng([count, n])
        self.strengths = self.lots.standard_normal((count, n))
        self.kind, self.by_wins = kind, by_wins
        self.net, self.won, self.counted = (np.zeros((count, n)) for _total in range(3))

    def everybody(self, places: IntArray | Sequence[int]) -> IntArray:
        """Return the same places in every event."""
        flat = np.asarray(places, dtype=np.int64).ravel()
        return np.broadcast_to(flat, (len(self.strengths), flat.size))

    def play(self, at: IntArray, size: int, deals: float) -> None:
        """Play a round at tables of ``size`` and add it up.

        ``at``: who sits where, table after table; in a row for each event where it differs.
        """
        where = (slice(None), at) if at.ndim == 1 else (np.arange(len(at))[:, None], at)
        seated = self.strengths[where]
        gained = self._marks(seated.reshape(len(seated), -1, size), deals)
        for total, gain in zip((self.net, self.won), gained, strict=False):
            total[where] += gain.reshape(seated.shape)
        self.counted[where] += 1

    def play_laid(self, round_: LaidRound, deals: float) -> None:
        """Play a round that was laid out; a pair that rests wins."""
        for tables in round_.tables:
            self.play(tables.ravel(), tables.shape[1], deals)
        if self.kind is Kind.MATCH:
            self.won[:, list(round_.out)] += 1

    def _marks(self, x: FloatArray, deals: float) -> tuple[FloatArray, ...]:
        """Return the net marks of all seated entrants, by event, table and seat; games won too,
        where they count.
        """
        if self.kind is Kind.SOLO:
            own = deals * x + NOISE * np.sqrt(deals) * self.lots.standard_normal(x.shape)
            size = x.shape[2]
            net = (own * size - own.sum(2, keepdims=True)) / (size - 1)
            return (net, np.argsort(np.argsort(own, 2), 2) / (size - 1)) if self.by_wins else (net,)
        games = _GAMES[self.kind]
        each = deals / len(games)
        net, won = np.zeros_like(x), np.zeros_like(x)
        for signs in games:
            margin = x @ (each * signs / (len(signs) / 2))
            margin += NOISE * np.sqrt(each) * self.lots.standard_normal(margin.shape)
            mine = margin[..., None] * signs
            net += mine
            if self.by_wins:
                won += mine > 0
        return (net, won) if self.by_wins else (net,)

    def points(self) -> FloatArray:
        """Return what the entrants are ranked by; none without a counted round is ahead of one who has it."""
        rounds = np.maximum(self.counted, 1)
        value = self.net / rounds
        if self.by_wins:
            won = self.won if self.kind is Kind.MATCH else self.won / rounds
            value = won + value * 1e-6
        value = value + 1e-9 * self.lots.random(value.shape)  # by lot where nothing else separates
        return np.where(self.counted > 0, value, -np.inf)

    def forget(self) -> None:
        """Begin again from zero: nothing is carried over."""
        for total in (self.net, self.won, self.counted):
            total[:] = 0

    def strongest_wins(self, points: FloatArray) -> tuple[float, float]:
        """Return how often the strongest comes first by ``points``, and among the first three."""
        strongest = self.strengths.argmax(1)[:, None]
        ahead = (points > np.take_along_axis(points, strongest, 1)).sum(1)
        return float((ahead == 0).mean()), float((ahead < 3).mean())


def play_bracket(events: Events, places: IntArray, deals: float) -> FloatArray:
    """Play a knock-out and return points in the order of its entrants; semi-finalists by lot.

    ``places``: for each event the bracket, two by two; −1 for a bye.
    """
    count, n = events.strengths.shape
    points = np.zeros((count, n + 1))  # the last column takes the byes
    alive, reached = places, 0.0
    while alive.shape[1] > 1:
        one, two = alive[:, ::2], alive[:, 1::2]
        strengths = np.pad(events.strengths, ((0, 0), (0, 1)))
        x, y = (np.take_along_axis(strengths, side, 1) for side in (one, two))
        margin = deals * (x - y) + NOISE * np.sqrt(deals) * events.lots.standard_normal(x.shape)
        first_wins = np.where(two < 0, True, np.where(one < 0, False, margin > 0))
        alive, lost = np.where(first_wins, one, two), np.where(first_wins, two, one)
        np.put_along_axis(points, lost, reached + events.lots.random(lost.shape) / 2, 1)
        reached += 1
    np.put_along_axis(points, alive, reached, 1)
    out: FloatArray = points[:, :n]
    return out


def play_swiss(events: Events, rounds: int, deals: float) -> None:
    """Play Swiss rounds: neighbours in the standing who have not met, the last one resting in turn."""
    count, n = events.strengths.shape
    every = np.arange(count)
    met = (
        np.zeros((count, n, n), dtype=bool) if n <= 64 else None
    )  # 64: memory; larger fields seldom meet again
    rested = np.zeros((count, n), dtype=np.int64)
    for _round in range(rounds):
        order = np.argsort(-events.points(), axis=1)
        if not events.counted.any():
            order = np.argsort(events.lots.random((count, n)), axis=1)
        if n % 2:
            turns = np.take_along_axis(rested, order, 1)
            last = n - 1 - np.argmin(turns[:, ::-1], axis=1)
            resting = order[every, last]
            rested[every, resting] += 1
            events.won[every, resting] += 1
            order = order[order != resting[:, None]].reshape(count, n - 1)
        pairs = order if met is None else _new_neighbours(order, met)
        events.play(pairs, 2, deals)


def _new_neighbours(order: IntArray, met: npt.NDArray[np.bool_]) -> IntArray:
    """Pair each from the top down with the next who has not met them; where all have, with the next."""
    count, n = order.shape
    every = np.arange(count)
    free = np.ones((count, n), dtype=bool)
    pairs = np.empty_like(order)
    for pair in range(0, n, 2):
        top = free.argmax(1)
        free[every, top] = False
        one = order[every, top]
        fresh = free & ~np.take_along_axis(met[every, one], order, 1)
        other = np.where(fresh.any(1), fresh.argmax(1), free.argmax(1))
        free[every, other] = False
        two = order[every, other]
        met[every, one, two] = met[every, two, one] = True
        pairs[:, pair], pairs[:, pair + 1] = one, two
    return pairs


def play_by_score(events: Events, rounds: Sequence[LaidRound], deals: float) -> None:
    """Play at tables of four of similar scores; who rests, and when, as laid out."""
    n = events.strengths.shape[1]
    for number, laid in enumerate(rounds):
        if not number:
            events.play_laid(laid, deals)
            continue
        away = events.everybody([*laid.out, *laid.idle])
        points = events.points()
        np.put_along_axis(points, away, -np.inf, 1)
        order = np.argsort(-points, axis=1)[:, : n - away.shape[1]]
        tables = order.reshape(len(order), -1, 4)
        events.play(events.lots.permuted(tables, axis=2).reshape(order.shape), 4, deals)
