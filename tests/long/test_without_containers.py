"""The operator's way without containers, run from a bare clone exactly as the guide writes it."""

from __future__ import annotations

import http.client
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from config.environment import VARIABLES
from tests.programs import PATIENCE, ROOT, answers, free_port, wait_for

from .installation import Postgres, Program, Redis

pytestmark = [pytest.mark.long, pytest.mark.postgres, pytest.mark.redis]
NOT_CLONED = (".git", ".venv", ".ci", "var", "node_modules", "__pycache__", ".*_cache", "dist")


def guide() -> dict[str, list[str]]:
    """Return the indented blocks of the section by their first word."""
    text = (ROOT / "docs" / "operator.md").read_text(encoding="utf-8")
    section = text.partition("\n### Without containers\n")[2].partition("\n### ")[0]
    blocks = re.findall(r"(?:^ {4}\S.*\n)+", section, re.MULTILINE)
    return {block.split()[0]: [line.strip() for line in block.splitlines()] for block in blocks}


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """Copy the repository as a clone has it, with the environment of the tests."""
    place = tmp_path / "clone"
    shutil.copytree(ROOT, place, ignore=shutil.ignore_patterns(*NOT_CLONED))
    (place / ".venv").symlink_to(sys.prefix)
    return place


def environment(place: Path) -> dict[str, str]:
    """Return the environment of a shell without settings; pip may use no package index."""
    others = {name: value for name, value in os.environ.items() if name not in VARIABLES}
    others.pop("DJANGO_SETTINGS_MODULE", None)
    path = f"{place}/.venv/bin{os.pathsep}{os.environ['PATH']}"
    return others | {"PATH": path, "PIP_NO_INDEX": "1"}


@contextmanager
def running(place: Path, command: str, name: str) -> Iterator[Program]:
    """Run a command of the guide until the block ends."""
    script = f"set -a; . ./env; set +a; exec {command}"
    program = Program(["sh", "-c", script], environment(place), place.parent / f"{name}.log", place)
    program.start()
    try:
        yield program
    finally:
        program.kill()


def get(port: int, path: str) -> tuple[int, str]:
    """Request a page as the proxy that ends TLS does."""
    link = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
    link.request("GET", path, headers={"Host": "manille.example", "X-Forwarded-Proto": "https"})
    answer = link.getresponse()
    text = answer.read().decode(errors="replace")
    link.close()
    return answer.status, text


@pytest.mark.guide("operator#without-containers")
def test_the_service_starts_without_containers_as_the_guide_says(
    clone: Path, private: tuple[Path, Postgres, Redis]
) -> None:
    _folder, postgres, redis = private
    blocks = guide()
    own = {
        "SECRET_KEY": "0123456789abcdef" * 4,
        "DATABASE_URL": postgres.url("plain"),
        "BROKER_URL": redis.url(0),
        "CACHE_URL": redis.url(1, "rediscache"),
    }
    settings = dict(line.split("=", 1) for line in blocks["#"][1:])
    assert set(own) <= set(settings)
    (clone / "env").write_text("".join(f"{n}={v}\n" for n, v in (settings | own).items()))
    done = subprocess.run(
        ["sh", "-ec", "\n".join(blocks["python3"])],
        cwd=clone,
        env=environment(clone),
        capture_output=True,
        text=True,
        timeout=10 * PATIENCE,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    web, worker = blocks[".venv/bin/granian"]
    port = free_port()
    with ExitStack() as stack:
        served = stack.enter_context(running(clone, web.replace("8000", str(port)), "web"))
        stack.enter_context(running(clone, worker, "worker"))
        wait_for("the web", lambda: answers(port), process=served.process, log=served.log)
        status, text = get(port, "/health/ready/")
        assert (status, '"status": "ready"' in text) == (200, True), text
        for path in ("/", "/setup/", "/rules/"):
            status, text = get(port, path)
            assert status == 200, path
        address = re.search(r'href="(/static/[^"]+\.css)"', text)
        assert address is not None
        assert get(port, address[1])[0] == 200
        log = clone.parent / "worker.log"
        wait_for("the worker", lambda: "ready." in log.read_text(), log=log)
