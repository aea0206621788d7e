"""The scoring room's place among the applications."""

from __future__ import annotations

from django.apps import AppConfig


class ScoringConfig(AppConfig):
    """See the package's models and services."""

    name = "scoring"

    def ready(self) -> None:
        """Register which scope an address of this room belongs to."""
        from . import scopes  # noqa: F401
