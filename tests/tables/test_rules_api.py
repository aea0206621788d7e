"""The engine's calls through the web: the same answers, problems with the engine's codes."""

from __future__ import annotations

from contextlib import ExitStack
from typing import Any

import pytest
from django.test import Client

from accounts.limits import Limit
from scoring.engine.entry_fields import entry_fields
from scoring.engine.rulebook import RULEBOOKS, resolve
from tournament.api import rules
from tournament.api.rules import SEARCHES_AT_ONCE, room_for

pytestmark = pytest.mark.django_db

# 000, second example, trick 1: "Sud est obligé de couper".
LEGAL = {
    "rulebook": "parlee",
    "trump": "C",
    "trick": [["W", "8H"]],
    "player": "S",
    "hand": ["KC", "KS", "AD", "JS"],
}


def post(client: Client, call: str, payload: object) -> Any:
    return client.post(f"/api/v1/rules/{call}/", payload, content_type="application/json")


@pytest.mark.guide("engine#the-rules-engine-command-line-and-calls")
def test_a_call_answers_as_the_command_line(client: Client) -> None:
    answer = post(client, "legal", LEGAL)
    assert answer.status_code == 200
    assert answer.json() == {"legal": ["KC"], "duty": "must_ruff"}


@pytest.mark.guide("engine#the-rules-engine-command-line-and-calls")
def test_the_rulebooks_are_listed(client: Client) -> None:
    listed = client.get("/api/v1/rules/rulebooks/").json()
    assert len(listed) == len(RULEBOOKS)
    assert {"key", "title", "source", "players", "switches"} <= set(listed[0])


@pytest.mark.parametrize(
    ("call", "payload", "code"),
    [
        ("legal", {**LEGAL, "rulebook": "whist"}, "unknown_rulebook"),
        ("legal", {**LEGAL, "hand": ["KC", "KC"]}, "impossible_deal"),
        ("legal", [], "not_an_object"),
        ("score", {"rulebook": "muette", "points": {"NS": 36, "EW": 25}}, None),
    ],
)
def test_refusals_are_problems(
    client: Client, call: str, payload: object, code: str | None
) -> None:
    answer = post(client, call, payload)
    assert answer.status_code == 400
    assert answer["Content-Type"] == "application/problem+json"
    body = answer.json()
    assert body["detail"]
    assert {"code", "detail", "field", "status"} <= set(body)
    if code:
        assert body["code"] == code


def test_an_unknown_call_is_not_here(client: Client) -> None:
    assert post(client, "cheat", {}).status_code == 404


def test_broken_json_is_a_problem(client: Client) -> None:
    answer = client.post("/api/v1/rules/legal/", "{", content_type="application/json")
    assert answer.status_code == 400
    assert answer["Content-Type"] == "application/problem+json"


def test_the_search_is_bounded_for_the_public(client: Client) -> None:
    hands = {
        "N": ["10S", "AS"],
        "E": ["KS", "QS"],
        "S": ["10H", "AH"],
        "W": ["KH", "QH"],
    }
    answer = post(
        client, "solve", {"rulebook": "parlee", "trump": "NT", "leader": "N", "hands": hands}
    )
    assert answer.status_code == 200
    # North's two best spades take both tricks: 5+4+3+2 of spades, 5+4+3+2 of hearts, 2 tricks.
    assert answer.json()["points"] == {"NS": 30, "EW": 0}


def test_the_lab_answers_in_words(client: Client) -> None:
    page = client.get(
        "/rules/",
        {
            "ask": "trick",
            "rulebook": "parlee",
            "trump": "C",
            "leader": "W",
            "trick": "8H",
            "hand": "KC KS AD JS",
        },
    )
    assert page.status_code == 200
    assert "S may play:" in page.content.decode()
    assert "must ruff" in page.content.decode()


def test_the_lab_says_what_a_deal_is_worth(client: Client) -> None:
    # 003: "l'équipe fait 42 points, soit 8 au-dessus de 34. Elle marque 8 points".
    page = client.get(
        "/rules/",
        {"ask": "deal", "rulebook": "coinchee", "declarer": "NS", "trump": "H", "points": "42"},
    )
    assert "N-S score 8" in page.content.decode()


def test_the_lab_asks_for_what_each_rulebook_writes_down(client: Client) -> None:
    """A deal has the fields that the phone would ask for; the sheet of the game gives its marks."""
    page = client.get("/rules/").content.decode()
    form = page[page.index('action="#deal"') :]
    for key in RULEBOOKS:
        for field in entry_fields(resolve(key), "tricks"):
            assert f'name="{field.name}"' in form, (key, field.name)
    # 004, S23a: 36 points are 6 more than half; trump named before the cards are seen doubles them.
    deal = {"ask": "deal", "rulebook": "muette", "dealer": "N", "trump": "H", "points": "36"}
    seen, blind = (client.get("/rules/", {**deal, **more}) for more in ({}, {"blind": "1"}))
    assert "N-S score 6" in seen.content.decode()
    assert "N-S score 12" in blind.content.decode()


def test_the_lab_keeps_what_was_typed_with_its_refusal(client: Client) -> None:
    page = client.get(
        "/rules/",
        {"ask": "deal", "rulebook": "muette", "declarer": "NS", "trump": "H", "points": "61"},
    )
    assert 'value="61"' in page.content.decode()
    assert "error" in page.content.decode()


@pytest.mark.guide("security#security")
def test_one_line_holds_one_place_and_its_proofs_count(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    with room_for("prove", "127.0.0.1"):
        assert post(client, "solve", {}).json()["code"] == "busy"
        # Another line finds the second place.
        other = {"REMOTE_ADDR": "192.0.2.7"}
        answer = client.post("/api/v1/rules/solve/", "{}", "application/json", **other)
        assert answer.status_code == 400
    monkeypatch.setattr(rules, "SOLVES_BY_ADDRESS", Limit("rules-few", 3, 600, by_line=True))
    statuses = [post(client, "prove", {}).status_code for _time in range(4)]
    assert statuses == [400, 400, 400, 429]


@pytest.mark.guide("engine#the-rules-engine-command-line-and-calls", "security#security")
@pytest.mark.parametrize(
    ("language", "said"),
    [("en", "try again in a few seconds"), ("fr", "réessayez"), ("nl", "probeer het over")],
)
def test_searches_leave_room_for_everybody_else(client: Client, language: str, said: str) -> None:
    hands = {"N": ["AH"], "E": ["KH"], "S": ["QH"], "W": ["JH"]}
    position = {"rulebook": "parlee", "trump": "NT", "leader": "N", "hands": hands}
    client.defaults["HTTP_ACCEPT_LANGUAGE"] = language
    with ExitStack() as searches:
        for number in range(SEARCHES_AT_ONCE):
            searches.enter_context(room_for("solve", f"192.0.2.{number}"))
        refused = post(client, "solve", position)
        assert refused.status_code == 503
        assert refused["Retry-After"] == "2"
        assert refused.json()["code"] == "busy"
        assert said in refused.json()["detail"]
        # A call without a search still gets its answer.
        assert post(client, "legal", LEGAL).status_code == 200
    # The slots are free again, also after a search refused for its input.
    for _each in range(SEARCHES_AT_ONCE + 1):
        assert post(client, "solve", {**position, "leader": "X"}).status_code == 400
        assert post(client, "solve", position).status_code == 200
