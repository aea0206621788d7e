"""The request that is being served, for the audit log and the structured logs."""

from __future__ import annotations

from contextvars import ContextVar
from typing import Final

current_request_id: ContextVar[str] = ContextVar("current_request_id", default="")
"""Id of the request or job in hand; empty outside one."""

RENDERED_FOR: Final = "manille.request_id"
"""The key of the id of the request for which the server itself renders a page."""

WAITS: Final = "manille.waits"
"""The key of a request's environment under which the server takes seconds to hold the answer back.

It waits outside the threads that answer requests; a server that cannot do so gives no list.
"""
