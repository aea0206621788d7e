"""An event is edited, finished, reopened, copied, hidden and deleted from its desk and the API."""

from __future__ import annotations

import re
from datetime import date
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from accounts.models import Role, RoleGrant
from adjudication.services import codes
from adjudication.services.incidents import open_incident
from ledger.errors import Conflict, Refused
from ledger.models import AuditEntry
from operations.replay import replay
from tests.adjudication.build import incident_at
from tests.tournament.build import SYSTEM, chance, grant, make_event, make_user
from tournament.demo.simulation import advance, draw_and_publish
from tournament.models import Ban, Event, EventState, Person, Round
from tournament.services import bans_and_wishes, event_copy, event_life
from tournament.services.entrants import check_in_all, erase_person
from tournament.services.events import new_stage, update_event
from tournament.services.publication import unpublish

pytestmark = pytest.mark.django_db


def first_round(event: Event) -> Round:
    return Round.objects.get(stage__event=event, stage__order=1, number=1)


def staff(event: Event, role: str, language: str = "en") -> Client:
    client = Client()
    client.force_login(make_user(f"the-{role}", event, role))
    client.cookies["django_language"] = language
    return client


def administrator(language: str = "en") -> Client:
    client = Client()
    user = make_user("the-administrator")
    grant(user, Role.ADMIN)
    client.force_login(user)
    client.cookies["django_language"] = language
    return client


def text_of(client: Client, address: str) -> str:
    answer = client.get(address, headers={"accept-language": "en"})
    assert answer.status_code == 200, address
    return answer.content.decode()


FORM = {
    "name": "Beker van Temse",
    "place": "Zaal Roxy",
    "day": "2026-12-05",
    "language": "fr",
    "short_names": "on",
    "hide_last_rounds": "1",
    "sponsors": "Bakkerij Claeys",
    "minutes_1": "45",
    "publish_play": "final",
    "minutes_2": "60",
    "minutes_3": "75",
}
RULES = {
    "rulebook": "parlee",
    "stakes": "",
    "protocol": "referee",
    "bell_rule": "cancel",
    "depth": "tricks",
}


@pytest.mark.guide("director#settings-end-and-copy-of-an-event")
def test_the_director_changes_every_setting_from_the_desk() -> None:
    event = make_event(8)
    client = staff(event, Role.DIRECTOR)
    assert f"/desk/{event.slug}/settings/" in text_of(client, f"/desk/{event.slug}/")
    answer = client.post(f"/desk/{event.slug}/settings/", FORM | RULES)
    assert answer.status_code == 302, answer.content.decode()
    event.refresh_from_db()
    assert (event.name, event.place, event.day) == (
        "Beker van Temse",
        "Zaal Roxy",
        date(2026, 12, 5),
    )
    assert (event.language, event.short_names, event.hide_last_rounds) == ("fr", True, 1)
    assert (event.rulebook, event.protocol, event.depth) == ("parlee", "referee", "tricks")
    assert list(event.stages.values_list("minutes", flat=True)) == [45, 60, 75]
    # The public pages show the new settings.
    home = text_of(Client(), f"/e/{event.slug}/")
    assert "Beker van Temse" in home
    assert "Zaal Roxy" in home
    assert "Bakkerij Claeys" in text_of(Client(), f"/e/{event.slug}/wall/")
    entry = AuditEntry.objects.get(scope=event.pk, verb="event.changed")
    assert entry.after["place"] == "Zaal Roxy"
    assert "Claeys" not in str(entry.after)
    assert replay(event).differences == []


@pytest.mark.guide("director#settings-end-and-copy-of-an-event")
@pytest.mark.parametrize(
    ("language", "reason"),
    [
        ("fr", "Le règlement d’un concours est fixé dès qu’un tour est publié."),
        ("nl", "Het reglement van een kaarting ligt vast zodra een ronde gepubliceerd is."),
    ],
)
def test_what_is_fixed_is_shown_with_the_reason(language: str, reason: str) -> None:
    event = make_event(8)
    draw_and_publish(first_round(event), SYSTEM)
    client = staff(event, Role.DIRECTOR, language)
    text = text_of(client, f"/desk/{event.slug}/settings/")
    assert 'name="rulebook"' not in text
    assert 'name="name"' in text
    assert reason in text
    # Posted all the same, the rules remain while the texts change.
    client.post(f"/desk/{event.slug}/settings/", FORM | RULES)
    event.refresh_from_db()
    assert (event.name, event.rulebook) == ("Beker van Temse", "belgian")


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("name", "  "),
        ("day", "31-02"),
        ("language", "de"),
        ("hide_last_rounds", "-1"),
        ("minutes_2", "2"),
        ("rulebook", "whist"),
        ("rulebook", "auction-1"),
    ],
)
def test_a_wrong_setting_changes_nothing_and_says_where(field: str, value: str) -> None:
    event = make_event(8)
    client = staff(event, Role.DIRECTOR)
    answer = client.post(f"/desk/{event.slug}/settings/", FORM | RULES | {field: value})
    assert answer.status_code == 422
    event.refresh_from_db()
    assert (event.name, event.rulebook) == ("Beker van Oostende", "belgian")
    assert not AuditEntry.objects.filter(scope=event.pk, verb="event.changed").exists()


def test_the_service_refuses_what_no_form_was_asked() -> None:
    event = make_event(0)
    for changes, field in (
        ({"name": " "}, "name"),
        ({"hide_last_rounds": -1}, "hide_last_rounds"),
        ({"protocol": "shout"}, "protocol"),
        ({"language": ""}, "language"),
    ):
        with pytest.raises(Refused) as refusal:
            update_event(event_id=event.pk, actor=SYSTEM, changes=changes)
        assert refusal.value.field == field


@pytest.mark.guide("director#copy-hide-or-delete-an-event")
def test_the_api_changes_settings_and_names_what_is_fixed() -> None:
    event = make_event(8)
    client = staff(event, Role.DIRECTOR)
    address = f"/api/v1/events/{event.slug}/settings/"

    def patch(**body: Any) -> Any:
        return client.patch(address, body, content_type="application/json")

    answer = patch(name="Prijskamp", day="2026-12-24", depth="cards")
    assert answer.status_code == 200
    assert (answer.json()["name"], answer.json()["day"]) == ("Prijskamp", "2026-12-24")
    assert client.get(address).json()["fixed"] == []
    draw_and_publish(first_round(event), SYSTEM)
    assert "rulebook" in client.get(address).json()["fixed"]
    refused = patch(rulebook="parlee")
    assert (refused.status_code, refused.json()["code"]) == (409, "event_in_play")
    assert patch(slug="other").status_code == 400
    assert patch(hide_last_rounds=-2).status_code == 400
    assert patch().status_code == 400


@pytest.mark.parametrize("role", [Role.REFEREE, Role.SCOREKEEPER, Role.READER, Role.APPEALS])
def test_other_staff_changes_no_event(role: str) -> None:
    event = make_event(8)
    client = staff(event, role)
    desk, api = f"/desk/{event.slug}/", f"/api/v1/events/{event.slug}/"
    assert "/settings/" not in text_of(client, desk)
    for page in ("settings/", "finish/", "copy/", f"do/event_hide/{event.pk}/", "settings/delete/"):
        assert client.post(desk + page, FORM).status_code == 403, page
    for verb in ("finish/", "reopen/", "hide/", "show/", "copy/"):
        assert client.post(api + verb, {}, content_type="application/json").status_code == 403
    assert client.delete(f"{api}settings/").status_code == 403
    assert Client().delete(f"{api}settings/").status_code in (401, 403)
    event.refresh_from_db()
    assert (event.name, event.state, event.hidden) == ("Beker van Oostende", "open", False)


def test_who_does_not_finish_an_event_comes_back_to_where_they_were() -> None:
    event = make_event(0)
    client = staff(event, Role.DIRECTOR)
    desk = f"/desk/{event.slug}/"
    from_settings = f"{desk}finish/?from=settings"
    assert f'href="{from_settings}"' in client.get(f"{desk}settings/").content.decode()
    for page, back in ((f"{desk}finish/", desk), (from_settings, f"{desk}settings/")):
        text = client.get(page).content.decode()
        assert re.search(rf'href="{back}">\s*Cancel', text), page


@pytest.mark.guide("director#finish-the-event")
def test_unsigned_tables_keep_an_event_from_its_end_and_are_named() -> None:
    event = make_event(8)
    draw_and_publish(first_round(event), SYSTEM)
    client = staff(event, Role.DIRECTOR)
    text = text_of(client, f"/desk/{event.slug}/finish/")
    assert "these tables have not signed: 1, 2." in text
    client.post(f"/desk/{event.slug}/finish/", {"despite_open": "on"})
    event.refresh_from_db()
    assert event.state == EventState.RUNNING
    answer = client.post(
        f"/api/v1/events/{event.slug}/finish/",
        {"despite_open": True},
        content_type="application/json",
    )
    assert (answer.status_code, answer.json()["code"]) == (409, "round_in_play")


@pytest.mark.guide("director#finish-the-event")
def test_what_is_not_decided_is_listed_and_left_open_only_knowingly() -> None:
    event = make_event(8)
    advance(event, chance())
    incident_at(event, first_round(event))
    client = staff(event, Role.DIRECTOR)
    text = text_of(client, f"/desk/{event.slug}/finish/")
    assert "1 incident has no ruling yet." in text
    assert "round 2 has not been drawn" in text
    assert client.post(f"/desk/{event.slug}/finish/", {}).status_code == 422
    with pytest.raises(Conflict) as refusal:
        event_life.finish_event(event_id=event.pk, actor=SYSTEM)
    assert refusal.value.code == "matters_open"
    codes_told = {
        matter["code"] for matter in client.get(f"/api/v1/events/{event.slug}/open/").json()
    }
    assert codes_told == {"incidents_open", "round_not_played"}
    client.post(f"/desk/{event.slug}/finish/", {"despite_open": "on"})
    event.refresh_from_db()
    assert event.state == EventState.FINISHED


@pytest.fixture
def evening() -> Event:
    """Return a club evening of two rounds, both played, the last one hidden."""
    event = make_event(8, deals=1, plan=[new_stage("Avond", rounds=2, deals_per_game=1)])
    update_event(event_id=event.pk, actor=SYSTEM, changes={"hide_last_rounds": 1})
    luck = chance("evening")
    advance(event, luck)
    advance(event, luck)
    return event


@pytest.mark.guide("director#finish-the-event")
def test_a_finished_event_says_so_and_reveals_its_last_rounds(evening: Event) -> None:
    root, api = f"/e/{evening.slug}", f"/api/v1/events/{evening.slug}/"
    seen = Client()
    assert "<tr data-entrant" not in text_of(seen, f"{root}/standings/")
    assert seen.get(f"{api}standings/").json()["rows"] == []
    client = staff(evening, Role.DIRECTOR)
    assert "calendar.ics" in text_of(seen, f"{root}/")
    assert f"/desk/{evening.slug}/finish/" in text_of(client, f"/desk/{evening.slug}/")
    assert client.post(f"/desk/{evening.slug}/finish/").status_code == 302
    for page in ("/", "/standings/", "/draw/", "/players/1/", "/wall/"):
        assert "Finished" in text_of(seen, root + page), page
    assert "<tr data-entrant" in text_of(seen, f"{root}/standings/")
    assert len(seen.get(f"{api}standings/").json()["rows"]) == 8
    assert "finished" in text_of(seen, "/")
    assert "calendar.ics" not in text_of(seen, f"{root}/")
    assert "revealed at the prize-giving" not in text_of(seen, f"{root}/players/1/")
    # Reopened, the last round is hidden again.
    client.post(f"/desk/{evening.slug}/do/event_reopen/{evening.pk}/")
    evening.refresh_from_db()
    assert evening.state == EventState.RUNNING
    assert "<tr data-entrant" not in text_of(seen, f"{root}/standings/")
    assert "Finished" not in text_of(seen, f"{root}/standings/")
    verbs = AuditEntry.objects.filter(scope=evening.pk).values_list("verb", flat=True)
    assert {"event.finished", "event.reopened"} <= set(verbs)
    assert replay(evening).differences == []


@pytest.mark.guide("director#copy-hide-or-delete-an-event")
def test_an_event_is_copied_with_its_stages_players_and_staff(evening: Event) -> None:
    referee = make_user("referee", evening, Role.REFEREE)
    bans_and_wishes.wish(
        event_id=evening.pk, number=3, actor=SYSTEM, family="Lagae", keeps_score=False
    )
    bans_and_wishes.ban(event_id=evening.pk, one=1, two=2, actor=SYSTEM)
    codes.change_code(event_id=evening.pk, actor=SYSTEM, reason="club", appeal_minutes=5)
    client = administrator()
    page = f"/desk/{evening.slug}/copy/"
    assert page in text_of(client, f"/desk/{evening.slug}/settings/")
    assert 'value="2026-11-28"' in text_of(client, page)
    answer = client.post(
        page, {"name": "Avond 2", "day": "2026-11-28", "players": "on", "staff": "on"}
    )
    copy = Event.objects.get(name="Avond 2")
    assert answer["Location"] == f"/desk/{copy.slug}/"
    assert (copy.day, copy.state, copy.hide_last_rounds) == (date(2026, 11, 28), "open", 1)
    assert copy.public_seed != evening.public_seed
    (stage,) = copy.stages.all()
    assert (stage.name, stage.rounds.count(), stage.deals_per_game) == ("Avond", 2, 1)
    assert copy.entrants.count() == stage.field.count() == 8
    third = copy.entrants.get(number=3)
    assert (third.family, third.keeps_score, third.state) == ("Lagae", False, "registered")
    original = evening.entrants.get(number=3)
    assert third.person.name == original.person.name
    assert third.person_id != original.person_id
    assert third.link_hash != original.link_hash
    assert Ban.objects.filter(event=copy, one__number=1, two__number=2).exists()
    assert RoleGrant.objects.filter(scope=copy.pk, user=referee, role=Role.REFEREE).exists()
    assert codes.pinned(copy).appeal_minutes == 5
    assert check_in_all(event_id=copy.pk, actor=SYSTEM) == 8
    draw_and_publish(first_round(copy), SYSTEM)
    assert replay(copy).differences == []
    assert replay(evening).differences == []


@pytest.mark.guide("director#copy-hide-or-delete-an-event")
@pytest.mark.parametrize(
    ("language", "name", "proposed"),
    [
        ("nl", "Clubavond, 21 november 2026", "Clubavond, 28 november 2026"),
        ("fr", "Soirée du 21 novembre 2026", "Soirée du 28 novembre 2026"),
        ("nl", "Beker 2026", "Beker 2026"),
    ],
)
def test_the_day_in_the_name_of_an_event_follows_the_copy(
    evening: Event, language: str, name: str, proposed: str
) -> None:
    update_event(event_id=evening.pk, actor=SYSTEM, changes={"name": name})
    client = administrator()
    client.cookies["django_language"] = language
    assert f'value="{proposed}"' in client.get(f"/desk/{evening.slug}/copy/").content.decode()


@pytest.mark.guide("director#copy-hide-or-delete-an-event")
def test_a_copy_without_players_is_empty_and_its_maker_directs_it(
    evening: Event,
) -> None:
    director = staff(evening, Role.DIRECTOR)
    assert "/copy/" in text_of(director, f"/desk/{evening.slug}/settings/")
    answer = director.post(
        f"/api/v1/events/{evening.slug}/copy/",
        {"name": "Avond 3", "day": "2026-12-05"},
        content_type="application/json",
    )
    assert answer.status_code == 201
    copy = Event.objects.get(slug=answer.json()["slug"])
    assert not copy.entrants.exists()
    assert not RoleGrant.objects.filter(scope=copy.pk).exclude(role=Role.DIRECTOR).exists()
    assert director.get(f"/desk/{copy.slug}/settings/").status_code == 200


def test_the_data_of_an_erased_person_is_not_copied(evening: Event) -> None:
    erase_person(person_id=evening.entrants.get(number=5).person_id, actor=SYSTEM)
    copy = event_copy.copy_event(
        event_id=evening.pk, actor=SYSTEM, name="Avond", day=date(2026, 12, 1), players=True
    )
    assert sorted(copy.entrants.values_list("number", flat=True)) == [1, 2, 3, 4, 6, 7, 8]


@pytest.mark.guide("director#copy-hide-or-delete-an-event")
def test_a_hidden_event_leaves_the_lists_and_keeps_its_addresses(evening: Event) -> None:
    client = staff(evening, Role.DIRECTOR)
    client.post(f"/desk/{evening.slug}/do/event_hide/{evening.pk}/")
    seen = Client()
    assert evening.slug not in text_of(seen, "/")
    listed = seen.get("/api/v1/events/").json()["rows"]
    assert evening.slug not in [row["slug"] for row in listed]
    text_of(seen, f"/e/{evening.slug}/")
    desk = text_of(client, "/desk/")
    assert "Hidden events" in desk
    assert f"/desk/{evening.slug}/" in desk
    client.post(f"/desk/{evening.slug}/do/event_show/{evening.pk}/")
    assert evening.slug in text_of(seen, "/")
    assert replay(evening).differences == []


@pytest.mark.guide("director#copy-hide-or-delete-an-event")
def test_an_event_is_deleted_while_nothing_official_is_written() -> None:
    event = make_event(8)
    bans_and_wishes.ban(event_id=event.pk, one=1, two=2, actor=SYSTEM)
    # A draw published and withdrawn again has left nothing official.
    unpublish(round_id=draw_and_publish(first_round(event), SYSTEM).pk, actor=SYSTEM, reason="test")
    client = staff(event, Role.DIRECTOR)
    address = f"/desk/{event.slug}/settings/delete/"
    text_of(Client(), f"/e/{event.slug}/")
    client.post(address)
    assert Event.objects.filter(pk=event.pk).exists()
    answer = client.post(address, {"sure": "on"})
    assert answer["Location"] == "/desk/"
    assert not Event.objects.exists()
    assert not Person.objects.exists()
    assert not RoleGrant.objects.filter(scope=event.pk).exists()
    assert Client().get(f"/e/{event.slug}/").status_code == 404
    last = AuditEntry.objects.filter(scope=event.pk).latest("sequence")
    assert (last.verb, last.before["slug"]) == ("event.deleted", event.slug)


@pytest.mark.guide("director#copy-hide-or-delete-an-event")
def test_an_event_with_records_is_not_deleted(evening: Event) -> None:
    client = staff(evening, Role.DIRECTOR)
    assert "settings/delete/" not in text_of(client, f"/desk/{evening.slug}/settings/")
    answer = client.delete(f"/api/v1/events/{evening.slug}/settings/")
    assert (answer.status_code, answer.json()["code"]) == (409, "event_has_records")
    assert Event.objects.filter(pk=evening.pk).exists()


def test_an_incident_alone_keeps_an_event() -> None:
    event = make_event(8)
    open_incident(event_id=event.pk, table_id=None, description="late at the door", actor=SYSTEM)
    with pytest.raises(Conflict):
        event_life.delete_event(event_id=event.pk, actor=SYSTEM)


@pytest.mark.parametrize("language", ["fr", "nl", "en"])
def test_the_day_of_a_new_event_is_today_in_every_language(language: str) -> None:
    page = administrator(language).get("/desk/new/?kind=club").content.decode()
    field = re.search(r'<input type="date"[^>]*>', page)
    assert field is not None
    assert f'value="{timezone.localdate().isoformat()}"' in field[0]
