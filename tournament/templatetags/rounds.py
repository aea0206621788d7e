"""Names of rounds, documents, sides, cards and languages on pages; and marks with a true minus."""

from __future__ import annotations

from django import template
from django.conf import settings
from django.utils.formats import localize
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from scoring.engine import speech
from tournament.models import Round
from tournament.queries.brackets import (
    full_title,
    heading_of,
    own_name,
    stage_and_round,
    stage_name,
    title_of,
)
from tournament.queries.document_names import document_name
from tournament.queries.names import Name
from tournament.queries.pages import is_long
from tournament.ranking.figures import with_minus

register = template.Library()
register.filter("is_long", is_long)
register.filter("document_name", document_name)
register.filter("own_name", own_name)
register.filter("round_title", title_of)
register.filter("full_title", full_title)
register.filter("heading", heading_of)
register.filter("stage_and_round", stage_and_round)
register.filter("stage_name", stage_name)


@register.filter
def of_person(name: str) -> Name:
    """Mark a text as the name of people."""
    return Name(name)


@register.simple_tag
def languages_by_own_name() -> list[tuple[str, str]]:
    """Return each language with its own name; Django's tag of the kind translates the names."""
    return [(code, str(name)) for code, name in settings.LANGUAGES]


@register.filter
def called(round_: Round) -> str:
    """Return the round's name inside a line: its own, else “round 2”."""
    return own_name(round_) or _("round %(n)s") % {"n": round_.number}


@register.filter
def figure(value: object) -> object:
    """Write a whole number with a minus sign instead of a hyphen; return other values unchanged."""
    return with_minus(localize(value)) if isinstance(value, int) else value


@register.filter
def side(value: str) -> str:
    """Return a side by its seats in the reader's language: ``N-S``, ``E-O``, ``O-W``."""
    return speech.side_name(value, (get_language() or "en")[:2])


@register.filter
def card_words(value: str) -> str:
    """Return a card as read aloud: ``10H`` is “ten of hearts”."""
    return speech.card_words(value, (get_language() or "en")[:2])
