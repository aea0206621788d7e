"""The image's entrypoint, run for real in each of its roles, without the image."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from .installation import PATIENCE, ROOT, Installation, Program, wait_for

pytestmark = pytest.mark.long


def role(here: Installation, *words: str) -> Program:
    """The entrypoint with a role, on the path of this environment."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment = here.environment | {"PATH": path, "PORT": str(here.port), "WEB_PROCESSES": "1",
                                      "WORKER_PROCESSES": "1"}  # fmt: skip
    return Program(
        [str(ROOT / "docker" / "entrypoint"), *words], environment, here.folder / f"{words[0]}.log"
    )


def test_each_role_of_the_entrypoint(tmp_path: Path) -> None:
    here = Installation(tmp_path, "")
    for words in (["migrate"], ["audit_verify"]):
        program = role(here, *words)
        done = subprocess.run(
            program.words, env=program.environment, cwd=ROOT, capture_output=True, text=True,
            timeout=10 * PATIENCE,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
    web, worker = role(here, "web"), role(here, "worker")
    try:
        web.start()
        worker.start()
        wait_for("the web role to answer", lambda: here.get("/health/ready/")[0] == 200)
        assert here.get("/static/css/app.css")[0] == 200
        job = here.inside("hall", players=8, published=False)
        asked = here.inside("ask_draw", round=job["round"])["jobs"]
        wait_for(
            "the worker role to draw",
            lambda: here.inside("facts", event=job["event"])["draws"] and asked,
        )
    finally:
        web.kill()
        worker.kill()
