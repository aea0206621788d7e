"""No export contains a cell that a spreadsheet would calculate (CWE-1236), whatever a name begins with."""

from __future__ import annotations

import csv
import io

import openpyxl
import pytest
from django.test import Client

from accounts.models import Role
from accounts.roles import CAPABILITIES
from tests.security.hall import Hall, call_names
from tests.tournament.build import SYSTEM
from tools.permissions_page import routes
from tournament import exports
from tournament.services.bans_and_wishes import wish
from tournament.services.entrant_edits import correct_entrant
from tournament.services.events import update_event

pytestmark = pytest.mark.django_db
EVIL = ("=cmd|'/c calc'!A0", "+1+A1", "-1+A1", "=SUM(A1)", "\t=A1", "\r=A1")
CALCULATED = ("=", "+", "-", "@", "\t", "\r")


def is_number(cell: str) -> bool:
    return cell.lstrip("-").replace("/", "").replace(".", "").isdigit()


@pytest.mark.guide("security#security")
def test_every_download_of_a_table_is_safe(hall: Hall, client: Client) -> None:
    call_names(hall.event, EVIL)
    hall.event.refresh_from_db()
    client.force_login(hall.staff[Role.ADMIN])
    slug = hall.event.slug
    for kind in exports.KINDS:
        file = client.get(f"/desk/{slug}/export/{kind}.csv").content.decode("utf-8-sig")
        for row in csv.reader(io.StringIO(file, newline="")):
            wrong = [cell for cell in row if cell.startswith(CALCULATED) and not is_number(cell)]
            assert wrong == [], kind
        book = openpyxl.load_workbook(
            io.BytesIO(client.get(f"/desk/{slug}/export/{kind}.xlsx").content)
        )
        types = {cell.data_type for sheet in book for row in sheet.iter_rows() for cell in row}
        assert "f" not in types, kind
    update_event(event_id=hall.event.pk, actor=SYSTEM, changes={"name": "=1+A1"})
    for address in (f"/referee/{slug}/report.csv", "/referees/season.csv"):
        report = client.get(address).content.decode("utf-8-sig")
        for row in csv.reader(io.StringIO(report, newline=""), delimiter=";"):
            assert [c for c in row if c.startswith(CALCULATED) and not is_number(c)] == []


@pytest.mark.guide("security#security")
def test_addresses_and_families_are_for_who_may_manage_players(hall: Hall, client: Client) -> None:
    entrant = hall.event.entrants.get(number=1)
    correct_entrant(
        entrant_id=hall.event.entrants.get(number=1).pk,
        actor=SYSTEM,
        changes={"email": "lut@example.be", "phone": "0470 12 34 56", "category": "Dames"},
    )
    wish(event_id=hall.event.pk, number=1, actor=SYSTEM, family="Maes-Kin")
    given = set()
    for role, user in hall.staff.items():
        client.force_login(user)
        for form in ("csv", "json", "xlsx"):
            answer = client.get(f"/desk/{hall.event.slug}/export/players.{form}")
            assert answer.status_code == 200, (role, form)
            text = answer.content.decode("utf-8-sig") if form != "xlsx" else cells(answer.content)
            assert entrant.person.name in text
            if any(word in text for word in ("lut@example.be", "0470 12", "Dames", "Maes-Kin")):
                given.add(role)
    assert given == {role for role in hall.staff if role in CAPABILITIES["entrants.manage"]}
    assert given < set(hall.staff)


def cells(workbook: bytes) -> str:
    """Return the texts of a workbook, one after another."""
    book = openpyxl.load_workbook(io.BytesIO(workbook))
    return " ".join(str(cell.value) for sheet in book for row in sheet.iter_rows() for cell in row)


@pytest.mark.guide("security#security")
def test_no_other_route_gives_out_a_table() -> None:
    """A new route that exports must be added above."""
    tables = {route.pattern for route in routes() if route.pattern.endswith((".csv", ".xlsx"))}
    formats = {route.pattern for route in routes() if "<slug:format>" in route.pattern}
    assert tables == {"referee/<slug:slug>/report.csv", "referees/season.csv"}
    assert formats == {"desk/<slug:slug>/export/<slug:kind>.<slug:format>"}
