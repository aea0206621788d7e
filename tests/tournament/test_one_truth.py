"""One truth, whatever is entered, decided, corrected, ruled, reopened, closed, drawn, published or undone.

After every step the sheets as a person reads them give the same winners as standings, bracket, export and a player's
page; and a draw that says "nothing better is possible" was made from the facts at its publication.
"""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ledger import jobs
from ledger.errors import Refused
from ledger.models import AuditHead, JobState
from operations.replay import replay
from tests.tournament.build import SYSTEM
from tests.tournament.results import copy_slip
from tests.tournament.test_stages import event_of
from tournament import exports
from tournament.models import Draw, Entrant, Round, Seat, Table
from tournament.models.stages import former_holder
from tournament.models.tables import OfficialResult, Sheet
from tournament.queries import paper_form, standings
from tournament.queries.certificates import lines_of
from tournament.queries.fields import spec_of
from tournament.queries.matches import winners_by_round
from tournament.queries.players import days_of
from tournament.services import (
    adjustments,
    draws,
    entrants,
    publication,
    reseating,
    rounds,
    sheets,
    signatures,
)
from tournament.services.readiness import facts_of
from tournament.tables.score_sheet import ScoreSheet

pytestmark = pytest.mark.django_db

FORMATS: dict[str, tuple[int, dict[str, Any]]] = {
    "pairs_swiss": (6, {}),
    "ko": (4, {"seeds": 4}),
    "pools_ko": (8, {"pool_size": 4, "main": 1}),
    "round_robin": (4, {}),
    "pairs_mitchell": (6, {}),
    "random": (6, {"unit": "pair"}),
    "individual_movement": (8, {"movement": "whist"}),
    "individual_draw": (8, {"by_score": True}),
}
VERBS = [
    *("enter", "enter", "enter", "fill", "close", "draw", "publish"),
    *("decide", "undecide", "correct", "rule", "annul", "reopen", "unpublish", "sign_again"),
    "substitute",
]
STEPS = st.lists(st.tuples(st.sampled_from(VERBS), st.integers(0, 2**20)), min_size=8, max_size=24)
EXPECTED = {
    *("match_decided", "games_decide", "no_match", "side_forfeited", "closed_by_decision"),
    *(
        "tables_not_signed",
        "not_published",
        "round_published",
        "round_before_missing",
        "draw_discarded",
    ),
    *("result_before_changed", "round_before_changed", "entries_exist", "later_round_published"),
    *("sheet_signed", "event_finished", "nothing_left_to_draw", "not_seated", "sheet_not_signed"),
    *("round_closed", "not_official", "field_changed", "match_over"),
}
"""Refusals that a step may meet; any other is a fault."""


class Day:
    """An event with acts in any order."""

    def __init__(self, format: str) -> None:
        players, drawing = FORMATS[format]
        self.event = event_of(players, format, rounds=3, drawing=drawing)
        self.numbers = dict(self.event.entrants.values_list("pk", "number"))
        self.ruled = 0

    @property
    def rounds(self) -> list[Round]:
        return list(Round.objects.filter(stage__event=self.event).order_by("number"))

    def sheets(self, *states: str) -> list[Sheet]:
        listed = Sheet.objects.filter(table__round__stage__event=self.event, state__in=states)
        return list(listed.order_by("table__round__number", "table__number", "order"))

    def do(self, verb: str, chance: random.Random) -> None:
        refused = ""
        try:
            getattr(self, verb)(chance)
        except sheets.GameRefused as refusal:
            refused = refusal.refusal.code
        except Refused as refusal:
            refused = refusal.code
        assert refused in {"", *EXPECTED}

    def enter(self, chance: random.Random) -> None:
        for sheet in self.sheets("open")[:1]:
            marks = chance.sample(range(0, 28, 3), len(sheet.sides))
            copy_slip(sheet, dict(zip(sheet.sides, marks, strict=True)))

    def fill(self, chance: random.Random) -> None:
        for _sheet in self.sheets("open"):
            self.do("enter", chance)
            break
        waiting = [sheet for sheet in self.sheets("open") if paper_form.waits(sheet)]
        for sheet in waiting:
            marks = chance.sample(range(0, 28, 3), len(sheet.sides))
            copy_slip(sheet, dict(zip(sheet.sides, marks, strict=True)))

    def correct(self, chance: random.Random) -> None:
        for sheet in chance.sample(official := self.sheets("official"), min(1, len(official))):
            for deal in ScoreSheet(sheet).current():
                ((side, points),) = deal.entry["points"].items()
                sheets.correct_deal(
                    sheet_id=sheet.pk,
                    number=deal.number,
                    entry={**deal.entry, "points": {side: 60 - points}},
                    actor=SYSTEM,
                    reason="turned",
                )

    def sign_again(self, chance: random.Random) -> None:
        for sheet in chance.sample(official := self.sheets("official"), min(1, len(official))):
            signatures.reopen(sheet_id=sheet.pk, actor=SYSTEM, reason="not agreed")
            sheet.refresh_from_db()
            signatures.confirm(
                sheet_id=sheet.pk, version=sheet.version, actor=SYSTEM, reason="agreed"
            )

    def _a_table(self, chance: random.Random, **where: Any) -> Table | None:
        tables = list(
            Table.objects.filter(round__stage__event=self.event, **where).order_by(
                "round__number", "number"
            )
        )
        return chance.choice(tables) if tables else None

    def decide(self, chance: random.Random) -> None:
        if (table := self._a_table(chance)) is not None:
            seats = list(table.seats.order_by("position"))
            reseating.decide_match(
                round_id=table.round_id,
                table=table.number,
                winner=self.numbers[chance.choice(seats).entrant_id],
                reason="absent",
                actor=SYSTEM,
            )

    def undecide(self, chance: random.Random) -> None:
        if (table := self._a_table(chance, decided_for__isnull=False)) is not None:
            reseating.withdraw_decision(
                round_id=table.round_id, table=table.number, reason="came", actor=SYSTEM
            )

    def _source(self, number: int) -> str:
        """Return the source of a penalty, unique to this event as a ruling's is."""
        return f"test:{self.event.pk}:{number}"

    def rule(self, chance: random.Random) -> None:
        if (table := self._a_table(chance)) is not None:
            who = chance.choice(list(table.seats.order_by("position"))).entrant_id
            self.ruled += 1
            adjustments.adjust(
                stage_id=self.event.stages.get().pk,
                source=self._source(self.ruled),
                amounts=[adjustments.Amount(who, marks=-chance.randint(1, 9))],
                reason="a penalty",
                actor=SYSTEM,
                round_id=table.round_id,
            )

    def annul(self, chance: random.Random) -> None:
        if self.ruled:
            source = self._source(chance.randint(1, self.ruled))
            adjustments.annul(source=source, actor=SYSTEM, reason="appeal")

    def close(self, chance: random.Random) -> None:
        for round_ in [each for each in self.rounds if each.state in ("published", "playing")][:1]:
            rounds.close_round(round_id=round_.pk, actor=SYSTEM)

    def reopen(self, chance: random.Random) -> None:
        closed = [each for each in self.rounds if each.state == "closed"]
        for round_ in chance.sample(closed, min(1, len(closed))):
            rounds.reopen_round(round_id=round_.pk, actor=SYSTEM, reason="wrong")

    def draw(self, chance: random.Random) -> None:
        for round_ in [each for each in self.rounds if each.published_at is None][:1]:
            job = draws.request_draw(round_id=round_.pk, actor=SYSTEM)
            jobs.work_on(str(job.pk))
            job.refresh_from_db()
            assert job.state == JobState.DONE or "winner" in job.failure or job.failure

    def publish(self, chance: random.Random) -> None:
        drafts = Draw.objects.filter(round__stage__event=self.event, state="candidate")
        for draft in drafts.order_by("-number")[:1]:
            same = facts_of(spec_of(draft.round_id)) == draft.facts
            despite = chance.choice(("", "the hall waits"))
            publication.publish_draw(draw_id=draft.pk, actor=SYSTEM, despite=despite)
            draft.refresh_from_db()
            assert not (same and draft.despite)
            if draft.despite:
                assert despite
                assert not any(line.optimal for line in lines_of(draft))

    def substitute(self, chance: random.Random) -> None:
        """Another comes in an entrant's place, with the points so far or from zero."""
        stays = Entrant.objects.filter(stages__stage__event=self.event).exclude(state="withdrawn")
        leaving = chance.choice(list(stays.order_by("number")))
        name = f"Substitute {len(self.numbers) + 1}"
        new = entrants.enter_player(event_id=self.event.pk, name=name, reserve=True, actor=SYSTEM)
        self.numbers[new.pk] = new.number
        reseating.replace_player(
            event_id=self.event.pk,
            old=leaving.number,
            new=new.number,
            zero=chance.random() < 0.3,
            actor=SYSTEM,
        )

    def unpublish(self, chance: random.Random) -> None:
        for round_ in [each for each in self.rounds if each.state == "published"][-1:]:
            publication.unpublish(round_id=round_.pk, actor=SYSTEM, reason="wrong")


def winner_on_sheet(table: Table) -> tuple[bool, int | None]:
    """Return whether a table has a result, and its winner in a match of pairs, as a person reads sheet and decision."""
    sheet = table.sheets.get()
    if table.decided_for_id is not None:
        return True, table.decided_for_id
    official = OfficialResult.objects.filter(sheet=sheet, current=True).first()
    if official is None:
        return False, None
    marks = official.result["marks"]
    best = [side for side, value in marks.items() if value == max(marks.values())]
    if len(best) > 1:
        return True, None
    at = {seat.position: seat.entrant_id for seat in table.seats.all()}
    return True, at[sheet.sides[best[0]][0]]


def check(day: Day) -> None:
    """Check that sheets, standings, bracket, export, players' pages and the paper slips' way agree."""
    day.event.refresh_from_db()
    stage = day.event.stages.get()
    tables = list(Table.objects.filter(round__stage=stage).order_by("round__number", "number"))
    expected: dict[tuple[int, int], dict[int, str]] = {}
    for table in tables:
        over, winner = winner_on_sheet(table)
        sheet = table.sheets.get()
        if table.decided_for_id is not None:
            assert not paper_form.waits(sheet)
        if not over:
            continue
        ours = {seat.position: seat.entrant_id for seat in table.seats.all()}
        won = next((p for p in sheet.sides.values() if winner in [ours[x] for x in p]), [])
        expected[table.round.number, table.number] = {
            day.numbers[who]: "draw" if winner is None else "won" if at in won else "lost"
            for at, who in ours.items()
        }
    counts = Counter((number, word) for here in expected.values() for number, word in here.items())
    listed = exports.results(day.event, public=True)
    column = listed.columns.index
    exported = {
        (row[column("round")], row[column("table")], int(number)): row[column("outcome")]
        for row in listed.rows
        for number in str(row[column("numbers")]).split()
    }
    assert exported == {
        (*at, number): word for at, here in expected.items() for number, word in here.items()
    }
    resting = Counter(
        Entrant.objects.filter(byes__round__stage=stage)
        .exclude(byes__round__published_at=None)
        .values_list("number", flat=True)
    )
    for place in stage.field.filter(takes_points=True).order_by("pk").select_related("entrant"):
        former, now = former_holder(place.origin), place.entrant.number
        resting[now] += resting.pop(former, 0)
        for word in ("won", "lost", "draw"):
            counts[now, word] += counts.pop((former, word), 0)
    fresh = standings.recompute(stage_id=stage.pk, force=True)
    for row in fresh.rows:
        number = row["number"]
        assert row["won"] - counts[number, "won"] in (0, resting[number]), row
        assert row["lost"] == counts[number, "lost"], row
    assert standings.check(stage)
    if stage.played_as.bracket:
        won_by_round = winners_by_round(stage)
        for (round_no, _table), here in expected.items():
            for number, word in here.items():
                if word == "won":
                    assert number in won_by_round[round_no]
                else:
                    assert number not in won_by_round.get(round_no, ())
    shown = days_of(day.event, list(day.numbers), language="en", private=True)
    for entrant, day_ in shown.items():
        decided = {True: "won", False: "lost", None: None}
        read = {
            (played.round.number, word)
            for played in day_
            for game in played.games
            if (word := game.outcome or decided[played.decided])
        }
        want = {
            (round_no, here[day.numbers[entrant]])
            for (round_no, _t), here in expected.items()
            if day.numbers[entrant] in here
        }
        assert read == want
    at_tables = Seat.objects.filter(round__stage=stage).count()
    assert at_tables == sum(table.seats.count() for table in tables)


def walk(format: str, steps: list[tuple[str, int]]) -> None:
    day = Day(format)
    for verb in ("draw", "publish"):
        day.do(verb, random.Random(0))
    seen = None
    for verb, seed in steps:
        day.do(verb, random.Random(seed))
        # A step that was refused has left everything as it was.
        written = AuditHead.objects.get(scope=day.event.pk).sequence
        if written != seen:
            check(day)
        seen = written
    day.event.refresh_from_db()
    assert replay(day.event).differences == []


A_BAD_DAY = [
    *(("enter", 1), ("decide", 3), ("fill", 5), ("close", 0), ("draw", 0), ("reopen", 1)),
    *(("correct", 2), ("close", 0), ("publish", 0), ("publish", 1), ("fill", 7), ("undecide", 0)),
    *(("reopen", 4), ("undecide", 0), ("enter", 9), ("rule", 3), ("close", 0), ("draw", 0)),
    *(
        ("substitute", 5),
        ("fill", 3),
        ("annul", 0),
        ("publish", 3),
        ("substitute", 6),
        ("unpublish", 0),
        ("sign_again", 1),
        ("publish", 2),
    ),
]


@pytest.mark.parametrize("format", sorted(FORMATS))
def test_a_bad_day_leaves_one_truth(format: str) -> None:
    walk(format, A_BAD_DAY)


def any_order(examples: int) -> settings:
    """Return settings for a number of orders of steps of one format: new ones each night, the same by day."""
    checks = [HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
    return settings(
        max_examples=examples,
        deadline=None,
        suppress_health_check=checks,
        derandomize=examples < 50,
    )


@pytest.mark.long
@pytest.mark.parametrize("format", sorted(FORMATS))
@any_order(18)
@given(steps=STEPS)
def test_any_order_leaves_one_truth(format: str, steps: list[tuple[str, int]]) -> None:
    """144 orders in all, about a second each."""
    walk(format, steps)


@pytest.mark.long
@pytest.mark.parametrize("format", sorted(FORMATS))
@any_order(63)
@given(steps=STEPS)
def test_any_order_leaves_one_truth_at_length(format: str, steps: list[tuple[str, int]]) -> None:
    """504 orders in all."""
    walk(format, steps)
