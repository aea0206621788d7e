"""Properties of every event: order, ties, sums, neutrality."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.tournament.ranking.field import bye, entrants, game, separated
from tournament.ranking.canonical import standing_bytes
from tournament.ranking.criteria import CRITERIA, build
from tournament.ranking.cuts import Cut, TieAtCut, apply_cut
from tournament.ranking.model import (
    NO_CREDIT,
    Adjustment,
    Cap,
    CapOn,
    Entrant,
    LineKind,
    Played,
    Rule,
    use,
)
from tournament.ranking.needs import Chance, Needs, in_words
from tournament.ranking.prizes import Prize, Remainder, share_prizes
from tournament.ranking.ranking import deciders, rank
from tournament.ranking.reach import in_games, reach, score

NAMES = "ABCDEFGH"
CODES = sorted(CRITERIA)
quick = settings(max_examples=40, deadline=None)


@st.composite
def events(draw: st.DrawFn, byes: bool = True) -> list[Played]:
    """Draw up to five rounds of eight players, two against two or one against one, some rounds not played.

    Marks are low, so that ties are common.
    """
    lines: list[Played] = []
    for round_no in range(1, draw(st.integers(0, 5)) + 1):
        order = draw(st.permutations(NAMES))
        size = draw(st.sampled_from([1, 2]))
        for table in range(8 // (2 * size)):
            seats = order[2 * size * table : 2 * size * (table + 1)]
            state = draw(st.sampled_from(["played", "played", "played", "bye", "empty"]))
            if state == "played":
                marks = (draw(st.integers(0, 3)), draw(st.integers(0, 3)))
                lines += game(
                    round_no, seats[:size], seats[size:], marks, table=table + 1, best=marks
                )
            elif state == "bye" and byes:
                lines += [bye(round_no, name) for name in seats]
    return lines


rules = st.lists(st.sampled_from(CODES), min_size=1, max_size=5, unique=True).map(
    lambda codes: Rule(tuple(use(code) for code in codes))
)
changes = st.lists(
    st.builds(
        Adjustment,
        entrant=st.sampled_from(NAMES),
        round_no=st.integers(1, 5),
        marks=st.integers(-5, 5),
        match_points=st.integers(-1, 1),
        games_won=st.integers(-1, 1),
        penalty_count=st.integers(0, 1),
    ),
    max_size=3,
)
lots = st.one_of(
    st.just({}),
    st.permutations(range(1, 9)).map(lambda order: dict(zip(NAMES, order, strict=True))),
)


@quick
@given(events(), changes, rules, lots, st.randoms(use_true_random=False))
def test_the_order_of_the_input_is_of_no_account(lines, adjusted, rule, drawn, chance):
    first = standing_bytes(rank(entrants(NAMES), lines, adjusted, rule, drawn))
    field, again, later = entrants(NAMES), list(lines), list(adjusted)
    for pile in (field, again, later):
        chance.shuffle(pile)
    again = [
        replace(
            line,
            opponents=tuple(chance.sample(line.opponents, len(line.opponents))),
            partners=tuple(reversed(line.partners)),
        )
        for line in again
    ]
    assert standing_bytes(rank(field, again, later, rule, drawn)) == first


@quick
@given(events(), changes, rules, lots)
def test_ranks_run_from_one_to_n_with_shared_ties_skipped(lines, adjusted, rule, drawn):
    rows = rank(entrants(NAMES), lines, adjusted, rule, drawn).rows
    assert [row.position for row in rows] == list(range(1, 9))
    for row in rows:
        # A rank is one more than the number placed strictly before.
        assert row.rank == 1 + sum(1 for other in rows if other.rank < row.rank)
        assert row.tied == (sum(1 for other in rows if other.rank == row.rank) > 1)


@quick
@given(events(), changes, rules, lots)
def test_what_separates_is_symmetric_and_agrees_with_the_ranks(lines, adjusted, rule, drawn):
    standing = rank(entrants(NAMES), lines, adjusted, rule, drawn)
    for (one, other), code in zip(pairwise(standing.rows), deciders(standing), strict=True):
        words = separated(standing, one.entrant.id, other.entrant.id, "fr")
        assert words == separated(standing, other.entrant.id, one.entrant.id, "fr")
        idle = not (other.won or other.drawn or other.lost)
        assert code is not None or one.rank == other.rank or idle
        assert code is None or one.rank != other.rank
        if code is not None:
            criterion, level = build(use(code)), standing.codes.index(code)
            assert criterion.key(one.values[level]) < criterion.key(other.values[level])
            if criterion.of_offences:
                assert "ne sont pas publics" in words
            else:
                assert words.startswith(criterion.name.render("fr"))
        else:
            # An entrant without a game ranks below the others, whatever their values.
            assert one.values == other.values or (idle and one.rank != other.rank)


@quick
@given(events(byes=False), st.sampled_from([None, Cap(1, CapOn.NET), Cap(2, CapOn.MARKS)]))
def test_net_marks_add_up_to_nothing(lines, cap):
    # One side's lead is the other side's deficit, capped or not.
    standing = rank(entrants(NAMES), lines, [], Rule((use("net_marks"),), cap=cap))
    assert sum(row.values[0] for row in standing.rows) == 0


@quick
@given(events(byes=False))
def test_each_game_gives_each_side_its_points(lines):
    criteria = (use("match_points"), use("games_percentage"))
    standing = rank(entrants(NAMES), lines, [], Rule(criteria))
    assert sum(row.values[0] for row in standing.rows) == len(lines)
    assert all(row.games == row.won + row.drawn + row.lost for row in standing.rows)


@quick
@given(events(), changes, rules, lots, st.sampled_from(NAMES))
def test_a_neutral_result_changes_nothing(lines, adjusted, rule, drawn, name):
    rule = replace(rule, sat_out=NO_CREDIT)
    before = rank(entrants(NAMES), lines, adjusted, rule, drawn, through=9)
    after = rank(
        entrants(NAMES),
        [*lines, Played(6, name, kind=LineKind.SAT_OUT)],
        adjusted,
        rule,
        drawn,
        through=9,
    )
    assert after == before
    nothing = rank(entrants(NAMES), lines, [*adjusted, Adjustment(name, 1)], rule, drawn, through=9)
    assert [row.values for row in nothing.rows] == [row.values for row in before.rows]


@quick
@given(events(), rules, lots)
def test_renaming_the_entrants_renames_the_standing(lines, rule, drawn):
    def name(key: str) -> str:
        return f"x{key.lower()}"

    renamed = [
        replace(
            line,
            entrant=name(line.entrant),
            opponents=tuple(map(name, line.opponents)),
            partners=tuple(map(name, line.partners)),
        )
        for line in lines
    ]
    first = rank(entrants(NAMES), lines, [], rule, drawn)
    second = rank(
        [Entrant(name(one.id), one.number) for one in entrants(NAMES)],
        renamed,
        [],
        rule,
        {name(key): lot for key, lot in drawn.items()},
    )
    assert [(name(row.entrant.id), row.rank, row.values) for row in first.rows] == [
        (row.entrant.id, row.rank, row.values) for row in second.rows
    ]


@quick
@given(events(), st.sampled_from(NAMES))
def test_more_marks_never_lower_a_rank(lines, name):
    rule = Rule((use("games_won"), use("net_marks"), use("marks")))
    before = rank(entrants(NAMES), lines, [], rule).row(name).rank
    after = rank(entrants(NAMES), lines, [Adjustment(name, 1, marks=1)], rule).row(name).rank
    assert after <= before


@quick
@given(events(), st.integers(1, 10), st.sampled_from(TieAtCut))
def test_a_cut_takes_its_places_and_never_a_worse_before_a_better(lines, top, tie):
    standing = rank(entrants(NAMES), lines, [], Rule((use("games_won"), use("net_marks"))))
    found = apply_cut(standing, Cut(top=top, tie=tie))
    ranks = {row.entrant.id: row.rank for row in standing.rows}
    through = set(found.through)
    waiting = {key for open_ in found.undecided for key in open_.entrants}
    assert not through & waiting
    if tie is TieAtCut.ALL_IN:
        assert len(through) >= min(top, 8)
    else:
        assert len(through) + sum(open_.places for open_ in found.undecided) == min(top, 8)
    out = set(NAMES) - through - waiting
    for key in through:
        assert all(ranks[key] < ranks[other] for other in out | waiting)
    for key in waiting:
        assert all(ranks[key] < ranks[other] for other in out)


CUT_RULES = (
    Rule((use("games_won"), use("net_marks"))),
    Rule((use("games_percentage"), use("net_marks")), sat_out=NO_CREDIT, bye=NO_CREDIT),
    Rule((use("match_points", per="match"), use("marks"))),
    Rule((use("marks"), use("net_marks")), cap=Cap(4, CapOn.MARKS)),
    Rule((use("net_marks"),), cap=Cap(3)),
    Rule((use("marks"), use("games_won"))),
)


@pytest.mark.guide("players#read-your-page", "ranking#qualification")
@quick
@given(st.integers(1, 7), st.integers(1, 2), st.sampled_from(CUT_RULES), st.data())
def test_a_bound_for_the_cut_holds_whatever_is_played_after(places, more, rule, data):
    # Credited rounds follow the average of the entrant's played games, in marks only.
    lines = data.draw(events(byes=rule.criteria[0].code == "games_won"))
    standing = rank(entrants(NAMES), lines, [], rule)
    spans = reach(standing, dict.fromkeys(NAMES, more))
    asked = Needs(standing, places, spans)
    needs = {name: asked.of(name) for name in NAMES}
    won = dict.fromkeys(NAMES, 0)
    later = list(lines)
    for round_no in range(6, 6 + more):
        order = data.draw(st.permutations(NAMES))
        for table in range(2):
            seats = order[4 * table : 4 * table + 4]
            marks = (data.draw(st.integers(0, 5)), data.draw(st.integers(0, 5)))
            later += game(round_no, seats[:2], seats[2:], marks, table=table + 1)
            for name in seats[:2] if marks[0] > marks[1] else seats[2:]:
                won[name] += marks[0] != marks[1]
    end = rank(entrants(NAMES), later, [], rule)
    for name, need in needs.items():
        gained = (
            won[name] if in_games(standing) else score(end.row(name)) - score(standing.row(name))
        )
        inside = sum(1 for row in end.rows if row.rank <= end.row(name).rank) <= places
        outside = end.row(name).rank > places
        if need.chance is Chance.SAFE or (need.more_than is not None and gained > need.more_than):
            assert inside
        if need.chance is Chance.OUT or (need.at_least is not None and gained < need.at_least):
            assert outside
        assert all(in_words(need, standing).render(language) for language in ("en", "fr", "nl"))


@quick
@given(
    events(),
    st.dictionaries(st.integers(1, 10), st.integers(1, 9999), max_size=6),
    st.sampled_from(Remainder),
)
def test_no_cent_is_lost_or_made(lines, money, remainder):
    standing = rank(entrants(NAMES), lines, [], Rule((use("games_won"),)))
    prizes = [Prize(place, cents) for place, cents in money.items()]
    found = share_prizes(standing, prizes, remainder=remainder)
    given_out = found.kept_cents + sum(each.cents for each in (*found.awards, *found.unclaimed))
    assert given_out == sum(money.values())
    for one in found.awards:
        for other in found.awards:
            if one.rank == other.rank:
                assert abs(one.cents - other.cents) <= 1
