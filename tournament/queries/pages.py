"""Standings on the public pages: rows with names, the cut, hidden rounds, search."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Final

from django.db.models import Count, Exists, OuterRef, Q, QuerySet
from django.utils.translation import get_language

from ledger.canonical import JsonObject
from tournament.drawing.brackets import NAMES
from tournament.drawing.formats import FORMATS
from tournament.models import (
    Entrant,
    EntrantState,
    Event,
    EventState,
    Round,
    Stage,
    Standings,
    StandingsState,
)
from tournament.queries.cuts import cut_shown
from tournament.queries.lines import line_names, lines_of
from tournament.queries.names import Shown, directory
from tournament.queries.results import rounds_before
from tournament.queries.search import matching
from tournament.queries.standings import (
    changed_numbers,
    fresh,
    parse_value,
    rule_of,
    standing_of,
)
from tournament.ranking.criteria import build
from tournament.ranking.criteria.base import Criterion
from tournament.ranking.criteria.bracket import BracketPlace
from tournament.ranking.lines import split
from tournament.ranking.model import Standing, Value

PLAYERS: Final = Count("entrants", filter=~Q(entrants__state=EntrantState.MERGED))
"""The players of an event as every list and page counts them: withdrawn, but not entered twice."""
IN_PAIRS: Final = Exists(
    Stage.objects.filter(event=OuterRef("pk"), order=1).filter(
        Q(format__in=[key for key, each in FORMATS.items() if each.in_pairs("player")])
        | Q(
            format__in=[key for key, each in FORMATS.items() if each.in_pairs("pair")],
            drawing__unit="pair",
        )
    )
)
"""Whether the entrants of an event are pairs."""
NARROW = 2
"""Criteria shown on a phone; the others follow where there is room."""


def in_pairs(event: Event) -> bool:
    """Return whether the entrants of an event are pairs."""
    return Event.objects.filter(IN_PAIRS, pk=event.pk).exists()


@dataclass(frozen=True, slots=True)
class ShownColumn:
    """A criterion as a column: short and full name and explanation in the reader's language."""

    code: str
    name: str
    explanation: str
    short: str = ""
    kind: str = "marks"
    wide: bool = False


@dataclass(frozen=True, slots=True)
class ShownRow:
    """A line of the standings; ``by``: index of the column that separates it from the one above."""

    rank: int | None
    tied: bool
    number: int
    name: str
    club: str
    values: list[str]
    won: int
    games: int
    through: bool
    withdrawn: bool
    excluded: bool
    unplayed: bool
    adjusted: bool
    by: int | None = None
    table_winner: bool = False
    level: bool = False
    """Level at the cut: lots or a play-off will decide."""
    credited: int = 0
    """Games credited for rounds without play."""
    line: str = ""
    """The line in which they are ranked, where each has a ranking of its own (Mitchell)."""

    @property
    def forfeited(self) -> bool:
        """Whether they have no rank because they forfeited each round for which they were seated."""
        return self.unplayed and self.games > self.credited


@dataclass(slots=True)
class ShownStandings:
    """The standings of a stage, ready for a page or a document."""

    stage: Stage
    state: str
    hash: str
    after_round: int
    in_play: bool
    """Whether results of a round that is not closed count already."""
    version: int
    columns: list[ShownColumn] = field(default_factory=list)
    rows: list[ShownRow] = field(default_factory=list)
    cut: str = ""
    """Description of the cut; empty for a stage without one."""
    cut_line: int | None = None
    """Position of the last row above the cut's line."""
    hidden: bool = False


def criteria_of(stage: Stage) -> list[Criterion]:
    """Return the criteria of a stage's rule, in their order."""
    return [build(use) for use in rule_of(stage).criteria]


def columns_of(criteria: list[Criterion], language: str) -> list[ShownColumn]:
    """Return the criteria as columns."""
    return [
        ShownColumn(
            criterion.code,
            criterion.name.render(language),
            criterion.explanation.render(language),
            criterion.short.render(language),
            # The last column of a phone needs the room of its heading.
            "num" if criterion.short_column and index + 1 < NARROW else "marks",
            index >= NARROW,
        )
        for index, criterion in enumerate(criteria)
    ]


def standings_of(stage: Stage, *, language: str = "") -> ShownStandings:
    """Return the fresh standings of a stage with names; a fixed number of queries."""
    return shown_standings(fresh(stage), stage, language=language)


def _counts_in_play(current: Standings, stage: Stage) -> bool:
    before = rounds_before(stage)
    own = [entry for entry in current.history if entry["round"] > before]
    return len(own) > current.after_round


def shown_standings(
    current: Standings,
    stage: Stage,
    *,
    language: str = "",
    people: list[Shown] | None = None,
    changed: Collection[int] | None = None,
) -> ShownStandings:
    """Add names to a stored standing, in the reader's language, without the figures that count offences.

    ``people`` and ``changed`` (:func:`changed_numbers`) where they are read already.
    """
    language = language or get_language() or "en"
    criteria = criteria_of(stage)
    open_ = [at for at, criterion in enumerate(criteria) if not criterion.of_offences]
    if people is None:
        people = list(directory(stage.event).values())
    if changed is None:
        changed = changed_numbers(current)
    named = {person.number: person for person in people}
    cut = cut_shown(current, stage)
    shown = ShownStandings(
        stage=stage,
        state=current.state,
        hash=current.hash,
        after_round=current.after_round,
        in_play=_counts_in_play(current, stage),
        version=current.version,
        hidden=is_hidden(stage, current.state),
        columns=columns_of([criteria[at] for at in open_], language),
        cut=cut.words.render(language) if cut else "",
        cut_line=cut.line if cut else None,
    )
    rows, lines = current.rows, lines_of(stage)
    if lines:
        rows = in_lines(current, lines)
    begun = any(row["won"] or row["drawn"] or row["lost"] for row in rows)
    for row in rows:
        person = named[row["number"]]
        placed = begun and _is_placed(row["games"], parse_value(row["values"][0]), criteria[0].code)
        shown.rows.append(
            ShownRow(
                rank=row["rank"] if placed else None,
                tied=row["tied"] and placed,
                number=row["number"],
                name=person.name,
                club=person.club,
                values=[
                    criteria[at].format(parse_value(row["values"][at]), language) for at in open_
                ],
                won=row["won"],
                games=row["games"],
                through=cut is not None and row["number"] in cut.through,
                table_winner=cut is not None and row["number"] in cut.winners,
                level=cut is not None and row["number"] in cut.level,
                withdrawn=row["withdrawn"],
                excluded=row["excluded"],
                unplayed=row.get("unplayed", False),
                adjusted=row["number"] in changed,
                by=open_.index(row["by"]) if row["by"] in open_ else None,
                credited=row["credited"],
                line=line_names()[lines.get(row["number"], 1)] if lines else "",
            )
        )
    return shown


def ranks_shown(standing: Standing, stage: Stage) -> dict[str, int | None]:
    """Return the ranks as the standings' page shows them, by the entrants' ids: those of a line, none without a game."""
    lines = lines_of(stage)
    begun = any(row.won or row.drawn or row.lost for row in standing.rows)
    return {
        row.entrant.id: row.rank
        if begun and _is_placed(row.games, row.values[0], standing.codes[0])
        else None
        for part in (split(standing, lines) if lines else (standing,))
        for row in part.rows
    }


def _is_placed(games: int, first: Value, criterion: str) -> bool:
    """Whether a row has a counted game, or a place in a bracket: before that it shows no rank."""
    if games or criterion != BracketPlace.code:
        return bool(games)
    return isinstance(first, tuple) and first[0] < len(NAMES)


def in_lines(current: Standings, lines: Mapping[int, int]) -> list[dict[str, object]]:
    """Return the rows with the ranks of each line, North-South first."""
    by_number = {row["number"]: row for row in current.rows}
    shown = []
    for part in split(standing_of(current), lines):
        above: JsonObject | None = None
        for row in part.rows:
            here = by_number[row.entrant.number] | {"rank": row.rank, "tied": row.tied, "by": None}
            if above is not None and row.rank not in (None, above["rank"]):
                values = enumerate(zip(above["values"], here["values"], strict=True))
                here["by"] = next((at for at, (one, two) in values if one != two), None)
            shown.append(here)
            above = here
    return shown


def shows_round(stage: Stage, number: int, state: str) -> bool:
    """Whether the public may see results of a round: the director may hide the last ones."""
    if state == StandingsState.FINAL:
        return True
    return number <= stage.rounds_planned - hidden_rounds(stage.event)


def hidden_rounds(event: Event) -> int:
    """Return the number of last rounds of each stage that the public may not see; 0 for a finished event."""
    return 0 if event.state == EventState.FINISHED else event.hide_last_rounds


def is_hidden(stage: Stage, state: str) -> bool:
    """Whether the public may not see the standings now.

    They are hidden from the publication of a hidden round on: its sheets are signed one by one, and
    each would move the standings. A stage that carries points over would reveal them too.
    """
    if not hidden_rounds(stage.event) or state == StandingsState.FINAL:
        return False
    shown = stage.rounds_planned - hidden_rounds(stage.event)
    if stage.rounds.filter(published_at__isnull=False, number__gt=shown).exists():
        return True
    before = _before(stage) if stage.carries_over else None
    return before is not None and is_hidden(before, state_of(before))


def shows_what_it_rests_on(round_: Round) -> bool:
    """Whether the public may see what a round's draw was made from: ranks and scores before it."""
    stage = round_.stage
    if round_.number > 1:
        return shows_round(stage, round_.number - 1, state_of(stage))
    before = _before(stage)
    return before is None or shows_round(before, before.rounds_planned, state_of(before))


def _before(stage: Stage) -> Stage | None:
    earlier = stage.event.stages.filter(order__lt=stage.order).order_by("-order")
    return earlier.select_related("event").first()


def state_of(stage: Stage) -> str:
    """Return the state of a stage's standings, without bringing them up to date."""
    state = Standings.objects.filter(stage=stage).values_list("state", flat=True).first()
    return state or StandingsState.PROVISIONAL


SHORT_LIST: Final = 12
"""Number of names read at a glance: no need to search, sort, scan or filter them."""


def is_long(count: int) -> bool:
    """Whether so many names need a search box, a choice of order, a scan field or filters."""
    return count > SHORT_LIST


def find_or_list(event: Event, words: str) -> list[Entrant]:
    """Search as :func:`find` does; without words return all entrants of a small event."""
    if words.strip():
        return find(event, words)
    few = list(_listed(event)[: SHORT_LIST + 1])
    return [] if is_long(len(few)) else few


def _listed(event: Event) -> QuerySet[Entrant]:
    return (
        event.entrants.exclude(state=EntrantState.MERGED)
        .select_related("person", "partner", "club")
        .order_by("number")
    )


def find(event: Event, words: str, *, most: int = 21) -> list[Entrant]:
    """Find entrants by start number or parts of their names and club, at most ``most``.

    Both names of a pair are searched; :mod:`tournament.queries.search` defines the match.
    """
    words = words.strip()[:60]
    if not words:
        return []
    entrants = _listed(event)
    if words.isascii() and words.isdigit():
        return list(entrants.filter(number=int(words[:8])))
    known = entrants.values_list("number", "person__name", "partner__name", "club__name")
    numbers = matching(words, ((number, " ".join(filter(None, names))) for number, *names in known))
    return list(entrants.filter(number__in=numbers[:most]))
