"""Stages, who plays in them, and their rounds."""

from __future__ import annotations

import uuid

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext, gettext_noop
from django.utils.translation import gettext_lazy as _

from ledger.rows import RecordedManager

from .entrants import Entrant
from .events import Event


class Format(models.TextChoices):
    """The formats of a stage; docs/formats.md says which serves when."""

    INDIVIDUAL_DRAW = "individual_draw", _("individual championship (new table every round)")
    INDIVIDUAL_MOVEMENT = "individual_movement", _("individual, fixed movement")
    PAIRS_SWISS = "pairs_swiss", _("pairs, Swiss system")
    PAIRS_MITCHELL = "pairs_mitchell", _("pairs, Mitchell")
    ROUND_ROBIN = "round_robin", _("pairs, round robin")
    POOLS_KO = "pools_ko", _("pools and knock-out")
    KO = "ko", _("knock-out")
    RANDOM = "random", _("drawn by lot every round")


PAIRS = frozenset(
    {Format.PAIRS_SWISS, Format.PAIRS_MITCHELL, Format.ROUND_ROBIN, Format.POOLS_KO, Format.KO}
)
"""Formats whose entrants are pairs."""

BRACKETS = frozenset({Format.KO, Format.POOLS_KO})
"""Formats that end in a knock-out."""

STAGE_NAMES = (
    gettext_noop("Preliminary rounds"),
    gettext_noop("Semi-final"),
    gettext_noop("Final"),
    gettext_noop("Rounds"),
    gettext_noop("Knock-out"),
    gettext_noop("Pools and knock-out"),
)
"""Names that the service itself gives; every reader sees them in their own language."""


RANKING_EDITION = 3
"""The edition of the ranking by which stages count from now on.

1: everybody entered is ranked. 2: who never sat down at a table is listed apart, without a rank.
3: sitting out is worth the average of one's own games in every criterion, no longer a win, unless the
director chose otherwise; the bye of a pair drawn by lot is a win, as in every format of pairs. A stage follows the newest one when its first round is published; one that is
under way follows the second, else it counts as it did.
"""


class Stage(models.Model):
    """A part of the event with its own format: the rounds, the semi-final, the final."""

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="stages")
    order = models.PositiveSmallIntegerField()
    name = models.CharField(max_length=60)
    format = models.CharField(max_length=20, choices=Format.choices)
    rounds_planned = models.PositiveSmallIntegerField(default=3)
    games_per_round = models.PositiveSmallIntegerField(default=3)
    deals_per_game = models.PositiveSmallIntegerField(null=True)
    target = models.JSONField(null=True)
    minutes = models.PositiveSmallIntegerField(default=90)
    ranking = models.CharField(max_length=40, default="world_championship")
    ranking_rule = models.JSONField(default=dict)
    ranking_edition = models.PositiveSmallIntegerField(default=1, db_default=1)
    club_rule = models.JSONField(default=dict, db_default={}, blank=True)
    carries_over = models.BooleanField(default=False)
    cut = models.JSONField(default=dict)
    club_rounds = models.PositiveSmallIntegerField(default=2)
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
    def in_pairs(self) -> bool:
        """Whether those who play in it are pairs."""
        by_lot = self.format == Format.RANDOM and self.drawing.get("unit") == "pair"
        return self.format in PAIRS or by_lot

    @staticmethod
    def kept_name(shown: str) -> str:
        """What is kept for a name as a reader saw or typed it: the inverse of :attr:`title`."""
        return next((name for name in STAGE_NAMES if gettext(name) == shown), shown)


class StageEntrant(models.Model):
    """An entrant who plays in a stage, and how they came there."""

    stage = models.ForeignKey(Stage, on_delete=models.CASCADE, related_name="field")
    entrant = models.ForeignKey(Entrant, on_delete=models.PROTECT, related_name="stages")
    seed = models.PositiveIntegerField(default=0)
    origin = models.CharField(max_length=40, blank=True)

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
