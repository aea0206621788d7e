"""Faults on PostgreSQL and Redis: whichever process is killed, nothing is lost or duplicated."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import psycopg
import pytest

from tests.browser.serving import take_prepared
from tests.programs import PATIENCE, wait_for

from .installation import Browser, Installation, Phone, Postgres, Redis, deal_fields

pytestmark = [pytest.mark.long, pytest.mark.postgres, pytest.mark.redis]
TABLES = 50
DEALS = 6


@pytest.fixture(scope="module")
def migrated(private: tuple[Path, Postgres, Redis]) -> str:
    """Return the name of the empty database that each test copies."""
    folder, postgres, redis = private
    Installation(folder, postgres.url("migrated"), redis).prepare()
    return "migrated"


@pytest.fixture
def here(
    private: tuple[Path, Postgres, Redis], migrated: str, request: pytest.FixtureRequest
) -> Iterator[Installation]:
    folder, postgres, redis = private
    own = folder / request.node.name
    own.mkdir()
    installation = Installation(own, postgres.url(request.node.name[:60], migrated), redis)
    take_prepared(own / "var")
    try:
        yield installation
    finally:
        installation.stop()


def one(here: Installation, question: str, *words: Any) -> Any:
    """Return the first column of the first row of a query."""
    with psycopg.connect(here.database.replace("postgres://", "postgresql://")) as link:
        row = link.execute(question, words).fetchone()
    return row[0] if row else None


def state_of(here: Installation, job: str) -> str:
    return str(one(here, "SELECT state FROM ledger_job WHERE id = %s", job))


def keeps_score(
    here: Installation, table: dict[str, Any], deals: int, acknowledged: list[str]
) -> list[int]:
    """Keep score at a table: each deal is sent again with its key until it is acknowledged."""
    phone, sent = Phone(here, table["token"]), []
    for number in range(1, deals + 1):
        points = 20 + (table["number"] * 7 + number * 3) % 21
        fields = deal_fields(number, table["dealers"][number - 1], points)
        phone.insist(**fields, key=f"{table['number']}-{number}-kept-on-the-phone")
        acknowledged.append(f"{table['number']}-{number}")
        sent.append(points)
    return sent


def everything_once(
    here: Installation, hall: dict[str, Any], sent: dict[str, list[int]]
) -> dict[str, Any]:
    """Check that every acknowledged deal is stored once, as sent, and that the chain is intact."""
    facts: dict[str, Any] = here.inside("facts", event=hall["event"])
    wanted = {
        sheet: [[number, 1, points] for number, points in enumerate(deals, start=1)]
        for sheet, deals in sent.items()
        if deals
    }
    assert facts["deals"] == wanted
    assert facts["verbs"]["deal.entered"] == sum(map(len, sent.values()))
    assert facts["breaks"] == []
    return facts


@pytest.mark.guide("security#security")
def test_web_is_killed_under_fifty_scorekeepers(here: Installation) -> None:
    hall = here.inside("hall", players=4 * TABLES)
    here.start_web()
    acknowledged: list[str] = []
    with ThreadPoolExecutor(TABLES) as hands:
        asked = {
            table["sheet"]: hands.submit(keeps_score, here, table, DEALS, acknowledged)
            for table in hall["tables"]
        }
        for share in (4, 2):
            wait_for(
                "entries under way",
                lambda wanted=TABLES * DEALS // share: len(acknowledged) >= wanted,
            )
            here.web.kill()
            here.start_web()
        sent = {sheet: future.result(4 * PATIENCE) for sheet, future in asked.items()}
    assert len(acknowledged) == TABLES * DEALS
    everything_once(here, hall, sent)


def kill_at_work(here: Installation, job: str) -> None:
    """Kill the worker while it works on the job; SIGSTOP first, so that it cannot end meanwhile."""
    wait_for("the job to run", lambda: state_of(here, job) != "queued")
    here.worker.signal(signal.SIGSTOP)
    here.worker.kill()


ROWS = 2000


@pytest.mark.guide("operator#roles-of-processes", "security#security")
@pytest.mark.parametrize("work", ["draw", "import", "document"])
def test_worker_is_killed_at_work(here: Installation, work: str) -> None:
    """At least twice, until one kill has surely met the job at work; the effect happens once."""
    hall = here.inside("hall", players=544, deals=4, published=work == "document")
    killed_at_work = 0
    jobs: list[str] = []
    while len(jobs) < 2 or not killed_at_work:
        assert len(jobs) < 12, "no kill met the job at work"
        if work == "draw":
            asked = here.inside("ask_draw", round=hall["round"], count=2)["jobs"]
            assert len(set(asked)) == 1
        elif work == "import":
            first = 1000 + ROWS * len(jobs)
            asked = here.inside("ask_import", event=hall["event"], first=first, rows=ROWS)["jobs"]
        else:
            asked = here.inside("ask_document", event=hall["event"], kind="slips")["jobs"]
        jobs.append(asked[0])
        # Only now, because a quick worker would finish before the request has ended.
        here.worker.start()
        kill_at_work(here, asked[0])
        killed_at_work += state_of(here, asked[0]) == "running"
        here.worker.start()
        wait_for("the job to end", lambda: state_of(here, jobs[-1]) in ("done", "failed"))
        assert state_of(here, asked[0]) == "done", here.logs()
        here.inside("send_again", job=asked[0])
        here.worker.kill()
    facts = here.inside("facts", event=hall["event"])
    if work == "import":
        assert facts["entrants"] == 544 + ROWS * len(jobs)
        assert facts["verbs"]["entrants.imported"] == 1 + len(jobs)
    else:
        made = len(facts["draws"]) if work == "draw" else facts["documents"]
        assert made == len(jobs)
    assert facts["breaks"] == []


@pytest.mark.guide("operator#roles-of-processes", "security#security")
def test_redis_stops_and_comes_back(
    here: Installation, private: tuple[Path, Postgres, Redis]
) -> None:
    _folder, _postgres, redis = private
    hall = here.inside("hall", players=16)
    other = here.inside("hall", players=544, published=False)
    here.start_web()
    here.worker.start()
    first, *rest = hall["tables"]
    sent = {first["sheet"]: keeps_score(here, first, 2, [])}
    redis.kill()
    try:
        for table in rest:
            sent[table["sheet"]] = keeps_score(here, table, 3, [])
        for page in ("/", f"/e/{hall['slug']}/", f"/e/{hall['slug']}/standings/"):
            assert here.get(page)[0] == 200
        status, text = here.get("/health/ready/")
        # Pages and entry still work, so the load balancer must not remove this process.
        assert status == 200
        assert '"status": "degraded"' in text
        assert '"queue": "unreachable"' in text
        director = Browser(here)
        director.sign_in(other["directors"][0])
        page = f"/desk/{other['slug']}/rounds/{other['round']}/draw/"
        assert director.post(page)[0] == 302
        waiting = one(
            here,
            "SELECT id::text FROM ledger_job WHERE scope = %s AND state = 'queued'",
            other["event"],
        )
        assert waiting
    finally:
        redis.start()
    wait_for("the waiting job to be caught up", lambda: state_of(here, waiting) == "done")
    wait_for("the queue", lambda: '"status": "ready"' in here.get("/health/ready/")[1])
    everything_once(here, hall, sent)
    assert len(here.inside("facts", event=other["event"])["draws"]) == 1


@pytest.mark.guide("security#security")
def test_postgresql_crashes_and_comes_back(
    here: Installation, private: tuple[Path, Postgres, Redis]
) -> None:
    _folder, postgres, _redis = private
    hall = here.inside("hall", players=32)
    here.start_web()
    acknowledged: list[str] = []
    with ThreadPoolExecutor(len(hall["tables"])) as hands:
        asked = {
            table["sheet"]: hands.submit(keeps_score, here, table, 12, acknowledged)
            for table in hall["tables"]
        }
        wait_for("entries under way", lambda: len(acknowledged) >= 12)
        postgres.stop("immediate")
        try:
            status, text = wait_for(
                "an answer that says why", lambda: _said(here, f"/e/{hall['slug']}/")
            )
            assert status == 503
            assert "Traceback" not in text
            assert here.get("/health/live/")[0] == 200
            assert here.get("/health/ready/")[0] == 503
        finally:
            postgres.start()
        sent = {sheet: future.result(4 * PATIENCE) for sheet, future in asked.items()}
    assert here.get(f"/e/{hall['slug']}/")[0] == 200
    everything_once(here, hall, sent)


def _said(here: Installation, path: str) -> tuple[int, str] | None:
    """Return the page's answer once it is an error instead of the cached page."""
    status, text = here.get(f"{path}?at={threading.get_ident()}")
    return (status, text) if status not in (0, 200) else None


def test_two_directors_at_once(here: Installation) -> None:
    """Two draws of a round, published by two people in the same moment: one of them counts."""
    hall = here.inside("hall", players=64, published=False)
    drawn = [here.inside("draw_again", round=hall["round"])["draw"] for _time in range(2)]
    here.start_web()
    both = [Browser(here), Browser(here)]
    for browser, name in zip(both, hall["directors"], strict=True):
        browser.sign_in(name)
    gate = threading.Barrier(2)

    def publish(browser: Browser, draw: str) -> int:
        gate.wait(PATIENCE)
        return browser.post(f"/desk/{hall['slug']}/draws/{draw}/", act="publish")[0]

    with ThreadPoolExecutor(2) as hands:
        answers = list(hands.map(publish, both, drawn))
    assert all(status in (200, 302, 409) for status in answers), answers
    facts = here.inside("facts", event=hall["event"])
    assert sorted(state for _round, state, _tables in facts["draws"]) == ["discarded", "published"]
    assert facts["tables"] == 16
    assert facts["verbs"]["draw.published"] == 1
    assert facts["breaks"] == []
