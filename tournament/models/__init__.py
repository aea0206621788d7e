"""The tournament: event, entrants, stages, rounds, draws, tables, seats, adjustments, standings."""

from tournament.models.tables import Table

from .draws import Bye, Draw, DrawState, Seat, round_of
from .entrants import (
    Ban,
    Entrant,
    EntrantState,
    Member,
    Merger,
    Person,
    Registration,
    RegistrationState,
)
from .events import FIRST_DAY, LAST_DAY, Club, Event, EventLogo, EventState
from .notices import MailConsent, Notice, NoticeKind, NoticeState, PushSubscription
from .stages import (
    BRACKETS,
    PAIRS,
    RANKING_EDITION,
    STAGE_NAMES,
    Format,
    Round,
    RoundState,
    Stage,
    StageEntrant,
)
from .standings import (
    COUNTING_EDITION,
    Adjustment,
    Lot,
    PlayerFile,
    PrintedDocument,
    RenderedStandings,
    Standings,
    StandingsState,
)

__all__ = [
    "BRACKETS",
    "COUNTING_EDITION",
    "FIRST_DAY",
    "LAST_DAY",
    "PAIRS",
    "RANKING_EDITION",
    "STAGE_NAMES",
    "Adjustment",
    "Ban",
    "Bye",
    "Club",
    "Draw",
    "DrawState",
    "Entrant",
    "EntrantState",
    "Event",
    "EventLogo",
    "EventState",
    "Format",
    "Lot",
    "MailConsent",
    "Member",
    "Merger",
    "Notice",
    "NoticeKind",
    "NoticeState",
    "Person",
    "PlayerFile",
    "PrintedDocument",
    "PushSubscription",
    "Registration",
    "RegistrationState",
    "RenderedStandings",
    "Round",
    "RoundState",
    "Seat",
    "Stage",
    "StageEntrant",
    "Standings",
    "StandingsState",
    "Table",
    "round_of",
]
