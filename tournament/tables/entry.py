"""From the fields of an entry page to a deal's entry and back, for every rulebook and depth.

Only the fields of the rulebook in force exist (rules specification A.1 to A.3, A.8); everything
that is typed is checked again by the engine, whose refusal names the field to change. Who dealt,
and in the games where the dealer's side always chooses trump also the declarer, follow from the
deal before and need not be typed.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from django.utils.translation import get_language
from django.utils.translation import gettext as _

from scoring.engine.bounds import table as bounds_table
from scoring.engine.cards import SUITS, cards_of, format_card
from scoring.engine.errors import EngineError, Malformed
from scoring.engine.letters import letters_of
from scoring.engine.rulebook import Game
from scoring.engine.rulebook_edition import Leader, Sides, TrumpChoice
from scoring.engine.score_contract import ALL_TRICKS, GENERALE
from scoring.engine.shapes import ContractJson, EntryJson, RecordJson, TrickRow
from scoring.engine.speech import explain, side_name
from tournament.models.tables import Depth, Sheet

from .rules import game_of

Posted = Mapping[str, object]
"""The fields of a form as they were sent."""
PLAYED = (
    "declarer",
    "level",
    "bid",
    "all_tricks",
    "trump",
    "turn_up",
    "blind",
    "exchanged",
    "points",
    "tricks",
    "plays",
)
"""Fields that are empty in a fresh form and describe a deal that was played."""
MOST_TAPS = 6
"""Taps that the page offers where there is no limit (Q-004-3)."""
TURN_UPS = ("10", "A", "K", "Q", "J")
"""Ranks whose turn-up is worth a bonus; the others are one choice, ``-``."""


@dataclass(frozen=True, slots=True)
class EntryFields:
    """Which fields a deal of this sheet has."""

    depth: str
    declarers: list[str]
    trumps: list[str]
    no_trump_factor: int
    doublings: list[tuple[int, str]]
    turn_up: bool
    levels: list[tuple[str, int]]
    bids: tuple[int, int] | None
    exchange: int
    exchange_asked: bool
    blind: bool
    passes: bool
    leader: bool
    total: int
    half: int
    exact: bool
    tricks: bool
    trick_count: int
    sides: list[str]
    seats: list[str] = field(default_factory=list)
    bounds: str = ""
    cards: list[str] = field(default_factory=list)
    trick_point: bool = True


def depths_of(sheet: Sheet) -> list[str]:
    """The depths at which a deal of this sheet can be entered; the blind game hides its cards."""
    return [depth.value for depth in Depth]


def _doublings(game: Game, language: str) -> list[tuple[int, str]]:
    most = game.max_doubling
    calls = list(game.book.calls if most is None else game.book.calls[:most])
    if not calls:
        return []
    titles = [(call.count, call.title.render(language)) for call in calls]
    named = [(0, _("no %(call)s") % {"call": titles[0][1]}), *titles]
    if most is None:
        named += [
            (count, f"{titles[0][1]} ×{count}") for count in range(len(calls) + 1, MOST_TAPS + 1)
        ]
    return named


def entry_fields(sheet: Sheet, language: str = "en", depth: str = "") -> EntryFields:
    """The fields of one deal under the sheet's rulebook, at ``depth`` (the sheet's own if empty)."""
    game = game_of(sheet)
    book = game.book
    depth = depth or sheet.depth
    alone = book.sides is Sides.DECLARER_ALONE
    pairs = book.sides is Sides.PAIRS
    auction = book.trump_choice is TrumpChoice.AUCTION
    chosen_by_dealer = book.trump_choice in (TrumpChoice.DEALER, TrumpChoice.DEALER_OR_PARTNER)
    declarers: list[str] = []
    if alone:
        declarers = list(game.seats)
    elif pairs and book.trump_choice is not TrumpChoice.TURN_UP and not chosen_by_dealer:
        declarers = list(game.sides)
    bids = game.key in ("auction-2", "auction-3")
    return EntryFields(
        depth=depth,
        declarers=declarers,
        trumps=[*SUITS] + (["NT"] if book.no_trump else []),
        no_trump_factor=book.no_trump_factor,
        doublings=_doublings(game, language),
        turn_up=book.turn_up,
        levels=[(str(level), factor) for level, factor in book.levels.items()]
        + ([(GENERALE, 1)] if book.levels else []),
        bids=(game.number("minimum_bid"), game.total) if bids else None,
        exchange=game.widow_size if game.key == "auction-1" else 0,
        exchange_asked=game.flag("double_no_exchange"),
        blind=game.flag("blind_trump_allowed"),
        passes=auction or alone,
        leader=depth == Depth.CARDS and book.leader is not Leader.AFTER_DEALER and not alone,
        total=game.total,
        half=game.half,
        exact=game.total_is_exact,
        tricks=depth == Depth.TRICKS or (depth == Depth.POINTS and _tricks_matter(game)),
        trick_count=game.tricks,
        sides=list(game.sides) if pairs else [],
        seats=list(game.seats),
        bounds=json.dumps({t: [low, high] for t, low, high in bounds_table(game)}),
        cards=[format_card(card) for card in cards_of(game.deck_mask)],
        trick_point=game.trick_point,
    )


def _tricks_matter(game: Game) -> bool:
    """Whether a result can depend on the tricks: a sweep bonus, a générale, a bid for all."""
    return (
        game.options.get("sweep60") == 60
        or bool(game.book.levels)
        or game.key in ("auction-2", "auction-3")
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


def two_sides(game: Game, dealer: str, declarer: str) -> tuple[str, str]:
    """The two sides of a deal by seats: the pairs, or who stands alone and all the others."""
    if game.book.sides is Sides.PAIRS:
        return game.sides[0], game.sides[1]
    one = dealer if game.book.sides is Sides.DEALER_ALONE else declarer
    return one, "".join(seat for seat in game.seats if seat != one)


def _number(posted: Posted, name: str) -> int | None:
    text = str(posted.get(name, "")).strip()
    if not text:
        return None
    if not (text.isascii() and text.isdigit() and len(text) <= 3):
        raise Malformed("points", _("Enter a whole number."), name)
    return int(text)


def _choice(posted: Posted, name: str, allowed: list[str], field_name: str) -> str:
    value = str(posted.get(name, ""))
    if value not in allowed:
        raise Malformed(name, field_name, name)
    return value


def describes_play(posted: Posted) -> bool:
    """Whether a form says anything of a deal that was played, and not only who dealt."""
    tricks = (name for name in posted if name.startswith("trick_"))
    named = any(str(posted.get(name, "")).strip() for name in (*PLAYED, *tricks))
    return named or str(posted.get("doubling", "")) not in ("", "0")


def read_entry(sheet: Sheet, posted: Posted, dealer: str, depth: str = "") -> EntryJson:
    """The entry that the page's fields describe; :class:`Malformed` names what is missing."""
    game = game_of(sheet)
    fields = entry_fields(sheet, depth=depth or str(posted.get("depth", "")))
    if fields.depth not in Depth.values:
        raise Malformed("depth", _("No such level of detail."), "depth")
    chosen = str(posted.get("dealer") or dealer)
    if chosen not in fields.seats:
        raise Malformed("dealer", _("Choose who dealt."), "dealer")
    if posted.get("passed") and fields.passes:
        return {"dealer": chosen, "annulled": True}
    contract = _contract(game, fields, posted, chosen)
    entry: EntryJson = {"dealer": chosen, "contract": contract}
    if fields.turn_up:
        rank = _choice(posted, "turn_up", [*TURN_UPS, "-"], _("Choose the card turned up."))
        if rank != "-":
            entry["turn_up"] = rank + contract["trump"]
    if fields.depth == Depth.CARDS:
        entry["record"] = _record(game, fields, posted, chosen, contract)
    elif fields.depth == Depth.LIST:
        entry["trick_list"] = _trick_list(game, fields, posted, chosen, contract)
    else:
        _counts(game, fields, posted, entry)
    return entry


def _contract(game: Game, fields: EntryFields, posted: Posted, dealer: str) -> ContractJson:
    contract: ContractJson = {}
    if fields.declarers:
        contract["declarer"] = _choice(
            posted,
            "declarer",
            fields.declarers,
            _("Choose who named trump.") if not fields.bids else _("Choose the declarer."),
        )
    elif game.book.sides is Sides.PAIRS and game.book.trump_choice is not TrumpChoice.TURN_UP:
        contract["declarer"] = next(side for side in game.sides if dealer in side)
    contract["trump"] = _choice(posted, "trump", fields.trumps, _("Choose the trump."))
    if fields.levels:
        level = _choice(
            posted, "level", [name for name, _f in fields.levels], _("Choose the contract.")
        )
        contract["level"] = level if level == GENERALE else int(level)
    if fields.bids:
        if posted.get("all_tricks"):
            contract["level"] = ALL_TRICKS
        else:
            bid = _number(posted, "bid")
            if bid is None:
                raise Malformed("level", _("Enter the bid."), "bid")
            contract["level"] = bid
    if fields.exchange:
        exchanged = _number(posted, "exchanged")
        if exchanged is None:
            raise Malformed("exchanged", _("Choose how many cards were exchanged."), "exchanged")
        contract["exchanged"] = exchanged
    if fields.exchange_asked:
        answer = _choice(posted, "exchanged", ["1", "0"], _("Choose whether cards were exchanged."))
        contract["exchanged"] = answer == "1"
    if fields.doublings:
        contract["doubling"] = _number(posted, "doubling") or 0
    if fields.blind and posted.get("blind"):
        contract["blind"] = True
    return contract


def _counts(game: Game, fields: EntryFields, posted: Posted, entry: EntryJson) -> None:
    """Points and tricks of the side that was counted; the other side's by difference."""
    contract = entry["contract"]
    pair = two_sides(game, entry["dealer"], contract.get("declarer", ""))
    wanted = str(posted.get("side") or pair[0])
    if fields.exact:
        named = {"declarer": pair[0], "others": pair[1]}
        wanted = named.get(wanted, wanted)
        if wanted not in pair:
            raise Malformed("side", _("Choose whose points you enter."), "side")
    else:
        wanted = pair[0]
    points, tricks = _number(posted, "points"), _number(posted, "tricks")
    generale = contract.get("level") == GENERALE
    if points is None and not (generale and tricks is not None):
        raise Malformed("points", _("Enter the points of one side."), "points")
    if points is not None:
        entry["points"] = {wanted: points}
    needed = fields.depth == Depth.TRICKS or generale or contract.get("level") == ALL_TRICKS
    if tricks is None and needed:
        raise Malformed("tricks", _("Enter the tricks of that side."), "tricks")
    if tricks is not None:
        entry["tricks"] = {wanted: tricks}


def _trick_list(
    game: Game,
    fields: EntryFields,
    posted: Posted,
    dealer: str,
    contract: ContractJson,
) -> list[TrickRow]:
    pair = two_sides(game, dealer, contract.get("declarer", ""))
    named = {"declarer": pair[0], "others": pair[1], pair[0]: pair[0], pair[1]: pair[1]}
    rows: list[TrickRow] = []
    for n in range(1, fields.trick_count + 1):
        winner = named.get(str(posted.get(f"trick_{n}_side", "")))
        points = _number(posted, f"trick_{n}_points")
        if winner is None:
            raise Malformed(
                "trick", _("Trick %(n)d: choose who won it.") % {"n": n}, f"trick_{n}_side"
            )
        if points is None:
            raise Malformed(
                "trick", _("Trick %(n)d: enter its points.") % {"n": n}, f"trick_{n}_points"
            )
        rows.append({"winner": winner, "points": points})
    return rows


def _record(
    game: Game,
    fields: EntryFields,
    posted: Posted,
    dealer: str,
    contract: ContractJson,
) -> RecordJson:
    words = str(posted.get("plays", "")).replace(",", " ").replace("\ufe0e", "").upper().split()
    wanted = fields.trick_count * len(fields.seats)
    if len(words) != wanted:
        raise Malformed(
            "plays",
            _("Cards entered: %(have)d of %(want)d.") % {"have": len(words), "want": wanted},
            "plays",
        )
    return {
        "trump": contract["trump"],
        "leader": leader_of(game, posted, dealer, contract),
        "plays": [_card(word) for word in words],
    }


def _card(word: str) -> str:
    """The engine's name of a card: as it calls it itself, or a rank of the reader's with a suit sign."""
    return letters_of((get_language() or "en")[:2]).card(word) if word[-1] in "♠♥♦♣" else word


def leader_of(game: Game, posted: Posted, dealer: str, contract: ContractJson) -> str:
    """Who leads to trick 1: as typed, else as the rulebook says (A.1).

    Where trump was named blind "the dealer gets to lead the first trick" (004).
    """
    typed = str(posted.get("leader", ""))
    if typed in game.seats:
        return typed
    if (
        game.book.leader is Leader.ELDEST_OR_ALL_TRICKS
        and contract.get("level") == ALL_TRICKS
        and contract.get("declarer") in game.seats
    ):
        return str(contract["declarer"])
    return dealer if contract.get("blind") else game.next_player(dealer)


def typed_of(entry: EntryJson) -> dict[str, str]:
    """The page's fields as they must have been typed for ``entry``: to correct it."""
    contract = entry.get("contract") or {}
    typed = {"dealer": entry.get("dealer", "")}
    for name in ("declarer", "trump", "doubling"):
        if name in contract:
            typed[name] = str(contract[name])
    level = contract.get("level")
    if level is not None:
        typed["level"] = str(level)
        typed["all_tricks" if level == ALL_TRICKS else "bid"] = str(level)
    if "exchanged" in contract:
        typed["exchanged"] = str(int(contract["exchanged"]))
    if contract.get("blind"):
        typed["blind"] = "1"
    turn_up = str(entry.get("turn_up", ""))
    typed["turn_up"] = turn_up[:-1] if turn_up[:-1] in TURN_UPS else "-"
    points, tricks = entry.get("points") or {}, entry.get("tricks") or {}
    side = next(iter(points or tricks), None)
    if side is not None:
        typed["side"] = side
        for name, numbers in (("points", points), ("tricks", tricks)):
            if side in numbers:
                typed[name] = str(numbers[side])
    for n, row in enumerate(entry.get("trick_list") or [], start=1):
        typed[f"trick_{n}_side"], typed[f"trick_{n}_points"] = row["winner"], str(row["points"])
    record = entry.get("record") or {}
    if record:
        typed["plays"], typed["leader"] = " ".join(record["plays"]), record.get("leader", "")
    typed["depth"] = depth_of(entry)
    return typed


def depth_of(entry: EntryJson) -> str:
    """The depth at which a deal was entered."""
    if "record" in entry:
        return Depth.CARDS.value
    if "trick_list" in entry:
        return Depth.LIST.value
    return (Depth.TRICKS if "tricks" in entry else Depth.POINTS).value


def refusal_text(
    error: EngineError, language: str, call: Callable[[str], str] | None = None
) -> str:
    """The engine's refusal as a sentence in the reader's language; ``call`` names a side."""
    text = explain(error, language, call)
    return text[:1].upper() + text[1:]


def name_of_side(side: str, language: str) -> str:
    """A side as people say it: ``N-S``, ``N-Z``; a seat as it is."""
    return side_name(side, language)


__all__ = ["EntryFields", "dealer_of", "entry_fields", "game_of", "read_entry"]
