"""Criteria that exist only between those still tied: their own games, and lots drawn.

Head-to-head among several is a table of its own: it counts only when every tied entrant has met all
the others; otherwise it separates none (rules specification D.2 names it, no manille source defines
it; the mini-table is that of FIDE Handbook C.07 "direct encounter", without its partial case).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from scoring.texts import Message
from scoring.texts import gettext_lazy as _
from tournament.ranking.criteria.base import Criterion, criterion
from tournament.ranking.model import Number, Value, exact
from tournament.ranking.tally import Tally


@criterion
@dataclass(frozen=True)
class HeadToHead(Criterion):
    """Match points in the games among the tied, then again among those still level.

    For each pair the mean of their games counts, so that meeting more often is no advantage. The
    value is a tuple: the points in the table of all tied, then in the table of those left level by
    it, and so on.
    """

    code: ClassVar[str] = "head_to_head"
    name: ClassVar[Message] = _("Head-to-head")
    short: ClassVar[Message] = _("H2H")
    explanation: ClassVar[Message] = _(
        "The match points in the games among those tied. It counts only if each of them has met each of the "
        "others as an opponent; those still tied are compared again among themselves."
    )
    among_tied: ClassVar[bool] = True
    reads_results: ClassVar[bool] = True

    def values(self, tally: Tally, group: Sequence[str]) -> dict[str, Value]:
        """Return the tuples; None for all when two of the group have not met."""
        points: dict[tuple[str, str], Number] = {}
        members = set(group)
        for key in group:
            games: dict[str, list[Number]] = {}
            for game in tally.records[key].games:
                for opponent in game.opponents:
                    if opponent in members:
                        worth = tally.match_points_for(game.outcome)
                        games.setdefault(opponent, []).append(worth)
            if len(games) < len(group) - 1:
                return dict.fromkeys(group)
            for opponent, worths in games.items():
                points[key, opponent] = Fraction(sum(worths)) / len(worths)
        values: dict[str, tuple[Number, ...]] = dict.fromkeys(group, ())
        self._compare(points, list(group), values)
        return dict(values)

    def _compare(
        self,
        points: dict[tuple[str, str], Number],
        level: list[str],
        values: dict[str, tuple[Number, ...]],
    ) -> None:
        groups: dict[Number, list[str]] = {}
        for key in level:
            total = exact(sum(points[key, other] for other in level if other != key))
            values[key] = (*values[key], total)
            groups.setdefault(total, []).append(key)
        if len(groups) > 1:
            for group in groups.values():
                if len(group) > 1:
                    self._compare(points, group, values)


@criterion
@dataclass(frozen=True)
class DrawnLots(Criterion):
    """The lots drawn among the tied, as recorded; the lower number comes first."""

    code: ClassVar[str] = "lots"
    name: ClassVar[Message] = _("Drawn lots")
    short: ClassVar[Message] = _("Lot")
    explanation: ClassVar[Message] = _(
        "Lots drawn among those still tied and recorded with the event; lot 1 comes first. It counts once everyone tied has a lot."
    )
    descending: ClassVar[bool] = False
    among_tied: ClassVar[bool] = True
    short_column: ClassVar[bool] = True

    def values(self, tally: Tally, group: Sequence[str]) -> dict[str, Value]:
        """Return the lot numbers; None for all while one of the group has none."""
        if not all(key in tally.lots for key in group):
            return dict.fromkeys(group)
        return {key: tally.lots[key] for key in group}
