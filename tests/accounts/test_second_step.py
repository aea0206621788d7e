"""TOTP for staff: set up, asked for at sign-in, backup codes, required by a setting, turned off."""

from __future__ import annotations

import html
import re
import time
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone
from django_otp.oath import TOTP
from django_otp.plugins.otp_static.models import StaticToken
from django_otp.plugins.otp_totp.models import TOTPDevice

from accounts import second_step, staff
from accounts.limits import CODES_BY_USER
from accounts.models import Role, User
from ledger.actors import Actor
from ledger.audit import breaks
from ledger.models import ORGANISATION, AuditEntry
from tests.markup import markup
from tests.moment import later
from tests.tournament.build import grant, make_event, make_user

pytestmark = pytest.mark.django_db
PASSWORD = "not-a-secret-1"


def code_of(user: User, ahead: int = 0) -> str:
    """Return the authenticator's code (RFC 6238), ``ahead`` half minutes from now.

    A code is accepted once, and the code of the next half minute is already accepted.
    """
    device = TOTPDevice.objects.get(user=user)
    totp = TOTP(device.bin_key)
    totp.time = timezone.now().timestamp() + 30 * ahead
    return f"{totp.token():06d}"


def set_up(client: Client, user: User) -> list[str]:
    """Set up the second step through its page. Return the backup codes shown."""
    client.force_login(user)
    page = client.get("/account/second-step/").content.decode()
    assert "<svg" in page
    done = client.post("/account/second-step/", {"code": code_of(user)})
    codes = re.findall(r"<li><code>([^<]+)</code></li>", markup(done))
    assert len(codes) == second_step.BACKUP_CODES
    user.refresh_from_db()
    assert user.second_step
    return [html.unescape(code) for code in codes]


def password_step(client: Client, name: str = "anna", **more: str) -> Any:
    return client.post("/login/", {"username": name, "password": PASSWORD, **more})


@pytest.mark.guide("security#security")
def test_password_alone_opens_nothing_once_it_is_on(client: Client) -> None:
    user = make_user("anna", make_event(4), Role.DIRECTOR)
    set_up(client, user)
    other = Client()
    answer = password_step(other, next="/desk/")
    assert (answer.status_code, answer["Location"]) == (302, "/login/code/")
    assert other.get("/desk/").status_code == 302
    assert "_auth_user_id" not in other.session
    wrong = other.post("/login/code/", {"code": "000000"})
    assert wrong.status_code == 422
    shown = code_of(user, ahead=1)  # by the clock of the check, which nothing moves
    with later(seconds=2):  # a wrong one makes wait
        right = other.post("/login/code/", {"code": shown})
    assert (right.status_code, right["Location"]) == (302, "/desk/")
    assert other.get("/desk/").status_code == 200


@pytest.mark.guide("security#security")
def test_a_code_is_good_once_and_a_backup_code_too(client: Client) -> None:
    user = make_user("anna")
    codes = set_up(client, user)
    for given, expected in ((codes[0], 302), (codes[0], 422), (codes[1].upper(), 302)):
        other = Client()
        password_step(other)
        StaticToken.objects.first().device.throttle_reset()
        assert other.post("/login/code/", {"code": given}).status_code == expected
    shown = code_of(user, ahead=1)
    for expected in (302, 422):
        other = Client()
        password_step(other)
        assert other.post("/login/code/", {"code": shown}).status_code == expected
    assert second_step.codes_left(user) == second_step.BACKUP_CODES - 2


@pytest.mark.guide("security#personal-data")
def test_backup_codes_are_kept_as_a_keyed_hash(client: Client) -> None:
    codes = set_up(client, make_user("anna"))
    kept = list(StaticToken.objects.values_list("token", flat=True))
    assert sorted(kept) == sorted(second_step.backup_hash(code) for code in codes)
    assert not any(code in kept or code.replace("-", "") in kept for code in codes)


def test_who_guesses_codes_waits_and_the_right_one_does_not_help_him(client: Client) -> None:
    user = make_user("anna")
    set_up(client, user)
    other = Client()
    password_step(other)
    for guess in range(8):
        assert other.post("/login/code/", {"code": f"{guess:06d}"}).status_code == 422
    right = code_of(user, ahead=1)
    with later(minutes=5):  # the device would take it again
        refused = other.post("/login/code/", {"code": right})
    assert refused.status_code == 422
    assert "Too many codes were tried: try again in" in refused.content.decode()


def test_right_codes_are_not_counted(client: Client) -> None:
    for code in set_up(client, make_user("anna"))[: CODES_BY_USER.most + 1]:
        other = Client()
        password_step(other)
        assert other.post("/login/code/", {"code": code}).status_code == 302


def test_who_owes_no_code_is_not_asked_for_one(client: Client) -> None:
    user = make_user("anna")
    client.force_login(user)
    assert client.get("/login/code/").status_code == 302
    set_up(client, user)
    assert client.get("/login/code/").status_code == 302


def guess_from(browser: Client, address: str, guesses: int) -> Any:
    """Send wrong codes after the right password. Return the last answer."""
    password_step(browser)
    for guess in range(guesses):
        answer = browser.post("/login/code/", {"code": f"{guess:06d}"}, REMOTE_ADDR=address)
        assert answer.status_code == 422
    return answer


@pytest.mark.guide("security#security")
def test_a_stranger_s_wrong_codes_do_not_keep_the_owner_out(client: Client) -> None:
    user = make_user("anna")
    set_up(client, user)
    guess_from(Client(), "203.0.113.7", 12)
    owner = Client()
    password_step(owner)
    right = owner.post("/login/code/", {"code": code_of(user, ahead=1)}, REMOTE_ADDR="198.51.100.4")
    assert right.status_code == 302


@pytest.mark.guide("security#security")
def test_guesses_of_a_day_are_bounded_and_leave_known_browsers_and_backup_codes(
    client: Client,
) -> None:
    user = make_user("anna")
    codes = set_up(client, user)
    known = Client()
    password_step(known)
    assert known.post("/login/code/", {"code": codes[0]}).status_code == 302
    known.post("/logout/")
    for place in range(5):
        guess_from(Client(), f"203.0.113.{place}", 8)
    new = Client()
    password_step(new)
    shown = code_of(user, ahead=1)
    refused = new.post("/login/code/", {"code": shown}, REMOTE_ADDR="198.51.100.4")
    assert refused.status_code == 422
    text = html.unescape(refused.content.decode()).replace("\xa0", " ")
    assert "Too many codes were tried: try again in 1 day, or use a backup code now." in text
    backup = new.post("/login/code/", {"code": codes[1]}, REMOTE_ADDR="198.51.100.4")
    assert backup.status_code == 302
    password_step(known)
    assert known.post("/login/code/", {"code": shown}).status_code == 302


def test_the_second_step_does_not_outlive_the_password_step(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    user = make_user("anna")
    set_up(client, user)
    other = Client()
    password_step(other)

    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now + 601)
    assert other.post("/login/code/", {"code": code_of(user)})["Location"] == "/login/"
    monkeypatch.setattr(time, "time", lambda: now)
    staff.change_password(user_id=user.pk, password="another-secret-2", actor=Actor.user(user.pk))
    assert other.post("/login/code/", {"code": code_of(user)})["Location"] == "/login/"


@pytest.mark.guide("security#security")
def test_a_session_from_before_is_asked_too(client: Client) -> None:
    event = make_event(4)
    user = make_user("anna", event, Role.DIRECTOR)
    older = Client()
    older.force_login(user)
    assert older.get(f"/desk/{event.slug}/").status_code == 200
    set_up(client, user)
    assert older.get(f"/desk/{event.slug}/")["Location"] == f"/login/code/?next=/desk/{event.slug}/"
    assert older.get(f"/api/v1/events/{event.slug}/stages/").status_code == 403
    assert older.post("/account/second-step/off/", {"password": PASSWORD}).status_code == 302
    user.refresh_from_db()
    assert user.second_step
    older.post("/login/code/", {"code": code_of(user, ahead=1)})
    assert older.get(f"/desk/{event.slug}/").status_code == 200


@pytest.mark.guide("operator#accounts-and-settings", "security#security")
def test_roles_of_the_setting_must_have_it(client: Client, settings: Any) -> None:
    event = make_event(4)
    director = make_user("anna", event, Role.DIRECTOR)
    referee = make_user("ben", event, Role.REFEREE)
    settings.SECOND_STEP_ROLES = ["admin", "director"]
    client.force_login(director)
    assert client.get(f"/desk/{event.slug}/")["Location"].startswith("/account/second-step/?")
    assert client.get(f"/api/v1/events/{event.slug}/stages/").status_code == 403
    assert "Your role requires" in client.get("/account/second-step/").content.decode()
    set_up(client, director)
    assert client.get(f"/desk/{event.slug}/").status_code == 200
    client.force_login(referee)
    assert client.get(f"/desk/{event.slug}/").status_code == 200


@pytest.mark.guide("security#security")
def test_the_owner_turns_it_off_with_his_password_only(client: Client) -> None:
    user = make_user("anna")
    set_up(client, user)
    client.post("/account/second-step/off/", {"password": "wrong"})
    user.refresh_from_db()
    assert user.second_step
    client.post("/account/second-step/off/", {"password": PASSWORD})
    user.refresh_from_db()
    assert not user.second_step
    assert not TOTPDevice.objects.exists()
    assert not StaticToken.objects.exists()
    verbs = AuditEntry.objects.filter(scope=ORGANISATION).values_list("verb", flat=True)
    assert list(verbs)[-2:] == ["user.second_step_on", "user.second_step_off"]
    assert list(breaks(ORGANISATION)) == []


def test_new_backup_codes_end_the_old_ones(client: Client) -> None:
    user = make_user("anna")
    old = set_up(client, user)
    client.post("/account/second-step/codes/", {"password": "wrong"})
    assert second_step.check(user_id=user.pk, code=old[0]) is not None
    shown = markup(client.post("/account/second-step/codes/", {"password": PASSWORD}))
    assert second_step.check(user_id=user.pk, code=old[1]) is None
    (new, *_rest) = re.findall(r"<li><code>([^<]+)</code></li>", shown)
    StaticToken.objects.first().device.throttle_reset()
    assert second_step.check(user_id=user.pk, code=new) is not None


@pytest.mark.guide("operator#accounts-and-settings", "security#security")
def test_the_administrator_takes_it_off_for_who_lost_his_phone(client: Client) -> None:
    user, admin = make_user("anna"), make_user("root")
    grant(admin, Role.ADMIN)
    set_up(client, user)
    client.force_login(admin)
    client.post("/system/accounts/", {"verb": "second-step", "user": user.pk})
    user.refresh_from_db()
    assert not user.second_step
    by_admin = AuditEntry.objects.filter(actor=str(Actor.user(admin.pk)))
    assert by_admin.filter(verb="user.second_step_off").count() == 1
    assert password_step(Client())["Location"] == "/desk/?now=1"


@pytest.mark.parametrize("language", ["fr", "nl", "en"])
def test_where_it_leads_is_of_this_service(client: Client, language: str) -> None:
    user = make_user("anna")
    set_up(client, user)
    other = Client(headers={"Accept-Language": language})
    password_step(other, next="https://evil.example/")
    assert f'lang="{language}"' in other.get("/login/code/").content.decode()
    assert (
        other.post("/login/code/", {"code": code_of(user, ahead=1)})["Location"] == "/desk/?now=1"
    )
