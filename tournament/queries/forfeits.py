"""Forfeits and exclusions in a round, and the winners by them."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime

from django.db.models import Q

from tournament.models import Adjustment, Draw, DrawState, Stage, Table


def gone_in_round(stage: Stage) -> frozenset[tuple[int, object]]:
    """Return entrant and round of each forfeit or exclusion in the stage.

    Left out is who had gone on when the ruling came (see :func:`gone_after_draw`).
    """
    return frozenset(
        (who, round_id) for who, round_id, went_on, _at in _ruled_out(stage) if not went_on
    )


def gone_after_draw(stage: Stage) -> dict[tuple[int, object], datetime]:
    """Return entrant and round of forfeits and exclusions that followed the draw of the next round.

    The draw stands until the director withdraws it. The time is that of the last such ruling.
    """
    ruled = sorted(_ruled_out(stage), key=lambda each: each[-1])
    return {(who, round_id): at for who, round_id, went_on, at in ruled if went_on}


def _ruled_out(stage: Stage) -> list[tuple[int, object, bool, datetime]]:
    """Return forfeits and exclusions: entrant, round, whether the draw lets them continue, time."""
    ruled = Adjustment.objects.filter(
        Q(forfeited=True) | Q(disqualified=True),
        stage=stage,
        round__isnull=False,
        annulled_at__isnull=True,
    ).values_list("entrant_id", "entrant__number", "round_id", "round__number", "made_at")
    if not ruled:
        return []
    drawn = Draw.objects.filter(round__stage=stage, state=DrawState.PUBLISHED)
    requests = dict(drawn.values_list("round__number", "request"))

    def goes_on(number: int, at: int) -> bool:
        won = requests.get(at + 1, {}).get("results", {}).get("won", {})
        return number in won.get(str(at), ())

    return [
        (who, round_id, goes_on(number, at), made_at)
        for who, number, round_id, at, made_at in ruled
    ]


def gone_from(table: Table, gone: Collection[tuple[int, object]]) -> list[int]:
    """Return the entrants at a table who are ``gone`` in its round (:func:`gone_in_round`,
    :func:`gone_after_draw`).
    """
    return [
        seat.entrant_id for seat in table.seats.all() if (seat.entrant_id, table.round_id) in gone
    ]


def awarded_to(sides: Sequence[int], decided_for: int | None, lost: Collection[int]) -> int | None:
    """Return the entrant who has a match whatever its games; ``None`` where the games decide it.

    That is the opponent of the only side that ``lost`` by forfeit or exclusion, else the side that
    the director named.
    """
    if len(lost) == 1 and len(sides) == 2:
        return next(who for who in sides if who not in lost)
    return decided_for
