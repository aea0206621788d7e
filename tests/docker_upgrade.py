"""The shipped containers, built and run for real: a start, a killed public node, an upgrade under probes.

``make test-docker`` runs it where a Docker engine with Compose is available; no other run includes it.
"""

from __future__ import annotations

import http.client
import json
import os
import re
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
BASE = re.findall(r"^FROM (\S+)", (DOCKER / "Dockerfile").read_text(), re.MULTILINE)[-1]
OWN = ("web", "worker", "notices", "public", "backup")
_pause = threading.Event()


class Stack:
    """The containers of ``docker/compose.yaml`` under the test's own name and port."""

    def __init__(self, folder: Path) -> None:
        self.port = free_port()
        name = f"manille-test-{uuid.uuid4().hex[:8]}"
        settings = {
            "SECRET_KEY": "only-for-this-test-" * 4,
            "POSTGRES_PASSWORD": "abcdef0123456789",
            "REDIS_PASSWORD": "0123456789abcdef",
            "ALLOWED_HOSTS": "hall.example,localhost",
            "HTTPS": "false",
            "PORT": str(self.port),
            "PUBLIC_NODE": "public:8000",
            "RETENTION_DAYS": "400",
            "WORKER_PROCESSES": "1",
            "SECOND_STEP_ROLES": "admin",
            "PUBLIC_URL": "https://hall.example",
            "EMAIL_URL": "smtp+tls://hall:word@mail.example:587",
            "EMAIL_FROM": "hall@hall.example",
        }
        file = folder / "env"
        file.write_text("".join(f"{key}={value}\n" for key, value in settings.items()))
        self.environment = {
            key: value for key, value in os.environ.items() if key not in {*VARIABLES, *settings}
        } | {"COMPOSE_PROJECT_NAME": name, "ENV_FILE": str(file)}

    def run(self, *words: str, given: str | None = None) -> str:
        """Run a program in the compose file's folder. Return its output."""
        done = subprocess.run(
            words,
            cwd=DOCKER,
            env=self.environment,
            input=given,
            capture_output=True,
            text=True,
            timeout=1800,
        )
        assert done.returncode == 0, (
            f"{' '.join(words)}: {done.stdout[-3000:]}{done.stderr[-3000:]}"
        )
        return done.stdout

    def compose(self, *words: str, given: str | None = None) -> str:
        """Run ``docker compose`` with the public node."""
        return self.run(
            "docker",
            "compose",
            "--env-file",
            self.environment["ENV_FILE"],
            "--profile",
            "public",
            *words,
            given=given,
        )

    def containers(self, service: str) -> list[str]:
        """Return the running containers of a service."""
        return self.compose("ps", "--quiet", service).split()

    def ask(self, verb: str, path: str, **headers: str) -> int:
        """Send a request through nginx. Return the status, or 0 without an answer."""
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
    """Run an installation with an event."""
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
    """Return the address of an event's standings."""
    # The image holds no tools: the rehearsal brings its own.
    place = "/var/lib/manille/tmp"
    packed = stack.run("tar", "-c", "--exclude=__pycache__", "-C", "..", "tools")
    stack.compose("exec", "-T", "web", "tar", "-x", "-C", place, given=packed)
    stack.compose(
        "exec",
        "-T",
        "-e",
        f"PYTHONPATH=/srv/manille:{place}",
        "web",
        "python",
        "-m",
        "tools",
        "load",
        "--url",
        "http://localhost:8000",
        "--players",
        "8",
        "--rounds",
        "1",
        "--deals",
        "1",
        "--phones",
        "1",
    )
    slug = stack.compose(
        "exec",
        "-T",
        "database",
        "psql",
        "-U",
        "manille",
        "-d",
        "manille",
        "-Atc",
        "SELECT slug FROM tournament_event",
    )
    return f"/e/{slug.strip()}/standings/"


def test_settings_arrive(stack: Stack) -> None:
    for service in OWN:
        given = dict(
            line.split("=", 1)
            for line in stack.compose("exec", "-T", service, "env").splitlines()
            if "=" in line
        )
        assert given["RETENTION_DAYS"] == "400"
        assert given["SECOND_STEP_ROLES"] == "admin"
        # The entrypoint decides on the directory in which a container's processes share their metrics.
        assert set(VARIABLES) - {"PROMETHEUS_MULTIPROC_DIR"} <= set(given)


def test_workers_send_under_the_key_that_the_web_gives_to_devices(stack: Stack) -> None:
    """With the configured mail server; both are libraries of the image and settings of the file."""
    say = (
        "from django.conf import settings; from tournament.services import mail, push;"
        "print(push.public_key(), mail.is_offered(), settings.EMAIL_HOST, settings.EMAIL_FROM)"
    )
    told = {
        service: stack.compose("exec", "-T", service, "python", "manage.py", "shell", "-c", say)
        .strip()
        .splitlines()[-1]
        for service in OWN
    }
    assert len(set(told.values())) == 1, told
    key, *mail = told["worker"].split()
    assert len(key) == 87
    assert mail == ["True", "mail.example", "hall@hall.example"]


def test_prometheus_reads_from_another_container_by_the_name_of_the_service(stack: Stack) -> None:
    """Plain HTTP on the internal port, as docker/prometheus.yml requests; from outside only with the token."""
    for service in ("web", "public"):
        text = stack.compose(
            "exec", "-T", "worker", "curl", "-fsS", f"http://{service}:9464/metrics"
        )
        assert "\nmanille_entries_total " in text, service
    assert stack.ask("GET", "/metrics/") in (401, 403, 404)


def test_no_process_of_the_service_is_root(stack: Stack) -> None:
    look = "for each in /proc/[0-9]*; do grep -h ^Uid: $each/status 2>/dev/null; done"
    for service in OWN:
        users = stack.compose("exec", "-T", service, "sh", "-c", look).splitlines()
        assert users, service
        assert {user for line in users for user in line.split()[1:]} == {"10001"}, service


def test_the_image_is_told_in_size(stack: Stack) -> None:
    """The service adds less than 300 MB to Python's image."""
    (web, *_more) = stack.containers("web")
    own = stack.run("docker", "inspect", "--format", "{{.Image}}", web).strip()
    whole, base = (
        int(stack.run("docker", "image", "inspect", "--format", "{{.Size}}", name))
        for name in (own, BASE)
    )
    sys.stdout.write(f"image: {whole / 1e6:.0f} MB, of which Python's {base / 1e6:.0f} MB\n")
    assert whole - base < 300e6


def test_no_container_has_a_root_to_write_to_or_a_capability_to_spare(stack: Stack) -> None:
    for service in ("web", "worker", "notices", "public", "backup", "database", "redis", "nginx"):
        with pytest.raises(AssertionError, match="Read-only"):
            stack.compose("exec", "-T", "--user", "0", service, "touch", "/usr/x")
        status = stack.compose("exec", "-T", service, "cat", "/proc/self/status")
        said = dict(line.split(":\t", 1) for line in status.splitlines() if ":\t" in line)
        assert said["NoNewPrivs"].strip() == "1"
        if service in OWN:
            assert int(said["CapBnd"], 16) == 0, service


@pytest.mark.guide("operator#roles-of-processes", "security#security")
def test_the_image_holds_its_papers_and_no_pip(stack: Stack) -> None:
    papers = stack.compose("exec", "-T", "web", "ls", "/usr/share/doc/manille").split()
    assert papers == ["LICENSE", "THIRD-PARTY-NOTICES.txt", "sbom.cdx.json"]
    bill = json.loads(
        stack.compose("exec", "-T", "web", "cat", "/usr/share/doc/manille/sbom.cdx.json")
    )
    assert "django" in {each["name"].lower() for each in bill["components"]}
    with pytest.raises(AssertionError, match="No module named"):
        stack.compose("exec", "-T", "web", "python", "-m", "pip", "--version")


def test_redis_answers_nobody_without_its_password(stack: Stack) -> None:
    asked = ("exec", "-T", "-e", "REDISCLI_AUTH=", "redis", "redis-cli", "get", "x")
    assert "NOAUTH" in stack.compose(*asked)


def test_the_web_cannot_touch_the_backups(stack: Stack) -> None:
    place = "/var/lib/manille/backups"
    stack.compose("exec", "-T", "backup", "python", "manage.py", "backup")
    assert stack.compose("exec", "-T", "web", "ls", place).strip()
    with pytest.raises(AssertionError, match="Read-only"):
        stack.compose("exec", "-T", "web", "touch", f"{place}/x")


def test_a_backup_is_proved_and_brought_back_as_the_guide_says(stack: Stack, page: str) -> None:
    file = Path(stack.environment["ENV_FILE"])
    proof = "postgres://manille:abcdef0123456789@database:5432/proof"
    file.write_text(file.read_text() + f"BACKUP_PROOF_URL={proof}\n")
    stack.compose("exec", "-T", "database", "createdb", "-U", "manille", "proof")
    stack.compose("up", "--detach", "--no-build", "backup")
    backup = ("exec", "-T", "backup", "python", "manage.py")
    made = stack.compose(*backup, "backup", "--prove")
    assert "restored elsewhere and compared: the same" in made
    kept = next(word for word in made.split() if word.endswith(".dump"))
    with pytest.raises(AssertionError, match="say --replace"):
        stack.compose(*backup, "restore", kept)
    stack.compose("stop", "web", "public", "worker", "notices")
    assert "Restored and verified." in stack.compose(*backup, "restore", "--replace", kept)
    stack.compose("start", "web", "public", "worker", "notices")
    # All of them, because a service with one node cannot be upgraded without a pause.
    for container in (*stack.containers("web"), *stack.containers("public")):
        state = ("docker", "inspect", "--format", "{{.State.Health.Status}}", container)
        wait_for(container, lambda asked=state: stack.run(*asked).strip() == "healthy", 300)
    assert stack.ask("GET", page) == 200


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
    """Readers, people with a session and tables send requests all the time, and each gets its answer.

    A file of nginx that the release has changed is named: nginx is not restarted meanwhile.
    """
    before = {service: stack.containers(service) for service in ("web", "public", "nginx")}
    over = threading.Event()

    def probe(number: int) -> list[tuple[int, float, str]]:
        answers = []
        while not over.is_set():
            begun = time.monotonic()
            verb, path, headers = (
                ("GET", f"{page}?n={number}-{len(answers)}", {}),
                ("GET", "/login/", {"Cookie": "sessionid=none"}),
                ("POST", "/t/abcdefghijklmnopqrst/send/", {"Content-Length": "0"}),
            )[number % 3]
            status = stack.ask(verb, path, **headers)
            answers.append((status, time.monotonic() - begun, f"{verb} {path}"))
            _pause.wait(0.05)
        return answers

    os.utime(DOCKER / "nginx-main.conf")
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
        f"slowest {max(seconds for _status, seconds, _what in answers):.1f} s\n"
    )
    wrong = [(status, what) for status, _seconds, what in answers if status == 0 or status >= 500]
    assert wrong == [], stack.compose("logs", "--no-log-prefix", "nginx")[-6000:]
    assert "restored elsewhere and compared: the same" in said
    assert "This release has new files or settings for: nginx." in said
    assert stack.containers("nginx") == before["nginx"]
    for service in ("web", "public"):
        after = stack.containers(service)
        assert len(after) == len(before[service])
        assert not set(after) & set(before[service])


def test_an_upgrade_that_breaks_the_release_before_asks_for_a_pause(
    stack: Stack, page: str
) -> None:
    """Nothing changes without the confirmation; with it, all processes are new and answer."""
    before = {service: stack.containers(service) for service in ("web", "public", "nginx")}
    name = "0029_final_lists"
    undone = f"DELETE FROM django_migrations WHERE app = 'tournament' AND name = '{name}'"
    done = (
        f"INSERT INTO django_migrations (app, name, applied) VALUES ('tournament', '{name}', now())"
    )
    database = ("exec", "-T", "database", "psql", "-U", "manille", "-d", "manille", "-c")
    stack.compose(*database, undone)
    pauses = DOCKER / "pauses"
    text = pauses.read_text()
    pauses.write_text(f"{text}tournament.{name}\n")
    try:
        refused = subprocess.run(
            ["./upgrade", "--no-build"],
            cwd=DOCKER,
            env=stack.environment,
            capture_output=True,
            text=True,
            timeout=600,
        )
    finally:
        pauses.write_text(text)
    stack.compose(*database, done)
    assert refused.returncode == 1
    assert f"tournament.{name}" in refused.stderr
    assert "docker/upgrade --pause" in refused.stderr
    assert {service: stack.containers(service) for service in before} == before

    said = stack.run("./upgrade", "--no-build", "--pause")
    assert "the new processes answer" in said
    assert stack.ask("GET", page) == 200
    assert stack.containers("nginx") == before["nginx"]
    for service in ("web", "public"):
        assert not set(stack.containers(service)) & set(before[service])


def test_an_upgrade_with_the_settings_of_a_release_before_names_what_is_missing(
    stack: Stack,
) -> None:
    before = {service: stack.containers(service) for service in ("web", "worker", "nginx")}
    file = Path(stack.environment["ENV_FILE"])
    good = file.read_text()
    file.write_text("".join(line for line in good.splitlines(True) if "REDIS_P" not in line))
    try:
        refused = subprocess.run(
            ["./upgrade", "--no-build"],
            cwd=DOCKER,
            env=stack.environment,
            capture_output=True,
            text=True,
            timeout=600,
        )
    finally:
        file.write_text(good)
    assert refused.returncode == 1
    assert "REDIS_PASSWORD" in refused.stderr
    assert "Nothing was changed" in refused.stderr
    assert {service: stack.containers(service) for service in before} == before
    assert stack.ask("GET", "/health/ready/") == 200


def test_a_release_that_does_not_start_changes_nothing(stack: Stack, page: str) -> None:
    """The previous web processes and workers continue when the new one never becomes ready."""
    before = {service: stack.containers(service) for service in ("web", "worker", "nginx")}
    file = Path(stack.environment["ENV_FILE"])
    good = file.read_text()
    # A secret that the service refuses to start with.
    file.write_text(good.replace("only-for-this-test-", "x"))
    try:
        done = subprocess.run(
            ["./upgrade", "--no-build"],
            cwd=DOCKER,
            env=stack.environment | {"WAIT": "60"},
            capture_output=True,
            text=True,
            timeout=600,
        )
    finally:
        file.write_text(good)
    assert done.returncode == 1
    assert "The previous release goes on serving" in done.stderr
    assert {service: stack.containers(service) for service in before} == before
    assert stack.ask("GET", page) == 200
