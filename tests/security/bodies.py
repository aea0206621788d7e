"""Request bodies that the API accepts, and ways to spoil one of their places."""

from __future__ import annotations

import copy
import re
from typing import Any, Final

from hypothesis import strategies as st

from accounts.models import Role
from tests.security.hall import REVOKE, Hall

NASTY: Final = st.one_of(
    st.sampled_from(
        [
            "",
            "\x00",
            "=1+1",
            "-1",
            "1e400",
            "9" * 400,
            "٣",
            "../../x",
            "a" * 70_000,
            "N",
            "NS",
            "000-P1",
            "\u202e",
            "NaN",
            "2026-13-40T99:00",
            "10H",
        ]
    ),
    st.integers(),
    st.integers(-(10**40), 10**40),
    st.floats(allow_nan=False),
    st.booleans(),
    st.none(),
    st.text(max_size=40),
    st.recursive(
        st.none() | st.integers(-3, 3) | st.text(max_size=3),
        lambda inner: (
            st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
        ),
        max_leaves=6,
    ),
)
"""Values that do not belong in their place."""

_ENTRY: Final = {"dealer": "N", "contract": {"trump": "H"}, "points": {"NS": 40}}
_CARDS: Final = {
    "rulebook": "parlee",
    "trump": "C",
    "leader": "W",
    "plays": ["8H", "KC", "9D", "7H"],
    "partial": True,
}
_STAGE: Final = {
    "name": "Final",
    "format": "individual",
    "rounds": 3,
    "games_per_round": 1,
    "deals_per_game": 4,
    "minutes": 60,
    "ranking": "world_championship",
    "club_rounds": 0,
    "drawing": {},
    "cut": {"top": 4},
    "target": {"deals": 4},
}
CALLS: Final = {
    "legal": {
        "rulebook": "parlee",
        "trump": "C",
        "trick": [["W", "8H"]],
        "player": "S",
        "hand": ["KC", "KS", "AD", "JS"],
        "options": {},
    },
    "replay": {**_CARDS, "orders": [{"trick": 1, "seat": "S", "suit": "C"}]},
    "score": {
        "rulebook": "chaloupee",
        "options": {},
        "dealer": "N",
        "contract": {"declarer": "NS", "level": 44, "trump": "NT", "doubling": 1},
        "points": {"NS": 47, "EW": 21},
        "tricks": {"NS": 6, "EW": 2},
        "turn_up": "KH",
        "infractions": [{"article": "000-P1", "side": "EW"}],
    },
    "match": {
        "rulebook": "parlee",
        "options": {"target": {"games": 2, "of": 44, "decider": 54}},
        "deals": [{"turn_up": {"NS": 3}, "penalty": {}, "deal": {"NS": 26}}],
    },
    "solve": {
        "rulebook": "parlee",
        "trump": "C",
        "leader": "W",
        "node_limit": 500,
        "hands": {"N": ["10H"], "E": ["9H"], "S": ["8H"], "W": ["7H"]},
    },
    "auction": {
        "rulebook": "chaloupee",
        "options": {},
        "dealer": "N",
        "calls": [["N", "pass"], ["W", {"level": 34, "trump": "S"}], ["S", "double"]],
    },
    "prove": {
        "rulebook": "parlee",
        "options": {},
        "trump": "C",
        "tricks": [{"n": 1, "leader": "W", "plays": ["8H", "KC", "9D", None]}],
        "allegation": {"trick": 1, "seat": "E", "kind": "revoke"},
        "hands": {"E": ["9D"]},
    },
    "compare": {"rulebook": "parlee", "a": _ENTRY, "b": {**_ENTRY, "points": {"NS": 41}}},
    "notation": {"record": _CARDS, "locale": "fr"},
}
"""A body for each call of the engine (interface.md)."""


def good(label: str, hall: Hall) -> list[dict[str, Any]]:
    """Return bodies that the operation accepts in the hall; empty where any object will do."""
    table = next(iter(hall.round_.tables.get(number=1).seats.all()))
    decision = {"article": "000-P1", "facts": REVOKE, "reason": "seen", "next_round": "stands"}
    version, members = hall.sheet.version, [hall.staff[Role.DIRECTOR].pk]
    bodies: dict[str, list[dict[str, Any]]] = {
        r"incidents/{number}/[^/]+/": [decision, {"reason": "none", "game": 1, "deal": 1}],
        r"incidents/{number}/proofs/": [
            {key: CALLS["prove"][key] for key in ("trump", "tricks", "allegation", "hands")}
        ],
        r"proofs/{proof_id}/cost/": [{"seed": 7}],
        r"rulings/{number}/[^/]+/": [decision, {"side": "NS", "grounds": "no", "reason": "x"}],
        r"appeals/{appeal_id}/([^/]+/)?": [
            {"outcome": "upheld", "decision": "So it is.", "members": members},
            {"outcome": "changed", "decision": "So it is.", "members": members, **decision},
        ],
        "events/{slug}/incidents/": [
            {"call": str(hall.call.pk)},
            {"round": str(hall.round_.pk), "table": 1, "game": 1, "deal": 1, "told": "revoke"},
        ],
        "penal-code/": [
            {
                "reason": "agreed",
                "policy": "BRIDGE",
                "content": {"adopted": ["001-R10"]},
                "appeal_minutes": 20,
            },
        ],
        r"draws/{draw_id}/[^/]+/": [
            {
                "verb": "swap",
                "one": 1,
                "two": 5,
                "table": 1,
                "to": 2,
                "players": [1, 2],
                "after": 0,
                "at": "2026-11-21T10:00:00Z",
            },
        ],
        r"rounds/{round_id}/[^/]+/": [
            {
                "minutes": 10,
                "reason": "x",
                "one": 1,
                "two": 5,
                "players": [1, 2],
                "table": 1,
                "winner": table.entrant.number,
            },
        ],
        r"rounds/{round_id}/draws/": [{"seed": "x", "hold": True, "bye_first": [1], "keep": [1]}],
        r"stages/{order}/[^/]+/": [{"order": [1, 2, 3], "numbers": [1, 2, 3]}],
        "events/{slug}/stages/": [_STAGE],
        "stages/{order}/": [_STAGE, {"minutes": 75}],
        "bans/": [{"one": 1, "two": 2}],
        "wishes/{number}/": [{"family": "A", "fixed_seat": True, "keeps_score": False}],
        "entrants/": [{"name": "Zebedeus Quakelbeen", "club": "Q", "number": 77}],
        r"entrants/{number}/[^/]+/": [{"reason": "ill", "round": 2}],
        "replace/": [{"old": 1, "new": 2}],
        "sheets/{sheet_id}/deals/": [
            {"entry": {**_ENTRY, "dealer": "E"}, "number": 2, "version": version, "key": "k"},
        ],
        "deals/{number}/": [
            {"entry": {**_ENTRY, "points": {"NS": 30}}, "reason": "misread", "version": version},
        ],
        "signatures/": [{"side": "NS", "version": version, "player": "1"}],
        "dispute/": [{"version": version, "reason": "no"}],
        "confirmation/": [{"version": version}],
        "bell/": [{"version": version, "in_play": "none"}],
        "pen/": [{"knowingly": True}],
        "calls/": [{"reason": "a revoke", "deal": 1}],
        "rules/{call}/": list(CALLS.values()),
    }
    endings = [ending for ending in bodies if _ends(label, ending)]
    return bodies[max(endings, key=lambda each: ("[^/]" not in each, len(each)))] if endings else []


def _ends(path: str, ending: str) -> bool:
    """Return whether the path ends so; braces match literally."""
    pattern = ending.replace("{", r"\{").replace("}", r"\}")
    return re.search(rf"/{pattern}$", path) is not None


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Return every path in a JSON value, the root included."""
    found = [path]
    if isinstance(value, dict):
        for key in value:
            found += places(value[key], (*path, key))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            found += places(item, (*path, index))
    return found


def spoiled(body: Any, path: tuple[Any, ...], value: Any, *, leave_out: bool) -> Any:
    """Return the body with another value at the path, or without it."""
    if not path:
        return value
    made = copy.deepcopy(body)
    inner = made
    for step in path[:-1]:
        inner = inner[step]
    if leave_out:
        del inner[path[-1]]
    else:
        inner[path[-1]] = value
    return made
