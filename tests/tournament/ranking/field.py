"""A small stand-in event that writes both sides' lines of a game from one statement."""

from __future__ import annotations

from collections.abc import Sequence

from tournament.ranking.model import Entrant, LineKind, Number, Outcome, Played, Standing
from tournament.ranking.ranking import read_criteria, separation

FLIPPED = {Outcome.WIN: Outcome.LOSS, Outcome.LOSS: Outcome.WIN, Outcome.DRAW: Outcome.DRAW}


def entrants(names: str | Sequence[str]) -> list[Entrant]:
    """Return entrants numbered from 1 in the order given."""
    return [Entrant(name, number) for number, name in enumerate(names, 1)]


def game(
    round_no: int,
    ours: str | Sequence[str],
    theirs: str | Sequence[str],
    marks: tuple[Number, Number],
    *,
    table: int = 1,
    game_no: int = 1,
    outcome: Outcome | None = None,
    kind: LineKind = LineKind.PLAYED,
    best: tuple[int, int] | None = None,
    penalties: tuple[int, int] = (0, 0),
    points: tuple[int, int] | None = None,
) -> list[Played]:
    """Return the lines of all seated players; the greater marks win unless ``outcome`` (ours) is given."""
    if outcome is None:
        ahead = marks[0] - marks[1]
        outcome = Outcome.WIN if ahead > 0 else Outcome.LOSS if ahead < 0 else Outcome.DRAW
    sides = (tuple(ours), tuple(theirs))
    lines = []
    for index, result in ((0, outcome), (1, FLIPPED[outcome])):
        for player in sides[index]:
            lines.append(
                Played(
                    round_no=round_no,
                    table=table,
                    game_no=game_no,
                    entrant=player,
                    partners=tuple(other for other in sides[index] if other != player),
                    opponents=sides[1 - index],
                    marks_for=marks[index],
                    marks_against=marks[1 - index],
                    outcome=result,
                    kind=kind,
                    best_deal=best[index] if best else None,
                    penalties=penalties[index],
                    points=points[index] if points else None,
                    max_points=sum(points) if points else None,
                )
            )
    return lines


def bye(round_no: int, entrant: str, kind: LineKind = LineKind.BYE, game_no: int = 1) -> Played:
    """Return a round without play."""
    return Played(round_no=round_no, entrant=entrant, kind=kind, game_no=game_no)


def separated(standing: Standing, one: str, other: str, language: str = "en") -> str:
    """Return the words that explain the order of two entrants."""
    ahead, behind = sorted((standing.row(one), standing.row(other)), key=lambda row: row.position)
    return separation(read_criteria(standing.rule), ahead, behind, language)
