"""The API described: as OpenAPI for programs, and as a page for those who write them.

Both are made from the views themselves, once for a process: nothing in them depends on the records.
Sentences about single operations are in English, as their code is.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseNotModified
from django.utils import translation
from django.utils.cache import patch_vary_headers
from django.views.decorators.http import require_safe
from drf_spectacular.generators import SchemaGenerator

from accounts.access import public
from accounts.pages import Page, show_page
from ledger.canonical import JsonObject

_VERBS: Final = ("get", "post", "put", "patch", "delete")


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter of an operation outside its path."""

    name: str
    where: str
    says: str


@dataclass(frozen=True, slots=True)
class Operation:
    """One verb on one address."""

    verb: str
    path: str
    says: str
    open: bool
    """Whether anybody may ask, without account."""
    parameters: tuple[Parameter, ...]
    body: str
    answers: tuple[str, ...]

    @property
    def pieces(self) -> list[str]:
        """The address in pieces after which a narrow page may break it."""
        return [f"{piece}/" for piece in self.path.removesuffix("/").split("/")]


@lru_cache(maxsize=1)
def described() -> tuple[JsonObject, bytes, str]:
    """Return the description as a value and as bytes, with its ETag."""
    with translation.override("en"):
        generated = SchemaGenerator().get_schema(public=True)
        body = json.dumps(generated, default=str, ensure_ascii=False).encode()
    tag = hashlib.sha256(body).hexdigest()[:20]
    return json.loads(body), body, f'"{tag}"'


@public
@require_safe
def openapi(request: HttpRequest) -> HttpResponse:
    """Send the description of the API (OpenAPI 3), with its ETag."""
    _value, body, tag = described()
    response: HttpResponse
    if tag in request.headers.get("If-None-Match", ""):
        response = HttpResponseNotModified()
    else:
        response = HttpResponse(body, content_type="application/vnd.oai.openapi+json")
    response["ETag"] = tag
    response["Cache-Control"] = "no-cache"
    patch_vary_headers(response, ("Accept-Encoding",))
    return response


class ApiPage(Page, template="api.html"):
    open: list[Operation]
    groups: list[tuple[str, list[Operation]]]
    root: str


@public
@require_safe
def guide(request: HttpRequest) -> HttpResponse:
    """Show every operation with its parameters and responses, the public operations first."""
    value, _body, _tag = described()
    groups: dict[str, list[Operation]] = {}
    for operation in operations(value):
        groups.setdefault("" if operation.open else operation.path.split("/")[3], []).append(
            operation
        )
    return show_page(
        request,
        ApiPage(
            open=groups.pop("", []),
            groups=sorted(groups.items()),
            root=settings.PUBLIC_URL or request.build_absolute_uri("/").rstrip("/"),
        ),
    )


def operations(value: JsonObject) -> Iterator[Operation]:
    """Yield all operations of a description, by path."""
    for path, verbs in sorted(value["paths"].items()):
        for verb in _VERBS:
            operation = verbs.get(verb)
            if operation is None:
                continue
            yield Operation(
                verb.upper(),
                path,
                operation.get("description", ""),
                not any(operation.get("security") or []),
                tuple(
                    Parameter(
                        one["name"],
                        "" if one["in"] == "query" else one["in"],
                        one.get("description") or _kind(one.get("schema", {})),
                    )
                    for one in operation.get("parameters", [])
                    if one["in"] != "path"
                ),
                _body_of(operation),
                tuple(sorted(operation.get("responses", {}))),
            )


def _kind(schema: JsonObject) -> str:
    return ", ".join(str(one) for one in schema.get("enum", [])) or str(schema.get("type", ""))


def _body_of(operation: JsonObject) -> str:
    """Return the name of the request body's schema; ``JSON`` without one, empty without a body."""
    for content in operation.get("requestBody", {}).get("content", {}).values():
        return str(content.get("schema", {}).get("$ref", "")).rpartition("/")[2] or "JSON"
    return ""
