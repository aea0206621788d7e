"""Double-dummy solver: the exact result of a deal with open hands and best play of all players.

:func:`solve` is the entry point. It solves any position of equal hands, in the middle of a trick
too, with or without trump, under any duties of rules specification B.2 and any division of the
players into two sides (pairs; declarer against all others, A.8). The value of a position is the
card points and trick points still to be won, the open trick included.

Method: each card of the player to move is tested against one bound after another ("does it keep at
least so many points?") until the best value and every card that keeps it are proven. Bounds proven by
a test are reused by later tests, and positions that differ only in the values of the cards share
their bounds (:mod:`scoring.engine.solver.tree`). Measurements: docs/decisions/solver.md.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from .cards import NO_TRUMP, PACK, cards_of, format_card, mask_of, points_of
from .deal import Deal as DealInPlay
from .duties import Duties
from .errors import Illegal, Impossible, Malformed
from .solver import layout
from .solver.tree import Deal, Table, Tree, grow

BLIND_LIMIT: Final = 6
"""Most cards a hand for which a game without duties (004 blind) is searched."""

PROGRESS_EVERY: Final = 20_000
"""Nodes between two calls of ``progress``: some 30 ms of pure Python."""

Progress = Callable[[int, int, int], bool | None]
"""``progress(nodes, least, most)``: nodes so far, and the proven bounds of the points of the
player to move's side. Returning ``False`` ends the search."""


@dataclass(frozen=True, slots=True)
class Position:
    """A position of a deal, players numbered 0.. in order of play.

    ``hands``: each player's cards not yet played (engine bit sets). ``leader``: who led, or is to
    lead, the open trick. ``trick``: the cards played to it so far, in order, no longer in
    ``hands``. ``sides``: the side, 0 or 1, of each player. ``trick_point``: points of a trick
    besides its cards. ``reserve``: cards in nobody's hand that go to the winner of the open trick
    (three-player, first trick).
    """

    duties: Duties
    trump: int
    hands: tuple[int, ...]
    leader: int
    sides: tuple[int, ...]
    trick: tuple[int, ...] = ()
    trick_point: int = 1
    reserve: int = 0

    @classmethod
    def of(cls, deal: DealInPlay) -> Position:
        """Return the position of a deal in play with known hands."""
        rules, plays = deal.rules, deal.plays
        trick = plays[len(plays) - len(plays) % len(rules.seats) :]
        leader = trick[0].seat if trick else deal.to_move
        cards, hands = tuple(play.card for play in trick), tuple(deal.hands or ())
        return cls(rules.duties, deal.trump, hands, leader, rules.side_of, cards, rules.trick_point)

    @property
    def to_move(self) -> int:
        """The player whose turn it is."""
        return (self.leader + len(self.trick)) % len(self.hands)

    @property
    def total(self) -> int:
        """The points still to be won by both sides, the open trick included."""
        cards = self.reserve
        for hand in self.hands:
            cards |= hand
        for card in self.trick:
            cards |= 1 << card
        tricks = self.hands[self.to_move].bit_count()
        return points_of(cards) + self.trick_point * tricks


@dataclass(frozen=True, slots=True)
class Solution:
    """Result of best play.

    ``points`` by side, with best play of both sides; ``None`` when the search was stopped before
    it was known. ``best``: every card of the player to move that keeps that value, in engine
    order; of a stopped search, the cards proven to keep the least value known. ``nodes``:
    positions in the middle of a trick that the search looked at. ``exact``: points and best are both complete. ``lower`` and ``upper``:
    proven bounds of each side's points, equal to ``points`` when these are known.
    """

    points: tuple[int, int] | None
    best: tuple[int, ...]
    nodes: int
    exact: bool
    lower: tuple[int, int]
    upper: tuple[int, int]


class _Stopped(Exception):
    """The node limit is reached or the caller has cancelled."""


def solve(
    position: Position, *, node_limit: int | None = None, progress: Progress | None = None
) -> Solution:
    """Return the result of best play from ``position``.

    ``node_limit``: end after about so many nodes, with proven bounds. ``progress``: called every
    :data:`PROGRESS_EVERY` nodes; the engine has no clock, so a time limit is the caller's to
    keep there. The answer is a function of the position and of where the search was stopped.

    Raises :class:`Impossible` (``impossible_deal``, every defect listed) for hands that no deal
    can have, :class:`Malformed` for a leader, trump or sides that do not exist,
    and :class:`Illegal` (``blind_endings_only``) for a blind game of more than
    :data:`BLIND_LIMIT` cards a hand.
    """
    check(position)
    return _Search(position, node_limit, progress).run()


def solve_value(position: Position, *, node_limit: int) -> tuple[tuple[int, int] | None, int]:
    """Return the points of both sides with best play, without the best cards, and the nodes searched.

    ``None`` for the points where ``node_limit`` ended the search. Raises as :func:`solve` does.
    """
    check(position)
    search = _Search(position, max(1, node_limit), None)
    return search.value(), search.tree.nodes()


def check(position: Position) -> None:
    """Raise unless ``position`` is one that :func:`solve` answers for."""
    players = len(position.hands)
    if len(position.sides) != players or set(position.sides) - {0, 1} or not 2 <= players <= 7:
        raise Malformed("bad_sides", "each player needs a side, 0 or 1", "sides")
    if not 0 <= position.leader < players:
        raise Malformed("bad_leader", f"there is no player {position.leader}", "leader")
    if not NO_TRUMP <= position.trump < 4:
        raise Malformed("unknown_trump", f"{position.trump} is not a trump", "trump")
    defects = _defects(position)
    if defects:
        raise Impossible("impossible_deal", defects, "hands")
    if not position.duties.follow and position.hands[position.to_move].bit_count() > BLIND_LIMIT:
        raise Illegal(
            "blind_endings_only",
            "a game without duties of play is searched for endings only: "
            f"at most {BLIND_LIMIT} cards a hand",
            "hands",
            {"limit": BLIND_LIMIT},
        )


def _defects(position: Position) -> list[str]:
    """Return every reason that makes the cards of ``position`` impossible."""
    players = len(position.hands)
    defects = []
    if len(position.trick) >= players:
        return [f"the open trick has {len(position.trick)} cards: it is complete"]
    strange = [hand for hand in (*position.hands, position.reserve) if hand & ~PACK]
    strange += [card for card in position.trick if not 0 <= card < 32]
    if strange:
        return ["a card outside the pack"]
    size = position.hands[position.to_move].bit_count()
    if size == 0:
        defects.append("the player to move has no card")
    for seat in range(players):
        hand = position.hands[(position.leader + seat) % players]
        due = size - (seat < len(position.trick))
        if hand.bit_count() != due:
            defects.append(
                f"player {(position.leader + seat) % players + 1} has {hand.bit_count()} cards "
                f"where {due} are left to play"
            )
    seen = 0
    twice = 0
    for cards in (*position.hands, *(1 << card for card in position.trick), position.reserve):
        twice |= seen & cards
        seen |= cards
    defects += [f"{format_card(card)} is there twice" for card in cards_of(twice)]
    return defects


class _Search:
    """The bounds of each card of the player to move, drawn together until they are exact.

    Bounds are points of the player to move's side; ``least[card]`` and ``most[card]`` are proven.
    """

    def __init__(
        self, position: Position, node_limit: int | None, progress: Progress | None
    ) -> None:
        self.position = position
        self.total = position.total
        self.node_limit = node_limit
        self.progress = progress
        self.side = position.sides[position.to_move]
        self.table = _table(position)
        deal = Deal(
            position.duties,
            position.trump,
            tuple(layout.lay_out(hand) for hand in position.hands),
            position.sides,
            position.trick_point,
        )
        self.tree: Tree = grow(deal, self._pause, self._next_pause(0))
        on_table = layout.lay_out(mask_of(position.trick))
        self.twins = _twins(self.tree.legal(self.table), self.table.left | on_table)
        self.least = dict.fromkeys(self.twins, 0)
        self.most = dict.fromkeys(self.twins, self.total)

    def run(self) -> Solution:
        try:
            self._find_value()
            self._find_all_best()
        except _Stopped:
            return self._solution(exact=False)
        return self._solution(exact=True)

    def value(self) -> tuple[int, int] | None:
        """Return the points of both sides; ``None`` if the search was stopped before."""
        try:
            self._find_value()
        except _Stopped:
            return None
        return self._solution(exact=False).points

    def _next_pause(self, nodes: int) -> int:
        pauses = [nodes + PROGRESS_EVERY] if self.progress else []
        if self.node_limit is not None:
            pauses.append(self.node_limit)
        return min(pauses, default=1 << 62)

    def _pause(self, nodes: int) -> int:
        if self.node_limit is not None and nodes >= self.node_limit:
            raise _Stopped
        if self.progress and self.progress(nodes, *self._bounds()) is False:
            raise _Stopped
        return self._next_pause(nodes)

    def _bounds(self) -> tuple[int, int]:
        """Return proven bounds of the value, that of the best card."""
        return max(self.least.values()), max(self.most.values())

    def _test(self, card: int, need: int) -> bool:
        """Whether ``card`` keeps at least ``need`` points; its bounds follow."""
        if self.least[card] >= need:
            return True
        if self.most[card] < need:
            return False
        if self.side == 0:
            bound = self.tree.after(self.table, card, need, self.total)
        else:
            against = self.total - need + 1
            bound = self.total - self.tree.after(self.table, card, against, self.total)
        if bound >= need:
            self.least[card] = bound
        else:
            self.most[card] = bound
        return bound >= need

    def _find_value(self) -> None:
        """Draw the bounds of the best card together."""
        need, stride = self.total // 2, 2
        while True:
            least, most = self._bounds()
            if least == most:
                return
            need = min(max(need, least + 1), most)
            order = sorted(self.twins, key=lambda card: (-self.most[card], -self.least[card]))
            if any(self._test(card, need) for card in order):
                least = max(self.least.values())
                need = min(least + stride, (least + most + 1) // 2)
            else:
                most = max(self.most.values())
                need = max(most + 1 - stride, (least + most + 1) // 2)
            stride *= 2

    def _find_all_best(self) -> None:
        """Test every card for whether it keeps the best value."""
        value = max(self.least.values())
        for card in self.twins:
            self._test(card, value)

    def _solution(self, *, exact: bool) -> Solution:
        least, most = self._bounds()
        best = sorted(
            layout.card_of(twin)
            for card, twins in self.twins.items()
            if self.least[card] >= least
            for twin in twins
        )
        mine = (least, most)
        theirs = (self.total - most, self.total - least)
        first, second = (mine, theirs) if self.side == 0 else (theirs, mine)
        lower = (first[0], second[0])
        return Solution(
            lower if least == most else None,
            tuple(best),
            self.tree.nodes(),
            exact,
            lower,
            (first[1], second[1]),
        )


def _table(position: Position) -> Table:
    """Return the open trick of ``position`` in the search's form."""
    players = len(position.hands)
    left = 0
    for hand in position.hands:
        left |= layout.lay_out(hand)
    stake = position.trick_point + points_of(position.reserve)
    led = winning = 0
    winner = position.leader
    beaten = layout.beaten_by(position.trump)
    for place, card in enumerate(position.trick):
        bit = layout.lay_out(1 << card)
        stake += layout.VALUE[bit]
        if place == 0:
            led = layout.SUIT_OF[bit]
        if place == 0 or bit & beaten[winning]:
            winning = bit
            winner = (position.leader + place) % players
    return Table(
        left, position.to_move, players - 1 - len(position.trick), led, winning, winner, stake
    )


def _twins(cards: int, present: int) -> dict[int, list[int]]:
    """Return the cards to search, highest first, each with its equivalent cards of the same hand.

    Neighbours of one suit without points are the same card to everybody, when no card between them
    is ``present``, in a hand or in the open trick.
    """
    twins: dict[int, list[int]] = {}
    for suit in layout.SUIT_BITS:
        previous = 0
        for bit in (b for b in layout.VALUE if b & suit):
            if bit & cards:
                if previous and layout.VALUE[bit] == 0:
                    twins[previous].append(bit)
                else:
                    twins[bit] = [bit]
                    previous = bit if layout.VALUE[bit] == 0 else 0
            elif bit & present:
                previous = 0
    return dict(sorted(twins.items(), reverse=True))
