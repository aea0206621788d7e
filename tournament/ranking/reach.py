"""Reach of an entrant: the least and the most of the first criterion at the end.

Rule followed: rules specification D.2 "Classification". Bounds are safe, never sharp: a round that
gives nothing (sat out without credit) is counted as one that may be lost or won.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from tournament.ranking.criteria import build
from tournament.ranking.criteria.own import GamesPercentage
from tournament.ranking.criteria.victory import VictoryPoints
from tournament.ranking.model import AVERAGE, CapOn, Number, Row, Standing, exact

Range = tuple[Number | None, Number | None]
"""The least and the most; None where there is no bound."""

UNBOUNDED: Range = (None, None)


@dataclass(frozen=True, slots=True)
class Span:
    """Range of one entrant's final value on the first criterion, with ``games`` still to play."""

    worst: Number | None
    best: Number | None
    games: int


def gain_per_game(standing: Standing, most_marks: int | None = None) -> Range:
    """Return the least and the most that one more game can add to the first criterion; None: no bound.

    ``most_marks``: the most marks a side can write in a game, where the rules of play have one.
    """
    rule = standing.rule
    code = rule.criteria[0].code
    if code == "games_won":
        return 0, 1
    if code == "match_points":
        return min(0, rule.loss, rule.draw, rule.win), max(rule.loss, rule.draw, rule.win)
    limits = [most_marks] if most_marks else []
    if rule.cap is not None and (code == "net_marks" or rule.cap.on is CapOn.MARKS):
        limits.append(rule.cap.amount)
    if code == "marks":
        return 0, min(limits, default=None)
    if code == "net_marks" and limits:
        return -min(limits), min(limits)
    return UNBOUNDED


def reach(
    standing: Standing,
    games_left: Mapping[str, int],
    *,
    games_per_match: int = 1,
    most_marks: int | None = None,
) -> dict[str, Span]:
    """Return the range of final values of each ranked entrant; withdrawn entrants are left out.

    ``games_left`` holds the games each entrant still has (0 where absent). ``games_per_match`` is
    the number of games of one sitting against the same opponents, for a first criterion that counts
    matches.
    """
    match = _match_range(standing)
    gain = match or gain_per_game(standing, most_marks)
    return {
        row.entrant.id: _span(
            standing,
            row,
            games_left.get(row.entrant.id, 0),
            games_per_match if match is not None else 1,
            gain,
        )
        for row in standing.ranked
        if not row.entrant.withdrawn
    }


def score(row: Row) -> Number:
    """Return the first criterion as a number; 0 while it has no value."""
    value = row.values[0]
    return 0 if value is None or isinstance(value, tuple) else value


def in_games(standing: Standing) -> bool:
    """Return whether a need is expressed in games won, because the first criterion is a share of the games."""
    return standing.rule.criteria[0].code == GamesPercentage.code


def _span(
    standing: Standing,
    row: Row,
    left: int,
    games_per_match: int,
    gain: Range,
) -> Span:
    """Return the range of one entrant's final value; ``gain`` is the least and most of a match, or of a game."""
    now = score(row)
    if not left:
        return Span(now, now, 0)
    if in_games(standing):
        won, games = Fraction(now) * row.games, row.games + left
        return Span(exact(Fraction(won, games)), exact(Fraction(won + left, games)), left)
    low, high = gain
    played = row.games - row.credited
    if row.credited and standing.rule.sat_out == AVERAGE and low is not None and high is not None:
        if row.adjusted or games_per_match > 1:
            return Span(None, None, left)
        # Games credited with the entrant's own average change with it; other credits are constant.
        ends = [Fraction(now * played, row.games) + each * left for each in (low, high)]
        scaled = [end * (row.games + left) / (played + left) for end in ends]
        return Span(
            exact(min(scaled[0], now + low * left)), exact(max(scaled[1], now + high * left)), left
        )
    if games_per_match > 1:
        # The points of a match under way may still turn round.
        whole, rest = divmod(left, games_per_match)
        swing = high - low if rest and high is not None and low is not None else 0
    else:
        whole, swing = left, 0
    return Span(
        None if low is None else exact(now + low * whole - swing),
        None if high is None else exact(now + high * whole + swing),
        left,
    )


def _match_range(standing: Standing) -> tuple[Number, Number] | None:
    """Return the least and the most of one match, where the first criterion counts matches."""
    rule = standing.rule
    used = rule.criteria[0]
    if used.code == "match_points" and dict(used.params).get("per") == "match":
        return min(0, rule.loss, rule.draw, rule.win), max(rule.loss, rule.draw, rule.win)
    first = build(used)
    if isinstance(first, VictoryPoints):
        steps = len(first.bounds)
        return min(0, first.half - steps), first.half + steps
    return None
