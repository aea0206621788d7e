"""A player signs on their own phone: the personal link of their badge shows what waits for them."""

from __future__ import annotations

from typing import NamedTuple

from django.db.models import Count
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from accounts.access import by_link
from accounts.limits import CALLS_BY_TABLE, wrong_link
from accounts.pages import Page, show_page
from ledger.actors import Actor
from ledger.errors import NotHere, Refused
from tournament.models.tables import CallTopic, RefereeCall, Sheet, SheetState
from tournament.queries.brackets import heading_of
from tournament.queries.outcomes import outcome_at
from tournament.queries.sheet_page import (
    DealRow,
    SideShown,
    SignatureRow,
    deal_rows,
    dispute_of,
    score_shown,
    sides_shown,
    signature_rows,
)
from tournament.queries.side_labels import side_label
from tournament.queries.table_people import TableFrame, entrant_of_link, frame_of, seat_names
from tournament.services import signatures, tables
from tournament.services.signatures import entrants_of
from tournament.tables.score_sheet import ScoreSheet
from tournament.views.public import LostBadgePage


def waiting_sheets(entrant: str) -> list[tuple[Sheet, str]]:
    """Return the finished, unsigned sheets at which ``entrant`` sits, each with their side."""
    candidates = (
        Sheet.objects.filter(finished=True, table__open=True, table__decided_for__isnull=True)
        .filter(state__in=[SheetState.OPEN, SheetState.CLAIMED, SheetState.DISPUTED])
        .filter(table__seats__entrant=int(entrant))
        .select_related("table")
        .order_by("table", "order")
    )
    return [
        (sheet, side)
        for sheet in candidates
        for side in ScoreSheet(sheet).sides
        if entrant in entrants_of(sheet, side)
    ]


class SignedResult(NamedTuple):
    """A signed result that its player may contest; ``game``: its number, where there are several."""

    sheet: Sheet
    field: str
    table: str
    game: int | None
    contested: bool
    sides: list[SideShown]


class ToSign(NamedTuple):
    """A result that awaits the signature of the player's side."""

    sheet: Sheet
    side: str
    side_name: str
    table: str
    game: int | None
    dispute: str
    frame: TableFrame
    sides: list[SideShown]
    deals: list[DealRow]
    signed: bool
    signatures: list[SignatureRow]


class SignPage(Page, template="table/sign.html"):
    waiting: list[ToSign]
    signed: list[SignedResult]
    refused: str
    own_url: str
    manifest_url: str


def signed_results(entrant: str, language: str) -> list[SignedResult]:
    """Return the signed results of the games that ``entrant`` played, the latest first."""
    played = (
        Sheet.objects.filter(state=SheetState.OFFICIAL, table__seats__entrant=int(entrant))
        .select_related("table")
        .annotate(games=Count("table__sheets", distinct=True))
        .order_by("-changed_at")
    )
    contested = set(
        RefereeCall.objects.filter(
            sheet__in=played, topic=CallTopic.RESULT, closed_at__isnull=True
        ).values_list("sheet", flat=True)
    )
    return [
        SignedResult(
            sheet,
            f"contest-{sheet.pk}",
            heading_of(sheet.table),
            sheet.order if sheet.games > 1 else None,
            sheet.pk in contested,
            _sides(sheet, language),
        )
        for sheet in played[:12]
    ]


def _sides(sheet: Sheet, language: str) -> list[SideShown]:
    """Return each side of a sheet with its players and its score."""
    scored = ScoreSheet(sheet)
    result = scored.result()
    winner = outcome_at(sheet.table).winner(sheet.sides_by_seat, result)
    score = score_shown(scored) if scored.by_games else result["marks"]
    return sides_shown(scored, language, seat_names(sheet), score, winner)


@by_link("player")
@require_http_methods(["GET", "HEAD", "POST"])
def sign_page(request: HttpRequest, player_token: str) -> HttpResponse:
    """Show the results that wait for this player's signature; posted: sign one, or dispute it."""
    try:
        entrant = entrant_of_link(player_token)
        if entrant is None:
            wrong_link(request)
            raise NotHere("link_not_valid", _("This link no longer works."))
    except Refused as refusal:
        return show_page(request, LostBadgePage(), status=refusal.status)
    language = get_language() or "en"
    refused, status = "", 200
    if request.method == "POST":
        try:
            _act(request, entrant)
        except Refused as refusal:
            refused, status = str(refusal), refusal.status
        else:
            return redirect(request.path)
    shown: list[ToSign] = []
    for sheet, side in waiting_sheets(entrant):
        scored, names = ScoreSheet(sheet), seat_names(sheet)
        signatures = signature_rows(scored, language, names, score_shown(scored))
        shown.append(
            ToSign(
                sheet,
                side,
                side_label(side, language, names),
                heading_of(sheet.table),
                sheet.order if sheet.table.sheets.count() > 1 else None,
                dispute_of(sheet),
                frame_of(sheet),
                _sides(sheet, language),
                deal_rows(scored, language, names),
                any(row.code == side and row.signed for row in signatures),
                signatures,
            )
        )
    page = SignPage(
        waiting=shown,
        signed=signed_results(entrant, language),
        refused=refused,
        own_url=reverse("personal", args=[player_token]),
        manifest_url=reverse("personal-manifest", args=[player_token]),
    )
    answer = show_page(request, page, status=status)
    answer["Cache-Control"] = "no-store"
    return answer


def _act(request: HttpRequest, entrant: str) -> None:
    actor = Actor.player(entrant)
    version = request.POST.get("version", "")
    wanted = request.POST.get("sheet", "")
    if request.POST.get("verb") == "contest":
        played = Sheet.objects.filter(table__seats__entrant=int(entrant)).values_list(
            "pk", flat=True
        )
        sheet_id = next((pk for pk in played if str(pk) == wanted), None)
        if sheet_id is None:
            raise NotHere("no_such_game", _("You did not play this game."))
        CALLS_BY_TABLE.check(f"player-{entrant}")
        tables.contest_result(sheet_id=sheet_id, actor=actor, reason=request.POST.get("words", ""))
        return
    for sheet, side in waiting_sheets(entrant):
        if str(sheet.pk) != wanted or side != request.POST.get("side"):
            continue
        seen = int(version) if version.isascii() and version.isdigit() and len(version) < 9 else 0
        if request.POST.get("verb") == "dispute":
            signatures.withdraw_signatures(
                sheet_id=sheet.pk,
                version=seen,
                actor=actor,
                reason=request.POST.get("reason", ""),
            )
        else:
            signatures.sign(sheet_id=sheet.pk, side=side, version=seen, actor=actor)
        return
    raise NotHere("nothing_waits", _("There is nothing left for you to sign here."))
