"""Changes of people after the draw: a replacement, an exchange at published tables, a late table.

The way out of "deals were entered already": single players move, as long as their own tables have no
entry; everything else of the round stays as it is.
"""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from typing import Any

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from ledger import audit
from ledger.actors import Actor
from ledger.errors import Conflict, Refused
from scoring.models import Sheet
from tournament.drawing.kept import replaced_in_plan
from tournament.models import (
    Bye,
    Draw,
    DrawState,
    Entrant,
    EntrantState,
    Round,
    RoundState,
    Seat,
    StageEntrant,
    Table,
)
from tournament.pairing.manual import replace_contestant
from tournament.pairing.model import Contestant, DrawRefused
from tournament.selectors.fields import entrants_of, numbers_of

from .draws import certificate_json, drawn_of, fill
from .edits import (
    Edit,
    note,
    refused,
    replaced_in_request,
    request_of,
    weigh,
)
from .entrants import check_in, withdraw
from .events import bump
from .laying import credit_filling, lay_tables
from .untouched import lock_sheets, written_at


def _published(round_id: uuid.UUID) -> tuple[Round, Draw]:
    """A round in play and its draw, with the sheets locked: nothing is entered meanwhile."""
    lock_sheets(round_id)
    part = Round.objects.select_for_update(no_key=True).get(pk=round_id)
    if part.state not in (RoundState.PUBLISHED, RoundState.PLAYING):
        raise Conflict("not_published", _("This round is not in play."))
    drawn = Draw.objects.select_related("round__stage__event").get(
        round=part, state=DrawState.PUBLISHED
    )
    return part, drawn


def _entrants(drawn: Draw, numbers: Sequence[int]) -> list[int]:
    at = entrants_of(drawn.round.stage.event)
    for number in numbers:
        if number not in at:
            raise Refused(
                "unknown", _("There is no number %(number)d in this event."),
                params={"number": number},
            )  # fmt: skip
    return [at[number] for number in numbers]


def _trade(drawn: Draw, trade: Mapping[int, int]) -> None:
    """Exchange entrants (by id) in seats, byes, sheets and the draw of a published round.

    Refused where one of the tables has an entry.
    """
    part = drawn.round
    tables = Seat.objects.filter(round=part, entrant__in=trade).values_list("table_id", flat=True)
    entered = written_at(part.pk, tables)
    if entered:
        raise Conflict(
            "entries_exist",
            _("Deals were entered at table %(table)d: nobody can change there in this round."),
            params={"table": min(entered)},
        )
    trade_seats(drawn, trade)


def trade_seats(drawn: Draw, trade: Mapping[int, int]) -> None:
    """Exchange entrants (by id) in a published round, whatever was entered; the caller saves."""
    part = drawn.round
    seats = list(Seat.objects.select_related("table").filter(round=part, entrant__in=trade))
    tables = {seat.table_id: seat.table for seat in seats}
    byes = list(Bye.objects.filter(round=part, entrant__in=trade))
    Seat.objects.filter(pk__in=[seat.pk for seat in seats]).delete()
    Bye.objects.filter(pk__in=[bye.pk for bye in byes]).delete()
    Seat.objects.bulk_create(
        Seat(
            round=part, table=seat.table, position=seat.position, entrant_id=trade[seat.entrant_id],
            scorekeeper=seat.scorekeeper,
        )
        for seat in seats
    )  # fmt: skip
    Bye.objects.bulk_create(
        Bye(round=part, entrant_id=trade[bye.entrant_id], kind=bye.kind) for bye in byes
    )
    sheets = list(Sheet.objects.filter(game__table__in=tables))
    for sheet in sheets:
        sheet.seats = {seat: trade.get(who, who) for seat, who in sheet.seats.items()}
    Sheet.objects.bulk_update(sheets, ["seats"])

    def who(key: int | None) -> int | None:
        return key if key is None else trade.get(key, key)

    drawn.tables = [
        {
            **table, "players": [trade.get(p, p) for p in table["players"]],
            "scorekeeper": who(table["scorekeeper"]), "dealer": who(table["dealer"]),
        }
        for table in drawn.tables
    ]  # fmt: skip
    drawn.byes = [trade.get(b, b) for b in drawn.byes]
    drawn.held = [trade.get(h, h) for h in drawn.held]


@transaction.atomic
def exchange(*, round_id: uuid.UUID, one: int, two: int, actor: Actor) -> Draw:
    """Exchange two start numbers of a published round; one of them may sit out."""
    _part, drawn = _published(round_id)
    change = weigh(drawn, Edit("swap", one=one, two=two))
    first, second = _entrants(drawn, (one, two))
    note(drawn, {"verb": "swap", "one": one, "two": two, "published": True}, change.delta, actor)
    _trade(drawn, {first: second, second: first})
    drawn.certificate = {
        **drawn.certificate, "lines": certificate_json(change.after.certificate),
    }  # fmt: skip
    drawn.save()
    _tell(drawn, actor, {"one": one, "two": two})
    return drawn


@transaction.atomic
def seat_late(*, round_id: uuid.UUID, players: Sequence[int], number: int, actor: Actor) -> Draw:
    """Seat together, at a new table of a published round, who was held or sits out."""
    part, drawn = _published(round_id)
    change = weigh(drawn, Edit("seat", players=tuple(players), to=number))
    ids = _entrants(drawn, players)
    note(
        drawn, {"verb": "seat", "players": list(players), "to": number, "published": True},
        change.delta, actor,
    )  # fmt: skip
    fill(drawn, change.after, entrants_of(drawn.round.stage.event))
    drawn.save()
    Bye.objects.filter(round=part, entrant__in=ids).delete()
    laid = [table for table in drawn.tables if table["number"] == number]
    lay_tables(drawn, drawn.round.stage, laid)
    credit_filling(drawn, laid)
    _tell(drawn, actor, {"players": list(players), "table": number})
    return drawn


@transaction.atomic
def decide_match(
    *, round_id: uuid.UUID, table: int, winner: int, reason: str, actor: Actor
) -> Table:
    """Say who has won a match that ended level (or was never played), and why.

    The score stays as it is. Bracket and standings follow the decision: a level game counts as won
    by the side named, a game that was not played as a forfeit of the other. The reason is public.
    """
    part, drawn = _published_or_closed(round_id)
    if not reason.strip():
        raise Refused("reason_missing", _("Say why."), field="reason")
    decided = part.tables.filter(number=table).first()
    if decided is None:
        raise Refused(
            "no_such_table", _("This draw has no table %(number)d."), field="table",
            params={"number": table},
        )  # fmt: skip
    seat = decided.seats.filter(entrant__number=winner).first()
    if seat is None:
        raise Refused(
            "not_at_table", _("Number %(number)d does not sit at this table."), field="winner",
            params={"number": winner},
        )  # fmt: skip
    sides = [game.sides for game in decided.games.all()]
    if not sides or len(sides[0]) != 2 or any(side != sides[0] for side in sides):
        raise Refused(
            "no_match", _("At this table no two sides meet: there is no match to decide."),
            field="table",
        )  # fmt: skip
    decided.decided_for_id = seat.entrant_id
    decided.decided_reason = reason.strip()[:300]
    decided.save(update_fields=["decided_for", "decided_reason"])
    audit.append(
        scope=drawn.round.stage.event_id, actor=actor, verb="match.decided", subject=decided,
        after={"winner": seat.entrant_id, "reason": reason[:300]},
    )  # fmt: skip
    bump(drawn.round.stage.event_id)
    return decided


def _published_or_closed(round_id: uuid.UUID) -> tuple[Round, Draw]:
    part = Round.objects.select_for_update(no_key=True).get(pk=round_id)
    drawn = (
        Draw.objects.select_related("round__stage__event")
        .filter(round=part, state=DrawState.PUBLISHED)
        .first()
    )
    if drawn is None:
        raise Conflict("not_published", _("This round is not in play."))
    return part, drawn


def _tell(drawn: Draw, actor: Actor, change: dict[str, Any]) -> None:
    audit.append(
        scope=drawn.round.stage.event_id, actor=actor, verb="round.reseated", subject=drawn,
        after=change,
    )  # fmt: skip
    bump(drawn.round.stage.event_id)


@transaction.atomic
def replace_player(*, event_id: uuid.UUID, old: int, new: int, actor: Actor) -> Entrant:
    """Somebody leaves and another takes his place: in the stage, in candidates, at his table.

    ``old`` and ``new`` are start numbers. The new player keeps his own results and history; at a table
    where deals were entered the seat stays, and he is drawn from the next round on.
    """
    leaving = Entrant.objects.select_related("event").filter(event=event_id, number=old).first()
    coming = Entrant.objects.select_related("club").filter(event=event_id, number=new).first()
    if leaving is None or coming is None:
        raise Refused(
            "unknown", _("There is no number %(number)d in this event."),
            field="old" if leaving is None else "new",
            params={"number": old if leaving is None else new},
        )  # fmt: skip
    if leaving.pk == coming.pk:
        raise Refused("same_player", _("Name two different players."), field="new")
    if coming.state == EntrantState.WITHDRAWN:
        raise Conflict("withdrawn", _("This player has withdrawn: let him return first."))
    open_rounds = Round.objects.filter(
        stage__event=event_id, stage__field__entrant=leaving
    ).exclude(state=RoundState.CLOSED)
    rounds = open_rounds.select_related("stage__event").order_by("stage__order", "number")
    for part in rounds:
        lock_sheets(part.pk)
    rounds_here = list(rounds.select_for_update(of=("self",), no_key=True))
    list(Draw.objects.select_for_update(no_key=True).filter(round__in=rounds_here).order_by("pk"))
    withdraw(entrant_id=leaving.pk, actor=actor, reason=f"replaced by {new}")
    check_in(entrant_id=coming.pk, actor=actor, replacing=True)
    coming.refresh_from_db()
    for stage_id in {part.stage_id for part in rounds_here}:
        place = StageEntrant.objects.get(stage=stage_id, entrant=leaving)
        StageEntrant.objects.update_or_create(
            stage_id=stage_id, entrant=coming,
            defaults={"seed": place.seed, "origin": f"for:{old}"},
        )  # fmt: skip
    for part in rounds_here:
        for candidate in part.draws.filter(state=DrawState.CANDIDATE):
            _replace_in_candidate(candidate, leaving, coming, actor)
        if part.state in (RoundState.PUBLISHED, RoundState.PLAYING):
            _replace_at_table(part, leaving, coming, actor)
    audit.append(
        scope=leaving.event_id, actor=actor, verb="entrant.replaced", subject=leaving,
        after={"by": coming.pk},
    )  # fmt: skip
    bump(leaving.event_id)
    return coming


def _as_contestant(candidate: Draw, leaving: Entrant, coming: Entrant) -> Contestant:
    """The newcomer as the draw sees him: his own club; the score, rank and table of the place."""
    place = next(w for w in candidate.request["contestants"] if w["id"] == leaving.number)
    kept = {key: place[key] for key in ("score", "rank", "rating", "fixed_table") if key in place}
    return Contestant(
        coming.number, club=coming.club.name if coming.club else "", scorekeeper=coming.keeps_score,
        **kept,
    )  # fmt: skip


def _replace_in_candidate(candidate: Draw, leaving: Entrant, coming: Entrant, actor: Actor) -> None:
    known = {who["id"] for who in candidate.request["contestants"]}
    if leaving.number not in known:
        return
    newcomer = _as_contestant(candidate, leaving, coming)
    numbers = numbers_of(leaving.event)
    try:
        change = replace_contestant(
            request_of(candidate), drawn_of(candidate, numbers), leaving.number, newcomer
        )
    except DrawRefused as refusal:
        raise refused(refusal) from refusal
    note(
        candidate, {"verb": "replace", "one": leaving.number, "two": coming.number}, change.delta,
        actor,
    )  # fmt: skip
    candidate.edits[-1]["before"]["request"] = candidate.request
    candidate.request = replaced_in_request(candidate.request, leaving.number, newcomer)
    candidate.plan = replaced_in_plan(candidate.plan, leaving.number, coming.number)
    fill(candidate, change.after, entrants_of(leaving.event))
    candidate.save()


def _replace_at_table(part: Round, leaving: Entrant, coming: Entrant, actor: Actor) -> None:
    """In a published round: the seat, if nothing was entered there, and the movement's plan."""
    drawn = Draw.objects.select_related("round__stage__event").get(
        round=part, state=DrawState.PUBLISHED
    )
    seated = Seat.objects.filter(round=part, entrant=leaving).select_related("table").first()
    busy = Seat.objects.filter(round=part, entrant=coming).exists()
    entered = seated is not None and bool(written_at(part.pk, [seated.table_id]))
    note(drawn, {"verb": "replace", "one": leaving.number, "two": coming.number,
                 "published": True}, {}, actor)  # fmt: skip
    drawn.plan = replaced_in_plan(drawn.plan, leaving.number, coming.number)
    if not entered and not busy:
        Bye.objects.filter(round=part, entrant=coming).delete()
        _trade(drawn, {leaving.pk: coming.pk})
    drawn.save()
