"""Proof of a ruling, stored with it: the record of the deal, or the tricks that the table agreed on."""

from __future__ import annotations

from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from adjudication.models import Incident
from adjudication.penal import Facts, Verdict
from adjudication.queries.cases import Case
from ledger.models import Job
from tournament.models import RoundState

from . import evidence
from .proposals import Proposed


def proof_of(case: Case, article: str, facts: Facts, job: str = "") -> dict[str, object]:
    """Return what proves that ``facts`` breach ``article``; empty where nothing does.

    Args:
        job: The verdict on the tricks that the table agreed on, by its id (``prove``).
    """
    known = _agreed(case, facts, job) if job else {}
    return known or _recorded(case, article, facts)


def equity_of(case: Case, facts: Facts, job: str = "") -> dict[str, Any]:
    """Return the computed cost of the offence stated in ``facts``; empty if it was not requested.

    Computed from the record of the deal if it has all cards, else over the deals that fit the tricks
    that the table agreed on (``job``, as for :func:`proof_of`).
    """
    if job:
        proof = evidence.job_by_id(case, job)
        alleged = proof.parameters["asked"]["allegation"] if proof is not None else {}
        stated = (facts.get("offender"), facts.get("trick"))
        if proof is not None and (alleged["seat"], alleged["trick"]) == stated:
            return _done(evidence.worlds_job_of(case, proof))
        return {}
    for index, violation in enumerate(case.deal.flagged if case.deal is not None else ()):
        same_trick = facts.get("trick") in (None, "", violation["trick"])
        if same_trick and violation["seat"] == facts.get("offender"):
            return _done(evidence.job_of(case, evidence.equity_key(case, index)))
    return {}


def _done(job: Job | None) -> dict[str, object]:
    """Return the figures of a finished job; empty if it found none."""
    result = dict(job.result) if job is not None and job.state == "done" else {}
    result.pop("text", None)
    return result if "damage" in result else {}


def _recorded(case: Case, article: str, facts: Facts) -> dict[str, object]:
    for violation in case.deal.flagged if case.deal is not None else ():
        same_trick = facts.get("trick") in (None, "", violation["trick"])
        if (
            same_trick
            and violation["seat"] == facts.get("offender")
            and article in violation["articles"]
        ):
            shown = violation.get("provable") or violation
            return {"by": "record", "trick": shown["trick"], "card": shown["card"]}
    return {}


def _agreed(case: Case, facts: Facts, job: str) -> dict[str, object]:
    run = evidence.job_by_id(case, job)
    if run is None or run.state != "done" or run.result.get("verdict") != "guilty":
        return {}
    question = run.parameters["asked"]
    alleged = question["allegation"]
    if alleged["seat"] != facts.get("offender") or alleged["trick"] != facts.get("trick"):
        return {}
    trick, card = run.result.get("proof") or (None, None)
    return {"by": "tricks", "trick": trick, "card": card, "asked": question, "job": str(run.pk)}


def reason_wanted(
    incident: Incident, proposed: Proposed, proof: dict[str, object]
) -> str | Promise | None:
    """Return why this decision needs a written reason; ``None`` where it may do without.

    An illegal card that nothing proves does, and whatever is decided about a round that is over.
    """
    established = proposed.proposal.verdict is Verdict.ESTABLISHED
    if established and proposed.article.correctable and not proof:
        return _("No record proves this card: state how it was established.")
    if incident.round is not None and incident.round.state == RoundState.CLOSED:
        return _("The round is closed: give a reason for ruling on it now.")
    return None
