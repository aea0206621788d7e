"""Official writes happen only inside a change, and a failed change leaves nothing."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from typing import Any

import pytest
from django.apps import apps
from django.db import transaction

from ledger.change import OutsideChange, change, event_changed, raise_version
from ledger.models import AuditRows
from ledger.official import Official, Reach
from ledger.rows import declared
from tests.tournament.build import make_event
from tournament.models import Event

pytestmark = pytest.mark.django_db


def writes(of: Official) -> list[Callable[[], Any]]:
    """Return every way to write a row of an official model."""
    key = uuid.uuid4() if of.model._meta.pk.get_internal_type() == "UUIDField" else 1
    row = of.model(pk=key)
    name = of.fields[0].name
    rows = of.model._default_manager.all()
    return [
        row.save,
        lambda: row.save(update_fields=[name]),
        row.delete,
        lambda: rows.update(**{name: None}),
        lambda: rows.bulk_create([row]),
        lambda: rows.bulk_update([row], [name]),
    ]


@pytest.mark.parametrize("label", [of.model._meta.label for of in declared()])
def test_an_official_row_is_written_inside_a_change_only(label: str) -> None:
    of = next(of for of in declared() if of.model is apps.get_model(label))
    for write in writes(of):
        with pytest.raises(OutsideChange, match=label), transaction.atomic():
            write()


def test_rows_deleted_by_query_are_deleted_inside_a_change_only() -> None:
    rounds = make_event(0).stages.get(order=1).rounds
    with pytest.raises(OutsideChange), transaction.atomic():
        rounds.all().delete()
    assert rounds.count() == 3


def test_a_change_inside_another_is_recorded_with_it_once() -> None:
    event = make_event(0)
    before = AuditRows.objects.count()

    @change()
    def fail() -> None:
        Event.objects.filter(pk=event.pk).update(name="Other")
        raise InterruptedError

    version = Event.objects.get(pk=event.pk).version
    with change():
        Event.objects.filter(pk=event.pk).update(place="Brugge")
        with pytest.raises(InterruptedError):
            fail()
        with change():
            event.stages.update(minutes=60)
    assert AuditRows.objects.count() == before + 1
    event.refresh_from_db()
    assert (event.place, event.name) == ("Brugge", "Beker van Oostende")
    assert event.version == event.frame_version == version + 1


@pytest.mark.parametrize("reach", list(Reach))
def test_a_change_is_announced_once_with_how_far_it_reaches(reach: Reach) -> None:
    event = make_event(0)
    heard: list[tuple[Any, Reach]] = []

    def hear(scope: Any, reach: Reach, **_signal: Any) -> None:
        heard.append((scope, reach))

    event_changed.connect(hear)
    try:
        with change():
            raise_version(event.pk, Reach.TABLE)
            raise_version(event.pk, reach)
    finally:
        event_changed.disconnect(hear)
    assert heard == [(event.pk, reach)]
