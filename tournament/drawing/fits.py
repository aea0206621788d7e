"""Which formats fit which game: two pairs at a table, or each against all."""

from __future__ import annotations

from typing import Final

from scoring.engine.rulebook_edition import Rulebook, Sides
from scoring.texts import Message
from scoring.texts import gettext_lazy as _

from .formats import PAIRS

MOVEMENT: Final = "individual_movement"
BY_LOT: Final = "random"

_PAIRS_MEET = _(
    "In this format two pairs meet; with the rulebook “{rulebook}” each plays against all. Choose the individual championship or the draw by lot of players."
)
_PARTNERS = _(
    "A fixed movement assigns partners; with the rulebook “{rulebook}” each plays against all. Choose the "
    "individual championship or the draw by lot of players."
)


def misfit(book: Rulebook, format_: str, unit: str = "player") -> Message | None:
    """Why a format cannot be played with a rulebook; ``None`` where it can."""
    if book.sides is Sides.PAIRS:
        return None
    if format_ in PAIRS or (format_ == BY_LOT and unit == "pair"):
        return _PAIRS_MEET.format(rulebook=book.title)
    if format_ == MOVEMENT:
        return _PARTNERS.format(rulebook=book.title)
    return None
