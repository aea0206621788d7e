"""The commonest faults of a rulebook, each with the article that governs it (``scoring/articles``)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from scoring.engine.articles import read_file
from scoring.texts import Text, in_every_language, read_message

from .article import Article, FactType
from .code import Code

COMMONEST: Final = 10


@dataclass(frozen=True, slots=True)
class Fault:
    """A fault in the words of players, its article, and the facts that those words state."""

    name: str
    label: Text
    article: Article
    facts: Mapping[str, str | bool]


_STATED: Final[Mapping[str, Mapping[str, Any]]] = read_file("fault_tiles")


def fault_label(description: str) -> Text | None:
    """Return the label of a fault that ``description`` is in any language; ``None`` for other words."""
    labels = (read_message(stated["label"]) for stated in _STATED.values())
    matching = (label for label in labels if description in in_every_language(label).values())
    return next(matching, None)


def common_faults(code: Code) -> tuple[Fault, ...]:
    """Return the ten commonest faults that ``code`` has an article for, the commonest first."""
    faults: list[Fault] = []
    for name in _STATED:
        fault = find_fault(code, name)
        if fault is not None and len(faults) < COMMONEST:
            faults.append(fault)
    return tuple(faults)


def find_fault(code: Code, name: str) -> Fault | None:
    """Return the fault ``name`` under ``code``; ``None`` where it knows no such fault."""
    stated = _STATED.get(name)
    governing = next((id for id in (stated or {}).get("articles", ()) if id in code), None)
    if stated is None or governing is None:
        return None
    article = code.article(governing)
    facts = {
        fact: value
        for fact, value in stated.get("facts", {}).items()
        if (known := article.fact(fact)) is not None
        and (known.type is FactType.BOOL) == isinstance(value, bool)
    }
    return Fault(name, read_message(stated["label"]), article, facts)
