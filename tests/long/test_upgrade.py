"""Events of earlier releases, upgraded to this one: the same standings, and every proof holds."""

from __future__ import annotations

import gzip
import json
import re
import shutil
import sqlite3
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from copy import copy
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
"""Hashes of the stages' standings as release 0.1.0 printed them (data/make_0_1_0.py)."""


KEPT = {
    "knockout-frozen 1": "6ab596c1a26b553534bcded22a5bbca397196a11c13d20b0b3396d9dca163a78",
    "pools 1": "d65ae5b4f0f2e15dd9713a9491bc409bd09d1f742a5eefd02b041fbd74379832",
    "blind 1": "2a59be7529326401a0b1a104e06cb4f0c5ff717196552ed93c1c9226fc5b85eb",
    "fouls 1": "c8b54aa61184a0ff3847d81cff28d4a6ff48889fad3deb82bc246601502c0068",
}
"""Hashes of standings as release 0.2.0 printed them, with no correction since.

Since edition 6 of counting, entrants without a game that counts rank behind all others (“absent”, “generale”).
"""

THREES = {2: [1, "65/2", 40], 6: [1, "25/2", 20], 1: [1, 0, 0], 7: [1, "-15/2", 30]}
"""Games won, net and marks of the best players of tables of three, against the mean of the others, by number.

Number 2 made 40 where the others made 15 and 0; release 0.2.0 took both from it.
Number 7 rested once: since edition 7 of counting that is worth the mean of its own average and the field's, nought.
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
"""Hashes of final standings as release 1.0.0 printed them (data/make_1_0_0.py)."""


@pytest.fixture(params=["sqlite", "postgresql"])
def engine(request: pytest.FixtureRequest) -> str:
    """Return the database that the earlier release wrote to."""
    return str(request.param)


@contextmanager
def installation_of(release: str, engine: str) -> Iterator[Installation]:
    """Yield an installation whose database that release wrote; with ``-by-1.0.0`` 1.0.0 has migrated it too."""
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


def write_sql(old: Installation, sql: str) -> None:
    """Write to the database of an earlier release as that release did."""
    if old.database:
        words = ["psql", "-q", "-v", "ON_ERROR_STOP=1", "-c", sql, old.database]
        assert subprocess.run(words, capture_output=True).returncode == 0
        return
    file = Path(old.environment["MANILLE_VAR"]) / "manille.sqlite3"
    with closing(sqlite3.connect(file)) as link:
        link.executescript(sql.replace("00000000-0000-0000-0000-000000000000", "0" * 32))


@pytest.mark.guide("operator#upgrades")
def test_events_of_release_0_2_0_keep_their_meaning_and_go_on(engine: str) -> None:
    with installation_of("0.2.0-by-1.0.0", engine) as old:
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


@pytest.mark.guide("operator#upgrades")
def test_final_standings_of_release_1_0_0_stay_and_its_open_events_go_on(engine: str) -> None:
    with installation_of("1.0.0", engine) as old:
        assert old.manage("migrate", "-v", "0").returncode == 0
        all_proofs_hold(old)
        kept = old.inside("kept_standings")
        assert {name: kept[name] for name in FINAL} == FINAL
        assert schema_of(old) == schema_of(fresh_beside(old))
        for slug in ("carried-open", "lots-open", "pools-open"):
            old.inside("play", event=old.inside("facts_of", slug=slug)["event"])
        all_proofs_hold(old)


def all_proofs_hold(old: Installation) -> None:
    for proof in (["audit_verify"], ["recompute", "--check"], ["replay"]):
        done = old.manage(*proof)
        assert done.returncode == 0, f"{proof}: {done.stdout[-3000:]}{done.stderr[-3000:]}"


@pytest.mark.guide("operator#upgrades")
def test_an_event_of_release_0_1_0_is_taken_up_whole(engine: str) -> None:
    with installation_of("0.1.0-by-1.0.0", engine) as old:
        assert old.manage("migrate", "-v", "0").returncode == 0
        again = old.manage("migrate", "-v", "0")
        assert again.returncode == 0, again.stderr
        for proof in (
            ["audit_verify"],
            ["recompute", "previous", "--check"],
            ["replay", "previous"],
        ):
            done = old.manage(*proof)
            assert done.returncode == 0, f"{proof}: {done.stdout}{done.stderr[-3000:]}"
        facts = old.inside("facts_of", slug="previous")
        assert facts["standings"] == SERVED
        assert facts["breaks"] == []
        assert facts["verbs"]["ruling.annulled"] == 1
        # The event continues under the new version, and so does its record.
        old.inside("play", event=facts["event"], rounds=1)
        done = old.manage("replay", "previous")
        assert done.returncode == 0, json.dumps(done.stdout)[-3000:]


@pytest.mark.guide("operator#upgrades")
def test_a_database_of_0_1_0_is_sent_through_1_0(engine: str) -> None:
    with installation_of("0.1.0", engine) as old:
        before = schema_of(old)
        refused = old.manage("migrate", "-v", "0")
        assert refused.returncode == 1
        assert refused.stderr.splitlines() == [
            "CommandError: A release before 1.0 wrote this database: upgrade it to release 1.0.1 "
            "first, then to this one. Nothing was changed."
        ]
        assert schema_of(old) == before
        backup = old.folder / "var" / "manille.sqlite3"
        if old.database:
            backup = old.folder / "old.dump"
            words = ["pg_dump", "--format=custom", f"--file={backup}", old.database]
            subprocess.run(words, check=True)
        fresh = fresh_beside(old)
        present = schema_of(fresh)
        refused = fresh.manage("restore", "--replace", str(backup))
        assert refused.returncode == 1
        assert refused.stderr.startswith("CommandError: A release before 1.0 wrote")
        assert schema_of(fresh) == present


def schema_of(made: Installation) -> list[str]:
    """Return the tables, constraints, indexes and triggers of a database; the order of columns is ignored."""
    if made.database:
        words = ["pg_dump", "--schema-only", "--no-owner", made.database]
        text = subprocess.run(words, capture_output=True, check=True, text=True).stdout
        # Names derived from a table's name before 1.0, by the database or Django.
        text = text.replace("scoringtable", "table").replace("sidepen", "sidewriter")
        text = re.sub(r"_[0-9a-f]{8}(?=_fk|\b)", "", text)
        # A condition that was dumped and restored has its casts in other places.
        text = re.sub(r"::(?:character varying|text)(?:\[\])?|[()]", "", text)
        lines = (line.strip().rstrip(",") for line in text.splitlines())
        return sorted(line for line in lines if not line.startswith("\\"))
    with closing(
        sqlite3.connect(Path(made.environment["MANILLE_VAR"]) / "manille.sqlite3")
    ) as link:
        rows = link.execute("SELECT type, name, sql FROM sqlite_master WHERE sql <> ''").fetchall()
    return sorted(
        f"{kind} {name}: {part.strip()}"
        for kind, name, sql in rows
        for part in re.split("[,()]", sql)
    )


def fresh_beside(old: Installation) -> Installation:
    """Create an installation of this release on the server of an earlier one."""
    folder = old.folder / "fresh"
    (folder / "var").mkdir(parents=True)
    made = copy(old)
    made.environment = old.environment | {"MANILLE_VAR": str(folder / "var")}
    if old.database:
        words = ["psql", "-q", "-c", 'CREATE DATABASE "fresh"', old.database]
        subprocess.run(words, capture_output=True, check=True)
        made.database = f"{old.database.rpartition('/')[0]}/fresh"
        made.environment["DATABASE_URL"] = made.database
    assert made.manage("migrate", "-v", "0").returncode == 0
    return made
