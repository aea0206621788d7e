"""What the pages of the director's desk share: who acts, and how a refusal is told."""

from __future__ import annotations

from collections.abc import Callable

from django.contrib import messages
from django.http import HttpRequest

from ledger.errors import Refused


def attempt(request: HttpRequest, act: Callable[[], object], success: str = "") -> bool:
    """Do one thing; tell the success, or the refusal as the service words it."""
    try:
        act()
    except Refused as refusal:
        messages.error(request, str(refusal))
        return False
    if success:
        messages.success(request, success)
    return True
