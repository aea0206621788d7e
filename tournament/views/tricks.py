"""Card by card: the engine's judgement after each card, while the deal is being entered."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils.translation import get_language
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST

from accounts.access import by_link
from ledger.errors import Refused
from scoring.engine.errors import EngineError
from scoring.engine.shapes import ContractJson, ViolationJson
from tournament.models import Event
from tournament.models.tables import Sheet
from tournament.queries.side_labels import refusal_text_in
from tournament.tables.entry import leader_of
from tournament.tables.score_sheet import ScoreSheet
from tournament.views.table_links import sheet_of, table_of


@csrf_exempt
@by_link("table")
@require_POST
def follow(request: HttpRequest, token: str) -> HttpResponse:
    """Return the tricks so far: winner, points, and cards that the duties of play would not have allowed.

    Nothing is written. ``plays`` are the cards in order of play; ``flags`` are shown to the
    scorekeeper and kept for the referee, and refuse nothing.
    """
    try:
        table = table_of(request, token)
    except Refused as refusal:
        return JsonResponse({"ok": False, "message": str(refusal)}, status=refusal.status)
    sheet = sheet_of(table, request.POST.get("game"))
    game = ScoreSheet(sheet).game
    dealer = request.POST.get("dealer", "") or sheet.first_dealer
    contract: ContractJson = {"trump": request.POST.get("trump", "")}
    if declarer := request.POST.get("declarer"):
        contract["declarer"] = declarer
    if request.POST.get("blind") and game.flag("blind_trump_allowed"):
        contract["blind"] = True
    try:
        if dealer not in game.seats:
            dealer = sheet.first_dealer
        plays = request.POST.get("plays", "").split()
        whole = len(plays) == game.tricks * len(game.seats)
        replay, places = ScoreSheet(sheet).replay(
            {
                "dealer": dealer,
                "contract": contract,
                "record": {
                    "trump": contract["trump"],
                    "plays": plays,
                    "leader": leader_of(game, request.POST, dealer, contract),
                },
            },
            partial=not whole,
        )
    except EngineError as error:
        return JsonResponse(
            {
                "ok": False,
                "code": error.code,
                "message": refusal_text_in(error, sheet, get_language() or "en"),
            },
            status=422,
        )
    return JsonResponse(
        {
            "ok": True,
            "tricks": [
                {
                    "n": trick["n"],
                    "winner": places.seat(trick["winner"]) if trick["winner"] else None,
                    "points": trick["points"],
                }
                for trick in replay["tricks"]
            ],
            "points": {places.side_to_seats(s): n for s, n in replay["points"].items()},
            "flags": [
                {"trick": each["trick"], "seat": places.seat(each["seat"]), "card": each["card"]}
                for each in _sentences(sheet, replay["violations"])
            ],
        }
    )


def _sentences(sheet: Sheet, violations: list[ViolationJson]) -> list[ViolationJson]:
    """Return the illegal plays to report before the deal ends: all, unless the event reports none."""
    if not violations:
        return []
    switch = Event.objects.filter(pk=sheet.scope).values_list("tell_illegal", flat=True).first()
    return [] if switch is False else violations
