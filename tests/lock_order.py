"""Watches the order in which every verb takes its locks, on PostgreSQL (docs/architecture.md).

Two transactions that lock the same rows in opposite orders can wait for each other for ever. So every statement that
locks rows of a watched table (``FOR UPDATE`` of any kind, ``UPDATE``, ``DELETE`` of a sheet) may only follow statements
on tables of a lower or the same rank, within one transaction of the service. A table that the transaction has locked
before may be written to at any time, and so may a table into which it has inserted its own rows, which no other
transaction sees.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any, Final

from django.db.backends.base.base import BaseDatabaseWrapper

ORDER: Final = (
    "ledger_job",
    "adjudication_penalcode",
    "adjudication_incident",
    "adjudication_ruling",
    "adjudication_appeal",
    "scoring_sheet",
    "scoring_table",
    "scoring_refereecall",
    "tournament_stage",
    "tournament_round",
    "tournament_draw",
    "ledger_audithead",
    "tournament_event",
    "tournament_entrant",
    "tournament_standings",
)
RANK: Final = {table: rank for rank, table in enumerate(ORDER)}
_READS: Final = re.compile(r"^SELECT .*? FROM (.*) FOR (?:NO KEY )?UPDATE(?: OF (.*))?$", re.DOTALL)
_WRITES: Final = re.compile(r'^(?:UPDATE|DELETE FROM(?= "scoring_sheet")) ("\w+")')
_EMPTIED: Final = re.compile(r'^UPDATE "\w+" SET "\w+_id" = NULL WHERE "\w+"\."\w+_id" IN')
"""The statements that Django sends before deleting a row, to all tables that may refer to it."""
_ROOT: Final = Path(__file__).parents[1]
_OWN: Final = re.compile(r'^INSERT INTO "(\w+)"')
_TABLE: Final = re.compile(r'(?:^|JOIN |, )"(\w+)"')


def locks(sql: str) -> list[str]:
    """Return the watched tables whose rows a statement locks, in its order."""
    reads = _READS.match(sql)
    if reads:
        named = _TABLE.findall(reads[2] or reads[1])
    else:
        writes = None if _EMPTIED.match(sql) else _WRITES.match(sql)
        named = _TABLE.findall(writes[1]) if writes else []
    return [table for table in named if table in RANK]


@cache
def room_of(file: str) -> str:
    """Return the first folder of a file within the project, or "" for a file outside."""
    path = Path(file)
    return path.relative_to(_ROOT).parts[0] if path.is_relative_to(_ROOT) else ""


def made_by_test() -> bool:
    """Return whether the current statement is the test's own, and not that of a verb."""
    frame = inspect.currentframe()
    while frame is not None:
        room = room_of(frame.f_code.co_filename)
        if room == "tests" and frame.f_code.co_filename != __file__:
            return True
        if room not in ("", ".venv", "ledger", "config", "tests"):
            return False
        frame = frame.f_back
    return False


class Watch:
    """The locks of the current verb, and every violation of the order."""

    def __init__(
        self, connection: BaseDatabaseWrapper, is_ours: Callable[[], bool] = made_by_test
    ) -> None:
        self.connection = connection
        self.is_ours = is_ours
        self.around = {id(block) for block in connection.atomic_blocks}
        """What a fixture has put around the whole test or module: no verb."""
        self.verb: Any = None
        self.held: list[str] = []
        self.own: set[str] = set()
        self.faults: list[str] = []

    def _begin_if_new(self) -> None:
        """Detect a new verb: the outermost transaction within the one around the test.

        A single statement of the test itself (a manager's own transaction, without a savepoint) is not a verb.
        """
        blocks = (
            block
            for block in self.connection.atomic_blocks
            if not block._from_testcase  # type: ignore[attr-defined]  # unknown to the stubs
            and id(block) not in self.around
        )
        verb = next(blocks, None)
        if verb is not None and not verb.savepoint:
            verb = None
        if verb is None or verb is not self.verb:
            self.held, self.own = [], set()
        self.verb = verb

    def __call__(
        self, execute: Callable[..., Any], sql: str, params: Any, many: bool, context: Any
    ) -> Any:
        if self.is_ours():
            return execute(sql, params, many, context)
        self._begin_if_new()
        made = _OWN.match(sql)
        if made:
            self.own.add(made[1])
        for table in locks(sql) if self.verb is not None else ():
            if table in self.held or table in self.own:
                continue
            later = [other for other in self.held if RANK[other] > RANK[table]]
            if later:
                self.faults.append(f"{table} is locked after {', '.join(later)}: {sql[-300:]}")
            self.held.append(table)
        return execute(sql, params, many, context)


@contextmanager
def watched(connection: BaseDatabaseWrapper) -> Iterator[Watch]:
    """Watch a connection. Raise AssertionError at the end if locks were taken out of order."""
    watch = Watch(connection)
    with connection.execute_wrapper(watch):
        yield watch
    assert not watch.faults, "\n".join(dict.fromkeys(watch.faults))
