"""The tables' place among the applications."""

from __future__ import annotations

from django.apps import AppConfig


class TablesConfig(AppConfig):
    """See the package's models and services."""

    name = "tournament.tables"
    # The label names the database tables and the recorded rows, which outlive the place of the code.
    label = "scoring"
