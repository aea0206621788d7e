"""From the fields of an entry page to a deal's entry and back, for every rulebook and depth.

Only the fields of the rulebook in force exist (rules specification A.1 to A.3, A.8); the engine
checks all typed values again, and its refusal names the field to change. The dealer, and in the
games where the dealer's side always chooses trump also the declarer, follow from the deal before
and need not be typed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final, cast

from django.utils.translation import get_language
from django.utils.translation import gettext as _

from scoring.engine.entry_fields import (
    NO_BONUS,
    NOT_PLAYED,
    EntryField,
    FieldKind,
    entry_fields,
)
from scoring.engine.errors import EngineError, Malformed
from scoring.engine.letters import letters_of
from scoring.engine.rulebook import Game
from scoring.engine.rulebook_edition import Leader, Sides, TrumpChoice
from scoring.engine.score_contract import ALL_TRICKS, GENERALE
from scoring.engine.shapes import ContractJson, EntryJson, RecordJson, TrickRow
from scoring.engine.speech import explain, side_name
from tournament.models.tables import Depth

from .score_sheet import SAME_DEALER, ScoreSheet

Posted = Mapping[str, object]
"""The fields of a form as they were sent."""

MAY_DIFFER: Final = frozenset(
    {
        "csrfmiddlewaretoken",
        "key",
        "sure",
        "version",
        "played",
        "typed_at",  # sent by phones of release 1.0.0, and not read
        "typed_ago",
        "number",
        "typed_number",
    }
)
"""Fields that may differ when the same entry is sent again."""


@dataclass(frozen=True, slots=True)
class FormEntry:
    """A deal as a form sent it, to be read (:func:`read_entry`) once it is known who deals."""

    posted: Posted


def two_sides(game: Game, dealer: str, declarer: str) -> tuple[str, str]:
    """Return the two sides of a deal by seats: the pairs, or the lone player and all the others."""
    if game.in_pairs:
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


def describes_play(game: Game, posted: Posted) -> bool:
    """Return whether a form describes a deal that was played, and not only its dealer."""
    names = {each.name for each in entry_fields(game, Depth.TRICKS)} - {*NOT_PLAYED, "doubling"}
    tricks = {name for name in posted if name.startswith("trick_")}
    named = any(str(posted.get(name, "")).strip() for name in {*names, *tricks, "plays"})
    return named or str(posted.get("doubling", "")) not in ("", "0")


def read_entry(sheet: ScoreSheet, posted: Posted, dealer: str, depth: str = "") -> EntryJson:
    """Return the entry that the page's fields describe, at the depth posted or else the sheet's own.

    Raises :class:`Malformed` naming what is missing.
    """
    game = sheet.game
    depth = depth or str(posted.get("depth") or sheet.row.depth)
    if depth not in Depth.values:
        raise Malformed("depth", _("No such level of detail."), "depth")
    fields = {each.name: each for each in entry_fields(game, depth)}
    chosen = str(_read(fields["dealer"], {"dealer": posted.get("dealer") or dealer}))
    if posted.get("unplayed"):  # recorded by mistake: nothing was dealt
        return {"dealer": chosen, "annulled": SAME_DEALER}
    if posted.get("passed") and "passed" in fields:
        return {"dealer": chosen, "annulled": True}
    given: dict[str, object] = {}
    if game.in_pairs and game.book.trump_choice is not TrumpChoice.TURN_UP:
        # Only the dealer's side can name trump here.
        given["declarer"] = next(side for side in game.sides if chosen in side)
    instead = {
        each.beside: each for each in fields.values() if each.beside and posted.get(each.name)
    }
    for each in fields.values():
        if each.part in ContractJson.__annotations__ and not each.beside:
            value = _read(instead.get(each.name, each), posted)
            given |= {} if value is None else {each.part: value}
    contract = cast(ContractJson, given)
    entry: EntryJson = {"dealer": chosen, "contract": contract}
    if "turn_up" in fields and (rank := _read(fields["turn_up"], posted)) != NO_BONUS:
        entry["turn_up"] = f"{rank}{contract['trump']}"
    if depth == Depth.CARDS:
        entry["record"] = _record(game, posted, chosen, contract)
    elif depth == Depth.LIST:
        entry["trick_list"] = _trick_list(game, posted, chosen, contract)
    else:
        _counts(game, depth, posted, entry)
    return entry


def _read(field: EntryField, posted: Posted) -> object:
    """Return what a field was filled with; ``None`` where it is not ticked."""
    typed = str(posted.get(field.name) or field.default).strip()
    if field.kind is FieldKind.YES:
        return field.value(typed) if typed else None
    if field.kind is FieldKind.NUMBER:
        number = _number({field.name: typed}, field.name)
        if number is not None:
            return number
    elif typed in field.codes:
        return field.value(typed)
    missing = field.missing.render(get_language() or "en") if field.missing else ""
    raise Malformed(field.part or field.name, missing, field.name)


def _counts(game: Game, depth: str, posted: Posted, entry: EntryJson) -> None:
    """Return points and tricks of the counted side; the other side's by difference."""
    contract = entry["contract"]
    pair = two_sides(game, entry["dealer"], contract.get("declarer", ""))
    wanted = str(posted.get("side") or pair[0])
    if game.total_is_exact:
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
    needed = depth == Depth.TRICKS or generale or contract.get("level") == ALL_TRICKS
    if tricks is None and needed:
        raise Malformed("tricks", _("Enter the tricks of that side."), "tricks")
    if tricks is not None:
        entry["tricks"] = {wanted: tricks}


def _trick_list(
    game: Game,
    posted: Posted,
    dealer: str,
    contract: ContractJson,
) -> list[TrickRow]:
    pair = two_sides(game, dealer, contract.get("declarer", ""))
    named = {"declarer": pair[0], "others": pair[1], pair[0]: pair[0], pair[1]: pair[1]}
    rows: list[TrickRow] = []
    for n in range(1, game.tricks + 1):
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
    posted: Posted,
    dealer: str,
    contract: ContractJson,
) -> RecordJson:
    words = str(posted.get("plays", "")).replace(",", " ").replace("\ufe0e", "").upper().split()
    wanted = game.tricks * len(game.seats)
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
    """Return the engine's name of a card: its own, or a rank of the reader's with a suit sign."""
    return letters_of((get_language() or "en")[:2]).card(word) if word[-1] in "♠♥♦♣" else word


def leader_of(game: Game, posted: Posted, dealer: str, contract: ContractJson) -> str:
    """Return the player who leads to trick 1: as typed, else by the rulebook (A.1).

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


def typed_of(game: Game, entry: EntryJson) -> dict[str, str]:
    """Return the page's fields as typed for ``entry``, to correct it."""
    contract = entry.get("contract") or {}
    typed = {"dealer": entry.get("dealer", "")}
    values = {**contract, "turn_up": str(entry.get("turn_up", ""))[:-1] or NO_BONUS}
    for field in entry_fields(game, ""):
        if field.part in values and (text := field.typed(values[field.part])):
            typed[field.name] = text
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
    """Return the depth at which a deal was entered."""
    if "record" in entry:
        return Depth.CARDS.value
    if "trick_list" in entry:
        return Depth.LIST.value
    return (Depth.TRICKS if "tricks" in entry else Depth.POINTS).value


def refusal_text(
    error: EngineError, language: str, call: Callable[[str], str] | None = None
) -> str:
    """Return the engine's refusal as a sentence in the reader's language; ``call`` names a side."""
    text = explain(error, language, call)
    return text[:1].upper() + text[1:]


def name_of_side(side: str, language: str) -> str:
    """Return the common name of a side: ``N-S``, ``N-Z``; a seat is unchanged."""
    return side_name(side, language)
