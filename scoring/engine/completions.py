"""The deals that a partial record leaves possible: exact search over the forgotten cards.

A record names some cards at some places (trick, seat). A *completion* gives every place of the
deal a card so that

* every card of the pack is used once, the reserve (if any) included,
* a given hand holds exactly the cards that its player played,
* the winner of each trick leads the next wherever the record names the leader.

No legality is presupposed: a completion may hold any number of illegal plays. :meth:`PartialRecord.exists`
finds whether one exists under extra restrictions ("this place holds a heart"), by matching places
to cards and, where a known leader binds an unknown trick, by searching that trick's cards.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from .cardplay import CardPlay, names_of
from .cards import NO_TRUMP, cards_of, format_card, mask_of
from .errors import Impossible
from .legality import beats, winner_of

Place = tuple[int, int]
"""(trick number from 1, seat index)."""

SEARCH_LIMIT: Final = 5_000
"""Attempts to match places to cards, over all the questions asked of one record."""


class SearchLimit(Exception):
    """The questions were not decided within :data:`SEARCH_LIMIT`."""


@dataclass(frozen=True, slots=True)
class AgreedTrick:
    """One trick as the table agrees on it: its number, its leader (seat index, ``None`` if forgotten)
    and the cards in order of play, ``None`` for a forgotten card."""

    number: int
    leader: int | None
    cards: tuple[int | None, ...]


@dataclass(slots=True)
class PartialRecord:
    """A partial record, checked. ``cards`` by place; ``leaders`` by trick number; ``hands`` by
    seat, as bit sets, for the seats given."""

    play: CardPlay
    trump: int
    cards: dict[Place, int]
    leaders: dict[int, int]
    hands: dict[int, int]
    reserve: int = 0
    _steps: int = field(default=0, init=False)

    @property
    def unseen(self) -> int:
        """The cards of the pack that stand at no place of the record."""
        return self.play.deck & ~mask_of(self.cards.values())

    def domain(self, place: Place) -> int:
        """Return the cards (bit set) that the record alone allows at ``place``."""
        card = self.cards.get(place)
        if card is not None:
            return 1 << card
        given = self.hands.get(place[1])
        if given is not None:
            return given & self.unseen
        return self.unseen & ~self._elsewhere()

    def _elsewhere(self) -> int:
        mask = self.reserve
        for hand in self.hands.values():
            mask |= hand
        return mask

    def exists(self, narrowed: Mapping[Place, int], led: Mapping[int, int] | None = None) -> bool:
        """Whether a completion exists in which each place of ``narrowed`` holds one of its cards.

        ``led``: seats that are moreover to lead, by trick number.

        Raises :class:`SearchLimit` when the search was not finished.
        """
        domains: dict[Place, int] = {}
        for number in range(1, self.play.hand + 1):
            for seat in range(len(self.play.seats)):
                place = (number, seat)
                mask = self.domain(place) & narrowed.get(place, -1)
                if not mask:
                    return False
                domains[place] = mask
        if not self._matches(domains):
            return False
        leaders = {**self.leaders, **(led or {})}
        runs = self._bound_runs(leaders)
        if not runs:
            return True
        return self._fill(domains, runs, 0, leaders.get(runs[0][0]), leaders)

    def _bound_runs(self, leaders: Mapping[int, int]) -> list[tuple[int, ...]]:
        """Return the incomplete tricks whose winner is known from a later leader.

        In runs that depend on each other through their unknown leaders; the fewest unknown cards
        first, where a contradiction is found soonest.
        """
        runs: list[tuple[int, ...]] = []
        run: list[int] = []
        for number in range(1, self.play.hand):
            run.append(number)
            if number + 1 not in leaders:
                continue
            if self._unknown(run) or run[0] not in leaders:
                runs.append(tuple(run))
            run = []
        return sorted(runs, key=self._unknown)

    def _unknown(self, run: Sequence[int]) -> int:
        """Return the number of forgotten cards in the tricks of ``run``."""
        seats = range(len(self.play.seats))
        return sum((number, seat) not in self.cards for number in run for seat in seats)

    def _matches(self, domains: Mapping[Place, int]) -> bool:
        """Whether every place can have a card of its own (Kuhn's augmenting paths).

        Cards of the reserve need no place: the pack has exactly that many more cards.
        """
        self._steps += 1
        if self._steps > SEARCH_LIMIT:
            raise SearchLimit
        at: dict[int, Place] = {}

        def place_card(place: Place, tried: list[int]) -> bool:
            for card in cards_of(domains[place] & ~tried[0]):
                tried[0] |= 1 << card
                if card not in at or place_card(at[card], tried):
                    at[card] = place
                    return True
            return False

        places = sorted(domains, key=lambda place: domains[place].bit_count())
        return all(place_card(place, [0]) for place in places)

    def _fill(
        self,
        domains: dict[Place, int],
        runs: Sequence[Sequence[int]],
        done: int,
        leader: int | None,
        leaders: Mapping[int, int],
    ) -> bool:
        """Choose the cards of ``runs`` after the first ``done`` tricks, so that every known leader
        led; ``leader`` leads the next of them."""
        if done == len(runs[0]):
            if len(runs) == 1:
                return self._matches(domains)
            return self._fill(domains, runs[1:], 0, leaders.get(runs[1][0]), leaders)
        if leader is None:
            seats = range(len(self.play.seats))
            return any(self._fill(domains, runs, done, seat, leaders) for seat in seats)
        number = runs[0][done]
        return any(
            self._fill(after, runs, done + 1, winner, leaders)
            for after, winner in self._ways(
                domains, number, leader, leaders.get(number + 1), 0, -1, -1
            )
        )

    def _ways(
        self,
        domains: dict[Place, int],
        number: int,
        leader: int,
        wanted: int | None,
        at: int,
        master: int,
        owner: int,
    ) -> Iterator[tuple[dict[Place, int], int]]:
        """Yield the ways to play trick ``number`` from place ``at`` on: (domains, winner)."""
        count = len(self.play.seats)
        if at == count:
            if wanted is None or owner == wanted:
                yield domains, owner
            return
        seat = (leader + at) % count
        for card in self._tries(domains[number, seat], seat == wanted):
            takes = at == 0 or beats(self.trump, card, master)
            if wanted is not None and _lost(seat, wanted, takes, leader, at, count):
                continue
            after = _placed(domains, (number, seat), card)
            if after is not None and self._matches(after):
                yield from self._ways(
                    after,
                    number,
                    leader,
                    wanted,
                    at + 1,
                    card if takes else master,
                    seat if takes else owner,
                )

    def _tries(self, domain: int, to_win: bool) -> list[int]:
        """Return the cards of ``domain``, the likeliest to lead to the wanted winner first."""

        def strength(card: int) -> tuple[bool, int]:
            return (self.trump != NO_TRUMP and card >> 3 == self.trump, card & 7)

        return sorted(cards_of(domain), key=strength, reverse=to_win)


def _lost(seat: int, wanted: int, takes: bool, leader: int, at: int, count: int) -> bool:
    """Whether this card keeps ``wanted`` from winning the trick."""
    wanted_at = (wanted - leader) % count
    if seat == wanted:
        return not takes
    return takes and at > wanted_at


def _placed(domains: dict[Place, int], place: Place, card: int) -> dict[Place, int] | None:
    """Return ``domains`` with ``card`` at ``place`` and nowhere else; ``None`` if a place becomes empty."""
    bit = 1 << card
    after: dict[Place, int] = {}
    for other, mask in domains.items():
        left = bit if other == place else mask & ~bit
        if not left:
            return None
        after[other] = left
    return after


def read_record(
    play: CardPlay,
    trump: int,
    tricks: Sequence[AgreedTrick],
    hands: Mapping[int, Sequence[int]],
    reserve: Sequence[int] = (),
) -> PartialRecord:
    """Check a record and return it; raise :class:`Impossible` (``impossible_deal``) with every defect."""
    defects: list[str] = []
    by_number: dict[int, AgreedTrick] = {}
    for trick in tricks:
        if trick.number in by_number:
            defects.append(f"trick {trick.number} is given twice")
        elif not 1 <= trick.number <= play.hand:
            defects.append(f"there is no trick {trick.number}: a deal has {play.hand}")
        elif len(trick.cards) > len(play.seats):
            defects.append(f"trick {trick.number} has {len(trick.cards)} cards")
        else:
            by_number[trick.number] = trick
    leaders = _leaders(play, trump, by_number, defects)
    cards: dict[Place, int] = {}
    for number, trick in sorted(by_number.items()):
        if number not in leaders:
            if any(card is not None for card in trick.cards):
                defects.append(f"trick {number}: nobody says who led")
            continue
        for at, card in enumerate(trick.cards):
            if card is not None:
                cards[number, (leaders[number] + at) % len(play.seats)] = card
    record = PartialRecord(
        play,
        trump,
        cards,
        leaders,
        {seat: mask_of(hand) for seat, hand in hands.items()},
        mask_of(reserve),
    )
    defects += _card_defects(record, by_number, hands, reserve)
    if not defects:
        try:
            if not record.exists({}):
                defects.append("no deal agrees with all of the tricks, leaders and hands given")
        except SearchLimit:
            pass  # not shown to be impossible: the questions asked of it stay open too
    if defects:
        raise Impossible("impossible_deal", defects, "tricks")
    return record


def _leaders(
    play: CardPlay, trump: int, by_number: Mapping[int, AgreedTrick], defects: list[str]
) -> dict[int, int]:
    """Return the leader of each trick: as recorded, or else the winner of the trick before.

    Contradictions between the two are appended to ``defects``.
    """
    leaders = {n: trick.leader for n, trick in by_number.items() if trick.leader is not None}
    count = len(play.seats)
    for number in sorted(by_number):
        trick = by_number[number]
        if number not in leaders or len(trick.cards) < count:
            continue
        known = [card for card in trick.cards if card is not None]
        if len(known) < count:
            continue
        winner = (leaders[number] + winner_of(trump, known)) % count
        if number + 1 > play.hand:
            continue
        leader = leaders.setdefault(number + 1, winner)
        if leader != winner:
            defects.append(
                f"{play.seats[winner]} won trick {number}, "
                f"but {play.seats[leader]} is said to have led trick {number + 1}"
            )
    return leaders


def _card_defects(
    record: PartialRecord,
    by_number: Mapping[int, AgreedTrick],
    hands: Mapping[int, Sequence[int]],
    reserve: Sequence[int],
) -> list[str]:
    play = record.play
    defects: list[str] = []
    played = [c for trick in by_number.values() for c in trick.cards if c is not None]
    defects += [
        f"{format_card(card)} played {played.count(card)} times"
        for card in sorted({card for card in played if played.count(card) > 1})
    ]
    dealt = [card for hand in hands.values() for card in hand] + list(reserve)
    defects += [
        f"{format_card(card)} dealt {dealt.count(card)} times"
        for card in sorted({card for card in dealt if dealt.count(card) > 1})
    ]
    stray = sorted(card for card in {*played, *dealt} if not play.deck >> card & 1)
    if stray:
        defects.append(f"not in this pack: {' '.join(names_of(stray))}")
    for seat, hand in sorted(hands.items()):
        name = play.seats[seat]
        if len(hand) != play.hand:
            defects.append(f"{name} holds {len(hand)} cards instead of {play.hand}")
        own = [card for (_, owner), card in record.cards.items() if owner == seat]
        foreign = [card for card in own if card not in hand]
        if foreign:
            defects.append(f"{name} played {' '.join(names_of(foreign))} without holding it")
        others = [
            card for (_, owner), card in record.cards.items() if owner != seat and card in hand
        ]
        if others:
            defects.append(f"{' '.join(names_of(others))} of {name} was played by somebody else")
    if reserve and len(reserve) != play.reserve:
        defects.append(f"the reserve has {len(reserve)} cards instead of {play.reserve}")
    return defects
