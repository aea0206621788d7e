"""What the referees' pages share: the caller, refusals as messages, forms of facts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.http import HttpRequest

from ledger.actors import Actor
from ledger.errors import Refused
from scoring.engine.errors import EngineError


def actor_of(request: HttpRequest) -> Actor:
    """The signed-in member of staff."""
    return Actor.user(request.user.pk)


def attempt(request: HttpRequest, act: Callable[[], Any], success: str = "") -> Any:
    """Do one thing; what it gives back, or ``None`` after telling the refusal."""
    try:
        done = act()
    except Refused as refusal:
        messages.error(request, str(refusal))
        return None
    except EngineError as error:
        messages.error(request, error.message)
        return None
    if success:
        messages.success(request, success)
    return done


def whole(text: str | None) -> int | None:
    """A number typed in a field, ``None`` for anything else."""
    text = (text or "").strip()
    return int(text) if text.isascii() and text.isdigit() and len(text) < 9 else None
