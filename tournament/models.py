"""The tournament: event, entrants, stages, rounds, draws, tables, seats, adjustments, standings.

Persons' names and addresses stand in :class:`Person` and nowhere else; the audit chain and every
other table hold ids.
"""

from __future__ import annotations

import uuid

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext, gettext_noop
from django.utils.translation import gettext_lazy as _

from scoring.models import BellRule, Protocol, ScoringTable, Sheet


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
    public_seed = models.CharField(max_length=40)
    sponsors = models.TextField(blank=True)
    version = models.PositiveBigIntegerField(default=0)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(language__in=["fr", "nl", "en"]), name="event_language_is_known"
            ),
        ]
        ordering = ["-day", "name"]

    def __str__(self) -> str:
        return self.name


class Club(models.Model):
    """A club whose members enter an event."""

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="clubs")
    name = models.CharField(max_length=80)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["event", "name"], name="club_once_per_event"),
        ]
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name


class Person(models.Model):
    """Personal data, erasable; nothing outside this table names anybody."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    name = models.CharField(max_length=100)
    email = models.EmailField(blank=True)
    erased_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(erased_at__isnull=True) | Q(name="", email=""),
                name="erased_person_has_no_data",
            ),
        ]

    def __str__(self) -> str:
        return str(self.pk)


class EntrantState(models.TextChoices):
    """Where an entrant is."""

    REGISTERED = "registered", _("registered")
    PRESENT = "present", _("present")
    WITHDRAWN = "withdrawn", _("withdrawn")


class Entrant(models.Model):
    """Who competes: a player, or a pair (then ``partner`` is its second person)."""

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="entrants")
    number = models.PositiveIntegerField()
    person = models.ForeignKey(Person, on_delete=models.PROTECT, related_name="entries")
    partner = models.ForeignKey(
        Person, on_delete=models.PROTECT, null=True, blank=True, related_name="partner_entries"
    )
    club = models.ForeignKey(
        Club, on_delete=models.SET_NULL, null=True, blank=True, related_name="entrants"
    )
    family = models.CharField(max_length=40, blank=True)
    fixed_seat = models.BooleanField(default=False)
    keeps_score = models.BooleanField(default=True)
    state = models.CharField(
        max_length=10, choices=EntrantState.choices, default=EntrantState.REGISTERED
    )
    from_round = models.PositiveSmallIntegerField(default=1)
    withdrawn_after = models.PositiveSmallIntegerField(null=True)
    link_hash = models.CharField(max_length=64, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

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


class Ban(models.Model):
    """Two entrants who are never drawn to one table; why is nobody's business."""

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="bans")
    one = models.ForeignKey(Entrant, on_delete=models.CASCADE, related_name="bans_as_one")
    two = models.ForeignKey(Entrant, on_delete=models.CASCADE, related_name="bans_as_two")
    made_by = models.CharField(max_length=80)
    made_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["one", "two"], name="ban_once"),
            models.CheckConstraint(condition=Q(one__lt=F("two")), name="ban_is_ordered"),
        ]
        ordering = ["one", "two"]

    def __str__(self) -> str:
        return f"{self.one_id} {self.two_id}"


class Format(models.TextChoices):
    """The formats of a stage; docs/formats.md says which serves when."""

    INDIVIDUAL_DRAW = "individual_draw", _("individual championship (new table every round)")
    INDIVIDUAL_MOVEMENT = "individual_movement", _("individual, prescribed movement")
    PAIRS_SWISS = "pairs_swiss", _("pairs, Swiss system")
    PAIRS_MITCHELL = "pairs_mitchell", _("pairs, Mitchell")
    ROUND_ROBIN = "round_robin", _("pairs, round robin")
    POOLS_KO = "pools_ko", _("pools and knock-out")
    KO = "ko", _("knock-out")
    RANDOM = "random", _("drawn by lot every round")


STAGE_NAMES = (
    gettext_noop("Preliminary rounds"), gettext_noop("Semi-final"), gettext_noop("Final"),
)  # fmt: skip
"""Names that the service itself gives; every reader sees them in his own language."""


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
    carries_over = models.BooleanField(default=False)
    cut = models.JSONField(default=dict)
    club_rounds = models.PositiveSmallIntegerField(default=2)
    drawing = models.JSONField(default=dict, blank=True)

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

    @staticmethod
    def kept_name(shown: str) -> str:
        """What is kept for a name as a reader saw or typed it: the inverse of :attr:`title`."""
        return next((name for name in STAGE_NAMES if gettext(name) == shown), shown)


class StageEntrant(models.Model):
    """An entrant who plays in a stage, and how he came there."""

    stage = models.ForeignKey(Stage, on_delete=models.CASCADE, related_name="field")
    entrant = models.ForeignKey(Entrant, on_delete=models.PROTECT, related_name="stages")
    seed = models.PositiveIntegerField(default=0)
    origin = models.CharField(max_length=40, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["stage", "entrant"], name="entrant_once_per_stage"),
        ]
        ordering = ["seed", "entrant"]

    def __str__(self) -> str:
        return f"{self.stage_id} {self.entrant_id}"


class RoundState(models.TextChoices):
    """The life of a round."""

    PLANNED = "planned", _("planned")
    DRAWN = "drawn", _("drawn, not published")
    PUBLISHED = "published", _("published")
    PLAYING = "playing", _("in play")
    CLOSED = "closed", _("closed")


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


class DrawState(models.TextChoices):
    """The life of a draw."""

    CANDIDATE = "candidate", _("candidate")
    PUBLISHED = "published", _("published")
    DISCARDED = "discarded", _("discarded")


class Draw(models.Model):
    """A drawn round before and after its publication: who sits where, and the certificate.

    ``request`` is everything the draw was made from (start numbers, never names), so that anybody can
    draw it again; ``plan`` what a movement hands on to the stage's next round (a timetable, a
    bracket); ``held`` entrants whose table was still playing. ``edits`` are the director's changes,
    each with the draw as it was before.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    round = models.ForeignKey(Round, on_delete=models.CASCADE, related_name="draws")
    number = models.PositiveSmallIntegerField()
    state = models.CharField(max_length=10, choices=DrawState.choices, default=DrawState.CANDIDATE)
    seed = models.CharField(max_length=80)
    movement = models.CharField(max_length=60)
    tables = models.JSONField()
    byes = models.JSONField(default=list)
    held = models.JSONField(default=list)
    certificate = models.JSONField(default=dict)
    edits = models.JSONField(default=list)
    request = models.JSONField(default=dict)
    plan = models.JSONField(default=dict)
    made_by = models.CharField(max_length=80)
    made_at = models.DateTimeField(auto_now_add=True)

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


class Table(models.Model):
    """A table of a published round."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    round = models.ForeignKey(Round, on_delete=models.CASCADE, related_name="tables")
    number = models.PositiveSmallIntegerField()
    scoring_table = models.OneToOneField(
        ScoringTable, on_delete=models.PROTECT, related_name="table"
    )
    extra_minutes = models.PositiveSmallIntegerField(default=0)
    decided_for = models.ForeignKey(
        Entrant, on_delete=models.PROTECT, null=True, related_name="decided_tables"
    )

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["round", "number"], name="table_number_once"),
            models.CheckConstraint(condition=Q(number__gte=1), name="tables_count_from_one"),
        ]
        ordering = ["number"]

    def __str__(self) -> str:
        return str(self.number)


class Seat(models.Model):
    """Who sits where in a round; nobody sits twice, no seat is taken twice."""

    round = models.ForeignKey(Round, on_delete=models.CASCADE, related_name="seats")
    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="seats")
    position = models.CharField(max_length=2)
    entrant = models.ForeignKey(Entrant, on_delete=models.PROTECT, related_name="seats")
    scorekeeper = models.BooleanField(default=False)

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

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["round", "entrant"], name="bye_once_a_round"),
        ]

    def __str__(self) -> str:
        return f"{self.round} {self.entrant}"


class TableGame(models.Model):
    """One game of a table in a round: which seats play together, and its score sheet.

    ``counts``: not for a filling table of three, whose players are credited as sitting out.
    """

    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="games")
    number = models.PositiveSmallIntegerField()
    sides = models.JSONField()
    counts = models.BooleanField(default=True)
    sheet = models.OneToOneField(Sheet, on_delete=models.PROTECT, related_name="game")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["table", "number"], name="game_number_once"),
        ]
        ordering = ["number"]

    def __str__(self) -> str:
        return f"{self.table} {self.number}"


class Adjustment(models.Model):
    """A change to an entrant's standing that no deal made: appended, annulled with a reason.

    ``source`` is an opaque key of whoever asked for it (a ruling, a director's decision); a source
    has one standing adjustment per entrant.
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
    reason = models.CharField(max_length=300)
    made_by = models.CharField(max_length=80)
    made_at = models.DateTimeField(auto_now_add=True)
    annulled_at = models.DateTimeField(null=True)
    annulled_reason = models.CharField(max_length=300, blank=True)

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

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["stage", "entrant"], name="lot_once"),
            models.UniqueConstraint(fields=["stage", "lot"], name="lots_differ"),
        ]

    def __str__(self) -> str:
        return f"{self.entrant} {self.lot}"


class StandingsState(models.TextChoices):
    """How firm a standing is."""

    PROVISIONAL = "provisional", _("provisional")
    FROZEN = "frozen", _("frozen")
    FINAL = "final", _("final")


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
    history = models.JSONField(default=list)
    computed_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"{self.stage} {self.version}"


class RenderedStandings(models.Model):
    """The rows of a standing as HTML in one language: written when they change, not when asked.

    ``made_of`` is the hash of what the rows show (values, names, marks of a ruling, the cut), so a
    new version of the event that changes none of it renders nothing.
    """

    stage = models.ForeignKey(Stage, on_delete=models.CASCADE, related_name="rendered")
    language = models.CharField(max_length=2)
    version = models.PositiveBigIntegerField()
    made_of = models.CharField(max_length=64)
    head = models.JSONField()
    rows = models.TextField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["stage", "language"], name="rows_once_a_language"),
        ]

    def __str__(self) -> str:
        return f"{self.stage} {self.language} {self.version}"


class PlayerFile(models.Model):
    """An uploaded list of players, kept between its preview and its import, then emptied.

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


class PrintedDocument(models.Model):
    """A PDF made by a job: kept with the hash of the records it shows."""

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
