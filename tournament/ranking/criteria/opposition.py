"""Criteria that weigh an entrant's opponents: Buchholz and its cuts, Sonneborn-Berger, opponents' wins.

| Regulation | here |
|---|---|
| Buchholz, Cut-1, Median, Sonneborn-Berger (FIDE Handbook C.07) | covered; the score is a parameter |
| A round without play: a dummy opponent with one's own final score (C.07 art. 16.4) | covered |
| Opponents' own unplayed rounds revalued (C.07 art. 16.3) | not covered: a forfeit or bye stands in the opponent's score as credited |
| Forfeits | count as met: manille events seat a table and lose it by forfeit |

An opponent met in several games of one sitting is one meeting. In individual play both players of
the other side are met, so each game gives two opponents.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from scoring.texts import Message
from scoring.texts import gettext_lazy as _
from tournament.ranking.criteria.base import CRITERIA, Criterion, criterion
from tournament.ranking.errors import ONE_OF
from tournament.ranking.model import Number, Outcome, Value, exact
from tournament.ranking.tally import SHARE, Tally

SCORES = ("match_points", "games_won", "net_marks", "marks")
"""The criteria whose value may serve as an opponent's score."""


@dataclass(frozen=True)
class _Opposition(Criterion):
    """A value computed from the scores (``of``) of the opponents met."""

    of: str = "match_points"

    def __post_init__(self) -> None:
        if self.of not in SCORES:
            raise self.refuse(ONE_OF, key="of", options=", ".join(SCORES))

    def scores(self, tally: Tally) -> dict[str, Number]:
        """Return the score of each entrant, by the criterion named ``of``."""
        if self.of in tally.scores:
            return tally.scores[self.of]
        values = CRITERIA[self.of]().values(tally, list(tally.records))
        scores = tally.scores[self.of] = {}
        for key, value in values.items():
            assert isinstance(value, int | Fraction)  # noqa: S101  each of SCORES is a number
            scores[key] = value
        return scores

    def dummies(self, tally: Tally, entrant: str) -> list[Outcome | None]:
        """Return one outcome for each dummy opponent of the rounds credited without play."""
        record = tally.records[entrant]
        dummies: list[Outcome | None] = []
        for round_no, outcome in {
            credit.round_no: credit.outcome for credit in record.credits
        }.items():
            if not any(game.round_no == round_no for game in record.games):
                dummies += [outcome] * tally.opponents_in_round.get(round_no, 1)
        return dummies


class _Buchholz(_Opposition):
    """Opponents' scores, the extremes perhaps left out."""

    def values(self, tally: Tally, group: Sequence[str]) -> dict[str, Value]:
        """Return the sum of the opponents' scores that :meth:`counted` selects."""
        scores = self.scores(tally)
        values: dict[str, Value] = {}
        for key in group:
            met = [scores[meeting[2]] for meeting in tally.meetings[key]]
            met += [scores[key]] * len(self.dummies(tally, key))
            values[key] = exact(sum(self.counted(sorted(met))))
        return values

    def counted(self, rising: list[Number]) -> list[Number]:
        """Return the scores that count, from all in rising order."""
        return rising


@criterion
@dataclass(frozen=True)
class Buchholz(_Buchholz):
    """The sum of the opponents' scores."""

    code: ClassVar[str] = "buchholz"
    name: ClassVar[Message] = _("Buchholz")
    short: ClassVar[Message] = _("BH")
    explanation: ClassVar[Message] = _(
        "The scores of all opponents met, added up: players who met stronger opponents come first. A round "
        "without play counts as an opponent with one’s own score."
    )


@criterion
@dataclass(frozen=True)
class BuchholzCut(_Buchholz):
    """Buchholz without the ``worst`` lowest scores."""

    worst: int = 1
    code: ClassVar[str] = "buchholz_cut"
    name: ClassVar[Message] = _("Buchholz, lowest left out")
    short: ClassVar[Message] = _("BH−1")
    explanation: ClassVar[Message] = _(
        "Buchholz without the lowest opponent’s score (or the lowest few, as the "
        "event says), so that one weak opponent does no harm."
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.worst < 1:
            raise self.refuse(_("At least one score is left out."))

    def counted(self, rising: list[Number]) -> list[Number]:
        """Return all but the lowest."""
        return rising[self.worst :]


@criterion
@dataclass(frozen=True)
class BuchholzMedian(_Buchholz):
    """Buchholz without the ``each`` lowest and the ``each`` highest scores."""

    each: int = 1
    code: ClassVar[str] = "buchholz_median"
    name: ClassVar[Message] = _("Median Buchholz")
    short: ClassVar[Message] = _("Med.")
    explanation: ClassVar[Message] = _(
        "Buchholz without the lowest and the highest opponent’s score (or as many at "
        "each end as the event says)."
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.each < 1:
            raise self.refuse(_("At least one score is left out at each end."))

    def counted(self, rising: list[Number]) -> list[Number]:
        """Return all but the extremes; nothing when they meet."""
        return rising[self.each : max(self.each, len(rising) - self.each)]


@criterion
@dataclass(frozen=True)
class SonnebornBerger(_Opposition):
    """Opponents' scores, each times the part of the games won against them."""

    code: ClassVar[str] = "sonneborn_berger"
    name: ClassVar[Message] = _("Sonneborn-Berger")
    short: ClassVar[Message] = _("SB")
    explanation: ClassVar[Message] = _(
        "The scores of the opponents beaten, and half those of the opponents tied with: wins against the strong "
        "count for more."
    )

    def values(self, tally: Tally, group: Sequence[str]) -> dict[str, Value]:
        """Over each meeting: the opponent's score times the mean part won of its games."""
        scores = self.scores(tally)
        values: dict[str, Value] = {}
        for key in group:
            total: Number = 0
            for meeting, outcomes in tally.meetings[key].items():
                if len(outcomes) == 1:
                    total += scores[meeting[2]] * SHARE[outcomes[0]]
                else:
                    won = sum(SHARE[outcome] for outcome in outcomes)
                    total += scores[meeting[2]] * Fraction(won) / len(outcomes)
            total += sum(scores[key] * SHARE[outcome] for outcome in self.dummies(tally, key))
            values[key] = exact(total)
        return values


@criterion
@dataclass(frozen=True)
class OpponentsWins(Criterion):
    """The games the opponents met have won in play (credits and rulings left aside)."""

    code: ClassVar[str] = "opponents_wins"
    name: ClassVar[Message] = _("Opponents’ wins")
    short: ClassVar[Message] = _("Opp.")
    explanation: ClassVar[Message] = _(
        "The number of games won by all opponents met, counting only games at the table: no credited rounds, no rulings."
    )
    short_column: ClassVar[bool] = True

    def values(self, tally: Tally, group: Sequence[str]) -> dict[str, Value]:
        """Return the sum over the meetings."""
        won = {
            key: sum(1 for game in record.games if game.outcome is Outcome.WIN)
            for key, record in tally.records.items()
        }
        return {key: sum(won[meeting[2]] for meeting in tally.meetings[key]) for key in group}
