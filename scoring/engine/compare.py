"""Two entries of one deal: where they differ, at the deepest level that both record.

Two scorekeepers, or a slip and a sheet, enter the same deal at any depth: points of one side;
points and tricks; winner and points of each trick; every card. Entries are compared at the depth
that both have, so that the answer names the trick, or the line of the slip, that has to be looked
at; a total is only named where no deeper entry explains it. An entry that leaves out what the
other states is not a difference in the cards, and is named as missing only for the lines that
decide the score (contract, turn-up, infractions).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Final

from .cards import format_card, format_trump, parse_card, parse_trump
from .errors import EngineError, Malformed
from .reading import read_object
from .rulebook import players_of
from .score_contract import Contract

Entry = Mapping[str, object]

MISSING: Final = "–"
"""What stands for something that an entry does not have."""

_CONTRACT: Final = tuple((part.name, part.default) for part in fields(Contract))
"""The parts of a contract, with what a contract has that leaves them out."""


@dataclass(frozen=True, slots=True)
class Difference:
    """One line of the two entries that differs, each side as it would be read aloud."""

    where: str
    a: str
    b: str


def compare(a: object, b: object, total: int | None = None) -> list[Difference]:
    """Return the differences between two ``score`` inputs, at the finest level that both entries have.

    ``total``: points of a deal where both sides' points add up to it, so that a side left out is
    known by difference. Values are compared by what they say: ``TH`` is ``10H``, a doubling left
    out is 0. Raises :class:`Malformed` for entries that are not objects.
    """
    left, right = read_object(a, "a"), read_object(b, "b")
    differences = _heads(left, right)
    cards = _cards(left, right)
    tricks = _tricks(left, right)
    if cards is not None:
        differences += cards
    elif tricks is not None:
        differences += tricks
    if cards is None and tricks is None:
        differences += _points(left, right, total)
        differences += _trick_counts(left, right)
    else:
        differences += _own_totals(left, right)
    return differences + _infractions(left, right)


def _heads(a: Entry, b: Entry) -> list[Difference]:
    differences = [
        Difference(key, _text_of(a[key]), _text_of(b[key]))
        for key in ("rulebook", "dealer")
        if key in a and key in b and a[key] != b[key]
    ]
    options_a, options_b = _part(a, "options", "a"), _part(b, "options", "b")
    if differences and differences[0].where == "rulebook":
        options_a = options_b = {}  # the switches of two games do not compare
    for name in sorted({*options_a, *options_b}):
        one, other = options_a.get(name), options_b.get(name)
        if one != other:
            differences.append(Difference(f"option {name}", _text_of(one), _text_of(other)))
    contract_a, contract_b = _part(a, "contract", "a"), _part(b, "contract", "b")
    for name, default in _CONTRACT:
        one = _canonical(name, contract_a.get(name, default))
        other = _canonical(name, contract_b.get(name, default))
        if one != other:
            differences.append(Difference(f"contract {name}", _text_of(one), _text_of(other)))
    one, other = (_canonical("turn_up", entry.get("turn_up")) for entry in (a, b))
    if one != other:
        differences.append(Difference("turn-up", _text_of(one), _text_of(other)))
    return differences


def _canonical(name: str, value: object) -> object:
    """Return ``value`` in the engine's spelling, or unchanged if the engine would refuse it."""
    if value is None:
        return None
    try:
        if name == "turn_up":
            return ("card", parse_card(value))
        if name == "trump":
            return ("trump", parse_trump(value))
    except EngineError:
        return value
    if name == "declarer" and isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    return value


def _text_of(value: object) -> str:
    if value is None:
        return MISSING
    if isinstance(value, tuple):
        return format_card(value[1]) if value[0] == "card" else format_trump(value[1])
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)


def _part(entry: Entry, key: str, field: str) -> Entry:
    value = entry.get(key)
    return {} if value is None else read_object(value, f"{field}.{key}")


def _list(entry: Entry, key: str, field: str) -> Sequence[object] | None:
    value = entry.get(key)
    if value is None:
        return None
    if not isinstance(value, list | tuple):
        raise Malformed("malformed_value", f"{field}.{key}: expected a list", f"{field}.{key}")
    return value


def _tricks(a: Entry, b: Entry) -> list[Difference] | None:
    """Compare trick by trick; ``None`` unless both entries have their trick list."""
    one, other = _list(a, "trick_list", "a"), _list(b, "trick_list", "b")
    if one is None or other is None:
        return None
    differences = []
    for number in range(max(len(one), len(other))):
        left = _trick_text(one, number, "a")
        right = _trick_text(other, number, "b")
        if left != right:
            differences.append(Difference(f"trick {number + 1}", left, right))
    return differences


def _trick_text(tricks: Sequence[object], number: int, field: str) -> str:
    if number >= len(tricks):
        return MISSING
    trick = read_object(tricks[number], f"{field}.trick_list[{number}]")
    return f"{_text_of(trick.get('winner'))} {_text_of(trick.get('points'))}"


def _cards(a: Entry, b: Entry) -> list[Difference] | None:
    """Compare card by card; ``None`` unless both entries have every card. One difference a trick."""
    one, other = _list(a, "plays", "a"), _list(b, "plays", "b")
    if one is None or other is None:
        return None
    differences = []
    for name in ("trump", "leader"):
        left, right = (_canonical(name, entry.get(name)) for entry in (a, b))
        if left != right:
            differences.append(Difference(name, _text_of(left), _text_of(right)))
    size = _trick_size(a, b)
    for start in range(0, max(len(one), len(other)), size):
        left_cards = [_card_text(card) for card in one[start : start + size]]
        right_cards = [_card_text(card) for card in other[start : start + size]]
        if left_cards != right_cards:
            differences.append(
                Difference(
                    f"trick {start // size + 1}",
                    " ".join(left_cards) or MISSING,
                    " ".join(right_cards) or MISSING,
                )
            )
    return differences


def _trick_size(a: Entry, b: Entry) -> int:
    return players_of(a) or players_of(b) or 4


def _card_text(card: object) -> str:
    return _text_of(_canonical("turn_up", card))


def _sums(entry: Entry, field: str) -> tuple[dict[str, object], dict[str, object]]:
    """Return the points and tricks of each side, stated or implied by an entry."""
    points = dict(_part(entry, "points", field))
    tricks = dict(_part(entry, "tricks", field))
    listed = _list(entry, "trick_list", field)
    if listed is None:
        return points, tricks
    for number, each in enumerate(listed):
        trick = read_object(each, f"{field}.trick_list[{number}]")
        winner, worth = trick.get("winner"), trick.get("points")
        if not isinstance(winner, str) or not isinstance(worth, int):
            continue
        for sums, add in ((points, worth), (tricks, 1)):
            if winner not in _part(entry, "points" if sums is points else "tricks", field):
                before = sums.get(winner, 0)
                sums[winner] = (before if isinstance(before, int) else 0) + add
    return points, tricks


def _points(a: Entry, b: Entry, total: int | None) -> list[Difference]:
    one, other = _sums(a, "a")[0], _sums(b, "b")[0]
    if not one or not other:
        return [] if one == other else [Difference("points", _all(one), _all(other))]
    differences = []
    for side in sorted({*one, *other}):
        left, right = _known(one, side, total), _known(other, side, total)
        if left is not None and right is not None and left != right:
            differences.append(Difference(f"points {side}", _text_of(left), _text_of(right)))
    return differences


def _known(points: Mapping[str, object], side: str, total: int | None) -> object:
    if side in points:
        return points[side]
    others = [each for each in points.values() if isinstance(each, int)]
    if total is not None and len(points) == 1 and len(others) == 1:
        return total - others[0]
    return None


def _all(points: Mapping[str, object]) -> str:
    return ", ".join(f"{side} {_text_of(points[side])}" for side in sorted(points)) or MISSING


def _trick_counts(a: Entry, b: Entry) -> list[Difference]:
    one, other = _sums(a, "a")[1], _sums(b, "b")[1]
    return [
        Difference(f"tricks {side}", _text_of(one[side]), _text_of(other[side]))
        for side in sorted({*one} & {*other})
        if one[side] != other[side]
    ]


def _own_totals(a: Entry, b: Entry) -> list[Difference]:
    """Compare the totals that both entries state in addition to their trick lists."""
    differences = []
    for key in ("points", "tricks"):
        one, other = _part(a, key, "a"), _part(b, key, "b")
        listed_agree = a.get("trick_list") == b.get("trick_list")
        if listed_agree:
            differences += [
                Difference(f"{key} {side}", _text_of(one[side]), _text_of(other[side]))
                for side in sorted({*one} & {*other})
                if one[side] != other[side]
            ]
    return differences


def _infractions(a: Entry, b: Entry) -> list[Difference]:
    """Compare the infractions of both entries, in any order."""
    one = sorted(_infraction_text(each) for each in _list(a, "infractions", "a") or [])
    other = sorted(_infraction_text(each) for each in _list(b, "infractions", "b") or [])
    if one == other:
        return []
    for each in list(one):
        if each in other:
            one.remove(each)
            other.remove(each)
    return [Difference("infractions", ", ".join(one) or MISSING, ", ".join(other) or MISSING)]


def _infraction_text(value: object) -> str:
    if isinstance(value, Mapping):
        rest = [f"{key}={value[key]}" for key in sorted(value) if key not in ("article", "side")]
        return " ".join([_text_of(value.get("article")), _text_of(value.get("side")), *rest])
    return str(value)
