"""No token, password, session or name gets into logs, audit chains or metrics."""

from __future__ import annotations

import io
import json
import logging
from collections.abc import Iterator

import pytest
import structlog
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from accounts import api_tokens
from accounts.models import Role
from ledger.actors import Actor
from ledger.models import ORGANISATION, AuditEntry
from operations import logs
from tests.security.hall import an_event_in_play, with_staff

pytestmark = pytest.mark.django_db
PASSWORD = "not-a-secret-1"


@pytest.fixture
def written() -> Iterator[io.StringIO]:
    """Yield the service's log at every level, in its production format."""
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            processors=logs.processors("json"), foreign_pre_chain=logs.shared()
        )
    )
    root = logging.getLogger()
    before, level, root.handlers = root.handlers, root.level, [handler]
    root.setLevel(logging.INFO)
    yield stream
    root.handlers = before
    root.setLevel(level)


@pytest.mark.guide("security#security")
def test_a_day_of_requests_tells_no_secret(written: io.StringIO, settings: object) -> None:
    hall = with_staff(an_event_in_play("Own"))
    director = hall.staff[Role.DIRECTOR]
    _token, text = api_tokens.issue(
        user_id=director.pk,
        name="export",
        scope=ORGANISATION,
        may_write=True,
        days=1,
        actor=Actor.user(director.pk),
    )
    client = Client(raise_request_exception=False)
    client.post("/login/", {"username": "director", "password": "wrong-horse-7"})
    client.post("/login/", {"username": "director", "password": PASSWORD})
    session = client.cookies["sessionid"].value
    slug = hall.event.slug
    for where in (
        f"/desk/{slug}/",
        f"/desk/{slug}/players/",
        f"/desk/{slug}/players/1/data/",
        f"/p/{hall.player_token}/nothing/",
        f"/t/{hall.table_token}/",
        f"/t/{hall.table_token}x/",
        f"/t/{hall.table_token}/9/9/",
        f"/sign/{hall.player_token}/",
        "/system/",
        "/account/",
        f"/p/{hall.player_token}/?next={hall.table_token}",
    ):
        client.get(where)
    client.post(f"/t/{hall.table_token}/send/", {"verb": "burn"})
    client.post(
        f"/desk/{slug}/players/import/",
        {"file": SimpleUploadedFile("a.csv", b"Naam\nZebedeus Quakelbeen\n;;;")},
    )
    for header in (f"Bearer {text}", f"Bearer {text}x", f"Table {hall.table_token}", "Table x"):
        Client(headers={"Authorization": header}).get("/api/v1/table/sheets/")
    names = [n for n in hall.event.entrants.values_list("person__name", flat=True) if n]
    secrets = {
        "password": PASSWORD,
        "wrong password": "wrong-horse-7",
        "session": session,
        "api token": text,
        "table": hall.table_token,
        "player": hall.player_token,
        "imported": "Zebedeus",
        **{f"name {n}": n for n in names},
    }
    chains = json.dumps(
        [[e.actor, e.before, e.after] for e in AuditEntry.objects.all()], ensure_ascii=False
    )
    measured = Client(headers={"Authorization": "Bearer none"}).get("/metrics/").content.decode()
    lines = written.getvalue()
    assert lines.count("\n") > 5
    for what, secret in secrets.items():
        assert secret not in lines, what
        assert secret not in chains, what
        assert secret not in measured, what


@pytest.mark.guide("security#security")
def test_the_hashes_of_links_are_no_links() -> None:
    hall = an_event_in_play("Own")
    kept = hall.event.entrants.get(number=1).link_hash + hall.sheet.table.token_hash
    assert hall.player_token not in kept
    assert hall.table_token not in kept
