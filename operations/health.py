"""Health: alive (the process answers), ready (pages and entries work), degraded (jobs wait)."""

from __future__ import annotations

from functools import cache
from http import HTTPStatus
from tempfile import TemporaryFile
from typing import Final

import structlog
from celery import current_app
from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.contrib.staticfiles.storage import ManifestFilesMixin, staticfiles_storage
from django.db import DatabaseError, connection, transaction
from django.http import HttpRequest, JsonResponse
from kombu.exceptions import OperationalError

from accounts.access import public

log = structlog.get_logger(__name__)
_PROBE_BYTES: Final = 65536
_SORT_ON_DISK: Final = "SELECT count(*) FROM (SELECT md5(n::text) FROM generate_series(1, 4000) AS n ORDER BY 1 OFFSET 0) AS sorted"
"""More than fits into the memory it is given: PostgreSQL writes it to its disk, and keeps nothing."""


@public
def live(request: HttpRequest) -> JsonResponse:
    """Answer 200 while the process runs."""
    return JsonResponse({"status": "alive"})


@public
def ready(request: HttpRequest) -> JsonResponse:
    """Answer 200 while pages and entries work, else 503, with the state of each part.

    Without the queue the service is degraded: jobs wait in the database, all else goes on. Without
    the database, or with a disk on which nothing can be written, no deal can be entered; without the
    static files no page can be rendered.
    """
    needed = {"database": database_state(), "disk": disk_state(), "static": static_state()}
    checks = {**needed, "queue": queue_state()}
    if any(state != "ok" for state in needed.values()):
        status, code = "not ready", HTTPStatus.SERVICE_UNAVAILABLE
    else:
        status, code = ("ready" if checks["queue"] == "ok" else "degraded"), HTTPStatus.OK
    return JsonResponse({"status": status, **checks}, status=code)


def database_state() -> str:
    """Return ``ok`` or ``unreachable``."""
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except DatabaseError:
        return "unreachable"
    return "ok"


def disk_state() -> str:
    """Return ``ok`` or ``unwritable``, for the service's own folder and the disk of PostgreSQL.

    A node that only shows writes nothing and is always ``ok``.
    """
    if settings.READ_ONLY_NODE:
        return "ok"
    try:
        with TemporaryFile(dir=settings.VAR_DIR) as file:
            file.write(bytes(_PROBE_BYTES))
            file.flush()
        if connection.vendor == "postgresql" and database_state() == "ok":
            with transaction.atomic(), connection.cursor() as cursor:
                cursor.execute("SET LOCAL work_mem = '64kB'")
                cursor.execute(_SORT_ON_DISK)
    except (OSError, DatabaseError):
        return "unwritable"
    return "ok"


def static_state() -> str:
    """Return ``ok``, or ``not collected`` if a page needs a static file unknown to this process."""
    storage: object = staticfiles_storage
    if settings.DEBUG or not isinstance(storage, ManifestFilesMixin):
        return "ok"
    missing = _static_names() - storage.hashed_files.keys()
    return "not collected" if missing else "ok"


@cache
def _static_names() -> frozenset[str]:
    """Return the static files of this release."""
    return frozenset(name for finder in get_finders() for name, _storage in finder.list([]))


def warn_without_static_files() -> None:
    """Name the command to run where a web process starts without its static files."""
    if static_state() != "ok":
        log.error(
            "static_files_not_collected",
            folder=str(settings.STATIC_ROOT),
            todo="run manage.py collectstatic, then start this process again",
        )


def queue_state() -> str:
    """Return ``ok`` or ``unreachable``."""
    if settings.CELERY_BROKER_URL.startswith("filesystem"):
        return "ok"
    try:
        with current_app.connection_for_read(connect_timeout=1) as broker:
            broker.ensure_connection(max_retries=1, interval_start=0, timeout=2)
    except (OSError, OperationalError):
        return "unreachable"
    return "ok"
