"""The log on its page and in the API, and the proofs started from it."""

from __future__ import annotations

import ast
import re
from typing import Any

import pytest
from django.db import connection
from django.test import Client

from ledger import audit
from ledger.actors import Actor
from ledger.anchors import anchor_of
from ledger.jobs import work_on
from ledger.models import AuditEntry, Job
from operations.audit_log import entries, in_words
from operations.proofs import Proof, last_proofs, request_proof
from operations.replay import replay
from tests.catalogs import modules_with
from tests.tournament.build import SYSTEM, chance, grant, make_event, make_user
from tournament.demo.simulation import advance
from tournament.models import Event, Standings
from tournament.queries import standings
from tournament.services import entrants
from tournament.services.events import update_event
from tournament.services.members import add_member


@pytest.fixture(scope="module")
def evening(module_database: None) -> Event:
    """Play a round of two tables."""
    event = make_event(8, deals=2)
    advance(event, chance())
    return event


@pytest.fixture
def played(evening: Event, db: None) -> Event:
    return Event.objects.get(pk=evening.pk)


def test_the_director_reads_who_did_what_and_when(client: Client, played: Event) -> None:
    director = make_user("Marleen", played, "director")
    client.force_login(director)
    someone = played.entrants.get(number=3)
    entrants.withdraw(entrant_id=someone.pk, actor=Actor.user(director.pk))
    desk = client.get(f"/desk/{played.slug}/").content.decode()
    assert f'href="/desk/{played.slug}/log/"' in desk
    page = client.get(f"/desk/{played.slug}/log/?what=deal").content.decode()
    assert "Deal recorded" in page
    assert "Table 1 · Round 1, game 1, deal 1" in page
    assert "Draw published" not in page
    (row,) = in_words(played, entries(played.pk, who=f"user:{director.pk}", what="entrant"))
    assert (row.who, row.what) == ("Marleen", "Player withdrawn")
    assert row.subject == f"3 {someone.person.name}"


def test_what_was_done_to_a_round_names_the_round(played: Event) -> None:
    rows, own = in_words(played, entries(played.pk, what="round")), "Preliminary rounds · Round 1"
    assert {("Round started", own), ("Round closed", own)} <= {(r.what, r.subject) for r in rows}


@pytest.mark.parametrize(
    ("kind", "who"),
    [
        ("user", "Marleen"),
        ("player", "3 {player}"),
        ("somebody of another event", "a player"),
        ("device", "the table"),
        ("system", "the service"),
    ],
)
def test_who_did_something_is_named_as_people_know_them(played: Event, kind: str, who: str) -> None:
    third = played.entrants.get(number=3)
    actor = {
        "user": Actor.user(make_user("Marleen").pk),
        "player": Actor.player(third.pk),
        "somebody of another event": Actor.player(make_event(1).entrants.get().pk),
        "device": Actor.device("7"),
        "system": SYSTEM,
    }[kind]
    update_event(event_id=played.pk, actor=actor, changes={"place": "Liège"})
    (row, *_earlier) = in_words(played, entries(played.pk, who=str(actor)))
    assert row.who == who.format(player=third.person.name)


@pytest.mark.parametrize(
    ("language", "name"),
    [
        ("en", "Complete event report"),
        ("fr", "Rapport complet du concours"),
        ("nl", "Volledig verslag van de kaarting"),
    ],
)
def test_a_document_is_called_by_its_kind_while_it_is_made_and_in_the_log(
    client: Client, played: Event, language: str, name: str
) -> None:
    client.force_login(make_user("Marleen", played, "director"))
    client.cookies["django_language"] = language
    asked = client.post(
        f"/desk/{played.slug}/documents/", {"kind": "event-report", "language": "nl", "paper": "a4"}
    )
    job = asked.headers["Location"]
    assert name in client.get(job).content.decode()
    work_on(job.split("/")[-2])
    assert name in client.get(job).content.decode()
    assert name in client.get(f"/desk/{played.slug}/log/?what=document").content.decode()


def test_a_page_of_the_log_takes_a_fixed_number_of_queries(
    played: Event, django_assert_max_num_queries: Any
) -> None:
    rows = list(entries(played.pk))
    assert len(rows) > 30
    with django_assert_max_num_queries(8):
        in_words(played, rows)


def choices(page: str, name: str) -> list[tuple[str, str]]:
    """Return the options of a select: the value sent and its label."""
    inside = page.partition(f'<select name="{name}"')[2].partition("</select>")[0]
    return re.findall(r'<option value="([^"]*)"[^>]*>([^<]*)</option>', inside)


@pytest.mark.parametrize(
    ("language", "first", "last"),
    [
        ("en", ["everything", "Appeals", "Calls for the referee", "Deals"], "Two-person decisions"),
        ("fr", ["tout", "Appels à l’arbitrage", "Classement"], "Tours et horloge"),
        ("nl", ["alles", "Beroepen", "Besliste partijen"], "Uitspraken van twee personen"),
    ],
)
def test_the_choices_of_the_log_stand_in_the_order_of_their_words(
    client: Client, played: Event, language: str, first: list[str], last: str
) -> None:
    for name in ("zoé", "Émile", "Daan", "Eva"):
        user = make_user(name, played, "director")
        update_event(event_id=played.pk, actor=Actor.user(user.pk), changes={"place": name})
    client.force_login(user)
    client.cookies["django_language"] = language
    page = client.get(f"/desk/{played.slug}/log/?what=round&who=user:{user.pk}").content.decode()
    subjects = [words for _code, words in choices(page, "what")]
    assert subjects[: len(first)] == first
    assert subjects[-1] == last
    if language == "fr":
        # An accented letter sorts as its base letter.
        assert subjects.index("Décisions") < subjects.index("Documents") < subjects.index("Donnes")
    people = [words for code, words in choices(page, "who") if code.startswith("user:")]
    assert people == ["Daan", "Émile", "Eva", "zoé"]
    # Actors without a name follow the accounts.
    kinds = [code for code, _words in choices(page, "who")][-3:]
    assert kinds == ["player", "device", "system"]
    assert '<option value="round" selected>' in page
    assert f'<option value="user:{user.pk}" selected>' in page


@pytest.mark.parametrize(
    ("role", "status"),
    [("director", 200), ("chief_referee", 200), ("referee", 403), ("scorekeeper", 403)],
)
def test_only_who_may_read_the_record_does(
    client: Client, played: Event, role: str, status: int
) -> None:
    client.force_login(make_user(role, played, role))
    assert client.get(f"/desk/{played.slug}/log/").status_code == status
    assert client.get(f"/api/v1/events/{played.slug}/log/").status_code == status
    answer = client.post(f"/desk/{played.slug}/log/prove/", {"proof": "standings"})
    assert answer.status_code == (302 if status == 200 else 403)
    assert Job.objects.filter(kind="operations.proof").exists() is (status == 200)


def in_record(event: Event) -> int:
    """Return the number of items that a replay compares."""
    outcome = replay(event)
    return sum(outcome.compared.values()) + outcome.rebuilt


@pytest.mark.guide("operator#backups")
@pytest.mark.parametrize("proof", Proof.values)
def test_a_proof_of_what_nobody_touched_finds_no_difference(played: Event, proof: str) -> None:
    for stage in played.stages.all():
        standings.recompute(stage_id=stage.pk)
    there = {"record": in_record(played), "standings": played.stages.count(), "draws": 1}
    work_on(str(request_proof(event_id=played.pk, proof=proof, actor=SYSTEM).pk))
    job = dict(last_proofs(played.pk))[Proof(proof)]
    assert job is not None
    assert (job.state, job.failure) == ("done", "")
    # All existing items were compared.
    assert job.result == {"compared": there[proof], "wrong": 0, "differences": []}


def test_a_record_that_is_not_what_the_tables_hold_is_told_row_by_row(played: Event) -> None:
    for stage in played.stages.all():
        standings.recompute(stage_id=stage.pk)
    whole = in_record(played)
    with connection.cursor() as cursor:
        cursor.execute("UPDATE tournament_stage SET minutes = minutes + 1")
    work_on(str(request_proof(event_id=played.pk, proof="record", actor=SYSTEM).pk))
    result = Job.objects.get(kind="operations.proof").result
    assert result["wrong"] == len(result["differences"]) > 0
    assert any("minutes" in each for each in result["differences"])
    # Every difference is counted among the compared items.
    assert result["compared"] == whole


@pytest.mark.guide("operator#backups")
def test_a_standing_changed_behind_the_record_is_named(client: Client, played: Event) -> None:
    client.force_login(make_user("Marleen", played, "director"))
    client.get(f"/e/{played.slug}/standings/")
    kept = Standings.objects.filter(stage__event=played).exclude(hash="").first()
    assert kept is not None
    kept.rows[0]["games"] += 1
    kept.save(update_fields=["rows"])
    client.post(f"/desk/{played.slug}/log/prove/", {"proof": "standings"})
    work_on(str(Job.objects.get(kind="operations.proof").pk))
    assert "1 difference" in client.get(f"/desk/{played.slug}/log/").content.decode()


def test_every_verb_that_is_recorded_has_its_words() -> None:
    written: set[str] = set()
    for _path, tree in modules_with(r"\baudit\.append\("):
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and ast.unparse(node.func) == "audit.append":
                for value in [*node.args[1:2], *(k.value for k in node.keywords)]:
                    written |= {
                        each.value
                        for each in ast.walk(value)
                        if isinstance(each, ast.Constant)
                        and isinstance(each.value, str)
                        and "." in each.value
                        and not each.value.endswith(".")
                    }
    assert len(written) > 80
    assert written - set(audit.WORDS) == set()


def test_the_program_reads_the_chain_by_pages(client: Client, played: Event) -> None:
    client.force_login(make_user("Marleen", played, "director"))
    answer = client.get(f"/api/v1/events/{played.slug}/log/?page_size=5&what=round").json()
    assert len(answer["rows"]) == min(5, answer["count"])
    assert {row["verb"].partition(".")[0] for row in answer["rows"]} == {"round"}
    newest = AuditEntry.objects.filter(scope=played.pk, verb__startswith="round.").last()
    assert newest is not None
    assert answer["rows"][0]["hash"] == newest.hash


def test_the_program_has_a_proof_made_and_reads_what_came_of_it(
    client: Client, played: Event
) -> None:
    client.force_login(make_user("Marleen", played, "director"))
    address = f"/api/v1/events/{played.slug}/proofs/"
    nothing = {"state": "", "finished_at": None, "result": {}, "failure": ""}
    assert client.get(address).json() == {
        "proofs": [{"proof": proof, **nothing} for proof in Proof.values]
    }
    asked = client.post(address, {"proof": "record"}, content_type="application/json")
    assert asked.status_code == 202
    assert asked.json() == {**nothing, "proof": "record", "state": "queued"}
    work_on(str(Job.objects.get(kind="operations.proof").pk))
    found = {each["proof"]: each for each in client.get(address).json()["proofs"]}
    assert (found["record"]["state"], found["record"]["result"]["wrong"]) == ("done", 0)
    assert found["record"]["finished_at"]
    assert found["draws"] == {"proof": "draws", **nothing}


def test_what_the_log_shows_is_written_as_it_was_typed(client: Client, played: Event) -> None:
    client.force_login(make_user("Marleen", played, "director"))
    update_event(event_id=played.pk, actor=SYSTEM, changes={"place": "Liège"})
    assert "Liège" in client.get(f"/desk/{played.slug}/log/?what=event").content.decode()


@pytest.mark.guide("operator#backups")
def test_the_administrator_starts_the_proofs_of_an_event_on_the_page_of_the_system(
    client: Client, played: Event
) -> None:
    admin = make_user("Anna")
    grant(admin, "admin")
    client.force_login(admin)

    def states() -> list[tuple[str, str]]:
        page = client.get("/system/").content.decode()
        forms = re.findall(r'action="([^"]*/log/prove/)">(.*?)</form>', page, re.DOTALL)
        assert {action for action, _inside in forms} == {f"/desk/{played.slug}/log/prove/"}
        return [
            (re.findall(r'name="proof" value="(\w+)"', inside)[0], re.sub(r"<[^>]+>", "", inside))
            for _action, inside in forms
        ]

    assert [(proof, "not done yet" in state) for proof, state in states()] == [
        (proof, True) for proof in Proof.values
    ]
    client.post(f"/desk/{played.slug}/log/prove/", {"proof": "draws"})
    work_on(str(Job.objects.get(kind="operations.proof").pk))
    (state,) = [state for proof, state in states() if proof == "draws"]
    assert "1 compared, no difference" in " ".join(state.split())


@pytest.mark.guide("operator#backups")
def test_a_log_says_how_far_its_chain_is(client: Client, played: Event) -> None:
    client.force_login(make_user("Marleen", played, "director"))
    before = anchor_of(played.pk)
    assert before in client.get(f"/desk/{played.slug}/log/").content.decode()
    update_event(event_id=played.pk, actor=SYSTEM, changes={"place": "Gent"})
    page = client.get(f"/desk/{played.slug}/log/").content.decode()
    assert before not in page
    assert anchor_of(played.pk) in page


@pytest.mark.guide("operator#health-and-metrics")
@pytest.mark.django_db
def test_the_administrator_reads_what_was_done_to_accounts_and_members(client: Client) -> None:
    admin, director = make_user("Anna"), make_user("Marleen", make_event(0), "director")
    grant(admin, "admin")
    client.force_login(admin)
    client.post("/system/accounts/", {"user": director.pk, "verb": "opener"})
    add_member(actor=Actor.user(admin.pk), values={"name": "Mia Maes"})
    assert 'href="/system/log/"' in client.get("/system/").content.decode()
    page = client.get("/system/log/").content.decode()
    for said in ("Right to open events granted", "Marleen", "Mia Maes"):
        assert said in page
    assert "Mia Maes" not in client.get("/system/log/?what=user").content.decode()
    (row,) = client.get(f"/api/v1/log/?what=member&who=user:{admin.pk}").json()["rows"]
    assert row["verb"] == "member.added"
    client.force_login(director)
    assert client.get("/system/log/").status_code == 403
    assert client.get("/api/v1/log/").status_code == 403
