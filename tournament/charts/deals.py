"""Scores of both sides after each deal: the reader's own side above the line, the other side below."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from scoring.texts import gettext_lazy as _
from tournament.charts.svg import (
    BOTTOM,
    HEIGHT,
    LEFT,
    RIGHT,
    TOP,
    Chart,
    chart,
    labelled,
    line,
    sentences,
    spread,
    text,
    ticks,
)
from tournament.ranking.figures import format_number
from tournament.ranking.model import Number

_TITLE = _("Points per deal")
_DEAL = _("Deal")
_EMPTY = _("No deal yet.")
_BAR = _("Deal {}: {} to {}")
_US = _("We {}")
_THEM = _("They {}")


@dataclass(frozen=True, slots=True)
class DealMarks:
    """The marks of one deal; ``us`` is the reader's side. Marks may be negative."""

    deal_no: int
    us: Number
    them: Number


def marks_per_deal(
    deals: Sequence[DealMarks], language: str, *, name: str = "", key: str = "deals"
) -> Chart:
    """Draw bars for each deal, in order, with both sides' totals."""
    title = _TITLE.render(language) + (f" – {name}" if name else "")
    if not deals:
        return chart(key, title, _EMPTY.render(language), [text(320, 140, _EMPTY.render(language))])
    # Marks against a side (negative, after a penalty) hang on the other side of its line.
    high = max(1, *(max(deal.us, -deal.them) for deal in deals))
    low = min(0, *(min(deal.us, -deal.them) for deal in deals))
    scale = Fraction(BOTTOM - TOP) / (Fraction(high) - Fraction(low))
    zero = TOP + high * scale

    parts: list[str] = []
    for tick in ticks(int(low), int(high)):
        y = zero - tick * scale
        parts.append(line(LEFT, y, RIGHT, y, "axis" if tick == 0 else "grid"))
        parts.append(text(LEFT - 8, y + 4, format_number(abs(tick), language), "end"))
    every = max(1, -(-len(deals) // 12))
    width = Fraction(7 * (RIGHT - LEFT), 10 * len(deals))
    labels: list[str] = []
    for index, deal in enumerate(deals):
        x = spread(index, len(deals), LEFT, RIGHT)
        if index % every == 0:
            parts.append(text(x, BOTTOM + 18, str(deal.deal_no)))
        words = _BAR.render(language).format(
            deal.deal_no, format_number(deal.us, language), format_number(deal.them, language)
        )
        labels.append(words)
        for amount, side in ((deal.us, "bar--plus"), (-deal.them, "bar--minus")):
            if amount:
                parts.append(
                    labelled(
                        "rect",
                        words,
                        x=x - width / 2,
                        y=zero - max(amount, 0) * scale,
                        width=width,
                        height=(amount if amount > 0 else -amount) * scale,
                        class_=f"bar {side}",
                        fill="currentColor",
                    )
                )
    totals = (
        _US.render(language).format(format_number(sum(deal.us for deal in deals), language)),
        _THEM.render(language).format(format_number(sum(deal.them for deal in deals), language)),
    )
    parts.append(text(RIGHT, HEIGHT - 6, " · ".join(totals), "end"))
    # At the left end: the text at the other end is long where a phone's letters are large.
    parts.append(text(LEFT, HEIGHT - 6, _DEAL.render(language), "start"))
    return chart(key, title, ", ".join(totals) + ". " + sentences(labels, language), parts)
