"""A forfeited round is lost with no marks for and none against (rules specification C.8)."""

from __future__ import annotations

from typing import Any

import pytest
from django.utils import timezone

from ledger.errors import Conflict
from scoring.models import OfficialResult, Sheet, SheetState
from tests.tournament.build import SYSTEM
from tests.tournament.test_stages import event_of, publish_next
from tournament.models import Adjustment, Draw, Event, Round, Seat
from tournament.services import adjustments, rounds
from tournament.services.adjustments import Amount
from tournament.services.standings import recompute

pytestmark = pytest.mark.django_db


def lost_by(drawn: Draw, number: int, net: int, games: int = 3) -> None:
    """The first ``games`` of each table become official; the side of ``number`` loses by ``net``."""
    for sheet in Sheet.objects.filter(game__table__round=drawn.round, game__number__lte=games):
        seats = {s.position: s.entrant.number for s in sheet.game.table.seats.all()}
        sides = sheet.game.sides
        loses = next((side for side in sides if number in {seats[p] for p in sides[side]}), "EW")
        other = next(side for side in sides if side != loses)
        OfficialResult.objects.create(
            sheet=sheet, number=1, sheet_version=0, made_by="test", made_at=timezone.now(),
            result={"marks": {loses: 10, other: 10 + net}, "winner": other, "deals": 2},
        )  # fmt: skip
        sheet.state = SheetState.OFFICIAL
        sheet.save()


def forfeit(event: Event, part: Round, number: int) -> None:
    adjustments.adjust(
        stage_id=part.stage_id, source="ruling:1", reason="T-ABS", actor=SYSTEM, round_id=part.pk,
        amounts=[Amount(event.entrants.get(number=number).pk, penalties=1, forfeited=True)],
    )  # fmt: skip


def rows(event: Event) -> dict[int, dict[str, Any]]:
    return {row["number"]: row for row in recompute(stage_id=event.stages.get().pk).rows}


def test_a_net_of_minus_64_that_contains_a_round_of_minus_26_becomes_minus_38() -> None:
    event = event_of(8, "individual_draw", rounds=2)
    first = publish_next(event)
    lost_by(first, 1, 38)
    rounds.close_round(round_id=first.round_id, actor=SYSTEM)
    second = publish_next(event)
    lost_by(second, 1, 26)
    before = rows(event)
    # Games won, net marks, marks.
    assert before[1]["values"] == [0, -64, 20]
    forfeit(event, second.round, 1)
    after = rows(event)
    assert after[1]["values"] == [0, -38, 10]
    assert (after[1]["lost"], after[1]["adjusted"]) == (2, True)
    assert all(after[number]["values"] == before[number]["values"] for number in range(2, 9))
    adjustments.annul(source="ruling:1", actor=SYSTEM, reason="was there")
    assert rows(event)[1]["values"] == before[1]["values"]


def test_games_never_entered_are_lost_and_the_others_have_the_event_s_credit() -> None:
    event = event_of(4, "individual_draw", rounds=1, games_per_round=3)
    drawn = publish_next(event)
    lost_by(drawn, 1, 12, games=1)
    with pytest.raises(Conflict) as refusal:
        rounds.close_round(round_id=drawn.round_id, actor=SYSTEM)
    assert refusal.value.code == "tables_not_signed"
    forfeit(event, drawn.round, 1)
    rounds.close_round(round_id=drawn.round_id, actor=SYSTEM)
    found = rows(event)
    # Never at a table that counts: listed apart, three games lost.
    assert (found[1]["rank"], found[1]["lost"], found[1]["won"]) == (None, 3, 0)
    assert all((found[n]["games"], found[n]["credited"]) == (3, 2) for n in (2, 3, 4))


def test_what_an_earlier_release_took_back_in_amounts_stands_as_it_did() -> None:
    event = event_of(4, "individual_draw", rounds=1)
    drawn = publish_next(event)
    lost_by(drawn, 1, 26)
    who = Seat.objects.get(round=drawn.round, entrant__number=1).entrant
    Adjustment.objects.create(
        event=event, stage=drawn.round.stage, round=drawn.round, entrant=who, source="ruling:1",
        marks=-10, penalties=1, reason="T-ABS", made_by="test",
    )  # fmt: skip
    assert rows(event)[1]["values"] == [0, -36, 0]
