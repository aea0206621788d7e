"""Page of confirmation before an act: what it changes and what falls with it, its reason, and the way back.

The act is done once its page was seen as things are: where they have changed since, the page is
shown again with what was typed, and nothing has happened.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from accounts.access import actor_of
from accounts.pages import Page
from ledger.change import change
from ledger.errors import Refused
from ledger.verbs import verb_of
from scoring.engine.errors import EngineError
from tournament.models import Seat, Stage
from tournament.queries.falls import Concerned, Hanging, is_prevented, moment_of, what_falls
from tournament.queries.moves import Moves, moves_with, ranked_stages
from tournament.services.untouched import lock_sheets
from tournament.signals import round_locking
from tournament.tables.entry import refusal_text
from tournament.views.doing import done_words, fields_of, perform, verb_was_sent
from tournament.views.frame import show_event

TRIED = "–"
"""The reason with which an act is tried before one is given."""


class WhatFallsPage(Page, template="desk/what_falls.html", here="desk-rounds"):
    title: str
    where: str
    meanwhile: bool
    moves: Moves | None
    falls: list[Hanging]
    stopped: bool
    to: str
    sent: dict[str, str]
    reason: bool
    given: str
    back_url: str


def do_asked(
    request: HttpRequest,
    concerned: Concerned,
    service: Callable[..., object],
    row: Any,
    *,
    where: str,
    back_url: str,
    to: str = "",
    title: str = "",
    here: str = "",
    tries: bool = True,
    stale: bool = False,
    **given: object,
) -> HttpResponse:
    """Do an act whose page was seen as things are; else show the page, with what the form sent.

    Then ``to`` is shown (by default ``back_url``) with the message. Refusals propagate. ``tries``:
    whether the act is tried for the places that it changes. ``stale``: the form shows other facts.
    """
    seen = request.POST.get("seen_at", "")
    if seen:
        with change():
            if concerned.round is not None:
                round_locking.send(sender=None, round_id=concerned.round.pk)
                lock_sheets(concerned.round.pk)
                concerned.round.refresh_from_db()
            if moment_of(concerned) == seen or verb_was_sent(request, service, row):
                done = perform(request, service, row, **given)
                messages.success(request, done_words(service, done))
                return redirect(to or back_url)
    falls = what_falls(concerned)
    page = WhatFallsPage(
        title=title or concerned.act.label,
        where=where,
        meanwhile=bool(seen) or stale,
        moves=_try_out(request, concerned, service, row, given)
        if tries and not is_prevented(falls)
        else None,
        falls=falls,
        stopped=is_prevented(falls),
        to=request.path,
        sent=_sent(request) | {"seen_at": moment_of(concerned)},
        reason=any(each.name == "reason" for each in verb_of(service).takes),
        given=request.POST.get("reason", "").strip(),
        back_url=back_url,
    )
    return show_event(
        request, concerned.event, page, here=here, status=409 if page.meanwhile else 200
    )


def ask_again(
    request: HttpRequest,
    concerned: Concerned,
    service: Callable[..., object],
    row: Any,
    *,
    where: str,
    back_url: str,
    **given: Any,
) -> HttpResponse | None:
    """Return the page of an act whose form showed facts that have changed since; ``None`` if it may go on."""
    seen = request.POST.get("seen_at", "")
    if not seen or moment_of(concerned) == seen or verb_was_sent(request, service, row):
        return None
    return tell(
        request,
        back_url,
        lambda: do_asked(request, concerned, service, row, where=where, back_url=back_url, **given),
    )


def tell(request: HttpRequest, back_url: str, doing: Callable[[], HttpResponse]) -> HttpResponse:
    """Return the answer of ``doing``; show a refusal at ``back_url``."""
    try:
        return doing()
    except Refused as refusal:
        messages.error(request, str(refusal))
    except EngineError as error:
        messages.error(request, refusal_text(error, get_language() or "en"))
    return redirect(back_url)


def name_replacement(request: HttpRequest) -> str:
    """Return the name of a replacement, as on its button: with the points so far, or from zero."""
    if "zero" in request.POST:
        return _("Replace, from zero")
    return _("Replace, with the points so far")


def _sent(request: HttpRequest) -> dict[str, str]:
    """Return the fields of an address and form that their question sends on; the reason is its own field."""
    apart = ("csrfmiddlewaretoken", "seen_at", "reason")
    given = [*request.GET.items(), *request.POST.items()]
    return {name: str(value) for name, value in given if name not in apart}


def _try_out(
    request: HttpRequest,
    concerned: Concerned,
    service: Callable[..., object],
    row: Any,
    given: dict[str, object],
) -> Moves:
    """Return the places that an act would change; its refusals propagate."""
    verb = verb_of(service)
    form = request.POST.copy()
    if not form.get("reason", "").strip():
        form["reason"] = TRIED
    fields = {**fields_of(service, form, given), **given}
    by = {"actor": actor_of(request)} if verb.by else {}
    return moves_with(
        lambda: verb.act(**{verb.key: row.pk}, **by, **fields),
        _stages(concerned),
        concerned.round,
        _seated(concerned),
    )


def _stages(concerned: Concerned) -> list[Stage]:
    """Return the stages whose places an act may change."""
    if concerned.round is not None:
        return ranked_stages(concerned.round.stage)
    in_play = Stage.objects.filter(
        field__entrant__in=concerned.entrants, rounds__published_at__isnull=False
    )
    return list(in_play.distinct().select_related("event").order_by("order"))


def _seated(concerned: Concerned) -> set[int]:
    """Return the keys of the entrants at the tables that an act is about."""
    at = Seat.objects.filter(table__in=concerned.tables).values_list("entrant_id", flat=True)
    return {*concerned.entrants, *at}
