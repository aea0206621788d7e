"""A player's day: their present seat, and their games with their deals."""

from __future__ import annotations

import uuid
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

from django.utils.translation import gettext as _

from scoring.texts import SEPARATOR
from tournament.charts import Chart, DealMarks, marks_per_deal
from tournament.models import Event, Publicity, Round, StageEntrant
from tournament.models.tables import DealVersion, OfficialResult, Result, Series, Sheet
from tournament.queries.matches import is_knockout, overtaken_matches
from tournament.queries.names import Name, Shown, everybody, seat_name
from tournament.queries.outcomes import GameOutcome, Outcomes
from tournament.queries.pages import shows_round
from tournament.queries.rounds import SeatCard
from tournament.queries.seatings import LaidGame, LaidTable, seatings_of
from tournament.queries.sheet_page import Cell, DealRow, SideShown
from tournament.queries.standings import worth_of_bye
from tournament.tables.rules import spoken
from tournament.tables.score_sheet import ScoreSheet, counts


@dataclass(slots=True)
class PlayedGame:
    """One game on a player's page; marks and deals are their side's first."""

    number: int
    partners: list[Shown]
    opponents: list[Shown]
    side: str
    marks: int | None = None
    against: int | None = None
    outcome: GameOutcome | None = None
    sheet_id: uuid.UUID | None = None
    hidden: bool = False
    over: bool = False
    """Whether the table has nothing to sign any more: the match is decided, or a forfeit keeps it from being played."""
    withdrawn: bool = False
    """Its signed result was withdrawn and does not count until the table has signed again."""
    deals: list[DealRow] = field(default_factory=list)
    alone: tuple[tuple[str, str], ...] = ()
    """With each against all: every side with its player's name, this player first."""
    scored: dict[str, int] = field(default_factory=dict)
    """The points of every side once signed."""
    best: str | None = None
    """The side that has the game."""

    @property
    def place(self) -> str:
        """The player's place at the table, “2=” where it is shared."""
        own, all_ = self.scored.get(self.side, 0), list(self.scored.values())
        shared = "=" if all_.count(own) > 1 else ""
        return f"{1 + sum(other > own for other in all_)}{shared}"

    @property
    def sides(self) -> list[SideShown]:
        """The columns of the score sheet: ours and theirs, or one for each player at the table."""
        if self.alone:
            return [
                SideShown(
                    name,
                    "",
                    self.scored.get(side) if self.scored else self._written(at),
                    bool(self.scored) and self.best == side,
                )
                for at, (side, name) in enumerate(self.alone)
            ]
        totals = [self.marks, self.against]
        if None in totals:
            totals = [self._written(0), self._written(1)]
        return [
            SideShown(_("We"), seat_name(self.side), totals[0], self.outcome == "won"),
            SideShown(_("They"), "", totals[1], self.outcome == "lost"),
        ]

    @property
    def deals_played(self) -> int:
        """Number of deals that count."""
        return sum(deal.counts for deal in self.deals)

    def _written(self, column: int) -> int:
        return sum(deal.cells[column].marks or 0 for deal in self.deals)


@dataclass(slots=True)
class PlayedRound:
    """One round on a player's page; ``table`` is None for a round that they sat out.

    ``filling``: a table of three that is not classified, where they are credited as if they sat out.
    """

    round: Round
    table: int | None
    position: str = ""
    games: list[PlayedGame] = field(default_factory=list)
    seats: dict[str, Shown] = field(default_factory=dict)
    filling: bool = False
    decided: bool | None = None
    """Whether this side has the match beside its games; None where they decide it, or while hidden."""
    by_forfeit: bool = False
    """Whether it has or lost the match by a forfeit or an exclusion, not by the director's decision."""
    reason: str = ""
    forfeited: bool = False
    """Whether the player forfeited the round: every game is lost, with no marks for and none against."""
    worth: str = ""
    """Value of the round for one of the players with a bye."""

    @property
    def seat(self) -> str:
        """The seat in the reader's language."""
        return seat_name(self.position)

    @property
    def alone(self) -> bool:
        """Whether each plays against all at this table."""
        return any(game.alone for game in self.games)

    @property
    def marks(self) -> tuple[int, int] | None:
        """Marks for and against over the signed games; None before the first."""
        signed = [game for game in self.games if game.marks is not None]
        if self.forfeited:
            return 0, 0
        if not signed:
            return None
        return sum(g.marks or 0 for g in signed), sum(g.against or 0 for g in signed)


def days_of(
    event: Event, entrants: Iterable[int], *, language: str = "en", private: bool = False
) -> dict[int, list[PlayedRound]]:
    """Return the players' rounds by entrant, newest first; 4 queries, apart from shared ones.

    Rounds hidden by the director show their table but no result, unless ``private``: the player's
    own link shows the results that they signed.
    """
    seatings, people = seatings_of(event), everybody(event)
    sat = {entrant: seatings.tables.get(entrant, []) for entrant in entrants}
    tables = [table for places in sat.values() for table, _position in places]
    sheets = list({game.sheet for table in tables for game in table.games})
    outcomes = Outcomes(event)
    results, withdrawn = _results_of(sheets)
    deals = _deals_of(sheets)
    worth = _worth(deals)
    offences = private or event.publish_play == Publicity.AT_ONCE

    def played(table: LaidTable, position: str) -> PlayedRound:
        stage = table.round.stage
        open_ = private or shows_round(stage, table.round.number, outcomes.states.get(stage.pk, ""))
        rounds_played = _played(table, position, people)
        if not open_:
            for shown in rounds_played.games:
                shown.hidden = True
            return rounds_played
        games = sum(game.counts for game in table.games)
        here = outcomes.at(table.round, table.seats, table.decided_for, games)
        who = table.seats[position]
        rounds_played.forfeited = who in here.forfeited
        if here.awarded is not None:
            mine = next((ps for g in table.games for ps in g.sides.values() if position in ps), [])
            rounds_played.decided = here.awarded in [table.seats.get(seat) for seat in mine]
            rounds_played.by_forfeit = here.by_forfeit
            rounds_played.reason = "" if here.by_forfeit else table.reason
        for shown, game in zip(rounds_played.games, table.games, strict=True):
            result, played_deals = results.get(game.sheet), deals.get(game.sheet, [])
            _fill(shown, result, played_deals, worth, language, offences=offences)
            shown.outcome = here.of(shown.side, game.sides, result, entrant=who)
            forfeited = bool(here.forfeited) and not (
                result is None and played_deals and _is_finished(game.sheet)
            )
            shown.over = result is None and (shown.outcome is not None or forfeited)
            shown.withdrawn = game.sheet in withdrawn and not shown.over
        return rounds_played

    days = {}
    for entrant, places in sat.items():
        day = [played(table, position) for table, position in places]
        seated_in = {each.round.pk for each in day}
        out = seatings.out.get(entrant, [])
        day += [
            PlayedRound(round_, None, worth=worth_of_bye(round_.stage))
            for round_ in out
            if round_.pk not in seated_in
        ]
        day.sort(key=lambda each: (-each.round.stage.order, -each.round.number))
        days[entrant] = day
    return days


def left_behind(now: Round) -> frozenset[int]:
    """Return the ids of entrants of earlier stages that the cut left out of a round's stage."""
    if now.stage.order == 1:
        return frozenset()
    places = StageEntrant.objects.filter(stage__event=now.stage.event_id)
    earlier = places.filter(stage__order__lt=now.stage.order).values_list("entrant_id", flat=True)
    return frozenset(earlier) - set(now.stage.field.values_list("entrant_id", flat=True))


def in_knockout(now: Round) -> frozenset[int]:
    """Return the ids of the entrants of a knock-out: those without a table in ``now`` lost. None in
    other rounds. Without those who won their match only after ``now`` was drawn.
    """
    if not now.stage.played_as.bracket or not is_knockout(now):
        return frozenset()
    late = {match.winner for match in overtaken_matches(now.stage, now.number - 1)}
    return frozenset(now.stage.field.values_list("entrant_id", flat=True)) - late


def seated_now(event: Event, now: Round, entrant: int) -> PlayedRound | None:
    """Return a player's seat, partners and opponents in a round; no query beside what all share."""
    seatings = seatings_of(event)
    worth = worth_of_bye(now.stage)
    for table, position in reversed(seatings.tables.get(entrant, [])):
        if table.round == now:
            seated = _played(table, position, everybody(event))
            if seated.filling:
                seated.worth = worth
            return seated
    return PlayedRound(now, None, worth=worth) if now in seatings.out.get(entrant, []) else None


def _played(table: LaidTable, position: str, people: dict[int, Shown]) -> PlayedRound:
    """Return a round of the player who sat at ``position``, without its results."""
    seated = {seat: people[pk] for seat, pk in table.seats.items()}
    return PlayedRound(
        table.round,
        table.number,
        position,
        [_game(game, position, seated) for game in table.games],
        seated,
        any(not game.counts for game in table.games),
    )


def _results_of(sheets: list[uuid.UUID]) -> tuple[dict[uuid.UUID, Result], set[uuid.UUID]]:
    """Sheet → its result in force; and the sheets whose signed result was withdrawn."""
    results: dict[uuid.UUID, Result] = {}
    known: set[uuid.UUID] = set()
    rows = OfficialResult.objects.filter(sheet__in=sheets)
    for sheet, result, current in rows.values_list("sheet_id", "result", "current"):
        known.add(sheet)
        if current:
            results[sheet] = result
    return results, known - set(results)


def _is_finished(sheet: uuid.UUID) -> bool:
    """Whether a game is over, signed or not."""
    return Sheet.objects.filter(pk=sheet, finished=True).exists()


def _deals_of(sheets: list[uuid.UUID]) -> dict[uuid.UUID, list[DealVersion]]:
    deals: dict[uuid.UUID, list[DealVersion]] = {}
    for deal in DealVersion.objects.filter(
        sheet__in=sheets, current=True, series=Series.OFFICIAL
    ).order_by("number"):
        deals.setdefault(deal.sheet_id, []).append(deal)
    return deals


def _worth(deals: dict[uuid.UUID, list[DealVersion]]) -> dict[int, dict[str, int]]:
    """Deal → what it counts in its game, for the games with a générale, which is worth a whole one."""
    won = [sheet for sheet, versions in deals.items() if any(deal.game_won for deal in versions)]
    worth: dict[int, dict[str, int]] = {}
    for sheet in Sheet.objects.filter(pk__in=won) if won else ():
        counted = [deal for deal in deals[sheet.pk] if counts(deal)]
        for deal, marks in zip(counted, ScoreSheet(sheet).state(counted).by_deal, strict=False):
            worth[deal.pk] = marks
    return worth


def _game(game: LaidGame, position: str, seated: dict[str, Shown]) -> PlayedGame:
    mine = next((side for side, seats in game.sides.items() if position in seats), "")
    alone: tuple[tuple[str, str], ...] = ()
    if len(game.sides) > 2:
        own = sorted(game.sides.items(), key=lambda item: item[0] != mine)
        alone = tuple((side, seated[ps[0]].name) for side, ps in own if ps[0] in seated)
    return PlayedGame(
        number=game.number,
        side=mine,
        alone=alone,
        sheet_id=game.sheet,
        partners=[seated[p] for p in game.sides.get(mine, []) if p != position and p in seated],
        opponents=[
            seated[p]
            for side, seats in game.sides.items()
            if side != mine
            for p in seats
            if p in seated
        ],
    )


def _fill(
    shown: PlayedGame,
    result: Result | None,
    deals: list[DealVersion],
    worth: dict[int, dict[str, int]],
    language: str,
    *,
    offences: bool,
) -> None:
    mine = shown.side
    if result is not None:
        shown.marks = result["marks"].get(mine, 0)
        shown.against = sum(marks for side, marks in result["marks"].items() if side != mine)
        shown.scored, shown.best = dict(result["marks"]), result["winner"]
    named = dict(shown.alone)
    we, they = _("we"), _("they")  # not inside an f-string, where no extraction sees them
    for deal in deals:
        contract = deal.entry.get("contract") or {}
        declarer = contract.get("declarer")
        points = deal.entry.get("points") or {}
        counted = worth.get(deal.pk, deal.marks)
        us = counted.get(mine, 0)
        them = sum(marks for side, marks in counted.items() if side != mine)
        shown.deals.append(
            DealRow(
                number=deal.number,
                contract=named.get(str(declarer), "")
                if named
                else _("our trump")
                if declarer == mine
                else _("their trump")
                if declarer
                else "",
                suit=contract.get("trump", ""),
                points=", ".join(
                    f"{_several(side, named)} {number}"
                    if named
                    else f"{we if side == mine else they} {number}"
                    for side, number in points.items()
                ),
                worth=SEPARATOR.render(language).join(
                    ([_("void")] if deal.entry.get("annulled") else [])
                    + [spoken(line, language, named, offences=offences) for line in deal.lines]
                ),
                ruled=bool(deal.infractions),
                counts=counts(deal),
                cells=[Cell(counted.get(side) or None) for side, _name in shown.alone]
                or [Cell(us or None), Cell(them or None)],
            )
        )


def _several(side: str, named: dict[str, str]) -> str:
    """Return the players of a side by their names."""
    return Name(" + ".join(named.get(seat, seat) for seat in side))


class Around(NamedTuple):
    """A table with its four seats as the player at the bottom sees it."""

    number: int | None
    bottom: SeatCard
    top: SeatCard
    left: SeatCard
    right: SeatCard


def around(played: PlayedRound) -> Around | None:
    """Return the four seats of a table for ``parts/draw/around.html``, with the player at the bottom."""
    if len(played.seats) != 4 or played.position not in played.seats or not played.games:
        return None
    partner = next(
        (seat for seat, who in played.seats.items() if who in played.games[0].partners), ""
    )
    order = list(played.seats)
    others = [seat for seat in order if seat not in (played.position, partner)]
    if len(others) != 2:
        return None

    def place(seat: str, side: int) -> SeatCard:
        who = played.seats[seat]
        return {
            "seat": seat_name(seat),
            "name": who.name,
            "club": who.club,
            "side": side,
            "entrant": who.number,
            "me": seat == played.position,
            "scorer": False,
        }

    return Around(
        played.table,
        place(played.position, 1),
        place(partner, 1),
        place(others[0], 2),
        place(others[1], 2),
    )


def deals_chart(day: list[PlayedRound], language: str) -> Chart | None:
    """Draw the marks of every deal the player may see, in the order played; None before the first."""
    deals: list[DealMarks] = []
    for played in reversed(day):
        for game in played.games:
            if game.alone:
                continue
            for deal in game.deals:
                if not deal.counts:
                    continue
                us, them = (cell.marks or 0 for cell in deal.cells)
                deals.append(DealMarks(len(deals) + 1, us, them))
    return marks_per_deal(deals, language) if deals else None
