"""The tournament room's place among the applications."""

from django.apps import AppConfig


class TournamentConfig(AppConfig):
    """Event, draws, standings, documents and their pages."""

    name = "tournament"

    def ready(self) -> None:
        """Register job kinds, the hook on results and the scope of addresses."""
        from . import at_table, scopes  # noqa: F401
        from .services import documents, draws, imports, publication, standings  # noqa: F401
