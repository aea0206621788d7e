"""A ruling as a player reads it by the link on their badge, and the appeal that they lodge for their side."""

from __future__ import annotations

import uuid

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts.access import by_link
from accounts.limits import wrong_link
from accounts.pages import Crumb, show_page
from adjudication.models import Ruling
from adjudication.queries.audience import at_tables_of, reads
from adjudication.queries.shown import related
from adjudication.services import appeals
from ledger.actors import Actor
from ledger.errors import NotAllowed, NotHere, Refused
from tournament.models import Entrant
from tournament.tables.links import token_hash
from tournament.views.public import LostBadgePage
from tournament.views.table import ClosedPage

from .at_table import read_by_players
from .common import attempt


def _player(request: HttpRequest, token: str) -> Entrant:
    """Return the player of the link; wrong links are counted by network address."""
    player = Entrant.objects.select_related("event").filter(link_hash=token_hash(token)).first()
    if player is None:
        wrong_link(request)
        raise NotHere("link_not_valid", _("This link no longer works."))
    return player


def _ruling(player: Entrant, ruling_id: uuid.UUID) -> Ruling:
    """Return a ruling at one of the player's tables, or against the player."""
    mine = Ruling.objects.filter(at_tables_of(player.pk), event=player.event_id)
    ruling = related(mine.filter(pk=ruling_id)).first()
    if ruling is None or not reads(ruling, player.pk):
        raise NotHere("no_such_ruling", _("No ruling at this address concerns you."))
    return ruling


@by_link("player")
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def player_ruling(request: HttpRequest, token: str, ruling_id: uuid.UUID) -> HttpResponse:
    """Show article, facts and reasons; until the deadline the player may appeal for their own side."""
    try:
        player = _player(request, token)
        ruling = _ruling(player, ruling_id)
    except Refused as refusal:
        closed = ClosedPage(reason=str(refusal), heading=_("Ruling"))
        page = LostBadgePage() if refusal.code == "link_not_valid" else closed
        return show_page(request, page, status=refusal.status)
    side = appeals.side_of(ruling, player.pk)
    if request.method == "POST":

        def act() -> object:
            if side is None:
                raise NotAllowed("not_your_side", _("Only the side concerned can appeal."))
            return appeals.lodge(
                ruling_id=ruling.pk,
                side=side,
                grounds=request.POST.get("grounds", ""),
                actor=Actor.player(player.pk),
            )

        attempt(request, act, _("The appeal has been lodged. The committee will hear it."))
        return redirect(request.path)
    return show_page(
        request,
        read_by_players(
            ruling,
            [side] if side else [],
            back=Crumb(_("Back to my page"), reverse("personal", args=[token])),
            masthead=ruling.event.name,
            private=True,
        ),
    )
