"""The independent checker: an intact archive passes, and every change to an archive is found."""

from __future__ import annotations

import ast
import gzip
import json
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import manille_check
from ledger import signing
from tests.programs import ROOT
from tests.tournament.build import SYSTEM, chance
from tests.tournament.ranking.field import entrants, game
from tests.tournament.test_bracket_places import knock_out
from tests.tournament.test_exports_and_archive import played
from tournament.demo.simulation import advance
from tournament.ranking.book import Book, write_book
from tournament.ranking.canonical import input_bytes, standing_bytes
from tournament.ranking.criteria import CRITERIA
from tournament.ranking.model import (
    AVERAGE,
    Cap,
    CapOn,
    Credit,
    CreditBy,
    LineKind,
    Outcome,
    Rule,
    Use,
    Withdrawal,
)
from tournament.ranking.model import Adjustment as Change
from tournament.ranking.model import Played as Line
from tournament.ranking.presets import PRESETS
from tournament.ranking.ranking import rank
from tournament.services import archive
from tournament.services import entrants as people
from tournament.services.adjustments import Amount, adjust
from tournament.services.entrant_edits import merge_entrants
from tournament.services.standings import set_state

Json = dict[str, Any]


@cache
def packed() -> bytes:
    """Pack an event of three rounds with players sitting out, a ruling, a withdrawal and frozen standings."""
    event = played(rounds=3, players=18)
    stage = event.stages.get(order=1)
    adjust(
        stage_id=stage.pk,
        source="ruling:7",
        reason="001-R9",
        actor=SYSTEM,
        amounts=[Amount(event.entrants.get(number=3).pk, marks=-34, penalties=1)],
    )
    people.withdraw(entrant_id=event.entrants.get(number=5).pk, actor=SYSTEM)
    set_state(stage_id=stage.pk, state="frozen", actor=SYSTEM)
    return archive.pack(event.pk)


@pytest.fixture
def whole(db: None) -> Json:
    found: Json = json.loads(gzip.decompress(packed()))
    return found


def sealed(whole: Json) -> Json:
    """Return the changed archive with a new signature of the installation itself."""
    return archive.sealed(whole["content"])


def wrong(whole: Json, **more: Any) -> list[str]:
    return [line for line in manille_check.check(whole, **more).lines if line.startswith("WRONG")]


@pytest.mark.guide("check#checking-an-event-from-outside", "security#security")
def test_an_archive_of_the_service_holds(whole: Json) -> None:
    anchor = whole["content"]["journal"]["anchor"]
    found = manille_check.check(whole, key=signing.public_key(), expect=[anchor])
    assert found.wrong == 0, found.lines
    for part in (
        "signature",
        "content",
        "journal",
        "anchor",
        "rows",
        "draws",
        "results",
        "standings",
    ):
        assert any(line.startswith(f"holds  {part}") for line in found.lines), part


@pytest.mark.django_db
def test_a_knock_out_holds() -> None:
    assert wrong(json.loads(gzip.decompress(archive.pack(knock_out(4).pk)))) == []


@pytest.mark.django_db
def test_a_draw_holds_after_two_of_its_numbers_became_one_player() -> None:
    """Player 5, under a second number, meets an earlier opponent of eight: at the draw that was no repetition."""
    event = played(rounds=1, players=8)
    people.withdraw(entrant_id=event.entrants.get(number=5).pk, actor=SYSTEM)
    again = people.enter_player(event_id=event.pk, name="Nog Eens", present=True, actor=SYSTEM)
    advance(event, chance())
    merge_entrants(event_id=event.pk, keep=5, double=again.number, actor=SYSTEM)
    whole = json.loads(gzip.decompress(archive.pack(event.pk)))
    assert wrong(whole) == []
    (draw,) = (
        row
        for row in whole["content"]["rows"]["tournament.Draw"]
        if row["edits"] and row["edits"][-1]["verb"] == "replace"
    )
    for line in draw["certificate"]["lines"]:
        if line["code"] == "repeated_meetings":
            line["value"] += 1
    assert any("meetings are repeated" in fault for fault in wrong(sealed(whole)))


# Changes without the signing key ------------------------------------------------------------------


@pytest.mark.guide("check#checking-an-event-from-outside", "security#security")
@pytest.mark.parametrize("place", [3, 100, -100])
def test_a_changed_byte_is_found(db: None, tmp_path: Path, capsys: Any, place: int) -> None:
    text = bytearray(gzip.decompress(packed()))
    at = text.index(b'"content"') + place if place > 0 else len(text) + place
    text[at] ^= 1
    file = tmp_path / "a.gz"
    file.write_bytes(gzip.compress(bytes(text)))
    assert manille_check.main([str(file)]) in (1, 2)
    assert "Everything holds" not in capsys.readouterr().out


@pytest.mark.guide("check#the-file")
@pytest.mark.parametrize("place", [0, 5000, -6])
def test_a_changed_byte_of_the_file_is_found(db: None, tmp_path: Path, place: int) -> None:
    file = bytearray(packed())
    file[place] ^= 1
    (tmp_path / "a.gz").write_bytes(file)
    assert manille_check.main([str(tmp_path / "a.gz")]) == 2


@pytest.mark.guide("check#checking-an-event-from-outside")
def test_a_wrong_key_is_found(whole: Json, settings: Any) -> None:
    own = signing.public_key()
    settings.SIGNING_KEY = "42" * 32
    forged = sealed(whole)
    assert wrong(forged) == []
    (fault,) = wrong(forged, key=own)
    assert "another key" in fault
    forged["signature"]["key"] = own
    (fault,) = wrong(forged, key=own)
    assert "not one of this file" in fault
    del forged["signature"]
    (fault,) = wrong(forged)
    assert "bears none" in fault


# Changes by the installation itself, with the key ----------------------------------------------------


def cut_short(content: Json) -> None:
    """Delete the second half of entries and rows, and adjust the head."""
    journal = content["journal"]
    for name, prefix in (("entries", ""), ("rows", "rows_")):
        del journal[name][len(journal[name]) // 2 :]
        last = journal[name][-1]
        journal["head"][f"{prefix}sequence"] = last["sequence"]
        journal["head"][f"{prefix}hash"] = last["hash"]
    journal["anchor"] = manille_check.anchor_at(
        journal, journal["head"]["sequence"], journal["head"]["rows_sequence"]
    )


def cut_without_its_head(content: Json) -> None:
    del content["journal"]["entries"][-1]


def entry_changed(content: Json) -> None:
    content["journal"]["entries"][4]["actor"] = "user:99"


def rows_changed(content: Json) -> None:
    rows = content["journal"]["rows"][-1]
    rows["body"] = rows["body"].removesuffix("]") + ',["tournament.Lot","1",null]]'


def result_changed(content: Json) -> None:
    content["rows"]["scoring.OfficialResult"][0]["result"]["marks"]["NS"] += 1


def signature_of_another(content: Json) -> None:
    content["rows"]["scoring.Signature"][0]["signed_by"] = "player:1"


def result_gone(content: Json) -> None:
    gone = content["rows"]["scoring.OfficialResult"].pop()
    assert gone["current"]


def seats_traded(content: Json) -> None:
    first, second = (
        (seat for seat in content["rows"]["tournament.Seat"] if seat["position"] == "A"),
        (seat for seat in content["rows"]["tournament.Seat"] if seat["position"] == "B"),
    )
    one, two = next(first), next(second)
    one["table_id"], two["table_id"] = two["table_id"], one["table_id"]
    one["entrant_id"] = content["rows"]["tournament.Seat"][-1]["entrant_id"]


def drawn_twice(content: Json) -> None:
    draw = content["rows"]["tournament.Draw"][0]
    draw["byes"] = [draw["tables"][0]["players"][0]]


def more_meetings_told(content: Json) -> None:
    content["rows"]["tournament.Draw"][0]["certificate"]["lines"][0]["value"] += 1


def standing_forged(content: Json) -> None:
    """Exchange two players in the standings and recompute the hash."""
    stated = content["standings"][0]
    one, two = stated["standing"]["rows"][:2]
    for name in ("entrant", "number"):
        one[name], two[name] = two[name], one[name]
    stated["hash"] = manille_check.sha256(manille_check.canonical(stated["standing"]))


def standing_forged_with_its_input(content: Json) -> None:
    """Give the last player another win, in all input of the standings."""
    stated = content["standings"][0]
    for line in stated["input"]["results"]:
        if line["entrant"] == "12" and line["kind"] == "played":
            line["outcome"] = "win"
    stated["standing"] = manille_check.Count(stated["standing"]["rule"], stated["input"]).standing()
    stated["hash"] = manille_check.sha256(manille_check.canonical(stated["standing"]))


def ranked_by_another_rule(content: Json) -> None:
    stated = content["standings"][0]
    stated["standing"]["rule"]["criteria"].reverse()
    stated["standing"] = manille_check.Count(stated["standing"]["rule"], stated["input"]).standing()
    stated["hash"] = manille_check.sha256(manille_check.canonical(stated["standing"]))


def ruling_left_out(content: Json) -> None:
    stated = content["standings"][0]
    stated["input"]["adjustments"].clear()
    stated["standing"] = manille_check.Count(stated["standing"]["rule"], stated["input"]).standing()
    stated["hash"] = manille_check.sha256(manille_check.canonical(stated["standing"]))


def frozen_forged(content: Json) -> None:
    rows = content["standings"][0]["frozen"]["rows"]
    rows[0]["number"], rows[1]["number"] = rows[1]["number"], rows[0]["number"]


@pytest.mark.guide("check#checking-an-event-from-outside", "security#security")
@pytest.mark.long
@pytest.mark.parametrize(
    ("forge", "part"),
    [
        (cut_short, "rows"),
        (cut_without_its_head, "journal"),
        (entry_changed, "journal"),
        (rows_changed, "journal"),
        (result_changed, "rows"),
        (result_changed, "results of stage 1"),
        (signature_of_another, "rows"),
        (result_gone, "rows"),
        (result_gone, "results of stage 1"),
        (seats_traded, "draws"),
        (drawn_twice, "draws"),
        (more_meetings_told, "draws"),
        (standing_forged, "standings of stage 1"),
        (standing_forged_with_its_input, "results of stage 1"),
        (ranked_by_another_rule, "results of stage 1"),
        (ruling_left_out, "results of stage 1"),
        (frozen_forged, "standings of stage 1"),
    ],
)
def test_what_is_forged_under_the_right_key_is_found(
    whole: Json, forge: Callable[[Json], None], part: str
) -> None:
    forge(whole["content"])
    faults = wrong(sealed(whole), key=signing.public_key())
    assert any(fault.startswith(f"WRONG  {part}:") for fault in faults), faults


@pytest.mark.guide("check#checking-an-event-from-outside", "security#security")
def test_a_chain_cut_short_is_found_by_an_anchor_and_by_a_saved_file(
    whole: Json, tmp_path: Path
) -> None:
    journal = whole["content"]["journal"]
    anchor = ".".join((*journal["anchor"].split(".")[:2], journal["anchor"].split(".")[2][:16]))
    saved = tmp_path / "anchors.json"
    document = {"kind": "manille-anchors", "anchors": {journal["scope"]: journal["anchor"]}}
    document["signature"] = signing.signature(document)
    saved.write_text(json.dumps(document))
    expect = [anchor, str(saved)]
    assert wrong(whole, expect=expect, key=signing.public_key()) == []
    cut_short(whole["content"])
    faults = [fault for fault in wrong(sealed(whole), expect=expect) if "anchor" in fault]
    assert len(faults) == 2
    document["anchors"] = {}
    saved.write_text(json.dumps(document))
    (fault, _other) = wrong(sealed(whole), expect=[str(saved)], key=signing.public_key())[-2:]
    assert fault.startswith("WRONG")


# The counting, compared with the service's own -------------------------------------------------------


@pytest.mark.guide("check#checking-an-event-from-outside")
def test_every_criterion_and_named_rule_is_known() -> None:
    assert {
        code: [used.code for used in preset.rule.criteria] for code, preset in PRESETS.items()
    } == manille_check.PRESETS


RULES = st.builds(
    Rule,
    criteria=st.lists(
        st.sampled_from(
            [Use(code) for code in sorted(CRITERIA)]
            + [
                Use("games_won", (("draw", Fraction(1, 2)),)),
                Use("match_points", (("per", "match"),)),
                Use("buchholz_cut", (("of", "marks"), ("worst", 2))),
                Use("victory_points", (("bounds", (2, 9)), ("total", 7))),
            ]
        ),
        min_size=1,
        max_size=6,
        unique=True,
    ).map(tuple),
    cap=st.sampled_from([None, Cap(3), Cap(5, CapOn.MARKS)]),
    bye=st.sampled_from(
        [Credit(), Credit(CreditBy.FIELD_SPREAD), Credit(CreditBy.FIXED, Outcome.DRAW, 3, 1)]
    ),
    sat_out=st.sampled_from([AVERAGE, Credit(CreditBy.FIELD_MEDIAN, Outcome.DRAW), Credit()]),
    withdrawn=st.sampled_from(Withdrawal),
)


@pytest.mark.guide("check#checking-an-event-from-outside")
@settings(max_examples=60, deadline=None)
@given(st.data(), RULES)
def test_standings_are_counted_as_the_service_counts_them(data: Any, rule: Rule) -> None:
    field = entrants("ABCDE")
    lines: list[Line] = []
    for round_no, pairs in enumerate((("AB", "CD"), ("AC", "BE"), ("AD", "CE")), 1):
        for one, two in map(tuple, pairs):
            marks = data.draw(st.tuples(st.integers(0, 9), st.integers(0, 9)))
            lines += game(round_no, one, two, marks)
        for who in sorted(set("ABCDE") - set("".join(pairs))):
            kind = data.draw(st.sampled_from([LineKind.BYE, LineKind.SAT_OUT]))
            lines.append(Line(round_no, who, kind=kind))
    changes = [Change("B", 1, marks=data.draw(st.integers(-9, 9)), penalty_count=1)]
    lots = data.draw(st.sampled_from([{}, {name: k for k, name in enumerate("BADCE", 1)}]))
    # Two or three of the rounds may be those of an earlier stage, with its own rule and one entrant gone.
    carried: list[Book] = []
    if data.draw(st.booleans()):
        gone, last = data.draw(st.sampled_from(["", "D", "E"])), data.draw(st.sampled_from([2, 3]))
        there = [replace(one, withdrawn=one.id == gone) for one in field]
        before = [line for line in lines if line.round_no <= last]
        carried.append(write_book(there, before, changes, data.draw(RULES)))
        lines, changes = [line for line in lines if line.round_no > last], []
        field = [*field[:-1], replace(field[-1], withdrawn=data.draw(st.booleans()))]
    standing = rank(field, lines, changes, rule, lots, carried=carried)
    read = json.loads(input_bytes(field, lines, changes, lots, carried)) | {"places": {}}
    wanted = json.loads(standing_bytes(standing))
    assert manille_check.Count(wanted["rule"], read).standing() == wanted


# The program ----------------------------------------------------------------------------------------


@pytest.mark.guide("check#checking-an-event-from-outside", "security#security")
def test_it_shares_no_code_with_the_service_and_needs_cryptography_alone() -> None:
    tree = ast.parse((ROOT / "manille_check.py").read_text())
    names = {
        (node.module if isinstance(node, ast.ImportFrom) else alias.name).split(".")[0]
        for node in ast.walk(tree)
        if isinstance(node, ast.Import | ast.ImportFrom)
        for alias in node.names
    }
    assert names - set(sys.stdlib_module_names) == {"cryptography"}


@pytest.mark.guide("check#checking-an-event-from-outside")
def test_it_runs_by_itself(db: None, tmp_path: Path) -> None:
    (tmp_path / "manille_check.py").write_bytes((ROOT / "manille_check.py").read_bytes())
    (tmp_path / "event.manille.gz").write_bytes(packed())
    for words, code, said in (
        (["event.manille.gz"], 0, "Everything holds."),
        (["event.manille.gz", "--key", signing.public_key()], 0, "Everything holds."),
        (["event.manille.gz", "--key", "00" * 32], 1, "by another key"),
        (["manille_check.py"], 2, "cannot be read"),
    ):
        done = subprocess.run(
            [sys.executable, "-m", "manille_check", *words],
            cwd=tmp_path,
            capture_output=True,
            text=True,
        )
        assert done.returncode == code, done.stdout + done.stderr
        assert said in done.stdout
