"""The table's page: read the sheet, enter the next deal, sign. Reached by the slip's link only.

``table_page`` serves the page and, without script, its forms; ``send`` takes the same fields from
the page's own sender and its offline queue and answers JSON (:func:`act` does what either sends);
``state`` tells a waiting page what changed. The link is the permission (120 bits, hashed, one table and round), so ``send`` needs no
further token against forged requests: who knows the link may post anyway.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable, Sequence
from datetime import timedelta
from typing import TypedDict

from django.conf import settings
from django.db import transaction
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import get_language, override
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.access import by_link
from accounts.pages import Page, show_page
from ledger.actors import Actor
from ledger.change import change
from ledger.errors import Refused
from ledger.idempotency import once
from scoring.engine.errors import EngineError
from tournament.models.tables import CallTopic, Depth, Protocol, Sheet, SheetState, Table
from tournament.queries.double_entry import side_of_device
from tournament.queries.sheet_page import (
    NextSeat,
    Refusal,
    mark_of,
    next_seats,
    open_call,
    page_of_table,
)
from tournament.queries.side_labels import refusal_text_in
from tournament.queries.table_clock import clock_of
from tournament.queries.table_people import TableFrame, frame_of
from tournament.services import sheets, signatures, tables
from tournament.services.record import locked_sheet
from tournament.services.sheets import DoubtfulEntry
from tournament.tables.entry import Posted
from tournament.tables.score_sheet import ScoreSheet
from tournament.views.doing import fields_of
from tournament.views.table_app import SHELL, named_files, version_of
from tournament.views.table_links import (
    chosen_depth,
    closed_table,
    device_of,
    keep_depth,
    keep_device,
    sheet_of,
    table_of,
)
from tournament.views.typed import whole


class ClosedPage(Page, template="table/closed.html"):
    """Why a table or a ruling cannot be shown; ``table``: one that can still be called to."""

    reason: str
    table: Table | None = None
    heading: str = ""
    frame: TableFrame | None = None
    onward: Sequence[NextSeat] = ()


class Done(TypedDict, total=False):
    """Result of an act, for the page."""

    deal: int
    repeated: bool
    version: int
    call: str


@by_link("table")
@require_http_methods(["GET", "HEAD", "POST"])
def table_page(request: HttpRequest, token: str) -> HttpResponse:
    """Show the sheet of a table to its scorekeeper."""
    language = get_language() or "en"
    try:
        table = table_of(request, token)
    except Refused as refusal:
        return show_page(request, _closed_page(token, refusal), status=refusal.status)
    device = device_of(request)
    posted = request.method == "POST"
    try:
        sheet = sheet_of(table, request.GET.get("game"), exact=posted)
    except Refused as refusal:
        return show_page(request, ClosedPage(reason=str(refusal)), status=refusal.status)
    refused = Refusal()
    if posted:
        try:
            act(request.POST, table, sheet, device)
        except (EngineError, Refused) as refusal:
            refused = refusal_shown(refusal, sheet)
        else:
            return keep_device(redirect(f"{request.path}?game={sheet.order}"), device)
        table.refresh_from_db()
        sheet.refresh_from_db()
    depth = chosen_depth(request)
    page = page_of_table(
        sheet,
        token=token,
        device=device,
        language=language,
        depth=depth,
        typed=request.POST,
        refusal=refused,
        files=version_of(SHELL),
    )
    template = "table/parts/live.html" if request.GET.get("part") else ""
    answer = named_files(show_page(request, page, template=template, status=refused.status))
    if request.GET.get("depth") in Depth.values:
        keep_depth(answer, request.path, depth)
    return keep_device(answer, device)


def _closed_page(token: str, refusal: Refused) -> ClosedPage:
    """Return the page of a link that opens no table: of a closed round, with the way into the next one."""
    table = closed_table(token)
    sheet = table.sheets.order_by("order").first() if table else None
    if table is None or sheet is None:
        return ClosedPage(reason=str(refusal), table=table)
    return ClosedPage(
        reason=str(refusal),
        table=table,
        frame=frame_of(sheet),
        onward=next_seats(table, table.sheets.order_by("order")),
    )


def refusal_shown(refusal: EngineError | Refused, sheet: Sheet) -> Refusal:
    """Return a refusal for display on a page with a form of ``sheet``."""
    status = refusal.status if isinstance(refusal, Refused) else 422
    if isinstance(refusal, DoubtfulEntry):
        return Refusal("", refusal.field, refusal.doubts, refusal.sure, status)
    return Refusal(_refusal_text(refusal, sheet), refusal.field, status=status)


def _refusal(refusal: EngineError | Refused, message: str, **more: object) -> JsonResponse:
    status = refusal.status if isinstance(refusal, Refused) else 422
    answer = {"code": refusal.code, "message": message, "field": refusal.field, **more}
    if isinstance(refusal, Refused) and refusal.params:
        answer["params"] = refusal.params
    return JsonResponse({"ok": False, **answer}, status=status)


def _in_every_language(render: Callable[[], str]) -> dict[str, str]:
    """Return a sentence in every language: a phone stores them and shows its reader's."""
    messages = {}
    for language, _name in settings.LANGUAGES:
        with override(language):
            messages[language] = render()
    return messages


def _refusal_text(refusal: EngineError | Refused, sheet: Sheet) -> str:
    """Return a refusal in the active language."""
    if isinstance(refusal, EngineError):
        return refusal_text_in(refusal, sheet, get_language() or "en")
    return str(refusal)


def _why_refused(posted: Posted, table: Table, sheet: Sheet, device: uuid.UUID) -> str:
    """Why a deal is refused, in the language of the moment: it is tried again and rolled back."""
    with transaction.atomic():
        try:
            act(posted, table, sheet, device)
        except (EngineError, Refused) as refusal:
            return _refusal_text(refusal, sheet)
        finally:
            transaction.set_rollback(True)
    return ""


@csrf_exempt
@by_link("table")
@require_POST
def send(request: HttpRequest, token: str) -> HttpResponse:
    """Perform one act from the page's sender or queue, answered as JSON; repeated safely with its key.

    200 ``{"ok": true}``; 4xx ``{"ok": false, "code", "message", "field"}``, and for a probable
    mistake ``please_check`` with ``questions`` and ``sure`` (send that back to say yes). A refused
    deal waits on the phone for a decision, no matter who reads it then: ``messages`` has the sentence in
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
        more: dict[str, object] = {}
        if isinstance(refusal, DoubtfulEntry):
            more = {"questions": [each.question for each in refusal.doubts], "sure": refusal.sure}
        if posted.get("verb") == "deal":
            more["messages"] = _in_every_language(
                lambda: _why_refused(posted, table, sheet, device)
            )
        answer = _refusal(refusal, _refusal_text(refusal, sheet), **more)
    else:
        if "version" not in done:
            sheet.refresh_from_db(fields=["version"])
        answer = JsonResponse({"ok": True, "version": sheet.version, **done})
    return keep_device(answer, device)


@by_link("table")
@require_safe
def state(request: HttpRequest, token: str) -> HttpResponse:
    """Answer the poll of a waiting page: did the sheet change, is this still the writing device?"""
    try:
        table = table_of(request, token)
    except Refused as refusal:
        return _refusal(refusal, str(refusal))
    device = device_of(request)
    sheet = sheet_of(table, request.GET.get("game"))
    if sheet.protocol == Protocol.DOUBLE:
        writes = bool(side_of_device(table, device)) or table.side_writers.count() != len(
            ScoreSheet(sheet).sides
        )
    else:
        writes = table.writer in (None, device)
    clock = clock_of(table)
    call = open_call(table)
    games = list(table.sheets.order_by("order"))
    return keep_device(
        JsonResponse(
            {
                "version": sheet.version,
                "mark": mark_of(sheet, games),
                "state": sheet.state,
                "open": sheet.state not in (SheetState.OFFICIAL, SheetState.VOID),
                "decided": table.decided_for_id is not None,
                "pen": writes,
                "epoch": table.writer_epoch,
                "call": str(call.pk) if call else "",
                "claimed": bool(call and call.claimed_by),
                "ends_at": clock.ends_at.isoformat() if clock and clock.ends_at else "",
                "games": [game.order for game in games],
            }
        ),
        device,
    )


Act = Callable[[Posted, Table, Sheet, uuid.UUID], Done]

# Acts of the form, one function a verb ---------------------------------------------------------


def deal(posted: Posted, table: Table, sheet: Sheet, device: uuid.UUID) -> Done:
    """Write the next deal."""
    # A phone sends the age of the deal that it measured, and no time of its clock: it may be wrong, or set.
    age = whole(posted.get("typed_ago"))
    done = sheets.hand_in(
        sheet_id=sheet.pk,
        actor=Actor.device(device),
        # The button for a deal passed by all confirms it as well.
        sure=str(posted.get("sure", "") or posted.get("passed", "")),
        typed_number=whole(posted.get("typed_number")),
        typed_at=None if age is None else timezone.now() - timedelta(milliseconds=age),
        **fields_of(sheets.hand_in, posted, ("sure",)),
    )
    return {"deal": done.number, "repeated": done.repeated, "version": done.sheet_version}


def correct(posted: Posted, table: Table, sheet: Sheet, device: uuid.UUID) -> Done:
    """Supersede a deal with a reason."""
    done = sheets.correct_deal(
        sheet_id=sheet.pk,
        actor=Actor.device(device),
        **fields_of(sheets.correct_deal, posted),
    )
    return {"deal": done.number, "repeated": done.repeated, "version": done.sheet_version}


def sign(posted: Posted, table: Table, sheet: Sheet, device: uuid.UUID) -> Done:
    """Sign for one side; ``signer`` is the player who takes the phone."""
    signatures.sign(
        sheet_id=sheet.pk,
        side=str(posted.get("signing", "")),
        version=whole(posted.get("version")) or 0,
        actor=Actor.device(device),
        player=str(posted.get("signer", "")),
    )
    return {}


def plain(service: Callable[..., Sheet]) -> Act:
    """Return the act of a verb of the sheet whose form has its arguments as fields."""

    def act_by(posted: Posted, table: Table, sheet: Sheet, device: uuid.UUID) -> Done:
        service(sheet_id=sheet.pk, actor=Actor.device(device), **fields_of(service, posted))
        return {}

    return act_by


def referee(posted: Posted, table: Table, sheet: Sheet, device: uuid.UUID) -> Done:
    """Put the table into the referees' queue, at most once for a ``key``."""
    reason = str(posted.get("reason", "")).strip()
    words = str(posted.get("words", "")).strip()
    topic = reason if reason in CallTopic.values and reason != CallTopic.RESULT else ""
    own = (words,) if topic else (reason, words)

    def effect() -> dict[str, str]:
        call = tables.call_referee(
            table_id=table.pk,
            sheet_id=sheet.pk,
            actor=Actor.device(device),
            deal=locked.next_number(),
            topic=topic,
            reason=": ".join(part for part in own if part)[:200],
        )
        return {"call": str(call.pk)}

    key = str(posted.get("key", ""))[:40]
    with change():
        locked = locked_sheet(sheet.pk)
        _answer, repeated = once(
            scope=locked.row.scope,
            within=table.pk,
            key=key,
            request=["referee", reason, words],
            effect=effect,
        )
    return {"repeated": repeated}


def take(posted: Posted, table: Table, sheet: Sheet, device: uuid.UUID) -> Done:
    """Write here from now on, in the place of another phone."""
    side = str(posted.get("writing_for", "")) if sheet.protocol == Protocol.DOUBLE else ""
    tables.take_writing(table_id=table.pk, actor=Actor.device(device), knowingly=True, side=side)
    return {}


def choose(posted: Posted, table: Table, sheet: Sheet, device: uuid.UUID) -> Done:
    """Blind double entry: this phone writes for one side."""
    taken = tables.take_writing(
        table_id=table.pk, actor=Actor.device(device), side=str(posted.get("writing_for", ""))
    )
    if not taken.allowed:
        raise Refused(
            "side_taken",
            _(
                "Another phone is already recording for this side. Take over if it is no longer in use."
            ),
            field="writing_for",
        )
    return {}


def contest(posted: Posted, table: Table, sheet: Sheet, device: uuid.UUID) -> Done:
    """Contest the signed result."""
    call = tables.contest_result(
        sheet_id=sheet.pk,
        actor=Actor.device(device),
        reason=str(posted.get("words", "")),
    )
    return {"call": str(call.pk)}


VERBS: dict[str, Act] = {
    "deal": deal,
    "correct": correct,
    "sign": sign,
    "dispute": plain(signatures.withdraw_signatures),
    "bell": plain(sheets.end_by_bell),
    "unbell": plain(sheets.undo_bell),
    "referee": referee,
    "contest": contest,
    "take": take,
    "choose": choose,
}


def act(posted: Posted, table: Table, sheet: Sheet, device: uuid.UUID) -> Done:
    """Do what the form asks; raises Refused or EngineError with the reason."""
    verb = VERBS.get(str(posted.get("verb", "")))
    if verb is None:
        raise Refused("unknown_verb", _("The page sent an incomplete request."), field="verb")
    return verb(posted, table, sheet, device)
