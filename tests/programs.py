"""Programs for tests and benchmarks: free ports, waiting for a condition, nginx.

Every wait is for a condition, with a limit that only a fault reaches.
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
"""Seconds allowed for a condition before the test fails."""
_pause = threading.Event()


def free_port() -> int:
    """Return a free port."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def answers(port: int) -> bool:
    """Return whether a server listens on the port."""
    try:
        socket.create_connection(("127.0.0.1", port), 1).close()
    except OSError:
        return False
    return True


def is_up(address: str) -> bool:
    """Return whether a GET of the address returns 200."""
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
    """Return the first true value of ``ready()``, which is called repeatedly.

    Raises ``AssertionError`` after ``seconds``, or as soon as ``process`` has ended, with the end of the ``log``.
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
    """Return the path of nginx (Debian installs it outside a user's PATH), or ``None`` without it."""
    return shutil.which("nginx", path=f"{os.environ.get('PATH', '')}{os.pathsep}/usr/sbin")


def _shipped(name: str, *changes: tuple[str, str]) -> str:
    text = (ROOT / "docker" / name).read_text()
    for mine, own in changes:
        if mine not in text:
            raise ValueError(f"docker/{name} names no {mine!r}")
        text = text.replace(mine, own)
    return text


@contextmanager
def nginx(
    web: Sequence[int],
    public: int | None = None,
    *,
    tls_proxy: str = "192.0.2.1",
    log: Path | None = None,
    limited: bool = True,
) -> Iterator[int]:
    """Run nginx with the shipped files of ``docker/`` before local ports, until the block ends.

    ``web`` are the ports of the web nodes, ``public`` that of the public node (else the first web node), ``tls_proxy``
    the address whose forwarded client address is trusted. Yields its own port; its access log is copied to ``log`` at
    the end. Only addresses and folders of the shipped files are changed and, without ``limited``, the limit of requests
    a second from one address, because a load test sends a whole hall's requests from one.
    """
    port = free_port()
    nodes = [f"127.0.0.1:{node}" for node in web]
    away = {seconds: f"max_fails=1 fail_timeout={seconds}s" for seconds in (3, 30)}
    with tempfile.TemporaryDirectory(prefix="nginx-", ignore_cleanup_errors=True) as name:
        folder = Path(name)
        site = _shipped(
            "nginx.conf",
            ("/var/cache/nginx/manille", f"{folder}/cache"),
            ("/var/log/nginx/access.log", f"{folder}/access.log"),
            ("listen 80;", f"listen 127.0.0.1:{port};"),
            ("${TLS_PROXY}", tls_proxy),
            *(() if limited else (("rate=2000r/s", "rate=1000000r/s"),)),
            (
                f"server ${{PUBLIC_NODE}} resolve {away[30]};",
                f"server 127.0.0.1:{public or web[0]} {away[30]};",
            ),
            (
                f"server web:8000 resolve {away[3]} backup;",
                " ".join(f"server {node} {away[3]} backup;" for node in nodes),
            ),
            (
                f"server web:8000 resolve {away[3]};",
                " ".join(f"server {node} {away[3]};" for node in nodes),
            ),
        )
        (folder / "site.conf").write_text(site)
        main = _shipped(
            "nginx-main.conf",
            # The folder belongs to this user; as root, nginx would read it as user "nobody".
            ("user nginx;", "user root;" if os.getuid() == 0 else ""),
            ("worker_processes auto;", "worker_processes 1;\ndaemon off;"),
            ("worker_rlimit_nofile 32768;", ""),
            ("/run/nginx.pid", f"{folder}/pid"),
            ("/var/log/nginx/error.log", f"{folder}/error.log"),
            ("/var/cache/nginx/", f"{folder}/"),
            ("/etc/nginx/conf.d/*.conf", f"{folder}/site.conf"),
        )
        (folder / "nginx.conf").write_text(main)
        process = subprocess.Popen(
            [
                nginx_program() or "nginx",
                "-e",
                f"{folder}/error.log",
                "-p",
                name,
                "-c",
                f"{folder}/nginx.conf",
            ],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        try:
            wait_for(
                "nginx to start", lambda: answers(port), process=process, log=folder / "error.log"
            )
            yield port
        finally:
            process.terminate()
            process.wait(20)
            if log is not None:
                shutil.copy(folder / "access.log", log)
