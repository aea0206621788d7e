"""The guide to ranking names every option of an organiser, and its example works."""

from __future__ import annotations

import json
import re
from dataclasses import fields
from fractions import Fraction
from pathlib import Path

import pytest

from tests.tournament.ranking.field import entrants, game
from tournament.ranking.clubs import ClubBy
from tournament.ranking.criteria import CRITERIA, build
from tournament.ranking.cuts import Fill, TieAtCut
from tournament.ranking.model import HALF, NO_CREDIT, CapOn, CreditBy, Rule, Withdrawal, use
from tournament.ranking.presets import PRESETS
from tournament.ranking.prizes import Remainder
from tournament.ranking.ranking import rank
from tournament.ranking.rulejson import rule_from_json

GUIDE = (Path(__file__).parents[3] / "docs" / "ranking.md").read_text(encoding="utf-8")


def row_of(code: str) -> str:
    """Return the row of the guide's table that explains ``code``."""
    (line,) = (line for line in GUIDE.splitlines() if line.startswith(f"| `{code}` |"))
    return line


@pytest.mark.guide("ranking#the-criteria")
@pytest.mark.parametrize("code", sorted(CRITERIA))
def test_every_criterion_is_explained_with_its_parameters(code):
    kind = CRITERIA[code]
    line = row_of(code)
    assert f"| {kind.name.render('en')} |" in line
    assert ("the greater" if kind.descending else "the smaller") in line
    shared = {"of", "draw"} if "as above" in line else set()
    for entry in fields(kind):
        assert f"`{entry.name}`" in line or entry.name in shared


@pytest.mark.guide("ranking#presets")
@pytest.mark.parametrize("code", sorted(PRESETS))
def test_every_preset_is_explained_and_its_rule_can_be_used(code):
    assert len(row_of(code)) > len(code) + 20
    preset = PRESETS[code]
    assert all(
        (
            preset.name.render("fr"),
            preset.name.render("nl"),
            preset.explanation.render("fr"),
            preset.explanation.render("nl"),
        )
    )
    assert preset.source
    standing = rank(entrants("AB"), game(1, "A", "B", (101, 60)), [], preset.rule)
    assert [row.rank for row in standing.rows] == [1, 2]


NAMED = {
    "games_won": "games won",
    "games_percentage": "percentage of games won",
    "match_points": "match points",
    "net_marks": "net marks",
    "marks": "marks",
    "marks_per_deal": "marks a deal",
    "place_points": "place points",
    "head_to_head": "head-to-head",
    "fewest_penalties": "fewest penalties",
    "lots": "lots",
}
"""A criterion in the table of presets."""


@pytest.mark.guide("ranking#presets")
@pytest.mark.parametrize("code", sorted(PRESETS))
def test_the_guide_gives_each_preset_as_it_counts(code):
    rule = PRESETS[code].rule
    said = row_of(code).split("|")[2].strip()
    criteria, *more = said.split("; ")
    listed = [part.strip() for part in criteria.split(",")]
    assert ("no credits" in listed) is (rule.bye == rule.sat_out == NO_CREDIT)
    listed = [part for part in listed if part != "no credits"]
    assert len(listed) == len(rule.criteria)
    for part, used in zip(listed, rule.criteria, strict=True):
        assert part.startswith(NAMED[used.code])
        assert ("match" in part.removeprefix("match points")) is (
            dict(used.params).get("per") == "match"
        )
        assert ("won for both" in part) is (dict(used.params).get("draw") == 1)
        if points := re.search(r"[\d½]+/[\d½]+/[\d½]+", part):
            values = [HALF if each == "½" else int(each) for each in points[0].split("/")]
            assert values == [rule.win, rule.draw, rule.loss]
    assert any("deleted" in each for each in more) is (rule.withdrawn == Withdrawal.STRUCK)
    assert any("`field_spread`" in each for each in more) is (rule.bye.by == CreditBy.FIELD_SPREAD)
    caps = [int(each.split()[-1]) for each in more if "capped at" in each]
    assert caps == ([rule.cap.amount] if rule.cap else [])


@pytest.mark.parametrize(
    "word",
    [
        *(str(choice) for kind in (CapOn, CreditBy, Withdrawal) for choice in kind),
        *(str(choice) for kind in (Fill, TieAtCut, ClubBy, Remainder) for choice in kind),
    ],
)
def test_every_choice_is_named(word):
    assert f"`{word}`" in GUIDE


@pytest.mark.guide("ranking#other-parts-of-a-rule")
def test_the_example_is_a_rule():
    (example,) = re.findall(r"```json\n(.*?)```", GUIDE, re.DOTALL)
    rule = rule_from_json(json.loads(example))
    assert [used.code for used in rule.criteria] == ["games_won", "net_marks", "marks"]


@pytest.mark.guide("ranking#a-crosstable-to-check-by-hand")
def test_the_crosstable_of_the_guide_is_what_the_rule_gives():
    lines = (
        game(1, "A", "B", (1, 0))
        + game(2, "A", "C", (1, 0))
        + game(3, "A", "D", (0, 1))
        + game(1, "C", "D", (1, 0), table=2)
        + game(2, "B", "D", (1, 0), table=2)
        + game(3, "B", "C", (0, 0), table=2)
    )
    codes = ("match_points", "buchholz", "buchholz_cut", "buchholz_median", "sonneborn_berger")
    rule = Rule(tuple(use(code) for code in codes), win=2, draw=1, loss=0)
    standing = rank(entrants("ABCD"), lines, [], rule)
    for name in "ABCD":
        (line,) = (line for line in GUIDE.splitlines() if line.startswith(f"| {name} |"))
        written = [cell.strip().rsplit("= ")[-1] for cell in line.strip("|").split("|")[5:]]
        # The guide counts 1/½/0; 2/1/0 gives twice as much.
        found = [
            build(use(code)).format(Fraction(value) / 2, "en")
            for code, value in zip(codes, standing.row(name).values, strict=True)
        ]
        assert [_decimal(cell) for cell in written] == found


def _decimal(cell: str) -> str:
    whole, rest = re.fullmatch(r"(\d+)([½¾]?)", cell).groups()
    return whole + {"": "", "½": ".5", "¾": ".75"}[rest]
