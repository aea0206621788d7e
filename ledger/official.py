"""Official models: the form of their rows in the record, and the reach of a write."""

from __future__ import annotations

import hashlib
import re
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
    """Free texts of which a digest is recorded: columns, and as ``column.key`` keys of a JSON column."""
    reach: Reach
    """What of the event's pages a row may change."""
    beside: Beside | None = None

    def texts_in(self, column: str) -> frozenset[str]:
        """Return the keys of a JSON column whose values are free texts."""
        parts = (name.partition(".") for name in self.digested)
        return frozenset(key for name, _dot, key in parts if key and name == column)

    def scope_of(self, key: str) -> uuid.UUID | None:
        """Return the event of the row with that primary key; ``None`` without such a row."""
        row = self.model._base_manager.filter(pk=key)
        return row.values_list(self.scope, flat=True).first()


_DIGEST = re.compile(r"sha256:[0-9a-f]{32}")


def digest(text: str) -> str:
    """Return the digest recorded in place of a free text; an empty text stays empty."""
    return f"sha256:{hashlib.sha256(text.encode()).hexdigest()[:32]}" if text else ""


def digest_once(text: str) -> str:
    """Return the digest of a free text, or the text itself where it is one already."""
    return text if _DIGEST.fullmatch(text) else digest(text)


def column(of: Official, field: models.Field[object, object], value: object) -> object:
    """Return a column's value in the form of the record."""
    if isinstance(field, models.JSONField):
        return _json_column(of, field.name, value)
    if value is None:
        return value
    value = field.get_prep_value(value)
    if field.name in of.digested:
        return digest(str(value))
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat()
    return value.isoformat() if isinstance(value, date) else value


def _json_column(of: Official, name: str, value: object) -> object:
    """Return a JSON column in the form of the record: its free texts as digests."""
    texts = of.texts_in(name)
    if not texts or not isinstance(value, dict):
        return value
    return {key: digest_once(str(text)) if key in texts else text for key, text in value.items()}
