"""One service runs on a folder, and the parts of a killed one end before the next begins."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from ledger.errors import WrongSetting
from operations.one_service import OneService
from tests.programs import ROOT

SERVICE = """
import subprocess, sys
from pathlib import Path
from operations.one_service import OneService
lock = OneService(Path(sys.argv[1]))
part = subprocess.Popen(["sleep", "600"], start_new_session=True, pass_fds=[lock.file])
lock.note([part.pid])
print(part.pid, flush=True)
sys.stdin.read()
"""


def service(folder: Path) -> tuple[subprocess.Popen[str], int]:
    """Run a supervisor with one part; returns it, and the part's process id."""
    process = subprocess.Popen(
        [sys.executable, "-c", SERVICE, str(folder)],
        cwd=ROOT,
        text=True,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    assert process.stdout
    return process, int(process.stdout.readline())


@pytest.mark.guide("operator#one-machine-nothing-to-install")
def test_a_second_service_on_a_folder_is_refused_by_the_process_of_the_first(
    tmp_path: Path,
) -> None:
    first, part = service(tmp_path)
    try:
        with pytest.raises(WrongSetting, match=f"process {first.pid}"):
            OneService(tmp_path)
        assert OneService(tmp_path / "another").file
    finally:
        os.killpg(part, signal.SIGKILL)
        first.communicate()


@pytest.mark.guide("operator#one-machine-nothing-to-install")
def test_what_a_killed_supervisor_left_is_ended_before_the_next_begins(tmp_path: Path) -> None:
    first, part = service(tmp_path)
    first.kill()
    first.wait()
    os.kill(part, 0)  # its part goes on
    lock = OneService(tmp_path)
    with pytest.raises(WrongSetting):
        OneService(tmp_path)
    os.close(lock.file)
    waited = subprocess.run(["ps", "-o", "stat=", "-p", str(part)], capture_output=True, text=True)
    assert waited.stdout.strip()[:1] in ("", "Z")


def test_a_service_that_ended_leaves_the_folder_free(tmp_path: Path) -> None:
    first, part = service(tmp_path)
    os.killpg(part, signal.SIGKILL)
    first.communicate()
    os.close(OneService(tmp_path).file)
