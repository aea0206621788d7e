"""Tables of three that fill up a round: credited like a bye, assigned in turn, and marked for every reader."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from typing import Any

import pytest
from django.test import Client

from tests.markup import markup
from tests.tournament.build import SYSTEM, chance, make_event
from tests.tournament.test_draws import drawn, published, round_of
from tournament.demo.simulation import play_sheet
from tournament.models import Draw, Event
from tournament.models.tables import Sheet
from tournament.queries import rounds
from tournament.queries.papers import draw_sheet
from tournament.queries.standings import compute
from tournament.ranking.model import exact
from tournament.services import reseating
from tournament.services.documents import BUILDERS
from tournament.services.events import new_stage

pytestmark = pytest.mark.django_db


def filling_event() -> tuple[Event, Draw, list[Any]]:
    """Draw ten players with tables of three instead of byes: two of three and one of four."""
    plan = new_stage("Rounds", rounds=2, deals_per_game=2, drawing={"odd": "threes"})
    event = make_event(10, plan=[plan])
    candidate = published(event)
    filling = [t for t in round_of(event).tables.all() if t.seats.count() == 3]
    return event, candidate, filling


@pytest.mark.guide("director#when-people-come-and-go", "formats#when-the-number-does-not-fit")
def test_filling_tables_of_three_are_credited_as_sitting_out() -> None:
    event, candidate, filling = filling_event()
    sizes = sorted(len(t["players"]) for t in candidate.tables)
    assert sizes == [3, 3, 4]
    assert candidate.byes == []
    round_ = round_of(event)
    assert round_.byes.filter(kind="sat_out").count() == 6
    for table in filling:
        game = table.sheets.get()
        assert (game.counts, game.rulebook) == (False, "three-player")
    # In the next round the four players who were classified fill up first.
    following = drawn(event, 2)
    at_three = {p for t in following.tables if len(t["players"]) == 3 for p in t["players"]}
    four = next(t for t in candidate.tables if len(t["players"]) == 4)
    assert set(four["players"]) <= at_three


@pytest.mark.guide("formats#when-the-number-does-not-fit")
def test_tables_of_three_count_against_the_mean_where_the_director_says_so() -> None:
    """Seven players: one table of four with three games, one of three with as many, and nobody is credited."""
    plan = new_stage(
        "Rounds", rounds=1, games_per_round=3, deals_per_game=4, drawing={"odd": "counted"}
    )
    event = make_event(7, plan=[plan])
    published(event)
    round_ = round_of(event)
    assert not round_.byes.exists()
    three = next(t for t in round_.tables.all() if t.seats.count() == 3)
    games = list(three.sheets.order_by("order"))
    assert [(g.counts, g.rulebook, g.options["target"]) for g in games] == [
        (True, "three-player", {"deals": 6})
    ] * 3
    assert len({game.first_dealer for game in games}) == 3
    assert [table.filling for table in rounds.tables_of(round_)] == [False, False]
    for sheet in Sheet.objects.filter(table__round=round_):
        play_sheet(sheet, chance(str(sheet.pk)))
    seats = {seat.position: str(seat.entrant.number) for seat in three.seats.all()}
    won: Counter[str] = Counter()
    net: Counter[str] = Counter()
    for game in games:
        marks = game.results.get(current=True).result["marks"]
        for side, (position,) in game.sides.items():
            mean = Fraction(sum(marks.values()) - marks[side], 2)
            won[seats[position]] += marks[side] > mean
            net[seats[position]] += marks[side] - mean
    standing = compute(event.stages.get())
    for number in seats.values():
        row = standing.row(number)
        assert (row.games, row.credited) == (3, 0)
        assert row.values[:2] == (won[number], exact(net[number]))
    assert sum(net.values()) == 0


@pytest.mark.guide("formats#when-the-number-does-not-fit")
@pytest.mark.parametrize("players", [3, 6, 9])
def test_where_tables_of_three_count_they_may_be_the_only_ones(players: int) -> None:
    plan = new_stage("Rounds", rounds=1, games_per_round=1, drawing={"odd": "counted"})
    event = make_event(players, plan=[plan])
    published(event)
    sizes = [table.seats.count() for table in round_of(event).tables.all()]
    assert sizes == [3] * (players // 3)


@pytest.mark.guide("director#when-people-come-and-go")
def test_everybody_is_told_that_a_filling_table_is_not_classified(client: Client) -> None:
    event, _candidate, filling = filling_event()
    round_ = round_of(event)
    # Players at a filling table are not listed or printed as sitting out.
    assert rounds.byes_of(round_) == []
    sheet, _mark = draw_sheet(event, {}, "fr", "a4")
    assert sheet.sitting_out == ()
    notes = {table.number: table.note for table in sheet.tables}
    threes = {str(table.number) for table in filling}
    assert {number for number, note in notes.items() if note == "hors classement"} == threes
    page = client.get(f"/e/{event.slug}/draw/", headers={"accept-language": "en"})
    assert page.content.decode().count("not ranked") == len(threes)
    sitting = filling[0].seats.select_related("entrant").first()
    assert sitting is not None
    mine = markup(
        client.get(
            f"/e/{event.slug}/players/{sitting.entrant.number}/", headers={"accept-language": "en"}
        )
    )
    assert "each player is credited as for a bye" in mine
    assert "Bye: no table this round" not in mine
    assert mine.count("<h2>Round 1</h2>") == 1
    others = filling[0].seats.exclude(pk=sitting.pk).select_related("entrant__person")
    assert all(seat.entrant.person.name in mine for seat in others)


def test_posters_and_slips_name_who_deals_first() -> None:
    event, candidate, _filling = filling_event()
    sheet, _mark = draw_sheet(event, {}, "nl", "a4")
    numbers = dict(event.entrants.values_list("pk", "number"))
    drawn_so = {str(t["number"]): str(numbers[t["dealer"]]) for t in candidate.tables}
    printed = {
        table.number: [seat.person.number for seat in table.seats if seat.first_dealer]
        for table in sheet.tables
    }
    assert printed == {number: [dealer] for number, dealer in drawn_so.items()}
    content, _mark, _state = BUILDERS["slips"](event, {}, "nl", "a4")
    assert content.startswith(b"%PDF")


def test_three_who_sat_out_and_are_seated_late_keep_their_credit() -> None:
    event = make_event(11, plan=[new_stage("Rounds", rounds=2, deals_per_game=2)])
    candidate = published(event)
    numbers = dict(event.entrants.values_list("pk", "number"))
    out = [numbers[b] for b in candidate.byes]
    assert len(out) == 3
    round_ = round_of(event)
    reseating.seat_late(round_id=round_.pk, players=out, table=9, actor=SYSTEM)
    credited = round_.byes.filter(kind="sat_out").values_list("entrant__number", flat=True)
    assert sorted(credited) == sorted(out)
    assert round_.byes.count() == 3
    assert round_.tables.get(number=9).sheets.get().counts is False
    assert rounds.byes_of(round_) == []


def test_an_exchange_takes_the_credit_along() -> None:
    event, candidate, _filling = filling_event()
    numbers = dict(event.entrants.values_list("pk", "number"))
    four = next(t for t in candidate.tables if len(t["players"]) == 4)
    three = next(t for t in candidate.tables if len(t["players"]) == 3)
    stays, goes = numbers[four["players"][0]], numbers[three["players"][0]]
    round_ = round_of(event)
    reseating.exchange(round_id=round_.pk, one=stays, two=goes, actor=SYSTEM)
    credited = set(round_.byes.values_list("entrant__number", flat=True))
    assert stays in credited
    assert goes not in credited
    assert len(credited) == 6
