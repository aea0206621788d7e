"""Evidence from the record of a deal: what was played, which plays were illegal, what proves it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple
from urllib.parse import urlencode

from django.urls import reverse

from adjudication.penal import (
    Article,
    Facts,
    Finding,
    Verdict,
    alike,
    as_similar,
    differs,
    findings,
)
from adjudication.penal import Proposal as PenalProposal
from adjudication.penal.article import Measure
from adjudication.penal.consistency import SimilarRuling
from adjudication.penal.proposal import DealOutcome
from adjudication.queries.cases import Case
from adjudication.queries.effects import number_of
from scoring.engine.errors import EngineError
from scoring.engine.speech import card_name, with_signs
from tournament.tables.rules import spoken
from tournament.tables.score_sheet import ScoreSheet

from .shown import RulingShown, language, listed, localized, rulings_with, show, side_label


@dataclass(frozen=True, slots=True)
class ProvenPlay:
    """An illegal play found in the record, worded, with the form that rules on it filled in."""

    finding: Finding
    text: str
    query: str
    index: int


class PlayedCard(NamedTuple):
    """A card of a trick, as ``parts/sheet/card.html`` shows it."""

    seat: str
    code: str
    rank: str
    suit: str
    illegal: bool
    proof: bool
    winner: bool


class PlayedTrick(NamedTuple):
    """A trick as it was played; ``points``: ``None`` while it is not whole."""

    n: int
    points: int | None
    winner: str
    cards: list[PlayedCard]


@dataclass(slots=True)
class WrittenDeal:
    """A deal as the table wrote it."""

    sentences: list[str] = field(default_factory=list)
    tricks: list[PlayedTrick] = field(default_factory=list)
    violations: list[ProvenPlay] = field(default_factory=list)
    by_cards: bool = False
    refused: str = ""


def record_of(case: Case) -> WrittenDeal:
    """Return the deal's record with the illegal plays found by the engine."""
    record = WrittenDeal()
    if case.sheet is None or case.deal is None:
        return record
    record.sentences = [spoken(line, language()) for line in case.deal.lines]
    entry = case.deal.entry
    if "record" not in entry:
        return record
    record.by_cards = True
    try:
        replayed, _places = ScoreSheet(case.sheet).replay(entry, partial=True)
    except EngineError as error:
        record.refused = error.message
        return record
    illegal = {(v["trick"], v["card"]): v["kind"] for v in replayed["violations"]}
    proofs = {
        (v["provable"]["trick"], v["provable"]["card"])
        for v in replayed["violations"]
        if v["provable"]
    }
    for trick in replayed["tricks"]:
        record.tricks.append(
            PlayedTrick(
                trick["n"],
                trick["points"],
                side_label(case, trick["winner"]),
                [
                    PlayedCard(
                        seat=side_label(case, player),
                        code=card,
                        rank=card_name(card, language())[:-1],
                        suit=card[-1],
                        illegal=(trick["n"], card) in illegal,
                        proof=(trick["n"], card) in proofs,
                        winner=player == trick["winner"],
                    )
                    for player, card in trick["plays"]
                ],
            )
        )
    for index, finding in enumerate(findings(replayed["violations"], case.sheet.rulebook)):
        article = finding.articles[0] if finding.articles else ""
        record.violations.append(
            ProvenPlay(finding, _in_seats(case, finding), _query(finding, article), index)
        )
    return record


def _in_seats(case: Case, finding: Finding) -> str:
    text = with_signs(localized(finding.text), language())
    return text.replace(f" {finding.seat} ", f" {side_label(case, finding.seat)} ", 1)


def _query(finding: Finding, article: str) -> str:
    return urlencode(
        {
            "article": article,
            "f-offender": finding.seat,
            "f-trick": finding.trick,
            "f-card": finding.card,
            "f-noticed": "after_deal",
            "f-proved": "yes",
        }
    )


@dataclass(frozen=True, slots=True)
class Compared:
    """A ruling of this event under the same article, and in what the proposal differs from it."""

    shown: RulingShown
    differs: tuple[str, ...]


def similar(
    case: Case,
    article: Article,
    proposal: PenalProposal,
    facts: Facts,
    *,
    but: int | None = None,
) -> list[Compared]:
    """Return rulings in force on similar facts under the article, newest first, with every difference."""
    rows = rulings_with(case.event).filter(article=proposal.article).exclude(state="annulled")
    if but is not None:
        rows = rows.exclude(number=but)
    shown = [
        show(ruling, url=reverse("referee-ruling", args=[case.event.slug, ruling.number]))
        for ruling in listed(rows.order_by("-number")[:40])
    ]
    shown = [
        each for each in shown if not each.damaged and alike(article, each.version.facts, facts)
    ][:10]
    past = [_similar(each) for each in shown]
    warnings: dict[str, list[str]] = {}
    for warning in differs(proposal, past):
        warnings.setdefault(warning.ruling, []).append(localized(warning.text))
    return [Compared(each, tuple(warnings.get(str(each.number), ()))) for each in shown]


def _similar(shown: RulingShown) -> SimilarRuling:
    raw = shown.version.proposal
    return SimilarRuling(
        ruling=str(shown.number),
        article=raw["article"],
        verdict=Verdict(raw["verdict"]),
        measure=Measure(raw["measure"]),
        charge=number_of(raw["deal"].get("charge", 0)),
        outcome=DealOutcome(raw["deal"]["outcome"]),
        offence=raw["offence"],
        policy=raw.get("policy", "STRICT"),
    )


__all__ = ["Compared", "ProvenPlay", "WrittenDeal", "as_similar", "record_of", "similar"]
