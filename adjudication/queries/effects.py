"""Effects of rulings in force on deals and matches, read from the stored proposals."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from adjudication.models import Incident, NextRound, Ruling, RulingState
from adjudication.penal import (
    Bonus,
    DealEffect,
    DealOutcome,
    Infraction,
    Measure,
    NextDealer,
    Verdict,
)
from scoring.engine.articles import ARTICLES
from tournament.models import DrawState, Round, RoundState, Stage
from tournament.models.tables import DealVersion, Series
from tournament.queries.matches import seats_winners
from tournament.queries.moves import drawn_after


def number_of(value: object) -> int | Fraction:
    """Parse a number of a stored proposal: whole, or a fraction ``"n/d"``."""
    return value if isinstance(value, int) else Fraction(str(value))


def effect_from_json(raw: dict[str, Any], article: str = "") -> DealEffect:
    """Parse the deal's effect of a stored proposal; ``article`` decides about conduct in older ones."""
    known = ARTICLES.get(article)
    return DealEffect(
        outcome=DealOutcome(raw["outcome"]),
        infractions=tuple(
            Infraction(**{"side": "", **entry}) for entry in raw.get("infractions", [])
        ),
        marks={side: number_of(n) for side, n in raw.get("marks", {}).items()},
        extra={side: number_of(n) for side, n in raw.get("extra", {}).items()},
        bonus=Bonus(raw.get("bonus", Bonus.NONE)),
        bonus_side=raw.get("bonus_side"),
        bonus_marks=raw.get("bonus_marks", 0),
        next_dealer=NextDealer(raw.get("next_dealer", NextDealer.NEXT)),
        offender=raw.get("offender"),
        charge=number_of(raw.get("charge", 0)),
        penalty={
            side: number_of(n) for side, n in raw.get("penalty", raw.get("marks", {})).items()
        },
        conduct=bool(raw.get("conduct", known is not None and known.conduct)),
    )


def is_damaged(proposal: Any) -> bool:
    """Whether a stored proposal cannot be read: a version stays as it was written, wrong or not.

    Pages say so of that ruling and show the others; on its deal nothing is ruled before it is annulled.
    """
    try:
        effect_from_json(proposal["deal"])
        Verdict(proposal["verdict"])
        Measure(proposal["measure"])
        by_side = [proposal["marks"]]
        for item in proposal["adjustments"]:
            Measure(item["measure"])
            by_side.append(item.get("marks", {}))
        for marks in by_side:
            for value in marks.values():
                number_of(value)
        return not all(
            isinstance(each["cites"], str) and isinstance(each["text"]["en"], str)
            for each in proposal["rationale"]
        )
    except (AttributeError, KeyError, TypeError, ValueError, ZeroDivisionError):
        return True


OF_THE_SITTING = frozenset(Measure) - {Measure.DISQUALIFIED, Measure.RESULTS_DELETED}
"""Measures that fall with the draw at whose table they were ruled; those on the person stay (C.8)."""


COSTING = frozenset(Measure) - {
    Measure.NONE,
    Measure.WARNING,
    Measure.PUT_RIGHT,
    Measure.CLAIM_REFUSED,
    Measure.REDEAL,
    Measure.DEAL_PASSES,
}
"""Measures that cost something by themselves; a deal that is dealt again does not."""


def has_fallen(incident: Incident, measure: str) -> bool:
    """Whether a measure ruled on the incident fell with the draw of its table."""
    return incident.unseated_at is not None and Measure(measure) in OF_THE_SITTING


def rulings_on(incident: Incident) -> list[Ruling]:
    """Return the rulings in force on the incident's deal, in the order of issue."""
    return list(
        Ruling.objects.filter(
            event=incident.event_id, incident__sheet=incident.sheet_id, incident__deal=incident.deal
        )
        .exclude(state=RulingState.ANNULLED)
        .select_related("incident")
        .prefetch_related("versions")
        .order_by("number")
    )


def read_rulings(incidents: Sequence[Incident]) -> None:
    """Note at each incident its deal and the rulings in force on it, in three queries for all."""
    sheets = {incident.sheet_id for incident in incidents if incident.sheet_id is not None}
    known: dict[tuple[object, int | None], list[Ruling]] = {}
    deals: dict[tuple[object, int | None], DealVersion] = {}
    if sheets:
        written = DealVersion.objects.filter(
            sheet__in=sheets,
            number__in={incident.deal for incident in incidents if incident.deal is not None},
            series=Series.OFFICIAL,
            current=True,
        )
        deals = {(deal.sheet_id, deal.number): deal for deal in written}
        rows = Ruling.objects.filter(incident__sheet__in=sheets, incident__deal__isnull=False)
        for ruling in (
            rows.exclude(state=RulingState.ANNULLED)
            .select_related("incident")
            .prefetch_related("versions")
            .order_by("number")
        ):
            place = (ruling.incident.sheet_id, ruling.incident.deal)
            known.setdefault(place, []).append(ruling)
    for incident in incidents:
        incident.rulings_read = known.get((incident.sheet_id, incident.deal), [])
        incident.deal_read = deals.get((incident.sheet_id, incident.deal))


def stage_of(incident: Incident) -> Stage | None:
    """Return the stage that counts the effects of a ruling."""
    if incident.round is not None:
        return incident.round.stage
    return incident.event.stages.order_by("order").first()


def later_rounds(incident: Incident) -> list[Round]:
    """Return the later rounds already drawn or published.

    For an incident of an open round only those made from its results: of a knock-out or a later stage.
    """
    round_ = incident.round
    if round_ is None:
        return []
    later = drawn_after(round_)
    if round_.state == RoundState.CLOSED:
        return later
    return [each for each in later if each.stage_id != round_.stage_id or _by_winners(each)]


def _by_winners(round_: Round) -> bool:
    """Whether a draw of the round, draft or published, seats winners."""
    drawn = round_.draws.filter(state__in=(DrawState.PUBLISHED, DrawState.CANDIDATE))
    return any(seats_winners(draw) for draw in drawn)


def open_draws(incident: Incident) -> list[Round]:
    """Return the rounds drawn since whose draws can be discarded; none once one of them is published."""
    later = later_rounds(incident)
    return later if all(round_.state == RoundState.DRAWN for round_ in later) else []


def next_round_kept(incident: Incident, choice: str) -> str:
    """Return the answer on the rounds drawn since that a decision keeps: without a choice they stand."""
    return (choice or NextRound.STANDS.value) if later_rounds(incident) else ""
