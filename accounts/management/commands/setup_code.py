"""Show the code that the page of the first account asks for."""

from __future__ import annotations

from django.core.management.base import BaseCommand

from accounts.views.sign_in import setup_code, setup_is_open


class Command(BaseCommand):
    """``manage.py setup_code``; nothing to show once there is an account."""

    help = "Show the code that the page of the first account (/setup/) asks for."

    def handle(self, *args: object, **options: object) -> None:
        """Print the code while it is of use."""
        if setup_is_open():
            self.stdout.write(f"Setup code for the first account, at /setup/: {setup_code()}")
        else:
            self.stdout.write("The first account is made already: there is no setup code.")
