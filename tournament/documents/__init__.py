"""Documents on paper: pure functions from frozen values to the bytes of a PDF.

Each function takes one sheet, which holds an :class:`Imprint` (event, language, paper, state of the
records and their fingerprint, the moment of printing) and its content, and returns a PDF with
extractable text, outline, page numbers "x of y", title and language. Equal sheets give equal bytes.
Nothing here reads a clock, a file of the event or the database.

Languages are ``"fr"``, ``"nl"`` and ``"en"``; papers A4 and letter. A sheet that contradicts itself
raises :class:`DocumentError`; what only a finished event may issue raises :class:`NotFinalError`.
"""

from tournament.documents.draws import (
    DrawnTable,
    DrawSheet,
    Person,
    Seat,
    draw_by_name_pdf,
    draw_by_table_pdf,
)
from tournament.documents.imprint import DocumentError, Imprint, NotFinalError, State
from tournament.documents.looks import Paper
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
    "DocumentError",
    "DrawSheet",
    "DrawnTable",
    "Imprint",
    "NotFinalError",
    "Paper",
    "Person",
    "Seat",
    "SlipGame",
    "SlipSheet",
    "StandingsColumn",
    "StandingsLine",
    "StandingsSheet",
    "State",
    "TableSlip",
    "draw_by_name_pdf",
    "draw_by_table_pdf",
    "standings_pdf",
    "table_slips_pdf",
]
