"""The workers' timer starts a backup when the newest is too old; a process of its own makes it.

The worker goes on with its jobs meanwhile. However many workers look, one starts it: the cache holds
the turn for an hour, which is also how long it takes until a backup that failed is tried again.
"""

from __future__ import annotations

import subprocess
import sys
import time
from typing import Final

import structlog
from django.conf import settings
from django.core.cache import cache

from operations import backups
from tournament.models import Event

log = structlog.get_logger(__name__)
AGAIN: Final = 3600
"""Seconds until a backup that failed is tried again."""
_running: list[subprocess.Popen[str]] = []


def due(now: float) -> bool:
    """Whether a backup is due at ``now`` (seconds of the epoch); an installation without events needs none."""
    if settings.BACKUP_HOURS <= 0:
        return False
    last = backups.newest()
    if last is not None and 0 <= now - last < settings.BACKUP_HOURS * 3600:
        return False
    return Event.objects.exists()


def look_after_backups() -> bool:
    """Start a backup that is due, and say how the one before ended; whether one was started."""
    for process in [each for each in _running if each.poll() is not None]:
        _running.remove(process)
        errors = process.stderr.read()[-1000:] if process.stderr else ""
        if process.returncode:
            log.error("backup_failed", told=errors)
        else:
            log.info("backup_made")
    if _running or not due(time.time()) or not cache.add("backup-turn", 1, AGAIN):
        return False
    words = [sys.executable, "manage.py", "backup", "--prove", "--keep", str(settings.BACKUP_KEEP)]
    _running.append(
        subprocess.Popen(  # noqa: S603
            words,
            cwd=settings.BASE_DIR,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        )
    )
    return True
