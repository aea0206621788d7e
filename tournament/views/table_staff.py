"""A sheet as staff sees it: every version and flag, and the verbs that a role allows.

Reading needs ``room.watch``; entering for a table ``sheets.enter``; correcting, confirming and
reopening ``sheets.correct``, which also reach signed sheets.
"""

from __future__ import annotations

import hashlib
import re
import uuid
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from accounts.access import actor_of
from accounts.pages import Page
from accounts.roles import may
from ledger.errors import Refused
from ledger.verbs import verb_of
from scoring.engine.entry_fields import entry_fields
from scoring.engine.errors import EngineError
from scoring.engine.shapes import EntryJson, ViolationJson
from scoring.engine.speech import with_signs
from tournament.access import needs
from tournament.models import Event, Table, round_of
from tournament.models.tables import DealVersion, Depth, OfficialResult, Series, Sheet, SheetState
from tournament.queries import paper_form
from tournament.queries.alarms import doubt_name
from tournament.queries.brackets import full_title
from tournament.queries.double_entry import Difference
from tournament.queries.entry_form import (
    Choice,
    Correction,
    DealForm,
    correction_context,
    deal_form,
)
from tournament.queries.falls import Act, of_sheet
from tournament.queries.matches import Decision, decision_of, forfeited_by
from tournament.queries.one_device import signed_by_one_device
from tournament.queries.paper_form import Following
from tournament.queries.room import address
from tournament.queries.rounds import current_round
from tournament.queries.rulings import ShownRuling, rulings_at
from tournament.queries.sheet_page import (
    DealRow,
    EntryPage,
    Item,
    Refusal,
    SideShown,
    SignatureRow,
    deal_rows,
    difference_rows,
    history,
    is_open,
    named_as_on_slip,
    score_shown,
    sides_shown,
    signature_rows,
    target_text,
)
from tournament.queries.side_labels import refusal_text_in
from tournament.queries.table_people import (
    Slip,
    seat_names,
    slip_letters,
    slip_of,
)
from tournament.services import sheets, signatures
from tournament.services.record import MATCH_DECIDED
from tournament.tables.entry import Posted, read_entry
from tournament.tables.score_sheet import ScoreSheet
from tournament.views.doing import done_words, perform
from tournament.views.falls import do_asked
from tournament.views.frame import show_event
from tournament.views.table import refusal_shown
from tournament.views.typed import whole

VERBS: Final[dict[str, Callable[..., object]]] = {
    "deal": sheets.hand_in,
    "correct": sheets.correct_deal,
    "bell": sheets.end_by_bell,
    "unbell": sheets.undo_bell,
    "confirm": signatures.confirm,
    "reopen": signatures.reopen,
}
"""Verbs of the page."""


def _sheet(sheet_id: uuid.UUID) -> Sheet:
    sheet = Sheet.objects.select_related("table__round__stage__event").filter(pk=sheet_id).first()
    if sheet is None:
        raise Http404
    return sheet


def _act(request: HttpRequest, sheet: Sheet) -> str:
    """Run the requested act; return its message."""
    verb = request.POST.get("verb", "")
    if verb not in VERBS:
        raise Refused("unknown_verb", _("The page sent an incomplete request."), field="verb")
    service = VERBS[verb]
    if not may(request.user, verb_of(service).needs, sheet.scope):
        raise PermissionDenied(verb_of(service).needs)
    if verb == "confirm" and not request.POST.get("reason", "").strip():
        raise Refused(
            "reason_missing", _("Give a reason for confirming the result."), field="reason"
        )
    return done_words(service, perform(request, service, sheet))


ASKED: Final = {"correct": Act.CORRECT, "reopen": Act.REOPEN_SHEET}
"""Verbs of a signed sheet of an event, done once what falls with them was seen."""


def _ask_first(request: HttpRequest, sheet: Sheet) -> HttpResponse | None:
    """Correct or reopen a signed sheet, once what falls with it was seen; ``None`` for another act."""
    act = ASKED.get(request.POST.get("verb", ""))
    round_ = sheet.table.round
    if act is None or round_ is None or sheet.state != SheetState.OFFICIAL:
        return None
    service = VERBS[request.POST["verb"]]
    if not may(request.user, verb_of(service).needs, sheet.scope):
        raise PermissionDenied(verb_of(service).needs)
    where = _("%(round)s, table %(table)d, game %(game)d") % {
        "round": full_title(round_),
        "table": sheet.table.number,
        "game": sheet.order,
    }
    return do_asked(
        request,
        of_sheet(sheet, act),
        service,
        sheet,
        where=where,
        back_url=reverse("staff-sheet", args=[sheet.pk]),
        here="desk-room",
    )


@needs("room.watch")
@require_http_methods(["GET", "HEAD", "POST"])
def sheet_page(request: HttpRequest, sheet_id: uuid.UUID) -> HttpResponse:
    """Show one sheet with its full record, and the available actions."""
    sheet = _sheet(sheet_id)
    language = get_language() or "en"
    refused = Refusal()
    if request.method == "POST":
        try:
            if (question := _ask_first(request, sheet)) is not None:
                return question
            messages.success(request, _act(request, sheet))
        except (EngineError, Refused) as refusal:
            refused = refusal_shown(refusal, sheet)
        else:
            return redirect(request.path)
        sheet.refresh_from_db()
    page = _page(request, sheet, language, refused)
    return show_event(request, _event(sheet), page, status=refused.status)


def _event(sheet: Sheet) -> Event | None:
    """Return the event of a sheet; none for a table outside one."""
    return Event.objects.filter(pk=sheet.scope).first()


class Flag(NamedTuple):
    """An irregular card: the player by name, cards by their signs."""

    trick: int
    seat: str
    card: str
    legal: list[str]


class DealHistory(NamedTuple):
    """The versions of a deal, its irregular cards, and the doubts that were answered yes."""

    number: int
    items: list[Item]
    flags: list[Flag]
    doubts: list[str]


class StaffPage(EntryPage, template="table/staff.html", here="desk-room"):
    sheet: Sheet
    table: Table
    back: str
    sides: list[SideShown]
    deals: list[DealRow]
    number: int
    dealer_name: str
    form: DealForm
    key: str
    target_text: str
    signatures: list[SignatureRow]
    at_once: bool
    differences: list[Difference]
    results: list[OfficialResult]
    history: list[DealHistory]
    picked: DealVersion | None
    why: str
    correction: Correction | None
    may_enter: bool
    may_correct: bool
    not_corrected: Refused | str
    not_reopened: Refused | str
    decision: Decision | None
    forfeited: str
    rulings: list[ShownRuling]
    open: bool
    replay: int | None
    is_replayed: bool


def _page(request: HttpRequest, row: Sheet, language: str, refusal: Refusal) -> StaffPage:
    sheet = ScoreSheet(row)
    names = seat_names(row)
    deals = sheet.current()
    dealer = sheet.next_dealer(deals)
    wanted = request.GET.get("depth", "")
    depth = wanted if wanted in Depth.values else row.depth
    chosen = whole(request.GET.get("deal"))
    picked = next((deal for deal in deals if deal.number == chosen), None)
    typed = request.POST
    refused, decision = (
        sheets.refusal_to_correct(row, actor_of(request)),
        decision_of(row.table),
    )
    sides, forfeited = (
        sides_shown(sheet, language, names, score_shown(sheet)),
        forfeited_by(row.table),
    )
    return StaffPage(
        typed=typed,
        refused=refusal.text,
        field=refusal.field,
        doubts=refusal.doubts,
        sure=refusal.sure,
        sheet=row,
        table=row.table,
        back=address(row.table.round, row.table.number) if row.table.round else "",
        sides=named_as_on_slip(row, sides),
        deals=[
            replace(each, url=f"?deal={each.number}") for each in deal_rows(sheet, language, names)
        ],
        number=len(deals) + 1,
        dealer_name=names.get(dealer, dealer),
        form=deal_form(sheet, names, language, dealer, depth, typed),
        key=uuid.uuid4().hex,
        target_text=target_text(row.options.get("target")),
        signatures=signature_rows(sheet, language, names),
        at_once=row.state == SheetState.OFFICIAL
        and bool(signed_by_one_device(row.scope, [row.pk])),
        differences=difference_rows(sheet, language, names),
        results=list(row.results.order_by("-number")),
        history=[
            DealHistory(
                deal.number,
                history(row, deal.number, Series.OFFICIAL, language, names),
                [_flag(flag, names, language) for flag in deal.flagged],
                [doubt_name(code) for code in deal.doubts],
            )
            for deal in deals
            if deal.version > 1 or deal.flagged or deal.doubts
        ],
        picked=picked,
        why=request.GET.get("why", "")[:100],
        correction=correction_context(sheet, picked, names, language, typed) if picked else None,
        may_enter=may(request.user, "sheets.enter", row.scope),
        may_correct=may(request.user, "sheets.correct", row.scope),
        not_corrected=refused or ("" if row.table.decided_for_id is None else str(MATCH_DECIDED)),
        not_reopened=refused or "",
        decision=decision,
        forfeited=forfeited,
        rulings=[replace(ruling, url="") for ruling in rulings_at(row, "")],
        open=is_open(row, decision, forfeited),
        replay=next(iter(sheet.to_deal_again()), None),
        is_replayed=sheet.begins_anew,
    )


def _flag(flag: ViolationJson, names: dict[str, str], language: str) -> Flag:
    return Flag(
        flag["trick"],
        names.get(flag["seat"], flag["seat"]),
        with_signs(flag["card"], language),
        [with_signs(card, language) for card in flag["legal"]],
    )


ROWS_FOR_PASSES = 4
"""Rows of the paper form for deals passed by all, which do not count."""


def _rows(sheet: ScoreSheet) -> int:
    """Return the number of deals that may still be copied from paper, at least one."""
    target = sheet.row.options.get("target")
    again = len(sheet.to_replay())
    if isinstance(target, dict) and "deals" in target:
        missing = min(int(target["deals"]), 60) - int(sheet.row.score.get("deals", 0))
    else:
        missing = 16 - (sheet.next_number() - 1)
    return max(missing, again, 1)


class _PaperRefused(Exception):
    """A game of the slip that is not written: why, in the reader's words, the field, the status.

    ``sure``: what says yes, where it is a question.
    """

    def __init__(self, message: str, field: str, status: int, sure: str = "") -> None:
        super().__init__(message)
        self.message, self.field, self.status, self.sure = message, field, status, sure


def _paper_entries(
    sheet: ScoreSheet, typed: list[dict[str, str]], language: str
) -> list[EntryJson]:
    """Return the deals of a game of the paper form in order; empty rows at the end are left out."""
    counted = ("points", "tricks", "passed")
    filled = [any(row.get(name, "").strip() for name in counted) for row in typed]
    entries: list[EntryJson] = []
    first, prefix = len(sheet.current()) + 1, f"g{sheet.row.order}-"
    for at, (row, dealer) in enumerate(zip(typed, paper_form.dealers(sheet, typed), strict=True)):
        number = first + at
        if not filled[at]:
            if any(filled[at:]):
                message = _("Deal %(n)d is empty, but a later one is not. Fill them in order.")
                raise _PaperRefused(message % {"n": number}, f"{prefix}d{at + 1}-points", 400)
            break
        try:
            entry = read_entry(sheet, row, dealer, Depth.POINTS)
            sheet.score(entry)
        except EngineError as error:
            parts = set(error.field.split(".")) & set(row)
            message = f"{_('Deal')} {number}{_(':')} {refusal_text_in(error, sheet.row, language)}"
            field = f"{prefix}d{at + 1}-{next(iter(parts), 'points')}"
            raise _PaperRefused(message, field, 422) from error
        entries.append(entry)
    return entries


def _paper_totals(sheet: ScoreSheet, posted: Posted) -> dict[str, int] | None:
    """Return the points of a game of the paper form by side; none where nothing was typed."""
    names = {side: f"g{sheet.row.order}-points-{side}" for side in sheet.sides}
    typed = {side: str(posted.get(name, "")).strip() for side, name in names.items()}
    if not any(typed.values()):
        return None
    for side, text in typed.items():
        if not re.fullmatch(r"-?[0-9]{1,3}", text):
            message = _("Enter the points of every side: whole numbers up to %(most)d.")
            raise _PaperRefused(message % {"most": sheets.MOST_POINTS}, names[side], 400)
    return {side: int(text) for side, text in typed.items()}


def _confirms(sheet: ScoreSheet, totals: dict[str, int] | None) -> str:
    """Return the value that confirms these points of a game, should only doubled deals give them."""
    return f"{sheet.row.order}:{'-'.join(map(str, (totals or {}).values()))}"


def _by_points(request: HttpRequest, sheet: ScoreSheet) -> bool:
    """Whether the points alone of this game are asked for or sent, not its deals."""
    if request.method == "POST":
        return f"g{sheet.row.order}-points-{sheet.sides[0]}" in request.POST
    if paper_form.is_played_out(sheet):
        return True
    ways = request.session.get("paper_ways", {})
    return ways.get(str(sheet.row.scope)) != "deals" and not paper_form.wants_deals(sheet)


def _write_slip(
    request: HttpRequest, games: list[ScoreSheet], typed: dict[uuid.UUID, list[dict[str, str]]]
) -> list[int]:
    """Write the games of which something was typed, all of them or none; their numbers."""
    language, posted = get_language() or "en", request.POST
    confirmed = posted.get("sure", "").split()
    filled: list[sheets.PaperGame] = []
    by_pk = {game.row.pk: game for game in games}
    at = games[0]
    try:
        for at in games:
            bell = bool(posted.get(f"g{at.row.order}-bell"))
            totals = _paper_totals(at, posted)
            entries = [] if totals else _paper_entries(at, typed[at.row.pk], language)
            if entries or totals or bell:
                version = whole(posted.get(f"g{at.row.order}-version")) or 0
                sure = "only_doubled" if _confirms(at, totals) in confirmed else ""
                filled.append(sheets.PaperGame(at.row.pk, entries, version, bell, totals, sure))
        if not filled:
            raise _PaperRefused(_("Record at least one game."), "", 409)
        sheets.enter_slip(
            games=filled,
            actor=actor_of(request),
            reason=posted.get("reason", ""),
            key=_sent(posted),
        )
    except sheets.GameRefused as error:
        at = by_pk[error.sheet_id]
        sure, message = "", str(error.refusal)
        if isinstance(error.refusal, sheets.DoubtfulEntry):
            message = error.refusal.doubts[0].question
            totals = next(game.totals for game in filled if game.sheet_id == error.sheet_id)
            sure = " ".join([*confirmed, _confirms(at, totals)])
        named = _named_game(at, games, message)
        points = f"g{at.row.order}-points-{at.sides[0]}"
        wrong = points if points in posted else error.refusal.field
        raise _PaperRefused(named, wrong, error.refusal.status, sure) from error
    except EngineError as error:
        raise _PaperRefused(refusal_text_in(error, at.row, language), "", 422) from error
    except _PaperRefused as error:
        error.message = _named_game(at, games, error.message) if error.field else error.message
        raise
    return [by_pk[game.sheet_id].row.order for game in filled]


def _sent(posted: QueryDict) -> str:
    """Hash a sent form: it contains the versions that it was filled in for, so an equal form is a repetition."""
    fields = sorted(item for item in posted.lists() if item[0] != "csrfmiddlewaretoken")
    return hashlib.sha256(repr(fields).encode()).hexdigest()[:40]


def _named_game(sheet: ScoreSheet, games: list[ScoreSheet], message: str) -> str:
    """Return a refusal with its game, where there are several."""
    if len(games) == 1:
        return message
    game = _("Game %(n)d") % {"n": sheet.row.order}
    return f"{game}{_(':')} {message}"


@needs("sheets.enter")
@require_http_methods(["GET", "HEAD", "POST"])
def paper_page(request: HttpRequest, sheet_id: uuid.UUID) -> HttpResponse:
    """Copy a signed slip: every game of its table on one page, official when saved.

    Then show the requested table, or the next waiting one: a pile of slips comes in any order.
    After the last slip of the round, show the hall.
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
        game.row.pk: paper_form.posted_rows(request.POST, game, _rows_with_passes(game))
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
            # What was recorded on another device in the meantime is shown, not asked for again.
            games = [game for game in games if paper_form.waits(game.row)] or games
        else:
            request.session["paper_reasons"] = {
                **reasons,
                str(sheet.scope): request.POST.get("reason", ""),
            }
            following = paper_form.following_sheet(slip, then)
            if following is None:
                messages.success(request, _last_slip_recorded(slip.table, written))
                return redirect(_hall_of(sheet))
            request.session["paper_written"] = {"table": slip.table, "games": written}
            return redirect("staff-paper", sheet_id=following)
    reason = reasons.get(str(sheet.scope)) or _("slip of the table")
    waiting = paper_form.following_table(slip)
    recorded = not paper_form.waits(games[0].row)
    page = PaperPage(
        sheet=sheet,
        slip=slip,
        games=[_paper_game(game, typed[game.row.pk], request) for game in games],
        recorded=paper_form.recorded_games(sheet) if recorded else [],
        decision=decision_of(sheet.table),
        decided_tables=paper_form.decided_tables(slip),
        by_points=any(_by_points(request, game) for game in games),
        may_choose=not all(paper_form.wants_deals(game) for game in games),
        refused=refused,
        wrong=wrong,
        sure=sure,
        reason=request.POST.get("reason", reason) if refused else reason,
        written=request.session.pop("paper_written", None),
        following=waiting,
        next=request.POST.get("next", "") if refused else waiting.table if waiting else "",
    )
    return show_event(request, _event(sheet), page, status=status)


def _hall_of(sheet: Sheet) -> str:
    """Return the address of the hall: that of the sheet's round where another round is the current one."""
    round_ = round_of(sheet.table)
    event = round_.stage.event
    if round_ == current_round(event):
        return reverse("desk-room", args=[event.slug])
    return reverse("desk-round-room", args=[event.slug, round_.pk])


def _last_slip_recorded(table: str, games: list[int]) -> str:
    """Return the hall's message once no slip of the round is missing."""
    recorded = ngettext(
        "Table %(table)s, game %(games)s is recorded.",
        "Table %(table)s, games %(games)s are recorded.",
        len(games),
    ) % {"table": table, "games": ", ".join(map(str, games))}
    return " ".join((recorded, _("Every table of the round has its results.")))


def _rows_with_passes(sheet: ScoreSheet) -> int:
    passes = any(field.name == "passed" for field in entry_fields(sheet.game))
    return _rows(sheet) + (ROWS_FOR_PASSES if passes else 0)


class PaperRow(NamedTuple):
    """A row of the paper form: its place, the deal's number, its cells."""

    n: int
    number: int
    cells: list[paper_form.PaperCell]


@dataclass(frozen=True)
class PaperGame:
    """A game of the slip: its sides, its first dealer, a row for each deal."""

    slip: paper_form.SlipForm
    sheet: Sheet
    by_points: bool
    played_out: bool
    counts_games: bool
    why_deals: str
    totals: list[tuple[Choice, str]]
    prefix: str
    version: str | int
    bell: str
    first_dealer: str
    target_text: str
    rows: list[PaperRow]


class PaperPage(Page, template="table/paper.html", here="desk-room"):
    sheet: Sheet
    slip: Slip
    games: list[PaperGame]
    recorded: list[paper_form.RecordedGame]
    decision: Decision | None
    decided_tables: list[str]
    by_points: bool
    may_choose: bool
    refused: str
    wrong: str
    sure: str
    reason: str
    written: dict[str, object] | None
    following: Following | None
    next: str


def _paper_game(sheet: ScoreSheet, typed: list[dict[str, str]], request: HttpRequest) -> PaperGame:
    """Return a game of the slip for display: its sides, its first dealer, a row for each deal."""
    language = get_language() or "en"
    slip = paper_form.SlipForm(sheet, slip_letters(sheet.row), seat_names(sheet.row), language)
    row_dealers = paper_form.dealers(sheet, typed)
    first = next(each for each in slip.seats if each.code == sheet.row.first_dealer)
    done = len(sheet.current())
    by_points = _by_points(request, sheet)
    return PaperGame(
        slip=slip,
        sheet=sheet.row,
        by_points=by_points,
        played_out=paper_form.is_played_out(sheet),
        counts_games=paper_form.counts_games(sheet),
        why_deals="" if by_points else paper_form.wants_deals(sheet),
        totals=[
            (side, request.POST.get(f"g{sheet.row.order}-points-{side.code}", ""))
            for side in slip.sides
        ],
        prefix=f"g{sheet.row.order}-",
        version=request.POST.get(f"g{sheet.row.order}-version", sheet.row.version),
        bell=request.POST.get(f"g{sheet.row.order}-bell", ""),
        first_dealer=f"{first.letter} · {first.name}",
        target_text=target_text(sheet.row.options.get("target")),
        rows=[
            PaperRow(n, done + n, slip.cells(dealer, row))
            for n, (row, dealer) in enumerate(zip(typed, row_dealers, strict=True), 1)
        ],
    )
