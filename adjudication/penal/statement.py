"""Facts as stated by the referee, checked against the fields that an article asks for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from scoring.engine.cards import CARD_NAMES
from scoring.texts import Message
from scoring.texts import gettext_lazy as _

from .article import Article, FactField, FactType
from .game import Game

Facts = Mapping[str, object]

_MISSING = _("must be stated")
_UNKNOWN = _("is not a fact of this article")
_WRONG = _("has an impossible value")


@dataclass(frozen=True, slots=True)
class Defect:
    """One fact that is missing, unknown or impossible: its field and why."""

    field: str
    code: str
    text: Message


class FactsError(ValueError):
    """The facts do not suffice; ``defects`` lists every fact concerned."""

    def __init__(self, defects: list[Defect]) -> None:
        self.defects = defects
        super().__init__("; ".join(f"{d.field} {d.text.render('en')}" for d in defects))


def fact_defects(article: Article, facts: Facts, game: Game) -> list[Defect]:
    """Return every missing, unknown or impossible fact."""
    defects = [Defect(name, "unknown", _UNKNOWN) for name in facts if article.fact(name) is None]
    for field in article.facts:
        value = facts.get(field.name)
        if value is None or value == "":
            if field.required:
                defects.append(Defect(field.name, "missing", _MISSING))
        elif not _fits(field, value, game):
            defects.append(Defect(field.name, "wrong", _WRONG))
    if article.discretionary and facts.get("measure") == "penalty" and not facts.get("offender"):
        missing = Defect("offender", "missing", _MISSING)
        defects.extend([missing] if missing not in defects else [])
    return defects


def stated(facts: Facts, name: str) -> object | None:
    """Return the fact ``name``, or ``None`` if it is empty."""
    value = facts.get(name)
    return None if value == "" else value


def _fits(field: FactField, value: object, game: Game) -> bool:
    if field.type is FactType.BOOL:
        return isinstance(value, bool)
    if field.type in (FactType.INT, FactType.TRICK):
        if isinstance(value, bool) or not isinstance(value, int):
            return False
        low = field.minimum is None or value >= field.minimum
        return low and (field.maximum is None or value <= field.maximum)
    if field.type is FactType.SEAT:
        return value in game.sides
    if field.type is FactType.CARD:
        return value in CARD_NAMES
    return value in [choice for choice, _ in field.choices]
