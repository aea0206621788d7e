"""What is deleted or erased comes back within a week, and never afterwards."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.apps import apps
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import models
from django.test import Client
from django.utils import timezone

from accounts.models import Role, RoleGrant, User
from ledger import sealed
from ledger.actors import Actor
from ledger.audit import breaks
from ledger.errors import Conflict, NotHere, Refused
from ledger.models import AuditEntry, Sealed, SealKey
from ledger.rows import beside_faults
from operations.replay import replay
from tests.moment import later
from tests.tournament.build import SYSTEM, chance, make_document, make_event, make_user
from tests.tournament.desk import director
from tournament.demo.simulation import advance
from tournament.models import (
    Event,
    MailConsent,
    Member,
    Person,
    PlayerFile,
    Registration,
)
from tournament.services import bans_and_wishes, deleted, members, privacy
from tournament.services.archive import pack, take_up
from tournament.services.consents import want_mail
from tournament.services.entrant_edits import correct_entrant
from tournament.services.event_life import delete_event, finish_event
from tournament.services.events import update_event
from tournament.tables.links import entrant_token

pytestmark = pytest.mark.django_db
DERIVED = {"RenderedStandings", "PrintedDocument", "Notice", "Sealed", "SealKey", "AuditEntry"}


def rows(*but: str) -> dict[str, list[dict[str, Any]]]:
    """Return every row of the tournament, its roles and the rulings, by model."""
    return {
        model.__name__: list(model._base_manager.order_by("pk").values())
        for model in apps.get_models()
        if model._meta.app_label in ("tournament", "adjudication", "scoring") or model is RoleGrant
        if model.__name__ not in DERIVED | set(but)
    }


def same(one: dict[str, list[dict[str, Any]]]) -> None:
    """Assert that every row is as before, but for the counters of pages."""
    two = rows()
    for each in (one, two):
        for event in each["Event"]:
            event["version"] = event["frame_version"] = 0
        for standings in each.get("Standings", []):
            standings["version"] = 0
    assert two == one


def hour_by_hour(hours: int) -> None:
    """Let the workers look once an hour for so long."""
    for hour in range(1, hours + 1):
        with later(hours=hour):
            sealed.destroy_due()


def the_copy() -> Sealed:
    return Sealed.objects.get(undone_at__isnull=True)


def register(event: Event) -> None:
    """Register somebody on the public page, who wants e-mail."""
    update_event(event_id=event.pk, actor=SYSTEM, changes={"registration": True})
    given = {"name": "Wacht Even", "email": "w@example.org", "mail": "on"}
    assert Client().post(f"/register/{event.slug}/", given).status_code == 302


@pytest.fixture
def played(settings: Any) -> Event:
    """Return an event after a round, with a registration, an uploaded list, and a player with e-mail."""
    settings.EMAIL_URL, settings.EMAIL_FROM = "smtp://localhost", "manille@example.org"
    settings.PUBLIC_URL = "https://manille.example.org"
    event = make_event(8, deals=1)
    advance(event, chance())
    three = event.entrants.get(number=3)
    values = {"email": "drie@example.org", "phone": "0470 11", "category": "S"}
    correct_entrant(entrant_id=three.pk, actor=SYSTEM, changes=values)
    want_mail(entrant_id=three.pk, email="", language="nl")
    register(event)
    list_of_one = SimpleUploadedFile("a.csv", b"Naam\nVier\n")
    director(event).post(f"/desk/{event.slug}/players/import/", {"file": list_of_one})
    make_document(event)
    assert MailConsent.objects.count() == 2
    assert Registration.objects.exists()
    assert PlayerFile.objects.exists()
    return event


@pytest.mark.guide("security#personal-data", "director#staff")
def test_an_erased_player_is_back_as_before(played: Event) -> None:
    three = played.entrants.get(number=3)
    client = Client()
    client.force_login(User.objects.get(role_grants__scope=played.pk))
    before = rows()
    where = f"/desk/{played.slug}/players/3/data/"
    name = three.person.name
    assert client.post(where, {"sure": "on"}).status_code == 302
    assert Person.objects.get(pk=three.person_id).name == ""
    assert not Registration.objects.exists()
    # The desk announces it, and the page has one button.
    for page in ("/desk/", f"/desk/{played.slug}/"):
        assert "1 deletion can still be undone." in client.get(page).content.decode()
    page = client.get("/desk/deleted/").content.decode()
    assert "Personal data erased" in page
    assert name not in page
    address = f"/desk/deleted/{the_copy().pk}/undo/"
    for _twice in range(2):
        assert client.post(address).status_code == 302
    same(before)
    assert AuditEntry.objects.filter(verb="person.restored").count() == 1
    assert not SealKey.objects.exists()
    assert list(breaks(played.pk)) == []
    assert list(beside_faults(played.pk)) == []
    assert replay(played).differences == []
    assert name in Client().get(f"/e/{played.slug}/players/3/").content.decode()
    # And erased again, it is erased.
    client.post(where, {"sure": "on"})
    assert Person.objects.get(pk=three.person_id).name == ""


@pytest.mark.guide("security#personal-data")
def test_what_was_changed_since_the_erasure_stays(played: Event) -> None:
    three = played.entrants.get(number=3)
    privacy.forget_person(person_id=three.person_id, actor=SYSTEM)
    correct_entrant(entrant_id=three.pk, actor=SYSTEM, changes={"club": "Elders"})
    deleted.undo_deletion(sealed_id=the_copy().pk, actor=SYSTEM)
    three.refresh_from_db()
    assert three.club is not None
    assert (three.club.name, three.category) == ("Elders", "S")
    assert replay(played).differences == []


@pytest.mark.guide("security#personal-data")
def test_after_a_week_nothing_can_be_read_any_more(played: Event) -> None:
    three = played.entrants.get(number=3)
    privacy.forget_person(person_id=three.person_id, actor=SYSTEM)
    copy = the_copy()
    assert b"drie@example.org" not in bytes(copy.content)
    hour_by_hour(7 * 24 - 1)
    assert sealed.opened(the_copy())
    with later(days=7, hours=1):
        assert sealed.destroy_due() == 1
        assert not Sealed.objects.exists()
        assert not SealKey.objects.exists()
        with pytest.raises(NotHere) as refused:
            deleted.undo_deletion(sealed_id=copy.pk, actor=SYSTEM)
    assert refused.value.code == "undo_too_late"
    assert Person.objects.get(pk=three.person_id).name == ""
    assert list(breaks(played.pk)) == []
    assert list(beside_faults(played.pk)) == []


@pytest.mark.guide("security#personal-data")
@pytest.mark.parametrize("days", [740, 8, -740])
def test_a_jump_of_the_clock_destroys_no_copy(played: Event, days: int) -> None:
    three = played.entrants.get(number=3)
    sealed.destroy_due()
    privacy.forget_person(person_id=three.person_id, actor=SYSTEM)
    for minutes in (0, 5, 59):
        with later(days=days, minutes=minutes):
            assert sealed.destroy_due() == 0
    assert sealed.destroy_due() == 0
    deleted.undo_deletion(sealed_id=the_copy().pk, actor=SYSTEM)
    assert Person.objects.get(pk=three.person_id).email == "drie@example.org"


def test_a_copy_made_under_a_wrong_clock_lasts_a_week_and_no_longer(played: Event) -> None:
    with later(days=400):
        privacy.forget_person(person_id=played.entrants.get(number=3).person_id, actor=SYSTEM)
    sealed.destroy_due()
    hour_by_hour(7 * 24 - 1)
    assert Sealed.objects.count() == 1
    with later(days=7, hours=1):
        assert sealed.destroy_due() == 1


@pytest.mark.guide("security#personal-data")
def test_a_machine_of_one_evening_a_week_destroys_at_the_fourth(played: Event) -> None:
    privacy.forget_person(person_id=played.entrants.get(number=3).person_id, actor=SYSTEM)
    sealed.destroy_due()
    destroyed = []
    for week in range(1, 5):
        with later(days=7 * week):
            destroyed.append(sealed.destroy_due())
    assert destroyed == [0, 0, 0, 1]


@pytest.mark.guide("security#personal-data")
def test_another_secret_key_opens_no_copy(played: Event, settings: Any) -> None:
    privacy.forget_person(person_id=played.entrants.get(number=3).person_id, actor=SYSTEM)
    settings.SECRET_KEY = "another key, as who has a backup alone would have to guess it"
    with pytest.raises(Conflict) as refused:
        deleted.undo_deletion(sealed_id=the_copy().pk, actor=SYSTEM)
    assert refused.value.code == "seal_not_opened"


@pytest.mark.guide("director#copy-hide-or-delete-an-event")
def test_a_deleted_event_is_back_with_players_links_and_staff() -> None:
    event = make_event(8)
    bans_and_wishes.ban(event_id=event.pk, one=1, two=2, actor=SYSTEM)
    register(event)
    client = director(event)
    make_user("scores", event, "scorekeeper")
    link = f"/p/{entrant_token(event.entrants.get(number=1))}/"
    before = rows()
    deleted_at = {"sure": "on"}
    assert client.post(f"/desk/{event.slug}/settings/delete/", deleted_at)["Location"] == "/desk/"
    assert not Event.objects.exists()
    assert not Person.objects.exists()
    assert Client().get(link).status_code == 404
    assert "1 deletion can still be undone." in client.get("/desk/").content.decode()
    address = f"/desk/deleted/{the_copy().pk}/undo/"
    for _twice in range(2):
        client.post(address)
    same(before)
    assert Client().get(link).status_code == 200
    last = AuditEntry.objects.filter(scope=event.pk).latest("sequence")
    assert last.verb == "event.restored"
    assert list(breaks(event.pk)) == []
    assert list(beside_faults(event.pk)) == []
    assert replay(event).differences == []


def test_a_deleted_event_whose_address_was_taken_gets_another() -> None:
    event = make_event(4)
    slug = event.slug
    delete_event(event_id=event.pk, actor=SYSTEM)
    other = make_event(4)
    assert other.slug == slug
    deleted.undo_deletion(sealed_id=the_copy().pk, actor=SYSTEM)
    assert Event.objects.get(pk=other.pk).slug == slug
    assert Event.objects.get(pk=event.pk).slug not in ("", slug)


def test_rows_whose_place_is_taken_are_refused() -> None:
    event = make_event(4)
    archive = pack(event.pk)
    delete_event(event_id=event.pk, actor=SYSTEM)
    take_up(file=archive, actor=SYSTEM)
    with pytest.raises(Refused) as refused:
        deleted.undo_deletion(sealed_id=the_copy().pk, actor=SYSTEM)
    assert refused.value.code == "undo_in_conflict"
    assert Event.objects.get().entrants.count() == 4


@pytest.mark.guide("security#personal-data")
def test_names_that_retention_erased_are_back(settings: Any) -> None:
    event = make_event(8, deals=1)
    advance(event, chance())
    settings.RETENTION_DAYS = 30
    day = timezone.localdate() - timedelta(days=31)
    update_event(event_id=event.pk, actor=SYSTEM, changes={"day": day})
    finish_event(event_id=event.pk, actor=SYSTEM, despite_open=True)
    names = set(Person.objects.values_list("name", flat=True))
    assert privacy.forget_event(event, SYSTEM) == 8
    assert set(Person.objects.values_list("name", flat=True)) == {""}
    deleted.undo_deletion(sealed_id=the_copy().pk, actor=SYSTEM)
    assert set(Person.objects.values_list("name", flat=True)) == names
    assert replay(event).differences == []


@pytest.mark.guide("security#personal-data")
def test_the_desk_names_an_erasure_thirty_days_before(settings: Any) -> None:
    event = make_event(8, deals=1)
    advance(event, chance())
    update_event(event_id=event.pk, actor=SYSTEM, changes={"day": timezone.localdate()})
    finish_event(event_id=event.pk, actor=SYSTEM, despite_open=True)
    settings.RETENTION_DAYS = 730
    settings.SESSION_COOKIE_AGE = 10**9
    user = make_user("directs", event, Role.DIRECTOR)
    shown = []
    for days in (1, 695, 705, 728, 735):
        with later(days=days):
            client = Client()
            client.force_login(user)
            page = client.get("/desk/").content.decode()
        shown.append("the names of its players will be erased on" in page)
    assert shown == [False, False, True, True, False]


@pytest.mark.guide("director#the-register-of-members")
def test_a_member_deleted_from_the_register_is_back() -> None:
    event = make_event(4)
    assert members.remember_players(event_id=event.pk, actor=SYSTEM) == 4
    member = event.entrants.get(number=1).person.member
    before = rows()
    members.remove_member(actor=SYSTEM, member_id=member.pk)
    assert Member.objects.count() == 3
    deleted.undo_deletion(sealed_id=the_copy().pk, actor=SYSTEM)
    same(before)


def test_only_who_directs_the_event_undoes(played: Event) -> None:
    privacy.forget_person(person_id=played.entrants.get(number=3).person_id, actor=SYSTEM)
    copy = the_copy()
    other = make_event(4, name="Other")
    for role, event in ((Role.DIRECTOR, other), (Role.REFEREE, played)):
        client = Client()
        client.force_login(make_user(f"{role}-{event.pk}", event, role))
        assert "Personal data" not in client.get("/desk/deleted/").content.decode()
        client.post(f"/desk/deleted/{copy.pk}/undo/")
    assert Client().post(f"/desk/deleted/{copy.pk}/undo/").status_code == 302
    reader = Actor.user(make_user("nobody", other, Role.READER).pk)
    with pytest.raises(Refused) as refused:
        deleted.undo_deletion(sealed_id=copy.pk, actor=reader)
    assert refused.value.code == "not_yours_to_undo"
    assert Person.objects.get(pk=played.entrants.get(number=3).person_id).name == ""


def test_no_column_of_what_is_sealed_is_lost() -> None:
    """Every kind of column that the service has survives sealing and opening."""
    kinds = {
        type(field)
        for model in apps.get_models()
        if model._meta.app_label in ("tournament", "adjudication", "scoring")
        for field in model._meta.concrete_fields
    }
    read_back = (
        models.BooleanField,
        models.CharField,
        models.TextField,
        models.IntegerField,
        models.DateField,
        models.TimeField,
        models.UUIDField,
        models.JSONField,
        models.BinaryField,
        models.ForeignKey,
        models.DurationField,
        models.DecimalField,
    )
    assert [kind for kind in kinds if not issubclass(kind, read_back)] == []
