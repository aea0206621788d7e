"""A measure on games lapses with the draw whose table it concerned; conduct still counts (C.8)."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import Role
from adjudication.models import Incident, Ruling
from adjudication.queries.cases import history_of
from adjudication.queries.shown import show
from adjudication.services import rulings
from ledger.errors import Conflict
from ledger.models import AuditEntry
from operations.replay import replay
from tests.adjudication.build import (
    REFEREE,
    SECOND,
    as_chiefs,
    enter,
    event_in_play,
    incident_at,
    points_entry,
    rounds_only,
    ruled_revoke,
    sheet_at,
    sign,
    stating,
)
from tests.tournament.build import SYSTEM, make_user
from tests.tournament.desk import agree
from tournament.demo.simulation import draw_and_publish
from tournament.models import Adjustment, Draw, Entrant, Event, Round
from tournament.queries.certificates import lines_of
from tournament.queries.falls import Act, Fate, of_entrant, of_exchange, of_sheet, what_falls
from tournament.queries.rounds import forfeits_of
from tournament.queries.standings import compute
from tournament.services import draws, publication, reseating, sheets, signatures
from tournament.services.entrants import enter_player
from tournament.tables.links import entrant_token
from tournament.tables.score_sheet import ScoreSheet

pytestmark = pytest.mark.django_db


def rule(event: Event, round_: Round, article: str, facts: dict[str, Any], **more: Any) -> Ruling:
    as_chiefs(event, REFEREE, SECOND)
    return stating(
        rulings.issue,
        incident_id=incident_at(event, round_, **{"deal": None, **more}).pk,
        article=article,
        facts=facts,
        actor=REFEREE,
        reason="seen",
        second=SECOND,
    )


@pytest.fixture
def hall() -> tuple[Event, Round]:
    return event_in_play(players=8, plan=rounds_only(deals=2))


def withdraw(round_: Round) -> Round:
    """Withdraw the publication and publish another draw of the round."""
    publication.unpublish(round_id=round_.pk, actor=SYSTEM, reason="a late pair")
    for candidate in Draw.objects.filter(round=round_, state="candidate"):
        draws.discard_draw(draw_id=candidate.pk, actor=SYSTEM)
    round_.refresh_from_db()
    return draw_and_publish(round_, SYSTEM)


NO_SHOW = {"offender": "N", "what": "no_show"}


@pytest.mark.guide("referee#what-to-keep-in-mind")
def test_a_forfeit_does_not_fall_on_the_next_draw_of_the_round(
    client: Client, hall: tuple[Event, Round]
) -> None:
    event, round_ = hall
    ruling = rule(event, round_, "T-ABS", NO_SHOW)
    assert ruling.offender_id is not None
    assert forfeits_of(event) == {(ruling.offender_id, round_.pk)}
    round_ = withdraw(round_)
    assert forfeits_of(event) == set()
    # The player sits at a table, plays and signs; the result stands.
    for table in round_.tables.all():
        for game in (1, 2, 3):
            sign(enter(sheet_at(round_, table.number, game), 40, 40))
    assert forfeits_of(event) == set()
    offender = Entrant.objects.select_related("event").get(pk=ruling.offender_id)
    row = next(r for r in compute(round_.stage).rows if r.entrant.number == offender.number)
    assert (row.won + row.drawn + row.lost, row.adjusted) == (3, False)
    own = client.get(f"/p/{entrant_token(offender)}/", headers={"accept-language": "en"})
    assert "without effect: the draw of this table was withdrawn" in own.content.decode()
    assert replay(event).differences == []


@pytest.mark.guide("referee#what-to-keep-in-mind")
def test_conceded_deals_fall_with_the_draw_and_the_warning_counts_on(
    hall: tuple[Event, Round],
) -> None:
    event, round_ = hall
    late = rule(event, round_, "T-LATE", {"offender": "N", "minutes": 8})
    warned = rule(event, round_, "T-COMM", {"offender": "E"})
    barred = rule(event, round_, "T-UNSP", {"offender": "S", "measure": "disqualified"}, table=2)
    assert Adjustment.objects.filter(annulled_at__isnull=True).count() == 5
    round_ = withdraw(round_)
    in_force = Adjustment.objects.filter(annulled_at__isnull=True)
    assert [row.source for row in in_force] == [f"ruling:{barred.pk}"]
    assert {each.ruling for each in history_of(event.pk)} == {
        str(each.number) for each in (late, warned, barred)
    }
    # The warning belongs to the person: their next word is the second offence.
    seats = {int(pk): seat for seat, pk in sheet_at(round_).seats.items()}
    table = 1 if warned.offender_id in seats else 2
    seat = {int(pk): s for s, pk in sheet_at(round_, table).seats.items()}[warned.offender_id or 0]
    again = rule(event, round_, "T-COMM", {"offender": seat}, table=table)
    assert again.measure == "penalty"


def test_the_new_table_reads_nothing_of_the_old_sitting(
    client: Client, hall: tuple[Event, Round]
) -> None:
    event, round_ = hall
    ruling = rule(event, round_, "T-LATE", {"offender": "N", "minutes": 8})
    round_ = withdraw(round_)
    incident = Incident.objects.get(pk=ruling.incident_id)
    assert incident.unseated_at is not None
    others = event.entrants.exclude(pk=ruling.offender_id).values_list("number", flat=True)
    for number in others:
        page = client.get(f"/e/{event.slug}/players/{number}/").content.decode()
        assert re.findall("ruling__title", page) == []


def test_annulling_a_fallen_ruling_gives_nothing_twice(hall: tuple[Event, Round]) -> None:
    event, round_ = hall
    ruling = rule(event, round_, "T-LATE", {"offender": "N", "minutes": 8})
    withdraw(round_)
    fallen = Ruling.objects.get(pk=ruling.pk)
    assert "withdrawn" in show(fallen).penalty
    rulings.annul(ruling_id=ruling.pk, actor=REFEREE, reason="the train")
    assert not Adjustment.objects.filter(annulled_at__isnull=True).exists()


@pytest.mark.guide("director#after-the-publication")
def test_the_page_names_the_rulings_that_fall_and_those_that_stay(
    client: Client, hall: tuple[Event, Round]
) -> None:
    event, round_ = hall
    late = rule(event, round_, "T-LATE", {"offender": "N", "minutes": 8})
    barred = rule(event, round_, "T-UNSP", {"offender": "S", "measure": "disqualified"}, table=2)
    client.force_login(make_user("director", event, Role.DIRECTOR))
    address = f"/desk/{event.slug}/rounds/{round_.pk}/unpublish/"
    lines = client.get(address).context["falls"]
    fates = {(line.code, line.numbers): line.fate for line in lines if line.numbers}
    numbers = tuple(sorted(Incident.objects.values_list("number", flat=True)))
    assert fates == {
        ("rulings", (late.number,)): Fate.FALLS,
        ("rulings", (barred.number,)): Fate.STAYS,
        ("incidents", numbers): Fate.STAYS,
    }
    links = {line.url for line in lines if line.code == "rulings"}
    assert links == {f"/referee/{event.slug}/rulings/{each.number}/" for each in (late, barred)}
    agree(client, address, {"reason": "a late pair"})
    after = AuditEntry.objects.filter(verb="draw.unpublished").latest("sequence").after
    assert after is not None
    assert after["falls"] == {"tables": 2, "clock": 1, "rulings": [late.number]}
    in_force = Adjustment.objects.filter(annulled_at__isnull=True)
    assert [row.source for row in in_force] == [f"ruling:{barred.pk}"]


@pytest.mark.guide("director#after-the-publication")
def test_a_forfeit_does_not_go_along_to_another_table(hall: tuple[Event, Round]) -> None:
    event, round_ = hall
    ruling = rule(event, round_, "T-ABS", NO_SHOW)
    gone = Entrant.objects.get(pk=ruling.offender_id)
    other = round_.seats.exclude(table__seats__entrant=gone).select_related("entrant").first()
    assert other is not None
    lines = what_falls(of_exchange(round_, (gone.pk, other.entrant_id)))
    assert [(line.code, line.numbers) for line in lines if line.fate is Fate.STOPS] == [
        ("adjusted", (gone.number,))
    ]
    swap = {"round_id": round_.pk, "one": gone.number, "two": other.entrant.number}
    with pytest.raises(Conflict) as refused:
        reseating.exchange(**swap, actor=SYSTEM)
    assert refused.value.code == "points_adjusted"
    rulings.annul(ruling_id=ruling.pk, actor=REFEREE, reason="they came")
    reseating.exchange(**swap, actor=SYSTEM)
    assert round_.seats.get(entrant=gone).table_id == other.table_id


@pytest.mark.guide("director#when-people-come-and-go")
def test_a_newcomer_takes_no_seat_that_was_forfeited(hall: tuple[Event, Round]) -> None:
    event, round_ = hall
    ruling = rule(event, round_, "T-ABS", NO_SHOW)
    gone = Entrant.objects.get(pk=ruling.offender_id)
    new = enter_player(event_id=event.pk, name="Newcomer", actor=SYSTEM, reserve=True)
    lines = what_falls(of_entrant(Act.REPLACE, gone))
    assert {(line.code, line.fate) for line in lines} == {
        ("seats", Fate.STAYS),
        ("rulings", Fate.STAYS),
        ("adjusted", Fate.STAYS),
    }
    reseating.replace_player(event_id=event.pk, old=gone.number, new=new.number, actor=SYSTEM)
    # The round is lost for the place; the newcomer is drawn from the next one on.
    assert round_.seats.filter(entrant=gone).exists()
    assert not round_.seats.filter(entrant=new).exists()
    assert forfeits_of(event) == {(gone.pk, round_.pk)}


@pytest.mark.guide("director#after-the-publication")
def test_a_game_is_played_again_only_once_the_rulings_on_its_deals_are_annulled(
    client: Client,
) -> None:
    event, round_ = event_in_play(deals=6)
    enter(sheet_at(round_), 40, 42)
    ruling = ruled_revoke(event, round_)
    sheet = ruling.incident.sheet
    assert sheet is not None
    lines = {line.code: line for line in what_falls(of_sheet(sheet))}
    assert (lines["rulings"].fate, lines["rulings"].numbers) == (Fate.STOPS, (ruling.number,))
    with pytest.raises(Conflict) as prevented:
        signatures.replay(sheet_id=sheet.pk, actor=SYSTEM, reason="wrong partners")
    assert prevented.value.code == "replay_prevented"
    # From the cell of the book the ruling is one step away, with what changes without it.
    client.force_login(make_user("director", event, Role.DIRECTOR))
    cell = f"/desk/{event.slug}/room/{round_.pk}/{sheet.table.number}/"
    undone = f"/rulings/{ruling.number}/?preview=undone#undone"
    assert undone in client.get(cell).content.decode()
    rulings.annul(ruling_id=ruling.pk, actor=SYSTEM, reason="mistaken")
    signatures.replay(sheet_id=sheet.pk, actor=SYSTEM, reason="wrong partners")
    assert ScoreSheet(sheet_at(round_)).begins_anew
    assert undone not in client.get(cell).content.decode()
    assert replay(event).differences == []


def test_the_correction_of_a_signed_sheet_names_the_signatures_that_fall(client: Client) -> None:
    event, round_ = event_in_play(deals=2)
    sheet = sign(enter(sheet_at(round_), 48, 40))
    ruling = ruled_revoke(event, round_)
    signatures.reopen(sheet_id=sheet.pk, actor=SYSTEM, reason="once more")
    sheet.refresh_from_db()
    sheet = sign(sheet)
    lines = {line.code: line for line in what_falls(of_sheet(sheet, Act.CORRECT))}
    assert (lines["results"].fate, "2 signatures" in lines["results"].text) == (Fate.FALLS, True)
    assert (lines["rulings"].fate, lines["rulings"].numbers) == (Fate.STAYS, (ruling.number,))
    sheets.correct_deal(
        sheet_id=sheet.pk,
        number=2,
        entry=points_entry(sheet, 44, dealer="E"),
        actor=SYSTEM,
        reason="slip",
    )
    made = AuditEntry.objects.filter(verb="sheet.official").latest("pk")
    assert made.after["falls"] == {"results": [sheet.table.number]}
    client.force_login(make_user("director", event, Role.DIRECTOR))
    page = client.get(reverse("staff-sheet", args=[sheet.pk]), headers={"accept-language": "en"})
    assert page.content.decode().count("not signed here") == 2


def test_a_newcomer_plays_the_game_that_begins_anew() -> None:
    """The annulled deals stay with nobody: the game played again is the newcomer's."""
    event, round_ = event_in_play(deals=2, players=9)
    sheet = enter(sheet_at(round_), 40, 42)
    signatures.confirm(sheet_id=sheet.pk, version=sheet.version, actor=SYSTEM)
    gone = event.entrants.get(pk=sheet.seats["N"])
    bye = round_.byes.get().entrant
    seats = {line.code: line for line in what_falls(of_entrant(Act.REPLACE, gone))}
    assert seats["seats"].fate is Fate.STAYS, "deals that count were played there"
    signatures.replay(sheet_id=sheet.pk, actor=SYSTEM, reason="wrong partners")
    seats = {line.code: line for line in what_falls(of_entrant(Act.REPLACE, gone))}
    assert (seats["seats"].fate, seats["seats"].then) == (Fate.FALLS, "The newcomer sits there.")
    reserve = enter_player(event_id=event.pk, actor=SYSTEM, name="Nieuw Iemand", reserve=True)
    assert bye.pk != reserve.pk
    reseating.replace_player(event_id=event.pk, old=gone.number, new=reserve.number, actor=SYSTEM)
    assert sheet_at(round_).seats["N"] == reserve.pk
    sheet = sign(enter(sheet_at(round_), 48, 48))
    row = next(
        r for r in compute(event.stages.get(order=1)).rows if r.entrant.number == reserve.number
    )
    assert row.games == 1


@pytest.mark.guide("director#after-the-publication")
def test_publishing_the_same_draw_again_names_the_measures_that_fell(
    client: Client, hall: tuple[Event, Round]
) -> None:
    event, round_ = hall
    late = rule(event, round_, "T-LATE", {"offender": "N", "minutes": 8})
    rule(event, round_, "T-COMM", {"offender": "S"})
    taken_back = rule(event, round_, "T-LATE", {"offender": "E", "minutes": 8}, table=2)
    publication.unpublish(round_id=round_.pk, actor=SYSTEM, reason="a late pair")
    rulings.annul(ruling_id=taken_back.pk, actor=REFEREE, reason="the train")
    draft = Draw.objects.get(round=round_, state="candidate")
    with pytest.raises(Conflict, match=f"measure of ruling {late.number} fell") as refused:
        publication.publish_draw(draw_id=draft.pk, actor=SYSTEM)
    assert refused.value.code == "measures_fell"
    client.force_login(make_user("director", event, Role.DIRECTOR))
    page = client.get(f"/desk/{event.slug}/draws/{draft.pk}/", headers={"accept-language": "en"})
    told = f"Rulings whose measure fell when the draw was unpublished: {late.number}"
    assert told in page.content.decode()
    publication.publish_draw(draw_id=draft.pk, actor=SYSTEM, despite="The referee rules again.")
    draft.refresh_from_db()
    assert draft.despite["changed"] == {"measures_fell": []}, "the public proof names no offender"
    assert any(line.optimal for line in lines_of(draft)), "the draw itself is what it was"
    # A new draw has nothing to do with what fell before it.
    publication.unpublish(round_id=round_.pk, actor=SYSTEM, reason="another pair")
    draws.discard_draw(draw_id=draft.pk, actor=SYSTEM)
    round_.refresh_from_db()
    draw_and_publish(round_, SYSTEM)
