"""A whole championship day of 544 players through the services, with withdrawals, late entries and returns.

Facts of Deerlijk 2023 (rules specification D.1, E4, E5): the 128 best scores go to the semi-final, the table winners of
the semi-final to the final. Players over a multiple of four sit out, or fill up tables of three that are not classified
(D.2). Every line of every certificate is recounted from the seats.
"""

from __future__ import annotations

import json
import random
import re
from collections import Counter
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations
from typing import Any

import pytest
from django.utils import timezone

from ledger.audit import breaks
from ledger.change import change
from ledger.jobs import work_on
from ledger.models import JobState
from tests.tournament.build import SYSTEM, make_event, varied
from tournament.models import Bye, Draw, Entrant, Event, Round, Seat
from tournament.models.tables import OfficialResult, Sheet, SheetState
from tournament.queries import standings
from tournament.services import (
    bans_and_wishes,
    clock,
    draws,
    entrants,
    publication,
    reseating,
    rounds,
    stages,
)
from tournament.services.events import championship_plan

pytestmark = [pytest.mark.django_db, pytest.mark.long]
PLAYERS = 544
ROUNDS = 6
UNTHINKABLE = 100_000
A_DAYS_MARKS = 5_000


def settle(round_: Round, luck: random.Random) -> None:
    """Make every sheet of the round official with a random winner and marks, and close the round.

    Marks at a filling table are impossibly high, because they must not count.
    """
    made = []
    for sheet in Sheet.objects.filter(table__round=round_).select_related("table"):
        sides = sorted(sheet.sides)
        winner = luck.choice(sides)
        low = luck.randrange(0, 90)
        marks = {side: 101 if side == winner else low for side in sides}
        if len(sides) == 3:
            marks = dict.fromkeys(sides, UNTHINKABLE)
        made.append(
            OfficialResult(
                sheet=sheet,
                number=1,
                sheet_version=0,
                made_by="system:test",
                made_at=timezone.now(),
                result={"marks": marks, "winner": winner, "deals": 4},
            )
        )
    with change():
        OfficialResult.objects.bulk_create(made, batch_size=500)
        Sheet.objects.filter(table__round=round_).update(state=SheetState.OFFICIAL)
    clock.start_round(round_id=round_.pk, actor=SYSTEM)
    rounds.close_round(round_id=round_.pk, actor=SYSTEM)


def draw_and_publish(round_: Round) -> Draw:
    job = draws.request_draw(round_id=round_.pk, actor=SYSTEM)
    work_on(str(job.pk))
    job.refresh_from_db()
    assert job.state == JobState.DONE, job.failure
    candidate = Draw.objects.select_related("round__stage__event").get(pk=job.result["draw"])
    publication.publish_draw(draw_id=candidate.pk, actor=SYSTEM)
    return candidate


@dataclass
class Before:
    """The test's own record of the rounds played."""

    met: Counter[tuple[int, ...]] = field(default_factory=Counter)
    out: Counter[int] = field(default_factory=Counter)
    keepers: Counter[int] = field(default_factory=Counter)
    dealers: Counter[int] = field(default_factory=Counter)


def check_certificate(
    candidate: Draw, before: Before, present: set[int], clubs: dict[int, str], bans: set[Any]
) -> None:
    """Recount every line from the tables of the draw, then record the round."""
    at = dict(candidate.round.stage.event.entrants.values_list("pk", "number"))
    lines = {line["code"]: line for line in candidate.certificate["lines"]}
    tables = [sorted(at[p] for p in t["players"]) for t in candidate.tables]
    pairs = [two for table in tables for two in combinations(table, 2)]
    out = [at[b] for b in candidate.byes] + [p for t in tables if len(t) == 3 for p in t]
    after = before.met + Counter(pairs)
    counted = {
        "repeated_meetings": sum(1 for two in pairs if before.met[two]),
        "meetings_total": sum(times - 1 for times in after.values()),
        "club_clashes": sum(1 for a, b in pairs if clubs[a] and clubs[a] == clubs[b]),
        "family_clashes": 0,
        "bans_broken": sum(1 for two in pairs if two in bans),
        "score_differences": 0,
        "byes_repeated": sum(1 for p in out if before.out[p]),
    }
    seated = {p for table in tables for p in table}
    for code, had, duty in (
        ("scorekeeper_spread", before.keepers, "scorekeeper"),
        ("dealer_spread", before.dealers, "dealer"),
    ):
        had.update(at[t[duty]] for t in candidate.tables)
        counted[code] = max(had[p] for p in seated) - min(had[p] for p in seated)
    assert {code: line["value"] for code, line in lines.items()} == counted
    assert all(line["value"] >= line["bound"] and line["proven"] for line in lines.values())
    assert counted["repeated_meetings"] == counted["bans_broken"] == 0
    assert sorted(seated | {at[b] for b in candidate.byes}) == sorted(present)
    assert max(before.keepers.values()) <= 3
    assert max(before.dealers.values()) <= 3
    # No player sits out or fills up a second time before all the others had their turn.
    others = [before.out[p] for p in present if p not in out]
    assert max((before.out[p] for p in out), default=0) <= min(others)
    before.met = after
    before.out.update(out)


@pytest.mark.parametrize("odd", ["byes", "threes"])
def test_a_day_of_544_players_with_withdrawals_and_late_players(odd: str) -> None:
    first, *rest = championship_plan(rounds=ROUNDS, deals=4)
    event = make_event(PLAYERS, deals=4, cut=128, plan=[varied(first, drawing={"odd": odd}), *rest])
    luck = random.Random("Deerlijk")
    present = set(range(1, PLAYERS + 1))
    gone: set[int] = set()
    bans = {tuple(sorted(luck.sample(range(1, PLAYERS + 1), 2))) for _ in range(12)}
    for one, two in sorted(bans):
        bans_and_wishes.ban(event_id=event.pk, one=one, two=two, actor=SYSTEM)
    before = Before()
    filled = 0
    for number in range(1, ROUNDS + 1):
        round_ = Round.objects.get(stage__event=event, stage__order=1, number=number)
        if number > 1:
            _hall_changes(event, luck, present, gone)
        candidate = draw_and_publish(round_)
        clubs = {
            number: club or ""
            for number, club in event.entrants.values_list("number", "club__name")
        }
        check_certificate(candidate, before, present, clubs, bans)
        sizes = Counter(len(t["players"]) for t in candidate.tables)
        left = len(present) % 4
        assert sizes[3] == (-len(present) % 4 if odd == "threes" else 0)
        assert len(candidate.byes) == (0 if odd == "threes" else left)
        filling = round_.tables.filter(sheets__counts=False).distinct()
        assert filling.count() == sizes[3]
        assert round_.byes.filter(kind="sat_out").count() == 3 * sizes[3]
        filled += sizes[3]
        settle(round_, luck)
    assert set(before.out.values()) == {1}
    assert (filled > 0) == (odd == "threes")
    assert Seat.objects.filter(round__stage__event=event).count() + Bye.objects.count() > 3200
    _finals(event, luck)
    assert list(breaks(event.pk)) == []


def _hall_changes(event: Event, luck: random.Random, present: set[int], gone: set[int]) -> None:
    """Let five leave, one come back, one to four come late, and one be replaced by a newcomer."""
    for number in luck.sample(sorted(present), 5):
        entrants.withdraw(entrant_id=_id(event, number), actor=SYSTEM)
        present.discard(number)
        gone.add(number)
    back = luck.choice(sorted(gone))
    entrants.take_back(entrant_id=_id(event, back), actor=SYSTEM)
    gone.discard(back)
    present.add(back)
    for place in range(luck.randrange(1, 5)):
        late = entrants.enter_player(
            event_id=event.pk, name=f"Late {len(gone)} {place}", actor=SYSTEM, present=True
        )
        present.add(late.number)
    old = luck.choice(sorted(present))
    new = entrants.enter_player(event_id=event.pk, name=f"Stand-in for {old}", actor=SYSTEM)
    reseating.replace_player(event_id=event.pk, old=old, new=new.number, actor=SYSTEM)
    # The newcomer continues with the points, so the player who left does not come back beside them.
    present.discard(old)
    present.add(new.number)


def _id(event: Event, number: int) -> Any:
    return Entrant.objects.get(event=event, number=number).pk


def _finals(event: Event, luck: random.Random) -> None:
    first, semi, final = event.stages.order_by("order")
    rows = standings.recompute(stage_id=first.pk, force=True).rows
    ranks = {row["number"]: row["rank"] for row in rows}
    assert not [row["number"] for row in rows if _largest(row) >= A_DAYS_MARKS]
    stages.draw_lots(stage_id=first.pk, actor=SYSTEM)
    stages.open_next_stage(stage_id=first.pk, actor=SYSTEM)
    through = set(semi.field.values_list("entrant__number", flat=True))
    line = max(ranks[n] for n in through)
    # Lots decide between those who share the last rank: 128 fill 32 tables.
    assert len(through) == 128
    assert through >= {
        row["number"]
        for row in rows
        if row["rank"] is not None and row["rank"] < line and not row["withdrawn"]
    }
    round_ = Round.objects.get(stage=semi)
    draw_and_publish(round_)
    settle(round_, luck)
    stages.draw_lots(stage_id=semi.pk, actor=SYSTEM)
    stages.open_next_stage(stage_id=semi.pk, actor=SYSTEM)
    assert final.field.count() == round_.tables.count() == 32
    last = Round.objects.get(stage=final)
    draw_and_publish(last)
    settle(last, luck)
    assert standings.recompute(stage_id=final.pk, force=True).rows[0]["rank"] == 1


def _largest(row: dict[str, Any]) -> Fraction:
    """Return the largest number among the values of a standings row; fractions are written ``a/b``."""
    found = re.findall(r"\d+(?:/\d+)?", json.dumps(row["values"]))
    return max(map(Fraction, found), default=Fraction(0))
