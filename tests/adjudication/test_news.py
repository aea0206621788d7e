"""A ruling, an appeal and its outcome notify only the players concerned."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from adjudication.services import appeals, rulings
from tests.adjudication.build import (
    COMMITTEE,
    REFEREE,
    enter,
    event_in_play,
    hear,
    ruled_revoke,
    sheet_at,
)
from tournament.models import Event
from tournament.public.marks import marks_of, with_own
from tournament.services.events import update_event
from tournament.tables.links import entrant_token

pytestmark = pytest.mark.django_db


def marks(event: Event) -> dict[int, int]:
    """Return the change counter of each player, by start number."""
    seen = marks_of(event.slug)
    assert seen is not None
    own = with_own(seen).own
    assert own is not None
    return {number: own.get(number, 0) for number in range(1, 9)}


def told(event: Event, before: dict[int, int]) -> set[int]:
    """Return the players whose change counter has moved; no counter ever decreases."""
    now = marks(event)
    assert all(now[number] >= before[number] for number in now)
    return {number for number in now if now[number] != before[number]}


def test_a_ruling_and_all_that_follows_is_news_to_its_table_alone() -> None:
    event, round_ = event_in_play(deals=4)
    enter(sheet_at(round_), 40)
    sitting = set(round_.seats.filter(table__number=1).values_list("entrant__number", flat=True))
    before = marks(event)
    made = ruled_revoke(event, round_)
    assert told(event, before) == sitting
    before = marks(event)
    appeal = appeals.lodge(ruling_id=made.pk, side="NS", grounds="No heart.", actor=REFEREE)
    assert told(event, before) == sitting
    before = marks(event)
    hear(appeal_id=appeal.pk, outcome="upheld", decision="It stands.", actor=COMMITTEE)
    assert told(event, before) == sitting


def test_that_a_ruling_is_final_is_told_as_well() -> None:
    event, round_ = event_in_play(deals=4)
    enter(sheet_at(round_), 40)
    sitting = set(round_.seats.filter(table__number=1).values_list("entrant__number", flat=True))
    made = ruled_revoke(event, round_)
    before = marks(event)
    rulings.finalise(ruling_id=made.pk, actor=REFEREE)
    assert told(event, before) == sitting


@pytest.mark.guide("players#how-fresh-it-is")
def test_what_a_ruling_costs_in_a_hidden_round_is_told_to_its_players_alone(
    client: Client,
) -> None:
    """docs/players.md: no page shows a result of a round that the director hides."""
    event, round_ = event_in_play(deals=4)
    enter(sheet_at(round_), 40)
    told = {"hide_last_rounds": 3, "publish_play": "at_once"}
    update_event(event_id=event.pk, actor=REFEREE, changes=told)
    made = ruled_revoke(event, round_, reason="Trick 3, a heart in hand")
    assert made.offender is not None
    own = client.get(reverse("personal", args=[entrant_token(made.offender)])).content.decode()
    assert "Trick 3, a heart in hand" in own
    root = f"/e/{event.slug}/"
    for path in ("", "rulings/", f"players/{made.offender.number}/", "wall/"):
        page = client.get(root + path).content.decode()
        assert "000-P1" in page, path
        assert "revealed at the prize-giving" in page, path
        assert "Trick 3, a heart in hand" not in page, path
    update_event(event_id=event.pk, actor=REFEREE, changes={"hide_last_rounds": 0})
    assert "Trick 3, a heart in hand" in client.get(root + "rulings/").content.decode()
