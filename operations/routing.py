"""Reads from another database for a while: how a rebuilt event is ranked by the usual code."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from django.db import models

_reading: ContextVar[str] = ContextVar("reading_from", default="")


class Router:
    """Django's database router: reads follow :func:`reading`, writes are never led astray."""

    def db_for_read(self, model: type[models.Model], **hints: object) -> str | None:
        """Return the database of the current :func:`reading`; without one, leave the choice to Django."""
        return _reading.get() or None


@contextmanager
def reading(alias: str) -> Iterator[None]:
    """Let every query of this context read from ``alias``."""
    token = _reading.set(alias)
    try:
        yield
    finally:
        _reading.reset(token)
