"""Whether a candidate draw may still be published: the hall, rounds and results before it, the bans.

A candidate is drawn for who was there and for what had been played. What changed since is named in
the refusal, with the way out; nothing is published that its certificate does not describe.
"""

from __future__ import annotations

from collections.abc import Collection
from itertools import groupby

from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from ledger.errors import Conflict
from tournament.drawing.spec import Spec, short_table, spec_from_json
from tournament.models import Ban, Draw, Format
from tournament.pairing.swiss_costs import rank_order
from tournament.queries.changed_field import changed_in_pools
from tournament.queries.fields import (
    draws_before,
    numbers_of,
    playing,
    playing_ids,
    rounds_before,
    spec_of,
)
from tournament.queries.matches import winners_by_round


def require_ready(candidate: Draw) -> None:
    """Refuse (:class:`Conflict`) a candidate that no longer describes what would be played."""
    numbers = numbers_of(candidate.round.stage.event)
    _require_order(candidate)
    _require_everybody(candidate, numbers)
    _require_history(candidate, numbers)
    _require_results(candidate)
    _require_scores(candidate)
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
        changed = "pools" in plan and (
            bool(changed_in_pools(candidate)) or _pools_differ(candidate)
        )
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


def _pools_differ(candidate: Draw) -> bool:
    """Whether the order of a pool changed, among those who are still there."""
    now = spec_of(candidate.round_id).results.pools
    there = {number for pool in now for number in pool}
    there.intersection_update(who["id"] for who in candidate.request["contestants"])
    then = candidate.request["results"]["pools"]
    both = [
        [[number for number in pool if number in there] for pool in pools] for pools in (then, now)
    ]
    return both[0] != both[1]


def _require_scores(candidate: Draw) -> None:
    """Require that the standings still give the scores and places that the draw was made from.

    A result entered, corrected or decided since, a ruling, a penalty or an appeal changes them. Where
    they are the same, the same draw would come of them.
    """
    then = spec_from_json(candidate.request)
    if not _by_standings(then):
        return
    now = spec_of(candidate.round_id, seed=then.seed)
    exchanged = {
        edit[key] for edit in candidate.edits if edit["verb"] == "replace" for key in ("one", "two")
    }
    away = exchanged | then.wishes.held
    before, after = _order(then, away), _order(now, away)
    if before == after:
        return
    levels = [{who: level for who, level, _place in order} for order in (before, after)]
    places = [{who: place for who, _level, place in order} for order in (before, after)]
    changed = _differing(*levels) or _differing(*places)
    raise Conflict(
        "result_before_changed",
        _(
            "Results or rulings changed scores or places since this draw was made (numbers %(numbers)s): draw again."
        ),
        params={
            "numbers": ", ".join(map(str, changed[:8])) + ("…" if len(changed) > 8 else ""),
        },
    )


def _by_standings(spec: Spec) -> bool:
    """Whether a draw is made from scores, or from places where it seeds a bracket or its pools."""
    seeds = spec.rules.seeds and not spec.plan and spec.format in (Format.KO, Format.POOLS_KO)
    return bool(spec.rules.by_score or spec.format == Format.PAIRS_SWISS or seeds)


def _order(spec: Spec, away: Collection[int]) -> list[tuple[int, int, int]]:
    """What a draw takes of the standings: start number, score group from the best, and place in the order.

    The place counts in Swiss rounds, and of those whom a bracket or its pools seed.
    """
    present = [who for who in spec.contestants if who.id not in away]
    if spec.format in (Format.KO, Format.POOLS_KO):
        strong = sorted(present, key=lambda who: (-who.rating, who.rank or 1 << 60))
        return [(who.id, 0, place) for place, who in enumerate(strong[: spec.rules.seeds])]
    ranked = rank_order(spec.request(), present)
    groups = groupby(ranked, key=lambda who: who.score)
    placed = [(who.id, level) for level, (_score, group) in enumerate(groups) for who in group]
    if spec.format == Format.PAIRS_SWISS:
        return [(who, level, place) for place, (who, level) in enumerate(placed)]
    return sorted((who, level, 0) for who, level in placed)


def _differing(then: dict[int, int], now: dict[int, int]) -> list[int]:
    """Start numbers that have another value now."""
    return sorted(who for who in then.keys() | now.keys() if then.get(who) != now.get(who))


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
