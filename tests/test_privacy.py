"""A person can see what is stored of them, and be forgotten without breaking any chain."""

from __future__ import annotations

import json
from datetime import date, timedelta
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from ledger.audit import breaks
from ledger.change import change
from ledger.models import AuditEntry
from operations.replay import replay
from tests.tournament.build import SYSTEM, chance, make_document, make_event
from tournament.demo.simulation import advance
from tournament.models import Person, PrintedDocument
from tournament.services.entrants import enter_player
from tournament.services.events import update_event
from tournament.services.privacy import export_person, forget_event, overdue

pytestmark = pytest.mark.django_db


def told(*words: str) -> str:
    out = StringIO()
    call_command(*words, stdout=out)
    return out.getvalue()


def test_export_holds_name_entries_and_seats() -> None:
    event = make_event(8, deals=1)
    advance(event, chance())
    person = event.entrants.get(number=3).person
    shown = json.loads(told("person", "export", str(person.pk)))
    assert shown == export_person(person)
    assert shown["name"] == person.name
    (entry,) = shown["entries"]
    assert (entry["event"], entry["number"]) == (event.name, 3)
    assert [seat["round"] for seat in entry["seats"]] == [1]


def test_erasing_leaves_results_and_chain_valid() -> None:
    event = make_event(8, deals=1)
    advance(event, chance())
    person = event.entrants.get(number=3).person
    name = person.name
    told("person", "erase", str(person.pk))
    person.refresh_from_db()
    assert (person.name, person.email) == ("", "")
    assert list(breaks(event.pk)) == []
    assert replay(event).differences == []
    told_by_chain = "".join(
        json.dumps([entry.before, entry.after], ensure_ascii=False)
        for entry in AuditEntry.objects.filter(scope=event.pk)
    )
    assert name not in told_by_chain
    told("person", "erase", str(person.pk))
    assert AuditEntry.objects.filter(verb="person.erased").count() == 1


def test_the_chain_never_held_a_name() -> None:
    event = make_event(16, deals=1)
    enter_player(event_id=event.pk, name="Zebedeus Quakelbeen", club="Q", actor=SYSTEM)
    advance(event, chance())
    kept = "".join(
        json.dumps([e.before, e.after, e.actor], ensure_ascii=False)
        for e in AuditEntry.objects.all()
    )
    names = [name for name in Person.objects.values_list("name", flat=True) if name]
    assert len(names) == 17
    assert [name for name in names if name in kept] == []


def test_nobody_is_erased_by_half_a_name() -> None:
    event = make_event(0)
    for name in ("Jan Peeters", "Jan Pieters"):
        enter_player(event_id=event.pk, name=name, actor=SYSTEM)
    with pytest.raises(CommandError, match="Several"):
        told("person", "erase", "Jan P")
    with pytest.raises(CommandError, match="no such person"):
        told("person", "erase", "Nobody")
    assert not Person.objects.filter(erased_at__isnull=False).exists()


def test_retention_erases_at_its_time_and_not_before(settings: Any) -> None:
    settings.RETENTION_DAYS = 100
    today = timezone.localdate()
    old, young = make_event(4, name="Old"), make_event(4, name="Young")
    update_event(event_id=old.pk, actor=SYSTEM, changes={"day": today - timedelta(days=101)})
    update_event(event_id=young.pk, actor=SYSTEM, changes={"day": today - timedelta(days=100)})
    assert [event.pk for event in overdue()] == [old.pk]
    assert "is due" in told("retention", "--dry-run")
    assert not Person.objects.filter(erased_at__isnull=False).exists()
    assert "4 persons erased" in told("retention")
    assert set(Person.objects.filter(erased_at__isnull=False)) == set(
        Person.objects.filter(entries__event=old)
    )
    assert list(breaks(old.pk)) == []
    assert "0 persons erased" in told("retention")


def test_who_still_plays_is_not_forgotten_with_an_old_event() -> None:
    old, young = make_event(4, name="Old"), make_event(0, name="Young")
    update_event(event_id=old.pk, actor=SYSTEM, changes={"day": date(2000, 1, 1)})
    old.refresh_from_db()
    regular = old.entrants.get(number=1).person
    entrant = enter_player(event_id=young.pk, name="X", actor=SYSTEM)
    entrant.person = regular
    with change():
        entrant.save()
    make_document(old)
    assert forget_event(old, SYSTEM) == 3
    regular.refresh_from_db()
    assert regular.name
    assert not PrintedDocument.objects.filter(event=old).exists()
