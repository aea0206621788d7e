"""Workbooks: Open XML of any writer, OpenDocument, the old binary formats."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Iterator
from dataclasses import replace
from datetime import date, datetime, time
from itertools import repeat
from typing import Any, Final
from xml.etree.ElementTree import Element
from xml.sax.saxutils import unescape

from .sheets import FORMULA, MOST_COLUMNS, MOST_LINES, MOST_TAGS, Sheet, Unreadable, enough

_STRICT: Final = (
    (
        b"http://purl.oclc.org/ooxml/spreadsheetml/main",
        b"http://schemas.openxmlformats.org/spreadsheetml/2006/main",
    ),
    (
        b"http://purl.oclc.org/ooxml/officeDocument/relationships",
        b"http://schemas.openxmlformats.org/officeDocument/2006/relationships",
    ),
)
"""Namespaces of Strict Open XML, and those of the transitional form."""
_NOT_NEEDED: Final = ("docProps/", "xl/styles", "xl/drawings/", "xl/charts/", "xl/externalLinks/")
_HIDDEN: Final = re.compile(rb"<(?:\w+:)?row\b[^>]*\bhidden=[\"'](?:1|true)[\"'][^>]*>")
_ROW: Final = re.compile(rb"\br=[\"'](\d{1,7})[\"']")
_UNCOUNTED: Final = re.compile(
    rb"<(?:\w+:)?c\b([^>]*)>\s*<(?:\w+:)?f\b(?:[^>]*/>|[^<]*</(?:\w+:)?f>|[^>]*>[^<]*</(?:\w+:)?f>)"
    rb"\s*(?:<(?:\w+:)?v\s*/>|<(?:\w+:)?v>\s*</(?:\w+:)?v>)?\s*</(?:\w+:)?c>"
)
"""Cells with a formula and without its result."""
_CELL: Final = re.compile(rb"\br=[\"']([A-Z]{1,3})(\d{1,7})[\"']")
_MERGED: Final = re.compile(
    rb"<(?:\w+:)?mergeCell\b[^>]*\bref=[\"']([A-Z]{1,3})(\d{1,7}):([A-Z]{1,3})(\d{1,7})[\"']"
)
_FRONT: Final = re.compile(rb"config:name=\"ActiveTable\"[^>]*>([^<]*)<")
"""The sheet in front of a spreadsheet of OpenDocument."""
_TABLE: Final = "{urn:oasis:names:tc:opendocument:xmlns:table:1.0}"
_TEXT: Final = "{urn:oasis:names:tc:opendocument:xmlns:text:1.0}"
_OFFICE: Final = "{urn:oasis:names:tc:opendocument:xmlns:office:1.0}"
_STYLE: Final = "{urn:oasis:names:tc:opendocument:xmlns:style:1.0}"


def open_xml(archive: zipfile.ZipFile, most_rows: int) -> list[Sheet]:
    """Read a workbook of Open XML; where openpyxl rejects its formats, without them."""
    import openpyxl

    _require_small(archive)
    parts = _paths(archive)
    for plain in (False, True):
        try:
            book = openpyxl.load_workbook(
                _usual(archive, plain=plain), read_only=True, data_only=True
            )
            try:
                front = book.active
                return [
                    replace(
                        _formatted(sheet, _part(archive, parts.get(sheet.title, "")), most_rows),
                        active=sheet is front,
                    )
                    for sheet in book.worksheets
                ]
            finally:
                book.close()
        except (ValueError, TypeError, KeyError, IndexError, AttributeError):
            if plain:
                raise
    raise Unreadable("file_unreadable")


def _require_small(archive: zipfile.ZipFile) -> None:
    for item in archive.infolist():
        if item.filename.endswith((".xml", ".rels")) and archive.read(item).count(b"<") > MOST_TAGS:
            raise Unreadable("file_too_large")


def _usual(archive: zipfile.ZipFile, *, plain: bool) -> io.BytesIO:
    """Return the workbook in the transitional form; ``plain``: without the parts that programs write wrongly."""
    out = io.BytesIO()
    strict = _STRICT[0][0] in archive.read("xl/workbook.xml")
    with zipfile.ZipFile(out, "w") as new:
        for item in archive.infolist():
            part = archive.read(item)
            if plain and item.filename.startswith(_NOT_NEEDED):
                continue
            if strict and item.filename.endswith((".xml", ".rels")):
                for old, usual in _STRICT:
                    part = part.replace(old, usual)
            new.writestr(item.filename, part)
    out.seek(0)
    return out


def _xml(content: bytes) -> Element:
    from defusedxml.ElementTree import fromstring

    root: Element = fromstring(content)
    return root


def _local(name: str) -> str:
    return name.rsplit("}", 1)[-1]


def _paths(archive: zipfile.ZipFile) -> dict[str, str]:
    """Return the part of each sheet by its name."""
    try:
        links = {
            each.get("Id", ""): each.get("Target", "")
            for each in _xml(archive.read("xl/_rels/workbook.xml.rels"))
        }
    except KeyError:
        return {}
    paths: dict[str, str] = {}
    for sheet in _xml(archive.read("xl/workbook.xml")).iter():
        if _local(sheet.tag) == "sheet":
            key = next((value for name, value in sheet.items() if _local(name) == "id"), "")
            target = links.get(key, "")
            paths[sheet.get("name", "")] = (
                target.lstrip("/") if target.startswith("/") else f"xl/{target}"
            )
    return paths


def _part(archive: zipfile.ZipFile, path: str) -> bytes:
    try:
        return archive.read(path)
    except KeyError:
        return b""


def _column(letters: bytes) -> int:
    at = 0
    for letter in letters:
        at = at * 26 + letter - 64
    return at - 1


def _formatted(sheet: Any, part: bytes, most_rows: int) -> Sheet:
    """Read a sheet of openpyxl, whatever size it states: programs write that number wrongly."""
    read = Sheet([], sheet.title, sheet.sheet_state == "visible")
    read.hidden = {
        int(at[1]) - 1 for row in _HIDDEN.finditer(part) if (at := _ROW.search(row[0])) is not None
    }
    uncounted: dict[int, list[int]] = {}
    for cell in _UNCOUNTED.finditer(part):
        if at := _CELL.search(cell[1]):
            uncounted.setdefault(int(at[2]) - 1, []).append(_column(at[1]))
    sheet.reset_dimensions()
    strikes = _strikes(sheet)
    read.rows = enough(_rows_of(sheet, read, strikes, uncounted), most_rows)
    _fill_merged(read.rows, part)
    return read


def _strikes(sheet: Any) -> bool:
    """Whether any font of the workbook strikes its text through."""
    return any(font.strike for font in getattr(sheet.parent, "_fonts", ()))


def _rows_of(
    sheet: Any, read: Sheet, strikes: bool, uncounted: dict[int, list[int]]
) -> Iterator[list[str]]:
    # A cell far to the right would make every row of it as long as its column's number.
    if not strikes:
        nothing = (None,) * MOST_COLUMNS
        for index, values in enumerate(sheet.iter_rows(max_col=MOST_COLUMNS, values_only=True)):
            bare = values == nothing and index not in uncounted
            row = [] if bare else list(map(as_text, values))
            yield _counted(row, uncounted.get(index, ()))
        return
    for index, cells in enumerate(sheet.iter_rows(max_col=MOST_COLUMNS)):
        row = [as_text(cell.value) for cell in cells]
        read.struck |= {
            (index, at)
            for at, cell in enumerate(cells)
            if row[at].strip() and cell.font is not None and cell.font.strike
        }
        yield _counted(row, uncounted.get(index, ()))


def _counted(row: list[str], uncounted: list[int] | tuple[int, ...]) -> list[str]:
    for at in uncounted:
        if at < MOST_COLUMNS:
            row += [""] * (at + 1 - len(row))
            row[at] = row[at] or FORMULA
    return row


def _fill_merged(rows: list[list[str]], part: bytes) -> None:
    """Give each row of a cell merged downwards, such as a club's, the text of that cell."""
    for left, top, right, bottom in _MERGED.findall(part):
        first, last, at = int(top) - 1, int(bottom) - 1, _column(left)
        if left != right or first >= len(rows) or at >= len(rows[first]):
            continue
        text = rows[first][at]
        for row in rows[first + 1 : last + 1]:
            if row and text:
                row += [""] * (at + 1 - len(row))
                row[at] = row[at] or text


def as_text(value: object) -> str:
    """Return a cell's value as text: a whole number without a fraction, a day without a time."""
    if value is None:
        return ""
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    if isinstance(value, datetime) and value.time() == time():
        return str(value.date())
    if isinstance(value, (date, time, datetime)):
        return str(value)
    return str(value)


def binary(content: bytes, most_rows: int) -> list[Sheet]:
    """Read a workbook in the binary format of Excel 97."""
    import xlrd

    try:
        book = xlrd.open_workbook(
            file_contents=content, formatting_info=True, ragged_rows=True, logfile=io.StringIO()
        )
        return [_binary_sheet(book, sheet, most_rows) for sheet in book.sheets()]
    except Unreadable:
        raise
    except Exception as error:  # of damaged bytes xlrd raises whatever comes up
        locked = "encrypted" in str(error)
        raise Unreadable("file_locked" if locked else "file_unreadable") from error


def _binary_sheet(book: Any, sheet: Any, most_rows: int) -> Sheet:
    read = Sheet([], sheet.name, sheet.visibility == 0)
    read.hidden = {index for index, info in sheet.rowinfo_map.items() if info.hidden}
    rows = []
    for index in range(sheet.nrows):
        row = sheet.row(index)[:MOST_COLUMNS]
        rows.append([_binary_text(book, cell) for cell in row])
        read.struck |= {
            (index, at)
            for at, cell in enumerate(row)
            if book.font_list[book.xf_list[cell.xf_index].font_index].struck_out
        }
    read.rows = enough(rows, most_rows)
    return read


def _binary_text(book: Any, cell: Any) -> str:
    import xlrd

    if cell.ctype == xlrd.XL_CELL_ERROR:
        return str(xlrd.error_text_from_code.get(cell.value, "#N/A"))
    if cell.ctype == xlrd.XL_CELL_BOOLEAN:
        return str(bool(cell.value))
    if cell.ctype == xlrd.XL_CELL_DATE:
        return as_text(xlrd.xldate.xldate_as_datetime(cell.value, book.datemode))
    return as_text(cell.value)


def open_document(archive: zipfile.ZipFile, most_rows: int) -> list[Sheet]:
    """Read a spreadsheet of OpenDocument, repeated rows and cells once for each time they count."""
    content = archive.read("content.xml")
    if content.count(b"<") > MOST_TAGS:
        raise Unreadable("file_too_large")
    root = _xml(content)
    struck = {
        style.get(f"{_STYLE}name", "")
        for style in root.iter(f"{_STYLE}style")
        for text in style.iter(f"{_STYLE}text-properties")
        if text.get(f"{_STYLE}text-line-through-style", "none") != "none"
    }
    hidden = {
        style.get(f"{_STYLE}name", "")
        for style in root.iter(f"{_STYLE}style")
        for table in style.iter(f"{_STYLE}table-properties")
        if table.get(f"{_TABLE}display") == "false"
    }
    front = _FRONT.search(_part(archive, "settings.xml"))
    active = unescape(front[1].decode()) if front else ""
    sheets = []
    for table in root.iter(f"{_TABLE}table"):
        name = table.get(f"{_TABLE}name", "")
        sheet = Sheet([], name, active=name == active)
        sheet.visible = table.get(f"{_TABLE}style-name", "") not in hidden
        sheet.rows = enough(_document_rows(table, sheet, struck), most_rows)
        sheets.append(sheet)
    if not sheets:
        raise Unreadable("not_a_table")
    return sheets


def _document_rows(table: Element, sheet: Sheet, struck: set[str]) -> Iterator[list[str]]:
    index = 0
    for element in table.iter(f"{_TABLE}table-row"):
        row: list[str] = []
        for cell in element:
            if cell.tag not in (f"{_TABLE}table-cell", f"{_TABLE}covered-table-cell"):
                continue
            text = _document_text(cell)
            times = _times(cell, "columns") if text else min(_times(cell, "columns"), MOST_COLUMNS)
            if text and cell.get(f"{_TABLE}style-name", "") in struck:
                sheet.struck.add((index, len(row)))
            row += [text] * min(times, MOST_COLUMNS - len(row))
        times = min(_times(element, "rows"), MOST_LINES)
        if element.get(f"{_TABLE}visibility", "visible") != "visible" and any(row):
            sheet.hidden.add(index)
        yield from repeat(row, times)
        index += times


def _times(element: Element, what: str) -> int:
    text = element.get(f"{_TABLE}number-{what}-repeated", "1")
    return int(text) if text.isascii() and text.isdigit() and len(text) < 9 else 1


def _document_text(cell: Element) -> str:
    """Return a cell's text, its paragraphs as lines; of a yes or no its word."""
    if cell.get(f"{_OFFICE}value-type") == "boolean":
        return str(cell.get(f"{_OFFICE}boolean-value") == "true")
    return "\n".join(_paragraph(each) for each in cell if each.tag == f"{_TEXT}p")


def _paragraph(element: Element) -> str:
    text = element.text or ""
    for each in element:
        if each.tag == f"{_TEXT}s":
            text += " " * min(_spaces(each), 100)
        elif each.tag == f"{_TEXT}tab":
            text += " "
        elif _local(each.tag) != "annotation":
            text += _paragraph(each)
        text += each.tail or ""
    return text


def _spaces(element: Element) -> int:
    text = element.get(f"{_TEXT}c", "1")
    return int(text) if text.isascii() and text.isdigit() else 1
