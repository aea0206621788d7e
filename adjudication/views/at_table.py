"""A ruling as the table reads it by its slip's link, and the appeal that a side lodges there."""

from __future__ import annotations

import uuid
from collections.abc import Collection

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from accounts.access import by_link
from accounts.pages import Crumb, Page, show_page
from adjudication.models import Ruling, RulingState
from adjudication.queries.audience import reads
from adjudication.queries.shown import (
    AppealShown,
    RulingShown,
    appeals_shown,
    related,
    show,
    side_label,
)
from adjudication.services import appeals
from ledger.actors import Actor
from ledger.errors import NotHere, Refused
from tournament.views.table import ClosedPage
from tournament.views.table_links import device_of, keep_device, table_of

from .common import attempt


class PlayersRulingPage(Page, template="referee/table_ruling.html"):
    """A ruling for players; ``private``: at the link of one of them."""

    ruling: RulingShown
    row: Ruling
    appeals: list[AppealShown]
    may_appeal: bool
    too_late: bool
    sides: list[tuple[str, str]]
    back: Crumb
    masthead: str
    private: bool


def read_by_players(
    ruling: Ruling, sides: Collection[str], *, back: Crumb, masthead: str, private: bool = False
) -> PlayersRulingPage:
    """Return the page of a ruling for players, who may appeal for one of ``sides``."""
    shown = show(ruling, whole=True, outside=True)
    listed = appeals_shown(ruling, shown.case)
    over = ruling.appeal_until <= timezone.now()
    return PlayersRulingPage(
        ruling=shown,
        row=ruling,
        appeals=listed,
        may_appeal=ruling.state == RulingState.PROVISIONAL
        and not over
        and not any(appeal.open for appeal in listed)
        and bool(sides),
        too_late=ruling.state == RulingState.FINAL
        or (ruling.state != RulingState.ANNULLED and over),
        sides=[(side, side_label(shown.case, side)) for side in sides],
        back=back,
        masthead=masthead,
        private=private,
    )


def _ruling(table_id: uuid.UUID, ruling_id: uuid.UUID) -> Ruling:
    there = {"incident__table": table_id, "incident__unseated_at__isnull": True}
    ruling = related(Ruling.objects.filter(pk=ruling_id, **there)).first()
    if ruling is None or not reads(ruling, None):
        raise NotHere("no_such_ruling", _("No such ruling at this table."))
    return ruling


@by_link("table")
@require_http_methods(["GET", "HEAD", "POST"])
def table_ruling(request: HttpRequest, token: str, ruling_id: uuid.UUID) -> HttpResponse:
    """Show article, facts and reasons; until the deadline a side may appeal."""
    try:
        table = table_of(request, token)
        ruling = _ruling(table.pk, ruling_id)
    except Refused as refusal:
        heading = _("Ruling") if refusal.code == "no_such_ruling" else ""
        closed = ClosedPage(reason=str(refusal), heading=heading)
        return show_page(request, closed, status=refusal.status)
    device = device_of(request)
    if request.method == "POST":
        attempt(
            request,
            lambda: appeals.lodge(
                ruling_id=ruling.pk,
                side=request.POST.get("side", ""),
                grounds=request.POST.get("grounds", ""),
                actor=Actor.device(device),
            ),
            _("The appeal has been lodged. The committee will hear it."),
        )
        return keep_device(redirect(request.path), device)
    page = read_by_players(
        ruling,
        appeals.sides_of(ruling),
        back=Crumb(_("Back to the sheet"), reverse("table", args=[token])),
        masthead=table.title,
    )
    return keep_device(show_page(request, page), device)
