"""The command line: one line out for one line in, exit status, streams, and no web framework."""

from __future__ import annotations

import io
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from scoring.engine import cli
from scoring.engine.calls import CALLS, answer
from scoring.engine.errors import EngineError, Malformed
from scoring.engine.rulebook import RULEBOOKS

ROOT = Path(__file__).resolve().parents[2]
LEGAL = {
    "rulebook": "parlee",
    "options": {},
    "trump": "C",
    "trick": [["W", "8H"]],
    "player": "S",
    "hand": ["KC", "KS", "AD", "JS"],
}


def run(call, *lines):
    """Return the answers to ``lines`` (bytes, text or objects), and the exit status."""
    data = b"".join(
        (
            line
            if isinstance(line, bytes)
            else line.encode()
            if isinstance(line, str)
            else json.dumps(line).encode()
        )
        + b"\n"
        for line in lines
    )
    out, err = io.StringIO(), io.StringIO()
    status = cli.main([call], io.BytesIO(data), out, err)
    answers = [json.loads(line) for line in out.getvalue().splitlines()]
    return answers, status, err.getvalue()


@pytest.mark.guide("engine#the-rules-engine-command-line-and-calls")
def test_line_n_answers_line_n():
    hands = [["KC", "KS"], ["KS", "AD"], ["9H", "7H"]]
    answers, status, err = run("legal", *[{**LEGAL, "hand": hand} for hand in hands])
    assert [each["legal"] for each in answers] == [["KC"], ["KS", "AD"], ["9H"]]
    assert (status, err) == (0, "")


BAD_LINES = [
    (b"", "malformed_json"),
    (b"   ", "malformed_json"),
    (b"{", "malformed_json"),
    (b"\x00", "malformed_json"),
    (b'{"rulebook": "par\x00lee"}', "malformed_json"),
    (b"\xff\xfe", "malformed_json"),
    (b"NaN", "malformed_json"),
    (b'{"rulebook": Infinity}', "malformed_json"),
    (b"9" * 5000, "malformed_json"),
    (b"[" * 100_000, "malformed_json"),
    (b"[]", "not_an_object"),
    (b"null", "not_an_object"),
    (b"12", "not_an_object"),
    (b'"legal"', "not_an_object"),
    (b"{}", "missing_key"),
    (b'{"rulebook": "whist"}', "unknown_rulebook"),
    (b'{"rulebook": "parlee", "options": {"x": 1}}', "unknown_option"),
    (b'{"rulebook": ["parlee"]}', "unknown_rulebook"),
]


@pytest.mark.guide("engine#errors", "engine#the-rules-engine-command-line-and-calls")
@pytest.mark.parametrize("call", sorted(set(CALLS) - {"compare", "notation"}))
def test_a_bad_line_is_answered_in_its_place(call):
    answers, status, err = run(call, *[line for line, _ in BAD_LINES])
    assert status == 0
    assert err == ""
    assert [each["error"]["code"] for each in answers] == [code for _, code in BAD_LINES]
    for each in answers:
        assert set(each["error"]) >= {"code", "message", "field"}
        assert each["error"]["message"]


def test_good_lines_among_bad_ones():
    answers, _, _ = run("legal", "", LEGAL, "{", LEGAL, "[]")
    assert ["legal" in each for each in answers] == [False, True, False, True, False]


def test_the_last_line_needs_no_line_end_and_a_byte_order_mark_is_no_matter():
    out = io.StringIO()
    data = b"\xef\xbb\xbf" + json.dumps(LEGAL).encode()
    assert cli.main(["legal"], io.BytesIO(data), out, io.StringIO()) == 0
    assert json.loads(out.getvalue()) == {"legal": ["KC"], "duty": "must_ruff"}
    assert out.getvalue().endswith("\n")


def test_huge_and_odd_values_are_refused_not_fatal():
    odd = [10**30, -1, 1.5, True, None, "", "\ud800", [], {}, "8H" * 1000, "1" * 4000]
    keys = ["options", "trump", "trick", "player", "hand", "order", "declarer", "rulebook"]
    lines = [{**LEGAL, key: value} for key in keys for value in odd]
    answers, status, err = run("legal", *lines)
    assert status == 0
    assert err == ""
    assert len(answers) == len(lines)
    assert all(len(each["error"]["message"]) < 400 for each in answers if "error" in each)


@pytest.mark.guide("engine#the-rules-engine-command-line-and-calls")
@pytest.mark.parametrize(
    "arguments", [[], ["nothing"], ["legal", "more"], ["--legal"], ["LEGAL"], ["rulebooks", "x"]]
)
def test_unusable_arguments(arguments):
    out, err = io.StringIO(), io.StringIO()
    assert cli.main(arguments, io.BytesIO(b""), out, err) == 2
    assert out.getvalue() == ""
    assert "usage: python -m scoring" in err.getvalue()


def test_help_is_no_error():
    out = io.StringIO()
    assert cli.main(["--help"], io.BytesIO(b""), out, io.StringIO()) == 0
    assert all(call in out.getvalue() for call in CALLS)


@pytest.mark.guide("engine#the-rules-engine-command-line-and-calls")
def test_rulebooks_is_one_list():
    out = io.StringIO()
    assert cli.main(["rulebooks"], io.BytesIO(b""), out, io.StringIO()) == 0
    listing = json.loads(out.getvalue())
    assert [each["key"] for each in listing] == [
        "parlee",
        "boussac",
        "chaloupee",
        "coinchee",
        "muette",
        "parlee-limited",
        "auction-1",
        "auction-2",
        "auction-3",
        "blind",
        "three-player",
        "belgian",
        "bruges",
        "trumps-only",
    ]
    for each in listing:
        assert {"key", "title", "source", "players", "switches"} <= set(each)
        for switch in each["switches"].values():
            assert {"default", "allowed"} <= set(switch)


def test_a_fault_of_the_engine_is_answered_too_and_traced(monkeypatch):
    def broken(_payload):
        raise ZeroDivisionError("a fault")

    monkeypatch.setitem(CALLS, "legal", broken)
    answers, status, err = run("legal", LEGAL, LEGAL)
    assert [each["error"]["code"] for each in answers] == ["internal_error"] * 2
    assert status == 0
    assert "ZeroDivisionError: a fault" in err


@pytest.mark.guide("engine#the-rules-engine-command-line-and-calls")
def test_the_engine_runs_with_the_standard_library_alone():
    done = subprocess.run(
        [sys.executable, "-S", "-m", "scoring", "rulebooks"],  # without any installed package
        cwd=ROOT,
        capture_output=True,
        check=True,
    )
    assert len(json.loads(done.stdout)) == len(RULEBOOKS)


@pytest.mark.guide("engine#the-rules-engine-command-line-and-calls")
def test_the_process_itself():
    lines = json.dumps(LEGAL) + "\n\n" + json.dumps({**LEGAL, "hand": ["\ud800"]}) + "\n"
    done = subprocess.run(
        [sys.executable, "-m", "scoring", "legal"],
        cwd=ROOT,
        input=lines.encode(),
        capture_output=True,
        check=True,
    )
    answers = [json.loads(line) for line in done.stdout.decode().splitlines()]
    assert answers[0] == {"legal": ["KC"], "duty": "must_ruff"}
    assert [each["error"]["code"] for each in answers[1:]] == ["malformed_json", "unknown_card"]
    assert done.stderr == b""
    done = subprocess.run(
        [sys.executable, "-m", "scoring", "whist"], cwd=ROOT, capture_output=True, check=False
    )
    assert done.returncode == 2


@pytest.mark.guide("engine#the-rules-engine-command-line-and-calls")
def test_answers_are_flushed_line_by_line():
    with subprocess.Popen(
        [sys.executable, "-m", "scoring", "legal"],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as process:
        for hand in (["KC"], ["KS"]):
            process.stdin.write(json.dumps({**LEGAL, "hand": hand}).encode() + b"\n")
            process.stdin.flush()
            assert json.loads(process.stdout.readline())["legal"] == hand
        process.stdin.close()
        assert process.wait() == 0


@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_a_reader_that_goes_away_is_no_error(unbuffered):
    with subprocess.Popen(
        [sys.executable, "-m", "scoring", "legal"],
        cwd=ROOT,
        env={**os.environ, "PYTHONUNBUFFERED": unbuffered},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        process.stdout.close()
        process.stdin.write(json.dumps(LEGAL).encode() + b"\n")
        process.stdin.close()
        assert (process.wait(), process.stderr.read()) == (0, b"")


def test_answer_refuses_an_unknown_call():
    with pytest.raises(Malformed) as error:
        answer("whist", {})
    assert error.value.code == "unknown_call"


SOLVE: dict[str, Any] = {
    "rulebook": "parlee",
    "trump": "C",
    "leader": "W",
    "hands": {
        "W": ["8H", "10S", "7D", "AC"],
        "S": ["KC", "KS", "AD", "JS"],
        "E": ["9D", "9S", "8C", "7C"],
        "N": ["7H", "8S", "10C", "AS"],
    },
}


@pytest.mark.guide("engine#solve")
def test_solve_answers_and_continues_mid_trick():
    found = answer("solve", SOLVE)
    assert sum(found["points"].values()) == 33  # 29 card points and 4 tricks
    assert set(found["best"]) <= set(SOLVE["hands"]["W"])
    assert found["nodes"] > 0
    assert found["exact"] is True
    hands = {**SOLVE["hands"], "W": SOLVE["hands"]["W"][1:]}
    middle = answer("solve", {**SOLVE, "hands": hands, "trick": [["W", "8H"]]})
    assert middle["best"] == ["KC"]
    assert sum(middle["points"].values()) == 33


@pytest.mark.parametrize(
    ("change", "code", "field"),
    [
        ({"hands": None}, "missing_key", "hands"),
        ({"hands": {"W": ["8H"]}}, "missing_key", "hands"),
        ({"hands": {**SOLVE["hands"], "W": ["8H", "10S", "7D", "KC"]}}, "impossible_deal", "hands"),
        ({"hands": {**SOLVE["hands"], "W": ["8H"]}}, "impossible_deal", "hands"),
        ({"trick": [["W", "8H"]], "leader": "S"}, "out_of_turn", "leader"),
        ({"trick": [["W", "QH"], ["N", "JH"]]}, "out_of_turn", "trick[1]"),
        ({"trick": ["QH"]}, "malformed_value", "trick[0]"),
        ({"leader": None}, "missing_key", "leader"),
        ({"node_limit": 0}, "malformed_value", "node_limit"),
        ({"rulebook": "blind", "hands": None}, "missing_key", "hands"),
    ],
)
def test_solve_refusals(change, code, field):
    with pytest.raises(EngineError) as error:
        answer("solve", {**SOLVE, **change})
    assert (error.value.code, error.value.field) == (code, field)


@pytest.mark.guide("engine#solve")
def test_a_node_limit_answers_with_bounds():
    found = answer("solve", {**SOLVE, "node_limit": 1})
    for low, high in found["bounds"].values():
        assert 0 <= low <= high <= 33
    assert found["exact"] is (found["points"] is not None)


def test_the_reserve_counts_in_solving_a_whole_three_player_deal():
    hands = {
        "1": ["10S", "AS", "KS", "QS", "JS", "9S", "8S", "7S", "10H", "AH"],
        "2": ["KH", "QH", "JH", "9H", "8H", "7H", "10D", "AD", "KD", "QD"],
        "3": ["JD", "9D", "8D", "7D", "10C", "AC", "KC", "QC", "JC", "9C"],
    }
    found = answer(
        "solve",
        {
            "rulebook": "three-player",
            "options": {"muette_ruff": "ALWAYS"},
            "trump": "C",
            "hands": hands,
            "reserve": ["8C", "7C"],
            "node_limit": 50,
        },
    )
    assert set(found["bounds"]) == {"3", "12"}
    (low_3, high_3), (low_12, high_12) = found["bounds"]["3"], found["bounds"]["12"]
    assert (low_3 + high_12, high_3 + low_12) == (60, 60)


DOCUMENT = ROOT / "docs" / "engine.md"


def _documented():
    pattern = r"```json (\w+)\n(.*?)\n```\n\n```json (answer|error)\n(.*?)\n```"
    return re.findall(pattern, DOCUMENT.read_text("utf-8"), re.DOTALL)


@pytest.mark.guide("engine#the-rules-engine-command-line-and-calls")
@pytest.mark.parametrize("example", _documented(), ids=lambda example: example[0])
def test_the_examples_of_the_document(example):
    call, payload, kind, expected = example
    (found,), status, _ = run(call, payload)
    assert status == 0
    found = found["error"] if kind == "error" else found
    for key, value in json.loads(expected).items():
        assert found[key] == value


@pytest.mark.guide("engine#the-rules-engine-command-line-and-calls")
def test_the_document_has_an_example_of_every_call():
    assert {call for call, *_ in _documented()} == set(CALLS)


@pytest.mark.guide("engine#the-rules-engine-command-line-and-calls")
def test_the_python_example_of_the_document():
    (example,) = re.findall(r"```python\n(.*?)```", DOCUMENT.read_text("utf-8"), re.DOTALL)
    before, said, after = re.split(r"  # (.*)\n", example)
    names: dict[str, Any] = {}
    exec(before, names)
    assert repr(eval(before.splitlines()[-1], names)) == said
    exec(after, names)
    assert (names["deal"].turn, names["deal"].plays) == ("W", [])


@pytest.mark.guide("engine#values")
def test_no_trump_may_be_written_null():
    for trump in ("NT", None):
        found = answer("legal", {**LEGAL, "trump": trump})
        assert found == {"legal": LEGAL["hand"], "duty": "free"}


@pytest.mark.guide("engine#values")
def test_the_dealer_of_three_is_declarer_where_none_is_named():
    position = {**LEGAL, "rulebook": "three-player", "trick": [["1", "8H"]], "player": "2"}
    assert answer("legal", position) == answer("legal", {**position, "declarer": "3"})
    with pytest.raises(EngineError) as error:
        answer("legal", {**position, "rulebook": "auction-2"})
    assert (error.value.code, error.value.field) == ("missing_key", "declarer")


@pytest.mark.guide("engine#score")
def test_conduct_is_weighed_with_the_play_only_where_asked():
    """Of a revoke and a gesture of one side, one penalty counts; of two sides they cancel."""
    entry = {
        "rulebook": "parlee",
        "options": {"penalty_mode": "CREDIT_OPPONENTS"},
        "contract": {"declarer": "NS", "trump": "H"},
        "points": {"NS": 42},
        "infractions": [
            {"article": "000-P1", "side": "NS"},
            {"article": "T-COMM", "side": "NS", "repeated": True},
        ],
    }
    assert answer("score", entry)["marks"] == {"NS": 0, "EW": 68}
