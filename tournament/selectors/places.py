"""Where a player stands: his row, who is beside him and why, what the cut asks of him, his charts."""

from __future__ import annotations

import threading
from collections import OrderedDict
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Final

from scoring.engine.texts import Texts
from tournament.charts import Chart, rank_over_rounds, score_distribution
from tournament.drawing.rules import read_rules
from tournament.models import Entrant, Event, Format, Stage, Standings, StandingsState
from tournament.selectors.cuts import ShownCut, cut_shown
from tournament.selectors.names import Shown, by_number
from tournament.selectors.pages import criteria_of, is_hidden
from tournament.selectors.results import PAIRS
from tournament.services.standings import shared
from tournament.standings.model import Row, Standing
from tournament.standings.needs import Chance, in_words, need_for_cut
from tournament.standings.ranking import separates
from tournament.standings.reach import Span, reach


@dataclass(slots=True)
class Place:
    """Where a player stands; ``cut`` says what the cut asks of all, ``need`` what it asks of him."""

    row: Row
    of: int
    values: list[dict[str, Any]]
    state: str
    neighbours: list[dict[str, Any]] = field(default_factory=list)
    cut: str = ""
    need: str = ""
    chance: str = ""


def place_of(
    event: Event, entrant: Entrant | Shown, stage: Stage, *, language: str
) -> Place | None:
    """Where an entrant stands in a stage; None where he is not in it or the public may not see.

    Every phone of a hall asks for its own after every result: what is the same for all of them is
    worked out once for a standing.
    """
    found = _shown_row(entrant, stage)
    if found is None:
        return None
    kept, standing, row = found
    place = Place(
        row=row, of=len(standing.ranked), state=kept.state,
        values=[
            {"label": c.name.to(language), "value": c.format(value, language)}
            for c, value in zip(criteria_of(stage), row.values, strict=True)
        ],
    )  # fmt: skip
    place.neighbours = _neighbours(row, standing, event, language)
    cut = cut_shown(kept, stage)
    if cut is not None:
        place.cut = cut.words.to(language)
        said = _Asked(cut, standing, stage, row, final=kept.state != StandingsState.PROVISIONAL)
        place.chance, place.need = said.chance, " ".join(t.to(language) for t in said.texts)
    return place


def _shown_row(entrant: Entrant | Shown, stage: Stage) -> tuple[Standings, Standing, Row] | None:
    kept, standing = shared(stage)
    if is_hidden(stage, kept.state):
        return None
    key = str(entrant.number)
    if all(row.entrant.id != key for row in standing.rows):
        return None
    return kept, standing, standing.row(key)


def _neighbours(mine: Row, standing: Standing, event: Event, language: str) -> list[dict[str, Any]]:
    """Who stands above and below, and the criterion that separates each from him."""
    index = mine.position - 1
    beside = [standing.rows[i] for i in (index - 1, index + 1) if 0 <= i < len(standing.rows)]
    names = by_number(event)
    return [
        {
            "who": names[row.entrant.number], "ahead": row.position < mine.position,
            "rank": row.rank, "tied": row.tied,
            "text": separates(standing, mine.entrant.id, row.entrant.id).text.to(language),
        }
        for row in beside
    ]  # fmt: skip


_IN: Final = Texts(en="Through.", fr="Qualifié.", nl="Door.")
_NOT_IN: Final = Texts(en="Not through.", fr="Non qualifié.", nl="Niet door.")
_BY_TABLE: Final = Texts(
    en="Through as winner of table {}.", fr="Qualifié comme vainqueur de la table {}.",
    nl="Door als winnaar van tafel {}.",
)  # fmt: skip
_TO_DECIDE: Final = Texts(
    en="Level at the cut: still to be decided.", fr="À égalité à la barre : à départager.",
    nl="Gelijk aan de grens: nog te beslissen.",
)  # fmt: skip
_AT_TABLE: Final = Texts(
    en="Place {} at table {} so far.", fr="Pour l’instant {}e à la table {}.",
    nl="Voorlopig plaats {} aan tafel {}.",
)  # fmt: skip
_WIN_TABLE: Final = Texts(
    en="Or win the table in round {}.", fr="Ou gagner la table au tour {}.",
    nl="Of win de tafel in ronde {}.",
)  # fmt: skip
_ONLY_TABLE: Final = Texts(
    en="Only the tables of round {} decide.", fr="Seules les tables du tour {} décident.",
    nl="Alleen de tafels van ronde {} beslissen.",
)  # fmt: skip


class _Asked:
    """What the cut asks of one entrant: his chance, and the sentences that say it."""

    def __init__(
        self, cut: ShownCut, standing: Standing, stage: Stage, mine: Row, *, final: bool
    ) -> None:
        self.cut, self.standing, self.stage, self.mine = cut, standing, stage, mine
        self.texts: list[Texts] = []
        self.chance = str(Chance.OPEN)
        left = games_left(standing, stage)
        if final or not any(left.values()):
            self._fallen()
        else:
            self._open(left)

    def _fallen(self) -> None:
        """Nothing is left to play, or the director holds the standing: the cut itself speaks."""
        number = self.mine.entrant.number
        if number in self.cut.level:
            self.texts.append(_TO_DECIDE)
        elif number in self.cut.through:
            self.chance = str(Chance.SAFE)
            table = self.cut.at_table.get(number)
            self.texts.append(
                _filled(_BY_TABLE, table[0]) if number in self.cut.winners and table else _IN
            )
        else:
            self.chance = str(Chance.OUT)
            self.texts.append(_NOT_IN)

    def _open(self, left: dict[str, int]) -> None:
        stage, cut = self.stage, self.cut
        tables = -(-len(self.standing.ranked) // 4) if cut.cut.per_table else 0
        if cut.cut.top:
            spans = _spans(self.standing, left, sitting(stage))
            need = need_for_cut(
                self.standing, self.mine.entrant.id, cut.cut.top, spans,
                sure=cut.sure_by_rank(tables),
            )  # fmt: skip
            if need.chance is Chance.SAFE or not tables:
                self.chance = str(need.chance)
            if need.chance is not Chance.OUT or not tables:
                self.texts.append(in_words(need, self.standing))
            if need.chance is Chance.SAFE:
                return
        if tables:
            self._table(stage.rounds_planned)

    def _table(self, round_no: int) -> None:
        by_rank = bool(self.texts)
        at = self.cut.at_table.get(self.mine.entrant.number)
        if at is not None:
            self.texts.append(_filled(_AT_TABLE, at[1], at[0]))
        self.texts.append(_filled(_WIN_TABLE if by_rank else _ONLY_TABLE, round_no))


_reached: OrderedDict[int, tuple[Standing, dict[str, int], int, dict[str, Span]]] = OrderedDict()
_reaching = threading.Lock()


def _spans(standing: Standing, left: dict[str, int], games: int) -> dict[str, Span]:
    """:func:`reach`, kept for the last standings; :func:`shared` gives all the same value."""
    with _reaching:
        found = _reached.get(id(standing))
        if found is None or found[0] is not standing or found[1:3] != (left, games):
            spans = reach(standing, left, games_per_match=games)
            found = _reached[id(standing)] = (standing, left, games, spans)
            while len(_reached) > 8:
                _reached.popitem(last=False)
        return found[3]


def _filled(texts: Texts, *values: int) -> Texts:
    return Texts(
        en=texts.en.format(*values),
        fr=texts.fr.format(*values).replace(" 1e ", " 1er "),
        nl=texts.nl.format(*values),
    )


def games_left(standing: Standing, stage: Stage) -> dict[str, int]:
    """Games that each entrant with a rank has still to play in the stage, as it is planned."""
    stages = stage.event.stages.filter(order__lte=stage.order) if stage.carries_over else [stage]
    planned = sum(part.rounds_planned * part.games_per_round for part in stages)
    return {
        row.entrant.id: max(0, planned - row.games)
        for row in standing.ranked if not row.entrant.withdrawn
    }  # fmt: skip


def sitting(stage: Stage) -> int:
    """Games of one sitting against the same opponents: partners of a rotation change every game."""
    pairs = stage.format in PAIRS or (
        stage.format == Format.RANDOM and read_rules(stage.drawing).unit == "pair"
    )
    return int(stage.games_per_round) if pairs else 1


def charts_of(entrant: Entrant | Shown, stage: Stage, *, language: str) -> list[Chart]:
    """The entrant's rank over the rounds, and the scores of the field with his own."""
    found = _shown_row(entrant, stage)
    if found is None:
        return []
    kept, standing, row = found
    cut = cut_shown(kept, stage)
    key = row.entrant.id
    ranks = [
        (entry["round"], entry["ranks"][key]) for entry in kept.history if key in entry["ranks"]
    ]
    charts = []
    if len(ranks) > 1:
        field_size = max(len(standing.ranked), *(rank or 1 for _round, rank in ranks))
        line = cut.line if cut is not None else None
        charts.append(rank_over_rounds(ranks, field_size, language, cut=line))
    chart = distribution(standing, stage, language, cut=cut, mine=row)
    return [*charts, chart] if chart else charts


def distribution(
    standing: Standing,
    stage: Stage,
    language: str,
    *,
    cut: ShownCut | None,
    mine: Row | None = None,
) -> Chart | None:
    """The scores of the field on the criterion with most different values among the first two."""
    criteria = criteria_of(stage)[:2]
    ranked = standing.ranked
    scores: list[int | Fraction] = []
    best = 0
    for index in range(len(criteria)):
        numbers = [v for row in ranked if isinstance(v := row.values[index], int | Fraction)]
        if len(numbers) == len(ranked) and len(set(numbers)) > len(set(scores)):
            best, scores = index, numbers
    if len(set(scores)) < 4:
        return None
    own = mine.values[best] if mine is not None and mine.rank is not None else None
    line = cut.line if cut is not None else None
    return score_distribution(
        scores, language, label=criteria[best].name.to(language),
        # The cut is a line on the first criterion only: further ones separate inside it.
        cut=scores[line - 1] if line and line <= len(scores) and best == 0 else None,
        mine=own if isinstance(own, int | Fraction) else None,
    )  # fmt: skip
