"""Guilty, innocent or undetermined: an alleged breach judged from what the table agrees on.

Source 000 lays the tricks crosswise "afin de pouvoir opérer une vérification levée par levée en
cas de contestation"; when only some of them can be agreed on, the question is what *every* deal
that fits them has in common. A breach is a fact about the player's hand: they played this card while
they held certain others (:func:`scoring.engine.legality.telling_cards` and
:func:`scoring.engine.legality.disobedience`). So

* **guilty**: in no completion did they hold a clean hand (and in some the breach is of this kind);
* **innocent**: in no completion did they commit a breach of this kind;
* **undetermined**: there are deals of both sorts, or the search for one was not finished.

Completions presuppose no other play to be legal. See :mod:`scoring.engine.completions`.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import reduce
from math import prod
from operator import and_
from typing import Final

from .cardplay import CardPlay
from .cards import SUIT_MASKS, SUITS, cards_of, format_card
from .completions import PartialRecord, Place, SearchLimit
from .duties import Beat, Duties, Ruff
from .legality import (
    NOTHING,
    Breach,
    Holding,
    View,
    breach_set,
    disobedience,
    telling_cards,
    view_of,
)

CONTEXT_LIMIT: Final = 2_000
"""Ways to fill the forgotten cards of the alleged trick that are looked at one by one."""

SAMPLES: Final = 100
"""Ways looked at first, spread over all of them: doubt is usually found among these."""

_NARROW: Final = (Breach.UNDER_RUFF, Breach.DISOBEYED_ORDER)
"""What a player who held the suit or a higher trump did not do, but another breach."""


class Verdict(StrEnum):
    """Verdict of the record on the allegation."""

    GUILTY = "guilty"
    INNOCENT = "innocent"
    UNDETERMINED = "undetermined"


@dataclass(frozen=True, slots=True)
class Allegation:
    """Claim that ``seat`` (index) broke the rules in trick ``trick`` by a breach of this ``kind``.

    ``ordered``: for ``disobeyed_order``, the bit set of the cards ordered.
    """

    trick: int
    seat: int
    kind: Breach
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
    """Kinds of completion found so far."""

    breach: bool = False
    clean: bool = False
    open_question: bool = False


@dataclass(frozen=True, slots=True)
class _Case:
    """One way to fill the alleged trick up to the player: their card, and what their hand decides.

    ``breach``: the hands from which the play is a breach of this kind.
    ``clean``: those from which it is none, nor one that includes it.
    """

    places: dict[Place, int]
    led: dict[int, int]
    card: int
    view: View
    breach: list[Holding]
    clean: list[Holding]

    @property
    def telling(self) -> int:
        """Cards of no clean hand."""
        return reduce(and_, (hands.none for hands in self.clean))


def prove(record: PartialRecord, allegation: Allegation) -> Proved:
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
        cases.append(case)
        _look(record, allegation, case, search)
        if search.open_question or (search.breach and search.clean):
            break
    return _verdict(record, allegation, search, cases)


def _possible(duties: Duties, kind: Breach) -> bool:
    """Whether ``duties`` can be broken in this way at all."""
    bound = duties.follow and duties.ruff is not Ruff.NEVER_BOUND
    return {
        Breach.FAILED_TO_BEAT: duties.follow and duties.beat is not Beat.NEVER,
        Breach.FAILED_TO_RUFF: bound,
        Breach.FAILED_TO_OVERRUFF: bound and duties.overruffs,
        Breach.UNDER_RUFF: duties.follow and not duties.under_ruff,
        Breach.DISOBEYED_ORDER: True,
    }.get(kind, duties.follow)


def _look(record: PartialRecord, allegation: Allegation, case: _Case, search: _Completions) -> None:
    """Search one case for completions with and without the breach."""
    try:
        search.clean = search.clean or _held(record, allegation, case, case.clean)
        search.breach = search.breach or _held(record, allegation, case, case.breach)
    except SearchLimit:
        search.open_question = True


def _held(
    record: PartialRecord, allegation: Allegation, case: _Case, holdings: Sequence[Holding]
) -> bool:
    """Whether the player can have held one of ``holdings`` besides their card."""
    later = [
        (number, allegation.seat) for number in range(allegation.trick + 1, record.play.hand + 1)
    ]
    for holding in holdings:
        narrowed = {**case.places, **dict.fromkeys(later, ~holding.none)}
        if not holding.some:
            if record.exists(narrowed, case.led):
                return True
        elif any(
            record.exists({**narrowed, place: holding.some & ~holding.none}, case.led)
            for place in later
        ):
            return True
    return False


def _cases(record: PartialRecord, allegation: Allegation) -> Iterator[_Case | None]:
    """Yield every way to fill the forgotten cards of the alleged trick up to the player's own.

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


def _fillings(
    record: PartialRecord, number: int, seats: list[int], used: int
) -> Iterator[list[int]]:
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
    breach, clean = _holdings(play.duties, trump, view, card, allegation)
    return _Case(places, {allegation.trick: seats[0]}, card, view, breach, clean)


def _holdings(
    duties: Duties, trump: int, view: View, card: int, allegation: Allegation
) -> tuple[list[Holding], list[Holding]]:
    """Return the hands that make playing ``card`` the alleged breach, and the hands that make it clean."""
    kind = allegation.kind
    if kind is Breach.DISOBEYED_ORDER:
        breach, clean = disobedience(duties, trump, view, card, allegation.ordered)
        if clean != [Holding(0, 0)]:
            whole = breach_set(duties, trump, view, card)
            clean = [Holding(some, none | whole) for some, none in clean]
        return breach, clean
    telling = telling_cards(duties, trump, view, card, kind)
    excluded = 0
    if kind not in (Breach.REVOKE, Breach.FALSE_RUFF, Breach.FAILED_TO_BEAT):
        if telling == 0 and duties.follow and view.led not in (NOTHING, card >> 3):
            # Nothing was owed to a void player, but one who held the suit has revoked.
            return [], [Holding(0, SUIT_MASKS[view.led])]
        excluded = SUIT_MASKS[view.led] if telling else 0
        if kind is Breach.UNDER_RUFF:
            # A player who could overruff and had to is guilty of that breach instead.
            excluded |= telling_cards(duties, trump, view, card, Breach.FAILED_TO_OVERRUFF)
    strict = telling & ~excluded
    return [Holding(strict, excluded)] if strict else [], [Holding(0, telling)]


def _verdict(
    record: PartialRecord, allegation: Allegation, search: _Completions, cases: list[_Case]
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
    trick, card = _showing(record, allegation, _telling(record, cases))
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


def _telling(record: PartialRecord, cases: Sequence[_Case]) -> int:
    """Return the cards (bit set) that prove the breach in every case that fits the record."""
    telling = -1
    for case in cases:
        if telling & ~case.telling and _fits(record, case):
            telling &= case.telling
    return telling


def _fits(record: PartialRecord, case: _Case) -> bool:
    """Whether a completion has the case, or may have it for all that the search found."""
    try:
        return record.exists(case.places, case.led)
    except SearchLimit:
        return True


def _showing(
    record: PartialRecord, allegation: Allegation, telling: int
) -> tuple[int | None, int | None]:
    """Return the later play that proves the breach, as trick number and card.

    Without such a play: ``None`` and a telling card that the given hand must have held; else two ``None``.
    """
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
    record: PartialRecord, allegation: Allegation, search: _Completions, cases: list[_Case]
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
            if case.telling != SUIT_MASKS[case.view.led] and allegation.kind in _NARROW:
                return f"{name} was bound to play another card than {card}, but not by this duty"
            return (
                f"{name} cannot have been void in {SUITS[case.view.led]}: "
                "the play was a revoke or false ruff, not this breach"
            )
        if not case.breach:
            return f"{card} cannot be a breach of this kind whatever {name} held"
        return (
            f"every card that would have made {card} a breach is known to have been elsewhere "
            f"or already played"
        )
    return f"in no deal that fits the record did {name} commit this breach"
