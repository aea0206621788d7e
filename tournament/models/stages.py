"""Stages, who plays in them, and their rounds."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from typing import Final

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import Q
from django.utils.functional import lazy
from django.utils.translation import get_language, gettext, gettext_noop
from django.utils.translation import gettext_lazy as _

from ledger.rows import RecordedManager
from scoring.texts import Message
from tournament.drawing.formats import FORMATS, Format

from .entrants import Entrant
from .events import Event

in_readers_language: Callable[[Message], str] = lazy(
    lambda text: text.render(get_language() or "en"), str
)
"""A text of the pure packages, rendered where a page shows it."""
FORMAT_CHOICES: Final = tuple(
    (each.key, in_readers_language(each.label)) for each in FORMATS.values()
)
"""Formats of a stage with their names in the reader's language; docs/formats.md describes the use of each."""

STAGE_NAMES = (
    gettext_noop("Preliminary rounds"),
    gettext_noop("Semi-final"),
    gettext_noop("Final"),
    *dict.fromkeys(each.stage_name.msgid for each in FORMATS.values()),
)
"""Names that the service itself gives; every reader sees them in their own language."""


RANKING_EDITION = 3
"""The edition of the ranking by which stages count from now on.

3: that of release 1.0. A stage follows the newest one when its first round is published, else it counts as it did.
"""


GAMES: Final = [(3, _("three: everybody at the table partners everybody")), (1, _("one"))]


class Stage(models.Model):
    """A part of the event with its own format: the rounds, the semi-final, the final."""

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="stages")
    order = models.PositiveSmallIntegerField()
    name = models.CharField(_("Name of the stage"), max_length=60)
    format = models.CharField(_("Format"), max_length=20, choices=FORMAT_CHOICES)
    rounds_planned = models.PositiveSmallIntegerField(
        _("Rounds"), default=3, validators=[MinValueValidator(1), MaxValueValidator(60)]
    )
    games_per_round = models.PositiveSmallIntegerField(
        _("Games in a round"), default=3, choices=GAMES
    )
    deals_per_game = models.PositiveSmallIntegerField(
        _("Deals in a game"),
        null=True,
        blank=True,
        default=4,
        validators=[MinValueValidator(1), MaxValueValidator(60)],
    )
    target = models.JSONField(null=True)
    minutes = models.PositiveSmallIntegerField(
        _("Minutes for a round"),
        default=90,
        validators=[MinValueValidator(5), MaxValueValidator(600)],
    )
    ranking = models.CharField(_("Ranking"), max_length=40, default="world_championship")
    ranking_rule = models.JSONField(default=dict)
    ranking_edition = models.PositiveSmallIntegerField(default=1, db_default=1)
    club_rule = models.JSONField(default=dict, db_default={}, blank=True)
    carries_over = models.BooleanField(_("Results of earlier stages count"), default=False)
    cut = models.JSONField(default=dict)
    club_rounds = models.PositiveSmallIntegerField(
        _("Keep members of a club apart through round"),
        default=2,
        validators=[MaxValueValidator(60)],
        help_text=_("0: not kept apart."),
    )
    drawing = models.JSONField(default=dict, blank=True)

    objects = RecordedManager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["event", "order"], name="stage_order_once"),
            models.CheckConstraint(
                condition=Q(games_per_round__in=[1, 3]), name="one_or_three_games_a_round"
            ),
            models.CheckConstraint(
                condition=Q(deals_per_game__isnull=False) | Q(target__isnull=False),
                name="a_game_ends_somewhere",
            ),
        ]
        ordering = ["order"]

    def __str__(self) -> str:
        return self.name

    @property
    def title(self) -> str:
        """The name as the reader sees it: translated where the service gave it, else as typed."""
        return gettext(self.name) if self.name in STAGE_NAMES else self.name

    @property
    def played_as(self) -> Format:
        """Its format with all that is known of it."""
        return FORMATS[self.format]

    @property
    def in_pairs(self) -> bool:
        """Whether those who play in it are pairs."""
        return self.played_as.in_pairs(self.drawing.get("unit", ""))

    @staticmethod
    def kept_name(shown: str) -> str:
        """Return the stored name for a name as shown or typed: the inverse of :attr:`title`."""
        return next((name for name in STAGE_NAMES if gettext(name) == shown), shown)


TOOK_OVER: Final = "for:"
"""Beginning of the origin of a place taken over; the start number of its former holder follows."""


def former_holder(origin: str) -> int:
    """Return the start number whose place an entrant took over, from the origin of the place."""
    return int(origin.removeprefix(TOOK_OVER))


class StageEntrant(models.Model):
    """An entrant who plays in a stage, and how they came there.

    ``origin``: ``for:7`` took the place of number 7; ``takes_points``: with the results of the stage so far.
    """

    stage = models.ForeignKey(Stage, on_delete=models.CASCADE, related_name="field")
    entrant = models.ForeignKey(Entrant, on_delete=models.PROTECT, related_name="stages")
    seed = models.PositiveIntegerField(default=0)
    origin = models.CharField(max_length=40, blank=True)
    takes_points = models.BooleanField(default=False, db_default=False)

    objects = RecordedManager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["stage", "entrant"], name="entrant_once_per_stage"),
        ]
        ordering = ["seed", "entrant"]

    def __str__(self) -> str:
        return f"{self.stage_id} {self.entrant_id}"


class RoundState(models.TextChoices):
    """The life of a round."""

    PLANNED = "planned", _("to come")
    DRAWN = "drawn", _("drawn, not published")
    PUBLISHED = "published", _("published")
    PLAYING = "playing", _("in play")
    CLOSED = "closed", _("finished")


class Round(models.Model):
    """One round of a stage: a draw, a clock, and the tables' sheets."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    stage = models.ForeignKey(Stage, on_delete=models.CASCADE, related_name="rounds")
    number = models.PositiveSmallIntegerField()
    state = models.CharField(max_length=10, choices=RoundState.choices, default=RoundState.PLANNED)
    publish_at = models.DateTimeField(null=True)
    publish_draw = models.ForeignKey(
        "Draw", on_delete=models.SET_NULL, null=True, related_name="scheduled_for"
    )
    published_at = models.DateTimeField(null=True)
    started_at = models.DateTimeField(null=True)
    ends_at = models.DateTimeField(null=True)
    closed_at = models.DateTimeField(null=True)
    # Seconds left on a clock that stands still; ``ends_at`` is empty meanwhile.
    paused_left = models.PositiveIntegerField(null=True)

    objects = RecordedManager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["stage", "number"], name="round_number_once"),
            models.CheckConstraint(
                condition=Q(state__in=RoundState.values), name="round_state_is_known"
            ),
            models.CheckConstraint(
                condition=Q(publish_at__isnull=True) | Q(state="drawn"),
                name="only_a_drawn_round_waits_for_its_time",
            ),
        ]
        ordering = ["stage__order", "number"]

    def __str__(self) -> str:
        return f"{self.stage} {self.number}"
