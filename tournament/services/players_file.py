"""A file of players as read: anything reasonable, with every row shown; nothing is written.

Accepted: XLSX, and CSV with comma, semicolon or tab, in UTF-8 (with or without mark), Latin-1 or both.
Of a workbook the sheet that looks most like a list of players
is read unless another is chosen; the others are named. The headings may stand below a title. Columns by their
heading in any of the three languages (:func:`~tournament.models.players.headings`), the name in one column or
two; or as the director says (:class:`Layout`). A row that is no player (a title, a total) is named with its
reason.
"""

from __future__ import annotations

import csv
import io
import lzma
import re
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, Final

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.db.models import EmailField
from django.utils.translation import gettext as _

from ledger.canonical import JsonObject
from ledger.errors import Refused
from tournament.documents.draws import Person, alphabetical
from tournament.models import EntrantState, Event
from tournament.models.players import BY_KEY, GIVEN, Value, heading, headings, unaccented
from tournament.queries.pages import in_pairs

from .mail import is_offered
from .plain import plain
from .yes_and_no import is_paid, yes_or_no

COLUMNS: Final = ("turned", "last", "first", *BY_KEY)
"""Possible contents of a column; ``turned``: names as "last, first", to be read first name first."""
FORMER: Final = {"fixed": "fixed_seat"}
"""Names that a column had in earlier releases."""
MAIL: Final = tuple(each.key for each in GIVEN if isinstance(each.column, EmailField))
"""Columns that are read only where the installation sends e-mail."""
HEADINGS_WITHIN: Final = 15
"""So many rows are searched for the headings."""
MOST_COLUMNS: Final = 100
"""Columns of a spreadsheet that are read."""
MOST_LINES: Final = 1_048_576
"""Lines that are read, empty ones too: as many as a sheet of any program has."""
SHEET_LOOKED_AT: Final = 60
"""Rows of each sheet that are looked at to find the list of players."""
MOST_TAGS: Final = 1_000_000
"""Tags in one part of a spreadsheet: ten thousand rows of 25 cells. Reading takes its time by these."""
_TOTAL: Final = re.compile(
    r"(?:(?:grand|sous|sub|algemeen|general)[ -]?)?tota(?:l|al|ux|als|len)\b.*"
    r"|(?:aantal|nombre|number|som|somme|sum|count)\b[ :=]*"
    r"(?:(?:de|van|of|d)?[ ’']*(?:joueurs|inscrits|participants|spelers|deelnemers|players)?)"
    r"[ :=]*\d*",
)
"""A row that adds up, by what it begins with."""
_NO_NAME: Final = (":", "!", "?")
"""Ends of a message's line that is no name."""
_GREETING: Final = re.compile(
    r"(?:bonjour|bonsoir|salut|coucou|merci|cordialement|amicalement|bien a (?:vous|toi)|bonne soiree"
    r"|bonne journee|chere?s?|hallo|dag|beste|goeie(?:n)?dag|goedenavond|bedankt|groet(?:en|jes)?"
    r"|met vriendelijke groet(?:en)?|mvg|hello|hi|dear|thanks|cheers|(?:kind |best )?regards)(?:[,.]?|\b.*,)"
)
"""A greeting: the whole line, or with a name up to a comma."""
_PHONE: Final = re.compile(r"(?!\d{1,2}[./-]\d{1,2}[./-]\d{4}$)\+?\(?(?:\d[\s./()-]*){8,15}")
"""A phone number, whatever signs separate its digits; a date is none."""
_EMPTY: Final = re.compile(r"[\W_]*\d{0,4}[\W_]*")
"""Content of a numbered row without a player: its number, dots or a line to write on."""
_DATED: Final = re.compile(r"(?:\d\D*){4}")
"""So many digits are in no name: a date, a telephone."""
_AND: Final = re.compile(r"\w\s*(?:[&+]|\s(?:en|et|and)\s)\s*\w", re.IGNORECASE)
"""Separators between two people who share a line."""
LOST: Final = "\ufffd"
"""Replacement characters of a decoder for bytes that are no letter."""
_PICTURES: Final = re.compile("[\u2190-\u2bff\ufe0e\ufe0f\U0001f000-\U0001faff]")
"""Arrows, marks and pictures, and what chooses how they look."""
_BEFORE_SURNAMES: Final = frozenset(
    [
        "d",
        "d'",
        "da",
        "de",
        "del",
        "della",
        "den",
        "der",
        "des",
        "di",
        "du",
        "el",
        "la",
        "le",
        "les",
        "op",
        "t",
        "'t",
        "ten",
        "ter",
        "van",
        "vande",
        "vanden",
        "vander",
        "von",
    ]
)
_PLAYS: Final = frozenset(
    {
        "registered",
        "present",
        "presente",
        "inscription",
        "inscrit",
        "inscrite",
        "presence",
        "ingeschreven",
        "aanwezig",
    }
)
"""States in a file of players who are to be drawn."""
_LEFT: Final = re.compile(
    r"(?:(?:s ?['’]|est|s|a|is|heeft|has|was|zich|elle|il|zij|hij|they)\b[ '’]*)*"
    r"(?:withdr[ae]w|cancell?ed|annul|geannul|desist|desinscri|forfait|forfeit|abandon|afgemeld|afgezegd"
    r"|uitgeschreven|opgave|opgegeven|teruggetrokken|ingetrokken|retire(?:e?s?)\b).*"
)
"""States of who is drawn no more, by their stem; a date or a reason may follow."""
_UNSURE: Final = re.compile(
    r"\?|\b(?:pas|non|ne|niet|geen|not|no|toch|finalement|mais|maar|but|peut[ -]etre|misschien|maybe"
    r"|perhaps|possible|mogelijk|revient|retour|revenue?|terug|weer|returned|back)\b"
)
"""Words that turn a state around or leave it open."""
_QUOTED: Final = re.compile(r"""((?:^|[;,\t\r\n])["'\s]*)'(?=[=+\-@＝＋－＠])""")
"""The apostrophe that an export puts before what a spreadsheet would calculate."""
_ADDRESS: Final = re.compile(r"[<(\[]?(?:mailto:)?([^\s<>()\[\],;:]+@[^\s<>()\[\],;:]+)[>)\]]?")
"""An e-mail address inside a name, as mail programs copy it."""
_TELEPHONE: Final = re.compile(
    r"[(\[]?(?:\b(?:t[eé]l|gsm|mobile|portable|telefoon)\w*[.: ]*)?"
    r"((?:\+|\b00?)[1-9](?:[\s./()-]*\d){7,13})[)\]]?",
    re.IGNORECASE,
)
"""A telephone number inside a name: it begins with a nought or a plus."""
_BETWEEN: Final = re.compile(
    r"\s*[\r\n]+\s*|\s*[&+]\s*|\s+[/–—-]\s+|\s*/\s*|\s+(?:en|et|and)\s+", re.IGNORECASE
)
"""Separators between the two of a pair in one cell."""
_PARTED: Final = re.compile(r"\S\s*[\r\n]+\s*\S|\w\s*/\s*\w|\w\s+[–—-]\s+\w")
"""Signs of two people in one cell: lines of it, a stroke, a dash between spaces."""


@dataclass(slots=True)
class Line:
    """One row of the file as read: its line number, its fields, what is wrong with it."""

    line: int
    values: dict[str, Value] = field(default_factory=lambda: {e.key: e.usual for e in GIVEN})
    """Values of a player in the row, by the keys of :data:`~tournament.models.players.GIVEN`."""
    unclear: str = ""
    """Unclear word in the column of payments."""
    errors: list[str] = field(default_factory=list)
    duplicate_of: str = ""
    left_out: str = ""
    """Why the row is no player; empty for one that is."""
    doubt: str = ""
    """Reason why the name may be wrong or incomplete; it is imported unchanged."""

    @property
    def name(self) -> str:
        """The name, or of a row that is no player its cells."""
        return str(self.values["name"])

    @property
    def club(self) -> str:
        """The name of the club."""
        return str(self.values["club"])

    @property
    def partner(self) -> str:
        """The name of the second of a pair."""
        return str(self.values["partner"])

    @property
    def number(self) -> int | None:
        """The start number, where the row gives one that is free."""
        number = self.values["number"]
        return number if isinstance(number, int) else None

    @property
    def withdrawn(self) -> bool:
        """Whether the player is drawn no more."""
        return self.values["state"] == EntrantState.WITHDRAWN


class _Known:
    """People listed so far, with the place of each.

    Accents, capitals and the order of first and last name do not count, and a missing club matches
    any club. One name in two clubs is two people.
    """

    def __init__(self) -> None:
        self._listed: dict[str, list[tuple[str, str]]] = {}

    def add(self, name: str, club: str, where: str) -> None:
        """List a person."""
        self._listed.setdefault(_folded(name), []).append((_folded(club), where))

    def where(self, name: str, club: str) -> str:
        """Return the place where a person of that name and club is listed; empty if there is none."""
        wanted = _folded(club)
        return next(
            (
                where
                for listed, where in self._listed.get(_folded(name), ())
                if listed == wanted or not listed or not wanted
            ),
            "",
        )


def _folded(text: str) -> str:
    """Return the words of a name in one order, without accents and capitals."""
    return " ".join(sorted(alphabetical(Person(text))[0].split()))


@dataclass(frozen=True, slots=True)
class Layout:
    """Column mapping chosen by the director: field → index, and the first player's row."""

    columns: dict[str, int]
    first_row: int

    def as_json(self) -> dict[str, object]:
        """Return the layout as the import's job keeps it."""
        return {"columns": self.columns, "first_row": self.first_row}

    @classmethod
    def from_json(cls, value: JsonObject | None) -> Layout | None:
        """Read what :meth:`as_json` wrote; ``None`` for ``None``."""
        return cls(dict(value["columns"]), int(value["first_row"])) if value else None


@dataclass(slots=True)
class Preview:
    """Effect of an import: every line, the columns recognised, the problems of the file.

    ``headings`` and ``ignored`` are the file's own words, ``columns`` their meaning; ``sample``
    holds its first rows unchanged, ``layout`` the positions of the columns, ``guess`` likely
    columns without a heading.
    """

    lines: list[Line] = field(default_factory=list)
    left_out: list[Line] = field(default_factory=list)
    sample: list[tuple[int, list[str]]] = field(default_factory=list)
    layout: Layout | None = None
    guess: dict[str, int] = field(default_factory=dict)
    columns: list[str] = field(default_factory=list)
    headings: list[str] = field(default_factory=list)
    ignored: list[str] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    numbers_taken: bool = False
    """Whether a number of the file is another player's in the event."""
    sheet: str = ""
    sheets: list[str] = field(default_factory=list)
    """The sheet that was read, and the names of all where a workbook has several."""
    lists: list[str] = field(default_factory=list)
    """The other sheets that look like lists of players, too."""

    @property
    def rows(self) -> list[Line]:
        """Every row of the file that holds anything, in its order."""
        return sorted([*self.lines, *self.left_out], key=lambda line: line.line)

    @property
    def bad(self) -> list[Line]:
        """The lines that cannot be imported."""
        return [line for line in self.lines if line.errors]

    @property
    def duplicates(self) -> list[Line]:
        """The lines of players who are entered already, or twice in the file."""
        return [line for line in self.lines if line.duplicate_of]

    @property
    def new(self) -> list[Line]:
        """The lines of new players."""
        return [line for line in self.lines if not line.duplicate_of]

    @property
    def doubtful(self) -> list[Line]:
        """The lines with a name to check."""
        return [line for line in self.lines if line.doubt]

    @property
    def accented(self) -> list[str]:
        """Names with letters beyond A to Z, each once: they would reveal a wrong encoding."""
        return list(dict.fromkeys(line.name for line in self.lines if not line.name.isascii()))

    @property
    def asks(self) -> list[str]:
        """The unclear words in the column of payments, each once."""
        return list(dict.fromkeys(line.unclear for line in self.lines if line.unclear))

    @property
    def importable(self) -> bool:
        """Whether the file may be imported as it is."""
        return bool(self.lines) and not self.problems and not self.bad and not self.asks


def _decode(content: bytes) -> str:
    """Decode the text: UTF-8, marked UTF-16, else line by line, since lists are pasted together.

    A line that is valid UTF-8 with accents is hardly anything else; all other lines are cp1252,
    Latin-1 with the signs of Windows, where :data:`LOST` stands for what is no letter at all.
    """
    if content[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return content.decode("utf-16")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return "".join(_decode_line(line) for line in content.splitlines(keepends=True))


def _decode_line(line: bytes) -> str:
    try:
        return line.decode("utf-8-sig")
    except UnicodeDecodeError:
        return line.decode("cp1252", errors="replace")


def _csv_rows(content: bytes) -> list[list[str]]:
    text = _decode(content)
    return max((_separated(text, sign) for sign in ";\t,"), key=_likelihood)


def _separated(text: str, delimiter: str) -> list[list[str]]:
    return _enough(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter))


def _enough(rows: Iterable[list[str]]) -> list[list[str]]:
    """Return the rows up to one more than an import accepts; empty ones do not count."""
    lines: list[list[str]] = []
    nothing: list[str] = []
    filled = 0
    for row in islice(rows, MOST_LINES):
        lines.append(_without_empty_end(row) or nothing)
        filled += bool(lines[-1])
        if filled > settings.IMPORT_MAX_ROWS + HEADINGS_WITHIN:
            break
    return lines


def _likelihood(rows: list[list[str]]) -> tuple[int, int, int]:
    """Rate how well a separator explains a text: headings read, rows that fit below them, columns.

    A sign that separates few of the rows belongs to their names.
    """
    filled = [row for row in rows if any(cell.strip() for cell in row)]
    top, columns = _headings(list(enumerate(filled[:HEADINGS_WITHIN])))
    width = len(filled[top]) if columns else 0
    fitting = sum(len(row) <= width for row in filled) if columns else 0
    parted = sum(len(row) > 1 for row in filled)
    return len(columns), fitting, parted if columns or parted * 2 > len(filled) else 0


@dataclass(frozen=True, slots=True)
class Table:
    """The rows of a file as text: of a workbook those of one sheet, beside the names of all."""

    rows: list[list[str]]
    sheet: str = ""
    sheets: tuple[str, ...] = ()
    lists: tuple[str, ...] = ()
    """The sheets with headings and at least one player below them."""


def _workbook(content: bytes, wanted: str) -> Table:
    import openpyxl

    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        sizes = sum(item.file_size for item in archive.infolist())
        if sizes > 5 * settings.IMPORT_MAX_BYTES or any(
            archive.read(item).count(b"<") > MOST_TAGS for item in archive.infolist()
        ):
            raise Refused(
                "file_too_large",
                _("The spreadsheet is too large when unpacked. Save only the list of players."),
                field="file",
            )
    book = openpyxl.load_workbook(io.BytesIO(content), read_only=True, data_only=True)
    try:
        sheets = {sheet.title: sheet for sheet in book.worksheets}
        fits = {name: _fit(sheet) for name, sheet in sheets.items()}
        name = wanted if wanted in sheets else max(fits, key=fits.__getitem__)
        rows = _enough(_rows_of(sheets[name]))
        if len(sheets) == 1:
            return Table(rows, name)
        lists = tuple(each for each, fit in fits.items() if fit[0])
        return Table(rows, name, tuple(sheets), lists)
    finally:
        book.close()


def _rows_of(sheet: Any) -> Iterator[list[str]]:
    """Yield the rows of a sheet, whatever its stated size: programs write that number wrongly."""
    sheet.reset_dimensions()
    # A cell far to the right would make every row of it as long as its column's number.
    nothing = (None,) * MOST_COLUMNS
    for values in sheet.iter_rows(max_col=MOST_COLUMNS, values_only=True):
        yield [] if values == nothing else [_cell(value) for value in values]


def _fit(sheet: Any) -> tuple[bool, bool, int]:
    """Rate how well a sheet looks like a list of players: names below headings, visible to readers, columns."""
    filled = [
        row for row in map(_without_empty_end, islice(_rows_of(sheet), SHEET_LOOKED_AT)) if row
    ]
    top, columns = _headings(list(enumerate(filled[:HEADINGS_WITHIN])))
    listed = bool(columns) and len(filled) > top + 1
    return listed, sheet.sheet_state == "visible" and bool(filled), len(columns)


def _without_empty_end(row: list[str]) -> list[str]:
    """Return the row up to its last filled cell: a spreadsheet has no end of a row."""
    filled = [index for index, cell in enumerate(row) if cell.strip()]
    return row[: filled[-1] + 1] if filled else []


def _cell(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value)


def read_rows(content: bytes) -> list[list[str]]:
    """Return the rows of an uploaded file as text; :class:`Refused` when it is no table at all."""
    return read_table(content).rows


def read_table(content: bytes, sheet: str = "") -> Table:
    """Read the rows of the named or best-fitting sheet as :func:`read_rows` does, and the sheets' names."""
    if len(content) > settings.IMPORT_MAX_BYTES:
        raise Refused("file_too_large", _("The file is too large: at most 10 MB."), field="file")
    if not content.strip():
        raise Refused("file_empty", _("The file is empty."), field="file")
    try:
        if content[:4] == b"PK\x03\x04":
            return _workbook(content, sheet)
        nuls = b"\x00" in content[:4096] and content[:2] not in (b"\xff\xfe", b"\xfe\xff")
        # Some programs save a web page under the name of a spreadsheet.
        if nuls or content.lstrip().startswith((b"<", b"%PDF", b"{\\rtf")):
            raise Refused(
                "not_a_table", _("This is not a spreadsheet. Save it as XLSX or CSV."), field="file"
            )
        return Table(_csv_rows(content))
    except Refused:
        raise
    except (
        zipfile.BadZipFile,
        zlib.error,
        lzma.LZMAError,
        RuntimeError,  # encrypted, or packed in a way that nobody here knows
        EOFError,
        KeyError,
        ValueError,
        OSError,
        csv.Error,
        IndexError,
        TypeError,
        SyntaxError,
    ) as error:
        raise Refused(
            "file_unreadable",
            _("The file cannot be read. Save it again as XLSX or CSV."),
            field="file",
        ) from error


def _columns(header: list[str]) -> dict[str, int]:
    """Map columns by their headings; a name next to a first name is a last name."""
    columns: dict[str, int] = {}
    for index, text in enumerate(header):
        words = "number" if text.strip() == "#" else heading(text)
        for column, names in headings().items():
            if words in names and column not in columns:
                columns[column] = index
    if "first" in columns and "name" in columns and "last" not in columns:
        columns["last"] = columns.pop("name")
    return columns


def _headings(rows: list[tuple[int, list[str]]]) -> tuple[int, dict[str, int]]:
    """Return the place of the row of headings among ``rows``, and its columns; none without a name.

    A name is not headed by a word with a figure: "Speler 01" is somebody.
    """
    best: tuple[int, dict[str, int]] = (0, {})
    for place, (_number, row) in enumerate(rows):
        columns = _columns(row)
        name = columns.get("name", columns.get("last"))
        numbered = name is not None and re.search(r"\d", row[name])
        if name is not None and not numbered and len(columns) > len(best[1]):
            best = place, columns
    return best


def headings_in(rows: list[list[str]]) -> bool:
    """Whether one of the first rows holds headings, a column of names among them."""
    return bool(_headings(list(enumerate(rows[:HEADINGS_WITHIN])))[1])


def read_players(
    *,
    event: Event | None,
    content: bytes,
    layout: Layout | None = None,
    sheet: str = "",
    paid: Mapping[str, bool] | None = None,
) -> Preview:
    """Read a file of players against what the event already holds; nothing is written.

    Without an event it is read for itself, as a list of members.

    With a ``layout`` the columns are those that it names, and the headings are not looked for. ``sheet``: of a
    workbook, instead of the one that fits. ``paid``: what words in the column of payments mean.
    """
    table = read_table(content, sheet)
    rows = [row for row in enumerate(table.rows, start=1) if any(cell.strip() for cell in row[1])]
    preview = Preview(
        sample=rows[:HEADINGS_WITHIN],
        layout=layout,
        sheet=table.sheet,
        sheets=list(table.sheets),
        lists=[name for name in table.lists if name != table.sheet],
    )
    if not rows:
        preview.problems.append(_("The file contains no rows."))
        return preview
    if layout is not None:
        columns = {
            FORMER.get(column, column): at
            for column, at in layout.columns.items()
            if column not in MAIL or is_offered()
        }
        top = sum(number < layout.first_row for number, _row in rows)
    else:
        columns, top = _headed(preview, rows, event)
        if not columns:
            return preview
    if columns.keys().isdisjoint({"name", "turned", "last"}):
        preview.problems.append(_("Choose the column that contains the names."))
        return preview
    if layout is not None:
        preview.left_out += [
            _left_out(number, row, _("above the first player")) for number, row in rows[:top]
        ]
        preview.ignored = _first_cells_unused(rows[top:], set(columns.values()))
    if len(rows) - top > settings.IMPORT_MAX_ROWS:
        preview.problems.append(
            _("The file has too many rows: at most %(most)d.") % {"most": settings.IMPORT_MAX_ROWS}
        )
        return preview
    taken = dict(event.entrants.values_list("number", "pk")) if event else {}
    pairs = event is not None and in_pairs(event)
    known = _Known()
    if event:
        for name, club in event.entrants.exclude(person__name="").values_list(
            "person__name", "club__name"
        ):
            known.add(name, club or "", _("already in this event"))
    in_file: dict[int, int] = {}
    for line_number, row in rows[top:]:
        if why := _no_player(row, columns):
            preview.left_out.append(_left_out(line_number, row, why))
            continue
        preview.lines.append(
            _line(line_number, row, columns, taken, in_file, known, pairs=pairs, paid=paid or {})
        )
    if event is None:
        for line in preview.lines:
            line.unclear = ""
    elif not pairs:
        for line in preview.lines:
            if line.partner:
                line.doubt = line.doubt or _("one player or several?")
    _doubt_single_words(preview.lines, columns)
    preview.numbers_taken = any(line.number in taken for line in preview.lines)
    if not preview.lines:
        preview.problems.append(_("The file contains headings but no players."))
    return preview


def _headed(
    preview: Preview, rows: list[tuple[int, list[str]]], event: Event | None
) -> tuple[dict[str, int], int]:
    """Return the columns that the headings name, and where the players begin.

    The preview is told which they are; where no heading is a name's, what is likely.
    """
    at_row, columns = _headings(rows[:HEADINGS_WITHIN])
    if not is_offered():
        columns = {column: at for column, at in columns.items() if column not in MAIL}
    if not columns:
        preview.guess = _likely_columns([row for _number, row in rows])
        preview.problems.append(
            _("No column is headed “name”. Choose below what the columns contain.")
        )
        return columns, 0
    header, top = rows[at_row][1], at_row + 1
    # In a register of members a state is often the kind of membership.
    if event is None and not _says_states(rows[top:], columns.get("state")):
        columns.pop("state", None)
    preview.columns = sorted(columns, key=columns.__getitem__)
    preview.headings = [header[columns[name]].strip() for name in preview.columns]
    unread = {
        index: text.strip()
        for index, text in enumerate(header)
        if index not in columns.values() and text.strip()
    }
    preview.ignored = [
        *unread.values(),
        *_first_cells_unused(rows[top:], {*columns.values(), *unread}),
    ]
    preview.layout = Layout(columns, rows[at_row][0] + 1)
    for number, row in rows[:at_row]:
        preview.left_out.append(_left_out(number, row, _("above the headings")))
    preview.left_out.append(_left_out(*rows[at_row], _("the headings")))
    return columns, top


def _no_player(row: list[str], columns: dict[str, int]) -> str:
    """Why a row is no player's; empty where it is."""
    first = next(cell for cell in row if cell.strip()).strip()
    if _TOTAL.fullmatch(plain(first).casefold()):
        return _("a total, not a player")
    if first.endswith(_NO_NAME) or _GREETING.fullmatch(unaccented(first)):
        return _("a sentence, not a player")
    # A list is often numbered in advance: a number alone is not a player.
    naming = [at for column, at in columns.items() if column != "number"]
    names = {at for column, at in columns.items() if column in ("name", "turned", "first", "last")}
    filled = {at: row[at].strip() for at in naming if at < len(row) and row[at].strip()}
    nameless = filled.keys() <= names and all(map(_EMPTY.fullmatch, filled.values()))
    return _("no name") if nameless else ""


def _says_states(rows: list[tuple[int, list[str]]], at: int | None) -> bool:
    """Return whether a column below a heading such as “Status” marks who plays and who has left."""
    states = (
        unaccented(plain(row[at])) for _number, row in rows if at is not None and at < len(row)
    )
    return any(state in _PLAYS or _has_left(state) for state in states)


def _has_left(state: str) -> bool:
    """Return whether a state without accents means that the player has left."""
    return bool(_LEFT.fullmatch(state)) and not _UNSURE.search(state)


def _first_cells_unused(rows: list[tuple[int, list[str]]], known: set[int]) -> list[str]:
    """Return the first cell of each column that has no known heading and is not read."""
    first: dict[int, str] = {}
    for _number, row in rows:
        for index, text in enumerate(row):
            if index not in known and text.strip():
                first.setdefault(index, plain(text)[:30])
    return [
        _("column %(n)d (%(cell)s)") % {"n": index + 1, "cell": first[index]}
        for index in sorted(first)
    ]


def _left_out(number: int, row: list[str], why: str) -> Line:
    cells = " · ".join(filter(None, map(plain, row)))[:200]
    line = Line(number, left_out=why)
    line.values["name"] = cells
    return line


def _line(
    line_number: int,
    row: list[str],
    columns: dict[str, int],
    taken: dict[int, int],
    in_file: dict[int, int],
    known: _Known,
    *,
    pairs: bool,
    paid: Mapping[str, bool],
) -> Line:
    """Read and check one row against the event and the rows before it."""

    def cell(column: str) -> str:
        index = columns.get(column)
        text = plain(row[index]) if index is not None and index < len(row) else ""
        return _QUOTED.sub(r"\1", text)

    line = Line(line_number)
    values = line.values
    values |= {key: cell(key) for key, each in BY_KEY.items() if isinstance(each.usual, str)}
    fee = cell("paid")
    has_paid = paid.get(fee.casefold(), is_paid(fee))
    values["paid"], line.unclear = bool(has_paid), "" if has_paid is not None else fee
    last, _comma, first = cell("turned").partition(",")
    parts = (first, last) if "turned" in columns else (cell("first"), cell("last"))
    typed = row[columns["name"]].strip() if columns.get("name", len(row)) < len(row) else ""
    typed = _QUOTED.sub(r"\1", typed)
    if pairs and not line.partner:
        _without_contact(plain(typed), line)
        typed, values["partner"] = _pair_in(typed)
    whole = _without_contact(_without_pictures(plain(typed) or " ".join(filter(None, parts))), line)
    values["partner"] = _without_contact(_without_pictures(line.partner), line)
    # "DELVOYE, Huguette" is one person; the comma only separates the two names.
    values["name"] = " ".join(whole.replace(",", " ").split())
    if line.name and not any(letter.isalpha() for letter in line.name):
        line.errors.append(_("“%(name)s” has no letters") % {"name": line.name[:30]})
    line.doubt = _doubt(whole.strip(", "), bool(cell("first")), bool(cell("last")), columns)
    if _PARTED.search(_bare(typed)):
        line.doubt = line.doubt or _("one player or several?")
    state = unaccented(cell("state"))
    values["state"] = EntrantState.WITHDRAWN if _has_left(state) else EntrantState.REGISTERED
    if state and state not in _PLAYS and not line.withdrawn:
        question = _("what does “%(word)s” mean?") % {"word": cell("state")[:30]}
        line.doubt = _("; ").join(filter(None, (question, line.doubt)))
    for key, each in BY_KEY.items():
        if not isinstance(each.usual, bool) or key == "paid":
            continue
        answer = yes_or_no(cell(key))
        values[key] = each.usual if answer is None else answer
        if answer is None and cell(key):
            line.doubt = line.doubt or _("what does “%(word)s” mean?") % {"word": cell(key)[:30]}
    if not line.name:
        line.errors.append(_("the name is missing"))
    for each in GIVEN:
        text, most = values[each.key], each.column.max_length
        if not isinstance(text, str) or not text or isinstance(each.column, EmailField):
            continue
        what = each.label[:1].lower() + each.label[1:]
        if most is not None and len(text) > most:
            line.errors.append(
                _("the %(what)s is longer than %(most)d characters") % {"what": what, "most": most}
            )
        if LOST in text:
            line.errors.append(
                _("the %(what)s has letters that cannot be read: save the file as UTF-8 or XLSX")
                % {"what": what}
            )
    for email in filter(None, (str(values[key]) for key in MAIL)):
        try:
            validate_email(email)
        except ValidationError:
            line.errors.append(_("“%(email)s” is not an e-mail address") % {"email": email[:60]})
    if line.name:
        line.duplicate_of = known.where(line.name, line.club)
        if not line.duplicate_of:
            known.add(line.name, line.club, _("row %(row)d") % {"row": line_number})
    if cell("number"):
        _take_number(line, cell("number"), taken, in_file)
    return line


def _take_number(line: Line, text: str, taken: dict[int, int], in_file: dict[int, int]) -> None:
    """Give a line the number of its row, unless it is invalid or another player's."""
    usable = text.isascii() and text.isdigit() and len(text) <= 9 and 1 <= int(text) <= 99999
    if not usable:
        line.errors.append(
            _("“%(number)s” is not a number from 1 to 99999") % {"number": text[:20]}
        )
        return
    wanted = line.values["number"] = int(text)
    if line.duplicate_of and (wanted in taken or wanted in in_file):
        line.values["number"] = None  # theirs already; entered twice, they get a free one
    elif wanted in taken:
        line.errors.append(
            _("number %(number)d is already taken in this event") % {"number": wanted}
        )
    elif wanted in in_file:
        line.errors.append(
            _("number %(number)d is also in row %(row)d")
            % {"number": wanted, "row": in_file[wanted]}
        )
    else:
        in_file[wanted] = line.line


def _pair_in(typed: str) -> tuple[str, str]:
    """Split the two names of a pair in one cell; a single name is returned with an empty one."""
    both = [part for part in map(plain, _BETWEEN.split(_bare(typed))) if part]
    if len(both) == 1 and _is_several(both[0]):
        both = [part.strip() for part in both[0].split(",") if part.strip()]
    if len(both) == 2 and all(any(sign.isalpha() for sign in part) for part in both):
        return both[0], both[1]
    return typed, ""


def _bare(typed: str) -> str:
    """Return a cell of names without addresses and telephones."""
    return _TELEPHONE.sub(" ", _ADDRESS.sub(" ", typed)).strip()


def _without_contact(name: str, line: Line) -> str:
    """Remove the address and telephone that a mail program adds to a name; store them in the line."""
    address = _ADDRESS.search(name)
    if address:
        if is_offered() and not line.values["email"]:
            line.values["email"] = address[1]
        name = _ADDRESS.sub(" ", name)
    phone = _TELEPHONE.search(name)
    if phone:
        line.values["phone"] = line.values["phone"] or plain(phone[1])
        name = _TELEPHONE.sub(" ", name)
    return plain(name.replace('"', " ")).strip(" ,;") if address or phone else name


def _without_pictures(text: str) -> str:
    """Remove a message's pictures from a name: ✅, 👍."""
    return plain(_PICTURES.sub("", text))


def _is_several(name: str) -> bool:
    """Whether a name seems to be of several people: “Els Janssens, Bart Janssens”, “Els en Bart”."""
    if _AND.search(name):
        return True
    parts = [part.split() for part in name.split(",")]
    whole = [len(part) > 1 and part[0].casefold() not in _BEFORE_SURNAMES for part in parts]
    return len(parts) > 1 and all(whole)


def _doubt(name: str, first: bool, last: bool, columns: dict[str, int]) -> str:
    """Return the reason to check a name; empty where there is none."""
    if _DATED.search(name) or "(" in name or name[:1].isdigit():
        return _("is this a name?")
    if _is_several(name):
        return _("one player or several?")
    if {"first", "last"} <= columns.keys() and first != last and name.isalpha():
        return _("the first name is missing") if last else _("the surname is missing")
    return ""


def _doubt_single_words(lines: list[Line], columns: dict[str, int]) -> None:
    """Question a single word among whole names in one column."""
    single = [line for line in lines if line.name and " " not in line.name]
    if "name" in columns and len(single) * 4 <= len(lines):
        for line in single:
            line.doubt = line.doubt or _("is this the whole name?")


def guessed_columns(rows: list[list[str]]) -> dict[str, int]:
    """Guess the columns by the look of most of their cells; the first column of text is the name."""
    columns: dict[str, int] = {}
    for at in range(max(map(len, rows), default=1)):
        cells = [row[at] for row in rows if at < len(row) and row[at]]
        if cells and sum(
            cell.replace(".", "").isdigit() and len(cell) < 8 for cell in cells
        ) * 2 > len(cells):
            kind = "number"
        elif sum(bool(_PHONE.fullmatch(cell)) for cell in cells) * 2 > len(cells):
            kind = "phone"
        elif any("@" in cell for cell in cells):
            kind = "email"
        elif "name" not in columns:
            kind = "name"
        else:
            kind = "club"
        columns.setdefault(kind, at)
    if "name" not in columns:
        columns = {"name": 0, **{kind: at for kind, at in columns.items() if at}}
    return columns


def _likely_columns(rows: list[list[str]]) -> dict[str, int]:
    """Return the near-certain columns of a file without headings, to be confirmed.

    A name is of several words; a column of single words may be half a name, and what follows it too.
    """
    columns = guessed_columns(rows)
    columns.pop("club", None)
    names = [row[columns["name"]] for row in rows if columns["name"] < len(row)]
    if sum(" " in name.strip() for name in names) * 2 <= len(names):
        del columns["name"]
    return columns
