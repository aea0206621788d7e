"""Programs beside a test or a benchmark: free ports, waiting until they answer, nginx before them.

Waiting is always for a condition, with a limit that only a fault reaches.
"""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import tempfile
import threading
import time
import urllib.request
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
PATIENCE = 120.0
"""Seconds that a condition is given before the test fails."""
_pause = threading.Event()


def free_port() -> int:
    """A port that nobody listens on now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def answers(port: int) -> bool:
    """Whether somebody listens on the port."""
    try:
        socket.create_connection(("127.0.0.1", port), 1).close()
    except OSError:
        return False
    return True


def is_up(address: str) -> bool:
    """Whether a GET of the address is answered 200."""
    try:
        with urllib.request.urlopen(address, timeout=2) as answer:
            return bool(answer.status == 200)
    except OSError:
        return False


def wait_for(
    what: str,
    ready: Callable[[], Any],
    seconds: float = PATIENCE,
    *,
    process: subprocess.Popen[Any] | None = None,
    log: Path | None = None,
) -> Any:
    """The first true value of ``ready()``, asked again and again.

    ``AssertionError`` after ``seconds``, or as soon as the ``process`` that it hangs on has ended; it
    tells the end of the ``log``.
    """
    end = time.monotonic() + seconds
    while True:
        found = ready()
        if found:
            return found
        if process is not None and process.poll() is not None:
            raise AssertionError(f"ended with {process.returncode}: {what}{_tail(log)}")
        if time.monotonic() > end:
            raise AssertionError(f"waited {seconds:.0f} s in vain: {what}{_tail(log)}")
        _pause.wait(0.01)


def _tail(log: Path | None) -> str:
    if log is None or not log.exists():
        return ""
    return "\n" + log.read_text(errors="replace")[-3000:]


def nginx_program() -> str | None:
    """Where nginx is (Debian keeps it out of a user's path); ``None`` where it is not installed."""
    return shutil.which("nginx", path=f"{os.environ.get('PATH', '')}{os.pathsep}/usr/sbin")


@contextmanager
def nginx(web: Sequence[int], public: int | None = None) -> Iterator[int]:
    """nginx with the shipped ``docker/nginx.conf`` before local ports, until the block ends.

    ``web`` are the ports of the web nodes, ``public`` that of the public's (else the first of
    them). Yields its own port. Only addresses and folders of the shipped file are changed.
    """
    port = free_port()
    nodes = [f"127.0.0.1:{node}" for node in web]
    with tempfile.TemporaryDirectory(prefix="nginx-", ignore_cleanup_errors=True) as name:
        folder = Path(name)
        shipped = (ROOT / "docker" / "nginx.conf").read_text()
        for mine, own in (
            ("/var/cache/nginx/manille", f"{folder}/cache"),
            ("listen 80;", f"listen 127.0.0.1:{port};"),
            ("${PUBLIC_NODE}", f"127.0.0.1:{public or web[0]}"),
            ("server web:8000 backup;", f"server {nodes[0]} backup;"),
            ("server web:8000;", " ".join(f"server {node};" for node in nodes)),
        ):
            if mine not in shipped:
                raise ValueError(f"docker/nginx.conf names no {mine!r}")
            shipped = shipped.replace(mine, own)
        kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
        temporary = "\n".join(f"{kind}_temp_path {folder}/{kind};" for kind in kinds)
        (folder / "nginx.conf").write_text(
            # The folder is this user's: as root, nginx would read it as nobody.
            ("user root;\n" if os.getuid() == 0 else "")
            + f"daemon off;\npid {folder}/pid;\nerror_log {folder}/error.log;\nworker_processes 1;\n"
            "events { worker_connections 8192; }\n"
            f"http {{\naccess_log off;\n{temporary}\n{shipped}\n}}\n"
        )
        process = subprocess.Popen(
            [nginx_program() or "nginx", "-e", f"{folder}/error.log", "-p", name,
             "-c", f"{folder}/nginx.conf"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        try:
            log = folder / "error.log"
            wait_for("nginx to start", lambda: answers(port), process=process, log=log)
            yield port
        finally:
            process.terminate()
            process.wait(20)
