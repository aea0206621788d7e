"""A process that loads the service once and runs each command in a fork.

A command sees the database, the files and the environment as in its own process; only loading the service is shared.
``python -m tests.forks`` reads a command per line (JSON: ``words`` after ``python``, as ``manage.py migrate`` or ``-m
MODULE``; the files of its ``out`` and ``err``, ``seconds``) and answers each with its exit code.
"""

from __future__ import annotations

import atexit
import contextlib
import json
import os
import runpy
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from tests.programs import ROOT

MOST = 3
"""Number of installations kept loaded: a test has one or two, and earlier ones are gone."""
_one_at_a_time = threading.Lock()
_loaded: dict[frozenset[tuple[str, str]], subprocess.Popen[str]] = {}


def run(
    words: Sequence[str], environment: dict[str, str], *, seconds: int = 600
) -> subprocess.CompletedProcess[str]:
    """Run ``python`` with these words. Return output and exit code (SIGALRM after a timeout)."""
    with tempfile.TemporaryDirectory(prefix="fork-") as folder:
        out, err = Path(folder, "out"), Path(folder, "err")
        code = _ask(environment, words=list(words), out=str(out), err=str(err), seconds=seconds)
        return subprocess.CompletedProcess(words, code, out.read_text(), err.read_text())


@contextlib.contextmanager
def talking(words: Sequence[str], environment: dict[str, str]) -> Iterator[Talk]:
    """Run ``python`` with these arguments as a dialogue over pipes."""
    with tempfile.TemporaryDirectory(prefix="fork-") as folder:
        told, out, err = (str(Path(folder, name)) for name in ("told", "out", "err"))
        for pipe in (told, out):
            os.mkfifo(pipe)
        _ask(environment, words=list(words), told=told, out=out, err=err, seconds=600)
        with open(out) as answers:
            with open(told, "w", buffering=1) as listener:
                yield Talk(listener, answers)
            answers.read()  # until it has ended


@dataclass(frozen=True)
class Talk:
    """A command that answers each line with a line."""

    listener: IO[str]
    answers: IO[str]

    def tell(self, line: str) -> None:
        """Write a line to its input."""
        self.listener.write(f"{line}\n")

    def answer(self) -> str:
        """Return the next line of its output."""
        return self.answers.readline().strip()


def _ask(environment: dict[str, str], **asked: Any) -> int:
    key = frozenset(environment.items())
    with _one_at_a_time:
        process = _loaded.pop(key, None) or _load(environment)
        _loaded[key] = process
        while len(_loaded) > MOST:
            _leave(next(iter(_loaded)))
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(json.dumps(asked) + "\n")
        process.stdin.flush()
        code = process.stdout.readline()
        assert code, f"the service was not loaded for {asked}"
        return int(code)


def _load(environment: dict[str, str]) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "tests.forks"],
        cwd=ROOT,
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


def _leave(key: frozenset[tuple[str, str]]) -> None:
    _loaded.pop(key).communicate(timeout=30)


@atexit.register
def _leave_all() -> None:
    for key in list(_loaded):
        _leave(key)


def do(words: list[str]) -> None:
    """Run these arguments as ``python`` would."""
    if words[0] == "-m":
        sys.argv = words[1:]
        runpy.run_module(words[1], run_name="__main__", alter_sys=True)
    else:
        sys.argv = words
        runpy.run_path(words[0], run_name="__main__")


def in_a_fork(words: list[str], out: str, err: str, seconds: int, told: str = "") -> int:
    """Run the words in a fork of this process. Return its exit code, negative for a signal.

    With ``told``, a pipe to its input, the fork is not awaited.
    """
    child = os.fork()
    if child:
        return 0 if told else os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    code: Any = 1
    try:
        signal.alarm(seconds)
        # In this order, as the other end opens the pipes.
        for name, number in ((out, 1), (told or os.devnull, 0), (err, 2)):
            opened = os.open(name, os.O_RDONLY if number == 0 else os.O_WRONLY | os.O_CREAT, 0o600)
            os.dup2(opened, number)
            os.close(opened)
        try:
            do(words)
            code = 0
        except SystemExit as ended:
            code = ended.code
            if isinstance(code, str):
                sys.stderr.write(f"{code}\n")
        except BaseException:
            sys.excepthook(*sys.exc_info())
            raise
    finally:
        with contextlib.suppress(OSError, ValueError):
            sys.stdout.flush()
            sys.stderr.flush()
        os._exit(code if isinstance(code, int) else int(code is not None))
    return 0


def serve() -> None:
    """Load the service, then answer line by line until the input ends."""
    import django

    django.setup()
    import config.urls  # noqa: F401

    for line in sys.stdin:
        sys.stdout.write(f"{in_a_fork(**json.loads(line))}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    serve()
