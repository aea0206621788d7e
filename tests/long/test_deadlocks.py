"""No two verbs deadlock, whatever their order (docs/architecture.md).

PostgreSQL ends such a wait by breaking one of the two off. Each pair meets behind the head of the
audit chain (:mod:`tests.long.deadlocks`), the first in front of the second: what the first has still
to lock, the second must not have locked already.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.browser.serving import Server, fresh_database
from tests.programs import ROOT

pytestmark = [pytest.mark.long, pytest.mark.postgres]
AT_THE_TABLE = ["sign", "deal", "pen", "call"]
STAFF = [
    "ruling",
    "late player",
    "everybody",
    "stage",
    "exchange",
    "unpublish",
    "close",
    "archive",
]
PAIRS = (
    [f"{one}/{other}" for one in AT_THE_TABLE for other in STAFF]
    + [f"{one}/{other}" for one in STAFF for other in AT_THE_TABLE[:2]]
    + ["deal/pen", "deal/call", "pen/deal", "ruling/unpublish", "unpublish/ruling"]
    + ["archive/close", "stage/late player", "late player/stage", "ruling/close"]
)


def test_none_is_broken_off(tmp_path: Path) -> None:
    with fresh_database("postgresql") as url:
        server = Server(tmp_path, url)
        server.manage("migrate", "--verbosity", "0")
        done = subprocess.run(
            [sys.executable, "-m", "tests.long.deadlocks", *PAIRS],
            cwd=ROOT,
            env=server.env,
            capture_output=True,
            text=True,
            timeout=1200,
        )
        server.log.close()
    assert done.returncode == 0, done.stderr[-3000:]
    met = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    assert [each["pair"] for each in met] == PAIRS
    for each in met:
        assert len(each["ended"]) == 2, each
        assert not [end for end in each["ended"].values() if ":" in end], each
        assert each["chain"], each
    # Verbs that the other verb does not forbid had their effect.
    for each in met:
        for verb in {"sign", "deal", "pen", "call", "ruling", "late player", "archive"}:
            if "unpublish" not in each["pair"] and "close" not in each["pair"]:
                assert each["ended"].get(verb, "done") == "done", each
