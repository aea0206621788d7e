"""A signed result reported as wrong: it enters the referees' queue, and blocks the cut and the prizes."""

from __future__ import annotations

import uuid
from functools import partial

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import Role
from ledger.actors import Actor
from ledger.errors import Conflict, NotAllowed
from tests.adjudication.build import enter, sheet_at, sign
from tests.tournament.build import make_event, make_user
from tournament.demo.simulation import draw_and_publish
from tournament.models import Event, Round
from tournament.models.tables import Sheet
from tournament.queries import room
from tournament.queries.brackets import stage_and_round
from tournament.queries.matches import contested_tables
from tournament.queries.one_device import signed_by_one_device
from tournament.queries.papers_people import prizes
from tournament.services import sheets, signatures, tables
from tournament.services.event_life import finish_event
from tournament.services.events import championship_plan
from tournament.services.rounds import close_round
from tournament.services.stages import open_next_stage
from tournament.tables.links import entrant_token, table_token

from .build import SYSTEM, a_sheet, a_table, seat_players, simple, token

pytestmark = pytest.mark.django_db


def signed() -> tuple[Sheet, str]:
    """Create a signed game. Return its sheet and North's badge token."""
    sheet = a_sheet(options={"target": {"deals": 4}})
    players = seat_players(sheet, "Ann", "Bea", "Cis", "Dirk")
    for _deal in range(4):
        sheets.enter_deal(sheet_id=sheet.pk, entry=simple(42), actor=SYSTEM)
    for side in ("NS", "EW"):
        sheet.refresh_from_db()
        signatures.sign(sheet_id=sheet.pk, side=side, version=sheet.version, actor=SYSTEM)
    sheet.refresh_from_db()
    return sheet, entrant_token(players[0])


def contest(client: Client, sheet: Sheet, words: str) -> int:
    """Report it from the table's page. Return the status of the answer."""
    fields = {"verb": "contest", "game": "1", "words": words}
    return client.post(reverse("table-send", args=[token(sheet)]), fields).status_code


def test_a_table_that_has_signed_leads_to_the_next_round(client: Client) -> None:
    """The page of a signed table, and its link once the round is closed, name the players' next places."""
    event = make_event(8, deals=1)
    first, second = Round.objects.filter(stage__event=event).order_by("stage__order", "number")[:2]
    draw_and_publish(first, SYSTEM)
    for table in first.tables.all():
        for row in table.sheets.order_by("order"):
            enter(row, 40)
            sign(row)
    table = first.tables.order_by("number").first()
    assert table is not None
    link = reverse("table", args=[table_token(table)])
    close_round(round_id=first.pk, actor=SYSTEM)
    assert list(client.get(link).context["onward"]) == []
    draw_and_publish(second, SYSTEM)
    places = {
        seat.entrant.number: (seat.table.number, seat.position) for seat in second.seats.all()
    }
    shown = client.get(link).context["onward"]
    assert {each.number: (each.table, each.seat) for each in shown} == {
        seat.entrant.number: places[seat.entrant.number] for seat in table.seats.all()
    }


@pytest.mark.guide("scorekeeper#signing")
def test_a_wrong_result_waits_for_the_referee_and_holds_up_what_follows(client: Client) -> None:
    sheet, _badge = signed()
    assert contest(client, sheet, "") == 400
    assert contest(client, sheet, "41, not 14") == 200
    assert contest(client, sheet, "and again") == 200  # one question a game
    (call,) = sheet.calls.all()
    assert (call.topic, call.reason) == ("result", "41, not 14")
    assert contested_tables(sheet.scope) == [sheet.table.title]
    with pytest.raises(Conflict) as refused:
        finish_event(event_id=sheet.scope, actor=SYSTEM, despite_open=True)
    assert refused.value.code == "result_contested"
    tables.close_call(call_id=call.pk, actor=SYSTEM)
    assert contested_tables(sheet.scope) == []


def test_who_sits_at_another_table_contests_nothing() -> None:
    sheet, _badge = signed()
    elsewhere, *_others = seat_players(a_sheet(table=a_table(label="1/18")), *"EFGH")
    with pytest.raises(NotAllowed) as refused:
        tables.contest_result(
            sheet_id=sheet.pk, actor=Actor.player(elsewhere.pk), reason="41, not 14"
        )
    assert refused.value.code == "not_your_table"
    assert not sheet.calls.exists()


@pytest.mark.guide("scorekeeper#signing")
def test_a_report_blocks_cut_and_prize_list_and_lets_play_go_on(client: Client) -> None:
    event = make_event(4, plan=championship_plan(rounds=1, deals=1))
    stage = event.stages.get(order=1)
    round_ = draw_and_publish(stage.rounds.get(), SYSTEM)
    sheet, second, third = (sheet_at(round_, game=game) for game in (1, 2, 3))
    for game in (sheet, third):
        sign(enter(game, 42))
    contest(client, sheet, "41, not 14")
    user = make_user("director", event, Role.DIRECTOR)
    client.force_login(user)
    table = client.get(reverse("desk-table", args=[event.slug, 1])).content.decode()
    assert table.count("reported as wrong") == 1
    client.logout()
    following = {"verb": "deal", "game": "2", "trump": "H", "side": "NS", "points": "42"}
    assert client.post(reverse("table-send", args=[token(sheet)]), following).status_code == 200
    called = {"verb": "referee", "game": "2", "reason": "play"}
    assert client.post(reverse("table-send", args=[token(sheet)]), called).status_code == 200
    assert sheet.table.calls.count() == 2  # the table still calls a referee
    second.refresh_from_db()
    signatures.confirm(sheet_id=second.pk, version=second.version, actor=SYSTEM)
    assert close_round(round_id=round_.pk, actor=SYSTEM).state == "closed"
    client.force_login(user)
    desk = client.get(reverse("desk-event", args=[event.slug])).content.decode()
    played, number = sheet.table.label.split("/")
    assert f"Settle it first: Table {number} · round {played}, game 1." in desk
    assert reverse("referee-desk", args=[event.slug]) in desk
    for what in (
        lambda: open_next_stage(stage_id=stage.pk, actor=SYSTEM),
        lambda: prizes(stage.event, {}, "en", "A4"),
    ):
        with pytest.raises(Conflict) as refused:
            what()
        assert refused.value.code == "result_contested"


def test_the_queue_names_round_and_game_of_a_contested_result(client: Client) -> None:
    event = make_event(4, plan=championship_plan(rounds=1, deals=1))
    round_ = draw_and_publish(event.stages.get(order=1).rounds.get(), SYSTEM)
    sheet = sheet_at(round_, game=3)
    sign(enter(sheet, 42))
    contested = {"verb": "contest", "game": "3", "words": "41, not 14"}
    called = {"verb": "referee", "game": "1", "reason": "play"}
    for posted in (contested, called):
        assert client.post(reverse("table-send", args=[token(sheet)]), posted).status_code == 200
    client.force_login(make_user("referee", event, Role.REFEREE))
    queue = client.get(reverse("referee-desk", args=[event.slug])).context["calls"]
    where = f"{stage_and_round(round_)} · game 3"
    assert [call.where for call in queue] == [where, ""]


def test_what_is_contested_is_not_offered_again(client: Client) -> None:
    sheet, _badge = signed()
    page = reverse("table", args=[token(sheet)])
    assert 'value="contest"' in client.get(page).content.decode()
    contest(client, sheet, "41, not 14")
    text = client.get(page).content.decode()
    assert 'value="contest"' not in text
    assert "data-contested" in text
    assert "Call now" in text  # it is no call to the table


def test_the_director_sees_what_one_phone_signed_at_once() -> None:
    sheet = a_sheet(options={"target": {"deals": 1}})
    seat_players(sheet, "Ann", "Bea", "Cis", "Dirk")
    phone, other = uuid.uuid4(), uuid.uuid4()
    tables.take_writing(table_id=sheet.table_id, actor=Actor.device(phone))
    sheets.enter_deal(sheet_id=sheet.pk, entry=simple(42), actor=SYSTEM)
    sheet.refresh_from_db()
    sign = partial(signatures.sign, sheet_id=sheet.pk, version=sheet.version)
    sign(side="NS", actor=Actor.device(phone))
    tables.take_writing(table_id=sheet.table_id, actor=Actor.device(other), knowingly=True)
    sign(side="EW", actor=Actor.device(other))
    assert signed_by_one_device(sheet.scope, [sheet.pk]) == set()
    signatures.reopen(sheet_id=sheet.pk, actor=SYSTEM, reason="again")
    sheet.refresh_from_db()
    sign = partial(sign, version=sheet.version, actor=Actor.device(other))
    sign(side="NS")
    sign(side="EW")
    assert signed_by_one_device(sheet.scope, [sheet.pk]) == {sheet.pk}
    round_ = Round.objects.get(tables=sheet.table_id)
    assert room.signed_at_once(round_, room.room(round_)) == ["table 17, game 1"]


@pytest.mark.guide("players#find-yourself", "scorekeeper#signing")
def test_a_player_reports_it_from_the_badge(client: Client) -> None:
    sheet, badge = signed()
    page = reverse("player-sign", args=[badge])
    # The badge opens the player's own page, which links there and back; the public page does not.
    own = reverse("personal", args=[badge])
    assert f'href="{page}"' in client.get(own).content.decode()
    assert f'href="{own}"' in client.get(page).content.decode()
    event = Event.objects.get(pk=sheet.scope)
    public = client.get(reverse("event-player", args=[event.slug, 1])).content.decode()
    assert badge not in public
    assert str(sheet.pk) in client.get(page).content.decode()
    client.post(page, {"verb": "contest", "sheet": str(sheet.pk), "words": "wrong side"})
    (call,) = sheet.calls.all()
    assert (call.topic, call.reason) == ("result", "wrong side")
    # The report stays in view, so that it is not sent twice.
    text = client.get(page).content.decode()
    assert 'name="words"' not in text
    opened = text[text.index('<details class="fold" open') :]
    assert "This result has been reported as wrong" in opened


def test_a_signed_result_names_its_game_and_who_played(client: Client) -> None:
    sheet, badge = signed()
    address = reverse("player-sign", args=[badge])
    alone = client.get(address).content.decode()
    assert "Game 1" not in alone  # the only one of its table
    assert "Ann" in alone
    assert "Dirk" in alone
    a_sheet(table=sheet.table, order=2)
    assert "Game 1" in client.get(address).content.decode()


def test_a_result_that_is_not_signed_is_corrected_at_the_table(client: Client) -> None:
    sheet = a_sheet()
    assert contest(client, sheet, "41, not 14") == 409
    assert not sheet.calls.exists()
    assert not Event.objects.filter(pk=sheet.scope).exists()
