"""People at a table: names of the seats, personal links, the event around a sheet."""

from __future__ import annotations

import uuid
from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from tournament.models import Entrant, Event
from tournament.models.tables import Sheet
from tournament.queries.names import seat_name, shown_name
from tournament.tables.links import token_hash


@dataclass(frozen=True, slots=True)
class Slip:
    """A sheet as the slip of its table prints it.

    ``letters``: seat of the sheet → the seat's letter on the slip. ``round_sheets``: the sheets of
    the round in the order of the slips, by table number and game, with their tables' numbers.
    """

    round: str
    table: str
    letters: dict[str, str]
    round_sheets: list[tuple[uuid.UUID, str]]


def slip_of(sheet: Sheet) -> Slip:
    """Return the sheet's reference as printed on its slip; its own number and seats where it has no round."""
    table = sheet.table
    if table.round is None:
        return Slip("", str(table.number), slip_letters(sheet), [])
    listed = Sheet.objects.filter(table__round=table.round).order_by("table__number", "order")
    return Slip(
        str(table.round.number),
        str(table.number),
        slip_letters(sheet),
        [(pk, str(number)) for pk, number in listed.values_list("pk", "table__number")],
    )


def slip_letters(sheet: Sheet) -> dict[str, str]:
    """Map the seats of the sheet to the letters on its slip; to themselves where its table has no round."""
    if sheet.table.round_id is None:
        return {seat: seat for seat in sheet.positions}
    return {seat: seat_name(position) for seat, position in sheet.positions.items()}


def side_on_slip(letters: Iterable[str]) -> str:
    """Name a side by the letters of its seats: ``AB``, or ``Nord-Sud`` of seats that have names."""
    seats = dict.fromkeys(letters)
    return ("" if all(len(seat) == 1 for seat in seats) else "-").join(seats)


def seat_names(sheet: Sheet) -> dict[str, str]:
    """Seat → the name of who sits there; both seats of a pair bear the pair's name."""
    at = {
        seat.position: seat.entrant
        for seat in sheet.table.seats.select_related(
            "entrant__person", "entrant__partner", "entrant__event"
        )
    }
    return {
        seat: shown_name(at[position], shorten=at[position].event.short_names)
        if position in at
        else seat
        for seat, position in sheet.positions.items()
    }


def entrant_of_link(token: str) -> str | None:
    """Return the entrant whose badge carries the link with ``token``."""
    entrant_id = (
        Entrant.objects.filter(link_hash=token_hash(token)).values_list("pk", flat=True).first()
    )
    return None if entrant_id is None else str(entrant_id)


class TableFrame(NamedTuple):
    """The event of a sheet: its name and its part of addresses; empty where it is in none."""

    event: str = ""
    slug: str = ""


def frame_of(sheet: Sheet) -> TableFrame:
    """Return the event of a sheet."""
    event = Event.objects.filter(pk=sheet.scope).first()
    if event is None:
        return TableFrame()
    return TableFrame(event.name, event.slug)
