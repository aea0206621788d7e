"""Meanings in a secretary's list: its sheets, payments, e-mail addresses next to names, two people in one cell."""

from __future__ import annotations

import io
import re
import time
import zipfile
from typing import Any

import openpyxl
import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from ledger.errors import Refused
from ledger.jobs import work_on
from ledger.models import Job
from tests.tournament.build import SYSTEM, grant, make_event, make_user
from tournament.models import Entrant, Event, Member, Person
from tournament.services.events import new_stage
from tournament.services.imports import import_players
from tournament.services.player_lists import Preview, as_file, read_players

pytestmark = pytest.mark.django_db


@pytest.fixture
def event(settings: Any) -> Event:
    settings.EMAIL_URL = "smtp://localhost"
    return make_event(0)


@pytest.fixture
def pairs() -> Event:
    return make_event(0, plan=[new_stage("Evening", format="pairs_swiss", rounds=3)])


def workbook(**sheets: list[list[object]]) -> bytes:
    book = openpyxl.Workbook()
    book.remove(book.active)
    for name, rows in sheets.items():
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append(row)
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def stating(file: bytes, dimension: str) -> bytes:
    """Return the workbook with another declared dimension of its sheets."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(file)) as old, zipfile.ZipFile(out, "w") as new:
        for item in old.infolist():
            content = old.read(item)
            if item.filename.startswith("xl/worksheets/"):
                content, found = re.subn(
                    rb'<dimension ref="[^"]*"', b'<dimension ref="%s"' % dimension.encode(), content
                )
                assert found == 1
            new.writestr(item, content)
    return out.getvalue()


def pasted(event: Event, text: str) -> Preview:
    content, layout = as_file(text)
    return read_players(event=event, content=content, layout=layout)


def look(client: Client, event: Event, **sent: Any) -> str:
    answer = client.post(f"/desk/{event.slug}/players/import/", sent)
    assert answer.status_code == 200
    return answer.content.decode()


LIST: list[list[object]] = [
    ["Naam", "Club"],
    ["Jan Maes", "Menen"],
    ["Els Claes", ""],
    ["Tom Baert", ""],
]


@pytest.mark.guide("director#players-from-a-list")
@pytest.mark.parametrize("stated", ["A1:B2", "A1", "A1:A4", "A1:XFD1048576", "B2:B3", "A1:B900"])
def test_a_workbook_that_states_a_wrong_size_is_read_whole(event: Event, stated: str) -> None:
    preview = read_players(event=event, content=stating(workbook(List=LIST), stated))
    assert [(line.line, line.name, line.club) for line in preview.lines] == [
        (2, "Jan Maes", "Menen"),
        (3, "Els Claes", ""),
        (4, "Tom Baert", ""),
    ]


def test_who_stands_far_below_is_no_less_there(event: Event, settings: Any) -> None:
    settings.IMPORT_MAX_ROWS = 100
    book = openpyxl.Workbook()
    for row in LIST:
        book.active.append(row)
    book.active.cell(3000, 1, "Late Comer")
    out = io.BytesIO()
    book.save(out)
    for content in (out.getvalue(), b"naam\nJan Maes\n" + b"\n" * 3000 + b"Late Comer\n"):
        preview = read_players(event=event, content=content)
        assert preview.lines[-1].name == "Late Comer"
        assert preview.importable


def test_rows_without_end_cost_no_minute(event: Event) -> None:
    far = workbook(List=LIST)
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(far)) as old, zipfile.ZipFile(out, "w") as new:
        for item in old.infolist():
            content = old.read(item)
            new.writestr(item, content.replace(b'<row r="4"', b'<row r="99999999999"'))
    for content in (out.getvalue(), b"naam\nJan Maes\n" + b"\n" * 9_000_000):
        begin = time.process_time()
        assert read_players(event=event, content=content).lines[0].name == "Jan Maes"
        assert time.process_time() - begin < 20


GUIDE: list[list[object]] = [["How to fill this in"], ["One player on each line"], ["Thank you"]]
SUMMARY: list[list[object]] = [
    ["This document was exported from Numbers."],
    ["Numbers Sheet Name", "Numbers Table Name", "Excel Worksheet Name"],
    ["Spelers", "Tabel 1", "Spelers"],
]


@pytest.mark.guide("director#players-from-a-list")
@pytest.mark.parametrize("first", [GUIDE, SUMMARY, [], [["Naam", "Club"]]])
def test_the_sheet_with_the_players_is_read_and_the_others_are_named(
    event: Event, first: list[list[object]]
) -> None:
    preview = read_players(
        event=event, content=workbook(Info=first, Spelers=LIST, Cijfers=[[1, 2]])
    )
    assert [line.name for line in preview.lines] == ["Jan Maes", "Els Claes", "Tom Baert"]
    assert (preview.sheet, preview.sheets, preview.lists) == (
        "Spelers",
        ["Info", "Spelers", "Cijfers"],
        [],
    )


@pytest.mark.guide("director#players-from-a-list")
def test_another_sheet_is_chosen_on_the_page(event: Event, client: Client) -> None:
    client.force_login(make_user("director", event, "director"))
    sunday: list[list[object]] = [["Nom", "Payé"], ["Ann Smets", "gratuit"]]
    file = SimpleUploadedFile("list.xlsx", workbook(Zaterdag=LIST, Zondag=sunday))
    page = look(client, event, file=file)
    assert "Jan Maes" in page
    assert "“Zaterdag” is read, and nothing of the others." in page
    assert "These sheets look like lists of players, too: Zondag." in " ".join(page.split())
    kept = event.player_files.get().pk
    page = look(client, event, look=kept, sheet="Zondag")
    assert "Jan Maes" not in page
    # The choices about the list are posted with the sheet.
    page = look(
        client, event, look=kept, sheet="Zondag", **{"paid-word": "gratuit", "paid-means": "no"}
    )
    sent = dict(
        re.findall(
            r'type="hidden"\s+name="([\w-]+)"\s+value="([^"]*)"', page.split('id="import"')[1]
        )
    )
    assert (sent["paid-word"], sent["paid-means"]) == ("gratuit", "no")
    chosen = re.search(r'name="sheet".*?<option value="([^"]+)"\s+selected', page, re.DOTALL)
    assert chosen is not None
    assert chosen[1] == "Zondag"
    client.post(
        f"/desk/{event.slug}/players/import/", {"confirm": kept, "sheet": chosen[1], **sent}
    )
    work_on(str(Job.objects.get(scope=event.pk).pk))
    assert list(event.entrants.values_list("person__name", "paid")) == [("Ann Smets", False)]


def test_a_program_chooses_a_sheet_and_says_what_words_mean(event: Event, client: Client) -> None:
    client.force_login(make_user("director", event, "director"))
    sunday: list[list[object]] = [["Nom", "Payé"], ["Ann Smets", "Gratuit"]]
    address = f"/api/v1/events/{event.slug}/players-file/"
    file = SimpleUploadedFile("list.xlsx", workbook(Zaterdag=LIST, Zondag=sunday))
    kept = client.post(address, {"file": file, "sheet": "Zondag"}).json()
    assert (kept["sheet"], kept["sheets"]) == ("Zondag", ["Zaterdag", "Zondag"])
    assert kept["paid_asked"] == ["Gratuit"]
    asked = {"file": kept["id"], "sheet": "Zondag", "paid": {"Gratuit": True}}
    answer = client.post(f"{address}import/", asked, content_type="application/json")
    assert answer.status_code == 202
    work_on(answer.json()["id"])
    assert list(event.entrants.values_list("person__name", "paid")) == [("Ann Smets", True)]


def test_the_register_takes_no_sheet_by_itself_where_several_list_people(
    event: Event, client: Client
) -> None:
    admin = make_user("admin")
    grant(admin, "admin")
    client.force_login(admin)

    def send(**more: str) -> Any:
        file = SimpleUploadedFile(
            "list.xlsx", workbook(Zaterdag=LIST, Zondag=[["Nom"], ["Ann Smets"]])
        )
        return client.post("/api/v1/members/file/", {"file": file, **more})

    refused = send()
    assert (refused.status_code, refused.json()["field"]) == (400, "sheet")
    assert send(sheet="Zondag").json() == {"added": 1}
    assert list(Member.objects.values_list("name", flat=True)) == ["Ann Smets"]


def test_what_is_asked_stands_beside_its_row(event: Event, client: Client) -> None:
    client.force_login(make_user("director", event, "director"))
    page = look(client, event, text="Naam;Betaald\nJan Maes;gratis\nEls;Claes\n")
    rows = page.split('class="grid grid--cards preview"')[1].split("</table>")[0].split("<tr")
    assert "“gratis”: answer above" in rows[-2]
    assert "“Claes”: answer above" in rows[-1]
    assert 'name="confirm"' not in page


@pytest.mark.guide("director#players-from-a-list")
@pytest.mark.parametrize(
    ("paid", "words"),
    [
        (
            True,
            [
                "payé",
                "Payée",
                "betaald",
                "OK",
                "virement",
                "VRAI",
                "WAAR",
                "TRUE",
                "x",
                "ja",
                "oui",
                "✓",
            ],
        ),
        (
            True,
            [
                "OK, overschrijving",
                "betaald cash",
                "payé par virement",
            ],
        ),
        (
            False,
            [
                "à payer 10 €",
                "doit 10",
                "te betalen",
                "nog te betalen: 5",
                "nog niet betaald",
                "to pay",
            ],
        ),
        (
            False,
            [
                "pas payé",
                "pas encore",
                "niet betaald",
                "not paid",
                "impayé",
                "FAUX",
                "ONWAAR",
                "non",
            ],
        ),
        (False, ["0", "0,00 €", "-", "", "nee", "moet nog 10"]),
        (
            None,
            [
                "gratuit",
                "12/11/2026",
                "10/20",
                "payé 5, reste 5",
                "betaald 5 nog 5",
                "Jan",
                "?",
                "-10",
                "5",
                "10",
                "par 10",
                "10 €",
                "€10",
                "10,00",
                "5 euro",
                "payé 10 €",
                "cash",
                "payé le 12/11",
                "OK 27/11",
                "1",
            ],
        ),
    ],
)
def test_who_has_paid_is_read_or_asked_and_never_guessed(
    event: Event, paid: bool | None, words: list[str]
) -> None:
    rows: list[list[object]] = [["Naam", "Betaald"]]
    rows += [["Jan " + chr(65 + at) * 3, word] for at, word in enumerate(words)]
    preview = read_players(event=event, content=workbook(List=rows))
    assert [line.name for line in preview.lines if line.values["paid"]] == (
        [line.name for line in preview.lines] if paid else []
    )
    assert preview.asks == (words if paid is None else [])
    assert preview.importable is (paid is not None)
    if paid is None:
        with pytest.raises(Refused, match="means paid"):
            import_players(event_id=event.pk, content=workbook(List=rows), actor=SYSTEM)
        assert not Entrant.objects.exists()


@pytest.mark.guide("director#players-from-a-list")
def test_a_number_in_a_cell_of_payments_is_asked_about_once(event: Event, client: Client) -> None:
    """The fee as a spreadsheet number, a start number in the wrong column, a debt."""
    client.force_login(make_user("director", event, "director"))
    content = workbook(
        List=[["Naam", "Betaald"], ["Jan Maes", 5], ["Els Claes", 5.0], ["Tom Baert", 0]]
    )
    page = look(client, event, file=SimpleUploadedFile("list.xlsx", content))
    assert page.count("“5”: answer above") == 2
    assert page.count('name="paid-word" value="5"') == 1
    lines = read_players(event=event, content=content, paid={"5": True}).lines
    assert [line.values["paid"] for line in lines] == [True, True, False]


@pytest.mark.guide("director#players-from-a-list")
@pytest.mark.parametrize("row", ["8.", "8", "(8)", "8. ", "8. …", "8. ______", "8.;", "-"])
def test_a_numbered_row_of_nobody_is_left_out_and_the_others_come_in(
    event: Event, row: str
) -> None:
    preview = pasted(event, f"6. Jan Maes\n7. Els Claes\n{row}\n9. Tom Baert")
    assert [line.name for line in preview.lines] == ["Jan Maes", "Els Claes", "Tom Baert"]
    assert [(line.line, line.left_out) for line in preview.left_out] == [(3, "no name")]
    assert preview.importable
    filed = read_players(event=event, content=f"Naam;Club\nJan Maes;Menen\n{row}\n".encode())
    assert [line.left_out for line in filed.left_out] == ["the headings", "no name"]
    assert filed.importable


def test_a_payment_of_nobody_is_a_name_that_was_forgotten(event: Event) -> None:
    assert read_players(event=event, content=b"Naam;Betaald\nJan Maes;ja\n8.;5\n").bad


def test_a_boolean_cell_is_an_answer(event: Event) -> None:
    rows: list[list[object]] = [
        ["Naam", "Betaald", "Schrijft", "Vaste plaats"],
        ["Jan Maes", True, False, True],
        ["Els Claes", False, True, False],
    ]
    lines = read_players(event=event, content=workbook(List=rows)).lines
    assert [
        (line.values["paid"], line.values["keeps_score"], line.values["fixed_seat"])
        for line in lines
    ] == [
        (True, False, True),
        (False, True, False),
    ]


@pytest.mark.parametrize(
    ("yes", "word"),
    [
        *(
            (True, word)
            for word in ("VRAI", "WAAR", "TRUE", "ja", "oui", "x", "1", "écrit", "schrijft")
        ),
        *(
            (False, word)
            for word in ("FAUX", "ONWAAR", "n'écrit pas", "n’écrit pas", "schrijft niet")
        ),
        *((False, word) for word in ("non", "nee", "0", "False", "ne marque pas")),
    ],
)
def test_a_negation_is_heard_first(event: Event, yes: bool, word: str) -> None:
    content = f"Naam;Schrijft;Vaste plaats\nJan Maes;{word};{word}\n".encode()
    (line,) = read_players(event=event, content=content).lines
    assert (line.values["keeps_score"], line.values["fixed_seat"], line.doubt) == (yes, yes, "")


def test_a_word_that_is_no_answer_is_pointed_at(event: Event) -> None:
    content = b"Naam;Schrijft;Vaste plaats\nJan Maes;misschien;\nEls Claes;;tafel 3\n"
    lines = read_players(event=event, content=content).lines
    assert [(line.values["keeps_score"], line.values["fixed_seat"]) for line in lines] == [
        (True, False),
        (True, False),
    ]
    assert [line.doubt for line in lines] == [
        "what does “misschien” mean?",
        "what does “tafel 3” mean?",
    ]


@pytest.mark.guide("director#players-from-a-list")
@pytest.mark.parametrize(
    "text",
    [
        "Jan Maes <jan@example.org>",
        '"Jan Maes" <jan@example.org>',
        "Jan Maes (jan@example.org)",
        "Jan Maes jan@example.org",
        "Jan Maes [mailto:jan@example.org]",
        "Jan Maes <jan@example.org> 0470 12 34 56",
        "Jan Maes +32 470/12.34.56",
        "Jan Maes (gsm 0470 12 34 56)",
    ],
)
def test_addresses_and_telephones_are_no_part_of_a_name(event: Event, text: str) -> None:
    for preview in (
        pasted(event, text),
        read_players(event=event, content=f"Naam\n{text}\n".encode()),
    ):
        (line,) = preview.lines
        assert line.name == "Jan Maes"
        assert line.values["email"] == ("jan@example.org" if "@" in text else "")
        assert "".join(sign for sign in line.values["phone"] if sign.isdigit())[-8:] == (
            "70123456" if re.search(r"\d", text) else ""
        )
        assert not line.doubt


def test_nothing_of_an_address_is_kept_where_no_mail_is_sent() -> None:
    event = make_event(0)
    import_players(event_id=event.pk, content=b"Naam\nJan Maes <jan@example.org>\n", actor=SYSTEM)
    assert list(Person.objects.values_list("name", "email")) == [("Jan Maes", "")]


def test_an_address_alone_is_no_name(event: Event) -> None:
    (line,) = read_players(event=event, content=b"Naam;Club\njan@example.org;Menen\n").lines
    assert line.errors == ["the name is missing"]


def test_the_receivers_of_an_e_mail_are_a_list(event: Event) -> None:
    text = "Jan Maes <jan@example.org>, Els Claes <els@example.org>; Tom Baert <tom@example.org>"
    assert [(line.name, line.values["email"]) for line in pasted(event, text).lines] == [
        ("Jan Maes", "jan@example.org"),
        ("Els Claes", "els@example.org"),
        ("Tom Baert", "tom@example.org"),
    ]


TWO = ["{} & {}", "{} / {}", "{} - {}", "{} + {}", "{}/{}", "{} – {}", "{} en {}", "{} et {}"]


@pytest.mark.guide("director#players-from-a-list")
@pytest.mark.parametrize("form", [*TWO, "{}, {}"])
def test_two_names_in_a_list_of_pairs_are_a_pair(pairs: Event, form: str) -> None:
    text = form.format("Jan Maes", "Els Claes") + "\n" + form.format("Ann De Smet", "Tom Baert")
    both = [("Jan Maes", "Els Claes"), ("Ann De Smet", "Tom Baert")]
    preview = pasted(pairs, text)
    assert [(line.name, line.partner) for line in preview.lines] == both
    assert preview.doubtful == []
    content, layout = as_file(text)
    import_players(event_id=pairs.pk, content=content, layout=layout, actor=SYSTEM)
    found = pairs.entrants.order_by("number").values_list("person__name", "partner__name")
    assert list(found) == both


def test_two_lines_in_a_cell_of_pairs_are_a_pair(pairs: Event) -> None:
    content = workbook(List=[["Paar"], ["Naam"], ["Jan Maes\nEls Claes"], ["Jan-Piet Maes"]])
    lines = read_players(event=pairs, content=content).lines
    assert [(line.name, line.partner) for line in lines] == [
        ("Jan Maes", "Els Claes"),
        ("Jan-Piet Maes", ""),
    ]


@pytest.mark.guide("director#players-from-a-list")
@pytest.mark.parametrize("form", [*TWO, "{}\n{}"])
def test_two_people_in_one_cell_are_pointed_at(event: Event, form: str) -> None:
    content = workbook(
        List=[["Naam"], [form.format("Jan Maes", "Els Claes")], ["Jean-Pierre Noël"]]
    )
    lines = read_players(event=event, content=content).lines
    assert [line.doubt for line in lines] == ["one player or several?", ""]


@pytest.mark.guide("director#players-from-a-list")
@pytest.mark.parametrize(
    "halves", ["Peeters / Maes;Anneke / Luc", "Peeters Jan / Maes Luc;", "Maes;Els en Bart"]
)
def test_two_people_in_two_columns_of_names_are_asked_about(event: Event, halves: str) -> None:
    content = f"Nom;Prénom\n{halves}\nClaes;Rita\nWouters;Koen\n".encode()
    first, *others = read_players(event=event, content=content).lines
    assert first.several
    assert not first.ready
    assert all(line.ready for line in others)


def test_a_surname_before_a_comma_is_turned_where_the_given_name_has_no_cell(event: Event) -> None:
    content = "Nom;Prénom\nDubois, Jean;\nClaes;Rita\n".encode()
    assert [line.name for line in read_players(event=event, content=content).lines] == [
        "Jean Dubois",
        "Rita Claes",
    ]
