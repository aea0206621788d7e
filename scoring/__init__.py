"""The game of manille as a library: cards, deals in play, rulebooks, legality and scoring.

    >>> import scoring
    >>> scoring.resolve("muette").total
    60

What stands here is the documented surface; :class:`Deal` is the place to begin.
"""

from .engine.cards import Card
from .engine.deal import Deal
from .engine.errors import EngineError, Illegal, Impossible, Malformed
from .engine.fast import validate
from .engine.replay import replay
from .engine.rulebook import RULEBOOKS, Game, resolve
from .engine.solve import Position, Solution, solve

__all__ = [
    "RULEBOOKS",
    "Card",
    "Deal",
    "EngineError",
    "Game",
    "Illegal",
    "Impossible",
    "Malformed",
    "Position",
    "Solution",
    "replay",
    "resolve",
    "solve",
    "validate",
]
