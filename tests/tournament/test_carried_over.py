"""Results carried over into a final count as in their own stage, read with that stage's field."""

from __future__ import annotations

import copy
import gzip
import json

import pytest
from django.core.management import call_command

import manille_check
from tests.tournament.build import SYSTEM, make_event
from tests.tournament.results import copy_slip
from tests.tournament.test_stages import publish_next
from tournament.models import Draw, Event, Stage, Standings
from tournament.models.tables import Sheet
from tournament.queries.standings import check, compute, counted_from, rows_json
from tournament.ranking.book import write_book
from tournament.ranking.canonical import input_bytes, standing_bytes, state_hash
from tournament.ranking.model import (
    AVERAGE,
    NO_CREDIT,
    Credit,
    CreditBy,
    Entrant,
    LineKind,
    Outcome,
    Played,
    Rule,
    Withdrawal,
    use,
)
from tournament.ranking.ranking import rank
from tournament.ranking.rulejson import rule_as_json
from tournament.services import archive, entrants, rounds, stages
from tournament.services.adjustments import Amount, adjust
from tournament.services.events import new_stage
from tournament.services.ranking_rules import set_ranking
from tournament.services.reseating import replace_player
from tournament.services.standings import set_state

pytestmark = pytest.mark.django_db

OPPOSITION = (
    use("match_points"),
    use("buchholz"),
    use("sonneborn_berger"),
    use("opponents_wins"),
    use("net_marks"),
)
CREDITED = Credit(CreditBy.FIELD_MEDIAN)
WON_BY_3 = Credit(CreditBy.FIXED, Outcome.WIN, 3, 3)
RULE = Rule(OPPOSITION, bye=CREDITED, sat_out=CREDITED, withdrawn=Withdrawal.STRUCK)
AVERAGED = Rule(
    (use("games_won"), use("net_marks"), use("marks")),
    bye=AVERAGE,
    sat_out=AVERAGE,
    withdrawn=Withdrawal.STRUCK,
)


def line(round_no: int, one: str, two: str, ours: int, theirs: int) -> list[Played]:
    """Return the lines of a game of two, with 2 points for a win."""
    outcome = {True: Outcome.WIN, False: Outcome.LOSS}
    return [
        Played(round_no, one, outcome[ours > theirs], ours, theirs, (two,), table=1),
        Played(round_no, two, outcome[theirs > ours], theirs, ours, (one,), table=1),
    ]


# A round robin of four, then a final of A and B:
#
#          A     B     C     D    points   Buchholz
#     A    ·    10-4  12-6  8-2     6     4 + 2 + 0
#     B   4-10   ·    9-3   7-5     4     6 + 2 + 0
#     C   6-12  3-9    ·    11-1    2     6 + 4 + 0
#     D   2-8   5-7   1-11   ·      0     6 + 4 + 2
FOUR = [
    *line(1, "A", "B", 10, 4),
    *line(1, "C", "D", 11, 1),
    *line(2, "A", "C", 12, 6),
    *line(2, "B", "D", 7, 5),
    *line(3, "A", "D", 8, 2),
    *line(3, "B", "C", 9, 3),
]
A, B, C, D = (Entrant(name, number) for number, name in enumerate("ABCD", 1))


@pytest.mark.guide("ranking#the-criteria")
def test_a_worked_crosstable_is_carried_into_a_final() -> None:
    rule = Rule((use("match_points"), use("buchholz"), use("opponents_wins")))
    before = rank([A, B, C, D], FOUR, [], rule)
    assert [row.values for row in before.rows] == [(6, 6, 3), (4, 8, 4), (2, 10, 5), (0, 12, 6)]
    book = write_book([A, B, C, D], FOUR, [], rule)
    carried = rank([A, B], line(4, "B", "A", 5, 1), [], rule, carried=[book])
    # Each has met the other (6 points now, 3 wins) twice, C (2 points, 1 win) and D (none).
    assert [(row.entrant.id, row.values) for row in carried.rows] == [
        ("A", (6, 14, 7)),
        ("B", (6, 14, 7)),
    ]


@pytest.mark.guide("ranking#the-criteria")
def test_games_struck_in_a_stage_stay_struck_in_the_next() -> None:
    rule = Rule((use("match_points"), use("net_marks")), withdrawn=Withdrawal.STRUCK)
    gone = Entrant("D", 4, withdrawn=True)
    before = rank([A, B, C, gone], FOUR, [], rule)
    assert [row.values for row in before.ranked] == [(4, 12), (2, 0), (0, -12)]
    carried = rank([A, B], [], [], rule, carried=[write_book([A, B, C, gone], FOUR, [], rule)])
    assert [row.values for row in carried.rows] == [(4, 12), (2, 0)]


def test_one_who_leaves_the_final_is_struck_from_the_final_alone() -> None:
    rule = Rule((use("match_points"), use("net_marks")), withdrawn=Withdrawal.STRUCK)
    final = [*line(4, "A", "B", 5, 1), *line(4, "C", "D", 3, 0)]
    left = Entrant("B", 2, withdrawn=True)
    book = write_book([A, B, C, D], FOUR, [], rule)
    carried = rank([A, left, C, D], final, [], rule, carried=[book])
    values = {row.entrant.id: row.values for row in carried.rows}
    # A has the 10-4 win of the first stage carried over, and not the 5-1 win of the final.
    assert values["A"] == (6, 18)
    assert values["C"] == (4, 1)


@pytest.mark.guide("ranking#the-criteria")
def test_a_rest_is_worth_the_average_of_its_own_stage() -> None:
    rested = [
        *line(1, "A", "B", 10, 4),
        Played(1, "C", kind=LineKind.SAT_OUT),
        *line(2, "C", "A", 8, 2),
        Played(2, "B", kind=LineKind.SAT_OUT),
        *line(3, "B", "C", 9, 3),
        Played(3, "A", kind=LineKind.SAT_OUT),
    ]
    before = rank([A, B, C], rested, [], AVERAGED)
    # Each won one game of two and has the average of these two for the third.
    assert {row.entrant.id: row.values[0] * 2 for row in before.rows} == dict.fromkeys("ABC", 3)
    nets = {row.entrant.id: row.values[1] for row in before.rows}
    assert nets == {"A": 0, "B": 0, "C": 0}
    final = [*line(4, "A", "B", 100, 0), *line(5, "A", "B", 100, 0)]
    book = write_book([A, B, C], rested, [], AVERAGED)
    carried = rank([A, B], final, [], AVERAGED, carried=[book])
    values = {row.entrant.id: row.values for row in carried.rows}
    assert values["A"][:2] == (before.row("A").values[0] + 2, 200)
    assert values["B"][:2] == (before.row("B").values[0], -200)


@pytest.mark.guide("ranking#the-criteria")
def test_what_a_rest_was_worth_stays_whatever_the_rule_of_the_final() -> None:
    rested = [*line(1, "A", "B", 10, 4), Played(1, "C", kind=LineKind.BYE)]
    without = Rule((use("games_won"), use("net_marks")), bye=NO_CREDIT)
    book = write_book([A, B, C], rested, [], Rule((use("games_won"),), bye=WON_BY_3))
    carried = rank([A, C], line(2, "C", "A", 2, 1), [], without, carried=[book])
    assert [(row.entrant.id, row.values) for row in carried.rows] == [("C", (2, 4)), ("A", (1, 5))]


def test_an_archive_of_the_release_before_is_still_counted_by_the_outsiders_check() -> None:
    rule = Rule((use("match_points"), use("buchholz"), use("opponents_wins")))
    read = json.loads(input_bytes([A, B], [*FOUR, *line(4, "B", "A", 5, 1)], []))
    others = json.loads(input_bytes([C, D], [], []))["entrants"]
    read |= {"places": {}, "others": others, "carried": [{"last": 3, "withdrawn": []}]}
    rows = manille_check.Count(rule_as_json(rule), read, 5).standing()["rows"]
    assert [row["values"] for row in rows] == [[6, 14, 7], [6, 14, 7]]


# Through the database -------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def built(module_database: None) -> tuple[Event, list[Draw]]:
    """Play three rounds of nine pairs: byes, a pair disqualified, a round forfeited; four qualify for a final."""
    plan = [
        new_stage(
            name,
            format="pairs_swiss",
            rounds=count,
            games_per_round=1,
            deals_per_game=2,
            carries_over=count == 1,
            cut={"top": 4, "tie": "lots"} if count == 3 else {},
        )
        for name, count in (("Qualifying", 3), ("Final", 1))
    ]
    event = make_event(9, plan=plan)
    for order in (1, 2):
        set_ranking(event_id=event.pk, order=order, actor=SYSTEM, rule=rule_as_json(RULE))
    drawn = []
    for at in range(3):
        drawn.append(publish_next(event))
        settle(drawn[-1])
        if at == 1:
            number = _number_at(drawn[0], 4, worst=True)
            entrants.withdraw(entrant_id=event.entrants.get(number=number).pk, actor=SYSTEM)
    return event, drawn


@pytest.fixture
def played(built: tuple[Event, list[Draw]]) -> tuple[Event, list[Draw]]:
    """Return the qualifying stage of :func:`built`, played."""
    return copy.deepcopy(built)


def settle(drawn: Draw) -> None:
    """Make a round official: the lower number wins, by as many marks as its number."""
    for sheet in Sheet.objects.filter(table__round=drawn.round).select_related("table"):
        at = {s.position: s.entrant.number for s in sheet.table.seats.select_related("entrant")}
        best = min(at, key=at.__getitem__)
        copy_slip(sheet, {seat: at[seat] + 5 if seat == best else 0 for seat in at})
    rounds.close_round(round_id=drawn.round_id, actor=SYSTEM)


def _number_at(drawn: Draw, table: int, *, worst: bool) -> int:
    seats = drawn.round.seats.filter(table__number=table).select_related("entrant")
    return (max if worst else min)(seat.entrant.number for seat in seats)


def open_final(event: Event) -> tuple[Stage, Stage]:
    first, final = event.stages.order_by("order")
    if stages.undecided(first):
        stages.draw_lots(stage_id=first.pk, actor=SYSTEM)
    stages.open_next_stage(stage_id=first.pk, actor=SYSTEM)
    return first, Stage.objects.select_related("event").get(pk=final.pk)


def forfeit(event: Event, drawn: Draw) -> None:
    number = _number_at(drawn, 4, worst=True)
    adjust(
        stage_id=event.stages.get(order=1).pk,
        source="test:1",
        amounts=[Amount(event.entrants.get(number=number).pk, forfeited=True)],
        reason="did not come",
        actor=SYSTEM,
        round_id=drawn.round_id,
    )


@pytest.mark.guide("ranking#the-criteria")
def test_before_its_first_game_a_final_has_the_values_of_the_qualifying_stage(
    played: tuple[Event, list[Draw]],
) -> None:
    event, drawn = played
    forfeit(event, drawn[2])
    first, final = open_final(event)
    there, here = compute(first), compute(final)
    assert len(here.rows) == 4
    for row in here.rows:
        before = there.row(row.entrant.id)
        assert (row.values, row.games, row.won) == (before.values, before.games, before.won)
    # As up to 1.0.0: read with the four qualifiers alone, without other opponents and disqualified entrants.
    formerly = compute(final, edition=4)
    assert any(formerly.row(row.entrant.id).values != row.values for row in here.rows), (
        "the case is one that was counted wrongly"
    )


@pytest.mark.parametrize("zero", [False, True])
def test_a_replacement_in_a_final_continues_the_points_carried_over(
    played: tuple[Event, list[Draw]], zero: bool
) -> None:
    event, _drawn = played
    first, final = open_final(event)
    leaving = compute(final).rows[0]
    new = entrants.enter_player(event_id=event.pk, name="Substitute", reserve=True, actor=SYSTEM)
    replace_player(
        event_id=event.pk, old=leaving.entrant.number, new=new.number, actor=SYSTEM, zero=zero
    )
    row = compute(final).row(str(new.number))
    counted = (row.values, row.games, row.won)
    assert (counted == (leaving.values, leaving.games, leaving.won)) is not zero
    assert {one.entrant.id for one in compute(first).rows} >= {leaving.entrant.id}
    settle(publish_next(event))
    standing = json.loads(standing_bytes(compute(final)))
    assert manille_check.Count(standing["rule"], counted_from(final)).standing() == standing
    whole = json.loads(gzip.decompress(archive.pack(event.pk)))
    assert not manille_check.check(whole).wrong, manille_check.check(whole).lines


def test_one_beaten_in_the_stage_before_takes_no_points_carried_over(
    played: tuple[Event, list[Draw]],
) -> None:
    event, _drawn = played
    first, final = open_final(event)
    through = {row.entrant.number for row in compute(final).rows}
    beaten = next(
        row.entrant.number
        for row in compute(first).rows
        if row.rank is not None and row.entrant.number not in through
    )
    before = compute(first).row(str(beaten))
    left = min(through)
    replace_player(event_id=event.pk, old=left, new=beaten, actor=SYSTEM)
    row = compute(final).row(str(beaten))
    assert (row.games, row.won) == (before.games, before.won)


@pytest.mark.guide("check#checking-an-event-from-outside")
def test_the_outsiders_check_counts_a_final_as_the_service_does(
    played: tuple[Event, list[Draw]],
) -> None:
    event, drawn = played
    forfeit(event, drawn[2])
    _first, final = open_final(event)
    settle(publish_next(event))
    standing = json.loads(standing_bytes(compute(final)))
    assert manille_check.Count(standing["rule"], counted_from(final)).standing() == standing
    whole = json.loads(gzip.decompress(archive.pack(event.pk)))
    assert not manille_check.check(whole).wrong, manille_check.check(whole).lines
    # An archive without the entrants who did not qualify is detected.
    stated = whole["content"]["standings"][1]
    book = stated["input"]["carried"][0]
    book["entrants"] = book["entrants"][1:]
    assert list(manille_check.input_faults(whole["content"], stated))
    del stated["input"]["carried"]
    assert list(manille_check.input_faults(whole["content"], stated))


@pytest.mark.guide("ranking#the-criteria")
def test_a_final_list_stays_as_it_was_published_and_the_check_names_it(
    played: tuple[Event, list[Draw]], capsys: pytest.CaptureFixture[str]
) -> None:
    event, drawn = played
    forfeit(event, drawn[2])
    _first, final = open_final(event)
    settle(publish_next(event))
    set_state(stage_id=final.pk, state="final", actor=SYSTEM)
    published = compute(final, edition=4)
    Standings.objects.filter(stage=final).update(
        edition=4, hash=state_hash(published), rows=rows_json(published)
    )
    found = check(Stage.objects.select_related("event").get(pk=final.pk))
    assert found is not None
    assert found.same
    assert found.corrected
    call_command("recompute", event.slug, "--check")
    told = capsys.readouterr().out
    assert "stays as published" in told
    assert str(found.corrected[0]) in told
