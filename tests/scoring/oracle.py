"""An independent implementation of the decision table of card play, row by row over lists of names.

It shares only the names of cards and switches with the engine: rules specification B.1, B.2 and B.3 as a person would
apply them at the table. Tests compare the engine with it.
"""

from __future__ import annotations

RANK_ORDER = ["7", "8", "9", "J", "Q", "K", "A", "10"]
POINTS = {"10": 5, "A": 4, "K": 3, "Q": 2, "J": 1}
PACK = [rank + suit for suit in "SHDC" for rank in RANK_ORDER]

# B.1, one column a rulebook: beat, ruff when an opponent is master, overruff.
DUTIFUL = (
    "parlee",
    "boussac",
    "chaloupee",
    "coinchee",
    "belgian",
    "bruges",
    "trumps-only",
    "auction-1",
    "auction-2",
    "auction-3",
)
SILENT = ("muette", "parlee-limited", "three-player")


def rank(card):
    return RANK_ORDER.index(card[:-1])


def suit(card):
    return card[-1]


def value(card):
    return POINTS.get(card[:-1], 0)


def takes(card, master, trump):
    if suit(card) == suit(master):
        return rank(card) > rank(master)
    return suit(card) == trump


def master_of(trick, trump):
    best = trick[0]
    for play in trick[1:]:
        if takes(play[1], best[1], trump):
            best = play
    return best


def legal(rulebook, options, trump, trick, player, hand, sides):
    """Return the legal cards in hand order, and the duty. ``sides`` maps a seat to the name of its side."""
    if not trick:
        return list(hand), "lead"  # row 1
    if rulebook == "blind":
        return list(hand), "free"
    led = suit(trick[0][1])
    master_seat, master = master_of(trick, trump)
    pm = sides[master_seat] == sides[player]
    led_by_opponent = sides[trick[0][0]] != sides[player]
    partner_ruffed = any(
        sides[seat] == sides[player] and suit(card) == trump != led for seat, card in trick
    )
    holding = [card for card in hand if suit(card) == led]
    higher = [card for card in holding if takes(card, master, trump)]
    beat = rulebook in DUTIFUL and (trump != "NT" or options.get("nt_beat", True))
    partner_too = False
    if rulebook == "trumps-only":
        where = options.get("beat", "TRUMPS_ONLY")
        beat = (beat and where == "ALWAYS") or (where == "TRUMPS_ONLY" and led == trump)
        partner_too = options.get("beat_partner", True)
    if holding:
        if suit(master) == trump and led != trump:
            return holding, "follow"  # row 2
        if (pm and not partner_too) or not beat:
            return holding, "follow"  # row 3
        if higher:
            return higher, "must_beat"  # row 4
        return holding, "follow"  # row 5
    trumps = [card for card in hand if suit(card) == trump]
    if trump == "NT" or led == trump or not trumps:
        return list(hand), "free"  # rows 6, 7, 8
    if rulebook in SILENT:
        choice = options.get("muette_ruff", "OPTIONAL")
        if choice == "OPTIONAL":
            return list(hand), "free"
        if choice == "ALWAYS":
            return trumps, "must_ruff"
    higher_trumps = [card for card in trumps if suit(master) != trump or takes(card, master, trump)]
    ruffed = suit(master) == trump
    always = options.get("ruff") == "ALWAYS"
    if ruffed and (partner_too or not pm):
        if higher_trumps:
            return higher_trumps, "must_overruff"  # row 11
        default = "FORBIDDEN" if rulebook in ("belgian", "bruges") else "PERMITTED"
        others = [card for card in hand if suit(card) != trump]
        forbidden = options.get("under_ruff", default) == "FORBIDDEN"
        if forbidden and others:
            return others, "may_not_under_ruff"
        if always and not forbidden:
            return trumps, "must_ruff"
        return list(hand), "free"  # row 12
    if always:
        return trumps, "must_ruff"
    if options.get("cut_rule") == "LITERAL_003":
        if led_by_opponent and not partner_ruffed:
            return trumps, "must_ruff"
        return list(hand), "free"
    if not pm:
        return trumps, "must_ruff"  # row 10
    if options.get("must_ruff_over_partner") and (not ruffed or higher_trumps):
        return trumps, "must_ruff"
    return list(hand), "free"  # row 9


def kind(rulebook, options, trump, trick, player, hand, sides, card):
    """Return the kind of illegal play that ``card`` is (B.3), or ``None`` when it is legal."""
    cards, duty = legal(rulebook, options, trump, trick, player, hand, sides)
    if card in cards:
        return None
    led = suit(trick[0][1])
    if any(suit(each) == led for each in hand):
        if suit(card) == led:
            return "failed_to_beat"
        return "false_ruff" if suit(card) == trump else "revoke"
    return {
        "must_ruff": "failed_to_ruff",
        "must_overruff": "failed_to_overruff",
        "may_not_under_ruff": "under_ruff",
    }[duty]


PLAIN = {
    "revoke": "P1",
    "false_ruff": "P1",
    "failed_to_beat": "P2",
    "failed_to_ruff": "P3",
    "failed_to_overruff": "P4",
    "under_ruff": "P4",
}


def articles(rulebook, kind_of_play):
    """Return the articles of the table of B.3."""
    if kind_of_play == "disobeyed_order":
        return {"parlee": ["000-E2"], "parlee-limited": ["004-E3"]}.get(rulebook, [])
    if rulebook == "parlee":
        return ["000-" + PLAIN[kind_of_play]]
    if rulebook == "chaloupee":
        return ["002-" + PLAIN[kind_of_play]]
    if rulebook == "coinchee":
        return ["003-" + PLAIN[kind_of_play]]
    if rulebook == "boussac":
        return [
            "001-R9"
            + {"revoke": "a", "false_ruff": "b", "failed_to_beat": "c"}.get(kind_of_play, "d")
        ]
    if rulebook in SILENT:
        return ["004-V1"]
    return ["BE-P5" if kind_of_play == "under_ruff" else "BE-" + PLAIN[kind_of_play]]
