"""The book of a stage: its results as they count, written once with its own field and by its own rule.

Regulation followed: rules specification D.2 (byes, cap); D.1 E23 (results against a withdrawn team
deleted). A standing adds up the lines of books and reads nothing else: a result counts the same in
its stage and in every stage that it is carried over into.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import ceil
from statistics import median
from typing import Final

from tournament.ranking.errors import CAP_TOO_SMALL, BadResults, BadRule
from tournament.ranking.model import (
    Adjustment,
    CapOn,
    Credit,
    CreditBy,
    Entrant,
    LineKind,
    Number,
    Outcome,
    Played,
    Rule,
    Withdrawal,
    exact,
)

_UNPLAYED: Final = (LineKind.BYE, LineKind.SAT_OUT)


@dataclass(frozen=True, slots=True)
class Book:
    """Every game, and every round without play, of the entrants of a stage, one line each.

    In a line, ``kind`` decides the counting (never ``BYE`` or ``SAT_OUT``), ``marks_for`` and
    ``net`` are those that count. ``adjustments``: the changes by rulings.
    """

    entrants: tuple[Entrant, ...]
    lines: tuple[Played, ...]
    adjustments: tuple[Adjustment, ...]

    def through(self, round_no: int) -> Book:
        """Return the lines and adjustments up to a round."""
        return Book(
            self.entrants,
            tuple(line for line in self.lines if line.round_no <= round_no),
            tuple(change for change in self.adjustments if change.round_no <= round_no),
        )

    def inherited(self, heirs: Mapping[str, Entrant]) -> Book:
        """Return the book with the results of former holders of a place under the names of their heirs.

        ``heirs``: by the name of the former holder; an heir has no results of their own in the book.
        """
        if not heirs:
            return self

        def now(name: str) -> str:
            return heirs[name].id if name in heirs else name

        renamed = {one.id: one for one in (heirs.get(each.id, each) for each in self.entrants)}
        lines = (
            replace(
                line,
                entrant=now(line.entrant),
                opponents=tuple(map(now, line.opponents)),
                partners=tuple(map(now, line.partners)),
            )
            for line in self.lines
        )
        changes = (replace(each, entrant=now(each.entrant)) for each in self.adjustments)
        return Book(tuple(renamed.values()), tuple(lines), tuple(changes))


def write_book(
    entrants: Iterable[Entrant],
    results: Iterable[Played],
    adjustments: Iterable[Adjustment],
    rule: Rule,
    *,
    to_field: bool = True,
) -> Book:
    """Write the book of a stage by its ``rule``.

    ``to_field``: a credited average leans towards that of the field (:func:`leaning`; from edition 7 on).

    Raises:
        BadResults: a result names an unknown entrant, a game appears twice for one entrant, or a line
            contradicts its kind.
        BadRule: the cap is below 1.
    """
    if rule.cap is not None and rule.cap.amount < 1:
        raise BadRule("cap", CAP_TOO_SMALL, amount=rule.cap.amount)
    field: dict[str, Entrant] = {}
    for entrant in entrants:
        if entrant.id in field:
            raise BadResults("entrant-twice", f"{entrant.id} is entered twice.", id=entrant.id)
        field[entrant.id] = entrant
    changes = tuple(adjustments)
    for change in changes:
        if change.entrant not in field:
            raise BadResults(
                "unknown-entrant",
                f"An adjustment names {change.entrant}, who is not entered.",
                id=change.entrant,
            )
    left = {key for key, one in field.items() if one.withdrawn and not one.through}
    gone = left if rule.withdrawn is Withdrawal.STRUCK else set()
    lines: list[Played] = []
    seen: set[tuple[str, int, int]] = set()
    for line in results:
        _check(line, field, seen)
        struck = gone and not gone.isdisjoint((line.entrant, *line.opponents, *line.partners))
        lines.append(replace(line, kind=LineKind.STRUCK) if struck else _counted(line, rule))
    return Book(tuple(field.values()), _credited(lines, rule, to_field), changes)


def _check(line: Played, field: Mapping[str, Entrant], seen: set[tuple[str, int, int]]) -> None:
    for name in (line.entrant, *line.opponents, *line.partners):
        if name not in field:
            raise BadResults(
                "unknown-entrant",
                f"Round {line.round_no} names {name}, who is not entered.",
                id=name,
                round_no=line.round_no,
            )
    if line.entrant in line.opponents or line.entrant in line.partners:
        raise BadResults(
            "own-opponent",
            f"{line.entrant} meets itself in round {line.round_no}.",
            id=line.entrant,
            round_no=line.round_no,
        )
    seated = line.kind not in _UNPLAYED
    # Opponents may be missing: a no-show without a drawn opponent.
    if seated and line.outcome is None:
        raise BadResults(
            "unfinished-game",
            f"A game of {line.entrant} in round {line.round_no} lacks its outcome.",
            id=line.entrant,
            round_no=line.round_no,
        )
    if not seated and line.opponents:
        raise BadResults(
            "opponents-without-play",
            f"{line.entrant} did not play in round {line.round_no} but has opponents.",
            id=line.entrant,
            round_no=line.round_no,
        )
    if (line.points is None) != (line.max_points is None) or (
        line.points is not None
        and line.max_points is not None
        and not 0 <= line.points <= line.max_points
    ):
        raise BadResults(
            "points-of-maximum",
            f"Points of {line.entrant} in round {line.round_no} do not fit their maximum.",
            id=line.entrant,
            round_no=line.round_no,
        )
    key = (line.entrant, line.round_no, line.game_no)
    if key in seen:
        raise BadResults(
            "game-twice",
            f"Round {line.round_no}, game {line.game_no} of {line.entrant} is there twice.",
            id=line.entrant,
            round_no=line.round_no,
            game_no=line.game_no,
        )
    seen.add(key)


def _counted(line: Played, rule: Rule) -> Played:
    """Limit a game's marks to the rule's cap; a round without play is unchanged."""
    if line.kind is LineKind.FORFEIT and line.outcome is Outcome.WIN:
        line = replace(line, kind=LineKind.WALK_OVER)
    cap = rule.cap
    if cap is None or line.kind in _UNPLAYED:
        return line
    if cap.on is CapOn.MARKS:
        most = cap.amount
        return replace(
            line,
            marks_for=min(line.marks_for, most),
            marks_against=min(line.marks_against, most),
        )
    return replace(line, limited=max(-cap.amount, min(cap.amount, line.net)))


def leaning(own: Sequence[Number], field: Sequence[Number]) -> Fraction:
    """Return the average of one's ``own`` games with one more game at the average of the ``field``'s.

    So a lucky start is not credited again in full (James and Stein 1961). Of no game of one's own it is 0.
    """
    if not own:
        return Fraction(0)
    return (sum(own) + Fraction(sum(field), len(field))) / (len(own) + 1)


def _credited(lines: list[Played], rule: Rule, to_field: bool) -> tuple[Played, ...]:
    """Return the lines with the credit of rounds without play."""
    games = [line for line in lines if line.kind not in (*_UNPLAYED, LineKind.STRUCK)]
    own: dict[str, list[Played]] = {}
    for game in games:
        own.setdefault(game.entrant, []).append(game)
    of_field: dict[tuple[int, Credit], tuple[Number, Number]] = {}

    def worth(line: Played) -> Played:
        if line.kind not in _UNPLAYED:
            return line
        credit = rule.bye if line.kind is LineKind.BYE else rule.sat_out
        if credit.by is CreditBy.NONE:
            return replace(line, kind=LineKind.UNCOUNTED)
        average = credit.by is CreditBy.OWN_AVERAGE
        if credit.by is CreditBy.FIXED:
            marks, net = credit.marks, credit.net
        elif average:
            mine = own.get(line.entrant, [])
            if to_field:
                marks = leaning([game.marks_for for game in mine], [g.marks_for for g in games])
                net = leaning([game.net for game in mine], [game.net for game in games])
            else:
                marks = Fraction(sum(game.marks_for for game in mine), len(mine) or 1)
                net = Fraction(sum(game.net for game in mine), len(mine) or 1)
        else:
            key = (line.round_no, credit)
            if key not in of_field:
                of_field[key] = _of_field(games, line.round_no, credit)
            marks, net = of_field[key]
        return replace(
            line,
            kind=LineKind.CREDITED,
            outcome=credit.outcome,
            marks_for=exact(marks),
            limited=exact(net),
            average=average and credit.outcome is None,
        )

    return tuple(worth(line) for line in lines)


def _of_field(games: Iterable[Played], round_no: int, credit: Credit) -> tuple[Number, Number]:
    """Return the middle marks and difference of the games of a round with the credit's outcome."""
    spread = credit.by is CreditBy.FIELD_SPREAD
    like = [
        game
        for game in games
        if game.round_no == round_no
        and game.kind is LineKind.PLAYED
        and (spread or credit.outcome in (None, game.outcome))
    ]
    middle = _spread if spread else _median
    return middle([game.marks_for for game in like]), middle([game.net for game in like])


def _median(values: list[Number]) -> Number:
    return Fraction(median([Fraction(value) for value in values])) if values else 0


def _spread(values: list[Number]) -> Number:
    if not values:
        return 0
    rising = sorted(values)
    middle = rising[(len(rising) - 1) // 2] + rising[len(rising) // 2]
    return ceil(Fraction(rising[0] + rising[-1] + middle) / 4)
