"""Rulings travel in the archive of an event: every version, appeal and code, to equal standings."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from django.db import connection

from adjudication.models import Appeal, Incident, PenalCode, RuledDeal, Ruling, RulingVersion
from adjudication.queries.codes import numbered
from adjudication.services import appeals, incidents, rulings
from adjudication.services.codes import change_code
from ledger.actors import Actor
from ledger.change import change
from ledger.errors import Refused
from ledger.migrating import RULING_VERSIONS
from tests.adjudication.build import (
    COMMITTEE,
    REFEREE,
    REVOKE,
    SYSTEM,
    as_chiefs,
    enter,
    event_in_play,
    hear,
    incident_at,
    sheet_at,
    sign,
    stating,
)
from tests.tournament.test_exports_and_archive import altered, leave
from tournament.models import Event
from tournament.queries.standings import compute, rows_json
from tournament.services import archive

pytestmark = pytest.mark.django_db


def forget(event: Event) -> None:
    """Erase the event, so that the database resembles another installation's; the log's triggers are suspended."""
    with connection.cursor() as cursor:
        for statement in RULING_VERSIONS.allow(connection.vendor):
            cursor.execute(statement)
    for model in (Appeal, RulingVersion, Ruling, RuledDeal, Incident, PenalCode):
        with change():
            model.objects.all().delete()
    leave(event)
    numbered.cache_clear()
    with connection.cursor() as cursor:
        for statement in RULING_VERSIONS.forbid(connection.vendor):
            cursor.execute(statement)


@pytest.fixture(scope="module")
def built(module_database: None) -> Event:
    event, round_ = event_in_play(deals=2)
    for table in (1, 2):
        for game in (1, 2, 3):
            sign(enter(sheet_at(round_, table, game), 40 + game, 50 - table))
    made = []
    for game, deal in ((1, 1), (1, 2), (2, 1), (3, 1)):
        incident = incident_at(event, round_, game=game, deal=deal)
        made.append(
            stating(
                rulings.issue,
                incident_id=incident.pk,
                article="000-P1",
                facts=REVOKE,
                actor=REFEREE,
                claimed="in_time",
            )
        )
    rulings.finalise(ruling_id=made[0].pk, actor=REFEREE)
    rulings.annul(ruling_id=made[1].pk, actor=REFEREE, reason="not so")
    player = Actor.player(sheet_at(round_).seats["N"])
    appeals.lodge(ruling_id=made[2].pk, side="NS", grounds="no heart left", actor=player)
    heard = appeals.lodge(ruling_id=made[3].pk, side="NS", grounds="no", actor=SYSTEM)
    hear(
        appeal_id=heard.pk,
        outcome="changed",
        decision="it was East",
        actor=COMMITTEE,
        article="000-P2",
        facts={**REVOKE, "offender": "E"},
        claimed="in_time",
    )
    change_code(event_id=event.pk, actor=REFEREE, reason="agreed", policy="BRIDGE")
    incident = incident_at(event, round_, table=2)
    stating(
        rulings.issue,
        incident_id=incident.pk,
        article="T-LATE",
        facts={"offender": "N", "minutes": 12},
        actor=REFEREE,
    )
    closed = incident_at(event, round_, table=2)
    incidents.dismiss(incident_id=closed.pk, actor=REFEREE, reason="noise")
    return event


@pytest.fixture
def ruled(built: Event) -> Event:
    """Copy an event with five rulings: final, annulled, under appeal, changed on appeal, and on a person."""
    return copy.deepcopy(built)


def told(event: Event) -> dict[str, Any]:
    """Return the stored rulings and their incidents and appeals, with players by start number."""
    number = dict(event.entrants.values_list("pk", "number"))
    return {
        "codes": list(
            PenalCode.objects.filter(event=event).values_list(
                "number", "policy", "fingerprint", "current"
            )
        ),
        "incidents": [
            (
                i.number,
                i.state,
                i.told,
                i.deal,
                i.closed_reason,
                i.opened_at,
                {seat: number[int(pk)] for seat, pk in i.seats.items()},
            )
            for i in Incident.objects.filter(event=event)
        ],
        "rulings": [
            (
                r.pk,
                r.number,
                r.state,
                r.article,
                r.side,
                r.measure,
                r.offender and r.offender.number,
                r.issued_at,
                r.appeal_until,
                r.final_at,
            )
            for r in Ruling.objects.filter(event=event)
        ],
        "versions": [
            (
                v.ruling.number,
                v.number,
                v.cause,
                v.article,
                v.facts,
                v.proposal,
                v.reason,
                v.made_at,
            )
            for v in RulingVersion.objects.filter(ruling__event=event).order_by(
                "ruling__number", "number"
            )
        ],
        "appeals": [
            (a.pk, a.side, a.grounds, a.state, a.decision, a.lodged_at)
            for a in Appeal.objects.filter(ruling__event=event).order_by("lodged_at")
        ],
        "standing": rows_json(compute(event.stages.get(order=1))),
    }


@pytest.mark.guide("referee#the-life-of-a-ruling")
def test_rulings_travel_with_all_versions(ruled: Event) -> None:
    before, file = told(ruled), archive.pack(ruled.pk)
    assert {row[2] for row in before["rulings"]} == {"final", "annulled", "provisional"}
    forget(ruled)
    back = archive.take_up(file=file, actor=SYSTEM)
    assert told(back) == before
    # The referee has no account in this installation; the players are those of this installation.
    first = Ruling.objects.get(event=back, number=1)
    assert first.referee == "system:elsewhere-900001"
    lodged = Appeal.objects.get(ruling__number=3, ruling__event=back).lodged_by
    assert lodged == f"player:{Incident.objects.get(event=back, number=3).seats['N']}"


@pytest.mark.guide("referee#the-life-of-a-ruling")
def test_what_came_with_an_archive_goes_on_living(ruled: Event) -> None:
    """The appeal is heard and the rulings are annulled: no effect of them remains."""
    file = archive.pack(ruled.pk)
    forget(ruled)
    back = archive.take_up(file=file, actor=SYSTEM)
    appeal = Appeal.objects.get(ruling__event=back, state="open")
    hear(appeal_id=appeal.pk, outcome="overturned", decision="no proof", actor=COMMITTEE)
    as_chiefs(back, REFEREE)
    for ruling in Ruling.objects.filter(event=back).exclude(state="annulled"):
        rulings.annul(ruling_id=ruling.pk, actor=REFEREE, reason="all of it")
    round_ = back.stages.get(order=1).rounds.get(number=1)
    for table in (1, 2):
        for game in (1, 2, 3):
            deals = sheet_at(round_, table, game).deals.filter(current=True).order_by("number")
            assert [deal.infractions for deal in deals] == [[], []]
            assert [deal.marks["NS"] for deal in deals] == [6 + game, 16 - table]


@pytest.mark.guide("director#from-an-archive")
def test_rulings_of_a_copy_are_its_own(ruled: Event) -> None:
    def said(event: Event) -> dict[str, Any]:
        """Return the same records without the keys of rows."""
        whole = told(event)
        keyless = {name: [row[1:] for row in whole[name]] for name in ("rulings", "appeals")}
        return {**whole, **keyless}

    before = told(ruled)
    copy = archive.take_up(file=archive.pack(ruled.pk), actor=SYSTEM, copy=True)
    assert said(copy) == said(ruled)
    assert not {row[0] for row in told(copy)["rulings"]} & {row[0] for row in before["rulings"]}
    as_chiefs(copy, REFEREE)
    appeal = Appeal.objects.get(ruling__event=copy, state="open")
    hear(appeal_id=appeal.pk, outcome="overturned", decision="no proof", actor=COMMITTEE)
    for ruling in Ruling.objects.filter(event=copy).exclude(state="annulled"):
        rulings.annul(ruling_id=ruling.pk, actor=REFEREE, reason="all of it")
    assert told(ruled) == before
    assert told(copy)["standing"] != before["standing"]


def test_a_penal_code_that_reads_differently_is_refused(ruled: Event) -> None:
    def other(whole: dict[str, Any]) -> None:
        whole["content"]["parts"]["adjudication"]["adjudication.PenalCode"][0]["fingerprint"] = (
            "0" * 64
        )

    def lost(whole: dict[str, Any]) -> None:
        whole["content"]["parts"]["adjudication"]["adjudication.Incident"].clear()

    file = archive.pack(ruled.pk)
    forget(ruled)
    for alter, code in ((other, "penal_code_differs"), (lost, "archive_contradicts_itself")):
        with pytest.raises(Refused) as refused:
            archive.take_up(file=altered(file, alter, sign=True), actor=SYSTEM)
        assert refused.value.code == code
        assert not Event.objects.exists()
