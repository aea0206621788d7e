"""Players of a round, and all other inputs of its draw, as one frozen value.

The pairing room identifies people by their start number; the stored tables identify entrants by
key. :func:`numbers_of` and :func:`entrants_of` are the only translations.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import groupby
from math import lcm
from typing import Final

from django.db.models import Max, Min, Q, QuerySet

from ledger.models import AuditEntry
from scoring.engine import rulebook as rulebooks
from tournament.drawing.locked import replaced_in_plan
from tournament.drawing.rules import DrawRules, read_rules
from tournament.drawing.spec import Before, Results, Spec
from tournament.models import (
    Adjustment,
    Ban,
    Draw,
    DrawState,
    Entrant,
    EntrantState,
    Event,
    Round,
    RoundState,
    Seat,
    Stage,
    StageEntrant,
)
from tournament.models.draws import TableJson
from tournament.models.tables import SheetState
from tournament.pairing.model import Contestant, Kind, Wishes, pair
from tournament.pairing.model import Table as DrawnTable
from tournament.queries.matches import pool_rankings, seats_winners, stand_ins, winners_by_round
from tournament.queries.results import gather
from tournament.queries.standings import compute, rule_of
from tournament.ranking.model import Standing

UNSIGNED: Final = (SheetState.OPEN, SheetState.CLAIMED, SheetState.DISPUTED)
"""States of a sheet whose table is still at work."""

FIXED_SEATS: Final = {Kind.ROTATION: "A", Kind.PARTNERS: "N", Kind.MATCH: "NS", Kind.SOLO: "1"}
"""The seat that never moves, for who cannot move: the scorekeeper's, or North's."""


def rules_of(stage: Stage) -> DrawRules:
    """Return the stage's options inside its format."""
    return read_rules(stage.drawing)


def is_made_from(draw: Draw, stage: Stage) -> bool:
    """Whether a draw made after rounds of a stage depends on their results: of a later stage, by score, or of winners.

    A timetable, the rounds of pools and a draw by lot do not.
    """
    if draw.round.stage_id != stage.pk or stage.played_as.by_score:
        return True
    return rules_of(stage).by_score or seats_winners(draw)


def kind_of(stage: Stage) -> Kind:
    """Return the kind of play at a table of a stage."""
    game = rulebooks.resolve(stage.event.rulebook, stage.event.options)
    if not game.in_pairs:
        return Kind.SOLO
    if stage.in_pairs:
        return Kind.MATCH
    return Kind.ROTATION if stage.games_per_round == 3 else Kind.PARTNERS


def disqualified(event_id: uuid.UUID) -> QuerySet[Adjustment, int]:
    """Return the ids of entrants disqualified by a ruling in force: they are excluded from draws."""
    return Adjustment.objects.filter(
        event=event_id, disqualified=True, annulled_at__isnull=True
    ).values_list("entrant", flat=True)


def expected(event: Event) -> QuerySet[Entrant]:
    """Return the entrants not checked in who may still come.

    Once all but the absent are checked in, or a round is published, only those entered since are.
    """
    waiting = event.entrants.filter(state=EntrantState.REGISTERED)
    closed = AuditEntry.objects.filter(
        scope=event.pk, object_type="event", object_id=event.pk, verb="entrants.checked_in"
    ).aggregate(at=Max("at"))["at"]
    began = Round.objects.filter(stage__event=event).aggregate(at=Min("published_at"))["at"]
    since = max((moment for moment in (closed, began) if moment), default=None)
    return waiting.filter(created_at__gt=since) if since else waiting


def playing(drawn_round: Round) -> QuerySet[StageEntrant]:
    """Return the stage's entrants who are in the hall for this round, with person's club and wishes."""
    return (
        StageEntrant.objects.filter(stage=drawn_round.stage, entrant__state=EntrantState.PRESENT)
        .filter(Q(entrant__from_round__lte=drawn_round.number) | ~Q(origin="entry"))
        .exclude(entrant__in=disqualified(drawn_round.stage.event_id))
        .select_related("entrant__club")
        .order_by("entrant__number")
    )


def playing_ids(drawn_round: Round) -> set[int]:
    """Return the ids of the entrants that the draw of this round must include."""
    return set(playing(drawn_round).values_list("entrant_id", flat=True))


def newcomers(coming: Round) -> frozenset[int]:
    """Return the ids of the entrants whose first round is this later one."""
    late = playing(coming).filter(origin="entry", entrant__from_round=coming.number)
    return (
        frozenset(late.values_list("entrant_id", flat=True)) if coming.number > 1 else frozenset()
    )


def numbers_of(event: Event) -> dict[int, int]:
    """Entrant id → start number."""
    return dict(event.entrants.values_list("pk", "number"))


def entrants_of(event: Event) -> dict[int, int]:
    """Start number → entrant id."""
    return dict(event.entrants.values_list("number", "pk"))


def stored_table(stored: TableJson, numbers: Mapping[int, int] | None = None) -> DrawnTable:
    """Return a stored table; with ``numbers`` its people are translated."""

    def who(key: int | None) -> int | None:
        return key if key is None or numbers is None else numbers[key]

    players = tuple(p if numbers is None else numbers[p] for p in stored["players"])
    return DrawnTable(
        stored["number"],
        Kind(stored["kind"]),
        players,
        who(stored["scorekeeper"]),
        who(stored["dealer"]),
    )


def draws_before(drawn_round: Round) -> QuerySet[Draw]:
    """Return the published draws of the event before this round, in order."""
    return (
        Draw.objects.filter(
            round__stage__event=drawn_round.stage.event_id, state=DrawState.PUBLISHED
        )
        .filter(
            Q(round__stage__order__lt=drawn_round.stage.order)
            | Q(round__stage=drawn_round.stage, round__number__lt=drawn_round.number)
        )
        .select_related("round")
        .order_by("round__stage__order", "round__number")
    )


def rounds_before(
    earlier: Iterable[Draw], field: Iterable[StageEntrant], numbers: Mapping[int, int]
) -> tuple[Before, ...]:
    """Return the ``earlier`` draws as a draw of ``field`` counts them: tables and byes, by start number."""
    rows = list(field)
    return tuple(
        Before(
            tuple(stored_table(table, numbers) for table in draw.tables),
            (*(numbers[bye] for bye in draw.byes), *_came_later(rows, draw)),
        )
        for draw in earlier
    )


def held_entrants(drawn_round: Round) -> set[int]:
    """Return the entrants of tables of earlier rounds of the stage with unsigned sheets."""
    return set(
        Seat.objects.filter(
            round__stage=drawn_round.stage,
            round__number__lt=drawn_round.number,
            round__state__in=[RoundState.PUBLISHED, RoundState.PLAYING],
            table__sheets__state__in=UNSIGNED,
        ).values_list("entrant_id", flat=True)
    )


def stage_seed(stage: Stage, candidate: int = 1) -> str:
    """Return the public seed of a stage's draws; later candidates of a round have their own."""
    last = (
        Draw.objects.filter(round__stage=stage, state=DrawState.PUBLISHED)
        .order_by("-round__number")
        .first()
    )
    seed = last.seed if last else f"{stage.event.public_seed}/{stage.order}"
    return seed if candidate == 1 else f"{seed}/{candidate}"


def score_groups(standing: Standing) -> dict[int, int]:
    """Start number → score group: the first criterion of the ranking, as whole numbers."""
    values: dict[int, Fraction] = {}
    for row in standing.rows:
        value = row.values[0] if row.values else None
        if isinstance(value, (int, Fraction)):
            values[row.entrant.number] = Fraction(value)
    scale = lcm(*(value.denominator for value in values.values())) if values else 1
    least = min((int(value * scale) for value in values.values()), default=0)
    return {
        row.entrant.number: int(values[row.entrant.number] * scale)
        if row.entrant.number in values
        else least
        for row in standing.rows
    }


def _ratings(stage: Stage, rules: DrawRules, field: Sequence[StageEntrant]) -> dict[int, int]:
    """Rate each player before the first game, by place in the stage before or else by start number.

    In a Swiss round unseeded players are equal: they come by lot, not in the order of their entry.
    """
    places = {row.pk: row.seed or row.entrant.number for row in field}
    if not stage.played_as.by_score:
        return {pk: -place for pk, place in places.items()}
    seeded = sorted(places, key=places.__getitem__)[: rules.seeds]
    return dict.fromkeys(places, 0) | {pk: rules.seeds - k for k, pk in enumerate(seeded)}


def spec_of(
    round_id: uuid.UUID,
    *,
    seed: str = "",
    hold: bool = False,
    bye_first: Iterable[int] = (),
    locked: Sequence[DrawnTable] = (),
) -> Spec:
    """Return all inputs of a round's draw.

    ``hold`` leaves out who sits at a table still playing; ``bye_first`` are start numbers that asked to
    sit out; ``locked`` tables (start numbers) stand as they are.
    """
    drawn_round = Round.objects.select_related("stage__event").get(pk=round_id)
    stage = drawn_round.stage
    rules = rules_of(stage)
    kind = kind_of(drawn_round.stage)
    numbers = numbers_of(stage.event)
    game = rulebooks.resolve(stage.event.rulebook, stage.event.options)
    earlier = list(draws_before(drawn_round))
    last = next((d for d in reversed(earlier) if d.round.stage_id == stage.pk), None)
    field = list(playing(drawn_round))
    present = {row.entrant_id for row in field}
    held = held_entrants(drawn_round) & present if hold else set()
    # Scores come from this stage, or before its first round from the one that its field comes from.
    source: Stage | None = stage
    if last is None and not stage.carries_over:
        source = stage.event.stages.filter(order__lt=stage.order).order_by("-order").first()
    standing = compute(source) if source is not None else None
    by_score = rules.by_score or stage.played_as.by_score
    groups = score_groups(standing) if by_score and standing and last is not None else {}
    ranks = {row.entrant.number: row.rank or 0 for row in standing.rows} if standing else {}
    floats = _floats(last, numbers) if stage.played_as.by_score and last is not None else {}
    tables = _last_tables(drawn_round, [row.entrant_id for row in field if row.entrant.fixed_seat])
    names = sorted({row.entrant.family for row in field if row.entrant.family})
    families = {name: f"f{place}" for place, name in enumerate(names, 1)}
    ratings = _ratings(stage, rules, field)
    contestants = tuple(
        Contestant(
            id=row.entrant.number,
            club=row.entrant.club.name if row.entrant.club else "",
            family=families.get(row.entrant.family, ""),
            score=groups.get(row.entrant.number, 0),
            rank=ranks.get(row.entrant.number, 0) or row.seed,
            rating=ratings[row.pk],
            fixed_table=tables.get(row.entrant_id, 0),
            fixed_seat=FIXED_SEATS[kind] if row.entrant.fixed_seat else "",
            scorekeeper=row.entrant.keeps_score,
            floated=floats.get(row.entrant_id, 0),
        )
        for row in field
    )
    bans = frozenset(
        pair(numbers[one], numbers[two])
        for one, two in Ban.objects.filter(event=stage.event).values_list("one", "two")
        if one in present and two in present
    )
    spec = Spec(
        format=str(stage.format),
        rules=rules,
        kind=kind,
        contestants=contestants,
        round_no=drawn_round.number,
        rounds=max(stage.rounds_planned, drawn_round.number),
        seed=seed or stage_seed(stage),
        before=rounds_before(earlier, field, numbers),
        wishes=Wishes(
            bans=bans,
            clubs_apart_until=stage.club_rounds,
            families_apart_until=min(stage.rounds_planned, rules.family_rounds),
            locked=tuple(locked),
            held=frozenset(numbers[pk] for pk in held),
            bye_first=frozenset(bye_first),
        ),
        slots=tuple(last.certificate.get("slots", ())) if last else (),
        plan=last.plan if last else {},
        players=tuple(game.book.players),
        size=rules.table_size or game.players,
    )
    return _with_results(spec, stage) if stage.played_as.bracket and last else spec


def _with_results(spec: Spec, stage: Stage) -> Spec:
    """Return the draw of a bracket's later round: the earlier results, with today's names."""
    for old, new in stand_ins(stage):
        # Between two rounds: the draw that the plan comes from is closed with the names it had.
        spec = replace(spec, plan=replaced_in_plan(spec.plan, old, new))
    results = Results(
        winners_by_round(stage), pool_rankings(stage, spec.plan, gather(stage), rule_of(stage))
    )
    return replace(spec, results=results)


def _floats(drawn: Draw, numbers: Mapping[int, int]) -> dict[int, int]:
    """By entrant, 1 for who met a better score group in a Swiss round, −1 for who met a weaker one."""
    scores = {who["id"]: who.get("score", 0) for who in drawn.request["contestants"]}
    floats: dict[int, int] = {}
    for table in drawn.tables:
        one, two = table["players"]
        apart = scores.get(numbers[two], 0) - scores.get(numbers[one], 0)
        if apart:
            floats |= {one: 1 if apart > 0 else -1, two: -1 if apart > 0 else 1}
    return floats


def _came_later(field: Iterable[StageEntrant], drawn: Draw) -> list[int]:
    """Start numbers of those who came after this draw of their stage.

    A player who missed a round has had their turn to sit out: they came to play.
    """
    there = {who for table in drawn.tables for who in table["players"]}
    there.update(drawn.byes, drawn.held)
    return [
        row.entrant.number
        for row in field
        if row.stage_id == drawn.round.stage_id
        and row.origin == "entry"
        and row.entrant.from_round > drawn.round.number
        and row.entrant_id not in there
    ]


def _last_tables(drawn_round: Round, ids: list[int]) -> dict[int, int]:
    """Return the last table in this stage of each player who cannot move.

    If two of them met at a table, it belongs to its earlier owner, else to the first one; the other
    has their earlier table, or is given one.
    """
    seats = (
        Seat.objects.filter(
            entrant__in=ids, round__stage=drawn_round.stage, round__number__lt=drawn_round.number
        )
        .order_by("round__number", "entrant__number")
        .values_list("round__number", "table__number", "entrant_id")
    )
    own: dict[int, int] = {}
    for (_round, table), group in groupby(sorted(seats, key=_by_table), key=_by_table):
        here = [entrant for _number, _table, entrant in group]
        keeps = next((who for who in here if own.get(who) == table), None)
        if keeps is None:
            keeps = next((who for who in here if who not in own), here[0])
        own = {who: at for who, at in own.items() if at != table} | {keeps: table}
    return own


def _by_table(seat: tuple[int, int, int]) -> tuple[int, int]:
    """Return the round and table of a seat."""
    return seat[:2]


def next_round(event: Event) -> Round | None:
    """Return the first unpublished round whose stage has a field."""
    return (
        Round.objects.filter(
            stage__event=event, published_at__isnull=True, stage__field__isnull=False
        )
        .select_related("stage")
        .order_by("stage__order", "number")
        .distinct()
        .first()
    )
