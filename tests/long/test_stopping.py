"""The one-command service ends whole, also while somebody listens to a stream."""

from __future__ import annotations

import http.client
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.programs import free_port, is_up, wait_for

from .installation import Installation

pytestmark = pytest.mark.long
ROOT = Path(__file__).resolve().parents[2]


def test_a_listener_does_not_keep_it_from_ending(tmp_path: Path) -> None:
    """Web process, its workers and the queue's worker are gone, none left to feed the stream."""
    here = Installation(tmp_path, "")
    here.inside("prepare")
    hall = here.inside("hall", players=8, deals=2)
    port = free_port()
    log = tmp_path / "serve.log"
    with log.open("wb") as written:
        service = subprocess.Popen(
            [sys.executable, "-m", "config.serve", "--port", str(port)], cwd=ROOT,
            env=here.environment, stdout=written, stderr=written, start_new_session=True,
        )  # fmt: skip
    try:
        wait_for(
            "the service", lambda: is_up(f"http://127.0.0.1:{port}/health/ready/"), 180,
            process=service, log=log,
        )  # fmt: skip
        line = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
        line.request("GET", f"/e/{hall['slug']}/live/")
        answer = line.getresponse()
        assert answer.status == 200
        assert answer.readline() == b"retry: 2000\n"
        service.send_signal(signal.SIGTERM)
        assert service.wait(60) == 0
        with pytest.raises(ProcessLookupError):
            os.killpg(service.pid, 0)
        line.close()
    finally:
        if service.poll() is None:
            os.killpg(service.pid, signal.SIGKILL)
            service.wait(20)
