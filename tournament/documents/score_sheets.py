"""Score sheets to fill in by hand: the rulebook's fields for each deal, and both signatures.

Landscape; the options of a rulebook are printed to be circled. The games of a table follow one
below another on its page, as many as leave a pen room in each row. A blank sheet, and a game too
long for one page, has twelve deals to a page and carries its totals to the next.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from scoring.engine.rulebook import Game
from scoring.engine.rulebook_edition import Sides
from scoring.engine.speech import side_name
from scoring.texts import Message
from tournament.documents import words
from tournament.documents.faces import BOLD, TEXT, fit_lines, width
from tournament.documents.imprint import DocumentError, Imprint
from tournament.documents.layout import Layout
from tournament.documents.looks import CENTRE, INK, MM, MUTED, RIGHT, TINT
from tournament.documents.sheet_fields import SheetField, sheet_fields, sides

DEALS_A_PAGE: Final = 12
_LONG_CHOICE: Final = 3
_HEAD: Final = 34.0
_GROUP: Final = 13.0
_TITLE: Final = 46.0
_NAMES: Final = 17.0
_GAP: Final = 5.0
_MOST: Final = 30.0
_LEAST: Final = 6.5 * MM
"""The lowest row that a pen writes in."""
_LEAST_OF_TWO: Final = 21.5
"""The lowest row in which two lines of choices stand free."""
_SIGNED: Final = 1.5
"""Height of the line of totals and signatures, in rows."""


@dataclass(frozen=True, slots=True)
class SheetHead:
    """Known head of a sheet: an empty text leaves a line to write on.

    ``names`` are those of the sides, or of the players in their order, as printed. ``rules`` and
    ``deals`` are set where a table plays otherwise than the form (a table of three, an auction of
    five). ``dealer`` is the seat that deals first. ``seats`` holds the letters to circle where the
    table has letters of its own ("A C B D"), in the order of play; on a blank sheet in their own order.
    """

    round: str = ""
    table: str = ""
    game: str = ""
    names: tuple[str, ...] = ()
    rules: Game | None = None
    deals: int = 0
    dealer: str = ""
    seats: str = ""


@dataclass(frozen=True, slots=True)
class ScoreSheetForm:
    """Sheets of one rulebook with its switches; one for each head (one blank without any).

    Neighbouring heads of one table and the same rules share a page.
    """

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
    """Render the sheets, as many pages each as its deals need; equal forms give equal bytes."""
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
    sheets = [_Sheet(h, h.rules or form.game, h.deals or form.deals) for h in form.heads]
    for at, page in enumerate(_together(layout, sheets)):
        if at:
            layout.new_page()
        if page[0].head.table and _fit(layout, page):
            _table(layout, page)
        else:
            _alone(layout, page[0], title)
    return layout.finish()


class _Sheet(NamedTuple):
    head: SheetHead
    game: Game
    deals: int


def _together(layout: Layout, sheets: Sequence[_Sheet]) -> list[list[_Sheet]]:
    """Group the sheets by page: games of one table and the same rules share it while they fit."""
    pages: list[list[_Sheet]] = []
    for sheet in sheets:
        whose = (sheet.head.round, sheet.head.table, sheet.game)
        last = pages[-1][0] if pages else None
        if (
            last
            and sheet.head.table
            and whose == (last.head.round, last.head.table, last.game)
            and _fit(layout, [*pages[-1], sheet])
        ):
            pages[-1].append(sheet)
        else:
            pages.append([sheet])
    return pages


def _fit(layout: Layout, page: Sequence[_Sheet]) -> bool:
    """Whether these games leave a pen room on one page."""
    head, game, _deals = page[0]
    two = any(_two_lines(field) for field in sheet_fields(game, layout.language, head.seats))
    return _high(layout, page) >= (_LEAST_OF_TWO if two else _LEAST)


def _two_lines(field: SheetField) -> bool:
    return max(map(len, field.choices.split(" "))) > _LONG_CHOICE


def _high(layout: Layout, page: Sequence[_Sheet]) -> float:
    """Return the height of each row when these games share one page."""
    over = sum(_GAP + _NAMES * _name_lines(sheet.game) for sheet in page)
    room = layout.y - layout.bottom - _TITLE - _HEAD - over
    return min(room / sum(sheet.deals + _SIGNED for sheet in page), _MOST)


def _of(layout: Layout, head: SheetHead) -> str:
    """Describe the round, table and game of a sheet in words; empty for a blank sheet."""
    known = (
        (words.ROUND_WORD, head.round),
        (words.TABLE, head.table),
        (words.GAME_WORD, head.game),
    )
    return " · ".join(f"{layout.say(label)} {value}" for label, value in known if value)


def _table(layout: Layout, page: Sequence[_Sheet]) -> None:
    """Draw the games of a table, one below another under the same headings."""
    head, game, _deals = page[0]
    high = _high(layout, page)
    _title(layout, game, ((words.TABLE, head.table, 62.0), (words.ROUND_WORD, head.round, 56.0)))
    _help(layout, game, layout.y - _TITLE + 6)
    pairs = _pairs(layout, page)
    fields = sheet_fields(game, layout.language, pairs=pairs)
    lefts, wide = _columns(layout, fields)
    y = _headings(layout, fields, lefts, wide, layout.y - _TITLE)
    for head, game, deals in page:
        y -= _GAP
        layout.y = y
        layout.bookmark(_of(layout, head))
        base = y - 12
        label = layout.say(words.GAME).format(game=head.game)
        left = layout.left + width(label, BOLD, 10) + 8
        layout.text(layout.left, base, label, face=BOLD, size=10)
        if head.dealer:
            dealer = layout.label(words.FIRST_DEALER_SHORT, side_name(head.dealer, layout.language))
            layout.text(left, base, dealer, size=9, ink=MUTED)
            left += width(dealer, TEXT, 9) + 14
        _names(layout, game, head, left, base, pairs)
        top = y = y - _NAMES * _name_lines(game)
        layout.line(layout.left, top, layout.right, top, weight=1.1, ink=INK)
        fields = sheet_fields(game, layout.language, head.seats)
        for deal in range(1, deals + 1):
            _row(layout, fields, lefts, wide, y, high, deal)
            y -= high
        tall = high * _SIGNED
        _sums(layout, fields, lefts, y, tall, words.TOTALS, 8)
        running = lefts[next(at for at, field in enumerate(fields) if field.running)]
        _signatures(
            layout,
            sides(game, layout.language, pairs),
            y - tall + 11.5,
            layout.left + 4,
            running - 30,
        )
        y -= tall
        _uprights(layout, fields, lefts, top, y, below=tall)


def _pairs(layout: Layout, page: Sequence[_Sheet]) -> tuple[str, ...]:
    """Return the names of a page's pairs at a table with letters: the letters, or numbers where
    partners change or the game is not known.

    Empty where they are North-South and East-West.
    """
    seats = {sheet.head.seats for sheet in page}
    if seats == {""}:
        return ()
    if len(seats) > 1 or not page[0].head.table:
        return tuple(layout.say(words.PAIR_NUMBER).format(number=number) for number in (1, 2))
    north, east, south, west = seats.pop().split()
    return north + south, east + west


def _alone(layout: Layout, sheet: _Sheet, title: str) -> None:
    """Draw a blank sheet, or a single game, on as many pages as its deals need."""
    head, game, deals = sheet
    layout.bookmark(_of(layout, head) or title)
    for start in range(1, deals + 1, DEALS_A_PAGE):
        if start > 1:
            layout.new_page()
        _page(layout, game, head, start, min(start + DEALS_A_PAGE - 1, deals))


def _page(
    layout: Layout,
    game: Game,
    head: SheetHead,
    start: int,
    last: int,
) -> None:
    pairs = _pairs(layout, [_Sheet(head, game, last)])
    fields = sheet_fields(game, layout.language, head.seats, pairs)
    y = _top(layout, game, head, pairs)
    lefts, wide = _columns(layout, fields)
    y = _headings(layout, fields, lefts, wide, y)
    top = y
    carried = start > 1
    rows = DEALS_A_PAGE + carried
    high = min((y - layout.bottom - 34) / rows, _MOST)
    if carried:
        _sums(layout, fields, lefts, y, high, words.CARRIED, 9)
        y -= high
    for deal in range(start, last + 1):
        _row(layout, fields, lefts, wide, y, high, deal)
        y -= high
    _uprights(layout, fields, lefts, top, y, above=high if carried else 0.0)
    _signatures(
        layout, sides(game, layout.language, pairs), layout.bottom + 6, layout.left, layout.right
    )


def _columns(layout: Layout, fields: tuple[SheetField, ...]) -> tuple[list[float], list[float]]:
    """Left edge and width of each column."""
    shares = sum(field.share for field in fields)
    wide = [layout.room * field.share / shares for field in fields]
    return [layout.left + sum(wide[:at]) for at in range(len(wide))], wide


def _top(layout: Layout, game: Game, head: SheetHead, pairs: tuple[str, ...]) -> float:
    """Title, what the sheet belongs to, and the names; returns the y below."""
    _title(
        layout,
        game,
        (
            (words.GAME_WORD, head.game, 56.0),
            (words.TABLE, head.table, 62.0),
            (words.ROUND_WORD, head.round, 56.0),
        ),
    )
    y = layout.y - 48
    _names(layout, game, head, layout.left, y, pairs)
    y -= (_name_lines(game) - 1) * _NAMES
    _help(layout, game, y - 15)
    return y - 21


def _title(layout: Layout, game: Game, known: tuple[tuple[Message, str, float], ...]) -> None:
    left, top = layout.left, layout.y
    title = f"{layout.say(words.SCORE_SHEET)} · {game.book.title.render(layout.language)}"
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
    x = layout.right
    for heading, value, wide in ((words.DATE, "", 84.0), *known):
        x -= wide
        layout.fitted(x, top - 8, layout.say(heading), wide - 8, face=BOLD, size=7, ink=MUTED)
        layout.line(x, top - 28, x + wide - 8, top - 28, weight=0.7, ink=INK)
        if value:
            layout.fitted(x + 2, top - 24, value, wide - 12, face=BOLD, size=14, least=7)


def _name_lines(game: Game) -> int:
    """On how many lines the sides of a game are named."""
    return 1 if game.in_pairs else (game.players + 3) // 4


def _names(
    layout: Layout, game: Game, head: SheetHead, left: float, y: float, pairs: tuple[str, ...]
) -> None:
    """Draw the sides from ``left`` to the right margin, each with a line for its names."""
    labels = sides(game, layout.language, pairs)
    columns = min(len(labels), 4)
    step = (layout.right - left) / columns
    for at, label in enumerate(labels):
        row, column = divmod(at, columns)
        x, base = left + column * step, y - row * _NAMES
        layout.text(x, base, label, face=BOLD, size=9, ink=INK)
        room = width(label, BOLD, 9) + 6
        layout.line(x + room, base - 2.5, x + step - 10, base - 2.5, weight=0.5, ink=INK)
        if at < len(head.names):
            # A hair above the line, which two small lines would touch.
            layout.tight(x + room + 2, base + 1, head.names[at], step - room - 14, size=11, least=7)


def _help(layout: Layout, game: Game, y: float) -> None:
    book = game.book
    help_text = layout.say(words.WRITE_HELP)
    if book.sides is not Sides.DECLARER_ALONE and not book.levels:
        # Against a bid or a lone declarer there is a threshold, not a half.
        help_text += f" {layout.say(words.HALF_HELP).format(half=book.half)}"
    layout.fitted(layout.left, y, help_text, layout.room, size=7.5, least=5.5, ink=MUTED)


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
            most = 2 if field.group else 3
            lines = fit_lines(fields[each].heading, wide[each] - 4, BOLD, 8, 5, most, alone=0.94)
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
            upper = top - _GROUP if each > at else top
            layout.line(
                lefts[each], upper, lefts[each], bottom, weight=0.4 if each > at else 0.9, ink=INK
            )
        at = end
    layout.line(layout.right, top, layout.right, bottom, weight=0.9, ink=INK)
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
            _choices(layout, field, left, base, each)
    layout.line(layout.left, top - high, layout.right, top - high, weight=0.5, ink=INK)


def _choices(layout: Layout, field: SheetField, left: float, base: float, wide: float) -> None:
    """Print the choices to circle, spread evenly, lighter than a pen's ink; long words on two lines."""
    every = field.choices.split(" ")
    long = _two_lines(field)
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


def _sums(
    layout: Layout,
    fields: tuple[SheetField, ...],
    lefts: list[float],
    top: float,
    high: float,
    label: Message,
    size: float,
) -> None:
    """Draw a row of totals: carried from the page before, or of the whole game."""
    first = next(at for at, field in enumerate(fields) if field.running)
    layout.text(
        lefts[first] - 6,
        top - high / 2 - 3.4,
        layout.say(label),
        face=BOLD,
        size=size,
        ink=MUTED,
        align=RIGHT,
    )
    layout.line(layout.left, top - high, layout.right, top - high, weight=1.1, ink=INK)


def _uprights(
    layout: Layout,
    fields: tuple[SheetField, ...],
    lefts: list[float],
    top: float,
    bottom: float,
    *,
    above: float = 0.0,
    below: float = 0.0,
) -> None:
    """Draw the vertical lines: heavy between kinds of field, light between the sides of one kind.

    ``above`` and ``below``: rows of totals at the edges, in which only the running columns are parted.
    """
    for at, field in enumerate(fields):
        joined = at > 0 and field.group and fields[at - 1].group == field.group
        upper, lower = (top, bottom) if field.running else (top - above, bottom + below)
        layout.line(lefts[at], upper, lefts[at], lower, weight=0.4 if joined else 0.9, ink=INK)
    for edge in (layout.left, layout.right):
        layout.line(edge, top, edge, bottom, weight=0.9, ink=INK)
    layout.line(layout.left, bottom, layout.right, bottom, weight=1.1, ink=INK)


def _signatures(
    layout: Layout, signers: Sequence[str], y: float, left: float, right: float
) -> None:
    """Draw a line for each side and the scorekeeper, from ``left`` to ``right``."""
    labels = [
        *(f"{layout.say(words.SIGNATURE)} {label}" for label in signers),
        layout.say(words.SCOREKEEPER),
    ]
    step = (right - left) / len(labels)
    for at, label in enumerate(labels):
        x = left + at * step
        layout.line(x, y, x + step - 12, y, weight=0.7, ink=INK)
        layout.fitted(x, y - 9, label, step - 12, size=7.5, least=5, ink=MUTED)
