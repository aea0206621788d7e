"""A real server in its own process that a test may kill, and a Chromium that uses it."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

from tests import forks
from tests.conftest import missing
from tests.programs import ROOT, free_port, is_up, wait_for


class Server:
    """The service on a port, with its own files and database; it can be killed and restarted."""

    def __init__(self, folder: Path, database_url: str = "") -> None:
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.process: subprocess.Popen[bytes] | None = None
        self.inside: subprocess.Popen[str] | None = None
        self.log = (folder / "server.log").open("ab")
        self.env = {
            **os.environ,
            "MANILLE_VAR": str(folder / "var"),
            "DATABASE_URL": database_url,
            "BROKER_URL": "",
            "CACHE_URL": "",
            "BACKUP_HOURS": "0",
            "DJANGO_SETTINGS_MODULE": "config.settings",
            "PYTHONPATH": str(ROOT),
        }

    def manage(self, *arguments: str) -> str:
        """Run a management command against the server's database. Return its output."""
        done = forks.run(["manage.py", *arguments], self.env)
        assert done.returncode == 0, done.stderr[-3000:]
        return done.stdout

    def python(self, code: str) -> Any:
        """Run code inside the application. Return the JSON of its last printed line."""
        return json.loads(self.manage("shell", "-v", "0", "-c", code).strip().splitlines()[-1])

    def ask(self, verb: str, **more: Any) -> Any:
        """Ask ``tests.browser.inside`` to prepare or read data in the installation."""
        if self.inside is None:
            self.inside = subprocess.Popen(
                [sys.executable, "-m", "tests.browser.inside"],
                cwd=ROOT,
                env=self.env,
                text=True,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self.log,
            )
        assert self.inside.stdin is not None
        assert self.inside.stdout is not None
        self.inside.stdin.write(json.dumps({"verb": verb, "with": more}) + "\n")
        self.inside.stdin.flush()
        line = self.inside.stdout.readline()
        if not line:
            self.leave()
            self.log.flush()
            raise RuntimeError(f"{verb} failed: {Path(self.log.name).read_text()[-2000:]}")
        return json.loads(line)

    def leave(self) -> None:
        """End the helper process of :meth:`ask`."""
        if self.inside is not None:
            self.inside.communicate(timeout=20)
        self.inside = None

    def prepare(self) -> None:
        """Migrate the database and copy the static files."""
        take_prepared(Path(self.env["MANILLE_VAR"]))
        if self.env["DATABASE_URL"]:
            self.manage("migrate", "--verbosity", "0")

    def start(self) -> None:
        """Start the server and wait until it is ready."""
        self.process = subprocess.Popen(
            [
                sys.executable,
                "-m",
                "granian",
                "--interface",
                "asginl",
                "config.asgi:application",
                "--host",
                "127.0.0.1",
                "--port",
                str(self.port),
                "--workers",
                "1",
                "--static-path-route",
                "/static",
                "--static-path-mount",
                str(Path(self.env["MANILLE_VAR"]) / "static"),
                "--log-level",
                "warning",
            ],
            cwd=ROOT,
            env=self.env,
            stdout=self.log,
            stderr=self.log,
            start_new_session=True,
        )
        wait_for(
            "the server to answer",
            lambda: is_up(f"{self.url}/health/live/"),
            180,
            process=self.process,
            log=Path(self.log.name),
        )

    def kill(self) -> None:
        """Kill the server and its workers with SIGKILL."""
        if self.process is not None and self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait(20)
        self.process = None


@cache
def _prepared() -> tempfile.TemporaryDirectory[str]:
    folder = tempfile.TemporaryDirectory(prefix="prepared-")
    named = {"DATABASE_URL": "", "BROKER_URL": "", "CACHE_URL": "", "MANILLE_VAR": folder.name}
    environment = {**os.environ, "DJANGO_SETTINGS_MODULE": "config.settings", **named}
    for command in (["migrate"], ["collectstatic", "--no-input"]):
        done = forks.run(["manage.py", *command, "--verbosity", "0"], environment)
        assert done.returncode == 0, done.stderr[-3000:]
    Path(folder.name, "secret.key").unlink()
    return folder


def take_prepared(folder: Path) -> None:
    """Copy an empty, migrated SQLite database and the static files to an installation's folder.

    They are built once for all installations of this process.
    """
    shutil.copytree(_prepared().name, folder, dirs_exist_ok=True)


@contextmanager
def fresh_database(kind: str, like: str = "") -> Iterator[str]:
    """Yield the address of a new database: ``sqlite`` (empty address) or ``postgresql``, dropped afterwards.

    It is empty, or a copy of the PostgreSQL database at the address ``like``. PostgreSQL is the server of
    ``RACE_DATABASE_URL``, else the local server; without one the test is skipped.
    """
    if kind == "sqlite":
        yield ""
        return
    import psycopg

    base = os.environ.get("RACE_DATABASE_URL", "postgres://root@localhost/postgres")
    name = f"test_{uuid.uuid4().hex[:12]}"
    try:
        with psycopg.connect(base, autocommit=True, connect_timeout=3) as connection:
            template = like.rpartition("/")[2] or "template1"
            connection.execute(f"create database {name} template {template}")
    except (OSError, psycopg.Error) as error:
        missing("A PostgreSQL server", f"set RACE_DATABASE_URL ({error})")
    try:
        yield base.rpartition("/")[0] + f"/{name}"
    finally:
        with psycopg.connect(base, autocommit=True) as connection:
            connection.execute(f"drop database if exists {name} with (force)")


@contextmanager
def server(folder: Path, database_url: str = "") -> Iterator[Server]:
    """Run a prepared server and remove all its traces afterwards."""
    made = Server(folder, database_url)
    try:
        made.prepare()
        made.start()
        yield made
    finally:
        made.kill()
        made.leave()
        made.log.close()


HOLDS_BACK = """
const away = window.fetch.bind(window);
window.fetch = (what, ...more) => {
  return localStorage.getItem("test:offline") ? Promise.reject(new TypeError("no network")) : away(what, ...more);
};
"""
"""Blocks the requests of a phone's page while ``test:offline`` is set."""


def phone(browser: Any, server_url: str, language: str = "en", **more: Any) -> Any:
    """Return a new phone's browser context, 360 px wide, in one of the interface languages."""
    context = browser.new_context(
        viewport={"width": 360, "height": 740}, has_touch=True, base_url=server_url, **more
    )
    context.add_cookies([{"name": "django_language", "value": language, "url": server_url}])
    context.add_init_script(HOLDS_BACK)
    return context
