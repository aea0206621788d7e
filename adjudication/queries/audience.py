"""Who may read a ruling: an offence of conduct is for its offender and the staff (C.8).

It is public once it is final, where the event publishes it. What a ruling marks is public always.
"""

from __future__ import annotations

import uuid

from django.db.models import Q, QuerySet

from adjudication.models import Ruling, RulingState
from adjudication.penal import PenalCodeError
from scoring.engine.articles import OF_PERSONS
from tournament.models import Event, Seat

from .codes import code_of, numbered
from .shown import RulingShown, effect_text, show


def is_withheld(ruling: Ruling) -> bool:
    """Whether the offence of a ruling is kept from the public and from the others at its table."""
    if ruling.state == RulingState.FINAL and ruling.event.publish_conduct:
        return False
    return ruling.article in OF_PERSONS or not _is_of_play(ruling)


def _is_of_play(ruling: Ruling) -> bool:
    """Whether the article that it cites is about the cards; one that cannot be read is not."""
    number = list(ruling.versions.all())[-1].context.get("code")
    event = ruling.event
    code = numbered(event.pk, event.rulebook, number) if isinstance(number, int) else None
    try:
        return not (code or code_of(event)).article(ruling.article).of_persons
    except PenalCodeError:
        return False


def effect_alone(shown: RulingShown, entrant: int | None, *, private: bool) -> str | None:
    """Return ``None`` where a page shows the whole ruling, else the effect that it shows, or ``""``.

    ``entrant``: the player whose page it is, ``private`` on the link of their badge; ``None``: their table.
    """
    if not is_withheld(shown.ruling) or (private and reads(shown.ruling, entrant)):
        return None
    return effect_text(shown, entrant)


def at_tables_of(entrant: int) -> Q:
    """The rulings against an entrant or at a table at which they sit, as a condition."""
    seated = Q(incident__table__seats__entrant=entrant, incident__unseated_at__isnull=True)
    return Q(offender=entrant) | seated


def readers(ruling: Ruling) -> set[int]:
    """The entrants whose own page shows the ruling, or what it changes for them."""
    incident = ruling.incident
    entrants = set[int]()
    if incident.table_id is not None and incident.unseated_at is None:
        seats = Seat.objects.filter(table=incident.table_id)
        entrants.update(seats.values_list("entrant", flat=True))
    if ruling.offender_id is not None:
        entrants.add(ruling.offender_id)
    if not is_withheld(ruling):
        return entrants
    shown = show(ruling, outside=True)
    return {each for each in entrants if effect_alone(shown, each, private=True) != ""}


def withheld_from_public(event_id: uuid.UUID, rulings: QuerySet[Ruling]) -> Q:
    """The rulings whose offence the public may not read, as a condition."""
    event = Event.objects.get(pk=event_id)
    cited = set(rulings.order_by().values_list("article", flat=True).distinct())
    code = code_of(event) if cited - OF_PERSONS else None
    withheld = cited & OF_PERSONS
    for article in cited - OF_PERSONS:
        if code is None or article not in code or code.article(article).of_persons:
            withheld.add(article)
    hidden = Q(article__in=withheld)
    if event.publish_conduct:
        hidden &= ~Q(state=RulingState.FINAL)
    return hidden


def reads(ruling: Ruling, entrant: int | None) -> bool:
    """Whether an entrant, or with ``None`` their table, may open the ruling."""
    if not is_withheld(ruling):
        return True
    return entrant is not None and ruling.offender_id == entrant
