"""Cost of seating two contestants at one table: the wishes in order of weight.

A ban outweighs everything. Then come, in this order: a repeated meeting (each further time costs
more); two members of one club or family at a table while they are kept apart; a meeting that the
stage's closed form provides for a later round; the distance between score groups. The weights are
far enough apart that no number of lesser wishes outweighs a greater one for up to some thousand
contestants.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .model import Contestant, Request, pair
from .search import IntArray

BAN = 10**13
MEETING = 10**9
CLUB = 10**6
FUTURE = 10**3
GROUP = 1


def apart(a: Contestant, b: Contestant, request: Request) -> bool:
    """Return whether a shared club or family forbids this meeting in the request's round."""
    wishes, number = request.wishes, request.round_no
    same_club = bool(a.club) and a.club == b.club and number <= wishes.clubs_apart_until
    same_family = bool(a.family) and a.family == b.family and number <= wishes.families_apart_until
    return same_club or same_family


def banned(a: Contestant, b: Contestant, request: Request) -> bool:
    """Whether the two may never share a table: a ban, or two fixed tables that differ."""
    if pair(a.id, b.id) in request.wishes.bans:
        return True
    return bool(a.fixed_table and b.fixed_table and a.fixed_table != b.fixed_table)


def score_levels(contestants: tuple[Contestant, ...] | list[Contestant]) -> dict[int, int]:
    """Score → level from 0 for the best group, so that any scores may be given."""
    return {s: k for k, s in enumerate(sorted({c.score for c in contestants}, reverse=True))}


@dataclass(frozen=True, slots=True)
class Costs:
    """The matrix of the players present, in the order of ``ids``."""

    ids: tuple[int, ...]
    matrix: IntArray


def cost_matrix(request: Request, present: list[Contestant]) -> Costs:
    """Return the pair costs of the request for those present."""
    n = len(present)
    index = {c.id: k for k, c in enumerate(present)}
    matrix = np.zeros((n, n), dtype=np.int64)
    met = request.history.meetings
    for (a, b), times in met.items():
        if a in index and b in index:
            matrix[index[a], index[b]] += MEETING * times
    wishes = request.wishes
    for a, b in sorted(wishes.bans):
        if a in index and b in index:
            matrix[index[a], index[b]] += BAN
    fixed = [c for c in present if c.fixed_table]
    for c in fixed:
        for d in fixed:
            if index[c.id] < index[d.id] and c.fixed_table != d.fixed_table:
                matrix[index[c.id], index[d.id]] += BAN
    for name, until in (
        ("club", wishes.clubs_apart_until),
        ("family", wishes.families_apart_until),
    ):
        if request.round_no > until:
            continue
        groups: dict[str, list[int]] = {}
        for c in present:
            label = str(getattr(c, name))
            if label:
                groups.setdefault(label, []).append(index[c.id])
        for members in groups.values():
            block = np.array(members, dtype=np.int64)
            for k, i in enumerate(members):
                matrix[i, block[k + 1 :]] += CLUB
    matrix = matrix + matrix.T
    if request.by_score:
        levels = score_levels(present)
        level = np.array([levels[c.score] for c in present], dtype=np.int64)
        matrix += GROUP * np.abs(level[:, None] - level[None, :])
    return Costs(tuple(c.id for c in present), matrix)
