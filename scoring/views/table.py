"""The table's page: read the sheet, enter the next deal, sign. Reached by the slip's link only."""

from __future__ import annotations

import uuid
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from ledger.access import by_link
from ledger.actors import Actor
from ledger.errors import Refused
from ledger.idempotency import once
from ledger.limits import CALLS_BY_TABLE, TOKENS_BY_ADDRESS, address
from scoring.engine.errors import EngineError
from scoring.entry import SIDE_NAMES, dealer_of, entry_fields, read_entry, refusal_text
from scoring.models import ScoringTable, Sheet, SheetState
from scoring.services import sheets, tables

DEVICE_COOKIE = "device"


def _device(request: HttpRequest) -> uuid.UUID:
    """This phone's id, kept in a signed cookie."""
    text = request.get_signed_cookie(DEVICE_COOKIE, default="", salt="device")
    try:
        return uuid.UUID(text)
    except ValueError:
        return uuid.uuid4()


def _table(request: HttpRequest, token: str) -> ScoringTable:
    here = address(request)
    TOKENS_BY_ADDRESS.check(here)
    try:
        return tables.table_by_token(token)
    except Refused:
        TOKENS_BY_ADDRESS.count(here)
        raise


def _sheet(table: ScoringTable, order: str | None) -> Sheet:
    """The sheet asked for, else the first that is not signed, else the last."""
    listed = list(table.sheets.order_by("order"))
    wanted = [s for s in listed if str(s.order) == order]
    if wanted:
        return wanted[0]
    waiting = [s for s in listed if s.state not in (SheetState.OFFICIAL, SheetState.VOID)]
    return waiting[0] if waiting else listed[-1]


def _act(request: HttpRequest, table: ScoringTable, sheet: Sheet, device: uuid.UUID) -> None:
    """Do what the form asks; raises Refused or EngineError with the reason."""
    actor = Actor.device(device)
    verb = request.POST.get("verb", "")
    version = request.POST.get("version", "")
    seen = int(version) if version.isascii() and version.isdigit() and len(version) < 9 else None
    if verb == "deal":
        number = sheet.deals.filter(series="official", current=True).count() + 1
        entry = read_entry(sheet, request.POST, dealer_of(sheet, number))
        key = request.POST.get("key", "")[:80]

        def effect() -> dict[str, Any]:
            deal = sheets.enter_deal(sheet_id=sheet.pk, entry=entry, actor=actor, version=seen)
            return {"deal": deal.number}

        if key:
            once(scope=table.scope, key=f"{table.pk}:{key}"[:80],
                 request=[str(sheet.pk), entry], effect=effect)  # fmt: skip
        else:
            effect()
    elif verb == "correct":
        number = (
            int(request.POST.get("number", "0")) if request.POST.get("number", "").isdigit() else 0
        )
        entry = read_entry(sheet, request.POST, dealer_of(sheet, max(number, 1)))
        sheets.correct_deal(
            sheet_id=sheet.pk, number=number, entry=entry, actor=actor, version=seen,
            reason=request.POST.get("reason", ""),
        )  # fmt: skip
    elif verb == "sign":
        sheets.sign(
            sheet_id=sheet.pk, side=request.POST.get("signing", ""), version=seen or 0, actor=actor
        )
    elif verb == "dispute":
        sheets.withdraw_signatures(sheet_id=sheet.pk, version=seen or 0, actor=actor)
    elif verb == "bell":
        sheets.end_by_bell(sheet_id=sheet.pk, actor=actor)
    elif verb == "referee":
        CALLS_BY_TABLE.check(str(table.pk))
        CALLS_BY_TABLE.count(str(table.pk))
        tables.call_referee(
            table_id=table.pk, sheet_id=sheet.pk, actor=actor,
            reason=request.POST.get("reason", "").strip() or _("asked from the table"),
        )  # fmt: skip
    elif verb == "take":
        tables.take_writing(table_id=table.pk, device=device, knowingly=True)


@by_link("table")
def table_page(request: HttpRequest, token: str) -> HttpResponse:
    """The sheet of a table, as its scorekeeper needs it."""
    language = get_language() or "en"
    try:
        table = _table(request, token)
    except Refused as refusal:
        return render(request, "table/closed.html", {"reason": str(refusal)}, status=refusal.status)
    device = _device(request)
    writing = tables.take_writing(table_id=table.pk, device=device)
    sheet = _sheet(table, request.GET.get("game"))
    refused, field = "", ""
    if request.method == "POST":
        try:
            _act(request, table, sheet, device)
        except EngineError as error:
            refused, field = refusal_text(error, language), error.field
        except Refused as refusal:
            refused, field = str(refusal), refusal.field
        else:
            return _keep(redirect(f"{request.path}?game={sheet.order}"), device)
        sheet.refresh_from_db()
    context = _page(request, table, sheet, writing, language)
    context.update(refused=refused, field=field, typed=request.POST if refused else {})
    status = 422 if refused else 200
    return _keep(render(request, "table/sheet.html", context, status=status), device)


def _keep(response: HttpResponse, device: uuid.UUID) -> HttpResponse:
    response.set_signed_cookie(
        DEVICE_COOKIE, str(device), salt="device", max_age=30 * 24 * 3600, httponly=True,
        secure=settings.HTTPS, samesite="Lax",
    )  # fmt: skip
    response["Cache-Control"] = "no-store"
    return response


def _page(
    request: HttpRequest, table: ScoringTable, sheet: Sheet, writing: tables.Writing, language: str
) -> dict[str, Any]:
    """What the page shows."""
    from scoring.engine.speech import speak

    deals = sheets.current_deals(sheet)
    running = {"NS": 0, "EW": 0}
    shown = []
    for deal in deals:
        cells = []
        for side in ("NS", "EW"):
            marks = deal.marks.get(side, 0)
            running[side] += marks
            cells.append({"marks": marks or None, "total": running[side]})
        contract = deal.entry.get("contract", {})
        points = deal.entry.get("points", {})
        shown.append(
            {
                "number": deal.number, "dealer": deal.entry.get("dealer", ""),
                "contract": SIDE_NAMES.get(contract.get("declarer", ""), ""),
                "suit": contract.get("trump", ""),
                "factor": f"×{2 ** contract['doubling']}" if contract.get("doubling") else "",
                "points": " · ".join(f"{SIDE_NAMES[s]} {p}" for s, p in points.items()),
                "cells": cells, "said": "; ".join(speak(line, language) for line in deal.lines),
                "ruled": bool(deal.infractions), "superseded": False,
            }
        )  # fmt: skip
    names = seat_names(sheet)
    signatures = {s.side: s for s in sheet.signatures.filter(standing=True)}
    number = len(deals) + 1
    fields = entry_fields(sheet, language)
    return {
        "table": table, "sheet": sheet, "writing": writing, "fields": fields,
        "sheets": list(table.sheets.order_by("order")),
        "sides": [
            {"name": SIDE_NAMES[side], "code": side,
             "players": " + ".join(names.get(seat, "") for seat in side),
             "total": running[side],
             "winner": sheet.state == SheetState.OFFICIAL and sheet.score.get("winner") == side}
            for side in ("NS", "EW")
        ],
        "deals": shown, "number": number, "dealer": dealer_of(sheet, number), "names": names,
        "dealer_name": names.get(dealer_of(sheet, number), ""), "key": uuid.uuid4().hex,
        "signatures": [
            {"side": SIDE_NAMES[s], "code": s, "signed": s in signatures, "name": SIDE_NAMES[s],
             "when": signatures[s].signed_at if s in signatures else None}
            for s in ("NS", "EW")
        ],
        "waiting_call": table.calls.filter(closed_at__isnull=True).first(),
        "spoken": [speak(line, language) for line in deals[-1].lines] if deals else [],
        "open": sheet.state in (SheetState.OPEN, SheetState.CLAIMED, SheetState.DISPUTED),
    }  # fmt: skip


def seat_names(sheet: Sheet) -> dict[str, str]:
    """Seat → name as the room above knows it; the seat's letter where nobody tells."""
    for teller in name_tellers:
        names = teller(sheet)
        if names:
            return names
    return {seat: seat for seat in sheet.seats}


name_tellers: list[Any] = []
"""Rooms above register ``f(sheet) -> {seat: name}``: this room holds ids only."""
