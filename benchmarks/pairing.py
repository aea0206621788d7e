"""Speed and quality of draws, each compared with a named baseline in the same run.

``python -m benchmarks.pairing`` (``--full`` adds networkx on 1,000 pairs, about a minute). Individual
draws stand beside *the public seeder*, the genetic search of Good-Enough Golfers, which people use to seat such
days, and beside *the plain seeder*: two players exchanged at random and kept when not worse, started again
when stuck. Both only seat, each remembering its own day; ours also splits into partners, shares duties
and proves its certificate. Swiss rounds stand beside ``networkx.max_weight_matching`` on the
same graph with the same weights, and beside py4swiss's Dutch system when it can be imported (it is not
a requirement; a temporary environment with it on the path is enough). The last line is the same as JSON.
Exit status 1 when a bar is missed.
"""

from __future__ import annotations

import argparse
import importlib.util
import itertools
import json
import random
import sys
import time
from collections import Counter
from itertools import combinations

import networkx

from tournament.pairing.championship import draw_championship
from tournament.pairing.columns import plan_for
from tournament.pairing.model import Contestant, History, Kind, Request, Table, Wishes
from tournament.pairing.swiss import allowed_pairs, draw_swiss, swiss_matching
from tournament.pairing.swiss_costs import Order, costing

Report = dict[str, object]


def plain_seeder(
    ids: list[int], met: set[tuple[int, int]], rng: random.Random, limit: float
) -> tuple[list[list[int]], int]:
    """Seat tables of four by random exchanges. Return them with the repeated meetings left after ``limit`` seconds."""

    def cost(group: list[int]) -> int:
        return sum(1 for two in combinations(sorted(group), 2) if two in met)

    start = time.process_time()
    best: tuple[int, list[list[int]]] | None = None
    while best is None or (best[0] and time.process_time() - start < limit):
        order = ids[:]
        rng.shuffle(order)
        groups = [order[k : k + 4] for k in range(0, len(order), 4)]
        costs = [cost(g) for g in groups]
        stale = 0
        while sum(costs) and stale < 20_000 and time.process_time() - start < limit:
            a, b = rng.sample(range(len(groups)), 2)
            i, j = rng.randrange(4), rng.randrange(4)
            groups[a][i], groups[b][j] = groups[b][j], groups[a][i]
            one, two = cost(groups[a]), cost(groups[b])
            change = one + two - costs[a] - costs[b]
            if change <= 0:
                costs[a], costs[b] = one, two
                stale = 0 if change < 0 else stale + 1
            else:
                groups[a][i], groups[b][j] = groups[b][j], groups[a][i]
                stale += 1
        if best is None or sum(costs) < best[0]:
            best = (sum(costs), [list(g) for g in groups])
    return best[1], best[0]


def golfers_seeder(
    ids: list[int], met: dict[tuple[int, int], int], rng: random.Random, limit: float
) -> tuple[list[list[int]], int]:
    """Search as the public seeder "Good-Enough Golfers" does, with its published parameters, in Python.

    Five random rounds; for up to thirty generations the worst table of every candidate exchanges each of its players
    with all others, and two random rounds are added; a hundred of the best candidates, by lot, go on. A pair costs the
    square of its number of meetings. Only the two tables of an exchange are weighed again, and only candidates that go
    on are built: the original weighs and builds every candidate in full.
    """

    def cost(group: list[int]) -> int:
        return sum(met.get(two, 0) ** 2 for two in combinations(sorted(group), 2))

    def fresh() -> tuple[int, list[list[int]]]:
        order = ids[:]
        rng.shuffle(order)
        groups = [order[k : k + 4] for k in range(0, len(order), 4)]
        return sum(map(cost, groups)), groups

    start = time.process_time()
    best = sorted((fresh() for _ in range(5)), key=lambda item: item[0])
    for _ in range(30):
        if not best[0][0] or time.process_time() - start > limit:
            break
        least = best[0][0]
        # Each candidate is a round and, after an exchange, the two changed tables.
        found: list[tuple[list[list[int]], tuple[int, list[int], int, list[int]] | None]] = []
        for total, groups in best:
            costs = [cost(g) for g in groups]
            worst = max(range(len(groups)), key=costs.__getitem__)
            again = [fresh(), fresh()]
            for now, whole in [(total, groups), *again]:
                if now < least:
                    least, found = now, []
                if now == least:
                    found.append((whole, None))
            for i, other in itertools.product(range(4), range(len(groups))):
                for j in range(4) if other != worst else ():
                    one, two = groups[worst][:], groups[other][:]
                    one[i], two[j] = two[j], one[i]
                    now = total + cost(one) + cost(two) - costs[worst] - costs[other]
                    if now < least:
                        least, found = now, []
                    if now == least:
                        found.append((groups, (worst, one, other, two)))
        rng.shuffle(found)
        best = []
        for groups, change in found[:100]:
            whole = [list(g) for g in groups]
            if change is not None:
                worst, one, other, two = change
                whole[worst], whole[other] = one, two
            best.append((least, whole))
    return best[0][1], best[0][0]


def day(
    n: int, rounds: int, *, change: bool, plan: bool, kind: Kind = Kind.ROTATION, limit: float = 3.0
) -> Report:
    """Draw a day of ``n`` players with our algorithm and with the plain seeder, the same players present."""
    rng = random.Random(n)
    here = [Contestant(i, club=f"club {i % 40}") for i in range(1, n + 1)]
    history = History()
    slots: tuple[int, ...] = ()
    met: set[tuple[int, int]] = set()
    ours, theirs, left = [], [], 0
    public, public_left = [], 0
    public_met: Counter[tuple[int, int]] = Counter()
    for number in range(1, rounds + 1):
        if change and number > 1:
            for _ in range(6):
                here.pop(rng.randrange(len(here)))
            here += [Contestant(10_000 + 10 * number + k, club="late") for k in range(2)]
        wishes = Wishes(clubs_apart_until=2)
        request = Request(
            tuple(here),
            number,
            "benchmark",
            rounds,
            kind,
            history=history,
            wishes=wishes,
            slots=slots,
        )
        start = time.process_time()
        drawn = draw_championship(request)
        ours.append(time.process_time() - start)
        history = history.after(drawn.tables, drawn.byes)
        slots = drawn.slots if plan else ()
        seated = here[: len(drawn.tables) * 4]
        ids = [c.id for c in seated]
        clubmates: set[tuple[int, int]] = set()
        if number <= wishes.clubs_apart_until:
            clubmates = {
                (min(a.id, b.id), max(a.id, b.id))
                for a, b in combinations(seated, 2)
                if a.club == b.club
            }
        start = time.process_time()
        weights = public_met + Counter(clubmates)
        groups, _ = golfers_seeder(ids, weights, rng, 10 * limit)
        public.append(time.process_time() - start)
        pairs = {two for g in groups for two in combinations(sorted(g), 2)}
        public_left += sum(1 for two in pairs if public_met[two])
        public_met.update(pairs)
        start = time.process_time()
        groups, _ = plain_seeder(ids, met | clubmates, rng, limit)
        theirs.append(time.process_time() - start)
        left += sum(1 for g in groups for two in combinations(sorted(g), 2) if two in met)
        met |= {two for g in groups for two in combinations(sorted(g), 2)}
    lines = drawn.certificate.values()
    report: Report = {
        "players": n,
        "rounds": rounds,
        "slowest_round_s": round(max(ours), 4),
        "stage_s": round(sum(ours), 4),
        "repeated_meetings": lines["meetings_total"],
        "repeated_partners": sum(v - 1 for v in history.partners.values() if v > 1)
        if kind is Kind.PARTNERS
        else 0,
        "plain_seeder_stage_s": round(sum(theirs), 4),
        "plain_seeder_repeated_meetings": left,
        "public_seeder_stage_s": round(sum(public), 4),
        "public_seeder_repeated_meetings": public_left,
        "ratio_to_public_seeder": round(sum(public) / sum(ours), 1),
    }
    return report


def closed_forms() -> Report:
    """Count the repeated meetings of every championship size for five to eight rounds; there must be none."""
    sizes = (32, 36, 44, 64, 100, 200, 400, 544, 576, 1000)
    plan_for.cache_clear()
    start = time.process_time()
    plans = {(n, r): plan_for(n, r) for n in sizes for r in (5, 6, 7, 8)}
    spent = time.process_time() - start
    twice = 0
    for plan in plans.values():
        seen: set[tuple[int, int]] = set()
        for one in plan or ():
            for table in one:
                for two in combinations(sorted(table), 2):
                    twice += two in seen
                    seen.add(two)
    plan_for.cache_clear()
    start = time.process_time()
    plan_for(544, 6)
    return {
        "plans": len(plans),
        "missing": sum(1 for p in plans.values() if p is None),
        "repeated_meetings": twice,
        "all_ms": round(1000 * spent, 2),
        "544x6_ms": round(1000 * (time.process_time() - start), 2),
    }


def evenings() -> Report:
    """Draw two evenings of five rounds for 17 to 22 players; count the rounds above the least of their meetings."""
    above, spent = 0, []
    for n in range(17, 23):
        for code in ("one", "two"):
            history, slots = History(), tuple[int, ...]()
            field = tuple(Contestant(number) for number in range(1, n + 1))
            for number in range(1, 6):
                request = Request(
                    field, number, code, 5, Kind.PARTNERS, history=history, slots=slots
                )
                start = time.process_time()
                drawn = draw_championship(request)
                spent.append(time.process_time() - start)
                above += not drawn.certificate["repeated_meetings"].optimal
                history, slots = history.after(drawn.tables, drawn.byes), drawn.slots
    return {
        "rounds": len(spent),
        "above_the_least": above,
        "slowest_round_s": round(max(spent), 2),
        "evenings_s": round(sum(spent), 1),
    }


def swiss_field(n: int, rounds: int) -> tuple[Request, list[tuple[Table, int]]]:
    """Play some Swiss rounds with random results. Return the request of the next round, and the results."""
    rng = random.Random(n)
    score = dict.fromkeys(range(1, n + 1), 0)
    history = History()
    results = []
    for number in range(1, rounds + 2):
        field = tuple(Contestant(i, rating=n - i, score=s) for i, s in score.items())
        request = Request(field, number, "benchmark", kind=Kind.MATCH, history=history)
        if number > rounds:
            break
        drawn = draw_swiss(request)
        for table in drawn.tables:
            won = rng.choice((0, 1, 2))
            score[table.players[0]] += won
            score[table.players[1]] += 2 - won
            results.append((table, won))
        history = history.after(drawn.tables, drawn.byes)
    return request, results


def networkx_cost(request: Request) -> tuple[float, int]:
    """Return the seconds and the total cost of networkx on the whole graph."""
    cost = costing(request, Order.HALVES)
    left, right = allowed_pairs(cost)
    prices = cost.combine(cost.terms(left, right))
    top = max(prices) + 1
    start = time.process_time()
    graph = networkx.Graph()
    graph.add_weighted_edges_from(
        (a, b, top - p) for a, b, p in zip(left.tolist(), right.tolist(), prices, strict=True)
    )
    found = networkx.max_weight_matching(graph, maxcardinality=True)
    spent = time.process_time() - start
    return spent, sum(top - graph[a][b]["weight"] for a, b in found)


def dutch_seconds(n: int, results: list[tuple[Table, int]], rounds: int) -> float | None:
    """Return the seconds of py4swiss's Dutch engine on the same results, or ``None`` when it is not installed."""
    if importlib.util.find_spec("py4swiss") is None:
        return None
    from py4swiss.engines import DutchEngine
    from py4swiss.trf import ParsedTrf
    from py4swiss.trf.codes import PlayerCode
    from py4swiss.trf.results import ColorToken, ResultToken, RoundResult
    from py4swiss.trf.sections import PlayerSection, XSection

    marks = {2: ResultToken.WIN, 1: ResultToken.DRAW, 0: ResultToken.LOSS}
    rows: dict[int, list[object]] = {i: [] for i in range(1, n + 1)}
    points = dict.fromkeys(rows, 0)
    whites = dict.fromkeys(rows, 0)
    for table, won in results:
        one, two = table.players
        first = whites[one] <= whites[two]
        whites[one] += first
        whites[two] += not first
        colours = (
            (ColorToken.WHITE, ColorToken.BLACK) if first else (ColorToken.BLACK, ColorToken.WHITE)
        )
        rows[one].append(RoundResult(id=two, color=colours[0], result=marks[won]))
        rows[two].append(RoundResult(id=one, color=colours[1], result=marks[2 - won]))
        points[one] += 5 * won
        points[two] += 5 * (2 - won)
    sections = [
        PlayerSection(
            code=PlayerCode.PLAYER,
            starting_number=i,
            points_times_ten=points[i],
            rank=i,
            results=rows[i],
        )
        for i in rows
    ]
    trf = ParsedTrf(player_sections=sections, x_section=XSection(number_of_rounds=rounds + 5))
    start = time.process_time()
    DutchEngine.generate_pairings(trf)
    return time.process_time() - start


def swiss(n: int, bar: float | None, *, against_networkx: bool) -> Report:
    """Measure the fifth round of a Swiss event, with the comparisons."""
    request, results = swiss_field(n, 4)
    spent = []
    for _ in range(3 if n <= 1000 else 1):
        start = time.process_time()
        drawn = draw_swiss(request)
        spent.append(time.process_time() - start)
    cost = costing(request, Order.HALVES)
    matches = swiss_matching(cost)
    report: Report = {"pairs": n, "s": round(min(spent), 4), "bar_s": bar}
    report["terms"] = drawn.certificate.values()
    report["proven"] = all(line.proven for line in drawn.certificate.lines)
    if against_networkx:
        seconds, theirs = networkx_cost(request)
        import numpy as np

        left, right = np.array(matches, dtype=np.int64).T
        ours = sum(cost.combine(cost.terms(left, right)))
        report["networkx_s"] = round(seconds, 3)
        report["networkx_ratio"] = round(seconds / min(spent), 1)
        report["same_cost_as_networkx"] = ours == theirs
    seconds_or_none = dutch_seconds(n, results, 4) if n <= 1000 else None
    if seconds_or_none is not None:
        report["dutch_engine_s"] = round(seconds_or_none, 3)
        report["dutch_engine_ratio"] = round(seconds_or_none / min(spent), 1)
    return report


def show(title: str, report: Report) -> None:
    """Print one block of the table."""
    print(f"\n{title}")
    for key, value in report.items():
        print(f"  {key:32} {value}")


def main() -> int:
    """Print the blocks and the JSON line. Return 1 when a bar is missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--full", action="store_true", help="networkx on 1,000 pairs too")
    full = parser.parse_args().full
    missed: list[str] = []

    def bar(name: str, met: bool) -> None:
        if not met:
            missed.append(name)

    forms = closed_forms()
    show("Closed forms, ten sizes × 5–8 rounds", forms)
    bar("closed forms", forms["missing"] == 0 and forms["repeated_meetings"] == 0)
    blocks: dict[str, Report] = {"closed_forms": forms}
    for name, title, options in (
        ("stable", "544 × 6, stable field (closed form)", {"change": False, "plan": True}),
        ("changing", "544 × 6, withdrawals and late players", {"change": True, "plan": True}),
        ("search", "544 × 6, search alone, changing field", {"change": True, "plan": False}),
    ):
        block = day(544, 6, kind=Kind.PARTNERS, **options)
        show(title, block)
        blocks[name] = block
        bar(
            name,
            block["repeated_meetings"] == 0
            and block["repeated_partners"] == 0
            and float(str(block["slowest_round_s"])) <= 0.3,
        )
    block = evenings()
    show("17 to 22 players, two evenings of five rounds", block)
    blocks["evenings"] = block
    bar("evenings", not block["above_the_least"] and float(str(block["slowest_round_s"])) <= 5)
    for n, rounds, most in (
        (16, 6, 24),
        (20, 6, 6),
        (24, 6, 2),
        (24, 7, 9),
        (16, 5, 0),
        (20, 5, 0),
        (24, 5, 0),
        (64, 15, 0),
        (100, 20, 0),
    ):
        block = day(n, rounds, change=False, plan=True, kind=Kind.PARTNERS, limit=0.3)
        block["most_allowed"] = most
        show(f"{n} × {rounds}", block)
        blocks[f"{n}x{rounds}"] = block
        bar(
            f"{n}x{rounds}",
            int(str(block["repeated_meetings"])) <= most and block["repeated_partners"] == 0,
        )
    if importlib.util.find_spec("py4swiss") is None:
        print("\npy4swiss is not installed here: the Dutch engine is left out.")
    for n, limit in ((272, 0.1), (1000, 0.7), (3000, None)):
        block = swiss(n, limit, against_networkx=n == 272 or (full and n == 1000))
        show(f"Swiss round of {n} pairs", block)
        blocks[f"swiss_{n}"] = block
        bar(f"swiss {n}", limit is None or float(str(block["s"])) < limit)
        bar(f"swiss {n} optimum", block.get("same_cost_as_networkx", True) is True)
    report: Report = {
        "benchmark": "pairing",
        "baseline": "public seeder (Good-Enough Golfers), plain random-restart seeder; networkx; py4swiss when installed",
        **blocks,
        "missed": missed,
        "met": not missed,
    }
    print(json.dumps(report))
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
