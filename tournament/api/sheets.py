"""The table's verbs as REST: read a sheet, append a deal, correct, sign, dispute, bell, call.

The services behind are those of the pages, so that a deal has the same fate however it arrives.
Every error is problem+json with a code. ``please_check`` (409) carries ``doubts`` (code, field,
question and values of each) and ``sure``, to be sent back by who is sure.
"""

from __future__ import annotations

import uuid
from typing import Any, ClassVar

from django.shortcuts import get_object_or_404
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework.authentication import SessionAuthentication
from rest_framework.exceptions import NotAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.access import Access, actor_of
from accounts.api import BearerToken
from ledger.actors import Actor
from ledger.errors import NotAllowed, Refused
from tournament.api.sheet_access import OwnTableOrStaff, TableToken, TableUser
from tournament.api.sheet_shapes import (
    DealShape,
    ProblemShape,
    SheetLine,
    SheetShape,
    deal_json,
    series_seen,
)
from tournament.api.verbs import Find, VerbView
from tournament.models.tables import Sheet, Table

REFUSALS = {
    400: ProblemShape,
    401: ProblemShape,
    403: ProblemShape,
    404: ProblemShape,
    409: ProblemShape,
    429: ProblemShape,
}


def sheet_of(sheet_id: uuid.UUID) -> Sheet:
    """The sheet that an address names."""
    return get_object_or_404(
        Sheet.objects.select_related("table__round__stage__event"), pk=sheet_id
    )


class TableView(VerbView):
    """Base of the table's views: a link or a session, and the first device that records."""

    authentication_classes = [TableToken, BearerToken, SessionAuthentication]
    permission_classes = [OwnTableOrStaff]
    by_link: ClassVar[tuple[str, ...]] = ("GET", "HEAD", "OPTIONS")
    refusals = REFUSALS

    def link_holder(self, request: Request) -> TableUser:
        """Return the holder of the table's link; 401 without credentials, 403 for a session without it."""
        user: object = request.user
        if isinstance(user, TableUser):
            return user
        message = _("Send %(header)s.") % {"header": "Authorization: Table <token>"}
        if request.user.is_authenticated:
            raise NotAllowed("table_token", message)
        raise NotAuthenticated(message, code="table_token")

    def sender(self, request: Request, row: Any) -> Actor:
        """Return the actor; a link without ``X-Device`` may only read."""
        user: object = request.user
        if not isinstance(user, TableUser):
            return actor_of(request)
        if user.device is None:
            raise Refused("device_missing", _("Send %(header)s.") % {"header": "X-Device: <UUID>"})
        return Actor.device(user.device)


class OwnTable(TableView):
    """Actions of a link's holder at their own table."""

    def row_of(self, request: Request, find: Find, place: dict[str, Any]) -> Table:
        """The table of the link."""
        return self.link_holder(request).table


class SheetList(TableView):
    """The sheets of the table whose link is used."""

    access: ClassVar[dict[str, Access]] = {"GET": Access("link", "table")}

    @extend_schema(responses={200: SheetLine(many=True), **REFUSALS}, operation_id="sheets_list")
    def get(self, request: Request) -> Response:
        """The table's sheets in the order in which they are played."""
        listed = self.link_holder(request).table.sheets.order_by("order")
        return Response(SheetLine(listed, many=True).data)


class SheetDetail(TableView):
    """One sheet."""

    access: ClassVar[dict[str, Access]] = {"GET": Access("needs", "room.watch")}

    @extend_schema(responses={200: SheetShape, **REFUSALS}, operation_id="sheets_read")
    def get(self, request: Request, sheet_id: uuid.UUID) -> Response:
        """The sheet with its current deals and standing signatures."""
        shape = SheetShape(sheet_of(sheet_id), context={"request": request})
        return Response(shape.data)


class DealDetail(TableView):
    """The history of one deal."""

    access: ClassVar[dict[str, Access]] = {"GET": Access("needs", "room.watch")}

    @extend_schema(responses={200: DealShape(many=True), **REFUSALS}, operation_id="deals_history")
    def get(self, request: Request, sheet_id: uuid.UUID, number: int) -> Response:
        """Every version of the deal, newest first."""
        sheet = sheet_of(sheet_id)
        series = series_seen(request, sheet)
        versions = sheet.deals.filter(series=series, number=number).order_by("-version")
        return Response([deal_json(deal, get_language() or "en") for deal in versions])
