"""Score sheets to fill by hand: what the rulebook asks after each deal, and both signatures.

Landscape, twelve deals to a page so that a pen has room; what a rulebook offers to choose from is
printed to be circled. A longer match carries its totals to the next page.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from scoring.engine.rulebook import Game
from scoring.engine.rulebook_edition import Sides
from tournament.documents import words
from tournament.documents.faces import BOLD, fit_lines, width
from tournament.documents.imprint import DocumentError, Imprint
from tournament.documents.layout import Layout
from tournament.documents.looks import CENTRE, INK, MM, MUTED, RIGHT, TINT
from tournament.documents.sheet_fields import SheetField, sheet_fields, sides

DEALS_A_PAGE: Final = 12
_LONG_CHOICE: Final = 3
_HEAD: Final = 34.0
_GROUP: Final = 13.0


@dataclass(frozen=True, slots=True)
class SheetHead:
    """What is already known of a sheet: empty texts leave a line to write on.

    ``names`` are those of the sides, or of the players in their order, as printed. ``rules`` and
    ``deals`` are its own where a table plays otherwise than the form says (a table of three, an
    auction of five).
    """

    round: str = ""
    table: str = ""
    game: str = ""
    names: tuple[str, ...] = ()
    rules: Game | None = None
    deals: int = 0


@dataclass(frozen=True, slots=True)
class ScoreSheetForm:
    """Sheets of one rulebook with its switches; one for each head (one blank without any)."""

    imprint: Imprint
    game: Game
    deals: int = DEALS_A_PAGE
    heads: tuple[SheetHead, ...] = (SheetHead(),)

    def __post_init__(self) -> None:
        if self.deals < 1 or any(head.deals < 0 for head in self.heads):
            raise DocumentError("a score sheet has at least one deal")
        if not self.heads:
            raise DocumentError("there is no table to print a score sheet for")


def score_sheets_pdf(form: ScoreSheetForm) -> bytes:
    """The sheets, as many pages each as its deals take; equal forms give equal bytes."""
    language = form.imprint.language
    title = words.SCORE_SHEET.render(language)
    book = form.game.book.title.render(language)
    layout = Layout(
        form.imprint,
        f"{title} · {book}",
        head=False,
        landscape=True,
        margin=11 * MM,
        watermark=False,
    )
    first = True
    for head in form.heads:
        game, deals = head.rules or form.game, head.deals or form.deals
        for start in range(1, deals + 1, DEALS_A_PAGE):
            if not first:
                layout.new_page()
            if start == 1:
                layout.bookmark(_of(layout, head) or title)
            first = False
            last = min(start + DEALS_A_PAGE - 1, deals)
            _page(layout, game, head, start, last)
    return layout.finish()


def _of(layout: Layout, head: SheetHead) -> str:
    """What a sheet belongs to, in words; empty for a blank one."""
    known = (
        (words.ROUND_WORD, head.round),
        (words.TABLE, head.table),
        (words.GAME_WORD, head.game),
    )
    return " · ".join(f"{layout.say(label)} {value}" for label, value in known if value)


def _page(
    layout: Layout,
    game: Game,
    head: SheetHead,
    start: int,
    last: int,
) -> None:
    fields = sheet_fields(game, layout.language)
    y = _top(layout, game, head)
    signatures = sides(game, layout.language)
    foot = layout.bottom + 34
    shares = sum(field.share for field in fields)
    wide = [layout.room * field.share / shares for field in fields]
    lefts = [layout.left + sum(wide[:at]) for at in range(len(wide))]
    y = _headings(layout, fields, lefts, wide, y)
    top = y
    carried = start > 1
    rows = DEALS_A_PAGE + carried
    high = min((y - foot) / rows, 30.0)
    if carried:
        _carried(layout, fields, lefts, wide, y, high)
        y -= high
    for deal in range(start, last + 1):
        _row(layout, fields, lefts, wide, y, high, deal)
        y -= high
    _frame(layout, fields, lefts, top, y, high, carried)
    _signatures(layout, signatures)


def _top(layout: Layout, game: Game, head: SheetHead) -> float:
    """Title, what the sheet belongs to, and the names; returns the y below."""
    left, right, top = layout.left, layout.right, layout.y
    book = game.book
    title = f"{layout.say(words.SCORE_SHEET)} · {book.title.render(layout.language)}"
    layout.fitted(left, top - 16, title, layout.room * 0.55, face=BOLD, size=17, least=11)
    layout.fitted(
        left,
        top - 29,
        layout.imprint.event,
        layout.room * 0.55,
        face=BOLD,
        size=9,
        ink=layout.imprint.accent,
    )
    x = right
    for heading, value, wide in (
        (words.DATE, "", 84.0),
        (words.GAME_WORD, head.game, 56.0),
        (words.TABLE, head.table, 62.0),
        (words.ROUND_WORD, head.round, 56.0),
    ):
        x -= wide
        layout.fitted(x, top - 8, layout.say(heading), wide - 8, face=BOLD, size=7, ink=MUTED)
        layout.line(x, top - 28, x + wide - 8, top - 28, weight=0.7, ink=INK)
        if value:
            layout.fitted(x + 2, top - 24, value, wide - 12, face=BOLD, size=14, least=7)
    y = top - 48
    labels = sides(game, layout.language)
    columns = min(len(labels), 4)
    step = layout.room / columns
    for at, label in enumerate(labels):
        row, column = divmod(at, columns)
        x, base = left + column * step, y - row * 17
        layout.text(x, base, label, face=BOLD, size=9, ink=INK)
        room = width(label, BOLD, 9) + 6
        layout.line(x + room, base - 2.5, x + step - 10, base - 2.5, weight=0.5, ink=INK)
        if at < len(head.names):
            # A hair above the line, which two small lines would touch.
            layout.tight(x + room + 2, base + 1, head.names[at], step - room - 14, size=11, least=7)
    y -= ((len(labels) - 1) // columns) * 17
    help_text = layout.say(words.WRITE_HELP)
    if book.sides is not Sides.DECLARER_ALONE and not book.levels:
        # Against a bid or a declarer who is alone there is a threshold, not a half.
        help_text += f" {layout.say(words.HALF_HELP).format(half=book.half)}"
    layout.fitted(left, y - 15, help_text, layout.room, size=7.5, least=5.5, ink=MUTED)
    return y - 21


def _headings(
    layout: Layout,
    fields: tuple[SheetField, ...],
    lefts: list[float],
    wide: list[float],
    top: float,
) -> float:
    bottom = top - _HEAD
    layout.box(layout.left, bottom, layout.room, _HEAD, fill=TINT)
    at = 0
    while at < len(fields):
        field = fields[at]
        end = at + 1
        while field.group and end < len(fields) and fields[end].group == field.group:
            end += 1
        span = sum(wide[at:end])
        if field.group:
            layout.fitted(
                lefts[at] + span / 2,
                top - 10,
                field.group,
                span - 4,
                face=BOLD,
                size=8,
                least=5.5,
                align=CENTRE,
            )
            layout.line(
                lefts[at], top - _GROUP, lefts[at] + span, top - _GROUP, weight=0.5, ink=INK
            )
        for each in range(at, end):
            room = _HEAD - (_GROUP if field.group else 0)
            middle = bottom + room / 2
            lines = fit_lines(fields[each].heading, wide[each] - 4, BOLD, 8, 5, 3, alone=0.94)
            base = middle + (len(lines) - 1) * 4.4 - 2.8
            for line in lines:
                layout.text(
                    lefts[each] + wide[each] / 2,
                    base,
                    line.text,
                    face=line.face,
                    size=line.size,
                    align=CENTRE,
                )
                base -= 8.8
        at = end
    layout.line(layout.left, top, layout.right, top, weight=1.1, ink=INK)
    layout.line(layout.left, bottom, layout.right, bottom, weight=1.1, ink=INK)
    return bottom


def _row(
    layout: Layout,
    fields: tuple[SheetField, ...],
    lefts: list[float],
    wide: list[float],
    top: float,
    high: float,
    deal: int,
) -> None:
    base = top - high / 2 - 3.6
    for field, left, each in zip(fields, lefts, wide, strict=True):
        middle = left + each / 2
        if field.key == "deal":
            layout.text(middle, base, str(deal), face=BOLD, size=10.5, align=CENTRE)
        elif field.choices:
            _choices(layout, field.choices, left, base, each)
    layout.line(layout.left, top - high, layout.right, top - high, weight=0.5, ink=INK)


def _choices(layout: Layout, choices: str, left: float, base: float, wide: float) -> None:
    """What is circled, spread evenly, in a tone that a pen stands out from; long words on two lines."""
    every = choices.split(" ")
    long = max(map(len, every)) > _LONG_CHOICE
    half = len(every) // 2
    lines = [(base + 5.5, every[:half]), (base - 5.5, every[half:])] if long else [(base, every)]
    for height, line in lines:
        step = wide / len(line)
        for at, choice in enumerate(line):
            layout.fitted(
                left + (at + 0.5) * step,
                height,
                choice,
                step - 1.5,
                size=8.5 if long else 10,
                least=5.5,
                ink=MUTED,
                align=CENTRE,
            )


def _carried(
    layout: Layout,
    fields: tuple[SheetField, ...],
    lefts: list[float],
    wide: list[float],
    top: float,
    high: float,
) -> None:
    first = next(at for at, field in enumerate(fields) if field.running)
    layout.text(
        lefts[first] - 6,
        top - high / 2 - 3.4,
        layout.say(words.CARRIED),
        face=BOLD,
        size=9,
        ink=MUTED,
        align=RIGHT,
    )
    layout.line(layout.left, top - high, layout.right, top - high, weight=1.1, ink=INK)


def _frame(
    layout: Layout,
    fields: tuple[SheetField, ...],
    lefts: list[float],
    top: float,
    bottom: float,
    high: float,
    carried: bool,
) -> None:
    """The upright lines: heavy between kinds of field, light between the sides of one kind."""
    for at, field in enumerate(fields):
        joined = at > 0 and field.group and fields[at - 1].group == field.group
        upper = top + (_HEAD - _GROUP if joined else _HEAD)
        # Across the carried totals only their own columns are parted.
        if carried and not field.running:
            layout.line(lefts[at], upper, lefts[at], top, weight=0.5, ink=INK)
            upper = top - high
        layout.line(lefts[at], upper, lefts[at], bottom, weight=0.4 if joined else 0.9, ink=INK)
    if carried:
        layout.line(layout.left, top, layout.left, bottom, weight=0.9, ink=INK)
    layout.line(layout.right, top + _HEAD, layout.right, bottom, weight=0.9, ink=INK)
    layout.line(layout.left, bottom, layout.right, bottom, weight=1.1, ink=INK)


def _signatures(layout: Layout, signing: tuple[str, ...]) -> None:
    labels = [
        *(f"{layout.say(words.SIGNATURE)} {label}" for label in signing),
        layout.say(words.SCOREKEEPER),
    ]
    step = layout.room / len(labels)
    y = layout.bottom + 6
    for at, label in enumerate(labels):
        x = layout.left + at * step
        layout.line(x, y, x + step - 12, y, weight=0.7, ink=INK)
        layout.fitted(x, y - 9, label, step - 12, size=7.5, least=5, ink=MUTED)
