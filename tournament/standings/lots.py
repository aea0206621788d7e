"""Drawing lots among those level: reproducible by anybody from the public seed.

Rule followed: rules specification D.2 ("then draw of lots"). The lots are recorded by the event;
a recorded lot is never drawn again.
"""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import sha256

from tournament.standings.errors import BadRule


def draw_lots(entrants: Iterable[str], seed: str) -> dict[str, int]:
    """Lot numbers 1..n by the SHA-256 of ``seed``, a line feed and the entrant's id, rising.

    The order given does not matter. ``BadRule`` for an empty seed, which nobody could check.

    >>> draw_lots(["7", "12"], "evening bell 2023-02-18") == draw_lots(["12", "7"], "evening bell 2023-02-18")
    True
    """
    if not seed:
        raise BadRule("no-seed", "Lots need a public seed.")
    drawn = sorted(set(entrants), key=lambda key: (sha256(f"{seed}\n{key}".encode()).digest(), key))
    return {key: number for number, key in enumerate(drawn, 1)}
