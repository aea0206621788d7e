"""Impact of a ruling before it is issued: deal, match, ranks, cut, pairings already drawn.

The services really issue the ruling inside a savepoint, the ordinary queries read the result, and the
savepoint is rolled back. So the preview equals the later outcome, and nothing is stored.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from django.db import transaction
from django.utils.translation import get_language, pgettext
from django.utils.translation import gettext as _

from adjudication.models import Appeal, Incident, Ruling
from adjudication.queries.effects import later_rounds, seats_winners, stage_of
from adjudication.queries.shown import RulingShown, before_figure, related, show
from scoring.engine.speech import side_name
from tournament.models import (
    Draw,
    DrawState,
    Entrant,
    Round,
    RoundState,
    Stage,
)
from tournament.models.tables import DealVersion, OfficialResult, Series, Sheet, by_seat
from tournament.queries.brackets import ShownOvertaken, overtaken_shown
from tournament.queries.cuts import ShownCut, cut_on
from tournament.queries.falls import Hanging, made_from_results
from tournament.queries.fields import rules_of
from tournament.queries.forfeits import gone_after_draw, gone_from, gone_in_round
from tournament.queries.matches import (
    plan_of,
    winners_by_round,
)
from tournament.queries.names import Shown, directory
from tournament.queries.places import NeedsForCut
from tournament.queries.results import Forfeit, gather
from tournament.queries.standings import compute, rule_of, wants_points
from tournament.ranking.criteria import build
from tournament.ranking.criteria.bracket import BracketPlace
from tournament.ranking.model import Row, Standing
from tournament.tables.score_sheet import ScoreSheet


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
class Moved:
    """An entrant whose rank or qualification changes; ``None``: not ranked."""

    entrant: Shown
    before: int | None
    after: int | None
    gains_cut: bool
    loses_cut: bool
    stage: Stage
    """The stage whose rank it is: the ruling's own or a later one."""


@dataclass(frozen=True, slots=True)
class Passing:
    """A knock-out round whose winners change: who wins now, and who would."""

    round: Round
    before: tuple[Shown, ...]
    after: tuple[Shown, ...]


@dataclass(frozen=True, slots=True)
class Counted:
    """A changed ranking criterion of an entrant of the table, in the reader's words."""

    entrant: Shown
    criterion: str
    """The criterion's code, as in the ranking rule."""
    label: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class _Places:
    """Ranks and qualifiers of a stage, by start number."""

    ranks: dict[str, int | None]
    cut: ShownCut | None
    winners: Mapping[int, frozenset[int]]
    """Round of the knock-out → start numbers of its winners and byes."""
    standing: Standing
    forfeits: frozenset[Forfeit] = frozenset()
    chances: Mapping[int, tuple[str, str]] = field(default_factory=dict)
    """Start number → prospect before the cut, and the sentence about it, of those at the table."""

    def through(self, key: str) -> bool:
        """Whether the entrant would qualify; false for all while lots or tables have to decide."""
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
    stage: Stage


@dataclass(frozen=True, slots=True)
class AffectedTable:
    """A table of a later round with an entrant whose place changes."""

    round: Round
    published: bool
    number: int
    entrants: tuple[Shown, ...]


@dataclass(slots=True)
class Impact:
    """Before and after a ruling."""

    before: SheetSeen
    after: SheetSeen
    ruling: RulingShown | None = None
    """The ruling as its page and papers would say it."""
    stage: Stage | None = None
    moved: list[Moved] = field(default_factory=list)
    passing: list[Passing] = field(default_factory=list)
    more_moved: int = 0
    counted: list[Counted] = field(default_factory=list)
    """What the ruling changes in the standings of who sits at the table: in a knock-out, in pools, and
    where the marks of the sheet stay (a measure on the round or on a person)."""
    chances: list[Counted] = field(default_factory=list)
    """Changed prospects of those at the table before the cut."""
    at_closing: list[Counted] = field(default_factory=list)
    """What a forfeit changes for those at the table only once its round is closed."""
    overtaken: list[ShownOvertaken] = field(default_factory=list)
    """Matches that change after the next draw was published, as ``parts/round/overtaken.html`` shows them."""
    tables: list[AffectedTable] = field(default_factory=list)
    more_tables: int = 0
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

    @property
    def moves(self) -> bool:
        """Whether a place changes, so that a draw made since might have been another one."""
        return bool(self.moved or self.passing)

    @property
    def qualifiers(self) -> list[Moved]:
        """Entrants who enter or leave the cut."""
        return [each for each in self.moved if each.gains_cut or each.loses_cut]


MOST_MOVED = 12
MOST_TABLES = 8


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
    stages, round_ = _ranked_stages(stage), incident.round
    seated = set(
        Entrant.objects.filter(pk__in=incident.seats.values()).values_list("number", flat=True)
    )
    before, old = see(incident), [_places(each, seated) for each in stages]
    closed: _Places | None = None
    known = overtaken_shown(round_) if round_ else []
    impact = Impact(before, before, stage=stage, later=later_rounds(incident))
    try:
        with transaction.atomic():
            done = act()
            ruling = done.ruling if isinstance(done, Appeal) else done
            impact.ruling = show(related(Ruling.objects.all()).get(pk=ruling.pk))
            impact.after, new = see(incident), [_places(each, seated) for each in stages]
            overtaken = overtaken_shown(round_) if round_ else []
            impact.overtaken = [each for each in overtaken if each not in known]
            if stage is not None and round_ is not None:
                closed = _closed(stage, round_, old[0], new[0])
            raise _Undo
    except _Undo:
        incident.refresh_from_db()
    if stage is None:
        return impact
    standings = getattr(stage, "standings", None)
    impact.standings_state = standings.state if standings else ""
    _counted(impact, incident, stage, old[0].standing, new[0].standing)
    _forfeited_games(impact, incident, stage, old[0], new[0], closed)
    changed = _moved(impact, incident, stages, old, new)
    _pairings(impact, changed | _passing(impact, stages, old, new))
    return impact


def _ranked_stages(stage: Stage | None) -> list[Stage]:
    """Return the stage that counts the ruling, and the later stages that carry its results over."""
    if stage is None:
        return []
    later = Stage.objects.filter(event=stage.event_id, order__gt=stage.order).order_by("order")
    ranked = [stage]
    for each in later.select_related("event"):
        # The first stage that starts from nothing ends the chain.
        if not each.carries_over:
            break
        if each.rounds.filter(published_at__isnull=False).exists():
            ranked.append(each)
    return ranked


def _places(stage: Stage, seated: Collection[int] = (), as_closed: Round | None = None) -> _Places:
    """Compute the current ranks, qualifiers and knock-out winners of a stage, and the prospects of ``seated``.

    ``as_closed``: a round counted as if it were closed.
    """
    rule = rule_of(stage)
    field_now = gather(stage, points=wants_points(rule), as_closed=as_closed)
    standing = compute(stage, field_now)
    ranks = {row.entrant.id: row.rank for row in standing.rows}
    cut = cut_on(standing, stage, field_now.book(rule))
    chances: dict[int, tuple[str, str]] = {}
    if cut is not None and seated:
        needs = NeedsForCut(cut, standing, stage, final=False)
        for row in standing.rows:
            if row.entrant.number in seated and not needs.over:
                chance, texts = needs.of(row)
                words = " ".join(text.render(get_language() or "en") for text in texts)
                chances[row.entrant.number] = (chance, words)
    return _Places(ranks, cut, _winners(stage), standing, field_now.forfeits, chances)


def _closed(stage: Stage, round_: Round, before: _Places, after: _Places) -> _Places | None:
    """Compute the places as at the closing of the round; ``None`` where no forfeit changes."""
    if before.forfeits == after.forfeits or round_.state == RoundState.CLOSED:
        return None
    return _places(stage, as_closed=round_)


def _winners(stage: Stage) -> Mapping[int, frozenset[int]]:
    """Return the winners of the rounds of a stage's knock-out."""
    if not stage.played_as.bracket:
        return {}
    first = plan_of(stage).get("knockout_from")
    if first is None:
        return {}
    return {n: won for n, won in winners_by_round(stage).items() if n >= first}


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
    before: _Places,
    after: _Places,
    closed: _Places | None,
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
    before: _Places,
    after: _Places,
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


def _moved(
    impact: Impact,
    incident: Incident,
    stages: Sequence[Stage],
    old: Sequence[_Places],
    new: Sequence[_Places],
) -> set[int]:
    """Fill in whose place changes, those at the cut and at the table first; all their entrants.

    Who goes on is the stage's own rule: by rank, by winning their table, with its lots and play-offs.
    """
    event = stages[0].event
    numbers = dict(event.entrants.values_list("number", "pk"))
    at_the_table = {int(entrant) for entrant in incident.seats.values()}
    changed = [
        _Change(
            int(key),
            numbers[int(key)],
            before.ranks.get(key),
            rank,
            gains=after.through(key) and not before.through(key),
            loses=before.through(key) and not after.through(key),
            stage=stage,
        )
        for stage, before, after in zip(stages, old, new, strict=True)
        for key, rank in after.ranks.items()
        if rank != before.ranks.get(key) or after.through(key) != before.through(key)
    ]
    changed.sort(
        key=lambda each: (
            not (each.gains or each.loses),
            each.stage.order,
            each.pk not in at_the_table,
            -abs((each.after or 10**6) - (each.before or 10**6)),
            each.number,
        )
    )
    shown = changed[:MOST_MOVED]
    people = directory(event, [each.pk for each in shown])
    impact.moved = [
        Moved(
            people[each.pk],
            each.before,
            each.after,
            each.gains,
            each.loses,
            each.stage,
        )
        for each in shown
    ]
    impact.more_moved = len(changed) - len(shown)
    return {each.pk for each in changed}


def _passing(
    impact: Impact, stages: Sequence[Stage], old: Sequence[_Places], new: Sequence[_Places]
) -> set[int]:
    """Add the knock-out rounds with changed winners to ``impact``; return the affected entrants."""
    changed: list[tuple[Stage, int, frozenset[int], frozenset[int]]] = []
    for stage, before, after in zip(stages, old, new, strict=True):
        for number in sorted(set(before.winners) | set(after.winners)):
            was = before.winners.get(number, frozenset())
            now = after.winners.get(number, frozenset())
            if was != now:
                changed.append((stage, number, was - now, now - was))
    if not changed:
        return set()
    event = stages[0].event
    keys = dict(event.entrants.values_list("number", "pk"))
    people = directory(event)
    concerned: set[int] = set()
    for stage, number, out, through in changed:
        concerned |= {keys[each] for each in out | through}
        impact.passing.append(
            Passing(
                stage.rounds.get(number=number),
                tuple(people[keys[each]] for each in sorted(out)),
                tuple(people[keys[each]] for each in sorted(through)),
            )
        )
    return concerned


def _pairings(impact: Impact, changed: set[int]) -> None:
    """Add the tables of later rounds, drawn or published, that seat an entrant whose place changes."""
    if not changed or impact.stage is None:
        return
    drawn = Draw.objects.filter(
        round__in=impact.later, state__in=[DrawState.CANDIDATE, DrawState.PUBLISHED]
    ).select_related("round__stage__event")
    newest = {draw.round_id: draw for draw in drawn.order_by("number")}
    seated: list[tuple[Draw, int, list[int]]] = []
    for round_ in impact.later:
        draw = newest.get(round_.pk)
        for table in draw.tables if draw is not None else ():
            here = [player for player in table["players"] if player in changed]
            if here and draw is not None:
                seated.append((draw, table["number"], here))
    stage = impact.stage
    by_score = stage.played_as.by_score or rules_of(stage).by_score
    impact.draws = [
        draw
        for draw in {each.pk: each for each, _number, _here in seated}.values()
        if draw.round.stage_id != stage.pk or by_score or seats_winners(draw)
    ]
    shown = seated[:MOST_TABLES]
    people = directory(stage.event, [pk for _draw, _number, here in shown for pk in here])
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
