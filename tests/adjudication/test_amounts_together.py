"""Two rulings on one deal: headline, reasons, slip and CSV state what the sheet gives (C.2, C.8, Q-GEN-9)."""

from __future__ import annotations

import csv
import io
from collections import Counter
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from adjudication.models import Ruling
from adjudication.queries.papers import record, report_csv
from adjudication.queries.shown import RulingShown, marks_of, rulings_with, show
from adjudication.services import rulings
from tests.adjudication.build import (
    REFEREE,
    SECOND,
    SYSTEM,
    as_chiefs,
    event_in_play,
    incident_at,
    points_entry,
    rounds_only,
    sheet_at,
    stating,
)
from tournament.models import Event, Round
from tournament.models.tables import Sheet
from tournament.services import sheets

pytestmark = pytest.mark.django_db
NULL_CONTRE = ("003-C1", {"offender": "E", "what": "too_late"})


def table(rulebook: str, entry: dict[str, Any], **more: Any) -> tuple[Event, Round, Sheet]:
    """Create a sheet with one deal, and two referees who may rule."""
    event, round_ = event_in_play(rulebook, players=4, plan=rounds_only(deals=4), **more)
    as_chiefs(event, REFEREE, SECOND)
    sheet = sheet_at(round_)
    base = points_entry(sheet, 42)
    sheets.enter_deal(sheet_id=sheet.pk, entry={**base, **entry}, actor=SYSTEM)
    return event, round_, sheet


def rule(event: Event, round_: Round, article: str, facts: dict[str, Any]) -> Ruling:
    return stating(
        rulings.issue,
        incident_id=incident_at(event, round_).pk,
        article=article,
        facts=facts,
        actor=REFEREE,
        claimed="in_time",
        reason="seen",
        second=SECOND,
        against_record=["result", "turn_up", "call", "again"],
    )


def on_the_sheet(sheet: Sheet) -> dict[str, int]:
    """Return the marks that the sheet writes for rulings: penalties, and the marks that a side keeps instead."""
    deal = sheet.deals.get(series="official", number=1, current=True)
    amounts: Counter[str] = Counter()
    for line in deal.lines:
        if line["component"] == "penalty" and line["side"]:
            amounts[line["side"]] += line["marks"]
    return {side: n for side, n in amounts.items() if n}


def ordered(shown: RulingShown) -> list[str]:
    """Return the marks of the sides that a slip orders, without those of the deal."""
    return [line for line in record(shown, {}).effects if not line.startswith("Deal ")]


def on_the_slips(event: Event) -> dict[str, int]:
    """Return the sums of the marks that the slips of all rulings of the event order."""
    amounts: Counter[str] = Counter()
    for ruling in rulings_with(event):
        shown = show(ruling, whole=True)
        for side, marks in marks_of(shown.version.proposal, shown.together).items():
            amounts[side] += int(marks)
    return {side: n for side, n in amounts.items() if n}


def reported(event: Event, column: str) -> list[str]:
    """Return a column of the CSV of the report."""
    rows = list(csv.DictReader(io.StringIO(report_csv(event).lstrip("\ufeff")), delimiter=";"))
    return [row[column] for row in rows]


def decisions(event: Event) -> list[str]:
    """Return the decisions in the CSV of the report."""
    return reported(event, "Decision")


def revoke(article: str, player: str) -> tuple[str, dict[str, Any]]:
    return article, {"offender": player, "noticed": "after_deal"}


def test_a_null_contre_and_a_revoke_give_what_the_sheet_gives() -> None:
    """Contred and made with 59: 50 marks; without the contre 25, so that the penalty is more."""
    entry = {
        "contract": {"declarer": "NS", "trump": "H", "doubling": 1},
        "points": {"NS": 59},
    }
    event, round_, sheet = table("coinchee", entry, options={"doubling_allowed": True})
    null = rule(event, round_, *NULL_CONTRE)
    second = rule(event, round_, *revoke("003-P1", "E"))
    assert sheet.deals.get(number=1, current=True).marks == {"NS": 34, "EW": 0}
    shown = show(Ruling.objects.get(pk=second.pk), whole=True)
    assert "N-S +34" in shown.penalty
    assert "50" not in shown.penalty
    assert not any("50" in reason for reason in shown.because)
    assert ordered(shown) == ["N-S +34", "E-W 0"]
    assert "50" not in " ".join(decisions(event))
    assert ordered(show(Ruling.objects.get(pk=null.pk), whole=True)) == []
    assert on_the_slips(event) == on_the_sheet(sheet) == {"NS": 34}
    rulings.annul(ruling_id=null.pk, actor=REFEREE, reason="in time after all")
    assert reported(event, "Status") == ["superseded", "annulled", "provisional"]


def test_both_sides_at_fault_owe_nothing_on_any_paper_and_the_bonus_falls() -> None:
    event, round_, sheet = table("parlee", {"turn_up": "KH", "contract": {"trump": "H"}})
    first = rule(event, round_, *revoke("000-P1", "N"))
    rule(event, round_, *revoke("000-P2", "E"))
    for ruling in rulings_with(event):
        shown = show(ruling, whole=True)
        assert "34" not in shown.penalty
        assert not any("34" in reason or "stands" in reason for reason in shown.because)
        assert any("the bonus does not count" in reason for reason in shown.because)
        assert ordered(shown) == []
    assert not any("34" in each for each in decisions(event))
    assert on_the_slips(event) == on_the_sheet(sheet) == {}
    rulings.annul(
        ruling_id=Ruling.objects.exclude(pk=first.pk).get().pk, actor=REFEREE, reason="not so"
    )
    shown = show(Ruling.objects.get(pk=first.pk), whole=True)
    assert "E-W +34" in shown.penalty
    assert any("stands" in reason for reason in shown.because)


def test_two_faults_of_one_side_are_paid_once() -> None:
    event, round_, sheet = table("parlee", {})
    rule(event, round_, *revoke("000-P1", "N"))
    second = rule(event, round_, *revoke("000-P2", "S"))
    assert on_the_slips(event) == on_the_sheet(sheet) == {"EW": 34}
    assert ordered(show(Ruling.objects.get(pk=second.pk), whole=True)) == []


FAULTS = [
    revoke("000-P1", "N"),
    revoke("000-P2", "E"),
    revoke("000-P3", "S"),
    ("T-COMM", {"offender": "N"}),
    ("T-COMM", {"offender": "W"}),
    ("T-INT", {"offender": "E", "proved": True, "measure": "penalty"}),
    ("GEN-COUNT", {"ill_served": "S", "ill_served_played": True}),
    ("GEN-COUNT", {"ill_served": "W", "ill_served_played": False}),
    ("T-PEEK", {"offender": "S"}),
]


@pytest.mark.guide("referee#papers-and-damaged-rulings")
@settings(
    max_examples=12,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(faults=st.lists(st.sampled_from(FAULTS), min_size=2, max_size=4), points=st.integers(0, 68))
def test_the_slips_of_a_deal_add_up_to_the_sheet(
    faults: list[tuple[str, dict[str, Any]]], points: int
) -> None:
    event, round_, sheet = table("parlee", {"points": {"NS": points}}, name=f"Z{points}")
    for article, facts in faults:
        rule(event, round_, article, facts)
    outside: Counter[str] = Counter()
    seats = sheet.seats
    for row in event.adjustments.filter(annulled_at__isnull=True, source__startswith="deal:"):
        # Both players of a side have its marks, so only one of them is counted.
        for side in ("NS", "EW"):
            if row.entrant_id == int(seats[side[0]]):
                outside[side] += row.marks
    sheet_total = Counter(on_the_sheet(sheet)) + outside
    assert on_the_slips(event) == {side: n for side, n in sheet_total.items() if n}
    played = sheet.deals.get(series="official", number=1, version=1).marks
    written = sheet.deals.get(series="official", number=1, current=True).marks
    for ruling in rulings_with(event):
        slip = record(show(ruling, whole=True), {}).effects
        if slip:
            both = [f"N-S {marks['NS']}, E-W {marks['EW']}" for marks in (played, written)]
            assert [line.partition(": ")[2] for line in slip[-2:]] == both, (
                "both sides, on every slip"
            )
