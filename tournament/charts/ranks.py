"""The rank of one entrant after each round, first place on top."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache

from scoring.texts import gettext_lazy as _
from tournament.charts.svg import (
    BOTTOM,
    HEIGHT,
    LEFT,
    RIGHT,
    TOP,
    Chart,
    at,
    axes,
    chart,
    element,
    labelled,
    line,
    sentences,
    spread,
    text,
    ticks,
)
from tournament.ranking.figures import place_in_words

_TITLE = _("Rank after each round")
_ROUND = _("Round")
_POINT = _("Round {}: place {} of {}")
_NO_RANK = _("Round {}: no rank")
_EMPTY = _("No round is over yet.")
_CUT = _("Cut: first {}")


def rank_over_rounds(
    ranks: Sequence[tuple[int, int | None]],
    entrants: int,
    language: str,
    *,
    name: str = "",
    cut: int | None = None,
    key: str = "ranks",
) -> Chart:
    """``ranks``: (round, rank or None where they had none), in order; ``entrants``: the field's size.

    ``cut``: the last place that goes on. The line breaks where there is no rank. ``ValueError`` for
    a rank outside 1..``entrants``.
    """
    for number, place in ranks:
        if place is not None and not 1 <= place <= entrants:
            raise ValueError(f"Rank {place} in round {number} is not within 1..{entrants}.")
    title = _TITLE.render(language) + (f" – {name}" if name else "")
    words = [
        _NO_RANK.render(language).format(number)
        if place is None
        else _POINT.render(language).format(number, place_in_words(place, language), entrants)
        for number, place in ranks
    ]
    if not ranks:
        return chart(key, title, _EMPTY.render(language), [text(320, 140, _EMPTY.render(language))])
    run: list[str] = []
    runs: list[list[str]] = [run]
    points: list[str] = []
    for index, (_number, place) in enumerate(ranks):
        if place is None:
            run = []
            runs.append(run)
            continue
        where, dot = _dot(index, len(ranks), place, entrants, words[index])
        run.append(where)
        points.append(dot)
    lines = [
        element(
            "polyline",
            points=" ".join(run),
            class_="line",
            fill="none",
            stroke="currentColor",
            stroke_width=2,
        )
        for run in runs
        if len(run) > 1
    ]
    frame = _frame(tuple(number for number, _place in ranks), entrants, language, cut)
    return chart(key, title, sentences(words, language), [frame, *lines, *points])


def _height(place: int | Fraction, entrants: int) -> Fraction:
    return TOP + 8 + Fraction((place - 1) * (BOTTOM - TOP - 16), max(1, entrants - 1))


@lru_cache(maxsize=32_768)
def _dot(index: int, count: int, place: int, entrants: int, words: str) -> tuple[str, str]:
    """Return a point of the line and its dot. Cached: after a round, only the last point of each chart is new."""
    x, y = spread(index, count, LEFT, RIGHT), _height(place, entrants)
    dot = labelled("circle", words, cx=x, cy=y, r=4, class_="dot", fill="currentColor")
    return f"{at(x)},{at(y)}", dot


@lru_cache(maxsize=64)
def _frame(rounds: tuple[int, ...], entrants: int, language: str, cut: int | None) -> str:
    """Return the parts that every chart of a field shares: axes, grid, cut, numbers of the rounds."""
    parts = [axes()]
    for place in sorted({1, *(tick for tick in ticks(1, entrants) if tick > 1)}):
        y = _height(place, entrants)
        parts.append(line(LEFT, y, RIGHT, y, "grid"))
        parts.append(text(LEFT - 8, y + 4, str(place), "end"))
    if cut is not None and cut < entrants:
        y = _height(cut + Fraction(1, 2), entrants)
        parts.append(line(LEFT, y, RIGHT, y, "cutline"))
        # Below the axis: on the line it would lie on the ranks of anyone who is near the cut.
        parts.append(text(RIGHT, HEIGHT - 6, f"– – {_CUT.render(language).format(cut)}", "end"))
    every = max(1, -(-len(rounds) // 12))
    for index in range(0, len(rounds), every):
        x = spread(index, len(rounds), LEFT, RIGHT)
        parts.append(text(x, BOTTOM + 18, str(rounds[index])))
    # At the left end: the text at the other end is long where a phone's letters are large.
    parts.append(text(LEFT, HEIGHT - 6, _ROUND.render(language), "start"))
    return "".join(parts)
