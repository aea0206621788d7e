"""Attacks on accounts from outside, on each database: parallel guesses, stolen sessions, stolen tokens."""

from __future__ import annotations

import base64
import html
import re
import statistics
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial

import pytest
from django_otp.oath import TOTP

from tests.programs import wait_for

from .installation import SETUP, Browser, Installation, all_at_once

pytestmark = pytest.mark.long
PASSWORD = "not-a-secret-1"
TOO_MANY = "Too many"
GUESSES = 60
_pause = threading.Event()


@dataclass
class House:
    """An installation with its administrator, and a new hall with two directors for each test."""

    at: Installation
    administrator: Browser

    def directors(self) -> tuple[str, str, str]:
        """Create an event. Return its slug and the names of its two directors."""
        hall = self.at.inside("hall", players=8, published=False)
        victim, other = hall["directors"]
        return hall["slug"], victim, other

    def act(self, verb: str, name: str) -> str:
        """Do a verb on an account on the administrator's page. Return the page."""
        _status, page = self.administrator.get("/system/accounts/")
        row = next(each for each in page.split("</li>") if f"<strong>{name}</strong>" in each)
        (user,) = re.findall(r'name="user" value="(\d+)"', row)
        status, text = self.administrator.post("/system/accounts/", verb=verb, user=user)
        assert status in (200, 302), text
        return text

    def said_of(self, name: str) -> str:
        """Return the entry of an account on the administrator's page."""
        _status, page = self.administrator.get("/system/accounts/")
        return next(each for each in page.split("</li>") if f"<strong>{name}</strong>" in each)


@pytest.fixture(scope="module")
def house(attacked: Installation) -> House:
    administrator = Browser(attacked)
    administrator.get("/setup/")
    password = {"password1": PASSWORD, "password2": PASSWORD}
    assert administrator.post("/setup/", code=SETUP, username="root", **password)[0] == 302
    return House(attacked, administrator)


def signed_in(house: House, name: str, password: str = PASSWORD) -> Browser:
    browser = Browser(house.at)
    assert browser.sign_in(name, password)[0] == 302
    return browser


class Authenticator:
    """The authenticator on a phone, and its backup codes."""

    def __init__(self, browser: Browser) -> None:
        _status, page = browser.get("/account/second-step/")
        (secret,) = re.findall(r"<code>([A-Z2-7 ]+)</code>", page)
        plain = secret.replace(" ", "")
        self.key = base64.b32decode(plain + "=" * (-len(plain) % 8))
        status, page = browser.post("/account/second-step/", code=self.code())
        assert status == 200
        self.backup = [
            html.unescape(each) for each in re.findall(r"<li>\s*<code>([^<]+)</code>", page)
        ]

    def code(self, ahead: int = 0) -> str:
        """Return the code shown ``ahead`` half minutes from now."""
        totp = TOTP(self.key)
        totp.time = time.time() + 30 * ahead
        return f"{totp.token():06d}"

    def others(self) -> list[str]:
        """Return codes that the authenticator shows at no moment of this test."""
        shown = {self.code(ahead) for ahead in range(-3, 20)}
        return [code for code in map("{:06d}".format, range(1000)) if code not in shown][:GUESSES]


@pytest.mark.guide("security#security")
def test_sixty_guesses_at_once_are_eight_and_lock_nobody_else_out(house: House) -> None:
    slug, victim, other = house.directors()
    guesser = Browser(house.at)
    guesser.get("/login/")

    def guess(password: str) -> bool:
        status, text = guesser.post("/login/", username=victim, password=password)
        assert status == 200, text
        return TOO_MANY in text

    refused = all_at_once([partial(guess, f"a wrong password {n}") for n in range(GUESSES)])
    assert refused.count(False) == 8
    assert signed_in(house, other).get(f"/desk/{slug}/")[0] == 200
    # The right password of the attacked account does not help the guesser.
    assert guess(PASSWORD)


@pytest.mark.guide("security#security")
def test_a_hall_behind_one_address_goes_on_while_somebody_in_it_guesses(house: House) -> None:
    """Invented names from the hall's own address, without pause: known and new browsers still sign in."""
    address = "203.0.113.9"
    hall = house.at.inside("hall", players=8, deals=2)
    other_hall = house.at.inside("hall", players=8, published=False)
    own, guesser, new = (Browser(house.at, address) for _each in range(3))
    assert own.sign_in(hall["directors"][0])[0] == 302
    own.post("/logout/")
    guesser.get("/login/")

    def guess(name: str) -> bool:
        _status, text = guesser.post("/login/", username=name, password="a guess")
        return TOO_MANY in text

    # The address has used its sixty; of sixty guesses at one name, one every five seconds is checked.
    assert not any(all_at_once([partial(guess, f"name-{number}") for number in range(90)]))
    begun = time.monotonic()
    refused = all_at_once([partial(guess, other_hall["directors"][0]) for _each in range(GUESSES)])
    assert refused.count(False) <= min(8, 2 + (time.monotonic() - begun) / 5)
    over = threading.Event()
    asked: list[str] = []

    def without_pause(robot: int) -> None:
        while not over.is_set():
            asked.append(f"robot-{robot}-{len(asked)}")
            guess(asked[-1])

    with ThreadPoolExecutor(12) as robots:
        busy = [robots.submit(without_pause, robot) for robot in range(12)]
        try:
            wait_for("the robots", lambda: len(asked) > 60)
            assert own.sign_in(hall["directors"][0])[0] == 302
            assert own.get(f"/desk/{hall['slug']}/")[0] == 200
            for page in (f"/e/{hall['slug']}/", f"/t/{hall['tables'][0]['token']}/"):
                assert new.get(page)[0] == 200
            # A browser without an earlier sign-in succeeds at the first try.
            assert new.sign_in(hall["directors"][1])[0] == 302
            assert new.get(f"/desk/{hall['slug']}/")[0] == 200
        finally:
            over.set()
        for each in busy:
            each.result()


def test_no_answer_says_whether_a_name_has_an_account(house: House) -> None:
    """Neither in its words nor in its time, before and after an address has used its guesses."""
    _slug, victim, _other = house.directors()
    browser = Browser(house.at, "203.0.113.10")
    browser.get("/login/")

    def ask(name: str) -> tuple[str, float]:
        begun = time.monotonic()
        _status, text = browser.post("/login/", username=name, password="a guess")
        taken = time.monotonic() - begun
        return re.sub(r'value="[^"]*"', "", text), taken

    for number in range(70):
        ask(f"nobody-{number}")
    said: list[tuple[str, str]] = []
    seconds: dict[str, list[float]] = {victim: [], "zita": []}
    for _each in range(5):
        texts = []
        for name, taken in seconds.items():
            text, time_taken = ask(name)
            texts.append(text)
            taken.append(time_taken)
            texts.append(ask(name)[0])
        said.append((texts[0] + texts[1], texts[2] + texts[3]))
        _pause.wait(5.2)
    assert [first for first, _second in said] == [second for _first, second in said]
    one, two = (statistics.median(taken) for taken in seconds.values())
    assert 1 / 3 < one / two < 3


@pytest.mark.guide("security#security")
def test_sixty_codes_at_once_are_eight_and_lock_nobody_else_out(house: House) -> None:
    """Sixty parallel codes against the second step: eight are checked, and no other account is locked out."""
    slug, victim, other = house.directors()
    phone, colleague = (Authenticator(signed_in(house, name)) for name in (victim, other))
    thief = signed_in(house, victim)
    assert 'name="code"' in thief.get("/login/code/")[1]

    def guess(code: str) -> bool:
        status, text = thief.post("/login/code/", code=code)
        assert status == 422, text
        return TOO_MANY in text

    refused = all_at_once([partial(guess, code) for code in phone.others()])
    assert refused.count(False) == 8
    # Neither the current code nor a backup code is checked after that.
    assert guess(phone.code(ahead=1))
    assert guess(phone.backup[0])
    assert thief.get(f"/desk/{slug}/")[0] == 302
    beside = signed_in(house, other)
    assert beside.post("/login/code/", code=colleague.backup[0])[0] == 302
    assert beside.get(f"/desk/{slug}/")[0] == 200


def test_the_console_makes_and_restores_an_administrator(house: House) -> None:
    house.at.environment["DJANGO_SUPERUSER_PASSWORD"] = PASSWORD
    words = ("createsuperuser", "--noinput", "--username", "keeper", "--email", "")
    assert house.at.manage(*words).returncode == 0
    lost = signed_in(house, "keeper")
    assert lost.get("/system/accounts/")[0] == 200
    Authenticator(lost)
    restored = house.at.manage("person", "--administrator", "keeper")
    assert restored.returncode == 0
    new = signed_in(house, "keeper", restored.stdout.rsplit(" ", 1)[-1].strip())
    # Without the lost second step, and first to a password of their own.
    assert new.get("/system/accounts/")[0] == 302
    assert "new_password1" in new.get("/account/password/")[1]
    assert lost.get("/system/accounts/")[0] == 302


TOKEN = {"name": "export", "days": "10"}


def with_token(browser: Browser, **more: str) -> tuple[int, str]:
    """Request a token. Return the status and its text."""
    _status, page = browser.get("/account/")
    (scope,) = re.findall(r'<option value="([-0-9a-f]{36})"[^>]*>Hall', page) or [""]
    status, page = browser.post("/account/tokens/", scope=scope, **TOKEN, **more)
    return status, "".join(re.findall(r'class="token">([^<]+)<', page))


def uses(house: House, token: str, path: str, body: bytes | None = None) -> int:
    """Send a program's request. Return its status."""
    sent = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
    return house.at.send("POST" if body else "GET", path, body, sent)[0]


@pytest.mark.guide("security#security")
def test_a_stolen_session_makes_no_token(house: House) -> None:
    """A token needs the password, and of sixty parallel guesses eight are checked; it needs the second step too."""
    _slug, victim, other = house.directors()
    stolen = signed_in(house, victim)
    assert with_token(stolen) == (422, "")

    def guess(number: int) -> bool:
        status, text = stolen.post("/account/tokens/", **TOKEN, password=f"a guess {number}")
        assert status == 422
        return TOO_MANY in text

    refused = all_at_once([partial(guess, number) for number in range(GUESSES)])
    assert refused.count(False) == 8
    assert with_token(stolen, password=PASSWORD) == (422, "")
    assert "Revoke all tokens" not in house.said_of(victim)
    older = signed_in(house, other)
    Authenticator(signed_in(house, other))
    assert older.post("/account/tokens/", **TOKEN, password=PASSWORD)[0] == 302
    assert older.get("/account/")[0] == 302
    assert "Revoke all tokens" not in house.said_of(other)


def changes(house: House, name: str) -> None:
    new = {"new_password1": "Zeemeeuw-8400", "new_password2": "Zeemeeuw-8400"}
    browser = signed_in(house, name)
    browser.get("/account/password/")
    assert browser.post("/account/password/", old_password=PASSWORD, **new)[0] == 302


def given_anew(house: House, name: str) -> None:
    house.act("password", name)


def closed(house: House, name: str) -> None:
    house.act("close", name)


def ended(house: House, name: str) -> None:
    house.act("tokens", name)


@pytest.mark.guide("security#security")
@pytest.mark.parametrize("act", [changes, given_anew, closed, ended])
def test_a_token_is_seen_and_ends_with_its_owner_s_password_or_account(
    house: House, act: Callable[[House, str], None]
) -> None:
    slug, owner, other = house.directors()
    status, token = with_token(signed_in(house, owner), password=PASSWORD, may_write="on")
    assert status == 200
    assert "1 token" in house.said_of(owner)
    stages = f"/api/v1/events/{slug}/stages/"
    assert uses(house, token, stages) == 200
    assert uses(house, token, f"/api/v1/events/{slug}/bans/", b'{"one": 1, "two": 2}') == 201
    # The log names the token's owner as the actor.
    _status, log = signed_in(house, other).get(f"/desk/{slug}/log/")
    said = next(each for each in log.split("</li>") if "Two players kept apart" in each)
    assert owner in said
    act(house, owner)
    assert uses(house, token, stages) == 401
    assert "Revoke all tokens" not in house.said_of(owner)
