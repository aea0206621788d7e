"""Players from a spreadsheet: every encoding, every bad row named, all or nothing."""

from __future__ import annotations

import io
import re
import zipfile
from typing import Any

import openpyxl
import pytest
from django.conf import LazySettings
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from accounts.models import Role
from ledger.errors import Refused
from ledger.jobs import work_on
from ledger.models import AuditEntry, Job
from tests.markup import markup
from tests.tournament.build import SYSTEM, grant, make_event, make_user
from tournament.lists.sheets import MOST_COLUMNS, MOST_TAGS
from tournament.models import Club, Entrant, Event, Member, Person
from tournament.services.imports import (
    import_players,
    keep_file,
    request_import,
)
from tournament.services.player_lists import Preview, as_file, read_players, read_sheets

pytestmark = pytest.mark.django_db


@pytest.fixture
def event() -> Event:
    return make_event(0)


def xlsx(rows: list[list[object]]) -> bytes:
    book = openpyxl.Workbook()
    for row in rows:
        book.active.append(row)
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


ROWS = [
    ["Nr", "Naam", "Club", "E-mail"],
    ["7", "Thérèse Noël", "De Tien", "t@example.org"],
    ["", "Søren Đặng", "", ""],
]


def text(separator: str) -> str:
    return "\r\n".join(separator.join(row) for row in ROWS)


@pytest.mark.parametrize(
    "content",
    [
        text(",").encode(),
        text(";").encode("utf-8-sig"),
        text("\t").encode("utf-16"),
        xlsx(ROWS),
    ],
    ids=["comma utf-8", "semicolon utf-8 with mark", "tab utf-16", "xlsx"],
)
def test_every_usual_file_is_read(settings: Any, event: Event, content: bytes) -> None:
    settings.EMAIL_URL = "smtp://localhost"
    preview = read_players(event=event, content=content)
    assert preview.importable, (preview.problems, [line.errors for line in preview.bad])
    assert [
        (line.name, line.club, line.number, line.values["email"]) for line in preview.lines
    ] == [
        ("Thérèse Noël", "De Tien", 7, "t@example.org"),
        ("Søren Đặng", "", None, ""),
    ]


@pytest.mark.guide("director#players-from-a-list")
def test_a_list_pasted_together_is_read_line_by_line(event: Event) -> None:
    content = (
        b"naam;club\n" + "Zoë Müller;Café\n".encode() + "Thérèse Noël;Société\n".encode("cp1252")
    )
    lines = read_players(event=event, content=content).lines
    assert [(line.name, line.club) for line in lines] == [
        ("Zoë Müller", "Café"),
        ("Thérèse Noël", "Société"),
    ]


def test_a_letter_that_is_lost_is_said_and_not_imported(event: Event) -> None:
    # 0x81 is undefined in cp1252: the file has an encoding that was not chosen.
    preview = read_players(
        event=event,
        content="naam;club\nJ#rg;De Tien\nThérèse;De Tien\nNoël;De Tien\n".encode("cp1252").replace(
            b"#", b"\x81"
        ),
    )
    assert [line.line for line in preview.bad] == [2]
    assert "cannot be read" in preview.bad[0].errors[0]
    assert not preview.importable


def test_names_with_accents_are_shown_as_they_were_read(event: Event, client: Client) -> None:
    """Also those of a file whose UTF-8 was once read as Latin-1, which is undone."""
    client.force_login(make_user("director", event, "director"))
    plain = "".join(f"Speler {number}\n" for number in range(1, 31))
    content = ("naam\n" + plain + "Thérèse Noël\nZoÃ« Peeters\n").encode()
    page = client.post(
        f"/desk/{event.slug}/players/import/", {"file": SimpleUploadedFile("list.csv", content)}
    ).content.decode()
    shown = re.search(r'<strong class="accented"[^>]*>(.*?)</strong>', page)
    assert shown is not None
    assert shown[1] == "Thérèse Noël · Zoë Peeters"


def test_latin_1_is_read(event: Event) -> None:
    content = "naam;club\nThérèse Noël;Société Générale\n".encode("latin-1")
    assert read_players(event=event, content=content).lines[0].name == "Thérèse Noël"


def test_first_and_last_name_in_two_columns(event: Event) -> None:
    content = b"voornaam,familienaam\nAn,De Smet\n"
    assert read_players(event=event, content=content).lines[0].name == "An De Smet"


@pytest.mark.parametrize(
    ("row", "wrong"),
    [
        (";Jan;;", ""),
        (";;De Tien;", "the name is missing"),
        ("x;Jan;;", "“x” is not a number from 1 to 99999"),
        ("0;Jan;;", "“0” is not a number from 1 to 99999"),
        ("-3;Jan;;", "“-3” is not a number from 1 to 99999"),
        ("99999999999999999999;Jan;;", "is not a number from 1 to 99999"),
        (f";{'J' * 101};;", "the name is longer than 100 characters"),
        (f";Jan;{'c' * 81};", "the club is longer than 80 characters"),
        (";Jan;;nobody", "“nobody” is not an e-mail address"),
    ],
)
def test_every_bad_row_is_named(settings: Any, event: Event, row: str, wrong: str) -> None:
    settings.EMAIL_URL = "smtp://localhost"
    preview = read_players(event=event, content=f"nr;naam;club;mail\n{row}\n".encode())
    said = "; ".join(preview.lines[0].errors)
    assert (wrong in said) if wrong else not said
    assert preview.lines[0].line == 2


@pytest.mark.parametrize(
    ("column", "column_of"),
    [
        ("naam", Person._meta.get_field("name")),
        ("partner", Person._meta.get_field("name")),
        ("club", Club._meta.get_field("name")),
        ("familie", Entrant._meta.get_field("family")),
        ("gsm", Person._meta.get_field("phone")),
        ("categorie", Entrant._meta.get_field("category")),
    ],
)
def test_what_the_record_holds_is_taken_and_one_letter_more_is_not(
    event: Event, column: str, column_of: Any
) -> None:
    name = ";".join(["naam"] * (column != "naam") + [column])
    before = "Jan;" if column != "naam" else ""
    held = read_players(
        event=event, content=f"{name}\n{before}{'a' * column_of.max_length}\n".encode()
    )
    assert held.lines[0].errors == []
    more = read_players(
        event=event, content=f"{name}\n{before}{'a' * (column_of.max_length + 1)}\n".encode()
    )
    (said,) = more.lines[0].errors
    assert f"is longer than {column_of.max_length} characters" in said


def test_a_number_twice_is_said_with_its_other_row(event: Event) -> None:
    preview = read_players(event=event, content=b"nr;naam\n5;A\n6;B\n5;C\n")
    assert preview.bad[0].errors == ["number 5 is also in row 2"]


def test_a_list_numbered_anew_says_how_its_players_get_free_numbers(
    event: Event, client: Client
) -> None:
    import_players(event_id=event.pk, content=b"nr;naam\n1;A\n2;B\n", actor=SYSTEM)
    client.force_login(make_user("director", event, "director"))
    page = f"/desk/{event.slug}/players/import/"
    looked = client.post(page, {"text": "1\tJan Maes\n2\tEls Claes"})
    assert "for the column of numbers" in looked.content.decode()
    said = {"first_row": "1", "column-0": "", "column-1": "name"}
    again = client.post(page, {"look": looked.context["file"].pk, **said})
    assert again.context["preview"].importable
    assert "for the column of numbers" not in again.content.decode()


@pytest.mark.guide("security#security")
def test_one_bad_row_imports_nothing(event: Event) -> None:
    with pytest.raises(Refused) as refusal:
        import_players(event_id=event.pk, content=b"nr;naam;club\n1;A;\nx;B;\n3;;C\n", actor=SYSTEM)
    assert refusal.value.code == "file_has_errors"
    assert "2 rows" in str(refusal.value)
    assert not Entrant.objects.exists()
    assert not Person.objects.exists()
    assert not Club.objects.exists()


def test_duplicates_are_shown_and_left_out_when_told(event: Event) -> None:
    content = b"naam;club\nAn;X\nBo;Y\nan;x\n"
    preview = read_players(event=event, content=content)
    assert [(line.line, line.duplicate_of) for line in preview.duplicates] == [(4, "row 2")]
    assert (
        import_players(event_id=event.pk, content=content, actor=SYSTEM, skip_duplicates=True) == 2
    )
    again = read_players(event=event, content=content)
    assert [line.duplicate_of for line in again.lines] == ["already in this event"] * 3


@pytest.mark.parametrize(
    ("row", "double"),
    [
        ("MAES Jan;", True),
        ("jan maes;Menen", True),
        ("Jan Maës;", True),
        ("Jan Maes;Kortrijk", False),
        ("Jan Maes jr;Menen", False),
    ],
)
def test_one_name_written_in_two_ways_is_asked_about(event: Event, row: str, double: bool) -> None:
    preview = read_players(event=event, content=f"naam;club\nJan Maes;Menen\n{row}\n".encode())
    assert [line.duplicate_of for line in preview.lines] == ["", "row 2" if double else ""]


def test_free_numbers_fill_the_gaps(event: Event) -> None:
    import_players(event_id=event.pk, content=b"nr;naam\n2;A\n;B\n1;C\n;D\n", actor=SYSTEM)
    numbers = dict(Entrant.objects.values_list("person__name", "number"))
    assert numbers == {"A": 2, "B": 3, "C": 1, "D": 4}


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (b"", "file_empty"),
        (b"   \n ", "file_empty"),
        (b"\x00\x01\x02binary", "not_a_table"),
        (b"PK\x03\x04 not a zip at all", "file_unreadable"),
        (b"x" * 10_000_001, "file_too_large"),
    ],
)
def test_what_is_no_table_is_refused_in_words(event: Event, content: bytes, code: str) -> None:
    with pytest.raises(Refused) as refusal:
        read_players(event=event, content=content)
    assert refusal.value.code == code
    assert str(refusal.value)


@pytest.mark.guide("security#security")
def test_a_zip_bomb_is_refused_before_it_is_unpacked(event: Event, settings: LazySettings) -> None:
    settings.IMPORT_MAX_BYTES = 100_000
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/workbook.xml", b"0" * 3_000_000)
    with pytest.raises(Refused) as refusal:
        read_players(event=event, content=out.getvalue())
    assert refusal.value.code == "file_too_large"


def parts(file: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(file)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def with_sheet(rows: bytes) -> bytes:
    """Return a workbook whose first sheet has a line of headings and these rows."""
    first = b'<row r="1"><c r="A1" t="str"><v>Nr</v></c><c r="B1" t="str"><v>Naam</v></c></row>'
    name = b"http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for part, content in parts(xlsx(ROWS)).items():
            sheet = b'<worksheet xmlns="%s"><sheetData>%s%s</sheetData></worksheet>'
            archive.writestr(
                part, sheet % (name, first, rows) if part.endswith("sheet1.xml") else content
            )
    return out.getvalue()


@pytest.mark.guide("security#security")
def test_a_cell_far_to_the_right_makes_no_row_long(event: Event) -> None:
    """The file declares one cell per row; filled up to the sheet's width, 9,000 rows would be 150 million cells."""
    row = b'<row r="%d"><c r="A%d"><v>%d</v></c><c r="B%d" t="str"><v>A</v></c><c r="XFD%d"><v>1</v></c></row>'
    file = with_sheet(b"".join(row % (n, n, n, n, n) for n in range(2, 202)))
    assert len(read_players(event=event, content=file).lines) == 200
    assert max(map(len, read_sheets(file)[0].rows)) <= MOST_COLUMNS


@pytest.mark.guide("security#security")
def test_a_small_file_with_a_million_cells_in_a_row_is_refused(event: Event) -> None:
    file = with_sheet(b'<row r="2">' + b"<c/>" * MOST_TAGS + b"</row>")
    assert len(file) < 20_000
    with pytest.raises(Refused) as refusal:
        read_players(event=event, content=file)
    assert refusal.value.code == "file_too_large"


def _flagged(file: bytes, local: int, central: int, value: int) -> bytes:
    """Return the workbook with one byte set in every zip header, local and central."""
    changed = bytearray(file)
    for mark, offset in ((b"PK\x03\x04", local), (b"PK\x01\x02", central)):
        at = changed.find(mark)
        while at >= 0:
            changed[at + offset] = value
            at = changed.find(mark, at + 4)
    return bytes(changed)


def _half_unpackable(file: bytes) -> bytes:
    at = file.find(b"xl/worksheets/sheet1.xml") + 40
    return file[:at] + b"\xff" * 30 + file[at + 30 :]


@pytest.mark.parametrize(
    "file",
    [
        _flagged(xlsx(ROWS), 6, 8, 1),
        _flagged(xlsx(ROWS), 8, 10, 97),
        _flagged(xlsx(ROWS), 8, 10, 14),
        _half_unpackable(xlsx(ROWS)),
    ],
    ids=["encrypted", "packed in an unknown way", "packed in another way", "damaged inside"],
)
def test_a_workbook_that_cannot_be_unpacked_is_refused_in_words(event: Event, file: bytes) -> None:
    with pytest.raises(Refused) as refusal:
        read_players(event=event, content=file)
    assert refusal.value.code == "file_unreadable"


@pytest.mark.guide("security#security")
def test_too_many_rows_are_refused(event: Event, settings: LazySettings) -> None:
    settings.IMPORT_MAX_ROWS = 10
    preview = read_players(event=event, content=b"naam\n" + b"A\n" * 11)
    assert preview.problems == ["The file has too many rows: at most 10."]


def test_no_name_column_says_what_to_do(event: Event) -> None:
    preview = read_players(event=event, content=b"a,b\n1,2\n")
    assert "headed" in preview.problems[0]


def test_the_log_holds_ids_and_no_names(event: Event) -> None:
    import_players(event_id=event.pk, content=b"naam\nGeheime Naam\n", actor=SYSTEM)
    kept = str(list(AuditEntry.objects.filter(scope=event.pk).values_list("before", "after")))
    assert "Geheime" not in kept
    assert str(Person.objects.get().pk) in kept


def test_a_championship_is_imported_in_few_statements(
    event: Event, django_assert_max_num_queries: Any
) -> None:
    rows = "\n".join(f"{n};Player {n};Club {n % 30}" for n in range(1, 545))
    with django_assert_max_num_queries(42):
        assert (
            import_players(
                event_id=event.pk, content=f"nr;naam;club\n{rows}".encode(), actor=SYSTEM
            )
            == 544
        )
    assert event.clubs.count() == 30


@settings(
    max_examples=50, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    st.sampled_from([b"", b"PK\x03\x04", b"\xd0\xcf\x11\xe0", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"]),
    st.binary(max_size=700),
)
def test_any_bytes_are_read_or_refused(event: Event, start: bytes, content: bytes) -> None:
    try:
        preview = read_players(event=event, content=start + content)
    except Refused:
        preview = None
    assert preview is None or preview.problems or preview.lines
    assert not Entrant.objects.exists()


@pytest.mark.guide("director#players-from-a-list")
@settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    st.lists(st.tuples(st.text(max_size=20), st.text(max_size=20), st.text(max_size=6)), max_size=8)
)
def test_any_table_is_imported_whole_or_not_at_all(
    event: Event, rows: list[tuple[str, str, str]]
) -> None:
    out = io.StringIO()
    import csv

    writer = csv.writer(out)
    writer.writerow(["name", "club", "number"])
    writer.writerows(rows)
    before = Entrant.objects.count()
    try:
        count = import_players(
            event_id=event.pk, content=out.getvalue().encode("utf-8", "surrogatepass"), actor=SYSTEM
        )
    except Refused:
        count = 0
    assert Entrant.objects.count() == before + count


def test_an_import_is_a_job_with_its_effect_once(event: Event) -> None:
    kept = keep_file(event_id=event.pk, file=b"naam\nAn\nBo\n", actor=SYSTEM).file
    job = request_import(event_id=event.pk, file=str(kept.pk), skip_duplicates=False, actor=SYSTEM)
    assert (
        request_import(event_id=event.pk, file=str(kept.pk), skip_duplicates=False, actor=SYSTEM).pk
        == job.pk
    )
    work_on(str(job.pk))
    work_on(str(job.pk))
    job.refresh_from_db()
    kept.refresh_from_db()
    assert (job.state, job.result) == ("done", {"imported": 2, "pairs": False})
    assert Entrant.objects.count() == 2
    assert (bytes(kept.content), kept.imported_at is not None) == (b"", True)
    with pytest.raises(Refused) as refusal:
        request_import(event_id=event.pk, file=str(kept.pk), skip_duplicates=False, actor=SYSTEM)
    assert refusal.value.code == "file_gone"


def test_a_job_that_cannot_import_says_why_and_keeps_the_file(event: Event) -> None:
    kept = keep_file(event_id=event.pk, file=b"nr;naam\nx;An\n", actor=SYSTEM).file
    job = request_import(event_id=event.pk, file=str(kept.pk), skip_duplicates=False, actor=SYSTEM)
    work_on(str(job.pk))
    job.refresh_from_db()
    kept.refresh_from_db()
    assert (job.state, job.failure) == ("failed", "Nothing was imported: 1 row needs correction.")
    assert kept.content
    assert not Entrant.objects.exists()


def test_a_new_file_takes_the_place_of_the_one_before(event: Event) -> None:
    first = keep_file(event_id=event.pk, file=b"naam\nAn\n", actor=SYSTEM).file
    keep_file(event_id=event.pk, file=b"naam\nBo\n", actor=SYSTEM)
    assert not event.player_files.filter(pk=first.pk).exists()


def test_a_column_that_is_not_read_is_told_beside_the_bad_rows(event: Event) -> None:
    """Otherwise a misspelt heading would lose its column silently."""
    preview = read_players(event=event, content=b"Naam;Nummr;Club\n;600;De As\n")
    assert not preview.importable
    assert (preview.headings, preview.ignored) == (["Naam", "Club"], ["Nummr"])


SECRETARY = [
    ["Manille Club de Dour", "", "", "", ""],
    ["Liste du 20 novembre", "", "", "", ""],
    ["Nom", "Prénom", "Club", "Téléphone", "Payé"],
    ["DELVOYE", "Huguette", "Dour", "0470 12 34 56", "oui"],
    ["Van den Bossche", "Jean-Pierre", "Boussu", "", "non"],
    ["", "", "", "", ""],
    ["TOTAL", "2", "", "", "1"],
]


@pytest.mark.guide("director#players-from-a-list")
@pytest.mark.parametrize("as_file", [xlsx, lambda rows: "\n".join(map(";".join, rows)).encode()])
def test_the_secretarys_spreadsheet_is_read_and_every_row_accounted_for(
    event: Event, as_file: Any
) -> None:
    preview = read_players(event=event, content=as_file(SECRETARY))
    assert preview.importable
    assert [(line.line, line.name, line.club) for line in preview.lines] == [
        (4, "Huguette DELVOYE", "Dour"),
        (5, "Jean-Pierre Van den Bossche", "Boussu"),
    ]
    assert [(line.line, line.left_out) for line in preview.left_out] == [
        (1, "above the headings"),
        (2, "above the headings"),
        (3, "the headings"),
        (7, "a total, not a player"),
    ]
    assert preview.ignored == []
    assert import_players(event_id=event.pk, content=as_file(SECRETARY), actor=SYSTEM) == 2


@pytest.mark.parametrize(
    ("headings", "row", "name"),
    [
        ("Nom;Prénom", "Dupont;Léa", "Léa Dupont"),
        ("Voornaam;Naam", "Léa;Dupont", "Léa Dupont"),
        ("Name;First name", "Dupont;Léa", "Léa Dupont"),
        ("NOM Prénom;Club", "DUPONT Léa;Dour", "DUPONT Léa"),
        ("Nom et prénom", "DUPONT Léa", "DUPONT Léa"),
        ("Naam en voornaam;Nr.", "Dupont Léa;4", "Dupont Léa"),
        ("Deelnemer;N°", "Léa Dupont;4", "Léa Dupont"),
        ("Nom;Club", "DELVOYE, Huguette;Dour", "DELVOYE Huguette"),
        ("Nom,Club", '"DELVOYE, Huguette",Dour', "DELVOYE Huguette"),
        ("Nom", "DELVOYE, Huguette", "DELVOYE Huguette"),
    ],
)
def test_names_are_whole_however_the_columns_are_headed(
    event: Event, headings: str, row: str, name: str
) -> None:
    preview = read_players(event=event, content=f"{headings}\n{row}\n".encode())
    assert preview.importable, preview.problems
    assert [line.name for line in preview.lines] == [name]


@pytest.mark.parametrize(
    ("row", "is_player"),
    [
        ("Total", False),
        ("TOTAAL: 49", False),
        ("Totaux", False),
        ("Sous-total Dour", False),
        ("Aantal spelers: 49", False),
        ("Nombre de joueurs 49", False),
        ("Totaro Enzo", True),
        ("Nombret Luc", True),
        ("Sommer Ann", True),
    ],
)
def test_a_row_that_adds_up_is_no_player(event: Event, row: str, is_player: bool) -> None:
    preview = read_players(event=event, content=f"naam\nAn\n{row}\n".encode())
    assert (row in [line.name for line in preview.lines]) == is_player
    assert (row in [line.name for line in preview.left_out]) != is_player


def look(client: Client, event: Event, **sent: Any) -> str:
    return client.post(f"/desk/{event.slug}/players/import/", sent).content.decode()


@pytest.mark.guide("director#players-from-a-list")
def test_every_row_is_on_the_page_with_what_becomes_of_it(event: Event, client: Client) -> None:
    client.force_login(make_user("director", event, "director"))
    rows = "".join(f"Speler {n};Club\n" for n in range(1, 50))
    content = f"Inschrijvingen\nNaam;Club\n{rows}speler 7;club\nTotaal;49\n".encode()
    page = look(client, event, file=SimpleUploadedFile("list.csv", content))
    table = page.split('class="grid grid--cards preview"')[1].split("</table>")[0]
    assert table.count("<tr") == 1 + 53
    assert table.count("ready to be imported") == 49
    assert "left out: a total, not a player" in table
    assert "duplicate: row 9" in table


@pytest.mark.guide("director#players-from-a-list")
def test_columns_are_pointed_at_where_no_heading_tells(event: Event, client: Client) -> None:
    client.force_login(make_user("director", event, "director"))
    content = b"4;Dupont;Lea\n9;Peeters;Jan\n"
    page = look(client, event, file=SimpleUploadedFile("list.csv", content))
    assert "Choose below what the columns contain" in page
    kept = event.player_files.get()
    said = {"first_row": "1", "column-0": "number", "column-1": "last", "column-2": "first"}
    page = look(client, event, look=kept.pk, **said)
    assert "2 players are ready" in page
    hidden = dict(re.findall(r'type="hidden" name="(column-\d|first_row)" value="(\w+)"', page))
    assert hidden == said
    client.post(f"/desk/{event.slug}/players/import/", {"confirm": kept.pk, **hidden})
    work_on(str(event_jobs(event)[0]))
    assert dict(Entrant.objects.values_list("number", "person__name")) == {
        4: "Lea Dupont",
        9: "Jan Peeters",
    }


@pytest.mark.guide("director#players-from-a-list")
@pytest.mark.parametrize(
    ("column", "names"),
    [
        ("name", ["DELVOYE Huguette", "Jan Maes"]),
        ("turned", ["Huguette DELVOYE", "Jan Maes"]),
    ],
)
def test_a_name_with_a_comma_keeps_its_order_unless_turned(
    event: Event, client: Client, column: str, names: list[str]
) -> None:
    client.force_login(make_user("director", event, "director"))
    look(client, event, text="DELVOYE, Huguette\nJan Maes")
    said = {"first_row": "1", "column-0": column}
    page = look(client, event, look=event.player_files.get().pk, **said)
    assert [name for name in ("DELVOYE Huguette", "Huguette DELVOYE") if name in page] == names[:1]
    client.post(
        f"/desk/{event.slug}/players/import/", {"confirm": event.player_files.get().pk, **said}
    )
    work_on(str(event_jobs(event)[0]))
    assert sorted(Person.objects.values_list("name", flat=True)) == sorted(names)


@pytest.mark.guide("director#players-from-a-list")
def test_phone_category_and_payment_are_kept_where_the_columns_are_wanted(
    event: Event, client: Client
) -> None:
    client.force_login(make_user("director", event, "director"))
    text = "Nom;Prénom;GSM;Catégorie;Payé\nMaes;Jan;0470 12;Dames;payé\nClaes;Els;;;non\n"
    page = look(client, event, file=SimpleUploadedFile("list.csv", text.encode()))
    table = page.split('class="grid grid--cards preview"')[1].split("</table>")[0]
    assert all(cell in table for cell in ("0470 12", "Dames", ">yes<"))
    kept = event.player_files.get().pk
    # The director marks the column of phone numbers as unused.
    said = {"first_row": "2", "column-0": "last", "column-1": "first", "column-3": "category"}
    client.post(
        f"/desk/{event.slug}/players/import/", {"confirm": kept, "column-4": "paid", **said}
    )
    work_on(str(event_jobs(event)[0]))
    rows = Entrant.objects.order_by("number").values_list(
        "person__name", "person__phone", "category", "paid"
    )
    assert list(rows) == [("Jan Maes", "", "Dames", True), ("Els Claes", "", "", False)]
    import_players(
        event_id=make_event(0, slug="all", name="All").pk, content=text.encode(), actor=SYSTEM
    )
    assert Person.objects.filter(name="Jan Maes", phone="0470 12").exists()


def event_jobs(event: Event) -> list[Any]:
    return list(Job.objects.filter(scope=event.pk).values_list("pk", flat=True))


def test_a_file_of_another_event_cannot_be_looked_at(event: Event, client: Client) -> None:
    client.force_login(make_user("director", event, "director"))
    other = make_event(0, slug="other", name="Other")
    kept = keep_file(event_id=other.pk, file=b"naam\nGeheim\n", actor=SYSTEM).file
    page = look(client, event, look=kept.pk, first_row="1")
    assert "Geheim" not in page
    assert "no longer kept" in page
    client.post(f"/desk/{event.slug}/players/import/", {"confirm": kept.pk})
    assert not event_jobs(other)


@pytest.mark.guide("director#players-from-a-list")
@pytest.mark.parametrize(
    ("pasted", "names", "lines"),
    [
        (
            "Bonsoir, voici les inscrits :\n\n1. Jan Maes\n2) DELVOYE, Huguette\n- Noël D'Hondt\n\n",
            ["Jan Maes", "DELVOYE Huguette", "Noël D'Hondt"],
            [3, 4, 5],
        ),
        ("Jan Maes, Els Claes, Piet Noé", ["Jan Maes", "Els Claes", "Piet Noé"], [1, 2, 3]),
        ("Jan Maes\tDe Tien\n4 As\tDe Zot", ["Jan Maes", "4 As"], [1, 2]),
        (
            "1. Jan Maes\n2 Els Claes\n3) Piet Noé\nGreet Wouters",
            ["Jan Maes", "Els Claes", "Piet Noé", "Greet Wouters"],
            [1, 2, 3, 4],
        ),
        ("Nom\tPrénom\n\nMaes\tJan\nTotal\t1", ["Jan Maes"], [3]),
    ],
)
def test_names_are_pasted_as_they_stand(
    client: Client, event: Event, pasted: str, names: list[str], lines: list[int]
) -> None:
    client.force_login(make_user("director", event, "director"))
    page = f"/desk/{event.slug}/players/import/"
    looked = client.post(page, {"text": pasted})
    assert looked.status_code == 200
    assert [line.name for line in looked.context["preview"].lines] == names
    assert [line.line for line in looked.context["preview"].lines] == lines
    for line in pasted.split("\n"):
        assert (
            line.split("\t")[0] in looked.content.decode()
            or "," in line
            or "'" in line
            or "1." in line
        )
    layout = looked.context["layout"]
    said = {"confirm": looked.context["file"].pk}
    if layout is not None:
        said |= {"first_row": layout.first_row}
        said |= {f"column-{index}": column for column, index in layout.columns.items()}
    work_on(client.post(page, said).headers["Location"].split("/")[-2])
    assert sorted(Person.objects.values_list("name", flat=True)) == sorted(names)


def read_pasted(event: Event, text: str) -> Preview:
    content, layout = as_file(text)
    return read_players(event=event, content=content, layout=layout)


def test_lines_of_a_message_are_numbered_as_they_stand_and_no_heading_is_made_up(
    event: Event,
) -> None:
    preview = read_pasted(event, "Pour vendredi:\n\n10 Luc Peeters\n11 Sofie De Clercq;Menen\n")
    assert [(line.line, line.name, line.club) for line in preview.lines] == [
        (3, "Luc Peeters", ""),
        (4, "Sofie De Clercq", "Menen"),
    ]
    assert [(line.line, line.left_out) for line in preview.left_out] == [
        (1, "a sentence, not a player")
    ]


def test_cells_that_are_not_read_are_named_and_a_number_is_no_name(event: Event) -> None:
    preview = read_pasted(event, "Jan Maes\tMenen\toui\nEls Claes\tDour\tnon\n12\tGent\t")
    assert preview.ignored == ["column 3 (oui)"]
    assert [line.errors for line in preview.bad] == [["“12” has no letters"]]


@pytest.mark.parametrize("letters", ["x", "et ", "0 ", "(", "Jan & "])
def test_a_text_without_an_end_is_one_name_too_long(event: Event, letters: str) -> None:
    endless = (letters * 200_000)[:200_000]
    pasted = read_pasted(event, f"Jan Maes\n{endless}\nEls Claes")
    filed = read_players(event=event, content=f"Naam\nJan Maes\n{endless[:30_000]}\n".encode())
    for preview in (pasted, filed):
        assert "Jan Maes" in {line.name for line in preview.lines if not line.errors}
        assert not [line for line in preview.lines if not line.errors and len(line.name) > 100]


@pytest.mark.guide("director#players-from-a-list")
@pytest.mark.parametrize("word", ["Speler", "Joueur", "Player", "Naam"])
def test_a_numbered_name_on_the_first_line_is_somebody(event: Event, word: str) -> None:
    alone = read_pasted(event, f"{word} 01\n{word} 02")
    assert [line.name for line in alone.lines] == [f"{word} 01", f"{word} 02"]
    with_club = read_pasted(event, f"{word} 01\tDe Tien\n{word} 02\tDe Zot")
    assert [line.name for line in with_club.lines] == [f"{word} 01", f"{word} 02"]
    headed = read_pasted(event, f"Naam\tClub\n{word} 01\tDe Tien")
    assert [(line.name, line.club) for line in headed.lines] == [(f"{word} 01", "De Tien")]


def test_cells_without_headings_are_told_apart(settings: Any, event: Event) -> None:
    settings.EMAIL_URL = "smtp://localhost"
    text = "7\tJan Maes\tDe Tien\tjan@example.org\n8\tEls Claes\tDe Zot\tels@example.org"
    first, second = read_pasted(event, text).lines
    assert (first.number, first.name, first.club, first.values["email"]) == (
        7,
        "Jan Maes",
        "De Tien",
        "jan@example.org",
    )
    assert (second.number, second.name, second.club) == (8, "Els Claes", "De Zot")


@pytest.mark.guide("director#players-from-a-list")
@pytest.mark.parametrize(
    ("heading", "no", "yes"),
    [("Keeps score", "no", "yes"), ("Schrijft", "Nee", "ja"), ("Marque", "non", "oui")],
)
def test_who_keeps_no_score_is_imported_so(heading: str, no: str, yes: str) -> None:
    event = make_event(0)
    rows = f"Naam;{heading}\nAnn;{no}\nBea;{yes}\nCis;\n"
    import_players(event_id=event.pk, content=rows.encode(), actor=SYSTEM)
    assert list(event.entrants.order_by("number").values_list("person__name", "keeps_score")) == [
        ("Ann", False),
        ("Bea", True),
        ("Cis", True),
    ]


def test_rows_numbered_in_advance_are_left_out_with_their_reason(event: Event) -> None:
    preview = read_players(event=event, content=b"Nr;Naam;Club\n1;Jan Maes;Menen\n2;;\n3;;\n")
    assert preview.importable
    assert [line.name for line in preview.lines] == ["Jan Maes"]
    assert [(line.line, line.left_out) for line in preview.left_out] == [
        (1, "the headings"),
        (3, "no name"),
        (4, "no name"),
    ]
    # A club without a name is a forgotten name.
    assert read_players(event=event, content=b"Nr;Naam;Club\n1;;Menen\n").bad


def test_only_columns_that_hold_something_are_asked_about(event: Event, client: Client) -> None:
    client.force_login(make_user("director", event, "director"))
    book = openpyxl.Workbook()
    book.active.append(["Delvoye", "Huguette", "0475 12 34 56"])
    book.active["AZ40"].value = None
    book.active["AZ40"].font = openpyxl.styles.Font(bold=True)
    out = io.BytesIO()
    book.save(out)
    page = client.post(
        f"/desk/{event.slug}/players/import/",
        {"file": SimpleUploadedFile("list.xlsx", out.getvalue())},
    )
    assert page.content.decode().count('name="choose-column-') == 3


@pytest.mark.guide("director#players-from-a-list")
@pytest.mark.parametrize(
    "line",
    [
        "Aurélie Lefèvre 06 12 34 56 78",
        "- Aurélie Lefèvre (0475/12.34.56)",
        "Aurélie Lefèvre, tél. +32 475 12 34 56",
        "Aurélie Lefèvre\t0475 12 34 56",
    ],
)
def test_a_phone_number_behind_a_pasted_name_is_no_part_of_it(event: Event, line: str) -> None:
    """A name and a club are public, so a phone number must not become part of them."""
    preview = read_pasted(event, f"Jan Maes\n{line}")
    read = preview.lines[1]
    assert read.name == "Aurélie Lefèvre"
    assert (read.club, sum(sign.isdigit() for sign in str(read.values["phone"]))) in (
        ("", 10),
        ("", 11),
    )


def test_pictures_in_a_message_are_no_part_of_a_name(event: Event) -> None:
    preview = read_pasted(
        event, "An Claes ✅\nGreet Wouters 👍🏽\nZoë D’Hondt\nAn Claes, Bart Maes ❤️"
    )
    assert [line.name for line in preview.lines][:3] == ["An Claes", "Greet Wouters", "Zoë D’Hondt"]
    assert preview.lines[3].doubt == "one player or several?"


@pytest.mark.guide("director#players-from-a-list")
@pytest.mark.parametrize(
    ("content", "doubts"),
    [
        (
            "Nom;Prénom\nMaes;Jan\nPetit;\n;Claude\n",
            ["the first name is missing", "the surname is missing"],
        ),
        ('Nom;Prénom\n"DELVOYE, Huguette";\nVan den Bossche Luc;\n', []),
        ("Nom\nJan Maes\nImprimé le 25/11/2026\n", ["is this a name?"]),
        ("Nom\nSpeler 101\n", []),
        ("Nom\nJan Maes\n12 Piet Noé\n", ["is this a name?"]),
        ('Nom\n"Els Janssens, Bart Janssens"\n', ["one player or several?"]),
        ("Naam\nEls en Bart Janssens\n", ["one player or several?"]),
        ("Nom\nLuc & Zoé Petit\nEtienne Andries\n", ["one player or several?"]),
        ("Naam;Maat\nJan Maes;Luc Claeys\nAn Peeters;\n", ["one player or several?"]),
        ('Nom\n"Van den Abeele, Marie Louise"\n"Maes, Jan Pieter"\n', []),
        ("Nom\nJef Vermeulen (plus tard)\n", ["is this a name?"]),
        (
            "Nom\nJan Maes\nPeeters\nAn Claes\nZoé Petit\nLuc Roels\n",
            ["is this the whole name?"],
        ),
        # Where many names are one word, short names are the club's custom.
        ("Nom\nJan\nAn Claes\nPiet\n", []),
    ],
)
def test_names_that_are_hardly_whole_are_pointed_at(
    event: Event, client: Client, content: str, doubts: list[str]
) -> None:
    client.force_login(make_user("director", event, "director"))
    page = look(client, event, file=SimpleUploadedFile("list.csv", content.encode()))
    table = page.split('class="grid grid--cards preview"')[1].split("</table>")[0]
    assert re.findall("to be checked: ([^<]*)<", table) == doubts
    assert ("to check:" in page) == bool(doubts)


def test_cells_below_no_heading_are_named(event: Event) -> None:
    """A heading over two columns, and a comma in an unquoted name."""
    over_two = read_players(
        event=event, content=xlsx([["Nom", "", "Club"], ["Maes", "Jan", "Dour"]])
    )
    assert over_two.ignored == ["column 2 (Jan)"]
    comma = read_players(event=event, content=b"Nom,Club\nMaes Jan,Dour\nLEROY, Michel,Breizh\n")
    assert comma.ignored == ["column 3 (Breizh)"]


def test_an_address_that_nothing_is_sent_to_is_not_said_to_be_read(
    event: Event, settings: Any
) -> None:
    content = b"Nom;E-mail\nJan Maes;jan@example.org\n"
    preview = read_players(event=event, content=content)
    assert (preview.headings, preview.ignored) == (["Nom"], ["E-mail"])
    settings.EMAIL_URL = "smtp://localhost"
    preview = read_players(event=event, content=content)
    assert (preview.headings, preview.ignored) == (["Nom", "E-mail"], [])


@pytest.mark.guide("director#players-from-a-list")
def test_the_list_once_more_with_new_people_brings_only_these(event: Event, client: Client) -> None:
    """With start numbers too: those of existing players are ignored as their own."""
    rows = "".join(f"{n};Speler {n}\n" for n in range(1, 31))
    import_players(event_id=event.pk, content=f"Nr;Naam\n{rows}".encode(), actor=SYSTEM)
    client.force_login(make_user("director", event, "director"))
    content = f"Nr;Naam\n{rows}31;Léa Durand\n32;Tom Faure\n".encode()
    page = look(client, event, file=SimpleUploadedFile("list.csv", content))
    assert "2 players are ready" in page
    assert "Léa Durand · Tom Faure" in page
    assert "30 rows name people who are there already" in page
    assert page.count("already in this event") == 30  # each in its row alone
    kept = event.player_files.get()
    client.post(
        f"/desk/{event.slug}/players/import/", {"confirm": kept.pk, "skip_duplicates": "on"}
    )
    work_on(str(event_jobs(event)[0]))
    names = dict(Entrant.objects.order_by("number").values_list("number", "person__name"))
    job = client.get(f"/desk/{event.slug}/jobs/{event_jobs(event)[0]}/").content.decode()
    assert re.search(r'players/"\s+aria-current="page"', job)
    assert (len(names), names[30], names[31], names[32]) == (
        32,
        "Speler 30",
        "Léa Durand",
        "Tom Faure",
    )
    assert "Everybody is there already" in look(
        client, event, file=SimpleUploadedFile("list.csv", content)
    )


def test_names_without_headings_are_one_column_that_is_pointed_at(
    event: Event, client: Client
) -> None:
    client.force_login(make_user("director", event, "director"))
    content = b"Jan Maes\nEls Claes\nDELVOYE, Huguette\n"
    page = look(client, event, file=SimpleUploadedFile("list.csv", content))
    assert re.findall('name="choose-(column-.)"', page) == ["column-0"]
    assert re.findall('value="([a-z]+)" selected', page) == ["name"]
    halves = look(client, event, file=SimpleUploadedFile("list.csv", b"Maes;Jan\nClaes;Els\n"))
    assert re.findall('value="([a-z]+)" selected', halves) == []


@pytest.mark.parametrize("content", [b"%PDF-1.4\n1 0 obj", b"{\\rtf1 Jan Maes}"])
def test_a_document_is_no_spreadsheet(event: Event, content: bytes) -> None:
    with pytest.raises(Refused) as refusal:
        read_players(event=event, content=content)
    assert refusal.value.code == "not_a_table"


def test_names_corrected_below_their_preview_are_checked_before_they_are_imported(
    event: Event, client: Client
) -> None:
    client.force_login(make_user("director", event, "director"))
    page = look(client, event, text="Jan Maes\nEls Claes")
    assert re.search(r'<textarea[^>]* form="import"', page)
    kept = event.player_files.get().pk
    page = look(client, event, confirm=kept, text="Jan Maes")
    assert "check them again" in page
    assert "1 player is ready" in page
    assert not event_jobs(event)
    look(
        client,
        event,
        confirm=event.player_files.get().pk,
        text="Jan Maes",
        first_row="1",
        **{"column-0": "name"},
    )
    work_on(str(event_jobs(event)[0]))
    assert list(Person.objects.values_list("name", flat=True)) == ["Jan Maes"]


@pytest.mark.parametrize(
    ("line", "is_player"),
    [
        ("Bonjour,", False),
        ("Bonsoir Marie,", False),
        ("À bientôt !", False),
        ("Bien à toi,", False),
        ("Met vriendelijke groeten", False),
        ("Hallo allemaal,", False),
        ("Bonjour Marie", True),
        ("Salut Marc", True),
        ("Els Claes,", True),
    ],
)
def test_a_greeting_is_no_player(event: Event, line: str, is_player: bool) -> None:
    preview = read_pasted(event, f"{line}\nJan Maes\n")
    assert [each.left_out for each in preview.left_out] == (
        [] if is_player else ["a sentence, not a player"]
    )


def test_the_register_says_whose_name_is_hardly_one(client: Client) -> None:
    admin = make_user("admin")
    grant(admin, Role.ADMIN)
    client.force_login(admin)
    said = {"verb": "paste", "text": "Bonjour,\nJan Maes 0475 12 34 56\nImprimé le 25/11/2026"}
    page = client.post("/desk/members/", said, follow=True).content.decode()
    assert "2 members added." in page
    assert "To be checked: Imprimé le 25/11/2026" in page
    assert Member.objects.filter(name="Jan Maes", phone="0475 12 34 56").exists()


def test_a_column_of_signs_is_asked_about_before_anybody_is_imported(
    event: Event, client: Client
) -> None:
    client.force_login(make_user("director", event, "director"))
    content = b"Naam;Geg.\nJan Peeters;v\nMia Claes;-\n"
    page = look(client, event, file=SimpleUploadedFile("list.csv", content))
    assert "What do these columns say" in page
    kept = event.player_files.get()
    assert 'name="ready"' not in page
    with pytest.raises(Refused) as refused:
        import_players(event_id=event.pk, content=content, actor=SYSTEM)
    assert refused.value.code == "column_unclear"
    said = {"choose-first_row": "2", "choose-column-0": "name", "choose-column-1": "paid"}
    page = look(client, event, choose=kept.pk, **said)
    assert "2 players are ready" in page
    hidden = dict(re.findall(r'type="hidden" name="(column-\d|first_row)" value="(\w+)"', page))
    client.post(f"/desk/{event.slug}/players/import/", {"confirm": kept.pk, **hidden})
    work_on(str(event_jobs(event)[0]))
    assert dict(event.entrants.values_list("person__name", "paid")) == {
        "Jan Peeters": True,
        "Mia Claes": False,
    }


@pytest.mark.parametrize(
    "marks", ["Nr;Naam\n1;{}\n2;{}\n", "Naam;Gsm\n{};0475112233\n{};0475445566\n"]
)
def test_like_names_with_other_numbers_or_telephones_are_two_people(
    event: Event, marks: str
) -> None:
    content = marks.format("Marc Claes", "Mark Claes").encode()
    preview = read_players(event=event, content=content)
    assert [line.near for line in preview.lines] == ["", ""]
    bare = read_players(event=event, content=b"Naam\nMarc Claes\nMark Claes\n")
    assert bare.lines[1].near


def test_every_button_takes_the_decisions_in_rows_along(event: Event, client: Client) -> None:
    client.force_login(make_user("director", event, "director"))
    content = b"Naam;Betaald\nJan Peeters;beloofd\nStefaan;ja\nMia Claes;ja\nLuc Maes;nee\n"
    page = markup(
        client.post(
            f"/desk/{event.slug}/players/import/",
            {"file": SimpleUploadedFile("list.csv", content)},
        )
    )
    for name in ("row-3", "paid-means", "choose-column-0", "choose-first_row"):
        tags = re.findall(rf'<(?:select|input)[^>]*name="{name}"[^>]*>', page)
        assert tags, name
        assert all('form="import"' in tag for tag in tags), name
