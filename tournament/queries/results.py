"""The official results and adjustments of a stage, in the pure shapes that ranking wants."""

from __future__ import annotations

import uuid
from collections.abc import Collection, Container, Iterable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any, Final

from django.db.models import Count, Exists, OuterRef, Q, QuerySet

from tournament.cache import cached
from tournament.models import (
    COUNTING_EDITION,
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
from tournament.models.stages import former_holder
from tournament.models.tables import DealVersion, OfficialResult, Result, Series, Sheet
from tournament.queries.forfeits import awarded_to, gone_from, gone_in_round
from tournament.queries.sheet_rules import FILLING_RULEBOOK
from tournament.queries.stage_rule import rule_of, wants_points
from tournament.ranking.book import Book, write_book
from tournament.ranking.model import (
    Adjustment,
    LineKind,
    Number,
    Outcome,
    Played,
    Rule,
    exact,
)
from tournament.ranking.model import Entrant as Ranked
from tournament.tables.score_sheet import ScoreSheet

Decision = tuple[int, bool]
"""The entrant for whom a match was decided, and whether one game makes the match."""
Seating = tuple[dict[object, dict[str, int]], list[tuple[Any, ...]], dict[object, Decision]]
"""Table → position → entrant; the games that count with their sides and sheets; decided tables."""
_KINDS: Final = {"bye": LineKind.SAT_OUT, "sat_out": LineKind.SAT_OUT}


Forfeit = tuple[int, uuid.UUID | None]
"""An entrant and a round of which every game is lost, by their keys."""


@dataclass(frozen=True, slots=True)
class Gathered:
    """Everything a standing is made from."""

    entrants: list[Ranked]
    results: list[Played]
    adjustments: list[Adjustment]
    lots: dict[str, int]
    rounds_closed: int
    forfeits: frozenset[Forfeit] = frozenset()
    carried: tuple[Book, ...] = ()
    """The books of the stages before whose results count."""
    counted_as: Mapping[int, str] = field(default_factory=dict)
    """The key of each entrant → the name under which their results count."""
    edition: int = COUNTING_EDITION

    def book(self, rule: Rule) -> Book:
        """Write the book of the stage by its rule."""
        return write_book(
            self.entrants, self.results, self.adjustments, rule, to_field=self.edition > 6
        )


def gather(
    stage: Stage,
    *,
    points: bool = False,
    frame: int | None = None,
    edition: int = COUNTING_EDITION,
    first: int | None = None,
    as_closed: Round | None = None,
) -> Gathered:
    """Read the field, results and adjustments of a stage in a fixed number of queries (8; where results are
    carried over, 2 more and about 9 for each stage before).

    ``points``: read the card points of every deal too, in one more query. ``frame``: the event's
    ``frame_version`` in the snapshot that is read, where who sat where, and results that still
    stand, may be taken as they were read under the same; proofs say none and read all.
    ``edition``: the edition of counting; up to the fourth, a score stood before the decision on its match or the forfeit of it, and results carried over were read with the field of
    ``stage``; in the fifth, by its rule. ``first``: how many rounds are numbered before its own, where a later
    stage is counted; else those of the stages before whose results count. ``as_closed``: a round
    that counts as closed, for the preview of a forfeit in it.
    """
    earlier = _before(stage) if stage.carries_over and first is None else []
    stages = [*earlier, stage] if edition < 5 else [stage]
    offsets = _offsets(stages, sum(each.rounds_planned for each in earlier) if edition > 4 else 0)
    if first is not None:
        offsets = {stage.pk: first}
    carried = _books(stage, points, frame, edition) if edition > 4 and earlier else ()
    entrants = list(
        Entrant.objects.filter(stages__stage=stage).values_list(
            "pk",
            "number",
            "club__name",
            "state",
            "withdrawn_after",
            "stages__origin",
            "stages__takes_points",
        )
    )
    key = _counted_as(entrants)
    went_on = _played_on(stage)
    last = _last_round(stage)
    own = {pk: str(number) for pk, number, *_rest in entrants}
    changes, excluded, forfeits = _changes(offsets, key, own)
    excluded |= {one.id for book in carried for one in book.entrants if one.excluded}
    heirs = _heirs([*earlier, stage]) if carried else {}
    carried = tuple(book.inherited(heirs) for book in carried)
    played_before = {one.id for book in carried for one in book.entrants if not one.unplayed}
    closed = stage.rounds.filter(state=RoundState.CLOSED).count()
    unplayed = _unplayed(stage, stages, forfeits)
    sat = {name for pk, name in key.items() if pk not in unplayed}
    ranked = [
        Ranked(
            id=key[pk],
            number=number,
            club=club or "",
            withdrawn=state == EntrantState.WITHDRAWN,
            excluded=key[pk] in excluded,
            unplayed=key[pk] not in sat and key[pk] not in played_before,
            through=pk in went_on or (last is not None and left is not None and left >= last),
        )
        for pk, number, club, state, left, *_place in entrants
        if key[pk] == str(number)
    ]
    if frame is None or points or edition < COUNTING_EDITION:
        taken = card_points(stages) if points else {}
        results = _played(offsets, key, taken, edition=edition)
    else:
        results = _played_since(stage, offsets, key, frame)
    results += _byes(offsets, key)
    if edition > 4 and (forfeits or excluded):
        results = _with_awarded(results, stages, offsets, key)
    if forfeits:
        results = _with_forfeits(results, offsets, key, forfeits, as_closed)
    lots = {
        key[entrant]: lot
        for entrant, lot in Lot.objects.filter(stage=stage).values_list("entrant_id", "lot")
        if entrant in key
    }
    return Gathered(ranked, results, changes, lots, closed, forfeits, carried, key, edition)


def _counted_as(entrants: Iterable[tuple[Any, ...]]) -> dict[int, str]:
    """Map each entrant to the name under which their results count: a player who took a place with
    its points has them.
    """
    heirs = {
        former_holder(origin): number
        for _pk, number, _club, _state, _left, origin, takes_points in entrants
        if takes_points
    }
    names = {}
    for pk, number, *_rest in entrants:
        heir = number
        while heir in heirs:
            heir = heirs[heir]
        names[pk] = str(heir)
    return names


def _heirs(stages: list[Stage]) -> dict[str, Ranked]:
    """Return who took over a place with its points in one of these stages, by the number of the former holder."""
    taken = StageEntrant.objects.filter(stage__in=stages, takes_points=True)
    heirs = {
        former_holder(origin): number
        for origin, number in taken.values_list("origin", "entrant__number")
    }
    last = {}
    for number in heirs:
        heir = number
        while heir in heirs:
            heir = heirs[heir]
        last[str(number)] = Ranked(str(heir), heir)
    return last


def _books(stage: Stage, points: bool, frame: int | None, edition: int) -> tuple[Book, ...]:
    """Return the books of the stages before that count, each with its own field and by its own rule.

    In the fifth edition of counting they were written by the rule of ``stage``.
    """
    from .matches import with_beaten

    books = []
    for before in _before(stage) if stage.carries_over else ():
        rule = rule_of(before if edition > 5 else stage)
        first = sum(each.rounds_planned for each in _before(before))
        field = gather(
            before,
            points=points and wants_points(rule),
            frame=frame,
            edition=edition,
            first=first,
        )
        if before.played_as.bracket and edition > 5:
            field = with_beaten(before, field)
        books.append(field.book(rule))
    return tuple(books)


def _before(stage: Stage) -> list[Stage]:
    """Return the stages before one, in order."""
    return list(stage.event.stages.filter(order__lt=stage.order).order_by("order"))


def rounds_before(stage: Stage) -> int:
    """How many rounds are numbered before the first of a stage, in its standings."""
    return sum(each.rounds_planned for each in _before(stage)) if stage.carries_over else 0


def _unplayed(stage: Stage, stages: list[Stage], forfeits: Collection[Forfeit]) -> set[int]:
    """Return the entrants of a stage who never sat down at a table, from its first published round on.

    A seat in a round that was forfeited does not count. One present who sat out a round, and may
    still play, is not among them.
    """
    rounds = Round.objects.filter(stage__in=stages)
    seats = Seat.objects.filter(round__in=rounds)
    sat = seats.filter(entrant=OuterRef("pk"))
    for entrant, round_id in forfeits:
        sat = sat.exclude(entrant=entrant, round=round_id)
    states = Entrant.objects.filter(~Exists(sat), stages__stage=stage)
    never = dict(states.values_list("pk", "state"))
    if not never or not seats.exists():
        return set()
    if stage.rounds.filter(published_at__isnull=True).exists():
        waiting = Bye.objects.filter(round__in=rounds, entrant__in=never).exclude(
            round__state=RoundState.DRAWN
        )
        for pk in set(waiting.values_list("entrant_id", flat=True)):
            if never[pk] == EntrantState.PRESENT:
                del never[pk]
    return set(never)


def _last_round(stage: Stage) -> int | None:
    """Return the last round of a stage; None until it is published."""
    numbers = dict(stage.rounds.values_list("number", "published_at"))
    last = max(numbers, default=None)
    return last if last is not None and numbers[last] is not None else None


def _played_on(stage: Stage) -> set[int]:
    """Return the entrants who qualified for a later stage."""
    later = Entrant.objects.filter(
        stages__stage__event=stage.event_id,
        stages__stage__order__gt=stage.order,
        state=EntrantState.WITHDRAWN,
    )
    return set(later.values_list("pk", flat=True))


def _offsets(stages: list[Stage], count: int) -> dict[int, int]:
    """By stage, how many rounds are numbered before its own; ``count`` before the first."""
    offsets = {}
    for part in stages:
        offsets[part.pk] = count
        count += part.rounds_planned
    return offsets


def _changes(
    offsets: dict[int, int], key: dict[int, str], own: dict[int, str]
) -> tuple[list[Adjustment], set[str], frozenset[Forfeit]]:
    """Return the adjustments in force, the entrants disqualified and the rounds forfeited by them.

    A disqualification is of the person, not of a later player in their place with its points.
    """
    rows = [
        row
        for row in AdjustmentRow.objects.filter(
            stage__in=offsets.keys(), annulled_at__isnull=True
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
    out = {own[row.entrant_id] for row in rows if row.disqualified}
    return changes, out & set(key.values()), forfeits


def _with_awarded(
    results: list[Played], stages: list[Stage], offsets: dict[int, int], key: dict[int, str]
) -> list[Played]:
    """Award the matches of knock-outs and pools to the side without a forfeit or exclusion.

    The marks stay those played. A match of one game is won with it.
    """
    won: dict[tuple[str, int], bool] = {}
    single: set[int] = set()
    for stage in stages:
        gone = gone_in_round(stage) if stage.played_as.bracket else frozenset()
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
        if match is None or line.kind not in (LineKind.PLAYED, LineKind.FORFEIT):
            return line
        outcome = Outcome.WIN if match else Outcome.LOSS
        decides = line.round_no in single or line.outcome is Outcome.DRAW
        return replace(line, match=outcome, outcome=outcome if decides else line.outcome)

    return [awarded(line) for line in results]


def _with_forfeits(
    results: list[Played],
    offsets: dict[int, int],
    key: dict[int, str],
    forfeits: Collection[Forfeit],
    as_closed: Round | None = None,
) -> list[Played]:
    """Return the results, with every game of a forfeited round lost: no marks for and none against.

    Games never entered are lost the same way; once the round is closed, the others at such a table
    are credited for them as for a bye. Their own games count as played.
    """
    rounds = Round.objects.filter(
        stage__in=offsets.keys(), pk__in={round_id for _who, round_id in forfeits}
    )
    number = {round_.pk: offsets[round_.stage_id] + round_.number for round_ in rounds}
    gone = {(key[who], number[round_id]) for who, round_id in forfeits if round_id in number}
    out = [
        _lost(line)
        if line.kind in (LineKind.PLAYED, LineKind.FORFEIT)
        and (line.entrant, line.round_no) in gone
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
        round_ = round_of(game.table)
        here = seated.get(game.table_id, [])
        if not any((who, round_.pk) in forfeits for who in here):
            continue
        credited = LineKind.BYE if round_.stage.in_pairs else LineKind.SAT_OUT
        for who in here:
            at = number[round_.pk]
            if who not in key or (key[who], at, game.order) in there:
                continue
            if (who, round_.pk) in forfeits:
                out.append(
                    Played(
                        at,
                        key[who],
                        Outcome.LOSS,
                        table=game.table.number,
                        game_no=game.order,
                        kind=LineKind.FORFEIT,
                    )
                )
            elif round_.state == RoundState.CLOSED or round_ == as_closed:
                out.append(Played(at, key[who], game_no=game.order, kind=credited))
    return out


def _lost(line: Played) -> Played:
    """Return a game's line for the side that forfeited it."""
    return replace(
        line,
        kind=LineKind.FORFEIT,
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
            points = dict(ScoreSheet(deal.sheet).score(deal.entry, deal.infractions).points)
        if not points:
            continue
        total = ScoreSheet(deal.sheet).game.total
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
    offsets: dict[int, int],
    key: dict[int, str],
    points: dict[object, dict[str, int]],
    *,
    edition: int = COUNTING_EDITION,
) -> list[Played]:
    """Return one line for each entrant and game with an official result."""
    official = _official(offsets)
    writer = _Lines(offsets, key, _read_seating(offsets), edition)
    by_sheet = dict(official.values_list("sheet_id", "result"))
    lines = [
        line
        for sheet_id, result in by_sheet.items()
        for line in writer.of(sheet_id, result, points.get(sheet_id))
    ]
    return lines + _forfeits(writer, by_sheet)


def _forfeits(writer: _Lines, official: Container[object]) -> list[Played]:
    """Return the games without a result of the matches that the director decided."""
    return [
        line
        for sheet_id, game in writer.games.items()
        if game[0] in writer.decided and sheet_id not in official
        for line in writer.not_played(sheet_id)
    ]


def _official(offsets: dict[int, int]) -> QuerySet[OfficialResult]:
    """Return the results in force, the oldest first."""
    return OfficialResult.objects.filter(
        current=True, sheet__table__round__stage__in=offsets.keys()
    ).order_by("pk")


class _Lines:
    """Writer of a sheet's lines, from the seats in each game and the names for counting."""

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
        self.of_three = {game[4] for game in games if game[7] == FILLING_RULEBOOK != game[8]}

    def of(self, sheet_id: object, result: Result, points: dict[str, int] | None) -> list[Played]:
        """Return one line for each entrant at the game; none where it does not count."""
        game = self.games.get(sheet_id)
        if game is None:
            return []
        table_id, table, number, sides, _sheet, round_no, stage_id, *_books = game
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
            if len(theirs) > 1:
                # Each against all: measured by the mean of the others. Players tied at the top
                # share the game, the others have lost it.
                against = exact(Fraction(against, len(theirs)))
                place = exact(
                    sum(Fraction((marks > other) - (marks < other) + 1, 2) for other in theirs)
                )
                if winner is None and match is None and marks < max(theirs):
                    outcome = Outcome.LOSS
            if sheet_id in self.of_three:
                # Among tables of two sides, a game of three is won against the mean of the others.
                place = None
                if match is None:
                    ahead = marks - against
                    outcome = Outcome.WIN if ahead > 0 else Outcome.LOSS if ahead else Outcome.DRAW
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
        """Return the lines of an unplayed game in a decided match: a forfeit."""
        table_id, table, number, sides, _sheet, round_no, stage_id, *_books = self.games[sheet_id]
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
                    kind=LineKind.FORFEIT,
                    match=match,
                )
                for position in positions
                if match is not None and at[position] in key
            ]
        return lines

    def _decision(self, table_id: object, positions: list[str]) -> Outcome | None:
        """Return the director's decision for the side at these positions; None without one."""
        if table_id not in self.decided:
            return None
        for_whom, _single = self.decided[table_id]
        at = self.seats[table_id]
        won = any(at[position] == for_whom for position in positions)
        return Outcome.WIN if won else Outcome.LOSS


def _read_seating(offsets: dict[int, int]) -> Seating:
    stages = offsets.keys()
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
        "rulebook",
        "table__round__stage__event__rulebook",
    )
    decided = Table.objects.filter(round__stage__in=stages, decided_for__isnull=False)
    counting = Count("sheets", filter=Q(sheets__counts=True))
    rows = decided.annotate(games=counting).values_list("pk", "decided_for_id", "games")
    return seats, list(games), {table: (who, number == 1) for table, who, number in rows}


class _Read:
    """Results read for some stages under one mark of the draw; they are never rewritten.

    A correction is a new result, so the lines of a result in force never change.
    """

    def __init__(self, offsets: dict[int, int], key: dict[int, str]) -> None:
        self.offsets, self.key = offsets, key
        self.writer = _Lines(offsets, key, _read_seating(offsets))
        self.lines: dict[int, list[Played]] = {}

    def results(self) -> list[Played]:
        """Return the lines of all results in force; only those that are new are read."""
        official = _official(self.offsets)
        in_force = dict(official.values_list("pk", "sheet_id"))
        standing = list(in_force)
        new = [pk for pk in standing if pk not in self.lines]
        if new:
            # One query without ids where there are many: databases limit the number of parameters.
            rows = official if len(new) > MANY else official.filter(pk__in=new)
            for pk, sheet_id, result in rows.values_list("pk", "sheet_id", "result"):
                self.lines[pk] = self.writer.of(sheet_id, result, None)
        lines = [line for pk in standing for line in self.lines[pk]]
        if self.writer.decided:
            lines += _forfeits(self.writer, set(in_force.values()))
        return lines


MANY: Final = 500
"""New results that are still asked for by name."""


def _played_since(
    stage: Stage, offsets: dict[int, int], key: dict[int, str], frame: int
) -> list[Played]:
    """:func:`_played`, where a signature has its own result read and no other."""
    read = cached(
        ("results", stage.pk, offsets[stage.pk], stage.event_id, frame),
        lambda: _Read(offsets, key),
        fits=lambda read: read.key == key,
    )
    return read.results()


def _byes(offsets: dict[int, int], key: dict[int, str]) -> list[Played]:
    """Return a line for each game missed by an entrant with a bye in a published round."""
    lines: list[Played] = []
    rows = Bye.objects.filter(
        Q(round__stage__in=offsets.keys()) & ~Q(round__state=RoundState.DRAWN)
    ).select_related("round__stage")
    for row in rows:
        if row.entrant_id not in key:
            continue
        kind = _KINDS.get(row.kind, LineKind.FORFEIT)
        if kind is LineKind.SAT_OUT and row.round.stage.in_pairs:
            kind = LineKind.BYE
        lines.extend(
            Played(
                round_no=offsets[row.round.stage_id] + row.round.number,
                entrant=key[row.entrant_id],
                outcome=Outcome.LOSS if kind is LineKind.FORFEIT else None,
                game_no=game,
                kind=kind,
            )
            for game in range(1, row.round.stage.games_per_round + 1)
        )
    return lines
