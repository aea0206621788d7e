"""Distribution of the field's scores, with the cut line and the reader's own place."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from functools import lru_cache

from scoring.texts import gettext_lazy as _
from scoring.texts import pgettext_lazy
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
from tournament.ranking.figures import format_number
from tournament.ranking.model import Number

_TITLE = pgettext_lazy("chart", "Scores of the field")
_EMPTY = _("No score yet.")
_SPAN = _("{} participants from {} to {}.")
_CUT = _("Cut at {}")
_MINE = _("You: {}")
_BAR = _("{}: {}")
_TO = _("{} to {}")


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
    """Draw a histogram of ``scores``; ``label`` names the score, ``cut`` is the last score that qualifies.

    Each bar covers the same whole span of scores (1, 2, 5, 10, … wide), so that there are at most
    ``bars``. ``ValueError`` for fewer than two bars.
    """
    if bars < 2:
        raise ValueError("A distribution needs at least two bars.")
    field = tuple(sorted(scores))
    title = f"{_TITLE.render(language)} – {label}"
    if not field:
        return chart(key, title, _EMPTY.render(language), [text(320, 140, _EMPTY.render(language))])
    shown = [field[0], field[-1], *(value for value in (cut, mine) if value is not None)]
    drawn = _histogram(field, min(shown), max(shown), language, label, cut, bars)
    return drawn.chart(key, title, mine)


class _Histogram:
    """Histogram of a field. The picture is the same for every reader, except for the reader's marked bar."""

    def __init__(
        self,
        field: tuple[Number, ...],
        low: Number,
        high: Number,
        language: str,
        label: str,
        cut: Number | None,
        bars: int,
    ) -> None:
        self.language = language
        self.width = _bar_width(low, high, bars)
        self.first = low // self.width
        self.heights = [0] * (int(high // self.width - self.first) + 1)
        for score in field:
            self.heights[self._index(score)] += 1
        self.slot = Fraction(RIGHT - LEFT, len(self.heights))
        self.frame = "".join(self._frame(label, cut))
        self.bars = [self._bar(index) if tall else "" for index, tall in enumerate(self.heights)]
        self.own: dict[int, str] = {}
        self.labels = [
            _SPAN.render(language).format(
                len(field), format_number(field[0], language), format_number(field[-1], language)
            )
        ]
        if cut is not None:
            self.labels.append(_CUT.render(language).format(format_number(cut, language)) + ".")

    def chart(self, key: str, title: str, mine: Number | None) -> Chart:
        """Return the picture for one entrant of the field, or for a reader outside it."""
        bars, labels = self.bars, self.labels
        if mine is not None:
            own = self._index(mine)
            if own not in self.own:
                self.own[own] = self._bar(own, own=True)
            bars = [*bars[:own], self.own[own], *bars[own + 1 :]]
            you = _MINE.render(self.language).format(format_number(mine, self.language))
            labels = [*labels, you + "."]
        return chart(key, title, " ".join(labels), [self.frame, *bars])

    def _index(self, score: Number) -> int:
        return int(score // self.width - self.first)

    def _low(self, index: int) -> int:
        return int((self.first + index) * self.width)

    def _tall(self, count: int) -> Fraction:
        return Fraction(count * (BOTTOM - TOP - 16), max(self.heights))

    def _bar(self, index: int, *, own: bool = False) -> str:
        height = self.heights[index]
        x, tall = LEFT + index * self.slot, self._tall(height)
        span = _span(self._low(index), self.width, self.language)
        drawn = labelled(
            "rect",
            _BAR.render(self.language).format(span, height),
            x=x + self.slot / 20,
            y=BOTTOM - tall,
            width=self.slot * Fraction(9, 10),
            height=tall,
            class_="bar bar--me" if own else "bar",
            fill="currentColor",
        )
        # Not by colour alone.
        return drawn + text(x + self.slot / 2, BOTTOM - tall - 4, "▼") if own else drawn

    def _frame(self, label: str, cut: Number | None) -> list[str]:
        parts = [axes()]
        for tick in ticks(0, max(self.heights)):
            y = BOTTOM - self._tall(tick)
            parts.append(line(LEFT, y, RIGHT, y, "grid"))
            parts.append(text(LEFT - 8, y + 4, str(tick), "end"))
        for index in range(0, len(self.heights), max(1, -(-len(self.heights) // 8))):
            x = LEFT + index * self.slot + self.slot / 2
            parts.append(text(x, BOTTOM + 18, format_number(self._low(index), self.language)))
        if cut is not None:
            x = LEFT + (Fraction(cut) / self.width - self.first) * self.slot
            parts.append(line(x, TOP, x, BOTTOM, "cutline"))
            words = _CUT.render(self.language).format(format_number(cut, self.language))
            right = 2 * x < LEFT + RIGHT
            beside = x + (4 if right else -4)
            parts.append(text(beside, TOP + 10, words, "start" if right else "end"))
        parts.append(text(Fraction(LEFT + RIGHT, 2), HEIGHT - 6, label))
        return parts


_histogram = lru_cache(maxsize=16)(_Histogram)
"""A whole field asks for the picture of the same scores."""


def _bar_width(low: Number, high: Number, bars: int) -> int:
    width, step = 1, 0
    while high // width - low // width >= bars:
        width = width * 5 // 2 if step % 3 == 1 else width * 2
        step += 1
    return width


def _span(low: int, width: int, language: str) -> str:
    if width == 1:
        return format_number(low, language)
    return _TO.render(language).format(
        format_number(low, language), format_number(low + width - 1, language)
    )
