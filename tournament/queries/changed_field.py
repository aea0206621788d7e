"""Changes of a stage's field when a ruling or a correction alters the ranking before it.

This includes the pools of a stage, once its knock-out is drawn.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from ledger import audit
from ledger.models import AuditEntry
from tournament.models import (
    Draw,
    DrawState,
    EntrantState,
    Event,
    Stage,
    StageEntrant,
    StandingsState,
)
from tournament.models.stages import TOOK_OVER
from tournament.pairing.model import Contestant
from tournament.pairing.pools import best_of_next
from tournament.queries.cuts import cut_shown
from tournament.queries.fields import rules_of
from tournament.queries.matches import plan_of, pool_rankings, ranks_after_pools
from tournament.queries.names import Shown, directory
from tournament.queries.results import gather
from tournament.queries.standings import fresh, rule_of, wants_points

audit.name_verbs("stage", opened=_("Stage opened for those qualified"))

OPENED, STANDS = "stage.opened", "field.stands"


@dataclass(frozen=True, slots=True)
class ChangedField:
    """A stage whose field differs from the result of the cut before it, by start number.

    ``begun``: a round of it is published, so that single players are exchanged instead of the whole
    field. ``following`` is the stage itself where its knock-out would have other players from its
    pools, or the same players from other places of their pool: ``moves``.
    """

    stage: Stage
    following: Stage
    gains: tuple[int, ...]
    loses: tuple[int, ...]
    begun: bool
    moves: tuple[int, ...] = ()

    def __bool__(self) -> bool:
        """Return whether a drawn place differs from the ranking."""
        return bool(self.loses or self.moves)

    @property
    def in_pools(self) -> bool:
        """Whether the order of pools changed once the knock-out after them was drawn."""
        return self.stage.pk == self.following.pk

    @property
    def numbers(self) -> dict[str, list[int]]:
        """The lists, as the audit trail keeps them."""
        moves = {"moves": list(self.moves)} if self.moves else {}
        return {"gains": list(self.gains), "loses": list(self.loses), **moves}


def changed_field(event: Event) -> ChangedField | None:
    """Return the last opened field if its ranking has changed since and is not settled; else None.

    Withdrawals and replacements change nothing: they are known already.
    """
    changes: dict[str, tuple[str, Any]] = {}
    entries = AuditEntry.objects.filter(
        scope=event.pk, object_type="stage", verb__in=[OPENED, STANDS]
    )
    for stage_id, verb, after in entries.order_by("sequence").values_list(
        "object_id", "verb", "after"
    ):
        changes[stage_id] = (verb, after)
    stages = list(event.stages.select_related("event", "standings").order_by("order"))
    for stage, following in reversed(list(pairwise(stages))):
        if str(following.pk) in changes:
            return _unless_settled(_compared(stage, following), changes)
    for stage in reversed(stages):
        if stage.played_as.pools and (changed := _pools_compared(stage)):
            return _unless_settled(changed, changes)
    return None


def _unless_settled(
    changed: ChangedField | None, changes: dict[str, tuple[str, Any]]
) -> ChangedField | None:
    """Return a change, unless the director let the field stand."""
    if changed is None:
        return None
    verb, after = changes.get(str(changed.following.pk), ("", {}))
    return None if verb == STANDS and after["field"] == changed.numbers else changed


def _pools_compared(stage: Stage) -> ChangedField | None:
    """Compare the players of a knock-out with the present order of the pools."""
    first = plan_of(stage).get("knockout_from")
    if first is None or _is_final(stage):
        return None
    drawn = Draw.objects.get(round__stage=stage, round__number=first, state=DrawState.PUBLISHED)
    return changed_in_pools(drawn) or None


def changed_in_pools(drawn: Draw) -> ChangedField:
    """Return the changes of a knock-out's main draw by the present order of the pools.

    ``drawn``: its first draw. Players absent from it, withdrawn since, or playing for another are
    in no list.
    """
    stage = drawn.round.stage
    rules, rule = rules_of(stage), rule_of(stage)
    field = gather(stage, points=wants_points(rule))
    here: set[int] = {who["id"] for who in drawn.request["contestants"]}
    in_main = {number for number in drawn.plan.get("main", ()) if number in here}
    rankings = [
        [number for number in pool if number in here]
        for pool in pool_rankings(stage, drawn.plan, field, rule)
    ]
    first = {number for pool in rankings for number in pool[: rules.main]}
    if rules.best_next:
        ranks = ranks_after_pools(stage, drawn.plan, field, rule)
        people = [[Contestant(n, rank=ranks.get(n, 0)) for n in pool] for pool in rankings]
        first |= best_of_next(people, drawn.seed, main=rules.main, best_next=rules.best_next)
    known = stage.field.filter(
        Q(entrant__state=EntrantState.WITHDRAWN) | Q(origin__startswith=TOOK_OVER)
    )
    left = set(known.values_list("entrant__number", flat=True))
    moves: list[int] = []
    for then, now in zip(drawn.request["results"]["pools"], rankings, strict=True):
        both = (in_main & first & {*then} & {*now}) - left
        pairs = zip((n for n in then if n in both), (n for n in now if n in both), strict=True)
        moves += [after for before, after in pairs if before != after]
    return ChangedField(
        stage=stage,
        following=stage,
        gains=tuple(sorted(first - in_main)),
        loses=tuple(sorted(in_main - first - left)),
        begun=True,
        moves=tuple(sorted(moves)),
    )


def _is_final(stage: Stage) -> bool:
    standings = getattr(stage, "standings", None)
    return standings is not None and standings.state == StandingsState.FINAL


def _compared(stage: Stage, following: Stage) -> ChangedField | None:
    if _is_final(following):
        return None
    cut = cut_shown(fresh(stage), stage)
    if cut is None:
        return None
    there = StageEntrant.objects.filter(stage=following).select_related("entrant")
    in_field = {place.entrant.number: place for place in there}
    loses = [
        number
        for number, place in in_field.items()
        if number not in cut.through | cut.level
        and not place.origin.startswith(TOOK_OVER)
        and place.entrant.state != EntrantState.WITHDRAWN
    ]
    if not loses:
        return None
    gains = sorted(cut.through - set(in_field))
    begun = following.rounds.filter(published_at__isnull=False).exists()
    return ChangedField(stage, following, tuple(gains), tuple(sorted(loses)), begun)


def people_of(event: Event, numbers: tuple[int, ...]) -> list[Shown]:
    """Return the players of these start numbers."""
    by_number = {shown.number: shown for shown in directory(event).values()}
    return [by_number[number] for number in numbers if number in by_number]
