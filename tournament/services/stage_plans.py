"""The stages of an event: add one, change it, take it away, as long as play allows.

Words, minutes and the cut may change until the stage is over; the format and how a game ends stand once
a round of the stage is published; rounds can be added at any time and taken away while undrawn.
"""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from django.db.models import F, Max
from django.utils.translation import gettext_lazy as _

from ledger import audit
from ledger.actors import Actor
from ledger.errors import Conflict, Refused
from ledger.verbs import verb
from tournament.models import RANKING_EDITION, Event, Round, RoundState, Stage, StageEntrant
from tournament.models.columns import To, names, values_of
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

from .events import locked_plan, require_playable

audit.name_verbs(
    "stage", added=_("Stage added"), changed=_("Stage changed"), removed=_("Stage removed")
)

SETTINGS: Final = names(Stage, To.API)
"""Changeable columns of a stage, besides the credit for a bye."""
BEFORE_PLAY: Final = frozenset(
    {"format", "games_per_round", "deals_per_game", "target", "carries_over", "drawing"}
)
_NOTHING: Final = object()
CREDITS: Final[dict[str, Credit]] = {
    "average": AVERAGE,
    "win_average": Credit(CreditBy.OWN_AVERAGE, Outcome.WIN),
    "win_median": Credit(CreditBy.FIELD_MEDIAN, Outcome.WIN),
    "spread": Credit(CreditBy.FIELD_SPREAD, None),
    "nothing": NO_CREDIT,
}
"""Credits for a bye, by the names of the stage form (rules specification D.2, "Byes")."""


def rule_with_credit(ranking: str, credit: str) -> dict[str, object]:
    """Return the ranking rule of a preset with another credit for a bye; ``{}`` for the preset's own."""
    if ranking not in PRESETS:
        raise Refused("unknown_ranking", _("No such ranking rule."), field="ranking")
    if not credit:
        return {}
    if credit not in CREDITS:
        raise Refused("unknown_credit", _("No such credit."), field="credit")
    rule: Rule = replace(PRESETS[ranking].rule, bye=CREDITS[credit], sat_out=CREDITS[credit])
    return dict(rule_as_json(rule))


def credit_of(stage: Stage) -> str:
    """Return the name of the stage's credit for a bye; empty for the preset's own."""
    for name in CREDITS:
        if stage.ranking_rule and stage.ranking_rule == rule_with_credit(stage.ranking, name):
            return name
    return ""


def ranking_is_fixed(stage: Stage) -> bool:
    """Whether a round of the stage is published: its ranking then stands."""
    return stage.rounds.filter(published_at__isnull=False).exists()


def ranking_fixed() -> Conflict:
    """Build the refusal of another ranking once a round of the stage is published."""
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


def _byes_instead(stage: Stage, changed: Mapping[str, object]) -> bool:
    """Whether nothing of the plan changes in play but that tables of three give way to byes."""
    plan = set(changed) & BEFORE_PLAY
    rest = {name: value for name, value in stage.drawing.items() if name != "odd"}
    return plan == {"drawing"} and changed["drawing"] == rest


@verb(
    "stages_add",
    Event,
    "event.manage",
    at="stages/",
    statuses={Stage: 201},
    done=_("Stage %(title)s is saved."),
)
def add_stage(*, event_id: uuid.UUID, actor: Actor, **values: Any) -> Stage:
    """Add a stage at the end."""
    event = locked_plan(event_id)
    order = 1 + (event.stages.aggregate(last=Max("order"))["last"] or 0)
    return _save(Stage(event=event, order=order, ranking_edition=RANKING_EDITION), values, actor)


@verb(
    "stages_change",
    Event,
    "event.manage",
    at="stages/<int:order>/",
    method="PATCH",
    done=_("Stage %(title)s is saved."),
)
def change_stage(*, event_id: uuid.UUID, order: int, actor: Actor, **values: Any) -> Stage:
    """Change the fields given."""
    return _save(stage_of(locked_plan(event_id), order), values, actor)


def stage_of(event: Event, order: int) -> Stage:
    """Return the stage of an event; :class:`Refused` where there is none."""
    stage = event.stages.filter(order=order).first()
    if stage is None:
        raise Refused("no_such_stage", _("No such stage in this event."), field="order")
    return stage


def _save(stage: Stage, given: Mapping[str, Any], actor: Actor) -> Stage:
    """Write a stage as it shall be.

    ``given``: columns (:data:`SETTINGS`), and as ``credit`` what sitting out is worth. Raises :class:`Refused`
    with the field to change.
    """
    values, event = {**given}, stage.event
    credit = values.pop("credit", None)
    if unknown := set(values) - set(SETTINGS):
        raise Refused("unknown_field", _("This cannot be changed."), field=min(unknown))
    new = stage.pk is None
    published = not new and ranking_is_fixed(stage)
    before = logged(stage)
    changed = {name: value for name, value in values.items() if getattr(stage, name) != value}
    other_rule = "ranking" in changed or (credit is not None and credit != credit_of(stage))
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
    require_playable(event, stage)
    _check_chain(event, stage)
    if {"drawing", "format"} & set(changed) and (count := players_known(event, stage)):
        require_game(seats_of(event, stage), count, field="odd")
    if other_rule or new:
        stage.ranking_rule = rule_with_credit(stage.ranking, credit or "")
    stage.save()
    _set_rounds(stage, stage.rounds_planned)
    if new and stage.order == 1:
        StageEntrant.objects.bulk_create(
            StageEntrant(stage=stage, entrant_id=pk, origin="entry")
            for pk in event.entrants.values_list("pk", flat=True)
        )
    tell_changed(stage, {} if new else before, actor)
    return stage


def logged(stage: Stage) -> dict[str, object]:
    """Return the columns of a stage in the log."""
    held = values_of(stage, To.LOG)
    return {name: value for name, value in held.items() if name not in ("id", "event_id")}


def tell_changed(stage: Stage, before: Mapping[str, object], actor: Actor) -> None:
    """Write to the log what a stage is now, where it differs from ``before``; nothing before: it is new."""
    after = {name: now for name, now in logged(stage).items() if before.get(name, _NOTHING) != now}
    audit.append(
        stage,
        "stage.changed" if before else "stage.added",
        actor,
        before={name: before[name] for name in after} if before else None,
        after={"order": stage.order, **after},
    )


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


@verb(
    "stages_remove",
    Event,
    "event.manage",
    at="stages/<int:order>/",
    method="DELETE",
    done=_("The stage has been deleted."),
)
def remove_stage(*, event_id: uuid.UUID, order: int, actor: Actor) -> None:
    """Delete a stage that has no draw; the stages after it move up."""
    event = locked_plan(event_id)
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
