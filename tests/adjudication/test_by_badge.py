"""Appeal through the link on a player's badge: without an account, only for the side on which they sat."""

from __future__ import annotations

import copy
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from adjudication.models import Appeal, Ruling
from adjudication.services import rulings
from tests.adjudication.build import REFEREE, enter, event_in_play, ruled_revoke, sheet_at
from tournament.models import Entrant, Event
from tournament.tables.links import entrant_token

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def built(module_database: None) -> tuple[Event, Ruling, dict[str, str]]:
    event, round_ = event_in_play(deals=4)
    sheet, other = enter(sheet_at(round_), 40), sheet_at(round_, 2)
    made = ruled_revoke(event, round_)
    links = {s: entrant_token(Entrant.objects.get(pk=sheet.seats[s])) for s in "NESW"}
    links["other"] = entrant_token(Entrant.objects.get(pk=other.seats["N"]))
    return event, made, links


@pytest.fixture
def ruled(built: tuple[Event, Ruling, dict[str, str]]) -> tuple[Event, Ruling, dict[str, str]]:
    """Copy a ruling against N-S at table 1, with the links of its players and of a player of table 2."""
    return copy.deepcopy(built)


def page_of(ruled: Any, who: str) -> str:
    return reverse("player-ruling", args=[ruled[2][who], ruled[1].pk])


def test_his_page_leads_to_the_ruling_and_the_form(client: Client, ruled: Any) -> None:
    event, made, links = ruled
    own = client.get(reverse("personal", args=[links["N"]])).content.decode()
    assert f'href="rulings/{made.pk}/"' in own
    number = made.offender.number
    public = client.get(reverse("event-player", args=[event.slug, number])).content.decode()
    assert f"rulings/{made.pk}/" not in public, "the form is behind the player's own link only"
    text = client.get(page_of(ruled, "N")).content.decode()
    assert "You appeal for N-S." in text
    assert "noindex" in text


@pytest.mark.guide("players#read-your-page", "referee#the-life-of-a-ruling")
@pytest.mark.parametrize(("who", "side"), [("N", "NS"), ("S", "NS"), ("E", "EW")])
def test_a_player_of_either_side_appeals_for_it(
    client: Client, ruled: Any, who: str, side: str
) -> None:
    answer = client.post(page_of(ruled, who), {"grounds": "No heart was left.", "side": "EW"})
    assert answer.status_code == 302
    appeal = Appeal.objects.get()
    assert (appeal.side, appeal.state) == (side, "open")
    assert appeal.lodged_by == f"player:{ruled[1].incident.seats[who]}"
    text = client.get(page_of(ruled, who)).content.decode()
    assert "No heart was left." in text
    assert "Lodge an appeal" not in text


def test_who_sat_elsewhere_is_denied(client: Client, ruled: Any) -> None:
    for method in (client.get, client.post):
        answer = method(page_of(ruled, "other"), {"grounds": "me too"})
        assert answer.status_code == 404
        assert "No ruling at this address concerns you." in answer.content.decode()
        assert "does not open a table" not in answer.content.decode()
    assert not Appeal.objects.exists()


def test_a_link_that_is_none_is_denied(client: Client, ruled: Any) -> None:
    address = reverse("player-ruling", args=["x" * 32, ruled[1].pk])
    assert client.post(address, {"grounds": "x"}).status_code == 404
    assert not Appeal.objects.exists()


@pytest.mark.guide("players#read-your-page", "referee#the-life-of-a-ruling")
@pytest.mark.parametrize("state", ["deadline", "final", "annulled"])
def test_after_the_deadline_it_is_refused_with_the_reason(
    client: Client, ruled: Any, state: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = ruled[1]
    if state == "deadline":
        monkeypatch.setattr(timezone, "now", lambda: made.appeal_until + timedelta(minutes=1))
    elif state == "final":
        rulings.finalise(ruling_id=made.pk, actor=REFEREE)
    else:
        rulings.annul(ruling_id=made.pk, actor=REFEREE, reason="not so")
    said = "already been annulled" if state == "annulled" else "The time for an appeal"
    assert "Lodge an appeal" not in client.get(page_of(ruled, "N")).content.decode()
    answer = client.post(page_of(ruled, "N"), {"grounds": "late"}, follow=True)
    assert said in answer.content.decode()
    assert not Appeal.objects.exists()


def test_without_grounds_or_twice_it_is_refused(client: Client, ruled: Any) -> None:
    empty = client.post(page_of(ruled, "N"), {"grounds": "  "}, follow=True)
    assert "Enter what the appeal is about." in empty.content.decode()
    client.post(page_of(ruled, "N"), {"grounds": "first"})
    again = client.post(page_of(ruled, "S"), {"grounds": "second"}, follow=True)
    assert "has already appealed against this ruling" in again.content.decode()
    assert Appeal.objects.get().grounds == "first"


@pytest.mark.parametrize("language", ["fr", "nl"])
def test_in_the_languages_of_the_players(client: Client, ruled: Any, language: str) -> None:
    client.cookies["django_language"] = language
    text = client.get(page_of(ruled, "N")).content.decode()
    assert "You appeal" not in text
    assert "Back to my page" not in text
