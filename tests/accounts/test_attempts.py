"""Journal of security: refused attempts, blocked lines, browsers of an account."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client
from django.utils import timezone

from accounts.attempts import KEPT, block_line, counts_by_kind, lines_of_the_day
from accounts.models import Attempt, SignedIn, User
from ledger.errors import Refused
from ledger.models import AuditEntry
from tests.moment import later
from tests.tournament.build import SYSTEM, grant, make_user

pytestmark = pytest.mark.django_db

PASSWORD = "sandcastle-of-ostend-17"
LINE = "198.51.100.7"


@pytest.fixture(autouse=True)
def _fresh() -> Iterator[None]:
    """Begin at half past: attempts are counted by the hour, which shall not end during a test."""
    cache.clear()
    with later(minutes=30 - timezone.now().minute):
        yield


def member(name: str = "saskia") -> User:
    return User.objects.create_user(name, password=PASSWORD)


def sign_in(client: Client, name: str, password: str, line: str = LINE) -> Any:
    return client.post("/login/", {"username": name, "password": password}, REMOTE_ADDR=line)


@pytest.mark.guide("security#security")
def test_wrong_passwords_are_one_row_an_hour_with_the_line_and_the_account() -> None:
    user = member()
    for password in ("wrong-1", "wrong-2", "wrong-3"):
        sign_in(Client(), "saskia", password)
    sign_in(Client(), "nobody-here", "wrong")
    assert sorted(Attempt.objects.values_list("user", "line", "count"), key=str) == sorted(
        [(user.pk, LINE, 3), (None, LINE, 1)], key=str
    )
    (line,) = lines_of_the_day()
    assert (line.line, line.count, line.accounts) == (LINE, 4, ["saskia"])
    assert counts_by_kind()["password"] == 4


def test_an_address_of_the_sixth_version_is_written_as_its_line() -> None:
    sign_in(Client(), "nobody-here", "wrong", line="2001:db8:0:1:aaaa::1")
    sign_in(Client(), "nobody-here", "wrong", line="2001:db8:0:1:bbbb::2")
    assert list(Attempt.objects.values_list("line", "count")) == [("2001:db8:0:1::/64", 2)]


@pytest.mark.guide("security#security")
def test_wrong_links_and_setup_codes_are_noted() -> None:
    Client().post("/setup/", {"code": "guess", "username": "me"}, REMOTE_ADDR=LINE)
    Client().get("/t/not-a-link/", REMOTE_ADDR=LINE)
    assert sorted(Attempt.objects.values_list("kind", flat=True)) == ["link", "setup"]


@pytest.mark.guide("security#security")
def test_the_owner_reads_of_failed_sign_ins_at_the_next_one_and_on_the_account() -> None:
    member()
    sign_in(Client(), "saskia", "wrong")
    sign_in(Client(), "saskia", "wrong")
    client = Client(headers={"accept-language": "en"})
    page = client.post(
        "/login/", {"username": "saskia", "password": PASSWORD}, REMOTE_ADDR=LINE, follow=True
    )
    assert "2 failed sign-ins with your name" in page.content.decode()
    assert [each.count for each in client.get("/account/").context["attempts"]] == [2]


@pytest.mark.guide("security#security")
def test_a_blocked_line_signs_in_nowhere_but_with_a_known_browser() -> None:
    member()
    known, stranger = Client(), Client()
    sign_in(known, "saskia", PASSWORD)
    known.post("/logout/")
    sign_in(stranger, "saskia", "wrong")
    administrator = Client()
    admin = make_user("admin")
    grant(admin, "admin")
    administrator.force_login(admin)
    administrator.post("/system/lines/", {"line": LINE})
    assert sign_in(stranger, "saskia", PASSWORD).status_code == 200
    assert sign_in(Client(), "saskia", PASSWORD, line="198.51.100.8").status_code == 302
    assert sign_in(known, "saskia", PASSWORD).status_code == 302
    administrator.post("/system/lines/", {"line": LINE, "unblock": "1"})
    assert sign_in(stranger, "saskia", PASSWORD).status_code == 302
    verbs = AuditEntry.objects.filter(object_type="blockedline").values_list("verb", flat=True)
    assert list(verbs) == ["line.blocked", "line.unblocked"]


@pytest.mark.guide("security#security")
def test_a_blocked_line_is_refused_wrong_links_at_once_and_a_block_ends_by_itself() -> None:
    client = Client()
    assert client.get("/t/not-a-link/", REMOTE_ADDR=LINE).status_code == 404
    blocked = block_line(line=LINE, actor=SYSTEM)
    cache.clear()
    assert client.get("/t/not-a-link/", REMOTE_ADDR=LINE).status_code == 429
    blocked.until = timezone.now() - timedelta(seconds=1)
    blocked.save()
    cache.clear()
    assert client.get("/t/not-a-link/", REMOTE_ADDR=LINE).status_code == 404


def test_only_lines_of_the_journal_are_blocked() -> None:
    with pytest.raises(Refused) as refused:
        block_line(line="203.0.113.5", actor=SYSTEM)
    assert refused.value.code == "unknown_line"


@pytest.mark.guide("security#personal-data", "security#security")
def test_attempts_are_deleted_after_thirty_days() -> None:
    old = timezone.now() - KEPT - timedelta(hours=1)
    Attempt.objects.create(kind="link", line=LINE, hour=old, last_at=old)
    Client().get("/t/not-a-link/", REMOTE_ADDR=LINE)
    assert Attempt.objects.filter(hour=old).count() == 0


@pytest.mark.guide("security#personal-data", "security#security")
def test_browsers_are_listed_and_ended_by_their_owner_alone() -> None:
    member()
    member("other")
    here, there, others = Client(), Client(), Client()
    for client, name in ((here, "saskia"), (there, "saskia"), (others, "other")):
        sign_in(client, name, PASSWORD)
    rows = here.get("/account/").context["browsers"]
    assert len(rows) == 2
    (mine,) = (row for row in rows if row.session_key == here.session.session_key)
    (far,) = (row for row in rows if row.pk != mine.pk)
    others.post(f"/account/browsers/{far.pk}/end/")
    assert there.get("/account/").status_code == 200
    here.post(f"/account/browsers/{far.pk}/end/")
    assert there.get("/account/").status_code == 302
    # The present browser is never ended this way.
    here.post(f"/account/browsers/{mine.pk}/end/")
    assert [row.pk for row in here.get("/account/").context["browsers"]] == [mine.pk]


@pytest.mark.parametrize(
    ("header", "name"),
    [
        (
            "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 Version/18.1 Safari/604.1",
            "Safari, iPhone",
        ),
        (
            "Mozilla/5.0 (Windows NT 10.0; rv:138.0) Gecko/20100101 Firefox/138.0",
            "Firefox, Windows",
        ),
        ("Mozilla/5.0 (X11; Linux x86_64) Chrome/131.0 Safari/537.36 Edg/131.0", "Edge, Linux"),
        ("curl/8.5.0", "curl/8.5.0"),
    ],
)
def test_a_browser_is_named_as_people_call_it(header: str, name: str) -> None:
    assert SignedIn(browser=header).browser_name == name


def test_a_new_password_leaves_the_present_browser_alone_in_the_list() -> None:
    member()
    here, there = Client(), Client()
    sign_in(here, "saskia", PASSWORD)
    sign_in(there, "saskia", PASSWORD)
    new = "lighthouse-of-ostend-18"
    here.post(
        "/account/password/",
        {"old_password": PASSWORD, "new_password1": new, "new_password2": new},
    )
    assert [row.session_key for row in here.get("/account/").context["browsers"]] == [
        here.session.session_key
    ]
    assert SignedIn.objects.count() == 1
