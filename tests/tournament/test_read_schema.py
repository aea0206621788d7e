"""Responses of the public reads match their schema, and the reads accept every parameter that it allows."""

from __future__ import annotations

from typing import Any

import jsonschema
import pytest
from django.test import Client
from drf_spectacular.generators import SchemaGenerator

from tests.tournament.build import SYSTEM, chance, make_event
from tournament.demo.simulation import advance
from tournament.services import entrants

pytestmark = pytest.mark.django_db
ROOT = "/api/v1/events/"
KINDS = ("players", "draws", "results", "standings", "overall")


@pytest.fixture(scope="module")
def schema() -> Any:
    """Return the schema as served."""
    return SchemaGenerator().get_schema(public=True)


def strict(schema: Any, path: str) -> Any:
    """Return the JSON schema of a path's response, with nullable fields in JSON Schema's notation."""

    def plain(part: Any) -> Any:
        if isinstance(part, list):
            return [plain(each) for each in part]
        if not isinstance(part, dict):
            return part
        if "$ref" in part:
            return plain(schema["components"]["schemas"][part["$ref"].rpartition("/")[2]])
        found = {key: plain(value) for key, value in part.items()}
        return {"anyOf": [{"type": "null"}, found]} if found.pop("nullable", False) else found

    answer = schema["paths"][path]["get"]["responses"]["200"]
    return plain(answer["content"]["application/json"]["schema"])


@pytest.fixture(scope="module", autouse=True)
def in_play(module_database: None) -> None:
    """Create 9 players after their first round, one of them withdrawn; these tests only read."""
    event = make_event(9, deals=1, cut=4, slug="hall")
    advance(event, chance())
    entrants.withdraw(entrant_id=event.entrants.get(number=5).pk, actor=SYSTEM)


def test_answers_are_what_the_schema_says(client: Client, schema: Any) -> None:
    for path in ("", "{slug}/", *(f"{{slug}}/{kind}/" for kind in KINDS)):
        answer = client.get(ROOT + path.format(slug="hall")).json()
        jsonschema.validate(answer, strict(schema, ROOT + path))
        undescribed = set(answer) - set(strict(schema, ROOT + path)["properties"])
        assert undescribed == set(), path
        rows = answer.get("rows", [])
        if "standings" not in path and rows:
            row = strict(schema, ROOT + path)["properties"]["rows"]["items"]
            assert set(rows[0]) == set(row["properties"]), path


def test_the_bounds_of_the_schema_are_those_of_the_answers(client: Client, schema: Any) -> None:
    tried = 0
    for kind in KINDS:
        path = f"{ROOT}{{slug}}/{kind}/"
        for parameter in schema["paths"][path]["get"]["parameters"]:
            said = parameter["schema"]
            if parameter["in"] != "query" or said["type"] != "integer":
                continue
            for number, accepted in (
                (said["minimum"], True),
                (said["maximum"], True),
                (said["minimum"] - 1, False),
                (said["maximum"] + 1, False),
            ):
                status = client.get(
                    path.format(slug="hall"), {parameter["name"]: number}
                ).status_code
                # A stage that does not exist is not found, even with a plausible number.
                assert status in ((200, 404) if accepted else (400,)), (kind, parameter["name"])
                tried += 1
    assert tried > 40


def test_words_that_a_column_may_hold_are_listed(client: Client, schema: Any) -> None:
    for kind, column in (("players", "state"), ("results", "outcome")):
        path = f"{ROOT}{{slug}}/{kind}/"
        listed = next(
            each["schema"]["enum"]
            for each in schema["paths"][path]["get"]["parameters"]
            if each["name"] == column
        )
        rows = client.get(path.format(slug="hall"), {"page_size": 200}).json()["rows"]
        assert {row[column] for row in rows} <= set(listed)
        for word in listed:
            found = client.get(path.format(slug="hall"), {column: word, "page_size": 200}).json()
            assert {row[column] for row in found["rows"]} <= {word}
        refused = client.get(path.format(slug="hall"), {column: "other"})
        assert (refused.status_code, refused.json()["field"]) == (400, column)
        assert all(word in refused.json()["detail"] for word in listed)
