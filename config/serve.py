"""Start the whole service on one machine: database, static files, web and worker.

``python -m config.serve [--demo] [--host 127.0.0.1] [--port 8000]`` is what ``make demo`` and
``make run`` call. It runs until it is interrupted, and starts again what ends before.
"""

from __future__ import annotations

import argparse
import atexit
import hashlib
import http.client
import logging
import os
import shutil
import signal
import socket
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from operations.one_service import OneService

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
os.environ.setdefault("LOG_LEVEL", "WARNING")

ANY_ADDRESS: Final = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104 (compared, not bound)
"""Where a server that listens on every address is reached from the same machine."""
SLOW_START: Final = 200.0
"""Seconds after which the operator is warned that the service does not answer yet."""
INTERVAL: Final = 0.2
MEMORY: Final = Path("/dev/shm")  # noqa: S108 (a folder of its own is made in it)
"""Where processes count: the counts are mapped, and a page that a full disk cannot hold ends who counts."""
log = logging.getLogger("manille.serve")


def port_is_free(host: str, port: int) -> bool:
    """Whether a server could listen there."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError:
            return False
    return True


def prepare(demo: bool) -> None:
    """Bring database and static files up to date; load the demo event unless it is there."""
    import django
    from django.core.management import CommandError, call_command

    django.setup()
    try:
        call_command("migrate", verbosity=0)
    except CommandError as refusal:
        raise SystemExit(str(refusal)) from None
    call_command("collectstatic", interactive=False, verbosity=0)
    if demo:
        call_command("demo")


def lock_folder() -> OneService:
    """Lock the folder of this installation; ends the program where another service runs on it."""
    from config.environment import read
    from operations.one_service import OneService

    return OneService(Path(read("MANILLE_VAR")).resolve())


def count_together() -> None:
    """Create an empty folder in which web processes and worker share their metrics."""
    from config.environment import read

    var = Path(read("MANILLE_VAR")).resolve()
    of_this = hashlib.sha256(str(var).encode()).hexdigest()[:16]
    named = read("PROMETHEUS_MULTIPROC_DIR")
    for place in [Path(named)] if named else [MEMORY / f"manille-{of_this}", var / "metrics"]:
        shutil.rmtree(place, ignore_errors=True)
        try:
            place.mkdir(mode=0o700, parents=place.parent != MEMORY)
        except OSError:
            # The memory file system is missing, or the folder belongs to another account.
            continue
        atexit.register(shutil.rmtree, place, ignore_errors=True)
        os.environ.update(PROMETHEUS_MULTIPROC_DIR=str(place))
        return
    raise SystemExit(f"Nothing can be written in {named or var}.")


def is_local(name: str) -> bool:
    """Whether only this machine reaches itself by the name."""
    return name in ("localhost", "[::1]", "testserver") or name.startswith("127.")


def served_name(host: str, allowed: Sequence[str]) -> str:
    """Return a reachable name of a service bound to ``host``, allowed by ``ALLOWED_HOSTS``.

    >>> served_name("0.0.0.0", ["localhost", "192.168.1.10"])
    '192.168.1.10'
    >>> served_name("127.0.0.1", ["localhost", "127.0.0.1"])
    '127.0.0.1'
    """
    from django.http.request import validate_host

    bound = f"[{host}]" if ":" in host else host
    if host not in ANY_ADDRESS and validate_host(bound, allowed):
        return bound
    names = ["localhost" if name == "*" else name.removeprefix(".") for name in allowed]
    return min(names, key=is_local, default=bound)


def ask_ready(host: str, port: int, name: str) -> str:
    """Ask the service under one of its own names whether it is ready; empty when it is, else why not."""
    link = http.client.HTTPConnection(ANY_ADDRESS.get(host, host), port, timeout=2)
    try:
        link.request("GET", "/health/ready/", headers={"Host": f"{name}:{port}"})
        answer = link.getresponse()
        answer_text = answer.read(500).decode(errors="replace")
    except (OSError, http.client.HTTPException) as error:
        return str(error) or type(error).__name__
    finally:
        link.close()
    return "" if answer.status == http.HTTPStatus.OK else f"{answer.status} {answer_text.strip()}"


def console(line: str) -> None:
    """Print a line for the operator unbuffered, or log it if ``LOG_FORMAT`` is ``json``."""
    from config.environment import read

    if read("LOG_FORMAT") == "json":
        log.warning(line)
    else:
        print(line, file=sys.stderr, flush=True)


def run(host: str, port: int, *, demo: bool, lock: OneService | None = None) -> None:
    """Run web and worker until SIGINT or SIGTERM; they inherit the ``lock`` of the folder."""
    from django.conf import settings

    from config.environment import read
    from operations.greeting import greeting
    from operations.supervisor import GIVE_BACK, Supervisor, web_part, worker_part

    web = [
        web_part(number + 1, host, port, log_format=read("LOG_FORMAT"))
        for number in range(read("WEB_PROCESSES"))
    ]
    os.environ.setdefault(*GIVE_BACK)
    workers = [
        worker_part(queue=settings.CELERY_TASK_DEFAULT_QUEUE),
        worker_part("The worker of notices", settings.NOTICES_QUEUE),
    ]
    supervisor = Supervisor([*web, *workers], report=console, lock=lock)

    stopping = False

    def stop(*_: object) -> None:
        nonlocal stopping
        stopping = True

    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, stop)
    name = served_name(host, settings.ALLOWED_HOSTS)
    if host in ANY_ADDRESS and not is_local(name):
        # Printed links use the hall's address, whichever computer prints them.
        os.environ.setdefault("PUBLIC_URL", f"http://{name}:{port}")
    started, ready, warned = time.monotonic(), False, False
    try:
        while not stopping:
            supervisor.check()
            if not ready:
                why_not = ask_ready(host, port, name)
                if not why_not:
                    ready = True
                    welcome(greeting(f"http://{name}:{port}", demo=demo), host, name)
                elif not warned and time.monotonic() - started > SLOW_START:
                    warned = True
                    console(f"The service is not ready yet: {why_not}")
            time.sleep(INTERVAL)
    finally:
        supervisor.stop()


def welcome(lines: str, host: str, name: str) -> None:
    """Say where the service is, and when a hall would be refused there."""
    print(lines, flush=True)
    if host in ANY_ADDRESS and is_local(name):
        console(
            "Other machines are refused: set ALLOWED_HOSTS to the address that they use, "
            "e.g. ALLOWED_HOSTS=192.168.1.10."
        )


def lan_address() -> str:
    """Return this machine's address in the network it is in; empty where it is in none.

    Connecting a datagram socket sends nothing: it only asks which address would be used.
    """
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
        except OSError:
            return ""
        address = str(probe.getsockname()[0])
    return "" if is_local(address) else address


def open_to_the_network(host: str) -> None:
    """Answer to this machine's own address where the operator opened every one and named none."""
    address = lan_address() if host in ANY_ADDRESS else ""
    if address:
        os.environ.setdefault("ALLOWED_HOSTS", f"localhost,127.0.0.1,[::1],{address}")


def main() -> int:
    """Run until interrupted."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--demo", action="store_true")
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=8000)
    options = parser.parse_args()
    if not 0 < options.port < 65536:
        print(f"PORT is {options.port}: set PORT to a number from 1 to 65535.", file=sys.stderr)
        return 1
    lock = lock_folder()
    if not port_is_free(options.host, options.port):
        print(
            f"Port {options.port} is taken: choose another, e.g. PORT={options.port + 1}.",
            file=sys.stderr,
        )
        return 1
    open_to_the_network(options.host)
    count_together()
    prepare(options.demo)
    run(options.host, options.port, demo=options.demo, lock=lock)
    return 0


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
    sys.exit(main())
