"""The event itself and the clubs whose members enter it."""

from __future__ import annotations

import uuid
from datetime import date
from typing import Final

from django.core.validators import RegexValidator
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from ledger.rows import RecordedManager
from tournament.models.tables import BellRule, Protocol

FIRST_DAY: Final = date(2000, 1, 1)
LAST_DAY: Final = date(2099, 12, 31)
"""The days between which an event may be: a mistyped year is refused where it is typed."""


class EventState(models.TextChoices):
    """The life of an event."""

    OPEN = "open", _("open for registration")
    RUNNING = "running", _("running")
    FINISHED = "finished", _("finished")


class Event(models.Model):
    """One tournament: its rulebook with switches, its languages, its public face."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    slug = models.SlugField(max_length=60, unique=True)
    name = models.CharField(max_length=120)
    place = models.CharField(max_length=120, blank=True)
    day = models.DateField()
    language = models.CharField(max_length=2, default="nl")
    rulebook = models.CharField(max_length=30)
    edition = models.CharField(max_length=40)
    options = models.JSONField(default=dict)
    protocol = models.CharField(max_length=10, choices=Protocol.choices, default=Protocol.CONFIRM)
    bell_rule = models.CharField(max_length=12, choices=BellRule.choices, default=BellRule.FINISH)
    depth = models.CharField(max_length=10, default="points")
    state = models.CharField(max_length=10, choices=EventState.choices, default=EventState.OPEN)
    short_names = models.BooleanField(default=False)
    hide_last_rounds = models.PositiveSmallIntegerField(default=0)
    # Whether the scorekeeper sees at once that a card entered was not allowed, or only the referee.
    tell_illegal = models.BooleanField(default=True, db_default=True)
    # Whether final rulings on conduct are public; else their offence is for the offender and the staff.
    publish_conduct = models.BooleanField(default=False, db_default=False)
    public_seed = models.CharField(max_length=40)
    sponsors = models.TextField(blank=True)
    # The club's: a colour "#rrggbb", and the SHA-256 of the picture in EventLogo; empty where none is set.
    colour = models.CharField(
        max_length=7,
        blank=True,
        default="",
        db_default="",
        validators=[RegexValidator(r"^#[0-9a-f]{6}\Z", _("Enter a colour as #1b4a99."))],
    )
    logo = models.CharField(max_length=64, blank=True, default="", db_default="")
    # Players register themselves on a public page, until a time or until the places are taken.
    registration = models.BooleanField(default=False, db_default=False)
    registration_until = models.DateTimeField(null=True, blank=True)
    places = models.PositiveIntegerField(null=True, blank=True)
    # Left out of the public lists; every address of the event still works.
    hidden = models.BooleanField(default=False, db_default=False)
    # Raised with every change; the second is the version of the last one that was more than results.
    version = models.PositiveBigIntegerField(default=0)
    frame_version = models.PositiveBigIntegerField(default=0, db_default=0)
    created_at = models.DateTimeField(auto_now_add=True)

    objects = RecordedManager()

    class Meta:
        constraints = [
            models.CheckConstraint(condition=~Q(language=""), name="event_language_is_known"),
            models.CheckConstraint(
                condition=Q(colour="") | Q(colour__startswith="#"),
                name="event_colour_is_hexadecimal",
            ),
        ]
        ordering = ["-day", "name"]

    def __str__(self) -> str:
        return self.name


class EventLogo(models.Model):
    """The picture of the club that holds an event: a PNG within the bounds of ``services.logos``."""

    event = models.OneToOneField(Event, on_delete=models.CASCADE, related_name="picture")
    content = models.BinaryField()

    def __str__(self) -> str:
        return str(self.pk)


class Club(models.Model):
    """A club whose members enter an event."""

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="clubs")
    name = models.CharField(max_length=80)

    objects = RecordedManager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["event", "name"], name="club_once_per_event"),
        ]
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name
