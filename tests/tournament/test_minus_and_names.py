"""On pages a negative total has a minus sign, and a table of a bracket is named after its round."""

from __future__ import annotations

import random

import pytest
from django.test import Client

from accounts.models import Role
from tests.tournament.build import SYSTEM, make_event, make_user
from tournament.demo.simulation import draw_and_publish, play_round
from tournament.models import Seat
from tournament.models.tables import OfficialResult
from tournament.services.events import new_stage
from tournament.tables.links import entrant_token, table_token

pytestmark = pytest.mark.django_db


def test_a_total_below_zero_has_a_true_minus_on_phone_page_and_desk(client: Client) -> None:
    plain = {"rounds": 1, "games_per_round": 1, "deals_per_game": 4, "drawing": {"table_size": 5}}
    event = make_event(
        5,
        plan=[new_stage("Rounds", format="individual_draw", **plain)],
        rulebook="auction-1",
        options={"stakes": [50, 40, 30, 20, 10]},
    )
    round_ = draw_and_publish(event.stages.get().rounds.get(), SYSTEM)
    play_round(round_, random.Random("minus"))
    official = OfficialResult.objects.get(current=True)
    below = min(official.result["marks"].values())
    seat = min(official.result["marks"], key=official.result["marks"].__getitem__)
    who = Seat.objects.get(round=round_, position=seat).entrant
    assert below < 0
    client.force_login(make_user("director", event, Role.DIRECTOR))
    table = round_.tables.get()
    pages = [
        f"/t/{table_token(table)}/",
        f"/sign/{entrant_token(who)}/",
        f"/e/{event.slug}/players/{who.number}/",
        f"/e/{event.slug}/standings/",
        f"/desk/{event.slug}/room/",
    ]
    said = 0
    for page in pages:
        text = client.get(page, follow=True).content.decode()
        assert f">{below}<" not in text, page
        assert f" {below} " not in text, page
        said += f"\u2212{-below}" in text
    assert said >= 3


@pytest.mark.parametrize(
    ("language", "heading"),
    [("en", "Table 1 · Semi-final"), ("fr", "Table 1 · Demi-finale"), ("nl", "Tafel 1 · Halve")],
)
def test_the_phone_of_a_bracket_is_headed_by_the_name_of_its_round(
    client: Client, language: str, heading: str
) -> None:
    plan = new_stage("Cup", format="ko", rounds=1, games_per_round=1, deals_per_game=2)
    event = make_event(4, plan=[plan])
    round_ = draw_and_publish(event.stages.get().rounds.get(number=1), SYSTEM)
    client.cookies["django_language"] = language
    page = client.get(f"/t/{table_token(round_.tables.get(number=1))}/", follow=True)
    assert heading in page.content.decode()
