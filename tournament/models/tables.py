"""A table of a round and its score sheets: entries, deal by deal, and signatures.

Everything official is appended. A correction is a new version of a deal; the old one stays and is
marked superseded. The database itself guarantees one current version per deal and series, one
standing signature per side, and one current official result per sheet.
"""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from typing import NotRequired, TypedDict, TypeVar

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from ledger.rows import RecordedManager
from scoring.engine.shapes import EntryJson, InfractionJson, LineJson, ViolationJson

LABEL = "scoring"
"""The label names the database tables and the recorded rows, which outlive the place of the code."""

T = TypeVar("T")


def by_seat(of_sides: Mapping[str, T]) -> dict[str, T]:
    """Sort the values of sides or players by seat, in the order N, E, S, W, or by number.

    PostgreSQL returns the keys of a JSON object in an order of its own.
    """
    return dict(sorted(of_sides.items(), key=lambda item: ("NESW".find(item[0][:1]), item[0])))


class Protocol(models.TextChoices):
    """Procedure that makes a sheet official (an event's setting)."""

    CONFIRM = "confirm", _("one side enters, the other confirms")
    DOUBLE = "double", _("both sides enter blind, the entries are compared")
    REFEREE = "referee", _("a referee or director confirms")


class BellRule(models.TextChoices):
    """Treatment of the deal in play when the bell rings."""

    FINISH = "finish", _("play out the current deal")
    FIRST_TRICK = (
        "first_trick",
        _("play it out if its first trick is complete, otherwise cancel it"),
    )
    CANCEL = "cancel", _("the current deal is cancelled")


class Depth(models.TextChoices):
    """Detail of each deal's record (an event's setting, and a choice for each deal)."""

    POINTS = "points", _("points of one side")
    TRICKS = "tricks", _("points and tricks")
    LIST = "list", _("trick by trick")
    CARDS = "cards", _("card by card")


class Table(models.Model):
    """A table of a published round: its number, its link, and which phone may write.

    A table whose round was withdrawn has no round any more; calls for the referee stay with it.
    ``label`` is round and number as printed on the slip. A match decided for an entrant gets no first
    result after ``decided_at``: a trigger of the database refuses it. Decisions of release 1.0 have no moment.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    scope = models.UUIDField(db_index=True)
    round = models.ForeignKey(
        "tournament.Round", on_delete=models.CASCADE, null=True, related_name="tables"
    )
    number = models.PositiveSmallIntegerField()
    label = models.CharField(max_length=20)
    extra_minutes = models.PositiveSmallIntegerField(default=0)
    decided_for = models.ForeignKey(
        "tournament.Entrant", on_delete=models.PROTECT, null=True, related_name="decided_tables"
    )
    decided_reason = models.CharField(max_length=300, blank=True, default="", db_default="")
    decided_at = models.DateTimeField(null=True)
    token_hash = models.CharField(max_length=64, blank=True)
    token_epoch = models.PositiveIntegerField(default=1)
    open = models.BooleanField(default=True)
    writer = models.UUIDField(null=True)
    writer_since = models.DateTimeField(null=True)
    writer_epoch = models.PositiveIntegerField(default=0)

    objects = RecordedManager()

    class Meta:
        app_label = LABEL
        constraints = [
            models.CheckConstraint(
                condition=Q(writer__isnull=True) | Q(writer_since__isnull=False),
                name="writer_has_a_since",
            ),
            models.UniqueConstraint(
                fields=["token_hash"], condition=~Q(token_hash=""), name="table_token_once"
            ),
            models.UniqueConstraint(fields=["round", "number"], name="table_number_in_round_once"),
            models.CheckConstraint(condition=Q(number__gte=1), name="numbers_count_from_one"),
        ]
        ordering = ["number"]

    def __str__(self) -> str:
        return self.label

    @property
    def title(self) -> str:
        """Table and round in words, for pages: “Table 17 · round 1”."""
        number_of_round, _slash, number = self.label.rpartition("/")
        return gettext("Table %(table)s · round %(round)s") % {
            "table": number,
            "round": number_of_round,
        }


class SideWriter(models.Model):
    """The phone that writes for one side where both sides enter blind."""

    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="side_writers")
    side = models.CharField(max_length=8)
    device = models.UUIDField()
    since = models.DateTimeField()

    class Meta:
        app_label = LABEL
        constraints = [
            models.UniqueConstraint(fields=["table", "side"], name="one_writer_per_side"),
        ]

    def __str__(self) -> str:
        return f"{self.table} {self.side}"


class SheetState(models.TextChoices):
    """The life of a sheet."""

    OPEN = "open", _("in play")
    CLAIMED = "claimed", _("waiting for the other side")
    DISPUTED = "disputed", _("in dispute")
    OFFICIAL = "official", _("official")
    VOID = "void", _("void")


class Sheet(models.Model):
    """The score sheet of one match: a sitting of two sides for a number of deals or a target.

    ``order``: which game of the table it is. ``sides``: the positions of the table (its seats) that
    make up each side. ``counts``: not for a filling table of three, whose players are credited
    as sitting out. ``version`` rises with every change and is what a signature is for.
    ``bell_deals``: how many deals counted when the bell, or a confirmation before the end, ended
    the regular play. ``reopened``: once a ruling has taken deals of the signed sheet back into
    play, ``{"deals": [3], "signed": 12, "locked": 12}``: their numbers, how many deals stood on
    the sheet at that moment, and how many are locked as signed since the latest such ruling.
    With ``"anew"`` the whole game is played again: every deal up to ``signed`` is annulled.
    ``bell_at``: when it was ended so, and
    ``ended_early`` whether that was before the round's bell. ``totals``: of a game whose points alone were
    copied from paper, those of each side in place of deals. ``likeness``: hash of what was entered, by which a sheet that was copied to another table is
    noticed.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    scope = models.UUIDField(db_index=True)
    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="sheets")
    order = models.PositiveSmallIntegerField(default=1)
    rulebook = models.CharField(max_length=30)
    edition = models.CharField(max_length=40)
    options = models.JSONField(default=dict)
    sides = models.JSONField()
    counts = models.BooleanField(default=True)
    first_dealer = models.CharField(max_length=2)
    protocol = models.CharField(max_length=10, choices=Protocol.choices, default=Protocol.CONFIRM)
    depth = models.CharField(max_length=10, choices=Depth.choices, default=Depth.POINTS)
    state = models.CharField(max_length=10, choices=SheetState.choices, default=SheetState.OPEN)
    version = models.PositiveIntegerField(default=0)
    score: models.JSONField[SheetScore, SheetScore] = models.JSONField(default=dict)
    finished = models.BooleanField(default=False)
    ended_by = models.CharField(max_length=10, blank=True)
    bell_deals = models.PositiveSmallIntegerField(null=True)
    bell_at = models.DateTimeField(null=True)
    ended_early = models.BooleanField(default=False, db_default=False)
    reopened = models.JSONField(
        default=dict, db_default=models.Value({}, output_field=models.JSONField())
    )
    totals = models.JSONField(
        default=dict, db_default=models.Value({}, output_field=models.JSONField())
    )
    likeness = models.CharField(max_length=64, blank=True, db_index=True)
    created_at = models.DateTimeField(auto_now_add=True)
    changed_at = models.DateTimeField(auto_now=True)

    objects = RecordedManager()

    class Meta:
        app_label = LABEL
        constraints = [
            models.UniqueConstraint(fields=["table", "order"], name="one_sheet_per_place_in_order"),
            models.CheckConstraint(
                condition=Q(state__in=SheetState.values), name="sheet_state_is_known"
            ),
        ]
        ordering = ["table_id", "order"]

    def __str__(self) -> str:
        return f"{self.table} {self.order}"

    @property
    def sides_by_seat(self) -> dict[str, list[str]]:
        """The positions of each side, the side of the first seat first, whatever the database."""
        return by_seat(self.sides)

    @property
    def positions(self) -> dict[str, str]:
        """Seat of the game → position of the table."""
        if "NS" not in self.sides:
            return {seat: positions[0] for seat, positions in self.sides_by_seat.items()}
        ns, ew = self.sides["NS"], self.sides["EW"]
        return {"N": ns[0], "E": ew[0], "S": ns[-1], "W": ew[-1]}

    @property
    def seats(self) -> dict[str, int]:
        """Seat of the game → id of the entrant who sits there; both seats of a pair name the pair."""
        at = {seat.position: seat.entrant_id for seat in self.table.seats.all()}
        return {seat: at[position] for seat, position in self.positions.items() if position in at}


class Result(TypedDict):
    """Totals of a sheet. The last two are unset for totals copied from paper."""

    marks: dict[str, int]
    games: dict[str, int]
    winner: str | None
    deals: int
    best_deal: NotRequired[dict[str, int]]
    penalties: NotRequired[dict[str, int]]


class SheetScore(TypedDict, total=False):
    """Score of a sheet's match; empty before its first deal."""

    marks: dict[str, int]
    game_score: dict[str, int]
    games: dict[str, int]
    winner: str | None
    deals: int
    deals_left: int | None
    events: list[dict[str, object]]


class Series(models.TextChoices):
    """Author of the entries: the official ones, or those of one side in blind double entry.

    A side is a pair, or a player (a seat of the sheet) where the table is not two pairs.
    """

    OFFICIAL = "official", _("official")
    NS = "NS", _("North-South")
    EW = "EW", _("East-West")
    SEAT_1 = "1", "1"
    SEAT_2 = "2", "2"
    SEAT_3 = "3", "3"
    SEAT_4 = "4", "4"
    SEAT_5 = "5", "5"
    SEAT_6 = "6", "6"
    SEAT_7 = "7", "7"


class DealVersion(models.Model):
    """One version of one deal of a sheet: the entry as made, and what the engine made of it."""

    sheet = models.ForeignKey(Sheet, on_delete=models.PROTECT, related_name="deals")
    series = models.CharField(max_length=10, choices=Series.choices, default=Series.OFFICIAL)
    number = models.PositiveSmallIntegerField()
    version = models.PositiveSmallIntegerField(default=1)
    current = models.BooleanField(default=True)
    entry: models.JSONField[EntryJson, EntryJson] = models.JSONField()
    infractions: models.JSONField[list[InfractionJson], list[InfractionJson]] = models.JSONField(
        default=list
    )
    marks: models.JSONField[dict[str, int], dict[str, int]] = models.JSONField()
    lines: models.JSONField[list[LineJson], list[LineJson]] = models.JSONField(default=list)
    void = models.BooleanField(default=False)
    game_won = models.CharField(max_length=4, blank=True)
    flagged: models.JSONField[list[ViolationJson], list[ViolationJson]] = models.JSONField(
        default=list
    )
    doubts: models.JSONField[list[str], list[str]] = models.JSONField(default=list)
    annulled = models.BooleanField(default=False)
    reason = models.CharField(max_length=300, blank=True)
    entered_by = models.CharField(max_length=80)
    entered_at = models.DateTimeField()

    objects = RecordedManager()

    class Meta:
        app_label = LABEL
        constraints = [
            models.UniqueConstraint(
                fields=["sheet", "series", "number", "version"], name="deal_version_once"
            ),
            models.UniqueConstraint(
                fields=["sheet", "series", "number"],
                condition=Q(current=True),
                name="one_current_version_per_deal",
            ),
            models.CheckConstraint(condition=Q(number__gte=1), name="deals_count_from_one"),
        ]
        ordering = ["sheet", "series", "number", "version"]

    def __str__(self) -> str:
        return f"{self.sheet} {self.number}.{self.version}"


class Signature(models.Model):
    """One side's signature for one version of a sheet."""

    sheet = models.ForeignKey(Sheet, on_delete=models.PROTECT, related_name="signatures")
    side = models.CharField(max_length=8)
    sheet_version = models.PositiveIntegerField()
    signed_by = models.CharField(max_length=80)
    signed_at = models.DateTimeField()
    standing = models.BooleanField(default=True)

    objects = RecordedManager()

    class Meta:
        app_label = LABEL
        constraints = [
            models.UniqueConstraint(
                fields=["sheet", "side"],
                condition=Q(standing=True),
                name="one_standing_signature_per_side",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.sheet} {self.side}"


class OfficialResult(models.Model):
    """The official result of a sheet; a later one supersedes it, with its reason."""

    sheet = models.ForeignKey(Sheet, on_delete=models.PROTECT, related_name="results")
    number = models.PositiveSmallIntegerField()
    current = models.BooleanField(default=True)
    sheet_version = models.PositiveIntegerField()
    result: models.JSONField[Result, Result] = models.JSONField()
    reason = models.CharField(max_length=300, blank=True)
    made_by = models.CharField(max_length=80)
    made_at = models.DateTimeField()

    objects = RecordedManager()

    class Meta:
        app_label = LABEL
        constraints = [
            models.UniqueConstraint(fields=["sheet", "number"], name="result_number_once"),
            models.UniqueConstraint(
                fields=["sheet"], condition=Q(current=True), name="one_official_result_per_match"
            ),
        ]
        ordering = ["sheet", "number"]

    def __str__(self) -> str:
        return f"{self.sheet} {self.number}"


class CallTopic(models.TextChoices):
    """Topic of a table's call for the referee."""

    PLAY = "play", _("a card or a revoke")
    SCORE = "score", _("the score")
    DEAL = "deal", _("the deal or the auction")
    CONDUCT = "conduct", _("talk or conduct")
    OTHER = "other", _("something else")
    RESULT = "result", _("a signed result is wrong")


def call_label(topic: str, words: str) -> str:
    """Describe a call in the reader's language: its topic and the table's own words."""
    label = str(CallTopic(topic).label) if topic else ""
    parts = [part for part in (label, words) if part]
    return f"{gettext(':')} ".join(parts) or gettext("asked from the table")


class RefereeCall(models.Model):
    """A table asks for the referee: the ``topic`` it chose, and its own words in ``reason``."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="calls")
    sheet = models.ForeignKey(Sheet, on_delete=models.PROTECT, null=True, related_name="calls")
    deal = models.PositiveSmallIntegerField(null=True)
    topic = models.CharField(
        max_length=10, choices=CallTopic.choices, blank=True, default="", db_default=""
    )
    reason = models.CharField(max_length=200)
    called_by = models.CharField(max_length=80)
    called_at = models.DateTimeField()
    claimed_by = models.CharField(max_length=80, blank=True)
    claimed_at = models.DateTimeField(null=True)
    closed_at = models.DateTimeField(null=True)

    objects = RecordedManager()

    class Meta:
        app_label = LABEL
        constraints = [
            models.CheckConstraint(
                condition=Q(closed_at__isnull=True) | Q(closed_at__gte=F("called_at")),
                name="call_closed_after_it_was_made",
            ),
        ]
        ordering = ["called_at"]

    def __str__(self) -> str:
        return f"{self.table} {self.subject}"

    @property
    def subject(self) -> str:
        """Description of the call in the reader's language."""
        return call_label(self.topic, self.reason)
