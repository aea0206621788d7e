"""A correction starts from the values typed before: the same side, its points, its tricks."""

from __future__ import annotations

import pytest

from scoring.engine.rulebook import resolve
from tournament.tables.entry import typed_of

CONTRACT = {"declarer": "NS", "trump": "H"}


@pytest.mark.parametrize(
    ("entry", "typed"),
    [
        ({"points": {"EW": 12}, "tricks": {"NS": 6, "EW": 2}}, ("EW", "12", "2")),
        ({"points": {"EW": 12}, "tricks": {"EW": 2, "NS": 6}}, ("EW", "12", "2")),
        ({"points": {"NS": 40}}, ("NS", "40", None)),
        ({"tricks": {"EW": 8, "NS": 0}}, ("EW", None, "8")),
        ({"points": {"EW": 0}, "tricks": {"NS": 8}}, ("EW", "0", None)),
    ],
)
def test_points_and_tricks_are_of_one_side(
    entry: dict[str, object], typed: tuple[str, str | None, str | None]
) -> None:
    found = typed_of(resolve("belgian"), {"dealer": "N", "contract": CONTRACT, **entry})
    assert (found.get("side"), found.get("points"), found.get("tricks")) == typed
    assert found["depth"] == ("tricks" if "tricks" in entry else "points")
