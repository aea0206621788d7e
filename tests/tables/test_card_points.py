"""Share of the available card points, which some rankings use to separate entrants."""

from __future__ import annotations

import pytest

from tournament.queries.results import card_points
from tournament.services import sheets

from .build import SYSTEM, a_sheet, in_round, simple

pytestmark = pytest.mark.django_db


def test_each_side_has_the_points_of_the_deals_that_stand() -> None:
    """A deal of 60 points gives one side what the other did not take (A.0)."""
    sheet, _other = (a_sheet(options={"target": {"deals": 2}}, order=order) for order in (1, 2))
    stage = in_round(sheet).stage
    sheets.enter_deal(sheet_id=sheet.pk, entry=simple(42), actor=SYSTEM)
    assert card_points([stage]) == {sheet.pk: {"": 60, "NS": 42, "EW": 18}}
    second = {**simple(33, side="EW"), "dealer": "E"}
    sheets.enter_deal(sheet_id=sheet.pk, entry=second, actor=SYSTEM)
    sheets.correct_deal(sheet_id=sheet.pk, number=1, entry=simple(41), actor=SYSTEM, reason="x")
    taken = {sheet.pk: {"": 120, "NS": 41 + 27, "EW": 19 + 33}}
    assert card_points([stage]) == taken
