"""A championship of 544 through all of ``ranking``, and the baseline of the benchmark."""

from __future__ import annotations

from fractions import Fraction

from benchmarks.standings import EVERY, event, measure
from tournament.ranking.book import write_book
from tournament.ranking.canonical import state_hash
from tournament.ranking.criteria import CRITERIA
from tournament.ranking.cuts import Cut, TieAtCut, apply_cut
from tournament.ranking.presets import PRESETS
from tournament.ranking.ranking import rank


def test_128_go_to_the_semi_final_and_the_table_winners_to_the_final():
    # D.1 E4/E5, Deerlijk 2023: 544 players, three rounds, the 128 best to the semi-final; there
    # 32 tables of four, each with three games in turn, whose 32 winners play the final.
    field, lines = event(544, 3)
    rule = PRESETS["world_championship"].rule
    standing = rank(field, lines, [], rule)
    assert [standing.rows[0].rank, len(standing.rows)] == [1, 544]
    assert sum(row.values[1] for row in standing.rows) == 0
    semi = apply_cut(standing, Cut(top=128, tie=TieAtCut.ALL_IN))
    assert len(semi.through) >= 128
    assert standing.row(semi.best[-1]).rank <= 128
    assert all(row.rank > 128 for row in standing.rows if row.entrant.id not in semi.best)

    best = list(semi.best[:128])
    chosen = [one for one in field if one.id in set(best)]
    _, games = event(128, 1, seed=4)
    seats = dict(zip(sorted({line.entrant for line in games}), best, strict=True))
    lines = [
        type(line)(
            round_no=1,
            entrant=seats[line.entrant],
            outcome=line.outcome,
            marks_for=line.marks_for,
            marks_against=line.marks_against,
            opponents=tuple(seats[name] for name in line.opponents),
            partners=tuple(seats[name] for name in line.partners),
            table=line.table,
        )
        for line in games
    ]
    # One game leaves both partners level: two go on from each table without dispute,
    # and one from each only by the whole standing or by lots.
    two = apply_cut(
        rank(chosen, lines, [], rule),
        Cut(per_table=2, round_no=1),
        write_book(chosen, lines, (), rule),
    )
    assert (len(two.winners), two.complete) == (64, True)
    one = apply_cut(
        rank(chosen, lines, [], rule),
        Cut(per_table=1, round_no=1),
        write_book(chosen, lines, (), rule),
    )
    assert {open_.places for open_ in one.undecided} == {1}
    assert len(one.undecided) == 32


def test_every_criterion_at_once_over_nine_rounds_is_the_same_each_time():
    field, lines = event(544, 9)
    assert {used.code for used in EVERY.criteria} == set(CRITERIA)
    standing = rank(field, lines, [], EVERY)
    again = rank(reversed(field), reversed(lines), [], EVERY)
    assert state_hash(again) == state_hash(standing)
    assert all(
        isinstance(number, int | Fraction)
        for row in standing.rows
        for value in row.values
        if value is not None
        for number in (value if isinstance(value, tuple) else (value,))
    )


def test_the_benchmark_compares_equals():
    # It raises when the plain sort gives another order.
    figures = measure(players=40, rounds=3, runs=1)
    assert figures["criteria"] == len(CRITERIA)
