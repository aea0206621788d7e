"""One request id in every log, from nginx to the worker, and every log line is JSON.

The processes are those of an installation: ``config.serve`` on one machine, the image's entrypoint in its roles on
PostgreSQL and Redis.
"""

from __future__ import annotations

import json
import os
import shlex
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from copy import copy
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import missing
from tests.programs import PATIENCE, ROOT, nginx, nginx_program, wait_for

from .installation import Browser, Installation, Program, servers

pytestmark = pytest.mark.long
LINE = {"timestamp", "level", "logger", "event"}
ACCESS = {"timestamp", "logger", "request_id", "address", "method", "path", "status", "seconds"}


@pytest.fixture(
    params=[
        "sqlite",
        pytest.param("postgresql", marks=[pytest.mark.postgres, pytest.mark.redis]),
    ]
)
def here(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Installation]:
    if nginx_program() is None:
        missing("nginx", "apt-get install nginx-light")
    if request.param == "sqlite":
        yield Installation(tmp_path)
        return
    with servers() as (folder, postgres, redis):
        yield Installation(folder, postgres.url("one"), redis)


def as_installed(here: Installation, public: Installation) -> dict[str, Program]:
    """Return the processes by name; on one machine all of them write to one log."""
    if not here.database:
        words = [sys.executable, "-m", "config.serve", "--port", str(here.port)]
        # Its console output is for the operator and is not a log.
        printed = shlex.quote(str(here.folder / "printed"))
        shell = ["sh", "-c", f"exec {shlex.join(words)} > {printed}"]
        return {"serve": Program(shell, here.environment, here.folder / "serve.log")}
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    return {
        role: Program(
            [str(ROOT / "docker" / "entrypoint"), role],
            # Each container has its own folder.
            at.environment
            | {"PATH": path, "PORT": str(at.port), "MANILLE_VAR": str(at.folder / role)}
            | {"WEB_PROCESSES": "1", "WORKER_PROCESSES": "1"},
            at.folder / f"{role}.log",
        )
        for role, at in (("web", here), ("public", public), ("worker", here))
    }


@contextmanager
def running(programs: dict[str, Program]) -> Iterator[None]:
    """Start the programs, and end each one regularly afterwards."""
    try:
        for program in programs.values():
            program.start()
        yield
        for program in programs.values():
            assert program.process is not None
            program.process.send_signal(signal.SIGTERM)
            program.process.wait(PATIENCE)
    finally:
        for program in programs.values():
            program.kill()


def lines(log: Path) -> list[dict[str, Any]]:
    """Return a log's lines, each a JSON object."""
    found = []
    for line in log.read_text().splitlines():
        try:
            found.append(dict(json.loads(line)))
        except ValueError:
            pytest.fail(f"{log.name} has a line that is no JSON: {line}")
    return found


@pytest.mark.guide("operator#health-and-metrics")
def test_a_request_has_one_id_from_nginx_to_the_worker_in_lines_of_json(
    here: Installation,
) -> None:
    here.environment |= {"LOG_FORMAT": "json", "TRUST_PROXY": "true"}
    here.prepare()
    hall = here.inside("hall", players=16, published=False)
    public = here.another_web("public", READ_ONLY_NODE="1") if here.database else here
    programs, access = as_installed(here, public), here.folder / "access.log"
    with running(programs), nginx([here.port], public.port, log=access) as front:
        for node in (here, public):
            wait_for("the service", lambda at=node: at.get("/health/ready/")[0] == 200)
        through = copy(here)
        through.port = front
        director = Browser(through)
        assert director.sign_in(hall["directors"][0])[0] == 302
        asked = f"/desk/{hall['slug']}/rounds/{hall['round']}/draw/"
        nowhere, away = f"/desk/{hall['slug']}/nowhere/", f"/e/{hall['slug']}/nowhere/"
        ids = {}
        for verb, path, status in (("POST", asked, 302), ("GET", nowhere, 404)):
            answer = director.send(verb, path)
            assert answer[0] == status
            ids[path] = str(answer[1]["X-Request-ID"])
        answer = through.send("GET", away)
        assert answer[0] == 404
        ids[away] = str(answer[1]["X-Request-ID"])
        wait_for("the draw", lambda: here.inside("facts", event=hall["event"])["draws"])
    written = {name: lines(program.log) for name, program in programs.items()}
    requests = lines(access)
    assert all(set(line) >= ACCESS for line in requests)
    assert {line["path"]: line["request_id"] for line in requests if line["path"] in ids} == ids
    for name, log in written.items():
        assert [line for line in log if not set(line) >= LINE] == [], name

    def says(name: str, word: str, path: str) -> list[dict[str, Any]]:
        """Return the lines of that request in the log of a process."""
        log = written.get(name) or written["serve"]
        return [
            line for line in log if line.get("request_id") == ids[path] and word in line["event"]
        ]

    # The application logs what it cannot find, and the worker what it has done.
    assert len(says("web", nowhere, nowhere)) == 1
    assert len(says("public", away, away)) == 1
    (done,) = says("worker", "job_done", asked)
    # The audit chain has the id for the request and for the worker's result.
    bearing = here.inside("bearing", request=ids[asked])
    assert bearing["jobs"] == [done["job_id"]]
    assert "round.drawn" in bearing["verbs"]
