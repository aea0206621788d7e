"""Auctions as state machines: chaloupée (002) and auction manille 2 and 3 (004) (interface ``auction``).

A call that the rules forbid is never refused: it is reported with its article (002-A1, 004-A1),
counts as not made, and its player speaks again; where the next player has spoken instead, the
forbidden call counts as a pass or as "c'est bon". In the chaloupée a side's second forbidden call
bars it from bidding for the rest of the deal (rules specification C.3).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from .auction_ladder import GENERALE, Bid, ChaloupeeLadder, Ladder, PointsLadder
from .cards import SUITS
from .errors import Illegal, Malformed
from .reading import Payload, read_list, read_object, require, wrong
from .rulebook import Game, resolve
from .rulebook_edition import Bids, Sides
from .shapes import AuctionJson

PASS: Final = "pass"  # noqa: S105  a call at cards
ACCEPT: Final = "accept"
DOUBLE: Final = "double"
REDOUBLE: Final = "redouble"
WORDS: Final = (PASS, ACCEPT, DOUBLE, REDOUBLE)

CHALOUPEE_ARTICLE: Final = "002-A1"
AUCTION_ARTICLE: Final = "004-A1"


@dataclass(frozen=True, slots=True)
class Call:
    """One call: a word of :data:`WORDS`, or a bid."""

    player: str
    what: str | Bid


@dataclass(frozen=True, slots=True)
class IllegalCall:
    """A forbidden call; ``index`` is its place in the input, from 0."""

    index: int
    article: str
    why: str


@dataclass
class AuctionState:
    """An auction after some calls.

    ``bid`` and ``bidder``: the standing bid; ``doubling`` 0, 1 or 2; ``accepted``: consecutive
    "c'est bon" since the last bid or doubling; ``out``: players who may not come in again (004).
    """

    game: Game
    ladder: Ladder
    turn: str
    bid: Bid | None = None
    bidder: str | None = None
    doubling: int = 0
    accepted: int = 0
    passes: int = 0
    out: set[str] = field(default_factory=set)
    offences: dict[str, int] = field(default_factory=dict)
    awaiting: str | None = None
    """Who has to replace a forbidden call."""
    illegal: list[IllegalCall] = field(default_factory=list)
    ended: bool = False
    annulled: bool = False

    # -- legal calls -------------------------------------------------------------------------

    @property
    def partnership(self) -> bool:
        """Whether sides bid a ladder with doublings (002), not players a number (004)."""
        return self.game.book.bids is Bids.LADDER

    def side(self, player: str) -> str:
        """Return the side of a player: the pair, or in 004 the player themselves."""
        return self.game.side_of(player) if self.partnership else player

    def barred(self, player: str) -> bool:
        """Whether a side has lost its right to bid by a second forbidden call (002-A1)."""
        return self.partnership and self.offences.get(self.side(player), 0) >= 2

    def why_not(self, call: Call) -> str | None:
        """Return the reason that forbids ``call`` now; ``None`` for a legal call."""
        if self.ended:
            return "the auction is over"
        if call.player in self.out:
            return f"{call.player} has passed and may not come in again"
        if call.player != self.turn:
            return f"it is {self.turn}'s turn to speak"
        if isinstance(call.what, Bid):
            if self.barred(call.player):
                return f"{self.side(call.player)} may not bid any more this deal"
            return self.ladder.why_not(call.what, self.bid)
        if not self.partnership:
            return None if call.what == PASS else f"there is no {call.what!r} in {self.game.key}"
        return self._why_not_word(call.player, call.what)

    def _why_not_word(self, player: str, word: str) -> str | None:
        own = self.bidder is not None and self.side(self.bidder) == self.side(player)
        most = self.game.max_doubling or 0
        if word == PASS:
            return "a bid stands: accept it, raise it or double it" if self.bid else None
        if self.bid is None:
            return "there is no bid yet"
        if word == ACCEPT:
            return None
        if word == DOUBLE:
            if most < 1:
                return "doubling is not played here"
            if own:
                return "one does not double one's own side's bid"
            return "the bid is doubled already" if self.doubling else None
        if most < 2:
            return "redoubling is not played here"
        if not own:
            return "only the bidding side redoubles"
        if self.doubling == 0:
            return "the bid has not been doubled"
        return "the bid is redoubled already" if self.doubling > 1 else None

    def legal(self) -> list[object]:
        """Return the legal calls of the player to speak: words, and the lowest bid allowed, if any."""
        if self.ended:
            return []
        words: list[object] = [
            word for word in WORDS if self.why_not(Call(self.turn, word)) is None
        ]
        if not self.barred(self.turn):
            minimum = self.ladder.minimum(self.bid)
            if minimum is not None:
                words.append(minimum)
        return words

    # -- saying it ---------------------------------------------------------------------------

    def say(self, index: int, call: Call) -> None:
        """Apply a call, or report it as forbidden."""
        if (
            self.awaiting is not None
            and call.player != self.awaiting
            and call.player == self._after(self.turn)
        ):
            self._apply(self._neutral())
        why = self.why_not(call)
        if why is None:
            self.awaiting = None
            self._apply(call.what)
            return
        article = CHALOUPEE_ARTICLE if self.partnership else AUCTION_ARTICLE
        self.illegal.append(IllegalCall(index, article, why))
        if self.ended:
            return
        side = self.side(call.player)
        self.offences[side] = self.offences.get(side, 0) + 1
        self.awaiting = call.player if call.player == self.turn else self.awaiting

    def _neutral(self) -> str:
        return ACCEPT if self.partnership and self.bid is not None else PASS

    def _after(self, player: str) -> str:
        following = self.game.next_player(player)
        while following in self.out and following != player:
            following = self.game.next_player(following)
        return following

    def _apply(self, what: str | Bid) -> None:
        self.awaiting = None
        player = self.turn
        if isinstance(what, Bid):
            self.bid, self.bidder = what, player
            self.doubling = self.accepted = 0
        elif what in (DOUBLE, REDOUBLE):
            self.doubling += 1
            self.accepted = 0
        elif what == ACCEPT:
            self.accepted += 1
        elif self.partnership:
            self.passes += 1
        else:
            self.out.add(player)
        self._settle()
        if not self.ended:
            self.turn = self._after(player)

    def _settle(self) -> None:
        players = self.game.players
        if self.partnership:
            if self.bid is None:
                self.ended = self.annulled = self.passes == players
            else:
                self.ended = self.accepted == players - 1
            return
        if len(self.out) == players:
            self.ended = self.annulled = True
        elif self.bid is not None:
            self.ended = len(self.out) == players - 1

    # -- what came of it ---------------------------------------------------------------------

    def contract(self) -> dict[str, object] | None:
        """Return the contract for ``score``, once the auction has ended with a bid."""
        if not self.ended or self.bid is None or self.bidder is None:
            return None
        contract: dict[str, object] = {
            "declarer": self.side(self.bidder),
            "player": self.bidder,
            "level": self.bid.level,
        }
        if self.partnership:
            contract.update(trump=self.bid.trump, doubling=self.doubling, blind=False)
        return contract

    def leader(self) -> str | None:
        """Return the leader of the first trick (A.1): the player after the last bidder; in 004 eldest hand or declarer."""
        if not self.ended or self.bidder is None or self.bid is None:
            return None
        if self.partnership:
            return self.game.next_player(self.bidder)
        return self.bidder if self.bid.level == "all" else self.game.seats[0]

    def as_json(self) -> AuctionJson:
        """Return the output of ``auction``."""
        standing: dict[str, object] | None = None
        if self.bid is not None:
            standing = {"player": self.bidder, **self.bid.as_json(), "doubling": self.doubling}
        return {
            "next": None if self.ended else self.turn,
            "legal": self.legal(),
            "illegal": [
                {"index": each.index, "article": each.article, "why": each.why}
                for each in self.illegal
            ],
            "ended": self.ended,
            "annulled": self.annulled,
            "contract": self.contract(),
            "standing": standing,
            "leader": self.leader(),
            "barred": sorted(side for side, times in self.offences.items() if times > 1)
            if self.partnership
            else [],
        }


def run_auction(game: Game, dealer: str | None, calls: Sequence[Call]) -> AuctionState:
    """Replay ``calls`` and return the auction; ``dealer`` speaks first in the chaloupée, eldest hand in 004.

    Raises :class:`Illegal` (``no_auction``) where the rulebook has none, and :class:`Malformed`
    (``missing_key``, ``seat``) without a dealer where one is needed.
    """
    first = game.seats[0]
    if game.book.bids is Bids.LADDER:
        if dealer is None:
            raise Malformed("missing_key", "'dealer' is missing: the dealer speaks first", "dealer")
        first = dealer
        ladder: Ladder = ChaloupeeLadder(tuple(game.book.levels))
    elif game.book.bids is Bids.POINTS:
        ladder = PointsLadder(game.number("minimum_bid"), game.total)
    else:
        raise Illegal(
            "no_auction",
            f"{game.key} is played without an auction",
            "rulebook",
            {"rulebook": game.key},
        )
    state = AuctionState(game, ladder, first)
    for index, call in enumerate(calls):
        state.say(index, call)
    return state


def auction_call(payload: Payload) -> AuctionJson:
    """Answer the ``auction`` call: one object in, one out."""
    game = resolve(require(payload, "rulebook"), payload.get("options"))
    dealer = payload.get("dealer")
    if dealer is not None:
        dealer = _seat(game, dealer, "dealer")
        if game.book.sides is Sides.DECLARER_ALONE and dealer != game.seats[-1]:
            raise Malformed(
                "seat",
                f"players are numbered from eldest hand: the dealer is {game.seats[-1]}",
                "dealer",
                {"seat": dealer, "allowed": [game.seats[-1]]},
            )
    calls = [
        _read_call(game, value, f"calls[{at}]")
        for at, value in enumerate(read_list(payload.get("calls"), "calls"))
    ]
    return run_auction(game, dealer, calls).as_json()


def _seat(game: Game, value: object, where: str) -> str:
    if isinstance(value, str) and value in game.seats:
        return value
    raise Malformed(
        "seat",
        f"{value!r} is not a player of this game: {', '.join(game.seats)}",
        where,
        {"seat": repr(value), "allowed": list(game.seats)},
    )


def _read_call(game: Game, value: object, where: str) -> Call:
    """Parse a call: ``[seat, "pass" | "accept" | "double" | "redouble" | {"level", "trump"}]``."""
    if not isinstance(value, list | tuple) or len(value) != 2:
        raise wrong(where, "[seat, call]", value)
    player = _seat(game, value[0], where)
    text = value[1]
    if isinstance(text, str):
        if text not in WORDS:
            raise Malformed(
                "unknown_call",
                f"{text!r} is not a call: {', '.join(WORDS)}, or a bid",
                where,
                {"allowed": list(WORDS)},
            )
        return Call(player, text)
    bid = read_object(text, where)
    level = bid.get("level")
    if isinstance(level, bool) or not isinstance(level, int | str):
        raise wrong(f"{where}.level", f"a number, {GENERALE!r} or 'all'", level)
    trump = bid.get("trump")
    if game.book.bids is Bids.LADDER and trump is None:
        raise Malformed("missing_key", f"'{where}.trump' is missing", f"{where}.trump")
    if trump is not None and trump not in (*SUITS, "NT"):
        raise Malformed(
            "unknown_trump",
            f"{trump!r} is not a trump: S, H, D, C or NT",
            f"{where}.trump",
            {"trump": repr(trump)},
        )
    return Call(player, Bid(level, str(trump) if trump is not None else None))
