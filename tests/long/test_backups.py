"""Backups of both databases, made during play, restored elsewhere, and proved by their standings."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import psycopg
import pytest

from tests.programs import PATIENCE, wait_for

from .installation import Installation, servers
from .test_faults import keeps_score

pytestmark = pytest.mark.long


@pytest.fixture(params=["sqlite", "postgresql"])
def pair(request: pytest.FixtureRequest) -> Iterator[tuple[Installation, Installation]]:
    """Yield an installation to back up, and an empty one."""
    if request.param == "sqlite":
        folder = Path(tempfile.mkdtemp(prefix="manille-"))
        for name in ("one", "two"):
            (folder / name).mkdir()
        both = (Installation(folder / "one"), Installation(folder / "two"))
        yield both
        for each in both:
            each.stop()
        shutil.rmtree(folder, ignore_errors=True)
        return
    with servers() as (folder, postgres, redis):
        made = []
        for name in ("one", "two"):
            (folder / name).mkdir()
            made.append(Installation(folder / name, postgres.url(name), redis))
        yield made[0], made[1]
        for each in made:
            each.stop()


@pytest.mark.guide("operator#restore-a-backup")
def test_a_backup_under_play_comes_back_whole(pair: tuple[Installation, Installation]) -> None:
    old, new = pair
    old.prepare()
    finished = old.inside("hall", players=16, deals=2)
    old.inside("play", event=finished["event"], rounds=2)
    hall = old.inside("hall", players=32, deals=20)
    old.start_web()
    acknowledged: list[str] = []
    backup = old.folder / "during-play.backup"
    with ThreadPoolExecutor(len(hall["tables"])) as hands:
        asked = [
            hands.submit(keeps_score, old, table, 12, acknowledged) for table in hall["tables"]
        ]
        wait_for("entries under way", lambda: len(acknowledged) >= 16)
        before = len(acknowledged)
        done = old.manage("backup", str(backup))
        assert done.returncode == 0, done.stderr
        for each in asked:
            each.result(4 * PATIENCE)
    assert backup.stat().st_mode & 0o077 == 0

    restored = new.manage("restore", str(backup))
    assert restored.returncode == 0, restored.stdout + restored.stderr
    assert "Restored and verified." in restored.stdout
    was, now = (at.inside("facts", event=finished["event"]) for at in (old, new))
    assert now == was
    assert was["standings"]
    part = new.inside("facts", event=hall["event"])
    assert part["breaks"] == []
    assert before <= part["verbs"]["deal.entered"] <= len(acknowledged)
    # Each deal acknowledged before the backup began is in it, in order and without gaps.
    assert all(
        [deal[0] for deal in deals] == list(range(1, len(deals) + 1))
        for deals in part["deals"].values()
    )

    again = new.manage("restore", str(backup))
    assert again.returncode != 0
    assert "--replace" in again.stderr
    broken = old.folder / "broken.backup"
    broken.write_bytes(backup.read_bytes()[: backup.stat().st_size // 2])
    refused = new.manage("restore", str(broken), "--replace")
    assert refused.returncode != 0
    assert "Traceback" not in refused.stderr
    assert new.inside("facts", event=finished["event"]) == was


def test_old_backups_are_pruned(tmp_path: Path) -> None:
    here = Installation(tmp_path)
    here.prepare()
    for _time in range(3):
        assert here.manage("backup", "--keep", "2").returncode == 0
    folder = tmp_path / "var" / "backups"
    assert len(list(folder.glob("manille-*"))) == 2
    # Each backup has its anchors.
    assert len(list(folder.iterdir())) == 4
    assert here.manage("restore", str(tmp_path / "nothing")).returncode != 0


@pytest.fixture
def proving() -> Iterator[Installation]:
    """Yield an installation on PostgreSQL with an event, and a second database to prove its backups in."""
    with servers() as (folder, postgres, redis):
        here = Installation(folder, postgres.url("one"), redis)
        here.environment["BACKUP_PROOF_URL"] = postgres.url("proof")
        here.prepare()
        played = here.inside("hall", players=16, deals=2)
        here.inside("play", event=played["event"], rounds=1)
        yield here


def kept(here: Installation) -> list[str]:
    """Return the names of the backups in the usual folder, without their times."""
    folder = here.folder / "var" / "backups"
    names = [path.name.partition("-")[0] for path in folder.iterdir()]
    return sorted(name for name in names if name not in ("anchors", "proved"))


def run_in(url: str, statement: str) -> None:
    with psycopg.connect(url.replace("postgres://", "postgresql://"), autocommit=True) as link:
        link.execute(statement)


LATER = "CREATE TABLE later (id int PRIMARY KEY, event uuid REFERENCES tournament_event (id))"
"""A table of a later release that refers to a table of the backup."""


@pytest.mark.guide("operator#automatic-backups")
def test_a_backup_is_proved_in_a_second_database(proving: Installation) -> None:
    for _time in range(2):
        done = proving.manage("backup", "--prove")
        assert done.returncode == 0, done.stderr
        assert "restored elsewhere and compared: the same" in done.stdout
        run_in(proving.environment["BACKUP_PROOF_URL"], LATER)
    # A row changed behind the service.
    run_in(proving.database, "UPDATE tournament_stage SET minutes = 7")
    refused = proving.manage("backup", "--prove")
    assert refused.returncode == 1
    assert "tournament.Stage" in refused.stderr
    assert kept(proving) == ["manille", "manille", "refused"]


@pytest.mark.guide("operator#automatic-backups")
def test_a_place_of_proof_that_cannot_be_reached_condemns_no_backup(proving: Installation) -> None:
    place = proving.environment["BACKUP_PROOF_URL"]
    proving.environment["BACKUP_PROOF_URL"] = place.replace("/proof", "/nowhere")
    done = proving.manage("backup", "--prove")
    assert done.returncode == 1
    assert "made, but not proved" in done.stderr
    assert kept(proving) == ["manille"]


@pytest.mark.guide("operator#automatic-backups")
def test_the_database_itself_is_no_place_of_proof_by_whatever_name(proving: Installation) -> None:
    proving.environment["BACKUP_PROOF_URL"] = proving.database.replace("127.0.0.1", "localhost")
    done = proving.manage("backup", "--prove")
    assert done.returncode == 1
    assert "is the database itself" in done.stderr


@pytest.mark.guide("operator#restore-a-backup")
def test_a_backup_takes_the_place_of_a_later_release(proving: Installation) -> None:
    backup = proving.folder / "before-the-upgrade.backup"
    assert proving.manage("backup", str(backup)).returncode == 0
    run_in(proving.database, LATER)
    done = proving.manage("restore", "--replace", str(backup))
    assert done.returncode == 0, done.stderr
    with pytest.raises(psycopg.errors.UndefinedTable):
        run_in(proving.database, "SELECT FROM later")
