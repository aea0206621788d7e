"""Precedents: final rulings without names, event or day, found by article and words."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import QuerySet
from django.utils import timezone
from django.utils.formats import date_format

from adjudication.models import Cause, Ruling, RulingState
from adjudication.penal import Article, Code, Facts, FactType, search
from adjudication.penal.consistency import alike
from adjudication.penal.search import fold
from adjudication.queries.cases import Case
from adjudication.queries.shown import (
    article_of,
    fact_text,
    language,
    listed,
    localized,
    related,
    show,
    side_label,
)
from tournament.models import Event
from tournament.queries.rulebooks import book_of

MOST_READ = 400
"""Newest rulings that a search reads."""
MOST_SHOWN = 40
BESIDE = 5
"""Precedents shown beside a proposal."""


@dataclass(frozen=True, slots=True)
class StatedFact:
    """A fact in words, with a seat in place of a player."""

    label: str
    value: str


@dataclass(frozen=True, slots=True)
class Precedent:
    """A final ruling without names; ``month`` of its decision, ``heard``: the outcome of an appeal."""

    article: str
    title: str
    rulebook: str
    month: str
    facts: list[StatedFact]
    decision: str
    heard: str

    @property
    def words(self) -> str:
        """Every word of it, folded for a search."""
        facts = " ".join(f"{each.label} {each.value}" for each in self.facts)
        return fold(f"{self.article} {self.title} {self.rulebook} {facts} {self.decision}")


def _final() -> QuerySet[Ruling]:
    """Return the final rulings of every event, newest first."""
    rows = related(Ruling.objects.filter(state=RulingState.FINAL))
    return rows.order_by("-issued_at", "-pk")


def precedents(code: Code, words: str, article: str = "") -> list[Precedent]:
    """Return the newest precedents of an article and with all words, or of an article with the words."""
    rows = _final().filter(article=article) if article else _final()
    matching = {each.id for each in search(code, words, language())} if words else set()
    wanted = fold(words).split()
    shown = []
    for ruling in listed(rows[:MOST_READ]):
        precedent = _precedent(ruling)
        if precedent is None:
            continue
        if (wanted and not article and precedent.article in matching) or all(
            word in precedent.words for word in wanted
        ):
            shown.append(precedent)
        if len(shown) == MOST_SHOWN:
            break
    return shown


def precedents_of(event: Event, article: Article, facts: Facts) -> list[Precedent]:
    """Return the newest precedents of other events on similar facts under an article."""
    rows = _final().filter(article=article.id).exclude(event=event)[:MOST_SHOWN]
    similar = [
        ruling
        for ruling in listed(rows)
        if alike(article, list(ruling.versions.all())[-1].facts, facts)
    ]
    shown = (_precedent(ruling) for ruling in similar)
    return [each for each in shown if each is not None][:BESIDE]


def _precedent(ruling: Ruling) -> Precedent | None:
    """Return a ruling without names; ``None`` for one that cannot be read."""
    shown = show(ruling, outside=True)
    if shown.damaged:
        return None
    article = article_of(ruling.event, ruling.article, shown.version.context.get("code"))
    causes = {version.cause for version in ruling.versions.all()}
    heard = [cause for cause in (Cause.UPHELD, Cause.CHANGED) if cause in causes]
    return Precedent(
        article=shown.article,
        title=shown.title,
        rulebook=localized(book_of(ruling.event).title),
        month=date_format(timezone.localtime(ruling.issued_at), "F Y"),
        facts=_facts(shown.case, article, shown.version.facts),
        decision=shown.penalty,
        heard=str(heard[-1].label) if heard else "",
    )


def _facts(case: Case, article: Article | None, facts: Facts) -> list[StatedFact]:
    """Return the stated facts, with seats in place of players."""
    if article is None:
        return []
    return [
        StatedFact(
            localized(field.label),
            side_label(case, str(facts[field.name]))
            if field.type is FactType.SEAT
            else fact_text(case, field, facts[field.name]),
        )
        for field in article.facts
        if facts.get(field.name) not in (None, "")
    ]
