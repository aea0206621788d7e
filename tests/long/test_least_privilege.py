"""Operation under a PostgreSQL account that owns nothing, created as docs/security.md describes."""

from __future__ import annotations

import re
from pathlib import Path

import psycopg
import pytest

from tests.programs import ROOT, wait_for

from .installation import Installation, Postgres, Redis
from .test_faults import everything_once, keeps_score, state_of

pytestmark = [pytest.mark.long, pytest.mark.postgres, pytest.mark.redis]
PAGE = (ROOT / "docs" / "security.md").read_text()


def statements() -> tuple[list[str], list[str]]:
    """Return the page's own statements: before the first migration, and after each."""
    (block,) = re.findall(r"^ {4}CREATE ROLE (?:.*\n)+?(?=\n)", PAGE, re.MULTILINE)
    first, after = block.replace("'…'", "'abcdef0123456789'").split("    -- ", 1)
    return lines_of(first), lines_of(after)


def lines_of(part: str) -> list[str]:
    return [line.strip() for line in part.splitlines() if line.strip().endswith(";")]


def address(postgres: Postgres, who: str) -> str:
    return f"postgres://{who}:abcdef0123456789@127.0.0.1:{postgres.port}/manille"


def run_as(url: str, *said: str) -> None:
    with psycopg.connect(url.replace("postgres://", "postgresql://"), autocommit=True) as link:
        for each in said:
            link.execute(each.encode())


@pytest.mark.guide("security#database-account")
def test_the_service_runs_as_an_account_that_may_not_alter_the_record(
    private: tuple[Path, Postgres, Redis], tmp_path: Path
) -> None:
    _folder, postgres, redis = private
    before, after = statements()
    run_as(f"postgresql://manille@127.0.0.1:{postgres.port}/postgres", *before)
    owner, web = address(postgres, "manille_owner"), address(postgres, "manille_web")
    Installation(tmp_path, owner, redis).prepare()
    run_as(owner, *after)
    here = Installation(tmp_path, web, redis)
    try:
        hall = here.inside("hall", players=8, deals=4)
        here.start_web()
        acknowledged: list[str] = []
        sent = {
            table["sheet"]: keeps_score(here, table, 3, acknowledged) for table in hall["tables"]
        }
        everything_once(here, hall, sent)
        (job,) = here.inside("ask_document", event=hall["event"], kind="standings")["jobs"]
        here.worker.start()
        wait_for("the document", lambda: state_of(here, job) == "done", log=here.worker.log)
        for words in (("audit_verify",), ("replay",), ("backup",), ("retention",)):
            done = here.manage(*words)
            assert done.returncode == 0, done.stderr
    finally:
        here.stop()
    for forbidden in (
        "UPDATE ledger_auditentry SET verb = 'x'",
        "DELETE FROM ledger_auditentry",
        "UPDATE ledger_auditrows SET hash = 'x'",
        "DELETE FROM ledger_auditrows",
        "TRUNCATE ledger_auditentry",
        "ALTER TABLE ledger_auditentry DISABLE TRIGGER ALL",
        "DROP TABLE ledger_auditentry",
        "CREATE TABLE more (id int)",
        "SET session_replication_role = replica",
    ):
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            run_as(web, forbidden)
    assert len(acknowledged) == 3 * len(hall["tables"])
