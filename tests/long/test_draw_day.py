"""A whole championship day of 544 players through the services: who leaves, comes late, comes back.

Facts of Deerlijk 2023 (rules specification D.1, E4, E5): the 128 best scores go to the semi-final, the table
winners of the semi-final to the final.
"""

from __future__ import annotations

import random
from collections import Counter
from itertools import combinations
from typing import Any

import pytest
from django.utils import timezone

from ledger.audit import breaks
from ledger.jobs import work_on
from ledger.models import JobState
from scoring.models import OfficialResult, Sheet, SheetState
from tests.tournament.build import SYSTEM, make_event
from tournament.models import Bye, Draw, Entrant, Event, Round, Seat
from tournament.services import (
    draws,
    entrants,
    publication,
    reseating,
    rounds,
    stages,
    standings,
    wishes,
)
from tournament.services.events import championship_plan

pytestmark = [pytest.mark.django_db, pytest.mark.long]
PLAYERS = 544
ROUNDS = 6


def settle(part: Round, luck: random.Random) -> None:
    """Every sheet of the round official, the winner and the marks by chance; the round closed."""
    made = []
    for sheet in Sheet.objects.filter(game__table__round=part):
        winner = luck.choice(("NS", "EW"))
        low = luck.randrange(0, 90)
        marks = {side: 101 if side == winner else low for side in ("NS", "EW")}
        made.append(
            OfficialResult(
                sheet=sheet, number=1, sheet_version=0, made_by="test", made_at=timezone.now(),
                result={"marks": marks, "winner": winner, "deals": 4},
            )
        )  # fmt: skip
    OfficialResult.objects.bulk_create(made, batch_size=500)
    Sheet.objects.filter(game__table__round=part).update(state=SheetState.OFFICIAL)
    rounds.start_round(round_id=part.pk, actor=SYSTEM)
    rounds.close_round(round_id=part.pk, actor=SYSTEM)


def draw_and_publish(part: Round) -> Draw:
    job = draws.request_draw(round_id=part.pk, actor=SYSTEM)
    work_on(str(job.pk))
    job.refresh_from_db()
    assert job.state == JobState.DONE, job.failure
    candidate = Draw.objects.select_related("round__stage__event").get(pk=job.result["draw"])
    publication.publish_draw(draw_id=candidate.pk, actor=SYSTEM)
    return candidate


def test_a_day_of_544_players_with_withdrawals_and_late_players() -> None:
    event = make_event(PLAYERS, deals=4, cut=128, plan=championship_plan(rounds=ROUNDS, deals=4))
    luck = random.Random("Deerlijk")
    present = set(range(1, PLAYERS + 1))
    gone: set[int] = set()
    bans = [tuple(sorted(luck.sample(range(1, PLAYERS + 1), 2))) for _ in range(12)]
    for one, two in bans:
        wishes.ban(event_id=event.pk, one=one, two=two, actor=SYSTEM)
    met: set[tuple[int, ...]] = set()
    out: Counter[int] = Counter()
    for number in range(1, ROUNDS + 1):
        part = Round.objects.get(stage__event=event, stage__order=1, number=number)
        if number > 1:
            _hall_changes(event, luck, present, gone)
        candidate = draw_and_publish(part)
        at = dict(event.entrants.values_list("pk", "number"))
        seated = [tuple(sorted(at[p] for p in t["players"])) for t in candidate.tables]
        byes = [at[b] for b in candidate.byes]
        assert sorted([p for table in seated for p in table] + byes) == sorted(present)
        assert len(byes) == len(present) % 4
        now = {pair for table in seated for pair in combinations(table, 2)}
        assert not now & met, f"round {number}: {sorted(now & met)[:5]}"
        assert not now & set(bans)
        met |= now
        out.update(byes)
        settle(part, luck)
    assert max(out.values(), default=0) <= 1
    assert Seat.objects.filter(round__stage__event=event).count() + Bye.objects.count() > 3200
    _finals(event, luck)
    assert list(breaks(event.pk)) == []


def _hall_changes(event: Event, luck: random.Random, present: set[int], gone: set[int]) -> None:
    """Five leave, one comes back, four come late, one is replaced by a newcomer."""
    for number in luck.sample(sorted(present), 5):
        entrants.withdraw(entrant_id=_id(event, number), actor=SYSTEM)
        present.discard(number)
        gone.add(number)
    back = luck.choice(sorted(gone))
    entrants.take_back(entrant_id=_id(event, back), actor=SYSTEM)
    gone.discard(back)
    present.add(back)
    for place in range(4):
        late = entrants.enter_player(
            event_id=event.pk, name=f"Late {len(gone)} {place}", actor=SYSTEM, present=True
        )
        present.add(late.number)
    old = luck.choice(sorted(present))
    new = entrants.enter_player(event_id=event.pk, name=f"Stand-in for {old}", actor=SYSTEM)
    reseating.replace_player(event_id=event.pk, old=old, new=new.number, actor=SYSTEM)
    present.discard(old)
    gone.add(old)
    present.add(new.number)


def _id(event: Event, number: int) -> Any:
    return Entrant.objects.get(event=event, number=number).pk


def _finals(event: Event, luck: random.Random) -> None:
    first, semi, final = event.stages.order_by("order")
    rows = standings.recompute(stage_id=first.pk, force=True).rows
    ranks = {row["number"]: row["rank"] for row in rows}
    stages.open_next_stage(stage_id=first.pk, actor=SYSTEM)
    through = set(semi.field.values_list("entrant__number", flat=True))
    line = max(ranks[n] for n in through)
    assert len(through) >= 128
    assert through == {
        row["number"] for row in rows
        if row["rank"] is not None and row["rank"] <= line and not row["withdrawn"]
    }  # fmt: skip
    part = Round.objects.get(stage=semi)
    draw_and_publish(part)
    settle(part, luck)
    stages.open_next_stage(stage_id=semi.pk, actor=SYSTEM)
    assert final.field.count() >= part.tables.count()
    last = Round.objects.get(stage=final)
    draw_and_publish(last)
    settle(last, luck)
    assert standings.recompute(stage_id=final.pk, force=True).rows[0]["rank"] == 1
