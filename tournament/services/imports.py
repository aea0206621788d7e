"""Players from a spreadsheet: read anything reasonable, show every bad row, import all or nothing.

Accepted: XLSX, and CSV with comma, semicolon or tab, in UTF-8 (with or without mark) or Latin-1.
Columns by their heading in any of the three languages: name (or last and first name), club,
number, e-mail, family, fixed seat. Reading never writes; :func:`import_players` does it whole.
"""

from __future__ import annotations

import csv
import io
import uuid
import zipfile
from dataclasses import dataclass, field
from typing import Any

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.db import transaction
from django.utils import timezone, translation
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from ledger import audit
from ledger.actors import Actor
from ledger.errors import Refused
from ledger.jobs import JobFailed, Run, enqueue, job_kind
from ledger.models import Job
from scoring.links import token_hash
from tournament.models import (
    Club,
    Entrant,
    EntrantState,
    Event,
    Person,
    PlayerFile,
    StageEntrant,
)

from .entrants import entrant_token, next_round_number
from .events import bump

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
    """What an import would do: every line, the columns recognised, the problems of the file."""

    lines: list[Line] = field(default_factory=list)
    columns: list[str] = field(default_factory=list)
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
    def importable(self) -> bool:
        """Whether the file may be imported as it is."""
        return bool(self.lines) and not self.problems and not self.bad


def _decode(content: bytes) -> str:
    for encoding in (
        ("utf-8-sig", "utf-16") if content[:2] in (b"\xff\xfe", b"\xfe\xff") else ("utf-8-sig",)
    ):
        try:
            return content.decode(encoding)
        except UnicodeDecodeError:
            continue
    return content.decode("cp1252", errors="replace")


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


@transaction.atomic
def import_players(
    *, event_id: uuid.UUID, content: bytes, actor: Actor, skip_duplicates: bool = False
) -> int:
    """Import the whole file, or nothing: any bad row refuses it. Returns how many were entered."""
    event = Event.objects.select_for_update().get(pk=event_id)
    preview = read_players(event=event, content=content)
    if not preview.importable:
        raise Refused(
            "file_has_errors",
            _("Nothing was imported: %(count)d rows need correction.")
            % {"count": len(preview.bad)} if preview.bad else "; ".join(preview.problems),
            field="file",
        )  # fmt: skip
    lines = [line for line in preview.lines if not (skip_duplicates and line.duplicate_of)]
    names = {line.club for line in lines if line.club}
    known = {club.name: club for club in event.clubs.filter(name__in=names)}
    Club.objects.bulk_create(Club(event=event, name=name) for name in sorted(names - set(known)))
    clubs = {club.name: club for club in event.clubs.all()}
    given = {line.number for line in lines if line.number}
    given |= set(event.entrants.values_list("number", flat=True))
    free = iter(range(1, len(lines) + len(given) + 2))
    people, partners, entrants = [], [], []
    from_round = next_round_number(event)
    for line in lines:
        number = line.number or next(n for n in free if n not in given)
        person = Person(name=line.name, email=line.email)
        people.append(person)
        second = Person(name=line.partner) if line.partner else None
        if second:
            partners.append(second)
        entrant = Entrant(
            event=event, number=number, person=person, partner=second, club=clubs.get(line.club),
            family=line.family, fixed_seat=line.fixed, from_round=from_round,
            state=EntrantState.REGISTERED,
        )  # fmt: skip
        entrant.link_hash = token_hash(entrant_token(entrant))
        entrants.append(entrant)
    Person.objects.bulk_create(people + partners, batch_size=500)
    created = Entrant.objects.bulk_create(entrants, batch_size=500)
    first = event.stages.order_by("order").first()
    if first is not None:
        StageEntrant.objects.bulk_create(
            (StageEntrant(stage=first, entrant=entrant, origin="entry") for entrant in created),
            batch_size=500,
        )
    audit.append(
        scope=event.pk, actor=actor, verb="entrants.imported", subject=event,
        after={"count": len(created), "entrants": [[e.pk, e.number, str(e.person_id)] for e in created]},
    )  # fmt: skip
    bump(event.pk)
    return len(created)


@transaction.atomic
def keep_file(*, event_id: uuid.UUID, content: bytes, actor: Actor) -> PlayerFile:
    """Keep an uploaded file until it is imported; files kept before it are emptied."""
    event = Event.objects.select_for_update().get(pk=event_id)
    event.player_files.filter(imported_at__isnull=True).delete()
    return PlayerFile.objects.create(event=event, content=content, uploaded_by=str(actor))


@transaction.atomic
def request_import(*, file_id: uuid.UUID, skip_duplicates: bool, actor: Actor) -> Job:
    """Ask for the import of a kept file; while one runs for the event, that job is returned."""
    kept = PlayerFile.objects.filter(pk=file_id, imported_at__isnull=True).first()
    if kept is None:
        raise Refused("file_gone", _("This file is no longer kept: choose it again."), field="file")
    return enqueue(
        kind="tournament.import", scope=kept.event_id, actor=actor, key="import",
        parameters={
            "file": str(kept.pk), "skip_duplicates": skip_duplicates,
            "language": get_language() or "en",
        },
    )  # fmt: skip


@job_kind("tournament.import")
def import_file(run: Run) -> None:
    """The job: import a kept file, all or nothing, and empty it in the same transaction."""
    run.progress(0, 1)
    with translation.override(run.parameters["language"]), run.effect() as result:
        kept = PlayerFile.objects.select_for_update().get(pk=run.parameters["file"])
        try:
            result["imported"] = import_players(
                event_id=kept.event_id, content=bytes(kept.content), actor=run.actor,
                skip_duplicates=run.parameters["skip_duplicates"],
            )  # fmt: skip
        except Refused as refusal:
            raise JobFailed(str(refusal)) from refusal
        kept.content = b""
        kept.imported_at = timezone.now()
        kept.save(update_fields=["content", "imported_at"])
