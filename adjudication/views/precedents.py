"""Precedents: final rulings without names, searched by article and words."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from accounts.pages import Crumb, Page
from adjudication.queries.codes import code_of
from adjudication.queries.precedents import Precedent, precedents
from tournament.access import needs
from tournament.views.frame import event_by_slug, show_event

from .common import crumbs


class PrecedentsPage(Page, template="referee/precedents.html", here="referee-desk"):
    words: str
    article: str
    precedents: list[Precedent]
    crumbs: list[Crumb]


@needs("incidents.read")
@require_safe
def precedents_page(request: HttpRequest, slug: str) -> HttpResponse:
    """List the newest precedents, all or those of an article and with the words."""
    event = event_by_slug(slug)
    words, article = request.GET.get("q", "")[:80], request.GET.get("article", "")[:24]
    return show_event(
        request,
        event,
        PrecedentsPage(
            words=words,
            article=article,
            precedents=precedents(code_of(event), words, article),
            crumbs=crumbs(slug, Crumb(_("Precedents"))),
        ),
    )
