"""The table of a pool adds up the lines of the stage's book."""

from __future__ import annotations

import pytest

from tests.tournament.build import SYSTEM
from tests.tournament.results import copy_slip
from tests.tournament.test_stages import event_of, publish_next
from tournament.models.tables import Sheet
from tournament.queries.matches import plan_of, pool_standings
from tournament.queries.results import gather
from tournament.queries.stage_rule import rule_of, without_bracket
from tournament.ranking.book import Book
from tournament.ranking.model import Credit, CreditBy, LineKind, Outcome, Rule, Withdrawal, use
from tournament.ranking.ranking import rank_books
from tournament.ranking.rulejson import rule_as_json
from tournament.services import entrants, rounds
from tournament.services.adjustments import Amount, adjust
from tournament.services.ranking_rules import set_ranking
from tournament.services.reseating import decide_match

pytestmark = pytest.mark.django_db

COUNTED = (LineKind.PLAYED, LineKind.FORFEIT, LineKind.WALK_OVER, LineKind.STRUCK)


@pytest.mark.guide("ranking#ties-in-a-pool")
@pytest.mark.parametrize("withdrawn", list(Withdrawal))
def test_a_pool_reads_the_lines_of_the_stages_book(withdrawn: Withdrawal) -> None:
    event = event_of(11, "pools_ko", rounds=5, drawing={"pool_size": 4})
    chosen = Rule(
        (use("match_points"), use("net_marks")),
        bye=Credit(CreditBy.FIXED, Outcome.WIN, 3, 3),
        withdrawn=withdrawn,
    )
    set_ranking(event_id=event.pk, order=1, actor=SYSTEM, rule=rule_as_json(chosen))
    stage = event.stages.get()
    for number in (1, 2, 3):
        drawn = publish_next(event)
        absent, *played = Sheet.objects.filter(table__round=drawn.round).order_by("table__number")
        winner = absent.table.seats.get(position="EW").entrant.number
        where = {"round_id": drawn.round_id, "table": absent.table.number}
        decide_match(**where, winner=winner, reason="did not come", actor=SYSTEM)
        for at, sheet in enumerate(played, start=number):
            copy_slip(sheet, {"NS": 10 + at % 3, "EW": 4 + 3 * at % 11})
        fined = [Amount(event.entrants.get(number=number + 3).pk, marks=-2 * number)]
        adjust(
            stage_id=stage.pk,
            source=f"test:{number}",
            amounts=fined,
            reason="a ruling",
            actor=SYSTEM,
            round_id=drawn.round_id,
        )
        rounds.close_round(round_id=drawn.round_id, actor=SYSTEM)
        if number == 1:
            left = played[0].table.seats.get(position="NS").entrant_id
            entrants.withdraw(entrant_id=left, actor=SYSTEM)
    plan, field, rule = plan_of(stage), gather(stage), without_bracket(rule_of(stage))
    book = field.book(rule)
    kinds = {line.kind for line in book.lines}
    assert {LineKind.WALK_OVER, LineKind.FORFEIT, LineKind.CREDITED} <= kinds
    assert (LineKind.STRUCK in kinds) == (withdrawn is Withdrawal.STRUCK)
    for members, shown in zip(plan["pools"], pool_standings(stage, plan, field, rule), strict=True):
        mine = tuple(one for one in book.entrants if one.number in members)
        names = {one.id for one in mine}
        lines = tuple(x for x in book.lines if x.entrant in names and x.kind in COUNTED)
        changes = tuple(change for change in book.adjustments if change.entrant in names)
        added = rank_books([Book(mine, lines, changes)], rule, field.lots)
        assert [(row.entrant.number, row.rank, row.values) for row in added.rows] == [
            (row.entrant.number, row.rank, row.values) for row in shown.rows
        ]
