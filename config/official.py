"""What is official: every table from which an event's results follow, and what of it is recorded.

Left out are secrets (hashes of links), which phone writes at this moment, and counters of pages.
Of free texts a digest is recorded. Standings are not here: they follow from the rest. ``reach`` says
what of the event's public pages a row may change; where it is not said, that is everything.
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


def declare() -> None:
    """Tell the ledger; the order is one in which rows can be inserted."""
    official(Event, "pk", without=[*left_out(Event, To.LOG)])
    official(Club, "event")
    official(Entrant, "event", without=[*left_out(Entrant, To.LOG)], digested=FREE_TEXT)
    official(Ban, "event")
    official(Stage, "event")
    official(StageEntrant, "stage__event")
    official(Round, "stage__event")
    official(Draw, "round__stage__event", reach=Reach.TABLE)
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
    official(Incident, "event", digested=("told", "closed_reason"), reach=Reach.TABLE)
    official(Ruling, "event")
    official(RulingVersion, "ruling__event", digested=("reason",))
    official(Confirmation, "event", digested=("reason", "answer"), reach=Reach.TABLE)
    official(Appeal, "ruling__event", digested=("grounds", "decision"))
    official(RuledDeal, "sheet__scope", reach=Reach.TABLE)
