"""Data derived from results: adjustments, lots, standings and their rendered forms."""

from __future__ import annotations

import uuid
from typing import NotRequired, TypedDict

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from ledger.rows import RecordedManager

from .entrants import Entrant
from .events import Event
from .stages import Round, Stage


class Adjustment(models.Model):
    """A change to an entrant's standing that no deal made: appended, annulled with a reason.

    ``source`` is an opaque key of the requester (a ruling, a director's decision); a source has one
    standing adjustment per entrant. ``forfeited``: every game of the round is lost, with no marks
    for and none against.
    """

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="adjustments")
    stage = models.ForeignKey(Stage, on_delete=models.CASCADE, related_name="adjustments")
    round = models.ForeignKey(Round, on_delete=models.CASCADE, null=True)
    entrant = models.ForeignKey(Entrant, on_delete=models.PROTECT, related_name="adjustments")
    source = models.CharField(max_length=80)
    marks = models.IntegerField(default=0)
    games_won = models.IntegerField(default=0)
    match_points = models.IntegerField(default=0)
    penalties = models.PositiveSmallIntegerField(default=0)
    disqualified = models.BooleanField(default=False)
    forfeited = models.BooleanField(default=False, db_default=False)
    reason = models.CharField(max_length=300)
    made_by = models.CharField(max_length=80)
    made_at = models.DateTimeField(auto_now_add=True)
    annulled_at = models.DateTimeField(null=True)
    annulled_reason = models.CharField(max_length=300, blank=True)

    objects = RecordedManager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["source", "entrant"],
                condition=Q(annulled_at__isnull=True),
                name="one_standing_adjustment_per_source",
            ),
        ]
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"{self.entrant} {self.marks:+d}"


class Lot(models.Model):
    """A drawn lot that separates equals, recorded once."""

    stage = models.ForeignKey(Stage, on_delete=models.CASCADE, related_name="lots")
    entrant = models.ForeignKey(Entrant, on_delete=models.PROTECT, related_name="lots")
    lot = models.PositiveIntegerField()

    objects = RecordedManager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["stage", "entrant"], name="lot_once"),
            models.UniqueConstraint(fields=["stage", "lot"], name="lots_differ"),
        ]

    def __str__(self) -> str:
        return f"{self.entrant} {self.lot}"


class StandingsState(models.TextChoices):
    """Degree to which a standing is settled."""

    PROVISIONAL = "provisional", _("provisional")
    FROZEN = "frozen", _("frozen")
    FINAL = "final", _("final")


COUNTING_EDITION = 7
"""The edition by which standings are computed.

4: that of release 1.0. 5: the game of a match that the director decided, or that one side of a knock-out or pool forfeited, is
won by the side that has the match, whatever its score says; results carried over count as in their own stage, with
its field. 6: they count by the rule of that stage; who has no game that counts ranks below who has; who leaves a
stage ranks in the event by the stage before. 7: a credited average leans towards the field's. What was frozen or made final under an edition is checked by that one.
"""


class Standings(models.Model):
    """The standing of a stage as last computed: derived, thrown away and recomputed at will."""

    stage = models.OneToOneField(Stage, on_delete=models.CASCADE, related_name="standings")
    state = models.CharField(
        max_length=12, choices=StandingsState.choices, default=StandingsState.PROVISIONAL
    )
    after_round = models.PositiveSmallIntegerField(default=0)
    rows = models.JSONField(default=list)
    hash = models.CharField(max_length=64, blank=True)
    version = models.PositiveBigIntegerField(default=0)
    edition = models.PositiveSmallIntegerField(default=1, db_default=1)
    history = models.JSONField(default=list)
    computed_at = models.DateTimeField(null=True)
    # Final standings: the time up to which the director has dealt with rulings, and the earlier
    # lists, oldest first.
    settled_at = models.DateTimeField(null=True)
    replaced = models.JSONField(default=list, db_default=[])

    def __str__(self) -> str:
        return f"{self.stage} {self.version}"


class ColumnHead(TypedDict):
    """The heading of a column, as ``parts/standings/table.html`` takes it."""

    label: str
    kind: str
    wide: bool
    title: NotRequired[str]
    name: NotRequired[str]
    explanation: NotRequired[str]


class Head(TypedDict):
    """Facts about the rows; ``hash`` is that of the standings, ``count`` that of the rows."""

    layout: int
    state: str
    hash: str
    after_round: int
    in_play: bool
    cut: str
    hidden: bool
    count: int
    columns: list[ColumnHead]


class RenderedStandings(models.Model):
    """The rows of a standing as HTML in one language: written when they change, not when asked.

    ``made_of`` is the hash of the rows' content (values, names, marks of a ruling, the cut), so a
    new version of the event that changes none of it renders nothing.
    """

    stage = models.ForeignKey(Stage, on_delete=models.CASCADE, related_name="rendered")
    language = models.CharField(max_length=2)
    version = models.PositiveBigIntegerField()
    made_of = models.CharField(max_length=64)
    head: models.JSONField[Head, Head] = models.JSONField()
    rows = models.TextField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["stage", "language"], name="rows_once_a_language"),
        ]

    def __str__(self) -> str:
        return f"{self.stage} {self.language} {self.version}"


class PlayerFile(models.Model):
    """An uploaded list of players, stored between its preview and its import.

    The bytes are personal data: the import empties them, and so does the next upload.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="player_files")
    content = models.BinaryField()
    uploaded_by = models.CharField(max_length=80)
    uploaded_at = models.DateTimeField(auto_now_add=True)
    imported_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(imported_at__isnull=True) | Q(content=b""),
                name="imported_file_is_emptied",
            ),
        ]

    def __str__(self) -> str:
        return str(self.pk)


class PaymentWord(models.Model):
    """A word of a list's column of payments whose meaning a director gave; for every later list."""

    word = models.CharField(max_length=60, unique=True)
    paid = models.BooleanField()

    def __str__(self) -> str:
        return str(self.pk)


class PrintedDocument(models.Model):
    """A PDF made by a job, stored with the hash of its records."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="documents")
    kind = models.CharField(max_length=30)
    parameters = models.JSONField(default=dict)
    language = models.CharField(max_length=2)
    paper = models.CharField(max_length=10, default="a4")
    state = models.CharField(max_length=12, blank=True)
    fingerprint = models.CharField(max_length=64)
    content = models.BinaryField()
    made_by = models.CharField(max_length=80)
    made_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-made_at"]

    def __str__(self) -> str:
        return f"{self.kind} {self.language}"
