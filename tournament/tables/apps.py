"""The tables' place among the applications."""

from __future__ import annotations

from django.apps import AppConfig


class TablesConfig(AppConfig):
    """The models stand in :mod:`tournament.models.tables`, under the label of this application."""

    name = "tournament.tables"
    # The label names the database tables and the recorded rows, which outlive the place of the code.
    label = "scoring"
