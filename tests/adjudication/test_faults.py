"""The most common faults as tiles: from the call to the preview in at most five taps (rules C.8)."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from django.urls import reverse

from adjudication.models import Incident
from adjudication.penal import code_for, common_faults, find_fault
from tests.adjudication.build import SYSTEM, enter, event_in_play, incident_at, sheet_at
from tests.moment import later
from tests.sampled import one_in
from tests.tournament.build import make_event, make_user
from tests.tournament.test_stages import publish_next, settle
from tournament.services import tables
from tournament.services.events import new_stage

FIVE = ("parlee", "boussac", "chaloupee", "coinchee", "muette")


@pytest.mark.guide("referee#choose-the-article")
@pytest.mark.parametrize("rulebook", [*FIVE, "parlee-limited", "belgian"])
def test_ten_faults_in_every_rulebook_of_two_pairs(rulebook: str) -> None:
    code = code_for(rulebook)
    faults = common_faults(code)
    assert len(faults) == 10
    assert len({fault.article.id for fault in faults}) == 10
    assert {"T-LATE", "GEN-SCORE"} <= {fault.article.id for fault in faults}
    for language in ("en", "fr", "nl"):
        assert len({fault.label.render(language) for fault in faults}) == 10


def test_the_article_of_the_source_comes_before_the_general_one() -> None:
    boussac, belgian = code_for("boussac"), code_for("belgian")
    turn = {code: find_fault(code, "turn").article.id for code in (boussac, belgian)}
    assert turn == {boussac: "001-R10", belgian: "GEN-TURN"}
    assert find_fault(belgian, "unheard of") is None


@pytest.mark.django_db
@pytest.mark.parametrize("rulebook", one_in(2, FIVE))
def test_two_facts_at_the_most_are_asked_after_a_tile(client: Client, rulebook: str) -> None:
    """A call, its tile, two facts, and the preview: five taps."""
    event, round_ = event_in_play(rulebook, deals=4)
    incident_at(event, round_)
    client.force_login(make_user("arbitre", event, "referee"))
    page = client.get(reverse("referee-incident", args=[event.slug, 1])).content.decode()
    tiles = re.findall(r'class="tile" href="(\?[^"#]+)', page)
    assert len(tiles) == 10
    for tile in tiles:
        shown = client.get(
            reverse("referee-incident", args=[event.slug, 1]) + tile.replace("&amp;", "&")
        )
        form = shown.context["form"]
        open_ = [
            field.name
            for field in form.questions()
            if field.field.required and field.value() in (None, "")
        ]
        assert len(open_) <= 2, (tile, open_)


@pytest.mark.guide("referee#choose-the-article")
@pytest.mark.django_db
def test_a_late_arrival_is_counted_from_the_start_of_the_round(client: Client) -> None:
    with later(minutes=-7, seconds=-20):
        event, _part = event_in_play(deals=4)
    client.force_login(make_user("arbitre", event, "referee"))
    desk = client.get(reverse("referee-desk", args=[event.slug])).content.decode()
    assert "7 min since the start" in desk
    new = reverse("referee-new", args=[event.slug])
    assert 'value="2"' in client.get(new, {"fault": "late"}).content.decode()
    opened = client.post(new, {"fault": "late", "table": "2"})
    assert opened["Location"].endswith("?article=T-LATE&fault=late#article")
    incident = Incident.objects.get()
    assert (incident.table_number, incident.told) == (2, "Late at the table")
    address = reverse("referee-incident", args=[event.slug, incident.number])
    page = client.get(address, {"article": "T-LATE", "fault": "late"})
    assert page.context["form"]["minutes"].value() == 7
    seen = client.get(
        address, {"article": "T-LATE", "f-offender": "N", "f-minutes": "7", "preview": "1"}
    )
    assert "−17" in seen.content.decode() or "17" in seen.content.decode()


@pytest.mark.guide("referee#take-a-call")
@pytest.mark.django_db
def test_what_the_referee_saw_is_about_the_deal_in_play(client: Client) -> None:
    event, round_ = event_in_play(deals=4)
    enter(sheet_at(round_, 2), 40, 30)
    client.force_login(make_user("arbitre", event, "referee"))
    client.post(reverse("referee-new", args=[event.slug]), {"fault": "revoke", "table": "2"})
    assert Incident.objects.get().deal == 3
    tapped = find_fault(code_for("parlee"), "revoke")
    assert tapped is not None
    desk = client.get(
        reverse("referee-desk", args=[event.slug]), headers={"accept-language": "nl"}
    ).content.decode()
    assert tapped.label.render("nl") in desk.partition("Open incidenten")[2].partition("<h2>")[0]


@pytest.mark.guide("referee#choose-the-article")
@pytest.mark.django_db
def test_the_record_fills_in_what_it_knows(client: Client) -> None:
    event, round_ = event_in_play("boussac", deals=4)
    sheet = sheet_at(round_)
    enter(sheet, 40)
    tables.call_referee(table_id=sheet.table_id, sheet_id=sheet.pk, reason="carte", actor=SYSTEM)
    incident_at(event, round_)
    client.force_login(make_user("arbitre", event, "referee"))
    address = reverse("referee-incident", args=[event.slug, 1])
    form = client.get(address, {"article": "001-R7", "fault": "count"}).context["form"]
    dealer = sheet.deals.get(current=True, series="official", number=1).entry["dealer"]
    assert form["dealer"].value() == dealer
    assert form["ill_served_played"].value() == "yes"
    score = client.get(address, {"article": "GEN-SCORE"}).context["form"]
    assert score["when"].value() == "round_open"


@pytest.mark.django_db
def test_a_table_of_an_earlier_round_leads_to_an_incident_of_that_round(client: Client) -> None:
    event = make_event(8, plan=[new_stage("Cup", "ko", 2, games_per_round=1, deals_per_game=2)])
    drawn = publish_next(event)
    settle(drawn)
    semi_final = drawn.round
    final = publish_next(event)
    client.force_login(make_user("arbitre", event, "referee"))
    cell = client.get(reverse("desk-round-table", args=[event.slug, semi_final.pk, 2]))
    (way,) = (each.url for each in cell.context["cell"].verbs if "/new/" in each.url)
    form = client.get(way).context
    assert (form["typed"]["table"], form["in_round"]) == ("2", str(semi_final.pk))
    desk = client.get(reverse("referee-new", args=[event.slug]), {"player": "1"})
    assert desk.context["in_round"] == final.round_id
    player = semi_final.tables.get(number=2).seats.first().entrant.number
    for typed in ({"table": "2", "told": "late"}, {"player": str(player), "told": "late"}):
        client.post(reverse("referee-new", args=[event.slug]), {**typed, "round": semi_final.pk})
        incident = Incident.objects.latest("number")
        assert (incident.table.round_id, incident.table_number) == (semi_final.pk, 2)
