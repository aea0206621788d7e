"""``make env``: the environment is built once per set of requirements, and every failure names a remedy."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from config import bootstrap


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """Create a checkout with an environment. Return the commands that install into it."""
    commands: list[list[str]] = []

    def install(command: list[str], **_more: Any) -> subprocess.CompletedProcess[bytes]:
        commands.append(command)
        return subprocess.CompletedProcess(command, 0, b"No broken requirements found.")

    monkeypatch.setattr(bootstrap, "ROOT", str(tmp_path))
    monkeypatch.setattr(bootstrap, "VENV", str(tmp_path / ".venv"))
    monkeypatch.setattr(subprocess, "run", install)
    (tmp_path / "requirements.txt").write_text("django==5.2")
    (tmp_path / ".venv" / "bin").mkdir(parents=True)
    (tmp_path / ".venv" / "bin" / "python").touch()
    return commands


def test_requirements_are_installed_once_and_again_when_they_change(
    installed: list[list[str]], tmp_path: Path
) -> None:
    for _twice in range(2):
        bootstrap.build("requirements.txt")
        assert len(installed) == 2
    command, check = installed
    assert command[0] == check[0] == str(tmp_path / ".venv" / "bin" / "python")
    assert command[-3:] == ["--require-hashes", "-r", str(tmp_path / "requirements.txt")]
    assert "--no-deps" in command
    assert check[-1] == "check"
    (tmp_path / "requirements.txt").write_text("django==5.3")
    bootstrap.build("requirements.txt")
    assert len(installed) == 4


def test_an_environment_is_made_where_there_is_none(
    installed: list[list[str]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[str] = []
    monkeypatch.setattr("venv.EnvBuilder.create", lambda _self, place: made.append(place))
    bootstrap.build("requirements.txt")
    assert made == []
    (tmp_path / ".venv" / "bin" / "python").unlink()
    (tmp_path / ".venv" / "installed-requirements.txt").unlink()
    bootstrap.build("requirements.txt")
    assert made == [str(tmp_path / ".venv")]


FAILURES = {
    b"""WARNING: Retrying (Retry(total=0)) after connection broken by 'NewConnectionError('...')': /simple/django/
ERROR: Could not find a version that satisfies the requirement django==5.2 (from versions: none)
ERROR: No matching distribution found for django==5.2
""": "the package index is out of reach; check the connection",
    b"""ERROR: In --require-hashes mode, all requirements must have their versions pinned with ==. These do not:
    coverage[toml] from https://example.org/coverage.whl
""": "all requirements must have their versions pinned",
    b"""ERROR: THESE PACKAGES DO NOT MATCH THE HASHES FROM THE REQUIREMENTS FILE.
    django==5.2 from https://example.org/django.whl: Expected sha256 aa Got bb
""": "a package does not match its hash",
    b"ERROR: Could not install packages due to an OSError: [Errno 28] No space left on device\n": (
        "the disk is full"
    ),
    b"ERROR: No matching distribution found for django==5.2\n": (
        "No matching distribution found for django==5.2 (details"
    ),
}
"""Output of pip, and what the reader must learn from it."""


@pytest.mark.parametrize(("output", "cause"), FAILURES.items(), ids=lambda each: str(each)[-40:])
def test_failed_installation_names_its_cause_and_runs_again(
    installed: list[list[str]],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    output: bytes,
    cause: str,
) -> None:
    monkeypatch.setattr(
        subprocess,
        "run",
        lambda command, **_more: subprocess.CompletedProcess(command, 1, output),
    )
    for _twice in range(2):
        with pytest.raises(SystemExit) as ended:
            bootstrap.build("requirements.txt")
        assert ended.value.code == 1
        error = capsys.readouterr().err
        assert cause in error
        assert error.startswith("Installing requirements.txt failed: ")
        assert error.count("\n") == 1
    assert (tmp_path / ".venv" / "install.log").read_bytes() == output


@pytest.mark.parametrize(
    ("check", "cause"),
    [
        (
            b"django 5.2 requires asgiref, which is not installed.",
            "requirements.txt is not complete",
        ),
        (
            b"django 5.2 has requirement asgiref>=9, but you have asgiref 3.",
            "but you have asgiref 3",
        ),
        (b"Traceback (most recent call last):", "pip could not check what it installed"),
    ],
)
def test_incomplete_lock_is_refused(
    installed: list[list[str]],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    check: bytes,
    cause: str,
) -> None:
    monkeypatch.setattr(
        subprocess,
        "run",
        lambda command, **_more: subprocess.CompletedProcess(
            command, int(command[-1] == "check"), check
        ),
    )
    with pytest.raises(SystemExit):
        bootstrap.build("requirements.txt")
    assert cause in capsys.readouterr().err


def test_package_of_the_other_lock_may_be_behind(
    installed: list[list[str]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    behind = b"pytest-django 4 has requirement django>=6, but you have django 5.2."
    monkeypatch.setattr(
        subprocess,
        "run",
        lambda command, **_more: subprocess.CompletedProcess(
            command, int(command[-1] == "check"), behind
        ),
    )
    bootstrap.build("requirements.txt")
    assert (tmp_path / ".venv" / "installed-requirements.txt").exists()


def test_an_old_python_is_named(
    installed: list[list[str]], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(bootstrap, "OLDEST", (sys.version_info[0], sys.version_info[1] + 1))
    with pytest.raises(SystemExit):
        bootstrap.build("requirements.txt")
    version = ".".join(map(str, sys.version_info[:2]))
    assert f"Python {version} is too old" in capsys.readouterr().err
    assert installed == []
