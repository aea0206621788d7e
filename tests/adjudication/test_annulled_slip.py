"""The slip of an annulled ruling is marked across the page and shows no marks as due.

Rules specification C.8, “Who may”: “The slip of an annulled or overturned ruling says so across it,
with date, person and reason, and shows no marks as due.”
"""

from __future__ import annotations

import copy
import io
import re

import pytest
from django.test import Client
from django.urls import reverse
from pypdf import PdfReader

from accounts.models import User
from adjudication.models import Ruling
from adjudication.services import appeals, rulings
from ledger.actors import Actor
from tests.adjudication.build import SYSTEM, enter, event_in_play, hear, ruled_revoke, sheet_at
from tests.moment import later
from tests.tournament.build import make_user
from tournament.models import Event
from tournament.models.tables import Sheet
from tournament.tables.links import table_token

pytestmark = pytest.mark.django_db

TAKEN_BACK = {
    "en": ("ANNULLED", "No points are due under this ruling."),
    "fr": ("ANNULÉE", "Aucun point n’est dû en vertu de cette décision."),
    "nl": ("VERNIETIGD", "Volgens deze uitspraak zijn er geen punten verschuldigd."),
}


@pytest.fixture(scope="module")
def built(module_database: None) -> tuple[Event, Sheet, Ruling, User]:
    """Rule on a revoke by North at table 1, and create a referee account."""
    event, round_ = event_in_play(deals=4)
    sheet = enter(sheet_at(round_), 40)
    referee = make_user("claire", event, "chief_referee")
    return event, sheet, ruled_revoke(event, round_), referee


@pytest.fixture
def ruled(
    built: tuple[Event, Sheet, Ruling, User], client: Client
) -> tuple[Event, Sheet, Ruling, User]:
    own = copy.deepcopy(built)
    client.force_login(own[3])
    return own


def slip(client: Client, event: Event, language: str) -> str:
    """Return the text of the slip as printed in ``language``."""
    return printed(client, reverse("referee-slip", args=[event.slug, 1]), language)


def printed(client: Client, address: str, language: str) -> str:
    """Return the text of the document at ``address``."""
    client.cookies["django_language"] = language
    answer = client.get(address)
    pages = PdfReader(io.BytesIO(answer.content)).pages
    return " ".join(" ".join(page.extract_text() for page in pages).split())


@pytest.mark.guide("referee#papers-and-damaged-rulings")
@pytest.mark.parametrize("language", ["en", "fr", "nl"])
def test_the_slip_of_an_annulled_ruling_says_so_and_orders_nothing(
    client: Client, ruled: tuple[Event, Sheet, Ruling, User], language: str
) -> None:
    event, _sheet, ruling, referee = ruled
    assert "+34" in slip(client, event, language)
    rulings.annul(ruling_id=ruling.pk, actor=Actor.user(referee.pk), reason="West held no heart.")
    text = slip(client, event, language)
    across, nothing = TAKEN_BACK[language]
    assert across in text
    assert nothing in text
    assert "claire" in text
    assert "West held no heart." in text
    assert f"{ruling.versions.latest('number').made_at:%Y}" in text
    assert "+34" not in text


def test_a_ruling_overturned_on_appeal_says_so(
    client: Client, ruled: tuple[Event, Sheet, Ruling, User]
) -> None:
    event, _sheet, ruling, referee = ruled
    lodged = appeals.lodge(ruling_id=ruling.pk, side="NS", grounds="no", actor=SYSTEM)
    hear(
        appeal_id=lodged.pk,
        outcome="overturned",
        decision="The record is clear.",
        actor=Actor.user(referee.pk),
    )
    text = slip(client, event, "en")
    assert "OVERTURNED ON APPEAL" in text
    assert "The record is clear." in text
    assert "+34" not in text


@pytest.mark.guide("referee#the-life-of-a-ruling")
def test_a_ruling_upheld_on_appeal_keeps_its_reason_and_its_time(
    client: Client, ruled: tuple[Event, Sheet, Ruling, User]
) -> None:
    event, sheet, _ruling, referee = ruled
    with later(minutes=-20):
        ruling = ruled_revoke(event, sheet.table.round, reason="Both partners saw it.")
    address = reverse("referee-slip", args=[event.slug, ruling.number])
    before = printed(client, address, "en")
    lodged = appeals.lodge(ruling_id=ruling.pk, side="NS", grounds="no", actor=SYSTEM)
    hear(
        appeal_id=lodged.pk,
        outcome="upheld",
        decision="The record is clear.",
        actor=Actor.user(referee.pk),
    )
    text = printed(client, address, "en")
    assert "Both partners saw it." in text
    assert text.count("The record is clear.") == 1
    issued = re.search(r"Issued (.*? Referee)", before)
    assert issued is not None
    assert issued[1] in text
    page = client.get(reverse("event-rulings", args=[event.slug])).content.decode()
    assert "Both partners saw it." in page


def test_the_pages_of_the_ruling_order_nothing_either(
    client: Client, ruled: tuple[Event, Sheet, Ruling, User]
) -> None:
    event, sheet, ruling, referee = ruled
    of_table = [
        reverse("table-ruling", args=[table_token(sheet.table), ruling.pk]),
        reverse("table", args=[table_token(sheet.table)]),
    ]
    of_public = reverse("event-rulings", args=[event.slug])
    for page in [*of_table, of_public]:
        assert "E-W +34" in client.get(page).content.decode()
    rulings.annul(ruling_id=ruling.pk, actor=Actor.user(referee.pk), reason="West held no heart.")
    for page in of_table:
        text = client.get(page).content.decode()
        assert "no points are due" in text
        assert "+34" not in text
        assert "West held no heart." in text
    text = client.get(of_public).content.decode()
    assert "+34" not in text
    assert "West held no heart." not in text
