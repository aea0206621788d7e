"""Rulings as the tournament's pages show them.

The tournament knows nothing of articles and appeals: a room above it answers
:data:`~tournament.signals.rulings_requested` in the shape of ``parts/referee/ruling.html``. It must also
raise the event's version (:mod:`ledger.change`) when a ruling is
issued, changed or annulled, so that pages already shown learn of it.
"""

from __future__ import annotations

import uuid
from dataclasses import dataclass, replace

from django.utils.translation import gettext as _

from tournament.models import Event
from tournament.models.tables import Sheet
from tournament.signals import answers, forfeits_told, rulings_requested


@dataclass(frozen=True, slots=True)
class ShownRuling:
    """A ruling in the reader's language; ``state``: provisional, final, amended, annulled, appealed.

    ``entrants``: start numbers of the players concerned. ``url``: the address with details, may be
    empty; ``below``: the same below the address of a player's own page. A ruling on conduct that
    its reader may not know has neither article nor ``below``, only its effect (rules specification
    C.8). ``when``: a text. ``game``: the number of its game where a round has several. ``hidden``:
    of a round whose results the public may not see yet; the penalty and its reason would reveal
    them.
    """

    article: str
    title: str
    penalty: str
    reason: str
    state: str
    state_label: str
    table: str = ""
    round: str = ""
    game: int | None = None
    when: str = ""
    who: str = ""
    url: str = ""
    entrants: tuple[int, ...] = ()
    below: str = ""
    hidden: bool = False


def rulings_of(
    event: Event, *, entrant: int | None = None, most: int = 20, private: bool = False
) -> list[ShownRuling]:
    """Return the rulings of an event, or those that concern one entrant, newest first.

    Penalties in a hidden round are shown only where ``private``: on a player's own link.
    """
    rulings = _rulings(event.pk, entrant=entrant, most=most, private=private)
    if private:
        return rulings
    later = _("revealed at the prize-giving")
    return [
        replace(ruling, penalty=later, reason="") if ruling.hidden else ruling for ruling in rulings
    ]


def public_forfeits(event: Event) -> set[tuple[int, uuid.UUID]]:
    """Return the entrant and round of each forfeit whose ruling the public may read."""
    return set().union(*answers(forfeits_told, event=event))


def rulings_at(sheet: Sheet, page: str) -> list[ShownRuling]:
    """Return the last rulings at a table in one of its games or in none; its page has the address ``page``.

    In another game the seats that a ruling names are other players'.
    """
    return [
        replace(ruling, url=f"{page}{ruling.below}" if ruling.below else "")
        for ruling in _rulings(sheet.scope, table=sheet.table_id, sheet=sheet.pk, most=10)
    ]


def _rulings(
    event_id: uuid.UUID,
    *,
    most: int,
    entrant: int | None = None,
    table: uuid.UUID | None = None,
    sheet: uuid.UUID | None = None,
    private: bool = False,
) -> list[ShownRuling]:
    answers_given = answers(
        rulings_requested,
        event_id=event_id,
        entrant=entrant,
        table=table,
        sheet=sheet,
        most=most,
        private=private,
    )
    return [ruling for rulings in answers_given for ruling in rulings][:most]
