"""How sides and players are called on pages, in the reader's language."""

from __future__ import annotations

from scoring.entry import name_of_side


def side_label(side: str, language: str, names: dict[str, str]) -> str:
    """A side's heading: ``N-S`` between pairs, the player's name elsewhere."""
    if len(side) == 1:
        return names.get(side, side)
    return name_of_side(side, language)


def players_of(side: str, names: dict[str, str]) -> str:
    """Who plays for a side; a pair that entered together is named once."""
    found: list[str] = []
    for seat in side:
        name = names.get(seat, seat)
        if name not in found:
            found.append(name)
    return " + ".join(found)
