"""Models of the record: every room appends to it, none may rewrite it.

* :class:`AuditEntry`: the append-only, hash-chained record of every official change, one chain per
  scope (an event's id, or the nil id for the organisation). Triggers in the database refuse
  update and delete.
* :class:`AuditRows`: the official rows that each transaction wrote, in a chain of their own.
* :class:`Job`: a piece of long work with its progress; the queue's messages carry only its id.
* :class:`Tick`: the time of the last run of a periodic check.
* :class:`IdempotencyKey`: the first response to a request that may be sent twice.
* :class:`Sealed`, :class:`SealKey`: an encrypted copy of what was deleted, and its key, for a week.
"""

from __future__ import annotations

import uuid
from datetime import timedelta

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

ORGANISATION = uuid.UUID(int=0)
"""The scope of what belongs to no single event."""


class AuditHead(models.Model):
    """The end of a scope's chain; locked while an entry is appended."""

    scope = models.UUIDField(primary_key=True)
    sequence = models.PositiveBigIntegerField(default=0)
    hash = models.CharField(max_length=64, default="")
    rows_sequence = models.PositiveBigIntegerField(default=0, db_default=0)
    rows_hash = models.CharField(max_length=64, default="", db_default="")

    def __str__(self) -> str:
        return f"{self.scope} {self.sequence}"


class AuditEntry(models.Model):
    """One official change: actor, verb, object, time, and the object's values before and after."""

    scope = models.UUIDField()
    sequence = models.PositiveBigIntegerField()
    at = models.DateTimeField()
    actor = models.CharField(max_length=80)
    verb = models.CharField(max_length=60)
    object_type = models.CharField(max_length=40)
    object_id = models.CharField(max_length=40)
    before = models.JSONField(null=True)
    after = models.JSONField(null=True)
    request_id = models.CharField(max_length=40, blank=True)
    previous_hash = models.CharField(max_length=64, blank=True)
    hash = models.CharField(max_length=64)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["scope", "sequence"], name="audit_sequence_once"),
        ]
        indexes = [
            models.Index(fields=["scope", "object_type", "object_id"], name="audit_by_object"),
        ]
        ordering = ["scope", "sequence"]

    def __str__(self) -> str:
        return f"{self.sequence} {self.verb} {self.object_type}:{self.object_id}"


class AuditRows(models.Model):
    """The official rows that one transaction wrote, after the audit entry numbered ``entry``.

    ``body`` is canonical JSON, ``[[model, key, columns | null], ...]``; null: the row is gone.
    """

    scope = models.UUIDField()
    sequence = models.PositiveBigIntegerField()
    entry = models.PositiveBigIntegerField()
    body = models.TextField()
    previous_hash = models.CharField(max_length=64, blank=True)
    hash = models.CharField(max_length=64)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["scope", "sequence"], name="audit_rows_once"),
        ]
        ordering = ["scope", "sequence"]

    def __str__(self) -> str:
        return f"{self.scope} {self.sequence}"


class IdempotencyKey(models.Model):
    """The first answer to a request that its sender may repeat."""

    scope = models.UUIDField()
    key = models.CharField(max_length=80)
    fingerprint = models.CharField(max_length=64)
    answer = models.JSONField()
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["scope", "key"], name="idempotency_key_once"),
        ]

    def __str__(self) -> str:
        return self.key


class JobState(models.TextChoices):
    """The life of a job."""

    QUEUED = "queued", _("queued")
    RUNNING = "running", _("running")
    DONE = "done", _("done")
    FAILED = "failed", _("failed")


class Job(models.Model):
    """A piece of long work: its parameters, how far it is, and its result or reason of failure."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    scope = models.UUIDField(db_index=True)
    kind = models.CharField(max_length=60)
    parameters = models.JSONField(default=dict)
    key = models.CharField(max_length=120, blank=True)
    state = models.CharField(max_length=10, choices=JobState.choices, default=JobState.QUEUED)
    done_steps = models.PositiveIntegerField(default=0)
    all_steps = models.PositiveIntegerField(default=0)
    step = models.CharField(max_length=120, blank=True)
    result = models.JSONField(default=dict)
    failure = models.TextField(blank=True)
    attempt = models.PositiveSmallIntegerField(default=0)
    claim = models.UUIDField(null=True, editable=False)
    alive_at = models.DateTimeField(null=True)
    requested_by = models.CharField(max_length=80)
    request_id = models.CharField(max_length=40, blank=True, default="", db_default="")
    created_at = models.DateTimeField(auto_now_add=True)
    started_at = models.DateTimeField(null=True)
    finished_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["scope", "key"],
                condition=~Q(key="") & Q(state__in=["queued", "running"]),
                name="one_open_job_per_key",
            ),
            models.CheckConstraint(
                condition=Q(state__in=JobState.values), name="job_state_is_known"
            ),
            models.CheckConstraint(
                condition=~Q(state="running") | Q(claim__isnull=False),
                name="running_job_is_claimed",
            ),
        ]
        ordering = ["-created_at"]

    def __str__(self) -> str:
        return f"{self.kind} {self.state}"

    @property
    def percent(self) -> int:
        """Progress of the job, 0..100."""
        if self.state == JobState.DONE:
            return 100
        return 100 * self.done_steps // self.all_steps if self.all_steps else 0

    @property
    def is_open(self) -> bool:
        """Whether the job has still to end."""
        return self.state in (JobState.QUEUED, JobState.RUNNING)


class Tick(models.Model):
    """When something that the clock decides was last looked at, and since when the clock runs evenly."""

    name = models.CharField(primary_key=True, max_length=40)
    at = models.DateTimeField()
    uneven_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"{self.name} {self.at}"


class Sealed(models.Model):
    """An encrypted copy of what an act deleted or erased, by which it can be undone (:mod:`ledger.sealed`).

    ``scope``: the event, or the organisation. ``subject``: primary key of the deleted or erased row. ``label``: what
    the page shows, without names of people. ``aged``: how long the copy has existed by the service's own count.
    A backup of a replaced database is counted here too, without content; its file has the name ``label``.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    scope = models.UUIDField(db_index=True)
    verb = models.CharField(max_length=60)
    subject = models.CharField(max_length=40)
    label = models.CharField(max_length=200, blank=True)
    content = models.BinaryField(default=b"")
    made_by = models.CharField(max_length=80)
    made_at = models.DateTimeField()
    aged = models.DurationField(default=timedelta())
    undone_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["-made_at"]

    def __str__(self) -> str:
        return f"{self.verb} {self.subject}"


class SealKey(models.Model):
    """The random half of the key of a sealed copy; destroyed after a week, or once the act is undone."""

    sealed = models.OneToOneField(
        Sealed, on_delete=models.CASCADE, primary_key=True, related_name="key"
    )
    half = models.BinaryField()

    def __str__(self) -> str:
        return str(self.sealed_id)
