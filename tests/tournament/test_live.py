"""The stream and the front: one look for all who ask, what may be kept, never stale."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import Iterator

import pytest
from django.http import HttpRequest, HttpResponse
from django.test import AsyncClient, RequestFactory

from tests.tournament.build import make_event
from tournament import kept
from tournament.front import asked_by
from tournament.kept import Marks, Store, Versions, mark_answer
from tournament.views.live import Watch

PK = uuid.UUID(int=7)


@pytest.fixture(autouse=True)
def _fresh() -> Iterator[None]:
    kept.store.clear()
    yield
    kept.store.clear()


class Looks:
    """A stand-in for the database: the version there is, and how often it was looked at."""

    def __init__(self, version: int = 1) -> None:
        self.version = version
        self.count = 0

    def __call__(self, slug: str) -> Marks | None:
        self.count += 1
        return Marks(PK, self.version) if slug == "x" else None


def run(work: object) -> object:
    return asyncio.run(work)  # type: ignore[arg-type]


def test_many_who_ask_share_one_look(monkeypatch: pytest.MonkeyPatch) -> None:
    looks = Looks()
    monkeypatch.setattr(kept, "_look_up", looks)
    versions = Versions()

    async def ask() -> list[Marks | None]:
        return list(await asyncio.gather(*(versions.of("x", 0) for _phone in range(500))))

    assert set(run(ask())) == {Marks(PK, 1)}  # type: ignore[call-overload]
    assert looks.count == 1


def test_who_was_told_of_a_version_never_gets_an_older_one(monkeypatch: pytest.MonkeyPatch) -> None:
    looks = Looks()
    monkeypatch.setattr(kept, "_look_up", looks)
    versions = Versions()

    async def ask() -> tuple[object, object]:
        await versions.of("x", 0)
        looks.version = 2
        return await versions.of("x", 0), await versions.of("x", 2)

    # Within the window the first may be the old one; the second was told of 2.
    assert run(ask()) == (Marks(PK, 1), Marks(PK, 2))


def test_an_unknown_event_is_remembered_as_such(monkeypatch: pytest.MonkeyPatch) -> None:
    looks = Looks()
    monkeypatch.setattr(kept, "_look_up", looks)
    versions = Versions()

    async def ask() -> list[object]:
        return [await versions.of("nowhere", 0) for _again in range(3)]

    assert run(ask()) == [None, None, None]
    assert looks.count == 1


def request(path: str = "/e/x/standings/", **headers: str) -> HttpRequest:
    return RequestFactory().get(path, **headers)


def page(version: int, body: bytes = b"page") -> HttpResponse:
    response = HttpResponse(body, headers={"ETag": f'W/"{version}"'})
    mark_answer(response, Marks(PK, version), "event")
    return response


def test_only_what_may_be_kept_is_kept() -> None:
    store = Store()
    for response in (HttpResponse(b"x"), HttpResponse(status=404), page(1)):
        store.put(("k",), response)
    assert len(store.kept) == 1
    with_cookie = page(2)
    with_cookie.set_cookie("a", "b")
    store.put(("c",), with_cookie)
    assert ("c",) not in store.kept
    assert store.get(("k",), Marks(PK, 2)) is None
    assert store.get(("k",), Marks(uuid.UUID(int=8), 1)) is None


def test_the_store_forgets_the_least_used(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept, "MOST", 2)
    store = Store()
    store.put(("a",), page(1))
    store.put(("b",), page(1))
    store.get(("a",), Marks(PK, 1))
    store.put(("c",), page(1))
    assert set(store.kept) == {("a",), ("c",)}


@pytest.mark.parametrize(
    ("path", "headers", "kept"),
    [
        ("/e/x/standings/", {}, True),
        ("/api/v1/events/x/players/", {}, True),
        ("/e/x/live/", {}, False),
        ("/desk/x/", {}, False),
        ("/p/abc/", {}, False),
        ("/e/x/", {"HTTP_COOKIE": "sessionid=1"}, False),
        ("/e/x/", {"HTTP_COOKIE": "messages=1"}, False),
        ("/e/x/", {"HTTP_COOKIE": "theme=dark"}, True),
    ],
)
def test_what_the_front_answers(path: str, headers: dict[str, str], kept: bool) -> None:
    assert (asked_by(request(path, **headers)) is not None) == kept


@pytest.mark.parametrize(
    "headers",
    [
        {"HTTP_HOST": "other.example"}, {"HTTP_ACCEPT_LANGUAGE": "fr"},
        {"HTTP_COOKIE": "theme=dark"}, {"HTTP_COOKIE": "suits=four"},
        {"HTTP_ACCEPT_ENCODING": "gzip"}, {"QUERY_STRING": "part=1"},
    ],
)  # fmt: skip
def test_whatever_a_page_depends_on_is_in_its_key(headers: dict[str, str]) -> None:
    assert asked_by(request()) != asked_by(request(**headers))


def test_only_a_read_is_answered() -> None:
    assert asked_by(RequestFactory().post("/e/x/")) is None
    assert asked_by(RequestFactory().head("/e/x/")) is None


# The stream -------------------------------------------------------------------------------------


def test_a_slow_reader_hears_the_last_version_only() -> None:
    async def listen() -> tuple[Marks, bool]:
        watch = Watch()
        queue: asyncio.Queue[Marks] = asyncio.Queue(maxsize=1)
        watch.listeners["x"] = {queue}
        for version in range(1, 50):
            watch.tell("x", Marks(PK, version, 0))
        return queue.get_nowait(), queue.empty()

    assert run(listen()) == (Marks(PK, 49, 0), True)


def test_who_joins_late_is_told_where_things_stand(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept, "_look_up", Looks(5))

    async def listen() -> Marks:
        watch = Watch()
        watch.known["x"] = Marks(PK, 5, 1)
        return watch.join("x").get_nowait()

    assert run(listen()) == Marks(PK, 5, 1)


def test_nobody_listens_and_the_watch_forgets() -> None:
    async def leave() -> Watch:
        watch = Watch()
        watch.known["x"] = Marks(PK, 5, 1)
        queue: asyncio.Queue[Marks] = asyncio.Queue(maxsize=1)
        watch.listeners["x"] = {queue}
        watch.leave("x", queue)
        return watch

    left = run(leave())
    assert left.listeners == left.known == {}  # type: ignore[attr-defined]


@pytest.mark.django_db(transaction=True)
def test_the_stream_is_never_compressed_and_tells_topics() -> None:
    event = make_event(0, slug="hall")

    async def read() -> tuple[str, bytes]:
        response = await AsyncClient(headers={"accept-encoding": "gzip"}).get("/e/hall/live/")
        stream = aiter(response)
        lines = b""
        while b"data:" not in lines:
            lines += await anext(stream)
        await stream.aclose()  # type: ignore[attr-defined]
        return response["Content-Encoding"], lines

    encoding, lines = run(read())  # type: ignore[misc]
    event.refresh_from_db()
    assert encoding == "identity"
    assert f'data: {{"event": {event.version}, "draw": 0}}'.encode() in lines


@pytest.mark.django_db(transaction=True)
def test_an_unknown_event_has_no_stream() -> None:
    async def read() -> int:
        return (await AsyncClient().get("/e/nowhere/live/")).status_code

    assert run(read()) == 404
