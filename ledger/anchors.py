"""Anchors: the state of every chain at one moment, short enough for papers and file names.

A chain proves that no single entry in it was changed, but a chain rewritten from some entry to its
end looks just as valid. An anchor that was printed, fetched or copied earlier pins the entries and
rows of that moment: a chain that does not pass through it was rewritten.

The format is ``ENTRIES.ROWS.DIGEST``: the numbers of audit entries and row records of the chain, and the
first digits of the SHA-256 of the canonical JSON of ``[scope, entries, hash of the last entry, rows,
hash of the last row record]``. The scope is in the digest, so that an anchor fits one chain only.
"""

from __future__ import annotations

import hashlib
import re
import uuid
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final, NotRequired, TypedDict

from django.db import models
from django.utils import timezone

from .canonical import canonical_json
from .models import AuditEntry, AuditHead, AuditRows
from .rows import declared
from .signing import signature

SHORT: Final = 16
"""Digits of the digest that are printed."""
_ANCHOR: Final = re.compile(r"(\d{1,18})\.(\d{1,18})\.([0-9a-f]{16,64})")


@dataclass(frozen=True, slots=True)
class Anchor:
    """Length of the chain of ``scope`` at one moment, with its digest."""

    scope: uuid.UUID
    entries: int
    rows: int
    digest: str

    def __str__(self) -> str:
        return f"{self.entries}.{self.rows}.{self.digest[:SHORT]}"


def _digest(scope: uuid.UUID, entries: int, last: str, rows: int, last_rows: str) -> str:
    content = canonical_json([str(scope), entries, last, rows, last_rows])
    return hashlib.sha256(content.encode()).hexdigest()


def _of(head: AuditHead) -> Anchor:
    digest = _digest(head.scope, head.sequence, head.hash, head.rows_sequence, head.rows_hash)
    return Anchor(head.scope, head.sequence, head.rows_sequence, digest)


def anchor_of(scope: uuid.UUID) -> str:
    """Return the anchor of a chain for printing; empty for an empty chain."""
    head = next(iter(AuditHead.objects.filter(scope=scope)), None)
    return str(_of(head)) if head is not None else ""


def anchors() -> list[Anchor]:
    """Return the anchor of every chain, by scope."""
    return sorted((_of(head) for head in AuditHead.objects.all()), key=lambda one: one.scope.int)


def all_as_one(heads: Iterable[Anchor]) -> str:
    """Return one digest over anchors, in hexadecimal."""
    content = canonical_json([[str(one.scope), one.entries, one.rows, one.digest] for one in heads])
    return hashlib.sha256(content.encode()).hexdigest()


def full_anchor(head: AuditHead) -> str:
    """Return the anchor of a chain at ``head``, with all its digits."""
    return _in_full(_of(head))


def _in_full(one: Anchor) -> str:
    return f"{one.entries}.{one.rows}.{one.digest}"


class Published(TypedDict):
    """All anchors as they are published: ENTRIES.ROWS.DIGEST by scope, and one digest over all."""

    kind: str
    at: str
    anchors: dict[str, str]
    all: str
    signature: NotRequired[dict[str, str]]


def as_json() -> Published:
    """Return all anchors for publication, with the time, signed by this installation.

    They hold no name, and nothing from which one would follow.
    """
    heads = anchors()
    document: Published = {
        "kind": "manille-anchors",
        "at": timezone.now().isoformat(timespec="seconds"),
        "anchors": {str(one.scope): _in_full(one) for one in heads},
        "all": all_as_one(heads),
    }
    return {**document, "signature": signature(document)}


def leads_through(scope: uuid.UUID, anchor: str) -> bool:
    """Whether the chain of ``scope`` has the entries and rows that an anchor was made of.

    Raises:
        ValueError: where ``anchor`` is none.
    """
    match = _ANCHOR.fullmatch(anchor.strip())
    if match is None:
        raise ValueError(f"{anchor!r} is no anchor: ENTRIES.ROWS.DIGEST")
    entries, rows = int(match[1]), int(match[2])
    last = AuditEntry.objects.filter(scope=scope, sequence=entries).values_list("hash", flat=True)
    last_rows = AuditRows.objects.filter(scope=scope, sequence=rows).values_list("hash", flat=True)
    digest = _digest(scope, entries, last.first() or "", rows, last_rows.first() or "")
    return digest.startswith(match[3])


def astray(expected: Mapping[str, str]) -> list[str]:
    """Return the scopes of published anchors whose chains do not pass through them."""
    return [scope for scope, text in expected.items() if not leads_through(uuid.UUID(scope), text)]


_chained: Final[list[tuple[type[models.Model], str]]] = []


def chained(model: type[models.Model], scope: str) -> None:
    """Declare that what a column of ``model`` names is never without a chain, as official rows are."""
    _chained.append((model, scope))


def scopes() -> list[uuid.UUID]:
    """Return every scope with a chain, part of a chain, or rows that require one."""
    scopes_found: set[uuid.UUID] = set()
    for model in (AuditHead, AuditEntry, AuditRows):
        scopes_found.update(
            model._default_manager.order_by().values_list("scope", flat=True).distinct()
        )
    for table, scope in [*((of.model, of.scope) for of in declared()), *_chained]:
        rows = table._base_manager.order_by().values_list(scope, flat=True).distinct()
        scopes_found.update(scope for scope in rows if scope is not None)
    return sorted(scopes_found)
