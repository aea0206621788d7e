"""A publication needs a draw that still matches its certificate, and can be withdrawn only before the first entry."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from ledger import jobs
from ledger.change import change
from ledger.errors import Conflict, NotHere
from ledger.models import JobState
from tests.tournament.build import SYSTEM, chance, make_event
from tournament.demo.simulation import play_deal
from tournament.models import Bye, Draw, Event, Round, Seat, Table
from tournament.models.tables import RefereeCall, Sheet
from tournament.services import archive, bans_and_wishes, draws, publication, reseating
from tournament.services.edits import Edit, make
from tournament.services.record import locked_sheet
from tournament.services.tables import call_referee

pytestmark = pytest.mark.django_db


def round_of(event: Event, number: int = 1) -> Round:
    return Round.objects.get(stage__event=event, stage__order=1, number=number)


def drawn(event: Event, number: int = 1) -> Draw:
    job = draws.request_draw(round_id=round_of(event, number).pk, actor=SYSTEM)
    jobs.work_on(str(job.pk))
    job.refresh_from_db()
    assert job.state == JobState.DONE, job.failure
    return Draw.objects.select_related("round__stage__event").get(pk=job.result["draw"])


def published(event: Event, number: int = 1) -> Draw:
    candidate = drawn(event, number)
    publication.publish_draw(draw_id=candidate.pk, actor=SYSTEM)
    return candidate


def refusal_of(candidate: Draw) -> str:
    with pytest.raises(Conflict) as refusal:
        publication.publish_draw(draw_id=candidate.pk, actor=SYSTEM)
    candidate.refresh_from_db()
    assert candidate.state == "candidate"
    assert not Table.objects.filter(round=candidate.round_id).exists()
    return refusal.value.code


def test_a_round_is_not_published_before_the_one_before_it() -> None:
    event = make_event(8)
    published(event)
    second = drawn(event, 2)
    publication.unpublish(round_id=round_of(event).pk, actor=SYSTEM, reason="wrong hall")
    assert refusal_of(second) == "round_before_missing"


def test_a_draw_made_on_another_first_round_is_drawn_again() -> None:
    event = make_event(16)
    first = published(event)
    second = drawn(event, 2)
    at = dict(event.entrants.values_list("pk", "number"))
    one, two = (at[first.tables[n]["players"][1]] for n in (0, 1))
    reseating.exchange(round_id=first.round_id, one=one, two=two, actor=SYSTEM)
    assert refusal_of(second) == "round_before_changed"
    again = drawn(event, 2)
    publication.publish_draw(draw_id=again.pk, actor=SYSTEM)


@pytest.mark.guide("director#a-round")
def test_a_ban_made_since_the_draw_is_kept() -> None:
    event = make_event(8)
    candidate = drawn(event)
    at = dict(event.entrants.values_list("pk", "number"))
    one, two = (at[p] for p in candidate.tables[0]["players"][:2])
    elsewhere = at[candidate.tables[1]["players"][0]]
    bans_and_wishes.ban(event_id=event.pk, one=one, two=elsewhere, actor=SYSTEM)
    ban = bans_and_wishes.ban(event_id=event.pk, one=one, two=two, actor=SYSTEM)
    assert refusal_of(candidate) == "ban_since"
    make(draw_id=candidate.pk, edit=Edit("swap", one=two, two=elsewhere), after=0, actor=SYSTEM)
    assert refusal_of(candidate) == "ban_since"
    bans_and_wishes.lift_ban(event_id=event.pk, ban=ban.pk, actor=SYSTEM)
    assert refusal_of(candidate) == "ban_since"
    bans_and_wishes.lift_ban(event_id=event.pk, ban=event.bans.get().pk, actor=SYSTEM)
    publication.publish_draw(draw_id=candidate.pk, actor=SYSTEM)


@pytest.mark.guide("director#after-the-publication")
def test_a_withdrawn_publication_leaves_nothing_but_the_call_for_the_referee() -> None:
    event = make_event(9)
    round_ = published(event).round
    sheet = Sheet.objects.filter(table__round=round_).earliest("order")
    call_referee(
        table_id=sheet.table_id, sheet_id=sheet.pk, reason="Two names at one seat", actor=SYSTEM
    )
    publication.unpublish(round_id=round_.pk, actor=SYSTEM, reason="wrong hall")
    call = RefereeCall.objects.get()
    assert (call.sheet_id, call.table_id) == (None, sheet.table_id)
    for kept in (Table, Seat, Bye):
        assert not kept.objects.filter(round=round_).exists()
    assert not Sheet.objects.filter(scope=event.pk).exists()
    assert not Table.objects.filter(scope=event.pk, open=True).exists()
    with pytest.raises(NotHere) as refusal:
        play_deal(sheet, 1, chance())
    assert refusal.value.code == "sheet_withdrawn"
    publication.publish_draw(draw_id=round_.draws.get().pk, actor=SYSTEM)
    assert Table.objects.filter(round=round_).count() == 2


def test_whatever_is_written_keeps_the_publication() -> None:
    event = make_event(8)
    round_ = published(event).round
    sheet = Sheet.objects.filter(table__round=round_, table__number=2).earliest("order")
    play_deal(sheet, 1, chance())
    with pytest.raises(Conflict) as refusal:
        publication.unpublish(round_id=round_.pk, actor=SYSTEM, reason="wrong hall")
    assert refusal.value.code == "entries_exist"
    assert "tables 2" in str(refusal.value)
    assert "Move single players" in str(refusal.value)
    at = dict(event.entrants.values_list("pk", "number"))
    players = list(
        Seat.objects.filter(round=round_, table__number=2).values_list("entrant", flat=True)
    )
    others = list(
        Seat.objects.filter(round=round_, table__number=1).values_list("entrant", flat=True)
    )
    with pytest.raises(Conflict) as refusal:
        reseating.exchange(round_id=round_.pk, one=at[players[0]], two=at[others[0]], actor=SYSTEM)
    assert refusal.value.code == "entries_exist"
    with change():
        assert locked_sheet(sheet.pk).row == sheet


@pytest.mark.guide("director#from-an-archive")
def test_an_event_taken_up_elsewhere_has_no_clock_set() -> None:
    """The candidate is exported without its time: the director there sets a new one."""
    event = make_event(8)
    candidate = drawn(event)
    at = timezone.now() + timedelta(hours=1)
    publication.publish_later(draw_id=candidate.pk, at=at, actor=SYSTEM)
    file = archive.pack(event.pk)
    for model, rows in reversed(
        [(model, [row.pk for row in rows]) for model, rows in archive._tables(event)]
    ):
        with change():
            model._default_manager.filter(pk__in=rows).delete()
    with change():
        event.delete()
    back = archive.take_up(file=file, actor=SYSTEM)
    round_ = round_of(back)
    assert (round_.state, round_.publish_at, round_.publish_draw_id) == ("drawn", None, None)
    assert publication.publish_due() == 0
    publication.publish_draw(draw_id=round_.draws.get().pk, actor=SYSTEM)
    assert Table.objects.filter(round=round_).count() == 2
