"""API authentication and permissions for DRF: bearer tokens and declared access.

The only module of this room that imports DRF; the API of every room builds on it.
"""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from io import BytesIO
from typing import IO, Any, Final

from django.utils.translation import gettext_lazy as _
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from rest_framework.authentication import BaseAuthentication
from rest_framework.exceptions import (
    AuthenticationFailed,
    MethodNotAllowed,
    NotAuthenticated,
    ParseError,
)
from rest_framework.parsers import JSONParser
from rest_framework.permissions import BasePermission
from rest_framework.request import Request

from accounts.access import Access
from accounts.api_tokens import allows, holder_of
from accounts.limits import wrong_link
from accounts.models import ApiToken, User
from accounts.roles import may
from accounts.second_step import gate
from ledger.depth import MOST_VALUES, TOO_DEEP, TOO_MANY, is_too_deep, values_in

SCHEME: Final = "Bearer"


class BoundedJSONParser(JSONParser):
    """DRF's JSON parser, which also refuses what is too deep or too much (:mod:`ledger.depth`)."""

    def parse(
        self,
        stream: IO[Any],
        media_type: str | None = None,
        parser_context: Mapping[str, object] | None = None,
    ) -> dict[str, object]:
        """Parse the body; ``ParseError`` (400) for what is no JSON, nested too deeply or too much."""
        content = stream.read()
        if values_in(content) > MOST_VALUES:
            raise ParseError(TOO_MANY)
        try:
            value: dict[str, object] = super().parse(BytesIO(content), media_type, parser_context)
        except RecursionError as error:
            raise ParseError(TOO_DEEP) from error
        except ParseError as error:
            raise ParseError(_("This is not valid JSON.")) from error
        if is_too_deep(value):
            raise ParseError(TOO_DEEP)
        return value


class BearerToken(BaseAuthentication):
    """``Authorization: Bearer <token>``; wrong ones count against the address that tries them."""

    def authenticate(self, request: Request) -> tuple[User, ApiToken] | None:
        """Return the owner and the token; ``None`` without the header."""
        scheme, _space, text = request.headers.get("Authorization", "").partition(" ")
        if scheme != SCHEME:
            return None
        token = holder_of(text.strip())
        if token is None:
            wrong_link(request)
            raise AuthenticationFailed(_("This token is no longer valid."), code="token")
        return token.user, token

    def authenticate_header(self, request: Request) -> str:
        """Return the authentication scheme for the header of a 401 response."""
        return SCHEME


class BearerTokenScheme(OpenApiAuthenticationExtension):
    """Description of the token in the OpenAPI schema."""

    target_class = "accounts.api.BearerToken"
    name = "apiToken"

    def get_security_definition(self, auto_schema: object) -> dict[str, str]:
        """Return the security scheme: an Authorization header with ``Bearer``."""
        return {
            "type": "http",
            "scheme": "bearer",
            "description": "A token of a member of staff, created on the page of their account.",
        }


class Declared(BasePermission):
    """API permission: each view class declares ``access = {"GET": Access(...), ...}``."""

    def scope_of(self, kwargs: dict[str, object]) -> uuid.UUID | None:
        """Return the scope of the URL; here the organisation's."""
        return None

    def has_permission(self, request: Any, view: Any) -> bool:
        """Whether the declaration of the request's method admits the caller."""
        method = "GET" if request.method in ("HEAD", "OPTIONS") else request.method
        access: Access | None = getattr(view, "access", {}).get(method)
        if access is None:
            if method not in view.allowed_methods:
                raise MethodNotAllowed(request.method)
            return False
        if access.kind in ("public", "link"):
            return True
        if not request.user.is_authenticated:
            raise NotAuthenticated
        scope = self.scope_of(view.kwargs) if access.kind == "needs" else None
        if isinstance(request.auth, ApiToken):
            if not allows(request.auth, method, scope):
                return False
        elif gate(request.user):
            return False
        return access.kind == "signed_in" or may(request.user, access.what, scope)
