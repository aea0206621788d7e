"""Separation of players in timetables, pools and brackets, where the schedule decides the meetings.

A draw with a forbidden meeting is refused by name in every format, except at a table that the
director fixed by hand. A schedule made beforehand tries several lots until no forbidden pair meets.
When none succeeds, it is refused before the first round, not in the middle of the stage.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import combinations
from typing import Final, TypeVar

from scoring.texts import gettext_lazy as _
from tournament.pairing.model import Contestant, DrawRefused, Pair, Table, pair

from .spec import Spec

SINCE: Final = 4
"""Draws of this version and later."""
CLUBS_GIVE_WAY_SINCE: Final = 6
LOTS_TRIED: Final = 60

Laid = TypeVar("Laid")
Met = tuple[int, int, Pair]
"""Round, table and the two who meet there."""


def lay_out(
    spec: Spec,
    make: Callable[[str, Sequence[Contestant]], Laid],
    met: Callable[[Laid], Iterable[Met]],
) -> Laid:
    """Try seeds until no forbidden pair meets, and return the schedule.

    ``make`` builds a schedule from a seed; ``met`` returns its meetings in the rounds that the
    stage plays. When the first seeds fail, later ones stop separating clubs. Raises
    :class:`DrawRefused` ``bans`` when none succeeds.
    """
    first = make(spec.seed, spec.contestants)
    bans = spec.wishes.bans
    if spec.version < SINCE or not bans:
        return first
    meetings = list(met(first))
    clash = next((one for one in meetings if one[2] in bans), None)
    if clash is None:
        return first
    people = len(spec.contestants)
    everybody = len({two for _round, _table, two in meetings}) == people * (people - 1) // 2
    if not everybody:
        without = [replace(who, club="") for who in spec.contestants]
        clubs = spec.version >= CLUBS_GIVE_WAY_SINCE and any(who.club for who in spec.contestants)
        for attempt in range(1, 2 * LOTS_TRIED if clubs else LOTS_TRIED):
            field = spec.contestants if attempt < LOTS_TRIED else without
            other = make(f"{spec.seed}|apart {attempt}", field)
            if not any(two in bans for _round, _table, two in met(other)):
                return other
    raise refused(clash, sure=everybody)


def meetings(round_no: int, tables: Iterable[Table]) -> Iterator[Met]:
    """Yield every meeting at these tables."""
    for table in tables:
        for one, two in combinations(table.players, 2):
            yield round_no, table.number, pair(one, two)


def require_apart(spec: Spec, tables: Iterable[Table]) -> None:
    """Refuse a round with a forbidden meeting at a table that was not fixed by hand."""
    if spec.version < SINCE:
        return
    drawn = [table for table in tables if table not in spec.wishes.locked]
    for clash in meetings(spec.round_no, drawn):
        if clash[2] in spec.wishes.bans:
            raise refused(clash)


_CANNOT: Final = _(
    "Numbers {one} and {two} would meet in round {round} (table {table}) and are to be kept apart. This "
    "format cannot avoid it: remove that request, or choose another format."
)
_NOT_FOUND: Final = _(
    "Numbers {one} and {two} would meet in round {round} (table {table}) and are to be kept apart. No lots "
    "were found that keep all apart: remove that request, or choose another format."
)


def refused(clash: Met, *, sure: bool = True) -> DrawRefused:
    """Build the refusal of a forbidden meeting; ``sure`` when no draw at all avoids it."""
    round_no, table, (one, two) = clash
    words = _CANNOT if sure else _NOT_FOUND
    return DrawRefused(
        "bans", words.format(one=one, two=two, round=round_no, table=table), (one, two)
    )
