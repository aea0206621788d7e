"""Two players sat at each other's table, and deals were written: one act corrects it, or undoes that."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from accounts.models import Role
from ledger.audit import breaks
from ledger.errors import Conflict
from operations.replay import replay
from tests.tournament.build import SYSTEM, chance, make_event, make_user
from tournament.demo.simulation import draw_and_publish, play_round
from tournament.models import Draw, Event, Round, Seat
from tournament.models.tables import OfficialResult, Signature
from tournament.queries.standings import fresh, recompute
from tournament.services import reseating
from tournament.services.standings import set_state

pytestmark = pytest.mark.django_db


@pytest.fixture
def played() -> Round:
    event = make_event(8, deals=1)
    round_ = Round.objects.get(stage__event=event, stage__order=1, number=1)
    draw_and_publish(round_, SYSTEM)
    play_round(round_, chance())
    round_.refresh_from_db()
    return round_


def two_of(round_: Round) -> tuple[int, int]:
    """Return one player of each of the first two tables."""
    numbers = [
        round_.seats.filter(table__number=table).order_by("position").first() for table in (1, 2)
    ]
    one, two = (seat.entrant.number for seat in numbers if seat is not None)
    return one, two


def state(round_: Round) -> dict[str, Any]:
    """Return all official facts of the round, and the standings to the byte."""
    kept = recompute(stage_id=round_.stage_id, force=True)
    draw = Draw.objects.get(round=round_, state="published")
    return {
        "seats": sorted(
            Seat.objects.filter(round=round_).values_list(
                "table__number", "position", "entrant__number", "scorekeeper"
            )
        ),
        "results": list(OfficialResult.objects.order_by("pk").values("sheet", "result", "current")),
        "signatures": list(Signature.objects.order_by("pk").values("sheet", "side", "standing")),
        "tables": draw.tables,
        "byes": draw.byes,
        "rows": kept.rows,
        "hash": kept.hash,
    }


def values(round_: Round) -> dict[int, Any]:
    return {row["number"]: row["values"] for row in fresh(round_.stage).rows}


def event_of(round_: Round) -> Event:
    return round_.stage.event


@pytest.mark.guide("director#after-the-publication")
def test_marks_follow_to_who_sat_there_and_back_again(played: Round) -> None:
    before = state(played)
    was = values(played)
    one, two = two_of(played)
    with pytest.raises(Conflict) as refused:
        reseating.exchange(round_id=played.pk, one=one, two=two, actor=SYSTEM)
    assert refused.value.code == "entries_exist"
    reseating.exchange(round_id=played.pk, one=one, two=two, actor=SYSTEM, reason="wrong table")
    after = state(played)
    now = values(played)
    assert (now[one], now[two]) == (was[two], was[one])
    assert {n: now[n] for n in now if n not in (one, two)} == {
        n: was[n] for n in was if n not in (one, two)
    }
    # Written deals and signatures remain with the seats unchanged.
    assert after["results"] == before["results"]
    assert after["signatures"] == before["signatures"]
    reseating.exchange(round_id=played.pk, one=two, two=one, actor=SYSTEM, reason="it was right")
    assert state(played) == before
    assert list(breaks(event_of(played).pk)) == []
    assert replay(event_of(played)).differences == []


@pytest.mark.guide("director#after-the-publication")
def test_the_desk_previews_it_and_asks_why(played: Round) -> None:
    event = event_of(played)
    one, two = two_of(played)
    client = Client()
    client.force_login(make_user("director", event, Role.DIRECTOR))
    draw = Draw.objects.get(round=played, state="published")
    page = f"/desk/{event.slug}/draws/{draw.pk}/"
    preview = client.get(page, {"verb": "swap", "one": one, "two": two})
    assert preview.context["weighed"].written == [1, 2]
    assert 'name="reason"' in preview.content.decode()
    act = {"act": "make", "verb": "swap", "one": one, "two": two, "after": len(draw.edits)}
    client.post(page, act)
    assert two_of(played) == (one, two)
    client.post(page, act | {"reason": "wrong table"})
    assert set(two_of(played)) == {one, two}
    assert played.seats.get(entrant__number=one).table.number == 2


@pytest.mark.guide("director#after-the-publication")
def test_firm_standings_are_left_alone(played: Round) -> None:
    set_state(stage_id=played.stage_id, state="frozen", actor=SYSTEM)
    one, two = two_of(played)
    with pytest.raises(Conflict) as refused:
        reseating.exchange(round_id=played.pk, one=one, two=two, actor=SYSTEM, reason="late")
    assert refused.value.code == "standings_firm"
