"""Persons can see their stored data, and be erased without breaking the audit chain."""

from __future__ import annotations

import json
from datetime import date, timedelta
from io import StringIO
from typing import Any

import pytest
from django.core.cache import cache
from django.core.management import CommandError, call_command
from django.utils import timezone

from ledger.audit import breaks
from ledger.change import change
from ledger.models import AuditEntry
from operations.replay import replay
from tests.moment import later
from tests.tournament.build import SYSTEM, chance, make_document, make_event
from tournament.api.person_data import export_person
from tournament.demo.simulation import advance
from tournament.models import Event, EventState, Person, PrintedDocument
from tournament.services import archive
from tournament.services.entrants import enter_player
from tournament.services.event_life import finish_event
from tournament.services.events import update_event
from tournament.services.privacy import erase_overdue, forget_event, overdue

pytestmark = pytest.mark.django_db


def told(*words: str) -> str:
    out = StringIO()
    call_command(*words, stdout=out)
    return out.getvalue()


@pytest.mark.guide("security#personal-data")
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


@pytest.mark.guide("security#personal-data")
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


@pytest.mark.guide("check#checking-an-event-from-outside", "operator#personal-data")
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


@pytest.mark.guide("security#personal-data")
def test_nobody_is_erased_by_half_a_name() -> None:
    event = make_event(0)
    for name in ("Jan Peeters", "Jan Pieters"):
        enter_player(event_id=event.pk, name=name, actor=SYSTEM)
    with pytest.raises(CommandError, match="Several"):
        told("person", "erase", "Jan P")
    with pytest.raises(CommandError, match="no such person"):
        told("person", "erase", "Nobody")
    assert not Person.objects.filter(erased_at__isnull=False).exists()


def held(name: str, *, days_ago: int, players: int = 4) -> Event:
    """Create an event that was opened and finished ``days_ago``."""
    with later(days=-days_ago):
        event = make_event(players, name=name)
        update_event(
            event_id=event.pk, actor=SYSTEM, changes={"day": timezone.localdate() - timedelta(1)}
        )
        return finish_event(event_id=event.pk, actor=SYSTEM, despite_open=True)


def night() -> int:
    """Run the erasure of the workers' timer."""
    cache.clear()
    return erase_overdue()


def erased() -> set[Person]:
    return set(Person.objects.filter(erased_at__isnull=False))


@pytest.mark.guide("operator#personal-data", "security#personal-data")
def test_retention_erases_at_its_time_and_not_before(settings: Any) -> None:
    settings.RETENTION_DAYS = 100
    old, young = held("Old", days_ago=101), held("Young", days_ago=99)
    make_event(0)
    assert [event.pk for event in overdue()] == [old.pk]
    assert "is due" in told("retention", "--dry-run")
    assert not erased()
    assert "4 persons erased" in told("retention")
    assert erased() == set(Person.objects.filter(entries__event=old))
    assert list(breaks(old.pk)) == []
    assert "0 persons erased" in told("retention")
    assert [event.pk for event in overdue()] == [old.pk] != [young.pk]


@pytest.mark.guide("operator#personal-data", "security#personal-data")
def test_a_mistyped_year_erases_nobody_of_an_event_in_play(settings: Any) -> None:
    settings.RETENTION_DAYS = 100
    event = make_event(8, deals=1)
    advance(event, chance())
    update_event(event_id=event.pk, actor=SYSTEM, changes={"day": date(2006, 11, 21)})
    assert night() == 0
    assert "is not finished: kept" in told("retention")
    event.refresh_from_db()
    assert forget_event(event, SYSTEM) == 0
    # Nor just after its end, because the journal records when it ended.
    finish_event(event_id=event.pk, actor=SYSTEM, despite_open=True)
    assert night() == 0
    assert not erased()


@pytest.mark.guide("security#personal-data")
def test_an_event_that_was_taken_up_today_is_not_erased_tonight(settings: Any) -> None:
    settings.RETENTION_DAYS = 100
    event = held("Old", days_ago=500)
    copy = archive.take_up(file=archive.pack(event.pk), actor=SYSTEM, copy=True)
    assert copy.state == EventState.FINISHED
    told("retention")
    assert not Person.objects.filter(entries__event=copy, erased_at__isnull=False).exists()
    assert erased() == set(Person.objects.filter(entries__event=event))


@pytest.mark.guide("operator#personal-data", "security#personal-data")
@pytest.mark.parametrize("ahead", [740, 30_000])
def test_a_clock_that_jumps_ahead_erases_nobody(settings: Any, ahead: int) -> None:
    settings.RETENTION_DAYS = 730
    event = held("Spring", days_ago=50)
    assert night() == 0
    for day in range(3):
        with later(days=ahead + day):
            assert [due.pk for due in overdue()] == [event.pk]
            assert night() == 0
            assert "The clock jumped" in told("retention")
    # Setting the clock right is a second jump, so erasure pauses again.
    assert night() == 0
    assert "The clock jumped" in told("retention", "--dry-run")
    assert not erased()
    with later(days=ahead):
        assert "4 persons erased" in told("retention", "--despite-jump")


@pytest.mark.guide("security#personal-data")
def test_the_first_night_after_an_upgrade_knows_a_clock_that_had_jumped(settings: Any) -> None:
    settings.RETENTION_DAYS = 730
    held("Spring", days_ago=50)
    with later(days=740):
        assert night() == 0
    assert not erased()


@pytest.mark.guide("security#personal-data")
def test_a_machine_that_runs_once_a_month_erases_in_its_time(settings: Any) -> None:
    settings.RETENTION_DAYS = 730
    held("Spring", days_ago=50)
    gone = []
    for month in range(24):
        with later(days=30 * month):
            gone.append(night())
    # 50 days and 22 months of 30 days are 710 days, with one more 740.
    assert gone == [0] * 23 + [4]


@pytest.mark.guide("security#personal-data")
def test_who_still_plays_is_not_forgotten_with_an_old_event() -> None:
    old, young = held("Old", days_ago=9000), make_event(0, name="Young")
    # Whichever day was entered, the second event is still running.
    update_event(event_id=young.pk, actor=SYSTEM, changes={"day": date(2000, 1, 1)})
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
