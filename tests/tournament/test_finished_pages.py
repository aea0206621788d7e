"""Public pages are rendered when their event changes, the same for all, and never replaced by an older one."""

from __future__ import annotations

import asyncio
import gzip
import re
import threading
import time
import uuid
from collections import Counter, deque
from collections.abc import Callable, Iterable
from typing import Any
from urllib.parse import urlencode

import pytest
import structlog
from django.conf import settings
from django.contrib.sessions.models import Session
from django.core import signing
from django.db import OperationalError
from django.test import Client
from django.test.utils import override_settings

from ledger.change import raise_version
from ledger.requests import RENDERED_FOR
from tests.tournament.build import SYSTEM, chance, make_event, make_user
from tests.tournament.phones import Service, visit
from tournament.demo.simulation import draw_and_publish, play_sheet
from tournament.models import Event, Round, Seat
from tournament.models.tables import Sheet
from tournament.public import asgi, pages
from tournament.public.bridge import Headers
from tournament.public.conditional import PART
from tournament.public.marks import RENDERED, Marks
from tournament.public.requests import PageRequest, is_secure
from tournament.services.events import update_event
from tournament.services.signatures import sign

PATH = "/e/hall/standings/"
PK = uuid.UUID(int=7)


def pages_made() -> float:
    """Return the number of pages that this process has rendered."""
    samples = [sample for metric in RENDERED.collect() for sample in metric.samples]
    return sum(
        each.value
        for each in samples
        if each.name == "manille_rendered_total" and each.labels == {"what": "page"}
    )


class Django:
    """A stand-in for Django: pages by version, which wait while a test holds them."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.marks: Marks | None = Marks(PK, 1, 1, 1, {5: 40})
        self.looks = 0
        self.asked: Counter[str] = Counter()
        self.called: list[str] = []
        self.go = threading.Event()
        self.go.set()
        self.topic = "event"
        self.away = False
        self.hold = threading.Event()
        self.hold.set()
        monkeypatch.setattr(pages, "look_up", self.look_up)
        monkeypatch.setattr(pages, "INTERVAL", 0.01)

    def look_up(self, slug: str) -> Marks | None:
        self.looks += 1
        assert self.hold.wait(30)
        if self.away:
            raise OperationalError("away")
        return self.marks if slug == "hall" else None

    def change(self) -> None:
        assert self.marks is not None
        version = self.marks.version + 1
        self.marks = Marks(PK, version, self.marks.frame, version, {5: 41})

    def __call__(self, environ: dict[str, Any], start: Callable[..., Any]) -> Iterable[bytes]:
        query = environ["QUERY_STRING"]
        path = environ["PATH_INFO"] + (f"?{query}" if query else "")
        self.asked[path] += 1
        self.called.append(environ.get(RENDERED_FOR, ""))
        marks = self.marks
        part = environ.get(PART)
        assert self.go.wait(30)
        headers = [("Content-Type", "text/html"), ("Vary", "Cookie")]
        if part is None or marks is None or "unknown" in path:
            start("404 Not Found" if "unknown" in path else "299 Inside", headers)
            return [b"inside"]
        part.marks, part.topic = marks, self.topic
        if query.startswith("part=place"):
            part.bodies = {number: f"{number} of {marks.version}".encode() for number in (4, 5)}
        start("200 OK", [*headers, ("ETag", f'W/"{marks.of(self.topic)}"')])
        return [f"page {marks.version} {environ['HTTP_ACCEPT_LANGUAGE']}".encode()]


@pytest.fixture
def django(monkeypatch: pytest.MonkeyPatch) -> Django:
    return Django(monkeypatch)


async def until(ready: Callable[[], bool]) -> None:
    while not ready():
        await asyncio.sleep(0.005)


# With Django itself -----------------------------------------------------------------------------


def write(work: Callable[[], Any]) -> Any:
    """Run a write until it succeeds; an in-memory database refuses writes during a read."""
    while True:
        try:
            return work()
        except OperationalError as error:
            if "locked" not in str(error):
                raise


def bumped() -> int:
    """Raise the event's version. Return it."""
    event = Event.objects.get(slug="hall")
    raise_version(event.pk)
    return event.version + 1


@pytest.fixture
def hall() -> tuple[Event, Round]:
    event = make_event(8, deals=1, slug="hall")
    round_ = Round.objects.get(stage__event=event, stage__order=1, number=1)
    return event, draw_and_publish(round_, SYSTEM)


@pytest.mark.guide("players#how-fresh-it-is")
@pytest.mark.django_db(transaction=True)
def test_the_page_is_new_after_a_signature_and_was_made_before_anybody_heard(
    hall: tuple[Event, Round],
) -> None:
    service = Service()
    sheet = Sheet.objects.get(table__round=hall[1], table__number=1, order=1)
    sheet = play_sheet(sheet, chance(), sign=False)
    sheet = sign(sheet_id=sheet.pk, side="NS", version=sheet.version, actor=SYSTEM)

    def sign_last() -> None:
        sign(sheet_id=sheet.pk, side="EW", version=sheet.version, actor=SYSTEM)

    async def phones() -> None:
        before = await service.get(PATH)
        marks = (await service.get("/e/hall/version/"))[2]
        await asyncio.to_thread(write, sign_last)
        while (await service.get("/e/hall/version/"))[2] == marks:
            await asyncio.sleep(0.01)
        made_before = pages_made()
        after = await service.get(PATH)
        assert after[2] != before[2]
        assert pages_made() == made_before

    visit(phones)


@pytest.mark.guide("security#security")
@pytest.mark.django_db(transaction=True)
def test_a_finished_page_is_the_page_of_django_with_its_headers(
    hall: tuple[Event, Round], client: Client
) -> None:
    service = Service()

    async def phones() -> tuple[Any, Any]:
        headers = {"accept_language": "fr", "accept_encoding": "gzip", "cookie": "theme=dark"}
        return await service.get(PATH, **headers), await service.get(PATH, **headers)

    first, second = visit(phones)
    number = first[1].pop("x-request-id"), second[1].pop("x-request-id")
    assert number[0] != number[1]
    assert first == second
    client.cookies["theme"] = "dark"
    page = client.get(PATH, headers={"accept-language": "fr", "accept-encoding": "gzip"})
    assert gzip.decompress(first[2]) == gzip.decompress(page.content)
    given = {name.lower(): value for name, value in page.headers.items()}
    assert given.keys() - {"x-request-id"} == first[1].keys()
    for name in ("content-security-policy", "x-frame-options", "cache-control", "etag", "vary"):
        assert first[1][name] == given[name]
    assert "set-cookie" not in first[1]


@pytest.mark.django_db(transaction=True)
def test_who_has_the_page_gets_304_until_it_changes(hall: tuple[Event, Round]) -> None:
    service = Service()

    async def phones() -> None:
        etag = (await service.get(PATH))[1]["etag"]
        status, headers, body = await service.get(PATH, if_none_match=etag)
        assert (status, body, headers["etag"]) == (304, b"", etag)
        assert "content-length" not in headers
        version = await asyncio.to_thread(write, bumped)
        status, headers, _body = await service.get(
            PATH, if_none_match=etag, x_live_version=str(version)
        )
        assert (status, headers["etag"] != etag) == (200, True)

    visit(phones)


@pytest.mark.django_db(transaction=True)
def test_each_player_gets_the_own_part_of_what_was_made_for_all(
    hall: tuple[Event, Round], client: Client
) -> None:
    service = Service()

    async def phones() -> list[Any]:
        return [
            await service.get(f"/e/hall/players/{number}/?part={part}", accept_language="nl")
            for part in ("now", "place", "charts", "day")
            for number in range(1, 10)
        ]

    replies = visit(phones)
    for index, (status, headers, body) in enumerate(replies):
        number, part = index % 9 + 1, ("now", "place", "charts", "day")[index // 9]
        path = f"/e/hall/players/{number}/?part={part}"
        page = client.get(path, headers={"accept-language": "nl"})
        assert (status, body) == (page.status_code, page.content)
        assert status == (404 if number == 9 else 200)
        if status == 200:
            assert headers["etag"] == page["ETag"]
            assert int(headers["content-length"]) == len(body)


@pytest.mark.guide("players#how-fresh-it-is")
@pytest.mark.django_db(transaction=True)
def test_games_are_made_at_once_for_the_hall_and_after_a_signature_for_its_table(
    hall: tuple[Event, Round],
) -> None:
    service = Service()
    seats = Seat.objects.filter(table__round=hall[1], table__number=1)
    table = set(seats.values_list("entrant__number", flat=True))
    sheet = Sheet.objects.filter(table__round=hall[1], table__number=1).first()
    assert sheet is not None

    async def phones() -> None:
        marks = (await service.get("/e/hall/version/"))[2]

        async def games() -> dict[int, str]:
            asked = (service.get(f"/e/hall/players/{n}/?part=day") for n in range(1, 9))
            replies = await asyncio.gather(*asked)
            return {n: reply[1]["etag"] for n, reply in enumerate(replies, 1)}

        pages = pages_made()
        before = await games()
        assert pages_made() == pages + 1
        await asyncio.to_thread(write, lambda: play_sheet(sheet, chance()))
        while (await service.get("/e/hall/version/"))[2] == marks:
            await asyncio.sleep(0.01)
        after = await games()
        assert {number for number in before if after[number] != before[number]} == table

    visit(phones)


@pytest.mark.django_db(transaction=True)
def test_staff_are_answered_by_django_and_nothing_of_theirs_is_stored(
    hall: tuple[Event, Round], client: Client
) -> None:
    client.force_login(make_user("director", hall[0], "director"))
    session = f"sessionid={client.cookies['sessionid'].value}"
    service = Service()

    async def phones() -> tuple[Any, Any]:
        return await service.get(PATH, cookie=session), await service.get(PATH)

    staff, phone = visit(phones)
    assert b"nav--staff" in staff[2]
    assert staff[1]["cache-control"] == "private, no-cache"
    assert b"nav--staff" not in phone[2]


@pytest.mark.guide("security#security")
@pytest.mark.django_db(transaction=True)
def test_a_made_up_session_is_a_stranger_s(hall: tuple[Event, Round], client: Client) -> None:
    service = Service()
    client.force_login(make_user("director", hall[0], "director"))
    own = client.cookies["sessionid"].value
    told = signing.get_cookie_signer(salt="django.contrib.messages").sign("[]")

    async def phones() -> None:
        plain = await service.get(PATH)
        made = pages_made()
        for number in range(300):
            made_up = f"{number:032x}", own[:-1] + "_", f"{number}", own.upper()
            session = made_up[number % 4]
            page = await service.get(PATH, cookie=f"theme=; sessionid={session}; messages=x:y")
            assert page[2] == plain[2]
        assert pages_made() == made
        # A request with a session or with messages is answered by Django.
        assert b"nav--staff" in (await service.get(PATH, cookie=f"sessionid={own}"))[2]
        assert pages_made() == made
        await service.get(PATH, cookie=f"messages={told}")
        assert pages_made() == made + 1
        # Where the proxy can ask a web node, the request is redirected to it.
        back = await service.get(PATH, cookie=f"sessionid={own}", x_session_node="@session")
        assert (back[1]["x-accel-redirect"], back[2]) == ("@session", b"")
        kept = await service.get(PATH, cookie="sessionid=abcdefgh", x_session_node="@session")
        assert kept[2] == plain[2]
        # After signing out, the session belongs to no account.
        await asyncio.to_thread(write, Session.objects.all().delete)
        assert b"nav--staff" not in (await Service().get(PATH, cookie=f"sessionid={own}"))[2]

    visit(phones)


@pytest.mark.guide("security#security")
@pytest.mark.django_db(transaction=True)
def test_what_says_nothing_to_a_page_is_not_asked_of_it(hall: tuple[Event, Round]) -> None:
    service = Service()

    async def phones() -> list[Any]:
        queries = ("by=name&part=main", "zz=1&part=main&utm=x&by=name", "part=main&by=name&q=")
        return [await service.get(f"/e/hall/draw/?{query}") for query in queries]

    assert len({(headers["etag"], body) for _status, headers, body in visit(phones)}) == 1


@pytest.mark.django_db(transaction=True)
def test_bytes_that_no_address_holds_are_answered(hall: tuple[Event, Round]) -> None:
    service = Service()

    async def phones() -> tuple[Any, Any]:
        return await service.get("/e/hall/?q=\xe9"), await service.get("/login/?next=\xe9")

    page, login = visit(phones)
    assert page[0] == 200
    assert login[0] < 400


@pytest.mark.django_db(transaction=True)
def test_the_stream_is_never_compressed_and_says_what_moved(hall: tuple[Event, Round]) -> None:
    service = Service()
    event = hall[0]
    event.refresh_from_db()

    async def phones() -> Any:
        path = "/e/hall/live/?player=3"
        first = await service.get(path, until=b"data:", accept_encoding="gzip")
        assert (await service.get("/e/nowhere/live/"))[0] == 404
        return first

    status, headers, text = visit(phones)
    assert (status, headers["content-encoding"]) == (200, "identity")
    assert headers["cache-control"] == "no-store"
    data = f'{{"event": {event.version}, "draw": {event.frame_version}, "mine": '
    assert f"id: {event.version}\ndata: {data}" in text.decode()


@pytest.mark.guide("security#security")
def test_what_is_answered_without_django_bears_what_every_answer_does(
    django: Django, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The policy, noindex and nosniff: on pages, streams, change counters, and during a database outage."""
    service = Service(django)
    monkeypatch.setattr(pages, "OUT_OF_DATE", 0.0)

    async def phones() -> list[dict[str, str]]:
        answers = [
            await service.get("/e/hall/live/", until=b"data:"),
            await service.get("/e/hall/version/"),
        ]
        django.away = True
        while (reply := await service.get("/e/hall/version/"))[0] == 200:
            await asyncio.sleep(0.01)
        assert (reply[0], [each[0] for each in answers]) == (503, [200, 200])
        return [each[1] for each in (*answers, reply)]

    for headers in visit(phones):
        assert headers["content-security-policy"] == settings.CONTENT_SECURITY_POLICY
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["x-robots-tag"] == "noindex"
        assert headers["x-request-id"]


@pytest.mark.django_db
def test_without_a_process_for_streams_each_message_is_asked_for(client: Client) -> None:
    event = make_event(8, slug="hall")
    event.refresh_from_db()
    answer = client.get("/e/hall/live/?player=3", headers={"accept-encoding": "gzip"})
    assert answer["Content-Type"] == "text/event-stream"
    assert answer["Content-Encoding"] == "identity"
    data = f'{{"event": {event.version}, "draw": {event.frame_version}, "mine": 0}}'
    assert f"id: {event.version}\ndata: {data}\n\n" in answer.content.decode()
    assert client.get("/e/nowhere/live/").status_code == 404


@pytest.mark.django_db(transaction=True)
def test_what_is_hidden_or_renamed_leaves_finished_pages(hall: tuple[Event, Round]) -> None:
    service = Service()
    changes = {"hide_last_rounds": 3, "name": "Beker van Gent"}

    def rename() -> None:
        update_event(event_id=hall[0].pk, actor=SYSTEM, changes=changes)

    async def phones() -> None:
        assert b"<tr data-entrant" in (await service.get(PATH))[2]
        await asyncio.to_thread(write, rename)
        version = await asyncio.to_thread(write, bumped)
        page = (await service.get(PATH, x_live_version=str(version)))[2]
        assert b"Beker van Gent" in page
        assert b"<tr data-entrant" not in page

    visit(phones)


@pytest.mark.guide("security#security")
@pytest.mark.django_db(transaction=True)
def test_invented_names_hold_no_thread_while_they_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    """A hundred requests at the sign-in page, each delayed as long as a check may take."""
    make_user("anna")
    monkeypatch.setattr("accounts.passwords._seconds", deque([30.0]))
    monkeypatch.setattr(
        "accounts.limits.Limit.take", lambda limit, _who: limit.name != "login-nobody"
    )
    service = Service()

    async def callers() -> None:
        _status, headers, page = await service.get("/login/")
        token = re.search(rb'name="csrfmiddlewaretoken" value="(\w+)"', page)
        assert token is not None
        cookie = headers["set-cookie"].partition(";")[0]
        form = {"csrfmiddlewaretoken": token[1].decode(), "password": "guess-12345"}
        robots = [
            asyncio.ensure_future(
                service.get(
                    "/login/",
                    method="POST",
                    body=(body := urlencode({**form, "username": f"guess-{number}"}).encode()),
                    content_type="application/x-www-form-urlencoded",
                    content_length=str(len(body)),
                    cookie=cookie,
                )
            )
            for number in range(100)
        ]
        # Other requests are answered while all of them wait.
        assert (await asyncio.wait_for(service.get("/health/live/"), 20))[0] == 200
        done, waiting = await asyncio.wait(robots, timeout=0.5)
        assert (len(done), len(waiting)) == (0, 100)
        for robot in robots:
            robot.cancel()

    visit(callers)


# With a stand-in --------------------------------------------------------------------------------


def test_a_hall_that_asks_at_once_is_one_making(django: Django) -> None:
    service = Service(django)
    django.go.clear()

    async def phones() -> list[Any]:
        asked = [asyncio.ensure_future(service.get(PATH)) for _phone in range(300)]
        await until(lambda: django.asked[PATH] == 1)
        django.go.set()
        return await asyncio.gather(*asked)

    assert {reply[2] for reply in visit(phones)} == {b"page 1 en"}
    assert django.asked == {PATH: 1}


def test_a_page_is_made_under_the_id_of_who_asked_first_and_anew_under_its_own(
    django: Django, settings: Any
) -> None:
    settings.TRUST_PROXY = True
    service = Service(django)
    ids = [f"called-{number}" for number in range(3)]

    async def phones() -> list[str]:
        replies = [await service.get(PATH, x_request_id=each) for each in ids]
        django.change()
        await until(lambda: django.asked[PATH] == 2)
        return [reply[1]["x-request-id"] for reply in replies]

    assert visit(phones) == ids
    assert django.called == [ids[0], ""]


def test_what_was_asked_for_is_made_again_by_the_change_in_every_language(django: Django) -> None:
    service = Service(django)

    async def phones() -> None:
        for language in ("fr", "nl", "en"):
            await service.get(PATH, accept_language=language)
        django.change()
        await until(lambda: django.asked[PATH] == 6)
        for language in ("fr", "nl", "en"):
            reply = await service.get(PATH, accept_language=language, x_live_version="2")
            assert reply[2] == f"page 2 {language}".encode()

    visit(phones)
    # Reading rendered no page.
    assert django.asked == {PATH: 6}


def test_a_change_is_announced_once_its_pages_are_there(django: Django) -> None:
    service = Service(django)

    async def phones() -> None:
        await service.get(PATH)
        django.go.clear()
        django.change()
        await until(lambda: django.asked[PATH] == 2)
        # While the new page is made, requests get the page before it.
        assert (await service.get(PATH))[2] == b"page 1 en"
        assert b'"event": 1' in (await service.get("/e/hall/version/"))[2]
        told = asyncio.ensure_future(service.get("/e/hall/live/", until=b'"event": 2'))
        waits = asyncio.ensure_future(service.get(PATH, x_live_version="2"))
        django.go.set()
        assert b'"event": 2' in (await told)[2]
        assert (await waits)[2] == b"page 2 en"

    visit(phones)


@pytest.mark.guide("security#security")
def test_a_change_is_announced_however_long_its_pages_take(
    django: Django, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pages, "HEAD_START", 0.05)
    service = Service(django)

    async def phones() -> None:
        for theme in ("", "dark", "light"):
            await service.get(PATH, cookie=f"theme={theme}")
        django.go.clear()
        for version in (b"2", b"3"):
            django.change()
            told = await service.get("/e/hall/live/", until=b'"event": ' + version)
            assert b'"event": ' + version in told[2]
        # One page is being rendered all the while.
        assert django.asked == {PATH: 4}
        django.go.set()
        assert (await service.get(PATH, x_live_version="3"))[2] == b"page 3 en"

    visit(phones)


VARIED = [
    f"?by={by}&part={part}&screen={screen}&language={language}"
    for by in ("name", "table")
    for part in ("1", "main", "clock", "tables")
    for screen in ("1-2", "2-2", "9-9", "9-2")
    for language in ("fr", "nl", "de")
]
"""Queries of a robot: each has a parameter that some page reads."""


@pytest.mark.guide("security#security")
def test_four_hundred_variants_of_a_robot_are_a_handful_of_pages(django: Django) -> None:
    service = Service(django)
    read = {PATH: 2, "/e/hall/rulings/": 2, "/e/hall/": 2, "/e/hall/players/": 1}
    asked = [(path, query) for path in read for query in VARIED] + [(PATH, "")] * 16
    assert len(asked) == 400

    async def phones() -> None:
        for number, (path, query) in enumerate(asked):
            await service.get(path + query, host=f"testserver:{1024 + number}")
        # The whole page or ``?part=1``, where the page supports it.
        assert sum(django.asked.values()) == sum(read.values())
        django.change()
        await service.get("/e/hall/live/", until=b'"event": 2')
        assert sum(django.asked.values()) == 2 * sum(read.values())

    visit(phones)


def test_of_three_thousand_pages_those_most_asked_for_are_made_again(django: Django) -> None:
    site = pages.Pages(django)

    def kept(path: str, language: str = "en") -> PageRequest:
        return PageRequest("hall", path, "", "testserver", False, language)

    async def phones() -> None:
        # Cached answers of a robot that walked all possible rounds in each language.
        for number in range(1000):
            for language in ("fr", "nl", "en"):
                request = kept(f"/e/hall/draw/1/{number}/", language)
                site.answers[request] = pages.Answer(
                    200, [], b"1", PK, "event", "v1", 1, asked_at=time.monotonic()
                )
        for path, times in ((PATH, 3), ("/e/hall/", 2)):
            for _phone in range(times):
                await site.get(kept(path))
        django.asked.clear()
        django.change()
        await until(lambda: site.events["hall"].marks == django.marks)
        await until(lambda: sum(django.asked.values()) >= pages.MADE_AGAIN)
        await asyncio.sleep(0.1)
        assert sum(django.asked.values()) == pages.MADE_AGAIN
        assert (django.asked[PATH], django.asked["/e/hall/"]) == (1, 1)

    visit(phones)


@pytest.mark.guide("security#security")
def test_a_robot_s_pages_are_made_one_at_a_time_beside_the_hall_s(
    django: Django, settings: Any
) -> None:
    settings.TRUST_PROXY = True

    async def work() -> None:
        service = Service(django)
        await service.get("/e/hall/version/")
        django.go.clear()
        asked = [
            asyncio.ensure_future(
                service.get(f"/e/hall/draw/1/{n}/", x_forwarded_for="203.0.113.9")
            )
            for n in range(60)
        ]
        await until(lambda: len(django.asked) == 1)
        asked.append(asyncio.ensure_future(service.get(PATH, x_forwarded_for="192.0.2.7")))
        await asyncio.sleep(0)
        django.go.set()
        await asyncio.gather(*asked)
        assert list(django.asked).index(PATH) <= 2

    visit(work)


def test_answers_in_memory_have_a_bound_in_bytes(
    django: Django, monkeypatch: pytest.MonkeyPatch
) -> None:
    site = pages.Pages(django)
    monkeypatch.setattr(pages, "ROOM_BYTES", 32)

    async def robot() -> None:
        for number in range(10):
            assert django.marks is not None
            path = f"/e/hall/draw/1/{number}/"
            request = PageRequest("hall", path, "", "testserver", False, "en")
            await site.update(request, django.marks)
            django.change()
            await site.update(request, django.marks)
        assert [each.path[-2] for each in site.answers] == ["7", "8", "9"]
        assert site.bytes == sum(answer.size for answer in site.answers.values())
        assert site.bytes <= pages.ROOM_BYTES

    visit(robot)


@pytest.mark.django_db(transaction=True)
def test_a_page_is_kept_by_the_parameters_that_it_reads(hall: tuple[Event, Round]) -> None:
    service = Service()

    async def phones() -> None:
        for path, read, ignored in (
            ("/e/hall/draw/", "by=name", "by=table"),
            ("/e/hall/draw/1/1/", "part=1", "part=2"),
            ("/e/hall/wall/", "screen=2-2", "screen=3-2"),
            ("/e/hall/wall/", "part=main", "part=day"),
            ("/e/hall/players/", "q=1", "by=name"),
            ("/e/hall/calendar.ics", "language=fr", "language=xx"),
        ):
            plain = await service.get(path)
            assert plain[0] == 200
            assert (await service.get(f"{path}?{read}"))[2] != plain[2], path
            assert (await service.get(f"{path}?{ignored}"))[2] == plain[2], path

    visit(phones)


def test_a_burst_of_changes_is_made_together(django: Django) -> None:
    service = Service(django)

    async def phones() -> None:
        await service.get(PATH)
        django.go.clear()
        django.change()
        await until(lambda: django.asked[PATH] == 2)
        for _signature in range(20):
            django.change()
        django.go.set()
        assert (await service.get(PATH, x_live_version="22"))[2] == b"page 22 en"

    visit(phones)
    assert django.asked[PATH] <= 4


def test_who_needs_a_later_page_is_answered_in_the_moment_that_another_is_ready(
    django: Django,
) -> None:
    site = pages.Pages(django)
    request = PageRequest("hall", PATH, "", "testserver", False, "en", "", "", False, "")

    async def phones() -> str:
        assert django.marks is not None
        django.go.clear()
        first = asyncio.ensure_future(site.update(request, django.marks))
        await until(lambda: django.asked[PATH] == 1)
        django.change()
        django.go.set()
        while request in site.renders and not site.renders[request].done():
            await asyncio.sleep(0)
        later = await site.update(request, django.marks)
        assert (await first).body == b"page 1 en"
        return later.body.decode()

    assert visit(phones) == "page 2 en"


def test_one_making_gives_every_player_a_part_and_others_none(django: Django) -> None:
    service = Service(django)

    async def phones() -> None:
        assert (await service.get("/e/hall/players/5/?part=place"))[2] == b"5 of 1"
        assert (await service.get("/e/hall/players/4/?part=place"))[2] == b"4 of 1"
        assert sum(django.asked.values()) == 1
        assert (await service.get("/e/hall/players/6/?part=place"))[0] == 299

    visit(phones)


@pytest.mark.parametrize(
    "changes",
    [
        {"host": "other.example"},
        {"method": "POST"},
        {"method": "HEAD"},
        {"authorization": "Bearer mnl_any"},
    ],
)
def test_who_may_not_have_a_finished_page_is_answered_by_django(
    django: Django, changes: dict[str, str]
) -> None:
    service = Service(django)

    async def phones() -> Any:
        await service.get(PATH)
        return await service.get(PATH, **changes)  # type: ignore[arg-type]

    assert visit(phones)[0] == 299


@pytest.mark.parametrize(
    "changes",
    [
        {"cookie": "django_language=fr"},
        {"accept_language": "fr"},
        {"cookie": "theme=dark"},
        {"cookie": "suits=four"},
        {"scheme": "https"},
        {"accept_encoding": "gzip"},
    ],
)
def test_whatever_a_page_depends_on_makes_another(django: Django, changes: dict[str, str]) -> None:
    service = Service(django)

    async def phones() -> Any:
        await service.get(PATH)
        return await service.get(PATH, **changes)  # type: ignore[arg-type]

    assert visit(phones)[0] == 200
    assert django.asked == {PATH: 2}


@pytest.mark.guide("security#security")
def test_what_it_does_not_depend_on_makes_none(django: Django) -> None:
    service = Service(django)

    async def phones() -> None:
        await service.get(PATH)
        for changes in ({"cookie": "csrftoken=1; theme=pink"}, {"user_agent": "x"}):
            await service.get(PATH, **changes)  # type: ignore[arg-type]
        await service.get(f"{PATH}?fbclid=IwAR0")

    visit(phones)
    assert django.asked == {PATH: 1}


@pytest.mark.guide("security#security")
def test_a_robot_with_many_questions_comes_after_somebody_with_one(
    django: Django, settings: Any
) -> None:
    settings.TRUST_PROXY = True

    async def work() -> None:
        service = Service(django)
        await service.get(PATH)
        django.asked.clear()
        django.go.clear()
        asked = [
            asyncio.ensure_future(
                service.get(f"/e/hall/players/?q=robot{n}", x_forwarded_for="203.0.113.9")
            )
            for n in range(20)
        ]
        await until(lambda: len(django.asked) == 1)
        player = service.get("/e/hall/players/?q=Jef", x_forwarded_for="192.0.2.7")
        asked.append(asyncio.ensure_future(player))
        await asyncio.sleep(0)
        django.go.set()
        await asyncio.gather(*asked)
        assert list(django.asked).index("/e/hall/players/?q=Jef") <= 2

    visit(work)


@pytest.mark.guide("security#security")
def test_robots_that_search_do_not_hold_the_hall_up(django: Django) -> None:
    service = Service(django)

    async def phones() -> None:
        await service.get("/e/hall/draw/")
        django.go.clear()
        robots = [
            asyncio.ensure_future(service.get(f"/e/hall/players/?q=robot{n}")) for n in range(60)
        ]
        await until(lambda: sum(django.asked.values()) == 2)
        page = asyncio.ensure_future(service.get(PATH))
        await until(lambda: django.asked[PATH] == 1)
        assert sum(django.asked.values()) == 3
        django.go.set()
        assert (await page)[0] == 200
        await asyncio.gather(*robots)

    visit(phones)


def test_a_page_that_is_not_there_is_not_stored(django: Django) -> None:
    service = Service(django)

    async def phones() -> list[int]:
        return [(await service.get("/e/hall/unknown/"))[0] for _time in range(2)]

    assert visit(phones) == [404, 404]
    assert django.asked["/e/hall/unknown/"] == 2


def test_an_unknown_event_is_answered_by_django(django: Django) -> None:
    service = Service(django)

    async def phones() -> list[int]:
        paths = ("/e/nowhere/standings/", "/e/nowhere/live/", "/e/nowhere/version/")
        return [(await service.get(path))[0] for path in paths]

    assert visit(phones) == [299, 299, 299]


def test_the_marks_are_what_the_caller_follows(django: Django) -> None:
    service = Service(django)

    async def phones() -> None:
        for query, body in (
            ("?player=5", b'{"event": 1, "draw": 1, "mine": 40}'),
            ("?player=6", b'{"event": 1, "draw": 1, "mine": 0}'),
            ("?player=x", b'{"event": 1, "draw": 1}'),
            ("", b'{"event": 1, "draw": 1}'),
        ):
            assert (await service.get(f"/e/hall/version/{query}"))[2] == body
        # Requests that Django refuses or redirects are passed on to Django.
        assert (await service.get("/e/hall/version/", host="evil.example"))[0] == 299
        with override_settings(SECURE_SSL_REDIRECT=True):
            assert (await service.get("/e/hall/version/"))[0] == 299

    visit(phones)


def test_without_a_database_pages_go_out_as_they_were_and_who_follows_hears_of_it(
    django: Django, monkeypatch: pytest.MonkeyPatch
) -> None:
    service = Service(django)
    monkeypatch.setattr(pages, "OUT_OF_DATE", 0.05)

    async def phones() -> None:
        assert (await service.get(PATH))[0] == 200
        looks = django.looks
        django.away = True
        await until(lambda: django.looks > looks + 1)
        while (reply := await service.get("/e/hall/version/"))[0] == 200:
            await asyncio.sleep(0.01)
        assert (reply[0], reply[1]["retry-after"]) == (503, "5")
        assert (await service.get("/e/hall/live/"))[0] == 503
        # A reader who opens the page gets the last version; a follower learns that it may be out of date.
        assert (await service.get(PATH))[2] == b"page 1 en"
        assert (await service.get(PATH, x_requested_with="live"))[0] == 503
        assert django.asked == {PATH: 1}
        django.away = False
        while (await service.get("/e/hall/version/"))[0] == 503:
            await asyncio.sleep(0.01)
        assert (await service.get(PATH, x_requested_with="live"))[0] == 200

    visit(phones)


def test_the_log_names_the_event_that_is_not_looked_at(
    django: Django, monkeypatch: pytest.MonkeyPatch
) -> None:
    service = Service(django)

    async def phones() -> None:
        assert (await service.get(PATH))[0] == 200
        looks = django.looks
        django.away = True
        await until(lambda: django.looks > looks + 1)

    with structlog.testing.capture_logs() as lines:
        visit(phones)
    (line, *_more) = [each for each in lines if each["event"] == "marks_without_database"]
    assert (line["slug"], line["error"]) == ("hall", "away")


def test_without_a_database_a_stream_ends(django: Django, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pages, "OUT_OF_DATE", 0.05)
    monkeypatch.setattr(asgi, "HEARTBEAT", 0.01)
    service = Service(django)

    async def phones() -> None:
        stream = asyncio.ensure_future(service.get("/e/hall/live/", until=b"never"))
        await until(lambda: django.looks > 0)
        django.away = True
        assert b'"event": 1' in (await stream)[2]

    visit(phones)


def test_a_page_that_nobody_has_asked_for_is_djangos_without_a_database(
    django: Django, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pages, "OUT_OF_DATE", 0.0)
    service = Service(django)

    async def phones() -> None:
        assert (await service.get(PATH))[0] == 200
        django.away = True
        while (await service.get("/e/hall/version/"))[0] == 200:
            await asyncio.sleep(0.01)
        assert (await service.get("/e/hall/draw/"))[0] == 299

    visit(phones)


def test_a_look_that_never_comes_back_is_a_failing_one(
    django: Django, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pages, "DEAD", 0.3)
    service = Service(django)

    async def phones() -> None:
        assert (await service.get(PATH))[0] == 200
        django.hold.clear()
        while (await service.get("/e/hall/version/"))[0] == 200:
            await asyncio.sleep(0.01)
        assert (await service.get(PATH))[2] == b"page 1 en"
        django.hold.set()
        while (await service.get("/e/hall/version/"))[0] == 503:
            await asyncio.sleep(0.01)

    visit(phones)


def test_whatever_is_being_made_the_marks_are_looked_at_and_nothing_goes_to_django(
    django: Django, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A hall that requests personal pages occupies every rendering thread."""
    monkeypatch.setattr(pages, "OUT_OF_DATE", 0.0)
    service = Service(django)

    async def phones() -> None:
        await service.get(PATH)
        django.go.clear()
        own = [
            asyncio.ensure_future(service.get(f"/e/hall/players/{number}/"))
            for number in range(1, 40)
        ]
        await until(lambda: sum(django.asked.values()) == 2)
        looks = django.looks
        await until(lambda: django.looks > looks + 5)
        assert (await service.get("/e/hall/version/"))[0] == 200
        assert (await service.get(PATH))[2] == b"page 1 en"
        # A shared page is started although all threads for personal pages are busy,
        django.change()
        await until(lambda: django.asked[PATH] == 2)
        # and the previous page is served until it is ready.
        await asyncio.sleep(0.05)
        assert (await service.get("/e/hall/version/"))[0] == 200
        assert (await service.get(PATH))[2] == b"page 1 en"
        django.go.set()
        assert {reply[0] for reply in await asyncio.gather(*own)} == {200}

    visit(phones)


def test_a_phone_that_reads_slowly_hears_the_last_version_only() -> None:
    async def listen() -> tuple[Marks, bool]:
        event = pages.FollowedEvent("hall")
        queue: asyncio.Queue[Marks] = asyncio.Queue(maxsize=1)
        event.listeners.add(queue)
        for version in range(1, 50):
            event.announce(Marks(PK, version))
        return queue.get_nowait(), queue.empty()

    assert asyncio.run(listen()) == (Marks(PK, 49), True)


def test_the_least_used_is_forgotten(django: Django, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pages, "ROOM", 2)
    service = Service(django)

    async def phones() -> None:
        for path in ("/e/hall/", "/e/hall/draw/", "/e/hall/", PATH, "/e/hall/"):
            await service.get(path)

    visit(phones)
    assert django.asked == {"/e/hall/": 1, "/e/hall/draw/": 1, PATH: 1}


def test_the_proxys_word_on_encryption_counts_where_it_is_trusted() -> None:
    said = Headers([(b"x-forwarded-proto", b"https, http")])
    assert not is_secure({"scheme": "http"}, said)
    with override_settings(SECURE_PROXY_SSL_HEADER=("HTTP_X_FORWARDED_PROTO", "https")):
        assert is_secure({"scheme": "http"}, said)
        assert not is_secure({"scheme": "https"}, Headers([(b"x-forwarded-proto", b"http")]))
        assert is_secure({"scheme": "https"}, Headers([]))


def test_cookies_in_two_headers_are_both_read() -> None:
    header = Headers(
        [(b"cookie", b"theme=dark"), (b"x", b"1"), (b"cookie", b"sessionid=1"), (b"x", b"2")]
    )
    assert (header(b"cookie"), header(b"x"), header(b"y")) == ("theme=dark; sessionid=1", "1,2", "")
