"""What a password must be, said in the languages of the product."""

from __future__ import annotations

from django.contrib.auth.password_validation import MinimumLengthValidator
from django.utils.translation import ngettext


class MinimumLength(MinimumLengthValidator):
    """Django's own, whose refusal its Dutch catalog leaves in English."""

    def get_error_message(self) -> str:
        """The refusal of a password that is too short."""
        return ngettext(
            "This password is too short: use at least %(n)d character.",
            "This password is too short: use at least %(n)d characters.",
            self.min_length,
        ) % {"n": self.min_length}
