"""Health: alive (the process answers) and ready (database and queue answer)."""

from __future__ import annotations

from django.conf import settings
from django.db import DatabaseError, connection
from django.http import HttpRequest, JsonResponse
from kombu.exceptions import OperationalError

from ledger.access import public

from .celery import app


@public
def live(request: HttpRequest) -> JsonResponse:
    """200 as long as the process answers."""
    return JsonResponse({"status": "alive"})


@public
def ready(request: HttpRequest) -> JsonResponse:
    """200 when database and queue answer, else 503 naming the one that does not."""
    checks = {"database": database_state(), "queue": queue_state()}
    good = all(state == "ok" for state in checks.values())
    return JsonResponse(
        {"status": "ready" if good else "not ready", **checks}, status=200 if good else 503
    )


def database_state() -> str:
    """``ok``, or ``unreachable``."""
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except DatabaseError:
        return "unreachable"
    return "ok"


def queue_state() -> str:
    """``ok``, or ``unreachable``."""
    if settings.CELERY_BROKER_URL.startswith("filesystem"):
        return "ok"
    try:
        with app.connection_for_read(connect_timeout=1) as broker:
            broker.ensure_connection(max_retries=1, interval_start=0, timeout=2)
    except (OSError, OperationalError):
        return "unreachable"
    return "ok"
