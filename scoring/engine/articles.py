"""The catalogue of articles, ``scoring/articles/*.toml``, and what deal scoring needs of each.

Rules specification B.3 and C. Every article is stated once, with its texts, the facts that it asks,
its citation and, under ``scored``, its amount and what becomes of the deal; the penal code reads the
rest. An article of one source may be applied in another game (the amount is then that game's
penalty), because most sources name no sanction of their own.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import MISSING, dataclass, fields
from enum import StrEnum
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from .errors import Malformed
from .rulebooks import RULEBOOKS

FILES: Final = (
    "000-parlee",
    "001-boussac",
    "002-chaloupee",
    "003-coinchee",
    "004-muette",
    "belgian",
    "general",
    "tournament",
)
"""The files with articles, in the order of the catalogue."""
_HERE: Final = Path(__file__).parents[1] / "articles"
CODES: Final = tuple(dict.fromkeys(book.code for book in RULEBOOKS.values()))
"""The penal codes, each named by the rulebook that it was written for."""


class Amount(StrEnum):
    """Cost of an article to the offenders."""

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
    """Consequence of an article for the deal."""

    STANDS = "STANDS"
    """Play goes on and the deal is marked."""
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
    ``"choice": "redeal"``); ``rulebooks``: the codes in which it is at home; ``source``: where it is written.
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


class WrongArticle(ValueError):
    """An article file holds an unknown key or an impossible value."""


def read_file(name: str) -> dict[str, Any]:
    """Return the content of ``scoring/articles/NAME.toml``.

    Raises:
        WrongArticle: The file is not valid TOML; the message names it.
    """
    path = _HERE / f"{name}.toml"
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except tomllib.TOMLDecodeError as error:
        raise WrongArticle(f"{path.name}: {error}") from error


@lru_cache
def read_catalogue() -> Mapping[str, Mapping[str, object]]:
    """Return every article by id, as its file states it, in the order of the catalogue."""
    entries: dict[str, Mapping[str, object]] = {}
    for name in FILES:
        for id, stated in read_file(name).items():
            if id in entries:
                raise WrongArticle(f"{name}.toml: {id} is stated twice")
            entries[id] = stated
    return MappingProxyType(entries)


def engine_article(id: str, stated: object) -> EngineArticle:
    """Return what deal scoring needs of an article: the table ``scored`` of its file.

    Raises:
        WrongArticle: Something in it is missing, unknown or impossible.
    """
    known = {field.name: field for field in fields(EngineArticle) if field.name != "id"}
    if not isinstance(stated, Mapping):
        raise WrongArticle(f"{id}.scored: a table is expected")
    wrong = [f"{key} is unknown" for key in stated if key not in known]
    wrong += [
        f"{name} is missing"
        for name, field in known.items()
        if field.default is MISSING and name not in stated
    ]
    values: dict[str, Any] = dict(stated)
    for name, kind in (("amount", Amount), ("effect", Effect)):
        try:
            values[name] = kind(stated[name]) if name in stated else None
        except ValueError as error:
            wrong.append(f"{name}: {error}")
    books = values.get("rulebooks")
    values["rulebooks"] = CODES if books == "every" else tuple(books or ())
    wrong += [
        f"rulebooks: there is no {book!r}" for book in values["rulebooks"] if book not in CODES
    ]
    wrong += [
        f"{name}: true or false is expected"
        for name, value in values.items()
        if name in known and known[name].default is False and not isinstance(value, bool)
    ]
    if wrong:
        raise WrongArticle(f"{id}.scored: {'; '.join(wrong)}")
    return EngineArticle(id=id, **values)


ARTICLES: Final = MappingProxyType(
    {id: engine_article(id, stated.get("scored")) for id, stated in read_catalogue().items()}
)
"""Every article by id, in the order of the catalogue."""

CONDUCT_KINDS: Final = ("conduct", "talk", "tournament")
"""The kinds of articles about persons: no fault in dealing, calling or playing cards."""
OF_PERSONS: Final = frozenset(
    id for id, stated in read_catalogue().items() if stated.get("kind") in CONDUCT_KINDS
)
"""The articles about persons: their offence is not for the public (C.8, parties and audience)."""


def find_article(article_id: object, field: str = "article") -> EngineArticle:
    """Return the article with this id; raise :class:`Malformed` (``unknown_article``) if there is none."""
    article = ARTICLES.get(article_id) if isinstance(article_id, str) else None
    if article is None:
        raise Malformed(
            "unknown_article",
            f"{article_id!r} is not an article; known: {', '.join(ARTICLES)}",
            field,
            {"article": repr(article_id), "allowed": list(ARTICLES)},
        )
    return article
