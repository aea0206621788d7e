"""Subscriptions to notices, and the notices still to be sent.

Both are optional: an opt-in is made on a player's own page or with their registration, and is
deleted with the player. No official fact follows from these rows.
"""

from __future__ import annotations

import uuid

from django.db import models
from django.db.models import Q

from .entrants import Entrant, Registration
from .events import Event


class PushSubscription(models.Model):
    """A device on which a player wants notices: its address at the push service, and its keys."""

    entrant = models.ForeignKey(Entrant, on_delete=models.CASCADE, related_name="subscriptions")
    endpoint = models.CharField(max_length=1000)
    public_key = models.CharField(max_length=90)
    secret = models.CharField(max_length=30)
    language = models.CharField(max_length=5)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["entrant", "endpoint"], name="device_subscribes_once"),
        ]
        ordering = ["pk"]

    def __str__(self) -> str:
        return str(self.pk)


class MailConsent(models.Model):
    """Consent to e-mail, by a waiting registration or a player, whose own row holds the address.

    ``refused``: the mail server's answer when it rejected the address; no more mail is sent there.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    registration = models.OneToOneField(
        Registration, on_delete=models.CASCADE, null=True, related_name="mail"
    )
    entrant = models.OneToOneField(
        Entrant, on_delete=models.CASCADE, null=True, related_name="mail"
    )
    language = models.CharField(max_length=5)
    refused = models.CharField(max_length=200, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(registration__isnull=False) | Q(entrant__isnull=False),
                name="mail_is_wanted_by_somebody",
            ),
        ]

    def __str__(self) -> str:
        return str(self.pk)


class NoticeKind(models.TextChoices):
    """Topic of a notice; its subject is the id of the object."""

    DRAW = "draw"
    RESULT = "result"
    RULING = "ruling"
    RECEIPT = "receipt"
    LINK = "link"


class NoticeState(models.TextChoices):
    """Delivery state of a notice."""

    WAITING = "waiting"
    SENT = "sent"
    FAILED = "failed"


class Notice(models.Model):
    """One notice for one device or address. ``matter``: the job that lists all recipients."""

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="notices")
    matter = models.UUIDField()
    kind = models.CharField(max_length=10, choices=NoticeKind.choices)
    subject = models.UUIDField(null=True)
    subscription = models.ForeignKey(
        PushSubscription, on_delete=models.CASCADE, null=True, related_name="notices"
    )
    consent = models.ForeignKey(
        MailConsent, on_delete=models.CASCADE, null=True, related_name="notices"
    )
    state = models.CharField(
        max_length=10, choices=NoticeState.choices, default=NoticeState.WAITING
    )
    attempts = models.PositiveSmallIntegerField(default=0)
    due_at = models.DateTimeField()
    failure = models.CharField(max_length=200, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["matter", "subscription"], name="device_is_told_a_matter_once"
            ),
            models.UniqueConstraint(
                fields=["matter", "consent"], name="address_is_told_a_matter_once"
            ),
            models.CheckConstraint(
                condition=Q(subscription__isnull=True) ^ Q(consent__isnull=True),
                name="notice_goes_one_way",
            ),
        ]
        indexes = [
            models.Index(
                fields=["due_at"], condition=Q(state="waiting"), name="notices_to_be_sent"
            ),
        ]
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"{self.kind} {self.state}"
