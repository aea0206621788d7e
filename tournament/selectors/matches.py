"""What the matches of a stage decided: who won each, and the order inside each pool.

A match is won by the games won, then by the marks; equal in both, by the director's decision on
the table, or by nobody yet.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.db.models import Q

from scoring.models import OfficialResult
from tournament.models import Bye, RoundState, Stage, Table
from tournament.selectors.results import gather
from tournament.services.standings import rule_of
from tournament.standings.model import Kind, Played
from tournament.standings.ranking import rank


def winner_of(table: Table, official: Mapping[Any, dict[str, Any]]) -> int | None:
    """The entrant who won a match between two; ``None`` while it is open or equal.

    ``official``: sheet id → current official result.
    """
    if table.decided_for_id is not None:
        return table.decided_for_id
    at = {seat.position: seat.entrant_id for seat in table.seats.all()}
    won = dict.fromkeys(("NS", "EW"), 0)
    marks = dict.fromkeys(("NS", "EW"), 0)
    for game in table.games.all():
        result = official.get(game.sheet_id)
        if result is None:
            return None
        if result.get("winner") in won:
            won[result["winner"]] += 1
        for side in marks:
            marks[side] += result["marks"].get(side, 0)
    order = sorted(("NS", "EW"), key=lambda side: (won[side], marks[side]), reverse=True)
    if (won["NS"], marks["NS"]) == (won["EW"], marks["EW"]) or not set(order) <= set(at):
        return None
    return at[order[0]]


def _tables(stage: Stage) -> list[Table]:
    return list(
        Table.objects.filter(round__stage=stage, round__published_at__isnull=False)
        .select_related("round")
        .prefetch_related("seats", "games")
    )


def official_results(stage: Stage) -> dict[Any, dict[str, Any]]:
    """Sheet id → current official result, for the stage."""
    return dict(
        OfficialResult.objects.filter(
            current=True, sheet__game__table__round__stage=stage
        ).values_list("sheet_id", "result")
    )


def winners_by_round(stage: Stage) -> dict[int, frozenset[int]]:
    """Round of the stage → start numbers of who won or passed."""
    numbers = dict(stage.field.values_list("entrant_id", "entrant__number"))
    official = official_results(stage)
    won: dict[int, set[int]] = {}
    for table in _tables(stage):
        winner = winner_of(table, official)
        if winner is not None:
            won.setdefault(table.round.number, set()).add(numbers[winner])
    byes = Bye.objects.filter(Q(round__stage=stage) & ~Q(round__state=RoundState.DRAWN))
    for number, entrant in byes.values_list("round__number", "entrant_id"):
        won.setdefault(number, set()).add(numbers[entrant])
    return {number: frozenset(ids) for number, ids in won.items()}


def undecided_tables(stage: Stage, number: int) -> list[Table]:
    """Tables of a round whose match is signed and still has no winner."""
    official = official_results(stage)
    return [
        table
        for table in _tables(stage)
        if table.round.number == number
        and all(game.sheet_id in official for game in table.games.all())
        and winner_of(table, official) is None
    ]


def pool_rankings(stage: Stage, plan: Mapping[str, Any]) -> tuple[tuple[int, ...], ...]:
    """Each pool's members by the stage's ranking rule over the pool's own matches, best first.

    Byes count nothing here: in a pool everybody meets the same number of opponents. Those level are
    listed by start number, so that the order is the same on every machine.
    """
    if "pools" not in plan:
        return ()
    rule = rule_of(stage)
    field = gather(stage)
    by_number = {entrant.number: entrant for entrant in field.entrants}
    last = len(plan["rounds"])
    offset = 0
    if stage.carries_over:
        offset = sum(
            stage.event.stages.filter(order__lt=stage.order).values_list(
                "rounds_planned", flat=True
            )
        )
    lines: list[Played] = [
        line
        for line in field.results
        if offset < line.round_no <= offset + last and line.kind in (Kind.PLAYED, Kind.FORFEIT)
    ]
    out = []
    for pool in plan["pools"]:
        members = [by_number[number] for number in pool if number in by_number]
        keys = {member.id for member in members}
        mine = [line for line in lines if line.entrant in keys]
        standing = rank(members, mine, (), rule, field.lots)
        out.append(tuple(row.entrant.number for row in standing.rows))
    return tuple(out)
