"""The door: the bytes and headers of the pages inside, for those alone who may have them."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest
from django.core.handlers.asgi import ASGIHandler
from django.test import Client
from django.test.utils import override_settings

from tests.tournament.build import make_event
from tournament import kept
from tournament.door import Headers, door, is_secure
from tournament.kept import Marks
from tournament.services.events import bump

PATH = "/e/hall/standings/"


@pytest.fixture(autouse=True)
def _fresh(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(kept.versions, "seen", {})
    kept.store.clear()
    yield
    kept.store.clear()


class House:
    """The application behind its door: what went in, what was noted, what came out."""

    def __init__(self, inside: Any = None) -> None:
        self.inside = inside
        self.entered: list[str] = []
        self.noted: list[int] = []
        self.application = door(self._enter, lambda status, _seconds: self.noted.append(status))

    async def _enter(self, scope: Any, receive: Any, send: Any) -> None:
        self.entered.append(scope["path"])
        if self.inside is not None:
            await self.inside(scope, receive, send)
        else:
            await send({"type": "http.response.start", "status": 299, "headers": []})
            await send({"type": "http.response.body", "body": b"inside"})

    def get(self, path: str, *, method: str = "GET", scheme: str = "http", **headers: str) -> Any:
        return asyncio.run(self.ask(path, method=method, scheme=scheme, **headers))

    async def ask(
        self, path: str, *, method: str = "GET", scheme: str = "http", **headers: str
    ) -> Any:
        path, _mark, query = path.partition("?")
        sent: list[Any] = []
        read: list[bool] = []
        given = {"host": "testserver", **{n.replace("_", "-"): v for n, v in headers.items()}}

        async def send(message: Any) -> None:
            sent.append(message)

        async def receive() -> Any:
            if read:
                await asyncio.Event().wait()  # as long as the phone stays
            read.append(True)
            return {"type": "http.request", "body": b"", "more_body": False}

        await self.application(
            {
                "type": "http", "method": method, "path": path, "query_string": query.encode(),
                "scheme": scheme, "headers": [(n.encode(), v.encode()) for n, v in given.items()],
            },
            receive, send,
        )  # fmt: skip
        found = {n.decode().lower(): v.decode() for n, v in sent[0]["headers"]}
        return sent[0]["status"], found, b"".join(m.get("body", b"") for m in sent[1:])


@pytest.mark.django_db(transaction=True)
def test_the_second_phone_is_answered_at_the_door_with_the_same_page() -> None:
    make_event(8, slug="hall")
    house = House(ASGIHandler())

    async def two() -> Any:
        return await house.ask(PATH), await house.ask(PATH)

    (status, headers, body), (again, given, same) = asyncio.run(two())
    assert (status, again) == (200, 200)
    assert house.entered == [PATH]
    assert house.noted == [200]
    assert same == body
    number = headers.pop("x-request-id"), given.pop("x-request-id")
    assert number[0] != number[1]
    assert given == headers
    for name in ("content-security-policy", "x-frame-options", "x-content-type-options", "vary"):
        assert given[name]


@pytest.mark.django_db(transaction=True)
def test_the_door_answers_304_and_never_an_older_page_than_told() -> None:
    event = make_event(8, slug="hall")
    house = House(ASGIHandler())

    async def visit() -> None:
        _status, headers, _body = await house.ask(PATH)
        etag = headers["etag"]
        status, given, body = await house.ask(PATH, if_none_match=etag)
        assert (status, body, given["etag"]) == (304, b"", etag)
        assert "content-length" not in given
        await asyncio.to_thread(bump, event.pk)
        told = str(kept.versions.seen["hall"][1].version + 1)  # type: ignore[union-attr]
        status, given, _body = await house.ask(PATH, if_none_match=etag, x_live_version=told)
        assert status == 200
        assert given["etag"] != etag

    asyncio.run(visit())


class Seen:
    """A look that always sees the same marks."""

    def __init__(self, marks: Marks | None) -> None:
        self.marks = marks

    def __call__(self, slug: str) -> Marks | None:
        return self.marks


@pytest.fixture
def full(monkeypatch: pytest.MonkeyPatch) -> House:
    """A house whose store has the page for a phone without cookies."""
    import uuid

    from django.http import HttpResponse
    from django.test import RequestFactory

    from tournament.front import asked_by

    marks = Marks(uuid.UUID(int=7), 3, 2, 9, {5: 40})
    monkeypatch.setattr(kept, "_look_up", Seen(marks))
    asked = asked_by(RequestFactory().get(PATH, headers={"host": "testserver"}))
    assert asked is not None
    page = HttpResponse(b"page", headers={"ETag": 'W/"v3"'})
    kept.mark_answer(page, marks, "event")
    kept.store.put(asked.key, page)
    return House()


def test_a_phone_without_cookies_is_served(full: House) -> None:
    assert full.get(PATH)[2] == b"page"


@pytest.mark.parametrize(
    "changes",
    [
        {"cookie": "sessionid=abc"}, {"cookie": "theme=; sessionid=abc"}, {"cookie": "messages=x"},
        {"cookie": "django_language=fr"}, {"cookie": "theme=dark"}, {"accept_language": "fr"},
        {"host": "other.example"}, {"scheme": "https"}, {"method": "POST"}, {"method": "HEAD"},
        {"accept_encoding": "gzip"},
    ],
)  # fmt: skip
def test_anybody_else_goes_in(full: House, changes: dict[str, str]) -> None:
    assert full.get(PATH, **changes)[2] == b"inside"  # type: ignore[arg-type]


@pytest.mark.parametrize("path", ["/p/secret/", "/desk/hall/", "/e/hall/live/", PATH + "?q=a", "/"])
def test_other_addresses_go_in(full: House, path: str) -> None:
    assert full.get(path)[0] == 299


def test_cookies_in_two_headers_are_both_read() -> None:
    header = Headers(
        [(b"Cookie", b"theme=dark"), (b"cookie", b"sessionid=1"), (b"X", b"1"), (b"x", b"2")]
    )
    assert (header("cookie"), header("x"), header("y")) == ("theme=dark; sessionid=1", "1,2", "")


def test_an_unknown_event_goes_in(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept, "_look_up", Seen(None))
    assert House().get(PATH)[0] == 299


def test_a_database_that_is_away_is_answered_inside(monkeypatch: pytest.MonkeyPatch) -> None:
    from django.db import OperationalError

    def away(_slug: str) -> Marks | None:
        raise OperationalError("away")

    monkeypatch.setattr(kept, "_look_up", away)
    assert House().get(PATH)[0] == 299


def test_the_poll_is_answered_at_the_door(full: House) -> None:
    status, headers, body = full.get("/e/hall/version/?player=5")
    assert (status, headers["content-type"]) == (200, "application/json")
    assert body == b'{"event": 3, "draw": 2, "mine": 40}'
    assert full.get("/e/hall/version/?player=6")[2] == b'{"event": 3, "draw": 2, "mine": 0}'
    assert full.get("/e/hall/version/?player=x")[2] == b'{"event": 3, "draw": 2}'
    # Whom the application would refuse, it refuses itself.
    assert full.get("/e/hall/version/", host="evil.example")[0] == 299
    with override_settings(SECURE_SSL_REDIRECT=True):
        assert full.get("/e/hall/version/")[0] == 299


def test_the_proxys_word_on_encryption_counts_where_it_is_trusted() -> None:
    said = Headers([(b"x-forwarded-proto", b"https, http")])
    assert not is_secure({"scheme": "http"}, said)
    with override_settings(SECURE_PROXY_SSL_HEADER=("HTTP_X_FORWARDED_PROTO", "https")):
        assert is_secure({"scheme": "http"}, said)
        assert not is_secure({"scheme": "https"}, Headers([(b"x-forwarded-proto", b"http")]))
        assert is_secure({"scheme": "https"}, Headers([]))


def test_what_is_no_request_goes_in() -> None:
    entered: list[str] = []

    async def inside(scope: Any, receive: Any, send: Any) -> None:
        entered.append(scope["type"])

    async def nothing(*_: Any) -> Any:
        return None

    asyncio.run(door(inside, lambda status, seconds: None)({"type": "lifespan"}, nothing, nothing))
    assert entered == ["lifespan"]


@pytest.mark.django_db
def test_the_door_and_the_house_know_a_request_by_the_same_key(client: Client) -> None:
    """What is put inside is found at the door: both build the key in one place."""
    make_event(8, slug="hall")
    client.get(PATH, headers={"accept-language": "nl", "accept-encoding": "gzip"})
    (key,) = kept.store.kept
    from tournament.front import asked_of

    header = Headers(
        [(b"host", b""), (b"accept-language", b"nl"), (b"accept-encoding", b"gzip, br")]
    )
    asked = asked_of("GET", PATH, "", secure=False, header=header)
    assert asked is not None
    assert asked.key == key
