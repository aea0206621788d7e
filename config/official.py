"""Official tables, from which an event's results follow, and their recorded columns.

Left out are secrets (hashes of links), the phone that writes at the moment, and page counters.
Free texts are recorded as digests. Standings are derived, so they are not official tables. ``reach``
limits the public pages of the event that a row may change; the default is all pages.
"""

from __future__ import annotations

from adjudication.models import (
    Appeal,
    Confirmation,
    Incident,
    PenalCode,
    RuledDeal,
    Ruling,
    RulingVersion,
)
from ledger.official import Reach
from ledger.rows import official
from tournament.models import (
    Adjustment,
    Ban,
    Bye,
    Club,
    Draw,
    Entrant,
    Event,
    Lot,
    Round,
    Seat,
    Stage,
    StageEntrant,
)
from tournament.models.columns import FREE_TEXT, To, left_out
from tournament.models.tables import (
    DealVersion,
    OfficialResult,
    RefereeCall,
    Sheet,
    Signature,
    Table,
)
from tournament.services.name_marks import NAMES


def declare() -> None:
    """Register the official tables in the ledger, in an order that allows inserting their rows."""
    official(Event, "pk", without=[*left_out(Event, To.LOG)])
    official(Club, "event")
    official(
        Entrant, "event", without=[*left_out(Entrant, To.LOG)], digested=FREE_TEXT, beside=NAMES
    )
    official(Ban, "event")
    official(Stage, "event")
    official(StageEntrant, "stage__event")
    official(Round, "stage__event")
    official(Draw, "round__stage__event", digested=("despite.reason",), reach=Reach.TABLE)
    official(
        Table,
        "scope",
        without=("token_hash", "writer", "writer_since", "writer_epoch"),
        digested=("decided_reason",),
    )
    official(Seat, "round__stage__event")
    official(Bye, "round__stage__event")
    official(Sheet, "scope", reach=Reach.TABLE)
    official(DealVersion, "sheet__scope", digested=("reason",), reach=Reach.TABLE)
    official(Signature, "sheet__scope", reach=Reach.TABLE)
    official(OfficialResult, "sheet__scope", digested=("reason",), reach=Reach.RESULTS)
    official(RefereeCall, "table__scope", digested=("reason",), reach=Reach.TABLE)
    official(Lot, "stage__event")
    official(Adjustment, "event", digested=("reason", "annulled_reason"))
    official(PenalCode, "event", digested=("reason",), reach=Reach.TABLE)
    official(
        Incident,
        "event",
        digested=("told", "closed_reason", "handed.reason"),
        reach=Reach.TABLE,
    )
    official(Ruling, "event")
    official(RulingVersion, "ruling__event", digested=("reason",))
    official(Confirmation, "event", digested=("reason", "answer"), reach=Reach.TABLE)
    official(Appeal, "ruling__event", digested=("grounds", "decision"))
    official(RuledDeal, "sheet__scope", reach=Reach.TABLE)
