"""Application of rulings in force to deals and entrants, through services of the rooms below.

A deal is always written from the table's own entry and the *combined* effect of its rulings in force
(one penalty a side, both at fault cancels: Q-GEN-9), never from a single ruling. Annulling applies
the effects again without the annulled ruling, which restores the marks exactly. Effects on entrants
are stored under the ruling as their source and annulled with it.
"""

from __future__ import annotations

import uuid
from fractions import Fraction
from typing import Any

from django.utils.translation import gettext_lazy as _

from adjudication.models import Incident, RuledDeal, Ruling, RulingState
from adjudication.penal import (
    DealEffect,
    DealOutcome,
    Measure,
    NextDealer,
)
from adjudication.queries.cases import Case, case_of
from adjudication.queries.effects import (
    OF_THE_SITTING,
    effect_from_json,
    has_fallen,
    is_damaged,
    number_of,
    rulings_on,
    stage_of,
)
from adjudication.queries.together import for_sheet, ruled
from ledger.actors import Actor
from ledger.errors import Conflict, Refused
from scoring.engine.shapes import EntryJson, InfractionJson
from tournament.models import Stage
from tournament.models.tables import Sheet
from tournament.services import adjustments
from tournament.services.adjustments import Amount
from tournament.services.ruled import rule_deal
from tournament.tables.score_sheet import SAME_DEALER

VOID = (DealOutcome.REDEALT, DealOutcome.VOID_PASSED, DealOutcome.CANCELLED)
AGAIN = (DealOutcome.REDEALT, DealOutcome.VOID_PASSED)
"""Outcomes after which another deal is played in the place of this one."""
OF_THE_PERSON = {
    Measure.DISQUALIFIED,
    Measure.ROUND_FORFEITED,
    Measure.EXCLUDED_FROM_ROUND,
    Measure.RESULTS_DELETED,
}
"""Measures that fall on the entrant at fault alone, not on the person drawn to be their partner."""


def whole_marks(value: int | Fraction) -> int:
    """Return marks as a whole number for an entrant's standing; refuse half marks."""
    if Fraction(value).denominator != 1:
        raise Refused(
            "half_marks",
            _("This ruling would cost %(marks)s points: change the penalty scale to whole points."),
            params={"marks": str(value)},
        )
    return int(value)


def apply_to_deal(incident: Incident, *, actor: Actor, reason: str) -> None:
    """Write the incident's deal as the rulings in force on it leave it."""
    case = case_of(incident)
    if case.sheet is None or incident.deal is None or case.deal_key is None:
        return
    standing = [(each, each.versions.latest("number").proposal) for each in rulings_on(incident)]
    for ruling, proposal in standing:
        if is_damaged(proposal):
            raise Conflict(
                "ruling_damaged",
                _(
                    "The stored decision of ruling %(number)d on this deal is damaged: the chief "
                    "referee or the director annuls it first."
                ),
                params={"number": ruling.number},
            )
    effects = [effect_from_json(proposal["deal"], ruling.article) for ruling, proposal in standing]
    combined, infractions = ruled(case, effects)
    rows = [for_sheet(case, entry) for entry in infractions]
    void: bool | str = combined.outcome in VOID and not rows
    if void and combined.next_dealer is NextDealer.SAME:
        void = SAME_DEALER
    _write(
        case,
        case.sheet,
        incident.deal,
        rows,
        void=void,
        actor=actor,
        reason=reason,
        again=combined.outcome in AGAIN,
    )
    _extra(case, combined, actor=actor, reason=reason)


def _write(
    case: Case,
    sheet: Sheet,
    number: int,
    infractions: list[InfractionJson],
    *,
    void: bool | str,
    actor: Actor,
    reason: str,
    again: bool,
) -> None:
    """Write a new version of the deal if anything changes; ``void`` as an entry's ``annulled``."""
    ruled = RuledDeal.objects.filter(sheet=sheet, number=number).first()
    if case.deal is None and not infractions and not void:
        return
    if ruled is None:
        ruled = RuledDeal.objects.create(
            sheet=sheet, number=number, entry=case.deal.entry if case.deal else None
        )
    elif case.deal is not None and _written_since(ruled, case.deal.entry):
        ruled.entry = case.deal.entry
    entry: EntryJson = {"dealer": case.dealer} if ruled.entry is None else ruled.entry.copy()
    if ruled.entry is None and not infractions and not void:
        # A deal that was never written: what its dealer has still to deal.
        void = SAME_DEALER
    ruled.voided = bool(void) and entry.get("annulled") != void
    ruled.save()
    if ruled.voided:
        entry["annulled"] = void
    if case.deal is not None and case.deal.entry == entry and case.deal.infractions == infractions:
        return
    rule_deal(
        sheet_id=sheet.pk,
        number=number,
        entry=entry,
        infractions=infractions,
        actor=actor,
        reason=reason,
        again=again,
    )


def _written_since(ruled: RuledDeal, entry: EntryJson) -> bool:
    """Whether the table or a referee wrote or corrected the deal since: that is given back then."""
    if entry.get("annulled"):
        return not ruled.voided
    return bool({"points", "tricks", "trick_list", "record"} & set(entry))


def _extra(case: Case, combined: DealEffect, *, actor: Actor, reason: str) -> None:
    """Write penalties of the deal unknown to the engine as marks added by the event."""
    stage = stage_of(case.incident)
    source = f"deal:{case.deal_key}"
    amounts: dict[int, Amount] = {}
    for side, marks in combined.extra.items():
        at_fault = side in (combined.fined or (combined.offender,))
        for entrant in case.entrants_of(side):
            if marks or at_fault:
                amounts[entrant] = Amount(
                    entrant, marks=whole_marks(marks), penalties=int(at_fault)
                )
    _set(stage, source, list(amounts.values()), case.incident, actor=actor, reason=reason)


def _set(
    stage: Stage | None,
    source: str,
    amounts: list[Amount],
    incident: Incident,
    *,
    actor: Actor,
    reason: str,
) -> None:
    if stage is not None and amounts:
        adjustments.adjust(
            stage_id=stage.pk,
            source=source,
            amounts=amounts,
            reason=reason or source,
            actor=actor,
            round_id=incident.round_id,
        )
    else:
        adjustments.annul(source=source, actor=actor, reason=reason or source)


def apply_to_entrants(ruling: Ruling, *, actor: Actor, reason: str) -> None:
    """Replace the entrant adjustments of a ruling with those of its latest version."""
    case = case_of(ruling.incident)
    stage = stage_of(ruling.incident)
    amounts: dict[int, Amount] = {}
    if ruling.in_force:
        proposal = ruling.versions.latest("number").proposal
        if is_damaged(proposal):
            return  # its adjustments stay until it is annulled
        for item in proposal["adjustments"]:
            if has_fallen(ruling.incident, item["measure"]):
                continue
            for amount in _amounts(case, ruling, item):
                known = amounts.get(amount.entrant_id)
                amounts[amount.entrant_id] = _sum(known, amount) if known else amount
    _set(
        stage,
        f"ruling:{ruling.pk}",
        list(amounts.values()),
        ruling.incident,
        actor=actor,
        reason=reason,
    )
    if stage is not None and _ever_deleted(ruling):
        adjustments.delete_results(
            stage_id=stage.pk,
            entrants=_deleted(stage),
            actor=actor,
            reason=reason or ruling.article,
        )


def _ever_deleted(ruling: Ruling) -> bool:
    """Whether any version of the ruling deletes results."""
    return ruling.versions.filter(proposal__measure=Measure.RESULTS_DELETED.value).exists()


def _deleted(stage: Stage) -> set[int]:
    """Return the entrants of the stage whose results are deleted by rulings in force (T-ABS in a league)."""
    standing = Ruling.objects.filter(
        event=stage.event_id, measure=Measure.RESULTS_DELETED.value, offender__isnull=False
    ).exclude(state=RulingState.ANNULLED)
    return {
        ruling.offender_id
        for ruling in standing.select_related("incident__round__stage", "incident__event")
        if stage_of(ruling.incident) == stage and ruling.offender_id is not None
    }


def _amounts(case: Case, ruling: Ruling, item: dict[str, Any]) -> list[Amount]:
    measure = Measure(item["measure"])
    if measure in OF_THE_PERSON:
        if ruling.offender_id is None:
            return []
        if measure is Measure.DISQUALIFIED:
            return [Amount(ruling.offender_id, penalties=1, disqualified=True)]
        if measure is Measure.RESULTS_DELETED:
            return [Amount(ruling.offender_id, penalties=1)]
        forfeited = case.incident.round_id is not None
        return [Amount(ruling.offender_id, penalties=1, forfeited=forfeited)]
    amounts = []
    for side, raw in item.get("marks", {}).items():
        at_fault = side == item.get("side")
        for entrant in case.entrants_of(side):
            marks = whole_marks(number_of(raw))
            if marks or at_fault:
                amounts.append(Amount(entrant, marks=marks, penalties=int(at_fault)))
    return amounts


def _sum(first: Amount, second: Amount) -> Amount:
    return Amount(
        first.entrant_id,
        marks=first.marks + second.marks,
        games_won=first.games_won + second.games_won,
        match_points=first.match_points + second.match_points,
        penalties=first.penalties + second.penalties,
        disqualified=first.disqualified or second.disqualified,
        forfeited=first.forfeited or second.forfeited,
    )


def follow_result(sheet: Sheet, **_more: object) -> None:
    """Apply rulings on the sheet's players again after a change of its result.

    A forfeited round is lost whatever the results of its games. A forfeit ruled under an earlier release,
    which subtracted amounts, is converted.
    """
    standing = Ruling.objects.filter(
        event=sheet.scope,
        measure__in=[m.value for m in OF_THE_PERSON - {Measure.DISQUALIFIED}],
        offender__in=list(sheet.seats.values()),
    ).exclude(state=RulingState.ANNULLED)
    # Almost no result has such a ruling: read its related rows only if there is one.
    if wanted := list(standing.values_list("pk", flat=True)):
        rulings = Ruling.objects.filter(pk__in=wanted)
        for ruling in rulings.select_related("incident__round__stage", "incident__event"):
            apply_to_entrants(ruling, actor=Actor.system("forfeit"), reason=ruling.article)


def unseat(round_id: uuid.UUID, *, actor: Actor) -> None:
    """Take back the measures on games that were ruled at tables of a round whose draw is withdrawn.

    What a ruling says of the person stays: a warning counts on, a disqualification holds.
    """
    fallen = Ruling.objects.filter(
        incident__round=round_id,
        incident__unseated_at__isnull=False,
        measure__in=[measure.value for measure in OF_THE_SITTING],
    ).exclude(state=RulingState.ANNULLED)
    rulings = fallen.select_related("incident__round__stage", "incident__event", "incident__sheet")
    for ruling in rulings.order_by("number"):
        apply_to_entrants(ruling, actor=actor, reason=ruling.article)
