"""Documents on paper: pure functions from frozen values to the bytes of a PDF.

Each function takes one sheet, which holds an :class:`Imprint` (event, language, paper, state of the
records and their fingerprint, the moment of printing) and its content, and returns a PDF with
extractable text, outline, page numbers "x of y", title and language. Equal sheets give equal bytes.
Nothing here reads a clock, a file of the event or the database.

Languages are ``"fr"``, ``"nl"`` and ``"en"``; papers A4 and letter. A sheet that contradicts itself
raises :class:`DocumentError`; a document reserved for finished events raises
:class:`NotFinalError`.
"""

from tournament.documents.adjudication_report import (
    AdjudicationReport,
    IncidentLine,
    adjudication_report_pdf,
)
from tournament.documents.badges import Badge, BadgeSheet, badges_pdf
from tournament.documents.brackets import BracketPart, BracketSheet, bracket_pdf
from tournament.documents.cards import (
    SeatCard,
    SeatCardSheet,
    TableCard,
    TableCardSheet,
    seat_cards_pdf,
    table_cards_pdf,
)
from tournament.documents.diplomas import Diploma, DiplomaSheet, diplomas_pdf
from tournament.documents.draws import (
    DrawnTable,
    DrawSheet,
    Person,
    Seat,
    draw_by_name_pdf,
    draw_by_table_pdf,
)
from tournament.documents.event_report import EventReport, ResultLine, RoundReport, event_report_pdf
from tournament.documents.imprint import DocumentError, Imprint, NotFinalError, State
from tournament.documents.looks import Paper
from tournament.documents.prizes import PrizeLine, PrizeList, prize_list_pdf
from tournament.documents.receipts import Receipt, ReceiptSheet, receipts_pdf
from tournament.documents.rulings import (
    Annulled,
    Minutes,
    RulingRecord,
    RulingSlip,
    minutes_pdf,
    ruling_slip_pdf,
)
from tournament.documents.score_sheets import ScoreSheetForm, SheetHead, score_sheets_pdf
from tournament.documents.slips import (
    PAIRS_GAME,
    ROTATION,
    SlipGame,
    SlipSheet,
    TableSlip,
    table_slips_pdf,
)
from tournament.documents.standings import (
    StandingsColumn,
    StandingsLine,
    StandingsSheet,
    standings_pdf,
)

__all__ = [
    "PAIRS_GAME",
    "ROTATION",
    "AdjudicationReport",
    "Annulled",
    "Badge",
    "BadgeSheet",
    "BracketPart",
    "BracketSheet",
    "Diploma",
    "DiplomaSheet",
    "DocumentError",
    "DrawSheet",
    "DrawnTable",
    "EventReport",
    "Imprint",
    "IncidentLine",
    "Minutes",
    "NotFinalError",
    "Paper",
    "Person",
    "PrizeLine",
    "PrizeList",
    "Receipt",
    "ReceiptSheet",
    "ResultLine",
    "RoundReport",
    "RulingRecord",
    "RulingSlip",
    "ScoreSheetForm",
    "Seat",
    "SeatCard",
    "SeatCardSheet",
    "SheetHead",
    "SlipGame",
    "SlipSheet",
    "StandingsColumn",
    "StandingsLine",
    "StandingsSheet",
    "State",
    "TableCard",
    "TableCardSheet",
    "TableSlip",
    "adjudication_report_pdf",
    "badges_pdf",
    "bracket_pdf",
    "diplomas_pdf",
    "draw_by_name_pdf",
    "draw_by_table_pdf",
    "event_report_pdf",
    "minutes_pdf",
    "prize_list_pdf",
    "receipts_pdf",
    "ruling_slip_pdf",
    "score_sheets_pdf",
    "seat_cards_pdf",
    "standings_pdf",
    "table_cards_pdf",
    "table_slips_pdf",
]
