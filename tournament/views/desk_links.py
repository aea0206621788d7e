"""The link on one player's badge: shown to the director who asks for it, replaced where the old one must go."""

from __future__ import annotations

import segno
from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts.access import actor_of
from accounts.pages import Page
from tournament.access import needs
from tournament.models import Entrant
from tournament.queries.names import shown_name
from tournament.services import entrants
from tournament.tables.links import entrant_token
from tournament.views.addresses import address_for_phones, unreachable_address
from tournament.views.doing import submit
from tournament.views.frame import event_by_slug, show_event


class NewLinkForm(forms.Form):
    """A box that is ticked knowingly, and why."""

    reason = forms.CharField(
        label=gettext_lazy("Why"),
        max_length=300,
        required=False,
        help_text=gettext_lazy("For the record, e.g. badge lost. No names."),
    )
    sure = forms.BooleanField(
        label=gettext_lazy("Yes, the link printed so far is to stop working.")
    )


def link_of(request: HttpRequest, entrant: Entrant) -> str:
    """Return the present address on the player's badge."""
    return address_for_phones(request) + reverse("personal", args=[entrant_token(entrant)])


class PlayerLinkPage(Page, template="desk/player_link.html", here="desk-players"):
    entrant: Entrant
    form: NewLinkForm
    address: str
    name: str
    unreachable: str
    code: SafeString


@needs("entrants.manage")
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def player_link(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Show the code of a player's badge on request, and record it; or replace the link.

    The old one is refused from then on.
    """
    event = event_by_slug(slug)
    entrant = get_object_or_404(
        Entrant.objects.select_related("person", "partner"), event=event, number=number
    )
    shows = "show" in request.POST
    form = NewLinkForm(request.POST if request.method == "POST" and not shows else None)
    if form.is_valid():
        reason = form.cleaned_data["reason"]
        submit(request, form, entrants.renew_link, entrant, reason=reason)
        return redirect("desk-player-link", slug, number)
    address = code = ""
    if shows:
        entrants.open_link(entrant_id=entrant.pk, actor=actor_of(request))
        address = link_of(request, entrant)
        code = segno.make(address, error="m").svg_inline(
            scale=5, border=4, dark="#000", light="#fff", omitsize=True, lineclass=None
        )
    context = PlayerLinkPage(
        entrant=entrant,
        form=form,
        address=address,
        name=shown_name(entrant, shorten=False),
        unreachable=unreachable_address(request),
        code=mark_safe(code),  # noqa: S308 - segno's own markup of modules, no text of anybody
    )
    return show_event(request, event, context, status=422 if form.errors else 200)
