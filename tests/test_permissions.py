"""Least privilege: every route declares its permission and refuses every other caller."""

from __future__ import annotations

import copy
import logging
import re
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings as configured
from django.contrib.auth import SESSION_KEY
from django.http import HttpResponse
from django.test import Client
from django.urls import path

from accounts import staff
from accounts.access import public
from accounts.models import Role, User
from tests.security.hall import Hall, an_event_in_play, with_staff
from tests.tournament.build import SYSTEM, grant, make_event, make_user
from tools.permissions_page import Route, page, routes
from tournament.demo.simulation import draw_and_publish
from tournament.models import Draw, Event, Round

pytestmark = pytest.mark.django_db
STAFF = [
    route for route in routes() if route.access and route.access.kind in ("needs", "signed_in")
]


@pytest.mark.guide("permissions#every-route", "security#security")
def test_every_route_declares_what_it_asks_for() -> None:
    undeclared = [f"{route.verb} /{route.pattern}" for route in routes() if route.access is None]
    assert undeclared == []


class Addresses:
    """URL patterns of a view without a declaration, next to a view with one."""

    urlpatterns = (
        path("forgotten/", lambda _request: HttpResponse("served")),
        path("said/", public(lambda _request: HttpResponse("served"))),
    )
    handler403 = "config.errors.not_allowed"


@pytest.mark.guide("security#security")
@pytest.mark.parametrize("who", ["", "admin"])
def test_a_view_that_declares_nothing_serves_nobody(
    settings: Any, client: Client, who: str
) -> None:
    settings.ROOT_URLCONF = Addresses
    if who:
        user = make_user("root")
        grant(user, who)
        client.force_login(user)
    refused = client.get("/forgotten/", headers={"Accept": "application/json"})
    assert (refused.status_code, refused.json()["code"]) == (403, "not_allowed")
    assert client.get("/said/").content == b"served"


PAGE = (Path(__file__).parents[1] / "docs" / "permissions.md").read_text(encoding="utf-8")


@pytest.mark.guide(
    "operator#accounts",
    "permissions#every-route",
    "permissions#permissions",
    "permissions#who-can-do-what",
    "security#security",
)
def test_the_page_of_permissions_is_true() -> None:
    assert page() == PAGE


def rows(columns: int) -> list[list[str]]:
    """Return the rows of the page's table with this number of columns, its heading first."""
    cells = [
        [cell.strip().strip("`") for cell in line.strip("|").split("|")]
        for line in PAGE.splitlines()
        if line.startswith("|") and not line.startswith("|---")
    ]
    return [row for row in cells if len(row) == columns]


IN_SHORT = {"Accept": "application/json"}
"""Short refusals without the page around them."""


@pytest.fixture(scope="module", autouse=True)
def _unlogged() -> Iterator[None]:
    """Disable logging, because these tests cause a thousand refusals."""
    logging.disable(logging.CRITICAL)
    yield
    logging.disable(logging.NOTSET)


@pytest.fixture(scope="module")
def built(module_database: None) -> Hall:
    """Create an event in play with all its staff."""
    return with_staff(an_event_in_play("In play"), "in-play-")


@pytest.fixture
def in_play(built: Hall, db: None) -> Hall:
    return copy.deepcopy(built)


@pytest.mark.guide("permissions#every-route", "permissions#who-can-do-what")
def test_what_a_role_may_not_it_may_not_by_any_address(in_play: Hall) -> None:
    """Requests by the documented table, at addresses of existing objects: for reading and for acting."""
    (_capability, *names), *table = rows(1 + len(Role.values))
    may = {
        row[0]: {role for role, cell in zip(names, row[1:], strict=True) if cell} for row in table
    }
    clients = {role: Client(headers=IN_SHORT) for role in names}
    for role, client in clients.items():
        client.force_login(in_play.staff[role])
    wrong, tried = [], 0
    for pattern, verb, asks in rows(3)[1:]:
        where = in_play.fill(pattern.removeprefix("/"))
        for role in set(names) - may.get(asks, set(names)):
            for each in ("GET", "POST") if verb == "*" else (verb,):
                answer = clients[role].generic(each, where, content_type="application/json")
                # A page that accepts only the other method answers 405 to every caller.
                if answer.status_code not in (403, 405):
                    wrong.append(f"{role} {each} {where}: {answer.status_code}")
                tried += 1
    assert wrong == []
    assert tried > 500


@pytest.mark.guide("permissions#permissions")
def test_the_administrator_counts_in_every_event(client: Client) -> None:
    one, two = make_event(4, name="One"), make_event(4, name="Two")
    grant(admin := make_user("admin"), Role.ADMIN)
    client.force_login(admin)
    for event in (one, two):
        for page_of in ("settings/", "players/", "rounds/", "staff/", "log/"):
            assert client.get(f"/desk/{event.slug}/{page_of}").status_code == 200, page_of
        assert client.get(f"/api/v1/events/{event.slug}/settings/").status_code == 200


@pytest.fixture(scope="module")
def hall(module_database: None) -> dict[str, Any]:
    """Create two events, the first with a published round."""
    event, other = make_event(8, name="Own"), make_event(8, name="Other")
    round_ = Round.objects.get(stage__event=event, stage__order=1, number=1)
    from ledger.actors import Actor

    draw_and_publish(round_, Actor.system())
    return {
        "event": event,
        "other": other,
        "round": round_,
        "table": round_.tables.first(),
        "draw": Draw.objects.get(round=round_),
    }


def addresses(hall: dict[str, Any]) -> Iterator[tuple[Route, str]]:
    """Yield the routes of staff with the ids of the hall's own event."""
    event: Event = hall["event"]
    values = {
        "slug": event.slug,
        "number": "1",
        "order": "1",
        "stage": "1",
        "round_id": hall["round"].pk,
        "draw_id": hall["draw"].pk,
        "table_id": hall["table"].pk,
        "verb": "extend",
        "sheet_id": hall["table"].sheets.first().pk,
        "stage_id": event.stages.get(order=1).pk,
        "entrant_id": event.entrants.get(number=1).pk,
    }

    def fill(found: re.Match[str]) -> str:
        kind, name = found.group(1), found.group(2)
        if name in values:
            return str(values[name])
        return {"uuid": str(uuid.uuid4()), "int": "1"}.get(kind or "", "x")

    for route in STAFF:
        yield route, "/" + re.sub(r"<(?:(\w+):)?(\w+)>", fill, route.pattern)


def signed_in(client: Client, user: User) -> Client:
    """Return the client, with a new session for the user where an earlier route ended it."""
    if not client.cookies.get(configured.SESSION_COOKIE_NAME) or not client.session.get(
        SESSION_KEY
    ):
        client.force_login(user)
    return client


def ask(client: Client, route: Route, where: str) -> int:
    """Return the status of the route's verb; a page is read, or posted to where it accepts only that."""
    if route.verb == "*":
        answer = client.get(where)
        return (
            answer.status_code if answer.status_code != 405 else client.post(where, {}).status_code
        )
    return client.generic(route.verb, where, b"{}", content_type="application/json").status_code


QUICK = (Role.DIRECTOR, Role.SCOREKEEPER)
"""A role with many and one with few permissions; the other roles' checks are the same."""


@pytest.mark.guide(
    "permissions#every-route",
    "permissions#permissions",
    "permissions#who-can-do-what",
    "security#security",
)
@pytest.mark.parametrize(
    "role",
    [
        *(pytest.param(role, marks=() if role in QUICK else pytest.mark.long) for role in Role),
        None,
    ],
)
def test_every_staff_route_with_every_role(role: str | None, hall: dict[str, Any]) -> None:
    event: Event = hall["event"]
    if role == Role.ADMIN:
        user: User = make_user("somebody")
        grant(user, role)
    else:
        user = make_user("somebody", event, role or "")
    # For the case without a role, the stranger would equal the case "director".
    stranger = role and make_user(
        "stranger", hall["other"], role if role != Role.ADMIN else Role.DIRECTOR
    )
    wrong = []
    of_user, of_stranger = Client(headers=IN_SHORT), Client(headers=IN_SHORT)
    for route, where in addresses(hall):
        names_event = bool(re.search(r"<(?:\w+:)?(slug|\w+_id)>", route.pattern))
        needs = route.access is not None and route.access.kind == "needs"
        status = ask(signed_in(of_user, user), route, where)
        granted = not needs or (role in route.roles and (names_event or role == Role.ADMIN))
        if granted == (status == 403):
            wrong.append(f"{role} {route.verb} {where}: {status}, granted={granted}")
        if not needs or not names_event or not stranger:
            continue
        # A 404 is a refusal too: it does not reveal whether the id exists.
        if ask(signed_in(of_stranger, stranger), route, where) not in (403, 404):
            wrong.append(f"{role} of another event {route.verb} {where} is let in")
    assert wrong == []


@pytest.mark.guide("permissions#every-route", "security#security")
def test_nobody_without_an_account_reaches_a_staff_route(
    hall: dict[str, Any], client: Client
) -> None:
    for route, where in addresses(hall):
        status = ask(client, route, where)
        assert status in (302, 401, 403), (where, status)


def test_an_inactive_member_of_staff_has_no_role(hall: dict[str, Any], client: Client) -> None:
    user = make_user("former", hall["event"], Role.DIRECTOR)
    client.force_login(user)
    assert client.get(f"/desk/{hall['event'].slug}/").status_code == 200
    staff.set_active(user_id=user.pk, active=False, actor=SYSTEM)
    assert client.get(f"/desk/{hall['event'].slug}/").status_code == 302


@pytest.mark.guide("permissions#permissions")
def test_single_acts_on_a_page_ask_for_more_than_the_page(in_play: Hall) -> None:
    hall = in_play
    event, desk = hall.event, f"/desk/{hall.event.slug}/"
    clients = {role: Client() for role in Role.values}
    for role, client in clients.items():
        client.force_login(hall.staff[role])
    sheet, table = f"/sheet/{hall.sheet.pk}/", f"{desk}room/1/"
    for role in (Role.READER, Role.APPEALS):
        assert clients[role].get(sheet).status_code == clients[role].get(table).status_code == 200
        assert clients[role].post(sheet, {"verb": "deal"}).status_code == 403
        assert clients[role].post(table, {"verb": "minutes"}).status_code == 403
        assert 'method="post"' not in main_of(clients[role].get(sheet))
    keeper = clients[Role.SCOREKEEPER]
    assert keeper.post(sheet, {"verb": "deal"}).status_code != 403
    for verb in ("correct", "confirm", "reopen"):
        assert keeper.post(sheet, {"verb": verb}).status_code == 403, verb
        assert f'value="{verb}"' not in main_of(keeper.get(sheet))
    referee = clients[Role.REFEREE]
    assert referee.post(sheet, {"verb": "deal"}).status_code == 403
    assert referee.post(sheet, {"verb": "correct"}).status_code != 403
    # A draw's job may be followed with the permission to draw, a document's with the permission to print.
    assert hall.job.kind != "tournament.document"
    jobs = f"{desk}jobs/{hall.job.pk}/"
    assert keeper.get(jobs).status_code == 403
    followed = clients[Role.DIRECTOR].get(jobs)
    assert f"{desk}draws/" in followed.headers["Location"]
    badges = keeper.post(f"{desk}documents/", {"kind": "badges", "language": "fr", "paper": "a4"})
    assert badges.status_code == 403
    # At the door: presence, not participation.
    assert keeper.post(f"{desk}players/", {"name": "Somebody New"}).status_code == 200
    assert not event.entrants.filter(person__name="Somebody New").exists()
    state = f"{desk}players/1/state/"
    assert keeper.post(state, {"verb": "withdraw"}).status_code == 404
    assert event.entrants.get(number=1).state == "present"


def main_of(answer: Any) -> str:
    """Return the main part of the page, without the bar at its top."""
    text: str = answer.content.decode()
    return text[text.index("<main") : text.index("</main")]
