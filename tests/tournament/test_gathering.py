"""Standings from incremental reads equal standings from a full read."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.tournament.build import SYSTEM, chance, make_event
from tournament.demo.simulation import advance, draw_and_publish, play_sheet
from tournament.models import Event, Round, Stage, Standings
from tournament.models.tables import OfficialResult, Sheet
from tournament.queries.history import history
from tournament.queries.results import gather
from tournament.queries.standings import compute, recompute, rule_of, standing_of
from tournament.ranking.canonical import input_bytes
from tournament.ranking.ranking import rank
from tournament.services import entrants, signatures

pytestmark = pytest.mark.django_db


def stage_of(event: Event) -> Stage:
    return Stage.objects.select_related("event").get(event=event, order=1)


def same_as_all(event: Event) -> None:
    """Check that the incremental read equals the database and gives the same standings."""
    stage = stage_of(event)
    part, whole = gather(stage, frame=stage.event.frame_version), gather(stage)
    assert input_bytes(part.entrants, part.results, part.adjustments, part.lots) == input_bytes(
        whole.entrants, whole.results, whole.adjustments, whole.lots
    )
    assert compute(stage, part) == compute(stage, whole)


def drawn(event: Event, number: int) -> Round:
    return draw_and_publish(
        Round.objects.get(stage__event=event, stage__order=1, number=number), SYSTEM
    )


@pytest.mark.parametrize("players", [8, 10, 11])
def test_a_day_read_bit_by_bit_is_the_whole_day(players: int) -> None:
    """With sit-outs (10) and a table of three (11), a correction, a ruling, a withdrawal."""
    event = make_event(players, deals=1, cut=4)
    luck = chance("gathering")
    same_as_all(event)
    advance(event, luck)
    same_as_all(event)
    round_ = drawn(event, 2)
    games = list(Sheet.objects.filter(table__round=round_))
    for game in games[:3]:
        play_sheet(game, luck)
        same_as_all(event)
    signed = OfficialResult.objects.filter(sheet__table__round__number=1).first()
    assert signed is not None
    signatures.reopen(sheet_id=signed.sheet_id, actor=SYSTEM, reason="wrong side")
    same_as_all(event)
    play_sheet(signed.sheet, luck)
    same_as_all(event)
    entrants.withdraw(entrant_id=event.entrants.get(number=3).pk, actor=SYSTEM)
    same_as_all(event)


def test_a_signature_has_its_own_result_read_and_no_other() -> None:
    event = make_event(8, deals=1, cut=4)
    luck = chance("gathering")
    advance(event, luck)
    round_ = drawn(event, 2)
    stage = stage_of(event)
    before = gather(stage, frame=stage.event.frame_version)
    play_sheet(Sheet.objects.filter(table__round=round_)[0], luck)
    with CaptureQueriesContext(connection) as queries:
        after = gather(stage, frame=stage.event.frame_version)
    read = [q["sql"] for q in queries if '"scoring_officialresult"."result"' in q["sql"]]
    assert len(read) == 1
    assert " IN (" in read[0].rpartition("WHERE")[2]
    known = {id(line) for line in before.results}
    assert len([line for line in after.results if id(line) not in known]) == 4


def test_a_round_that_is_over_is_ranked_once_and_again_only_after_a_correction(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    event = make_event(8, deals=1, cut=4)
    luck = chance("gathering")
    advance(event, luck)
    advance(event, luck)
    round_ = drawn(event, 3)
    games = list(Sheet.objects.filter(table__round=round_))
    ranked: list[int] = []

    def counted(*words: object, **more: object) -> object:
        ranked.append(len(words[1]))  # type: ignore[arg-type]
        return rank(*words, **more)  # type: ignore[arg-type]

    monkeypatch.setattr("tournament.queries.history.rank", counted)
    kept: list[dict[str, object]] = []
    for number, game in enumerate(games):
        play_sheet(game, luck)
        stage = stage_of(event)
        field = gather(stage, frame=stage.event.frame_version)
        kept = history(field, rule_of(stage), compute(stage, field), kept)
        assert len(ranked) == 2, f"signature {number}"
        lines = field.entrants, field.results, field.adjustments, rule_of(stage), field.lots
        plain = [
            rank(*lines, through=number)
            for number in sorted({line.round_no for line in field.results})
        ]
        assert [entry["ranks"] for entry in kept] == [
            {str(row.entrant.number): row.rank for row in one.rows} for one in plain
        ]
    first = OfficialResult.objects.filter(current=True, sheet__table__round__number=1)[0]
    signatures.reopen(sheet_id=first.sheet_id, actor=SYSTEM, reason="wrong side")
    ranked.clear()
    field = gather(stage, frame=stage.event.frame_version)
    kept = history(field, rule_of(stage), compute(stage, field), kept)
    assert len(ranked) == 2, "both rounds follow from the one that was reopened"
    play_sheet(first.sheet, luck)
    field = gather(stage, frame=stage.event.frame_version)
    again = history(field, rule_of(stage), compute(stage, field), kept)
    assert len(ranked) == 4
    assert again != kept


@pytest.mark.django_db(transaction=True)
def test_what_was_computed_here_is_what_its_row_says() -> None:
    event = make_event(10, deals=1, cut=4)
    luck = chance("gathering")
    advance(event, luck)
    round_ = drawn(event, 2)
    play_sheet(Sheet.objects.filter(table__round=round_)[0], luck)
    computed = recompute(stage_id=stage_of(event).pk, force=True)
    again = Standings.objects.select_related("stage__event").get(pk=computed.pk)
    assert standing_of(again) == standing_of(computed) == compute(stage_of(event))
