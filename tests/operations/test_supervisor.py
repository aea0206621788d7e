"""A part of the service that ends is restarted with growing pauses; the others are not touched."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from operations.supervisor import LONGEST_DELAY, STEADY_AFTER, Part, Supervisor
from tests.programs import wait_for

SLEEPER = ["sleep", "600"]


class Clock:
    """A clock that only the test advances."""

    now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def said() -> list[str]:
    return []


@pytest.fixture
def started(clock: Clock, said: list[str]) -> Iterator[Supervisor]:
    """Run a web process and a worker until they are killed."""
    supervisor = Supervisor(
        [Part("Web", SLEEPER), Part("Worker", SLEEPER)], report=said.append, clock=clock
    )
    supervisor.check()
    yield supervisor
    supervisor.stop()


def pid(part: Part) -> int:
    assert part.process is not None
    return part.process.pid


def kill(supervisor: Supervisor, part: Part) -> None:
    """Kill the part, and let the supervisor notice its end."""
    ends = part.quick_ends, part.next_start
    os.kill(pid(part), signal.SIGKILL)

    def seen() -> bool:
        supervisor.check()
        return (part.quick_ends, part.next_start) != ends

    wait_for("the end to be noticed", seen, 20)


@pytest.mark.guide("operator#one-machine-nothing-to-install")
def test_a_killed_worker_comes_back_and_the_web_is_left_alone(
    started: Supervisor, said: list[str]
) -> None:
    web, worker = started.parts
    before = pid(web), pid(worker)
    kill(started, worker)
    assert pid(web) == before[0]
    assert pid(worker) != before[1]
    assert said == ["Worker has ended (killed by SIGKILL): it is started again now."]


@pytest.mark.guide("operator#one-machine-nothing-to-install")
def test_who_ends_again_and_again_waits_longer_each_time(
    started: Supervisor, clock: Clock, said: list[str]
) -> None:
    web, worker = started.parts
    before = pid(worker)
    delays = []
    for _time in range(8):
        clock.now += 1
        kill(started, web)
        delays.append(web.next_start - clock.now)
        clock.now = web.next_start - 0.01
        started.check()
        assert (web.process is None) == (delays[-1] > 0)
        clock.now = web.next_start
        started.check()
        assert web.process is not None
    assert delays == [0, 1, 2, 4, 8, 16, LONGEST_DELAY, LONGEST_DELAY]
    assert "in 30 s" in said[-1]
    assert pid(worker) == before
    # After a steady run it is started again without a delay.
    clock.now += STEADY_AFTER
    kill(started, web)
    assert said[-1] == "Web has ended (killed by SIGKILL): it is started again now."


def test_a_program_that_is_not_there_takes_nothing_down(clock: Clock, said: list[str]) -> None:
    supervisor = Supervisor(
        [Part("Web", ["/nowhere/granian"]), Part("Worker", SLEEPER)],
        report=said.append,
        clock=clock,
    )
    supervisor.check()
    try:
        assert supervisor.parts[0].process is None
        assert supervisor.parts[1].process is not None
        assert "could not be started" in said[0]
    finally:
        supervisor.stop()


def test_nothing_of_a_part_is_left_when_its_first_process_is_killed(
    clock: Clock, said: list[str], tmp_path: Path
) -> None:
    """A web process has a child, which would otherwise keep the port."""
    noted = tmp_path / "pid"
    below = f"sleep 600 & echo $! > {noted}.part; mv {noted}.part {noted}; wait"
    supervisor = Supervisor([Part("Web", ["sh", "-c", below])], report=said.append, clock=clock)
    supervisor.check()
    try:
        wait_for("the process below", noted.exists)
        child = int(noted.read_text())
        noted.unlink()
        kill(supervisor, supervisor.parts[0])
        wait_for("the process below to be gone", lambda: gone(child))
        wait_for("the next one", noted.exists)
    finally:
        supervisor.stop()
    wait_for("all to be gone", lambda: gone(int(noted.read_text())))


def gone(number: int) -> bool:
    """Return whether the process has ended (an orphan may remain as a zombie without a parent that reaps it)."""
    try:
        return Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except (FileNotFoundError, ProcessLookupError):
        return True
