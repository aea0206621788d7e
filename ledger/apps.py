"""The ledger's place among the applications."""

from django.apps import AppConfig


class LedgerConfig(AppConfig):
    """What every room writes to and none may rewrite."""

    name = "ledger"
