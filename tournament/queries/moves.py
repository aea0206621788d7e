"""Places that an act changes: ranks, qualifiers, winners of a knock-out, prizes, and the tables drawn since.

The act is really done inside a savepoint, the ordinary queries read the result, and the savepoint is
rolled back. So the preview equals the later outcome, and nothing is stored.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from django.db import transaction
from django.db.models import Q
from django.utils.translation import get_language

from tournament.models import Draw, DrawState, Event, PrintedDocument, Round, RoundState, Stage
from tournament.queries.brackets import ShownOvertaken, overtaken_shown
from tournament.queries.cuts import ShownCut, cut_on
from tournament.queries.fields import is_made_from
from tournament.queries.matches import plan_of, winners_by_round
from tournament.queries.names import Shown, directory
from tournament.queries.pages import ranks_shown
from tournament.queries.papers import stage_of
from tournament.queries.papers_people import shared_prizes
from tournament.queries.places import NeedsForCut
from tournament.queries.results import Forfeit, gather
from tournament.queries.standings import compute, rule_of, wants_points
from tournament.ranking.figures import format_cents
from tournament.ranking.model import Standing
from tournament.ranking.overall import as_standing, overall

MOST_MOVED = 12
MOST_TABLES = 8


class Undo(Exception):
    """Leaves the savepoint."""


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
class Places:
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
class WonPrize:
    """A prize of the last printed list that changes, in the reader's words; empty: none."""

    entrant: Shown
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class AffectedTable:
    """A table of a later round with an entrant whose place changes."""

    round: Round
    published: bool
    number: int
    entrants: tuple[Shown, ...]


@dataclass(slots=True, kw_only=True)
class Moves:
    """Places before and after an act, as ``parts/round/moves.html`` shows them."""

    stage: Stage | None = None
    moved: list[Moved] = field(default_factory=list)
    passing: list[Passing] = field(default_factory=list)
    more_moved: int = 0
    overtaken: list[ShownOvertaken] = field(default_factory=list)
    """Matches that change after the next draw was published, as ``parts/round/overtaken.html`` shows them."""
    tables: list[AffectedTable] = field(default_factory=list)
    more_tables: int = 0
    prizes: list[WonPrize] = field(default_factory=list)

    @property
    def moves(self) -> bool:
        """Whether a place changes, so that a draw made since might have been another one."""
        return bool(self.moved or self.passing)

    @property
    def qualifiers(self) -> list[Moved]:
        """Entrants who enter or leave the cut."""
        return [each for each in self.moved if each.gains_cut or each.loses_cut]


def moves_with(
    act: Callable[[], object], stages: Sequence[Stage], round_: Round | None, at: Collection[int]
) -> Moves:
    """Return what ``act`` changes in the places of these stages, without storing it; its refusals propagate.

    ``round_``: the round that it is about, if any; ``at``: the keys of the entrants concerned.
    """
    moves = Moves(stage=stages[0] if stages else None)
    if not stages:
        return moves
    event = stages[0].event
    old, won = [places_of(each) for each in stages], prizes_of(event)
    known = overtaken_shown(round_) if round_ else []
    try:
        with transaction.atomic():
            act()
            new, now = [places_of(each) for each in stages], prizes_of(event)
            overtaken = overtaken_shown(round_) if round_ else []
            moves.overtaken = [each for each in overtaken if each not in known]
            # A newcomer whom the act enters has a name only here.
            changed = fill_moved(moves, at, stages, old, new)
            changed |= fill_passing(moves, stages, old, new)
            fill_tables(moves, _made_from(round_), changed)
            fill_prizes(moves, event, won, now)
            raise Undo
    except Undo:
        return moves


def drawn_after(round_: Round | None) -> list[Round]:
    """Return the rounds after a round, in its stage and the later ones, that are drawn or published."""
    if round_ is None:
        return []
    return list(
        Round.objects.filter(
            Q(stage__event=round_.stage.event_id, stage__order__gt=round_.stage.order)
            | Q(stage=round_.stage_id, number__gt=round_.number)
        )
        .exclude(state=RoundState.PLANNED)
        .select_related("stage__event")
        .order_by("stage__order", "number")
    )


def _made_from(round_: Round | None) -> list[Round]:
    """Return the rounds after a round that are drawn from its results."""
    later = drawn_after(round_)
    if round_ is None or not later:
        return []
    drawn = Draw.objects.filter(
        round__in=later, state__in=[DrawState.CANDIDATE, DrawState.PUBLISHED]
    ).select_related("round")
    following = {draw.round_id for draw in drawn if is_made_from(draw, round_.stage)}
    return [each for each in later if each.pk in following]


def prizes_of(event: Event) -> dict[int, str]:
    """Return the prizes of the present ranking by start number, as the last printed list shares them; else none."""
    printed = PrintedDocument.objects.filter(event=event, kind="prizes").first()
    if printed is None:
        return {}
    parameters, language = printed.parameters, (get_language() or "en")[:2]
    if parameters.get("stage"):
        standing = compute(stage_of(event, parameters))
    else:
        stages = list(event.stages.select_related("event").order_by("order"))
        standings = [compute(each) for each in stages]
        carrying = {at for at, each in enumerate(stages) if each.carries_over}
        standing = as_standing(overall(standings, carrying), standings)
    awards = [
        award
        for _line, shared in shared_prizes(event, parameters, standing)
        for award in shared.awards
    ]
    won = {}
    for award in awards:
        money = format_cents(award.cents, language) if award.cents else ""
        each = filter(None, (money, *award.items, award.consolation))
        won[standing.row(award.entrant).entrant.number] = ", ".join(each)
    return won


def fill_prizes(moves: Moves, event: Event, won: Mapping[int, str], now: Mapping[int, str]) -> None:
    """Fill in the prizes that change, by start number."""
    numbers = [each for each in {**won, **now} if won.get(each, "") != now.get(each, "")]
    people = {who.number: who for who in directory(event).values()} if numbers else {}
    moves.prizes = [WonPrize(people[n], won.get(n, ""), now.get(n, "")) for n in sorted(numbers)]


def ranked_stages(stage: Stage) -> list[Stage]:
    """Return a stage, and the later stages that carry its results over."""
    later = Stage.objects.filter(event=stage.event_id, order__gt=stage.order).order_by("order")
    ranked = [stage]
    for each in later.select_related("event"):
        # The first stage that starts from nothing ends the chain.
        if not each.carries_over:
            break
        if each.rounds.filter(published_at__isnull=False).exists():
            ranked.append(each)
    return ranked


def places_of(stage: Stage, seated: Collection[int] = (), as_closed: Round | None = None) -> Places:
    """Compute the current ranks, qualifiers and knock-out winners of a stage, and the prospects of ``seated``.

    ``as_closed``: a round counted as if it were closed.
    """
    rule = rule_of(stage)
    field_now = gather(stage, points=wants_points(rule), as_closed=as_closed)
    standing = compute(stage, field_now)
    ranks = ranks_shown(standing, stage)
    cut = cut_on(standing, stage, field_now.book(rule))
    chances: dict[int, tuple[str, str]] = {}
    if cut is not None and seated:
        needs = NeedsForCut(cut, standing, stage, final=False)
        for row in standing.rows:
            if row.entrant.number in seated and not needs.over:
                chance, texts = needs.of(row)
                words = " ".join(text.render(get_language() or "en") for text in texts)
                chances[row.entrant.number] = (chance, words)
    return Places(ranks, cut, _winners(stage), standing, field_now.forfeits, chances)


def _winners(stage: Stage) -> Mapping[int, frozenset[int]]:
    """Return the winners of the rounds of a stage's knock-out."""
    if not stage.played_as.bracket:
        return {}
    first = plan_of(stage).get("knockout_from")
    if first is None:
        return {}
    return {n: won for n, won in winners_by_round(stage).items() if n >= first}


def fill_moved(
    moves: Moves,
    at_the_table: Collection[int],
    stages: Sequence[Stage],
    old: Sequence[Places],
    new: Sequence[Places],
) -> set[int]:
    """Fill in whose place changes, those at the cut and at the table first; all their entrants.

    Who goes on is the stage's own rule: by rank, by winning their table, with its lots and play-offs.
    """
    if not stages:
        return set()
    event = stages[0].event
    numbers = dict(event.entrants.values_list("number", "pk"))
    changed = [
        _Change(
            int(key),
            numbers[int(key)],
            before.ranks.get(key),
            after.ranks.get(key),
            gains=after.through(key) and not before.through(key),
            loses=before.through(key) and not after.through(key),
            stage=stage,
        )
        for stage, before, after in zip(stages, old, new, strict=True)
        for key in {**before.ranks, **after.ranks}
        if after.ranks.get(key) != before.ranks.get(key)
        or after.through(key) != before.through(key)
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
    moves.moved = [
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
    moves.more_moved = len(changed) - len(shown)
    return {each.pk for each in changed}


def fill_passing(
    moves: Moves, stages: Sequence[Stage], old: Sequence[Places], new: Sequence[Places]
) -> set[int]:
    """Add the knock-out rounds with changed winners to ``moves``; return the affected entrants."""
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
        moves.passing.append(
            Passing(
                stage.rounds.get(number=number),
                tuple(people[keys[each]] for each in sorted(out)),
                tuple(people[keys[each]] for each in sorted(through)),
            )
        )
    return concerned


def fill_tables(moves: Moves, later: Iterable[Round], changed: set[int]) -> list[Draw]:
    """Add the tables of later rounds, drawn or published, that seat an entrant whose place changes; their draws."""
    if not changed or moves.stage is None:
        return []
    drawn = Draw.objects.filter(
        round__in=later, state__in=[DrawState.CANDIDATE, DrawState.PUBLISHED]
    ).select_related("round__stage__event")
    newest = {draw.round_id: draw for draw in drawn.order_by("number")}
    seated: list[tuple[Draw, int, list[int]]] = []
    for round_ in later:
        draw = newest.get(round_.pk)
        for table in draw.tables if draw is not None else ():
            here = [player for player in table["players"] if player in changed]
            if here and draw is not None:
                seated.append((draw, table["number"], here))
    shown = seated[:MOST_TABLES]
    people = directory(moves.stage.event, [pk for _draw, _number, here in shown for pk in here])
    moves.tables = [
        AffectedTable(
            draw.round,
            draw.state == DrawState.PUBLISHED,
            number,
            tuple(people[pk] for pk in here),
        )
        for draw, number, here in shown
    ]
    moves.more_tables = len(seated) - len(shown)
    return list({each.pk: each for each, _number, _here in seated}.values())
