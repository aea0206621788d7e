"""Marks of a match over its deals: games, target, decider, ties (interface ``match``).

Within a deal marks count in the order in which they are written: turn-up, penalty, result
(Q-GEN-6); the first side to reach the target has the game, and what is left of that deal counts
for nothing. The excess does not carry into the next game (Q-GEN-7). A match by a number of deals
goes to most marks; a tie is a draw or two more deals (Q-GEN-8).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final

from .errors import Illegal, Malformed
from .reading import Payload, read_list, read_object, wrong
from .rulebook import Game
from .seating import read_game
from .shapes import MatchJson

COMPONENTS: Final = ("turn_up", "penalty", "deal")
"""The order in which a deal's marks are written."""

GENERALE_BY_DEALS: Final = 150
"""What a whole game counts in a match by deals: the chaloupée's own target (A.7)."""

EXTRA_DEALS: Final = 2


@dataclass(frozen=True, slots=True)
class MatchDeal:
    """The marks of one deal by component, and the side that a générale gave the game."""

    marks: Mapping[str, Mapping[str, int]]
    game_won: str | None = None


@dataclass(frozen=True, slots=True)
class MatchEvent:
    """``why`` is ``game``, ``match`` or ``tie``; ``deal`` counts from 1; ``side`` is null in a tie."""

    deal: int
    side: str | None
    why: str


@dataclass
class MatchScore:
    """A match in progress or finished.

    ``score``: of the current game, or of the last one when finished (of all the deals where the
    match goes by deals). ``by_deal``: what each deal added to the score of its game; a générale
    adds what wanted to the whole game. ``deals_left``: ``None`` where no number of deals is fixed.
    """

    score: dict[str, int]
    games: dict[str, int]
    winner: str | None = None
    finished: bool = False
    events: list[MatchEvent] = field(default_factory=list)
    deals_played: int = 0
    deals_left: int | None = None
    by_deal: list[dict[str, int]] = field(default_factory=list)

    @property
    def marks(self) -> dict[str, int]:
        """Marks of all the games together, by side."""
        return {side: sum(deal[side] for deal in self.by_deal) for side in self.score}

    def add(self, side: str, marks: int) -> None:
        """Write marks of the latest deal into the current game."""
        self.score[side] += marks
        self.by_deal[-1][side] += marks

    def as_json(self) -> MatchJson:
        """Return the output of ``match``."""
        return {
            "score": self.score,
            "games": self.games,
            "winner": self.winner,
            "finished": self.finished,
            "events": [
                {"deal": event.deal, "side": event.side, "why": event.why} for event in self.events
            ],
            "deals_played": self.deals_played,
            "deals_left": self.deals_left,
            "marks": self.marks,
            "by_deal": self.by_deal,
        }


def match_call(payload: Payload) -> MatchJson:
    """Answer the ``match`` call: one object in, one out."""
    game = read_game(payload)
    return score_match(game, read_deals(game, payload.get("deals"))).as_json()


def read_deals(game: Game, value: object) -> list[MatchDeal]:
    """Return the deals of a payload; a key of several players ("12") credits each of them.

    Raises :class:`Malformed`: ``malformed_value``, ``unknown_key``, ``unknown_side``.
    """
    deals = []
    for at, each in enumerate(read_list(value, "deals")):
        where = f"deals[{at}]"
        raw = read_object(each, where)
        for key in raw:
            if key not in (*COMPONENTS, "game_won"):
                allowed = [*COMPONENTS, "game_won"]
                raise Malformed(
                    "unknown_key",
                    f"{key!r} is not a part of a deal's marks: {', '.join(allowed)}",
                    f"{where}.{key}",
                    {"allowed": allowed},
                )
        deals.append(match_deal(game, raw, raw.get("game_won"), where))
    return deals


def match_deal(
    game: Game, marks: Mapping[str, object], game_won: object = None, where: str = "deal"
) -> MatchDeal:
    """Return one deal of a match: its ``marks`` by component, and who a générale gave the game.

    Raises :class:`Malformed`: ``malformed_value``, ``unknown_side``.
    """
    return MatchDeal(
        {part: _read_marks(game, marks.get(part), f"{where}.{part}") for part in COMPONENTS},
        None if game_won is None else _parties(game, game_won, f"{where}.game_won")[0],
    )


def parties(game: Game) -> tuple[str, ...]:
    """Return the scoring parties of a match: the pairs, or every player."""
    return game.sides if len(game.sides[0]) == 2 else game.seats


def _parties(game: Game, name: object, where: str) -> tuple[str, ...]:
    known = parties(game)
    if isinstance(name, str):
        if name in known:
            return (name,)
        if len(name) > 1 and len(set(name)) == len(name) and set(name) <= set(known):
            return tuple(name)
    raise Malformed(
        "unknown_side",
        f"{name!r} does not keep a score in this match: {', '.join(known)}",
        where,
        {"side": repr(name), "allowed": list(known)},
    )


def _read_marks(game: Game, value: object, where: str) -> dict[str, int]:
    if value is None:
        return {}
    marks: dict[str, int] = {}
    for name, number in read_object(value, where).items():
        if isinstance(number, bool) or not isinstance(number, int):
            raise wrong(f"{where}.{name}", "a whole number of marks", number)
        for party in _parties(game, name, f"{where}.{name}"):
            marks[party] = marks.get(party, 0) + number
    return marks


def score_match(game: Game, deals: Iterable[MatchDeal], *, to_the_end: bool = False) -> MatchScore:
    """Return the match after ``deals``; ``to_the_end``: those after its end count for nothing.

    Raises :class:`Illegal` (``match_over``) for a deal after the end.
    """
    target = game.options["target"]
    by_deals = isinstance(target, Mapping) and "deals" in target
    state = MatchScore(dict.fromkeys(parties(game), 0), dict.fromkeys(parties(game), 0))
    if by_deals and isinstance(target, Mapping):
        state.deals_left = int(target["deals"])
    for number, deal in enumerate(deals, start=1):
        if state.finished and to_the_end:
            break
        if state.finished:
            raise Illegal(
                "match_over",
                f"deal {number} comes after the end: the match was over with deal {number - 1}",
                f"deals[{number - 1}]",
                {"deal": number, "over_after": number - 1},
            )
        state.deals_played = number
        state.by_deal.append(dict.fromkeys(state.score, 0))
        if by_deals:
            _count_deal(game, state, deal, number)
        else:
            _play_deal(game, state, deal, number)
    return state


def _count_deal(game: Game, state: MatchScore, deal: MatchDeal, number: int) -> None:
    """Count a deal of a match by deals: marks add up, and the highest total wins at the end."""
    for part in COMPONENTS:
        for side, marks in deal.marks[part].items():
            state.add(side, marks)
    if deal.game_won is not None:
        state.add(deal.game_won, GENERALE_BY_DEALS)
    left = (state.deals_left or 0) - 1
    state.deals_left = left
    if left > 0:
        return
    best = max(state.score.values())
    leaders = [side for side, marks in state.score.items() if marks == best]
    if len(leaders) == 1:
        state.winner, state.finished = leaders[0], True
        state.events.append(MatchEvent(number, leaders[0], "match"))
        return
    state.events.append(MatchEvent(number, None, "tie"))
    if game.options["tied_match"] == "EXTRA_DEALS":
        state.deals_left = EXTRA_DEALS if game.fixed_sides and game.players == 4 else game.players
    else:
        state.finished = True


def game_target(game: Game, games: Mapping[str, int]) -> int:
    """Return the target of the current game; the decider's if each side needs one more game."""
    target = game.options["target"]
    if isinstance(target, int):
        return target
    if not isinstance(target, Mapping) or "of" not in target:
        raise Illegal("target", "a match by deals has no target of marks", "options.target")
    wanted = int(target["games"])
    deciding = sum(1 for won in games.values() if won == wanted - 1) > 1
    return int(target["decider"] if deciding and "decider" in target else target["of"])


def _play_deal(game: Game, state: MatchScore, deal: MatchDeal, number: int) -> None:
    """Count a deal of a match to a target: the first component that reaches it ends the game."""
    goal = game_target(game, state.games)
    for part in COMPONENTS:
        for side, marks in deal.marks[part].items():
            state.add(side, marks)
        side_home = _first_home(state.score, goal)
        if side_home is not None:
            _win_game(game, state, side_home, number)
            return
    if deal.game_won is not None:
        state.add(deal.game_won, max(0, goal - state.score[deal.game_won]))
        _win_game(game, state, deal.game_won, number)


def _first_home(score: Mapping[str, int], goal: int) -> str | None:
    """Return the side that reached the goal, the higher one if several did.

    ``None`` (the game goes on) if no side reached it or the highest sides are level.
    """
    best = max(score.values())
    if best < goal:
        return None
    leaders = [side for side, marks in score.items() if marks == best]
    return leaders[0] if len(leaders) == 1 else None


def _win_game(game: Game, state: MatchScore, side: str, number: int) -> None:
    target = game.options["target"]
    state.games[side] += 1
    state.events.append(MatchEvent(number, side, "game"))
    wanted = int(target["games"]) if isinstance(target, Mapping) else 1
    if state.games[side] >= wanted:
        state.winner, state.finished = side, True
        state.events.append(MatchEvent(number, side, "match"))
        return
    for each in state.score:
        state.score[each] = 0
