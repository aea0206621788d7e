"""Cost of previewing a ruling's impact, compared with issuing it and computing everything twice.

Field: 544 players (rules specification D.1 E4/E5), one round of three games at every table signed.
The baseline is the obvious way: the ruling is issued in a savepoint, all results of the stage are
read before and after, both standings are computed. Both must tell the same ranks, or there is no
figure. Prints seconds of processor time, queries and the ratio.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
INSIDE = """
import json, random, time
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from ledger.change import change
from adjudication.models import Incident
from adjudication.queries.impact import impact_of
from adjudication.services import rulings
from tournament.models.tables import OfficialResult, Sheet, SheetState
from tests.adjudication.build import REFEREE, enter, event_in_play, incident_at, sheet_at, sign, stating
from tournament.queries.results import gather
from tournament.queries.standings import compute, recompute

event, part = event_in_play(players=544, deals=2, cut=128)
ruled = sign(enter(sheet_at(part, 17), 40, 30))
chance, results = random.Random(544), []
for sheet in Sheet.objects.filter(scope=event.pk).exclude(pk=ruled.pk):
    won, lost = chance.randrange(20, 60), chance.randrange(20)
    results.append(OfficialResult(sheet=sheet, number=1, sheet_version=1, made_by="system:bench",
        made_at=timezone.now(), result={"marks": {"NS": won, "EW": lost}, "winner": "NS",
        "games": {}, "deals": 2, "best_deal": {}, "penalties": {"NS": 0, "EW": 0}}))
with change():
    OfficialResult.objects.bulk_create(results)
    Sheet.objects.filter(scope=event.pk).update(state=SheetState.OFFICIAL, finished=True)
recompute(stage_id=part.stage_id, force=True)
incident = Incident.objects.get(pk=incident_at(event, part, table=17).pk)
facts = {"offender": "N", "trick": 3, "noticed": "after_deal"}


def act():
    return stating(rulings.issue, incident_id=incident.pk, article="000-P1", facts=facts, actor=REFEREE,
                   claimed="in_time")


class Undo(Exception):
    pass


def everything():
    stage = part.stage
    old = {row.entrant.id: row.rank for row in compute(stage, gather(stage)).rows}
    try:
        with transaction.atomic():
            act()
            after = gather(stage)
            raise Undo
    except Undo:
        pass
    new = {row.entrant.id: row.rank for row in compute(stage, after).rows}
    return {int(n): [old[n], new[n]] for n in new if new[n] != old[n]}


def measured(what):
    what()
    spent = []
    for _time in range(3):
        begun = time.process_time()
        found = what()
        spent.append(time.process_time() - begun)
    with CaptureQueriesContext(connection) as queries:
        what()
    return min(spent), len(queries), found


slow, slow_queries, all_moved = measured(everything)
quick, queries, told = measured(lambda: impact_of(incident, act))
moved = {m.entrant.number: [m.before, m.after] for m in told.moved}
same = len(all_moved) == len(moved) + told.more_moved and all(
    all_moved[n] == ranks for n, ranks in moved.items())
print(json.dumps({"seconds": quick, "queries": queries, "everything": slow,
                  "everything_queries": slow_queries, "ratio": slow / quick, "same": same,
                  "moved": len(all_moved)}))
"""


def main() -> int:
    """Run the measurement. Return 1 when the two ways give different ranks."""
    with tempfile.TemporaryDirectory() as folder:
        environment = {
            **os.environ,
            "MANILLE_VAR": folder,
            "DJANGO_SETTINGS_MODULE": "config.settings",
            "DATABASE_URL": os.environ.get("BENCH_DATABASE_URL", ""),
            "BROKER_URL": "",
            "CACHE_URL": "",
            "LOG_LEVEL": "ERROR",
        }
        for words in (["migrate", "--verbosity", "0"], ["shell", "-v", "0", "-c", INSIDE]):
            done = subprocess.run(
                [sys.executable, "manage.py", *words],
                cwd=ROOT,
                env=environment,
                check=True,
                capture_output=True,
                text=True,
            )
    found = json.loads(done.stdout.strip().splitlines()[-1])
    print(f"impact of a ruling, 544 players   {found['seconds']:.3f} s, {found['queries']} queries")
    print(
        f"everything computed twice         {found['everything']:.3f} s, "
        f"{found['everything_queries']} queries: {found['ratio']:.1f} times as long"
    )
    print(json.dumps({"benchmark": "adjudication", **found}))
    return 0 if found["same"] else 1


if __name__ == "__main__":
    sys.exit(main())
