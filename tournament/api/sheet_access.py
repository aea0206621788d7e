"""Access to the tables' API: by a table's link, or by a member of staff with a session.

``Authorization: Table <token>`` with the token of the slip opens that table's sheets and no others;
``X-Device`` (a UUID chosen by the client) names the device that writes, like a phone. Without the
header a session and its capabilities decide.
"""

from __future__ import annotations

import uuid
from typing import Any

from django.utils.translation import gettext_lazy as _
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from rest_framework.authentication import BaseAuthentication
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.permissions import BasePermission
from rest_framework.request import Request

from accounts.limits import wrong_link
from ledger.errors import Refused
from tournament.access import Declared
from tournament.models.tables import Sheet, Table
from tournament.services import tables

SCHEME = "Table"


class TableUser:
    """Holder of a table's link: authenticated for that table, without any right of staff."""

    is_authenticated = True
    is_active = True
    is_anonymous = False
    pk = None

    def __init__(self, table: Table, device: uuid.UUID | None) -> None:
        self.table = table
        self.device = device


class TableToken(BaseAuthentication):
    """``Authorization: Table <token>``."""

    def authenticate(self, request: Request) -> tuple[TableUser, Table] | None:
        """The table of the token; ``None`` without the header."""
        scheme, _space, token = request.headers.get("Authorization", "").partition(" ")
        if scheme != SCHEME:
            return None
        try:
            table = tables.table_by_token(token.strip())
        except Refused as refusal:
            wrong_link(request)
            raise AuthenticationFailed(str(refusal), code=refusal.code) from refusal
        text = request.headers.get("X-Device", "")
        try:
            device = uuid.UUID(text) if text else None
        except ValueError as error:
            raise AuthenticationFailed(_("X-Device must be a UUID."), code="device") from error
        return TableUser(table, device), table

    def authenticate_header(self, request: Request) -> str:
        """Return the scheme that a 401 requests."""
        return SCHEME


class TableTokenScheme(OpenApiAuthenticationExtension):
    """Description of the link's token in the schema."""

    target_class = "tournament.api.sheet_access.TableToken"
    name = "tableToken"

    def get_security_definition(self, auto_schema: object) -> dict[str, str]:
        """An Authorization header with the scheme ``Table``."""
        return {
            "type": "apiKey",
            "in": "header",
            "name": "Authorization",
            "description": "`Table <token>`: the token of the table's slip (the part of its address "
            "after /t/). Send `X-Device` with a UUID of your own to record.",
        }


class OwnTableOrStaff(BasePermission):
    """A link's holder at their own table; staff as the view's ``access`` declares."""

    def has_permission(self, request: Any, view: Any) -> bool:
        """Whether the caller may use this method here."""
        if isinstance(request.user, TableUser):
            if request.method not in getattr(view, "by_link", ()):
                return False
            wanted = view.kwargs.get("sheet_id")
            if wanted is None:
                return True
            return Sheet.objects.filter(pk=wanted, table=request.user.table).exists()
        return Declared().has_permission(request, view)
