"""Freezing the standings of a stage, making them final, releasing them, and what is ruled after that."""

from __future__ import annotations

from typing import Annotated

from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from ledger import audit
from ledger.actors import Actor
from ledger.change import raise_version
from ledger.errors import Conflict, Refused
from ledger.verbs import Says, verb
from tournament.models import RoundState, Stage, Standings, StandingsState
from tournament.queries.standings import recompute

from .event_life import OpenMatter, open_matters
from .events import locked_event

audit.name_verbs(
    "standings",
    settled=_("Rulings after the final list settled"),
    state=_("Standings frozen, final or open again"),
)


@verb(
    "stages_standings",
    Stage,
    "rounds.manage",
    done=_("The status of the standings has been changed."),
)
def set_state(
    *,
    stage_id: int,
    state: StandingsState,
    actor: Actor,
    reason: Annotated[str, Says("Why they are final although something is open.")] = "",
) -> Standings:
    """Freeze, finalise or release the standings of a stage.

    Final needs every published round of the stage closed, and a reason while an incident, a ruling or
    anything else that may change them is open.
    """
    locked_event(Stage.objects.values_list("event_id", flat=True).get(pk=stage_id))
    former = Standings.objects.filter(stage=stage_id, state=StandingsState.FINAL).first()
    if former is not None and state == StandingsState.FINAL:
        return former
    standings = recompute(stage_id=stage_id, force=True)
    stage = standings.stage
    open_now: list[OpenMatter] = []
    if state == StandingsState.FINAL:
        open_rounds = stage.rounds.filter(
            state__in=[RoundState.PUBLISHED, RoundState.PLAYING]
        ).count()
        if open_rounds or not standings.after_round:
            raise Conflict("round_in_play", _("A round is still in play: close it first."))
        open_now = open_matters(stage.event, stage)
        if open_now and not reason.strip():
            raise Conflict(
                "matters_open",
                _("Not everything is settled: %(matters)s"),
                field="reason",
                params={"matters": " ".join(matter.text for matter in open_now[:5])},
            )
    before, standings.state = standings.state, state
    standings.settled_at = timezone.now() if state == StandingsState.FINAL else None
    standings.replaced = _replaced(former, standings)
    standings.save(update_fields=["state", "settled_at", "replaced"])
    if before != state:
        audit.append(
            standings,
            "standings.state",
            actor,
            scope=stage.event_id,
            before={"state": before},
            after={
                "state": state,
                "hash": standings.hash,
                **(
                    {"open": [each.code for each in open_now], "reason": reason} if open_now else {}
                ),
            },
        )
        raise_version(stage.event_id)
    return standings


def _replaced(former: Standings | None, standings: Standings) -> list[dict[str, object]]:
    """Return the final lists that ``standings`` replace, oldest first; ``former``: the last, if final."""
    lists: list[dict[str, object]] = standings.replaced
    if former is not None and (former.hash, standings.state) != (standings.hash, former.state):
        until = timezone.now().isoformat()
        lists = [*lists, {"rows": former.rows, "hash": former.hash, "until": until}]
    if standings.state == StandingsState.FINAL and lists and lists[-1]["hash"] == standings.hash:
        lists = lists[:-1]
    return lists


@verb(
    "stages_after-final",
    Stage,
    "rounds.manage",
    at="after-final/",
    done=_("The rulings after the final list are settled."),
)
def settle_late(*, stage_id: int, actor: Actor, reason: str, correct: bool = False) -> Standings:
    """Answer the rulings made after final standings: note them only, or correct the list.

    A corrected list is a new one, which diplomas and prizes follow; the former list is stored.
    """
    locked_event(Stage.objects.values_list("event_id", flat=True).get(pk=stage_id))
    final = Standings.objects.filter(stage=stage_id, state=StandingsState.FINAL)
    standings = final.select_related("stage__event").first()
    if standings is None:
        raise Conflict("standings_not_final", _("These standings are not final."))
    if not reason.strip():
        raise Refused("reason_missing", _("Give a reason."), field="reason")
    former = standings
    if correct:
        standings = recompute(stage_id=stage_id, force=True)
    standings.replaced = _replaced(former, standings)
    standings.settled_at = timezone.now()
    standings.save(update_fields=["settled_at", "replaced"])
    audit.append(
        standings,
        "standings.settled",
        actor,
        scope=standings.stage.event_id,
        before={"hash": former.hash},
        after={"hash": standings.hash, "corrected": correct, "reason": reason},
    )
    raise_version(standings.stage.event_id)
    return standings
