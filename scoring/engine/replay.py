"""Replay of a deal or part of one: tricks, winners, points and illegal plays.

Illegal plays are recorded, never refused: the arbiter needs the record as it happened (rules
specification B.3). What no deal of cards can have produced is refused with every defect at once.
The moment a breach could first be proved is found by :mod:`scoring.engine.evidence`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from .cardplay import CardPlay, names_of
from .cards import cards_of, format_card, mask_of, points_of
from .deal import Deal, Trick
from .errors import Impossible
from .evidence import Evidence, Shown, first_proof
from .legality import (
    Breach,
    Duty,
    Holding,
    breach_set,
    disobedience,
    kind_of_breach,
    legal_mask,
    obey,
    telling_cards,
)

Hands = Sequence[Sequence[int] | None]
"""Cards by seat index, in the order written; ``None`` for a hand not given."""


@dataclass(frozen=True, slots=True)
class Violation:
    """An illegal play: who, when, what kind, what they could have played, and what proves it."""

    trick: int
    seat: int
    card: int
    kind: Breach
    duty: Duty
    legal: tuple[int, ...]
    articles: tuple[str, ...]
    provable: Shown | None


@dataclass(frozen=True, slots=True)
class Replayed:
    """A replayed record. ``points`` and ``tricks_won`` are by side index of the card play.

    ``reserve_to`` is the side that the reserve went to, where it scores.
    """

    tricks: tuple[Trick, ...]
    points: tuple[int, ...]
    tricks_won: tuple[int, ...]
    violations: tuple[Violation, ...]
    complete: bool
    reserve_to: int | None = None
    reserve_points: int = 0


def replay(
    play: CardPlay,
    trump: int,
    leader: int,
    plays: Sequence[int],
    hands: Hands | None = None,
    *,
    reserve: Sequence[int] = (),
    orders: Mapping[tuple[int, int], int] | None = None,
    partial: bool = False,
) -> Replayed:
    """Follow ``plays`` (card numbers in order of play over all tricks) from seat ``leader``.

    ``hands`` may be left out: they are then the cards that each seat is seen to play, which is
    the whole deal when ``plays`` is. ``partial`` allows fewer tricks than a hand has cards, hands
    of an ending, and a last trick that is still open. ``reserve``: the cards out of play.
    ``orders``: bit set of the cards ordered, by (trick number from 1, seat).

    Raises :class:`Impossible` (``impossible_deal``) listing every defect.
    """
    deal = Deal(play, trump, leader)
    for card in plays:
        deal.record(card)
    known = _held(play, deal, plays, hands, reserve, partial)
    complete = len(plays) == sum(len(hand) for hand in known)
    evidence = Evidence(
        plays=deal.plays,
        pack=play.deck,
        sizes=tuple(len(hand) for hand in known) if complete or _all_given(hands) else None,
    )
    violations = _violations(deal, known, orders or {}, evidence)
    if play.reserve_scores:
        deal.reserve = mask_of(reserve) or _left_over(play, known)
    points, won = deal.tally()
    return Replayed(
        deal.tricks,
        points,
        won,
        violations,
        complete,
        deal.reserve_to,
        0 if deal.reserve_to is None else points_of(deal.reserve),
    )


def _held(
    play: CardPlay,
    deal: Deal,
    plays: Sequence[int],
    hands: Hands | None,
    reserve: Sequence[int],
    partial: bool,
) -> list[tuple[int, ...]]:
    """Return every seat's cards at the start, given or inferred; raise all defects in one error."""
    count = len(play.seats)
    shown: list[list[int]] = [[] for _ in range(count)]
    for each in deal.plays:
        shown[each.seat].append(each.card)
    defects = _twice(plays, "played")
    stray = [card for card in sorted(set(plays)) if not play.deck >> card & 1]
    if stray:
        defects.append(f"not in this pack: {_names(stray)}")
    known: list[tuple[int, ...]] = []
    for seat in range(count):
        given = hands[seat] if hands is not None else None
        known.append(tuple(shown[seat] if given is None else given))
    if hands is not None:
        defects += _hand_defects(play, known, hands, shown, reserve, partial)
    defects += _count_defects(play, plays, known, hands is not None, reserve, partial)
    if defects:
        raise Impossible("impossible_deal", defects, "plays" if hands is None else "hands")
    return known


def _hand_defects(
    play: CardPlay,
    known: Sequence[Sequence[int]],
    hands: Hands,
    shown: Sequence[Sequence[int]],
    reserve: Sequence[int],
    partial: bool,
) -> list[str]:
    defects = _twice([card for hand in known for card in hand] + list(reserve), "dealt")
    stray = [c for hand in known for c in hand if not play.deck >> c & 1]
    if stray:
        defects.append(f"dealt, but not in this pack: {_names(stray)}")
    if not partial and _all_given(hands):
        absent = play.deck & ~mask_of(card for hand in known for card in hand) & ~mask_of(reserve)
        if absent.bit_count() > (0 if reserve else play.reserve):
            defects.append(f"in nobody's hand: {_names(cards_of(absent))}")
    sizes = {len(hand) for hand, given in zip(known, hands, strict=True) if given is not None}
    ending = partial and len(sizes) == 1 and max(sizes) <= play.hand
    for seat, name in enumerate(play.seats):
        given = hands[seat]
        if given is None:
            continue
        if len(given) != play.hand and not ending:
            defects.append(f"{name} holds {len(given)} cards instead of {play.hand}")
        foreign = [card for card in shown[seat] if card not in given]
        if foreign:
            defects.append(f"{name} played {_names(foreign)} without holding it")
    return defects


def _count_defects(
    play: CardPlay,
    plays: Sequence[int],
    known: Sequence[Sequence[int]],
    given: bool,
    reserve: Sequence[int],
    partial: bool,
) -> list[str]:
    count = len(play.seats)
    size = max((len(hand) for hand in known), default=0) if given and partial else play.hand
    size = min(size, play.hand) if size else play.hand
    defects = []
    if len(plays) > count * size:
        defects.append(f"{len(plays)} cards played instead of {count * size}")
    elif len(plays) < count * size and not partial:
        missing = play.deck & ~mask_of(plays) & ~mask_of(reserve)
        if given:
            missing &= mask_of(card for hand in known for card in hand)
        text = f"{len(plays)} cards played instead of {count * size}"
        if missing and (not play.reserve or reserve or given):
            text += f"; missing: {_names(cards_of(missing))}"
        defects.append(text)
    if reserve:
        if len(reserve) != play.reserve:
            defects.append(f"the reserve has {len(reserve)} cards instead of {play.reserve}")
        stray = [card for card in reserve if not play.deck >> card & 1]
        if stray:
            defects.append(f"in the reserve, but not in this pack: {_names(stray)}")
        if not given:
            both = sorted(set(reserve) & set(plays))
            if both:
                defects.append(f"both played and in the reserve: {_names(both)}")
            defects += _twice(reserve, "in the reserve")
    return defects


def _twice(cards: Sequence[int], verb: str) -> list[str]:
    repeated = sorted({card for card in cards if cards.count(card) > 1})
    return [f"{format_card(card)} {verb} {cards.count(card)} times" for card in repeated]


def _names(cards: Iterable[int]) -> str:
    return " ".join(names_of(cards))


def _all_given(hands: Hands | None) -> bool:
    return hands is not None and all(hand is not None for hand in hands)


def _left_over(play: CardPlay, known: Sequence[Sequence[int]]) -> int:
    """Infer the reserve by difference, if every hand is known from the first card."""
    if any(len(hand) != play.hand for hand in known):
        return 0
    return play.deck & ~mask_of(card for hand in known for card in hand)


def _violations(
    deal: Deal,
    known: Sequence[Sequence[int]],
    orders: Mapping[tuple[int, int], int],
    evidence: Evidence,
) -> tuple[Violation, ...]:
    left = [mask_of(hand) for hand in known]
    duties, trump = deal.rules.duties, deal.trump
    violations: list[Violation] = []
    for at, (number, seat, card, view) in enumerate(deal.plays):
        hand = left[seat]
        left[seat] = hand & ~(1 << card)
        ordered = orders.get((number, seat), 0) if orders else 0
        broken = hand & breach_set(duties, trump, view, card)
        if broken or (ordered and not ordered >> card & 1):
            violations += _violation(deal, at, hand, known[seat], ordered, evidence)
    return tuple(violations)


def _violation(
    deal: Deal,
    at: int,
    hand: int,
    order_of_hand: Sequence[int],
    ordered: int,
    evidence: Evidence,
) -> list[Violation]:
    duties, trump = deal.rules.duties, deal.trump
    number, seat, card, view = deal.plays[at]
    legal, duty = legal_mask(duties, trump, view, hand)
    playable = obey(legal, ordered)
    if playable >> card & 1:
        return []
    if legal >> card & 1:
        kind = Breach.DISOBEYED_ORDER
        _, innocent = disobedience(duties, trump, view, card, ordered)
    else:
        kind = kind_of_breach(trump, view, duty, card)
        innocent = [Holding(0, telling_cards(duties, trump, view, card, kind))]
    article = deal.rules.articles.get(kind.value)
    return [
        Violation(
            trick=number,
            seat=seat,
            card=card,
            kind=kind,
            duty=duty,
            legal=tuple(each for each in order_of_hand if playable >> each & 1),
            articles=(article,) if article else (),
            provable=first_proof(evidence, at, innocent),
        )
    ]
