"""The image's entrypoint, run for real in each of its roles, on the files that the image gets.

The files that the Dockerfile copies are placed in a folder, and nothing else is reachable from there: a module, a
template or a catalogue missing from the image fails here.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.programs import PATIENCE, ROOT, wait_for

from .installation import Installation, Program

pytestmark = pytest.mark.long


COPIED = re.compile(r"^COPY (?!--from)(?:--chown=\S+ )?(\S+) (\S+)$", re.MULTILINE)


def image(folder: Path) -> Path:
    """Copy the files that the Dockerfile copies into the image, and its entrypoint."""
    last = (ROOT / "docker" / "Dockerfile").read_text().rpartition("\nFROM ")[2]
    place = folder / "srv"
    place.mkdir()
    for source, target in COPIED.findall(last):
        to = folder / target.lstrip("/") if target.startswith("/") else place / target
        if (ROOT / source).is_dir():
            shutil.copytree(ROOT / source, to, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            (to / source if target == "./" else to).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / source, to)
    return place


def role(here: Installation, place: Path, *words: str) -> Program:
    """Return the entrypoint with a role, on the path of this environment."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment = here.environment | {
        "PATH": path,
        "PORT": str(here.port),
        "WEB_PROCESSES": "1",
        "WORKER_PROCESSES": "1",
    }
    return Program(
        [str(here.folder / "usr/local/bin/manille"), *words],
        environment,
        here.folder / f"{words[0]}.log",
        place,
    )


def health(here: Installation, place: Path) -> int:
    """Return the exit code of the container's health check. Its host is the first of the allowed hosts."""
    program = role(here, place, "health")
    return subprocess.run(program.words, env=program.environment, cwd=place, timeout=60).returncode


@pytest.mark.guide("operator#roles-of-processes")
def test_each_role_of_the_entrypoint(tmp_path: Path) -> None:
    here = Installation(tmp_path)
    place = image(tmp_path)
    assert not (place / "tests").exists()
    for words in (
        ["migrate"],
        ["demo", "--players", "16"],
        ["audit_verify"],
        ["backup", "--prove"],
    ):
        program = role(here, place, *words)
        done = subprocess.run(
            program.words,
            env=program.environment,
            cwd=place,
            capture_output=True,
            text=True,
            timeout=10 * PATIENCE,
        )
        assert done.returncode == 0, done.stderr
    web, worker = role(here, place, "web"), role(here, place, "worker")
    try:
        web.start()
        worker.start()
        wait_for("the web role to answer", lambda: here.get("/health/ready/")[0] == 200)
        assert here.get("/static/css/app.css")[0] == 200
        # The program's own question, under any of the service's names.
        assert health(here, place) == 0
        job = here.inside("hall", players=8, published=False)
        asked = here.inside("ask_draw", round=job["round"])["jobs"]
        wait_for(
            "the worker role to draw",
            lambda: here.inside("facts", event=job["event"])["draws"] and asked,
        )
    finally:
        web.kill()
        worker.kill()
