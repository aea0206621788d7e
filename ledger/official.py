"""Official models: the form of their rows in the record, and the reach of a write."""

from __future__ import annotations

import hashlib
import uuid
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime
from enum import IntEnum

from django.db import models

Columns = dict[str, object]
Key = tuple[str, str]
"""Label of a model and primary key as text."""


class Reach(IntEnum):
    """Pages of an event that a written row may change."""

    TABLE = 0
    """The pages of its table and of the players there."""
    RESULTS = 1
    """Standings and results too, but no draw, seat, clock, name or ruling."""
    EVENT = 2
    """Everything."""


@dataclass(frozen=True, slots=True)
class Beside:
    """Commitments to personal data, recorded beside the official rows that refer to it."""

    columns: frozenset[str]
    """Columns of the official row, by attribute, whose writing records them anew."""
    record: Callable[[Collection[str]], dict[Key, Columns]]
    """Return the commitments that belong to the official rows of these keys."""
    faults: Callable[[uuid.UUID], Iterator[str]]
    """Yield what differs in an event from the recorded commitments."""


@dataclass(frozen=True, slots=True)
class Official:
    """A model whose rows are official state."""

    model: type[models.Model]
    scope: str
    """Lookup from a row to the id of its event."""
    fields: tuple[models.Field[object, object], ...]
    """The columns that count, without the primary key."""
    digested: frozenset[str]
    """Columns of free text, of which a digest is recorded."""
    reach: Reach
    """What of the event's pages a row may change."""
    beside: Beside | None = None

    def scope_of(self, key: str) -> uuid.UUID | None:
        """Return the event of the row with that primary key; ``None`` without such a row."""
        row = self.model._base_manager.filter(pk=key)
        return row.values_list(self.scope, flat=True).first()


def digest(text: str) -> str:
    """Return the digest recorded in place of a free text; an empty text stays empty."""
    return f"sha256:{hashlib.sha256(text.encode()).hexdigest()[:32]}" if text else ""


def column(of: Official, field: models.Field[object, object], value: object) -> object:
    """Return a column's value in the form of the record."""
    if value is None or isinstance(field, models.JSONField):
        return value
    value = field.get_prep_value(value)
    if field.name in of.digested:
        return digest(str(value))
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat()
    return value.isoformat() if isinstance(value, date) else value
