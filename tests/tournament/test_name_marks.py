"""Names in the record: exchanged by SQL they are noticed, and erased they cannot be guessed."""

from __future__ import annotations

import json
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.db import IntegrityError, connection, transaction

import manille_check
from ledger.models import AuditEntry, AuditRows
from ledger.official import digest
from operations.replay import replay
from tests.tournament.build import SYSTEM, make_event
from tournament.models import Event, Person
from tournament.services import archive, entrant_edits, entrants, privacy
from tournament.services.name_marks import mark_names

pytestmark = pytest.mark.django_db


def verified(event: Event) -> str:
    """Return the output of ``audit_verify``; its failure included."""
    out = StringIO()
    try:
        call_command("audit_verify", str(event.pk), stdout=out)
    except CommandError as error:
        out.write(str(error))
    return out.getvalue()


def names_of(packed: bytes) -> list[str]:
    """Return the faults that the outside check finds in the names of an archive."""
    return list(manille_check.name_faults(archive.read(packed)))


EXCHANGES = {
    "names": "UPDATE tournament_person SET name = CASE id WHEN %(one)s THEN %(two_name)s"
    " ELSE %(one_name)s END WHERE id IN (%(one)s, %(two)s)",
    "names and salts": "UPDATE tournament_person SET name = %(two_name)s, salt = %(two_salt)s"
    " WHERE id = %(one)s",
    "an empty salt": "UPDATE tournament_person SET name = 'Somebody Else', salt = '' WHERE id = %(one)s",
    "an erasure": "UPDATE tournament_person SET name = '', email = '', salt = '' WHERE id = %(one)s",
    "persons": "UPDATE tournament_entrant SET person_id = %(other)s WHERE person_id = %(one)s",
}


@pytest.mark.guide("check#checking-an-event-from-outside")
@pytest.mark.parametrize("exchange", EXCHANGES)
def test_a_name_exchanged_by_sql_is_noticed(exchange: str) -> None:
    event = make_event(4)
    first, second = event.entrants.select_related("person").order_by("number")[:2]
    assert "whole" in verified(event)
    assert names_of(archive.pack(event.pk)) == []
    other = Person.objects.create(name="Somebody Else")
    keys = {"one": first.person.pk, "two": second.person.pk, "other": other.pk}
    if connection.vendor == "sqlite":
        keys = {name: key.hex for name, key in keys.items()}
    names = {
        "one_name": first.person.name,
        "two_name": second.person.name,
        "two_salt": second.person.salt,
    }
    with connection.cursor() as cursor:
        cursor.execute(EXCHANGES[exchange], {**keys, **names})
    said = verified(event)
    assert f"number {first.number}: " in said
    assert "broken" in said
    assert any(f"number {first.number}: " in each for each in replay(event).differences)
    if exchange != "persons":  # which the check of rows finds
        assert names_of(archive.pack(event.pk))


def test_a_corrected_name_is_recorded_and_its_salt_is_another() -> None:
    event = make_event(4)
    entrant = event.entrants.select_related("person").order_by("number")[0]
    before = entrant.person.salt
    entrant_edits.correct_entrant(
        entrant_id=entrant.pk, changes={"name": "Ada Lovelace"}, actor=SYSTEM
    )
    assert Person.objects.get(pk=entrant.person_id).salt not in ("", before)
    late = entrants.enter_player(event_id=event.pk, name="Late Comer", actor=SYSTEM)
    entrant_edits.correct_entrant(entrant_id=late.pk, changes={"partner": "Pair Ner"}, actor=SYSTEM)
    assert "whole" in verified(event)
    Person.objects.filter(name="Pair Ner").update(name="Paul Ner")
    assert f"number {late.number}: the name of its partner" in verified(event)


@pytest.mark.guide("security#personal-data")
def test_an_erased_name_cannot_be_guessed_from_the_record() -> None:
    event = make_event(4)
    person = event.entrants.select_related("person").order_by("number")[0].person
    salt, name = person.salt, person.name
    privacy.forget_person(person_id=person.pk, actor=SYSTEM)
    assert Person.objects.get(pk=person.pk).salt == ""
    assert "whole" in verified(event)
    assert names_of(archive.pack(event.pk)) == []
    stored = "".join(AuditRows.objects.values_list("body", flat=True)) + "".join(
        json.dumps([each.before, each.after]) for each in AuditEntry.objects.all()
    )
    assert salt not in stored + json.dumps(archive.read(archive.pack(event.pk)))
    for guess in (name, f'["","{person.pk}","{name}"]'):
        assert digest(guess) not in stored
    with pytest.raises(IntegrityError), transaction.atomic():
        Person.objects.filter(pk=person.pk).update(salt=salt)


def test_an_imported_archive_commits_to_its_names_with_salts_of_its_own() -> None:
    event = make_event(4)
    packed = archive.pack(event.pk)
    copied = archive.take_up(file=packed, actor=SYSTEM, copy=True)
    people = Person.objects.filter(entries__event=copied)
    there = Person.objects.filter(entries__event=event)
    assert not set(people.values_list("salt", flat=True)) & {
        "",
        *there.values_list("salt", flat=True),
    }
    assert "whole" in verified(copied)
    assert names_of(archive.pack(copied.pk)) == []
    people.filter(name=there.order_by("name")[0].name).update(name="Somebody Else")
    assert "broken" in verified(copied)


def test_names_of_an_earlier_release_are_committed_to_once() -> None:
    event = make_event(4)
    people = Person.objects.filter(entries__event=event)
    people.update(salt="")
    rows = AuditRows.objects.count()
    call_command("migrate", verbosity=0)
    assert len(set(people.values_list("salt", flat=True)) - {""}) == 4
    assert AuditRows.objects.count() == rows + 1
    assert mark_names() == 0
    assert "whole" in verified(event)
    people.filter(entries__number=1).update(name="Somebody Else")
    assert "number 1: the name of its person is not the recorded one" in verified(event)
