"""Lateness read from the clock of the round without its pauses, and written into the facts."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from adjudication.queries.known import minutes_since_start, time_run
from ledger.models import AuditEntry
from tests.moment import later
from tests.tournament.build import make_user
from tournament.models import Event, Round
from tournament.services import clock

from .build import SYSTEM, event_in_play, incident_at

pytestmark = pytest.mark.django_db


def in_play(monkeypatch: pytest.MonkeyPatch, minutes: int, *pauses: tuple[int, int]) -> Round:
    """Return a round begun ``minutes`` ago; a pause is given by its begin and end in minutes ago, 0 for none yet."""
    with later(minutes=-minutes):
        _event, round_ = event_in_play(deals=4)
    now = timezone.now()
    moment = now
    monkeypatch.setattr("ledger.audit.timezone.now", lambda: moment)
    for begin, end in pauses:
        moment = now - timedelta(minutes=begin)
        clock.pause_round(round_id=round_.pk, actor=SYSTEM)
        if end:
            moment = now - timedelta(minutes=end)
            clock.resume_round(round_id=round_.pk, actor=SYSTEM)
    monkeypatch.undo()
    return Round.objects.select_related("stage__event").get(pk=round_.pk)


def test_pauses_of_the_clock_are_nobody_s_lateness(monkeypatch: pytest.MonkeyPatch) -> None:
    round_ = in_play(monkeypatch, 22, (20, 15), (9, 5))
    assert minutes_since_start(round_) == 13


def test_a_clock_that_stands_still_counts_up_no_further(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    round_ = in_play(monkeypatch, 18, (12, 0))
    ran = time_run(round_)
    assert ran is not None
    assert (ran.minutes, ran.still is not None) == (6, True)
    event: Event = round_.stage.event
    incident_at(event, round_, deal=None)
    client.force_login(make_user("arbitre", event, "referee"))
    address = reverse("referee-incident", args=[event.slug, 1])
    answer = client.get(address, {"article": "T-LATE"})
    assert answer.context["form"]["minutes"].value() == 6
    page = answer.content.decode()
    assert re.search(r'data-stopwatch\s+data-since="[^"]+"\s+data-still="[^"]+"', page)


def test_a_clock_that_runs_says_since_when(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    round_ = in_play(monkeypatch, 10, (8, 5))
    event: Event = round_.stage.event
    incident_at(event, round_, deal=None)
    client.force_login(make_user("arbitre", event, "referee"))
    page = client.get(
        reverse("referee-incident", args=[event.slug, 1]), {"article": "T-LATE"}
    ).content.decode()
    since = (round_.started_at + timedelta(minutes=3)) if round_.started_at else None
    assert since is not None
    assert f'data-since="{timezone.localtime(since):%Y-%m-%dT%H:%M}' in page
    assert "data-still" not in page
    assert AuditEntry.objects.filter(verb="round.resumed").count() == 1
