"""Random events, counted by the service and by the independent checker, in both directions."""

from __future__ import annotations

import gzip
import json
import random
from collections import Counter
from typing import Any

import pytest
from django.core.management import CommandError, call_command

import manille_check
from ledger.errors import Conflict, Refused
from tests.tournament.build import SYSTEM, make_event
from tournament.demo.simulation import (
    NotDrawn,
    decide_level,
    draw_and_publish,
    next_round,
    play_sheet,
)
from tournament.models import Event, Round
from tournament.ranking.reading import differences
from tournament.services import archive, entrants, reseating, rounds, stage_plans
from tournament.services.adjustments import Amount, adjust
from tournament.services.events import new_stage

SHORT, LONG, NIGHT = range(40), range(40, 240), range(240, 5240)


def different(seeds: range) -> dict[int, list[str]]:
    """Return the random events that the service counts differently than the checker."""
    found = {seed: list(differences(manille_check.generate(seed))) for seed in seeds}
    return {seed: faults for seed, faults in found.items() if faults}


def test_the_service_counts_random_events_as_the_checker_does() -> None:
    assert different(SHORT) == {}


@pytest.mark.guide("check#two-countings")
@pytest.mark.long
def test_the_service_counts_two_hundred_more_as_the_checker_does() -> None:
    assert different(LONG) == {}


@pytest.mark.guide("check#two-countings")
@pytest.mark.long
def test_the_service_counts_thousands_as_the_checker_does_nightly() -> None:
    assert different(NIGHT) == {}


@pytest.mark.guide("check#two-countings")
def test_random_events_hold_what_they_are_to_try() -> None:
    """Carried results, each way to miss a round, cuts, withdrawals in every way and rulings all come up."""
    seen: Counter[str] = Counter()
    for seed in range(60):
        for stage in manille_check.generate(seed)["stages"]:
            given = stage["input"]
            seen["carried"] += "carried" in given
            seen["ruled"] += bool(given["adjustments"])
            seen[stage["rule"]["withdrawn"]] += any(one[3] for one in given["entrants"])
            seen["through"] += any("through" in one for one in given["entrants"])
            seen.update({line["kind"] for line in given["results"]})
            walk_overs = {("forfeit", "win"), ("forfeit", "loss")}
            seen["walk-over"] += walk_overs <= {(x["kind"], x["outcome"]) for x in given["results"]}
            seen["place"] += any("place" in line for line in given["results"])
            seen["decided"] += any("match" in line for line in given["results"])
    wanted = {"carried", "ruled", "kept", "unranked", "struck", "through", "walk-over", "place"}
    assert min(seen[each] for each in wanted | {"bye", "sat_out", "decided"}) > 4, seen


@pytest.mark.guide("check#two-countings")
def test_a_changed_count_is_found(tmp_path: Any, capsys: pytest.CaptureFixture[str]) -> None:
    manille_check.main(["--generate", "--seed", "7"])
    example = json.loads(capsys.readouterr().out)
    file = tmp_path / "7.json"
    file.write_text(json.dumps(example))
    call_command("recount", str(file))
    line = next(line for line in example["stages"][0]["input"]["results"] if line["for"])
    line["for"] = 99
    example["stages"][0]["rule"]["criteria"] = [{"code": "marks", "params": {}}]
    file.write_text(json.dumps(example))
    with pytest.raises(CommandError, match="differently"):
        call_command("recount", str(file))


# Whole events through the services --------------------------------------------------------------------

FORMATS: tuple[tuple[str, dict[str, Any], int], ...] = (
    ("individual_draw", {}, 3),
    ("individual_draw", {"odd": "threes"}, 3),
    ("individual_draw", {"odd": "counted"}, 3),
    ("individual_draw", {"by_score": True}, 3),
    ("pairs_swiss", {}, 1),
    ("round_robin", {}, 1),
    ("random", {}, 3),
    ("random", {"unit": "pair"}, 1),
    ("pools_ko", {"pool_size": 3}, 1),
    ("ko", {"third_place": True}, 1),
)
RULES = ("world_championship", "recommended", "belgian_clubs", "club_league", "botifarra")


def whole_event(seed: int) -> Event:
    """Play an event of up to three stages with late players, withdrawals, rulings and decided matches."""
    lot = random.Random(seed)
    stages = lot.randint(1, 3)
    in_pairs = lot.random() < 0.5
    plan = []
    for number in range(stages):
        ways = [way for way in FORMATS if in_pairs == (way[2] == 1)]
        key, drawing, games = lot.choice(ways)
        more: dict[str, Any] = {"cut": {"top": 8}} if number < stages - 1 else {}
        plan.append(
            new_stage(
                f"Stage {number + 1}",
                format=key,
                rounds=lot.randint(1, 3),
                games_per_round=games,
                deals_per_game=2,
                drawing=drawing,
                ranking=lot.choice(RULES),
                carries_over=number > 0 and lot.random() < 0.6,
                **more,
            )
        )
    event = make_event(lot.choice((8, 10, 11, 13)), plan=plan, public_seed=f"code {seed}")
    for _round in range(12):
        _happen(lot, event)
        try:
            following = next_round(event)
            if following is None:
                break
            now = _draw(following)
        except (NotDrawn, Refused, Conflict):
            break  # too few are left, or the format has no place for a late player
        _after_the_draw(lot, event, now)
        for table in now.tables.filter(decided_for__isnull=True).order_by("number"):
            for sheet in table.sheets.order_by("order"):
                play_sheet(sheet, lot)
        if now.stage.played_as.bracket:
            decide_level(now)
        rounds.close_round(round_id=now.pk, actor=SYSTEM)
    return event


def _draw(following: Round) -> Round:
    """Draw and publish a round; where tables of three would count for nobody, with byes instead."""
    try:
        return draw_and_publish(following, SYSTEM)
    except Refused as refusal:
        if refusal.code != "nothing_counts":
            raise
    stage = following.stage
    drawing = {name: value for name, value in stage.drawing.items() if name != "odd"}
    stage_plans.change_stage(
        event_id=stage.event_id, order=stage.order, drawing=drawing, actor=SYSTEM
    )
    return draw_and_publish(Round.objects.get(pk=following.pk), SYSTEM)


def _happen(lot: random.Random, event: Event) -> None:
    """Between two rounds: a late player, a withdrawal, a ruling."""
    there = list(event.entrants.filter(state="present"))
    try:
        if lot.random() < 0.25:
            entrants.enter_player(
                event_id=event.pk, name=f"Laat {lot.random()}", present=True, actor=SYSTEM
            )
        if lot.random() < 0.3 and len(there) > 6:
            entrants.withdraw(entrant_id=lot.choice(there).pk, actor=SYSTEM)
    except (Refused, Conflict):
        return  # the running stage has no place, or holds the player


def _after_the_draw(lot: random.Random, event: Event, now: Round) -> None:
    """In a published round: points by a ruling, a match decided without play."""
    seats = list(now.seats.select_related("entrant", "table"))
    if lot.random() < 0.4:
        seat = lot.choice(seats)
        adjust(
            stage_id=now.stage_id,
            source=f"ruling:{now.pk}",
            reason="001-R9",
            actor=SYSTEM,
            amounts=[Amount(seat.entrant_id, marks=-lot.randint(1, 40), penalties=1)],
        )
    seat = lot.choice(seats)
    if lot.random() < 0.4 and len([s for s in seats if s.table_id == seat.table_id]) == 2:
        other = next(s for s in seats if s.table_id == seat.table_id and s != seat)
        try:
            entrants.withdraw(entrant_id=other.entrant_id, actor=SYSTEM)
            reseating.decide_match(
                round_id=now.pk,
                table=seat.table.number,
                winner=seat.entrant.number,
                reason="absent",
                actor=SYSTEM,
            )
        except (Refused, Conflict):
            return


def faults_of(seed: int) -> list[str]:
    event = whole_event(seed)
    whole = json.loads(gzip.decompress(archive.pack(event.pk)))
    assert whole["content"]["rows"]["scoring.OfficialResult"]
    found = manille_check.check(whole, draws=True)
    return [line for line in found.lines if line.startswith("WRONG")]


@pytest.mark.django_db
@pytest.mark.parametrize("seed", [3])
def test_an_event_of_the_services_is_recounted(seed: int) -> None:
    assert faults_of(seed) == []


@pytest.mark.guide("check#two-countings")
@pytest.mark.long
@pytest.mark.django_db
@pytest.mark.parametrize("seed", range(100, 108))
def test_more_events_of_the_services_are_recounted(seed: int) -> None:
    assert faults_of(seed) == []


@pytest.mark.guide("check#two-countings")
@pytest.mark.long
@pytest.mark.django_db
@pytest.mark.parametrize("seed", range(200, 300))
def test_many_events_of_the_services_are_recounted_nightly(seed: int) -> None:
    assert faults_of(seed) == []
