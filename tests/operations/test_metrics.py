"""Metrics are for readers with the token, agree with the records, and reveal no personal link."""

from __future__ import annotations

import http.client
import os
import re
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest
import structlog
from django.core.cache import cache
from django.test import Client

from ledger.jobs import enqueue
from operations import metrics, metrics_port
from tests.programs import ROOT
from tests.tournament.build import SYSTEM, chance, grant, make_event, make_user
from tournament.demo.simulation import advance, draw_and_publish
from tournament.models.tables import DealVersion
from tournament.tables.links import table_token

pytestmark = pytest.mark.django_db
TOKEN = "a-token-of-the-scraper"


def figures(client: Client) -> dict[str, float]:
    """Return the metrics by name and labels."""
    answer = client.get("/metrics/", headers={"Authorization": f"Bearer {TOKEN}"})
    assert answer.status_code == 200
    lines = [line for line in answer.content.decode().splitlines() if not line.startswith("#")]
    return {line.rpartition(" ")[0]: float(line.rpartition(" ")[2]) for line in lines}


@pytest.mark.guide("operator#health-and-metrics")
@pytest.mark.parametrize("given", ["", "Bearer ", "Bearer wrong", f"Bearer {TOKEN}x"])
@pytest.mark.parametrize("configured", ["", TOKEN])
def test_without_the_token_there_is_nothing(
    client: Client, settings: Any, given: str, configured: str
) -> None:
    settings.METRICS_TOKEN = configured
    assert client.get("/metrics/", headers={"Authorization": given}).status_code == 404


def test_a_director_sees_no_figures_and_the_administrator_does(client: Client) -> None:
    event = make_event(0)
    client.force_login(make_user("director", event, "director"))
    assert client.get("/metrics/").status_code == 404
    assert client.get("/system/").status_code == 403
    admin = make_user("head")
    grant(admin, "admin")
    client.force_login(admin)
    assert client.get("/metrics/").status_code == 200
    page = client.get("/system/")
    assert page.status_code == 200
    assert "Slow requests" in page.content.decode()


def test_figures_follow_the_records(client: Client, settings: Any) -> None:
    settings.METRICS_TOKEN = TOKEN
    before = figures(client)
    event = make_event(8, deals=1)
    advance(event, chance())
    enqueue(kind="tournament.draw", scope=event.pk, actor=SYSTEM)
    after = figures(client)
    assert before["manille_entries_total"] == 0
    assert after["manille_entries_total"] == DealVersion.objects.count() > 0
    # Two tables of three games, signed by both sides.
    assert after["manille_signatures_total"] == 12
    assert after["manille_official_results_total"] == 6
    assert after['manille_jobs{kind="tournament.draw",state="queued"}'] == 1
    assert after['manille_jobs{kind="tournament.draw",state="done"}'] == 1
    assert after["manille_queue_age_seconds"] >= 0


def test_a_slow_request_is_noted_by_its_route_and_not_its_path(
    client: Client, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.METRICS_TOKEN = TOKEN
    monkeypatch.setattr(metrics, "SLOW", 0.0)
    cache.clear()
    client.get("/t/abcdefghijklmnop/")
    noted = metrics.slow_requests()
    assert [line["route"] for line in noted] == ["/t/<str:token>/"]
    assert noted[0]["id"]
    text = client.get("/metrics/", headers={"Authorization": f"Bearer {TOKEN}"}).content.decode()
    assert "abcdefghijklmnop" not in text
    assert 'route="/t/<str:token>/"' in text


def test_the_list_of_slow_requests_stays_short(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(metrics, "SLOW", 0.0)
    cache.clear()
    for _time in range(metrics.KEPT_SLOW + 5):
        client.get("/health/live/")
    assert len(metrics.slow_requests()) == metrics.KEPT_SLOW


def test_what_a_table_s_request_logs_names_request_and_table(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(metrics, "SLOW", 0.0)
    event = make_event(8, deals=1)
    round_ = draw_and_publish(event.stages.get(order=1).rounds.get(number=1), SYSTEM)
    table = round_.tables.get(number=1)
    with structlog.testing.capture_logs(
        processors=[structlog.contextvars.merge_contextvars]
    ) as got:
        answer = client.get(f"/t/{table_token(table)}/")
    noted = [line for line in got if line["event"] == "slow_request"]
    assert answer.status_code == 200
    assert [(line["table_id"], line["slug"]) for line in noted] == [(str(table.pk), event.slug)]
    assert noted[0]["request_id"] == answer["X-Request-ID"]
    # The next request of the process is about another subject.
    with structlog.testing.capture_logs(
        processors=[structlog.contextvars.merge_contextvars]
    ) as got:
        client.get("/health/live/")
    assert not {"table_id", "slug"} & set(got[0])


def test_a_slow_request_s_line_names_the_event_or_job_of_its_address(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(metrics, "SLOW", 0.0)
    event = make_event(4)
    job = enqueue(kind="tournament.draw", scope=event.pk, actor=SYSTEM)
    client.force_login(make_user("director", event, "director"))
    with structlog.testing.capture_logs() as got:
        for path in (
            f"/e/{event.slug}/standings/",
            f"/desk/{event.slug}/jobs/{job.pk}/",
            "/health/live/",
        ):
            assert client.get(path).status_code == 200
    noted = [line for line in got if line["event"] == "slow_request"]
    assert [line.get("slug") for line in noted] == [event.slug, event.slug, None]
    assert [line.get("job_id") for line in noted] == [None, str(job.pk), None]


def test_a_new_installation_that_has_written_nothing_yet_has_figures(
    client: Client, settings: Any, tmp_path: Path
) -> None:
    settings.METRICS_TOKEN = TOKEN
    settings.BACKUP_DIR = str(tmp_path / "not" / "yet")
    assert figures(client)["manille_disk_free_bytes"] > 0


def test_whoever_only_reads_the_backups_writes_nothing_there(
    client: Client, settings: Any, tmp_path: Path
) -> None:
    """A web process may have read-only access to their folder."""
    settings.METRICS_TOKEN = TOKEN
    settings.BACKUP_DIR = str(tmp_path / "backups")
    assert "manille_backup_age_seconds" not in figures(client)
    assert not (tmp_path / "backups").exists()
    (tmp_path / "backups").mkdir(mode=0o755)
    (tmp_path / "backups" / "manille-1.dump").touch()
    assert figures(client)["manille_backup_age_seconds"] >= 0
    assert (tmp_path / "backups").stat().st_mode & 0o777 == 0o755


@pytest.mark.guide("operator#health-and-metrics")
@pytest.mark.parametrize(("hours", "due"), [(0, 3600), (24, 90_000)])
def test_a_backup_is_due_as_often_as_the_setting_says(
    client: Client, settings: Any, hours: int, due: int
) -> None:
    """The process that makes the backup has an hour; with 0 another process makes them."""
    settings.METRICS_TOKEN, settings.BACKUP_HOURS = TOKEN, hours
    assert figures(client)["manille_backup_due_seconds"] == due


ANSWER = """
import django
django.setup()
from operations.metrics import note_finished
from tournament.public.marks import count_rendered
for _time in range({times}):
    note_finished(200, 0.02)
    count_rendered("page")
"""


@pytest.mark.guide("operator#health-and-metrics")
@pytest.mark.long
def test_processes_count_together(tmp_path: Path, client: Client, settings: Any) -> None:
    """Two processes answer requests, and each reports the sum of both."""
    environment = {
        **os.environ,
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "PROMETHEUS_MULTIPROC_DIR": str(tmp_path / "counts"),
        "MANILLE_VAR": str(tmp_path),
    }
    answering = [
        subprocess.Popen([sys.executable, "-c", ANSWER.format(times=n)], cwd=ROOT, env=environment)
        for n in (2, 3)
    ]
    assert [each.wait() for each in answering] == [0, 0]
    settings.METRICS_TOKEN = TOKEN
    settings.METRICS_DIR = str(tmp_path / "counts")
    found = figures(client)
    labels = '{route="(finished page)",status="200"}'
    assert found[f"manille_request_seconds_count{labels}"] == 5
    assert found['manille_rendered_total{what="page"}'] == 5
    assert found['manille_made_total{what="page"}'] == 5


@pytest.mark.guide("operator#health-and-metrics")
def test_totals_are_counters_and_what_goes_up_and_down_is_a_gauge(
    client: Client, settings: Any
) -> None:
    settings.METRICS_TOKEN = TOKEN
    text = client.get("/metrics/", headers={"Authorization": f"Bearer {TOKEN}"}).content.decode()
    kinds = dict(re.findall(r"^# TYPE (manille_\w+) (\w+)$", text, re.MULTILINE))
    for name in ("entries", "signatures", "official_results", "audit_entries", "made"):
        assert kinds[f"manille_{name}_total"] == "counter", name
    for name in ("referee_calls_waiting", "disk_free_bytes", "jobs", "queue_age_seconds"):
        assert kinds[f"manille_{name}"] == "gauge", name
    assert kinds["manille_request_seconds"] == "histogram"


def asked(port: int) -> str:
    """Return the metrics that Prometheus receives, by a container's address and in plain HTTP."""
    link = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
    link.request("GET", "/metrics", headers={"Host": f"172.18.0.7:{port}"})
    answer = link.getresponse()
    assert answer.status == 200
    return answer.read().decode()


@pytest.mark.guide("operator#health-and-metrics")
def test_prometheus_needs_no_name_token_or_https_on_the_port_of_its_own(
    settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.ALLOWED_HOSTS = ["manille.example"]
    settings.SECURE_SSL_REDIRECT = True
    make_event(4)
    # Collected here, because the port's thread does not see the test's uncommitted rows.
    read = list(metrics.Records().collect())
    monkeypatch.setattr(metrics.Records, "collect", lambda self: read)
    server = metrics_port.serve("127.0.0.1:0")
    try:
        text = asked(server.server_port)
        assert "manille_entries_total 0.0" in text
        assert re.search(r"^manille_audit_entries_total [1-9]", text, re.MULTILINE)
        assert "manille_rendered_total" in text
    finally:
        server.shutdown()
        server.server_close()


@pytest.mark.guide("operator#health-and-metrics")
@pytest.mark.long
def test_another_process_takes_the_port_over_when_the_one_that_had_it_ends(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    first = metrics_port.serve("127.0.0.1:0")
    refused, serve = threading.Event(), metrics_port.serve

    def tried(where: str) -> Any:
        try:
            return serve(where)
        except OSError:
            refused.set()
            raise

    monkeypatch.setattr(metrics_port, "serve", tried)
    taken: list[Any] = []
    address = f"127.0.0.1:{first.server_port}"
    waiting = threading.Thread(
        target=lambda: taken.append(metrics_port.serve_when_free(address, again=0.02)), daemon=True
    )
    waiting.start()
    assert refused.wait(10)
    assert taken == []
    first.shutdown()
    first.server_close()
    waiting.join(10)
    assert taken[0].server_port == first.server_port
    taken[0].shutdown()
    taken[0].server_close()
