"""Who plays a round, and what earlier rounds mean for its draw."""

from __future__ import annotations

from typing import Any

from django.db.models import Q

from scoring.engine import rulebook as rulebooks
from tournament.models import Draw, DrawState, EntrantState, Event, Format, Round, StageEntrant
from tournament.pairing.model import Contestant, History, Kind, Request, Wishes
from tournament.pairing.model import Table as DrawnTable


def kind_of(drawn_round: Round) -> Kind:
    """What happens at a table of this round."""
    stage = drawn_round.stage
    players = rulebooks.resolve(stage.event.rulebook, stage.event.options).players
    if players != 4:
        return Kind.SOLO
    if stage.format in (Format.INDIVIDUAL_DRAW, Format.INDIVIDUAL_MOVEMENT, Format.RANDOM):
        return Kind.ROTATION if stage.games_per_round == 3 else Kind.PARTNERS
    return Kind.MATCH


def playing(drawn_round: Round) -> Any:
    """The stage's entrants who are in the hall for this round, with person's club and wishes."""
    return (
        StageEntrant.objects.filter(stage=drawn_round.stage, entrant__state=EntrantState.PRESENT)
        .filter(Q(entrant__from_round__lte=drawn_round.number) | ~Q(origin="entry"))
        .select_related("entrant")
        .order_by("entrant__number")
    )


def playing_ids(drawn_round: Round) -> set[int]:
    """Ids of the entrants who must be at a table or sit out in this round."""
    return set(playing(drawn_round).values_list("entrant_id", flat=True))


def history_before(drawn_round: Round) -> tuple[History, tuple[int, ...]]:
    """What the published draws of the event before this round leave behind, and the last slots."""
    history = History()
    slots: tuple[int, ...] = ()
    earlier = (
        Draw.objects.filter(
            round__stage__event=drawn_round.stage.event_id, state=DrawState.PUBLISHED
        )
        .filter(
            Q(round__stage__order__lt=drawn_round.stage.order)
            | Q(round__stage=drawn_round.stage, round__number__lt=drawn_round.number)
        )
        .select_related("round")
        .order_by("round__stage__order", "round__number")
    )
    for draw in earlier:
        tables = [
            DrawnTable(
                t["number"], Kind(t["kind"]), tuple(t["players"]), t["scorekeeper"], t["dealer"]
            )
            for t in draw.tables
        ]
        history = history.after(tables, draw.byes)
        if draw.round.stage_id == drawn_round.stage_id:
            slots = tuple(draw.certificate.get("slots", ()))
    return history, slots


def draw_request(round_id: Any, *, seed: str = "") -> Request:
    """Everything that the draw of a round depends on, as the pairing room wants it."""
    drawn_round = Round.objects.select_related("stage__event").get(pk=round_id)
    stage = drawn_round.stage
    history, slots = history_before(drawn_round)
    field = list(playing(drawn_round))
    contestants = tuple(
        Contestant(
            id=row.entrant_id,
            club=str(row.entrant.club_id or ""),
            family=row.entrant.family,
            rating=-row.seed if row.seed else 0,
            rank=row.seed,
            fixed_table=_last_table(row.entrant_id, drawn_round) if row.entrant.fixed_seat else 0,
        )
        for row in field
    )
    return Request(
        contestants=contestants,
        round_no=drawn_round.number,
        rounds=stage.rounds_planned,
        seed=seed or f"{stage.event.public_seed}/{stage.order}",
        kind=kind_of(drawn_round),
        history=history,
        slots=slots,
        wishes=Wishes(
            clubs_apart_until=stage.club_rounds,
            families_apart_until=stage.rounds_planned,
        ),
    )


def _last_table(entrant_id: int, drawn_round: Round) -> int:
    """The table at which somebody who cannot move sat before; 0 before the first round."""
    from tournament.models import Seat

    last = (
        Seat.objects.filter(entrant_id=entrant_id, round__stage=drawn_round.stage)
        .order_by("-round__number")
        .values_list("table__number", flat=True)
        .first()
    )
    return last or 0


def next_round(event: Event) -> Round | None:
    """The first round that is not published and whose stage has a field."""
    return (
        Round.objects.filter(
            stage__event=event, published_at__isnull=True, stage__field__isnull=False
        )
        .select_related("stage")
        .order_by("stage__order", "number")
        .distinct()
        .first()
    )
