"""Pages of a small field have no elements for large fields only; those of a large field have them."""

from __future__ import annotations

import pytest
from django.test import Client

from accounts.models import Role
from ledger.jobs import work_on
from tests.tournament.build import SYSTEM, make_event, make_user
from tournament.demo.simulation import draw_and_publish
from tournament.models import Event, Round
from tournament.queries.pages import SHORT_LIST
from tournament.services import draws, members
from tournament.services.events import update_event
from tournament.views.registering import door_token

pytestmark = pytest.mark.django_db

SEARCH, ORDER, STATES, JUMPS = (
    'type="search"',
    'href="?by=name"',
    'href="?state=present"',
    "data-jumps",
)


def hall(players: int) -> tuple[Event, Client]:
    """Create an event whose first round is published. Return it with its director's client."""
    event = make_event(players, deals=1, cut=min(players, 8) // 4 * 4)
    draw_and_publish(Round.objects.get(stage__event=event, stage__order=1, number=1), SYSTEM)
    client = Client()
    client.force_login(make_user("director", event, Role.DIRECTOR))
    return event, client


PAGES = {
    "/desk/{}/players/": (SEARCH, STATES),
    "/e/{}/": (SEARCH,),
    "/e/{}/draw/": (SEARCH, ORDER),
    "/e/{}/standings/": (SEARCH, JUMPS),
    "/e/{}/players/": (SEARCH,),
    "/desk/{}/room/": (SEARCH,),
    "/e/{}/wall/": (SEARCH, "1 / 2"),
}
"""Element that only a large field needs, by page."""


@pytest.mark.guide("director#check-players-in", "players#find-yourself")
@pytest.mark.parametrize("players", [4, 12, 47])
def test_a_search_is_there_where_the_list_is_long(players: int) -> None:
    event, client = hall(players)
    long = players > SHORT_LIST
    for path, marks in PAGES.items():
        page = client.get(path.format(event.slug)).content.decode()
        names = [each.person.name for each in event.entrants.select_related("person")]
        for mark in marks:
            if path.endswith(("room/", "wall/")):
                assert long or mark not in page, (path, mark)
            else:
                assert (mark in page) is long, (path, mark)
        if not long and path != "/desk/{}/room/":
            # In a short list every name is visible without it.
            assert all(name in page or name.split()[-1] in page for name in names), path


@pytest.mark.parametrize("players", [12, 13])
def test_a_drawn_round_is_searched_where_it_is_long(players: int) -> None:
    event = make_event(players, deals=1)
    round_ = Round.objects.get(stage__event=event, stage__order=1, number=1)
    work_on(str(draws.request_draw(round_id=round_.pk, actor=SYSTEM).pk))
    work_on(str(draws.request_draw(round_id=round_.pk, actor=SYSTEM).pk))
    client = Client()
    client.force_login(make_user("director", event, Role.DIRECTOR))
    draw = round_.draws.first()
    assert draw is not None
    for path in (f"draws/{draw.pk}/", f"rounds/{round_.pk}/draws/compare/"):
        page = client.get(f"/desk/{event.slug}/{path}")
        assert page.status_code == 200
        # Thirteen are three tables and one player who sits out.
        assert SEARCH not in page.content.decode()


def test_a_filter_that_is_set_can_be_taken_away_in_a_small_field() -> None:
    event, client = hall(12)
    page = client.get(f"/desk/{event.slug}/players/?state=registered").content.decode()
    assert 'href="?"' in page
    found = client.get(f"/e/{event.slug}/players/?q=7").content.decode()
    assert SEARCH in found
    assert f'href="/e/{event.slug}/players/7/"' in found
    assert f'href="/e/{event.slug}/players/8/"' not in found


@pytest.mark.parametrize("players", [12, 47])
def test_the_door_names_everybody_or_whoever_is_typed(players: int) -> None:
    event = make_event(players, present=False)
    update_event(event_id=event.pk, actor=SYSTEM, changes={"registration": True})
    page = Client().get(f"/register/{event.slug}/{door_token(event)}/").content.decode()
    assert page.count('name="here"') == players
    long = players > SHORT_LIST
    assert (SEARCH in page, "is-quiet" in page) == (long, long)


def test_members_are_ticked_from_a_short_list_without_a_search() -> None:
    event = make_event(0)
    client = Client()
    client.force_login(make_user("director", event, Role.DIRECTOR))
    page = f"/desk/{event.slug}/players/members/"
    for n in range(SHORT_LIST):
        members.add_member(actor=SYSTEM, values={"name": f"Member {n}"})
    assert SEARCH not in client.get(page).content.decode()
    members.add_member(actor=SYSTEM, values={"name": "One more"})
    assert SEARCH in client.get(page).content.decode()
    assert " checked>" not in client.get(page).content.decode()
    ticked = client.get(f"{page}?tick=all").content.decode()
    assert ticked.count(" checked>") == SHORT_LIST + 1
