"""A whole installation for tests: PostgreSQL, Redis, web and worker, each of which can be killed.

Everything runs on free ports and in one temporary folder; no other process of the machine is touched.
"""

from __future__ import annotations

import http.client
import json
import os
import shutil
import signal
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from copy import copy
from email.message import Message
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest

from config.environment import VARIABLES
from operations.supervisor import GIVE_BACK, web_part, worker_part
from tests import forks
from tests.browser.serving import take_prepared
from tests.conftest import missing
from tests.programs import PATIENCE, ROOT, answers, free_port, wait_for

SETUP = "Oostende-2017"
"""Code for the first account of an installation under attack."""
FIGURES = "figures-of-the-hall"
"""Bearer token of its metrics."""
FORM = "application/x-www-form-urlencoded"
_pause = threading.Event()


def _postgres_programs() -> str | None:
    """Return the folder of initdb, postgres and pg_ctl (Debian installs them outside the path)."""
    folders = sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    for folder in folders:
        if (folder / "initdb").exists() and (folder / "postgres").exists():
            return str(folder)
    found = shutil.which("pg_ctl")
    return str(Path(found).resolve().parent) if found else None


class Postgres:
    """A private PostgreSQL server (as root it runs under the user postgres, since PostgreSQL refuses root)."""

    def __init__(self, folder: Path) -> None:
        programs = _postgres_programs()
        if programs is None:
            missing("PostgreSQL", "apt-get install postgresql")
        self.programs = str(programs)
        self.folder = folder / "postgres"
        self.port = free_port()
        self.folder.mkdir()
        if os.getuid() == 0:
            shutil.chown(self.folder, "postgres", "postgres")
        self._run(
            "initdb", "-D", str(self.folder / "data"), "-U", "manille", "-A", "trust", "--no-sync"
        )

    def _run(self, program: str, *words: str) -> None:
        command = [f"{self.programs}/{program}", *words]
        if os.getuid() == 0:
            command = ["runuser", "-u", "postgres", "--", *command]
        done = subprocess.run(
            command, cwd=self.folder, capture_output=True, text=True, timeout=PATIENCE
        )
        if done.returncode:
            pytest.fail(f"{program}: {done.stdout}{done.stderr}")

    def start(self) -> None:
        """Start the server and wait until it accepts connections."""
        self._run(
            "pg_ctl",
            "-D",
            str(self.folder / "data"),
            "-w",
            "-t",
            "60",
            "-s",
            "-l",
            str(self.folder / "log"),
            "-o",
            f"-p {self.port} -k {self.folder} -h 127.0.0.1 -c max_connections=120",
            "start",
        )

    def stop(self, mode: str = "immediate") -> None:
        """Stop the server; ``immediate`` is a crash: connections are cut, recovery follows at the start."""
        self._run("pg_ctl", "-D", str(self.folder / "data"), "-w", "-s", "-m", mode, "stop")

    @property
    def running(self) -> bool:
        """Return whether the server accepts connections."""
        return answers(self.port)

    def url(self, name: str, like: str = "template1") -> str:
        """Create a database as a copy of another. Return its address."""
        import psycopg

        with psycopg.connect(
            f"postgresql://manille@127.0.0.1:{self.port}/postgres", autocommit=True
        ) as link:
            link.execute(f'CREATE DATABASE "{name}" TEMPLATE "{like}"')
        return f"postgres://manille@127.0.0.1:{self.port}/{name}"


class Redis:
    """A private Redis server with a password and without persistence: stopping it loses every message."""

    password = "0123456789abcdef"

    def __init__(self, folder: Path) -> None:
        self.program = shutil.which("redis-server")
        if self.program is None:
            missing("Redis", "apt-get install redis-server")
        self.folder = folder
        self.port = free_port()
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start the server and wait until it accepts connections."""
        self.process = subprocess.Popen(
            [
                str(self.program),
                "--port",
                str(self.port),
                "--bind",
                "127.0.0.1",
                "--save",
                "",
                "--appendonly",
                "no",
                "--dir",
                str(self.folder),
                "--requirepass",
                self.password,
            ],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        wait_for("Redis to start", lambda: answers(self.port), process=self.process)

    def url(self, number: int, scheme: str = "redis") -> str:
        """Return the address of one of its databases, in the compose file's notation."""
        return f"{scheme}://default:{self.password}@127.0.0.1:{self.port}/{number}"

    def kill(self) -> None:
        """Kill the server, so that it cannot save anything."""
        if self.process is not None:
            self.process.kill()
            self.process.wait(PATIENCE)
            self.process = None


class Program:
    """A process of the service with all its children, killed as a group."""

    def __init__(
        self, words: list[str], environment: dict[str, str], log: Path, place: Path = ROOT
    ) -> None:
        self.words, self.environment, self.log, self.place = words, environment, log, place
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start the process in its own group."""
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                self.words,
                cwd=self.place,
                env=self.environment,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )

    def signal(self, number: int) -> None:
        """Send a signal to the whole group."""
        if self.process is not None:
            try:
                os.killpg(self.process.pid, number)
            except ProcessLookupError:
                return

    def kill(self) -> None:
        """Kill the process with SIGKILL, which runs no handler."""
        self.signal(signal.SIGKILL)
        if self.process is not None:
            self.process.wait(PATIENCE)

    def memory(self) -> float:
        """Return the resident memory of the program with all its child processes, in MB."""
        return sum(map(resident, self.processes()))

    def processes(self) -> list[int]:
        """Return the processes of its group."""
        group = self.process.pid if self.process is not None else 0
        return [number for number in map(int, numbers()) if group_of(number) == group]


def numbers() -> list[str]:
    """Return the process ids of this machine."""
    return [name for name in os.listdir("/proc") if name.isdigit()]


def group_of(process: int) -> int:
    """Return the group of a process, or 0 when it has ended."""
    try:
        return os.getpgid(process)
    except ProcessLookupError:
        return 0


def resident(process: int) -> float:
    """Return the memory of a process in MB, or 0 when it has ended."""
    try:
        pages = int(Path(f"/proc/{process}/statm").read_text().split()[1])
    except (FileNotFoundError, ProcessLookupError):
        return 0.0
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


class Installation:
    """The service on given servers: its processes, and access to its records."""

    def __init__(self, folder: Path, database: str = "", redis: Redis | None = None) -> None:
        self.folder = folder
        self.database = database
        self.port = free_port()
        self.environment = {
            name: value for name, value in os.environ.items() if name not in VARIABLES
        } | {
            "DJANGO_SETTINGS_MODULE": "config.settings",
            "MANILLE_VAR": str(folder / "var"),
            "MANILLE_MODE": "production" if redis else "embedded",
            "SECRET_KEY": "only-for-this-test-" * 4,
            "ALLOWED_HOSTS": "127.0.0.1,testserver",
            "DATABASE_URL": database,
            "BROKER_URL": redis.url(0) if redis else "",
            "CACHE_URL": redis.url(1, "rediscache") if redis else "",
            "JOB_LEASE_SECONDS": "3",
            "BACKUP_HOURS": "0",
            "LOG_LEVEL": "INFO",
            "PYTHONUNBUFFERED": "1",
            **dict([GIVE_BACK]),
        }
        self.web = Program(
            [*web_part(1, "127.0.0.1", self.port).command], self.environment, folder / "web.log"
        )
        self.worker = Program([*worker_part().command], self.environment, folder / "worker.log")

    def another_web(self, name: str, **environment: str) -> Installation:
        """Return one more web process of the same installation, on its own port."""
        twin = copy(self)
        twin.port = free_port()
        words = [str(twin.port) if word == str(self.port) else word for word in self.web.words]
        twin.environment = self.environment | environment
        twin.web = Program(words, twin.environment, self.folder / f"{name}.log")
        twin.worker = Program(
            [*self.worker.words, "--hostname", f"{name}@%h"],
            twin.environment,
            self.folder / f"{name}-worker.log",
        )
        return twin

    def inside(self, verb: str, **asked: Any) -> Any:
        """Call :mod:`tests.long.inside` with a verb. Return its answer."""
        done = forks.run(
            ["-m", "tests.long.inside", verb, json.dumps(asked)],
            self.environment,
            seconds=int(10 * PATIENCE),
        )
        if done.returncode:
            pytest.fail(f"{verb}: {done.stdout[-2000:]}{done.stderr[-3000:]}")
        return json.loads(done.stdout.splitlines()[-1])

    def prepare(self) -> None:
        """Migrate the database and copy the static files."""
        take_prepared(Path(self.environment["MANILLE_VAR"]))
        if self.database:
            assert self.manage("migrate", "--verbosity", "0").returncode == 0

    def manage(self, *words: str) -> subprocess.CompletedProcess[str]:
        """Run a management command."""
        return forks.run(["manage.py", *words], self.environment, seconds=int(10 * PATIENCE))

    def tool(self, *words: str) -> subprocess.CompletedProcess[str]:
        """Run one of the tools."""
        return forks.run(["-m", "tools", *words], self.environment, seconds=int(10 * PATIENCE))

    def start_web(self) -> None:
        """Start the web process and wait until it answers."""
        self.web.start()
        wait_for(
            "the web process to answer",
            lambda: self.get("/health/live/")[0] == 200,
            process=self.web.process,
            log=self.web.log,
        )

    def get(self, path: str, **headers: str) -> tuple[int, str]:
        """Return a page's status and text; the status is 0 without a connection."""
        try:
            status, text, _cookies = self.ask("GET", path, headers=headers)
        except (OSError, http.client.HTTPException):
            return 0, ""
        return status, text

    def ask(
        self,
        verb: str,
        path: str,
        fields: dict[str, Any] | None = None,
        headers: dict[str, str] | None = None,
    ) -> tuple[int, str, dict[str, str]]:
        """Post a form or get a page. Return status, text and the cookies set."""
        body, sent = None, dict(headers or {})
        if fields is not None:
            body = urlencode(fields).encode()
            sent["Content-Type"] = FORM
        status, given, content = self.send(verb, path, body, sent)
        return status, content.decode(errors="replace"), cookies_in(given)

    def send(
        self, verb: str, path: str, body: bytes | None = None, headers: dict[str, str] | None = None
    ) -> tuple[int, Message, bytes]:
        """Send a request over its own connection. Return status, headers and content."""
        link = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        try:
            link.request(verb, path, body, headers or {})
            answer = link.getresponse()
            return answer.status, answer.headers, answer.read()
        finally:
            link.close()

    def logs(self) -> str:
        """Return the ends of the processes' logs, for a failure's message."""
        return "\n".join(
            f"-- {path.name}\n{path.read_text(errors='replace')[-1500:]}"
            for path in sorted(self.folder.glob("*.log"))
        )

    def stop(self) -> None:
        """Stop all processes."""
        for program in (self.web, self.worker):
            program.kill()


def cookies_in(headers: Message) -> dict[str, str]:
    """Return the cookies that an answer sets."""
    pairs = [line.split(";", 1)[0].partition("=") for line in headers.get_all("Set-Cookie") or []]
    return {name: value for name, _equals, value in pairs}


class Browser:
    """A staff browser with cookies; ``address`` is the client address that the proxy reports."""

    def __init__(self, at: Installation, address: str = "") -> None:
        self.at = at
        self.cookies: dict[str, str] = {}
        self.headers = {"Accept-Language": "en"} | ({"X-Forwarded-For": address} if address else {})

    def send(
        self, verb: str, path: str, body: bytes | None = None, kind: str = ""
    ) -> tuple[int, Message, bytes]:
        """Send a request with the session. Return status, headers and content."""
        cookie = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        own = {"Cookie": cookie, "X-CSRFToken": self.cookies.get("csrftoken", "")}
        answer = self.at.send(
            verb, path, body, self.headers | own | ({"Content-Type": kind} if kind else {})
        )
        self.cookies |= cookies_in(answer[1])
        return answer

    def get(self, path: str) -> tuple[int, str]:
        """Get a page. Return status and text."""
        status, _headers, content = self.send("GET", path)
        return status, content.decode(errors="replace")

    def post(self, path: str, **fields: Any) -> tuple[int, str]:
        """Post a form. Return the status, and the redirect or the page."""
        status, headers, content = self.send("POST", path, urlencode(fields).encode(), FORM)
        return status, headers["Location"] or content.decode(errors="replace")

    def upload(self, path: str, file: bytes, name: str = "players.csv") -> tuple[int, str]:
        """Post a form with a file. Return status and text."""
        edge = "the-edge-of-a-part"
        head = f'--{edge}\r\nContent-Disposition: form-data; name="file"; filename="{name}"\r\n\r\n'
        body = head.encode() + file + f"\r\n--{edge}--\r\n".encode()
        kind = f"multipart/form-data; boundary={edge}"
        status, _headers, content = self.send("POST", path, body, kind)
        return status, content.decode(errors="replace")

    def sign_in(self, name: str, password: str = "not-a-secret-1") -> tuple[int, str]:
        """Open the form and send it."""
        self.get("/login/")
        return self.post("/login/", username=name, password=password)


class Phone:
    """A scorekeeper's phone: it stores its cookies and repeats a request until it has an answer."""

    def __init__(self, at: Installation, token: str) -> None:
        self.at, self.path, self.cookies = at, f"/t/{token}/send/", {}

    cookies: dict[str, str]

    def look(self) -> None:
        """Open the table's page, which sets the device's cookie before a phone writes."""
        try:
            _status, _text, cookies = self.at.ask("GET", self.path.removesuffix("send/"))
        except (OSError, http.client.HTTPException):
            _pause.wait(0.1)
            return
        self.cookies |= cookies

    def send(self, **fields: Any) -> tuple[int, dict[str, Any]]:
        """Send the form once. Return the status (0 for a broken connection) and the JSON answer."""
        cookie = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        try:
            status, text, cookies = self.at.ask(
                "POST", self.path, fields, {"Cookie": cookie} if cookie else None
            )
        except (OSError, http.client.HTTPException):
            return 0, {}
        self.cookies |= cookies
        try:
            return status, json.loads(text)
        except ValueError:
            return status, {"text": text}

    def insist(self, **fields: Any) -> dict[str, Any]:
        """Send until it is acknowledged: again after a broken connection or a server error."""
        end = time.monotonic() + 2 * PATIENCE
        while "device" not in self.cookies and time.monotonic() < end:
            self.look()
        while time.monotonic() < end:
            status, answer = self.send(**fields)
            if status == 200 and answer.get("ok"):
                return answer
            if answer.get("code") == "please_check":
                fields["sure"] = answer["sure"]
            elif 400 <= status < 500:
                raise AssertionError(f"{status} {answer} to {fields}")
            else:
                _pause.wait(0.1)
        raise AssertionError(f"never acknowledged: {fields}")


def deal_fields(number: int, dealer: str, points: int) -> dict[str, Any]:
    """Return the fields with which a table enters a deal of the Belgian game."""
    return {
        "verb": "deal",
        "number": number,
        "dealer": dealer,
        "trump": "SHCD"[number % 4],
        "doubling": 0,
        "side": "NS",
        "points": points,
        "depth": "points",
        "declarer": "NS" if dealer in "NS" else "EW",
    }


@contextmanager
def servers() -> Iterator[tuple[Path, Postgres, Redis]]:
    """Run PostgreSQL and Redis in a temporary folder that the user postgres may enter."""
    folder = Path(tempfile.mkdtemp(prefix="manille-"))
    folder.chmod(0o711)
    postgres, redis = Postgres(folder), Redis(folder)
    try:
        postgres.start()
        redis.start()
        yield folder, postgres, redis
    finally:
        redis.kill()
        if postgres.running:
            postgres.stop()
        shutil.rmtree(folder, ignore_errors=True)


def all_at_once(calls: Sequence[Callable[[], Any]]) -> list[Any]:
    """Start the calls in the same moment. Return their answers."""
    gate = threading.Barrier(len(calls))

    def one(call: Callable[[], Any]) -> Any:
        gate.wait(PATIENCE)
        return call()

    with ThreadPoolExecutor(len(calls)) as hands:
        return list(hands.map(one, calls))
