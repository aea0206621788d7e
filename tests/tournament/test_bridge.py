"""Request bodies arrive whole, and slow senders block no other request."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Iterator
from tempfile import SpooledTemporaryFile
from typing import Any

import pytest

from tests.tournament.phones import Service, visit
from tournament.public.bridge import Bridge, Headers, Receive, Send


def handed_in(
    django: Callable[[dict[str, Any], Callable[..., Any]], Iterable[bytes]],
    asked: list[dict[str, Any]],
    headers: list[tuple[bytes, bytes]] | None = None,
    query: bytes = b"",
) -> list[dict[str, Any]]:
    """Return the messages that a bridge sends for a POST whose body arrives in parts."""
    sent: list[dict[str, Any]] = []

    async def receive() -> dict[str, Any]:
        return asked.pop(0)

    async def send(message: dict[str, Any]) -> None:
        sent.append(message)

    scope = {"method": "POST", "path": "/t/\u00e9/", "query_string": query, "server": ("hall", 80)}
    asyncio.run(Bridge(django)(scope, Headers(headers or []), receive, send))
    return sent


def post(path: str) -> dict[str, Any]:
    return {"method": "POST", "path": path, "query_string": b"", "server": ("hall", 80)}


def taken_from(asked: list[dict[str, Any]]) -> Receive:
    """Return a receiver whose parts arrive one by one, and then nothing."""

    async def receive() -> dict[str, Any]:
        if not asked:
            await asyncio.Event().wait()
        return asked.pop(0)

    return receive


def kept_in(sent: list[dict[str, Any]]) -> Send:
    async def send(message: dict[str, Any]) -> None:
        sent.append(message)

    return send


def part(body: bytes, *, more: bool) -> dict[str, Any]:
    return {"type": "http.request", "body": body, "more_body": more}


@pytest.mark.parametrize("size", [10, 70_000, 2_000_000])
def test_a_slow_sender_holds_no_thread_and_what_was_sent_arrives_whole(size: int) -> None:
    body = b"x" * size
    asked = [part(body[:7], more=True), part(body[7:], more=False)]
    got: list[bytes] = []

    def django(environ: dict[str, Any], start: Callable[..., Any]) -> list[bytes]:
        assert asked == []
        got.append(environ["wsgi.input"].read())
        start("201 Created", [("X-Is", "here")])
        return [b"a", b"b"]

    head, answer = handed_in(django, asked)
    assert got == [body]
    assert head == {"type": "http.response.start", "status": 201, "headers": [(b"X-Is", b"here")]}
    assert answer["body"] == b"ab"


def test_who_leaves_before_all_is_sent_does_not_come_in() -> None:
    def django(*_: Any) -> list[bytes]:
        raise AssertionError("inside")

    asked = [part(b"half", more=True), {"type": "http.disconnect"}]
    assert handed_in(django, asked) == []


@pytest.mark.guide("security#security")
@pytest.mark.parametrize(
    ("path", "known", "most"),
    [
        ("/t/x/send/", True, 201),
        ("/desk/hall/import/", False, 201),
        ("/desk/hall/import/", True, 501),
        ("/api/v1/archives/", True, 501),
    ],
)
def test_a_body_without_end_goes_in_as_far_as_any_page_reads(
    settings: Any, path: str, known: bool, most: int
) -> None:
    """Only staff and programs may send files, and only to addresses for files."""
    settings.IMPORT_MAX_BYTES, settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 100, 200
    got: list[int] = []

    def django(environ: dict[str, Any], start: Callable[..., Any]) -> list[bytes]:
        got.append(len(environ["wsgi.input"].read()))
        start("413 Too Large", [])
        return []

    async def is_known(_header: Headers) -> bool:
        return known

    asked = [part(b"x" * 300, more=True) for _n in range(9)]
    sent: list[dict[str, Any]] = []
    bridge = Bridge(django, is_known)
    asyncio.run(bridge(post(path), Headers([]), taken_from(asked), kept_in(sent)))
    assert got == [most]
    assert bridge.of_strangers == 0


@pytest.mark.guide("security#security")
def test_twelve_half_requests_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each request announces 50 MB, sends a part and stops."""
    monkeypatch.setattr("tournament.public.bridge.STRANGER_SECONDS", 0.05)
    files: list[Any] = []

    def noted(in_memory: int) -> Any:
        files.append(SpooledTemporaryFile(in_memory))  # noqa: SIM115
        return files[-1]

    monkeypatch.setattr("tournament.public.bridge.SpooledTemporaryFile", noted)
    entered: list[int] = []

    def django(environ: dict[str, Any], start: Callable[..., Any]) -> list[bytes]:
        entered.append(len(environ["wsgi.input"].read()))
        start("413 Too Large", [])
        return []

    async def nobody(_header: Headers) -> bool:
        return False

    async def robots() -> list[list[dict[str, Any]]]:
        bridge = Bridge(django, nobody)
        answers: list[list[dict[str, Any]]] = [[] for _robot in range(12)]
        header = Headers([(b"content-length", b"50000000")])
        halves = [
            bridge(post("/desk/take-up/"), header, taken_from(asked), kept_in(sent))
            for asked, sent in zip(
                [[part(b"x" * 1000, more=True) for _n in range(900)] for _robot in range(12)],
                answers,
                strict=True,
            )
        ]
        await asyncio.gather(*halves)
        assert bridge.of_strangers == 0
        return answers

    answers = asyncio.run(robots())
    assert [sent[0]["status"] for sent in answers] == [408] * 12
    assert entered == []
    assert all(file.closed for file in files)


@pytest.mark.guide("security#security")
def test_all_that_strangers_send_at_a_time_has_a_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tournament.public.bridge.ALL_STRANGERS", 2_500)
    monkeypatch.setattr("tournament.public.bridge.STRANGER_SECONDS", 0.2)

    def django(_environ: dict[str, Any], start: Callable[..., Any]) -> list[bytes]:
        start("201 Created", [])
        return []

    async def robots() -> list[int]:
        bridge = Bridge(django)
        answers: list[list[dict[str, Any]]] = [[] for _robot in range(5)]
        halves = [
            bridge(
                post("/t/x/"),
                Headers([]),
                taken_from([part(b"x" * 1000, more=True)]),
                kept_in(sent),
            )
            for sent in answers
        ]
        await asyncio.gather(*halves)
        # Then there is room again.
        last: list[dict[str, Any]] = []
        whole = [part(b"x" * 2000, more=False)]
        await bridge(post("/t/x/"), Headers([]), taken_from(whole), kept_in(last))
        return [sent[0]["status"] for sent in (*answers, last)]

    statuses = asyncio.run(robots())
    assert statuses[:2] == [408, 408]
    assert statuses[2] == 503
    assert statuses[-1] == 201


def test_headers_arrive_as_wsgi_names_them_and_none_passes_for_another() -> None:
    seen: dict[str, Any] = {}

    def django(environ: dict[str, Any], start: Callable[..., Any]) -> list[bytes]:
        seen.update(environ)
        start("200 OK", [])
        return []

    headers = [
        (b"content-type", b"text/plain"),
        (b"cookie", b"a=1"),
        (b"cookie", b"b=2"),
        (b"x-forwarded-for", b"192.0.2.1"),
        (b"x_forwarded_for", b"203.0.113.9"),
    ]
    handed_in(django, [part(b"", more=False)], headers, query=b"q=\xc3\xa9")
    assert seen["CONTENT_TYPE"] == "text/plain"
    assert seen["HTTP_COOKIE"] == "a=1; b=2"
    assert seen["HTTP_X_FORWARDED_FOR"] == "192.0.2.1"
    assert seen["QUERY_STRING"] == "q=%C3%A9"
    assert seen["PATH_INFO"] == "/t/\xc3\xa9/"


def test_a_stream_is_sent_as_it_comes_and_ended() -> None:
    closed: list[bool] = []

    class Stream:
        streaming = True

        def __iter__(self) -> Iterator[bytes]:
            yield from (b"one", b"two")

        def close(self) -> None:
            closed.append(True)

    def django(_environ: dict[str, Any], start: Callable[..., Any]) -> Any:
        start("200 OK", [])
        return Stream()

    _head, *bodies = handed_in(django, [part(b"", more=False)])
    assert [(m["body"], m.get("more_body", False)) for m in bodies] == [
        (b"one", True),
        (b"two", True),
        (b"", False),
    ]
    assert closed == [True]


@pytest.mark.django_db(transaction=True)
def test_django_answers_behind_it() -> None:
    status, headers, body = visit(lambda: Service().get("/health/live/"))
    assert (status, body) == (200, b'{"status": "alive"}')
    assert headers["content-type"] == "application/json"
