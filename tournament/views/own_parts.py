"""The parts of players' pages that a draw or anybody's result makes new, made for all at once.

A hall of phones shows its owners their seats, ranks and charts. After every result each of them
asks again: one making serves all (:func:`tournament.kept.serves_all`). The place is written by
hand: a template takes longer for one player than this for twenty.
"""

from __future__ import annotations

from collections.abc import Mapping
from copy import copy
from typing import Final

from django.template.loader import get_template, render_to_string
from django.urls import reverse
from django.utils.html import escape
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from tournament.charts import Chart
from tournament.models import Event, Stage, StandingsState
from tournament.selectors import players, rounds
from tournament.selectors.names import Shown, by_number
from tournament.selectors.places import Place, places_of
from tournament.standings.needs import Chance

FIGURES: Final = 3
"""Criteria shown beside the rank."""


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
        return {number: charts_html(where.charts(number)).encode() for number in people}
    words = Words(event.slug)
    return {number: words.place(where.of(number)).encode() for number in people}


def stage_now(event: Event) -> Stage | None:
    """The stage of the current round, with the event as it is now."""
    now = rounds.round_now(event)
    if now is None:
        return None
    # The round is everybody's, as the draw left it.
    stage = copy(now.stage)
    stage.event = event
    return stage


class Seats:
    """Where everybody sits in the current round."""

    def __init__(self, event: Event) -> None:
        self.round = rounds.round_now(event)
        self.seated = players.seated_now(event, self.round) if self.round is not None else {}
        self.template = get_template("public/player_now.html")
        self.pages = reverse("event-players", args=[event.slug])
        self.head = self.clock = SafeString("")
        if self.round is not None:
            self.head = render_to_string("public/player_now_head.html", {"round": self.round})
            clock = {"clock": rounds.clock_of(self.round)}
            self.clock = render_to_string("public/player_now_clock.html", clock)
        self.game = escape(_("Game %(n)s"))
        self.joined, self.against = escape(_("with")), escape(_("against"))

    def html(self, who: Shown) -> SafeString:
        """One player's seat, his partner and opponents; empty for one who has withdrawn."""
        present = self.seated.get(who.pk)
        return self.template.render(
            {
                "me": who, "round": self.round, "head": self.head, "clock": self.clock,
                "present": present, "around": players.around(present) if present else None,
                "games": self._games(present.games if present else []),
            }
        )  # fmt: skip

    def _games(self, games: list[players.PlayedGame]) -> SafeString:
        """With whom and against whom each game is played, where there are several."""
        if len(games) < 2:
            return SafeString("")
        return SafeString(
            '<ul class="games">' + "".join(self._line(game) for game in games) + "</ul>"
        )

    def _line(self, game: players.PlayedGame) -> str:
        partners = ", ".join(
            f'<a href="{self.pages}{who.number}/">{escape(who.name)}</a>' for who in game.partners
        )
        opponents = ", ".join(escape(who.name) for who in game.opponents)
        return (
            f"<li><strong>{self.game % {'n': game.number}}</strong> {self.joined} {partners}"
            f' <span class="soft">{self.against} {opponents}</span></li>'
        )


def charts_html(charts: list[Chart]) -> SafeString:
    """The figures of a player's charts; they escape what they write."""
    if not charts:
        return SafeString("")
    figures = "".join(
        f'<figure class="chart"><figcaption>{escape(chart.heading)}</figcaption>{chart}</figure>'
        for chart in charts
    )
    return SafeString(f'<div class="charts">{figures}</div>')


class Words:
    """What the place of every player says around his figures, in the language in force."""

    def __init__(self, slug: str) -> None:
        self.pages = reverse("event-players", args=[slug])
        self.chips = {
            state: f'<span class="chip chip--{state}">{escape(word)}</span>'
            for state, word in (
                (StandingsState.PROVISIONAL, pgettext("state", "Provisional")),
                (StandingsState.FROZEN, pgettext("state", "Frozen")),
                (StandingsState.FINAL, pgettext("state of standings", "Final")),
            )
        }
        # Not inside an f-string, where no extraction sees them.
        standing, everybody, colon = escape(_("Standing")), escape(_("All")), _(":")
        self.head = f'<section class="section"><div class="section__head"><h2>{standing} '
        self.all = f'</h2><a href="{reverse("event-standings", args=[slug])}">{everybody}</a></div>'
        self.rank = escape(_("Rank"))
        self.beside = {True: escape(_("Above") + colon), False: escape(_("Below") + colon)}

    def place(self, place: Place | None) -> SafeString:
        """Where a player stands, what the cut asks of him, who is beside him and why."""
        if place is None:
            return SafeString("")
        row = place.row
        rank = "–" if row.rank is None else str(row.rank)
        parts = [
            self.head, self.chips[StandingsState(place.state)], self.all,
            f'<dl class="figures"><div><dt>{self.rank}</dt><dd>{"=" if row.tied else ""}{rank} '
            f"<small>/ {place.of}</small></dd></div>",
            *(
                f"<div><dt>{escape(label)}</dt><dd>{escape(value)}</dd></div>"
                for label, value in place.values[:FIGURES]
            ),
            "</dl>",
        ]  # fmt: skip
        if place.cut:
            kind = "success" if place.chance == Chance.SAFE else "info"
            parts.append(
                f'<div class="notice notice--{kind}"><p class="notice__title">'
                f'{escape(place.need)}</p><p class="small">{escape(place.cut)}</p></div>'
            )
        if place.neighbours:
            parts.append('<ul class="games">')
            parts += [
                f'<li>{self.beside[other.ahead]} <a href="{self.pages}{other.who.number}/">'
                f'{escape(other.who.name)}</a> <span class="soft">{escape(other.text)}</span></li>'
                for other in place.neighbours
            ]
            parts.append("</ul>")
        parts.append("</section>")
        return SafeString("".join(parts))
