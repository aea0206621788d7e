"""The OpenAPI document and its page: complete, valid, the same for every caller, readable by people."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client
from drf_spectacular.drainage import GENERATOR_STATS, reset_generator_stats
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.validation import validate_schema

from operations.api_pages import described, operations
from tools.permissions_page import routes

pytestmark = pytest.mark.django_db


def test_programs_get_a_valid_description_once(client: Client) -> None:
    answer = client.get("/api/v1/openapi.json")
    assert answer["Content-Type"] == "application/vnd.oai.openapi+json"
    whole = answer.json()
    validate_schema(whole)
    paging = {
        one["name"] for one in whole["paths"]["/api/v1/events/{slug}/results/"]["get"]["parameters"]
    }
    assert {"page", "page_size", "stage", "round", "If-None-Match"} <= paging
    again = client.get("/api/v1/openapi.json", headers={"if-none-match": answer["ETag"]})
    assert (again.status_code, again.content, again["ETag"]) == (304, b"", answer["ETag"])
    french = Client(headers={"accept-language": "fr"}).get("/api/v1/openapi.json")
    assert french.content == answer.content


def test_its_generator_has_nothing_to_warn_of(capsys: pytest.CaptureFixture[str]) -> None:
    """An invented operation name changes with the next field of that name."""
    reset_generator_stats()
    SchemaGenerator().get_schema(request=None, public=True)
    GENERATOR_STATS.emit_summary()
    assert not re.findall(r"^.*(?:Warning|Error): .*$", capsys.readouterr().err, re.MULTILINE)


def test_it_names_every_operation_of_the_api() -> None:
    def plain(pattern: str) -> str:
        return "/" + re.sub(r"<(?:\w+:)?(\w+)>|\{(\w+)\}", "{}", pattern.lstrip("/"))

    told = {(one.verb, plain(one.path)) for one in operations(described()[0])}
    there = {
        (route.verb, plain(route.pattern))
        for route in routes()
        if route.pattern.startswith("api/v1/")
        and route.name not in ("api", "api-openapi")
        # The document lists its verbs one by one.
        and ":verb>" not in route.pattern
    }
    assert told == there


def test_every_operation_says_what_it_answers_and_how_it_refuses() -> None:
    """A program knows the possible answers from the description."""
    problem = {"$ref": "#/components/schemas/Problem"}
    names = []
    for path, verbs in described()[0]["paths"].items():
        for verb, one in verbs.items():
            names.append(one["operationId"])
            where, answers = f"{verb} {path}", one["responses"]
            assert one["description"], where
            done = {status: answer for status, answer in answers.items() if status < "300"}
            assert done, where
            for status, answer in done.items():
                assert ("content" in answer) is (status != "204"), where
            open_to_all = {} in one.get("security", [{}])
            wanted = {"400", "404", "406", "429", "503"}
            wanted |= set() if open_to_all else {"401", "403"}
            wanted |= set() if verb == "get" else {"415"}
            assert wanted - set(answers) == set(), where
            for status in set(answers) - set(done) - {"304"}:
                assert answers[status]["content"]["application/problem+json"]["schema"] == problem
    assert len(names) == len(set(names))


@pytest.mark.guide("players#for-programs")
@pytest.mark.parametrize(
    ("language", "words"),
    [("fr", "Ouvert à tous"), ("nl", "Open voor iedereen"), ("en", "Open to everybody")],
)
def test_people_read_it_with_what_is_open_first(client: Client, language: str, words: str) -> None:
    page = client.get("/api/v1/", headers={"accept-language": language}).content.decode()
    page = page.replace("<wbr>", "")
    first, _words, rest = page.partition(words)
    assert _words
    assert "<details>" not in first
    assert rest.index("/api/v1/events/{slug}/standings/") < rest.index("/api/v1/sheets/")
    assert "<code>sheets</code>" in rest
    assert page.count("<details>") == len(list(operations(described()[0])))


def test_what_needs_no_account_is_called_open_and_nothing_else() -> None:
    for one in operations(described()[0]):
        if one.open:
            assert one.verb == "GET" or one.path.startswith("/api/v1/rules/"), one
    reads = {one.path for one in operations(described()[0]) if one.open}
    assert {
        "/api/v1/events/",
        "/api/v1/events/{slug}/",
        "/api/v1/events/{slug}/players/",
        "/api/v1/events/{slug}/draws/",
        "/api/v1/events/{slug}/results/",
        "/api/v1/events/{slug}/standings/",
    } <= reads


def test_every_operation_says_what_it_answers() -> None:
    schema = described()[0]
    shapes = schema["components"]["schemas"]
    untyped = []
    for path in schema["paths"].values():
        for operation in path.values():
            for status, answer in operation["responses"].items():
                content = answer.get("content", {}).get("application/json", {})
                shape = content.get("schema") if status.startswith("2") else None
                if shape is None:
                    continue
                shape = shape.get("items", shape)
                shape = shapes[shape["$ref"].rsplit("/", 1)[1]] if "$ref" in shape else shape
                if shape.get("type", "object") == "object" and not shape.keys() & {
                    "properties",
                    "anyOf",
                }:
                    untyped.append(operation["operationId"])
    assert untyped == []


OUT = re.compile(
    r"\b(?:certificates?|candidates?|seeds?|pens?|bans?|entrants?|fingerprints?|s[ia]ts? out|put aside|level at)\b",
    re.IGNORECASE,
)
"""Words banned from pages: draw report, draft draw, draw code, keep score, players to keep apart, …"""


def told(node: Any) -> Iterator[str]:
    """Yield the descriptions and summaries, without the names in backticks."""
    for key, value in node.items() if isinstance(node, dict) else enumerate(node):
        if isinstance(value, dict | list):
            yield from told(value)
        elif key in ("description", "summary"):
            yield re.sub(r"`[^`]*`|^\*.*$", "", value, flags=re.MULTILINE)


def test_it_speaks_the_words_of_the_pages() -> None:
    said = list(told(described()[0]))
    assert len(said) > 300
    assert [text for text in said if OUT.search(text)] == []
