"""Context of a decision besides the facts: switches, sides, dealer, history.

The switches are those of rules specification A.7 that bear on rulings; their defaults follow the
rulebook. Everything here is a value: the caller reads it from the event, the sheet and the desk.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from types import MappingProxyType
from typing import Any, Final

from scoring.engine.rulebook import Sides, find, resolve

from .article import Measure

TURN_UP_VALUES: Final[Mapping[str, int]] = {"10": 5, "A": 4, "K": 3, "Q": 2, "J": 1}


class Policy(StrEnum):
    """When an illegal card may still be corrected (C.6)."""

    STRICT = "STRICT"
    NEXT_TRICK = "NEXT_TRICK"
    BRIDGE = "BRIDGE"


class Claimed(StrEnum):
    """When the referee was called; claims end with the signatures or the round (C.6)."""

    IN_TIME = "in_time"
    AFTER_SIGNATURES = "after_signatures"
    AFTER_ROUND = "after_round"


class PenaltyMode(StrEnum):
    """Side whose marks change by a penalty (Q-GEN-2)."""

    CREDIT_OPPONENTS = "CREDIT_OPPONENTS"
    DEBIT_OFFENDER = "DEBIT_OFFENDER"


PAIRS: Final[Mapping[str, str]] = MappingProxyType({"N": "NS", "S": "NS", "E": "EW", "W": "EW"})


@dataclass(frozen=True, slots=True)
class Game:
    """The game in which an incident happened.

    ``sides`` maps each seat to its side. ``penalty_value`` is *P*, half of the deal unless the
    event sets another. ``factor`` is the contract's multiplier, used only when
    ``penalty_multiplied``. ``deal`` identifies the deal (one penalty per deal and side),
    ``offender`` the person or entrant at fault (escalation), both as the caller names them.
    ``stake``: in the auctions, what failing would have cost the offender to each opponent
    (auction 1), or in all (auctions 2 and 3).
    """

    rulebook: str
    sides: Mapping[str, str] = field(default_factory=lambda: PAIRS)
    penalty_value: int = 34
    penalty_mode: PenaltyMode = PenaltyMode.CREDIT_OPPONENTS
    penalty_multiplied: bool = False
    penalty_replaces_deal: bool = True
    penalty_floor: bool = True
    bonus_survives_redeal: bool = False
    two_cards: str = "OPPONENTS_CHOOSE"
    factor: int = 1
    doubled: bool | None = None
    """Whether the contract is doubled as the table wrote it; ``None`` while none is written."""
    blind: bool | None = None
    """Whether the contract is for blind trump; ``None`` while none is written."""
    dealer: str | None = None
    turn_up: str | None = None
    stake: int | None = None
    deal: str | None = None
    offender: str | None = None
    claimed: Claimed = Claimed.IN_TIME
    played: Mapping[str, int] = field(default_factory=dict)
    """What each side marks for the deal as it was played; empty while that is not known."""
    game_won: str | None = None
    """The side that won the whole game by the deal as it was played (a générale)."""
    declarer: str | None = None
    """The player who plays against all the others in the deal, where one does."""
    redealt: tuple[str, ...] = ()
    """The deals, named as ``deal``, that the same dealer dealt again and of which this one comes."""
    match: str | None = None
    """The match: what a table plays in one round. As the caller names it."""
    teams: Mapping[str, str] = field(default_factory=dict)
    """Side → who sits on it, as the caller names them: partners may change between two games."""
    persons: Mapping[str, str] = field(default_factory=dict)
    """Player → who it is, where each is ranked alone; empty where partners are ranked together."""

    @property
    def penalty(self) -> int:
        """The penalty *P* in marks, before any share of it (Q-GEN-3)."""
        return self.penalty_value * (self.factor if self.penalty_multiplied else 1)

    @property
    def is_auction(self) -> bool:
        """Each player for themselves: the offender pays as if they had failed (B.3)."""
        return find(self.rulebook).sides is Sides.DECLARER_ALONE

    @property
    def pays_stakes(self) -> bool:
        """Whether failing costs a stake to each opponent (auction 1)."""
        return find(self.rulebook).stakes

    @property
    def all_sides(self) -> tuple[str, ...]:
        """The sides, each once, in seat order."""
        return tuple(dict.fromkeys(self.sides.values()))

    def opponents(self, side: str) -> tuple[str, ...]:
        """Return the other sides."""
        return tuple(other for other in self.all_sides if other != side)

    @property
    def bonus(self) -> int:
        """Marks that the turn-up gave the dealer's side: 5 4 3 2 1, else 0 (000, 001)."""
        if self.turn_up is None or not find(self.rulebook).turn_up:
            return 0
        rank = self.turn_up[:-1].upper()
        return TURN_UP_VALUES.get("10" if rank == "T" else rank, 0)

    @property
    def bonus_side(self) -> str | None:
        """The dealer's side, when the turn-up earned a bonus."""
        return self.sides.get(self.dealer) if self.bonus and self.dealer else None


def default_policy(rulebook: str) -> Policy:
    """Return STRICT: stated by 001 r.4 for 000 and 001, and the default without a source (C.6).

    Raises:
        Malformed: The rulebook is unknown.
    """
    find(rulebook)
    return Policy.STRICT


def game_for(rulebook: str, options: Mapping[str, object] | None = None, **context: Any) -> Game:
    """Return the :class:`Game` of ``rulebook`` under an event's switches, validated by the engine.

    ``context`` are the remaining fields of :class:`Game` (dealer, turn_up, deal, …). Raises the
    engine's :class:`~scoring.engine.errors.Malformed` for an unknown rulebook, switch or value.
    """
    engine = resolve(rulebook, dict(options or {}))
    fixed = engine.fixed_sides
    sides = {seat: engine.side_of(seat) if fixed else seat for seat in engine.seats}
    game = Game(
        rulebook,
        sides=MappingProxyType(sides),
        penalty_value=engine.number("penalty_value"),
        penalty_mode=PenaltyMode(str(engine.options["penalty_mode"])),
        penalty_multiplied=engine.flag("penalty_multiplied"),
        penalty_replaces_deal=engine.flag("penalty_replaces_deal"),
        penalty_floor=engine.flag("penalty_floor"),
        bonus_survives_redeal=engine.flag("bonus_survives_redeal"),
        two_cards=str(engine.options.get("two_cards", "OPPONENTS_CHOOSE")),
    )
    return replace(game, **context)


@dataclass(frozen=True, slots=True)
class Previous:
    """An earlier ruling that is in force: what escalation and consistency look at.

    ``deal`` and ``side`` name the deal and the side ruled against; ``offender`` the person or
    entrant, ``match`` the match and ``team`` who sat on the side, named as in :class:`Game`.
    ``measure`` is what was imposed.
    """

    ruling: str
    article: str
    offender: str | None = None
    deal: str | None = None
    side: str | None = None
    measure: Measure = Measure.NONE
    match: str | None = None
    team: str | None = None
