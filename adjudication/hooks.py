"""What this room hangs into the registries of the rooms below, at start-up."""

from __future__ import annotations

from scoring.models import Sheet
from scoring.services.sheets import on_result

from .services import effects


@on_result
def result_changed(sheet: Sheet) -> None:
    """A result came or went: forfeits of its players follow it."""
    effects.follow_result(sheet)
