"""Every stored personal field is documented, and every way to it is closed, shown or erased."""

from __future__ import annotations

import json
import re
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.core.cache import cache
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import models
from django.test import Client
from django.utils import timezone

from accounts.models import Role
from adjudication.services import incidents
from ledger.audit import breaks
from ledger.change import change
from ledger.models import AuditEntry
from operations.replay import replay
from tests.moment import later
from tests.security.hall import REFEREE, Hall
from tests.tournament.build import SYSTEM, chance, make_document, make_event
from tournament.api.person_data import export_person
from tournament.demo.simulation import advance
from tournament.models import Person, PlayerFile, PrintedDocument
from tournament.services import privacy
from tournament.services.entrant_edits import correct_entrant
from tournament.services.event_life import finish_event
from tournament.services.events import update_event
from tournament.tables.links import entrant_token

pytestmark = pytest.mark.django_db
PAGE = Path(__file__).parents[2] / "docs" / "security.md"
ROOMS = ("ledger", "scoring", "tournament", "adjudication", "otp_totp", "otp_static", "sessions")
CAN_NAME = (models.CharField, models.TextField, models.JSONField, models.BinaryField)


def listed() -> set[str]:
    """Return the fields listed on the page: those that may name a person, and those that never do."""
    text = PAGE.read_text(encoding="utf-8")
    others = re.findall(r"^\| `([a-z_]+\.[a-z]+)` \| (.+) \|$", text, re.M)
    return set(naming()) | {
        f"{model}.{name}" for model, names in others for name in names.split(", ")
    }


def able_to_name() -> set[str]:
    """Return every field that could contain a name: text that is neither a choice nor a hash."""
    found = set()
    for model in apps.get_models():
        if model._meta.app_label not in ROOMS:
            continue
        for field in model._meta.concrete_fields:
            if isinstance(field, CAN_NAME) and not field.choices and not field.is_relation:
                found.add(f"{model._meta.label_lower}.{field.name}")
    return found


@pytest.mark.guide("operator#personal-data", "security#personal-data")
def test_every_field_that_can_hold_a_name_is_on_the_list() -> None:
    assert able_to_name() - listed() == set()


@pytest.mark.guide("security#personal-data")
def test_the_list_names_no_field_that_is_gone() -> None:
    assert listed() - able_to_name() == set()


def naming() -> dict[str, str]:
    """Return the fields that may name a person, with the page's text about each."""
    text = PAGE.read_text(encoding="utf-8")
    return dict(re.findall(r"^\| `([a-z_]+\.[a-z]+\.[a-z_]+)` \| (.+) \|$", text, re.M))


def fields_with(words: list[str]) -> set[str]:
    """Return every field of text, data or bytes in the database that contains one of these words."""
    found = set()
    for model in apps.get_models():
        for field in model._meta.concrete_fields:
            if not isinstance(field, CAN_NAME):
                continue
            for value in model._default_manager.values_list(field.attname, flat=True):
                text = (
                    bytes(value).decode("utf-8", "replace")
                    if isinstance(field, models.BinaryField)
                    else json.dumps(value, ensure_ascii=False, default=str)
                )
                if any(word in text for word in words):
                    found.add(f"{model._meta.label_lower}.{field.name}")
    return found


@pytest.mark.guide("operator#personal-data", "security#personal-data")
def test_names_stand_in_the_fields_on_the_list_alone_and_go_when_erased(
    hall: Hall, client: Client, settings: Any
) -> None:
    """Search every field after a hall has played, registered, imported, printed and sent e-mail."""
    event = hall.event
    update_event(event_id=event.pk, actor=SYSTEM, changes={"registration": True})
    names = ["Quirina Zevenster", "Ysbrand Quakelbeen", "Zebedeus Wouterlood", "Xaveria Goudvis"]
    words = [*names, "quirina@example.org", "ysbrand@example.org", "0470 99 88 77"]
    correct_entrant(
        entrant_id=event.entrants.get(number=1).pk,
        actor=SYSTEM,
        changes={"name": names[0], "email": words[4], "phone": words[6]},
    )
    settings.EMAIL_URL, settings.EMAIL_FROM = "smtp://localhost", "manille@example.org"
    settings.PUBLIC_URL = "https://manille.example.org"
    asked = {"name": names[1], "email": words[5], "mail": "on"}
    assert client.post(f"/register/{event.slug}/", asked).status_code == 302
    client.force_login(hall.staff[Role.DIRECTOR])
    list_of_one = SimpleUploadedFile("a.csv", f"Naam\n{names[2]}\n".encode())
    client.post(f"/desk/{event.slug}/players/import/", {"file": list_of_one})
    made = client.post(
        f"/api/v1/events/{event.slug}/entrants/",
        {"name": names[3], "club": "Goud"},
        content_type="application/json",
    )
    assert made.status_code == 201
    client.get(f"/e/{event.slug}/standings/")
    client.get(f"/desk/{event.slug}/players/")
    make_document(event)
    there = fields_with(words)
    assert there <= set(naming())
    assert there >= {
        *("tournament.person.name", "tournament.person.email", "tournament.person.phone"),
        *("tournament.registration.name", "tournament.registration.email"),
        *("tournament.playerfile.content", "tournament.renderedstandings.rows"),
    }
    for entrant in event.entrants.filter(person__name__in=names):
        privacy.forget_person(person_id=entrant.person_id, actor=SYSTEM)
    assert fields_with(words) == set()


@pytest.mark.guide("security#personal-data")
def test_free_words_of_the_record_stay_when_somebody_is_erased(hall: Hall) -> None:
    person = hall.event.entrants.get(number=1).person
    name = person.name
    table = hall.round_.tables.get(number=1)
    incidents.open_incident(
        event_id=hall.event.pk,
        table_id=table.pk,
        description=f"{name} talks",
        actor=REFEREE,
        game=1,
        deal=None,
    )
    privacy.forget_person(person_id=person.pk, actor=SYSTEM)
    assert fields_with([name]) == {"adjudication.incident.told"}
    assert "free words" in naming()["adjudication.incident.told"]
    assert list(breaks(hall.event.pk)) == []


@pytest.mark.guide("director#staff", "security#personal-data")
def test_a_director_sees_takes_away_and_erases_what_is_stored(hall: Hall, client: Client) -> None:
    person = hall.event.entrants.get(number=3).person
    where = f"/desk/{hall.event.slug}/players/3/data/"
    client.force_login(hall.staff[Role.DIRECTOR])
    assert person.name in client.get(where).content.decode()
    file = client.get(where, {"file": "1"})
    assert file.json() == export_person(person)
    assert "attachment" in file["Content-Disposition"]
    assert client.post(where, {}).status_code == 422
    person.refresh_from_db()
    assert person.name
    assert client.post(where, {"sure": "on"}).status_code == 302
    name = person.name
    person.refresh_from_db()
    assert (person.name, person.email) == ("", "")
    assert list(breaks(hall.event.pk)) == []
    assert not PrintedDocument.objects.filter(event=hall.event).exists()
    assert not PlayerFile.objects.filter(event=hall.event).exclude(content=b"").exists()
    for page in (f"/e/{hall.event.slug}/players/", f"/e/{hall.event.slug}/players/3/", where):
        assert name not in client.get(page).content.decode(), page
    for role in (Role.REFEREE, Role.SCOREKEEPER, Role.READER):
        client.force_login(hall.staff[role])
        assert client.get(where).status_code == 403


@pytest.mark.guide("security#personal-data")
def test_who_plays_elsewhere_is_erased_by_the_administrator(hall: Hall, client: Client) -> None:
    other = make_event(4, name="Other")
    person = hall.event.entrants.get(number=3).person
    entrant = other.entrants.get(number=1)
    entrant.person = person
    with change():
        entrant.save()
    where = f"/desk/{hall.event.slug}/players/3/data/"
    client.force_login(hall.staff[Role.DIRECTOR])
    assert client.post(where, {"sure": "on"}).status_code == 403
    client.force_login(hall.staff[Role.ADMIN])
    assert client.post(where, {"sure": "on"}).status_code == 302
    assert Person.objects.get(pk=person.pk).name == ""
    assert AuditEntry.objects.filter(verb="person.erased").count() == 2


@pytest.mark.guide("operator#personal-data", "security#personal-data")
def test_the_workers_timer_erases_once_a_day_and_results_stay(settings: Any) -> None:
    event = make_event(8, deals=1)
    advance(event, chance())
    settings.RETENTION_DAYS = 30
    update_event(
        event_id=event.pk, actor=SYSTEM, changes={"day": timezone.localdate() - timedelta(days=31)}
    )
    finish_event(event_id=event.pk, actor=SYSTEM, despite_open=True)
    cache.clear()
    for day in range(30):
        with later(days=day):
            assert privacy.erase_overdue() == 0
    with later(days=31):
        assert privacy.erase_overdue() == 8
        assert privacy.erase_overdue() == 0
    assert not Person.objects.filter(entries__event=event, erased_at__isnull=True).exists()
    assert list(breaks(event.pk)) == []
    assert replay(event).differences == []


@pytest.mark.guide("security#personal-data")
def test_zero_days_keep_everything(settings: Any) -> None:
    event = make_event(4)
    update_event(
        event_id=event.pk,
        actor=SYSTEM,
        changes={"day": timezone.localdate() - timedelta(days=9000)},
    )
    settings.RETENTION_DAYS = 0
    assert privacy.overdue() == []


def surfaces(hall: Hall) -> list[str]:
    """Return every address that shows players to the public or to the holder of a link."""
    slug = hall.event.slug
    token = entrant_token(hall.event.entrants.get(number=2))
    return [
        f"/e/{slug}/",
        f"/e/{slug}/draw/",
        f"/e/{slug}/draw/1/1/",
        f"/e/{slug}/players/",
        f"/e/{slug}/standings/",
        f"/e/{slug}/standings/1/clubs/",
        f"/e/{slug}/players/1/",
        f"/e/{slug}/players/2/",
        f"/e/{slug}/wall/",
        f"/e/{slug}/draw/1/2/proof/",
        f"/e/{slug}/draw/1/2/request.json",
        f"/e/{slug}/calendar.ics",
        f"/p/{token}/",
        f"/sign/{token}/",
        f"/t/{hall.table_token}/",
        f"/api/v1/events/{slug}/",
        *(
            f"/api/v1/events/{slug}/{kind}/"
            for kind in ("players", "draws", "results", "standings")
        ),
    ]


@pytest.mark.guide("operator#personal-data", "security#personal-data")
def test_short_names_are_short_on_every_public_surface(hall: Hall, client: Client) -> None:
    update_event(event_id=hall.event.pk, actor=SYSTEM, changes={"short_names": True})
    names = list(hall.event.entrants.values_list("person__name", flat=True))
    told = {}
    for where in surfaces(hall):
        page = client.get(where).content.decode()
        told[where] = [name for name in names if name in page]
    assert {where: found for where, found in told.items() if found} == {}


def test_no_public_surface_shows_an_address(hall: Hall, client: Client) -> None:
    for entrant in hall.event.entrants.all():
        correct_entrant(
            entrant_id=hall.event.entrants.get(number=entrant.number).pk,
            actor=SYSTEM,
            changes={"email": "seen.nowhere@example.org"},
        )
    for where in surfaces(hall):
        assert "seen.nowhere" not in client.get(where).content.decode(), where


def test_a_person_erased_twice_is_told_once() -> None:
    event = make_event(4)
    person = event.entrants.get(number=1).person
    for _again in range(2):
        privacy.forget_person(person_id=person.pk, actor=SYSTEM)
    assert AuditEntry.objects.filter(scope=event.pk, verb="person.erased").count() == 1
