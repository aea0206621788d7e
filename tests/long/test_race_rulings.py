"""Two processes rule at a barrier: exactly one succeeds, and the refusal of the other names the change between.

A call claimed twice; two rulings on one deal; a ruling against an annulment, an amendment against an annulment; an
appeal at the moment of finalisation. On SQLite and on PostgreSQL. Afterwards the deal is the result of the rulings in
force, and the audit chain is intact.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.browser.serving import Server
from tests.long import barrier

pytestmark = pytest.mark.long
MATCHES = 20

MAKE = """
import json
from adjudication.services import rulings
from tournament.services import tables
from tests.adjudication.build import *
from tests.tables.build import a_table
event, part = event_in_play(players=4, deals={count} + 2, name="Wedloop")
sheet = enter(sheet_at(part), *[40] * {count})
calls = []
for n in range({count}):
    each = a_table(event.pk, str(n))
    calls.append([str(tables.call_referee(table_id=each.pk, sheet_id=None, reason="x",
                                          actor=SYSTEM).pk)])
deals = []
for n in range(1, {count} + 1):
    first, second = (str(incident_at(event, part, deal=n).pk) for _each in "ab")
    ruling = "-"
    if {ruled}:
        ruling = str(stating(rulings.issue, incident_id=first, article="000-P1", actor=SYSTEM,
            facts={{"offender": "N", "trick": 3, "noticed": "after_deal"}}, claimed="in_time").pk)
    deals.append([first, str(int({ruled})), ruling, second])
print(json.dumps({{"event": str(event.pk), "calls": calls, "deals": deals}}))
"""
READ = """
import json
from adjudication.models import Incident, Ruling
from ledger.audit import breaks
from tournament.models.tables import RefereeCall, Sheet
found, event = [], {event!r}
sheet = Sheet.objects.filter(scope=event, deals__isnull=False).first()
for deal in sheet.deals.filter(current=True, series="official").order_by("number"):
    made = Ruling.objects.filter(event=event, incident__deal=deal.number)
    found.append([deal.marks, [[r.state, r.appeals.count(), r.versions.count()] for r in made]])
calls = [[c.claimed_by, Incident.objects.filter(call=c).count()] for c in
         RefereeCall.objects.filter(table__scope=event).order_by("called_at")]
print(json.dumps({{"deals": found, "calls": calls, "breaks": len(list(breaks(sheet.scope)))}}))
"""
FIRST, SECOND = 900001, 900002
"""The odd referee finds East guilty, the even one North."""
TABLE, NORTH_PAYS = {"NS": 6, "EW": 0}, {"NS": 0, "EW": 34}
EAST_PAYS, BOTH_PAY = {"NS": 34, "EW": 0}, {"NS": 0, "EW": 0}


def race(ground: Server, matches: list[list[str]], folder: Path, ways: list[str]) -> list[Any]:
    """Start two referees, one action each, on the same matches in parallel."""
    rivals = [[way, str(who)] for way, who in zip(ways, (FIRST, SECOND), strict=True)]
    return barrier.race(ground, [" ".join(m) for m in matches], folder, "racer_rulings.py", rivals)


def test_two_referees_claim_one_call(ground: Server, tmp_path: Path) -> None:
    made = ground.python(MAKE.format(count=MATCHES, ruled=False))
    answers = race(ground, made["calls"], tmp_path, ["claim", "claim"])
    found = ground.python(READ.format(event=made["event"]))
    for answer, (claimed_by, incidents) in zip(answers, found["calls"], strict=True):
        assert sorted(answer) == ["call_claimed", "won"]
        assert claimed_by == f"user:{(FIRST, SECOND)[answer.index('won')]}"
        assert incidents == 1
    assert found["breaks"] == 0


RACES = [
    # both actions; the loser's refusals; marks of the deal when the first wins, when the second wins
    ("issue", "issue", {"ruled_meanwhile"}, EAST_PAYS, NORTH_PAYS),
    ("issue", "annul", {"ruled_meanwhile"}, BOTH_PAY, TABLE),
    ("amend", "annul", {"ruled_meanwhile", "annulled"}, EAST_PAYS, TABLE),
    ("appeal", "final", {"appeal_open", "appeal_too_late"}, NORTH_PAYS, NORTH_PAYS),
    ("appeal", "annul", {"appeal_open", "annulled"}, NORTH_PAYS, TABLE),
]


@pytest.mark.parametrize(
    ("one", "other", "told", "first", "second"), RACES, ids=[f"{a}-{b}" for a, b, *_ in RACES]
)
def test_one_has_his_way_and_the_other_is_told(
    ground: Server,
    tmp_path: Path,
    one: str,
    other: str,
    told: set[str],
    first: dict[str, int],
    second: dict[str, int],
) -> None:
    ruled = one != other
    event = ground.python(MAKE.format(count=MATCHES, ruled=ruled))
    answers = race(ground, event["deals"], tmp_path, [one, other])
    found = ground.python(READ.format(event=event["event"]))
    for answer, (marks, made) in zip(answers, found["deals"], strict=True):
        assert answer.count("won") == 1, answer
        assert set(answer) - {"won"} <= told, answer
        won = answer.index("won")
        assert marks == (first, second)[won]
        states = [state for state, _appeals, _versions in made]
        appealed = sum(appeals for _state, appeals, _versions in made)
        if one == "appeal":
            ends = {"final": "final", "annul": "annulled"}[other]
            assert (states, appealed) == ((["provisional"], 1) if won == 0 else ([ends], 0))
        elif one == other:
            assert states == ["provisional"]
    assert found["breaks"] == 0
