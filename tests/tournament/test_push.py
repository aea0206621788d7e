"""Notices on a player's device: the draw is published, their result changed, a ruling concerns them."""

from __future__ import annotations

import itertools
import re
import smtplib
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

import pytest
from django.core.mail import EmailMessage
from django.test import Client
from py_vapid import Vapid02

from adjudication.services import rulings
from ledger import audit, jobs
from ledger.change import change
from ledger.deadline import Deadline
from ledger.models import Job, JobState
from tests.adjudication.build import REFEREE, REVOKE, enter, incident_at, sheet_at, sign, stating
from tests.moment import later
from tests.tournament.build import SYSTEM, make_event
from tests.tournament.push_server import Device, Service, push_service
from tournament.api.person_data import export_person
from tournament.demo.simulation import draw_and_publish
from tournament.models import (
    Entrant,
    Event,
    EventState,
    MailConsent,
    Notice,
    PushSubscription,
    Round,
)
from tournament.services import archive, event_copy, mail, notices, privacy, push, signatures
from tournament.services.entrant_edits import merge_entrants
from tournament.services.entrants import enter_player, renew_link
from tournament.tables.links import entrant_token

pytestmark = pytest.mark.django_db


@pytest.fixture
def service(settings: Any) -> Iterator[Service]:
    settings.PUSH_PRIVATE = True
    with push_service() as running:
        yield running


def own_page(event: Event, number: int) -> str:
    return f"/p/{entrant_token(Entrant.objects.get(event=event, number=number))}/"


def subscribe(event: Event, number: int, device: Device, language: str = "fr") -> int:
    return (
        Client(headers={"Accept-Language": language})
        .post(own_page(event, number) + "push/", {**device.form, "verb": "on"})
        .status_code
    )


def run_jobs() -> list[dict[str, Any]]:
    """Work on the queued jobs, as the workers do. Return their results."""
    waiting = list(Job.objects.filter(kind="tournament.notices", state=JobState.QUEUED))
    for job in waiting:
        jobs.work_on(str(job.pk))
        jobs.work_on(str(job.pk))
        job.refresh_from_db()
        assert job.state == JobState.DONE, job.failure
    return [job.result for job in waiting]


def first_round(event: Event) -> Round:
    return draw_and_publish(event.stages.get(order=1).rounds.get(number=1), SYSTEM)


@pytest.mark.guide("players#get-notices")
def test_the_draw_is_told_once_to_each_device_in_its_language(service: Service) -> None:
    event = make_event(8)
    french, dutch = service.device("french"), service.device("dutch")
    assert subscribe(event, 1, french) == 204
    assert subscribe(event, 1, french) == 204
    assert subscribe(event, 2, dutch, "nl") == 204
    round_ = first_round(event)
    assert run_jobs() == [{"sent": 2}]
    told = {path: (headers, body) for path, headers, body in service.got}
    assert sorted(path for path, *_more in service.got) == ["dutch", "french"]
    seat = round_.seats.select_related("table").get(entrant__number=1)
    message = french.read(told["french"][1])
    assert message["title"].startswith("Le tirage est publié")
    assert message["lang"] == "fr"
    assert f"Table {seat.table.number}" in message["body"]
    assert message["path"] == own_page(event, 1)
    assert dutch.read(told["dutch"][1])["title"].startswith("De loting is bekend")
    # Signed with the key that the page gave to the browser, for this service alone.
    headers = told["french"][0]
    assert Vapid02.verify(headers["Authorization"])
    page = Client().get(own_page(event, 1)).content.decode()
    assert headers["Authorization"].rpartition("k=")[2] in page
    # A later run of the timer sends no second notice.
    assert notices.send_again() == 0


def test_nobody_listens_and_nothing_is_done() -> None:
    first_round(make_event(8))
    assert not Job.objects.filter(kind="tournament.notices").exists()


@pytest.mark.guide("players#get-notices")
def test_a_result_taken_back_and_a_ruling_are_told_to_the_table(service: Service) -> None:
    event = make_event(8, rulebook="parlee", deals=2, cut=4)
    round_ = first_round(event)
    sheet = sign(enter(sheet_at(round_), 40, 20))
    here, elsewhere = (
        round_.seats.filter(table__number=number).select_related("entrant")[0].entrant.number
        for number in (1, 2)
    )
    near, far = service.device("near"), service.device("far")
    subscribe(event, here, near)
    subscribe(event, elsewhere, far)
    signatures.reopen(sheet_id=sheet.pk, actor=SYSTEM, reason="typed wrongly")
    run_jobs()
    assert [path for path, *_more in service.got] == ["near"]
    assert near.read(service.got[0][2])["title"] == "Votre résultat a été modifié"
    incident = incident_at(event, round_)
    stating(
        rulings.issue,
        incident_id=incident.pk,
        actor=REFEREE,
        reason="seen",
        article="000-P1",
        facts=REVOKE,
    )
    run_jobs()
    assert [path for path, *_more in service.got] == ["near", "near"]
    assert near.read(service.got[1][2])["title"] == "Une décision vous concerne"


@pytest.mark.guide("security#security")
@pytest.mark.parametrize("gone", [404, 410])
def test_a_subscription_that_is_gone_is_removed_and_a_failure_tried_again(
    service: Service, gone: int
) -> None:
    event = make_event(8)
    for number, path in ((1, "gone"), (2, "down"), (3, "moved")):
        subscribe(event, number, service.device(path))
    service.answers = {"gone": gone, "down": 503, "moved": 307}
    first_round(event)
    assert run_jobs() == [{"gone": 1, "later": 2}]
    assert not PushSubscription.objects.filter(endpoint__endswith="/gone").exists()
    # A redirect is not followed, and nothing is due before its time.
    assert notices.send_again() == 0
    service.answers = {"moved": 503}
    for attempt in range(2, 6):
        with later(days=attempt):
            assert notices.send_again() == 1
            run_jobs()
        states = {n.subscription.endpoint[-5:]: n.state for n in Notice.objects.all()}
        assert states == {"/down": "sent", "moved": "waiting" if attempt < 5 else "failed"}
    assert notices.send_again() == 0
    assert Notice.objects.get(state="failed").failure == "answered 503"


@pytest.mark.guide("security#security")
def test_only_https_at_a_public_address_is_a_subscription() -> None:
    event = make_event(4)
    refused = (
        "http://8.8.8.8/x",
        "https://127.0.0.1/x",
        "https://10.1.2.3/x",
        "https://169.254.169.254/latest",
        "https://[::1]/x",
        "https://[::ffff:192.168.1.1]/x",
        "https://[::127.0.0.1]/x",
        "https://[64:ff9b::10.0.0.1]/x",
        "https://[2002:a00:1::1]/x",
        "https://localhost/x",
        "https://user@8.8.8.8/x",
        "https://8.8.8.8:22/x",
        "file:///etc/passwd",
        "https://[/x",
        "https://" + "a" * 70 + ".example/x",
        "https://a..example/x",
        "https://8.8.8.8/" + "x" * 1000,
        "",
    )
    for endpoint in refused:
        assert subscribe(event, 1, Device(endpoint)) == 422, endpoint
    assert subscribe(event, 1, Device("https://8.8.8.8/\0")) == 400
    assert not PushSubscription.objects.exists()
    # A numeric address needs no name lookup.
    assert subscribe(event, 1, Device("https://8.8.8.8/x")) == 204


@pytest.mark.guide("security#security")
def test_an_address_that_turned_private_is_not_sent_to(service: Service, settings: Any) -> None:
    event = make_event(8)
    subscribe(event, 1, service.device("inside"))
    settings.PUSH_PRIVATE = False
    first_round(event)
    assert run_jobs() == [{"gone": 1}]
    assert service.got == []


def test_wrong_keys_are_refused_and_a_wrong_link_finds_nobody(service: Service) -> None:
    event = make_event(4)
    page = own_page(event, 1) + "push/"
    good = service.device("x").form
    for wrong in ({"p256dh": "AAAA"}, {"auth": "AAAA"}, {"p256dh": "é"}, {"auth": ""}):
        assert Client().post(page, {**good, **wrong}).json()["code"] == "wrong_subscription"
    assert Client().post("/p/" + "a" * 24 + "/push/", good).status_code == 404
    # Characters that base64 decoding skips are not stored.
    padded = {**good, "p256dh": "!" * 240 + good["p256dh"], "auth": "!" * 240 + good["auth"]}
    assert Client().post(page, padded).status_code == 204
    assert len(PushSubscription.objects.get().public_key) == 87
    strict = Client(enforce_csrf_checks=True)
    assert strict.post(page, good).status_code == 403


@pytest.mark.guide("players#get-notices", "security#personal-data")
def test_devices_go_with_the_player_the_link_and_the_button(service: Service) -> None:
    event = make_event(8)
    device = service.device("x")
    who = Entrant.objects.get(event=event, number=1)
    subscribe(event, 1, device)
    Client().post(own_page(event, 1) + "push/", {"endpoint": device.endpoint, "verb": "off"})
    assert not PushSubscription.objects.exists()
    subscribe(event, 1, device)
    renew_link(entrant_id=who.pk, actor=SYSTEM)
    assert not PushSubscription.objects.exists()
    subscribe(event, 1, device)
    first_round(event)
    (entry,) = export_person(who.person)["entries"]
    assert entry["devices_told"] == 1
    run_jobs()
    privacy.forget_person(person_id=who.person_id, actor=SYSTEM)
    assert not PushSubscription.objects.exists()
    assert not Notice.objects.exists()


@pytest.mark.parametrize("drawn", [False, True])
def test_a_number_that_was_merged_is_told_nothing_and_the_other_goes_on(
    service: Service, drawn: bool
) -> None:
    """A player entered twice: the badge and the devices of the merged number stop working."""
    event = make_event(8, rulebook="parlee", deals=2, cut=4)
    double = 2
    if drawn:
        round_ = first_round(event)
        keep = enter_player(event_id=event.pk, name="Twice Entered", actor=SYSTEM).number
    else:
        keep = 1
    kept, gone = service.device("kept"), service.device("gone")
    page = own_page(event, double)
    assert [subscribe(event, keep, kept), subscribe(event, double, gone)] == [204, 204]
    merge_entrants(event_id=event.pk, keep=keep, double=double, actor=SYSTEM)
    assert [each.endpoint for each in PushSubscription.objects.all()] == [kept.endpoint]
    assert Client().post(page + "push/", {**gone.form, "verb": "on"}).status_code == 404
    if drawn:
        seat = round_.seats.select_related("table").get(entrant__number=keep)
        sheet = sign(enter(sheet_at(round_, seat.table.number), 40, 20))
        signatures.reopen(sheet_id=sheet.pk, actor=SYSTEM, reason="typed wrongly")
    else:
        first_round(event)
    run_jobs()
    assert [path for path, *_more in service.got] == ["kept"]


@pytest.mark.guide("security#security")
def test_a_player_has_ten_devices_at_most(service: Service) -> None:
    event = make_event(4)
    for number in range(12):
        subscribe(event, 1, service.device(f"d{number}"))
    kept = PushSubscription.objects.values_list("endpoint", flat=True)
    assert [endpoint.rpartition("/")[2] for endpoint in kept] == [f"d{n}" for n in range(2, 12)]


@pytest.mark.guide("security#security")
def test_a_page_that_subscribes_on_and_on_waits_and_others_do_not(service: Service) -> None:
    """Each subscription resolves a host name, and an attacker's name server may be slow."""
    event = make_event(4)
    answers = [subscribe(event, 1, service.device("d")) for _time in range(32)]
    assert answers == [204] * 30 + [429] * 2
    assert subscribe(event, 2, service.device("e")) == 204
    # Unsubscribing works also beyond the limit.
    form = {**service.device("d").form, "verb": "off"}
    assert Client().post(own_page(event, 1) + "push/", form).status_code == 204
    assert not PushSubscription.objects.filter(entrant__number=1).exists()


def test_the_offer_stands_on_the_own_page_alone() -> None:
    event = make_event(4)
    assert "data-push=" in Client().get(own_page(event, 1)).content.decode()
    assert "data-push" not in Client().get(f"/e/{event.slug}/players/1/").content.decode()


@pytest.mark.guide("security#personal-data")
def test_notices_go_with_the_event_s_retention_time_and_are_in_no_copy(
    service: Service, settings: Any
) -> None:
    """The consent, the device's address and the sent notices are in neither copies nor archives."""
    settings.EMAIL_URL, settings.EMAIL_FROM = "smtp://localhost", "manille@example.org"
    settings.PUBLIC_URL = "https://manille.example.org"
    event = make_event(8)
    device = service.device("x")
    subscribe(event, 1, device)
    page = own_page(event, 1) + "mail/"
    assert Client().post(page, {"want": "1", "email": "een@example.org"}).status_code == 302
    first_round(event)
    run_jobs()
    assert (PushSubscription.objects.count(), MailConsent.objects.count()) == (1, 1)
    copied = event_copy.copy_event(
        event_id=event.pk, actor=SYSTEM, name="Again", day=event.day, players=True
    )
    assert copied.entrants.count() == 8
    kept = str(archive.read(archive.pack(event.pk)))
    assert device.endpoint not in kept
    assert not {"pushsubscription", "mailconsent", "notice"} & {
        word.lower() for word in re.findall(r"\w+", kept)
    }
    assert (PushSubscription.objects.count(), MailConsent.objects.count()) == (1, 1)
    with change():
        event.state = EventState.FINISHED
        event.save(update_fields=["state"])
        audit.append(event, "event.finished", SYSTEM)
    privacy.forget_event(event, SYSTEM)
    assert (PushSubscription.objects.count(), MailConsent.objects.count()) == (0, 0)
    assert not Notice.objects.exists()


@contextmanager
def trickling() -> Iterator[tuple[int, list[float]]]:
    """Run a push service that sends a byte now and then for ever. Yield its port and the connection times."""
    came: list[float] = []
    ended = threading.Event()

    def trickle(link: socket.socket) -> None:
        # In plain text the head of an answer, in TLS a record that arrives slowly.
        text = itertools.chain(b"HTTP/1.1 201 Created\r\n", itertools.repeat(ord("x")))
        with link, suppress(OSError):
            for sign in text:
                if ended.wait(0.05):
                    return
                link.sendall(bytes([sign]))

    def serve() -> None:
        with suppress(OSError):
            while True:
                link, _address = door.accept()
                came.append(time.monotonic())
                threading.Thread(target=trickle, args=(link,), daemon=True).start()

    with socket.create_server(("127.0.0.1", 0)) as door:
        threading.Thread(target=serve, daemon=True).start()
        yield door.getsockname()[1], came
        ended.set()
        door.shutdown(socket.SHUT_RDWR)


def test_a_service_that_trickles_its_answer_has_a_deadline_in_all(
    settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.PUSH_PRIVATE = True
    monkeypatch.setattr(push, "SECONDS", 0.6)
    with trickling() as (port, _came):
        form = Device(f"http://127.0.0.1:{port}/slow").form
        device = push.Device(form["endpoint"], form["p256dh"], form["auth"])
        begun = time.monotonic()
        with pytest.raises(push.NotReached, match=push.SLOW):
            push.send(device, {"title": "x"}, topic="t")
        assert time.monotonic() - begun < 20


def test_a_name_that_is_looked_up_without_end_has_the_same_deadline(
    settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.PUSH_PRIVATE = True
    monkeypatch.setattr(push, "SECONDS", 0.3)
    released = threading.Event()
    monkeypatch.setattr(push, "_address", lambda _parts: released.wait(60))
    form = Device("http://127.0.0.1:1/slow").form
    device = push.Device(form["endpoint"], form["p256dh"], form["auth"])
    with pytest.raises(push.NotReached, match=push.SLOW):
        push.send(device, {"title": "x"}, topic="t")
    assert not released.is_set()
    released.set()


@pytest.mark.guide("operator#notices-and-e-mail")
def test_ten_devices_of_a_slow_service_hold_the_worker_for_one_deadline(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(push, "SECONDS", 1.0)
    event = make_event(8)
    with trickling() as (port, came):
        for number in range(10):
            subscribe(event, 1, Device(f"http://127.0.0.1:{port}/{number}"))
        subscribe(event, 2, service.device("good"))
        first_round(event)
        (ended,) = run_jobs()
    assert ended == {"later": 10, "sent": 1}
    assert [path for path, _headers, _body in service.got] == ["good"]
    # Deliveries that had not started when the first one ended are not attempted.
    assert len(came) <= 8
    failures = set(Notice.objects.exclude(failure="").values_list("failure", flat=True))
    assert failures == {push.SLOW}


def test_a_mail_server_that_trickles_its_answer_has_a_deadline_in_all() -> None:
    def serve() -> None:
        link, _address = door.accept()
        with link, suppress(OSError), link.makefile("rb") as lines:
            link.sendall(b"220 hall\r\n")
            lines.readline()
            link.sendall(b"250 hall\r\n")
            lines.readline()
            while not ended.wait(0.05):
                link.sendall(b"2")

    ended = threading.Event()
    with socket.create_server(("127.0.0.1", 0)) as door:
        threading.Thread(target=serve, daemon=True).start()
        server = mail.Server("127.0.0.1", door.getsockname()[1], timeout=30)
        letter = EmailMessage("Hello", "x", "a@hall.example", ["b@hall.example"], connection=server)
        begun = time.monotonic()
        with Deadline(0.5) as deadline:
            server.end_with(deadline)
            with pytest.raises((smtplib.SMTPException, OSError)):
                letter.send()
        assert time.monotonic() - begun < 20
        ended.set()
        server.close()
