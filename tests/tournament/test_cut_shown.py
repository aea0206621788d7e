"""The cut on pages matches ``apply_cut``: on the list, the phone, the chart and paper."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest
from django.test import Client

from accounts.models import Role
from ledger.change import raise_version
from tests.sampled import one_in
from tests.tournament.build import SYSTEM, chance, make_event, make_user, varied
from tests.tournament.documents.reading import whole_text
from tests.tournament.test_stages import publish_next, settle
from tournament.demo.simulation import advance, draw_and_publish
from tournament.models import Event, Seat, Stage
from tournament.queries import pages, places
from tournament.queries.cuts import ShownCut
from tournament.queries.papers import standings as standings_paper
from tournament.ranking.cuts import Cut, Fill, in_words
from tournament.services import stage_plans, stages
from tournament.services.events import championship_plan, new_stage, update_event
from tournament.services.ranking_rules import set_ranking

pytestmark = pytest.mark.django_db


def event_with(
    cut: dict[str, Any],
    *,
    players: int = 16,
    rounds: int = 1,
    played: int = 1,
    ranking: str = "",
    rule: dict[str, Any] | None = None,
) -> Event:
    """Create an event whose first stage has ``rounds`` and this cut, with ``played`` rounds over.

    ``ranking`` is a preset, ``rule`` a list of criteria.
    """
    qualifying, semi_final, _final = championship_plan(rounds=rounds, deals=1)
    qualifying = varied(qualifying, cut=cut, ranking=ranking or qualifying.ranking)
    event = make_event(players, plan=[qualifying, varied(semi_final, cut={})])
    if rule:
        set_ranking(event_id=event.pk, order=1, rule=rule, actor=SYSTEM)
    luck = chance("cut")
    for _round in range(played):
        advance(event, luck)
    event.refresh_from_db()
    return event


@pytest.fixture(scope="module")
def built(module_database: None) -> dict[str, Event]:
    return {
        "over": event_with({"top": 4}),
        "half way": event_with({"top": 4}, rounds=2),
        "level": event_with({"top": 4, "tie": "lots"}, rule={"criteria": ["games_won"]}),
    }


@pytest.fixture
def over(built: dict[str, Event]) -> Event:
    """Return 16 players at 4 tables after the only round before the cut."""
    return Event.objects.get(pk=built["over"].pk)


@pytest.fixture
def half_way(built: dict[str, Event]) -> Event:
    """Return the same field after the first of two rounds."""
    return Event.objects.get(pk=built["half way"].pk)


@pytest.fixture
def level(built: dict[str, Event]) -> Event:
    """Return the same field after the only round, ranked by games won alone: several are tied at the cut."""
    return Event.objects.get(pk=built["level"].pk)


def set_cut(event: Event, cut: dict[str, Any]) -> None:
    stage_plans.change_stage(event_id=event.pk, actor=SYSTEM, order=1, cut=cut)
    event.refresh_from_db()


def first(event: Event) -> Stage:
    return Stage.objects.select_related("event").get(event=event, order=1)


def numbers(event: Event) -> set[int]:
    return {item["number"] for item in stages.qualifiers(first(event))}


def marked(event: Event) -> set[int]:
    return {row.number for row in pages.standings_of(first(event)).rows if row.through}


CUTS: list[dict[str, Any]] = [
    {"top": 4},
    {"top": 4, "tie": "lots"},
    {"winners": True},
    {"per_table": 2, "tie": "lots"},
    {"top": 8, "winners": True},
    {"top": 4, "winners": True, "fill": "beside"},
    {"half": True},
    {"top": 4, "winners": True, "fill": "seconds", "tie": "lots"},
]


@pytest.mark.guide("players#the-standings", "ranking#qualification")
@pytest.mark.parametrize("cut", CUTS)
def test_the_list_marks_exactly_those_whom_the_cut_takes(over: Event, cut: dict[str, Any]) -> None:
    # rules.md D.2: "Stages chain with cut-offs (top n, or table winners)".
    set_cut(over, cut)
    assert marked(over) == numbers(over)
    shown = pages.standings_of(first(over))
    if shown.cut_line:
        above = {row.number for row in shown.rows[: shown.cut_line] if row.rank}
        winners = {row.number for row in shown.rows if row.table_winner}
        assert above | winners >= marked(over)


@pytest.mark.guide("players#read-your-page")
@pytest.mark.parametrize("cut", one_in(3, CUTS))
def test_every_phone_says_what_the_cut_has_decided(over: Event, cut: dict[str, Any]) -> None:
    set_cut(over, cut)
    stage = first(over)
    level = {number for group in stages.undecided(stage) for number in group["numbers"]}
    through = numbers(over)
    found = places.places_of(over, stage, language="en")
    assert found is not None
    for entrant in over.entrants.all():
        place = found.of(entrant.number)
        assert place is not None
        said = (
            "Tied at the cut"
            if entrant.number in level
            else "Qualified"
            if entrant.number in through
            else "Not qualified"
        )
        assert place.need.startswith(said)
        assert place.cut.startswith("Cut: ")


def test_half_of_the_field_goes_on_by_the_form(client: Client) -> None:
    event = event_with({"top": 4}, players=8, played=0)
    client.force_login(make_user("director", event, Role.DIRECTOR))
    page = f"/desk/{event.slug}/stages/1/"
    fields = client.get(page).context["form"].initial
    asked = {name: value for name, value in fields.items() if value not in (None, False)}
    client.post(page, asked | {"half": "on"})
    assert first(event).cut == {"top": 4}  # half or a number, not both
    client.post(page, asked | {"half": "on", "top": ""})
    assert first(event).cut["half"]
    advance(event, chance("half"))
    assert len(numbers(event)) >= 4
    shown = client.get(f"/e/{event.slug}/standings/1/", headers={"accept-language": "en"})
    assert "half of the field qualifies: the first 4" in shown.content.decode()


def test_places_that_table_winners_may_take_are_not_sure_by_rank() -> None:
    up_to = Cut(top=8, per_table=1, round_no=3, fill=Fill.UP_TO)
    for cut, tables, sure in (
        (up_to, 4, 4),
        (replace(up_to, per_table=2), 4, 0),
        (up_to, 10, 0),
        (replace(up_to, fill=Fill.BESIDE), 4, 8),
        (Cut(top=8), 0, 8),
    ):
        assert ShownCut(cut, in_words(cut)).sure_by_rank(tables) == sure


def test_the_best_seconds_of_the_tables_go_on_beside_their_winners(
    client: Client, over: Event
) -> None:
    event = over
    set_cut(event, {"top": 4, "winners": True, "fill": "seconds", "tie": "lots"})
    stage = first(event)
    while stages.undecided(stage):
        stages.draw_lots(stage_id=stage.pk, actor=SYSTEM)
    through = stages.qualifiers(stage)
    ways = sorted(item["origin"].split(":")[0] for item in through)
    assert ways == ["rank"] * 4 + ["winner"] * 4
    second = next(item["number"] for item in through if item["origin"] == "rank")
    text = client.get(f"/e/{event.slug}/players/{second}/", headers={"accept-language": "en"})
    assert "Qualified." in text.content.decode()
    # Two of each table: its winner and its second.
    tables = Seat.objects.filter(
        round__stage=stage, entrant__number__in=[item["number"] for item in through]
    )
    assert sorted(tables.values_list("table__number", flat=True)) == [1, 1, 2, 2, 3, 3, 4, 4]


def test_nobody_is_tied_at_the_cut_before_the_first_result(client: Client) -> None:
    event = event_with({"top": 4, "tie": "lots"}, players=17, played=0)
    draw_and_publish(first(event).rounds.get(number=1), SYSTEM)
    text = client.get(f"/e/{event.slug}/standings/", headers={"accept-language": "en"})
    assert "the first 4 qualify" in text.content.decode()
    assert b"tied for" not in text.content


@pytest.mark.guide("players#the-standings")
def test_a_tie_at_the_cut_is_said_until_lots_are_drawn(client: Client, level: Event) -> None:
    event = level
    stage = first(event)
    group = stages.undecided(stage)[0]
    page = client.get(f"/e/{event.slug}/standings/1/", headers={"accept-language": "en"})
    text = page.content.decode()
    assert f"{len(group['numbers'])} are tied for {group['places']}" in text
    assert text.count("tied for the last places") == len(group["numbers"])
    stages.draw_lots(stage_id=stage.pk, actor=SYSTEM)
    after = client.get(f"/e/{event.slug}/standings/1/", headers={"accept-language": "en"})
    assert b"tied for the last places" not in after.content
    assert marked(event) == numbers(event)
    assert len(marked(event)) == 4


@pytest.mark.guide("ranking#qualification")
def test_table_winners_wait_for_the_round_that_decides(client: Client, half_way: Event) -> None:
    event = half_way
    set_cut(event, {"top": 8, "winners": True})
    path = f"/e/{event.slug}/standings/1/"
    before = client.get(path, headers={"accept-language": "en"}).content.decode()
    assert "the winner of each table of round 2 qualifies, and the best others up to 8" in before
    assert 'class="cut"' not in before
    assert "table winner<" not in before
    player = client.get(f"/e/{event.slug}/players/1/", headers={"accept-language": "en"})
    assert b"win the table in round 2" in player.content
    advance(event, chance("second"))
    after = client.get(path, headers={"accept-language": "en"}).content.decode()
    assert after.count("✓ table winner") >= 4
    assert marked(event) == numbers(event)
    assert len(marked(event)) >= 8


def test_without_results_of_the_tables_the_best_others_are_sure_of_their_places(
    half_way: Event,
) -> None:
    set_cut(half_way, {"top": 4, "winners": True, "fill": "beside"})
    ranks = {r.number: r.rank for r in pages.standings_of(first(half_way)).rows}
    assert all((ranks[number] or 99) <= 4 for number in marked(half_way))
    assert marked(half_way)


RULES: list[dict[str, Any]] = [
    {"ranking": "belote_total"},
    {"ranking": "belgian_clubs"},
    {"ranking": "harelbeke"},
    {"ranking": "recommended"},
    {"ranking": "botifarra"},
    {"ranking": "twelve_deals"},
    {"rule": {"criteria": ["net_marks"]}},
    {"rule": {"criteria": ["best_deal"]}},
    {"rule": {"criteria": ["fewest_penalties", "marks"]}},
    {"rule": {"criteria": ["points_percentage"]}},
    {"rule": {"criteria": ["victory_points"]}},
]


@pytest.mark.parametrize("rule", one_in(4, RULES), ids=str)
def test_every_ranking_rule_says_what_the_cut_asks(rule: dict[str, Any]) -> None:
    event = event_with({"top": 4}, players=8, rounds=2, **rule)
    stage = first(event)
    for language in ("fr", "nl", "en"):
        found = places.places_of(event, stage, language=language)
        assert found is not None
        for entrant in event.entrants.all()[:4]:
            place = found.of(entrant.number)
            assert place is not None
            assert place.need.endswith(".")
            assert place.chance in ("safe", "open", "out")


@pytest.mark.guide("ranking#qualification")
@pytest.mark.parametrize("language", ["fr", "nl", "en"])
def test_the_paper_draws_the_same_line(over: Event, language: str) -> None:
    set_cut(over, {"top": 4, "winners": True, "fill": "beside"})
    shown = pages.standings_of(first(over), language=language)
    text = re.sub(r"\s+", " ", whole_text(standings_paper(over, {"stage": 1}, language, "a4")[0]))
    assert re.sub(r"\s+", " ", shown.cut) in text


def test_hidden_standings_say_nothing_of_the_cut(client: Client, level: Event) -> None:
    event = level
    update_event(event_id=event.pk, actor=SYSTEM, changes={"hide_last_rounds": 1})
    raise_version(event.pk)
    for path in ("standings/1/", "standings/1/clubs/", "wall/", "players/1/", ""):
        page = client.get(f"/e/{event.slug}/{path}", headers={"accept-language": "en"}).content
        assert b"are tied for" not in page, path
        assert b"Qualified" not in page, path
        assert b"tied for the last places" not in page, path


@pytest.mark.parametrize("carries_over", [False, True])
def test_the_best_of_each_table_of_a_later_stage_are_of_its_own_tables(carries_over: bool) -> None:
    qualifying, semi_final, final = championship_plan(rounds=1, deals=1, cut=8)
    one_game = {"games_per_round": 1}
    event = make_event(
        12,
        plan=[
            varied(qualifying, cut={"top": 8}, **one_game),
            varied(
                semi_final,
                cut={"per_table": 2, "tie": "lots"},
                carries_over=carries_over,
                **one_game,
            ),
            varied(final, **one_game),
        ],
    )
    luck = chance("cut")
    for _stage in range(2):
        advance(event, luck)
    semi = Stage.objects.select_related("event").get(event=event, order=2)
    shown = pages.standings_of(semi)
    through = {row.number for row in shown.rows if row.through or row.level}
    seats = Seat.objects.filter(round__stage=semi, entrant__number__in=through)
    at = sorted(seats.values_list("table__number", flat=True))
    assert {table: at.count(table) for table in (1, 2)} == {1: 2, 2: 2}
    # The stage's own rounds are counted, however its results are numbered.
    assert "round 1" in shown.cut


def test_the_page_of_the_cut_shows_the_points_that_decide(client: Client) -> None:
    plan = [
        new_stage("One", "pairs_swiss", 1, games_per_round=1, deals_per_game=2, cut={"top": 4}),
        new_stage("Two", "pairs_swiss", 1, games_per_round=1, deals_per_game=2),
    ]
    event = make_event(8, plan=plan)
    settle(publish_next(event))
    client.force_login(make_user("cut", event, Role.DIRECTOR))
    client.cookies["django_language"] = "en"
    shown = pages.standings_of(event.stages.get(order=1))
    page = client.get(
        f"/desk/{event.slug}/stages/1/cut/", headers={"accept-language": "en"}
    ).content.decode()
    through = page.partition('id="through"')[2]
    for row in shown.rows[:4]:
        cells = "".join(f'<td class="num">{value}</td>' for value in row.values[:3])
        assert cells in through
    assert f"/desk/{event.slug}/stages/1/" in page
