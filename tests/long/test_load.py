"""A small championship day through HTTP: no request fails, and the audit chain matches the pages served."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from .installation import Installation, servers

pytestmark = pytest.mark.long


@pytest.fixture(params=["sqlite", "postgresql"])
def here(request: pytest.FixtureRequest) -> Iterator[Installation]:
    if request.param == "sqlite":
        folder = Path(tempfile.mkdtemp(prefix="manille-"))
        made = Installation(folder)
        yield made
        made.stop()
        shutil.rmtree(folder, ignore_errors=True)
        return
    with servers() as (folder, postgres, redis):
        made = Installation(folder, postgres.url("load"), redis)
        yield made
        made.stop()


@pytest.mark.guide("operator#more-processes-and-a-node-for-the-public", "operator#rehearsal")
def test_a_day_over_http_without_a_fault(here: Installation) -> None:
    here.prepare()
    here.start_web()
    here.worker.start()
    done = here.tool(
        "load",
        "--url",
        f"http://127.0.0.1:{here.port}",
        "--players",
        "64",
        "--rounds",
        "2",
        "--deals",
        "2",
        "--phones",
        "20",
        "--every",
        "0.5",
    )
    assert done.returncode == 0, done.stdout + done.stderr[-3000:]
    assert "faults: none" in done.stdout
    assert ": 0 differences" in done.stdout
    asked = {
        line[:16].strip(): int(line[16:].split()[0])
        for line in done.stdout.splitlines()
        if len(line) > 40 and line[16:25].strip().isdigit()
    }
    # The staff's day over HTTP: two draws, two closed rounds, a ruling and an appeal for each.
    assert asked["publish"] == asked["close round"] == asked["hearing"] == 2
    assert asked["ruling"] == 2
    assert asked["withdraw"] == 2
    assert asked["late player"] == 1
    # 64 players sit at 16 tables; 63 (two left, one came) in round 2. Three games of two deals each.
    line = next(line for line in done.stdout.splitlines() if line.startswith("deal "))
    assert int(line.split()[1]) >= 2 * 15 * 3 * 2
