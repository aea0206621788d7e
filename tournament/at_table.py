"""What the tournament tells a scorekeeper's page: names, the event, the round's clock and bell.

The scoring room knows ids only and asks through its registries (:mod:`scoring.people`,
:mod:`scoring.clock`); this module answers them and is imported when the application starts.
"""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from scoring.clock import TableClock, clock_teller
from scoring.links import token_hash
from scoring.models import ScoringTable, Sheet
from scoring.people import Slip, frame_tellers, link_readers, name_tellers, slip_tellers
from tournament.models import Entrant, Event, RoundState, Seat, Table, TableGame

from .selectors.names import seat_letter, shown_name


@clock_teller
def clock(scoring_table: ScoringTable) -> TableClock | None:
    """The round's clock with the table's own extra time, and the event's bell rule."""
    table = (
        Table.objects.filter(scoring_table=scoring_table)
        .select_related("round__stage__event")
        .first()
    )
    if table is None:
        return None
    part = table.round
    ends_at = part.ends_at + timedelta(minutes=table.extra_minutes) if part.ends_at else None
    if part.state == RoundState.CLOSED:
        state = "stopped"
    elif ends_at is None:
        state = "waiting"
    else:
        state = "over" if timezone.now() >= ends_at else "running"
    return TableClock(
        label=_("%(stage)s, round %(n)d") % {"stage": part.stage.title, "n": part.number},
        state=state,
        ends_at=ends_at,
        seconds=(part.stage.minutes + table.extra_minutes) * 60,
        extra_minutes=table.extra_minutes,
        bell_rule=part.stage.event.bell_rule,
    )


def seat_names(sheet: Sheet) -> dict[str, str] | None:
    """Seat → the name of who sits there; both seats of a pair bear the pair's name."""
    ids = {int(entrant) for entrant in sheet.seats.values()}
    entrants = {
        entrant.pk: entrant
        for entrant in Entrant.objects.filter(pk__in=ids, event=sheet.scope).select_related(
            "person", "partner", "event"
        )
    }
    if not entrants:
        return None
    names: dict[str, str] = {}
    shorten = next(iter(entrants.values())).event.short_names
    for seat, entrant_id in sheet.seats.items():
        entrant = entrants.get(int(entrant_id))
        names[seat] = shown_name(entrant, shorten=shorten) if entrant else seat
    return names


def entrant_of_link(token: str) -> str | None:
    """The entrant whose badge carries this link."""
    found = Entrant.objects.filter(link_hash=token_hash(token)).values_list("pk", flat=True).first()
    return None if found is None else str(found)


def frame(sheet: Sheet) -> dict[str, Any] | None:
    """The event's name, address and language."""
    event = Event.objects.filter(pk=sheet.scope).first()
    if event is None:
        return None
    return {
        "event": event.name, "home": reverse("event-home", args=[event.slug]),
        "desk": reverse("desk-room", args=[event.slug]),
        "language": event.language,
    }  # fmt: skip


def slip(sheet: Sheet) -> Slip | None:
    """The sheet as the slip of its table prints it, and the round's sheets in the order of slips."""
    game = TableGame.objects.filter(sheet=sheet).select_related("table__round").first()
    if game is None:
        return None
    at = dict(Seat.objects.filter(table=game.table).values_list("entrant_id", "position"))
    listed = TableGame.objects.filter(table__round=game.table.round).order_by(
        "table__number", "number"
    )
    return Slip(
        str(game.table.round.number),
        str(game.table.number),
        {
            seat: seat_letter(at[int(entrant)]) if int(entrant) in at else seat
            for seat, entrant in sheet.seats.items()
        },
        [(pk, str(number)) for pk, number in listed.values_list("sheet_id", "table__number")],
    )


name_tellers.append(seat_names)
slip_tellers.append(slip)
link_readers.append(entrant_of_link)
frame_tellers.append(frame)
