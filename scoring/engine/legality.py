"""Legal cards and the duties behind them: the decision table of card play (rules specification B.2).

Two views of the same table. :func:`legal_mask` answers a player: the cards they may play and the
duty that binds them. :func:`breach_set` answers an arbiter: the cards that make a given play
a breach *if any one of them was held*. A play is legal exactly when the hand it came from is
disjoint from its breach set, so that whole deals can be judged by intersecting bit sets, and a
breach is proved by the first card of the set that shows.

This module is independent of seats and rulebooks: a :class:`View` holds the trick as the player to act
sees it, and :class:`~scoring.engine.duties.Duties` the rows that bind them.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum, StrEnum
from typing import Final, NamedTuple

from .cards import HIGHER, NO_TRUMP, PACK, SUIT_MASKS, cards_of
from .duties import Duties, Ruff

NOTHING: Final = -1
"""Led suit and master card of a trick that is not yet open."""


class Duty(StrEnum):
    """Duty that binds the player to act."""

    LEAD = "lead"
    FOLLOW = "follow"
    MUST_BEAT = "must_beat"
    MUST_RUFF = "must_ruff"
    MUST_OVERRUFF = "must_overruff"
    MAY_NOT_UNDER_RUFF = "may_not_under_ruff"
    FREE = "free"


class Breach(StrEnum):
    """The kinds of illegal play (rules specification B.3)."""

    REVOKE = "revoke"
    FALSE_RUFF = "false_ruff"
    FAILED_TO_BEAT = "failed_to_beat"
    FAILED_TO_RUFF = "failed_to_ruff"
    FAILED_TO_OVERRUFF = "failed_to_overruff"
    UNDER_RUFF = "under_ruff"
    DISOBEYED_ORDER = "disobeyed_order"


class View(NamedTuple):
    """The open trick as the player to act sees it.

    ``led``: suit index of the first card, or :data:`NOTHING` when they lead themselves.
    ``master``: the card now winning the trick, or :data:`NOTHING`.
    ``partner_master``: their own side owns ``master`` (``pm`` of the table).
    ``opponent_led``: an opponent played the first card.
    """

    led: int = NOTHING
    master: int = NOTHING
    partner_master: bool = False
    opponent_led: bool = False


class Holding(NamedTuple):
    """The hands that hold a card of ``some`` (no condition where it is 0) and none of ``none``."""

    some: int
    none: int


LEADING: Final = View()
"""The view of the player who opens a trick (row 1)."""


def beats(trump: int, card: int, master: int) -> bool:
    """Whether ``card``, played later in the same trick, takes it over from ``master``."""
    return bool(winners_over(trump, master) >> card & 1)


def winners_over(trump: int, master: int) -> int:
    """Return the bit set of the cards that take over a trick now won by ``master``.

    >>> from .cards import cards_of, format_card, parse_card
    >>> [format_card(c) for c in cards_of(winners_over(NO_TRUMP, parse_card("KH")))]
    ['AH', '10H']
    """
    if trump != NO_TRUMP and master >> 3 != trump:
        return HIGHER[master] | SUIT_MASKS[trump]
    return HIGHER[master]


def winner_of(trump: int, cards: Sequence[int]) -> int:
    """Return the place (0 = leader) of the card that wins a trick."""
    best = 0
    for place in range(1, len(cards)):
        if beats(trump, cards[place], cards[best]):
            best = place
    return best


def view_of(trump: int, trick: Sequence[int], own_side: Sequence[bool]) -> View:
    """Return the view after the cards of ``trick``, of a player whose side played those marked in
    ``own_side`` (one flag a card, in the same order)."""
    if not trick:
        return LEADING
    master = trick[0]
    mine = own_side[0]
    for card, own in zip(trick[1:], own_side[1:], strict=True):
        if beats(trump, card, master):
            master, mine = card, own
    return View(trick[0] >> 3, master, mine, not own_side[0])


class _Ruffing(Enum):
    """Cards required of a player who holds trumps and is void in the led plain suit."""

    NOT_BOUND = 0
    """Rows 8 and 9: any card."""
    ANY_TRUMP = 1
    """Row 10, and row 9 read literally over a plain card."""
    OVERRUFF = 2
    """Rows 11 and 12."""
    OVERRUFF_OR_TRUMP = 4
    """A higher trump, otherwise any trump."""
    ANY_TRUMP_IF_HIGHER = 3
    """Row 9 read literally over partner's ruff: any trump if a higher one is held."""
    NOT_UNDER = 5
    """Any card but a trump that cannot win, while another is held."""


_OVER_A_RUFF: Final = (_Ruffing.OVERRUFF, _Ruffing.OVERRUFF_OR_TRUMP, _Ruffing.NOT_UNDER)
"""What asks more of a trump than that it is one."""


def _ruffing(duties: Duties, trump: int, view: View) -> _Ruffing:
    ruffed = view.master >> 3 == trump
    against = ruffed and (duties.beat_partner or not view.partner_master)
    if duties.ruff is Ruff.NEVER_BOUND:
        return _Ruffing.NOT_UNDER if against and not duties.under_ruff else _Ruffing.NOT_BOUND
    if duties.ruff is Ruff.ALWAYS:
        if not (against and duties.overruffs):
            return _Ruffing.ANY_TRUMP
        return _Ruffing.OVERRUFF_OR_TRUMP if duties.under_ruff else _Ruffing.OVERRUFF
    if against:
        return _Ruffing.OVERRUFF if duties.overruffs else _Ruffing.ANY_TRUMP
    if duties.ruff is Ruff.LITERAL_003:
        # Rows 9-10 replaced whole. If a plain card is winning, the trick holds no ruff.
        bound = view.opponent_led and not ruffed
        return _Ruffing.ANY_TRUMP if bound else _Ruffing.NOT_BOUND
    if not view.partner_master:
        return _Ruffing.ANY_TRUMP
    if not duties.ruff_over_partner:
        return _Ruffing.NOT_BOUND
    return _Ruffing.ANY_TRUMP_IF_HIGHER if ruffed else _Ruffing.ANY_TRUMP


def _must_beat(duties: Duties, trump: int, view: View) -> bool:
    """Whether row 4 applies: an opponent (with ``beat_partner`` any other player) is winning in the led suit."""
    return (
        duties.beats(trump_led=view.led == trump, no_trump=trump == NO_TRUMP)
        and (duties.beat_partner or not view.partner_master)
        and view.master >> 3 == view.led
    )


def legal_mask(duties: Duties, trump: int, view: View, hand: int) -> tuple[int, Duty]:
    """Return the legal cards of ``hand`` (bit sets) and the duty that narrows them.

    Never empty for a hand that is not. ``FREE`` means void and unbound; ``FOLLOW`` any card of the
    suit. Orders are not counted: see :func:`obey`.
    """
    if view.led == NOTHING:
        return hand, Duty.LEAD
    if not duties.follow:
        return hand, Duty.FREE
    suit = hand & SUIT_MASKS[view.led]
    if suit:
        higher = hand & HIGHER[view.master]
        if higher and _must_beat(duties, trump, view):
            return higher, Duty.MUST_BEAT
        return suit, Duty.FOLLOW
    if trump in (NO_TRUMP, view.led):
        return hand, Duty.FREE
    trumps = hand & SUIT_MASKS[trump]
    if not trumps:
        return hand, Duty.FREE
    ruffing = _ruffing(duties, trump, view)
    if ruffing is _Ruffing.NOT_BOUND:
        return hand, Duty.FREE
    if ruffing is _Ruffing.ANY_TRUMP:
        return trumps, Duty.MUST_RUFF
    higher = trumps & HIGHER[view.master]
    if ruffing is _Ruffing.ANY_TRUMP_IF_HIGHER:
        return (trumps, Duty.MUST_RUFF) if higher else (hand, Duty.FREE)
    others = hand & ~(trumps & ~higher)
    if ruffing is _Ruffing.NOT_UNDER:
        bound = others not in (0, hand)
        return (others, Duty.MAY_NOT_UNDER_RUFF) if bound else (hand, Duty.FREE)
    if higher:
        return higher, Duty.MUST_OVERRUFF
    if ruffing is _Ruffing.OVERRUFF_OR_TRUMP:
        return trumps, Duty.MUST_RUFF
    if duties.under_ruff or not others:
        return hand, Duty.FREE
    return others, Duty.MAY_NOT_UNDER_RUFF


def obey(legal: int, ordered: int) -> int:
    """Narrow ``legal`` to the cards of an order, if possible (B.2 "Orders in parlée").

    An order never makes an illegal card legal, and one that cannot be met binds nobody.
    """
    return legal & ordered or legal


def breach_set(duties: Duties, trump: int, view: View, card: int) -> int:
    """Return the cards that make playing ``card`` illegal if the player held any of them.

    ``card`` itself is never in its set, so ``hand & breach_set(...) == 0`` says "legal" with or
    without the played card in ``hand``.
    """
    if view.led == NOTHING or not duties.follow:
        return 0
    higher = HIGHER[view.master]
    if card >> 3 == view.led:
        if _must_beat(duties, trump, view) and not higher >> card & 1:
            return higher
        return 0
    led = SUIT_MASKS[view.led]
    if trump in (NO_TRUMP, view.led):
        return led
    ruffing = _ruffing(duties, trump, view)
    is_trump = card >> 3 == trump
    if ruffing in _OVER_A_RUFF and is_trump:
        if higher >> card & 1:
            return led
        return led | higher | (0 if duties.under_ruff else PACK & ~SUIT_MASKS[trump])
    if is_trump or ruffing in (_Ruffing.NOT_BOUND, _Ruffing.NOT_UNDER):
        return led
    if ruffing in (_Ruffing.ANY_TRUMP, _Ruffing.OVERRUFF_OR_TRUMP):
        return led | SUIT_MASKS[trump]
    return led | higher


_BROKEN_WHEN_VOID: Final = {
    Duty.MUST_RUFF: Breach.FAILED_TO_RUFF,
    Duty.MUST_OVERRUFF: Breach.FAILED_TO_OVERRUFF,
    Duty.MAY_NOT_UNDER_RUFF: Breach.UNDER_RUFF,
}


def kind_of_breach(trump: int, view: View, duty: Duty, card: int) -> Breach:
    """Return the kind of breach of an illegal ``card``, given the ``duty`` that bound its player (B.3)."""
    if duty in _BROKEN_WHEN_VOID:
        return _BROKEN_WHEN_VOID[duty]
    if card >> 3 == view.led:
        return Breach.FAILED_TO_BEAT
    if card >> 3 == trump:
        return Breach.FALSE_RUFF
    return Breach.REVOKE


def telling_cards(duties: Duties, trump: int, view: View, card: int, kind: Breach) -> int:
    """Return the cards whose later appearance proves that playing ``card`` was the breach ``kind``.

    For a revoke or false ruff the led suit; for the others what the player owed, and the led suit
    as well where they passed for void: either way the card they played was not theirs to play.
    Empty where the play can never have been a breach of that kind. Orders have no such set here.
    """
    whole = breach_set(duties, trump, view, card)
    if not whole or kind is Breach.DISOBEYED_ORDER:
        return 0
    led = SUIT_MASKS[view.led]
    suit = card >> 3
    if kind in (Breach.REVOKE, Breach.FALSE_RUFF):
        fits = suit != view.led and (kind is Breach.REVOKE or suit == trump)
        return led if fits else 0
    if kind is Breach.FAILED_TO_BEAT:
        return whole if suit == view.led else 0
    owed = whole & ~led
    if suit == view.led or not owed:
        return 0
    ruffing = _ruffing(duties, trump, view)
    if kind is Breach.FAILED_TO_RUFF:
        if ruffing in _OVER_A_RUFF and suit == trump:
            return 0
        # Under ``Ruff.ALWAYS`` a discard over a ruff also breaks the duty to ruff.
        only_overruff = ruffing is _Ruffing.OVERRUFF and duties.ruff is not Ruff.ALWAYS
        return 0 if only_overruff else whole
    if ruffing not in _OVER_A_RUFF:
        return 0
    if kind is Breach.FAILED_TO_OVERRUFF:
        return 0 if ruffing is _Ruffing.NOT_UNDER else led | HIGHER[view.master]
    return whole if suit == trump and not duties.under_ruff else 0


def disobedience(
    duties: Duties, trump: int, view: View, card: int, ordered: int
) -> tuple[list[Holding], list[Holding]]:
    """Return the hands from which ``card`` disobeys an order, and the hands without proof of it.

    An ordered card counts where it is as legal as ``card``: what would forbid either was not held.
    Of the other hands, those that make ``card`` illegal are in neither list or in the second.
    """
    if ordered >> card & 1:
        return [], [Holding(0, 0)]
    whole = breach_set(duties, trump, view, card)
    choices: dict[int, int] = {}
    for each in cards_of(ordered):
        forbidding = breach_set(duties, trump, view, each)
        if not forbidding >> card & 1:
            choices[forbidding] = choices.get(forbidding, 0) | 1 << each
    disobeying = [
        Holding(cards & ~(whole | forbidding), whole | forbidding)
        for forbidding, cards in choices.items()
        if cards & ~(whole | forbidding)
    ]
    # A forbidding card that leaves ``card`` legal excuses the player (row 9 read literally).
    excuses = [(each & ~whole, cards) for each, cards in choices.items() if each & ~whole]
    shown = 0
    for cards in choices.values():
        shown |= cards
    others = [Holding(excuse, whole | shown & ~cards) for excuse, cards in excuses]
    return disobeying, [Holding(0, shown), *others]
