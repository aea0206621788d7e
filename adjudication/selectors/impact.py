"""What a ruling would change, before it is issued: deal, match, ranks, cut, pairings already drawn.

The ruling is really issued, in a savepoint that is rolled back: what is shown is what would happen,
computed by the services themselves, and nothing of it stays. Only the reading of the results
happens inside; the two rankings are computed afterwards, so that the locks are held briefly.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from django.db import transaction
from django.utils.translation import get_language

from adjudication.models import Incident
from adjudication.services.effects import stage_of
from adjudication.services.rulings import later_rounds
from scoring.engine.speech import side_name
from scoring.models import DealVersion, OfficialResult, Series, Sheet
from scoring.rules import spoken
from tournament.models import Draw, DrawState, Round, Stage
from tournament.selectors.names import Shown, directory
from tournament.selectors.results import Field, gather
from tournament.services.standings import compute


class _Undo(Exception):
    """Leaves the savepoint."""


@dataclass(frozen=True, slots=True)
class SheetSeen:
    """A sheet at one moment: the deal's marks and sentences, the match's marks and winner."""

    deal: dict[str, int] | None = None
    said: tuple[str, ...] = ()
    void: bool = False
    marks: dict[str, int] = field(default_factory=dict)
    winner: str | None = None
    deals: int = 0
    official: bool = False

    @property
    def deal_shown(self) -> list[tuple[str, int]]:
        """The deal's marks by the names of the sides."""
        return [(_side(side), marks) for side, marks in (self.deal or {}).items()]

    @property
    def marks_shown(self) -> list[tuple[str, int, bool]]:
        """The match's marks by the names of the sides, and who won."""
        return [(_side(side), n, side == self.winner) for side, n in self.marks.items()]


def _side(side: str) -> str:
    return side_name(side, (get_language() or "en")[:2])


@dataclass(frozen=True, slots=True)
class Moved:
    """An entrant whose rank or qualification changes; ``None``: not ranked."""

    entrant: Shown
    before: int | None
    after: int | None
    gains_cut: bool = False
    loses_cut: bool = False


@dataclass(frozen=True, slots=True)
class AffectedTable:
    """A table of a later round that seats somebody whose place changes."""

    round: Round
    published: bool
    number: int
    entrants: tuple[Shown, ...]


@dataclass(slots=True)
class Impact:
    """Before and after a ruling."""

    before: SheetSeen
    after: SheetSeen
    stage: Stage | None = None
    moved: list[Moved] = field(default_factory=list)
    more_moved: int = 0
    cut: int | None = None
    tables: list[AffectedTable] = field(default_factory=list)
    more_tables: int = 0
    later: list[Round] = field(default_factory=list)
    standings_state: str = ""

    @property
    def qualifiers(self) -> list[Moved]:
        """Those who come into the cut or fall out of it."""
        return [each for each in self.moved if each.gains_cut or each.loses_cut]


MOST_MOVED = 12
MOST_TABLES = 8


def see(incident: Incident) -> SheetSeen:
    """The incident's sheet as it stands now."""
    if incident.sheet_id is None:
        return SheetSeen()
    sheet = Sheet.objects.get(pk=incident.sheet_id)
    deal: DealVersion | None = None
    if incident.deal is not None:
        deal = sheet.deals.filter(
            series=Series.OFFICIAL, number=incident.deal, current=True
        ).first()
    official = OfficialResult.objects.filter(sheet=sheet, current=True).first()
    marks = official.result["marks"] if official else sheet.score.get("marks", {})
    winner = official.result["winner"] if official else sheet.score.get("winner")
    language = (get_language() or "en")[:2]
    return SheetSeen(
        deal=deal.marks if deal else None,
        said=tuple(spoken(line, language) for line in deal.lines) if deal else (),
        void=bool(deal and deal.annulled), marks=marks, winner=winner,
        deals=sheet.score.get("deals", 0), official=official is not None,
    )  # fmt: skip


def impact_of(incident: Incident, act: Callable[[], Any]) -> Impact:
    """What ``act`` (issue, amend, annul or hear) would change; its refusals are raised as they are."""
    stage = stage_of(incident)
    before, field_before = see(incident), gather(stage) if stage else None
    after, field_after = before, field_before
    try:
        with transaction.atomic():
            act()
            after = see(incident)
            field_after = gather(stage) if stage else None
            raise _Undo
    except _Undo:
        incident.refresh_from_db()
    found = Impact(before, after, stage, later=later_rounds(incident))
    if stage is not None and field_before is not None and field_after is not None:
        found.cut = stage.cut.get("top")
        kept = getattr(stage, "standings", None)
        found.standings_state = kept.state if kept else ""
        moved = _ranks(found, incident, stage, field_before, field_after)
        _pairings(found, moved)
    return found


def _ranks(
    found: Impact, incident: Incident, stage: Stage, before: Field, after: Field
) -> list[Moved]:
    """Fill in whose rank changes, those at the table and at the cut first; all of them."""
    if before == after:
        return []
    people = {str(shown.number): shown for shown in directory(stage.event).values()}
    old = {row.entrant.id: row.rank for row in compute(stage, before).rows}
    new = {row.entrant.id: row.rank for row in compute(stage, after).rows}
    cut = found.cut

    def through(rank: int | None) -> bool:
        return bool(cut and rank and rank <= cut)

    moved = [
        Moved(
            people[key], old.get(key), rank,
            gains_cut=through(rank) and not through(old.get(key)),
            loses_cut=through(old.get(key)) and not through(rank),
        )
        for key, rank in new.items()
        if rank != old.get(key)
    ]  # fmt: skip
    at_the_table = {int(entrant) for entrant in incident.seats.values()}
    moved.sort(
        key=lambda each: (
            not (each.gains_cut or each.loses_cut),
            each.entrant.pk not in at_the_table,
            -abs((each.after or 10**6) - (each.before or 10**6)),
            each.entrant.number,
        )
    )
    found.moved, found.more_moved = moved[:MOST_MOVED], max(len(moved) - MOST_MOVED, 0)
    return moved


def _pairings(found: Impact, moved: list[Moved]) -> None:
    """Tables of later rounds, drawn or published, at which somebody sits whose place changes."""
    changed = {each.entrant.pk: each.entrant for each in moved}
    if not changed:
        return
    tables: list[AffectedTable] = []
    drawn = Draw.objects.filter(
        round__in=found.later, state__in=[DrawState.CANDIDATE, DrawState.PUBLISHED]
    ).select_related("round__stage")
    newest = {draw.round_id: draw for draw in drawn.order_by("number")}
    for part in found.later:
        draw = newest.get(part.pk)
        if draw is None:
            continue
        for table in draw.tables:
            here = tuple(changed[p] for p in table["players"] if p in changed)
            if here:
                tables.append(
                    AffectedTable(part, draw.state == DrawState.PUBLISHED, table["number"], here)
                )
    found.tables, found.more_tables = tables[:MOST_TABLES], max(len(tables) - MOST_TABLES, 0)


def impact_json(found: Impact) -> dict[str, Any]:
    """The impact as the API gives it."""
    return {
        "deal": {"before": found.before.deal, "after": found.after.deal, "void": found.after.void},
        "match": {
            "before": {"marks": found.before.marks, "winner": found.before.winner},
            "after": {"marks": found.after.marks, "winner": found.after.winner},
            "official": found.after.official,
        },
        "ranks": [
            {
                "number": each.entrant.number, "before": each.before, "after": each.after,
                "gains_cut": each.gains_cut, "loses_cut": each.loses_cut,
            }
            for each in found.moved
        ],
        "more_ranks": found.more_moved,
        "tables": [
            {
                "stage": each.round.stage.order, "round": each.round.number,
                "published": each.published, "table": each.number,
                "numbers": [entrant.number for entrant in each.entrants],
            }
            for each in found.tables
        ],
        "more_tables": found.more_tables,
    }  # fmt: skip
