"""Open matters before standings become final, and rulings made after the final list (C.8)."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from adjudication.services import rulings
from ledger.errors import Conflict, Refused
from ledger.models import AuditEntry
from tests.adjudication.build import (
    REFEREE,
    SYSTEM,
    as_chiefs,
    enter,
    event_in_play,
    incident_at,
    ruled_revoke,
    sheet_at,
    sign,
)
from tests.markup import markup
from tests.tournament.build import make_user
from tournament.models import Event, Round, Stage, Standings
from tournament.queries.standings import fresh
from tournament.services import rounds
from tournament.services.events import new_stage
from tournament.services.standings import set_state, settle_late

pytestmark = pytest.mark.django_db
ENGLISH = {"accept-language": "en"}


@pytest.fixture
def played() -> tuple[Event, Round, Stage]:
    """Play one round of eight players, signed and closed, without ties."""
    event, round_ = event_in_play(plan=one_round())
    stage = round_.stage
    as_chiefs(event, REFEREE)
    for table in (1, 2):
        for game in (1, 2, 3):
            sign(enter(sheet_at(round_, table, game), 34 + 3 * game + 10 * table))
    rounds.close_round(round_id=round_.pk, actor=SYSTEM)
    return event, round_, stage


def one_round() -> list[Stage]:
    """Return the plan of one round of three games, of one deal each."""
    return [new_stage("Rounds", "individual_draw", 1, games_per_round=3, deals_per_game=1)]


def final(stage: Stage, **more: str) -> Standings:
    return set_state(stage_id=stage.pk, state="final", actor=SYSTEM, **more)


@pytest.mark.guide("director#declare-the-standings-final")
def test_what_is_open_is_listed_before_final_and_wants_a_reason(
    client: Client, played: tuple[Event, Round, Stage]
) -> None:
    event, round_, stage = played
    incident_at(event, round_)
    ruled_revoke(event, round_, reason="Seen.", claimed="in_time")
    with pytest.raises(Conflict) as refusal:
        final(stage)
    assert (refusal.value.code, refusal.value.field) == ("matters_open", "reason")
    client.force_login(make_user("director", event, "director"))
    address = reverse("desk-standings-state", args=[event.slug, stage.order])
    answer = client.post(address, {"state": "final"}, headers=ENGLISH)
    page = markup(answer)
    assert answer.status_code == 409
    assert "1 incident has no ruling yet." in page
    assert "1 ruling is not final." in page
    assert fresh(stage).state == "provisional"
    client.post(address, {"state": "final", "reason": "The hall closes."}, headers=ENGLISH)
    assert fresh(stage).state == "final"
    entry = AuditEntry.objects.filter(verb="standings.state").latest("pk")
    assert entry.after["reason"] == "The hall closes."
    assert set(entry.after["open"]) == {"incidents_open", "rulings_provisional"}


@pytest.mark.guide("director#declare-the-standings-final")
def test_joint_champions_are_named_before_final() -> None:
    event, round_ = event_in_play(plan=one_round())
    for table in (1, 2):
        for game in (1, 2, 3):
            sign(enter(sheet_at(round_, table, game), 34))
    rounds.close_round(round_id=round_.pk, actor=SYSTEM)
    with pytest.raises(Conflict) as refusal:
        final(round_.stage)
    assert "8 participants share first place." in str(refusal.value)
    final(round_.stage, reason="They share the cup.")
    assert event.stages.get().standings.state == "final"


@pytest.mark.guide("director#declare-the-standings-final")
def test_a_ruling_after_the_final_list_waits_for_the_director(
    client: Client, played: tuple[Event, Round, Stage]
) -> None:
    event, round_, stage = played
    listed = final(stage).rows
    public = reverse("event-standings-stage", args=[event.slug, stage.order])
    pending = "whether the list is corrected is being decided"
    assert pending not in markup(client.get(public, headers=ENGLISH))
    ruled_revoke(event, round_, reason="Seen on the film.", claimed="in_time")
    assert fresh(stage).rows == listed, "the list stays"
    assert pending in markup(client.get(public, headers=ENGLISH))
    client.force_login(make_user("director", event, "director"))
    desk = markup(client.get(reverse("desk-event", args=[event.slug]), headers=ENGLISH))
    assert "A ruling came after the final list" in desk
    address = reverse("desk-standings-state", args=[event.slug, stage.order])
    client.post(address, {"reason": "Too late for the prizes."}, headers=ENGLISH)
    assert fresh(stage).rows == listed
    assert pending not in markup(client.get(public, headers=ENGLISH))


@pytest.mark.guide("director#declare-the-standings-final")
def test_a_corrected_list_keeps_the_one_before(
    client: Client, played: tuple[Event, Round, Stage]
) -> None:
    event, round_, stage = played
    with pytest.raises(Conflict) as refusal:
        settle_late(stage_id=stage.pk, actor=SYSTEM, reason="none yet")
    assert refusal.value.code == "standings_not_final"
    before = final(stage)
    revoke = ruled_revoke(event, round_, reason="Seen.", claimed="in_time")
    with pytest.raises(Refused):
        settle_late(stage_id=stage.pk, actor=SYSTEM, reason=" ", correct=True)
    after = settle_late(stage_id=stage.pk, actor=SYSTEM, reason="Put right.", correct=True)
    assert after.state == "final"
    assert after.hash != before.hash
    assert [each["hash"] for each in after.replaced] == [before.hash]
    public = reverse("event-standings-stage", args=[event.slug, stage.order])
    page = markup(client.get(public, headers=ENGLISH))
    assert "since corrected" in page
    assert "<s>" in page
    rulings.annul(ruling_id=revoke.pk, actor=REFEREE, reason="No.")
    again = settle_late(stage_id=stage.pk, actor=SYSTEM, reason="As before.", correct=True)
    assert again.hash == before.hash
    assert len(again.replaced) == 2
