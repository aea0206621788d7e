"""From the fields of an entry page to a deal's entry, and what the page needs of the rulebook.

Only the fields of the rulebook in force exist; everything that is typed is checked again by the
engine, whose refusal names the field to change.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from django.utils.translation import gettext as _

from .engine.errors import EngineError, Malformed
from .engine.rulebook import Game, resolve
from .engine.rulebook_edition import TrumpChoice
from .models import Sheet

SIDE_NAMES = {"NS": "N-S", "EW": "E-W"}


@dataclass(frozen=True, slots=True)
class EntryFields:
    """Which fields a deal of this sheet has."""

    declarer: bool
    trumps: list[str]
    doublings: list[tuple[int, str]]
    turn_up: bool
    levels: list[str]
    blind: bool
    total: int
    half: int
    tricks: bool
    seats: list[str] = field(default_factory=list)


def game_of(sheet: Sheet) -> Game:
    """The sheet's rulebook with its switches."""
    return resolve(sheet.rulebook, sheet.options)


def entry_fields(sheet: Sheet, language: str = "en") -> EntryFields:
    """The fields of one deal under the sheet's rulebook."""
    game = game_of(sheet)
    book = game.book
    most = game.max_doubling
    doublings = [(0, _("not doubled"))]
    allowed = book.calls if most is None else book.calls[:most]
    doublings.extend((call.count, call.name.to(language)) for call in allowed)
    return EntryFields(
        declarer=book.trump_choice is not TrumpChoice.TURN_UP,
        trumps=["S", "H", "D", "C"] + (["NT"] if book.no_trump else []),
        doublings=doublings if len(doublings) > 1 else [],
        turn_up=book.turn_up,
        levels=[str(level) for level in book.levels] + (["generale"] if book.levels else []),
        blind=game.flag("blind_trump_allowed"),
        total=game.total,
        half=game.half,
        tricks=game.options.get("sweep60") == 60 or sheet.depth == "tricks",
        seats=list(game.seats),
    )


def dealer_of(sheet: Sheet, number: int, last_dealer: str | None = None) -> str:
    """Who deals: the first dealer for deal 1, then the next player in the direction of play."""
    game = game_of(sheet)
    if last_dealer is not None:
        return game.next_player(last_dealer)
    dealer = sheet.first_dealer
    for _deal in range(number - 1):
        dealer = game.next_player(dealer)
    return dealer


def _number(posted: Any, name: str) -> int | None:
    text = str(posted.get(name, "")).strip()
    if not text:
        return None
    if not (text.isascii() and text.isdigit() and len(text) <= 3):
        raise Malformed("points", _("Enter the points as a whole number."), name)
    return int(text)


def read_entry(sheet: Sheet, posted: Any, dealer: str) -> dict[str, Any]:
    """The entry that the page's fields describe; :class:`Malformed` names what is missing."""
    fields = entry_fields(sheet)
    entry: dict[str, Any] = {"dealer": dealer}
    contract: dict[str, Any] = {}
    if fields.declarer:
        if posted.get("declarer") not in SIDE_NAMES:
            raise Malformed("declarer", _("Choose the side that chose trump."), "declarer")
        contract["declarer"] = posted["declarer"]
    trump = posted.get("trump", "")
    if trump not in fields.trumps:
        raise Malformed("trump", _("Choose the trump."), "trump")
    contract["trump"] = trump
    if fields.levels:
        level = posted.get("level", "")
        if level not in fields.levels:
            raise Malformed("level", _("Choose the contract."), "level")
        contract["level"] = level if level == "generale" else int(level)
    if fields.doublings:
        contract["doubling"] = _number(posted, "doubling") or 0
    if fields.blind and posted.get("blind"):
        contract["blind"] = True
    entry["contract"] = contract
    if fields.turn_up:
        rank = posted.get("turn_up", "")
        if rank:
            entry["turn_up"] = (
                rank + trump if rank in ["10", "A", "K", "Q", "J", "9", "8", "7"] else rank
            )
    side = posted.get("side", "NS")
    if side not in SIDE_NAMES:
        raise Malformed("side", _("Choose whose points you enter."), "side")
    points = _number(posted, "points")
    if points is None and contract.get("level") != "generale":
        raise Malformed("points", _("Enter the points of one side."), "points")
    if points is not None:
        entry["points"] = {side: points}
    tricks = _number(posted, "tricks")
    if tricks is not None:
        other = "EW" if side == "NS" else "NS"
        entry["tricks"] = {side: tricks, other: 8 - tricks}
    return entry


def refusal_text(error: EngineError, language: str) -> str:
    """The engine's refusal as a sentence in the reader's language."""
    from .engine.speech import explain

    return explain(error, language)
