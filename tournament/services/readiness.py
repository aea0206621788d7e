"""Whether a candidate draw may still be published: the hall, the rounds before it, the bans.

A candidate is drawn for who was there and for what had been played. What changed since is named in
the refusal, with the way out; nothing is published that its certificate does not describe.
"""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from ledger.errors import Conflict
from tournament.drawing.spec import short_table
from tournament.models import Ban, Draw
from tournament.queries.changed_field import changed_in_pools
from tournament.queries.fields import (
    draws_before,
    numbers_of,
    playing,
    playing_ids,
    rounds_before,
)
from tournament.queries.matches import winners_by_round


def require_ready(candidate: Draw) -> None:
    """Refuse (:class:`Conflict`) a candidate that no longer describes what would be played."""
    numbers = numbers_of(candidate.round.stage.event)
    _require_order(candidate)
    _require_everybody(candidate, numbers)
    _require_history(candidate, numbers)
    _require_results(candidate)
    _require_bans(candidate, numbers)


def _require_order(candidate: Draw) -> None:
    """Rounds of a stage are published in their order."""
    part = candidate.round
    if part.stage.rounds.filter(number__lt=part.number, published_at__isnull=True).exists():
        raise Conflict("round_before_missing", _("Publish the round before this one first."))


def _require_everybody(candidate: Draw, numbers: dict[int, int]) -> None:
    """Who is in the hall is who was drawn."""
    wanted = {numbers[pk] for pk in playing_ids(candidate.round)}
    known = {who["id"] for who in candidate.request["contestants"]}
    if known != wanted:
        listed = sorted(known ^ wanted)
        raise Conflict(
            "field_changed",
            ngettext(
                "A player came or left since this draw was made (%(count)d change, number %(numbers)s): draw "
                "again, or replace the player who left.",
                "Players came or left since this draw was made (%(count)d changes, numbers %(numbers)s): draw "
                "again, or replace those who left.",
                len(listed),
            ),
            params={
                "count": len(listed),
                "numbers": ", ".join(map(str, listed[:8])) + ("…" if len(listed) > 8 else ""),
            },
        )


def _require_history(candidate: Draw, numbers: dict[int, int]) -> None:
    """The rounds before are those that the certificate counted."""
    here = {who["id"] for who in candidate.request["contestants"]}
    now = [
        (
            [short_table(table) for table in earlier.tables],
            [number for number in earlier.byes if number in here],
        )
        for earlier in rounds_before(
            draws_before(candidate.round), playing(candidate.round), numbers
        )
    ]
    counted = [
        (earlier["tables"], [number for number in earlier["byes"] if number in here])
        for earlier in candidate.request["before"]
    ]
    if now != counted:
        raise Conflict(
            "round_before_changed",
            _("An earlier round has changed since this draw was made: draw again."),
        )


def _require_results(candidate: Draw) -> None:
    """Who goes on in a knock-out is who the results and rulings give now."""
    part, plan = candidate.round, candidate.plan
    first = plan.get("knockout_from")
    if first is None or part.number < first:
        return
    if part.number == first:
        changed = "pools" in plan and bool(changed_in_pools(candidate))
    else:
        went_on = candidate.request["results"]["won"].get(str(part.number - 1), ())
        now = winners_by_round(part.stage).get(part.number - 1, frozenset())
        changed = not now.issuperset(went_on)
    if changed:
        raise Conflict(
            "result_before_changed",
            _(
                "A result or a ruling changed who qualifies, or from which place, since this draw was made: draw again."
            ),
        )


def _require_bans(candidate: Draw, numbers: dict[int, int]) -> None:
    """No ban added since the draw is broken by it; one broken knowingly by hand was shown."""
    known = {tuple(ban) for ban in candidate.request["wishes"]["bans"]}
    at = {who: table["number"] for table in candidate.tables for who in table["players"]}
    for one, two in Ban.objects.filter(event=candidate.round.stage.event_id).values_list(
        "one", "two"
    ):
        pair = tuple(sorted((numbers[one], numbers[two])))
        if pair not in known and one in at and at[one] == at.get(two):
            raise Conflict(
                "ban_since",
                _(
                    "Numbers %(one)d and %(two)d must not meet, by a keep-apart rule made since this draw: draw "
                    "again, or swap one of them."
                ),
                params={"one": pair[0], "two": pair[1]},
            )
