"""Events of earlier releases, upgraded to this one: the same standings, and every proof holds."""

from __future__ import annotations

import gzip
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
    """Yield an installation whose database that release wrote."""
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
