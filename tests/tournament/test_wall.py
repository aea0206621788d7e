"""What the wall screen shows: every table, every line, the last rulings, each in its turn."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client

from ledger.jobs import work_on
from tests.tournament.build import SYSTEM, chance, make_event
from tournament.demo.simulation import advance, draw_and_publish, play_round
from tournament.models import Round
from tournament.queries import rulings
from tournament.queries.rulings import ShownRuling
from tournament.services import draws, publication
from tournament.services.clock import start_round
from tournament.services.rounds import close_round
from tournament.views import wall

pytestmark = pytest.mark.django_db
PANEL = re.compile(r'<section data-panel="([^"]+)"(.*?)</section>', re.DOTALL)


def panels(client: Client, language: str = "en") -> dict[str, str]:
    page = client.get("/e/hall/wall/", headers={"accept-language": language}).content.decode()
    return dict(PANEL.findall(page))


def test_every_line_of_the_standings_passes_by_with_the_cut(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(wall, "LINES", 4)
    event = make_event(32, deals=1, cut=16, slug="hall")
    advance(event, chance())
    shown = [text for name, text in panels(client).items() if name.startswith("standings-")]
    assert len(shown) == 8
    assert sum(text.count("<li") for text in shown) == 32
    assert [index for index, text in enumerate(shown) if "is-cut" in text] == [3]
    assert "the first 16 go through" in shown[3]
    assert 'data-seconds="15"' in shown[0]
    assert all('data-seconds="10"' in text for text in shown[1:])
    assert "4 / 8" in shown[3]


def test_every_table_of_a_published_draw_passes_by(client: Client) -> None:
    event = make_event(136, deals=1, slug="hall")
    part = Round.objects.get(stage__event=event, stage__order=1, number=1)
    work_on(str(draws.request_draw(round_id=part.pk, actor=SYSTEM).pk))
    publication.publish_draw(draw_id=part.draws.get().pk, actor=SYSTEM)
    shown = [text for name, text in panels(client).items() if name.startswith("draw-")]
    assert [text.count("<li") for text in shown] == [16, 16, 2]


def test_the_clock_goes_when_the_round_is_closed(client: Client) -> None:
    event = make_event(16, deals=1, slug="hall")
    part = Round.objects.get(stage__event=event, stage__order=1, number=1)
    start_round(round_id=draw_and_publish(part, SYSTEM).pk, actor=SYSTEM)
    assert "clock" in panels(client)
    assert "data-ends-at" in client.get("/e/hall/wall/").content.decode()
    play_round(part, chance())
    close_round(round_id=part.pk, actor=SYSTEM)
    assert {name.partition("-")[0] for name in panels(client)} == {"standings"}
    assert "clock__time" not in client.get("/e/hall/wall/").content.decode()


def test_rulings_stand_two_by_two(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    event = make_event(16, deals=1, slug="hall")
    advance(event, chance())
    said: list[Any] = [
        ShownRuling(f"001-R{n}", "Revoke", "34 to A-B", "Trick 6", "final", "Final", entrants=(3,))
        for n in (9, 10, 11)
    ]
    monkeypatch.setattr(rulings, "answers", lambda _signal, **_asked: [said])
    shown = [text for name, text in panels(client).items() if name.startswith("rulings-")]
    assert [text.count("<article") for text in shown] == [2, 1]
