"""Documents at the desk: choose, wait for the job, open."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Mapping
from typing import Any, ClassVar, Literal, NamedTuple, TypedDict

from django import forms
from django.conf import settings
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.functional import Promise
from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from accounts.access import actor_of
from accounts.pages import Page
from accounts.roles import may
from ledger.errors import Refused
from ledger.models import Job
from tournament import exports
from tournament.access import needs
from tournament.documents import DocumentError, words
from tournament.models import Event, PrintedDocument, Round, RoundState, StandingsState
from tournament.queries import pages, rounds
from tournament.queries.brackets import full_title, stage_and_round
from tournament.queries.document_names import document_name, document_names, grouped
from tournament.queries.next_step import Code, next_step
from tournament.queries.papers import WHOLE_EVENT, WITH_LINKS, Parameters
from tournament.ranking.prizes import Remainder
from tournament.services.documents import ARCHIVE, open_with_links, request_document
from tournament.views.addresses import address_for_phones, unreachable, unreachable_address
from tournament.views.frame import event_by_slug, show_event

SIZES = {"a4": "A4", "letter": "Letter"}
OF_FINAL = ("certificates", "prizes")
"""The documents that are made of final standings only."""


class DocumentForm(forms.Form):
    """Choose a document and its options."""

    FIRST = ("round", "stage", "language", "paper")
    ASKED: ClassVar[dict[str, tuple[str, ...]]] = {
        "prizes": ("prizes", "everyone", "remainder"),
        "certificates": ("top",),
        "receipts": ("fee",),
    }
    """Fields shown first, by the kind that the page is opened for."""
    use_required_attribute = False

    kind = forms.ChoiceField(label=gettext_lazy("Document"))
    round = forms.ChoiceField(label=gettext_lazy("Round"))
    stage = forms.ChoiceField(
        label=gettext_lazy("Stage"),
        help_text=gettext_lazy(
            "By default: the whole event for certificates and prizes, the current stage for everything else."
        ),
    )
    language = forms.ChoiceField(label=gettext_lazy("Language"), choices=settings.LANGUAGES)
    paper = forms.ChoiceField(label=gettext_lazy("Paper"), choices=list(SIZES.items()))
    top = forms.CharField(
        label=gettext_lazy("Only the first"),
        required=False,
        max_length=5,
        help_text=gettext_lazy("Standings and certificates (3 when left empty)."),
        widget=forms.TextInput(attrs={"inputmode": "numeric", "pattern": "[0-9]*"}),
    )
    by_club = forms.BooleanField(label=gettext_lazy("Standings by club"), required=False)
    fee = forms.CharField(
        label=gettext_lazy("Entry fee in euro (receipts)"),
        required=False,
        max_length=10,
        help_text=gettext_lazy("Receipts are for those who are marked as paid."),
        widget=forms.TextInput(attrs={"inputmode": "decimal"}),
    )
    everyone = forms.CharField(
        label=gettext_lazy("A prize for everyone else"), required=False, max_length=80
    )
    prizes = forms.CharField(
        label=gettext_lazy("Prizes"),
        required=False,
        max_length=4000,
        help_text=gettext_lazy("One a line: “1: 250”, “2: 125,50”, “3: a ham”, “4-10: 20”."),
        widget=forms.Textarea(attrs={"rows": 5}),
    )
    remainder = forms.ChoiceField(
        label=gettext_lazy("Cents that cannot be divided among those tied"),
        choices=[
            (Remainder.START_NUMBER, gettext_lazy("go to the lowest start numbers")),
            (Remainder.HOUSE, gettext_lazy("stay with the organiser")),
        ],
    )

    def __init__(
        self, event: Event, names: dict[str, str], published: list[Round], typed: Mapping[str, str]
    ) -> None:
        kind = typed.get("kind", "")
        super().__init__(auto_id="%s", initial={"language": event.language, **typed})
        self.fields["fee"].required = kind == "receipts"
        stages = list(event.stages.all())
        open_stages = [stage for stage in stages if pages.state_of(stage) != StandingsState.FINAL]
        if open_stages and len(stages) == 1:
            self.fields["kind"].help_text = _(
                "Diplomas and the prize list are made of final standings."
            )
        elif open_stages:
            self.fields["kind"].help_text = _(
                "Diplomas and the prize list are made of final standings. Not final yet: %(stages)s."
            ) % {"stages": ", ".join(stage.title for stage in open_stages)}
        if len(open_stages) == len(stages):
            names = {code: name for code, name in names.items() if code not in OF_FINAL}
            for name in ("everyone", "prizes", "remainder"):
                del self.fields[name]
        if not any(stage.played_as.bracket for stage in stages):
            names = {code: name for code, name in names.items() if code != "bracket"}
        if len(stages) == 1:
            self.fields["stage"].widget = forms.HiddenInput()
        self._first = [
            name for name in ("kind", *self.ASKED.get(kind, ()), *self.FIRST) if name in self.fields
        ]
        if kind in self.ASKED:
            # None of these is about a round.
            self._first.remove("round")
        whole = [(WHOLE_EVENT, _("Whole event"))] if len(stages) > 1 else []
        self._choose("kind", grouped(names))
        self._choose(
            "round",
            [
                ("", _("current round")),
                *((round_.pk, stage_and_round(round_)) for round_ in published),
            ],
        )
        self._choose(
            "stage",
            [("", _("default")), *whole, *((stage.order, stage.title) for stage in stages)],
        )

    def _choose(self, name: str, choices: Iterable[tuple[Any, Any]]) -> None:
        field = self.fields[name]
        assert isinstance(field, forms.ChoiceField)  # noqa: S101  declared above
        field.choices = list(choices)

    def first(self) -> list[forms.BoundField]:
        """Return the fields that are always visible."""
        return [self[name] for name in self._first]

    def more(self) -> list[forms.BoundField]:
        """Return the fields behind *More choices*."""
        return [field for field in self if field.name not in self._first]


def _of_what(printed: PrintedDocument, names: dict[str, str], published: list[Round]) -> str:
    """Describe a document by its kind and options, so that two of a kind can be distinguished."""
    if printed.kind == ARCHIVE:
        return document_name(ARCHIVE)
    parameters, language = printed.parameters, (get_language() or "en")[:2]
    parts = [names.get(printed.kind, printed.kind)]
    stage = next(
        (s for s in printed.event.stages.all() if s.order == parameters.get("stage")), None
    )
    round_ = next((p for p in published if str(p.pk) == parameters.get("round")), None)
    if stage is not None:
        parts.append(stage.title)
    elif parameters.get("stage") == WHOLE_EVENT:
        parts.append(_("Whole event"))
    if round_ is not None:
        parts.append(full_title(round_))
    if parameters.get("by_club"):
        parts.append(words.STANDINGS_BY_CLUB.render(language))
    if parameters.get("top"):
        parts.append(words.STANDINGS_TOP.render(language).format(top=parameters["top"]))
    return " · ".join(parts)


def _parameters(request: HttpRequest) -> Parameters:
    parameters: Parameters = {"base": address_for_phones(request)}
    numbers: tuple[Literal["stage", "top", "table"], ...] = ("stage", "top", "table")
    for name in numbers:
        text = request.POST.get(name, "")
        if text.isascii() and text.isdigit() and len(text) < 6:
            parameters[name] = int(text)
    if request.POST.get("round"):
        parameters["round"] = request.POST["round"][:40]
    texts: dict[Literal["prizes", "everyone", "fee"], int] = {
        "prizes": 4000,
        "everyone": 80,
        "fee": 10,
    }
    for of, most in texts.items():
        if request.POST.get(of, "").strip():
            parameters[of] = request.POST[of][:most]
    if request.POST.get("by_club"):
        parameters["by_club"] = True
    if request.POST.get("remainder") == Remainder.HOUSE:
        parameters["remainder"] = str(Remainder.HOUSE)
    return parameters


class Wanted(TypedDict):
    """A document that is asked for."""

    kind: str
    language: str
    paper: str
    parameters: Parameters


def _wanted(request: HttpRequest, event: Event) -> Wanted:
    """Return the request in the form."""
    return {
        "kind": request.POST.get("kind", ""),
        "language": request.POST.get("language", event.language),
        "paper": request.POST.get("paper", "a4"),
        "parameters": _parameters(request),
    }


def _again(request: HttpRequest, event: Event) -> Wanted:
    """Return the request of an earlier document, with the address that phones reach now."""
    try:
        wanted = uuid.UUID(request.POST["again"])
    except ValueError as error:
        raise Http404 from error
    printed = get_object_or_404(PrintedDocument.objects.defer("content"), pk=wanted, event=event)
    return {
        "kind": printed.kind,
        "language": printed.language,
        "paper": printed.paper,
        "parameters": printed.parameters | {"base": address_for_phones(request)},
    }


class ShownDocument(NamedTuple):
    """A stored document; ``wrong``: why the links on it do not work."""

    document: PrintedDocument
    with_links: bool
    name: str
    form: str
    state: str | Promise
    wrong: str


class Moment(NamedTuple):
    """A document that the event's next step needs; ``asks``: its form is filled in first."""

    kind: str
    name: str
    round: str = ""
    stage: str = ""
    asks: bool = False


def _of_the_moment(event: Event, code: Code, names: Mapping[str, str]) -> list[Moment]:
    """Return the documents of ``names`` that the next step of the event needs."""
    now = rounds.current_round(event)
    round_, stage = (str(now.pk), str(now.stage.order)) if now else ("", "")
    wanted: list[tuple[str, str, str, bool]]
    if code in ("finish", "over"):
        wanted = [
            ("certificates", "", "", True),
            ("prizes", "", "", True),
            ("event-report", "", "", False),
        ]
    elif now is None:
        wanted = [("badges", "", "", False)]
    elif now.state == RoundState.CLOSED:
        bracket = "bracket" if now.stage.played_as.bracket else ""
        wanted = [("standings", "", stage, False), (bracket, "", stage, False)]
    else:
        wanted = [
            ("round", round_, "", False),
            ("draw-by-name", round_, "", False),
            ("score-sheets", round_, "", False),
        ]
    return [
        Moment(kind, names[kind], of_round, of_stage, asks)
        for kind, of_round, of_stage, asks in wanted
        if kind in names
    ]


class DocumentsPage(Page, template="desk/documents.html", here="desk-documents"):
    moment: list[Moment]
    archive_now: bool
    form: DocumentForm
    refused: str
    printed: list[ShownDocument]
    unreachable: str
    exports: Mapping[str, str | Promise]
    formats: list[str]
    may_archive: bool
    jobs: QuerySet[Job]


@needs("documents.print")
def desk_documents(request: HttpRequest, slug: str) -> HttpResponse:
    """List the documents that can be printed, those in work, and the finished ones; posted: request one.

    Those that the next step needs come first, unless ``?kind=`` opens the page for another one.
    """
    event = event_by_slug(slug)
    may_links = may(request.user, "documents.print_links", event.pk)
    refused, status = "", 200
    if request.method == "POST":
        wanted = _again(request, event) if "again" in request.POST else _wanted(request, event)
        try:
            job = request_document(event_id=event.pk, actor=actor_of(request), **wanted)
        except Refused as refusal:
            refused, status = str(refusal), refusal.status
        else:
            return redirect("desk-job", slug, job.pk)
    may_archive = may(request.user, "event.manage", event.pk)
    hidden = frozenset() if may_links else WITH_LINKS
    names = {kind: name for kind, name in document_names().items() if kind not in hidden}
    published = rounds.published_rounds(event)
    printed = [
        ShownDocument(
            d,
            d.kind in WITH_LINKS,
            _of_what(d, names, published),
            "" if d.kind == ARCHIVE else f"{d.language} · {SIZES[d.paper]}",
            dict(StandingsState.choices).get(d.state, ""),
            unreachable(d.parameters.get("base", "")) if d.kind in WITH_LINKS else "",
        )
        for d in event.documents.exclude(
            kind__in=hidden if may_archive else {*hidden, ARCHIVE}
        ).defer("content")[:20]
    ]
    code, chosen = next_step(event).code, request.GET.get("kind")
    return show_event(
        request,
        event,
        DocumentsPage(
            moment=[] if chosen else _of_the_moment(event, code, names),
            archive_now=may_archive and not chosen and code in ("finish", "over"),
            form=DocumentForm(
                event, names, published, (request.POST if refused else request.GET).dict()
            ),
            refused=refused,
            printed=printed,
            unreachable=unreachable_address(request) if may_links else "",
            exports=exports.NAMES,
            formats=list(exports.FORMATS),
            may_archive=may_archive,
            jobs=Job.objects.filter(
                scope=event.pk,
                kind__in=["tournament.document"] + ["tournament.archive"] * may_archive,
                state__in=["queued", "running"],
            ),
        ),
        status=status,
    )


@needs("documents.print")
@require_http_methods(["GET", "HEAD", "POST"])
def document(request: HttpRequest, slug: str, document_id: uuid.UUID) -> HttpResponse:
    """Serve one document as made; one with links as its records are now, on request by form only.

    Its opening is recorded, so that no page which a browser fetches by itself may do it.
    """
    event = event_by_slug(slug)
    printed = get_object_or_404(PrintedDocument, pk=document_id, event=event)
    content = bytes(printed.content)
    if printed.kind in WITH_LINKS:
        if not may(request.user, "documents.print_links", event.pk):
            raise PermissionDenied("documents.print_links")
        if request.method != "POST":
            return redirect("desk-documents", slug)
        try:
            content = open_with_links(document=printed, actor=actor_of(request))
        except (Refused, DocumentError) as refusal:
            messages.error(request, str(refusal))
            return redirect("desk-documents", slug)
    if printed.kind == ARCHIVE and not may(request.user, "event.manage", event.pk):
        raise PermissionDenied("event.manage")
    return document_answer(printed, content, slug)


def document_answer(printed: PrintedDocument, content: bytes, slug: str) -> HttpResponse:
    """Serve the file itself: an archive to be saved, a paper to be read."""
    if printed.kind == ARCHIVE:
        response = HttpResponse(content, content_type="application/gzip")
        response["Content-Disposition"] = f'attachment; filename="{slug}.manille.gz"'
        response["Cache-Control"] = "private, no-store"
        return response
    response = HttpResponse(content, content_type="application/pdf")
    response["Content-Disposition"] = (
        f'inline; filename="{slug}-{printed.kind}-{printed.language}.pdf"'
    )
    response["Cache-Control"] = (
        "private, no-store" if printed.kind in WITH_LINKS else "private, max-age=86400, immutable"
    )
    return response
