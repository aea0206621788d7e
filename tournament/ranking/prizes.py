"""The prize list: prizes by place, those level sharing, and something for everyone if wished.

Rule followed: rules specification D.2 "Prizes: ranks + 'everyone gets something'; ties share".
Money is in euro cents and is divided to the cent; prizes in kind (a ham, a basket) cannot be
divided, so tied entrants draw or choose, and the list states it. Printed by
:mod:`tournament.documents.prizes`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from scoring.texts import gettext_lazy as _
from tournament.ranking.errors import BadRule
from tournament.ranking.model import Row, Standing


class Remainder(StrEnum):
    """Recipient of the cents left over when a sum does not divide."""

    START_NUMBER = "start_number"
    """One cent each to the lowest start numbers among those level."""
    HOUSE = "house"
    """The organiser keeps them."""


@dataclass(frozen=True, slots=True)
class Prize:
    """Prize of the place ``position`` (from 1): ``cents`` of money, ``item`` in kind, or both."""

    position: int
    cents: int = 0
    item: str = ""


@dataclass(frozen=True, slots=True)
class Award:
    """Winnings of one entrant.

    ``positions`` are the places pooled among the tied entrants (one without a tie), ``cents`` the
    entrant's money. ``items`` are the prizes in kind of the whole pool. ``shared_items`` is true
    when several are tied, so that lots or their own choice distribute the prizes.
    """

    entrant: str
    rank: int
    positions: tuple[int, ...]
    cents: int
    items: tuple[str, ...]
    shared_items: bool
    consolation: str = ""


@dataclass(frozen=True, slots=True)
class PrizeList:
    """The awards in the order of the standing, and what stays with the organiser.

    ``kept_cents``: cents that did not divide. ``unclaimed``: prizes of places without an entrant.
    """

    awards: tuple[Award, ...]
    kept_cents: int
    unclaimed: tuple[Prize, ...]


def share_prizes(
    standing: Standing,
    prizes: Iterable[Prize],
    *,
    remainder: Remainder = Remainder.START_NUMBER,
    everyone: str = "",
) -> PrizeList:
    """Share the prizes out over the ranked entrants.

    ``everyone``: a prize in kind for each ranked entrant who wins nothing else. ``BadRule`` for a
    place below 1, a place stated twice or negative money.
    """
    by_place: dict[int, Prize] = {}
    for prize in prizes:
        if prize.position < 1 or prize.cents < 0 or not (prize.cents or prize.item):
            raise BadRule(
                "prize",
                _("A prize needs a place from 1 and something to win."),
                place=prize.position,
            )
        if prize.position in by_place:
            raise BadRule("prize-twice", _("Place {place} has two prizes."), place=prize.position)
        by_place[prize.position] = prize
    awards: list[Award] = []
    stays = 0
    groups: dict[int, list[Row]] = {}
    for row in standing.ranked:
        groups.setdefault(row.rank or 0, []).append(row)
    for place, group in groups.items():
        pool = [by_place.pop(place + step, None) for step in range(len(group))]
        won = [prize for prize in pool if prize is not None]
        shares, left = _divide(sum(prize.cents for prize in won), group, remainder)
        stays += left
        items = tuple(prize.item for prize in won if prize.item)
        for row in group:
            cents = shares[row.entrant.id]
            if not won and not everyone:
                continue
            awards.append(
                Award(
                    entrant=row.entrant.id,
                    rank=place,
                    positions=tuple(range(place, place + len(group))),
                    cents=cents,
                    items=items,
                    shared_items=bool(items) and len(group) > 1,
                    consolation="" if cents or items else everyone,
                )
            )
    unclaimed = tuple(by_place[position] for position in sorted(by_place))
    return PrizeList(tuple(awards), stays, unclaimed)


def _divide(cents: int, group: Sequence[Row], remainder: Remainder) -> tuple[dict[str, int], int]:
    each, left = divmod(cents, len(group))
    shares = {row.entrant.id: each for row in group}
    if remainder is Remainder.HOUSE:
        return shares, left
    first = sorted(group, key=lambda row: (row.entrant.number, row.entrant.id))
    for row in first[:left]:
        shares[row.entrant.id] += 1
    return shares, 0
