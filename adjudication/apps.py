"""The adjudication room's place among the applications."""

from django.apps import AppConfig


class AdjudicationConfig(AppConfig):
    """Incidents, rulings and appeals; their pages, documents and jobs."""

    name = "adjudication"

    def ready(self) -> None:
        """Connect to the tournament's signals."""
        from . import receivers  # noqa: F401
