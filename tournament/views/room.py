"""The room: every table of a round, what waits for the director first, and what they do.

From a table's page they give it extra time, replace a lost slip's link, go on to what helps a table that somebody left, and open each game's
sheet to correct, confirm, reopen or copy it from paper (the scoring room's staff pages). Rounds
that are over keep their room, so every result leads to its sheet.
"""

from __future__ import annotations

import uuid
from datetime import datetime

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils import timezone
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from accounts.access import actor_of
from accounts.pages import Page
from accounts.roles import capabilities_of, may
from ledger.errors import Refused
from tournament.access import needs
from tournament.models import Event, Round, RoundState, Table
from tournament.models.tables import Sheet
from tournament.queries import room as room_selector
from tournament.queries import rounds as round_selectors
from tournament.queries.brackets import full_title
from tournament.queries.cells import ShownCell, cell_of
from tournament.queries.falls import of_sheet
from tournament.queries.names import Shown, by_number
from tournament.queries.players import PlayedRound, days_of
from tournament.queries.room import Holdup, Tile
from tournament.queries.substitutes import Substitutions, substitutions_of
from tournament.queries.table_clock import ClockShown
from tournament.services import signatures
from tournament.services.clock import give_table_time
from tournament.services.tables import open_link, revoke_link
from tournament.views.falls import do_asked, tell
from tournament.views.frame import event_by_slug, show_event
from tournament.views.typed import whole
from tournament.views.wall import screens_for


def _round(event: Event, round_id: uuid.UUID | None) -> Round | None:
    """Return the published round of the address, or else the current one; ``None`` before the first."""
    if round_id is None:
        return round_selectors.current_round(event)
    published = Round.objects.filter(stage__event=event, published_at__isnull=False)
    return get_object_or_404(published.select_related("stage__event"), pk=round_id)


class HallPage(
    Page, template="desk/room.html", further=("desk/room_tables.html",), here="desk-room"
):
    round: Round | None
    now: datetime
    clock: ClockShown | None
    holdups: list[Holdup]
    more: int
    tables: list[Tile]
    rounds: list[Round]
    open_again: list[round_selectors.OpenAgain]
    early: list[str]
    at_once: list[str]
    signed: int
    all: int
    settled: bool
    may_close: bool
    screens: list[str]


@needs("room.watch")
@require_safe
def desk_room(request: HttpRequest, slug: str, round_id: uuid.UUID | None = None) -> HttpResponse:
    """Show every table of a round, by default the current one: called, disputed, late and unsigned first."""
    event = event_by_slug(slug)
    now = _round(event, round_id)
    tables = room_selector.room(now) if now else []
    waiting = room_selector.holdups(tables, now, capabilities_of(request.user, event.pk))
    published = round_selectors.published_rounds(event)
    return show_event(
        request,
        event,
        HallPage(
            round=now,
            now=timezone.now(),
            clock=round_selectors.clock_shown(now),
            holdups=waiting[: room_selector.MOST],
            more=max(0, len(waiting) - room_selector.MOST),
            tables=room_selector.tiles(tables, now),
            rounds=published if len(published) > 1 else [],
            open_again=[
                each for each in round_selectors.open_again(published) if each.round.pk != now.pk
            ]
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
        template="desk/room_tables.html" if request.GET.get("part") == "tables" else "",
    )


class RoomTablePage(Page, template="desk/room_table.html", here="desk-room"):
    cell: ShownCell
    refused: str
    can_reopen: bool
    can_open: bool
    can_manage: bool


@needs("room.watch")
@require_http_methods(["GET", "HEAD", "POST"])
def desk_table(
    request: HttpRequest, slug: str, number: int, round_id: uuid.UUID | None = None
) -> HttpResponse:
    """Show one table of a round, by default the current one, with the available actions."""
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
            _act(request, now, table)
        except Refused as refusal:
            refused, status = str(refusal), refusal.status
        else:
            return redirect(room_selector.address(now, number))
    can = capabilities_of(request.user, event.pk)
    cell = cell_of(now, table, can)
    if cell is None:
        raise Http404
    return show_event(
        request,
        event,
        RoomTablePage(
            cell=cell,
            refused=refused,
            can_reopen="rounds.manage" in can and now.state == RoundState.CLOSED,
            can_open="documents.print_links" in can,
            can_manage="rounds.manage" in can and now.state != RoundState.CLOSED,
        ),
        status=status,
    )


@needs("rounds.manage")
@require_http_methods(["GET", "HEAD", "POST"])
def replay_game(request: HttpRequest, slug: str, sheet_id: uuid.UUID) -> HttpResponse:
    """Ask whether a game is annulled and played again, with what falls then; do it, and show its table."""
    sheet = get_object_or_404(
        Sheet.objects.select_related("table__round__stage__event"),
        pk=sheet_id,
        table__round__stage__event__slug=slug,
    )
    concerned = of_sheet(sheet)
    round_, table = concerned.of_round, sheet.table.number
    back = room_selector.address(round_, table)
    where = _("%(round)s, table %(table)d, game %(game)d") % {
        "round": full_title(round_),
        "table": table,
        "game": sheet.order,
    }
    return tell(
        request,
        back,
        lambda: do_asked(
            request,
            concerned,
            signatures.replay,
            sheet,
            where=where,
            back_url=back,
            here="desk-room",
        ),
    )


class PlayerGamesPage(Page, template="desk/player_games.html", here="desk-room"):
    who: Shown
    day: list[PlayedRound]
    substitutions: Substitutions


@needs("room.watch")
@require_safe
def player_games(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """List every game of a player, hidden rounds included, with the link to its sheet."""
    event = event_by_slug(slug)
    who = by_number(event).get(number)
    if who is None:
        raise Http404
    language = (get_language() or "en")[:2]
    day = days_of(event, [who.pk], language=language, private=True)[who.pk]
    return show_event(
        request,
        event,
        PlayerGamesPage(who=who, day=day, substitutions=substitutions_of(event, number)),
    )


def _act(request: HttpRequest, round_: Round, table: Table) -> None:
    actor = actor_of(request)
    verb = request.POST.get("verb", "")
    if verb == "time":
        minutes = whole(request.POST.get("minutes")) or 0
        give_table_time(round_id=round_.pk, table=table.number, minutes=minutes, actor=actor)
    elif verb == "revoke":
        reason = request.POST.get("reason", "").strip()
        if not reason:
            raise Refused(
                "reason_missing", _("Give a reason for the table’s new link."), field="reason"
            )
        revoke_link(round_id=round_.pk, table=table.number, actor=actor, reason=reason)
    else:
        raise Refused("unknown_verb", _("The page sent an incomplete request."), field="verb")
