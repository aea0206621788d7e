"""The chain alone tells the official state; whoever changes a record behind its back is found out."""

from __future__ import annotations

from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from config.replay import replay
from scoring.models import DealVersion, OfficialResult
from scoring.services import sheets
from tests.tournament.build import SYSTEM, chance, make_event
from tournament.demo.simulation import advance
from tournament.models import Adjustment, Entrant, Event
from tournament.services import entrants, standings
from tournament.services.adjustments import Amount, adjust, annul

pytestmark = pytest.mark.django_db


@pytest.fixture
def event() -> Event:
    """A round played, a deal corrected after signature, a penalty, one taken back, a withdrawal."""
    made = make_event(8, deals=2)
    advance(made, chance())
    stage = made.stages.get(order=1)
    someone, another = made.entrants.order_by("number")[:2]
    deal = DealVersion.objects.filter(sheet__scope=made.pk, current=True).order_by("pk")[0]
    other = {"points": {next(iter(deal.entry["points"])): 31}}
    plain = {name: value for name, value in deal.entry.items() if name != "tricks"}
    sheets.correct_deal(
        sheet_id=deal.sheet_id, number=deal.number, entry={**plain, **other},
        reason="read wrongly", actor=SYSTEM, official=True,
    )  # fmt: skip
    for source, who in (("test:1", someone), ("test:2", another)):
        adjust(stage_id=stage.pk, source=source, amounts=[Amount(who.pk, marks=-5, penalties=1)],
               reason="late", actor=SYSTEM)  # fmt: skip
    annul(source="test:2", actor=SYSTEM, reason="was there")
    entrants.withdraw(entrant_id=another.pk, actor=SYSTEM)
    standings.recompute(stage_id=stage.pk)
    return made


def test_an_event_is_told_anew_without_a_difference(event: Event) -> None:
    found = replay(event)
    assert found.differences == []
    # 2 tables of 3 games of 2 deals; one penalty still stands.
    assert found.compared["deal"] == found.compared["scored anew"] == 12
    assert found.compared["result"] == 6
    assert found.compared["adjustment"] == 1
    assert found.compared["entrant"] == 8
    assert found.standings


def test_a_changed_deal_is_found(event: Event) -> None:
    deal = DealVersion.objects.filter(sheet__scope=event.pk, current=True).order_by("-pk")[0]
    DealVersion.objects.filter(pk=deal.pk).update(marks={"NS": 99})
    told = "\n".join(replay(event).differences)
    assert f"deal {deal.sheet_id} official {deal.number}" in told
    assert "scored anew" in told


def test_a_changed_result_is_found_in_chain_sum_and_standing(event: Event) -> None:
    result = OfficialResult.objects.filter(sheet__scope=event.pk, current=True)[0]
    changed = {**result.result, "marks": {"NS": 500, "EW": 0}}
    OfficialResult.objects.filter(pk=result.pk).update(result=changed)
    told = "\n".join(replay(event).differences)
    assert f"result {result.sheet_id}: the chain says" in told
    assert "added up anew" in told
    assert "standing of" in told


def test_a_penalty_slipped_in_and_an_entrant_taken_out_are_found(event: Event) -> None:
    row = Adjustment.objects.get(event=event, annulled_at__isnull=True)
    row.pk, row.source = None, "nobody"
    row.save()
    Entrant.objects.filter(event=event, number=7).update(state="withdrawn")
    told = "\n".join(replay(event).differences)
    assert "adjustment nobody" in told
    assert "entrant " in told


def test_the_command_exits_with_an_error_where_there_is_a_difference(event: Event) -> None:
    out = StringIO()
    call_command("replay", event.slug, stdout=out)
    assert event.slug in out.getvalue()
    OfficialResult.objects.filter(sheet__scope=event.pk, current=True).update(number=9)
    with pytest.raises(CommandError, match="difference"):
        call_command("replay", event.slug, stdout=StringIO())
    with pytest.raises(CommandError, match="no event"):
        call_command("replay", "nowhere")
