"""Print the page of permissions."""

from __future__ import annotations

from django.core.management.base import BaseCommand

from operations.permissions_page import page


class Command(BaseCommand):
    """``manage.py permissions_page > docs/permissions.md``."""

    help = "Print docs/permissions.md as the code has it."

    def handle(self, *args: object, **options: object) -> None:
        """Write the page."""
        self.stdout.write(page(), ending="")
