"""Guilty, innocent, undetermined: against every completion by brute force, and worked cases."""

from __future__ import annotations

import itertools
import random

import pytest

from scoring.engine.calls import answer
from scoring.engine.cardplay import CardPlay
from scoring.engine.cards import NO_TRUMP, SUIT_MASKS, cards_of, format_card, mask_of, parse_card
from scoring.engine.completions import AgreedTrick, read_record
from scoring.engine.duties import Beat, Duties, Ruff
from scoring.engine.errors import EngineError, Impossible, Malformed
from scoring.engine.legality import Breach, beats, kind_of_breach, legal_mask, view_of
from scoring.engine.prove import Allegation, Verdict, prove
from scoring.engine.replay import replay

from . import oracle
from .minimax import ALL_DUTIES

SEATS = ("W", "S", "E", "N")
# Three suits of four ranks, three cards each: small enough to enumerate every completion.
SMALL = mask_of(parse_card(rank + suit) for suit in "SHC" for rank in ("7", "J", "K", "10"))
PACK = list(cards_of(SMALL))


def _play(duties, reserve=0):
    return CardPlay(
        duties=duties,
        seats=SEATS,
        sides=("NS", "EW"),
        side_of=(1, 0, 1, 0),
        hand=3,
        deck=SMALL,
        reserve=reserve,
    )


def _winner(trump, leader, cards):
    best = 0
    for at in range(1, 4):
        if beats(trump, cards[at], cards[best]):
            best = at
    return (leader + best) % 4


def _random_tricks(rng, play, trump):
    """Return the hands and the tricks (number, leader, cards) of a small deal, partly illegal."""
    pack = list(PACK)
    rng.shuffle(pack)
    hands = [pack[seat * 3 : seat * 3 + 3] for seat in range(4)]
    left = [list(hand) for hand in hands]
    leader = rng.randrange(4)
    tricks = []
    for number in (1, 2, 3):
        cards = []
        for at in range(4):
            seat = (leader + at) % 4
            view = view_of(
                trump,
                cards,
                [play.side_of[(leader + k) % 4] == play.side_of[seat] for k in range(at)],
            )
            legal, _ = legal_mask(play.duties, trump, view, mask_of(left[seat]))
            options = left[seat] if rng.random() < 0.4 else list(cards_of(legal))
            card = rng.choice(options)
            left[seat].remove(card)
            cards.append(card)
        tricks.append((number, leader, cards))
        leader = _winner(trump, leader, cards)
    return hands, tricks


def _random_record(rng, play, trump):
    """Return a small deal, and its record with some cards forgotten and perhaps some hands given."""
    hands, tricks = _random_tricks(rng, play, trump)
    places = [(number, at) for number, _, cards in tricks for at in range(len(cards))]
    forgotten = set(rng.sample(places, rng.randint(0, 6)))
    agreed = []
    for number, led_by, cards in tricks:
        kept = tuple(None if (number, at) in forgotten else card for at, card in enumerate(cards))
        if all(card is None for card in kept) and rng.random() < 0.7:
            continue
        agreed.append(AgreedTrick(number, led_by, kept))
    rng.shuffle(agreed)
    given = {seat: hands[seat] for seat in range(4) if rng.random() < 0.2}
    return agreed, given


def _completions(play, trump, agreed, given):
    """Yield every full deal of three tricks that fits: lists of (leader, cards) by trick."""
    by_number = {trick.number: trick for trick in agreed}
    known = {card for trick in agreed for card in trick.cards if card is not None}
    unseen = [card for card in PACK if card not in known]

    def fill(number, leader, used, played, so_far):
        if number > 3:
            yield so_far
            return
        trick = by_number.get(number)
        leaders = range(4) if leader is None else [leader]
        for first in leaders:
            if trick is not None and trick.leader is not None and trick.leader != first:
                continue
            kept = trick.cards if trick is not None else (None,) * 4
            blanks = [at for at in range(4) if kept[at] is None]
            free = [card for card in unseen if card not in used]
            for chosen in itertools.permutations(free, len(blanks)):
                cards = list(kept)
                for at, card in zip(blanks, chosen, strict=True):
                    cards[at] = card
                fits = all(
                    (first + at) % 4 not in given or card in given[(first + at) % 4]
                    for at, card in enumerate(cards)
                )
                if fits:
                    yield from fill(
                        number + 1,
                        _winner(trump, first, cards),
                        used | set(chosen),
                        played,
                        [*so_far, (first, cards)],
                    )

    yield from fill(1, None, set(), None, [])


def _seen(play, trump, deal, number, seat):
    """Return the view, hand (a bit set) and card of ``seat`` in trick ``number`` of a full deal."""
    leader, cards = deal[number - 1]
    at = (seat - leader) % 4
    hand = [deal[later][1][(seat - deal[later][0]) % 4] for later in range(number - 1, 3)]
    own = [play.side_of[(leader + k) % 4] == play.side_of[seat] for k in range(at)]
    return view_of(trump, cards[:at], own), mask_of(hand), cards[at]


def _breach(duties, trump, view, hand, card):
    """Return the kind of breach, whether ``hand`` holds the led suit, and whether ``card`` is a trump."""
    legal, duty = legal_mask(duties, trump, view, hand)
    if legal >> card & 1:
        return None, False, False
    kind = kind_of_breach(trump, view, duty, card)
    return kind, any(each >> 3 == view.led for each in cards_of(hand)), card >> 3 == trump


def _is(kind, found, strictly, duties):
    """Return whether a breach found counts as the alleged ``kind``.

    A false ruff is also a revoke (B.3). Not strictly: a void player who neither followed nor fulfilled that duty is in
    breach either way.
    """
    found, holds_led, by_trump = found
    if found is None:
        return False
    if kind is Breach.REVOKE:
        return found in (Breach.REVOKE, Breach.FALSE_RUFF)
    if found is kind:
        return True
    if kind is Breach.FAILED_TO_RUFF and duties.ruff is Ruff.ALWAYS:
        # A trump is always due: a discard breaks that duty, even if a higher trump was due.
        return (found is Breach.FAILED_TO_OVERRUFF and not by_trump) or (
            not strictly and holds_led and found in (Breach.REVOKE, Breach.FALSE_RUFF)
        )
    if strictly or kind in (Breach.FALSE_RUFF, Breach.FAILED_TO_BEAT):
        return False
    if kind is Breach.UNDER_RUFF and found is Breach.FAILED_TO_OVERRUFF:
        return by_trump
    return holds_led and found in (Breach.REVOKE, Breach.FALSE_RUFF)


DUTIES = [
    Duties(),
    Duties(under_ruff=False),
    Duties(ruff_over_partner=True),
    Duties(ruff=Ruff.LITERAL_003, beat_at_no_trump=False),
    Duties(beat=Beat.NEVER, ruff=Ruff.ALWAYS),
    Duties(beat=Beat.TRUMPS_ONLY, beat_partner=True),
    Duties(ruff=Ruff.ALWAYS, under_ruff=False),
    Duties(ruff=Ruff.NEVER_BOUND, under_ruff=False),
    Duties(beat=Beat.NEVER, ruff=Ruff.NEVER_BOUND),
]
SAMPLE = random.Random("duties").sample(ALL_DUTIES, 48)


def _disobeyed(duties, trump, view, hand, card, ordered):
    """Return whether ``card`` disobeyed; and whether it did or was illegal where the order could bind."""
    if ordered >> card & 1:
        return False, False
    legal, _ = legal_mask(duties, trump, view, hand)
    if legal >> card & 1:
        return (legal & ordered != 0,) * 2
    return False, any(
        legal_mask(duties, trump, view, 1 << card | 1 << each)[0] >> each & 1
        for each in cards_of(ordered)
    )


def _is_as_alleged(duties, trump, allegation, view, hand, card):
    """Return whether ``card`` out of ``hand`` is the alleged breach, strictly and not strictly."""
    if allegation.kind is Breach.DISOBEYED_ORDER:
        return _disobeyed(duties, trump, view, hand, card, allegation.ordered)
    found = _breach(duties, trump, view, hand, card)
    return tuple(_is(allegation.kind, found, strictly, duties) for strictly in (True, False))


def _alleged(rng, play, trump, seen, number, seat):
    """Return a random allegation, often of a real breach in one of the deals."""
    found = [_breach(play.duties, trump, *each)[0] for each in seen]
    real = sorted({kind for kind in found if kind is not None})
    kind = rng.choice(real) if real and rng.random() < 0.6 else rng.choice(list(Breach))
    suit = SUIT_MASKS[rng.randrange(4)] & SMALL
    return Allegation(number, seat, kind, rng.choice([suit, 1 << rng.choice(PACK)]))


def _check(rng, duties):
    play = _play(duties)
    trump = rng.choice([NO_TRUMP, 0, 1, 3])
    agreed, given = _random_record(rng, play, trump)
    record = read_record(play, trump, agreed, given)
    deals = list(_completions(play, trump, agreed, given))
    assert deals
    number, seat = rng.randint(1, 3), rng.randrange(4)
    seen = [_seen(play, trump, deal, number, seat) for deal in deals]
    allegation = _alleged(rng, play, trump, seen, number, seat)
    judged = prove(record, allegation)
    found = [_is_as_alleged(duties, trump, allegation, *each) for each in seen]
    if not any(strictly for strictly, _ in found):
        expected = Verdict.INNOCENT
    elif all(broadly for _, broadly in found):
        expected = Verdict.GUILTY
    else:
        expected = Verdict.UNDETERMINED
    assert judged.verdict is expected, (agreed, given, allegation, trump, duties)
    assert judged.reason
    if judged.trick is not None:
        # The proof is in the record, after the alleged play.
        assert judged.trick > number
        assert any(judged.card in trick.cards for trick in agreed if trick.number == judged.trick)
    if judged.card is not None:
        # Whatever the rest of the hand, that card alone makes it a breach.
        for view, _, card in seen:
            both = 1 << card | 1 << judged.card
            assert _is_as_alleged(duties, trump, allegation, view, both, card)[1]
    return expected


@pytest.mark.guide("engine#prove")
@pytest.mark.parametrize("duties", DUTIES, ids=lambda duties: f"{duties.ruff}-{duties.beat}")
def test_agrees_with_every_completion(duties):
    rng = random.Random(repr(duties))
    verdicts = [_check(rng, duties) for _ in range(200)]
    assert set(verdicts) == set(Verdict)


def test_every_set_of_duties_agrees_with_every_completion():
    rng = random.Random("sample")
    for duties in SAMPLE:
        for _ in range(10):
            _check(rng, duties)


@pytest.mark.long
@pytest.mark.parametrize("duties", DUTIES, ids=lambda duties: f"{duties.ruff}-{duties.beat}")
def test_agrees_with_every_completion_at_length(duties):
    rng = random.Random("long" + repr(duties))
    for _ in range(3_000):
        _check(rng, duties)


@pytest.mark.long
@pytest.mark.parametrize("ruff", Ruff)
def test_every_set_of_duties_agrees_with_every_completion_at_length(ruff):
    rng = random.Random("long" + ruff)
    for duties in ALL_DUTIES:
        if duties.ruff is ruff:
            for _ in range(60):
                _check(rng, duties)


def _proved(play, trump, deal, found, ordered, upto):
    """Return whether every possible hand after the play ``upto`` of a deal has the breach."""
    every = [((leader + at) % 4, card) for leader, cards in deal for at, card in enumerate(cards)]
    seen = every[: upto + 1]
    view, hand, card = _seen(play, trump, deal, found.trick, found.seat)
    at = seen.index((found.seat, card))
    shown = [each for seat, each in seen[at:] if seat == found.seat]
    unseen = set(PACK) - {each for _, each in seen}
    for rest in itertools.combinations(unseen, hand.bit_count() - len(shown)):
        held = mask_of([*shown, *rest])
        alleged = Allegation(found.trick, found.seat, found.kind, ordered & held)
        if not _is_as_alleged(play.duties, trump, alleged, view, held, card)[1]:
            return False
    return True


def _check_replay(rng, duties):
    """Check each ``provable`` of a deal against every hand that the player can have held."""
    play = _play(duties)
    trump = rng.choice([NO_TRUMP, 0, 1, 3])
    deal = [(leader, cards) for _, leader, cards in _random_tricks(rng, play, trump)[1]]
    plays = [card for _, cards in deal for card in cards]
    orders = {
        (number, seat): SUIT_MASKS[rng.randrange(4)] & SMALL
        for number in (1, 2, 3)
        for seat in range(4)
        if rng.random() < 0.3
    }
    for found in replay(play, trump, deal[0][0], plays, orders=orders).violations:
        ordered = orders.get((found.trick, found.seat), 0)
        first = plays.index(found.provable.card)
        assert _proved(play, trump, deal, found, ordered, first), (deal, trump, found, duties)
        if first > plays.index(found.card):
            before = _proved(play, trump, deal, found, ordered, first - 1)
            assert not before, (deal, trump, found, duties)


def test_a_replay_proves_each_breach_as_soon_as_every_hand_has_it():
    rng = random.Random("replay")
    for duties in [*DUTIES, *SAMPLE]:
        for _ in range(10):
            _check_replay(rng, duties)


@pytest.mark.long
def test_a_replay_proves_each_breach_by_every_set_of_duties():
    rng = random.Random("replay long")
    for duties in ALL_DUTIES:
        for _ in range(200):
            _check_replay(rng, duties)


# Worked cases -----------------------------------------------------------------------------------

BASE = {"rulebook": "parlee", "trump": "C"}


def trick(number, leader, plays):
    return {
        "n": number,
        "leader": leader,
        "plays": [None if card == "?" else card for card in plays.split()],
    }


def judge(tricks, seat, kind, alleged=1, **more):
    return answer(
        "prove",
        {
            **BASE,
            "tricks": tricks,
            "allegation": {"trick": alleged, "seat": seat, "kind": kind},
            **more,
        },
    )


def test_a_revoke_is_proved_by_the_suit_shown_later():
    found = judge(
        [trick(6, "S", "7D 9H 8D QD"), trick(1, "W", "8H KH 9D 7H")],
        "E",
        "revoke",
    )
    # East discarded on a heart and showed a heart in trick 6.
    assert found["verdict"] == "guilty"
    assert found["proof"] == {"trick": 6, "card": "9H"}
    assert "9H" in found["reason"]


@pytest.mark.guide("engine#prove")
def test_the_order_of_the_tricks_in_the_record_does_not_matter():
    tricks = [
        trick(1, "W", "8H KH 9D 7H"),
        trick(4, "S", "7D 10H 8D QD"),
        trick(6, "S", "7S QH 8S 9S"),
    ]
    first = judge(tricks, "E", "revoke")
    assert first == judge(tricks[::-1], "E", "revoke")
    assert first["proof"] == {"trick": 4, "card": "10H"}


def test_a_heart_shown_before_the_alleged_trick_proves_nothing():
    tricks = [trick(1, "W", "8H KH 9H 7H"), trick(2, "S", "QH 9D AH 10H")]
    found = judge(tricks, "E", "revoke", alleged=2)
    assert found["verdict"] == "undetermined"
    assert found["proof"] is None


def test_following_suit_is_no_revoke():
    found = judge([trick(1, "W", "8H KH 9H 7H")], "E", "revoke")
    assert found["verdict"] == "innocent"
    assert "followed suit" in found["reason"]


def test_a_lead_is_no_breach():
    assert judge([trick(1, "W", "8H KH 9H 7H")], "W", "failed_to_beat")["verdict"] == "innocent"


@pytest.mark.guide("engine#prove")
def test_innocent_when_every_heart_was_elsewhere():
    hands = {
        "W": ["10H", "AH", "KH", "QH", "7S", "8S", "9S", "JS"],
        "N": ["JH", "9H", "8H", "7H", "QS", "KS", "AS", "10S"],
    }
    found = judge([trick(1, "W", "QH 7D 8D JH")], "E", "revoke", hands=hands)
    assert found["verdict"] == "innocent"
    assert "elsewhere" in found["reason"]


@pytest.mark.guide("engine#prove")
def test_guilty_by_the_hand_alone():
    hands = {"E": ["9D", "8D", "7D", "AH", "QS", "KS", "AS", "10S"]}
    found = judge([trick(1, "W", "8H KH 9D 7H")], "E", "revoke", hands=hands)
    assert found["verdict"] == "guilty"
    assert found["proof"] == {"trick": None, "card": "AH"}


def test_a_card_of_the_hand_may_have_gone_in_an_unknown_earlier_trick():
    hands = {"E": ["9D", "8D", "7D", "AH", "QS", "KS", "AS", "10S"]}
    found = judge([trick(3, "W", "8H KH 9D 7H")], "E", "revoke", alleged=3, hands=hands)
    assert found["verdict"] == "undetermined"


ENDING = {  # Source 000's position "à quatre cartes de la fin" (rules specification B.4).
    "W": ["8H", "10S", "7D", "AC"],
    "S": ["KC", "KS", "AD", "JS"],
    "E": ["9D", "9S", "8C", "7C"],
    "N": ["7H", "8S", "10C", "AS"],
}


@pytest.mark.guide("engine#prove")
def test_the_hands_of_an_ending_judge_its_tricks():
    """East, void in hearts, could not overruff the king: no revoke and nothing else (000)."""
    first = [trick(1, "W", "8H KC 9D 7H")]
    for kind in ("revoke", "failed_to_ruff", "failed_to_overruff"):
        found = judge(first, "E", kind, hands={"E": ENDING["E"]})
        assert found["verdict"] == "innocent"
    # Trick 3: East must ruff South's ace of diamonds, and discards instead.
    third = [trick(3, "W", "7D AD 9S 10C")]
    found = judge([*first, *third], "E", "failed_to_ruff", alleged=3, hands=ENDING)
    assert found["verdict"] == "guilty"  # one trump fell in trick 2, the other was still held


@pytest.mark.guide("engine#prove")
def test_elimination_without_a_card_shown():
    """The last trick is forgotten, but only hearts are left for it."""
    rest = [c for c in oracle.PACK if c[-1] != "H" and c != "7S"] + ["7H"]
    plays = [*rest, "JH", "9H", "7S", "8H"]
    seen = answer(
        "replay",
        {"rulebook": "parlee", "trump": "NT", "leader": "W", "plays": plays, "partial": True},
    )["tricks"]
    tricks = [
        {"n": t["n"], "leader": t["leader"], "plays": [card for _, card in t["plays"]]}
        for t in seen
    ]
    third = seen[6]["plays"][2]
    assert third[1] == "7S"
    found = judge(tricks, third[0], "revoke", alleged=7, trump="NT")
    assert (found["verdict"], found["proof"]) == ("guilty", None)
    # With a card of trick 1 forgotten, that one may have been the heart.
    tricks[0]["plays"][1] = None
    assert judge(tricks, third[0], "revoke", alleged=7, trump="NT")["verdict"] == "undetermined"


@pytest.mark.guide("engine#prove")
def test_a_forgotten_card_of_another_player_is_filled_every_way():
    # The holders are undetermined, but East showed a heart: whatever West's forgotten card was, East revoked only
    # if hearts were led.
    found = judge([trick(1, "W", "? KH 9D 7H"), trick(5, "S", "7D 9H 8D QD")], "E", "revoke")
    assert found["verdict"] == "undetermined"
    found = judge([trick(1, "W", "8H ? 9D 7H"), trick(5, "S", "7D 9H 8D QD")], "E", "revoke")
    assert found["verdict"] == "guilty"


def test_the_leader_of_the_next_trick_tells_who_won():
    """South's card is forgotten, but East led the next trick: South did not beat East's 9♥ with a higher heart."""
    tricks = [trick(1, "W", "8H ? 9H 7H"), trick(2, "E", "7D 8D 9D QD"), trick(4, "E", "JH ? ? ?")]
    found = judge(tricks, "E", "failed_to_beat")
    assert found["verdict"] == "innocent"


@pytest.mark.guide("engine#prove")
def test_a_trump_shown_later_proves_the_failure_to_ruff():
    tricks = [trick(1, "W", "8H 9D 7D 7H"), trick(3, "W", "9H 7C 8D KH")]
    found = judge(tricks, "S", "failed_to_ruff")
    assert found["verdict"] == "guilty"
    assert found["proof"] == {"trick": 3, "card": "7C"}


@pytest.mark.guide("engine#prove")
def test_a_lower_trump_does_not_prove_a_failure_to_overruff():
    tricks = [trick(1, "W", "8H QC 9D 7H"), trick(3, "S", "9H 7C 8D KH")]
    assert judge(tricks, "E", "failed_to_overruff")["verdict"] == "undetermined"
    tricks[1] = trick(3, "S", "9H KC 8D QH")
    found = judge(tricks, "E", "failed_to_overruff")
    assert (found["verdict"], found["proof"]) == ("guilty", {"trick": 3, "card": "KC"})


def test_a_proven_revoke_is_not_a_failure_to_ruff():
    tricks = [trick(1, "W", "8H 9D 7D 7H"), trick(3, "W", "9H KH 8D QH")]
    found = judge(tricks, "S", "failed_to_ruff")
    assert found["verdict"] == "innocent"
    assert "revoke" in found["reason"]
    assert judge(tricks, "S", "revoke")["verdict"] == "guilty"


def test_a_false_ruff_is_also_a_revoke_but_no_discard_is_a_false_ruff():
    tricks = [trick(1, "W", "8H 9C 7D 7H"), trick(3, "S", "KH 9H QH JH")]
    assert judge(tricks, "S", "false_ruff")["verdict"] == "guilty"
    assert judge(tricks, "S", "revoke")["verdict"] == "guilty"
    assert judge(tricks, "E", "false_ruff")["verdict"] == "innocent"


def test_a_disobeyed_order():
    tricks = [trick(2, "S", "KS 9S 8S 10S"), trick(4, "N", "AS AC JS 8C")]
    order = [{"trick": 2, "seat": "N", "card": "AS"}]
    found = judge(tricks, "N", "disobeyed_order", alleged=2, orders=order)
    assert (found["verdict"], found["proof"]) == ("guilty", {"trick": 4, "card": "AS"})
    obeyed = [{"trick": 2, "seat": "N", "card": "8S"}]
    assert judge(tricks, "N", "disobeyed_order", alleged=2, orders=obeyed)["verdict"] == "innocent"
    found = answer(
        "prove",
        {
            **BASE,
            "tricks": tricks[:1],
            "allegation": {
                "trick": 2,
                "seat": "N",
                "kind": "disobeyed_order",
                "order": {"suit": "C"},
            },
        },
    )
    # An order never makes an illegal card legal: North followed suit.
    assert found["verdict"] == "innocent"


@pytest.mark.parametrize(
    ("rulebook", "options", "kind"),
    [
        ("muette", {}, "failed_to_beat"),
        ("muette", {}, "failed_to_ruff"),
        ("muette", {"muette_ruff": "ALWAYS"}, "failed_to_overruff"),
        ("parlee", {}, "under_ruff"),
        ("blind", {}, "revoke"),
    ],
)
def test_a_breach_that_the_rules_do_not_know(rulebook, options, kind):
    tricks = [trick(1, "W", "8H 9D 7D 7H"), trick(3, "W", "9H KH 8D QH")]
    found = judge(tricks, "S", kind, rulebook=rulebook, options={"direction": "CCW", **options})
    assert found["verdict"] == "innocent"


def test_an_unremembered_alleged_trick_decides_nothing():
    assert judge([trick(2, "W", "8H KH 9H 7H")], "E", "revoke")["verdict"] == "undetermined"


@pytest.mark.guide("engine#prove")
def test_an_empty_record_decides_nothing():
    assert (
        judge([], "E", "revoke", alleged=8)["verdict"] == "innocent"
    )  # no card left to revoke with
    assert judge([], "E", "revoke", alleged=4)["verdict"] == "undetermined"


# Impossible records -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("tricks", "more", "defect"),
    [
        ([trick(1, "W", "8H KH 8H 7H")], {}, "8H played 2 times"),
        ([trick(1, "W", "8H KH 9H 7H"), trick(1, "S", "8S ? ? ?")], {}, "trick 1 is given twice"),
        ([trick(9, "W", "8H KH 9H 7H")], {}, "there is no trick 9: a deal has 8"),
        ([trick(1, "W", "8H KH 9H 7H JS")], {}, "trick 1 has 5 cards"),
        (
            [trick(1, "W", "8H KH 9H 7H"), trick(2, "E", "7D ? ? ?")],
            {},
            "S won trick 1, but E is said to have led trick 2",
        ),
        ([trick(1, None, "8H KH 9H 7H")], {}, "trick 1: nobody says who led"),
        # Fewer cards than the tricks named, or hands of unequal size, are not an ending.
        ([trick(2, "W", "8H KH 9H 7H")], {"hands": {"W": ["8H"]}}, "W holds 1 cards instead of 8"),
        (
            [trick(1, "W", "8H KH 9H 7H")],
            {"hands": {"W": ["8H", "7S"], "E": ["9H", "8S", "9S"]}},
            "E holds 3 cards instead of 8",
        ),
        (
            [trick(1, "W", "8H KH 9H 7H")],
            {"hands": {"E": ["7D", "8D", "9D", "JD", "QD", "KD", "AD", "10D"]}},
            "E played 9H without holding it",
        ),
        (
            [trick(1, "W", "8H KH 9H 7H")],
            {"hands": {"E": ["7D", "8D", "9D", "JD", "QD", "KD", "9H", "KH"]}},
            "KH of E was played by somebody else",
        ),
        # South must have won trick 1 with the forgotten card, but no card beats the manille of trumps.
        (
            [trick(1, "W", "10C ? 9H 7H"), trick(2, "S", "7D ? ? ?")],
            {},
            "no deal agrees with all of the tricks, leaders and hands given",
        ),
    ],
)
def test_impossible_records(tricks, more, defect):
    with pytest.raises(Impossible) as error:
        judge(tricks, "E", "revoke", **more)
    assert error.value.code == "impossible_deal"
    assert defect in error.value.defects


@pytest.mark.parametrize(
    ("change", "code", "field"),
    [
        ({"allegation": None}, "missing_key", "allegation"),
        ({"allegation": {"trick": 1, "seat": "E"}}, "missing_key", "allegation.kind"),
        (
            {"allegation": {"trick": 9, "seat": "E", "kind": "revoke"}},
            "malformed_value",
            "allegation.trick",
        ),
        (
            {"allegation": {"trick": 1, "seat": "1", "kind": "revoke"}},
            "unknown_seat",
            "allegation.seat",
        ),
        (
            {"allegation": {"trick": 1, "seat": "E", "kind": "x"}},
            "malformed_value",
            "allegation.kind",
        ),
        (
            {"allegation": {"trick": 1, "seat": "E", "kind": ["revoke"]}},
            "malformed_value",
            "allegation.kind",
        ),
        ({"tricks": {}}, "malformed_value", "tricks"),
        ({"tricks": [{"plays": []}]}, "malformed_value", "tricks[0].n"),
        (
            {"tricks": [{"n": 1, "leader": "W", "plays": ["1H"]}]},
            "unknown_card",
            "tricks[0].plays[0]",
        ),
        (
            {"allegation": {"trick": 1, "seat": "E", "kind": "disobeyed_order"}},
            "missing_key",
            "orders",
        ),
        (
            {
                "rulebook": "muette",
                "allegation": {"trick": 1, "seat": "E", "kind": "disobeyed_order"},
            },
            "no_orders",
            "allegation",
        ),
    ],
)
def test_refusals(change, code, field):
    payload = {
        **BASE,
        "tricks": [trick(1, "W", "8H KH 9H 7H")],
        "allegation": {"trick": 1, "seat": "E", "kind": "revoke"},
        **change,
    }
    with pytest.raises(EngineError) as error:
        answer("prove", payload)
    assert (error.value.code, error.value.field) == (code, field)
    if code != "no_orders":
        assert isinstance(error.value, Malformed)


def test_a_single_declarer_game():
    payload = {
        "rulebook": "auction-2",
        "declarer": "2",
        "trump": "C",
        "tricks": [trick(1, "1", "8H KH 9D 7H"), trick(4, "1", "7D 8D QH JD")],
        "allegation": {"trick": 1, "seat": "3", "kind": "revoke"},
    }
    assert answer("prove", payload)["verdict"] == "guilty"
    assert format_card(parse_card("QH")) == answer("prove", payload)["proof"]["card"]
