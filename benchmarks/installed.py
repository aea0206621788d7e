"""A running service to measure: the server of ``config.serve`` with 544 players after one round.

Two shapes: *embedded* (SQLite, one machine, nothing else) and *PostgreSQL + Redis*. The second is skipped, with the
reason, where no PostgreSQL answers or ``redis-server`` is not installed. ``BENCH_POSTGRES_URL`` names a PostgreSQL
server on which a database may be created; Redis is started for the run. ``BENCH_SHAPES`` chooses (``embedded``,
``production``).
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import urllib.request
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from tests.programs import ROOT, free_port, is_up, nginx, nginx_program, wait_for

if TYPE_CHECKING:
    from tournament.models import Round

POSTGRES = os.environ.get("BENCH_POSTGRES_URL", "postgres://postgres@127.0.0.1:5432/postgres")
TOKEN = "bench-metrics-token"


@dataclass(frozen=True)
class Installation:
    """A running server, with its address and environment."""

    shape: str
    host: str
    port: int
    environment: dict[str, str]
    pid: int = 0

    def processor(self) -> float:
        """Return the processor seconds used by its processes."""
        return processor(self.pid)

    def manage(self, *words: str) -> str:
        """Run a management command there. Return its output."""
        done = subprocess.run(
            [sys.executable, "manage.py", *words],
            cwd=ROOT,
            env=self.environment,
            capture_output=True,
            text=True,
        )
        if done.returncode:
            raise RuntimeError(f"manage.py {words[0]} failed: {done.stderr[-2000:]}")
        return done.stdout

    def figures(self) -> dict[str, float]:
        """Return the server's own metrics, number by name."""
        asked = urllib.request.Request(
            f"http://{self.host}:{self.port}/metrics/", headers={"Authorization": f"Bearer {TOKEN}"}
        )
        with urllib.request.urlopen(asked, timeout=20) as answer:
            lines = answer.read().decode().splitlines()
        return {
            name: float(value)
            for name, _space, value in (line.rpartition(" ") for line in lines if line[:1] != "#")
        }


def processor(root: int) -> float:
    """Return the processor seconds used so far by a process and its descendants."""
    parents: dict[int, int] = {}
    used: dict[int, float] = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            words = stat.read_text().rpartition(")")[2].split()
        except OSError:
            continue  # it has just ended
        pid = int(stat.parent.name)
        parents[pid] = int(words[1])
        used[pid] = (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")
    inside = {root}
    while more := {pid for pid, parent in parents.items() if parent in inside} - inside:
        inside |= more
    return sum(used.get(pid, 0.0) for pid in inside)


FIELD = """
from tests.tournament.build import make_event, SYSTEM, chance
from tournament.models import Event, Round
if not Event.objects.filter(slug="bench").exists():
    from tournament.demo.simulation import draw_and_publish
    from benchmarks.installed import signed
    event = make_event(544, deals=2, cut=128, name="bench", slug="bench")
    part = draw_and_publish(Round.objects.get(stage__event=event, stage__order=1, number=1), SYSTEM)
    signed(part)
"""


def signed(round_: Round) -> None:
    """Give every sheet of a round an official result without deals."""
    from django.utils import timezone

    from ledger.change import change, raise_version
    from tests.tournament.build import chance
    from tournament.models.tables import OfficialResult, Result, Sheet, SheetState

    luck = chance("bench")
    sheets = list(Sheet.objects.filter(table__round=round_))
    for sheet in sheets:
        us, them = luck.randrange(80), luck.randrange(80)
        with change():
            OfficialResult.objects.create(
                sheet=sheet,
                number=1,
                sheet_version=1,
                made_by="bench",
                made_at=timezone.now(),
                result=Result(
                    marks={"NS": us, "EW": them},
                    games={},
                    deals=4,
                    best_deal={"NS": us, "EW": them},
                    winner="NS" if us > them else "EW" if them > us else None,
                ),
            )
    with change():
        Sheet.objects.filter(pk__in=[sheet.pk for sheet in sheets]).update(
            state=SheetState.OFFICIAL, finished=True
        )
    raise_version(sheets[0].scope)


@contextmanager
def installation(shape: str, more: dict[str, str], *, web: int = 1) -> Iterator[Installation]:
    """Run ``config.serve`` with the field of 544, in a temporary folder."""
    port = free_port()
    with tempfile.TemporaryDirectory(prefix="bench-", ignore_cleanup_errors=True) as folder:
        environment = {
            **os.environ,
            "MANILLE_VAR": folder,
            "DJANGO_SETTINGS_MODULE": "config.settings",
            "DATABASE_URL": "",
            "BROKER_URL": "",
            "CACHE_URL": "",
            "LOG_LEVEL": "ERROR",
            "BACKUP_HOURS": "0",
            "METRICS_TOKEN": TOKEN,
            "WEB_PROCESSES": str(web),
            **more,
        }
        place = Installation(shape, "127.0.0.1", port, environment)
        place.manage("migrate", "--verbosity", "0")
        place.manage("shell", "-c", FIELD)
        process = subprocess.Popen(
            [sys.executable, "-m", "config.serve", "--port", str(port)],
            cwd=ROOT,
            env=environment,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        try:
            wait_for(
                "the server to be ready",
                lambda: is_up(f"http://{place.host}:{port}/health/ready/"),
                process=process,
            )
            yield replace(place, pid=process.pid)
        finally:
            process.terminate()
            process.wait(30)


@contextmanager
def production() -> Iterator[dict[str, str] | str]:
    """Yield the environment of a new database and a new Redis, or the reason why there is none."""
    import psycopg

    if shutil.which("redis-server") is None:
        yield "redis-server is not installed"
        return
    name = f"bench_{uuid.uuid4().hex[:10]}"
    try:
        with psycopg.connect(POSTGRES, autocommit=True, connect_timeout=3) as line:
            line.execute(f'CREATE DATABASE "{name}"')
    except psycopg.Error as error:
        yield f"no PostgreSQL for it (BENCH_POSTGRES_URL): {str(error).splitlines()[0]}"
        return
    port = free_port()
    redis = subprocess.Popen(
        [
            "redis-server",
            "--port",
            str(port),
            "--bind",
            "127.0.0.1",
            "--save",
            "",
            "--appendonly",
            "no",
        ],
        stdout=subprocess.DEVNULL,
    )
    try:
        yield {
            "DATABASE_URL": POSTGRES.rpartition("/")[0] + "/" + name,
            "BROKER_URL": f"redis://127.0.0.1:{port}/0",
            "CACHE_URL": f"rediscache://127.0.0.1:{port}/1",
        }
    finally:
        redis.terminate()
        redis.wait(20)
        with psycopg.connect(POSTGRES, autocommit=True, connect_timeout=3) as line:
            line.execute(f'DROP DATABASE IF EXISTS "{name}" WITH (FORCE)')


def _proxied(environment: dict[str, str]) -> Iterator[Installation]:
    if nginx_program() is None:
        print("nginx before two processes left out: nginx is not installed")
        return
    with (
        installation("nginx, two processes", environment, web=2) as place,
        nginx([place.port], limited=False) as port,
    ):
        yield replace(place, port=port)


def installations(*, proxied: bool = False) -> Iterator[Installation]:
    """Yield the service in each shape that this machine can run; with ``proxied`` also behind nginx."""
    shapes = os.environ.get("BENCH_SHAPES", "embedded,production").split(",")
    if "embedded" in shapes:
        with installation("embedded", {}) as place:
            yield place
    if "production" in shapes:
        with production() as found:
            if isinstance(found, str):
                print(f"PostgreSQL + Redis left out: {found}")
            else:
                with installation("PostgreSQL + Redis", found) as place:
                    yield place
                if proxied:
                    yield from _proxied(found)
