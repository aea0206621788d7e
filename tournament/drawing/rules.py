"""Options of a stage inside its format, stored as ``Stage.drawing``, a small JSON object.

Keys left out have the defaults below. An unknown key or value is refused by name, so that a
misspelt option never passes for the default.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any, Final

from tournament.pairing.model import Odd
from tournament.pairing.swiss_costs import ByeFor, Order

MOVEMENTS: Final = ("rainbow", "whist")
UNITS: Final = ("player", "pair")
COUNTED: Final = "counted"
"""Tables of three whose games count: against the mean of the other two."""
EVERY_ROUND: Final = 60
"""As many rounds as a stage can have."""


class BadDrawing(ValueError):
    """A choice that no format has; ``field`` names the key."""

    def __init__(self, field: str, value: object) -> None:
        super().__init__(f"{field}: {value!r}")
        self.field = field


@dataclass(frozen=True, slots=True)
class DrawRules:
    """The choices inside a format.

    * ``odd``: one to three players over: they sit out in turn (``byes``), or tables of three are made,
      whose games do not count (``threes``) or do (``counted``).
    * ``by_score``: individual draw by score groups instead of a new draw of everybody.
    * ``movement``: of an individual movement, ``rainbow`` or ``whist``.
    * ``order``, ``bye_for``: Swiss, who meets whom in a score group and which place sits out.
    * ``unit``: of a draw by lot, whether ``player`` or ``pair`` is drawn.
    * ``table_size``: of auction tables, 3 to 7 (0: as the rulebook says).
    * ``seeds``: knock-out, pools and first Swiss round, how many are seeded (by rank in the stage before, else by
      start number).
    * ``pool_size``, ``main``, ``best_next``, ``consolation``: pools, how many of each go to the main draw, how
      many of those next go there too (the best of all pools by the stage's standing), and whether the others
      play on.
    * ``third_place``: knock-out (and main draw), the losers of the semi-finals play for the third place.
    * ``twice``: round robin, everybody twice.
    * ``family_rounds``: through which round members of a family are kept apart (``EVERY_ROUND``: all).
    * ``one_list``: Mitchell, one ranking of all pairs instead of one for each line.
    """

    odd: str = Odd.BYES.value
    by_score: bool = False
    movement: str = "rainbow"
    order: str = Order.HALVES.value
    bye_for: str = ByeFor.LAST.value
    unit: str = "player"
    table_size: int = 0
    seeds: int = 0
    pool_size: int = 4
    main: int = 2
    best_next: int = 0
    consolation: bool = True
    third_place: bool = False
    twice: bool = False
    one_list: bool = False
    family_rounds: int = EVERY_ROUND

    @property
    def fill(self) -> Odd:
        """How a field that is no multiple of four is seated."""
        return Odd.THREES if self.odd == COUNTED else Odd(self.odd)

    @property
    def threes_count(self) -> bool:
        """Whether the games of tables of three among fours count."""
        return self.odd == COUNTED

    def as_json(self) -> dict[str, object]:
        """Return the options that differ from the defaults."""
        plain = DrawRules()
        return {key: value for key, value in asdict(self).items() if value != getattr(plain, key)}


_CHOICES: Final[dict[str, tuple[str, ...]]] = {
    "odd": (*(choice.value for choice in Odd), COUNTED),
    "movement": MOVEMENTS,
    "order": tuple(choice.value for choice in Order),
    "bye_for": tuple(choice.value for choice in ByeFor),
    "unit": UNITS,
}
_RANGES: Final[dict[str, tuple[int, int]]] = {
    "table_size": (0, 7),
    "seeds": (0, 4096),
    "pool_size": (3, 8),
    "main": (1, 4),
    "best_next": (0, 64),
    "family_rounds": (0, EVERY_ROUND),
}


def read_rules(given: Mapping[str, Any]) -> DrawRules:
    """Read the options; :class:`BadDrawing` names the first invalid one.

    >>> read_rules({"odd": "threes"}).odd, read_rules({}).as_json()
    ('threes', {})
    """
    known = {field.name for field in fields(DrawRules)}
    for key, value in given.items():
        if key not in known:
            raise BadDrawing(key, value)
        if key in _CHOICES:
            if value not in _CHOICES[key]:
                raise BadDrawing(key, value)
        elif key in _RANGES:
            low, high = _RANGES[key]
            whole = isinstance(value, int) and not isinstance(value, bool)
            if not whole or not low <= value <= high or (key == "table_size" and value in (1, 2)):
                raise BadDrawing(key, value)
        elif not isinstance(value, bool):
            raise BadDrawing(key, value)
    return DrawRules(**given)
