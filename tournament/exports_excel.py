"""Tables as a spreadsheet of the reader opens them: their words, their separator, their decimal sign.

The files of :mod:`tournament.exports` are for programs: stable keys, the same in every language.
"""

from __future__ import annotations

import csv
import io
from decimal import Decimal
from typing import Final

from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _

from tournament.models import EntrantState, Event
from tournament.models.players import BY_KEY
from tournament.queries.names import directory
from tournament.ranking.criteria import CRITERIA
from tournament.ranking.figures import decimal_sign
from tournament.tables.entry import name_of_side

from .exports import Cell, Exported, counted, safe_cell

OUTCOMES: Final = {
    "won": gettext_lazy("won"),
    "lost": gettext_lazy("lost"),
    "draw": gettext_lazy("tied"),
}
STATES: Final = dict(EntrantState.choices)
HEADINGS: Final[dict[str, object]] = {
    "number": gettext_lazy("Number"),
    "numbers": gettext_lazy("Numbers"),
    "names": gettext_lazy("Names"),
    "name": gettext_lazy("Name"),
    "club": gettext_lazy("Club"),
    "stage": gettext_lazy("Stage"),
    "round": gettext_lazy("Round"),
    "table": gettext_lazy("Table"),
    "seat": gettext_lazy("Seat"),
    "game": gettext_lazy("Game"),
    "side": gettext_lazy("Side"),
    "against": gettext_lazy("Against"),
    "deals": gettext_lazy("Deals"),
    "outcome": gettext_lazy("Outcome"),
    "decision": gettext_lazy("Decision"),
    "forfeited": gettext_lazy("Round forfeited"),
    "rank": gettext_lazy("Rank"),
    "tied": gettext_lazy("Tied with others"),
    "stage_rank": gettext_lazy("Rank in the stage"),
    "games": gettext_lazy("Games"),
    "won": gettext_lazy("Games won at the table"),
    "drawn": gettext_lazy("Games tied"),
    "lost": gettext_lazy("Games lost"),
    "credited": gettext_lazy("Games credited"),
    "withdrawn": gettext_lazy("Withdrawn"),
    "excluded": gettext_lazy("Excluded"),
    "unplayed": gettext_lazy("Never played"),
    "adjusted": gettext_lazy("Adjusted"),
}
"""The columns as a reader sees them; criteria and what is given of players have labels of their own."""
_COMPASS: Final = frozenset("NESW")


def heading(column: str) -> str:
    """Return the heading of a column in the reader's language."""
    if column in HEADINGS:
        return str(HEADINGS[column])
    if column in BY_KEY:
        return BY_KEY[column].label
    language = (get_language() or "en")[:2]
    return CRITERIA[column].name.render(language) if column in CRITERIA else column


def _shown(column: str, value: Cell, comma: bool) -> Cell:
    if value is None:
        return ""
    if isinstance(value, bool):
        # An empty cell of this column would be read as a yes.
        return _("yes") if value else _("no") if column == "keeps_score" else ""
    if isinstance(value, Decimal):
        return str(value).replace(".", ",") if comma else str(value)
    if column == "state":
        return str(STATES.get(str(value), value))
    if column == "outcome":
        return str(OUTCOMES.get(str(value), value))
    if column == "seat" and value == "bye":
        return _("bye")
    if column in ("side", "seat") and _COMPASS.issuperset(str(value)):
        return name_of_side(str(value), get_language() or "en")
    return safe_cell(value)


def as_excel(table: Exported, event: Event) -> bytes:
    """Write a CSV that Excel opens directly in the reader's language, with names next to numbers.

    If an event has several stages, they are named.
    """
    comma = decimal_sign(get_language() or "en") == ","
    columns = list(table.columns)
    stages = {stage.order: stage.title for stage in event.stages.all()}
    people = {who.number: who.name for who in directory(event).values()}
    at = columns.index("numbers") if "numbers" in columns else None
    if at is not None:
        columns.insert(at + 1, "names")
    text = io.StringIO()
    writer = csv.writer(text, delimiter=";" if comma else ",", lineterminator="\r\n")
    writer.writerow([heading(column) for column in columns])
    for row in counted(table):
        if at is not None:
            numbers = [int(number) for number in str(row[at]).split()]
            row.insert(at + 1, " – ".join(people.get(number, "") for number in numbers))
        if "stage" in columns and len(stages) > 1:
            place = columns.index("stage")
            row[place] = stages[int(str(row[place]))]
        pairs = zip(columns, row, strict=True)
        writer.writerow([_shown(column, value, comma) for column, value in pairs])
    return b"\xef\xbb\xbf" + text.getvalue().encode()
