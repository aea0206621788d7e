"""How the scores of the field are spread, with the cut line and the reader's own place."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from scoring.engine.texts import Texts
from tournament.charts.svg import (
    BOTTOM,
    HEIGHT,
    LEFT,
    RIGHT,
    TOP,
    Chart,
    axes,
    chart,
    labelled,
    line,
    text,
    ticks,
)
from tournament.standings.figures import format_number
from tournament.standings.model import Number

_TITLE = Texts(en="Scores of the field", fr="Scores du concours", nl="Scores van het veld")
_EMPTY = Texts(en="No score yet.", fr="Pas encore de score.", nl="Nog geen score.")
_SPAN = Texts(
    en="{} entrants from {} to {}.",
    fr="{} inscrits, de {} à {}.",
    nl="{} deelnemers, van {} tot {}.",
)
_CUT = Texts(en="Cut at {}", fr="Qualification à {}", nl="Grens op {}")
_MINE = Texts(en="You: {}", fr="Vous : {}", nl="Jij: {}")
_BAR = Texts(en="{}: {}", fr="{} : {}", nl="{}: {}")
_TO = Texts(en="{} to {}", fr="{} à {}", nl="{} tot {}")


def score_distribution(
    scores: Iterable[Number],
    language: str,
    *,
    label: str,
    cut: Number | None = None,
    mine: Number | None = None,
    bars: int = 24,
    key: str = "scores",
) -> Chart:
    """A histogram of ``scores``; ``label`` names the score. ``cut``: the last score that goes on.

    Each bar covers the same whole span of scores (1, 2, 5, 10, … wide), so that there are at most
    ``bars``. ``ValueError`` for fewer than two bars.
    """
    if bars < 2:
        raise ValueError("A distribution needs at least two bars.")
    field = sorted(scores)
    title = f"{_TITLE.to(language)} – {label}"
    if not field:
        return chart(key, title, _EMPTY.to(language), [text(320, 140, _EMPTY.to(language))])
    shown = [*field, *(value for value in (cut, mine) if value is not None)]
    width = _bar_width(min(shown), max(shown), bars)
    first = min(shown) // width
    count = int(max(shown) // width - first) + 1
    heights = [0] * count
    for score in field:
        heights[int(score // width - first)] += 1
    tallest = max(heights)
    slot = Fraction(RIGHT - LEFT, count)
    parts = [axes()]
    for tick in ticks(0, tallest):
        y = BOTTOM - Fraction(tick * (BOTTOM - TOP - 16), tallest)
        parts.append(line(LEFT, y, RIGHT, y, "grid"))
        parts.append(text(LEFT - 8, y + 4, str(tick), "end"))
    own = int(mine // width - first) if mine is not None else None
    every = max(1, -(-count // 8))
    for index, height in enumerate(heights):
        low = int((first + index) * width)
        x = LEFT + index * slot
        if index % every == 0:
            parts.append(text(x + slot / 2, BOTTOM + 18, format_number(low, language)))
        if not height and index != own:
            continue
        tall = Fraction(height * (BOTTOM - TOP - 16), tallest)
        parts.append(
            labelled(
                "rect",
                _BAR.to(language).format(_span(low, width, language), height),
                x=x + slot / 20,
                y=BOTTOM - tall,
                width=slot * Fraction(9, 10),
                height=tall,
                class_="bar bar--me" if index == own else "bar",
                fill="currentColor",
            )
        )
        if index == own:  # not by colour alone
            parts.append(text(x + slot / 2, BOTTOM - tall - 4, "▼"))
    said = [
        _SPAN.to(language).format(
            len(field), format_number(field[0], language), format_number(field[-1], language)
        )
    ]
    if cut is not None:
        x = LEFT + (Fraction(cut) / width - first) * slot
        parts.append(line(x, TOP, x, BOTTOM, "cutline"))
        words = _CUT.to(language).format(format_number(cut, language))
        right = 2 * x < LEFT + RIGHT
        parts.append(text(x + (4 if right else -4), TOP + 10, words, "start" if right else "end"))
        said.append(words + ".")
    if mine is not None:
        said.append(_MINE.to(language).format(format_number(mine, language)) + ".")
    parts.append(text(Fraction(LEFT + RIGHT, 2), HEIGHT - 6, label))
    return chart(key, title, " ".join(said), parts)


def _bar_width(low: Number, high: Number, bars: int) -> int:
    width, step = 1, 0
    while high // width - low // width >= bars:
        width = width * 5 // 2 if step % 3 == 1 else width * 2
        step += 1
    return width


def _span(low: int, width: int, language: str) -> str:
    if width == 1:
        return format_number(low, language)
    return _TO.to(language).format(
        format_number(low, language), format_number(low + width - 1, language)
    )
