"""From the queue to the preview: the ten commonest faults in five taps each, in five rulebooks.

A referee on a phone, in French and in Dutch. A tap is a tap: nothing is typed, and what the record
knows is filled in. The revoke that the record proves is in the queue without anybody calling. A
disqualification waits for a second person; a ruling that is overturned leaves everything as it was,
and its slip says so.
"""

from __future__ import annotations

import io
from dataclasses import dataclass
from typing import Any

import pytest
from pypdf import PdfReader

from tests.browser.conftest import Service, looking
from tests.browser.test_referee import PASSWORD, shell, sign_in

pytestmark = [pytest.mark.browser, pytest.mark.long]

MOST_TAPS = 5
RULEBOOKS = ("parlee", "boussac", "chaloupee", "coinchee", "muette")
FAULTS = 10

SETTING = (
    f"PASSWORD = {PASSWORD!r}"
    + """
import json
from datetime import timedelta
from django.contrib.auth import get_user_model
from django.utils import timezone
from accounts.models import RoleGrant
from ledger.change import change
from tests.adjudication.build import SYSTEM, event_in_play, revoked_deal, sheet_at
from tournament.models import Round
from tournament.tables.services import sheets, tables
found = {}
user = get_user_model().objects.create_user("arbiter", password=PASSWORD)
others = {
    role: get_user_model().objects.create_user(role, password=PASSWORD)
    for role in ("chief_referee", "director", "appeals")
}
for rulebook in ("parlee", "boussac", "chaloupee", "coinchee", "muette"):
    event, part = event_in_play(rulebook, players=20, deals=4, cut=4, name=rulebook, depth="cards")
    RoleGrant.objects.create(user=user, scope=event.pk, role="referee")
    for role, other in others.items():
        RoleGrant.objects.create(user=other, scope=event.pk, role=role)
    with change():
        Round.objects.filter(pk=part.pk).update(
            state="playing", started_at=timezone.now() - timedelta(minutes=7)
        )
    for number in (1, 2, 4, 5):
        sheet = sheet_at(part, number)
        tables.call_referee(
            table_id=sheet.table_id, sheet_id=sheet.pk, reason="arbitre", actor=SYSTEM
        )
    if rulebook == "parlee":
        sheet = sheet_at(part, 3)
        entry, _seen = revoked_deal(sheet)
        sheets.enter_deal(sheet_id=sheet.pk, entry=entry, actor=SYSTEM)
    found[rulebook] = event.slug
print("RESULT" + json.dumps(found))
"""
)


@pytest.fixture(scope="module")
def slugs(service: Service) -> dict[str, Any]:
    """An event of each rulebook, its round seven minutes old, with four tables that call."""
    return shell(service, SETTING)


@dataclass
class Thumb:
    """Taps on the page, and counts them."""

    page: Any
    taps: int = 0

    def tap(self, locator: Any) -> None:
        """Tap what a thumb can see and hit."""
        locator.scroll_into_view_if_needed()
        box = locator.bounding_box()
        assert box is not None
        assert min(box["width"], box["height"]) >= 40, box
        locator.tap()
        self.taps += 1


def unanswered(form: Any) -> list[str]:
    """The questions of the form that have no answer yet and need one, by their ids."""
    still = form.locator("fieldset.choices:not(details *):not(:has(input:checked))")
    return [
        str(each.get_attribute("id"))
        for each in still.all()
        if not each.locator(".field__optional").count()
    ]


def to_the_preview(page: Any, incident: str, tile: int) -> tuple[str, int]:
    """From an incident that was opened with one tap: its tile, what is asked, the preview."""
    page.goto(incident)
    thumb = Thumb(page, taps=1)
    thumb.tap(page.locator(".tile").nth(tile))
    page.wait_for_url("**article=**")
    form = page.locator("#article form")
    for question in unanswered(form):
        thumb.tap(form.locator(f"#{question} .choice").first)
    thumb.tap(form.locator("button[name=preview]"))
    page.wait_for_url("**preview=1**")
    proposal = page.locator("#proposal")
    proposal.wait_for()
    assert proposal.locator(".spoken__result").inner_text()
    return page.locator("#article h2").inner_text(), thumb.taps


@pytest.mark.parametrize("language", ["fr", "nl"])
@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_ten_faults_in_five_taps_each(
    chromium: Any, service: Service, slugs: dict[str, Any], rulebook: str, language: str
) -> None:
    address = f"{service.url}/referee/{slugs[rulebook]}/"
    with looking(chromium, 360, language, has_touch=True) as page:
        page.context.add_cookies(
            [{"name": "django_language", "value": language, "url": service.url}]
        )
        sign_in(page, service, "arbiter")
        page.goto(address)
        Thumb(page).tap(page.locator(".queue form[action*='/take/'] button").first)
        page.wait_for_url("**/incidents/**")
        incident = page.url
        seen = dict(to_the_preview(page, incident, tile) for tile in range(FAULTS))
        assert len(seen) == FAULTS
        assert max(seen.values()) <= MOST_TAPS, seen


def test_the_revoke_in_the_record_is_in_the_queue(
    chromium: Any, service: Service, slugs: dict[str, Any]
) -> None:
    with looking(chromium, 360, "fr", has_touch=True) as page:
        page.context.add_cookies([{"name": "django_language", "value": "fr", "url": service.url}])
        sign_in(page, service, "arbiter")
        page.goto(f"{service.url}/referee/{slugs['parlee']}/")
        thumb = Thumb(page)
        thumb.tap(page.locator(".links a:has(.chip--disputed)").first)
        page.wait_for_url("**/incidents/**")
        thumb.tap(page.locator("#evidence a.button").first)
        thumb.tap(page.locator("#article button[name=preview]"))
        page.locator("#proposal").wait_for()
        assert thumb.taps <= MOST_TAPS
        assert "34" in page.locator("#proposal .spoken__result").inner_text()
        assert page.locator("#id_reason[required]").count() == 0, "the record proves it"
        page.locator("button[value=issue]").tap()
        page.wait_for_url("**/rulings/**")
        assert "Preuve" in page.locator("main").inner_text()


OVERTURNED = {"fr": "annulée sur recours", "nl": "vernietigd in beroep"}


def go(page: Any, service: Service, name: str, language: str) -> None:
    """Be somebody else on this phone."""
    page.context.clear_cookies()
    page.context.add_cookies([{"name": "django_language", "value": language, "url": service.url}])
    sign_in(page, service, name)


def standings_of(page: Any, service: Service, slug: str) -> list[str]:
    page.goto(f"{service.url}/e/{slug}/standings/")
    rows: list[str] = page.locator("#standings tbody tr[data-entrant]").all_inner_texts()
    return rows


def slip_of(page: Any, ruling: str) -> str:
    """The text of a ruling's slip for signature."""
    printed = page.request.get(f"{ruling}slip.pdf")
    assert printed.ok, printed.status
    parts = PdfReader(io.BytesIO(printed.body())).pages
    return " ".join(" ".join(part.extract_text() for part in parts).lower().split())


@pytest.mark.parametrize("language", ["fr", "nl"])
@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_a_disqualification_by_two_persons_is_overturned_on_appeal(
    chromium: Any, service: Service, slugs: dict[str, Any], rulebook: str, language: str
) -> None:
    slug = slugs[rulebook]
    desk = f"{service.url}/referee/{slug}/"
    with looking(chromium, 360, language, has_touch=True) as page:
        go(page, service, "chief_referee", language)
        before = standings_of(page, service, slug)
        page.goto(desk)
        thumb = Thumb(page)
        thumb.tap(page.locator(".queue form[action*='/take/'] button").first)
        page.wait_for_url("**/incidents/**")
        page.goto(page.url.partition("?")[0] + "?article=T-UNSP#article")
        form = page.locator("#article form")
        form.locator("label:has(input[name=f-offender])").first.tap()
        form.locator("label:has(input[name=f-measure][value=disqualified])").tap()
        form.locator("button[name=preview]").tap()
        page.locator("#issue").wait_for()
        page.fill("#id_reason", "-")
        page.locator("#issue button[value=issue]").tap()
        page.wait_for_url("**/confirmations/**")
        waiting = page.url
        assert standings_of(page, service, slug) == before, "not in force before the second person"
        go(page, service, "director", language)
        page.goto(waiting)
        page.locator("form[action$='/confirm/'] button").tap()
        page.wait_for_url("**/rulings/**")
        ruling = page.url.partition("#")[0].partition("?")[0]
        assert standings_of(page, service, slug) != before
        go(page, service, "arbiter", language)
        page.goto(ruling)
        page.locator("#appeals details summary").tap()
        page.locator("#appeals label:has(input[name=side])").first.tap()
        page.fill("#id_grounds", "-")
        page.locator("#appeals details form button").tap()
        page.locator("#appeals .ruling").wait_for()
        go(page, service, "appeals", language)
        page.goto(ruling)
        page.locator("#appeals label:has(input[value=overturned])").tap()
        page.fill("#id_decision", "-")
        page.locator("form[action*='/appeals/'] button").tap()
        page.locator(".timeline li").nth(1).wait_for()
        assert OVERTURNED[language] in slip_of(page, ruling)
        assert standings_of(page, service, slug) == before
