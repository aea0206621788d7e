"""Knock-out with seeding and byes, and the main and consolation draws of a pool stage.

The bracket has the next power of two of places. Seeds stand so that 1 and 2 can only meet in the
final, 1–4 in the semi-finals, and so on; the byes go to the best seeds; the unseeded stand by lot,
members of one club in different halves, quarters … as far as they go. Winners of the matches ``2k − 1``
and ``2k`` meet in match ``k`` of the next round.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from scoring.texts import gettext_lazy as _

from .chance import Chance
from .fixed import refuse_number
from .model import Contestant, Kind, Table


def seed_places(size: int) -> list[int]:
    """Return the seed in each place of a bracket of ``size`` (a power of two).

    >>> seed_places(8)
    [1, 8, 4, 5, 2, 7, 3, 6]
    """
    if size < 1 or size & (size - 1):
        raise ValueError("a bracket has a power of two of places")
    places = [1]
    while len(places) < size:
        total = 2 * len(places) + 1
        places = [x for p in places for x in (p, total - p)]
    return places


@dataclass(frozen=True, slots=True)
class Bracket:
    """The places of the first round, two by two; ``None`` is a bye."""

    places: tuple[int | None, ...]
    seed: str

    @property
    def rounds(self) -> int:
        """Number of rounds to the final."""
        return (len(self.places) - 1).bit_length()

    def round_tables(
        self, number: int, winners: Mapping[tuple[int, int], int], first_table: int = 1
    ) -> tuple[Table, ...]:
        """Return the matches of round ``number`` that can be played.

        ``winners`` maps (round, match from 1) to the winner's id, for the matches played; a bye needs
        no entry. A match whose two sides are not both known is left out.
        """
        tables = []
        for match in range(1, len(self.places) // 2**number + 1):
            one = self._side(number - 1, 2 * match - 1, winners)
            two = self._side(number - 1, 2 * match, winners)
            if one is not None and two is not None:
                tables.append(Table(first_table + match - 1, Kind.MATCH, (one, two)))
        return tuple(tables)

    def losers(self, number: int, winners: Mapping[tuple[int, int], int]) -> tuple[int, ...]:
        """Return the losers of round ``number``, in order of their matches (a consolation's field)."""
        out = []
        for table in self.round_tables(number, winners):
            won = winners.get((number, table.number))
            if won is not None:
                out += [p for p in table.players if p != won]
        return tuple(out)

    def byes(self) -> tuple[int, ...]:
        """Return the entrants who pass the first round without playing."""
        out = []
        for k in range(0, len(self.places), 2):
            one, two = self.places[k : k + 2]
            if (one is None) != (two is None):
                out.append(one if one is not None else two)
        return tuple(x for x in out if x is not None)

    def _side(self, number: int, match: int, winners: Mapping[tuple[int, int], int]) -> int | None:
        """Return the winner of match ``match`` of round ``number`` (round 0: the entrant in the place itself)."""
        if number == 0:
            return self.places[match - 1]
        known = winners.get((number, match))
        if known is not None:
            return known
        if number == 1:
            one, two = self.places[2 * match - 2], self.places[2 * match - 1]
            if one is None or two is None:
                return one if one is not None else two
        return None


def draw_knockout(
    contestants: Sequence[Contestant], seed: str, *, seeds: int = 0, label: str = "knock-out"
) -> Bracket:
    """Draw the bracket: the ``seeds`` strongest seeded by rating (then rank), the others by lot.

    With ``seeds`` 0 all places are drawn by lot; with ``seeds`` the number of contestants, none is.
    """
    n = len(contestants)
    if n < 2:
        raise refuse_number(_("A knock-out needs two participants."))
    size = 1 << (n - 1).bit_length()
    chance = Chance(seed, label)
    pool = chance.shuffled(sorted(contestants, key=lambda c: c.id))
    strong = sorted(pool, key=lambda c: (-c.rating, c.rank or 1 << 60))[:seeds]
    rest = [c for c in pool if c not in strong]
    order = seed_places(size)
    at_seed = {s: k for k, s in enumerate(order)}
    places: list[Contestant | None] = [None] * size
    # The places of the seeds above n stay empty: they face the best seeds.
    free = {at_seed[s] for s in range(1, n + 1)}
    for s, c in enumerate(strong, start=1):
        places[at_seed[s]] = c
        free.discard(at_seed[s])
    clubs: dict[str, list[Contestant]] = {}
    for c in rest:
        clubs.setdefault(c.club or f"#{c.id}", []).append(c)
    for _name, members in sorted(clubs.items(), key=lambda item: (-len(item[1]), item[0])):
        for c in members:
            spots = chance.shuffled(sorted(free))
            best = min(spots, key=lambda spot: _company(places, spot, c, size))
            places[best] = c
            free.discard(best)
    return Bracket(tuple(c.id if c else None for c in places), seed)


def _company(
    places: Sequence[Contestant | None], spot: int, c: Contestant, size: int
) -> tuple[int, ...]:
    """Club mates in the same match, then quarter, then half …: the smallest section first."""
    if not c.club:
        return ()
    out = []
    width = 2
    while width < size:
        start = spot // width * width
        out.append(sum(1 for x in places[start : start + width] if x and x.club == c.club))
        width *= 2
    return tuple(out)
