"""The two kinds of refusal of the standings: a rule that cannot be read, results that cannot be."""

from __future__ import annotations


class StandingsError(ValueError):
    """Base of both: a stable ``code``, a sentence in English and the values it mentions."""

    def __init__(self, code: str, message: str, **params: object) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.params = params


class BadRule(StandingsError):
    """The ranking rule, cut, prize list or club rule is not usable; the organiser can mend it."""


class BadResults(StandingsError):
    """Results or adjustments that contradict each other or name unknown entrants."""
