"""One change of threads for a whole request: the same answers as under a synchronous server."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from asgiref.sync import SyncToAsync
from django.core.exceptions import MiddlewareNotUsed
from django.core.handlers.asgi import ASGIHandler
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.test import Client, RequestFactory
from django.urls import path

from config.one_thread import PATH, Below, OneThread
from tests.tournament.build import make_event
from tournament import kept

Heard = list[tuple[str, int]]
heard: Heard = []


class Noting:
    """A middleware with every hook, which notes the thread that each runs in."""

    name = "outer"

    def __init__(self, get_response: Callable[[HttpRequest], Any]) -> None:
        self.get_response = get_response

    def note(self, what: str) -> None:
        heard.append((f"{self.name} {what}", threading.get_ident()))

    def __call__(self, request: HttpRequest) -> Any:
        self.note("request")
        response = self.get_response(request)
        self.note("response")
        return response

    def process_view(self, *_words: Any) -> None:
        self.note("view")

    def process_exception(self, _request: HttpRequest, error: Exception) -> HttpResponse:
        self.note("exception")
        return HttpResponse(str(error), status=418)


class Inner(Noting):
    name = "inner"

    def process_exception(self, _request: HttpRequest, error: Exception) -> None:  # type: ignore[override]
        self.note("exception")


class Absent:
    """A middleware that is not used here."""

    def __init__(self, _get_response: object) -> None:
        raise MiddlewareNotUsed


def good(_request: HttpRequest) -> HttpResponse:
    heard.append(("the page", threading.get_ident()))
    return HttpResponse("good")


def bad(_request: HttpRequest) -> HttpResponse:
    raise ValueError("broken cup")


async def lines(_request: HttpRequest) -> StreamingHttpResponse:
    """As the stream of an event: a coroutine, whose lines come later and in the loop's thread."""

    async def each() -> Any:
        for number in range(3):
            await asyncio.sleep(0)
            heard.append(("a line", threading.get_ident()))
            yield f"{number}\n".encode()

    return StreamingHttpResponse(each())


urlpatterns = [path("good/", good), path("bad/", bad), path("lines/", lines)]


def served(address: str, **headers: str) -> tuple[int, dict[str, str], bytes, int]:
    """Status, headers and body as an asynchronous server gets them, and the loop's thread."""

    async def ask() -> list[Any]:
        asked = iter([{"type": "http.request", "body": b"", "more_body": False}])
        sent: list[Any] = []
        ended = asyncio.Event()

        async def receive() -> Any:
            for message in asked:
                return message
            await ended.wait()

        async def send(message: Any) -> None:
            sent.append(message)

        where, _mark, query = address.partition("?")
        scope = {
            "type": "http", "method": "GET", "path": where, "raw_path": where.encode(),
            "query_string": query.encode(), "scheme": "http", "http_version": "1.1",
            "headers": [(b"host", b"testserver")]
            + [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()],
            "server": ("testserver", 80), "client": ("127.0.0.1", 9),
        }  # fmt: skip
        await ASGIHandler()(scope, receive, send)
        return sent

    began, *rest = asyncio.run(ask())
    given = {name.decode().lower(): value.decode() for name, value in began["headers"]}
    body = b"".join(message.get("body", b"") for message in rest)
    return began["status"], given, body, threading.get_ident()


@pytest.fixture
def _noting(settings: Any) -> Iterator[None]:
    here = __name__
    settings.ROOT_URLCONF = here
    settings.MIDDLEWARE = [PATH, f"{here}.Noting", f"{here}.Absent", f"{here}.Inner"]
    heard.clear()
    yield
    heard.clear()


@pytest.mark.usefixtures("_noting")
def test_hooks_and_page_run_in_one_thread_in_their_order() -> None:
    status, _headers, body, loop = served("/good/")
    assert (status, body) == (200, b"good")
    assert [what for what, _thread in heard] == [
        "outer request", "inner request", "outer view", "inner view", "the page",
        "inner response", "outer response",
    ]  # fmt: skip
    threads = {thread for _what, thread in heard}
    assert len(threads) == 1
    assert loop not in threads


@pytest.mark.usefixtures("_noting")
def test_a_fault_passes_the_middlewares_from_within() -> None:
    status, _headers, body, _loop = served("/bad/")
    assert (status, body) == (418, b"broken cup")
    assert [what for what, _thread in heard if "exception" in what] == [
        "inner exception", "outer exception",
    ]  # fmt: skip


@pytest.mark.usefixtures("_noting")
def test_a_stream_is_opened_through_them_and_runs_in_the_loop() -> None:
    status, _headers, body, loop = served("/lines/")
    assert (status, body) == (200, b"0\n1\n2\n")
    assert {thread for what, thread in heard if what == "a line"} == {loop}
    assert {thread for what, thread in heard if what != "a line"} != {loop}


@pytest.mark.django_db
def test_a_request_changes_threads_a_handful_of_times(monkeypatch: pytest.MonkeyPatch) -> None:
    changes: list[Any] = []
    real = SyncToAsync.__call__

    async def counted(self: SyncToAsync[..., Any], *args: Any, **kwargs: Any) -> Any:
        changes.append(self.func)
        return await real(self, *args, **kwargs)

    monkeypatch.setattr(SyncToAsync, "__call__", counted)
    assert served("/health/live/")[0] == 200
    # The chain; the rest are what Django does before and after (its signals, closing the answer).
    assert len(changes) <= 6, changes


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    "address",
    ["/e/hall/", "/e/hall/standings/", "/e/hall/draw/", "/e/hall/nowhere/", "/login/", "/desk/",
     "/api/v1/events/hall/players/", "/api/v1/events/nowhere/", "/e/hall/?q=1"],
)  # fmt: skip
def test_the_answer_is_that_of_a_synchronous_server(address: str) -> None:
    make_event(8, name="Hall", slug="hall")
    kept.store.clear()
    status, headers, body, _loop = served(address, accept_language="nl")
    kept.store.clear()
    expected = Client(headers={"accept-language": "nl"}).get(address)
    assert status == expected.status_code
    varying = {"x-request-id", "set-cookie", "content-length", "content-security-policy"}
    assert {name: value for name, value in headers.items() if name not in varying} == {
        name.lower(): value for name, value in expected.headers.items() if name.lower() not in varying
    }  # fmt: skip
    assert len(body) == len(expected.content)


def test_under_a_synchronous_server_it_is_not_there() -> None:
    made = HttpResponse("as it came")
    assert OneThread(lambda _request: made)(RequestFactory().get("/")) is made


def test_the_chain_is_that_of_the_settings(settings: Any) -> None:
    below = Below()
    listed = settings.MIDDLEWARE
    assert "django.middleware.csrf.CsrfViewMiddleware" in listed[listed.index(PATH) :]
    owners = [type(hook.__self__).__name__ for hook in below._view_middleware]
    assert "CsrfViewMiddleware" in owners
