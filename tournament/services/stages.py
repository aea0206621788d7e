"""From one stage to the next: the cut, ties at it, and who goes through.

The rule is :func:`tournament.ranking.cuts.apply_cut` (rules specification D.2, "Stages chain with
cut-offs"); those level at the cut all go through, or lots or a play-off decide, as the stage says.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import TypedDict

from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from ledger import audit
from ledger.actors import Actor
from ledger.errors import Conflict, Refused
from ledger.verbs import verb
from tournament.models import (
    Entrant,
    EntrantState,
    Event,
    Lot,
    RoundState,
    Stage,
    StageEntrant,
    Standings,
    StandingsState,
)
from tournament.pairing.chance import Chance
from tournament.queries.chains import following_of, read_cut, require_field, whole_of
from tournament.queries.changed_field import OPENED, STANDS, changed_field
from tournament.queries.matches import bracket_is_drawn, pool_ties, require_uncontested
from tournament.queries.results import Gathered, gather
from tournament.queries.rounds import current_round
from tournament.queries.standings import compute, recompute, rule_of, wants_points
from tournament.ranking.cuts import Qualified, apply_cut
from tournament.ranking.errors import BadRule
from tournament.ranking.model import Standing

from .events import locked_event

audit.name_verbs("lots", drawn=_("Lots drawn"))
audit.name_verbs("order", taken_back=_("Lots or play-off undone"))
audit.name_verbs("play_off", settled=_("Play-off result entered"))


def cut_of(stage: Stage) -> tuple[Qualified, Standing, Gathered]:
    """Return the outcome of a stage's cut on its present standing."""
    rule = rule_of(stage)
    field = gather(stage, points=wants_points(rule))
    standing = compute(stage, field)
    played = stage.rounds.filter(state=RoundState.CLOSED).order_by("-number").first()
    last = played.number if played else 0
    if stage.carries_over:
        last += sum(
            stage.event.stages.filter(order__lt=stage.order).values_list(
                "rounds_planned", flat=True
            )
        )
    cut = read_cut(stage.cut, last, whole=whole_of(stage.event, following_of(stage)))
    try:
        return apply_cut(standing, cut, field.book(rule), field.lots), standing, field
    except BadRule as error:
        raise Refused(
            "no_cut", _("This stage has no cut: enter how many qualify."), field="cut"
        ) from error


class Qualifier(TypedDict):
    """A player who qualifies, by ``origin``: ``winner:<table>`` or ``rank``."""

    number: int
    rank: int
    origin: str


class Undecided(TypedDict):
    """Tied players, more than the ``places`` left for them."""

    numbers: list[int]
    places: int
    by: str
    table: int | None


def qualifiers(stage: Stage) -> list[Qualifier]:
    """Return the players who qualify by the stage's cut as far as it is decided, best first."""
    outcome, standing, field = cut_of(stage)
    round_no = read_cut(stage.cut, 0)
    tables: dict[str, int] = {}
    if round_no.per_table:
        last = max((line.round_no for line in field.results), default=0)
        tables = {
            line.entrant: line.table
            for line in field.results
            if line.round_no == last and line.table is not None
        }
    through: list[Qualifier] = []
    for key in outcome.through:
        row = standing.row(key)
        origin = f"winner:{tables.get(key, 0)}" if key in outcome.winners else "rank"
        through.append({"number": row.entrant.number, "rank": row.rank or 0, "origin": origin})
    return sorted(through, key=lambda item: (item["rank"], item["number"]))


def undecided(stage: Stage) -> list[Undecided]:
    """Return the ties that the cut leaves open."""
    outcome, standing, _field = cut_of(stage)
    return [
        {
            "numbers": sorted(standing.row(key).entrant.number for key in group.entrants),
            "places": group.places,
            "by": str(group.by),
            "table": group.table,
        }
        for group in outcome.undecided
    ]


def _locked(stage_id: int) -> Stage:
    """Return the stage and its event, locked before its standings are brought up to date."""
    stage = Stage.objects.select_for_update(of=("self",), no_key=True).select_related("event")
    locked = stage.get(pk=stage_id)
    locked_event(locked.event_id)
    return locked


@verb("stages_lots", Stage, "rounds.manage", done=_("The lots have been drawn."))
def draw_lots(*, stage_id: int, actor: Actor) -> list[int]:
    """Draw lots among all who are tied at the cut, from the event's public draw code.

    Returns their start numbers in the order drawn; drawn once, lots stand. The lot of a group is cast
    over its start numbers in ascending order, labelled with them, so anybody can cast it again.
    """
    stage = _locked(stage_id)
    order: list[int] = []
    while groups := undecided(stage):
        for group in groups:
            numbers = group["numbers"]
            label = "cut|" + ",".join(map(str, numbers))
            seed = f"{stage.event.public_seed}/{stage.order}"
            order += _settle(stage, Chance(seed, label).shuffled(numbers))
    if order:
        _tell_settled(stage, actor, "lots.drawn", order)
    return order


@verb("stages_play-off", Stage, "rounds.manage", done=_("The play-off result has been entered."))
def settle_play_off(*, stage_id: int, numbers: Sequence[int], actor: Actor) -> list[int]:
    """Enter the order in which a play-off (or the regulation) put those tied at the cut or in a pool."""
    stage = _locked(stage_id)
    level = [set(group["numbers"]) for group in (undecided(stage) if stage.cut else [])]
    if stage.played_as.pools:
        if bracket_is_drawn(stage):
            raise Conflict(
                "bracket_drawn", _("The knock-out is drawn: the order in the pools is settled.")
            )
        level += [set(tie.order) for tie in pool_ties(stage, rule_of(stage))]
    if set(numbers) not in level or len(set(numbers)) != len(numbers):
        raise Refused(
            "not_the_tied",
            _("Enter every number of one tied group once, the winner first."),
            field="numbers",
        )
    _settle(stage, list(numbers))
    _tell_settled(stage, actor, "play_off.settled", list(numbers))
    return list(numbers)


def _settle(stage: Stage, order: list[int]) -> list[int]:
    top = max(Lot.objects.filter(stage=stage).values_list("lot", flat=True), default=0)
    ids = dict(
        Entrant.objects.filter(event=stage.event_id, number__in=order).values_list("number", "pk")
    )
    Lot.objects.filter(stage=stage, entrant__in=ids.values()).delete()
    Lot.objects.bulk_create(
        Lot(stage=stage, entrant_id=ids[number], lot=top + place)
        for place, number in enumerate(order, start=1)
    )
    return order


def _tell_settled(stage: Stage, actor: Actor, verb: str, order: list[int]) -> None:
    audit.append(stage, verb, actor, after={"order": order})


@verb(
    "stages_take-back-order",
    Stage,
    "rounds.manage",
    done=_("Lots and play-offs of this stage have been undone."),
)
def take_back_order(*, stage_id: int, actor: Actor, reason: str) -> list[int]:
    """Forget the lots and play-offs of a stage, and the field that followed from them.

    Possible until the next stage, or the knock-out after the pools, is drawn. Lots drawn again come
    out the same. Returns the start numbers in the order that is forgotten.
    """
    if not reason.strip():
        raise Refused("reason_missing", _("Give a reason."), field="reason")
    stage = _locked(stage_id)
    following = following_of(stage)
    _require_not_drawn(following)
    if bracket_is_drawn(stage):
        raise Conflict(
            "bracket_drawn", _("The knock-out is drawn: the order in the pools is settled.")
        )
    if Standings.objects.filter(stage=stage).exclude(state=StandingsState.PROVISIONAL).exists():
        raise Conflict(
            "standings_fixed", _("The standings are frozen or final: release them first.")
        )
    gone = Lot.objects.filter(stage=stage).order_by("lot")
    order = list(gone.values_list("entrant__number", flat=True))
    if not order:
        raise Conflict(
            "nothing_settled", _("No lots were drawn here, and no play-off was entered.")
        )
    gone.delete()
    if following is not None:
        following.field.all().delete()
    audit.append(
        stage, "order.taken_back", actor, before={"order": order}, after={"reason": reason[:300]}
    )
    return order


def _require_not_drawn(following: Stage | None) -> None:
    if following is None:
        return
    if following.rounds.filter(published_at__isnull=False).exists():
        raise Conflict("next_stage_began", _("The next stage has begun."))
    if following.rounds.filter(state=RoundState.DRAWN).exists():
        raise Conflict(
            "next_stage_drawn", _("The next stage has been drawn: discard its draws first.")
        )


@verb("stages_open", Stage, "rounds.manage", done=_("The field of the next stage is set."))
def open_next_stage(*, stage_id: int, actor: Actor) -> Stage:
    """Take the qualifiers of a stage whose rounds are all closed into the stage after it.

    Doing it again replaces the field, until a round of the next stage is drawn or published. Without a
    cut everybody still in the hall goes on.
    """
    stage = _locked(stage_id)
    following = following_of(stage)
    if following is None:
        raise Conflict("last_stage", _("This is the last stage of the event."))
    if stage.rounds.exclude(state=RoundState.CLOSED).exists():
        raise Conflict("rounds_open", _("Close every round of this stage first."))
    _require_not_drawn(following)
    require_uncontested(stage.event_id)
    through = qualifiers(stage) if stage.cut else _everybody(stage)
    tied = undecided(stage) if stage.cut else []
    if tied:
        raise Conflict(
            "tie_at_cut",
            ngettext(
                "Numbers %(numbers)s are tied for %(places)d place: draw lots or enter the play-off.",
                "Numbers %(numbers)s are tied for %(places)d places: draw lots or enter the play-off.",
                tied[0]["places"],
            ),
            params={
                "numbers": ", ".join(map(str, tied[0]["numbers"])),
                "places": tied[0]["places"],
            },
        )
    require_field(following, len(through), _still_in(stage))
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
        following,
        OPENED,
        actor,
        after={"from": stage.order, "cut": stage.cut, "entrants": list(ids.values())},
    )
    return following


@verb(
    "stages_let-stand",
    Stage,
    "rounds.manage",
    shows_row=True,
    done=_("The field has been kept."),
)
def let_field_stand(*, stage_id: int, reason: str, actor: Actor) -> None:
    """Let the field of the next stage stand although the ranking before it has changed, with the reason."""
    stage = _locked(stage_id)
    if not reason.strip():
        raise Refused("reason_missing", _("Give a reason."), field="reason")
    changed = changed_field(stage.event)
    if changed is None or changed.stage.pk != stage.pk:
        raise Conflict("field_same", _("The field already matches the ranking."))
    audit.append(
        changed.following,
        STANDS,
        actor,
        after={"field": changed.numbers, "reason": reason.strip()[:300]},
    )


def _still_in(stage: Stage) -> int:
    """Count the players of a stage who could qualify: those with a rank who have not withdrawn."""
    return sum(
        row["rank"] is not None and not row["withdrawn"]
        for row in recompute(stage_id=stage.pk).rows
    )


def _everybody(stage: Stage) -> list[Qualifier]:
    return [
        {"number": row["number"], "rank": row["rank"], "origin": "rank"}
        for row in recompute(stage_id=stage.pk, force=True).rows
        if row["rank"] is not None and not row["withdrawn"]
    ]


def first_reserve(event: Event) -> int | None:
    """Return the start number of the first reserve for the stage of the current round.

    That is the best below the cut that filled the stage or, without a cut, the first player entered
    outside its field.
    """
    now = current_round(event)
    if now is None:
        return None
    field = set(now.stage.field.values_list("entrant__number", flat=True))
    gone = (EntrantState.WITHDRAWN, EntrantState.MERGED)
    outside = event.entrants.exclude(state__in=gone).exclude(number__in=field).order_by("number")
    free = list(outside.values_list("number", flat=True))
    before = event.stages.filter(order__lt=now.stage.order).order_by("-order").first()
    listed = reserves(before, len(field) + len(free)) if before and before.cut else free
    return next((number for number in listed if number in free), None)


def reserves(stage: Stage, count: int = 4) -> list[int]:
    """Return the start numbers of the first players below the cut, who may replace a player.

    Tied players follow the lots or the play-off that put them below it. Empty while the cut is
    undecided.
    """
    outcome, _standing, field = cut_of(stage)
    if not outcome.complete:
        return []
    through = {item["number"] for item in qualifiers(stage)}
    rows = [
        row
        for row in recompute(stage_id=stage.pk).rows
        if row["rank"] is not None and row["number"] not in through and not row["withdrawn"]
    ]
    numbers: list[int] = []
    for _rank, level in groupby(rows, key=lambda row: row["rank"]):
        group = [row["number"] for row in level]
        if all(str(number) in field.lots for number in group):
            group.sort(key=lambda number: field.lots[str(number)])
        numbers += group
    return numbers[:count]
