"""Small claims of the director's guide, each tried as described."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from ledger.errors import Conflict
from ledger.jobs import work_on
from ledger.models import Job
from tests.moment import later
from tests.tournament.build import SYSTEM, chance, make_event
from tests.tournament.desk import director, text_of
from tests.tournament.test_stages import draw_next, event_of, publish_next
from tournament.demo.simulation import advance, play_round
from tournament.models import Round, Table
from tournament.services import (
    adjustments,
    bans_and_wishes,
    clock,
    entrant_edits,
    entrants,
    members,
    publication,
    reseating,
    rounds,
    stage_plans,
    tables,
)
from tournament.services.adjustments import Amount
from tournament.services.events import update_event
from tournament.services.standings import set_state
from tournament.views.registering import door_token

pytestmark = pytest.mark.django_db


def client_page(client: Client, address: str) -> str:
    answer = client.get(address)
    assert answer.status_code == 200
    return answer.content.decode()


@pytest.mark.guide("director#open-an-event")
def test_name_minutes_rounds_and_cut_of_a_stage_change_while_it_is_played() -> None:
    event = make_event(16, deals=1)
    advance(event, chance())
    changes = {
        "name": "Avond",
        "minutes": 45,
        "rounds_planned": 4,
        "cut": {"top": 12, "whole": True},
    }
    for name, value in changes.items():
        stage_plans.change_stage(event_id=event.pk, actor=SYSTEM, order=1, **{name: value})
    stage = event.stages.get(order=1)
    assert (stage.name, stage.minutes, stage.rounds.count()) == ("Avond", 45, 4)
    assert stage.cut == {"top": 12, "whole": True}


@pytest.mark.guide("director#settings-end-and-copy-of-an-event")
def test_a_clock_that_runs_keeps_its_end_when_the_minutes_of_its_stage_change() -> None:
    event = event_of(8, "individual_draw")
    round_ = publish_next(event).round
    clock.start_round(round_id=round_.pk, actor=SYSTEM)
    round_.refresh_from_db()
    ends = round_.ends_at
    stage_plans.change_stage(event_id=event.pk, actor=SYSTEM, order=1, minutes=5)
    round_.refresh_from_db()
    assert round_.ends_at == ends is not None


@pytest.mark.guide("director#finish-the-event")
def test_what_is_open_leads_to_where_it_is_settled() -> None:
    event = event_of(4, "ko", rounds=2)
    round_ = publish_next(event).round
    tables.call_referee(table_id=round_.tables.get(number=1).pk, reason="revoke", actor=SYSTEM)
    page = client_page(director(event), f"/desk/{event.slug}/finish/")
    for words, where in (
        ("these tables have not signed: 1, 2.", "room/"),
        ("1 call for the referee is waiting.", "referee/"),
        ("has not been drawn.", "rounds/"),
    ):
        (address,) = re.findall(rf'<a href="([^"]+)"><span>[^<]*{re.escape(words)}', page)
        assert where in address, words
        assert event.slug in address


@pytest.mark.guide("director#the-register-of-members")
def test_members_are_entered_for_later_too() -> None:
    member = members.add_member(actor=SYSTEM, values={"name": "Els Claes"})
    event = make_event(0)
    page = f"/desk/{event.slug}/players/members/"
    client = director(event)
    (verb,) = set(re.findall(r'name="verb"\s+value="(\w+)"', client_page(client, page))) - {
        "present",
        "remember",
    }
    assert client.post(page, {"member": [str(member.pk)], "verb": verb}).status_code == 302
    assert event.entrants.get().state == "registered"


@pytest.mark.guide("director#registering-and-the-door")
def test_ten_minutes_later_the_door_takes_nothing_back() -> None:
    event = make_event(4, present=False)
    update_event(event_id=event.pk, actor=SYSTEM, changes={"registration": True})
    page = f"/register/{event.slug}/{door_token(event)}/"
    phone = Client(headers={"X-Part": "name"})
    with later(minutes=-11), pytest.MonkeyPatch.context() as patch:
        signed_at = timezone.now().timestamp()
        patch.setattr("django.core.signing.time.time", lambda: signed_at)
        first = phone.post(page, {"here": "3"}).content.decode()
    (undo,) = re.findall(r'name="undo"\s+value="([^"]+)"', first)
    assert phone.post(page, {"undo": undo}).status_code == 409
    assert event.entrants.get(number=3).state == "present"
    # A visitor outside the list registers on the same page.
    assert 'name="club"' in client_page(Client(), page)


@pytest.mark.guide("director#a-round")
def test_the_rounds_page_says_why_a_timed_publication_did_not_happen() -> None:
    event = make_event(8)
    candidate = draw_next(event)
    at = timezone.now() + timedelta(minutes=1)
    publication.publish_later(draw_id=candidate.pk, at=at, actor=SYSTEM)
    entrants.withdraw(entrant_id=event.entrants.get(number=3).pk, actor=SYSTEM)
    with later(minutes=2):
        publication.publish_due()
        work_on(str(Job.objects.get(kind="tournament.publish").pk))
    failure = Job.objects.get(kind="tournament.publish").failure
    assert "3" in failure
    assert " ".join(failure.split()) in text_of(director(event), f"/desk/{event.slug}/rounds/")


@pytest.mark.guide("director#a-round")
def test_another_draw_of_a_published_round_is_refused_and_the_same_one_changes_nothing() -> None:
    event = make_event(8)
    one, two = draw_next(event), draw_next(event)
    publication.publish_draw(draw_id=one.pk, actor=SYSTEM)
    seated = sorted(Table.objects.filter(round=one.round).values_list("pk", flat=True))
    publication.publish_draw(draw_id=one.pk, actor=SYSTEM)
    assert sorted(Table.objects.filter(round=one.round).values_list("pk", flat=True)) == seated
    client = director(event)
    page = f"/desk/{event.slug}/draws/{two.pk}/"
    answer = client.post(page, {"act": "publish"}, follow=True)
    assert "Another draw of this round is published." in answer.content.decode()


@pytest.mark.guide("director#a-round")
def test_a_draw_is_refused_when_an_earlier_round_has_changed() -> None:
    event = make_event(16, deals=1)
    first = publish_next(event).round
    clock.start_round(round_id=first.pk, actor=SYSTEM)
    candidate = draw_next(event)
    one, two = (numbers_at(first, table)[0] for table in (1, 2))
    reseating.exchange(round_id=first.pk, one=one, two=two, actor=SYSTEM)
    with pytest.raises(Conflict) as refusal:
        publication.publish_draw(draw_id=candidate.pk, actor=SYSTEM)
    assert refusal.value.code == "round_before_changed"
    publication.publish_draw(draw_id=draw_next(event).pk, actor=SYSTEM)


def numbers_at(round_: Round, table: int) -> list[int]:
    seats = round_.seats.filter(table__number=table).order_by("position")
    return [seat.entrant.number for seat in seats]


def test_the_next_draw_is_quiet_while_a_round_is_under_way() -> None:
    event = make_event(16, deals=1)
    client = director(event)

    def draw_button() -> str:
        """Return the classes of the button that draws the next round."""
        text = client_page(client, f"/desk/{event.slug}/rounds/")
        form = re.search(r"<form[^>]*/draw/\".*?</form>", text, re.DOTALL)
        assert form
        found = re.search(r'<button class="([^"]*)"', form[0])
        assert found
        return found[1]

    assert draw_button() == "button"
    first = publish_next(event).round
    assert draw_button() == "button button--quiet"
    clock.start_round(round_id=first.pk, actor=SYSTEM)
    assert draw_button() == "button button--quiet"
    play_round(first, chance())
    rounds.close_round(round_id=first.pk, actor=SYSTEM)
    assert draw_button() == "button"


@pytest.mark.parametrize("language", ["en", "fr", "nl"])
def test_the_way_to_take_a_publication_back_and_its_button_say_the_same(language: str) -> None:
    event = make_event(16, deals=1)
    client = director(event)
    first = publish_next(event).round

    def way_and_button(act: str) -> list[str]:
        way = reverse("desk-round", args=[event.slug, first.pk, act])
        said = []
        for page, tag in ((f"/desk/{event.slug}/rounds/", f'a[^>]*href="{way}"'), (way, "button")):
            answer = client.get(page, headers={"accept-language": language})
            main = answer.content.decode().partition("<main")[2]
            found = re.search(rf"<{tag}[^>]*>(.*?)</", main, re.DOTALL)
            assert found
            said.append(found[1].strip())
        return said

    summary, button = way_and_button("unpublish")
    assert summary == button
    play_round(first, chance())
    rounds.close_round(round_id=first.pk, actor=SYSTEM)
    closed, reopen = way_and_button("reopen")
    assert closed == reopen != summary


@pytest.mark.guide("director#when-people-come-and-go")
def test_tables_still_playing_are_left_out_by_a_tick_and_seated_from_the_page_of_the_draw() -> None:
    event = make_event(16, deals=1)
    first = publish_next(event).round
    clock.start_round(round_id=first.pk, actor=SYSTEM)
    play_round(first, chance(), share=0.5)
    client = director(event)
    rounds_page = client_page(client, f"/desk/{event.slug}/rounds/")
    assert "Leave out 8 players still at a table" in rounds_page
    round_ = Round.objects.get(stage__event=event, stage__order=1, number=2)
    asked = client.post(f"/desk/{event.slug}/rounds/{round_.pk}/draw/", {"hold": "on"})
    work_on(asked.headers["Location"].split("/")[-2])
    drawn = round_.draws.get()
    assert len(drawn.held) == 8
    publication.publish_draw(draw_id=drawn.pk, actor=SYSTEM)
    assert "Seat waiting players" in client_page(client, f"/desk/{event.slug}/draws/{drawn.pk}/")


@pytest.mark.guide("director#requests-and-players-to-keep-apart")
def test_the_public_record_says_that_two_were_kept_apart_and_not_why() -> None:
    event = make_event(8)
    bans_and_wishes.ban(event_id=event.pk, one=1, two=2, actor=SYSTEM)
    bans_and_wishes.wish(event_id=event.pk, number=3, actor=SYSTEM, family="Lagae")
    publish_next(event)
    record = Client().get(f"/e/{event.slug}/draw/1/1/request.json").content.decode()
    assert re.search(r'"bans":\s*\[\s*\[\s*1,\s*2\s*\]\s*\]', record)
    assert "Lagae" not in record


@pytest.mark.guide("director#after-the-publication")
def test_who_has_points_adjusted_in_the_round_is_not_exchanged() -> None:
    event = make_event(8, deals=1)
    round_ = publish_next(event).round
    play_round(round_, chance())
    one, two = (numbers_at(round_, table)[0] for table in (1, 2))
    adjustments.adjust(
        stage_id=round_.stage_id,
        source="ruling:1",
        reason="late",
        actor=SYSTEM,
        round_id=round_.pk,
        amounts=[Amount(event.entrants.get(number=one).pk, marks=-5)],
    )
    with pytest.raises(Conflict) as refusal:
        reseating.exchange(round_id=round_.pk, one=one, two=two, actor=SYSTEM, reason="swap")
    assert refusal.value.code == "points_adjusted"


@pytest.mark.guide("director#when-people-come-and-go")
def test_two_entries_are_not_joined_over_adjusted_points_or_firm_standings() -> None:
    event = make_event(8, deals=1)
    entrants.withdraw(entrant_id=event.entrants.get(number=8).pk, actor=SYSTEM)
    advance(event, chance())
    entrants.enter_player(event_id=event.pk, name="Twice", number=50, actor=SYSTEM, present=True)
    stage = event.stages.get(order=1)
    adjustments.adjust(
        stage_id=stage.pk,
        source="ruling:1",
        reason="late",
        actor=SYSTEM,
        amounts=[Amount(event.entrants.get(number=50).pk, marks=-5)],
    )
    with pytest.raises(Conflict) as named:
        entrant_edits.merge_entrants(event_id=event.pk, keep=8, double=50, actor=SYSTEM)
    assert named.value.code == "entrant_named"
    adjustments.annul(source="ruling:1", actor=SYSTEM, reason="was on time")
    set_state(stage_id=stage.pk, state="frozen", actor=SYSTEM)
    with pytest.raises(Conflict):
        entrant_edits.merge_entrants(event_id=event.pk, keep=1, double=2, actor=SYSTEM)
