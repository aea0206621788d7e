"""The members' register, self-registration on a phone, and the desk's list with in-place actions."""

from __future__ import annotations

import re
from datetime import timedelta
from html import unescape
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from accounts.models import Role, RoleGrant
from ledger.errors import Conflict
from operations.replay import replay
from tests.keyboards import LAYOUTS, as_typed
from tests.markup import markup
from tests.tournament.build import SYSTEM, chance, grant, make_event, make_user
from tests.tournament.test_stages import publish_next
from tournament.demo.simulation import advance
from tournament.models import Event, Member, Registration
from tournament.queries.next_step import next_step
from tournament.services import members, registrations
from tournament.services.entrant_edits import correct_entrant
from tournament.services.entrants import (
    check_in,
    check_in_all,
    check_out,
    enter_player,
    withdraw,
)
from tournament.services.event_copy import copy_event
from tournament.services.event_life import finish_event
from tournament.services.events import new_stage, update_event
from tournament.tables.links import entrant_token
from tournament.views.registering import door_token

pytestmark = pytest.mark.django_db


def director(event: Event) -> Client:
    client = Client()
    client.force_login(make_user("director", event, Role.DIRECTOR))
    client.cookies["django_language"] = "en"
    return client


def add(name: str, **more: str) -> Member:
    return members.add_member(actor=SYSTEM, values={"name": name, **more})


@pytest.mark.guide("director#the-register-of-members")
def test_an_event_ticks_its_players_from_the_register() -> None:
    one = add("Jan Maes", club="De Tien", email="jan@example.org", phone="0470", category="Dames")
    two = add("Jan Maes", club="De Zot")
    add("Els Claes")
    event = make_event(0)
    client = director(event)
    page = f"/desk/{event.slug}/players/members/"
    assert client.get(page).content.decode().count('name="member"') == 3
    answer = client.post(page, {"member": [str(one.pk), str(two.pk), "x"], "verb": "present"})
    assert answer.status_code == 302
    # Namesakes remain two; the contact is the event's own copy.
    first, second = event.entrants.select_related("person", "club").order_by("number")
    assert [first.club.name, second.club.name] == ["De Tien", "De Zot"]
    assert (first.person.email, first.person.phone, first.category) == (
        "jan@example.org",
        "0470",
        "Dames",
    )
    assert first.state == "present"
    assert client.get(page).content.decode().count('name="member"') == 1
    members.enter_members(event_id=event.pk, members=[one.pk], present=True, actor=SYSTEM)
    assert event.entrants.count() == 2
    assert replay(event).differences == []


@pytest.mark.guide("director#the-register-of-members")
def test_the_players_of_an_event_are_kept_once() -> None:
    event = make_event(8)
    client = director(event)
    for _again in range(2):
        client.post(f"/desk/{event.slug}/players/members/", {"verb": "remember"})
    assert Member.objects.count() == 8
    played = event.entrants.values_list("person__name", "club__name")
    assert set(Member.objects.values_list("name", "club")) == set(played)
    copy = copy_event(
        event_id=event.pk, actor=SYSTEM, name="Next week", day=event.day, players=True
    )
    assert members.members_not_in(copy) == []


@pytest.mark.guide("director#the-register-of-members")
def test_the_register_takes_a_pasted_list_and_is_the_administrators() -> None:
    client = Client()
    user = make_user("admin")
    grant(user, Role.ADMIN)
    client.force_login(user)
    text = "Nom\tClub\tCatégorie\tGSM\nJan Maes\tDe Tien\tA\t0470 1\nJan Maes\tDe Zot\tA\t\n"
    for _again in range(2):
        assert client.post("/desk/members/", {"verb": "paste", "text": text}).status_code == 302
    assert list(Member.objects.values_list("name", "club", "category", "phone")) == [
        ("Jan Maes", "De Tien", "A", "0470 1"),
        ("Jan Maes", "De Zot", "A", ""),
    ]
    one = Member.objects.all()[0]
    client.post(f"/desk/members/{one.pk}/", {"name": "Jean Maes", "club": "De Tien"})
    one.refresh_from_db()
    assert (one.name, one.phone) == ("Jean Maes", "")
    client.post(f"/desk/members/{one.pk}/", {"verb": "remove"})
    assert Member.objects.count() == 1
    assert director(make_event(0)).get("/desk/members/").status_code == 403


@pytest.fixture
def open_event() -> Event:
    event = make_event(4, present=False)
    return update_event(event_id=event.pk, actor=SYSTEM, changes={"registration": True})


@pytest.mark.guide("director#registering-and-the-door")
def test_a_walk_in_registers_and_a_volunteer_confirms(open_event: Event) -> None:
    phone = Client()
    page = f"/register/{open_event.slug}/"
    made = phone.post(page, {"name": "Nieuwe Speler", "club": "De Tien", "phone": "0470"})
    assert made.status_code == 302
    own = made.headers["Location"]
    unconfirmed = phone.get(own, headers={"Accept-Language": "en"}).content.decode()
    assert "Your registration is waiting for a volunteer" in unconfirmed
    assert "You are registered" not in unconfirmed
    waiting = Registration.objects.get()
    assert not open_event.entrants.filter(person__name="Nieuwe Speler").exists()
    said = director(open_event).post(
        f"/desk/{open_event.slug}/players/registrations/",
        {"verb": "here", "registration": str(waiting.pk)},
        follow=True,
    )
    entrant = open_event.entrants.get(person__name="Nieuwe Speler")
    told = f"Nieuwe Speler is registered as number {entrant.number} and checked in."
    assert told in said.content.decode()
    assert (entrant.state, entrant.person.phone) == ("present", "0470")
    confirmed = phone.get(own, headers={"Accept-Language": "en"}).content.decode()
    assert f"Your registration is confirmed: number {entrant.number}" in confirmed
    assert f"/players/{entrant.number}/" in confirmed
    waiting.refresh_from_db()
    assert (waiting.name, waiting.phone) == ("", "")
    with pytest.raises(Conflict):
        registrations.refuse(registration_id=waiting.pk, actor=SYSTEM)


def test_the_event_page_leads_to_registering_while_it_is_on(open_event: Event) -> None:
    home, link = f"/e/{open_event.slug}/", f'href="/register/{open_event.slug}/"'
    assert link in Client().get(home).content.decode()
    update_event(event_id=open_event.pk, actor=SYSTEM, changes={"registration": False})
    assert link not in Client().get(home).content.decode()


@pytest.mark.guide("director#registering-and-the-door")
def test_a_known_name_is_asked_about(open_event: Event) -> None:
    name = open_event.entrants.get(number=2).person.name
    page = f"/register/{open_event.slug}/"
    phone = Client()
    asked = phone.post(page, {"name": name.upper()}, headers={"Accept-Language": "en"})
    assert "Is that you?" in asked.content.decode()
    assert not Registration.objects.exists()
    assert phone.post(page, {"name": name, "anyway": "1"}).status_code == 302
    assert Registration.objects.count() == 1


TURNED = "\u202eJan\u200b \u2066Peeters\x1b\x07\ufeff"
"""“Jan Peeters”, between marks that reverse a line, zero-width signs and controls."""


@pytest.mark.guide("security#security")
def test_a_name_holds_no_sign_that_turns_a_line_or_makes_another_name(open_event: Event) -> None:
    """On the public page, at the desk, after a correction, in the register, and in an event's name."""
    desk = director(open_event)
    slug = open_event.slug
    page = f"/register/{slug}/"
    given = {"name": TURNED, "club": "De\u202e Tien"}
    assert Client().post(page, given).status_code == 302
    waiting = Registration.objects.get()
    assert (waiting.name, waiting.club) == ("Jan Peeters", "De Tien")
    made = desk.post(f"/desk/{slug}/players/", {**given, "anyway": "1"})
    assert made.status_code == 302
    entrant = open_event.entrants.get(person__name="Jan Peeters")
    assert entrant.club is not None
    assert entrant.club.name == "De Tien"
    # A name similar to an entrant's raises a question.
    asked = Client().post(page, given, headers={"Accept-Language": "en"})
    assert "Is that you?" in asked.content.decode()
    correct_entrant(
        entrant_id=open_event.entrants.get(number=1).pk,
        actor=SYSTEM,
        changes={"name": f"{TURNED} II", "club": "\u2067Elders"},
    )
    first = open_event.entrants.select_related("person", "club").get(number=1)
    assert (first.person.name, first.club.name) == ("Jan Peeters II", "Elders")
    member = members.add_member(actor=SYSTEM, values={"name": TURNED})
    assert member.name == "Jan Peeters"
    changed = update_event(
        event_id=open_event.pk,
        actor=SYSTEM,
        changes={"name": "Open\u202e dag", "place": "\u202eGent"},
    )
    assert (changed.name, changed.place) == ("Open dag", "Gent")


@pytest.mark.guide("director#registering-and-the-door")
def test_without_script_too_the_name_that_was_looked_for_stands_in_the_form(
    open_event: Event,
) -> None:
    page = f"/register/{open_event.slug}/{door_token(open_event)}/"
    said = Client().get(page, {"q": "nergens, iemand"}).content.decode()
    assert 'value="Iemand Nergens"' in said
    # A number is not a name; letters without a space find a registered name.
    assert 'value="27" maxlength' not in Client().get(page, {"q": "27"}).content.decode()
    who = open_event.entrants.get(number=2).person.name
    first, *_between, last = who.lower().split()
    assert who in Client().get(page, {"q": last[:3] + first[:3]}).content.decode()


@pytest.mark.guide("director#registering-and-the-door")
def test_the_desk_asks_about_a_known_name_before_it_registers_another() -> None:
    event = make_event(8)
    client = director(event)
    page, name = f"/desk/{event.slug}/players/", event.entrants.get(number=2).person.name
    asked = client.post(page, {"name": name.upper(), "club": "De Tien"})
    text = asked.content.decode()
    assert (asked.status_code, event.entrants.count()) == (200, 8)
    assert "Somebody with that name is already registered" in text
    assert f'href="{page}2/"' in text
    assert 'value="De Tien"' in text
    sent = dict(re.findall(r'<input type="hidden" name="(anyway)" value="(\w+)"', text))
    assert client.post(page, {"name": name, **sent}).status_code == 302
    assert event.entrants.count() == 9
    assert client.post(page, {"name": "Zacharias Quintijn"}).status_code == 302
    assert event.entrants.count() == 10


@pytest.mark.guide("director#registering-and-the-door")
def test_a_known_name_at_the_door_is_led_to_say_that_they_are_here(open_event: Event) -> None:
    name = open_event.entrants.get(number=2).person.name
    page, phone = f"/register/{open_event.slug}/{door_token(open_event)}/", Client()
    asked = phone.post(page, {"name": name}, headers={"Accept-Language": "en"}).content.decode()
    question = asked[asked.index("Is that you?") : asked.index("tap your name")]
    assert "nothing more to do" not in asked
    sent = dict(re.findall(r'<button class="button" name="(here)" value="(\d+)"', question))
    assert sent == {"here": "2"}
    assert phone.post(page, sent).status_code == 302
    assert open_event.entrants.get(number=2).state == "present"
    assert not Registration.objects.exists()


@pytest.mark.guide("director#registering-and-the-door")
def test_a_name_that_registers_twice_is_left_for_the_desk_to_answer(open_event: Event) -> None:
    page = f"/register/{open_event.slug}/"
    for name in ("Zoë Twice", "TWICE Zoe", "Nog Iemand"):
        Client().post(page, {"name": name})
    client, desk = director(open_event), f"/desk/{open_event.slug}/players/registrations/"
    assert markup(client.get(desk)).count("same name: Zoë Twice") == 1
    said = markup(client.post(desk, {"verb": "all"}, follow=True))
    assert "2 players are registered." in said
    number = open_event.entrants.get(person__name="Zoë Twice").number
    assert f"same name: {number} Zoë Twice" in said
    left = Registration.objects.get(state="asked")
    client.post(desk, {"verb": "here", "registration": str(left.pk)})
    assert open_event.entrants.filter(person__name="TWICE Zoe").exists()


@pytest.mark.guide("director#registering-and-the-door")
def test_the_page_of_a_walk_in_follows_until_it_says_the_number(open_event: Event) -> None:
    phone = Client(headers={"Accept-Language": "en"})
    own = phone.post(f"/register/{open_event.slug}/", {"name": "Nieuwe Speler"}).headers["Location"]
    source = re.search(r'data-live-src="([^"]+)"', phone.get(own).content.decode())
    assert source is not None
    waits = phone.get(source[1])
    assert "waiting for a volunteer" in waits.content.decode()
    assert "X-Live-Stop" not in waits
    director(open_event).post(f"/desk/{open_event.slug}/players/registrations/", {"verb": "all"})
    told = phone.get(source[1])
    assert "Your registration is confirmed: number" in told.content.decode()
    assert told["X-Live-Stop"] == "1"
    assert "data-live-src" not in phone.get(own).content.decode()


def test_the_door_of_a_finished_event_asks_nobody_whether_they_are_here(open_event: Event) -> None:
    page = f"/register/{open_event.slug}/{door_token(open_event)}/"
    assert 'name="here"' in Client().get(page).content.decode()
    finish_event(event_id=open_event.pk, actor=SYSTEM, despite_open=True)
    over = Client().get(page, headers={"Accept-Language": "en"}).content.decode()
    assert 'name="here"' not in over
    assert "Registration is closed." in over


@pytest.mark.guide("director#registering-and-the-door")
def test_the_desk_has_the_door_as_a_link_too(open_event: Event) -> None:
    desk = f"/desk/{open_event.slug}/players/registrations/"
    shown = director(open_event).get(desk).content.decode()
    assert f'/register/{open_event.slug}/{door_token(open_event)}/">' in shown


@pytest.mark.guide("director#registering-and-the-door")
def test_the_desk_names_registrations_that_wait_before_the_draw(open_event: Event) -> None:
    client, desk = director(open_event), f"/desk/{open_event.slug}/"
    phone = Client()
    phone.post(f"/register/{open_event.slug}/", {"name": "Nieuwe Speler"})
    check_in_all(event_id=open_event.pk, actor=SYSTEM)
    assert next_step(open_event).code == "draw"
    assert "1 registration waits for an answer." in client.get(desk).content.decode()
    client.post(f"{desk}players/registrations/", {"verb": "all"})
    assert "waits for an answer" not in client.get(desk).content.decode()


def test_all_that_wait_are_registered_at_once_and_counted(open_event: Event) -> None:
    page = f"/register/{open_event.slug}/"
    for name in ("Nieuwe Speler", "Nog Iemand"):
        Client().post(page, {"name": name})
    client, desk = director(open_event), f"/desk/{open_event.slug}/players/registrations/"
    assert (
        "2 players are registered."
        in client.post(desk, {"verb": "all"}, follow=True).content.decode()
    )
    again = client.post(desk, {"verb": "all"}, follow=True).content.decode()
    assert "registered." not in again


def test_a_partner_is_asked_for_where_pairs_play_only(open_event: Event) -> None:
    asked = Client().get(f"/register/{open_event.slug}/").content.decode()
    assert 'name="partner"' not in asked
    pairs = make_event(0, plan=[new_stage("Pairs", format="pairs_swiss", rounds=2)])
    update_event(event_id=pairs.pk, actor=SYSTEM, changes={"registration": True})
    assert 'name="partner"' in Client().get(f"/register/{pairs.slug}/").content.decode()


@pytest.mark.guide("director#registering-and-the-door")
def test_a_known_player_says_at_the_door_that_they_are_here(open_event: Event) -> None:
    token = door_token(open_event)
    wrong = token[:-1] + ("b" if token.endswith("a") else "a")
    page = f"/register/{open_event.slug}/{token}/"
    phone = Client()
    name = open_event.entrants.get(number=3).person.name.split()[-1].lower()
    assert 'value="3"' in phone.get(page, {"q": name}).content.decode()
    phone.post(page, {"here": "3"})
    assert open_event.entrants.get(number=3).state == "present"
    assert phone.post(f"/register/{open_event.slug}/{wrong}/", {"here": "2"}).status_code == 404
    # The page without the door's code checks nobody in.
    phone.post(f"/register/{open_event.slug}/", {"here": "2"})
    assert open_event.entrants.get(number=2).state == "registered"


@pytest.mark.guide("operator#a-copy-elsewhere")
def test_codes_of_an_installation_follow_from_its_key(open_event: Event, settings: Any) -> None:
    def answers(*pages: str) -> list[int]:
        return [Client().get(page, follow=True).status_code for page in pages]

    def codes() -> list[str]:
        badge = f"/p/{entrant_token(open_event.entrants.get(number=3))}/"
        return [badge, f"/register/{open_event.slug}/{door_token(open_event)}/"]

    printed = codes()
    assert answers(*printed) == [200, 200]
    settings.SECRET_KEY = "another key of an installation that was set up anew"
    # Printed badges are recognised by their stored hash; the door's code is not stored.
    assert answers(*printed) == [200, 404]
    # A badge printed after the key changed opens no page.
    assert answers(*codes()) == [404, 200]


@pytest.mark.guide("director#registering-and-the-door")
def test_a_phone_takes_back_what_it_said_at_the_door_and_nothing_else(open_event: Event) -> None:
    page = f"/register/{open_event.slug}/{door_token(open_event)}/"
    phone, in_place = Client(), {"X-Part": "name"}
    first = phone.post(page, {"here": "3"}, headers=in_place).content.decode()
    again = phone.post(page, {"here": "3"}, headers=in_place).content.decode()
    (undo,) = re.findall(r'name="undo"\s+value="([^"]+)"', first)
    # A player who was checked in before cannot be checked out by tapping their name.
    assert 'name="undo"' not in again
    check_in(entrant_id=open_event.entrants.get(number=2).pk, actor=SYSTEM)
    for forged in (undo[:-1], undo.replace(undo[:4], "AAAA"), "2", ""):
        assert phone.post(page, {"undo": forged}, headers=in_place).status_code == 409
    other = make_event(4, name="Other", present=False)
    update_event(event_id=other.pk, actor=SYSTEM, changes={"registration": True})
    there = f"/register/{other.slug}/{door_token(other)}/"
    assert phone.post(there, {"undo": undo}, headers=in_place).status_code == 409
    assert set(open_event.entrants.filter(state="present").values_list("number", flat=True)) == {
        2,
        3,
    }
    assert 'name="here"' in phone.post(page, {"undo": undo}, headers=in_place).content.decode()
    assert open_event.entrants.get(number=3).state == "registered"


def test_who_is_late_at_the_door_is_told_from_which_round_they_play(open_event: Event) -> None:
    page = f"/register/{open_event.slug}/{door_token(open_event)}/"
    phone, says = Client(headers={"X-Part": "name"}), "You play from round"
    known = enter_player(event_id=open_event.pk, name="Te Laat", actor=SYSTEM)
    # Before the first draw every player starts in round 1, so the page does not mention it.
    first = phone.post(page, {"here": str(known.number)}).content.decode()
    assert "you are checked in" in first
    assert says not in first
    check_in_all(event_id=open_event.pk, actor=SYSTEM)
    check_out(entrant_id=known.pk, actor=SYSTEM)
    publish_next(open_event)
    assert f"{says} 2." in phone.post(page, {"here": str(known.number)}).content.decode()
    asked = registrations.register(event_id=open_event.pk, name="Nog Later")
    registrations.confirm(registration_id=asked.pk, actor=SYSTEM, present=True)
    own = Client().get(f"/register/{open_event.slug}/{asked.pk}/?part=now").content.decode()
    assert f"{says} 2." in own


@pytest.mark.guide("director#registering-and-the-door")
def test_registration_closes_by_time_and_by_places(open_event: Event) -> None:
    def closes(**changes: object) -> None:
        update_event(event_id=open_event.pk, actor=SYSTEM, changes=changes)

    closes(places=5)
    assert registrations.register(event_id=open_event.pk, name="Five").state == "asked"
    assert registrations.register(event_id=open_event.pk, name="Six").state == "waiting"
    closes(registration_until=timezone.now() - timedelta(minutes=1))
    with pytest.raises(Conflict):
        registrations.register(event_id=open_event.pk, name="Seven")
    closes(registration=False)
    assert Client().get(f"/register/{open_event.slug}/").status_code == 404


@pytest.mark.guide("director#registering-and-the-door")
def test_a_place_that_comes_free_is_for_the_waiting_list(open_event: Event) -> None:
    update_event(event_id=open_event.pk, actor=SYSTEM, changes={"places": 4})
    first = registrations.register(event_id=open_event.pk, name="First")
    assert first.state == "waiting"
    withdraw(entrant_id=open_event.entrants.get(number=1).pk, actor=SYSTEM)
    # A later registrant gets no place before them, and the page warns of that.
    page = f"/register/{open_event.slug}/"
    said = Client().get(page, headers={"Accept-Language": "en"}).content.decode()
    assert "you will be put on the waiting list" in said
    assert registrations.register(event_id=open_event.pk, name="Second").state == "waiting"
    open_event.refresh_from_db()
    assert registrations.places_left(open_event) == 1
    registrations.confirm(registration_id=first.pk, actor=SYSTEM)
    assert registrations.places_left(open_event) == 0


@pytest.mark.guide("director#check-players-in")
def test_all_but_these_are_here() -> None:
    event = make_event(8, present=False)
    client = director(event)
    client.post(f"/desk/{event.slug}/players/check-in/", {"but": ["3", "5"]})
    absent = event.entrants.filter(state="registered").values_list("number", flat=True)
    assert list(absent) == [3, 5]
    assert check_in_all(event_id=event.pk, actor=SYSTEM, but=[3]) == 1


@pytest.mark.guide("director#check-players-in")
def test_once_all_but_the_absent_are_here_the_desk_goes_on_to_the_draw() -> None:
    event = make_event(8, present=False)
    client = director(event)
    for number in range(1, 7):
        check_in(entrant_id=event.entrants.get(number=number).pk, actor=SYSTEM)
    assert next_step(event).code == "check_in"
    # All present players are checked in already: the two are marked absent, and the others do not change.
    client.post(f"/desk/{event.slug}/players/check-in/", {"but": ["7", "8"]})
    assert next_step(event).code == "draw"
    desk = markup(client.get(f"/desk/{event.slug}/"))
    assert "Make the draw" in desk
    # Named, as a player checked out later is.
    names = {who.number: who.person.name for who in event.entrants.select_related("person")}
    assert f"{names[7]}, {names[8]}." in desk
    assert f'href="/desk/{event.slug}/players/?state=registered"' in desk
    client.post(f"/desk/{event.slug}/players/6/state/", {"verb": "check_out"})
    assert next_step(event).code == "draw"
    assert f"{names[6]}, {names[7]}, {names[8]}." in markup(client.get(f"/desk/{event.slug}/"))
    check_in(entrant_id=event.entrants.get(number=6).pk, actor=SYSTEM)
    enter_player(event_id=event.pk, name="Late", actor=SYSTEM)
    assert next_step(event).code == "check_in"
    check_in_all(event_id=event.pk, actor=SYSTEM, but=[7, 8])
    assert next_step(event).code == "draw"


def test_letters_lead_through_a_long_list_by_name() -> None:
    event = make_event(30)
    client = director(event)
    page = f"/desk/{event.slug}/players/"
    letter = re.compile(r'<a href="([^"]*)#p-(\d+)"[^>]*>([A-Z])</a>')
    first = letter.findall(client.get(page).content.decode())
    assert {path for path, _number, _letter in first} == {"?by=name&amp;state=&amp;page=1"}
    listed = client.get(page, {"by": "name"}).content.decode()
    found = letter.findall(listed)
    assert [each[1:] for each in found] == [each[1:] for each in first]
    names = dict(event.entrants.values_list("number", "person__name"))
    assert all(names[int(number)].startswith(initial) for _path, number, initial in found)
    order = [names[int(number)] for number in re.findall(r'<tr id="p-(\d+)"', listed)]
    assert order == sorted(order)
    short = make_event(8, name="Klein")
    grant(client.get(page).wsgi_request.user, Role.DIRECTOR, short.pk)
    assert letter.findall(client.get(f"/desk/{short.slug}/players/").content.decode()) == []


@pytest.mark.guide("director#check-players-in")
def test_who_has_played_leaves_and_is_not_absent() -> None:
    event = make_event(8, deals=1)
    client = director(event)
    page = f"/desk/{event.slug}/players/"
    assert client.get(page).content.decode().count('value="check_out"') == 8
    advance(event, chance())
    listed = client.get(page).content.decode()
    assert 'value="check_out"' not in listed
    leave = f"{page}3/#leaves"
    assert leave in listed
    row = client.post(f"{page}3/state/", {"verb": "paid"}, headers={"X-Part": "row"})
    assert leave in row.content.decode()
    assert 'id="leaves"' in client.get(f"{page}3/").content.decode()
    client.post(f"{page}3/state/", {"verb": "withdraw", "back": "player"})
    assert leave not in client.get(page).content.decode()
    assert event.entrants.get(number=3).state == "withdrawn"


@pytest.mark.guide("director#check-players-in")
def test_a_row_of_the_list_acts_in_place() -> None:
    event = make_event(8, present=False)
    client = director(event)
    page = f"/desk/{event.slug}/players/3/state/"
    row = client.post(page, {"verb": "check_in"}, headers={"X-Part": "row"})
    assert row.status_code == 200
    assert row.content.decode().lstrip().startswith("<tr")
    assert 'data-state="present"' in row.content.decode()
    client.post(page, {"verb": "paid"}, headers={"X-Part": "row"})
    assert event.entrants.get(number=3).paid
    client.post(page, {"verb": "withdraw"})
    refused = client.post(page, {"verb": "check_in"}, headers={"X-Part": "row"})
    assert refused.status_code == 409
    assert "withdrawn" in refused.content.decode()


@pytest.mark.guide("director#check-players-in")
@pytest.mark.parametrize("typed", ["number", "link"])
def test_a_scanned_badge_checks_in(typed: str) -> None:
    event = make_event(8, present=False)
    who = event.entrants.get(number=4)
    text = "4" if typed == "number" else f"http://hall.example/p/{entrant_token(who)}/"
    client = director(event)
    answer = client.post(
        f"/desk/{event.slug}/players/scan/", {"scan": text}, headers={"X-Part": "row"}
    )
    assert answer.status_code == 200
    assert event.entrants.get(number=4).state == "present"
    unknown = client.post(
        f"/desk/{event.slug}/players/scan/", {"scan": "99"}, headers={"X-Part": "row"}
    )
    assert unknown.status_code == 409


def test_a_refused_scan_names_whom_or_what_was_scanned() -> None:
    event = make_event(8, present=False)
    who = event.entrants.get(number=4)
    badge = f"http://hall.example/p/{entrant_token(who)}/"
    client = director(event)
    withdraw(entrant_id=who.pk, actor=SYSTEM)
    page = f"/desk/{event.slug}/players/scan/"
    says = {
        scanned: client.post(page, {"scan": scanned}, headers={"X-Part": "row"}).content.decode()
        for scanned in ("4", badge, "99", "http://hall.example/p/nobody-at-all/")
    }
    left = f"4 {who.person.name} has left: register the return first."
    assert (says["4"], says[badge]) == (left, left)
    assert "number 99" in says["99"]
    assert "at-all/" in says["http://hall.example/p/nobody-at-all/"]


def test_a_scan_without_a_session_is_answered_by_the_sign_in_page() -> None:
    event = make_event(8, present=False)
    page = f"/desk/{event.slug}/players/"
    answer = Client().post(f"{page}scan/", {"scan": "4"}, headers={"X-Part": "row"})
    assert answer.status_code == 302
    assert f'data-sign-in-at="/login/?next={page}"' in director(event).get(page).content.decode()


@pytest.mark.guide("director#check-players-in")
@pytest.mark.parametrize("caps", [False, True], ids=["", "caps lock"])
@pytest.mark.parametrize("layout", sorted(LAYOUTS))
def test_a_badge_is_known_whatever_keyboard_the_computer_has(layout: str, caps: bool) -> None:
    event = make_event(8, present=False)
    client = director(event)
    for who in event.entrants.order_by("number"):
        text = as_typed(f"https://hall.example/p/{entrant_token(who)}/", layout, caps=caps)
        answer = client.post(
            f"/desk/{event.slug}/players/scan/", {"scan": text}, headers={"X-Part": "row"}
        )
        assert answer.status_code == 200, text
        assert who.person.name in answer.content.decode()
    assert set(event.entrants.values_list("state", flat=True)) == {"present"}
    nobody = as_typed(f"https://hall.example/p/{'a' * 24}/", layout, caps=caps)
    assert (
        client.post(
            f"/desk/{event.slug}/players/scan/", {"scan": nobody}, headers={"X-Part": "row"}
        ).status_code
        == 409
    )


def test_a_belgian_computer_types_what_a_volunteer_reported() -> None:
    """As seen at a door: the scanner was set to US keys, the PC to Belgian ones."""
    assert as_typed("https://host/p/", "Belgian") == "httpsM==host=p="


def test_the_list_finds_without_accents() -> None:
    event = make_event(8)
    correct_entrant(
        entrant_id=event.entrants.get(number=2).pk, actor=SYSTEM, changes={"name": "Noël D'Hondt"}
    )
    page = director(event).get(f"/desk/{event.slug}/players/", {"q": "noel dhondt"})
    assert len(page.context["rows"]) <= 1
    page = director_again(event).get(f"/desk/{event.slug}/players/", {"q": "noel d hondt"})
    assert [row.entrant.number for row in page.context["rows"]] == [2]


def director_again(event: Event) -> Client:
    client = Client()
    client.force_login(RoleGrant.objects.get(scope=event.pk, role=Role.DIRECTOR).user)
    return client


def test_the_register_says_what_of_a_pasted_list_it_did_not_take() -> None:
    client = Client()
    user = make_user("admin")
    grant(user, Role.ADMIN)
    client.force_login(user)
    text = "Les habitués :\nÉric D'Haene\nZoé Müller\nzoé müller"
    page = client.post("/desk/members/", {"verb": "paste", "text": text}, follow=True)
    said = unescape(page.content.decode())
    assert "2 members added." in said
    assert "Members already: zoé müller" in said
    assert "Left out: Les habitués :" in said
    # Accents do not count in the order of names.
    assert [member.name for member in page.context["members"]] == ["Éric D'Haene", "Zoé Müller"]
