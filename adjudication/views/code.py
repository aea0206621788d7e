"""The penal code of an event: read it, search it, and change what an event may change."""

from __future__ import annotations

from typing import Any

from django import forms
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_safe

from accounts.models import RoleGrant, User
from adjudication.models import POLICIES
from adjudication.penal import (
    CURRENT,
    Article,
    Measure,
    Origin,
    PenalCodeError,
    all_articles,
    search,
)
from adjudication.penal.decision import TWO_PERSONS
from adjudication.penal.words import DEAL_RULES, KINDS, MEASURES, ORIGINS, RULERS, WHO
from adjudication.queries.codes import code_of
from adjudication.queries.shown import actor_names, charge_text, language, localized
from adjudication.services import access, codes
from ledger.errors import Refused
from tournament.access import needs
from tournament.models import Event
from tournament.views.frame import event_by_slug, page

from .article_forms import initial_of
from .code_article import only_its_rulers
from .common import actor_of, attempt, whole


def _crumbs(slug: str, *more: dict[str, str]) -> list[dict[str, str]]:
    return [{"url": reverse("referee-desk", args=[slug]), "label": _("Referee")}, *more]


@needs("incidents.read")
@require_safe
def articles(request: HttpRequest, slug: str) -> HttpResponse:
    """The articles in force, all or those that hold the words."""
    event = event_by_slug(slug)
    words = request.GET.get("q", "")[:80]
    matches = search(code_of(event), words, language())
    return render(
        request,
        "referee/articles.html",
        page(
            request,
            event,
            "referee-desk",
            words=words,
            articles=[
                {
                    "id": a.id,
                    "title": localized(a.title),
                    "kind": localized(KINDS[a.kind]),
                    "origin": localized(ORIGINS[a.origin]),
                }
                for a in matches
            ],
            crumbs=_crumbs(slug, {"label": _("Articles")}),
        ),
    )


@needs("incidents.read")
@require_safe
def article(request: HttpRequest, slug: str, name: str) -> HttpResponse:
    """One article with its source, its effect and the facts it asks for."""
    event = event_by_slug(slug)
    try:
        code = code_of(event)
        shown = code.article(name)
    except PenalCodeError as error:
        raise Http404 from error
    steps = [
        {"upto": step.upto, "measure": localized(MEASURES[step.measure])}
        for step in (shown.ladder.steps if shown.ladder else ())
    ]
    return render(
        request,
        "referee/article.html",
        page(
            request,
            event,
            "referee-desk",
            article=shown,
            title=localized(shown.title),
            text=localized(shown.text),
            steps=steps,
            by_minutes=bool(shown.ladder and shown.ladder.by.value == "minutes"),
            facts=[{"label": localized(f.label), "value": localized(f.help)} for f in shown.facts],
            options=[localized(option.label) for option in shown.options],
            items=[
                {"label": _("Kind"), "value": localized(KINDS[shown.kind])},
                {"label": _("Origin"), "value": localized(ORIGINS[shown.origin])},
                {"label": _("Who"), "value": localized(WHO[shown.who])},
                {"label": _("Established"), "value": localized(shown.established)},
                {"label": _("Penalty"), "value": charge_text(event, shown)},
                {"label": _("Deal"), "value": localized(DEAL_RULES[shown.deal])},
                {"label": _("Who may rule"), "value": localized(RULERS[code.rulers_of(name)])},
                *_always_two(shown),
            ],
            crumbs=_crumbs(
                slug,
                {"url": reverse("referee-articles", args=[slug]), "label": _("Articles")},
                {"label": shown.id},
            ),
        ),
    )


def _always_two(shown: Article) -> list[dict[str, str]]:
    """What of the article takes two persons at every event (C.8), as label and value."""
    steps = shown.ladder.steps if shown.ladder else ()
    listed = {*(step.measure for step in steps), *(case.measure for case in shown.cases)}
    grave = [
        localized(MEASURES[measure])
        for measure in Measure
        if measure in TWO_PERSONS and measure in listed
    ]
    if shown.discretionary:
        grave.append(_("more than the penalty"))
    return [{"label": _("Always two people"), "value": ", ".join(grave)}] if grave else []


class CodeForm(forms.Form):
    """What an event settles for itself."""

    policy = forms.ChoiceField(
        label=gettext_lazy("When an illegal card may be corrected"), choices=POLICIES
    )
    appeal_minutes = forms.IntegerField(
        label=gettext_lazy("Minutes for an appeal"), min_value=0, max_value=10_080
    )
    reason = forms.CharField(label=gettext_lazy("Reason of the change"), max_length=300)

    def __init__(self, *args: Any, adoptable: list[tuple[str, str]], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["adopted"] = forms.MultipleChoiceField(
            label=gettext_lazy("Articles adopted from other rulebooks"),
            choices=adoptable,
            required=False,
            widget=forms.CheckboxSelectMultiple,
        )
        self.order_fields(["policy", "appeal_minutes", "adopted", "reason"])


@needs("rulings.finalise")
def penal_code(request: HttpRequest, slug: str) -> HttpResponse:
    """The event's code: its edition, policy, house articles, all numbers, and who plays themselves."""
    event = event_by_slug(slug)
    row = codes.pinned(event)
    verb = request.POST.get("verb", "")
    code = code_of(event)
    adopted = row.content.get("adopted", [])
    form = CodeForm(
        request.POST if verb == "code" else None,
        initial={
            "policy": row.policy,
            "appeal_minutes": row.appeal_minutes,
            "adopted": adopted,
        },
        adoptable=[
            (name, f"{name} · {localized(article.title)}")
            for name, article in all_articles(row.edition).items()
            if name in adopted or name not in code
        ],
    )
    if request.method == "POST" and _act(request, event, verb, form):
        return redirect("referee-code", slug)
    status = 422 if request.method == "POST" else 200
    versions = list(event.penal_codes.order_by("-number"))
    names = actor_names(version.made_by for version in versions)
    staff = RoleGrant.objects.filter(scope=event.pk).values_list("user", flat=True)
    linked = {link.user_id: link.entrant for link in event.playing_staff.select_related("entrant")}
    return render(
        request,
        "referee/code.html",
        page(
            request,
            event,
            "referee-desk",
            row=row,
            form=form,
            house_articles=[
                {"id": a.id, "title": localized(a.title), "url": _own_url(slug, a)}
                for a in code.articles
                if a.id in code.house
            ],
            ladders=[
                {"id": a.id, "title": localized(a.title), "changed": a.id in code.changed}
                for a in code.articles
                if a.ladder is not None and a.origin is Origin.ADDITION
            ],
            without_steps=[
                {
                    "id": a.id,
                    "title": localized(a.title),
                    "who": localized(RULERS[code.rulers_of(a.id)]),
                }
                for a in code.articles
                if only_its_rulers(a)
            ],
            newer=CURRENT if row.edition != CURRENT else "",
            history=[
                {
                    "when": v.made_at,
                    "who": names[v.made_by],
                    "why": v.reason,
                    "what": f"{v.number}. {v.edition} · {v.get_policy_display()} · {v.fingerprint[:12]}",
                    "in_force": v.current,
                    "superseded": not v.current,
                }
                for v in versions
            ],
            staff=[
                {
                    "user": user,
                    "name": user.username,
                    "number": linked[user.pk].number if user.pk in linked else "",
                }
                for user in User.objects.filter(pk__in=set(staff)).order_by("username")
            ],
            crumbs=_crumbs(slug, {"label": _("Penal code")}),
        ),
        status=status,
    )


def _own_url(slug: str, own: Article) -> str:
    """Where an article of the event's own is changed in words, or read where words do not suffice."""
    name = "referee-code-article" if initial_of(own) is not None else "referee-article"
    return reverse(name, args=[slug, own.id])


def _act(request: HttpRequest, event: Event, verb: str, form: CodeForm) -> bool:
    """Do what was asked; ``True`` when it is done."""
    actor = actor_of(request)
    if verb == "plays":
        number = request.POST.get("number", "").strip()
        done = attempt(
            request,
            lambda: (
                access.link_player(
                    event_id=event.pk,
                    user_id=whole(request.POST.get("user")) or 0,
                    entrant_number=whole(number) if number else None,
                    actor=actor,
                )
                or True
            ),
            _("Saved."),
        )
        return done is not None
    if verb == "edition":
        taken = attempt(
            request,
            lambda: codes.change_code(
                event_id=event.pk,
                actor=actor,
                reason=request.POST.get("reason", ""),
                edition=CURRENT,
            ),
            _("The current edition is now in force. Past rulings keep theirs."),
        )
        return taken is not None
    if verb != "code" or not form.is_valid():
        return False
    data = form.cleaned_data
    try:
        codes.change_code(
            event_id=event.pk,
            actor=actor,
            reason=data["reason"],
            content={**codes.pinned(event).content, "adopted": data["adopted"]},
            policy=data["policy"],
            appeal_minutes=data["appeal_minutes"],
        )
    except Refused as refusal:
        form.add_error(refusal.field if refusal.field in form.fields else None, str(refusal))
        return False
    return True
