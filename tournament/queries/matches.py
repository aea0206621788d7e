"""Outcomes of a stage's matches: the winner of each, and the order inside each pool.

A match is won by the games won, then by the marks; equal in both, by the director's decision on the
table; until then it is open. A side that forfeited the round, or was excluded in it, has lost it.
"""

from __future__ import annotations

import uuid
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import groupby
from typing import NamedTuple

from django.db.models import Q
from django.urls import reverse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from ledger.errors import Conflict
from ledger.models import AuditEntry
from tournament.drawing.brackets import bracket_places
from tournament.drawing.locked import replaced_in_plan
from tournament.drawing.round_names import pool_letter
from tournament.drawing.rules import read_rules
from tournament.drawing.spec import Plan
from tournament.models import (
    COUNTING_EDITION,
    Bye,
    Draw,
    DrawState,
    Entrant,
    Round,
    RoundState,
    Seat,
    Stage,
    Table,
    round_of,
)
from tournament.models.stages import TOOK_OVER, former_holder
from tournament.models.tables import CallTopic, OfficialResult, RefereeCall, Result
from tournament.pairing.chance import Chance
from tournament.queries.forfeits import awarded_to, gone_after_draw, gone_from, gone_in_round
from tournament.queries.names import Name, Shown, shown_name
from tournament.queries.results import Gathered, gather
from tournament.queries.stage_rule import without_bracket
from tournament.ranking.model import LineKind, Played, Rule, Standing
from tournament.ranking.ranking import rank


def contested_tables(event_id: uuid.UUID) -> list[str]:
    """Return the contested signed results, until settled: “Table 6 · round 2, game 3”.

    The game is named where the table has several.
    """
    calls = RefereeCall.objects.filter(
        table__scope=event_id, topic=CallTopic.RESULT, closed_at__isnull=True
    )
    ordered = calls.select_related("table__round", "sheet").order_by("table_id", "sheet__order")
    return [
        gettext("%(table)s, game %(n)d") % {"table": call.table.title, "n": game}
        if (game := contested_game(call))
        else call.table.title
        for call in ordered
    ]


def contested_game(call: RefereeCall) -> int:
    """Return the number of the game whose result is contested; 0 for another call or a table with one game."""
    if call.topic != CallTopic.RESULT or call.sheet is None or call.table.sheets.count() == 1:
        return 0
    return call.sheet.order


def require_uncontested(event_id: uuid.UUID) -> None:
    """Refuse an act that depends on results while one of them is contested."""
    tables = contested_tables(event_id)
    if tables:
        raise Conflict(
            "result_contested",
            _("A signed result has been reported as wrong. Settle it first: %(tables)s."),
            params={"tables": ", ".join(tables)},
        )


def winner_of(
    table: Table,
    official: Mapping[object, Result],
    gone: Collection[tuple[int, object]] = frozenset(),
) -> int | None:
    """Return the entrant who won a match between two; ``None`` while it is open or equal.

    A side that forfeited the round has lost it, whatever was played or decided; if both did, only
    the director's decision counts.

    Args:
        official: sheet id → current official result.
        gone: entrant and round of those who forfeited (see :func:`gone_in_round`).
    """
    sides = [seat.entrant_id for seat in table.seats.all()]
    lost = gone_from(table, gone)
    awarded = awarded_to(sides, table.decided_for_id, lost)
    return awarded if lost or awarded is not None else won_by_play(table, official)


@dataclass(frozen=True, slots=True)
class Decision:
    """A match that the director decided, as shown to staff and table. ``address``: the page that revokes it."""

    winner: str
    reason: str
    address: str


def decide_address(drawn: Draw, slug: str, table: int) -> str:
    """Return the address of the form that decides the match of a table; a browser opens what folds it."""
    return reverse("desk-draw", args=[slug, drawn.pk]) + f"#decide-{table}"


def decision_of(table: Table) -> Decision | None:
    """Return the director's decision on the match of a table; ``None`` without one."""
    if table.decided_for is None:
        return None
    drawn = Draw.objects.filter(round=table.round_id, state=DrawState.PUBLISHED).first()
    slug = table.decided_for.event.slug
    address = decide_address(drawn, slug, table.number) if drawn else ""
    winner = shown_name(table.decided_for, shorten=table.decided_for.event.short_names)
    return Decision(winner, table.decided_reason, address)


def forfeited_by(table: Table) -> str:
    """Return the names of the entrants at a table who forfeited its round; empty without a forfeit."""
    if table.round_id is None:
        return ""
    gone = Entrant.objects.filter(
        seats__table=table,
        adjustments__round=table.round_id,
        adjustments__forfeited=True,
        adjustments__annulled_at__isnull=True,
    )
    rows = gone.select_related("event", "person").distinct().order_by("number")
    return Name(", ".join(shown_name(each, shorten=each.event.short_names) for each in rows))


def won_by_play(table: Table, official: Mapping[object, Result]) -> int | None:
    """Return the winner of a match between two by its games; ``None`` while it is open or equal."""
    at = {seat.position: seat.entrant_id for seat in table.seats.all()}
    won = dict.fromkeys(("NS", "EW"), 0)
    marks = dict.fromkeys(("NS", "EW"), 0)
    for sheet in table.sheets.all():
        result = official.get(sheet.pk)
        if result is None:
            return None
        if (winner := result["winner"]) in won:
            won[winner] += 1
        for side in marks:
            marks[side] += result["marks"].get(side, 0)
    order = sorted(("NS", "EW"), key=lambda side: (won[side], marks[side]), reverse=True)
    if (won["NS"], marks["NS"]) == (won["EW"], marks["EW"]) or not set(order) <= set(at):
        return None
    return at[order[0]]


def tables_played(stage: Stage) -> list[Table]:
    """Return the tables of the published rounds of a stage, with seats and sheets."""
    return list(
        Table.objects.filter(round__stage=stage, round__published_at__isnull=False)
        .select_related("round")
        .prefetch_related("seats", "sheets")
    )


def official_results(stage: Stage) -> dict[object, Result]:
    """Sheet id → current official result, for the stage."""
    return dict(
        OfficialResult.objects.filter(current=True, sheet__table__round__stage=stage).values_list(
            "sheet_id", "result"
        )
    )


def stand_ins(stage: Stage) -> list[tuple[int, int]]:
    """Return the replacements in the stage, as (start number gone, start number now), in order."""
    taken = stage.field.filter(origin__startswith=TOOK_OVER).order_by("pk")
    return [
        (former_holder(origin), number)
        for origin, number in taken.values_list("origin", "entrant__number")
    ]


def winners_by_round(stage: Stage) -> dict[int, frozenset[int]]:
    """Map each round of the stage to the start numbers that won or passed."""
    numbers = dict(stage.field.values_list("entrant_id", "entrant__number"))
    official, gone = official_results(stage), gone_in_round(stage)
    won: dict[int, set[int]] = {}
    for table in tables_played(stage):
        winner = winner_of(table, official, gone)
        if winner is not None:
            won.setdefault(round_of(table).number, set()).add(numbers[winner])
    byes = Bye.objects.filter(Q(round__stage=stage) & ~Q(round__state=RoundState.DRAWN))
    for number, entrant in byes.values_list("round__number", "entrant_id"):
        won.setdefault(number, set()).add(numbers[entrant])
    for old, new in stand_ins(stage):
        for ids in won.values():
            if old in ids:
                ids.add(new)
    return {number: frozenset(ids) for number, ids in won.items()}


def is_beaten(stage: Stage, entrant: Entrant) -> bool:
    """Whether an entrant lost in the stage's bracket and plays no more in it, not for the third place either."""
    first = plan_of(stage).get("knockout_from")
    seats = Seat.objects.filter(entrant=entrant, round__stage=stage)
    if first is None or seats.exclude(round__state=RoundState.CLOSED).exists():
        return False
    won = winners_by_round(stage)
    sat = seats.filter(round__number__gte=first).values_list("round__number", flat=True)
    lost = [number for number in sat if entrant.number not in won.get(number, ())]
    third = read_rules(stage.drawing).third_place
    return bool(lost) and not (third and max(lost) == stage.rounds_planned - 1)


def undecided_tables(stage: Stage, number: int) -> list[Table]:
    """Return the tables of a round whose match is signed, or forfeited by both, without a winner."""
    official, gone = official_results(stage), gone_in_round(stage)
    return [
        table
        for table in tables_played(stage)
        if round_of(table).number == number and _waits(table, official, gone)
    ]


def _waits(
    table: Table, official: Mapping[object, Result], gone: Collection[tuple[int, object]]
) -> bool:
    """Whether a match is over and only the director can say who won it."""
    over = all(sheet.pk in official for sheet in table.sheets.all())
    return (over or bool(gone_from(table, gone))) and winner_of(table, official, gone) is None


@dataclass(frozen=True, slots=True)
class OvertakenMatch:
    """A match won by another than plays on, by the next draw: entrants ``winner`` and ``plays_on``.

    ``winner`` is ``None`` where ``plays_on`` forfeited the round, or was excluded, after that draw.
    """

    table: Table
    winner: int | None
    plays_on: int


def overtaken_matches(stage: Stage, number: int) -> list[OvertakenMatch]:
    """Return the matches of a knock-out round whose result changed after the next round was drawn.

    A round was forfeited or a forfeit annulled, or a result corrected: the draw stands until the
    director withdraws it; a decision for the side that plays on settles the match. In pools both
    sides play on.
    """
    if number < plan_of(stage).get("knockout_from", number + 1):
        return []
    following = Draw.objects.filter(
        round__stage=stage, round__number=number + 1, state=DrawState.PUBLISHED
    ).first()
    won = following.request.get("results", {}).get("won", {}) if following else {}
    went_on = set(won.get(str(number), ()))
    if not went_on:
        return []
    numbers = dict(stage.field.values_list("entrant_id", "entrant__number"))
    official, gone, late = official_results(stage), gone_in_round(stage), gone_after_draw(stage)
    overtaken = []
    for table in tables_played(stage):
        if round_of(table).number != number:
            continue
        ruled = {who: late[who, table.round_id] for who in gone_from(table, late)}
        overtaken += [
            OvertakenMatch(table, None, who)
            for who, at in ruled.items()
            if not _decided_since(table, who, at)
        ]
        winner = winner_of(table, official, gone)
        if winner is None or numbers[winner] in went_on:
            continue
        sides = {seat.entrant_id for seat in table.seats.all()} - {winner}
        overtaken += [
            OvertakenMatch(table, winner, who)
            for who in sides
            if numbers[who] in went_on and who not in ruled
        ]
    return overtaken


def _decided_since(table: Table, entrant: int, at: datetime) -> bool:
    """Whether the director decided a match for an entrant after a moment."""
    decisions = AuditEntry.objects.filter(
        scope=table.scope, object_type="table", object_id=str(table.pk), verb="match.decided"
    )
    return table.decided_for_id == entrant and decisions.filter(at__gt=at).exists()


@dataclass(frozen=True, slots=True)
class OpenMatch:
    """A match of a knock-out for the director to decide, or decided: its table, sides and state.

    ``level``: it is over and has no winner. ``forfeited``: as both sides forfeited it. ``plays_on``: the
    entrant who does, where another has won by now, or (``late``) who forfeited it after the next draw.
    """

    table: Table
    sides: tuple[int, ...]
    level: bool
    forfeited: bool = False
    plays_on: int | None = None
    late: bool = False

    @property
    def decided(self) -> bool:
        """Whether the director has decided it; it may be decided again."""
        return self.table.decided_for_id is not None


def open_matches(stage: Stage, number: int) -> list[OpenMatch]:
    """Return the matches of a round without a winner, decided, or without a result; finished ones first.

    ``sides``: the entrants who meet, North-South first.
    """
    official, gone = official_results(stage), gone_in_round(stage)
    overtaken = {match.table.pk: match for match in overtaken_matches(stage, number)}
    undecided = []
    for table in tables_played(stage):
        if round_of(table).number != number:
            continue
        lost = gone_from(table, gone)
        change = overtaken.get(table.pk)
        # After a forfeit of one side there is nothing to decide.
        has_winner = winner_of(table, official, gone) is not None
        settled_by_play = has_winner and (table.decided_for_id is None or len(lost) == 1)
        if settled_by_play and change is None:
            continue
        at = {seat.position: seat.entrant_id for seat in table.seats.all()}
        if set(at) == {"NS", "EW"}:
            waits = _waits(table, official, gone)
            plays_on = change.plays_on if change else None
            late = change is not None and change.winner is None
            sides = (at["NS"], at["EW"])
            undecided.append(OpenMatch(table, sides, waits, len(lost) > 1, plays_on, late))
    return sorted(
        undecided, key=lambda match: (not (match.level or match.plays_on), match.table.number)
    )


def forfeited_matches(stage: Stage, number: int) -> list[tuple[Table, list[int], int | None]]:
    """Return the matches of a round that a side forfeited: table, forfeiting side, winner (if known)."""
    official, gone = official_results(stage), gone_in_round(stage)
    if not gone:
        return []
    return [
        (table, lost, winner_of(table, official, gone))
        for table in tables_played(stage)
        if round_of(table).number == number and (lost := gone_from(table, gone))
    ]


def is_knockout(round_: Round) -> bool:
    """Whether the winners of a published round play on for it; not so in pools."""
    drawn = next((d for d in round_.draws.all() if d.state == DrawState.PUBLISHED), None)
    return drawn is not None and "knockout_from" in drawn.plan


def level_matches(round_: Round) -> list[Table]:
    """Return the matches of a knock-out round without a winner that await the director's decision."""
    return undecided_tables(round_.stage, round_.number) if is_knockout(round_) else []


def pool_rankings(
    stage: Stage, plan: Plan, field: Gathered, rule: Rule
) -> tuple[tuple[int, ...], ...]:
    """Return each pool's members, best first; tied ones by lots or a play-off."""
    return tuple(
        tuple(number for group in pool for number in settled(stage, group, field))
        for pool in pool_groups(stage, plan, field, rule)
    )


def ranks_after_pools(stage: Stage, plan: Plan, field: Gathered, rule: Rule) -> dict[int, int]:
    """Start number → rank in the stage by its pools alone, as its knock-out is drawn from."""
    keys = {entrant.number: entrant.id for entrant in field.entrants}
    pools = [[(number,) for number in pool] for pool in pool_rankings(stage, plan, field, rule)]
    places = bracket_places({}, {}, pools, set(keys))
    standing = rank(
        field.entrants,
        field.results,
        field.adjustments,
        rule,
        field.lots,
        through=_rounds_before(stage) + len(plan["rounds"]),
        places={keys[number]: place for number, place in places.items() if number in keys},
        carried=field.carried,
    )
    return {row.entrant.number: row.rank or 0 for row in standing.rows}


def settled(stage: Stage, level: Sequence[int], field: Gathered) -> list[int]:
    """Order the tied players of a pool: by the recorded lots or play-off, else by public lots.

    Once the knock-out is drawn, the order of its draw applies.
    """
    numbers = sorted(level)
    if len(numbers) < 2:
        return numbers
    if all(str(number) in field.lots for number in numbers):
        return sorted(numbers, key=lambda number: field.lots[str(number)])
    taken = _order_drawn(stage)
    if taken.keys() >= set(numbers):
        return sorted(numbers, key=lambda number: taken[number])
    return _public_lots(stage, numbers)


def _public_lots(stage: Stage, level: Sequence[int]) -> list[int]:
    """Return the order of public lots among the tied players of a pool.

    They are cast from the event's draw code over the start numbers in ascending order, labelled
    with them, so that anybody can cast them again.
    """
    numbers = sorted(level)
    label = "pool|" + ",".join(map(str, numbers))
    return Chance(f"{stage.event.public_seed}/{stage.order}", label).shuffled(numbers)


def _order_drawn(stage: Stage) -> dict[int, int]:
    """Start number → place in the pools as the published knock-out was drawn from; else empty."""
    first = plan_of(stage).get("knockout_from")
    if first is None:
        return {}
    drawn = Draw.objects.filter(
        round__stage=stage, round__number=first, state=DrawState.PUBLISHED
    ).first()
    pools = drawn.request["results"]["pools"] if drawn is not None else []
    taken = {number: at for pool in pools for at, number in enumerate(pool)}
    for old, new in stand_ins(stage):
        if old in taken:
            taken.setdefault(new, taken[old])
    return taken


@dataclass(frozen=True, slots=True)
class PoolTie:
    """Players of a pool (its letter) that no criterion separates, in their settled order.

    ``recorded``: by a play-off that was entered, not by lots. ``by_lot``: by the public lots.
    """

    pool: str
    order: tuple[int, ...]
    recorded: bool
    by_lot: bool


class TiedPeople(NamedTuple):
    """A tie of a pool and its players, in their settled order."""

    tie: PoolTie
    people: list[Shown]


def tied_people(stage: Stage, rule: Rule, people: Mapping[int, Shown]) -> list[TiedPeople]:
    """Return the ties of the pools of a stage with their players; none without pools."""
    ties = pool_ties(stage, rule) if stage.played_as.pools else []
    return [
        TiedPeople(tie, [people[number] for number in tie.order if number in people])
        for tie in ties
    ]


def pool_ties(stage: Stage, rule: Rule) -> list[PoolTie]:
    """Return the ties in the pools, once every round of the pools is closed."""
    plan = plan_of(stage)
    if not _pools_over(stage, plan):
        return []
    field = gather(stage)
    ties = []
    for at, pool in enumerate(pool_groups(stage, plan, field, rule)):
        for group in pool:
            if len(group) < 2:
                continue
            order = settled(stage, group, field)
            recorded = all(str(number) in field.lots for number in group)
            by_lot = not recorded and order == _public_lots(stage, group)
            ties.append(PoolTie(pool_letter(at), tuple(order), recorded, by_lot))
    return ties


def with_beaten(stage: Stage, field: Gathered, edition: int = COUNTING_EDITION) -> Gathered:
    """Add the players who withdrew after the bracket gave them a place, which they do not lose.

    They were beaten in it, or won a match and left before the next one; after pools, they were among
    those who go on. ``edition``: up to the fourth edition of counting, those beaten alone.
    """
    left = {entrant.id for entrant in field.entrants if entrant.withdrawn and not entrant.through}
    first = plan_of(stage).get("knockout_from") if left else None
    if first is None:
        return field
    before = _rounds_before(stage)
    won = winners_by_round(stage)
    number = {entrant.id: entrant.number for entrant in field.entrants}
    beaten = {
        line.entrant
        for line in field.results
        if line.entrant in left
        and line.round_no - before >= first
        and number[line.entrant] not in won.get(line.round_no - before, ())
        and any(number[who] in won.get(line.round_no - before, ()) for who in line.opponents)
    }
    if edition > 4:
        beaten |= {who for who in left if _reached(plan_of(stage), won, first, number[who])}
    return replace(
        field,
        entrants=[
            replace(entrant, through=entrant.through or entrant.id in beaten)
            for entrant in field.entrants
        ],
    )


def _reached(plan: Plan, won: Mapping[int, frozenset[int]], first: int, number: int) -> bool:
    """Return whether a player won a match of the bracket, or a place in it by the pools."""
    by_pools = "pools" in plan and number in (*plan.get("main", ()), *plan.get("consolation", ()))
    return by_pools or any(number in winners for at, winners in won.items() if at >= first)


def _rounds_before(stage: Stage) -> int:
    """Count the rounds of the stages before, where their results carry over: numbering continues from them."""
    if not stage.carries_over:
        return 0
    earlier = stage.event.stages.filter(order__lt=stage.order)
    return sum(earlier.values_list("rounds_planned", flat=True))


def bracket_is_drawn(stage: Stage) -> bool:
    """Whether the knock-out after the pools has been published: its places are taken."""
    return "knockout_from" in plan_of(stage)


def seats_winners(draw: Draw) -> bool:
    """Whether a draw seats the winners of the round before it, or those of the pools."""
    first = draw.plan.get("knockout_from")
    return first is not None and draw.round.number >= first


def plan_of(stage: Stage) -> Plan:
    """Return the plan of a stage's last published draw, with the replacements made since."""
    drawn = (
        Draw.objects.filter(round__stage=stage, state=DrawState.PUBLISHED)
        .order_by("-round__number")
        .first()
    )
    if drawn is None:
        return {}
    plan = drawn.plan
    if plan.keys() & {"pools", "main"}:
        for old, new in stand_ins(stage):
            plan = replaced_in_plan(plan, old, new)
    return plan


def _pools_over(stage: Stage, plan: Plan) -> bool:
    if "pools" not in plan:
        return False
    last = len(plan["rounds"])
    closed = stage.rounds.filter(number__lte=last, state=RoundState.CLOSED).count()
    return bool(closed == last)


def pool_groups(
    stage: Stage,
    plan: Plan,
    field: Gathered,
    rule: Rule,
    edition: int = COUNTING_EDITION,
) -> tuple[tuple[tuple[int, ...], ...], ...]:
    """Return each pool's members by the ranking rule over the pool's own matches; tied ones together."""
    out = []
    for standing in pool_standings(stage, plan, field, rule, edition):
        # An unranked player ties with no other player and comes last.
        keyed = groupby(standing.rows, key=lambda row: (row.rank, row.rank or row.position))
        out.append(tuple(tuple(row.entrant.number for row in rows) for _rank, rows in keyed))
    return tuple(out)


def pool_standings(
    stage: Stage,
    plan: Plan,
    field: Gathered,
    rule: Rule,
    edition: int = COUNTING_EDITION,
) -> list[Standing]:
    """Return the standing of each pool over its own matches and the rulings on its rounds.

    Byes count nothing here: in a pool everybody meets the same number of opponents.
    """
    if "pools" not in plan:
        return []
    rule = without_bracket(rule)
    by_number = {entrant.number: entrant for entrant in field.entrants}
    last = len(plan["rounds"])
    offset = _rounds_before(stage)
    lines: list[Played] = [
        line
        for line in field.results
        if offset < line.round_no <= offset + last
        and line.kind in (LineKind.PLAYED, LineKind.FORFEIT)
    ]
    changes = [change for change in field.adjustments if offset < change.round_no <= offset + last]
    out = []
    for pool in plan["pools"]:
        members = [by_number[number] for number in pool if number in by_number]
        keys = {member.id for member in members}
        # A match against a player who was since replaced in the pool counts as it was played.
        mine = [
            replace(line, opponents=tuple(who for who in line.opponents if who in keys))
            for line in lines
            if line.entrant in keys
        ]
        own = [change for change in changes if change.entrant in keys]
        out.append(rank(members, mine, own, rule, field.lots, idle_last=edition > 5))
    return out


def places_in_bracket(
    stage: Stage, field: Gathered, rule: Rule, edition: int = COUNTING_EDITION
) -> dict[str, tuple[int, ...]]:
    """Entrant (as results name them) → the place won in the stage's bracket or pool so far."""
    plan = plan_of(stage)
    if not plan.keys() & {"pools", "main"}:
        return {}
    keys = {entrant.number: entrant.id for entrant in field.entrants}
    pools = pool_groups(stage, plan, field, rule, edition)
    if _pools_over(stage, plan):
        pools = tuple(
            tuple((number,) for group in pool for number in settled(stage, group, field))
            for pool in pools
        )
    places = bracket_places(
        plan,
        winners_by_round(stage),
        pools,
        {entrant.number for entrant in field.entrants if not entrant.withdrawn},
        third_place=read_rules(stage.drawing).third_place,
        left_lose=edition > 4,
    )
    return {keys[number]: place for number, place in places.items() if number in keys}
