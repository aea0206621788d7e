"""The tournament: event, entrants, stages, rounds, draws, tables, seats, adjustments, standings."""

from .draws import Bye, Draw, DrawState, Seat, Table, TableGame
from .entrants import Ban, Entrant, EntrantState, Person
from .events import Club, Event, EventState
from .stages import RANKING_EDITION, STAGE_NAMES, Format, Round, RoundState, Stage, StageEntrant
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
    "COUNTING_EDITION",
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
    "EventState",
    "Format",
    "Lot",
    "Person",
    "PlayerFile",
    "PrintedDocument",
    "RenderedStandings",
    "Round",
    "RoundState",
    "Seat",
    "Stage",
    "StageEntrant",
    "Standings",
    "StandingsState",
    "Table",
    "TableGame",
]
