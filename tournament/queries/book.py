"""The book of results of a stage as staff read it: every number that counts, by table and by entrant, with its sheet.

The numbers are those of :mod:`tournament.ranking.book`, which the standings add up.
"""

from __future__ import annotations

import uuid
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from django.db.models import Count, Q
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from tournament.models import Round, RoundState, Stage, Table
from tournament.models.tables import OfficialResult, Result, SheetState
from tournament.queries.brackets import title_of
from tournament.queries.names import Shown, everybody
from tournament.queries.results import Forfeit, gather
from tournament.queries.room import address
from tournament.queries.search import matching
from tournament.queries.seatings import LaidTable, seatings_of
from tournament.queries.stage_rule import rule_of
from tournament.ranking.book import Book
from tournament.ranking.figures import format_number, with_minus
from tournament.ranking.model import LineKind, Outcome, Played

PLAYED: Final = (LineKind.PLAYED, LineKind.STRUCK)
WORTH: Final = {Outcome.WIN: "won", Outcome.LOSS: "lost", Outcome.DRAW: "draw"}


class Cell(NamedTuple):
    """Cell of one entrant in one round: the marks that count, or the reason for none.

    ``look``: ``won``, ``lost``, ``draw``, ``open`` or empty. ``table`` and ``url`` lead to the
    cell's page, ``key`` names the cell in the book's address; a bye has none. ``ruled``: the
    changes by rulings; beside the others at its table also a forfeit. A score in brackets does not
    count for the entrant.
    """

    text: str
    look: str = ""
    table: int | None = None
    url: str = ""
    ruled: str = ""
    key: str = ""


class PersonRow(NamedTuple):
    """An entrant with a cell for each round; ``None`` where they had no part in it."""

    person: Shown
    cells: list[Cell | None]


class TableCell(NamedTuple):
    """A table of a round: its entrants with their cells, in the order of the seats; its state in words."""

    url: str
    people: list[tuple[Shown, Cell]]
    state: str
    key: str


class TableRow(NamedTuple):
    """A table number with its cell in each round."""

    number: int
    cells: list[TableCell | None]


@dataclass(frozen=True, slots=True)
class RoundHead:
    """A round of the book, with the numbers of its settled tables and of all its tables."""

    round: Round
    name: str
    signed: int
    all: int

    @property
    def closed(self) -> bool:
        """Whether the round is closed; one that is not is still being written."""
        return self.round.state == RoundState.CLOSED


@dataclass(frozen=True, slots=True)
class ShownBook:
    """A stage's book: its published rounds, and its rows by entrant and by table."""

    rounds: list[RoundHead]
    people: list[PersonRow] = field(default_factory=list)
    tables: list[TableRow] = field(default_factory=list)


def book_of(stage: Stage, words: str = "", *, by_table: bool = False) -> ShownBook:
    """Return the book of a stage; ``words`` limit it to matching entrants and their tables.

    A fixed number of queries, whatever the size of the stage: 12 while seats and names are cached,
    8 more after a draw or a change of names.
    """
    event = stage.event
    published = list(stage.rounds.filter(published_at__isnull=False).order_by("number"))
    for round_ in published:
        round_.stage = stage
    seatings = seatings_of(event)
    people = everybody(event)
    heads = _heads(published)
    # Only the stage's own results: carried results are in the book of the stage before.
    field_ = gather(stage, first=0, frame=event.frame_version)
    book = field_.book(rule_of(stage))
    forfeits = {each: people[each[0]].number for each in field_.forfeits if each[0] in people}
    shown = _Cells(book, forfeits, _forfeited(stage, forfeits))
    by_number = {str(who.number): who.pk for who in people.values()}
    # An entrant who took over a place with its points has the cells of the earlier one.
    owner = {who: by_number[name] for who, name in field_.counted_as.items() if name in by_number}
    laid: dict[tuple[uuid.UUID, int], LaidTable] = {}
    at: dict[tuple[int, uuid.UUID], LaidTable] = {}
    here = {round_.pk for round_ in published}
    for entrant, places in seatings.tables.items():
        for table, _position in places:
            if table.round.pk in here:
                laid[table.round.pk, table.number] = table
                at[owner.get(entrant, entrant), table.round.pk] = table
    resting = {
        (owner.get(entrant, entrant), round_.pk)
        for entrant, rounds in seatings.out.items()
        for round_ in rounds
        if round_.pk in here
    }
    known = {int(one.id) for one in field_.entrants}
    listed = sorted(
        (who for who in people.values() if who.number in known), key=lambda who: who.number
    )
    matching = _sought(listed, words)
    cells: dict[tuple[int, uuid.UUID], Cell] = {
        (who.pk, round_.pk): shown.cell(who.number, round_, at.get((who.pk, round_.pk)))
        for who in listed
        for round_ in published
        if (who.pk, round_.pk) in at or (who.pk, round_.pk) in resting
    }
    if not by_table:
        rows = [
            PersonRow(who, [cells.get((who.pk, round_.pk)) for round_ in published])
            for who in listed
            if who.pk in matching
        ]
        return ShownBook(heads, people=rows)
    numbers = sorted({number for _round, number in laid})
    tables = []
    for number in numbers:
        row: list[TableCell | None] = []
        for round_ in published:
            sat = laid.get((round_.pk, number))
            seated = list(dict.fromkeys(sat.seats.values())) if sat else []
            if sat is None or not matching.intersection(owner.get(who, who) for who in seated):
                row.append(None)
                continue
            named = [
                (people[who], cells.get((owner.get(who, who), round_.pk), Cell("–")))
                for who in seated
                if who in people
            ]
            gone = ", ".join(
                people[who].name for who in seated if (who, round_.pk) in field_.forfeits
            )
            state = [_("decided")] if sat.decided_for else []
            if gone:
                state.append(_("forfeit: %(who)s") % {"who": gone})
            row.append(
                TableCell(address(round_, number), named, " · ".join(state), _key(round_, number))
            )
        if any(row):
            tables.append(TableRow(number, row))
    return ShownBook(heads, tables=tables)


def _sought(listed: Iterable[Shown], words: str) -> set[int]:
    """Find the entrants by ``words``: a start number, or parts of a name or club; without words all."""
    words = words.strip()[:60]
    if words.isascii() and words.isdigit():
        return {who.pk for who in listed if who.number == int(words)}
    if not words:
        return {who.pk for who in listed}
    return set(matching(words, ((who.pk, f"{who.name} {who.club}") for who in listed)))


def _forfeited(stage: Stage, forfeits: Iterable[Forfeit]) -> dict[uuid.UUID, Result]:
    """Return the results in force at the tables of forfeits, by sheet."""
    rounds = {round_id for _who, round_id in forfeits}
    if not rounds:
        return {}
    rows = OfficialResult.objects.filter(
        current=True,
        sheet__counts=True,
        sheet__table__round__stage=stage,
        sheet__table__round__in=rounds,
        sheet__table__seats__entrant__in={who for who, _round in forfeits},
    )
    return dict(rows.values_list("sheet_id", "result"))


def _key(round_: Round, table: int) -> str:
    """Return the name of a table's cell in the address of the book."""
    return f"{round_.number}-{table}"


def _heads(published: list[Round]) -> list[RoundHead]:
    waiting = Q(
        sheets__state__in=(SheetState.OPEN, SheetState.CLAIMED, SheetState.DISPUTED),
        decided_for__isnull=True,
    )
    counted = Table.objects.filter(round__in=published).values("round")
    counts = {
        row["round"]: (row["all"], row["open"])
        for row in counted.annotate(
            all=Count("pk", distinct=True), open=Count("pk", filter=waiting, distinct=True)
        )
    }
    heads = []
    for round_ in published:
        tables, unsigned = counts.get(round_.pk, (0, 0))
        heads.append(RoundHead(round_, title_of(round_), tables - unsigned, tables))
    return heads


class _Cells:
    """Writes cells from the lines of a book, and from the results that a forfeit took from its side."""

    def __init__(
        self, book: Book, forfeits: Mapping[Forfeit, int], taken: Mapping[uuid.UUID, Result]
    ) -> None:
        """Read the lines; ``forfeits``: start numbers, ``taken``: results at their tables."""
        self.forfeits, self.taken = forfeits, taken
        self.language = (get_language() or "en")[:2]
        self.lines: dict[tuple[str, int], list[Played]] = defaultdict(list)
        for line in book.lines:
            self.lines[line.entrant, line.round_no].append(line)
        self.ruled: dict[tuple[str, int], list[str]] = defaultdict(list)
        for change in book.adjustments:
            number = format_number(change.marks, self.language, signed=True) if change.marks else ""
            self.ruled[change.entrant, change.round_no].append(f"§{number}")
        self.words = {
            LineKind.WALK_OVER: _("walk-over"),
            LineKind.FORFEIT: _("forfeit"),
            LineKind.CREDITED: _("bye"),
            LineKind.UNCOUNTED: _("bye"),
        }
        self.urls: dict[tuple[uuid.UUID, int], str] = {}

    def cell(self, number: int, round_: Round, table: LaidTable | None) -> Cell:
        """Return the cell of an entrant who sat at ``table`` in a round, or had a bye."""
        key = (str(number), round_.number)
        notes = [*self.ruled.get(key, ())]
        lines = self.lines.get(key, [])
        if table is None:
            return Cell(self._bye(lines), ruled=" ".join(notes))
        seated = {(who, round_.pk): position for position, who in table.seats.items()}
        gone = {self.forfeits[each]: each for each in seated if each in self.forfeits}
        others = ", ".join(str(each) for each in sorted(gone) if each != number)
        if others:
            notes.append("§ " + _("forfeit: %(who)s") % {"who": others})
        if table.decided_for:
            notes.append(_("§ decided"))
        ruled = " ".join(notes)
        at = (round_.pk, table.number)
        url = self.urls.get(at) or self.urls.setdefault(at, address(round_, table.number))
        games = sum(game.counts for game in table.games)
        if not lines:
            return Cell("…", "open", table.number, url, ruled, _key(round_, table.number))
        played = [line for line in lines if line.kind in PLAYED]
        other = next((line.kind for line in lines if line.kind not in PLAYED), None)
        text = self._marks(played) if played else self.words[other] if other else ""
        if number in gone and not played:
            text = " ".join([text, *self._taken(table, seated[gone[number]])])
        if any(line.kind is LineKind.STRUCK for line in lines):
            text = f"({text})"
        look = self._look(lines)
        if 0 < len(lines) < games:
            text, look = f"{text} …", "open"
        return Cell(text, look, table.number, url, ruled, _key(round_, table.number))

    def _bye(self, lines: list[Played]) -> str:
        credited = [line for line in lines if line.kind is LineKind.CREDITED]
        if not credited or all(line.average for line in credited):
            return self.words[LineKind.CREDITED]
        marks = sum(line.marks_for for line in credited)
        return f"{self.words[LineKind.CREDITED]} {format_number(marks, self.language)}"

    def _marks(self, played: list[Played]) -> str:
        ours = format_number(sum(line.marks_for for line in played), self.language)
        if any(line.place is not None for line in played):
            return with_minus(ours)
        theirs = format_number(sum(line.marks_against for line in played), self.language)
        return f"{ours}–{theirs}"

    def _taken(self, table: LaidTable, position: str) -> list[str]:
        """Return the score of the results that the forfeit took, in brackets; none without a result."""
        ours = theirs = 0
        of = 0
        for game in table.games:
            if (result := self.taken.get(game.sheet)) is None:
                continue
            of = len(game.sides)
            for side, positions in game.sides.items():
                marks = result["marks"].get(side, 0)
                if position in positions:
                    ours += marks
                else:
                    theirs += marks
        if not of:
            return []
        mine = with_minus(format_number(ours, self.language))
        return [f"({mine})" if of > 2 else f"({mine}–{format_number(theirs, self.language)})"]

    def _look(self, lines: list[Played]) -> str:
        match = next((line.match for line in lines if line.match is not None), None)
        if match is not None:
            return WORTH[match]
        won = sum((line.outcome is Outcome.WIN) - (line.outcome is Outcome.LOSS) for line in lines)
        return "won" if won > 0 else "lost" if won < 0 else "draw"
