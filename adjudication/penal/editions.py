"""Which articles make the penal code of each rulebook, by edition.

An event pins an edition; an edition is never edited. A change of any text or amount is a new
entry in :data:`EDITIONS`, and a test compares the fingerprints of the published ones.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from .article import Article, Origin
from .articles import (
    belgian,
    boussac_conduct,
    boussac_dealing,
    boussac_play,
    general,
    parlee,
    recommended,
    revised,
    tournament,
    tournament_conduct,
    wikipedia,
)

CURRENT: Final = "2026.2"

_FIRST: Final[Mapping[str, Article]] = {
    article.id: article
    for module in (
        parlee.ARTICLES,
        boussac_dealing.ARTICLES,
        boussac_play.ARTICLES,
        boussac_conduct.ARTICLES,
        recommended.CHALOUPEE,
        recommended.COINCHEE,
        wikipedia.ARTICLES,
        belgian.BELGIAN,
        tournament.ARTICLES,
        tournament_conduct.ARTICLES,
    )
    for article in module
}

_SECOND: Final[Mapping[str, Article]] = {
    **{id: revised.ARTICLES.get(id, article) for id, article in _FIRST.items()},
    **{article.id: article for article in general.ARTICLES},
}
"""Edition 2026.2: the general articles, and the texts that say more plainly where they come from."""

_BOUSSAC: Final = (
    "001-R1 001-R2a 001-R2b 001-R3 001-R4 001-R5 001-R6a 001-R6b 001-R7 001-R8 "
    "001-R9a 001-R9b 001-R9c 001-R9d 001-R10 001-R11 001-R12 001-R13 001-R14 001-R15 001-R16 001-R17"
)
_TOURNAMENT: Final = tuple(
    article.id for article in (*tournament.ARTICLES, *tournament_conduct.ARTICLES)
)
_TWO_CARDS: Final = "001-R5"
"""In 2026.1 held for every rulebook without a rule of its own on two cards (Q-001-2)."""

_RULEBOOKS: Final[Mapping[str, str]] = {
    "parlee": "000-E1 000-E2 000-P1 000-P2 000-P3 000-P4",
    "boussac": _BOUSSAC,
    "chaloupee": "002-P1 002-P2 002-P3 002-P4 002-A1 002-A2 002-A3",
    "coinchee": "003-P1 003-P2 003-P3 003-P4 003-C1",
    "muette": "004-V1 004-E1 004-B1",
    "parlee-limited": "004-V1 004-E2 004-E3 004-B1",
    "blind": "004-E1 004-B2",
    "three-player": "004-V1 004-E1 004-T1",
    "auction-1": "BE-P1 BE-P2 BE-P3 BE-P4 BE-P5 004-A1",
    "auction-2": "BE-P1 BE-P2 BE-P3 BE-P4 BE-P5 004-A1",
    "auction-3": "BE-P1 BE-P2 BE-P3 BE-P4 BE-P5 004-A1",
    "belgian": "BE-P1 BE-P2 BE-P3 BE-P4 BE-P5",
}


_GENERAL: Final = "GEN-TURN GEN-SHOW GEN-TWO GEN-COUNT"
_GENERAL_AFTER: Final = "GEN-TRICK GEN-CLAIM GEN-SCORE GEN-DISC"
_GENERAL_OF: Final[Mapping[str, str]] = {
    # 001 keeps its own figures: rules 5 to 8, 10 and 11 to 13.
    "boussac": "GEN-SHOW GEN-UP GEN-CLAIM GEN-SCORE GEN-DISC",
    "parlee": f"{_GENERAL} GEN-UP {_GENERAL_AFTER}",
    # Calls have an article of the rulebook here: 002-A1, 003-C1, 004-A1.
    **dict.fromkeys(
        ("chaloupee", "coinchee", "auction-1", "auction-2", "auction-3"),
        f"{_GENERAL} GEN-NAME {_GENERAL_AFTER}",
    ),
    **dict.fromkeys(
        ("muette", "parlee-limited", "blind", "three-player", "belgian"),
        f"{_GENERAL} GEN-CALL GEN-NAME {_GENERAL_AFTER}",
    ),
}
"""The general articles of each rulebook: those for which it has no article of its own (C.8)."""


def _first(ids: str) -> tuple[Article, ...]:
    own = tuple(_FIRST[name] for name in ids.split())
    two_cards: tuple[Article, ...] = ()
    if all(article.id != _TWO_CARDS for article in own):
        # By analogy: the duty and its remedy are 001's, their use here is a recommendation.
        two_cards = (replace(_FIRST[_TWO_CARDS], origin=Origin.RECOMMENDED),)
    return (*own, *two_cards, *(_FIRST[name] for name in _TOURNAMENT))


def _second(rulebook: str, ids: str) -> tuple[Article, ...]:
    names = (*ids.split(), *_GENERAL_OF[rulebook].split(), *_TOURNAMENT)
    return tuple(_SECOND[name] for name in names)


EDITIONS: Final[Mapping[str, Mapping[str, tuple[Article, ...]]]] = {
    "2026.1": {rulebook: _first(ids) for rulebook, ids in _RULEBOOKS.items()},
    "2026.2": {rulebook: _second(rulebook, ids) for rulebook, ids in _RULEBOOKS.items()},
}
_PUBLISHED: Final = {"2026.1": _FIRST, "2026.2": _SECOND}

RULEBOOKS: Final = tuple(_RULEBOOKS)


def all_articles(edition: str = CURRENT) -> Mapping[str, Article]:
    """Every article of an edition by id, each as its own rulebook has it.

    Raises ``KeyError`` for an edition that was never published.
    """
    return _PUBLISHED[edition]
