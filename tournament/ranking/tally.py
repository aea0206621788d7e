"""Books of a standing added up by entrant: the input of the criteria."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property

from tournament.ranking.book import Book, leaning
from tournament.ranking.model import (
    HALF,
    Adjustment,
    Entrant,
    LineKind,
    Number,
    Outcome,
    Played,
    Rule,
    exact,
)

SHARE: dict[Outcome | None, Number] = {
    Outcome.WIN: 1,
    Outcome.DRAW: HALF,
    Outcome.LOSS: 0,
    None: 0,
}
"""Worth of an outcome as a part of a game: the factor in Sonneborn-Berger."""


@dataclass(frozen=True, slots=True)
class Worth:
    """What an entrant's games or matches are worth, as (round, amount); ``key`` names the criterion."""

    key: object
    of: Callable[[EntrantRecord], Iterable[tuple[int, Number]]]

    @classmethod
    def game(cls, key: object, of: Callable[[Played], Number]) -> Worth:
        """Build it from the worth of one game."""
        return cls(key, lambda record: [(game.round_no, of(game)) for game in record.games])


@dataclass(slots=True)
class EntrantRecord:
    """All that counts for one entrant. ``book_of``: round → index of the book that it is in.

    ``peers``: the whole field, towards whose average a credited one leans; ``None`` up to edition 6.
    """

    entrant: Entrant
    games: list[Played] = field(default_factory=list)
    credits: list[Played] = field(default_factory=list)
    adjustments: list[Adjustment] = field(default_factory=list)
    book_of: dict[int, int] = field(default_factory=dict)
    peers: Peers | None = None

    def add(self, line: Played, book: int) -> None:
        """Add a line that counts."""
        self.book_of[line.round_no] = book
        (self.credits if line.kind is LineKind.CREDITED else self.games).append(line)

    def count(self, outcome: Outcome) -> int:
        """Count the games with this outcome, played, forfeited or credited."""
        return sum(line.outcome is outcome for line in (*self.games, *self.credits))

    @property
    def credited(self) -> int:
        """Credited rounds that are games among those counted."""
        return sum(line.average or line.outcome is not None for line in self.credits)

    @property
    def counted(self) -> int:
        """Games with an outcome, credited ones included."""
        return len(self.games) + self.credited

    @property
    def averaged(self) -> int:
        """Number of games credited with the entrant's own average."""
        return sum(1 for credit in self.credits if credit.average)

    def with_average(self, worth: Worth, rounds_without: Iterable[int]) -> Number:
        """Sum what is worth; each of ``rounds_without`` adds its average in the same book.

        That average leans towards the one of the field (:func:`.book.leaning`).
        """
        more = Counter(self.book_of[number] for number in rounds_without)
        total: Number = 0
        for book, own in self.by_book(worth).items():
            total += sum(own)
            if not more[book]:
                continue
            if self.peers is None:
                average = Fraction(sum(own)) / len(own)
            else:
                average = leaning(own, self.peers.of(worth, book))
            total += more[book] * average
        return exact(total)

    def by_book(self, worth: Worth) -> dict[int, list[Number]]:
        """Return what is worth for each book."""
        books: dict[int, list[Number]] = {}
        for number, amount in worth.of(self):
            books.setdefault(self.book_of[number], []).append(amount)
        return books

    def total(self, worth: Worth) -> Number:
        """Sum ``worth`` over the games; each game credited so adds the entrant's average in the stage."""
        if not self.averaged:
            return sum(amount for _number, amount in worth.of(self))
        return self.with_average(worth, (line.round_no for line in self.credits if line.average))


@dataclass(slots=True)
class Peers:
    """The games of the whole field, as a criterion values them; each read once for it."""

    records: Mapping[str, EntrantRecord]
    known: dict[tuple[object, int], list[Number]] = field(default_factory=dict)

    def of(self, worth: Worth, book: int) -> list[Number]:
        """Return what every game (match) in a book is worth to each who played it."""
        key = worth.key, book
        if key not in self.known:
            values = (record.by_book(worth).get(book, ()) for record in self.records.values())
            self.known[key] = [amount for own in values for amount in own]
        return self.known[key]


class Tally:
    """The field of one standing: a :class:`EntrantRecord` for each entrant, and sums over them.

    ``lots``: lot numbers drawn; ``places``: places won in a bracket; both by entrant. ``listed``:
    the entrants of the last book, who are ranked; entrants of other books count as opponents.
    ``through``: the last round counted.
    """

    def __init__(
        self,
        books: Sequence[Book],
        rule: Rule,
        lots: Mapping[str, int] | None = None,
        places: Mapping[str, tuple[int, ...]] | None = None,
        *,
        to_field: bool = True,
    ) -> None:
        self.rule = rule
        self.lots: Mapping[str, int] = dict(lots or {})
        self.places: Mapping[str, tuple[int, ...]] = dict(places or {})
        self.records = {one.id: EntrantRecord(one) for book in books for one in book.entrants}
        self.listed = [entrant.id for entrant in books[-1].entrants]
        self.through = 0
        for at, book in enumerate(books):
            for line in book.lines:
                if line.kind is LineKind.STRUCK:
                    continue
                self.through = max(self.through, line.round_no)
                if line.kind is not LineKind.UNCOUNTED:
                    self.records[line.entrant].add(line, at)
            for change in book.adjustments:
                self.records[change.entrant].adjustments.append(change)
        peers = Peers(self.records) if to_field else None
        for record in self.records.values():
            record.peers = peers
            record.credits.sort(key=lambda line: (line.round_no, line.game_no))

    def match_points_for(self, outcome: Outcome | None) -> Number:
        """Return the rule's match points for an outcome; 0 for none."""
        rule = self.rule
        if outcome is Outcome.WIN:
            return rule.win
        if outcome is Outcome.DRAW:
            return rule.draw
        return rule.loss if outcome is Outcome.LOSS else 0

    # Opponents

    @cached_property
    def scores(self) -> dict[str, dict[str, Number]]:
        """Score of each entrant by a criterion's code, cached when a criterion of opposition first needs it."""
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
        """Number of opponents that most entrants met in a round: the size of a sit-out's dummy table."""
        sizes: dict[int, Counter[int]] = {}
        for mine in self.meetings.values():
            for round_no, size in Counter(key[0] for key in mine).items():
                sizes.setdefault(round_no, Counter())[size] += 1
        return {
            round_no: max(counts, key=lambda size: (counts[size], size))
            for round_no, counts in sizes.items()
        }
