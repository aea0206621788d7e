"""Start the whole service on one machine: database, static files, web and worker.

``python -m config.serve [--demo] [--host 127.0.0.1] [--port 8000]`` is what ``make demo`` and
``make run`` call. It ends both processes when it is interrupted or when one of them ends.
"""

from __future__ import annotations

import argparse
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
os.environ.setdefault("LOG_LEVEL", "WARNING")


def port_is_free(host: str, port: int) -> bool:
    """Whether a server could listen there."""
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError:
            return False
    return True


def prepare(demo: bool) -> None:
    """Bring database and static files up to date; load the demo event unless it is there."""
    import django
    from django.core.management import call_command

    django.setup()
    call_command("migrate", verbosity=0)
    call_command("collectstatic", interactive=False, verbosity=0)
    if demo:
        call_command("demo")


def processes(host: str, port: int) -> list[subprocess.Popen[bytes]]:
    """Start the application server and the worker."""
    python = sys.executable
    web = [
        python, "-m", "granian", "--interface", "asginl", "config.asgi:application",
        "--host", host, "--port", str(port), "--workers", os.environ.get("WEB_PROCESSES", "1"),
        "--log-level", "warning", "--respawn-failed-workers",
        # Who listens to a stream does not hold up the end.
        "--workers-kill-timeout", "5",
        # A hall of phones holds its streams open: they must not fill the server's room.
        "--backlog", "4096", "--backpressure", "20000",
    ]  # fmt: skip
    worker = [
        python, "-m", "celery", "--quiet", "-A", "config", "worker", "--pool", "solo",
        "--without-gossip", "--without-mingle", "--loglevel", "WARNING",
    ]  # fmt: skip
    return [subprocess.Popen(web), subprocess.Popen(worker)]


def wait_until_ready(url: str, started: list[subprocess.Popen[bytes]], seconds: int = 200) -> bool:
    """Wait for the ready address to answer 200; false when a process ended or time ran out."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if any(process.poll() is not None for process in started):
            return False
        try:
            with urllib.request.urlopen(f"{url}/health/ready/", timeout=2) as answer:  # noqa: S310
                if answer.status == 200:
                    return True
        except (urllib.error.URLError, OSError):
            time.sleep(0.2)
    return False


def main() -> int:
    """Run until interrupted."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--demo", action="store_true")
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=8000)
    options = parser.parse_args()
    if not port_is_free(options.host, options.port):
        print(
            f"Port {options.port} is taken: choose another, e.g. PORT={options.port + 1}.",
            file=sys.stderr,
        )
        return 1
    prepare(options.demo)
    url = f"http://{options.host}:{options.port}"
    started = processes(options.host, options.port)

    def end(*_: object) -> None:
        for process in started:
            if process.poll() is None:
                process.terminate()

    signal.signal(signal.SIGTERM, end)
    try:
        if not wait_until_ready(url, started):
            print("The server did not start: see the lines above.", file=sys.stderr)
            return 1
        from config.greeting import greeting

        print(greeting(url, demo=options.demo), flush=True)
        while all(process.poll() is None for process in started):
            time.sleep(0.5)
    except KeyboardInterrupt:
        print()
    finally:
        end()
        for process in started:
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
    return 0


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
    sys.exit(main())
