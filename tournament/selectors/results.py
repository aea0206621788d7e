"""The official results and adjustments of a stage, in the pure shapes that ranking wants."""

from __future__ import annotations

import threading
from collections import OrderedDict
from dataclasses import dataclass, replace
from typing import Any, Final

from django.db.models import Q, QuerySet

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
    ``frame_version`` in the snapshot that is read, where who sat where, and results that still
    stand, may be taken as they were read under the same; proofs say none and read all.
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
    if frame is None or points:
        results = _played(stages, key, card_points(stages) if points else {})
    else:
        results = _played_since(stages, key, frame)
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
) -> list[Played]:
    """One line for each entrant and game with an official result; of one ``sheet`` where given."""
    made = _official(stages)
    if sheet is not None:
        made = made.filter(sheet=sheet)
    writer = _Lines(_offsets(stages), key, _read_seating(stages, sheet))
    return [
        line
        for sheet_id, result in made.values_list("sheet_id", "result")
        for line in writer.of(sheet_id, result, points.get(sheet_id))
    ]


def _official(stages: list[Stage]) -> QuerySet[OfficialResult]:
    """The results in force, the oldest first."""
    return OfficialResult.objects.filter(
        current=True, sheet__game__table__round__stage__in=stages
    ).order_by("pk")


class _Lines:
    """Writes the lines of a sheet: who sat where in which game, under which names."""

    def __init__(self, offsets: dict[int, int], key: dict[int, str], seating: Seating) -> None:
        self.offsets, self.key = offsets, key
        self.seats, games = seating
        self.games = {game[4]: game for game in games}

    def of(
        self, sheet_id: object, result: dict[str, Any], points: dict[str, int] | None
    ) -> list[Played]:
        """One line for each entrant at the game; none where it does not count."""
        game = self.games.get(sheet_id)
        if game is None:
            return []
        table_id, table, number, sides, _sheet, round_no, stage_id = game
        at, key = self.seats[table_id], self.key
        lines: list[Played] = []
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
            lines += [
                Played(
                    round_no=self.offsets[stage_id] + round_no,
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
                    points=points.get(side, 0) if points is not None else None,
                    max_points=points[""] if points is not None else None,
                )
                for entrant in mine
                if entrant in key
            ]
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


class _Read:
    """What was read of some stages under one mark of the draw: results are never rewritten.

    A correction is a new result, so that the lines of one that is in force are those it always had.
    """

    def __init__(self, stages: list[Stage], key: dict[int, str]) -> None:
        self.offsets, self.key = _offsets(stages), key
        self.writer = _Lines(self.offsets, key, _read_seating(stages))
        self.lines: dict[int, list[Played]] = {}

    def fits(self, stages: list[Stage], key: dict[int, str]) -> bool:
        """Whether rounds and names are still those it was read with."""
        return self.key == key and self.offsets == _offsets(stages)

    def results(self, stages: list[Stage]) -> list[Played]:
        """The lines of all results in force; only those that are new are read."""
        made = _official(stages)
        standing = list(made.values_list("pk", flat=True))
        new = [pk for pk in standing if pk not in self.lines]
        if new:
            # All at once where there are many: databases limit what a question may name.
            rows = made if len(new) > MANY else made.filter(pk__in=new)
            for pk, sheet_id, result in rows.values_list("pk", "sheet_id", "result"):
                self.lines[pk] = self.writer.of(sheet_id, result, None)
        return [line for pk in standing for line in self.lines[pk]]


MANY: Final = 500
"""New results that are still asked for by name."""
_reads: OrderedDict[tuple[Any, ...], _Read] = OrderedDict()
_lock = threading.Lock()


def _played_since(stages: list[Stage], key: dict[int, str], frame: int) -> list[Played]:
    """:func:`_played`, where a signature has its own result read and no other."""
    mark = (tuple(stage.pk for stage in stages), stages[0].event_id, frame)
    with _lock:
        found = _reads.get(mark)
    if found is None or not found.fits(stages, key):
        found = _Read(stages, key)
        with _lock:
            _reads[mark] = found
            while len(_reads) > 8:
                _reads.popitem(last=False)
    return found.results(stages)


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
