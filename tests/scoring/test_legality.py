"""The decision table of card play (rules specification B.2): cases, properties, comparison with the oracle."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.engine.calls import answer
from scoring.engine.cards import (
    NO_TRUMP,
    SUIT_MASKS,
    SUITS,
    cards_of,
    format_card,
    mask_of,
    parse_card,
    parse_trump,
)
from scoring.engine.duties import Beat, Duties, Ruff
from scoring.engine.errors import EngineError
from scoring.engine.legality import (
    Breach,
    Duty,
    View,
    breach_set,
    kind_of_breach,
    legal_mask,
    obey,
    telling_cards,
    view_of,
    winner_of,
    winners_over,
)
from scoring.engine.solver import layout
from scoring.engine.solver.tree import Deal, grow
from scoring.engine.solver.tree import Table as SearchTable

from . import minimax, oracle
from .card_games import GAMES, Table, open_trick
from .minimax import ALL_DUTIES

PROFILES = {
    "R000": ("parlee", {}),
    "R001": ("boussac", {}),
    "R002": ("chaloupee", {}),
    "R002-LIT": ("chaloupee", {"must_ruff_over_partner": True}),
    "R003": ("coinchee", {}),
    "R003-LIT": ("coinchee", {"cut_rule": "LITERAL_003", "nt_beat": False}),
    "R004": ("muette", {}),
    "R004-B": ("muette", {"muette_ruff": "ALWAYS"}),
    "R004-OM": ("muette", {"muette_ruff": "OPPONENT_MASTER"}),
    "BLIND": ("blind", {}),
    "BE": ("belgian", {}),
    "BE-OVER": ("belgian", {"must_ruff_over_partner": True}),
}

CASES = [
    # id, profile, trump, trick so far, to play, hand, legal, duty, reason
    (
        "L01",
        "R000",
        "C",
        "W:8H",
        "S",
        "KC KS AD JS",
        "KC",
        "must_ruff",
        "000 ex. trick 1: Sud est obligé de couper",
    ),
    (
        "L02",
        "R000",
        "C",
        "W:8H S:KC",
        "E",
        "9D 9S 8C 7C",
        "9D 9S 8C 7C",
        "free",
        "000 ex. trick 1: il est permis de défausser",
    ),
    (
        "L03",
        "R000",
        "C",
        "W:8H S:KC E:9D",
        "N",
        "7H 8S 10C AS",
        "7H",
        "follow",
        "000 ex. trick 1: Nord fournit le 7♥",
    ),
    (
        "L04",
        "R000",
        "C",
        "S:KS E:9S",
        "N",
        "8S 10C AS",
        "8S AS",
        "follow",
        "000 ex. trick 2: not obliged to beat partner",
    ),
    (
        "L05",
        "R000",
        "C",
        "S:KS E:9S N:8S",
        "W",
        "10S 7D AC",
        "10S",
        "must_beat",
        "000 ex. trick 2: Ouest prend de la manille",
    ),
    ("L06", "R000", "C", "W:7D", "S", "AD JS", "AD", "must_beat", "000 ex. trick 3"),
    (
        "L07",
        "R000",
        "C",
        "W:7D S:AD",
        "E",
        "8C 7C",
        "8C 7C",
        "must_ruff",
        "000 ex. trick 3: Est coupe",
    ),
    (
        "L08",
        "R000",
        "C",
        "W:7D S:AD E:7C",
        "N",
        "10C AS",
        "10C",
        "must_overruff",
        "000 ex. trick 3: surcouper",
    ),
    ("L09", "R000", "C", "N:AS", "W", "AC", "AC", "must_ruff", "000 ex. trick 4: last card"),
    (
        "L11",
        "R000",
        "H",
        "E:QS",
        "N",
        "KS 10S 7S 9D",
        "KS 10S",
        "must_beat",
        "000: any higher card, not the highest only",
    ),
    (
        "L13",
        "R000",
        "H",
        "E:QS N:AS W:7S",
        "S",
        "10S 8S KH",
        "10S 8S",
        "follow",
        "000: partner master",
    ),
    (
        "L15",
        "R000",
        "H",
        "E:QH",
        "N",
        "KH 7H AS",
        "KH",
        "must_beat",
        "000/001: trump led by an opponent",
    ),
    (
        "L17",
        "R001",
        "D",
        "E:8C N:7C W:AD",
        "S",
        "10D 9D KS",
        "10D",
        "must_overruff",
        "001: sous-force forbidden",
    ),
    (
        "L19",
        "R002",
        "S",
        "E:9H N:10H W:7H",
        "S",
        "8S 7D KC",
        "8S 7D KC",
        "free",
        "002: partner master, no duty to cut",
    ),
    (
        "L21",
        "R002",
        "S",
        "E:9H N:KS W:AS",
        "S",
        "QS 7D KC",
        "QS 7D KC",
        "free",
        "002: no higher trump, any card",
    ),
    (
        "L23",
        "R003-LIT",
        "NT",
        "E:QH",
        "N",
        "KH 7H 10S",
        "KH 7H",
        "follow",
        "003 literal at no trump",
    ),
    (
        "L25",
        "R003",
        "C",
        "E:JH N:KH W:7H",
        "S",
        "9C 7D AS",
        "9C 7D AS",
        "free",
        "003: partner master",
    ),
    (
        "L27",
        "R004",
        "C",
        "E:JH",
        "N",
        "KH 7H 10C",
        "KH 7H",
        "follow",
        "004 muette: no duty to beat",
    ),
    ("L29", "R004-B", "C", "E:JH", "N", "9C 7D AS", "9C", "must_ruff", "004 muette, reading B"),
    # The rest of the table, row by row.
    ("B2-1", "R000", "C", "", "W", "8H 10S", "8H 10S", "lead", "row 1"),
    (
        "B2-2",
        "R000",
        "C",
        "W:8H S:7C",
        "E",
        "AH 7H 8C",
        "AH 7H",
        "follow",
        "row 2: already ruffed by an opponent",
    ),
    ("B2-5", "R000", "C", "W:AH", "S", "KH 7H 8C", "KH 7H", "follow", "row 5: none higher"),
    ("B2-6", "R003", "NT", "W:AH", "S", "KS 8C", "KS 8C", "free", "row 6: no trump"),
    ("B2-7", "R000", "C", "W:8C", "S", "KS AH", "KS AH", "free", "row 7: trump led"),
    ("B2-8", "R000", "C", "W:8H", "S", "KS AD", "KS AD", "free", "row 8: no trump in hand"),
    (
        "B2-9a",
        "R000",
        "C",
        "W:8H S:9H",
        "N",
        "7C AD",
        "7C AD",
        "free",
        "row 9: partner master by a plain card",
    ),
    (
        "B2-9b",
        "R000",
        "C",
        "W:8H S:9C E:7H",
        "N",
        "7C 10C AD",
        "7C 10C AD",
        "free",
        "row 9: partner master by a ruff",
    ),
    ("B2-10", "R000", "C", "W:8H", "S", "7C 10C AD", "7C 10C", "must_ruff", "row 10: any trump"),
    (
        "B2-11",
        "R000",
        "C",
        "W:8H S:QC",
        "E",
        "JC KC 10C AD",
        "KC 10C",
        "must_overruff",
        "row 11: any higher trump",
    ),
    ("B2-12", "R000", "C", "W:8H S:QC", "E", "JC 7C", "JC 7C", "free", "row 12: only lower trumps"),
    (
        "B2-13",
        "R000",
        "C",
        "W:JC S:KC",
        "E",
        "QC 8C AH",
        "QC 8C",
        "follow",
        "row 13: trump led, rows 3-5",
    ),
    (
        "Q-000-1",
        "R000",
        "C",
        "W:QH S:AH E:7H",
        "N",
        "10H 8H",
        "10H 8H",
        "follow",
        "duty only against the card now winning",
    ),
    (
        "002-LIT-9a",
        "R002-LIT",
        "S",
        "E:9H N:10H W:7H",
        "S",
        "8S 7D KC",
        "8S",
        "must_ruff",
        "row 9 literal: plain card",
    ),
    (
        "002-LIT-9c",
        "R002-LIT",
        "S",
        "W:9H S:JS E:8H",
        "N",
        "QS 7S 7D",
        "QS 7S",
        "must_ruff",
        "row 9 literal: partner's ruff, higher trump held",
    ),
    (
        "002-LIT-9d",
        "R002-LIT",
        "S",
        "W:9H S:JS E:8H",
        "N",
        "9S 7S 7D",
        "9S 7S 7D",
        "free",
        "row 9 literal: partner's ruff, no higher trump",
    ),
    (
        "003-LIT-9",
        "R003-LIT",
        "C",
        "E:JH N:KH W:7H",
        "S",
        "9C 7D AS",
        "9C",
        "must_ruff",
        "003 literal: opponent led, partner has not ruffed",
    ),
    (
        "003-LIT-9b",
        "R003-LIT",
        "C",
        "E:JH N:7C W:7H",
        "S",
        "9C 7D AS",
        "9C 7D AS",
        "free",
        "003 literal: partner has ruffed",
    ),
    (
        "003-LIT-10",
        "R003-LIT",
        "C",
        "N:JH W:KH",
        "S",
        "9C 7D AS",
        "9C 7D AS",
        "free",
        "003 literal: partner led, opponent master",
    ),
    (
        "003-LIT-11",
        "R003-LIT",
        "C",
        "N:JH W:8C",
        "S",
        "9C 7D AS",
        "9C",
        "must_overruff",
        "003 literal: row 11 prevails",
    ),
    (
        "003-LIT-NT",
        "R003-LIT",
        "C",
        "E:QH",
        "N",
        "KH 7H 10S",
        "KH",
        "must_beat",
        "nt_beat lifts beating at no trump only",
    ),
    (
        "003-NT",
        "R003",
        "NT",
        "E:QH",
        "N",
        "KH 7H 10S",
        "KH",
        "must_beat",
        "Q-003-2: monter stays at no trump",
    ),
    ("004-A", "R004", "C", "E:JH", "N", "9C 7D AS", "9C 7D AS", "free", "muette, reading A"),
    (
        "004-B-pm",
        "R004-B",
        "C",
        "E:JH N:KH W:7H",
        "S",
        "9C 7D AS",
        "9C",
        "must_ruff",
        "reading B: no matter who is master",
    ),
    (
        "004-B-under",
        "R004-B",
        "C",
        "E:JH N:KC",
        "W",
        "9C 7D AS",
        "9C",
        "must_ruff",
        "reading B: any trump held",
    ),
    ("004-OM-10", "R004-OM", "C", "E:JH", "N", "9C 7D AS", "9C", "must_ruff", "rows 9-12"),
    (
        "004-OM-9",
        "R004-OM",
        "C",
        "E:JH N:KH W:7H",
        "S",
        "9C 7D AS",
        "9C 7D AS",
        "free",
        "rows 9-12",
    ),
    ("004-OM-11", "R004-OM", "C", "E:JH N:JC", "W", "9C KC AS", "KC", "must_overruff", "rows 9-12"),
    ("004-OM-3", "R004-OM", "C", "E:JH", "N", "KH 7H", "KH 7H", "follow", "no duty to beat"),
    ("BLIND-1", "BLIND", "C", "E:JH", "N", "KH 7D", "KH 7D", "free", "blind: always any"),
    (
        "BE-12",
        "BE",
        "C",
        "W:8H S:QC",
        "E",
        "JC 7C 9D",
        "9D",
        "may_not_under_ruff",
        "row 12, Belgian",
    ),
    (
        "BE-12b",
        "BE",
        "C",
        "W:8H S:QC",
        "E",
        "JC 7C",
        "JC 7C",
        "free",
        "row 12, Belgian: only trumps remain",
    ),
    (
        "BE-9",
        "BE",
        "C",
        "W:8H S:QC E:7H",
        "N",
        "JC 7C 9D",
        "JC 7C 9D",
        "free",
        "under-ruffing one's own master is allowed",
    ),
    (
        "BE-9b",
        "BE-OVER",
        "C",
        "W:8H S:QC E:7H",
        "N",
        "JC 7C 9D",
        "JC 7C 9D",
        "free",
        "row 9 is not row 12",
    ),
    ("BE-NT", "BE", "NT", "E:QH", "N", "KH 7H 10S", "KH", "must_beat", "beat at no trump too"),
]


def _plays(text):
    return [play.split(":") for play in text.split()]


@pytest.mark.guide("engine#legal")
@pytest.mark.parametrize("case", CASES, ids=lambda case: case[0])
def test_case(case):
    _, profile, trump, trick, player, hand, legal, duty, _ = case
    rulebook, options = PROFILES[profile]
    found = answer(
        "legal",
        {
            "rulebook": rulebook,
            "options": options,
            "trump": trump,
            "trick": _plays(trick),
            "player": player,
            "hand": hand.split(),
        },
    )
    assert found == {"legal": legal.split(), "duty": duty}


@pytest.mark.guide("engine#legal")
@pytest.mark.parametrize(("rulebook", "options"), GAMES, ids=lambda value: str(value))
def test_agrees_with_the_second_reading(rulebook, options):
    rng = random.Random(f"{rulebook}{options}")
    for _ in range(60):
        table = Table(rulebook, options, rng)
        trump, trick, player, hand = open_trick(table, rng)
        found = answer(
            "legal",
            {
                **table.keys(),
                "trump": trump,
                "trick": [list(play) for play in trick],
                "player": player,
                "hand": hand,
            },
        )
        legal, duty = oracle.legal(rulebook, options, trump, trick, player, hand, table.sides)
        assert found == {"legal": legal, "duty": duty}, (trump, trick, player, hand)


suits = st.integers(0, 3)
trumps = st.integers(NO_TRUMP, 3)


@st.composite
def positions(draw):
    """Draw duties, trump, view and a hand that shares no card with the trick."""
    duties, trump = draw(st.sampled_from(ALL_DUTIES)), draw(trumps)
    cards = draw(st.lists(st.integers(0, 31), min_size=2, max_size=11, unique=True))
    size = draw(st.integers(0, min(3, len(cards) - 1)))
    own = draw(st.lists(st.booleans(), min_size=size, max_size=size))
    return duties, trump, view_of(trump, cards[:size], own), cards[size:]


@pytest.mark.guide("engine#legal")
@given(positions())
def test_legal_cards_are_some_of_the_hand(position):
    duties, trump, view, hand = position
    mask = sum(1 << card for card in hand)
    legal, duty = legal_mask(duties, trump, view, mask)
    assert legal
    assert legal & ~mask == 0
    if duty in (Duty.LEAD, Duty.FREE):
        assert legal == mask


def _open_tricks(seed, count):
    """Yield every set of duties ``count`` times, each with a trump, a trick, the own side's cards and a hand."""
    rng = random.Random(seed)
    for duties in ALL_DUTIES:
        for _ in range(count):
            cards = rng.sample(range(32), rng.randint(2, 9))
            size = rng.randint(1, min(3, len(cards) - 1))
            own = [rng.random() < 0.5 for _ in range(size)]
            yield duties, rng.randint(NO_TRUMP, 3), cards[:size], own, cards[size:]


def _agrees_with_the_second_reading(duties, trump, trick, own, hand):
    view = view_of(trump, trick, own)
    legal, _ = legal_mask(duties, trump, view, mask_of(hand))
    suit = None if trump == NO_TRUMP else SUITS[trump]
    second = minimax.legal(duties, suit, [*map(format_card, hand)], [*map(format_card, trick)], own)
    assert {format_card(card) for card in cards_of(legal)} == set(second), (
        duties,
        trump,
        trick,
        own,
        hand,
    )
    for card in hand:
        broken = mask_of(hand) & breach_set(duties, trump, view, card)
        assert bool(broken) == (not legal >> card & 1), (duties, trump, trick, own, hand)


def test_every_set_of_duties_agrees_with_the_second_reading():
    for case in _open_tricks("short", 20):
        _agrees_with_the_second_reading(*case)


@pytest.mark.long
def test_every_set_of_duties_agrees_with_the_second_reading_at_length():
    for case in _open_tricks("long", 500):
        _agrees_with_the_second_reading(*case)


def test_the_solver_moves_by_every_set_of_duties():
    """The search generates the same cards as the table, under every combination of duties."""
    for duties, trump, trick, own, hand in _open_tricks("solver", 10):
        sides = (*(int(not mine) for mine in own), 0)
        view = view_of(trump, trick, own)
        hands = (*(0 for _ in trick), layout.lay_out(mask_of(hand)))
        tree = grow(Deal(duties, trump, hands, sides, 0), lambda _nodes: 1 << 62, 1 << 62)
        table = SearchTable(
            left=hands[-1],
            player=len(trick),
            after=0,
            led=layout.lay_out(SUIT_MASKS[view.led]),
            winning=layout.lay_out(1 << view.master),
            winner=winner_of(trump, trick),
            stake=0,
        )
        legal, _ = legal_mask(duties, trump, view, mask_of(hand))
        assert tree.legal(table) == layout.lay_out(legal), (duties, trump, trick, own, hand)


@pytest.mark.guide("engine#speed")
@given(positions())
@settings(max_examples=600)
def test_breach_sets_say_the_same_as_the_rows(position):
    duties, trump, view, hand = position
    mask = sum(1 << card for card in hand)
    legal, _ = legal_mask(duties, trump, view, mask)
    for card in hand:
        breach = breach_set(duties, trump, view, card)
        assert not breach >> card & 1
        assert bool(legal >> card & 1) == (mask & breach == 0)


@given(positions())
@settings(max_examples=300)
def test_an_illegal_card_has_one_kind_whose_telling_cards_are_held(position):
    duties, trump, view, hand = position
    mask = sum(1 << card for card in hand)
    legal, duty = legal_mask(duties, trump, view, mask)
    for card in hand:
        if legal >> card & 1:
            continue
        kind = kind_of_breach(trump, view, duty, card)
        telling = telling_cards(duties, trump, view, card, kind)
        assert telling & mask
        assert telling & ~breach_set(duties, trump, view, card) == 0


def test_breach_sets_where_nobody_can_ruff():
    """At no trump, and on a trump lead, a discard breaks only the duty to follow."""
    hearts, clubs = parse_card("8H") >> 3, parse_card("8C") >> 3
    view = View(hearts, parse_card("QH"), False, True)
    for trump in (NO_TRUMP, hearts):
        for card in ("9D", "9C", "9S"):
            found = breach_set(Duties(), trump, view, parse_card(card))
            assert found == SUIT_MASKS[hearts]
    assert breach_set(Duties(), clubs, view, parse_card("9D")) == (
        SUIT_MASKS[hearts] | SUIT_MASKS[clubs]
    )


def test_breach_sets_of_row_9_read_literally():
    """Over partner's ruff a discard breaks the duty only if a higher trump was held."""
    hearts, clubs = parse_card("8H") >> 3, parse_card("8C") >> 3
    literal = Duties(ruff_over_partner=True)
    over_ruff = View(hearts, parse_card("QC"), True, True)
    higher = sum(1 << parse_card(name) for name in ("KC", "AC", "10C"))
    found = breach_set(literal, clubs, over_ruff, parse_card("9D"))
    assert found == SUIT_MASKS[hearts] | higher
    assert breach_set(literal, clubs, over_ruff, parse_card("9C")) == SUIT_MASKS[hearts]
    over_plain = View(hearts, parse_card("QH"), True, True)
    found = breach_set(literal, clubs, over_plain, parse_card("9D"))
    assert found == SUIT_MASKS[hearts] | SUIT_MASKS[clubs]
    assert breach_set(Duties(), clubs, over_plain, parse_card("9D")) == SUIT_MASKS[hearts]


@pytest.mark.guide("engine#replay")
@pytest.mark.parametrize(
    ("trump", "duty", "card", "kind"),
    [
        ("C", Duty.MUST_BEAT, "9H", Breach.FAILED_TO_BEAT),
        ("H", Duty.MUST_BEAT, "9H", Breach.FAILED_TO_BEAT),
        ("C", Duty.FOLLOW, "9C", Breach.FALSE_RUFF),
        ("C", Duty.MUST_BEAT, "9C", Breach.FALSE_RUFF),
        ("C", Duty.FOLLOW, "9D", Breach.REVOKE),
        ("H", Duty.FOLLOW, "9D", Breach.REVOKE),
        ("NT", Duty.FOLLOW, "9C", Breach.REVOKE),
        ("C", Duty.MUST_RUFF, "9D", Breach.FAILED_TO_RUFF),
        ("C", Duty.MUST_OVERRUFF, "9D", Breach.FAILED_TO_OVERRUFF),
        ("C", Duty.MUST_OVERRUFF, "9C", Breach.FAILED_TO_OVERRUFF),
        ("C", Duty.MAY_NOT_UNDER_RUFF, "9C", Breach.UNDER_RUFF),
    ],
)
def test_the_kinds_of_illegal_play(trump, duty, card, kind):
    """Rules specification B.3, with hearts led."""
    view = View(parse_card("8H") >> 3, parse_card("QH"), False, True)
    assert kind_of_breach(parse_trump(trump), view, duty, parse_card(card)) is kind


def test_telling_cards_are_empty_for_kinds_that_the_card_cannot_be():
    duties = Duties()
    clubs, hearts = parse_card("8C") >> 3, parse_card("8H") >> 3
    view = View(hearts, parse_card("QH"), False, True)
    card = parse_card
    assert telling_cards(duties, clubs, view, card("KH"), Breach.REVOKE) == 0
    assert telling_cards(duties, clubs, view, card("9H"), Breach.REVOKE) == 0
    assert telling_cards(duties, clubs, view, card("9D"), Breach.FALSE_RUFF) == 0
    assert telling_cards(duties, clubs, view, card("9D"), Breach.FAILED_TO_BEAT) == 0
    assert telling_cards(duties, clubs, view, card("9D"), Breach.FAILED_TO_OVERRUFF) == 0
    assert telling_cards(duties, clubs, view, card("9D"), Breach.UNDER_RUFF) == 0
    assert telling_cards(duties, clubs, view, card("8C"), Breach.FAILED_TO_RUFF) == 0
    assert telling_cards(duties, clubs, view, card("9H"), Breach.FAILED_TO_RUFF) == 0
    assert telling_cards(duties, clubs, view, card("9D"), Breach.DISOBEYED_ORDER) == 0
    # A trump on a plain lead is a false ruff, "also a renonce" (B.3).
    assert telling_cards(duties, clubs, view, card("8C"), Breach.FALSE_RUFF) == SUIT_MASKS[hearts]
    assert telling_cards(duties, clubs, view, card("8C"), Breach.REVOKE) == SUIT_MASKS[hearts]
    ruffed = View(hearts, parse_card("QC"), False, True)
    higher = sum(1 << card(name) for name in ("KC", "AC", "10C"))
    found = telling_cards(duties, clubs, ruffed, card("9C"), Breach.FAILED_TO_OVERRUFF)
    assert found == higher | SUIT_MASKS[hearts]
    # Under-ruffing is a breach only where it is forbidden.
    assert telling_cards(duties, clubs, ruffed, card("9C"), Breach.UNDER_RUFF) == 0
    strict = Duties(under_ruff=False)
    found = telling_cards(strict, clubs, ruffed, card("9C"), Breach.UNDER_RUFF)
    assert found == higher | ~SUIT_MASKS[clubs] & 0xFFFFFFFF


def test_telling_cards_of_what_was_owed():
    hearts, clubs = parse_card("8H") >> 3, parse_card("8C") >> 3
    view = View(hearts, parse_card("KH"), False, True)
    found = telling_cards(Duties(), clubs, view, parse_card("9H"), Breach.FAILED_TO_BEAT)
    assert found == 1 << parse_card("AH") | 1 << parse_card("10H")
    found = telling_cards(Duties(), clubs, view, parse_card("9D"), Breach.FAILED_TO_RUFF)
    assert found == SUIT_MASKS[hearts] | SUIT_MASKS[clubs]
    assert (
        telling_cards(Duties(), clubs, view, parse_card("9D"), Breach.REVOKE) == SUIT_MASKS[hearts]
    )


@pytest.mark.parametrize("kind", list(Breach))
def test_nothing_tells_of_a_lead_nor_of_a_game_without_duties(kind):
    view = View(parse_card("8H") >> 3, parse_card("KH"), False, True)
    blind = Duties(follow=False, beat=Beat.NEVER, ruff=Ruff.NEVER_BOUND)
    for card in range(32):
        assert telling_cards(Duties(), 3, View(), card, kind) == 0
        assert telling_cards(blind, 3, view, card, kind) == 0


@given(trumps, st.integers(0, 31))
def test_every_card_is_beaten_by_the_higher_of_its_suit_and_by_trumps(trump, master):
    over = set(cards_of(winners_over(trump, master)))
    higher = {c for c in range(32) if c >> 3 == master >> 3 and c > master}
    ruffs = {c for c in range(32) if c >> 3 == trump != master >> 3}
    assert over == higher | ruffs


@pytest.mark.guide("engine#legal")
def test_an_order_narrows_only_what_is_legal():
    assert obey(0b1100, 0b0100) == 0b0100
    assert obey(0b1100, 0b0011) == 0b1100


POSITION = {
    "rulebook": "parlee",
    "trump": "C",
    "trick": [["S", "KS"], ["E", "9S"]],
    "player": "N",
    "hand": ["8S", "TC", "AS"],
}


@pytest.mark.guide("engine#legal")
@pytest.mark.parametrize(
    ("order", "legal"),
    [
        ({"seat": "N", "card": "AS"}, ["AS"]),
        ({"seat": "N", "suit": "S"}, ["8S", "AS"]),
        ({"card": "8S"}, ["8S"]),
        ({"seat": "N", "suit": "C"}, ["8S", "AS"]),  # never makes an illegal card legal
        ({"seat": "N", "card": "10S"}, ["8S", "AS"]),  # cannot be met
        ({"seat": "S", "card": "AS"}, ["8S", "AS"]),  # somebody else's order
    ],
)
def test_orders_of_the_parlee(order, legal):
    assert answer("legal", {**POSITION, "order": order})["legal"] == legal


@pytest.mark.guide("engine#errors")
def test_orders_exist_only_where_partners_talk():
    with pytest.raises(EngineError) as error:
        answer("legal", {**POSITION, "rulebook": "muette", "order": {"card": "AS"}})
    assert error.value.code == "no_orders"


@pytest.mark.guide("engine#values")
def test_a_ten_may_be_written_t_and_is_answered_10():
    found = answer("legal", {**POSITION, "trick": [], "player": "N"})
    assert found == {"legal": ["8S", "10C", "AS"], "duty": "lead"}


@pytest.mark.parametrize(
    ("change", "code", "field"),
    [
        ({"rulebook": None}, "missing_key", "rulebook"),
        ({"rulebook": 5}, "unknown_rulebook", "rulebook"),
        ({"hand": None}, "missing_key", "hand"),
        ({"hand": "8S"}, "malformed_value", "hand"),
        ({"hand": ["8S", "1S"]}, "unknown_card", "hand[1]"),
        ({"hand": []}, "impossible_deal", "trick"),
        ({"hand": ["8S", "8S"]}, "impossible_deal", "trick"),
        ({"hand": ["KS"]}, "impossible_deal", "trick"),
        ({"hand": oracle.PACK[8:17]}, "impossible_deal", "trick"),
        ({"player": "S"}, "impossible_deal", "trick"),
        ({"player": "X"}, "unknown_seat", "player"),
        ({"trick": [["S", "KS", "E"]]}, "malformed_value", "trick[0]"),
        ({"trick": [["S", "KS"], ["S", "7S"]]}, "impossible_deal", "trick"),
        ({"trump": "X"}, "unknown_trump", "trump"),
        ({"order": {}}, "malformed_order", "order"),
        ({"order": {"card": "AS", "suit": "S"}}, "malformed_order", "order"),
        ({"order": {"suit": "X"}}, "malformed_value", "order.suit"),
    ],
)
def test_refusals(change, code, field):
    with pytest.raises(EngineError) as error:
        answer("legal", {**POSITION, **change})
    assert (error.value.code, error.value.field) == (code, field)


@pytest.mark.guide("engine#errors")
def test_every_defect_is_listed_at_once():
    with pytest.raises(EngineError) as error:
        answer("legal", {**POSITION, "hand": ["8S", "8S", "KS"], "player": "E"})
    defects = error.value.as_json()["defects"]
    assert len(defects) == 3
    assert any("8S" in defect for defect in defects)
    assert any("KS" in defect for defect in defects)
    assert any("E has already played" in defect for defect in defects)


@pytest.mark.guide("engine#values")
def test_a_declarer_is_needed_where_one_plays_against_all():
    base = {"rulebook": "auction-2", "trump": "C", "trick": [["1", "KS"]], "hand": ["AS", "7S"]}
    with pytest.raises(EngineError) as error:
        answer("legal", base)
    assert (error.value.code, error.value.field) == ("missing_key", "declarer")
    # Seats 1 and 2 both play against declarer 4: no duty to beat.
    assert answer("legal", {**base, "declarer": "4", "player": "2"})["duty"] == "follow"
    assert answer("legal", {**base, "declarer": "2", "player": "2"})["legal"] == ["AS"]
    assert answer("legal", {**base, "declarer": 1, "player": 2})["legal"] == ["AS"]
