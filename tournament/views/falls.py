"""Page of confirmation before an act: its consequences, its reason, and the way back."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse

from accounts.pages import Page
from tournament.queries.falls import Concerned, Hanging, is_prevented, what_falls
from tournament.views.frame import show_event


class WhatFallsPage(Page, template="desk/what_falls.html", here="desk-rounds"):
    title: str
    where: str
    falls: list[Hanging]
    stopped: bool
    to: str
    sent: dict[str, str]
    reason: bool
    back_url: str


def ask(
    request: HttpRequest,
    concerned: Concerned,
    *,
    where: str,
    to: str,
    back_url: str,
    reason: bool = False,
    here: str = "",
    **sent: str,
) -> HttpResponse:
    """Show what falls with an act; its button sends ``sent`` to the address ``to``."""
    falls = what_falls(concerned)
    page = WhatFallsPage(
        title=concerned.act.label,
        where=where,
        falls=falls,
        stopped=is_prevented(falls),
        to=to,
        sent=sent,
        reason=reason,
        back_url=back_url,
    )
    return show_event(request, concerned.event, page, here=here)
