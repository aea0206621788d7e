"""Formats × rulebooks × field sizes, played through the services and recounted by hand-made sums.

Every event is drawn, played by simulated tables, closed and ranked; points, games won, differences and
places of the standings must be those of :mod:`tests.tournament.recount`, and each rule of the field is
checked on the seats themselves: nobody twice at a table, nobody resting who could have sat.
"""

from __future__ import annotations

import io
import random
from collections import Counter
from fractions import Fraction
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client

from accounts.models import Role
from scoring.engine.rulebook import RULEBOOKS
from scoring.engine.rulebook_edition import Sides
from tests.sampled import one_in
from tests.tournament.build import SYSTEM, make_event, make_user
from tests.tournament.recount import Counted, check_marks, counted, with_average
from tournament.demo.gallery import GALLERY
from tournament.demo.simulation import advance, draw_and_publish
from tournament.drawing.formats import FORMATS
from tournament.models import Bye, Event, Seat, Stage, Table
from tournament.models.tables import OfficialResult
from tournament.queries import standings
from tournament.queries.lines import lines_of
from tournament.ranking.lines import split
from tournament.services import entrants
from tournament.services.events import new_stage
from tournament.services.standings import set_state

pytestmark = pytest.mark.django_db
PAIRS = {"pairs_swiss", "pairs_mitchell", "round_robin", "pools_ko", "ko"}
SIZES = {
    "individual_draw": 9,
    "individual_movement": 13,
    "pairs_swiss": 7,
    "pairs_mitchell": 7,
    "round_robin": 5,
    "pools_ko": 6,
    "ko": 5,
    "random": 10,
}
TABLE = [
    (format_, rulebook)
    for at, format_ in enumerate(FORMATS)
    for place, rulebook in enumerate(sorted(RULEBOOKS))
    # Every format and every rulebook occurs at least once; a third of their pairs, spread evenly.
    if FORMATS[format_].misfit(RULEBOOKS[rulebook]) is None
    and ((at + place) % 3 == 0 or (format_, rulebook) == ("random", "auction-2"))
]


def played(format_: str, rulebook: str, field: int, **more: Any) -> Event:
    """Play an event of one stage to its end with ``manage.py simulate``."""
    rounds = more.pop("rounds", 2)
    event = opened(format_, rulebook, field, rounds=rounds, **more)
    said = io.StringIO()
    seed = f"{format_} {rulebook} {field}"
    call_command("simulate", event.slug, rounds=20, seed=seed, stdout=said)
    assert "played out" in said.getvalue()
    event.refresh_from_db()
    return event


def opened(format_: str, rulebook: str, field: int, *, rounds: int = 2, **more: Any) -> Event:
    drawing: dict[str, Any] = {"movement": "whist"} if format_ == "individual_movement" else {}
    drawing |= {"pool_size": 3} if format_ == "pools_ko" else {}
    plan = new_stage(
        "Rounds",
        format=format_,
        rounds=rounds,
        games_per_round=1,
        deals_per_game=2,
        drawing=drawing | more.pop("drawing", {}),
        ranking=more.pop("ranking", "world_championship"),
        **more,
    )
    options = {"stakes": [50, 40, 30, 20, 10]} if rulebook == "auction-1" else {}
    return make_event(field, plan=[plan], rulebook=rulebook, options=options)


def check_seats(stage: Stage) -> None:
    """Check that no entrant sits twice in a round, and that each one of the field sits or rests."""
    field = set(stage.field.values_list("entrant_id", flat=True))
    for round_ in stage.rounds.all():
        seated = Counter(Seat.objects.filter(round=round_).values_list("entrant_id", flat=True))
        resting = set(Bye.objects.filter(round=round_).values_list("entrant_id", flat=True))
        assert set(seated.values()) <= {1}
        if stage.format not in ("ko", "pools_ko"):
            assert set(seated) | resting == field
            assert not set(seated) & resting


def check_standings(stage: Stage) -> None:
    """Check games won, net points and points of the standings against the recount, in that order."""
    found = counted(stage)
    standing = standings.compute(stage)
    bracket = stage.format in ("ko", "pools_ko")
    keys = {}
    for row in standing.rows:
        record = found.get(row.entrant.number, Counted())
        expected = [
            with_average(record, found.values(), worth)
            for worth in (lambda of: Fraction(of.won), lambda of: of.net, lambda of: of.points)
        ]
        if stage.format in PAIRS:  # a pair's bye is a win
            expected[0] = Fraction(record.won + record.rests)
        assert list(row.values[bracket:]) == expected, row.entrant.number
        keys[row.entrant.number] = tuple(-each for each in expected)
    if bracket:
        return
    order = [row.entrant.number for row in standing.ranked]
    assert order == sorted(order, key=lambda number: (keys[number], number))
    for row in standing.ranked:
        assert row.rank == 1 + sum(keys[n] < keys[row.entrant.number] for n in order)


@pytest.mark.parametrize(("format_", "rulebook"), one_in(6, TABLE))
def test_points_standings_and_seats_are_those_of_the_recount(
    client: Client, format_: str, rulebook: str
) -> None:
    event = played(format_, rulebook, SIZES[format_])
    stage = event.stages.get()
    check_seats(stage)
    check_standings(stage)
    for address in ("", "draw/", "standings/", "wall/", "standings/1/clubs/"):
        answer = client.get(f"/e/{event.slug}/{address}", headers={"accept-language": "fr"})
        assert answer.status_code in (200, 404), address
        assert answer.status_code == 200 or "clubs" in address


def test_every_format_and_every_rulebook_is_in_the_table_and_in_the_gallery() -> None:
    assert {format_ for format_, _book in TABLE} == set(FORMATS)
    assert {book for _format, book in TABLE} == set(RULEBOOKS)
    assert {piece.format for piece in GALLERY} == set(FORMATS)
    sides = {RULEBOOKS[piece.rulebook].sides for piece in GALLERY}
    assert sides == set(Sides)


@pytest.mark.parametrize("rulebook", ["auction-1", "three-player"])
@pytest.mark.parametrize("field", one_in(3, [3, 4, 7, 5, 11]))
def test_each_against_all_is_measured_by_the_mean_of_the_others(rulebook: str, field: int) -> None:
    event = played("random", rulebook, field, rounds=2, ranking="table_places")
    stage = event.stages.get()
    found = counted(stage)
    for row in standings.compute(stage).ranked:
        record = found[row.entrant.number]
        expected = [
            with_average(record, found.values(), worth)
            for worth in (lambda of: of.places, lambda of: of.net, lambda of: of.points)
        ]
        assert list(row.values) == expected
    if rulebook == "auction-1":
        # The stakes move between the players: against the mean of n - 1 others, n / (n - 1) of the sum.
        assert sum(record.points for record in found.values()) == 0


@pytest.mark.parametrize("rulebook", ["auction-1", "auction-2"])
@pytest.mark.parametrize("size", one_in(4, [5, 4, 6, 7]))
def test_each_against_all_at_full_tables_of_four_to_seven(rulebook: str, size: int) -> None:
    event = played(
        "individual_draw",
        rulebook,
        2 * size,
        ranking="table_places",
        drawing={"table_size": size},
    )
    stage = event.stages.get()
    assert {table.seats.count() for table in Table.objects.filter(round__stage=stage)} == {size}
    if rulebook == "auction-1":
        assert check_marks(stage)
    nets: dict[int, Fraction] = dict.fromkeys(
        stage.field.values_list("entrant__number", flat=True), Fraction(0)
    )
    for official in OfficialResult.objects.filter(current=True, sheet__table__round__stage=stage):
        seats = official.sheet.table.seats.values_list("position", "entrant__number")
        own = {number: official.result["marks"].get(seat, 0) for seat, number in seats}
        for number, marks in own.items():
            nets[number] += Fraction(sum(marks - other for other in own.values()), size - 1)
    assert {row.entrant.number: row.values[1] for row in standings.compute(stage).ranked} == nets
    assert sum(nets.values()) == 0


def test_a_mitchell_has_a_winner_in_each_line_on_page_wall_paper_and_prizes(client: Client) -> None:
    event = played("pairs_mitchell", "belgian", 6, rounds=3)
    stage = event.stages.get()
    lines = lines_of(stage)
    assert sorted(lines.values()) == [0, 0, 0, 1, 1, 1]
    for seats in stage.rounds.all():
        at = Seat.objects.filter(round=seats).values_list("position", "entrant__number")
        assert all(lines[number] == (position == "EW") for position, number in at)
    parts = split(standings.compute(stage), lines)
    assert [part.rows[0].rank for part in parts] == [1, 1]
    page = client.get(f"/e/{event.slug}/standings/", headers={"accept-language": "en"})
    text = page.content.decode()
    assert text.index("North-South") < text.index("East-West")
    wall = client.get(f"/e/{event.slug}/wall/", headers={"accept-language": "en"}).content.decode()
    assert "North-South" in wall
    assert "East-West" in wall
    set_state(stage_id=stage.pk, state="final", actor=SYSTEM)
    from tests.tournament.documents.reading import whole_text
    from tournament.services.documents import BUILDERS

    names = {who.number: who.person.name for who in event.entrants.select_related("person")}
    winners = [names[part.rows[0].entrant.number] for part in parts]
    printed = whole_text(BUILDERS["standings"](event, {}, "en", "a4")[0])
    assert printed.index("North-South") < printed.index("East-West")
    diplomas = whole_text(BUILDERS["certificates"](event, {"top": 1}, "en", "a4")[0])
    assert diplomas.count("1st place, among 3 ranked") == 2
    prizes = whole_text(BUILDERS["prizes"](event, {"prizes": "1: 50"}, "en", "a4")[0])
    assert prizes.count("50.00") == 2
    assert all(name in prizes for name in winners)


def test_a_mitchell_of_one_list_has_one_winner() -> None:
    event = opened("pairs_mitchell", "belgian", 6, rounds=3, drawing={"one_list": True})
    draw_and_publish(event.stages.get().rounds.get(number=1), SYSTEM)
    assert lines_of(event.stages.get()) == {}


@pytest.mark.parametrize(("field", "third"), [(4, False), (6, True)])
def test_a_bracket_is_shown_with_its_rounds_by_name(
    client: Client, field: int, third: bool
) -> None:
    event = played("ko", "belgian", field, drawing={"third_place": third})
    text = client.get(
        f"/e/{event.slug}/standings/", headers={"accept-language": "en"}
    ).content.decode()
    assert "Semi-final" in text
    assert "Final" in text
    assert ("Third place" in text) is third
    draw = client.get(f"/e/{event.slug}/draw/", headers={"accept-language": "fr"}).content.decode()
    assert "Finale" in draw
    assert ("Troisième place" in draw) is third
    from tests.tournament.documents.reading import whole_text
    from tournament.services.documents import BUILDERS

    assert "Final" in whole_text(BUILDERS["bracket"](event, {}, "en", "a4")[0])


def test_an_event_of_one_stage_is_called_by_its_own_name(client: Client) -> None:
    plan = [new_stage("Only stage", format="random", rounds=1, deals_per_game=1)]
    event = make_event(4, plan=plan)
    assert advance(event, random.Random("alone"))
    stage = event.stages.get()
    set_state(stage_id=stage.pk, state="final", actor=SYSTEM)
    for page in ("", "draw/", "draw/1/1/", "players/1/", "wall/", "calendar.ics?language=en"):
        text = client.get(f"/e/{event.slug}/{page}", headers={"accept-language": "en"})
        assert "Round 1" in text.content.decode(), page
        assert "Only stage" not in text.content.decode(), page
    shown = client.get(f"/e/{event.slug}/standings/", headers={"accept-language": "en"})
    assert "Only stage" not in shown.content.decode()
    from tests.tournament.documents.reading import whole_text
    from tournament.services.documents import BUILDERS

    for kind in ("standings", "draw-by-table", "certificates", "event-report"):
        printed = whole_text(BUILDERS[kind](event, {"top": 1}, "en", "a4")[0])
        assert event.name in printed, kind
        assert "Only stage" not in printed, kind


def test_the_tables_of_pools_are_shown_and_the_champion_leads(client: Client) -> None:
    event = opened("pools_ko", "belgian", 6)
    chance = random.Random("pools")
    for _round in range(3):
        advance(event, chance)
    draw_and_publish(event.stages.get().rounds.get(number=4), SYSTEM)
    text = client.get(
        f"/e/{event.slug}/standings/", headers={"accept-language": "nl"}
    ).content.decode()
    assert "Poule A" in text
    assert "Poule B" in text
    assert "Troostronde" in text


def test_who_goes_home_after_the_last_match_keeps_the_rank() -> None:
    event = played("ko", "belgian", 4)
    stage = event.stages.get()
    before = {row.entrant.number: row.rank for row in standings.compute(stage).rows}
    second = next(number for number, rank in before.items() if rank == 2)
    beaten = next(number for number, rank in before.items() if rank == 3)
    for number in (second, beaten):
        entrants.withdraw(entrant_id=event.entrants.get(number=number).pk, actor=SYSTEM)
    assert {row.entrant.number: row.rank for row in standings.compute(stage).rows} == before


def test_who_goes_home_beaten_before_the_final_keeps_the_place_in_the_bracket() -> None:
    event = opened("ko", "belgian", 4)
    chance = random.Random("home")
    advance(event, chance)
    stage = event.stages.get()
    rows = standings.compute(stage).rows
    beaten = [row.entrant.number for row in rows if row.rank == 3]
    entrants.withdraw(entrant_id=event.entrants.get(number=beaten[0]).pk, actor=SYSTEM)
    advance(event, chance)
    found = {row.entrant.number: row.rank for row in standings.compute(stage).rows}
    assert found[beaten[0]] == 3
    assert sorted(rank or 0 for rank in found.values()) == [1, 2, 3, 3]


@pytest.mark.parametrize("format_", ["individual_draw", "individual_movement"])
def test_a_withdrawal_and_a_late_entry_leave_no_table_idle(format_: str) -> None:
    event = opened(format_, "belgian", 9, rounds=4)
    stage = event.stages.get()
    chance = random.Random("idle")
    advance(event, chance)
    entrants.withdraw(entrant_id=event.entrants.get(number=4).pk, actor=SYSTEM)
    advance(event, chance)
    advance(event, chance)
    for round_ in stage.rounds.filter(number__in=(2, 3)):
        assert round_.tables.count() == 2
    check_standings_of_those_left(stage)


def check_standings_of_those_left(stage: Stage) -> None:
    """Check the ranks of the remaining entrants against the recount; the withdrawn entrant is unranked."""
    found = counted(stage)
    for row in standings.compute(stage).rows:
        record = found[row.entrant.number]
        if row.entrant.number == 4:
            assert row.rank is None
        elif record.games:
            assert row.values[0] == with_average(
                record, found.values(), lambda of: Fraction(of.won)
            )


def test_the_desk_calls_a_round_of_a_bracket_by_its_name_and_counts_pairs(client: Client) -> None:
    event = opened("ko", "belgian", 4)
    advance(event, random.Random("names"))
    round_ = draw_and_publish(event.stages.get().rounds.get(number=2), SYSTEM)
    client.force_login(make_user("director", event, Role.DIRECTOR))
    client.cookies["django_language"] = "en"
    desk = f"/desk/{event.slug}/"
    draw = round_.draws.get(state="published")
    for page in ("", "rounds/", "room/", f"draws/{draw.pk}/", "documents/", "finish/"):
        text = client.get(f"{desk}{page}").content.decode()
        assert "Final" in text, page
        assert "ound 2" not in text.replace("Minutes for round 2", ""), page
    from tests.tournament.documents.reading import whole_text
    from tournament.services.documents import BUILDERS

    slips = whole_text(BUILDERS["slips"](event, {}, "en", "a4")[0])
    assert "Final" in slips
    assert "Round" not in slips
    assert "Semi-final" in client.get(f"{desk}rounds/").content.decode()
    assert "Final" in client.get(f"/referee/{event.slug}/").content.decode()
    for page in ("/", "/desk/", f"{desk}rounds/", f"{desk}players/", f"/e/{event.slug}/"):
        assert "4 pairs" in client.get(page).content.decode(), page
    assert "4 pairs registered" in client.get(f"/e/{event.slug}/players/").content.decode()
    assert "BEGIN:VEVENT" in (
        calendar := client.get(f"/e/{event.slug}/calendar.ics?language=en").content.decode()
    )
    assert "Semi-final" in calendar
