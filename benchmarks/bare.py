"""Baseline for the application server: an answer of one line, without Django."""

from __future__ import annotations

from typing import Any

BODY = b'{"status": "alive"}'


async def application(scope: dict[str, object], receive: Any, send: Any) -> None:
    """Answer every request with the same line."""
    if scope["type"] != "http":
        return
    headers = [(b"content-type", b"application/json"), (b"content-length", b"19")]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": BODY})
