"""Wiring at start-up that needs every room."""

from __future__ import annotations

from django.apps import AppConfig, apps
from django.db import DEFAULT_DB_ALIAS
from django.db.models.signals import post_migrate


class WiringConfig(AppConfig):
    """Settings, addresses, queue: the place where the rooms meet."""

    name = "config"

    def ready(self) -> None:
        """Declare what is official; begin the record of events that are older than it."""
        from .official import declare

        declare()
        # The signal comes once for every room that has tables; the last of them is the moment.
        last = apps.get_app_config("adjudication")
        post_migrate.connect(_begin_records, sender=last, dispatch_uid="config.begin_records")


def _begin_records(using: str, **_more: object) -> None:
    """Begin the record of rows and names of older events, and of accounts, once after an upgrade."""
    from accounts.evidence import mark_accounts
    from ledger.rows import begin
    from tournament.models import Event
    from tournament.services.name_marks import mark_names

    if using == DEFAULT_DB_ALIAS:
        for key in Event.objects.values_list("pk", flat=True):
            begin(key)
        mark_names()
        mark_accounts()
