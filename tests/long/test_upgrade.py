"""Events of earlier releases, taken to this one: the same standings, every proof holds."""

from __future__ import annotations

import gzip
import json
import shutil
import sqlite3
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
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


KEPT = {
    "knockout-frozen 1": "6ab596c1a26b553534bcded22a5bbca397196a11c13d20b0b3396d9dca163a78",
    "pools 1": "d65ae5b4f0f2e15dd9713a9491bc409bd09d1f742a5eefd02b041fbd74379832",
    "absent 1": "f8bdb0e43805d9116e2bda450439fb51274bfa1fafa7b36f528a0a9aaccf33d8",
    "blind 1": "2a59be7529326401a0b1a104e06cb4f0c5ff717196552ed93c1c9226fc5b85eb",
    "fouls 1": "c8b54aa61184a0ff3847d81cff28d4a6ff48889fad3deb82bc246601502c0068",
    "generale 1": "eaa4c3e90919b8519bcd605ebdbcd8eec796af7d7bd1184a1f9fa4894b787a1a",
}
"""The hashes that release 0.2.0 printed of standings to which nothing is mended since."""

THREES = {2: [1, "65/2", 40], 6: [1, "25/2", 20], 1: [1, 0, 0], 7: [1, -10, 30]}
"""Number → games won, net and marks of the best of its tables of three, against the mean of the others.

Number 2 made 40 where the others made 15 and 0; release 0.2.0 took both from it.
"""


FINAL = {
    "carried 1": "40c172c9513862583424d6d3159bee46ae8a5b152e7b0ec287fb74a6ca8cd8e7",
    "carried 2": "7b5c3b84b600082ebf5873c4af297e382dd1da4f53462d79af4deb30ec524cf8",
    "finalist 1": "1b2a0373da748d321479d0cbfdb663096c2fd3b9cbf9b9d3a644717562e40abc",
    "lots 1": "1fdb0229b7252b45f8cca52be1646b4f6eb558c0e613a63651cace5465ebaf29",
    "pools 1": "6d7ed883f4b587c896560f1fbcccea65d7b23a0b3f9c8cb4d7dee98559ce3182",
    "ruled 1": "69a9387f063ab3542e1dedd741bed965ae6c463ab40f86fc309a3d143fc2843f",
    "threes 1": "13c7c161c23c3dcbde44f7136f29adbf9a7a3c3bf1668d53f8f68f52e08ba3d6",
}
"""The hashes that release 1.0.0 printed of standings that were final (data/make_1_0_0.py)."""


@pytest.fixture(params=["sqlite", "postgresql"])
def engine(request: pytest.FixtureRequest) -> str:
    """The database that the earlier release wrote to."""
    return str(request.param)


@contextmanager
def installation_of(release: str, engine: str) -> Iterator[Installation]:
    """An installation whose database that release wrote."""
    if engine == "sqlite":
        folder = Path(tempfile.mkdtemp(prefix="manille-"))
        (folder / "var").mkdir()
        (folder / "var" / "manille.sqlite3").write_bytes(
            gzip.decompress((DATA / f"release-{release}.sqlite3.gz").read_bytes())
        )
        yield Installation(folder)
        shutil.rmtree(folder, ignore_errors=True)
        return
    with servers() as (folder, postgres, redis):
        made = Installation(folder, postgres.url("old"), redis)
        done = subprocess.run(
            ["psql", "-q", "-v", "ON_ERROR_STOP=1", made.database],
            input=gzip.decompress((DATA / f"release-{release}.sql.gz").read_bytes()),
            capture_output=True,
        )
        assert done.returncode == 0, done.stderr.decode()
        yield made


@pytest.fixture
def old(engine: str) -> Iterator[Installation]:
    """An installation whose database release 0.1.0 wrote."""
    with installation_of("0.1.0", engine) as made:
        yield made


DEMO_ADMINISTRATOR = """
INSERT INTO ledger_user (id, password, is_superuser, username, first_name, last_name, email, is_staff,
  is_active, date_joined, password_given, second_step)
  VALUES (9001, '!', false, 'admin', '', '', '', false, true, '2026-11-21 10:00:00+00', false, false);
INSERT INTO ledger_rolegrant (id, scope, role, granted_at, user_id)
  VALUES (9001, '00000000-0000-0000-0000-000000000000', 'admin', '2026-11-21 10:00:00+00', 9001);
"""
"""What the demo of release 0.2.0 wrote of its administrator: a role, and no entry in a journal."""


def write_sql(old: Installation, sql: str) -> None:
    """Write to the database of an earlier release as that release did."""
    if old.database:
        words = ["psql", "-q", "-v", "ON_ERROR_STOP=1", "-c", sql, old.database]
        assert subprocess.run(words, capture_output=True).returncode == 0
        return
    file = Path(old.environment["MANILLE_VAR"]) / "manille.sqlite3"
    with closing(sqlite3.connect(file)) as link:
        link.executescript(sql.replace("00000000-0000-0000-0000-000000000000", "0" * 32))


def test_events_of_release_0_2_0_keep_their_meaning_and_go_on(engine: str) -> None:
    with installation_of("0.2.0", engine) as old:
        write_sql(old, DEMO_ADMINISTRATOR)
        assert old.manage("migrate", "-v", "0").returncode == 0
        all_proofs_hold(old)
        kept = old.inside("kept_standings")
        assert {name: kept[name] for name in KEPT} == KEPT
        threes = {row["number"]: row["values"] for row in old.inside("rows_of", slug="threes")}
        assert {number: threes[number] for number in THREES} == THREES
        for slug in ("absent", "pools-drawn"):
            old.inside("play", event=old.inside("facts_of", slug=slug)["event"])
        all_proofs_hold(old)
        for table in ("auditentry", "audithead"):
            guard = {"sqlite": f"DROP TRIGGER ledger_{table}_no_delete;"}.get(
                engine, f"ALTER TABLE ledger_{table} DISABLE TRIGGER USER;"
            )
            forget = (
                f"DELETE FROM ledger_{table} WHERE scope NOT IN (SELECT id FROM tournament_event);"
            )
            write_sql(old, (guard if table == "auditentry" else "") + forget)
        gone = old.manage("audit_verify")
        assert gone.returncode == 1
        assert "there are rows of it, and no chain" in gone.stdout


def test_final_standings_of_release_1_0_0_stay_and_its_open_events_go_on(engine: str) -> None:
    with installation_of("1.0.0", engine) as old:
        assert old.manage("migrate", "-v", "0").returncode == 0
        all_proofs_hold(old)
        kept = old.inside("kept_standings")
        assert {name: kept[name] for name in FINAL} == FINAL
        for slug in ("carried-open", "lots-open", "pools-open"):
            old.inside("play", event=old.inside("facts_of", slug=slug)["event"])
        all_proofs_hold(old)


def all_proofs_hold(old: Installation) -> None:
    for proof in (["audit_verify"], ["recompute", "--check"], ["replay"]):
        done = old.manage(*proof)
        assert done.returncode == 0, f"{proof}: {done.stdout[-3000:]}{done.stderr[-3000:]}"


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
