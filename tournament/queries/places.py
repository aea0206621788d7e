"""Place of a player: their row, their neighbours and the differences, the cut, their charts."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from typing import Final

from scoring.texts import Message
from scoring.texts import gettext_lazy as _
from tournament.cache import cached
from tournament.charts import Chart, rank_over_rounds, score_distribution
from tournament.models import Event, Stage, Standings, StandingsState
from tournament.queries.cuts import ShownCut, cut_shown
from tournament.queries.lines import lines_of
from tournament.queries.names import Shown, by_number
from tournament.queries.pages import criteria_of, is_hidden
from tournament.queries.standings import shared
from tournament.ranking.criteria.base import Criterion
from tournament.ranking.cuts import Fill
from tournament.ranking.figures import place_in_words
from tournament.ranking.lines import split
from tournament.ranking.model import Row, Standing
from tournament.ranking.needs import Chance, Needs, in_words
from tournament.ranking.ranking import separation
from tournament.ranking.reach import reach


@dataclass(slots=True)
class Place:
    """Place of a player; ``cut`` describes the cut, ``need`` what the player still needs for it.

    ``values``: a name and a figure for each criterion of the ranking.
    """

    row: Row
    of: int
    values: list[tuple[str, str]]
    neighbours: list[Neighbour] = field(default_factory=list)
    cut: str = ""
    need: str = ""
    chance: str = ""


@dataclass(slots=True)
class Neighbour:
    """The next player above (``ahead``) or below; ``text`` describes the difference."""

    who: Shown
    ahead: bool
    text: str


def places_of(event: Event, stage: Stage, *, language: str) -> Places | None:
    """Return the places of all entrants of a stage; None where the public may not see them.

    After every result each phone of a hall requests its own place: the shared part is computed once
    for a standing.
    """
    current, standing = shared(stage)
    if is_hidden(stage, current.state):
        return None
    key = (stage.pk, language, event.version, event.frame_version, event.short_names)
    return cached(
        ("places", *key),
        lambda: Places(event, stage, current, standing, language),
        fits=lambda places: places.standing is standing,
    )


class Places:
    """Places of all entrants of a stage; ``standing`` is one that :func:`shared` returned."""

    def __init__(
        self, event: Event, stage: Stage, current: Standings, standing: Standing, language: str
    ) -> None:
        self.current, self.standing, self.stage, self.language = current, standing, stage, language
        self.criteria = criteria_of(stage)
        self.labels = [criterion.name.render(language) for criterion in self.criteria]
        self.names = by_number(event)
        self.ranked = len(standing.ranked)
        lines = lines_of(stage)
        self.parts = split(standing, lines) if lines else (standing,)
        self.part = {row.entrant.number: part for part in self.parts for row in part.rows}
        self.rows = {row.entrant.number: row for part in self.parts for row in part.rows}
        cut = cut_shown(current, stage)
        self.cut = cut
        self._cut_words = cut.words.render(language) if cut is not None else ""
        self.needs = (
            NeedsForCut(cut, standing, stage, final=current.state != StandingsState.PROVISIONAL)
            if cut is not None
            else None
        )
        self._separations: dict[tuple[int, int], str] = {}
        self._field = _scores_of(standing, self.criteria)

    def of(self, number: int) -> Place | None:
        """Return the place of the entrant with that start number; None where they are not in the stage."""
        row = self.rows.get(number)
        if row is None:
            return None
        place = Place(
            row=row,
            of=len(self.part[number].ranked),
            values=[
                (label, criterion.format(value, self.language))
                for label, criterion, value in zip(
                    self.labels, self.criteria, row.values, strict=True
                )
                if not criterion.of_offences
            ],
            neighbours=self._beside(row),
        )
        if self.cut is not None and self.needs is not None:
            place.cut = self._cut_words
            place.chance, texts = self.needs.of(row)
            place.need = " ".join(text.render(self.language) for text in texts)
        return place

    def charts(self, number: int) -> list[Chart]:
        """Draw their rank over the rounds, and the scores of the field with their own."""
        row = self.rows.get(number)
        if row is None:
            return []
        key, line = row.entrant.id, self.cut.line if self.cut is not None else None
        ranks = [
            (entry["round"], entry["ranks"][key])
            for entry in self.current.history
            if key in entry["ranks"]
        ]
        charts = []
        if len(ranks) > 1:
            field_size = max(self.ranked, *(rank or 1 for _round, rank in ranks))
            charts.append(rank_over_rounds(ranks, field_size, self.language, cut=line))
        chart = self.distribution(row)
        return [*charts, chart] if chart else charts

    def distribution(self, mine: Row | None = None) -> Chart | None:
        """Draw the scores of the field, for one entrant or for all; None while they are too much alike."""
        if self._field is None:
            return None
        best, scores = self._field
        own = mine.values[best] if mine is not None and mine.rank is not None else None
        line = self.cut.line if self.cut is not None else None
        return score_distribution(
            scores,
            self.language,
            label=self.labels[best],
            # The cut is a line on the first criterion only: further ones separate inside it.
            cut=scores[line - 1] if line and line <= len(scores) and best == 0 else None,
            mine=own if isinstance(own, int | Fraction) else None,
        )

    def _beside(self, mine: Row) -> list[Neighbour]:
        """Return the neighbours above and below, with the criterion that separates each."""
        part = self.part[mine.entrant.number]
        index, rows = mine.position - 1, part.rows
        return [
            Neighbour(
                self.names[rows[i].entrant.number],
                i < index,
                self._between(part, min(i, index)),
            )
            for i in (index - 1, index + 1)
            # The standing may be newer than the names: an entrant may be missing from them.
            if 0 <= i < len(rows) and rows[i].entrant.number in self.names
        ]

    def _between(self, part: Standing, index: int) -> str:
        """Describe the difference between a row and the next one."""
        key = (self.parts.index(part), index)
        if key not in self._separations:
            first, second = part.rows[index : index + 2]
            self._separations[key] = separation(self.criteria, first, second, self.language)
        return self._separations[key]


_IN: Final = _("Qualified.")
_NOT_IN: Final = _("Not qualified.")
_BY_TABLE: Final = _("Qualified as winner of table {table}.")
_TO_DECIDE: Final = _("Tied at the cut: still to be decided.")
_AT_TABLE: Final = _("Place {place} at table {table} so far.")
_WIN_TABLE: Final = _("Or win the table in round {round}.")
_ONLY_TABLE: Final = _("Only the tables of round {round} decide.")


class NeedsForCut:
    """Needs of each entrant for the cut: their chance, and the sentences that describe it."""

    def __init__(self, cut: ShownCut, standing: Standing, stage: Stage, *, final: bool) -> None:
        self.cut, self.standing, self.stage = cut, standing, stage
        self.tables = -(-len(standing.ranked) // 4) if cut.cut.per_table else 0
        left = games_left(standing, stage)
        self.over = final or not any(left.values())
        self.needs = (
            Needs(
                standing,
                cut.cut.top,
                reach(standing, left, games_per_match=sitting(stage)),
                sure=cut.sure_by_rank(self.tables),
            )
            if cut.cut.top and not self.over and not self._by_tables_alone
            else None
        )

    @property
    def _by_tables_alone(self) -> bool:
        """Seconds of tables go on: no rank opens a place."""
        return bool(self.cut.cut.per_table) and self.cut.cut.fill is Fill.SECONDS

    def of(self, mine: Row) -> tuple[str, list[Message]]:
        """Return the chance and the sentences for one row."""
        number = mine.entrant.number
        return self._fallen(number) if self.over else self._open(mine)

    def _fallen(self, number: int) -> tuple[str, list[Message]]:
        """Return the sentences once nothing is left to play, or the director holds the standing: by
        the cut itself.
        """
        if number in self.cut.level:
            return str(Chance.OPEN), [_TO_DECIDE]
        if number not in self.cut.through:
            return str(Chance.OUT), [_NOT_IN]
        table = self.cut.at_table.get(number)
        by_table = number in self.cut.winners and table is not None
        return str(Chance.SAFE), [_BY_TABLE.format(table=table[0]) if table and by_table else _IN]

    def _open(self, mine: Row) -> tuple[str, list[Message]]:
        chance, texts = str(Chance.OPEN), []
        if self.needs is not None:
            need = self.needs.of(mine.entrant.id)
            if need.chance is Chance.SAFE or not self.tables:
                chance = str(need.chance)
            if need.chance is not Chance.OUT or not self.tables:
                texts.append(in_words(need, self.standing))
            if need.chance is Chance.SAFE:
                return chance, texts
        if self.tables:
            texts += self._by_table(mine.entrant.number, by_rank=bool(texts))
        return chance, texts

    def _by_table(self, number: int, *, by_rank: bool) -> list[Message]:
        at = self.cut.at_table.get(number)
        so_far = (
            [_AT_TABLE.format(place=partial(place_in_words, at[1]), table=at[0])]
            if at is not None
            else []
        )
        last = (_WIN_TABLE if by_rank else _ONLY_TABLE).format(round=self.stage.rounds_planned)
        return [*so_far, last]


def games_left(standing: Standing, stage: Stage) -> dict[str, int]:
    """Return the games that each ranked entrant has still to play in the stage, as planned."""
    stages = stage.event.stages.filter(order__lte=stage.order) if stage.carries_over else [stage]
    planned = sum(part.rounds_planned * part.games_per_round for part in stages)
    return {
        row.entrant.id: max(0, planned - row.games)
        for row in standing.ranked
        if not row.entrant.withdrawn
    }


def sitting(stage: Stage) -> int:
    """Count the games of one sitting against the same opponents: partners of a rotation change every game."""
    return int(stage.games_per_round) if stage.in_pairs else 1


def _scores_of(
    standing: Standing, criteria: list[Criterion]
) -> tuple[int, list[int | Fraction]] | None:
    """Return the first criterion, on which the cut is a line, and the field's values of it.

    The second one while the first has hardly separated any entrants; None while neither has.
    """
    for index in range(len(criteria[:2])):
        values = [row.values[index] for row in standing.ranked]
        if criteria[index].of_offences:
            continue
        numbers = [value for value in values if isinstance(value, int | Fraction)]
        if len(numbers) == len(values) and len(set(numbers)) >= 4:
            return index, numbers
    return None
