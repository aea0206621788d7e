"""A match decided by the director has one winner: no result is written besides the decision."""

from __future__ import annotations

import re
import uuid
from collections.abc import Callable
from typing import Any, Final

import pytest
from django.db import IntegrityError
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.models import Role
from ledger.actors import Actor
from ledger.change import change
from ledger.errors import Conflict, Refused
from operations.replay import replay
from tests.markup import markup
from tests.tables.build import simple, token
from tests.tournament.build import SYSTEM, make_user
from tests.tournament.desk import agree
from tests.tournament.recount import seated
from tests.tournament.results import copy_slip
from tests.tournament.test_stages import event_of, publish_next, settle
from tournament import exports
from tournament.models import Draw, Event, Table
from tournament.models.tables import OfficialResult, Sheet
from tournament.queries import standings
from tournament.queries.pages import standings_of
from tournament.services import archive, reseating, rounds, sheets, signatures, tables

pytestmark = pytest.mark.django_db
PHONE: Final = Actor.device(uuid.UUID(int=5))


@pytest.fixture
def walk_over() -> tuple[Event, Draw, Sheet]:
    """Create a knock-out of four in its first round, with number 1's match decided for the pair that came."""
    event = event_of(4, "ko", rounds=1, drawing={"seeds": 4})
    first = publish_next(event)
    table = Table.objects.get(round=first.round, seats__entrant__number=1)
    other = table.seats.exclude(entrant__number=1).get().entrant.number
    reseating.decide_match(
        round_id=first.round_id, table=table.number, winner=other, reason="absent", actor=SYSTEM
    )
    return event, first, table.sheets.get()


def test_the_standings_mark_both_sides_of_a_decided_match(
    walk_over: tuple[Event, Draw, Sheet],
) -> None:
    event, _draw, sheet = walk_over
    marked = {row.number for row in standings_of(event.stages.get()).rows if row.adjusted}
    assert marked == {seat.entrant.number for seat in sheet.table.seats.all()}


WRITES: dict[str, Callable[[Sheet], Any]] = {
    "paper": lambda sheet: copy_slip(sheet, {"NS": 20, "EW": 10}),
    "staff": lambda sheet: sheets.enter_deal(sheet_id=sheet.pk, entry=simple(40), actor=SYSTEM),
    "phone": lambda sheet: sheets.hand_in(
        sheet_id=sheet.pk, entry=simple(40), actor=PHONE, key="1"
    ),
    "bell": lambda sheet: sheets.end_by_bell(sheet_id=sheet.pk, actor=SYSTEM),
    "sign": lambda sheet: signatures.sign(
        sheet_id=sheet.pk, side="NS", version=sheet.version, actor=SYSTEM
    ),
    "confirm": lambda sheet: signatures.confirm(
        sheet_id=sheet.pk, version=sheet.version, actor=SYSTEM, reason="as it stands"
    ),
}


@pytest.mark.guide("director#after-the-publication")
@pytest.mark.parametrize("way", sorted(WRITES))
def test_nothing_is_written_at_a_decided_match(
    walk_over: tuple[Event, Draw, Sheet], way: str
) -> None:
    _event, _first, sheet = walk_over
    if way == "phone":
        tables.take_writing(table_id=sheet.table_id, actor=PHONE)
    with pytest.raises((Refused, sheets.GameRefused)) as refusal:
        WRITES[way](sheet)
    refused = getattr(refusal.value, "refusal", refusal.value)
    assert (refused.code, refused.status) == ("match_decided", 409)
    assert not sheet.results.exists()
    assert not sheet.deals.exists()


def test_phone_staff_and_program_are_told_that_the_match_is_decided(
    client: Client, walk_over: tuple[Event, Draw, Sheet]
) -> None:
    event, _first, sheet = walk_over
    page = reverse("table", args=[token(sheet)])
    told = markup(client.get(page, headers={"accept-language": "en"}))
    assert "The director has decided this match:" in told
    assert "data-deal-form" not in told
    deal = {"verb": "deal", "trump": "H", "side": "NS", "points": "40", "key": "k", "number": "1"}
    answer = client.post(reverse("table-send", args=[token(sheet)]), deal)
    assert (answer.status_code, answer.json()["code"]) == (409, "match_decided")
    client.force_login(make_user("director", event, Role.DIRECTOR))
    staff = client.get(reverse("staff-sheet", args=[sheet.pk]), headers={"accept-language": "en"})
    assert "take the decision back first" in markup(staff)
    assert 'value="deal"' not in markup(staff)
    by_program = client.post(
        f"/api/v1/sheets/{sheet.pk}/deals/",
        {"entry": simple(40)},
        content_type="application/json",
    )
    assert (by_program.status_code, by_program.json()["code"]) == (409, "match_decided")


@pytest.mark.guide("director#after-the-publication")
def test_the_chain_of_slips_passes_over_a_decided_table_and_says_so(
    client: Client, walk_over: tuple[Event, Draw, Sheet]
) -> None:
    event, first, sheet = walk_over
    client.force_login(make_user("director", event, Role.DIRECTOR))
    client.cookies["django_language"] = "en"
    other = Sheet.objects.exclude(pk=sheet.pk).get(table__round=first.round)
    desk = markup(client.get(f"/desk/{event.slug}/"))
    assert reverse("staff-paper", args=[other.pk]) in desk
    assert reverse("staff-paper", args=[sheet.pk]) not in desk
    slip = markup(client.get(reverse("staff-paper", args=[other.pk])))
    assert f"without a slip: table {sheet.table.number}." in slip
    assert reverse("staff-paper", args=[sheet.pk]) not in slip
    own = markup(client.get(reverse("staff-paper", args=[sheet.pk])))
    assert "The director has decided this match:" in own
    assert "data-paper" not in own
    # A form opened before the decision.
    posted = {"g1-version": "0", "g1-points-NS": "20", "g1-points-EW": "90", "g1-bell": "1"}
    late = client.post(reverse("staff-paper", args=[sheet.pk]), {**posted, "reason": "slip"})
    assert late.status_code == 409
    assert "take" in markup(late)
    assert not sheet.results.exists()


def test_no_page_calls_a_decided_match_open(
    client: Client, walk_over: tuple[Event, Draw, Sheet]
) -> None:
    event, first, sheet = walk_over
    client.force_login(make_user("director", event, Role.DIRECTOR))
    client.cookies["django_language"] = "en"
    games = markup(client.get(f"/desk/{event.slug}/room/players/1/"))
    assert "Match lost by the director’s decision:" in games
    assert "absent" in games
    bracket = markup(client.get(f"/e/{event.slug}/standings/1/"))
    own, other = (
        reverse("desk-round-table", args=[event.slug, first.round_id, number])
        for number in sorted((1, 2), key=lambda number: number != sheet.table.number)
    )
    said = {url: re.findall(rf'href="{url}">\s*(\S+)\s*</a>', bracket) for url in (own, other)}
    assert said == {own: ["–", "–"], other: ["…", "…"]}


@pytest.mark.guide("director#after-the-publication")
def test_a_decision_taken_back_lets_the_match_be_recorded(
    client: Client, walk_over: tuple[Event, Draw, Sheet]
) -> None:
    event, first, sheet = walk_over
    client.force_login(make_user("director", event, Role.DIRECTOR))
    client.cookies["django_language"] = "en"
    page = f"/desk/{event.slug}/draws/{first.pk}/"
    asked = {"act": "undecide", "table": sheet.table.number, "reason": "they came"}
    assert "Take the decision back" in markup(client.get(page))
    agree(client, page, {**asked, "reason": " "})
    sheet.table.refresh_from_db()
    assert sheet.table.decided_for_id is not None
    agree(client, page, asked)
    sheet.table.refresh_from_db()
    assert (sheet.table.decided_for, sheet.table.decided_reason) == (None, "")
    copy_slip(sheet, {"NS": 20, "EW": 10})
    assert sheet.results.get(current=True).result["winner"] == "NS"
    event.refresh_from_db()
    assert replay(event).differences == []


def test_a_decision_is_taken_back_by_a_program_too(
    client: Client, walk_over: tuple[Event, Draw, Sheet]
) -> None:
    event, first, sheet = walk_over
    client.force_login(make_user("director", event, Role.DIRECTOR))
    asked = {"table": sheet.table.number, "reason": "they came"}
    at = f"/api/v1/rounds/{first.round_id}/undecide/"
    assert client.post(at, asked, content_type="application/json").status_code == 200
    sheet.table.refresh_from_db()
    assert sheet.table.decided_for_id is None


def test_a_round_closed_with_a_decision_is_reopened_first(
    walk_over: tuple[Event, Draw, Sheet],
) -> None:
    _event, first, sheet = walk_over
    other = Sheet.objects.exclude(pk=sheet.pk).get(table__round=first.round)
    copy_slip(other, {"NS": 20, "EW": 10})
    rounds.close_round(round_id=first.round_id, actor=SYSTEM)
    back = {"round_id": first.round_id, "table": sheet.table.number, "actor": SYSTEM}
    with pytest.raises(Conflict) as refusal:
        reseating.withdraw_decision(**back, reason="they came")
    assert refusal.value.code == "closed_by_decision"
    rounds.reopen_round(round_id=first.round_id, actor=SYSTEM, reason="they came")
    assert reseating.withdraw_decision(**back, reason="they came").decided_for_id is None


@pytest.mark.guide("director#after-the-publication")
def test_a_match_that_its_games_decided_is_not_decided_for_the_side_that_lost() -> None:
    event = event_of(4, "ko", rounds=1, drawing={"seeds": 4})
    first = publish_next(event)
    sheet = Sheet.objects.get(table__round=first.round, table__number=1)
    copy_slip(sheet, {"NS": 20, "EW": 10})
    lost = sheet.table.seats.get(position="EW").entrant.number
    with pytest.raises(Conflict) as refusal:
        reseating.decide_match(
            round_id=first.round_id, table=1, winner=lost, reason="why", actor=SYSTEM
        )
    assert refusal.value.code == "games_decide"


@pytest.fixture
def overtaken() -> tuple[Event, Draw, int, int]:
    """Correct a semi-final after the draw of the final, then decide it for a finalist.

    Returns the event, the first draw, the number that goes on by the decision, and the number that won by the score.
    """
    event = event_of(4, "ko", rounds=1, drawing={"seeds": 4})
    first = publish_next(event)
    settle(first)
    publish_next(event)
    sheet = Sheet.objects.get(table__round=first.round, table__number=1)
    (plays_on, beaten) = sorted(seat.entrant.number for seat in sheet.table.seats.all())
    winner = sheet.score["winner"]
    for number in (1, 2):
        entry = {**simple(0), "points": {winner: 20}}
        sheets.correct_deal(
            sheet_id=sheet.pk,
            number=number,
            entry=entry,
            actor=SYSTEM,
            reason="turned",
        )
    reseating.decide_match(
        round_id=first.round_id, table=1, winner=plays_on, reason="the draw stands", actor=SYSTEM
    )
    return event, first, plays_on, beaten


def test_where_score_and_decision_differ_the_decision_counts_everywhere(
    client: Client, overtaken: tuple[Event, Draw, int, int]
) -> None:
    event, _first, plays_on, beaten = overtaken
    stage = event.stages.get()
    rows = {row["number"]: row for row in standings.recompute(stage_id=stage.pk, force=True).rows}
    assert (rows[plays_on]["won"], rows[plays_on]["lost"]) == (1, 0)
    assert (rows[beaten]["won"], rows[beaten]["lost"]) == (0, 1)
    assert any(plays_on in pair for pair in seated(stage)[1][0])
    listed = exports.results(event, public=True)
    numbers, outcomes = listed.columns.index("numbers"), listed.columns.index("outcome")
    outcome = {row[numbers]: row[outcomes] for row in listed.rows}
    assert (outcome[str(plays_on)], outcome[str(beaten)]) == ("won", "lost")
    for number, word in ((plays_on, "won"), (beaten, "lost")):
        shown = client.get(f"/e/{event.slug}/players/{number}/", headers={"accept-language": "en"})
        assert f"Match {word} by the director’s decision" in markup(shown)
        assert ("✓ won" in markup(shown)) is (word == "won")
    event.refresh_from_db()
    assert replay(event).differences == []


def test_a_score_beside_a_decision_counted_up_to_the_fourth_edition(
    overtaken: tuple[Event, Draw, int, int],
) -> None:
    event, _first, plays_on, _beaten = overtaken
    stage = event.stages.get()

    def won(edition: int) -> int:
        rows = standings.compute(stage, edition=edition).rows
        return next(row.won for row in rows if row.entrant.number == plays_on)

    assert (won(4), won(5)) == (0, 1)


def test_a_decided_match_is_not_corrected_before_the_decision_is_taken_back(
    overtaken: tuple[Event, Draw, int, int],
) -> None:
    _event, first, _plays_on, _beaten = overtaken
    sheet = Sheet.objects.get(table__round=first.round, table__number=1)
    with pytest.raises(Conflict) as refusal:
        sheets.correct_deal(
            sheet_id=sheet.pk,
            number=1,
            entry=simple(40),
            actor=SYSTEM,
            reason="again",
        )
    assert refusal.value.code == "match_decided"
    # Its score may still be set aside, and then the decision alone counts.
    signatures.reopen(sheet_id=sheet.pk, actor=SYSTEM, reason="a slip of another table")
    assert not sheet.results.filter(current=True).exists()


def test_the_database_takes_no_score_beside_a_decision() -> None:
    event = event_of(4, "ko", drawing={"seeds": 4})
    first = publish_next(event)
    table = first.round.tables.get(number=1)
    sheet = table.sheets.get()
    number = table.seats.order_by("position")[0].entrant.number
    reseating.decide_match(
        round_id=first.round_id, table=1, winner=number, reason="absent", actor=SYSTEM
    )

    def beside() -> None:
        with change():
            OfficialResult.objects.create(
                sheet=sheet,
                number=1,
                sheet_version=1,
                result={},
                made_by="-",
                made_at=timezone.now(),
            )

    with pytest.raises(IntegrityError):
        beside()
    reseating.withdraw_decision(round_id=first.round_id, table=1, reason="came", actor=SYSTEM)
    beside()


def test_a_score_that_was_decided_over_comes_back_from_an_archive(
    overtaken: tuple[Event, Draw, int, int],
) -> None:
    event, first, plays_on, _beaten = overtaken
    assert first.round.tables.get(number=1).decided_at
    again = archive.take_up(file=archive.pack(event.pk), slug="again", copy=True, actor=SYSTEM)
    table = Table.objects.get(round__stage__event=again, round__number=1, number=1)
    assert table.decided_for is not None
    assert table.decided_for.number == plays_on
    assert table.decided_at
