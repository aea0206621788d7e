"""Winner of a game, for all pages, lists and programs.

A match between two goes to the side that the director named, and in a knock-out or pools to the
side whose opponent forfeited the round or was excluded in it. Its only game is won with it,
whatever the score; of several games each is won by its score. A player who forfeited the round has
lost all of its games.
"""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from django.db.models import Q

from tournament.models import Adjustment, Event, Round, Standings, StandingsState, Table
from tournament.models.tables import Result
from tournament.queries.forfeits import awarded_to, gone_in_round
from tournament.queries.sheet_rules import fills_up

GameOutcome = Literal["won", "lost", "draw"]


@dataclass(frozen=True, slots=True)
class TableOutcome:
    """Facts that decide the games of a table, apart from their scores.

    ``seats``: position → entrant. ``awarded``: the entrant who has the match whatever its games,
    ``by_forfeit`` of the other or by the director's decision. ``single``: whether its only game is
    won with it. ``forfeited``: the entrants who lose every game of the round. ``by_mean``: a
    table of three among tables of two sides, won against the mean of the others.
    """

    seats: Mapping[str, int]
    awarded: int | None = None
    by_forfeit: bool = False
    single: bool = False
    forfeited: frozenset[int] = frozenset()
    by_mean: bool = False

    def of(
        self,
        side: str,
        sides: Mapping[str, Sequence[str]],
        result: Result | None,
        *,
        entrant: int | None = None,
    ) -> GameOutcome | None:
        """Return how a game went for a side, or for one ``entrant`` of it; ``None`` while it is open."""
        here = [self.seats[position] for position in sides[side] if position in self.seats]
        losing = here if entrant is None else [entrant]
        if losing and self.forfeited.issuperset(losing):
            return "lost"
        winner = result["winner"] if result else None
        if self.awarded is not None and (winner is None or self.single):
            return "won" if self.awarded in here else "lost"
        if result is None:
            return None
        if self.by_mean and len(sides) > 2:
            marks = result["marks"].get(side, 0)
            ahead = len(sides) * marks - sum(result["marks"].get(each, 0) for each in sides)
            return "won" if ahead > 0 else "lost" if ahead else "draw"
        if winner is not None:
            return "won" if winner == side else "lost"
        best = max(result["marks"].values(), default=0)
        # Where each plays against all, only the best do not lose.
        below = len(sides) > 2 and result["marks"].get(side, 0) < best
        return "lost" if below else "draw"

    def winner(self, sides: Mapping[str, Sequence[str]], result: Result) -> str | None:
        """Return the side that has a game with this result; ``None`` where it is tied."""
        if self.awarded is None:
            return result["winner"]
        return next((side for side in sides if self.of(side, sides, result) == "won"), None)


class Outcomes:
    """The outcomes of an event's games; 2 queries, 2 more for each knock-out or pools with a forfeit or exclusion.

    ``states``: the state of the standings of each stage, read on the way.
    """

    def __init__(self, event: Event) -> None:
        listed = Standings.objects.filter(stage__event=event)
        rows = list(listed.values_list("stage_id", "state", "edition"))
        self.states: dict[int, str] = {stage: state for stage, state, _edition in rows}
        # Standings published as final do not change their outcomes.
        self._by_score = {
            stage
            for stage, state, edition in rows
            if state != StandingsState.PROVISIONAL and edition < 5
        }
        ruled = list(
            Adjustment.objects.filter(
                Q(forfeited=True) | Q(disqualified=True), event=event, annulled_at__isnull=True
            ).select_related("stage")
        )
        self._forfeits: set[tuple[int, uuid.UUID | None]] = {
            (row.entrant_id, row.round_id) for row in ruled if row.forfeited
        }
        stages = {row.stage for row in ruled if row.stage.played_as.bracket}
        self._gone = {
            each
            for stage in stages
            if stage.pk not in self._by_score
            for each in gone_in_round(stage)
        }

    def at(
        self, round_: Round, seats: Mapping[str, int], decided_for: int | None, games: int
    ) -> TableOutcome:
        """Return what decides the games of a table of a round, of which ``games`` count."""
        lost = [who for who in seats.values() if (who, round_.pk) in self._gone]
        awarded = awarded_to(list(seats.values()), decided_for, lost)
        return TableOutcome(
            seats,
            awarded,
            by_forfeit=awarded is not None and len(lost) == 1,
            single=games == 1 and round_.stage_id not in self._by_score,
            forfeited=frozenset(
                who for who in seats.values() if (who, round_.pk) in self._forfeits
            ),
            by_mean=bool(games) and fills_up(round_.stage.event, len(seats)),
        )


def outcome_at(table: Table) -> TableOutcome:
    """Return what decides the games of one table."""
    seats = {seat.position: seat.entrant_id for seat in table.seats.all()}
    round_ = table.round
    if round_ is None:
        return TableOutcome(seats)
    games = sum(sheet.counts for sheet in table.sheets.all())
    return Outcomes(round_.stage.event).at(round_, seats, table.decided_for_id, games)
