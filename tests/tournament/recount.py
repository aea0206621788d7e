"""An independent recount of an event: points, standings and places from signed results, in plain sums.

It uses neither the engine nor ``ranking``: rules specification A.4 (points of a deal) and D.2 (classification, byes,
brackets) as a person would apply them with a pencil. Individuals and pairs alike: one line for each entrant of a game.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from hashlib import sha256
from itertools import combinations, count
from typing import Any

from tournament.models import Bye, Draw, Entrant, Event, Seat, Stage, Table
from tournament.models.tables import DealVersion, OfficialResult, Series, Sheet

PAIRS = frozenset({"pairs_swiss", "pairs_mitchell", "round_robin", "pools_ko", "ko"})
BRACKETS = frozenset({"pools_ko", "ko"})
NO_BRACKET = 2
"""Sorts behind the main draw (0) and the consolation (1)."""
OF_68 = frozenset({"parlee", "boussac", "chaloupee", "coinchee"})
LEVELS = {34: 1, 44: 2, 50: 3, 54: 4}
TURNED = {"10": 5, "A": 4, "K": 3, "Q": 2, "J": 1}
STAKES = [50, 40, 30, 20, 10]


@dataclass
class Counted:
    """Sums of one entrant's played games: won, difference, points, places at the table."""

    won: Fraction = Fraction(0)
    net: Fraction = Fraction(0)
    points: Fraction = Fraction(0)
    places: Fraction = Fraction(0)
    deals: int = 0
    games: int = 0
    rests: int = 0
    beside: list[tuple[int, ...]] = field(default_factory=list)


def counted(stage: Stage, before: int | None = None) -> dict[int, Counted]:
    """Return the sums by start number, from the signed results alone; credited rests are counted apart.

    ``before`` limits them to the rounds before this one, without rests.
    """
    found: dict[int, Counted] = defaultdict(Counted)
    results = OfficialResult.objects.filter(
        current=True, sheet__table__round__stage=stage, sheet__counts=True
    ).select_related("sheet__table")
    if before is not None:
        results = results.filter(sheet__table__round__number__lt=before)
    numbers = dict(stage.field.values_list("entrant_id", "entrant__number"))
    for official in results:
        sheet, marks = official.sheet, official.result["marks"]
        at = {seat.position: numbers[seat.entrant_id] for seat in sheet.table.seats.all()}
        people = {side: [at[seat] for seat in seats] for side, seats in sheet.sides.items()}
        best = max(marks.values())
        top = [side for side, value in marks.items() if value == best]
        if sheet.table.decided_for_id is not None and (
            len(top) > 1 or sheet.table.sheets.filter(counts=True).count() == 1
        ):
            # The director's decision gives the match to a side.
            for_whom = numbers[sheet.table.decided_for_id]
            top = [side for side, mine in people.items() if for_whom in mine]
        for side, mine in people.items():
            others = [marks[other] for other in people if other != side]
            for number in mine:
                record = found[number]
                record.games += 1
                record.deals += official.result["deals"]
                record.points += marks[side]
                record.net += marks[side] - Fraction(sum(others), len(others))
                record.won += top == [side]
                record.places += sum(
                    Fraction(marks[side] > o) + Fraction(marks[side] == o, 2) for o in others
                )
                record.beside.append(tuple(sorted(n for group in people.values() for n in group)))
    if before is None:
        rests = Bye.objects.filter(round__stage=stage)
        for number in rests.values_list("entrant__number", flat=True):
            found[number].rests += stage.games_per_round
    return dict(found)


def deal_marks(rulebook: str, entry: Mapping[str, Any], seats: Iterable[str]) -> Counter[str]:
    """Return the points of one deal for every seat (N and E for pairs), from the card points of a side."""
    marks: Counter[str] = Counter()
    contract = entry.get("contract", {})
    side, taken = next(iter(entry["points"].items()))
    everybody = list(seats)
    factor = 2 ** contract.get("doubling", 0) * (2 if contract.get("trump") == "NT" else 1)
    if rulebook.startswith("auction"):
        if rulebook == "auction-1":
            made = taken >= (15 if len(everybody) > 4 else 21)
            stake = STAKES[contract["exchanged"]]
            for seat in everybody:
                worth = stake * (len(everybody) - 1) if seat == side else -stake
                marks[seat] = worth if made else -worth
        else:
            marks[side] = contract["level"] if taken >= contract["level"] else -contract["level"]
        return marks
    if rulebook == "three-player":
        for seat in everybody:
            over = (taken if seat == side else 60 - taken) - 30
            marks[seat] = max(0, over) * factor
        return marks
    total = 68 if rulebook in OF_68 else 60
    both = {"NS": taken if side == "NS" else total - taken}
    both["EW"] = total - both["NS"]
    if rulebook == "chaloupee":
        mine = contract["declarer"]
        over = both[mine] - contract["level"]
        worth = abs(over) * LEVELS[contract["level"]] * factor
        marks[mine if over > 0 else "EW" if mine == "NS" else "NS"] = worth
    else:
        for each, points in both.items():
            marks[each] = max(0, points - total // 2) * factor
            if rulebook == "bruges":  # E10: 60 against no trick at all, and at most 240
                tricks = entry.get("tricks", {})
                lost = [8 - n if side == each else n for side, n in tricks.items()]
                whole = points == total and lost and not any(lost)
                marks[each] = min(240, 60 * factor if whole else marks[each])
    if "turn_up" in entry:
        marks["NS" if entry["dealer"] in "NS" else "EW"] += TURNED.get(entry["turn_up"][:-1], 0)
    return marks


def check_marks(stage: Stage) -> int:
    """Check the marks of every signed sheet against its deals. Return the number of deals added up."""
    deals: dict[object, list[dict[str, Any]]] = defaultdict(list)
    written = DealVersion.objects.filter(
        sheet__table__round__stage=stage, current=True, series=Series.OFFICIAL, annulled=False
    )
    for sheet_id, entry in written.values_list("sheet_id", "entry"):
        deals[sheet_id].append(entry)
    official = dict(
        OfficialResult.objects.filter(current=True, sheet__table__round__stage=stage).values_list(
            "sheet_id", "result"
        )
    )
    rulebook = stage.event.rulebook
    # A table of three that fills up is not classified.
    for sheet in Sheet.objects.filter(pk__in=official, counts=True).select_related("table"):
        if any("record" in entry for entry in deals[sheet.pk]):
            # In a hall one table enters deals card by card: it has no points to add up.
            continue
        sums: Counter[str] = Counter()
        for entry in deals[sheet.pk]:
            sums.update(deal_marks(rulebook, entry, sheet.sides))
        result = official[sheet.pk]
        assert result["marks"] == {side: sums[side] for side in sheet.sides}, sheet
        assert result["deals"] == len(deals[sheet.pk])
    return sum(map(len, deals.values()))


def with_average(
    record: Counted, field: Collection[Counted], worth: Callable[[Counted], Fraction]
) -> Fraction:
    """Return the sum over an entrant's games, each rest counting as the average of these and one of the field's."""
    if not record.games:
        return Fraction(0)
    usual = sum(map(worth, field), Fraction(0)) / sum(one.games for one in field)
    return worth(record) + record.rests * (worth(record) + usual) / (record.games + 1)


KEYS: dict[str, Callable[[Counted], tuple[Fraction, ...]]] = {
    "world_championship": lambda of: (of.won, of.net, of.points),
    "harelbeke": lambda of: (of.points, of.won),
    "belote_total": lambda of: (of.points,),
    "auction_total": lambda of: (of.points, of.won),
    "table_places": lambda of: (of.places, of.net, of.points),
}


def values_of(stage: Stage, record: Counted, field: Collection[Counted]) -> tuple[Fraction, ...]:
    """Return the values of the stage's criteria; a rest counts as the leaning average.

    A pair's bye counts as a game won and, in the other criteria, as the average of its games.
    """
    pairs = stage.format in PAIRS or stage.drawing.get("unit") == "pair"
    won = stage.ranking in ("world_championship", "harelbeke") and pairs
    if stage.ranking == "auction_per_deal":
        by_deal = record.points / record.deals if record.deals else Fraction(0)
        return by_deal, with_average(record, field, lambda of: Fraction(of.won))
    keys = KEYS[stage.ranking]
    values = [
        with_average(record, field, lambda of, at=at: Fraction(keys(of)[at]))
        for at in range(len(keys(record)))
    ]
    if won:
        values[stage.ranking == "harelbeke"] = record.won + record.rests
    return tuple(values)


def left(stage: Stage) -> set[int]:
    """Return the start numbers of withdrawn entrants."""
    withdrawn = stage.field.filter(entrant__state="withdrawn")
    return set(withdrawn.values_list("entrant__number", flat=True))


def gone(stage: Stage) -> set[int]:
    """Return the start numbers that cannot be ranked: withdrawn, or never seated at a table."""
    sat = set(Seat.objects.filter(round__stage=stage).values_list("entrant__number", flat=True))
    field_ = stage.field.values_list("entrant__number", "entrant__state")
    return {number for number, state in field_ if number not in sat or state == "withdrawn"}


def ranks(stage: Stage) -> dict[int, int | None]:
    """Return the rank by start number; ties share a rank, and unranked entrants have ``None``.

    After pools, the entrants outside every bracket follow, by their place in the pool.
    """
    records = counted(stage)
    numbers = set(stage.field.values_list("entrant__number", flat=True))
    through, out = _in_brackets(stage), gone(stage)
    if stage.format in BRACKETS:
        out = {number for number in out if not through.get(number, (9,))[-1]}
        numbers = out | set(through)
        keys = {}
        for number in numbers - out:
            draw, *places, _beaten = through[number]
            # For equal places in the pools, the ranking rule decides.
            last = (
                values_of(stage, records.get(number, Counted()), records.values())
                if draw == NO_BRACKET
                else ()
            )
            keys[number] = (draw, *places, *(-value for value in last))
    else:
        keys = {
            number: tuple(
                -value
                for value in values_of(stage, records.get(number, Counted()), records.values())
            )
            for number in numbers - out
        }
    found = {number: 1 + sum(k < key for k in keys.values()) for number, key in keys.items()}
    return {number: found.get(number) for number in sorted(numbers)}


def winner(table: Table) -> int | None:
    """Return the winner's start number in a match of two: by games, then points, then the director's decision."""
    at = {seat.position: seat.entrant.number for seat in table.seats.select_related("entrant")}
    if table.decided_for_id is not None:
        return Entrant.objects.get(pk=table.decided_for_id).number
    tally: dict[str, list[int]] = {"NS": [0, 0], "EW": [0, 0]}
    for official in OfficialResult.objects.filter(current=True, sheet__table=table):
        for side, marks in official.result["marks"].items():
            tally[side][0] += official.result["winner"] == side
            tally[side][1] += marks
    if tally["NS"] == tally["EW"]:
        return None
    return at["NS" if tally["NS"] > tally["EW"] else "EW"]


def lots(seed: str, stroke: str, numbers: Iterable[int]) -> list[int]:
    """Return tied entrants in the order of public lots by the guide's procedure: SHA-256, from the last place on."""
    order = sorted(numbers)
    text = f"{seed}|{stroke}|{','.join(map(str, order))}"
    blocks = (sha256(f"{text}|{block}".encode()).digest() for block in count())
    drawn = (
        int.from_bytes(block[at : at + 4], "big") for block in blocks for at in range(0, 32, 4)
    )
    for place in range(len(order), 1, -1):
        most = 2**32 // place * place
        other = next(number for number in drawn if number < most) % place
        order[place - 1], order[other] = order[other], order[place - 1]
    return order


def pool_orders(stage: Stage) -> list[list[int]]:
    """Return the members of every pool, best first by their own matches; public lots order ties.

    Withdrawn members are not in the order.
    """
    last = Draw.objects.filter(round__stage=stage, state="published").order_by("-round__number")
    plan = last[0].plan if last else {}
    if "knockout_from" not in plan:
        return []
    records = counted(stage, before=plan["knockout_from"])
    orders = []
    for pool in plan.get("pools", ()):
        groups: dict[tuple[Fraction, ...], list[int]] = defaultdict(list)
        for number in set(pool) - left(stage):
            groups[values_of(stage, records.get(number, Counted()), records.values())].append(
                number
            )
        seed = f"{stage.event.public_seed}/{stage.order}"
        orders.append(
            [
                number
                for key in sorted(groups, reverse=True)
                for number in lots(seed, "pool", groups[key])
            ]
        )
    return orders


def check_pools(stage: Stage) -> int:
    """Check that exactly the first two of every pool were drawn for the knock-out. Return the number of pools."""
    drawn = Draw.objects.filter(round__stage=stage, state="published").order_by("-round__number")
    plan = drawn[0].plan if drawn else {}
    pools = 0
    through = {number for number in plan.get("main", ()) if number}
    for order in pool_orders(stage):
        here = [number for number in order if number in through]
        assert here == order[: len(here)], (order, through)
        assert len(here) == min(2, len(order))
        pools += 1
    return pools


def _in_brackets(stage: Stage) -> dict[int, tuple[int, ...]]:
    """Return, by start number, the draw, how early they were beaten, a lost third place, and whether beaten.

    Followed from the matches alone: a loser is out, and two beaten entrants who meet play for the third place. A place
    reached is kept (docs/ranking.md): an unbeaten entrant who withdraws is out in the round after.
    """
    last = Draw.objects.filter(round__stage=stage, state="published").order_by("-round__number")
    plan = last[0].plan if stage.format in BRACKETS and last else {}
    found: dict[int, tuple[int, ...]] = {}
    for draw, name in enumerate(("main", "consolation")):
        if name not in plan:
            continue
        members = {number for number in plan[name] if number}
        out: dict[int, int] = {}
        third: dict[int, int] = {}
        rounds = stage.rounds.filter(number__gte=plan["knockout_from"], published_at__isnull=False)
        for round_ in rounds.order_by("number"):
            beaten = dict(out)
            for table in round_.tables.all():
                seats = table.seats.values_list("entrant__number", flat=True)
                won = winner(table)
                if won is None or not members.issuperset(seats):
                    continue
                lost = next(number for number in seats if number != won)
                if won in beaten:
                    third[lost] = 1
                else:
                    out[lost] = round_.number
        for number in members.intersection(left(stage)).difference(out):
            present = [
                at
                for at, (tables, resting) in enumerate(seated(stage), start=1)
                if number in resting or any(number in table for table in tables)
            ]
            if present:
                out[number] = present[-1] + 1
        for number in members:
            found[number] = (draw, -out.get(number, 99), third.get(number, 0), number in out)
    if "main" in plan:
        # Entrants outside every bracket follow.
        for order in pool_orders(stage):
            for place, number in enumerate(order, start=1):
                found.setdefault(number, (NO_BRACKET, place, 0, False))
    return found


def seated(stage: Stage) -> list[tuple[list[tuple[int, ...]], tuple[int, ...]]]:
    """Return, by round, the tables with their players, and the players who rested."""
    found = []
    for round_ in stage.rounds.filter(published_at__isnull=False).order_by("number"):
        tables: dict[object, list[int]] = defaultdict(list)
        at = Seat.objects.filter(round=round_).values_list("table_id", "entrant__number")
        for table, number in at:
            tables[table].append(number)
        byes = Bye.objects.filter(round=round_).values_list("entrant__number", flat=True)
        found.append((sorted(tuple(sorted(t)) for t in tables.values()), tuple(sorted(byes))))
    return found


def seatings(left: frozenset[int], sizes: tuple[int, ...]) -> Iterator[list[tuple[int, ...]]]:
    """Yield every seating of all of ``left`` at tables of these sizes."""
    if not left:
        yield []
        return
    first = min(left)
    for size in sorted(set(sizes)):
        at = sizes.index(size)
        for others in combinations(sorted(left - {first}), size - 1):
            rest = left - {first, *others}
            for more in seatings(rest, sizes[:at] + sizes[at + 1 :]):
                yield [(first, *others), *more]


def check_certificates(event: Event, largest: int = 12) -> int:
    """Check the draws' counts of repeated meetings and, for small fields, their claims of optimality.

    A seating with fewer repeated meetings, in which no player rests twice before all others once, would disprove a
    claim. Returns the number of claims tried.
    """
    met: Counter[tuple[int, int]] = Counter()
    had: Counter[int] = Counter()
    tried = 0
    drawn = Draw.objects.filter(round__stage__event=event, state="published")
    parts = [part for stage in event.stages.order_by("order") for part in seated(stage)]
    for draw, (tables, byes) in zip(
        drawn.order_by("round__stage__order", "round__number"), parts, strict=True
    ):
        lines = {each["code"]: each for each in draw.certificate["lines"]}
        # A Swiss draw weighs rematches, all other formats weigh shared tables.
        line = lines.get("repeated_meetings") or lines["rematches"]
        again = sum(met[two] > 0 for table in tables for two in combinations(table, 2))
        assert line["value"] == again
        assert line["bound"] <= again or not line["proven"]
        here = {*byes, *(number for table in tables for number in table)}
        sizes = tuple(sorted(map(len, tables)))
        if line["bound"] and line["proven"] and len(here) <= largest and len(set(sizes)) == 1:
            tried += 1
            # Players who fill up at a table of three are listed among the byes too.
            resting = here.difference(*tables)
            outs = list(combinations(sorted(here), len(resting)))
            fewest = min(sum(had[number] for number in out) for out in outs)
            assert line["bound"] <= min(
                sum(met[two] > 0 for table in seating for two in combinations(table, 2))
                for out in outs
                if sum(had[number] for number in out) == fewest
                for seating in seatings(frozenset(here.difference(out)), sizes)
            )
        met.update(two for table in tables for two in combinations(table, 2))
        had.update(byes)
    return tried
