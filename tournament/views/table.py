"""The table's page: read the sheet, enter the next deal, sign. Reached by the slip's link only.

``table_page`` serves the page and, without script, its forms; ``send`` takes the same fields from
the page's own sender and its offline queue and answers JSON (:func:`act` does what either sends);
``state`` tells a waiting page what changed. The link is the permission (120 bits, hashed, one table and round), so ``send`` needs no
further token against forged requests: who knows the link may post anyway.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any, TypedDict

from django.conf import settings
from django.db import transaction
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import get_language, override
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.access import by_link
from accounts.limits import CALLS_BY_TABLE
from ledger.actors import Actor
from ledger.change import change
from ledger.errors import Refused
from scoring.engine.errors import EngineError
from scoring.engine.shapes import EntryJson
from tournament.models.tables import CallTopic, Depth, Protocol, Series, Sheet, SheetState, Table
from tournament.queries.alarms import passed_by_all
from tournament.queries.deals import next_dealer, next_number, series_deals
from tournament.queries.double_entry import side_of_device
from tournament.queries.sheet_page import mark_of, open_call, page_context
from tournament.queries.side_labels import refusal_text_in
from tournament.queries.table_clock import clock_of
from tournament.services import sheets, signatures, tables
from tournament.services.record import locked_sheet
from tournament.services.sheets import DoubtfulEntry
from tournament.tables.entry import Posted, describes_play, read_entry
from tournament.tables.rules import sides_of
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


class Done(TypedDict, total=False):
    """What the page is told of an act that was done."""

    deal: int
    repeated: bool
    version: int
    call: str


@by_link("table")
@require_http_methods(["GET", "HEAD", "POST"])
def table_page(request: HttpRequest, token: str) -> HttpResponse:
    """The sheet of a table, as its scorekeeper needs it."""
    language = get_language() or "en"
    try:
        table = table_of(request, token)
    except Refused as refusal:
        closed = {"reason": str(refusal), "table": closed_table(token)}
        return render(request, "table/closed.html", closed, status=refusal.status)
    device = device_of(request)
    posted = request.method == "POST"
    try:
        sheet = sheet_of(table, request.GET.get("game"), exact=posted)
    except Refused as refusal:
        return render(request, "table/closed.html", {"reason": str(refusal)}, status=refusal.status)
    more: dict[str, object] = {"refused": "", "field": ""}
    status = 200
    if posted:
        try:
            act(request.POST, table, sheet, device)
        except (EngineError, Refused) as refusal:
            more, status = refusal_context(refusal, sheet)
        else:
            return keep_device(redirect(f"{request.path}?game={sheet.order}"), device)
        table.refresh_from_db()
        sheet.refresh_from_db()
    depth = chosen_depth(request)
    context = page_context(
        table,
        sheet,
        device=device,
        token=token,
        language=language,
        depth=depth,
        typed=request.POST,
    )
    template = "table/parts/live.html" if request.GET.get("part") else "table/sheet.html"
    context = {**context, "reasons": reasons(), "files": version_of(SHELL), **more}
    answer = named_files(render(request, template, context, status=status))
    if request.GET.get("depth") in Depth.values:
        keep_depth(answer, request.path, depth)
    return keep_device(answer, device)


def refusal_context(refusal: EngineError | Refused, sheet: Sheet) -> tuple[dict[str, object], int]:
    """What a page with a form of ``sheet`` says of a refusal, and its status."""
    status = refusal.status if isinstance(refusal, Refused) else 422
    if isinstance(refusal, DoubtfulEntry):
        questions = {"asked": refusal.doubts, "sure": refusal.sure}
        return {"refused": "", "field": refusal.field, **questions}, status
    text = _refusal_text(refusal, sheet)
    return {"refused": text, "field": refusal.field, "code": refusal.code}, status


def _refusal(refusal: EngineError | Refused, message: str, **more: Any) -> JsonResponse:
    status = refusal.status if isinstance(refusal, Refused) else 422
    answer = {"code": refusal.code, "message": message, "field": refusal.field, **more}
    if isinstance(refusal, Refused) and refusal.params:
        answer["params"] = refusal.params
    return JsonResponse({"ok": False, **answer}, status=status)


def _in_every_language(render: Callable[[], str]) -> dict[str, str]:
    """A sentence in every language: a phone keeps them and shows the one of its reader."""
    messages = {}
    for language, _name in settings.LANGUAGES:
        with override(language):
            messages[language] = render()
    return messages


def _refusal_text(refusal: EngineError | Refused, sheet: Sheet) -> str:
    """A refusal in the language of the moment."""
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
    """One act of the page's sender or queue, answered as JSON; repeated safely with its key.

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
    """What a waiting page asks every few seconds: did the sheet change, is this still the writing device?"""
    try:
        table = table_of(request, token)
    except Refused as refusal:
        return _refusal(refusal, str(refusal))
    device = device_of(request)
    sheet = sheet_of(table, request.GET.get("game"))
    if sheet.protocol == Protocol.DOUBLE:
        writes = bool(side_of_device(table, device)) or table.side_writers.count() != len(
            sides_of(sheet)
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


# What the form asks for, one function a verb --------------------------------------------------

MAY_DIFFER = frozenset(
    {
        "csrfmiddlewaretoken",
        "key",
        "sure",
        "version",
        "played",
        "typed_at",  # sent by phones of release 1.0.0, and not read
        "typed_ago",
        "number",
        "typed_number",
    }
)
"""Fields that may differ when the same entry is sent again."""


def reasons() -> list[dict[str, str]]:
    """Why a referee may be called, in the reader's language."""
    return [
        {"value": topic.value, "label": str(topic.label)}
        for topic in CallTopic
        if topic is not CallTopic.RESULT
    ]


def whole(posted: Posted, name: str) -> int | None:
    """A small whole number of the form; ``None`` when there is none."""
    text = str(posted.get(name, ""))
    return int(text) if text.isascii() and text.isdigit() and len(text) < 9 else None


def typed_at(posted: Posted) -> datetime | None:
    """When a deal was typed, by the age that its phone measured; ``None`` where it has measured none.

    A phone sends no time of its clock: it may be wrong, or set.
    """
    age = whole(posted, "typed_ago")
    return None if age is None else timezone.now() - timedelta(milliseconds=age)


def _begin_writing(table: Table, sheet: Sheet, device: uuid.UUID) -> None:
    """The first phone that writes becomes the one that writes; the verb refuses another."""
    if table.writer is None and sheet.protocol != Protocol.DOUBLE:
        tables.take_writing(table_id=table.pk, device=device)
        sheet.table.refresh_from_db()


def deal(posted: Posted, table: Table, sheet: Sheet, device: uuid.UUID) -> Done:
    """Write the next deal."""
    _begin_writing(table, sheet, device)
    actor = Actor.device(device)
    series = sheets.series_for(sheet, actor)

    def read(sheet: Sheet, at: int | None) -> EntryJson:
        before = series_deals(sheet, series)
        dealer = next_dealer(sheet, before if at is None else before[: max(at - 1, 0)])
        return read_entry(sheet, posted, dealer)

    done = sheets.hand_in(
        sheet=sheet,
        read=read,
        request=[[name, posted.get(name)] for name in sorted(posted) if name not in MAY_DIFFER],
        actor=actor,
        key=str(posted.get("key", ""))[:40],
        number=whole(posted, "number"),
        typed_number=whole(posted, "typed_number"),
        version=whole(posted, "version") if series == Series.OFFICIAL else None,
        # "Everybody passed" carries the answer itself: the form is sent by one button.
        sure=str(posted.get("sure", "") or posted.get("passed", "")),
        played=str(posted.get("played", "")),
        typed_at=typed_at(posted),
        further=(passed_by_all(),) if posted.get("passed") and describes_play(posted) else (),
    )
    return {"deal": done.number, "repeated": done.repeated, "version": done.sheet_version}


def correct(posted: Posted, table: Table, sheet: Sheet, device: uuid.UUID) -> Done:
    """Supersede a deal with a reason."""
    _begin_writing(table, sheet, device)
    number = whole(posted, "number") or 0
    dealer = str(posted.get("dealer", "")) or sheet.first_dealer
    done = sheets.correct_once(
        sheet=sheet,
        number=number,
        entry=read_entry(sheet, posted, dealer),
        reason=str(posted.get("reason", "")),
        actor=Actor.device(device),
        key=str(posted.get("key", ""))[:40],
        version=whole(posted, "version"),
    )
    return {"deal": done.number, "repeated": done.repeated, "version": done.sheet_version}


def sign(posted: Posted, table: Table, sheet: Sheet, device: uuid.UUID) -> Done:
    """One side signs; ``signer`` is the player who takes the phone."""
    _begin_writing(table, sheet, device)
    signer = str(posted.get("signer", ""))
    signatures.sign(
        sheet_id=sheet.pk,
        side=str(posted.get("signing", "")),
        version=whole(posted, "version") or 0,
        actor=Actor.device(device),
        signed_by=f"player:{signer}" if signer else "",
    )
    return {}


def dispute(posted: Posted, table: Table, sheet: Sheet, device: uuid.UUID) -> Done:
    """A side does not agree with the sheet."""
    _begin_writing(table, sheet, device)
    signatures.withdraw_signatures(
        sheet_id=sheet.pk,
        version=whole(posted, "version") or 0,
        actor=Actor.device(device),
        reason=str(posted.get("reason", "")),
    )
    return {}


def bell(posted: Posted, table: Table, sheet: Sheet, device: uuid.UUID) -> Done:
    """End the match at the bell."""
    _begin_writing(table, sheet, device)
    sheets.end_by_bell(
        sheet_id=sheet.pk,
        actor=Actor.device(device),
        version=whole(posted, "version"),
        in_play=str(posted.get("in_play", "none")),
    )
    return {}


def unbell(posted: Posted, table: Table, sheet: Sheet, device: uuid.UUID) -> Done:
    """Take back, for a minute, that the bell ended the match."""
    sheets.undo_bell(
        sheet_id=sheet.pk, actor=Actor.device(device), version=whole(posted, "version")
    )
    return {}


def referee(posted: Posted, table: Table, sheet: Sheet, device: uuid.UUID) -> Done:
    """Put the table into the referees' queue, at most once for a ``key``."""
    CALLS_BY_TABLE.check(str(table.pk))
    reason = str(posted.get("reason", "")).strip()
    words = str(posted.get("words", "")).strip()
    topic = reason if reason in {each["value"] for each in reasons()} else ""
    own = (words,) if topic else (reason, words)

    def effect() -> dict[str, str]:
        call = tables.call_referee(
            table_id=table.pk,
            sheet_id=sheet.pk,
            actor=Actor.device(device),
            deal=next_number(sheet),
            topic=topic,
            reason=": ".join(part for part in own if part),
        )
        return {"call": str(call.pk)}

    key = str(posted.get("key", ""))[:40]
    with change():
        sheet = locked_sheet(sheet.pk)
        _answer, repeated = sheets.give_once(sheet, key, ["referee", reason, words], effect)
    return {"repeated": repeated}


def take(posted: Posted, table: Table, sheet: Sheet, device: uuid.UUID) -> Done:
    """Write here from now on, in the place of another phone."""
    side = str(posted.get("writing_for", "")) if sheet.protocol == Protocol.DOUBLE else ""
    tables.take_writing(table_id=table.pk, device=device, knowingly=True, side=side)
    return {}


def choose(posted: Posted, table: Table, sheet: Sheet, device: uuid.UUID) -> Done:
    """Blind double entry: this phone writes for one side."""
    taken = tables.take_writing(
        table_id=table.pk, device=device, side=str(posted.get("writing_for", ""))
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
    """Say that the signed result is wrong."""
    CALLS_BY_TABLE.check(str(table.pk))
    call = tables.contest_result(
        sheet_id=sheet.pk,
        actor=Actor.device(device),
        words=str(posted.get("words", "")),
    )
    return {"call": str(call.pk)}


VERBS: dict[str, Callable[[Posted, Table, Sheet, uuid.UUID], Done]] = {
    "deal": deal,
    "correct": correct,
    "sign": sign,
    "dispute": dispute,
    "bell": bell,
    "unbell": unbell,
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
