"""The sheet's questions to the engine: what a deal is worth, and where the match stands.

An *entry* is what a person typed for one deal: the ``score`` input of the engine's contract
without rulebook, options and infractions (those belong to the sheet and to rulings). An entry
card by card carries ``record`` (trump, leader, plays, perhaps hands) and is replayed first.
Entries, marks and lines name the seats of the sheet; :mod:`~scoring.places` translates.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Protocol

from .engine.calls import answer
from .engine.cards import cards_of, format_card
from .engine.errors import EngineError, Illegal, Malformed
from .engine.options import options_of_edition
from .engine.rulebook import Game, resolve
from .engine.rulebook_edition import Sides
from .engine.score_clauses import ScoreLine
from .engine.speech import reason, speak
from .models import DealVersion, Sheet
from .places import Places

ENTRY_KEYS = frozenset(
    {"dealer", "contract", "turn_up", "points", "tricks", "trick_list", "record", "annulled"}
)
SAME_DEALER = "same_dealer"
"""``annulled`` is true where the deal passes on, this where its dealer deals again."""
RECORD_KEYS = frozenset({"trump", "leader", "plays", "hands", "orders", "reserve"})


@dataclass(frozen=True, slots=True)
class Scored:
    """What the engine made of an entry."""

    marks: dict[str, int]
    lines: list[dict[str, Any]]
    void: bool
    game_won: str | None
    points: dict[str, int] = field(default_factory=dict)
    tricks_won: dict[str, int] = field(default_factory=dict)
    violations: list[dict[str, Any]] = field(default_factory=list)
    tricks: list[dict[str, Any]] = field(default_factory=list)


class Opened(Protocol):
    """An event or a sheet: what is played there, under the edition it was opened with."""

    edition: str
    options: dict[str, Any]


def options_of(opened: Opened) -> dict[str, Any]:
    """The switches in force: those set, and the defaults of the edition where they have changed."""
    return options_of_edition(opened.edition, opened.options)


def game_of(sheet: Sheet) -> Game:
    """The sheet's rulebook with its switches."""
    return resolve(sheet.rulebook, options_of(sheet))


def sides_of(sheet: Sheet) -> tuple[str, ...]:
    """Who keeps a score on the sheet: the two pairs, or every seat."""
    game = game_of(sheet)
    return game.sides if game.book.sides is Sides.PAIRS else game.seats


def by_player(sheet: Sheet) -> bool:
    """Whether everybody at the table keeps their own score: it is not two pairs."""
    return game_of(sheet).book.sides is not Sides.PAIRS


def places_of(sheet: Sheet, entry: dict[str, Any]) -> Places:
    """The seats of the deal that ``entry`` describes."""
    game = game_of(sheet)
    dealer = entry.get("dealer", "")
    if game.book.sides is not Sides.PAIRS and dealer not in game.seats:
        raise Malformed("dealer", f"say who dealt: {', '.join(game.seats)}", "dealer")
    return Places(game, dealer)


def replay_record(
    sheet: Sheet, entry: dict[str, Any], *, partial: bool = False
) -> tuple[dict[str, Any], Places]:
    """Replay the cards of an entry: the engine's answer, players named as the engine does."""
    record = entry["record"]
    if not isinstance(record, dict) or set(record) - RECORD_KEYS:
        raise Malformed(
            "unknown_key", "record has keys that a record of play does not have", "record"
        )
    places = places_of(sheet, entry)
    game = places.game
    asked = places.record_to_engine(record)
    contract = entry.get("contract") or {}
    if places.pairs:
        asked.setdefault("dealer", entry.get("dealer"))
        asked.setdefault("contract", contract)
    if not places.pairs and isinstance(contract, dict) and contract.get("declarer"):
        asked["declarer"] = places.side_to_engine(contract["declarer"])
    if game.widow_size and "reserve" not in asked and not partial:
        played = set(asked.get("plays") or [])
        asked["reserve"] = [
            card for card in map(format_card, cards_of(game.deck_mask)) if card not in played
        ]
    return (
        _asked(places, "replay", {"rulebook": sheet.rulebook, "options": options_of(sheet),
                                  "partial": partial, **asked}),
        places,
    )  # fmt: skip


def _asked(places: Places, call: str, payload: dict[str, Any]) -> dict[str, Any]:
    """The engine's answer; its refusal names the seats of the sheet."""
    try:
        return answer(call, payload)
    except EngineError as error:
        raise places.refusal(error) from error


def _from_record(sheet: Sheet, entry: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Replay the cards; the entry with points and tricks taken from them, and the replay."""
    replay, places = replay_record(sheet, entry)
    filled = {key: value for key, value in entry.items() if key != "record"}
    filled["points"] = {places.side_to_seats(s): n for s, n in replay["points"].items()}
    filled["tricks"] = {places.side_to_seats(s): n for s, n in replay["tricks_won"].items()}
    for violation in replay["violations"]:
        violation["seat"] = places.seat(violation["seat"])
    return filled, replay


def _infraction(places: Places, infraction: dict[str, Any]) -> dict[str, Any]:
    if "side" not in infraction:
        return infraction
    return {**infraction, "side": places.side_to_engine(infraction["side"])}


def score_entry(
    sheet: Sheet,
    entry: dict[str, Any],
    infractions: list[dict[str, Any]] | None = None,
    *,
    conduct_weighed: bool = False,
    **switches: object,
) -> Scored:
    """Score one deal of ``sheet``; engine errors say what to change.

    ``conduct_weighed``: as release 0.2.0 judged, for a replay. ``switches`` stand in place of the
    sheet's own: what the deal would be worth under them.
    """
    unknown = set(entry) - ENTRY_KEYS
    if unknown:
        raise Malformed(
            "unknown_key", f"a deal has no {', '.join(sorted(unknown))}", sorted(unknown)[0]
        )
    if entry.get("annulled"):
        return Scored(
            marks=dict.fromkeys(sides_of(sheet), 0), lines=_dealt_again(entry), void=True,
            game_won=None,
        )  # fmt: skip
    replay: dict[str, Any] = {}
    filled = entry
    if "record" in entry:
        filled, replay = _from_record(sheet, entry)
    places = places_of(sheet, entry)
    result = _asked(
        places,
        "score",
        {
            "rulebook": sheet.rulebook,
            "options": {**options_of(sheet), **switches},
            **places.entry_to_engine(filled),
            "infractions": [_infraction(places, each) for each in infractions or []],
            "conduct_weighed": conduct_weighed,
        },
    )
    return Scored(
        marks=places.marks_to_seats(result["marks"]),
        lines=[places.line_to_seats(line) for line in result["lines"]],
        void=result["void"],
        game_won=places.side_to_seats(result["game_won"]),
        points={places.side_to_seats(s): n for s, n in result["points"].items()},
        tricks_won={places.side_to_seats(s): n for s, n in result["tricks"].items()},
        violations=replay.get("violations", []),
        tricks=replay.get("tricks", []),
    )


def _dealt_again(entry: dict[str, Any]) -> list[dict[str, Any]]:
    """The sentence of an annulled deal that its own dealer deals again; else it passes on."""
    if entry["annulled"] != SAME_DEALER:
        return []
    line = ScoreLine("redeal", None, 0, {"dealer": SAME_DEALER}, "penalty")
    return [
        {
            "clause": line.clause, "side": None, "marks": 0, "text": reason(line, "en"),
            "params": dict(line.params), "component": line.component,
        }
    ]  # fmt: skip


def spoken(line: dict[str, Any], language: str) -> str:
    """One stored line of a deal as a sentence (``N-S mark 12: 47 − 44 = 3, × 2 for 44``)."""
    return speak(
        ScoreLine(
            line["clause"], line["side"], line["marks"], line.get("params", {}),
            line.get("component", "deal"),
        ),
        language,
    )  # fmt: skip


def match_deal(version: DealVersion) -> dict[str, Any]:
    """One deal as the match call wants it: marks by the moment at which they were written down."""
    parts: dict[str, dict[str, int]] = {}
    for line in version.lines:
        side = line.get("side")
        if side and line["marks"]:
            bucket = parts.setdefault(line.get("component", "deal"), {})
            bucket[side] = bucket.get(side, 0) + line["marks"]
    result: dict[str, Any] = dict(parts)
    if version.game_won:
        result["game_won"] = version.game_won
    return result


def redealt(version: DealVersion) -> str:
    """Who deals again after a deal that counts for nothing: ``same_dealer``, ``next_dealer`` or ``""``."""
    for line in version.lines:
        if line["clause"] == "redeal":
            return str(line.get("params", {}).get("dealer", "next_dealer"))
    return ""


def counts(version: DealVersion) -> bool:
    """Whether a deal is one of the match: not annulled, not dealt again without any marks."""
    if version.entry.get("annulled"):
        return False
    return not redealt(version) or any(version.marks.values())


def match_state(sheet: Sheet, versions: list[DealVersion]) -> tuple[dict[str, Any], int]:
    """Where the match stands: the engine's ``match`` answer, and how many deals it counts.

    A correction or a ruling may end a match before deals that were already played; those stay
    readable on the sheet and count for nothing.
    """
    deals = [match_deal(version) for version in versions]
    asked = {"rulebook": sheet.rulebook, "options": options_of(sheet)}
    try:
        return answer("match", {**asked, "deals": deals}), len(deals)
    except Illegal as error:
        over = error.params.get("over_after")
        if error.code != "match_over" or not isinstance(over, int):
            raise
        return answer("match", {**asked, "deals": deals[:over]}), over


def marks_by_deal(sheet: Sheet, versions: list[DealVersion]) -> list[dict[str, int]]:
    """What each of these deals counts in its game, up to the end of the match.

    A générale counts what wanted to the whole game, or 150 in a match by deals (Q-002-2).
    """
    by_deal: list[dict[str, int]] = match_state(sheet, versions)[0]["by_deal"]
    return by_deal


def totals(sheet: Sheet, versions: list[DealVersion]) -> dict[str, int]:
    """Marks of each side over these deals, up to the end of the match."""
    marks: dict[str, int] = match_state(sheet, versions)[0]["marks"]
    return marks
