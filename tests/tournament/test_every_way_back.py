"""Acts of docs/ways-back.md, done and undone through the pages as its table describes."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from accounts.models import Role
from ledger.errors import Conflict
from ledger.jobs import work_on
from ledger.models import Job
from operations.replay import replay
from tests.adjudication.build import enter, sheet_at, sign
from tests.markup import markup, without_marks
from tests.tournament.build import SYSTEM, make_event, make_user
from tests.tournament.desk import agree, director, text_of
from tests.tournament.results import first_side_wins
from tests.tournament.test_bracket_places import level_final, ranks
from tests.tournament.test_stages import event_of, publish_next, settle
from tournament.demo.simulation import draw_and_publish
from tournament.models import Draw, DrawState, Entrant, Event, Round, Seat, Table
from tournament.models.tables import Sheet
from tournament.queries import standings
from tournament.services import entrants, reseating, rounds, signatures
from tournament.services.entrant_edits import correct_entrant
from tournament.tables.links import entrant_token, table_token
from tournament.tables.score_sheet import ScoreSheet

pytestmark = pytest.mark.django_db


def first_round(event: Event) -> Round:
    return Round.objects.get(stage__event=event, stage__order=1, number=1)


def draft(client: Client, event: Event) -> Draw:
    """Request a draft of the first round on its page."""
    round_ = first_round(event)
    client.post(f"/desk/{event.slug}/rounds/{round_.pk}/draw/")
    job = Job.objects.filter(kind="tournament.draw").latest("created_at")
    work_on(str(job.pk))
    job.refresh_from_db()
    return Draw.objects.get(pk=job.result["draw"])


def row_of(client: Client, event: Event, number: int) -> str:
    page = client.get(f"/desk/{event.slug}/players/").content.decode()
    (row,) = re.findall(rf'<tr id="p-{number}"(.*?)</tr>', page, re.DOTALL)
    return str(row)


def test_present_is_taken_back_until_they_sit_at_a_table() -> None:
    event = make_event(8)
    client = director(event)
    state = f"/desk/{event.slug}/players/3/state/"
    assert 'value="check_out"' in row_of(client, event, 3)
    client.post(state, {"verb": "check_out"})
    assert event.entrants.get(number=3).state == "registered"
    client.post(state, {"verb": "check_in"})
    draw_and_publish(first_round(event), SYSTEM)
    row = row_of(client, event, 3)
    assert 'value="check_out"' not in row
    assert "Leaves" in row
    client.post(state, {"verb": "check_out"})
    assert event.entrants.get(number=3).state == "present"
    # The player's page names the player on its button, and brings them back.
    person = event.entrants.get(number=3).person.name
    page = client.get(f"/desk/{event.slug}/players/3/").content.decode()
    (button,) = re.findall(r'<button[^>]*value="withdraw"[^>]*>(.*?)</button>', page, re.DOTALL)
    assert person in button
    client.post(state, {"verb": "withdraw"})
    assert event.entrants.get(number=3).state == "withdrawn"
    assert "Has returned" in row_of(client, event, 3)
    client.post(state, {"verb": "return"})
    assert event.entrants.get(number=3).state == "present"


def test_a_ban_and_a_wish_are_taken_back_on_their_page() -> None:
    event = make_event(8)
    client = director(event)
    page = f"/desk/{event.slug}/wishes/"
    client.post(page, {"verb": "ban", "one": 1, "two": 2})
    client.post(page, {"verb": "wish", "number": 3, "family": "Lagae", "no_scorekeeping": "on"})
    said = text_of(client, page)
    assert "family Lagae" in said
    assert "does not keep the score" in said
    client.post(page, {"verb": "lift", "ban": event.bans.get().pk})
    client.post(page, {"verb": "unwish", "number": 3})
    assert not event.bans.exists()
    third = event.entrants.get(number=3)
    assert (third.family, third.keeps_score) == ("", True)


def test_a_draft_is_discarded_and_another_made_by_the_page() -> None:
    event = make_event(8)
    client = director(event)
    first = draft(client, event)
    page = f"/desk/{event.slug}/draws/{first.pk}/"
    assert "Discard" in text_of(client, page)
    agree(client, page, {"act": "discard"})
    first.refresh_from_db()
    assert first.state == DrawState.DISCARDED
    assert first_round(event).state == "planned"
    # The discarded draft stays readable; the round is drawn again.
    assert "discarded" in text_of(client, page)
    second = draft(client, event)
    assert second.state == DrawState.CANDIDATE
    assert second.tables != first.tables


def test_an_automatic_publication_is_cancelled_by_the_page() -> None:
    event = make_event(8)
    client = director(event)
    page = f"/desk/{event.slug}/draws/{draft(client, event).pk}/"
    at = timezone.localtime() + timedelta(hours=1)
    client.post(page, {"act": "schedule", "at": at.strftime("%Y-%m-%dT%H:%M")})
    assert first_round(event).publish_at is not None
    assert "Cancel automatic publication" in text_of(client, page)
    client.post(page, {"act": "unschedule"})
    round_ = first_round(event)
    assert (round_.publish_at, round_.publish_draw, round_.state) == (None, None, "drawn")
    assert "Cancel automatic publication" not in text_of(client, page)


def test_a_table_seated_late_goes_with_the_publication_until_a_deal_is_written() -> None:
    event = make_event(11)
    client = director(event)
    drawn = draft(client, event)
    page = f"/desk/{event.slug}/draws/{drawn.pk}/"
    client.post(page, {"act": "publish"})
    at = dict(event.entrants.values_list("pk", "number"))
    waiting = " ".join(str(at[who]) for who in drawn.byes)
    seat = {"verb": "seat", "players": waiting, "to": 9}
    assert "Effect of the change" in text_of(client, f"{page}?verb=seat&players={waiting}&to=9")
    assert not Table.objects.filter(round=drawn.round, number=9).exists()
    client.post(page, {"act": "make", **seat, "after": 0})
    assert Table.objects.get(round=drawn.round, number=9).seats.count() == 3
    rounds = f"/desk/{event.slug}/rounds/{drawn.round_id}"
    agree(client, f"{rounds}/unpublish/", {"reason": "one more comes"})
    assert not Table.objects.filter(round=drawn.round).exists()
    # Published again, with a deal written: the table cannot be dropped now.
    client.post(page, {"act": "publish"})
    enter(sheet_at(first_round(event)), 40)
    agree(client, f"{rounds}/unpublish/", {"reason": "too late"})
    assert Table.objects.filter(round=drawn.round).exists()


def test_a_written_deal_is_corrected_on_its_page_with_a_reason() -> None:
    event = make_event(8)
    round_ = draw_and_publish(first_round(event), SYSTEM)
    sheet = enter(sheet_at(round_), 40)
    client = director(event)
    page = f"/sheet/{sheet.pk}/"
    form = {
        "verb": "correct",
        "number": 1,
        "version": sheet.version,
        "trump": "H",
        "side": "NS",
        "points": 44,
        "doubling": 0,
        "dealer": ScoreSheet(sheet).current()[0].entry["dealer"],
        "depth": "points",
    }
    assert client.post(page, {**form, "reason": " "}).status_code == 400
    assert ScoreSheet(sheet).current()[0].entry["points"] == {"NS": 40}
    assert client.post(page, {**form, "reason": "misread"}).status_code == 302
    (deal,) = ScoreSheet(sheet).current()
    assert deal.entry["points"] == {"NS": 44}
    # Both can be read, with the reason.
    assert sheet.deals.filter(number=1).count() == 2
    assert "misread" in text_of(client, page)
    assert replay(event).differences == []


@pytest.mark.guide("scorekeeper#signing")
def test_the_table_that_does_not_agree_signs_anew() -> None:
    event = make_event(8, rulebook="parlee")
    round_ = draw_and_publish(first_round(event), SYSTEM)
    sheet = enter(sheet_at(round_), 40, 30)
    sheet.refresh_from_db()
    phone = Client(headers={"accept-language": "en"})
    page = f"/t/{table_token(sheet.table)}/?game=1"
    phone.get(page)
    assert "We do not agree" in text_of(phone, page)
    phone.post(page, {"verb": "sign", "signing": "NS", "version": sheet.version})
    assert sheet.signatures.filter(standing=True).count() == 1
    sheet.refresh_from_db()
    phone.post(
        page, {"verb": "dispute", "version": sheet.version, "reason": "wrong trump in deal 2"}
    )
    assert not sheet.signatures.filter(standing=True).exists()
    sheet.refresh_from_db()
    assert sheet.state == "disputed"
    assert not sheet.results.exists()
    # The reason is shown at the table, on its players' phones, and on the desk.
    client = director(event)
    own = f"/sign/{entrant_token(sheet.table.seats.get(position='A').entrant)}/"
    for reader, where in (
        (phone, page),
        (phone, own),
        (client, f"/desk/{event.slug}/room/"),
        (client, f"/desk/{event.slug}/room/{sheet.table.number}/"),
    ):
        assert "wrong trump in deal 2" in text_of(reader, where), where
    assert "does not agree" in text_of(phone, own)
    assert "Game 1" in text_of(phone, own)
    # Signed by both sides it is official; staff reopen it with a reason.
    sign(sheet)
    staff = f"/sheet/{sheet.pk}/"
    assert agree(client, staff, {"verb": "reopen", "reason": ""}).status_code in (400, 422)
    assert agree(client, staff, {"verb": "reopen", "reason": "deal 2"}).status_code == 302
    sheet.refresh_from_db()
    assert sheet.state == "open"
    assert not sheet.results.filter(current=True).exists()
    assert replay(event).differences == []


def test_a_match_decided_for_the_wrong_side_is_decided_for_the_other() -> None:
    event, final = level_final()
    client = director(event)
    page = f"/desk/{event.slug}/draws/{final.pk}/"
    asked = {"act": "decide", "table": 1, "winner": 2, "reason": "one more deal"}
    agree(client, page, {**asked, "reason": " "})
    assert ranks(event)[1] == ranks(event)[2] == 1
    agree(client, page, asked)
    assert (ranks(event)[1], ranks(event)[2]) == (2, 1)
    assert 'value="decide"' in client.get(page).content.decode()
    # Another director, whose page still shows no decision, does not overturn this one unseen.
    with pytest.raises(Conflict) as refused:
        reseating.decide_match(
            round_id=final.round_id, table=1, winner=1, reason="tossed", seen=0, actor=SYSTEM
        )
    assert refused.value.code == "decided_meanwhile"
    late = client.post(page, {**asked, "winner": 1, "seen": 0})
    assert late.status_code == 409
    assert "Something changed since this page was shown" in late.content.decode()
    assert (late.context["sent"]["winner"], late.context["given"]) == ("1", asked["reason"])
    assert (ranks(event)[1], ranks(event)[2]) == (2, 1)
    agree(client, page, {**asked, "winner": 1, "seen": 2, "reason": "I took the wrong one"})
    assert (ranks(event)[1], ranks(event)[2]) == (1, 2)
    assert "I took the wrong one" in text_of(client, page)
    event.refresh_from_db()
    assert replay(event).differences == []


def test_a_closed_round_is_reopened_and_its_tables_open_again() -> None:
    event = event_of(8, "individual_draw", rounds=2)
    drawn = publish_next(event)
    link = f"/t/{table_token(drawn.round.tables.get(number=1))}/"
    assert Client().get(link).status_code == 200
    settle(drawn)
    assert Client().get(link).status_code != 200
    client = director(event)
    page = f"/desk/{event.slug}/rounds/"
    assert "Reopen the round" in text_of(client, page)
    agree(client, f"{page}{drawn.round_id}/reopen/", {"reason": " "})
    assert first_round(event).state == "closed"
    agree(client, f"{page}{drawn.round_id}/reopen/", {"reason": "a wrong slip"})
    assert first_round(event).state == "playing"
    assert Client().get(link).status_code == 200


@pytest.mark.parametrize("format", ["individual_draw", "pairs_swiss", "round_robin", "ko"])
def test_a_replacement_by_mistake_is_taken_back(format: str) -> None:
    event = event_of(8, format, rounds=3)
    settle(publish_next(event))
    drawn = publish_next(event)
    winner = min(seat.entrant.number for seat in Seat.objects.filter(round=drawn.round))
    reserve = entrants.enter_player(
        event_id=event.pk, name="Stand In", actor=SYSTEM, present=True, reserve=True
    )
    client = director(event)
    page = f"/desk/{event.slug}/wishes/"
    before = seats(drawn.round), place(event, winner)
    agree(client, page, {"verb": "replace", "old": winner, "new": reserve.number})
    assert seats(drawn.round) != before[0]
    answer = agree(client, page, {"verb": "replace", "old": reserve.number, "new": winner})
    assert answer.status_code == 302, markup(answer)
    assert (seats(drawn.round), place(event, winner)) == before
    assert event.entrants.get(number=reserve.number).state == "present"
    assert not Entrant.objects.get(pk=reserve.pk).stages.exists()
    event.refresh_from_db()
    assert replay(event).differences == []
    settle(drawn)
    following = publish_next(event)
    out = {reserve.pk} & {who for table in following.tables for who in table["players"]}
    assert not out
    assert event.entrants.get(number=winner).pk in {
        who for table in following.tables for who in table["players"]
    }


def seats(round_: Round) -> list[tuple[int, str, int]]:
    found = Seat.objects.filter(round=round_)
    return sorted(found.values_list("table__number", "position", "entrant__number"))


def place(event: Event, number: int) -> tuple[str, list[tuple[int, str, int | None]]]:
    entrant = event.entrants.get(number=number)
    fields = entrant.stages.order_by("stage__order")
    return str(entrant.state), list(fields.values_list("stage__order", "origin", "seed"))


@pytest.mark.parametrize(
    ("language", "merge", "remove"),
    [
        ("en", "Merge into 3 {}", "Remove {}"),
        ("fr", "Fusionner avec 3 {}", "Supprimer l’inscription de {}"),
        ("nl", "Samenvoegen met 3 {}", "{} verwijderen"),
    ],
)
def test_what_takes_a_player_away_says_whom(language: str, merge: str, remove: str) -> None:
    event = make_event(8)
    client = director(event)
    client.cookies["django_language"] = language
    name = event.entrants.get(number=3).person.name
    answer = client.get(f"/desk/{event.slug}/players/3/", {"merge-double": 4})
    page = without_marks(answer.content.decode())
    for verb, words in (("merge", merge), ("remove", remove)):
        (said,) = re.findall(rf'<button[^>]*value="{verb}"[^>]*>(.*?)</button>', page, re.DOTALL)
        assert " ".join(said.split()) == words.format(name)


@pytest.mark.parametrize("signed", [0, 1, 2])
def test_a_reopened_round_leads_the_desk_until_it_is_closed_again(
    client: Client, signed: int
) -> None:
    event = event_of(8, "individual_draw", rounds=2)
    first = publish_next(event)
    settle(first)
    publish_next(event)
    client.force_login(make_user("director", event, Role.DIRECTOR))
    client.cookies["django_language"] = "en"
    desk = f"/desk/{event.slug}/"
    rounds.reopen_round(round_id=first.round_id, actor=SYSTEM, reason="a result was turned")
    for sheet in Sheet.objects.filter(table__round=first.round_id)[signed:]:
        signatures.reopen(sheet_id=sheet.pk, reason="turned", actor=SYSTEM)
    page = markup(client.get(desk))
    told = page.partition("Round 1 is open: close it again")
    assert f"Tables that have signed: {signed} of 2." in " ".join(told[2].split())
    assert told[0].count('class="notice') == 1
    assert ("Close the round" in told[2].partition('id="next-step"')[0]) is (signed == 2)
    assert "Nothing holds up the round" not in page
    if signed == 2:
        client.post(f"/desk/{event.slug}/rounds/{first.round_id}/close/", {"back": "desk"})
        assert "Round 1 is open" not in markup(client.get(desk))


@pytest.mark.parametrize("signed", [0, 1, 2])
def test_nothing_holds_up_a_round_once_every_table_has_signed(client: Client, signed: int) -> None:
    event = event_of(8, "individual_draw", rounds=2)
    first = publish_next(event)
    for sheet in Sheet.objects.filter(table__round=first.round_id)[:signed]:
        first_side_wins(sheet)
    client.force_login(make_user("director", event, Role.DIRECTOR))
    client.cookies["django_language"] = "en"
    for page in ("", "room/"):
        told = markup(client.get(f"/desk/{event.slug}/{page}"))
        assert ("Nothing holds up the round" in told) is (signed == 2)


def test_one_of_a_pair_is_replaced_by_mistake_and_taken_back() -> None:
    event = event_of(8, "pairs_swiss", rounds=3)
    pair = event.entrants.get(number=1)
    correct_entrant(entrant_id=pair.pk, changes={"partner": "Piet"}, actor=SYSTEM)
    settle(publish_next(event))
    before = standings.recompute(stage_id=event.stages.get().pk, force=True).rows
    new = reseating.substitute(entrant_id=pair.pk, leaves="second", name="Nora", actor=SYSTEM)
    reseating.replace_player(event_id=event.pk, old=new.number, new=1, actor=SYSTEM)
    assert standings.recompute(stage_id=event.stages.get().pk, force=True).rows == before
    publish_next(event)
    pair.refresh_from_db()
    assert pair.state == "present"
    assert Seat.objects.filter(entrant=pair).count() == 2
