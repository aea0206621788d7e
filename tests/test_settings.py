"""A production start on an insecure value refuses to run and names the variable to set."""

from __future__ import annotations

import errno
import importlib.util
import os
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any
from unittest import mock

import pytest
from django.apps import apps
from django.contrib.auth.hashers import make_password
from django.core.exceptions import ImproperlyConfigured
from django.db.utils import ConnectionHandler
from django.test import Client

from config.environment import VARIABLES
from tools.settings_page import page

from .programs import PATIENCE
from .test_docs import TESTS
from .tournament.build import make_user

ROOT = Path(__file__).resolve().parents[1]
SAFE = {
    "MANILLE_MODE": "production",
    "SECRET_KEY": "abcdefghij" * 6,
    "ALLOWED_HOSTS": "manille.example",
    "DATABASE_URL": "postgres://nobody@127.0.0.1:1/none",
    "BROKER_URL": "redis://127.0.0.1:1/0",
    "CACHE_URL": "rediscache://127.0.0.1:1/1",
    "HTTPS": "1",
    "HSTS_SECONDS": "31536000",
}


def check(tmp_path: Path, *words: str, **changes: str) -> subprocess.CompletedProcess[str]:
    environment = (
        {name: value for name, value in os.environ.items() if name not in VARIABLES}
        | SAFE
        | {"MANILLE_VAR": str(tmp_path)}
        | changes
    )
    return subprocess.run(
        [
            sys.executable,
            "-c",
            "import django; django.setup(); from django.core.management import "
            "call_command; call_command('check', deploy=True, fail_level='WARNING')",
            *words,
        ],
        cwd=ROOT,
        env={**environment, "DJANGO_SETTINGS_MODULE": "config.settings"},
        capture_output=True,
        text=True,
    )


@pytest.mark.guide("operator#accounts-and-settings", "security#security")
@pytest.mark.long
@pytest.mark.parametrize("seconds", ["3600", "31536000"])
def test_safe_values_start_and_pass_the_deployment_checks(tmp_path: Path, seconds: str) -> None:
    """Also on the steps by which HSTS is raised."""
    done = check(tmp_path, HSTS_SECONDS=seconds)
    assert done.returncode == 0, done.stderr
    assert "no issues" in done.stdout
    without = check(tmp_path, HSTS_SECONDS="0")
    assert without.returncode != 0
    assert "security.W004" in without.stderr


@pytest.mark.guide("operator#accounts-and-settings", "security#security")
@pytest.mark.long
@pytest.mark.parametrize(
    ("variable", "value"),
    [
        ("SECRET_KEY", ""),
        ("SECRET_KEY", "short"),
        ("DEBUG", "1"),
        ("ALLOWED_HOSTS", ""),
        ("ALLOWED_HOSTS", "*"),
        ("DATABASE_URL", ""),
        ("DATABASE_URL", "sqlite:///x.sqlite3"),
        ("BROKER_URL", ""),
        ("CACHE_URL", ""),
        ("CACHE_URL", "locmemcache://"),
        ("MANILLE_MODE", "prod"),
        ("SIGNING_KEY", "short"),
    ],
)
def test_an_insecure_value_is_refused_by_name(tmp_path: Path, variable: str, value: str) -> None:
    done = check(tmp_path, **{variable: value})
    assert done.returncode != 0
    assert (
        f"set {variable}" in done.stderr.splitlines()[-1]
        or f"{variable} is" in done.stderr.splitlines()[-1]
    )


@pytest.mark.long
def test_the_embedded_key_is_made_once_and_private(tmp_path: Path) -> None:
    first = check(
        tmp_path,
        MANILLE_MODE="embedded",
        SECRET_KEY="",
        DATABASE_URL="",
        BROKER_URL="",
        CACHE_URL="",
    )
    key = (tmp_path / "secret.key").read_text()
    assert len(key) >= 50
    assert (tmp_path / "secret.key").stat().st_mode & 0o077 == 0
    check(
        tmp_path,
        MANILLE_MODE="embedded",
        SECRET_KEY="",
        DATABASE_URL="",
        BROKER_URL="",
        CACHE_URL="",
    )
    assert (tmp_path / "secret.key").read_text() == key
    assert key not in first.stdout + first.stderr


@pytest.mark.guide("settings#settings")
def test_the_page_of_settings_is_true() -> None:
    assert (ROOT / "docs" / "settings.md").read_text(encoding="utf-8") == page()


def settings_of(tmp_path: Path, **environment: str) -> dict[str, Any]:
    """Return the settings module as loaded with these environment variables only."""
    others = {name: value for name, value in os.environ.items() if name not in VARIABLES}
    given = others | {"MANILLE_VAR": str(tmp_path)} | environment
    spec = importlib.util.spec_from_file_location("config.settings", ROOT / "config/settings.py")
    with mock.patch.dict(os.environ, given, clear=True):
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
    return vars(module)


def values(names: Iterable[str], known: dict[str, Any]) -> dict[str, Any]:
    """Evaluate each expression with the settings."""
    return {name: eval(name, known) for name in names}


def test_with_nothing_set_all_is_on_one_machine_in_the_var_folder(tmp_path: Path) -> None:
    expected = {
        "DATABASES['default']['NAME']": str(tmp_path / "manille.sqlite3"),
        "CACHES['default']['BACKEND']": "django.core.cache.backends.locmem.LocMemCache",
        "CELERY_BROKER_URL": "filesystem://localhost//",
        "CELERY_BROKER_TRANSPORT_OPTIONS['data_folder_in']": str(tmp_path / "queue/messages"),
        "STATIC_ROOT": tmp_path / "static",
        "MEDIA_ROOT": tmp_path / "files",
        "BACKUP_DIR": str(tmp_path / "backups"),
        "ALLOWED_HOSTS": ["localhost", "127.0.0.1", "[::1]", "testserver"],
        "DEBUG": False,
        "EMAIL_BACKEND": "django.core.mail.backends.dummy.EmailBackend",
        "LOGGING['root']['level']": "INFO",
    }
    assert values(expected, settings_of(tmp_path)) == expected


def test_what_is_set_arrives(tmp_path: Path) -> None:
    expected = {
        "connection.pool.max_size": 3,
        "DATABASES['default']['HOST']": "127.0.0.1",
        "CELERY_BROKER_URL": "redis://127.0.0.1:1/0",
        "CACHES['default']['LOCATION']": "redis://127.0.0.1:1/1",
        "ALLOWED_HOSTS": ["one.example", "two.example"],
        "CSRF_TRUSTED_ORIGINS": ["https://one.example", "https://two.example"],
        "SECURE_HSTS_SECONDS": 31_536_000,
        "BACKUP_DIR": "/srv/copies",
        "TIME_ZONE": "Indian/Reunion",
        "LOGGING['root']['level']": "WARNING",
        "EMAIL_HOST": "mail.example",
        "EMAIL_PORT": 587,
        "EMAIL_USE_TLS": True,
        "EMAIL_FROM": "hall@one.example",
    }
    changes = {
        "ALLOWED_HOSTS": "one.example,two.example",
        "CSRF_TRUSTED_ORIGINS": "https://one.example,https://two.example",
        "DATABASE_POOL": "3",
        "BACKUP_DIR": "/srv/copies",
        "TIME_ZONE": "Indian/Reunion",
        "LOG_LEVEL": "WARNING",
        "EMAIL_URL": "smtp+tls://hall:word@mail.example:587",
        "EMAIL_FROM": "hall@one.example",
        "PUBLIC_URL": "https://one.example",
    }
    known = settings_of(tmp_path, **SAFE | changes)
    known["connection"] = ConnectionHandler(known["DATABASES"])["default"]
    assert values(expected, known) == expected


@pytest.mark.parametrize("only_shows", [False, True])
def test_a_node_that_only_shows_reads_only(tmp_path: Path, only_shows: bool) -> None:
    changes = {"READ_ONLY_NODE": "true"} if only_shows else {}
    (database,) = settings_of(tmp_path, **SAFE | changes)["DATABASES"].values()
    assert database["OPTIONS"].get("options", "") == (
        "-c default_transaction_read_only=on" if only_shows else ""
    )


@pytest.mark.parametrize(
    ("without", "told"), [("EMAIL_FROM", "set EMAIL_FROM"), ("PUBLIC_URL", "set PUBLIC_URL")]
)
def test_e_mail_needs_a_sender_and_an_address_to_link_to(
    tmp_path: Path, without: str, told: str
) -> None:
    given = {"EMAIL_URL": "smtp://mail.example", "EMAIL_FROM": "a@b.example"}
    given |= {"PUBLIC_URL": "https://one.example"}
    del given[without]
    with pytest.raises(ImproperlyConfigured, match=told):
        settings_of(tmp_path, **given)


@pytest.mark.guide("operator#accounts-and-settings")
@pytest.mark.parametrize(
    ("variable", "value"),
    [
        ("PUBLIC_URL", "manille.example"),
        ("LOG_FORMAT", "yaml"),
        ("TIME_ZONE", "Reunion"),
        ("LOG_LEVEL", "LOUD"),
        ("RETENTION_DAYS", "two years"),
        ("HSTS_SECONDS", "1y"),
        ("HTTPS", "ture"),
        ("SECRET_KEY", "short"),
        ("MANILLE_VAR", ""),
        ("SIGNING_KEY", "abc"),
        ("WEB_PROCESSES", "0"),
        ("WORKER_PROCESSES", "two"),
        ("JOB_LEASE_SECONDS", "0"),
        ("RETENTION_DAYS", "-1"),
        ("BACKUP_HOURS", "99999999"),
        ("BACKUP_KEEP", "-3"),
        ("DATABASE_POOL", "0"),
        ("HSTS_SECONDS", "-1"),
        ("ALLOWED_HOSTS", "http://manille.example"),
        ("ALLOWED_HOSTS", "manille.example,192.168.1.10:8000"),
        ("CSRF_TRUSTED_ORIGINS", "manille.example"),
        ("DATABASE_URL", "mysql://manille@127.0.0.1/manille"),
        ("DATABASE_URL", "postgres://manille@127.0.0.1:port/manille"),
        ("DATABASE_URL", "postgres://manille@127.0.0.1"),
        ("BACKUP_PROOF_URL", "proof"),
        ("BROKER_URL", "nonsense"),
        ("BROKER_URL", "redis://127.0.0.1:99999/0"),
        ("CACHE_URL", "nonsense://127.0.0.1"),
        ("EMAIL_URL", "mail.example:587"),
        ("EMAIL_FROM", "nobody"),
        ("METRICS_LISTEN", "127.0.0.1:99999"),
        ("METRICS_LISTEN", "9464"),
        ("PUBLIC_URL", "https://manille example"),
        ("PUBLIC_URL", "https://"),
    ],
)
def test_a_value_that_cannot_be_meant_is_refused_by_name(
    tmp_path: Path, variable: str, value: str
) -> None:
    with pytest.raises(ImproperlyConfigured, match=f"set {variable} to"):
        settings_of(tmp_path, **{variable: value})


@pytest.mark.parametrize(
    ("variable", "value"),
    [
        ("ALLOWED_HOSTS", "*"),
        ("ALLOWED_HOSTS", ".manille.example, [::1],192.168.1.10"),
        ("CSRF_TRUSTED_ORIGINS", "https://*.manille.example,http://localhost:8000"),
        ("DATABASE_URL", "postgres:///manille"),
        ("DATABASE_URL", "postgresql://manille:a%20b@[::1]:5432/manille?sslmode=require"),
        ("DATABASE_URL", "sqlite:///manille.sqlite3"),
        ("BROKER_URL", "rediss://:word@redis.example:6379/0"),
        ("EMAIL_URL", "smtp+ssl://hall%40club.example:word@mail.example"),
        ("METRICS_LISTEN", "[::1]:9464"),
        ("PUBLIC_URL", "http://192.168.1.10:8000/"),
        ("BACKUP_KEEP", "0"),
    ],
)
def test_values_that_operators_use_are_taken(tmp_path: Path, variable: str, value: str) -> None:
    given = {"EMAIL_FROM": "hall@one.example", "PUBLIC_URL": "https://one.example"}
    settings_of(tmp_path, **given | {variable: value})


def test_a_folder_that_cannot_be_made_is_refused_by_name(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for variable in ("MANILLE_VAR", "PROMETHEUS_MULTIPROC_DIR"):
        with pytest.raises(ImproperlyConfigured, match=f"set {variable} to a folder"):
            settings_of(tmp_path, **{variable: str(tmp_path / "file" / "below")})


@pytest.mark.guide("operator#accounts-and-settings")
@pytest.mark.parametrize("left", ["", "the first half of"])
def test_a_key_that_is_not_whole_is_refused_and_never_replaced(tmp_path: Path, left: str) -> None:
    """Another key would invalidate every badge and link in use."""
    key = tmp_path / "secret.key"
    key.write_text(left)
    with pytest.raises(ImproperlyConfigured, match="delete the file for a new one"):
        settings_of(tmp_path)
    assert key.read_text() == left
    key.unlink()
    made = settings_of(tmp_path)["SECRET_KEY"]
    assert len(made) >= 50
    assert settings_of(tmp_path)["SECRET_KEY"] == made == key.read_text()
    assert [path.name for path in tmp_path.iterdir() if path.is_file()] == ["secret.key"]


def test_a_disk_that_is_full_leaves_no_empty_key(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_handle: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(os, "fsync", full)
        with pytest.raises(ImproperlyConfigured, match="No space left"):
            settings_of(tmp_path)
    assert [path.name for path in tmp_path.iterdir() if path.is_file()] == []
    assert settings_of(tmp_path)["SECRET_KEY"]


@pytest.mark.guide("operator#accounts-and-settings")
@pytest.mark.parametrize(
    "words",
    [
        ["manage.py", "migrate"],
        ["-m", "config.serve", "--port", "1"],
        ["-m", "granian", "--interface", "asginl", "config.asgi:application", "--port", "0"],
        ["-m", "celery", "-A", "config", "worker"],
    ],
    ids=["command", "one machine", "web", "worker"],
)
def test_every_program_refuses_in_one_line(tmp_path: Path, words: list[str]) -> None:
    others = {name: value for name, value in os.environ.items() if name not in VARIABLES}
    done = subprocess.run(
        [sys.executable, *words],
        cwd=ROOT,
        env=others | {"MANILLE_VAR": str(tmp_path), "JOB_LEASE_SECONDS": "0"},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )
    assert done.returncode != 0
    line = "JOB_LEASE_SECONDS is 0: set JOB_LEASE_SECONDS to a whole number from 1 to 3600."
    assert line in done.stderr.splitlines()
    assert "Traceback" not in done.stdout + done.stderr


@pytest.mark.guide("security#security")
def test_passwords_are_kept_as_argon2(tmp_path: Path, settings: Any) -> None:
    settings.PASSWORD_HASHERS = settings_of(tmp_path)["PASSWORD_HASHERS"]
    assert make_password("Garnaal-1").startswith("argon2$argon2id$")


@pytest.mark.parametrize("given", ["administrator", "admin,Director", "admin;director"])
def test_a_word_that_is_no_role_is_refused_instead_of_protecting_nobody(
    tmp_path: Path, settings: Any, given: str
) -> None:
    accounts = apps.get_app_config("accounts")

    def start(words: str) -> None:
        known = settings_of(tmp_path, SECOND_STEP_ROLES=words)
        settings.SECOND_STEP_ROLES = known["SECOND_STEP_ROLES"]
        accounts.ready()

    start("admin,chief_referee")
    assert settings.SECOND_STEP_ROLES == ["admin", "chief_referee"]
    refusal = "set SECOND_STEP_ROLES to words of admin, director"
    with pytest.raises(ImproperlyConfigured, match=refusal):
        start(given)


@pytest.mark.django_db
@pytest.mark.parametrize(("trusted", "status"), [([], 403), (["https://front.example"], 302)])
def test_forms_come_from_the_origins_that_are_trusted(
    settings: Any, trusted: list[str], status: int
) -> None:
    settings.CSRF_TRUSTED_ORIGINS = trusted
    client = Client(enforce_csrf_checks=True)
    make_user("anna")
    client.get("/login/")
    form = {"username": "anna", "password": "not-a-secret-1"}
    form["csrfmiddlewaretoken"] = client.cookies["csrftoken"].value
    answer = client.post("/login/", form, headers={"Origin": "https://front.example"})
    assert answer.status_code == status


HELD_BY = {
    "MANILLE_MODE": "test_an_insecure_value_is_refused_by_name "
    "test_safe_values_start_and_pass_the_deployment_checks",
    "MANILLE_VAR": "test_with_nothing_set_all_is_on_one_machine_in_the_var_folder",
    "SECRET_KEY": "test_an_insecure_value_is_refused_by_name "
    "test_the_embedded_key_is_made_once_and_private "
    "test_a_key_that_is_not_whole_is_refused_and_never_replaced",
    "SETUP_CODE": "test_nobody_makes_the_first_account_without_the_code "
    "test_once_there_is_an_account_the_code_is_of_no_use_and_not_shown "
    "test_the_operator_may_choose_the_code test_the_start_prints_an_address_that_fills_the_code_in",
    "SIGNING_KEY": "test_the_key_is_the_one_of_the_environment_or_follows_from_the_secret "
    "test_an_insecure_value_is_refused_by_name",
    "DEBUG": "test_an_insecure_value_is_refused_by_name "
    "test_with_nothing_set_all_is_on_one_machine_in_the_var_folder",
    "ALLOWED_HOSTS": "test_what_is_set_arrives test_an_insecure_value_is_refused_by_name "
    "test_with_nothing_set_all_is_on_one_machine_in_the_var_folder "
    "test_slips_bear_the_address_of_the_hall_and_others_are_told_when_refused",
    "CSRF_TRUSTED_ORIGINS": "test_forms_come_from_the_origins_that_are_trusted "
    "test_what_is_set_arrives",
    "PUBLIC_URL": "test_a_value_that_cannot_be_meant_is_refused_by_name "
    "test_papers_carry_the_public_address_wherever_they_are_printed_from "
    "test_a_code_that_no_phone_reaches_is_printed_again_by_one_click",
    "DATABASE_URL": "test_what_is_set_arrives test_an_insecure_value_is_refused_by_name "
    "test_with_nothing_set_all_is_on_one_machine_in_the_var_folder",
    "DATABASE_POOL": "test_what_is_set_arrives",
    "READ_ONLY_NODE": "test_the_pages_of_a_reading_node_are_those_of_the_others "
    "test_everything_else_is_refused_in_words test_the_public_node_shows_and_does_nothing_else",
    "BROKER_URL": "test_what_is_set_arrives test_an_insecure_value_is_refused_by_name "
    "test_with_nothing_set_all_is_on_one_machine_in_the_var_folder",
    "CACHE_URL": "test_what_is_set_arrives test_an_insecure_value_is_refused_by_name "
    "test_with_nothing_set_all_is_on_one_machine_in_the_var_folder",
    "HTTPS": "test_cookies_are_locked test_https_is_asked_for_and_remembered_by_setting",
    "HSTS_SECONDS": "test_a_value_that_cannot_be_meant_is_refused_by_name "
    "test_what_is_set_arrives test_https_is_asked_for_and_remembered_by_setting",
    "TRUST_PROXY": "test_the_address_is_the_proxys_word_only_where_it_is_trusted",
    "LOG_FORMAT": "test_a_value_that_cannot_be_meant_is_refused_by_name "
    "test_servers_and_workers_write_json_too",
    "TIME_ZONE": "test_a_value_that_cannot_be_meant_is_refused_by_name test_what_is_set_arrives",
    "LOG_LEVEL": "test_a_value_that_cannot_be_meant_is_refused_by_name test_what_is_set_arrives",
    "EMAIL_URL": "test_what_is_set_arrives test_e_mail_needs_a_sender_and_an_address_to_link_to "
    "test_without_a_mail_server_nothing_is_offered_or_kept",
    "EMAIL_FROM": "test_a_registration_has_its_receipt_and_becomes_a_player_who_is_told",
    "SECOND_STEP_ROLES": "test_roles_of_the_setting_must_have_it "
    "test_a_word_that_is_no_role_is_refused_instead_of_protecting_nobody",
    "RETENTION_DAYS": "test_a_value_that_cannot_be_meant_is_refused_by_name "
    "test_retention_erases_at_its_time_and_not_before "
    "test_who_still_plays_is_not_forgotten_with_an_old_event "
    "test_the_workers_timer_erases_once_a_day_and_results_stay test_zero_days_keep_everything",
    "BACKUP_HOURS": "test_due_when_the_newest_is_too_old_or_of_a_clock_that_was_wrong "
    "test_it_can_be_switched_off test_the_worker_looks_after_it",
    "BACKUP_KEEP": "test_the_oldest_backups_go_and_the_newest_stay",
    "BACKUP_DIR": "test_a_backup_is_proved_by_bringing_it_back test_what_is_set_arrives "
    "test_with_nothing_set_all_is_on_one_machine_in_the_var_folder",
    "BACKUP_PROOF_URL": "test_a_backup_is_proved_in_a_second_database "
    "test_the_database_itself_is_no_place_of_proof_by_whatever_name",
    "JOB_LEASE_SECONDS": "test_a_job_in_other_hands_is_left_alone_until_its_lease_ends "
    "test_what_nobody_works_on_is_sent_again",
    "WEB_PROCESSES": "test_a_value_that_cannot_be_meant_is_refused_by_name "
    "test_it_says_once_where_it_is_and_ends_its_parts_at_a_signal",
    "WORKER_PROCESSES": "test_a_value_that_cannot_be_meant_is_refused_by_name "
    "test_each_role_of_the_entrypoint",
    "METRICS_TOKEN": "test_without_the_token_there_is_nothing "
    "test_a_director_sees_no_figures_and_the_administrator_does",
    "METRICS_LISTEN": "test_prometheus_needs_no_name_token_or_https_on_the_port_of_its_own",
    "PROMETHEUS_MULTIPROC_DIR": "test_processes_count_together "
    "test_web_processes_and_worker_count_in_a_new_folder",
}
"""The tests of the settings page's statements about each setting."""


@pytest.mark.guide("settings#settings")
def test_what_the_page_says_of_each_setting_has_its_tests() -> None:
    assert list(HELD_BY) == list(VARIABLES)
    named = {name for tests in HELD_BY.values() for name in tests.split()}
    assert sorted(named - TESTS) == []


def test_nothing_else_reads_the_environment() -> None:
    readers = [
        str(path.relative_to(ROOT))
        for room in (
            "config",
            "operations",
            "adjudication",
            "tournament",
            "scoring",
            "accounts",
            "ledger",
        )
        for path in (ROOT / room).rglob("*.py")
        if "os.environ[" in path.read_text(encoding="utf-8")
        or "os.getenv(" in path.read_text(encoding="utf-8")
    ]
    assert readers == []
