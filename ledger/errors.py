"""The refusals of services.

A refusal is for people: a stable code for programs, a translated sentence that says what to do,
the field it is about, and the HTTP status it maps to. Anything else that a service raises is a
programming error and surfaces as one.
"""

from __future__ import annotations

from django.core.exceptions import ImproperlyConfigured


class WrongSetting(ImproperlyConfigured, SystemExit):
    """A setting that cannot be used: ends the program with the one line that names it."""

    def __init__(self, line: str) -> None:
        super().__init__(line)
        self.code = line


class Refused(Exception):
    """The request cannot be carried out; nothing was changed."""

    status = 400

    def __init__(
        self,
        code: str,
        message: object,
        *,
        field: str = "",
        params: dict[str, object] | None = None,
    ) -> None:
        super().__init__(code)
        self.code = code
        self.message = message
        self.field = field
        self.params = params or {}

    def __str__(self) -> str:
        return str(self.message) % self.params if self.params else str(self.message)

    def members(self) -> dict[str, object]:
        """Return extra members of the problem+json response: ``params``, the values in the sentence."""
        return {"params": self.params} if self.params else {}


class Conflict(Refused):
    """The current state rules the change out, possibly after a concurrent change."""

    status = 409


class NotAllowed(Refused):
    """The caller may not do this here."""

    status = 403


class NotHere(Refused):
    """There is no such thing."""

    status = 404


class Busy(Refused):
    """No room for it just now; the same may be sent again after ``retry_after`` seconds."""

    status = 503
    retry_after = 2


class TooMany(Refused):
    """Too many requests; try again a little later."""

    status = 429
