"""The table of permissions, read from the code: every route, what it asks for, who has it.

``python -m tools permissions_page`` writes docs/permissions.md; a test holds the page to it, and
another tries every route with every role, in its own event and in another.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.urls import URLPattern, URLResolver, get_resolver

from accounts.access import Access
from accounts.models import Role
from accounts.roles import CAPABILITIES


@dataclass(frozen=True, slots=True)
class Route:
    """One address pattern and one verb: ``access`` is ``None`` where nothing is declared."""

    pattern: str
    name: str
    verb: str
    access: Access | None

    @property
    def roles(self) -> frozenset[str]:
        """The roles that may use it; empty for public routes and links."""
        if self.access is None or self.access.kind in ("public", "link"):
            return frozenset()
        if self.access.kind == "signed_in":
            return frozenset(Role.values)
        return CAPABILITIES[self.access.what]


def routes() -> list[Route]:
    """Return every route of the service, by pattern."""
    return sorted(_walk(get_resolver().url_patterns, ""), key=lambda r: (r.pattern, r.verb))


def _walk(patterns: list[Any], prefix: str) -> Iterator[Route]:
    for pattern in patterns:
        where = prefix + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            yield from _walk(pattern.url_patterns, where)
        elif isinstance(pattern, URLPattern):
            yield from _verbs(pattern, where)


def _verbs(pattern: URLPattern, where: str) -> Iterator[Route]:
    view: Any = pattern.callback
    declared = getattr(getattr(view, "cls", None), "access", None)
    name = pattern.name or ""
    if isinstance(declared, dict):
        handled = {verb.upper() for verb in view.cls.http_method_names if hasattr(view.cls, verb)}
        for verb in sorted((handled | set(declared)) - {"OPTIONS", "HEAD"}):
            yield Route(where, name, verb, declared.get(verb))
    else:
        yield Route(where, name, "*", getattr(view, "access", None))


def page() -> str:
    """Render docs/permissions.md."""
    columns = [str(role) for role in Role.values]
    lines = [
        "# Permissions",
        "",
        "Written by `python -m tools permissions_page` from the code; tests hold the page to it and try",
        "every route with every role, in the event where the role was given and in another.",
        "The administrator of the organisation counts in every event, and gives the right to open and",
        "take up events (event.create) to single accounts as well. What a page asks for opens it; single acts",
        "on it ask for more, and are not offered to others: on a sheet (room.watch) to write needs",
        "sheets.enter and to correct sheets.correct, at a table of the hall more time needs rounds.manage, of",
        "the jobs (documents.print) those that make no document need jobs.read, among the documents those",
        "with links need documents.print_links and an archive event.manage; to enter and withdraw players",
        "(entrants.check_in) needs entrants.manage, and a plain button what its operation of the API needs.",
        "",
        "## Who can do what",
        "",
        "| capability | " + " | ".join(columns) + " |",
        "|---|" + "---|" * len(columns),
    ]
    for name, roles in CAPABILITIES.items():
        lines.append(
            f"| {name} | " + " | ".join("yes" if r in roles else "" for r in columns) + " |"
        )
    lines += ["", "## Every route", "", "| route | verb | asks for |", "|---|---|---|"]
    for route in routes():
        access = route.access
        asks = (
            "**undeclared**"
            if access is None
            else "nothing (public)"
            if access.kind == "public"
            else f"the {access.what}'s link"
            if access.kind == "link"
            else "any account"
            if access.kind == "signed_in"
            else access.what
        )
        lines.append(f"| `/{route.pattern}` | {route.verb} | {asks} |")
    return "\n".join(lines) + "\n"


def main(_words: list[str]) -> int:
    """Print the page."""
    sys.stdout.write(page())
    return 0
