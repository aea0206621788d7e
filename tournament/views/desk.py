"""Shared parts of the director's desk: the actor, and messages for refusals."""

from __future__ import annotations

from collections.abc import Callable

from django.contrib import messages
from django.http import HttpRequest

from ledger.errors import Refused


def attempt(request: HttpRequest, act: Callable[[], object], success: str = "") -> bool:
    """Run one act; show its success, or the refusal in the service's words."""
    try:
        act()
    except Refused as refusal:
        messages.error(request, str(refusal))
        return False
    if success:
        messages.success(request, success)
    return True
