"""Rulings as the tournament's pages show them; who knows of rulings registers here at start-up.

The tournament knows nothing of articles and appeals: a room above it registers a teller that
answers what concerns an event, or one entrant of it, in the shape of ``parts/ruling.html``. It
must also raise the event's version (:func:`tournament.services.events.bump`) when a ruling is
issued, changed or annulled, so that pages already shown learn of it.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable
from dataclasses import dataclass, replace

from django.utils.translation import gettext as _

from tournament.models import Event


@dataclass(frozen=True, slots=True)
class ShownRuling:
    """A ruling in the reader's language; ``state``: provisional, final, amended, annulled, appealed.

    ``entrants``: start numbers of those it concerns. ``url``: where more of it stands, may be empty;
    ``below``: the same below the address of a player's own page. ``when``: a text. ``hidden``: of a
    round whose results the public may not see yet; the penalty and its reason would tell them.
    """

    article: str
    title: str
    penalty: str
    reason: str
    state: str
    state_label: str
    table: str = ""
    round: str = ""
    when: str = ""
    who: str = ""
    url: str = ""
    entrants: tuple[int, ...] = ()
    below: str = ""
    hidden: bool = False


RulingTeller = Callable[[uuid.UUID, int | None, int], list[ShownRuling]]
"""``teller(event id, entrant id or None for all, at most so many)``: newest first."""

_tellers: list[RulingTeller] = []


def tells_rulings(teller: RulingTeller) -> RulingTeller:
    """Register a teller; used as a decorator when the room above starts."""
    if teller not in _tellers:
        _tellers.append(teller)
    return teller


def rulings_of(
    event: Event, *, entrant: int | None = None, most: int = 20, private: bool = False
) -> list[ShownRuling]:
    """The rulings of an event, or those that concern one entrant, newest first.

    What they cost in a hidden round is told only where ``private``: on a player's own link.
    """
    found = [ruling for teller in _tellers for ruling in teller(event.pk, entrant, most)][:most]
    if private:
        return found
    later = _("announced at the prize-giving")
    return [
        replace(ruling, penalty=later, reason="") if ruling.hidden else ruling for ruling in found
    ]
