"""The wall screen: every table, every line and the last rulings, each in its turn."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client
from django.utils.html import escape

from ledger.jobs import work_on
from tests.tournament.build import SYSTEM, chance, make_event, varied
from tests.tournament.documents.reading import plain
from tournament.demo.simulation import advance, draw_and_publish, play_round
from tournament.models import Event, Round
from tournament.queries import rulings
from tournament.queries.overall import overall_of
from tournament.queries.rulings import ShownRuling
from tournament.services import draws, publication
from tournament.services.clock import start_round
from tournament.services.event_life import finish_event
from tournament.services.events import championship_plan, new_stage
from tournament.services.rounds import close_round
from tournament.services.standings import set_state
from tournament.views import wall

pytestmark = pytest.mark.django_db
PANEL = re.compile(r'<section data-panel="([^"]+)"(.*?)</section>', re.DOTALL)


def panels(client: Client, at: str = "hall", **query: str) -> dict[str, str]:
    page = client.get(f"/e/{at}/wall/", query, headers={"accept-language": "en"})
    return dict(PANEL.findall(page.content.decode()))


def test_every_line_of_the_standings_passes_by_with_the_cut(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(wall, "LINES", 2)
    event = make_event(16, deals=1, cut=8, slug="hall")
    advance(event, chance())
    shown = [text for name, text in panels(client).items() if name.startswith("standings-")]
    assert len(shown) == 8
    assert sum(text.count("<li") for text in shown) == 16
    assert [index for index, text in enumerate(shown) if "is-cut" in text] == [3]
    assert "the first 8 qualify" in shown[3]
    assert 'data-seconds="15"' in shown[0]
    assert all('data-seconds="10"' in text for text in shown[1:])
    assert "4 / 8" in shown[3]


def test_once_all_is_final_the_wall_ranks_the_whole_event(client: Client) -> None:
    final = new_stage("Final", rounds=1, games_per_round=1, deals_per_game=1)
    first = varied(final, name="Rounds", cut={"top": 4, "tie": "lots"})
    event = make_event(8, plan=[first, final], slug="hall")
    while advance(event, chance()):
        pass
    assert panels(client)["standings-1"].count("<li") == 4
    for stage in event.stages.all():
        set_state(stage_id=stage.pk, state="final", actor=SYSTEM, reason="They share the cup.")
    shown = plain(panels(client)["standings-1"])
    assert "Whole event" in shown
    # The name gets the width of the line, because the stage is set smaller.
    assert '<span class="wall__stage soft">' in shown
    order = [row.entrant.number for row in overall_of(event).rows]
    names = dict(event.entrants.values_list("number", "person__name"))
    fitted = [wall.fitting(names[number], wall.NAME) for number in order]
    places = [shown.index(escape(name)) for name in fitted]
    assert len(places) == 8
    assert places == sorted(places)
    assert (shown.count("Final"), shown.count("Rounds")) == (5, 4)
    finish_event(event_id=event.pk, actor=SYSTEM)
    header = client.get("/e/hall/wall/", headers={"accept-language": "en"}).content.decode()
    assert "Round 1" not in header


def publish(event: Event, number: int) -> Round:
    """Draw and publish a round of the first stage without starting its clock."""
    round_ = Round.objects.get(stage__event=event, stage__order=1, number=number)
    work_on(str(draws.request_draw(round_id=round_.pk, actor=SYSTEM).pk))
    publication.publish_draw(draw_id=round_.draws.get().pk, actor=SYSTEM)
    return round_


@pytest.fixture(scope="module")
def large(module_database: None) -> Event:
    """Create 136 players with a published first round; a table plays one game of one deal a round."""
    plan = [varied(stage, games_per_round=1) for stage in championship_plan(deals=1, cut=8)]
    event = make_event(136, plan=plan, slug="large")
    publish(event, 1)
    return event


def test_every_table_of_a_published_draw_passes_by(client: Client, large: Event) -> None:
    shown = [text for name, text in panels(client, "large").items() if name.startswith("draw-")]
    assert [text.count("<li") for text in shown] == [16, 16, 2]


def cycle(shown: dict[str, str]) -> int:
    """Return the seconds of one pass through all panels."""
    return sum(int(re.findall(r'data-seconds="(\d+)"', text)[0]) for text in shown.values())


@pytest.mark.guide("players#clubs-calendar-wall")
def test_a_large_hall_finds_every_name_within_a_minute(
    client: Client, large: Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    # As many panels as 136 tables of four need, and standings of 544.
    monkeypatch.setattr(wall, "TABLES", 4)
    monkeypatch.setattr(wall, "LINES", 6)
    round_ = large.stages.get(order=1).rounds.get(number=1)
    start_round(round_id=round_.pk, actor=SYSTEM)
    playing = panels(client, "large")
    ranked = {name: text for name, text in playing.items() if name.startswith("standings-")}
    assert len(ranked) == 23
    assert cycle(ranked) <= 4 * 60
    assert wall.screens_for(136) == ["1-4", "2-4", "3-4", "4-4"]
    seen = 0
    for screen in wall.screens_for(136):
        shown = panels(client, "large", screen=screen)
        assert {name.rpartition("-")[0] for name in shown} == {"standings"}
        assert cycle(shown) <= 60
        assert sum("data-shown" in text for text in shown.values()) == 1
        seen += sum(text.count("<li") for text in shown.values())
    assert seen == 136
    play_round(round_, chance())
    close_round(round_id=round_.pk, actor=SYSTEM)
    publish(large, 2)
    drawn = panels(client, "large")
    assert {name.rpartition("-")[0] for name in drawn} == {"draw"}
    assert sum(text.count("<li") for text in drawn.values()) == 34
    assert cycle(drawn) <= 60


def test_a_screen_that_there_is_not_and_a_small_hall(client: Client) -> None:
    make_event(8, deals=1, slug="hall")
    for screen in ("3-2", "0-4", "1-99", "x"):
        assert client.get("/e/hall/wall/", {"screen": screen}).status_code == 404
    assert wall.screens_for(34) == []


def test_the_clock_goes_when_the_round_is_closed(client: Client) -> None:
    event = make_event(4, deals=1, slug="hall")
    round_ = Round.objects.get(stage__event=event, stage__order=1, number=1)
    start_round(round_id=draw_and_publish(round_, SYSTEM).pk, actor=SYSTEM)
    assert "clock" in panels(client)
    assert "data-ends-at" in client.get("/e/hall/wall/").content.decode()
    play_round(round_, chance())
    close_round(round_id=round_.pk, actor=SYSTEM)
    assert {name.partition("-")[0] for name in panels(client)} == {"standings"}
    assert "clock__time" not in client.get("/e/hall/wall/").content.decode()


def test_rulings_stand_two_by_two(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    advance(make_event(4, deals=1, slug="hall"), chance())
    said: list[Any] = [
        ShownRuling(f"001-R{n}", "Revoke", "34 to A-B", "Trick 6", "final", "Final", entrants=(3,))
        for n in (9, 10, 11)
    ]
    monkeypatch.setattr(rulings, "answers", lambda _signal, **_asked: [said])
    shown = [text for name, text in panels(client).items() if name.startswith("rulings-")]
    assert [text.count("<article") for text in shown] == [2, 1]
