"""Marks of one deal: reads the entry, weighs the infractions, applies the clauses (interface ``score``).

The pieces: :mod:`~scoring.engine.score_entry` (points and tricks), ``score_contract`` (contract
and factors), ``score_infractions`` (penalties) and ``score_clauses`` (one function a clause). Time
order within a deal is turn-up, penalty, result (Q-GEN-6).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from .articles import Amount
from .cards import VALUES, format_card, parse_card
from .errors import Malformed
from .reading import Payload, wrong
from .rulebook import Game
from .rulebook_edition import Bids, Sides
from .score_clauses import (
    ScoreLine,
    bid_result,
    contract_result,
    floor,
    generale,
    marks_by_component,
    over_half,
    penalty,
    stake,
    turn_up,
    void_hand,
)
from .score_contract import ALL_TRICKS, GENERALE, Contract, read_contract, without_call
from .score_entry import Entry, read_entry
from .score_infractions import Infraction, Judgement, judge, read_infractions
from .seating import read_game
from .shapes import LineJson, ScoreJson
from .speech import reason

__all__ = ["DealScore", "ScoreLine", "line_json", "score_call", "score_deal", "score_input"]

TIES: Final = ("deal_tied", "contract_tied")


@dataclass(frozen=True, slots=True)
class DealScore:
    """Marks that a deal gives each side, with the clauses behind them.

    ``marks`` by side (players in the auctions; for a side of several players: the marks of each
    of them). ``void``: the result is a tie, or there is no result (redeal). ``game_won``: the side
    to which a générale gives the whole game. ``redeal``: ``same_dealer``, ``next_dealer``, ``None``.
    """

    game: Game
    marks: dict[str, int]
    void: bool
    game_won: str | None
    lines: tuple[ScoreLine, ...]
    entry: Entry
    redeal: str | None = None

    def as_json(self) -> ScoreJson:
        """Return the output of ``score``."""
        match: dict[str, object] = dict(marks_by_component(self.lines))
        if self.game_won is not None:
            match["game_won"] = self.game_won
        return {
            "marks": self.marks,
            "void": self.void,
            "game_won": self.game_won,
            "lines": [line_json(line) for line in self.lines],
            "points": dict(self.entry.points),
            "tricks": dict(self.entry.tricks),
            "redeal": self.redeal,
            "match": match,
        }


def line_json(line: ScoreLine) -> LineJson:
    """Return a line as ``score`` answers it and a sheet keeps it."""
    return {
        "clause": line.clause,
        "side": line.side,
        "marks": line.marks,
        "text": reason(line, "en"),
        "params": dict(line.params),
        "component": line.component,
    }


def score_call(payload: Payload) -> ScoreJson:
    """Answer the ``score`` call: one object in, one out."""
    return score_input(payload).as_json()


def score_input(payload: Payload) -> DealScore:
    """Return the marks of the input of ``score``: an entry with its rulebook and infractions."""
    return score_deal(read_game(payload), payload, payload.get("infractions"))


def score_deal(game: Game, entry: Payload, infractions: object = None) -> DealScore:
    """Return the marks of a deal of ``game``.

    Args:
        game: the rulebook in force.
        entry: what was written of the deal: the input of the interface's ``score``.
        infractions: those of the deal, as in that input.

    Raises:
        Malformed, Illegal, Impossible: as the readers say; ``missing_key`` where the result depends
            on something left out.
    """
    judgement = judge(game, read_infractions(game, infractions))
    contract = read_contract(
        game,
        entry.get("contract"),
        needed=judgement.needs_result or _pays_stake(game, judgement),
        null_calls=judgement.null_calls,
    )
    contract = _in_force(contract, judgement)
    counts = read_entry(game, entry, contract.declarer if contract else None)
    result = _result(game, counts, contract) if judgement.needs_result else []
    tied = any(line.clause in TIES for line in result)
    played = _as_played(game, entry, counts, judgement) if judgement.floored else []
    lines = [
        *_turn_up_lines(game, entry, judgement, tied=tied),
        *_infraction_lines(game, judgement, contract, played),
        *result,
    ]
    marks = dict.fromkeys(game.sides, 0)
    for line in lines:
        if line.side is not None:
            marks[line.side] += line.marks
    return DealScore(
        game=game,
        marks=marks,
        void=tied or judgement.redeal is not None,
        game_won=_game_won(lines),
        lines=tuple(lines),
        entry=counts,
        redeal=judgement.redeal,
    )


def _pays_stake(game: Game, judgement: Judgement) -> bool:
    """Whether a penalty of an auction game is the failed contract itself (B.3, R)."""
    return bool(judgement.penalties) and any(
        _pays_as_failed(game, each) for each in judgement.penalties.values()
    )


def _pays_as_failed(game: Game, infraction: Infraction) -> bool:
    return (
        game.book.sides is Sides.DECLARER_ALONE
        and infraction.value is None
        and infraction.article.amount is Amount.PENALTY
        and infraction.article.id.startswith("BE-")
    )


def _result(game: Game, entry: Entry, contract: Contract | None) -> list[ScoreLine]:
    """Return the lines of the result itself, by the applicable clause of rulebook and contract."""
    if contract is not None and contract.level == GENERALE:
        return generale(game, entry, contract)
    by_tricks = contract is not None and contract.level == ALL_TRICKS and bool(entry.tricks)
    if not entry.points and not by_tricks:
        raise Malformed("missing_key", "'points' is missing", "points")
    if game.book.bids is Bids.POINTS and contract is not None:
        return bid_result(game, entry, contract)
    if contract is not None and game.book.sides is Sides.DECLARER_ALONE:
        if contract.declarer not in entry.points:
            raise Malformed(
                "missing_key", "the declarer's points are missing", f"points.{contract.declarer}"
            )
        return stake(game, entry, contract)
    if contract is not None and game.book.levels:
        return contract_result(game, entry, contract)
    return over_half(game, entry, contract)


def _in_force(contract: Contract | None, judgement: Judgement) -> Contract | None:
    """Return the contract without the calls annulled by a ruling (004-B1, 003-C1, 002-A1)."""
    if contract is None:
        return None
    if judgement.blind_cancelled:
        contract = replace(contract, blind=False)
    for side in judgement.null_calls:
        contract = without_call(contract, side)
    return contract


def _as_played(game: Game, payload: Payload, entry: Entry, judgement: Judgement) -> list[ScoreLine]:
    """Return the lines of the deal before a penalty replaced it; empty if points or contract are missing.

    Points and contract may be left out where a penalty replaces the deal (interface ``score``).
    """
    try:
        contract = read_contract(
            game, payload.get("contract"), needed=True, null_calls=judgement.null_calls
        )
        return _result(game, entry, _in_force(contract, judgement))
    except Malformed as error:
        if error.code != "missing_key":
            raise
        return []


def _game_won(lines: list[ScoreLine]) -> str | None:
    """Return the side that wins the game by a générale: made, failed, or upheld next to a penalty."""
    return next((line.side for line in lines if line.params.get("value") == "GAME"), None)


def _turn_up_lines(
    game: Game, payload: Payload, judgement: Judgement, *, tied: bool
) -> list[ScoreLine]:
    if not game.book.turn_up or payload.get("turn_up") is None:
        return []
    card = parse_card(payload["turn_up"], "turn_up")
    dealer = payload.get("dealer")
    if VALUES[card] == 0:
        return []
    if dealer is None:
        raise Malformed(
            "missing_key",
            f"'dealer' is missing: {format_card(card)} turned up gives the dealer's side marks",
            "dealer",
        )
    if not isinstance(dealer, str):
        raise wrong("dealer", "a seat", dealer)
    if dealer not in game.seats:
        raise Malformed(
            "seat",
            f"{dealer!r} is not a seat: {', '.join(game.seats)}",
            "dealer",
            {"seat": repr(dealer), "allowed": list(game.seats)},
        )
    cancelled = None
    if judgement.bonus_cancelled:
        cancelled = "no_valid_deal"
    elif tied and game.options.get("bonus_survives_tie") is False:
        cancelled = "tie"
    return [turn_up(game, card, game.side_of(dealer), cancelled=cancelled)]


def _infraction_lines(
    game: Game, judgement: Judgement, contract: Contract | None, played: list[ScoreLine]
) -> list[ScoreLine]:
    ruled: list[ScoreLine] = []
    for infraction in judgement.penalties.values():
        if _pays_as_failed(game, infraction) and contract is not None:
            ruled += void_hand(game, infraction, contract)
        else:
            ruled += penalty(game, infraction, contract)
    declarer = contract.declarer if contract is not None else None
    lines = floor(game, judgement.penalties, ruled, played, declarer)
    for infraction in judgement.conduct:
        lines += penalty(game, infraction, contract)
    if judgement.mutual:
        lines.append(ScoreLine("penalties_cancel", None, 0, {}, "penalty"))
    lines += [
        ScoreLine(
            "call_cancelled" if each.article.null_call and not each.penal else "infraction_noted",
            each.side or None,
            0,
            {"article": each.article.id, "offender": each.side},
            "penalty",
        )
        for each in judgement.notes
    ]
    if judgement.redeal:
        lines.append(ScoreLine("redeal", None, 0, {"dealer": judgement.redeal}, "penalty"))
    return lines
