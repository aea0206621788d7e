"""The one-command service: it starts where the guide says, survives a killed part, and ends completely."""

from __future__ import annotations

import http.client
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.programs import answers, free_port, is_up, wait_for

from .installation import Installation

pytestmark = pytest.mark.long
ROOT = Path(__file__).resolve().parents[2]


class Service:
    """``config.serve``, its console output, and its child processes."""

    def __init__(self, here: Installation, *words: str, **environment: str) -> None:
        self.port = free_port()
        self.log = here.folder / "serve.log"
        with self.log.open("wb") as written:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "config.serve", "--port", str(self.port), *words],
                cwd=ROOT,
                env=here.environment | environment,
                stdout=written,
                stderr=written,
                start_new_session=True,
                # A shell's background processes ignore Ctrl-C, and their children would inherit that.
                preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
            )

    @property
    def up(self) -> bool:
        """Return whether the service is ready, requested under a name of this machine."""
        return is_up(f"http://127.0.0.1:{self.port}/health/ready/")

    def printed(self, text: str) -> bool:
        """Return whether the console log contains the text."""
        return text in self.log.read_text()

    def wait_for(self, what: str, ready: Callable[[], Any]) -> None:
        """Wait until ``ready`` returns true, while the service runs."""
        wait_for(what, ready, 240, process=self.process, log=self.log)

    def part(self, program: str) -> int | None:
        """Return the process of a part: ``granian``, or a worker by its name (``celery@``)."""
        for number in below(self.process.pid, deep=False):
            if program in command(number):
                return number
        return None

    def replaced(self, program: str, before: int) -> bool:
        """Return whether the part now runs as another process."""
        now = self.part(program)
        return now is not None and now != before


def below(number: int, *, deep: bool = True) -> list[int]:
    """Return the child processes of a process, with ``deep`` all its descendants."""
    try:
        text = Path(f"/proc/{number}/task/{number}/children").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return []
    children = [int(word) for word in text.split()]
    return children + [each for child in children if deep for each in below(child)]


def command(number: int) -> str:
    """Return the command line of a process, or "" when it has ended."""
    try:
        return Path(f"/proc/{number}/cmdline").read_text().replace("\0", " ")
    except (FileNotFoundError, ProcessLookupError):
        return ""


@contextmanager
def service(here: Installation, *words: str, **environment: str) -> Iterator[Service]:
    """Run a service and remove all its traces afterwards."""
    started = Service(here, *words, **environment)
    try:
        yield started
    finally:
        left = [started.process.pid, *below(started.process.pid)]
        for number in left if started.process.poll() is None else []:
            os.kill(number, signal.SIGKILL)
        started.process.wait(20)


@pytest.fixture
def here(tmp_path: Path) -> Installation:
    installation = Installation(tmp_path)
    installation.prepare()
    return installation


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_listener_does_not_keep_it_from_ending(here: Installation, number: int) -> None:
    """Web process, its workers and the queue's worker end, and none of them feeds the stream."""
    hall = here.inside("hall", players=8, deals=2)
    with service(here) as running:
        running.wait_for("the service", lambda: running.up)
        line = http.client.HTTPConnection("127.0.0.1", running.port, timeout=30)
        line.request("GET", f"/e/{hall['slug']}/live/")
        answer = line.getresponse()
        assert answer.status == 200
        assert answer.readline() == b"retry: 2000\n"
        processes = below(running.process.pid)
        assert len(processes) >= 3
        # As Ctrl-C does: to all processes of the terminal.
        os.killpg(running.process.pid, number)
        assert running.process.wait(60) == 0
        assert [command(each) for each in processes if command(each)] == []
        assert not answers(running.port)
        line.close()


@pytest.mark.guide("operator#one-machine-nothing-to-install")
def test_it_starts_for_a_hall_as_the_guide_says(here: Installation) -> None:
    """Bound to every address and named by the hall network's address, which it prints."""
    with service(here, "--host", "0.0.0.0", ALLOWED_HOSTS="192.168.1.10") as running:
        running.wait_for(
            "its address",
            lambda: running.printed(f"Manille is ready: http://192.168.1.10:{running.port}/"),
        )
        line = http.client.HTTPConnection("127.0.0.1", running.port, timeout=30)
        line.request("GET", "/health/ready/", headers={"Host": "192.168.1.10"})
        assert line.getresponse().status == 200
        line.close()


@pytest.mark.guide("operator#one-machine-nothing-to-install")
def test_a_killed_part_comes_back_and_the_other_goes_on(here: Installation) -> None:
    with service(here) as running:
        running.wait_for("the service", lambda: running.up)
        running.wait_for("its parts", lambda: running.part("granian") and running.part("celery@"))
        web, worker = running.part("granian"), running.part("celery@")
        assert web is not None
        assert worker is not None
        # The worker: the web process stays the same and keeps answering.
        os.kill(worker, signal.SIGKILL)
        running.wait_for("the worker", lambda: running.up and running.replaced("celery@", worker))
        assert running.part("granian") == web
        assert running.printed("The worker has ended (killed by SIGKILL): it is started again now.")
        worker = running.part("celery@")
        # Kill the serving process twice, then its parent twice.
        for program_below in (True, True, False, False):
            web = running.part("granian")
            assert web is not None
            os.kill(below(web)[0] if program_below else web, signal.SIGKILL)
            running.wait_for("the web", lambda web=web: running.replaced("granian", web))
            running.wait_for("a process that serves", lambda: below(running.part("granian") or 0))
        running.wait_for("pages", lambda: running.up)
        assert running.part("celery@") == worker
        assert running.printed("Web process 1 has ended")
        # The restarted worker does a requested job.
        hall = here.inside("hall", players=8, published=False)
        assert here.inside("ask_draw", round=hall["round"])["jobs"]
        running.wait_for("a draw", lambda: here.inside("facts", event=hall["event"])["draws"])
        running.process.send_signal(signal.SIGTERM)
        assert running.process.wait(60) == 0
        assert not answers(running.port)
