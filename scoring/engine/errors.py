"""The three kinds of refusal of the rules engine, never mixed.

* :class:`Malformed`: the input cannot be read (a card that does not exist, a missing or unknown
  key, a value of the wrong type or outside its allowed values).
* :class:`Illegal`: readable, but the rules do not allow it (a call out of turn, a contract the
  rulebook does not know). Plays of a deal are never refused for being illegal: replay reports them.
* :class:`Impossible`: readable, but no deal of cards can have produced it (a card twice, a total
  outside the bounds). It lists *every* defect at once.
"""

from __future__ import annotations


def shown(value: object) -> str:
    """Return ``value`` shortened for a message."""
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."


class EngineError(ValueError):
    """Base of every refusal: a stable ``code``, a sentence for people, and the input's ``field``.

    ``params`` holds the values the sentence mentions, so that a caller may translate it by code.
    """

    def __init__(
        self, code: str, message: str, field: str = "", params: dict[str, object] | None = None
    ) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.field = field
        self.params: dict[str, object] = params or {}

    def as_json(self) -> dict[str, object]:
        """Return the error object of the command line and the API."""
        return {"code": self.code, "message": self.message, "field": self.field}


class Malformed(EngineError):
    """The input cannot be read."""


class Illegal(EngineError):
    """The input can be read, but the rules do not allow it."""


class Impossible(EngineError):
    """No deal of cards can have produced the input; ``defects`` names every reason."""

    def __init__(
        self,
        code: str,
        defects: list[str],
        field: str = "",
        params: dict[str, object] | None = None,
    ) -> None:
        super().__init__(code, "; ".join(defects), field, params)
        self.defects = list(defects)

    def as_json(self) -> dict[str, object]:
        """Return the error object, with the defects one by one."""
        return {**super().as_json(), "defects": self.defects}
