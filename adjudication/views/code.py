"""The penal code of an event: read it, search it, and change what an event may change."""

from __future__ import annotations

import json
from typing import Any

from django import forms
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_safe

from adjudication.models import POLICIES
from adjudication.penal import CURRENT, PenalCodeError, all_articles, search
from adjudication.penal.words import CHARGES, DEAL_RULES, KINDS, MEASURES, ORIGINS, WHO
from adjudication.selectors.shown import actor_names, language, said
from adjudication.services import access, codes
from ledger.access import needs
from ledger.depth import TOO_DEEP, is_too_deep
from ledger.errors import Refused
from ledger.models import RoleGrant, User
from tournament.models import Event
from tournament.views.frame import event_by_slug, page

from .common import actor_of, attempt, whole


def _crumbs(slug: str, *more: dict[str, str]) -> list[dict[str, str]]:
    return [{"url": reverse("referee-desk", args=[slug]), "label": _("Referee")}, *more]


@needs("incidents.read")
@require_safe
def articles(request: HttpRequest, slug: str) -> HttpResponse:
    """The articles in force, all or those that hold the words."""
    event = event_by_slug(slug)
    words = request.GET.get("q", "")[:80]
    found = search(codes.code_of(event), words, language())
    return render(
        request, "referee/articles.html",
        page(
            request, event, "referee-desk", words=words,
            articles=[
                {"id": a.id, "title": said(a.title), "kind": said(KINDS[a.kind]),
                 "origin": said(ORIGINS[a.origin])}
                for a in found
            ],
            crumbs=_crumbs(slug, {"label": _("Articles")}),
        ),
    )  # fmt: skip


@needs("incidents.read")
@require_safe
def article(request: HttpRequest, slug: str, name: str) -> HttpResponse:
    """One article with its source, its effect and the facts it asks for."""
    event = event_by_slug(slug)
    try:
        shown = codes.code_of(event).article(name)
    except PenalCodeError as error:
        raise Http404 from error
    steps = [
        {"upto": step.upto, "measure": said(MEASURES[step.measure])}
        for step in (shown.ladder.steps if shown.ladder else ())
    ]
    return render(
        request, "referee/article.html",
        page(
            request, event, "referee-desk", article=shown, title=said(shown.title),
            text=said(shown.text), steps=steps,
            by_minutes=bool(shown.ladder and shown.ladder.by.value == "minutes"),
            facts=[{"label": said(f.label), "value": said(f.help)} for f in shown.facts],
            options=[said(option.label) for option in shown.options],
            items=[
                {"label": _("Kind"), "value": said(KINDS[shown.kind])},
                {"label": _("Origin"), "value": said(ORIGINS[shown.origin])},
                {"label": _("Who"), "value": said(WHO[shown.who])},
                {"label": _("Established"), "value": said(shown.established)},
                {"label": _("Penalty"), "value": said(CHARGES[shown.charge])},
                {"label": _("Deal"), "value": said(DEAL_RULES[shown.deal])},
            ],
            crumbs=_crumbs(
                slug, {"url": reverse("referee-articles", args=[slug]), "label": _("Articles")},
                {"label": shown.id},
            ),
        ),
    )  # fmt: skip


class BoundedJSONField(forms.JSONField):
    """Django's JSON field, which also refuses what is nested too deeply."""

    def to_python(self, value: Any) -> Any:
        """Parse the text; ``ValidationError`` for what is no JSON or nested too deeply."""
        try:
            parsed = super().to_python(value)
        except RecursionError as error:
            raise forms.ValidationError(TOO_DEEP) from error
        if is_too_deep(parsed):
            raise forms.ValidationError(TOO_DEEP)
        return parsed

    def bound_data(self, data: Any, initial: Any) -> Any:
        """Keep what was typed, however deep it is."""
        try:
            return super().bound_data(data, initial)
        except RecursionError:
            return forms.fields.InvalidJSONInput(data)


class CodeForm(forms.Form):
    """What an event settles for itself."""

    policy = forms.ChoiceField(
        label=gettext_lazy("When an illegal card may be corrected"), choices=POLICIES
    )
    appeal_minutes = forms.IntegerField(
        label=gettext_lazy("Minutes for an appeal"), min_value=0, max_value=10_080
    )
    content = BoundedJSONField(
        label=gettext_lazy("House articles, ladders and adopted articles"), required=False,
        help_text=gettext_lazy(
            'JSON: {"articles": […], "ladders": {"T-LATE": …}, "adopted": ["001-R10"]}. '
            "The guide for referees describes it; every defect is named."
        ),
        widget=forms.Textarea(attrs={"rows": 6, "spellcheck": "false"}),
    )  # fmt: skip
    reason = forms.CharField(label=gettext_lazy("Reason of the change"), max_length=300)


class HouseForm(forms.Form):
    """A house article in its simplest form: a text and what it costs."""

    id = forms.CharField(
        label=gettext_lazy("Number"), max_length=20, initial="H-1",
        help_text=gettext_lazy("H- and capitals or digits."),
    )  # fmt: skip
    title_fr = forms.CharField(label=gettext_lazy("Title in French"), max_length=120)
    title_nl = forms.CharField(label=gettext_lazy("Title in Dutch"), max_length=120)
    title_en = forms.CharField(label=gettext_lazy("Title in English"), max_length=120)
    text_fr = forms.CharField(
        label=gettext_lazy("Text in French"), max_length=600, widget=forms.Textarea({"rows": 2})
    )
    text_nl = forms.CharField(
        label=gettext_lazy("Text in Dutch"), max_length=600, widget=forms.Textarea({"rows": 2})
    )
    text_en = forms.CharField(
        label=gettext_lazy("Text in English"), max_length=600, widget=forms.Textarea({"rows": 2})
    )
    measure = forms.ChoiceField(
        label=gettext_lazy("What it costs"),
        choices=[
            ("ladder", gettext_lazy("a warning, then the penalty")),
            ("penalty", gettext_lazy("the penalty at once; the deal counts as well")),
        ],
    )
    decided = forms.CharField(label=gettext_lazy("Where it was decided"), max_length=120)
    house_reason = forms.CharField(label=gettext_lazy("Reason of the change"), max_length=300)

    def article(self) -> dict[str, Any]:
        """The article as the penal code reads it."""
        data = self.cleaned_data
        offender = codes.offender_field()
        found: dict[str, Any] = {
            "id": data["id"], "kind": "conduct", "origin": "house", "who": "player",
            "title": {lang: data[f"title_{lang}"] for lang in ("en", "fr", "nl")},
            "text": {lang: data[f"text_{lang}"] for lang in ("en", "fr", "nl")},
            "citation": {"source": data["decided"], "rule": "", "quote": ""},
            "established": {"en": "when the referee finds it", "fr": "constat de l’arbitre",
                            "nl": "vaststelling door de scheidsrechter"},
            "deal": "stands", "facts": [offender], "charge": "penalty",
        }  # fmt: skip
        if data["measure"] == "ladder":
            found["charge"] = "ladder"
            found["ladder"] = {
                "by": "offence", "scope": "event",
                "steps": [
                    {"upto": 1, "measure": "warning", "share": "1", "deals": 0},
                    {"upto": None, "measure": "penalty", "share": "1", "deals": 0},
                ],
            }  # fmt: skip
        return found


@needs("rulings.finalise")
def penal_code(request: HttpRequest, slug: str) -> HttpResponse:
    """The event's code: its edition, policy, house articles, all numbers, and who plays himself."""
    event = event_by_slug(slug)
    row = codes.pinned(event)
    verb = request.POST.get("verb", "")
    form = CodeForm(
        request.POST if verb == "code" else None,
        initial={"policy": row.policy, "appeal_minutes": row.appeal_minutes,
                 "content": row.content},
    )  # fmt: skip
    house = HouseForm(request.POST if verb == "house" else None)
    if request.method == "POST" and _act(request, event, verb, form, house):
        return redirect("referee-code", slug)
    status = 422 if request.method == "POST" else 200
    code = codes.code_of(event)
    versions = list(event.penal_codes.order_by("-number"))
    names = actor_names(version.made_by for version in versions)
    staff = RoleGrant.objects.filter(scope=event.pk).values_list("user", flat=True)
    linked = {link.user_id: link.entrant for link in event.playing_staff.select_related("entrant")}
    return render(
        request, "referee/code.html",
        page(
            request, event, "referee-desk", row=row, form=form, house=house, code=code,
            house_articles=[a for a in code.articles if a.id in code.house],
            adoptable=[a for a in all_articles(row.edition) if a not in code],
            newer=CURRENT if row.edition != CURRENT else "",
            history=[
                {"when": v.made_at, "who": names[v.made_by], "why": v.reason,
                 "what": f"{v.number}. {v.edition} · {v.get_policy_display()} · {v.fingerprint[:12]}",
                 "in_force": v.current, "superseded": not v.current}
                for v in versions
            ],
            staff=[
                {"user": user, "name": user.get_full_name() or user.username,
                 "number": linked[user.pk].number if user.pk in linked else ""}
                for user in User.objects.filter(pk__in=set(staff)).order_by("username")
            ],
            pretty=json.dumps(row.content, ensure_ascii=False, indent=1),
            crumbs=_crumbs(slug, {"label": _("Penal code")}),
        ),
        status=status,
    )  # fmt: skip


def _act(request: HttpRequest, event: Event, verb: str, form: CodeForm, house: HouseForm) -> bool:
    """Do what was asked; ``True`` when it is done."""
    actor = actor_of(request)
    if verb == "plays":
        number = request.POST.get("number", "").strip()
        done = attempt(
            request,
            lambda: (
                access.link_player(
                    event_id=event.pk, user_id=whole(request.POST.get("user")) or 0,
                    entrant_number=whole(number) if number else None, actor=actor,
                ) or True
            ),
            _("Noted."),
        )  # fmt: skip
        return done is not None
    if verb == "edition":
        taken = attempt(
            request,
            lambda: codes.change_code(
                event_id=event.pk, actor=actor, reason=request.POST.get("reason", ""),
                edition=CURRENT,
            ),
            _("The current edition is in force. Rulings made keep theirs."),
        )  # fmt: skip
        return taken is not None
    chosen: forms.Form = house if verb == "house" else form
    if verb not in ("house", "code") or not chosen.is_valid():
        return False
    try:
        if verb == "house":
            content = dict(codes.pinned(event).content)
            content["articles"] = [*content.get("articles", []), house.article()]
            codes.change_code(
                event_id=event.pk, actor=actor, reason=house.cleaned_data["house_reason"],
                content=content,
            )  # fmt: skip
        else:
            data = form.cleaned_data
            codes.change_code(
                event_id=event.pk, actor=actor, reason=data["reason"],
                content=data["content"] or {}, policy=data["policy"],
                appeal_minutes=data["appeal_minutes"],
            )  # fmt: skip
    except Refused as refusal:
        chosen.add_error(refusal.field if refusal.field in chosen.fields else None, str(refusal))
        return False
    return True
