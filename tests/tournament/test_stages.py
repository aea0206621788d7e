"""Every format through the database, stage by stage, and the cut between stages."""

from __future__ import annotations

import re
from itertools import combinations
from typing import Any

import pytest
from django.test import Client

from ledger import jobs
from ledger.errors import Conflict, Refused
from ledger.models import JobState
from tests.tournament.build import SYSTEM, chance, make_event, make_user
from tests.tournament.results import copy_slip, make_level
from tournament.demo.simulation import advance
from tournament.models import Draw, Event, Lot, Round, Seat
from tournament.models.tables import Sheet
from tournament.queries import standings
from tournament.queries.changed_field import changed_field
from tournament.queries.matches import undecided_tables
from tournament.services import (
    draws,
    entrant_edits,
    entrants,
    publication,
    reseating,
    rounds,
    stage_plans,
    stages,
)
from tournament.services.events import new_stage

pytestmark = pytest.mark.django_db


def event_of(players: int, format: str, *, rulebook: str = "belgian", **more: Any) -> Event:
    """Create an event of one stage with this format and all players checked in."""
    plan = new_stage(
        "Stage",
        format=format,
        rounds=more.pop("rounds", 3),
        games_per_round=more.pop("games_per_round", 1),
        deals_per_game=more.pop("deals", 2),
        **more,
    )
    options = {"stakes": [100, 80, 60, 40, 20]} if rulebook == "auction-1" else {}
    return make_event(players, plan=[plan], rulebook=rulebook, options=options)


def draw_next(event: Event) -> Draw:
    round_ = (
        Round.objects.filter(stage__event=event, published_at__isnull=True)
        .order_by("stage__order", "number")
        .first()
    )
    assert round_ is not None
    job = draws.request_draw(round_id=round_.pk, actor=SYSTEM)
    jobs.work_on(str(job.pk))
    job.refresh_from_db()
    assert job.state == JobState.DONE, job.failure
    candidate = Draw.objects.select_related("round__stage__event").get(pk=job.result["draw"])
    assert draws.reproduce(candidate)[1]
    return candidate


def publish_next(event: Event) -> Draw:
    candidate = draw_next(event)
    publication.publish_draw(draw_id=candidate.pk, actor=SYSTEM)
    return candidate


def settle(candidate: Draw, better: Any = min) -> None:
    """Make every sheet of a round official; the ``better`` start number of a table wins."""
    at = dict(candidate.round.stage.event.entrants.values_list("pk", "number"))
    for sheet in Sheet.objects.filter(table__round=candidate.round).select_related("table"):
        seats = {s.position: at[s.entrant_id] for s in sheet.table.seats.all()}
        sides = sheet.sides
        winner = better(sides, key=lambda side: better(seats[p] for p in sides[side]))
        marks = {side: 10 if side == winner else 4 for side in sides}
        copy_slip(sheet, marks)
    rounds.close_round(round_id=candidate.round_id, actor=SYSTEM)


def seated(candidate: Draw) -> list[tuple[int, ...]]:
    at = dict(candidate.round.stage.event.entrants.values_list("pk", "number"))
    return [tuple(sorted(at[p] for p in t["players"])) for t in candidate.tables]


@pytest.mark.guide("director#which-format-when")
def test_a_whist_tournament_makes_everybody_partner_of_everybody_once() -> None:
    # Moore 1896: Wh(8), seven rounds, every pair partners once and opposes twice.
    event = event_of(8, "individual_movement", rounds=7, drawing={"movement": "whist"})
    partners: list[frozenset[int]] = []
    opponents: list[frozenset[int]] = []
    for _round in range(7):
        candidate = publish_next(event)
        for table in candidate.tables:
            n, e, s, w = table["players"]
            partners += [frozenset((n, s)), frozenset((e, w))]
            opponents += [frozenset((a, b)) for a in (n, s) for b in (e, w)]
    pairs = [frozenset(p) for p in combinations(event.entrants.values_list("pk", flat=True), 2)]
    assert all(partners.count(pair) == 1 for pair in pairs)
    assert all(opponents.count(pair) == 2 for pair in pairs)


def test_a_rainbow_keeps_north_and_nobody_meets_twice() -> None:
    event = event_of(20, "individual_movement", rounds=5)
    norths, met = [], []
    for _round in range(5):
        candidate = publish_next(event)
        norths.append({t["number"]: t["players"][0] for t in candidate.tables})
        met += [frozenset(p) for t in seated(candidate) for p in combinations(t, 2)]
    assert all(north == norths[0] for north in norths)
    assert len(met) == len(set(met))


def test_a_movement_that_does_not_exist_fails_in_words() -> None:
    event = event_of(18, "individual_movement", drawing={"movement": "whist"})
    round_ = Round.objects.get(stage__event=event, number=1)
    job = draws.request_draw(round_id=round_.pk, actor=SYSTEM)
    jobs.work_on(str(job.pk))
    job.refresh_from_db()
    assert (job.state, "18 players" in job.failure) == (JobState.FAILED, True)


@pytest.mark.guide("director#which-format-when")
def test_a_swiss_pairs_winners_with_winners_and_never_twice() -> None:
    event = event_of(8, "pairs_swiss", rounds=4)
    first = publish_next(event)
    settle(first)
    won = {min(table) for table in seated(first)}
    met = set(seated(first))
    following = publish_next(event)
    assert all(len(won & set(table)) in (0, 2) for table in seated(following))
    for _round in range(2):
        assert not met & set(seated(following))
        met |= set(seated(following))
        settle(following)
        following = publish_next(event)
    assert not met & set(seated(following))


def test_an_odd_swiss_credits_its_bye_and_gives_it_to_nobody_twice() -> None:
    event = event_of(7, "pairs_swiss", rounds=3)
    out = []
    for _round in range(3):
        candidate = publish_next(event)
        assert len(candidate.byes) == 1
        out += candidate.byes
        settle(candidate)
    assert len(set(out)) == 3
    rows = {row["number"]: row for row in standings.recompute(stage_id=event.stages.get().pk).rows}
    at = dict(event.entrants.values_list("pk", "number"))
    assert all(rows[at[pk]]["credited"] == 1 for pk in out)


def test_a_round_robin_makes_its_own_rounds_and_everybody_meets_once() -> None:
    event = event_of(6, "round_robin", rounds=1)
    candidate = publish_next(event)
    stage = event.stages.get()
    assert (stage.rounds_planned, stage.rounds.count()) == (5, 5)
    met = list(seated(candidate))
    for _round in range(4):
        met += seated(publish_next(event))
    assert sorted(met) == [tuple(p) for p in combinations(range(1, 7), 2)]


def test_a_round_robin_goes_on_when_a_pair_leaves_and_another_takes_its_place() -> None:
    event = event_of(6, "round_robin", rounds=5)
    settle(publish_next(event))
    entrants.withdraw(entrant_id=event.entrants.get(number=2).pk, actor=SYSTEM)
    second = publish_next(event)
    assert len(second.byes) == 1
    settle(second)
    late = entrants.enter_player(event_id=event.pk, name="Late Pair", actor=SYSTEM, present=True)
    third = publish_next(event)
    assert third.byes == []
    assert late.pk in {p for t in third.tables for p in t["players"]}


def test_a_mitchell_leaves_north_south_where_they_are() -> None:
    event = event_of(14, "pairs_mitchell", rounds=7)
    stay, met = [], []
    for _round in range(7):
        candidate = publish_next(event)
        stay.append({t["number"]: t["players"][0] for t in candidate.tables})
        met += seated(candidate)
    assert all(one == stay[0] for one in stay)
    assert len(met) == len(set(met)) == 49


def test_a_knock_out_gives_byes_to_the_seeds_and_ends_with_a_final() -> None:
    event = event_of(6, "ko", rounds=1, drawing={"seeds": 6})
    first = publish_next(event)
    stage = event.stages.get()
    # Six entrants: eight places, the seeds 1 and 2 pass, three rounds.
    assert stage.rounds.count() == 3
    at = dict(event.entrants.values_list("pk", "number"))
    assert [at[b] for b in first.byes] == [1, 2]
    assert sorted(seated(first)) == [(3, 6), (4, 5)]
    settle(first)
    second = publish_next(event)
    assert sorted(seated(second)) == [(1, 4), (2, 3)]
    settle(second)
    final = publish_next(event)
    assert seated(final) == [(1, 2)]


def test_a_level_match_stops_the_bracket_until_the_director_decides() -> None:
    event = event_of(4, "ko", rounds=2)
    first = publish_next(event)
    settle(first)
    make_level(Sheet.objects.get(table__number=1))
    round_ = Round.objects.get(stage__event=event, number=2)
    job = draws.request_draw(round_id=round_.pk, actor=SYSTEM)
    jobs.work_on(str(job.pk))
    job.refresh_from_db()
    assert job.state == JobState.FAILED
    assert "no winner" in job.failure
    level = undecided_tables(event.stages.get(), 1)
    assert [table.number for table in level] == [1]
    chosen = Seat.objects.get(table=level[0], position="EW").entrant
    with pytest.raises(Refused):
        reseating.decide_match(
            round_id=first.round_id, table=1, winner=chosen.number, reason=" ", actor=SYSTEM
        )
    reseating.decide_match(
        round_id=first.round_id, table=1, winner=chosen.number, reason="extra deal", actor=SYSTEM
    )
    final = publish_next(event)
    assert chosen.number in seated(final)[0]


@pytest.mark.guide("director#after-the-publication")
def test_who_withdraws_from_a_bracket_lets_his_opponent_pass() -> None:
    event = event_of(4, "ko", rounds=2, drawing={"seeds": 4})
    settle(publish_next(event))
    entrants.withdraw(entrant_id=event.entrants.get(number=1).pk, actor=SYSTEM)
    final = publish_next(event)
    at = dict(event.entrants.values_list("pk", "number"))
    assert (final.tables, [at[b] for b in final.byes]) == ([], [2])


def test_pools_lead_to_a_main_and_a_consolation_bracket() -> None:
    event = event_of(8, "pools_ko", rounds=3, drawing={"seeds": 2})
    met: list[tuple[int, ...]] = []
    for _round in range(3):
        candidate = publish_next(event)
        met += seated(candidate)
        settle(candidate)
    assert len(met) == len(set(met)) == 2 * 6
    pools = candidate.plan["pools"]
    best = {n for pool in pools for n in sorted(pool)[:2]}
    fourth = publish_next(event)
    main = {n for n in fourth.plan["main"] if n}
    assert main == best
    assert {n for n in fourth.plan["consolation"] if n} == set(range(1, 9)) - best
    assert len(fourth.tables) == 4
    settle(fourth)
    last = publish_next(event)
    # The best two of the main draw, and the best two of the consolation.
    assert len(last.tables) == 2
    assert not Round.objects.filter(stage__event=event, published_at__isnull=True).exists()


def test_the_best_second_of_the_pools_is_chosen_on_the_page_and_goes_to_the_main_draw(
    client: Client,
) -> None:
    event = event_of(9, "pools_ko", rounds=3)
    client.force_login(make_user("director", event, "director"))
    page = f"/desk/{event.slug}/stages/1/"
    shown = client.get(page).context["form"]
    typed = {name: shown[name].value() for name in shown.fields}
    typed = {name: value for name, value in typed.items() if value not in (None, False)}
    typed |= {"pool_size": 3, "main": 1, "best_next": 1, "consolation": "on"}
    assert client.post(page, typed).status_code == 302
    assert re.search(r'name="best_next" value="1"', client.get(page).content.decode())
    seconds, winners = set(), set()
    for _round in range(3):
        drawn = publish_next(event)
        settle(drawn)
    for pool in drawn.plan["pools"]:
        first, second, _third = sorted(pool)  # the lower start number won every game
        winners.add(first)
        seconds.add(second)
    knock_out = publish_next(event)
    through = set(knock_out.plan["main"])
    assert winners < through
    assert len(through & seconds) == 1
    assert len(through) == 4
    assert set(knock_out.plan["consolation"]) - {None} == set(range(1, 10)) - through
    assert changed_field(event) is None
    settle(knock_out)
    assert changed_field(event) is None  # what is played in the knock-out changes no pool
    # The public page shows them at a table of the main draw.
    names = dict(event.entrants.values_list("number", "person__name"))
    public = client.get(f"/e/{event.slug}/draw/1/4/").content.decode()
    assert all(names[number] in public for number in through)


def test_a_draw_by_lot_spreads_the_clubs() -> None:
    event = event_of(32, "random", rounds=2, games_per_round=3)
    candidate = publish_next(event)
    lines = {line["code"]: line for line in candidate.certificate["lines"]}
    assert lines["club_clashes"]["value"] == lines["club_clashes"]["bound"]
    pairs = event_of(9, "random", drawing={"unit": "pair"})
    drawn = publish_next(pairs)
    assert (len(drawn.tables), len(drawn.byes)) == (4, 1)


@pytest.mark.parametrize(("players", "sizes"), [(11, [5, 6]), (15, [5, 5, 5])])
def test_auction_tables_have_the_size_asked_for(players: int, sizes: list[int]) -> None:
    event = event_of(players, "individual_draw", rulebook="auction-1", drawing={"table_size": 5})
    candidate = publish_next(event)
    assert sorted(len(t["players"]) for t in candidate.tables) == sizes
    for table in candidate.round.tables.all():
        sheet = table.sheets.get()
        assert sheet.options["players"] == len(sheet.seats) == table.seats.count()


def test_the_three_player_rulebook_seats_threes_and_the_rest_sits_out() -> None:
    event = event_of(11, "individual_draw", rulebook="three-player")
    candidate = publish_next(event)
    assert [len(t["players"]) for t in candidate.tables] == [3, 3, 3]
    assert len(candidate.byes) == 2


# -- the cut -------------------------------------------------------------------------------------


def level_event(tie: str) -> Event:
    """Play one round of eight; the four winners of two tables are level at a cut to three."""
    event = make_event(
        8,
        plan=[
            new_stage(
                "Rounds", rounds=1, games_per_round=1, deals_per_game=2, cut={"top": 3, "tie": tie}
            ),
            new_stage("Final", format="ko", rounds=1, games_per_round=1, deals_per_game=2),
        ],
    )
    settle(publish_next(event))
    return event


@pytest.fixture(scope="module")
def built(module_database: None) -> Event:
    return level_event("lots")


@pytest.fixture
def level(built: Event) -> Event:
    """Return the event of :func:`level_event` whose tie is decided by lots."""
    return Event.objects.get(pk=built.pk)


@pytest.mark.guide("director#from-stage-to-stage")
def test_all_who_are_level_at_the_cut_go_through_where_the_stage_says_so(level: Event) -> None:
    event = level
    stage_plans.change_stage(
        event_id=event.pk, actor=SYSTEM, order=1, cut={"top": 3, "tie": "all_in"}
    )
    assert len(stages.qualifiers(event.stages.get(order=1))) == 4
    stages.open_next_stage(stage_id=event.stages.get(order=1).pk, actor=SYSTEM)
    assert event.stages.get(order=2).field.count() == 4


@pytest.mark.guide("director#from-stage-to-stage")
def test_lots_decide_once_and_can_be_cast_again_by_anybody(level: Event) -> None:
    event = level
    stage = event.stages.get(order=1)
    with pytest.raises(Conflict) as refusal:
        stages.open_next_stage(stage_id=stage.pk, actor=SYSTEM)
    assert refusal.value.code == "tie_at_cut"
    (group,) = stages.undecided(stage)
    assert (group["places"], len(group["numbers"])) == (3, 4)
    order = stages.draw_lots(stage_id=stage.pk, actor=SYSTEM)
    assert stages.draw_lots(stage_id=stage.pk, actor=SYSTEM) == []
    from tournament.pairing.chance import Chance

    label = "cut|" + ",".join(map(str, group["numbers"]))
    assert order == Chance("seed/1", label).shuffled(group["numbers"])
    assert [item["number"] for item in stages.qualifiers(stage)] == sorted(order[:3])
    stages.open_next_stage(stage_id=stage.pk, actor=SYSTEM)
    assert event.stages.get(order=2).field.count() == 3


@pytest.mark.guide("director#when-people-come-and-go")
def test_two_entries_are_not_joined_over_a_lot_that_was_drawn(level: Event) -> None:
    event = level
    lot = stages.draw_lots(stage_id=event.stages.get(order=1).pk, actor=SYSTEM)[0]
    entrants.enter_player(event_id=event.pk, name="Twice", number=50, actor=SYSTEM, reserve=True)
    with pytest.raises(Conflict, match=f"A lot was drawn for number {lot}") as refusal:
        entrant_edits.merge_entrants(event_id=event.pk, keep=50, double=lot, actor=SYSTEM)
    assert refusal.value.code == "entrant_named"
    assert event.entrants.filter(number=lot).exists()


@pytest.mark.guide("director#when-people-come-and-go")
def test_the_first_below_the_cut_is_the_first_whom_the_lots_left_there(level: Event) -> None:
    stage = stage_plans.change_stage(
        event_id=level.pk, actor=SYSTEM, order=1, cut={"top": 2, "tie": "lots"}
    )
    assert stages.reserves(stage) == []
    order = stages.draw_lots(stage_id=stage.pk, actor=SYSTEM)
    assert order[2:] != sorted(order[2:])
    assert [item["number"] for item in stages.qualifiers(stage)] == sorted(order[:2])
    assert stages.reserves(stage)[:2] == order[2:]


@pytest.mark.guide("director#from-stage-to-stage")
def test_a_play_off_is_entered_by_the_director(level: Event) -> None:
    stage = stage_plans.change_stage(
        event_id=level.pk, actor=SYSTEM, order=1, cut={"top": 3, "tie": "play_off"}
    )
    (group,) = stages.undecided(stage)
    with pytest.raises(Refused):
        stages.settle_play_off(stage_id=stage.pk, numbers=group["numbers"][:2], actor=SYSTEM)
    order = group["numbers"][::-1]
    stages.settle_play_off(stage_id=stage.pk, numbers=order, actor=SYSTEM)
    assert Lot.objects.filter(stage=stage).count() == 4
    through = {item["number"] for item in stages.qualifiers(stage)}
    assert through == set(order[:3])


# -- the plan of stages ----------------------------------------------------------------------------


@pytest.mark.guide("director#open-an-event")
def test_a_stage_changes_until_it_is_played() -> None:
    event = make_event(8)
    added = stage_plans.add_stage(
        event_id=event.pk,
        actor=SYSTEM,
        name="Night final",
        format="ko",
        rounds_planned=2,
        deals_per_game=None,
        target=101,
        games_per_round=1,
        credit="nothing",
    )
    assert (added.order, added.rounds.count()) == (4, 2)
    assert stage_plans.credit_of(added) == "nothing"
    stage_plans.change_stage(event_id=event.pk, actor=SYSTEM, order=4, rounds_planned=1)
    assert added.rounds.count() == 1
    stage_plans.remove_stage(event_id=event.pk, order=2, actor=SYSTEM)
    assert list(event.stages.order_by("order").values_list("order", "name"))[1:] == [
        (2, "Final"),
        (3, "Night final"),
    ]
    advance(event, chance())
    with pytest.raises(Conflict) as refusal:
        stage_plans.change_stage(event_id=event.pk, actor=SYSTEM, order=1, format="ko")
    assert (refusal.value.code, refusal.value.field) == ("stage_in_play", "format")
    with pytest.raises(Conflict) as refusal:
        stage_plans.remove_stage(event_id=event.pk, order=1, actor=SYSTEM)
    assert refusal.value.code == "rounds_drawn"
    stage_plans.change_stage(event_id=event.pk, actor=SYSTEM, order=1, minutes=75)
    assert event.stages.get(order=1).minutes == 75


@pytest.fixture(scope="module")
def empty(module_database: None) -> Event:
    """Return a championship without entrants, which no test changes."""
    return make_event(0)


@pytest.mark.parametrize(
    ("values", "field"),
    [
        ({"format": "chess"}, "format"),
        ({"rounds": 0}, "rounds"),
        ({"deals_per_game": None, "target": None}, "deals_per_game"),
        ({"drawing": {"ordr": "halves"}}, "ordr"),
        ({"drawing": {"order": "upside down"}}, "order"),
        ({"drawing": {"table_size": 2}}, "table_size"),
        ({"ranking": "nobody"}, "ranking"),
        ({"ranking": "recommended", "credit": "gold"}, "credit"),
        ({"cut": {"topp": 3}}, "topp"),
        ({"cut": {"top": 3, "half": True}}, "half"),
        ({"cut": {"top": 3, "fill": "seconds"}}, "fill"),
        ({"name": " "}, "name"),
        ({"colour": "red"}, "colour"),
    ],
)
def test_a_stage_that_cannot_be_played_names_the_field(
    empty: Event, values: dict[str, Any], field: str
) -> None:
    with pytest.raises(Refused) as refusal:
        stage_plans.change_stage(event_id=empty.pk, actor=SYSTEM, order=1, **values)
    assert refusal.value.field == field


def test_games_of_a_stage_that_is_added_have_four_deals_unless_it_says_otherwise() -> None:
    event = event_of(8, "individual_draw")
    plain: dict[str, Any] = {
        "event_id": event.pk,
        "actor": SYSTEM,
        "format": "individual_draw",
        "rounds_planned": 1,
    }
    added = stage_plans.add_stage(name="Semi-final", **plain)
    assert (added.order, added.deals_per_game, added.rounds.count()) == (2, 4, 1)
    other = stage_plans.add_stage(name="Final", deals_per_game=3, **plain)
    assert (other.order, other.deals_per_game) == (3, 3)
