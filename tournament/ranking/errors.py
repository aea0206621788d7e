"""The two kinds of refusal of the standings: a rule that cannot be read, results that cannot be."""

from __future__ import annotations

from typing import Final

from scoring.texts import Message, Value
from scoring.texts import gettext_lazy as _

CAP_TOO_SMALL: Final = _("The limit must be at least 1.")
BRACKET_PLACE: Final = _("The place in the bracket is set automatically.")
TOO_GREAT: Final = _("Numbers run from −{most} to {most}, with at most two decimals.")
ONE_OF: Final = _("“{key}” must be one of these: {options}.")


class StandingsError(ValueError):
    """Base of both: a stable ``code``, a sentence and the values it mentions."""

    def __init__(self, code: str, sentence: str, **params: object) -> None:
        super().__init__(sentence)
        self.code = code
        self.params = params


class BadRule(StandingsError):
    """The ranking rule, cut, prize list or club rule is not usable; the organiser can mend it.

    ``message`` gives the reason in every language.
    """

    def __init__(self, code: str, message: Message, **params: Value) -> None:
        self.message = message.format(**params)
        super().__init__(code, self.message.render("en"), **params)


class BadResults(StandingsError):
    """Results or adjustments that contradict each other or name unknown entrants."""
