"""Criteria that look at the entrant's own games only.

Rule followed: rules specification D.2 "Classification"; D.1 (E8 percentage of games won; E19–E23
difference and points; E25/E27 total; E26 two for a win, one for a loss).
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, Final

from scoring.texts import Message, pgettext_lazy
from scoring.texts import gettext_lazy as _
from tournament.ranking.criteria.base import Criterion, criterion
from tournament.ranking.errors import ONE_OF
from tournament.ranking.figures import format_percentage
from tournament.ranking.model import Number, Outcome, Value, exact
from tournament.ranking.tally import SHARE, EntrantRecord, Tally, Worth

_DRAW_BETWEEN: Final = _("A tied game counts between 0 and 1.")


class _Own(Criterion):
    """A value computed from one entrant's record."""

    def values(self, tally: Tally, group: Sequence[str]) -> dict[str, Value]:
        """Return the value of each entrant, from their own record."""
        return {key: self.of(tally, tally.records[key]) for key in group}

    @abstractmethod
    def of(self, tally: Tally, record: EntrantRecord) -> Value:
        """Return the value for one record."""


def _won(record: EntrantRecord, draw: Fraction) -> Number:
    """Return the games won, a drawn game by its worth; a game credited with the average counts as
    the own games do.
    """
    worth: dict[Outcome | None, Number] = {Outcome.WIN: 1, Outcome.DRAW: draw}
    credited: Number = sum(worth.get(credit.outcome, 0) for credit in record.credits)
    return (
        record.total(Worth.game(("won", draw), lambda game: worth.get(game.outcome, 0))) + credited
    )


@criterion
@dataclass(frozen=True)
class GamesWon(_Own):
    """Games won; a drawn game counts ``draw`` (0 by default, ½ or 1 by the event's rule)."""

    draw: Fraction = Fraction(0)
    code: ClassVar[str] = "games_won"
    name: ClassVar[Message] = _("Games won")
    short: ClassVar[Message] = _("Won")
    explanation: ClassVar[Message] = _(
        "The number of games won. A game not played counts as the event credits it; a tied game counts as the "
        "event says, nothing unless stated."
    )
    additive: ClassVar[bool] = True
    short_column: ClassVar[bool] = True
    by_wins: ClassVar[bool] = True

    def __post_init__(self) -> None:
        if not 0 <= self.draw <= 1:
            raise self.refuse(_DRAW_BETWEEN)

    def of(self, tally: Tally, record: EntrantRecord) -> Value:
        """Wins, drawn games by their worth, and the games rulings gave or took."""
        won = _won(record, self.draw)
        return exact(won + sum(change.games_won for change in record.adjustments))


@criterion
@dataclass(frozen=True)
class GamesPercentage(_Own):
    """Games won of the games counted (E8: clubs by percentage of games won, 18/25 = 72 %)."""

    draw: Fraction = Fraction(0)
    code: ClassVar[str] = "games_percentage"
    name: ClassVar[Message] = _("Percentage of games won")
    short: ClassVar[Message] = _("% won")
    explanation: ClassVar[Message] = _(
        "Games won divided by games played, so that participants with fewer games compare fairly."
    )
    by_wins: ClassVar[bool] = True

    def __post_init__(self) -> None:
        if not 0 <= self.draw <= 1:
            raise self.refuse(_DRAW_BETWEEN)

    def of(self, tally: Tally, record: EntrantRecord) -> Value:
        """Return a share of one; None before the first game."""
        if not record.counted or record.counted == record.averaged:
            return None
        won = _won(record, self.draw)
        won += sum(change.games_won for change in record.adjustments)
        return exact(Fraction(won) / record.counted)

    def _one(self, number: Number, language: str) -> str:
        return format_percentage(number, language)


@criterion
@dataclass(frozen=True)
class MatchPoints(_Own):
    """The rule's points for win, draw and loss, for each game or for each match (``per``)."""

    per: str = "game"
    code: ClassVar[str] = "match_points"
    name: ClassVar[Message] = _("Match points")
    short: ClassVar[Message] = _("MP")
    explanation: ClassVar[Message] = _(
        "Points for each game (or, if the event says so, each match) won, tied or lost: 2, 1 and 0 unless the "
        "event fixes others, such as 1, ½ and 0."
    )
    additive: ClassVar[bool] = True
    short_column: ClassVar[bool] = True
    by_wins: ClassVar[bool] = True
    reads_results: ClassVar[bool] = True

    def __post_init__(self) -> None:
        if self.per not in ("game", "match"):
            raise self.refuse(ONE_OF, key="per", options="game, match")

    def of(self, tally: Tally, record: EntrantRecord) -> Value:
        """Return the points of the outcomes, plus those of rulings."""
        fixed = [credit for credit in record.credits if not credit.average]
        points: Number
        if self.per == "game":
            points = record.total(
                Worth.game("match_points", lambda game: tally.match_points_for(game.outcome))
            )
            credited = [credit.outcome for credit in fixed]
        else:
            points = with_average_match(
                record,
                Worth(
                    "points_of_matches",
                    lambda one: [
                        (at[0], tally.match_points_for(outcome))
                        for at, outcome in matches(one).items()
                    ],
                ),
            )
            credited = list({line.round_no: line.outcome for line in fixed}.values())
        points += sum(tally.match_points_for(outcome) for outcome in credited)
        return exact(points + sum(change.match_points for change in record.adjustments))


def with_average_match(record: EntrantRecord, worth: Worth) -> Number:
    """Sum over matches, with their average in the stage for every round of it credited so."""
    rounds = {credit.round_no for credit in record.credits if credit.average}
    return record.with_average(worth, rounds)


def matches(record: EntrantRecord) -> dict[tuple[int, int | None, tuple[str, ...]], Outcome]:
    """Yield each sitting against the same opponents with its outcome: more games won than lost wins.

    A decision on the whole sitting stands before the games.
    """
    decided: dict[tuple[int, int | None, tuple[str, ...]], Outcome] = {}
    lead: dict[tuple[int, int | None, tuple[str, ...]], int] = {}
    for game in record.games:
        key = (game.round_no, game.table, tuple(sorted(game.opponents)))
        step = {Outcome.WIN: 1, Outcome.LOSS: -1}.get(game.outcome or Outcome.DRAW, 0)
        lead[key] = lead.get(key, 0) + step
        if game.match is not None:
            decided[key] = game.match
    return {
        key: decided.get(
            key, Outcome.WIN if ahead > 0 else Outcome.LOSS if ahead < 0 else Outcome.DRAW
        )
        for key, ahead in lead.items()
    }


@criterion
@dataclass(frozen=True)
class NetMarks(_Own):
    """Marks for minus marks against, each game limited by the rule's cap."""

    code: ClassVar[str] = "net_marks"
    name: ClassVar[Message] = _("Point difference")
    short: ClassVar[Message] = _("Net")
    explanation: ClassVar[Message] = _(
        "Points of one’s side minus those of the other side, over all games; "
        "where each plays against all, minus the mean of the others at the table. "
        "Where the event sets a cap, one game counts for no more than the cap."
    )
    additive: ClassVar[bool] = True
    signed: ClassVar[bool] = True

    def of(self, tally: Tally, record: EntrantRecord) -> Value:
        """Return the sum of the capped differences, the credits and the rulings."""
        net: Number = sum(line.net for line in (*record.games, *record.credits))
        return exact(net + sum(change.marks for change in record.adjustments))


@criterion
@dataclass(frozen=True)
class Marks(_Own):
    """All marks written by the entrant's side."""

    code: ClassVar[str] = "marks"
    name: ClassVar[Message] = pgettext_lazy("criterion", "Points")
    short: ClassVar[Message] = pgettext_lazy("criterion in short", "Points")
    explanation: ClassVar[Message] = _(
        "All points scored; where the event caps them, no more than the cap in one game."
    )
    additive: ClassVar[bool] = True

    def of(self, tally: Tally, record: EntrantRecord) -> Value:
        """Return the sum of the marks that count, the credits and the rulings."""
        marks: Number = sum(line.marks_for for line in (*record.games, *record.credits))
        return exact(marks + sum(change.marks for change in record.adjustments))


@criterion
@dataclass(frozen=True)
class PointsPercentage(_Own):
    """Card points taken of the card points there were."""

    code: ClassVar[str] = "points_percentage"
    name: ClassVar[Message] = _("Percentage of maximum")
    short: ClassVar[Message] = _("% max")
    explanation: ClassVar[Message] = _(
        "Points taken divided by the points there were to take in the deals played (60 or 68 per deal in the "
        "game of two pairs). Rounds not played do not count."
    )
    reads_deals: ClassVar[bool] = True
    reads_card_points: ClassVar[bool] = True

    def of(self, tally: Tally, record: EntrantRecord) -> Value:
        """Return a share of one; None while no game has its points recorded."""
        most: Number = 0
        points: Number = 0
        for game in record.games:
            if game.points is not None and game.max_points is not None:
                points += game.points
                most += game.max_points
        return exact(Fraction(points) / most) if most else None

    def _one(self, number: Number, language: str) -> str:
        return format_percentage(number, language)


@criterion
@dataclass(frozen=True)
class BestDeal(_Own):
    """The most marks of the entrant's side in one deal."""

    code: ClassVar[str] = "best_deal"
    name: ClassVar[Message] = _("Best deal")
    short: ClassVar[Message] = _("Best")
    explanation: ClassVar[Message] = _("The most points scored in a single deal.")
    reads_deals: ClassVar[bool] = True

    def of(self, tally: Tally, record: EntrantRecord) -> Value:
        """Return the greatest; None while no deal is recorded."""
        best = [game.best_deal for game in record.games if game.best_deal is not None]
        return exact(max(best)) if best else None


@criterion
@dataclass(frozen=True)
class FewestPenalties(_Own):
    """Penalties against the entrant; the fewer, the better."""

    code: ClassVar[str] = "fewest_penalties"
    name: ClassVar[Message] = _("Fewest penalties")
    short: ClassVar[Message] = _("Pen.")
    explanation: ClassVar[Message] = _(
        "The number of penalties ruled against one’s side; the fewer come first."
    )
    descending: ClassVar[bool] = False
    additive: ClassVar[bool] = True
    short_column: ClassVar[bool] = True
    of_offences: ClassVar[bool] = True

    def of(self, tally: Tally, record: EntrantRecord) -> Value:
        """Count the penalties in the games and by rulings outside them."""
        ruled = sum(change.penalty_count for change in record.adjustments)
        return exact(record.total(Worth.game("penalties", lambda game: game.penalties)) + ruled)


@criterion
@dataclass(frozen=True)
class MarksPerDeal(_Own):
    """Marks divided by the deals they were written in."""

    code: ClassVar[str] = "marks_per_deal"
    name: ClassVar[Message] = _("Points per deal")
    short: ClassVar[Message] = _("per deal")
    explanation: ClassVar[Message] = _(
        "Points scored divided by the deals played, so that tables with more players, which play more deals, compare fairly."
    )
    signed: ClassVar[bool] = True
    reads_deals: ClassVar[bool] = True

    def of(self, tally: Tally, record: EntrantRecord) -> Value:
        """Return the sum of the marks and the rulings over the deals; None before the first deal."""
        deals = sum(game.deals for game in record.games)
        if not deals:
            return None
        marks: Number = sum(game.marks_for for game in record.games)
        return exact(Fraction(marks + sum(c.marks for c in record.adjustments)) / deals)


@criterion
@dataclass(frozen=True)
class PlacePoints(_Own):
    """For each game, how many at the table one came in ahead of."""

    code: ClassVar[str] = "place_points"
    name: ClassVar[Message] = _("Place points")
    short: ClassVar[Message] = _("Place pts")
    explanation: ClassVar[Message] = _(
        "For each game one point for every player at the table with fewer points, half a point for everyone tied."
    )
    additive: ClassVar[bool] = True

    def of(self, tally: Tally, record: EntrantRecord) -> Value:
        """Return the sum over the games; a game of two sides counts by its outcome."""
        own = record.total(
            Worth.game(
                "places", lambda game: SHARE[game.outcome] if game.place is None else game.place
            )
        )
        fixed = [credit for credit in record.credits if not credit.average]
        return exact(own + sum(SHARE[credit.outcome] for credit in fixed))
