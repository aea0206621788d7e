"""The cut as pages show it: what ``apply_cut`` says, on the list, the phone, the chart and paper."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client

from ledger.change import change, raise_version
from tests.tournament.build import SYSTEM, chance, make_event
from tests.tournament.documents.reading import whole_text
from tournament.demo.simulation import advance
from tournament.models import Event, Stage
from tournament.queries import pages, places
from tournament.queries.papers import standings as standings_paper
from tournament.services import stages
from tournament.services.events import update_event

pytestmark = pytest.mark.django_db


def event_with(cut: dict[str, Any], *, rounds: int = 1, played: int = 1, **more: Any) -> Event:
    """16 players at 4 tables whose first stage has ``rounds`` and this cut; ``played`` of them over."""
    event = make_event(16, deals=1, cut=8)
    with change():
        Stage.objects.filter(event=event, order=1).update(cut=cut, rounds_planned=rounds, **more)
        event.stages.get(order=1).rounds.filter(number__gt=rounds).delete()
    luck = chance("cut")
    for _round in range(played):
        advance(event, luck)
    event.refresh_from_db()
    return event


def first(event: Event) -> Stage:
    return Stage.objects.select_related("event").get(event=event, order=1)


def numbers(event: Event) -> set[int]:
    return {item["number"] for item in stages.qualifiers(first(event))}


def marked(event: Event) -> set[int]:
    return {row.number for row in pages.standings_of(first(event)).rows if row.through}


CUTS: list[dict[str, Any]] = [
    {"top": 5},
    {"top": 5, "tie": "lots"},
    {"winners": True},
    {"per_table": 2, "tie": "lots"},
    {"top": 8, "winners": True},
    {"top": 3, "winners": True, "fill": "beside"},
]


@pytest.mark.parametrize("cut", CUTS)
def test_the_list_marks_exactly_those_whom_the_cut_takes(cut: dict[str, Any]) -> None:
    # rules.md D.2: "Stages chain with cut-offs (top n, or table winners)".
    event = event_with(cut)
    assert marked(event) == numbers(event)
    shown = pages.standings_of(first(event))
    if shown.cut_line:
        above = {row.number for row in shown.rows[: shown.cut_line] if row.rank}
        winners = {row.number for row in shown.rows if row.table_winner}
        assert above | winners >= marked(event)


@pytest.mark.parametrize("cut", CUTS)
def test_every_phone_says_what_the_cut_has_decided(cut: dict[str, Any]) -> None:
    event = event_with(cut)
    stage = first(event)
    level = {number for group in stages.undecided(stage) for number in group["numbers"]}
    for entrant in event.entrants.all():
        found = places.places_of(event, stage, language="en")
        assert found is not None
        place = found.of(entrant.number)
        assert place is not None
        said = (
            "Level at the cut"
            if entrant.number in level
            else "Qualified"
            if entrant.number in numbers(event)
            else "Not qualified"
        )
        assert place.need.startswith(said)
        assert place.cut.startswith("Cut: ")


def test_a_tie_at_the_cut_is_said_until_lots_are_drawn(client: Client) -> None:
    event = event_with({"top": 1, "tie": "lots"}, ranking_rule={"criteria": ["games_won"]})
    stage = first(event)
    group = stages.undecided(stage)[0]
    page = client.get(f"/e/{event.slug}/standings/1/", headers={"accept-language": "en"})
    text = page.content.decode()
    assert f"{len(group['numbers'])} are level for {group['places']}" in text
    assert text.count("tied for the last places") == len(group["numbers"])
    stages.draw_lots(stage_id=stage.pk, actor=SYSTEM)
    after = client.get(f"/e/{event.slug}/standings/1/", headers={"accept-language": "en"})
    assert b"tied for the last places" not in after.content
    assert marked(event) == numbers(event)
    assert len(marked(event)) == 1


def test_table_winners_wait_for_the_round_that_decides(client: Client) -> None:
    event = event_with({"top": 8, "winners": True}, rounds=2, played=1)
    path = f"/e/{event.slug}/standings/1/"
    before = client.get(path, headers={"accept-language": "en"}).content.decode()
    assert "the winner of each table of round 2 goes through, and the best others up to 8" in before
    assert 'class="cut"' not in before
    assert "table winner<" not in before
    player = client.get(f"/e/{event.slug}/players/1/", headers={"accept-language": "en"})
    assert b"win the table in round 2" in player.content
    advance(event, chance("second"))
    after = client.get(path, headers={"accept-language": "en"}).content.decode()
    assert after.count("✓ table winner") >= 4
    assert marked(event) == numbers(event)
    assert len(marked(event)) >= 8


def test_without_results_of_the_tables_the_best_others_are_sure_of_their_places() -> None:
    event = event_with({"top": 3, "winners": True, "fill": "beside"}, rounds=2, played=1)
    ranks = {r.number: r.rank for r in pages.standings_of(first(event)).rows}
    assert all((ranks[number] or 99) <= 3 for number in marked(event))
    assert marked(event)


RULES: list[dict[str, Any]] = [
    {"ranking": "belote_total"},
    {"ranking": "belgian_clubs"},
    {"ranking": "harelbeke"},
    {"ranking": "recommended"},
    {"ranking": "botifarra"},
    {"ranking": "twelve_deals"},
    {"ranking_rule": {"criteria": ["net_marks"]}},
    {"ranking_rule": {"criteria": ["best_deal"]}},
    {"ranking_rule": {"criteria": ["fewest_penalties", "marks"]}},
    {"ranking_rule": {"criteria": ["points_percentage"]}},
    {"ranking_rule": {"criteria": ["victory_points"]}},
]


@pytest.mark.parametrize("language", ["fr", "nl", "en"])
def test_every_ranking_rule_says_what_the_cut_asks(language: str) -> None:
    event = event_with({"top": 5}, rounds=2, played=1)
    for rule in RULES:
        with change():
            Stage.objects.filter(event=event, order=1).update(**{"ranking_rule": {}, **rule})
        raise_version(event.pk)
        stage = first(event)
        for entrant in event.entrants.all()[:4]:
            found = places.places_of(event, stage, language=language)
            assert found is not None
            place = found.of(entrant.number)
            assert place is not None
            assert place.need.endswith("."), rule
            assert place.chance in ("safe", "open", "out")


@pytest.mark.parametrize("language", ["fr", "nl", "en"])
def test_the_paper_draws_the_same_line(language: str) -> None:
    event = event_with({"top": 3, "winners": True, "fill": "beside"})
    shown = pages.standings_of(first(event), language=language)
    text = re.sub(r"\s+", " ", whole_text(standings_paper(event, {"stage": 1}, language, "a4")[0]))
    assert re.sub(r"\s+", " ", shown.cut) in text


def test_hidden_standings_say_nothing_of_the_cut(client: Client) -> None:
    event = event_with({"top": 1, "tie": "lots"}, ranking_rule={"criteria": ["games_won"]})
    update_event(event_id=event.pk, actor=SYSTEM, changes={"hide_last_rounds": 1})
    raise_version(event.pk)
    for path in ("standings/1/", "standings/1/clubs/", "wall/", "players/1/", ""):
        page = client.get(f"/e/{event.slug}/{path}", headers={"accept-language": "en"}).content
        assert b"are level for" not in page, path
        assert b"Qualified" not in page, path
        assert b"tied for the last places" not in page, path
