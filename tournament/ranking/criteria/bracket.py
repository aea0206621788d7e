"""Place in a knock-out: the bracket's result comes before every other criterion.

The place is computed with the bracket and passed in with the results (:attr:`Tally.places`);
elsewhere the criterion has no value and separates none.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Final

from scoring.texts import Message, pgettext_lazy
from scoring.texts import gettext_lazy as _
from tournament.ranking.criteria.base import Criterion, criterion
from tournament.ranking.model import Value
from tournament.ranking.tally import Tally

_DRAWS: Final[Mapping[int, Message]] = {
    0: Message(""),
    1: _("C "),
    2: _("P "),
}
POOLS: Final = 2
"""Part of the entrants without a place in a bracket: their place is that of their pool."""


@criterion
@dataclass(frozen=True)
class BracketPlace(Criterion):
    """The place won in the main draw, then in the consolation, then in the pool.

    The value is (draw, first place, last place): 0 main draw, 1 consolation, 2 pool. Entrants
    beaten in the same round share their places and their rank; in pools the following criteria
    decide.
    """

    code: ClassVar[str] = "bracket"
    name: ClassVar[Message] = _("Place in the bracket")
    short: ClassVar[Message] = pgettext_lazy("criterion", "Place")
    explanation: ClassVar[Message] = _(
        "The place won in the knock-out: 1 won the final, 2 lost it; those beaten in the same round share their places (3–4: the semi-finals). C: consolation. P: place in the pool, for those without a match in the knock-out."
    )
    descending: ClassVar[bool] = False

    def values(self, tally: Tally, group: Sequence[str]) -> dict[str, Value]:
        """Return the given places; None for an entrant without one."""
        return {key: tally.places.get(key) for key in group}

    def settles(self, value: Value) -> bool:
        """A place in a draw is final: no later criterion separates entrants who share it."""
        return isinstance(value, tuple) and value[0] != POOLS

    def format(self, value: Value, language: str) -> str:
        """“2”, “3–4”, “C 1”, “P 2”."""
        if not isinstance(value, tuple):
            return super().format(value, language)
        draw, first, last = value
        places = str(first) if first == last else f"{first}–{last}"
        return _DRAWS[int(draw)].render(language) + places
