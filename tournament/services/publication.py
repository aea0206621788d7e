"""From a candidate to a round that is played: publish now or at a time, withdraw.

A publication is one transaction: tables, seats, links and score sheets come into being with it, or
nothing does. A timed publication is a job that the workers' timer starts when its time has come;
however many workers see it, its effect happens once.
"""

from __future__ import annotations

import uuid
from datetime import datetime, timedelta
from typing import Any, Final

from django.db import transaction
from django.utils import timezone, translation
from django.utils.translation import gettext_lazy as _

from ledger import audit
from ledger.actors import Actor
from ledger.errors import Conflict, Refused
from ledger.jobs import JobFailed, Run, enqueue, job_kind, on_tick
from scoring.engine import rulebook as rulebooks
from scoring.engine.errors import EngineError
from scoring.engine.rulebook import Sides
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
from tournament.pairing.model import SEATS, Kind
from tournament.selectors.fields import numbers_of, playing_ids

from .draws import UNPUBLISHED
from .events import bump

GAMES: dict[str, list[tuple[str, str]]] = {
    Kind.ROTATION: [("AB", "CD"), ("AC", "BD"), ("AD", "BC")],
}
"""Which seats play together in each game of a table with the three rotations."""

FILLING_RULEBOOK: Final = "three-player"
"""What a filling table of three plays (rules specification D.2: not classified)."""

FURTHEST: Final = timedelta(days=30)


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
    if drawn_round.state not in UNPUBLISHED:
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
    lay_tables(candidate, stage, candidate.tables)
    _note_byes(candidate)
    drawn_round.state = RoundState.PUBLISHED
    drawn_round.published_at = timezone.now()
    drawn_round.publish_at = drawn_round.publish_draw = None
    drawn_round.save(update_fields=["state", "published_at", "publish_at", "publish_draw"])
    _fit_rounds(stage, candidate.plan.get("needed"))
    Event.objects.filter(pk=stage.event_id, state="open").update(state="running")
    audit.append(
        scope=stage.event_id, actor=actor, verb="draw.published", subject=candidate,
        after={"round": drawn_round.pk, "tables": len(candidate.tables)},
    )  # fmt: skip
    bump(stage.event_id)
    return drawn_round


def _require_everybody(candidate: Draw) -> None:
    """Refuse a candidate that no longer fits who is in the hall."""
    numbers = numbers_of(candidate.round.stage.event)
    wanted = {numbers[pk] for pk in playing_ids(candidate.round)}
    known = {who["id"] for who in candidate.request["contestants"]}
    if known != wanted:
        listed = sorted(known ^ wanted)
        raise Conflict(
            "field_changed",
            _(
                "Players came or left since this draw was made (%(count)d changes, numbers "
                "%(numbers)s): draw again, or put somebody in the place of who left."
            ),
            params={
                "count": len(listed),
                "numbers": ", ".join(map(str, listed[:8])) + ("…" if len(listed) > 8 else ""),
            },
        )


def _fit_rounds(stage: Stage, needed: int | None) -> None:
    """Give the stage as many rounds as its movement has (a round robin, a bracket)."""
    if not needed or (needed == stage.rounds_planned and stage.rounds.count() == needed):
        return
    stage.rounds.filter(number__gt=needed, published_at__isnull=True).delete()
    there = set(stage.rounds.values_list("number", flat=True))
    Round.objects.bulk_create(
        Round(stage=stage, number=number) for number in range(1, needed + 1) if number not in there
    )
    stage.rounds_planned = needed
    stage.save(update_fields=["rounds_planned"])


def game_seats(kind: str, players: list[int]) -> list[tuple[dict[str, list[str]], dict[str, int]]]:
    """The games of a table: for each, the seats of every side and who sits at each engine seat."""
    labels = SEATS[Kind(kind)]
    at = dict(zip(labels, players, strict=False))
    if kind == Kind.MATCH:
        return [
            ({"NS": ["NS"], "EW": ["EW"]},
             {"N": at["NS"], "S": at["NS"], "E": at["EW"], "W": at["EW"]})
        ]  # fmt: skip
    if kind != Kind.SOLO and len(players) == 4:
        if kind == Kind.PARTNERS:
            return [({"NS": ["N", "S"], "EW": ["E", "W"]}, at)]
        return [
            ({"NS": list(ns), "EW": list(ew)},
             {"N": at[ns[0]], "S": at[ns[1]], "E": at[ew[0]], "W": at[ew[1]]})
            for ns, ew in GAMES[Kind.ROTATION]
        ]  # fmt: skip
    # Each for himself; also a filling table of three, whose seats keep their letters.
    sides = {str(n): [label] for n, label in enumerate(at, start=1)}
    return [(sides, {str(n): player for n, player in enumerate(players, start=1)})]


def sheet_options(event: Event, stage: Stage, players: int) -> dict[str, Any]:
    """The switches of a stage's sheets: the event's, with the stage's end of a game."""
    options = dict(event.options)
    game = rulebooks.resolve(event.rulebook, options)
    if stage.target is not None:
        options["target"] = stage.target
    elif stage.deals_per_game:
        deals = stage.deals_per_game
        if game.book.sides is not Sides.PAIRS:
            # Each for himself: all must deal equally often, so the last turn is dealt out (004).
            deals = -(-deals // players) * players
        options["target"] = {"deals": deals}
    if game.book.sides is Sides.DECLARER_ALONE:
        options["players"] = players
    return options


def is_filling(event: Event, table: dict[str, Any]) -> bool:
    """Whether a table of three fills up an event that is played two against two."""
    if len(table["players"]) != 3 or table["kind"] == Kind.MATCH:
        return False
    return rulebooks.resolve(event.rulebook, event.options).book.sides is Sides.PAIRS


def lay_tables(candidate: Draw, stage: Stage, drawn: list[dict[str, Any]]) -> None:
    """Create everything that drawn tables stand for, in as few statements as there are kinds."""
    event = stage.event
    choices: dict[tuple[str, int], tuple[str, str, dict[str, Any]]] = {}
    scoring_tables, tables, seats, sheets, games = [], [], [], [], []
    for stored in drawn:
        # The first deal passes on: another player (of a match, the other pair) in every game.
        kind, players = stored["kind"], stored["players"]
        filling = is_filling(event, stored)
        if (kind, len(players)) not in choices:
            choices[kind, len(players)] = _sheet_rules(event, stage, len(players), filling)
        rulebook, edition, options = choices[kind, len(players)]
        scoring_table = ScoringTable(
            scope=event.pk, label=f"{candidate.round.number}/{stored['number']}"
        )
        scoring_table.token_hash = token_hash(table_token(scoring_table))
        scoring_tables.append(scoring_table)
        table = Table(round=candidate.round, number=stored["number"], scoring_table=scoring_table)
        tables.append(table)
        for label, player in zip(SEATS[Kind(kind)], players, strict=False):
            seats.append(
                Seat(round=candidate.round, table=table, position=label, entrant_id=player,
                     scorekeeper=player == stored["scorekeeper"])
            )  # fmt: skip
        listed = game_seats(kind, players)
        if kind == Kind.MATCH:
            listed = listed * stage.games_per_round
        for number, (sides, at) in enumerate(listed, 1):
            first = players.index(stored["dealer"]) if stored["dealer"] in players else 0
            deals = players[(first + number - 1) % len(players)]
            dealer = next(seat for seat, player in at.items() if player == deals)
            sheet = Sheet(
                scope=event.pk, table=scoring_table, order=number, rulebook=rulebook,
                edition=edition, options=options, seats=at, first_dealer=dealer,
                protocol=event.protocol, depth=event.depth,
            )  # fmt: skip
            sheets.append(sheet)
            games.append(
                TableGame(table=table, number=number, sides=sides, sheet=sheet, counts=not filling)
            )
    ScoringTable.objects.bulk_create(scoring_tables, batch_size=500)
    Table.objects.bulk_create(tables, batch_size=500)
    Seat.objects.bulk_create(seats, batch_size=500)
    Sheet.objects.bulk_create(sheets, batch_size=500)
    TableGame.objects.bulk_create(games, batch_size=500)


def _sheet_rules(
    event: Event, stage: Stage, players: int, filling: bool
) -> tuple[str, str, dict[str, Any]]:
    """Rulebook, edition and switches of the sheets of tables with so many players."""
    if not filling:
        options = sheet_options(event, stage, players)
        try:
            rulebooks.resolve(event.rulebook, options)
        except EngineError as error:
            raise Refused(error.code, error.message) from error
        return event.rulebook, event.edition, options
    options = {"target": {"deals": 3}}
    game = rulebooks.resolve(FILLING_RULEBOOK, options)
    return FILLING_RULEBOOK, game.book.edition, options


def _note_byes(candidate: Draw) -> None:
    """Who sits out; the players of a filling table of three are credited alike."""
    event = candidate.round.stage.event
    filling = [
        p for table in candidate.tables if is_filling(event, table) for p in table["players"]
    ]
    Bye.objects.bulk_create(
        [Bye(round=candidate.round, entrant_id=player) for player in candidate.byes]
        + [Bye(round=candidate.round, entrant_id=p, kind="sat_out") for p in filling]
    )


@transaction.atomic
def publish_later(*, draw_id: uuid.UUID, at: datetime, actor: Actor) -> Round:
    """Publish a candidate at a time to come; another time or candidate replaces the one set."""
    now = timezone.now()
    if not now < at <= now + FURTHEST:
        raise Refused("time_not_ahead", _("Choose a time ahead, at most 30 days."), field="at")
    candidate = Draw.objects.select_related("round__stage").get(pk=draw_id)
    drawn_round = Round.objects.select_for_update().get(pk=candidate.round_id)
    candidate.refresh_from_db(fields=["state"])
    if candidate.state != DrawState.CANDIDATE or drawn_round.state != RoundState.DRAWN:
        raise Conflict("not_a_candidate", _("Only a candidate draw can be published."))
    drawn_round.publish_at = at
    drawn_round.publish_draw = candidate
    drawn_round.save(update_fields=["publish_at", "publish_draw"])
    audit.append(
        scope=candidate.round.stage.event_id, actor=actor, verb="draw.scheduled",
        subject=candidate, after={"at": at.isoformat()},
    )  # fmt: skip
    return drawn_round


@transaction.atomic
def cancel_publication(*, round_id: uuid.UUID, actor: Actor, why: str = "") -> Round:
    """Take back a timed publication that has not happened yet."""
    drawn_round = Round.objects.select_for_update().select_related("stage").get(pk=round_id)
    if drawn_round.publish_at is not None:
        drawn_round.publish_at = drawn_round.publish_draw = None
        drawn_round.save(update_fields=["publish_at", "publish_draw"])
        audit.append(
            scope=drawn_round.stage.event_id, actor=actor, verb="draw.unscheduled",
            subject=drawn_round, after={"why": why[:300]},
        )  # fmt: skip
    return drawn_round


@on_tick
def publish_due() -> int:
    """Start the job of every publication whose time has come; returns how many were due."""
    due = Round.objects.filter(
        publish_at__lte=timezone.now(), state=RoundState.DRAWN, publish_draw__isnull=False
    ).values_list("pk", "publish_draw_id", "stage__event_id", "stage__event__language")
    count = 0
    for round_id, draw_id, scope, language in due:
        enqueue(
            kind="tournament.publish", scope=scope, actor=Actor.system("clock"),
            parameters={"round": str(round_id), "draw": str(draw_id), "language": language},
            key=f"publish:{round_id}",
        )  # fmt: skip
        count += 1
    return count


@job_kind("tournament.publish")
def publish_on_time(run: Run) -> None:
    """The job: publish the candidate whose time has come; one that can't be is taken off the clock."""
    draw_id, round_id = run.parameters["draw"], run.parameters["round"]
    try:
        with run.effect() as result:
            waiting = Round.objects.select_for_update().get(pk=round_id)
            if str(waiting.publish_draw_id) == draw_id and waiting.state == RoundState.DRAWN:
                publish_draw(draw_id=uuid.UUID(draw_id), actor=run.actor)
                result["published"] = round_id
    except Refused as refusal:
        with translation.override(run.parameters["language"]):
            why = str(refusal)
        cancel_publication(round_id=uuid.UUID(round_id), actor=run.actor, why=refusal.code)
        raise JobFailed(why) from refusal


@transaction.atomic
def unpublish(*, round_id: uuid.UUID, actor: Actor, reason: str) -> Round:
    """Withdraw a publication, as long as nothing was entered; the draw is a candidate again."""
    if not reason.strip():
        raise Refused("reason_missing", _("Say why the draw is withdrawn."), field="reason")
    published = Round.objects.select_for_update().select_related("stage").get(pk=round_id)
    if published.state in UNPUBLISHED:
        return published
    later = published.stage.rounds.filter(number__gt=published.number, published_at__isnull=False)
    if later.exists():
        raise Conflict(
            "later_round_published", _("A later round is published: withdraw that one first.")
        )
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
