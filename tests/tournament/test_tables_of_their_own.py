"""Players who cannot change tables keep their table; two of them who have met get a table each."""

from __future__ import annotations

import pytest

from tests.tournament.build import SYSTEM, make_event
from tests.tournament.test_stages import publish_next, settle
from tournament.models import Event, Round
from tournament.queries.fields import spec_of
from tournament.services import bans_and_wishes, reseating
from tournament.services.events import new_stage

pytestmark = pytest.mark.django_db


def tables(event: Event, number: int) -> dict[int, int]:
    """Return, by start number, the table in a round's draw of each player who cannot move."""
    round_ = Round.objects.get(stage__event=event, number=number)
    return {who.id: who.fixed_table for who in spec_of(round_.pk).contestants if who.fixed_seat}


def sat(event: Event, number: int) -> dict[int, int]:
    round_ = Round.objects.get(stage__event=event, number=number)
    return dict(round_.seats.values_list("entrant__number", "table__number"))


def test_two_who_met_at_a_third_table_keep_it_and_the_one_before() -> None:
    plan = new_stage("Rounds", rounds=3, games_per_round=1, deals_per_game=2)
    event = make_event(12, plan=[plan])
    for number in (4, 9):
        bans_and_wishes.wish(event_id=event.pk, number=number, actor=SYSTEM, fixed_seat=True)
    assert tables(event, 1) == {4: 0, 9: 0}
    settle(publish_next(event))
    first = sat(event, 1)
    assert first[4] != first[9]
    assert tables(event, 2) == {4: first[4], 9: first[9]}
    drawn = publish_next(event)
    seats = sat(event, 2)
    assert (seats[4], seats[9]) == (first[4], first[9])
    # By hand both are moved to the third table.
    (third,) = {1, 2, 3} - {first[4], first[9]}
    others = [number for number, table in seats.items() if table == third]
    for one, other in zip((4, 9), others, strict=False):
        reseating.exchange(round_id=drawn.round_id, one=one, two=other, actor=SYSTEM)
    assert {sat(event, 2)[4], sat(event, 2)[9]} == {third}
    assert tables(event, 3) == {4: third, 9: first[9]}
