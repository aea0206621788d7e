"""The book of results: the numbers of a stage as in the standings, each with a link to its sheet."""

from __future__ import annotations

import re

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts.models import Role
from tests.markup import markup
from tests.tournament.build import SYSTEM, make_event, make_user
from tests.tournament.desk import agree
from tests.tournament.results import copy_slip
from tests.tournament.test_stages import event_of, publish_next, settle
from tournament import exports
from tournament.models import Event
from tournament.models.tables import Sheet
from tournament.queries import standings
from tournament.queries.book import book_of
from tournament.queries.names import directory
from tournament.services import reseating, rounds
from tournament.services.adjustments import Amount, adjust

pytestmark = pytest.mark.django_db


@pytest.fixture
def event() -> Event:
    """Play a Swiss of seven pairs: a bye, a walk-over, a ruling, a second round with one table open."""
    event = event_of(7, "pairs_swiss", rounds=3)
    first = publish_next(event)
    walk_over, *others = Sheet.objects.filter(table__round=first.round).order_by("table__number")
    seat = walk_over.table.seats.get(position="NS")
    reseating.decide_match(
        round_id=first.round_id,
        table=walk_over.table.number,
        winner=seat.entrant.number,
        reason="absent",
        actor=SYSTEM,
    )
    for sheet in others:
        copy_slip(sheet, {"NS": 20, "EW": 8})
    adjust(
        stage_id=event.stages.get().pk,
        source="test:1",
        amounts=[Amount(event.entrants.get(number=2).pk, marks=-3)],
        reason="a ruling",
        actor=SYSTEM,
        round_id=first.round_id,
    )
    rounds.close_round(round_id=first.round_id, actor=SYSTEM)
    second = publish_next(event)
    for sheet in Sheet.objects.filter(table__round=second.round).order_by("table__number")[1:]:
        copy_slip(sheet, {"NS": 5, "EW": 11})
    return event


def staff(client: Client, event: Event, role: str = Role.DIRECTOR) -> str:
    client.force_login(make_user(role, event, role))
    client.cookies["django_language"] = "en"
    return f"/desk/{event.slug}/book/"


def test_every_number_of_the_book_is_the_one_that_the_standings_count(event: Event) -> None:
    stage = event.stages.get()
    rows = {row["number"]: row for row in standings.recompute(stage_id=stage.pk, force=True).rows}
    book = book_of(stage)
    assert [head.closed for head in book.rounds] == [True, False]
    assert (book.rounds[1].signed, book.rounds[1].all) == (2, 3)
    for row in book.people:
        looks = [cell.look if cell else "" for cell in row.cells]
        byes = sum(cell is not None and cell.table is None for cell in row.cells)
        counted = rows[row.person.number]
        assert looks.count("won") + byes == counted["won"]
        assert looks.count("lost") == counted["lost"]
    by_number = {row.person.number: row for row in book.people}
    assert by_number[2].cells[0] is not None
    assert by_number[2].cells[0].ruled == "§−3 § decided"
    texts = [cell.text for row in book.people for cell in row.cells if cell]
    assert {"20–8", "8–20", "5–11", "11–5", "…"} <= set(texts)
    assert texts.count("walk-over") == texts.count("forfeit") == 1


def test_tables_and_entrants_show_the_same_numbers(event: Event) -> None:
    stage = event.stages.get()
    by_person = {
        (row.person.number, at): cell
        for row in book_of(stage).people
        for at, cell in enumerate(row.cells)
        if cell and cell.table
    }
    by_table = {
        (who.number, at): cell
        for row in book_of(stage, by_table=True).tables
        for at, table in enumerate(row.cells)
        if table
        for who, cell in table.people
    }
    assert by_person == by_table


@pytest.mark.guide("director#after-the-publication")
@pytest.mark.parametrize("by", ["player", "table"])
def test_every_cell_leads_to_its_sheet_and_is_found(client: Client, event: Event, by: str) -> None:
    page = markup(client.get(staff(client, event), {"by": by}))
    assert "Book of results" in page
    cells = set(re.findall(r'href="(/desk/[^"]+/room/[0-9a-f-]{36}/\d+/)"', page))
    assert len(cells) == 6
    for each in cells:
        assert "/sheet/" in client.get(each).content.decode()
    name = event.entrants.select_related("person").get(number=3).person.name
    found = markup(client.get(f"/desk/{event.slug}/book/", {"by": by, "find": "3"}))
    assert name in found
    assert ('id="p-4"' in found) is False
    assert "Nobody found" in markup(
        client.get(f"/desk/{event.slug}/book/", {"by": by, "find": "zzzzzz"})
    )


@pytest.mark.guide("director#after-the-publication")
def test_a_cell_opens_beside_the_grid_with_its_sheet(client: Client, event: Event) -> None:
    book = f"{staff(client, event)}1/"
    sheet = Sheet.objects.filter(table__round__number=1, state="official").first()
    assert sheet is not None
    cell = f"1-{sheet.table.number}"
    alone = markup(client.get(book, {"cell": cell, "part": "cell"}))
    assert f"Table {sheet.table.number}" in alone
    assert f'href="/sheet/{sheet.pk}/"' in alone
    assert 'class="score"' in alone
    assert "Book of results" not in alone
    whole = markup(client.get(book, {"cell": cell}))
    assert f'href="/sheet/{sheet.pk}/"' in whole
    assert f'data-cell="{cell}" aria-current="true"' in whole
    own = markup(
        client.get(f"/desk/{event.slug}/room/{sheet.table.round_id}/{sheet.table.number}/")
    )
    assert 'class="score"' in own
    for unknown in ("9-1", "1-99", "1", "x-y"):
        assert client.get(book, {"cell": unknown, "part": "cell"}).status_code == 404
        assert "data-cells" in markup(client.get(book, {"cell": unknown}))


@pytest.mark.parametrize("where", ["", "room/", "rounds/"])
def test_staff_reach_the_book_from_where_they_see_numbers(
    client: Client, event: Event, where: str
) -> None:
    book = staff(client, event)
    assert book in markup(client.get(f"/desk/{event.slug}/{where}"))
    public = f"/e/{event.slug}/standings/"
    assert f"{book}1/" in markup(client.get(public))
    first = event.stages.get().rounds.get(number=1)
    cell = markup(client.get(f"/desk/{event.slug}/room/{first.pk}/1/"))
    assert book in cell
    assert "Reopen the round" in cell
    client.logout()
    assert book not in markup(client.get(public))


@pytest.mark.guide("director#after-the-publication")
def test_numbers_lead_staff_to_their_line_and_nobody_else(client: Client, event: Event) -> None:
    book = staff(client, event)
    public = f"/e/{event.slug}/standings/"
    lines = set(re.findall(rf'href="{book}1/\?find=(\d+)"', markup(client.get(public))))
    assert lines == {str(number) for number in range(1, 8)}
    log = markup(client.get(f"/desk/{event.slug}/log/"))
    sheet = Sheet.objects.filter(table__round__number=2, state="official").first()
    assert sheet is not None
    assert f'href="/sheet/{sheet.pk}/"' in log
    assert f'href="/desk/{event.slug}/room/{sheet.table.round_id}/"' in log
    assert f'href="/sheet/{sheet.pk}/"' in markup(
        client.get(f"/desk/{event.slug}/room/players/{seated(sheet)}/")
    )
    client.logout()
    assert "/desk/" not in markup(client.get(public))


def seated(sheet: Sheet) -> int:
    return sheet.table.seats.select_related("entrant")[0].entrant.number


@pytest.mark.guide("director#after-the-publication")
def test_matches_of_a_bracket_lead_staff_to_their_table(client: Client) -> None:
    event = event_of(4, "ko", rounds=2)
    first = publish_next(event)
    settle(first)
    staff(client, event)
    public = f"/e/{event.slug}/standings/"
    tables = {f"/desk/{event.slug}/room/{first.round_id}/{n}/" for n in (1, 2)}
    page = markup(client.get(public))
    assert all(f'href="{table}"' in page for table in tables)
    client.logout()
    assert "/desk/" not in markup(client.get(public))


def test_the_book_is_for_those_who_watch_the_hall(client: Client, event: Event) -> None:
    assert client.get(f"/desk/{event.slug}/book/").status_code == 302
    other = make_event(4, name="Elders")
    client.force_login(make_user("other", other, Role.DIRECTOR))
    assert client.get(f"/desk/{event.slug}/book/").status_code == 403


def test_a_book_without_rounds_says_so(client: Client) -> None:
    event = event_of(8, "pairs_swiss")
    assert "No round is published yet." in markup(client.get(staff(client, event)))
    assert "No round is published yet." in markup(client.get(f"/desk/{event.slug}/book/1/"))
    assert client.get(f"/desk/{event.slug}/book/7/").status_code == 404


@pytest.mark.parametrize("by", ["player", "table"])
def test_a_book_takes_as_many_queries_whatever_its_size(client: Client, by: str) -> None:
    counts = []
    for players in (8, 24):
        event = event_of(players, "individual_draw", rounds=2)
        for _round in range(2):
            settle(publish_next(event))
        stage = event.stages.select_related("event").get()
        first = book_of(stage)
        with CaptureQueriesContext(connection) as read:
            again = book_of(stage, by_table=by == "table")
        assert [head.all for head in first.rounds] == [head.all for head in again.rounds]
        counts.append(len(read))
    assert counts[0] == counts[1] <= 12


@pytest.mark.guide("director#after-the-publication")
def test_a_game_is_played_again_from_its_cell_after_what_falls_with_it(
    client: Client, event: Event
) -> None:
    staff(client, event)
    signed = Sheet.objects.filter(table__round__number=2, state="official").first()
    earlier = Sheet.objects.filter(table__round__number=1, state="official").first()
    decided = Sheet.objects.get(table__round__number=1, table__decided_for__isnull=False)
    assert signed is not None
    assert earlier is not None
    cell = f"/desk/{event.slug}/room/{signed.table.round_id}/{signed.table.number}/"
    address = f"/desk/{event.slug}/replay/{signed.pk}/"
    assert f'href="{address}"' in client.get(cell).content.decode()
    asked = client.get(address)
    falls = {each.code: each.fate for each in asked.context["falls"]}
    assert (falls["deals"], falls["results"]) == ("falls", "falls")
    assert not asked.context["stopped"]
    assert agree(client, address, {"reason": "wrong partners"})["Location"] == cell
    signed.refresh_from_db()
    assert (signed.state, signed.finished) == ("open", False)
    book = book_of(event.stages.get())
    assert book.rounds[1].signed == 1
    # A closed round is reopened first; a decision is taken back first.
    for other, stops in ((earlier, {"closed"}), (decided, {"closed", "decisions"})):
        page = client.get(f"/desk/{event.slug}/replay/{other.pk}/")
        found = {each.code for each in page.context["falls"] if each.fate == "stops"}
        assert found == stops
        agree(client, f"/desk/{event.slug}/replay/{other.pk}/", {"reason": "why"})
        state = other.state
        other.refresh_from_db()
        assert other.state == state


@pytest.mark.guide("director#after-the-publication")
def test_a_forfeit_is_named_in_every_row_of_its_table_with_the_score_that_it_took(
    client: Client,
) -> None:
    """Book, report and file give the same scores: played, and not counted for who forfeited."""
    event = event_of(4, "pairs_swiss", rounds=1)
    drawn = publish_next(event)
    for sheet in Sheet.objects.filter(table__round=drawn.round):
        copy_slip(sheet, {"NS": 20, "EW": 8})
    table = drawn.round.tables.get(number=1)
    gone, other = (table.seats.get(position=side).entrant for side in ("NS", "EW"))
    adjust(
        stage_id=event.stages.get().pk,
        source="ruling:1",
        reason="T-ABS",
        actor=SYSTEM,
        round_id=drawn.round_id,
        amounts=[Amount(gone.pk, penalties=1, forfeited=True)],
    )
    client.cookies["django_language"] = "en"
    cells = {row.person.number: row.cells[0] for row in book_of(event.stages.get()).people}
    lost, won = cells[gone.number], cells[other.number]
    assert lost is not None
    assert won is not None
    assert (lost.text, lost.look) == ("forfeit (20–8)", "lost")
    assert (won.text, won.ruled) == ("8–20", f"§ forfeit: {gone.number}")
    shown = book_of(event.stages.get(), by_table=True).tables[0].cells[0]
    assert shown is not None
    assert shown.state == f"forfeit: {directory(event)[gone.pk].name}"
    exported = exports.results(event, public=False)
    rows = [dict(zip(exported.columns, row, strict=True)) for row in exported.rows]
    marks = {row["numbers"]: (row["marks"], row["against"]) for row in rows if row["table"] == 1}
    assert marks == {str(gone.number): (0, 0), str(other.number): (8, 20)}
    counted = {
        row["number"]: row for row in standings.recompute(stage_id=event.stages.get().pk).rows
    }
    net = counted[other.number]["values"]
    assert -12 in net
