"""Incidents, rulings and waiting decisions that hang on the sittings of an act, and which of them fall with it."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Sequence

from django.db.models import Q
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from adjudication.models import Confirmation, ConfirmationState, Incident, Ruling, RulingState
from adjudication.penal import Measure
from adjudication.penal.words import MEASURES
from tournament.queries.falls import A_FEW, OF_ENTRANTS, Act, Concerned, Fate, Hanging

from .effects import OF_THE_SITTING
from .shown import localized


def hangings(concerned: Concerned) -> list[Hanging]:
    """Return the lines of incidents, waiting decisions and rulings; four queries at most."""
    if concerned.act in OF_ENTRANTS:
        return _against(concerned)
    if not concerned.tables:
        return []
    at_tables = Q(table__in=concerned.tables)
    if concerned.act in (Act.UNPUBLISH, Act.REOPEN):
        at_tables |= Q(round=concerned.round, table__isnull=True)
    if concerned.sheet is not None:
        at_tables = Q(sheet=concerned.sheet)
    incidents = Incident.objects.filter(at_tables, event=concerned.event)
    numbers = tuple(incidents.order_by("number").values_list("number", flat=True))
    if not numbers:
        return []
    rulings = list(
        Ruling.objects.filter(incident__in=incidents)
        .exclude(state=RulingState.ANNULLED)
        .order_by("number")
        .values_list("number", "article", "measure", "incident__table_id")
    )
    falling = [
        _falling(concerned, number, article, measure)
        for number, article, measure, table in rulings
        if concerned.act is Act.UNPUBLISH and table is not None and measure in OF_THE_SITTING
    ]
    # Of a game played again: a ruling in force would write its deal as it was once more.
    stopping = [
        number
        for number, _article, measure, _table in rulings
        if concerned.act is Act.REPLAY and measure in OF_THE_SITTING
    ]
    named = {number for line in falling for number in line.numbers} | {*stopping}
    staying = [number for number, *_rest in rulings if number not in named]
    return [
        *_rulings(concerned, stopping, Fate.STOPS),
        *falling,
        *_incidents(concerned, numbers),
        *_rulings(concerned, staying),
        *_waiting(concerned, incidents.values_list("pk", flat=True)),
    ]


def _against(concerned: Concerned) -> list[Hanging]:
    """Return the rulings against the entrants, which stay with the person."""
    rulings = Ruling.objects.filter(offender__in=concerned.entrants)
    if concerned.act in (Act.WITHDRAW, Act.REPLACE):
        rulings = rulings.exclude(state=RulingState.ANNULLED)
    numbers = list(rulings.order_by("number").values_list("number", flat=True))
    return _rulings(concerned, numbers)


def _desk(concerned: Concerned, name: str, numbers: Sequence[int]) -> str:
    """Return the page of the only item, else the referees' desk."""
    if len(numbers) == 1:
        return reverse(name, args=[concerned.event.slug, numbers[0]])
    return reverse("referee-desk", args=[concerned.event.slug])


def _listed(numbers: Sequence[int]) -> str:
    return ", ".join(map(str, numbers[:A_FEW])) + ("…" if len(numbers) > A_FEW else "")


def _falling(concerned: Concerned, number: int, article: str, measure: str) -> Hanging:
    text = _("Ruling %(number)d, %(article)s: %(measure)s") % {
        "number": number,
        "article": article,
        "measure": localized(MEASURES[Measure(measure)]),
    }
    then = _(
        "The measure has no effect any more; the offence stays on record and counts for the next."
    )
    url = _desk(concerned, "referee-ruling", [number])
    return Hanging("rulings", Fate.FALLS, text, then, url, (number,))


def _incidents(concerned: Concerned, numbers: tuple[int, ...]) -> list[Hanging]:
    text = ngettext(
        "Incident %(numbers)s on the referees’ desk",
        "Incidents %(numbers)s on the referees’ desk",
        len(numbers),
    ) % {"numbers": _listed(numbers)}
    reseats = concerned.act in (Act.UNPUBLISH, Act.EXCHANGE)
    then = _("It keeps who sat where then.") if reseats else ""
    url = _desk(concerned, "referee-incident", numbers)
    return [Hanging("incidents", Fate.STAYS, text, then, url, numbers)]


def _rulings(concerned: Concerned, numbers: list[int], fate: Fate = Fate.STAYS) -> list[Hanging]:
    """Return rulings of one fate, on one line."""
    if not numbers:
        return []
    text = ngettext("Ruling %(numbers)s", "Rulings %(numbers)s", len(numbers))
    then = {
        Act.UNPUBLISH: _("The measure is of the person, not of the seat."),
        Act.EXCHANGE: _("Points are with the seat, the offence is with the person named."),
        Act.WITHDRAW: _("The measure is of the person, not of the seat."),
        Act.REPLACE: _("The offence stays with the person who leaves."),
        Act.MERGE: _("The record names this number."),
        Act.REMOVE: _("The record names this number."),
        Act.CORRECT: _("It applies to the corrected deal."),
    }.get(concerned.act, _("Annul that ruling first.") if fate is Fate.STOPS else "")
    fate = Fate.STOPS if concerned.act in (Act.MERGE, Act.REMOVE) else fate
    url = _desk(concerned, "referee-ruling", numbers)
    return [
        Hanging("rulings", fate, text % {"numbers": _listed(numbers)}, then, url, tuple(numbers))
    ]


def _waiting(concerned: Concerned, incidents: Iterable[uuid.UUID]) -> list[Hanging]:
    """Return the decisions that wait for a second person."""
    count = Confirmation.objects.filter(
        incident__in=incidents, state=ConfirmationState.WAITING
    ).count()
    text = ngettext(
        "%(count)d decision waits for a second person",
        "%(count)d decisions wait for a second person",
        count,
    ) % {"count": count}
    url = reverse("referee-desk", args=[concerned.event.slug])
    return [Hanging("confirmations", Fate.STAYS, text, "", url, count=count)] if count else []
