"""Check of a plan of stages: the number of entrants in each stage, and the byes.

In a stage after a cut a bye must be no advantage. A field fits such a stage when its tables are
whole, or when the rounds give all equally many byes (five players over five rounds).

Regulation followed: rules specification D.2 (stages chain with cut-offs; byes; a table of three is
not classified).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tournament.pairing.byes import table_sizes
from tournament.pairing.model import Odd
from tournament.pairing.solo import solo_sizes
from tournament.pairing.whist import longest_movement
from tournament.ranking.cuts import Cut, count_through, sized


@dataclass(frozen=True, slots=True)
class Seats:
    """Seating of a stage's field.

    Args:
        unit: players (or pairs) at a table; 1 where any number is seated (brackets, round robins,
            auctions).
        least: the smallest field that can play at all.
        rounds: rounds of the stage.
        odd: treatment of individuals over a multiple of four.
        size: the size wanted of tables where each plays alone, 0 elsewhere.
        movement: the fixed movement that is played, "" elsewhere.
        threes_count: the games of tables of three among fours count.
    """

    unit: int
    least: int
    rounds: int
    odd: Odd = Odd.BYES
    size: int = 0
    movement: str = ""
    threes_count: bool = False

    def tables(self, field: int) -> int:
        """Return the number of tables of a round at which a result counts."""
        if field < self.least:
            return 0
        if self.size and self.unit == 1:
            return len(solo_sizes(field, self.size))
        if self.unit == 4 and self.threes_count:
            fours, threes, _out = table_sizes(field, self.odd)
            return fours + threes
        return (field - self.idle(field)) // max(self.unit, 2)

    def fits(self, field: int) -> bool:
        """Return whether all rounds can be played, with equally many byes for each entrant."""
        if field < self.least or not self.tables(field) or self.too_short(field) is not None:
            return False
        return self.rounds * self.idle(field) % field == 0

    def too_short(self, field: int) -> int | None:
        """Return the number of rounds of the movement for this field, if it is less than planned."""
        if not self.movement:
            return None
        lasts = longest_movement(self.movement, field)
        return lasts if lasts < self.rounds else None

    def nearest(self, field: int, most: int | None) -> tuple[int, ...]:
        """Return the largest field below and the smallest above that fit, of at most ``most``."""
        below = next((n for n in range(field - 1, self.least - 1, -1) if self.fits(n)), None)
        top = most if most is not None else field + 4 * self.unit
        above = next((n for n in range(field + 1, top + 1) if self.fits(n)), None)
        return tuple(n for n in (below, above) if n is not None)

    def idle(self, field: int) -> int:
        """Count the entrants who sit out of a round, or play at a table that is not classified."""
        if self.unit == 4:
            _fours, threes, out = table_sizes(field, self.odd)
            return out if self.threes_count else 3 * threes + out
        return field % self.unit


@dataclass(frozen=True, slots=True)
class Part:
    """A stage as planned: its name, how it seats its field, who goes on from it.

    ``taken``: the number of entrants who qualified for it already; 0 before that.
    """

    name: str
    seats: Seats
    cut: Cut | None = None
    taken: int = 0


@dataclass(frozen=True, slots=True)
class Link:
    """A stage in the chain.

    Attributes:
        field: how many come into it, ``None`` where that is not known yet.
        tables: tables of its rounds, where its cut takes table winners.
        decides: a stage before it has a cut.
        fits: its field can be seated, as far as is known.
        nearest: the fields around it that could.
        rounds: the rounds planned, and
        lasts: those that its movement lasts, where these are too few.
    """

    name: str
    field: int | None
    tables: int | None
    decides: bool
    fits: bool
    nearest: tuple[int, ...] = ()
    rounds: int = 0
    lasts: int | None = None


def link_of(name: str, seats: Seats, field: int, most: int | None, tables: int | None) -> Link:
    """Return a stage after a cut, with a field of size ``field``, at most ``most``."""
    fits = seats.fits(field)
    nearest = () if fits else seats.nearest(field, most)
    lasts = None if fits else seats.too_short(field)
    return Link(name, field, tables, True, fits, nearest, seats.rounds, lasts)


def chain(parts: Sequence[Part], entrants: int | None) -> tuple[Link, ...]:
    """Return the stages in order, beginning with ``entrants`` (``None``: not known yet)."""
    links: list[Link] = []
    coming, before, decides = entrants, entrants, False
    for part in parts:
        coming = part.taken or coming
        tables = None if coming is None else part.seats.tables(coming)
        shown = tables if part.cut and part.cut.per_table else None
        links.append(
            link_of(part.name, part.seats, coming, before, shown)
            if decides and coming is not None
            else Link(part.name, coming, shown, decides, fits=True)
        )
        before = coming
        if part.cut is not None:
            decides = True
            if coming is not None:
                coming = count_through(part.cut, coming, tables or 0)
            elif not part.cut.per_table:
                # However many come, there may be enough to fill the last table.
                most = part.cut.top + part.cut.whole if part.cut.top else 0
                coming = sized(part.cut, most, 0).top or None
    return tuple(links)
