"""Replay of whole and partial deals: winners, points, illegal plays, and their proofs."""

from __future__ import annotations

import itertools
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.engine.calls import answer
from scoring.engine.errors import EngineError, Impossible, Malformed

from . import oracle
from .card_games import GAMES, Table, deal, rngs

# Source 000's four-trick ending, as reconstructed in rules specification B.4. East's two trumps
# are not given by the source; 8♣ and 7♣ are assumed.
ENDING = {
    "rulebook": "parlee",
    "trump": "C",
    "leader": "W",
    "plays": [
        "8H",
        "KC",
        "9D",
        "7H",
        "KS",
        "9S",
        "8S",
        "10S",
        "7D",
        "AD",
        "7C",
        "10C",
        "AS",
        "AC",
        "JS",
        "8C",
    ],
    "hands": {
        "W": ["8H", "10S", "7D", "AC"],
        "S": ["KC", "KS", "AD", "JS"],
        "E": ["9D", "9S", "8C", "7C"],
        "N": ["7H", "8S", "10C", "AS"],
    },
    "partial": True,
}


@pytest.mark.guide("engine#replay", "notation#the-text-form-of-a-deal")
def test_the_four_trick_ending_of_source_000():
    found = answer("replay", ENDING)
    assert found["tricks"] == [
        {
            "n": 1,
            "leader": "W",
            "plays": [["W", "8H"], ["S", "KC"], ["E", "9D"], ["N", "7H"]],
            "winner": "S",
            "points": 4,
        },
        {
            "n": 2,
            "leader": "S",
            "plays": [["S", "KS"], ["E", "9S"], ["N", "8S"], ["W", "10S"]],
            "winner": "W",
            "points": 9,
        },
        {
            "n": 3,
            "leader": "W",
            "plays": [["W", "7D"], ["S", "AD"], ["E", "7C"], ["N", "10C"]],
            "winner": "N",
            "points": 10,
        },
        {
            "n": 4,
            "leader": "N",
            "plays": [["N", "AS"], ["W", "AC"], ["S", "JS"], ["E", "8C"]],
            "winner": "W",
            "points": 10,
        },
    ]
    assert found["points"] == {"NS": 14, "EW": 19}
    assert found["tricks_won"] == {"NS": 2, "EW": 2}
    assert found["violations"] == []
    assert found["complete"] is True


@pytest.mark.parametrize("first", ["Q", "J", "9", "8", "7"])
@pytest.mark.parametrize("second", ["Q", "J", "9", "8", "7"])
def test_the_ending_is_legal_with_any_two_low_trumps_of_east(first, second):
    if first == second:
        return
    swap = {"7C": first + "C", "8C": second + "C"}
    plays = [swap.get(card, card) for card in ENDING["plays"]]
    hands = {s: [swap.get(card, card) for card in hand] for s, hand in ENDING["hands"].items()}
    found = answer("replay", {**ENDING, "plays": plays, "hands": hands})
    assert found["violations"] == []
    # Each unit of East's trumps goes to trick 3 (N-S) or trick 4 (E-W).
    assert found["points"] == {
        "NS": 14 + oracle.value(first + "C"),
        "EW": 19 + oracle.value(second + "C"),
    }


def test_i15_an_ace_instead_of_the_overruff():
    plays = [
        "8H",
        "KC",
        "9D",
        "7H",
        "KS",
        "9S",
        "8S",
        "10S",
        "7D",
        "AD",
        "7C",
        "AS",
        "AC",
        "8C",
        "10C",
        "JS",
    ]
    # East's 7♣ now wins trick 3, and East leads.
    plays[12:] = ["8C", "10C", "AC", "JS"]
    found = answer("replay", {**ENDING, "plays": plays})
    assert found["violations"] == [
        {
            "trick": 3,
            "seat": "N",
            "card": "AS",
            "kind": "failed_to_overruff",
            "duty": "must_overruff",
            "legal": ["10C"],
            "articles": ["000-P4"],
            "provable": {"trick": 4, "card": "10C"},
            "proved_by": {"seat": "N", "how": "play"},
        }
    ]


def _replay_by_hand(table, record):
    """Return winners, points and violations by the second implementation."""
    count = len(table.seats)
    left = {seat: list(hand) for seat, hand in record["hands"].items()}
    sides = list(dict.fromkeys(table.sides[s] for s in table.seats))
    points, won, violations = dict.fromkeys(sides, 0), dict.fromkeys(sides, 0), []
    seat, winners = record["leader"], []
    for start in range(0, len(record["plays"]), count):
        trick = []
        for at, card in enumerate(record["plays"][start : start + count]):
            who = table.seats[(table.seats.index(seat) + at) % count]
            legal, _ = oracle.legal(
                table.rulebook, table.options, record["trump"], trick, who, left[who], table.sides
            )
            kind = oracle.kind(
                table.rulebook,
                table.options,
                record["trump"],
                trick,
                who,
                left[who],
                table.sides,
                card,
            )
            if kind:
                violations.append(
                    {
                        "trick": start // count + 1,
                        "seat": who,
                        "card": card,
                        "kind": kind,
                        "legal": legal,
                        "articles": oracle.articles(table.rulebook, kind),
                    }
                )
            left[who].remove(card)
            trick.append((who, card))
        seat = oracle.master_of(trick, record["trump"])[0]
        winners.append(seat)
        side = table.sides[seat]
        won[side] += 1
        points[side] += sum(oracle.value(card) for _, card in trick) + table.trick_point
        if start == 0 and table.rulebook == "three-player":
            points[side] += sum(oracle.value(card) for card in record["reserve"])
    return winners, points, won, violations


def _given(table, record):
    return {
        **table.keys(),
        "trump": record["trump"],
        "leader": record["leader"],
        "plays": record["plays"],
        "hands": record["hands"],
    }


@pytest.mark.guide("engine#legal")
@pytest.mark.parametrize(("rulebook", "options"), GAMES, ids=lambda value: str(value))
def test_agrees_with_the_second_reading(rulebook, options):
    for number, rng in enumerate(rngs(6, f"{rulebook}{options}")):
        table = Table(rulebook, options, rng)
        record = deal(table, rng, illegal=(0.0, 0.25)[number % 2])
        found = answer("replay", _given(table, record))
        winners, points, won, violations = _replay_by_hand(table, record)
        assert [trick["winner"] for trick in found["tricks"]] == winners
        assert found["points"] == points
        assert found["tricks_won"] == won
        keys = ("trick", "seat", "card", "kind", "legal", "articles")
        assert [{key: each[key] for key in keys} for each in found["violations"]] == violations
        if number % 2 == 0:
            assert found["violations"] == []


@pytest.mark.guide("engine#replay")
@given(st.sampled_from(GAMES), st.randoms(use_true_random=False))
@settings(max_examples=60)
def test_every_breach_of_a_whole_deal_shows_in_the_end(game, rng):
    table = Table(*game, rng)
    record = deal(table, rng, illegal=0.3)
    found = answer("replay", _given(table, record))
    for each in found["violations"]:
        assert each["provable"] is not None
        assert each["trick"] <= each["provable"]["trick"] <= table.hand
    if table.rulebook not in ("auction-1", "auction-2", "auction-3"):
        assert sum(found["points"].values()) == 60 + table.trick_point * table.hand
    assert sum(found["tricks_won"].values()) == table.hand


def _held_in_every_deal(table, record, violation, upto):
    """Return whether the offender holds a telling card in every deal of the unseen cards after ``upto`` plays.

    Computed by brute force over the hands that the offender can still hold.
    """
    count = len(table.seats)
    seats = _seats_of_plays(table, record)
    at = next(
        i
        for i, (who, card) in enumerate(zip(seats, record["plays"], strict=True))
        if card == violation["card"] and who == violation["seat"]
    )
    start = at - at % count
    trick = list(zip(seats[start:at], record["plays"][start:at], strict=True))
    shown = [
        card
        for index, (who, card) in enumerate(zip(seats, record["plays"], strict=True))
        if who == violation["seat"] and at < index <= upto
    ]
    held = table.hand - sum(1 for who in seats[: upto + 1] if who == violation["seat"])
    unseen = [card for card in table.pack if card not in record["plays"][: upto + 1]]
    led = oracle.suit(trick[0][1])
    lesser = {"failed_to_ruff", "failed_to_overruff", "under_ruff"}

    def breach(hand):
        kind = oracle.kind(
            table.rulebook,
            table.options,
            record["trump"],
            trick,
            violation["seat"],
            [*hand, violation["card"]],
            table.sides,
            violation["card"],
        )
        if violation["kind"] in lesser:
            # Treated as void, they either broke this duty or held the suit.
            if violation["kind"] == "under_ruff" and kind == "failed_to_overruff":
                return True  # the same lower trump, with a higher one in hand
            return kind == violation["kind"] or any(oracle.suit(card) == led for card in hand)
        return kind == violation["kind"]

    return all(breach([*shown, *rest]) for rest in itertools.combinations(unseen, held))


def _seats_of_plays(table, record):
    count = len(table.seats)
    seats, seat = [], record["leader"]
    for start in range(0, len(record["plays"]), count):
        order = [table.seats[(table.seats.index(seat) + at) % count] for at in range(count)]
        seats += order
        trick = list(zip(order, record["plays"][start : start + count], strict=True))
        seat = oracle.master_of(trick, record["trump"])[0]
    return seats


@pytest.mark.guide("engine#replay")
@pytest.mark.parametrize("rulebook", ["parlee", "coinchee", "belgian", "muette", "auction-2"])
def test_provable_is_the_first_play_after_which_every_deal_has_the_breach(rulebook):
    """Compared with brute force over every hand the offender can still hold, late in the deal."""
    checked = 0
    for rng in rngs(60, f"provable-{rulebook}"):
        options = {"players": 4} if rulebook == "auction-2" else {}
        if rulebook == "muette":
            options = {"muette_ruff": "OPPONENT_MASTER"}
        table = Table(rulebook, options, rng)
        record = deal(table, rng, illegal=0.25)
        seats = _seats_of_plays(table, record)
        for violation in answer("replay", _given(table, record))["violations"]:
            if violation["trick"] < table.hand - 3:
                continue
            proof = violation["provable"]
            shown_at = next(i for i, card in enumerate(record["plays"]) if card == proof["card"])
            assert seats[shown_at] == violation["proved_by"]["seat"]
            first = record["plays"].index(violation["card"])
            assert _held_in_every_deal(table, record, violation, shown_at)
            if shown_at > first:
                assert not _held_in_every_deal(table, record, violation, shown_at - 1)
            checked += 1
    assert checked > 20


@pytest.mark.guide("engine#replay")
def test_hands_are_inferred_from_a_whole_deal():
    rng = random.Random(5)
    table = Table("coinchee", {}, rng)
    record = deal(table, rng, illegal=0.2)
    given = _given(table, record)
    with_hands = answer("replay", given)
    without = answer("replay", {k: v for k, v in given.items() if k != "hands"})
    assert without["points"] == with_hands["points"]
    for one, other in zip(with_hands["violations"], without["violations"], strict=True):
        assert {**one, "legal": sorted(one["legal"])} == {**other, "legal": sorted(other["legal"])}


@pytest.mark.guide("engine#errors", "engine#replay")
def test_one_illegal_swap_gives_exactly_the_expected_violation():
    """South could follow and discards instead; no other card changes hands."""
    hands = {
        "W": ["10H", "AH", "KH", "QH", "JH", "9H", "8H", "7H"],
        "S": ["10S", "AS", "KS", "QS", "JS", "9S", "8S", "7S"],
        "E": ["10D", "AD", "KD", "QD", "JD", "9D", "8D", "7D"],
        "N": ["10C", "AC", "KC", "QC", "JC", "9C", "8C", "7C"],
    }
    # One card of each suit changes places so that South holds a heart.
    hands["W"][7], hands["S"][7] = "7S", "7H"
    plays = ["9H", "7S", "7D", "7C", "8H", "8S", "8D", "8C"]
    plays[1] = "9S"
    record = {
        "rulebook": "muette",
        "options": {"direction": "CCW"},
        "trump": "NT",
        "leader": "W",
        "plays": plays,
        "hands": hands,
        "partial": True,
    }
    found = answer("replay", record)
    assert [(v["trick"], v["seat"], v["kind"], v["legal"]) for v in found["violations"]] == [
        (1, "S", "revoke", ["7H"]),
        (2, "S", "revoke", ["7H"]),
    ]
    # The proof does not appear within two tricks.
    assert [v["provable"] for v in found["violations"]] == [None, None]


# Orders ---------------------------------------------------------------------------------------


@pytest.mark.guide("engine#replay")
def test_a_disobeyed_order_is_reported_with_what_obeyed():
    orders = [{"trick": 2, "seat": "N", "card": "AS"}]
    found = answer("replay", {**ENDING, "orders": orders})
    assert found["violations"] == [
        {
            "trick": 2,
            "seat": "N",
            "card": "8S",
            "kind": "disobeyed_order",
            "duty": "follow",
            "legal": ["AS"],
            "articles": ["000-E2"],
            "provable": {"trick": 4, "card": "AS"},
            "proved_by": {"seat": "N", "how": "play"},
        }
    ]


@pytest.mark.parametrize(
    "order",
    [
        {"trick": 2, "seat": "N", "card": "8S"},  # obeyed
        {"trick": 2, "seat": "N", "suit": "S"},  # obeyed
        {"trick": 2, "seat": "N", "card": "10C"},  # would be illegal
        {"trick": 2, "seat": "N", "card": "9S"},  # not held
        {"trick": 1, "seat": "E", "suit": "H"},  # cannot be obeyed
    ],
)
def test_an_order_binds_only_where_it_can_be_obeyed_legally(order):
    assert answer("replay", {**ENDING, "orders": [order]})["violations"] == []


def test_an_illegal_play_against_an_order_is_reported_once_as_the_illegal_play():
    plays = ["8H", "KC", "9D", "7H", "KS", "9S", "10C", "10S"]
    orders = [{"trick": 2, "seat": "N", "card": "AS"}]
    found = answer("replay", {**ENDING, "plays": plays, "orders": orders})
    assert [(v["kind"], v["legal"]) for v in found["violations"]] == [("false_ruff", ["AS"])]


@pytest.mark.guide("engine#replay")
@pytest.mark.parametrize(
    ("order", "code"),
    [
        ({"trick": 9, "seat": "N", "card": "AS"}, "malformed_value"),
        ({"trick": 1, "seat": "X", "card": "AS"}, "unknown_seat"),
        ({"seat": "N", "card": "AS"}, "malformed_order"),
        ({"trick": 1, "seat": "N"}, "malformed_order"),
        ("AS", "malformed_value"),
    ],
)
def test_malformed_orders(order, code):
    with pytest.raises(Malformed) as error:
        answer("replay", {**ENDING, "orders": [order]})
    assert error.value.code == code


# Partial records ------------------------------------------------------------------------------


@pytest.mark.guide("engine#replay")
def test_an_open_trick_has_no_winner_yet():
    found = answer("replay", {**ENDING, "plays": ENDING["plays"][:6]})
    assert found["tricks"][1]["winner"] is None
    assert found["tricks"][1]["points"] is None
    assert found["points"] == {"NS": 4, "EW": 0}
    assert found["complete"] is False


@pytest.mark.guide("engine#replay")
def test_without_hands_a_partial_record_shows_what_the_table_saw():
    plays = ["8H", "7C", "9H", "7H", "7S", "8S", "9S", "JS"]
    record = {"rulebook": "parlee", "trump": "C", "leader": "W", "partial": True, "plays": plays}
    assert answer("replay", record)["violations"] == []
    plays[4:] = ["8C", "10H", "JC", "QC"]
    assert answer("replay", {**record, "plays": plays})["violations"] == []
    plays[4:] = ["10H", "8S", "JH", "QH"]  # South ruffed trick 1 and led a heart
    found = answer("replay", {**record, "plays": plays})["violations"]
    assert [(v["trick"], v["seat"], v["kind"]) for v in found] == [(1, "S", "false_ruff")]
    assert found[0]["provable"] == {"trick": 2, "card": "10H"}
    assert found[0]["proved_by"] == {"seat": "S", "how": "play"}


@pytest.mark.guide("engine#replay")
def test_in_an_ending_only_a_card_shown_proves():
    """An observer who sees only the cards on the table knows neither the hands nor the earlier tricks."""
    hands = {"W": ["8S", "7S"], "S": ["9D", "9S"], "E": ["8H", "JS"], "N": ["KS", "QS"]}
    record = {
        "rulebook": "parlee",
        "trump": "C",
        "leader": "W",
        "partial": True,
        "hands": hands,
        "plays": ["8S", "9S", "8H", "KS", "QS", "7S", "9D", "JS"],
    }
    found = answer("replay", record)["violations"]
    # East, last to play, discarded a heart; the jack of spades is the last card seen.
    assert [(v["seat"], v["kind"]) for v in found] == [("E", "revoke")]
    assert found[0]["provable"] == {"trick": 2, "card": "JS"}
    assert found[0]["proved_by"] == {"seat": "E", "how": "play"}
    # Before that card it has not been shown.
    before = answer("replay", {**record, "plays": record["plays"][:-1]})["violations"]
    assert [(v["kind"], v["provable"]) for v in before] == [("revoke", None)]


# The three-player reserve and the widow ---------------------------------------------------------


@pytest.mark.guide("engine#replay")
def test_the_reserve_goes_to_the_winner_of_trick_1():
    rng = random.Random(3)
    table = Table("three-player", {}, rng)
    record = deal(table, rng)
    whole = answer("replay", {**_given(table, record), "reserve": record["reserve"]})
    inferred = answer("replay", {k: v for k, v in _given(table, record).items() if k != "hands"})
    assert whole["reserve"]["points"] == sum(oracle.value(c) for c in record["reserve"])
    winner = whole["tricks"][0]["winner"]
    assert whole["reserve"]["side"] == ("3" if winner == "3" else "12")
    assert inferred["points"] == whole["points"]
    assert sum(whole["points"].values()) == 60


def test_the_widow_scores_for_nobody():
    rng = random.Random(4)
    table = Table("auction-1", {"players": 5}, rng)
    record = deal(table, rng)
    found = answer("replay", {**_given(table, record), "reserve": record["reserve"]})
    out = sum(oracle.value(card) for card in record["reserve"])
    assert sum(found["points"].values()) == 60 + 6 - out
    assert "reserve" not in found


# Impossible records ---------------------------------------------------------------------------


def _defects(change):
    with pytest.raises(Impossible) as error:
        answer("replay", {**ENDING, **change})
    assert error.value.code == "impossible_deal"
    assert error.value.message == "; ".join(error.value.defects)
    return error.value.defects


def test_a_card_twice():
    plays = [*ENDING["plays"][:4], "KS", "KS"]
    assert "KS played 2 times" in _defects({"plays": plays})


def test_a_card_not_in_the_hand():
    plays = [*ENDING["plays"][:4], "QS"]
    assert _defects({"plays": plays}) == ["S played QS without holding it"]


def test_a_hand_of_the_wrong_size():
    hands = {**ENDING["hands"], "N": ["7H", "8S", "10C"]}
    assert "N holds 3 cards instead of 8" in _defects(
        {"hands": hands, "plays": ENDING["plays"][:3]}
    )


def test_missing_cards_are_named():
    assert _defects({"plays": ENDING["plays"][:15], "hands": None, "partial": False}) == [
        "15 cards played instead of 32; missing: "
        + " ".join(card for card in oracle.PACK if card not in ENDING["plays"][:15])
    ]


def test_too_many_cards():
    assert "17 cards played instead of 16" in _defects({"plays": [*ENDING["plays"], "8C"]})


def test_removed_sevens_are_not_in_the_pack():
    with pytest.raises(Impossible) as error:
        answer(
            "replay",
            {
                "rulebook": "auction-2",
                "options": {"players": 3},
                "declarer": "1",
                "trump": "C",
                "leader": "1",
                "plays": ["7D", "8D", "9D"],
                "partial": True,
            },
        )
    assert error.value.defects == ["not in this pack: 7D"]


def test_no_cards_are_named_missing_where_all_the_hands_were_played():
    """Four cards each, all played, and not marked partial: only the number is wrong."""
    found = _defects({**ENDING, "partial": False})
    assert found[-1] == "16 cards played instead of 32"


@pytest.mark.guide("engine#errors")
def test_every_defect_is_listed_at_once():
    hands = {**ENDING["hands"], "N": ["7H", "8S", "KC"]}
    plays = ["8H", "KC", "KC", "QD"]
    found = _defects({"hands": hands, "plays": plays, "partial": False})
    for part in (
        "KC played 2 times",
        "KC dealt 2 times",
        "N holds 3 cards instead of 8",
        "W holds 4 cards instead of 8",
        "E played KC without holding it",
        "N played QD without holding it",
        "4 cards played instead of 32",
    ):
        assert any(part in defect for defect in found), (part, found)


def test_a_full_deal_with_a_card_in_nobodys_hand():
    rng = random.Random(8)
    table = Table("muette", {}, rng)
    record = deal(table, rng)
    given = _given(table, record)
    seat = table.seats[0]
    gone = given["hands"][seat][0]
    other = given["hands"][table.seats[1]][0]
    given["hands"] = {**given["hands"], seat: [other, *given["hands"][seat][1:]]}
    with pytest.raises(Impossible) as error:
        answer("replay", given)
    assert f"{other} dealt 2 times" in error.value.defects
    assert f"in nobody's hand: {gone}" in error.value.defects


@pytest.mark.parametrize(
    ("change", "code", "field"),
    [
        ({"plays": None}, "missing_key", "plays"),
        ({"plays": "8H"}, "malformed_value", "plays"),
        ({"plays": ["8H", 5]}, "unknown_card", "plays[1]"),
        ({"leader": None}, "missing_key", "leader"),
        ({"leader": "1"}, "unknown_seat", "leader"),
        ({"hands": {"X": []}}, "unknown_seat", "hands.X"),
        ({"hands": []}, "malformed_value", "hands"),
        ({"partial": "yes"}, "malformed_value", "partial"),
        ({"trump": 1}, "unknown_trump", "trump"),
        ({"orders": {}}, "malformed_value", "orders"),
    ],
)
def test_malformed(change, code, field):
    with pytest.raises(EngineError) as error:
        answer("replay", {**ENDING, **change})
    assert (error.value.code, error.value.field) == (code, field)


@pytest.mark.guide("engine#replay")
def test_the_leader_follows_the_dealer_when_left_out():
    record = {k: v for k, v in ENDING.items() if k != "leader"}
    assert answer("replay", {**record, "dealer": "N"}) == answer("replay", ENDING)


@given(st.sampled_from([g for g in GAMES if g[0] != "blind"]), st.randoms(use_true_random=False))
@settings(max_examples=150)
def test_one_illegal_card_in_a_legal_deal_is_the_only_violation(game, rng):
    """A legal deal up to some play, then a card that the oracle calls illegal."""
    table = Table(*game, rng)
    record = deal(table, rng)
    seats = _seats_of_plays(table, record)
    count = len(table.seats)
    places = list(range(len(seats)))
    rng.shuffle(places)
    for at in places:
        who, start = seats[at], at - at % count
        played = {c for s, c in zip(seats[:at], record["plays"], strict=False) if s == who}
        hand = [card for card in record["hands"][who] if card not in played]
        trick = list(zip(seats[start:at], record["plays"][start:at], strict=True))
        legal, duty = oracle.legal(
            table.rulebook, table.options, record["trump"], trick, who, hand, table.sides
        )
        illegal = [card for card in hand if card not in legal]
        if illegal:
            break
    else:
        return
    card = rng.choice(illegal)
    kind = oracle.kind(
        table.rulebook, table.options, record["trump"], trick, who, hand, table.sides, card
    )
    given = {**_given(table, record), "plays": [*record["plays"][:at], card], "partial": True}
    (found,) = answer("replay", given)["violations"]
    found.pop("provable")
    found.pop("proved_by")
    assert found == {
        "trick": start // count + 1,
        "seat": who,
        "card": card,
        "kind": kind,
        "duty": duty,
        "legal": legal,
        "articles": oracle.articles(table.rulebook, kind),
    }


@pytest.mark.guide("engine#replay")
@pytest.mark.parametrize("rulebook", ["parlee", "parlee-limited"])
def test_orders_agree_with_the_second_reading(rulebook):
    disobeyed = 0
    for rng in rngs(40, f"orders-{rulebook}"):
        table = Table(rulebook, {}, rng)
        record = deal(table, rng)
        seats = _seats_of_plays(table, record)
        orders, expected = [], []
        left = {seat: list(hand) for seat, hand in record["hands"].items()}
        for at, (who, card) in enumerate(zip(seats, record["plays"], strict=True)):
            start = at - at % 4
            trick = list(zip(seats[start:at], record["plays"][start:at], strict=True))
            legal, _ = oracle.legal(
                rulebook, {}, record["trump"], trick, who, left[who], table.sides
            )
            left[who].remove(card)
            if rng.random() < 0.5:
                continue
            order = {"trick": at // 4 + 1, "seat": who}
            if rng.random() < 0.5:
                order["suit"] = rng.choice("SHDC")
                obeying = [c for c in legal if c[-1] == order["suit"]]
            else:
                order["card"] = rng.choice(record["hands"][who])
                obeying = [c for c in legal if c == order["card"]]
            orders.append(order)
            if obeying and card not in obeying:
                expected.append((order["trick"], who, card, "disobeyed_order", obeying))
        found = answer("replay", {**_given(table, record), "orders": orders})["violations"]
        keys = ("trick", "seat", "card", "kind", "legal")
        assert [tuple(each[key] for key in keys) for each in found] == expected
        for each in found:
            assert each["articles"] == oracle.articles(rulebook, "disobeyed_order")
            # The card that would have obeyed is shown at the end.
            assert each["provable"]["trick"] > each["trick"] or (
                each["proved_by"]["how"] == "elimination"
            )
        disobeyed += len(found)
    assert disobeyed > 50


@pytest.mark.guide("engine#replay")
@pytest.mark.parametrize(
    ("said", "leader"),
    [
        ({"blind": True}, "S"),
        ({"contract": {"trump": "NT", "blind": True}}, "S"),
        ({"contract": {"trump": "NT", "blind": False}}, "W"),
        ({}, "W"),
    ],
)
def test_the_dealer_leads_a_blind_deal(said, leader):
    """004, blind trump: "The dealer gets to lead the first trick"."""
    record = {
        "rulebook": "muette",
        "trump": "NT",
        "dealer": "S",
        "plays": ["8H", "9H"],
        "partial": True,
        **said,
    }
    assert answer("replay", record)["tricks"][0]["leader"] == leader
    position = {
        "rulebook": "muette",
        "trump": "NT",
        "dealer": "S",
        **said,
        "hands": {"S": ["AS"], "W": ["KH"], "N": ["7D"], "E": ["7C"]},
    }
    # Each holds one suit, so the leader wins the trick.
    assert answer("solve", position)["points"]["NS"] == (7 if leader == "S" else 0)
