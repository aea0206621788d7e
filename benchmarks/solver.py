"""Speed of the double-dummy solver on whole random deals, and against plain alpha-beta on endings.

``python -m benchmarks.solver [--deals N] [--seed S] [RULEBOOK ...]`` solves the same number of
random whole deals in every rulebook with sides, to the exact value and every best card, and prints
processor seconds (median, 95th centile, worst) and nodes. A trump suit and no trump take turns where
the rulebook knows no trump (one deal in five). The baseline is alpha-beta on whole windows, without
a table of positions, over the engine's public legality: it is too slow for whole deals, so both
solve the same five-card endings, every card of the player to move, and must agree. The last line
is the same as JSON.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from collections.abc import Sequence
from typing import Any, Final

from scoring.engine.cardplay import card_play
from scoring.engine.cards import NO_TRUMP, VALUES, cards_of, mask_of
from scoring.engine.legality import LEADING, View, legal_mask, winners_over
from scoring.engine.rulebook import resolve
from scoring.engine.solve import BLIND_LIMIT, Position, solve

BOUND = ("parlee", "boussac", "chaloupee", "coinchee", "belgian")
"""Rulebooks with duties to beat and ruff, which the bar applies to."""

FREER: Final[tuple[tuple[str, dict[str, object]], ...]] = (
    ("muette", {}),
    ("muette", {"muette_ruff": "ALWAYS"}),
    ("muette", {"muette_ruff": "OPPONENT_MASTER"}),
    ("parlee-limited", {}),
    ("three-player", {}),
    ("auction-2", {"players": 3}),
    ("auction-2", {}),
    ("blind", {}),
)
"""Games with fewer duties or hands of ten cards, and blind games, which are solved only in endings."""

MEDIAN_BAR, WORST_BAR = 0.3, 4.0
"""Processor seconds of a whole deal in the rulebooks of :data:`BOUND`."""

ENDING = 5


def random_position(
    rng: random.Random, key: str, options: dict[str, object], size: int | None = None
) -> Position:
    """Return a random position of a rulebook before a lead, with ``size`` cards a hand (default: whole)."""
    game = resolve(key, options)
    play = card_play(game, rng.choice(game.seats) if not game.fixed_sides else None)
    players = len(play.seats)
    size = size or (min(play.hand, BLIND_LIMIT) if not play.duties.follow else play.hand)
    pack = list(cards_of(play.deck))
    rng.shuffle(pack)
    whole = size == play.hand
    no_trump = game.book.no_trump and rng.randrange(5) == 0
    return Position(
        duties=play.duties,
        trump=NO_TRUMP if no_trump else rng.randrange(4),
        hands=tuple(mask_of(pack[p * size : (p + 1) * size]) for p in range(players)),
        leader=rng.randrange(players),
        sides=play.side_of,
        trick_point=play.trick_point,
        reserve=mask_of(pack[players * size :]) if whole and play.reserve_scores else 0,
    )


def plain_alpha_beta(position: Position) -> tuple[int, int]:
    """Return the points of side 0 and the number of nodes, by alpha-beta without a table over the public legality."""
    players = len(position.hands)
    sides = position.sides
    nodes = 0

    def search(
        hands: tuple[int, ...], leader: int, trick: tuple[int, ...], low: int, high: int
    ) -> int:
        nonlocal nodes
        nodes += 1
        if not trick and not any(hands):
            return 0
        player = (leader + len(trick)) % players
        side = sides[player]
        winner, master = leader, -1
        for place, card in enumerate(trick):
            if place == 0 or winners_over(position.trump, master) >> card & 1:
                winner, master = (leader + place) % players, card
        view = (
            View(trick[0] >> 3, master, sides[winner] == side, sides[leader] != side)
            if trick
            else LEADING
        )
        best = -1 if side == 0 else 1 << 10
        for card in cards_of(legal_mask(position.duties, position.trump, view, hands[player])[0]):
            rest = tuple(h & ~(1 << card) if p == player else h for p, h in enumerate(hands))
            if len(trick) + 1 < players:
                value = search(rest, leader, (*trick, card), low, high)
            else:
                takes = winners_over(position.trump, master) >> card & 1
                taker = player if takes else winner
                won = sum(VALUES[c] for c in (*trick, card)) + position.trick_point
                won = won if sides[taker] == 0 else 0
                value = won + search(rest, taker, (), low - won, high - won)
            if side == 0:
                best = max(best, value)
                low = max(low, best)
            else:
                best = min(best, value)
                high = min(high, best)
            if low >= high:
                break
        return best

    return search(position.hands, position.leader, position.trick, -1, 1 << 10), nodes


def spread(values: Sequence[float]) -> tuple[float, float, float]:
    """Return the median, the 95th percentile and the maximum."""
    ordered = sorted(values)
    return ordered[len(ordered) // 2], ordered[int(len(ordered) * 0.95)], ordered[-1]


def measure(key: str, options: dict[str, object], deals: int, seed: int) -> dict[str, Any]:
    """Return the processor seconds and nodes of ``deals`` random deals of one rulebook."""
    rng = random.Random(f"{seed}/{key}/{sorted(options.items())}")
    seconds, nodes = [], []
    for _ in range(deals):
        position = random_position(rng, key, options)
        start = time.process_time()
        solution = solve(position)
        seconds.append(time.process_time() - start)
        nodes.append(solution.nodes)
        assert solution.exact
    return {
        "rulebook": key,
        "options": options,
        "deals": deals,
        "seconds": [round(value, 4) for value in spread(seconds)],
        "nodes": [int(value) for value in spread(nodes)],
    }


def compare(key: str, endings: int, seed: int) -> dict[str, Any]:
    """Compare the solver and the baseline on the same endings of :data:`ENDING` cards."""
    rng = random.Random(f"{seed}/{key}/endings")
    ours = plain = 0.0
    our_nodes = plain_nodes = 0
    for _ in range(endings):
        position = random_position(rng, key, {}, ENDING)
        start = time.process_time()
        solution = solve(position)
        ours += time.process_time() - start
        start = time.process_time()
        value, nodes = plain_alpha_beta(position)
        plain += time.process_time() - start
        assert solution.points is not None
        assert solution.points[0] == value
        our_nodes += solution.nodes
        plain_nodes += nodes
    return {
        "rulebook": key,
        "endings": endings,
        "cards": ENDING,
        "seconds": [round(ours, 4), round(plain, 4)],
        "nodes": [our_nodes, plain_nodes],
        "ratio": round(plain / ours, 1),
    }


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the figures. Return 1 when a rulebook of the bar misses it."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.solver", description=__doc__)
    parser.add_argument("--deals", type=int, default=200, help="random deals a rulebook")
    parser.add_argument("--endings", type=int, default=20, help="five-card endings a rulebook")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("rulebooks", nargs="*", metavar="RULEBOOK")
    chosen = parser.parse_args(arguments)
    games: list[tuple[str, dict[str, object]]] = [(key, {}) for key in BOUND]
    games += [(key, dict(options)) for key, options in FREER]
    if chosen.rulebooks:
        games = [game for game in games if game[0] in chosen.rulebooks]
    print(
        f"{chosen.deals} random deals each, processor seconds: median, 95th centile, worst; nodes"
    )
    figures, missed = [], 0
    for key, options in games:
        figure = measure(key, options, chosen.deals, chosen.seed)
        figures.append(figure)
        name = " ".join([key, *(f"{k}={v}" for k, v in options.items())])
        median, late, worst = figure["seconds"]
        verdict = ""
        if key in BOUND:
            held = median < MEDIAN_BAR and worst < WORST_BAR
            missed += not held
            verdict = "bar held" if held else "bar missed"
        elif not random_position(random.Random(0), key, options).duties.follow:
            verdict = f"endings of {BLIND_LIMIT} cards"
        print(
            f"{name:36} {median:8.3f} {late:8.3f} {worst:8.3f}   "
            f"{figure['nodes'][0]:>8} {figure['nodes'][1]:>8} {figure['nodes'][2]:>8}  {verdict}",
            flush=True,
        )
    print(f"against plain alpha-beta, the same endings of {ENDING} cards:")
    ratios = []
    for key in dict.fromkeys(key for key, _ in games):
        first = random_position(random.Random(0), key, {})
        if not first.duties.follow or first.hands[0].bit_count() > 8 or not chosen.endings:
            continue
        ratio = compare(key, chosen.endings, chosen.seed)
        ratios.append(ratio)
        ours, plain = ratio["seconds"]
        print(f"{key:36} {ours:8.3f} {plain:8.3f}   x {ratio['ratio']}", flush=True)
    print(json.dumps({"solver": figures, "baseline": ratios}))
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
