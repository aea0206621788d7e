"""The editor of an event's articles, in words: its own, and the ladders that it may change."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _

from adjudication.penal import Article, Code, Origin, Rulers
from adjudication.queries.codes import code_of
from adjudication.queries.shown import localized
from adjudication.services import codes
from ledger.errors import Refused
from tournament.access import needs
from tournament.models import Event
from tournament.views.frame import event_by_slug, page

from .article_forms import ArticleForm, LadderForm, RulersForm, initial_of
from .common import actor_of


@needs("rulings.finalise")
def code_article(request: HttpRequest, slug: str, name: str = "") -> HttpResponse:
    """Write a new article, change one of the event's own, or the steps and rulers of a tournament article."""
    event = event_by_slug(slug)
    code = code_of(event)
    form, title = _form(request, code, name)
    status = 200
    if request.method == "POST":
        if _put_in_force(request, event, form, name):
            return redirect("referee-code", slug)
        status = 422
    return render(
        request,
        "referee/code_article.html",
        page(
            request,
            event,
            "referee-desk",
            form=form,
            title=title,
            own=name in code.house,
            text=localized(code.article(name).text) if name else "",
            crumbs=[
                {"url": reverse("referee-desk", args=[slug]), "label": _("Referee")},
                {"url": reverse("referee-code", args=[slug]), "label": _("Penal code")},
                {"label": name or _("New article")},
            ],
        ),
        status=status,
    )


def only_its_rulers(article: Article) -> bool:
    """Whether an event may say of the article who rules under it, and nothing else."""
    ours = article.origin is Origin.ADDITION and not article.correctable
    return ours and article.ladder is None


def _form(request: HttpRequest, code: Code, name: str) -> tuple[forms.Form, str]:
    # Who removes an article has changed nothing in its form.
    data = request.POST if request.method == "POST" and not _drops(request, name) else None
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


def _drops(request: HttpRequest, name: str) -> bool:
    return bool(name) and request.POST.get("verb") == "drop"


def _put_in_force(request: HttpRequest, event: Event, form: forms.Form, name: str) -> bool:
    """Give the code a new number with what the form says; ``True`` when it is done."""
    drop = _drops(request, name)
    if not drop and not form.is_valid():
        return False
    content = dict(codes.pinned(event).content)
    listed = [item for item in content.get("articles", []) if item.get("id") != name]
    if isinstance(form, LadderForm):
        content["ladders"] = {**content.get("ladders", {}), name: form.ladder()}
    elif isinstance(form, ArticleForm):
        content["articles"] = listed if drop else [*listed, form.article()]
    who = {id: each for id, each in content.get("rulers", {}).items() if id != name}
    if not drop and form.cleaned_data["rulers"] != Rulers.REFEREE:
        who[form.cleaned_data.get("id", name)] = form.cleaned_data["rulers"]
    content["rulers"] = who
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


def _reason(request: HttpRequest, form: forms.Form, *, drop: bool) -> str:
    given: Any = request.POST.get("reason", "") if drop else form.cleaned_data["reason"]
    return str(given)
