"""Names and personal links of those who sit at a table, told by the room above.

This room holds opaque ids only. A room that knows persons registers how a seat is called and which
entrant a personal link (the QR code of a badge) belongs to.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from .models import Sheet


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


name_tellers: list[Callable[[Sheet], dict[str, str] | None]] = []
"""``f(sheet) -> {seat: name}``."""

link_readers: list[Callable[[str], str | None]] = []
"""``f(token) -> entrant id`` of a personal link, ``None`` for an unknown one."""

frame_tellers: list[Callable[[Sheet], dict[str, Any] | None]] = []
"""``f(sheet) -> {"event": name, "home": address, "language": code}`` for the table's page."""

slip_tellers: list[Callable[[Sheet], Slip | None]] = []
"""``f(sheet) -> Slip``: how the slip of the sheet's table names round, table and seats."""


def slip_of(sheet: Sheet) -> Slip:
    """The sheet as its slip prints it; label and seats of the sheet where nobody tells."""
    for teller in slip_tellers:
        found = teller(sheet)
        if found is not None:
            return found
    return Slip("", sheet.table.label, {seat: seat for seat in sheet.seats}, [])


def seat_names(sheet: Sheet) -> dict[str, str]:
    """Seat → name as the room above knows it; the seat's letter where nobody tells."""
    for teller in name_tellers:
        names = teller(sheet)
        if names:
            return names
    return {seat: seat for seat in sheet.seats}


def entrant_of_link(token: str) -> str | None:
    """The entrant whose personal link carries ``token``."""
    for reader in link_readers:
        found = reader(token)
        if found is not None:
            return found
    return None


def frame_of(sheet: Sheet) -> dict[str, Any]:
    """The event's name and address, where the room above tells them."""
    for teller in frame_tellers:
        frame = teller(sheet)
        if frame is not None:
            return frame
    return {}
