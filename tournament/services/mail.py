"""E-mail to players who accept it: writing a message (consents are in ``consents``).

The address is the player's own (:attr:`tournament.models.Person.email`), or that of the registration
which waits. Without a mail server (``EMAIL_URL``) nothing here is offered. Every e-mail carries the
link that ends them, in its text and in its head (RFC 2369, RFC 8058).
"""

from __future__ import annotations

import re
from email.utils import formataddr
from typing import Final

from django.conf import settings
from django.core.mail import EmailMessage
from django.core.mail.backends.smtp import EmailBackend
from django.urls import reverse
from django.utils.translation import gettext as _

from ledger.deadline import Deadline
from tournament.models import Event, MailConsent

_ADDRESS: Final = re.compile(r"\S+@\S+")


class Server(EmailBackend):
    """Django's own backend, with a deadline for the whole connection."""

    _deadline: Deadline | None = None

    def end_with(self, deadline: Deadline) -> None:
        """Let the connection end with the deadline of the e-mail that is sent next."""
        self._deadline = deadline
        self._watch()

    def open(self) -> bool | None:
        """Connect, where there is no connection yet."""
        opened = super().open()
        if opened:
            self._watch()
        return opened

    def _watch(self) -> None:
        sock = self.connection.sock if self.connection is not None else None
        if self._deadline is not None and sock is not None:
            self._deadline.watch(sock)


def is_offered() -> bool:
    """Whether this installation sends e-mail at all."""
    return bool(settings.EMAIL_URL)


def address_of(consent: MailConsent) -> str:
    """Return the e-mail address; empty when it was deleted."""
    if consent.entrant is not None:
        return consent.entrant.person.email
    return consent.registration.email if consent.registration is not None else ""


def written(
    consent: MailConsent, event: Event, *, subject: str, text: str, number: int
) -> EmailMessage:
    """Write an e-mail in the active language, with a link to unsubscribe."""
    out = settings.PUBLIC_URL + reverse("mail-end", args=[consent.pk])
    body = "\n\n".join(
        (
            text,
            "-- \n" + event.name,
            _("You receive this because you asked for it. To stop: %(link)s") % {"link": out},
        )
    )
    host = settings.EMAIL_FROM.rpartition("@")[2]
    return EmailMessage(
        # A name from an archive may hold what no head of an e-mail does.
        subject=" ".join(f"{event.name}{_(':')} {subject}".split()),
        body=body + "\n",
        from_email=formataddr((settings.SITE_NAME, settings.EMAIL_FROM)),
        to=[address_of(consent)],
        headers={
            # The same for every attempt: a server that got it twice shows it once.
            "Message-ID": f"<{number}.{consent.pk.hex}@{host}>",
            "List-Unsubscribe": f"<{out}>",
            "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
            "Auto-Submitted": "auto-generated",
        },
    )


def answer_without_address(code: int, text: bytes | str) -> str:
    """Return a mail server's answer without the address that it repeats."""
    plain = text.decode("utf-8", "replace") if isinstance(text, bytes) else text
    return f"{code} {_ADDRESS.sub('…', ' '.join(plain.split()))}"[:200]
