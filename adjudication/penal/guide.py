"""The penal code as a document: ``python -m adjudication.penal.guide`` writes docs/penal-code.md."""

from __future__ import annotations

import sys
from collections.abc import Iterator

from .article import Article, Ladder, Measure
from .editions import CURRENT, EDITIONS, all_articles
from .words import BENEFICIARIES, CHARGES, DEAL_RULES, KINDS, MEASURES, ORIGINS, WHO

_OPENING = """# The penal code

Edition {edition}. This document is generated from the code's own data; change the data, not this file
(`python -m adjudication.penal.guide > docs/penal-code.md`).

*P* is the penalty value of the event: half of the deal, 34 where tricks count and 30 where they do not,
unless the event sets another. Sources: 000 parlée, 001 Boussac 1896, 002 chaloupée, 003 coinchée,
004 the encyclopaedic article. What is marked *recommended* or *addition* is not in a source.
"""


def render(edition: str = CURRENT) -> str:
    """Render the whole document in English, with the titles and texts in three languages."""
    return "\n".join(_lines(edition)) + "\n"


def _lines(edition: str) -> Iterator[str]:
    yield _OPENING.format(edition=edition)
    yield "## Which articles apply to which rulebook"
    yield ""
    yield "| rulebook | articles |"
    yield "|---|---|"
    for rulebook, articles in EDITIONS[edition].items():
        own = " ".join(a.id for a in articles if not a.id.startswith("T-"))
        yield f"| `{rulebook}` | {own} |"
    yield ""
    yield "Every rulebook also has the tournament articles, T-LATE to T-CLAIM."
    group = ""
    for article in all_articles(edition).values():
        head = article.id.split("-")[0]
        if head != group:
            group = head
            yield ""
            yield f"## {_HEADINGS[head]}"
        yield ""
        yield from _article(article)


_HEADINGS = {
    "000": "Source 000, the parlée",
    "001": "Source 001, Boussac",
    "002": "Source 002, the chaloupée",
    "003": "Source 003, the coinchée",
    "004": "Source 004, the muette and its relatives",
    "BE": "The Belgian game and the auctions",
    "T": "Tournament articles (additions)",
    "GEN": "General articles (additions)",
}


def _article(article: Article) -> Iterator[str]:
    yield f"### {article.id} · {article.title.render('en')}"
    yield ""
    yield f"*{article.title.render('fr')}* · *{article.title.render('nl')}*"
    yield ""
    yield f"- **en** {article.text.render('en')}"
    yield f"- **fr** {article.text.render('fr')}"
    yield f"- **nl** {article.text.render('nl')}"
    yield ""
    yield f"{KINDS[article.kind].render('en')}; {ORIGINS[article.origin].render('en')}. Citation: {article.citation}."
    yield ""
    yield "| who | established | penalty | beneficiary | deal |"
    yield "|---|---|---|---|---|"
    yield (
        f"| {WHO[article.who].render('en')} | {article.established.render('en')} | {CHARGES[article.charge].render('en')} "
        f"| {BENEFICIARIES[article.beneficiary].render('en')} | {DEAL_RULES[article.deal].render('en')} |"
    )
    yield ""
    if article.options:
        listed = "; ".join(option.label.render("en") for option in article.options)
        yield f"The opponents choose: {listed}."
        yield ""
    if article.ladder is not None:
        yield f"Ladder: {_ladder(article.ladder)}."
        yield ""
    if article.facts:
        listed = ", ".join(
            f"{f.label.render('en').lower()}{'' if f.required else ' (if known)'}"
            for f in article.facts
        )
        yield f"The referee states: {listed}."
    else:
        yield "The referee states no facts beyond the incident."


def _ladder(ladder: Ladder) -> str:
    unit = "minutes" if ladder.by.value == "minutes" else "offence"
    steps = []
    for step in ladder.steps:
        limit = "beyond" if step.upto is None else f"up to {unit} {step.upto}"
        if len(ladder.steps) == 1:
            limit = "always"
        if unit == "minutes" and step.upto is not None:
            limit = f"up to {step.upto} minutes"
        share = ""
        if step.measure is Measure.PENALTY:
            share = f" ({step.share} × *P*)"
        elif step.measure is Measure.DEALS_CONCEDED:
            share = f" ({step.deals}, each at {step.share} × *P*)"
        steps.append(f"{limit}: {MEASURES[step.measure].render('en')}{share}")
    return "; ".join(steps)


if __name__ == "__main__":
    sys.stdout.write(render())
