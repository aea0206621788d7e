"""Places for late players in a stage whose pairings are final.

Brackets and timetables are laid out for the players present at their first round. A new player
could only sit out there, and would be credited for it: the entry is refused with the alternatives.
"""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from ledger.errors import Conflict
from tournament.drawing.brackets import NAMES
from tournament.drawing.spec import Plan
from tournament.models import Draw, DrawState, Entrant, EntrantState, Event, Stage
from tournament.queries.fields import disqualified


def require_place(event: Event, entrants: list[Entrant] | None = None, *, coming: int = 1) -> None:
    """Refuse players without a place in the first stage, and new ones after its last round.

    Args:
        event: the event, locked.
        entrants: the newcomers, where they are entered already.
        coming: the number of newcomers, where they are not.

    Raises:
        Conflict: ``no_place``, ``no_round_left``.
    """
    stage = event.stages.order_by("order").first()
    if stage is not None and entrants is None and is_drawn_out(stage):
        raise Conflict(
            "no_round_left",
            _(
                "Every round of %(stage)s is drawn. Add a round to it (Stages and formats), or register the "
                "player as a reserve: they can then take the place of somebody who leaves, in this stage or in a "
                "later one."
            ),
            params={"stage": stage.title},
        )
    plan = _plan_of(stage) if stage is not None else None
    if stage is None or plan is None:
        return
    if entrants is not None:
        coming = len([who for who in entrants if not _has_place(who, plan)])
    if coming > (0 if stage.played_as.bracket else _free_places(stage, plan)):
        raise Conflict(
            "no_place",
            _(
                "%(stage)s has no place for a new player: its pairings were made with those present at the first "
                "round. Register them as a reserve: they can then take the place of somebody who leaves, in this "
                "stage or in a later one."
            ),
            params={"stage": stage.title},
        )


def require_return(entrant: Entrant) -> None:
    """Refuse the return of a player when their last stage was paired without them.

    Raises:
        Conflict: ``no_place``, ``drawn_without``.
    """
    last = entrant.stages.select_related("stage").order_by("-stage__order").first()
    plan = _plan_of(last.stage) if last is not None else None
    if last is not None and plan is not None and not _in_bracket(entrant, plan):
        raise Conflict(
            "drawn_without",
            _(
                "The bracket of %(stage)s was drawn without number %(number)d, who had withdrawn. Their results stand. "
                "To let them play on, take that draw back first."
            ),
            params={"stage": last.stage.title, "number": entrant.number},
        )
    if last is None or last.stage.order == 1:
        require_place(entrant.event, [entrant])


def _in_bracket(entrant: Entrant, plan: Plan) -> bool:
    """Whether a bracket has a place for them, if one is drawn."""
    drawn = [name for name in NAMES if name in plan]
    places = {number for name in drawn for number in plan[name]}
    return not drawn or entrant.number in {*places, *plan.get("stand_in", {}).values()}


def has_place(event: Event, entrant: Entrant) -> bool:
    """Whether the first stage can seat an entrant who is marked present now."""
    try:
        require_place(event, [entrant])
    except Conflict:
        return False
    return True


def plays_from(event: Event, next_round: int) -> int | None:
    """Return the first round of a new player; None where the first stage has none left."""
    stage = event.stages.order_by("order").first()
    return None if stage is not None and is_drawn_out(stage) else next_round


def drawn_for_good(event: Event) -> bool:
    """Whether the pairings of the first stage are final for those who were there."""
    stage = event.stages.order_by("order").first()
    return stage is not None and _plan_of(stage) is not None


def is_drawn_out(stage: Stage) -> bool:
    """Whether a stage that draws each round by itself has published its last one."""
    if stage.played_as.laid_out:
        return False
    published = stage.rounds.filter(published_at__isnull=False).count()
    return 0 < stage.rounds_planned <= published


def _plan_of(stage: Stage) -> Plan | None:
    """Return the plan of the stage's last published draw; None while newcomers can still be drawn."""
    if not stage.played_as.laid_out:
        return None
    drawn = Draw.objects.filter(round__stage=stage, state=DrawState.PUBLISHED)
    last = drawn.order_by("-round__number").first()
    return last.plan if last is not None and "field" in last.plan else None


def _has_place(entrant: Entrant, plan: Plan) -> bool:
    known = {*plan["field"], *plan.get("stand_in", {}).values(), plan.get("guest")}
    # A reserve belongs to no stage's field, and is never drawn.
    return entrant.number in known or not entrant.stages.exists()


def _free_places(stage: Stage, plan: Plan) -> int:
    """Return the places of a timetable left by withdrawn entrants, and the one of an odd number of pairs."""
    here = set(
        stage.field.filter(entrant__state=EntrantState.PRESENT)
        .exclude(entrant__in=disqualified(stage.event_id))
        .values_list("entrant__number", flat=True)
    )
    stand_in = {gone: now for gone, now in plan.get("stand_in", {}).items() if now in here}
    holes = sum(who not in here and str(who) not in stand_in for who in plan["field"])
    guest = plan.get("guest")
    beside = stage.played_as.pairs and len(plan["field"]) % 2 == 1 and guest not in here
    waiting = here - {*plan["field"], *stand_in.values(), guest}
    return max(0, holes + beside - len(waiting))
