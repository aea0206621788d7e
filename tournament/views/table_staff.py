"""A sheet as staff sees it: every version and flag, and the verbs that a role allows.

Reading needs ``room.watch``; entering for a table ``sheets.enter``; correcting, confirming and
reopening ``sheets.correct``, which also reach signed sheets.
"""

from __future__ import annotations

import hashlib
import re
import uuid
from collections.abc import Mapping
from typing import Any, Final

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils.translation import get_language, gettext_lazy, ngettext
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from accounts.roles import may
from ledger.actors import Actor
from ledger.errors import Refused
from scoring.engine.errors import EngineError
from scoring.engine.shapes import EntryJson, ViolationJson
from scoring.engine.speech import with_signs
from tournament.access import needs
from tournament.models import Event
from tournament.models.tables import Depth, Series, Sheet, SheetState
from tournament.queries import paper_form
from tournament.queries.alarms import doubt_name
from tournament.queries.deals import current_deals, next_dealer, next_number, to_replay
from tournament.queries.entry_form import correction_context, entry_context, trick_rows
from tournament.queries.matches import decision_of
from tournament.queries.one_device import signed_by_one_device
from tournament.queries.sheet_page import (
    deal_rows,
    difference_rows,
    history,
    signature_rows,
    target_text,
)
from tournament.queries.side_labels import players_of, refusal_text_in, side_label
from tournament.queries.table_people import frame_of, seat_names, slip_letters, slip_of
from tournament.services import sheets, signatures
from tournament.services.record import refusal_once_decided
from tournament.tables.entry import depths_of, entry_fields, read_entry
from tournament.tables.rules import score_entry, sides_of
from tournament.views.frame import page
from tournament.views.table import refusal_context, whole

DONE: Final = {
    "deal": gettext_lazy("The deal is recorded."),
    "bell": gettext_lazy("The game is ended with the deals recorded so far."),
    "unbell": gettext_lazy("The game is in play again."),
    "correct": gettext_lazy("The deal is corrected."),
    "confirm": gettext_lazy("The result is confirmed."),
    "reopen": gettext_lazy(
        "The sheet is open again: its result counts once both sides have signed."
    ),
}
"""What a page says once a verb is done."""


def _sheet(sheet_id: uuid.UUID) -> Sheet:
    sheet = Sheet.objects.select_related("table__round__stage__event").filter(pk=sheet_id).first()
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
        dealer = next_dealer(sheet, current_deals(sheet))
        entry = read_entry(sheet, posted, dealer)
        sheets.hand_in(
            sheet=sheet,
            read=lambda _sheet, _number: entry,
            request=entry,
            actor=actor,
            version=version,
            key=posted.get("key", "")[:40],
            sure=posted.get("sure", ""),
        )
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
            sheet_id=sheet.pk,
            number=whole(posted, "number") or 0,
            actor=actor,
            entry=read_entry(sheet, posted, posted.get("dealer") or sheet.first_dealer),
            reason=reason,
            version=version,
            official=True,
        )
    elif verb == "confirm":
        if not reason.strip():
            raise Refused(
                "reason_missing", _("Give a reason for confirming the result."), field="reason"
            )
        signatures.confirm(sheet_id=sheet.pk, version=version or 0, actor=actor, reason=reason)
    elif verb == "reopen":
        signatures.reopen(sheet_id=sheet.pk, actor=actor, reason=reason)
    else:
        raise Refused("unknown_verb", _("The page sent an incomplete request."), field="verb")


@needs("room.watch")
@require_http_methods(["GET", "HEAD", "POST"])
def sheet_page(request: HttpRequest, sheet_id: uuid.UUID) -> HttpResponse:
    """One sheet with everything that was ever written on it, and what may be done about it."""
    sheet = _sheet(sheet_id)
    language = get_language() or "en"
    more: dict[str, object] = {"refused": "", "field": ""}
    status = 200
    if request.method == "POST":
        try:
            _act(request, sheet)
        except (EngineError, Refused) as refusal:
            more, status = refusal_context(refusal, sheet)
        else:
            messages.success(request, DONE[request.POST["verb"]])
            return redirect(request.path)
        sheet.refresh_from_db()
    return render(
        request,
        "table/staff.html",
        {**_desk_frame(request, sheet), **_context(request, sheet, language), **more},
        status=status,
    )


def _desk_frame(request: HttpRequest, sheet: Sheet) -> dict[str, object]:
    """The navigation of the event's desk; none for a table outside an event."""
    event = Event.objects.filter(pk=sheet.scope).first()
    return page(request, event, "desk-room") if event else {}


def _context(request: HttpRequest, sheet: Sheet, language: str) -> dict[str, object]:
    names = seat_names(sheet)
    deals = current_deals(sheet)
    rows = deal_rows(sheet, language, names)
    sides = sides_of(sheet)
    marks = sheet.score.get("marks", {})
    dealer = next_dealer(sheet, deals)
    wanted = request.GET.get("depth", "")
    fields = entry_fields(sheet, language, wanted if wanted in Depth.values else sheet.depth)
    chosen = whole(request.GET, "deal")
    picked = next((deal for deal in deals if deal.number == chosen), None)
    typed = request.POST
    correction = correction_context(sheet, picked, names, language, typed) if picked else {}
    refused, decision = (
        sheets.refusal_to_correct(sheet, Actor.user(request.user.pk)),
        decision_of(sheet.table),
    )
    return {
        "typed": typed,
        "trick_rows": trick_rows(fields, typed),
        "sheet": sheet,
        "table": sheet.table,
        "frame": frame_of(sheet),
        "names": names,
        "sides": [
            {
                "code": side,
                "name": _as_on_slip(sheet, side, side_label(side, language, names)),
                "total": marks.get(side, 0),
                "players": players_of(side, names) if len(side) > 1 else "",
                "winner": False,
            }
            for side in sides
        ],
        "deals": [{**row, "url": f"?deal={row['number']}"} for row in rows],
        "number": len(deals) + 1,
        "dealer": dealer,
        "dealer_name": names.get(dealer, dealer),
        "fields": fields,
        "depth": fields.depth,
        "key": uuid.uuid4().hex,
        "depths": [
            {"code": code, "label": Depth(code).label, "current": code == fields.depth}
            for code in depths_of(sheet)
        ],
        "target_text": target_text(sheet.options.get("target")),
        "signatures": signature_rows(sheet, language, names),
        "at_once": sheet.state == SheetState.OFFICIAL
        and bool(signed_by_one_device(sheet.scope, [sheet.pk])),
        "differences": difference_rows(sheet, language, names),
        "results": list(sheet.results.order_by("-number")),
        "history": [
            {
                "number": deal.number,
                "items": history(sheet, deal.number, Series.OFFICIAL, language, names),
                "flags": [_flag(flag, names, language) for flag in deal.flagged],
                "doubts": [doubt_name(code) for code in deal.doubts],
            }
            for deal in deals
            if deal.version > 1 or deal.flagged or deal.doubts
        ],
        "picked": picked,
        "why": request.GET.get("why", "")[:100],
        "correction": correction,
        "may_enter": may(request.user, "sheets.enter", sheet.scope),
        "may_correct": may(request.user, "sheets.correct", sheet.scope),
        "not_corrected": refused or refusal_once_decided(sheet) or "",
        "not_reopened": refused or "",
        "decision": decision,
        "open": decision is None
        and sheet.state in (SheetState.OPEN, SheetState.CLAIMED, SheetState.DISPUTED),
        "replay": next((deal.number for deal in to_replay(sheet)), None),
        **entry_context(sheet, fields, names, language, dealer, typed),
    }


def _as_on_slip(sheet: Sheet, side: str, name: str) -> str:
    """A side by the letters of its slip, then as the deals name it: ``AC (N-S)``; else as it is named."""
    letters = "".join(dict.fromkeys(sheet.positions.get(seat, "") for seat in side))
    return f"{letters} ({name})" if len(letters) == 2 and set(letters) <= set("ABCD") else name


def _flag(flag: ViolationJson, names: dict[str, str], language: str) -> dict[str, object]:
    """An irregular card as the page says it: the player by name, cards by their signs."""
    return {
        "trick": flag["trick"],
        "seat": names.get(flag["seat"], flag["seat"]),
        "card": with_signs(flag["card"], language),
        "legal": [with_signs(card, language) for card in flag["legal"]],
    }


ROWS_FOR_PASSES = 4
"""Rows of the paper form for deals that everybody passed, which count for nothing."""


def _rows(sheet: Sheet) -> int:
    """How many deals may still have to be copied from paper: one row at least."""
    target = sheet.options.get("target")
    again = len(to_replay(sheet))
    if isinstance(target, dict) and "deals" in target:
        missing = min(int(target["deals"]), 60) - int(sheet.score.get("deals", 0))
    else:
        missing = 16 - (next_number(sheet) - 1)
    return max(missing, again, 1)


class _PaperRefused(Exception):
    """A game of the slip that is not written: why, in the reader's words, the field, the status.

    ``sure``: what says yes, where it is a question.
    """

    def __init__(self, message: str, field: str, status: int, sure: str = "") -> None:
        super().__init__(message)
        self.message, self.field, self.status, self.sure = message, field, status, sure


def _paper_entries(sheet: Sheet, typed: list[dict[str, str]], language: str) -> list[EntryJson]:
    """The deals of a game of the paper form in order; empty rows at the end are left out."""
    filled = [any(row[name].strip() for name in ("points", "tricks", "passed")) for row in typed]
    entries: list[EntryJson] = []
    first, prefix = len(current_deals(sheet)) + 1, f"g{sheet.order}-"
    for at, (row, dealer) in enumerate(zip(typed, paper_form.dealers(sheet, typed), strict=True)):
        number = first + at
        if not filled[at]:
            if any(filled[at:]):
                message = _("Deal %(n)d is empty, but a later one is not. Fill them in order.")
                raise _PaperRefused(message % {"n": number}, f"{prefix}d{at + 1}-points", 400)
            break
        try:
            entry = read_entry(sheet, row, dealer, Depth.POINTS)
            score_entry(sheet, entry)
        except EngineError as error:
            parts = set(error.field.split(".")) & set(paper_form.FIELDS)
            message = f"{_('Deal')} {number}{_(':')} {refusal_text_in(error, sheet, language)}"
            field = f"{prefix}d{at + 1}-{next(iter(parts), 'points')}"
            raise _PaperRefused(message, field, 422) from error
        entries.append(entry)
    return entries


def _paper_totals(sheet: Sheet, posted: Mapping[str, Any]) -> dict[str, int] | None:
    """The points of a game of the paper form by side; none where nothing was typed."""
    names = {side: f"g{sheet.order}-points-{side}" for side in sides_of(sheet)}
    typed = {side: str(posted.get(name, "")).strip() for side, name in names.items()}
    if not any(typed.values()):
        return None
    for side, text in typed.items():
        if not re.fullmatch(r"-?[0-9]{1,3}", text):
            message = _("Enter the points of every side: whole numbers up to %(most)d.")
            raise _PaperRefused(message % {"most": sheets.MOST_POINTS}, names[side], 400)
    return {side: int(text) for side, text in typed.items()}


def _require_sure(sheet: Sheet, totals: dict[str, int] | None, sure: str) -> None:
    """Ask once about points that only doubled deals can give; ``sure`` holds what was confirmed."""
    questions = paper_form.only_doubled(sheet, totals) if totals else []
    if totals is None or not questions:
        return
    doubt = f"{sheet.order}:{'-'.join(map(str, totals.values()))}"
    if doubt not in sure.split():
        raise _PaperRefused(
            questions[0].question,
            f"g{sheet.order}-points-{next(iter(totals))}",
            409,
            f"{sure} {doubt}".strip(),
        )


def _by_points(request: HttpRequest, sheet: Sheet) -> bool:
    """Whether the points alone of this game are asked for or sent, not its deals."""
    if request.method == "POST":
        return f"g{sheet.order}-points-{sides_of(sheet)[0]}" in request.POST
    if paper_form.is_played_out(sheet):
        return True
    ways = request.session.get("paper_ways", {})
    return ways.get(str(sheet.scope)) != "deals" and not paper_form.wants_deals(sheet)


def _write_slip(
    request: HttpRequest, games: list[Sheet], typed: dict[uuid.UUID, list[dict[str, str]]]
) -> list[int]:
    """Write the games of which something was typed, all of them or none; their numbers."""
    language, posted = get_language() or "en", request.POST
    filled: list[sheets.PaperGame] = []
    by_pk = {game.pk: game for game in games}
    at = games[0]
    try:
        for at in games:
            bell = bool(posted.get(f"g{at.order}-bell"))
            totals = _paper_totals(at, posted)
            entries = [] if totals else _paper_entries(at, typed[at.pk], language)
            if entries or totals or bell:
                version = whole(posted, f"g{at.order}-version") or 0
                filled.append(sheets.PaperGame(at.pk, entries, version, bell, totals))
        if not filled:
            raise _PaperRefused(_("Record at least one game."), "", 409)
        for game in filled:
            at = by_pk[game.sheet_id]
            _require_sure(at, game.totals, posted.get("sure", ""))
        sheets.enter_slip(
            games=filled,
            actor=Actor.user(request.user.pk),
            reason=posted.get("reason", ""),
            key=_sent(posted),
        )
    except sheets.GameRefused as error:
        at = by_pk[error.sheet_id]
        named = _named_game(at, games, str(error.refusal))
        points = f"g{at.order}-points-{sides_of(at)[0]}"
        wrong = points if points in posted else error.refusal.field
        raise _PaperRefused(named, wrong, error.refusal.status) from error
    except EngineError as error:
        raise _PaperRefused(refusal_text_in(error, at, language), "", 422) from error
    except _PaperRefused as error:
        error.message = _named_game(at, games, error.message) if error.field else error.message
        raise
    return [by_pk[game.sheet_id].order for game in filled]


def _sent(posted: QueryDict) -> str:
    """What a form sent, as a key: it holds the versions that it was filled in for, so the same is a repetition."""
    fields = sorted(item for item in posted.lists() if item[0] != "csrfmiddlewaretoken")
    return hashlib.sha256(repr(fields).encode()).hexdigest()[:40]


def _named_game(sheet: Sheet, games: list[Sheet], message: str) -> str:
    """A refusal with the game that it is about, where there are several."""
    if len(games) == 1:
        return message
    game = _("Game %(n)d") % {"n": sheet.order}
    return f"{game}{_(':')} {message}"


@needs("sheets.enter")
@require_http_methods(["GET", "HEAD", "POST"])
def paper_page(request: HttpRequest, sheet_id: uuid.UUID) -> HttpResponse:
    """Copy a signed slip: every game of its table on one page, official at once.

    Then the table that is asked for is shown, or the next that waits: a pile of slips in any order.
    After the last of the round, the hall.
    """
    sheet = _sheet(sheet_id)
    slip = slip_of(sheet)
    refused, wrong, status, sure = "", "", 200, request.POST.get("sure", "")
    if request.method != "POST" and "table" in request.GET:
        chosen = paper_form.sheet_of_table(slip, request.GET["table"].strip())
        if chosen is not None:
            return redirect("staff-paper", sheet_id=chosen)
        refused, status = _("No such table in this round."), 404
    if request.GET.get("way") in ("points", "deals"):
        ways = request.session.get("paper_ways", {})
        request.session["paper_ways"] = {**ways, str(sheet.scope): request.GET["way"]}
    games = paper_form.games_on_slip(sheet, request.POST)
    typed = {
        game.pk: paper_form.posted_rows(request.POST, game, _rows_with_passes(game))
        for game in games
    }
    reasons = request.session.get("paper_reasons", {})
    if request.method == "POST":
        wanted = request.POST.get("next", "").strip()
        then = paper_form.sheet_of_table(slip, wanted) if wanted else None
        try:
            if wanted and then is None:
                raise _PaperRefused(_("No such table in this round."), "next", 404)
            written = _write_slip(request, games, typed)
        except _PaperRefused as error:
            refused, wrong, status = error.message, error.field, error.status
            sure = error.sure or sure
        else:
            request.session["paper_reasons"] = {
                **reasons,
                str(sheet.scope): request.POST.get("reason", ""),
            }
            following = paper_form.following_sheet(slip, then)
            if following is None:
                messages.success(request, _last_slip_recorded(slip.table, written))
                return redirect(str(frame_of(sheet)["desk"]))
            request.session["paper_written"] = {"table": slip.table, "games": written}
            return redirect("staff-paper", sheet_id=following)
    reason = reasons.get(str(sheet.scope)) or _("slip of the table")
    waiting = paper_form.following_table(slip)
    recorded = request.method != "POST" and not paper_form.waits(games[0])
    return render(
        request,
        "table/paper.html",
        {
            **_desk_frame(request, sheet),
            "sheet": sheet,
            "table": sheet.table,
            "frame": frame_of(sheet),
            "slip": slip,
            "games": [_paper_game(game, typed[game.pk], request) for game in games],
            "recorded": paper_form.games_of(sheet) if recorded else [],
            "decision": decision_of(sheet.table),
            "decided_tables": paper_form.decided_tables(slip),
            "by_points": any(_by_points(request, game) for game in games),
            "may_choose": not all(paper_form.wants_deals(game) for game in games),
            "refused": refused,
            "wrong": wrong,
            "sure": sure,
            "reason": request.POST.get("reason", reason) if refused else reason,
            "written": request.session.pop("paper_written", None),
            "following": waiting,
            "next": request.POST.get("next", "") if refused else (waiting or {}).get("table", ""),
        },
        status=status,
    )


def _last_slip_recorded(table: str, games: list[int]) -> str:
    """What is said in the hall once no slip of the round is missing."""
    recorded = ngettext(
        "Table %(table)s, game %(games)s is recorded.",
        "Table %(table)s, games %(games)s are recorded.",
        len(games),
    ) % {"table": table, "games": ", ".join(map(str, games))}
    return " ".join((recorded, _("Every table of the round has its results.")))


def _rows_with_passes(sheet: Sheet) -> int:
    fields = entry_fields(sheet, depth=Depth.POINTS)
    return _rows(sheet) + (ROWS_FOR_PASSES if fields.passes else 0)


def _paper_game(
    sheet: Sheet, typed: list[dict[str, str]], request: HttpRequest
) -> dict[str, object]:
    """A game of the slip as the page shows it: its sides, its first dealer, a row for each deal."""
    language = get_language() or "en"
    fields = entry_fields(sheet, language, Depth.POINTS)
    names = seat_names(sheet)
    row_dealers = paper_form.dealers(sheet, typed)
    first_dealer, letters = row_dealers[0], slip_letters(sheet)
    form = entry_context(sheet, fields, names, language, first_dealer, {})
    paper = paper_form.paper_context(sheet, fields, letters, names, language, first_dealer)
    first = next(each for each in paper["seats"] if each.code == sheet.first_dealer)
    done = len(current_deals(sheet))
    by_points = _by_points(request, sheet)
    return {
        **form,
        **paper,
        "sheet": sheet,
        "by_points": by_points,
        "played_out": paper_form.is_played_out(sheet),
        "counts_games": paper_form.counts_games(sheet),
        "why_deals": "" if by_points else paper_form.wants_deals(sheet),
        "totals": [
            (side, request.POST.get(f"g{sheet.order}-points-{side.code}", ""))
            for side in paper["slip_sides"]
        ],
        "prefix": f"g{sheet.order}-",
        "version": request.POST.get(f"g{sheet.order}-version", sheet.version),
        "bell": request.POST.get(f"g{sheet.order}-bell", ""),
        "fields": fields,
        "first_dealer": f"{first.letter} · {first.name}",
        "target_text": target_text(sheet.options.get("target")),
        "rows": [
            {
                "n": n,
                "number": done + n,
                "typed": row,
                "dealer": dealer,
                "sides": paper_form.row_sides(sheet, dealer, names, paper["counted"]),
                "swaps": paper_form.sides_follow_dealer(sheet),
            }
            for n, (row, dealer) in enumerate(zip(typed, row_dealers, strict=True), 1)
        ],
    }
