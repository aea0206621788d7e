"""The table's verbs over REST: link or session, problem+json, the schema."""

from __future__ import annotations

import uuid

import pytest
from django.test import Client

from accounts.models import Role
from tests.tournament.build import grant, make_user
from tournament.models.tables import Sheet
from tournament.services import sheets

from .build import SYSTEM, a_sheet, simple, token

pytestmark = pytest.mark.django_db
DEVICE, OTHER = str(uuid.uuid4()), str(uuid.uuid4())


def link(sheet: Sheet, device: str = DEVICE) -> dict[str, str]:
    return {"Authorization": f"Table {token(sheet)}", "X-Device": device}


def post(client: Client, sheet: Sheet, path: str, body: object, device: str = DEVICE, **more):
    return client.post(
        f"/api/v1/{path}",
        body,
        content_type="application/json",
        headers=link(sheet, device),
        **more,
    )


def staff(client: Client, role: str, sheet: Sheet) -> None:
    user = make_user(f"someone-{role}")
    grant(user, role, sheet.scope)
    client.force_login(user)


@pytest.mark.guide("scorekeeper#for-programs")
def test_the_whole_way_of_a_match_by_link(client):
    sheet = a_sheet(options={"target": {"deals": 1}})
    listed = client.get("/api/v1/table/sheets/", headers=link(sheet))
    assert [line["id"] for line in listed.json()] == [str(sheet.pk)]
    wrote = post(
        client, sheet, f"sheets/{sheet.pk}/deals/", {"entry": simple(42), "number": 1, "key": "a"}
    )
    assert wrote.status_code == 201
    body = wrote.json()
    assert body["deals"][0]["lines"][0]["text"].startswith("N-S score 12")
    assert (body["finished"], body["version"]) == (True, 1)
    again = post(
        client, sheet, f"sheets/{sheet.pk}/deals/", {"entry": simple(42), "number": 1, "key": "a"}
    )
    assert (again.status_code, len(again.json()["deals"])) == (201, 1)
    for side in ("NS", "EW"):
        signed = post(client, sheet, f"sheets/{sheet.pk}/signatures/", {"side": side, "version": 1})
    assert signed.json()["state"] == "official"
    late = post(client, sheet, f"sheets/{sheet.pk}/deals/", {"entry": simple(40)})
    assert (late.status_code, late.json()["code"]) == (409, "sheet_signed")
    assert late["Content-Type"].startswith("application/problem+json")


@pytest.mark.guide("scorekeeper#for-programs")
def test_refusals_are_problems_with_codes(client):
    sheet = a_sheet()
    path = f"/api/v1/sheets/{sheet.pk}/"
    assert client.get(path).status_code in (401, 403)
    wrong = client.get(path, headers={"Authorization": "Table " + "a" * 24})
    assert (wrong.status_code, wrong.json()["code"]) == (401, "link_not_valid")
    mute = client.post(
        f"{path}deals/",
        {"entry": simple(40)},
        content_type="application/json",
        headers={"Authorization": f"Table {token(sheet)}"},
    )
    assert (mute.status_code, mute.json()["code"]) == (400, "device_missing")
    bad = post(client, sheet, f"sheets/{sheet.pk}/deals/", {"entry": simple(99)})
    assert (bad.status_code, bad.json()["code"]) == (400, "impossible_points")
    assert bad.json()["field"].startswith("points")
    shape = post(client, sheet, f"sheets/{sheet.pk}/deals/", {"entry": [1]})
    assert (shape.status_code, shape.json()["code"]) == (400, "invalid")
    doubt = post(client, sheet, f"sheets/{sheet.pk}/deals/", {"entry": simple(14)})
    assert (doubt.status_code, doubt.json()["code"]) == (409, "please_check")
    sure = post(
        client, sheet, f"sheets/{sheet.pk}/deals/", {"entry": simple(14), "sure": "transposed"}
    )
    assert sure.status_code == 201


def test_a_link_opens_its_own_table_only(client):
    sheet, other = a_sheet(), a_sheet()
    assert client.get(f"/api/v1/sheets/{other.pk}/", headers=link(sheet)).status_code == 403
    assert client.get(f"/api/v1/sheets/{sheet.pk}/", headers=link(sheet)).status_code == 200
    confirm = post(client, sheet, f"sheets/{sheet.pk}/confirmation/", {"version": 0})
    assert confirm.status_code == 403


@pytest.mark.guide("scorekeeper#for-programs")
def test_the_pen_holds_over_the_api_as_well(client):
    sheet = a_sheet()
    post(client, sheet, f"sheets/{sheet.pk}/deals/", {"entry": simple(40)})
    refused = post(client, sheet, f"sheets/{sheet.pk}/deals/", {"entry": simple(33)}, device=OTHER)
    assert (refused.status_code, refused.json()["code"]) == (409, "pen_taken")
    asked = post(client, sheet, "table/pen/", {}, device=OTHER)
    assert asked.json()["allowed"] is False
    taken = post(client, sheet, "table/pen/", {"knowingly": True}, device=OTHER)
    assert (taken.json()["allowed"], taken.json()["taken_over"]) == (True, True)


@pytest.mark.guide("director#for-programs")
@pytest.mark.parametrize(
    ("role", "reads", "enters", "corrects"),
    [
        (Role.DIRECTOR, True, True, True),
        (Role.SCOREKEEPER, True, True, False),
        (Role.REFEREE, True, False, True),
        (Role.APPEALS, True, False, False),
    ],
)
def test_a_session_may_what_its_role_may(client, role, reads, enters, corrects):
    sheet = a_sheet(options={"target": {"deals": 3}})
    sheets.enter_deal(sheet_id=sheet.pk, entry=simple(40), actor=SYSTEM)
    staff(client, role, sheet)
    base = f"/api/v1/sheets/{sheet.pk}/"
    kind = {"content_type": "application/json"}
    assert (client.get(base).status_code == 200) == reads
    entry = {**simple(33, side="EW"), "dealer": "E", "contract": {"declarer": "EW", "trump": "H"}}
    wrote = client.post(f"{base}deals/", {"entry": entry}, **kind)
    assert (wrote.status_code == 201) == enters, wrote.content
    fixed = client.put(f"{base}deals/1/", {"entry": simple(41), "reason": "recount"}, **kind)
    assert (fixed.status_code == 200) == corrects, fixed.content


def test_staff_of_another_event_may_nothing(client):
    sheet = a_sheet()
    user = make_user("stranger")
    grant(user, Role.DIRECTOR, uuid.uuid4())
    client.force_login(user)
    assert client.get(f"/api/v1/sheets/{sheet.pk}/").status_code == 403


def test_the_history_of_a_deal(client):
    sheet = a_sheet()
    post(client, sheet, f"sheets/{sheet.pk}/deals/", {"entry": simple(40)})
    fixed = client.put(
        f"/api/v1/sheets/{sheet.pk}/deals/1/",
        {"entry": simple(41), "reason": "recount"},
        content_type="application/json",
        headers=link(sheet),
    )
    assert fixed.status_code == 200
    versions = client.get(f"/api/v1/sheets/{sheet.pk}/deals/1/", headers=link(sheet)).json()
    assert [(v["version"], v["current"], v["reason"]) for v in versions] == [
        (2, True, "recount"),
        (1, False, ""),
    ]


def test_the_referee_is_called(client):
    sheet = a_sheet()
    called = post(client, sheet, "table/calls/", {"reason": "revoke in trick 3", "deal": 1})
    assert (called.status_code, called.json()["claimed"]) == (201, False)
    assert sheet.table.calls.count() == 1


def test_the_schema_names_every_operation():
    from drf_spectacular.generators import SchemaGenerator

    schema = SchemaGenerator().get_schema(public=True)
    names = {
        operation["operationId"]
        for path in schema["paths"].values()
        for operation in path.values()
        if isinstance(operation, dict)
    }
    assert {
        "sheets_list",
        "sheets_read",
        "deals_append",
        "deals_history",
        "deals_correct",
        "sheets_sign",
        "sheets_dispute",
        "sheets_confirm",
        "sheets_bell",
        "tables_take_pen",
        "tables_call_referee",
    } <= names
    assert "tableToken" in schema["components"]["securitySchemes"]


def test_a_device_that_is_no_uuid_is_told_so(client):
    sheet = a_sheet()
    answer = client.get("/api/v1/table/sheets/", headers=link(sheet, "phone"))
    assert (answer.status_code, answer.json()["code"]) == (401, "device")
