"""Format × rulebook × field size × what happens in between, played in full and recounted.

Every event is opened, drawn, played deal by deal, closed, cut and crowned through the services. Points of
every deal, standings, places and what the draws call proven must be those of
:mod:`tests.tournament.recount`; nobody may win a deciding stage without having played in it.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import cycle
from typing import Any, Final

import pytest

from ledger.errors import Conflict
from scoring.engine.rulebook import RULEBOOKS
from tests.tournament.build import SYSTEM, make_event
from tests.tournament.documents.reading import whole_text
from tests.tournament.recount import (
    BRACKETS,
    STAKES,
    check_certificates,
    check_marks,
    check_pools,
    ranks,
    seated,
)
from tests.tournament.results import copy_slip
from tournament.demo.simulation import (
    advance,
    decide_level,
    draw_and_publish,
    next_round,
    play_sheet,
)
from tournament.drawing import formats
from tournament.models import Event, Round, Stage
from tournament.models.tables import Sheet
from tournament.queries import standings
from tournament.services import entrants, rounds
from tournament.services.documents import BUILDERS
from tournament.services.events import new_stage
from tournament.services.stage_plans import change_stage
from tournament.services.standings import set_state

pytestmark = pytest.mark.django_db


@dataclass(frozen=True)
class Way:
    """A format with its options. ``cut`` is the size of the cut, a multiple of a table's seats."""

    format: str
    drawing: dict[str, Any] = field(default_factory=dict)
    rounds: int = 2
    cut: int = 4
    books: tuple[str, ...] = tuple(sorted(RULEBOOKS))
    sizes: tuple[int, ...] = (*range(4, 14), 15, 16, 18, 21, 23, 24)

    @property
    def rulebooks(self) -> list[str]:
        """Rulebooks that it can be played with."""
        unit = self.drawing.get("unit", "player")
        return [
            book
            for book in self.books
            if formats.FORMATS[self.format].misfit(RULEBOOKS[book], unit) is None
        ]


AUCTIONS = ("auction-1", "auction-2", "auction-3")
WAYS = {
    "championship": Way("individual_draw"),
    "with tables of three": Way("individual_draw", {"odd": "threes"}),
    "by score": Way("individual_draw", {"by_score": True}, rounds=3),
    "rainbow": Way("individual_movement", sizes=(16, 20, 24)),
    "whist": Way(
        "individual_movement", {"movement": "whist"}, rounds=3, sizes=(4, 5, 8, 9, 12, 13, 16, 20)
    ),
    "swiss": Way("pairs_swiss", rounds=3),
    "swiss, neighbours": Way("pairs_swiss", {"order": "neighbours"}, rounds=3),
    "mitchell": Way("pairs_mitchell", rounds=3),
    "mitchell, one list": Way("pairs_mitchell", {"one_list": True}, rounds=3),
    "round robin": Way("round_robin", rounds=3),
    "pools": Way("pools_ko", {"pool_size": 3}),
    "pools of four, no consolation": Way("pools_ko", {"consolation": False}),
    "knock-out": Way("ko"),
    "knock-out, third place": Way("ko", {"seeds": 4, "third_place": True}),
    "lots, players": Way("random"),
    "lots, pairs": Way("random", {"unit": "pair"}),
    **{
        f"auction tables of {n}": Way("individual_draw", {"table_size": n}, cut=n, books=AUCTIONS)
        for n in range(3, 8)
    },
}
NOT_FOR_SO_MANY: Final = re.compile(
    "exists only for|at most [0-9]+ rounds?|Too few players|No movement is known"
)
"""Refusal of a draw that is impossible for the field."""
NO_TIMETABLE: Final = {"mitchell, one list-bruges-4-withdrawal"}
"""Cases that cannot be played: a Mitchell of an even number of tables t has t − 1 rounds (E34)."""
FORMATS: Final = tuple(dict.fromkeys(way.format for way in WAYS.values()))
HAPPENINGS: Final = ("", "withdrawal", "late entry", "level", "cut")
PAIRED: Final = ("world_championship", "harelbeke", "belote_total")
ALONE: Final = ("auction_total", "auction_per_deal", "table_places", "world_championship")


@dataclass(frozen=True)
class Case:
    """One event of the table of cases."""

    way: str
    rulebook: str
    size: int
    happens: str
    ranking: str

    def __str__(self) -> str:
        return "-".join((self.way, self.rulebook, str(self.size), self.happens or "plain"))


def pairs_of(format_: str) -> Iterator[tuple[str, str]]:
    """Yield ways of a format with rulebooks: each rulebook and each way at least once."""
    ways = [name for name, way in WAYS.items() if way.format == format_]
    used: Counter[str] = Counter()
    for book in sorted({book for way in ways for book in WAYS[way].rulebooks}):
        way = min((way for way in ways if book in WAYS[way].rulebooks), key=used.__getitem__)
        used[way] += 1
        yield way, book
    for way in ways:
        if not used[way]:
            books = WAYS[way].rulebooks
            yield way, books[ways.index(way) % len(books)]


def table() -> Iterator[Case]:
    """Yield every format with each of its rulebooks, with sizes and happenings in rotation."""
    turn = {
        sizes: cycle([*sizes[::3], *sizes[1::3], *sizes[2::3]])
        for sizes in {way.sizes for way in WAYS.values()}
    }
    for start, format_ in enumerate(FORMATS):
        for at, (way, book) in enumerate(pairs_of(format_)):
            rankings = PAIRED if RULEBOOKS[book].sides == "PAIRS" else ALONE
            happens = HAPPENINGS[(at + start) % len(HAPPENINGS)]
            size = next(turn[WAYS[way].sizes])
            yield Case(way, book, size, happens, rankings[at % len(rankings)])


TABLE = list(table())
HALL = Case("championship", "belgian", 544, "withdrawal", "world_championship")


def opened(case: Case) -> Event:
    """Create the event of a case; after a cut a final of one round follows."""
    way = WAYS[case.way]
    plain: dict[str, Any] = {"games_per_round": 1, "deals_per_game": 1, "ranking": case.ranking}
    # After a cut no player sits out: three play together in a game for three.
    top = min(way.cut, case.size)
    top -= top % 3 if RULEBOOKS[case.rulebook].usual_players == 3 else 0
    cut = {"top": top, "tie": "lots"} if case.happens == "cut" else {}
    first = new_stage(
        "Rounds", way.format, way.rounds, drawing=dict(way.drawing), cut=dict(cut), **plain
    )
    pairs = way.format in PAIRS_FORMATS or way.drawing.get("unit") == "pair"
    final = new_stage(
        "Final",
        "pairs_swiss" if pairs else "individual_draw",
        1,
        drawing={k: v for k, v in way.drawing.items() if k == "table_size"},
        **plain,
    )
    options = {"stakes": STAKES} if case.rulebook == "auction-1" else {}
    plan = [first, final] if cut else [first]
    return make_event(case.size, plan=plan, rulebook=case.rulebook, options=options)


PAIRS_FORMATS: Final = frozenset({"pairs_swiss", "pairs_mitchell", "round_robin", "pools_ko", "ko"})


def happen(event: Event, case: Case) -> None:
    """Carry out the case's happening between the first round and the second."""
    stage = event.stages.get(order=1)
    if case.happens == "withdrawal":
        entrants.withdraw(entrant_id=event.entrants.get(number=2).pk, actor=SYSTEM)
    elif case.happens == "late entry":
        late = {"event_id": event.pk, "name": "Late", "actor": SYSTEM, "present": True}
        # With an odd number of pairs a timetable has a place.
        paired = stage.played_as.pairs and not stage.played_as.bracket and case.size % 2
        if stage.played_as.laid_out and not paired:
            with pytest.raises(Conflict) as refusal:
                entrants.enter_player(**late)
            assert refusal.value.code == "no_place"
        else:
            assert entrants.enter_player(**late).number == case.size + 1


def level_round(event: Event, chance: random.Random) -> Round | None:
    """Play the next round with every game of two sides level; matches of a knock-out are then decided."""
    following = next_round(event)
    if following is None:
        return None
    round_ = draw_and_publish(following, SYSTEM)
    for sheet in Sheet.objects.filter(table__round=round_):
        if len(sheet.sides) == 2 and sheet.rulebook not in ("chaloupee", "coinchee"):
            copy_slip(sheet, dict.fromkeys(sheet.sides, 0))
        else:
            play_sheet(sheet, chance)
    if round_.stage.format in BRACKETS:
        decide_level(round_)
    return rounds.close_round(round_id=round_.pk, actor=SYSTEM)


def play(case: Case) -> Event | None:
    """Play the event of a case to its end (a long timetable for four rounds).

    Returns ``None`` where the draw refuses, because the format has no timetable for the field or too few are left.
    """
    event = opened(case)
    chance = random.Random(str(case))
    for number in range(1, 12 if case.size <= 8 or case.way != "round robin" else 5):
        try:
            level = case.happens == "level" and number > 1
            round_ = level_round(event, chance) if level else advance(event, chance)
        except Conflict as refusal:
            if refusal.code != "nothing_counts":
                raise
            # Tables of three alone: the alternative that the refusal names.
            stage = event.stages.get(order=1)
            byes = {name: value for name, value in stage.drawing.items() if name != "odd"}
            change_stage(event_id=event.pk, order=1, drawing=byes, actor=SYSTEM)
            continue
        except RuntimeError as refusal:
            if NOT_FOR_SO_MANY.search(str(refusal)):
                return None
            raise
        if round_ is None:
            break
        if number == 1:
            happen(event, case)
    return event


def check_seats(stage: Stage, moved: set[int]) -> None:
    """Check that no entrant sits twice, and that all sit or rest except ``moved``, who came or left in between."""
    field = set(stage.field.values_list("entrant__number", flat=True))
    for tables, resting in seated(stage):
        at = [number for table in tables for number in table]
        assert len(set(at)) == len(at)
        assert field.issuperset({*at, *resting})
        filling = {number for table in tables if len(table) == 3 for number in table}
        assert filling.issuperset(set(at).intersection(resting))
        if stage.format not in BRACKETS:
            assert field - {*at, *resting} <= moved


def check_ranks(stage: Stage) -> None:
    """Check the ranks of a stage against the recount."""
    found = {row.entrant.number: row.rank for row in standings.compute(stage).rows}
    counted_again = ranks(stage)
    assert {number: found[number] for number in counted_again} == counted_again
    bracket = sum(rank is not None for rank in counted_again.values())
    assert all(
        rank is None or rank > bracket
        for number, rank in found.items()
        if number not in counted_again
    )
    assert 1 in counted_again.values()


def check_crowned(last: Stage) -> None:
    """Check that the diplomas name exactly the recount's first rank, whose members all played for it."""
    event = last.event
    first = {number for number, rank in ranks(last).items() if rank == 1}
    set_state(stage_id=last.pk, state="final", actor=SYSTEM, reason="Some share a rank.")
    names = dict(event.entrants.values_list("number", "person__name"))
    printed = whole_text(
        BUILDERS["certificates"](event, {"top": 1, "stage": last.order}, "fr", "a4")[0]
    )
    if last.format != "pairs_mitchell":
        assert {number for number, name in names.items() if name in printed} == first
    credited = {row.entrant.number: row.games for row in standings.compute(last).rows}
    assert all(credited[number] for number in first)


def whole(case: Case) -> None:
    event = play(case)
    assert (event is None) is (str(case) in NO_TIMETABLE)
    if event is None:
        return
    played = list(event.stages.filter(field__isnull=False).distinct().order_by("order"))
    for stage in played:
        check_seats(stage, {2, case.size + 1})
        if case.happens != "level":
            assert check_marks(stage)
        check_ranks(stage)
        if stage.format == "pools_ko":
            assert check_pools(stage)
    check_certificates(event)
    check_crowned(played[-1])


def _marks(at: int, case: Case) -> list[pytest.MarkDecorator]:
    """Mark all but each eleventh case as long, and also the hall of 544, which takes as long as ten cases."""
    return [] if at % 11 == 2 and case is not HALL else [pytest.mark.long]


@pytest.mark.parametrize(
    "case",
    [
        pytest.param(case, id=str(case), marks=_marks(at, case))
        for at, case in enumerate([*TABLE, HALL])
    ],
)
def test_an_event_of_the_whole_table_is_crowned_right(case: Case) -> None:
    whole(case)


def test_the_table_has_every_format_with_every_rulebook_and_each_happening() -> None:
    found = {(WAYS[case.way].format, case.rulebook) for case in TABLE}
    assert found == {
        (way.format, book) for way in WAYS.values() for book in RULEBOOKS if book in way.rulebooks
    }
    assert {case.way for case in TABLE} == set(WAYS)
    assert len({(WAYS[case.way].format, case.happens) for case in TABLE}) == 8 * len(HAPPENINGS)
    assert {case.size for case in TABLE} >= {*range(4, 14), 15, 16, 18, 21, 23, 24}
