"""The articles as their files state them, read into values and checked (``scoring/articles``).

What an article computes is named there by the closed lists of :mod:`.article`: kinds, charges,
effects, measures, ladders and types of facts.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from scoring.engine.articles import read_file
from scoring.texts import join, read_message

from .article import Article, FactField
from .codec import PenalCodeError, read

_FACTS: Final = read_file("facts")


def _text(raw: object) -> object:
    """Return the message of a text or of a list of texts; else ``raw``, which validation refuses."""
    if isinstance(raw, list):
        return join(" ", [read_message(part) for part in raw])
    return read_message(raw) if isinstance(raw, str | dict) else raw


def _with_texts(raw: object, *names: str) -> object:
    if not isinstance(raw, dict):
        return raw
    return {key: _text(value) if key in names else value for key, value in raw.items()}


def _fact(name: str, stated: Mapping[str, object]) -> object:
    if name not in _FACTS:
        raise PenalCodeError([f"there is no fact {name!r} in facts.toml"])
    raw = {"name": name, **_FACTS[name], **stated}
    choices = raw.get("choices", {})
    if isinstance(choices, dict):
        raw["choices"] = [[value, _text(label)] for value, label in choices.items()]
    return _with_texts(raw, "label", "help")


def read_fact(name: str) -> FactField:
    """Return the fact ``name`` as most articles ask it."""
    return read(FactField, _fact(name, {}), name)


def read_article(id: str, raw: Mapping[str, object]) -> Article:
    """Return the article ``id``, stated as in its file.

    Raises:
        PenalCodeError: Something is missing, unknown or impossible; it lists every defect.
    """
    article: dict[str, Any] = {"id": id, **raw}
    article.pop("scored", None)
    stated = article.pop("stated", {})
    facts = article.pop("facts", [])
    defects = [f"{id}.stated.{name}: not one of the facts" for name in stated if name not in facts]
    article["options"] = article.pop("offers", [])
    try:
        article["facts"] = [_fact(name, stated.get(name, {})) for name in facts]
        for key, text in (("conditions", "otherwise"), ("options", "label"), ("cases", "text")):
            article[key] = [_with_texts(item, text) for item in article.get(key, [])]
    except (PenalCodeError, ValueError) as error:
        raise PenalCodeError([*defects, f"{id}: {error}"]) from error
    if isinstance(article.get("ladder"), dict):
        steps = [{"upto": None, **step} for step in article["ladder"].get("steps", [])]
        article["ladder"] = {**article["ladder"], "steps": steps}
    whole = _with_texts(article, "title", "text", "established", "keywords")
    if defects:
        raise PenalCodeError(defects)
    return read(Article, whole, id)


def read_articles(stated: Iterable[tuple[str, Mapping[str, object]]]) -> dict[str, Article]:
    """Return the articles by id, in their order.

    Raises:
        PenalCodeError: It lists every defect of every article.
    """
    articles: dict[str, Article] = {}
    defects: list[str] = []
    for id, raw in stated:
        try:
            articles[id] = read_article(id, raw)
        except PenalCodeError as error:
            defects += error.defects
    if defects:
        raise PenalCodeError(defects)
    return articles
