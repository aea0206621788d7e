"""The first account of an installation belongs to its operator, and is created only once."""

from __future__ import annotations

import re
from io import StringIO
from typing import Any, ClassVar

import pytest
from django.core.cache import cache
from django.core.management import CommandError, call_command
from django.test import Client

from accounts import second_step, staff
from accounts.models import Role, RoleGrant, User
from accounts.views.sign_in import setup_code
from ledger.actors import Actor
from ledger.audit import breaks
from ledger.models import ORGANISATION
from operations.greeting import greeting
from tests.accounts.test_second_step import code_of
from tests.tournament.build import SYSTEM

pytestmark = pytest.mark.django_db
PASSWORD = "kaarten-op-tafel-9"


def ask(name: str, code: str, **more: str) -> Any:
    sent = {"code": code, "username": name, "password1": PASSWORD, "password2": PASSWORD, **more}
    return Client().post("/setup/", sent)


def administrators() -> list[str]:
    grants = RoleGrant.objects.filter(role=Role.ADMIN, scope=ORGANISATION, user__is_active=True)
    return sorted(grants.values_list("user__username", flat=True))


class AnotherVisitor:
    """A password check during which another visitor submits the form, and so on."""

    left: ClassVar[int] = 0

    def validate(self, password: str, user: User | None = None) -> None:
        """Let the next visitor finish before this one."""
        if AnotherVisitor.left:
            AnotherVisitor.left -= 1
            ask(f"visitor-{AnotherVisitor.left}", setup_code())

    def get_help_text(self) -> str:
        """Return no help text."""
        return ""


@pytest.mark.guide("security#security")
@pytest.mark.parametrize(
    ("language", "refusal"),
    [
        ("en", "too short: use at least 10 characters"),
        ("fr", "trop court : au moins 10 caractères"),
        ("nl", "te kort: minstens 10 tekens"),
    ],
)
def test_a_short_password_is_refused_in_the_reader_s_language(language: str, refusal: str) -> None:
    sent = {"code": setup_code(), "username": "jan", "password1": "tafel", "password2": "tafel"}
    answer = Client(headers={"Accept-Language": language}).post("/setup/", sent)
    assert answer.status_code == 422
    assert refusal in answer.content.decode().replace("\N{NO-BREAK SPACE}", " ")


@pytest.mark.guide("operator#one-machine-nothing-to-install")
@pytest.mark.parametrize("code", ["", "AAAA-BBBB-CCCC", "é"])
def test_nobody_makes_the_first_account_without_the_code(code: str) -> None:
    answer = ask("mallory", code)
    assert answer.status_code == 422
    assert 'value="mallory"' in answer.content.decode()
    assert not User.objects.exists()


@pytest.mark.parametrize("change", [str, str.lower, lambda code: code.replace("-", " ")])
def test_the_code_may_be_typed_as_it_is_read(change: Any) -> None:
    assert ask("anna", change(setup_code()))["Location"] == "/desk/new/"
    assert administrators() == ["anna"]
    assert list(breaks(ORGANISATION)) == []


@pytest.mark.guide("operator#accounts-and-settings")
def test_the_start_prints_an_address_that_fills_the_code_in() -> None:
    printed = greeting("http://127.0.0.1:8000", demo=False)
    (path,) = re.findall(r"http://127\.0\.0\.1:8000(/setup/\S+)", printed)
    assert f'value="{setup_code()}"' in Client().get(path).content.decode()
    out = StringIO()
    call_command("setup_code", stdout=out)
    assert setup_code() in out.getvalue()


def test_once_there_is_an_account_the_code_is_of_no_use_and_not_shown() -> None:
    ask("anna", setup_code())
    assert ask("mallory", setup_code())["Location"] == "/login/"
    assert administrators() == ["anna"]
    out = StringIO()
    call_command("setup_code", stdout=out)
    assert setup_code() not in greeting("http://127.0.0.1:8000", demo=False) + out.getvalue()


@pytest.mark.guide("operator#accounts-and-settings")
def test_the_operator_may_choose_the_code(settings: Any) -> None:
    settings.SETUP_CODE = "Oostende 2017"
    assert ask("anna", "oostende2017").status_code == 302


def test_of_many_who_send_the_form_at_once_one_becomes_administrator(settings: Any) -> None:
    settings.AUTH_PASSWORD_VALIDATORS = [{"NAME": f"{__name__}.AnotherVisitor"}]
    AnotherVisitor.left = 5
    assert ask("last", setup_code())["Location"] == "/login/"
    assert administrators() == ["visitor-0"]
    assert User.objects.count() == 1


@pytest.mark.guide("security#security")
def test_codes_cannot_be_guessed_without_end() -> None:
    cache.clear()
    said = [ask("mallory", f"guess {n}").content.decode() for n in range(21)]
    assert "Too many attempts: try again in" not in said[19]
    assert "Too many attempts: try again in" in said[20]


def test_createsuperuser_makes_an_administrator(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DJANGO_SUPERUSER_PASSWORD", PASSWORD)
    call_command("createsuperuser", "--noinput", username="root", email="", stdout=StringIO())
    client = Client()
    client.post("/login/", {"username": "root", "password": PASSWORD})
    assert client.get("/system/accounts/").status_code == 200
    assert list(breaks(ORGANISATION)) == []


def restored(name: str) -> str:
    out = StringIO()
    call_command("person", "--administrator", name, stdout=out)
    return out.getvalue().rsplit(" ", 1)[-1].strip()


@pytest.mark.guide("operator#accounts-and-settings")
def test_an_administrator_who_cannot_sign_in_is_restored_on_the_console() -> None:
    ask("anna", setup_code())
    anna = User.objects.get()
    second_step.begin(user_id=anna.pk)
    second_step.confirm(user_id=anna.pk, code=code_of(anna), actor=Actor.user(anna.pk))
    restored("bea")
    staff.set_active(user_id=anna.pk, active=False, actor=SYSTEM)
    password = restored("Anna")
    client = Client()
    client.post("/login/", {"username": "anna", "password": password})
    assert client.get("/system/accounts/")["Location"].startswith("/account/password/?")
    assert administrators() == ["anna", "bea"]


def test_an_administrator_is_made_on_the_console_where_there_is_none() -> None:
    password = restored("bea")
    assert administrators() == ["bea"]
    assert Client().login(username="bea", password=password)
    with pytest.raises(CommandError, match="user name has"):
        call_command("person", "--administrator", "a b")
    with pytest.raises(CommandError, match="find, export or erase"):
        call_command("person", "find")
    assert list(breaks(ORGANISATION)) == []
