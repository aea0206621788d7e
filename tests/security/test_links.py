"""Links open their own object and nothing else: another table, a revoked link, another event."""

from __future__ import annotations

import copy
import re
import uuid
from typing import Any

import pytest
from django.test import Client

from accounts.models import Role
from ledger import audit
from ledger.models import AuditEntry
from tests.security.hall import Hall, an_event_in_play, with_staff
from tests.tournament.build import SYSTEM
from tools.permissions_page import Route, routes
from tournament.models.tables import RefereeCall
from tournament.services import tables
from tournament.tables.links import entrant_token, make_token, table_token, token_hash

pytestmark = pytest.mark.django_db
LINKS = [
    route
    for route in routes()
    if route.access
    and route.access.kind == "link"
    # The door's code belongs to the event: tests/tournament/test_people_at_the_door.py.
    and not route.pattern.startswith("register/")
]
OBJECTS = re.compile(r"<uuid:(\w+)>")


@pytest.fixture(scope="module")
def built(module_database: None) -> tuple[Hall, Hall]:
    return with_staff(an_event_in_play("Own")), with_staff(an_event_in_play("Other"), "other-")


@pytest.fixture
def halls(built: tuple[Hall, Hall]) -> tuple[Hall, Hall]:
    return copy.deepcopy(built)


def ask(client: Client, route: Route, where: str, headers: dict[str, str] | None = None) -> Any:
    if route.verb == "*":
        answer = client.get(where)
        return answer if answer.status_code != 405 else client.post(where, {})
    return client.generic(
        route.verb, where, b"{}", content_type="application/json", headers=headers or {}
    )


def by_table(hall: Hall) -> dict[str, str]:
    return {"Authorization": f"Table {hall.table_token}", "X-Device": str(uuid.UUID(int=7))}


def test_a_link_is_120_bits_that_follow_from_what_it_is_of(settings: Any) -> None:
    of = [
        (kind, name, epoch) for kind in ("table", "entrant") for name in (1, 2) for epoch in (1, 2)
    ]
    tokens = {each: make_token(*each) for each in of}
    # Each has 24 typable characters, and all differ.
    assert all(re.fullmatch(r"[a-z2-7]{24}", token) for token in tokens.values())
    assert len(set(tokens.values())) == len({token_hash(token) for token in tokens.values()}) == 8
    assert make_token("table", 1) == tokens["table", 1, 1]
    # They depend on the installation's key alone.
    assert {each: make_token(*each) for each in of} == tokens
    settings.SECRET_KEY += "x"
    assert not {make_token(*each) for each in of} & set(tokens.values())


@pytest.mark.guide("permissions#every-route")
def test_a_right_link_opens_every_route_of_links(halls: tuple[Hall, Hall]) -> None:
    hall, _other = halls
    shut = []
    for route in LINKS:
        if route.name == "metrics":
            continue
        answer = ask(Client(), route, hall.fill(route.pattern), by_table(hall))
        if answer.status_code in (401, 403, 404, 429):
            shut.append((route.verb, route.pattern, answer.status_code))
    assert shut == []


@pytest.mark.guide("permissions#every-route")
@pytest.mark.parametrize("token", ["x" * 24, "a", "%00", "../../desk", "ABCDEFGH2345IJKLMNOPQRST"])
def test_a_wrong_link_opens_none(halls: tuple[Hall, Hall], token: str) -> None:
    hall, _other = halls
    for route in LINKS:
        if route.name == "metrics":
            continue
        where = hall.fill(route.pattern, token=token, player_token=token)
        if route.pattern.startswith("p/"):
            where = where.replace(hall.player_token, token)
        answer = ask(Client(), route, where, {"Authorization": f"Table {token}"})
        assert answer.status_code in (400, 401, 403, 404), (route.pattern, answer.status_code)


@pytest.mark.guide("security#security")
def test_a_revoked_link_opens_nothing(halls: tuple[Hall, Hall]) -> None:
    hall, _other = halls
    old = hall.fill("t/<str:token>/")
    headers = by_table(hall)
    assert Client().get(old).status_code == 200
    tables.revoke_link(
        round_id=hall.sheet.table.round_id,
        table=hall.sheet.table.number,
        actor=SYSTEM,
        reason="slip lost",
    )
    assert Client().get(old).status_code == 404
    assert Client(headers=headers).get("/api/v1/table/sheets/").status_code == 401
    hall.sheet.table.refresh_from_db()
    assert Client().get(hall.fill("t/<str:token>/")).status_code == 200


def badge_answers(hall: Hall, token: str) -> set[int]:
    """Return the statuses of its pages; a form sent empty and parsed (302, 422) counts as 200."""
    answers = {
        ask(Client(), route, hall.fill(route.pattern, player_token=token)).status_code
        for route in LINKS
        if route.pattern.startswith("p/")
    }
    return {200 if status in (302, 422) else status for status in answers}


@pytest.mark.guide("director#staff", "players#find-yourself", "security#security")
def test_a_renewed_badge_shuts_the_old_one_and_nobody_elses(halls: tuple[Hall, Hall]) -> None:
    hall, _other = halls
    seats = hall.round_.tables.get(number=1).seats.select_related("entrant__event")
    entrant, neighbour = (seat.entrant for seat in seats[:2])
    old, theirs = entrant_token(entrant), entrant_token(neighbour)
    assert badge_answers(hall, old) == {200}
    director = Client()
    director.force_login(hall.staff[Role.DIRECTOR])
    page = f"/desk/{hall.event.slug}/players/{entrant.number}/link/"
    assert f"/p/{old}/" not in director.get(page).content.decode()
    shown = director.post(page, {"show": "1"})
    assert f"/p/{old}/" in shown.content.decode()
    looked = AuditEntry.objects.filter(scope=hall.event.pk).latest("sequence")
    assert (looked.verb, looked.object_id) == ("entrant.link_opened", str(entrant.pk))
    assert looked.actor == f"user:{hall.staff[Role.DIRECTOR].pk}"
    assert "no-store" in shown["Cache-Control"]
    assert director.post(page, {"reason": "lost"}).status_code == 422
    assert badge_answers(hall, old) == {200}
    assert director.post(page, {"reason": "badge lost", "sure": "on"}).status_code == 302
    assert badge_answers(hall, old) == {404}
    refused = Client(headers={"Accept-Language": "en"}).get(f"/p/{old}/")
    assert "This link no longer works." in refused.content.decode()
    entrant.refresh_from_db()
    new = entrant_token(entrant)
    assert new != old
    assert badge_answers(hall, new) == {200}
    assert badge_answers(hall, theirs) == {200}
    entry = AuditEntry.objects.filter(scope=hall.event.pk).latest("sequence")
    assert f"/p/{new}/" in director.post(page, {"show": "1"}).content.decode()
    assert (entry.verb, entry.object_id) == ("entrant.link_renewed", str(entrant.pk))
    assert entry.after == {"epoch": 2, "reason": "badge lost"}
    assert list(audit.breaks(hall.event.pk)) == []


def test_a_program_renews_a_link_and_is_told_the_new_one(halls: tuple[Hall, Hall]) -> None:
    hall, other = halls
    where = "/api/v1/events/{}/entrants/1/new-link/"
    director = Client()
    director.force_login(hall.staff[Role.DIRECTOR])
    old = entrant_token(hall.event.entrants.get(number=1))
    told = director.post(
        where.format(hall.event.slug), {"reason": "stolen"}, content_type="application/json"
    )
    assert told.status_code == 200
    assert told.json() == {"number": 1, "path": told.json()["path"]}
    assert Client().get(told.json()["path"]).status_code == 200
    assert Client().get(f"/p/{old}/").status_code == 404
    for role in (Role.SCOREKEEPER, Role.REFEREE, Role.READER):
        client = Client()
        client.force_login(hall.staff[role])
        answer = client.post(where.format(hall.event.slug), {}, content_type="application/json")
        assert answer.status_code == 403, role
    theirs = director.post(where.format(other.event.slug), {}, content_type="application/json")
    assert theirs.status_code in (403, 404)
    assert other.event.entrants.get(number=1).link_epoch == 1
    assert hall.event.entrants.get(number=1).link_epoch == 2


@pytest.mark.guide("security#security")
def test_the_link_of_a_round_that_is_over_writes_nothing(halls: tuple[Hall, Hall]) -> None:
    hall, _other = halls
    over = hall.round_.stage.rounds.get(number=1).tables.get(number=1)
    sheet = over.sheets.get(order=1)
    token = table_token(over)
    before = (
        sheet.deals.count(),
        sheet.signatures.count(),
        sheet.results.count(),
        sheet.version,
        AuditEntry.objects.count(),
        RefereeCall.objects.count(),
    )
    deal = {"verb": "deal", "number": 1, "trump": "H", "side": "NS", "points": 40, "key": "k"}
    for asked in (
        deal,
        {"verb": "sign", "signing": "NS", "version": sheet.version},
        {"verb": "referee", "reason": "score"},
        {"verb": "bell"},
        {},
    ):
        answer = Client().post(f"/t/{token}/send/", {**asked, "game": 1})
        assert answer.status_code == 404, asked
    assert Client().get(f"/t/{token}/").status_code == 404
    for verb, path in (("POST", "deals/"), ("POST", "signatures/"), ("PUT", "deals/1/")):
        answer = Client(
            headers={"Authorization": f"Table {token}", "X-Device": str(uuid.UUID(int=7))}
        ).generic(verb, f"/api/v1/sheets/{sheet.pk}/{path}", b"{}", content_type="application/json")
        assert answer.status_code == 401, path
    sheet.refresh_from_db()
    assert before == (
        sheet.deals.count(),
        sheet.signatures.count(),
        sheet.results.count(),
        sheet.version,
        AuditEntry.objects.count(),
        RefereeCall.objects.count(),
    )


@pytest.mark.guide("security#security")
def test_a_tables_link_opens_no_other_table(halls: tuple[Hall, Hall]) -> None:
    hall, other = halls
    second = hall.round_.tables.get(number=2).sheets.get(order=1)
    for sheet in (second, other.sheet):
        for verb, path in (
            ("GET", ""),
            ("POST", "deals/"),
            ("PUT", "deals/1/"),
            ("POST", "signatures/"),
            ("POST", "dispute/"),
            ("POST", "bell/"),
        ):
            answer = Client(headers=by_table(hall)).generic(
                verb, f"/api/v1/sheets/{sheet.pk}/{path}", b"{}", content_type="application/json"
            )
            assert answer.status_code in (403, 404), (verb, path)
    ruling = other.appeal.ruling_id
    assert Client().get(f"/t/{hall.table_token}/rulings/{ruling}/").status_code == 404


def test_a_link_is_no_account(halls: tuple[Hall, Hall]) -> None:
    hall, _other = halls
    for path in (f"/desk/{hall.event.slug}/", "/desk/", "/system/", "/account/"):
        assert Client(headers=by_table(hall)).get(path).status_code == 302
    confirm = Client(headers=by_table(hall)).post(
        f"/api/v1/sheets/{hall.sheet.pk}/confirmation/",
        {"version": 1},
        content_type="application/json",
    )
    assert confirm.status_code == 403
    assert RefereeCall.objects.filter(pk=hall.call.pk).exists()


@pytest.mark.guide("security#security")
@pytest.mark.parametrize("role", [role for role in Role.values if role != Role.ADMIN])
def test_ids_of_another_event_open_nothing_in_ones_own(
    halls: tuple[Hall, Hall], role: str, client: Client
) -> None:
    """Every address with a second id: the slug of the caller's event with an object of the other event."""
    hall, other = halls
    client.force_login(hall.staff[role])
    of_other, let_in = other.values(), []
    for route in routes():
        names = OBJECTS.findall(route.pattern)
        if not names or route.access is None or route.access.kind not in ("needs", "signed_in"):
            continue
        theirs = {name: of_other[name] for name in names if name in of_other}
        answer = ask(client, route, hall.fill(route.pattern, **theirs))
        if answer.status_code not in (400, 403, 404, 405):
            let_in.append((route.verb, route.pattern, answer.status_code))
    assert let_in == []


@pytest.mark.guide("permissions#every-route")
def test_every_route_of_links_is_in_the_table_of_permissions() -> None:
    kinds = {route.access.what for route in LINKS if route.access}
    assert {"table", "player"} <= kinds
    assert all(route.access is not None for route in routes())
