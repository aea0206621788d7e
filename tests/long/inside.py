"""Actions and queries of the fault tests inside an installation: ``python -m tests.long.inside VERB JSON``.

Runs with the installation's own environment through the application's services; prints one line of JSON.
"""

from __future__ import annotations

import json
import sys
from typing import Any

import django


def hall(players: int, deals: int = 30, published: bool = True) -> dict[str, Any]:
    """Create an event with a director; its first round is published and started with ``published``."""
    from accounts.models import Role
    from tests.tournament.build import make_event, make_user
    from tournament.demo.simulation import draw_and_publish
    from tournament.models import Round
    from tournament.tables.links import table_token
    from tournament.tables.score_sheet import ScoreSheet

    event = make_event(players, deals=deals, cut=8, name="Hall")
    director = make_user(f"director-{event.slug}", event, Role.DIRECTOR)
    second = make_user(f"second-{event.slug}", event, Role.DIRECTOR)
    round_ = Round.objects.get(stage__event=event, stage__order=1, number=1)
    tables = []
    if published:
        from ledger.actors import Actor

        draw_and_publish(round_, Actor.user(director.pk))
        for table in round_.tables.order_by("number"):
            sheet = table.sheets.get(order=1)
            dealers = [ScoreSheet(sheet).dealer_in_turn(number) for number in range(1, deals + 1)]
            tables.append(
                {
                    "number": table.number,
                    "token": table_token(table),
                    "sheet": str(sheet.pk),
                    "dealers": dealers,
                }
            )
    return {
        "event": str(event.pk),
        "slug": event.slug,
        "round": str(round_.pk),
        "tables": tables,
        "directors": [director.username, second.username],
    }


def facts(event: str) -> dict[str, Any]:
    """Return the stored facts of an event, and the breaks of its audit chain."""
    import uuid

    from ledger.audit import breaks
    from ledger.models import AuditEntry
    from tournament.models import Draw, Entrant, Event, PrintedDocument, Table
    from tournament.models.tables import DealVersion

    scope = uuid.UUID(event)
    deals: dict[str, list[list[int]]] = {}
    for deal in DealVersion.objects.filter(sheet__scope=scope, series="official").order_by(
        "number", "version"
    ):
        deals.setdefault(str(deal.sheet_id), []).append(
            [deal.number, deal.version, deal.entry.get("points", {}).get("NS", -1)]
        )
    verbs: dict[str, int] = {}
    for verb in AuditEntry.objects.filter(scope=scope).values_list("verb", flat=True):
        verbs[verb] = verbs.get(verb, 0) + 1
    return {
        "version": Event.objects.get(pk=scope).version,
        "deals": deals,
        "verbs": verbs,
        "breaks": [f"{found.sequence}: {found.reason}" for found in breaks(scope)],
        "draws": [
            [str(draw.round_id), draw.state, len(draw.tables)]
            for draw in Draw.objects.filter(round__stage__event=scope).order_by("pk")
        ],
        "entrants": Entrant.objects.filter(event=scope).count(),
        "tables": Table.objects.filter(round__stage__event=scope).count(),
        "documents": PrintedDocument.objects.filter(event=scope).count(),
        "standings": standings_hashes(scope),
    }


def facts_of(slug: str) -> dict[str, Any]:
    """Return the :func:`facts` of the event with that slug, and its id."""
    from tournament.models import Event

    key = str(Event.objects.values_list("pk", flat=True).get(slug=slug))
    return {"event": key, **facts(key)}


def kept_standings() -> dict[str, str]:
    """Return the hash of each stage's stored standings; provisional standings are computed from the records."""
    from tournament.models import Stage
    from tournament.queries.standings import fresh

    return {
        f"{stage.event.slug} {stage.order}": fresh(stage).hash
        for stage in Stage.objects.select_related("event")
    }


def rows_of(slug: str) -> list[dict[str, Any]]:
    """Return the standings' rows of the first stage of the event with that slug."""
    from tournament.models import Stage
    from tournament.queries.standings import fresh

    return list(fresh(Stage.objects.get(event__slug=slug, order=1)).rows)


def standings_hashes(scope: Any) -> dict[str, str]:
    """Return the hash of each stage's standings, recomputed from the records."""
    from tournament.models import Stage
    from tournament.queries.standings import compute
    from tournament.ranking.canonical import state_hash

    return {
        str(stage.order): state_hash(compute(stage)) for stage in Stage.objects.filter(event=scope)
    }


def ask_draw(round: str, count: int = 1) -> dict[str, Any]:
    """Request a draw of a round several times. Return the ids of the jobs."""
    import uuid

    from tests.tournament.build import SYSTEM
    from tournament.services.draws import request_draw

    asked = [request_draw(round_id=uuid.UUID(round), actor=SYSTEM) for _again in range(count)]
    return {"jobs": [str(job.pk) for job in asked]}


def draw_again(round: str) -> dict[str, Any]:
    """Draw a round in this process. Return the id of the candidate."""
    import uuid

    from ledger.jobs import work_on
    from ledger.models import Job
    from tests.tournament.build import SYSTEM
    from tournament.services.draws import request_draw

    job = request_draw(round_id=uuid.UUID(round), actor=SYSTEM)
    work_on(str(job.pk))
    return {"draw": Job.objects.get(pk=job.pk).result["draw"]}


def ask_import(event: str, first: int, rows: int) -> dict[str, Any]:
    """Upload a file of players with numbers from ``first`` on. Return the id of the job."""
    import uuid

    from tests.tournament.build import SYSTEM
    from tournament.services.imports import keep_file, request_import

    lines = "\n".join(f"{n};Speler {n};Club {n % 40}" for n in range(first, first + rows))
    kept = keep_file(
        event_id=uuid.UUID(event), file=f"Nr;Naam;Club\n{lines}\n".encode(), actor=SYSTEM
    )
    job = request_import(
        event_id=uuid.UUID(event), file=str(kept.file.pk), skip_duplicates=False, actor=SYSTEM
    )
    return {"jobs": [str(job.pk)]}


def ask_document(event: str, kind: str) -> dict[str, Any]:
    """Request a document. Return the id of the job."""
    import uuid

    from tests.tournament.build import SYSTEM
    from tournament.services.documents import request_document

    job = request_document(
        event_id=uuid.UUID(event), kind=kind, language="nl", paper="a4", parameters={}, actor=SYSTEM
    )
    return {"jobs": [str(job.pk)]}


def send_again(job: str) -> dict[str, Any]:
    """Put a job's message into the queue again, as a queue may do."""
    import uuid

    from ledger.jobs import send
    from ledger.models import Job

    send(uuid.UUID(job), Job.objects.get(pk=job).kind)
    return {}


def play(event: str, rounds: int = 1) -> dict[str, Any]:
    """Play rounds to their end."""
    import random

    from tournament.demo.simulation import advance
    from tournament.models import Event

    chance = random.Random(event)
    for _round in range(rounds):
        advance(Event.objects.get(pk=event), chance)
    return {}


def accounts() -> dict[str, Any]:
    """Return the names of all accounts, and of the administrators."""
    from accounts.models import Role, RoleGrant, User
    from ledger.models import ORGANISATION

    grants = RoleGrant.objects.filter(role=Role.ADMIN, scope=ORGANISATION)
    return {
        "names": sorted(User.objects.values_list("username", flat=True)),
        "administrators": sorted(grants.values_list("user__username", flat=True)),
    }


def staff(event: str, role: str) -> dict[str, str]:
    """Create a member of staff with a role in an event."""
    from tests.tournament.build import make_user
    from tournament.models import Event

    made = Event.objects.get(pk=event)
    return {"name": make_user(f"{role}-of-{made.slug}", made, role).username}


def keep_file(event: str) -> dict[str, str]:
    """Upload a list of players without confirming it. Return its id."""
    import uuid

    from tests.tournament.build import SYSTEM
    from tournament.services import imports

    kept = imports.keep_file(
        event_id=uuid.UUID(event), file=b"naam\nAn Peeters\nBo Maes\n", actor=SYSTEM
    )
    return {"file": str(kept.file.pk)}


def bearing(request: str) -> dict[str, list[str]]:
    """Return the jobs and the audit entries that carry this request id."""
    from ledger.models import AuditEntry, Job

    entries = AuditEntry.objects.filter(request_id=request).order_by("at")
    return {
        "jobs": [
            str(key) for key in Job.objects.filter(request_id=request).values_list("pk", flat=True)
        ],
        "verbs": list(entries.values_list("verb", flat=True)),
    }


VERBS = {
    verb.__name__: verb
    for verb in (
        hall,
        facts,
        facts_of,
        kept_standings,
        rows_of,
        ask_draw,
        draw_again,
        ask_import,
        ask_document,
        send_again,
        play,
        accounts,
        staff,
        keep_file,
        bearing,
    )
}

if __name__ == "__main__":
    django.setup()
    sys.stdout.write(json.dumps(VERBS[sys.argv[1]](**json.loads(sys.argv[2]))) + "\n")
