"""Files to take away: tables as CSV, XLSX and JSON, the calendar, the whole event as an archive."""

from __future__ import annotations

from django import forms
from django.conf import settings
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext, override
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_POST, require_safe

from accounts.access import actor_of, public
from accounts.pages import Page, show_page
from accounts.roles import may
from ledger.errors import Refused
from ledger.signing import public_key
from tournament import exports
from tournament.access import needs
from tournament.exports_excel import as_excel
from tournament.public.conditional import follows
from tournament.services import archive as archives
from tournament.services.documents import request_archive
from tournament.services.events import free_slug
from tournament.views.frame import event_by_slug


@public
@require_safe
@follows("event")
def calendar(request: HttpRequest, slug: str) -> HttpResponse:
    """Serve the rounds as a calendar to subscribe to, in ``?language=`` or else the event's language.

    A subscription is fetched by a server or a phone, not by a reader with a language of their own.
    """
    event = event_by_slug(slug)
    url = request.build_absolute_uri(f"/e/{slug}/")
    language_chosen = request.GET.get("language", "")
    language = language_chosen if language_chosen in dict(settings.LANGUAGES) else event.language
    with override(language):
        content = exports.calendar(event, url)
    response = HttpResponse(content, content_type="text/calendar; charset=utf-8")
    response["Content-Language"] = language
    response["Content-Disposition"] = f'inline; filename="{slug}.ics"'
    return response


@needs("event.read")
@require_safe
def export(request: HttpRequest, slug: str, kind: str, format: str) -> HttpResponse:
    """Serve one table for the desk, with hidden rounds; ``?for=excel``: for people.

    E-mail addresses and families need the right to manage players.
    """
    if kind not in exports.KINDS or format not in exports.FORMATS:
        raise Http404
    event = event_by_slug(slug)
    more: dict[str, int] = {}
    if kind == "players":
        more["contacts"] = may(request.user, "entrants.manage", event.pk)
    if kind == "standings":
        stage_chosen = request.GET.get("stage", "")
        if stage_chosen.isascii() and stage_chosen.isdigit():
            if not event.stages.filter(order=int(stage_chosen[:4])).exists():
                raise Http404
            more["stage"] = int(stage_chosen[:4])
        elif not event.stages.exists():
            raise Http404
    write, content_type = exports.FORMATS[format]
    table = exports.KINDS[kind](event, public=False, **more)
    excel = format == "csv" and request.GET.get("for") == "excel"
    content = as_excel(table, event) if excel else write(table)
    response = HttpResponse(content, content_type=content_type)
    state, fingerprint = table.facts.get("state"), str(table.facts["hash"])
    name = f"{slug}-{kind}" + (f"-{state}" if state else "") + f"-{fingerprint[:16]}"
    response["Content-Disposition"] = f'attachment; filename="{name}.{format}"'
    response["Cache-Control"] = "private, no-store"
    return response


@needs("event.manage")
@require_POST
def archive(request: HttpRequest, slug: str) -> HttpResponse:
    """Request the whole event as one file with a checksum."""
    job = request_archive(event_id=event_by_slug(slug).pk, actor=actor_of(request))
    return redirect("desk-job", slug, job.pk)


class ArchiveForm(forms.Form):
    """An archive to take up, as itself or as a copy, and the address of the event here."""

    file = forms.FileField(label=_("Archive of an event"))
    copy = forms.BooleanField(
        label=_("Import it as a copy, beside the event that is already here"),
        required=False,
        help_text=_(
            "A separate event: what is recorded in one does not count in the other. It is left out of the public "
            "lists until you show it, and nobody can register for it."
        ),
    )
    name = forms.CharField(label=_("Name of the copy"), max_length=120, required=False)
    slug = forms.SlugField(
        label=_("Address of the event here"),
        max_length=60,
        required=False,
        help_text=_("Leave empty to keep its address; a copy gets its own."),
    )


def _whose(key: str | None) -> str:
    """Describe the origin of an imported archive."""
    if not key:
        return gettext("Imported. The archive is not signed: its origin cannot be verified.")
    if key == public_key():
        return gettext("Imported. The archive is signed by this installation.")
    return gettext("Imported. The archive is signed by the installation with the key %(key)s.") % {
        "key": key
    }


class TakeUpPage(Page, template="desk/take_up.html"):
    form: ArchiveForm
    multipart: bool
    known: str


@needs("event.create")
def take_up(request: HttpRequest) -> HttpResponse:
    """Take up an event from an archive; one that is here already is offered as a copy."""
    form = ArchiveForm(request.POST or None, request.FILES or None)
    here = ""
    if request.method == "POST" and form.is_valid():
        data = form.cleaned_data
        if data["file"].size > settings.IMPORT_MAX_BYTES * 5:
            form.add_error("file", _("This file is too large."))
        else:
            try:
                event = archives.take_up(
                    file=data["file"].read(),
                    actor=actor_of(request),
                    slug=data["slug"],
                    name=data["name"],
                    copy=data["copy"],
                )
            except Refused as refusal:
                if refusal.code == "event_exists":
                    here = str(refusal.params["name"])
                    copied = archives.copy_name(here)
                    proposal = {"copy": True, "name": copied, "slug": free_slug(copied)}
                    form = ArchiveForm(initial=proposal)
                else:
                    form.add_error(
                        refusal.field if refusal.field in form.fields else None, str(refusal)
                    )
            else:
                messages.success(request, _whose(archives.signed_by(event)))
                there = redirect("desk-event", event.slug)
                if request.headers.get("X-Part") == "form":
                    return HttpResponse(status=204, headers={"X-Location": there.url})
                return there
    return show_page(request, TakeUpPage(form=form, multipart=True, known=here))
