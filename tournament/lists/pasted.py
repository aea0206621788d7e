"""Names pasted from a message or a spreadsheet, as the file of players that the import reads."""

from __future__ import annotations

import csv
import io
import re
from typing import Final

from .answers import standing
from .headed import HEADINGS_WITHIN, Headings, find_headings
from .names import are_whole, is_person, split, starts_given, surnames_first, turn
from .reading import Layout, guessed_columns, likely_columns
from .sheets import MOST_SIGNS

_MARK: Final = re.compile(
    r"^\s*(?:[>|]\s*)*(?:\d\ufe0f?\u20e3|🔟|(?:[-–—*•]\s*)?\[[ xXvV✓✔]?\]|[-–—•*·✓✔☐☑✅▪►→○●◦]+\ufe0f?"
    r"|(?:[ée]quipe|ploeg|team|paire?|paar|table|tafel)\s*\d{1,4}\s*[.):/-]+"
    r"|\(?\d{1,4}\s*[.):/-]+)\s*(?=\S)",
    re.IGNORECASE,
)
"""Marks before a name in a list: a dash, a point, its number."""
_NUMBER: Final = re.compile(r"^\d{1,4}\s+(?=[^\W\d])")
"""A number that only a space parts from the name: of a list where most lines have one."""
_NUMBERED: Final = re.compile(
    r"^\s*(?:\d\ufe0f?\u20e3\s*|\(?\d{1,4}(?:\s*[.):/-]+\s*|\s+))(?=[^\W\d])"
)
"""A line that begins with its number, whatever parts it from the name."""
_BRACKETED: Final = re.compile(r"<[^<>\s]+@[^<>\s]+>")
"""An address as mail programs write it behind a name."""
_PIECE: Final = re.compile(r"""(?:"[^"]*"|<[^<>]*>|[^,;"<>]|["<>])+""")
"""What stands between two separators of a list of receivers, with a name in quotation marks whole."""
_PHONE: Final = re.compile(
    r"(?<=[^\W\d])[^\w+]*(?:\b(?:t[eé]l[eé]?(?:phone|foon)?|gsm|mobile|portable)\b[^\w+]*)?"
    r"((?!\d{1,2}[./-]\d{1,2}[./-]\d{4}\b)\+?\(?\d(?:[\s./()-]*\d){7,14})[\s)]*$",
    re.IGNORECASE,
)
"""A phone number behind a name; a date is none."""


_CHAT: Final = re.compile(
    r"^\s*\u200e?\[?(?:\d{1,4}[./-]\d{1,2}[./-]\d{2,4},?\s+(?:om |à )?\d{1,2}[:.h]\d{2}(?:[:.]\d{2})?"
    r"(?:\s?[AaPp]\.?[Mm]\.?)?|\d{1,2}[:.h]\d{2}(?:[:.]\d{2})?,?\s+\d{1,4}[./-]\d{1,2}[./-]\d{2,4})"
    r"\]?\s*(?:[-–]\s*)?~?\s?([^:]{2,60}):\s(.*)$"
)
"""A line of a chat as programs copy and export it: when, who, what."""
_MAILED: Final = re.compile(r"^\s*(?:aan|à|to|cc|bcc|cci)\s*:\s*(?=\S)", re.IGNORECASE)
"""The field of a mail that lists its receivers."""
_MAIL_HEAD: Final = re.compile(
    r"^\s*(?:van|de|from|onderwerp|objet|subject|datum|date|verzonden|envoyé|sent)\s*:.*$",
    re.IGNORECASE,
)
"""A field of a mail that lists no receivers."""
_BEFORE: Final = re.compile(
    r"^[^,:]*?(?:\b(?:met|avec|with|zijn|sont|are|komen|viennent)|:)\s+(?=[^\W\d_a-z])"
)
"""Words of a sentence before the names that it lists."""
_RULE: Final = re.compile(r"^[\s|:+=-]+$")
"""A line of a table that only separates."""


def _answers(lines: list[str]) -> list[list[str]] | None:
    """Return sender and last message of a chat in which people answer; ``None`` of any other text."""
    spoken = [_CHAT.match(line) for line in lines]
    if sum(each is not None for each in spoken) < 2:
        return None
    if _says_list(spoken, lines):
        return None
    rows: list[list[str]] = [[] for _line in lines]
    last: dict[str, int] = {}
    for at, each in enumerate(spoken):
        if each is not None:
            sender = each[1].strip()
            if sender in last:
                rows[last[sender]] = []
            rows[at] = [sender, each[2].strip()]
            last[sender] = at
    return rows


def _says_list(spoken: list[re.Match[str] | None], lines: list[str]) -> bool:
    """Whether the names of a chat stand in its messages: numbered lines, or one sender's names."""
    messages = [line if each is None else each[2] for each, line in zip(spoken, lines, strict=True)]
    if sum(bool(_NUMBERED.match(text)) for text in messages) > 1:
        return True
    talk = [each for each in spoken if each is not None]
    people = sum(is_person(each[2]) and standing(each[2]) is None for each in talk)
    return len({each[1].strip() for each in talk}) < len(talk) and people * 2 > len(talk)


def _message(line: str, *, listed: bool) -> str:
    """Return a line of a list without the sender and the moment; a message that names no player is empty."""
    spoken = _CHAT.match(line)
    if spoken is None:
        return line
    message = spoken[2].strip()
    return message if _NUMBERED.match(message) or (listed and is_person(message)) else ""


def _receivers(line: str) -> list[str]:
    """Return the people of a line of a mail's receivers; any other line whole.

    >>> _receivers('"Cools, Ann" <ann@example.org>, jef@example.org; Smets, An <an@example.org>')
    ['Ann Cools <ann@example.org>', 'jef@example.org', 'An Smets <an@example.org>']
    """
    if not _BRACKETED.search(line):
        return [line]
    people: list[str] = []
    for piece in filter(None, map(str.strip, _PIECE.findall(line))):
        # A program that writes no quotation marks parts the surname from the rest by the same comma.
        halves = people and "@" not in people[-1] and "<" in piece
        given = piece.partition("<")[0].strip()
        if halves and given and " " not in given and not starts_given(people[-1]):
            people[-1] += f", {piece}"
        else:
            people.append(piece)
    return [_straight(each) for each in people]


def _straight(receiver: str) -> str:
    """Put the given name of a receiver first: a mail program writes no other comma than behind a surname."""
    name, bracket, address = receiver.partition("<")
    bare = name.replace('"', " ").strip()
    return f"{turn(bare)} <{address}" if bracket and bare.count(",") == 1 else receiver


def as_table(text: str, headings: Headings) -> tuple[bytes, Layout | None]:
    """Return a text as a CSV, row by row as it was pasted, and the columns where no headings name them.

    Cells are cut at tabs, of a spreadsheet, at semicolons or at the strokes of a table. Without headings one cell
    is a name; of several the first that is no number is the name, one with ``@`` the address, the next the club.
    A phone number behind a name is a cell of its own. One line with several commas is a list of names, and so are
    the receivers of an e-mail (“Jan <jan@example.org>, Els <els@example.org>”). In a chat the senders are
    the people, and their last message says whether they come.

    >>> content, layout = as_table("1. Jan Maes\\n\\n2. DELVOYE, Huguette", {})
    >>> content.decode(), layout.columns
    ('"Jan Maes"\\r\\n\\r\\n"DELVOYE, Huguette"\\r\\n', {'name': 0})
    """
    lines = text.replace("\u00a0", " ").splitlines()
    answers = _answers(lines)
    if answers is not None:
        return _csv(answers), Layout({"name": 0, "state": 1}, 1)
    listed = _says_list([_CHAT.match(line) for line in lines], lines)
    lines = [_MAILED.sub("", _message(line, listed=listed)) for line in lines]
    mailed = any(_MAIL_HEAD.match(line) and "@" in line for line in lines)
    if mailed:
        spoken = sum("@" not in line and is_person(line) for line in lines)
        lines = ["" if spoken > 1 and line.count("@") == 1 else line for line in lines]
    lines = ["" if mailed and _MAIL_HEAD.match(line) else line for line in lines]
    lines = [part for line in lines for part in _receivers(line)]
    filled = [line for line in lines if line.strip()]
    if len(filled) == 1 and not re.search("[\t;]", filled[0]) and filled[0].count(",") > 1:
        lines = _in_prose(filled[0])
    elif len(filled) == 1 and "\t" not in filled[0] and are_whole(filled[0].strip("; ").split(";")):
        lines = filled[0].split(";")
    strokes = sum(line.strip().startswith("|") for line in filled) * 2 > len(filled)
    commas = _are_rows(filled)
    rows = [_cells(line, strokes=strokes, commas=commas) for line in lines]
    layout = None
    named = [each for each in enumerate(rows) if each[1]][:HEADINGS_WITHIN]
    if not find_headings(named, headings)[1]:
        numbered = sum(bool(row and _NUMBERED.match(row[0])) for row in rows)
        rows = [
            [_MARK.sub("", cell) if at == 0 else cell for at, cell in enumerate(row)]
            for row in rows
        ]
        first_row = 1
        named_lines = [line for line in filled if not line.rstrip().endswith(":")]
        if numbered * 2 > sum(any(map(str.isalpha, line)) for line in named_lines):
            first_row = _first_numbered(lines)
            rows = [[_NUMBER.sub("", row[0]), *row[1:]] if row else [] for row in rows]
        likely = likely_columns(rows[first_row - 1 :])
        columns = likely if "first" in likely else guessed_columns(rows[first_row - 1 :])
        layout = Layout(columns, first_row)
        at = columns.get("name", 0)
        if "name" in columns and surnames_first(row[at] for row in rows if at < len(row)):
            layout.columns["turned"] = layout.columns.pop("name")
        phones = [_PHONE.search(row[0]) if row else None for row in rows]
        if any(phones):
            end = max(map(len, rows))
            at = layout.columns.setdefault("phone", end)
            for row, phone in zip(rows, phones, strict=True):
                if phone:
                    row[0] = row[0][: phone.start()]
                    row += [""] * (at + 1 - len(row))
                    row[at] = phone[1]
    return _csv(rows), layout


def _in_prose(line: str) -> list[str]:
    """Return the names of a line with commas, without the words before the first and between the last two.

    >>> _in_prose("Wij komen met Jan Maes, Els Claes en Tom Roels.")
    ['Jan Maes', 'Els Claes', 'Tom Roels']
    """
    parts = [part.strip() for part in line.rstrip(" .").split(",")]
    parts = [bare if is_person(bare := _BEFORE.sub("", part)) else part for part in parts]
    last = split(parts[-1])
    return [*parts[:-1], *(last if len(last) == 2 and all(map(is_person, last)) else parts[-1:])]


def _first_numbered(lines: list[str]) -> int:
    """Return the row where a numbered list begins: what stands above its number 1 is its title."""
    for at, line in enumerate(lines, start=1):
        if number := _NUMBERED.match(line):
            return at if int(re.sub(r"\D", "", number[0])) == 1 else 1
    return 1


def _are_rows(lines: list[str]) -> bool:
    """Whether commas part the cells of each line, and a name in full stands first.

    >>> _are_rows(["Jan Maes, De Kroon, 0470 11 22 33", "Els Claes, De Kroon,"]), _are_rows(["Maes, Jan", "Claes, Els"])
    (True, False)
    """
    if len(lines) < 2 or any(re.search("[\t;|@]", line) for line in lines):
        return False
    cells = [[cell.strip() for cell in line.split(",")] for line in lines]
    beside = [row[1] for row in cells if len(row) > 1]
    again = len(cells[0]) > 2 or len(set(beside)) * 4 <= len(beside) * 3
    return (
        len({len(row) for row in cells}) == 1
        and bool(beside)
        and again
        and all(is_person(row[0]) for row in cells)
        and not any(map(starts_given, beside))
    )


def _cells(line: str, *, strokes: bool, commas: bool) -> list[str]:
    if not line.strip() or (strokes and _RULE.match(line)):
        return []
    sign = "|" if strokes else "," if commas else "\t" if "\t" in line else ";"
    cells = line.strip(" |") if strokes else line
    return [cell.strip()[:MOST_SIGNS] for cell in cells.split(sign)]


def _csv(rows: list[list[str]]) -> bytes:
    out = io.StringIO()
    csv.writer(out, delimiter=";", quoting=csv.QUOTE_ALL).writerows(rows)
    return out.getvalue().encode()
