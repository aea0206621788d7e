"""Incidents, rulings, appeals and articles as the API gives them: ids, numbers and codes, no names."""

from __future__ import annotations

from adjudication.models import Appeal, Confirmation, Incident, Ruling, RulingVersion
from adjudication.penal import Article, Code, to_json
from adjudication.queries.shown import localized, show
from adjudication.services.rulings import versions_on


def incident(row: Incident) -> dict[str, object]:
    """An incident."""
    return {
        "number": row.number,
        "state": row.state,
        "told": row.told,
        "call": str(row.call_id) if row.call_id else None,
        "round": str(row.round_id) if row.round_id else None,
        "table": row.table_number,
        "sheet": str(row.sheet_id) if row.sheet_id else None,
        "deal": row.deal,
        "seats": row.seats,
        "opened_at": row.opened_at.isoformat(),
        "taken_by": row.taken_by,
        "closed_at": row.closed_at.isoformat() if row.closed_at else None,
        "closed_by": row.closed_by,
        "closed_reason": row.closed_reason,
        "rulings": sorted(ruling.number for ruling in row.rulings.all()),
    }


def version(row: RulingVersion) -> dict[str, object]:
    """One version of a ruling, with the proposal it was made from."""
    return {
        "number": row.number,
        "cause": row.cause,
        "in_force": row.in_force,
        "article": row.article,
        "facts": row.facts,
        "proposal": row.proposal,
        "code": row.context["code"],
        "edition": row.context["edition"],
        "policy": row.context["policy"],
        "reason": row.reason,
        "next_round": row.next_round,
        "rulers": row.rulers,
        "second": row.second,
        "made_as": row.made_as,
        "made_by": row.made_by,
        "made_at": row.made_at.isoformat(),
    }


def ruling(row: Ruling, *, whole: bool = False) -> dict[str, object]:
    """A ruling; ``whole`` with all its versions and appeals."""
    shown = show(row)
    shape: dict[str, object] = {
        "number": row.number,
        "incident": row.incident.number,
        "state": row.state,
        "article": row.article,
        "title": shown.title,
        "decision": shown.penalty,
        "reason": shown.reason,
        "side": row.side,
        "measure": row.measure,
        "offender": row.offender.number if row.offender else None,
        "table": row.incident.table_number,
        "deal": row.incident.deal,
        "issued_at": row.issued_at.isoformat(),
        "appeal_until": row.appeal_until.isoformat(),
        "final_at": row.final_at.isoformat() if row.final_at else None,
        "version": row.versions_made,
    }
    if whole:
        shape["seen"] = versions_on(row.incident)
        shape["versions"] = [version(each) for each in row.versions.order_by("number")]
        shape["appeals"] = [appeal(each) for each in row.appeals.order_by("lodged_at")]
    return shape


def appeal(row: Appeal) -> dict[str, object]:
    """An appeal."""
    return {
        "id": str(row.pk),
        "ruling": row.ruling.number,
        "side": row.side,
        "state": row.state,
        "grounds": row.grounds,
        "lodged_at": row.lodged_at.isoformat(),
        "heard_at": row.heard_at.isoformat() if row.heard_at else None,
        "heard_by": row.heard_by,
        "decision": row.decision,
    }


def confirmation(row: Confirmation) -> dict[str, object]:
    """A decision that needs two people."""
    return {
        "id": str(row.pk),
        "incident": row.incident.number,
        "state": row.state,
        "amends": row.amends.number if row.amends else None,
        "article": row.article,
        "facts": row.facts,
        "reason": row.reason,
        "proposal": row.proposal,
        "proposed_by": row.proposed_by,
        "proposed_at": row.proposed_at.isoformat(),
        "decided_by": row.decided_by,
        "decided_at": row.decided_at.isoformat() if row.decided_at else None,
        "answer": row.answer,
        "ruling": row.ruling.number if row.ruling else None,
        "version": row.version,
    }


def article(row: Article, code: Code) -> dict[str, object]:
    """An article in the reader's language and in full, and who may rule under it at the event."""
    return {
        "id": row.id,
        "title": localized(row.title),
        "text": localized(row.text),
        "rulers": code.rulers_of(row.id).value,
        "article": to_json(row),
    }
