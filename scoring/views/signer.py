"""A player signs on his own phone: the personal link of his badge shows what waits for him."""

from __future__ import annotations

from typing import Any

from django.db.models import Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from ledger.access import by_link
from ledger.actors import Actor
from ledger.errors import NotHere, Refused
from ledger.limits import wrong_link
from scoring.models import Sheet, SheetState
from scoring.people import entrant_of_link, frame_of, seat_names
from scoring.rules import sides_of
from scoring.selectors.labels import players_of, side_label
from scoring.selectors.sheet_page import deal_rows, signature_rows
from scoring.services import sheets
from scoring.services.signing import entrants_of


def waiting_sheets(entrant: str) -> list[tuple[Sheet, str]]:
    """The finished, unsigned sheets at which ``entrant`` sits, each with his side."""
    candidates = (
        Sheet.objects.filter(finished=True, table__open=True)
        .filter(state__in=[SheetState.OPEN, SheetState.CLAIMED, SheetState.DISPUTED])
        .filter(_seated(int(entrant)))
        .select_related("table")
        .order_by("table", "order")
    )
    return [
        (sheet, side)
        for sheet in candidates
        for side in sides_of(sheet)
        if entrant in entrants_of(sheet, side)
    ]


def _seated(entrant: int) -> Q:
    """Sheets on which some seat holds this entrant."""
    seats = ("N", "E", "S", "W", "1", "2", "3", "4", "5", "6", "7")
    found = Q(seats__N=entrant)
    for seat in seats[1:]:
        found |= Q(**{f"seats__{seat}": entrant})
    return found


@by_link("player")
@require_http_methods(["GET", "HEAD", "POST"])
def sign_page(request: HttpRequest, player_token: str) -> HttpResponse:
    """What waits for this player's signature: sign it, or say that it is wrong."""
    try:
        entrant = entrant_of_link(player_token)
        if entrant is None:
            wrong_link(request)
            raise NotHere("link_not_valid", _("This link is not valid (any more)."))
    except Refused as refusal:
        return render(request, "table/closed.html", {"reason": str(refusal)}, status=refusal.status)
    language = get_language() or "en"
    refused, status = "", 200
    if request.method == "POST":
        try:
            _act(request, entrant)
        except Refused as refusal:
            refused, status = str(refusal), refusal.status
        else:
            return redirect(request.path)
    shown: list[dict[str, Any]] = []
    for sheet, side in waiting_sheets(entrant):
        names = seat_names(sheet)
        result = sheets.result_of(sheet)
        signatures = signature_rows(sheet, language, names)
        shown.append(
            {
                "sheet": sheet, "side": side, "side_name": side_label(side, language, names),
                "table": sheet.table.label, "frame": frame_of(sheet),
                "sides": [
                    {"name": side_label(code, language, names),
                     "players": players_of(code, names) if len(code) > 1 else "",
                     "total": result["marks"].get(code, 0), "winner": result["winner"] == code}
                    for code in sides_of(sheet)
                ],
                "deals": deal_rows(sheet, language, names),
                "signed": any(row["code"] == side and row["signed"] for row in signatures),
                "signatures": signatures,
            }
        )  # fmt: skip
    answer = render(
        request, "table/sign.html", {"waiting": shown, "refused": refused}, status=status
    )
    answer["Cache-Control"] = "no-store"
    return answer


def _act(request: HttpRequest, entrant: str) -> None:
    actor = Actor.player(entrant)
    version = request.POST.get("version", "")
    wanted = request.POST.get("sheet", "")
    for sheet, side in waiting_sheets(entrant):
        if str(sheet.pk) != wanted or side != request.POST.get("side"):
            continue
        seen = int(version) if version.isascii() and version.isdigit() and len(version) < 9 else 0
        if request.POST.get("verb") == "dispute":
            sheets.withdraw_signatures(
                sheet_id=sheet.pk, version=seen, actor=actor,
                reason=request.POST.get("reason", ""),
            )  # fmt: skip
        else:
            sheets.sign(sheet_id=sheet.pk, side=side, version=seen, actor=actor)
        return
    raise NotHere("nothing_waits", _("Nothing waits for your signature here any more."))
