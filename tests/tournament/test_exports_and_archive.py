"""Files out and in: tables without formulas, archives to byte-equal standings, the API, documents."""

from __future__ import annotations

import csv
import gzip
import io
import json
import re
from datetime import timedelta
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils import timezone
from django.utils.translation import override
from hypothesis import given
from hypothesis import strategies as st
from openpyxl import load_workbook

from accounts.models import Role, User
from ledger.actors import Actor
from ledger.audit import breaks
from ledger.change import change
from ledger.errors import Conflict, Refused
from ledger.jobs import work_on
from ledger.models import AuditEntry
from ledger.signing import public_key
from operations.replay import replay
from tests import moment
from tests.tournament.build import SYSTEM, chance, grant, make_event, make_user
from tests.tournament.documents.reading import page_texts, whole_text
from tournament import exports
from tournament.demo.simulation import advance
from tournament.documents.formats import day
from tournament.exports_excel import heading
from tournament.models import (
    Adjustment,
    Event,
    Person,
    PrintedDocument,
    Standings,
)
from tournament.models.tables import DealVersion, Sheet, Signature
from tournament.queries import standings
from tournament.queries.papers_people import read_prizes
from tournament.services import archive, entrants, player_lists
from tournament.services.adjustments import Amount, adjust
from tournament.services.documents import BUILDERS, open_with_links, request_document
from tournament.services.events import new_stage, update_event
from tournament.services.imports import import_players
from tournament.services.members import add_member, enter_members
from tournament.services.standings import set_state
from tournament.tables.links import entrant_token

pytestmark = pytest.mark.django_db


def played(rounds: int = 1, players: int = 16, **more: Any) -> Event:
    event = make_event(players, deals=1, cut=8, **more)
    luck = chance()
    for _round in range(rounds):
        advance(event, luck)
    event.refresh_from_db()
    return event


@pytest.fixture(scope="module")
def _one_round(module_database: None) -> Event:
    return played()


@pytest.fixture
def event(_one_round: Event) -> Event:
    """Return 16 players after one round."""
    return Event.objects.get(pk=_one_round.pk)


FORMULAS = ["=HYPERLINK(1)", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "\n=1", "＝1+1"]


@pytest.mark.guide("security#security")
@pytest.mark.parametrize("name", FORMULAS)
def test_no_cell_is_a_formula(name: str) -> None:
    table = exports.Exported("players", ("name", "n"), [(name, -5)], {"event": name})
    cell, number = list(
        csv.reader(io.StringIO(exports.as_csv(table).decode("utf-8-sig"), newline=""))
    )[1]
    assert cell[0] == "'"
    assert cell.replace("'", "") == name
    assert number == "-5"
    book = load_workbook(io.BytesIO(exports.as_xlsx(table)))
    assert book["players"]["A2"].data_type == "s"
    assert book["players"]["B2"].value == -5
    assert book["about"]["B1"].data_type == "s"


@pytest.mark.parametrize("cut", [";", "\t", ","])
@pytest.mark.parametrize("name", ["Jef;=1+1", 'Jef; "=1+1', "Jef\t@SUM(A1)", "Jef,-1", "Jef ;;+1"])
def test_no_cell_is_a_formula_where_lines_are_cut_at_another_sign(name: str, cut: str) -> None:
    """Spreadsheets with Belgian or French settings split at semicolons (OWASP, CSV injection)."""
    table = exports.Exported("players", ("n", "name"), [(1, name)], {})
    line = exports.as_csv(table).decode("utf-8-sig").split("\r\n")[1]
    cells = [cell.strip("\"' ") for cell in line.split(cut)]
    assert not [cell for cell in line.split(cut) if cell.strip('" ')[:1] in {"=", "+", "-", "@"}]
    assert "Jef" in cells[-1] or "Jef" in line


@given(st.text(alphabet=st.characters(blacklist_categories=("Cs", "Cc")), max_size=30))
def test_any_text_comes_back_from_csv_and_json(text: str) -> None:
    table = exports.Exported("players", ("name",), [(text,)], {})
    row = next(
        csv.DictReader(io.StringIO(exports.as_csv(table).decode("utf-8-sig"), newline="")),
        {"name": ""},
    )
    assert row["name"].replace("'", "") == text.replace("'", "")
    assert not row["name"].startswith(("=", "+", "-", "@"))
    assert json.loads(exports.as_json(table))["rows"] == [{"name": text}]


@pytest.mark.guide("director#tables-to-take-away")
def test_every_table_in_every_format(event: Event) -> None:
    nobody, elsewhere, director = Client(), Client(), Client()
    elsewhere.force_login(make_user("elsewhere", make_event(0, slug="other"), "director"))
    director.force_login(make_user("director", event, "director"))
    lines = {"players": 16, "draws": 16, "results": 24, "standings": 16, "overall": 16}
    for kind, make in exports.KINDS.items():
        table = make(event, public=False)
        assert len(table.rows) == lines[kind]
        for format in exports.FORMATS:
            path = f"/desk/{event.slug}/export/{kind}.{format}"
            assert nobody.get(path).status_code == 302, path
            assert elsewhere.get(path).status_code == 403, path
            answer = director.get(path)
            assert answer.status_code == 200, path
            assert "attachment" in answer["Content-Disposition"]
            if kind == "standings":
                assert "provisional" in answer["Content-Disposition"]
            assert f"-{str(table.facts['hash'])[:16]}.{format}" in answer["Content-Disposition"]


@pytest.mark.guide("director#tables-to-take-away")
@pytest.mark.parametrize(
    ("language", "separator", "headings"),
    [
        ("fr", ";", ("Numéro", "Nom")),
        ("nl", ";", ("Nummer", "Naam")),
        ("en", ",", ("Number", "Name")),
    ],
)
def test_excel_opens_every_table_in_the_readers_language(
    client: Client, language: str, separator: str, headings: tuple[str, str], event: Event
) -> None:
    client.force_login(make_user("director", event, "director"))
    client.cookies["django_language"] = language
    name = event.entrants.get(number=2).person.name
    for kind in exports.KINDS:
        answer = client.get(f"/desk/{event.slug}/export/{kind}.csv", {"for": "excel"})
        assert answer.content.startswith(b"\xef\xbb\xbf")
        text = answer.content.decode("utf-8-sig")
        first, *rows = csv.reader(io.StringIO(text), delimiter=separator)
        assert not {"rank", "number", "stage_rank", "net_marks", "outcome"} & set(first)
        assert {len(row) for row in rows} == {len(first)}
        assert any(name in cell for row in rows for cell in row)
        if kind == "results":
            with override(language):
                at = first.index(heading("names"))
            assert all(row[at] for row in rows)
        else:
            assert set(headings) <= set(first)


@pytest.mark.guide("director#tables-to-take-away")
@pytest.mark.parametrize(
    ("language", "sides", "stage"),
    [
        ("nl", {"N-Z", "O-W"}, "Voorrondes"),
        ("fr", {"N-S", "E-O"}, "Tours préliminaires"),
        ("en", {"N-S", "E-W"}, "Preliminary rounds"),
    ],
)
def test_excel_names_sides_and_stages_and_no_two_columns_alike(
    client: Client, language: str, sides: set[str], stage: str, event: Event
) -> None:
    client.force_login(make_user("director", event, "director"))
    client.cookies["django_language"] = language

    def read(kind: str) -> list[list[str]]:
        answer = client.get(f"/desk/{event.slug}/export/{kind}.csv", {"for": "excel"})
        sign = "," if language == "en" else ";"
        return list(csv.reader(io.StringIO(answer.content.decode("utf-8-sig")), delimiter=sign))

    for kind in exports.KINDS:
        headings = read(kind)[0]
        assert len({each.lower() for each in headings}) == len(headings)
    first, *rows = read("results")
    with override(language):
        assert {row[first.index(heading("side"))] for row in rows} == sides
    assert {row[0] for row in rows} == {stage}
    for_programs = exports.results(event, public=False)
    assert {row[4] for row in for_programs.rows} == {"NS", "EW"}
    assert {row[0] for row in for_programs.rows} == {1}


def test_unknown_exports_are_nothing(client: Client) -> None:
    event = make_event(4)
    client.force_login(make_user("director", event, "director"))
    for path in ("players.pdf", "secrets.csv", "standings.csv?stage=9"):
        assert client.get(f"/desk/{event.slug}/export/{path}").status_code == 404


@pytest.mark.guide("security#security")
def test_public_tables_hold_no_addresses() -> None:
    event = make_event(0)
    entrants.enter_player(event_id=event.pk, name="Jef", email="jef@example.be", actor=SYSTEM)
    assert b"example.be" not in exports.as_json(exports.players(event, public=True))
    assert b"example.be" in exports.as_json(exports.players(event, public=False))


@pytest.mark.guide("director#tables-to-take-away", "players#the-standings")
def test_standings_say_everywhere_how_firm_they_are_and_what_they_are(event: Event) -> None:
    stage = event.stages.get(order=1)
    set_state(stage_id=stage.pk, state="frozen", actor=SYSTEM)
    kept = Standings.objects.get(stage=stage)
    table = exports.standings(event, public=False, stage=1)
    rows = list(csv.DictReader(io.StringIO(exports.as_csv(table).decode("utf-8-sig"))))
    assert {(row["state"], row["hash"]) for row in rows} == {("frozen", kept.hash)}
    about = dict(load_workbook(io.BytesIO(exports.as_xlsx(table)))["about"].values)
    said = json.loads(exports.as_json(table))
    assert (about["state"], about["hash"]) == (said["state"], said["hash"]) == ("frozen", kept.hash)


@pytest.mark.guide("director#tables-to-take-away")
def test_half_points_are_numbers_in_a_spreadsheet_and_no_days_of_february() -> None:
    columns = ("name", "match_points", "games_percentage", "marks", "head_to_head")
    rows: list[tuple[exports.Cell, ...]] = [("1/2", "15/2", "18/25", "100/3", "4 2")]
    table = exports.Exported("standings", columns, rows, {})
    sheet = load_workbook(io.BytesIO(exports.as_xlsx(table)))["standings"]
    assert [cell.value for cell in sheet[2]] == ["1/2", 7.5, 0.72, 33.333333, "4 2"]
    assert exports.as_csv(table).decode().splitlines()[1] == "1/2,7.5,0.72,33.333333,4 2"
    assert json.loads(exports.as_json(table))["rows"][0]["match_points"] == "15/2"


@pytest.mark.guide("players#the-standings")
def test_standings_tell_who_is_out_and_whose_total_a_ruling_changed(event: Event) -> None:
    adjust(
        stage_id=event.stages.get(order=1).pk,
        source="ruling:7",
        reason="001-R9",
        actor=SYSTEM,
        amounts=[Amount(event.entrants.get(number=3).pk, marks=-34)],
    )
    entrants.withdraw(entrant_id=event.entrants.get(number=5).pk, actor=SYSTEM)
    table = exports.standings(event, public=True)
    rows = {row[1]: dict(zip(table.columns, row, strict=True)) for row in table.rows}
    assert {number for number, row in rows.items() if row["adjusted"]} == {3}
    assert {number for number, row in rows.items() if row["withdrawn"]} == {5}
    assert not any(row["excluded"] for row in rows.values())


def test_the_same_rows_have_the_same_fingerprint_and_others_another(event: Event) -> None:
    before = {kind: make(event, public=True).facts["hash"] for kind, make in exports.KINDS.items()}
    advance(event, chance("second"))
    after = {kind: make(event, public=True).facts["hash"] for kind, make in exports.KINDS.items()}
    assert {kind for kind in before if before[kind] == after[kind]} == {"players"}
    # The overall ranking of a single stage is that stage's own.
    assert after.pop("overall") == after["standings"]
    assert len(set(after.values())) == len(after)


@pytest.mark.guide("director#tables-to-take-away")
def test_exported_players_are_entered_elsewhere_from_the_same_file(settings: Any) -> None:
    settings.EMAIL_URL = "smtp://localhost"
    event = make_event(0)
    for number, (name, partner) in enumerate(
        [("Anneleen Šimůnková", ""), ("Jef d'Ours", "Rita Œrsted")], start=7
    ):
        entrants.enter_player(
            event_id=event.pk,
            name=name,
            partner=partner,
            number=number,
            club="Ter Eecke",
            email=f"{number}@example.be",
            family="f" if partner else "",
            actor=SYSTEM,
        )
    table = exports.players(event, public=False)
    other = make_event(0, slug="other")
    for write in (exports.as_csv, exports.as_xlsx):
        read = player_lists.read_players(event=other, content=write(table))
        assert [
            (
                line.number,
                line.name,
                line.partner,
                line.club,
                line.values["email"],
                line.values["family"],
            )
            for line in read.lines
        ] == [
            (7, "Anneleen Šimůnková", "", "Ter Eecke", "7@example.be", ""),
            (8, "Jef d'Ours", "Rita Œrsted", "Ter Eecke", "8@example.be", "f"),
        ]


def test_results_balance(event: Event) -> None:
    table = exports.results(event, public=True)
    outcome = table.columns.index("outcome")
    won = sum(row[outcome] == "won" for row in table.rows)
    assert won == sum(row[outcome] == "lost" for row in table.rows)


# The archive ------------------------------------------------------------------------------------


def leave(event: Event) -> dict[int, str]:
    """Erase an event, as if it were in another installation. Return the hashes of its standings."""
    hashes = {
        stage.order: standings.recompute(stage_id=stage.pk, force=True).hash
        for stage in event.stages.all()
    }
    tables = [(model, [row.pk for row in rows]) for model, rows in archive._tables(event)]
    for model, keys in reversed(tables):
        with change():
            model._default_manager.filter(pk__in=keys).delete()
    with change():
        event.delete()
    return hashes


@pytest.mark.guide("director#from-an-archive")
def test_an_event_is_taken_up_to_the_same_bytes(event: Event) -> None:
    stage = event.stages.get(order=1)
    third = event.entrants.get(number=3)
    adjust(
        stage_id=stage.pk,
        source="ruling:7",
        reason="001-R9",
        actor=SYSTEM,
        amounts=[Amount(third.pk, marks=-34, penalties=1)],
    )
    entrants.withdraw(entrant_id=event.entrants.get(number=5).pk, actor=SYSTEM)
    file = archive.pack(event.pk)
    deals = DealVersion.objects.filter(sheet__scope=event.pk).count()
    sheets = Sheet.objects.order_by("pk").values_list("pk", "created_at")
    made = sheets.filter(scope=event.pk)[0]
    hashes = leave(event)
    assert not Event.objects.filter(pk=event.pk).exists()
    assert not DealVersion.objects.filter(sheet__scope=event.pk).exists()
    back = archive.take_up(file=file, actor=SYSTEM)
    assert DealVersion.objects.filter(sheet__scope=back.pk).count() == deals
    assert sheets.filter(scope=back.pk)[0] == made
    assert {
        stage.order: standings.recompute(stage_id=stage.pk, force=True).hash
        for stage in back.stages.all()
    } == hashes
    assert Adjustment.objects.get().reason == "001-R9"
    assert archive.read(archive.pack(back.pk))["standings"] == archive.read(file)["standings"]
    assert list(breaks(back.pk)) == []
    # It continues as if it had always been in this installation.
    assert advance(back, chance("on")) is not None


def test_the_same_event_gives_the_same_file(event: Event) -> None:
    assert archive.pack(event.pk) == archive.pack(event.pk)


def test_an_archive_holds_no_link(event: Event) -> None:
    token = entrant_token(event.entrants.get(number=1))
    text = gzip.decompress(archive.pack(event.pk)).decode()
    assert token not in text
    assert "link_hash" not in text
    assert "token_hash" not in text


def test_an_event_that_is_here_is_not_taken_up_again(event: Event) -> None:
    with pytest.raises(Conflict) as refusal:
        archive.take_up(file=archive.pack(event.pk), actor=SYSTEM)
    assert refusal.value.code == "event_exists"


def take_up_by_page(client: Client, file: bytes, **more: str) -> Any:
    sent = SimpleUploadedFile("event.manille.gz", file)
    return client.post("/desk/take-up/", {"file": sent, **more})


@pytest.fixture
def opener(client: Client) -> Client:
    """Return a client signed in as an account that may open events."""
    user = make_user("opener")
    grant(user, Role.ADMIN)
    client.force_login(user)
    return client


def columns(page: str) -> list[list[str]]:
    """Return the rows of a table of standings, without markup."""
    body = page[page.index('id="standings"') :]
    rows = re.findall(r"<tr.*?</tr>", body, re.DOTALL)
    return [re.sub(r"<[^>]+>", " ", row).split() for row in rows]


@pytest.mark.guide("director#from-an-archive")
@pytest.mark.parametrize(
    ("language", "says", "name"),
    [
        ("fr", "est déjà sur cette installation", "Kermis (copie)"),
        ("nl", "staat al op deze installatie", "Kermis (kopie)"),
    ],
)
def test_an_event_that_is_here_is_taken_up_as_a_copy(
    opener: Client, language: str, says: str, name: str, event: Event
) -> None:
    """From the page that refuses it to the equal standings of the copy."""
    changes = {"name": "Kermis", "registration": True}
    update_event(event_id=event.pk, actor=SYSTEM, changes=changes)
    event.refresh_from_db()
    file = archive.pack(event.pk)
    opener.cookies["django_language"] = language
    refused = take_up_by_page(opener, file)
    assert says in refused.content.decode()
    assert Event.objects.filter(name__startswith="Kermis").get() == event
    proposed = refused.context["form"].initial
    assert (proposed["copy"], proposed["name"]) == (True, name)
    taken = take_up_by_page(opener, file, copy="on", name=name, slug=proposed["slug"])
    assert taken["Location"] == f"/desk/{proposed['slug']}/"
    copy = Event.objects.get(slug=proposed["slug"])
    assert (copy.name, copy.hidden, copy.registration) == (name, True, False)
    one, two = (opener.get(f"/e/{each.slug}/standings/").content.decode() for each in (event, copy))
    assert len(columns(one)) > 16
    assert columns(one) == columns(two)
    assert f"/e/{copy.slug}/" not in opener.get("/").content.decode()
    assert list(breaks(copy.pk)) == []
    assert replay(copy).differences == []
    # An import without the choice of a copy is still refused; a second copy gets its own address.
    assert says in take_up_by_page(opener, file).content.decode()
    again = take_up_by_page(opener, file, copy="on")
    assert again["Location"] == f"/desk/{proposed['slug']}-2/"


@pytest.mark.guide("director#from-an-archive")
def test_a_copy_shares_no_row_and_no_link_with_the_event(client: Client, event: Event) -> None:
    file = archive.pack(event.pk)
    copy = archive.take_up(file=file, actor=SYSTEM, copy=True)

    def keys(of: Event) -> set[tuple[str, str]]:
        """Return the keys of every row; clubs, seats and results have keys of the database's own."""
        return {
            (model._meta.label, str(row.pk)) for model, rows in archive._tables(of) for row in rows
        }

    assert len(keys(copy)) == len(keys(event))
    assert not keys(copy) & keys(event)
    unguessable = {key for _label, key in keys(event) if len(key) == 36} | {str(event.pk)}
    content = {**archive.read(archive.pack(copy.pk)), "journal": None}
    assert not [key for key in unguessable if key in json.dumps(content)]
    links = [entrant_token(each.entrants.get(number=1)) for each in (event, copy)]
    assert links[0] != links[1]
    pages = [client.get(f"/p/{link}/", follow=True).content.decode() for link in links]
    for each, page in zip((event, copy), pages, strict=True):
        assert f"/e/{each.slug}/" in page
    # Each continues independently.
    before = archive.checksum(archive._plain(archive._picture(event.pk)))
    assert advance(copy, chance("on")) is not None
    assert archive.checksum(archive._plain(archive._picture(event.pk))) == before


@pytest.mark.guide("director#from-an-archive")
def test_who_was_erased_here_does_not_come_back_with_a_copy(event: Event) -> None:
    gone = event.entrants.get(number=4).person
    name, file = gone.name, archive.pack(event.pk)
    entrants.erase_person(person_id=gone.pk, actor=SYSTEM)
    copy = archive.take_up(file=file, actor=SYSTEM, copy=True)
    person = copy.entrants.get(number=4).person
    assert (person.name, person.erased_at is not None, person != gone) == ("", True, True)
    assert not Person.objects.filter(name=name).exists()


def altered(file: bytes, change: Any, *, sign: bool = True) -> bytes:
    whole = json.loads(gzip.decompress(file))
    change(whole)
    if sign:
        whole = {**archive.sealed(whole["content"]), "format": whole["format"]}
    return gzip.compress(json.dumps(whole).encode())


def more_marks(whole: Any) -> None:
    whole["content"]["rows"]["scoring.OfficialResult"][0]["result"]["marks"]["NS"] += 1


def no_players(whole: Any) -> None:
    whole["content"]["rows"]["tournament.Entrant"] = []


def later(whole: Any) -> None:
    whole["format"] = 99


def earlier(whole: Any) -> None:
    whole["format"] = 1


def other_rows(whole: Any) -> None:
    rows = whole["content"]["standings"][0]["frozen"]["rows"]
    rows[0]["number"], rows[1]["number"] = rows[1]["number"], rows[0]["number"]


def thawed(whole: Any) -> None:
    del whole["content"]["standings"][0]["frozen"]


@pytest.mark.parametrize(
    ("change", "code"),
    [(other_rows, "frozen_standings_differ"), (thawed, "archive_contradicts_itself")],
)
def test_frozen_rows_are_those_of_their_hash(change: Any, code: str, event: Event) -> None:
    set_state(stage_id=event.stages.get(order=1).pk, state="frozen", actor=SYSTEM)
    file = archive.pack(event.pk)
    leave(event)
    with pytest.raises(Refused) as refusal:
        archive.take_up(file=altered(file, change), actor=SYSTEM)
    assert refusal.value.code == code
    assert archive.take_up(file=file, actor=SYSTEM).stages.get(order=1)


def test_an_archive_writes_into_no_other_event_and_names_nobody_of_this_place(
    event: Event,
) -> None:
    victim = make_event(4, slug="victim")
    member = add_member(actor=SYSTEM, values={"name": "Mia"})
    enter_members(event_id=event.pk, members=[member.pk], present=False, actor=SYSTEM)
    file = archive.pack(event.pk)
    assert str(member.pk) not in gzip.decompress(file).decode()
    leave(event)
    somebody = make_user("somebody", victim, "director")

    def spoil(whole: Any) -> None:
        rows = whole["content"]["rows"]
        for label in ("scoring.Sheet", "scoring.Table"):
            for row in rows[label]:
                row["scope"] = str(victim.pk)
        for row in rows["scoring.DealVersion"]:
            row["entered_by"] = f"user:{somebody.pk}"
        first, *_rest = rows["tournament.Entrant"]
        for row in rows["scoring.Signature"]:
            row["signed_by"] = f"player:{first['id']}"
        rows["tournament.Person"][0]["member_id"] = str(member.pk)

    back = archive.take_up(file=altered(file, spoil), actor=SYSTEM)
    assert not Sheet.objects.filter(scope=victim.pk).exists()
    assert Sheet.objects.filter(scope=back.pk).exists()
    assert not DealVersion.objects.filter(entered_by__startswith="user:").exists()
    deal = DealVersion.objects.filter(sheet__scope=back.pk).first()
    assert deal is not None
    assert Actor.parse(deal.entered_by) == Actor.system(f"elsewhere-{somebody.pk}")
    assert Actor.parse(deal.entered_by).is_staff
    assert not SYSTEM.is_staff
    signed = set(Signature.objects.filter(sheet__scope=back.pk).values_list("signed_by", flat=True))
    assert signed <= {f"player:{each}" for each in back.entrants.values_list("pk", flat=True)}
    assert not Person.objects.exclude(member=None).exists()


def two_lines_of_head(whole: Any) -> None:
    """Set an address that would end an e-mail's header and begin another."""
    whole["content"]["rows"]["tournament.Person"][0]["email"] = (
        "a@hall.example\nBcc: b@hall.example"
    )


@pytest.mark.guide("director#from-an-archive")
@pytest.mark.parametrize(
    ("change", "sign", "code"),
    [
        (more_marks, False, "archive_damaged"),
        (more_marks, True, "standings_differ"),
        (no_players, True, "archive_contradicts_itself"),
        (two_lines_of_head, True, "archive_contradicts_itself"),
        (later, True, "archive_too_new"),
        (earlier, True, "archive_too_old"),
    ],
)
def test_a_wrong_archive_leaves_nothing(change: Any, sign: bool, code: str, event: Event) -> None:
    file = archive.pack(event.pk)
    leave(event)
    with pytest.raises(Refused) as refusal:
        archive.take_up(file=altered(file, change, sign=sign), actor=SYSTEM)
    assert refusal.value.code == code
    assert Event.objects.count() == Sheet.objects.count() == 0


@pytest.mark.guide("director#from-an-archive")
@pytest.mark.parametrize(
    ("change", "sign", "says"),
    [
        (more_marks, False, "damaged"),
        (more_marks, True, "computed from its records differ"),
        (no_players, True, "contradicts itself"),
        (later, True, "later version"),
        (earlier, True, "release 1.0.1"),
        (None, True, "not an archive"),
    ],
)
def test_a_bad_file_becomes_no_copy(
    opener: Client, change: Any, sign: bool, says: str, event: Event
) -> None:
    opener.cookies["django_language"] = "en"
    file = altered(archive.pack(event.pk), change, sign=sign) if change else b"PK"
    page = take_up_by_page(opener, file, copy="on", name="Copy").content.decode()
    assert says in page
    assert Event.objects.get() == event
    # The form keeps its input and refuses an address in use.
    assert 'value="Copy"' in page
    taken = take_up_by_page(opener, archive.pack(event.pk), copy="on", slug=event.slug)
    assert "slug" in taken.context["form"].errors


@pytest.mark.parametrize(
    "file",
    [
        b"",
        b"PK\x03\x04",
        gzip.compress(b'{"kind": "manille-event", "format": null}', mtime=0),
        gzip.compress(b'{"kind": "manille-event", "format": 0}', mtime=0),
        gzip.compress(b"[]", mtime=0),
        gzip.compress(b"{", mtime=0),
        gzip.compress(b'{"kind": 1}', mtime=0),
    ],
)
def test_what_is_no_archive_is_refused(file: bytes) -> None:
    with pytest.raises(Refused) as refusal:
        archive.take_up(file=file, actor=SYSTEM)
    assert refusal.value.code == "not_an_archive"


@pytest.mark.guide("director#from-an-archive")
def test_an_archive_that_did_not_come_whole_is_damaged(event: Event) -> None:
    file = archive.pack(event.pk)
    wrong = bytearray(file)
    wrong[len(file) // 2] ^= 1
    for damaged in (file[: len(file) // 2], file[:-4], file[:-1], bytes(wrong), file + b"<html>"):
        with pytest.raises(Refused) as refusal:
            archive.read(damaged)
        assert refusal.value.code == "archive_damaged"


OTHER_KEY = "42" * 32


@pytest.mark.guide("operator#anchors-and-stamps", "security#security")
@pytest.mark.parametrize(
    ("key", "signed", "said"),
    [
        ("", True, "signed by this installation"),
        (OTHER_KEY, True, "signed by the installation with the key"),
        ("", False, "not signed"),
    ],
)
def test_who_signed_an_archive_is_said_and_recorded_when_it_is_taken_up(
    client: Client, settings: Any, key: str, signed: bool, said: str, event: Event
) -> None:
    settings.SIGNING_KEY = key
    owner = public_key() if signed else ""
    file = archive.pack(event.pk)
    settings.SIGNING_KEY = ""
    leave(event)
    if not signed:
        whole = json.loads(gzip.decompress(file))
        del whole["signature"]
        file = gzip.compress(json.dumps(whole).encode())
    make_event(0, slug="other")
    opener = make_user("opener")
    grant(opener, Role.ADMIN)
    client.force_login(opener)
    client.cookies["django_language"] = "en"
    sent = SimpleUploadedFile("event.manille.gz", file)
    page = client.post("/desk/take-up/", {"file": sent, "slug": ""}, follow=True).content.decode()
    assert said in page
    assert not key or owner in page
    back = Event.objects.exclude(slug="other").get()
    assert archive.signed_by(back) == owner
    assert archive.signed_by(Event.objects.get(slug="other")) is None


def not_theirs(whole: Any) -> None:
    whole["signature"]["key"] = public_key()


def not_whole(whole: Any) -> None:
    whole["signature"] = {"key": "x"}


def other_content(whole: Any) -> None:
    whole["content"]["event"]["name"] = "Other"
    whole["sha256"] = archive.checksum(whole["content"])


@pytest.mark.guide("operator#anchors-and-stamps", "security#security")
@pytest.mark.parametrize("change", [not_theirs, not_whole, other_content])
def test_an_archive_under_a_wrong_signature_is_refused(settings: Any, change: Any) -> None:
    event = make_event(4)
    settings.SIGNING_KEY = OTHER_KEY
    file = archive.pack(event.pk)
    settings.SIGNING_KEY = ""
    with pytest.raises(Refused) as refusal:
        archive.read(altered(file, change, sign=False))
    assert refusal.value.code == "archive_signature_wrong"


def test_archives_at_the_desk(client: Client, event: Event) -> None:
    path = f"/desk/{event.slug}/archive/"
    client.force_login(make_user("scorer", event, "scorekeeper"))
    assert client.post(path).status_code == 403
    assert client.get("/desk/take-up/").status_code == 403
    director = make_user("director", event, "director")
    files = []
    for _time in range(2):
        client.force_login(director)
        job = client.post(path)["Location"]
        work_on(job.rstrip("/").rpartition("/")[2])
        page = client.get(job).content.decode()
        (link,) = re.findall(r'href="(/desk/[^"]+/documents/[^"]+)"', page)
        answer = client.get(link)
        assert answer["Content-Disposition"] == f'attachment; filename="{event.slug}.manille.gz"'
        assert archive.read(answer.content)["event"]["slug"] == event.slug
        assert link in client.get(f"/desk/{event.slug}/documents/").content.decode()
        files.append(link)
        # A role that prints but does not manage the event neither sees the link nor may open it.
        client.force_login(User.objects.get(username="scorer"))
        assert client.get(link).status_code == 403
        assert link not in client.get(f"/desk/{event.slug}/documents/").content.decode()
    # Only the newest archive is stored; the record names the maker of each.
    client.force_login(director)
    assert client.get(files[0]).status_code == 404
    made = AuditEntry.objects.filter(scope=event.pk, verb="document.made")
    assert [entry.actor for entry in made] == [f"user:{director.pk}"] * 2


# The API ----------------------------------------------------------------------------------------


@pytest.mark.guide("players#for-programs")
def test_lists_are_paged_and_filtered(client: Client, event: Event) -> None:
    root = f"/api/v1/events/{event.slug}"
    first = client.get(f"{root}/players/?page_size=5").json()
    assert (first["count"], first["pages"], len(first["rows"])) == (16, 4, 5)
    everybody = [
        row["number"]
        for page in range(1, 5)
        for row in client.get(f"{root}/players/?page_size=5&page={page}").json()["rows"]
    ]
    assert everybody == list(range(1, 17))
    assert client.get(f"{root}/players/?page=9").json()["rows"] == []
    assert {row["table"] for row in client.get(f"{root}/draws/?table=2").json()["rows"]} == {2}
    name = first["rows"][0]["name"]
    assert client.get(f"{root}/players/", {"q": name.lower()}).json()["count"] >= 1


@pytest.mark.parametrize("query", ["page=0", "page=x", "page_size=201", "colour=red", "number=-1"])
def test_a_wrong_question_is_a_problem_with_its_field(
    client: Client, query: str, event: Event
) -> None:
    answer = client.get(f"/api/v1/events/{event.slug}/players/?{query}")
    assert answer.status_code == 400
    assert answer["Content-Type"] == "application/problem+json"
    assert answer.json()["field"] == query.partition("=")[0]


@pytest.mark.guide("players#for-programs")
def test_the_api_answers_304(client: Client, event: Event) -> None:
    for kind in ("", "players/", "draws/", "results/", "standings/"):
        path = f"/api/v1/events/{event.slug}/{kind}"
        first = client.get(path)
        assert client.get(path, headers={"if-none-match": first["ETag"]}).status_code == 304


def test_the_api_says_how_firm_standings_are(client: Client, event: Event) -> None:
    kept = (
        Standings.objects.get(stage__event=event, stage__order=1)
        if Standings.objects.exists()
        else None
    )
    answer = client.get(f"/api/v1/events/{event.slug}/standings/").json()
    kept = Standings.objects.get(stage__event=event, stage__order=1)
    assert (answer["state"], answer["hash"]) == ("provisional", kept.hash)
    assert client.get(f"/api/v1/events/{event.slug}/standings/?stage=7").status_code == 404
    assert client.post(f"/api/v1/events/{event.slug}/standings/").status_code == 405
    assert client.get("/api/v1/events/nowhere/standings/").status_code == 404


def test_the_calendar_is_folded_and_escaped(event: Event) -> None:
    name = "Kermis; eten, drinken en manillen in de grote zaal van de Koninklijke Société"
    event = update_event(event_id=event.pk, actor=SYSTEM, changes={"name": name})
    text = exports.calendar(event, "https://hall.example/e/x/").decode()
    lines = text.split("\r\n")
    assert max(len(line.encode()) for line in lines) <= 75
    assert "Kermis\\; eten\\, drinken" in text.replace("\r\n ", "")
    assert text.count("BEGIN:VEVENT") == text.count("END:VEVENT") == 2


@pytest.mark.guide("players#clubs-calendar-wall")
@pytest.mark.parametrize(
    ("question", "said"), [("", "Ronde 1"), ("?language=fr", "Tour 1"), ("?language=xx", "Ronde 1")]
)
def test_a_subscribed_calendar_speaks_the_language_it_was_taken_in(
    client: Client, question: str, said: str, event: Event
) -> None:
    """A calendar client sends no language, or its own server's."""
    update_event(event_id=event.pk, actor=SYSTEM, changes={"language": "nl"})
    answer = client.get(
        f"/e/{event.slug}/calendar.ics{question}", headers={"accept-language": "en-US"}
    )
    assert said in answer.content.decode()
    assert answer["Content-Language"] == ("fr" if "fr" in question else "nl")
    page = client.get(f"/e/{event.slug}/", headers={"accept-language": "fr"}).content.decode()
    assert f"/e/{event.slug}/calendar.ics?language=fr" in page


# The command ------------------------------------------------------------------------------------


def test_recompute_checks_what_is_kept(event: Event) -> None:
    stage = event.stages.get(order=1)
    standings.fresh(stage)
    out = io.StringIO()
    call_command("recompute", "--check", stdout=out)
    assert "same bytes" in out.getvalue()
    kept = Standings.objects.get(stage=stage)
    kept.rows[0]["values"][0] += 1
    kept.save()
    with pytest.raises(CommandError) as refusal:
        call_command("recompute", event.slug, "--check", stderr=io.StringIO(), stdout=io.StringIO())
    assert "1 standings differ" in str(refusal.value)
    with pytest.raises(CommandError):
        call_command("recompute", "nowhere")


# Documents --------------------------------------------------------------------------------------


# Slips and the papers of a round need a round in play, certificates and prizes final standings, brackets a
# knock-out.
PRINTABLE = sorted(set(BUILDERS) - {"bracket", "certificates", "prizes", "round", "slips"})


def printed(event: Event, kind: str, language: str = "nl", **parameters: Any) -> PrintedDocument:
    job = request_document(
        event_id=event.pk,
        kind=kind,
        language=language,
        paper="a4",
        actor=SYSTEM,
        parameters={"base": "http://hall.example", **parameters},
    )
    work_on(str(job.pk))
    job.refresh_from_db()
    if job.state != "done":
        raise AssertionError(job.failure)
    return PrintedDocument.objects.get(pk=job.result["document"])


@pytest.mark.guide("director#paper")
@pytest.mark.parametrize("kind", PRINTABLE)
def test_every_document_is_printed(kind: str, event: Event) -> None:
    pay(event)
    made = printed(event, kind, fee="12,50")
    file = bytes(made.content) or open_with_links(document=made, actor=SYSTEM)
    pages = page_texts(file)
    assert pages
    assert len(made.fingerprint) == 64
    for text in pages:
        assert made.fingerprint[:16] in text
        assert "Definitief" not in text
        assert ("Voorlopig" in text) is (made.state == "provisional")


@pytest.mark.guide("director#paper")
def test_score_sheets_of_a_round_name_the_players(event: Event) -> None:
    round_ = event.stages.get(order=1).rounds.get(number=1)
    blank, filled = (
        printed(event, "score-sheets"),
        printed(event, "score-sheets", round=str(round_.pk)),
    )
    assert len(filled.content) > len(blank.content)
    assert filled.fingerprint != blank.fingerprint


def played_out() -> Event:
    """Play the only round of eight players; the standings are provisional."""
    event = make_event(8, plan=[new_stage("Rounds", rounds=1, deals_per_game=1)])
    advance(event, chance())
    return event


@pytest.mark.guide("director#paper", "players#the-standings")
def test_nothing_final_is_printed_while_provisional() -> None:
    event, kinds = played_out(), ("certificates", "prizes")
    for kind in kinds:
        with pytest.raises(AssertionError):
            printed(event, kind, prizes="1: 100")
    set_state(stage_id=event.stages.get().pk, state="final", actor=SYSTEM)
    for kind in kinds:
        made = printed(event, kind, prizes="1: 100\n2-3: 20,5\n4: een ham", stage=1)
        assert made.state == "final"


def test_a_prize_list_without_a_prize_is_refused_and_says_what_to_do() -> None:
    event = played_out()
    set_state(stage_id=event.stages.get().pk, state="final", actor=SYSTEM)
    with pytest.raises(Refused) as refusal:
        BUILDERS["prizes"](event, {"stage": 1}, "en", "a4")
    assert (refusal.value.code, refusal.value.field) == ("prizes_missing", "prizes")
    BUILDERS["prizes"](event, {"stage": 1, "everyone": "a bottle"}, "en", "a4")


def test_prizes_are_read_line_by_line() -> None:
    prizes = read_prizes("1: 250\n\n2: € 125,50\n3-4: a ham")
    assert [(p.position, p.cents, p.item) for p in prizes] == [
        (1, 25000, ""),
        (2, 12550, ""),
        (3, 0, "a ham"),
        (4, 0, "a ham"),
    ]
    for wrong in ("1 250", "x: 3", "0: 5", "1-: 5", "1:"):
        with pytest.raises(Refused) as refusal:
            read_prizes(wrong)
        assert refusal.value.params == {"line": 1}


def test_a_receipt_needs_a_fee(event: Event) -> None:
    with pytest.raises(Refused) as refusal:
        printed(event, "receipts", "en")
    assert (refusal.value.code, refusal.value.field) == ("fee_missing", "fee")


def pay(event: Event, number: int = 1, *, paid: bool = True) -> None:
    """Mark a player as having paid, or as not."""
    mark = entrants.mark_paid if paid else entrants.mark_unpaid
    mark(entrant_id=event.entrants.get(number=number).pk, actor=SYSTEM)


@pytest.mark.guide("director#paper")
def test_receipts_are_for_those_who_paid_and_say_when() -> None:
    event = make_event(6, present=False)
    today = timezone.localdate()
    update_event(event_id=event.pk, actor=SYSTEM, changes={"day": today + timedelta(days=20)})
    with pytest.raises(Conflict) as refusal:
        printed(event, "receipts", fee="10")
    assert refusal.value.code == "nobody_paid"
    with moment.later(days=-3):
        pay(event, 2)
        pay(event, 4)
    pay(event, 4, paid=False)
    pay(event, 5)
    # A list that marks a player as paid has no date of payment.
    import_players(event_id=event.pk, content=b"Naam;Betaald\nJan Maes;ja\n", actor=SYSTEM)
    made = printed(event, "receipts", "en", fee="10")
    text = " ".join(" ".join(page_texts(bytes(made.content))).split())
    names = {e.number: e.person.name for e in event.entrants.select_related("person")}
    assert {number for number, name in names.items() if name in text} == {2, 5, 7}
    dates = re.findall(r"Paid on (\d+ \w+ \d{4})", text)
    assert dates == [day(today - timedelta(days=3), "en"), day(today, "en"), day(today, "en")]


def test_who_came_without_paying_is_no_reason_for_receipts(client: Client) -> None:
    event = make_event(4)
    client.force_login(make_user("director", event, "director"))
    page = client.post(f"/desk/{event.slug}/documents/", {"kind": "receipts", "fee": "10"})
    assert page.status_code == 409
    assert "Nobody is marked as paid yet" in page.content.decode()


@pytest.mark.parametrize("fee", ["10 €", "€10", "10,00\u00a0€", "10"])
def test_a_fee_is_read_as_people_write_it(fee: str, event: Event) -> None:
    pay(event)
    made = printed(event, "receipts", fee=fee)
    assert "10,00" in page_texts(bytes(made.content))[0].replace("\u00a0", " ")


@pytest.mark.parametrize(
    ("language", "said"),
    [("fr", "21 novembre 2026"), ("nl", "21 november 2026"), ("en", "21 November 2026")],
)
def test_the_report_of_an_event_writes_its_day_in_words(language: str, said: str) -> None:
    made = printed(make_event(4), "event-report", language=language)
    assert said in whole_text(bytes(made.content))
