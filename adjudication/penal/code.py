"""The penal code in force at an event: an edition, what the event adopts, adds and changes.

``code_for`` merges them and refuses what cannot be: a house article may not take a published id,
only ladders of tournament articles (additions) may change, and every text is in three languages.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from scoring.texts import Text, in_every_language

from .article import (
    Article,
    Charge,
    DealRule,
    FactType,
    Ladder,
    LadderBy,
    Measure,
    Origin,
    Rulers,
)
from .codec import PenalCodeError, fingerprint, read, to_json
from .editions import (
    CURRENT,
    EDITIONS,
    PUBLISHED_DUTCH,
    PUBLISHED_FRENCH,
    PUBLISHED_WORDS,
    SPACED,
    all_articles,
)

_HOUSE_ID: Final = re.compile(r"H-[A-Z0-9][A-Z0-9-]{0,18}")
_NAME: Final = re.compile(r"[a-z][a-z0-9_]{0,30}")


@dataclass(frozen=True, slots=True)
class Code:
    """The articles in force for one rulebook, in order, with the edition they come from."""

    rulebook: str
    edition: str
    articles: tuple[Article, ...]
    house: tuple[str, ...] = ()
    """Ids that the event added."""
    changed: tuple[str, ...] = ()
    """Ids whose ladder the event changed."""
    rulers: Mapping[str, Rulers] = field(default_factory=dict, hash=False)
    """Articles under which not every referee rules at this event."""

    def rulers_of(self, *ids: str) -> Rulers:
        """Return the strictest rank required by the articles; any referee if none is set."""
        order = list(Rulers)
        return max((self.rulers.get(id, Rulers.REFEREE) for id in ids), key=order.index)

    def article(self, id: str) -> Article:
        """Return the article ``id``; raise :class:`PenalCodeError` if this code lacks it."""
        for article in self.articles:
            if article.id == id:
                return article
        raise PenalCodeError([f"{id} is not an article of this code ({self.rulebook})"])

    def __contains__(self, id: object) -> bool:
        return any(article.id == id for article in self.articles)

    @property
    def fingerprint(self) -> str:
        """SHA-256 of the content: two codes that rule alike to the comma share it."""
        articles = fingerprint(
            self.articles,
            SPACED,
            {"en": PUBLISHED_WORDS, "fr": PUBLISHED_FRENCH, "nl": PUBLISHED_DUTCH},
        )
        if not self.rulers:
            return articles
        who = json.dumps([articles, dict(self.rulers)], sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(who.encode()).hexdigest()


def code_for(
    rulebook: str,
    edition: str = CURRENT,
    house_articles: Sequence[Article] = (),
    ladder_overrides: Mapping[str, Ladder] | None = None,
    adopted: Iterable[str] = (),
    rulers: Mapping[str, Rulers] | None = None,
) -> Code:
    """Return the code of ``rulebook`` with an event's own articles, ladders and adopted articles.

    ``adopted`` names articles of another rulebook that the event takes over (their origin then
    reads *recommended*). Raises :class:`PenalCodeError` listing every defect.
    """
    defects: list[str] = []
    if edition not in EDITIONS:
        raise PenalCodeError([f"unknown edition {edition!r}: {', '.join(EDITIONS)}"])
    books = EDITIONS[edition]
    if rulebook not in books:
        raise PenalCodeError([f"unknown rulebook {rulebook!r}: {', '.join(books)}"])
    articles = list(books[rulebook])
    published = all_articles(edition)
    present = {article.id for article in articles}
    for name in adopted:
        if name not in published:
            defects.append(f"adopted {name}: no such article")
        elif name not in present:
            articles.append(replace(published[name], origin=Origin.RECOMMENDED))
            present.add(name)
    for article in house_articles:
        defects.extend(house_defects(article))
        if article.id in present:
            defects.append(f"{article.id}: the id is taken")
        twin = _twin(article, articles)
        if twin is not None:
            defects.append(f"{article.id}: has the same text as {twin.id}")
        articles.append(replace(article, origin=Origin.HOUSE))
        present.add(article.id)
    overrides = dict(ladder_overrides or {})
    for name, ladder in overrides.items():
        defects.extend(_override_defects(name, ladder, articles))
    defects.extend(
        f"rulers {name}: no such article" for name in rulers or {} if name not in present
    )
    if defects:
        raise PenalCodeError(defects)
    merged = tuple(
        replace(article, ladder=overrides.get(article.id, article.ladder)) for article in articles
    )
    return Code(
        rulebook,
        edition,
        merged,
        tuple(article.id for article in house_articles),
        tuple(sorted(overrides)),
        {name: who for name, who in (rulers or {}).items() if who is not Rulers.REFEREE},
    )


def house_defects(article: Article) -> list[str]:
    """Return every defect of ``article`` as a house article."""
    at = article.id
    defects: list[str] = []
    if not _HOUSE_ID.fullmatch(article.id):
        defects.append(f"{at}: a house id is H- followed by capitals, digits and hyphens")
    defects.extend(_untranslated(f"{at}.title", article.title))
    defects.extend(_untranslated(f"{at}.text", article.text))
    defects.extend(_untranslated(f"{at}.established", article.established))
    if not article.citation.source.strip():
        defects.append(f"{at}.citation: say where the article was decided")
    names = [fact.name for fact in article.facts]
    defects.extend(
        f"{at}.facts: {name} is stated twice"
        for name in sorted({n for n in names if names.count(n) > 1})
    )
    for fact in article.facts:
        if not _NAME.fullmatch(fact.name):
            defects.append(f"{at}.facts: {fact.name!r} is not a field name")
        defects.extend(_untranslated(f"{at}.facts.{fact.name}", fact.label))
        if fact.type is FactType.CHOICE and len(fact.choices) < 2:
            defects.append(f"{at}.facts.{fact.name}: a choice needs two values")
    for condition in article.conditions:
        if condition.fact not in names:
            defects.append(f"{at}.conditions: {condition.fact} is not one of the facts")
        defects.extend(_untranslated(f"{at}.conditions.{condition.fact}", condition.otherwise))
    defects.extend(
        f"{at}.cases: {case.fact} is not one of the facts"
        for case in article.cases
        if case.fact not in names
    )
    if (article.deal is DealRule.CHOICE) != bool(article.options):
        defects.append(f"{at}.options: they go with the effect “choice”, and only with it")
    if (article.charge is Charge.LADDER) != (
        article.ladder is not None
    ) and not article.discretionary:
        defects.append(f"{at}.ladder: it goes with the charge “ladder”, and only with it")
    if article.ladder is not None:
        defects.extend(ladder_defects(at, article.ladder))
        if article.ladder.by is LadderBy.MINUTES and "minutes" not in names:
            defects.append(f"{at}.ladder: minutes must be one of the facts")
    if article.charge is not Charge.NONE and "offender" not in names and "dealer" not in names:
        defects.append(f"{at}.facts: a penalty needs the offender")
    if article.discretionary and article.fact("measure") is None:
        defects.append(f"{at}.facts: a discretionary article needs the measure")
    return defects


def ladder_defects(at: str, ladder: Ladder) -> list[str]:
    """Return every defect of ``ladder``."""
    defects: list[str] = []
    if not ladder.steps:
        return [f"{at}.ladder: no steps"]
    if ladder.steps[-1].upto is not None:
        defects.append(f"{at}.ladder: the last step is open-ended")
    limits = [step.upto for step in ladder.steps[:-1]]
    if any(limit is None for limit in limits):
        defects.append(f"{at}.ladder: only the last step is open-ended")
    numbers = [limit for limit in limits if limit is not None]
    if numbers != sorted(set(numbers)):
        defects.append(f"{at}.ladder: the steps rise")
    for step in ladder.steps:
        if step.share < 0:
            defects.append(f"{at}.ladder: a share is not negative")
        if (step.measure is Measure.DEALS_CONCEDED) != (step.deals > 0):
            defects.append(f"{at}.ladder: deals go with conceded deals, and only with them")
    return defects


def _override_defects(name: str, ladder: Ladder, articles: Sequence[Article]) -> list[str]:
    article = next((a for a in articles if a.id == name), None)
    if article is None:
        return [f"ladder {name}: no such article"]
    if article.origin is not Origin.ADDITION or article.ladder is None:
        return [f"ladder {name}: only ladders of tournament articles may change"]
    if ladder.by is not article.ladder.by:
        return [f"ladder {name}: it counts {article.ladder.by}"]
    return ladder_defects(name, ladder)


def _untranslated(where: str, texts: Text) -> list[str]:
    return [
        f"{where}: the text in {language} is missing"
        for language, text in in_every_language(texts).items()
        if not text.strip()
    ]


def _twin(article: Article, others: Sequence[Article]) -> Article | None:
    def key(texts: Text) -> str:
        return " ".join(texts.render("en").lower().split())

    return next((other for other in others if key(other.text) == key(article.text)), None)


def house_from_json(raw: object) -> tuple[tuple[Article, ...], dict[str, Ladder], tuple[str, ...]]:
    """Parse ``{"articles": [...], "ladders": {id: ...}, "adopted": [...]}`` into arguments of ``code_for``.

    An article may leave ``origin`` out. Raises :class:`PenalCodeError` with every defect.
    """
    if not isinstance(raw, dict):
        raise PenalCodeError(["an object is expected"])
    known = ("articles", "ladders", "adopted", "rulers")
    defects = [f"{key}: unknown" for key in raw if key not in known]
    articles: list[Article] = []
    ladders: dict[str, Ladder] = {}
    listed, steps, adopted = raw.get("articles", []), raw.get("ladders", {}), raw.get("adopted", [])
    if not isinstance(listed, list) or not isinstance(steps, dict) or not isinstance(adopted, list):
        raise PenalCodeError([*defects, "articles and adopted are lists, ladders an object"])
    for index, item in enumerate(listed):
        try:
            whole = {"origin": Origin.HOUSE.value, **item} if isinstance(item, dict) else item
            articles.append(read(Article, whole, f"articles[{index}]"))
        except PenalCodeError as error:
            defects.extend(error.defects)
    for name, item in steps.items():
        try:
            ladders[str(name)] = read(Ladder, item, f"ladders.{name}")
        except PenalCodeError as error:
            defects.extend(error.defects)
    if not all(isinstance(name, str) for name in adopted):
        defects.append("adopted: a list of article ids")
    if defects:
        raise PenalCodeError(defects)
    return tuple(articles), ladders, tuple(str(name) for name in adopted)


def rulers_from_json(raw: Mapping[str, object]) -> dict[str, Rulers]:
    """Parse ``rulers`` of house rules in JSON: ``{id: "referee", "chief" or "two"}``.

    Raises:
        PenalCodeError: With every defect.
    """
    listed = raw.get("rulers", {})
    if not isinstance(listed, dict):
        raise PenalCodeError(["rulers: an object is expected"])
    allowed = [each.value for each in Rulers]
    defects = [
        f"rulers.{name}: {who!r} is not one of {', '.join(allowed)}"
        for name, who in listed.items()
        if who not in allowed
    ]
    if defects:
        raise PenalCodeError(defects)
    return {str(name): Rulers(who) for name, who in listed.items()}


def house_to_json(
    articles: Sequence[Article], ladders: Mapping[str, Ladder], adopted: Sequence[str] = ()
) -> dict[str, object]:
    """Return house rules as JSON, the input of :func:`house_from_json`."""
    return {
        "articles": [to_json(article) for article in articles],
        "ladders": {name: to_json(ladder) for name, ladder in ladders.items()},
        "adopted": list(adopted),
    }
