"""Names pasted from a message or a spreadsheet, as the file of players that the import reads."""

from __future__ import annotations

import csv
import io
import re
from typing import Final

from .answers import is_paid, standing, yes_or_no
from .headed import HEADINGS_WITHIN, Headings, find_headings
from .names import are_whole, is_near, is_person, split, starts_given, surnames_first, turn
from .reading import Layout, guessed_columns, likely_columns
from .sheets import MOST_SIGNS
from .words import unaccented

_MARK: Final = re.compile(
    r"^\s*(?:[>|]\s*)*(?:\d\ufe0f?\u20e3|🔟|(?:[-–—*•]\s*)?\[[ xXvV✓✔]?\]|[-–—•*·✓✔☐☑✅▪►→○●◦]+\ufe0f?"
    r"|(?:[ée]quipe|ploeg|team|paire?|paar|table|tafel)\s*\d{1,4}\s*[.):/-]+"
    r"|\(?\d{1,4}\s*[.):/-]+)\s*(?=\S)",
    re.IGNORECASE,
)
"""Marks before a name in a list: a dash, a point, its number."""
_BULLET: Final = re.compile(r"^\s*[-–—•*·▪►→○●◦]+\s+(?=[^\W\d])")
"""A dash or a point before a line of a list, below headings too."""
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
    if mailed and (signed := _signed_up(lines)):
        return _csv([signed]), Layout({"name": 0, "email": 1, "phone": 2, "state": 3}, 1)
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
    lines = [part for line in _explained(_without_results(lines)) for part in _enumerated(line)]
    lines = _answered(lines)
    strokes = sum(line.strip().startswith("|") for line in filled) * 2 > len(filled)
    commas = _are_rows(filled)
    rows = [_cells(line, strokes=strokes, commas=commas) for line in lines]
    layout = None
    rows = [
        [_BULLET.sub("", row[0])] if len(row) == 1 and _BULLET.match(row[0]) else row
        for row in rows
    ]
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


_LONGEST_LINE: Final = 300
"""Characters of a line that is looked at for its shape."""


def _is_line(text: str) -> bool:
    return len(text) <= _LONGEST_LINE


_RESULT: Final = re.compile(
    r"^(\s*\d{1,3}(?:er|[èe]re|[èe]me|e|de|ste|st|nd|rd|th)?[.)]?\s+)?(.*[^\W\d].*?)[\s:–-]+[+-]?\d{1,4}(?:[.,]\d+)?\s*(?:pts?|points?|punten|ptn|p)\.?\s*$",
    re.IGNORECASE,
)
"""A line of standings: rank, name, points."""


def _without_results(lines: list[str]) -> list[str]:
    """Return the names of pasted standings; any other lines as they are.

    >>> _without_results(["1er DUPONT Jean 45 pts", "2e LEROY Luc 41 pts", "3e SIMON An 40 pts"])
    ['DUPONT Jean', 'LEROY Luc', 'SIMON An']
    """
    results = [_RESULT.match(line) if _is_line(line) else None for line in lines]
    shown = sum(each is not None for each in results)
    if shown < 3 or shown * 4 < 3 * sum(bool(line.strip()) for line in lines):
        return lines
    return [each[2].strip() if each else line for each, line in zip(results, lines, strict=True)]


_LEGEND: Final = re.compile(r"\s*\(?([^\w\s])\s*[=:]\s*(\S.{2,30}?)\)?\s*")
"""The meaning of a sign: “* = betaald”."""


def _explained(lines: list[str]) -> list[str]:
    """Put the meaning of a sign behind the names that have it, and drop the line that explains it.

    >>> _explained(["Jan Maes *", "Els Claes", "* = betaald"])
    ['Jan Maes (betaald)', 'Els Claes', '']
    """
    for at, line in enumerate(lines):
        match = _LEGEND.fullmatch(line) if _is_line(line) else None
        if match and (standing(match[2]) or is_paid(match[2]) is not None):
            return [
                ""
                if place == at
                else f"{each.replace(match[1], ' ').strip()} ({match[2]})"
                if match[1] in each and is_person(each.replace(match[1], " "))
                else each
                for place, each in enumerate(lines)
            ]
    return lines


_SECTION: Final = re.compile(r"([^:,\d]{3,40}?)\s*:\s*(\S.*)")


def _enumerated(line: str) -> list[str]:
    """Return the people of “Present: Jan Maes, Els Claes” below their section; any other line whole.

    >>> _enumerated("Afwezig: Jan Maes en Els Claes"), _enumerated("Paire 1 : Jan Maes / Els Claes")
    (['Afwezig:', 'Jan Maes', 'Els Claes'], ['Paire 1 : Jan Maes / Els Claes'])
    """
    match = _SECTION.fullmatch(line.strip()) if _is_line(line) else None
    if match is None or _BRACKETED.search(line):
        return [line]
    place = standing(match[1])
    parts = [part.strip(" .") for each in match[2].split(",") for part in split(each)]
    people = bool(parts) and all(map(is_person, parts))
    return [f"{match[1]}:", *parts] if people and place is not None else [line]


_ANSWERED: Final = re.compile(r"(.*[^\W\d])\s*(?:[:=]|\s[–-]|->|→)+\s*(\S.*)")


def _answered(lines: list[str]) -> list[str]:
    """Part the answers from the names of a list where a sign stands between them: “Jean Dupont : oui”."""
    filled = [line for line in lines if line.strip()]
    parted = [
        match
        if _is_line(line)
        and (match := _ANSWERED.fullmatch(line))
        and is_person(match[1])
        and yes_or_no(match[2]) is not None
        else None
        for line in lines
    ]
    shown = sum(each is not None for each in parted)
    if shown < 2 or shown * 4 < 3 * len(filled):
        return lines
    return [
        (each[1] if yes_or_no(each[2]) else f"{each[1]} (afgemeld)") if each else line
        for each, line in zip(parted, lines, strict=True)
    ]


_SENDER: Final = re.compile(
    r"^\s*(?:van|de|from)\s*:\s*\"?([^<>\"@]*?)\"?\s*[<\[(]?([^\s<>\[\]();]+@[^\s<>\[\]();]+)",
    re.IGNORECASE,
)
_SIGNS_UP: Final = re.compile(
    r"m ?['’]inscri|(?:schrijf|schrijven) (?:me|mij|ons)\b|\bme inschrijven|mij inschrijven|inscription pour|inschrijving voor"
    r"|wil(?:len)? (?:graag )?(?:meedoen|deelnemen|meespelen)|(?:souhaite|veux|voudrais) participer|(?:sign|count) me (?:up|in)"
)
"""A sentence by which the writer of a mail enters."""
_AND_OTHERS: Final = re.compile(
    r"\b(?:avec|met|with|mon|ma|mijn|ons|nous|notre|wij|we|ne|pas|niet|annul\w*|desinscri\w*|uitschrij\w*|afmeld\w*)\b"
)
"""Words of a mail that enters more than its writer, or takes the entry back."""


def _signed_up(lines: list[str]) -> list[str] | None:
    """Return name, address, telephone and open words of the writer of a mail who enters; of any other mail none."""
    lines = [line[:_LONGEST_LINE] for line in lines]
    sender = next(filter(None, map(_SENDER.match, lines)), None)
    body = [line.strip() for line in lines if line.strip() and not _MAIL_HEAD.match(line)]
    entry = next((line for line in body if _SIGNS_UP.search(unaccented(line))), "")
    if sender is None or not entry or not is_person(sender[1].strip()):
        return None
    name = sender[1].strip()
    if any(is_person(line) and not is_near(line, name) for line in body):
        return None
    phone = next((match[0] for line in body if (match := _DIALLED.fullmatch(line))), "")
    others = " ".join(line for line in body if _AND_OTHERS.search(unaccented(line)))
    return [name, sender[2], phone, others[:100]]


_DIALLED: Final = re.compile(r"(?:\+|0)(?:[\s./()-]*\d){8,13}")
"""A line that is a telephone number."""


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
