"""Impact of a ruling in a knock-out or in pools: the preview matches the later result."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils.html import strip_tags

from adjudication.api.impact import ImpactShape
from adjudication.models import Incident, Ruling
from adjudication.queries.impact import Impact, SheetSeen, impact_of
from adjudication.services import rulings
from tests.adjudication.build import REFEREE, SECOND, enter, incident_at, sheet_at, sign, stating
from tests.markup import without_marks
from tests.tournament.build import SYSTEM, make_user
from tests.tournament.test_stages import draw_next, event_of, publish_next
from tournament.models import Event, Round, Stage
from tournament.queries.brackets import overtaken_shown
from tournament.queries.matches import winners_by_round
from tournament.queries.standings import compute
from tournament.services import publication, rounds

pytestmark = pytest.mark.django_db
REVOKE = {"offender": "N", "noticed": "after_deal"}


def play(event: Event, points: int = 36, *, close: bool = True) -> Round:
    """Draw the next round and play it: N-S win every match with ``points`` in its one deal."""
    round_ = publish_next(event).round
    for table in round_.tables.all():
        sign(enter(sheet_at(round_, table.number), points))
    if close:
        rounds.close_round(round_id=round_.pk, actor=SYSTEM)
    return round_


def knock_out(pairs: int, played: int) -> tuple[Event, list[Round]]:
    event = event_of(pairs, "ko", rounds=1, deals=1, drawing={"seeds": pairs})
    return event, [play(event) for _round in range(played)]


def revoke(event: Event, round_: Round, table: int = 1) -> Callable[[], Ruling]:
    """Return an act that rules on North's revoke in a table's only deal, so that E-W win the match instead."""
    incident = incident_at(event, round_, table=table)
    return lambda: stating(
        rulings.issue,
        incident_id=incident.pk,
        article="BE-P1",
        facts=REVOKE,
        actor=REFEREE,
        reason="seen",
        claimed="in_time",
        next_round="stands",
    )


def ranks(event: Event) -> dict[int, int | None]:
    """Return the rank by start number."""
    stage = Stage.objects.select_related("event").get(event=event)
    return {row.entrant.number: row.rank for row in compute(stage).rows}


def winners(event: Event) -> dict[int, frozenset[int]]:
    return winners_by_round(event.stages.get())


def told_and_done(event: Event, round_: Round, act: Callable[[], Any], table: int = 1) -> Impact:
    """Compare the preview of ``act`` with the result of carrying it out."""
    incident = round_.tables.get(number=table).incidents.get()
    before, won = ranks(event), winners(event)
    told = impact_of(incident, act)
    assert (ranks(event), winners(event)) == (before, won), "a look changes nothing"
    act()
    after, now = ranks(event), winners(event)
    assert {each.entrant.number: (each.before, each.after) for each in told.moved} == {
        number: (before[number], rank) for number, rank in after.items() if rank != before[number]
    }
    said = {
        each.round.number: (
            {who.number for who in each.before},
            {who.number for who in each.after},
        )
        for each in told.passing
    }
    assert said == {
        number: (set(won[number] - now.get(number, set())), set(now[number] - won[number]))
        for number in won
        if number >= told_from(event) and won[number] != now.get(number)
    }
    return told


def told_from(event: Event) -> int:
    """Return the number of the first round of the knock-out."""
    return 4 if event.stages.get().format == "pools_ko" else 1


@pytest.mark.guide("referee#check-the-consequences")
def test_a_ruling_in_a_semi_final_names_the_other_finalist() -> None:
    event, parts = knock_out(4, played=1)
    told = told_and_done(event, parts[0], revoke(event, parts[0]))
    assert told.moved
    assert len(told.passing) == 1


def test_who_wins_a_match_after_the_next_draw_is_not_called_out(client: Client) -> None:
    """The next round still seats the other side; the ruling made the first one its rightful player."""
    event, parts = knock_out(4, played=1)
    publish_next(event)
    other = event.entrants.get(pk=sheet_at(parts[0]).seats["E"])
    page = f"/e/{event.slug}/players/{other.number}/"
    english = {"accept-language": "en"}
    assert "Out of the knock-out" in client.get(page, headers=english).content.decode()
    revoke(event, parts[0])()
    said = client.get(page, headers=english).content.decode()
    assert "Out of the knock-out" not in said
    assert "No table this round" in said


def test_a_ruling_in_the_final_and_its_annulment_name_the_other_champion() -> None:
    event, parts = knock_out(4, played=2)
    champion = next(number for number, rank in ranks(event).items() if rank == 1)
    told = told_and_done(event, parts[1], revoke(event, parts[1]))
    assert champion in {each.entrant.number for each in told.moved if each.after == 2}
    ruling = Ruling.objects.get()

    def annul() -> Any:
        return rulings.annul(
            ruling_id=ruling.pk, actor=SECOND, reason="not proved", next_round="stands"
        )

    told = told_and_done(event, parts[1], annul)
    assert champion in {each.entrant.number for each in told.moved if each.after == 1}


def test_a_ruling_in_a_quarter_final_while_the_semi_final_is_played() -> None:
    event, parts = knock_out(8, played=1)
    drawn = publish_next(event)
    told = told_and_done(event, parts[0], revoke(event, parts[0]))
    assert told.passing
    out = {who.number for each in told.passing for who in each.before}
    assert out
    seated = {who.number for table in told.tables for who in table.entrants}
    assert out <= seated, "those who are out sit in the semi-final that is drawn"
    assert {table.round.pk for table in told.tables} == {drawn.round_id}


def test_a_forfeit_in_a_semi_final_whose_final_is_published_tells_what_will_be() -> None:
    """C.8: the games of a forfeited round are lost; a published draw stands until the director decides."""
    event, parts = knock_out(4, played=1)
    publish_next(event)
    incident = incident_at(event, parts[0])
    north = int(sheet_at(parts[0]).seats["N"])

    def withdraw() -> Ruling:
        return stating(
            rulings.issue,
            incident_id=incident.pk,
            article="T-ABS",
            facts={"offender": "N", "what": "withdrawal"},
            actor=REFEREE,
            reason="went home",
            next_round="stands",
        )

    told = told_and_done(event, parts[0], withdraw)
    assert told.before.forfeited == ()
    assert told.after.forfeited == ("NS",)
    assert told.after.winner_shown != told.before.winner_shown
    lost = [each for each in told.counted if each.entrant.pk == north]
    assert lost, "the pair loses the points of its match"
    assert all(each.before != each.after for each in lost)
    assert told.overtaken == overtaken_shown(parts[0])
    assert [each.table for each in told.overtaken] == [1]


def test_the_preview_by_program_tells_the_forfeit_that_the_page_tells(client: Client) -> None:
    event, parts = knock_out(4, played=1)
    publish_next(event)
    incident = incident_at(event, parts[0])
    facts = {"offender": "N", "what": "withdrawal"}
    client.force_login(make_user("chief", event, "chief_referee"))
    impact = client.post(
        reverse("api-incident-propose", args=[event.slug, incident.number]),
        {"article": "T-ABS", "facts": facts, "reason": "went home", "next_round": "stands"},
        content_type="application/json",
    ).json()["impact"]
    answer = client.get(
        reverse("referee-incident", args=[event.slug, incident.number]),
        {
            "article": "T-ABS",
            "preview": "1",
            "f-offender": "N",
            "f-what": "withdrawal",
            "reason": "went home",
            "next_round": "stands",
        },
        headers={"accept-language": "en"},
    )
    page = without_marks(answer.content.decode())
    assert (impact["match"]["before"]["forfeited"], impact["match"]["after"]["forfeited"]) == (
        [],
        ["NS"],
    )
    assert impact["match"]["after"]["winner"] is None
    assert "forfeited by N-S" in page
    (match,) = impact["overtaken"]
    assert (match["table"], match["winner"]) == (1, None)
    names = dict(event.entrants.values_list("number", "person__name"))
    assert f"{names[match['plays_on']]} forfeited the round after the next draw" in page
    assert {each["number"] for each in impact["criteria"]} == {match["plays_on"]}


def test_the_preview_by_program_leaves_out_nothing_of_an_impact() -> None:
    read = set()

    class Noting(Impact):
        def __getattribute__(self, name: str) -> Any:
            read.add(name)
            return super().__getattribute__(name)

    seen = SheetSeen()
    assert ImpactShape(Noting(before=seen, after=seen)).data
    given_with_their_rows = {"stage", "later"}
    assert {each.name for each in fields(Impact)} - read == given_with_their_rows


@pytest.mark.guide("referee#check-the-consequences")
def test_a_ruling_in_a_pool_names_its_new_order() -> None:
    event = event_of(8, "pools_ko", rounds=3, deals=1, drawing={"seeds": 2})
    parts = [play(event, points) for points in (36, 40, 44)]
    told = told_and_done(event, parts[2], revoke(event, parts[2]))
    assert told.moved
    assert 1 in {each.before for each in told.moved} | {each.after for each in told.moved}


def test_a_ruling_in_a_pool_whose_knock_out_is_drawn() -> None:
    event = event_of(8, "pools_ko", rounds=3, deals=1, drawing={"seeds": 2})
    parts = [play(event, points) for points in (36, 40, 44)]
    publish_next(event)
    told_and_done(event, parts[2], revoke(event, parts[2]))


def shown_to_referee(client: Client, event: Event, round_: Round) -> str:
    """Return the preview of a revoke at the first table of a round, as the referee reads it."""
    incident = incident_at(event, round_)
    client.force_login(make_user(f"referee-{incident.number}", event, "referee"))
    page = client.get(
        reverse("referee-incident", args=[event.slug, incident.number]),
        {
            "article": "BE-P1",
            "preview": "1",
            "f-claimed": "in_time",
            **{f"f-{name}": value for name, value in REVOKE.items()},
        },
        headers={"accept-language": "en"},
    )
    return " ".join(strip_tags(page.content.decode()).split())


@pytest.mark.guide("referee#check-the-consequences")
@pytest.mark.parametrize("reopened", [False, True])
def test_the_preview_names_the_final_that_may_have_to_be_drawn_again(
    client: Client, reopened: bool
) -> None:
    event, parts = knock_out(4, played=1)
    final = draw_next(event)
    if reopened:
        rounds.reopen_round(round_id=parts[0].pk, actor=SYSTEM, reason="a ruling")
    draft = shown_to_referee(client, event, parts[0])
    assert (
        "What falls with this Draft draw: Final It was made from the results as they were" in draft
    )
    assert "What happens to the rounds drawn since?" in draft, "the referee chooses"
    publication.publish_draw(draw_id=final.pk, actor=SYSTEM)
    published = shown_to_referee(client, event, parts[0])
    assert "What falls with this Published draw: Final" in published
    assert "keep it, or unpublish it and draw again." in published
    told = impact_of(Incident.objects.earliest("number"), revoke(event, parts[0]))
    assert [draw.pk for draw in told.draws] == [final.pk]
    assert ImpactShape(told).data["draws"] == [{"stage": 1, "round": 2, "published": True}]


def test_a_draw_by_lot_is_not_called_made_from_results(client: Client) -> None:
    event = event_of(8, "individual_draw", rounds=2, deals=1, games_per_round=1)
    round_ = play(event)
    draw_next(event)
    assert "What falls with this" not in shown_to_referee(client, event, round_)
