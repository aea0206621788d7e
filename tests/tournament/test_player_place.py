"""A player's place on their page: their row, the neighbours, and the distance to the cut."""

from __future__ import annotations

import pytest

from tests.tournament.build import SYSTEM, make_event
from tests.tournament.results import copy_slip
from tests.tournament.test_stages import publish_next
from tournament.models import Event, Stage
from tournament.models.tables import Sheet
from tournament.queries import places
from tournament.queries.pages import criteria_of
from tournament.queries.standings import fresh, standing_of
from tournament.ranking.model import Standing
from tournament.services import rounds
from tournament.services.events import new_stage

pytestmark = pytest.mark.django_db


def opened(event: Event, order: int = 1) -> Stage:
    return Stage.objects.select_related("event").get(event=event, order=order)


def play(stage: Stage, number: int, *tables: int) -> None:
    """Enter the games of these tables of a round: North-South 10, East-West 4."""
    for sheet in Sheet.objects.filter(
        table__round__stage=stage, table__round__number=number, table__number__in=tables
    ).order_by("table__number", "order"):
        copy_slip(sheet, {"NS": 10, "EW": 4})


def place_of(event: Event, number: int, order: int = 1) -> places.Place:
    event.refresh_from_db()
    found = places.places_of(event, opened(event, order), language="en")
    assert found is not None
    place = found.of(number)
    assert place is not None
    return place


def at_table(event: Event, table: int) -> dict[str, int]:
    """Return the start number of each seat in the first round."""
    round_ = opened(event).rounds.get(number=1)
    seats = round_.seats.filter(table__number=table)
    return dict(seats.values_list("position", "entrant__number"))


def event_with(cut: dict[str, object], *, games: int = 3, number: int = 1) -> Event:
    """Create eight players at two tables, with new partners every game."""
    plan = [
        new_stage("Rounds", rounds=number, games_per_round=games, deals_per_game=2, cut=cut),
        new_stage("Final", rounds=1, games_per_round=1, deals_per_game=1, carries_over=True),
    ]
    event = make_event(8, plan=plan)
    publish_next(event)
    return event


def test_while_a_table_still_plays_its_winner_is_said_to_lead_so_far() -> None:
    event = event_with({"winners": True})
    play(opened(event), 1, 1)
    seats = at_table(event, 1)
    leader, other = place_of(event, seats["A"]), place_of(event, seats["B"])
    assert leader.chance == other.chance == "open"
    assert leader.need == "Place 1 at table 1 so far. Only the tables of round 1 decide."
    assert other.need == "Place 2 at table 1 so far. Only the tables of round 1 decide."
    waiting = place_of(event, at_table(event, 2)["A"])
    assert waiting.need == "Only the tables of round 1 decide."
    play(opened(event), 1, 2)
    assert place_of(event, seats["A"]).need == "Qualified as winner of table 1."
    assert place_of(event, seats["A"]).chance == "safe"
    out = place_of(event, seats["B"])
    assert (out.chance, out.need) == ("out", "Not qualified.")


def test_where_the_best_go_on_too_a_rank_or_the_own_table_does() -> None:
    event = event_with({"top": 4, "winners": True}, number=2)
    play(opened(event), 1, 1, 2)
    last = max(at_table(event, 2).values(), key=lambda n: place_of(event, n).row.position)
    assert place_of(event, last).need.endswith("Or win the table in round 2.")
    assert place_of(event, last).chance == "open"
    rounds.close_round(round_id=opened(event).rounds.get(number=1).pk, actor=SYSTEM)
    publish_next(event)
    play(opened(event), 2, 1)
    places_now = [place_of(event, number) for number in range(1, 9)]
    (first,) = [place for place in places_now if place.row.rank == 1]
    assert (first.chance, first.need) == ("safe", "Certain to qualify.")
    assert [place.chance for place in places_now if place is not first] == ["open"] * 7


def test_a_place_names_its_figures_and_who_is_beside_it() -> None:
    event = event_with({"top": 4})
    play(opened(event), 1, 1)
    standing = standing_of(fresh(opened(event)))
    order = [row.entrant.number for row in standing.rows]
    first, second, last = (place_of(event, order[at]) for at in (0, 1, -1))
    names = {e.number: e.person.name for e in event.entrants.select_related("person")}
    assert [(one.who.name, one.ahead) for one in first.neighbours] == [(names[order[1]], False)]
    assert [(one.who.name, one.ahead) for one in second.neighbours] == [
        (names[order[0]], True),
        (names[order[2]], False),
    ]
    assert [(one.who.name, one.ahead) for one in last.neighbours] == [(names[order[-2]], True)]
    # Two neighbours show the same text about their difference.
    assert first.neighbours[0].text == second.neighbours[0].text
    assert first.neighbours[0].text
    assert (first.of, first.row.rank) == (len(standing.ranked), 1)
    assert [label for label, _figure in first.values] == [
        criterion.name.render("en") for criterion in criteria_of(opened(event))
    ]
    assert first.values[0][1] == "3"
    assert place_of(event, order[0]).cut.startswith("Cut: ")


def left(stage: Stage, standing: Standing) -> dict[int, int]:
    keys = {row.entrant.id: row.entrant.number for row in standing.rows}
    return {keys[key]: games for key, games in places.games_left(standing, stage).items()}


def test_the_games_that_everybody_has_still_to_play_are_counted_as_planned() -> None:
    event = event_with({"top": 4}, number=2)
    stage = opened(event)
    play(stage, 1, 1, 2)
    everybody = set(event.entrants.values_list("number", flat=True))
    assert left(stage, standing_of(fresh(stage))) == dict.fromkeys(everybody, 3)
    assert places.sitting(stage) == 1
    rounds.close_round(round_id=stage.rounds.get(number=1).pk, actor=SYSTEM)
    publish_next(event)
    play(stage, 2, 1)
    seats = stage.rounds.get(number=2).seats
    here = set(seats.filter(table__number=1).values_list("entrant__number", flat=True))
    assert left(stage, standing_of(fresh(stage))) == {
        number: 0 if number in here else 3 for number in everybody
    }
    # The final carries points over: its own game comes after six.
    final = opened(event, 2)
    assert left(final, standing_of(fresh(stage))) == {
        number: 1 if number in here else 4 for number in everybody
    }


def test_a_match_of_pairs_is_one_sitting_of_all_its_games() -> None:
    plan = new_stage("Pairs", "pairs_swiss", 2, games_per_round=3, deals_per_game=1)
    assert places.sitting(opened(make_event(4, plan=[plan]))) == 3
