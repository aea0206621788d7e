"""The people of a list: where its headings are, what its columns mean, what each row says.

Every row is accounted for: a person, a row left out with its reason, or a person to be decided
about. Sentences about them are the caller's.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from . import names
from .answers import (
    Beside,
    Standing,
    beside_name,
    comes,
    is_off,
    is_paid,
    speaks_of_money,
    standing,
    yes_or_no,
)
from .contents import (
    asked_about,
    by_contents,
    counting,
    headed_by_cells,
    with_debts_as_payments,
    with_particles,
    with_partners,
)
from .headed import HEADINGS_WITHIN, Headings, asks_surname_first, find_headings, meanings, tidied
from .nonplayers import Out, by_place, counted_clubs, named_clubs, why_no_player
from .sheets import ERRORS, FORMULA, Sheet
from .words import plain, unaccented

LONGEST_NAME: Final = 150
"""Characters of a cell with a name in which its state and payment are looked for."""
SHEET_LOOKED_AT: Final = 60
"""Rows of each sheet that are looked at to find the list of players."""
_PHONE: Final = re.compile(r"(?!\d{1,2}[./-]\d{1,2}[./-]\d{4}$)\+?\(?(?:\d[\s./()-]*){8,15}")
"""A phone number, whatever signs separate its digits; a date is none."""
_NUMBERED: Final = re.compile(
    r"\s*(?:(?:[ée]quipe|ploeg|team|paire?|paar|pair|n[ro]?)\b[ .°:]*)?\d{1,4}[.)]?\s*",
    re.IGNORECASE,
)
"""The number of a pair or of a row."""
_ASKED: Final = re.compile(r"[\s(\[]*[?❓❔][\s?!❓❔)\]]*$")
"""Question marks behind a name."""
_QUOTED: Final = re.compile(r"""((?:^|[;,\t\r\n])["'\s]*)'(?=[=+\-@＝＋－＠])""")
"""The apostrophe that an export puts before text that a spreadsheet would calculate."""
_RESERVE: Final = re.compile(r"(?:r|res|reserve|wl|w|la|att)[ .:-]*\d{0,3}", re.IGNORECASE)
"""The number of a reserve: R1."""
_NOT_COMING: Final = re.compile(r"[❌✖✗✘🚫⛔❓❔⏳⌛]\ufe0f?\s*")
"""A sign before a name: the person does not come, or their place is open."""
_STROKE: Final = "\u0336"
"""The sign that strikes a letter through in a message."""


ASIDE: Final = frozenset({Out.OFF, Out.HIDDEN, Out.STRUCK, Out.WAITING})
"""Reasons why a person is not entered; the reader may enter them all the same."""


class Doubt(StrEnum):
    """Reason to check a row."""

    NAME = "name"
    SEVERAL = "several"
    FIRST = "first"
    LAST = "last"
    WHOLE = "whole"
    WORD = "word"
    QUOTE = "quote"
    PARTNER = "partner"
    COMES = "comes"


class Fault(StrEnum):
    """Reason why a row cannot be imported."""

    MISSING = "missing"
    NO_LETTER = "no_letter"
    ERROR = "error"
    FORMULA = "formula"


class Settled(StrEnum):
    """The reader's decision about a row."""

    AS_IS = "as_is"
    SPLIT = "split"
    PAIR = "pair"
    OUT = "out"
    CLUB = "club"
    IN = "in"
    SAME = "same"
    """The person who is listed already, perhaps in another spelling."""
    PAID = "paid"
    """The person who is entered already: their payment is taken over."""
    MEMBER_1 = "member_1"
    MEMBER_2 = "member_2"
    MEMBER_3 = "member_3"
    MEMBER_4 = "member_4"
    """Which of the register's members of that name the person is, in the order of their keys."""


@dataclass(slots=True)
class Row:
    """One row of the list as understood."""

    line: int
    text: str
    """The filled cells of the file, in their order."""
    values: dict[str, str] = field(default_factory=dict)
    """Meaning of a column → its text; the name and the partner's without anything beside them."""
    typed: str = ""
    """The cell of the name."""
    out: Out | None = None
    standing: Standing | None = None
    paid: bool = False
    unclear: str = ""
    """Unclear word in the column of payments."""
    doubts: list[tuple[Doubt, str]] = field(default_factory=list)
    faults: list[tuple[Fault, str]] = field(default_factory=list)
    settled: Settled | None = None

    @property
    def name(self) -> str:
        """The name as it would be stored."""
        return self.values.get("name", "")


@dataclass(frozen=True, slots=True)
class Layout:
    """Column mapping chosen by the reader: meaning → index, and the first player's row."""

    columns: dict[str, int]
    first_row: int

    def as_json(self) -> dict[str, object]:
        """Return the layout for storage."""
        return {"columns": self.columns, "first_row": self.first_row}


@dataclass(frozen=True, slots=True)
class Wanted:
    """Input besides the file: the reader's decisions, and the list's purpose."""

    headings: Headings
    layout: Layout | None = None
    sheet: str = ""
    paid: Mapping[str, bool] = field(default_factory=dict)
    settled: Mapping[int, Settled] = field(default_factory=dict)
    unused: frozenset[str] = frozenset()
    """Meanings of columns that are not read."""
    pairs: bool = False
    states: bool = True
    """Whether a word of a person's state that is not understood is asked about."""
    own_states: Mapping[str, str] = field(default_factory=dict)
    """Words of the program's own files for a state → that state."""


@dataclass(slots=True)
class People:
    """Everything that a file says: its rows, the columns recognised, its other sheets.

    ``columns`` maps the meanings to their place; ``titles`` holds the file's own headings of these,
    ``unread`` the first cells of the columns without meaning.
    """

    rows: list[Row] = field(default_factory=list)
    sample: list[tuple[int, list[str]]] = field(default_factory=list)
    columns: dict[str, int] = field(default_factory=dict)
    titles: list[str] = field(default_factory=list)
    unread: list[tuple[int, str, bool]] = field(default_factory=list)
    """Place and first cell of each column without meaning, and whether that cell is a heading."""
    layout: Layout | None = None
    guess: dict[str, int] = field(default_factory=dict)
    sheet: str = ""
    sheets: list[str] = field(default_factory=list)
    lists: list[str] = field(default_factory=list)
    """The other sheets that look like lists of people, too."""
    filled: int = 0
    """Rows below the headings."""
    polled: bool = False
    """Whether a column below a day says who comes, and says it of most."""
    questions: list[int] = field(default_factory=list)
    """Columns of yes and no that may mean paid or called off."""

    def title(self, at: int) -> str:
        """Return the heading of a column without meaning."""
        return next((text for place, text, headed in self.unread if place == at and headed), "")

    @property
    def people(self) -> list[Row]:
        """The rows of people that are entered."""
        return [row for row in self.rows if row.out is None]

    @property
    def aside(self) -> list[Row]:
        """The rows of people who called off or wait."""
        return [row for row in self.rows if row.out in ASIDE]


def rated(rows: list[list[str]], headings: Headings) -> tuple[int, ...]:
    """Rate how well a separator explains a text: headings read, rows that fit below them, columns.

    A sign that separates few of the rows belongs to their names.
    """
    filled = [row for row in rows if any(cell.strip() for cell in row)]
    top, columns = find_headings(list(enumerate(filled[:HEADINGS_WITHIN])), headings)
    width = len(filled[top]) if columns else 0
    fitting = sum(len(row) <= width for row in filled) if columns else 0
    parted = sum(len(row) > 1 for row in filled)
    return len(columns), fitting, parted if columns or parted * 2 > len(filled) else 0


def _fit(sheet: Sheet, headings: Headings) -> tuple[bool, bool, bool, int]:
    """Rate how well a sheet looks like a list: people below headings, visible to readers, in front, columns."""
    filled = [row for row in sheet.rows if row][:SHEET_LOOKED_AT]
    top, columns = find_headings(list(enumerate(filled[:HEADINGS_WITHIN])), headings)
    listed = bool(columns) and len(filled) > top + 1
    seen = sheet.visible and bool(filled)
    return listed, seen, seen and sheet.active, len(columns)


def read(sheets: list[Sheet], wanted: Wanted) -> People:
    """Return the people of the wanted or best-fitting sheet; without ``columns`` where no names are found."""
    fits = [_fit(sheet, wanted.headings) for sheet in sheets]
    at = next(
        (at for at, sheet in enumerate(sheets) if wanted.sheet and sheet.name == wanted.sheet),
        max(range(len(sheets)), key=fits.__getitem__),
    )
    chosen = wanted.layout.columns if wanted.layout else {}
    named = [place for column, place in chosen.items() if column in names.NAMES]
    sheet = tidied(sheets[at], wanted.headings, pairs=wanted.pairs, named=named)
    sheet, added = _with_whole_people(sheet, wanted)
    rows = [row for row in enumerate(sheet.rows, start=1) if any(cell.strip() for cell in row[1])]
    listing = People(sample=rows[:HEADINGS_WITHIN], layout=wanted.layout, sheet=sheet.name)
    if len(sheets) > 1:
        listing.sheets = [each.name for each in sheets]
        listing.lists = [
            each.name
            for each, fit in zip(sheets, fits, strict=True)
            if fit[0] and each is not sheets[at]
        ]
    top, header = _columns(listing, rows, wanted)
    listing.filled = len(rows) - top
    listing.columns |= added
    state = listing.columns.get("state", -1)
    listing.polled = 0 <= state < len(header) and not meanings([header[state]], wanted.headings)
    if not names.NAMES.isdisjoint(listing.columns):
        _read_rows(listing, rows[top:], header, sheet, wanted)
    return listing


def _with_whole_people(sheet: Sheet, wanted: Wanted) -> tuple[Sheet, dict[str, int]]:
    """Join what belongs to one person or one pair and stands in several cells; return also a column that this adds."""
    filled = [row for row in enumerate(sheet.rows) if any(cell.strip() for cell in row[1])]
    if wanted.layout is not None:
        columns = wanted.layout.columns
        top = min(wanted.layout.first_row - 2, len(sheet.rows) - 1)
        while top >= 0 and not any(map(str.strip, sheet.rows[top])):
            top -= 1
    else:
        place, columns = _headings_of(filled, wanted.headings)
        top = filled[place][0] if columns else -1
        if not columns:
            at = likely_columns([row for _index, row in filled]).get("name") if filled else None
            columns = {} if at is None else {"name": at}
    if top >= 0:
        sheet = with_debts_as_payments(with_particles(sheet, top, columns), top, columns)
    return with_partners(sheet, top, columns) if wanted.pairs else (sheet, {})


def _headings_of(
    rows: list[tuple[int, list[str]]], headings: Headings
) -> tuple[int, dict[str, int]]:
    """Return the place of the row of headings, and its columns: known headings, or names below unknown ones."""
    place, columns = find_headings(rows[:HEADINGS_WITHIN], headings)
    if not columns and (below := headed_by_cells(rows, headings)):
        place, columns = below
    return place, columns


def _columns(
    listing: People, rows: list[tuple[int, list[str]]], wanted: Wanted
) -> tuple[int, list[str]]:
    """Set the meaning of the columns; return the place of the first person's row, and the headings."""
    if wanted.layout is not None:
        listing.columns = _without(wanted.layout.columns, wanted.unused)
        top = sum(number < wanted.layout.first_row for number, _row in rows)
        listing.rows += [_left_out(number, row, Out.ABOVE_FIRST) for number, row in rows[:top]]
        listing.unread = _first_cells(rows[top:], set(listing.columns.values()))
        return top, rows[top - 1][1] if top else []
    at_row, columns = _headings_of(rows, wanted.headings)
    columns = _without(columns, wanted.unused)
    if not columns:
        clubs = counted_clubs(rows)
        named = [each for each in rows if each[0] not in clubs]
        listing.guess = likely_columns([row for _number, row in named])
        texts = _texts(named, listing.guess.get("name"))
        if "first" in listing.guess or names.are_whole(texts):
            listing.columns = {**listing.guess, **by_contents(named, [], listing.guess)}
            listing.columns |= _repeated(rows, listing.columns)
            _turn_if_shown(listing, rows, [])
            listing.layout = Layout(listing.columns, rows[0][0] if rows else 1)
            listing.unread = _first_cells(rows, set(listing.columns.values()))
        return 0, []
    header, top = rows[at_row][1], at_row + 1
    if "club" in columns and _are_numbers(_texts(rows[top:], columns["club"])):
        bare = ["" if at == columns["club"] else text for at, text in enumerate(header)]
        columns = _without(meanings(bare, wanted.headings), wanted.unused)
    if "state" in columns and not _says_states(rows[top:], columns["state"], wanted):
        del columns["state"]
    elif "state" in columns and _all_are_no(_texts(rows[top:], columns["state"])):
        # Boxes that nobody has ticked yet.
        del columns["state"]
    of_names = {at for column, at in columns.items() if column in names.NAMES}
    used = {at for column, at in columns.items() if column != "number"}
    people = [row for row in rows[top:] if why_no_player(row[1], of_names, used) is None]
    more = by_contents(people, header, columns)
    columns = {**columns, **_without(more, wanted.unused)}
    listing.questions = asked_about(people, header, columns)
    listing.columns = columns
    listing.titles = [header[at].strip() for at in sorted(columns.values())]
    _turn_if_shown(listing, rows[top:], header)
    unread = {
        index: text.strip()
        for index, text in enumerate(header)
        if index not in columns.values() and text.strip()
    }
    listing.unread = [(at, text, True) for at, text in unread.items()]
    listing.unread += _first_cells(rows[top:], {*columns.values(), *unread})
    listing.layout = Layout(columns, rows[at_row][0] + 1)
    listing.rows += [_left_out(number, row, Out.ABOVE) for number, row in rows[:at_row]]
    listing.rows.append(_left_out(*rows[at_row], Out.HEADINGS))
    return top, header


def _without(columns: Mapping[str, int], unused: frozenset[str]) -> dict[str, int]:
    return {column: at for column, at in columns.items() if column not in unused}


def _texts(rows: list[tuple[int, list[str]]], at: int | None) -> list[str]:
    if at is None:
        return []
    return [row[at] for _number, row in rows if at < len(row) and row[at].strip()]


def _are_numbers(texts: list[str]) -> bool:
    """Whether the cells below “Team” number the pairs or the rows, and name no club."""
    return bool(texts) and all(map(_NUMBERED.fullmatch, texts))


def _turn_if_shown(listing: People, rows: list[tuple[int, list[str]]], header: list[str]) -> None:
    """Read a column of names as “surname first” where the names themselves show that order."""
    if "name" not in listing.columns:
        return
    both = [listing.columns[each] for each in ("name", "partner") if each in listing.columns]
    texts = [part for at in both for text in _texts(rows, at) for part in names.split(text)]
    by_heading = (
        names.surnames_first(texts, 2) and asks_surname_first(header[both[0]]) if header else False
    )
    if by_heading or names.surnames_first(texts):
        listing.columns["turned"] = listing.columns.pop("name")


def _repeated(rows: list[tuple[int, list[str]]], guess: Mapping[str, int]) -> dict[str, int]:
    """Return the first unknown column whose words come again and again: the clubs."""
    width = max((len(row) for _number, row in rows), default=0)
    for at in range(width):
        texts = _texts(rows, at)
        words = {text.casefold() for text in texts}
        if (
            at not in guess.values()
            and len(texts) * 2 > len(rows) > 3
            and 1 < len(words) * 2 <= len(texts)
            and all(len(word) > 3 for word in words)
        ):
            return {"club": at}
    return {}


def _first_cells(rows: list[tuple[int, list[str]]], known: set[int]) -> list[tuple[int, str, bool]]:
    """Return the first cell of each column that has no known heading and is not read."""
    first: dict[int, str] = {}
    for _number, row in rows:
        for index, text in enumerate(row):
            if index not in known and text.strip():
                first.setdefault(index, plain(text)[:30])
    return [(at, first[at], False) for at in sorted(first)]


def _says_states(rows: list[tuple[int, list[str]]], at: int, wanted: Wanted) -> bool:
    """Return whether a column below a heading such as “Status” marks who plays and who has left.

    In a register of members a state is often the kind of membership.
    """
    texts = _texts(rows, at)
    understood = sum(
        standing(text) is not None or unaccented(plain(text)) in wanted.own_states for text in texts
    )
    dated = sum(any(map(str.isdigit, text)) for text in texts)
    return (wanted.states and (dated - understood) * 2 < max(1, len(texts))) or understood > 0


def _all_are_no(texts: list[str]) -> bool:
    return len(texts) > 1 and all(yes_or_no(text) is False for text in texts)


def _left_out(number: int, row: list[str], why: Out) -> Row:
    return Row(number, _text_of(row), out=why)


def _text_of(row: list[str]) -> str:
    return " · ".join(text for text in map(plain, row) if text and text != FORMULA)[:200]


def _read_rows(
    listing: People,
    rows: list[tuple[int, list[str]]],
    header: list[str],
    sheet: Sheet,
    wanted: Wanted,
) -> None:
    clubs = counted_clubs(rows) or named_clubs(rows)
    above = [row for row in listing.rows if row.out is Out.ABOVE and row.text]
    first = named_clubs([(above[-1].line, [above[-1].text]), *rows]) if clubs and above else {}
    club, section = first.get(above[-1].line, "") if above else "", None
    placed = by_place(rows, header, listing.columns)
    named = {at for column, at in listing.columns.items() if column in names.NAMES}
    read = {at for column, at in listing.columns.items() if column != "number"}
    aside = [at for at, _text, _headed in listing.unread]
    whys = {
        number: why_no_player(cells, named, read) or placed.get(number) for number, cells in rows
    }
    open_sections = _open_sections(rows, whys) if "club" not in listing.columns else set()
    whys |= dict.fromkeys(open_sections)
    counted = counting(header, listing.columns)
    people = [row for row in rows if whys[row[0]] is None and row[0] not in clubs]
    placed_clubs = _clubs_behind(listing, people, pairs=wanted.pairs)
    for number, cells in rows:
        settled = wanted.settled.get(number)
        if settled in (Settled.OUT, Settled.CLUB):
            row = _left_out(number, cells, Out.SAID if settled is Settled.OUT else Out.CLUB)
            row.settled = settled
            listing.rows.append(row)
            if settled is Settled.CLUB:
                club = next(filter(None, map(plain, cells)), "")
            continue
        if settled is None and number in clubs:
            place = standing(clubs[number])
            section = place if place in _ASIDE_OF else None
            club = "" if place else clubs[number]
            listing.rows.append(_left_out(number, cells, Out.SENTENCE if place else Out.CLUB))
            continue
        why = whys[number] if settled is None else why_no_player(cells, named, read)
        section, begins = _section(cells, section, why)
        if (
            why is Out.SENTENCE
            and listing.rows
            and comes(names.without_pictures(_text_of(cells))) is False
        ):
            # A person's answer stands below their name.
            listing.rows[-1].doubts.insert(0, (Doubt.WORD, _text_of(cells)))
        if why or (begins and settled is None):
            listing.rows.append(_left_out(number, cells, why or Out.SENTENCE))
            continue
        if number in placed_clubs:
            at, name, behind = placed_clubs[number]
            cells = [name if place == at else cell for place, cell in enumerate(cells)]
        row = _person(number, cells, listing.columns, aside, sheet, wanted)
        if number in placed_clubs and settled is not Settled.AS_IS:
            row.values["club"] = row.values.get("club") or behind
        if club and not row.values.get("club"):
            row.values["club"] = club
        if number in open_sections:
            row.values["name"] = row.name.rstrip(" :")
            row.doubts, row.faults = [(Doubt.NAME, "")], []
        for at in counted:
            if at < len(cells) and plain(cells[at]) not in ("", "0", "1"):
                row.doubts.append((Doubt.WORD, f"{plain(header[at])}: {plain(cells[at])}"))
        if listing.polled and row.out is None and not row.doubts and row.standing is None:
            row.doubts.append((Doubt.COMES, ""))
        if section and row.out is None and settled is not Settled.IN:
            row.standing, row.out = section, _ASIDE_OF[section]
        listing.rows += _settle(row)
    _doubt_single_words([row for row in listing.rows if row.out is None], listing.columns)
    for row in listing.rows:
        if row.settled is Settled.AS_IS:
            row.doubts.clear()


def _open_sections(rows: list[tuple[int, list[str]]], whys: Mapping[int, Out | None]) -> set[int]:
    """Return the lines above people that may be their clubs: two or more names with a colon.

    A line that says of its people whether they play is none.
    """
    sections = set()
    for place, (number, cells) in enumerate(rows[:-1]):
        text = _text_of(cells)
        words = text.rstrip(" :").split()
        if (
            whys[number] is Out.SENTENCE
            and text.endswith(":")
            and 1 < len(words) < 6
            and whys[rows[place + 1][0]] is None
            and standing(" ".join(words)) is None
            and not any(map(str.isdigit, text))
            and all(word[:1].isupper() or len(word) < 4 for word in words)
        ):
            sections.add(number)
    return sections if len(sections) > 1 else set()


def _clubs_behind(
    listing: People, rows: list[tuple[int, list[str]]], *, pairs: bool
) -> dict[int, tuple[int, str, str]]:
    """Return column, name and club of the rows where most names have their club behind them.

    Behind a dash a club is a single word or comes again: it may be a second person.
    """
    at = listing.columns.get("name", listing.columns.get("turned"))
    if at is None or not {"club", "partner"}.isdisjoint(listing.columns):
        return {}
    typed = [(number, row[at]) for number, row in rows if at < len(row) and row[at].strip()]
    parted = [(number, *names.with_club(text)) for number, text in typed]
    clubs = {
        number: (at, name, club)
        for number, name, club in parted
        if club and standing(club) is None and is_paid(club) is None and "?" not in club
    }
    bracketed = all(text.strip().endswith(")") for _number, text in typed)
    least = 2 if bracketed else 3
    if len(clubs) < least or len(clubs) * 4 < len(typed) * 3:
        return {}
    texts = dict(typed)
    dashed = [club for number, (_, _, club) in clubs.items() if not texts[number].endswith(")")]
    again = len(set(dashed)) * 4 <= len(dashed) * 3 or not any(" " in club for club in dashed)
    return clubs if not dashed or (again and not pairs) else {}


_ASIDE_OF: Final = {Standing.OFF: Out.OFF, Standing.WAITING: Out.WAITING}


def _section(
    cells: list[str], section: Standing | None, why: Out | None
) -> tuple[Standing | None, bool]:
    """Return what the rows below say of their people, and whether this row begins them: “Wachtlijst:”."""
    filled = [plain(cell) for cell in cells if cell.strip()]
    if len(filled) == 1 and yes_or_no(filled[0]) is None:
        words = filled[0].rstrip(" :").split()
        place = standing(" ".join(words))
        named = len(words) > 3 or any(word[:1].isupper() for word in words[1:])
        if place in _ASIDE_OF and not named and not beside_name(filled[0]).standing:
            return place, True
    ends = why is Out.SENTENCE and filled[0].endswith(":")
    return None if ends else section, False


def _person(
    number: int,
    cells: list[str],
    columns: Mapping[str, int],
    aside: list[int],
    sheet: Sheet,
    wanted: Wanted,
) -> Row:
    """Read one row of a person."""

    def raw(column: str) -> str:
        at = columns.get(column)
        text = cells[at] if at is not None and at < len(cells) else ""
        return _QUOTED.sub(r"\1", text.strip())

    def cell(column: str) -> str:
        return plain(raw(column))

    row = Row(number, _text_of(cells), settled=wanted.settled.get(number))
    row.values = {column: cell(column) for column in columns}
    typed = raw("name") or raw("turned")
    if typed in ERRORS and "last" in columns:
        typed = ""
    typed = typed or names.of_halves(raw("first"), raw("last"))
    mark = without_mark.group()[:1] if (without_mark := _NOT_COMING.match(typed)) else ""
    typed = typed[without_mark.end() :] if without_mark else typed
    struck = _STROKE in typed or bool(re.fullmatch(r"~[^~]+~", typed))
    typed = typed.replace(_STROKE, "").strip("~") if struck else typed
    beside = beside_name(typed) if len(typed) <= LONGEST_NAME else Beside(typed)
    doubted = None if typed in ERRORS else _ASKED.search(beside.name)
    typed = beside.name[: doubted.start()] if doubted else beside.name
    fee = row.values.get("paid", "") or beside.paid
    if not fee and "paid" not in columns and speaks_of_money(row.values.get("state", "")):
        fee = row.values["state"]
    has_paid = wanted.paid.get(fee.casefold(), is_paid(fee))
    row.paid, row.unclear = bool(has_paid), "" if has_paid is not None else fee
    if wanted.pairs and not row.values.get("partner") and row.settled is not Settled.SPLIT:
        _take_contact(row, plain(typed))
        typed, row.values["partner"] = names.two_in(typed)
    row.typed = typed
    whole = names.without_title(plain(typed).rstrip("* "))
    if "turned" in columns and whole:
        whole = names.turn(_take_contact(row, whole))
    halves = [cell("first"), cell("last")]
    if not halves[0] and halves[1].count(",") == 1:
        halves = [each.strip() for each in reversed(halves[1].split(","))]
    whole = _take_contact(row, names.without_pictures(whole or " ".join(filter(None, halves))))
    if (phone := row.values.get("phone", "")).isdigit() and 7 < len(phone) < 10 and phone[0] != "0":
        row.values["phone"] = f"0{phone}"  # a spreadsheet took it for a number
    if partner := names.without_pictures(row.values.get("partner", "")):
        partner = names.without_title(_take_contact(row, partner))
        row.values["partner"] = names.turn(partner) if "turned" in columns else partner
    # "DELVOYE, Huguette" is one person; the comma only separates the two names.
    row.values["name"] = " ".join(whole.replace(",", " ").split())
    _judge_name(row, whole, columns, halves)
    if names.is_strange(row.values.get("partner", "")) and not row.faults and not row.doubts:
        row.doubts.append((Doubt.NAME, ""))
    if doubted and not row.faults and not row.doubts and not beside.unclear:
        row.doubts.append((Doubt.NAME, ""))
    if wanted.pairs and not row.values.get("partner") and not row.faults and not row.doubts:
        row.doubts.append((Doubt.PARTNER, ""))
    if _RESERVE.fullmatch(row.values.get("number", "")):
        row.doubts.append((Doubt.WORD, row.values["number"]))
        row.values["number"] = ""
    if number - 1 in sheet.mended:
        row.doubts.append((Doubt.QUOTE, ""))
    _judge_standing(row, cells, aside, wanted, beside)
    named = [at for column, at in columns.items() if column in names.NAMES]
    if mark and mark in "❓❔⏳⌛" and row.out is None:
        row.doubts.insert(0, (Doubt.WORD, mark))
    if row.settled is not Settled.IN and row.out is None:
        if mark and mark in "❌✖✗✘🚫⛔":
            row.standing, row.out = Standing.OFF, Out.OFF
        elif struck or any((number - 1, at) in sheet.struck for at in named):
            row.out = Out.STRUCK
        elif number - 1 in sheet.hidden:
            row.out = Out.HIDDEN
    return row


def _take_contact(row: Row, name: str) -> str:
    """Return a name without the address and telephone beside it; store these where nothing else is."""
    bare, email, phone = names.without_contact(name)
    row.values["email"] = row.values.get("email") or email
    row.values["phone"] = row.values.get("phone") or phone
    return bare


def _judge_name(row: Row, whole: str, columns: Mapping[str, int], halves: list[str]) -> None:
    """Name the faults of a name, and the first reason to check it."""
    if row.name in ERRORS or any(half in ERRORS for half in halves):
        counted = FORMULA not in (row.name, *halves)
        row.faults.append((Fault.ERROR, row.name) if counted else (Fault.FORMULA, ""))
        return
    if not row.name:
        row.faults.append((Fault.MISSING, ""))
    elif not names.is_name(row.name):
        row.faults.append((Fault.NO_LETTER, row.name))
    if row.faults:
        return
    name = whole.strip(", ")
    first, last = map(bool, halves)
    if names.is_strange(name):
        row.doubts.append((Doubt.NAME, ""))
    elif names.is_several(name) or (names.is_parted(row.typed) and not _is_double(halves)):
        row.doubts.append((Doubt.SEVERAL, ""))
    elif {"first", "last"} <= columns.keys() and first != last and name.isalpha():
        row.doubts.append((Doubt.FIRST if last else Doubt.LAST, ""))


def _is_double(halves: list[str]) -> bool:
    """Whether the surname is a double one, written with a dash between spaces, of one given name."""
    return bool(halves[0]) and not names.is_parted(halves[0]) and " - " in halves[1]


def _judge_standing(
    row: Row, cells: list[str], aside: list[int], wanted: Wanted, beside: Beside
) -> None:
    """Set what the row says of the person's place, by its state or by any cell beside it."""
    called_off = row.values.pop("off", "")
    off = is_off(called_off)
    if off is None:
        row.doubts.insert(0, (Doubt.WORD, called_off))
    if beside.unclear:
        row.doubts.insert(0, (Doubt.WORD, beside.unclear))
    if off and row.settled is not Settled.IN:
        row.standing, row.out = Standing.OFF, Out.OFF
    word = row.values.get("state", "")
    bare = unaccented(word)
    if bare in wanted.own_states:
        row.values["state"] = wanted.own_states[bare]
        return
    row.values["state"] = ""
    place = standing(word)
    if word and place is None:
        row.doubts.insert(0, (Doubt.WORD, word))
    for text in (plain(cells[at]) for at in aside if at < len(cells)):
        # A word such as “no” or “unpaid” has a meaning below its heading only.
        if len(text) > 4 and yes_or_no(text) is None and place is not Standing.OFF:
            place = next(
                (each for each in (standing(text),) if each and each != Standing.PLAYS), place
            )
    row.standing = Standing.OFF if off else beside.standing or place
    if row.settled is not Settled.IN and row.standing in (Standing.OFF, Standing.WAITING):
        row.out = Out.OFF if row.standing is Standing.OFF else Out.WAITING


def _settle(row: Row) -> list[Row]:
    """Apply the reader's decision about who stands in a cell."""
    if row.settled is Settled.PAIR:
        row.values["name"], row.values["partner"] = names.two_in(row.typed)
        row.doubts = [each for each in row.doubts if each[0] is not Doubt.SEVERAL]
    elif row.settled is Settled.SPLIT:
        people = names.split(row.typed)
        if len(people) > 1:
            return [
                Row(
                    row.line,
                    row.text,
                    {**row.values, "name": name, **({} if at == 0 else {"number": ""})},
                    name,
                    row.out,
                    row.standing,
                    row.paid,
                    row.unclear,
                    settled=Settled.SPLIT,
                )
                for at, name in enumerate(people)
            ]
    return [row]


def _doubt_single_words(rows: list[Row], columns: Mapping[str, int]) -> None:
    """Question a single word among whole names in one column."""
    single = [row for row in rows if row.name and " " not in row.name]
    if "name" in columns and len(single) * 4 <= len(rows):
        for row in single:
            if not row.doubts and not row.faults:
                row.doubts.append((Doubt.WHOLE, ""))


def guessed_columns(rows: list[list[str]]) -> dict[str, int]:
    """Guess the columns by the look of most of their cells; the first column of text is the name."""
    columns: dict[str, int] = {}
    for at in range(max(map(len, rows), default=1)):
        cells = [row[at] for row in rows if at < len(row) and row[at]]
        if cells and sum(
            cell.rstrip(".)").replace(".", "").isdigit() and len(cell) < 8 for cell in cells
        ) * 2 > len(cells):
            kind = "number"
        elif sum(bool(_PHONE.fullmatch(cell)) for cell in cells) * 2 > len(cells):
            kind = "phone"
        elif any("@" in cell and not re.search(r"\s", cell.strip()) for cell in cells):
            kind = "email"
        elif "name" not in columns:
            kind = "name"
        elif _are_answers(cells):
            continue
        else:
            kind = "club"
        columns.setdefault(kind, at)
    if "name" not in columns:
        columns = {"name": 0, **{kind: at for kind, at in columns.items() if at}}
    return columns


def _are_answers(cells: list[str]) -> bool:
    """Whether most words of a column answer a question, as a poll's do."""
    words = [cell for cell in cells if any(map(str.isalpha, cell)) or yes_or_no(cell) is not None]
    return sum(yes_or_no(cell) is not None for cell in words) * 2 > len(words)


def likely_columns(rows: list[list[str]]) -> dict[str, int]:
    """Return the near-certain columns of a list without headings, to be confirmed.

    A name is of several words; a column of single words may be half a name, and the next one too.
    """
    columns = guessed_columns(rows)
    columns.pop("club", None)
    at = columns["name"]
    texts = [row[at] for row in rows if at < len(row)]
    if sum(" " in name.strip() for name in texts) * 2 > len(texts):
        return columns
    beside = [row[at + 1] for row in rows if at + 1 < len(row)]
    for first, last in ((at + 1, at), (at, at + 1)):
        given, family = (beside, texts) if first > last else (texts, beside)
        if names.are_given(given) and not names.are_given(family) and len(beside) == len(texts):
            del columns["name"]
            return {**columns, "first": first, "last": last}
    del columns["name"]
    return columns
