"""Evidence that takes a search: equity by the solver, a verdict from a partial record. As jobs.

Advice to the referee and nothing more: a job writes its result and touches no sheet.
"""

from __future__ import annotations

import hashlib
import uuid
from typing import Annotated, Any, Final

from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from adjudication.models import Incident
from adjudication.penal import (
    article_of,
    equity,
    mean_equity,
    proven,
    signed,
    to_json,
)
from adjudication.queries.cases import Case, case_of
from ledger.actors import Actor
from ledger.canonical import JsonObject, canonical_json
from ledger.errors import Refused
from ledger.jobs import JobFailed, Run, enqueue, job_kind
from ledger.models import Job
from ledger.verbs import Between, Columns, Says, verb
from scoring.engine.calls_record import agreed_record, prove_allegation
from scoring.engine.cards import parse_card
from scoring.engine.deal import Deal
from scoring.engine.errors import EngineError
from scoring.engine.reading import Payload
from scoring.engine.seating import first_leader, read_card_play
from scoring.engine.shapes import EntryJson, QuestionJson
from scoring.engine.solve import Position, solve
from scoring.engine.worlds import TooLittleKnown, TooManyCards, Worlds, best_results
from tournament.models.tables import Sheet
from tournament.tables.rules import options_of
from tournament.tables.score_sheet import ScoreSheet

from .incidents import locked_incident

EQUITY: Final = "adjudication.equity"
PROVE: Final = "adjudication.prove"
WORLDS: Final = "adjudication.worlds"
MOST_NODES: Final = 3_000_000
"""Cards laid in one search: some seconds; past it the answer is bounds."""
MOST_NODES_OF_WORLDS: Final = 1_300_000
"""Cards laid over all deals drawn: within five seconds; past it there is no mean."""
WORLDS_DRAWN: Final = 200
"""Deals that fit what was seen, over which the cost of an offence is a mean."""
MOST_SEED: Final = 999_999


def _key(kind: str, incident: Incident, content: object) -> str:
    digest = hashlib.sha256(canonical_json(content).encode()).hexdigest()[:32]
    return f"{kind}:{incident.pk}:{digest}"


def equity_key(case: Case, index: int) -> str:
    """Return the job key for the equity of one illegal play of the deal as entered.

    A ruling makes a new version of the deal without new cards: the answer stays.
    """
    entry = case.deal.entry if case.deal else {}
    return _key(EQUITY, case.incident, [entry, index])


def prove_key(case: Case, question: QuestionJson) -> str:
    """Return the job key for the verdict on one allegation."""
    return _key(PROVE, case.incident, question)


def job_of(case: Case, key: str) -> Job | None:
    """Return the latest job with this key."""
    return Job.objects.filter(scope=case.event.pk, key=key).order_by("-created_at").first()


def job_by_id(case: Case, text: object) -> Job | None:
    """Return a verdict's job of this incident by its id."""
    try:
        wanted = uuid.UUID(str(text))
    except ValueError:
        return None
    return Job.objects.filter(
        pk=wanted, scope=case.event.pk, kind=PROVE, parameters__incident=str(case.incident.pk)
    ).first()


@verb("incidents_ask_equity", Incident, "incidents.rule", at="equity/", statuses={Job: 202})
def ask_equity(
    *,
    incident_id: uuid.UUID,
    index: Annotated[int, Between(0, 99), Says("Which illegal play of the record, from 0.")] = 0,
    actor: Actor,
) -> Job:
    """Search what an illegal play cost, with all hands known; asked again, the same search is answered."""
    incident = locked_incident(incident_id)
    case = case_of(incident)
    if case.deal is None or "record" not in case.deal.entry:
        raise Refused("no_record", _("The deal was not recorded card by card."), field="deal")
    if not 0 <= index < len(case.deal.flagged):
        raise Refused("no_such_play", _("The record shows no such illegal play."), field="index")
    return _search(case, EQUITY, equity_key(case, index), actor, {"index": index})


@verb("incidents_prove", Incident, "incidents.rule", at="proofs/", statuses={Job: 202})
def ask_proof(
    *, incident_id: uuid.UUID, question: Annotated[QuestionJson, Columns()], actor: Actor
) -> Job:
    """Search whether an alleged breach is proved by the tricks that the table agrees on.

    A record that cannot be read is refused with the engine's code and field.
    """
    incident = locked_incident(incident_id)
    case = case_of(incident)
    record = agreed_record({**_rules(case), **question})
    record.play.seat(question["allegation"]["seat"], "allegation.seat")
    return _search(case, PROVE, prove_key(case, question), actor, {"asked": question})


def _search(case: Case, kind: str, key: str, actor: Actor, asks: JsonObject) -> Job:
    """Return the existing job for this search unless it failed; else start a new one."""
    known = job_of(case, key)
    if known is not None and known.state != "failed":
        return known
    incident = case.incident
    asks = {"incident": str(incident.pk), **asks}
    return enqueue(kind=kind, scope=incident.event_id, actor=actor, key=key, parameters=asks)


def worlds_key(case: Case, proof: Job, seed: int) -> str:
    """Return the job key for the cost of an offence over the deals that fit agreed tricks."""
    entry = case.deal.entry if case.deal else {}
    return _key(WORLDS, case.incident, [entry, proof.parameters["asked"], seed])


def worlds_job_of(case: Case, proof: Job, seed: int | None = None) -> Job | None:
    """Return the latest cost job for the tricks of ``proof``, of any seed or a given one.

    A deal that was entered otherwise since has another name: its cost is asked again.
    """
    if seed is not None:
        return job_of(case, worlds_key(case, proof, seed))
    listed = Job.objects.filter(
        scope=case.event.pk, kind=WORLDS, parameters__proof=str(proof.pk)
    ).order_by("-created_at")
    for job in listed:
        if job.key == worlds_key(case, proof, job.parameters["seed"]):
            return job
    return None


@verb(
    "incidents_ask_cost",
    Incident,
    "incidents.rule",
    at="proofs/<uuid:proof_id>/cost/",
    statuses={Job: 202},
)
def ask_worlds(
    *,
    incident_id: uuid.UUID,
    proof_id: str,
    seed: Annotated[int, Between(1, MOST_SEED), Says("The draw code.")],
    actor: Actor,
) -> Job:
    """Search what the alleged offence cost, as a mean over 200 deals that fit the agreed tricks.

    The same draw code draws the same deals.
    """
    incident = locked_incident(incident_id)
    case = case_of(incident)
    job = job_by_id(case, proof_id)
    if job is None or job.state != "done" or job.result.get("verdict") == "innocent":
        raise Refused("no_proof", _("Check the tricks first: the cost is of that play."))
    if case.sheet is None or case.deal is None:
        raise Refused("deal_missing", _("The table has not recorded this deal yet."))
    if not case.places.game.in_pairs:
        raise Refused(
            "pairs_only",
            _("The value of a deal can be computed only for games of two pairs."),
        )
    known = worlds_job_of(case, job, seed)
    if known is not None and known.state != "failed":
        return known
    return enqueue(
        kind=WORLDS,
        scope=incident.event_id,
        actor=actor,
        key=worlds_key(case, job, seed),
        parameters={"incident": str(incident.pk), "proof": str(job.pk), "seed": seed},
    )


def _case(run: Run) -> Case:
    incident = Incident.objects.select_related("event", "call", "round__stage", "sheet__table").get(
        pk=run.parameters["incident"]
    )
    return case_of(incident)


def _rules(case: Case) -> Payload:
    if case.sheet is not None:
        return {"rulebook": case.sheet.rulebook, "options": options_of(case.sheet)}
    return {"rulebook": case.event.rulebook, "options": options_of(case.event)}


@job_kind(PROVE, seconds=600)
def prove_job(run: Run) -> None:
    """Run the job: the engine's verdict from a partial record."""
    case = _case(run)
    try:
        proved = prove_allegation({**_rules(case), **run.parameters["asked"]})
    except EngineError as error:
        raise JobFailed(error.message) from error
    stated = proven(proved)
    with run.effect() as result:
        result.update(
            verdict=stated.verdict.value,
            proof=list(stated.proof) if stated.proof else None,
            advice=to_json(stated.advice),
            reason=proved.reason,
        )


@job_kind(WORLDS, seconds=600)
def worlds_job(run: Run) -> None:
    """Run the job: the mean cost over the deals that fit the record."""
    case = _case(run)
    proof = job_by_id(case, run.parameters["proof"])
    if proof is None:
        raise JobFailed(str(_("Check the tricks first: the cost is of that play.")))
    try:
        equity = worlds_equity(case, proof.parameters["asked"], int(run.parameters["seed"]))
    except EngineError as error:
        raise JobFailed(error.message) from error
    with run.effect() as result:
        result.update(equity)


@job_kind(EQUITY, seconds=600)
def equity_job(run: Run) -> None:
    """Run the job: result as played, best result without the offence, the penalty (rules C, equity)."""
    case = _case(run)
    try:
        equity = equity_of(case, int(run.parameters["index"]))
    except EngineError as error:
        raise JobFailed(error.message) from error
    with run.effect() as result:
        result.update(equity)


def deal_before(sheet: Sheet, entry: EntryJson, index: int) -> Deal:
    """Return the deal immediately before an illegal play of its record, with all hands known."""
    replayed, places = ScoreSheet(sheet).replay(entry, partial=True)
    offence, tricks = replayed["violations"][index], replayed["tricks"]
    plays = [play for trick in tricks for play in trick["plays"]]
    hands: dict[str, list[str]] = {seat: [] for seat in places.game.seats}
    for seat, card in plays:
        hands[seat].append(card)
    hands.update(entry["record"].get("hands") or {})
    trump, leader = entry["record"]["trump"], tricks[0]["leader"]
    deal = Deal.start(places.game, hands=hands, trump=trump, leader=leader)
    played = (offence["trick"] - 1) * len(hands)
    while plays[played][0] != offence["seat"]:
        played += 1
    for _seat, card in plays[:played]:
        deal.record(parse_card(card))
    return deal


def _fined(
    case: Case, sheet: Sheet, index: int, guilty: str, otherwise: dict[str, int]
) -> dict[str, int]:
    """Return the deal's marks under a ruling on the play, with the sheet's bonus and switches."""
    if case.deal is None:
        return otherwise
    articles = case.deal.flagged[index]["articles"]
    if not articles:
        return otherwise
    return (
        ScoreSheet(sheet).score(case.deal.entry, [{"article": articles[0], "side": guilty}]).marks
    )


def equity_of(case: Case, index: int) -> dict[str, object]:
    """Compute the equity for the innocent side, and whether the search was exhaustive."""
    if case.sheet is None or case.deal is None or "record" not in case.deal.entry:
        raise JobFailed(str(_("The deal was not recorded card by card.")))
    if not case.places.game.in_pairs:
        raise JobFailed(str(_("The value of a deal can be computed only for games of two pairs.")))
    deal = deal_before(case.sheet, case.deal.entry, index)
    solution = solve(Position.of(deal), node_limit=MOST_NODES)
    if solution.points is None:
        # The search ended at its limit: what it proved, in points of the tricks still to come.
        bounds = zip(deal.points.items(), solution.lower, solution.upper, strict=True)
        return {
            "exact": False,
            "bounds": {side: [won + low, won + high] for (side, won), low, high in bounds},
        }
    before = deal.points.items()
    best = {side: won + more for (side, won), more in zip(before, solution.points, strict=True)}
    game = case.game()
    guilty = game.sides[str(deal.turn)]
    innocent = game.opponents(guilty)[0]
    plain = case.deal.entry.copy()
    plain.pop("record", None)
    plain["points"] = best
    as_played = ScoreSheet(case.sheet).score(case.deal.entry).marks
    without = ScoreSheet(case.sheet).score(plain).marks
    fined = _fined(case, case.sheet, index, guilty, {guilty: 0, innocent: game.penalty})
    statement = equity(
        innocent, signed(as_played, innocent), signed(without, innocent), signed(fined, innocent)
    )
    return {
        "exact": solution.exact,
        "side": innocent,
        "as_played": to_json(statement.as_played),
        "without_offence": to_json(statement.without_offence),
        "penalised": to_json(statement.penalised),
        "damage": to_json(statement.damage),
        "difference": to_json(statement.difference),
        "text": to_json(statement.text),
        "points": best,
    }


def _complete_question(case: Case, question: QuestionJson) -> Payload:
    """Return the question with the sheet's rules, and with the first leader if the question omits trick 1."""
    tricks: list[Payload] = list(question["tricks"])
    if all(trick["n"] != 1 for trick in tricks):
        entry = case.entry
        dealer = case.places.player(str(entry["dealer"])) if entry.get("dealer") else None
        contract = entry.get("contract")
        play = read_card_play(_rules(case))
        leader = first_leader({"dealer": dealer, "contract": contract}, play)
        tricks.insert(0, {"n": 1, "leader": play.seats[leader], "plays": []})
    return {**_rules(case), **question, "tricks": tricks}


def worlds_equity(case: Case, question: QuestionJson, seed: int) -> dict[str, object]:
    """Compute the mean equity for the innocent side over :data:`WORLDS_DRAWN` deals.

    ``question``: as in :func:`ask_proof`. Deterministic by ``seed``. Raises :class:`JobFailed` where so
    little is known, or so many cards are left, that no honest mean can be had in seconds.
    """
    sheet, deal = case.sheet, case.deal
    if sheet is None or deal is None:
        raise JobFailed(str(_("The table has not recorded this deal yet.")))
    record = agreed_record(_complete_question(case, question))
    play, alleged = record.play, question["allegation"]
    offender = play.seat(alleged["seat"], "allegation.seat")
    held: dict[int, int] = {}
    if deal.entry.get("turn_up") and deal.entry.get("dealer"):
        dealer = play.seat(case.places.player(str(deal.entry["dealer"])), "dealer")
        held[dealer] = 1 << parse_card(deal.entry["turn_up"], "turn_up")
    try:
        worlds = Worlds(record, int(alleged["trick"]), offender, held).draw(WORLDS_DRAWN, seed)
        results = best_results(record, worlds, MOST_NODES_OF_WORLDS)
    except TooLittleKnown as error:
        raise JobFailed(
            str(_("No deal fits these tricks, or too few tricks are known to draw deals."))
        ) from error
    except TooManyCards as error:
        raise JobFailed(
            ngettext(
                "So many cards were left that only %(solved)d of %(worlds)d deals could be "
                "played out in time: no mean is given.",
                "So many cards were left that only %(solved)d of %(worlds)d deals could be "
                "played out in time: no mean is given.",
                error.solved,
            )
            % {"solved": error.solved, "worlds": WORLDS_DRAWN}
        ) from error
    guilty = play.sides[play.side_of[offender]]
    innocent = play.sides[1 - play.side_of[offender]]
    entry = deal.entry.copy()
    entry.pop("record", None)
    entry.pop("tricks", None)
    entry.pop("trick_list", None)
    marks: dict[tuple[int, int], Any] = {}
    for points in set(results):
        entry["points"] = dict(zip(play.sides, points, strict=True))
        marks[points] = signed(ScoreSheet(sheet).score(entry).marks, innocent)
    as_played = ScoreSheet(sheet).score(deal.entry).marks
    article = article_of(sheet.rulebook, alleged["kind"])
    fined = (
        ScoreSheet(sheet).score(deal.entry, [{"article": article, "side": guilty}]).marks
        if article
        else {guilty: 0, innocent: case.game().penalty}
    )
    statement = mean_equity(
        innocent,
        signed(as_played, innocent),
        [marks[points] for points in results],
        signed(fined, innocent),
    )
    return {
        **to_json(statement),
        "damage": to_json(statement.damage),
        "difference": to_json(statement.difference),
        "seed": seed,
        "different": len(set(worlds)),
    }
