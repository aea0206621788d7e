"""The ranking rule of a stage: the director's own, or a preset as it is; fixed by the first publication."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from ledger.actors import Actor
from ledger.errors import Refused
from ledger.verbs import verb
from tournament.models import Event, Stage
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

from .events import locked_plan
from .stage_plans import logged, ranking_fixed, ranking_is_fixed, stage_of, tell_changed

MOST: Final = 9999
"""Largest number in a rule."""


def read_rule(given: Mapping[str, object]) -> Rule:
    """Validate a custom ranking rule. ``Refused`` with the reason where it cannot be used."""
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


@verb(
    "stages_set-ranking",
    Event,
    "event.manage",
    at="stages/<int:order>/ranking/",
    method="PUT",
    done=_("The ranking is saved."),
)
def set_ranking(
    *,
    event_id: uuid.UUID,
    order: int,
    actor: Actor,
    rule: Mapping[str, object] | None = None,
    preset: str = "",
    clubs: Mapping[str, object] | None = None,
) -> Stage:
    """Set a rule of its own, go back to a preset, or rank clubs another way; what is not given stays.

    Raises :class:`Refused` where a rule cannot be used, and :class:`Conflict` once a round of the stage is
    published.
    """
    stage = stage_of(locked_plan(event_id), order)
    if ranking_is_fixed(stage):
        raise ranking_fixed()
    before = logged(stage)
    if preset:
        if preset not in PRESETS:
            raise Refused("unknown_ranking", _("No such ranking rule."), field="preset")
        stage.ranking, stage.ranking_rule = preset, {}
    elif rule is not None:
        stage.ranking_rule = dict(rule_as_json(read_rule(rule)))
    if clubs is not None:
        stage.club_rule = _clubs(stage, clubs)
    stage.save(update_fields=["ranking", "ranking_rule", "club_rule"])
    tell_changed(stage, before, actor)
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
