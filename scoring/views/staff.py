"""A sheet as staff sees it: every version and flag, and the verbs that a role allows.

Reading needs ``room.watch``; entering for a table ``sheets.enter``; correcting, confirming and
reopening ``sheets.correct``, which also reach signed sheets.
"""

from __future__ import annotations

import uuid
from typing import Any

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from ledger.access import may, needs
from ledger.actors import Actor
from ledger.errors import Conflict, Refused
from scoring.alarms import doubt_name
from scoring.engine.errors import EngineError
from scoring.engine.speech import with_signs
from scoring.entry import depths_of, entry_fields, read_entry
from scoring.models import Depth, Series, Sheet, SheetState
from scoring.people import frame_of, seat_names, slip_of
from scoring.rules import score_entry, sides_of
from scoring.selectors import paper_form
from scoring.selectors.entry_form import correction_context, entry_context, trick_rows
from scoring.selectors.labels import players_of, refusal_said, side_label
from scoring.selectors.sheet_page import (
    deal_rows,
    difference_rows,
    history,
    signature_rows,
    target_text,
)
from scoring.services import at_table, sheets
from scoring.services.at_table import Asked

from .acts import whole


def _sheet(sheet_id: uuid.UUID) -> Sheet:
    sheet = Sheet.objects.select_related("table").filter(pk=sheet_id).first()
    if sheet is None:
        raise Http404
    return sheet


def _require(request: HttpRequest, capability: str, sheet: Sheet) -> None:
    if not may(request.user, capability, sheet.scope):
        raise PermissionDenied(capability)


def _act(request: HttpRequest, sheet: Sheet) -> None:
    posted, verb = request.POST, request.POST.get("verb", "")
    actor = Actor.user(request.user.pk)
    version = whole(posted, "version")
    reason = posted.get("reason", "")
    if verb == "deal":
        _require(request, "sheets.enter", sheet)
        dealer = sheets.next_dealer(sheet, sheets.current_deals(sheet))
        at_table.hand_in(
            sheet=sheet, entry=read_entry(sheet, posted, dealer), actor=actor, version=version,
            key=posted.get("key", "")[:40], sure=posted.get("sure", ""),
        )  # fmt: skip
        return
    if verb == "bell":
        _require(request, "sheets.enter", sheet)
        sheets.end_by_bell(sheet_id=sheet.pk, actor=actor, version=version)
        return
    if verb == "unbell":
        _require(request, "sheets.enter", sheet)
        sheets.undo_bell(sheet_id=sheet.pk, actor=actor, version=version)
        return
    _require(request, "sheets.correct", sheet)
    if verb == "correct":
        sheets.correct_deal(
            sheet_id=sheet.pk, number=whole(posted, "number") or 0, actor=actor,
            entry=read_entry(sheet, posted, posted.get("dealer") or sheet.first_dealer),
            reason=reason, version=version, official=True,
        )  # fmt: skip
    elif verb == "confirm":
        if not reason.strip():
            raise Refused("reason_missing", _("Say why the result is confirmed."), field="reason")
        sheets.confirm(sheet_id=sheet.pk, version=version or 0, actor=actor, reason=reason)
    elif verb == "reopen":
        sheets.reopen(sheet_id=sheet.pk, actor=actor, reason=reason)
    else:
        raise Refused("unknown_verb", _("The page did not say what to do."), field="verb")


@needs("room.watch")
@require_http_methods(["GET", "HEAD", "POST"])
def sheet_page(request: HttpRequest, sheet_id: uuid.UUID) -> HttpResponse:
    """One sheet with everything that was ever written on it, and what may be done about it."""
    sheet = _sheet(sheet_id)
    language = get_language() or "en"
    more: dict[str, Any] = {"refused": "", "field": "", "typed": {}}
    status = 200
    if request.method == "POST":
        try:
            _act(request, sheet)
        except EngineError as error:
            more.update(refused=refusal_said(error, sheet, language), field=error.field)
            status = 422
        except Asked as asked:
            more.update(asked=asked.doubts, sure=asked.sure, field=asked.field)
            status = 409
        except Refused as refusal:
            more.update(refused=str(refusal), field=refusal.field)
            status = refusal.status
        else:
            return redirect(request.path)
        more["typed"] = request.POST
        sheet.refresh_from_db()
    return render(
        request,
        "table/staff.html",
        _with_tricks({**_context(request, sheet, language), **more}),
        status=status,
    )


def _with_tricks(context: dict[str, Any]) -> dict[str, Any]:
    correction = context["correction"]
    typed = context["typed"] or correction.get("typed", {})
    fields = correction.get("fields", context["fields"])
    return {**context, "trick_rows": trick_rows(fields, typed)}


def _context(request: HttpRequest, sheet: Sheet, language: str) -> dict[str, Any]:
    names = seat_names(sheet)
    deals = sheets.current_deals(sheet)
    rows = deal_rows(sheet, language, names)
    sides = sides_of(sheet)
    marks = sheet.score.get("marks", {})
    dealer = sheets.next_dealer(sheet, deals)
    wanted = request.GET.get("depth", "")
    fields = entry_fields(sheet, language, wanted if wanted in Depth.values else sheet.depth)
    chosen = whole(request.GET, "deal")
    picked = next((deal for deal in deals if deal.number == chosen), None)
    correction = correction_context(sheet, picked, names, language) if picked else {}
    return {
        "sheet": sheet, "table": sheet.table, "frame": frame_of(sheet), "names": names,
        "sides": [
            {"code": side, "name": side_label(side, language, names), "total": marks.get(side, 0),
             "players": players_of(side, names) if len(side) > 1 else "", "winner": False}
            for side in sides
        ],
        "deals": [{**row, "url": f"?deal={row['number']}"} for row in rows],
        "number": len(deals) + 1, "dealer": dealer, "dealer_name": names.get(dealer, dealer),
        "fields": fields, "depth": fields.depth, "key": uuid.uuid4().hex,
        "depths": [
            {"code": code, "label": Depth(code).label, "current": code == fields.depth}
            for code in depths_of(sheet)
        ],
        "target_text": target_text(sheet.options.get("target")),
        "signatures": signature_rows(sheet, language, names),
        "differences": difference_rows(sheet, language, names),
        "results": list(sheet.results.order_by("-number")),
        "history": [
            {"number": deal.number, "items": history(sheet, deal.number, Series.OFFICIAL, language, names),
             "flags": [_flag(flag, names, language) for flag in deal.flagged], "doubts": [doubt_name(code) for code in deal.doubts]}
            for deal in deals if deal.version > 1 or deal.flagged or deal.doubts
        ],
        "picked": picked, "correction": correction,
        "may_enter": may(request.user, "sheets.enter", sheet.scope),
        "may_correct": may(request.user, "sheets.correct", sheet.scope),
        "open": sheet.state in (SheetState.OPEN, SheetState.CLAIMED, SheetState.DISPUTED),
        "replay": next((deal.number for deal in sheets.to_replay(sheet)), None),
        **entry_context(sheet, fields, names, language, dealer),
    }  # fmt: skip


def _flag(flag: dict[str, Any], names: dict[str, str], language: str) -> dict[str, Any]:
    """An irregular card as the page says it: the player by name, cards by their signs."""
    return {
        "trick": flag["trick"], "seat": names.get(flag["seat"], flag["seat"]),
        "card": with_signs(flag["card"], language), "legal": [with_signs(card, language) for card in flag["legal"]],
    }  # fmt: skip


ROWS_FOR_PASSES = 4
"""Rows of the paper form for deals that everybody passed, which count for nothing."""


def _rows(sheet: Sheet) -> int:
    """How many deals may still have to be copied from paper: one row at least."""
    target = sheet.options.get("target")
    again = len(sheets.to_replay(sheet))
    if isinstance(target, dict) and "deals" in target:
        missing = min(int(target["deals"]), 60) - sheet.score.get("deals", 0)
    else:
        missing = 16 - (sheets.next_number(sheet) - 1)
    return max(missing, again, 1)


class _RowRefused(Exception):
    """A row of the paper form that the rules do not know: the deal's number and its field."""

    def __init__(self, number: int, field: str, error: EngineError) -> None:
        super().__init__(str(error))
        self.number, self.field, self.error = number, field, error


def _paper_entries(sheet: Sheet, typed: list[dict[str, str]]) -> list[dict[str, Any]]:
    """The deals of the paper form in order; empty rows at the end are left out."""
    filled = [any(row[name].strip() for name in ("points", "tricks", "passed")) for row in typed]
    entries: list[dict[str, Any]] = []
    first = len(sheets.current_deals(sheet)) + 1
    for at, (row, dealer) in enumerate(zip(typed, paper_form.dealers(sheet, typed), strict=True)):
        number = first + at
        if not filled[at]:
            if any(filled[at:]):
                raise Refused(
                    "deal_missing",
                    _("Deal %(n)d is empty, but a later one is not. Fill them in order."),
                    field=f"d{at + 1}-points",
                    params={"n": number},
                )
            break
        try:
            entry = read_entry(sheet, row, dealer, Depth.POINTS)
            score_entry(sheet, entry)
        except EngineError as error:
            parts = set(error.field.split(".")) & set(paper_form.FIELDS)
            field = next(iter(parts), "points")
            raise _RowRefused(number, f"d{at + 1}-{field}", error) from error
        entries.append(entry)
    return entries


@needs("sheets.enter")
@require_http_methods(["GET", "HEAD", "POST"])
def paper_page(request: HttpRequest, sheet_id: uuid.UUID) -> HttpResponse:
    """Copy a signed paper sheet: all its deals on one page, official at once.

    Then the next sheet of the round that waits is shown, so that a pile of slips is copied in order.
    """
    sheet = _sheet(sheet_id)
    language = get_language() or "en"
    slip = slip_of(sheet)
    refused, wrong, status = "", "", 200
    if request.method != "POST" and "table" in request.GET:
        chosen = paper_form.sheet_of_table(slip, request.GET["table"].strip())
        if chosen is not None:
            return redirect("staff-paper", sheet_id=chosen)
        refused, status = _("There is no such table in this round."), 404
    fields = entry_fields(sheet, language, Depth.POINTS)
    typed_rows = paper_form.posted_rows(
        request.POST, _rows(sheet) + (ROWS_FOR_PASSES if fields.passes else 0)
    )
    reasons = request.session.get("paper_reasons", {})
    if request.method == "POST":
        try:
            entries = _paper_entries(sheet, typed_rows)
            if not entries:
                raise Conflict("nothing_entered", _("Write at least one deal."))
            sheets.enter_from_paper(
                sheet_id=sheet.pk, entries=entries, actor=Actor.user(request.user.pk),
                reason=request.POST.get("reason", ""), version=whole(request.POST, "version") or 0,
                ended_by_bell=bool(request.POST.get("bell")),
            )  # fmt: skip
        except _RowRefused as row:
            said = refusal_said(row.error, sheet, language)
            refused = f"{_('Deal')} {row.number}{_(':')} {said}"
            wrong, status = row.field, 422
        except EngineError as error:
            refused, status = refusal_said(error, sheet, language), 422
        except Refused as refusal:
            refused, wrong, status = str(refusal), refusal.field, refusal.status
        else:
            request.session["paper_reasons"] = {
                **reasons, str(sheet.scope): request.POST.get("reason", "")
            }  # fmt: skip
            following = paper_form.following_sheet(sheet, slip)
            if following is None:
                return redirect("staff-sheet", sheet_id=sheet.pk)
            request.session["paper_written"] = {"table": slip.table, "game": sheet.order}
            return redirect("staff-paper", sheet_id=following["sheet"])
    names = seat_names(sheet)
    deals = sheets.current_deals(sheet)
    row_dealers = paper_form.dealers(sheet, typed_rows)
    form = entry_context(sheet, fields, names, language, row_dealers[0])
    paper = paper_form.paper_context(sheet, fields, slip, names, language, form)
    first_dealer = next(each for each in paper["seats"] if each["code"] == sheet.first_dealer)
    reason = reasons.get(str(sheet.scope)) or _("slip of the table")
    return render(
        request, "table/paper.html",
        {
            **form, **paper,
            "sheet": sheet, "table": sheet.table, "frame": frame_of(sheet), "fields": fields,
            "slip": slip, "refused": refused, "wrong": wrong,
            "typed": request.POST if refused else {},
            "reason": request.POST.get("reason", reason) if refused else reason,
            "written": request.session.pop("paper_written", None),
            "following": paper_form.following_sheet(sheet, slip),
            "first_dealer": f"{first_dealer['letter']} · {first_dealer['name']}",
            "target_text": target_text(sheet.options.get("target")),
            "deal_rows": [
                {"n": n, "number": len(deals) + n, "typed": row, "dealer": dealer,
                 "sides": paper_form.row_sides(sheet, dealer, names, paper["counted"]),
                 "swaps": paper_form.sides_follow_dealer(sheet)}
                for n, (row, dealer) in enumerate(zip(typed_rows, row_dealers, strict=True), 1)
            ],
        },
        status=status,
    )  # fmt: skip
