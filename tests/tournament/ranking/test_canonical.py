"""The bytes of a standing, and a rule as JSON."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from fractions import Fraction
from hashlib import sha256

import pytest

from tests.tournament.ranking.field import bye, entrants, game
from tournament.ranking.canonical import input_bytes, standing_bytes, state_hash
from tournament.ranking.errors import BadRule
from tournament.ranking.model import (
    HALF,
    Adjustment,
    Cap,
    CapOn,
    Credit,
    CreditBy,
    LineKind,
    Outcome,
    Played,
    Rule,
    Withdrawal,
    use,
)
from tournament.ranking.presets import PRESETS
from tournament.ranking.ranking import rank
from tournament.ranking.rulejson import rule_as_json, rule_from_json

LINES = [
    *game(1, "A", "B", (101, 60)),
    *game(2, "A", "C", (90, 101)),
    *game(3, "B", "C", (50, 50)),
    bye(3, "A"),
    bye(1, "C"),
]
CHANGES = [Adjustment("A", 1, marks=-3, reason="r1"), Adjustment("B", 2, match_points=HALF)]


def test_the_bytes_are_exact_sorted_json_without_floats():
    standing = rank(entrants("ABC"), LINES, CHANGES, PRESETS["botifarra"].rule)
    written = standing_bytes(standing)
    found = json.loads(written, parse_float=lambda text: pytest.fail(f"a float: {text}"))
    assert list(found) == sorted(found)
    assert b" " not in written
    rows = {row["entrant"]: row for row in found["rows"]}
    # C: won against A 1, drew with B ½, credited win 1: 5/2; net +11 +0 and the mean of these and the field's 0: 11/3.
    assert rows["C"]["values"] == ["5/2", "44/3", "2038/9"]
    assert (rows["A"]["adjusted"], rows["C"]["adjusted"]) == (True, False)
    assert found["rule"]["draw"] == "1/2"


def test_the_bytes_do_not_depend_on_any_order():
    rule = PRESETS["recommended"].rule
    first = rank(entrants("ABC"), LINES, CHANGES, rule, {"A": 1, "B": 2})
    chance = random.Random(7)
    for _ in range(20):
        field, lines, changes = entrants("ABC"), list(LINES), list(CHANGES)
        for pile in (field, lines, changes):
            chance.shuffle(pile)
        again = rank(field, lines, changes, rule, {"B": 2, "A": 1})
        assert standing_bytes(again) == standing_bytes(first)
        assert input_bytes(field, lines, changes) == input_bytes(entrants("ABC"), LINES, CHANGES)


def test_the_bytes_of_the_input_tell_each_part_of_a_result():
    line = Played(
        round_no=1, entrant="A", outcome=Outcome.WIN, marks_for=101, points=34, max_points=60
    )
    others = [
        replace(line, **{name: value})
        for name, value in {
            "round_no": 2,
            "outcome": Outcome.DRAW,
            "marks_for": 100,
            "marks_against": 60,
            "opponents": ("B",),
            "partners": ("B",),
            "table": 2,
            "game_no": 2,
            "deals": 4,
            "best_deal": 26,
            "points": 35,
            "max_points": 68,
            "penalties": 1,
            "kind": LineKind.FORFEIT,
            "match": Outcome.LOSS,
            "place": HALF,
        }.items()
    ]
    told = {input_bytes(entrants("AB"), [each], []) for each in (line, *others)}
    assert len(told) == len(others) + 1
    missed = json.loads(input_bytes(entrants("A"), [bye(1, "A")], []))["results"][0]
    assert missed["outcome"] is None


@pytest.mark.guide("ranking#ranking")
def test_the_hash_is_sha_256_of_the_bytes_and_changes_with_any_value():
    rule = PRESETS["world_championship"].rule
    standing = rank(entrants("ABC"), LINES, [], rule)
    assert state_hash(standing) == sha256(standing_bytes(standing)).hexdigest()
    others = [
        rank(entrants("ABC"), LINES, CHANGES[:1], rule),
        rank(entrants("ABC"), LINES, [], rule, through=2),
        rank(entrants("ACB"), LINES, [], rule),
        rank(entrants("ABC"), LINES, [], PRESETS["harelbeke"].rule),
    ]
    assert len({state_hash(other) for other in (standing, *others)}) == 5


def test_the_bytes_of_known_results_are_these():
    # A change of these bytes breaks the comparison with every earlier archive: raise FORMAT.
    standing = rank(entrants("AB"), game(1, "A", "B", (101, 60)), [], Rule((use("games_won"),)))
    credit = '{"by":"own_average","marks":0,"net":0,"outcome":"win"}'
    row = (
        '{{"adjusted":false,"credited":0,"drawn":0,"entrant":"{}","games":1,"lost":{},'
        '"number":{},"position":{},"rank":{},"values":[{}],"won":{}}}'
    )
    rows = row.format("A", 0, 1, 1, 1, 1, 1) + "," + row.format("B", 1, 2, 2, 2, 0, 0)
    assert standing_bytes(standing).decode() == (
        f'{{"format":1,"rows":[{rows}],"rule":{{"bye":{credit},"cap":null,"code":"",'
        f'"criteria":[{{"code":"games_won","params":{{}}}}],"draw":1,"loss":0,'
        f'"sat_out":{credit},"win":2,"withdrawn":"unranked"}},"through":1}}'
    )


@pytest.mark.parametrize("code", sorted(PRESETS))
def test_every_preset_survives_json(code):
    rule = PRESETS[code].rule
    assert rule_from_json(json.loads(json.dumps(rule_as_json(rule)))) == rule
    assert rule.code == code


def test_a_rule_with_every_setting_survives_json():
    rule = Rule(
        (
            use("games_won", draw=HALF),
            use("buchholz_cut", of="net_marks", worst=2),
            use("victory_points", total=10, bounds=(5, 15)),
        ),
        win=3,
        draw=Fraction(3, 2),
        loss=-1,
        cap=Cap(121, CapOn.MARKS),
        bye=Credit(CreditBy.FIXED, Outcome.DRAW, marks=Fraction(1, 3), net=-2),
        sat_out=Credit(CreditBy.NONE, None),
        withdrawn=Withdrawal.STRUCK,
    )
    assert rule_from_json(json.loads(json.dumps(rule_as_json(rule)))) == rule


def test_a_short_rule_takes_the_defaults():
    assert rule_from_json({"criteria": ["marks"]}) == Rule((use("marks"),))


@pytest.mark.guide("ranking#other-parts-of-a-rule")
@pytest.mark.parametrize(
    ("given", "code"),
    [
        ({}, "not-a-list"),
        ({"criteria": []}, "no-criterion"),
        ({"criteria": [7]}, "not-a-table"),
        ({"criteria": ["luck"]}, "unknown-criterion"),
        ({"criteria": [{"code": "marks", "cap": 1}]}, "unknown-key"),
        ({"criteria": [{"code": "buchholz_cut", "params": {"worst": "1/2"}}]}, "parameter-type"),
        ({"criteria": [{"code": 3}]}, "not-a-text"),
        ({"criteria": ["marks"], "colour": "red"}, "unknown-key"),
        ({"criteria": ["marks"], "win": 0.5}, "not-exact"),
        ({"criteria": ["marks"], "win": True}, "not-exact"),
        ({"criteria": ["marks"], "win": "1/0"}, "not-exact"),
        ({"criteria": ["marks"], "win": "½"}, "not-exact"),
        ({"criteria": ["marks"], "cap": {"amount": "1/2"}}, "not-whole"),
        ({"criteria": ["marks"], "cap": {"amount": 0}}, "cap"),
        ({"criteria": ["marks"], "cap": {"amount": 5, "on": "luck"}}, "unknown-choice"),
        ({"criteria": ["marks"], "bye": {"by": "luck"}}, "unknown-choice"),
        ({"criteria": ["marks"], "withdrawn": None}, "unknown-choice"),
        ({"criteria": ["marks"], "bye": None}, "not-a-table"),
    ],
)
def test_a_rule_that_cannot_be_read_is_refused(given, code):
    with pytest.raises(BadRule) as refusal:
        rule_from_json(given)
    assert refusal.value.code == code
