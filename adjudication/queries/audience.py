"""Readers of a ruling: its parties and staff see all, the public its effects and, in time, the offence.

Rules specification C.8. An offence of conduct is shown to its offender and the staff, an offence of
play to the table and the staff. Event settings decide whether the public sees it: an offence of play
immediately or, like conduct, once the ruling is final, or never.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from django.db.models import Q
from django.utils.translation import gettext as _

from adjudication.models import Ruling, RulingState
from adjudication.penal import PenalCodeError
from scoring.engine.articles import OF_PERSONS
from tournament.models import Publicity, Seat

from .codes import code_of, numbered
from .effects import has_fallen
from .shown import RulingShown, effect_text, marks_of, show


class Audience(StrEnum):
    """Readers of the offence of a ruling, besides the staff."""

    OFFENDER = "offender"
    TABLE = "table"
    PUBLIC = "public"


@dataclass(frozen=True, slots=True)
class Parties:
    """Entrants concerned by a ruling, each in exactly one role."""

    offender: int | None
    gain: frozenset[int]
    affected: frozenset[int]
    """Other entrants whose marks or deal change."""


def parties_of(shown: RulingShown) -> Parties:
    """Return the offender, the beneficiaries and the other affected entrants of a ruling."""
    ruling, case = shown.ruling, shown.case
    offender = ruling.offender_id
    idle = shown.damaged or not ruling.in_force
    if idle or has_fallen(ruling.incident, shown.version.proposal["measure"]):
        return Parties(offender, frozenset(), frozenset())
    marks = marks_of(shown.version.proposal, shown.together)
    gain = {who for side, n in marks.items() if n > 0 for who in case.entrants_of(side)}
    touched = {who for side, n in marks.items() if n for who in case.entrants_of(side)}
    touched |= {int(who) for who in ruling.incident.seats.values() if effect_text(shown, int(who))}
    return Parties(offender, frozenset(gain - {offender}), frozenset(touched - gain - {offender}))


def audience_of(ruling: Ruling) -> Audience:
    """Return the readers of the offence of a ruling at this moment."""
    of_persons, when = _publicity(ruling)
    if when == Publicity.AT_ONCE or (when == Publicity.FINAL and ruling.state == RulingState.FINAL):
        return Audience.PUBLIC
    return Audience.OFFENDER if of_persons else Audience.TABLE


def audience_text(ruling: Ruling) -> str:
    """Explain to the staff who can read the offence now and whether the public will."""
    now, (_of_persons, when) = audience_of(ruling), _publicity(ruling)
    text = {
        Audience.PUBLIC: _("Everybody reads the offence."),
        Audience.TABLE: _("Only the table and the staff read the offence."),
        Audience.OFFENDER: _("Only the offender and the staff read the offence."),
    }[now]
    if now is not Audience.PUBLIC and when == Publicity.FINAL and ruling.in_force:
        text += " " + _("Everybody reads it once the ruling is final.")
    return text


def _publicity(ruling: Ruling) -> tuple[bool, str]:
    """Whether the offence is one of conduct, and when the event lets the public read it."""
    event = ruling.event
    if is_of_persons(ruling):
        return True, Publicity.FINAL if event.publish_conduct else Publicity.NEVER
    return False, event.publish_play


def is_of_persons(ruling: Ruling) -> bool:
    """Whether the article that it cites is about conduct; one that cannot be read may be."""
    if ruling.article in OF_PERSONS:
        return True
    number = list(ruling.versions.all())[-1].context.get("code")
    event = ruling.event
    code = numbered(event.pk, event.rulebook, number) if isinstance(number, int) else None
    try:
        return (code or code_of(event)).article(ruling.article).of_persons
    except PenalCodeError:
        return True


def effect_alone(shown: RulingShown, entrant: int | None, *, inside: bool) -> str | None:
    """Return ``None`` where a page shows the whole ruling, else the effect that it shows, or ``""``.

    ``entrant``: the player whose page it is, ``None``: of nobody; ``inside``: opened by the link of
    their badge, or of the table.
    """
    now = audience_of(shown.ruling)
    if now is Audience.PUBLIC or (inside and reads(shown.ruling, entrant)):
        return None
    names = now is Audience.OFFENDER or _debits_one(shown)
    if names and entrant is None and not inside:
        return ""  # in a list for everybody a debit would name the person
    return effect_text(shown, entrant)


def _debits_one(shown: RulingShown) -> bool:
    """Whether a single player loses marks, as in an auction, where each is a side of their own."""
    if shown.damaged or not shown.version.in_force:
        return False
    marks = marks_of(shown.version.proposal, shown.together)
    return any(n < 0 and len(side) == 1 for side, n in marks.items())


def at_tables_of(entrant: int) -> Q:
    """Return the condition for rulings against an entrant or at a table at which they sit."""
    seated = Q(incident__table__seats__entrant=entrant, incident__unseated_at__isnull=True)
    return Q(offender=entrant) | seated


def readers(ruling: Ruling) -> set[int]:
    """Return the entrants whose own page shows the ruling or its effect on them."""
    incident = ruling.incident
    entrants = set[int]()
    if incident.table_id is not None and incident.unseated_at is None:
        seats = Seat.objects.filter(table=incident.table_id)
        entrants.update(seats.values_list("entrant", flat=True))
    if ruling.offender_id is not None:
        entrants.add(ruling.offender_id)
    if audience_of(ruling) is not Audience.OFFENDER:
        return entrants
    shown = show(ruling, outside=True)
    return {each for each in entrants if effect_alone(shown, each, inside=True) != ""}


def reads(ruling: Ruling, entrant: int | None) -> bool:
    """Whether an entrant of the table, or with ``None`` its link, may open the ruling."""
    if audience_of(ruling) is not Audience.OFFENDER:
        return True
    return entrant is not None and ruling.offender_id == entrant
