"""The table's page: read the sheet, enter the next deal, sign. Reached by the slip's link only.

``table_page`` serves the page and, without script, its forms; ``send`` takes the same fields from
the page's own sender and its offline queue and answers JSON; ``state`` tells a waiting page what
changed. The link is the permission (120 bits, hashed, one table and round), so ``send`` needs no
further token against forged requests: who knows the link may post anyway.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.db import transaction
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils.translation import get_language, override
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from ledger.access import by_link
from ledger.errors import Refused
from scoring.clock import clock_of
from scoring.engine.errors import EngineError
from scoring.models import Protocol, ScoringTable, Sheet, SheetState
from scoring.rules import sides_of
from scoring.selectors.entry_form import trick_rows
from scoring.selectors.labels import refusal_said
from scoring.selectors.sheet_page import page_context
from scoring.services import tables
from scoring.services.at_table import Asked

from .acts import Posted, act, reasons
from .reaching import device_of, keep_device, sheet_of, table_of


@by_link("table")
@require_http_methods(["GET", "HEAD", "POST"])
def table_page(request: HttpRequest, token: str) -> HttpResponse:
    """The sheet of a table, as its scorekeeper needs it."""
    language = get_language() or "en"
    try:
        table = table_of(request, token)
    except Refused as refusal:
        return render(request, "table/closed.html", {"reason": str(refusal)}, status=refusal.status)
    device = device_of(request)
    posted = request.method == "POST"
    try:
        sheet = sheet_of(table, request.GET.get("game"), exact=posted)
    except Refused as refusal:
        return render(request, "table/closed.html", {"reason": str(refusal)}, status=refusal.status)
    more: dict[str, Any] = {"refused": "", "field": "", "typed": {}}
    status = 200
    if posted:
        try:
            act(request.POST, table, sheet, device)
        except EngineError as error:
            more.update(refused=refusal_said(error, sheet, language), field=error.field)
            status = 422
        except Asked as asked:
            more.update(asked=asked.doubts, sure=asked.sure, field=asked.field)
            status = 409
        except Refused as refusal:
            more.update(refused=str(refusal), field=refusal.field, code=refusal.code)
            status = refusal.status
        else:
            answer = redirect(f"{request.path}?game={sheet.order}")
            return keep_device(answer, device)
        more["typed"] = request.POST
        table.refresh_from_db()
        sheet.refresh_from_db()
    depth = request.GET.get("depth", "") or request.POST.get("depth", "")
    context = page_context(table, sheet, device=device, token=token, language=language, depth=depth)
    template = "table/parts/live.html" if request.GET.get("part") else "table/sheet.html"
    answer = render(
        request,
        template,
        {
            **context,
            "reasons": reasons(),
            "trick_rows": trick_rows(context["fields"], more["typed"]),
            **more,
        },
        status=status,
    )
    return keep_device(answer, device)


def _refusal(refusal: EngineError | Refused, message: str, **more: Any) -> JsonResponse:
    status = refusal.status if isinstance(refusal, Refused) else 422
    told = {"code": refusal.code, "message": message, "field": refusal.field, **more}
    if isinstance(refusal, Refused) and refusal.params:
        told["params"] = refusal.params
    return JsonResponse({"ok": False, **told}, status=status)


def _in_every_language(say: Callable[[], str]) -> dict[str, str]:
    """A sentence in every language: a phone keeps them and shows the one of its reader."""
    messages = {}
    for language, _name in settings.LANGUAGES:
        with override(language):
            messages[language] = say()
    return messages


def _said(refusal: EngineError | Refused, sheet: Sheet) -> str:
    """A refusal in the language of the moment."""
    if isinstance(refusal, EngineError):
        return refusal_said(refusal, sheet, get_language() or "en")
    return str(refusal)


def _why_refused(posted: Posted, table: ScoringTable, sheet: Sheet, device: uuid.UUID) -> str:
    """Why a deal is refused, in the language of the moment: it is tried again and rolled back."""
    with transaction.atomic():
        try:
            act(posted, table, sheet, device)
        except (EngineError, Refused) as refusal:
            return _said(refusal, sheet)
        finally:
            transaction.set_rollback(True)
    return ""


@csrf_exempt
@by_link("table")
@require_POST
def send(request: HttpRequest, token: str) -> HttpResponse:
    """One act of the page's sender or queue, answered as JSON; repeated safely with its key.

    200 ``{"ok": true}``; 4xx ``{"ok": false, "code", "message", "field"}``, and for a probable
    mistake ``please_check`` with ``questions`` and ``sure`` (send that back to say yes). A refused
    deal waits on the phone for a decision, whoever reads it then: ``messages`` has the sentence in
    every language, ``params`` what it names.
    """
    device = device_of(request)
    posted = request.POST
    try:
        table = table_of(request, token)
        sheet = sheet_of(table, posted.get("game"), exact=True)
    except Refused as refusal:
        answer = _refusal(refusal, str(refusal), messages=_in_every_language(refusal.__str__))
        return keep_device(answer, device)
    try:
        done = act(posted, table, sheet, device)
    except (EngineError, Refused) as refusal:
        more: dict[str, Any] = {}
        if isinstance(refusal, Asked):
            more = {"questions": [each.question for each in refusal.doubts], "sure": refusal.sure}
        if posted.get("verb") == "deal":
            more["messages"] = _in_every_language(
                lambda: _why_refused(posted, table, sheet, device)
            )
        answer = _refusal(refusal, _said(refusal, sheet), **more)
    else:
        sheet.refresh_from_db()
        answer = JsonResponse({"ok": True, "version": sheet.version, **done})
    return keep_device(answer, device)


@by_link("table")
@require_safe
def state(request: HttpRequest, token: str) -> HttpResponse:
    """What a waiting page asks every few seconds: did the sheet change, do I still have the pen?"""
    try:
        table = table_of(request, token)
    except Refused as refusal:
        return _refusal(refusal, str(refusal))
    device = device_of(request)
    sheet = sheet_of(table, request.GET.get("game"))
    if sheet.protocol == Protocol.DOUBLE:
        pen = bool(tables.side_of_device(table, device)) or table.side_pens.count() != len(
            sides_of(sheet)
        )
    else:
        pen = table.writer in (None, device)
    clock = clock_of(table)
    call = table.calls.filter(closed_at__isnull=True).first()
    return keep_device(
        JsonResponse(
            {
                "version": sheet.version,
                "state": sheet.state,
                "open": sheet.state not in (SheetState.OFFICIAL, SheetState.VOID),
                "pen": pen,
                "epoch": table.writer_epoch,
                "call": str(call.pk) if call else "",
                "claimed": bool(call and call.claimed_by),
                "ends_at": clock.ends_at.isoformat() if clock and clock.ends_at else "",
                "games": list(table.sheets.order_by("order").values_list("order", flat=True)),
            }
        ),
        device,
    )  # fmt: skip
