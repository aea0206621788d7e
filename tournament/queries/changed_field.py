"""Who would go on by a ranking that a ruling or a correction changed after the next stage was opened."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from ledger.models import AuditEntry
from tournament.models import EntrantState, Event, Stage, StageEntrant, StandingsState
from tournament.queries.cuts import cut_shown
from tournament.queries.names import Shown, directory
from tournament.queries.standings import fresh

OPENED, STANDS = "stage.opened", "field.stands"


@dataclass(frozen=True, slots=True)
class ChangedField:
    """A stage whose field is no longer what the cut before it gives, by start number.

    ``begun``: a round of it is published, so that the field is not taken anew but players exchanged.
    """

    stage: Stage
    following: Stage
    gains: tuple[int, ...]
    loses: tuple[int, ...]
    begun: bool

    @property
    def numbers(self) -> dict[str, list[int]]:
        """Both lists, as the audit trail keeps them."""
        return {"gains": list(self.gains), "loses": list(self.loses)}


def changed_field(event: Event) -> ChangedField | None:
    """The last field that was taken, where it changed since and nobody has settled it; else None.

    Who withdrew, or plays in the place of somebody, changes nothing: those are known already.
    """
    changes: dict[str, tuple[str, Any]] = {}
    entries = AuditEntry.objects.filter(
        scope=event.pk, object_type="stage", verb__in=[OPENED, STANDS]
    )
    for stage_id, verb, after in entries.order_by("sequence").values_list(
        "object_id", "verb", "after"
    ):
        changes[stage_id] = (verb, after)
    if not changes:
        return None
    stages = list(event.stages.select_related("event", "standings").order_by("order"))
    for stage, following in reversed(list(pairwise(stages))):
        if str(following.pk) not in changes:
            continue
        compared = _compared(stage, following)
        verb, after = changes[str(following.pk)]
        settled = verb == STANDS and compared is not None and after["field"] == compared.numbers
        return None if settled else compared
    return None


def _compared(stage: Stage, following: Stage) -> ChangedField | None:
    final = getattr(following, "standings", None)
    if final is not None and final.state == StandingsState.FINAL:
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
        and not place.origin.startswith("for:")
        and place.entrant.state != EntrantState.WITHDRAWN
    ]
    if not loses:
        return None
    gains = sorted(cut.through - set(in_field))
    begun = following.rounds.filter(published_at__isnull=False).exists()
    return ChangedField(stage, following, tuple(gains), tuple(sorted(loses)), begun)


def people_of(event: Event, numbers: tuple[int, ...]) -> list[Shown]:
    """The players of these start numbers."""
    by_number = {shown.number: shown for shown in directory(event).values()}
    return [by_number[number] for number in numbers if number in by_number]
