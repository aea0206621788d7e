"""A ruling as the table reads it by its slip's link, and the appeal that a side lodges there."""

from __future__ import annotations

import uuid

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from accounts.access import by_link
from adjudication.models import Ruling
from adjudication.queries.audience import reads
from adjudication.queries.shown import appeal_context, show, side_label
from adjudication.services import appeals
from ledger.actors import Actor
from ledger.errors import NotHere, Refused
from tournament.views.table_links import device_of, keep_device, table_of

from .common import attempt


def _ruling(table_id: uuid.UUID, ruling_id: uuid.UUID) -> Ruling:
    ruling = (
        Ruling.objects.filter(
            pk=ruling_id, incident__table=table_id, incident__unseated_at__isnull=True
        )
        .select_related(
            "event",
            "incident__event",
            "incident__round__stage__event",
            "incident__sheet",
            "incident__call",
            "incident__table",
        )
        .first()
    )
    if ruling is None or not reads(ruling, None):
        raise NotHere("no_such_ruling", _("No such ruling at this table."))
    return ruling


@by_link("table")
@require_http_methods(["GET", "HEAD", "POST"])
def table_ruling(request: HttpRequest, token: str, ruling_id: uuid.UUID) -> HttpResponse:
    """Article, facts and reasons; until the deadline a side may appeal."""
    try:
        table = table_of(request, token)
        ruling = _ruling(table.pk, ruling_id)
    except Refused as refusal:
        closed = {"reason": str(refusal)}
        if refusal.code == "no_such_ruling":
            closed["heading"] = _("Ruling")
        return render(request, "table/closed.html", closed, status=refusal.status)
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
    shown = show(ruling, whole=True, outside=True)
    answer = render(
        request,
        "referee/table_ruling.html",
        {
            **appeal_context(ruling, shown),
            "ruling": shown,
            "row": ruling,
            "sides": [
                {"code": side, "name": side_label(shown.case, side)}
                for side in appeals.sides_of(ruling)
            ],
            "back": reverse("table", args=[token]),
            "back_label": _("Back to the sheet"),
            "masthead": table.title,
        },
    )
    return keep_device(answer, device)
