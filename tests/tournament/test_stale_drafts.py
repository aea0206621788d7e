"""A draft based on results that have changed is not published, because its claims would be false."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from ledger.errors import Conflict
from ledger.jobs import work_on
from ledger.models import Job
from operations.replay import replay
from tests.markup import markup
from tests.moment import later
from tests.tournament.build import SYSTEM, make_event, make_user
from tests.tournament.results import copy_slip
from tests.tournament.test_stages import draw_next, event_of, publish_next, settle
from tournament.models import Draw, Entrant, Event
from tournament.models.tables import Sheet
from tournament.services import (
    bans_and_wishes,
    entrants,
    publication,
    readiness,
    reseating,
    rounds,
    sheets,
    stages,
)
from tournament.services.adjustments import Amount, adjust, annul
from tournament.services.events import new_stage
from tournament.tables.score_sheet import ScoreSheet

pytestmark = pytest.mark.django_db


def with_first_round(format: str, players: int = 8, **drawing: Any) -> tuple[Event, Draw]:
    event = event_of(players, format, rounds=3, drawing=drawing)
    first = publish_next(event)
    settle(first)
    return event, first


def turn_round(event: Event, first: Draw) -> None:
    """Reopen the round, reverse the result of its first table, and close it again."""
    rounds.reopen_round(round_id=first.round_id, actor=SYSTEM, reason="a slip was misread")
    sheet = Sheet.objects.filter(table__round=first.round_id).order_by("table__number")[0]
    for deal in ScoreSheet(sheet).current():
        ((side, points),) = deal.entry["points"].items()
        sheets.correct_deal(
            sheet_id=sheet.pk,
            number=deal.number,
            entry={**deal.entry, "points": {side: 60 - points}},
            actor=SYSTEM,
            reason="a slip was misread",
        )
    rounds.close_round(round_id=first.round_id, actor=SYSTEM)


def rule_against(event: Event, first: Draw) -> None:
    adjust(
        stage_id=event.stages.get().pk,
        source="test:1",
        amounts=[Amount(event.entrants.get(number=1).pk, marks=-60, match_points=-2, games_won=-1)],
        reason="a ruling",
        actor=SYSTEM,
        round_id=first.round_id,
    )


def decide(event: Event, first: Draw) -> None:
    table = first.round.tables.order_by("number")[0]
    numbers = [seat.entrant.number for seat in table.seats.select_related("entrant")]
    reseating.decide_match(
        round_id=first.round_id, table=1, winner=max(numbers), reason="a protest", actor=SYSTEM
    )


def refusal(candidate: Draw) -> Conflict:
    with pytest.raises(Conflict) as refused:
        publication.publish_draw(draw_id=candidate.pk, actor=SYSTEM)
    candidate.refresh_from_db()
    assert candidate.state == "candidate"
    return refused.value


@pytest.mark.guide("director#a-round")
@pytest.mark.parametrize("change", [turn_round, rule_against])
@pytest.mark.parametrize(
    ("format", "drawing"), [("pairs_swiss", {}), ("individual_draw", {"by_score": True})]
)
def test_a_draft_by_score_is_drawn_again_once_a_score_changed(
    format: str, drawing: dict[str, Any], change: Callable[[Event, Draw], None]
) -> None:
    event, first = with_first_round(format, **drawing)
    stale = draw_next(event)
    change(event, first)
    assert refusal(stale).code == "result_before_changed"
    publication.publish_draw(draw_id=draw_next(event).pk, actor=SYSTEM)


def test_the_refusal_names_whose_score_changed(client: Client) -> None:
    event, first = with_first_round("pairs_swiss")
    stale = draw_next(event)
    turn_round(event, first)
    table = first.round.tables.order_by("number")[0]
    met = sorted(seat.entrant.number for seat in table.seats.select_related("entrant"))
    client.force_login(make_user("director", event, "director"))
    page = f"/desk/{event.slug}/draws/{stale.pk}/"
    told = client.post(page, {"act": "publish"}, follow=True, headers={"accept-language": "en"})
    assert f"numbers {met[0]}, {met[1]}): draw again" in " ".join(told.content.decode().split())
    assert "Draw again" in told.content.decode()


def test_an_appeal_that_gives_the_points_back_makes_the_draft_true_again() -> None:
    event, first = with_first_round("pairs_swiss")
    draft = draw_next(event)
    rule_against(event, first)
    assert refusal(draft).code == "result_before_changed"
    annul(source="test:1", actor=SYSTEM, reason="on appeal")
    publication.publish_draw(draw_id=draft.pk, actor=SYSTEM)


def test_a_match_decided_since_the_draft_changes_its_scores() -> None:
    event = event_of(8, "pairs_swiss", rounds=3)
    first = publish_next(event)
    for sheet in Sheet.objects.filter(table__round=first.round).order_by("table__number")[1:]:
        one, two = sheet.sides
        copy_slip(sheet, {one: 30, two: 0})
    stale = draw_next(event)
    decide(event, first)
    assert refusal(stale).code == "result_before_changed"


def test_a_draft_on_provisional_scores_is_drawn_again_when_the_last_table_signed() -> None:
    event = event_of(8, "pairs_swiss", rounds=3)
    first = publish_next(event)
    *early, last = Sheet.objects.filter(table__round=first.round).order_by("table__number")
    for sheet in early:
        one, two = sheet.sides
        copy_slip(sheet, {one: 30, two: 0})
    stale = draw_next(event)
    one, two = last.sides
    copy_slip(last, {one: 20, two: 0})
    assert refusal(stale).code == "result_before_changed"


def test_a_final_is_not_seeded_by_places_that_changed_since() -> None:
    plan = [
        new_stage(
            "Qualifying",
            format="pairs_swiss",
            rounds=1,
            games_per_round=1,
            deals_per_game=2,
            cut={"top": 4, "tie": "lots"},
        ),
        new_stage("Final", format="pairs_swiss", rounds=1, games_per_round=1, deals_per_game=2),
    ]
    event = make_event(8, plan=plan)
    settle(publish_next(event))
    qualifying, final = event.stages.order_by("order")
    stages.open_next_stage(stage_id=qualifying.pk, actor=SYSTEM)
    stale = draw_next(event)
    places = {who["id"]: who["rank"] for who in stale.request["contestants"]}
    first = min(places, key=places.__getitem__)
    adjust(
        stage_id=qualifying.pk,
        source="test:1",
        amounts=[Amount(event.entrants.get(number=first).pk, marks=-1)],
        reason="a ruling",
        actor=SYSTEM,
        round_id=qualifying.rounds.get().pk,
    )
    assert final.field.count() == 4
    assert refusal(stale).code == "result_before_changed"


@pytest.mark.guide("director#a-round")
@pytest.mark.parametrize("format", ["individual_draw", "round_robin", "random", "pairs_mitchell"])
def test_a_draft_that_takes_no_results_is_published_whatever_they_are(format: str) -> None:
    event, first = with_first_round(format)
    draft = draw_next(event)
    turn_round(event, first)
    publication.publish_draw(draw_id=draft.pk, actor=SYSTEM)


def test_a_correction_that_moves_nobody_keeps_the_draft() -> None:
    event, first = with_first_round("pairs_swiss")
    draft = draw_next(event)
    rounds.reopen_round(round_id=first.round_id, actor=SYSTEM, reason="a look")
    rounds.close_round(round_id=first.round_id, actor=SYSTEM)
    publication.publish_draw(draw_id=draft.pk, actor=SYSTEM)


def test_a_pair_that_leaves_before_the_first_round_changes_no_result() -> None:
    event = event_of(14, "pairs_swiss", rounds=3)
    draft = draw_next(event)
    entrants.withdraw(entrant_id=event.entrants.get(number=14).pk, actor=SYSTEM)
    changes = readiness.changes_since(draft)
    assert [(each.code, each.numbers) for each in changes] == [("field_changed", (14,))]


def test_a_consolation_is_not_drawn_from_an_order_of_its_pools_that_changed() -> None:
    event = event_of(8, "pools_ko", rounds=3)
    for _round in range(3):
        settle(publish_next(event))
    stale = draw_next(event)
    third = stale.request["results"]["pools"][0][2]
    adjust(
        stage_id=event.stages.get().pk,
        source="test:1",
        amounts=[Amount(event.entrants.get(number=third).pk, marks=-200, games_won=-1)],
        reason="a ruling",
        actor=SYSTEM,
        round_id=event.stages.get().rounds.get(number=2).pk,
    )
    assert refusal(stale).code == "result_before_changed"


def test_a_newcomer_in_the_place_of_somebody_keeps_the_draft() -> None:
    event, _first = with_first_round("pairs_swiss", 9)
    draft = draw_next(event)
    new = entrants.enter_player(
        event_id=event.pk, name="Anna", partner="Bea", reserve=True, actor=SYSTEM
    )
    reseating.replace_player(event_id=event.pk, old=3, new=new.number, actor=SYSTEM)
    draft.refresh_from_db()
    publication.publish_draw(draw_id=draft.pk, actor=SYSTEM)


def withdraw_one(event: Event, first: Draw) -> None:
    entrants.withdraw(entrant_id=event.entrants.get(number=3).pk, actor=SYSTEM, reason="went home")


def keep_apart(event: Event, first: Draw) -> None:
    drawn = Draw.objects.get(round__stage__event=event, state="candidate")
    one, two = drawn.tables[0]["players"]
    bans_and_wishes.ban(event_id=event.pk, one=number_of(one), two=number_of(two), actor=SYSTEM)


def number_of(entrant: int) -> int:
    return Entrant.objects.get(pk=entrant).number


CHANGES = {
    "result_before_changed": turn_round,
    "field_changed": withdraw_one,
    "ban_since": keep_apart,
}


@pytest.mark.guide("director#after-the-publication")
@pytest.mark.parametrize("code", sorted(CHANGES))
def test_a_stale_draft_is_published_for_a_reason_that_its_public_proof_tells(
    client: Client, code: str
) -> None:
    event, first = with_first_round("pairs_swiss")
    stale = draw_next(event)
    assert len(stale.facts) == 64
    CHANGES[code](event, first)
    assert refusal(stale).code == code
    client.force_login(make_user("director", event, "director"))
    client.cookies["django_language"] = "en"
    page = f"/desk/{event.slug}/draws/{stale.pk}/"
    shown = markup(client.get(page))
    assert "Something has changed since this draw was made." in shown
    assert "Nothing better is possible" not in shown.partition("Draw report")[0]
    client.post(page, {"act": "publish", "despite": "  "})
    stale.refresh_from_db()
    assert stale.state == "candidate"
    client.post(page, {"act": "publish", "despite": "the hall waits"})
    stale.refresh_from_db()
    assert (stale.state, stale.despite["reason"]) == ("published", "the hall waits")
    assert next(iter(stale.despite["changed"])) == code
    client.logout()
    proof = client.get(
        f"/e/{event.slug}/draw/1/2/proof/", headers={"accept-language": "en"}
    ).content.decode()
    assert "the hall waits" in proof
    assert "Nothing better is possible" not in proof
    assert ">proven<" not in proof
    for number in stale.despite["changed"][code]:
        name = event.entrants.select_related("person").get(number=number).person.name
        assert name in proof
    event.refresh_from_db()
    assert replay(event).differences == []


def test_a_draft_is_named_stale_with_the_names_of_those_concerned(client: Client) -> None:
    event, first = with_first_round("pairs_swiss")
    stale = draw_next(event)
    turn_round(event, first)
    table = first.round.tables.order_by("number")[0]
    client.force_login(make_user("director", event, "director"))
    page = f"/desk/{event.slug}/draws/{stale.pk}/"
    shown = client.get(page, headers={"accept-language": "en"}).content.decode()
    box = shown.partition("Something has changed")[2].partition("</ul>")[0]
    for seat in table.seats.select_related("entrant__person"):
        assert seat.entrant.person.name in box
    assert client.get(f"/desk/{event.slug}/").context["is_stale"] is True


def test_a_program_publishes_a_stale_draft_for_a_reason(client: Client) -> None:
    event, first = with_first_round("pairs_swiss")
    stale = draw_next(event)
    turn_round(event, first)
    client.force_login(make_user("director", event, "director"))
    at = f"/api/v1/draws/{stale.pk}/publish/"
    refused = client.post(at, {}, content_type="application/json")
    assert (refused.status_code, refused.json()["code"]) == (409, "result_before_changed")
    done = client.post(at, {"despite": "no time"}, content_type="application/json")
    assert done.status_code == 200
    told = client.get(f"/api/v1/draws/{stale.pk}/").json()
    assert not any(line["optimal"] for line in told["certificate"])


def test_a_timed_publication_of_a_stale_draft_is_taken_off_the_clock() -> None:
    event, first = with_first_round("pairs_swiss")
    stale = draw_next(event)
    round_ = stale.round
    publication.publish_later(
        draw_id=stale.pk, at=timezone.now() + timedelta(seconds=60), actor=SYSTEM
    )
    turn_round(event, first)
    with later(seconds=61):
        assert publication.publish_due() == 1
    work_on(str(Job.objects.get(kind="tournament.publish").pk))
    round_.refresh_from_db()
    assert (round_.state, round_.publish_at) == ("drawn", None)


def test_a_draft_unpublished_forgets_why_it_was_published() -> None:
    event, first = with_first_round("pairs_swiss")
    stale = draw_next(event)
    turn_round(event, first)
    publication.publish_draw(draw_id=stale.pk, actor=SYSTEM, despite="no time")
    publication.unpublish(round_id=stale.round_id, actor=SYSTEM, reason="after all")
    assert refusal(stale).code == "result_before_changed"
    assert stale.despite == {}
