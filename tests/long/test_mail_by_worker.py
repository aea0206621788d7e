"""Outgoing e-mail: requested on a page, sent by the worker's process, received by a mail server."""

from __future__ import annotations

import json
from collections.abc import Iterator
from email import message_from_bytes
from email.header import decode_header, make_header
from email.message import Message
from pathlib import Path
from typing import Any

import pytest
from aiosmtpd.controller import Controller

from tests.programs import free_port, wait_for

from .installation import Browser, Installation

pytestmark = pytest.mark.long

ADDRESS = "https://manille.example.org"
OPEN = """
import json
from tests.tournament.build import SYSTEM
from tournament.models import Entrant, Event
from tournament.services.events import update_event
from tournament.tables.links import entrant_token
event = Event.objects.get(slug="{slug}")
update_event(event_id=event.pk, actor=SYSTEM, changes={{"registration": True}})
print(json.dumps(entrant_token(Entrant.objects.get(event=event, number=1))))
"""


class Letters:
    """A mail server that stores the letters it receives."""

    def __init__(self) -> None:
        self.got: list[Message] = []

    async def handle_DATA(self, _server: Any, _session: Any, envelope: Any) -> str:
        self.got.append(message_from_bytes(envelope.content))
        return "250 OK"

    def to(self, address: str, count: int) -> list[str]:
        """Return the subjects of the letters to an address, or an empty list while there are fewer than ``count``."""
        heads = [letter["Subject"] for letter in self.got if letter["To"] == address]
        return [str(make_header(decode_header(head))) for head in heads if len(heads) >= count]


@pytest.fixture
def letters() -> Iterator[tuple[Letters, int]]:
    kept, port = Letters(), free_port()
    running = Controller(kept, hostname="127.0.0.1", port=port)
    running.start()
    yield kept, port
    running.stop()


def test_what_a_page_was_asked_for_is_mailed_by_the_worker(
    tmp_path: Path, letters: tuple[Letters, int]
) -> None:
    kept, port = letters
    here = Installation(tmp_path)
    here.environment |= {
        "EMAIL_URL": f"smtp://127.0.0.1:{port}",
        "EMAIL_FROM": "manille@example.org",
        "PUBLIC_URL": ADDRESS,
    }
    here.prepare()
    hall = here.inside("hall", players=8, published=False)
    shown = here.manage("shell", "-v", "0", "-c", OPEN.format(slug=hall["slug"]))
    own = f"/p/{json.loads(shown.stdout)}/"
    try:
        here.start_web()
        here.worker.start()
        dutch, french = Browser(here), Browser(here)
        for phone, language, page in (
            (dutch, "nl", f"/register/{hall['slug']}/"),
            (french, "fr", own),
        ):
            phone.headers["Accept-Language"] = language
            assert phone.get(page)[0] == 200
        status, waits = dutch.post(
            f"/register/{hall['slug']}/", name="Nieuwe Speler", email="nieuw@example.org", mail="on"
        )
        assert status == 302
        wait_for("the receipt", lambda: kept.to("nieuw@example.org", 1), log=here.worker.log)
        (receipt,) = kept.got
        assert "We hebben je inschrijving" in kept.to("nieuw@example.org", 1)[0]
        body = receipt.get_payload(decode=True)
        assert isinstance(body, bytes)
        assert ADDRESS + waits in body.decode()
        assert french.post(own + "mail/", want="1", email="een@example.org")[0] == 302
        here.inside("play", event=hall["event"])
        wait_for("the draw's e-mail", lambda: kept.to("een@example.org", 1), log=here.worker.log)
        assert "Le tirage est publié" in kept.to("een@example.org", 1)[0]
    finally:
        here.stop()
