"""The wall screen: draw, clock, standings, last rulings and sponsors in turn, read at ten metres.

Lists longer than a panel holds are cut into several panels: every table of the draw and every line of
the standings passes by. A large hall has several screens: ``?screen=2-4`` shows the second of four shares
of the tables and of the standings, and nothing else. ``?part=`` answers what the script that keeps the page fresh puts into it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple, TypeVar

import segno
from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.safestring import mark_safe
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from accounts.access import public
from accounts.pages import Page
from tournament.models import Event, EventState, Round, RoundState, Stage
from tournament.public.conditional import follows
from tournament.queries import pages, rounds
from tournament.queries.brackets import brackets_shown, full_title, match_names
from tournament.queries.names import Name, by_number, name_parts
from tournament.queries.overall import has_overall, is_all_final, overall_of
from tournament.queries.rounds import TableCard
from tournament.queries.rulings import ShownRuling, rulings_of
from tournament.queries.table_clock import ClockShown
from tournament.views.frame import event_by_slug, show_event

TABLES: Final = 16
"""Tables on one panel."""
LINES: Final = 24
"""Lines of the standings on one panel."""
FIRST_SECONDS: Final = 15
NEXT_SECONDS: Final = 10
"""How long a panel of standings stays: the first, which everybody reads, and each further one, in
which each looks for one name. 544 players pass in four minutes, on four screens in one."""
DRAW_SECONDS: Final = 12
"""How long a panel of the draw stays, less where there are many: all pass within a minute."""
LEAST_SECONDS: Final = 6
A_SCREEN: Final = 34
"""Tables whose players all pass within a minute on one screen, in the draw and in the standings."""
NAME: Final = 18
"""Letters of a name that a line of the standings holds at full size."""
SEATED: Final = 16
"""Letters of a name beside its seat in the draw."""
MOST_SCREENS: Final = 9
RULINGS: Final = 2
"""Rulings on one panel, side by side: more would be cut off."""


Item = TypeVar("Item")


def _panels(items: Sequence[Item], size: int) -> list[list[Item]]:
    return [list(items[start : start + size]) for start in range(0, len(items), size)]


def fitting(name: str, most: int) -> str:
    """Shorten the first name to an initial in a name of more than ``most`` letters.

    Players look for their surname: rather shorten the first name than the surname.

    >>> fitting("Geneviève Vandenbroucke", 20), fitting("Jo Vandenbroucke", 20), fitting("Geneviève", 5)
    ('G. Vandenbroucke', 'Jo Vandenbroucke', 'Geneviève')
    >>> fitting("Geneviève Maes / Jo Vandenbroucke", 20), fitting("VAN DAMME Geneviève", 15)
    ('G. Maes / J. Vandenbroucke', 'VAN DAMME G.')
    """
    if len(name) <= most:
        return name
    return Name(" / ".join(map(_with_initial, name.split(" / "))))


def _with_initial(name: str) -> str:
    first, last, surname_first = name_parts(name)
    if not last:
        return first
    return f"{last} {first[0]}." if surname_first else f"{first[0]}. {last}"


@dataclass(frozen=True, slots=True)
class Screen:
    """The screen ``at`` (from 1) of ``of`` screens that share the lists of the wall."""

    at: int = 1
    of: int = 1

    def share(self, items: Sequence[Item]) -> Sequence[Item]:
        """Return the part of a list that this screen shows."""
        return items[len(items) * (self.at - 1) // self.of : len(items) * self.at // self.of]


def _screen_in(question: str) -> Screen:
    """Return the screen of an address; 404 for an unknown one."""
    if not question:
        return Screen()
    at, dash, of = question.partition("-")
    if not (at.isdecimal() and of.isdecimal() and dash and 1 <= int(at) <= int(of) <= MOST_SCREENS):
        raise Http404
    return Screen(int(at), int(of))


def screens_for(tables: int) -> list[str]:
    """Return the addresses (as ``?screen=``) of the screens for so many tables; none for a small hall."""
    of = min(MOST_SCREENS, -(-tables // A_SCREEN))
    return [f"{at}-{of}" for at in range(1, of + 1)] if of > 1 else []


def _draw_panels(now: Round | None, screen: Screen) -> list[list[TableCard]]:
    if now is None:
        return []
    tables = rounds.draw_contexts(rounds.tables_of(now), lambda number: "", names=match_names(now))
    for table in tables:
        for seat in table["seats"]:
            seat["name"] = fitting(seat["name"], SEATED)
    return _panels(screen.share(tables), TABLES)


class Line(NamedTuple):
    """A line of the standings; ``stage`` gave the place, ``line`` is a heading above it."""

    rank: str
    tied: bool
    name: str
    value: str = ""
    more: str = ""
    stage: str = ""
    line: str = ""
    cut: bool = False
    winner: bool = False

    @property
    def long(self) -> bool:
        """Whether the name needs small letters."""
        return len(self.name) > NAME


class Panel(NamedTuple):
    """Lines shown for some seconds; ``cut``: the text of the cut, where it is among them."""

    rows: list[Line]
    seconds: int
    cut: str


class Standing(NamedTuple):
    """Panels of a ranking, their headings, its state, and whether the public may not see it."""

    panels: list[Panel] = []
    state: str = ""
    hidden: bool = False
    headings: str = ""


def _lines_in_panels(rows: list[Line], screen: Screen, cut: str = "") -> list[Panel]:
    return [
        Panel(
            part,
            NEXT_SECONDS if index or screen.of > 1 else FIRST_SECONDS,
            cut if any(row.cut for row in part) else "",
        )
        for index, part in enumerate(_panels(screen.share(rows), LINES))
    ]


def _rank(rank: int | None) -> str:
    return "–" if rank is None else str(rank)


def _standings_panels(stage: Stage, screen: Screen) -> Standing:
    table = pages.standings_of(stage, language=(get_language() or "en")[:2])
    if table.hidden:
        return Standing(state=table.state, hidden=True)
    last = table.cut_line - 1 if table.cut_line else None
    rows = [
        Line(
            _rank(row.rank),
            row.tied,
            fitting(row.name, NAME),
            row.values[0] if row.values else "",
            row.values[1] if len(row.values) > 1 else "",
            line=row.line if not index or table.rows[index - 1].line != row.line else "",
            cut=index == last,
            winner=row.table_winner,
        )
        for index, row in enumerate(table.rows)
    ]
    headings = " · ".join(column.name for column in table.columns[:2])
    return Standing(_lines_in_panels(rows, screen, table.cut), table.state, headings=headings)


def _overall_panels(event: Event, screen: Screen) -> Standing:
    """Return the ranking of the whole event, each place with the stage that gave it."""
    ranking = overall_of(event, shared_in_process=True)
    people = {} if ranking.hidden else by_number(event)
    rows = [
        Line(
            _rank(row.rank),
            row.tied,
            fitting(people[row.entrant.number].name, NAME),
            stage=ranking.stages[row.stage].title,
        )
        for row in ranking.rows
        if row.entrant.number in people
    ]
    panels = _lines_in_panels(rows, screen)
    return Standing(panels, ranking.state, ranking.hidden, _("Whole event"))


class BracketLine(NamedTuple):
    """A player of a pool with their place, or of a match with its table."""

    lead: str | int
    name: str
    value: str
    won: bool = False


class Group(NamedTuple):
    """A pool or a part of a round, by its title."""

    title: str
    lines: list[BracketLine]


def _bracket_panels(stage: Stage) -> list[list[Group]]:
    """Return the tables of the pools while they last, then the rounds of the brackets, a few on a panel."""
    brackets = brackets_shown(stage)
    if not brackets.brackets:
        groups = [
            Group(
                pool.name,
                [
                    BracketLine(place, fitting(name, NAME), values[-1])
                    for place, _number, name, values in pool.rows
                ],
            )
            for pool in brackets.pools
        ]
    else:
        groups = [
            Group(
                f"{bracket.name}{_(':')} {name}" if bracket.name else name,
                [
                    BracketLine(
                        (match.table or "") if at == 0 else "",
                        fitting(side.name, NAME) or "–",
                        side.score,
                        side.won,
                    )
                    for match in part
                    for at, side in enumerate(match.sides)
                ],
            )
            for bracket in brackets.brackets
            for name, matches in bracket.rounds
            for part in _panels(matches, LINES // 2)
            if any(side.number for match in part for side in match.sides)
        ]
    panels: list[list[Group]] = []
    count = 0
    for group in groups:
        if not panels or count + len(group.lines) + 1 > LINES:
            panels.append([])
            count = 0
        panels[-1].append(group)
        count += len(group.lines) + 1
    return panels


class Follow(NamedTuple):
    """The event's address and its QR code, for the phones in the hall."""

    svg: str
    address: str


def _follow(event: Event) -> Follow | None:
    """Return the event's address; ``None`` without ``PUBLIC_URL``."""
    if not settings.PUBLIC_URL:
        return None
    address = settings.PUBLIC_URL + reverse("event-home", args=[event.slug])
    code = segno.make(address, error="m", micro=False).svg_inline(border=4, omitsize=True)
    return Follow(mark_safe(code), address.partition("://")[2].rstrip("/"))  # noqa: S308


class WallPage(
    Page,
    template="wall/wall.html",
    further=("wall/panels_in.html", "wall/clock.html"),
    here="event-wall",
):
    round: Round | None
    screen: str
    one_screen: bool
    clock: ClockShown | None
    standings_first: bool
    round_label: str
    bracket_panels: list[list[Group]]
    draw_panels: list[list[TableCard]]
    draw_seconds: int
    shows_draw: bool
    ruling_panels: list[list[ShownRuling]]
    follow: Follow | None
    panels: list[Panel]
    state: str
    hidden: bool
    headings: str
    sponsors: list[str]


def _wall_page(request: HttpRequest, event: Event) -> WallPage:
    screen = _screen_in(request.GET.get("screen", ""))
    now = rounds.current_round(event)
    shows_draw = now is not None and now.state == "published"
    finished = event.state == EventState.FINISHED
    drawn = _draw_panels(now, screen) if shows_draw else []
    # A large hall looks for its tables: what else there is waits until the clock runs.
    waits = len(drawn) > 2
    if has_overall(event) and (finished or is_all_final(event)):
        shown = _overall_panels(event, screen)
    else:
        shown = _standings_panels(now.stage, screen) if now is not None else Standing()
    one_screen = screen.of == 1
    # A closed round has no clock: between rounds and at the prize-giving nothing is to count.
    counts = now is not None and now.state != RoundState.CLOSED
    clock = rounds.clock_shown(now) if now is not None and counts else None
    shows_clock = clock is not None and clock.state == "running" and one_screen
    rulings = rulings_of(event, most=4) if one_screen and not waits else []
    return WallPage(
        round=now,
        screen=f"{screen.at}-{screen.of}" if not one_screen else "",
        one_screen=one_screen,
        clock=clock,
        standings_first=not shows_draw and not shows_clock,
        round_label=full_title(now) if now and not finished else "",
        bracket_panels=_bracket_panels(now.stage) if now and one_screen and not waits else [],
        draw_panels=drawn,
        draw_seconds=max(LEAST_SECONDS, min(DRAW_SECONDS, 60 // max(1, len(drawn)))),
        shows_draw=shows_draw,
        ruling_panels=_panels(rulings, RULINGS),
        follow=_follow(event),
        panels=[] if waits else shown.panels,
        state=shown.state,
        hidden=shown.hidden,
        headings=shown.headings,
        sponsors=[line.strip() for line in event.sponsors.splitlines() if line.strip()],
    )


@public
@require_safe
@follows("event")
def wall(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the screen, or with ``?part=main|clock`` the part that live.js replaces."""
    event = event_by_slug(slug, request)
    part = request.GET.get("part", "")
    if part not in ("", "main", "clock"):
        raise Http404
    template = {"": "", "main": "wall/panels_in.html", "clock": "wall/clock.html"}[part]
    return show_event(request, event, _wall_page(request, event), template=template)
