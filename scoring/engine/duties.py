"""The duties of card play of a rulebook, as one frozen value (rules specification B.1).

Everything that decides which cards are legal stands here; the rulebook and its switches choose
the values once, and legality, replay, proof and the solver read nothing else.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Beat(StrEnum):
    """In which suits the winning card must be beaten."""

    ALWAYS = "ALWAYS"
    """In every suit."""
    TRUMPS_ONLY = "TRUMPS_ONLY"
    """Only where trumps are led."""
    NEVER = "NEVER"
    """In none (muette)."""


class Ruff(StrEnum):
    """Duty of a player who holds trumps and is void in the led plain suit."""

    NEVER_BOUND = "OPTIONAL"
    """Free to ruff or discard (muette, reading A)."""
    ALWAYS = "ALWAYS"
    """A trump, whichever side is winning the trick (muette, reading B). With ``overruff`` a trump higher
    than the winning one, if held."""
    OPPONENT_MASTER = "OPPONENT_MASTER"
    """Bound only when an opponent is winning the trick (rows 9-12 of the decision table)."""
    LITERAL_003 = "LITERAL_003"
    """Bound when an opponent led and partner has not ruffed (003 read to the letter)."""


@dataclass(frozen=True, slots=True)
class Duties:
    """Duties that bind a player; the defaults are those of the parlée (000).

    ``follow``: the led suit must be provided (false only in the blind game).
    ``beat`` / ``beat_at_no_trump``: in which suits an opponent's winning card of the led suit must
    be beaten; at no trump only where both hold.
    ``beat_partner``: partner's winning card is beaten as an opponent's is, in the suit led and by
    overruffing; partner's plain card need not be ruffed for it.
    ``ruff``: see :class:`Ruff`.
    ``ruff_over_partner``: row 9 read literally (``must_ruff_over_partner``). Under
    :attr:`Ruff.LITERAL_003`, which replaces rows 9 and 10 whole, it changes nothing.
    ``overruff``: a winning ruff must be beaten by a player who is bound to ruff.
    ``under_ruff``: over an opponent's ruff a trump that cannot win is allowed (false: only from a hand
    without any other card; a player who must ruff then overruffs).
    """

    follow: bool = True
    beat: Beat = Beat.ALWAYS
    beat_at_no_trump: bool = True
    ruff: Ruff = Ruff.OPPONENT_MASTER
    ruff_over_partner: bool = False
    overruff: bool = True
    under_ruff: bool = True
    beat_partner: bool = False

    @property
    def overruffs(self) -> bool:
        """Whether a player bound to ruff must beat a winning ruff."""
        return self.overruff or not self.under_ruff

    def beats(self, *, trump_led: bool, no_trump: bool) -> bool:
        """Return whether a winning card of the led suit must be beaten at all."""
        if self.beat is Beat.TRUMPS_ONLY:
            return trump_led
        return self.beat is Beat.ALWAYS and (self.beat_at_no_trump or not no_trump)
