"""Persons and what they are in an event.

Names and addresses are stored in :class:`Person` only; the audit chain and every other table hold ids.
"""

from __future__ import annotations

import secrets
import uuid
from typing import Final

from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from ledger.rows import RecordedManager
from tournament.lists.names import is_name

from .events import Club, Event


def valid_name(text: str) -> None:
    """Refuse a name without a letter that has ink, and one that is an address: names are public."""
    if not is_name(text):
        raise ValidationError(
            _("A name has at least one letter, and no “@”."), code="name_without_letters"
        )


def new_salt() -> str:
    """Return the random part of the commitment to a name: 128 bits, hexadecimal."""
    return secrets.token_hex(16)


class Person(models.Model):
    """Personal data, erasable; nothing outside this table names anybody."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    name = models.CharField(_("Name"), max_length=100, validators=[valid_name])
    email = models.EmailField(_("E-mail"), blank=True)
    phone = models.CharField(
        _("Phone number"), max_length=30, blank=True, default="", db_default=""
    )
    member = models.ForeignKey(
        "Member", on_delete=models.SET_NULL, null=True, blank=True, related_name="persons"
    )
    salt = models.CharField(
        max_length=32, blank=True, editable=False, default=new_salt, db_default=""
    )
    erased_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(erased_at__isnull=True) | Q(name="", email="", salt=""),
                name="erased_person_has_no_data",
            ),
        ]

    def __str__(self) -> str:
        return str(self.pk)


class Member(models.Model):
    """A member in the organisation's register; an event copies the member's data into its entries."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    name = models.CharField(_("Name"), max_length=100, validators=[valid_name])
    club = models.CharField(_("Club"), max_length=80, blank=True)
    category = models.CharField(_("Category"), max_length=30, blank=True)
    email = models.EmailField(_("E-mail"), blank=True)
    phone = models.CharField(_("Phone number"), max_length=30, blank=True)

    class Meta:
        ordering = ["name", "club", "category"]

    def __str__(self) -> str:
        return str(self.pk)


class RegistrationState(models.TextChoices):
    """Outcome of a registration."""

    ASKED = "asked", _("to be confirmed")
    WAITING = "waiting", _("on the waiting list")
    ENTERED = "entered", _("accepted")
    REFUSED = "refused", _("refused")


class Registration(models.Model):
    """A registration from the public page; staff accept or refuse it."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="registrations")
    name = models.CharField(
        _("First and last name"), max_length=100, blank=True, validators=[valid_name]
    )
    partner = models.CharField(_("Partner"), max_length=100, blank=True, validators=[valid_name])
    club = models.CharField(_("Club"), max_length=80, blank=True)
    email = models.EmailField(_("E-mail"), blank=True)
    phone = models.CharField(_("Phone number"), max_length=30, blank=True)
    state = models.CharField(
        max_length=10, choices=RegistrationState.choices, default=RegistrationState.ASKED
    )
    entrant = models.ForeignKey(
        "Entrant", on_delete=models.SET_NULL, null=True, blank=True, related_name="registrations"
    )
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["created_at"]

    def __str__(self) -> str:
        return str(self.pk)


class EntrantState(models.TextChoices):
    """State of an entrant."""

    REGISTERED = "registered", _("registered")
    PRESENT = "present", _("present")
    WITHDRAWN = "withdrawn", _("withdrawn")
    MERGED = "merged", _("merged into another number")

    @staticmethod
    def when_merged(one: str, two: str) -> EntrantState:
        """Return the state of two registrations of one player: the one closest to playing."""
        return min(EntrantState(one), EntrantState(two), key=_CLOSEST_TO_PLAYING.index)


_CLOSEST_TO_PLAYING: Final = (
    EntrantState.PRESENT,
    EntrantState.REGISTERED,
    EntrantState.WITHDRAWN,
    EntrantState.MERGED,
)


class Entrant(models.Model):
    """A competitor: a player, or a pair (then ``partner`` is its second person)."""

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="entrants")
    number = models.PositiveIntegerField(
        _("Start number"), validators=[MinValueValidator(1), MaxValueValidator(99_999)]
    )
    person = models.ForeignKey(Person, on_delete=models.PROTECT, related_name="entries")
    partner = models.ForeignKey(
        Person, on_delete=models.PROTECT, null=True, blank=True, related_name="partner_entries"
    )
    club = models.ForeignKey(
        Club, on_delete=models.SET_NULL, null=True, blank=True, related_name="entrants"
    )
    family = models.CharField(_("Family"), max_length=40, blank=True)
    category = models.CharField(_("Category"), max_length=30, blank=True, default="", db_default="")
    paid = models.BooleanField(_("Paid"), default=False, db_default=False)
    fixed_seat = models.BooleanField(_("Fixed seat"), default=False)
    keeps_score = models.BooleanField(_("Keeps score"), default=True)
    state = models.CharField(
        _("State"), max_length=10, choices=EntrantState.choices, default=EntrantState.REGISTERED
    )
    from_round = models.PositiveSmallIntegerField(default=1)
    withdrawn_after = models.PositiveSmallIntegerField(null=True)
    link_hash = models.CharField(max_length=64, blank=True)
    link_epoch = models.PositiveIntegerField(default=1, db_default=1)
    created_at = models.DateTimeField(auto_now_add=True)

    objects = RecordedManager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["event", "number"], name="entrant_number_once"),
            models.UniqueConstraint(fields=["event", "person"], name="person_enters_once"),
            models.CheckConstraint(condition=Q(number__gte=1), name="entrant_number_from_one"),
            models.CheckConstraint(
                condition=Q(partner__isnull=True) | ~Q(partner=F("person")),
                name="pair_is_two_persons",
            ),
        ]
        ordering = ["number"]

    def __str__(self) -> str:
        return str(self.number)


class Merger(models.Model):
    """A number merged into another, with the data needed to undo the merger.

    ``before`` holds the state of both, by ids; ``person`` and ``partner`` stay with it.
    """

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="mergers")
    into = models.ForeignKey(Entrant, on_delete=models.CASCADE, related_name="mergers")
    number = models.PositiveIntegerField()
    person = models.ForeignKey(Person, on_delete=models.PROTECT, related_name="mergers")
    partner = models.ForeignKey(
        Person, on_delete=models.PROTECT, null=True, blank=True, related_name="partner_mergers"
    )
    before = models.JSONField(default=dict)
    made_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["event", "number"], name="merger_of_a_number_once"),
        ]
        ordering = ["number"]

    def __str__(self) -> str:
        return str(self.number)


class Ban(models.Model):
    """Two entrants who are never drawn to one table; the reason is not stored."""

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="bans")
    one = models.ForeignKey(Entrant, on_delete=models.CASCADE, related_name="bans_as_one")
    two = models.ForeignKey(Entrant, on_delete=models.CASCADE, related_name="bans_as_two")
    made_by = models.CharField(max_length=80)
    made_at = models.DateTimeField(auto_now_add=True)

    objects = RecordedManager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["one", "two"], name="ban_once"),
            models.CheckConstraint(condition=Q(one__lt=F("two")), name="ban_is_ordered"),
        ]
        ordering = ["one", "two"]

    def __str__(self) -> str:
        return f"{self.one_id} {self.two_id}"
