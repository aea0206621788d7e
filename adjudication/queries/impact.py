"""What a ruling would change, before it is issued: deal, match, ranks, cut, pairings already drawn.

The ruling is really issued, in a savepoint that is rolled back: what is shown is what would happen,
computed by the services themselves, and nothing of it stays. Only the reading of this table's
result happens inside, so that the locks are held briefly: the ranking as it stands is the kept one
where that is up to date, and the new one is computed afterwards.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from django.db import transaction
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from adjudication.models import Incident, Ruling
from adjudication.penal import Measure
from adjudication.queries.effects import later_rounds, stage_of
from adjudication.queries.shown import before_figure
from scoring.engine.speech import side_name
from tournament.models import (
    Draw,
    DrawState,
    Event,
    Round,
    Stage,
    Standings,
    StandingsState,
)
from tournament.models.tables import DealVersion, OfficialResult, Series, Sheet, by_seat
from tournament.queries.cuts import ShownCut, cut_on
from tournament.queries.names import Shown, directory
from tournament.queries.results import Field, gather, gather_again
from tournament.queries.standings import compute, rule_of, standing_of, wants_points
from tournament.tables.rules import game_of, score_entry


class _Undo(Exception):
    """Leaves the savepoint."""


@dataclass(frozen=True, slots=True)
class SheetSeen:
    """A sheet at one moment: the marks of the deal, the match's marks and winner."""

    deal: dict[str, int] | None = None
    void: bool = False
    marks: dict[str, int] = field(default_factory=dict)
    winner: str | None = None
    games: dict[str, int] = field(default_factory=dict)
    """Games won in this match, where it is played in games or a générale may win one."""
    game_score: dict[str, int] = field(default_factory=dict)
    """The score of the game in play, or of the last one when the match is over."""
    finished: bool = False
    deals: int = 0
    official: bool = False
    lost: tuple[tuple[str, int], ...] = ()
    """Sides not at fault, with the marks that the deal as played gave them and the ruling takes."""
    games_lost: tuple[str, ...] = ()
    """Sides not at fault whom the deal as played gave the whole game, and the ruling does not."""

    @property
    def deal_shown(self) -> list[tuple[str, int]]:
        """The deal's marks by the names of the sides."""
        return [
            (before_figure(_side(side)), marks) for side, marks in by_seat(self.deal or {}).items()
        ]

    @property
    def lost_shown(self) -> list[tuple[str, int]]:
        """Who is not at fault and loses marks, by the names of the sides."""
        return [(_side(side), marks) for side, marks in self.lost]

    @property
    def games_lost_shown(self) -> list[str]:
        """Who is not at fault and loses the game, by the names of the sides."""
        return [_side(side) for side in self.games_lost]

    @property
    def games_shown(self) -> list[tuple[str, int, int]]:
        """Games won and the score of the game in play, by the names of the sides."""
        return [
            (_side(side), won, self.game_score.get(side, 0))
            for side, won in by_seat(self.games).items()
        ]

    @property
    def winner_shown(self) -> str:
        """Who wins the match: the name of a side, or that nobody does, or that it goes on."""
        if self.winner:
            return _side(self.winner)
        return _("tied") if self.finished else _("still open")

    @property
    def marks_shown(self) -> list[tuple[str, int, bool]]:
        """The match's marks by the names of the sides, and who won."""
        return [
            (before_figure(_side(side)), n, side == self.winner)
            for side, n in by_seat(self.marks).items()
        ]


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
class _Places:
    """Everybody's rank, and who would go on to the next stage, by start number."""

    ranks: dict[str, int | None]
    cut: ShownCut | None = None

    def through(self, key: str) -> bool:
        """Whether they would go on; nobody does where lots or tables have still to decide."""
        return self.cut is not None and int(key) in self.cut.through


@dataclass(frozen=True, slots=True)
class _Change:
    """A rank that changes, before names are looked up: only those shown are."""

    number: int
    pk: int
    before: int | None
    after: int | None
    gains: bool
    loses: bool


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
    target = game_of(sheet).options.get("target")
    of_games = isinstance(target, dict) and "games" in target
    return SheetSeen(
        games=sheet.score.get("games", {}) if of_games else {},
        game_score=sheet.score.get("game_score", {}) if of_games else {},
        finished=sheet.finished,
        deal=deal.marks if deal else None,
        void=bool(deal and deal.annulled),
        marks=marks,
        winner=winner,
        deals=sheet.score.get("deals", 0),
        official=official is not None,
        **(_lost(sheet, deal) if deal and not deal.annulled else {}),
    )


def _lost(sheet: Sheet, deal: DealVersion) -> dict[str, Any]:
    """What the side not at fault loses where the event's ``penalty_floor`` is false (C.8)."""
    if game_of(sheet).flag("penalty_floor") or not deal.infractions:
        return {}
    floored = score_entry(sheet, deal.entry, deal.infractions, penalty_floor=True)
    clause = [line for line in floored.lines if line.clause == "penalty_floor"]
    return {
        "lost": tuple(
            (line.side, line.marks - deal.marks.get(line.side or "", 0))
            for line in clause
            if line.side != floored.game_won
        ),
        "games_lost": tuple(line.side for line in clause if line.side == floored.game_won),
    }


def impact_of(incident: Incident, act: Callable[[], Any]) -> Impact:
    """What ``act`` (issue, amend, annul or hear) would change; its refusals are raised as they are."""
    stage = stage_of(incident)
    points = stage is not None and wants_points(rule_of(stage))
    before, field_before = see(incident), gather(stage, points=points) if stage else None
    places = _places_now(stage, field_before)
    after, field_after = before, field_before
    try:
        with transaction.atomic():
            act()
            after = see(incident)
            if stage is not None and field_before is not None:
                field_after = _read_again(incident, stage, field_before, points=points)
            raise _Undo
    except _Undo:
        incident.refresh_from_db()
    impact = Impact(before, after, stage, later=later_rounds(incident))
    if stage is not None and field_after is not None:
        standings = getattr(stage, "standings", None)
        impact.standings_state = standings.state if standings else ""
        if field_after is not field_before:
            _pairings(impact, _moved(impact, incident, stage, places, field_after))
    return impact


def _places_now(stage: Stage | None, field_now: Field | None) -> _Places:
    """Everybody's place as it stands: as kept, where that is up to date."""
    if stage is None or field_now is None:
        return _Places({})
    standings = Standings.objects.filter(stage=stage, state=StandingsState.PROVISIONAL).first()
    version = Event.objects.values_list("version", flat=True).get(pk=stage.event_id)
    if standings is not None and standings.hash and standings.version == version:
        ranks = {str(row["number"]): row["rank"] for row in standings.rows}
        return _Places(ranks, cut_on(standing_of(standings), stage, field_now.results))
    return _places(stage, field_now)


def _places(stage: Stage, of: Field) -> _Places:
    standing = compute(stage, of)
    return _Places(
        {row.entrant.id: row.rank for row in standing.rows}, cut_on(standing, stage, of.results)
    )


def _read_again(incident: Incident, stage: Stage, before: Field, *, points: bool) -> Field:
    """The field after the act: only this sheet and adjustments can have changed.

    The exception is a ruling that deletes results (T-ABS in a league), which reaches every game
    of a team.
    """
    deletes = Ruling.objects.filter(
        incident=incident, versions__proposal__measure=Measure.RESULTS_DELETED.value
    )
    if incident.sheet is None or deletes.exists():
        return gather(stage, points=points)
    return gather_again(stage, before, incident.sheet, points=points)


def _moved(
    impact: Impact, incident: Incident, stage: Stage, old: _Places, after: Field
) -> set[int]:
    """Fill in whose place changes, those at the cut and at the table first; all their entrants.

    Who goes on is the stage's own rule: by rank, by winning their table, with its lots and play-offs.
    """
    new = _places(stage, after)
    numbers = dict(stage.event.entrants.filter(stages__stage=stage).values_list("number", "pk"))
    at_the_table = {int(entrant) for entrant in incident.seats.values()}
    changed = [
        _Change(
            int(key),
            numbers[int(key)],
            old.ranks.get(key),
            rank,
            gains=new.through(key) and not old.through(key),
            loses=old.through(key) and not new.through(key),
        )
        for key, rank in new.ranks.items()
        if rank != old.ranks.get(key) or new.through(key) != old.through(key)
    ]
    changed.sort(
        key=lambda each: (
            not (each.gains or each.loses),
            each.pk not in at_the_table,
            -abs((each.after or 10**6) - (each.before or 10**6)),
            each.number,
        )
    )
    shown = changed[:MOST_MOVED]
    people = directory(stage.event, [each.pk for each in shown])
    impact.moved = [
        Moved(people[each.pk], each.before, each.after, each.gains, each.loses) for each in shown
    ]
    impact.more_moved = len(changed) - len(shown)
    return {each.pk for each in changed}


def _pairings(impact: Impact, changed: set[int]) -> None:
    """Tables of later rounds, drawn or published, at which somebody sits whose place changes."""
    if not changed or impact.stage is None:
        return
    drawn = Draw.objects.filter(
        round__in=impact.later, state__in=[DrawState.CANDIDATE, DrawState.PUBLISHED]
    ).select_related("round__stage__event")
    newest = {draw.round_id: draw for draw in drawn.order_by("number")}
    seated: list[tuple[Draw, int, list[int]]] = []
    for part in impact.later:
        draw = newest.get(part.pk)
        for table in draw.tables if draw is not None else ():
            here = [player for player in table["players"] if player in changed]
            if here and draw is not None:
                seated.append((draw, table["number"], here))
    shown = seated[:MOST_TABLES]
    people = directory(impact.stage.event, [pk for _draw, _number, here in shown for pk in here])
    impact.tables = [
        AffectedTable(
            draw.round,
            draw.state == DrawState.PUBLISHED,
            number,
            tuple(people[pk] for pk in here),
        )
        for draw, number, here in shown
    ]
    impact.more_tables = len(seated) - len(shown)


def _match_json(seen: SheetSeen) -> dict[str, Any]:
    return {
        "marks": seen.marks,
        "winner": seen.winner,
        "finished": seen.finished,
        "games": seen.games,
        "game_score": seen.game_score,
    }


def impact_json(impact: Impact) -> dict[str, Any]:
    """The impact as the API gives it."""
    return {
        "deal": {
            "before": impact.before.deal,
            "after": impact.after.deal,
            "void": impact.after.void,
        },
        "match": {
            "before": _match_json(impact.before),
            "after": _match_json(impact.after),
            "official": impact.after.official,
        },
        "ranks": [
            {
                "number": each.entrant.number,
                "before": each.before,
                "after": each.after,
                "gains_cut": each.gains_cut,
                "loses_cut": each.loses_cut,
            }
            for each in impact.moved
        ],
        "more_ranks": impact.more_moved,
        "tables": [
            {
                "stage": each.round.stage.order,
                "round": each.round.number,
                "published": each.published,
                "table": each.number,
                "numbers": [entrant.number for entrant in each.entrants],
            }
            for each in impact.tables
        ],
        "more_tables": impact.more_tables,
        "not_at_fault_loses": {
            "marks": dict(impact.after.lost),
            "games": list(impact.after.games_lost),
        },
    }
