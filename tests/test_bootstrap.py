"""``make env``: the environment is built once for its requirements, and every failure says what to do."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from config import bootstrap


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """A checkout with an environment; the commands that install into it."""
    commands: list[list[str]] = []

    def install(command: list[str], **_more: Any) -> subprocess.CompletedProcess[bytes]:
        commands.append(command)
        return subprocess.CompletedProcess(command, 0, b"no such package")

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
        assert len(installed) == 1
    (command,) = installed
    assert command[0] == str(tmp_path / ".venv" / "bin" / "python")
    assert command[-3:] == ["--require-hashes", "-r", str(tmp_path / "requirements.txt")]
    (tmp_path / "requirements.txt").write_text("django==5.3")
    bootstrap.build("requirements.txt")
    assert len(installed) == 2


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


def test_a_failed_installation_is_said_and_tried_again(
    installed: list[list[str]],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(
        subprocess,
        "run",
        lambda command, **_more: subprocess.CompletedProcess(command, 1, b"no such package"),
    )
    for _twice in range(2):
        with pytest.raises(SystemExit) as ended:
            bootstrap.build("requirements.txt")
        assert ended.value.code == 1
        assert "check the connection" in capsys.readouterr().err
    assert (tmp_path / ".venv" / "install.log").read_bytes() == b"no such package"


def test_an_old_python_is_named(
    installed: list[list[str]], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(bootstrap, "OLDEST", (sys.version_info[0], sys.version_info[1] + 1))
    with pytest.raises(SystemExit):
        bootstrap.build("requirements.txt")
    version = ".".join(map(str, sys.version_info[:2]))
    assert f"Python {version} is too old" in capsys.readouterr().err
    assert installed == []
