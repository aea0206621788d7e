"""Every article of the infraction catalogue: id, source, amount and what becomes of the deal.

Rules specification B.3 and C. The wording for a ruling, in three languages, belongs to the penal
code; here stands only what deal scoring needs. An article of one source may be applied in another
game (the amount is then that game's penalty), because most sources name no sanction of their own.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import Final

from .errors import Malformed


class Amount(StrEnum):
    """How much an article costs."""

    NONE = "NONE"
    PENALTY = "PENALTY"
    """The event's ``penalty_value``: 34 or 30 unless changed (Q-GEN-3)."""
    REPEATED = "REPEATED"
    """A warning or a remedy the first time; the penalty when the infraction says ``repeated``."""
    DELIBERATE = "DELIBERATE"
    """Nothing unless the infraction says ``deliberate``; then the penalty."""
    DOUBLE = "DOUBLE"
    """Twice the penalty: 60 in 60-games for a deliberate revoke (E10)."""


class Effect(StrEnum):
    """What becomes of the deal."""

    STANDS = "STANDS"
    """It is played on and marked."""
    REPLACED = "REPLACED"
    """A penalty stands for the result (Q-GEN-4), unless ``penalty_replaces_deal`` is false."""
    REDEAL_SAME = "REDEAL_SAME"
    """Nothing is marked; the same dealer deals again."""
    REDEAL_NEXT = "REDEAL_NEXT"
    """Nothing is marked; the deal passes on."""
    BLIND_CANCELLED = "BLIND_CANCELLED"
    """The doubling for blind trump falls away; the deal is marked without it (004-B1)."""


@dataclass(frozen=True, slots=True)
class EngineArticle:
    """One article. ``cancels_bonus``: no valid deal, so the turn-up bonus falls too (C.2).

    ``option``: the opponents may ask for a redeal instead (the infraction says
    ``"choice": "redeal"``); ``rulebooks``: where it is at home; ``source``: where it is written.
    """

    id: str
    source: str
    amount: Amount
    effect: Effect
    rulebooks: tuple[str, ...]
    cancels_bonus: bool = False
    option: bool = False
    conduct: bool = False
    """Not a fault in the play of the deal: its penalty is added, and cancels none (Q-GEN-9)."""
    null_call: bool = False
    """A doubling is null: unless it costs the penalty, the factor it brought is taken out (C.5)."""
    recommended: bool = False
    """The project's own rule (R), where the source is silent."""


PAIRS: Final = (
    "parlee",
    "boussac",
    "chaloupee",
    "coinchee",
    "muette",
    "parlee-limited",
    "blind",
    "belgian",
)
MUETTES: Final = ("muette", "parlee-limited", "three-player")
AUCTIONS: Final = ("auction-1", "auction-2", "auction-3")
EVERY: Final = (*PAIRS, "three-player", *AUCTIONS)
TURN_UP: Final = ("parlee", "boussac")
CALLING: Final = ("muette", "parlee-limited", "blind", "three-player", "belgian")
"""Where a doubling can be called and no article of the rulebook's own watches over it (C.8)."""
NAMING: Final = tuple(book for book in EVERY if book not in TURN_UP)
"""Where a player names trump (C.8)."""


def _group(
    source: str,
    ids: str,
    amount: Amount,
    effect: Effect,
    rulebooks: tuple[str, ...],
    **more: bool,
) -> list[EngineArticle]:
    return [EngineArticle(each, source, amount, effect, rulebooks, **more) for each in ids.split()]


_P, _NONE, _REPLACED, _STANDS = Amount.PENALTY, Amount.NONE, Effect.REPLACED, Effect.STANDS

_CATALOGUE: Final[tuple[EngineArticle, ...]] = (
    # C.1, source 000
    *_group("000", "000-E1 000-P1 000-P2 000-P3 000-P4", _P, _REPLACED, ("parlee",)),
    *_group("000", "000-E2", Amount.REPEATED, _STANDS, ("parlee",), recommended=True),
    # C.2, source 001
    *_group("001 r.1", "001-R1", _NONE, Effect.REDEAL_SAME, ("boussac",)),
    *_group("001 r.2", "001-R2a", _NONE, _STANDS, ("boussac",)),
    *_group("001 r.2", "001-R2b", _NONE, _STANDS, ("boussac",), option=True),
    *_group("001 r.3", "001-R3", _NONE, _STANDS, ("boussac",)),
    *_group("001 r.4", "001-R4", _NONE, _STANDS, ("boussac",)),
    *_group("001 r.5", "001-R5", _NONE, _STANDS, ("boussac",)),
    *_group("001 r.6", "001-R6a", _NONE, Effect.REDEAL_NEXT, ("boussac",)),
    *_group("001 r.6", "001-R6b", _P, _REPLACED, ("boussac",), cancels_bonus=True),
    *_group("001 r.7", "001-R7", _P, _REPLACED, ("boussac",), cancels_bonus=True),
    *_group("001 r.8", "001-R8", _P, _REPLACED, ("boussac",), cancels_bonus=True),
    *_group("001 r.9", "001-R9a 001-R9b 001-R9c", _P, _REPLACED, ("boussac",)),
    *_group("001 r.9", "001-R9d", _P, _REPLACED, ("boussac",), recommended=True),
    *_group("001 r.10", "001-R10", _P, _REPLACED, ("boussac",)),
    *_group("001 r.11", "001-R11", _P, _REPLACED, ("boussac",)),
    *_group("001 r.12", "001-R12", _P, _REPLACED, ("boussac",)),
    *_group("001 r.13", "001-R13", _P, _REPLACED, ("boussac",)),
    *_group("001 r.14", "001-R14", _NONE, _STANDS, ("boussac",)),
    *_group("001 r.15", "001-R15", _NONE, _STANDS, ("boussac",)),
    *_group("001 r.16", "001-R16", _P, _REPLACED, ("boussac",)),
    *_group("001 r.17", "001-R17", _P, _REPLACED, ("boussac",), cancels_bonus=True),
    # C.3 and C.4, sources 002 and 003: no sanction stated
    *_group("R (002)", "002-A1", _NONE, _STANDS, ("chaloupee",), null_call=True, recommended=True),
    *_group(
        "R (002)",
        "002-A2 002-P1 002-P2 002-P3 002-P4",
        _P,
        _REPLACED,
        ("chaloupee",),
        recommended=True,
    ),
    *_group("R (002)", "002-A3", _NONE, Effect.REDEAL_SAME, ("chaloupee",), recommended=True),
    *_group(
        "R (003)",
        "003-P1 003-P2 003-P3 003-P4",
        _P,
        _REPLACED,
        ("coinchee",),
        recommended=True,
    ),
    *_group("R (003)", "003-C1", _NONE, _STANDS, ("coinchee",), null_call=True, recommended=True),
    # C.5, source 004
    *_group("004", "004-V1", _P, _REPLACED, MUETTES),
    *_group("004", "004-E1", Amount.REPEATED, _REPLACED, ("muette",), recommended=True),
    *_group("004", "004-E2 004-E3", _P, _REPLACED, ("parlee-limited",), recommended=True),
    *_group(
        "004",
        "004-B1",
        _NONE,
        Effect.BLIND_CANCELLED,
        ("muette", "parlee-limited"),
        option=True,
        recommended=True,
    ),
    *_group("004", "004-B2", Amount.DELIBERATE, Effect.REDEAL_SAME, ("blind",), recommended=True),
    *_group("004", "004-T1", _P, _REPLACED, ("three-player",), recommended=True),
    *_group("004", "004-A1", _NONE, _STANDS, AUCTIONS, recommended=True),
    # B.3, Belgian option and auctions
    *_group(
        "R (E10-E14)",
        "BE-P1 BE-P2 BE-P3 BE-P4 BE-P5",
        _P,
        _REPLACED,
        ("belgian", *AUCTIONS),
        recommended=True,
    ),
    # C.8, the general articles: put right the first time, the penalty when a side repeats it
    *_group(
        "R (C.8)",
        "GEN-TURN GEN-SHOW GEN-TWO GEN-TRICK GEN-CLAIM",
        Amount.REPEATED,
        _REPLACED,
        EVERY,
        recommended=True,
    ),
    *_group(
        "R (C.8)",
        "GEN-CALL",
        Amount.REPEATED,
        _REPLACED,
        CALLING,
        null_call=True,
        recommended=True,
    ),
    *_group("R (C.8)", "GEN-NAME", Amount.REPEATED, _REPLACED, NAMING, recommended=True),
    *_group("R (C.8)", "GEN-UP", Amount.REPEATED, _REPLACED, TURN_UP, recommended=True),
    *_group("R (C.8)", "GEN-COUNT", _P, _REPLACED, EVERY, cancels_bonus=True, recommended=True),
    *_group("R (C.8)", "GEN-SCORE", _NONE, _STANDS, EVERY, recommended=True),
    *_group(
        "R (C.8)", "GEN-DISC", _NONE, _STANDS, EVERY, option=True, conduct=True, recommended=True
    ),
    # C.7, the tournament's own articles: those that touch a deal's marks, then those that do not
    *_group(
        "R (E22)",
        "T-COMM T-PHONE",
        Amount.REPEATED,
        _STANDS,
        EVERY,
        conduct=True,
        recommended=True,
    ),
    *_group("R (E13)", "T-PEEK", _NONE, Effect.REDEAL_NEXT, EVERY, recommended=True),
    *_group(
        "R (E10, E20)", "T-MISD", Amount.DELIBERATE, Effect.REDEAL_SAME, EVERY, recommended=True
    ),
    *_group("R (E10)", "T-INT", Amount.DOUBLE, _REPLACED, EVERY, recommended=True),
    *_group("R (E20)", "T-CLAIM", _P, _REPLACED, EVERY, recommended=True),
    *_group(
        "R",
        "T-LATE T-ABS T-SLOW T-UNSP T-SPEC T-SELF T-SLIP",
        _NONE,
        _STANDS,
        EVERY,
        conduct=True,
        recommended=True,
    ),
)

ARTICLES: Final = MappingProxyType({article.id: article for article in _CATALOGUE})
"""Every article by id, in the order of the catalogue."""


def find_article(article_id: object, field: str = "article") -> EngineArticle:
    """The article with this id. Raises :class:`Malformed` (``unknown_article``)."""
    article = ARTICLES.get(article_id) if isinstance(article_id, str) else None
    if article is None:
        raise Malformed(
            "unknown_article",
            f"{article_id!r} is not an article; known: {', '.join(ARTICLES)}",
            field,
            {"article": repr(article_id), "allowed": list(ARTICLES)},
        )
    return article
