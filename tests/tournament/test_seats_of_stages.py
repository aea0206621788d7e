"""Capacity of a stage by format and rulebook, and the explanation of a cut, part by part."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest

from ledger.errors import Refused
from tournament.drawing.chain import Seats
from tournament.models import Event, Stage
from tournament.pairing.model import Odd
from tournament.queries.chains import read_cut, seats_of
from tournament.ranking.cuts import Cut, Fill, TieAtCut


@pytest.mark.parametrize(
    ("rulebook", "format", "drawing", "seats"),
    [
        # docs/formats.md: a bracket, pools and a round robin seat any number of pairs.
        ("belgian", "ko", {}, Seats(1, 2, 3)),
        ("belgian", "pools_ko", {}, Seats(1, 3, 3)),
        ("belgian", "round_robin", {}, Seats(1, 2, 3)),
        ("belgian", "pairs_swiss", {}, Seats(2, 2, 3)),
        ("belgian", "individual_draw", {}, Seats(4, 4, 3)),
        ("belgian", "individual_draw", {"odd": "threes"}, Seats(4, 4, 3, Odd("threes"))),
        ("belgian", "individual_movement", {"odd": "threes"}, Seats(4, 4, 3, movement="rainbow")),
        ("belgian", "individual_movement", {"movement": "whist"}, Seats(4, 4, 3, movement="whist")),
        ("three-player", "individual_draw", {}, Seats(3, 3, 3)),
        ("auction-2", "individual_draw", {"table_size": 5}, Seats(1, 3, 3, size=5)),
        ("auction-2", "individual_draw", {}, Seats(1, 3, 3, size=4)),
    ],
)
def test_a_stage_seats_its_field_by_format_and_rulebook(
    rulebook: str, format: str, drawing: dict[str, Any], seats: Seats
) -> None:
    event = Event(rulebook=rulebook)
    stage = Stage(event=event, format=format, drawing=drawing, rounds_planned=3)
    assert seats_of(event, stage) == seats


up_to = partial(Cut, fill=Fill.UP_TO, tie=TieAtCut.ALL_IN)


@pytest.mark.parametrize(
    ("given", "cut"),
    [
        ({"top": 8}, up_to(8)),
        ({"top": "8"}, up_to(8)),
        ({"half": True}, up_to(0, half=True)),
        ({"winners": True}, up_to(0, per_table=1, round_no=3)),
        ({"per_table": 2}, up_to(0, per_table=2, round_no=3)),
        ({"top": 8, "winners": True}, up_to(8, per_table=1, round_no=3)),
        (
            {"top": 4, "per_table": 1, "fill": "beside"},
            up_to(4, per_table=1, round_no=3, fill=Fill.BESIDE),
        ),
        ({"top": 8, "whole": True}, up_to(8, tie=TieAtCut.LOTS, whole=4)),
        ({"top": 8, "whole": True, "tie": "play_off"}, up_to(8, tie=TieAtCut.PLAY_OFF, whole=4)),
        ({"top": 8, "tie": "lots"}, up_to(8, tie=TieAtCut.LOTS)),
    ],
)
def test_a_cut_is_read_as_the_form_and_the_api_write_it(given: dict[str, Any], cut: Cut) -> None:
    assert read_cut(given, 3, whole=4) == cut


@pytest.mark.parametrize(
    ("given", "code", "field"),
    [
        ({"best": 8}, "unknown_cut", "best"),
        ({"top": "many"}, "unknown_cut", "cut"),
        ({"top": 8, "fill": "some"}, "unknown_cut", "cut"),
        ({"half": True, "top": 8}, "half_or_number", "half"),
        ({"half": True, "winners": True, "fill": "beside"}, "half_or_number", "half"),
        ({"per_table": 1, "fill": "seconds"}, "seconds_of_tables", "fill"),
        ({"top": 8, "fill": "seconds"}, "seconds_of_tables", "fill"),
        ({"top": 8, "whole": True, "tie": "all_in"}, "whole_and_all_in", "tie"),
    ],
)
def test_a_cut_that_contradicts_itself_is_refused_at_its_field(
    given: dict[str, Any], code: str, field: str
) -> None:
    with pytest.raises(Refused) as refused:
        read_cut(given, 3, whole=4)
    assert (refused.value.code, refused.value.field) == (code, field)


def test_half_of_the_field_and_the_table_winners_may_both_go_on() -> None:
    cut = read_cut({"half": True, "winners": True}, 3)
    assert (cut.half, cut.per_table, cut.fill) == (True, 1, Fill.UP_TO)
    assert read_cut({"half": True, "fill": "beside"}, 3).half
