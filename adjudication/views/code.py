"""The penal code of an event: read it, search it, and change what an event may change."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from django import forms
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_safe

from accounts.access import actor_of
from accounts.models import RoleGrant, User
from accounts.pages import Crumb, Labelled, Page
from adjudication.models import POLICIES, PenalCode
from adjudication.penal import (
    CURRENT,
    Article,
    Code,
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
from tournament.queries.sheet_page import Item
from tournament.views.doing import do
from tournament.views.frame import event_by_slug, show_event

from .article_forms import initial_of
from .code_article import only_its_rulers
from .common import attempt, crumbs


class ListedArticle(NamedTuple):
    """An article in a list; ``note``: remark next to its title."""

    id: str
    title: str
    url: str
    note: str = ""


class ArticlesPage(Page, template="referee/articles.html", here="referee-desk"):
    words: str
    articles: list[ListedArticle]
    crumbs: list[Crumb]


@needs("incidents.read")
@require_safe
def articles(request: HttpRequest, slug: str) -> HttpResponse:
    """List the articles in force, all or those that match the search."""
    event = event_by_slug(slug)
    words = request.GET.get("q", "")[:80]
    matches = search(code_of(event), words, language())
    return show_event(
        request,
        event,
        ArticlesPage(
            words=words,
            articles=[
                ListedArticle(
                    a.id,
                    localized(a.title),
                    reverse("referee-article", args=[slug, a.id]),
                    f"{localized(KINDS[a.kind])} · {localized(ORIGINS[a.origin])}",
                )
                for a in matches
            ],
            crumbs=crumbs(slug, Crumb(_("Articles"))),
        ),
    )


class Step(NamedTuple):
    """A step of a penalty scale; ``upto``: ``None`` beyond the last."""

    upto: int | None
    measure: str


class ArticlePage(Page, template="referee/article.html", here="referee-desk"):
    article: Article
    title: str
    text: str
    translation: str
    steps: list[Step]
    by_minutes: bool
    facts: list[Labelled]
    options: list[str]
    items: list[Labelled]
    crumbs: list[Crumb]


@needs("incidents.read")
@require_safe
def article(request: HttpRequest, slug: str, name: str) -> HttpResponse:
    """Show one article with its source, its effect and its facts."""
    event = event_by_slug(slug)
    try:
        code = code_of(event)
        shown = code.article(name)
    except PenalCodeError as error:
        raise Http404 from error
    steps = [
        Step(step.upto, localized(MEASURES[step.measure]))
        for step in (shown.ladder.steps if shown.ladder else ())
    ]
    return show_event(
        request,
        event,
        ArticlePage(
            article=shown,
            title=localized(shown.title),
            text=localized(shown.text),
            translation=shown.citation.translated(language()),
            steps=steps,
            by_minutes=bool(shown.ladder and shown.ladder.by.value == "minutes"),
            facts=[Labelled(localized(f.label), localized(f.help)) for f in shown.facts],
            options=[localized(option.label) for option in shown.options],
            items=[
                Labelled(_("Kind"), localized(KINDS[shown.kind])),
                Labelled(_("Origin"), localized(ORIGINS[shown.origin])),
                *rule_of(event, shown),
                Labelled(_("Who may rule"), localized(RULERS[code.rulers_of(name)])),
                *_always_two(shown),
            ],
            crumbs=crumbs(
                slug,
                Crumb(_("Articles"), reverse("referee-articles", args=[slug])),
                Crumb(shown.id),
            ),
        ),
    )


def rule_of(event: Event, article: Article) -> list[Labelled]:
    """Return who breaches an article, how that is established, and what follows."""
    return [
        Labelled(_("Who"), localized(WHO[article.who])),
        Labelled(_("Established"), localized(article.established)),
        Labelled(_("Penalty"), charge_text(event, article)),
        Labelled(_("Deal"), localized(DEAL_RULES[article.deal])),
    ]


def _always_two(shown: Article) -> list[Labelled]:
    """Return the measures of the article that need two persons at every event (C.8)."""
    steps = shown.ladder.steps if shown.ladder else ()
    listed = {*(step.measure for step in steps), *(case.measure for case in shown.cases)}
    grave = [
        localized(MEASURES[measure])
        for measure in Measure
        if measure in TWO_PERSONS and measure in listed
    ]
    if shown.discretionary:
        grave.append(_("more than the penalty"))
    return [Labelled(_("Always two people"), ", ".join(grave))] if grave else []


class CodeForm(forms.Form):
    """Settings of the penal code that each event chooses."""

    policy = forms.ChoiceField(
        label=gettext_lazy("When an illegal card may be corrected"), choices=POLICIES
    )
    appeal_minutes = forms.IntegerField(
        label=gettext_lazy("Minutes for an appeal"), min_value=0, max_value=10_080
    )
    reason = forms.CharField(label=gettext_lazy("Reason of the change"), max_length=300)

    def __init__(
        self,
        data: QueryDict | None,
        *,
        initial: dict[str, object],
        adoptable: list[tuple[str, str]],
    ) -> None:
        super().__init__(data, initial=initial)
        self.fields["adopted"] = forms.MultipleChoiceField(
            label=gettext_lazy("Articles adopted from other rulebooks"),
            choices=adoptable,
            required=False,
            widget=forms.CheckboxSelectMultiple,
        )
        self.order_fields(["policy", "appeal_minutes", "adopted", "reason"])


class StaffLink(NamedTuple):
    """A member of staff; ``number``: as a player of the event, empty for who does not play."""

    pk: int
    name: str
    number: int | str


class OwnArticles(NamedTuple):
    """The articles that may be changed, for ``referee/parts/own_articles.html``."""

    new_url: str
    house: list[ListedArticle]
    ladders: list[tuple[ListedArticle, bool]]
    """Each with whether its steps were changed."""
    without_steps: list[ListedArticle]


class CodePage(Page, template="referee/code.html", here="referee-desk"):
    row: PenalCode
    form: CodeForm
    own: OwnArticles
    newer: str
    history: list[Item]
    staff: list[StaffLink]
    crumbs: list[Crumb]


@needs("rulings.finalise")
def penal_code(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the event's code: edition, policy, house articles, all numbers, and staff who also play."""
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
    return show_event(
        request,
        event,
        CodePage(
            row=row,
            form=form,
            own=own_articles(
                code,
                reverse("referee-code-article", args=[slug]),
                lambda name: reverse("referee-code-article", args=[slug, name]),
                lambda name: reverse("referee-article", args=[slug, name]),
            ),
            newer=CURRENT if row.edition != CURRENT else "",
            history=[
                Item(
                    when=v.made_at,
                    who=names[v.made_by],
                    why=v.reason,
                    what=f"{v.number}. {v.edition} · {v.get_policy_display()} · {v.fingerprint[:12]}",
                    in_force=v.current,
                    superseded=not v.current,
                )
                for v in versions
            ],
            staff=[
                StaffLink(
                    user.pk, user.username, linked[user.pk].number if user.pk in linked else ""
                )
                for user in User.objects.filter(pk__in=set(staff)).order_by("username")
            ],
            crumbs=crumbs(slug, Crumb(_("Penal code"))),
        ),
        status=status,
    )


def own_articles(
    code: Code, new_url: str, edit: Callable[[str], str], read: Callable[[str], str]
) -> OwnArticles:
    """Return the articles of a code that may be changed.

    Args:
        edit: the address of an article's form.
        read: that of an article which the form cannot say.
    """

    def listed(a: Article, note: str = "") -> ListedArticle:
        url = read(a.id) if a.id in code.house and initial_of(a) is None else edit(a.id)
        return ListedArticle(a.id, localized(a.title), url, note)

    return OwnArticles(
        new_url,
        house=[listed(a) for a in code.articles if a.id in code.house],
        ladders=[
            (listed(a), a.id in code.changed)
            for a in code.articles
            if a.ladder is not None and a.origin is Origin.ADDITION
        ],
        without_steps=[
            listed(a, localized(RULERS[code.rulers_of(a.id)]))
            for a in code.articles
            if only_its_rulers(a)
        ],
    )


def _act(request: HttpRequest, event: Event, verb: str, form: CodeForm) -> bool:
    """Do what was asked; ``True`` when it is done."""
    actor = actor_of(request)
    if verb == "plays":
        return do(request, access.link_player, event) is not None
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
