"""The discipline register: made from final rulings on conduct, asked at every entrance, erased with the person."""

from __future__ import annotations

import json
import uuid
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from adjudication.models import Admission, Ruling, Sanction
from adjudication.services import discipline, rulings
from ledger.actors import Actor
from ledger.errors import Conflict, NotHere, Refused
from ledger.models import AuditEntry
from tests.adjudication.build import (
    REFEREE,
    SECOND,
    SYSTEM,
    as_chiefs,
    enter,
    event_in_play,
    incident_at,
    ruled_revoke,
    sheet_at,
    stating,
)
from tests.tournament.build import make_event, make_user
from tournament.lists.names import is_near, name_key
from tournament.models import Entrant, EntrantState, Event
from tournament.services import privacy
from tournament.services.entrant_edits import correct_entrant
from tournament.services.entrants import check_in, check_in_all, enter_player
from tournament.services.imports import import_players
from tournament.services.members import add_member, enter_members, remember_players, remove_member
from tournament.services.registrations import register

pytestmark = pytest.mark.django_db
ENGLISH = {"accept-language": "en"}


def until(days: int = 30) -> Any:
    return timezone.localdate() + timedelta(days=days)


@pytest.fixture
def ruled() -> Ruling:
    """Create a final ruling on conduct against a player."""
    event, round_ = event_in_play(deals=4, name="Where it happened")
    as_chiefs(event, REFEREE)
    made = stating(
        rulings.issue,
        incident_id=incident_at(event, round_, deal=None).pk,
        article="T-PHONE",
        facts={"offender": "N"},
        actor=REFEREE,
        reason="rang",
        claimed="in_time",
    )
    return rulings.finalise(ruling_id=made.pk, actor=REFEREE)


def banned(ruling: Ruling, name: str = "Jérôme Van den Broeck", **more: Any) -> Sanction:
    """Ban the player of a ruling, under a name."""
    assert ruling.offender is not None
    correct_entrant(entrant_id=ruling.offender_id, changes={"name": name}, actor=SYSTEM)
    given = {"kind": "ban", "until": until(), "reason": "threatened a referee", **more}
    return discipline.record(ruling_id=ruling.pk, actor=REFEREE, **given)


@pytest.mark.guide("referee#discipline-register")
@pytest.mark.parametrize(
    ("one", "other", "near"),
    [
        ("Jérôme Van den Broeck", "VAN DEN BROECK Jerome", True),
        ("Jérôme Van den Broeck", "Jerome van den Broek", True),
        ("Jérôme Van den Broeck", "Jerôme Vandenbroeck", True),
        ("Jan Peeters", "Jan Peters", True),
        ("Jan Peeters", "An Peeters", True),
        ("Jan Peeters", "Marie Claes", False),
        ("Luc Maes", "Marc Claes", False),
    ],
)
def test_another_spelling_is_near(one: str, other: str, near: bool) -> None:
    assert (name_key(one) == name_key(other) or is_near(one, other)) is near


@pytest.mark.guide("referee#discipline-register")
def test_only_final_rulings_on_conduct_lead_into_the_register(ruled: Ruling) -> None:
    event = ruled.event
    given = {"kind": "ban", "until": until(), "reason": "again", "actor": REFEREE}
    round_ = event.stages.get(order=1).rounds.get(number=1)
    play = ruled_revoke(event, round_, claimed="in_time")
    for ruling, code in ((play, "ruling_not_final"),):
        with pytest.raises(Conflict) as refused:
            discipline.record(ruling_id=ruling.pk, **given)
        assert refused.value.code == code
    rulings.finalise(ruling_id=play.pk, actor=REFEREE)
    with pytest.raises(Conflict) as refused:
        discipline.record(ruling_id=play.pk, **given)
    assert refused.value.code == "not_conduct"
    for wrong in ({"until": None}, {"until": until(-1)}, {"reason": " "}):
        with pytest.raises(Refused):
            discipline.record(ruling_id=ruled.pk, **{**given, **wrong})
    with pytest.raises(Conflict) as refused:
        discipline.record(ruling_id=ruled.pk, partner=True, **given)
    assert refused.value.code == "no_offender"
    assert ruled.offender is not None
    privacy.forget_person(person_id=ruled.offender.person_id, actor=SYSTEM)
    with pytest.raises(Conflict) as refused:
        discipline.record(ruling_id=ruled.pk, **given)
    assert refused.value.code == "register_erased"
    assert not Sanction.objects.exists()


@pytest.mark.guide("referee#discipline-register")
@pytest.mark.parametrize("measure", ["penalty", "round_forfeited"])
def test_collusion_leads_into_the_register(measure: str) -> None:
    """C.7 T-INT: its measure may take the place of a deal, the offence is one of conduct."""
    event, round_ = event_in_play(deals=4)
    as_chiefs(event, REFEREE, SECOND)
    enter(sheet_at(round_), 40)
    made = stating(
        rulings.issue,
        incident_id=incident_at(event, round_).pk,
        article="T-INT",
        facts={"offender": "N", "proved": True, "measure": measure},
        actor=REFEREE,
        second=SECOND,
        reason="seen",
    )
    rulings.finalise(ruling_id=made.pk, actor=REFEREE)
    entry = discipline.record(
        ruling_id=made.pk, kind="ban", until=until(), reason="seen", actor=REFEREE
    )
    assert entry.person_id == made.offender.person_id


@pytest.mark.guide("referee#discipline-register")
@pytest.mark.parametrize("name", ["Jérôme Van den Broeck", "Van den Broek Jerome"])
def test_a_ban_is_asked_about_at_entry_and_on_import(ruled: Ruling, name: str) -> None:
    sanction = banned(ruled)
    event = make_event(0, name="Elsewhere")
    with pytest.raises(Conflict) as asked:
        enter_player(event_id=event.pk, actor=SYSTEM, name=name)
    assert (asked.value.code, asked.value.field) == ("ban_in_force", "despite")
    content = f"name\n{name}\nMarie Claes\n".encode()
    with pytest.raises(Conflict):
        import_players(event_id=event.pk, content=content, actor=SYSTEM)
    assert not event.entrants.exists()
    made = import_players(event_id=event.pk, content=content, actor=SYSTEM, despite="a brother")
    assert made == 2
    admission = Admission.objects.get()
    assert (admission.sanction, admission.reason) == (sanction, "a brother")
    assert admission.entrant.person.name == name
    logged = AuditEntry.objects.filter(verb="admission.made").values_list("after", flat=True)
    assert "a brother" not in json.dumps(list(logged))
    check_in(entrant_id=admission.entrant_id, actor=SYSTEM)  # admitted: not asked again
    enter_player(event_id=event.pk, actor=SYSTEM, name="Somebody Else")


@pytest.mark.guide("referee#discipline-register")
def test_a_ban_is_asked_about_at_the_door(client: Client, ruled: Ruling) -> None:
    event = make_event(0, name="Elsewhere")
    who = enter_player(event_id=event.pk, actor=SYSTEM, name="Jérôme Van den Broeck")
    other = enter_player(event_id=event.pk, actor=SYSTEM, name="Marie Claes")
    banned(ruled)
    assert check_in_all(event_id=event.pk, actor=SYSTEM) == 1
    other.refresh_from_db()
    assert other.state == EntrantState.PRESENT
    state = reverse("desk-entrant-state", args=[event.slug, who.number])
    scorekeeper = make_user("score", event, "scorekeeper")
    with pytest.raises(Conflict) as refused:
        check_in(entrant_id=who.pk, actor=Actor.user(scorekeeper.pk))
    assert refused.value.code == "director_decides"
    client.force_login(scorekeeper)
    client.post(state, {"verb": "check_in"}, headers=ENGLISH)
    told = client.get(reverse("desk-players", args=[event.slug]), headers=ENGLISH).content.decode()
    assert "The director decides whether this player may play." in told
    assert "A suspension until" not in told
    client.post(state, {"verb": "check_in", "despite": "let in"})
    assert Entrant.objects.get(pk=who.pk).state == EntrantState.REGISTERED
    client.force_login(make_user("director", event, "director"))
    page = client.get(reverse("desk-player", args=[event.slug, who.number]), headers=ENGLISH)
    assert "A suspension until" in page.content.decode()
    client.post(state, {"verb": "check_in", "back": "player", "despite": "another person"})
    assert Entrant.objects.get(pk=who.pk).state == EntrantState.PRESENT
    assert Admission.objects.get().reason == "another person"


def test_the_director_enters_all_the_same_by_the_form(client: Client, ruled: Ruling) -> None:
    banned(ruled)
    event = make_event(0, name="Elsewhere")
    client.force_login(make_user("director", event, "director"))
    address = reverse("desk-players", args=[event.slug])
    typed = {"name": "Jerome Van den Broeck", "keeps_score": "on"}
    asked = client.post(address, typed, headers=ENGLISH)
    assert "A suspension until" in asked.content.decode()
    assert 'type="text" name="despite"' in asked.content.decode()
    client.post(address, {**typed, "despite": "a son"})
    assert Admission.objects.get().entrant.event == event


@pytest.mark.parametrize("way", ["ticked", "registered", "substitute"])
def test_every_way_in_admits_with_a_reason(client: Client, ruled: Ruling, way: str) -> None:
    """Where a page refuses a suspended player, it has the field for the reason that admits them."""
    banned(ruled)
    name = "Jerome Van den Broeck"
    event = make_event(0, name="Elsewhere", registration=True)
    client.force_login(make_user("director", event, "director"))
    if way == "ticked":
        member = add_member(actor=SYSTEM, values={"name": name})
        page = address = reverse("desk-members", args=[event.slug])
        typed: dict[str, Any] = {"member": str(member.pk), "verb": "enter"}
    elif way == "registered":
        made = register(event_id=event.pk, name=name)
        page = address = reverse("desk-registrations", args=[event.slug])
        typed = {"registration": str(made.pk), "verb": "enter"}
    else:
        pair = enter_player(event_id=event.pk, actor=SYSTEM, name="An", partner="Bo", present=True)
        page = reverse("desk-player", args=[event.slug, pair.number])
        address = reverse("desk-do", args=[event.slug, "entrants_substitute", str(pair.pk)])
        typed = {"leaves": "first", "name": name}
    asked = client.post(address, typed, headers=ENGLISH, follow=True).content.decode()
    assert "A suspension until" in asked
    assert not Admission.objects.exists()
    assert 'name="despite"' in client.get(page).content.decode()
    client.post(address, {**typed, "despite": "a son"})
    assert Admission.objects.get().reason == "a son"


def test_stored_data_hold_the_register(client: Client, ruled: Ruling) -> None:
    banned(ruled)
    assert ruled.offender is not None
    event = ruled.event
    client.force_login(make_user("director", event, "director"))
    address = reverse("desk-person", args=[event.slug, ruled.offender.number])
    (stored,) = client.get(address, {"file": 1}).json()["sanctions"]
    assert (stored["kind"], stored["until"]) == ("ban", str(until()))
    assert "threatened a referee" in client.get(address).content.decode()


@pytest.mark.guide("referee#discipline-register")
def test_bans_end_are_lifted_and_follow_from_suspended_ones(ruled: Ruling) -> None:
    event = make_event(0, name="Elsewhere")
    given = {"event_id": event.pk, "actor": SYSTEM}
    sanction = banned(ruled, kind="suspended")
    enter_player(name="Jérôme Van den Broeck", **given)
    discipline.enforce(sanction_id=sanction.pk, until=until(), actor=REFEREE)
    with pytest.raises(Conflict):
        enter_player(name="Jérôme Van den Broeck", **given)
    with pytest.raises(Conflict) as refused:
        discipline.enforce(sanction_id=sanction.pk, until=until(), actor=REFEREE)
    assert refused.value.code == "not_suspended"
    discipline.lift(sanction_id=sanction.pk, reason="served", actor=REFEREE)
    enter_player(name="Jérôme Van den Broeck", **given)
    with pytest.raises(Conflict) as refused:
        discipline.lift(sanction_id=sanction.pk, reason="again", actor=REFEREE)
    assert refused.value.code == "not_in_force"
    with pytest.raises(NotHere) as unknown:
        discipline.lift(sanction_id=uuid.uuid4(), reason="again", actor=REFEREE)
    assert unknown.value.code == "no_such_sanction"


@pytest.mark.guide("referee#discipline-register")
def test_the_register_is_erased_with_the_person_and_the_member(ruled: Ruling) -> None:
    banned(ruled)
    assert ruled.offender is not None
    person = ruled.offender.person
    remember_players(event_id=ruled.event_id, actor=SYSTEM)
    person.refresh_from_db()
    assert person.member is not None
    of_member = banned(ruled)
    privacy.forget_person(person_id=person.pk, actor=SYSTEM)
    # The first entry named the person alone; the second stays with the member.
    assert [each.pk for each in Sanction.objects.all()] == [of_member.pk]
    event = make_event(0, name="Elsewhere")
    with pytest.raises(Conflict):
        enter_members(event_id=event.pk, members=[of_member.member_id], present=True, actor=SYSTEM)
    remove_member(member_id=of_member.member_id, actor=SYSTEM)
    assert not Sanction.objects.exists()
    add_member(values={"name": "Jérôme Van den Broeck"}, actor=SYSTEM)


@pytest.mark.guide("referee#discipline-register")
def test_referees_and_directors_alone_read_the_register(client: Client, ruled: Ruling) -> None:
    sanction, event = banned(ruled), ruled.event
    pages = [
        reverse("referee-discipline", args=[event.slug]),
        reverse("api-event-discipline", args=[event.slug]),
    ]
    ruling = reverse("referee-ruling", args=[event.slug, ruled.number])
    for role in ("scorekeeper", "appeals", "reader"):
        client.force_login(make_user(role, event, role))
        assert [client.get(page).status_code for page in pages] == [403, 403], role
    assert "threatened a referee" not in client.get(ruling).content.decode()
    client.force_login(make_user("ref", event, "referee"))
    for page in pages:
        assert "threatened a referee" in client.get(page).content.decode()
    change = reverse("referee-discipline-change", args=[event.slug, sanction.pk])
    assert client.post(change, {"verb": "lift", "reason": "no"}).status_code == 403
    client.force_login(make_user("boss", event, "chief_referee"))
    assert "sanction" in client.get(ruling).content.decode()
    enter = reverse("referee-sanction", args=[event.slug, ruled.number])
    client.post(enter, {"kind": "warning", "reason": "once more"})
    assert Sanction.objects.filter(kind="warning", reason="once more").exists()
    client.post(change, {"verb": "lift", "reason": "served"})
    sanction.refresh_from_db()
    assert sanction.lifted_reason == "served"
    client.logout()
    for stage in event.stages.all():
        public = client.get(reverse("event-players", args=[event.slug]))
        assert "threatened" not in public.content.decode(), stage


def test_a_copy_of_an_event_asks_at_the_door(ruled: Ruling) -> None:
    event: Event = make_event(0, name="Elsewhere")
    who = enter_player(event_id=event.pk, actor=SYSTEM, name="Jérôme Van den Broeck")
    banned(ruled)
    with pytest.raises(Conflict) as asked:
        check_in(entrant_id=who.pk, actor=SYSTEM)
    assert asked.value.code == "ban_in_force"
