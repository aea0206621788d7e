"""Lists of players checked against an event: every row with its outcome; nothing is written.

:mod:`tournament.lists` reads the file; here its people meet the event's numbers and names and the
bounds of the columns, and each reason becomes a sentence.
"""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import PurePath
from typing import Final
from zipfile import BadZipFile

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.db.models import EmailField
from django.utils.translation import gettext as _
from django.utils.translation import override

from ledger.canonical import JsonObject
from ledger.errors import Refused
from tournament.documents.draws import Person, alphabetical
from tournament.lists import pasted
from tournament.lists.answers import yes_or_no
from tournament.lists.files import sheets_of
from tournament.lists.headed import HEADINGS_WITHIN
from tournament.lists.misread import case, scrambled
from tournament.lists.names import NAMES, is_name, is_near, letters_in
from tournament.lists.nonplayers import Out
from tournament.lists.reading import (
    ASIDE,
    Doubt,
    Fault,
    Layout,
    People,
    Row,
    Settled,
    Wanted,
    rated,
    read,
)
from tournament.lists.sheets import Sheet, Unreadable
from tournament.lists.texts import LOST
from tournament.lists.words import unaccented
from tournament.models import EntrantState, Event, Member, PaymentWord
from tournament.models.players import BY_KEY, GIVEN, Value, headings
from tournament.queries.pages import in_pairs

from .mail import is_offered

COLUMNS: Final = ("turned", "last", "first", "off", *BY_KEY)
"""Possible contents of a column; ``turned``: names with the surname first, to be read first name first; ``off``: people who called off."""
FORMER: Final = {"fixed": "fixed_seat"}
"""Names that a column had in earlier releases."""
MAIL: Final = tuple(each.key for each in GIVEN if isinstance(each.column, EmailField))
"""Columns that are read only where the installation sends e-mail."""
MOST_LETTERS: Final = 6
"""Different letters in which names of usual length may differ and be near."""
MEMBER: Final = (Settled.MEMBER_1, Settled.MEMBER_2, Settled.MEMBER_3, Settled.MEMBER_4)
"""Decisions that name a member of the register."""
MOST_WORDS: Final = 500
"""Words about payments that are remembered."""


@dataclass(slots=True)
class Line:
    """One row of the file as read: its line number, its fields, its problems."""

    line: int
    values: dict[str, Value] = field(default_factory=lambda: {e.key: e.usual for e in GIVEN})
    """Values of a player in the row, by the keys of :data:`~tournament.models.players.GIVEN`."""
    text: str = ""
    """The filled cells of the file."""
    unclear: str = ""
    """Unclear word in the column of payments."""
    errors: list[str] = field(default_factory=list)
    duplicate_of: str = ""
    left_out: str = ""
    """Why the row is no player; empty for a player's."""
    aside: bool = False
    """Whether the row names a person who called off or waits, and who may be entered all the same."""
    doubt: str = ""
    """Reason why the row may be wrong or incomplete."""
    several: bool = False
    """Whether the cell of the name may hold two people."""
    near: str = ""
    """The person in a similar spelling that the row may name, and where they are listed."""
    owes: int | None = None
    """The entry of the person, which is not paid, where the row says that it is."""
    same: bool = False
    """Whether the director decided that the row names the person who is listed already."""
    settled: str = ""
    """The director's decision about the row."""
    members: tuple[Member, ...] = ()
    """The register's members who fit the name and club, where a decision is needed or was made."""
    member: uuid.UUID | None = None
    """The member of the register whom the row names."""
    partner_member: uuid.UUID | None = None

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

    @property
    def pays(self) -> int | None:
        """The entry whose payment is taken over from the row."""
        return self.owes if self.same and self.settled == Settled.PAID else None

    @property
    def undecided(self) -> bool:
        """Whether the row may name a person who is listed in another spelling, and nobody decided."""
        return bool(self.near) and self.settled not in (Settled.SAME, Settled.PAID, Settled.AS_IS)

    @property
    def ready(self) -> bool:
        """Whether every cell that matters was understood."""
        return not (self.errors or self.unclear or self.doubt or self.left_out)


@dataclass(frozen=True, slots=True)
class _Listed:
    """A person listed so far."""

    name: str
    club: str
    where: str
    entry: int | None = None
    paid: bool = False
    marks: Mapping[str, str] = field(default_factory=dict)
    """Number, address and telephone: who differs in one of them is another person."""


class _Known:
    """People listed so far, with the place of each.

    Accents, capitals and the order of first and last name do not count, and a missing club matches
    any club. One name in two clubs is two people.
    """

    def __init__(self) -> None:
        self._listed: dict[str, list[_Listed]] = {}
        self._letters: list[tuple[int, _Listed]] = []

    def add(self, person: _Listed) -> None:
        """List a person."""
        self._listed.setdefault(_folded(person.name), []).append(person)
        self._letters.append((letters_in(person.name), person))

    def same(self, name: str, club: str) -> _Listed | None:
        """Return the person of that name and club; ``None`` if there is none."""
        listed = self._listed.get(_folded(name), ())
        return next((each for each in listed if _one_club(each.club, club)), None)

    def near(self, name: str, club: str, marks: Mapping[str, str]) -> _Listed | None:
        """Return a person of a similar name who may be of that club; names with figures are like no other."""
        if any(map(str.isdigit, name)):
            return None
        letters = letters_in(name)
        return next(
            (
                each
                for bits, each in self._letters
                if (letters ^ bits).bit_count() <= MOST_LETTERS
                and not _are_apart(marks, each.marks)
                and not any(map(str.isdigit, each.name))
                and _one_club(each.club, club)
                and is_near(name, each.name)
            ),
            None,
        )


def _are_apart(one: Mapping[str, str], other: Mapping[str, str]) -> bool:
    return any(text and other.get(key) and text != other[key] for key, text in one.items())


def _one_club(one: str, other: str) -> bool:
    return not one or not other or _folded(one) == _folded(other)


def _folded(text: str) -> str:
    """Return the words of a name in one order, without accents and capitals."""
    return " ".join(sorted(alphabetical(Person(text))[0].split()))


def layout_of(value: JsonObject | None) -> Layout | None:
    """Read what :meth:`Layout.as_json` wrote; ``None`` for ``None``."""
    return Layout(dict(value["columns"]), int(value["first_row"])) if value else None


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
    questions: list[str] = field(default_factory=list)
    """Headings of columns of yes and no that may mean paid or called off."""

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
    def ready(self) -> list[Line]:
        """The lines of new players that were understood whole."""
        return [line for line in self.new if line.ready]

    @property
    def open(self) -> list[Line]:
        """The lines to be looked at before they are imported."""
        return [line for line in self.lines if not line.ready]

    @property
    def payers(self) -> list[Line]:
        """The lines whose payment is taken over by an entry."""
        return [line for line in self.lines if line.pays]

    @property
    def aside(self) -> list[Line]:
        """The lines of people who called off or wait."""
        return [line for line in self.left_out if line.aside]

    @property
    def accented(self) -> list[str]:
        """Names with letters beyond A to Z, each once: they would reveal a wrong encoding."""
        return list(dict.fromkeys(line.name for line in self.lines if not line.name.isascii()))

    @property
    def asks(self) -> list[str]:
        """The unclear words in the column of payments, each once."""
        return list(dict.fromkeys(line.unclear for line in self.lines if line.unclear))

    @property
    def undecided(self) -> list[Line]:
        """The lines of people who may be listed already in another spelling."""
        return [line for line in self.lines if line.undecided]

    @property
    def importable(self) -> bool:
        """Whether the file may be imported as it is."""
        return bool(self.lines) and not (
            self.problems or self.bad or self.asks or self.undecided or self.questions
        )


def _refusal(error: Unreadable) -> Refused:
    """Return the refusal of a file that is no list, with the menu of the program that made it."""
    code = error.code
    menus = {
        "Numbers": _("In Numbers choose File → Export To → Excel, and send that file."),
        "Word": _("In Word select the table, copy it, and paste it below under “Paste names”."),
        "PowerPoint": _("Copy the names, and paste them below under “Paste names”."),
        "PDF": _(
            "A PDF is a picture of a list: open it, copy the names, and paste them below under “Paste names”."
        ),
        "Excel": _("In Excel choose File → Save As → Excel Workbook (.xlsx), and send that file."),
    }
    texts = {
        "file_too_large": _(
            "The spreadsheet is too large when unpacked. Save only the list of players."
        ),
        "file_empty": _("The file is empty."),
        "file_locked": _(
            "The file is locked with a password: save it without one (in Excel: File → Info → Protect Workbook)."
        ),
        "several_files": _("The archive holds several files: send one of them. %(names)s")
        % {"names": error.program},
        "not_a_table": menus.get(
            error.program, _("This is not a spreadsheet. Save it as XLSX or CSV.")
        ),
        "file_unreadable": _("The file cannot be read. Save it again as XLSX or CSV."),
    }
    return Refused(code, texts[code], field="file")


def read_sheets(content: bytes) -> list[Sheet]:
    """Return the sheets of an uploaded file; :class:`Refused` when it is no table at all."""
    if len(content) > settings.IMPORT_MAX_BYTES:
        raise Refused("file_too_large", _("The file is too large: at most 10 MB."), field="file")
    try:
        return sheets_of(
            content,
            most_rows=settings.IMPORT_MAX_ROWS + HEADINGS_WITHIN,
            most_bytes=settings.IMPORT_MAX_BYTES,
            rate=lambda rows: rated(rows, headings()),
        )
    except Unreadable as error:
        raise _refusal(error) from error


def as_file(text: str) -> tuple[bytes, Layout | None]:
    """Return pasted text as a file, and its columns where no headings name them."""
    return pasted.as_table(text, headings())


@cache
def own_states() -> Mapping[str, str]:
    """Return the words of the program's own files for a player's state, in every language."""
    words: dict[str, str] = {}
    for state in (EntrantState.REGISTERED, EntrantState.PRESENT, EntrantState.WITHDRAWN):
        stored = (
            EntrantState.WITHDRAWN if state == EntrantState.WITHDRAWN else EntrantState.REGISTERED
        )
        words[str(state.value)] = stored
        for language, _name in settings.LANGUAGES:
            with override(language):
                words[unaccented(str(state.label))] = stored
    return words


def misread(content: bytes, name: str, *, pasted: bool) -> bytes:
    """Return a case for the corpus from a list that was misread: invented people in the same shape."""
    try:
        copy = scrambled(content, {word for words in headings().values() for word in words})
        table, layout = as_file(copy.decode()) if pasted else (copy, None)
        people = read(read_sheets(table), Wanted(headings=headings(), layout=layout)).people
    except (ValueError, BadZipFile, RuntimeError) as error:
        raise Refused(
            "file_unreadable",
            _("Its names cannot be replaced: save the list as XLSX, ODS or CSV, and send that."),
            field="text" if pasted else "file",
        ) from error
    end = PurePath(name).suffix.lower() if not pasted else ".txt"
    return case(
        copy, f"misread{end or '.csv'}", is_pasted=pasted, people=[row.name for row in people]
    )


def read_players(
    *,
    event: Event | None,
    content: bytes,
    layout: Layout | None = None,
    sheet: str = "",
    paid: Mapping[str, bool] | None = None,
    settled: Mapping[int, Settled] | None = None,
) -> Preview:
    """Read a file of players against the data that the event already holds; nothing is written.

    Without an event it is read for itself, as a list of members.

    With a ``layout`` the columns are those that it names, and the headings are not looked for. ``sheet``: of a
    workbook, instead of the best-fitting one. ``paid``: meanings of words in the column of payments, besides those
    remembered. ``settled``: decisions about rows.
    """
    if layout is not None:
        columns = {FORMER.get(column, column): at for column, at in layout.columns.items()}
        layout = Layout(columns, layout.first_row)
    pairs = event is not None and in_pairs(event)
    people = read(
        read_sheets(content),
        Wanted(
            headings=headings(),
            layout=layout,
            sheet=sheet,
            paid={**(remembered() if event else {}), **(paid or {})},
            settled=settled or {},
            unused=frozenset() if is_offered() else frozenset(MAIL),
            pairs=pairs,
            states=event is not None,
            own_states=own_states(),
        ),
    )
    return _checked(people, event, pairs=pairs)


def remembered() -> dict[str, bool]:
    """Return the words about payments that this installation was told the meaning of."""
    return dict(PaymentWord.objects.values_list("word", "paid"))


def remember(paid: Mapping[str, bool]) -> None:
    """Remember the meaning of words about payments, for the next list."""
    room = MOST_WORDS - PaymentWord.objects.count()
    words = [PaymentWord(word=word, paid=means) for word, means in paid.items() if len(word) <= 60]
    PaymentWord.objects.bulk_create(
        words[: max(0, room)],
        update_conflicts=True,
        unique_fields=["word"],
        update_fields=["paid"],
    )


def _checked(people: People, event: Event | None, *, pairs: bool) -> Preview:
    """Check the people against the event, and turn every reason into a sentence."""
    columns = people.columns
    preview = Preview(
        sample=people.sample,
        layout=people.layout,
        guess=people.guess,
        sheet=people.sheet,
        sheets=people.sheets,
        lists=people.lists,
        columns=sorted(columns, key=columns.__getitem__) if people.titles else [],
        headings=people.titles,
        ignored=[
            text if headed else _("column %(n)d (%(cell)s)") % {"n": at + 1, "cell": text}
            for at, text, headed in people.unread
        ],
    )
    if not people.sample:
        preview.problems.append(_("The file contains no rows."))
        return preview
    if NAMES.isdisjoint(columns):
        preview.problems.append(
            _("Choose the column that contains the names.")
            if people.layout is not None
            else _("No column is headed “name”. Choose below what the columns contain.")
        )
        return preview
    if people.filled > settings.IMPORT_MAX_ROWS:
        preview.problems.append(
            _("The file has too many rows: at most %(most)d.") % {"most": settings.IMPORT_MAX_ROWS}
        )
        return preview
    if event is not None:
        preview.questions = [people.title(at) for at in people.questions]
    check = _Check(event, pairs=pairs)
    for row in people.rows:
        if row.out is not None:
            preview.left_out.append(_left_out(row, row.out))
        else:
            preview.lines.append(check.line(row, columns))
    preview.numbers_taken = any(line.number in check.taken for line in preview.lines)
    if not preview.lines and not preview.aside:
        preview.problems.append(_("The file contains headings but no players."))
    return preview


def _left_out(row: Row, out: Out) -> Line:
    says = {
        Out.ABOVE: _("above the headings"),
        Out.ABOVE_FIRST: _("above the first player"),
        Out.HEADINGS: _("the headings"),
        Out.TOTAL: _("a total, not a player"),
        Out.SENTENCE: _("a sentence, not a player"),
        Out.NO_NAME: _("no name"),
        Out.OFF: _("called off"),
        Out.HIDDEN: _("called off: the row is hidden in the file"),
        Out.STRUCK: _("called off: struck through in the file"),
        Out.WAITING: _("on the waiting list"),
        Out.SAID: _("not a player"),
        Out.CLUB: _("the club of the rows below"),
    }
    line = Line(row.line, text=row.text, left_out=says[out], aside=out in ASIDE)
    line.settled = row.settled.value if row.settled else ""
    line.values["name"] = row.name or row.text
    return line


class _Check:
    """Checks of the rows of a file against the event and the rows before."""

    def __init__(self, event: Event | None, *, pairs: bool) -> None:
        self.event, self.pairs = event, pairs
        self.taken: dict[int, int] = (
            dict(event.entrants.values_list("number", "pk")) if event else {}
        )
        self._in_file: dict[int, int] = {}
        self._known = _Known()
        self._register: dict[str, list[Member]] = {}
        if event:
            entered = set(event.entrants.values_list("person__member", flat=True))
            for member in Member.objects.order_by("pk"):
                if member.pk not in entered:
                    self._register.setdefault(_folded(member.name), []).append(member)
            for name, club, entry, paid, number, email, phone in event.entrants.exclude(
                person__name=""
            ).values_list(
                "person__name",
                "club__name",
                "pk",
                "paid",
                "number",
                "person__email",
                "person__phone",
            ):
                there = _("already in this event")
                marks = _marks({"number": str(number), "email": email, "phone": phone})
                self._known.add(_Listed(name, club or "", there, entry, paid, marks))

    def line(self, row: Row, columns: Mapping[str, int]) -> Line:
        """Check one row."""
        line = Line(row.line, text=row.text)
        values, read = line.values, row.values
        line.settled = row.settled.value if row.settled else ""
        values |= {
            key: read.get(key, "") for key, each in BY_KEY.items() if isinstance(each.usual, str)
        }
        if not is_offered():
            values |= dict.fromkeys(MAIL, "")
        values["state"] = read.get("state") or EntrantState.REGISTERED
        values["paid"] = row.paid
        line.unclear = row.unclear if self.event else ""
        line.doubt = _("; ").join(_doubt(doubt, word) for doubt, word in row.doubts)
        line.several = any(doubt is Doubt.SEVERAL for doubt, _word in row.doubts)
        if self.event is not None and not self.pairs and line.partner:
            line.several = row.settled is not Settled.AS_IS
            if line.several:
                line.doubt = line.doubt or _("one player or several?")
        self._read_answers(line, read, settled=row.settled is Settled.AS_IS)
        line.errors += [_fault(fault, word) for fault, word in row.faults]
        _check_bounds(line)
        if line.name:
            self._compare(line, row.settled, read)
            self._link(line, row.settled)
        if read.get("number"):
            self._take_number(line, read["number"].rstrip(".)°").strip())
        return line

    def _compare(self, line: Line, settled: Settled | None, read: Mapping[str, str]) -> None:
        """Look for the person of a line among those listed before."""
        marks = _marks(read)
        same = self._known.same(line.name, line.club)
        near = None
        if same is None and self.event is not None:
            near = self._known.near(line.name, line.club, marks)
        person = same or near
        decided = settled in (Settled.SAME, Settled.PAID)
        line.same = decided and person is not None
        if person is None or (near and not decided):
            here = _("row %(row)d") % {"row": line.line}
            self._known.add(_Listed(line.name, line.club, here, marks=marks))
        if person is None:
            return
        if near:
            line.near = f"{near.name} ({near.where})"
        if same or decided:
            line.duplicate_of = person.where
            line.unclear = "" if person.paid else line.unclear
        if person.entry and not person.paid and line.values["paid"]:
            line.owes = person.entry
        if settled is Settled.AS_IS or decided:
            return
        question = _("the same person as %(name)s?") % {"name": line.near} if near else ""
        if same and line.owes:
            question = _("paid: take it over?")
        line.doubt = _("; ").join(filter(None, (line.doubt, question)))

    def _link(self, line: Line, settled: Settled | None) -> None:
        """Find the people of a new line in the register; ask where several members fit."""
        if line.duplicate_of or not self._register:
            return
        fits = self._members(line.name, line.club)
        if len(fits) == 1 and settled is not Settled.AS_IS:
            line.member = fits[0].pk
        elif len(fits) > 1:
            line.members = fits
            if settled in MEMBER:
                line.member = next((m.pk for m in fits[MEMBER.index(settled) :]), None)
            elif settled is not Settled.AS_IS:
                question = _("which member of the register?")
                line.doubt = _("; ").join(filter(None, (line.doubt, question)))
        if line.partner and len(fits := self._members(line.partner, line.club)) == 1:
            line.partner_member = fits[0].pk

    def _members(self, name: str, club: str) -> tuple[Member, ...]:
        """Return the members of that name who may be of that club, at most as many as can be chosen."""
        named = self._register.get(_folded(name), ())
        return tuple(each for each in named if _one_club(each.club, club))[: len(MEMBER)]

    def _read_answers(self, line: Line, read: Mapping[str, str], *, settled: bool) -> None:
        """Read the columns of yes and no."""
        for key, each in BY_KEY.items():
            if not isinstance(each.usual, bool) or key == "paid":
                continue
            word = read.get(key, "")
            answer = yes_or_no(word)
            line.values[key] = each.usual if answer is None else answer
            if answer is None and word and not settled:
                line.doubt = line.doubt or _doubt(Doubt.WORD, word)

    def _take_number(self, line: Line, text: str) -> None:
        """Give a line the number of its row, unless it is invalid or another player's."""
        usable = text.isascii() and text.isdigit() and len(text) <= 9 and 1 <= int(text) <= 99999
        if not usable:
            line.errors.append(
                _("“%(number)s” is not a number from 1 to 99999") % {"number": text[:20]}
            )
            return
        wanted = line.values["number"] = int(text)
        if line.duplicate_of and (wanted in self.taken or wanted in self._in_file):
            line.values["number"] = None  # theirs already; entered twice, they get a free one
        elif wanted in self.taken:
            line.errors.append(
                _("number %(number)d is already taken in this event") % {"number": wanted}
            )
        elif wanted in self._in_file:
            line.errors.append(
                _("number %(number)d is also in row %(row)d")
                % {"number": wanted, "row": self._in_file[wanted]}
            )
        else:
            self._in_file[wanted] = line.line


def _marks(read: Mapping[str, str]) -> dict[str, str]:
    """Return what tells people of like names apart: start number, address, the end of the telephone."""
    digits = "".join(filter(str.isdigit, read.get("phone", "")))
    return {
        "number": read.get("number", "").strip(".)° "),
        "email": read.get("email", "").casefold(),
        "phone": digits[-8:],
    }


def _doubt(doubt: Doubt, word: str) -> str:
    says = {
        Doubt.NAME: _("is this a name?"),
        Doubt.SEVERAL: _("one player or several?"),
        Doubt.FIRST: _("the first name is missing"),
        Doubt.LAST: _("the surname is missing"),
        Doubt.WHOLE: _("is this the whole name?"),
        Doubt.WORD: _("what does “%(word)s” mean?") % {"word": word[:30]},
        Doubt.PARTNER: _("who is the partner?"),
        Doubt.COMES: _("do they come?"),
        Doubt.QUOTE: _("a quotation mark is not closed"),
    }
    return says[doubt]


def _fault(fault: Fault, word: str) -> str:
    says = {
        Fault.MISSING: _("the name is missing"),
        Fault.NO_LETTER: _("“%(name)s” has no letters") % {"name": word[:30]},
        Fault.ERROR: _("“%(word)s” is an error of the spreadsheet, not a name")
        % {"word": word[:30]},
        Fault.FORMULA: _(
            "the name is a formula without its result: open the file in its program, save it, send it again"
        ),
    }
    return says[fault]


def _check_bounds(line: Line) -> None:
    """Note the values that their columns cannot hold."""
    for each in GIVEN:
        text, most = line.values[each.key], each.column.max_length
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
    if line.partner and not is_name(line.partner):
        line.errors.append(_fault(Fault.NO_LETTER, line.partner))
    for email in filter(None, (str(line.values[key]) for key in MAIL)):
        try:
            validate_email(email)
        except ValidationError:
            line.errors.append(_("“%(email)s” is not an e-mail address") % {"email": email[:60]})
