"""A new event is proposed to fit the number of players."""

from __future__ import annotations

from datetime import time

import pytest
from django.test import Client

from accounts.models import Role
from scoring.engine.rulebook import RULEBOOKS
from tests.tournament.build import grant, make_user
from tournament.models import Event
from tournament.queries.proposals import KINDS, propose


@pytest.mark.guide("director#open-an-event")
def test_the_day_is_told_in_one_line() -> None:
    line = propose("individual", 47).line(47, time(13, 0), RULEBOOKS["belgian"])
    assert line == "47 players = 11 tables, 3 byes, 4 rounds, over about 18:30"


def test_the_day_of_a_championship_is_told_with_its_final() -> None:
    line = propose("championship", 544).line(544, time(9, 0), RULEBOOKS["belgian"])
    assert line == "544 players = 136 tables, 5 rounds, over about 17:10"


@pytest.mark.parametrize(
    ("rulebook", "players", "tables"),
    [
        ("belgian", 6, "1 table, 2 byes"),
        ("three-player", 6, "2 tables"),
        ("three-player", 7, "2 tables, 1 bye"),
        ("auction-1", 6, "2 tables"),
        ("auction-2", 7, "2 tables"),
        ("auction-3", 5, "1 table"),
    ],
)
def test_tables_are_counted_by_the_size_that_the_rulebook_seats(
    rulebook: str, players: int, tables: str
) -> None:
    line = propose("club", players).line(players, None, RULEBOOKS[rulebook])
    assert line == f"{players} players = {tables}, 3 rounds"


@pytest.mark.parametrize(
    ("kind", "rulebook", "players", "tables"),
    [
        ("pairs", "belgian", 24, "12 pairs = 6 tables, 5 rounds"),
        ("pairs", "belgian", 26, "13 pairs = 6 tables, 1 bye, 5 rounds"),
        ("pairs", "belgian", 25, "12 pairs = 6 tables, one player without partner, 5 rounds"),
        ("pairs", "belgian", 3, "Too few players for a table."),
        ("club", "belgian", 3, "Too few players for a table."),
        ("club", "three-player", 3, "3 players = 1 table, 3 rounds"),
        ("club", "auction-1", 2, "Too few players for a table."),
    ],
)
def test_pairs_are_counted_as_pairs_and_too_few_are_told(
    kind: str, rulebook: str, players: int, tables: str
) -> None:
    assert propose(kind, players).line(players, None, RULEBOOKS[rulebook]) == tables


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("kind", "unit", "entrants"), [("pairs", "pair", 12), ("club", "player", 25)]
)
def test_the_formats_of_the_kind_that_was_chosen_are_compared(
    client: Client, kind: str, unit: str, entrants: int
) -> None:
    user = make_user("admin")
    grant(user, Role.ADMIN)
    client.force_login(user)
    asked = client.get(f"/desk/new/?kind={kind}&players=25").context["advice"].form
    assert (asked["unit"].value(), asked["entrants"].value()) == (unit, entrants)


@pytest.mark.django_db
@pytest.mark.parametrize("kind", ["club", "championship"])
def test_an_event_is_opened_with_tables_of_three_that_count(client: Client, kind: str) -> None:
    user = make_user("admin")
    grant(user, Role.ADMIN)
    client.force_login(user)
    address = f"/desk/new/?kind={kind}&players=13"
    form = client.get(address).context["form"]
    assert "9 of them play a round that does not count" in str(form["odd"].help_text)
    sent = {field.name: field.value() for field in form} | {"odd": "counted"}
    sent["bell_rule"] = sent["bell_rule"] or form.fields["bell_rule"].choices[0][0]
    client.post(address, {k: "" if v is None else v for k, v in sent.items()})
    stage = Event.objects.get().stages.order_by("order")[0]
    assert stage.drawing == {"odd": "counted"}


@pytest.mark.parametrize("players", [4, 5, 7, 8, 12, 31])
def test_a_small_field_has_no_semi_final(players: int) -> None:
    assert propose("championship", players).initial["cut"] == 0


@pytest.mark.parametrize(("players", "cut"), [(544, 128), (256, 128), (100, 48), (47, 16)])
def test_the_semi_final_is_whole_tables_of_at_most_half(players: int, cut: int) -> None:
    assert propose("championship", players).initial["cut"] == cut


@pytest.mark.parametrize(
    ("players", "shape", "rounds"),
    [
        (4, "round_robin", 1),
        (8, "round_robin", 3),
        (10, "round_robin", 5),
        (12, "round_robin", 5),
        (24, "pairs_swiss", 5),
    ],
)
def test_few_pairs_all_meet_and_many_play_a_swiss(players: int, shape: str, rounds: int) -> None:
    """An even number of pairs meets in one round fewer than there are pairs, an odd number in as many."""
    proposed = propose("pairs", players)
    assert (proposed.initial["shape"], proposed.rounds) == (shape, rounds)


@pytest.mark.guide("director#open-an-event")
@pytest.mark.django_db
@pytest.mark.parametrize("kind", list(KINDS))
@pytest.mark.parametrize("players", ["", "4", "12", "47", "544"])
def test_what_is_proposed_can_be_opened_as_it_is(client: Client, kind: str, players: str) -> None:
    user = make_user("admin")
    grant(user, Role.ADMIN)
    client.force_login(user)
    assert set(client.get("/desk/new/").context["kinds"]) == set(KINDS)
    form = client.get("/desk/new/", {"kind": kind, "players": players, "start": "19:30"}).context[
        "form"
    ]
    typed = {field.name: field.value() for field in form}
    # A browser sends the first option of a list in which none is selected.
    typed["bell_rule"] = typed["bell_rule"] or form.fields["bell_rule"].choices[0][0]
    answer = client.post("/desk/new/", {k: "" if v is None else v for k, v in typed.items()})
    assert answer.status_code == 302, answer.content.decode()[:3000]
    assert Event.objects.get().stages.count() == (3 if typed["cut"] else 1)


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("typed", "opened"),
    [(None, "Club evening, 4 December 2026"), ("Friday evening", "Friday evening")],
)
def test_the_proposed_name_of_an_event_follows_its_day(
    client: Client, typed: str | None, opened: str
) -> None:
    user = make_user("admin")
    grant(user, Role.ADMIN)
    client.force_login(user)
    address = "/desk/new/?kind=club&players=12"
    form = client.get(address).context["form"]
    sent = {field.name: field.value() for field in form} | {"day": "2026-12-04"}
    sent["bell_rule"] = sent["bell_rule"] or form.fields["bell_rule"].choices[0][0]
    sent["name"] = typed or sent["name"]
    client.post(address, {k: "" if v is None else v for k, v in sent.items()})
    assert Event.objects.get().name == opened


@pytest.mark.django_db
def test_a_form_that_comes_back_counts_by_the_rulebook_chosen(client: Client) -> None:
    user = make_user("admin")
    grant(user, Role.ADMIN)
    client.force_login(user)
    address = "/desk/new/?kind=club&players=6"
    assert "6 players = 1 table, 2 byes, 3 rounds</p>" in client.get(address).content.decode()
    again = client.post(address, {"rulebook": "three-player"}).content.decode()
    assert "6 players = 2 tables, 3 rounds</p>" in again


@pytest.mark.django_db
def test_name_day_and_rulebook_are_asked_openly_and_the_rest_is_folded(client: Client) -> None:
    user = make_user("admin")
    grant(user, Role.ADMIN)
    client.force_login(user)
    page = client.get("/desk/new/?kind=club&players=12", headers={"accept-language": "fr"})
    asked, folded = page.content.decode().split('<details class="fold"', 1)
    assert [name for name in ("name", "day", "rulebook", "place") if f'name="{name}"' in asked] == [
        "name",
        "day",
        "rulebook",
    ]
    assert 'name="place"' in folded
    # French sets a no-break space before a colon.
    assert "<b>Championnat du monde</b>\u00a0: " in folded
