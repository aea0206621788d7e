"""Tables and sheets for the tests, without a tournament around them unless a test requests one."""

from __future__ import annotations

import uuid
from datetime import date
from typing import Any

from ledger.actors import Actor
from ledger.change import change
from scoring.engine.rulebook import Game, resolve
from tournament.models import Entrant, Person, Round, Seat
from tournament.models.tables import Sheet, Table
from tournament.services.events import create_event
from tournament.tables.links import entrant_token, table_token, token_hash

SYSTEM = Actor.system("test")
SCOPE = uuid.UUID(int=7)


def a_table(scope: uuid.UUID = SCOPE, label: str = "1/17", **more: Any) -> Table:
    """Create a table with a working link."""
    table = Table(scope=scope, label=label, **{"number": 17, **more})
    table.token_hash = token_hash(table_token(table))
    with change():
        table.save()
    return table


def sides_of_game(game: Game) -> dict[str, list[str]]:
    """Return the sides of a game at a table whose positions are named after the game's seats."""
    if "N" in game.seats:
        return {"NS": ["N", "S"], "EW": ["E", "W"]}
    return {seat: [seat] for seat in game.seats}


def a_sheet(
    rulebook: str = "belgian",
    *,
    options: dict[str, Any] | None = None,
    protocol: str = "confirm",
    depth: str = "points",
    table: Table | None = None,
    order: int = 1,
    first_dealer: str = "",
    sides: dict[str, list[str]] | None = None,
) -> Sheet:
    """Create an empty sheet of a game of four deals (three for three players)."""
    three = rulebook == "three-player"
    options = {"target": {"deals": 3 if three else 4}, **(options or {})}
    game = resolve(rulebook, options)
    table = table or a_table()
    with change():
        return Sheet.objects.create(
            scope=table.scope,
            table=table,
            order=order,
            rulebook=rulebook,
            edition=game.book.edition,
            options=options,
            sides=sides or sides_of_game(game),
            first_dealer=first_dealer or next(iter(sides_of_game(game)))[0],
            protocol=protocol,
            depth=depth,
        )


def in_round(sheet: Sheet, **event: Any) -> Round:
    """Put the table of the sheet into the first round of a new event."""
    made = create_event(actor=SYSTEM, name="Table", day=date(2026, 11, 20), **event)
    round_ = made.stages.order_by("order")[0].rounds.order_by("number")[0]
    with change():
        Table.objects.filter(pk=sheet.table_id).update(round=round_, number=17, scope=made.pk)
        Sheet.objects.filter(pk=sheet.pk).update(scope=made.pk)
    sheet.refresh_from_db()
    return round_


def seat_players(sheet: Sheet, *names: str) -> list[Entrant]:
    """Seat players of these names at the table of the sheet, in the order of the game's seats."""
    round_ = in_round(sheet)
    found = []
    for number, (name, position) in enumerate(
        zip(names, sheet.positions.values(), strict=True), start=1
    ):
        with change():
            entrant = Entrant.objects.create(
                event_id=sheet.scope, number=number, person=Person.objects.create(name=name)
            )
        entrant.link_hash = token_hash(entrant_token(entrant))
        with change():
            entrant.save(update_fields=["link_hash"])
            Seat.objects.create(round=round_, table=sheet.table, position=position, entrant=entrant)
        found.append(entrant)
    return found


def simple(points: int, side: str = "NS", *, trump: str = "H", **more: Any) -> dict[str, Any]:
    """Return an entry of a belgian or muette deal by points alone; N dealt, so N-S chose trump."""
    return {
        "dealer": "N",
        "contract": {"declarer": "NS", "trump": trump, **more},
        "points": {side: points},
    }


def token(sheet: Sheet) -> str:
    """Return the token of the sheet's table."""
    return table_token(sheet.table)
