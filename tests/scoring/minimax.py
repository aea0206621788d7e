"""Plain minimax over lists of card names, the reference for the double-dummy solver.

Deliberately obvious and slow, and written from rules specification B.2 alone: it shares neither the representation nor
the move generation of the engine. It also generates the endings to compare.
"""

from __future__ import annotations

import itertools
import random

from scoring.engine.cards import CARD_NAMES, NO_TRUMP, SUITS, mask_of, parse_card
from scoring.engine.duties import Beat, Duties, Ruff
from scoring.engine.solve import Position

ORDER = ["7", "8", "9", "J", "Q", "K", "A", "10"]
POINTS = {"10": 5, "A": 4, "K": 3, "Q": 2, "J": 1}

ALL_DUTIES = [
    Duties(*values)
    for values in itertools.product(
        (True, False),
        Beat,
        (True, False),
        Ruff,
        (False, True),
        (True, False),
        (True, False),
        (False, True),
    )
]
"""All combinations of the switches."""

PARLEE = Duties()
BELGIAN = Duties(under_ruff=False)
MUETTE = Duties(beat=Beat.NEVER, beat_at_no_trump=False, ruff=Ruff.NEVER_BOUND, overruff=False)
MUETTE_ALWAYS = Duties(beat=Beat.NEVER, beat_at_no_trump=False, ruff=Ruff.ALWAYS, overruff=False)
MUETTE_MASTER = Duties(beat=Beat.NEVER, beat_at_no_trump=False, ruff=Ruff.OPPONENT_MASTER)
CHALOUPEE_LITERAL = Duties(ruff_over_partner=True)
CHALOUPEE_LITERAL_NO_UNDER = Duties(ruff_over_partner=True, under_ruff=False)
COINCHEE_LITERAL = Duties(ruff=Ruff.LITERAL_003, beat_at_no_trump=False)
BLIND = Duties(follow=False, beat=Beat.NEVER, beat_at_no_trump=False, ruff=Ruff.NEVER_BOUND)

TRUMPS_ONLY = Duties(beat=Beat.TRUMPS_ONLY, beat_partner=True)
TRUMPS_ONLY_ALWAYS = Duties(beat=Beat.TRUMPS_ONLY, beat_partner=True, ruff=Ruff.ALWAYS)
PARTNER_TOO = Duties(beat_partner=True, under_ruff=False)

PAIRS = (0, 1, 0, 1)

GAMES = {
    "parlee": (PARLEE, PAIRS, 1),
    "boussac": (PARLEE, PAIRS, 1),
    "chaloupee": (PARLEE, PAIRS, 1),
    "chaloupee literal": (CHALOUPEE_LITERAL, PAIRS, 1),
    "chaloupee literal, no under-ruff": (CHALOUPEE_LITERAL_NO_UNDER, PAIRS, 1),
    "coinchee": (PARLEE, PAIRS, 1),
    "coinchee literal": (COINCHEE_LITERAL, PAIRS, 1),
    "muette": (MUETTE, PAIRS, 0),
    "muette always": (MUETTE_ALWAYS, PAIRS, 0),
    "muette master": (MUETTE_MASTER, PAIRS, 0),
    "parlee-limited": (MUETTE, PAIRS, 0),
    "belgian": (BELGIAN, PAIRS, 0),
    "three-player": (MUETTE, (1, 1, 0), 0),
    "auction-1": (PARLEE, (0, 1, 1), 1),
    "auction-2": (PARLEE, (1, 0, 1, 1), 1),
    "auction-3": (PARLEE, (1, 1, 0, 1, 1), 1),
    "auction-3 of seven": (PARLEE, (1, 1, 1, 1, 1, 0, 1), 1),
    "blind": (BLIND, PAIRS, 0),
}
CLUB_GAMES = {
    "trumps only": (TRUMPS_ONLY, PAIRS, 0),
    "trumps only, always ruff": (TRUMPS_ONLY_ALWAYS, PAIRS, 1),
    "partner too": (PARTNER_TOO, PAIRS, 1),
    "partner too, one alone": (PARTNER_TOO, (0, 1, 1), 1),
    "free but in trumps": (Duties(beat=Beat.TRUMPS_ONLY, ruff=Ruff.NEVER_BOUND), PAIRS, 0),
    "ruff without overruff": (Duties(overruff=False, ruff_over_partner=True), PAIRS, 1),
    "no under-ruff": (Duties(ruff=Ruff.NEVER_BOUND, under_ruff=False), PAIRS, 0),
    "no under-ruff, one alone": (
        Duties(beat=Beat.NEVER, ruff=Ruff.NEVER_BOUND, under_ruff=False),
        (0, 1, 1),
        1,
    ),
    "ruff, no overruff, no under-ruff": (Duties(overruff=False, under_ruff=False), PAIRS, 1),
}
"""Duties that no rulebook of the sources has."""
GAMES |= CLUB_GAMES


def suit(card):
    return card[-1]


def strength(card):
    return ORDER.index(card[:-1])


def points(card):
    return POINTS.get(card[:-1], 0)


def winning_place(trick, trump):
    """Return the index of the winning card in the trick, a list of cards."""
    best = 0
    for place in range(1, len(trick)):
        if suit(trick[place]) == suit(trick[best]):
            if strength(trick[place]) > strength(trick[best]):
                best = place
        elif suit(trick[place]) == trump:
            best = place
    return best


def legal(duties, trump, hand, trick, is_partner):
    """Return the legal cards of ``hand``. ``is_partner[i]``: the player of ``trick[i]`` is a partner."""
    if not trick or not duties.follow:
        return list(hand)
    led = suit(trick[0])
    place = winning_place(trick, trump)
    master = trick[place]
    partner_master = is_partner[place]
    ruffed = suit(master) == trump and led != trump
    following = [card for card in hand if suit(card) == led]
    if following:
        must_beat = {
            Beat.ALWAYS: trump is not None or duties.beat_at_no_trump,
            Beat.TRUMPS_ONLY: led == trump,
            Beat.NEVER: False,
        }[duties.beat]
        if not must_beat or ruffed or (partner_master and not duties.beat_partner):
            return following
        return [card for card in following if strength(card) > strength(master)] or following
    trumps = [card for card in hand if suit(card) == trump]
    if trump is None or led == trump or not trumps:
        return list(hand)
    higher = [card for card in trumps if ruffed and strength(card) > strength(master)]
    to_overruff = ruffed and (not partner_master or duties.beat_partner)
    plain = [card for card in hand if suit(card) != trump]
    if duties.ruff is Ruff.NEVER_BOUND:
        under = to_overruff and not duties.under_ruff
        return [*plain, *higher] if under and (plain or higher) else list(hand)
    if to_overruff and not duties.overruff and duties.under_ruff:
        return trumps
    if to_overruff and higher:
        return higher
    if duties.ruff is Ruff.ALWAYS:
        return plain if to_overruff and plain and not duties.under_ruff else trumps
    if to_overruff:
        return list(hand) if duties.under_ruff or not plain else plain
    if duties.ruff is Ruff.LITERAL_003:
        return trumps if not is_partner[0] and not ruffed else list(hand)
    if not partner_master:
        return trumps
    if duties.ruff_over_partner and (not ruffed or higher):
        return trumps
    return list(hand)


def values(duties, sides, trick_point, trump, hands, leader, trick=(), reserve=()):
    """Return ``{card: points of side 0}`` for each legal card of the player to move."""
    extra = sum(points(card) for card in reserve)
    seen = {}

    def best(hands, leader, trick, extra):
        if not any(hands) and not trick:
            return 0
        key = (tuple(tuple(hand) for hand in hands), leader)
        if not trick and key in seen:
            return seen[key]
        options = moves(hands, leader, trick, extra)
        player = (leader + len(trick)) % len(hands)
        result = (max if sides[player] == 0 else min)(options.values())
        if not trick and not extra:
            seen[key] = result
        return result

    def moves(hands, leader, trick, extra):
        players = len(hands)
        player = (leader + len(trick)) % players
        own = [sides[(leader + i) % players] == sides[player] for i in range(len(trick))]
        options = {}
        for card in legal(duties, trump, hands[player], trick, own):
            rest = [[c for c in hand if c != card] for hand in hands]
            table = [*trick, card]
            if len(table) < players:
                options[card] = best(rest, leader, table, extra)
                continue
            winner = (leader + winning_place(table, trump)) % players
            won = sum(points(c) for c in table) + trick_point + extra
            options[card] = (0 if sides[winner] else won) + best(rest, winner, [], 0)
        return options

    return moves([list(hand) for hand in hands], leader, list(trick), extra)


def ending(rng, game, size, *, played=None, no_trump=None):
    """Return a random ending of ``size`` cards a hand, ``played`` cards into a trick."""
    duties, sides, trick_point = GAMES[game]
    players = len(sides)
    cards = rng.sample(CARD_NAMES, players * size)
    hands = [sorted(cards[p * size : (p + 1) * size]) for p in range(players)]
    trump = (
        rng.choice(SUITS) if not (rng.random() < 0.25 if no_trump is None else no_trump) else None
    )
    leader = rng.randrange(players)
    trick = []
    for place in range(rng.randrange(players) if played is None else played):
        player = (leader + place) % players
        own = [sides[(leader + i) % players] == sides[player] for i in range(place)]
        card = rng.choice(legal(duties, trump, hands[player], trick, own))
        hands[player].remove(card)
        trick.append(card)
    return {
        "duties": duties,
        "sides": sides,
        "trick_point": trick_point,
        "trump": trump,
        "hands": hands,
        "leader": leader,
        "trick": trick,
    }


def position(case, **changes):
    """Return the engine's position of a case of :func:`ending`."""
    case = {**case, **changes}
    return Position(
        duties=case["duties"],
        trump=NO_TRUMP if case["trump"] is None else SUITS.index(case["trump"]),
        hands=tuple(mask_of(parse_card(c) for c in hand) for hand in case["hands"]),
        leader=case["leader"],
        sides=case["sides"],
        trick=tuple(parse_card(c) for c in case["trick"]),
        trick_point=case["trick_point"],
        reserve=mask_of(parse_card(c) for c in case.get("reserve", ())),
    )


def expected(case):
    """Return the points of both sides and the set of best cards, by plain minimax."""
    options = values(**case)
    hands, trick, reserve = case["hands"], case["trick"], case.get("reserve", ())
    player = (case["leader"] + len(trick)) % len(hands)
    best = (max if case["sides"][player] == 0 else min)(options.values())
    every = [c for hand in hands for c in hand] + [*trick, *reserve]
    total = sum(points(c) for c in every) + case["trick_point"] * len(hands[player])
    return (best, total - best), {card for card, value in options.items() if value == best}


def endings(seed, game, size, count, **fixed):
    """Return ``count`` random endings, reproducible by ``seed``."""
    rng = random.Random(f"{seed}/{game}/{size}")
    return [ending(rng, game, size, **fixed) for _ in range(count)]
