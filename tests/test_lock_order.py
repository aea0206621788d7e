"""The watch on lock order detects a violation; every test on PostgreSQL watches its verbs."""

from __future__ import annotations

import ast
from types import SimpleNamespace
from typing import Any

import pytest

from tests.catalogs import modules_with
from tests.lock_order import Watch, locks
from tests.programs import ROOT


@pytest.mark.parametrize(
    ("sql", "tables"),
    [
        (
            'SELECT "scoring_sheet"."id" FROM "scoring_sheet" WHERE x FOR NO KEY UPDATE OF "scoring_sheet"',
            ["scoring_sheet"],
        ),
        (
            'SELECT "a" FROM "tournament_round" INNER JOIN "tournament_stage" ON (x) FOR UPDATE',
            ["tournament_round", "tournament_stage"],
        ),
        ('UPDATE "tournament_event" SET "version" = 1', ["tournament_event"]),
        ('DELETE FROM "scoring_sheet" WHERE x', ["scoring_sheet"]),
        ('SELECT "a" FROM "scoring_sheet" WHERE x', []),
        ('INSERT INTO "scoring_sheet" ("a") VALUES (1)', []),
        ('UPDATE "django_session" SET "a" = 1', []),
    ],
)
def test_what_locks(sql: str, tables: list[str]) -> None:
    assert locks(sql) == tables


def test_who_locks_a_row_holds_up_nobody_who_refers_to_it() -> None:
    """FOR UPDATE would block inserts of rows that refer to the locked one (PostgreSQL 13.3.2)."""
    calls = [
        (path, node)
        for path, tree in modules_with(
            "select_for_update", ("ledger", "tournament", "adjudication")
        )
        for node in ast.walk(tree)
        # On SQLite such a query only counts where it would write.
        if path != ROOT / "ledger" / "rows.py"
        and isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr == "select_for_update"
    ]
    keeping = [
        f"{path.relative_to(ROOT)}:{node.lineno}"
        for path, node in calls
        if "no_key=True" not in map(ast.unparse, node.keywords)
    ]
    assert calls
    assert keeping == []


def lock(watch: Watch, table: str) -> None:
    watch(lambda *_: None, f'SELECT "id" FROM "{table}" FOR NO KEY UPDATE', (), False, {})


class Block:
    """A transaction as Django represents it."""

    def __init__(self, *, of_test: bool = False, savepoint: bool = True) -> None:
        self._from_testcase, self.savepoint = of_test, savepoint


@pytest.mark.parametrize("around", [[], [Block(of_test=True)]], ids=["alone", "in a test's own"])
def test_a_step_back_is_seen_within_one_verb_only(around: list[Block]) -> None:
    connection: Any = SimpleNamespace(atomic_blocks=[*around, Block()])
    watch = Watch(connection, lambda: False)
    lock(watch, "ledger_audithead")
    connection.atomic_blocks = [*around, Block()]
    lock(watch, "scoring_sheet")
    connection.atomic_blocks = [*connection.atomic_blocks, Block()]
    lock(watch, "ledger_audithead")
    lock(watch, "scoring_sheet")
    watch(lambda *_: None, 'INSERT INTO "tournament_round" ("id") VALUES (1)', (), False, {})
    lock(watch, "tournament_round")
    assert watch.faults == []
    lock(watch, "tournament_stage")
    assert len(watch.faults) == 1
    assert watch.faults[0].startswith("tournament_stage is locked after ledger_audithead")


def test_a_statement_of_a_test_itself_is_no_verb() -> None:
    connection: Any = SimpleNamespace(atomic_blocks=[Block(of_test=True), Block(savepoint=False)])
    watch = Watch(connection, lambda: False)
    lock(watch, "tournament_event")
    lock(watch, "ledger_audithead")
    connection.atomic_blocks = []
    lock(watch, "tournament_event")
    lock(watch, "ledger_audithead")
    assert watch.faults == []
