"""Faults of the embedded service: the disk runs full under play, and the whole service is killed."""

from __future__ import annotations

import os
import resource
import shutil
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.conftest import missing
from tests.programs import PATIENCE, wait_for

from .installation import Installation, Phone, deal_fields
from .test_faults import everything_once, keeps_score

pytestmark = pytest.mark.long


@pytest.fixture
def here() -> Iterator[Installation]:
    folder = Path(tempfile.mkdtemp(prefix="manille-"))
    installation = Installation(folder)
    installation.prepare()
    try:
        yield installation
    finally:
        installation.stop()
        shutil.rmtree(folder, ignore_errors=True)


def limit_files(here: Installation, size: int) -> None:
    """Limit the files of the web process to ``size`` bytes: every write past that fails."""
    process = here.web.process
    assert process is not None
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
    for pid in [process.pid, *map(int, children)]:
        resource.prlimit(pid, resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))


@pytest.mark.guide("security#security")
def test_the_disk_runs_full(here: Installation) -> None:
    """On a full disk the table's deal is refused as not written; with space again it is written once."""
    if not hasattr(resource, "prlimit"):
        missing("prlimit", "only Linux can limit another process")
    hall = here.inside("hall", players=16, deals=20)
    here.start_web()
    sent = {}
    first, *rest = hall["tables"]
    for table in rest:
        sent[table["sheet"]] = keeps_score(here, table, 3, [])
    assert here.get(f"/e/{hall['slug']}/standings/")[0] == 200
    phone = Phone(here, first["token"])
    phone.look()
    fields = deal_fields(1, first["dealers"][0], 31)
    largest = max(path.stat().st_size for path in (here.folder / "var").glob("*.sqlite3*"))
    assert largest > 4096
    limit_files(here, 4096)
    status, answer = phone.send(**fields, key="the-first-deal-of-table-one")
    assert status == 503, (status, answer)
    assert answer["code"] == "unavailable"
    # A request that cannot be served gets a 503, and the process stays alive.
    assert here.get(f"/e/{hall['slug']}/players/")[0] in (200, 503)
    assert here.get("/health/live/")[0] == 200
    status, text = here.get("/health/ready/")
    assert (status, '"disk": "unwritable"' in text) == (503, True), text
    limit_files(here, resource.RLIM_INFINITY)
    assert here.get("/health/ready/")[0] == 200
    phone.insist(**fields, key="the-first-deal-of-table-one")
    phone.insist(**fields, key="the-first-deal-of-table-one")
    sent[first["sheet"]] = [31]
    everything_once(here, hall, sent)


@pytest.mark.guide("security#security")
def test_the_embedded_service_is_killed_under_play(here: Installation) -> None:
    hall = here.inside("hall", players=80, deals=10)
    here.start_web()
    acknowledged: list[str] = []
    with ThreadPoolExecutor(len(hall["tables"])) as hands:
        asked = {
            table["sheet"]: hands.submit(keeps_score, here, table, 5, acknowledged)
            for table in hall["tables"]
        }
        for wanted in (20, 60):
            wait_for("entries under way", lambda wanted=wanted: len(acknowledged) >= wanted)
            here.web.kill()
            here.start_web()
        sent = {sheet: future.result(4 * PATIENCE) for sheet, future in asked.items()}
    everything_once(here, hall, sent)
    assert os.path.exists(here.folder / "var" / "manille.sqlite3")
