"""Supervise the parts of the service: restart a part that ends, leave the others alone.

Each part is a process group of its own, so that nothing of it is left when it ends or is stopped,
and so that Ctrl-C reaches the supervisor alone, which then ends all parts in order.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from .one_service import OneService

LONGEST_DELAY: Final = 30.0
"""Seconds that a part which ends again and again waits before its next start."""
STEADY_AFTER: Final = 60.0
"""Seconds of running after which a part that ends is started again at once."""
STOP_TIMEOUT: Final = 10.0
"""Seconds that a part has to end before it is killed."""


@dataclass
class Part:
    """One program of the service, its running process, and when it is started next."""

    name: str
    command: Sequence[str]
    process: subprocess.Popen[bytes] | None = None
    started_at: float = 0.0
    next_start: float = 0.0
    quick_ends: int = 0
    """How often in a row it ended before it had run for a while."""


class Supervisor:
    """Start the parts, start again what ends, stop all of them."""

    def __init__(
        self,
        parts: Sequence[Part],
        *,
        report: Callable[[str], None],
        clock: Callable[[], float] = time.monotonic,
        lock: OneService | None = None,
    ) -> None:
        """``lock``: the lock of the folder, which the parts inherit."""
        self.parts, self._say, self._clock = parts, report, clock
        self._lock = lock

    def check(self) -> None:
        """Start every part that is due, and note every part that has ended; never blocks."""
        for part in self.parts:
            if part.process is not None and part.process.poll() is not None:
                self._note_end(part, part.process)
            if part.process is None and self._clock() >= part.next_start:
                self._start(part)

    def stop(self) -> None:
        """End all parts: TERM first, KILL for what is left after a while."""
        running = [part.process for part in self.parts if part.process is not None]
        for process in running:
            if process.poll() is None:
                process.terminate()
        end = time.monotonic() + STOP_TIMEOUT
        for process in running:
            with suppress(subprocess.TimeoutExpired):
                process.wait(max(0.0, end - time.monotonic()))
            kill_group(process)
        for part in self.parts:
            part.process = None

    def _start(self, part: Part) -> None:
        part.started_at = self._clock()
        try:
            part.process = subprocess.Popen(
                part.command,
                stdin=subprocess.DEVNULL,
                start_new_session=True,
                pass_fds=[self._lock.file] if self._lock else [],
            )
        except OSError as error:
            # Memory or process table is full: treat the part as if it had ended immediately.
            self._plan(part, f"could not be started ({error})")
        if self._lock:
            self._lock.note([each.process.pid for each in self.parts if each.process])

    def _note_end(self, part: Part, process: subprocess.Popen[bytes]) -> None:
        # Its child processes must not compete with the next start for the same port.
        kill_group(process)
        part.process = None
        self._plan(part, f"has ended ({describe_exit(process.returncode)})")

    def _plan(self, part: Part, what: str) -> None:
        now = self._clock()
        part.quick_ends = part.quick_ends + 1 if now - part.started_at < STEADY_AFTER else 0
        delay = delay_before_start(part.quick_ends)
        part.next_start = now + delay
        when = "now" if delay == 0 else f"in {delay:.0f} s"
        self._say(f"{part.name} {what}: it is started again {when}.")


def delay_before_start(quick_ends: int) -> float:
    """Return the seconds to wait: none the first time, then 1, 2, 4, … up to :data:`LONGEST_DELAY`."""
    return 0.0 if quick_ends <= 1 else min(LONGEST_DELAY, 2.0 ** min(quick_ends - 2, 10))


def describe_exit(code: int) -> str:
    """Describe the end of a process in words.

    >>> describe_exit(-9)
    'killed by SIGKILL'
    >>> describe_exit(3)
    'exit code 3'
    """
    if code >= 0:
        return f"exit code {code}"
    try:
        return f"killed by {signal.Signals(-code).name}"
    except ValueError:
        return f"killed by signal {-code}"


def kill_group(process: subprocess.Popen[bytes]) -> None:
    """Kill the process and whatever it has started."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


JSON_LINES: Final = Path(__file__).with_name("granian_logs.json")
"""How the web server writes lines for machines."""


GIVE_BACK: Final = ("_RJEM_MALLOC_CONF", "narenas:1,dirty_decay_ms:100,muzzy_decay_ms:0")
"""The variable by which Granian's allocator gives back within moments what a hall of streams leaves.

At once (0 ms) would cost every finished page a third of its speed; with more arenas than one, those that
nobody uses any more keep theirs.
"""


def web_part(number: int, host: str, port: int, *, log_format: str = "text") -> Part:
    """Return the part for a web process; all web processes share the port."""
    return Part(
        f"Web process {number}",
        [
            sys.executable,
            "-m",
            "granian",
            "--interface",
            "asginl",
            "config.asgi:application",
            "--host",
            host,
            "--port",
            str(port),
            "--workers",
            "1",
            "--log-level",
            "warning",
            *(["--log-config", str(JSON_LINES)] if log_format == "json" else []),
            # Anyone who listens to a stream does not hold up the end.
            "--workers-kill-timeout",
            "5",
            # A hall of phones holds its streams open: they must not fill the server's room.
            "--backlog",
            "4096",
            "--backpressure",
            "20000",
        ],
    )


def worker_part(name: str = "The worker", queue: str = "") -> Part:
    """Return the part for a worker, which does the jobs of one queue, or of all."""
    return Part(
        name,
        [
            sys.executable,
            "-m",
            "celery",
            "--quiet",
            "-A",
            "config",
            "worker",
            "--pool",
            "solo",
            "--without-gossip",
            "--without-mingle",
            "--loglevel",
            "WARNING",
            *(["--queues", queue, "--hostname", f"{queue}@%h"] if queue else []),
        ],
    )
