"""Import of an archive whose event already exists: the page remembers the chosen file and makes a copy of the event."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.browser.conftest import IN_LONGER_WORDS, Service, looking
from tests.browser.test_journeys import press, sign_in

pytestmark = [pytest.mark.browser, pytest.mark.long]

PACKED = """
import pathlib
from tests.tournament.build import make_event
from tournament.services import archive
event = make_event(8, slug={slug!r}, name="Beker {slug}")
pathlib.Path({path!r}).write_bytes(archive.pack(event.pk))
"""


@IN_LONGER_WORDS
@pytest.mark.parametrize("language", ["fr", "nl"])
@pytest.mark.parametrize("script", [True, False])
def test_the_file_is_chosen_once_for_a_copy(
    chromium: Any, service: Service, tmp_path: Path, language: str, script: bool
) -> None:
    """Without script a browser drops the file, so the page asks for it again."""
    packed, slug = tmp_path / "event.manille.gz", f"beker-{language}-{script}".lower()
    service.manage("shell", "-v", "0", "-c", PACKED.format(slug=slug, path=str(packed)))
    with looking(chromium, 360, language) as page:
        sign_in(page, service)
        page.goto(f"{service.url}/desk/")
        cookies = page.context.cookies()
    with looking(chromium, 360, language, java_script_enabled=script) as page:
        page.context.add_cookies(cookies)
        page.goto(f"{service.url}/desk/take-up/")
        page.set_input_files("[name=file]", packed)
        page.click("main form.stack button[type=submit]")
        page.wait_for_selector("[role=alert]")
        assert page.locator("[data-file-lost]").is_visible() is not script
        assert page.input_value("[name=slug]") not in ("", slug)
        if not script:
            page.set_input_files("[name=file]", packed)
        press(page, "main form.stack button[type=submit]")
        page.wait_for_url(f"**/desk/beker-{slug}-*/")
        assert f"Beker {slug} (" in page.inner_text("main")
