"""The ledger's place among the applications."""

from django.apps import AppConfig


class LedgerConfig(AppConfig):
    """What every room writes to and none may rewrite."""

    name = "ledger"

    def ready(self) -> None:
        """Let transactions end with the record of the rows they wrote."""
        from . import rows

        rows.install()
