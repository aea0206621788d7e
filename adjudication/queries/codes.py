"""The articles of an event's penal code, read; nothing is written for it."""

from __future__ import annotations

import json
import uuid
from functools import lru_cache

from adjudication.models import PenalCode
from adjudication.penal import Code, code_for, house_from_json, rulers_from_json
from ledger.canonical import canonical_json
from tournament.models import Event


def read(event: Event, row: PenalCode) -> Code:
    """The articles of one number of the event's code."""
    return _merged(event.rulebook, row.edition, canonical_json(row.content))


@lru_cache(maxsize=64)
def _merged(rulebook: str, edition: str, content: str) -> Code:
    raw = json.loads(content)
    articles, ladders, adopted = house_from_json(raw)
    return code_for(rulebook, edition, articles, ladders, adopted, rulers_from_json(raw))


@lru_cache(maxsize=256)
def numbered(event_id: uuid.UUID, rulebook: str, number: int) -> Code | None:
    """A number of an event's code; a number never changes, so it is read once."""
    row = PenalCode.objects.filter(event=event_id, number=number).first()
    return _merged(rulebook, row.edition, canonical_json(row.content)) if row else None


def code_of(event: Event) -> Code:
    """The articles in force at the event; before any was needed there, the current edition's."""
    row = PenalCode.objects.filter(event=event, current=True).first()
    return read(event, row) if row is not None else code_for(event.rulebook)
