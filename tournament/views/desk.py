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


def whole(text: str | None) -> int:
    """A whole number of at most six digits; 0 for anything else."""
    text = (text or "").strip()
    return int(text) if text.isascii() and text.isdigit() and len(text) < 7 else 0


def numbers_in(text: str) -> list[int]:
    """The start or table numbers in what somebody typed: ``3, 7 12-15``; at most 2,000 of them.

    >>> numbers_in("3, 7 12-15 x")
    [3, 7, 12, 13, 14, 15]
    """
    numbers: list[int] = []
    for part in text.replace(",", " ").replace(";", " ").replace("–", "-").split()[:2000]:
        low, dash, high = part.partition("-")
        if whole(low) and (not dash or whole(low) <= whole(high) <= whole(low) + 2000):
            numbers += range(whole(low), (whole(high) if dash else whole(low)) + 1)
    return list(dict.fromkeys(numbers))[:2000]
