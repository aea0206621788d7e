"""Clubs (or teams) ranked by their members: the sum, the best few, or the percentage of games won.

Rule followed: rules specification D.1 E8: Belgian club championship 2022, 180 players of 16 clubs,
5 matches each, ranked by the percentage of games won (18 of 25 is 72 %).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

from scoring.texts import gettext_lazy as _
from tournament.ranking.criteria import build
from tournament.ranking.criteria.own import GamesPercentage, GamesWon
from tournament.ranking.errors import BadRule
from tournament.ranking.model import HALF, Number, Row, Rule, Standing, Value, exact


class ClubBy(StrEnum):
    """Way to compute a club's score from its members."""

    SUM = "sum"
    """The first criteria of the standing, added up over the members that count."""
    AVERAGE = "average"
    """The same, divided by the members that count."""
    PERCENTAGE = "percentage"
    """Games won of the games played by the members that count."""


@dataclass(frozen=True, slots=True)
class ClubRule:
    """``best``: the number of members that count, best ranked first (None: all).

    ``least``: members a club needs to be ranked; smaller clubs are listed without a rank. ``draw``:
    the worth of a drawn game in the percentage; None: by the event's rule (:func:`draw_worth`).
    """

    by: ClubBy = ClubBy.PERCENTAGE
    best: int | None = None
    least: int = 1
    draw: Number | None = None


@dataclass(frozen=True, slots=True)
class ClubRow:
    """One club. ``counted``: ids of the members that count; ``members``: the number of its entrants.

    ``values``: the percentage (a part of one), or one value for each summable criterion in
    :func:`club_codes`. ``won`` of ``games`` by the members counted, drawn games by their worth.
    """

    rank: int | None
    tied: bool
    club: str
    counted: tuple[str, ...]
    members: int
    values: tuple[Value, ...]
    won: Number
    games: int


def draw_worth(rule: Rule) -> Number:
    """Return the worth of a drawn game, as a part of a game won, under a ranking rule.

    The criterion that counts games decides; else the match points; else a half.
    """
    for used in rule.criteria:
        criterion = build(used)
        if isinstance(criterion, GamesWon | GamesPercentage):
            return exact(criterion.draw)
    if any(used.code == "match_points" for used in rule.criteria) and rule.win != rule.loss:
        return exact(Fraction(rule.draw - rule.loss) / (rule.win - rule.loss))
    return HALF


def club_codes(standing: Standing) -> tuple[str, ...]:
    """Return the criteria of the standing that can be added up over members, in their order."""
    return tuple(used.code for used in standing.rule.criteria if build(used).additive)


def rank_clubs(standing: Standing, rule: ClubRule) -> tuple[ClubRow, ...]:
    """Rank the clubs, equal ones sharing a rank and listed by name; entrants without a club are left out.

    Members without a rank (withdrawn, excluded) do not count. ``BadRule`` when nothing in the
    standing can be added up, or for a number of members below one.
    """
    if rule.least < 1 or (rule.best is not None and rule.best < 1):
        raise BadRule("club-members", _("At least one member must count."))
    if rule.by is not ClubBy.PERCENTAGE and not club_codes(standing):
        raise BadRule("club-criteria", _("No criterion of this ranking can be added up."))
    clubs: dict[str, list[Row]] = {}
    for row in standing.rows:
        if row.entrant.club:
            clubs.setdefault(row.entrant.club, []).append(row)
    rows: list[tuple[tuple[Number, ...], ClubRow]] = []
    below: list[ClubRow] = []
    for club in sorted(clubs):
        key, club_row = _club(standing, rule, club, clubs[club])
        if len([one for one in clubs[club] if one.rank is not None]) < rule.least:
            below.append(club_row)
        else:
            rows.append((key, club_row))
    rows.sort(key=lambda entry: entry[0])
    keys = [key for key, _row in rows]
    placed = [
        ClubRow(
            keys.index(key) + 1,
            keys.count(key) > 1,
            row.club,
            row.counted,
            row.members,
            row.values,
            row.won,
            row.games,
        )
        for key, row in rows
    ]
    return (*placed, *below)


def _club(
    standing: Standing, rule: ClubRule, club: str, members: list[Row]
) -> tuple[tuple[Number, ...], ClubRow]:
    counted = [row for row in members if row.rank is not None][: rule.best]
    draw = draw_worth(standing.rule) if rule.draw is None else rule.draw
    won: Number = exact(sum(row.won + row.drawn * draw for row in counted))
    # Games credited with the entrant's own average change no percentage: they are left out.
    games = sum(row.won + row.drawn + row.lost for row in counted)
    values: tuple[Value, ...]
    key: tuple[Number, ...]
    if rule.by is ClubBy.PERCENTAGE:
        part: Value = exact(Fraction(won) / games) if games else None
        values = (part,)
        key = (1,) if part is None or isinstance(part, tuple) else (0, -part)
    else:
        sums = _sums(standing, counted, average=rule.by is ClubBy.AVERAGE)
        values = tuple(sums.values())
        key = tuple(-total if down else total for down, total in _directed(standing, sums))
    ids = tuple(row.entrant.id for row in counted)
    return key, ClubRow(None, False, club, ids, len(members), values, won, games)


def _sums(standing: Standing, counted: list[Row], *, average: bool) -> dict[int, Number]:
    sums: dict[int, Number] = {}
    for index, used in enumerate(standing.rule.criteria):
        if not build(used).additive:
            continue
        total: Number = 0
        for row in counted:
            value = row.values[index]
            if value is not None and not isinstance(value, tuple):
                total += value
        sums[index] = exact(Fraction(total) / len(counted)) if average and counted else exact(total)
    return sums


def _directed(standing: Standing, sums: Mapping[int, Number]) -> list[tuple[bool, Number]]:
    return [
        (build(standing.rule.criteria[index]).descending, total) for index, total in sums.items()
    ]
