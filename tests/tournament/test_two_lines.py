"""The list of a Mitchell: each line has its own ranks, and its own explanations between neighbours."""

from __future__ import annotations

import pytest

from tests.tournament.build import SYSTEM
from tests.tournament.results import copy_slip
from tests.tournament.test_stages import event_of, publish_next
from tournament.models.tables import Sheet
from tournament.queries.lines import lines_of
from tournament.queries.pages import standings_of
from tournament.services import entrants

pytestmark = pytest.mark.django_db


def test_the_ranks_of_each_line_begin_with_the_first() -> None:
    event = event_of(6, "pairs_mitchell", rounds=1, ranking="world_championship")
    drawn = publish_next(event)
    marks = {1: (10, 4), 2: (8, 2), 3: (10, 4)}
    for sheet in Sheet.objects.filter(table__round=drawn.round).select_related("table"):
        ours, theirs = marks[sheet.table.number]
        copy_slip(sheet, {"NS": ours, "EW": theirs})
    seats = drawn.round.seats.values_list("table__number", "position", "entrant__number")
    at = {(table, position): number for table, position, number in seats}
    shown = standings_of(event.stages.get(), language="en")
    codes = [column.code for column in shown.columns]
    rows = [
        (row.line, row.rank, row.tied, row.number, None if row.by is None else codes[row.by])
        for row in shown.rows
    ]
    lines = []
    for line, position in (("North-South", "NS"), ("East-West", "EW")):
        first, second = sorted(at[table, position] for table in (1, 3))
        lines += [
            (line, 1, True, first, None),
            (line, 1, True, second, None),
            (line, 3, False, at[2, position], codes[-1]),
        ]
    assert rows == lines
    assert not shown.cut


def test_who_sits_out_of_the_only_round_belongs_to_the_line_that_stays() -> None:
    event = event_of(5, "pairs_mitchell", rounds=1)
    drawn = publish_next(event)
    lines = lines_of(event.stages.get())
    (rests,) = event.entrants.filter(pk__in=drawn.byes).values_list("number", flat=True)
    assert sorted(lines.values()) == [0, 0, 0, 1, 1]
    assert lines[rests] == 0


def test_who_has_no_line_stands_at_the_end_of_the_second_one_and_is_said_to() -> None:
    event = event_of(6, "pairs_mitchell", rounds=1)
    entrants.enter_player(event_id=event.pk, name="Absent", partner="Pair", actor=SYSTEM)
    drawn = publish_next(event)
    for sheet in Sheet.objects.filter(table__round=drawn.round):
        copy_slip(sheet, {"NS": 6, "EW": 10})
    stage = event.stages.get()
    assert 7 not in lines_of(stage)
    rows = [(row.line, row.number) for row in standings_of(stage, language="en").rows]
    assert [line for line, _number in rows] == ["North-South"] * 3 + ["East-West"] * 4
    assert rows[-1] == ("East-West", 7)


def test_a_round_robin_of_pairs_has_one_list_though_its_rounds_are_all_planned() -> None:
    event = event_of(6, "round_robin", rounds=5)
    publish_next(event)
    stage = event.stages.get()
    assert lines_of(stage) == {}
    assert {row.line for row in standings_of(stage, language="en").rows} == {""}
