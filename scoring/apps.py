"""The scoring room's place among the applications."""

from django.apps import AppConfig


class ScoringConfig(AppConfig):
    """See the package's models and services."""

    name = "scoring"
