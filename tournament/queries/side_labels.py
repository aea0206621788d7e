"""Names of sides and players on pages, in the reader's language."""

from __future__ import annotations

from scoring.engine.entry_fields import entry_fields
from scoring.engine.errors import EngineError
from tournament.models.tables import Depth, Sheet
from tournament.queries.names import Name
from tournament.queries.table_people import seat_names
from tournament.tables.entry import name_of_side, refusal_text
from tournament.tables.score_sheet import ScoreSheet


def side_label(side: str, language: str, names: dict[str, str]) -> str:
    """Return a side's heading: ``N-S`` between pairs, the player's name elsewhere."""
    if len(side) == 1:
        return names.get(side, side)
    return name_of_side(side, language)


def players_of(side: str, names: dict[str, str]) -> str:
    """Return the players of a side; a pair that entered together is named once."""
    shown: list[str] = []
    for seat in side:
        name = names.get(seat, seat)
        if name not in shown:
            shown.append(name)
    return Name(" + ".join(shown))


def refusal_text_in(error: EngineError, sheet: Sheet, language: str) -> str:
    """Return the engine's refusal in the reader's words: pairs by their seats, players by their names.

    What is missing is asked for in the words of the form's field.
    """
    if error.code == "missing_key":
        parts = error.field.split(".")
        for field in entry_fields(ScoreSheet(sheet).game, Depth.TRICKS):
            if field.missing is not None and (field.part or field.name) in parts:
                return field.missing.render(language)
    names = seat_names(sheet)

    def call(side: str) -> str:
        if all(seat in sheet.positions for seat in side) and "NS" not in sheet.sides:
            return players_of(side, names)
        return side_label(side, language, names)

    return refusal_text(error, language, call)
