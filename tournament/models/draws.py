"""Draws and the seats and byes of a published draw."""

from __future__ import annotations

import uuid
from typing import Any, TypedDict

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from ledger.rows import RecordedManager
from tournament.drawing.spec import Plan
from tournament.models.tables import Table

from .entrants import Entrant
from .stages import Round


def round_of(table: Table) -> Round:
    """Return the round of a table. Raises LookupError once that round's draw was withdrawn."""
    if table.round is None:
        raise LookupError(f"table {table.pk} has no round any more")
    return table.round


class DrawState(models.TextChoices):
    """The life of a draw."""

    CANDIDATE = "candidate", _("draft")
    PUBLISHED = "published", _("published")
    DISCARDED = "discarded", _("discarded")


class TableJson(TypedDict):
    """A drawn table: its players are entrants in order of seat."""

    number: int
    kind: str
    players: list[int]
    scorekeeper: int | None
    dealer: int | None


class Despite(TypedDict, total=False):
    """Why a draw was published although facts had changed, and which: code → start numbers concerned."""

    reason: str
    changed: dict[str, list[int]]
    facts: str


class Draw(models.Model):
    """Draw of a round before and after its publication: its seats and its certificate.

    ``request`` holds all inputs of the draw (start numbers, never names), so that it can be
    repeated; ``plan`` is a movement's state for the stage's next round (a timetable, a bracket);
    ``held`` entrants whose table was still playing. ``edits`` are the director's changes, each with
    the draw before it. ``facts``: the hash of the inputs (field, results, decisions, adjustments,
    bans); ``despite``: the changes that it was published despite, with the reason.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    round = models.ForeignKey(Round, on_delete=models.CASCADE, related_name="draws")
    number = models.PositiveSmallIntegerField()
    state = models.CharField(max_length=10, choices=DrawState.choices, default=DrawState.CANDIDATE)
    seed = models.CharField(max_length=80)
    movement = models.CharField(max_length=60)
    tables: models.JSONField[list[TableJson], list[TableJson]] = models.JSONField()
    byes: models.JSONField[list[int], list[int]] = models.JSONField(default=list)
    held = models.JSONField(default=list)
    certificate = models.JSONField(default=dict)
    edits = models.JSONField(default=list)
    request = models.JSONField(default=dict)
    plan: models.JSONField[Plan, Plan] = models.JSONField(default=dict)
    facts = models.CharField(max_length=64, blank=True, default="", db_default="")
    despite: models.JSONField[Despite, Despite] = models.JSONField(
        default=dict, db_default=models.Value({}, output_field=models.JSONField())
    )
    made_by = models.CharField(max_length=80)
    made_at = models.DateTimeField(auto_now_add=True)

    objects = RecordedManager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["round", "number"], name="draw_number_once"),
            models.UniqueConstraint(
                fields=["round"], condition=Q(state="published"), name="one_published_draw"
            ),
        ]
        ordering = ["number"]

    def __str__(self) -> str:
        return f"{self.round} {self.number}"

    @property
    def first_request(self) -> dict[str, Any]:
        """The request as first drawn, before the director replaced a player in the draft."""
        former = (edit["before"]["request"] for edit in self.edits if "request" in edit["before"])
        return next(former, self.request)


class Seat(models.Model):
    """Seat of an entrant in a round; each entrant has one seat, each seat one entrant."""

    round = models.ForeignKey(Round, on_delete=models.CASCADE, related_name="seats")
    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="seats")
    position = models.CharField(max_length=2)
    entrant = models.ForeignKey(Entrant, on_delete=models.PROTECT, related_name="seats")
    scorekeeper = models.BooleanField(default=False)

    objects = RecordedManager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["table", "position"], name="seat_taken_once"),
            models.UniqueConstraint(fields=["round", "entrant"], name="entrant_sits_once"),
        ]
        ordering = ["table", "position"]

    def __str__(self) -> str:
        return f"{self.table} {self.position}"


class Bye(models.Model):
    """An entrant who sits a round out, and why."""

    round = models.ForeignKey(Round, on_delete=models.CASCADE, related_name="byes")
    entrant = models.ForeignKey(Entrant, on_delete=models.PROTECT, related_name="byes")
    kind = models.CharField(max_length=12, default="bye")

    objects = RecordedManager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["round", "entrant"], name="bye_once_a_round"),
        ]

    def __str__(self) -> str:
        return f"{self.round} {self.entrant}"
