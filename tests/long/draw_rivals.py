"""One of two rivals on a draw, and the small halls of their races.

``python -m tests.long.draw_rivals`` prints ``ready`` and then carries out each line of standard input (JSON: ``verb``
and its arguments) as it arrives. It answers each line with ``won``, the result, or the code of the refusal.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import uuid
from typing import Any

import django

POINTS = {"NS": 42}


def halls(count: int, need: str, players: int = 8) -> list[dict[str, Any]]:
    """Create events, each ready for one race: ``round``, ``jobs``, ``draws`` or ``tables``."""
    return [_hall(f"Race {need} {number}", need, players) for number in range(count)]


def _hall(name: str, need: str, players: int) -> dict[str, Any]:
    from tests.tournament.build import SYSTEM, make_event
    from tournament.models import Round, Seat
    from tournament.services import draws, publication

    event = make_event(players, deals=1, name=name)
    round_ = Round.objects.get(stage__event=event, stage__order=1, number=1)
    made: dict[str, Any] = {"event": str(event.pk), "round": str(round_.pk), "draws": []}
    if need == "jobs":
        made["job"] = str(draws.request_draw(round_id=round_.pk, actor=SYSTEM).pk)
    if need in ("draws", "tables"):
        made["draws"] = [_draw(round_) for _candidate in range(2)]
        drawn = round_.draws.get(pk=made["draws"][0])
        at = dict(event.entrants.values_list("pk", "number"))
        made["swap"] = [at[drawn.tables[table]["players"][0]] for table in (0, 1)]
    if need == "tables":
        publication.publish_draw(draw_id=uuid.UUID(made["draws"][0]), actor=SYSTEM)
        seat = Seat.objects.filter(round=round_, table__number=1).first()
        if seat is None:
            raise RuntimeError("nobody sits at table 1")
        sheet = seat.table.sheets.get(order=1)
        made |= {"sheet": str(sheet.pk), "dealer": sheet.first_dealer}
    return made


def _draw(round_: Any) -> str:
    from ledger.jobs import work_on
    from ledger.models import Job
    from tests.tournament.build import SYSTEM
    from tournament.services import draws

    job = draws.request_draw(round_id=round_.pk, actor=SYSTEM)
    work_on(str(job.pk))
    return str(Job.objects.get(pk=job.pk).result["draw"])


def schedule(event_draws: list[str]) -> list[bool]:
    """Schedule draws for a moment that has passed."""
    from datetime import timedelta

    from django.utils import timezone

    from tests.moment import later
    from tests.tournament.build import SYSTEM
    from tournament.services import publication

    for draw in event_draws:
        with later(days=-1):
            at = timezone.now() + timedelta(days=1)
            publication.publish_later(draw_id=uuid.UUID(draw), at=at, actor=SYSTEM)
    return [True] * len(event_draws)


def facts(events: list[str]) -> list[dict[str, Any]]:
    """Return each event's stored facts after its race."""
    return [_facts(uuid.UUID(event)) for event in events]


def _facts(event: uuid.UUID) -> dict[str, Any]:
    from ledger.audit import breaks
    from ledger.models import AuditEntry, Job
    from tournament.models import Draw, Round, Seat
    from tournament.models.tables import DealVersion, Sheet

    round_ = Round.objects.get(stage__event=event, stage__order=1, number=1)
    drawn = list(Draw.objects.filter(round=round_))
    laid: dict[int, list[int]] = {}
    for number, entrant in (
        Seat.objects.filter(round=round_)
        .order_by("table__number", "position")
        .values_list("table__number", "entrant")
    ):
        laid.setdefault(number, []).append(entrant)
    verbs: dict[str, int] = {}
    for verb in AuditEntry.objects.filter(scope=event).values_list("verb", flat=True):
        verbs[verb] = verbs.get(verb, 0) + 1
    shown = next((d for d in drawn if d.state == "published"), None)
    seated = {p for sheet in Sheet.objects.filter(scope=event) for p in sheet.seats.values()}
    return {
        "state": round_.state,
        "draws": sorted(d.state for d in drawn),
        "verbs": verbs,
        "laid_as_drawn": laid == {t["number"]: t["players"] for t in shown.tables}
        if shown
        else laid == {},
        "sheets_as_laid": seated == {p for players in laid.values() for p in players},
        "edits": len(shown.edits) if shown else None,
        "tables": len(laid),
        "deals": DealVersion.objects.filter(sheet__scope=event).count(),
        "jobs": sorted(Job.objects.filter(scope=event).values_list("kind", "state")),
        "breaks": len(list(breaks(event))),
    }


# -- acts of a rival --------------------------------------------------------------------------------


def ask(round: str) -> str:
    """Request a draw. Return the id of the job."""
    from tests.tournament.build import SYSTEM
    from tournament.services.draws import request_draw

    return str(request_draw(round_id=uuid.UUID(round), actor=SYSTEM).pk)


def work(job: str, die_at: int = 0) -> str:
    """Work on a job; the process is killed before its ``die_at``-th statement, or just after the job's end.

    Answers how many statements there were. Every step of the search tells its progress here.
    """
    from django.db import connection

    from ledger.jobs import work_on
    from tournament.services import draws

    draws.REPORT_EVERY = 0.0
    seen = 0

    def count(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        nonlocal seen
        seen += 1
        if seen == die_at:
            os.kill(os.getpid(), signal.SIGKILL)
        return execute(sql, params, many, context)

    with connection.execute_wrapper(count):
        work_on(job)
    if die_at:
        os.kill(os.getpid(), signal.SIGKILL)
    return str(seen)


def state(job: str) -> str:
    """Take a job up if its worker is gone. Return its state."""
    from ledger.jobs import work_on
    from ledger.models import Job

    work_on(job)
    return str(Job.objects.get(pk=job).state)


def publish(draw: str) -> str:
    """Publish a candidate."""
    from tests.tournament.build import SYSTEM
    from tournament.services.publication import publish_draw

    publish_draw(draw_id=uuid.UUID(draw), actor=SYSTEM)
    return "won"


def unpublish(round: str) -> str:
    """Withdraw a publication."""
    from tests.tournament.build import SYSTEM
    from tournament.services import publication

    publication.unpublish(round_id=uuid.UUID(round), actor=SYSTEM, reason="rival")
    return "won"


def swap(draw: str, one: int, two: int) -> str:
    """Exchange two players of a candidate."""
    from tests.tournament.build import SYSTEM
    from tournament.services.edits import Edit, make

    make(draw_id=uuid.UUID(draw), edit=Edit("swap", one=one, two=two), after=0, actor=SYSTEM)
    return "won"


def exchange(round: str, one: int, two: int) -> str:
    """Exchange two players of a published round."""
    from tests.tournament.build import SYSTEM
    from tournament.services import reseating

    reseating.exchange(round_id=uuid.UUID(round), one=one, two=two, actor=SYSTEM)
    return "won"


def deal(sheet: str, dealer: str) -> str:
    """Enter the first deal of a sheet."""
    from tests.tournament.build import SYSTEM
    from tournament.services import sheets

    entry = {"dealer": dealer, "contract": {"declarer": "NS", "trump": "H"}, "points": POINTS}
    sheets.enter_deal(sheet_id=uuid.UUID(sheet), entry=entry, actor=SYSTEM)
    return "won"


def tick(event: str) -> str:
    """Run the publication timer and the jobs that it queues for the event."""
    from ledger.jobs import work_on
    from ledger.models import Job
    from tournament.services.publication import publish_due

    publish_due()
    for job in Job.objects.filter(scope=event, kind="tournament.publish"):
        work_on(str(job.pk))
    return "won"


VERBS = {
    verb.__name__: verb
    for verb in (ask, work, state, publish, unpublish, swap, exchange, deal, tick)
}


def say(word: str) -> None:
    """Write one line to the starter and flush it."""
    sys.stdout.write(f"{word}\n")
    sys.stdout.flush()


def main() -> None:
    """Carry out the verbs read from standard input."""
    django.setup()
    from ledger.errors import Refused

    say("ready")
    for line in sys.stdin:
        act = json.loads(line)
        try:
            say(VERBS[act.pop("verb")](**act))
        except Refused as refused:
            say(refused.code)


if __name__ == "__main__":
    main()
