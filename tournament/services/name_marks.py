"""Commitments to names in the record of an event: a name exchanged by SQL no longer fits its own.

The record holds a salted digest of each name beside the rows of its entry. The salt stands with the name
(:class:`tournament.models.Person`) and is erased with it; then nobody can try names against the digest.
A corrected name gets a new salt.
"""

from __future__ import annotations

import uuid
from collections.abc import Collection, Iterable, Iterator
from typing import Final

from django.db.models import Q

from ledger.canonical import canonical_json
from ledger.change import append_rows, change
from ledger.models import AuditEntry
from ledger.official import Beside, Columns, Key, digest
from ledger.rows import recorded
from tournament.models import Entrant, Person
from tournament.models.entrants import new_salt

_PERSON: Final = Person._meta.label
_ENTRANT: Final = Entrant._meta.label
_PARTS: Final = ("person", "partner")


def mark_of(person: Person) -> str:
    """Return the commitment to a person's name, in the form of a recorded free text."""
    return digest(canonical_json([person.salt, str(person.pk), person.name]))


def _record(keys: Collection[str]) -> dict[Key, Columns]:
    return _marks(Entrant.objects.filter(pk__in=keys))


def _marks(entrants: Iterable[Entrant]) -> dict[Key, Columns]:
    """Return the commitments to the names in these entries; a name without a salt gets one."""
    ids = {getattr(each, f"{part}_id") for each in entrants for part in _PARTS}
    marks: dict[Key, Columns] = {}
    for person in Person.objects.filter(pk__in=ids).exclude(name="").order_by("pk"):
        if not person.salt:
            person.salt = new_salt()
            person.save(update_fields=["salt"])
        marks[_PERSON, str(person.pk)] = {"name": mark_of(person)}
    return marks


def _faults(event_id: uuid.UUID) -> Iterator[str]:
    """Yield each entry whose person or name is not the recorded one; older names have no commitment."""
    rows = recorded(event_id, (_PERSON, _ENTRANT))
    erasures = AuditEntry.objects.filter(
        scope=event_id, verb__in=("person.erased", "person.restored")
    )
    last = dict(erasures.order_by("sequence").values_list("object_id", "verb"))
    erased = {key for key, verb in last.items() if verb == "person.erased"}
    entrants = Entrant.objects.filter(event=event_id).select_related(*_PARTS).order_by("number")
    for entrant in entrants:
        row = rows.get((_ENTRANT, str(entrant.pk)), {})
        for part in _PARTS:
            person: Person | None = getattr(entrant, part)
            key = None if person is None else str(person.pk)
            if row.get(f"{part}_id", key) != key:
                yield f"number {entrant.number}: its {part} is not the recorded one"
            elif person is not None and key is not None:
                mark = rows.get((_PERSON, key), {}).get("name")
                if mark is None or (not person.name and key in erased):
                    continue
                if mark != mark_of(person):
                    yield f"number {entrant.number}: the name of its {part} is not the recorded one"


NAMES: Final = Beside(frozenset(f"{part}_id" for part in _PARTS), _record, _faults)


@change()
def mark_names() -> int:
    """Commit to names that have no salt, since an earlier release entered them; return their number."""
    lacking = Q(person__salt="") & ~Q(person__name="")
    lacking |= Q(partner__salt="") & ~Q(partner__name="")
    by_event: dict[uuid.UUID, list[Entrant]] = {}
    for entrant in Entrant.objects.filter(lacking).order_by("event_id", "pk"):
        by_event.setdefault(entrant.event_id, []).append(entrant)
    marked = 0
    for event_id, entrants in by_event.items():
        marks = _marks(entrants)
        append_rows(event_id, 0, dict(marks))
        marked += len(marks)
    return marked
