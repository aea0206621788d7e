"""Every format, with a number of players that does not fit, from the desk's forms and from the API.

Chosen, drawn, explained, published, printed, and drawn for a second round: the same steps for all.
"""

from __future__ import annotations

import gzip
import json
from dataclasses import dataclass, field
from typing import Any

import pytest
from django.test import Client

import manille_check
from accounts.models import Role
from ledger.jobs import work_on
from ledger.models import Job, JobState
from tests.sampled import one_in
from tests.tournament.build import SYSTEM, make_event, make_user
from tests.tournament.results import first_side_wins
from tournament.models import Draw, Event, Round, Seat
from tournament.models.tables import Sheet
from tournament.services import archive, clock, draws, rounds
from tournament.services.documents import BUILDERS
from tournament.services.events import new_stage

pytestmark = pytest.mark.django_db


@dataclass(frozen=True)
class Way:
    """A format with its options, a number of players, and the properties of the first draw.

    ``tables`` are the sizes of the first round's tables, ``out`` is the number of byes.
    """

    format: str
    players: int
    tables: tuple[int, ...]
    out: int = 0
    games: int = 1
    rulebook: str = "belgian"
    drawing: dict[str, Any] = field(default_factory=dict)
    rounds: int = 3


WAYS = {
    "championship": Way("individual_draw", 11, (4, 4), 3, games=3),
    "championship with tables of three": Way(
        "individual_draw", 15, (3, 4, 4, 4), games=3, drawing={"odd": "threes"}
    ),
    "individual by score": Way("individual_draw", 18, (4,) * 4, 2, drawing={"by_score": True}),
    "rainbow": Way("individual_movement", 17, (4,) * 4, 1),
    "whist": Way("individual_movement", 13, (4,) * 3, 1, drawing={"movement": "whist"}),
    "swiss": Way("pairs_swiss", 11, (2,) * 5, 1),
    "swiss, neighbours": Way("pairs_swiss", 11, (2,) * 5, 1, drawing={"order": "neighbours"}),
    "mitchell": Way("pairs_mitchell", 11, (2,) * 5, 1),
    "round robin": Way("round_robin", 7, (2,) * 3, 1),
    "pools": Way("pools_ko", 9, (2,) * 3, 3, drawing={"pool_size": 3}),
    "knock-out": Way("ko", 11, (2,) * 3, 5, drawing={"seeds": 4, "third_place": True}, rounds=4),
    "lots, players": Way("random", 15, (4, 4, 4), 3, games=3),
    "lots, pairs": Way("random", 11, (2,) * 5, 1, drawing={"unit": "pair"}),
    "auction": Way("individual_draw", 11, (5, 6), rulebook="auction-1", drawing={"table_size": 5}),
    "three players": Way("individual_draw", 11, (3, 3, 3), 2, rulebook="three-player"),
}

EVERY = pytest.mark.parametrize("way", one_in(4, WAYS.values()), ids=list(WAYS))


def event_for(way: Way) -> Event:
    """Create an event whose only stage has another format; the test chooses its own."""
    other = "individual_draw" if way.format == "random" else "random"
    stakes = {"stakes": [100, 80, 60, 40, 20]} if way.rulebook == "auction-1" else {}
    plan = new_stage("Stage", format=other, rounds=way.rounds, games_per_round=1, deals_per_game=2)
    return make_event(way.players, plan=[plan], rulebook=way.rulebook, options=stakes)


def check(event: Event, way: Way) -> Draw:
    """Check that the published draw of the first round has the form of ``way`` and can be reproduced."""
    stage = event.stages.get()
    assert (stage.format, stage.games_per_round, stage.drawing) == (
        way.format,
        way.games,
        way.drawing,
    )
    drawn = Draw.objects.select_related("round__stage__event").get(state="published")
    assert tuple(sorted(len(t["players"]) for t in drawn.tables)) == way.tables
    assert len(drawn.byes) == way.out
    assert Seat.objects.filter(round=drawn.round).count() == sum(way.tables)
    assert all(line["value"] >= line["bound"] for line in drawn.certificate["lines"])
    assert draws.reproduce(drawn)[1]
    return drawn


def finish(round_: Round) -> None:
    """Sign every table of the round, the first side as the winner, and close the round."""
    for sheet in Sheet.objects.filter(table__round=round_).select_related("table"):
        first_side_wins(sheet)
    clock.start_round(round_id=round_.pk, actor=SYSTEM)
    rounds.close_round(round_id=round_.pk, actor=SYSTEM)


@pytest.mark.guide("check#repeat-the-draws", "director#which-format-when")
@EVERY
def test_a_director_plays_it_from_the_desk(client: Client, way: Way) -> None:
    event = event_for(way)
    client.force_login(make_user("director", event, Role.DIRECTOR))
    client.cookies["django_language"] = "en"
    desk = f"/desk/{event.slug}/"
    rules = {"consolation": True, **way.drawing}
    form = {
        "name": "Stage",
        "format": way.format,
        "rounds": way.rounds,
        "games_per_round": way.games,
        "deals_per_game": 2,
        "minutes": 30,
        "ranking": event.stages.get().ranking,
        "club_rounds": 2,
        **{name: "on" if v is True else v for name, v in rules.items()},
    }
    answer = client.post(f"{desk}stages/1/", form)
    assert answer.status_code == 302, answer.content.decode()[:3000]
    for number in (1, 2):
        round_ = Round.objects.get(stage__event=event, number=number)
        client.post(f"{desk}rounds/{round_.pk}/draw/")
        job = Job.objects.filter(kind="tournament.draw").latest("created_at")
        assert "In progress" in client.get(f"{desk}jobs/{job.pk}/").content.decode()
        work_on(str(job.pk))
        job.refresh_from_db()
        assert job.state == JobState.DONE, job.failure
        page = f"{desk}draws/{job.result['draw']}/"
        assert client.get(f"{desk}jobs/{job.pk}/").headers["Location"] == page
        drawn = Draw.objects.get(pk=job.result["draw"])
        first = drawn.tables[0]["number"]
        shown = client.get(page, {"why": first}).content.decode()
        assert f"Why table {first}" in shown
        assert client.post(page, {"act": "publish"})["Location"] == desk
        if number == 1:
            check(event, way)
            for kind in ("draw-by-name", "draw-by-table", "table-cards", "slips"):
                content, _mark, _state = BUILDERS[kind](event, {}, "fr", "a4")
                assert content.startswith(b"%PDF"), kind
        for public in ("draw/", "draw/?by=name", f"draw/1/{number}/proof/"):
            assert client.get(f"/e/{event.slug}/{public}").status_code == 200, public
        if number == 1:
            finish(round_)
    found = manille_check.check(json.loads(gzip.decompress(archive.pack(event.pk))), draws=True)
    assert found.wrong == 0, found.lines
    repeated = [line for line in found.lines if "by its code" in line]
    assert [line.startswith("holds") for line in repeated] == [True, True], repeated


@EVERY
def test_a_program_plays_it_through_the_api(client: Client, way: Way) -> None:
    event = event_for(way)
    client.force_login(make_user("director", event, Role.DIRECTOR))

    def call(verb: str, address: str, body: Any = None, expect: int = 200) -> Any:
        answer = client.generic(
            verb, f"/api/v1/{address}", json.dumps(body or {}), content_type="application/json"
        )
        assert answer.status_code == expect, (address, answer.content.decode()[:600])
        return answer.json()

    stage = f"events/{event.slug}/stages/1/"
    call(
        "PATCH",
        stage,
        {"format": way.format, "games_per_round": way.games, "drawing": way.drawing},
    )
    for number in (1, 2):
        round_ = call("GET", f"{stage}rounds/")[number - 1]["id"]
        job = call("POST", f"rounds/{round_}/draws/", {}, 202)
        work_on(job["id"])
        done = call("GET", f"events/{event.slug}/jobs/{job['id']}/")
        assert done["state"] == "done", done
        draw = f"draws/{done['result']['draw']}/"
        shown = call("GET", draw)
        first = shown["tables"][0]
        filling = [table for table in shown["tables"] if not table["classified"]]
        assert len(filling) == (way.tables.count(3) if "odd" in way.drawing else 0)
        assert call("GET", f"{draw}why/{first['number']}/")["reasons"]
        free = max(table["number"] for table in shown["tables"]) + 1
        cost = call("POST", f"{draw}weigh/", {"verb": "move", "table": first["number"], "to": free})
        assert not any(cost["delta"].values())
        call("POST", f"{draw}publish/")
        if number == 1:
            check(event, way)
            finish(Round.objects.get(pk=round_))
