"""The results gathered by entrant, with caps, credits and withdrawals applied; checked once.

Rule followed: rules specification D.2 (byes, cap); D.1 E23 (results against a withdrawn team
deleted). The criteria read from here and never from the raw results.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from math import ceil
from statistics import median

from tournament.ranking.errors import CAP_TOO_SMALL, BadResults, BadRule
from tournament.ranking.model import (
    HALF,
    Adjustment,
    CapOn,
    Carried,
    Credit,
    CreditBy,
    Entrant,
    Kind,
    Number,
    Outcome,
    Played,
    Rule,
    Withdrawal,
    exact,
)

SHARE: dict[Outcome | None, Number] = {
    Outcome.WIN: 1,
    Outcome.DRAW: HALF,
    Outcome.LOSS: 0,
    None: 0,
}
"""The part of a game an outcome is worth: what Sonneborn-Berger multiplies with."""


@dataclass(frozen=True, slots=True)
class Credited:
    """A round credited without play, its amounts already worked out."""

    round_no: int
    outcome: Outcome | None
    marks: Number
    net: Number
    average: bool = False
    """The average of one's own games in every criterion, not an outcome of its own."""

    @property
    def counts(self) -> bool:
        """Whether it is a game among those counted."""
        return self.average or self.outcome is not None


@dataclass(slots=True)
class Record:
    """All that counts for one entrant."""

    entrant: Entrant
    games: list[Played] = field(default_factory=list)
    credits: list[Credited] = field(default_factory=list)
    adjustments: list[Adjustment] = field(default_factory=list)
    carried: Sequence[int] = ()
    """The last round of each stage carried over."""

    def count(self, outcome: Outcome) -> int:
        """Games with this outcome, played, forfeited or credited."""
        return sum(1 for game in self.games if game.outcome is outcome) + sum(
            1 for credit in self.credits if credit.outcome is outcome
        )

    @property
    def counted(self) -> int:
        """Games with an outcome, credited ones included."""
        return len(self.games) + sum(1 for credit in self.credits if credit.counts)

    @property
    def averaged(self) -> int:
        """Games credited with the average of one's own."""
        return sum(1 for credit in self.credits if credit.average)

    def part_of(self, round_no: int) -> int:
        """Index of the stage that a round belongs to, the first carried over being 0."""
        return bisect_left(self.carried, round_no)

    def total(self, worth: Callable[[Played], Number]) -> Number:
        """Sum over one's games, with their average in the stage for every game of it credited so."""
        if not self.averaged:
            return sum(map(worth, self.games))
        averaged = Counter(self.part_of(line.round_no) for line in self.credits if line.average)
        parts: dict[int, list[Number]] = {}
        for game in self.games:
            parts.setdefault(self.part_of(game.round_no), []).append(worth(game))
        total: Number = sum(
            Fraction(sum(own)) * (len(own) + averaged[part]) / len(own)
            for part, own in parts.items()
        )
        return exact(total)


class Tally:
    """The field of one standing: a :class:`Record` for each entrant, and sums over them.

    ``lots``: lot numbers drawn; ``places``: places won in a bracket; both by entrant. ``others``:
    those who played in a stage ``carried`` over only: they count as opponents, and are not ranked.

    ``through``: the last round counted; None counts all. ``BadResults`` when a result names an
    unknown entrant, a game appears twice for one entrant or a line contradicts its kind.
    """

    def __init__(
        self,
        entrants: Iterable[Entrant],
        results: Iterable[Played],
        adjustments: Iterable[Adjustment],
        rule: Rule,
        lots: Mapping[str, int] | None = None,
        through: int | None = None,
        places: Mapping[str, tuple[int, ...]] | None = None,
        others: Sequence[Entrant] = (),
        carried: Sequence[Carried] = (),
    ) -> None:
        self.rule = rule
        lasts = tuple(part.last for part in carried)
        self.lots: Mapping[str, int] = dict(lots or {})
        self.places: Mapping[str, tuple[int, ...]] = dict(places or {})
        self.records: dict[str, Record] = {}
        for entrant in (*entrants, *others):
            if entrant.id in self.records:
                raise BadResults("entrant-twice", f"{entrant.id} is entered twice.", id=entrant.id)
            self.records[entrant.id] = Record(entrant, carried=lasts)
        self.others = frozenset(entrant.id for entrant in others)
        left = frozenset(
            key
            for key, record in self.records.items()
            if record.entrant.withdrawn and not record.entrant.through
        )
        struck = rule.withdrawn is Withdrawal.STRUCK
        self._gone = [*(part.withdrawn for part in carried), left] if struck else []
        self._lasts = lasts
        if rule.cap is not None and rule.cap.amount < 1:
            raise BadRule("cap", CAP_TOO_SMALL, amount=rule.cap.amount)
        unplayed = self._sort_in(results, through)
        for adjustment in adjustments:
            if adjustment.entrant not in self.records:
                raise BadResults(
                    "unknown-entrant",
                    f"An adjustment names {adjustment.entrant}, who is not entered.",
                    id=adjustment.entrant,
                )
            if through is None or adjustment.round_no <= through:
                self.records[adjustment.entrant].adjustments.append(adjustment)
        self._credit(unplayed)
        last = [game.round_no for record in self.records.values() for game in record.games]
        last += [line.round_no for line in unplayed]
        self.through = max(last, default=0) if through is None else through

    def _sort_in(self, results: Iterable[Played], through: int | None) -> list[Played]:
        seen: set[tuple[str, int, int]] = set()
        unplayed: list[Played] = []
        for line in results:
            self._check(line)
            key = (line.entrant, line.round_no, line.game_no)
            if key in seen:
                raise BadResults(
                    "game-twice",
                    f"Round {line.round_no}, game {line.game_no} of {line.entrant} is there twice.",
                    id=line.entrant,
                    round_no=line.round_no,
                    game_no=line.game_no,
                )
            seen.add(key)
            if through is not None and line.round_no > through:
                continue
            gone = self._gone and self._gone[bisect_left(self._lasts, line.round_no)]
            if gone and (
                line.entrant in gone
                or not gone.isdisjoint(line.opponents)
                or not gone.isdisjoint(line.partners)
            ):
                continue
            if line.kind is Kind.BYE or line.kind is Kind.SAT_OUT:
                unplayed.append(line)
            else:
                self.records[line.entrant].games.append(line)
        unplayed.sort(key=lambda line: (line.round_no, line.game_no))
        return unplayed

    def _check(self, line: Played) -> None:
        records = self.records
        for name in (line.entrant, *line.opponents, *line.partners):
            if name not in records:
                raise BadResults(
                    "unknown-entrant",
                    f"Round {line.round_no} names {name}, who is not entered.",
                    id=name,
                    round_no=line.round_no,
                )
        if line.entrant in line.opponents or line.entrant in line.partners:
            raise BadResults(
                "own-opponent",
                f"{line.entrant} meets itself in round {line.round_no}.",
                id=line.entrant,
                round_no=line.round_no,
            )
        seated = line.kind is Kind.PLAYED or line.kind is Kind.FORFEIT
        # Opponents may be missing: a no-show nobody was drawn against, or a game of an earlier
        # stage against somebody who did not go on.
        if seated and line.outcome is None:
            raise BadResults(
                "unfinished-game",
                f"A game of {line.entrant} in round {line.round_no} lacks its outcome.",
                id=line.entrant,
                round_no=line.round_no,
            )
        if not seated and line.opponents:
            raise BadResults(
                "opponents-without-play",
                f"{line.entrant} did not play in round {line.round_no} but has opponents.",
                id=line.entrant,
                round_no=line.round_no,
            )
        if (line.points is None) != (line.max_points is None) or (
            line.points is not None
            and line.max_points is not None
            and not 0 <= line.points <= line.max_points
        ):
            raise BadResults(
                "points-of-maximum",
                f"Points of {line.entrant} in round {line.round_no} do not fit their maximum.",
                id=line.entrant,
                round_no=line.round_no,
            )

    # Counting one game

    def marks_of(self, game: Played) -> Number:
        """The marks of a game that count (limited when the cap is on marks)."""
        cap = self.rule.cap
        if cap is not None and cap.on is CapOn.MARKS:
            return min(game.marks_for, cap.amount)
        return game.marks_for

    def net_of(self, game: Played) -> Number:
        """Marks for minus marks against, limited by the cap of the rule."""
        cap = self.rule.cap
        if cap is None:
            return game.marks_for - game.marks_against
        if cap.on is CapOn.MARKS:
            return min(game.marks_for, cap.amount) - min(game.marks_against, cap.amount)
        return max(-cap.amount, min(cap.amount, game.marks_for - game.marks_against))

    def match_points_for(self, outcome: Outcome | None) -> Number:
        """The rule's match points for an outcome; 0 for none."""
        rule = self.rule
        if outcome is Outcome.WIN:
            return rule.win
        if outcome is Outcome.DRAW:
            return rule.draw
        return rule.loss if outcome is Outcome.LOSS else 0

    # Credits

    def _credit(self, unplayed: Sequence[Played]) -> None:
        for line in unplayed:
            credit = self.rule.bye if line.kind is Kind.BYE else self.rule.sat_out
            if credit.by is CreditBy.NONE:
                continue
            marks, net = self._amounts(line, credit)
            average = credit.by is CreditBy.OWN_AVERAGE and credit.outcome is None
            self.records[line.entrant].credits.append(
                Credited(line.round_no, credit.outcome, exact(marks), exact(net), average)
            )

    def _amounts(self, line: Played, credit: Credit) -> tuple[Number, Number]:
        if credit.by is CreditBy.FIXED:
            return credit.marks, credit.net
        if credit.by is CreditBy.OWN_AVERAGE:
            record = self.records[line.entrant]
            part = record.part_of(line.round_no)
            games = [game for game in record.games if record.part_of(game.round_no) == part]
            if not games:
                return 0, 0
            return (
                Fraction(sum(self.marks_of(game) for game in games)) / len(games),
                Fraction(sum(self.net_of(game) for game in games)) / len(games),
            )
        key = (line.round_no, credit.by, credit.outcome)
        if key not in self._of_field:
            spread = credit.by is CreditBy.FIELD_SPREAD
            like = [
                game
                for record in self.records.values()
                for game in record.games
                if game.round_no == line.round_no
                and game.kind is Kind.PLAYED
                and (spread or credit.outcome is None or game.outcome is credit.outcome)
            ]
            middle = _spread if spread else _median
            self._of_field[key] = (
                middle([self.marks_of(game) for game in like]),
                middle([self.net_of(game) for game in like]),
            )
        return self._of_field[key]

    @cached_property
    def _of_field(self) -> dict[tuple[int, CreditBy, Outcome | None], tuple[Number, Number]]:
        return {}

    # Whom one met

    @cached_property
    def scores(self) -> dict[str, dict[str, Number]]:
        """Everybody's score by a criterion's code, kept once a criterion of opposition asked."""
        return {}

    @cached_property
    def meetings(self) -> dict[str, dict[tuple[int, int | None, str], list[Outcome | None]]]:
        """For each entrant, each (round, table, opponent) met, with the outcomes of its games.

        Several games of one sitting against the same opponent are one meeting.
        """
        met: dict[str, dict[tuple[int, int | None, str], list[Outcome | None]]] = {}
        for key, record in self.records.items():
            mine: dict[tuple[int, int | None, str], list[Outcome | None]] = {}
            for game in record.games:
                for opponent in game.opponents:
                    mine.setdefault((game.round_no, game.table, opponent), []).append(game.outcome)
            met[key] = mine
        return met

    @cached_property
    def opponents_in_round(self) -> dict[int, int]:
        """How many opponents most entrants met in a round: the size of a sit-out's dummy table."""
        sizes: dict[int, Counter[int]] = {}
        for mine in self.meetings.values():
            for round_no, size in Counter(key[0] for key in mine).items():
                sizes.setdefault(round_no, Counter())[size] += 1
        return {
            round_no: max(counts, key=lambda size: (counts[size], size))
            for round_no, counts in sizes.items()
        }


def _median(values: list[Number]) -> Number:
    return Fraction(median([Fraction(value) for value in values])) if values else 0


def _spread(values: list[Number]) -> Number:
    if not values:
        return 0
    rising = sorted(values)
    middle = rising[(len(rising) - 1) // 2] + rising[len(rising) // 2]
    return ceil(Fraction(rising[0] + rising[-1] + middle) / 4)
