"""Impact of a ruling before it is issued: deal, match, ranks, cut, pairings already drawn.

The services really issue the ruling inside a savepoint, the ordinary queries read the result, and the
savepoint is rolled back. So the preview equals the later outcome, and nothing is stored.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from django.db import transaction
from django.utils.translation import get_language, pgettext
from django.utils.translation import gettext as _

from adjudication.models import Appeal, Incident, Ruling
from adjudication.queries.effects import later_rounds, stage_of
from adjudication.queries.shown import RulingShown, before_figure, related, show
from scoring.engine.speech import side_name
from tournament.models import (
    Draw,
    Entrant,
    Round,
    RoundState,
    Stage,
)
from tournament.models.tables import DealVersion, OfficialResult, Series, Sheet, by_seat
from tournament.queries.brackets import overtaken_shown
from tournament.queries.falls import Hanging, made_from_results
from tournament.queries.fields import is_made_from
from tournament.queries.forfeits import gone_after_draw, gone_from, gone_in_round
from tournament.queries.moves import (
    Moves,
    Places,
    Undo,
    fill_moved,
    fill_passing,
    fill_prizes,
    fill_tables,
    places_of,
    prizes_of,
    ranked_stages,
)
from tournament.queries.names import Shown, directory
from tournament.ranking.criteria import build
from tournament.ranking.criteria.bracket import BracketPlace
from tournament.ranking.model import Row, Standing
from tournament.tables.score_sheet import ScoreSheet


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
    past_the_end: tuple[int, ...] = ()
    """The numbers of the deals played after the end of the match."""
    official: bool = False
    forfeited: tuple[str, ...] = ()
    """Sides of a knock-out or pool that forfeited the match: they have lost its games with no marks."""
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
        """Sides not at fault that lose marks, with their names."""
        return [(_side(side), marks) for side, marks in self.lost]

    @property
    def games_lost_shown(self) -> list[str]:
        """Names of the sides not at fault that lose the game."""
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
        """Text for the winner of the match: a side's name, forfeited, tied or still open."""
        if self.forfeited:
            return _("forfeited by %(sides)s") % {"sides": ", ".join(map(_side, self.forfeited))}
        if self.winner:
            return _side(self.winner)
        return _("tied") if self.finished else pgettext("match", "still open")

    @property
    def marks_shown(self) -> list[tuple[str, int, bool]]:
        """The match's marks by the names of the sides, and who won."""
        return [
            (before_figure(_side(side)), n, side == self.winner and not self.forfeited)
            for side, n in by_seat(self.marks).items()
        ]


def _side(side: str) -> str:
    return side_name(side, (get_language() or "en")[:2])


@dataclass(frozen=True, slots=True)
class Counted:
    """A changed ranking criterion of an entrant of the table, in the reader's words."""

    entrant: Shown
    criterion: str
    """The criterion's code, as in the ranking rule."""
    label: str
    before: str
    after: str


@dataclass(slots=True, kw_only=True)
class Impact(Moves):
    """Before and after a ruling."""

    before: SheetSeen
    after: SheetSeen
    ruling: RulingShown | None = None
    """The ruling as its page and papers would say it."""
    counted: list[Counted] = field(default_factory=list)
    """What the ruling changes in the standings of who sits at the table: in a knock-out, in pools, and
    where the marks of the sheet stay (a measure on the round or on a person)."""
    chances: list[Counted] = field(default_factory=list)
    """Changed prospects of those at the table before the cut."""
    at_closing: list[Counted] = field(default_factory=list)
    """What a forfeit changes for those at the table only once its round is closed."""
    draws: list[Draw] = field(default_factory=list)
    """Draws made from the results that change, which seat entrants whose place changes."""
    later: list[Round] = field(default_factory=list)
    standings_state: str = ""

    @property
    def dropped(self) -> list[int]:
        """The deals that no longer count because the match ends before them."""
        return sorted(set(self.after.past_the_end) - set(self.before.past_the_end))

    @property
    def values(self) -> list[Counted]:
        """Changed values of those at the table: of criteria, then their prospects before the cut."""
        return [*self.counted, *self.chances]

    @property
    def falls(self) -> list[Hanging]:
        """The draws made from the results that change, without the way to their pages at the desk."""
        return [replace(made_from_results(draw), url="") for draw in self.draws]


def see(incident: Incident) -> SheetSeen:
    """Return the current state of the incident's sheet."""
    if incident.sheet_id is None:
        return SheetSeen()
    sheet = Sheet.objects.select_related("table__round__stage").get(pk=incident.sheet_id)
    deal: DealVersion | None = None
    if incident.deal is not None:
        deal = sheet.deals.filter(
            series=Series.OFFICIAL, number=incident.deal, current=True
        ).first()
    official = OfficialResult.objects.filter(sheet=sheet, current=True).first()
    marks = official.result["marks"] if official else sheet.score.get("marks", {})
    winner = official.result["winner"] if official else sheet.score.get("winner")
    target = ScoreSheet(sheet).game.options.get("target")
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
        past_the_end=tuple(each.number for each in ScoreSheet(sheet).past_the_end()),
        official=official is not None,
        forfeited=_forfeited(sheet),
        **(_lost(sheet, deal) if deal and not deal.annulled else {}),
    )


def _forfeited(sheet: Sheet) -> tuple[str, ...]:
    """Return the sides that forfeited a match in a knock-out or in pools, before the next draw or after."""
    round_ = sheet.table.round
    if round_ is None or not round_.stage.played_as.bracket:
        return ()
    gone = gone_in_round(round_.stage) | gone_after_draw(round_.stage).keys()
    lost = set(gone_from(sheet.table, gone))
    return tuple(
        side
        for side in sheet.sides
        if {int(who) for seat, who in sheet.seats.items() if seat in side} & lost
    )


def _lost(sheet: Sheet, deal: DealVersion) -> dict[str, Any]:
    """Return the losses of sides not at fault if the event's ``penalty_floor`` is false (C.8)."""
    if ScoreSheet(sheet).game.flag("penalty_floor") or not deal.infractions:
        return {}
    floored = ScoreSheet(sheet).score(deal.entry, deal.infractions, penalty_floor=True)
    clause = [line for line in floored.lines if line.clause == "penalty_floor"]
    return {
        "lost": tuple(
            (line.side, line.marks - deal.marks.get(line.side or "", 0))
            for line in clause
            if line.side != floored.game_won
        ),
        "games_lost": tuple(line.side for line in clause if line.side == floored.game_won),
    }


def impact_of(incident: Incident, act: Callable[[], Ruling | Appeal]) -> Impact:
    """Return the impact of ``act`` (issue, amend, annul or hear) without storing it; its refusals propagate."""
    stage = stage_of(incident)
    stages = ranked_stages(stage) if stage is not None else []
    round_ = incident.round
    seated = set(
        Entrant.objects.filter(pk__in=incident.seats.values()).values_list("number", flat=True)
    )
    before, old = see(incident), [places_of(each, seated) for each in stages]
    closed: Places | None = None
    known, won = overtaken_shown(round_) if round_ else [], prizes_of(incident.event)
    now = won
    impact = Impact(before=before, after=before, stage=stage, later=later_rounds(incident))
    try:
        with transaction.atomic():
            done = act()
            ruling = done.ruling if isinstance(done, Appeal) else done
            impact.ruling = show(related(Ruling.objects.all()).get(pk=ruling.pk))
            impact.after, new = see(incident), [places_of(each, seated) for each in stages]
            overtaken = overtaken_shown(round_) if round_ else []
            impact.overtaken = [each for each in overtaken if each not in known]
            now = prizes_of(incident.event)
            if stage is not None and round_ is not None:
                closed = _closed(stage, round_, old[0], new[0])
            raise Undo
    except Undo:
        incident.refresh_from_db()
    if stage is None:
        return impact
    standings = getattr(stage, "standings", None)
    impact.standings_state = standings.state if standings else ""
    _counted(impact, incident, stage, old[0].standing, new[0].standing)
    _forfeited_games(impact, incident, stage, old[0], new[0], closed)
    seats = {int(entrant) for entrant in incident.seats.values()}
    changed = fill_moved(impact, seats, stages, old, new)
    changed |= fill_passing(impact, stages, old, new)
    impact.draws = [
        draw for draw in fill_tables(impact, impact.later, changed) if is_made_from(draw, stage)
    ]
    fill_prizes(impact, incident.event, won, now)
    return impact


def _closed(stage: Stage, round_: Round, before: Places, after: Places) -> Places | None:
    """Compute the places as at the closing of the round; ``None`` where no forfeit changes."""
    if before.forfeits == after.forfeits or round_.state == RoundState.CLOSED:
        return None
    return places_of(stage, as_closed=round_)


def _counted(
    impact: Impact,
    incident: Incident,
    stage: Stage,
    before: Standing,
    after: Standing,
) -> None:
    """Fill in what changes in the standings of those at the table, unless the sheet's marks say it.

    Where each plays against all, the criteria do not follow from the marks of a sheet at sight.
    """
    by_sheet = (impact.before.deal, impact.before.marks) != (impact.after.deal, impact.after.marks)
    alone = len(impact.after.marks) > 2
    if by_sheet and not alone and not stage.played_as.bracket:
        return
    impact.counted += _changed_values(_at_table(incident, stage), before, after)


def _at_table(incident: Incident, stage: Stage) -> list[Shown]:
    """Return the entrants at the incident's table."""
    here = {int(entrant) for entrant in incident.seats.values()}
    return list(directory(stage.event, sorted(here)).values())


def _changed_values(people: Sequence[Shown], before: Standing, after: Standing) -> list[Counted]:
    """Return the ranking criteria that change for these entrants."""
    language = get_language() or "en"
    was = {row.entrant.number: row.values for row in before.rows}
    now = {row.entrant.number: row.values for row in after.rows}
    changed = []
    for person in people:
        values = zip(
            after.rule.criteria,
            was.get(person.number, ()),
            now.get(person.number, ()),
            strict=False,
        )
        for used, old, new in values:
            if used.code == BracketPlace.code or old == new or old is None or new is None:
                continue
            criterion = build(used)
            changed.append(
                Counted(
                    person,
                    used.code,
                    criterion.short.render(language),
                    criterion.format(old, language),
                    criterion.format(new, language),
                )
            )
    return changed


def _forfeited_games(
    impact: Impact,
    incident: Incident,
    stage: Stage,
    before: Places,
    after: Places,
    closed: Places | None,
) -> None:
    """Fill in the prospects, the games that a forfeit loses, and the credits at the closing of its round."""
    people = _at_table(incident, stage)
    for person in people:
        old, new = before.chances.get(person.number), after.chances.get(person.number)
        if old is not None and new is not None and old[0] != new[0]:
            label = _("qualification")
            impact.chances.append(Counted(person, "qualification", label, old[1], new[1]))
    if before.forfeits == after.forfeits:
        return
    lost = _changed_games(
        people, before, after, "games_lost", _("games lost"), lambda row: row.lost
    )
    impact.counted += lost
    name = _("games credited")
    for start, end, into in (
        (before, after, impact.counted),
        (after, closed, impact.at_closing),
    ):
        if end is not None:
            into += _changed_games(
                people, start, end, "games_credited", name, lambda row: row.credited
            )
    if closed is not None:
        impact.at_closing += _changed_values(people, after.standing, closed.standing)


def _changed_games(
    people: Sequence[Shown],
    before: Places,
    after: Places,
    code: str,
    label: str,
    count: Callable[[Row], int],
) -> list[Counted]:
    """Return a number of games where it changes for these entrants."""
    was = {row.entrant.number: count(row) for row in before.standing.rows}
    now = {row.entrant.number: count(row) for row in after.standing.rows}
    return [
        Counted(person, code, label, str(was[person.number]), str(now[person.number]))
        for person in people
        if person.number in was
        and person.number in now
        and was[person.number] != now[person.number]
    ]
