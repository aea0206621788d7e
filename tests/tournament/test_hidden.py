"""Hidden rounds appear on no page, document or API until the standings are final."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client

from tests.tournament.build import SYSTEM, chance, make_event
from tournament.demo.simulation import advance, draw_and_publish, play_round
from tournament.models import Event, Round
from tournament.queries.results import gather
from tournament.services.events import update_event
from tournament.services.rounds import close_round
from tournament.services.stage_plans import change_stage
from tournament.services.stages import open_next_stage
from tournament.services.standings import set_state

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def hidden(module_database: None) -> Event:
    """Create three rounds with the last two hidden: the second is closed, the third is signed."""
    made = make_event(8, deals=1, cut=4)
    update_event(event_id=made.pk, actor=SYSTEM, changes={"hide_last_rounds": 2})
    made.refresh_from_db()
    luck = chance("hidden")
    advance(made, luck)
    advance(made, luck)
    round_ = draw_and_publish(
        Round.objects.get(stage__event=made, stage__order=1, number=3), SYSTEM
    )
    play_round(round_, luck)
    made.refresh_from_db()
    return made


@pytest.fixture
def event(hidden: Event) -> Event:
    return Event.objects.get(pk=hidden.pk)


def pages_of(event: Event) -> Iterator[str]:
    root = f"/e/{event.slug}"
    yield from (
        f"{root}/",
        f"{root}/draw/",
        f"{root}/draw/?by=name",
        f"{root}/draw/1/2/proof/?table=1",
        f"{root}/draw/1/3/proof/?table=1",
        f"{root}/standings/",
        f"{root}/standings/?part=1",
        f"{root}/standings/1/clubs/",
        f"{root}/players/",
        f"{root}/players/?q=a",
        f"{root}/rulings/",
        f"{root}/wall/",
        f"{root}/wall/?part=main",
        f"{root}/calendar.ics",
    )
    yield from (f"{root}/players/{number}/" for number in range(1, 9))
    yield from (f"{root}/players/{number}/?part=day" for number in range(1, 5))


@pytest.mark.guide("players#the-standings")
def test_no_page_has_a_standing_a_chart_or_a_cut_of_hidden_rounds(
    client: Client, event: Event
) -> None:
    for path in pages_of(event):
        text = client.get(path, headers={"accept-language": "en"}).content.decode()
        assert "<tr data-entrant" not in text or "draw" in path, path
        for sign in (
            'id="ranks-title"',
            'id="scores-title"',
            'class="figures"',
            "qualify",
            "Qualified",
            'data-panel="standings-',
            "are tied for",
        ):
            assert sign not in text, (path, sign)


def test_a_players_page_has_no_game_of_a_hidden_round(client: Client, event: Event) -> None:
    for number in (1, 7, 8):
        text = client.get(f"/e/{event.slug}/players/{number}/", headers={"accept-language": "en"})
        page = text.content.decode()
        assert page.count("revealed at the prize-giving") == 6
        assert page.count('class="score"') == 3


@pytest.mark.guide("players#for-programs")
def test_the_api_has_no_row_of_hidden_rounds(client: Client, event: Event) -> None:
    root = f"/api/v1/events/{event.slug}"
    standing = client.get(f"{root}/standings/").json()
    assert (standing["rows"], standing["hash"]) == ([], "")
    results = client.get(f"{root}/results/?page_size=200").json()
    assert {row["round"] for row in results["rows"]} == {1}
    for kind in ("players", "draws"):
        text = client.get(f"{root}/{kind}/?page_size=200").content.decode()
        assert "marks" not in text
        assert "rank" not in text


@pytest.mark.guide("players#the-standings")
def test_no_stranger_is_given_an_export(client: Client, event: Event) -> None:
    for kind in ("players", "draws", "results", "standings"):
        for format in ("csv", "xlsx", "json"):
            answer = client.get(f"/desk/{event.slug}/export/{kind}.{format}")
            assert answer.status_code in (302, 403, 404), (kind, format)


@pytest.mark.guide("players#the-standings")
def test_a_draw_that_rests_on_hidden_rounds_keeps_its_scores(client: Client, event: Event) -> None:
    root = f"/e/{event.slug}/draw/1"
    # Round 2 depends on round 1, which is public; round 3 on round 2, which is hidden.
    assert client.get(f"{root}/2/request.json").status_code == 200
    assert client.get(f"{root}/3/request.json").status_code == 404
    page = client.get(f"{root}/3/proof/?table=1", headers={"accept-language": "en"})
    assert b"kept secret until the prize-giving" in page.content
    assert b"Why table" not in page.content


def test_a_stage_that_carries_points_over_hides_them_too(client: Client, event: Event) -> None:
    stage = event.stages.get(order=1)
    close_round(round_id=stage.rounds.get(number=3).pk, actor=SYSTEM)
    following = open_next_stage(stage_id=stage.pk, actor=SYSTEM)
    change_stage(
        event_id=event.pk, order=following.order, actor=SYSTEM, carries_over=True, rounds_planned=5
    )
    path = f"/e/{event.slug}/standings/{following.order}/"
    assert b"<tr data-entrant" not in client.get(path).content
    draw = draw_and_publish(following.rounds.get(number=1), SYSTEM)
    assert client.get(f"/e/{event.slug}/draw/2/{draw.number}/request.json").status_code == 404
    set_state(stage_id=stage.pk, state="final", actor=SYSTEM)
    assert b"<tr data-entrant" in client.get(path).content


@pytest.mark.guide("director#a-round", "players#the-standings")
def test_everything_is_told_once_final(client: Client, event: Event) -> None:
    stage = event.stages.get(order=1)
    close_round(round_id=stage.rounds.get(number=3).pk, actor=SYSTEM)
    set_state(stage_id=stage.pk, state="final", actor=SYSTEM)
    root = f"/e/{event.slug}"
    assert b"<tr data-entrant" in client.get(f"{root}/standings/").content
    assert b'data-panel="standings-1"' in client.get(f"{root}/wall/").content
    assert client.get(f"{root}/draw/1/3/request.json").status_code == 200
    rows: list[dict[str, Any]] = json.loads(
        client.get(f"/api/v1/events/{event.slug}/results/?page_size=200").content
    )["rows"]
    assert {row["round"] for row in rows} == {line.round_no for line in gather(stage).results}
