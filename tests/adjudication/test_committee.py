"""The appeals committee: its members, hearing, vote and minutes, and the second instance."""

from __future__ import annotations

import io
from datetime import timedelta
from typing import Any

import pytest
from django.db import transaction
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pypdf import PdfReader

from adjudication.models import Appeal, Ruling
from adjudication.services import appeals, rulings
from adjudication.services.access import link_player
from ledger.errors import Conflict, Refused
from tests.adjudication.build import (
    COMMITTEE,
    REFEREE,
    REVOKE,
    SYSTEM,
    THIRD,
    as_chiefs,
    committee,
    enter,
    event_in_play,
    hear,
    rounds_only,
    ruled_revoke,
    sheet_at,
    sign,
)
from tests.tournament.build import make_user
from tournament.models import Entrant, Event, Round
from tournament.services import archive, rounds
from tournament.services.event_life import finish_event
from tournament.services.privacy import forget_person

pytestmark = pytest.mark.django_db


@pytest.fixture
def ruled() -> tuple[Event, Round, Ruling]:
    event, round_ = event_in_play(deals=1, plan=rounds_only(1))
    for table in (1, 2):
        for game in (1, 2, 3):
            sign(enter(sheet_at(round_, table, game), 40))
    return event, round_, ruled_revoke(event, round_, claimed="in_time")


def lodged(ruling: Ruling, side: str = "NS") -> Appeal:
    return appeals.lodge(ruling_id=ruling.pk, side=side, grounds="no heart", actor=SYSTEM)


def refused(appeal: Appeal, outcome: str = "upheld", **more: Any) -> tuple[str, str]:
    """Return code and field of the refusal of a hearing, which leaves the appeal open."""
    given = {"members": committee(appeal.ruling.event), **more}
    with pytest.raises(Refused) as refusal, transaction.atomic():
        appeals.hear(
            appeal_id=appeal.pk, outcome=outcome, decision="heard", actor=COMMITTEE, **given
        )
    appeal.refresh_from_db()
    assert (appeal.state, appeal.members) == ("open", [])
    return refusal.value.code, refusal.value.field


@pytest.mark.guide("referee#the-life-of-a-ruling")
def test_a_committee_of_one_is_refused(ruled: tuple[Event, Round, Ruling]) -> None:
    event, _round, ruling = ruled
    appeal = lodged(ruling)
    assert refused(appeal, members=[]) == ("committee_of_one", "members")
    assert refused(appeal, members=[int(COMMITTEE.id)]) == ("committee_of_one", "members")
    assert refused(appeal, members=[424_242]) == ("not_staff", "members")
    heard = hear(appeal_id=appeal.pk, outcome="upheld", decision="heard", actor=COMMITTEE)
    assert heard.members == [f"user:{committee(event)[0]}"]
    assert (heard.votes_for, heard.votes_against, heard.tie) == (2, 0, "")


@pytest.mark.guide("referee#the-life-of-a-ruling")
def test_members_who_ruled_or_play_there_are_refused(ruled: tuple[Event, Round, Ruling]) -> None:
    event, round_, ruling = ruled
    appeal = lodged(ruling)
    as_chiefs(event, REFEREE, THIRD)
    assert refused(appeal, members=[int(REFEREE.id)]) == ("own_ruling", "members")
    seated = round_.tables.get(number=1).seats.first()
    link_player(event_id=event.pk, user=int(THIRD.id), number=seated.entrant.number, actor=SYSTEM)
    assert refused(appeal, members=[int(THIRD.id)]) == ("own_table", "members")
    free = committee(event)[0]
    barred = {each.user: bool(each.barred) for each in appeals.candidates(ruling, COMMITTEE)}
    assert barred[int(REFEREE.id)]
    assert barred[int(THIRD.id)]
    assert not barred[free]


@pytest.mark.guide("referee#the-life-of-a-ruling")
@pytest.mark.parametrize(
    ("outcome", "votes", "tie", "wrong"),
    [
        ("upheld", (2, 1), "", ""),
        ("overturned", (2, 1), "", "majority"),
        ("upheld", (0, 3), "", "majority"),
        ("upheld", (3, 1), "", "votes"),
        ("upheld", (1, 0), "", "votes"),
        ("overturned", (1, 1), "", "tie"),
        ("overturned", (1, 1), "stands", "tie_stands"),
        ("upheld", (1, 1), "stands", ""),
        ("overturned", (1, 1), "chair", ""),
        ("overturned", (0, 3), "", ""),
    ],
)
def test_the_outcome_follows_from_the_vote(
    ruled: tuple[Event, Round, Ruling], outcome: str, votes: tuple[int, int], tie: str, wrong: str
) -> None:
    event, _round, ruling = ruled
    appeal = lodged(ruling)
    third = make_user("third", event, "appeals")
    more = {"votes_for": votes[0], "votes_against": votes[1], "tie": tie}
    members = [*committee(event), third.pk]
    if wrong:
        assert refused(appeal, outcome, members=members, **more)[0] == wrong
        return
    heard = hear(
        appeal_id=appeal.pk,
        outcome=outcome,
        decision="heard",
        actor=COMMITTEE,
        members=members,
        **more,
    )
    assert (heard.state, heard.tie) == (outcome, tie)
    ruling.refresh_from_db()
    assert ruling.state == ("final" if outcome == "upheld" else "annulled")


def test_a_hearing_is_between_the_appeal_and_now(ruled: tuple[Event, Round, Ruling]) -> None:
    appeal = lodged(ruled[2])
    for moment in (timezone.now() + timedelta(hours=1), timezone.now() - timedelta(hours=1)):
        assert refused(appeal, hearing_at=moment) == ("hearing_at", "hearing_at")


@pytest.mark.guide("referee#the-life-of-a-ruling")
def test_the_minutes_name_the_members_and_the_vote(
    client: Client, ruled: tuple[Event, Round, Ruling]
) -> None:
    event, _round, ruling = ruled
    appeal = lodged(ruling)
    client.force_login(make_user("vera", event, "appeals"))
    address = reverse("referee-minutes", args=[event.slug, ruling.number, appeal.pk])
    assert client.get(address).status_code == 404
    page = client.get(reverse("referee-ruling", args=[event.slug, ruling.number]))
    assert {str(name) for name in page.context["hearing"].fields} >= {"members", "votes_for"}
    typed = {
        "outcome": "overturned",
        "decision": "The card was lawful.",
        "members": committee(event),
        "heard": ["appellant", "referee"],
        "votes_for": "1",
        "votes_against": "1",
    }
    hearing = reverse("referee-hear", args=[event.slug, ruling.number, appeal.pk])
    assert client.post(hearing, typed).status_code == 422
    assert client.post(hearing, {**typed, "tie": "chair"}).status_code == 302
    pdf = client.get(address, headers={"accept-language": "en"}).content
    pages = PdfReader(io.BytesIO(pdf)).pages
    text = " ".join(" ".join(each.extract_text() for each in pages).split())
    for word in ("vera", "assessor", "The card was lawful.", "the chair decides"):
        assert word in text
    client.force_login(make_user("score", event, "scorekeeper"))
    assert client.get(address).status_code == 403


@pytest.mark.guide("referee#the-life-of-a-ruling")
def test_the_second_instance_hears_after_the_event(ruled: tuple[Event, Round, Ruling]) -> None:
    """Overturned in the event, changed afterwards: the ruling is in force again."""
    event, round_, ruling = ruled
    first = lodged(ruling)
    again = {"appeal_id": first.pk, "side": "EW", "grounds": "it was a revoke", "actor": SYSTEM}
    with pytest.raises(Conflict) as early:
        appeals.lodge_again(**again)
    assert early.value.code == "not_heard"
    hear(appeal_id=first.pk, outcome="overturned", decision="no proof", actor=COMMITTEE)
    second = appeals.lodge_again(**again)
    with pytest.raises(Conflict) as twice:
        appeals.lodge_again(**again)
    assert twice.value.code == "appeal_open"
    assert refused(second)[0] == "own_ruling"  # the first committee does not hear it again
    third, fourth = (make_user(name, event, "appeals") for name in ("third", "fourth"))
    chair = REFEREE.user(third.pk)
    given = {
        "appeal_id": second.pk,
        "actor": chair,
        "members": [fourth.pk],
        "decision": "seen by all",
        "outcome": "changed",
        "article": "000-P1",
        "facts": REVOKE,
        "claimed": "in_time",
    }
    with pytest.raises(Conflict) as playing:
        hear(**given)
    assert playing.value.code == "event_not_finished"
    rounds.close_round(round_id=round_.pk, actor=SYSTEM)
    finish_event(event_id=event.pk, actor=SYSTEM, despite_open=True)
    with pytest.raises(Refused) as overturned:
        hear(**{**given, "outcome": "overturned"})
    assert overturned.value.field == "outcome"
    hear(**given)
    ruling.refresh_from_db()
    assert ruling.state == "final"
    assert sheet_at(round_).deals.get(current=True).infractions
    with pytest.raises(Conflict) as last:
        appeals.lodge_again(**{**again, "appeal_id": second.pk, "side": "NS"})
    assert last.value.code == "last_instance"


@pytest.mark.guide("referee#the-life-of-a-ruling")
def test_no_hearing_after_the_register_is_erased(ruled: tuple[Event, Round, Ruling]) -> None:
    event, _round, ruling = ruled
    appeal = lodged(ruling)
    for entrant in event.entrants.all():
        forget_person(person_id=entrant.person_id, actor=SYSTEM)
    assert refused(appeal)[0] == "register_erased"
    assert Entrant.objects.filter(event=event).count() == 8


def test_an_annulled_ruling_is_not_appealed_and_committees_travel(
    ruled: tuple[Event, Round, Ruling],
) -> None:
    event, round_, ruling = ruled
    hear(appeal_id=lodged(ruling).pk, outcome="upheld", decision="heard", actor=COMMITTEE)
    other = ruled_revoke(event, round_, claimed="in_time")
    rulings.annul(ruling_id=other.pk, actor=REFEREE, reason="mistaken")
    with pytest.raises(Conflict) as annulled:
        lodged(other)
    assert annulled.value.code == "annulled"
    copy = archive.take_up(file=archive.pack(event.pk), actor=SYSTEM, copy=True)
    taken = Appeal.objects.get(ruling__event=copy)
    assert taken.members == [f"system:elsewhere-{committee(event)[0]}"]
    assert (taken.votes_for, taken.votes_against) == (2, 0)


def test_only_staff_who_rule_appeal_again(
    client: Client, ruled: tuple[Event, Round, Ruling]
) -> None:
    event, _round, ruling = ruled
    first = lodged(ruling)
    hear(appeal_id=first.pk, outcome="upheld", decision="heard", actor=COMMITTEE)
    address = reverse("desk-do", args=[event.slug, "appeals_again", first.pk])
    body = {"side": "NS", "grounds": "no"}
    client.force_login(make_user("score", event, "scorekeeper"))
    assert client.post(address, body).status_code == 403
    client.force_login(make_user("ref", event, "referee"))
    page = client.get(reverse("referee-ruling", args=[event.slug, ruling.number]))
    assert address in page.content.decode()
    client.post(address, body)
    assert Appeal.objects.get(instance=2).side == "NS"
