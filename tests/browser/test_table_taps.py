"""A deal at the plainest depth takes few taps: what a thumb does is counted on the page itself.

Four taps (trump, two digits, write) are 4 × (1.10 + 0.20) s and three decisions of 1.35 s by the
keystroke-level model (Card, Moran and Newell, 1980): 9.3 s, under the ten that the hall gives.
``benchmarks/table.py`` measures the rest.
"""

from __future__ import annotations

from typing import Any

from .serving import Server
from .table import IN_EVERY_LANGUAGE, a_phone, number_is, write_deal

pytestmark = IN_EVERY_LANGUAGE

MOST = 4


def test_a_plain_deal_takes_four_taps(site: Server, chromium: Any, language: str) -> None:
    made = site.ask("sheet", target=500)
    with a_phone(chromium, site, language) as page:
        page.goto(made["page"])
        page.evaluate(
            "window.taps = 0; addEventListener('pointerdown', () => { window.taps += 1; }, true)"
        )
        for number, points in ((1, 42), (2, 37)):
            write_deal(page, points)
            number_is(page, number + 1)
        assert page.evaluate("window.taps") <= 2 * MOST
    assert len(site.ask("read", sheet=made["sheet"])["deals"]) == 2
