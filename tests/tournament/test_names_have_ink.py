"""One rule for names on every way in: a letter with ink, no address."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.test import Client

from ledger.errors import Refused
from tests.tournament.build import SYSTEM, make_event, make_user
from tournament.lists.words import plain
from tournament.models import Event, Member, Person, Registration
from tournament.services.entrants import enter_player
from tournament.services.events import update_event
from tournament.services.imports import import_players
from tournament.services.members import add_member
from tournament.services.registrations import register

pytestmark = pytest.mark.django_db


def open_registration(event: Event) -> None:
    update_event(event_id=event.pk, changes={"registration": True}, actor=SYSTEM)


WAYS: dict[str, Callable[[Event, str], object]] = {
    "desk": lambda event, name: enter_player(event_id=event.pk, name=name, actor=SYSTEM),
    "partner": lambda event, name: enter_player(
        event_id=event.pk, name="Jan Maes", partner=name, actor=SYSTEM
    ),
    "registration": lambda event, name: register(event_id=event.pk, name=name),
    "register": lambda _event, name: add_member(actor=SYSTEM, values={"name": name}),
    "import": lambda event, name: import_players(
        event_id=event.pk, content=f'Naam;Club\n"{name}";Menen\n'.encode(), actor=SYSTEM
    ),
}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("name", ["\u3164", "12345", "...", "\u2800\u115f", "jan@example.org"])
def test_a_name_without_a_letter_or_with_an_address_is_refused(way: str, name: str) -> None:
    event = make_event(0)
    open_registration(event)
    if way == "partner" and not plain(name):
        name = "12"  # without ink there is no partner
    with pytest.raises(Refused):
        WAYS[way](event, name)
    assert not Registration.objects.exists()
    assert not Member.objects.exists()
    assert not Person.objects.exclude(name="Jan Maes").exists()


@pytest.mark.parametrize("name", ["Ó", "王小明", "Jean-Pierre d’Hondt", "4 As"])
def test_any_letter_makes_a_name(name: str) -> None:
    enter_player(event_id=make_event(0).pk, name=name, actor=SYSTEM)
    assert Person.objects.get().name == name


def test_the_public_page_names_the_reason_at_its_field(client: Client) -> None:
    event = make_event(0)
    open_registration(event)
    answer = client.post(f"/register/{event.slug}/", {"name": "12345"})
    assert answer.status_code == 422
    assert "name" in answer.context["form"].errors


@pytest.mark.parametrize("moment", ["2026-03-29T02:30", "2026-10-25T02:30"])
def test_a_time_that_the_clocks_skip_or_repeat_is_refused_in_words(
    client: Client, moment: str
) -> None:
    event = make_event(0)
    client.force_login(make_user("director", event, "director"))
    page = client.get(f"/desk/{event.slug}/settings/")
    form = page.context["form"]
    sent = {name: form[name].value() or "" for name in form.fields} | {"registration_until": moment}
    answer = client.post(f"/desk/{event.slug}/settings/", sent)
    (says,) = answer.context["form"].errors["registration_until"]
    assert "clocks change" in says
