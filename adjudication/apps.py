"""The adjudication room's place among the applications."""

from django.apps import AppConfig


class AdjudicationConfig(AppConfig):
    """See the package's models and services."""

    name = "adjudication"
