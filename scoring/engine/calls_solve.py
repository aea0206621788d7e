"""The public call ``solve``: a double-dummy position in, its exact value and best cards out."""

from __future__ import annotations

from typing import Final

from .cardplay import CardPlay, names_of
from .cards import mask_of, parse_card
from .duties import Beat
from .errors import Impossible, Malformed
from .reading import Payload, read_cards, read_hands, read_int, read_list, read_trump, wrong
from .seating import first_leader, read_card_play
from .shapes import SolveJson
from .solve import Position, solve

FREE_GAME_NODES: Final = 2_000_000
"""Cards laid before a game without the duty to beat is answered with proven bounds."""

MAX_NODES: Final = 10**9


def solve_call(payload: Payload) -> SolveJson:
    """Return the points of both sides with best play, and the best cards of the player to move.

    ``node_limit`` ends the search after so many cards laid; the answer then has ``"exact": false``,
    ``points`` null unless known, and the proven ``bounds`` of each side. Games with the duty to
    beat are searched to the end unless a limit is given; others have :data:`FREE_GAME_NODES`.
    """
    play = read_card_play(payload)
    trump = read_trump(payload)
    hands = read_hands(payload, play)
    if hands is None:
        raise Malformed("missing_key", "'hands' is missing", "hands")
    missing = [play.seats[s] for s, hand in enumerate(hands) if hand is None]
    if missing:
        raise Malformed("missing_key", f"hands: {', '.join(missing)} missing", "hands")
    trick, leader = _open_trick(payload, play)
    reserve = read_cards(payload.get("reserve"), "reserve")
    dealt = [card for hand in hands if hand is not None for card in hand]
    defects = [
        f"{names_of([card])[0]} is there twice"
        for card in sorted({c for c in dealt + trick if (dealt + trick).count(c) > 1})
    ]
    stray = sorted({c for c in dealt + trick + reserve if not play.deck >> c & 1})
    if stray:
        defects.append(f"not in this pack: {' '.join(names_of(stray))}")
    if defects:
        raise Impossible("impossible_deal", defects, "hands")
    masks = tuple(mask_of(hand or ()) for hand in hands)
    counted = 0
    if play.reserve_scores and all(
        len(hand or ()) + (s in _played(leader, len(trick), len(play.seats))) == play.hand
        for s, hand in enumerate(hands)
    ):
        counted = mask_of(reserve) or play.deck & ~mask_of(dealt) & ~mask_of(trick)
    limit = payload.get("node_limit")
    if limit is not None:
        nodes: int | None = read_int(limit, "node_limit", 1, MAX_NODES)
    else:
        nodes = None if play.duties.beat is Beat.ALWAYS else FREE_GAME_NODES
    solution = solve(
        Position(
            duties=play.duties,
            trump=trump,
            hands=masks,
            leader=leader,
            sides=play.side_of,
            trick=tuple(trick),
            trick_point=play.trick_point,
            reserve=counted,
        ),
        node_limit=nodes,
    )
    to_move = (leader + len(trick)) % len(play.seats)
    held = hands[to_move] or []
    best = set(solution.best)
    return {
        "points": None
        if solution.points is None
        else dict(zip(play.sides, solution.points, strict=True)),
        "best": names_of([card for card in held if card in best]),
        "nodes": solution.nodes,
        "exact": solution.exact,
        "bounds": {
            side: [low, high]
            for side, low, high in zip(play.sides, solution.lower, solution.upper, strict=True)
        },
    }


def _open_trick(payload: Payload, play: CardPlay) -> tuple[list[int], int]:
    """Return the cards of the trick in play, in their order, and its leader."""
    trick: list[int] = []
    leader: int | None = None
    for at, value in enumerate(read_list(payload.get("trick"), "trick")):
        field = f"trick[{at}]"
        if not isinstance(value, list | tuple) or len(value) != 2:
            raise wrong(field, "[seat, card]", value)
        seat = play.seat(value[0], field)
        if leader is None:
            leader = seat
        elif seat != (leader + at) % len(play.seats):
            raise Malformed("out_of_turn", f"{field}: {play.seats[seat]} does not play next", field)
        trick.append(parse_card(value[1], field))
    if leader is not None and payload.get("leader") is None:
        return trick, leader
    named = first_leader(payload, play)
    if leader not in (None, named):
        raise Malformed("out_of_turn", "the leader is not who played first to the trick", "leader")
    return trick, named


def _played(leader: int, cards: int, players: int) -> set[int]:
    """Return the seats that have played to the open trick."""
    return {(leader + at) % players for at in range(cards)}
