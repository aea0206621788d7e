"""The event as a whole, for the director: settings, copy, finish and reopen, hide, delete."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from ledger.errors import Refused
from tournament.access import needs
from tournament.models import Event, EventState
from tournament.models.tables import Depth
from tournament.services import event_copy, event_life, events, logos
from tournament.views.desk import actor_of, attempt
from tournament.views.event_forms import (
    CopyForm,
    DeleteForm,
    FinishForm,
    SettingsForm,
    stakes_of,
)
from tournament.views.forms import rulebook_choices
from tournament.views.frame import event_by_slug, page


@needs("event.manage")
@require_http_methods(["GET", "HEAD", "POST"])
def settings(request: HttpRequest, slug: str) -> HttpResponse:
    """Everything that may change in the event, and what is fixed since its first publication."""
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
        actor = actor_of(request)
        try:
            events.update_event(
                event_id=event.pk, actor=actor, changes=form.changes(), minutes=form.minutes()
            )
            if form.cleaned_data["logo"]:
                logos.set_logo(event_id=event.pk, actor=actor, content=form.cleaned_data["logo"])
            elif form.cleaned_data.get("remove_logo"):
                logos.remove_logo(event_id=event.pk, actor=actor)
        except Refused as refusal:
            form.add_error(refusal.field if refusal.field in form.fields else None, str(refusal))
        else:
            messages.success(request, _("The settings are saved."))
            return redirect("desk-settings", slug)
        event.refresh_from_db()
    context = page(
        request,
        event,
        "desk-settings",
        form=form,
        fixed=_fixed(event) if fixed else [],
        deletable=not event_life.has_records(event),
        delete_form=DeleteForm(),
    )
    return render(request, "desk/settings.html", context, status=422 if form.errors else 200)


def _fixed(event: Event) -> list[tuple[str, str]]:
    """The settings that can no longer change, by label and value."""
    rulebook = dict(rulebook_choices()).get(event.rulebook, event.rulebook)
    rows = [
        (_("Rulebook"), rulebook),
        (_("Stakes of the first auction"), stakes_of(event)),
        (_("How a result becomes official"), event.get_protocol_display()),
        (_("At the bell"), event.get_bell_rule_display()),
        (_("Level of detail"), str(dict(Depth.choices).get(event.depth, event.depth))),
    ]
    return [(label, value) for label, value in rows if value]


@needs("event.manage")
@require_POST
def settings_verb(request: HttpRequest, slug: str, verb: str) -> HttpResponse:
    """Hide, show, reopen or delete the event."""
    event = event_by_slug(slug)
    actor = actor_of(request)
    acts: dict[str, tuple[Callable[[], Any], str]] = {
        "hide": (
            lambda: event_life.set_hidden(event_id=event.pk, actor=actor, hidden=True),
            _("The event is hidden from the public lists."),
        ),
        "show": (
            lambda: event_life.set_hidden(event_id=event.pk, actor=actor, hidden=False),
            _("The event is listed again."),
        ),
        "reopen": (
            lambda: event_life.reopen_event(event_id=event.pk, actor=actor),
            _("The event is open again."),
        ),
    }
    if verb == "delete":
        if not DeleteForm(request.POST).is_valid():
            messages.error(request, _("Tick the box to delete the event."))
            return redirect("desk-settings", slug)
        deleted = attempt(
            request,
            lambda: event_life.delete_event(event_id=event.pk, actor=actor),
            _("The event is deleted."),
        )
        return redirect("desk") if deleted else redirect("desk-settings", slug)
    if verb not in acts:
        raise Http404
    attempt(request, acts[verb][0], acts[verb][1])
    return redirect("desk-settings", slug)


@needs("event.manage")
@require_http_methods(["GET", "HEAD", "POST"])
def finish(request: HttpRequest, slug: str) -> HttpResponse:
    """What is still open before the event is declared finished; posted: finish it."""
    event = event_by_slug(slug)
    if event.state == EventState.FINISHED:
        return redirect("desk-settings", slug)
    matters = event_life.open_matters(event)
    form = FinishForm(request.POST if request.method == "POST" and matters else None)
    if request.method == "POST" and (not matters or form.is_valid()):
        finished = attempt(
            request,
            lambda: event_life.finish_event(
                event_id=event.pk, actor=actor_of(request), despite_open=bool(matters)
            ),
            _("The event is finished."),
        )
        return redirect("desk-event", slug) if finished else redirect("desk-finish", slug)
    context = page(
        request,
        event,
        "desk-settings",
        matters=matters,
        form=form,
        back="desk-settings" if request.GET.get("from") == "settings" else "desk-event",
        blocked=any(matter.blocks for matter in matters),
        in_play=any(matter.blocks and not matter.address for matter in matters),
    )
    return render(request, "desk/finish.html", context, status=422 if form.errors else 200)


@needs("event.manage")
@require_http_methods(["GET", "HEAD", "POST"])
def copy(request: HttpRequest, slug: str) -> HttpResponse:
    """The same event again, under another day."""
    event = event_by_slug(slug)
    form = CopyForm(request.POST if request.method == "POST" else None, event=event)
    if request.method == "POST" and form.is_valid():
        try:
            copied = event_copy.copy_event(
                event_id=event.pk, actor=actor_of(request), **form.cleaned_data
            )
        except Refused as refusal:
            form.add_error(refusal.field if refusal.field in form.fields else None, str(refusal))
        else:
            messages.success(request, _("This is the copy, with the same settings."))
            return redirect("desk-event", copied.slug)
    context = page(request, event, "desk-settings", form=form)
    return render(request, "desk/copy.html", context, status=422 if form.errors else 200)
