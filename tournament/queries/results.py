"""The official results and adjustments of a stage, in the pure shapes that ranking wants."""

from __future__ import annotations

import uuid
from collections.abc import Collection, Container, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Final

from django.db.models import Count, Exists, OuterRef, Q, QuerySet

from tournament.cache import cached
from tournament.models import (
    BRACKETS,
    COUNTING_EDITION,
    PAIRS,
    Bye,
    Entrant,
    EntrantState,
    Lot,
    Round,
    RoundState,
    Seat,
    Stage,
    StageEntrant,
    Table,
    round_of,
)
from tournament.models import Adjustment as AdjustmentRow
from tournament.models.tables import DealVersion, OfficialResult, Result, Series, Sheet
from tournament.queries.forfeits import awarded_to, gone_from, gone_in_round
from tournament.ranking.model import Adjustment, Carried, Kind, Number, Outcome, Played, exact
from tournament.ranking.model import Entrant as Ranked
from tournament.tables.entry import game_of
from tournament.tables.rules import score_entry

Decision = tuple[int, bool]
"""The entrant for whom a match was decided, and whether one game makes the match."""
Seating = tuple[dict[object, dict[str, int]], list[tuple[Any, ...]], dict[object, Decision]]
"""Table → position → entrant; the games that count with their sides and sheets; decided tables."""
_KINDS: Final = {"bye": Kind.SAT_OUT, "sat_out": Kind.SAT_OUT}


Forfeit = tuple[int, uuid.UUID | None]
"""An entrant and a round of which every game is lost, by their keys."""


@dataclass(frozen=True, slots=True)
class Field:
    """Everything a standing is made from."""

    entrants: list[Ranked]
    results: list[Played]
    adjustments: list[Adjustment]
    lots: dict[str, int]
    rounds_closed: int
    forfeits: frozenset[Forfeit] = frozenset()
    others: tuple[Ranked, ...] = ()
    """Those who played in a stage carried over only."""
    carried: tuple[Carried, ...] = ()


def _stages(stage: Stage) -> list[Stage]:
    """The stages whose results count: this one, and those before it when points carry over."""
    if not stage.carries_over:
        return [stage]
    return list(stage.event.stages.filter(order__lte=stage.order).order_by("order"))


def gather(
    stage: Stage,
    *,
    points: bool = False,
    frame: int | None = None,
    edition: int = COUNTING_EDITION,
) -> Field:
    """Read the field, results and adjustments of a stage in a fixed number of queries (8; where results are carried over, one more and
    one for each stage before).

    ``points``: read the card points of every deal too, in one more query. ``frame``: the event's
    ``frame_version`` in the snapshot that is read, where who sat where, and results that still
    stand, may be taken as they were read under the same; proofs say none and read all.
    ``edition``: the edition of counting; in the first, decisions on a match were not results; up to
    the second, all the others at a table of each against all were taken together; up to the fourth, a
    score stood before the decision on its match or the forfeit of it, and results carried over were read with the field of
    ``stage``.
    """
    stages = _stages(stage)
    entrants = list(
        Entrant.objects.filter(stages__stage=stage).values_list(
            "pk", "number", "club__name", "state", "withdrawn_after"
        )
    )
    field = {pk: str(number) for pk, number, *_rest in entrants}
    others, carried = _carried(stages, field) if edition > 4 else ({}, ())
    key = field | {pk: one.id for pk, one in others.items()}
    went_on = _played_on(stage) if edition > 2 else set()
    last = _last_round(stage) if edition > 2 else None
    changes, excluded, forfeits = _changes(stages, key)
    closed = stage.rounds.filter(state=RoundState.CLOSED).count()
    unplayed = _unplayed(stage, stages, forfeits) if stage.ranking_edition > 1 else set()
    ranked = [
        Ranked(
            id=key[pk],
            number=number,
            club=club or "",
            withdrawn=state == EntrantState.WITHDRAWN,
            excluded=key[pk] in excluded,
            unplayed=pk in unplayed,
            through=pk in went_on or (last is not None and left is not None and left >= last),
        )
        for pk, number, club, state, left in entrants
    ]
    offsets = _offsets(stages)
    if frame is None or points or edition < COUNTING_EDITION:
        taken = card_points(stages) if points else {}
        results = _played(stages, key, taken, edition=edition)
    else:
        results = _played_since(stages, key, frame)
    results += _byes(stages, offsets, key)
    if edition > 4 and (forfeits or excluded):
        results = _with_awarded(results, stages, key)
    if forfeits:
        results = _with_forfeits(results, stages, key, forfeits)
    lots = {
        key[entrant]: lot
        for entrant, lot in Lot.objects.filter(stage=stage).values_list("entrant_id", "lot")
        if entrant in field
    }
    return Field(ranked, results, changes, lots, closed, forfeits, tuple(others.values()), carried)


def _carried(
    stages: list[Stage], field: Mapping[int, str]
) -> tuple[dict[int, Ranked], tuple[Carried, ...]]:
    """The entrants of the stages before who are not in ``field``, and who withdrew from which of them."""
    *before, _own = stages
    if not before:
        return {}, ()
    order = {stage.pk: stage.order for stage in stages}
    last = {stage.pk: _last_round(stage) for stage in before}
    reached: dict[int, int] = dict.fromkeys(field, stages[-1].order)
    places = list(
        StageEntrant.objects.filter(stage__in=before)
        .order_by("entrant__number")
        .values_list(
            "stage_id",
            "entrant_id",
            "entrant__number",
            "entrant__state",
            "entrant__withdrawn_after",
        )
    )
    for stage_id, pk, *_rest in places:
        reached[pk] = max(reached.get(pk, 0), order[stage_id])
    others: dict[int, Ranked] = {}
    left: dict[int, set[str]] = {}
    for stage_id, pk, number, state, after in places:
        withdrawn = state == EntrantState.WITHDRAWN
        if pk not in field:
            others[pk] = Ranked(str(number), number, withdrawn=withdrawn)
        final = last[stage_id]
        at_end = final is not None and after is not None and after >= final
        if withdrawn and reached[pk] == order[stage_id] and not at_end:
            left.setdefault(stage_id, set()).add(str(number))
    offsets = _offsets(stages)
    carried = tuple(
        Carried(offsets[stage.pk] + stage.rounds_planned, frozenset(left.get(stage.pk, ())))
        for stage in before
    )
    return others, carried


def _unplayed(stage: Stage, stages: list[Stage], forfeits: Collection[Forfeit]) -> set[int]:
    """Entrants of a stage who never sat down at a table, from its first published round on.

    A seat in a round that was forfeited does not count. One present who sat out a round, and may
    still play, is not among them.
    """
    rounds = Round.objects.filter(stage__in=stages)
    seats = Seat.objects.filter(round__in=rounds)
    if not seats.exists():
        return set()
    sat = seats.filter(entrant=OuterRef("pk"))
    for entrant, part in forfeits:
        sat = sat.exclude(entrant=entrant, round=part)
    states = Entrant.objects.filter(~Exists(sat), stages__stage=stage)
    never = dict(states.values_list("pk", "state"))
    if never and stage.rounds.filter(published_at__isnull=True).exists():
        waiting = Bye.objects.filter(round__in=rounds, entrant__in=never).exclude(
            round__state=RoundState.DRAWN
        )
        for pk in set(waiting.values_list("entrant_id", flat=True)):
            if never[pk] == EntrantState.PRESENT:
                del never[pk]
    return set(never)


def _last_round(stage: Stage) -> int | None:
    """The last round of a stage; None until it is published."""
    numbers = dict(stage.rounds.values_list("number", "published_at"))
    last = max(numbers, default=None)
    return last if last is not None and numbers[last] is not None else None


def _played_on(stage: Stage) -> set[int]:
    """Entrants who were taken into a stage after this one: they had played this one to its end."""
    later = Entrant.objects.filter(
        stages__stage__event=stage.event_id,
        stages__stage__order__gt=stage.order,
        state=EntrantState.WITHDRAWN,
    )
    return set(later.values_list("pk", flat=True))


def _offsets(stages: list[Stage]) -> dict[int, int]:
    """How many rounds are planned before each stage's first."""
    offsets, count = {}, 0
    for part in stages:
        offsets[part.pk] = count
        count += part.rounds_planned
    return offsets


def _changes(
    stages: list[Stage], key: dict[int, str]
) -> tuple[list[Adjustment], set[str], frozenset[Forfeit]]:
    """The adjustments that stand, who is disqualified by one, and the rounds forfeited by one."""
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
    forfeits = frozenset((row.entrant_id, row.round_id) for row in rows if row.forfeited)
    return changes, {key[row.entrant_id] for row in rows if row.disqualified}, forfeits


def _with_awarded(results: list[Played], stages: list[Stage], key: dict[int, str]) -> list[Played]:
    """The results, with the matches of knock-outs and pools won by who did not forfeit or was not excluded.

    The marks stay those played. A match of one game is won with it.
    """
    offsets = _offsets(stages)
    won: dict[tuple[str, int], bool] = {}
    single: set[int] = set()
    for stage in stages:
        gone = gone_in_round(stage) if stage.format in BRACKETS else frozenset()
        if not gone:
            continue
        tables = Table.objects.filter(round__stage=stage).select_related("round")
        for table in tables.prefetch_related("seats", "sheets"):
            at = [seat.entrant_id for seat in table.seats.all()]
            lost = gone_from(table, gone)
            if (winner := awarded_to(at, None, lost)) is None:
                continue
            number = offsets[stage.pk] + round_of(table).number
            won |= {(key[who], number): who == winner for who in at if who in key}
            if sum(sheet.counts for sheet in table.sheets.all()) == 1:
                single.add(number)

    def awarded(line: Played) -> Played:
        match = won.get((line.entrant, line.round_no))
        if match is None or line.kind not in (Kind.PLAYED, Kind.FORFEIT):
            return line
        outcome = Outcome.WIN if match else Outcome.LOSS
        decides = line.round_no in single or line.outcome is Outcome.DRAW
        return replace(line, match=outcome, outcome=outcome if decides else line.outcome)

    return [awarded(line) for line in results]


def _with_forfeits(
    results: list[Played], stages: list[Stage], key: dict[int, str], forfeits: Collection[Forfeit]
) -> list[Played]:
    """The results, with every game of a forfeited round lost: no marks for and none against.

    Games never entered are lost the same way; once the round is closed, the others at such a table
    are credited for them as for sitting out. What the others played, they keep.
    """
    offsets = _offsets(stages)
    rounds = Round.objects.filter(stage__in=stages, pk__in={part for _who, part in forfeits})
    number = {part.pk: offsets[part.stage_id] + part.number for part in rounds}
    gone = {(key[who], number[part]) for who, part in forfeits if part in number}
    out = [
        _lost(line)
        if line.kind in (Kind.PLAYED, Kind.FORFEIT) and (line.entrant, line.round_no) in gone
        else line
        for line in results
    ]
    there = {(line.entrant, line.round_no, line.game_no) for line in results}
    games = Sheet.objects.filter(table__round__in=number, counts=True).select_related(
        "table__round__stage"
    )
    seated: dict[object, list[int]] = {}
    for table, who in Seat.objects.filter(round__in=number).values_list("table_id", "entrant_id"):
        seated.setdefault(table, []).append(who)
    for game in games:
        part = round_of(game.table)
        here = seated.get(game.table_id, [])
        if not any((who, part.pk) in forfeits for who in here):
            continue
        credited = Kind.BYE if byes_win(part.stage) else Kind.SAT_OUT
        for who in here:
            at = number[part.pk]
            if who not in key or (key[who], at, game.order) in there:
                continue
            if (who, part.pk) in forfeits:
                out.append(
                    Played(
                        at,
                        key[who],
                        Outcome.LOSS,
                        table=game.table.number,
                        game_no=game.order,
                        kind=Kind.FORFEIT,
                    )
                )
            elif part.state == RoundState.CLOSED:
                out.append(Played(at, key[who], game_no=game.order, kind=credited))
    return out


def _lost(line: Played) -> Played:
    """A game as the side that forfeited it has it."""
    return replace(
        line,
        kind=Kind.FORFEIT,
        outcome=Outcome.LOSS,
        marks_for=0,
        marks_against=0,
        deals=0,
        best_deal=None,
        place=None,
        points=None,
        max_points=None,
    )


def card_points(stages: list[Stage]) -> dict[object, dict[str, int]]:
    """Sheet → card points of each side, and of all (under ``""``), over the deals that count.

    A deal entered card by card is replayed; an annulled deal and one without points count nothing.
    """
    taken: dict[object, dict[str, int]] = {}
    deals = DealVersion.objects.filter(
        sheet__table__round__stage__in=stages,
        current=True,
        series=Series.OFFICIAL,
        annulled=False,
    ).select_related("sheet")
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
    *,
    edition: int = COUNTING_EDITION,
) -> list[Played]:
    """One line for each entrant and game with an official result."""
    official = _official(stages)
    seats, games, decided = _read_seating(stages)
    seating = (seats, games, decided if edition > 1 else {})
    writer = _Lines(_offsets(stages), key, seating, edition)
    by_sheet = dict(official.values_list("sheet_id", "result"))
    lines = [
        line
        for sheet_id, result in by_sheet.items()
        for line in writer.of(sheet_id, result, points.get(sheet_id))
    ]
    return lines + _forfeits(writer, by_sheet)


def _forfeits(writer: _Lines, official: Container[object]) -> list[Played]:
    """The games without a result of the matches that the director decided."""
    return [
        line
        for sheet_id, game in writer.games.items()
        if game[0] in writer.decided and sheet_id not in official
        for line in writer.not_played(sheet_id)
    ]


def _official(stages: list[Stage]) -> QuerySet[OfficialResult]:
    """The results in force, the oldest first."""
    return OfficialResult.objects.filter(
        current=True, sheet__table__round__stage__in=stages
    ).order_by("pk")


class _Lines:
    """Writes the lines of a sheet: who sat where in which game, under which names."""

    def __init__(
        self,
        offsets: dict[int, int],
        key: dict[int, str],
        seating: Seating,
        edition: int = COUNTING_EDITION,
    ) -> None:
        self.offsets, self.key, self.edition = offsets, key, edition
        self.seats, games, self.decided = seating
        self.games = {game[4]: game for game in games}

    def of(self, sheet_id: object, result: Result, points: dict[str, int] | None) -> list[Played]:
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
            theirs = [value for name, value in result["marks"].items() if name != side]
            against: Number = sum(theirs)
            place: Number | None = None
            winner = result.get("winner")
            match = self._decision(table_id, positions)
            if match is not None and self.edition > 4 and self.decided[table_id][1]:
                winner = side if match is Outcome.WIN else ""
            outcome = (
                match or Outcome.DRAW
                if winner is None
                else Outcome.WIN
                if winner == side
                else Outcome.LOSS
            )
            if len(theirs) > 1 and self.edition > 2:
                # Each against all: measured by the mean of the others; who is level at the top
                # shares the game, the rest have lost it.
                against = exact(Fraction(against, len(theirs)))
                place = exact(
                    sum(Fraction((marks > other) - (marks < other) + 1, 2) for other in theirs)
                )
                if winner is None and match is None and marks < max(theirs):
                    outcome = Outcome.LOSS
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
                    deals=result["deals"],
                    best_deal=result.get("best_deal", {}).get(side),
                    penalties=result.get("penalties", {}).get(side, 0),
                    points=points.get(side, 0) if points is not None else None,
                    max_points=points[""] if points is not None else None,
                    match=match,
                    place=place,
                )
                for entrant in mine
                if entrant in key
            ]
        return lines

    def not_played(self, sheet_id: object) -> list[Played]:
        """The lines of a game that nobody played, of a match that was decided: a forfeit."""
        table_id, table, number, sides, _sheet, round_no, stage_id = self.games[sheet_id]
        at, key = self.seats[table_id], self.key
        lines: list[Played] = []
        for positions in sides.values():
            match = self._decision(table_id, positions)
            lines += [
                Played(
                    round_no=self.offsets[stage_id] + round_no,
                    entrant=key[at[position]],
                    outcome=match,
                    table=table,
                    game_no=number,
                    kind=Kind.FORFEIT,
                    match=match,
                )
                for position in positions
                if match is not None and at[position] in key
            ]
        return lines

    def _decision(self, table_id: object, positions: list[str]) -> Outcome | None:
        """What the director decided for the side that sits at these positions; None without one."""
        if table_id not in self.decided:
            return None
        for_whom, _single = self.decided[table_id]
        at = self.seats[table_id]
        won = any(at[position] == for_whom for position in positions)
        return Outcome.WIN if won else Outcome.LOSS


def _read_seating(stages: list[Stage]) -> Seating:
    sitting = Seat.objects.filter(round__stage__in=stages)
    played = Sheet.objects.filter(table__round__stage__in=stages, counts=True)
    seats: dict[object, dict[str, int]] = {}
    for table, position, entrant in sitting.values_list("table_id", "position", "entrant_id"):
        seats.setdefault(table, {})[position] = entrant
    games = played.values_list(
        "table_id",
        "table__number",
        "order",
        "sides",
        "pk",
        "table__round__number",
        "table__round__stage_id",
    )
    decided = Table.objects.filter(round__stage__in=stages, decided_for__isnull=False)
    counting = Count("sheets", filter=Q(sheets__counts=True))
    rows = decided.annotate(games=counting).values_list("pk", "decided_for_id", "games")
    return seats, list(games), {table: (who, number == 1) for table, who, number in rows}


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
        official = _official(stages)
        in_force = dict(official.values_list("pk", "sheet_id"))
        standing = list(in_force)
        new = [pk for pk in standing if pk not in self.lines]
        if new:
            # All at once where there are many: databases limit what a question may name.
            rows = official if len(new) > MANY else official.filter(pk__in=new)
            for pk, sheet_id, result in rows.values_list("pk", "sheet_id", "result"):
                self.lines[pk] = self.writer.of(sheet_id, result, None)
        lines = [line for pk in standing for line in self.lines[pk]]
        if self.writer.decided:
            lines += _forfeits(self.writer, set(in_force.values()))
        return lines


MANY: Final = 500
"""New results that are still asked for by name."""


def _played_since(stages: list[Stage], key: dict[int, str], frame: int) -> list[Played]:
    """:func:`_played`, where a signature has its own result read and no other."""
    mark = (tuple(stage.pk for stage in stages), stages[0].event_id, frame)
    read = cached(
        ("results", *mark), lambda: _Read(stages, key), fits=lambda read: read.fits(stages, key)
    )
    return read.results(stages)


def byes_win(stage: Stage) -> bool:
    """Whether a bye is a game won: those of pairs, in every format (pairs drawn by lot: from edition 3)."""
    return stage.in_pairs if stage.ranking_edition > 2 else stage.format in PAIRS


def _byes(stages: list[Stage], offsets: dict[int, int], key: dict[int, str]) -> list[Played]:
    """Who sat a published round out, with one line for each game missed."""
    lines: list[Played] = []
    rows = Bye.objects.filter(
        Q(round__stage__in=stages) & ~Q(round__state=RoundState.DRAWN)
    ).select_related("round__stage")
    for row in rows:
        if row.entrant_id not in key:
            continue
        kind = _KINDS.get(row.kind, Kind.FORFEIT)
        if kind is Kind.SAT_OUT and byes_win(row.round.stage):
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
