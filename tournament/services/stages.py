"""From one stage to the next: the cut, and who goes through."""

from __future__ import annotations

from typing import Any

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from ledger import audit
from ledger.actors import Actor
from ledger.errors import Conflict
from tournament.models import Entrant, EntrantState, RoundState, Seat, Stage, StageEntrant

from .events import bump
from .standings import recompute


def qualifiers(stage: Stage) -> list[dict[str, Any]]:
    """Who goes through by the stage's cut, best first: ``{"number", "rank", "origin"}``.

    ``{"top": n}``: the best n, with everybody tied with the last of them; withdrawn and
    disqualified players are passed over. ``{"winners": true}``: the best of each table of the last
    round. Both: the table winners, then the best others up to n.
    """
    rows = [
        row for row in recompute(stage_id=stage.pk, force=True).rows
        if row["rank"] is not None and not row["withdrawn"] and not row["excluded"]
    ]  # fmt: skip
    through: list[dict[str, Any]] = []
    chosen: set[int] = set()
    if stage.cut.get("winners"):
        last = stage.rounds.filter(state=RoundState.CLOSED).order_by("-number").first()
        at: dict[int, int] = {}
        if last is not None:
            at = dict(
                Seat.objects.filter(round=last).values_list("entrant__number", "table__number")
            )
        seen: set[int] = set()
        for row in rows:
            table = at.get(row["number"])
            if table is not None and table not in seen:
                seen.add(table)
                chosen.add(row["number"])
                through.append(
                    {"number": row["number"], "rank": row["rank"], "origin": f"winner:{table}"}
                )
    top = stage.cut.get("top")
    if top:
        last_rank = None
        for row in rows:
            if row["number"] in chosen:
                continue
            if len(through) >= top and row["rank"] != last_rank:
                break
            through.append({"number": row["number"], "rank": row["rank"], "origin": "rank"})
            last_rank = row["rank"]
    return sorted(through, key=lambda item: (item["rank"], item["number"]))


@transaction.atomic
def open_next_stage(*, stage_id: int, actor: Actor) -> Stage:
    """Take the qualifiers of a stage whose rounds are all closed into the stage after it.

    Doing it again replaces the field, until a round of the next stage is published.
    """
    stage = Stage.objects.select_for_update().select_related("event").get(pk=stage_id)
    following = stage.event.stages.filter(order__gt=stage.order).order_by("order").first()
    if following is None:
        raise Conflict("last_stage", _("This is the last stage of the event."))
    if stage.rounds.exclude(state=RoundState.CLOSED).exists():
        raise Conflict("rounds_open", _("Close every round of this stage first."))
    if following.rounds.filter(published_at__isnull=False).exists():
        raise Conflict("next_stage_began", _("The next stage has begun."))
    through = qualifiers(stage)
    ids = dict(
        Entrant.objects.filter(
            event=stage.event, number__in=[item["number"] for item in through]
        ).values_list("number", "pk")
    )
    following.field.all().delete()
    StageEntrant.objects.bulk_create(
        StageEntrant(
            stage=following, entrant_id=ids[item["number"]], seed=seed, origin=item["origin"]
        )
        for seed, item in enumerate(through, start=1)
    )
    audit.append(
        scope=stage.event_id, actor=actor, verb="stage.opened", subject=following,
        after={"from": stage.order, "cut": stage.cut, "entrants": list(ids.values())},
    )  # fmt: skip
    bump(stage.event_id)
    return following


def reserves(stage: Stage, count: int = 4) -> list[int]:
    """Start numbers of the first players below the cut, who step in for somebody that leaves."""
    through = {item["number"] for item in qualifiers(stage)}
    rows = recompute(stage_id=stage.pk).rows
    return [
        row["number"] for row in rows
        if row["rank"] is not None and row["number"] not in through and not row["withdrawn"]
    ][:count]  # fmt: skip


def present_in(stage: Stage) -> int:
    """How many of a stage's field are in the hall."""
    return stage.field.filter(entrant__state=EntrantState.PRESENT).count()
