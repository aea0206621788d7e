"""Seats, ranks and charts of all players, rendered in one go, match each player's own page."""

from __future__ import annotations

import re

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import translation

from ledger.change import raise_version
from tests.sampled import one_in
from tests.tournament.build import SYSTEM, chance, make_event
from tests.tournament.test_stages import publish_next
from tournament.demo.simulation import advance, draw_and_publish, play_sheet
from tournament.models import Entrant, Event, Round
from tournament.models.tables import Sheet
from tournament.queries.names import by_number
from tournament.queries.standings import compute
from tournament.services import entrants, rounds
from tournament.services.entrant_edits import correct_entrant
from tournament.services.event_life import finish_event
from tournament.services.events import new_stage, update_event
from tournament.services.standings import set_state
from tournament.views.own_parts import parts_for_all

pytestmark = pytest.mark.django_db
PARTS = ["now", "place", "charts"]


@pytest.fixture(scope="module")
def built(module_database: None) -> Event:
    """Create 12 players after one round, seated for the next, in which one table has signed."""
    event = make_event(12, deals=1, cut=8, slug="hall")
    luck = chance("own parts")
    advance(event, luck)
    round_ = draw_and_publish(
        Round.objects.get(stage__event=event, stage__order=1, number=2), SYSTEM
    )
    play_sheet(Sheet.objects.filter(table__round=round_, order=1)[0], luck)
    event.refresh_from_db()
    return event


@pytest.fixture
def hall(built: Event) -> Event:
    return Event.objects.get(pk=built.pk)


@pytest.mark.parametrize("language", one_in(3, ["fr", "nl", "en"]))
@pytest.mark.parametrize("part", PARTS)
def test_what_is_made_for_all_is_what_each_page_holds(
    client: Client, hall: Event, part: str, language: str
) -> None:
    with translation.override(language):
        parts = parts_for_all(hall, part, language=language)
    assert sorted(parts) == list(range(1, 13))
    said = {"accept-language": language}
    for number, body in parts.items():
        assert body
        root = f"/e/hall/players/{number}/"
        assert body in client.get(root, headers=said).content
        assert client.get(f"{root}?part={part}", headers=said).content == body


@pytest.fixture(scope="module")
def fields(module_database: None) -> dict[int, Event]:
    """Create fields of 8 and of 24 after their first round."""
    events = {}
    for players in (8, 24):
        events[players] = make_event(players, deals=1, slug=f"hall-{players}")
        advance(events[players], chance())
    return events


@pytest.mark.parametrize("part", PARTS)
def test_the_queries_of_a_making_do_not_grow_with_the_field(
    fields: dict[int, Event], part: str
) -> None:
    counts = set()
    for players, built in fields.items():
        event = Event.objects.get(pk=built.pk)
        parts_for_all(event, part, language="en")
        raise_version(event.pk)
        event.refresh_from_db()
        with CaptureQueriesContext(connection) as queries:
            assert len(parts_for_all(event, part, language="en")) == players
        counts.add(len(queries))
    assert len(counts) == 1


def test_looks_and_addresses_share_it_and_languages_do_not(client: Client, hall: Event) -> None:
    path = "/e/hall/players/5/?part=place"
    english = client.get(path, headers={"accept-language": "en"})
    client.cookies["theme"] = "dark"
    dark = client.get(path, headers={"accept-language": "en"})
    assert (dark.content, dark["ETag"]) == (english.content, english["ETag"])
    french = client.get(path, headers={"accept-language": "fr"})
    assert "classement" in french.content.decode()
    assert french["ETag"] != english["ETag"]


def test_names_are_escaped_in_what_is_written_by_hand(client: Client, hall: Event) -> None:
    for entrant in hall.entrants.all():
        correct_entrant(
            entrant_id=hall.entrants.get(number=entrant.number).pk,
            actor=SYSTEM,
            changes={"name": '<b>"Jef" & Co</b>', "club": "<i>De Tien</i>"},
        )
    for part in PARTS:
        for number in range(1, 5):
            said = client.get(f"/e/hall/players/{number}/?part={part}").content.decode()
            assert "<b>" not in said
            assert "<i>" not in said
            assert ("&lt;b&gt;&quot;Jef&quot; &amp; Co" in said) is (part != "charts")


@pytest.mark.guide("players#read-your-page")
def test_the_place_says_ranks_ties_neighbours_and_the_cut(client: Client, hall: Event) -> None:
    page = client.get("/e/hall/standings/").content.decode()
    ranks = dict(
        re.findall(r'<tr data-entrant="(\d+)"[^>]*>\s*<td class="rank">(\d+=?)</td>', page)
    )
    assert len(ranks) == 12
    order = list(ranks)
    for index, number in enumerate(order):
        said = client.get(f"/e/hall/players/{number}/?part=place").content.decode()
        assert f"<dd>{ranks[number]} <small>/ 12</small></dd>" in said
        beside = re.findall(
            r"(Just ahead|Just behind):\s*<a href=\"/e/hall/players/(\d+)/\">", said
        )
        wanted = [("Just ahead", order[index - 1])] if index else []
        wanted += [("Just behind", order[index + 1])] if index < 11 else []
        assert beside == wanted
        assert "first 8 qualify" in said


def test_nobody_has_a_place_before_the_first_result(client: Client) -> None:
    event = make_event(8, deals=1, slug="other")
    publish_next(event)
    for number in range(1, 9):
        assert client.get(f"/e/other/players/{number}/?part=place").content == b""
    assert "Just ahead" not in client.get("/e/other/players/1/").content.decode()


def test_who_is_not_in_the_stage_has_no_place_and_who_withdrew_no_seat(
    client: Client, hall: Event
) -> None:
    late = entrants.enter_player(event_id=hall.pk, name="Te Laat", actor=SYSTEM)
    assert client.get(f"/e/hall/players/{late.number}/?part=charts").status_code == 200
    gone = Entrant.objects.get(event=hall, number=3)
    entrants.withdraw(entrant_id=gone.pk, actor=SYSTEM)
    now = client.get("/e/hall/players/3/?part=now").content.decode()
    assert "No table this round" not in now
    assert re.search(r"Table \d+", now)
    assert "Withdrawn: no table after this round" in now
    assert "Withdrawn" not in client.get("/e/hall/players/4/?part=now").content.decode()
    entrants.withdraw(entrant_id=late.pk, actor=SYSTEM)
    unseated = client.get(f"/e/hall/players/{late.number}/?part=now").content.decode()
    assert "No table this round" not in unseated
    assert "Withdrawn: no more tables" in unseated


def test_who_comes_late_is_told_from_which_round_they_play(client: Client, hall: Event) -> None:
    said = "You play from round 3."
    late = entrants.enter_player(event_id=hall.pk, name="Te Laat", actor=SYSTEM)
    at = f"/e/hall/players/{late.number}/"
    assert "No table this round" in client.get(f"{at}?part=now").content.decode()
    # An absent player gets no promise of a table.
    assert said not in client.get(f"{at}?part=now").content.decode()
    entrants.check_in(entrant_id=late.pk, actor=SYSTEM)
    page = client.get(at).content.decode()
    assert said in page
    assert "No round drawn yet" not in page
    assert said in client.get(f"{at}?part=now").content.decode()
    assert said not in client.get("/e/hall/players/1/?part=now").content.decode()


@pytest.mark.parametrize("hidden", [0, 1])
def test_who_went_out_at_the_cut_is_told_so_where_tables_stand(client: Client, hidden: int) -> None:
    # Also while the last rounds are hidden: the draw of the final is published.
    plan = [
        new_stage("Heats", rounds=1, cut={"top": 4, "tie": "lots"}),
        new_stage("Final", rounds=1),
    ]
    event = make_event(8, deals=2, plan=plan, slug="other")
    update_event(event_id=event.pk, actor=SYSTEM, changes={"hide_last_rounds": hidden})
    while advance(event, chance()) is not None:
        continue
    through = set(event.stages.get(order=2).field.values_list("entrant__number", flat=True))
    assert len(through) == 4
    for number in range(1, 9):
        now = client.get(f"/e/other/players/{number}/?part=now").content.decode()
        assert "No table this round" not in now
        assert ("Out: not qualified for Final" in now) is (number not in through)


def test_nothing_is_told_of_places_that_are_hidden(client: Client) -> None:
    event = make_event(8, deals=1, slug="other")
    update_event(event_id=event.pk, actor=SYSTEM, changes={"hide_last_rounds": 3})
    advance(event, chance())
    for part in ("place", "charts"):
        answer = client.get(f"/e/other/players/1/?part={part}")
        assert (answer.status_code, answer.content) == (200, b"")


def test_somebody_entered_while_a_page_is_made_spoils_no_page(hall: Event) -> None:
    """The page started with the names known then; its standings include one more."""
    before = Event.objects.get(pk=hall.pk)
    assert len(by_number(before)) == 12
    entrants.enter_player(event_id=hall.pk, name="Net Op Tijd", actor=SYSTEM, present=True)
    parts = parts_for_all(before, "place", language="en")
    assert len(parts) == 12
    assert all(parts.values())


def test_a_closed_round_has_no_clock_and_a_finished_event_no_seat(client: Client) -> None:
    event = make_event(4, plan=[new_stage("Stage", rounds=1, deals_per_game=1)], slug="other")
    round_ = draw_and_publish(Round.objects.get(stage__event=event), SYSTEM)
    assert b"data-clock-time" in client.get("/e/other/players/1/").content
    for sheet in Sheet.objects.filter(table__round=round_):
        play_sheet(sheet, chance())
    rounds.close_round(round_id=round_.pk, actor=SYSTEM)
    page = client.get("/e/other/players/1/").content
    assert b"now__big" in page
    assert b"data-clock-time" not in page
    set_state(stage_id=round_.stage_id, state="final", actor=SYSTEM)
    finish_event(event_id=event.pk, actor=SYSTEM)
    assert b"now__big" not in client.get("/e/other/players/1/").content


def test_who_went_out_at_the_cut_sees_the_place_in_the_event(client: Client) -> None:
    """Eight players, four in the final: the others are fifth to eighth, as the first stage left them."""
    stages = [
        new_stage("Heats", rounds=2, deals_per_game=2, cut={"top": 4, "tie": "lots"}),
        new_stage("Final", rounds=1, deals_per_game=1),
    ]
    event = make_event(8, plan=stages, slug="other")
    luck = chance()
    while advance(event, luck) is not None:
        continue
    heats, final = event.stages.order_by("order")
    through = set(final.field.values_list("entrant__number", flat=True))
    first = {row.entrant.number: row.rank for row in compute(heats).rows}
    out = sorted((rank, number) for number, rank in first.items() if number not in through)
    ranks = [rank for rank, _number in out]
    for rank, number in out:
        page = client.get(f"/e/other/players/{number}/?part=place").content.decode()
        place = 5 + ranks.index(rank)
        tied = "=" if ranks.count(rank) > 1 else ""
        assert f"<dd>{place}{tied} <small>/ 8</small></dd>" in page
        assert "Stage: Heats</p>" in page
    assert len(out) == 4
