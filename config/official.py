"""What is official: every table from which an event's results follow, and what of it is recorded.

Left out are secrets (hashes of links), who holds the pen at this moment, and counters of pages.
Free texts are kept as digests. Standings are not here: they follow from the rest.
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
from ledger.rows import official
from scoring.models import (
    DealVersion,
    OfficialResult,
    RefereeCall,
    ScoringTable,
    Sheet,
    Signature,
)
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
    Table,
    TableGame,
)


def declare() -> None:
    """Tell the ledger; the order is one in which rows can be inserted."""
    official(Event, "pk", without=("version", "frame_version", "sponsors"))
    official(Club, "event")
    official(Entrant, "event", without=("link_hash", "link_epoch"), digested=("family",))
    official(Ban, "event")
    official(Stage, "event")
    official(StageEntrant, "stage__event")
    official(Round, "stage__event")
    official(Draw, "round__stage__event")
    official(
        ScoringTable, "scope",
        without=("token_hash", "writer", "writer_since", "writer_epoch", "last_activity_at"),
    )  # fmt: skip
    official(Table, "round__stage__event", digested=("decided_reason",))
    official(Seat, "round__stage__event")
    official(Bye, "round__stage__event")
    official(Sheet, "scope")
    official(TableGame, "table__round__stage__event")
    official(DealVersion, "sheet__scope", digested=("reason",))
    official(Signature, "sheet__scope")
    official(OfficialResult, "sheet__scope", digested=("reason",))
    official(RefereeCall, "table__scope", digested=("reason",))
    official(Lot, "stage__event")
    official(Adjustment, "event", digested=("reason", "annulled_reason"))
    official(PenalCode, "event", digested=("reason",))
    official(Incident, "event", digested=("told", "closed_reason"))
    official(Ruling, "event")
    official(RulingVersion, "ruling__event", digested=("reason",))
    official(Confirmation, "event", digested=("reason", "answer"))
    official(Appeal, "ruling__event", digested=("grounds", "decision"))
    official(RuledDeal, "sheet__scope")
