"""The audit chain alone determines the official state; a record changed behind it is detected."""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.db import DatabaseError, connection, transaction
from django.db.models import Model

from adjudication.models import Incident
from ledger.audit import append, breaks
from ledger.change import change, lock
from ledger.models import AuditRows
from ledger.rows import begin, columns
from operations.rebuild import empty_database, rebuild, tables, tables_served
from operations.replay import replay
from tests.tournament.build import SYSTEM, chance, make_event
from tournament.demo.simulation import advance
from tournament.models import Adjustment, Draw, Entrant, Event, Person, Seat
from tournament.models.tables import DealVersion, OfficialResult, Signature
from tournament.queries import standings
from tournament.services import entrants, sheets
from tournament.services.adjustments import Amount, adjust, annul

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def evening(module_database: None) -> Event:
    """Play a round with a deal corrected after signature, a penalty, one annulled, and a withdrawal."""
    made = make_event(8, deals=2)
    advance(made, chance())
    stage = made.stages.get(order=1)
    someone, another = made.entrants.order_by("number")[:2]
    deal = DealVersion.objects.filter(sheet__scope=made.pk, current=True).order_by("pk")[0]
    other = {"points": {next(iter(deal.entry["points"])): 31}}
    plain = {name: value for name, value in deal.entry.items() if name != "tricks"}
    sheets.correct_deal(
        sheet_id=deal.sheet_id,
        number=deal.number,
        entry={**plain, **other},
        reason="read wrongly",
        actor=SYSTEM,
    )
    for source, who in (("test:1", someone), ("test:2", another)):
        adjust(
            stage_id=stage.pk,
            source=source,
            amounts=[Amount(who.pk, marks=-5, penalties=1)],
            reason="late",
            actor=SYSTEM,
        )
    annul(source="test:2", actor=SYSTEM, reason="was there")
    entrants.withdraw(entrant_id=another.pk, actor=SYSTEM)
    standings.recompute(stage_id=stage.pk)
    return made


@pytest.fixture
def event(evening: Event) -> Event:
    return Event.objects.get(pk=evening.pk)


@contextmanager
def unannounced(event: Event) -> Iterator[None]:
    """Write rows in a change that leaves the event's version as it was."""
    version = Event.objects.values_list("version", flat=True).get(pk=event.pk)
    with change():
        yield
    Event.objects.filter(pk=event.pk).update(version=version)


@pytest.mark.guide(
    "check#checking-an-event-from-outside", "operator#restore-a-backup", "security#security"
)
def test_an_event_is_told_anew_without_a_difference(event: Event) -> None:
    found = replay(event)
    assert found.differences == []
    # 2 tables of 3 games of 2 deals; one penalty still stands.
    assert found.compared["deal"] == found.compared["scored again"] == 12
    assert found.compared["result"] == 6
    assert found.compared["adjustment"] == 1
    assert found.compared["entrant"] == 8
    assert found.standings


def test_a_changed_deal_is_found(event: Event) -> None:
    deal = DealVersion.objects.filter(sheet__scope=event.pk, current=True).order_by("-pk")[0]
    with unannounced(event):
        DealVersion.objects.filter(pk=deal.pk).update(marks={"NS": 99})
    told = "\n".join(replay(event).differences)
    assert f"deal {deal.sheet_id} official {deal.number}" in told
    assert "scored again" in told


def test_a_changed_result_is_found_in_chain_sum_and_standing(event: Event) -> None:
    result = OfficialResult.objects.filter(sheet__scope=event.pk, current=True)[0]
    changed = {**result.result, "marks": {"NS": 500, "EW": 0}}
    with unannounced(event):
        OfficialResult.objects.filter(pk=result.pk).update(result=changed)
    told = "\n".join(replay(event).differences)
    assert f"result {result.sheet_id}: the chain says" in told
    assert "added up again" in told
    assert "standing of" in told


def test_a_penalty_slipped_in_and_an_entrant_taken_out_are_found(event: Event) -> None:
    row = Adjustment.objects.get(event=event, annulled_at__isnull=True)
    row.pk, row.source = None, "nobody"
    with unannounced(event):
        row.save()
        Entrant.objects.filter(event=event, number=7).update(state="withdrawn")
    told = "\n".join(replay(event).differences)
    assert "adjustment nobody" in told
    assert "entrant " in told


def test_penalties_of_releases_that_knew_no_forfeited_round_are_told_like_those_of_this_one(
    event: Event,
) -> None:
    stage = event.stages.get(order=1)
    third, fourth = event.entrants.filter(number__in=(3, 4)).order_by("number")
    with change():
        row = Adjustment.objects.create(
            event=event,
            stage=stage,
            entrant=third,
            source="test:3",
            marks=-2,
            penalties=1,
            reason="late",
            made_by=str(SYSTEM),
        )
        names = ("marks", "games_won", "match_points", "penalties", "disqualified")
        amount = {"entrant": third.pk, **{name: getattr(row, name) for name in names}}
        after = {"source": "test:3", "reason": "late", "amounts": [amount]}
        append(stage, "standing.adjusted", SYSTEM, after=after)
    adjust(
        stage_id=stage.pk,
        source="test:4",
        amounts=[Amount(fourth.pk, forfeited=True)],
        reason="left",
        actor=SYSTEM,
        round_id=stage.rounds.get(number=1).pk,
    )
    found = replay(event)
    assert found.differences == []
    assert found.compared["adjustment"] == 3
    # The forfeit of a round is compared like every amount.
    with unannounced(event):
        for row in Adjustment.objects.filter(event=event, source__in=("test:3", "test:4")):
            row.forfeited = not row.forfeited
            row.save()
    told = "\n".join(replay(event).differences)
    assert "adjustment test:3" in told
    assert "adjustment test:4" in told


def test_the_command_exits_with_an_error_where_there_is_a_difference(event: Event) -> None:
    out = StringIO()
    call_command("replay", event.slug, stdout=out)
    assert event.slug in out.getvalue()
    with unannounced(event):
        OfficialResult.objects.filter(sheet__scope=event.pk, current=True).update(number=9)
    with pytest.raises(CommandError, match="difference"):
        call_command("replay", event.slug, stdout=StringIO())
    with pytest.raises(CommandError, match="no event"):
        call_command("replay", "nowhere")


@pytest.mark.guide("operator#restore-a-backup")
def test_the_rebuilt_tables_are_the_served_ones_row_by_row(event: Event) -> None:
    with empty_database() as alias:
        read = rebuild(event.pk, alias)
        recorded = AuditRows.objects.filter(scope=event.pk).values_list("body", flat=True)
        assert read == sum(len(json.loads(body)) for body in recorded) > 0
        assert tables(event.pk, alias) == tables_served(event.pk)
        # The record contains no names, so the rebuilt database has none.
        assert set(Person.objects.using(alias).values_list("name", flat=True)) == {""}
        assert (
            Seat.objects.using(alias).count()
            == Seat.objects.filter(round__stage__event=event).count()
            > 0
        )


def test_what_is_written_to_another_database_is_no_change_of_this_one(event: Event) -> None:
    made = Event.objects.get(pk=event.pk)
    recorded = AuditRows.objects.count()
    with empty_database() as alias:
        elsewhere = Event.objects.using(alias)
        elsewhere.bulk_create([made])
        assert elsewhere.filter(pk=made.pk).update(place="Brugge") == 1
        assert elsewhere.get().place == "Brugge"
    assert Event.objects.get(pk=event.pk).place == event.place != "Brugge"
    assert AuditRows.objects.count() == recorded


@pytest.mark.parametrize(
    ("change", "named"),
    [
        (
            "UPDATE tournament_seat SET position = 'X' WHERE id = {seat}",
            "tournament.Seat {seat}, position: ",
        ),
        ("UPDATE tournament_draw SET byes = '[1]' WHERE number = 1", "tournament.Draw"),
        (
            "UPDATE scoring_signature SET signed_by = 'nobody' WHERE id = {signature}",
            "scoring.Signature {signature}, signed_by",
        ),
        (
            "DELETE FROM scoring_signature WHERE id = {signature}",
            "scoring.Signature {signature}: gone from the tables",
        ),
        (
            "UPDATE scoring_dealversion SET reason = 'another' WHERE id = {deal}",
            'scoring.DealVersion {deal}, reason: the record says "sha256:',
        ),
        ("UPDATE tournament_stage SET minutes = 7", "tournament.Stage"),
    ],
)
def test_a_row_changed_by_hand_is_named(event: Event, change: str, named: str) -> None:
    keys = {
        "seat": Seat.objects.filter(round__stage__event=event).latest("pk").pk,
        "signature": Signature.objects.filter(sheet__scope=event.pk).latest("pk").pk,
        "deal": DealVersion.objects.filter(sheet__scope=event.pk)
        .exclude(reason="")
        .latest("pk")
        .pk,
    }
    with connection.cursor() as cursor:
        cursor.execute(change.format(**keys))
    told = "\n".join(replay(event).differences)
    assert named.format(**keys) in told


def test_the_record_of_rows_cannot_be_changed_and_a_change_would_show(event: Event) -> None:
    last = AuditRows.objects.filter(scope=event.pk).latest("sequence")
    with pytest.raises(DatabaseError, match="append-only"), transaction.atomic():
        AuditRows.objects.filter(pk=last.pk).update(body="[]")
    with pytest.raises(DatabaseError, match="append-only"), transaction.atomic():
        last.delete()
    AuditRows.objects.create(
        scope=event.pk,
        sequence=last.sequence + 2,
        entry=1,
        body="[]",
        previous_hash=last.hash,
        hash="0" * 64,
    )
    reasons = [found.reason for found in breaks(event.pk)]
    assert any("are missing" in reason for reason in reasons)
    assert any("were changed after they were written" in reason for reason in reasons)


def test_what_a_rolled_back_transaction_wrote_is_not_in_the_record(event: Event) -> None:
    seat = Seat.objects.filter(round__stage__event=event).first()
    assert seat is not None
    before = AuditRows.objects.count()

    def fail() -> None:
        with change():
            Seat.objects.filter(pk=seat.pk).update(scorekeeper=not seat.scorekeeper)
            raise InterruptedError

    with pytest.raises(InterruptedError):
        fail()
    with change():
        with pytest.raises(InterruptedError):
            fail()
        lock(event.pk)
        Event.objects.filter(pk=event.pk).update(place="Brugge")
    added = AuditRows.objects.filter(scope=event.pk)[before:]
    assert [json.loads(kept.body) for kept in added] == [
        [["tournament.Event", str(event.pk), {"place": "Brugge"}]]
    ]
    assert replay(event).differences == []


@pytest.mark.guide("security#personal-data")
def test_no_free_text_and_no_secret_is_in_the_record(event: Event) -> None:
    bodies = "".join(AuditRows.objects.filter(scope=event.pk).values_list("body", flat=True))
    assert "read wrongly" not in bodies
    assert "link_hash" not in bodies
    assert "token_hash" not in bodies
    for name in Person.objects.values_list("name", flat=True):
        assert name not in bodies


@pytest.mark.parametrize(
    ("row", "name"),
    [
        (Draw(despite={"reason": "Quirina waits", "changed": {}}), "despite"),
        (Incident(handed={"article": "T-UNSP", "reason": "Quirina shouted"}), "handed"),
    ],
)
def test_free_texts_in_json_columns_are_recorded_as_digests(row: Model, name: str) -> None:
    """The rebuilt column of an earlier release, which holds the text, still compares equal."""
    recorded = columns(row)
    assert "Quirina" not in json.dumps(recorded[name])
    assert columns(type(row)(**{name: recorded[name]}))[name] == recorded[name]


def test_an_event_from_before_the_record_gets_its_rows_once() -> None:
    made = make_event(8)
    scope = uuid.uuid4()
    older = Event(
        pk=scope,
        slug="older",
        name="Older",
        day=made.day,
        rulebook=made.rulebook,
        edition=made.edition,
        public_seed="s",
        created_at=made.created_at,
    )
    older.save_base(raw=True, force_insert=True)
    with change():
        for _ in range(2):
            append(older, "event.looked_at", SYSTEM)
    call_command("migrate", verbosity=0)
    assert AuditRows.objects.get(scope=scope).entry == 2
    assert begin(scope) == 0
    assert replay(older).differences == []


@pytest.mark.guide("operator#restore-a-backup")
@pytest.mark.long
def test_a_database_with_an_event_in_it_is_refused(event: Event, tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'there.sqlite3'}"
    out = StringIO()
    call_command("replay", event.slug, into=url, stdout=out)
    assert "rebuilt" in out.getvalue()
    with pytest.raises(CommandError, match="not empty"):
        call_command("replay", event.slug, into=url, stdout=StringIO())
