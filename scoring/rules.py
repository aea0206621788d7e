"""The sheet's questions to the engine: what a deal is worth, and where the match stands.

An *entry* is what a person typed for one deal: the ``score`` input of the engine's contract
without rulebook, options and infractions (those belong to the sheet and to rulings). An entry
card by card carries ``record`` (trump, leader, plays, perhaps hands) and is replayed first.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from .engine.calls import answer
from .engine.errors import Malformed
from .models import DealVersion, Sheet

ENTRY_KEYS = frozenset(
    {"dealer", "contract", "turn_up", "points", "tricks", "trick_list", "record", "annulled"}
)
RECORD_KEYS = frozenset({"trump", "leader", "plays", "hands", "orders", "reserve"})


@dataclass(frozen=True, slots=True)
class Scored:
    """What the engine made of an entry."""

    marks: dict[str, int]
    lines: list[dict[str, Any]]
    void: bool
    game_won: str | None
    violations: list[dict[str, Any]] = field(default_factory=list)
    tricks: list[dict[str, Any]] = field(default_factory=list)


def _from_record(sheet: Sheet, entry: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Replay the cards; the entry with points and tricks taken from them, and the replay."""
    record = entry["record"]
    if not isinstance(record, dict) or set(record) - RECORD_KEYS:
        raise Malformed(
            "unknown_key", "record has keys that a record of play does not have", "record"
        )
    replay = answer("replay", {"rulebook": sheet.rulebook, "options": sheet.options, **record})
    filled = {key: value for key, value in entry.items() if key != "record"}
    filled["points"] = replay["points"]
    filled["tricks"] = replay["tricks_won"]
    return filled, replay


def score_entry(
    sheet: Sheet, entry: dict[str, Any], infractions: list[dict[str, Any]] | None = None
) -> Scored:
    """Score one deal of ``sheet``; engine errors say what to change."""
    unknown = set(entry) - ENTRY_KEYS
    if unknown:
        raise Malformed(
            "unknown_key", f"a deal has no {', '.join(sorted(unknown))}", sorted(unknown)[0]
        )
    if entry.get("annulled"):
        return Scored(marks={}, lines=[], void=True, game_won=None)
    replay: dict[str, Any] = {}
    filled = entry
    if "record" in entry:
        filled, replay = _from_record(sheet, entry)
    result = answer(
        "score",
        {
            "rulebook": sheet.rulebook,
            "options": sheet.options,
            **filled,
            "infractions": infractions or [],
        },
    )
    return Scored(
        marks=result["marks"],
        lines=result["lines"],
        void=result["void"],
        game_won=result["game_won"],
        violations=replay.get("violations", []),
        tricks=replay.get("tricks", []),
    )


def match_deal(version: DealVersion) -> dict[str, Any]:
    """One deal as the match call wants it: marks by the moment at which they were written down."""
    parts: dict[str, dict[str, int]] = {}
    for line in version.lines:
        clause = line["clause"]
        moment = (
            "turn_up" if clause.startswith("turn_up")
            else "penalty" if clause.startswith("penalty")
            else "deal"
        )  # fmt: skip
        side = line.get("side")
        if side and line["marks"]:
            bucket = parts.setdefault(moment, {})
            bucket[side] = bucket.get(side, 0) + line["marks"]
    result: dict[str, Any] = dict(parts)
    if version.game_won:
        result["game_won"] = version.game_won
    return result


def match_state(sheet: Sheet, versions: list[DealVersion]) -> dict[str, Any]:
    """Where the match stands after these deals: the engine's ``match`` answer."""
    return answer(
        "match",
        {
            "rulebook": sheet.rulebook,
            "options": sheet.options,
            "deals": [match_deal(version) for version in versions],
        },
    )


def totals(versions: list[DealVersion]) -> dict[str, int]:
    """Marks of each side over these deals."""
    total: dict[str, int] = {}
    for version in versions:
        for side, marks in version.marks.items():
            total[side] = total.get(side, 0) + marks
    return total
