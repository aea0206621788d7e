"""Freezing the standings of a stage, making them final, and releasing them."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from ledger import audit
from ledger.actors import Actor
from ledger.change import change, raise_version
from ledger.errors import Conflict
from tournament.models import RoundState, Stage, Standings, StandingsState
from tournament.queries.standings import recompute

from .events import locked_event


@change()
def set_state(*, stage_id: int, state: str, actor: Actor) -> Standings:
    """Freeze, finalise or release the standings of a stage.

    Final needs every published round of the stage closed; a final standing is released only with
    the audit log knowing of it.
    """
    locked_event(Stage.objects.values_list("event_id", flat=True).get(pk=stage_id))
    standings = recompute(stage_id=stage_id, force=True)
    stage = standings.stage
    if state == StandingsState.FINAL:
        open_rounds = stage.rounds.filter(
            state__in=[RoundState.PUBLISHED, RoundState.PLAYING]
        ).count()
        if open_rounds or not standings.after_round:
            raise Conflict("round_in_play", _("A round is still in play: close it first."))
    before = standings.state
    standings.state = state
    standings.save(update_fields=["state"])
    if before != state:
        audit.append(
            standings,
            "standings.state",
            actor,
            scope=stage.event_id,
            before={"state": before},
            after={"state": state, "hash": standings.hash},
        )
        raise_version(stage.event_id)
    return standings
