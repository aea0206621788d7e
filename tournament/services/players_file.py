"""A file of players as read: anything reasonable, with every bad row shown; nothing is written.

Accepted: XLSX, and CSV with comma, semicolon or tab, in UTF-8 (with or without mark), Latin-1 or both.
Columns by their heading in any of the three languages: name (or last and first name), club,
number, e-mail, family, fixed seat, partner.
"""

from __future__ import annotations

import csv
import io
import zipfile
from dataclasses import dataclass, field
from typing import Any, Final

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.utils.translation import gettext as _

from ledger.errors import Refused
from tournament.models import Event

HEADINGS: dict[str, frozenset[str]] = {
    "name": frozenset({"name", "naam", "nom", "player", "speler", "joueur", "full name"}),
    "first": frozenset({"first name", "firstname", "voornaam", "prénom", "prenom"}),
    "last": frozenset(
        {"last name", "lastname", "surname", "familienaam", "achternaam", "nom de famille"}
    ),
    "club": frozenset({"club", "société", "societe", "vereniging", "équipe", "equipe", "ploeg"}),
    "number": frozenset(
        {"number", "no", "no.", "nr", "nr.", "n°", "nummer", "numéro", "numero", "#"}
    ),
    "email": frozenset({"email", "e-mail", "mail", "courriel", "adresse e-mail", "e-mailadres"}),
    "family": frozenset({"family", "familie", "famille"}),
    "fixed": frozenset({"fixed seat", "vaste plaats", "place fixe"}),
    "partner": frozenset({"partner", "maat", "partenaire"}),
}
LOST: Final = "\ufffd"
"""What a decoder puts in the place of bytes that are no letter."""
_YES = frozenset({"x", "1", "yes", "ja", "oui", "true", "y", "j", "o"})


@dataclass(slots=True)
class Line:
    """One row of the file as read: its line number, its fields, what is wrong with it."""

    line: int
    name: str = ""
    club: str = ""
    number: int | None = None
    email: str = ""
    family: str = ""
    fixed: bool = False
    partner: str = ""
    errors: list[str] = field(default_factory=list)
    duplicate_of: str = ""


@dataclass(slots=True)
class Preview:
    """What an import would do: every line, the columns recognised, the problems of the file.

    ``headings`` and ``ignored`` are the file's own words, ``columns`` what they stand for.
    """

    lines: list[Line] = field(default_factory=list)
    columns: list[str] = field(default_factory=list)
    headings: list[str] = field(default_factory=list)
    ignored: list[str] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)

    @property
    def bad(self) -> list[Line]:
        """The lines that cannot be imported."""
        return [line for line in self.lines if line.errors]

    @property
    def duplicates(self) -> list[Line]:
        """The lines that name somebody who is there already, or twice in the file."""
        return [line for line in self.lines if line.duplicate_of]

    @property
    def accented(self) -> list[str]:
        """Names with letters beyond A to Z, each once: where a wrong encoding would show."""
        return list(dict.fromkeys(line.name for line in self.lines if not line.name.isascii()))

    @property
    def importable(self) -> bool:
        """Whether the file may be imported as it is."""
        return bool(self.lines) and not self.problems and not self.bad


def _decode(content: bytes) -> str:
    """The text: UTF-8, marked UTF-16, else line by line, since lists are pasted together.

    A line that is valid UTF-8 with accents is hardly anything else; all other lines are cp1252,
    Latin-1 with the signs of Windows, where :data:`LOST` stands for what is no letter at all.
    """
    marked = content[:2] in (b"\xff\xfe", b"\xfe\xff")
    try:
        return content.decode("utf-16" if marked else "utf-8-sig")
    except UnicodeDecodeError:
        return "".join(_decode_line(line) for line in content.splitlines(keepends=True))


def _decode_line(line: bytes) -> str:
    try:
        return line.decode("utf-8-sig")
    except UnicodeDecodeError:
        return line.decode("cp1252", errors="replace")


def _csv_rows(content: bytes) -> list[list[str]]:
    text = _decode(content)
    first = text.split("\n", 1)[0]
    delimiter = max(";\t,", key=first.count)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    rows = []
    for row in reader:
        rows.append(row)
        if len(rows) > settings.IMPORT_MAX_ROWS + 1:
            break
    return rows


def _xlsx_rows(content: bytes) -> list[list[str]]:
    import openpyxl

    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        if sum(item.file_size for item in archive.infolist()) > 20 * settings.IMPORT_MAX_BYTES:
            raise Refused(
                "file_too_large",
                _("The spreadsheet unpacks to too much. Save only the list of players."),
                field="file",
            )
    book = openpyxl.load_workbook(io.BytesIO(content), read_only=True, data_only=True)
    try:
        sheet = book.worksheets[0]
        rows = []
        for values in sheet.iter_rows(values_only=True):
            rows.append([_cell(value) for value in values])
            if len(rows) > settings.IMPORT_MAX_ROWS + 1:
                break
        return rows
    finally:
        book.close()


def _cell(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value)


def read_rows(content: bytes) -> list[list[str]]:
    """The rows of an uploaded file as text; :class:`Refused` when it is no table at all."""
    if len(content) > settings.IMPORT_MAX_BYTES:
        raise Refused("file_too_large", _("The file is too large: at most 10 MB."), field="file")
    if not content.strip():
        raise Refused("file_empty", _("The file is empty."), field="file")
    try:
        if content[:4] == b"PK\x03\x04":
            return _xlsx_rows(content)
        if b"\x00" in content[:4096] and content[:2] not in (b"\xff\xfe", b"\xfe\xff"):
            raise Refused(
                "not_a_table", _("This is no spreadsheet. Save it as XLSX or CSV."), field="file"
            )
        return _csv_rows(content)
    except Refused:
        raise
    except (
        zipfile.BadZipFile,
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
    found: dict[str, int] = {}
    for index, heading in enumerate(header):
        name = " ".join(heading.strip().lower().split())
        for column, names in HEADINGS.items():
            if name in names and column not in found:
                found[column] = index
    return found


def _clean(text: str) -> str:
    return " ".join("".join(sign for sign in text if sign.isprintable() or sign.isspace()).split())


def read_players(*, event: Event, content: bytes) -> Preview:
    """Read a file of players against what the event already holds; nothing is written."""
    rows = [
        row
        for row in enumerate(read_rows(content), start=1)
        if any(cell.strip() for cell in row[1])
    ]
    preview = Preview()
    if not rows:
        preview.problems.append(_("The file holds no rows."))
        return preview
    _number, header = rows[0]
    columns = _columns(header)
    if "name" not in columns and "last" not in columns:
        preview.problems.append(
            _(
                "No column is headed “name”. Put headings in the first row: name, club, number, e-mail."
            )
        )
        return preview
    preview.columns = sorted(columns, key=columns.__getitem__)
    preview.headings = [header[columns[name]].strip() for name in preview.columns]
    preview.ignored = [
        text for index, text in enumerate(header) if index not in columns.values() and text.strip()
    ]
    if len(rows) - 1 > settings.IMPORT_MAX_ROWS:
        preview.problems.append(
            _("The file has too many rows: at most %(most)d.") % {"most": settings.IMPORT_MAX_ROWS}
        )
        return preview
    taken = dict(event.entrants.values_list("number", "pk"))
    names = {
        (name.casefold(), (club or "").casefold())
        for name, club in event.entrants.exclude(person__name="").values_list(
            "person__name", "club__name"
        )
    }
    in_file: dict[int, int] = {}
    seen: dict[tuple[str, str], int] = {}
    for line_number, row in rows[1:]:
        preview.lines.append(_line(line_number, row, columns, taken, names, in_file, seen))
    if not preview.lines:
        preview.problems.append(_("The file holds headings but no players."))
    return preview


def _line(
    line_number: int,
    row: list[str],
    columns: dict[str, int],
    taken: dict[int, int],
    names: set[tuple[str, str]],
    in_file: dict[int, int],
    seen: dict[tuple[str, str], int],
) -> Line:
    """Read and check one row against the event and the rows before it."""

    def cell(column: str) -> str:
        index = columns.get(column)
        return _clean(row[index]) if index is not None and index < len(row) else ""

    line = Line(
        line_number,
        club=cell("club"),
        email=cell("email"),
        family=cell("family"),
        partner=cell("partner"),
    )
    line.name = cell("name") or " ".join(filter(None, (cell("first"), cell("last"))))
    line.fixed = cell("fixed").casefold() in _YES
    if not line.name:
        line.errors.append(_("the name is missing"))
    for text, most, what in (
        (line.name, 100, _("name")),
        (line.partner, 100, _("partner")),
        (line.club, 80, _("club")),
        (line.family, 40, _("family")),
    ):
        if len(text) > most:
            line.errors.append(
                _("the %(what)s is longer than %(most)d characters") % {"what": what, "most": most}
            )
        if LOST in text:
            line.errors.append(
                _("the %(what)s has letters that cannot be read: save the file as UTF-8 or XLSX")
                % {"what": what}
            )
    if line.email:
        try:
            validate_email(line.email)
        except ValidationError:
            line.errors.append(_("“%(email)s” is no e-mail address") % {"email": line.email[:60]})
    number = cell("number")
    if number:
        if not (
            number.isascii()
            and number.isdigit()
            and 1 <= int(number[:9]) <= 99999
            and len(number) <= 9
        ):
            line.errors.append(
                _("“%(number)s” is no number from 1 to 99999") % {"number": number[:20]}
            )
        else:
            line.number = int(number)
            if line.number in taken:
                line.errors.append(
                    _("number %(number)d is already given in this event") % {"number": line.number}
                )
            elif line.number in in_file:
                line.errors.append(
                    _("number %(number)d stands also in row %(row)d")
                    % {"number": line.number, "row": in_file[line.number]}
                )
            else:
                in_file[line.number] = line_number
    key = (line.name.casefold(), line.club.casefold())
    if line.name:
        if key in names:
            line.duplicate_of = _("already in this event")
        elif key in seen:
            line.duplicate_of = _("row %(row)d") % {"row": seen[key]}
        else:
            seen[key] = line_number
    return line
