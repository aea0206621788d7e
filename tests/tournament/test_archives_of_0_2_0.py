"""Import of archives written by release 0.2.0: final results remain, open ones are corrected."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.core.management import call_command
from django.test import Client

from operations.replay import replay
from tests.tournament.build import SYSTEM, chance
from tests.tournament.test_exports_and_archive import leave
from tournament.demo.simulation import advance
from tournament.models import Event, Standings
from tournament.queries import standings
from tournament.queries.matches import pool_ties
from tournament.ranking.canonical import state_hash
from tournament.services import archive
from tournament.services.standings import set_state
from tournament.tables.former_rows import Rows, join_rows

pytestmark = pytest.mark.django_db
DATA = Path(__file__).parent / "data"


def taken_up(name: str) -> Event:
    """Import an archive written by ``tests/long/data/make_0_2_0.py``."""
    file = (DATA / f"{name}-0.2.0.manille").read_bytes()
    return archive.take_up(file=file, actor=SYSTEM)


def ranks(event: Event) -> dict[int, int | None]:
    rows = standings.fresh(event.stages.get(order=1)).rows
    return {row["number"]: row["rank"] for row in rows}


def all_hold(event: Event) -> bool:
    """Return whether all stored standings match their records."""
    found = [standings.check(stage) for stage in event.stages.all()]
    return all(each is None or each.same for each in found)


@pytest.mark.parametrize("name", ["absent", "fouls", "knockout", "knockout-frozen", "pools"])
def test_an_archive_of_an_earlier_release_holds(name: str) -> None:
    event = taken_up(name)
    assert replay(event).differences == []
    assert all_hold(event)


@pytest.mark.parametrize("name", ["knockout", "knockout-frozen", "pools"])
def test_what_an_earlier_release_fixed_is_handed_on_as_it_was(name: str) -> None:
    event = taken_up(name)
    kept = list(Standings.objects.values_list("state", "hash"))
    file = archive.pack(event.pk)
    leave(event)
    event = archive.take_up(file=file, actor=SYSTEM)
    assert all_hold(event)
    assert list(Standings.objects.values_list("state", "hash")) == kept


def test_a_match_that_was_decided_places_both_until_the_standing_is_fixed() -> None:
    # Pairs 1 and 4 ended level; the director let 4 go on, who lost the final against 2.
    assert ranks(taken_up("knockout")) == {1: 3, 2: 1, 3: 3, 4: 2}


def test_a_standing_that_was_frozen_stays_until_it_is_released() -> None:
    event = taken_up("knockout-frozen")
    stage = event.stages.get()
    frozen = ranks(event)
    standings.recompute(stage_id=stage.pk)
    assert ranks(event) == frozen != {1: 3, 2: 1, 3: 3, 4: 2}
    set_state(stage_id=stage.pk, state="provisional", actor=SYSTEM)
    assert ranks(event) == {1: 3, 2: 1, 3: 3, 4: 2}
    found = standings.check(stage)
    assert found is not None
    assert found.same


def test_what_a_process_of_the_release_before_still_keeps_is_counted_anew() -> None:
    event = taken_up("knockout")
    stage = event.stages.get()
    alone = standings.compute(stage, edition=1)
    Standings.objects.filter(stage=stage).update(
        version=event.version,
        edition=1,
        rows=standings.rows_json(alone),
        hash=state_hash(alone),
    )
    assert ranks(event) == {1: 3, 2: 1, 3: 3, 4: 2}


def test_the_order_of_a_level_pool_is_the_one_that_the_knock_out_was_drawn_from(
    client: Client,
) -> None:
    # 0.2.0 went by start number: 2 and 5 went on to the main draw, 7 and 8 to the consolation.
    event = taken_up("pools")
    (tie,) = pool_ties(event.stages.get(), standings.rule_of(event.stages.get()))
    assert (tie.order, tie.recorded, tie.by_lot) == ((2, 5, 7, 8), False, False)
    page = client.get(f"/e/{event.slug}/standings/", headers={"accept-language": "fr"})
    assert "Ordre retenu pour l’élimination directe" in page.content.decode()
    assert "tiré au sort" not in page.content.decode()


def test_standings_that_were_fixed_before_the_bracket_counted_still_open(client: Client) -> None:
    event = taken_up("knockout-frozen")
    assert client.get(f"/e/{event.slug}/standings/1/").status_code == 200
    rows = client.get(f"/api/v1/events/{event.slug}/standings/").json()["rows"]
    assert rows[0]["bracket"] is None


def test_who_never_came_is_ranked_as_it_was_until_the_next_round() -> None:
    event = taken_up("absent")
    stage = event.stages.get(order=1)
    never = 10
    assert never in [number for number, rank in ranks(event).items() if rank]
    set_state(stage_id=stage.pk, state="final", actor=SYSTEM, reason="As it was.")
    assert all_hold(event)
    call_command("recompute", check=True)
    # In the next round, where the standings are not fixed, the newer edition applies.
    set_state(stage_id=stage.pk, state="provisional", actor=SYSTEM)
    advance(event, chance())
    assert ranks(event)[never] is None


def test_who_sat_at_one_of_the_two_rows_of_a_table_sits_at_the_joined_one() -> None:
    rows: Rows = {
        "tournament.Table": {"5": {"id": 5, "scoring_table_id": "a", "number": 3}},
        "scoring.Table": {"a": {"label": "1/3"}},
        "tournament.Seat": {"1": {"table_id": 5}, "2": {"table_id": "a"}, "3": {"table_id": 9}},
        "adjudication.Incident": {"7": {"table_id": 5}},
    }
    assert join_rows(rows) == {"5": "a"}
    assert rows["scoring.Table"] == {"a": {"label": "1/3", "number": 3}}
    assert [seat["table_id"] for seat in rows["tournament.Seat"].values()] == ["a", "a", None]
    assert rows["adjudication.Incident"]["7"]["table_id"] == "a"
