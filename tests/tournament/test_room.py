"""The director's room: whatever holds up the round comes first, with its actions."""

from __future__ import annotations

import re
import uuid
from typing import Any

import pytest
from django.urls import reverse

from accounts.models import Role, User
from accounts.roles import CAPABILITIES
from ledger.actors import Actor
from ledger.models import AuditEntry
from tests.moment import later
from tests.tournament.build import chance, grant, make_event, make_user
from tests.tournament.desk import agree
from tournament.demo.simulation import draw_and_publish, next_round, play_round
from tournament.models import Round
from tournament.models.tables import SheetState
from tournament.queries import room
from tournament.queries.rounds import room as tables_in_play
from tournament.services import (
    clock,
    entrants,
    reseating,
    rounds,
    sheets,
    signatures,
    stages,
    tables,
)
from tournament.services.events import new_stage
from tournament.tables.links import table_token
from tournament.tables.score_sheet import ScoreSheet

pytestmark = pytest.mark.django_db
SYSTEM = Actor.system("test")


def a_round(count: int = 5, *, format: str = "individual_draw", games: int = 1) -> Round:
    """Create a round in play with ``count`` tables, each with one game or ``games`` of two deals."""
    plan = new_stage("Rounds", format, 1, games_per_round=games, deals_per_game=2, minutes=60)
    sides = 2 if format == "ko" else 4
    event = make_event(sides * count, plan=[plan], name="Hall")
    round_ = next_round(event)
    assert round_ is not None
    draw_and_publish(round_, SYSTEM)
    return Round.objects.select_related("stage__event").get(pk=round_.pk)


def write(round_: Round, number: int, deals: int, order: int = 1) -> Any:
    sheet = round_.tables.get(number=number).sheets.get(order=order)
    for _deal in range(deals):
        dealer = ScoreSheet(sheet).next_dealer()
        side = "NS" if dealer in "NS" else "EW"
        sheets.enter_deal(
            sheet_id=sheet.pk,
            actor=SYSTEM,
            entry={
                "dealer": dealer,
                "contract": {"declarer": side, "trump": "H"},
                "points": {side: 40},
            },
        )
    sheet.refresh_from_db()
    return sheet


def staff(client: Any, round_: Round, role: str) -> None:
    user = make_user(f"one-{role}")
    grant(user, role, round_.stage.event_id)
    client.force_login(user)


@pytest.mark.guide("scorekeeper#signing")
def test_what_holds_up_the_round_comes_first():
    round_ = a_round()
    write(round_, 1, 1)
    write(round_, 2, 2)  # over, unsigned
    disputed = write(round_, 3, 2)
    signatures.withdraw_signatures(sheet_id=disputed.pk, version=disputed.version, actor=SYSTEM)
    tables.call_referee(table_id=round_.tables.get(number=4).pk, reason="revoke", actor=SYSTEM)
    signed = write(round_, 5, 2)
    signatures.confirm(sheet_id=signed.pk, version=signed.version, actor=SYSTEM)
    found = room.room(round_)
    assert [(table.number, table.state) for table in found] == [
        (4, "called"),
        (3, "disputed"),
        (2, "waiting"),
        (1, "playing"),
        (5, "signed"),
    ]


def test_a_table_that_a_player_left_holds_up_the_round_until_somebody_sits_there():
    round_ = a_round(2)
    event = round_.stage.event
    seat = round_.tables.get(number=2).seats.select_related("entrant__person").first()
    entrants.withdraw(entrant_id=seat.entrant.pk, actor=SYSTEM)
    first = room.room(round_)[0]
    assert (first.number, first.state) == (2, "left")
    (told,) = room.holdups(room.room(round_), round_)
    assert told.label == "a player short"
    assert seat.entrant.person.name in told.why
    coming = entrants.enter_player(
        event_id=event.pk, name="Late Arrival", present=True, reserve=True, actor=SYSTEM
    )
    reseating.replace_player(
        event_id=event.pk, old=seat.entrant.number, new=coming.number, actor=SYSTEM
    )
    assert room.holdups(room.room(round_), round_) == []


def a_final() -> Round:
    """Create the published final of the best four of eight."""
    games: Any = {"games_per_round": 1, "deals_per_game": 2, "minutes": 60}
    plan = [
        new_stage("Rounds", "individual_draw", 1, cut={"top": 4}, **games),
        new_stage("Final", "individual_draw", 1, **games),
    ]
    event = make_event(8, plan=plan, name="Hall")
    first = next_round(event)
    assert first is not None
    play_round(draw_and_publish(first, SYSTEM), chance("final"))
    rounds.close_round(round_id=first.pk, actor=SYSTEM)
    stages.open_next_stage(stage_id=first.stage_id, actor=SYSTEM)
    final = next_round(event)
    assert final is not None
    draw_and_publish(final, SYSTEM)
    return Round.objects.select_related("stage__event").get(pk=final.pk)


def led_on(client: Any, event: Any) -> list[str]:
    """Return the addresses that the desk offers for the only table that holds up the round."""
    round_ = Round.objects.select_related("stage__event").get(stage__event=event, state="playing")
    (held,) = room.holdups(room.room(round_), round_, CAPABILITIES)
    desk = client.get(reverse("desk-event", args=[event.slug])).content.decode()
    addresses = [action.url for action in held.actions]
    own = client.get(room.address(round_, held.table)).content.decode()
    assert all(f'href="{address}"' in page for address in addresses for page in (desk, own))
    return addresses


@pytest.mark.guide("director#when-people-come-and-go")
def test_a_finalist_who_withdraws_leads_to_the_first_reserve(client):
    final = a_final()
    event = final.stage.event
    staff(client, final, Role.DIRECTOR)
    gone = final.seats.order_by("position").first().entrant
    entrants.withdraw(entrant_id=gone.pk, actor=SYSTEM)
    replacing, forfeit = led_on(client, event)
    assert replacing == f"{reverse('desk-wishes', args=[event.slug])}?old={gone.number}#replace"
    assert forfeit == f"{reverse('referee-new', args=[event.slug])}?player={gone.number}"
    assert f'value="{gone.number}"' in client.get(forfeit).content.decode()
    (reserve,) = stages.reserves(event.stages.get(order=1), 1)
    page = client.get(replacing).content.decode()
    assert f'name="old" value="{gone.number}"' in page
    assert f'name="new" value="{reserve}"' in page
    posted = {"verb": "replace", "old": gone.number, "new": reserve}
    assert agree(client, replacing, posted).status_code == 302
    assert final.seats.filter(entrant__number=reserve).exists()
    assert room.holdups(room.room(final), final, CAPABILITIES) == []


@pytest.mark.guide("director#when-people-come-and-go")
def test_a_match_that_a_side_left_leads_to_its_decision_and_nobody_is_led_in_vain(client):
    event = make_event(4, plan=[new_stage("Cup", "ko", 1, games_per_round=1, deals_per_game=2)])
    round_ = next_round(event)
    draw = draw_and_publish(round_, SYSTEM).draws.get(state="published")
    round_ = Round.objects.select_related("stage__event").get(pk=round_.pk)
    clock.start_round(round_id=round_.pk, actor=SYSTEM)
    staff(client, round_, Role.DIRECTOR)
    gone = round_.tables.get(number=1).seats.first().entrant
    entrants.withdraw(entrant_id=gone.pk, actor=SYSTEM)
    write(round_, 1, 1)
    (decision,) = led_on(client, event)
    assert decision == f"{reverse('desk-draw', args=[event.slug, draw.pk])}#decide-1"
    assert 'value="decide"' in client.get(decision).content.decode()
    (held,) = room.holdups(room.room(round_), round_, {"room.watch", "sheets.enter"})
    assert held.actions == []


def test_a_table_has_as_many_games_whatever_is_written_on_their_sheets():
    round_ = a_round(1, games=3)
    for order in (1, 2):
        sheet = write(round_, 1, 2, order)
    signatures.confirm(sheet_id=sheet.pk, version=sheet.version, actor=SYSTEM)
    (table,) = tables_in_play(round_)
    assert (table.games, table.games_signed, table.deals) == (3, 1, 4)


def test_of_two_games_in_dispute_the_first_is_named_and_its_hour():
    round_ = a_round(1, games=3)
    for order in (2, 1):
        sheet = write(round_, 1, 2, order)
        signatures.withdraw_signatures(sheet_id=sheet.pk, version=sheet.version, actor=SYSTEM)
    (table,) = room.room(round_)
    first = round_.tables.get().sheets.get(order=1)
    assert (table.state, table.why, table.since) == (
        "disputed",
        "game 1 is in dispute",
        first.changed_at,
    )


def test_extra_time_keeps_a_table_from_being_late():
    round_ = a_round(2)
    clock.give_table_time(round_id=round_.pk, table=1, minutes=10, actor=SYSTEM)
    clock.set_clock(round_id=round_.pk, minutes=1, actor=SYSTEM)
    round_.refresh_from_db()
    with later(minutes=6):
        states = {table.number: table.state for table in room.room(round_)}
    assert states == {1: "planned", 2: "late"}


def test_a_silent_table_is_shown():
    round_ = a_round(1)
    with later(minutes=30):
        assert room.room(round_)[0].state == "silent"


def test_the_room_takes_the_same_queries_for_any_hall(django_assert_max_num_queries):
    round_ = a_round(12)
    with django_assert_max_num_queries(9):
        assert len(room.room(round_)) == 12


def test_only_games_with_a_deal_are_in_play(client):
    round_ = a_round(1)
    staff(client, round_, Role.DIRECTOR)
    page = reverse("desk-table", args=[round_.stage.event.slug, 1])
    games = round_.tables.get(number=1).sheets.count()
    assert client.get(page).content.decode().count("chip--planned") == games
    write(round_, 1, 1)
    assert client.get(page).content.decode().count("chip--planned") == games - 1


def test_the_director_acts_and_a_referee_only_watches(client):
    round_ = a_round(1)
    slug = round_.stage.event.slug
    at = reverse("desk-table", args=[slug, 1])
    staff(client, round_, Role.REFEREE)
    assert client.get(reverse("desk-room", args=[slug])).status_code == 200
    assert client.get(at).status_code == 200
    assert client.post(at, {"verb": "time", "minutes": "10"}).status_code == 403
    staff(client, round_, Role.DIRECTOR)
    assert client.post(at, {"verb": "time", "minutes": "10"}).status_code == 302
    assert round_.tables.get(number=1).extra_minutes == 10
    for wrong in ("0", "61", "900"):
        assert client.post(at, {"verb": "time", "minutes": wrong}).status_code == 400
    assert round_.tables.get(number=1).extra_minutes == 10
    before = round_.tables.get(number=1).token_hash
    assert client.post(at, {"verb": "revoke", "reason": ""}).status_code == 400
    assert client.post(at, {"verb": "revoke", "reason": "slip lost"}).status_code == 302
    assert round_.tables.get(number=1).token_hash != before


@pytest.mark.guide("director#paper")
@pytest.mark.parametrize("role", [role for role in Role.values if role != Role.ADMIN])
def test_the_key_of_a_table_is_the_director_s_alone(client, role):
    """The link writes and signs as the players do; staff enter and correct under their own name."""
    round_ = a_round(1)
    staff(client, round_, role)
    page = reverse("desk-table", args=[round_.stage.event.slug, 1])
    key = reverse("table", args=[table_token(round_.tables.get())])
    shown = client.get(page).content.decode()
    assert key not in shown
    opened = AuditEntry.objects.filter(scope=round_.stage.event_id, verb="table.link_opened")
    assert not opened.exists()
    answer = client.post(page, {"verb": "open"})
    if role == Role.DIRECTOR:
        assert 'value="open"' in shown
        assert answer["Location"] == key
        user = User.objects.get(username=f"one-{role}")
        assert [(each.actor, each.object_id) for each in opened] == [
            (f"user:{user.pk}", str(round_.tables.get().pk))
        ]
    else:
        assert 'value="open"' not in shown
        assert answer.status_code == 403
        assert not opened.exists()


def test_a_sheet_is_copied_from_paper_and_reopened(client):
    round_ = a_round(1)
    sheet = round_.tables.get(number=1).sheets.get()
    staff(client, round_, Role.DIRECTOR)
    paper = reverse("staff-paper", args=[sheet.pk])
    fields = {"g1-version": "0", "reason": "battery empty"}
    for n, points in ((1, "42"), (2, "33")):
        fields |= {f"g1-d{n}-trump": "H", f"g1-d{n}-side": "NS", f"g1-d{n}-points": points}
    bad = client.post(paper, {**fields, "g1-d2-points": "99"})
    assert bad.status_code == 422
    assert 'value="99"' in bad.content.decode()
    assert client.post(paper, fields).status_code == 302
    sheet.refresh_from_db()
    assert (sheet.state, sheet.results.get().reason) == (SheetState.OFFICIAL, "battery empty")
    at = reverse("staff-sheet", args=[sheet.pk])
    assert agree(client, at, {"verb": "reopen", "reason": ""}).status_code == 400
    assert agree(client, at, {"verb": "reopen", "reason": "second half missing"}).status_code == 302
    assert "The sheet is open again" in client.get(at).content.decode()
    sheet.refresh_from_db()
    assert sheet.state == SheetState.OPEN
    assert "battery empty" in client.get(at).content.decode()


def test_staff_of_another_event_sees_nothing(client):
    round_ = a_round(1)
    user = make_user("stranger")
    grant(user, Role.DIRECTOR, uuid.uuid4())
    client.force_login(user)
    sheet = round_.tables.get(number=1).sheets.get()
    for at in (
        reverse("desk-room", args=[round_.stage.event.slug]),
        reverse("staff-sheet", args=[sheet.pk]),
        reverse("staff-paper", args=[sheet.pk]),
    ):
        assert client.get(at).status_code == 403


def test_the_table_s_page_knows_names_clock_and_event(client):
    round_ = a_round(1)
    table = round_.tables.get(number=1)
    text = client.get(reverse("table", args=[table_token(table)])).content.decode()
    names = dict(table.seats.values_list("position", "entrant__person__name"))
    assert f"{names['N']} + {names['S']}" in text
    assert "data-clock" in text
    assert "Hall" in text
    assert "finish the deal in play" in text


@pytest.mark.guide("director#open-an-event", "scorekeeper#record-a-deal")
@pytest.mark.parametrize("depth", ["", "points", "tricks", "list", "cards"])
def test_the_director_chooses_how_much_is_written_down(client, depth):
    from tournament.models import Event

    admin = make_user("admin")
    grant(admin, Role.ADMIN)
    client.force_login(admin)
    form = {
        "name": "An evening",
        "day": "2026-11-21",
        "language": "nl",
        "rulebook": "belgian",
        "shape": "individual_draw",
        "rounds": 2,
        "deals": 8,
        "minutes": 40,
        "cut": 0,
        "ranking": "recommended",
        "protocol": "confirm",
        "bell_rule": "finish",
        "depth": depth,
    }
    assert client.post(reverse("event-new"), form).status_code == 302
    assert Event.objects.get(name="An evening").depth == (depth or "points")
    refused = client.post(reverse("event-new"), {**form, "depth": "everything"})
    assert refused.status_code == 200
    assert Event.objects.filter(name="An evening").count() == 1


def test_the_room_shows_what_was_ended_before_the_bell(client):
    round_ = a_round(2)
    sheet = write(round_, 2, 1)
    staff(client, round_, "director")
    page = reverse("desk-room", args=[round_.stage.event.slug])
    assert "Ended before the bell" not in client.get(page).content.decode()
    sheets.end_by_bell(sheet_id=sheet.pk, actor=Actor.user(1))
    assert "table 2, game 1" in client.get(page).content.decode()
    sheets.undo_bell(sheet_id=sheet.pk, actor=Actor.user(1))
    assert "Ended before the bell" not in client.get(page).content.decode()


def test_desk_and_room_name_the_same_tables_and_count_alike(client: Any) -> None:
    round_ = a_round(4, format="ko")
    write(round_, 1, 1)
    write(round_, 2, 2)  # over, unsigned
    signed = write(round_, 3, 2)
    signatures.confirm(sheet_id=signed.pk, version=signed.version, actor=SYSTEM)
    winner = round_.tables.get(number=4).seats.first().entrant.number
    reseating.decide_match(
        round_id=round_.pk, table=4, winner=winner, reason="absent", actor=SYSTEM
    )
    staff(client, round_, Role.DIRECTOR)
    for name in ("desk-event", "desk-room"):
        text = client.get(reverse(name, args=[round_.stage.event.slug])).content.decode()
        assert re.findall(r'holdups__table">(\d+)<', text) == ["2"]
        assert "Tables that have signed: 2 of 4." in text


def test_a_table_is_called_by_number_and_round(client: Any) -> None:
    round_ = a_round(2)
    staff(client, round_, Role.DIRECTOR)
    table = round_.tables.get(number=2)
    for address in (
        reverse("staff-sheet", args=[table.sheets.get().pk]),
        reverse("table", args=[table_token(table)]),
        reverse("table-manifest", args=[table_token(table)]),
    ):
        text = client.get(address).content.decode()
        assert "Table 2 · round 1" in text
        assert not re.search(r">[^<]*\b1/2\b", text)


def test_a_table_under_way_is_not_said_to_be_still_to_come(client):
    """The round is in play without a recorded deal; nor where the points of a game came from paper."""
    round_ = a_round(1)
    staff(client, round_, Role.DIRECTOR)
    client.cookies["django_language"] = "fr"
    at = reverse("desk-table", args=[round_.stage.event.slug, 1])
    text = client.get(at).content.decode()
    assert "À venir" not in text
    assert "aucune donne" in text
    round_ = a_round(1, games=3)
    sheet = round_.tables.get().sheets.get(order=1)
    sheets.enter_from_paper(
        sheet_id=sheet.pk,
        entries=[],
        totals={"NS": 34, "EW": 12},
        actor=SYSTEM,
        reason="slip",
        version=sheet.version,
    )
    (table,) = room.room(round_)
    assert table.state == "playing"
    (tile,) = room.tiles([table], round_)
    assert tile.line.endswith(": 1/3")


def test_nothing_holds_up_a_round_only_once_every_table_has_signed(client: Any) -> None:
    round_ = a_round(2)
    staff(client, round_, Role.DIRECTOR)
    clear = "Nothing holds up the round."
    for name in ("desk-event", "desk-room"):
        assert (
            clear not in client.get(reverse(name, args=[round_.stage.event.slug])).content.decode()
        )
    for number in (1, 2):
        sheet = write(round_, number, 2)
        signatures.confirm(sheet_id=sheet.pk, version=sheet.version, actor=SYSTEM)
    for name in ("desk-event", "desk-room"):
        assert clear in client.get(reverse(name, args=[round_.stage.event.slug])).content.decode()


def led_to(client: Any, page: str) -> set[str]:
    """Return every address that a page links to."""
    return set(re.findall(r'href="([^"#]+)"', client.get(page).content.decode()))


@pytest.mark.guide("director#after-the-publication")
@pytest.mark.parametrize("role", [Role.DIRECTOR, Role.REFEREE])
def test_results_of_an_earlier_round_lead_to_their_sheets(client: Any, role: str) -> None:
    plan = new_stage("Rounds", "individual_draw", 2, games_per_round=1, deals_per_game=2)
    event = make_event(8, plan=[plan], name="Hall")
    first = next_round(event)
    assert first is not None
    draw_and_publish(first, SYSTEM)
    wanted = set()
    for number in (1, 2):
        sheet = write(first, number, 2)
        signatures.confirm(sheet_id=sheet.pk, version=sheet.version, actor=SYSTEM)
        wanted.add(reverse("staff-sheet", args=[sheet.pk]))
    rounds.close_round(round_id=first.pk, actor=SYSTEM)
    second = next_round(event)
    assert second is not None
    draw_and_publish(second, SYSTEM)
    staff(client, Round.objects.select_related("stage__event").get(pk=second.pk), role)

    hall = reverse("desk-round-room", args=[event.slug, first.pk])
    assert hall in led_to(client, reverse("desk-room", args=[event.slug]))
    tables_of_it = {each for each in led_to(client, hall) if each.startswith(hall) and each != hall}
    assert len(tables_of_it) == 2
    found = set().union(*(led_to(client, each) for each in tables_of_it))
    assert wanted <= found
    assert all(client.get(each).status_code == 200 for each in wanted)

    draw = reverse("event-draw-round", args=[event.slug, 1, 1])
    assert tables_of_it <= led_to(client, draw)
    number = first.tables.get(number=1).seats.first().entrant.number
    games = reverse("desk-player-games", args=[event.slug, number])
    player = reverse("event-player", args=[event.slug, number])
    assert games in led_to(client, player)
    assert wanted & led_to(client, games)
    others = {each for each in led_to(client, games) if each.startswith(games.rsplit("/", 2)[0])}
    assert len(others) >= 2
    assert all(client.get(each).status_code == 200 for each in others)

    client.logout()
    assert games not in led_to(client, player)
    assert not tables_of_it & led_to(client, draw)
    assert client.get(games).status_code == client.get(hall).status_code == 302


@pytest.mark.guide("director#after-the-publication")
def test_round_open_again_is_named_in_the_hall(client: Any) -> None:
    plan = new_stage("Rounds", "individual_draw", 2, games_per_round=1, deals_per_game=2)
    event = make_event(8, plan=[plan], name="Hall")
    first = next_round(event)
    assert first is not None
    draw_and_publish(first, SYSTEM)
    for number in (1, 2):
        sheet = write(first, number, 2)
        signatures.confirm(sheet_id=sheet.pk, version=sheet.version, actor=SYSTEM)
    rounds.close_round(round_id=first.pk, actor=SYSTEM)
    second = next_round(event)
    assert second is not None
    draw_and_publish(second, SYSTEM)
    staff(client, Round.objects.select_related("stage__event").get(pk=second.pk), Role.DIRECTOR)
    rounds.reopen_round(round_id=first.pk, actor=SYSTEM, reason="a result the wrong way round")
    for name in ("desk-room", "desk-event"):
        page = client.get(reverse(name, args=[event.slug])).content.decode()
        assert "Round 1 is open: close it again once its tables have signed." in page
