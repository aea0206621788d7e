"""The ranking rule of a stage, with the bracket where it ends in a knock-out."""

from __future__ import annotations

from dataclasses import replace

from tournament.models import Stage
from tournament.ranking.criteria import build
from tournament.ranking.criteria.bracket import BracketPlace
from tournament.ranking.model import Credit, Rule, use
from tournament.ranking.presets import PRESETS
from tournament.ranking.rulejson import rule_from_json


def rule_of(stage: Stage) -> Rule:
    """Return the ranking rule of a stage: its own, else the preset it names; a bracket comes before it."""
    if stage.ranking_rule:
        rule = rule_from_json(stage.ranking_rule)
    else:
        rule = PRESETS[stage.ranking].rule
    return with_bracket(rule) if stage.played_as.bracket else rule


def bye_of(stage: Stage, rule: Rule) -> Credit:
    """Return what a bye in the stage counts as; a rule states it for pairs and for individuals apart."""
    return rule.bye if stage.in_pairs else rule.sat_out


def wants_points(rule: Rule) -> bool:
    """Whether the rule reads the card points of every deal, which cost a query of their own."""
    return any(build(used).reads_card_points for used in rule.criteria)


def with_bracket(rule: Rule) -> Rule:
    """Return the rule of a stage that ends in a knock-out: its bracket decides before everything else."""
    if any(used.code == BracketPlace.code for used in rule.criteria):
        return rule
    return replace(rule, criteria=(use(BracketPlace.code), *rule.criteria))


def without_bracket(rule: Rule) -> Rule:
    """Return the rule as far as games decide: the ranking of a pool's members."""
    criteria = tuple(used for used in rule.criteria if used.code != BracketPlace.code)
    return replace(rule, criteria=criteria or rule.criteria)
