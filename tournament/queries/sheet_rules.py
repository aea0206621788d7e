"""Games of a stage's tables: their sides, and the switches of a sheet."""

from __future__ import annotations

from typing import Final

from scoring.engine import rulebook as rulebooks
from scoring.engine.rulebook import Sides
from tournament.drawing.rules import read_rules
from tournament.models import Draw, Event, Stage
from tournament.models.draws import TableJson
from tournament.pairing.model import SEATS, Kind

GAMES: dict[str, list[tuple[str, str]]] = {
    Kind.ROTATION: [("AB", "CD"), ("AC", "BD"), ("AD", "BC")],
}
"""Partners by seat in each game of a table with the three rotations."""


FILLING_RULEBOOK: Final = "three-player"
"""Game of a filling table of three (rules specification D.2: not classified)."""


def game_sides(kind: str, players: int) -> list[dict[str, list[str]]]:
    """Return the games of a table of so many: for each, the positions of every side."""
    if kind == Kind.MATCH:
        return [{"NS": ["NS"], "EW": ["EW"]}]
    if kind != Kind.SOLO and players == 4:
        if kind == Kind.PARTNERS:
            return [{"NS": ["N", "S"], "EW": ["E", "W"]}]
        return [{"NS": list(ns), "EW": list(ew)} for ns, ew in GAMES[Kind.ROTATION]]
    # Each for themselves; a filling table of three too, with the letters of its seats.
    return [{str(n): [label] for n, label in enumerate(SEATS[Kind(kind)][:players], start=1)}]


def sheet_options(event: Event, stage: Stage, players: int) -> dict[str, object]:
    """Return the switches of a stage's sheets: the event's, with the stage's end of a game."""
    options = dict(event.options)
    game = rulebooks.resolve(event.rulebook, options)
    if stage.target is not None:
        options["target"] = stage.target
    elif stage.deals_per_game:
        deals = stage.deals_per_game
        if not game.in_pairs:
            # Each for themselves: all must deal equally often, so the last turn is dealt out (004).
            deals = -(-deals // players) * players
        options["target"] = {"deals": deals}
    if game.book.sides is Sides.DECLARER_ALONE:
        options["players"] = players
    return options


def fills_up(event: Event, seats: int) -> bool:
    """Whether a table with so many seats fills up an event that is played two against two."""
    if seats != 3:
        return False
    return rulebooks.resolve(event.rulebook, event.options).in_pairs


def is_of_three(event: Event, table: TableJson) -> bool:
    """Whether a drawn table of three plays the three-player game among tables of four."""
    return table["kind"] != Kind.MATCH and fills_up(event, len(table["players"]))


def is_filling(draw: Draw, table: TableJson) -> bool:
    """Whether a table of a draw is one of three whose games do not count."""
    counted = read_rules(draw.request.get("rules", {})).threes_count
    return not counted and is_of_three(draw.round.stage.event, table)


def three_options(stage: Stage) -> dict[str, object]:
    """Return the switches of a table of three whose games count: as many deals as at the others.

    All deal equally often; a game to a target lasts three deals.
    """
    return {"target": {"deals": -(-(stage.deals_per_game or 3) // 3) * 3}}
