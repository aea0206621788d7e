"""Logs contain ids and no secrets; a database outage is reported as one."""

from __future__ import annotations

import io
import json
import logging
import os
import subprocess
import sys
from pathlib import Path

import pytest
import structlog
from django.core.cache import caches
from django.db import OperationalError
from django.test import Client, override_settings

from ledger.jobs import log as job_log
from operations import logs
from tests.programs import ROOT


def written(log_format: str, say: object) -> str:
    """Return the service's own log output for one record."""
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            processors=logs.processors(log_format), foreign_pre_chain=logs.shared()
        )
    )
    root = logging.getLogger()
    before, root.handlers = root.handlers, [handler]
    try:
        say()  # type: ignore[operator]
    finally:
        root.handlers = before
    return stream.getvalue()


def breaks_with_a_password() -> None:
    password = "correct-horse-" + "battery"
    token = "abcdefgh2345" + "ijklmnop"
    try:
        raise ValueError(f"about {len(password) + len(token)}")
    except ValueError:
        structlog.get_logger("test").exception("fault")
        logging.getLogger("django.request").exception("fault")


@pytest.mark.guide("security#security")
@pytest.mark.parametrize("log_format", ["text", "json"])
def test_a_traceback_shows_no_value_of_a_variable(log_format: str) -> None:
    text = written(log_format, breaks_with_a_password)
    assert "ValueError" in text
    assert "correct-horse-battery" not in text
    assert "abcdefgh2345ijklmnop" not in text


@pytest.mark.guide("operator#health-and-metrics", "security#security")
@pytest.mark.parametrize("name", ["password", "table_token", "csrftoken", "Cookie", "secret_key"])
def test_a_value_named_like_a_secret_is_blanked(name: str) -> None:
    text = written("json", lambda: job_log.warning("seen", **{name: "hunter2-hunter2"}))
    assert json.loads(text)["event"] == "seen"
    assert "hunter2" not in text


@pytest.mark.guide("security#security")
@pytest.mark.parametrize("kind", ["t", "p", "sign"])
@pytest.mark.parametrize("log_format", ["text", "json"])
def test_the_link_of_a_table_or_player_is_not_written_down(kind: str, log_format: str) -> None:
    path = f"/{kind}/" + "abcdefgh2345ijklmnopqrst/send/"
    text = written(
        log_format,
        lambda: logging.getLogger("django.request").warning("%s: %s", "Conflict", path),
    )
    assert f"Conflict: /{kind}/***/send/" in text
    assert "abcdefgh2345" not in text


def test_a_line_carries_the_request_it_belongs_to() -> None:
    with structlog.contextvars.bound_contextvars(request_id="abc123", job_id="j-1"):
        line = json.loads(written("json", lambda: logging.getLogger("x").warning("hello")))
    assert (line["request_id"], line["job_id"]) == ("abc123", "j-1")


LINES = """
import logging.config, sys
{before}
logging.getLogger({name!r}).{verb}("started %s", "worker-1")
"""


@pytest.mark.guide("operator#health-and-metrics")
@pytest.mark.parametrize(
    ("before", "name", "verb"),
    [
        (
            "import json, granian.log as g;"
            "g.configure_logging(g.LogLevels.info, json.load(open('operations/granian_logs.json')))",
            "_granian",
            "info",
        ),
        (
            "from config.celery import app; app.log.setup(loglevel='INFO')",
            "celery.worker.consumer",
            "info",
        ),
    ],
)
def test_servers_and_workers_write_json_too(
    tmp_path: Path, before: str, name: str, verb: str
) -> None:
    """As the image starts them."""
    environment = {**os.environ, "LOG_FORMAT": "json", "LOG_LEVEL": "INFO", "PYTHONPATH": "."}
    done = subprocess.run(
        [sys.executable, "-c", LINES.format(before=before, name=name, verb=verb)],
        cwd=ROOT,
        env=environment
        | {"MANILLE_VAR": str(tmp_path), "DJANGO_SETTINGS_MODULE": "config.settings"},
        capture_output=True,
        text=True,
        check=True,
    )
    lines = [json.loads(line) for line in (done.stdout + done.stderr).splitlines()]
    assert lines[-1]["event"] == "started worker-1"
    assert {"timestamp", "level", "logger"} <= set(lines[-1])


@pytest.fixture
def without_database(monkeypatch: pytest.MonkeyPatch) -> Client:
    """Return a client of a service whose pages meet a database outage."""

    def away(*_args: object, **_more: object) -> None:
        raise OperationalError("connection refused")

    monkeypatch.setattr("operations.health.queue_state", away)
    monkeypatch.setattr("operations.health.database_state", lambda: "ok")
    monkeypatch.setattr("operations.health.disk_state", lambda: "ok")
    client = Client()
    client.raise_request_exception = False
    return client


@pytest.mark.parametrize("language", ["en", "fr", "nl"])
def test_people_are_told_that_nothing_was_written(without_database: Client, language: str) -> None:
    answer = without_database.get("/health/ready/", headers={"Accept-Language": language})
    assert answer.status_code == 503
    assert answer["Retry-After"] == "5"
    assert "connection refused" not in answer.content.decode()
    assert f'lang="{language}"' in answer.content.decode()


def test_programs_are_told_so_in_json(without_database: Client) -> None:
    answer = without_database.get("/health/ready/", headers={"Accept": "application/json"})
    assert answer.status_code == 503
    assert answer.json()["code"] == "unavailable"


def test_a_fault_of_ours_is_no_outage(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_args: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr("operations.health.database_state", broken)
    client = Client(raise_request_exception=False)
    answer = client.get("/health/ready/", headers={"Accept": "application/json"})
    assert (answer.status_code, answer.json()["code"]) == (500, "fault")
    assert client.get("/health/ready/").status_code == 500


def test_without_redis_the_cache_is_empty_and_nobody_is_refused() -> None:
    with override_settings(
        CACHES={
            "default": {
                "BACKEND": "config.cache.PatientRedis",
                "LOCATION": "redis://127.0.0.1:1/0",
                "OPTIONS": {"socket_connect_timeout": 1},
            }
        }
    ):
        cache = caches["default"]
        assert cache.get("a", "nothing") == "nothing"
        cache.set("a", 1)
        assert cache.add("a", 1) is True
        assert cache.incr("a") == 1
        assert cache.get_many(["a", "b"]) == {}
        assert cache.delete("a") is False
        assert cache.get("a") is None
