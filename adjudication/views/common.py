"""Shared parts of the referees' pages: the caller, refusals as messages, forms of facts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeVar

from django.contrib import messages
from django.http import HttpRequest
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from accounts.pages import Crumb
from adjudication.models import Incident, NextRound
from ledger.errors import Refused
from scoring.engine.errors import EngineError
from tournament.tables.entry import refusal_text
from tournament.views.doing import once_a_form

T = TypeVar("T")
HEARING = "hearing"
"""Key of the session for the committee's form as typed, while it changes a ruling."""


Answers = tuple[tuple[str, str | Promise], ...]
NEXT_ROUNDS: Final[Answers] = tuple((each.value, each.label) for each in NextRound if each.value)
"""Value and label of the answers on draws already made."""


def crumbs(slug: str, *more: Crumb) -> list[Crumb]:
    """Return the way back up from a page of the referees."""
    return [Crumb(_("Referee"), reverse("referee-desk", args=[slug])), *more]


def incident_crumbs(incident: Incident, *more: Crumb) -> list[Crumb]:
    """Return the way back up from a page below that of an incident."""
    slug, number = incident.event.slug, incident.number
    url = reverse("referee-incident", args=[slug, number])
    return crumbs(slug, Crumb(_("Incident %(n)d") % {"n": number}, url), *more)


def in_words(error: EngineError) -> str:
    """Return the engine's refusal of a ruling, in the reader's language."""
    if (error.code, error.field) == ("missing_key", "contract"):
        return _("This deal is not recorded yet: record it first, then rule on it.")
    return refusal_text(error, get_language() or "en")


def attempt(request: HttpRequest, act: Callable[[], T], success: str = "") -> T | None:
    """Call ``act``, once for each form, and return its result; after a refusal show a message and return ``None``."""
    try:
        done = once_a_form(request, "", act)
    except Refused as refusal:
        messages.error(request, str(refusal))
        return None
    except EngineError as error:
        messages.error(request, in_words(error))
        return None
    if success:
        messages.success(request, success)
    return done
