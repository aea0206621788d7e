"""The guides of the service and the rules cards: pages and papers, in the reader's language."""

from __future__ import annotations

import hashlib

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from accounts.access import public
from scoring.engine.options import options_of_edition
from scoring.engine.rulebook import RULEBOOKS, Game, resolve
from tournament.documents.guides import GUIDES, Guide, guide_pdf, picture_of
from tournament.documents.imprint import Imprint
from tournament.documents.rules_card import rules_card_pdf, rules_of
from tournament.views.frame import event_by_slug


def _guide(name: str) -> Guide:
    if name not in GUIDES:
        raise Http404
    return GUIDES[name]


def _language() -> str:
    return (get_language() or "en")[:2]


@public
@require_safe
def guides(request: HttpRequest) -> HttpResponse:
    """All guides by their titles."""
    listed = [(each.name, each.title.render(_language())) for each in GUIDES.values()]
    cards = [(book.key, book.title.render(_language())) for book in RULEBOOKS.values()]
    return render(request, "public/guides.html", {"guides": listed, "cards": cards})


@public
@require_safe
def guide(request: HttpRequest, name: str) -> HttpResponse:
    """One guide as a page."""
    shown, language = _guide(name), _language()
    context = {
        "name": name,
        "title": shown.title.render(language),
        "parts": [
            {
                "key": part.key,
                "title": part.title.render(language),
                "picture": picture_of(shown, part, language)
                and f"guides/{language}/{name}-{part.key}.webp",
                "steps": [step.render(language) for step in part.steps],
            }
            for part in shown.parts
        ],
    }
    return render(request, "public/guide.html", context)


@public
@require_safe
def guide_paper(request: HttpRequest, name: str) -> HttpResponse:
    """One guide as a PDF for the volunteers' table."""
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
    """A rulebook on one page for the table."""
    if key not in RULEBOOKS:
        raise Http404
    return _card(resolve(key), RULEBOOKS[key].title.render(_language()), key)


@public
@require_safe
def event_rules_card(request: HttpRequest, slug: str) -> HttpResponse:
    """The rules of an event on one page for its tables, with what the event has set."""
    event = event_by_slug(slug)
    game = resolve(event.rulebook, options_of_edition(event.edition, event.options))
    return _card(game, event.name, f"{slug}-{event.rulebook}")


def _card(game: Game, name: str, file: str) -> HttpResponse:
    language = _language()
    text = "\n".join(line.render("en") for part in rules_of(game) for line in part.lines)
    imprint = Imprint(
        event=name,
        language=language,
        printed_at=timezone.localtime(),
        fingerprint=hashlib.sha256(text.encode()).hexdigest(),
        state=None,
    )
    answer = HttpResponse(rules_card_pdf(game, imprint), content_type="application/pdf")
    answer["Content-Disposition"] = f'inline; filename="{file}-{language}.pdf"'
    return answer
