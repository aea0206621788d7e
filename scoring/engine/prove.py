"""Guilty, innocent or undetermined: an alleged breach judged from what the table agrees on.

Source 000 lays the tricks crosswise "afin de pouvoir opérer une vérification levée par levée en
cas de contestation"; when only some of them can be agreed on, the question is what *every* deal
that fits them has in common. A breach is a fact about the player's hand: they played this card while
they held one of certain others (:func:`scoring.engine.legality.telling_cards`). So

* **guilty**: in every completion they held a telling card (and in some the breach is of this kind);
* **innocent**: in no completion did they commit a breach of this kind;
* **undetermined**: there are deals of both sorts, or the search for one was not finished.

Completions presuppose no other play to be legal. See :mod:`scoring.engine.completions`.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from math import prod
from typing import Final

from .cardplay import CardPlay
from .cards import HIGHER, NO_TRUMP, SUIT_MASKS, SUITS, cards_of, format_card
from .completions import Place, Record, SearchLimit
from .duties import Duties, Ruff
from .evidence import disobedience_shown_by
from .legality import NOTHING, Duty, Kind, View, breach_set, telling_cards, view_of

CONTEXT_LIMIT: Final = 2_000
"""Ways to fill the forgotten cards of the alleged trick that are looked at one by one."""

SAMPLES: Final = 100
"""Ways looked at first, spread over all of them: doubt is usually found among these."""


class Verdict(StrEnum):
    """What the record says of the allegation."""

    GUILTY = "guilty"
    INNOCENT = "innocent"
    UNDETERMINED = "undetermined"


@dataclass(frozen=True, slots=True)
class Allegation:
    """Somebody's claim: ``seat`` (index) broke the rules in trick ``trick`` in this way.

    ``ordered``: for ``disobeyed_order``, the bit set of the cards ordered.
    """

    trick: int
    seat: int
    kind: Kind
    ordered: int = 0


@dataclass(frozen=True, slots=True)
class Proved:
    """A verdict. ``card`` is the card that shows the breach and ``trick`` where it was played;
    ``trick`` is ``None`` for a card known only from the player's hand."""

    verdict: Verdict
    reason: str
    trick: int | None = None
    card: int | None = None


@dataclass(slots=True)
class _Completions:
    """Which sorts of completion have been found so far."""

    breach: bool = False
    clean: bool = False
    open_question: bool = False


@dataclass(frozen=True, slots=True)
class _Case:
    """One way to fill the alleged trick up to the player: their card, and what would tell.

    ``telling``: cards that make the play a breach of this kind or one that includes it.
    ``strict``: at least one of these was held, and none of ``excluded``, when it is of this kind.
    """

    places: dict[Place, int]
    leader: int
    card: int
    view: View
    telling: int
    strict: int
    excluded: int


def prove(record: Record, allegation: Allegation) -> Proved:
    """Judge ``allegation`` by every completion of ``record``."""
    if allegation.trick == record.play.hand:
        return Proved(Verdict.INNOCENT, "the last card of a hand is always legal")
    if not _possible(record.play.duties, allegation.kind):
        return Proved(Verdict.INNOCENT, "the rules in force know no such breach")
    search = _Completions()
    cases: list[_Case] = []
    for case in _cases(record, allegation):
        if case is None:
            search.open_question = True
            break
        if len(cases) < 2:
            cases.append(case)
        _look(record, allegation, case, search)
        if search.open_question or (search.breach and search.clean):
            break
    return _verdict(record, allegation, search, cases)


def _possible(duties: Duties, kind: Kind) -> bool:
    """Whether ``duties`` can be broken in this way at all."""
    bound = duties.follow and duties.ruff is not Ruff.NEVER_BOUND
    overruff = bound and duties.overruff and duties.ruff is not Ruff.ALWAYS
    return {
        Kind.FAILED_TO_BEAT: duties.follow and duties.beat,
        Kind.FAILED_TO_RUFF: bound,
        Kind.FAILED_TO_OVERRUFF: overruff,
        Kind.UNDER_RUFF: overruff and not duties.under_ruff,
        Kind.DISOBEYED_ORDER: True,
    }.get(kind, duties.follow)


def _look(record: Record, allegation: Allegation, case: _Case, search: _Completions) -> None:
    """Search one case for completions with and without the breach."""
    later = [
        (number, allegation.seat) for number in range(allegation.trick + 1, record.play.hand + 1)
    ]
    led = {allegation.trick: case.leader}
    try:
        if not search.clean and record.exists(
            {**case.places, **dict.fromkeys(later, ~case.telling)}, led
        ):
            search.clean = True
        if not search.breach and case.strict:
            without = dict.fromkeys(later, ~case.excluded)
            search.breach = any(
                record.exists({**case.places, **without, place: case.strict & ~case.excluded}, led)
                for place in later
            )
    except SearchLimit:
        search.open_question = True


def _cases(record: Record, allegation: Allegation) -> Iterator[_Case | None]:
    """Every way to fill the forgotten cards of the alleged trick up to the player's own.

    Ends with ``None`` when there are more of them than are looked at.
    """
    count = len(record.play.seats)
    leader = record.leaders.get(allegation.trick)
    orders: list[list[int]] = []
    ways = 0
    for first in range(count) if leader is None else (leader,):
        order = [(first + at) % count for at in range(count)]
        seats = order[: order.index(allegation.seat) + 1]
        orders.append(seats)
        ways += prod(record.domain((allegation.trick, seat)).bit_count() for seat in seats)
    if ways > SAMPLES:
        spread = random.Random(0)  # the same ways every time
        for _ in range(SAMPLES):
            seats = spread.choice(orders)
            cards = [
                spread.choice(list(cards_of(record.domain((allegation.trick, seat)))))
                for seat in seats
            ]
            if len(set(cards)) == len(cards):
                yield _case(record.play, record.trump, allegation, seats, cards)
    if ways > CONTEXT_LIMIT:
        yield None
        return
    for seats in orders:
        for cards in _fillings(record, allegation.trick, seats, 0):
            yield _case(record.play, record.trump, allegation, seats, cards)


def _fillings(record: Record, number: int, seats: list[int], used: int) -> Iterator[list[int]]:
    if not seats:
        yield []
        return
    for card in cards_of(record.domain((number, seats[0])) & ~used):
        for rest in _fillings(record, number, seats[1:], used | 1 << card):
            yield [card, *rest]


def _case(
    play: CardPlay, trump: int, allegation: Allegation, seats: list[int], cards: list[int]
) -> _Case:
    side = play.side_of[allegation.seat]
    own = [play.side_of[seat] == side for seat in seats[:-1]]
    view = view_of(trump, cards[:-1], own)
    card = cards[-1]
    places = {(allegation.trick, seat): 1 << each for seat, each in zip(seats, cards, strict=True)}
    if allegation.kind is Kind.DISOBEYED_ORDER:
        whole = breach_set(play.duties, trump, view, card)
        strict = 0
        if not allegation.ordered >> card & 1:
            strict = _could_obey(play.duties, trump, view, card, allegation.ordered)
        return _Case(places, seats[0], card, view, strict and strict | whole, strict, whole)
    telling = telling_cards(play.duties, trump, view, card, allegation.kind)
    if allegation.kind in (Kind.REVOKE, Kind.FALSE_RUFF, Kind.FAILED_TO_BEAT):
        return _Case(places, seats[0], card, view, telling, telling, 0)
    if telling == 0 and play.duties.follow and view.led not in (NOTHING, card >> 3):
        # Nothing was owed to a void player, but one who held the suit has revoked.
        return _Case(places, seats[0], card, view, SUIT_MASKS[view.led], 0, 0)
    excluded = SUIT_MASKS[view.led] if telling else 0
    if telling and allegation.kind is Kind.UNDER_RUFF:
        excluded |= HIGHER[view.master]
    return _Case(places, seats[0], card, view, telling, telling & ~excluded, excluded)


def _could_obey(duties: Duties, trump: int, view: View, card: int, ordered: int) -> int:
    """The ordered cards that were as legal as the one played, if they held them."""
    if card >> 3 == view.led:
        duty = Duty.FOLLOW
        if breach_set(duties, trump, view, view.led << 3) and HIGHER[view.master] >> card & 1:
            duty = Duty.MUST_BEAT
    elif trump != NO_TRUMP and card >> 3 == trump and view.led != trump:
        discard = breach_set(duties, trump, view, _plain_card(view.led, trump))
        duty = Duty.FREE
        if discard & SUIT_MASKS[trump] == SUIT_MASKS[trump]:
            duty = Duty.MUST_RUFF
        elif discard & SUIT_MASKS[trump] and HIGHER[view.master] >> card & 1:
            duty = Duty.MUST_OVERRUFF
    else:
        duty = Duty.FREE
    return disobedience_shown_by(ordered, trump, view, duty, card)


def _plain_card(led: int, trump: int) -> int:
    """Some card of a plain suit that was not led."""
    return next(suit << 3 for suit in range(4) if suit not in (led, trump))


def _verdict(
    record: Record, allegation: Allegation, search: _Completions, cases: list[_Case]
) -> Proved:
    name = record.play.seats[allegation.seat]
    if search.breach and search.clean:
        return Proved(
            Verdict.UNDETERMINED,
            f"some deals that fit the record contain the breach and some do not: nothing agreed "
            f"says what {name} still held in trick {allegation.trick}",
        )
    if search.open_question:
        return Proved(
            Verdict.UNDETERMINED,
            "too much of the record is missing to look at every deal that fits it",
        )
    if not search.breach:
        return Proved(Verdict.INNOCENT, _why_innocent(record, allegation, search, cases))
    telling = -1
    for case in cases:
        telling &= case.telling
    trick, card = _showing(record, allegation, telling)
    played = f"played {format_card(cases[0].card)}" if len(cases) == 1 else "played"
    if card is None:
        why = (
            f"{name} {played} in trick {allegation.trick}, and the cards that could fill that hand "
            "besides those they were bound to play are all accounted for"
        )
    elif trick is None:
        why = (
            f"{name} {played} in trick {allegation.trick} while that hand still held "
            f"{format_card(card)}"
        )
    else:
        why = (
            f"{name} {played} in trick {allegation.trick} and showed {format_card(card)} "
            f"in trick {trick}: they held it all the time"
        )
    return Proved(Verdict.GUILTY, why, trick, card)


def _showing(record: Record, allegation: Allegation, telling: int) -> tuple[int | None, int | None]:
    """The first recorded later play that tells; else a card of the given hand that must."""
    for number in range(allegation.trick + 1, record.play.hand + 1):
        card = record.cards.get((number, allegation.seat))
        if card is not None and telling >> card & 1:
            return number, card
    held = record.hands.get(allegation.seat)
    if held is not None:
        earlier = [
            (number, allegation.seat) not in record.cards for number in range(1, allegation.trick)
        ]
        left = held & telling & record.unseen
        if left and not any(earlier):
            return None, next(cards_of(left))
    return None, None


def _why_innocent(
    record: Record, allegation: Allegation, search: _Completions, cases: list[_Case]
) -> str:
    name = record.play.seats[allegation.seat]
    if len(cases) == 1:
        case = cases[0]
        card = format_card(case.card)
        if case.view.led == NOTHING:
            return f"{name} led {card}: a lead may be any card"
        if not case.telling and case.card >> 3 == case.view.led:
            return f"{name} followed suit with {card}, and owed no more"
        if not search.clean:
            return (
                f"{name} cannot have been void in {SUITS[case.view.led]}: "
                "the play was a revoke or false ruff, not this breach"
            )
        if not case.strict:
            return f"{card} cannot be a breach of this kind whatever {name} held"
        return (
            f"every card that would have made {card} a breach is known to have been elsewhere "
            f"or already played"
        )
    return f"in no deal that fits the record did {name} commit this breach"
