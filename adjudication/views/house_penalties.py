"""Changes of a club's own rules to the penal code: house articles and penalty scales."""

from __future__ import annotations

import uuid

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from accounts.access import actor_of, needs
from accounts.pages import Page, show_page
from adjudication.queries.codes import code_of_rules, penalties_of
from adjudication.queries.shown import localized
from ledger.errors import Refused
from scoring.engine.rulebooks import house_options
from tournament.models import HouseRules
from tournament.services.house_rules import change_house_rules

from .code import OwnArticles, own_articles
from .code_article import CodeArticlePage, article_form, changed_content, drops


class HousePenaltiesPage(Page, template="referee/house_penalties.html"):
    rules: HouseRules
    own: OwnArticles


@needs("event.create")
@never_cache
@require_safe
def house_penalties(request: HttpRequest, rules_id: uuid.UUID) -> HttpResponse:
    """Show the articles that a club's own rules may change."""
    rules = get_object_or_404(HouseRules, pk=rules_id)

    def address(name: str) -> str:
        return reverse("house-rules-article", args=[rules.pk, name])

    new_url = reverse("house-rules-article", args=[rules.pk])
    own = own_articles(code_of_rules(rules.whole), new_url, address, address)
    return show_page(request, HousePenaltiesPage(rules=rules, own=own))


@needs("event.create")
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def house_article(request: HttpRequest, rules_id: uuid.UUID, name: str = "") -> HttpResponse:
    """Write a new article of the club, or change one or the steps of a tournament article."""
    rules = get_object_or_404(HouseRules, pk=rules_id)
    code = code_of_rules(rules.whole)
    form, title = article_form(request, code, name)
    # Rules have no history of reasons: the log has every version.
    form.fields.pop("reason", None)
    back = reverse("house-rules-penalties", args=[rules.pk])
    drop = drops(request, name)
    if drop or form.is_valid():
        before = penalties_of(rules.whole)
        try:
            change_house_rules(
                actor=actor_of(request),
                rules_id=rules.pk,
                name=rules.name,
                base=rules.stated["base"],
                switches=house_options(rules.whole),
                penalties=changed_content(before, form, name, drop=drop),
            )
        except Refused as refusal:
            if drop:
                messages.error(request, str(refusal))
            else:
                form.add_error(None, str(refusal))
        else:
            messages.success(request, _("The rules are saved."))
            return redirect(back)
    page = CodeArticlePage(
        form=form,
        title=title,
        own=name in code.house,
        with_reason=False,
        text=localized(code.article(name).text) if name else "",
        keeps=_("Events already opened keep the rules that they have."),
        back=back,
        crumbs=[],
    )
    return show_page(request, page, status=422 if request.method == "POST" else 200)
