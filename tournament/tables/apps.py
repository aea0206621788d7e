"""The tables' place among the applications."""

from __future__ import annotations

from django.apps import AppConfig


class TablesConfig(AppConfig):
    """Application of the tables; its models are in :mod:`tournament.models.tables`."""

    name = "tournament.tables"
    # The label names the database tables and the recorded rows, which outlive the place of the code.
    label = "scoring"
