"""What the referees' pages share: the caller, refusals as messages, forms of facts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.http import HttpRequest
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from ledger.actors import Actor
from ledger.errors import Refused
from scoring.engine.errors import EngineError
from tournament.tables.entry import refusal_text

HEARING = "hearing"
"""What of a session keeps the reason that the committee typed before it went on to change a ruling."""


def actor_of(request: HttpRequest) -> Actor:
    """The signed-in member of staff."""
    return Actor.user(request.user.pk)


def in_words(error: EngineError) -> str:
    """The engine's refusal of a ruling, in the reader's language."""
    if (error.code, error.field) == ("missing_key", "contract"):
        return _("This deal is not recorded yet: record it first, then rule on it.")
    return refusal_text(error, get_language() or "en")


def attempt(request: HttpRequest, act: Callable[[], Any], success: str = "") -> Any:
    """Do one thing; what it gives back, or ``None`` after telling the refusal."""
    try:
        done = act()
    except Refused as refusal:
        messages.error(request, str(refusal))
        return None
    except EngineError as error:
        messages.error(request, in_words(error))
        return None
    if success:
        messages.success(request, success)
    return done


def whole(text: str | None) -> int | None:
    """A number typed in a field, ``None`` for anything else."""
    text = (text or "").strip()
    return int(text) if text.isascii() and text.isdigit() and len(text) < 9 else None
