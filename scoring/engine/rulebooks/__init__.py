"""The published rulebooks, one file each, of which an event keeps the edition it was opened under.

The second edition differs from the first in the default of a switch (``options.EARLIER_DEFAULTS``)
and in saying who leads a deal of blind trump.
"""

from types import MappingProxyType

from scoring.engine.rulebook_edition import Rulebook

from . import (
    auction_1,
    auction_2,
    auction_3,
    belgian,
    blind,
    boussac,
    chaloupee,
    coinchee,
    muette,
    parlee,
    parlee_limited,
    three_player,
)

_BOOKS: tuple[Rulebook, ...] = (
    parlee.RULEBOOK,
    boussac.RULEBOOK,
    chaloupee.RULEBOOK,
    coinchee.RULEBOOK,
    muette.RULEBOOK,
    parlee_limited.RULEBOOK,
    auction_1.RULEBOOK,
    auction_2.RULEBOOK,
    auction_3.RULEBOOK,
    blind.RULEBOOK,
    three_player.RULEBOOK,
    belgian.RULEBOOK,
)

RULEBOOKS = MappingProxyType({book.key: book for book in _BOOKS})
"""The rulebooks in force, by key, in the order of the variant table."""
