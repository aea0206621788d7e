"""Doubts of a list are settled on its page: split, a pair, no player, a club, enter all the same."""

from __future__ import annotations

import re
import time
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from ledger.jobs import work_on
from ledger.models import Job
from tests.tournament.build import SYSTEM, make_event, make_user
from tournament.models import Event, PaymentWord
from tournament.services.events import new_stage
from tournament.services.imports import import_players
from tournament.services.members import add_member

pytestmark = pytest.mark.django_db

MIXED = (
    "Naam;Club\nJan Maes;Menen\nEls Claes / Tom Roels;Gent\nAn Smets (afgemeld);Gent\nLuc Petit;\n"
    "Speler 2026-11-20;\n"
)


@pytest.fixture
def event() -> Event:
    return make_event(0)


def post(client: Client, event: Event, **sent: Any) -> Any:
    return client.post(f"/desk/{event.slug}/players/import/", sent)


def send(client: Client, event: Event, text: str = MIXED) -> Any:
    client.force_login(make_user("director", event, "director"))
    return post(client, event, file=SimpleUploadedFile("list.csv", text.encode()))


def players(event: Event) -> list[str]:
    return sorted(event.entrants.values_list("person__name", flat=True))


def work(event: Event) -> str:
    job = Job.objects.filter(scope=event.pk).latest("created_at")
    work_on(str(job.pk))
    return str(job.pk)


def test_a_decision_in_a_row_goes_along_with_every_button(event: Event, client: Client) -> None:
    looked = send(client, event)
    page = looked.content.decode()
    asked = re.findall(r'<select[^>]*name="row-\d+"[^>]*>', page)
    pressed = re.findall(r'<button[^>]*name="(?:confirm|ready)"[^>]*>', page)
    assert (len(asked), len(pressed)) == (3, 2)
    assert all('form="import"' in each for each in [*asked, *pressed])
    row = f"row-{looked.context['preview'].open[0].line}"
    post(client, event, ready=looked.context["file"].pk, **{row: "as_is"})
    work(event)
    assert len(players(event)) == 3


def test_ready_rows_come_in_and_the_others_are_looked_at_next(event: Event, client: Client) -> None:
    looked = send(client, event)
    preview = looked.context["preview"]
    assert [line.name for line in preview.ready] == ["Jan Maes", "Luc Petit"]
    assert len(preview.open) == 2
    assert "Import 2, look at 2" in looked.content.decode()
    kept = looked.context["file"].pk
    post(client, event, ready=kept)
    job = work(event)
    assert players(event) == ["Jan Maes", "Luc Petit"]
    page = client.get(f"/desk/{event.slug}/jobs/{job}/")
    onward = page.headers["X-Live-Go"]
    rest = client.get(onward)
    assert [line.name for line in rest.context["preview"].open] == [
        "Els Claes / Tom Roels",
        "Speler 2026-11-20",
    ]
    settled = {"row-3": "split", "row-4": "in", "row-6": "out"}
    again = post(client, event, look=kept, **settled)
    assert again.context["preview"].open == []
    assert again.context["settled_rows"] == settled
    post(client, event, confirm=kept, skip_duplicates="1", **settled)
    work(event)
    assert players(event) == ["An Smets", "Els Claes", "Jan Maes", "Luc Petit", "Tom Roels"]
    clubs = dict(event.entrants.values_list("person__name", "club__name"))
    assert (clubs["Els Claes"], clubs["Tom Roels"]) == ("Gent", "Gent")


def test_nothing_more_is_imported_than_what_was_understood(event: Event) -> None:
    count = import_players(event_id=event.pk, content=MIXED.encode(), actor=SYSTEM, ready_only=True)
    assert (count, players(event)) == (2, ["Jan Maes", "Luc Petit"])


def test_a_row_that_names_a_club_gives_it_to_the_rows_below(event: Event, client: Client) -> None:
    looked = send(client, event, "Naam\nMenen 1990\nJan Maes\nEls Claes\nGent 2001\nTom Roels\n")
    kept = looked.context["file"].pk
    settled = {"row-2": "club", "row-5": "club"}
    lines = post(client, event, look=kept, **settled).context["preview"].lines
    assert [(line.name, line.club) for line in lines] == [
        ("Jan Maes", "Menen 1990"),
        ("Els Claes", "Menen 1990"),
        ("Tom Roels", "Gent 2001"),
    ]


def test_one_cell_of_two_people_is_a_pair_where_pairs_play(client: Client) -> None:
    pairs = make_event(0, plan=[new_stage("Evening", format="pairs_swiss", rounds=3)])
    lines = send(client, pairs, "Naam\nJan Maes / Els Claes\n").context["preview"].lines
    assert [(line.name, line.partner, line.doubt) for line in lines] == [
        ("Jan Maes", "Els Claes", "")
    ]


def test_an_answer_about_money_is_remembered_for_the_next_list(
    event: Event, client: Client
) -> None:
    text = "Naam;Betaald\nJan Maes;gratis\n"
    looked = send(client, event, text)
    assert looked.context["preview"].asks == ["gratis"]
    answers = {"paid-word": "gratis", "paid-means": "yes"}
    post(client, event, confirm=looked.context["file"].pk, **answers)
    assert list(PaymentWord.objects.values_list("word", "paid")) == [("gratis", True)]
    other = make_event(0, slug="other", name="Other")
    client.force_login(make_user("second", other, "director"))
    again = post(client, other, file=SimpleUploadedFile("list.csv", text.encode()))
    assert again.context["preview"].asks == []
    assert again.context["preview"].lines[0].values["paid"] is True


def test_a_championship_is_previewed_within_a_second(event: Event, client: Client) -> None:
    rows = "".join(f"{n};Voornaam{n} Naam;Club {n % 30}\n" for n in range(1, 545))
    client.force_login(make_user("director", event, "director"))
    file = f"Nr;Naam;Club\n{rows}".encode()
    begin = time.process_time()
    looked = post(client, event, file=SimpleUploadedFile("list.csv", file))
    spent = time.process_time() - begin
    assert len(looked.context["preview"].ready) == 544
    assert spent < 2, spent  # a second on an idle machine


NEAR = (
    "Naam;Club;Betaald\nDirk Vandamme;Gent;\nCarine Desmet;Menen;\nCarine De Smedt;Menen;\nNadine Petitt;;\n"
    "Nadine Petit;;\nInge Vermeulen;Gent;\nIngeborg Vermeulen;Gent;\nIngeborg Vermeulen;Menen;\nJos Peeters;Gent;\n"
    "Jan Peeters;Gent;\n"
)


@pytest.mark.guide("director#players-from-a-list")
def test_a_near_spelling_is_another_person_or_the_same(event: Event, client: Client) -> None:
    import_players(event_id=event.pk, content=b"Naam;Club\nDirk Van Damme;Gent\n", actor=SYSTEM)
    looked = send(client, event, NEAR)
    preview = looked.context["preview"]
    assert [line.name for line in preview.doubtful] == [
        "Dirk Vandamme",
        "Carine De Smedt",
        "Nadine Petit",
        "Ingeborg Vermeulen",
    ]
    settled = {"row-2": "same", "row-4": "as_is", "row-6": "same", "row-8": "as_is"}
    kept = looked.context["file"].pk
    again = post(client, event, look=kept, **settled).context["preview"]
    assert again.doubtful == []
    post(client, event, confirm=kept, **settled)
    work(event)
    assert players(event) == [
        "Carine De Smedt",
        "Carine Desmet",
        "Dirk Van Damme",
        "Inge Vermeulen",
        "Ingeborg Vermeulen",
        "Ingeborg Vermeulen",
        "Jan Peeters",
        "Jos Peeters",
        "Nadine Petitt",
    ]


@pytest.mark.guide("director#players-from-a-list")
@pytest.mark.parametrize("spelling", ["Jan Maes", "Jan Maess"])
@pytest.mark.parametrize(("decision", "paid"), [("paid", True), ("same", False)])
def test_a_second_list_asks_whether_its_payments_are_taken_over(
    event: Event, client: Client, spelling: str, decision: str, paid: bool
) -> None:
    import_players(event_id=event.pk, content=b"Naam\nJan Maes\nEls Claes\n", actor=SYSTEM)
    looked = send(client, event, f"Naam;Betaald\n{spelling};ja\nEls Claes;nee\nTom Roels;ja\n")
    preview = looked.context["preview"]
    assert [line.name for line in preview.doubtful] == [spelling]
    assert [line.name for line in preview.ready] == ["Tom Roels"]
    kept = looked.context["file"].pk
    again = post(client, event, look=kept, **{"row-2": decision}).context["preview"]
    assert again.doubtful == []
    post(client, event, confirm=kept, skip_duplicates="1", **{"row-2": decision})
    work(event)
    assert dict(event.entrants.values_list("person__name", "paid")) == {
        "Jan Maes": paid,
        "Els Claes": False,
        "Tom Roels": True,
    }


def test_payments_alone_come_in_without_a_new_player(event: Event, client: Client) -> None:
    import_players(event_id=event.pk, content=b"Naam\nJan Maes\n", actor=SYSTEM)
    looked = send(client, event, "Naam;Betaald\nJan Maes;ja\n")
    kept = looked.context["file"].pk
    post(client, event, confirm=kept, skip_duplicates="1", **{"row-2": "paid"})
    work(event)
    assert list(event.entrants.values_list("person__name", "paid")) == [("Jan Maes", True)]


@pytest.mark.guide("director#players-from-a-list")
def test_an_undecided_near_spelling_is_never_imported(event: Event, client: Client) -> None:
    import_players(event_id=event.pk, content=b"Naam\nDirk Van Damme\n", actor=SYSTEM)
    looked = send(client, event, "Naam\nDirk Vandamme\nEls Claes\n")
    kept = looked.context["file"].pk
    post(client, event, confirm=kept, skip_duplicates="1")
    work(event)
    assert players(event) == ["Dirk Van Damme"]
    post(client, event, ready=kept)
    work(event)
    assert players(event) == ["Dirk Van Damme", "Els Claes"]


@pytest.mark.guide("director#players-from-a-list")
def test_pasted_people_are_members_of_the_register(event: Event, client: Client) -> None:
    fits, gent, menen = (
        add_member(actor=SYSTEM, values={"name": name, "club": club})
        for name, club in (("An Maes", "Gent"), ("Jan Peeters", "Gent"), ("Jan Peeters", "Menen"))
    )
    client.force_login(make_user("director", event, "director"))
    looked = post(client, event, text="Maes An\nJan Peeters\nJan Peeters\nEls Claes\n")
    preview = looked.context["preview"]
    assert [line.member for line in preview.lines][0::3] == [fits.pk, None]
    asked = [line for line in preview.lines if line.members]
    assert asked[0].doubt
    at = [gent, menen] if gent.pk < menen.pk else [menen, gent]
    kept = looked.context["file"].pk
    chosen = f"member_{at.index(menen) + 1}"
    post(client, event, confirm=kept, skip_duplicates="1", **{"row-2": chosen})
    work(event)
    linked = dict(event.entrants.values_list("person__name", "person__member"))
    assert linked["Jan Peeters"] == menen.pk
    assert fits.pk in linked.values()
    assert linked["Els Claes"] is None


def test_a_file_links_its_people_to_the_register(event: Event, client: Client) -> None:
    member = add_member(actor=SYSTEM, values={"name": "An Maes", "club": "Gent"})
    import_players(event_id=event.pk, content=b"Naam;Club\nAn Maes;Gent\n", actor=SYSTEM)
    assert event.entrants.get().person.member == member
