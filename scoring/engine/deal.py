"""One deal in play: who holds what, whose turn it is, the tricks and the points so far.

    >>> from scoring import Deal
    >>> hands = {"W": "8H 10S 7D AC", "S": "KC KS AD JS", "E": "9D 9S 8C 7C", "N": "7H 8S 10C AS"}
    >>> deal = Deal.start("parlee", trump="C", leader="W", hands=hands)
    >>> deal.play("8H")
    >>> deal.turn, deal.legal_cards()
    ('S', [KC])
    >>> for card in ("KC", "9D", "7H"):
    ...     deal.play(card)
    >>> deal.turn, deal.points
    ('S', {'NS': 4, 'EW': 0})
    >>> deal.undo(), deal.turn
    (7H, 'N')
    >>> deal.play("AS")
    Traceback (most recent call last):
    scoring.engine.errors.Illegal: N must follow suit: 7H
    >>> deal.play("AC")
    Traceback (most recent call last):
    scoring.engine.errors.Impossible: N does not hold AC
    >>> deal.play("1H")
    Traceback (most recent call last):
    scoring.engine.errors.Malformed: '1H' is not a card: write the rank (10 A K Q J 9 8 7) then the suit (S H D C)

``play`` keeps to the rules. ``record`` takes a card as it was played, legal or not, which is what a
referee's replay follows.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from .cardplay import CardPlay, card_play, names_of
from .cards import CARDS, Card, cards_of, format_card, mask_of, parse_card, parse_trump, points_of
from .errors import Illegal, Impossible
from .legality import LEADING, NOTHING, Duty, View, legal_mask, view_of, winners_over
from .rulebook import Game, resolve

OBLIGATIONS: Final = {
    Duty.FOLLOW: "must follow suit",
    Duty.MUST_BEAT: "must beat the card that wins the trick",
    Duty.MUST_RUFF: "must ruff",
    Duty.MUST_OVERRUFF: "must overruff",
    Duty.MAY_NOT_UNDER_RUFF: "may not underruff",
}


class Play(NamedTuple):
    """A card played: in which trick, by which seat (index), and what its player saw."""

    trick: int
    seat: int
    card: int
    view: View


@dataclass(frozen=True, slots=True)
class Trick:
    """One trick: ``cards`` in order of play from seat ``leader``.

    ``winner`` (seat index) and ``points`` (card points and trick point) are ``None`` while a card
    is missing.
    """

    number: int
    leader: int
    cards: tuple[int, ...]
    winner: int | None
    points: int | None


class Deal:
    """One deal in play under the rules of a table.

    ``hands`` are bit sets by seat index of the cards not yet played; ``None`` where only the plays
    are known, which are then followed without asking who held what. ``reserve``: the cards that the
    winner of the first trick takes besides it (A.8).
    """

    __slots__ = (
        "_leader",
        "_led",
        "_master",
        "_owner",
        "_won",
        "hands",
        "plays",
        "reserve",
        "rules",
        "to_move",
        "trump",
    )

    def __init__(
        self,
        rules: CardPlay,
        trump: int,
        leader: int,
        hands: Sequence[int] | None = None,
        *,
        reserve: int = 0,
    ) -> None:
        self.rules = rules
        self.trump = trump
        self.hands = None if hands is None else list(hands)
        self.reserve = reserve
        self.plays: list[Play] = []
        self.to_move = leader
        """The seat index of the player whose turn it is."""
        self._won: list[Trick] = []
        self._leader = leader
        self._led = self._master = self._owner = NOTHING

    @classmethod
    def start(
        cls,
        rulebook: str | Game,
        *,
        hands: Mapping[str, str | Iterable[str | int]],
        trump: str,
        leader: str,
        declarer: str | None = None,
    ) -> Deal:
        """Return a deal before its first card, or an ending of it.

        Args:
            rulebook: a rulebook's key, or the game of one with switches (:func:`resolve`).
            hands: the cards of every player, e.g. ``{"W": "8H 10S", ...}``; equally many each.
            trump: ``"S" "H" "D" "C"``, or ``"NT"``.
            leader: who leads.
            declarer: who plays against all others, where a rulebook has one (A.8).

        Raises:
            Malformed: a card, seat, trump or rulebook that does not exist.
            Impossible: a card twice or not in the pack, hands of unequal size; every defect at once.
        """
        rules = card_play(resolve(rulebook) if isinstance(rulebook, str) else rulebook, declarer)
        held: list[list[int]] = [[] for _ in rules.seats]
        for name, cards in hands.items():
            field = f"hands.{name}"
            held[rules.seat(name, field)] = [
                parse_card(card, field) if isinstance(card, str) else card
                for card in (cards.split() if isinstance(cards, str) else cards)
            ]
        every = [card for hand in held for card in hand]
        defects = [
            f"{CARDS[card]} is there twice" for card in sorted(set(every)) if every.count(card) > 1
        ]
        stray = [card for card in every if not rules.deck >> card & 1]
        if stray:
            defects.append(f"not in this pack: {' '.join(names_of(stray))}")
        if len({len(hand) for hand in held}) > 1 or not 0 < len(held[0]) <= rules.hand:
            sizes = ", ".join(f"{n} {len(h)}" for n, h in zip(rules.seats, held, strict=True))
            defects.append(f"hands of 1 to {rules.hand} cards, as many each, are needed: {sizes}")
        if defects:
            raise Impossible("impossible_deal", defects, "hands")
        whole = len(held[0]) == rules.hand and rules.reserve_scores
        return cls(
            rules,
            parse_trump(trump),
            rules.seat(leader, "leader"),
            [mask_of(hand) for hand in held],
            reserve=rules.deck & ~mask_of(every) if whole else 0,
        )

    # -- what is so ----------------------------------------------------------------------------

    @property
    def turn(self) -> str | None:
        """The player whose turn it is; ``None`` when every card is played."""
        return None if self.over else self.rules.seats[self.to_move]

    @property
    def over(self) -> bool:
        """Whether every card is played."""
        return self.hands is not None and not any(self.hands)

    @property
    def view(self) -> View:
        """The open trick as the player to act sees it."""
        if self._led == NOTHING:
            return LEADING
        side_of = self.rules.side_of
        side = side_of[self.to_move]
        return View(
            self._led,
            self._master,
            side_of[self._owner] == side,
            side_of[self._leader] != side,
        )

    @property
    def tricks(self) -> tuple[Trick, ...]:
        """The tricks so far, an open one included."""
        done = len(self._won)
        open_plays = self.plays[done * len(self.rules.seats) :]
        if not open_plays:
            return tuple(self._won)
        cards = tuple(play.card for play in open_plays)
        return (*self._won, Trick(done + 1, open_plays[0].seat, cards, None, None))

    @property
    def reserve_to(self) -> int | None:
        """The side (index) that took the reserve with the first trick."""
        if not self.reserve or not self._won or self._won[0].winner is None:
            return None
        return self.rules.side_of[self._won[0].winner]

    def tally(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Return the points and tricks won so far, by side index."""
        points, tricks = [0] * len(self.rules.sides), [0] * len(self.rules.sides)
        for trick in self._won:
            if trick.winner is not None and trick.points is not None:
                side = self.rules.side_of[trick.winner]
                points[side] += trick.points
                tricks[side] += 1
        if self.reserve_to is not None:
            points[self.reserve_to] += points_of(self.reserve)
        return tuple(points), tuple(tricks)

    @property
    def points(self) -> dict[str, int]:
        """Points won so far, by side."""
        return dict(zip(self.rules.sides, self.tally()[0], strict=True))

    @property
    def result(self) -> dict[str, int] | None:
        """The points of both sides once every card is played; ``None`` before."""
        return self.points if self.over else None

    def legal_mask(self) -> tuple[int, Duty]:
        """Return the legal cards of the player to act, as a bit set, and the duty that binds."""
        hand = 0 if self.hands is None else self.hands[self.to_move]
        return legal_mask(self.rules.duties, self.trump, self.view, hand)

    def legal_cards(self) -> list[Card]:
        """Return the legal cards of the player to act, in rising order (B.2)."""
        return [CARDS[card] for card in cards_of(self.legal_mask()[0])]

    # -- what happens --------------------------------------------------------------------------

    def play(self, card: int | str) -> None:
        """Play ``card``, a card or its name.

        Raises:
            Malformed: ``unknown_card``.
            Impossible: ``not_held``, the player does not hold it.
            Illegal: ``illegal_card``, a duty forbids it (B.2).
        """
        number = parse_card(card) if isinstance(card, str) else card
        legal, duty = self.legal_mask()
        if not legal >> number & 1:
            name = self.rules.seats[self.to_move]
            if self.hands is None or not self.hands[self.to_move] >> number & 1:
                raise Impossible("not_held", [f"{name} does not hold {CARDS[number]}"], "card")
            cards = names_of(cards_of(legal))
            raise Illegal(
                "illegal_card",
                f"{name} {OBLIGATIONS[duty]}: {' '.join(cards)}",
                "card",
                {"duty": duty.value, "legal": cards},
            )
        self.record(number)

    def record(self, card: int) -> None:
        """Take ``card`` as played by the player to act, legal or not."""
        seat = self.to_move
        side_of = self.rules.side_of
        count = len(side_of)
        self.plays.append(Play(len(self._won) + 1, seat, card, self.view))
        if self.hands is not None:
            self.hands[seat] &= ~(1 << card)
        if self._led == NOTHING:
            self._led, self._master, self._leader, self._owner = card >> 3, card, seat, seat
        elif winners_over(self.trump, self._master) >> card & 1:
            self._master, self._owner = card, seat
        if len(self.plays) % count:
            self.to_move = (seat + 1) % count
            return
        cards = tuple([play[2] for play in self.plays[-count:]])
        points = points_of(mask_of(cards)) + self.rules.trick_point
        self._won.append(Trick(len(self._won) + 1, self._leader, cards, self._owner, points))
        self.to_move = self._owner
        self._led = self._master = self._owner = NOTHING

    def undo(self) -> Card:
        """Take the last card back into its player's hand."""
        play = self.plays.pop()
        count = len(self.rules.seats)
        if len(self.plays) % count == count - 1:
            self._won.pop()
        self.to_move = play.seat
        self._led, self._master = play.view.led, play.view.master
        open_plays = self.plays[len(self._won) * count :]
        self._leader = open_plays[0].seat if open_plays else play.seat
        self._owner = next((p.seat for p in open_plays if p.card == self._master), NOTHING)
        if self.hands is not None:
            self.hands[play.seat] |= 1 << play.card
        return CARDS[play.card]


def legal_in_trick(
    rules: CardPlay, trump: int, trick: Sequence[tuple[int, int]], player: int, hand: Sequence[int]
) -> tuple[int, Duty]:
    """Return the legal cards of one hand as a bit set, and the duty that binds (B.2).

    Args:
        trick: seat and card of each play so far.
        player: the seat whose turn it is.

    Raises:
        Impossible: ``impossible_deal``, with all that no deal of cards can have brought.
    """
    cards = [card for _, card in trick]
    defects = [
        *[f"{format_card(card)} is there twice" for card in _repeated(cards + list(hand))],
        *[f"{rules.seats[s]} has played twice" for s in _repeated([s for s, _ in trick])],
    ]
    if not hand:
        defects.append("the hand is empty")
    if len(hand) > rules.hand:
        defects.append(f"the hand has {len(hand)} cards, more than {rules.hand}")
    if any(seat == player for seat, _ in trick):
        defects.append(f"{rules.seats[player]} has already played to the trick")
    stray = [card for card in [*cards, *hand] if not rules.deck >> card & 1]
    if stray:
        defects.append(f"not in this pack: {' '.join(names_of(stray))}")
    if defects:
        raise Impossible("impossible_deal", defects, "trick")
    side = rules.side_of[player]
    view = view_of(trump, cards, [rules.side_of[seat] == side for seat, _ in trick])
    return legal_mask(rules.duties, trump, view, mask_of(hand))


def _repeated(values: Sequence[int]) -> list[int]:
    return sorted({value for value in values if values.count(value) > 1})
