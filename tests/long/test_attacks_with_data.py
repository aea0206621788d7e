"""Malicious files, names, addresses and nesting, on each database, against a running service."""

from __future__ import annotations

import base64
import gzip
import io
import json
import os
import pickle
import re
import subprocess
import sys
import time
import uuid
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
import redis as redis_client
from pypdf import PdfReader

from tests.programs import ROOT, wait_for
from tests.security.test_bad_input_files import bomb
from tests.security.test_exports import cells
from tests.security.test_paper_and_calendar import ACTIVE, EVIL, parts
from tests.tournament.documents.reading import whole_text

from .installation import SETUP, Browser, Installation, Redis

pytestmark = pytest.mark.long
NAMES = tuple(name for name in EVIL if name.isprintable())
PASSWORD = "not-a-secret-1"
ADDRESS, FAMILY = "lut@example.be", "Maes-Kin"


@dataclass
class Hall:
    """An event with eight players in play, and the entrants added by an import."""

    at: Installation
    event: str
    slug: str
    director: Browser
    second: str
    """Name of another director."""

    def done(self, page: str) -> str:
        """Wait for the job of a form. Return the address of its document, or ""."""

        def ended() -> str:
            _status, text = self.director.get(page)
            return text if "data-live-poll" not in text else ""

        text = str(wait_for("the job", ended))
        assert "This did not work" not in text, text
        return "".join(re.findall(r'(/desk/[^"]+\.pdf)"', text)[:1])

    def ask(self, path: str, **fields: str) -> str:
        """Post a form that starts a job, and wait for it."""
        status, page = self.director.post(f"/desk/{self.slug}/{path}", **fields)
        assert status == 302, page
        return self.done(page)


@pytest.fixture(scope="module")
def administrator(attacked: Installation) -> Browser:
    browser = Browser(attacked)
    browser.get("/setup/")
    password = {"password1": PASSWORD, "password2": PASSWORD}
    assert browser.post("/setup/", code=SETUP, username="root", **password)[0] == 302
    return browser


@pytest.fixture(scope="module")
def hall(attacked: Installation, administrator: Browser) -> Hall:
    """Import entrants whose names are injection attempts; one has an address and a family."""
    made = attacked.inside("hall", players=8, deals=2)
    director = Browser(attacked)
    director.sign_in(made["directors"][0])
    attacked.worker.start()
    hall = Hall(attacked, made["event"], made["slug"], director, made["directors"][1])
    rows = [
        f'{100 + n};"{name.replace(chr(34), chr(34) * 2)}";"{FAMILY}"'
        for n, name in enumerate(NAMES)
    ]
    file = "\n".join(["Nr;Naam;Familie;E-mail", *(f"{row};{ADDRESS}" for row in rows)]).encode()
    imports = f"/desk/{hall.slug}/players/import/"
    status, page = director.upload(imports, file)
    assert status == 200
    (key,) = re.findall(r'name="confirm"\s+value="([^"]+)"', page)
    hall.ask("players/import/", confirm=key)
    return hall


@pytest.mark.guide("security#security")
def test_addresses_and_families_leave_by_who_may_manage_players_alone(hall: Hall) -> None:
    given = {}
    for role in ("director", "scorekeeper", "referee", "chief_referee"):
        browser = Browser(hall.at)
        browser.sign_in(hall.at.inside("staff", event=hall.event, role=role)["name"])
        for form in ("csv", "json", "xlsx"):
            status, _headers, content = browser.send(
                "GET", f"/desk/{hall.slug}/export/players.{form}"
            )
            assert status == 200, role
            text = cells(content) if form == "xlsx" else content.decode("utf-8-sig")
            assert "Mia" in text
            given[role, form] = (ADDRESS in text, FAMILY in text)
    assert {role for (role, _form), said in given.items() if any(said)} == {"director"}
    assert all(all(said) for (role, _form), said in given.items() if role == "director")


@pytest.mark.guide("security#security")
def test_no_paper_runs_or_draws_what_somebody_is_called(hall: Hall) -> None:
    file = hall.ask("documents/", kind="badges", language="en", paper="a4")
    status, _headers, content = hall.director.send("POST", file)
    assert status == 200
    assert set(parts(PdfReader(io.BytesIO(content)).trailer, set())) & ACTIVE == set()
    assert b"evil.example" not in content
    text = whole_text(content)
    for sign in ("<b>Mia</b> &", "%%EOF", ") Tj ET (Tom"):
        assert sign in text, sign


@pytest.mark.guide("security#security")
def test_a_calendar_has_no_line_that_somebody_typed(hall: Hall) -> None:
    evil = "Cup\r\nBEGIN:VALARM\r\nATTACH:http://evil.example\n;,\\"
    for field in ("name", "place"):
        for said, expected in ((evil, (200, 400)), ("Cup;,\\ BEGIN:VALARM", (200,))):
            path, body = f"/api/v1/events/{hall.slug}/settings/", json.dumps({field: said})
            answer = hall.director.send("PATCH", path, body.encode(), "application/json")
            assert answer[0] in expected, answer
    status, _headers, content = hall.director.send("GET", f"/e/{hall.slug}/calendar.ics")
    assert status == 200
    lines = re.sub(r"\r\n[ \t]", "", content.decode()).split("\r\n")
    assert "\n" not in "".join(lines)
    assert [line for line in lines if line.startswith(("BEGIN:VALARM", "ATTACH"))] == []
    assert any("Cup\\;\\,\\\\ BEGIN:VALARM" in line for line in lines)


def test_an_outsider_checks_the_archive_of_an_event_and_finds_a_changed_byte(
    hall: Hall, tmp_path: Path
) -> None:
    file, check = tmp_path / "event.manille.gz", [sys.executable, str(ROOT / "manille_check.py")]
    _status, _headers, content = hall.director.send("GET", hall.ask("archive/"))
    file.write_bytes(content)
    assert subprocess.run([*check, str(file)], capture_output=True).returncode == 0
    file.write_bytes(gzip.compress(gzip.decompress(content).replace(b"Mia", b"Pia", 1)))
    assert subprocess.run([*check, str(file)], capture_output=True).returncode == 1


@pytest.mark.guide("security#security")
def test_a_workbook_that_unpacks_without_end_costs_neither_time_nor_memory(
    hall: Hall, administrator: Browser
) -> None:
    """300 MB in 300 kB, on every page that takes a file."""
    before, begun = hall.at.web.memory(), time.monotonic()
    for browser, path in (
        (hall.director, f"/desk/{hall.slug}/players/import/"),
        (administrator, "/desk/take-up/"),
    ):
        status, _page = browser.upload(path, bomb(), "players.xlsx")
        assert status in (200, 400, 413, 422)
    assert hall.at.web.memory() - before < 100
    assert time.monotonic() - begun < 60
    facts = hall.at.inside("facts", event=hall.event)
    assert facts["entrants"] == 8 + len(NAMES)
    assert facts["breaks"] == []


@pytest.mark.guide("security#security")
@pytest.mark.parametrize("depth", [70, 5_000, 500_000])
@pytest.mark.parametrize("opening", ["[", '{"a":'])
def test_json_nested_without_end_is_refused(hall: Hall, depth: int, opening: str) -> None:
    inner = opening * depth + "1" + ("]" if opening == "[" else "}") * depth
    sent = {"Content-Type": "application/json"}
    for body in (inner, f'{{"rulebook": "parlee", "hand": {inner}}}'):
        status, headers, content = hall.at.send("POST", "/api/v1/rules/legal/", body.encode(), sent)
        assert status in ((400,) if len(body) < 2_400_000 else (400, 413)), content
        assert headers["Content-Type"] == "application/problem+json"
    assert hall.at.get("/health/live/")[0] == 200


@pytest.mark.guide("security#security")
def test_nobody_else_reads_the_database_or_a_backup(hall: Hall) -> None:
    assert hall.at.manage("backup").returncode == 0
    place = hall.at.folder / "var"
    files = [*place.glob("manille.sqlite3*"), *place.glob("backups/manille-*")]
    assert len(files) >= (1 if hall.at.database else 2)
    for file in files:
        if "anchors" not in file.name:
            assert file.stat().st_mode & 0o777 == 0o600, file
    assert (place / "backups").stat().st_mode & 0o777 == 0o700


@pytest.mark.guide("security#security")
def test_lists_of_names_are_kept_by_no_search_engine(hall: Hall) -> None:
    """``X-Robots-Tag`` is sent with a fresh page, a cached page and a 304."""
    for page in ("", "players/", "players/1/", "draw/", "standings/"):
        path = f"/e/{hall.slug}/{page}"
        for _time in range(2):
            status, headers, _content = hall.at.send("GET", path)
            assert (status, headers["X-Robots-Tag"]) == (200, "noindex"), path
        unchanged = {"If-None-Match": str(headers["ETag"])}
        assert hall.at.send("GET", path, None, unchanged)[0] == 304
    status, text = hall.at.get("/robots.txt")
    assert status == 200
    assert "Disallow: /desk/" in text
    assert "X-Robots-Tag" not in hall.at.send("GET", "/")[1]


ELSEWHERE = (
    "https://evil.example/",
    "//evil.example/",
    "/\\evil.example/",
    "\\\\evil.example/",
    "https:evil.example",
    "http:///evil.example/",
    "javascript:alert(1)",
    "\thttps://evil.example/",
    "https://127.0.0.1@evil.example/",
    "https://127.0.0.1.evil.example/",
)


@pytest.mark.guide("security#security")
@pytest.mark.parametrize("there", ELSEWHERE)
def test_nobody_is_led_elsewhere(hall: Hall, there: str) -> None:
    """Neither by signing in, nor by a choice of language or looks, nor by an address without its slash."""
    quoted = quote(there, safe="")
    led = []
    own = {"username": hall.second, "password": PASSWORD}
    for path, fields in (
        (f"/login/?next={quoted}", own),
        ("/login/", {**own, "next": there}),
        ("/language/", {"language": "nl", "next": there}),
        ("/looks/", {"theme": "dark", "next": there}),
    ):
        browser = Browser(hall.at)
        browser.get("/login/")
        browser.headers["Referer"] = there.strip()
        status, place = browser.post(path, **fields)
        assert status == 302, path
        led.append(place)
    for path in ("//evil.example/login", "//evil.example", "/%5Cevil.example", f"/{quoted}"):
        led.append(str(hall.at.send("GET", path)[1]["Location"] or "/"))
    assert [place for place in led if not re.match(r"/(?![/\\])", place)] == []


class Attack:
    """Creates a folder when it is unpickled."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> Any:
        return os.mkdir, (str(self.path),)


@pytest.mark.guide("security#security")
@pytest.mark.parametrize(
    "attacked",
    [pytest.param("postgresql", marks=[pytest.mark.postgres, pytest.mark.redis])],
    indirect=True,
)
def test_who_writes_in_redis_runs_nothing_and_nobody_gets_there_without_its_password(
    hall: Hall, private: tuple[Path, Any, Redis], administrator: Browser
) -> None:
    _folder, _postgres, server = private
    with pytest.raises(redis_client.exceptions.AuthenticationError):
        redis_client.Redis(port=server.port).get("x")
    mark = hall.at.folder / "run"
    evil = pickle.dumps(Attack(mark))
    # Replace every cached value that a page reads, from slow requests to sign-in attempts.
    guesser = Browser(hall.at)
    guesser.sign_in("nobody", "a guess")
    cache = redis_client.Redis.from_url(server.url(1))
    keys = [*cache.keys("*"), b":1:slow-requests", b":1:slow-requests-noted"]
    assert len(keys) > 2
    for key in keys:
        cache.set(key, evil)
    try:
        guesser.sign_in("nobody", "another guess")
        for page in ("/system/", f"/desk/{hall.slug}/", f"/e/{hall.slug}/standings/"):
            administrator.get(page)
    finally:
        cache.flushdb()
    queue = redis_client.Redis.from_url(server.url(0))
    message = {
        "body": base64.b64encode(evil).decode(),
        "content-encoding": "binary",
        "content-type": "application/x-python-serialize",
        "headers": {"task": "ledger.run_job", "id": str(uuid.uuid4()), "lang": "py"},
        "properties": {
            "body_encoding": "base64",
            "delivery_info": {"exchange": "", "routing_key": "celery"},
            "delivery_tag": str(uuid.uuid4()),
            "correlation_id": str(uuid.uuid4()),
        },
    }
    queue.lpush("celery", json.dumps(message))
    # The next job in the queue runs, since the faulty one was taken out before it.
    hall.ask("documents/", kind="badges", language="nl", paper="a4")
    assert queue.llen("celery") == 0
    assert "Refusing to deserialize" in hall.at.worker.log.read_text()
    assert not mark.exists()
    assert administrator.get("/system/")[0] == 200
