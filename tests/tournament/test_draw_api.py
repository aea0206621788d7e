"""The director's API: every verb described and exercised, with session and token, and refused to all others."""

from __future__ import annotations

import json
import uuid
from collections.abc import Callable
from datetime import timedelta
from functools import cache
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone
from drf_spectacular.generators import SchemaGenerator

from accounts.models import Role
from ledger.jobs import work_on
from tests.tournament.build import SYSTEM, chance, make_event, make_user
from tests.tournament.test_bracket_places import level_final
from tournament.demo.simulation import play_round
from tournament.models import Draw, Event, Round, Table
from tournament.services import publication

pytestmark = pytest.mark.django_db

Caller = Callable[..., Any]
BODIES = {
    "draws_publish": 200,
    "rounds_close": 200,
    "stages_add": 201,
    "stages_change": 200,
    "stages_set-ranking": 200,
    "rounds_draw": 202,
    "rounds_clock": 200,
    "rounds_extend": 200,
    "rounds_reopen": 200,
    "rounds_unpublish": 200,
    "rounds_exchange": 200,
    "rounds_seat": 200,
    "rounds_decide": 200,
    "rounds_undecide": 200,
    "draws_weigh": 200,
    "draws_change": 200,
    "draws_schedule": 200,
    "stages_play-off": 200,
    "stages_take-back-order": 200,
    "stages_let-stand": 200,
    "stages_standings": 200,
    "stages_after-final": 200,
    "rounds_give-time": 200,
    "rounds_new-link": 200,
    "bans_add": 201,
    "entrants_wish": 200,
    "entrants_replace": 200,
    "entrants_substitute": 201,
    "entrants_enter": 201,
    "entrants_new-link": 200,
    "entrants_merge": 200,
    "entrants_correct": 200,
    "entrants_check-in": 200,
}
"""Operations with a body, and the status of their success."""
BARE = {
    "stages_open": 200,
    "stages_lots": 200,
    "rounds_start": 200,
    "rounds_pause": 200,
    "rounds_resume": 200,
    "rounds_unschedule": 200,
    "draws_undo": 200,
    "draws_discard": 200,
    "entrants_check-out": 200,
    "entrants_withdraw": 200,
    "entrants_return": 200,
    "entrants_paid": 200,
    "entrants_unpaid": 200,
    "entrants_unmerge": 200,
}
"""Operations without a body."""
READS = {
    "stages_list",
    "stages_read",
    "stages_cut",
    "stages_ranking",
    "stages_rounds",
    "rounds_read",
    "rounds_draws",
    "jobs_read",
    "draws_read",
    "draws_request",
    "draws_why",
    "draws_proposals",
    "draws_compare",
    "bans_list",
    "entrants_data",
}


@cache
def operations() -> dict[str, dict[str, Any]]:
    schema = SchemaGenerator().get_schema(public=True)
    found = {}
    for path in schema["paths"].values():
        for operation in path.values():
            if isinstance(operation, dict) and "operationId" in operation:
                found[operation["operationId"]] = operation
    return found


def content(part: dict[str, Any], kind: str = "application/json") -> dict[str, Any]:
    shape: dict[str, Any] = part["content"][kind]["schema"]
    return shape


@pytest.mark.guide("director#for-programs")
@pytest.mark.parametrize("name", [*BODIES, *BARE, *sorted(READS)])
def test_the_schema_describes_every_verb(name: str) -> None:
    operation = operations()[name]
    assert len(operation["description"]) >= 10
    success = str(BODIES.get(name) or BARE.get(name) or 200)
    assert content(operation["responses"][success])
    if name in BODIES:
        body = content(operation["requestBody"])
        assert "$ref" in body
        assert not body["$ref"].endswith("/Object")
    else:
        assert "requestBody" not in operation
    refusals = {"400", "401", "403", "404"} | (set() if name in READS else {"409"})
    assert refusals <= set(operation["responses"])
    for status in refusals:
        shape = content(operation["responses"][status], "application/problem+json")
        assert shape == {"$ref": "#/components/schemas/Problem"}


@pytest.mark.guide("director#for-programs")
def test_nothing_of_the_desk_is_missing_in_the_schema() -> None:
    ours = {
        name
        for name in operations()
        if name.split("_")[0] in ("stages", "rounds", "draws", "bans", "entrants", "jobs")
    }
    described = {
        *BODIES,
        *BARE,
        *READS,
        "stages_remove",
        "bans_lift",
        "entrants_remove",
        "entrants_erase",
    }
    assert described <= ours
    assert {name for name in ours - described if not name.endswith(("_list", "_read"))} == set()


# -- the verbs, with a session and with a token ----------------------------------------------------


@pytest.fixture(scope="module")
def built(module_database: None) -> Event:
    return make_event(13, deals=1, cut=8)


@pytest.fixture
def event(built: Event) -> Event:
    return Event.objects.get(pk=built.pk)


def caller(client: Client, event: Event, way: str, name: str = "director") -> Caller:
    """Return a director's API caller: with a session, or with an API token."""
    user = make_user(name, event, Role.DIRECTOR)
    headers = {"Accept-Language": "en"}
    if way == "session":
        client.force_login(user)
    else:
        from accounts.api_tokens import issue
        from ledger.actors import Actor

        _token, text = issue(
            user_id=user.pk,
            name="tests",
            scope=event.pk,
            may_write=True,
            days=1,
            actor=Actor.user(user.pk),
        )
        headers["Authorization"] = f"Bearer {text}"

    def call(verb: str, address: str, body: Any = None, expect: int = 200) -> Any:
        answer = client.generic(
            verb,
            f"/api/v1/{address}",
            json.dumps(body or {}),
            content_type="application/json",
            headers=headers,
        )
        assert answer.status_code == expect, (verb, address, answer.content.decode()[:600])
        if expect >= 400:
            assert answer["Content-Type"] == "application/problem+json"
        return answer.json() if answer.content else None

    return call


def draw(call: Caller, event: Event, round_: str, **body: Any) -> dict[str, Any]:
    """Request a draw, let a worker do it, and read the result."""
    job = call("POST", f"rounds/{round_}/draws/", body, 202)
    assert (job["state"], job["percent"]) == ("queued", 0)
    work_on(job["id"])
    done = call("GET", f"events/{event.slug}/jobs/{job['id']}/")
    assert (done["state"], done["percent"]) == ("done", 100), done
    shown: dict[str, Any] = call("GET", f"draws/{done['result']['draw']}/")
    return shown


WAYS = pytest.mark.parametrize("way", ["session", "token"])


@pytest.mark.guide("director#for-programs")
@WAYS
def test_a_round_from_draw_to_close_by_program(client: Client, event: Event, way: str) -> None:
    call = caller(client, event, way)
    base = f"events/{event.slug}/"
    round_ = call("GET", f"{base}stages/1/rounds/")[0]["id"]
    first = draw(call, event, round_, bye_first=[3])
    assert first["byes"] == [3]
    for line in first["certificate"]:
        assert {"code", "value", "bound", "optimal", "sentence", "why"} <= set(line)
    one, two = (first["tables"][n]["players"][0] for n in (0, 1))
    swap = {"verb": "swap", "one": one, "two": two}
    cost = call("POST", f"draws/{first['id']}/weigh/", swap)
    assert set(cost["delta"]) == {line["code"] for line in first["certificate"]}
    changed = call("POST", f"draws/{first['id']}/change/", {**swap, "after": 0})
    assert changed["tables"][0]["players"][0] == two
    stale = call("POST", f"draws/{first['id']}/change/", {**swap, "after": 0}, 409)
    assert stale["code"] == "draw_changed"
    assert call("POST", f"draws/{first['id']}/undo/")["tables"] == first["tables"]
    moved = {"verb": "move", "table": 1, "to": 40, "after": 0}
    assert call("POST", f"draws/{first['id']}/change/", moved)["changes"] == 1
    assert call("GET", f"draws/{first['id']}/why/40/")["reasons"]
    assert call("GET", f"draws/{first['id']}/why/77/", expect=400)["code"] == "no_such_table"
    assert call("GET", f"draws/{first['id']}/proposals/{one}/")[0]["number"] != one
    second = draw(call, event, round_, keep_of=first["id"], keep=[40, 2])
    kept = {t["number"]: t["players"] for t in second["tables"]}
    assert kept[2] == first["tables"][1]["players"]
    compared = call("GET", f"draws/{first['id']}/compare/{second['id']}/")
    assert {"label", "one", "two", "by"} == set(compared[0])
    at = (timezone.now() + timedelta(hours=1)).isoformat()
    assert call("POST", f"draws/{second['id']}/schedule/", {"at": at})["publish_at"]
    assert call("POST", f"rounds/{round_}/unschedule/")["publish_at"] is None
    assert call("POST", f"draws/{first['id']}/discard/")["state"] == "discarded"
    assert call("POST", f"draws/{second['id']}/publish/")["state"] == "published"
    assert call("POST", f"draws/{first['id']}/publish/", expect=409)["code"] == "round_published"
    assert call("POST", f"rounds/{round_}/unpublish/", {"reason": "hall"})["state"] == "drawn"
    call("POST", f"draws/{second['id']}/publish/")
    assert call("POST", f"rounds/{round_}/start/")["state"] == "playing"
    assert call("POST", f"rounds/{round_}/extend/", {"minutes": 5})["ends_at"]
    waiting = call("POST", f"rounds/{round_}/close/", expect=409)
    assert waiting["code"] == "tables_not_signed"
    play_round(Round.objects.get(pk=round_), chance())
    refused = call("POST", f"rounds/{round_}/unpublish/", {"reason": "hall"}, 409)
    assert refused["code"] == "entries_exist"
    assert "Move single players" in refused["detail"]
    assert call("POST", f"rounds/{round_}/close/")["state"] == "closed"
    assert call("POST", f"rounds/{round_}/reopen/", {"reason": "table 2"})["state"] == "playing"


@pytest.mark.guide("director#for-programs")
@WAYS
def test_people_by_program(client: Client, event: Event, way: str) -> None:
    call = caller(client, event, way)
    base = f"events/{event.slug}/"
    round_ = call("GET", f"{base}stages/1/rounds/")[0]["id"]
    shown = draw(call, event, round_)
    call("POST", f"draws/{shown['id']}/publish/")
    late = call("POST", f"{base}entrants/", {"name": "Late Comer", "club": "De Reizers"}, 201)
    assert (late["number"], late["state"], late["from_round"]) == (14, "present", 2)
    taken = call("POST", f"{base}entrants/", {"name": "Other", "number": 14}, 400)
    assert taken["field"] == "number"
    assert call("POST", f"{base}entrants/14/check-out/")["state"] == "registered"
    assert call("POST", f"{base}entrants/14/check-in/")["state"] == "present"
    gone = call("POST", f"{base}entrants/5/withdraw/")
    assert (gone["state"], gone["withdrawn_after"]) == ("withdrawn", 1)
    assert call("POST", f"{base}entrants/5/return/")["withdrawn_after"] is None
    ban = call("POST", f"{base}bans/", {"one": 1, "two": 2}, 201)
    assert call("GET", f"{base}bans/") == [ban]
    call("DELETE", f"{base}bans/{ban['id']}/", expect=204)
    assert call("PATCH", f"{base}wishes/4/", {"fixed_seat": True})["fixed_seat"] is True
    assert call("PATCH", f"{base}wishes/4/", {}, 400)["code"] == "nothing_asked"
    assert call("POST", f"{base}replace/", {"old": 7, "new": 14})["number"] == 14
    seats = Table.objects.filter(round=round_, seats__entrant__number=14)
    assert seats.count() == 1
    assert call("POST", f"{base}entrants/99/withdraw/", expect=404)["code"] == "not_found"
    assert call("POST", f"{base}entrants/5/dance/", expect=404)["code"] == "unknown_verb"


@pytest.mark.guide("director#for-programs")
@WAYS
def test_stages_and_their_cut_by_program(client: Client, event: Event, way: str) -> None:
    call = caller(client, event, way)
    base = f"events/{event.slug}/stages/"
    assert [stage["order"] for stage in call("GET", base)] == [1, 2, 3]
    added = call("POST", base, {"name": "Cup", "format": "ko", "rounds": 2}, 201)
    assert call("GET", f"{base}4/") == added
    assert call("PATCH", f"{base}4/", {"minutes": 30})["minutes"] == 30
    for bad in ({"cut": {"top": "all"}}, {"cut": {"top": [1]}}, {"cut": {"best": 3}}):
        assert call("PATCH", f"{base}4/", bad, 400)["code"] == "unknown_cut"
    call("DELETE", f"{base}4/", expect=204)
    call("PATCH", f"{base}1/", {"rounds": 1, "cut": {"top": 8, "tie": "play_off"}})
    round_ = call("GET", f"{base}1/rounds/")[0]["id"]
    shown = draw(call, event, round_)
    call("POST", f"draws/{shown['id']}/publish/")
    assert call("POST", f"{base}1/open/", expect=409)["code"] == "rounds_open"
    call("POST", f"rounds/{round_}/start/")
    play_round(Round.objects.get(pk=round_), chance())
    call("POST", f"rounds/{round_}/close/")
    cut = call("GET", f"{base}1/cut/")
    assert len(cut["reserves"]) <= 4
    for group in cut["undecided"]:
        call("POST", f"{base}1/play-off/", {"numbers": group["numbers"]})
    wrong = call("POST", f"{base}1/play-off/", {"numbers": [1, 2]}, 400)
    assert wrong["code"] == "not_the_tied"
    assert call("POST", f"{base}1/lots/")["order"] == []
    assert call("POST", f"{base}1/open/") == {"stage": 2, "players": 8}


@WAYS
def test_a_director_of_another_event_is_refused_everywhere(
    client: Client, event: Event, way: str
) -> None:
    round_ = Round.objects.get(stage__event=event, stage__order=1, number=1)
    other = make_event(4, name="Other")
    owner = caller(Client(), event, "session", "owner")
    shown = draw(owner, event, str(round_.pk))
    call = caller(client, other, way)
    theirs = draw(
        call, other, str(Round.objects.get(stage__event=other, stage__order=1, number=1).pk)
    )
    before = list(Draw.objects.order_by("pk").values())
    events, rounds, draws = f"events/{event.slug}/", f"rounds/{round_.pk}/", f"draws/{shown['id']}/"
    for name in operations():
        verb = name.split("_")[1] if "_" in name else ""
        room = name.split("_")[0]
        if name in BODIES or name in BARE:
            where = {"rounds": f"{rounds}{verb}/", "draws": f"{draws}{verb}/"}.get(room)
            if name == "rounds_draw":
                where = f"{rounds}draws/"
            if room == "stages" and verb not in ("add", "change"):
                where = f"{events}stages/1/{verb}/"
            if room == "entrants" and name in BARE:
                where = f"{events}entrants/1/{verb}/"
            if where:
                assert call("POST", where, {}, 403)["code"] == "permission_denied"
    for where in (
        f"{events}stages/",
        f"{events}stages/1/",
        f"{events}stages/1/cut/",
        f"{events}bans/",
        f"{events}stages/1/rounds/",
        rounds,
        f"{rounds}draws/",
        draws,
        f"{draws}request/",
        f"{draws}why/1/",
        f"{draws}proposals/1/",
        f"{draws}compare/{theirs['id']}/",
        f"{events}jobs/{uuid.uuid4()}/",
    ):
        call("GET", where, expect=403)
    for where in ("stages/", "bans/", "replace/", "entrants/"):
        call("POST", events + where, {}, 403)
    # Nor does the own event's id give access to another event's draw.
    call("GET", f"draws/{theirs['id']}/compare/{shown['id']}/", expect=404)
    assert list(Draw.objects.order_by("pk").values()) == before
    round_.refresh_from_db()
    assert round_.state == "drawn"


@pytest.mark.guide("director#for-programs")
def test_a_program_without_account_is_told_to_sign_in(client: Client, event: Event) -> None:
    round_ = Round.objects.get(stage__event=event, stage__order=1, number=1)
    for verb, where in (
        ("POST", f"rounds/{round_.pk}/draws/"),
        ("GET", f"rounds/{round_.pk}/"),
        ("POST", f"events/{event.slug}/entrants/"),
        ("GET", f"events/{event.slug}/stages/"),
    ):
        answer = client.generic(verb, f"/api/v1/{where}", "{}", content_type="application/json")
        assert answer.status_code in (401, 403)
        assert answer["Content-Type"] == "application/problem+json"
        assert answer.json()["code"] == "not_authenticated"


def test_seating_and_deciding_by_program(client: Client, event: Event) -> None:
    call = caller(client, event, "session")
    round_ = call("GET", f"events/{event.slug}/stages/1/rounds/")[0]["id"]
    shown = draw(call, event, round_)
    publication.publish_draw(draw_id=uuid.UUID(shown["id"]), actor=SYSTEM)
    (out,) = shown["byes"]
    seated = call("POST", f"rounds/{round_}/seat/", {"players": [out, 1], "table": 9}, 400)
    assert seated["status"] == 400
    here, there = (shown["tables"][n]["players"][0] for n in (0, 1))
    call("POST", f"rounds/{round_}/exchange/", {"one": here, "two": there})
    assert Table.objects.get(round=round_, seats__entrant__number=here).number == 2
    unknown = call(
        "POST", f"rounds/{round_}/decide/", {"table": 77, "winner": 1, "reason": "x"}, 400
    )
    assert unknown["code"] == "no_such_table"
    chosen = {"table": 2, "winner": here, "reason": "no show"}
    alone = call("POST", f"rounds/{round_}/decide/", chosen, 400)
    assert alone["code"] == "no_match"


def test_a_level_match_is_decided_by_program(client: Client) -> None:
    event, final = level_final()
    call = caller(client, event, "session")
    chosen = {"table": 1, "winner": 2, "reason": "one more deal"}
    call("POST", f"rounds/{final.round_id}/decide/", chosen)
    assert Table.objects.get(round=final.round, number=1).decided_reason == "one more deal"
    call("POST", f"rounds/{final.round_id}/undecide/", {"table": 1, "reason": "too early"})
    assert Table.objects.get(round=final.round, number=1).decided_for is None
