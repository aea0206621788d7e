"""Small claims of the players' guide, each tried as described."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from tests.markup import markup
from tests.tournament.build import SYSTEM, chance, make_event
from tests.tournament.test_stages import publish_next
from tournament.demo.simulation import advance
from tournament.models import Event
from tournament.services import entrants
from tournament.services.adjustments import Amount, adjust

pytestmark = pytest.mark.django_db


def said(event: Event, page: str, **query: str) -> str:
    client = Client(headers={"accept-language": "en"})
    return " ".join(markup(client.get(f"/e/{event.slug}/{page}", query)).split())


@pytest.mark.guide("players#find-yourself")
@pytest.mark.parametrize(
    ("typed", "name"), [("dhaene", "D'Haene"), ("Peters Rik", "Rik Peeters"), ("haane", "D'Haene")]
)
def test_a_name_spelt_wrongly_is_answered_by_the_nearest(typed: str, name: str) -> None:
    event = make_event(0)
    for each in ("Rik Peeters", "Els D'Haene", "Jan Claes"):
        entrants.enter_player(event_id=event.pk, name=each, actor=SYSTEM)
    client = Client(headers={"accept-language": "en"})
    answer = client.get(f"/e/{event.slug}/", {"q": typed}, follow=True)
    found = markup(answer).replace("&#x27;", "'")
    assert name in found
    assert "Jan Claes" not in found.partition("<main")[2].partition("</main>")[0]


@pytest.mark.guide("players#read-your-page")
def test_who_has_a_bye_reads_what_it_counts_on_their_page_and_in_the_draw() -> None:
    event = make_event(9, deals=1)
    (bye,) = publish_next(event).byes
    number = event.entrants.get(pk=bye).number
    counts = "this round counts as the average of their own other games"
    assert counts in said(event, f"players/{number}/")
    assert counts in said(event, "draw/")


@pytest.mark.guide("players#the-standings")
def test_a_total_that_a_ruling_has_changed_is_marked_in_the_standings() -> None:
    event = make_event(8, deals=1)
    advance(event, chance())
    who = event.entrants.get(number=3)
    adjust(
        stage_id=event.stages.get(order=1).pk,
        source="ruling:7",
        reason="001-R9",
        actor=SYSTEM,
        amounts=[Amount(who.pk, marks=-5)],
    )
    page = said(event, "standings/")
    rows = dict(re.findall(r'<tr data-entrant="(\d+)"(.*?)</tr>', page))
    assert {int(number) for number, row in rows.items() if "§" in row} == {3}
    assert "§ marks a total changed by a ruling or the director." in page


@pytest.mark.guide("players#for-programs")
@pytest.mark.parametrize("kind", ["players", "draws", "results", "standings", "overall"])
def test_every_list_of_the_api_says_its_fingerprint(kind: str) -> None:
    event = make_event(8, deals=1)
    advance(event, chance())
    told = Client().get(f"/api/v1/events/{event.slug}/{kind}/?page_size=200").json()
    assert re.fullmatch(r"[0-9a-f]{64}", told["hash"])
    assert told["rows"]


@pytest.mark.guide("players#find-yourself")
@pytest.mark.parametrize("address", ["/p/{}/", "/sign/{}/"])
def test_a_lost_badge_s_link_says_whom_to_ask_wherever_it_leads(address: str) -> None:
    answer = Client(headers={"accept-language": "en"}).get(address.format("x" * 24))
    page = markup(answer)
    assert answer.status_code == 404
    assert "You may have a newer badge: scan its code. If not, ask the director" in page
    assert "does not open a table" not in page
