"""Speed of the rules engine on whole deals, against the plain implementation, in one run.

``python -m benchmarks.engine`` validates the same random 32-card deals (legality of every play,
winners, tricks, points; 32 different cards) with :mod:`benchmarks.plain_engine` and with
:func:`scoring.engine.fast.validate`, compares every answer, and
prints deals per second and the ratio to the plain one. Each side gets the deals in its own
representation: card objects there, card numbers here; reading names is measured apart, and so is
:func:`scoring.engine.replay.replay`, which explains itself in public result objects. The last line
is the same as JSON.
"""

from __future__ import annotations

import json
import random
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass

from benchmarks import plain_engine
from scoring.engine.calls import answer
from scoring.engine.cardplay import card_play
from scoring.engine.cards import (
    CARD_NAMES,
    NO_TRUMP,
    cards_of,
    format_trump,
    mask_of,
    parse_card,
)
from scoring.engine.deal import Deal
from scoring.engine.fast import validate
from scoring.engine.replay import replay
from scoring.engine.rulebook import resolve

DEALS = 2_000
REPEATS = 5
BAR = 6.0
"""Least ratio of the fast validator's speed to the plain one's, one deal at a time."""

PLAY = card_play(resolve("parlee"))


@dataclass(frozen=True)
class Sample:
    """A played deal in both representations."""

    trump: int
    leader: int
    cards: list[int]
    objects: list[plain_engine.Card]
    trump_name: str | None


def random_deal(rng: random.Random, illegal: float) -> Sample:
    """Play a random deal with legal cards; at rate ``illegal`` any card is played."""
    trump, leader = rng.randint(NO_TRUMP, 3), rng.randrange(4)
    pack = list(range(32))
    rng.shuffle(pack)
    deal = Deal(PLAY, trump, leader, [mask_of(pack[at : at + 8]) for at in range(0, 32, 8)])
    while not deal.over:
        assert deal.hands is not None
        hand = deal.hands[deal.to_move]
        deal.record(
            rng.choice(list(cards_of(hand if rng.random() < illegal else deal.legal_mask()[0])))
        )
    plays = [play.card for play in deal.plays]
    names = [CARD_NAMES[card] for card in plays]
    objects = [plain_engine.Card(name[:-1], name[-1]) for name in names]
    name = None if trump == NO_TRUMP else format_trump(trump)
    return Sample(trump, leader, plays, objects, name)


def best_rate(work: Callable[[], object], deals: int) -> float:
    """Return the deals per second in the best, least disturbed, of :data:`REPEATS` runs."""
    best = float("inf")
    for _ in range(REPEATS):
        start = time.perf_counter()
        work()
        best = min(best, time.perf_counter() - start)
    return deals / best


def check(samples: list[Sample]) -> int:
    """Compare every answer of both validators. Return the number of illegal plays found."""
    illegal = 0
    for each in samples:
        plain = plain_engine.validate(each.objects, each.leader, each.trump_name, 1)
        fast = validate(PLAY.duties, each.trump, each.leader, each.cards)
        found = [at for at in range(32) if fast.illegal >> at & 1]
        if [*fast.points(1)] != plain.points or [*fast.tricks] != plain.tricks:
            raise SystemExit(f"the two implementations disagree on {each.cards}")
        if found != plain.illegal:
            raise SystemExit(f"the two implementations disagree on {each.cards}")
        illegal += len(found)
    return illegal


def measure(samples: list[Sample]) -> dict[str, float]:
    """Return the deals per second of every way to validate ``samples``."""
    duties, count = PLAY.duties, len(samples)
    payloads = [
        {
            "rulebook": "parlee",
            "trump": format_trump(each.trump),
            "leader": PLAY.seats[each.leader],
            "plays": [CARD_NAMES[card] for card in each.cards],
        }
        for each in samples
    ]

    def plain() -> None:
        for each in samples:
            plain_engine.validate(each.objects, each.leader, each.trump_name, 1)

    def single() -> None:
        for each in samples:
            validate(duties, each.trump, each.leader, each.cards).points(1)

    def named() -> None:
        for payload in payloads:
            cards = [parse_card(name) for name in payload["plays"]]
            validate(duties, 0, 0, cards)

    def objects() -> None:
        for each in samples:
            replay(PLAY, each.trump, each.leader, each.cards)

    def public() -> None:
        for payload in payloads:
            answer("replay", payload)

    return {
        "plain": best_rate(plain, count),
        "single": best_rate(single, count),
        "single_from_names": best_rate(named, count),
        "replay_objects": best_rate(objects, count),
        "replay_json": best_rate(public, count),
    }


LABELS = {
    "plain": "plain implementation (card objects, lists)",
    "single": "fast.validate, one deal at a time",
    "single_from_names": "card names read, then fast.validate",
    "replay_objects": "replay: result objects, explanations",
    "replay_json": "the public call replay, JSON values",
}


def main() -> int:
    """Print the table and the JSON line. Return 1 when the bar is missed."""
    rng = random.Random(2026)
    report: dict[str, object] = {"benchmark": "engine", "baseline": "benchmarks.plain_engine"}
    ratio = 0.0
    for title, rate in (("legal", 0.0), ("illegal", 0.1)):
        samples = [random_deal(rng, rate) for _ in range(DEALS)]
        illegal = check(samples)
        rates = measure(samples)
        print(
            f"\n{DEALS} random whole deals ({title}; {illegal} illegal plays), every answer compared"
        )
        print(f"{'':44}{'deals/s':>12}{'ratio':>8}")
        for key, value in rates.items():
            print(f"{LABELS[key]:44}{value:12,.0f}{value / rates['plain']:8.1f}")
        report[title] = {
            "deals_per_second": {key: round(value) for key, value in rates.items()},
            "ratio": {key: round(value / rates["plain"], 2) for key, value in rates.items()},
        }
        if title == "legal":
            ratio = rates["single"] / rates["plain"]
    report["bar"] = BAR
    report["met"] = ratio >= BAR
    print(json.dumps(report))
    return 0 if ratio >= BAR else 1


if __name__ == "__main__":
    sys.exit(main())
