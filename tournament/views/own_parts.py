"""Parts of players' pages that a draw or a result changes, rendered for all players together.

A hall of phones shows seats, ranks and charts. After every result each phone requests them again:
one rendering serves all (:func:`tournament.public.conditional.serve_all`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from dataclasses import replace
from functools import cached_property
from typing import Final, NamedTuple

from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import gettext

from accounts.pages import Page
from tournament.charts import Chart
from tournament.models import Event, EventState, Round, Stage
from tournament.public.marks import rulings_about_players
from tournament.queries import players, rounds
from tournament.queries.cuts import has_place, is_blank
from tournament.queries.fields import newcomers, next_round
from tournament.queries.names import Shown, by_number
from tournament.queries.overall import Overall, overall_of
from tournament.queries.places import Place, Places, places_of
from tournament.queries.players import Around, PlayedRound
from tournament.queries.rulings import ShownRuling, rulings_of
from tournament.queries.table_clock import ClockShown
from tournament.ranking.overall import Placed

FIGURES: Final = 3
"""Criteria shown beside the rank."""


class NowHead(Page, template="public/player_now_head.html"):
    round: Round


class NowClock(Page, template="public/player_now_clock.html"):
    clock: ClockShown | None


class Now(Page, template="public/player_now.html"):
    """Seat of a player; ``plays_from``: the next round for a late player, else 0."""

    me: Shown
    round: Round | None
    head: SafeString
    clock: SafeString
    present: PlayedRound | None
    out: bool
    beaten: bool
    plays_from: int
    around: Around | None
    players_url: str


class PlaceHead(Page, template="public/player_place_head.html"):
    state: str
    standings_url: str


class PlaceWords(NamedTuple):
    """Words that the places of all players share."""

    rank: str
    ahead: str
    behind: str


class OwnPlace(Page, template="public/player_place.html"):
    """Place of a player; ``stage``: the one that gave the place of an eliminated player."""

    head: SafeString
    players_url: str
    words: PlaceWords
    rank: str
    tied: bool
    of: int
    place: Place | None = None
    figures: Sequence[tuple[str, SafeString]] = ()
    stage: str = ""


class Day(Page, template="public/player_day.html"):
    day: list[PlayedRound]
    drawn: bool
    chart: Chart | None
    players_url: str
    rulings: list[ShownRuling]


class Charts(Page, template="public/player_charts.html"):
    charts: list[Chart]


def parts_for_all(event: Event, part: str, *, language: str) -> Mapping[int, bytes]:
    """``now``, ``place`` or ``charts`` of every entrant as HTML, by start number."""
    people = by_number(event)
    if part == "now":
        seats = Seats(event)
        return {number: seats.html(who).encode() for number, who in people.items()}
    stage = stage_now(event)
    where = places_of(event, stage, language=language) if stage is not None else None
    if where is None:
        return dict.fromkeys(people, b"")
    if part == "charts":
        return {number: charts_html(where, number).encode() for number in people}
    ranks = Ranks(where)
    return {number: ranks.html(number).encode() for number in people}


def stage_now(event: Event) -> Stage | None:
    """Return the stage of the current round, with the event in its present state."""
    now = rounds.round_now(event)
    if now is None:
        return None
    # The round is shared, in the state after the draw.
    stage = copy(now.stage)
    stage.event = event
    return stage


class Seats:
    """Seats of all players in the current round; none once the event is finished."""

    def __init__(self, event: Event) -> None:
        self.event = event
        self.finished = event.state == EventState.FINISHED
        self.round = rounds.round_now(event)
        self.out = players.left_behind(self.round) if self.round is not None else frozenset()
        self.beaten = players.in_knockout(self.round) if self.round is not None else frozenset()
        self.coming = next_round(event) if self.round is not None else None
        self.late = newcomers(self.coming) if self.coming is not None else frozenset()
        self.pages = reverse("event-players", args=[event.slug])
        self.head = self.clock = SafeString("")
        if self.round is not None:
            self.head = NowHead(round=self.round).html()
            self.clock = NowClock(clock=rounds.clock_shown(self.round)).html()

    def html(self, who: Shown) -> str:
        """Render one player's seat, partner and opponents, or the fact that they are out."""
        if self.finished:
            return SafeString("")
        now = self.round
        present = players.seated_now(self.event, now, who.pk) if now is not None else None
        return Now(
            me=who,
            round=self.round,
            head=self.head,
            clock=self.clock,
            present=present,
            out=who.pk in self.out,
            beaten=who.pk in self.beaten,
            plays_from=self.coming.number if self.coming and who.pk in self.late else 0,
            around=players.around(present) if present else None,
            players_url=self.pages,
        ).html()


class Ranks:
    """Places of all players of a stage; their shared parts are rendered once."""

    def __init__(self, where: Places) -> None:
        self.where = where
        self.blank = is_blank(where.standing)
        slug = where.stage.event.slug
        standings = reverse("event-standings", args=[slug])
        self.head = PlaceHead(state=where.current.state, standings_url=standings).html()
        self.pages = reverse("event-players", args=[slug])
        self.words = PlaceWords(
            gettext("Rank"),
            gettext("Just ahead") + gettext(":"),
            gettext("Just behind") + gettext(":"),
        )

    def html(self, number: int) -> str:
        """Render a player's place, the cut, the neighbours and the differences; empty before a result."""
        place = self.where.of(number)
        if place is None:
            return self._of_the_event(number)
        ranked = place.row.rank is not None
        if self.blank or (ranked and not has_place(self.where.standing, place.row)):
            return ""
        return OwnPlace(
            head=self.head,
            players_url=self.pages,
            words=self.words,
            rank=SafeString("–" if place.row.rank is None else place.row.rank),
            tied=place.row.tied,
            of=place.of,
            place=place,
            figures=[(label, SafeString(value)) for label, value in place.values[:FIGURES]],
        ).html()

    def _of_the_event(self, number: int) -> str:
        """Return the place in the whole event of a player eliminated in an earlier stage."""
        ranking = self.overall
        row = self.placed.get(number)
        if ranking.hidden or row is None or row.rank is None:
            return ""
        return OwnPlace(
            head=self.head,
            players_url=self.pages,
            words=self.words,
            rank=str(row.rank),
            tied=row.tied,
            of=ranking.ranked,
            stage=ranking.stages[row.stage].title,
        ).html()

    @cached_property
    def overall(self) -> Overall:
        """The ranking of the event, read for players outside the stage."""
        return overall_of(self.where.stage.event, shared_in_process=True)

    @cached_property
    def placed(self) -> dict[int, Placed]:
        """Start number → line of that ranking."""
        return {row.entrant.number: row for row in self.overall.rows}


def days_html(
    event: Event, people: Iterable[Shown], *, language: str, private: bool = False
) -> dict[int, str]:
    """Render the rulings and games of players by start number."""
    numbers = {who.pk: who.number for who in people}
    counts = rulings_about_players(event)
    drawn = rounds.round_now(event) is not None
    days = players.days_of(event, numbers, language=language, private=private)
    html: dict[int, str] = {}
    for pk, day in days.items():
        rulings = rulings_of(event, entrant=pk, private=private) if numbers[pk] in counts else ()
        html[numbers[pk]] = Day(
            day=day,
            drawn=drawn,
            chart=players.deals_chart(day, language),
            players_url=reverse("event-players", args=[event.slug]),
            rulings=[replace(r, url=r.below) if private else r for r in rulings],
        ).html()
    return html


def charts_html(where: Places, number: int) -> str:
    """Render the figures of a player's charts."""
    return Charts(charts=where.charts(number)).html()
