"""The shipped containers, built and run for real: a start, a killed public node, an upgrade under probes.

``make test-docker`` runs it where a Docker engine with Compose is; it is no part of the other runs.
"""

from __future__ import annotations

import http.client
import os
import shutil
import subprocess
import sys
import threading
import time
import uuid
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from config.environment import VARIABLES
from tests.programs import ROOT, free_port, wait_for

DOCKER = ROOT / "docker"
_pause = threading.Event()


class Stack:
    """The containers of ``docker/compose.yaml`` under a name and port of the test's own."""

    def __init__(self, folder: Path) -> None:
        self.port = free_port()
        name = f"manille-test-{uuid.uuid4().hex[:8]}"
        settings = {
            "SECRET_KEY": "only-for-this-test-" * 4, "POSTGRES_PASSWORD": "abcdef0123456789",
            "ALLOWED_HOSTS": "hall.example,localhost", "HTTPS": "false", "PORT": str(self.port),
            "PUBLIC_NODE": "public:8000", "RETENTION_DAYS": "400", "WORKER_PROCESSES": "1",
            "SECOND_STEP_ROLES": "admin",
        }  # fmt: skip
        file = folder / "env"
        file.write_text("".join(f"{key}={value}\n" for key, value in settings.items()))
        self.environment = {
            key: value for key, value in os.environ.items() if key not in {*VARIABLES, *settings}
        } | {"COMPOSE_PROJECT_NAME": name, "ENV_FILE": str(file)}

    def run(self, *words: str) -> str:
        """Run a program beside the compose file; its output."""
        done = subprocess.run(
            words, cwd=DOCKER, env=self.environment, capture_output=True, text=True, timeout=1800
        )
        assert done.returncode == 0, (
            f"{' '.join(words)}: {done.stdout[-3000:]}{done.stderr[-3000:]}"
        )
        return done.stdout

    def compose(self, *words: str) -> str:
        """``docker compose`` with the public node."""
        return self.run(
            "docker", "compose", "--env-file", self.environment["ENV_FILE"], "--profile", "public",
            *words,
        )  # fmt: skip

    def containers(self, service: str) -> list[str]:
        """The running containers of a service."""
        return self.compose("ps", "--quiet", service).split()

    def ask(self, verb: str, path: str, **headers: str) -> int:
        """The status of an answer through nginx; 0 when there is none."""
        line = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        try:
            line.request(verb, path, headers={"Host": "hall.example", **headers})
            answer = line.getresponse()
            answer.read()
        except (OSError, http.client.HTTPException):
            return 0
        finally:
            line.close()
        return answer.status


@pytest.fixture(scope="module")
def stack(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stack]:
    """A running installation with an event."""
    if (
        shutil.which("docker") is None
        or subprocess.run(["docker", "compose", "version"], capture_output=True).returncode
        or subprocess.run(["docker", "info"], capture_output=True).returncode
    ):
        pytest.skip("no Docker engine with Compose answers here")
    stack = Stack(tmp_path_factory.mktemp("docker"))
    try:
        stack.compose("build", "--quiet", "web")
        stack.compose("up", "--detach", "--no-build")
        wait_for("the web", lambda: stack.ask("GET", "/health/ready/") == 200, 300)
        yield stack
    finally:
        stack.compose("down", "--volumes", "--timeout", "5")


@pytest.fixture(scope="module")
def page(stack: Stack) -> str:
    """The address of an event's standings."""
    stack.compose(
        "exec", "-T", "web", "python", "manage.py", "load", "--url", "http://localhost:8000",
        "--players", "8", "--rounds", "1", "--deals", "1", "--phones", "1",
    )  # fmt: skip
    slug = stack.compose(
        "exec", "-T", "database", "psql", "-U", "manille", "-d", "manille", "-Atc",
        "SELECT slug FROM tournament_event",
    )  # fmt: skip
    return f"/e/{slug.strip()}/standings/"


def test_settings_arrive(stack: Stack) -> None:
    for service in ("web", "worker", "backup", "public"):
        given = dict(
            line.split("=", 1)
            for line in stack.compose("exec", "-T", service, "env").splitlines()
            if "=" in line
        )
        assert given["RETENTION_DAYS"] == "400"
        assert given["SECOND_STEP_ROLES"] == "admin"
        assert set(VARIABLES) <= set(given)


def test_the_web_cannot_touch_the_backups(stack: Stack) -> None:
    place = "/var/lib/manille/backups"
    stack.compose("exec", "-T", "backup", "python", "manage.py", "backup")
    assert stack.compose("exec", "-T", "web", "ls", place).strip()
    with pytest.raises(AssertionError, match="Read-only"):
        stack.compose("exec", "-T", "web", "touch", f"{place}/x")


def test_a_killed_public_node_is_passed_by(stack: Stack, page: str) -> None:
    (node,) = stack.containers("public")
    assert stack.ask("GET", page) == 200
    stack.run("docker", "kill", node)
    try:
        for number in range(10):
            begun = time.monotonic()
            assert stack.ask("GET", f"{page}?n={number}") == 200
            assert time.monotonic() - begun < 15
    finally:
        stack.run("docker", "start", node)


def test_an_upgrade_leaves_no_request_unanswered(stack: Stack, page: str) -> None:
    """Readers, people with a session and tables ask all the time; every one of them is answered."""
    before = {service: stack.containers(service) for service in ("web", "public", "nginx")}
    over = threading.Event()

    def probe(number: int) -> list[tuple[int, float]]:
        answers = []
        while not over.is_set():
            begun = time.monotonic()
            verb, path, headers = (
                ("GET", f"{page}?n={number}-{len(answers)}", {}),
                ("GET", "/login/", {"Cookie": "sessionid=none"}),
                ("POST", "/t/abcdefghijklmnopqrst/send/", {"Content-Length": "0"}),
            )[number % 3]
            answers.append((stack.ask(verb, path, **headers), time.monotonic() - begun))
            _pause.wait(0.05)
        return answers

    begun = time.monotonic()
    with ThreadPoolExecutor(6) as hands:
        probes = [hands.submit(probe, number) for number in range(6)]
        try:
            said = stack.run("./upgrade", "--no-build")
        finally:
            over.set()
        answers = [answer for each in probes for answer in each.result()]
    sys.stdout.write(
        f"upgrade: {time.monotonic() - begun:.0f} s, {len(answers)} requests, "
        f"slowest {max(seconds for _status, seconds in answers):.1f} s\n"
    )
    assert [status for status, _seconds in answers if status == 0 or status >= 500] == []
    assert "restored elsewhere and compared: the same" in said
    assert stack.containers("nginx") == before["nginx"]
    for service in ("web", "public"):
        after = stack.containers(service)
        assert len(after) == len(before[service])
        assert not set(after) & set(before[service])


def test_a_release_that_does_not_start_changes_nothing(stack: Stack, page: str) -> None:
    """The previous web processes and workers go on when the new one never answers."""
    before = {service: stack.containers(service) for service in ("web", "worker", "nginx")}
    file = Path(stack.environment["ENV_FILE"])
    good = file.read_text()
    # What the service refuses to start with.
    file.write_text(good.replace("only-for-this-test-", "x"))
    try:
        done = subprocess.run(
            ["./upgrade", "--no-build"], cwd=DOCKER, env=stack.environment | {"WAIT": "60"},
            capture_output=True, text=True, timeout=600,
        )  # fmt: skip
    finally:
        file.write_text(good)
    assert done.returncode == 1
    assert "The previous release goes on serving" in done.stderr
    assert {service: stack.containers(service) for service in before} == before
    assert stack.ask("GET", page) == 200
