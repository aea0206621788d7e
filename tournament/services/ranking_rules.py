"""The ranking rule of a stage: the director's own, or a preset as it is; fixed by the first publication."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from ledger import audit
from ledger.actors import Actor
from ledger.change import change
from ledger.errors import Refused
from tournament.models import Stage
from tournament.queries.standings import rule_of
from tournament.ranking.clubs import ClubBy
from tournament.ranking.criteria import build
from tournament.ranking.criteria.bracket import BracketPlace
from tournament.ranking.errors import BRACKET_PLACE, TOO_GREAT, BadRule
from tournament.ranking.model import Number, Rule
from tournament.ranking.presets import PRESETS
from tournament.ranking.rulejson import (
    club_rule_as_json,
    club_rule_from_json,
    rule_as_json,
    rule_from_json,
)

from .events import lock_plan, locked_event
from .stage_plans import ranking_fixed

MOST: Final = 9999
"""The greatest number that a rule may name; nobody counts further."""


def ranking_is_fixed(stage: Stage) -> bool:
    """Whether a round of the stage is published: its ranking then stands."""
    return stage.rounds.filter(published_at__isnull=False).exists()


def read_rule(given: Mapping[str, object]) -> Rule:
    """Read a rule that somebody made. ``Refused`` where it cannot be used, saying why."""
    try:
        rule = rule_from_json(given)
        if any(used.code == BracketPlace.code for used in rule.criteria):
            raise BadRule("unknown-criterion", BRACKET_PLACE)
        named: list[Number] = [rule.win, rule.draw, rule.loss, rule.cap.amount if rule.cap else 1]
        for credit in (rule.bye, rule.sat_out):
            named += [credit.marks, credit.net]
        for used in rule.criteria:
            for _name, value in used.params:
                if isinstance(value, tuple):
                    named.extend(value)
                elif not isinstance(value, str):
                    named.append(value)
        if any(not -MOST <= number <= MOST or number.denominator > 100 for number in named):
            raise BadRule(
                "too-great",
                TOO_GREAT,
                most=MOST,
            )
    except BadRule as error:
        raise Refused(
            "bad_ranking",
            _("This ranking rule cannot be used: %(why)s"),
            field="rule",
            params={"why": error.message.render(get_language() or "en")},
        ) from error
    return replace(rule, code="")


@change()
def set_ranking(
    *,
    event_id: uuid.UUID,
    order: int,
    actor: Actor,
    rule: Mapping[str, object] | None = None,
    preset: str = "",
    clubs: Mapping[str, object] | None = None,
) -> Stage:
    """Give a stage a rule of its own, a preset as it is, or another way to rank its clubs.

    What is not given stays. Raises :class:`Refused` where a rule cannot be used, and
    :class:`Conflict` once a round of the stage is published.
    """
    lock_plan(event_id)
    event = locked_event(event_id)
    stage = event.stages.filter(order=order).first()
    if stage is None:
        raise Refused("no_such_stage", _("No such stage in this event."), field="order")
    if ranking_is_fixed(stage):
        raise ranking_fixed()
    if preset:
        if preset not in PRESETS:
            raise Refused("unknown_ranking", _("No such ranking rule."), field="preset")
        stage.ranking, stage.ranking_rule = preset, {}
    elif rule is not None:
        stage.ranking_rule = dict(rule_as_json(read_rule(rule)))
    if clubs is not None:
        stage.club_rule = _clubs(stage, clubs)
    stage.save(update_fields=["ranking", "ranking_rule", "club_rule"])
    audit.append(
        stage,
        "stage.changed",
        actor,
        after={
            "order": stage.order,
            "ranking": stage.ranking,
            "ranking_rule": stage.ranking_rule,
            "club_rule": stage.club_rule,
        },
    )
    return stage


def _clubs(stage: Stage, given: Mapping[str, object]) -> dict[str, object]:
    try:
        rule = club_rule_from_json(given)
    except BadRule as error:
        raise Refused(
            "bad_club_rule",
            _("Clubs cannot be ranked this way: %(why)s"),
            field="clubs",
            params={"why": error.message.render(get_language() or "en")},
        ) from error
    additive = any(build(used).additive for used in rule_of(stage).criteria)
    if rule.by is not ClubBy.PERCENTAGE and not additive:
        raise Refused(
            "clubs_need_sums",
            _("No criterion of this ranking can be added up over the members of a club."),
            field="clubs",
        )
    return dict(club_rule_as_json(rule))
