"""The event as a whole, for the director: settings, copy, finish and reopen, hide, delete."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from accounts.pages import Page
from tournament.access import needs
from tournament.models import Event, EventState
from tournament.models.tables import Depth
from tournament.queries.rulebooks import book_of
from tournament.services import event_copy, event_life, events, logos
from tournament.services.event_life import OpenMatter
from tournament.views.doing import act, do, submit
from tournament.views.event_forms import (
    CopyForm,
    DeleteForm,
    FinishForm,
    SettingsForm,
    stakes_of,
)
from tournament.views.frame import event_by_slug, show_event


class SettingsPage(Page, template="desk/settings.html", here="desk-settings"):
    form: SettingsForm
    fixed: list[tuple[str, str]]
    deletable: bool
    delete_form: DeleteForm


@needs("event.manage")
@require_http_methods(["GET", "HEAD", "POST"])
def settings(request: HttpRequest, slug: str) -> HttpResponse:
    """Show all settings of the event, and those fixed since its first publication."""
    event = event_by_slug(slug)
    fixed = events.rules_are_fixed(event)
    posted = request.method == "POST"
    form = SettingsForm(
        request.POST if posted else None,
        request.FILES if posted else None,
        event=event,
        fixed=fixed,
    )
    if posted and form.is_valid():
        changes, minutes = form.changes(), form.minutes()
        if submit(request, form, events.update_event, event, changes=changes, minutes=minutes):
            if form.cleaned_data["logo"]:
                act(request, logos.set_logo, event, logo=form.cleaned_data["logo"])
            elif form.cleaned_data.get("remove_logo"):
                act(request, logos.remove_logo, event)
            return redirect("desk-settings", slug)
        event.refresh_from_db()
    context = SettingsPage(
        form=form,
        fixed=_fixed(event) if fixed else [],
        deletable=not event_life.has_records(event),
        delete_form=DeleteForm(),
    )
    return show_event(request, event, context, status=422 if form.errors else 200)


def _fixed(event: Event) -> list[tuple[str, str]]:
    """Return the settings that cannot change any more, by label and value."""
    rows = [
        (_("Rulebook"), book_of(event).title.render(get_language() or "en")),
        (_("Stakes of the first auction"), stakes_of(event)),
        (_("How a result becomes official"), event.get_protocol_display()),
        (_("At the bell"), event.get_bell_rule_display()),
        (_("Level of detail"), str(dict(Depth.choices).get(event.depth, event.depth))),
    ]
    return [(label, value) for label, value in rows if value]


@needs("event.manage")
@require_POST
def delete(request: HttpRequest, slug: str) -> HttpResponse:
    """Delete the event."""
    event = event_by_slug(slug)
    if not DeleteForm(request.POST).is_valid():
        messages.error(request, _("Tick the box to delete the event."))
        return redirect("desk-settings", slug)
    deleted = do(request, event_life.delete_event, event)
    return redirect("desk") if deleted else redirect("desk-settings", slug)


class FinishPage(Page, template="desk/finish.html", here="desk-settings"):
    matters: list[OpenMatter]
    form: FinishForm
    back: str
    blocked: bool
    in_play: bool


@needs("event.manage")
@require_http_methods(["GET", "HEAD", "POST"])
def finish(request: HttpRequest, slug: str) -> HttpResponse:
    """List the open matters before the event is declared finished; posted: finish it."""
    event = event_by_slug(slug)
    if event.state == EventState.FINISHED:
        return redirect("desk-settings", slug)
    matters = event_life.open_matters(event)
    form = FinishForm(request.POST if request.method == "POST" and matters else None)
    if request.method == "POST" and (not matters or form.is_valid()):
        finished = do(request, event_life.finish_event, event, despite_open=bool(matters))
        return redirect("desk-event", slug) if finished else redirect("desk-finish", slug)
    context = FinishPage(
        matters=matters,
        form=form,
        back="desk-settings" if request.GET.get("from") == "settings" else "desk-event",
        blocked=any(matter.blocks for matter in matters),
        in_play=any(matter.blocks and not matter.address for matter in matters),
    )
    return show_event(request, event, context, status=422 if form.errors else 200)


class CopyPage(Page, template="desk/copy.html", here="desk-settings"):
    form: CopyForm


@needs("event.manage")
@require_http_methods(["GET", "HEAD", "POST"])
def copy(request: HttpRequest, slug: str) -> HttpResponse:
    """Copy the event to another day."""
    event = event_by_slug(slug)
    form = CopyForm(request.POST if request.method == "POST" else None, event=event)
    if form.is_bound and form.is_valid():
        copied = submit(request, form, event_copy.copy_event, event, **form.cleaned_data)
        if copied:
            return redirect("desk-event", copied.slug)
    context = CopyPage(form=form)
    return show_event(request, event, context, status=422 if form.errors else 200)
