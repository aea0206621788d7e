"""E-mail to players who asked for it: receipt, badge link, draw, ruling; one link ends it, bounces are reported."""

from __future__ import annotations

import re
import socket
from collections.abc import Iterator
from email.header import decode_header, make_header
from email.message import Message
from typing import Any

import pytest
from aiosmtpd.controller import Controller
from django.core import mail as outbox
from django.test import Client

from accounts.models import Role
from adjudication.services import rulings
from ledger.errors import Conflict, Refused
from ledger.models import AuditEntry, Job
from operations.replay import replay
from tests.adjudication.build import REFEREE, REVOKE, event_in_play, incident_at, stating
from tests.moment import later
from tests.tournament.build import SYSTEM, make_event, make_user
from tests.tournament.desk import director
from tests.tournament.test_push import first_round, own_page, run_jobs
from tournament.api.person_data import export_person
from tournament.models import Entrant, Event, MailConsent, Notice, Person, Registration
from tournament.services import consents, mail, notices, privacy, registrations
from tournament.services.entrant_edits import correct_entrant
from tournament.services.events import update_event

pytestmark = pytest.mark.django_db


@pytest.fixture
def server(settings: Any) -> list[Any]:
    """Configure a mail server. Return the sent messages."""
    settings.EMAIL_URL = "smtp://localhost"
    settings.EMAIL_FROM = "manille@example.org"
    settings.PUBLIC_URL = "https://manille.example.org"
    return outbox.outbox


def want(event: Event, number: int, email: str, language: str = "fr") -> Entrant:
    """Ask for e-mail on the player's own page."""
    page = own_page(event, number)
    phone = Client(headers={"Accept-Language": language})
    assert phone.post(page + "mail/", {"want": "1", "email": email}).status_code == 302
    return Entrant.objects.get(event=event, number=number)


@pytest.mark.guide("director#send-e-mail")
def test_a_registration_has_its_receipt_and_becomes_a_player_who_is_told(server: list[Any]) -> None:
    event = update_event(
        event_id=make_event(4, present=False).pk, actor=SYSTEM, changes={"registration": True}
    )
    phone, page = Client(headers={"Accept-Language": "nl"}), f"/register/{event.slug}/"
    asked = {"name": "Nieuwe Speler", "email": "nieuw@example.org", "mail": "on"}
    assert phone.post(page, {**asked, "email": ""}).status_code == 422
    own = phone.post(page, asked).headers["Location"]
    run_jobs()
    (receipt,) = server
    assert receipt.from_email == "Manille <manille@example.org>"
    assert receipt.to == ["nieuw@example.org"]
    assert receipt.subject == f"{event.name}: We hebben je inschrijving"
    assert f"https://manille.example.org{own}" in receipt.body
    waiting = Registration.objects.get()
    entrant = registrations.confirm(registration_id=waiting.pk, actor=SYSTEM)
    assert MailConsent.objects.get().entrant == entrant
    # Without the ticked box no e-mail is sent.
    phone.post(page, {"name": "Stille Speler", "email": "stil@example.org"})
    run_jobs()
    assert len(server) == 1
    assert MailConsent.objects.count() == 1


@pytest.mark.guide("security#security")
def test_nobody_is_sent_receipts_without_end_by_who_knows_their_address(server: list[Any]) -> None:
    event = update_event(
        event_id=make_event(4, present=False).pk, actor=SYSTEM, changes={"registration": True}
    )
    page, asked = f"/register/{event.slug}/", {"email": "Victim@example.org", "mail": "on"}
    sent = [
        Client().post(page, {**asked, "name": f"Wissel Naam{'abcdefghijkl'[number]}"}).status_code
        for number in range(12)
    ]
    run_jobs()
    assert sent == [302] * 10 + [422] * 2
    assert len(server) == 10
    # The club's secretary continues with the list, without more e-mail.
    silent = {"name": "Nog Iemand", "email": "victim@example.org"}
    assert Client().post(page, silent).status_code == 302


@pytest.mark.guide("security#security")
def test_a_name_with_line_breaks_writes_no_head_of_an_e_mail(server: list[Any]) -> None:
    event = make_event(4)
    who = want(event, 1, "een@example.org")
    event.name = "Cup\r\nBcc: all@example.org\n\nBuy"
    written = mail.written(
        MailConsent.objects.get(entrant=who), event, subject="a\nb", text="text", number=1
    )
    # In French a colon has a space before it.
    assert written.subject == "Cup Bcc: all@example.org Buy : a b"
    sent = written.message()
    assert "Bcc" not in sent
    assert written.recipients() == ["een@example.org"]


@pytest.mark.guide("director#send-e-mail", "players#get-notices", "security#security")
def test_draw_and_ruling_come_by_mail_and_one_link_ends_it(server: list[Any]) -> None:
    event = make_event(8, rulebook="parlee")
    who = want(event, 1, "een@example.org")
    round_ = first_round(event)
    run_jobs()
    (drawn,) = server
    assert "Le tirage est publié" in drawn.subject
    assert f"https://manille.example.org{own_page(event, 1)}" in drawn.body
    seat = round_.seats.select_related("table").get(entrant=who)
    incident = incident_at(event, round_, table=seat.table.number)
    stating(
        rulings.issue,
        incident_id=incident.pk,
        actor=REFEREE,
        reason="seen",
        article="000-P1",
        facts=REVOKE,
    )
    run_jobs()
    assert "Une décision vous concerne" in server[1].subject
    link = drawn.extra_headers["List-Unsubscribe"].strip("<>")
    assert drawn.extra_headers["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    assert link in drawn.body
    path = link.removeprefix("https://manille.example.org")
    program = Client(enforce_csrf_checks=True)
    assert program.get(path).status_code == 200
    assert MailConsent.objects.exists()
    for _again in range(2):
        answer = program.post(path, {"List-Unsubscribe": "One-Click"})
        assert answer.status_code == 200
        assert not MailConsent.objects.exists()
    assert replay(event).differences == []


@pytest.mark.guide("director#send-e-mail")
def test_the_director_sends_the_links_and_others_may_not(server: list[Any]) -> None:
    event = make_event(8)
    page = f"/desk/{event.slug}/players/"
    desk = director(event)
    with pytest.raises(Conflict) as refusal:
        notices.mail_links(event_id=event.pk, actor=SYSTEM)
    assert refusal.value.code == "nobody_wants_mail"
    want(event, 1, "een@example.org", "nl")
    want(event, 2, "twee@example.org", "fr")
    assert "2 players want e-mail" in desk.get(page).content.decode()
    assert desk.post(page + "mail-links/").status_code == 302
    run_jobs()
    sent = {message.to[0]: message for message in server}
    assert own_page(event, 1) in sent["een@example.org"].body
    assert "Je eigen pagina" in sent["een@example.org"].subject
    assert own_page(event, 2) in sent["twee@example.org"].body
    entry = AuditEntry.objects.get(scope=event.pk, verb="links.mailed")
    assert entry.after == {"players": 2}
    volunteer = Client()
    volunteer.force_login(make_user("door", event, Role.SCOREKEEPER))
    assert volunteer.post(page + "mail-links/").status_code == 403
    assert "mail-links" not in volunteer.get(page).content.decode()


@pytest.mark.guide("security#personal-data")
def test_an_address_is_asked_for_once_and_never_shown(server: list[Any]) -> None:
    event = make_event(4)
    who = Entrant.objects.get(event=event, number=1)
    with pytest.raises(Refused) as refusal:
        consents.want_mail(entrant_id=who.pk, email="", language="fr")
    assert refusal.value.code == "email_missing"
    assert not MailConsent.objects.exists()
    want(event, 1, "no address")
    assert not MailConsent.objects.exists()
    want(event, 1, "een@example.org")
    page = own_page(event, 1)
    assert "een@example.org" not in Client().get(page).content.decode()
    Client().post(page + "mail/", {"end": "1"})
    assert not MailConsent.objects.exists()
    # The desk knows the address, so it need not be typed again.
    want(event, 1, "")
    assert export_person(who.person)["entries"][0]["e_mail"] == "wanted"
    privacy.forget_person(person_id=who.person_id, actor=SYSTEM)
    assert not MailConsent.objects.exists()


@pytest.mark.guide(
    "director#registering-and-the-door", "operator#notices-and-e-mail", "security#personal-data"
)
def test_without_a_mail_server_nothing_is_offered_or_kept() -> None:
    event = update_event(event_id=make_event(4).pk, actor=SYSTEM, changes={"registration": True})
    who = Entrant.objects.get(event=event, number=1)
    with pytest.raises(Conflict) as refusal:
        consents.want_mail(entrant_id=who.pk, email="een@example.org", language="fr")
    assert refusal.value.code == "no_mail_server"
    desk = director(event)
    pages = (
        f"/register/{event.slug}/",
        own_page(event, 1),
        f"/desk/{event.slug}/players/",
        f"/desk/{event.slug}/players/1/",
    )
    for page in pages:
        assert 'type="email"' not in desk.get(page).content.decode(), page
    asked = {"name": "Nieuwe Speler", "email": "nieuw@example.org", "mail": "on"}
    assert Client().post(pages[0], asked).status_code == 302
    assert Registration.objects.get().email == ""
    api = f"/api/v1/events/{event.slug}/entrants/"
    for answer in (
        desk.post(api, {"name": "Nieuw", "email": "nieuw@example.org"}, "application/json"),
        desk.patch(f"{api}1/", {"email": "een@example.org"}, "application/json"),
    ):
        assert answer.status_code == 400
        assert "This installation sends no e-mail." in answer.content.decode()
    assert desk.post(api, {"name": "Nieuw", "email": ""}, "application/json").status_code == 201
    assert not Person.objects.exclude(email="").exists()
    assert not Job.objects.filter(kind="tournament.notices").exists()


class Refusing:
    """A mail server's rules: one address is refused, another is temporarily full."""

    def __init__(self) -> None:
        self.got: list[Message] = []

    async def handle_RCPT(
        self, _server: Any, _session: Any, envelope: Any, address: str, _options: Any
    ) -> str:
        if address.startswith("nobody"):
            return f"550 5.1.1 <{address}> no such user here"
        if address.startswith("full"):
            return "452 4.2.2 mailbox full"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, _server: Any, _session: Any, envelope: Any) -> str:
        from email import message_from_bytes

        self.got.append(message_from_bytes(envelope.content))
        return "250 OK"


@pytest.fixture
def smtp(server: list[Any], settings: Any) -> Iterator[Refusing]:
    """Run an SMTP server for the test."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    rules = Refusing()
    running = Controller(rules, hostname="127.0.0.1", port=port)
    running.start()
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", port
    try:
        yield rules
    finally:
        running.stop()


@pytest.mark.guide("director#send-e-mail")
def test_an_address_that_takes_no_mail_is_told_to_the_director(smtp: Refusing) -> None:
    event = make_event(8)
    for number, name in ((1, "nobody"), (2, "full"), (3, "een")):
        want(event, number, f"{name}@example.org")
    first_round(event)
    assert run_jobs() == [{"failed": 1, "later": 1, "sent": 1}]
    (letter,) = smtp.got
    assert letter["To"] == "een@example.org"
    out = letter["List-Unsubscribe"].strip()
    assert re.fullmatch(r"<https://manille\.example\.org/mail/[-0-9a-f]{36}/>", out)
    page = director(event).get(f"/desk/{event.slug}/players/1/").content.decode()
    assert "The address rejects mail: “550 5.1.1 … no such user here”" in page
    assert "nobody@example.org" not in Notice.objects.get(consent__entrant__number=1).failure
    want(event, 1, "")
    assert MailConsent.objects.get(entrant__number=1).refused
    # The refused address gets no more mail until it is corrected; the other is retried.
    with later(days=1):
        notices.send_again()
        assert run_jobs() == [{"later": 1}]
    correct_entrant(
        entrant_id=event.entrants.get(number=1).pk,
        changes={"email": "twee@example.org"},
        actor=SYSTEM,
    )
    notices.mail_links(event_id=event.pk, actor=SYSTEM)
    run_jobs()
    assert sorted(letter["To"] for letter in smtp.got[1:]) == [
        "een@example.org",
        "twee@example.org",
    ]


def test_each_kind_of_e_mail_reaches_a_server_in_the_reader_s_language(smtp: Refusing) -> None:
    event = make_event(8, rulebook="parlee")
    update_event(event_id=event.pk, actor=SYSTEM, changes={"registration": True})
    asked = {"name": "Nieuwe Speler", "email": "nieuw@example.org", "mail": "on"}
    dutch = Client(headers={"Accept-Language": "nl"})
    assert dutch.post(f"/register/{event.slug}/", asked).status_code == 302
    who = want(event, 1, "een@example.org", "fr")
    notices.mail_links(event_id=event.pk, actor=SYSTEM)
    round_ = first_round(event)
    seat = round_.seats.select_related("table").get(entrant=who)
    incident = incident_at(event, round_, table=seat.table.number)
    stating(
        rulings.issue,
        incident_id=incident.pk,
        actor=REFEREE,
        reason="seen",
        article="000-P1",
        facts=REVOKE,
    )
    run_jobs()

    def subjects(address: str) -> list[str]:
        heads = [letter["Subject"] for letter in smtp.got if letter["To"] == address]
        return sorted(
            str(make_header(decode_header(head))).partition(event.name)[2].lstrip(" \N{NBSP}:")
            for head in heads
        )

    assert subjects("nieuw@example.org") == ["We hebben je inschrijving"]
    assert subjects("een@example.org") == [
        "Le tirage est publié : Tours préliminaires, tour 1",
        "Une décision vous concerne",
        "Votre propre page, comme sur votre badge",
    ]


@pytest.mark.guide("operator#notices-and-e-mail")
def test_a_mail_server_that_is_away_is_asked_again_and_given_up(
    server: list[Any], settings: Any
) -> None:
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", 1
    event, round_ = event_in_play()
    want(event, 1, "een@example.org")
    notices.tell(event_id=event.pk, kind="draw", subject=round_.pk)
    assert run_jobs() == [{"later": 1}]
    for attempt in range(1, 5):
        with later(days=attempt):
            notices.send_again()
            run_jobs()
    assert Notice.objects.get().state == "failed"
    page = director(event).get(f"/desk/{event.slug}/players/1/").content.decode()
    assert "1 notice could not be sent" in page
