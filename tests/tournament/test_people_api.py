"""Members, registrations, lists, documents and archives by API: as at the desk, and no further."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from accounts.models import Role
from ledger.jobs import work_on
from tests.tournament.build import SYSTEM, chance, grant, make_event, make_user
from tournament.demo.simulation import draw_and_publish, play_round
from tournament.models import Event, Member, Person, Round, Table
from tournament.services import clock, entrant_edits, registrations
from tournament.services.events import update_event

pytestmark = pytest.mark.django_db


class Program:
    """A signed-in caller of the API."""

    def __init__(self, name: str, event: Event | None, role: str) -> None:
        self.client = Client(headers={"accept-language": "en"})
        user = make_user(name, event, role)
        if event is None:
            grant(user, role)
        self.client.force_login(user)

    def __call__(self, verb: str, path: str, body: Any = None, expect: int = 200) -> Any:
        answer = self.client.generic(
            verb, f"/api/v1/{path}", json.dumps(body or {}), content_type="application/json"
        )
        assert answer.status_code == expect, answer.content.decode()[:500]
        kind = answer.get("Content-Type", "")
        return answer.json() if answer.content and "json" in kind else answer.content

    def send(self, path: str, content: bytes, expect: int, **more: Any) -> Any:
        form = {"file": SimpleUploadedFile("file", content), **more}
        answer = self.client.post(f"/api/v1/{path}", form)
        assert answer.status_code == expect, answer.content.decode()[:500]
        return answer.json()


def test_the_register_is_kept_by_program_and_shows_directors_no_addresses(settings: Any) -> None:
    settings.EMAIL_URL = "smtp://localhost"
    event = make_event(4)
    admin, director = Program("admin", None, Role.ADMIN), Program("dir", event, Role.DIRECTOR)
    ada = {"name": "Ada Maes", "club": "De Reizers", "email": "ada@example.org", "phone": "0470 12"}
    made = admin("POST", "members/", ada, 201)
    assert made == {**ada, "id": made["id"], "category": ""}
    changed = admin("PATCH", f"members/{made['id']}/", {"club": "De Vrede"})
    assert (changed["club"], changed["email"]) == ("De Vrede", "ada@example.org")
    sheet = b"Naam;Club\nAda Maes;De Vrede\nBob Claes;De Vrede\nCis Daems;\n"
    assert admin.send("members/file/", sheet, 200) == {"added": 2}
    assert admin.send("members/file/", b"1;2\n3;4\n", 400)["code"] == "file_has_errors"
    assert [one["name"] for one in admin("GET", "members/")] == [
        "Ada Maes",
        "Bob Claes",
        "Cis Daems",
    ]
    for verb, path in (
        ("GET", "members/"),
        ("POST", "members/"),
        ("PATCH", f"members/{made['id']}/"),
        ("DELETE", f"members/{made['id']}/"),
    ):
        assert director(verb, path, {}, 403)["code"] == "permission_denied"
    listed = director("GET", f"events/{event.slug}/members/")
    assert [set(one) for one in listed] == [{"id", "name", "club", "category"}] * 3
    page = director.client.get(f"/desk/{event.slug}/players/members/").content.decode()
    assert "Ada Maes" in page
    assert "ada@example.org" not in page
    assert "0470 12" not in page
    ticked = {"members": [made["id"]], "present": True}
    (entered,) = director("POST", f"events/{event.slug}/members/", ticked)
    assert (entered["number"], entered["state"]) == (5, "present")
    assert director("POST", f"events/{event.slug}/members/", ticked) == []
    assert director("POST", f"events/{event.slug}/members/remember/") == {"added": 4}
    admin("DELETE", f"members/{made['id']}/", expect=204)
    assert not Member.objects.filter(name="Ada Maes").exists()


def test_the_register_takes_a_spreadsheet_on_its_page() -> None:
    admin = Program("admin", None, Role.ADMIN)
    sheet = SimpleUploadedFile("leden.csv", "Nom;Prénom\nMaes;Ada\nClaes;Bob\n".encode())
    answer = admin.client.post("/desk/members/", {"verb": "file", "file": sheet})
    assert answer.status_code == 302
    assert set(Member.objects.values_list("name", flat=True)) == {"Ada Maes", "Bob Claes"}
    wrong = SimpleUploadedFile("x.csv", b"1;2\n3;4\n")
    answer = admin.client.post("/desk/members/", {"verb": "file", "file": wrong})
    assert answer.status_code == 422
    assert Member.objects.count() == 2


def test_the_door_by_program() -> None:
    event = make_event(6, present=False)
    program = Program("dir", event, Role.DIRECTOR)
    base = f"events/{event.slug}/"
    assert program("POST", f"{base}check-in/", {"but": [2, 5]}) == {"checked_in": 4}
    assert program("POST", f"{base}check-in/", {"but": [2]}) == {"checked_in": 1}
    update_event(event_id=event.pk, actor=SYSTEM, changes={"registration": True})
    one = registrations.register(event_id=event.pk, name="Walk In", club="Q")
    two = registrations.register(event_id=event.pk, name="No Body")
    assert [r["name"] for r in program("GET", f"{base}registrations/")] == ["Walk In", "No Body"]
    entered = program("POST", f"{base}registrations/{one.pk}/confirm/", {"present": True})
    assert (entered["number"], entered["state"]) == (7, "present")
    refused = program("POST", f"{base}registrations/{two.pk}/refuse/")
    assert refused["state"] == "refused"
    again = program("POST", f"{base}registrations/{two.pk}/confirm/", {}, 409)
    assert again["code"] == "already_answered"
    other = Program("other", make_event(4, name="Other"), Role.DIRECTOR)
    for verb, path in (
        ("POST", "check-in/"),
        ("GET", "registrations/"),
        ("POST", f"registrations/{two.pk}/confirm/"),
        ("GET", "members/"),
        ("POST", "mail-links/"),
        ("GET", "documents/"),
        ("POST", "archive/"),
        ("GET", "entrants/1/data/"),
    ):
        other(verb, base + path, {}, 403)
    assert program("POST", f"{base}mail-links/", {}, 409)["code"] == "nobody_wants_mail"


def test_a_list_of_players_is_looked_at_and_imported() -> None:
    event = make_event(0)
    program = Program("dir", event, Role.DIRECTOR)
    base = f"events/{event.slug}/players-file/"
    sheet = "Inschrijvingen\nVoornaam;Naam;Club\nAda;Maes;De Vrede\nBob;Claes;\nTotaal;2;\n"
    shown = program.send(base, sheet.encode(), 201)
    players = [(row["line"], row["name"]) for row in shown["rows"] if not row["left_out"]]
    assert players == [(3, "Ada Maes"), (4, "Bob Claes")]
    assert [row["line"] for row in shown["rows"]] == [1, 2, 3, 4, 5]
    assert shown["rows"][-1]["left_out"]
    assert event.entrants.count() == 0
    job = program("POST", f"{base}import/", {"file": shown["id"]}, 202)
    work_on(job["id"])
    assert event.entrants.count() == 2
    assert program("POST", f"{base}import/", {"file": shown["id"]}, 400)["code"] == "file_gone"
    bare = program.send(base, b"Cis Daems;x\nDirk Elst;y\n", 201)
    wanted = {"file": bare["id"], "columns": {"name": 0}, "first_row": 1}
    work_on(program("POST", f"{base}import/", wanted, 202)["id"])
    assert event.entrants.count() == 4
    wrong = {**wanted, "columns": {"shoe": 0}}
    assert "columns" in program("POST", f"{base}import/", wrong, 400)["errors"]


@pytest.mark.guide("operator#anchors-and-stamps")
def test_documents_and_archives_by_program() -> None:
    event = make_event(8)
    round_ = Round.objects.get(stage__event=event, stage__order=1, number=1)
    draw_and_publish(round_, SYSTEM)
    program, referee = Program("dir", event, Role.DIRECTOR), Program("ref", event, Role.REFEREE)
    base = f"events/{event.slug}/"
    wanted = {"kind": "slips", "language": "fr", "round": str(round_.pk)}
    job = program("POST", f"{base}documents/", wanted, 202)
    work_on(job["id"])
    made = program("GET", f"{base}jobs/{job['id']}/")["result"]["document"]
    # A document with links is opened only by a form, because each opening is recorded.
    program("GET", f"{base}documents/{made}/", expect=405)
    assert program("POST", f"{base}documents/{made}/").startswith(b"%PDF")
    (listed,) = program("GET", f"{base}documents/")
    assert (listed["id"], listed["kind"], listed["language"]) == (made, "slips", "fr")
    # A role that may print, but not links, can neither request nor download them.
    referee("POST", f"{base}documents/", wanted, 403)
    referee("POST", f"{base}documents/{made}/", {}, 403)
    assert referee("GET", f"{base}documents/") == []
    pdf = program.client.post(listed["path"], headers={"accept": "application/pdf"})
    assert (pdf.status_code, pdf["Content-Type"]) == (200, "application/pdf")
    job = program("POST", f"{base}archive/", {}, 202)
    work_on(job["id"])
    file = program("GET", f"{base}jobs/{job['id']}/")["result"]["document"]
    content = program("GET", f"{base}documents/{file}/")
    admin = Program("admin", None, Role.ADMIN)
    assert admin.send("archives/", content, 409)["code"] == "event_exists"
    assert admin.send("archives/", b"nothing", 400)["code"] == "not_an_archive"
    program.client.post("/api/v1/archives/", {"file": SimpleUploadedFile("a", content)})
    assert Event.objects.count() == 1
    assert admin.send("archives/", b"nothing", 400, copy=True)["code"] == "not_an_archive"
    copy = admin.send("archives/", content, 201, copy=True, name="Once more", slug="more")
    assert copy["slug"] == "more"
    assert Event.objects.get(slug="more").name == "Once more"


def test_a_merger_is_taken_back_and_a_person_erased_by_program() -> None:
    event = make_event(6)
    program = Program("dir", event, Role.DIRECTOR)
    base = f"events/{event.slug}/entrants/"
    entrant_edits.merge_entrants(event_id=event.pk, keep=1, double=6, actor=SYSTEM)
    assert program("POST", f"{base}6/unmerge/")["number"] == 6
    person = event.entrants.get(number=6).person
    data = program("GET", f"{base}6/data/")
    assert person.name in json.dumps(data, ensure_ascii=False)
    program("DELETE", f"{base}6/data/", expect=204)
    assert Person.objects.get(pk=person.pk).name == ""
    assert program("GET", f"{base}6/data/?who=partner", expect=404)["code"] == "not_found"


def test_a_table_by_program() -> None:
    event = make_event(8)
    round_ = Round.objects.get(stage__event=event, stage__order=1, number=1)
    draw_and_publish(round_, SYSTEM)
    clock.start_round(round_id=round_.pk, actor=SYSTEM)
    program = Program("dir", event, Role.DIRECTOR)
    program("POST", f"rounds/{round_.pk}/give-time/", {"table": 2, "minutes": 5})
    assert Table.objects.get(round=round_, number=2).extra_minutes == 5
    before = Table.objects.get(round=round_, number=1).token_hash
    program("POST", f"rounds/{round_.pk}/new-link/", {"table": 1, "reason": "lost"})
    assert Table.objects.get(round=round_, number=1).token_hash != before
    assert program("POST", f"rounds/{round_.pk}/give-time/", {"table": 77, "minutes": 5}, 404)
    play_round(round_, chance())
    sheet = Table.objects.get(round=round_, number=1).sheets.first()
    call = program("POST", f"sheets/{sheet.pk}/contest/", {"reason": "Game 1 is 44"}, 201)
    assert "Game 1 is 44" in call["reason"]
    assert program("POST", f"sheets/{sheet.pk}/reopen/", {"reason": "agreed"})["state"] == "open"
    undone = program("POST", f"sheets/{sheet.pk}/undo-bell/", {})
    assert undone["ended_by"] != "bell"
    sheet.refresh_from_db()
    slip = {"entries": [], "version": sheet.version, "reason": "slip of table 1"}
    assert program("POST", f"sheets/{sheet.pk}/slip/", slip)["state"] == "official"
    stale = program("POST", f"sheets/{sheet.pk}/slip/", slip, 409)
    assert stale["status"] == 409
    stage = f"events/{event.slug}/stages/1/"
    frozen = program("POST", f"{stage}standings/", {"state": "frozen"})
    assert (frozen["state"], len(frozen["hash"])) == ("frozen", 64)
    assert program("POST", f"{stage}let-stand/", {"reason": "x"}, 409)["code"] == "field_same"
