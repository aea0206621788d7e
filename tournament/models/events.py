"""The event itself and the clubs whose members enter it."""

from __future__ import annotations

import uuid
from datetime import date, datetime
from typing import Final, TypedDict

from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator, MinValueValidator, RegexValidator
from django.db import models
from django.db.models import Q
from django.db.models.functions import Lower
from django.utils.translation import gettext_lazy as _

from ledger.rows import RecordedManager
from tournament.models.tables import BellRule, Depth, Protocol

FIRST_DAY: Final = date(2000, 1, 1)
LAST_DAY: Final = date(2099, 12, 31)
"""The days between which an event may be: a mistyped year is refused where it is typed."""


def require_day(day: date) -> None:
    """Refuse a day, or the day of a moment, that no event is on."""
    if not FIRST_DAY.year <= day.year <= LAST_DAY.year:
        raise ValidationError(
            _("Enter a day from %(first)d to %(last)d."),
            params={"first": FIRST_DAY.year, "last": LAST_DAY.year},
        )


class EventState(models.TextChoices):
    """The life of an event."""

    OPEN = "open", _("open for registration")
    RUNNING = "running", _("running")
    FINISHED = "finished", _("finished")


class Publicity(models.TextChoices):
    """When the public reads an offence that a ruling found in play."""

    AT_ONCE = "at_once", _("at once")
    FINAL = "final", _("once they are final")
    NEVER = "never", _("never")


class EventSettings(TypedDict, total=False):
    """Types of the columns given with a new event, besides its name and day."""

    place: str
    language: str
    rulebook: str
    options: dict[str, object]
    house_rules: dict[str, object]
    protocol: str
    bell_rule: str
    depth: str
    short_names: bool
    hide_last_rounds: int
    tell_illegal: bool
    publish_play: str
    publish_conduct: bool
    sponsors: str
    colour: str
    registration: bool
    registration_until: datetime | None
    places: int | None


class Event(models.Model):
    """One tournament: its rulebook with switches, its languages, its public face."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    slug = models.SlugField(max_length=60, unique=True)
    name = models.CharField(_("Name of the event"), max_length=120)
    place = models.CharField(_("Place"), max_length=120, blank=True)
    day = models.DateField(_("Day"), validators=[require_day])
    language = models.CharField(_("Language of the documents"), max_length=2, default="nl")
    rulebook = models.CharField(_("Rulebook"), max_length=30)
    edition = models.CharField(max_length=40)
    options = models.JSONField(default=dict, blank=True)
    # The club's own rules as they were when the event was opened with them; {}: a published rulebook.
    house_rules = models.JSONField(default=dict, db_default={}, blank=True)
    protocol = models.CharField(
        _("How a result becomes official"),
        max_length=10,
        choices=Protocol.choices,
        default=Protocol.CONFIRM,
    )
    bell_rule = models.CharField(
        _("At the bell"), max_length=12, choices=BellRule.choices, default=BellRule.FINISH
    )
    depth = models.CharField(
        _("Level of detail"), max_length=10, choices=Depth.choices, default=Depth.POINTS
    )
    state = models.CharField(max_length=10, choices=EventState.choices, default=EventState.OPEN)
    short_names = models.BooleanField(
        _("Shorten names in public"),
        default=False,
        help_text=_("First name and initial on public pages and the hall screen."),
    )
    hide_last_rounds = models.PositiveSmallIntegerField(
        _("Last rounds kept hidden"),
        default=0,
        validators=[MaxValueValidator(60)],
        help_text=_(
            "Results of these rounds of each stage stay hidden until the standings are final or the "
            "event is finished."
        ),
    )
    tell_illegal = models.BooleanField(
        _("Tell the table of an illegal card before the deal ends"),
        default=True,
        db_default=True,
        help_text=_("Where deals are recorded card by card. The referee is told in any case."),
    )
    publish_play = models.CharField(
        _("Publish rulings on play"),
        max_length=8,
        choices=Publicity.choices,
        default=Publicity.FINAL,
        db_default=Publicity.FINAL,
        help_text=_(
            "Revokes, misdeals, cards out of turn and the like. The table and the staff read them at "
            "once; the public otherwise sees the points that change."
        ),
    )
    publish_conduct = models.BooleanField(
        _("Publish rulings on conduct once they are final"),
        default=False,
        db_default=False,
        help_text=_(
            "Late arrival, slow play, talking and the like. Otherwise only the offender and the staff "
            "read them; others see the points that change at their table."
        ),
    )
    public_seed = models.CharField(max_length=40)
    sponsors = models.TextField(
        _("Sponsors"),
        blank=True,
        max_length=2000,
        help_text=_("One a line; shown at the foot of the hall screen."),
    )
    # The club's: a colour "#rrggbb", and the SHA-256 of the picture in EventLogo; empty where none is set.
    colour = models.CharField(
        _("Colour of the club"),
        max_length=7,
        blank=True,
        default="",
        db_default="",
        validators=[RegexValidator(r"^#[0-9a-f]{6}\Z", _("Enter a colour as #1b4a99."))],
    )
    logo = models.CharField(max_length=64, blank=True, default="", db_default="")
    registration = models.BooleanField(
        _("Players register themselves on a public page"),
        default=False,
        db_default=False,
        help_text=_("With a code for the door; you confirm each of them."),
    )
    registration_until = models.DateTimeField(
        _("Registration closes"), null=True, blank=True, validators=[require_day]
    )
    places = models.PositiveIntegerField(
        _("Places"),
        null=True,
        blank=True,
        validators=[MinValueValidator(1), MaxValueValidator(5000)],
        help_text=_("Players who register after that go on the waiting list."),
    )
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


class HouseRules(models.Model):
    """A club's own rules, stored for its next events; an event opened with them has its own copy.

    ``stated``: base, switches and penalties, in the form that
    :func:`scoring.engine.rulebooks.read_house_rules` reads, without the name.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    name = models.CharField(max_length=80)
    stated = models.JSONField()

    class Meta:
        constraints = [
            models.CheckConstraint(condition=~Q(name=""), name="house_rules_have_a_name"),
            models.UniqueConstraint(Lower("name"), name="house_rules_name_once"),
        ]
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name

    @property
    def whole(self) -> dict[str, object]:
        """The rules as an event keeps them, with their title."""
        return {"title": self.name, **self.stated}


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
