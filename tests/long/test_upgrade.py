"""An event of the previous release, taken to this one: the same standings, every proof holds."""

from __future__ import annotations

import gzip
import json
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from .installation import Installation, servers

pytestmark = pytest.mark.long
DATA = Path(__file__).parent / "data"
SERVED = {
    "1": "2d3c6880590d86a05f6040d0a02516b3b61e2108f27612cd023750262df14e16",
    "2": "b3e2cf5790dee9733a17ba04a6a318c12400fa8b5fbb648016a59a0d5c50ae2c",
    "3": "b3e2cf5790dee9733a17ba04a6a318c12400fa8b5fbb648016a59a0d5c50ae2c",
}
"""The hashes of the stages' standings as release 0.1.0 printed them (data/make_previous.py)."""


@pytest.fixture(params=["sqlite", "postgresql"])
def old(request: pytest.FixtureRequest) -> Iterator[Installation]:
    """An installation whose database release 0.1.0 wrote."""
    if request.param == "sqlite":
        folder = Path(tempfile.mkdtemp(prefix="manille-"))
        (folder / "var").mkdir()
        (folder / "var" / "manille.sqlite3").write_bytes(
            gzip.decompress((DATA / "release-0.1.0.sqlite3.gz").read_bytes())
        )
        yield Installation(folder, "")
        shutil.rmtree(folder, ignore_errors=True)
        return
    with servers() as (folder, postgres, redis):
        made = Installation(
            folder, postgres.url("old"), f"redis://127.0.0.1:{redis.port}/0",
            f"rediscache://127.0.0.1:{redis.port}/1",
        )  # fmt: skip
        done = subprocess.run(
            ["psql", "-q", "-v", "ON_ERROR_STOP=1", made.database],
            input=gzip.decompress((DATA / "release-0.1.0.sql.gz").read_bytes()),
            capture_output=True,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr.decode()
        yield made


def test_an_event_of_the_previous_release_is_taken_up_whole(old: Installation) -> None:
    assert old.manage("migrate", "-v", "0").returncode == 0
    again = old.manage("migrate", "-v", "0")
    assert again.returncode == 0, again.stderr
    for proof in (["audit_verify"], ["recompute", "previous", "--check"], ["replay", "previous"]):
        done = old.manage(*proof)
        assert done.returncode == 0, f"{proof}: {done.stdout}{done.stderr[-3000:]}"
    facts = old.inside("facts_of", slug="previous")
    assert facts["standings"] == SERVED
    assert facts["breaks"] == []
    assert facts["verbs"]["ruling.annulled"] == 1
    # The event goes on under the new version, and the record with it.
    old.inside("play", event=facts["event"], rounds=1)
    done = old.manage("replay", "previous")
    assert done.returncode == 0, json.dumps(done.stdout)[-3000:]
