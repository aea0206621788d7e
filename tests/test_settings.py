"""A production start on an insecure value refuses to run and names the variable to set."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from config.environment import VARIABLES
from config.settings_page import page

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


@pytest.mark.long
def test_safe_values_start_and_pass_the_deployment_checks(tmp_path: Path) -> None:
    done = check(tmp_path)
    assert done.returncode == 0, done.stderr
    assert "no issues" in done.stdout


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


def test_the_page_of_settings_is_true() -> None:
    assert (ROOT / "docs" / "settings.md").read_text(encoding="utf-8") == page()


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
