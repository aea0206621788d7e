"""An incident opened by mistake is withdrawn with a reason and stays in the history."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from django.db import IntegrityError, transaction
from django.test import Client
from django.urls import reverse

from accounts.models import User
from adjudication.models import Incident
from adjudication.services import confirmations, incidents
from ledger.change import change
from ledger.errors import Conflict, Refused
from ledger.models import AuditEntry
from tests.adjudication.build import (
    REFEREE,
    SYSTEM,
    enter,
    event_in_play,
    incident_at,
    revoked_deal,
    ruled_revoke,
    sheet_at,
    stating,
)
from tests.tournament.build import make_user
from tournament.models import Event, Round
from tournament.models.tables import RefereeCall
from tournament.services import sheets, tables

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def built(module_database: None) -> tuple[Event, Round, User]:
    event, round_ = event_in_play(deals=4)
    return event, round_, make_user("arbitre", event, "referee")


@pytest.fixture
def hall(built: tuple[Event, Round, User]) -> tuple[Event, Round, User]:
    return copy.deepcopy(built)


@pytest.mark.guide("referee#close-an-incident-without-a-ruling")
def test_by_the_page_with_its_reason_and_the_call_waits_again(
    client: Client, hall: tuple[Event, Round, User]
) -> None:
    event, round_, referee = hall
    sheet = sheet_at(round_)
    call = tables.call_referee(
        table_id=sheet.table_id, sheet_id=sheet.pk, reason="carte", actor=SYSTEM
    )
    client.force_login(referee)
    desk = reverse("referee-desk", args=[event.slug])
    client.post(reverse("referee-take", args=[event.slug, call.pk]))
    page = client.get(reverse("referee-incident", args=[event.slug, 1])).content.decode()
    assert "Opened by mistake" in page
    withdraw = reverse("referee-withdraw", args=[event.slug, 1])
    client.post(withdraw, {"reason": " "})
    assert Incident.objects.get().state == "open", "a reason is wanted"
    client.post(withdraw, {"reason": "I tapped the wrong table."})
    incident = Incident.objects.get()
    assert (incident.state, incident.call) == ("withdrawn", None)
    call.refresh_from_db()
    assert (call.claimed_by, call.claimed_at, call.closed_at) == ("", None, None)
    shown = client.get(desk)
    assert [row.claimed_by for row in shown.context["calls"]] == [""]
    closed = shown.context["closed"]
    assert [(row.reason, row.who) for row in closed] == [("I tapped the wrong table.", "arbitre")]
    told = client.get(reverse("referee-incident", args=[event.slug, 1])).content.decode()
    assert "I tapped the wrong table." in told
    assert "arbitre" in told
    entry = AuditEntry.objects.get(scope=event.pk, verb="incident.withdrawn")
    assert entry.after == {"number": 1, "call": str(call.pk)}
    # Another referee takes the same call, as a separate incident.
    client.force_login(make_user("other", event, "referee"))
    client.post(reverse("referee-take", args=[event.slug, call.pk]))
    assert Incident.objects.get(call=call).number == 2


@pytest.mark.guide("referee#close-an-incident-without-a-ruling")
def test_the_page_says_what_became_of_it(client: Client, hall: tuple[Event, Round, User]) -> None:
    event, round_, referee = hall
    incident = incident_at(event, round_)
    incidents.withdraw(incident_id=incident.pk, actor=REFEREE, reason="table 2 was meant")
    client.force_login(referee)
    address = reverse("referee-incident", args=[event.slug, 1])
    for language, words in (("en", "Withdrawn"), ("fr", "Retiré"), ("nl", "Ingetrokken")):
        page = client.get(address, headers={"accept-language": language}).content.decode()
        assert f"<h2>{words}</h2>" in page
        assert 'class="tile"' not in page, "nothing is ruled here any more"


def test_nothing_is_ruled_on_it_any_more(hall: tuple[Event, Round, User]) -> None:
    event, round_, _referee = hall
    enter(sheet_at(round_), 40)
    incident = incident_at(event, round_)
    incidents.withdraw(incident_id=incident.pk, actor=REFEREE, reason="a mistake")
    with pytest.raises(Conflict, match="without a ruling"):
        stating(
            confirmations.rule,
            incident_id=incident.pk,
            article="T-PHONE",
            facts={"offender": "N"},
            actor=REFEREE,
        )
    again = incidents.withdraw(incident_id=incident.pk, actor=REFEREE, reason="twice")
    assert again.closed_reason == "a mistake"


def test_what_was_ruled_or_is_proved_by_the_record_is_not_withdrawn(
    hall: tuple[Event, Round, User],
) -> None:
    event, round_, _referee = hall
    enter(sheet_at(round_), 40)
    ruled = ruled_revoke(event, round_)
    with pytest.raises(Conflict, match="annul it instead"):
        incidents.withdraw(incident_id=ruled.incident_id, actor=REFEREE, reason="no")
    sheet = sheet_at(round_, 2)
    entry, _found = revoked_deal(sheet)
    sheets.enter_deal(sheet_id=sheet.pk, entry=entry, actor=SYSTEM)
    proven = incidents.follow_record(sheet_id=sheet.pk, number=1) or list(
        Incident.objects.exclude(violation_key="")
    )
    with pytest.raises(Conflict, match="record of the deal") as refused:
        incidents.withdraw(incident_id=proven[0].pk, actor=REFEREE, reason="no")
    assert refused.value.code == "in_the_record"


@pytest.mark.guide("referee#the-same-by-program")
def test_by_program_withdrawn_and_merged(client: Client, hall: tuple[Event, Round, User]) -> None:
    event, round_, referee = hall
    for table in (1, 1, 2):
        incident_at(event, round_, table=table)
    client.force_login(referee)

    def post(name: str, number: int, **body: Any) -> Any:
        address = reverse(name, args=[event.slug, number])
        return client.post(address, body, content_type="application/json")

    assert post("api-incident-withdraw", 3).json()["code"] == "reason_missing"
    gone = post("api-incident-withdraw", 3, reason="wrong table").json()
    assert (gone["state"], gone["closed_by"]) == ("withdrawn", f"user:{referee.pk}")
    assert post("api-incident-merge", 2, into=3).status_code == 400
    same = post("api-incident-merge", 2, into=1).json()
    assert (same["state"], same["closed_reason"]) == ("dismissed", "The same as incident 1.")
    listed = client.get(reverse("api-event-incidents", args=[event.slug]), {"state": "withdrawn"})
    assert [row["number"] for row in listed.json()["rows"]] == [3]


def test_the_database_wants_the_reason(hall: tuple[Event, Round, User]) -> None:
    event, round_, _referee = hall
    incident = incident_at(event, round_)
    with pytest.raises(IntegrityError), transaction.atomic(), change():
        Incident.objects.filter(pk=incident.pk).update(state="withdrawn")


def test_a_call_that_was_settled_meanwhile_stays_settled(hall: tuple[Event, Round, User]) -> None:
    _event, round_, _referee = hall
    sheet = sheet_at(round_)
    call = tables.call_referee(
        table_id=sheet.table_id, sheet_id=sheet.pk, reason="carte", actor=SYSTEM
    )
    incident = incidents.take_call(call_id=call.pk, actor=REFEREE)
    tables.close_call(call_id=call.pk, actor=REFEREE)
    incidents.withdraw(incident_id=incident.pk, actor=REFEREE, reason="a mistake")
    assert RefereeCall.objects.get().claimed_by == str(REFEREE)
    with pytest.raises(Refused):
        incidents.withdraw(incident_id=incident.pk, actor=REFEREE, reason=" ")
