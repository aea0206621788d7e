"""Prove the audit chains: recompute every hash, name every place where a chain does not hold."""

from __future__ import annotations

import json
import uuid
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from ledger.anchors import all_as_one, anchor_of, anchors, astray, leads_through, scopes
from ledger.audit import breaks
from ledger.models import AuditEntry
from ledger.rows import beside_faults
from ledger.signing import public_key, signer


class Command(BaseCommand):
    """``manage.py audit_verify [SCOPE ...] [--expect FILE-OR-ANCHOR ...]``."""

    help = "Prove the audit chain of every event (or of those named); exit 1 where one is broken."

    def add_arguments(self, parser: CommandParser) -> None:
        """Add the scopes: ids of events; none means all."""
        parser.add_argument("scope", nargs="*", type=uuid.UUID)
        parser.add_argument(
            "--expect",
            action="append",
            default=[],
            metavar="ANCHOR",
            help="an anchor as a document or a page shows it (812.640.0123456789abcdef), or a file"
            " saved from /anchors.json: fail where no chain leads through it",
        )

    def handle(self, *args: object, **options: Any) -> None:
        """Check, say how many entries were read, fail on any break."""
        known = scopes()
        broken = 0
        for scope in options["scope"] or known:
            faults = [f"entry {place.sequence}: {place.reason}" for place in breaks(scope)]
            faults += beside_faults(scope)
            count = AuditEntry.objects.filter(scope=scope).count()
            if not count and scope in known:
                faults.append("there are rows of it, and no chain")
            broken += bool(faults)
            state = "BROKEN" if faults else f"whole, {anchor_of(scope)}"
            self.stdout.write(f"{scope}: {count} entries, {state}")
            for line in faults[:20]:
                self.stdout.write(f"  {line}")
        self.stdout.write(f"all: {all_as_one(anchors())}")
        lost = sum(not self._holds(each, known) for each in options["expect"])
        if broken:
            raise CommandError(f"{broken} chain(s) broken")
        if lost:
            raise CommandError(f"{lost} anchor(s) that no chain leads through")

    def _holds(self, expected: str, known: list[uuid.UUID]) -> bool:
        """Whether the chains lead through an anchor, or through all of a file."""
        try:
            if not Path(expected).is_file():
                holds = any(leads_through(scope, expected) for scope in known)
                self.stdout.write(f"{expected}: {'found' if holds else 'NOT FOUND'}")
                return holds
            saved = json.loads(Path(expected).read_text())
            wrong, key = astray(saved["anchors"]), signer(saved)
        except (OSError, ValueError, LookupError, TypeError, AttributeError) as error:
            raise CommandError(f"{expected}: {error}") from error
        whose = (
            "by this installation" if key == public_key() else f"by {key}" if key else "by nobody"
        )
        self.stdout.write(f"{expected}: signed {whose}")
        for scope in wrong:
            self.stdout.write(f"{expected}: {scope} NOT FOUND")
        if not wrong:
            self.stdout.write(f"{expected}: all found")
        return not wrong
