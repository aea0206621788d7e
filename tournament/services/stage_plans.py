"""The stages of an event: add one, change it, take it away, as long as play allows.

Words, minutes and the cut may change until the stage is over; the format and how a game ends stand once
a round of the stage is published; rounds can be added at any time and taken away while undrawn.
"""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from django.db.models import F
from django.utils.translation import gettext_lazy as _

from ledger import audit
from ledger.actors import Actor
from ledger.change import change
from ledger.errors import Conflict, Refused
from tournament.models import RANKING_EDITION, Event, Round, RoundState, Stage, StageEntrant
from tournament.queries.chains import (
    broken,
    links_of,
    players_known,
    require_game,
    require_seatable,
    seats_of,
)
from tournament.ranking.model import AVERAGE, NO_CREDIT, Credit, CreditBy, Outcome, Rule
from tournament.ranking.presets import PRESETS
from tournament.ranking.rulejson import rule_as_json

from .events import lock_plan, locked_event, require_playable

ANYTIME: Final = frozenset({"name", "minutes", "rounds", "cut", "club_rounds", "ranking", "credit"})
BEFORE_PLAY: Final = frozenset(
    {"format", "games_per_round", "deals_per_game", "target", "carries_over", "drawing"}
)
CREDITS: Final[dict[str, Credit]] = {
    "average": AVERAGE,
    "win_average": Credit(CreditBy.OWN_AVERAGE, Outcome.WIN),
    "win_median": Credit(CreditBy.FIELD_MEDIAN, Outcome.WIN),
    "spread": Credit(CreditBy.FIELD_SPREAD, None),
    "nothing": NO_CREDIT,
}
"""What sitting out is worth, by the names of the stage form (rules specification D.2, "Byes")."""


def rule_with_credit(ranking: str, credit: str) -> dict[str, object]:
    """The ranking rule of a preset with another credit for sitting out; ``{}`` for the preset's own."""
    if ranking not in PRESETS:
        raise Refused("unknown_ranking", _("No such ranking rule."), field="ranking")
    if not credit:
        return {}
    if credit not in CREDITS:
        raise Refused("unknown_credit", _("No such credit."), field="credit")
    rule: Rule = replace(PRESETS[ranking].rule, bye=CREDITS[credit], sat_out=CREDITS[credit])
    return dict(rule_as_json(rule))


def credit_of(stage: Stage) -> str:
    """The name of the stage's credit for sitting out; empty for the preset's own."""
    for name in CREDITS:
        if stage.ranking_rule and stage.ranking_rule == rule_with_credit(stage.ranking, name):
            return name
    return ""


def ranking_fixed() -> Conflict:
    """The refusal of another ranking once a round of the stage is published."""
    return Conflict(
        "ranking_fixed",
        _("The ranking of a stage is fixed once a round of it is published."),
        field="ranking",
    )


def _check_chain(event: Event, stage: Stage) -> None:
    """Refuse a change after which some stage could not be seated any more, no matter who came."""
    before = list(event.stages.order_by("order"))
    after = [stage if part.pk == stage.pk else part for part in before]
    if not stage.pk:
        after.append(stage)
    if broken(links_of(event, before)) is None:
        require_seatable(event, after)


def _byes_instead(stage: Stage, changed: Mapping[str, Any]) -> bool:
    """Whether nothing of the plan changes in play but that tables of three give way to byes."""
    plan = set(changed) & BEFORE_PLAY
    rest = {name: value for name, value in stage.drawing.items() if name != "odd"}
    return plan == {"drawing"} and changed["drawing"] == rest


@change()
def save_stage(
    *, event_id: uuid.UUID, actor: Actor, order: int | None = None, **values: Any
) -> Stage:
    """Add a stage at the end (``order`` None) or change one.

    ``values`` are fields of :class:`tournament.models.Stage`, with ``rounds`` for the number of rounds
    and ``credit`` for what sitting out is worth. Raises :class:`Refused` with the field to change.
    """
    lock_plan(event_id)
    event = locked_event(event_id)
    unknown = set(values) - ANYTIME - BEFORE_PLAY
    if unknown:
        raise Refused("unknown_field", _("This cannot be changed."), field=min(unknown))
    if order is None:
        last = event.stages.order_by("-order").first()
        stage = Stage(
            event=event,
            order=last.order + 1 if last else 1,
            deals_per_game=4,
            ranking_edition=RANKING_EDITION,
        )
    else:
        existing = event.stages.filter(order=order).first()
        if existing is None:
            raise Refused("no_such_stage", _("No such stage in this event."), field="order")
        stage = existing
    published = stage.pk and stage.rounds.filter(published_at__isnull=False).exists()
    changed = {
        name: value
        for name, value in values.items()
        if name not in ("rounds", "credit") and getattr(stage, name) != value
    }
    other_rule = "ranking" in changed or (
        "credit" in values and values["credit"] != credit_of(stage)
    )
    if published and other_rule:
        raise ranking_fixed()
    if published and set(changed) & BEFORE_PLAY and not _byes_instead(stage, changed):
        raise Conflict(
            "stage_in_play",
            _("The format of a stage is fixed once a round is published."),
            field=min(set(changed) & BEFORE_PLAY),
        )
    for name, value in changed.items():
        setattr(stage, name, value)
    rounds = int(values.get("rounds", stage.rounds_planned))
    require_playable(event, stage, rounds)
    stage.rounds_planned = rounds
    _check_chain(event, stage)
    if {"drawing", "format"} & set(changed) and (count := players_known(event, stage)):
        require_game(seats_of(event, stage), count, field="odd")
    if other_rule or stage.pk is None:
        stage.ranking_rule = rule_with_credit(stage.ranking, values.get("credit", ""))
    new = stage.pk is None
    stage.save()
    _set_rounds(stage, rounds)
    if new and stage.order == 1:
        StageEntrant.objects.bulk_create(
            StageEntrant(stage=stage, entrant_id=pk, origin="entry")
            for pk in event.entrants.values_list("pk", flat=True)
        )
    audit.append(
        stage,
        "stage.added" if new else "stage.changed",
        actor,
        after={
            "order": stage.order,
            "format": stage.format,
            "rounds": rounds,
            "cut": stage.cut,
            "drawing": stage.drawing,
            "ranking": stage.ranking,
            "minutes": stage.minutes,
        },
    )
    return stage


def _set_rounds(stage: Stage, rounds: int) -> None:
    surplus = stage.rounds.filter(number__gt=rounds)
    if surplus.exclude(state=RoundState.PLANNED).exists():
        raise Conflict(
            "rounds_drawn",
            _("Rounds that are drawn or played cannot be removed."),
            field="rounds",
        )
    surplus.delete()
    there = set(stage.rounds.values_list("number", flat=True))
    Round.objects.bulk_create(
        Round(stage=stage, number=number) for number in range(1, rounds + 1) if number not in there
    )


@change()
def remove_stage(*, event_id: uuid.UUID, order: int, actor: Actor) -> None:
    """Take away a stage of which nothing was drawn; the stages after it move up."""
    lock_plan(event_id)
    event = locked_event(event_id)
    stage = event.stages.filter(order=order).first()
    if stage is None:
        return
    if event.stages.count() == 1:
        raise Conflict("no_stage", _("An event needs at least one stage."))
    if stage.rounds.exclude(state=RoundState.PLANNED).exists():
        raise Conflict("rounds_drawn", _("Rounds that are drawn or played cannot be removed."))
    if order == 1:
        raise Conflict("first_stage", _("The first stage has all the players: change it instead."))
    audit.append(stage, "stage.removed", actor, before={"order": order})
    stage.delete()
    for later in (
        event.stages.filter(order__gt=order).order_by("order").values_list("pk", flat=True)
    ):
        Stage.objects.filter(pk=later).update(order=F("order") - 1)
