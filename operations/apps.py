"""The operations room's place among the applications."""

from django.apps import AppConfig


class OperationsConfig(AppConfig):
    """Backups, replay, figures, health and load of a running service."""

    name = "operations"

    def ready(self) -> None:
        """Register the kind of job that proves."""
        from . import proofs  # noqa: F401
