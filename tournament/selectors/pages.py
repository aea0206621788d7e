"""What the public pages show of standings: rows with names, the cut, what is hidden, who is found."""

from __future__ import annotations

from dataclasses import dataclass, field

from django.utils.translation import get_language

from tournament.documents.draws import Person, alphabetical
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
from tournament.selectors.cuts import cut_shown
from tournament.selectors.names import Shown, directory
from tournament.selectors.rounds import ShownTable
from tournament.services.standings import fresh, parse_value, rule_of
from tournament.standings.criteria import build
from tournament.standings.criteria.base import Criterion

NARROW = 2
"""Criteria shown on a phone; the others follow where there is room."""
_COUNTS = frozenset({"games_won", "match_points", "opponents_wins", "fewest_penalties", "lots"})


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


@dataclass(slots=True)
class ShownStandings:
    """The standings of a stage, ready for a page or a document."""

    stage: Stage
    state: str
    hash: str
    after_round: int
    version: int
    columns: list[ShownColumn] = field(default_factory=list)
    rows: list[ShownRow] = field(default_factory=list)
    cut: str = ""
    """What the cut asks, in words; empty for a stage without one."""
    cut_line: int | None = None
    """Position of the last row above the cut's line."""
    hidden: bool = False


def criteria_of(stage: Stage) -> list[Criterion]:
    """The criteria of a stage's rule, in their order."""
    return [build(use) for use in rule_of(stage).criteria]


def columns_of(criteria: list[Criterion], language: str) -> list[ShownColumn]:
    """The criteria as columns."""
    return [
        ShownColumn(
            criterion.code, criterion.name.to(language), criterion.explanation.to(language),
            criterion.short.to(language),
            # The last column of a phone needs the room of its heading.
            "num" if criterion.code in _COUNTS and index + 1 < NARROW else "marks",
            index >= NARROW,
        )
        for index, criterion in enumerate(criteria)
    ]  # fmt: skip


def standings_of(stage: Stage, *, language: str = "") -> ShownStandings:
    """The fresh standings of a stage with names; a fixed number of queries."""
    return shown_standings(fresh(stage), stage, language=language)


def shown_standings(
    kept: Standings, stage: Stage, *, language: str = "", people: list[Shown] | None = None
) -> ShownStandings:
    """A kept standing with names, in the reader's language; ``people`` where they are read already."""
    language = language or get_language() or "en"
    criteria = criteria_of(stage)
    if people is None:
        people = list(directory(stage.event).values())
    named = {person.number: person for person in people}
    cut = cut_shown(kept, stage)
    shown = ShownStandings(
        stage=stage, state=kept.state, hash=kept.hash, after_round=kept.after_round,
        version=kept.version, hidden=is_hidden(stage, kept.state),
        columns=columns_of(criteria, language),
        cut=cut.words.to(language) if cut else "", cut_line=cut.line if cut else None,
    )  # fmt: skip
    for row in kept.rows:
        person = named[row["number"]]
        shown.rows.append(
            ShownRow(
                rank=row["rank"], tied=row["tied"], number=row["number"], name=person.name,
                club=person.club,
                values=[
                    criterion.format(parse_value(value), language)
                    for criterion, value in zip(criteria, row["values"], strict=True)
                ],
                won=row["won"], games=row["games"],
                through=cut is not None and row["number"] in cut.through,
                table_winner=cut is not None and row["number"] in cut.winners,
                level=cut is not None and row["number"] in cut.level,
                withdrawn=row["withdrawn"], excluded=row["excluded"],
                unplayed=row.get("unplayed", False), adjusted=row["adjusted"],
                by=row["by"], credited=row["credited"],
            )
        )  # fmt: skip
    return shown


def shows_round(stage: Stage, number: int, state: str) -> bool:
    """Whether the public may see results of a round: the director may hide the last ones."""
    if state == StandingsState.FINAL:
        return True
    return number <= stage.rounds_planned - hidden_rounds(stage.event)


def hidden_rounds(event: Event) -> int:
    """How many last rounds of each stage the public may not see; none once the event is finished."""
    return 0 if event.state == EventState.FINISHED else event.hide_last_rounds


def is_hidden(stage: Stage, state: str) -> bool:
    """Whether the public may not see the standings now.

    They are hidden from the moment a hidden round is published: its sheets are signed one by one,
    and each would move the standings. A stage that carries points over would tell them too.
    """
    if not hidden_rounds(stage.event) or state == StandingsState.FINAL:
        return False
    shown = stage.rounds_planned - hidden_rounds(stage.event)
    if stage.rounds.filter(published_at__isnull=False, number__gt=shown).exists():
        return True
    before = _before(stage) if stage.carries_over else None
    return before is not None and is_hidden(before, state_of(before))


def shows_what_it_rests_on(part: Round) -> bool:
    """Whether the public may see what a round's draw was made from: ranks and scores before it."""
    stage = part.stage
    if part.number > 1:
        return shows_round(stage, part.number - 1, state_of(stage))
    before = _before(stage)
    return before is None or shows_round(before, before.rounds_planned, state_of(before))


def _before(stage: Stage) -> Stage | None:
    earlier = stage.event.stages.filter(order__lt=stage.order).order_by("-order")
    return earlier.select_related("event").first()


def state_of(stage: Stage) -> str:
    """How firm the standings of a stage are, without bringing them up to date."""
    kept = Standings.objects.filter(stage=stage).values_list("state", flat=True).first()
    return kept or StandingsState.PROVISIONAL


def find(event: Event, words: str, *, most: int = 21) -> list[Entrant]:
    """Entrants by start number or parts of their names, at most ``most``.

    Accents and case do not count, whatever the database thinks of them: who looks for himself on a
    phone types neither. Both names of a pair are looked at together.
    """
    words = words.strip()[:60]
    if not words:
        return []
    entrants = (
        event.entrants.exclude(state=EntrantState.MERGED)
        .select_related("person", "partner", "club")
        .order_by("number")
    )
    if words.isascii() and words.isdigit():
        return list(entrants.filter(number=int(words[:8])))
    wanted = looked_up(words).split()
    found = []
    for number, name, partner in entrants.values_list("number", "person__name", "partner__name"):
        name = looked_up(f"{name} {partner or ''}")
        if wanted and all(word in name for word in wanted):
            found.append(number)
    return list(entrants.filter(number__in=found[:most]))


def looked_up(text: str) -> str:
    """A text as it is looked up: in small letters, without accents, signs as spaces.

    >>> looked_up("Noël D'Hondt-Œrsted")
    'noel d hondt oersted'
    """
    return alphabetical(Person(text))[0]


def table_at(tables: list[ShownTable], number: int) -> ShownTable | None:
    """The table with that number."""
    return next((table for table in tables if table.number == number), None)
