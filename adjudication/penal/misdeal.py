"""Choice of the misdeal article that fits the facts, in the order of C.2.

r.17 (the dealer had looked) → r.7 (the ill-served player has played) → r.8 or r.6 second limb
(after the turn-up) → r.6 first limb. Cards shown while dealing fall under the limb of r.2 that
their owner decides. Exactly one article results, hence one penalty.
"""

from __future__ import annotations

from typing import Final

from .statement import Facts

MISDEALS: Final = ("001-R17", "001-R7", "001-R8", "001-R6b", "001-R6a")
EXPOSURES: Final = ("001-R2a", "001-R2b")


def governing(article: str, facts: Facts) -> str:
    """Return the governing article for the chosen article and the facts.

    >>> governing("001-R6a", {"peeked": True, "turned_up": False, "ill_served_played": False})
    '001-R17'
    """
    if article in EXPOSURES:
        return "001-R2a" if facts.get("whose") == "own" else "001-R2b"
    if article not in MISDEALS:
        return article
    if facts.get("peeked"):
        return "001-R17"
    if facts.get("ill_served_played"):
        return "001-R7"
    if facts.get("turned_up"):
        return "001-R8" if facts.get("noticed_by_ill_served") else "001-R6b"
    return "001-R6a"
