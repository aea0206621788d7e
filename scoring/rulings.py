"""Rulings that a table reads on its page, told by the room above.

This room knows infractions of a deal, not rulings: who knows them registers here at start-up.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .models import Sheet

RulingTeller = Callable[[Sheet, str], list[dict[str, Any]]]


_tellers: list[RulingTeller] = []


def ruling_teller(teller: RulingTeller) -> RulingTeller:
    """Register ``f(sheet, token) -> [what parts/ruling.html shows]``, newest first; ``token`` is
    that of the table's link, for addresses."""
    _tellers.append(teller)
    return teller


def rulings_at(sheet: Sheet, token: str) -> list[dict[str, Any]]:
    """The rulings that the table of ``sheet`` reads."""
    return [ruling for teller in _tellers for ruling in teller(sheet, token)]
