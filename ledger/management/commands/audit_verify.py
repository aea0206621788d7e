"""Prove the audit chains: recompute every hash, name every place where a chain does not hold."""

from __future__ import annotations

import uuid
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from ledger.audit import breaks
from ledger.models import AuditEntry, AuditHead


class Command(BaseCommand):
    """``manage.py audit_verify [SCOPE ...]``."""

    help = "Prove the audit chain of every event (or of those named); exit 1 where one is broken."

    def add_arguments(self, parser: CommandParser) -> None:
        """Scopes: ids of events; none means all."""
        parser.add_argument("scope", nargs="*", type=uuid.UUID)

    def handle(self, *args: Any, **options: Any) -> None:
        """Check, say how many entries were read, fail on any break."""
        scopes = options["scope"] or list(
            AuditHead.objects.order_by("scope").values_list("scope", flat=True)
        )
        broken = 0
        for scope in scopes:
            found = list(breaks(scope))
            broken += bool(found)
            count = AuditEntry.objects.filter(scope=scope).count()
            self.stdout.write(f"{scope}: {count} entries, {'BROKEN' if found else 'whole'}")
            for place in found[:20]:
                self.stdout.write(f"  entry {place.sequence}: {place.reason}")
        if broken:
            raise CommandError(f"{broken} chain(s) broken")
