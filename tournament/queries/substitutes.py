"""Substitutes: entrants who took over the place of another entrant in a stage."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from django.db.models import Q

from tournament.models import Event, StageEntrant
from tournament.models.stages import TOOK_OVER, former_holder

from .names import Shown, by_number


@dataclass(frozen=True, slots=True)
class Substitutions:
    """Substitutions of an entrant: the entrants they replaced, and the entrants who replaced them.

    ``with_points``: whether the substitute continues from the points so far.
    """

    replaced: list[Shown]
    replaced_by: list[Shown]
    with_points: bool


def substitutions_of(event: Event, number: int) -> Substitutions:
    """Return the substitutions of the entrant with this start number, each other entrant once."""
    places = list(
        StageEntrant.objects.filter(stage__event=event, origin__startswith=TOOK_OVER)
        .filter(Q(entrant__number=number) | Q(origin=f"{TOOK_OVER}{number}"))
        .order_by("pk")
        .values_list("entrant__number", "origin", "takes_points")
    )

    def others(numbers: Iterator[int]) -> list[Shown]:
        people = by_number(event)
        return [people[each] for each in dict.fromkeys(numbers) if each in people]

    return Substitutions(
        replaced=others(former_holder(of) for now, of, _ in places if now == number),
        replaced_by=others(now for now, _, _ in places if now != number),
        with_points=any(points for _, _, points in places),
    )
