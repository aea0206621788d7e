"""Players at the door: search, check in, enter, withdraw, return, import."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.db.models import Q
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from ledger.access import capabilities_of, needs
from ledger.errors import Refused
from tournament.models import Entrant
from tournament.selectors.names import shown_name
from tournament.services import entrants
from tournament.services.entrants import next_round_number
from tournament.services.imports import keep_file, request_import
from tournament.services.players_file import read_players
from tournament.views.desk import actor_of, attempt
from tournament.views.forms import ImportForm, PlayerForm
from tournament.views.frame import event_by_slug, page


@needs("entrants.check_in")
def desk_players(request: HttpRequest, slug: str) -> HttpResponse:
    """Players at the door: search, check in, enter, withdraw, return."""
    event = event_by_slug(slug)
    can = capabilities_of(request.user, event.pk)
    form = PlayerForm(request.POST if "name" in request.POST else None)
    if (
        request.method == "POST"
        and "name" in request.POST
        and "entrants.manage" in can
        and form.is_valid()
    ):
        data = form.cleaned_data
        try:
            entrant = entrants.enter_player(
                event_id=event.pk, actor=actor_of(request), name=data["name"], club=data["club"],
                partner=data["partner"],
                number=data["number"], email=data["email"], fixed_seat=data["fixed_seat"],
                present=True,
            )  # fmt: skip
        except Refused as refusal:
            form.add_error(refusal.field if refusal.field in form.fields else None, str(refusal))
        else:
            messages.success(
                request,
                _("%(name)s is entered as number %(number)d and plays from round %(round)d.")
                % {"name": data["name"], "number": entrant.number, "round": entrant.from_round},
            )
            return redirect("desk-players", slug)
    words = request.GET.get("q", "").strip()[:60]
    state = request.GET.get("state", "")
    listed = event.entrants.select_related("person", "partner", "club").order_by("number")
    if words:
        listed = (
            listed.filter(number=int(words[:8]))
            if words.isascii() and words.isdigit()
            else listed.filter(Q(person__name__icontains=words) | Q(club__name__icontains=words))
        )
    if state in ("registered", "present", "withdrawn"):
        listed = listed.filter(state=state)
    total = listed.count()
    at = _page_number(request)
    rows = [
        {"entrant": e, "name": shown_name(e, shorten=False)}
        for e in listed[(at - 1) * 50 : at * 50]
    ]
    return render(
        request,
        "desk/players.html",
        page(
            request, event, "desk-players", rows=rows, words=words, state=state, form=form,
            total=total, at=at, pages=range(1, (total + 49) // 50 + 1),
            may_manage="entrants.manage" in can, next_round=next_round_number(event),
        ),
    )  # fmt: skip


def _page_number(request: HttpRequest) -> int:
    text = request.GET.get("page", "1")
    return (
        max(1, min(int(text), 10_000)) if text.isascii() and text.isdigit() and len(text) < 6 else 1
    )


@needs("entrants.check_in")
@require_POST
def entrant_state(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Check in, check out, withdraw or take back one player."""
    event = event_by_slug(slug)
    entrant = get_object_or_404(Entrant, event=event, number=number)
    verb = request.POST.get("verb", "")
    manage = "entrants.manage" in capabilities_of(request.user, event.pk)
    actor = actor_of(request)
    acts: dict[str, tuple[bool, Callable[[], Any], str]] = {
        "check_in": (True, lambda: entrants.check_in(entrant_id=entrant.pk, actor=actor),
                     _("Number %(n)d is present.")),
        "check_out": (True, lambda: entrants.check_in(entrant_id=entrant.pk, actor=actor, present=False),
                      _("Number %(n)d is not present.")),
        "withdraw": (manage, lambda: entrants.withdraw(entrant_id=entrant.pk, actor=actor),
                     _("Number %(n)d has withdrawn.")),
        "return": (manage, lambda: entrants.take_back(entrant_id=entrant.pk, actor=actor),
                   _("Number %(n)d is back.")),
    }  # fmt: skip
    if verb not in acts or not acts[verb][0]:
        raise Http404
    attempt(request, acts[verb][1], acts[verb][2] % {"n": number})
    return redirect("desk-players", slug)


@needs("entrants.manage")
@require_POST
def check_in_all(request: HttpRequest, slug: str) -> HttpResponse:
    """Mark every registered player present."""
    event = event_by_slug(slug)
    count = entrants.check_in_all(event_id=event.pk, actor=actor_of(request))
    messages.success(request, _("%(count)d players checked in.") % {"count": count})
    return redirect("desk-event", slug)


@needs("entrants.manage")
def desk_import(request: HttpRequest, slug: str) -> HttpResponse:
    """Bring in a spreadsheet: preview with every bad row, then all or nothing."""
    event = event_by_slug(slug)
    form = ImportForm(request.POST or None, request.FILES or None)
    preview = kept = None
    actor = actor_of(request)
    if request.method == "POST" and "confirm" in request.POST:
        try:
            job = request_import(
                file_id=uuid.UUID(request.POST["confirm"]), actor=actor,
                skip_duplicates="skip_duplicates" in request.POST,
            )  # fmt: skip
        except (Refused, ValueError) as refusal:
            messages.error(request, str(refusal))
            return redirect("desk-import", slug)
        return redirect("desk-job", slug, job.pk)
    if request.method == "POST" and form.is_valid():
        content = form.cleaned_data["file"].read()
        try:
            preview = read_players(event=event, content=content)
        except Refused as refusal:
            form.add_error("file", str(refusal))
        else:
            if preview.importable:
                kept = keep_file(event_id=event.pk, content=content, actor=actor)
    return render(
        request,
        "desk/import.html",
        page(request, event, "desk-players", form=form, preview=preview, kept=kept),
    )
