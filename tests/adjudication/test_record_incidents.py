"""A violation that the record of a deal proves opens an incident without a call.

The deals are entered card by card; article 000-P1 of the base rules: “fournir de la couleur”. The
table is told that the card “is noted for the referee”: the referee's desk must then show it.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from adjudication.models import Incident
from adjudication.queries.cases import claimed_when
from adjudication.services import incidents, rulings
from adjudication.services.incidents import follow_records
from ledger.jobs import tick
from operations.replay import replay
from tests.adjudication.build import (
    REFEREE,
    SYSTEM,
    enter,
    event_in_play,
    points_entry,
    revoked_deal,
    sheet_at,
    sign,
    stating,
)
from tests.tournament.build import make_user
from tournament.models import Event
from tournament.models.tables import Sheet
from tournament.services import sheets, tables
from tournament.tables.score_sheet import ScoreSheet

Committed = Callable[..., AbstractContextManager[list[Any]]]


@pytest.fixture
def revoked(
    db: None, django_capture_on_commit_callbacks: Committed
) -> tuple[Event, Sheet, dict[str, Any]]:
    """Enter the first deal of a table card by card, with a revoke in it."""
    event, round_ = event_in_play(deals=2)
    sheet = sheet_at(round_)
    entry, found = revoked_deal(sheet)
    with django_capture_on_commit_callbacks(execute=True):
        sheets.enter_deal(sheet_id=sheet.pk, entry=entry, actor=SYSTEM)
    return event, sheet, found


@pytest.mark.guide("referee#what-to-keep-in-mind")
def test_a_revoke_in_the_record_is_on_the_referees_desk(
    revoked: tuple[Event, Sheet, dict[str, Any]], client: Client
) -> None:
    event, sheet, _found = revoked
    incident = Incident.objects.get()
    assert (incident.sheet_id, incident.deal, incident.state) == (sheet.pk, 1, "open")
    assert claimed_when(incident) == "in_time"
    client.force_login(make_user("arbitre", event, "referee"))
    client.cookies["django_language"] = "fr"
    desk = client.get(reverse("referee-desk", args=[event.slug])).content.decode()
    violation = incident.violation
    assert f"Levée {violation['trick']}" in desk
    assert "prouvé par les cartes notées" in desk
    assert "000-P1" in desk
    page = client.get(reverse("referee-incident", args=[event.slug, incident.number]))
    assert "article=000-P1" in page.content.decode()


@pytest.mark.guide("referee#what-to-keep-in-mind")
def test_it_comes_once_however_often_the_deal_is_looked_at(
    revoked: tuple[Event, Sheet, dict[str, Any]], django_capture_on_commit_callbacks: Committed
) -> None:
    _event, sheet, _found = revoked
    incidents.follow_record(sheet_id=sheet.pk, number=1)
    tick(follow_records)
    entry = ScoreSheet(sheet).current()[0].entry
    with django_capture_on_commit_callbacks(execute=True):
        sheets.correct_deal(
            sheet_id=sheet.pk, number=1, entry=entry, actor=SYSTEM, reason="the same"
        )
        sign(enter(sheet, 40))
    assert Incident.objects.count() == 1


def test_a_call_of_the_table_about_the_same_deal_is_the_same_incident(
    db: None, django_capture_on_commit_callbacks: Committed
) -> None:
    _event, round_ = event_in_play(deals=1)
    sheet = sheet_at(round_)
    with django_capture_on_commit_callbacks(execute=True):
        sheets.enter_deal(sheet_id=sheet.pk, entry=revoked_deal(sheet)[0], actor=SYSTEM)
    call = tables.call_referee(
        table_id=sheet.table_id, sheet_id=sheet.pk, actor=SYSTEM, deal=1, reason="a revoke"
    )
    taken = incidents.take_call(call_id=call.pk, actor=REFEREE)
    assert incidents.take_call(call_id=call.pk, actor=REFEREE) == taken
    only = Incident.objects.get()
    assert (only, only.call, only.taken_by) == (taken, call, str(REFEREE))


@pytest.mark.parametrize("topic", ["play", ""])
@pytest.mark.parametrize("taken", [False, True])
def test_ruling_on_what_the_record_proves_settles_the_call_of_the_table(
    db: None, django_capture_on_commit_callbacks: Committed, topic: str, taken: bool
) -> None:
    event, round_ = event_in_play(deals=2)
    sheet = sheet_at(round_)
    call = tables.call_referee(
        table_id=sheet.table_id, sheet_id=sheet.pk, actor=SYSTEM, deal=1, reason="", topic=topic
    )
    own = incidents.take_call(call_id=call.pk, actor=REFEREE) if taken else None
    entry, found = revoked_deal(sheet)
    with django_capture_on_commit_callbacks(execute=True):
        sheets.enter_deal(sheet_id=sheet.pk, entry=entry, actor=SYSTEM)
    proven = Incident.objects.exclude(violation_key="").get()
    stating(
        rulings.issue,
        incident_id=proven.pk,
        article="000-P1",
        facts={"offender": found["seat"], "trick": found["trick"], "noticed": "after_deal"},
        actor=REFEREE,
    )
    call.refresh_from_db()
    assert call.closed_at is not None
    assert Incident.objects.get(pk=proven.pk).call == call
    if own is not None:
        own.refresh_from_db()
        assert (own.state, own.closed_reason) == ("dismissed", "The same as incident 2.")
    assert not Incident.objects.filter(event=event, state="open").exists()


@pytest.mark.parametrize("other", [{"topic": "conduct"}, {"deal": 2}])
def test_call_about_another_matter_waits_on(
    db: None, django_capture_on_commit_callbacks: Committed, other: dict[str, Any]
) -> None:
    _event, round_ = event_in_play(deals=3)
    sheet = sheet_at(round_)
    entry, found = revoked_deal(sheet)
    with django_capture_on_commit_callbacks(execute=True):
        sheets.enter_deal(sheet_id=sheet.pk, entry=entry, actor=SYSTEM)
    call = tables.call_referee(
        table_id=sheet.table_id,
        sheet_id=sheet.pk,
        actor=SYSTEM,
        reason="",
        **{"deal": 1, "topic": "play", **other},
    )
    stating(
        rulings.issue,
        incident_id=Incident.objects.get().pk,
        article="000-P1",
        facts={"offender": found["seat"], "trick": found["trick"], "noticed": "after_deal"},
        actor=REFEREE,
    )
    call.refresh_from_db()
    assert call.closed_at is None


def test_of_a_long_account_the_first_five_hundred_letters_are_kept(db: None) -> None:
    event, round_ = event_in_play(deals=1)
    told = incidents.open_incident(
        event_id=event.pk,
        table_id=round_.tables.get(number=1).pk,
        description="a" * 600,
        actor=REFEREE,
        deal=1,
    ).told
    assert told == "a" * 500


def test_what_was_missed_is_found_by_the_timer(db: None) -> None:
    _event, round_ = event_in_play(deals=2)
    sheet = sheet_at(round_)
    assert follow_records() == 0
    sheets.enter_deal(sheet_id=sheet.pk, entry=revoked_deal(sheet)[0], actor=SYSTEM)
    assert not Incident.objects.exists()
    assert follow_records() == 1
    assert Incident.objects.get().sheet_id == sheet.pk
    assert follow_records() == 0


@pytest.mark.guide("referee#what-to-keep-in-mind")
def test_a_correction_that_takes_it_out_marks_it_and_leaves_it_to_the_referee(
    revoked: tuple[Event, Sheet, dict[str, Any]],
    client: Client,
    django_capture_on_commit_callbacks: Committed,
) -> None:
    event, sheet, _found = revoked
    recorded = ScoreSheet(sheet).current()[0].entry

    def correct(entry: dict[str, Any]) -> Incident:
        with django_capture_on_commit_callbacks(execute=True):
            sheets.correct_deal(
                sheet_id=sheet.pk, number=1, entry=entry, actor=SYSTEM, reason="misread"
            )
        return Incident.objects.get()

    plain = points_entry(sheet, 40, dealer=recorded["dealer"])
    incident = correct(plain)
    assert (incident.state, incident.vanished_at is not None) == ("open", True)
    client.force_login(make_user("arbitre", event, "referee"))
    desk = client.get(reverse("referee-desk", args=[event.slug])).content.decode()
    assert "no longer in the record" in desk
    assert correct(recorded).vanished_at is None


def test_a_ruling_that_annuls_the_deal_does_not_take_it_out(
    revoked: tuple[Event, Sheet, dict[str, Any]], django_capture_on_commit_callbacks: Committed
) -> None:
    _event, sheet, _found = revoked
    dealer = ScoreSheet(sheet).current()[0].entry["dealer"]
    incident = Incident.objects.get()
    with django_capture_on_commit_callbacks(execute=True):
        stating(
            rulings.issue,
            incident_id=incident.pk,
            article="T-MISD",
            against_record=["result"],
            actor=REFEREE,
            reason="nine cards",
            facts={"dealer": dealer, "deliberate": False},
        )
    incident.refresh_from_db()
    assert (incident.state, incident.vanished_at) == ("ruled", None)


@pytest.mark.django_db(transaction=True)
def test_it_is_opened_when_the_deal_is_committed_and_replays() -> None:
    event, round_ = event_in_play(deals=2)
    sheet = sheet_at(round_)
    sheets.enter_deal(sheet_id=sheet.pk, entry=revoked_deal(sheet)[0], actor=SYSTEM)
    assert Incident.objects.get().violation["kind"] == "revoke"
    assert replay(event).differences == []
