"""The individual championship draw: stable fields, changing fields, wishes, odd numbers."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from hashlib import sha256

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.tournament.pairing.hall import met, play, players
from tournament.pairing.byes import table_sizes
from tournament.pairing.championship import draw_championship
from tournament.pairing.explain import explain
from tournament.pairing.model import (
    Contestant,
    DrawRefused,
    History,
    Kind,
    Odd,
    Request,
    Table,
    Wishes,
)


def repeated(stage: list) -> int:
    total = met(t for _, drawn in stage for t in drawn.tables)
    return sum(times - 1 for times in total.values())


@pytest.mark.guide("formats#repeating-a-draw")
@pytest.mark.parametrize("n", [32, 44, 100, 544])
def test_a_stable_field_never_meets_twice_in_six_rounds(n: int) -> None:
    stage = play(players(n), 6)
    assert repeated(stage) == 0
    assert {drawn.movement for _, drawn in stage} == {"columns"}


@pytest.mark.guide("formats#how-many-rounds-without-a-second-meeting")
@pytest.mark.parametrize(
    ("n", "rounds", "most"),
    [(16, 6, 24), (20, 6, 6), (24, 6, 0), (24, 7, 0), (16, 5, 0), (20, 5, 0)],
)
def test_small_fields_reach_their_bound(n: int, rounds: int, most: int) -> None:
    stage = play(players(n), rounds, kind=Kind.PARTNERS)
    assert repeated(stage) <= most
    partners = Counter(
        tuple(sorted(two))
        for _, drawn in stage
        for t in drawn.tables
        for two in (t.players[0::2], t.players[1::2])
    )
    assert max(partners.values()) == 1
    line = stage[-1][1].certificate["meetings_total"]
    assert line.value == repeated(stage)
    assert line.bound <= line.value


def test_sixteen_players_six_rounds_are_certified_optimal() -> None:
    line = play(players(16), 6)[-1][1].certificate["meetings_total"]
    assert (line.value, line.bound, line.optimal) == (24, 24, True)


@pytest.mark.guide("formats#when-the-number-does-not-fit")
def test_a_changing_field_of_a_hundred_still_never_meets_twice() -> None:
    def between(number: int, here: tuple[Contestant, ...]) -> tuple[Contestant, ...]:
        if number == 1:
            return here
        return (*here[number:], Contestant(1000 + number), Contestant(2000 + number))

    stage = play(players(100, clubs=9), 6, between=between, wishes=Wishes(clubs_apart_until=2))
    assert repeated(stage) == 0
    for _, drawn in stage[:2]:
        assert drawn.certificate["club_clashes"].value == 0


@pytest.mark.guide("director#when-people-come-and-go", "formats#when-the-number-does-not-fit")
def test_a_player_who_comes_back_finds_his_column_again() -> None:
    def between(number: int, here: tuple[Contestant, ...]) -> tuple[Contestant, ...]:
        everybody = players(64)
        return everybody[:-4] if number == 3 else everybody

    stage = play(players(64), 6, between=between)
    assert repeated(stage) == 0
    assert [drawn.movement for _, drawn in stage].count("columns") == 5


@pytest.mark.guide("director#when-people-come-and-go")
@settings(max_examples=15, deadline=None)
@given(st.integers(4, 60), st.integers(1, 4), st.sampled_from(list(Kind)[:2]), st.sampled_from(Odd))
def test_any_number_sits_somewhere_and_byes_are_fair(
    n: int, rounds: int, kind: Kind, odd: Odd
) -> None:
    stage = play(players(n), rounds, kind=kind, odd=odd)
    byes = Counter(b for _, drawn in stage for b in drawn.byes)
    counts = [byes.get(i, 0) for i in range(1, n + 1)]
    assert max(counts) - min(counts) <= 1
    for _, drawn in stage:
        fours, threes, out = table_sizes(n, odd)
        sizes = Counter(len(t.players) for t in drawn.tables)
        assert (sizes[4], sizes[3], len(drawn.byes)) == (fours, threes, out)
        assert drawn.certificate["byes_repeated"].optimal


@pytest.mark.guide("formats#wishes")
@settings(max_examples=12, deadline=None)
@given(st.data())
def test_bans_hold_through_withdrawals(data: st.DataObject) -> None:
    n = data.draw(st.integers(16, 48))
    ids = st.integers(1, n)
    bans = data.draw(st.sets(st.tuples(ids, ids).filter(lambda p: p[0] < p[1]), max_size=12))
    gone = data.draw(st.lists(ids, max_size=4))

    def between(number: int, here: tuple[Contestant, ...]) -> tuple[Contestant, ...]:
        return tuple(c for c in here if c.id not in gone[: 2 * (number - 1)])

    stage = play(players(n), 3, between=between, wishes=Wishes(bans=frozenset(bans)))
    for _, drawn in stage:
        assert not set(met(drawn.tables)) & bans


@pytest.mark.guide("formats#formats-which-draw-when")
def test_the_same_request_gives_the_same_draw_and_another_seed_another() -> None:
    one = play(players(45, clubs=5), 3, seed="a")
    two = play(tuple(reversed(players(45, clubs=5))), 3, seed="a")
    three = play(players(45, clubs=5), 3, seed="b")
    assert [d.tables for _, d in one] == [d.tables for _, d in two]
    assert one[0][1].tables != three[0][1].tables


def test_clubs_are_kept_apart_in_the_first_rounds_and_families_too() -> None:
    field = tuple(replace(c, family=f"f{c.id // 2}") for c in players(64, clubs=8))
    stage = play(field, 4, wishes=Wishes(clubs_apart_until=2, families_apart_until=4))
    club = {c.id: c.club for c in field}
    family = {c.id: c.family for c in field}
    for request, drawn in stage:
        for a, b in met(drawn.tables):
            assert family[a] != family[b]
            assert request.round_no > 2 or club[a] != club[b]


def test_an_oversized_club_clashes_no_more_than_it_must() -> None:
    field = tuple(Contestant(i, club="big" if i <= 12 else "") for i in range(1, 33))
    _, drawn = play(field, 1, wishes=Wishes(clubs_apart_until=1))[0]
    line = drawn.certificate["club_clashes"]
    # Twelve members on eight tables: four tables must hold two of them.
    assert (line.value, line.bound) == (4, 4)


@pytest.mark.guide("formats#wishes")
def test_who_cannot_move_keeps_table_and_seat() -> None:
    field = list(players(48))
    field[4] = replace(field[4], fixed_table=3, fixed_seat="B")
    field[9] = replace(field[9], fixed_table=7, fixed_seat="D")
    stage = play(field, 5)
    for _, drawn in stage:
        for who, table, seat in ((5, 3, "B"), (10, 7, "D")):
            at = drawn.table_of(who)
            assert at is not None
            assert (at.number, at.seats[seat]) == (table, who)
    assert repeated(stage) == 0


def test_who_cannot_move_keeps_his_table_when_the_field_changes() -> None:
    field = list(players(50))
    field[4] = replace(field[4], fixed_table=3)
    stage = play(field, 4, odd=Odd.THREES, between=lambda k, here: here[: 50 - k + 1])
    for _, drawn in stage:
        at = drawn.table_of(5)
        assert at is not None
        assert at.number == 3


def test_who_must_not_keep_the_score_never_does() -> None:
    field = tuple(replace(c, scorekeeper=c.id % 3 == 0) for c in players(40))
    for _, drawn in play(field, 4):
        for t in drawn.tables:
            willing = [p for p in t.players if p % 3 == 0]
            assert (t.scorekeeper in willing) if willing else t.scorekeeper is None


def test_score_groups_sit_together() -> None:
    field = tuple(Contestant(i, score=i // 8) for i in range(64))[1:]
    field = (*field, Contestant(64, score=0))
    request = Request(field, 1, "seed", 1, by_score=True)
    line = draw_championship(request).certificate["score_differences"]
    assert line.value == line.bound


def test_locked_tables_and_held_players_are_left_alone() -> None:
    locked = Table(9, Kind.ROTATION, (1, 2, 3, 4), 1, 2)
    wishes = Wishes(locked=(locked,), held=frozenset({5, 6, 7, 8}))
    drawn = draw_championship(Request(players(40), 1, "seed", 1, wishes=wishes))
    assert locked in drawn.tables
    assert drawn.held == (5, 6, 7, 8)
    assert len(drawn.tables) == 9
    assert {t.number for t in drawn.tables} == set(range(1, 10))


@pytest.mark.guide("formats#when-the-number-does-not-fit")
def test_volunteers_sit_out_first_but_never_twice_before_all_once() -> None:
    wishes = Wishes(bye_first=frozenset({3}))
    first = draw_championship(Request(players(13), 1, "seed", 3, wishes=wishes))
    assert first.byes == (3,)
    history = History().after(first.tables, first.byes)
    second = draw_championship(Request(players(13), 2, "seed", 3, history=history, wishes=wishes))
    assert second.byes != (3,)


@pytest.mark.parametrize(
    ("request_", "code"),
    [
        (Request(players(3), 1, "s"), "too_few"),
        (Request((Contestant(1),) * 4, 1, "s"), "twice"),
        (Request(players(8), 0, "s"), "round"),
        (
            Request(
                (*players(6), Contestant(7, fixed_table=2), Contestant(8, fixed_table=2)), 1, "s"
            ),
            "fixed_twice",
        ),
        (Request(players(4), 1, "s", wishes=Wishes(bans=frozenset({(1, 2)}))), "bans"),
    ],
)
def test_what_cannot_be_drawn_is_refused_with_a_code(request_: Request, code: str) -> None:
    with pytest.raises(DrawRefused) as refused:
        draw_championship(request_)
    assert refused.value.code == code
    assert all([refused.value.reason.render("fr"), refused.value.reason.render("nl")])


@pytest.mark.guide("formats#changing-a-draw-by-hand")
def test_a_table_is_explained_from_the_facts() -> None:
    # Of three who have met, two meet again at one of two tables; the other table has only new pairs.
    def between(number: int, here: tuple[Contestant, ...]) -> tuple[Contestant, ...]:
        return here[:3] if number == 1 else players(8)

    request, drawn = play(players(8), 2, kind=Kind.PARTNERS, odd=Odd.THREES, between=between)[-1]
    repeats = [any(request.history.meetings.get(m) for m in t.meetings()) for t in drawn.tables]
    assert sorted(repeats) == [False, True]
    for t in drawn.tables:
        said = " ".join(x.render("en") for x in explain(request, drawn, t.number))
        again = [m for m in t.meetings() if request.history.meetings.get(m)]
        assert ("Have met before: " in said) == bool(again)
        for a, b in again:
            assert f"{a}–{b}" in said
        assert "public seed" in said
    with pytest.raises(KeyError):
        explain(request, drawn, 999)


def test_who_sits_out_is_chosen_so_that_bans_can_be_kept() -> None:
    # Five players, one banned pair: one of the two must sit out.
    for seed in ("a", "b", "c", "d"):
        wishes = Wishes(bans=frozenset({(1, 2)}))
        drawn = draw_championship(Request(players(5), 1, seed, 1, wishes=wishes))
        assert drawn.byes in ((1,), (2,))


def test_one_table_leaves_nothing_to_search() -> None:
    steps: list[tuple[int, int]] = []
    wishes = Wishes(bans=frozenset({(1, 2)}))
    with pytest.raises(DrawRefused):
        draw_championship(
            Request(players(4), 1, "s", wishes=wishes), lambda *done: steps.append(done)
        )
    assert steps == []


@pytest.mark.guide("formats#formats-which-draw-when")
def test_the_draw_of_a_published_seed_never_changes() -> None:
    """Fixed once; a change here would break the promise of every published seed."""
    stage = play(players(37, clubs=6), 3, kind=Kind.PARTNERS, seed="2026-11-20 4-8-15-16-23-42")
    text = ";".join(
        f"{t.number}:{t.players}:{t.scorekeeper}:{t.dealer}" for _, d in stage for t in d.tables
    )
    assert sha256(text.encode()).hexdigest()[:16] == "3c9c28d2d2d35852"
