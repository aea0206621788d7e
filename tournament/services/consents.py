"""Consent to e-mail: given on a player's own page or with a registration, withdrawn by one link."""

from __future__ import annotations

import uuid

from django.utils.translation import gettext_lazy as _

from ledger.actors import Actor
from ledger.change import change
from ledger.errors import Conflict, Refused
from tournament.models import Entrant, MailConsent, Registration

from . import mail
from .entrant_edits import correct_entrant


@change()
def want_mail(*, entrant_id: int, email: str, language: str) -> MailConsent:
    """Send a player e-mail from now on, to this address or to the one that is known.

    Raises :class:`Refused` for what is no address; :class:`Conflict` where no mail server is set.
    """
    if not mail.is_offered():
        raise Conflict("no_mail_server", _("This installation sends no e-mail."))
    entrant = Entrant.objects.select_related("person").get(pk=entrant_id)
    email = email.strip()
    if email:
        entrant = correct_entrant(
            entrant_id=entrant_id, changes={"email": email}, actor=Actor.player(entrant_id)
        )
    elif not entrant.person.email or _is_refused(entrant):
        raise Refused("email_missing", _("Enter your e-mail address."), field="email")
    return MailConsent.objects.update_or_create(
        entrant=entrant, defaults={"language": language, "refused": ""}
    )[0]


def _is_refused(entrant: Entrant) -> bool:
    return MailConsent.objects.filter(entrant=entrant).exclude(refused="").exists()


def end_mail(*, consent_id: uuid.UUID) -> None:
    """Send nothing more; asked twice it changes nothing."""
    MailConsent.objects.filter(pk=consent_id).delete()


def take_over(registration: Registration, entrant: Entrant) -> None:
    """Move the consent of a registration to the new player."""
    MailConsent.objects.filter(registration=registration).update(entrant=entrant, registration=None)
