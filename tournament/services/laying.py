"""Records that a draw creates at the tables: tables with their links, seats, score sheets, byes.

Called inside the transaction of a publication, or of a table seated late.
"""

from __future__ import annotations

from django.utils.translation import get_language

from ledger.errors import Refused
from scoring.engine import rulebook as rulebooks
from scoring.engine.errors import EngineError
from scoring.engine.speech import explain
from tournament.models import Bye, Draw, Event, Seat, Stage, Table
from tournament.models.draws import TableJson
from tournament.models.tables import Sheet
from tournament.pairing.model import SEATS, Kind
from tournament.queries.sheet_rules import (
    FILLING_RULEBOOK,
    game_sides,
    is_filling,
    is_of_three,
    sheet_options,
    three_options,
)
from tournament.tables.links import table_token, token_hash


def lay_tables(candidate: Draw, stage: Stage, drawn: list[TableJson]) -> None:
    """Create everything that drawn tables stand for, in as few statements as there are kinds."""
    event = stage.event
    choices: dict[tuple[str, int], tuple[str, str, dict[str, object]]] = {}
    tables, seats, sheets = [], [], []
    for stored in drawn:
        # The first deal passes on: another player (of a match, the other pair) in every game.
        kind, players = stored["kind"], stored["players"]
        of_three, filling = is_of_three(event, stored), is_filling(candidate, stored)
        if (kind, len(players)) not in choices:
            choices[kind, len(players)] = _sheet_rules(
                event, stage, len(players), of_three=of_three, filling=filling
            )
        rulebook, edition, options = choices[kind, len(players)]
        table = Table(
            scope=event.pk,
            round=candidate.round,
            number=stored["number"],
            label=f"{candidate.round.number}/{stored['number']}",
        )
        table.token_hash = token_hash(table_token(table))
        tables.append(table)
        labels = SEATS[Kind(kind)]
        for label, player in zip(labels, players, strict=False):
            seats.append(
                Seat(
                    round=candidate.round,
                    table=table,
                    position=label,
                    entrant_id=player,
                    scorekeeper=player == stored["scorekeeper"],
                )
            )
        listed = game_sides(kind, len(players))
        if kind == Kind.MATCH or (of_three and not filling):
            listed = listed * stage.games_per_round
        for number, sides in enumerate(listed, 1):
            sheet = Sheet(
                scope=event.pk,
                table=table,
                order=number,
                rulebook=rulebook,
                edition=edition,
                options=options,
                sides=sides,
                counts=not filling,
                protocol=event.protocol,
                depth=event.depth,
            )
            first = players.index(stored["dealer"]) if stored["dealer"] in players else 0
            dealer = labels[(first + number - 1) % len(players)]
            sheet.first_dealer = next(
                seat for seat, position in sheet.positions.items() if position == dealer
            )
            sheets.append(sheet)
    Table.objects.bulk_create(tables, batch_size=500)
    Seat.objects.bulk_create(seats, batch_size=500)
    Sheet.objects.bulk_create(sheets, batch_size=500)


def _sheet_rules(
    event: Event, stage: Stage, players: int, *, of_three: bool, filling: bool
) -> tuple[str, str, dict[str, object]]:
    """Rulebook, edition and switches of the sheets of tables with so many players."""
    options: dict[str, object]
    if not of_three:
        options = sheet_options(event, stage, players)
        try:
            rulebooks.resolve(event.rulebook, options)
        except EngineError as error:
            raise Refused(error.code, explain(error, get_language() or "en")) from error
        return event.rulebook, event.edition, options
    options = {"target": {"deals": 3}} if filling else three_options(stage)
    game = rulebooks.resolve(FILLING_RULEBOOK, options)
    return FILLING_RULEBOOK, game.book.edition, options


def note_byes(candidate: Draw) -> None:
    """Record the byes; the players of a filling table of three receive the same credit."""
    Bye.objects.bulk_create(
        Bye(round=candidate.round, entrant_id=player) for player in candidate.byes
    )
    credit_filling(candidate, candidate.tables)


def credit_filling(candidate: Draw, drawn: list[TableJson]) -> None:
    """Credit the players of those of the drawn tables that fill up the round."""
    Bye.objects.bulk_create(
        Bye(round=candidate.round, entrant_id=player, kind="sat_out")
        for table in drawn
        if is_filling(candidate, table)
        for player in table["players"]
    )
