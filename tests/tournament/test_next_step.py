"""The desk names one next step from the empty event to its end; the clock pauses and resumes."""

from __future__ import annotations

import io
import re
from datetime import timedelta
from html import unescape

import pytest
from django.test import Client
from django.utils import timezone
from pypdf import PdfReader

from accounts.models import Role
from ledger.errors import Conflict
from ledger.jobs import work_on
from ledger.models import Job
from tests.tournament.build import SYSTEM, chance, make_event, make_user
from tests.tournament.test_stages import publish_next, settle
from tournament.demo.simulation import advance, draw_and_publish, play_round
from tournament.models import Event, PrintedDocument, Round, Stage, Standings, StandingsState
from tournament.queries import standings
from tournament.queries.next_step import next_step
from tournament.queries.rounds import clock_shown
from tournament.queries.table_clock import clock_of as clock_at
from tournament.services import clock, draws, publication, rounds, stages
from tournament.services.entrants import check_in_all
from tournament.services.event_life import finish_event
from tournament.services.events import new_stage, update_event
from tournament.services.standings import set_state
from tournament.services.tables import call_referee

pytestmark = pytest.mark.django_db


def director(event: Event) -> Client:
    client = Client()
    client.force_login(make_user("director", event, Role.DIRECTOR))
    client.cookies["django_language"] = "en"
    return client


def evening() -> list[Stage]:
    """Plan a stage of one round, and a final of one for four of its players."""
    return [
        new_stage("Evening", rounds=1, deals_per_game=1, cut={"top": 4}),
        new_stage("Final", rounds=1, deals_per_game=1),
    ]


@pytest.mark.guide("director#a-round", "director#for-the-director")
def test_the_desk_leads_from_the_first_player_to_the_end() -> None:
    event = make_event(0, plan=evening())
    client = director(event)
    seen: list[str] = []

    def step() -> str:
        code = next_step(event).code
        seen.append(code)
        assert client.get(f"/desk/{event.slug}/").status_code == 200
        return code

    assert step() == "bring"
    pasted = "\n".join(f"Player {name}" for name in "abcdefgh")
    looked = client.post(f"/desk/{event.slug}/players/import/", {"text": pasted})
    work_on(
        client.post(
            f"/desk/{event.slug}/players/import/",
            {"confirm": looked.context["file"].pk, "first_row": "1", "column-0": "name"},
        )
        .headers["Location"]
        .split("/")[-2]
    )
    assert step() == "check_in"
    check_in_all(event_id=event.pk, actor=SYSTEM)
    for stage in event.stages.order_by("order"):
        round_ = stage.rounds.get()
        assert step() == "draw"
        made = (
            client.post(f"/desk/{event.slug}/rounds/{round_.pk}/draw/")
            .headers["Location"]
            .split("/")[-2]
        )
        work_on(made)
        assert step() == "look"
        client.post(
            f"/desk/{event.slug}/draws/{Job.objects.get(pk=made).result['draw']}/",
            {"act": "publish"},
        )
        assert step() == "start"
        client.post(f"/desk/{event.slug}/rounds/{round_.pk}/start/", {"back": "desk"})
        assert step() == "play"
        round_.refresh_from_db()
        play_round(round_, chance())
        assert step() == "close"
        client.post(f"/desk/{event.slug}/rounds/{round_.pk}/close/", {"back": "desk"})
        if stage.order == 1:
            assert step() == "go_on"
            stages.open_next_stage(stage_id=stage.pk, actor=SYSTEM)
    for stage in event.stages.all():
        assert step() == "final"
        client.post(
            f"/desk/{event.slug}/stages/{stage.order}/standings/",
            {"state": "final", "back": "desk"},
        )
    assert step() == "finish"
    finish_event(event_id=event.pk, actor=SYSTEM)
    event.refresh_from_db()
    assert step() == "over"


def in_play(event: Event) -> Round:
    """Draw the first round of an event and start its clock."""
    round_ = Round.objects.get(stage__event=event, stage__order=1, number=1)
    draw_and_publish(round_, SYSTEM)
    return clock.start_round(round_id=round_.pk, actor=SYSTEM)


@pytest.fixture(scope="module")
def built(module_database: None) -> tuple[Event, Round]:
    return make_event(8, deals=1), in_play(make_event(8, deals=1))


@pytest.fixture
def waiting(built: tuple[Event, Round]) -> Event:
    """Return 8 players before the first draw."""
    return Event.objects.get(pk=built[0].pk)


@pytest.fixture
def playing(built: tuple[Event, Round]) -> Round:
    """Return the first of three rounds of 8 players, in play."""
    return Round.objects.select_related("stage__event").get(pk=built[1].pk)


@pytest.fixture
def one_of_two() -> Round:
    """Create the first of two rounds of 8 players, in play; the second is the final."""
    return in_play(make_event(8, plan=evening()))


@pytest.mark.guide("director#a-round")
def test_a_clock_that_stands_still_rings_no_bell_and_goes_on_with_what_was_left(
    playing: Round,
) -> None:
    table = playing.tables.select_related("round__stage__event").first()
    assert table is not None
    clock.set_clock(round_id=playing.pk, minutes=20, actor=SYSTEM)
    paused = clock.pause_round(round_id=playing.pk, actor=SYSTEM)
    assert paused.ends_at is None
    assert 1195 <= (paused.paused_left or 0) <= 1200
    table.refresh_from_db()
    shown = clock_at(table)
    assert shown is not None
    assert (shown.state, shown.rung) == ("paused", False)
    public = clock_shown(paused)
    assert public is not None
    assert public.state == "paused"
    clock.set_clock(round_id=playing.pk, minutes=2, actor=SYSTEM)
    clock.extend_round(round_id=playing.pk, minutes=5, actor=SYSTEM)
    resumed = clock.resume_round(round_id=playing.pk, actor=SYSTEM)
    assert resumed.ends_at is not None
    assert abs(resumed.ends_at - timezone.now() - timedelta(minutes=7)) < timedelta(seconds=5)
    assert clock.resume_round(round_id=playing.pk, actor=SYSTEM).ends_at == resumed.ends_at


@pytest.mark.guide("director#a-round")
def test_the_clock_is_paused_and_set_from_the_desk(playing: Round) -> None:
    event = playing.stage.event
    client = director(event)
    base = f"/desk/{event.slug}/rounds/{playing.pk}/"
    client.post(f"{base}pause/", {"back": "desk"})
    client.post(f"{base}clock/", {"minutes": "12", "back": "desk"})
    for page in (f"/desk/{event.slug}/", f"/desk/{event.slug}/rounds/", f"/e/{event.slug}/"):
        assert "12:00" in client.get(page).content.decode(), page
    client.post(f"{base}resume/")
    playing.refresh_from_db()
    assert playing.ends_at is not None


def test_no_clock_is_paused_before_it_runs(waiting: Event) -> None:
    round_ = Round.objects.get(stage__event=waiting, stage__order=1, number=1)
    with pytest.raises(Conflict):
        clock.extend_round(round_id=round_.pk, minutes=5, actor=SYSTEM)
    with pytest.raises(Conflict):
        clock.pause_round(round_id=round_.pk, actor=SYSTEM)


@pytest.mark.guide("director#a-round")
def test_one_click_prints_everything_for_a_round(playing: Round) -> None:
    event = playing.stage.event
    client = director(event)
    assert 'value="round"' in client.get(f"/desk/{event.slug}/").content.decode()
    job = (
        client.post(
            f"/desk/{event.slug}/documents/",
            {"kind": "round", "round": str(playing.pk), "language": "fr", "paper": "a4"},
        )
        .headers["Location"]
        .split("/")[-2]
    )
    work_on(job)
    made = PrintedDocument.objects.get(event=event)
    file = client.post(f"/desk/{event.slug}/documents/{made.pk}.pdf").content
    text = [page.extract_text() for page in PdfReader(io.BytesIO(file)).pages]
    assert len(text) >= 3
    name = event.entrants.get(number=3).person.name.split()[-1]
    assert sum(name.upper() in page.upper() for page in text) >= 3


@pytest.mark.guide("director#a-round")
def test_the_reveal_shows_the_final_standings_to_the_director_alone(one_of_two: Round) -> None:
    event = one_of_two.stage.event
    play_round(one_of_two, chance())
    rounds.close_round(round_id=one_of_two.pk, actor=SYSTEM)
    standings.recompute(stage_id=one_of_two.stage_id, force=True)
    page = f"/desk/{event.slug}/reveal/"
    desk = director(event)
    answer = desk.get(page)
    kept = standings.fresh(one_of_two.stage)
    ranked = [row["number"] for row in kept.rows if row["rank"]]
    assert [who.number for _row, who in answer.context["rows"]] == ranked
    assert len(ranked) == 8
    assert Client().get(page).status_code == 302
    # Hidden rounds end with the reveal, and not before the last round is played.
    update_event(event_id=event.pk, actor=SYSTEM, changes={"hide_last_rounds": 1})
    assert "data-reveal-end" not in desk.get(page).content.decode()
    desk.post(page)
    event.refresh_from_db()
    assert event.hide_last_rounds == 1
    while advance(event, chance()) is not None:
        pass
    assert "data-reveal-end" in desk.get(page).content.decode()
    assert desk.post(page).status_code == 302
    event.refresh_from_db()
    assert event.hide_last_rounds == 0


def test_a_draw_that_is_published_by_itself_says_when(waiting: Event) -> None:
    event = waiting
    round_ = Round.objects.get(stage__event=event, stage__order=1, number=1)
    work_on(str(draws.request_draw(round_id=round_.pk, actor=SYSTEM).pk))
    step = next_step(event)
    assert step.code == "look"
    assert step.draw is not None
    at = timezone.now() + timedelta(hours=1)
    publication.publish_later(draw_id=step.draw.pk, at=at, actor=SYSTEM)
    page = director(event).get(f"/desk/{event.slug}/").content.decode()
    assert "Will be published automatically at" in page


def test_the_page_of_the_event_leads_to_the_standings_once_a_round_is_closed(
    one_of_two: Round,
) -> None:
    event = one_of_two.stage.event

    def leads_to() -> str:
        page = (
            Client().get(f"/e/{event.slug}/").content.decode().partition('<section class="now">')[2]
        )
        return re.findall(r'<a class="button" href="([^"]+)"', page)[0]

    assert leads_to() == f"/e/{event.slug}/draw/"
    play_round(one_of_two, chance())
    rounds.close_round(round_id=one_of_two.pk, actor=SYSTEM)
    assert leads_to() == f"/e/{event.slug}/standings/"


def test_hidden_rounds_are_revealed_before_the_standings_are_final(one_of_two: Round) -> None:
    event = one_of_two.stage.event
    update_event(event_id=event.pk, actor=SYSTEM, changes={"hide_last_rounds": 1})
    play_round(one_of_two, chance())
    rounds.close_round(round_id=one_of_two.pk, actor=SYSTEM)
    while advance(event, chance()) is not None:
        pass
    desk = director(event)
    button = re.compile(r'<(?:a|button) class="button"[^>]*>\s*([^<]*?)\s*<')

    def offered() -> str:
        page = desk.get(f"/desk/{event.slug}/").content.decode()
        return button.findall(page.partition('id="next-step"')[2])[0]

    assert next_step(event).code == "final"
    assert offered() == "Reveal the final standings"
    page = desk.get(f"/desk/{event.slug}/").content.decode()
    (paper,) = re.findall(r'href="([^"]*kind=standings[^"]*)"', page)
    choices = desk.get(unescape(paper)).content.decode().partition('name="stage"')[2]
    assert re.findall(r'<option value="(\d*)" selected', choices)[0] == "1"
    page = f"/desk/{event.slug}/reveal/"
    desk.post(page)
    assert offered() == "Make the standings of all stages final"
    for stage in event.stages.all():
        set_state(stage_id=stage.pk, state=StandingsState.FINAL, actor=SYSTEM)
    assert offered() == "Print diplomas"
    shown = desk.get(f"/desk/{event.slug}/").content.decode()
    assert "Reveal the final standings" not in shown, "they were revealed"
    assert "Final standings, place by place" in shown, "and may be shown again"


def test_final_standings_are_provisional_again_by_the_page_and_count_what_is_played_then(
    playing: Round,
) -> None:
    event, stage = playing.stage.event, playing.stage
    play_round(playing, chance())
    rounds.close_round(round_id=playing.pk, actor=SYSTEM)
    desk, page = director(event), f"/desk/{event.slug}/stages/{stage.order}/standings/"
    before = standings.fresh(stage).rows
    desk.post(page, {"state": "final"})
    assert standings.fresh(stage).state == "final"
    # Signatures do not change standings while they are final.
    following = stage.rounds.get(number=2)
    play_round(draw_and_publish(following, SYSTEM), chance("again"))
    assert standings.fresh(stage).rows == before
    shown = desk.get(f"/desk/{event.slug}/rounds/").content.decode()
    assert '<option value="final" selected>' in shown
    desk.post(page, {"state": "provisional"})
    again = standings.fresh(stage)
    assert again.state == "provisional"
    assert sum(row["games"] for row in again.rows) > sum(row["games"] for row in before)


def test_a_clock_that_stands_still_shows_what_it_showed_while_it_ran(playing: Round) -> None:
    clock.set_clock(round_id=playing.pk, minutes=90, actor=SYSTEM)
    clock.pause_round(round_id=playing.pk, actor=SYSTEM)
    client = director(playing.stage.event)
    for page in ("", "rounds/", "room/"):
        shown = client.get(f"/desk/{playing.stage.event.slug}/{page}").content.decode()
        assert re.search(r'clock__label">Paused<.*clock__time">1:(30:00|29:5\d)<', shown, re.DOTALL)


def test_the_standings_of_all_stages_are_made_final_together_or_not_at_all(
    client: Client,
) -> None:
    plan = [
        new_stage("One", "pairs_swiss", 1, games_per_round=1, deals_per_game=2, cut={"top": 4}),
        new_stage("Two", "pairs_swiss", 1, games_per_round=1, deals_per_game=2),
    ]
    event = make_event(8, plan=plan)
    settle(publish_next(event))
    stages.open_next_stage(stage_id=event.stages.get(order=1).pk, actor=SYSTEM)
    last = publish_next(event)
    client.force_login(make_user("together", event, Role.DIRECTOR))
    client.cookies["django_language"] = "en"
    page = f"/desk/{event.slug}/stages/1/standings/"
    asked = {"state": "final", "back": "desk", "all": "yes"}

    def final() -> set[int]:
        lists = Standings.objects.filter(stage__event=event, state="final")
        return set(lists.values_list("stage__order", flat=True))

    # The second stage is refused: the first one is as it was.
    answer = client.post(page, asked, follow=True)
    assert "A round is still in play" in answer.content.decode()
    assert final() == set()
    settle(last)
    call_referee(table_id=last.round.tables.first().pk, reason="", actor=SYSTEM)
    answer = client.post(page, asked)
    assert answer.status_code == 409
    assert "1 call for the referee is waiting." in answer.content.decode()
    assert final() == set()
    client.post(page, {**asked, "reason": "the call is answered"})
    assert final() == {1, 2}


def test_one_button_makes_the_standings_of_all_stages_final(client: Client) -> None:
    plan = [
        new_stage("One", "pairs_swiss", 1, games_per_round=1, deals_per_game=2, cut={"top": 4}),
        new_stage("Two", "pairs_swiss", 1, games_per_round=1, deals_per_game=2),
    ]
    event = make_event(8, plan=plan)
    settle(publish_next(event))
    stages.open_next_stage(stage_id=event.stages.get(order=1).pk, actor=SYSTEM)
    settle(publish_next(event))
    client.force_login(make_user("final", event, Role.DIRECTOR))
    client.cookies["django_language"] = "en"
    desk = f"/desk/{event.slug}/"
    assert "Make the standings of all stages final" in client.get(desk).content.decode()
    asked = {"state": "final", "back": "desk", "all": "yes"}
    answer = client.post(f"{desk}stages/1/standings/", asked)
    if answer.status_code == 409:
        client.post(f"{desk}stages/1/standings/", {**asked, "reason": "nothing changes"})
    states = Standings.objects.filter(stage__event=event).values_list("state", flat=True)
    assert list(states) == ["final", "final"]
