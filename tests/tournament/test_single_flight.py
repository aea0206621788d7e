"""Derived work runs once, in one thread, without blocking other writers."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest
from django.db import connection, transaction

from ledger.change import raise_version
from ledger.single_flight import single_flight, snapshot
from tests.tournament.build import SYSTEM, chance, make_event
from tournament.demo.simulation import draw_and_publish, play_sheet
from tournament.models import Event, RenderedStandings, Round, Standings
from tournament.models.tables import Sheet
from tournament.queries import standings
from tournament.queries.results import gather
from tournament.queries.standings import fresh, recompute, shared
from tournament.services import rendering
from tournament.services.rendering import rendered
from tournament.services.standings import set_state

pytestmark = pytest.mark.django_db(transaction=True)


def in_thread(work: Callable[[], None]) -> list[Exception]:
    """Run ``work`` to its end on its own connection. Return the exception that it raised."""
    raised: list[Exception] = []

    def run() -> None:
        try:
            work()
        except Exception as error:  # noqa: BLE001 (the caller looks at it)
            raised.append(error)
        finally:
            connection.close()

    thread = threading.Thread(target=run)
    thread.start()
    thread.join(60)
    assert not thread.is_alive()
    return raised


@pytest.fixture
def on_disk(transactional_db: None, tmp_path: Path) -> Iterator[None]:
    """Use the embedded service's kind of database: a file that allows readers during a write.

    The tests' own database is shared memory, where a reader locks whole tables.
    """
    if connection.vendor != "sqlite":
        yield
        return
    connection.ensure_connection()
    held, name = connection.connection, connection.settings_dict["NAME"]
    with closing(sqlite3.connect(tmp_path / "records.sqlite3")) as file:
        held.backup(file)
    connection.connection = None
    connection.settings_dict["NAME"] = str(tmp_path / "records.sqlite3")
    try:
        yield
    finally:
        connection.close()
        connection.settings_dict["NAME"], connection.connection = name, held


@pytest.fixture
def hall(on_disk: None, settings: object, tmp_path: Path) -> Event:
    settings.VAR_DIR = tmp_path  # type: ignore[attr-defined]
    event = make_event(8, deals=1, slug="hall")
    round_ = Round.objects.get(stage__event=event, stage__order=1, number=1)
    draw_and_publish(round_, SYSTEM)
    event.refresh_from_db()
    return event


def sign_one(event: Event) -> None:
    round_ = Round.objects.get(stage__event=event, stage__order=1, number=1)
    for sheet in Sheet.objects.filter(table=round_.tables.first()):
        play_sheet(sheet, chance())


def test_a_table_signs_while_standings_are_computed(
    hall: Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    stage = hall.stages.select_related("event").get(order=1)
    real, raised = gather, []

    def while_signing(*args: object, **more: object) -> object:
        found = real(*args, **more)  # type: ignore[arg-type]
        raised.extend(in_thread(lambda: sign_one(hall)))
        return found

    monkeypatch.setattr(standings, "gather", while_signing)
    raise_version(hall.pk)
    before = Event.objects.get(pk=hall.pk).version
    kept = recompute(stage_id=stage.pk)
    assert raised == []
    monkeypatch.setattr(standings, "gather", real)
    # The result has the version at which its computation began, so the next request computes the rest.
    assert kept.version == before < Event.objects.get(pk=hall.pk).version
    assert sum(row["games"] for row in kept.rows) == 0
    assert sum(row["games"] for row in fresh(stage).rows) == 12


def test_rows_never_claim_a_version_they_do_not_show(
    hall: Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    stage = hall.stages.select_related("event").get(order=1)
    real = fresh

    def then_signed(asked: object) -> Standings:
        kept = real(asked)  # type: ignore[arg-type]
        assert in_thread(lambda: sign_one(hall)) == []
        return kept

    monkeypatch.setattr(rendering, "fresh", then_signed)
    early = rendered(stage, "nl")
    monkeypatch.setattr(rendering, "fresh", real)
    assert early.version < Event.objects.get(pk=hall.pk).version
    stage = hall.stages.select_related("event").get(order=1)
    late = rendered(stage, "nl")
    assert late.rows != early.rows
    assert late.version == Event.objects.get(pk=hall.pk).version
    assert RenderedStandings.objects.count() == 1


def test_whoever_froze_the_standings_meanwhile_is_not_overwritten(
    hall: Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    stage = hall.stages.get(order=1)
    real = standings.rows_json

    def while_freezing(standing: object) -> object:
        monkeypatch.setattr(standings, "rows_json", real)
        set_state(stage_id=stage.pk, state="frozen", actor=SYSTEM)
        return real(standing)  # type: ignore[arg-type]

    fresh(stage)
    raise_version(hall.pk)
    monkeypatch.setattr(standings, "rows_json", while_freezing)
    kept = recompute(stage_id=stage.pk)
    assert kept.state == "frozen"
    assert kept.version == Standings.objects.get(stage=stage).version


def test_many_who_ask_at_once_compute_once(hall: Event, monkeypatch: pytest.MonkeyPatch) -> None:
    stage = hall.stages.get(order=1)
    real, counted, lock = gather, [], threading.Lock()

    def count(*args: object, **more: object) -> object:
        with lock:
            counted.append(1)
        return real(*args, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(standings, "gather", count)
    raise_version(hall.pk)
    raised: list[Exception] = []
    threads = [
        threading.Thread(target=lambda: raised.extend(in_thread(lambda: fresh(stage) and None)))
        for _phone in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert raised == []
    assert counted == [1]


def test_what_is_shared_is_read_again_after_every_change(hall: Event) -> None:
    stage = hall.stages.get(order=1)
    first, standing = shared(stage)
    again, same = shared(stage)
    assert again is first
    assert same is standing
    sign_one(hall)
    later, changed = shared(stage)
    assert sum(row.games for row in changed.rows) == 12
    assert later.version > first.version
    set_state(stage_id=stage.pk, state="frozen", actor=SYSTEM)
    assert shared(stage)[0].state == "frozen"


def test_a_turn_waits_for_the_one_before(settings: object, tmp_path: object) -> None:
    settings.VAR_DIR = tmp_path  # type: ignore[attr-defined]
    order: list[str] = []
    inside, go_on = threading.Event(), threading.Event()

    def first() -> None:
        with single_flight("work"):
            inside.set()
            assert go_on.wait(30)
            order.append("first")
        connection.close()

    def second() -> None:
        with single_flight("work"):
            order.append("second")
        connection.close()

    threads = [threading.Thread(target=first), threading.Thread(target=second)]
    threads[0].start()
    assert inside.wait(30)
    threads[1].start()
    with single_flight("other work"):
        order.append("other")
    go_on.set()
    for thread in threads:
        thread.join(30)
    assert order == ["other", "first", "second"]


def test_inside_a_transaction_nobody_is_waited_for(settings: object, tmp_path: object) -> None:
    settings.VAR_DIR = tmp_path  # type: ignore[attr-defined]
    with single_flight("work"), transaction.atomic(), single_flight("work"), snapshot():
        assert connection.in_atomic_block


def test_a_snapshot_sees_one_state_and_ends_with_its_block(hall: Event) -> None:
    with snapshot():
        before = Event.objects.get(pk=hall.pk).version
        assert in_thread(lambda: raise_version(hall.pk)) == []
        assert Event.objects.get(pk=hall.pk).version == before
    assert Event.objects.get(pk=hall.pk).version == before + 1

    def fail() -> None:
        with snapshot():
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    raise_version(hall.pk)
    assert Event.objects.get(pk=hall.pk).version == before + 2
