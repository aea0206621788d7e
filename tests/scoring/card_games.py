"""The rulebooks with every combination of switches for card play, and random deals.

Shared by the tests of legality, replay, proof and the command line. Play follows the oracle, so that a legal deal is
legal by an independent implementation of the rules.
"""

from __future__ import annotations

import itertools
import random

from . import oracle

PAIR_ORDER = {"CCW": "WSEN", "CW": "WNES"}
PAIR_SIDES = {"N": "NS", "S": "NS", "E": "EW", "W": "EW"}
HANDS = {
    "auction-1": {3: (10, 0), 4: (7, 0), 5: (6, 0), 6: (5, 0), 7: (4, 0)},
    "auction-2": {3: (10, 2), 4: (8, 0), 5: (6, 2), 6: (5, 2), 7: (4, 4)},
    "auction-3": {3: (9, 0), 4: (7, 0), 5: (6, 0), 6: (5, 0), 7: (4, 0)},
    "three-player": {3: (10, 0)},
}
"""Cards a player and sevens removed, by number of players (A.1)."""

_RUFF_OVER = {"must_ruff_over_partner": (False, True)}
_UNDER = {"under_ruff": ("PERMITTED", "FORBIDDEN")}
_NT = {"nt_beat": (True, False)}
_MUETTE = {"muette_ruff": ("OPTIONAL", "ALWAYS", "OPPONENT_MASTER")}
_WAY = {"direction": ("CCW", "CW")}
SWITCHES: dict[str, dict[str, tuple[object, ...]]] = {
    "parlee": {**_WAY, **_RUFF_OVER, **_UNDER},
    "boussac": {**_WAY, **_RUFF_OVER, **_UNDER},
    "chaloupee": {**_WAY, **_RUFF_OVER, **_UNDER, **_NT},
    "coinchee": {
        **_WAY,
        **_RUFF_OVER,
        **_UNDER,
        **_NT,
        "cut_rule": ("OPPONENT_MASTER", "LITERAL_003"),
    },
    "muette": {**_WAY, **_MUETTE, **_UNDER},
    "parlee-limited": {**_WAY, **_MUETTE, **_UNDER},
    "belgian": {**_WAY, **_RUFF_OVER, **_UNDER, **_NT},
    "bruges": {},
    "trumps-only": {
        **_RUFF_OVER,
        **_UNDER,
        "beat": ("TRUMPS_ONLY", "ALWAYS", "NEVER"),
        "beat_partner": (True, False),
        "ruff": ("OPPONENT_MASTER", "ALWAYS"),
    },
    "blind": {**_WAY},
    "three-player": {**_MUETTE},
    "auction-1": {"players": (4, 3, 5, 6, 7)},
    "auction-2": {"players": (4, 3, 5, 6, 7)},
    "auction-3": {"players": (4, 3, 5, 6, 7)},
}

GAMES = [
    (rulebook, dict(zip(switches, values, strict=True)))
    for rulebook, switches in SWITCHES.items()
    for values in itertools.product(*switches.values())
]
"""Every rulebook with every combination of the switches for card play."""


class Table:
    """Seats and sides of a deal, with its JSON keys."""

    def __init__(self, rulebook, options, rng):
        self.rulebook, self.options = rulebook, options
        if rulebook in HANDS:
            players = 3 if rulebook == "three-player" else options["players"]
            self.seats = [str(n) for n in range(1, players + 1)]
            self.hand, sevens = HANDS[rulebook][players]
            gone = ["7D", "7H", "7C", "7S"][:sevens]
            self.pack = [card for card in oracle.PACK if card not in gone]
            self.declarer = "3" if rulebook == "three-player" else rng.choice(self.seats)
            others = "".join(seat for seat in self.seats if seat != self.declarer)
            self.sides = {s: self.declarer if s == self.declarer else others for s in self.seats}
        else:
            default = "CCW" if rulebook in ("parlee", "boussac", "chaloupee", "coinchee") else "CW"
            self.seats = list(PAIR_ORDER[options.get("direction", default)])
            self.hand, self.pack, self.declarer = 8, oracle.PACK, None
            self.sides = PAIR_SIDES
        self.trick_point = int(
            rulebook in ("parlee", "boussac", "chaloupee", "coinchee")
            or rulebook.startswith("auction")
        )

    def keys(self):
        keys = {"rulebook": self.rulebook, "options": self.options}
        if self.declarer:
            keys["declarer"] = self.declarer
        return keys


def deal(table, rng, illegal=0.0):
    """Return a played deal: hands, reserve, trump, leader, plays; each play is free at rate ``illegal``."""
    pack = list(table.pack)
    rng.shuffle(pack)
    size = table.hand
    hands = {s: pack[i * size : (i + 1) * size] for i, s in enumerate(table.seats)}
    trump = rng.choice(["S", "H", "D", "C", "NT"])
    leader = rng.choice(table.seats)
    left = {seat: list(hand) for seat, hand in hands.items()}
    plays, seat = [], leader
    for _ in range(size):
        trick = []
        for _ in table.seats:
            cards = left[seat]
            if rng.random() >= illegal:
                cards, _ = oracle.legal(
                    table.rulebook, table.options, trump, trick, seat, cards, table.sides
                )
            card = rng.choice(cards)
            left[seat].remove(card)
            trick.append((seat, card))
            plays.append(card)
            seat = table.seats[(table.seats.index(seat) + 1) % len(table.seats)]
        seat = oracle.master_of(trick, trump)[0]
    return {
        "hands": hands,
        "reserve": pack[size * len(table.seats) :],
        "trump": trump,
        "leader": leader,
        "plays": plays,
    }


def open_trick(table, rng):
    """Return a random position in a trick, legal or not: trump, trick, player, hand."""
    pack = list(table.pack)
    # Short suits make the duties of a void player common.
    if rng.random() < 0.7:
        pack = [card for card in pack if rng.random() < 0.6] or pack
    rng.shuffle(pack)
    leader = rng.randrange(len(table.seats))
    size = min(rng.randrange(len(table.seats)), len(pack) - 1)
    trick = [(table.seats[(leader + at) % len(table.seats)], pack.pop()) for at in range(size)]
    player = table.seats[(leader + size) % len(table.seats)]
    hand = pack[: rng.randint(1, table.hand)]
    return rng.choice(["S", "H", "D", "C", "NT"]), trick, player, hand


def rngs(count, seed):
    """Return ``count`` independent generators with fixed seeds."""
    return [random.Random(f"{seed}-{number}") for number in range(count)]
