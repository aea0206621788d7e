"""Opening and importing events without administering the organisation; and opening by the API."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from accounts.models import Role, User
from ledger.models import AuditEntry
from tests.tournament.build import SYSTEM, grant, make_event, make_user
from tournament.models import Event
from tournament.services.archive import pack
from tournament.services.event_life import delete_event

pytestmark = pytest.mark.django_db
NEW = {"name": "Kaarting", "day": "2026-12-01"}


@pytest.fixture
def opener(client: Client) -> User:
    """Return a director with the administrator's permission to open events, granted on the accounts page."""
    admin, found = make_user("admin"), make_user("marie")
    grant(admin, Role.ADMIN)
    client.force_login(admin)
    client.post("/system/accounts/", {"user": found.pk, "verb": "opener"})
    page = client.get("/system/accounts/").content.decode()
    assert "May not open events" in page
    client.force_login(found)
    return found


@pytest.mark.guide("director#open-an-event", "permissions#permissions")
def test_who_may_open_events_directs_them_and_sees_no_others(opener: User, client: Client) -> None:
    make_event(0, name="Of somebody else")
    desk = client.get("/desk/").content.decode()
    assert "Of somebody else" not in desk
    assert "/desk/new/" in desk
    assert "/system/" not in desk
    made = client.post("/api/v1/events/", NEW, content_type="application/json")
    assert made.status_code == 201, made.content
    assert client.get(f"/desk/{made.json()['slug']}/settings/").status_code == 200
    assert "Kaarting" in client.get("/desk/").content.decode()
    assert client.get("/desk/members/").status_code == 403
    assert client.get("/system/accounts/").status_code == 403


@pytest.mark.guide("permissions#permissions")
def test_an_event_is_taken_up_by_who_may_open_events(opener: User, client: Client) -> None:
    event = make_event(4, name="Elsewhere")
    sent = SimpleUploadedFile("event.zip", pack(event.pk))
    delete_event(event_id=event.pk, actor=SYSTEM)
    make_event(0, name="Of somebody else", slug="other")
    answer = client.post("/desk/take-up/", {"file": sent, "slug": "here"})
    assert answer.status_code == 302, answer.content
    assert client.get("/desk/here/").status_code == 200
    assert client.get("/desk/other/").status_code == 403


def test_the_right_is_taken_back_and_both_are_in_the_log(opener: User, client: Client) -> None:
    client.force_login(User.objects.get(username="admin"))
    for _twice in range(2):
        client.post("/system/accounts/", {"user": opener.pk, "verb": "no-opener"})
    verbs = AuditEntry.objects.filter(verb__startswith="user.may").values_list("verb", flat=True)
    assert list(verbs.order_by("pk")) == ["user.may_open_events", "user.may_not_open_events"]
    client.force_login(opener)
    answer = client.post("/api/v1/events/", NEW, content_type="application/json")
    assert answer.status_code == 403
    assert not Event.objects.exists()


def test_a_closed_account_is_given_no_right(opener: User, client: Client) -> None:
    client.force_login(User.objects.get(username="admin"))
    for verb in ("no-opener", "close", "opener"):
        answer: Any = client.post("/system/accounts/", {"user": opener.pk, "verb": verb})
    assert "This account is closed." in answer.content.decode()
    opener.refresh_from_db()
    assert not opener.may_open_events


@pytest.mark.guide("director#copy-hide-or-delete-an-event")
def test_a_program_opens_an_event_with_its_stages(opener: User, client: Client) -> None:
    stages = [
        {"name": "Rounds", "format": "pairs_swiss", "rounds": 5, "ranking": "recommended"},
        {"name": "Final", "format": "ko", "rounds": 1},
    ]
    asked = {**NEW, "rulebook": "coinchee", "stages": stages}
    asked["stages"][0]["cut"] = {"top": 2}
    made = client.post("/api/v1/events/", asked, content_type="application/json")
    assert made.status_code == 201, made.content
    event = Event.objects.get(slug=made.json()["slug"])
    assert [(s.format, s.rounds.count()) for s in event.stages.all()] == [
        ("pairs_swiss", 5),
        ("ko", 1),
    ]
    endless = {**stages[1], "deals_per_game": None}
    for wrong, field in (({"rulebook": "poker"}, "rulebook"), ({"stages": [endless]}, "deals")):
        said = client.post("/api/v1/events/", {**NEW, **wrong}, content_type="application/json")
        assert (said.status_code, Event.objects.count()) == (400, 1)
        assert field in said.content.decode()
    client.logout()
    assert client.get("/api/v1/events/").status_code == 200
    assert client.post("/api/v1/events/", NEW, content_type="application/json").status_code == 401
