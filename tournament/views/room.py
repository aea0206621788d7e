"""The room: every table of a round, what waits for the director first, and what they do.

From a table's page they give it extra time, replace a lost slip's link, go on to what helps a table that somebody left, and open each game's
sheet to correct, confirm, reopen or copy it from paper (the scoring room's staff pages). Rounds
that are over keep their room, so every result leads to its sheet.
"""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from typing import Any

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from accounts.roles import capabilities_of, may
from ledger.errors import Refused
from tournament.access import needs
from tournament.models import Event, Round, RoundState
from tournament.models.tables import SheetState
from tournament.queries import room as room_selector
from tournament.queries import rounds as round_selectors
from tournament.queries.names import by_number, seat_name
from tournament.queries.players import days_of
from tournament.queries.sheet_page import contested_at
from tournament.queries.table_people import side_on_slip
from tournament.services.clock import give_table_time
from tournament.services.tables import open_link, revoke_link
from tournament.views.desk import actor_of
from tournament.views.frame import event_by_slug, page
from tournament.views.wall import screens_for


def _round(event: Event, round_id: uuid.UUID | None) -> Round | None:
    """The published round of the address, or else the current one; ``None`` before the first."""
    if round_id is None:
        return round_selectors.current_round(event)
    published = Round.objects.filter(stage__event=event, published_at__isnull=False)
    return get_object_or_404(published.select_related("stage__event"), pk=round_id)


@needs("room.watch")
@require_safe
def desk_room(request: HttpRequest, slug: str, round_id: uuid.UUID | None = None) -> HttpResponse:
    """Every table of a round, by default of the one in play: called, disputed, late and unsigned first."""
    event = event_by_slug(slug)
    now = _round(event, round_id)
    tables = room_selector.room(now) if now else []
    waiting = room_selector.holdups(tables, now, capabilities_of(request.user, event.pk))
    published = round_selectors.published_rounds(event)
    template = "desk/room_tables.html" if request.GET.get("part") == "tables" else "desk/room.html"
    return render(
        request,
        template,
        page(
            request,
            event,
            "desk-room",
            round=now,
            now=timezone.now(),
            clock=round_selectors.clock_of(now),
            holdups=waiting[: room_selector.MOST],
            more=max(0, len(waiting) - room_selector.MOST),
            tables=room_selector.tiles(tables, now),
            rounds=published if len(published) > 1 else [],
            open_again=[part for part in round_selectors.open_again(published) if part.pk != now.pk]
            if now
            else [],
            early=room_selector.ended_early(tables),
            at_once=room_selector.signed_at_once(now, tables) if now else [],
            signed=room_selector.count_signed(tables),
            all=len(tables),
            settled=room_selector.is_settled(tables),
            may_close=now is not None
            and now.state != RoundState.CLOSED
            and may(request.user, "event.manage", event.pk),
            screens=screens_for(len(tables)),
        ),
    )


@needs("room.watch")
@require_http_methods(["GET", "HEAD", "POST"])
def desk_table(
    request: HttpRequest, slug: str, number: int, round_id: uuid.UUID | None = None
) -> HttpResponse:
    """One table of a round, by default of the one in play, and what may be done about it."""
    event = event_by_slug(slug)
    now = _round(event, round_id)
    table = room_selector.table_of(now, number) if now else None
    if now is None or table is None:
        raise Http404
    refused, status = "", 200
    if request.method == "POST":
        opens = request.POST.get("verb") == "open"
        needed = "documents.print_links" if opens else "rounds.manage"
        if not may(request.user, needed, event.pk):
            raise PermissionDenied(needed)
        if opens:
            # The key of the table, as on its slip: who has it signs as the players do.
            return redirect("table", open_link(table_id=table.pk, actor=actor_of(request)))
        try:
            _act(request, table)
        except Refused as refusal:
            refused, status = str(refusal), refusal.status
        else:
            return redirect(room_selector.address(now, number))
    shown = next((t for t in room_selector.room(now) if t.number == number), None)
    can = capabilities_of(request.user, event.pk)
    return render(
        request,
        "desk/room_table.html",
        page(
            request,
            event,
            "desk-room",
            round=now,
            table=shown,
            refused=refused,
            sheets=[_sheet_line(row) for row in shown.sheets] if shown else [],
            ways_on=room_selector.ways_on(shown, now, can) if shown else [],
            contested=contested_at(table),
            can_open="documents.print_links" in can,
            can_manage="rounds.manage" in can and now.state != RoundState.CLOSED,
            can_enter="sheets.enter" in can,
        ),
        status=status,
    )


@needs("room.watch")
@require_safe
def player_games(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Every game of a player, hidden rounds included, with the way to its sheet."""
    event = event_by_slug(slug)
    who = by_number(event).get(number)
    if who is None:
        raise Http404
    language = (get_language() or "en")[:2]
    day = days_of(event, [who.pk], language=language, private=True)[who.pk]
    return render(
        request,
        "desk/player_games.html",
        page(request, event, "desk-room", who=who, day=day),
    )


def _sheet_line(row: Mapping[str, Any]) -> dict[str, object]:
    marks = (row["score"] or {}).get("marks", {})
    state = row["state"]
    deals = (row["score"] or {}).get("deals", 0)
    begun = deals or row["finished"] or state != SheetState.OPEN
    label = SheetState(state).label if begun else _("no deal yet")
    if state == SheetState.OPEN and row["finished"]:
        label = _("unsigned")
    return {
        **row,
        "label": label,
        "chip": {
            "official": "signed",
            "disputed": "disputed",
            "claimed": "waiting",
            "void": "void",
        }.get(state, "waiting" if row["finished"] else "playing" if begun else "planned"),
        "marks": " – ".join(
            f"{side_on_slip(map(seat_name, row['sides'].get(side, side)))} {value}"
            for side, value in sorted(marks.items(), reverse=True)
        ),
        "deals": deals,
        "is_open": state in (SheetState.OPEN, SheetState.CLAIMED, SheetState.DISPUTED),
    }


def _act(request: HttpRequest, table: Any) -> None:
    actor = actor_of(request)
    verb = request.POST.get("verb", "")
    if verb == "time":
        text = request.POST.get("minutes", "")
        minutes = int(text) if text.isascii() and text.isdigit() and len(text) < 4 else 0
        give_table_time(table_id=table.pk, minutes=minutes, actor=actor)
    elif verb == "revoke":
        reason = request.POST.get("reason", "").strip()
        if not reason:
            raise Refused(
                "reason_missing", _("Give a reason for the table’s new link."), field="reason"
            )
        revoke_link(table_id=table.pk, actor=actor, reason=reason)
    else:
        raise Refused("unknown_verb", _("The page sent an incomplete request."), field="verb")
