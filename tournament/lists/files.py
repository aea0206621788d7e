"""The bytes of a file as sheets of text, by what they are and not by the file's name."""

from __future__ import annotations

import io
import lzma
import quopri
import re
import zipfile
import zlib
from collections.abc import Callable
from html.parser import HTMLParser
from typing import Final

from .sheets import MOST_COLUMNS, Sheet, Unreadable, enough
from .texts import SEPARATORS, decode, lines_of, records
from .workbooks import binary, open_document, open_xml

_OLD_WORKBOOK: Final = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_LISTS: Final = (".csv", ".tsv", ".txt", ".xlsx", ".xlsm", ".xls", ".xlsb", ".ods", ".vcf", ".tab")
_PROGRAMS: Final = (
    ("word/document.xml", "Word"),
    ("ppt/presentation.xml", "PowerPoint"),
    ("Index/Document.iwa", "Numbers"),
    ("Index.zip", "Numbers"),
    ("Index/Tables/", "Numbers"),
    ("xl/workbook.bin", "Excel"),
)
"""Parts by which the files of other programs are known."""
Rate = Callable[[list[list[str]]], tuple[int, ...]]
"""How well rows look like a list of people."""


def sheets_of(
    content: bytes, *, most_rows: int, most_bytes: int, rate: Rate, nested: bool = False
) -> list[Sheet]:
    """Return the sheets of a file; :class:`Unreadable` if it holds no table.

    ``rate`` chooses the separator of a text.
    """
    if not content.strip():
        raise Unreadable("file_empty")
    start = content[:4096].lstrip(b"\xef\xbb\xbf \t\r\n")
    try:
        if content[:4] == b"PK\x03\x04":
            with zipfile.ZipFile(io.BytesIO(content)) as archive:
                return _packed(archive, most_rows, most_bytes, rate, nested=nested)
        if content.startswith(_OLD_WORKBOOK):
            return binary(content, most_rows)
        if start.startswith(b"%PDF"):
            raise Unreadable("not_a_table", "PDF")
        if start.startswith(b"{\\rtf"):
            raise Unreadable("not_a_table", "Word")
        if start.startswith(b"<"):
            return _web_page(decode(content), most_rows)
        text = decode(content)
        if "\x00" in text[:4096]:
            raise Unreadable("not_a_table")
        if start[:15].upper().startswith(b"BEGIN:VCARD") or text.lstrip("\ufeff").startswith(
            "BEGIN:VCARD"
        ):
            return [Sheet(enough(_cards(text), most_rows))]
        return [_separated(text, most_rows, rate)]
    except Unreadable:
        raise
    except (
        zipfile.BadZipFile,
        zlib.error,
        lzma.LZMAError,
        RuntimeError,  # encrypted, or packed in a way that zipfile does not know
        EOFError,
        KeyError,
        ValueError,
        OSError,
        IndexError,
        TypeError,
        SyntaxError,
        RecursionError,
    ) as error:
        raise Unreadable("file_unreadable") from error


def _packed(
    archive: zipfile.ZipFile, most_rows: int, most_bytes: int, rate: Rate, *, nested: bool
) -> list[Sheet]:
    """Read a workbook, or the only list that an archive of files holds."""
    names = archive.namelist()
    if sum(item.file_size for item in archive.infolist()) > 5 * most_bytes:
        raise Unreadable("file_too_large")
    if "xl/workbook.xml" in names:
        return open_xml(archive, most_rows)
    if "content.xml" in names:
        return open_document(archive, most_rows)
    for part, program in _PROGRAMS:
        if any(name.startswith(part) for name in names):
            raise Unreadable("not_a_table", program)
    lists = [
        name
        for name in names
        if name.lower().endswith(_LISTS) and not name.startswith(("__MACOSX/", "."))
    ]
    if nested or not lists:
        raise Unreadable("file_unreadable")
    if len(lists) > 1:
        raise Unreadable("several_files", ", ".join(name.rsplit("/", 1)[-1] for name in lists[:5]))
    return sheets_of(
        archive.read(lists[0]),
        most_rows=most_rows,
        most_bytes=most_bytes,
        rate=rate,
        nested=True,
    )


def _separated(text: str, most_rows: int, rate: Rate) -> Sheet:
    """Read a text by the separator that makes most of it."""
    stated = re.match(r"sep=(.)\r?\n", text)
    if stated:
        text = "\n" + text[stated.end() :]  # the first line counts
    lines, read = lines_of(text), []
    signs = [sign for sign in SEPARATORS if sign in text or sign == SEPARATORS[0]]
    for separator in stated[1] if stated else signs:
        sheet = Sheet([])
        sheet.rows = enough(records(lines, separator, sheet.mended), most_rows)
        read.append(sheet)
    return max(read, key=lambda sheet: rate(sheet.rows))


class _Tables(HTMLParser):
    """The tables of a web page as rows of text."""

    def __init__(self) -> None:
        super().__init__()
        self.tables: list[list[list[str]]] = []
        self._cell: list[str] | None = None

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Open a table, a row or a cell."""
        if tag == "table":
            self.tables.append([])
        elif tag == "tr" and self.tables:
            self._end_cell()
            self.tables[-1].append([])
        elif tag in ("td", "th") and self.tables and self.tables[-1]:
            self._end_cell()
            self._cell = []
        elif tag == "br" and self._cell is not None:
            self._cell.append("\n")

    def handle_endtag(self, tag: str) -> None:
        """Close a cell."""
        if tag in ("td", "th", "tr", "table"):
            self._end_cell()

    def handle_data(self, data: str) -> None:
        """Add text to the open cell."""
        if self._cell is not None:
            self._cell.append(" ".join(data.split()) if data.strip() else " ")

    def _end_cell(self) -> None:
        if self._cell is not None and len(self.tables[-1][-1]) < MOST_COLUMNS:
            self.tables[-1][-1].append("".join(self._cell).strip())
        self._cell = None


def _web_page(text: str, most_rows: int) -> list[Sheet]:
    """Read the tables of a web page, which some programs save under the name of a spreadsheet."""
    page = _Tables()
    page.feed(text)
    page.close()
    sheets = [Sheet(enough(table, most_rows), str(at)) for at, table in enumerate(page.tables, 1)]
    if not any(sheet.rows for sheet in sheets):
        raise Unreadable("not_a_table")
    return sheets


_CARD_LINE: Final = re.compile(r"(?:[\w-]+\.)?([A-Za-z-]+)((?:;[^:]*)?):(.*)")


def _cards(text: str) -> list[list[str]]:
    """Return the people of an address book (vCard) with a name, an address and a telephone each."""
    rows = [["name", "email", "phone"]]
    text = re.sub(r"=\r?\n", "", text) if "QUOTED-PRINTABLE" in text.upper() else text
    card: dict[str, str] = {}
    for line in re.sub(r"\r?\n[ \t]", "", text).splitlines():
        field = _CARD_LINE.fullmatch(line.strip())
        if field is None:
            continue
        name, marks, value = field[1].upper(), field[2].upper(), field[3]
        if "QUOTED-PRINTABLE" in marks:
            value = decode(quopri.decodestring(value.encode("latin-1", "replace")))
        if name == "END":
            whole = card.get("FN") or " ".join(
                part.strip() for part in _unescaped(card.get("N", "")).split(";")[1::-1]
            )
            rows.append([_unescaped(whole).strip(), card.get("EMAIL", ""), card.get("TEL", "")])
            card = {}
        elif name in ("FN", "N", "EMAIL", "TEL"):
            card.setdefault(name, value.removeprefix("tel:"))
    return rows


def _unescaped(text: str) -> str:
    return re.sub(r"\\([,;\\])", r"\1", text)
