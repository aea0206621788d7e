"""Time to compute standings, compared with a plain sort whose key computes the criteria at each comparison.

Field: 544 players, nine rounds at tables of four, partners redrawn each round (rules specification
D.1 E4/E5: 544 players), ranked by every criterion there is. The baseline is the obvious way to
write it: one comparison function that computes both entrants' criteria when it is asked, without
the table of sums. Both must give the same order, or there is no figure.

``python -m benchmarks.standings`` prints seconds and the ratio; ``--check`` fails when a standing
is not at least :data:`LEAST_RATIO` times faster than the baseline.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections.abc import Callable
from functools import cmp_to_key
from time import perf_counter

from tournament.ranking.canonical import state_hash
from tournament.ranking.criteria import CRITERIA, build
from tournament.ranking.model import Entrant, Outcome, Played, Rule, use
from tournament.ranking.ranking import rank

PLAYERS = 544
ROUNDS = 9
LEAST_RATIO = 8
EVERY = Rule(
    (
        use("games_won"),
        use("match_points"),
        use("net_marks"),
        use("marks"),
        *(
            use(code)
            for code in CRITERIA
            if code not in {"games_won", "match_points", "net_marks", "marks", "lots"}
        ),
        use("lots"),
    )
)


def event(players: int, rounds: int, seed: int = 2023) -> tuple[list[Entrant], list[Played]]:
    """Return a field and its results, the same for each seed."""
    chance = random.Random(seed)
    entrants = [Entrant(f"{number:04d}", number) for number in range(1, players + 1)]
    ids = [entrant.id for entrant in entrants]
    lines: list[Played] = []
    for round_no in range(1, rounds + 1):
        chance.shuffle(ids)
        for table in range(players // 4):
            a, b, c, d = ids[4 * table : 4 * table + 4]
            ahead, behind = 101 + chance.randrange(20), chance.randrange(101)
            for side, other, win in (((a, c), (b, d), True), ((b, d), (a, c), False)):
                for index, player in enumerate(side):
                    lines.append(
                        Played(
                            round_no=round_no,
                            entrant=player,
                            outcome=Outcome.WIN if win else Outcome.LOSS,
                            marks_for=ahead if win else behind,
                            marks_against=behind if win else ahead,
                            opponents=other,
                            partners=(side[1 - index],),
                            table=table + 1,
                            deals=12,
                            best_deal=10 + chance.randrange(50),
                            points=400 if win else 320,
                            max_points=720,
                        )
                    )
    return entrants, lines


def naive(entrants: list[Entrant], lines: list[Played]) -> list[str]:
    """Return the order by the first four criteria, recomputed at every comparison."""

    def totals(player: str) -> tuple[int, int, int, int]:
        won = points = net = marks = 0
        for line in lines:
            if line.entrant == player:
                won += line.outcome is Outcome.WIN
                points += 2 * (line.outcome is Outcome.WIN)
                net += int(line.marks_for - line.marks_against)
                marks += int(line.marks_for)
        return won, points, net, marks

    def compare(one: Entrant, other: Entrant) -> int:
        mine, theirs = totals(one.id), totals(other.id)
        if mine != theirs:
            return -1 if mine > theirs else 1
        return one.number - other.number

    return [entrant.id for entrant in sorted(entrants, key=cmp_to_key(compare))]


def best_of(times: int, work: Callable[[], object]) -> float:
    """Return the seconds of the fastest run, which other work disturbed least."""
    found = []
    for _ in range(times):
        start = perf_counter()
        work()
        found.append(perf_counter() - start)
    return min(found)


def measure(players: int = PLAYERS, rounds: int = ROUNDS, runs: int = 5) -> dict[str, object]:
    """Measure both ways. Raise ``AssertionError`` when the orders differ on the common criteria."""
    entrants, lines = event(players, rounds)
    first_four = Rule(EVERY.criteria[:4])
    ours = [row.entrant.id for row in rank(entrants, lines, (), first_four).rows]
    start = perf_counter()
    theirs = naive(entrants, lines)
    baseline = perf_counter() - start
    if ours != theirs:
        raise AssertionError("The standing and the plain sort disagree.")
    every = best_of(runs, lambda: rank(entrants, lines, (), EVERY))
    four = best_of(runs, lambda: rank(entrants, lines, (), first_four))
    standing = rank(entrants, lines, (), EVERY)
    hashing = best_of(runs, lambda: state_hash(standing))
    return {
        "players": players,
        "rounds": rounds,
        "criteria": len([build(used) for used in EVERY.criteria]),
        "all_criteria_seconds": round(every, 4),
        "four_criteria_seconds": round(four, 4),
        "hash_seconds": round(hashing, 4),
        "plain_sort_four_criteria_seconds": round(baseline, 4),
        "ratio_all_criteria": round(baseline / every, 1),
        "ratio_same_criteria": round(baseline / four, 1),
    }


def main() -> int:
    """Print the figures as JSON. Return 1 when ``--check`` finds them too slow."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="fail below the least ratio")
    parser.add_argument("--players", type=int, default=PLAYERS)
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    options = parser.parse_args()
    figures = measure(options.players, options.rounds)
    print(json.dumps(figures, indent=1))
    ratio = figures["ratio_all_criteria"]
    return int(options.check and isinstance(ratio, float) and ratio < LEAST_RATIO)


if __name__ == "__main__":
    sys.exit(main())
