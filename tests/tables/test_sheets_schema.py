"""The schema of the tables' API, used as a client would: every verb with a link and with a session.

The service must keep the schema's promises: an answer's status is listed for the operation, and a refusal is
problem+json with the members of the component ``Problem``.
"""

from __future__ import annotations

import uuid
from typing import Any

import pytest
from django.test import Client
from drf_spectacular.generators import SchemaGenerator

from accounts.limits import CALLS_BY_TABLE
from accounts.models import Role
from tests.tournament.build import grant, make_user
from tournament.models.tables import Sheet
from tournament.services import sheets

from .build import SYSTEM, a_sheet, simple, token

pytestmark = pytest.mark.django_db
DEVICE = str(uuid.uuid4())
BOTH, LINK, STAFF = ("link", "session"), ("link",), ("session",)

VERBS: dict[str, tuple[tuple[str, ...], bool, dict[str, Any] | None]] = {
    "sheets_list": (LINK, False, None),
    "sheets_read": (BOTH, False, None),
    "deals_append": (BOTH, False, {"entry": simple(42)}),
    "deals_history": (BOTH, True, None),
    "deals_correct": (BOTH, True, {"entry": simple(41), "reason": "recount"}),
    "sheets_sign": (BOTH, True, {"side": "NS", "version": 1}),
    "sheets_dispute": (BOTH, True, {"version": 1, "reason": "deal 1"}),
    "sheets_confirm": (STAFF, True, {"version": 1, "reason": "seen"}),
    "sheets_bell": (BOTH, True, {"version": 1}),
    "tables_take_pen": (LINK, False, {"knowingly": True}),
    "tables_call_referee": (LINK, False, {"reason": "revoke", "deal": 1}),
}
"""Callers, whether a complete match is needed first, and the body, by operation."""


@pytest.fixture(scope="module")
def schema() -> dict[str, Any]:
    found: dict[str, Any] = SchemaGenerator().get_schema(public=True)
    return found


def operation(schema: dict[str, Any], name: str) -> tuple[str, str, dict[str, Any]]:
    """Return address, method and description of an operation."""
    for path, methods in schema["paths"].items():
        for method, told in methods.items():
            if isinstance(told, dict) and told.get("operationId") == name:
                return path, method, told
    raise LookupError(name)


def a_caller(how: str, sheet: Sheet) -> tuple[Client, dict[str, str]]:
    """Return a client and its headers: with the table's link, a director's session, or neither."""
    client = Client()
    if how == "link":
        return client, {"Authorization": f"Table {token(sheet)}", "X-Device": DEVICE}
    if how == "session":
        user = make_user(f"director-{sheet.pk}")
        grant(user, Role.DIRECTOR, sheet.scope)
        client.force_login(user)
    return client, {}


def use(
    schema: dict[str, Any], name: str, how: str, sheet: Sheet, body: Any, **more: str
) -> tuple[Any, dict[str, Any]]:
    """Call an operation at the address in the schema. Return its answer and its description."""
    path, method, told = operation(schema, name)
    address = path.replace("{sheet_id}", more.pop("sheet_id", str(sheet.pk))).replace(
        "{number}", more.pop("number", "1")
    )
    client, headers = a_caller(how, sheet)
    answer = getattr(client, method)(
        address,
        **({"data": body, "content_type": "application/json"} if body is not None else {}),
        headers={**headers, **more},
    )
    return answer, told


def a_match(written: bool) -> Sheet:
    sheet = a_sheet(options={"target": {"deals": 1}})
    if written:
        sheets.enter_deal(sheet_id=sheet.pk, entry=simple(42), actor=SYSTEM)
        sheet.refresh_from_db()
    return sheet


def is_problem(answer: Any, told: dict[str, Any], schema: dict[str, Any], code: str = "") -> None:
    """Check that the operation documents the refusal, and that its body fits the schema."""
    status = str(answer.status_code)
    assert status in told["responses"], told["operationId"]
    assert list(told["responses"][status]["content"]) == ["application/problem+json"]
    assert answer["Content-Type"].startswith("application/problem+json")
    body = answer.json()
    assert set(schema["components"]["schemas"]["Problem"]["required"]) <= set(body)
    assert body["status"] == answer.status_code
    assert not code or body["code"] == code


@pytest.mark.parametrize(
    ("name", "how"), [(name, how) for name, (who, _w, _b) in VERBS.items() for how in who]
)
def test_every_verb_does_its_work_for_who_may(schema: dict[str, Any], name: str, how: str) -> None:
    _who, written, body = VERBS[name]
    answer, told = use(schema, name, how, a_match(written), body)
    assert str(answer.status_code) in told["responses"], answer.content
    assert answer.status_code in (200, 201), answer.content
    shape = told["responses"][str(answer.status_code)]["content"]["application/json"]["schema"]
    assert shape  # a described answer
    if body is not None:
        assert "requestBody" in told


@pytest.mark.parametrize("name", sorted(VERBS))
def test_every_verb_refuses_who_may_not(schema: dict[str, Any], name: str) -> None:
    _who, written, body = VERBS[name]
    sheet = a_match(written)
    nobody, told = use(schema, name, "nobody", sheet, body)
    is_problem(nobody, told, schema)
    assert nobody.status_code in (401, 403)
    wrong, told = use(schema, name, "nobody", sheet, body, Authorization="Table " + "a" * 24)
    is_problem(wrong, told, schema, "link_not_valid")
    assert wrong.status_code == 401
    assert not sheet.signatures.exists()
    assert not sheet.results.exists()


@pytest.mark.parametrize(
    "name",
    [
        name
        for name in sorted(VERBS)
        if name.startswith(("sheets_", "deals_")) and name != "sheets_list"
    ],
)
def test_a_sheet_that_is_not_there(schema: dict[str, Any], name: str) -> None:
    _who, written, body = VERBS[name]
    answer, told = use(
        schema, name, "session", a_match(written), body, sheet_id=str(uuid.UUID(int=1))
    )
    is_problem(answer, told, schema)
    assert answer.status_code == 404


def test_a_changed_sheet_is_a_conflict(schema: dict[str, Any]) -> None:
    for name in ("sheets_sign", "sheets_dispute", "sheets_confirm", "deals_correct"):
        sheet = a_match(True)
        how = VERBS[name][0][-1]
        answer, told = use(schema, name, how, sheet, {**(VERBS[name][2] or {}), "version": 0})
        is_problem(answer, told, schema, "sheet_changed")
        assert answer.status_code == 409


def test_an_impossible_deal_lists_its_defects(schema: dict[str, Any]) -> None:
    answer, told = use(schema, "deals_append", "link", a_match(False), {"entry": simple(99)})
    is_problem(answer, told, schema, "impossible_points")
    body = answer.json()
    assert "99" in body["defects"][0]
    told_defect = body["params"]["defects"][0]
    assert (told_defect["code"], told_defect["points"]) == ("points_range", 99)


@pytest.mark.guide("scorekeeper#for-programs")
def test_an_alarm_comes_with_code_and_values(schema: dict[str, Any]) -> None:
    sheet = a_match(False)
    answer, told = use(schema, "deals_append", "link", sheet, {"entry": simple(14)})
    is_problem(answer, told, schema, "please_check")
    body = answer.json()
    assert body["sure"] == "transposed"
    (doubt,) = body["doubts"]
    assert (doubt["code"], doubt["field"], doubt["params"]) == (
        "transposed",
        "points",
        {"typed": 14, "swapped": 41},
    )
    assert set(schema["components"]["schemas"]["Doubt"]["required"]) == set(doubt)
    sure, _told = use(
        schema, "deals_append", "link", sheet, {"entry": simple(14), "sure": body["sure"]}
    )
    assert sure.status_code == 201
    assert sure.json()["deals"][0]["doubts"] == ["transposed"]


def test_a_refusal_carries_the_values_that_it_names(schema: dict[str, Any]) -> None:
    answer, told = use(schema, "sheets_sign", "link", a_match(True), {"side": "X", "version": 1})
    is_problem(answer, told, schema, "unknown_side")
    assert (answer.status_code, answer.json()["params"]) == (400, {"sides": "NS, EW"})


def test_too_many_calls_are_held_back(schema: dict[str, Any]) -> None:
    sheet = a_match(False)
    for _again in range(CALLS_BY_TABLE.most):
        CALLS_BY_TABLE.check(str(sheet.table_id))
    answer, told = use(schema, "tables_call_referee", "link", sheet, {"reason": "again"})
    is_problem(answer, told, schema)
    assert answer.status_code == 429
    assert not sheet.table.calls.exists()


def test_the_schema_names_the_refusals_of_every_verb(schema: dict[str, Any]) -> None:
    for name in VERBS:
        _path, method, told = operation(schema, name)
        wanted = {"400", "401", "403", "404", "429"} | ({"409"} if method != "get" else set())
        assert wanted <= set(told["responses"]), name
        assert any("tableToken" in way for way in told["security"]), name
