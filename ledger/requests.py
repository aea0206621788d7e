"""The request that is being served, for the audit log and the structured logs."""

from __future__ import annotations

from contextvars import ContextVar

current_request_id: ContextVar[str] = ContextVar("current_request_id", default="")
"""Id of the request or job in hand; empty outside one."""
