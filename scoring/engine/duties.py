"""The duties of card play of a rulebook, as one frozen value (rules specification B.1).

Everything that decides which cards are legal stands here; the rulebook and its switches choose
the values once, and legality, replay, proof and the solver read nothing else.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Ruff(StrEnum):
    """What a player void in the led plain suit owes when they hold trumps."""

    NEVER_BOUND = "OPTIONAL"
    """Free to ruff or discard (muette, reading A)."""
    ALWAYS = "ALWAYS"
    """Any trump, no matter who is master (muette, reading B); rows 9 to 12 do not apply."""
    OPPONENT_MASTER = "OPPONENT_MASTER"
    """Bound only when an opponent is winning the trick (rows 9-12 of the decision table)."""
    LITERAL_003 = "LITERAL_003"
    """Bound when an opponent led and partner has not ruffed (003 read to the letter)."""


@dataclass(frozen=True, slots=True)
class Duties:
    """Which duties bind a player; the defaults are those of the parlée (000).

    ``follow``: the led suit must be provided (false only in the blind game).
    ``beat`` / ``beat_at_no_trump``: an opponent's winning card of the led suit must be beaten;
    at no trump only where both hold.
    ``ruff``: see :class:`Ruff`.
    ``ruff_over_partner``: row 9 read literally (``must_ruff_over_partner``). Under
    :attr:`Ruff.LITERAL_003`, which replaces rows 9 and 10 whole, it changes nothing.
    ``overruff``: an opponent's winning ruff must be beaten by a player who is bound to ruff.
    ``under_ruff``: row 12 allows a trump that cannot win (false: any non-trump first).
    """

    follow: bool = True
    beat: bool = True
    beat_at_no_trump: bool = True
    ruff: Ruff = Ruff.OPPONENT_MASTER
    ruff_over_partner: bool = False
    overruff: bool = True
    under_ruff: bool = True
