"""Health of the service: ready, degraded (jobs wait), not ready (no entry possible)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from django.contrib.staticfiles.finders import get_finders
from django.db import connection
from django.test import Client
from structlog.testing import capture_logs

from config.static import StaticFiles
from operations.health import warn_without_static_files

pytestmark = pytest.mark.django_db
AWAY = "redis://127.0.0.1:1/0"


@pytest.mark.guide("operator#health-and-metrics")
def test_all_is_well(client: Client) -> None:
    answer = client.get("/health/ready/")
    assert answer.status_code == 200
    assert answer.json() == {
        "status": "ready",
        "database": "ok",
        "disk": "ok",
        "static": "ok",
        "queue": "ok",
    }


@pytest.fixture
def uncollected(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> StaticFiles:
    """Return the static files of a service before ``collectstatic``."""
    files = StaticFiles(location=tmp_path / "static")
    monkeypatch.setattr("operations.health.staticfiles_storage", files)
    return files


@pytest.mark.guide("operator#without-containers")
def test_without_collected_static_files_it_is_not_ready(
    client: Client, uncollected: StaticFiles
) -> None:
    answer = client.get("/health/ready/")
    assert answer.status_code == 503
    assert answer.json()["status"] == "not ready"
    assert answer.json()["static"] == "not collected"
    # Nor after an upgrade that added one file.
    uncollected.hashed_files = {
        name: name for finder in get_finders() for name, _storage in finder.list([])
    }
    assert client.get("/health/ready/").status_code == 200
    uncollected.hashed_files.popitem()
    assert client.get("/health/ready/").status_code == 503


@pytest.mark.guide("operator#without-containers")
def test_a_start_without_static_files_names_the_command(uncollected: StaticFiles) -> None:
    with capture_logs() as lines:
        warn_without_static_files()
    (line,) = lines
    assert line["log_level"] == "error"
    assert "manage.py collectstatic" in line["todo"]
    uncollected.hashed_files = {
        name: name for finder in get_finders() for name, _storage in finder.list([])
    }
    with capture_logs() as lines:
        warn_without_static_files()
    assert lines == []


@pytest.mark.guide("operator#health-and-metrics")
def test_without_redis_it_is_degraded_and_in_service(client: Client, settings: Any) -> None:
    from config.celery import app

    settings.CELERY_BROKER_URL = AWAY
    before = app.conf.broker_url, app.conf.broker_transport_options
    app.conf.update(broker_url=AWAY, broker_transport_options={"socket_connect_timeout": 1})
    try:
        answer = client.get("/health/ready/")
    finally:
        app.conf.update(broker_url=before[0], broker_transport_options=before[1])
    assert answer.status_code == 200
    assert answer.json()["status"] == "degraded"
    assert answer.json()["queue"] == "unreachable"


@pytest.mark.guide("operator#health-and-metrics")
def test_where_nothing_can_be_written_it_is_not_ready(
    client: Client, settings: Any, tmp_path: Path
) -> None:
    # No user can create a file there.
    settings.VAR_DIR = tmp_path / "gone"
    answer = client.get("/health/ready/")
    assert answer.status_code == 503
    assert answer.json()["disk"] == "unwritable"
    assert answer.json()["database"] == "ok"
    settings.READ_ONLY_NODE = True
    assert client.get("/health/ready/").status_code == 200


def test_a_full_disk_of_the_database_is_noticed(client: Client) -> None:
    """On PostgreSQL, a limit of zero on temporary files simulates a full disk.

    SQLite's disk is that of the service's own folder, which the test above removes.
    """
    full, room = {
        "postgresql": ("SET temp_file_limit = 0", "RESET temp_file_limit"),
        "sqlite": ("SELECT 1", "SELECT 1"),
    }[connection.vendor]
    with connection.cursor() as cursor:
        cursor.execute(full)
        try:
            state = client.get("/health/ready/").json()["disk"]
        finally:
            cursor.execute(room)
    assert state == {"postgresql": "unwritable", "sqlite": "ok"}[connection.vendor]
    assert client.get("/health/ready/").json()["disk"] == "ok"
