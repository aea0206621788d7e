"""The referees' REST API: the pages' verbs, problem+json, and permissions."""

from __future__ import annotations

import copy

import pytest
from django.urls import reverse

from adjudication.models import Appeal, Ruling
from adjudication.services import appeals, rulings
from tests.adjudication.build import (
    REFEREE,
    REVOKE,
    SYSTEM,
    committee,
    enter,
    event_in_play,
    incident_at,
    ruled_revoke,
    sheet_at,
    stating,
)
from tests.tournament.build import grant, make_event, make_user
from tournament.services import tables
from tournament.tables.links import table_token

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def built(module_database):
    event, round_ = event_in_play(deals=4)
    return event, round_, enter(sheet_at(round_), 40)


@pytest.fixture
def hall(built):
    return copy.deepcopy(built)


def post(client, name, *args, **body):
    return client.post(reverse(name, args=args), body, content_type="application/json")


@pytest.mark.guide("referee#the-same-by-program")
def test_from_incident_to_overturned_appeal(client, hall):
    event, _part, sheet = hall
    client.force_login(make_user("ref", event, "referee"))
    opened = post(
        client, "api-event-incidents", event.slug, table=1, game=1, deal=1, told="renonce"
    )
    assert opened.status_code == 201
    number = opened.json()["number"]
    asked = {"article": "000-P1", "facts": REVOKE, "reason": "East showed the heart."}
    proposed = post(client, "api-incident-propose", event.slug, number, **asked).json()
    assert proposed["proposal"]["marks"] == {"NS": 0, "EW": 34}
    assert proposed["impact"]["deal"] == {
        "before": {"NS": 6, "EW": 0},
        "after": {"NS": 0, "EW": 34},
        "void": False,
    }
    assert not Ruling.objects.exists()
    made = post(client, "api-incident-rule", event.slug, number, **asked)
    assert made.status_code == 201
    assert made.json()["versions"][0]["facts"] == REVOKE
    lodged = post(client, "api-ruling-appeal", event.slug, 1, side="NS", grounds="no")
    assert lodged.json()["appeals"][0]["state"] == "open"
    client.force_login(make_user("app", event, "appeals"))
    heard = post(
        client,
        "api-appeal",
        event.slug,
        Appeal.objects.get().pk,
        outcome="overturned",
        members=committee(event),
        decision="No proof.",
    )
    assert heard.json()["state"] == "overturned"
    assert sheet.deals.get(number=1, current=True).marks == {"NS": 6, "EW": 0}
    whole = client.get(reverse("api-ruling", args=[event.slug, 1])).json()
    assert [v["cause"] for v in whole["versions"]] == ["issued", "overturned"]


def test_incidents_and_rulings_are_numbered_from_one(client, hall):
    event, _part, _sheet = hall
    client.force_login(make_user("ref", event, "referee"))
    for number in (1, 2):
        opened = post(
            client, "api-event-incidents", event.slug, table=1, game=1, deal=1, told="renonce"
        )
        assert opened.json()["number"] == number
        asked = {"article": "T-COMM", "facts": {"offender": "NESW"[number]}, "reason": "Signs."}
        made = post(client, "api-incident-rule", event.slug, number, **asked)
        assert made.json()["number"] == number


@pytest.mark.guide("referee#the-same-by-program")
def test_refusals_are_problems_with_code_and_field(client, hall):
    event, round_, _sheet = hall
    incident_at(event, round_)
    client.force_login(make_user("ref", event, "referee"))
    answer = post(client, "api-incident-rule", event.slug, 1, article="", facts={})
    assert (answer.status_code, answer["Content-Type"]) == (400, "application/problem+json")
    assert answer.json()["field"] == "article"
    answer = post(
        client,
        "api-incident-rule",
        event.slug,
        1,
        article="000-P1",
        facts={"offender": "X", "noticed": "after_deal"},
    )
    assert answer.json()["code"] == "facts"
    for body in (
        {"article": 1},
        {"article": "000-P1", "facts": []},
        {"article": "000-P1", "facts": {"offender": {"a": 1}}},
        {"article": "000-P1", "facts": {"offender": ["N"], "noticed": None}},
        {"article": "\x00", "facts": {}},
        {"article": "000-P1", "facts": REVOKE, "claimed": "never"},
    ):
        assert post(client, "api-incident-rule", event.slug, 1, **body).status_code == 400
    assert post(client, "api-incident-rule", event.slug, 9).status_code == 404
    burn = reverse("api-incident", args=[event.slug, 1]) + "burn/"
    assert client.post(burn, {}, content_type="application/json").status_code == 404


def test_articles_are_found_in_three_languages(client, hall):
    event, *_rest = hall
    client.force_login(make_user("ref", event, "referee"))
    for words in ("renonce", "verzaken", "revoke"):
        found = client.get(reverse("api-event-articles", args=[event.slug]), {"q": words}).json()
        assert found["articles"][0]["id"] == "000-P1"
    one = client.get(reverse("api-event-articles", args=[event.slug, "000-P1"])).json()
    assert one["article"]["facts"][0]["name"] == "offender"
    assert client.get(reverse("api-event-articles", args=[event.slug, "004-V1"])).status_code == 404


@pytest.mark.guide("referee#the-penal-code-of-an-event")
def test_the_code_changes_by_a_new_number(client, hall):
    event, round_, _sheet = hall
    client.force_login(make_user("chief", event, "chief_referee"))
    address = reverse("api-event-penal-code", args=[event.slug])
    assert client.get(address).json()["number"] == 1
    body = {
        "reason": "agreed with the clubs",
        "policy": "BRIDGE",
        "content": {"adopted": ["001-R10"]},
    }
    changed = client.put(address, body, content_type="application/json").json()
    assert (changed["number"], changed["policy"]) == (2, "BRIDGE")
    made = stating(
        rulings.issue,
        incident_id=incident_at(event, round_).pk,
        article="001-R10",
        facts={"offender": "N"},
        actor=REFEREE,
    )
    refused = client.put(
        address, {"reason": "back", "content": {}}, content_type="application/json"
    )
    assert refused.json()["code"] == "article_in_use"
    assert made.versions.get().context["code"] == 2
    bad = client.put(
        address,
        {"reason": "x", "content": {"articles": [{"id": "000-P1"}]}},
        content_type="application/json",
    )
    assert bad.json()["field"] == "content"


@pytest.mark.guide("referee#the-penal-code-of-an-event")
def test_the_defects_of_articles_and_of_who_may_rule_are_named_together(client, hall):
    event, *_rest = hall
    client.force_login(make_user("chief", event, "chief_referee"))
    content = {"articles": [{"id": "H-1"}], "rulers": {"T-UNSP": "nobody"}, "steps": {}}
    refused = client.put(
        reverse("api-event-penal-code", args=[event.slug]),
        {"reason": "x", "content": content},
        content_type="application/json",
    ).json()
    assert refused["field"] == "content"
    for defect in ("steps: unknown", "articles[0].title: missing", "rulers.T-UNSP: 'nobody'"):
        assert defect in refused["detail"]


NOWHERE = "00000000-0000-0000-0000-000000000000"
ROLES = ["admin", "director", "chief_referee", "referee", "appeals", "scorekeeper", "reader", ""]
READERS = {"admin", "director", "chief_referee", "referee", "appeals"}
RULERS = {"admin", "director", "chief_referee", "referee"}
FINAL = {"admin", "director", "chief_referee"}
HEARERS = {"appeals"}


def user_with(role, event):
    if role == "admin":
        user = make_user("u-admin")
        grant(user, "admin")
        return user
    return make_user(f"u-{role or 'none'}", event if role else None, role)


@pytest.mark.guide("referee#from-call-to-ruling")
@pytest.mark.parametrize(
    "roles",
    [
        ["chief_referee", "referee", "appeals", "scorekeeper"],
        pytest.param(["admin", "director", "reader", ""], marks=pytest.mark.long),
    ],
    ids=["who differ", "who are as another"],
)
def test_the_matrix_of_roles(client, hall, roles):
    """Each route with each role: allowed with the capability, refused without it."""
    event, round_, _sheet = hall
    ruling = ruled_revoke(event, round_)
    appeal = appeals.lodge(ruling_id=ruling.pk, side="NS", grounds="no", actor=SYSTEM)
    slug = event.slug
    call = tables.call_referee(
        table_id=sheet_at(round_, 2).table_id, sheet_id=None, reason="x", actor=SYSTEM
    )
    routes = [
        *(
            (READERS, "get", name, args)
            for name, args in (
                ("referee-desk", [slug]),
                ("referee-incident", [slug, 1]),
                ("referee-ruling", [slug, 1]),
                ("referee-articles", [slug]),
                ("referee-article", [slug, "000-P1"]),
                ("referee-report", [slug]),
                ("referee-report-pdf", [slug]),
                ("referee-report-csv", [slug]),
                ("referee-slip", [slug, 1]),
                ("api-event-incidents", [slug]),
                ("api-incident", [slug, 1]),
                ("api-event-rulings", [slug]),
                ("api-ruling", [slug, 1]),
                ("api-event-appeals", [slug]),
                ("api-event-articles", [slug]),
                ("api-event-articles", [slug, "000-P1"]),
                ("api-event-penal-code", [slug]),
            )
        ),
        *(
            (RULERS, "post", name, args)
            for name, args in (
                ("referee-new", [slug]),
                ("referee-take", [slug, call.pk]),
                ("desk-do", [slug, "incidents_place", ruling.incident.pk]),
                ("referee-dismiss", [slug, 1]),
                ("desk-do", [slug, "incidents_ask_equity", ruling.incident.pk]),
                ("referee-prove", [slug, 1]),
                ("referee-annul", [slug, 1]),
                ("desk-do", [slug, "rulings_appeal", ruling.pk]),
                ("api-event-incidents", [slug]),
                ("api-incident-dismiss", [slug, 1]),
                ("api-incident-rule", [slug, 1]),
                ("api-incident-propose", [slug, 1]),
                ("api-incident-place", [slug, 1]),
                ("api-ruling-annul", [slug, 1]),
                ("api-ruling-amend", [slug, 1]),
                ("api-ruling-appeal", [slug, 1]),
            )
        ),
        (RULERS, "post", "api-appeal-withdraw", [slug, NOWHERE]),
        (FINAL, "post", "desk-do", [slug, "rulings_finalise", ruling.pk]),
        (FINAL, "post", "api-ruling-final", [slug, 1]),
        (FINAL, "get", "referee-code", [slug]),
        (FINAL, "put", "api-event-penal-code", [slug]),
        (HEARERS, "post", "referee-hear", [slug, 1, appeal.pk]),
        (HEARERS, "post", "api-appeal", [slug, appeal.pk]),
    ]
    wrong = []
    for role in roles:
        client.force_login(user_with(role, event))
        for allowed, method, name, args in routes:
            kind = {"content_type": "application/json"} if name.startswith("api") else {}
            answer = getattr(client, method)(
                reverse(name, args=args), **({"data": {}, **kind} if method != "get" else {})
            )
            if (answer.status_code == 403) != (role not in allowed):
                wrong.append((role, name, method, answer.status_code))
    assert wrong == []


def test_a_role_in_another_event_is_none_here(client, hall):
    event, *_rest = hall
    other = make_event(4, name="Elders")
    client.force_login(make_user("guest", other, "chief_referee"))
    assert client.get(reverse("referee-desk", args=[event.slug])).status_code == 403
    assert client.get(reverse("api-event-rulings", args=[event.slug])).status_code == 403
    assert client.get(reverse("referee-desk", args=[other.slug])).status_code == 200


def test_who_is_not_signed_in_sees_nothing(client, hall):
    event, *_rest = hall
    assert client.get(reverse("referee-desk", args=[event.slug])).status_code == 302
    assert client.get(reverse("api-event-rulings", args=[event.slug])).status_code in (401, 403)


def test_the_first_page_leads_each_role_to_his_desks(client, hall):
    """``/referee/`` needs an account; it lists the events whose incidents the account may read."""
    event, *_rest = hall
    assert client.get(reverse("referee")).status_code == 302
    for role in ROLES:
        client.force_login(user_with(role, event))
        answer = client.get(reverse("referee"))
        to_the_desk = answer.status_code == 302 and event.slug in answer["Location"]
        assert to_the_desk == (role in READERS), role


def test_the_link_of_the_table_needs_no_role_and_opens_no_other_table(client, hall):
    event, round_, sheet = hall
    ruling = ruled_revoke(event, round_)
    own = reverse("table-ruling", args=[table_token(sheet.table), ruling.pk])
    other = reverse("table-ruling", args=[table_token(sheet_at(round_, 2).table), ruling.pk])
    for role in ("admin", "chief_referee", "scorekeeper", ""):
        client.force_login(user_with(role, event))
        assert client.get(own).status_code == 200
        assert client.get(other).status_code == 404


@pytest.mark.guide("referee#the-same-by-program")
def test_lists_are_filtered_and_paged(client, hall):
    event, round_, _sheet = hall
    for _time in range(3):
        ruled_revoke(event, round_)
    last = stating(
        rulings.issue,
        incident_id=incident_at(event, round_, table=2, deal=None).pk,
        article="T-PHONE",
        facts={"offender": "N"},
        actor=REFEREE,
    )
    appeals.lodge(ruling_id=last.pk, side="NS", grounds="no", actor=SYSTEM)
    rulings.annul(ruling_id=Ruling.objects.get(number=1).pk, actor=REFEREE, reason="not proved")
    client.force_login(make_user("ref", event, "referee"))

    def numbers(name, **query):
        answer = client.get(reverse(name, args=[event.slug]), query)
        assert answer.status_code == 200, answer.content
        return [row.get("number", row.get("ruling")) for row in answer.json()["rows"]]

    assert numbers("api-event-rulings", article="000-P1", state="provisional") == [2, 3]
    assert numbers("api-event-rulings", measure="warning", table="2") == [4]
    assert numbers("api-event-rulings", offender=str(last.offender.number)) == [4]
    assert numbers("api-event-rulings", page_size="2", page="2") == [3, 4]
    assert numbers("api-event-incidents", state="ruled", table="1", round="1") == [1, 2, 3]
    assert numbers("api-event-appeals", state="open", ruling="4", side="NS") == [4]
    for query, code in (
        ({"colour": "red"}, "unknown_filter"),
        ({"table": "x"}, "a_number"),
        ({"page": "0"}, "a_number"),
        ({"page_size": "-1"}, "a_number"),
    ):
        answer = client.get(reverse("api-event-rulings", args=[event.slug]), query)
        assert (answer.status_code, answer.json()["code"]) == (400, code)
        assert answer["Content-Type"] == "application/problem+json"


@pytest.mark.guide("referee#issue-the-ruling", "referee#the-same-by-program")
def test_who_decides_on_what_he_has_not_seen_is_told(client, hall):
    event, round_, _sheet = hall
    incident_at(event, round_)
    client.force_login(make_user("ref", event, "referee"))
    asked = {"article": "000-P1", "facts": REVOKE, "reason": "East showed the heart."}
    seen = post(client, "api-incident-propose", event.slug, 1, **asked).json()["seen"]
    first = post(client, "api-incident-rule", event.slug, 1, **asked, seen=seen)
    assert first.status_code == 201
    again = post(client, "api-incident-rule", event.slug, 1, **asked, seen=seen)
    assert (again.status_code, again.json()["code"]) == (409, "ruled_meanwhile")
    now = first.json()["seen"]
    annulled = post(client, "api-ruling-annul", event.slug, 1, reason="no proof", seen=now)
    assert annulled.json()["state"] == "annulled"
    assert Ruling.objects.count() == 1
