"""The draw of a round: requested, drawn by a job, stored as a candidate, discarded.

A draw job computes outside any transaction and stores its candidate in the job's effect, so that a
worker killed at any moment, or a job started twice, leaves exactly one candidate. :mod:`.edits`
(changes by hand) and :mod:`.publication` continue from a candidate.
"""

from __future__ import annotations

import time
import uuid
from collections.abc import Iterable, Mapping

from django.db.models import Max
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from ledger import audit
from ledger.actors import Actor
from ledger.canonical import JsonObject
from ledger.change import change
from ledger.errors import Conflict, Refused
from ledger.jobs import JobFailed, Run, enqueue, job_kind
from ledger.models import Job
from ledger.verbs import verb
from scoring.texts import in_every_language
from tournament.drawing import formats
from tournament.drawing.spec import DrawnRound, Spec, spec_as_json, spec_from_json
from tournament.models import Draw, DrawState, Round, RoundState
from tournament.models.draws import TableJson
from tournament.pairing.model import Certificate, Drawn, DrawRefused
from tournament.pairing.model import Table as DrawnTable
from tournament.queries.chains import require_round
from tournament.queries.falls import fallen, of_draft, what_falls
from tournament.queries.fields import (
    entrants_of,
    numbers_of,
    playing,
    spec_of,
    stage_seed,
    stored_table,
)

from .readiness import facts_of

audit.name_verbs("draw", discarded=_("Draw discarded"))
audit.name_verbs("round", drawn=_("Round drawn"))

REPORT_EVERY = 0.2
"""Seconds between two words of progress: each is a write."""

UNPUBLISHED = (RoundState.PLANNED, RoundState.DRAWN)


@verb("rounds_draw", Round, "rounds.manage", at="draws/", statuses={Job: 202})
def request_draw(
    *,
    round_id: uuid.UUID,
    actor: Actor,
    seed: str = "",
    hold: bool = False,
    bye_first: Iterable[int] = (),
    keep_of: uuid.UUID | None = None,
    keep: Iterable[int] = (),
) -> Job:
    """Request a draw; while one is being made, that job is answered.

    Without a draw code it is the stage's own; ``bye_first``: start numbers that want a bye.
    """
    drawn_round = (
        Round.objects.select_for_update(of=("self",), no_key=True)
        .select_related("stage__event")
        .get(pk=round_id)
    )
    if drawn_round.state not in UNPUBLISHED:
        raise Conflict(
            "round_published",
            _("This round is published. Unpublish it before drawing again."),
        )
    earlier = drawn_round.stage.rounds.filter(
        number__lt=drawn_round.number, published_at__isnull=True
    )
    if earlier.exists():
        raise Conflict("round_before_missing", _("Publish the round before this one first."))
    require_round(drawn_round, playing(drawn_round).count())
    if len(seed) > 60:
        raise Refused("seed_too_long", _("A draw code has at most 60 characters."), field="seed")
    if keep_of is not None:
        candidate = Draw.objects.filter(pk=keep_of, round=drawn_round).first()
        if candidate is None:
            raise Refused("no_such_draw", _("No such draw in this round."), field="keep_of")
        missing = set(keep) - {table["number"] for table in candidate.tables}
        if missing:
            raise Refused(
                "no_such_table",
                _("This draw has no table %(number)d."),
                field="keep",
                params={"number": min(missing)},
            )
    return enqueue(
        kind="tournament.draw",
        scope=drawn_round.stage.event_id,
        actor=actor,
        parameters={
            "round": str(round_id),
            "seed": seed,
            "hold": hold,
            "bye_first": sorted(bye_first),
            "keep_of": str(keep_of) if keep_of else "",
            "keep": sorted(keep),
            "language": get_language() or "en",
        },
        key=f"draw:{round_id}",
    )


def _spec(parameters: JsonObject) -> Spec:
    """Return the spec for a job's parameters, by the present state of the hall."""
    drawn_round = Round.objects.select_related("stage__event").get(pk=parameters["round"])
    candidates = drawn_round.draws.count()
    seed = parameters.get("seed") or stage_seed(drawn_round.stage, candidates + 1)
    locked: list[DrawnTable] = []
    if parameters.get("keep_of"):
        numbers = numbers_of(drawn_round.stage.event)
        earlier = Draw.objects.get(pk=parameters["keep_of"])
        wanted = set(parameters["keep"])
        locked = [stored_table(t, numbers) for t in earlier.tables if t["number"] in wanted]
    return spec_of(
        drawn_round.pk,
        seed=seed,
        hold=bool(parameters.get("hold")),
        bye_first=parameters.get("bye_first", ()),
        locked=locked,
    )


@job_kind("tournament.draw", seconds=300)
def draw_round(run: Run) -> None:
    """Compute the draw of a round and store it as a candidate (job)."""
    language = run.parameters.get("language", "en")
    run.progress(0, 100, "")
    spec = _spec(run.parameters)
    reported = time.monotonic()

    def report(done: int, total: int) -> None:
        nonlocal reported
        if time.monotonic() - reported >= REPORT_EVERY:
            reported = time.monotonic()
            run.progress(done, max(total, 1))

    try:
        outcome = formats.draw(spec, report)
    except DrawRefused as refusal:
        raise JobFailed(refusal.reason.render(language)) from refusal
    with run.effect() as result:
        candidate = store_candidate(
            round_id=run.parameters["round"], spec=spec, outcome=outcome, actor=run.actor
        )
        result["draw"] = str(candidate.pk)


def table_json(table: DrawnTable, entrants: Mapping[int, int]) -> TableJson:
    """Return one drawn table for storage: ``entrants`` translates start numbers to entrant ids."""
    keeper, dealer = table.scorekeeper, table.dealer
    return {
        "number": table.number,
        "kind": str(table.kind),
        "players": [entrants[p] for p in table.players],
        "scorekeeper": None if keeper is None else entrants[keeper],
        "dealer": None if dealer is None else entrants[dealer],
    }


def certificate_json(certificate: Certificate) -> list[dict[str, object]]:
    """Return the certificate for storage: every line with its value, bound and reason in all languages."""
    return [
        {
            "code": line.code,
            "value": line.value,
            "bound": line.bound,
            "proven": line.proven,
            "why": in_every_language(line.why),
        }
        for line in certificate.lines
    ]


def fill(candidate: Draw, drawn: Drawn, entrants: Mapping[int, int]) -> None:
    """Write what was drawn into a candidate; the caller saves it."""
    candidate.seed = drawn.seed
    candidate.movement = drawn.movement
    candidate.tables = [table_json(table, entrants) for table in drawn.tables]
    candidate.byes = [entrants[p] for p in drawn.byes]
    candidate.held = [entrants[p] for p in drawn.held]
    candidate.certificate = {
        "lines": certificate_json(drawn.certificate),
        "slots": list(drawn.slots),
    }


@change()
def store_candidate(*, round_id: uuid.UUID, spec: Spec, outcome: DrawnRound, actor: Actor) -> Draw:
    """Store a draw as a candidate of its round, with its complete request."""
    drawn_round = (
        Round.objects.select_for_update(of=("self",), no_key=True)
        .select_related("stage__event")
        .get(pk=round_id)
    )
    if drawn_round.state not in UNPUBLISHED:
        raise JobFailed(str(_("The round was published in the meantime.")))
    last = drawn_round.draws.aggregate(top=Max("number"))["top"] or 0
    candidate = Draw(
        round=drawn_round,
        number=last + 1,
        request=spec_as_json(spec),
        plan=outcome.plan,
        facts=facts_of(spec),
        made_by=str(actor),
    )
    fill(candidate, outcome.drawn, entrants_of(drawn_round.stage.event))
    candidate.save()
    if drawn_round.state == RoundState.PLANNED:
        drawn_round.state = RoundState.DRAWN
        drawn_round.save(update_fields=["state"])
    audit.append(
        candidate,
        "round.drawn",
        actor,
        scope=drawn_round.stage.event_id,
        after={
            "round": drawn_round.pk,
            "seed": candidate.seed,
            "movement": candidate.movement,
            "tables": [t["players"] for t in candidate.tables],
            "byes": candidate.byes,
            "held": candidate.held,
        },
    )
    return candidate


@verb("draws_discard", Draw, "rounds.manage", done=_("The draw has been discarded."))
def discard_draw(*, draw_id: uuid.UUID, actor: Actor) -> Draw:
    """Discard a draft draw; it stays readable."""
    candidate = Draw.objects.select_related("round__stage__event").get(pk=draw_id)
    drawn_round = Round.objects.select_for_update(no_key=True).get(pk=candidate.round_id)
    candidate.refresh_from_db(fields=["state"])
    if candidate.state == DrawState.PUBLISHED:
        raise Conflict("draw_published", _("This draw is published."))
    if candidate.state == DrawState.DISCARDED:
        return candidate
    falls = fallen(what_falls(of_draft(candidate)))
    candidate.state = DrawState.DISCARDED
    candidate.save(update_fields=["state"])
    if drawn_round.publish_draw_id == candidate.pk:
        drawn_round.publish_at = drawn_round.publish_draw = None
        drawn_round.save(update_fields=["publish_at", "publish_draw"])
    if not drawn_round.draws.filter(state=DrawState.CANDIDATE).exists():
        Round.objects.filter(pk=drawn_round.pk, state=RoundState.DRAWN).update(
            state=RoundState.PLANNED, publish_at=None, publish_draw=None
        )
    audit.append(candidate, "draw.discarded", actor, after={"falls": falls} if falls else None)
    return candidate


def drawn_of(candidate: Draw, numbers: Mapping[int, int]) -> Drawn:
    """Return a stored draw as the pairing room's value (start numbers), without its certificate."""
    return Drawn(
        candidate.round.number,
        candidate.movement,
        candidate.seed,
        tuple(stored_table(t, numbers) for t in candidate.tables),
        tuple(numbers[b] for b in candidate.byes),
        Certificate(()),
        tuple(candidate.certificate.get("slots", ())),
        tuple(numbers[h] for h in candidate.held),
    )


def reproduce(candidate: Draw) -> tuple[Drawn, bool]:
    """Repeat a stored draw; return it, and whether its tables are the same as first drawn.

    "First drawn": before the director's changes, which are listed with the draw.
    """
    numbers = numbers_of(candidate.round.stage.event)
    outcome = formats.draw(spec_from_json(candidate.first_request))
    first = candidate.edits[0]["before"] if candidate.edits else None
    tables = first["tables"] if first else candidate.tables
    byes = first["byes"] if first else candidate.byes
    same = tuple(stored_table(t, numbers) for t in tables) == outcome.drawn.tables and tuple(
        numbers[b] for b in byes
    ) == tuple(outcome.drawn.byes)
    return outcome.drawn, same
