"""Guessing is slowed down, and a hall behind one address is not blocked (the clock is the tests' own)."""

from __future__ import annotations

import re
import threading
import time
import uuid
from collections import deque
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any, ClassVar

import pytest
from django.core.cache import cache
from django.test import Client

from accounts.limits import (
    LOGIN_BY_ADDRESS,
    LOGIN_BY_NAME,
    LOGIN_OF_NOBODY,
    TOKENS_BY_ADDRESS,
    Limit,
    address,
)
from accounts.models import Role
from accounts.passwords import Argon2, wait_like_a_check
from scoring.engine.notation_forms import loads
from tests.security.hall import an_event_in_play
from tests.tables.build import a_sheet, a_table
from tests.tournament.build import SYSTEM, make_event, make_user
from tournament.models.tables import RefereeCall, Signature, Table
from tournament.services import tables
from tournament.services.events import update_event
from tournament.tables.links import entrant_token, table_token

pytestmark = pytest.mark.django_db
HALL = {"REMOTE_ADDR": "203.0.113.7"}
PASSWORD = "not-a-secret-1"


class Slow:
    """A password check during which the next guess arrives, and so on."""

    guesses = 60
    evaluated: ClassVar[list[str]] = []

    def authenticate(self, request: Any, **given: Any) -> None:
        """Let another guess in before answering this one."""
        self.evaluated.append(given["username"])
        if len(self.evaluated) < self.guesses:
            sign_in(given["username"])


class Clock:
    """The cache's clock."""

    def __init__(self) -> None:
        self.now = 1_800_000_000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Iterator[Clock]:
    """Stop the clock unless a test advances it."""
    standing = Clock()
    monkeypatch.setattr("django.core.cache.backends.locmem.time.time", standing)
    monkeypatch.setattr("django.core.cache.backends.base.time.time", standing)
    cache.clear()
    yield standing
    cache.clear()


def sign_in(name: str, password: str = "wrong", client: Client | None = None) -> Any:
    return (client or Client(**HALL)).post("/login/", {"username": name, "password": password})


def test_a_window_begins_with_the_first_and_ends_by_the_clock(clock: Clock) -> None:
    limit = Limit("test", 2, 600)
    assert limit.take("a")
    clock.now += 400
    assert limit.take("a")
    assert not limit.take("a")
    assert limit.reached("a")
    assert not limit.reached("b")
    clock.now += 199
    assert limit.reached("a")
    clock.now += 2
    assert not limit.reached("a")


@pytest.mark.guide("operator#accounts", "security#security")
def test_eight_wrong_passwords_close_a_name_for_ten_minutes(clock: Clock) -> None:
    make_user("anna")
    for _wrong in range(8):
        assert sign_in("anna").status_code == 200
    closed = "Too many wrong passwords: try again in"
    assert f"{closed} 10\N{NO-BREAK SPACE}minutes" in sign_in("anna", PASSWORD).content.decode()
    clock.now += 400
    # The page shows the remaining time, and further attempts do not prolong it.
    assert f"{closed} 4\N{NO-BREAK SPACE}minutes" in sign_in("ANNA", PASSWORD).content.decode()
    clock.now += 201
    assert sign_in("anna", PASSWORD).status_code == 302


@pytest.mark.guide("security#security")
@pytest.mark.usefixtures("clock")
def test_guesses_that_arrive_together_are_no_more_than_guesses_in_turn(settings: Any) -> None:
    settings.AUTHENTICATION_BACKENDS = [f"{__name__}.Slow"]
    Slow.evaluated.clear()
    make_user("anna")
    sign_in("anna")
    assert len(Slow.evaluated) == 8


@pytest.mark.usefixtures("clock")
def test_right_passwords_do_not_count_against_the_hall() -> None:
    for n in range(7):
        make_user(f"staff-{n}")
    for n in range(70):
        assert sign_in(f"staff-{n % 7}", PASSWORD).status_code == 302


@pytest.mark.guide("operator#accounts", "security#security")
def test_a_prankster_in_the_hall_does_not_lock_the_director_out_of_his_own_browser(
    clock: Clock,
) -> None:
    make_user("anna")
    own = Client(**HALL)
    assert sign_in("anna", PASSWORD, own).status_code == 302
    own.post("/logout/")
    for wrong in range(80):
        sign_in("anna" if wrong < 20 else f"guess-{wrong}")
    assert LOGIN_BY_ADDRESS.reached("203.0.113.7")
    assert "try again in 10\N{NO-BREAK SPACE}minutes" in sign_in("anna", PASSWORD).content.decode()
    assert sign_in("anna", PASSWORD, own).status_code == 302
    own.post("/logout/")
    for _wrong in range(8):
        sign_in("anna", client=own)
    assert (
        "try again in 10\N{NO-BREAK SPACE}minutes"
        in sign_in("anna", PASSWORD, own).content.decode()
    )


@pytest.mark.guide("operator#accounts", "security#security")
def test_who_is_new_in_a_hall_signs_in_while_somebody_guesses_names_without_pause(
    clock: Clock,
) -> None:
    for name in ("anna", "ben", "carla"):
        make_user(name)
    for wrong in range(2 * LOGIN_BY_ADDRESS.most):
        assert "Too many" not in sign_in(f"guess-{wrong}").content.decode()
    assert LOGIN_BY_ADDRESS.reached("203.0.113.7")
    # A wrong guess uses the turn of this name at this address only.
    assert "Too many" not in sign_in("anna").content.decode()
    assert "try again in 5 seconds" in sign_in("anna", PASSWORD).content.decode()
    assert sign_in("ben", PASSWORD).status_code == 302
    clock.now += 4
    assert "try again in 5 seconds" in sign_in("anna", PASSWORD).content.decode()
    # Attempts during the wait do not count against the eight passwords.
    for again in range(LOGIN_BY_NAME.most + 1):
        sign_in("anna", PASSWORD)
        sign_in(f"more-{again}")
    clock.now += 2
    for name in ("anna", "ben", "carla"):
        assert sign_in(name, PASSWORD).status_code == 302


@pytest.mark.guide("security#security")
def test_a_name_that_nobody_has_is_answered_like_one_that_somebody_has(
    clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Word for word, whatever was requested before, and without a hash after many attempts."""
    make_user("anna")
    waits: list[str] = []

    def wait(_environ: object) -> bool:
        waits.append("waited")
        return True

    monkeypatch.setattr("accounts.views.sign_in.wait_like_a_check", wait)
    hashed: list[str] = []

    def hash_password(password: str, *_more: Any) -> str:
        hashed.append(password)
        return f"argon2$hash-of-{password}"

    monkeypatch.setattr("django.contrib.auth.base_user.make_password", hash_password)

    def said(name: str) -> list[str]:
        """Return the answers to twelve attempts at a name, in pairs without a pause."""
        texts = []
        for _pair in range(6):
            for _try in range(2):
                page = sign_in(name).content.decode()
                texts.append(re.sub(r'value="[^"]*"', "", page))
            clock.now += 6
        return texts

    calm = said("anna"), said("zita")
    assert len(hashed) == LOGIN_OF_NOBODY.most
    assert calm[0] == calm[1]
    clock.now += 601
    for wrong in range(80):
        sign_in(f"guess-{wrong}")
    made = len(hashed)
    assert made == 2 * LOGIN_OF_NOBODY.most
    full = said("anna"), said("zita")
    assert full[0] == full[1] != calm[0]
    assert len(hashed) == made
    assert waits


@pytest.mark.guide("security#security")
def test_hashes_are_made_one_at_a_time_and_waiting_is_as_long(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Sixteen parallel hashes would take 1.6 GB."""
    at_work: list[int] = []
    most: list[int] = []

    def verify(_self: Argon2, _password: str, _encoded: str) -> bool:
        at_work.append(1)
        most.append(len(at_work))
        threading.Event().wait(0.01)
        at_work.pop()
        return False

    monkeypatch.setattr("accounts.passwords._seconds", deque(maxlen=16))
    assert not wait_like_a_check({})
    monkeypatch.setattr("django.contrib.auth.hashers.Argon2PasswordHasher.verify", verify)
    with ThreadPoolExecutor(8) as threads:
        list(threads.map(lambda _n: Argon2().verify("x", "y"), range(16)))
    assert set(most) == {1}
    begun = time.monotonic()
    assert wait_like_a_check({})
    assert time.monotonic() - begun >= 0.01


@pytest.mark.guide("security#security")
@pytest.mark.usefixtures("clock")
def test_who_changes_the_last_half_of_an_address_is_one_caller() -> None:
    make_user("anna")
    for wrong in range(60):
        sign_in(f"guess-{wrong}", client=Client(REMOTE_ADDR=f"2001:db8:1:2:{wrong:x}::9"))
    sign_in("anna", client=Client(REMOTE_ADDR="2001:db8:1:2:61::9"))
    same, other = (Client(REMOTE_ADDR=f"2001:db8:1:{net}::1") for net in (2, 3))
    assert "try again in" in sign_in("anna", PASSWORD, same).content.decode()
    assert sign_in("anna", PASSWORD, other).status_code == 302


@pytest.mark.guide("security#security")
def test_the_cookie_of_a_known_browser_is_of_one_name_and_cannot_be_made(clock: Clock) -> None:
    make_user("anna")
    make_user("ben")
    own = Client(**HALL)
    sign_in("ben", PASSWORD, own)
    own.post("/logout/")
    forged = Client(**HALL)
    forged.cookies["known"] = f"{uuid.uuid4().hex}:forged"
    for _wrong in range(8):
        sign_in("anna")
    for client in (own, forged):
        assert (
            "try again in 10\N{NO-BREAK SPACE}minutes"
            in sign_in("anna", PASSWORD, client).content.decode()
        )


@pytest.mark.guide("operator#accounts", "security#security")
@pytest.mark.long
def test_six_hundred_phones_behind_one_address_with_a_guesser_among_them(clock: Clock) -> None:
    sheets = [a_sheet(table=a_table(label=f"1/{n}")) for n in range(3)]
    links = [f"/t/{table_token(sheet.table)}/" for sheet in sheets]
    guesser = Client(**HALL)
    said = {guesser.get(f"/t/{n:024d}/").status_code for n in range(TOKENS_BY_ADDRESS.most)}
    assert said == {404}
    assert guesser.get("/t/" + "x" * 24 + "/").status_code == 429
    polled = [Client(**HALL).get(f"{links[n % 3]}state/").status_code for n in range(600)]
    assert set(polled) == {200}
    assert guesser.get("/t/" + "y" * 24 + "/").status_code == 429
    clock.now += 601
    assert guesser.get("/t/" + "y" * 24 + "/").status_code == 404


@pytest.mark.long
def test_phones_sign_while_somebody_guesses(clock: Clock) -> None:
    hall = an_event_in_play("Own")
    guesser = Client(**HALL)
    for n in range(TOKENS_BY_ADDRESS.most):
        guesser.get(f"/sign/{n:024d}/")
    assert guesser.get("/sign/" + "x" * 24 + "/").status_code == 429
    assert guesser.get("/p/" + "x" * 24 + "/").status_code == 429
    for entrant in hall.event.entrants.all():
        phone = Client(**HALL)
        assert phone.get(f"/sign/{entrant_token(entrant)}/").status_code == 200
        assert phone.get(f"/p/{entrant_token(entrant)}/").status_code == 200
    api = Client(**HALL, headers={"Authorization": f"Table {hall.table_token}"})
    assert api.get("/api/v1/table/sheets/").status_code == 200
    wrong = Client(**HALL, headers={"Authorization": "Table nothing"})
    assert wrong.get("/api/v1/table/sheets/").status_code == 429
    assert not Signature.objects.filter(sheet=hall.sheet).exists()


@pytest.mark.guide("security#security")
def test_referee_calls_are_limited_by_table_not_by_address(clock: Clock) -> None:
    sheets = [a_sheet(table=a_table(label=f"1/{n}")) for n in range(2)]

    def call(sheet: Any) -> int:
        sent = {"verb": "referee", "reason": "play", "sheet": sheet.order}
        for waiting in RefereeCall.objects.filter(closed_at=None):
            tables.close_call(call_id=waiting.pk, actor=SYSTEM)
        where = f"/t/{table_token(sheet.table)}/"
        return Client(**HALL).post(where, sent).status_code

    assert {call(sheets[0]) for _each in range(12)} <= {200, 302}
    assert call(sheets[0]) == 429
    assert call(sheets[1]) in (200, 302)
    clock.now += 601
    assert call(sheets[0]) in (200, 302)
    assert Table.objects.count() == 2


@pytest.mark.guide("security#security")
def test_one_address_registers_sixty_people_in_ten_minutes_and_the_next_may(clock: Clock) -> None:
    event = update_event(event_id=make_event(4).pk, actor=SYSTEM, changes={"registration": True})

    def register(number: int, address: str) -> int:
        name = f"Robot {number // 26}{chr(97 + number % 26)}"
        form = {"name": name, "anyway": "1"}
        page = f"/register/{event.slug}/"
        return Client(REMOTE_ADDR=address).post(page, form).status_code

    assert {register(number, "192.0.2.1") for number in range(60)} == {302}
    assert register(60, "192.0.2.1") == 429
    assert register(61, "192.0.2.2") == 302
    assert event.registrations.count() == 61
    clock.now += 601
    assert register(62, "192.0.2.1") == 302


@pytest.mark.parametrize(
    ("trusted", "forwarded", "expected"),
    [
        (False, "198.51.100.9", "203.0.113.7"),
        (True, "198.51.100.9", "198.51.100.9"),
        (True, "6.6.6.6, 198.51.100.9", "198.51.100.9"),
        (True, "", "203.0.113.7"),
        (True, " 2001:DB8::1:2:3:4 ", "2001:db8::/64"),
        (True, "2001:db8:0:0:ffff:1:2:3", "2001:db8::/64"),
        (True, "2001:db8:0:1::1", "2001:db8:0:1::/64"),
        (True, "::ffff:198.51.100.9", "198.51.100.9"),
        (True, "unix:", "unix:"),
    ],
)
def test_the_address_is_the_proxys_word_only_where_it_is_trusted(
    rf: Any, settings: Any, trusted: bool, forwarded: str, expected: str
) -> None:
    settings.TRUST_PROXY = trusted
    assert address(rf.get("/", headers={"X-Forwarded-For": forwarded}, **HALL)) == expected


@pytest.mark.guide("security#security")
def test_a_wrong_api_token_counts_and_a_right_one_goes_on(clock: Clock) -> None:
    event = make_event(4)
    from accounts import api_tokens
    from ledger.actors import Actor
    from ledger.models import ORGANISATION

    user = make_user("anna", event, Role.DIRECTOR)
    _token, text = api_tokens.issue(
        user_id=user.pk,
        name="x",
        scope=ORGANISATION,
        may_write=False,
        days=1,
        actor=Actor.system("test"),
    )
    where = f"/api/v1/events/{event.slug}/stages/"
    wrong = Client(**HALL, headers={"Authorization": "Bearer mnl_wrong"})
    for _each in range(TOKENS_BY_ADDRESS.most):
        assert wrong.get(where).status_code == 401
    assert wrong.get(where).status_code == 429
    right = Client(**HALL, headers={"Authorization": f"Bearer {text}"})
    assert right.get(where).status_code == 200


@pytest.mark.guide("security#security")
@pytest.mark.parametrize("depth", [70, 900, 5_000, 90_000])
@pytest.mark.parametrize("opening", ["[", '{"a":'])
def test_json_nested_without_end_is_refused(depth: int, opening: str) -> None:
    closing = "]" if opening == "[" else "}"
    inner = opening * depth + "1" + closing * depth
    body = f'{{"rulebook": "parlee", "hand": {inner}}}'
    answer = Client().post("/api/v1/rules/legal/", body, content_type="application/json")
    assert answer.status_code == 400
    assert "nested too deeply" in answer.json()["detail"]


@pytest.mark.guide("security#security")
def test_json_of_values_without_end_is_refused_before_it_is_read() -> None:
    """Two million bytes of empty lists would take 70 MB of memory, and a process serves sixteen requests."""
    for body in (
        b'{"rulebook": "parlee", "hand": [' + b"[]," * 700_000 + b"0]}",
        b"[" + b'{"a":1},' * 60_000 + b"0]",
    ):
        answer = Client().post("/api/v1/rules/legal/", body, content_type="application/json")
        assert answer.status_code == 400
        assert "too many values" in answer.json()["detail"]
    inside = {"text": "1. facts=[" + "[]," * 20_000 + "0]"}
    assert Client().post("/api/v1/rules/notation/", inside, "application/json").status_code == 400
    with pytest.raises(ValueError, match="too many values"):
        loads("[" + "[]," * 20_000 + "0]")


def test_json_as_deep_as_a_record_needs_is_read() -> None:
    body = '{"record": ' + "[" * 40 + "]" * 40 + "}"
    answer = Client().post("/api/v1/rules/notation/", body, content_type="application/json")
    assert answer.json()["code"] == "malformed_value"
