"""Base of every criterion: a code, words in three languages, values for a group, a direction.

A new criterion is one class under this room, marked with :func:`criterion`, and its crosstable in
the tests; its parameters are the fields of the class.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from fractions import Fraction
from typing import ClassVar, Final, TypeVar

from scoring.texts import Message
from scoring.texts import Value as Said
from scoring.texts import gettext_lazy as _
from tournament.ranking.errors import BadRule
from tournament.ranking.figures import format_number
from tournament.ranking.model import Number, Param, Use, Value
from tournament.ranking.tally import Tally

CRITERIA: Final[dict[str, type[Criterion]]] = {}
"""Every criterion by its code."""
_KINDS: Final[Mapping[type, Message]] = {
    str: _("{criterion}: “{parameter}” must be a text."),
    tuple: _("{criterion}: “{parameter}” must be a list of whole numbers."),
    int: _("{criterion}: “{parameter}” must be a whole number."),
    Fraction: _("{criterion}: “{parameter}” must be a number."),
}
"""Error texts for a parameter of the wrong kind, by the right one."""


@dataclass(frozen=True)
class Criterion(ABC):
    """One way to compare entrants.

    ``short``: a column heading. ``descending``: the greater value comes first. ``additive``: the
    sum over several entrants has a meaning (clubs). ``among_tied``: the value exists only inside
    the group still tied when the criterion is reached. ``short_column``: its numbers are small enough for a
    narrow column. ``by_wins``: it counts games won, not marks. ``reads_deals``: the points of a game do not
    give it, its deals do; ``reads_card_points``: theirs. ``reads_results``: match points of a win, a tie and a
    loss go into it. ``of_offences``: its values count offences, which the public does not read (C.8).
    """

    code: ClassVar[str]
    name: ClassVar[Message]
    short: ClassVar[Message]
    explanation: ClassVar[Message]
    descending: ClassVar[bool] = True
    additive: ClassVar[bool] = False
    among_tied: ClassVar[bool] = False
    signed: ClassVar[bool] = False
    short_column: ClassVar[bool] = False
    by_wins: ClassVar[bool] = False
    reads_deals: ClassVar[bool] = False
    reads_card_points: ClassVar[bool] = False
    reads_results: ClassVar[bool] = False
    of_offences: ClassVar[bool] = False

    @abstractmethod
    def values(self, tally: Tally, group: Sequence[str]) -> dict[str, Value]:
        """Return the value of each entrant of ``group``: the whole field unless ``among_tied``."""

    def settles(self, value: Value) -> bool:
        """Whether those who share this value share the rank, whatever the next criteria say."""
        return False

    def key(self, value: Value) -> tuple[Number, ...]:
        """Return a sort key, the better first; an empty value comes last."""
        if value is None:
            return (1,)
        numbers = value if isinstance(value, tuple) else (value,)
        return (0, *(-number for number in numbers)) if self.descending else (0, *numbers)

    def format(self, value: Value, language: str) -> str:
        """Format the value for readers; a dash where the criterion does not apply."""
        if value is None:
            return "–"
        if isinstance(value, tuple):
            return " · ".join(self._one(number, language) for number in value)
        return self._one(value, language)

    def _one(self, number: Number, language: str) -> str:
        return format_number(number, language, signed=self.signed)

    def refuse(self, why: Message, **params: Said) -> BadRule:
        """Build the refusal of an unusable parameter of this criterion."""
        return BadRule(
            "criterion-parameter",
            _("{criterion}: {why}"),
            criterion=self.name,
            why=why.format(**params),
        )


Class = TypeVar("Class", bound=type[Criterion])


def criterion(implementation: Class) -> Class:
    """Enter a criterion in :data:`CRITERIA` under its code."""
    if implementation.code in CRITERIA:
        raise ValueError(f"two criteria have the code {implementation.code}")
    CRITERIA[implementation.code] = implementation
    return implementation


def build(used: Use) -> Criterion:
    """Build the criterion of a rule; ``BadRule`` for an unknown code or parameter, or a bad value."""
    kind = CRITERIA.get(used.code)
    if kind is None:
        raise BadRule(
            "unknown-criterion", _("No such criterion: “{criterion}”."), criterion=used.code
        )
    known = {entry.name: entry for entry in fields(kind)}
    params: dict[str, Param] = {}
    for name, value in used.params:
        if name not in known:
            raise BadRule(
                "unknown-parameter",
                _("The criterion “{criterion}” has no parameter “{parameter}”."),
                criterion=kind.name,
                parameter=name,
            )
        default = known[name].default
        if isinstance(default, Fraction) and type(value) is int:
            value = Fraction(value)
        if type(value) is not type(default):
            raise BadRule(
                "parameter-type",
                _KINDS[type(default)],
                criterion=kind.name,
                parameter=name,
            )
        params[name] = value
    return kind(**params)
