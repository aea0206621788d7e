"""One hash of the whole database, and trials that are always rolled back.

``Trial`` runs one input on the same records as every other input and rolls the effects back. After a refusal it asserts
that no row has changed ("never a partial write").
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Final

from django.apps import apps
from django.db import connection, transaction
from django.db.models import Max

from ledger.models import AuditEntry

NOT_RECORDS: Final = frozenset({"django_session", "django_content_type", "auth_permission"})
"""Tables whose rows belong to no event."""

OF_THE_PEN: Final = frozenset(
    {
        "ledger_auditentry",
        "ledger_audithead",
        "ledger_auditrows",
        "scoring_table",
        "scoring_sidewriter",
    }
)
"""Tables that change when a phone that begins to write takes over the table.

That is an act of its own, which remains whatever happens to the entry after it.
"""

MADE_BY_LOOKING: Final = frozenset(
    {"tournament_standings", "tournament_renderedstandings", "otp_totp_totpdevice"}
)
"""Tables that a GET may fill: standings computed from the records, their rows, and an unconfirmed second step.

A refusal shows its page again.
"""

PEN_VERBS: Final = frozenset({"table.pen_taken"})

_WRITES: Final = ("INSERT", "UPDATE", "DELETE", "REPLACE")


def records() -> dict[str, str]:
    """Return the hash of every table's rows, in the order of their keys."""
    found = {}
    with connection.cursor() as cursor:
        for model in apps.get_models():
            table = model._meta.db_table
            if table in NOT_RECORDS:
                continue
            cursor.execute(f'SELECT * FROM "{table}" ORDER BY 1')
            digest = hashlib.sha256()
            for row in cursor:
                digest.update(repr(row).encode())
            found[table] = digest.hexdigest()
    return found


def last_entry() -> int:
    """Return the key of the newest audit entry."""
    return int(AuditEntry.objects.aggregate(last=Max("pk"))["last"] or 0)


@dataclass
class Trial:
    """The records before any input, and the writes of the current input."""

    before: dict[str, str] = field(default_factory=records)
    last: int = field(default_factory=last_entry)
    wrote: bool = False

    def _watch(self, execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        if sql.lstrip().upper().startswith(_WRITES):
            self.wrote = True
        return execute(sql, params, many, context)

    @contextmanager
    def undone(self) -> Iterator[None]:
        """Roll back all writes of the block at the end."""
        self.wrote = False
        around = transaction.atomic()
        # Marked as the test's own transaction, so that each verb of the input is an outermost one.
        around._from_testcase = True  # type: ignore[attr-defined]  # unknown to the stubs
        with around:
            with connection.execute_wrapper(self._watch):
                yield
            transaction.set_rollback(True)

    def changed(self) -> list[str]:
        """Return the tables that have changed so far inside the block."""
        if not self.wrote:
            return []
        now = records()
        other = sorted(
            table
            for table in now
            if now[table] != self.before[table] and table not in MADE_BY_LOOKING
        )
        return [] if set(other) <= OF_THE_PEN and self._only_the_pen() else other

    def _only_the_pen(self) -> bool:
        """Return whether every audit entry of the input is about taking over a table."""
        new = AuditEntry.objects.filter(pk__gt=self.last).values_list("verb", flat=True)
        return all(verb in PEN_VERBS for verb in new)
