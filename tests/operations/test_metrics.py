"""Figures are for those who may see them, true to the records, and show nobody's link."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import structlog
from django.core.cache import cache
from django.test import Client

from accounts.models import RoleGrant
from ledger.jobs import enqueue
from ledger.models import ORGANISATION
from operations import metrics
from tests.tournament.build import SYSTEM, chance, make_event, make_user
from tournament.demo.simulation import advance, draw_and_publish
from tournament.tables.links import table_token
from tournament.tables.models import DealVersion

pytestmark = pytest.mark.django_db
TOKEN = "a-token-of-the-scraper"


def figures(client: Client) -> dict[str, float]:
    """The figures by name and labels."""
    answer = client.get("/metrics/", headers={"Authorization": f"Bearer {TOKEN}"})
    assert answer.status_code == 200
    lines = [line for line in answer.content.decode().splitlines() if not line.startswith("#")]
    return {line.rpartition(" ")[0]: float(line.rpartition(" ")[2]) for line in lines}


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
    RoleGrant.objects.create(user=admin, scope=ORGANISATION, role="admin")
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
    assert before["manille_entries"] == 0
    assert after["manille_entries"] == DealVersion.objects.count() > 0
    # Two tables of three games, signed by both sides.
    assert after["manille_signatures"] == 12
    assert after["manille_official_results"] == 6
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
    part = draw_and_publish(event.stages.get(order=1).rounds.get(number=1), SYSTEM)
    table = part.tables.get(number=1)
    with structlog.testing.capture_logs(
        processors=[structlog.contextvars.merge_contextvars]
    ) as got:
        answer = client.get(f"/t/{table_token(table)}/")
    noted = [line for line in got if line["event"] == "slow_request"]
    assert answer.status_code == 200
    assert [line["table_id"] for line in noted] == [str(table.pk)]
    assert noted[0]["request_id"] == answer["X-Request-ID"]
    # The next request of the process is about something else.
    with structlog.testing.capture_logs(
        processors=[structlog.contextvars.merge_contextvars]
    ) as got:
        client.get("/health/live/")
    assert "table_id" not in got[0]


def test_a_new_installation_that_has_written_nothing_yet_has_figures(
    client: Client, settings: Any, tmp_path: Path
) -> None:
    settings.METRICS_TOKEN = TOKEN
    settings.BACKUP_DIR = str(tmp_path / "not" / "yet")
    assert figures(client)["manille_disk_free_bytes"] > 0


def test_whoever_only_reads_the_backups_writes_nothing_there(
    client: Client, settings: Any, tmp_path: Path
) -> None:
    """A web process may have their folder read-only."""
    settings.METRICS_TOKEN = TOKEN
    settings.BACKUP_DIR = str(tmp_path / "backups")
    assert "manille_backup_age_seconds" not in figures(client)
    assert not (tmp_path / "backups").exists()
    (tmp_path / "backups").mkdir(mode=0o755)
    (tmp_path / "backups" / "manille-1.dump").touch()
    assert figures(client)["manille_backup_age_seconds"] >= 0
    assert (tmp_path / "backups").stat().st_mode & 0o777 == 0o755
