"""A player is corrected, removed and merged at the desk and by the API, and the record contains it."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from django.test import Client

from accounts.models import Role
from adjudication.services.incidents import open_incident
from ledger.errors import Conflict, Refused
from ledger.jobs import work_on
from ledger.models import AuditEntry
from operations.replay import replay
from tests.tournament.build import SYSTEM, chance, make_event, make_user
from tests.tournament.documents.reading import whole_text
from tournament.api.person_data import export_person
from tournament.demo.simulation import advance, draw_and_publish, play_round
from tournament.models import Ban, Draw, Entrant, Event, Person, Round, Seat
from tournament.queries.names import shown_name
from tournament.queries.standings import fresh
from tournament.services import (
    bans_and_wishes,
    draws,
    entrant_edits,
    entrants,
    privacy,
    publication,
    reseating,
)
from tournament.services.documents import BUILDERS
from tournament.services.draws import reproduce
from tournament.services.imports import import_players
from tournament.services.rounds import close_round
from tournament.tables.links import entrant_token

pytestmark = pytest.mark.django_db


def part_of(event: Event, number: int = 1) -> Round:
    return Round.objects.get(stage__event=event, stage__order=1, number=number)


def staff(event: Event, role: str, language: str = "en") -> Client:
    client = Client()
    client.force_login(make_user(f"the-{role}", event, role))
    client.cookies["django_language"] = language
    return client


def text_of(client: Client, address: str) -> str:
    answer = client.get(address, headers={"accept-language": "en"})
    assert answer.status_code == 200, address
    return answer.content.decode()


def correct(event: Event, of: int, **changes: Any) -> Entrant:
    return entrant_edits.correct_entrant(
        entrant_id=event.entrants.get(number=of).pk, actor=SYSTEM, changes=changes
    )


def remove(event: Event, number: int) -> None:
    entrant_edits.remove_entrant(entrant_id=event.entrants.get(number=number).pk, actor=SYSTEM)


def merge(event: Event, keep: int, double: int) -> Entrant:
    return entrant_edits.merge_entrants(event_id=event.pk, keep=keep, double=double, actor=SYSTEM)


def page_of(event: Event, number: int) -> str:
    return f"/desk/{event.slug}/players/{number}/"


@pytest.fixture(scope="module")
def entered(module_database: None) -> tuple[Event, Event]:
    waiting, seated = make_event(8), make_event(8)
    draw_and_publish(part_of(seated), SYSTEM)
    return waiting, seated


@pytest.fixture
def eight(entered: tuple[Event, Event]) -> Event:
    """Return 8 players before the first draw."""
    return Event.objects.get(pk=entered[0].pk)


@pytest.fixture
def drawn(entered: tuple[Event, Event]) -> Event:
    """Return 8 players at the tables of their first round."""
    return Event.objects.get(pk=entered[1].pk)


FORM = {
    "verb": "correct",
    "name": "Huguette Delvoye",
    "partner": "",
    "club": "De Reizigers",
    "number": "3",
    "email": "huguette@example.org",
    "phone": "0470 12 34 56",
    "category": "Dames",
}


@pytest.mark.guide("director#when-people-come-and-go")
def test_a_corrected_name_is_read_in_draw_standings_and_on_slips(settings: Any) -> None:
    settings.EMAIL_URL = "smtp://localhost"
    event = make_event(8, deals=1)
    advance(event, chance())
    draw_and_publish(part_of(event, 2), SYSTEM)
    wrong = event.entrants.get(number=3).person.name
    seen, client = Client(), staff(event, Role.DIRECTOR)
    pages = [f"/e/{event.slug}/{each}" for each in ("draw/", "standings/", "players/3/", "wall/")]
    for address in pages:
        assert wrong in text_of(seen, address), address
    assert f'href="{page_of(event, 3)}"' in text_of(client, f"/desk/{event.slug}/players/")
    assert wrong in text_of(client, page_of(event, 3))
    assert client.post(page_of(event, 3), FORM).status_code == 302
    for address in pages:
        text = text_of(seen, address)
        assert "Huguette Delvoye" in text, address
        assert wrong not in text, address
    entrant = event.entrants.get(number=3)
    assert (entrant.club.name, entrant.person.email) == ("De Reizigers", "huguette@example.org")
    assert (entrant.person.phone, entrant.category) == ("0470 12 34 56", "Dames")
    # The contact is visible only where it is edited.
    assert 'value="0470 12 34 56"' in text_of(client, page_of(event, 3))
    assert "0470 12 34 56" not in text_of(seen, f"/e/{event.slug}/players/3/")
    slips, _hash, _state = BUILDERS["slips"](event, {}, "nl", "a4")
    assert "Huguette Delvoye" in whole_text(slips)
    entry = AuditEntry.objects.get(scope=event.pk, verb="entrant.corrected")
    assert entry.after["fields"] == ["category", "club", "email", "name", "phone"]
    assert "Huguette" not in str((entry.before, entry.after))
    assert replay(event).differences == []


def test_only_what_differs_is_a_correction(eight: Event) -> None:
    event = eight
    stands: dict[str, Any] = {
        "name": "Huguette Delvoye",
        "partner": "Jef Claes",
        "club": "De Reizigers",
        "email": "huguette@example.org",
        "phone": "0470 12 34 56",
        "category": "Dames",
        "number": 30,
    }
    other: dict[str, Any] = {
        "name": "Huguette Delvoie",
        "partner": "Jef Claeys",
        "club": "De Reiziger",
        "email": "hd@example.org",
        "phone": "0470 12 34 57",
        "category": "Seniors",
        "number": 31,
    }
    entries = AuditEntry.objects.filter(scope=event.pk, verb="entrant.corrected")

    def corrected() -> list[list[str]]:
        afters = entries.order_by("sequence").values_list("after", flat=True)
        return [after["fields"] for after in afters]

    correct(event, 3, **stands)
    wanted = [sorted(stands)]
    for field, value in other.items():
        number = int(stands["number"])
        correct(event, number, **stands)
        assert corrected() == wanted
        stands |= {field: value}
        correct(event, number, **stands)
        wanted.append([field])
        assert corrected() == wanted


@pytest.mark.parametrize(
    ("field", "most", "over"),
    [
        ("name", "n" * 100, "name_too_long"),
        ("partner", "n" * 100, "name_too_long"),
        ("phone", "5" * 30, "too_long"),
        ("category", "c" * 30, "too_long"),
    ],
)
def test_what_is_typed_of_a_player_has_a_longest(
    eight: Event, field: str, most: str, over: str
) -> None:
    def typed() -> str:
        entrant = eight.entrants.get(number=3)
        found = {
            "name": entrant.person.name,
            "partner": entrant.partner.name if entrant.partner else "",
            "phone": entrant.person.phone,
            "category": entrant.category,
        }
        return str(found[field])

    correct(eight, 3, **{field: f" {most} "})
    assert typed() == most
    with pytest.raises(Refused) as refusal:
        correct(eight, 3, **{field: most + "x"})
    assert (refusal.value.code, refusal.value.field) == (over, field)
    assert typed() == most


def test_a_long_name_of_a_club_is_cut_where_the_register_ends(eight: Event) -> None:
    for letters, kept in ((80, 80), (81, 80)):
        correct(eight, 3, club="c" * letters)
        assert eight.entrants.get(number=3).club.name == "c" * kept


@pytest.mark.parametrize(
    ("number", "code"), [(0, "number_range"), (1, "number_taken"), (100_000, "number_range")]
)
def test_a_start_number_out_of_reach_is_refused(eight: Event, number: int, code: str) -> None:
    with pytest.raises(Refused) as refusal:
        correct(eight, 3, number=number)
    assert (refusal.value.code, refusal.value.field) == (code, "number")
    assert correct(eight, 3, number=99_999).number == 99_999


def test_a_partner_comes_changes_and_goes() -> None:
    event = make_event(4)
    correct(event, 1, partner="Jef Claes")
    entrant = event.entrants.get(number=1)
    assert shown_name(entrant, shorten=False).endswith(" / Jef Claes")
    correct(event, 1, partner="Jef Claeys")
    assert Person.objects.filter(name__startswith="Jef").count() == 1
    correct(event, 1, partner="")
    assert event.entrants.get(number=1).partner is None
    assert not Person.objects.filter(name__startswith="Jef").exists()


def test_a_club_that_nobody_is_of_any_more_goes() -> None:
    event = make_event(4)
    correct(event, 1, club="Oostnde")
    correct(event, 1, club="Oostende")
    assert not event.clubs.filter(name="Oostnde").exists()
    assert event.entrants.get(number=1).club.name == "Oostende"


@pytest.mark.guide("director#when-people-come-and-go")
def test_two_spellings_of_a_club_become_one_for_all_its_players(drawn: Event) -> None:
    event = drawn
    for number, club in ((1, "Polderkaart"), (2, "Polderkaart"), (3, "De Polderkaart")):
        correct(event, number, club=club)

    def of(club: str) -> list[int]:
        return list(event.entrants.filter(club__name=club).values_list("number", flat=True))

    director = staff(event, Role.DIRECTOR)
    assert "Change the club for all its players" in text_of(director, page_of(event, 1))
    named = {"name": event.entrants.get(number=1).person.name, "number": "1"}
    form = {**FORM, **named, "club": "De Polderkaart", "email": "", "whole_club": "on"}
    assert director.post(page_of(event, 1), form).status_code == 302
    assert (of("De Polderkaart"), of("Polderkaart")) == ([1, 2, 3], [])
    assert not event.clubs.filter(name="Polderkaart").exists()
    kept = AuditEntry.objects.filter(scope=event.pk, verb="entrant.corrected").last()
    assert kept is not None
    assert kept.after["others"] == [2]

    # A new name applies to all of them; without it a single player changes.
    address = f"/api/v1/events/{event.slug}/entrants/2/"
    changed = {"club": "Polderkaart Assenede", "whole_club": True}
    assert director.patch(address, changed, content_type="application/json").status_code == 200
    assert of("Polderkaart Assenede") == [1, 2, 3]
    correct(event, 3, club="De Reizigers")
    assert of("Polderkaart Assenede") == [1, 2]
    assert replay(event).differences == []


@pytest.mark.guide("director#when-people-come-and-go")
def test_a_number_changes_until_it_is_drawn(eight: Event) -> None:
    event = eight
    old_link = entrant_token(event.entrants.get(number=3))
    correct(event, 3, number=30)
    assert Client().get(f"/p/{old_link}/").status_code == 404
    newcomer = entrants.enter_player(
        event_id=event.pk, name="New One", number=3, actor=SYSTEM, present=True
    )
    # The badge printed for the first number 3 opens no page.
    assert entrant_token(newcomer) != old_link
    assert Client().get(f"/p/{old_link}/").status_code == 404
    with pytest.raises(Refused) as taken:
        correct(event, 30, number=4)
    assert taken.value.code == "number_taken"
    assert replay(event).differences == []
    draw_and_publish(part_of(event), SYSTEM)
    with pytest.raises(Conflict) as refusal:
        correct(event, 30, number=31)
    assert refusal.value.code == "already_drawn"
    # Its texts may change all the same.
    assert correct(event, 30, name="Other Name", number=30).number == 30


def test_the_page_says_why_a_number_stays_and_keeps_what_was_typed(drawn: Event) -> None:
    event = drawn
    client = staff(event, Role.DIRECTOR)
    answer = client.post(page_of(event, 3), FORM | {"number": "33"})
    assert answer.status_code == 422
    text = answer.content.decode()
    assert "Number 3 is in a published draw." in text
    assert 'value="Huguette Delvoye"' in text
    assert event.entrants.get(number=3).person.name != "Huguette Delvoye"


@pytest.mark.guide("director#when-people-come-and-go")
def test_a_player_is_removed_with_their_data_before_the_first_draw(eight: Event) -> None:
    event = eight
    bans_and_wishes.ban(event_id=event.pk, one=3, two=4, actor=SYSTEM)
    client = staff(event, Role.DIRECTOR)
    assert 'value="remove"' in client.get(page_of(event, 3)).content.decode()
    person = event.entrants.get(number=3).person
    link = entrant_token(event.entrants.get(number=3))
    assert client.post(page_of(event, 3), {"verb": "remove"}).status_code == 422
    assert client.post(page_of(event, 3), {"verb": "remove", "remove-sure": "on"})["Location"] == (
        f"/desk/{event.slug}/players/"
    )
    assert not event.entrants.filter(number=3).exists()
    assert not Person.objects.filter(pk=person.pk).exists()
    assert Client().get(f"/e/{event.slug}/players/3/").status_code == 404
    assert not Ban.objects.exists()
    late = entrants.enter_player(event_id=event.pk, name="New", number=3, actor=SYSTEM)
    assert entrant_token(late) != link
    entrants.check_in(entrant_id=late.pk, actor=SYSTEM)
    draw_and_publish(part_of(event), SYSTEM)
    assert replay(event).differences == []
    assert 'value="remove"' not in client.get(page_of(event, 4)).content.decode()


@pytest.mark.guide("director#when-people-come-and-go")
def test_a_draft_draw_is_discarded_before_its_player_is_removed(eight: Event) -> None:
    event = eight
    job = draws.request_draw(round_id=part_of(event).pk, actor=SYSTEM)
    with pytest.raises(Conflict) as running:
        remove(event, 3)
    assert running.value.code == "draw_running"
    work_on(str(job.pk))
    with pytest.raises(Conflict) as refusal:
        remove(event, 3)
    assert refusal.value.code == "in_draft_draw"
    draft = Draw.objects.get(round=part_of(event))
    draws.discard_draw(draw_id=draft.pk, actor=SYSTEM)
    remove(event, 3)
    client = staff(event, Role.DIRECTOR)
    text_of(client, f"/desk/{event.slug}/rounds/")
    draw_and_publish(part_of(event), SYSTEM)
    text_of(Client(), f"/e/{event.slug}/draw/")
    assert replay(event).differences == []


@pytest.mark.guide("director#when-people-come-and-go")
def test_who_was_drawn_or_is_named_in_the_record_stays(drawn: Event) -> None:
    event = drawn
    answer = staff(event, Role.DIRECTOR).delete(f"/api/v1/events/{event.slug}/entrants/3/")
    assert (answer.status_code, answer.json()["code"]) == (409, "already_drawn")
    assert event.entrants.filter(number=3).exists()


@pytest.mark.guide("director#when-people-come-and-go")
def test_a_player_entered_twice_before_play_is_one_again(eight: Event) -> None:
    event = eight
    entrant_edits.correct_entrant(
        entrant_id=event.entrants.get(number=2).pk, actor=SYSTEM, changes={"club": ""}
    )
    entrants.enter_player(
        event_id=event.pk,
        name="Same One",
        number=20,
        club="De Reizigers",
        email="same@example.org",
        phone="0470 12",
        actor=SYSTEM,
    )
    correct(event, 20, category="Dames")
    entrants.mark_paid(entrant_id=event.entrants.get(number=20).pk, actor=SYSTEM)
    bans_and_wishes.ban(event_id=event.pk, one=20, two=5, actor=SYSTEM)
    bans_and_wishes.ban(event_id=event.pk, one=20, two=2, actor=SYSTEM)
    client = staff(event, Role.DIRECTOR)
    answer = client.post(page_of(event, 2), {"verb": "merge", "merge-double": "20"})
    assert answer["Location"] == page_of(event, 2)
    kept = event.entrants.get(number=2)
    assert not event.entrants.filter(number=20).exists()
    assert (kept.club.name, kept.person.email) == ("De Reizigers", "same@example.org")
    assert (kept.person.phone, kept.category, kept.paid) == ("0470 12", "Dames", True)
    assert [(ban.one.number, ban.two.number) for ban in Ban.objects.all()] == [(2, 5)]
    assert "Same One" not in text_of(Client(), f"/e/{event.slug}/players/")
    assert replay(event).differences == []


@pytest.fixture(scope="module")
def built(module_database: None) -> Event:
    event = make_event(8, deals=1)
    advance(event, chance("split"))
    entrants.withdraw(entrant_id=event.entrants.get(number=1).pk, actor=SYSTEM)
    entrants.enter_player(
        event_id=event.pk, name="Nobody Else", number=50, actor=SYSTEM, present=True
    )
    round_ = draw_and_publish(part_of(event, 2), SYSTEM)
    play_round(round_, chance("split 2"))
    close_round(round_id=round_.pk, actor=SYSTEM)
    return event


@pytest.fixture
def split(built: Event) -> Event:
    """Return an event in which number 1 plays the first round, leaves, and plays the second as number 50."""
    return copy.deepcopy(built)


def published(event: Event) -> list[Draw]:
    return list(Draw.objects.filter(round__stage__event=event, state="published"))


def rows_of(event: Event) -> dict[int, Any]:
    return {row["number"]: row for row in fresh(event.stages.get(order=1)).rows}


@pytest.mark.guide("director#when-people-come-and-go")
def test_results_of_a_player_entered_twice_come_together(split: Event) -> None:
    before = rows_of(split)
    draws_before = [reproduce(draw)[1] for draw in published(split)]
    assert draws_before == [True, True]
    link = entrant_token(split.entrants.get(number=50))
    answer = staff(split, Role.DIRECTOR).post(
        f"/api/v1/events/{split.slug}/merge/",
        {"keep": 1, "double": 50},
        content_type="application/json",
    )
    assert (answer.status_code, answer.json()["state"]) == (200, "present")
    after = rows_of(split)
    assert set(before) - set(after) == {50}
    # Three games a round: the rounds of both numbers are now one line.
    assert after[1]["games"] == 6
    assert after[1]["won"] == before[1]["won"] + before[50]["won"]
    assert {n: row["games"] for n, row in after.items() if n != 1} == {
        n: row["games"] for n, row in before.items() if n not in (1, 50)
    }
    assert Seat.objects.filter(entrant__event=split, entrant__number=1).count() == 2
    # The draw can still be reproduced, and no list contains the second number.
    assert [reproduce(draw)[1] for draw in published(split)] == [True, True]
    seen = Client()
    assert seen.get(f"/e/{split.slug}/players/50/").status_code == 404
    assert "Nobody Else" not in text_of(seen, f"/e/{split.slug}/players/?q=Nobody")
    assert seen.get(f"/p/{link}/").status_code == 404
    listed = seen.get(f"/api/v1/events/{split.slug}/players/?page_size=200").json()
    assert 50 not in [row["number"] for row in listed["rows"]]
    for address in ("draw/", "draw/1/2/proof/", "standings/", "players/1/", "wall/"):
        text_of(seen, f"/e/{split.slug}/{address}")
    report = whole_text(BUILDERS["event-report"](split, {}, "en", "a4")[0])
    assert "Player 50" not in report
    assert f"Participants {len(after)}" in " ".join(report.split())
    assert replay(split).differences == []
    # The next round uses the history of both.
    draw_and_publish(part_of(split, 3), SYSTEM)


@pytest.mark.guide("director#when-people-come-and-go")
def test_two_who_were_drawn_in_one_round_are_two(split: Event) -> None:
    with pytest.raises(Conflict) as refusal:
        merge(split, 2, 50)
    assert refusal.value.code == "both_drawn"
    assert "Round 2" in str(refusal.value)
    assert split.entrants.get(number=50).state == "present"


def test_who_was_drawn_twice_is_one_again_once_that_draw_is_gone() -> None:
    event = make_event(8, deals=1)
    entrants.enter_player(
        event_id=event.pk, name="Nobody Else", number=50, actor=SYSTEM, present=True
    )
    round_ = draw_and_publish(part_of(event, 1), SYSTEM)
    with pytest.raises(Conflict) as refusal:
        merge(event, 2, 50)
    assert "Unpublish and discard that draw" in str(refusal.value)
    publication.unpublish(round_id=round_.pk, actor=SYSTEM, reason="twice")
    draws.discard_draw(draw_id=round_.draws.get().pk, actor=SYSTEM)
    merge(event, 2, 50)
    assert event.entrants.filter(state="present").count() == 8


@pytest.mark.guide("director#when-people-come-and-go")
def test_a_number_that_an_incident_names_is_not_merged_away(split: Event) -> None:
    table = part_of(split, 2).tables.get(seats__entrant__number=50)
    open_incident(event_id=split.pk, table_id=table.pk, description="noise", actor=SYSTEM, game=1)
    with pytest.raises(Conflict) as refusal:
        merge(split, 1, 50)
    assert refusal.value.code == "entrant_named"
    assert "50" in str(refusal.value)
    # In the other direction nothing prevents it.
    assert merge(split, 50, 1).number == 50
    assert replay(split).differences == []


@pytest.mark.guide("director#when-people-come-and-go")
def test_a_number_merged_away_takes_no_further_part(split: Event) -> None:
    merge(split, 1, 50)
    gone = split.entrants.get(number=50)
    with pytest.raises(Conflict) as refusal:
        entrants.check_in(entrant_id=gone.pk, actor=SYSTEM)
    assert refusal.value.code == "entrant_merged"
    client = staff(split, Role.DIRECTOR)
    assert client.get(page_of(split, 50)).status_code == 404
    assert f'href="{page_of(split, 50)}"' not in text_of(
        client, f"/desk/{split.slug}/players/?q=50"
    )


def rows_in(event: Event) -> dict[str, Any]:
    """Return the stored entrants, seats and standings of an event."""
    return {
        "entrants": list(
            event.entrants.values(
                "pk",
                "number",
                "person__name",
                "person__email",
                "person__phone",
                "partner__name",
                "club__name",
                "category",
                "paid",
                "state",
                "from_round",
                "withdrawn_after",
                "link_hash",
                "keeps_score",
            )
        ),
        "bans": list(event.bans.values_list("one", "two")),
        "seats": list(
            Seat.objects.filter(round__stage__event=event)
            .order_by("round", "table", "position")
            .values_list("round", "table", "position", "entrant", "scorekeeper")
        ),
        "fields": list(
            event.stages.order_by("order", "field__entrant").values_list(
                "order", "field__entrant", "field__seed", "field__origin"
            )
        ),
        "draws": list(
            Draw.objects.filter(round__stage__event=event)
            .order_by("pk")
            .values("tables", "byes", "plan")
        ),
        "rows": rows_of(event),
    }


def unmerge(event: Event, number: int) -> Entrant:
    merger = entrant_edits.merger_of(event, number)
    return entrant_edits.unmerge_entrants(merger_id=merger.pk, actor=SYSTEM)


def test_two_merged_by_mistake_are_two_again_as_before(split: Event) -> None:
    bans_and_wishes.ban(event_id=split.pk, one=50, two=5, actor=SYSTEM)
    correct(split, 50, club="Elders", email="own@example.org")
    before = rows_in(split)
    merge(split, 1, 50)
    assert rows_in(split) != before
    client = staff(split, Role.DIRECTOR)
    assert "Nobody Else" in text_of(client, page_of(split, 1))
    assert "Nobody Else" not in text_of(Client(), f"/e/{split.slug}/players/")
    answer = client.post(page_of(split, 1), {"verb": "unmerge", "unmerge-double": "50"})
    assert answer["Location"] == page_of(split, 1)
    assert rows_in(split) == before
    assert [reproduce(draw)[1] for draw in published(split)] == [True, True]
    assert Client().get(f"/p/{entrant_token(split.entrants.get(number=50))}/").status_code in (
        200,
        302,
    )
    assert AuditEntry.objects.get(verb="entrant.unmerged").before["into"]
    assert replay(split).differences == []
    # Merged and unmerged again; changes made in between remain.
    merge(split, 1, 50)
    correct(split, 1, club="Elsewhere")
    unmerge(split, 50)
    assert split.entrants.get(number=1).club.name == "Elsewhere"
    assert split.entrants.get(number=50).club.name == "Elders"
    assert replay(split).differences == []


def test_two_merged_before_play_are_two_again(eight: Event) -> None:
    event = eight
    entrants.enter_player(
        event_id=event.pk,
        name="Same One",
        number=20,
        club="De Reizigers",
        family="Peeters",
        email="same@example.org",
        phone="0470 12",
        actor=SYSTEM,
    )
    correct(event, 20, category="Dames")
    entrants.mark_paid(entrant_id=event.entrants.get(number=20).pk, actor=SYSTEM)
    bans_and_wishes.ban(event_id=event.pk, one=20, two=5, actor=SYSTEM)
    before = rows_in(event)
    merge(event, 2, 20)
    unmerge(event, 20)
    assert rows_in(event) == before
    assert event.entrants.get(number=20).family == "Peeters"
    assert replay(event).differences == []
    with pytest.raises(Refused) as refusal:
        unmerge(event, 20)
    assert refusal.value.code == "not_merged"
    draw_and_publish(part_of(event), SYSTEM)


def test_a_number_that_was_merged_away_or_removed_is_given_to_nobody_else() -> None:
    # Its badge may be printed, so the next late player gets another number.
    event = make_event(8)
    double = entrants.enter_player(event_id=event.pk, name="Same One", actor=SYSTEM)
    assert double.number == 9
    merge(event, 2, 9)
    gone = entrants.enter_player(event_id=event.pk, name="Mistake", actor=SYSTEM)
    assert gone.number == 10
    remove(event, 10)
    assert entrants.enter_player(event_id=event.pk, name="Late", actor=SYSTEM).number == 11
    import_players(event_id=event.pk, content=b"Naam\nOne More\nAnd Another\n", actor=SYSTEM)
    assert list(event.entrants.order_by("number").values_list("number", flat=True)) == [
        *range(1, 9),
        *range(11, 14),
    ]


def test_a_merger_stands_where_something_was_built_on_it(split: Event) -> None:
    client = staff(split, Role.DIRECTOR)
    merge(split, 50, 1)
    table = part_of(split, 2).tables.get(seats__entrant__number=50)
    open_incident(event_id=split.pk, table_id=table.pk, description="noise", actor=SYSTEM, game=1)
    answer = client.post(page_of(split, 50), {"verb": "unmerge", "unmerge-double": "1"})
    assert answer.status_code == 422
    assert "incident" in answer.content.decode()
    waiting = make_event(8, name="Waiting")
    entrants.enter_player(
        event_id=waiting.pk, name="Late", number=50, actor=SYSTEM, present=True, reserve=True
    )
    for number in (10, 11):
        entrants.enter_player(
            event_id=waiting.pk, name="N", number=number, actor=SYSTEM, present=number == 10
        )
    draw_and_publish(part_of(waiting), SYSTEM)
    merge(waiting, 11, 10)
    reseating.replace_player(event_id=waiting.pk, old=11, new=50, actor=SYSTEM)
    with pytest.raises(Conflict) as replaced:
        unmerge(waiting, 10)
    assert replaced.value.code == "seated_since"
    other = make_event(8, name="Other")
    entrants.enter_player(event_id=other.pk, name="Double", number=20, actor=SYSTEM)
    merge(other, 2, 20)
    entrants.enter_player(event_id=other.pk, name="Newcomer", number=20, actor=SYSTEM)
    with pytest.raises(Conflict) as refusal:
        unmerge(other, 20)
    assert refusal.value.code == "number_taken"


@pytest.mark.guide("security#personal-data")
def test_who_was_merged_away_is_erased_with_the_number_that_stays(split: Event) -> None:
    merge(split, 1, 50)
    kept = split.entrants.get(number=1)
    assert export_person(kept.person)["merged_numbers"][0]["name"] == "Nobody Else"
    privacy.forget_person(person_id=kept.person_id, actor=SYSTEM)
    assert not Person.objects.filter(name="Nobody Else").exists()
    with pytest.raises(Conflict) as refusal:
        unmerge(split, 50)
    assert refusal.value.code == "person_erased"


@pytest.mark.parametrize("role", [Role.SCOREKEEPER, Role.REFEREE, Role.READER])
def test_other_staff_corrects_nobody(role: str, eight: Event) -> None:
    event = eight
    client = staff(event, role)
    name = event.entrants.get(number=3).person.name
    api = f"/api/v1/events/{event.slug}/"
    assert client.post(page_of(event, 3), FORM).status_code == 403
    for verb, address in (
        ("PATCH", "entrants/3/"),
        ("DELETE", "entrants/3/"),
        ("POST", "merge/"),
    ):
        answer = client.generic(verb, api + address, b"{}", content_type="application/json")
        assert answer.status_code == 403, address
    if role == Role.SCOREKEEPER:
        assert f'href="{page_of(event, 3)}"' not in text_of(client, f"/desk/{event.slug}/players/")
    assert event.entrants.get(number=3).person.name == name


def test_the_api_corrects_and_removes(eight: Event) -> None:
    event = eight
    client = staff(event, Role.DIRECTOR)
    address = f"/api/v1/events/{event.slug}/entrants/3/"

    def patch(**body: Any) -> Any:
        return client.patch(address, body, content_type="application/json")

    said = {"phone": "0470 12", "category": "Dames"}
    assert patch(name="Huguette Delvoye", club="", **said).status_code == 200
    entrant = event.entrants.get(number=3)
    assert (entrant.person.name, entrant.club) == ("Huguette Delvoye", None)
    assert (entrant.person.phone, entrant.category) == ("0470 12", "Dames")
    assert patch(phone="0" * 31).status_code == 400
    with pytest.raises(Refused) as refusal:
        correct(event, 3, category="D" * 31)
    assert (refusal.value.code, refusal.value.field) == ("too_long", "category")
    assert patch().status_code == 400
    assert patch(email="nowhere").status_code == 400
    assert patch(number=4).json()["code"] == "number_taken"
    assert client.delete(address).status_code == 204
    assert client.delete(address).status_code == 404


def test_the_data_of_an_erased_player_is_not_written_again() -> None:
    event = make_event(4)
    entrants.erase_person(person_id=event.entrants.get(number=3).person_id, actor=SYSTEM)
    with pytest.raises(Conflict) as refusal:
        correct(event, 3, name="Back Again")
    assert refusal.value.code == "person_erased"
