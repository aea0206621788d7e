"""The director's room: what holds up the round comes first, and he acts from there."""

from __future__ import annotations

import uuid
from datetime import date, timedelta
from typing import Any

import pytest
from django.urls import reverse
from django.utils import timezone

from ledger.actors import Actor
from ledger.models import Role, RoleGrant, User
from scoring.models import SheetState
from scoring.services import sheets, tables
from tournament.models import Entrant, Person, Round, Seat, Table, TableGame
from tournament.selectors import room
from tournament.services.events import create_event

pytestmark = pytest.mark.django_db
SYSTEM = Actor.system("test")


def a_round(count: int = 5) -> Round:
    """A round in play with so many tables, one game of two deals each."""
    event = create_event(actor=SYSTEM, name="Room", day=date(2026, 11, 20))
    part = event.stages.order_by("order")[0].rounds.order_by("number")[0]
    part.state, part.published_at = "playing", timezone.now()
    part.started_at = timezone.now()
    part.ends_at = timezone.now() + timedelta(minutes=60)
    part.save()
    for number in range(1, count + 1):
        scoring = tables.open_table(scope=event.pk, label=f"1/{number}", actor=SYSTEM)
        table = Table.objects.create(round=part, number=number, scoring_table=scoring)
        seats: dict[str, int] = {}
        for place, label in enumerate("NESW"):
            person = Person.objects.create(name=f"Player {number}{label}")
            entrant = Entrant.objects.create(event=event, number=10 * number + place, person=person)
            Seat.objects.create(round=part, table=table, position=label, entrant=entrant)
            seats[label] = entrant.pk
        sheet = sheets.open_sheet(
            table=scoring, order=1, rulebook=event.rulebook, edition=event.edition,
            options={"target": {"deals": 2}}, seats=seats, first_dealer="N", protocol="confirm",
        )  # fmt: skip
        TableGame.objects.create(
            table=table, number=1, sides={"NS": ["N", "S"], "EW": ["E", "W"]}, sheet=sheet
        )
    return part


def write(part: Round, number: int, deals: int) -> Any:
    sheet = part.tables.get(number=number).games.get().sheet
    for _deal in range(deals):
        dealer = sheets.next_dealer(sheet, sheets.current_deals(sheet))
        side = "NS" if dealer in "NS" else "EW"
        sheets.enter_deal(
            sheet_id=sheet.pk, actor=SYSTEM,
            entry={"dealer": dealer, "contract": {"declarer": side, "trump": "H"},
                   "points": {side: 40}},
        )  # fmt: skip
    sheet.refresh_from_db()
    return sheet


def staff(client: Any, part: Round, role: str) -> None:
    user = User.objects.create_user(f"one-{role}", password="a long password")
    RoleGrant.objects.create(user=user, scope=part.stage.event_id, role=role)
    client.force_login(user)


def test_what_holds_up_the_round_comes_first():
    part = a_round()
    write(part, 1, 1)
    write(part, 2, 2)  # over, unsigned
    disputed = write(part, 3, 2)
    sheets.withdraw_signatures(sheet_id=disputed.pk, version=disputed.version, actor=SYSTEM)
    tables.call_referee(
        table_id=part.tables.get(number=4).scoring_table_id, reason="revoke", actor=SYSTEM
    )
    signed = write(part, 5, 2)
    sheets.confirm(sheet_id=signed.pk, version=signed.version, actor=SYSTEM)
    found = room.room(part)
    assert [(table.number, table.state) for table in found] == [
        (4, "called"), (3, "disputed"), (2, "waiting"), (1, "playing"), (5, "signed"),
    ]  # fmt: skip


def test_extra_time_keeps_a_table_from_being_late():
    part = a_round(2)
    Round.objects.filter(pk=part.pk).update(ends_at=timezone.now() - timedelta(minutes=5))
    Table.objects.filter(round=part, number=1).update(extra_minutes=10)
    part.refresh_from_db()
    assert {table.number: table.state for table in room.room(part)} == {1: "planned", 2: "late"}


def test_a_silent_table_is_shown():
    part = a_round(1)
    Round.objects.filter(pk=part.pk).update(started_at=timezone.now() - timedelta(minutes=30))
    part.refresh_from_db()
    assert room.room(part)[0].state == "silent"


def test_the_room_takes_the_same_queries_for_any_hall(django_assert_max_num_queries):
    part = a_round(12)
    with django_assert_max_num_queries(8):
        assert len(room.room(part)) == 12


def test_the_director_acts_and_a_referee_only_watches(client):
    part = a_round(1)
    slug = part.stage.event.slug
    at = reverse("desk-table", args=[slug, 1])
    staff(client, part, Role.REFEREE)
    assert client.get(reverse("desk-room", args=[slug])).status_code == 200
    assert client.get(at).status_code == 200
    assert client.post(at, {"verb": "time", "minutes": "10"}).status_code == 403
    staff(client, part, Role.DIRECTOR)
    assert client.post(at, {"verb": "time", "minutes": "10"}).status_code == 302
    assert part.tables.get(number=1).extra_minutes == 10
    assert client.post(at, {"verb": "time", "minutes": "900"}).status_code == 400
    before = part.tables.get(number=1).scoring_table.token_hash
    assert client.post(at, {"verb": "revoke", "reason": ""}).status_code == 400
    assert client.post(at, {"verb": "revoke", "reason": "slip lost"}).status_code == 302
    assert part.tables.get(number=1).scoring_table.token_hash != before


def test_a_sheet_is_copied_from_paper_and_reopened(client):
    part = a_round(1)
    sheet = part.tables.get(number=1).games.get().sheet
    staff(client, part, Role.DIRECTOR)
    paper = reverse("staff-paper", args=[sheet.pk])
    fields = {"version": "0", "reason": "battery empty"}
    for n, points in ((1, "42"), (2, "33")):
        fields |= {f"d{n}-trump": "H", f"d{n}-side": "NS", f"d{n}-points": points}
    bad = client.post(paper, {**fields, "d2-points": "99"})
    assert bad.status_code == 422
    assert 'value="99"' in bad.content.decode()
    assert client.post(paper, fields).status_code == 302
    sheet.refresh_from_db()
    assert (sheet.state, sheet.results.get().reason) == (SheetState.OFFICIAL, "battery empty")
    at = reverse("staff-sheet", args=[sheet.pk])
    assert client.post(at, {"verb": "reopen", "reason": ""}).status_code == 400
    assert client.post(at, {"verb": "reopen", "reason": "second half missing"}).status_code == 302
    sheet.refresh_from_db()
    assert sheet.state == SheetState.OPEN
    assert "battery empty" in client.get(at).content.decode()


def test_staff_of_another_event_sees_nothing(client):
    part = a_round(1)
    user = User.objects.create_user("stranger", password="a long password")
    RoleGrant.objects.create(user=user, scope=uuid.uuid4(), role=Role.DIRECTOR)
    client.force_login(user)
    sheet = part.tables.get(number=1).games.get().sheet
    for at in (
        reverse("desk-room", args=[part.stage.event.slug]),
        reverse("staff-sheet", args=[sheet.pk]),
        reverse("staff-paper", args=[sheet.pk]),
    ):
        assert client.get(at).status_code == 403


def test_the_table_s_page_knows_names_clock_and_event(client):
    part = a_round(1)
    table = part.tables.get(number=1)
    text = client.get(
        reverse("table", args=[tables.table_token(table.scoring_table)])
    ).content.decode()
    assert "Player 1N + Player 1S" in text
    assert "data-clock" in text
    assert "Room" in text
    assert "finish the deal in play" in text


@pytest.mark.parametrize("depth", ["", "points", "tricks", "list", "cards"])
def test_the_director_chooses_how_much_is_written_down(client, depth):
    from ledger.models import ORGANISATION
    from tournament.models import Event

    admin = User.objects.create_user("admin", password="a long password")
    RoleGrant.objects.create(user=admin, scope=ORGANISATION, role=Role.ADMIN)
    client.force_login(admin)
    form = {
        "name": "An evening", "day": "2026-11-21", "language": "nl", "rulebook": "belgian",
        "shape": "individual_draw", "rounds": 2, "deals": 8, "minutes": 40, "cut": 0,
        "ranking": "recommended", "protocol": "confirm", "bell_rule": "finish", "depth": depth,
    }  # fmt: skip
    assert client.post(reverse("event-new"), form).status_code == 302
    assert Event.objects.get(name="An evening").depth == (depth or "points")
    refused = client.post(reverse("event-new"), {**form, "depth": "everything"})
    assert refused.status_code == 200
    assert Event.objects.filter(name="An evening").count() == 1


def test_the_room_shows_what_was_ended_before_the_bell(client):
    part = a_round(2)
    sheet = write(part, 2, 1)
    staff(client, part, "director")
    page = reverse("desk-room", args=[part.stage.event.slug])
    assert "Ended before the bell" not in client.get(page).content.decode()
    sheets.end_by_bell(sheet_id=sheet.pk, actor=Actor.user(1))
    assert "table 2, game 1" in client.get(page).content.decode()
    sheets.undo_bell(sheet_id=sheet.pk, actor=Actor.user(1))
    assert "Ended before the bell" not in client.get(page).content.decode()
