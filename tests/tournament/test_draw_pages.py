"""The director's pages and the API of draws: content, actions, refusals and permissions."""

from __future__ import annotations

import json
import re
from datetime import timedelta
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils import timezone

from accounts.models import Role, User
from ledger.jobs import work_on
from ledger.models import Job
from tests.markup import markup, without_marks
from tests.tournament.build import SYSTEM, grant, make_event, make_user
from tests.tournament.desk import agree
from tests.tournament.test_stages import event_of, publish_next
from tournament.models import Draw, Event, Round
from tournament.services import draws, entrants
from tournament.services.events import new_stage
from tournament.services.publication import publish_draw
from tournament.services.reseating import replace_player

pytestmark = pytest.mark.django_db


def round_of(event: Event, number: int = 1) -> Round:
    return Round.objects.get(stage__event=event, stage__order=1, number=number)


def candidate_of(event: Event, number: int = 1) -> Draw:
    job = draws.request_draw(round_id=round_of(event, number).pk, actor=SYSTEM)
    work_on(str(job.pk))
    job.refresh_from_db()
    return Draw.objects.get(pk=job.result["draw"])


@pytest.fixture
def event() -> Event:
    return make_event(16)


@pytest.fixture
def director(client: Client, event: Event) -> Client:
    client.force_login(make_user("director", event, Role.DIRECTOR))
    client.cookies["django_language"] = "en"
    return client


@pytest.mark.parametrize(
    ("format_", "offered"),
    [
        ("individual_draw", True),
        ("individual_movement", True),
        ("pairs_swiss", True),
        ("pairs_mitchell", False),
        ("round_robin", False),
        ("ko", False),
    ],
)
def test_tables_are_kept_where_a_draw_can_keep_them(
    client: Client, format_: str, offered: bool
) -> None:
    # A new draw that lays out all matches again has no such table, so keeping one was refused.
    event = make_event(16, plan=[new_stage("Stage", format=format_, rounds=3)])
    client.force_login(make_user("director", event, Role.DIRECTOR))
    page = without_marks(
        client.get(f"/desk/{event.slug}/draws/{candidate_of(event).pk}/").content.decode()
    )
    assert ('name="keep"' in page) is offered
    assert 'name="verb" value="move"' in page  # a table takes another number in every format


def first_two(candidate: Draw) -> tuple[int, int]:
    at = dict(candidate.round.stage.event.entrants.values_list("pk", "number"))
    return at[candidate.tables[0]["players"][0]], at[candidate.tables[1]["players"][0]]


@pytest.mark.guide("director#a-round")
def test_a_director_draws_looks_changes_and_publishes(director: Client, event: Event) -> None:
    desk = f"/desk/{event.slug}/"
    round_ = round_of(event)
    answer = director.post(f"{desk}rounds/{round_.pk}/draw/", {"seed": "lottery 7-12-19"})
    job = Job.objects.get(kind="tournament.draw")
    assert answer["Location"] == f"{desk}jobs/{job.pk}/"
    work_on(str(job.pk))
    candidate = Draw.objects.get()
    page = f"{desk}draws/{candidate.pk}/"
    assert director.get(answer["Location"])["Location"] == page
    assert director.get(answer["Location"], {"part": "page"})["X-Live-Go"] == page
    assert "X-Live-Go" not in director.get(answer["Location"], {"part": "1"}).headers
    one, two = first_two(candidate)
    shown = without_marks(
        director.get(page, {"verb": "swap", "one": one, "two": two}).content.decode()
    )
    assert "Effect of the change" in shown
    assert "lottery 7-12-19" in shown
    candidate.refresh_from_db()
    assert candidate.edits == []
    change = {"act": "make", "verb": "swap", "one": one, "two": two, "after": 0}
    assert director.post(page, change)["Location"] == page
    candidate.refresh_from_db()
    assert len(candidate.edits) == 1
    assert "swapped places" in without_marks(director.get(page).content.decode())
    assert "Why table 1" in without_marks(director.get(page, {"why": 1}).content.decode())
    assert "repeated meetings" in without_marks(director.get(page, {"who": one}).content.decode())
    director.post(page, {"act": "undo"})
    candidate.refresh_from_db()
    assert candidate.edits == []
    at = timezone.localtime() + timedelta(hours=2)
    director.post(page, {"act": "schedule", "at": at.strftime("%Y-%m-%dT%H:%M")})
    round_.refresh_from_db()
    assert round_.publish_draw_id == candidate.pk
    assert "Will be published automatically" in without_marks(director.get(page).content.decode())
    director.post(page, {"act": "unschedule"})
    assert director.post(page, {"act": "publish"})["Location"] == desk
    round_.refresh_from_db()
    assert round_.state == "published"


@pytest.mark.guide("director#a-round")
def test_two_players_are_exchanged_by_tapping_their_names(director: Client, event: Event) -> None:
    job = director.post(f"/desk/{event.slug}/rounds/{round_of(event).pk}/draw/").headers["Location"]
    work_on(job.split("/")[-2])
    candidate = candidate_of(event)
    page = f"/desk/{event.slug}/draws/{candidate.pk}/"
    one, two = first_two(candidate)

    def links(address: str) -> dict[str, str]:
        text = without_marks(director.get(address).content.decode())
        found = re.findall(r'<a href="([^"]+)">(\d+) [^<]*</a>', text)
        return {number: unescape(link) for link, number in found}

    first = links(page)[str(one)]
    assert first == f"?pick={one}#tables"
    picked = links(page + first)
    assert picked[str(one)] == "?#tables"
    text = without_marks(director.get(page + picked[str(two)]).content.decode())
    assert 'id="cost"' in text
    assert f'name="one" value="{one}"' in text
    assert f'name="two" value="{two}"' in text


def test_two_candidates_stand_side_by_side(director: Client, event: Event) -> None:
    round_ = round_of(event)
    address = f"/desk/{event.slug}/rounds/{round_.pk}/draws/compare/"
    candidate_of(event)
    assert director.get(address)["Location"] == f"/desk/{event.slug}/rounds/"
    candidate_of(event)
    shown = without_marks(director.get(address).content.decode())
    assert "seed/1/2" in shown
    assert shown.count("Publish this draw") == 2


def test_a_refusal_is_told_with_its_way_out(director: Client, event: Event) -> None:
    candidate = candidate_of(event)
    page = f"/desk/{event.slug}/draws/{candidate.pk}/"
    shown = director.get(page, {"verb": "swap", "one": 1, "two": 999}, follow=True)
    assert "999" in without_marks(shown.content.decode())
    answer = director.post(page, {"act": "schedule", "at": "yesterday"}, follow=True)
    assert answer.status_code == 422
    assert "Enter a day and a time" in without_marks(answer.content.decode())
    answer = director.post(page, {"act": "schedule", "at": "2001-02-03T10:00"})
    told = without_marks(answer.content.decode())
    assert answer.status_code == 422
    assert 'value="2001-02-03T10:00"' in told
    assert re.search(r"<details[^>]* open>\s*<summary>Schedule publication", told)
    assert director.post(page, {"act": "dance"}).status_code == 404


def test_the_cut_is_changed_in_the_plan_of_stages(director: Client, event: Event) -> None:
    plan = f"/desk/{event.slug}/stages/"
    page = " ".join(without_marks(director.get(plan).content.decode()).split())
    assert "whole tables: 8 qualify" in page
    assert 'name="top" value="8"' in page
    assert director.post(plan, {"order": 1, "top": "12"})["Location"] == plan
    assert event.stages.get(order=1).cut["top"] == 12
    refused = without_marks(
        director.post(plan, {"order": 1, "top": "many"}, follow=True).content.decode()
    )
    assert "Enter a whole number." in refused
    assert event.stages.get(order=1).cut["top"] == 12
    director.post(plan, {"order": 1, "top": ""})
    assert event.stages.get(order=1).cut == {}
    assert director.post(plan, {"order": 9, "top": "8"}).status_code == 404


@pytest.mark.parametrize(
    ("format", "pairs", "drawing"),
    [
        ("ko", 5, {}),
        ("ko", 12, {"third_place": True}),
        ("ko", 33, {}),
        ("pools_ko", 13, {"pool_size": 4, "main": 2}),
        ("pools_ko", 22, {"pool_size": 4, "main": 2, "consolation": True}),
        ("pools_ko", 19, {"pool_size": 5, "main": 1, "best_next": 2}),
    ],
)
def test_the_plan_names_the_rounds_that_a_bracket_then_has(
    director: Client, format: str, pairs: int, drawing: dict[str, Any]
) -> None:
    event = event_of(pairs, format, rounds=5, drawing=drawing)
    grant(User.objects.get(username="director"), Role.DIRECTOR, event.pk)
    plan = f"/desk/{event.slug}/stages/"
    (before,) = director.get(plan).context["listed"]
    publish_next(event)
    assert before.rounds == event.stages.get().rounds_planned


def test_stages_are_added_changed_and_taken_away_by_form(director: Client) -> None:
    event = make_event(16, plan=[new_stage("Day", format="pairs_swiss", rounds=3)], name="Pairs")
    grant(User.objects.get(username="director"), Role.DIRECTOR, event.pk)
    desk = f"/desk/{event.slug}/stages/"
    form = {
        "name": "Pairs evening",
        "format": "pairs_swiss",
        "rounds": 5,
        "games_per_round": "1",
        "deals_per_game": 8,
        "minutes": 40,
        "ranking": "recommended",
        "club_rounds": 1,
        "order": "neighbours",
        "consolation": "on",
        "top": 4,
        "tie": "lots",
        "credit": "nothing",
    }
    assert director.post(f"{desk}new/", form)["Location"] == desk
    stage = event.stages.get(order=2)
    assert (stage.drawing, stage.cut) == ({"order": "neighbours"}, {"top": 4, "tie": "lots"})
    assert stage.rounds.count() == 5
    shown = without_marks(director.get(f"{desk}2/").content.decode())
    assert "Pairs evening" in shown
    bad = director.post(f"{desk}2/", {**form, "deals_per_game": ""})
    assert "how many points" in without_marks(bad.content.decode())
    assert director.post(f"{desk}2/", {"remove": "1"})["Location"] == desk
    assert event.stages.count() == 1


def test_wishes_bans_and_replacements_by_form(director: Client, event: Event) -> None:
    page = f"/desk/{event.slug}/wishes/"
    assert director.post(page, {"verb": "ban", "one": 1, "two": 2})["Location"] == page
    ban = event.bans.get()
    assert "no number 77" in without_marks(
        director.post(page, {"verb": "ban", "one": 1, "two": 77}).content.decode()
    )
    director.post(page, {"verb": "wish", "number": 3, "family": "Lagae", "fixed_seat": "on"})
    assert event.entrants.get(number=3).fixed_seat
    director.post(page, {"verb": "lift", "ban": ban.pk})
    assert not event.bans.exists()
    agree(director, page, {"verb": "replace", "old": 4, "new": 5})
    assert event.entrants.get(number=4).state == "withdrawn"


@pytest.mark.guide(
    "check#checking-an-event-from-outside",
    "check#repeat-the-draws",
    "director#a-round",
    "formats#keeping-a-draw",
)
def test_anybody_can_see_how_a_draw_came_about_and_make_it_again(
    client: Client, event: Event, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    candidate = candidate_of(event)
    address = f"/e/{event.slug}/draw/1/1/"
    assert client.get(f"{address}proof/").status_code == 404
    publish_draw(draw_id=candidate.pk, actor=SYSTEM)
    shown = without_marks(client.get(f"{address}proof/", {"table": 2}).content.decode())
    assert "seed/1" in shown
    file = tmp_path / "request.json"
    file.write_bytes(client.get(f"{address}request.json").content)
    call_command("reproduce_draw", "--file", str(file))
    said = capsys.readouterr().out
    at = dict(event.entrants.values_list("pk", "number"))
    for table in candidate.tables:
        seats = "  ".join(
            f"{seat} {at[p]}" for seat, p in zip("ABCD", table["players"], strict=True)
        )
        assert f"{table['number']}: {seats}" in said
    call_command("reproduce_draw", str(candidate.pk))
    assert "The same tables" in capsys.readouterr().out
    file.write_text(json.dumps({"seed": "x"}))
    with pytest.raises(CommandError, match="not the request of a draw"):
        call_command("reproduce_draw", "--file", str(file))
    with pytest.raises(CommandError, match="no draw"):
        call_command("reproduce_draw", "nothing")


@pytest.mark.parametrize("format", ["individual_draw", "random", "pairs_swiss"])
def test_a_draft_in_which_a_player_was_replaced_is_still_drawn_again(
    client: Client, format: str
) -> None:
    event = event_of(16, format)
    first = candidate_of(event)
    tables = first.tables
    entrants.enter_player(event_id=event.pk, name="Nora Nieuw", actor=SYSTEM)
    replace_player(event_id=event.pk, old=3, new=17, actor=SYSTEM)
    first.refresh_from_db()
    assert first.tables != tables
    call_command("reproduce_draw", str(first.pk))
    publish_draw(draw_id=first.pk, actor=SYSTEM)
    request = client.get(f"/e/{event.slug}/draw/1/1/request.json").json()
    assert {who["id"] for who in request["contestants"]} == set(range(1, 17))


# -- API -------------------------------------------------------------------------------------------


def post(client: Client, address: str, body: Any = None) -> Any:
    return client.post(address, data=json.dumps(body or {}), content_type="application/json")


@pytest.mark.guide("formats#keeping-a-draw")
def test_the_api_does_what_the_desk_does(director: Client, event: Event) -> None:
    round_ = round_of(event)
    answer = post(director, f"/api/v1/rounds/{round_.pk}/draws/", {"bye_first": [3]})
    assert answer.status_code == 202
    job = answer.json()["id"]
    work_on(job)
    state = director.get(f"/api/v1/events/{event.slug}/jobs/{job}/").json()
    assert state["state"] == "done"
    address = f"/api/v1/draws/{state['result']['draw']}/"
    shown = director.get(address).json()
    assert sorted(p for t in shown["tables"] for p in t["players"]) == list(range(1, 17))
    one, two = shown["tables"][0]["players"][0], shown["tables"][1]["players"][0]
    edit = {"verb": "swap", "one": one, "two": two}
    assert set(post(director, f"{address}weigh/", edit).json()) == {"delta", "worse"}
    assert post(director, f"{address}change/", edit).status_code == 400
    assert post(director, f"{address}change/", {**edit, "after": 0}).json()["changes"] == 1
    stale = post(director, f"{address}change/", {**edit, "after": 0})
    assert (stale.status_code, stale.json()["code"]) == (409, "draw_changed")
    assert stale["Content-Type"] == "application/problem+json"
    assert post(director, f"{address}undo/").json()["changes"] == 0
    assert director.get(f"{address}why/1/").json()["reasons"]
    assert director.get(f"{address}request/").json()["seed"] == "seed/1"
    other = candidate_of(event)
    assert director.get(f"{address}compare/{other.pk}/").json()
    assert post(director, f"{address}publish/").json()["state"] == "published"
    assert post(director, f"/api/v1/rounds/{round_.pk}/start/").json()["state"] == "playing"
    assert post(director, f"/api/v1/rounds/{round_.pk}/dance/").json()["code"] == "unknown_verb"
    swapped = post(director, f"/api/v1/rounds/{round_.pk}/exchange/", {"one": one, "two": two})
    assert swapped.status_code == 200
    gone = post(director, f"/api/v1/rounds/{round_.pk}/unpublish/", {"reason": "wrong hall"})
    assert gone.json()["state"] == "drawn"


def test_stages_bans_and_wishes_by_api(director: Client, event: Event) -> None:
    base = f"/api/v1/events/{event.slug}/"
    assert len(director.get(f"{base}stages/").json()) == 3
    made = post(
        director,
        f"{base}stages/",
        {"name": "Cup", "format": "ko", "rounds": 3, "games_per_round": 1, "drawing": {"seeds": 4}},
    )
    assert (made.status_code, made.json()["order"]) == (201, 4)
    refused = director.patch(
        f"{base}stages/4/", json.dumps({"drawing": {"seed": 4}}), content_type="application/json"
    )
    assert (refused.status_code, refused.json()["field"]) == (400, "seed")
    kept = director.patch(
        f"{base}stages/4/", json.dumps({"minutes": 30}), content_type="application/json"
    ).json()
    assert (kept["minutes"], kept["drawing"]) == (30, {"seeds": 4})
    assert director.delete(f"{base}stages/4/").status_code == 204
    ban = post(director, f"{base}bans/", {"one": 1, "two": 2}).json()
    assert director.get(f"{base}bans/").json() == [ban]
    assert director.delete(f"{base}bans/{ban['id']}/").status_code == 204
    wish = director.patch(
        f"{base}wishes/5/", json.dumps({"keeps_score": False}), content_type="application/json"
    )
    assert wish.json()["keeps_score"] is False
    assert post(director, f"{base}replace/", {"old": 1, "new": 1}).json()["code"] == "same_player"


@pytest.mark.parametrize("role", ["", Role.SCOREKEEPER, Role.REFEREE, Role.APPEALS])
def test_who_does_not_direct_draws_nothing(client: Client, event: Event, role: str) -> None:
    candidate = candidate_of(event)
    round_ = round_of(event)
    other = make_event(4, name="Other")
    user = make_user("somebody", event, role) if role else make_user("somebody", other, "director")
    pages = [
        f"/desk/{event.slug}/rounds/",
        f"/desk/{event.slug}/draws/{candidate.pk}/",
        f"/desk/{event.slug}/stages/",
        f"/desk/{event.slug}/wishes/",
        f"/desk/{event.slug}/rounds/{round_.pk}/draws/compare/",
    ]
    asks = [
        f"/api/v1/rounds/{round_.pk}/draws/",
        f"/api/v1/draws/{candidate.pk}/publish/",
        f"/api/v1/rounds/{round_.pk}/start/",
        f"/api/v1/events/{event.slug}/bans/",
        f"/api/v1/events/{event.slug}/stages/",
        f"/api/v1/events/{event.slug}/replace/",
    ]
    for address in pages:
        assert client.get(address).status_code == 302
    for address in asks:
        assert post(client, address).status_code in (401, 403)
    client.force_login(user)
    for address in pages:
        assert client.get(address).status_code == 403, address
    for address in asks:
        assert post(client, address).status_code == 403, address
    candidate.refresh_from_db()
    round_.refresh_from_db()
    assert (candidate.state, round_.state) == ("candidate", "drawn")


@pytest.mark.guide("director#open-an-event")
@pytest.mark.parametrize(
    ("shape", "format", "games"),
    [
        ("championship", "individual_draw", 3),
        ("individual_draw", "individual_draw", 3),
        ("rainbow", "individual_movement", 1),
        ("whist", "individual_movement", 1),
        ("pairs_swiss", "pairs_swiss", 1),
        ("pairs_mitchell", "pairs_mitchell", 1),
        ("round_robin", "round_robin", 1),
        ("pools_ko", "pools_ko", 1),
        ("ko", "ko", 1),
        ("random", "random", 3),
    ],
)
def test_every_format_is_reached_from_the_form_of_a_new_event(
    client: Client, shape: str, format: str, games: int
) -> None:

    admin = make_user("admin")
    grant(admin, Role.ADMIN)
    client.force_login(admin)
    form = {
        "name": "An evening",
        "day": "2026-11-21",
        "language": "nl",
        "rulebook": "belgian",
        "shape": shape,
        "rounds": 4,
        "deals": 8,
        "minutes": 40,
        "cut": 0,
        "ranking": "recommended",
        "protocol": "confirm",
        "bell_rule": "finish",
    }
    answer = client.post("/desk/new/", form)
    assert answer.status_code == 302, without_marks(answer.content.decode())[:2000]
    stage = Event.objects.get(name="An evening").stages.get()
    assert (stage.format, stage.games_per_round, stage.rounds.count()) == (format, games, 4)
    assert stage.drawing == ({"movement": "whist"} if shape == "whist" else {})


def test_an_auction_evening_is_opened_with_its_stakes(client: Client) -> None:

    admin = make_user("admin")
    grant(admin, Role.ADMIN)
    client.force_login(admin)
    form = {
        "name": "Auction",
        "day": "2026-11-21",
        "language": "nl",
        "rulebook": "auction-1",
        "shape": "individual_draw",
        "rounds": 2,
        "deals": 8,
        "minutes": 40,
        "cut": 0,
        "ranking": "recommended",
        "protocol": "confirm",
        "bell_rule": "finish",
    }
    assert "stakes" in without_marks(client.post("/desk/new/", form).content.decode())
    assert not Event.objects.exists()
    assert client.post("/desk/new/", {**form, "stakes": "100 80 60 40 20"}).status_code == 302
    assert Event.objects.get().options == {"stakes": [100, 80, 60, 40, 20]}


@pytest.mark.parametrize(("players", "said"), [(16, False), (17, True), (18, False)])
def test_nobody_is_said_to_have_a_bye_in_a_movement_that_there_is_not(
    client: Client, players: int, said: bool
) -> None:
    """A Whist movement exists for 4k and 4k + 1 players; for 18 the draw itself reports that."""
    plan = new_stage("Whist", format="individual_movement", rounds=3, drawing={"movement": "whist"})
    event = make_event(players, plan=[plan])
    client.force_login(make_user("lead", event, Role.DIRECTOR))
    page = markup(client.get(f"/desk/{event.slug}/rounds/"))
    assert ("will have a bye" in page) is said


@pytest.mark.guide("director#a-round")
def test_a_draw_names_who_is_left_out_before_and_after_it(director: Client) -> None:
    event = make_event(11)
    director.force_login(make_user("lead", event, Role.DIRECTOR))
    by_number = {e.number: e for e in event.entrants.all()}
    entrants.check_out(entrant_id=by_number[3].pk, actor=SYSTEM)
    entrants.withdraw(entrant_id=by_number[7].pk, actor=SYSTEM)
    desk = f"/desk/{event.slug}/"
    before = markup(director.get(f"{desk}rounds/"))
    assert "1 not checked in" in before
    assert f"3 {by_number[3].person.name}" in before
    assert f"7 {by_number[7].person.name}" in before
    assert "1 of those present will have a bye" in before
    assert f"{desk}players/?state=registered" in before
    candidate = candidate_of(event)
    after = markup(director.get(f"{desk}draws/{candidate.pk}/"))
    (bye,) = event.entrants.filter(pk__in=candidate.byes)
    for words in (
        "1 not checked in",
        "1 withdrawn",
        "1 has a bye this round",
        f"{bye.number} {bye.person.name}",
    ):
        assert words in after
    entrants.check_in(entrant_id=by_number[3].pk, actor=SYSTEM)
    after = without_marks(director.get(f"{desk}draws/{candidate.pk}/").content.decode())
    assert "1 checked in after this draw: draw again" in after
    told = director.get(f"/api/v1/draws/{candidate.pk}/").json()["left_out"]
    assert {group["reason"]: group["numbers"] for group in told} == {
        "arrived": [3],
        "out": [bye.number],
        "withdrawn": [7],
    }
