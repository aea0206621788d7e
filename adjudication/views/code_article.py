"""The editor of an event's articles, in words: its own, and the ladders that it may change."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _

from accounts.access import actor_of
from accounts.pages import Crumb, Page
from adjudication.penal import Article, Code, Origin, Rulers
from adjudication.queries.codes import code_of
from adjudication.queries.shown import localized
from adjudication.services import codes
from ledger.errors import Refused
from tournament.access import needs
from tournament.models import Event
from tournament.views.frame import event_by_slug, show_event

from .article_forms import ArticleForm, LadderForm, RulersForm, initial_of
from .common import crumbs


class CodeArticlePage(Page, template="referee/code_article.html", here="referee-desk"):
    form: forms.Form
    title: str
    own: bool
    text: str
    keeps: str
    back: str
    with_reason: bool
    crumbs: list[Crumb]


@needs("rulings.finalise")
def code_article(request: HttpRequest, slug: str, name: str = "") -> HttpResponse:
    """Write a new article, change one of the event's own, or the steps and rulers of a tournament article."""
    event = event_by_slug(slug)
    code = code_of(event)
    form, title = article_form(request, code, name)
    status = 200
    if request.method == "POST":
        if _put_in_force(request, event, form, name):
            return redirect("referee-code", slug)
        status = 422
    return show_event(
        request,
        event,
        CodeArticlePage(
            form=form,
            title=title,
            own=name in code.house,
            text=localized(code.article(name).text) if name else "",
            keeps=_("Past rulings keep the wording of their time."),
            back=reverse("referee-code", args=[slug]),
            with_reason=True,
            crumbs=crumbs(
                slug,
                Crumb(_("Penal code"), reverse("referee-code", args=[slug])),
                Crumb(name or _("New article")),
            ),
        ),
        status=status,
    )


def only_its_rulers(article: Article) -> bool:
    """Whether an event may say of the article who rules under it, and nothing else."""
    ours = article.origin is Origin.ADDITION and not article.correctable
    return ours and article.ladder is None


def article_form(request: HttpRequest, code: Code, name: str) -> tuple[forms.Form, str]:
    """Return the form of an article (``name`` empty: a new one), and its title.

    Raises ``Http404`` for an article of which nothing can be changed in words.
    """
    # A removal leaves the form unread.
    data = request.POST if request.method == "POST" and not drops(request, name) else None
    if not name:
        return ArticleForm(data), _("New article")
    if name not in code:
        raise Http404
    article = code.article(name)
    title = f"{article.id} · {localized(article.title)}"
    if name in code.house:
        initial = initial_of(article)
        if initial is None:
            raise Http404
        initial["rulers"] = code.rulers_of(name).value
        return ArticleForm(data, initial=initial), title
    if only_its_rulers(article):
        return RulersForm(data, rulers=code.rulers_of(name)), title
    if article.ladder is None or article.origin is not Origin.ADDITION:
        raise Http404
    return LadderForm(article, data, rulers=code.rulers_of(name)), title


def drops(request: HttpRequest, name: str) -> bool:
    """Whether the request removes the article."""
    return bool(name) and request.POST.get("verb") == "drop"


def _put_in_force(request: HttpRequest, event: Event, form: forms.Form, name: str) -> bool:
    """Save the form as the next version of the event's penal code; ``True`` after success."""
    drop = drops(request, name)
    if not drop and not form.is_valid():
        return False
    content = changed_content(codes.pinned(event).content, form, name, drop=drop)
    try:
        codes.change_code(
            event_id=event.pk,
            actor=actor_of(request),
            reason=_reason(request, form, drop=drop),
            content=content,
        )
    except Refused as refusal:
        if drop:
            messages.error(request, str(refusal))
        else:
            form.add_error(None, str(refusal))
        return False
    return True


def changed_content(
    before: Mapping[str, Any], form: forms.Form, name: str, *, drop: bool
) -> dict[str, object]:
    """Return the penal code's content with the valid form's changes, or without the dropped article."""
    content = dict(before)
    listed = [item for item in content.get("articles", []) if item.get("id") != name]
    if isinstance(form, LadderForm):
        content["ladders"] = {**content.get("ladders", {}), name: form.ladder()}
    elif isinstance(form, ArticleForm):
        content["articles"] = listed if drop else [*listed, form.article()]
    who = {id: each for id, each in content.get("rulers", {}).items() if id != name}
    if not drop and form.cleaned_data["rulers"] != Rulers.REFEREE:
        who[form.cleaned_data.get("id", name)] = form.cleaned_data["rulers"]
    content["rulers"] = who
    return content


def _reason(request: HttpRequest, form: forms.Form, *, drop: bool) -> str:
    given: Any = request.POST.get("reason", "") if drop else form.cleaned_data["reason"]
    return str(given)
