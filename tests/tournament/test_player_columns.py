"""Every column of a player comes back: from the file of players that the desk exports, and in a copied event."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from typing import Any, Final

import hypothesis
import pytest
from django.db.models import EmailField
from django.test import Client, override_settings
from django.utils.translation import override
from hypothesis import strategies as st

from tests.tournament.build import SYSTEM, make_event, make_user
from tournament import exports
from tournament.exports_excel import as_excel
from tournament.lists.reading import Settled
from tournament.models import Entrant, EntrantState, Event, Person
from tournament.models.columns import To, left_out
from tournament.models.players import BY_KEY, Given
from tournament.services.bans_and_wishes import wish
from tournament.services.entrants import enter_player, mark_paid, withdraw
from tournament.services.event_copy import copy_event
from tournament.services.imports import import_players
from tournament.services.members import add_member
from tournament.services.player_lists import read_players

pytestmark = pytest.mark.django_db

OWN: Final = {"id", "event", "person", "partner", "club", "created_at", "erased_at"}
"""Keys, and columns compared under their own name below."""
KEPT: Final = {name for model in (Entrant, Person) for name in left_out(model, To.COPY)}
NOT_IN_A_FILE: Final = OWN | {
    # Badges and the register belong to the installation.
    "link_hash",
    "link_epoch",
    "member",
    "salt",  # of one name in one event
    # Columns of the event that imports the file.
    "from_round",
    "withdrawn_after",
}


def values_of(row: Entrant | Person, but: set[str] | frozenset[str]) -> dict[str, Any]:
    """Return the columns of a row besides those named."""
    return {
        column.name: getattr(row, column.attname)
        for column in row._meta.concrete_fields
        if column.name not in but
    }


def of(entrant: Entrant, but: set[str] | frozenset[str]) -> dict[str, Any]:
    """Return the compared values of a player: both persons, the club and every column of the entry."""
    return {
        **values_of(entrant, but),
        **values_of(entrant.person, but),
        "partner": values_of(entrant.partner, but) if entrant.partner else {},
        "club": entrant.club.name if entrant.club else "",
    }


@pytest.fixture
def event(settings: Any) -> Event:
    """Create two pairs, one of them withdrawn, with no column at its default."""
    settings.EMAIL_URL = "smtp://localhost"
    event = make_event(0)
    for number, name in ((7, "Anneleen Šimůnková"), (12, "-Jef d'Ours")):
        entrant = enter_player(
            event_id=event.pk,
            number=number,
            name=name,
            partner=f"=Rita {number}",
            club="-Ter Eecke",
            email=f"{number}@example.be",
            phone="+32 470 12 34 56",
            category="Dames",
            actor=SYSTEM,
        )
        wish(
            event_id=event.pk,
            number=number,
            family="Lagae",
            fixed_seat=True,
            keeps_score=False,
            actor=SYSTEM,
        )
        mark_paid(entrant_id=entrant.pk, actor=SYSTEM)
        Person.objects.filter(pk=entrant.partner_id).update(
            email="rita@example.be",
            phone="0470",
            member=add_member(actor=SYSTEM, values={"name": f"Rita {name}"}),
        )
    withdraw(entrant_id=entrant.pk, actor=SYSTEM)
    return event


def test_the_example_leaves_no_column_as_it_is_by_itself(event: Event) -> None:
    entrant = event.entrants.get(number=12)
    for row in (entrant, entrant.person, entrant.partner):
        assert row is not None
        usual = values_of(type(row)(), NOT_IN_A_FILE)
        same = [
            name for name, value in values_of(row, NOT_IN_A_FILE).items() if value == usual[name]
        ]
        assert same == []


@pytest.mark.guide("director#tables-to-take-away")
@pytest.mark.parametrize("language", ["en", "fr", "nl"])
@pytest.mark.parametrize("form", ["csv", "xlsx", "excel"])
def test_an_exported_file_of_players_is_imported_whole(
    event: Event, form: str, language: str
) -> None:
    write: dict[str, Callable[[exports.Exported], bytes]] = {
        "csv": exports.as_csv,
        "xlsx": exports.as_xlsx,
        "excel": lambda table: as_excel(table, event),
    }
    other = make_event(0, slug="other", name="Other")
    with override(language):
        content = write[form](exports.players(event, public=False))
        preview = read_players(event=other, content=content)
    assert (preview.ignored, preview.bad) == ([], [])
    import_players(event_id=other.pk, content=content, actor=SYSTEM)
    brought = [of(entrant, NOT_IN_A_FILE) for entrant in other.entrants.order_by("number")]
    assert brought == [of(entrant, NOT_IN_A_FILE) for entrant in event.entrants.order_by("number")]
    assert [each["state"] for each in brought] == [EntrantState.REGISTERED, EntrantState.WITHDRAWN]


def words(most: int, first: str = "") -> st.SearchStrategy[str]:
    """Return text as people type it, formulas and accents included; ``first`` is its beginning."""
    signs = "aZéßøŠ'’ -=+" + ("" if first else "@;,")
    letters = st.text(signs, max_size=most - len(first))
    return letters.map(lambda text: " ".join(f"{first}{text}".split()))


def anything(each: Given) -> st.SearchStrategy[Any]:
    """Return a strategy for any value of one item of a player's data."""
    if isinstance(each.usual, bool):
        return st.booleans()
    if each.key == "number":
        return st.integers(1, 99_999)
    if each.key == "state":
        return st.sampled_from([EntrantState.REGISTERED, EntrantState.WITHDRAWN])
    if isinstance(each.column, EmailField):
        return st.sampled_from(["", "an.claes+kaart@example.be"])
    most = each.column.max_length or 30
    return words(most, "An" if each.key in ("name", "partner") else "")


@hypothesis.given(st.fixed_dictionaries({key: anything(each) for key, each in BY_KEY.items()}))
def test_whatever_is_given_of_a_player_comes_back_from_the_file(values: dict[str, Any]) -> None:
    table = exports.Exported("players", tuple(values), [tuple(values.values())], {})
    with override_settings(EMAIL_URL="smtp://localhost"):
        (line,) = read_players(event=None, content=exports.as_csv(table)).lines
    assert line.values == values


@pytest.mark.parametrize(
    "heading", ["Partner phone", "Téléphone du partenaire", "Telefoon partner", "Telefoon maat"]
)
def test_the_partner_has_a_phone_of_their_own(heading: str) -> None:
    content = f"Name;Partner;Phone;{heading}\nJan Maes;Els Claes;0470;0471\n".encode()
    (line,) = read_players(event=make_event(0), content=content).lines
    assert (line.values["phone"], line.values["partner_phone"]) == ("0470", "0471")


def test_what_an_export_lists_the_import_reads(event: Event) -> None:
    table = exports.players(event, public=False)
    preview = read_players(event=None, content=exports.as_csv(table))
    assert preview.ignored == []
    assert len(preview.columns) == len(table.columns)


@pytest.mark.guide("director#copy-hide-or-delete-an-event")
def test_a_copied_event_has_every_column_of_its_players(event: Event) -> None:
    copy = copy_event(
        event_id=event.pk, actor=SYSTEM, name="Again", day=date(2026, 12, 1), players=True
    )
    for old in event.entrants.all():
        new = copy.entrants.get(number=old.number)
        assert of(new, KEPT) == of(old, KEPT)
        assert new.partner is not None
        assert old.partner is not None
        assert values_of(new.partner, KEPT) == values_of(old.partner, KEPT)
        assert new.partner.member is not None
        assert (new.state, new.paid) == (EntrantState.REGISTERED, False)


@pytest.mark.guide("director#players-from-a-list")
def test_who_has_left_is_seen_before_the_import(event: Event, client: Client) -> None:
    other = make_event(0, slug="other", name="Other")
    client.force_login(make_user("director", other, "director"))
    text = "Naam;Status\nJan Maes;aanwezig\nEls Claes;afgemeld\nTom Baert;misschien\n"
    page = client.post(f"/desk/{other.slug}/players/import/", {"text": text}).content.decode()
    rows = page.split('class="grid grid--cards preview"')[1].split("</table>")[0].split("<tr")
    assert ["called off" in row for row in rows[-3:]] == [False, True, False]
    assert "what does “misschien” mean?" in rows[-1]


def test_a_state_that_is_not_understood_is_asked_about_in_every_row() -> None:
    content = "Nom;Statut\nJan Maes;en voyage\nEls Claes;\nMaes;membre d’honneur\n".encode()
    preview = read_players(event=make_event(0), content=content)
    assert preview.ignored == []
    assert ["en voyage" in preview.lines[0].doubt, preview.lines[1].doubt] == [True, ""]
    assert "membre d’honneur" in preview.lines[2].doubt


def test_a_kind_of_membership_is_named_as_not_used() -> None:
    content = b"Naam;Status\nJan Maes;erelid\nEls Claes;gewoon lid\n"
    preview = read_players(event=None, content=content)
    assert preview.ignored == ["Status"]
    assert preview.doubtful == []


@pytest.mark.parametrize(
    "state",
    [
        "s'est désistée",
        "S’est désisté",
        "Désistement",
        "annulée",
        "annulé le 12/11",
        "Annulation (malade)",
        "a annulé",
        "Afgemeld (ziek)",
        "afgemeld op 12/11",
        "heeft zich afgemeld",
        "is geannuleerd",
        "cancelled",
        "canceled by phone",
        "forfait",
        "s’est retirée",
        "absent",
        "afwezig",
    ],
)
def test_a_cancelled_entry_in_whatever_words_is_shown_and_not_entered(state: str) -> None:
    content = f"Nom;Statut\nJan Maes;\nEls Claes;{state}\n".encode()
    event = make_event(0)
    preview = read_players(event=event, content=content)
    assert [(line.name, line.doubt) for line in preview.lines] == [("Jan Maes", "")]
    assert [line.name for line in preview.aside] == ["Els Claes"]
    taken = read_players(event=event, content=content, settled={3: Settled.IN})
    assert [(line.name, line.withdrawn) for line in taken.lines][1:] == [("Els Claes", False)]


@pytest.mark.parametrize("state", ["withdrawn", "abandon", "opgave"])
def test_a_player_whom_an_export_calls_withdrawn_stays_so(state: str) -> None:
    content = f"Nom;Statut\nJan Maes;\nEls Claes;{state}\n".encode()
    preview = read_players(event=make_event(0), content=content)
    assert [(line.withdrawn, line.doubt) for line in preview.lines] == [(False, ""), (True, "")]


@pytest.mark.parametrize(
    "state",
    ["pas annulé", "niet afgemeld", "annulé ?", "afgemeld, komt toch", "retraité"],
)
def test_a_state_that_is_turned_around_or_open_is_asked_about(state: str) -> None:
    content = f"Nom;Statut\nJan Maes;inscrite\nEls Claes;{state}\n".encode()
    preview = read_players(event=make_event(0), content=content)
    assert [line.withdrawn for line in preview.lines] == [False, False]
    assert [state[:6] in line.doubt for line in preview.lines] == [False, True]
