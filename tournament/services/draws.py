"""The draw of a round: drawn by a job, looked at, published in one transaction.

A draw job computes outside any transaction and stores its candidate in the job's effect, so that a
worker killed at any moment, or a job started twice, leaves exactly one candidate. A publication
creates tables, seats, links and score sheets, or nothing.
"""

from __future__ import annotations

import uuid
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from ledger import audit
from ledger.actors import Actor
from ledger.errors import Conflict, Refused
from ledger.jobs import JobFailed, Run, enqueue, job_kind
from ledger.models import Job
from scoring.engine import rulebook as rulebooks
from scoring.links import token_hash
from scoring.models import ScoringTable, Sheet
from scoring.services.tables import table_token
from tournament.models import (
    Bye,
    Draw,
    DrawState,
    Event,
    Round,
    RoundState,
    Seat,
    Stage,
    Table,
    TableGame,
)
from tournament.pairing.championship import draw_championship
from tournament.pairing.model import SEATS, Drawn, DrawRefused, Kind
from tournament.pairing.model import Table as DrawnTable
from tournament.selectors.fields import draw_request

from .events import bump

GAMES: dict[str, list[tuple[str, str]]] = {
    Kind.ROTATION: [("AB", "CD"), ("AC", "BD"), ("AD", "BC")],
}
"""Which seats play together in each game of a table with the three rotations."""


@transaction.atomic
def request_draw(*, round_id: uuid.UUID, actor: Actor, seed: str = "", movement: str = "") -> Job:
    """Ask for a draw of a round; while one is being made for it, that job is returned."""
    drawn_round = Round.objects.select_for_update().select_related("stage__event").get(pk=round_id)
    if drawn_round.state not in (RoundState.PLANNED, RoundState.DRAWN):
        raise Conflict(
            "round_published",
            _("This round is published. Withdraw the publication before drawing again."),
        )
    return enqueue(
        kind="tournament.draw",
        scope=drawn_round.stage.event_id,
        actor=actor,
        parameters={
            "round": str(round_id), "seed": seed, "movement": movement,
            "language": get_language() or "en",
        },
        key=f"draw:{round_id}",
    )  # fmt: skip


@job_kind("tournament.draw")
def draw_round(run: Run) -> None:
    """The job: compute the draw of a round and store it as a candidate."""
    round_id = run.parameters["round"]
    language = run.parameters.get("language", "en")
    request = draw_request(round_id, seed=run.parameters.get("seed", ""))
    run.progress(0, 100, "")
    try:
        drawn = draw_championship(
            request, progress=lambda done, total: run.progress(done, max(total, 1))
        )
    except DrawRefused as refusal:
        raise JobFailed(refusal.reason.to(language)) from refusal
    with run.effect() as result:
        candidate = store_candidate(round_id=round_id, drawn=drawn, actor=run.actor)
        result["draw"] = str(candidate.pk)


def table_json(table: DrawnTable) -> dict[str, Any]:
    """One drawn table as stored."""
    return {
        "number": table.number, "kind": str(table.kind), "players": list(table.players),
        "scorekeeper": table.scorekeeper, "dealer": table.dealer,
    }  # fmt: skip


def table_from_json(stored: dict[str, Any]) -> DrawnTable:
    """The drawn table that :func:`table_json` stored."""
    return DrawnTable(
        stored["number"], Kind(stored["kind"]), tuple(stored["players"]),
        stored["scorekeeper"], stored["dealer"],
    )  # fmt: skip


def certificate_json(drawn: Drawn) -> list[dict[str, Any]]:
    """The certificate as stored: every line with its value, bound and reason in all languages."""
    return [
        {
            "code": line.code, "value": line.value, "bound": line.bound, "proven": line.proven,
            "why": {"en": line.why.en, "fr": line.why.fr, "nl": line.why.nl},
        }
        for line in drawn.certificate.lines
    ]  # fmt: skip


@transaction.atomic
def store_candidate(
    *, round_id: Any, drawn: Drawn, actor: Actor, edits: list[dict[str, Any]] | None = None
) -> Draw:
    """Keep a draw as a candidate of its round."""
    drawn_round = Round.objects.select_for_update().select_related("stage").get(pk=round_id)
    if drawn_round.state not in (RoundState.PLANNED, RoundState.DRAWN):
        raise JobFailed(str(_("The round was published meanwhile.")))
    candidate = Draw.objects.create(
        round=drawn_round, number=drawn_round.draws.count() + 1, seed=drawn.seed,
        movement=drawn.movement, tables=[table_json(table) for table in drawn.tables],
        byes=list(drawn.byes),
        certificate={"lines": certificate_json(drawn), "slots": list(drawn.slots)},
        edits=edits or [], made_by=str(actor),
    )  # fmt: skip
    if drawn_round.state == RoundState.PLANNED:
        drawn_round.state = RoundState.DRAWN
        drawn_round.save(update_fields=["state"])
    audit.append(
        scope=drawn_round.stage.event_id, actor=actor, verb="round.drawn", subject=candidate,
        after={
            "round": drawn_round.pk, "seed": candidate.seed, "movement": candidate.movement,
            "tables": [t["players"] for t in candidate.tables], "byes": candidate.byes,
        },
    )  # fmt: skip
    return candidate


@transaction.atomic
def discard_draw(*, draw_id: uuid.UUID, actor: Actor) -> Draw:
    """Put a candidate aside; it stays readable."""
    candidate = Draw.objects.select_for_update().select_related("round__stage").get(pk=draw_id)
    if candidate.state == DrawState.PUBLISHED:
        raise Conflict("draw_published", _("This draw is published."))
    candidate.state = DrawState.DISCARDED
    candidate.save(update_fields=["state"])
    drawn_round = candidate.round
    if not drawn_round.draws.filter(state=DrawState.CANDIDATE).exists():
        Round.objects.filter(pk=drawn_round.pk, state=RoundState.DRAWN).update(
            state=RoundState.PLANNED
        )
    audit.append(
        scope=drawn_round.stage.event_id, actor=actor, verb="draw.discarded", subject=candidate
    )
    return candidate


@transaction.atomic
def publish_draw(*, draw_id: uuid.UUID, actor: Actor) -> Round:
    """Publish a candidate: tables, seats, links and empty score sheets come into being.

    Publishing the published draw again changes nothing; another candidate is refused.
    """
    candidate = Draw.objects.select_related("round__stage__event").get(pk=draw_id)
    drawn_round = Round.objects.select_for_update().get(pk=candidate.round_id)
    candidate.refresh_from_db()
    if candidate.state == DrawState.PUBLISHED:
        return drawn_round
    if drawn_round.state not in (RoundState.PLANNED, RoundState.DRAWN):
        raise Conflict("round_published", _("Another draw of this round is published."))
    if candidate.state == DrawState.DISCARDED:
        raise Conflict("draw_discarded", _("This draw was put aside: draw again."))
    stage = candidate.round.stage
    _require_everybody(candidate)
    Draw.objects.filter(round=drawn_round, state=DrawState.CANDIDATE).exclude(pk=draw_id).update(
        state=DrawState.DISCARDED
    )
    candidate.state = DrawState.PUBLISHED
    candidate.save(update_fields=["state"])
    lay_tables(candidate, stage)
    drawn_round.state = RoundState.PUBLISHED
    drawn_round.published_at = timezone.now()
    drawn_round.save(update_fields=["state", "published_at"])
    Event.objects.filter(pk=stage.event_id, state="open").update(state="running")
    audit.append(
        scope=stage.event_id, actor=actor, verb="draw.published", subject=candidate,
        after={"round": drawn_round.pk, "tables": len(candidate.tables)},
    )  # fmt: skip
    bump(stage.event_id)
    return drawn_round


def _require_everybody(candidate: Draw) -> None:
    """Refuse a candidate that no longer fits who is in the hall."""
    from tournament.selectors.fields import playing_ids

    wanted = playing_ids(candidate.round)
    drawn = {player for table in candidate.tables for player in table["players"]}
    drawn |= set(candidate.byes)
    if drawn != wanted:
        raise Conflict(
            "field_changed",
            _("Players came or left since this draw was made (%(count)d changes): draw again."),
            params={"count": len(drawn ^ wanted)},
        )


def game_seats(kind: str, players: list[int]) -> list[tuple[dict[str, list[str]], dict[str, int]]]:
    """The games of a table: for each, the seats of every side and who sits at each engine seat."""
    labels = SEATS[Kind(kind)]
    at = dict(zip(labels, players, strict=False))
    if kind == Kind.ROTATION:
        return [
            ({"NS": list(ns), "EW": list(ew)},
             {"N": at[ns[0]], "S": at[ns[1]], "E": at[ew[0]], "W": at[ew[1]]})
            for ns, ew in GAMES[Kind.ROTATION]
        ]  # fmt: skip
    if kind == Kind.PARTNERS:
        return [({"NS": ["N", "S"], "EW": ["E", "W"]}, at)]
    if kind == Kind.MATCH:
        return [
            ({"NS": ["NS"], "EW": ["EW"]},
             {"N": at["NS"], "S": at["NS"], "E": at["EW"], "W": at["EW"]})
        ]  # fmt: skip
    return [({label: [label] for label in at}, at)]


def sheet_options(event: Event, stage: Stage) -> dict[str, Any]:
    """The switches of a stage's sheets: the event's, with the stage's end of a game."""
    options = dict(event.options)
    if stage.target is not None:
        options["target"] = stage.target
    elif stage.deals_per_game:
        options["target"] = {"deals": stage.deals_per_game}
    return options


def lay_tables(candidate: Draw, stage: Stage) -> None:
    """Create everything that a published draw stands for, in as few statements as there are kinds."""
    event = stage.event
    options = sheet_options(event, stage)
    rulebooks.resolve(event.rulebook, options)
    scoring_tables, tables, seats, sheets, games = [], [], [], [], []
    for stored in candidate.tables:
        scoring_table = ScoringTable(
            scope=event.pk, label=f"{candidate.round.number}/{stored['number']}"
        )
        scoring_table.token_hash = token_hash(table_token(scoring_table))
        scoring_tables.append(scoring_table)
        table = Table(round=candidate.round, number=stored["number"], scoring_table=scoring_table)
        tables.append(table)
        labels = SEATS[Kind(stored["kind"])]
        for label, player in zip(labels, stored["players"], strict=False):
            seats.append(
                Seat(round=candidate.round, table=table, position=label, entrant_id=player,
                     scorekeeper=player == stored["scorekeeper"])
            )  # fmt: skip
        for number, (sides, at) in enumerate(game_seats(stored["kind"], stored["players"]), 1):
            if number > stage.games_per_round:
                break
            dealer = next(
                (seat for seat, player in at.items() if player == stored["dealer"]), next(iter(at))
            )
            sheet = Sheet(
                scope=event.pk, table=scoring_table, order=number, rulebook=event.rulebook,
                edition=event.edition, options=options, seats=at, first_dealer=dealer,
                protocol=event.protocol, depth=event.depth,
            )  # fmt: skip
            sheets.append(sheet)
            games.append(TableGame(table=table, number=number, sides=sides, sheet=sheet))
    ScoringTable.objects.bulk_create(scoring_tables, batch_size=500)
    Table.objects.bulk_create(tables, batch_size=500)
    Seat.objects.bulk_create(seats, batch_size=500)
    Sheet.objects.bulk_create(sheets, batch_size=500)
    TableGame.objects.bulk_create(games, batch_size=500)
    Bye.objects.bulk_create(
        Bye(round=candidate.round, entrant_id=player) for player in candidate.byes
    )


@transaction.atomic
def unpublish(*, round_id: uuid.UUID, actor: Actor, reason: str) -> Round:
    """Withdraw a publication, as long as nothing was entered; the draw is a candidate again."""
    if not reason.strip():
        raise Refused("reason_missing", _("Say why the draw is withdrawn."), field="reason")
    published = Round.objects.select_for_update().select_related("stage").get(pk=round_id)
    if published.state in (RoundState.PLANNED, RoundState.DRAWN):
        return published
    entered = [
        str(number)
        for number in published.tables.filter(scoring_table__sheets__deals__isnull=False)
        .values_list("number", flat=True)
        .distinct()
    ]
    if entered or published.state == RoundState.CLOSED:
        raise Conflict(
            "entries_exist",
            _(
                "Deals were entered already (tables %(tables)s). Move single players instead, "
                "or correct those sheets."
            ),
            params={"tables": ", ".join(entered[:10])},
        )
    tables = list(published.tables.values_list("scoring_table_id", flat=True))
    published.tables.all().delete()
    published.byes.all().delete()
    Sheet.objects.filter(table__in=tables).delete()
    ScoringTable.objects.filter(pk__in=tables).update(open=False)
    published.draws.filter(state=DrawState.PUBLISHED).update(state=DrawState.CANDIDATE)
    published.state = RoundState.DRAWN
    published.published_at = published.started_at = published.ends_at = None
    published.save()
    audit.append(
        scope=published.stage.event_id, actor=actor, verb="draw.unpublished", subject=published,
        after={"reason": reason},
    )  # fmt: skip
    bump(published.stage.event_id)
    return published
