"""Typed text remains text on paper and in calendars: no markup, no link, no line break."""

from __future__ import annotations

import io
import re

import pytest
from django.test import Client
from pypdf import PdfReader
from pypdf.generic import ArrayObject, DictionaryObject

from ledger.change import change
from tests.security.hall import call_names
from tests.tournament.build import SYSTEM
from tests.tournament.documents.reading import whole_text
from tests.tournament.test_exports_and_archive import played, printed
from tournament.models import Event
from tournament.services.events import update_event

pytestmark = pytest.mark.django_db
EVIL = (
    '<a href="javascript:alert(1)">Jef</a>',
    '<img src="http://evil.example/x.png"/>',
    "<b>Mia</b> & <i>Jan",
    "</para><para>Piet",
    ") Tj ET (Tom",
    "%%EOF endobj",
    "=1+LEN(1)",
    "A\r\nBEGIN:VALARM\x1b\x07",
    "\u202eeman;,\\n",
)
ACTIVE = {"/JavaScript", "/JS", "/Launch", "/OpenAction", "/AA", "/EmbeddedFiles", "/SubmitForm"}


def parts(value: object, seen: set[int]) -> list[str]:
    """Return every key and every kind of action anywhere in a document."""
    value = value.get_object() if hasattr(value, "get_object") else value
    if id(value) in seen:
        return []
    seen.add(id(value))
    if isinstance(value, DictionaryObject):
        found = [*map(str, value), str(value.get("/S", ""))]
        return found + [each for key in value for each in parts(value.raw_get(key), seen)]
    if isinstance(value, ArrayObject):
        return [each for item in value for each in parts(item, seen)]
    return []


@pytest.fixture(scope="module")
def built(module_database: None) -> Event:
    """Create an event whose names and texts are all injection attempts."""
    event = played(rounds=1, players=12)
    call_names(event, EVIL)
    update_event(event_id=event.pk, actor=SYSTEM, changes={"name": EVIL[0][:40], "place": EVIL[7]})
    return event


@pytest.fixture
def nasty(built: Event, db: None) -> Event:
    return Event.objects.get(pk=built.pk)


@pytest.mark.guide("security#security")
def test_no_document_runs_or_draws_what_somebody_is_called(nasty: Event) -> None:
    for kind in ("standings", "draw-by-name", "draw-by-table", "event-report"):
        content = bytes(printed(nasty, kind, "en").content)
        there = set(parts(PdfReader(io.BytesIO(content)).trailer, set()))
        assert there & ACTIVE == set(), kind
        assert b"evil.example" not in content
        text = whole_text(content)
        # Shown as typed, with none of it taken for markup.
        if kind != "event-report":
            for sign in ("<b>Mia</b> &", "%%EOF", ") Tj ET (Tom"):
                assert sign in text, (kind, sign)


@pytest.mark.guide("security#security")
def test_a_calendar_has_no_line_that_somebody_typed(nasty: Event, client: Client) -> None:
    event = nasty
    name = "Cup\r\nBEGIN:VALARM\r\nATTACH:http://evil.example\n\x1b;,\\"
    # The pages accept no name of several lines, but the database would.
    event.name, event.place = name, EVIL[7]
    with change():
        event.save()
    content = client.get(f"/e/{event.slug}/calendar.ics").content.decode()
    assert "\n" not in content.replace("\r\n", "")
    assert "\r" not in content.replace("\r\n", "")
    lines = re.sub(r"\r\n[ \t]", "", content).split("\r\n")
    known = (
        "BEGIN:VCALENDAR|VERSION|PRODID|METHOD|X-WR-CALNAME|BEGIN:VEVENT|UID|DTSTAMP|DTSTART|DTEND|SUMMARY"
        "|LOCATION|URL|TRANSP|END:VEVENT|END:VCALENDAR"
    )
    assert [line for line in lines if line and not re.match(rf"({known})\b", line)] == []
    assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f]", content.replace("\r\n", ""))
    (said,) = {line for line in lines if line.startswith("X-WR-CALNAME:")}
    assert "\\nBEGIN:VALARM\\n" in said
    assert said.endswith("\\;\\,\\\\")
    assert lines.count("BEGIN:VEVENT") == lines.count("END:VEVENT")
