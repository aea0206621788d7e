"""A score sheet as an object: its game, its deals, what they amount to, and who deals next.

An entry card by card is replayed before it is scored. Entries, marks and lines name the seats of the
sheet; :mod:`~tournament.tables.places` translates.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import timedelta
from functools import cached_property
from typing import Final

from django.utils import timezone

from ledger.canonical import canonical_json
from scoring.engine.calls import replay_record
from scoring.engine.cardplay import card_play
from scoring.engine.cards import cards_of, format_card
from scoring.engine.errors import Malformed
from scoring.engine.match import MatchDeal, MatchScore, match_deal, score_match
from scoring.engine.options import options_of_edition
from scoring.engine.rulebook import Game, resolve
from scoring.engine.score import score_deal
from scoring.engine.score_clauses import ScoreLine, marks_by_component
from scoring.engine.shapes import (
    EntryJson,
    InfractionJson,
    RecordJson,
    ReplayJson,
    ViolationJson,
)
from tournament.models.tables import DealVersion, Result, Series, Sheet, SheetScore, SheetState

from .places import Places

SAME_DEALER: Final = "same_dealer"
"""``annulled`` is true where the deal passes on, this where its dealer deals again."""

UNDO_BELL: Final = timedelta(minutes=1)
"""Time within which a table may undo the end of its game by the bell."""


@dataclass(frozen=True, slots=True)
class Scored:
    """Score of an entry by the engine."""

    marks: dict[str, int]
    lines: list[ScoreLine]
    void: bool
    game_won: str | None
    points: dict[str, int] = field(default_factory=dict)
    tricks_won: dict[str, int] = field(default_factory=dict)
    violations: list[ViolationJson] = field(default_factory=list)


def redealt(version: DealVersion) -> str:
    """Return who deals again after a deal that counts for nothing: ``same_dealer``, ``next_dealer`` or ``""``."""
    for line in version.lines:
        if line["clause"] == "redeal":
            return str(line.get("params", {}).get("dealer", "next_dealer"))
    return ""


def counts(version: DealVersion) -> bool:
    """Whether a deal is one of the match: not annulled, not dealt again without any marks."""
    if version.entry.get("annulled"):
        return False
    return any(version.marks.values()) or not redealt(version)


def likeness(deals: Sequence[DealVersion]) -> str:
    """Return a hash of the entries without the seats; empty below three deals."""
    if len(deals) < 3:
        return ""
    content = [
        [
            (deal.entry.get("contract") or {}).get("trump"),
            (deal.entry.get("contract") or {}).get("doubling", 0),
            sorted((deal.entry.get("points") or {}).items()),
            sorted(deal.marks.items()),
        ]
        for deal in deals
    ]
    return hashlib.sha256(canonical_json(content).encode()).hexdigest()


@dataclass(eq=False)
class ScoreSheet:
    """A sheet with its rulebook and its deals, each read once.

    ``row`` is the sheet as the database holds it. A change has one object for a sheet, which
    :func:`tournament.services.record.locked_sheet` returns; elsewhere it lives as long as one answer.
    ``has_forfeit``: whether a player at its table forfeited the round, as read with the lock.
    """

    row: Sheet
    has_forfeit: bool = False

    # -- the game ----------------------------------------------------------------------------

    @cached_property
    def game(self) -> Game:
        """The rulebook with the switches of the sheet."""
        return resolve(self.row.rulebook, options_of_edition(self.row.edition, self.row.options))

    @cached_property
    def by_games(self) -> bool:
        """Whether the match goes to a number of games won, each of its own."""
        target = self.game.options.get("target")
        return isinstance(target, Mapping) and "games" in target

    @cached_property
    def sides(self) -> tuple[str, ...]:
        """The sides with a score: the two pairs, or every seat."""
        return self.game.sides if self.game.in_pairs else self.game.seats

    @property
    def ties_play_on(self) -> bool:
        """Whether a tie is settled by more deals (Q-GEN-8) instead of a draw."""
        return self.game.options.get("tied_match") == "EXTRA_DEALS"

    @property
    def extra_deals(self) -> int:
        """Number of further deals that settle a tie: two between pairs, one for each player elsewhere."""
        return 2 if len(self.sides) == 2 else len(self.sides)

    def leaders(self, marks: Mapping[str, int]) -> list[str]:
        """Return the sides with most marks."""
        best = max((marks.get(side, 0) for side in self.sides), default=0)
        return [side for side in self.sides if marks.get(side, 0) == best]

    # -- the deals ---------------------------------------------------------------------------

    @cached_property
    def versions(self) -> list[DealVersion]:
        """Every version of the deals, by number."""
        return list(self.row.deals.order_by("number", "version"))

    def current(self, series: str = Series.OFFICIAL) -> list[DealVersion]:
        """Return the current versions of the deals of ``series``, in order."""
        deals = [deal for deal in self.versions if deal.series == series and deal.current]
        return sorted(deals, key=lambda deal: deal.number)

    def known(self, series: str = Series.OFFICIAL) -> list[DealVersion]:
        """Return the deals as anyone who writes ``series`` knows them.

        A player's series in blind double entry may lack deals that others have agreed upon: those
        are the official ones, unless the player has written something newer.
        """
        deals = {deal.number: deal for deal in self.current(series)}
        if series != Series.OFFICIAL and not self.game.in_pairs:
            for deal in self.current():
                own = deals.get(deal.number)
                if own is None or own.pk < deal.pk:
                    deals[deal.number] = deal
        return [deals[number] for number in sorted(deals)]

    def of_match(self) -> list[DealVersion]:
        """Return the deals that count.

        Of a match that the bell ended, deals played again after the signatures count only in the place
        of deals that are annulled.
        """
        deals = [deal for deal in self.current() if counts(deal)]
        row = self.row
        if not row.reopened or row.bell_deals is None or len(deals) <= row.bell_deals:
            return deals
        first = deals[: row.bell_deals]
        if self.ties_play_on and len(self.leaders(self.state(first).marks)) > 1:
            return deals
        return first

    def counted(self) -> list[DealVersion]:
        """Return the current deals that make the match: those that count, up to its end."""
        deals = self.of_match()
        return deals[: self.state(deals).deals_played]

    def past_the_end(self) -> list[DealVersion]:
        """Return the deals played after the end of the match: they stay readable and count for nothing."""
        deals = self.of_match()
        return [] if self.row.totals else deals[self.state(deals).deals_played :]

    def to_replay(self, deals: Sequence[DealVersion] | None = None) -> list[DealVersion]:
        """Return the annulled deals of a reopened sheet that are still to be played again, in order.

        ``deals``: the deals of one side's series, in blind double entry.
        """
        row = self.row
        if not row.reopened or row.state in (SheetState.OFFICIAL, SheetState.VOID):
            return []
        official = self.current()
        annulled = [
            deal for deal in official if deal.number in row.reopened["deals"] and not counts(deal)
        ]
        since = [
            deal
            for deal in (official if deals is None else deals)
            if deal.number > row.reopened["signed"] and counts(deal)
        ]
        return annulled[len(since) :]

    @property
    def begins_anew(self) -> bool:
        """Whether the game was annulled and its first deal is to be played again."""
        row = self.row
        return bool(row.reopened.get("anew")) and not any(
            deal.number > row.reopened["signed"] for deal in self.current()
        )

    def next_number(self, series: str = Series.OFFICIAL) -> int:
        """Return the number of the next deal to enter."""
        return len(self.known(series)) + 1

    def may_still_write(self, series: str, number: int) -> bool:
        """Whether a player may write a deal that others agreed upon while it was being typed."""
        if series == Series.OFFICIAL or self.game.in_pairs:
            return False
        return 1 <= number <= len(self.current()) and not any(
            deal.number >= number for deal in self.current(series)
        )

    def next_dealer(self, deals: Sequence[DealVersion] | None = None) -> str:
        """Return who deals after ``deals`` (all of them): the next player, or who must deal again."""
        return self._order(deals)[1][0]

    def dealers_to_come(self, deals: Sequence[DealVersion] | None = None) -> list[str]:
        """Return the dealers who deal again out of turn, then the dealer with whom the order goes on.

        A deal that a ruling gives back to its dealer after later deals were played is dealt next; then
        the order goes on where it was. A game played anew begins with the first dealer again.
        """
        return self._order(deals)[1]

    def to_deal_again(self, deals: Sequence[DealVersion] | None = None) -> list[int]:
        """Return the numbers of the earlier deals that are dealt next, in place of a new one."""
        if self.row.state in (SheetState.OFFICIAL, SheetState.VOID):
            return []
        given_back = {deal.number for deal in self.to_replay(deals)}
        return sorted(given_back | set(self._order(deals)[0]))

    def _order(self, deals: Sequence[DealVersion] | None) -> tuple[dict[int, str], list[str]]:
        """Return the dealers of the deals given back, by number, and all dealers to come."""
        deals = list(self.current() if deals is None else deals)
        if self.row.reopened.get("anew"):
            deals = [deal for deal in deals if deal.number > self.row.reopened["signed"]]
        following, tried = self.row.first_dealer, ""
        waiting = dict[int, str]()
        annulled = {deal.number: deal for deal in self.current() if not counts(deal)}
        # When each deal was first written, as the key of its first version.
        written = {deal.number: deal.pk for deal in sorted(self.versions, key=lambda d: -d.pk)}
        late = self._given_back_late(deals, written) if annulled else {}
        for at, deal in enumerate(deals, 1):
            number = deal.number
            dealer = deal.entry.get("dealer", "")
            if dealer not in self.game.seats:
                dealer = self.dealer_in_turn(at)
            stands = number in late or number not in annulled
            same = not stands and redealt(annulled[number]) == SAME_DEALER
            after = dealer if same else self.game.next_player(dealer)
            before = written.get(number)
            due = [each for each in waiting if before is None or late[each] < before]
            tried = ""
            if not due:
                following = after
            elif stands:
                del waiting[due[0]]
            else:
                tried = after
            if number in late:
                waiting[number] = dealer
        again = list(waiting.values())
        return waiting, [*([tried, *again[1:]] if tried else again), following]

    def _given_back_late(
        self, deals: Sequence[DealVersion], written: Mapping[int, int]
    ) -> dict[int, int]:
        """Return the deals given back to their dealers after a later one of ``deals`` was written, and when.

        The moment is the key of the version since which the deal counts for nothing.
        """
        late = dict[int, int]()
        for deal in self.current():
            if counts(deal) or redealt(deal) != SAME_DEALER:
                continue
            moment = deal.pk
            for each in sorted(self.versions, key=lambda d: -d.pk):
                if (each.series, each.number) == (Series.OFFICIAL, deal.number):
                    if counts(each):
                        break
                    moment = each.pk
            if any(
                each.number > deal.number and written.get(each.number, moment) < moment
                for each in deals
            ):
                late[deal.number] = moment
        return late

    def dealer_in_turn(self, number: int) -> str:
        """Return the dealer of deal ``number`` when no deal is repeated."""
        dealer = self.row.first_dealer
        for _deal in range(number - 1):
            dealer = self.game.next_player(dealer)
        return dealer

    def undo_bell_left(self) -> timedelta:
        """Return how long the table may still take back that the bell ended its game."""
        if self.row.ended_by != "bell" or self.row.bell_at is None:
            return timedelta(0)
        return max(timedelta(0), self.row.bell_at + UNDO_BELL - timezone.now())

    # -- what a deal is worth ----------------------------------------------------------------

    def places(self, entry: EntryJson) -> Places:
        """Return the seats of the deal that ``entry`` describes."""
        game, dealer = self.game, entry.get("dealer", "")
        if not self.game.in_pairs and dealer not in game.seats:
            raise Malformed("dealer", f"say who dealt: {', '.join(game.seats)}", "dealer")
        return Places(game, dealer)

    def replay(self, entry: EntryJson, *, partial: bool = False) -> tuple[ReplayJson, Places]:
        """Replay the cards of an entry: the engine's answer, players named as the engine does."""
        record = entry["record"]
        if not isinstance(record, dict) or set(record) - RecordJson.__optional_keys__:
            raise Malformed(
                "unknown_key", "record has keys that a record of play does not have", "record"
            )
        places = self.places(entry)
        game = places.game
        given = dict(places.record_to_engine(record))
        contract = entry.get("contract") or {}
        if places.game.in_pairs:
            given.setdefault("dealer", entry.get("dealer"))
            given.setdefault("contract", contract)
        if not places.game.in_pairs and isinstance(contract, dict) and contract.get("declarer"):
            given["declarer"] = places.side_to_engine(contract["declarer"])
        if game.widow_size and "reserve" not in given and not partial:
            played = set(record.get("plays") or [])
            given["reserve"] = [
                card for card in map(format_card, cards_of(game.deck_mask)) if card not in played
            ]
        with places.refusing():
            play = card_play(game, given.get("declarer"))
            given = {"rulebook": self.row.rulebook, "partial": partial, **given}
            return replay_record(play, given), places

    def score(
        self,
        entry: EntryJson,
        infractions: Sequence[InfractionJson] = (),
        **switches: object,
    ) -> Scored:
        """Score one deal; the engine's errors say what to change.

        ``switches`` stand in place of the sheet's own: what the deal would be worth under them.
        """
        unknown = set(entry) - EntryJson.__optional_keys__
        if unknown:
            raise Malformed(
                "unknown_key", f"a deal has no {', '.join(sorted(unknown))}", sorted(unknown)[0]
            )
        if annulled := entry.get("annulled"):
            # A deal that its own dealer deals again has a sentence; else it passes on.
            again = ScoreLine("redeal", None, 0, {"dealer": SAME_DEALER}, "penalty")
            lines = [again] if annulled == SAME_DEALER else []
            return Scored(dict.fromkeys(self.sides, 0), lines, void=True, game_won=None)
        filled, violations = entry, list[ViolationJson]()
        if "record" in entry:
            filled, violations = self._from_record(entry)
        game = self.game
        if switches:
            game = replace(game, options={**game.options, **switches})
        # A defender at fault pays for all the defenders only where the row requires it: by the penal
        # editions before 2026.5 the other defenders gained.
        given: list[InfractionJson] = [{"alone": False, **each} for each in infractions]
        if not self.game.in_pairs:
            places = replace(self.places(entry), game=game)
            result = places.score(filled, given)
        else:
            result = score_deal(game, filled, given)
        return Scored(
            marks=result.marks,
            lines=list(result.lines),
            void=result.void,
            game_won=result.game_won,
            points=dict(result.entry.points),
            tricks_won=dict(result.entry.tricks),
            violations=violations,
        )

    def _from_record(self, entry: EntryJson) -> tuple[EntryJson, list[ViolationJson]]:
        """Replay the cards; the entry with points and tricks taken from them, and the illegal plays."""
        replay, places = self.replay(entry)
        filled = entry.copy()
        del filled["record"]
        filled["points"] = {places.side_to_seats(s): n for s, n in replay["points"].items()}
        filled["tricks"] = {places.side_to_seats(s): n for s, n in replay["tricks_won"].items()}
        for violation in replay["violations"]:
            violation["seat"] = places.seat(violation["seat"])
        return filled, replay["violations"]

    # -- what the deals amount to ------------------------------------------------------------

    def state(self, deals: Sequence[DealVersion]) -> MatchScore:
        """Return where the match stands after these deals, those after its end left out.

        A correction or a ruling may end a match before deals that were already played; those stay
        readable on the sheet and count for nothing. A générale counts what wanted to the whole game, or
        150 in a match by deals (Q-002-2).
        """
        return score_match(self.game, self.match_deals(deals), to_the_end=True)

    def match_deals(self, deals: Iterable[DealVersion]) -> Iterator[MatchDeal]:
        """Return each deal as its match counts it."""
        return (
            match_deal(
                self.game,
                marks_by_component(map(ScoreLine.from_json, deal.lines)),
                deal.game_won or None,
            )
            for deal in deals
        )

    def recount(self) -> None:
        """Set on the row where its match stands by the deals, or by the totals copied in their place."""
        row, deals = self.row, self.of_match()
        row.likeness = likeness(deals)
        if row.totals:
            row.score, row.finished = self.score_of_totals(), True
            return
        state = self.state(deals)
        row.score = {
            "marks": state.marks,
            "game_score": state.score,
            "games": state.games,
            "winner": state.winner,
            "deals": state.deals_played,
            "deals_left": state.deals_left,
            "events": [asdict(event) for event in state.events],
        }
        row.finished = state.finished or (bool(row.ended_by) and self._over_after_bell(state))

    def _over_after_bell(self, state: MatchScore) -> bool:
        """Whether the bell ended the match: it stays so, unless its tie or an annulled deal is played on."""
        if self.row.bell_deals is None:
            return False
        extra = state.deals_played - self.row.bell_deals
        if extra < 0 and self.to_replay():
            return False
        if self.ties_play_on and len(self.leaders(state.marks)) > 1:
            return False
        return extra <= 0 or extra % self.extra_deals == 0

    def score_of_totals(self) -> SheetScore:
        """Return where a match stands by the points of its sides alone: it is over, who leads has won."""
        totals, target = self.row.totals, self.game.options["target"]
        by_deals = isinstance(target, Mapping)
        first = self.leaders(totals)
        winner = first[0] if len(first) == 1 else None
        return {
            "marks": totals,
            "game_score": totals,
            "games": {side: int(not by_deals and side == winner) for side in self.sides},
            "winner": winner,
            "deals": int(target["deals"]) if isinstance(target, Mapping) else 0,
            "deals_left": 0 if by_deals else None,
            "events": [],
        }

    def result(self) -> Result:
        """Return what the deals amount to: marks, games, winner, number of deals, best deal a side.

        The marks are those of the games, a générale included with its worth there. If only the
        points of the game were copied from paper, the facts about its deals are absent.
        """
        if self.row.totals:
            score = self.score_of_totals()
            return {
                "marks": score["marks"],
                "games": score["games"],
                "winner": score["winner"],
                "deals": score["deals"],
            }
        deals = self.of_match()
        state = self.state(deals)
        return self._result(deals[: state.deals_played], state.by_deal)

    def _result(self, deals: list[DealVersion], by_deal: list[dict[str, int]]) -> Result:
        marks = {side: sum(each.get(side, 0) for each in by_deal) for side in self.sides}
        winner = self.row.score.get("winner")
        if winner is None and self.row.finished:
            first = self.leaders(marks)
            winner = first[0] if len(first) == 1 else None
        return {
            "marks": marks,
            "games": self.row.score.get("games", {}),
            "winner": winner,
            "deals": len(deals),
            "best_deal": {
                side: max((each.get(side, 0) for each in by_deal), default=0) for side in self.sides
            },
            "penalties": {
                side: sum(
                    1 for deal in deals for item in deal.infractions if item.get("side") == side
                )
                for side in self.sides
            },
        }
