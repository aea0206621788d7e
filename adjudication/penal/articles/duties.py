"""The four duties of card play as recommended articles, and the words they are found by (B.3)."""

from __future__ import annotations

from typing import Final

from adjudication.penal.article import (
    Article,
    Charge,
    Citation,
    DealRule,
    Kind,
    Origin,
    Who,
)
from scoring.engine.texts import Texts as T

from . import established
from .parlee import CARD_FACTS

FOLLOW: Final = T(
    en="follow suit revoke false ruff",
    fr="fournir renonce coupe à faux couleur",
    nl="volgen verzaken loochenen vals kopen",
)
BEAT: Final = T(en="beat force raise", fr="forcer monter sous-force", nl="overgaan hoger spelen")
RUFF: Final = T(
    en="ruff trump discard", fr="couper atout pisser défausser", nl="kopen introeven afleggen"
)
OVERRUFF: Final = T(
    en="overruff higher trump", fr="surcouper atout supérieur", nl="overkopen overtroeven"
)


def duty(id: str, citation: Citation, title: T, text: T, keywords: T) -> Article:
    """A duty of card play whose breach costs the penalty in place of the deal."""
    return Article(
        id=id,
        kind=Kind.CARD_PLAY,
        origin=Origin.RECOMMENDED,
        title=title,
        text=text,
        citation=citation,
        who=Who.PLAYER,
        established=established.BEFORE_SIGNATURES,
        charge=Charge.PENALTY,
        deal=DealRule.REPLACED,
        facts=CARD_FACTS,
        correctable=True,
        keywords=keywords,
    )
