"""Resolution of a request to its table: the slip's link, the calling device, the requested sheet."""

from __future__ import annotations

import uuid

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext_lazy as _

from accounts.limits import wrong_link
from ledger.errors import NotHere, Refused
from tournament.models.tables import Sheet, SheetState, Table
from tournament.services import tables
from tournament.tables.links import token_hash

DEVICE_COOKIE = "device"
DEPTH_COOKIE = "depth"


def device_of(request: HttpRequest) -> uuid.UUID:
    """Return this phone's id from its signed cookie; a new id for a phone without one."""
    text = request.get_signed_cookie(DEVICE_COOKIE, default="", salt="device")
    try:
        return uuid.UUID(text)
    except ValueError:
        return uuid.uuid4()


def keep_device(response: HttpResponse, device: uuid.UUID) -> HttpResponse:
    """Remember the device for a month; nothing of a table's page is cached on the way."""
    response.set_signed_cookie(
        DEVICE_COOKIE,
        str(device),
        salt="device",
        max_age=30 * 24 * 3600,
        httponly=True,
        secure=settings.HTTPS,
        samesite="Lax",
    )
    response["Cache-Control"] = "no-store"
    return response


def chosen_depth(request: HttpRequest) -> str:
    """Return the detail of a deal's record: as requested now, else as chosen before; else ``""``."""
    depth = request.GET.get("depth") or request.POST.get("depth")
    return depth or request.COOKIES.get(DEPTH_COOKIE, "")


def keep_depth(response: HttpResponse, path: str, depth: str) -> None:
    """Store for the day, on this table's pages, the detail of this phone's records."""
    response.set_cookie(
        DEPTH_COOKIE,
        depth,
        path=path,
        max_age=24 * 3600,
        httponly=True,
        secure=settings.HTTPS,
        samesite="Lax",
    )


def table_of(request: HttpRequest, token: str) -> Table:
    """Return the table of a link; wrong links count against the calling address.

    A link that was good until its round was closed is not wrong.
    """
    try:
        return tables.table_by_token(token)
    except Refused:
        if closed_table(token) is None:
            wrong_link(request)
        raise


def closed_table(token: str) -> Table | None:
    """Return the table of a link whose round was closed."""
    return (
        Table.objects.select_related("round__stage__event")
        .filter(token_hash=token_hash(token), open=False, round__isnull=False)
        .first()
    )


def sheet_of(table: Table, order: str | int | None, *, exact: bool = False) -> Sheet:
    """Return the requested sheet, else the first that is not signed, else the last.

    With ``exact`` a game that is asked for and not there is :class:`NotHere`: who writes into a
    game never writes into another one.
    """
    listed = list(table.sheets.order_by("order"))
    wanted = [sheet for sheet in listed if str(sheet.order) == str(order)]
    if wanted:
        return wanted[0]
    if exact and order not in (None, ""):
        raise NotHere("no_such_game", _("This table has no such game. Nothing was saved."))
    waiting = [s for s in listed if s.state not in (SheetState.OFFICIAL, SheetState.VOID)]
    return waiting[0] if waiting else listed[-1]
