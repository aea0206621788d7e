"""Whether an illegal card may still be corrected, by policy and moment (C.6)."""

from __future__ import annotations

from typing import Final

from scoring.texts import gettext_lazy as _

from .game import Policy
from .proposal import Reason

_CORRECTABLE: Final = {
    Policy.STRICT: frozenset[str](),
    Policy.NEXT_TRICK: frozenset({"same_trick"}),
    Policy.BRIDGE: frozenset({"same_trick", "opponent_played_next"}),
}


def may_correct(policy: Policy, noticed: str) -> bool:
    """Whether an illegal card noticed at this moment is corrected free of penalty.

    ``noticed`` is the value of the fact of that name. STRICT: never (001 r.4). NEXT_TRICK: before
    any card of the next trick. BRIDGE: until the offender or their partner plays to the next trick.
    """
    return noticed in _CORRECTABLE[policy]


def why(policy: Policy, corrected: bool) -> Reason:
    """Return the sentence of the rationale on correction."""
    if policy is Policy.STRICT:
        return Reason(
            "C.6 STRICT; 001 r.4",
            _("A card on the table cannot be taken back: the breach exists at once."),
        )
    if policy is Policy.NEXT_TRICK:
        if corrected:
            text = _(
                "It was noticed before any card of the next trick: the card is replaced by a legal one, without penalty."
            )
        else:
            text = _("A card of the next trick had been played: it is too late to correct.")
        return Reason("C.6 NEXT_TRICK", text)
    if corrected:
        text = _(
            "Neither the offender nor their partner had played to the next trick: the card is replaced by a legal one, without penalty; an opponent who played after it may change theirs."
        )
    else:
        text = _(
            "The offender or their partner had played to the next trick: the revoke is established."
        )
    return Reason("C.6 BRIDGE", text)
