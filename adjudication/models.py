"""Incidents, rulings with all their versions, appeals, and what an event adds to the penal code.

Nothing official is overwritten: a ruling is what its latest version says, and every version stays
readable (the database refuses to change or delete one). The columns of a ruling that repeat its
latest version (article, side, measure, in force) serve constraints and queries only.
"""

from __future__ import annotations

import uuid

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from adjudication.penal import Policy, Rulers
from ledger.rows import RecordedManager
from scoring.engine.shapes import EntryJson
from tournament.models import Entrant, Event, Member, Person, Round, Table
from tournament.models.tables import DealVersion, RefereeCall, Sheet

POLICIES = [
    (Policy.STRICT.value, _("a card on the table cannot be taken back")),
    (Policy.NEXT_TRICK.value, _("corrected until a card of the next trick")),
    (Policy.BRIDGE.value, _("corrected until the offending side plays to the next trick")),
]


class PenalCode(models.Model):
    """The penal code of an event: a pinned edition, its correction policy, what the event adds.

    ``content`` is what :func:`adjudication.penal.house_from_json` reads. A change is a new row
    with the next ``number``; rulings name the number they were made under.
    """

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="penal_codes")
    number = models.PositiveSmallIntegerField()
    current = models.BooleanField(default=True)
    edition = models.CharField(max_length=20)
    policy = models.CharField(max_length=12, choices=POLICIES, default=Policy.STRICT.value)
    appeal_minutes = models.PositiveSmallIntegerField(default=30)
    content = models.JSONField(default=dict)
    fingerprint = models.CharField(max_length=64)
    reason = models.CharField(max_length=300, blank=True)
    made_by = models.CharField(max_length=80)
    made_at = models.DateTimeField()

    objects = RecordedManager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["event", "number"], name="penal_code_number_once"),
            models.UniqueConstraint(
                fields=["event"], condition=Q(current=True), name="one_current_penal_code"
            ),
            models.CheckConstraint(
                condition=Q(policy__in=[code for code, _label in POLICIES]),
                name="correction_policy_is_known",
            ),
        ]
        ordering = ["event", "number"]

    def __str__(self) -> str:
        return f"{self.event_id} {self.number}"


class RefereePlays(models.Model):
    """A member of staff who also plays in the event: they do not rule on their own table."""

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="playing_staff")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="plays_as"
    )
    entrant = models.ForeignKey(Entrant, on_delete=models.CASCADE, related_name="staff")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["event", "user"], name="staff_plays_once_per_event"),
        ]

    def __str__(self) -> str:
        return f"{self.user_id} {self.entrant_id}"


class IncidentState(models.TextChoices):
    """The life of an incident."""

    OPEN = "open", _("open")
    RULED = "ruled", _("ruled")
    DISMISSED = "dismissed", _("closed without a ruling")
    WITHDRAWN = "withdrawn", pgettext_lazy("incident", "withdrawn")
    """Opened by mistake: nothing happened that a referee would look into."""


UNRULED = (IncidentState.DISMISSED, IncidentState.WITHDRAWN)
"""Closed, and no ruling can be made on it any more."""


class Incident(models.Model):
    """A matter for a referee: its place, its description and the referee in charge.

    ``table``, ``sheet`` and ``deal`` are empty if it concerns none; ``seats`` stores the seating
    (seat of the sheet → entrant), which survives a later withdrawal of the draw. ``second_at``: the seats of
    second-named players of pairs; of a pair without a seat here it is not known. ``violation`` is the
    breach proved by the record of the deal, in the engine's form (its key names trick, seat, card and
    kind); ``vanished_at``: time of the correction that removed it from the record. ``unseated_at``:
    time when the draw of its table was withdrawn, which also ended measures on its games (C.8).
    ``handed``: the article, facts and ``claimed`` proposed by the referee who handed it over to the chief.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="incidents")
    number = models.PositiveIntegerField()
    state = models.CharField(
        max_length=10, choices=IncidentState.choices, default=IncidentState.OPEN
    )
    call = models.OneToOneField(
        RefereeCall, on_delete=models.SET_NULL, null=True, blank=True, related_name="incident"
    )
    round = models.ForeignKey(Round, on_delete=models.SET_NULL, null=True, related_name="incidents")
    table = models.ForeignKey(Table, on_delete=models.SET_NULL, null=True, related_name="incidents")
    table_number = models.PositiveSmallIntegerField(null=True)
    sheet = models.ForeignKey(Sheet, on_delete=models.SET_NULL, null=True, related_name="incidents")
    deal = models.PositiveSmallIntegerField(null=True)
    seats = models.JSONField(default=dict)
    second_at = models.CharField(max_length=4, blank=True, default="", db_default="")
    told = models.CharField(max_length=500)
    opened_by = models.CharField(max_length=80)
    opened_at = models.DateTimeField()
    taken_by = models.CharField(max_length=80, blank=True)
    closed_at = models.DateTimeField(null=True)
    closed_by = models.CharField(max_length=80, blank=True, default="", db_default="")
    closed_reason = models.CharField(max_length=500, blank=True)
    violation_key = models.CharField(max_length=60, blank=True, default="", db_default="")
    violation = models.JSONField(
        default=dict, db_default=models.Value({}, output_field=models.JSONField())
    )
    vanished_at = models.DateTimeField(null=True)
    unseated_at = models.DateTimeField(null=True)
    handed_by = models.CharField(max_length=80, blank=True, default="", db_default="")
    handed_at = models.DateTimeField(null=True)
    handed = models.JSONField(
        default=dict, db_default=models.Value({}, output_field=models.JSONField())
    )

    dealer_read: str | None = None
    """The dealer's seat where it was read beforehand for a list; not a column."""
    rulings_read: list[Ruling] | None = None
    """The rulings in force on the deal where they were read beforehand; not a column."""
    deal_read: DealVersion | None = None
    """The deal as the sheet holds it, where it was read beforehand; not a column."""
    objects = RecordedManager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["event", "number"], name="incident_number_once"),
            models.UniqueConstraint(
                fields=["sheet", "deal", "violation_key"],
                condition=~Q(violation_key=""),
                name="one_incident_per_violation",
            ),
            models.CheckConstraint(
                condition=Q(state__in=IncidentState.values), name="incident_state_is_known"
            ),
            models.CheckConstraint(
                condition=Q(closed_at__isnull=True) | Q(closed_at__gte=F("opened_at")),
                name="incident_closed_after_it_was_opened",
            ),
            models.CheckConstraint(
                condition=~Q(state__in=["dismissed", "withdrawn"]) | ~Q(closed_reason=""),
                name="dismissal_has_its_reason",
            ),
        ]
        ordering = ["event", "number"]

    def __str__(self) -> str:
        return f"{self.event_id} {self.number}"


class RulingState(models.TextChoices):
    """The life of a ruling."""

    PROVISIONAL = "provisional", _("provisional")
    FINAL = "final", pgettext_lazy("ruling", "final")
    ANNULLED = "annulled", _("annulled")


class NextRound(models.TextChoices):
    """Treatment of an already drawn next round when a ruling concerns a closed round."""

    UNASKED = "", _("no later round is drawn")
    STANDS = "stands", _("the draw remains unchanged")
    REDRAW = "redraw", _("draws not yet published are discarded and made again")


class Ruling(models.Model):
    """A ruling on an incident. Its current content is its latest :class:`RulingVersion`."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="rulings")
    number = models.PositiveIntegerField()
    incident = models.ForeignKey(Incident, on_delete=models.PROTECT, related_name="rulings")
    state = models.CharField(
        max_length=12, choices=RulingState.choices, default=RulingState.PROVISIONAL
    )
    versions_made = models.PositiveSmallIntegerField(default=0)
    article = models.CharField(max_length=24)
    side = models.CharField(max_length=8, blank=True)
    measure = models.CharField(max_length=24)
    offender = models.ForeignKey(
        Entrant, on_delete=models.PROTECT, null=True, related_name="rulings_against"
    )
    referee = models.CharField(max_length=80)
    issued_at = models.DateTimeField()
    appeal_until = models.DateTimeField()
    final_at = models.DateTimeField(null=True)

    objects = RecordedManager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["event", "number"], name="ruling_number_once"),
            models.CheckConstraint(
                condition=Q(state__in=RulingState.values), name="ruling_state_is_known"
            ),
            models.CheckConstraint(condition=~Q(article=""), name="ruling_cites_an_article"),
            models.CheckConstraint(
                condition=~Q(state="final") | Q(final_at__isnull=False),
                name="final_ruling_has_its_time",
            ),
        ]
        indexes = [
            models.Index(fields=["event", "article"], name="rulings_by_article"),
            models.Index(fields=["state", "appeal_until"], name="rulings_by_deadline"),
        ]
        ordering = ["event", "number"]

    def __str__(self) -> str:
        return f"{self.event_id} {self.number}"

    @property
    def in_force(self) -> bool:
        """Whether it has effects."""
        return self.state != RulingState.ANNULLED

    @property
    def is_final(self) -> bool:
        """Whether nothing more can be brought against it: also where no worker has noted it yet."""
        if self.state != RulingState.PROVISIONAL:
            return self.state == RulingState.FINAL
        over = self.appeal_until <= timezone.now()
        return over and not self.appeals.filter(state=AppealState.OPEN).exists()


class Cause(models.TextChoices):
    """Why there is a version of a ruling."""

    ISSUED = "issued", _("issued")
    AMENDED = "amended", _("amended")
    ANNULLED = "annulled", _("annulled")
    UPHELD = "upheld", _("upheld on appeal")
    CHANGED = "changed", _("changed on appeal")
    OVERTURNED = "overturned", _("overturned on appeal")


COMMITTEE_CAUSES = (Cause.UPHELD, Cause.CHANGED, Cause.OVERTURNED)
"""The causes of versions that an appeals committee makes."""


class MadeAs(models.TextChoices):
    """The right with which a version of a ruling was made."""

    REFEREE = "referee", "referee"
    CHIEF = "chief", "chief"
    """The chief referee or the director."""
    COMMITTEE = "committee", "committee"


class RulingVersion(models.Model):
    """One version of a ruling, as it was made; never changed afterwards.

    ``facts`` are by the article's field names, seats as the rules name them; ``proposal`` is
    :meth:`adjudication.penal.Proposal.as_json`, ``context`` what it was decided from (game, code
    number and fingerprint), so that anybody can decide it again. ``in_force`` is False for the
    versions that take a ruling back. ``rulers``: who may make it (:class:`~adjudication.penal.Rulers`;
    empty for versions of earlier releases), ``second`` the person who confirmed what takes two.
    An appeals committee changes or upholds what two persons decided. ``made_as``: the right that the
    maker had; what is the chief's is never made or annulled with less.
    """

    ruling = models.ForeignKey(Ruling, on_delete=models.PROTECT, related_name="versions")
    number = models.PositiveSmallIntegerField()
    cause = models.CharField(max_length=12, choices=Cause.choices)
    in_force = models.BooleanField()
    article = models.CharField(max_length=24)
    facts = models.JSONField(default=dict)
    proposal = models.JSONField()
    context = models.JSONField()
    reason = models.CharField(max_length=1000, blank=True)
    next_round = models.CharField(max_length=10, choices=NextRound.choices, blank=True)
    rulers = models.CharField(
        max_length=8,
        choices=[(each.value, each.value) for each in Rulers],
        blank=True,
        default="",
        db_default="",
    )
    second = models.CharField(max_length=80, blank=True, default="", db_default="")
    made_as = models.CharField(
        max_length=10, choices=MadeAs.choices, blank=True, default="", db_default=""
    )
    made_by = models.CharField(max_length=80)
    made_at = models.DateTimeField()

    objects = RecordedManager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["ruling", "number"], name="ruling_version_once"),
            models.CheckConstraint(
                condition=Q(rulers__in=["", *(each.value for each in Rulers)]),
                name="rulers_are_known",
            ),
            models.CheckConstraint(
                condition=Q(rulers__in=["", Rulers.TWO.value])
                | ~Q(proposal__has_key="needs_second")
                | Q(proposal__needs_second=False),
                name="grave_measures_are_for_two",
            ),
            models.CheckConstraint(
                condition=~Q(rulers=Rulers.TWO.value)
                | Q(in_force=False)
                | Q(cause__in=["upheld", "changed"])
                | (~Q(second="") & ~Q(second=F("made_by"))),
                name="two_persons_stand_behind_it",
            ),
            models.CheckConstraint(
                condition=Q(rulers__in=["", Rulers.CHIEF.value, Rulers.TWO.value])
                | ~Q(context__has_key="rulers"),
                name="rulers_of_the_article_are_kept",
            ),
            models.CheckConstraint(
                condition=Q(made_as__in=["", "referee", "chief"])
                | Q(made_as="committee", cause__in=["upheld", "changed", "overturned"]),
                name="committee_answers_appeals",
            ),
            models.CheckConstraint(
                condition=Q(rulers__in=["", Rulers.REFEREE.value])
                | Q(made_as__in=["chief", "committee"]),
                name="chief_makes_what_is_the_chiefs",
            ),
            models.CheckConstraint(condition=Q(number__gte=1), name="versions_count_from_one"),
            models.CheckConstraint(
                condition=~Q(article=""), name="ruling_version_cites_an_article"
            ),
            models.CheckConstraint(
                condition=Q(cause="issued") | ~Q(reason=""), name="change_has_its_reason"
            ),
        ]
        ordering = ["ruling", "number"]

    def __str__(self) -> str:
        return f"{self.ruling_id} {self.number}"


class ConfirmationState(models.TextChoices):
    """State of a decision that needs two persons."""

    WAITING = "waiting", _("waiting for a second person")
    CONFIRMED = "confirmed", _("confirmed")
    REFUSED = "refused", _("refused")
    WITHDRAWN = "withdrawn", pgettext_lazy("decision", "withdrawn")


class Confirmation(models.Model):
    """An exclusion, a disqualification or a high penalty, proposed and not in force before a second
    person has confirmed it.

    What is proposed is kept as it was asked (``article``, ``facts``, …) and as it was shown
    (``proposal``, ``context``); the ruling is made when it is confirmed. ``amends`` is the ruling in
    whose place it comes, ``ruling`` the one that it became.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="confirmations")
    incident = models.ForeignKey(Incident, on_delete=models.PROTECT, related_name="confirmations")
    amends = models.ForeignKey(
        Ruling, on_delete=models.PROTECT, null=True, related_name="proposed_amendments"
    )
    state = models.CharField(
        max_length=12, choices=ConfirmationState.choices, default=ConfirmationState.WAITING
    )
    article = models.CharField(max_length=24)
    facts = models.JSONField(default=dict)
    claimed = models.CharField(max_length=20, blank=True)
    next_round = models.CharField(max_length=10, choices=NextRound.choices, blank=True)
    reason = models.CharField(max_length=1000, blank=True)
    seen = models.PositiveSmallIntegerField()
    proposal = models.JSONField()
    context = models.JSONField()
    proposed_by = models.CharField(max_length=80)
    proposed_at = models.DateTimeField()
    decided_by = models.CharField(max_length=80, blank=True)
    decided_at = models.DateTimeField(null=True)
    answer = models.CharField(max_length=1000, blank=True)
    ruling = models.ForeignKey(
        Ruling, on_delete=models.PROTECT, null=True, related_name="confirmations"
    )
    version = models.PositiveSmallIntegerField(null=True)

    objects = RecordedManager()

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(state__in=ConfirmationState.values), name="confirmation_state_is_known"
            ),
            models.CheckConstraint(
                condition=~Q(state__in=["confirmed", "refused"])
                | (~Q(decided_by=F("proposed_by")) & ~Q(decided_by="")),
                name="second_person_is_another",
            ),
            models.CheckConstraint(
                condition=Q(state="waiting") | Q(decided_at__isnull=False),
                name="decided_confirmation_has_its_time",
            ),
            models.CheckConstraint(
                condition=~Q(state="confirmed")
                | (Q(ruling__isnull=False) & Q(version__isnull=False)),
                name="confirmed_decision_is_a_ruling",
            ),
            models.CheckConstraint(
                condition=~Q(state="refused") | ~Q(answer=""), name="refusal_has_its_reason"
            ),
            models.UniqueConstraint(
                fields=["incident"],
                condition=Q(state="waiting"),
                name="one_waiting_decision_per_incident",
            ),
        ]
        ordering = ["proposed_at"]

    def __str__(self) -> str:
        return f"{self.incident_id} {self.article} {self.state}"


class AppealState(models.TextChoices):
    """The life of an appeal."""

    OPEN = "open", _("to be heard")
    UPHELD = "upheld", _("ruling upheld")
    CHANGED = "changed", _("ruling changed")
    OVERTURNED = "overturned", _("ruling overturned")
    WITHDRAWN = "withdrawn", pgettext_lazy("appeal", "withdrawn")


class Tie(models.TextChoices):
    """Decision of a committee with as many votes for a ruling as against it."""

    STANDS = "stands", _("the ruling stands")
    CHAIR = "chair", _("the chair decides")


class Heard(models.TextChoices):
    """Persons whom a committee heard."""

    APPELLANT = "appellant", _("the side that appeals")
    OTHERS = "others", _("the other side")
    REFEREE = "referee", _("the referee")
    WITNESSES = "witnesses", _("witnesses")


class Appeal(models.Model):
    """An appeal of one side against a ruling, and what the committee made of it.

    ``instance`` 2: an appeal against the decision of a committee, heard after the event. ``heard_by``
    chairs the committee, ``members`` are its other members, as actors. ``heard``: the persons heard
    (:class:`Heard`). Appeals of earlier releases name no members and no votes.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    ruling = models.ForeignKey(Ruling, on_delete=models.PROTECT, related_name="appeals")
    side = models.CharField(max_length=8)
    grounds = models.CharField(max_length=1000)
    state = models.CharField(max_length=12, choices=AppealState.choices, default=AppealState.OPEN)
    lodged_by = models.CharField(max_length=80)
    lodged_at = models.DateTimeField()
    heard_by = models.CharField(max_length=80, blank=True)
    heard_at = models.DateTimeField(null=True)
    decision = models.CharField(max_length=1000, blank=True)
    instance = models.PositiveSmallIntegerField(default=1, db_default=1)
    hearing_at = models.DateTimeField(null=True)
    heard: models.JSONField[list[str], list[str]] = models.JSONField(
        default=list, db_default=models.Value([], output_field=models.JSONField())
    )
    members: models.JSONField[list[str], list[str]] = models.JSONField(
        default=list, db_default=models.Value([], output_field=models.JSONField())
    )
    votes_for = models.PositiveSmallIntegerField(null=True)
    votes_against = models.PositiveSmallIntegerField(null=True)
    tie = models.CharField(max_length=6, choices=Tie.choices, blank=True, default="", db_default="")

    objects = RecordedManager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["ruling", "side", "instance"], name="one_appeal_per_side"
            ),
            models.CheckConstraint(
                condition=Q(instance__in=[1, 2]), name="appeals_have_two_instances"
            ),
            models.CheckConstraint(
                condition=Q(votes_for__isnull=True, votes_against__isnull=True)
                | Q(votes_for__gte=2 - F("votes_against")),
                name="two_members_vote",
            ),
            models.CheckConstraint(
                condition=Q(tie__in=["", *Tie.values]), name="tie_of_votes_is_known"
            ),
            models.UniqueConstraint(
                fields=["ruling"], condition=Q(state="open"), name="one_open_appeal_per_ruling"
            ),
            models.CheckConstraint(
                condition=Q(state__in=AppealState.values), name="appeal_state_is_known"
            ),
            models.CheckConstraint(
                condition=Q(state__in=["open", "withdrawn"])
                | (Q(heard_at__isnull=False) & ~Q(heard_by="") & ~Q(decision="")),
                name="heard_appeal_says_by_whom_and_why",
            ),
        ]
        ordering = ["lodged_at"]

    def __str__(self) -> str:
        return f"{self.ruling_id} {self.side}"


class RuledDeal(models.Model):
    """A deal whose entry a ruling took the place of: what the table had written, to be given back.

    ``entry`` is ``None`` where the table had not written the deal yet. ``voided``: the deal counts
    for nothing because of the rulings in force.
    """

    sheet = models.ForeignKey(Sheet, on_delete=models.CASCADE, related_name="ruled_deals")
    number = models.PositiveSmallIntegerField()
    entry: models.JSONField[EntryJson | None, EntryJson | None] = models.JSONField(null=True)
    voided = models.BooleanField(default=False)

    objects = RecordedManager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["sheet", "number"], name="ruled_deal_once"),
        ]

    def __str__(self) -> str:
        return f"{self.sheet_id} {self.number}"


class SanctionKind(models.TextChoices):
    """Kinds of entries in the discipline register."""

    WARNING = "warning", pgettext_lazy("sanction", "warning")
    SUSPENDED = "suspended", _("conditional sanction")
    BAN = "ban", pgettext_lazy("sanction", "suspension")


class Sanction(models.Model):
    """An entry in the discipline register, across events: from a final ruling on conduct.

    ``person`` is the player of the ruling, ``member`` the same in the register of members; the entry is
    deleted with the last of the two. ``until`` is the last day of a ban, or of the time for which a
    sanction is suspended.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    kind = models.CharField(max_length=10, choices=SanctionKind.choices)
    person = models.ForeignKey(
        Person, on_delete=models.SET_NULL, null=True, related_name="sanctions"
    )
    member = models.ForeignKey(
        Member, on_delete=models.SET_NULL, null=True, related_name="sanctions"
    )
    ruling = models.ForeignKey(
        Ruling, on_delete=models.SET_NULL, null=True, related_name="sanctions"
    )
    article = models.CharField(max_length=24)
    reason = models.CharField(max_length=300)
    since = models.DateField()
    until = models.DateField(null=True)
    made_by = models.CharField(max_length=80)
    made_at = models.DateTimeField()
    lifted_at = models.DateTimeField(null=True)
    lifted_by = models.CharField(max_length=80, blank=True)
    lifted_reason = models.CharField(max_length=300, blank=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(kind__in=SanctionKind.values), name="sanction_kind_is_known"
            ),
            models.CheckConstraint(
                condition=Q(kind="warning") | Q(until__gte=F("since")),
                name="bans_have_their_last_day",
            ),
            models.CheckConstraint(condition=~Q(reason=""), name="sanction_has_its_reason"),
            models.CheckConstraint(
                condition=Q(lifted_at__isnull=True) | ~Q(lifted_reason=""),
                name="lifted_sanction_has_its_reason",
            ),
        ]
        ordering = ["-since", "-made_at"]

    def __str__(self) -> str:
        return str(self.pk)

    @property
    def name(self) -> str:
        """The name as it is known now: of the member, else of the person."""
        if self.member is not None:
            return self.member.name
        return self.person.name if self.person is not None else ""

    @property
    def in_force(self) -> bool:
        """Whether it is neither lifted nor past its last day."""
        over = self.until is not None and self.until < timezone.localdate()
        return self.lifted_at is None and not over


class Admission(models.Model):
    """An entrant admitted although a suspension is in force on their name, with the reason."""

    entrant = models.ForeignKey(Entrant, on_delete=models.CASCADE, related_name="admissions")
    sanction = models.ForeignKey(Sanction, on_delete=models.CASCADE, related_name="admissions")
    reason = models.CharField(max_length=300)
    made_by = models.CharField(max_length=80)
    made_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["entrant", "sanction"], name="admitted_once"),
            models.CheckConstraint(condition=~Q(reason=""), name="admission_has_its_reason"),
        ]

    def __str__(self) -> str:
        return f"{self.entrant_id} {self.sanction_id}"
