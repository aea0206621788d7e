"""Notices on a player's own page: push to a device, e-mail; and the link that ends e-mail."""

from __future__ import annotations

import uuid
from dataclasses import dataclass

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_POST

from accounts.access import by_link, public
from accounts.limits import DEVICES_BY_PLAYER, wrong_link
from accounts.pages import Page, show_page
from ledger.errors import Refused
from tournament.access import needs
from tournament.models import Entrant, MailConsent
from tournament.services import consents, mail, notices, push
from tournament.tables.links import token_hash
from tournament.views.desk import attempt
from tournament.views.doing import do
from tournament.views.frame import event_by_slug


@dataclass(frozen=True, slots=True)
class Offered:
    """Offers of ``public/notices.html`` on a player's own page; ``mail``: the consent given."""

    push_key: str
    push_url: str
    mail_url: str
    mail: MailConsent | None
    mail_known: bool


def offered(entrant: Entrant, token: str) -> Offered:
    """Return the notices that a player may choose."""
    return Offered(
        push.public_key(),
        reverse("own-push", args=[token]),
        reverse("own-mail", args=[token]) if mail.is_offered() else "",
        MailConsent.objects.filter(entrant=entrant).first(),
        bool(entrant.person.email),
    )


def _entrant(request: HttpRequest, token: str) -> Entrant:
    entrant = Entrant.objects.filter(link_hash=token_hash(token)).first()
    if entrant is None:
        wrong_link(request)
        raise Http404
    return entrant


@by_link("player")
@never_cache
@require_POST
def own_push(request: HttpRequest, token: str) -> HttpResponse:
    """Subscribe this device to notices, or unsubscribe it; posted by notices.js, which shows errors."""
    entrant = _entrant(request, token)
    endpoint, ends = request.POST.get("endpoint", ""), request.POST.get("verb") == "off"
    if not ends:
        DEVICES_BY_PLAYER.check(str(entrant.pk))
    try:
        if ends:
            push.unsubscribe(entrant_id=entrant.pk, endpoint=endpoint)
        else:
            push.subscribe(
                entrant_id=entrant.pk,
                endpoint=endpoint,
                p256dh=request.POST.get("p256dh", ""),
                auth=request.POST.get("auth", ""),
                language=(get_language() or "en")[:2],
            )
    except Refused as refusal:
        return JsonResponse({"code": refusal.code, "detail": str(refusal)}, status=422)
    return HttpResponse(status=204)


@by_link("player")
@never_cache
@require_POST
def own_mail(request: HttpRequest, token: str) -> HttpResponse:
    """Want e-mail, or no more of it."""
    entrant = _entrant(request, token)
    if "want" not in request.POST:
        for consent in MailConsent.objects.filter(entrant=entrant):
            consents.end_mail(consent_id=consent.pk)
        messages.success(request, _("You will receive no more e-mail."))
    else:
        attempt(
            request,
            lambda: consents.want_mail(
                entrant_id=entrant.pk,
                email=request.POST.get("email", "")[:254],
                language=(get_language() or "en")[:2],
            ),
            _("You will get e-mail."),
        )
    return redirect("personal", token)


class MailEndPage(Page, template="public/mail_end.html"):
    there: bool


@csrf_exempt
@public
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def mail_end(request: HttpRequest, consent_id: uuid.UUID) -> HttpResponse:
    """Show the page of the link in every e-mail; posted, by its button or a mail program: end the e-mails.

    Only e-mail knows the address, and a mail program posts without a cookie (RFC 8058). Reading
    changes nothing: programs that look at links before a person does would end what they wanted.
    """
    if request.method == "POST":
        consents.end_mail(consent_id=consent_id)
    there = MailConsent.objects.filter(pk=consent_id).exists()
    return show_page(request, MailEndPage(there=there))


@needs("links.mail")
@require_POST
def mail_links(request: HttpRequest, slug: str) -> HttpResponse:
    """E-mail their badge's link to all players who accept e-mail."""
    event = event_by_slug(slug)
    do(request, notices.mail_links, event)
    return redirect("desk-players", slug)
