"""The page before an act lists its consequences; they happen, and the log has them."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils.translation import override

from accounts.models import Role
from adjudication.queries import falls as of_rulings
from ledger.errors import Conflict
from ledger.models import AuditEntry
from operations.audit_log import in_words
from tests.markup import markup
from tests.tournament.build import SYSTEM, chance, make_document, make_event, make_user
from tests.tournament.desk import agree
from tests.tournament.push_server import Service, push_service
from tests.tournament.results import copy_slip
from tests.tournament.test_push import first_round, run_jobs, subscribe
from tests.tournament.test_stages import event_of, publish_next, settle
from tournament.demo.simulation import draw_and_publish, play_round
from tournament.models import Adjustment, Draw, Round, StandingsState
from tournament.queries import falls
from tournament.queries.falls import (
    Act,
    Fate,
    Hanging,
    fallen,
    of_entrant,
    of_exchange,
    of_round,
    what_falls,
)
from tournament.queries.moves import moves_with
from tournament.queries.pages import standings_of
from tournament.queries.standings import fresh
from tournament.services import adjustments, clock, publication, reseating, rounds
from tournament.services.entrants import enter_player, withdraw
from tournament.services.standings import set_state
from tournament.services.tables import call_referee

pytestmark = pytest.mark.django_db


@pytest.fixture
def service(settings: Any) -> Iterator[Service]:
    settings.PUSH_PRIVATE = True
    with push_service() as running:
        yield running


def published(players: int = 8) -> Round:
    event = make_event(players, deals=1)
    round_ = Round.objects.get(stage__event=event, stage__order=1, number=1)
    draw_and_publish(round_, SYSTEM)
    return Round.objects.select_related("stage__event").get(pk=round_.pk)


def by_code(lines: list[Hanging]) -> dict[str, Fate]:
    return {line.code: line.fate for line in lines}


def director(round_: Round) -> Client:
    client = Client(headers={"accept-language": "en"})
    client.force_login(make_user("director", round_.stage.event, Role.DIRECTOR))
    return client


def last(verb: str) -> AuditEntry:
    return AuditEntry.objects.filter(verb=verb).latest("sequence")


@pytest.mark.guide("director#after-the-publication")
def test_what_falls_with_a_publication_is_named_and_logged(service: Service) -> None:
    event = make_event(8, deals=1)
    subscribe(event, 1, service.device("told"))
    round_ = first_round(event)
    run_jobs()
    clock.start_round(round_id=round_.pk, actor=SYSTEM)
    clock.give_table_time(round_id=round_.pk, table=2, minutes=5, actor=SYSTEM)
    call_referee(table_id=round_.tables.get(number=1).pk, reason="a card", actor=SYSTEM)
    make_document(event, "draw-by-name")
    client = director(round_)
    address = f"/desk/{event.slug}/rounds/{round_.pk}/unpublish/"
    page = client.get(address)
    shown = [(line.code, line.fate) for line in page.context["falls"]]
    assert sorted(shown) == [
        ("calls", Fate.STAYS),
        ("clock", Fate.FALLS),
        ("extra_time", Fate.FALLS),
        ("notices", Fate.STAYS),
        ("papers", Fate.FALLS),
        ("tables", Fate.FALLS),
    ]
    assert f'href="/desk/{event.slug}/documents/"' in page.content.decode()
    agree(client, address, {"reason": "one more comes"})
    round_.refresh_from_db()
    assert round_.state == "drawn"
    assert last("draw.unpublished").after == {
        "reason": "one more comes",
        "falls": {
            "tables": 2,
            "clock": 1,
            "extra_time": [2],
            "papers": 1,
        },
    }


def test_deals_prevent_it_and_the_page_offers_no_button() -> None:
    round_ = published()
    play_round(round_, chance())
    round_.refresh_from_db()
    lines = what_falls(of_round(Act.UNPUBLISH, round_))
    assert by_code(lines)["deals"] is Fate.STOPS
    assert "deals" not in fallen(lines)
    page = director(round_).get(f"/desk/{round_.stage.event.slug}/rounds/{round_.pk}/unpublish/")
    assert page.context["stopped"]
    assert 'name="reason"' not in page.content.decode()


@pytest.mark.guide("director#after-the-publication")
def test_reopening_says_what_was_built_on_the_results() -> None:
    event = event_of(8, "pairs_swiss", rounds=3)
    first = publish_next(event)
    settle(first)
    second = publish_next(event).round
    round_ = first.round
    client = director(round_)
    address = f"/desk/{round_.stage.event.slug}/rounds/{round_.pk}/reopen/"
    shown = by_code(client.get(address).context["falls"])
    assert shown == {"deals": Fate.STAYS, "results": Fate.STAYS, "draws": Fate.ASKS}
    agree(client, address, {"reason": "a wrong score"})
    round_.refresh_from_db()
    assert round_.state == "playing"
    assert last("round.reopened").after == {"reason": "a wrong score", "falls": {}}
    open_already = f"/desk/{round_.stage.event.slug}/rounds/{second.pk}/reopen/"
    assert client.get(open_already).status_code == 302
    # What nobody asks about is not shown on a page of its own.
    assert client.get(open_already.replace("reopen", "start")).status_code == 405


def test_the_list_takes_as_many_queries_for_many_tables() -> None:
    counts = []
    for players in (8, 32):
        round_ = published(players)
        play_round(round_, chance())
        round_ = Round.objects.select_related("stage__event").get(pk=round_.pk)
        with CaptureQueriesContext(connection) as seen:
            what_falls(of_round(Act.REOPEN, round_))
        counts.append(len(seen))
    assert counts[0] == counts[1]
    assert counts[0] <= 16


@pytest.mark.guide("director#after-the-publication")
def test_an_exchange_leaves_no_decision_to_a_player_who_sits_elsewhere() -> None:
    event = event_of(4, "ko", rounds=1, drawing={"seeds": 4})
    round_ = publish_next(event).round
    at = {
        number: list(
            round_.seats.filter(table__number=number).values_list("entrant__number", flat=True)
        )
        for number in (1, 2)
    }
    reseating.decide_match(
        round_id=round_.pk, table=1, winner=at[1][0], reason="did not come", actor=SYSTEM
    )
    one, two = at[1][0], at[2][0]
    keys = event.entrants.filter(number__in=(one, two)).values_list("pk", flat=True)
    round_ = Round.objects.select_related("stage__event").get(pk=round_.pk)
    assert by_code(what_falls(of_exchange(round_, keys)))["decisions"] is Fate.STOPS
    with pytest.raises(Conflict) as refused:
        reseating.exchange(round_id=round_.pk, one=one, two=two, actor=SYSTEM, reason="swapped")
    assert refused.value.code == "table_decided"
    draw = Draw.objects.get(round=round_, state="published")
    page = director(round_).get(
        f"/desk/{event.slug}/draws/{draw.pk}/", {"verb": "swap", "one": one, "two": two}
    )
    assert page.context["weighed"].stopped
    reseating.withdraw_decision(round_id=round_.pk, table=1, reason="they came", actor=SYSTEM)
    publication.unpublish(round_id=round_.pk, actor=SYSTEM, reason="draw again")


@pytest.mark.guide("director#when-people-come-and-go")
def test_who_leaves_is_told_what_stays_and_the_newcomer_what_they_take() -> None:
    round_ = published()
    event = round_.stage.event
    play_round(round_, chance())
    rounds.close_round(round_id=round_.pk, actor=SYSTEM)
    second = Round.objects.get(stage=round_.stage, number=2)
    draw_and_publish(second, SYSTEM)
    enter_player(event_id=event.pk, name="Newcomer", actor=SYSTEM, reserve=True)
    seat = second.seats.get(entrant__number=1)
    client = director(round_)
    page = client.get(f"/desk/{event.slug}/players/1/")
    assert by_code(page.context["leaves"]) == {"seats": Fate.STAYS, "rounds": Fate.STAYS}
    wishes = f"/desk/{event.slug}/wishes/"
    replaced = {"verb": "replace", "old": 1, "new": 9}
    asked = client.post(wishes, replaced)
    assert by_code(asked.context["falls"]) == {"seats": Fate.FALLS, "rounds": Fate.STAYS}
    (seats,) = [line for line in asked.context["falls"] if line.code == "seats"]
    assert seats.url == f"/desk/{event.slug}/room/{second.pk}/{seat.table.number}/"
    agree(client, wishes, replaced)
    assert second.seats.get(table=seat.table, position=seat.position).entrant.number == 9
    entry = last("entrant.replaced").after
    assert entry is not None
    assert entry["falls"] == {"seats": [seat.table.number]}


@pytest.mark.guide("director#when-people-come-and-go")
def test_a_merger_and_a_removal_say_what_prevents_them() -> None:
    round_ = published()
    event = round_.stage.event
    double = enter_player(event_id=event.pk, name="Twice", actor=SYSTEM, reserve=True)
    client = director(round_)
    page = f"/desk/{event.slug}/players/1/"
    shown = client.get(page, {"merge-double": double.number})
    assert by_code(shown.context["doubles"]) == {"badge": Fate.FALLS}
    # Number 1 is drawn: the other way round its seat passes, and nobody drawn is removed.
    other_way = client.get(f"/desk/{event.slug}/players/{double.number}/", {"merge-double": 1})
    assert by_code(other_way.context["doubles"]) == {
        "badge": Fate.FALLS,
        "rounds": Fate.STAYS,
        "state": Fate.FALLS,
    }
    both = client.get(page, {"merge-double": 2})
    assert by_code(both.context["doubles"])["both_drawn"] is Fate.STOPS
    assert both.context["stopped"]
    client.post(page, {"verb": "merge", "merge-double": double.number})
    entry = last("entrant.kept").after
    assert entry is not None
    assert entry["falls"] == {"badge": [double.number]}


def test_merging_a_present_player_into_a_withdrawn_one_names_the_new_state() -> None:
    round_ = published()
    event = round_.stage.event
    withdraw(entrant_id=event.entrants.get(number=1).pk, actor=SYSTEM)
    double = enter_player(event_id=event.pk, name="Twice", actor=SYSTEM, reserve=True, present=True)
    client = director(round_)
    shown = client.get(f"/desk/{event.slug}/players/1/", {"merge-double": double.number})
    (line,) = (line for line in shown.context["doubles"] if line.code == "state")
    assert (line.numbers, line.then) == ((1,), "Becomes: present")
    client.post(f"/desk/{event.slug}/players/1/", {"verb": "merge", "merge-double": double.number})
    entry = last("entrant.kept").after
    assert entry is not None
    assert (entry["state"], entry["falls"]["state"]) == ("present", [1])


def test_the_log_names_what_fell_in_words() -> None:
    """Each kind has its word; the details hold no raw keys."""
    sources = [Path(inspect.getfile(each)).read_text() for each in (falls, of_rulings)]
    written = r'Hanging\(\s*"(\w+)"|_at_tables\(\s*concerned, "(\w+)"'
    codes = {a or b for source in sources for a, b in re.findall(written, source)}
    assert len(codes) > 15
    assert codes <= falls.KINDS.keys()
    event = make_event(0)
    after = {"reason": "mistake", "falls": {"rulings": [3, 5], "byes": 2}}
    key = str(Round.objects.filter(stage__event=event).values_list("pk", flat=True)[0])
    named = {"verb": "round.reopened", "object_type": "round", "object_id": key}
    row = AuditEntry(actor="user:1", after=after, **named)
    with override("en"):
        (entry,) = in_words(event, [row])
    assert entry.falls == ("Rulings: 3, 5", "Byes: 2")
    assert "falls" not in entry.details


def test_a_correction_and_the_reopening_of_a_sheet_name_the_draws_made_since(
    client: Client,
) -> None:
    event = event_of(8, "pairs_swiss")
    first = publish_next(event)
    settle(first)
    publish_next(event)
    client.force_login(make_user("director", event, Role.DIRECTOR))
    sheet = first.round.tables.get(number=1).sheets.get()
    deal = {"verb": "correct", "number": 1, "version": sheet.version, "doubling": 0, "trump": "H"}
    turned = {**deal, "depth": "points", "side": "EW", "points": 60}
    for form in (turned, {"verb": "reopen"}):
        asked = markup(client.post(f"/sheet/{sheet.pk}/", {**form, "reason": "slip"}))
        assert "What falls, and what stays" in asked
        assert "Published draw" in asked
        assert "It was made from the results as they were" in asked


@pytest.mark.guide("director#after-the-publication")
def test_the_withdrawal_of_a_finalist_names_the_ways_out_of_the_drawn_final(client: Client) -> None:
    event = event_of(4, "ko", rounds=1, drawing={"seeds": 4})
    first = publish_next(event)
    settle(first)
    rounds.close_round(round_id=first.round_id, actor=SYSTEM)
    final = publish_next(event)
    finalist = event.entrants.filter(pk__in=final.tables[0]["players"]).first()
    assert finalist is not None
    with override("en"):
        lines = what_falls(of_entrant(Act.WITHDRAW, finalist))
    (seat,) = [line for line in lines if line.code == "seats"]
    assert seat.text == "Seat at table 1, Final"
    assert seat.then.endswith("or unpublish the draw and draw again.")


@pytest.mark.parametrize("withdrawn", ["struck", "kept"])
def test_a_withdrawal_that_strikes_results_names_the_draws_made_from_them(withdrawn: str) -> None:
    """In a league the results against one who withdraws are deleted: the next draw was made with them."""
    event = event_of(
        8, "pairs_swiss", rounds=3, ranking_rule={"criteria": ["net_marks"], "withdrawn": withdrawn}
    )
    first = publish_next(event)
    settle(first)
    second = publish_next(event)
    gone = event.entrants.get(number=1)
    with override("en"):
        lines = what_falls(of_entrant(Act.WITHDRAW, gone))
    said = [line.text for line in lines if line.code == "draws"]
    assert said == (["Published draw: Round 2"] if withdrawn == "struck" else [])
    assert second.round.number == 2


@pytest.mark.guide("director#after-the-publication")
def test_a_walk_over_shows_the_ranks_before_it_is_decided_and_asks_again_when_the_table_signs(
    client: Client,
) -> None:
    event = event_of(8, "pools_ko", rounds=3)
    first = publish_next(event)
    client.force_login(make_user("director", event, Role.DIRECTOR))
    client.cookies["django_language"] = "en"
    page = f"/desk/{event.slug}/draws/{first.pk}/"
    absent, there = sorted(
        first.round.seats.filter(table__number=1).values_list("entrant__number", flat=True)
    )
    form = {"act": "decide", "table": 1, "winner": there, "seen": 0, "reason": "did not come"}
    asked = client.post(page, form)
    # As in the standings: who has not played yet has no rank.
    moved = {each.entrant.number: each for each in asked.context["moves"].moved}
    assert moved.keys() == {absent, there}
    assert all(each.before is None for each in moved.values())
    assert moved[there].after == 1
    assert not first.round.tables.filter(decided_for__isnull=False).exists()
    # The table signs while the page is open: it is shown again, with what was typed.
    seen = {**asked.context["sent"], "reason": asked.context["given"]}
    sheet = first.round.tables.get(number=1).sheets.get()
    side = first.round.seats.get(entrant__number=there).position
    copy_slip(sheet, {each: 30 if each == side else 10 for each in sheet.sides})
    late = client.post(page, seen)
    assert late.status_code == 409
    assert "Something changed since this page was shown" in markup(late)
    assert late.context["given"] == "did not come"
    assert by_code(late.context["falls"])["results"] is Fate.ASKS
    assert not first.round.tables.filter(decided_for__isnull=False).exists()
    # For the side that lost by its games, the decision is refused.
    refused = client.post(page, {**form, "winner": absent}, follow=True)
    assert "The games of this match have decided it" in markup(refused)


@pytest.mark.guide("director#after-the-publication")
@pytest.mark.parametrize("act", ["withdraw", "merge"])
def test_a_stale_form_on_a_player_asks_again(client: Client, act: str) -> None:
    event = event_of(9, "pairs_swiss", rounds=3)
    client.force_login(make_user("director", event, Role.DIRECTOR))
    page = f"/desk/{event.slug}/players/8/"
    shown = client.get(page, {"merge-double": 9}).context
    forms = {
        "withdraw": (f"{page}state/", {"verb": "withdraw", "seen_at": shown["leaves_seen"]}),
        "merge": (page, {"verb": "merge", "merge-double": 9, "seen_at": shown["doubles_seen"]}),
    }
    address, form = forms[act]
    # Another director publishes a round meanwhile.
    publish_next(event)
    late = client.post(address, form)
    assert late.status_code == 409
    assert "Something changed since this page was shown" in markup(late)
    gone = event.entrants.exclude(state="present")
    assert not gone.exists()
    # Two who are drawn in the same round cannot be merged; a withdrawal is done once it was seen.
    assert late.context["stopped"] == (act == "merge")
    client.post(late.context["to"], late.context["sent"])
    assert gone.exists() == (act == "withdraw")


@pytest.mark.parametrize("shape", ["pools_ko", "pairs_mitchell", "round_robin"])
def test_an_act_names_the_ranks_that_the_standings_show_and_no_draw_made_of_no_result(
    client: Client, shape: str
) -> None:
    event = event_of(8, shape, rounds=3)
    first = publish_next(event)
    settle(first)
    publish_next(event)
    client.force_login(make_user("director", event, Role.DIRECTOR))
    sheet = first.round.tables.get(number=1).sheets.get()
    side = next(each for each in sheet.sides if each != sheet.score["winner"])
    form = {"verb": "correct", "number": 1, "version": sheet.version, "doubling": 0}
    form |= {"trump": "H", "depth": "points", "side": side, "points": 60, "reason": "why"}
    before = {row.number: row.rank for row in standings_of(first.round.stage).rows}
    asked = client.post(f"/sheet/{sheet.pk}/", form)
    assert "draws" not in by_code(asked.context["falls"])
    assert asked.context["moves"].tables == []
    told = {each.entrant.number: each.after for each in asked.context["moves"].moved}
    assert told
    agree(client, f"/sheet/{sheet.pk}/", form)
    after = {row.number: row.rank for row in standings_of(first.round.stage).rows}
    assert told == {number: rank for number, rank in after.items() if before[number] != rank}


@pytest.mark.guide("director#after-the-publication")
@pytest.mark.parametrize("act", ["decide", "undecide", "correct", "reopen", "replay", "round"])
def test_each_act_on_a_result_names_the_draw_made_of_it(client: Client, act: str) -> None:
    event = event_of(4, "ko", rounds=1, drawing={"seeds": 4})
    first = publish_next(event)
    settle(first)
    final = publish_next(event)
    client.force_login(make_user("director", event, Role.DIRECTOR))
    round_ = first.round
    sheet = round_.tables.get(number=1).sheets.get()
    page = f"/desk/{event.slug}/draws/{first.pk}/"
    winner = round_.seats.get(table=sheet.table, position=sheet.score["winner"]).entrant.number
    deal = {"number": 1, "version": sheet.version, "doubling": 0, "trump": "H", "depth": "points"}
    posts: dict[str, tuple[str, dict[str, Any]]] = {
        "decide": (page, {"act": "decide", "winner": winner}),
        "undecide": (page, {"act": "undecide"}),
        "correct": (f"/sheet/{sheet.pk}/", {"verb": "correct", **deal, "side": "EW", "points": 60}),
        "reopen": (f"/sheet/{sheet.pk}/", {"verb": "reopen"}),
        "replay": (f"/desk/{event.slug}/replay/{sheet.pk}/", {}),
        "round": (f"/desk/{event.slug}/rounds/{round_.pk}/reopen/", {}),
    }
    address, form = posts[act]
    before = AuditEntry.objects.filter(scope=event.pk).count()
    asked = client.post(address, {**form, "table": 1, "reason": "why"})
    (line,) = [each for each in asked.context["falls"] if each.code == "draws"]
    assert line.fate is Fate.ASKS
    assert line.url == f"/desk/{event.slug}/draws/{final.pk}/"
    assert AuditEntry.objects.filter(scope=event.pk).count() == before


def test_an_act_names_the_prizes_that_it_moves(client: Client) -> None:
    event = event_of(4, "round_robin", rounds=3)
    for _round in range(3):
        drawn = publish_next(event)
        settle(drawn)
    stage = event.stages.get()
    set_state(stage_id=stage.pk, state=StandingsState.FINAL, actor=SYSTEM, reason="all played")
    make_document(event, "prizes", {"prizes": "1: 250\n2: 80"})
    set_state(stage_id=stage.pk, state=StandingsState.PROVISIONAL, actor=SYSTEM)
    rows = {row["rank"]: row["number"] for row in fresh(stage).rows}
    last = event.entrants.get(number=rows[1])

    def ruled() -> None:
        adjustments.adjust(
            stage_id=stage.pk,
            source="test:1",
            amounts=[adjustments.Amount(last.pk, disqualified=True)],
            reason="hidden cards",
            actor=SYSTEM,
        )

    won = {each.entrant.number: each for each in moves_with(ruled, [stage], None, ()).prizes}
    assert ("250" in won[rows[1]].before, won[rows[1]].after) == (True, "")
    assert ("80" in won[rows[2]].before, "250" in won[rows[2]].after) == (True, True)
    assert won[rows[3]].before == ""
    assert not Adjustment.objects.exists()
