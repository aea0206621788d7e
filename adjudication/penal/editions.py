"""Articles of each rulebook's penal code, by edition (``scoring/articles/editions.toml``).

A rulebook without a penal code of its own names another one as ``code`` (``scoring/books/*.toml``).

An event pins an edition; an edition is never edited. A change of any text or amount is a new
edition, and a test compares the fingerprints of the published ones.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from scoring.engine.articles import read_catalogue, read_file
from scoring.engine.rulebooks import RULEBOOKS as BOOKS

from .article import Article, Beneficiary, Origin
from .catalogue import read_articles
from .codec import PenalCodeError, messages_of

_FILE: Final = read_file("editions")
_TOURNAMENT: Final = tuple(_FILE.pop("tournament"))
PUBLISHED_WORDS: Final[Mapping[str, str]] = _FILE.pop("published")
"""Today's English of texts that were reworded without a change of meaning, and the published one."""
PUBLISHED_FRENCH: Final[Mapping[str, str]] = _FILE.pop("published_french")
"""The same of today's French."""
PUBLISHED_DUTCH: Final[Mapping[str, str]] = _FILE.pop("published_dutch")
"""Today's English of texts whose Dutch was reworded, and the published Dutch."""
CURRENT: Final = "2026.5"


def _rulebooks(edition: Mapping[str, Any]) -> Mapping[str, list[str]]:
    """Return the articles of each rulebook: its own in the edition, or those of another rulebook it names."""
    named = _FILE[edition["rulebooks_of"]] if "rulebooks_of" in edition else edition
    listed: Mapping[str, list[str]] = named["rulebooks"]
    return listed


def _published(edition: Mapping[str, Any]) -> Mapping[str, Article]:
    """Return every article of an edition; ``earlier`` holds the texts that have changed since."""
    earlier = edition.get("earlier", {})
    listed = {id for ids in _rulebooks(edition).values() for id in (*ids, *_TOURNAMENT)}
    catalogue = read_catalogue()
    unknown = sorted({*listed, *earlier} - set(catalogue))
    if unknown:
        raise PenalCodeError([f"editions.toml: there is no article {id}" for id in unknown])
    articles = read_articles(
        (id, {**stated, **earlier.get(id, {})}) for id, stated in catalogue.items() if id in listed
    )
    if not edition.get("fellows_gain"):
        return articles
    return {id: _fellows_gaining(article) for id, article in articles.items()}


def _fellows_gaining(article: Article) -> Article:
    """Return the article as in earlier editions, where fellow defenders gained like any opponent."""
    if article.beneficiary is not Beneficiary.OTHER_SIDE:
        return article
    return replace(article, beneficiary=Beneficiary.OPPONENTS)


def _code(edition: Mapping[str, Any], code: str, all_: Mapping[str, Article]) -> list[Article]:
    own = [all_[id] for id in _rulebooks(edition)[code]]
    adopted = [
        replace(all_[id], origin=Origin.RECOMMENDED)
        for id in edition.get("adopted", ())
        if id not in _rulebooks(edition)[code]
    ]
    return [*own, *adopted, *(all_[id] for id in _TOURNAMENT)]


_PUBLISHED: Final = {name: _published(edition) for name, edition in _FILE.items()}
EDITIONS: Final[Mapping[str, Mapping[str, tuple[Article, ...]]]] = {
    name: {
        rulebook: tuple(_code(edition, book.code, _PUBLISHED[name]))
        for code in _rulebooks(edition)
        for rulebook, book in BOOKS.items()
        if book.code == code
    }
    for name, edition in _FILE.items()
}
RULEBOOKS: Final = tuple(EDITIONS[CURRENT])
SPACED: Final = frozenset(messages_of(tuple(_PUBLISHED["2026.1"].values())))
"""The texts of edition 2026.1: their fingerprint is that of ordinary spaces in French."""


def all_articles(edition: str = CURRENT) -> Mapping[str, Article]:
    """Return every article of an edition by id, each in the version of its own rulebook.

    Raises ``KeyError`` for an edition that was never published.
    """
    return _PUBLISHED[edition]
