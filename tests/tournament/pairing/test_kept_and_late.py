"""Kept tables, people who cannot move and late pairs, in every format: honoured, or refused with their names."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any

import pytest

from tests.tournament.pairing.hall import met, players
from tournament.drawing.formats import FORMATS, draw
from tournament.drawing.rules import read_rules
from tournament.drawing.spec import Before, DrawnRound, Results, Spec
from tournament.pairing.model import Contestant, DrawRefused, Kind, Table, Wishes


def ask(form: str, field: tuple[Contestant, ...], number: int = 1, **more: Any) -> Spec:
    kind = Kind.MATCH if FORMATS[form].pairs else Kind.PARTNERS
    rules = more.pop("rules", {"movement": "whist"} if form == "individual_movement" else {})
    return Spec(form, read_rules(rules), kind, field, number, more.pop("rounds", 5), "seed", **more)


def stage(form: str, fields: list[tuple[Contestant, ...]], **more: Any) -> list[DrawnRound]:
    """Draw rounds one after another for these fields, passing on each draw's plan and slots."""
    out: list[DrawnRound] = []
    before: tuple[Before, ...] = ()
    for number, field in enumerate(fields, start=1):
        last = out[-1] if out else None
        out.append(
            draw(
                ask(
                    form,
                    field,
                    number,
                    before=before,
                    plan=last.plan if last else {},
                    slots=last.drawn.slots if last else (),
                    rounds=len(fields),
                    **more,
                )
            )
        )
        before = (*before, Before(out[-1].drawn.tables, out[-1].drawn.byes))
    return out


@pytest.mark.guide("formats#changing-a-draw-by-hand")
@pytest.mark.parametrize("form", sorted(FORMATS))
def test_a_kept_table_stands_as_it_was_in_every_format(form: str) -> None:
    first = draw(ask(form, players(12))).drawn
    kept = (first.tables[0], first.tables[-1])
    again = draw(ask(form, players(12), wishes=Wishes(locked=kept))).drawn
    assert set(kept) <= set(again.tables)
    seated = Counter(p for t in again.tables for p in t.players)
    seated.update(again.byes)
    assert seated == dict.fromkeys(range(1, 13), 1)
    assert len({t.number for t in again.tables}) == len(again.tables)


@pytest.mark.guide("director#a-round", "formats#wishes")
@pytest.mark.parametrize("form", ["ko", "pools_ko", "round_robin", "pairs_mitchell"])
def test_a_kept_match_that_the_format_does_not_have_is_refused_by_name(form: str) -> None:
    first = draw(ask(form, players(12))).drawn
    one, two = first.tables[0], first.tables[1]
    mixed = replace(one, players=(one.players[0], two.players[0]))
    with pytest.raises(DrawRefused) as refused:
        draw(ask(form, players(12), wishes=Wishes(locked=(mixed,))))
    assert refused.value.code == "locked"
    assert refused.value.ids == mixed.players
    for text in (
        refused.value.reason.render("en"),
        refused.value.reason.render("fr"),
        refused.value.reason.render("nl"),
    ):
        assert f"{mixed.players[0]}–{mixed.players[1]}" in text


@pytest.mark.guide("formats#wishes")
def test_individuals_of_a_movement_are_seated_around_a_table_made_by_hand() -> None:
    first = draw(ask("individual_movement", players(16))).drawn
    one, two = first.tables[0], first.tables[1]
    mixed = replace(one, players=(*one.players[:3], two.players[0]))
    again = draw(ask("individual_movement", players(16), wishes=Wishes(locked=(mixed,)))).drawn
    assert mixed in again.tables
    assert sorted(p for t in again.tables for p in t.players) == list(range(1, 17))


@pytest.mark.guide("formats#wishes")
@pytest.mark.parametrize("form", sorted(FORMATS))
def test_who_cannot_move_keeps_table_and_seat_in_every_format(form: str) -> None:
    seat = "EW" if FORMATS[form].pairs and form != "pairs_mitchell" else "NS"
    seat = seat if FORMATS[form].pairs else "N"
    field = tuple(
        replace(c, fixed_table=3, fixed_seat=seat) if c.id == 5 else c for c in players(16)
    )
    drawn = draw(ask(form, field)).drawn
    at = drawn.table_of(5)
    assert at is not None
    assert (at.number, at.seats[seat]) == (3, 5)
    assert len({t.number for t in drawn.tables}) == len(drawn.tables)


def test_a_knockout_winner_who_cannot_move_keeps_his_table_in_the_next_round() -> None:
    first = draw(ask("ko", players(8)))
    last = first.drawn.tables[-1]
    field = tuple(
        replace(c, fixed_table=last.number) if c.id == last.players[0] else c for c in players(8)
    )
    won = frozenset(t.players[0] for t in first.drawn.tables)
    second = draw(ask("ko", field, 2, plan=first.plan, results=Results(won={1: won}))).drawn
    at = second.table_of(last.players[0])
    assert at is not None
    assert at.number == last.number


@pytest.mark.guide("formats#wishes")
@pytest.mark.parametrize("form", ["round_robin", "pairs_mitchell"])
def test_a_late_pair_plays_whoever_would_sit_out(form: str) -> None:
    late = Contestant(99)
    odd = players(9)
    rounds = stage(form, [odd, *[(*odd, late)] * 4])
    assert len(rounds[0].drawn.byes) == 1
    for outcome in rounds[1:]:
        assert outcome.drawn.byes == ()
        assert sorted(p for t in outcome.drawn.tables for p in t.players) == [*range(1, 10), 99]
        assert len({t.number for t in outcome.drawn.tables}) == 5
    assert max(met(t for o in rounds for t in o.drawn.tables).values()) == 1


def test_a_late_pair_that_left_again_leaves_the_place_empty_or_to_the_next() -> None:
    odd, late, later = players(9), Contestant(99), Contestant(98)
    rounds = stage("round_robin", [odd, (*odd, late), odd, (*odd, later)])
    assert [len(o.drawn.byes) for o in rounds] == [1, 0, 1, 0]
    # When a pair of the field leaves, the guest takes its place for good.
    rounds = stage("round_robin", [odd, (*odd, late), (*odd[1:], late)])
    assert 99 in rounds[2].plan["stand_in"].values()
    assert len(rounds[2].drawn.byes) == 1


@pytest.mark.guide("formats#wishes")
@pytest.mark.parametrize("form", ["round_robin", "pairs_mitchell"])
def test_a_late_pair_without_a_place_is_told_when_it_can_enter(form: str) -> None:
    with pytest.raises(DrawRefused) as refused:
        stage(form, [players(10), (*players(10), Contestant(99))])
    assert refused.value.code == "no_place"
    assert refused.value.ids == (99,)
    assert "withdraws" in refused.value.reason.render("en")


def test_a_kept_table_number_is_never_given_twice() -> None:
    kept = Table(4, Kind.PARTNERS, (1, 2, 3, 4))
    for form in ("individual_draw", "individual_movement", "random"):
        drawn = draw(ask(form, players(16), wishes=Wishes(locked=(kept,)))).drawn
        assert kept in drawn.tables
        assert len({t.number for t in drawn.tables}) == 4


def test_the_losers_of_the_semi_finals_play_for_the_third_place_when_asked() -> None:
    plan: dict[str, Any] = {}
    won: dict[int, frozenset[int]] = {}
    drawn = []
    for number in range(1, 4):
        outcome = draw(
            ask(
                "ko",
                players(8),
                number,
                plan=plan,
                results=Results(won=dict(won)),
                rules={"third_place": True},
            )
        )
        plan = outcome.plan
        drawn.append(outcome.drawn)
        won[number] = frozenset(min(t.players) for t in outcome.drawn.tables)
    semis, last = drawn[1], drawn[2]
    assert len(last.tables) == 2
    final, third = last.tables
    assert set(final.players) == won[2]
    assert set(third.players) == {p for t in semis.tables for p in t.players} - won[2]
    plain = draw(ask("ko", players(8), 3, plan=plan, results=Results(won=dict(won)))).drawn
    assert len(plain.tables) == 1
    # An absent player leaves the other without a match.
    gone = third.players[0]
    field = tuple(c for c in players(8) if c.id != gone)
    alone = draw(
        ask("ko", field, 3, plan=plan, results=Results(won=dict(won)), rules={"third_place": True})
    ).drawn
    assert (len(alone.tables), alone.byes) == (1, (third.players[1],))


def test_two_entrants_have_no_third_place_to_play_for() -> None:
    assert len(draw(ask("ko", players(2), rules={"third_place": True})).drawn.tables) == 1
