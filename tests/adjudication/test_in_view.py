"""The referee's view of an incident: similar rulings only, the offences of both sides, the pack as keys."""

from __future__ import annotations

import copy
import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User
from adjudication.penal import code_for
from adjudication.penal.consistency import alike
from adjudication.services import rulings
from tests.adjudication.build import REFEREE, enter, event_in_play, incident_at, sheet_at, stating
from tests.tournament.build import make_user
from tournament.models import Event, Round


@pytest.fixture(scope="module")
def built(module_database: None) -> tuple[Event, Round, User]:
    event, round_ = event_in_play(deals=4)
    enter(sheet_at(round_), 40)
    return event, round_, make_user("arbitre", event, "referee")


@pytest.fixture
def hall(built: tuple[Event, Round, User], client: Client, db: None) -> tuple[Event, Round]:
    event, round_, referee = copy.deepcopy(built)
    client.force_login(referee)
    return event, round_


def page(client: Client, event: Event, number: int, **asked: str) -> Any:
    return client.get(reverse("referee-incident", args=[event.slug, number]), asked)


@pytest.mark.parametrize(
    ("one", "other", "wanted"), [(3, 7, False), (3, 5, True), (6, 9, True), (9, 40, False)]
)
def test_minutes_are_alike_on_one_rung_of_the_ladder(one: int, other: int, wanted: bool) -> None:
    """C.7 T-LATE: up to 5 minutes a warning, each further 5 a deal, 15 the round."""
    late = code_for("belgian").article("T-LATE")
    assert alike(late, {"offender": "N", "minutes": one}, {"minutes": other}) is wanted


def test_seven_minutes_late_are_no_yardstick_for_three(
    client: Client, hall: tuple[Event, Round]
) -> None:
    event, round_ = hall
    stating(
        rulings.issue,
        incident_id=incident_at(event, round_, deal=None).pk,
        article="T-LATE",
        facts={"offender": "N", "minutes": 7},
        actor=REFEREE,
    )
    incident_at(event, round_, table=2, deal=None)
    asked = {"article": "T-LATE", "f-offender": "E", "preview": "1"}
    assert page(client, event, 2, **asked, **{"f-minutes": "3"}).context["proposal"].similar == []
    assert (
        len(page(client, event, 2, **asked, **{"f-minutes": "8"}).context["proposal"].similar) == 1
    )


@pytest.mark.guide("referee#take-a-call")
def test_the_offences_of_both_sides_are_counted(client: Client, hall: tuple[Event, Round]) -> None:
    event, round_ = hall
    for table in (1, 1, 2):
        stating(
            rulings.issue,
            incident_id=incident_at(event, round_, table=table, deal=None).pk,
            article="T-COMM",
            facts={"offender": "N"},
            actor=REFEREE,
        )
    incident_at(event, round_)
    shown = page(client, event, 4)
    ours, theirs = shown.context["offences"]
    assert [(o.article, o.times, o.here) for o in ours.offences] == [("T-COMM", 2, 2)]
    assert theirs.offences == ()
    text = " ".join(shown.content.decode().split())
    assert "T-COMM × 2" in text
    assert "no offence so far" in text


def test_a_card_is_a_key_of_the_pack(client: Client, hall: tuple[Event, Round]) -> None:
    event, round_ = hall
    incident_at(event, round_)
    text = page(client, event, 1, article="000-P1").content.decode()
    keys = re.findall(r'<input type="radio" name="f-card" value="(\w+)"', text)
    assert len(set(keys)) == 32
    assert 'name="f-card"' not in " ".join(re.findall(r"<select[^>]*>", text))
    prove = client.get(reverse("referee-prove", args=[event.slug, 1]))
    assert len({card for suit in prove.context["pack"] for card in suit}) == 32
