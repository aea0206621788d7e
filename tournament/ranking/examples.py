"""A small event worked out under any rule: the examples beside the criteria, always of today's code.

Four pairs, everyone with everyone, small enough to check by hand. In the longer event a fourth round
brings what rules differ on: a game beyond a cap, a bye, a pair that sits out, a pair that withdraws.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from tournament.ranking.criteria import build
from tournament.ranking.model import Entrant, LineKind, Outcome, Played, Rule, Standing, Use
from tournament.ranking.ranking import rank


@dataclass(frozen=True, slots=True)
class Game:
    """One game of the example: the two sides, their points, their best deal and their card points."""

    round_no: int
    pairs: tuple[str, str]
    marks: tuple[int, int]
    best: tuple[int, int]
    points: tuple[int, int]
    penalties: tuple[int, int] = (0, 0)


GAMES: Final = (
    Game(1, ("A", "B"), (101, 90), (30, 28), (125, 115)),
    Game(1, ("C", "D"), (101, 40), (34, 12), (150, 90), (0, 1)),
    Game(2, ("A", "C"), (101, 95), (26, 30), (120, 120)),
    Game(2, ("B", "D"), (101, 99), (27, 25), (122, 118)),
    Game(3, ("A", "D"), (80, 101), (20, 33), (110, 130), (1, 0)),
    Game(3, ("B", "C"), (88, 88), (24, 22), (120, 120)),
)
"""The games that every example counts."""

LATER: Final = Game(4, ("A", "E"), (150, 20), (40, 8), (190, 50))
"""The game of the pair that withdraws afterwards; B has a bye in this round, C and D sit out."""

DEALS: Final = 4
LOTS: Final = {"A": 3, "B": 1, "C": 4, "D": 2}
"""Lots drawn among the four."""


def _lines(game: Game) -> list[Played]:
    lines = []
    for mine, other in ((0, 1), (1, 0)):
        ahead = game.marks[mine] - game.marks[other]
        lines.append(
            Played(
                round_no=game.round_no,
                entrant=game.pairs[mine],
                opponents=(game.pairs[other],),
                outcome=Outcome.WIN if ahead > 0 else Outcome.LOSS if ahead else Outcome.DRAW,
                marks_for=game.marks[mine],
                marks_against=game.marks[other],
                deals=DEALS,
                best_deal=game.best[mine],
                points=game.points[mine],
                max_points=sum(game.points),
                penalties=game.penalties[mine],
            )
        )
    return lines


def _field(names: str, gone: str = "") -> list[Entrant]:
    return [
        Entrant(name, number, withdrawn=name == gone) for number, name in enumerate(names, start=1)
    ]


def example_of(rule: Rule, used: Use, language: str) -> str:
    """Return the value of one criterion for each of the four pairs, with the points and the cap of ``rule``.

    >>> from tournament.ranking.model import use
    >>> example_of(Rule((use("games_won"),)), use("games_won"), "en")
    'A 2 · B 1 · C 1 · D 1'
    """
    alone = Rule((used,), win=rule.win, draw=rule.draw, loss=rule.loss, cap=rule.cap)
    lines = [line for game in GAMES for line in _lines(game)]
    standing = rank(_field("ABCD"), lines, [], alone, LOTS)
    criterion = build(used)
    return " · ".join(
        f"{name} {criterion.format(standing.row(name).values[0], language)}" for name in "ABCD"
    )


def example_event(rule: Rule, bye: LineKind) -> Standing:
    """Rank the longer event under the whole rule: E withdraws; B, C and D have a ``bye``."""
    lines = [line for game in (*GAMES, LATER) for line in _lines(game)]
    lines += [Played(round_no=4, entrant=name, kind=bye) for name in "BCD"]
    return rank(_field("ABCDE", gone="E"), lines, [], rule, LOTS)
