"""Commands in the guides are valid: the files contain what they name."""

from __future__ import annotations

import os
import re
import shlex
from itertools import pairwise

import pytest
import yaml
from django.core.management import get_commands, load_command_class

import manille_check
from tests.programs import ROOT
from tools.__main__ import NAMES

COMPOSE = yaml.safe_load((ROOT / "docker" / "compose.yaml").read_text())
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]
PROGRAMS = ("docker", "docker/upgrade", "make", "manage.py", "python", "pip", "rclone", "cd", "cp")


VERBS = ("up", "exec", "run", "logs", "build", "stop", "start")
IN_A_SENTENCE = re.compile(r"`((?:docker compose|docker/upgrade|manage\.py) [^`…{]+)`")


def documented() -> list[tuple[str, str]]:
    """Return page and command of every indented line that begins with a program, then of those in sentences."""
    found = []
    for page in PAGES:
        text = page.read_text()
        for line in re.findall(r"^ {4}(\S.*)$", text, re.MULTILINE):
            command = re.split(r"\s+# |\s+\| ", line)[0]
            if command.split()[0] in PROGRAMS:
                found.append((page.name, command))
        found += [(page.name, " ".join(words.split())) for words in IN_A_SENTENCE.findall(text)]
    return list(dict.fromkeys(found))


COMMANDS = documented()


def test_commands_are_found() -> None:
    assert len(COMMANDS) > 20
    assert {command.split()[0] for _page, command in COMMANDS} >= {
        "docker",
        "docker/upgrade",
        "make",
        "manage.py",
        "rclone",
    }


@pytest.mark.guide(
    "operator#a-copy-elsewhere",
    "operator#one-machine-nothing-to-install",
    "operator#rehearsal",
    "operator#restore-a-backup",
)
@pytest.mark.parametrize(("page", "command"), COMMANDS, ids=[text for _page, text in COMMANDS])
def test_what_a_command_names_is_there(page: str, command: str) -> None:
    words = shlex.split(command)
    if words[0] == "docker/upgrade":
        assert os.access(ROOT / "docker" / "upgrade", os.X_OK)
    if words[:2] == ["docker", "compose"]:
        of_compose(words[2:])
    if words[:2] == ["docker", "run"]:
        of_docker(words[2:])
    if "manage.py" in words:
        of_manage(words[words.index("manage.py") + 1 :])
    if "tools" in words and words[words.index("tools") - 1] == "-m":
        assert words[words.index("tools") + 1] in NAMES
    if words[0] == "cd":
        assert (ROOT / words[1]).is_dir()
    if words[0] == "cp":
        assert (ROOT / "docker" / words[1]).is_file()
    if words[:2] == ["python", "manille_check.py"]:
        assert (ROOT / words[1]).is_file()
        assert all(word in manille_check.__doc__ for word in words if word.startswith("--"))


def of_compose(words: list[str]) -> None:
    """Check that the settings' file comes first, as every command needs, and that the services exist."""
    assert words[:2] == ["--env-file", "env"]
    verb = next(word for word in words if word in VERBS)
    if verb in ("up", "stop", "start"):
        named = [word for word in words[words.index(verb) + 1 :] if not word.startswith("-")]
        assert set(named) <= set(COMPOSE["services"])
    if verb in ("exec", "run"):
        rest = [word for word in words[words.index(verb) + 1 :] if not word.startswith("-")]
        assert rest[0] in COMPOSE["services"]
        if verb == "run" and rest[0] in ("web", "migrate") and len(rest) > 1:
            of_manage(rest[1:])


def of_docker(words: list[str]) -> None:
    """Check that a container's network, volumes and files are those of compose.yaml."""
    name = COMPOSE["name"]
    for option, value in pairwise(words):
        if option == "--network":
            assert value == f"{name}_default"
        if option == "-v":
            source = value.partition(":")[0]
            if source.startswith("$PWD/"):
                assert (ROOT / "docker" / source.removeprefix("$PWD/")).is_file()
            elif not source.startswith("$"):
                assert source.removeprefix(f"{name}_") in COMPOSE["volumes"]


def of_manage(words: list[str]) -> None:
    """Check that the command exists and has these options."""
    commands = get_commands()
    assert words[0] in commands
    command = load_command_class(str(commands[words[0]]), words[0])
    known = re.findall(r"--[\w-]+", command.create_parser("manage.py", words[0]).format_help())
    for word in words[1:]:
        if word.startswith("--"):
            assert word.partition("=")[0] in known, word
