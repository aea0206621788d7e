"""The ledger's place among the applications."""

from django.apps import AppConfig


class LedgerConfig(AppConfig):
    """The ledger: the append-only record of all rooms."""

    name = "ledger"
