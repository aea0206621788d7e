"""The tournament room's place among the applications."""

from django.apps import AppConfig


class TournamentConfig(AppConfig):
    """See the package's models and services."""

    name = "tournament"
