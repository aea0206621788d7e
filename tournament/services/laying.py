"""What a draw lays on the tables: tables with their links, seats, score sheets, who sits out.

Called inside the transaction of a publication, or of a table seated late.
"""

from __future__ import annotations

from typing import Any, Final

from ledger.errors import Refused
from scoring.engine import rulebook as rulebooks
from scoring.engine.errors import EngineError
from scoring.engine.rulebook import Sides
from scoring.links import token_hash
from scoring.models import ScoringTable, Sheet
from scoring.services.tables import table_token
from tournament.models import Bye, Draw, Event, Seat, Stage, Table, TableGame
from tournament.pairing.model import SEATS, Kind

GAMES: dict[str, list[tuple[str, str]]] = {
    Kind.ROTATION: [("AB", "CD"), ("AC", "BD"), ("AD", "BC")],
}
"""Which seats play together in each game of a table with the three rotations."""

FILLING_RULEBOOK: Final = "three-player"
"""What a filling table of three plays (rules specification D.2: not classified)."""


def game_seats(kind: str, players: list[int]) -> list[tuple[dict[str, list[str]], dict[str, int]]]:
    """The games of a table: for each, the seats of every side and who sits at each engine seat."""
    labels = SEATS[Kind(kind)]
    at = dict(zip(labels, players, strict=False))
    if kind == Kind.MATCH:
        return [
            ({"NS": ["NS"], "EW": ["EW"]},
             {"N": at["NS"], "S": at["NS"], "E": at["EW"], "W": at["EW"]})
        ]  # fmt: skip
    if kind != Kind.SOLO and len(players) == 4:
        if kind == Kind.PARTNERS:
            return [({"NS": ["N", "S"], "EW": ["E", "W"]}, at)]
        return [
            ({"NS": list(ns), "EW": list(ew)},
             {"N": at[ns[0]], "S": at[ns[1]], "E": at[ew[0]], "W": at[ew[1]]})
            for ns, ew in GAMES[Kind.ROTATION]
        ]  # fmt: skip
    # Each for himself; also a filling table of three, whose seats keep their letters.
    sides = {str(n): [label] for n, label in enumerate(at, start=1)}
    return [(sides, {str(n): player for n, player in enumerate(players, start=1)})]


def sheet_options(event: Event, stage: Stage, players: int) -> dict[str, Any]:
    """The switches of a stage's sheets: the event's, with the stage's end of a game."""
    options = dict(event.options)
    game = rulebooks.resolve(event.rulebook, options)
    if stage.target is not None:
        options["target"] = stage.target
    elif stage.deals_per_game:
        deals = stage.deals_per_game
        if game.book.sides is not Sides.PAIRS:
            # Each for himself: all must deal equally often, so the last turn is dealt out (004).
            deals = -(-deals // players) * players
        options["target"] = {"deals": deals}
    if game.book.sides is Sides.DECLARER_ALONE:
        options["players"] = players
    return options


def fills_up(event: Event, seats: int) -> bool:
    """Whether a table with so many seats fills up an event that is played two against two."""
    if seats != 3:
        return False
    return rulebooks.resolve(event.rulebook, event.options).book.sides is Sides.PAIRS


def is_filling(event: Event, table: dict[str, Any]) -> bool:
    """The same of a drawn table."""
    return table["kind"] != Kind.MATCH and fills_up(event, len(table["players"]))


def lay_tables(candidate: Draw, stage: Stage, drawn: list[dict[str, Any]]) -> None:
    """Create everything that drawn tables stand for, in as few statements as there are kinds."""
    event = stage.event
    choices: dict[tuple[str, int], tuple[str, str, dict[str, Any]]] = {}
    scoring_tables, tables, seats, sheets, games = [], [], [], [], []
    for stored in drawn:
        # The first deal passes on: another player (of a match, the other pair) in every game.
        kind, players = stored["kind"], stored["players"]
        filling = is_filling(event, stored)
        if (kind, len(players)) not in choices:
            choices[kind, len(players)] = _sheet_rules(event, stage, len(players), filling)
        rulebook, edition, options = choices[kind, len(players)]
        scoring_table = ScoringTable(
            scope=event.pk, label=f"{candidate.round.number}/{stored['number']}"
        )
        scoring_table.token_hash = token_hash(table_token(scoring_table))
        scoring_tables.append(scoring_table)
        table = Table(round=candidate.round, number=stored["number"], scoring_table=scoring_table)
        tables.append(table)
        for label, player in zip(SEATS[Kind(kind)], players, strict=False):
            seats.append(
                Seat(round=candidate.round, table=table, position=label, entrant_id=player,
                     scorekeeper=player == stored["scorekeeper"])
            )  # fmt: skip
        listed = game_seats(kind, players)
        if kind == Kind.MATCH:
            listed = listed * stage.games_per_round
        for number, (sides, at) in enumerate(listed, 1):
            first = players.index(stored["dealer"]) if stored["dealer"] in players else 0
            deals = players[(first + number - 1) % len(players)]
            dealer = next(seat for seat, player in at.items() if player == deals)
            sheet = Sheet(
                scope=event.pk, table=scoring_table, order=number, rulebook=rulebook,
                edition=edition, options=options, seats=at, first_dealer=dealer,
                protocol=event.protocol, depth=event.depth,
            )  # fmt: skip
            sheets.append(sheet)
            games.append(
                TableGame(table=table, number=number, sides=sides, sheet=sheet, counts=not filling)
            )
    ScoringTable.objects.bulk_create(scoring_tables, batch_size=500)
    Table.objects.bulk_create(tables, batch_size=500)
    Seat.objects.bulk_create(seats, batch_size=500)
    Sheet.objects.bulk_create(sheets, batch_size=500)
    TableGame.objects.bulk_create(games, batch_size=500)


def _sheet_rules(
    event: Event, stage: Stage, players: int, filling: bool
) -> tuple[str, str, dict[str, Any]]:
    """Rulebook, edition and switches of the sheets of tables with so many players."""
    if not filling:
        options = sheet_options(event, stage, players)
        try:
            rulebooks.resolve(event.rulebook, options)
        except EngineError as error:
            raise Refused(error.code, error.message) from error
        return event.rulebook, event.edition, options
    options = {"target": {"deals": 3}}
    game = rulebooks.resolve(FILLING_RULEBOOK, options)
    return FILLING_RULEBOOK, game.book.edition, options


def note_byes(candidate: Draw) -> None:
    """Who sits out; the players of a filling table of three are credited alike."""
    Bye.objects.bulk_create(
        Bye(round=candidate.round, entrant_id=player) for player in candidate.byes
    )
    credit_filling(candidate, candidate.tables)


def credit_filling(candidate: Draw, drawn: list[dict[str, Any]]) -> None:
    """Credit the players of those of the drawn tables that fill up the round."""
    event = candidate.round.stage.event
    Bye.objects.bulk_create(
        Bye(round=candidate.round, entrant_id=player, kind="sat_out")
        for table in drawn
        if is_filling(event, table)
        for player in table["players"]
    )
