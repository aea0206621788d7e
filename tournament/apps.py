"""The tournament room's place among the applications."""

from django.apps import AppConfig


class TournamentConfig(AppConfig):
    """Event, draws, standings, documents and their pages."""

    name = "tournament"

    def ready(self) -> None:
        """Register the kinds of job, and what raises an event's version."""
        from .services import documents, draws, events, imports, notices, publication  # noqa: F401
