"""The official results and adjustments of a stage, in the pure shapes that ranking wants."""

from __future__ import annotations

import threading
from collections import OrderedDict
from dataclasses import dataclass, replace
from typing import Any, Final

from django.db.models import Q

from scoring.entry import game_of
from scoring.models import DealVersion, OfficialResult, Series, Sheet
from scoring.rules import score_entry
from tournament.models import Adjustment as AdjustmentRow
from tournament.models import (
    Bye,
    Entrant,
    EntrantState,
    Format,
    Lot,
    RoundState,
    Seat,
    Stage,
    TableGame,
)
from tournament.standings.model import Adjustment, Kind, Outcome, Played
from tournament.standings.model import Entrant as Ranked

PAIRS: Final = frozenset(
    {Format.PAIRS_SWISS, Format.PAIRS_MITCHELL, Format.ROUND_ROBIN, Format.POOLS_KO, Format.KO}
)
"""Formats whose entrants are pairs: one left over has a bye; a player left over sits out."""
Seating = tuple[dict[object, dict[str, int]], list[tuple[Any, ...]]]
"""Table → position → entrant, and the games that count with their sides and sheets."""
_KINDS: Final = {"bye": Kind.SAT_OUT, "sat_out": Kind.SAT_OUT}


@dataclass(frozen=True, slots=True)
class Field:
    """Everything a standing is made from."""

    entrants: list[Ranked]
    results: list[Played]
    adjustments: list[Adjustment]
    lots: dict[str, int]
    rounds_closed: int


def _stages(stage: Stage) -> list[Stage]:
    """The stages whose results count: this one, and those before it when points carry over."""
    if not stage.carries_over:
        return [stage]
    return list(stage.event.stages.filter(order__lte=stage.order).order_by("order"))


def gather(stage: Stage, *, points: bool = False, frame: int | None = None) -> Field:
    """Read the field, results and adjustments of a stage in a fixed number of queries (8).

    ``points``: read the card points of every deal too, in one more query. ``frame``: the event's
    ``frame_version`` in the snapshot that is read, where who sat where may be taken as it was read
    under the same; proofs say none and read all.
    """
    stages = _stages(stage)
    entrants = list(
        Entrant.objects.filter(stages__stage=stage).values_list(
            "pk", "number", "club__name", "state"
        )
    )
    key = {pk: str(number) for pk, number, _club, _state in entrants}
    changes, excluded = _changes(stages, key)
    ranked = [
        Ranked(
            id=key[pk],
            number=number,
            club=club or "",
            withdrawn=state == EntrantState.WITHDRAWN,
            excluded=key[pk] in excluded,
        )
        for pk, number, club, state in entrants
    ]
    offsets = _offsets(stages)
    seating = None if frame is None else _seating(stages, frame)
    results = _played(stages, key, card_points(stages) if points else {}, seating=seating)
    results += _byes(stages, offsets, key)
    lots = {
        key[entrant]: lot
        for entrant, lot in Lot.objects.filter(stage=stage).values_list("entrant_id", "lot")
        if entrant in key
    }
    closed = stage.rounds.filter(state=RoundState.CLOSED).count()
    return Field(ranked, results, changes, lots, closed)


def gather_again(stage: Stage, before: Field, sheet: Sheet, *, points: bool = False) -> Field:
    """``before`` with the result of ``sheet`` and all adjustments read anew; ``before`` if alike.

    For a change that can have touched nothing else: a look at what a ruling would do.
    """
    stages = _stages(stage)
    key = {
        pk: str(number)
        for pk, number in Entrant.objects.filter(stages__stage=stage).values_list("pk", "number")
    }
    changes, excluded = _changes(stages, key)
    taken = card_points(stages, sheet) if points else {}
    lines = _played(stages, key, taken, sheet)
    place = (
        TableGame.objects.filter(sheet=sheet, table__round__stage__in=stages)
        .values_list("table__round__stage_id", "table__round__number", "table__number", "number")
        .first()
    )
    at = (_offsets(stages)[place[0]] + place[1], place[2], place[3]) if place else None
    here = [line for line in before.results if (line.round_no, line.table, line.game_no) == at]
    ranked = [replace(each, excluded=each.id in excluded) for each in before.entrants]
    if (set(lines), changes, ranked) == (set(here), before.adjustments, before.entrants):
        return before
    rest = [line for line in before.results if (line.round_no, line.table, line.game_no) != at]
    return replace(before, entrants=ranked, results=[*rest, *lines], adjustments=changes)


def _offsets(stages: list[Stage]) -> dict[int, int]:
    """How many rounds are planned before each stage's first."""
    offsets, count = {}, 0
    for part in stages:
        offsets[part.pk] = count
        count += part.rounds_planned
    return offsets


def _changes(stages: list[Stage], key: dict[int, str]) -> tuple[list[Adjustment], set[str]]:
    """The adjustments that stand, and who is disqualified by one."""
    offsets = _offsets(stages)
    rows = [
        row
        for row in AdjustmentRow.objects.filter(
            stage__in=stages, annulled_at__isnull=True
        ).select_related("round")
        if row.entrant_id in key
    ]
    changes = [
        Adjustment(
            entrant=key[row.entrant_id],
            round_no=offsets[row.stage_id] + (row.round.number if row.round else 1),
            marks=row.marks,
            match_points=row.match_points,
            games_won=row.games_won,
            penalty_count=row.penalties,
            reason=row.source,
        )
        for row in rows
    ]
    return changes, {key[row.entrant_id] for row in rows if row.disqualified}


def card_points(stages: list[Stage], sheet: Sheet | None = None) -> dict[object, dict[str, int]]:
    """Sheet → card points of each side, and of all (under ``""``), over the deals that count.

    Of one ``sheet`` only where given. A deal entered card by card is replayed; an annulled deal and one without points count nothing.
    """
    taken: dict[object, dict[str, int]] = {}
    deals = DealVersion.objects.filter(
        sheet__game__table__round__stage__in=stages, current=True, series=Series.OFFICIAL,
        annulled=False,
    ).select_related("sheet")  # fmt: skip
    if sheet is not None:
        deals = deals.filter(sheet=sheet)
    for deal in deals:
        points = deal.entry.get("points") or {}
        if "record" in deal.entry:
            points = dict(score_entry(deal.sheet, deal.entry, deal.infractions).points)
        if not points:
            continue
        total = game_of(deal.sheet).total
        sides = ("NS", "EW")
        if len(points) == 1 and set(points) <= set(sides):
            side = next(iter(points))
            points = {side: points[side], sides[side == "NS"]: total - points[side]}
        sums = taken.setdefault(deal.sheet_id, {"": 0})
        sums[""] += total
        for side, amount in points.items():
            sums[side] = sums.get(side, 0) + amount
    return taken


def _played(
    stages: list[Stage],
    key: dict[int, str],
    points: dict[object, dict[str, int]],
    sheet: Sheet | None = None,
    seating: Seating | None = None,
) -> list[Played]:
    """One line for each entrant and game with an official result; of one ``sheet`` where given."""
    offsets = _offsets(stages)
    made = OfficialResult.objects.filter(current=True, sheet__game__table__round__stage__in=stages)
    if sheet is not None:
        made = made.filter(sheet=sheet)
    official = dict(made.values_list("sheet_id", "result"))
    seats, games = seating or _read_seating(stages, sheet)
    lines: list[Played] = []
    for table_id, table, number, sides, sheet_id, round_no, stage_id in games:
        result = official.get(sheet_id)
        if result is None:
            continue
        at = seats[table_id]
        for side, positions in sides.items():
            mine = [at[position] for position in positions]
            others = [at[position] for name, ps in sides.items() if name != side for position in ps]
            marks = result["marks"].get(side, 0)
            against = sum(value for name, value in result["marks"].items() if name != side)
            winner = result.get("winner")
            outcome = (
                Outcome.DRAW if winner is None
                else Outcome.WIN if winner == side
                else Outcome.LOSS
            )  # fmt: skip
            for entrant in mine:
                if entrant not in key:
                    continue
                lines.append(
                    Played(
                        round_no=offsets[stage_id] + round_no,
                        entrant=key[entrant],
                        outcome=outcome,
                        marks_for=marks,
                        marks_against=against,
                        opponents=tuple(key[e] for e in others if e in key),
                        partners=tuple(key[e] for e in mine if e != entrant and e in key),
                        table=table,
                        game_no=number,
                        deals=result.get("deals", 0),
                        best_deal=result.get("best_deal", {}).get(side),
                        penalties=result.get("penalties", {}).get(side, 0),
                        points=points[sheet_id].get(side, 0) if sheet_id in points else None,
                        max_points=points[sheet_id][""] if sheet_id in points else None,
                    )
                )
    return lines


def _read_seating(stages: list[Stage], sheet: Sheet | None = None) -> Seating:
    sitting = Seat.objects.filter(round__stage__in=stages)
    played = TableGame.objects.filter(table__round__stage__in=stages, counts=True)
    if sheet is not None:
        sitting, played = sitting.filter(table__games__sheet=sheet), played.filter(sheet=sheet)
    seats: dict[object, dict[str, int]] = {}
    for table, position, entrant in sitting.values_list("table_id", "position", "entrant_id"):
        seats.setdefault(table, {})[position] = entrant
    games = played.values_list(
        "table_id", "table__number", "number", "sides", "sheet_id",
        "table__round__number", "table__round__stage_id",
    )  # fmt: skip
    return seats, list(games)


_seated: OrderedDict[tuple[Any, ...], Seating] = OrderedDict()
_lock = threading.Lock()


def _seating(stages: list[Stage], frame: int) -> Seating:
    """Who sat where in which games: a signature does not change it, a draw does."""
    key = (tuple(stage.pk for stage in stages), stages[0].event_id, frame)
    with _lock:
        found = _seated.get(key)
    if found is None:
        found = _read_seating(stages)
        with _lock:
            _seated[key] = found
            while len(_seated) > 8:
                _seated.popitem(last=False)
    return found


def _byes(stages: list[Stage], offsets: dict[int, int], key: dict[int, str]) -> list[Played]:
    """Who sat a published round out, with one line for each game missed."""
    lines = []
    rows = Bye.objects.filter(
        Q(round__stage__in=stages) & ~Q(round__state=RoundState.DRAWN)
    ).select_related("round__stage")
    for row in rows:
        if row.entrant_id not in key:
            continue
        kind = _KINDS.get(row.kind, Kind.FORFEIT)
        if kind is Kind.SAT_OUT and row.round.stage.format in PAIRS:
            kind = Kind.BYE
        lines.extend(
            Played(
                round_no=offsets[row.round.stage_id] + row.round.number,
                entrant=key[row.entrant_id],
                outcome=Outcome.LOSS if kind is Kind.FORFEIT else None,
                game_no=game,
                kind=kind,
            )
            for game in range(1, row.round.stage.games_per_round + 1)
        )
    return lines
