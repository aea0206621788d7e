"""A slow phone's first visit in Chromium: its requests, blocking resources, and that it works.

Nothing is asserted on the clock of a busy machine: bytes, requests and the order of things are.
``python -m benchmarks phones`` reports the times.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from benchmarks.phones import LINE, visit

from .conftest import Service, running

pytestmark = pytest.mark.long
EVENT = """
from tests.tournament.build import make_event, SYSTEM
from tournament.demo.simulation import draw_and_publish
from tournament.models import Round
event = make_event(544, cut=128, slug="hall")
draw_and_publish(Round.objects.get(stage__event=event, stage__order=1, number=1), SYSTEM)
"""


@pytest.fixture(scope="module")
def hall(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    with running(tmp_path_factory.mktemp("speed")) as service:
        service.manage("shell", "-c", EVENT)
        yield service


@pytest.mark.parametrize("path", ["standings/", "draw/", "players/17/", ""])
def test_a_first_visit_is_light_and_waits_for_no_script(
    hall: Service, chromium: Any, path: str
) -> None:
    found = visit(chromium, f"{hall.url}/e/hall/{path}")
    assert 5_000 < found["bytes"] <= 50_000, found
    assert found["type"] <= 50_000, found
    assert found["requests"] <= 9, found
    assert found["blocking"] == []
    assert found["painted"] is not None


def test_the_list_answers_to_typing_on_a_slow_phone(hall: Service, chromium: Any) -> None:
    context = chromium.new_context(viewport={"width": 360, "height": 740}, locale="en")
    page = context.new_page()
    line = context.new_cdp_session(page)
    line.send("Network.enable")
    line.send("Network.emulateNetworkConditions", LINE)
    line.send("Emulation.setCPUThrottlingRate", {"rate": 4})
    page.goto(f"{hall.url}/e/hall/standings/")
    name = page.inner_text("#standings tbody tr:nth-child(5) th a")
    page.fill("[data-find]", name.upper())
    page.wait_for_function(
        "[...document.querySelectorAll('#standings tr[data-entrant]')].filter(row => row.offsetParent).length === 1"
    )
    context.close()
