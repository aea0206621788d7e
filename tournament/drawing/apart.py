"""Players to be kept apart, where others than the draw decide who meets: timetables, pools and brackets.

A draw that would bring together two who are to be kept apart is refused by name in every format; a table
that the director keeps is the director's. What is laid out beforehand is laid out by several lots until nobody
of them meets; where no lots do, it is refused before the first round, not in the middle of the stage.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import combinations
from typing import Final, TypeVar

from scoring.texts import gettext_lazy as _
from tournament.pairing.model import DrawRefused, Pair, Table, pair

from .spec import Spec

SINCE: Final = 4
"""Draws of this version and later."""
LOTS_TRIED: Final = 60

Laid = TypeVar("Laid")
Met = tuple[int, int, Pair]
"""Round, table and the two who meet there."""


def lay_out(spec: Spec, make: Callable[[str], Laid], met: Callable[[Laid], Iterable[Met]]) -> Laid:
    """What ``make`` lays out by a draw code in which nobody meets who is to be kept apart.

    ``met``: who meets in it, in the rounds that the stage plays. Raises :class:`DrawRefused` ``bans``
    where no lots tried keep them apart.
    """
    first = make(spec.seed)
    bans = spec.wishes.bans
    if spec.version < SINCE or not bans:
        return first
    meetings = list(met(first))
    clash = next((one for one in meetings if one[2] in bans), None)
    if clash is None:
        return first
    people = len(spec.contestants)
    if len({two for _round, _table, two in meetings}) < people * (people - 1) // 2:
        for attempt in range(1, LOTS_TRIED):
            other = make(f"{spec.seed}|apart {attempt}")
            if not any(two in bans for _round, _table, two in met(other)):
                return other
    raise refused(clash)


def meetings(round_no: int, tables: Iterable[Table]) -> Iterator[Met]:
    """Who meets at these tables."""
    for table in tables:
        for one, two in combinations(table.players, 2):
            yield round_no, table.number, pair(one, two)


def require_apart(spec: Spec, tables: Iterable[Table]) -> None:
    """Refuse a round that brings together two to be kept apart, at a table that nobody keeps by hand."""
    if spec.version < SINCE:
        return
    drawn = [table for table in tables if table not in spec.wishes.locked]
    for clash in meetings(spec.round_no, drawn):
        if clash[2] in spec.wishes.bans:
            raise refused(clash)


def refused(clash: Met) -> DrawRefused:
    """The refusal of a meeting of two who are to be kept apart."""
    round_no, table, (one, two) = clash
    return DrawRefused(
        "bans",
        _(
            "Numbers {one} and {two} would meet in round {round} (table {table}) and are to be kept apart. This "
            "format cannot avoid it: remove that request, or choose another format."
        ).format(one=one, two=two, round=round_no, table=table),
        (one, two),
    )
