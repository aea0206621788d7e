"""The worked deals of the rulebook pages: an input of ``score`` and the story of the deal."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final


@dataclass(frozen=True, slots=True)
class Worked:
    """One deal: its title, what happened at the table, and the entry."""

    title: str
    story: str
    payload: dict[str, object]


def _deal(rulebook: str, title: str, story: str, **entry: object) -> Worked:
    return Worked(title, story, {"rulebook": rulebook, **entry})


_DEALS: Final = (
    _deal(
        "parlee",
        "a king turned up",
        "South deals and turns up the king of hearts. N-S take 30 points, E-W 38.",
        dealer="S",
        turn_up="KH",
        points={"NS": 30, "EW": 38},
    ),
    _deal(
        "parlee",
        "a revoke",
        "East did not follow suit though able to; the deal's points are not marked.",
        infractions=[{"article": "000-P1", "side": "EW"}],
    ),
    _deal(
        "boussac",
        "thirty-nine",
        "North deals, turns up a ten, and that side wins all eight tricks: the maximum.",
        dealer="N",
        turn_up="10S",
        points={"NS": 68, "EW": 0},
        tricks={"NS": 8, "EW": 0},
    ),
    _deal(
        "boussac",
        "a misdeal seen after the turn-up",
        "North turned up a king, then a player found nine cards in hand before playing.",
        dealer="N",
        turn_up="KH",
        infractions=[{"article": "001-R8", "side": "NS"}],
    ),
    _deal(
        "chaloupee",
        "44 without trump, made",
        "N-S bid 44 without trump, were not doubled, and took 47.",
        contract={"declarer": "NS", "level": 44, "trump": "NT"},
        points={"NS": 47, "EW": 21},
    ),
    _deal(
        "chaloupee",
        "44 hearts, doubled and failed",
        "N-S bid 44 hearts, E-W doubled, and N-S took 38.",
        contract={"declarer": "NS", "level": 44, "trump": "H", "doubling": 1},
        points={"NS": 38, "EW": 30},
    ),
    _deal(
        "coinchee",
        "without trump",
        "E-W chose no trump and took 42 points.",
        contract={"declarer": "EW", "trump": "NT"},
        points={"NS": 26, "EW": 42},
    ),
    _deal(
        "muette",
        "blind trump",
        "The dealer of N-S named no trump before seeing the cards; the side took 36 points.",
        contract={"declarer": "NS", "trump": "NT", "blind": True},
        points={"NS": 36, "EW": 24},
    ),
    _deal(
        "parlee-limited",
        "tapped",
        "N-S chose spades, E-W tapped, and E-W took 33 points.",
        contract={"declarer": "NS", "trump": "S", "doubling": 1},
        points={"NS": 27, "EW": 33},
    ),
    _deal(
        "auction-1",
        "the declarer succeeds",
        "Three play; 2 exchanged one card, for a stake of 6, and took 24 points.",
        options={"players": 3, "stakes": [8, 6, 4]},
        contract={"declarer": "2", "exchanged": 1},
        points={"2": 24},
    ),
    _deal(
        "auction-2",
        "one short",
        "2 bid 40 and took 39.",
        contract={"declarer": "2", "level": 40},
        points={"2": 39},
    ),
    _deal(
        "auction-3",
        "every trick without exchanging",
        "Both doublings are in force; 4 bid every trick, left the widow alone, and won all seven.",
        options={"double_all_tricks": True, "double_no_exchange": True},
        contract={"declarer": "4", "level": "all", "exchanged": False},
        tricks={"4": 7},
    ),
    _deal(
        "blind",
        "an ordinary deal",
        "Spades were trump; E-W took 41 points.",
        contract={"trump": "S"},
        points={"NS": 19, "EW": 41},
    ),
    _deal(
        "three-player",
        "the dealer wins",
        "The dealer took 33 points, the two others 27, the two cards aside being counted.",
        contract={"trump": "D"},
        points={"3": 33, "12": 27},
    ),
    _deal(
        "belgian",
        "knock and counter-knock without trump",
        "N-S played without trump; E-W knocked, N-S knocked back and took 35 points.",
        contract={"declarer": "NS", "trump": "NT", "doubling": 2},
        points={"NS": 35, "EW": 25},
    ),
)

WORKED: Final[Mapping[str, tuple[Worked, ...]]] = MappingProxyType(
    {
        str(key): tuple(deal for deal in _DEALS if deal.payload["rulebook"] == key)
        for key in dict.fromkeys(deal.payload["rulebook"] for deal in _DEALS)
    }
)
"""The worked deals by rulebook."""
