"""The victory-point scale: the margin of a match turned into a share of a fixed total.

No manille event is known to use one (rules specification D.1); the scale is the event's own
setting, in the manner of bridge team matches, so that no single rout decides a day.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from scoring.texts import Message
from scoring.texts import gettext_lazy as _
from tournament.ranking.criteria.base import criterion
from tournament.ranking.criteria.own import _Own, with_average_match
from tournament.ranking.model import HALF, Number, Outcome, Value, exact
from tournament.ranking.tally import EntrantRecord, Tally, Worth


@criterion
@dataclass(frozen=True)
class VictoryPoints(_Own):
    """``total`` points shared by each match: half each, one more for every bound reached.

    ``bounds``: the net marks at which the winner's share grows by one, rising; there may not be
    more of them than half the total. The loser gets the rest, so every match gives ``total``.
    A credited round counts by its net marks, and a credited win never less than half.
    """

    total: int = 20
    bounds: tuple[int, ...] = (1, 10, 20, 30, 40, 50, 60, 70, 80, 90)
    code: ClassVar[str] = "victory_points"
    name: ClassVar[Message] = _("Victory points")
    short: ClassVar[Message] = _("VP")
    explanation: ClassVar[Message] = _(
        "Each match shares a fixed total (20 unless set): equal points give half each, and the winner gets one more for each step of the scale the margin reaches."
    )
    additive: ClassVar[bool] = True

    def __post_init__(self) -> None:
        if self.total < 1 or not self.bounds:
            raise self.refuse(_("The total must be positive and the scale not empty."))
        if list(self.bounds) != sorted(set(self.bounds)):
            raise self.refuse(_("The bounds of the scale must rise."))
        if self.bounds[0] < 1 or len(self.bounds) > self.total * HALF:
            raise self.refuse(_("At most half the total can be won in steps."))

    @property
    def half(self) -> Number:
        """Each side's share of a tied match; whole when the total is even."""
        return self.total * HALF if self.total % 2 else self.total // 2

    def share(self, net: Number) -> Number:
        """Return the points of the side that is ``net`` marks ahead (behind, when negative)."""
        size: Number = net if net >= 0 else -net
        steps = len([bound for bound in self.bounds if bound <= size])
        return self.half + (steps if net > 0 else -steps)

    def _shares(self, record: EntrantRecord) -> list[tuple[int, Number]]:
        """Return the round and the points of each match."""
        margins: dict[tuple[int, int | None, tuple[str, ...]], Number] = {}
        for game in record.games:
            key = (game.round_no, game.table, tuple(sorted(game.opponents)))
            margins[key] = margins.get(key, 0) + game.net
        return [(at[0], self.share(net)) for at, net in margins.items()]

    def of(self, tally: Tally, record: EntrantRecord) -> Value:
        """Return the sum over the matches, the credited rounds and the rulings' match points."""
        points = with_average_match(record, Worth(self, self._shares))
        credited: dict[int, tuple[Number, bool]] = {}
        for credit in (each for each in record.credits if not each.average):
            net, won = credited.get(credit.round_no, (0, False))
            credited[credit.round_no] = (net + credit.net, won or credit.outcome is Outcome.WIN)
        for net, won in credited.values():
            points += max(self.share(net), self.half) if won else self.share(net)
        return exact(points + sum(change.match_points for change in record.adjustments))
