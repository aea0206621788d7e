"""What the pages of the director's desk share: who acts, and how a refusal is told."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.http import HttpRequest

from ledger.actors import Actor
from ledger.errors import Refused


def actor_of(request: HttpRequest) -> Actor:
    """The signed-in member of staff as an actor."""
    return Actor.user(request.user.pk)


def attempt(request: HttpRequest, act: Callable[[], Any], success: str = "") -> bool:
    """Do one thing; tell the success, or the refusal as the service words it."""
    try:
        act()
    except Refused as refusal:
        messages.error(request, str(refusal))
        return False
    if success:
        messages.success(request, success)
    return True
