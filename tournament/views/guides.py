"""The guides of the service and the rules cards: pages and papers, in the reader's language."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import NamedTuple

from django.http import Http404, HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from accounts.access import public
from accounts.pages import Page, show_page
from scoring.engine.rulebook import RULEBOOKS, Game, resolve
from tournament.documents.guides import GUIDES, Guide, guide_pdf, picture_of
from tournament.documents.imprint import Imprint
from tournament.documents.rules_card import rules_card_pdf, rules_of
from tournament.queries.rulebooks import changed_penalties, game_shown
from tournament.views.frame import event_by_slug


def _guide(name: str) -> Guide:
    if name not in GUIDES:
        raise Http404
    return GUIDES[name]


def _language() -> str:
    return (get_language() or "en")[:2]


class GuidesPage(Page, template="public/guides.html"):
    guides: list[tuple[str, str]]
    cards: list[tuple[str, str]]


@public
@require_safe
def guides(request: HttpRequest) -> HttpResponse:
    """List all guides by their titles."""
    listed = [(each.name, each.title.render(_language())) for each in GUIDES.values()]
    cards = [(book.key, book.title.render(_language())) for book in RULEBOOKS.values()]
    return show_page(request, GuidesPage(guides=listed, cards=cards))


class ShownPart(NamedTuple):
    """A part of a guide in the reader's language; ``picture``: its file among the static ones."""

    key: str
    title: str
    picture: str
    steps: list[str]


class GuidePage(Page, template="public/guide.html"):
    name: str
    title: str
    parts: list[ShownPart]


@public
@require_safe
def guide(request: HttpRequest, name: str) -> HttpResponse:
    """Show one guide as a page."""
    shown, language = _guide(name), _language()
    context = GuidePage(
        name=name,
        title=shown.title.render(language),
        parts=[
            ShownPart(
                part.key,
                part.title.render(language),
                f"guides/{language}/{name}-{part.key}.webp"
                if picture_of(shown, part, language)
                else "",
                [step.render(language) for step in part.steps],
            )
            for part in shown.parts
        ],
    )
    return show_page(request, context)


@public
@require_safe
def guide_paper(request: HttpRequest, name: str) -> HttpResponse:
    """Serve one guide as a PDF for the volunteers' table."""
    shown, language = _guide(name), _language()
    text = "\n".join(step.render(language) for part in shown.parts for step in part.steps)
    imprint = Imprint(
        event=_("Guide"),
        language=language,
        printed_at=timezone.localtime(),
        fingerprint=hashlib.sha256(text.encode()).hexdigest(),
        state=None,
    )
    answer = HttpResponse(guide_pdf(shown, imprint), content_type="application/pdf")
    answer["Content-Disposition"] = f'inline; filename="{name}-{language}.pdf"'
    return answer


@public
@require_safe
def rules_card(request: HttpRequest, key: str) -> HttpResponse:
    """Serve a rulebook on one page for the table."""
    if key not in RULEBOOKS:
        raise Http404
    return card(resolve(key), RULEBOOKS[key].title.render(_language()), key)


@public
@require_safe
def event_rules_card(request: HttpRequest, slug: str) -> HttpResponse:
    """Serve the rules of an event on one page for its tables, with the event's settings."""
    event = event_by_slug(slug)
    return card(game_shown(event), event.name, f"{slug}-{event.rulebook}", event.house_rules)


def card(
    game: Game, name: str, file: str, house_rules: Mapping[str, object] | None = None
) -> HttpResponse:
    """Render the rules card of a game as a PDF; ``name`` is printed at its foot, ``file`` names it."""
    language = _language()
    penalties = [(each.article, each.ours) for each in changed_penalties(house_rules or {})]
    sections = rules_of(game, penalties)
    text = "\n".join(line.render("en") for section in sections for line in section.lines)
    imprint = Imprint(
        event=name,
        language=language,
        printed_at=timezone.localtime(),
        fingerprint=hashlib.sha256(text.encode()).hexdigest(),
        state=None,
    )
    answer = HttpResponse(rules_card_pdf(game, imprint, penalties), content_type="application/pdf")
    answer["Content-Disposition"] = f'inline; filename="{file}-{language}.pdf"'
    return answer
