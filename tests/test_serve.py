"""The one-command service: its start, the host name of its readiness check, and its end."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError
from django.test import Client, override_settings

from config import serve
from config.serve import ask_ready, is_local, lan_address, open_to_the_network, served_name
from operations.one_service import OneService
from operations.supervisor import Part
from tests.programs import ROOT


class Application(BaseHTTPRequestHandler):
    """Django's own answer to another process's request."""

    def do_GET(self) -> None:
        """Answer as the service would under the same Host header."""
        answer = Client().get(self.path, headers={"Host": self.headers["Host"]})
        self.send_response(answer.status_code)
        self.end_headers()
        self.wfile.write(answer.content)

    def log_message(self, *_: Any) -> None:
        """Log nothing."""


@pytest.fixture
def port(monkeypatch: pytest.MonkeyPatch) -> Iterator[int]:
    """Run a server on every address of this machine, with a healthy database and queue."""
    monkeypatch.setattr("operations.health.database_state", lambda: "ok")
    monkeypatch.setattr("operations.health.disk_state", lambda: "ok")
    monkeypatch.setattr("operations.health.queue_state", lambda: "ok")
    Client().get(
        "/health/ready/", headers={"Host": "localhost"}
    )  # the first question loads what answers
    server = ThreadingHTTPServer(("0.0.0.0", 0), Application)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield server.server_port
    server.shutdown()
    server.server_close()


@pytest.mark.long
@pytest.mark.parametrize(
    "allowed",
    [["192.168.1.10"], ["manille.local", "localhost"], [".club.example"], ["*"], ["localhost"]],
)
def test_a_service_for_the_hall_finds_itself_ready(port: int, allowed: list[str]) -> None:
    with override_settings(ALLOWED_HOSTS=allowed):
        assert ask_ready("0.0.0.0", port, served_name("0.0.0.0", allowed)) == ""
        # Another host name is refused, and the operator sees the status.
        if "*" not in allowed:
            assert ask_ready("0.0.0.0", port, "0.0.0.0").startswith("400 ")


def test_what_keeps_it_from_being_ready_is_said(port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("operations.health.database_state", lambda: "unreachable")
    with override_settings(ALLOWED_HOSTS=["localhost"]):
        assert '"database": "unreachable"' in ask_ready("0.0.0.0", port, "localhost")


@pytest.mark.guide("operator#one-machine-nothing-to-install")
def test_the_address_that_is_printed_is_the_one_for_the_hall() -> None:
    assert served_name("0.0.0.0", ["localhost", "192.168.1.10"]) == "192.168.1.10"
    assert served_name("192.168.1.10", ["manille.local", "192.168.1.10"]) == "192.168.1.10"
    assert served_name("::1", ["localhost", "[::1]"]) == "[::1]"


@pytest.mark.guide("operator#one-machine-nothing-to-install")
def test_a_service_opened_to_the_network_answers_to_its_own_address(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("config.serve.lan_address", lambda: "192.168.1.10")
    for host, given, answers in (
        ("0.0.0.0", "", "localhost,127.0.0.1,[::1],192.168.1.10"),
        ("0.0.0.0", "manille.local", "manille.local"),
        ("127.0.0.1", "", ""),
    ):
        monkeypatch.delenv("ALLOWED_HOSTS", raising=False)
        if given:
            monkeypatch.setenv("ALLOWED_HOSTS", given)
        open_to_the_network(host)
        assert os.environ.get("ALLOWED_HOSTS", "") == answers
    monkeypatch.delenv("ALLOWED_HOSTS", raising=False)


def test_the_address_in_the_network_is_no_inner_one() -> None:
    assert not is_local(lan_address() or "192.168.1.10")


@pytest.mark.parametrize(
    ("own", "found"),
    [
        ("192.168.1.10", "192.168.1.10"),
        ("10.0.0.7", "10.0.0.7"),
        ("12.7.0.1", "12.7.0.1"),
        ("127.0.0.1", ""),
        ("127.0.1.1", ""),
    ],
)
def test_the_address_in_the_network_is_the_one_that_others_can_reach(
    monkeypatch: pytest.MonkeyPatch, own: str, found: str
) -> None:
    monkeypatch.setattr(socket.socket, "connect", lambda *_: None)
    monkeypatch.setattr(socket.socket, "getsockname", lambda _: (own, 50_000))
    assert lan_address() == found


def test_a_machine_in_no_network_has_no_address_in_one(monkeypatch: pytest.MonkeyPatch) -> None:
    def no_network(*_: object) -> None:
        raise OSError

    monkeypatch.setattr(socket.socket, "connect", no_network)
    assert lan_address() == ""


@pytest.mark.parametrize(
    ("family", "host"), [(socket.AF_INET, "127.0.0.1"), (socket.AF_INET6, "::1")]
)
def test_a_port_is_free_until_somebody_listens_there(family: int, host: str) -> None:
    if family == socket.AF_INET6 and not Path("/proc/net/if_inet6").exists():
        assert not serve.port_is_free(host, 0)
        return
    with socket.socket(family, socket.SOCK_STREAM) as server:
        server.bind((host, 0))
        server.listen()
        port = server.getsockname()[1]
        assert not serve.port_is_free(host, port)
    assert serve.port_is_free(host, port)


def test_web_processes_and_worker_count_in_a_new_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def counted_in(named: str = "") -> Path:
        monkeypatch.setenv("PROMETHEUS_MULTIPROC_DIR", named)
        serve.count_together()
        place = Path(os.environ["PROMETHEUS_MULTIPROC_DIR"])
        assert list(place.iterdir()) == []
        (place / "counter_7.db").touch()
        return place

    memory, disk = tmp_path / "memory", tmp_path / "disk"
    memory.mkdir()
    monkeypatch.setattr(serve, "MEMORY", memory)
    monkeypatch.setenv("MANILLE_VAR", str(disk))
    # In memory, so that a full disk stops no process; a folder for each installation.
    first = counted_in()
    assert first.parent == memory
    assert counted_in() == first
    monkeypatch.setenv("MANILLE_VAR", str(tmp_path / "other"))
    assert counted_in().parent == memory
    assert counted_in() != first
    assert counted_in(str(tmp_path / "named")) == tmp_path / "named"
    # On a machine without such a folder, or with the name taken by another user: in the data folder.
    monkeypatch.setenv("MANILLE_VAR", str(disk))
    monkeypatch.setattr(serve, "MEMORY", tmp_path / "none")
    assert counted_in() == disk / "metrics"
    monkeypatch.setattr(serve, "MEMORY", memory)
    shutil.rmtree(first)
    first.touch()
    assert counted_in() == disk / "metrics"


@pytest.mark.parametrize("demo", [False, True])
def test_database_and_files_are_brought_up_to_date_before_the_start(
    demo: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    done: list[tuple[str, dict[str, Any]]] = []
    monkeypatch.setattr(
        "django.core.management.call_command", lambda name, **more: done.append((name, more))
    )
    serve.prepare(demo)
    assert [name for name, _more in done] == ["migrate", "collectstatic"] + ["demo"] * demo
    # ``collectstatic`` must not ask a question.
    assert done[1][1]["interactive"] is False


def test_a_database_that_is_refused_is_no_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_words: str, **_more: Any) -> None:
        raise CommandError("Go another way.")

    monkeypatch.setattr("django.core.management.call_command", refuse)
    with pytest.raises(SystemExit, match="Go another way"):
        serve.prepare(demo=False)


@pytest.fixture
def handlers() -> Iterator[None]:
    """Restore the signal handlers of the test's own process afterwards."""
    numbers = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
    before = {number: signal.getsignal(number) for number in numbers}
    for number in numbers:
        # A suite that a script starts in the background ignores some of them.
        signal.signal(number, signal.SIG_DFL)
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


class Watched:
    """A supervisor without processes that records its calls, and acts at its third check."""

    def __init__(self, then: Callable[[int], None]) -> None:
        self.parts: list[str] = []
        self.looks, self.stops, self.then = 0, 0, then

    def __call__(
        self,
        parts: list[Part],
        *,
        report: Callable[[str], None],
        lock: OneService | None,
    ) -> Watched:
        """Accept the parts."""
        self.parts = [part.name for part in parts]
        return self

    def check(self) -> None:
        """Count the check."""
        self.looks += 1
        self.then(self.looks)

    def stop(self) -> None:
        """Count the stop."""
        self.stops += 1


def served(
    monkeypatch: pytest.MonkeyPatch, then: Callable[[int], None], answers: list[str], host: str
) -> Watched:
    """Run the service with ``answers`` to its readiness checks, one for each."""
    supervisor = Watched(then)
    monkeypatch.setattr("operations.supervisor.Supervisor", supervisor)
    monkeypatch.setattr("operations.greeting.setup_is_open", lambda: False)
    monkeypatch.setattr(serve, "INTERVAL", 0)
    monkeypatch.setattr(serve, "ask_ready", lambda *_: answers.pop(0))
    serve.run(host, 8000, demo=False)
    return supervisor


def test_where_it_is_can_be_read_at_once_through_a_pipe() -> None:
    words = (
        "import os, config.serve as s; s.welcome('Ready', '127.0.0.1', '127.0.0.1'); os._exit(0)"
    )
    command = ["env", "-u", "PYTHONUNBUFFERED", sys.executable, "-c", words]
    said = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert said.stdout == "Ready\n"


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_it_says_once_where_it_is_and_ends_its_parts_at_a_signal(
    number: signal.Signals,
    monkeypatch: pytest.MonkeyPatch,
    handlers: None,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("WEB_PROCESSES", "2")

    def end(look: int) -> None:
        if look == 4:
            os.kill(os.getpid(), number)

    supervisor = served(monkeypatch, end, ["503 not yet", ""], "127.0.0.1")
    assert supervisor.parts == [
        "Web process 1",
        "Web process 2",
        "The worker",
        "The worker of notices",
    ]
    assert (supervisor.looks, supervisor.stops) == (4, 1)
    said = capsys.readouterr()
    assert said.out.count("Manille is ready: http://127.0.0.1:8000/") == 1
    assert said.err == ""


def test_it_goes_on_without_a_terminal_where_it_was_started_so(
    monkeypatch: pytest.MonkeyPatch, handlers: None
) -> None:
    signal.signal(signal.SIGHUP, signal.SIG_IGN)  # as nohup does

    def end(look: int) -> None:
        os.kill(os.getpid(), signal.SIGTERM if look == 3 else signal.SIGHUP)

    assert served(monkeypatch, end, ["", ""], "127.0.0.1").looks == 3


def test_a_fault_of_the_supervisor_leaves_no_part_behind(
    monkeypatch: pytest.MonkeyPatch, handlers: None
) -> None:
    def fail(_look: int) -> None:
        raise RuntimeError

    supervisor = Watched(fail)
    monkeypatch.setattr("operations.supervisor.Supervisor", supervisor)
    with pytest.raises(RuntimeError):
        serve.run("127.0.0.1", 8000, demo=False)
    assert supervisor.stops == 1


def test_a_service_that_does_not_come_up_says_once_what_it_waits_for(
    monkeypatch: pytest.MonkeyPatch, handlers: None, capsys: pytest.CaptureFixture[str]
) -> None:
    def end(look: int) -> None:
        if look == 3:
            os.kill(os.getpid(), signal.SIGTERM)

    monkeypatch.setattr(serve, "SLOW_START", 0)
    served(monkeypatch, end, ["503 no database"] * 3, "127.0.0.1")
    said = capsys.readouterr()
    assert said.err.splitlines() == ["The service is not ready yet: 503 no database"]
    assert said.out == ""


@pytest.mark.parametrize("local", [False, True])
def test_slips_bear_the_address_of_the_hall_and_others_are_told_when_refused(
    local: bool,
    monkeypatch: pytest.MonkeyPatch,
    handlers: None,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.delenv("PUBLIC_URL", raising=False)
    with override_settings(ALLOWED_HOSTS=["localhost"] if local else ["localhost", "192.168.1.10"]):
        served(monkeypatch, lambda _: os.kill(os.getpid(), signal.SIGTERM), [""], "0.0.0.0")
    said = capsys.readouterr()
    refused = "Other machines are refused: set ALLOWED_HOSTS" in said.err
    told = os.environ.pop("PUBLIC_URL", None)
    assert (told, refused) == ((None, True) if local else ("http://192.168.1.10:8000", False))


def test_a_taken_port_is_said_before_anything_but_the_lock_is_touched(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    steps: list[tuple[object, ...]] = []
    monkeypatch.setattr(sys, "argv", ["serve", "--demo", "--host", "127.0.0.2", "--port", "8123"])
    for name in ("lock_folder", "open_to_the_network", "count_together", "prepare"):
        monkeypatch.setattr(serve, name, lambda *given, name=name: steps.append((name, *given)))
    monkeypatch.setattr(serve, "run", lambda *given, **more: steps.append((*given, more)))
    monkeypatch.setattr(serve, "port_is_free", lambda *_: False)
    assert serve.main() == 1
    assert "Port 8123 is taken: choose another, e.g. PORT=8124." in capsys.readouterr().err
    assert steps == [("lock_folder",)]
    monkeypatch.setattr(serve, "port_is_free", lambda *_: True)
    assert serve.main() == 0
    assert steps[1:] == [
        ("lock_folder",),
        ("open_to_the_network", "127.0.0.2"),
        ("count_together",),
        ("prepare", True),
        ("127.0.0.2", 8123, {"demo": True, "lock": None}),
    ]
