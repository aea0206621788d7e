"""Whether a candidate draw may still be published: the hall, rounds and results before it, the bans.

A candidate is drawn for the players present and the results so far, and stores the hash of those
facts. The refusal names the changes since, with the ways out: draw again, or publish despite them,
with a reason that is shown in the public proof of the draw.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Final

from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from ledger.canonical import canonical_json
from ledger.errors import Conflict
from tournament.drawing.formats import FORMATS
from tournament.drawing.spec import Spec, long_table, short_table, spec_as_json, spec_from_json
from tournament.models import Ban, Draw, EntrantState
from tournament.models.draws import Despite
from tournament.pairing.model import Request, pair
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
from tournament.signals import answers, measures_fallen

CHANGED: Final = {
    "field_changed": _("Players came or left"),
    "round_before_changed": _("The tables or byes of an earlier round"),
    "result_before_changed": _("Results or rulings"),
    "ban_since": _("Players to keep apart"),
    "measures_fell": _("Rulings whose measure fell when the draw was unpublished"),
}
"""Possible changes since a draw was made, by the code of the refusal."""


@dataclass(frozen=True, slots=True)
class Changed:
    """Facts that changed since a draw was made: the start numbers concerned, and the sentence that refuses the draw."""

    code: str
    numbers: tuple[int, ...]
    sentence: object
    params: dict[str, object]

    @property
    def label(self) -> str:
        """Description of the change for the staff, in the reader's language; with the numbers of rulings."""
        rulings = "" if self.numbers else str(self.params.get("numbers", ""))
        return f"{CHANGED[self.code]}{_(':')} {rulings}" if rulings else str(CHANGED[self.code])


def facts_of(spec: Spec) -> str:
    """Return the hash of the facts of a draw: who plays, results, decisions, adjustments, bans, rounds before.

    The draw code and what the director asked for with it are no facts.
    """
    wishes = replace(spec.wishes, locked=(), held=frozenset(), bye_first=frozenset())
    stored = spec_as_json(replace(spec, seed="", wishes=wishes))
    return hashlib.sha256(canonical_json(stored).encode()).hexdigest()


def require_ready(candidate: Draw, despite: str = "") -> Despite:
    """Refuse (:class:`Conflict`) a candidate made from facts that have changed since.

    ``despite``: the reason to publish it all the same. Returns what had changed then; empty where nothing had.
    Who is not in the stage any more is not seated for any reason.
    """
    _require_order(candidate)
    now = spec_of(candidate.round_id, seed=candidate.request["seed"])
    changed = _changes(candidate, now)
    if not changed:
        return {}
    first = changed[0]
    if not despite.strip() or _gone(candidate):
        raise Conflict(first.code, first.sentence, params=first.params)
    numbers: dict[str, list[int]] = {}
    for each in changed:
        listed = numbers.setdefault(each.code, [])
        listed.extend(number for number in each.numbers if number not in listed)
    return {"reason": despite.strip()[:300], "changed": numbers, "facts": facts_of(now)}


def changes_since(candidate: Draw) -> list[Changed]:
    """Return what changed since a candidate was made and bears on it."""
    return _changes(candidate, spec_of(candidate.round_id, seed=candidate.request["seed"]))


def _changes(candidate: Draw, now: Spec) -> list[Changed]:
    if candidate.facts == facts_of(now):
        return _measures_fallen(candidate)
    numbers = numbers_of(candidate.round.stage.event)
    changes = [
        _field_changed(candidate, numbers),
        _history_changed(candidate, numbers),
        _qualified_changed(candidate, now),
        _scores_changed(candidate, now),
        *_bans_changed(candidate, numbers),
        *_measures_fallen(candidate),
    ]
    return [each for each in changes if each is not None]


def _gone(candidate: Draw) -> bool:
    """Return whether a drawn player has left the stage, or was merged with another."""
    drawn = {who for table in candidate.tables for who in table["players"]} | {*candidate.byes}
    there = candidate.round.stage.field.exclude(entrant__state=EntrantState.MERGED)
    return not drawn <= set(there.values_list("entrant_id", flat=True))


def _listed(numbers: Sequence[int]) -> str:
    return ", ".join(map(str, numbers[:8])) + ("…" if len(numbers) > 8 else "")


def _require_order(candidate: Draw) -> None:
    """Refuse to publish the rounds of a stage out of order."""
    round_ = candidate.round
    if round_.stage.rounds.filter(number__lt=round_.number, published_at__isnull=True).exists():
        raise Conflict("round_before_missing", _("Publish the round before this one first."))


def _field_changed(candidate: Draw, numbers: dict[int, int]) -> Changed | None:
    """Compare the players in the hall with those drawn."""
    wanted = {numbers[pk] for pk in playing_ids(candidate.round)}
    known = {who["id"] for who in candidate.request["contestants"]}
    listed = sorted(known ^ wanted)
    if not listed:
        return None
    sentence = ngettext(
        "A player came or left since this draw was made (%(count)d change, number %(numbers)s): draw "
        "again, or replace the player who left.",
        "Players came or left since this draw was made (%(count)d changes, numbers %(numbers)s): draw "
        "again, or replace those who left.",
        len(listed),
    )
    params = {"count": len(listed), "numbers": _listed(listed)}
    return Changed("field_changed", tuple(listed), sentence, params)


def _history_changed(candidate: Draw, numbers: dict[int, int]) -> Changed | None:
    """Compare the earlier rounds with those that the certificate counted."""
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
    if now == counted:
        return None
    # Collect, for each round, the players of a table or a bye that only one of the two plans has.
    moved: set[int] = set()
    for at in range(max(len(now), len(counted))):
        seated: list[set[tuple[int, ...]]] = []
        resting: list[set[int]] = []
        for tables, byes in (each[at] if at < len(each) else ([], []) for each in (now, counted)):
            seated.append({long_table(row).players for row in tables})
            resting.append(set(byes))
        moved.update(who for players in seated[0] ^ seated[1] for who in players)
        moved |= resting[0] ^ resting[1]
    sentence = _("An earlier round has changed since this draw was made: draw again.")
    return Changed("round_before_changed", tuple(sorted(moved)), sentence, {})


def _qualified_changed(candidate: Draw, now: Spec) -> Changed | None:
    """Compare the winners in a knock-out with those by the current results and rulings."""
    round_, plan = candidate.round, candidate.plan
    first = plan.get("knockout_from")
    if first is None or round_.number < first:
        return None
    changed: set[int] = set()
    if round_.number == first:
        if "pools" in plan:
            moved = changed_in_pools(candidate)
            changed = {*moved.loses, *moved.moves, *(moved.gains if moved else ())}
            changed |= _moved_in_pools(candidate, now)
    else:
        before = candidate.round.number - 1
        went_on = candidate.request["results"]["won"].get(str(before), ())
        won = winners_by_round(round_.stage).get(before, frozenset())
        changed = {*went_on} - won
    if not changed:
        return None
    sentence = _(
        "A result or a ruling changed who qualifies, or from which place, since this draw was made: draw again."
    )
    return Changed("result_before_changed", tuple(sorted(changed)), sentence, {})


def _moved_in_pools(candidate: Draw, now: Spec) -> set[int]:
    """Return the remaining players whose place in the order of their pool has changed."""
    there = {number for pool in now.results.pools for number in pool}
    there.intersection_update(who["id"] for who in candidate.request["contestants"])
    places: list[dict[int, tuple[int, int]]] = []
    for pools in (candidate.request["results"]["pools"], now.results.pools):
        here = [[number for number in pool if number in there] for pool in pools]
        places.append(
            {who: (at, place) for at, pool in enumerate(here) for place, who in enumerate(pool)}
        )
    return {who for who in there if places[0].get(who) != places[1].get(who)}


def _scores_changed(candidate: Draw, now: Spec) -> Changed | None:
    """Compare the scores and places of the standings with those of the draw.

    A result entered, corrected or decided since, a ruling, a penalty or an appeal changes them. Where
    they are the same, the same draw would come of them.
    """
    then = spec_from_json(candidate.request)
    if not _by_standings(then):
        return None
    exchanged = {
        edit[key] for edit in candidate.edits if edit["verb"] == "replace" for key in ("one", "two")
    }
    # Arrivals and departures are changes of the field.
    moved = {who.id for who in then.contestants} ^ {who.id for who in now.contestants}
    away = exchanged | moved | then.wishes.held
    lots = then.request()  # those who came or left since change no other player's lot
    before, after = _order(then, away, lots), _order(now, away, lots)
    if before == after:
        return None
    levels = [{who: level for who, level, _place in order} for order in (before, after)]
    places = [{who: place for who, _level, place in order} for order in (before, after)]
    changed = _differing(*levels) or _differing(*places)
    sentence = _(
        "Results or rulings changed scores or places since this draw was made (numbers %(numbers)s): draw again."
    )
    return Changed("result_before_changed", tuple(changed), sentence, {"numbers": _listed(changed)})


def _by_standings(spec: Spec) -> bool:
    """Whether a draw is made from scores, or from places where it seeds a bracket or its pools."""
    seeds = spec.rules.seeds and not spec.plan and FORMATS[spec.format].bracket
    return bool(spec.rules.by_score or FORMATS[spec.format].by_score or seeds)


def _order(spec: Spec, away: Collection[int], lots: Request) -> list[tuple[int, int, int]]:
    """Return the draw's view of the standings: start number, score group from the best, place in
    the order.

    The place counts in Swiss rounds, and for the players seeded in a bracket or its pools.
    """
    present = [who for who in spec.contestants if who.id not in away]
    if FORMATS[spec.format].bracket:
        strong = sorted(present, key=lambda who: (-who.rating, who.rank or 1 << 60))
        return [(who.id, 0, place) for place, who in enumerate(strong[: spec.rules.seeds])]
    ranked = rank_order(lots, present)
    groups = groupby(ranked, key=lambda who: who.score)
    placed = [(who.id, level) for level, (_score, group) in enumerate(groups) for who in group]
    if FORMATS[spec.format].by_score:
        return [(who, level, place) for place, (who, level) in enumerate(placed)]
    return sorted((who, level, 0) for who, level in placed)


def _differing(then: dict[int, int], now: dict[int, int]) -> list[int]:
    """Start numbers that have another value now."""
    return sorted(who for who in then.keys() | now.keys() if then.get(who) != now.get(who))


def _bans_changed(candidate: Draw, numbers: dict[int, int]) -> list[Changed]:
    """Return the new bans that the draw breaks, without those broken knowingly by hand."""
    known = {tuple(ban) for ban in candidate.request["wishes"]["bans"]}
    at = {who: table["number"] for table in candidate.tables for who in table["players"]}
    sentence = _(
        "Numbers %(one)d and %(two)d must not meet, by a keep-apart rule made since this draw: draw "
        "again, or swap one of them."
    )
    pairs = Ban.objects.filter(event=candidate.round.stage.event_id).values_list("one", "two")
    return [
        Changed("ban_since", both, sentence, {"one": both[0], "two": both[1]})
        for one, two in pairs
        if (both := pair(numbers[one], numbers[two])) not in known
        and one in at
        and at[one] == at.get(two)
    ]


def _measures_fallen(candidate: Draw) -> list[Changed]:
    """Return the rulings whose measure fell when this very draw was unpublished.

    No start numbers: the public proof of the draw would name who offended.
    """
    rulings = [
        number
        for listed in answers(measures_fallen, round_id=candidate.round_id, since=candidate.made_at)
        for number in listed
    ]
    if not rulings:
        return []
    sentence = ngettext(
        "The measure of ruling %(numbers)s fell when this draw was unpublished and does not come back with "
        "it: draw again, or publish it with a reason and rule again.",
        "The measures of rulings %(numbers)s fell when this draw was unpublished and do not come back with "
        "it: draw again, or publish it with a reason and rule again.",
        len(rulings),
    )
    return [Changed("measures_fell", (), sentence, {"numbers": _listed(rulings)})]
