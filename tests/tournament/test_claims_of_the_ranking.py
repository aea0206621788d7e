"""Claims of docs/ranking.md on whole events: counted by hand, then read on the pages."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from django.test import Client

from tests.tournament.build import SYSTEM, chance, make_event
from tests.tournament.desk import director, text_of
from tests.tournament.documents.reading import whole_text
from tests.tournament.results import copy_slip
from tests.tournament.test_chain import planned
from tests.tournament.test_ranking_rule import as_shown
from tests.tournament.test_stages import event_of, publish_next
from tournament.demo.simulation import advance
from tournament.models import Bye, Draw
from tournament.models.tables import Sheet
from tournament.queries.standings import compute, fresh
from tournament.services import clock, entrant_edits, entrants, ranking_rules, rounds, stages
from tournament.services.documents import BUILDERS

pytestmark = pytest.mark.django_db


def play(drawn: Draw, scores: dict[tuple[int, int], tuple[int, int]]) -> None:
    """Enter every match of a round with the score of its two start numbers, and close the round."""
    at = dict(drawn.round.stage.event.entrants.values_list("pk", "number"))
    clock.start_round(round_id=drawn.round_id, actor=SYSTEM)
    for sheet in Sheet.objects.filter(table__round=drawn.round).select_related("table"):
        who = {seat.position: at[seat.entrant_id] for seat in sheet.table.seats.all()}
        one, two = who["NS"], who["EW"]
        ours, theirs = scores[one, two] if (one, two) in scores else scores[two, one][::-1]
        copy_slip(sheet, {"NS": ours, "EW": theirs})
    rounds.close_round(round_id=drawn.round_id, actor=SYSTEM)


CROSSTABLE = {(1, 2): (9, 4), (1, 3): (9, 4), (1, 4): (4, 9), (2, 3): (7, 7), (2, 4): (9, 4)} | {
    (3, 4): (9, 4)
}
"""A beats B and C and loses to D; B and C draw, and both beat D."""


@pytest.mark.guide("ranking#a-crosstable-to-check-by-hand")
def test_the_crosstable_of_the_guide_stands_on_the_page_of_an_event() -> None:
    event = event_of(4, "round_robin", rounds=3, deals=2)
    client = director(event)
    where = f"/desk/{event.slug}/stages/1/ranking/"
    form: dict[str, Any] = as_shown(client, where)
    form |= {name: "" for name in form if name.endswith("-place")}
    order = ("match_points", "buchholz", "buchholz_cut", "buchholz_median", "sonneborn_berger")
    form |= {f"{code}-place": str(place) for place, code in enumerate(order, 1)}
    form |= {"win": "1", "draw": "1/2", "loss": "0", "verb": "rule"}
    assert client.post(where, form).status_code == 302
    for _round in range(3):
        play(publish_next(event), CROSSTABLE)
    rows = {row.entrant.number: row for row in compute(event.stages.get()).rows}
    half = Fraction(1, 2)
    level = (1 + half, 4 + half, 3 + half, 1 + half, Fraction(7, 4))
    assert rows[1].values == (2, 4, 3, 1 + half, 3)
    assert rows[2].values == rows[3].values == level
    assert rows[4].values == (1, 5, 3 + half, 1 + half, 2)
    assert [rows[number].rank for number in (1, 2, 3, 4)] == [1, 2, 2, 4]
    page = client.get(f"/e/{event.slug}/standings/").content.decode()
    assert page.count('<td class="rank">2=</td>') == 2
    assert page.count('<td class="rank">1</td>') == page.count('<td class="rank">4</td>') == 1


@pytest.mark.guide("ranking#ranking")
def test_the_page_says_what_separates_two_neighbours_as_the_guide_does() -> None:
    event = event_of(4, "pairs_swiss", rounds=1, deals=2)
    drawn = publish_next(event)
    at = dict(event.entrants.values_list("pk", "number"))
    pairs = [tuple(at[who] for who in table["players"]) for table in drawn.tables]
    (best, beaten), (next_one, other) = pairs
    play(drawn, {(best, beaten): (51, 0), (next_one, other): (31, 0)})
    said = "Point difference: +51 against +31 (tied on Games won)"
    for number in (best, next_one):
        assert said in text_of(Client(), f"/e/{event.slug}/players/{number}/")


@pytest.mark.guide("ranking#other-parts-of-a-rule")
@pytest.mark.parametrize(
    ("format", "drawing"),
    [
        ("pairs_swiss", {}),
        ("pairs_mitchell", {}),
        ("round_robin", {}),
        ("pools_ko", {"pool_size": 5}),
        ("random", {"unit": "pair"}),
    ],
)
def test_a_bye_of_a_pair_is_a_win_in_every_format_of_pairs(
    format: str, drawing: dict[str, Any]
) -> None:
    event = event_of(5, format, rounds=2, drawing=drawing)
    round_ = advance(event, chance())
    assert round_ is not None
    (rests,) = Bye.objects.filter(round=round_).values_list("entrant__number", flat=True)
    stage = event.stages.get()
    row = next(r for r in compute(stage).rows if r.entrant.number == rests)
    assert (row.won, row.games, row.credited) == (1, 1, 1)
    assert row.values[stage.format == "pools_ko"] == 1


@pytest.mark.guide("ranking#clubs")
def test_a_club_counts_the_members_who_have_a_rank() -> None:
    event = make_event(8, deals=1)
    for number in range(1, 9):
        entrant_edits.correct_entrant(
            entrant_id=event.entrants.get(number=number).pk,
            actor=SYSTEM,
            changes={"club": "Three" if number <= 3 else "Five"},
        )
    ranking_rules.set_ranking(
        event_id=event.pk, order=1, actor=SYSTEM, clubs={"by": "percentage", "least": 3}
    )
    advance(event, chance())
    address = f"/e/{event.slug}/standings/1/clubs/"

    def rank_of_three() -> str:
        page = Client().get(address).content.decode()
        before = page[: page.index("Three")]
        return before[before.rindex('<td class="num">') + 16 :].partition("<")[0]

    assert rank_of_three() in ("1", "2", "1=")
    entrants.withdraw(entrant_id=event.entrants.get(number=1).pk, actor=SYSTEM)
    assert rank_of_three() == "–"


@pytest.mark.guide("ranking#ranking")
def test_page_and_paper_of_a_standing_bear_the_head_of_its_hash() -> None:
    event = event_of(4, "pairs_swiss", rounds=1, deals=2)
    advance(event, chance())
    kept = fresh(event.stages.get())
    content, mark, _state = BUILDERS["standings"](event, {}, "en", "a4")
    assert mark == kept.hash
    assert len(mark) == 64
    for text in (whole_text(content), text_of(Client(), f"/e/{event.slug}/standings/")):
        assert mark[:16] in "".join(text.split())


@pytest.mark.guide("ranking#qualification")
def test_whole_tables_fill_the_last_one_by_the_best_others() -> None:
    event = planned(16, {"top": 10, "whole": True})
    advance(event, chance())
    stage, final = event.stages.order_by("order")
    client = director(event)
    stages.draw_lots(stage_id=stage.pk, actor=SYSTEM)
    assert "12 qualify" in text_of(client, f"/desk/{event.slug}/stages/1/cut/")
    client.post(f"/desk/{event.slug}/stages/1/next/", {"verb": "open"})
    assert final.field.count() == 12
    # With a smaller field, fewer players qualify.
    small = planned(11, {"top": 10, "whole": True})
    advance(small, chance())
    stage, final = small.stages.order_by("order")
    stages.draw_lots(stage_id=stage.pk, actor=SYSTEM)
    stages.open_next_stage(stage_id=stage.pk, actor=SYSTEM)
    assert final.field.count() == 8
