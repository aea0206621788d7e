"""A step of the chain says once what it is for, whichever kind of handler is within."""

from __future__ import annotations

import asyncio
import threading
from typing import Any

import pytest
from asgiref.sync import iscoroutinefunction
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.test import RequestFactory

from ledger.middleware import Middleware, Passing

asked: list[int] = []


def within(_request: HttpRequest) -> HttpResponse:
    asked.append(threading.get_ident())
    return HttpResponse("from within")


async def within_async(request: HttpRequest) -> HttpResponse:
    return within(request)


class Stamp(Middleware):
    """Answers POST itself and marks what comes from within."""

    def passing(self, request: HttpRequest) -> Passing:
        if request.method == "POST":
            return HttpResponse("from here", status=405)
        response = yield
        response.headers["X-Stamp"] = "seen"
        return response


def answer(step: type[Middleware], handler: Any, method: str = "get") -> HttpResponseBase:
    """What ``step`` lets out, awaited where it must be."""
    out = step(handler)(getattr(RequestFactory(), method)("/"))
    if isinstance(out, HttpResponseBase):
        return out

    async def awaited() -> HttpResponseBase:
        return await out

    return asyncio.run(awaited())


@pytest.mark.parametrize("handler", [within, within_async])
def test_a_request_passes_and_its_response_is_seen(handler: Any) -> None:
    asked.clear()
    response = answer(Stamp, handler)
    assert response.headers["X-Stamp"] == "seen"
    assert asked == [threading.get_ident()]


@pytest.mark.parametrize("handler", [within, within_async])
def test_who_answers_himself_asks_nothing_within(handler: Any) -> None:
    asked.clear()
    response = answer(Stamp, handler, "post")
    assert (response.status_code, asked) == (405, [])
    assert "X-Stamp" not in response.headers


@pytest.mark.parametrize("handler", [within, within_async])
def test_a_step_without_words_passes_everything(handler: Any) -> None:
    assert answer(Middleware, handler).status_code == 200


def test_it_is_of_the_kind_of_the_handler_within() -> None:
    assert iscoroutinefunction(Stamp(within_async))
    assert not iscoroutinefunction(Stamp(within))


def test_a_step_that_yields_twice_is_a_mistake() -> None:
    class Twice(Middleware):
        def passing(self, request: HttpRequest) -> Passing:
            yield
            return (yield)

    with pytest.raises(RuntimeError, match="once"):
        answer(Twice, within)
