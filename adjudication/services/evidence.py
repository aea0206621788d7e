"""Evidence that takes a search: equity by the solver, a verdict from a partial record. As jobs.

Advice to the referee and nothing more: a job writes its result and touches no sheet.
"""

from __future__ import annotations

import hashlib
import uuid
from typing import Any, Final

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from adjudication.models import Incident
from adjudication.penal import best_points, equity, proven, signed, to_json
from ledger.actors import Actor
from ledger.audit import canonical_json
from ledger.errors import Refused
from ledger.jobs import JobFailed, Run, enqueue, job_kind
from ledger.models import Job
from scoring.engine.calls import answer
from scoring.engine.errors import EngineError
from scoring.models import Sheet
from scoring.rules import options_of, replay_record, score_entry

from .cases import Case, case_of
from .incidents import locked_incident

EQUITY: Final = "adjudication.equity"
PROVE: Final = "adjudication.prove"
MOST_NODES: Final = 3_000_000
"""Cards laid in one search: some seconds; past it the answer is bounds."""


def _key(kind: str, incident: Incident, content: object) -> str:
    digest = hashlib.sha256(canonical_json(content).encode()).hexdigest()[:32]
    return f"{kind}:{incident.pk}:{digest}"


def equity_key(case: Case, index: int) -> str:
    """The name of the equity of one illegal play of the deal as the table wrote it.

    A ruling makes a new version of the deal without new cards: the answer stays.
    """
    entry = case.deal.entry if case.deal else {}
    return _key(EQUITY, case.incident, [entry, index])


def prove_key(case: Case, asked: dict[str, Any]) -> str:
    """The name of the verdict on one allegation."""
    return _key(PROVE, case.incident, asked)


def job_of(case: Case, key: str) -> Job | None:
    """The latest job of that name."""
    return Job.objects.filter(scope=case.event.pk, key=key).order_by("-created_at").first()


def job_by_id(case: Case, text: str) -> Job | None:
    """A verdict asked for on this incident, by its job's id."""
    try:
        wanted = uuid.UUID(text)
    except ValueError:
        return None
    return Job.objects.filter(
        pk=wanted, scope=case.event.pk, kind=PROVE, parameters__incident=str(case.incident.pk)
    ).first()


@transaction.atomic
def ask_equity(*, incident_id: uuid.UUID, index: int, actor: Actor) -> Job:
    """Ask what the ``index``-th illegal play of the deal cost, with all hands known."""
    incident = locked_incident(incident_id)
    case = case_of(incident)
    if case.deal is None or "record" not in case.deal.entry:
        raise Refused("no_record", _("The deal was not entered card by card."), field="deal")
    if not 0 <= index < len(case.deal.flagged):
        raise Refused("no_such_play", _("The record holds no such illegal play."), field="index")
    key = equity_key(case, index)
    known = job_of(case, key)
    if known is not None and known.state != "failed":
        return known
    return enqueue(
        kind=EQUITY, scope=incident.event_id, actor=actor, key=key,
        parameters={"incident": str(incident.pk), "index": index},
    )  # fmt: skip


@transaction.atomic
def ask_proof(*, incident_id: uuid.UUID, asked: dict[str, Any], actor: Actor) -> Job:
    """Ask whether an allegation is proved by the tricks that the table agrees on.

    ``asked``: ``trump``, ``tricks``, ``allegation`` and perhaps ``hands`` of the engine's ``prove``.
    """
    incident = locked_incident(incident_id)
    case = case_of(incident)
    key = prove_key(case, asked)
    known = job_of(case, key)
    if known is not None and known.state != "failed":
        return known
    return enqueue(
        kind=PROVE, scope=incident.event_id, actor=actor, key=key,
        parameters={"incident": str(incident.pk), "asked": asked},
    )  # fmt: skip


def _case(run: Run) -> Case:
    incident = Incident.objects.select_related("event", "call", "round__stage", "sheet__table").get(
        pk=run.parameters["incident"]
    )
    return case_of(incident)


def _rules(case: Case) -> dict[str, Any]:
    if case.sheet is not None:
        return {"rulebook": case.sheet.rulebook, "options": options_of(case.sheet)}
    return {"rulebook": case.event.rulebook, "options": options_of(case.event)}


@job_kind(PROVE)
def prove_job(run: Run) -> None:
    """The job: the engine's verdict from a partial record."""
    case = _case(run)
    try:
        found = answer("prove", {**_rules(case), **run.parameters["asked"]})
    except EngineError as error:
        raise JobFailed(error.message) from error
    stated = proven(found)
    with run.effect() as result:
        result.update(
            verdict=stated.verdict.value, proof=list(stated.proof) if stated.proof else None,
            advice=to_json(stated.advice), reason=found.get("reason", ""),
        )  # fmt: skip


@job_kind(EQUITY)
def equity_job(run: Run) -> None:
    """The job: result as played, best result without the offence, the penalty (rules C, equity)."""
    case = _case(run)
    try:
        told = equity_of(case, int(run.parameters["index"]))
    except EngineError as error:
        raise JobFailed(error.message) from error
    with run.effect() as result:
        result.update(told)


def position_before(case: Case, index: int) -> tuple[dict[str, Any], dict[str, int], str]:
    """The position just before an illegal play as ``solve`` reads it, the points of the tricks
    gathered before, and the player at fault."""
    if case.sheet is None or case.deal is None:
        raise JobFailed(str(_("The deal was not entered card by card.")))
    replayed, places = replay_record(case.sheet, case.deal.entry, partial=True)
    offence = replayed["violations"][index]
    given = places.record_to_engine(case.deal.entry["record"])
    hands = {seat: list(cards) for seat, cards in (given.get("hands") or {}).items()}
    seats = places.game.seats
    played: dict[str, list[str]] = {seat: [] for seat in seats}
    for trick in replayed["tricks"]:
        for seat, card in trick["plays"]:
            played[seat].append(card)
    for seat in seats:
        hands.setdefault(seat, played[seat])
    before = dict.fromkeys(replayed["points"], 0)
    trick_so_far: list[list[str]] = []
    leader = ""
    for trick in replayed["tricks"]:
        leader = trick["leader"]
        if trick["n"] == offence["trick"]:
            for seat, card in trick["plays"]:
                if seat == offence["seat"]:
                    break
                trick_so_far.append([seat, card])
            break
        side = next(s for s in before if trick["winner"] in s)
        before[side] += trick["points"]
        for seat, card in trick["plays"]:
            hands[seat] = [c for c in hands[seat] if c != card]
    for seat, card in trick_so_far:
        hands[seat] = [c for c in hands[seat] if c != card]
    position = {
        **_rules(case), "trump": given["trump"], "leader": leader, "hands": hands,
        "trick": trick_so_far, "node_limit": MOST_NODES,
    }  # fmt: skip
    if not places.pairs:
        contract = case.deal.entry.get("contract") or {}
        position["declarer"] = places.side_to_engine(contract.get("declarer"))
    return position, before, str(offence["seat"])


def _fined(
    case: Case, sheet: Sheet, index: int, guilty: str, otherwise: dict[str, int]
) -> dict[str, int]:
    """The deal's marks under a ruling on the play: bonus and switches as the sheet applies them."""
    if case.deal is None:
        return otherwise
    articles = case.deal.flagged[index]["articles"]
    if not articles:
        return otherwise
    infraction = {"article": articles[0], "side": guilty}
    return score_entry(sheet, case.deal.entry, [infraction]).marks


def equity_of(case: Case, index: int) -> dict[str, Any]:
    """The statement of equity for the innocent side, and whether the search was exhaustive."""
    position, before, offender = position_before(case, index)
    if case.sheet is None or case.deal is None or not case.places.pairs:
        raise JobFailed(str(_("Equity is stated for games of two pairs.")))
    found = answer("solve", position)
    if found["points"] is None:
        # The search ended at its limit: what it proved, in points of the tricks still to come.
        return {
            "exact": False,
            "bounds": {
                side: [low + before.get(side, 0), high + before.get(side, 0)]
                for side, (low, high) in found["bounds"].items()
            },
        }
    best = best_points(lambda _position: found, position, before)
    game = case.game()
    guilty = game.sides[offender]
    innocent = game.opponents(guilty)[0]
    plain = {k: v for k, v in case.deal.entry.items() if k != "record"}
    as_played = score_entry(case.sheet, case.deal.entry).marks
    without = score_entry(case.sheet, {**plain, "points": best}).marks
    fined = _fined(case, case.sheet, index, guilty, {guilty: 0, innocent: game.penalty})
    statement = equity(
        innocent, signed(as_played, innocent), signed(without, innocent), signed(fined, innocent)
    )
    return {
        "exact": bool(found["exact"]), "side": innocent, "as_played": to_json(statement.as_played),
        "without_offence": to_json(statement.without_offence),
        "penalised": to_json(statement.penalised), "damage": to_json(statement.damage),
        "difference": to_json(statement.difference), "text": to_json(statement.text),
        "points": best,
    }  # fmt: skip
