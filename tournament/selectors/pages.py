"""What the public pages show: standings rows with names, a player's day."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from django.utils.translation import get_language

from scoring.models import OfficialResult
from tournament.models import Entrant, Event, Seat, Stage, StandingsState, TableGame
from tournament.selectors.names import Shown, directory
from tournament.selectors.rounds import ShownTable
from tournament.services.standings import fresh, rule_of
from tournament.standings.criteria import build


@dataclass(frozen=True, slots=True)
class ShownColumn:
    """A criterion as a column: its short name and its explanation in the reader's language."""

    code: str
    name: str
    explanation: str


@dataclass(frozen=True, slots=True)
class ShownRow:
    """A line of the standings."""

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
    adjusted: bool


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
    cut: int | None = None
    hidden: bool = False


def parse_value(value: Any) -> Any:
    """A criterion's value back from its JSON."""
    if isinstance(value, list):
        return tuple(parse_value(part) for part in value)
    return Fraction(value) if isinstance(value, str) else value


def standings_of(stage: Stage, *, language: str = "") -> ShownStandings:
    """The fresh standings of a stage with names; a fixed number of queries."""
    kept = fresh(stage)
    language = language or get_language() or "en"
    criteria = [build(use) for use in rule_of(stage).criteria]
    people = {shown.number: shown for shown in directory(stage.event).values()}
    cut = stage.cut.get("top")
    shown = ShownStandings(
        stage=stage, state=kept.state, hash=kept.hash, after_round=kept.after_round,
        version=kept.version, cut=cut, hidden=is_hidden(stage, kept.state, kept.after_round),
        columns=[
            ShownColumn(c.code, c.name.to(language), c.explanation.to(language)) for c in criteria
        ],
    )  # fmt: skip
    for row in kept.rows:
        person = people[row["number"]]
        shown.rows.append(
            ShownRow(
                rank=row["rank"], tied=row["tied"], number=row["number"], name=person.name,
                club=person.club,
                values=[
                    criterion.format(parse_value(value), language)
                    for criterion, value in zip(criteria, row["values"], strict=True)
                ],
                won=row["won"], games=row["games"],
                through=bool(cut and row["rank"] and row["rank"] <= cut),
                withdrawn=row["withdrawn"], excluded=row["excluded"], adjusted=row["adjusted"],
            )
        )  # fmt: skip
    return shown


def is_hidden(stage: Stage, state: str, after_round: int) -> bool:
    """Whether the public may not see the standings now (the director hides the last rounds)."""
    last = stage.event.hide_last_rounds
    if not last or state == StandingsState.FINAL:
        return False
    return after_round > stage.rounds_planned - last


@dataclass(slots=True)
class PlayedGame:
    """One game on a player's page."""

    number: int
    partners: list[Shown]
    opponents: list[Shown]
    side: str
    state: str
    marks: int | None = None
    against: int | None = None
    won: bool | None = None
    sheet_id: Any = None


@dataclass(slots=True)
class PlayedRound:
    """One round on a player's page."""

    round: Any
    table: int
    position: str
    games: list[PlayedGame] = field(default_factory=list)


def day_of(event: Event, entrant: Entrant) -> list[PlayedRound]:
    """A player's rounds, newest first, with table, partners, opponents and results."""
    seats = list(
        Seat.objects.filter(entrant=entrant, round__published_at__isnull=False)
        .select_related("round__stage", "table")
        .order_by("-round__stage__order", "-round__number")
    )
    tables = [seat.table_id for seat in seats]
    at: dict[Any, dict[str, int]] = {}
    for table, position, other in Seat.objects.filter(table__in=tables).values_list(
        "table_id", "position", "entrant_id"
    ):
        at.setdefault(table, {})[position] = other
    people = directory(event, {pk for seating in at.values() for pk in seating.values()})
    games: dict[Any, list[TableGame]] = {}
    for game in TableGame.objects.filter(table__in=tables).select_related("sheet"):
        games.setdefault(game.table_id, []).append(game)
    results = dict(
        OfficialResult.objects.filter(current=True, sheet__game__table__in=tables).values_list(
            "sheet_id", "result"
        )
    )
    day = []
    for seat in seats:
        played = PlayedRound(seat.round, seat.table.number, seat.position)
        for game in games.get(seat.table_id, []):
            mine = next((s for s, ps in game.sides.items() if seat.position in ps), "")
            shown = PlayedGame(
                number=game.number, side=mine, state=game.sheet.state, sheet_id=game.sheet_id,
                partners=[
                    people[at[seat.table_id][p]] for p in game.sides.get(mine, [])
                    if p != seat.position
                ],
                opponents=[
                    people[at[seat.table_id][p]]
                    for side, ps in game.sides.items() if side != mine for p in ps
                ],
            )  # fmt: skip
            result = results.get(game.sheet_id)
            if result is not None:
                shown.marks = result["marks"].get(mine, 0)
                shown.against = sum(v for s, v in result["marks"].items() if s != mine)
                shown.won = None if result["winner"] is None else result["winner"] == mine
            played.games.append(shown)
        day.append(played)
    return day


def find(event: Event, words: str) -> list[Entrant]:
    """Entrants by start number or part of a name, at most 20."""
    words = words.strip()[:60]
    if not words:
        return []
    entrants = event.entrants.select_related("person", "partner", "club").order_by("number")
    if words.isascii() and words.isdigit():
        return list(entrants.filter(number=int(words[:8])))
    for word in words.split()[:4]:
        entrants = entrants.filter(person__name__icontains=word)
    return list(entrants[:20])


def table_at(tables: list[ShownTable], number: int) -> ShownTable | None:
    """The table with that number."""
    return next((table for table in tables if table.number == number), None)
