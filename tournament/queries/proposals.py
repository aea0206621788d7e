"""Proposals for an event of a given size: four kinds of event, each with its defaults for the field."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import Any, Final

from django.utils.formats import time_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from scoring.engine.rulebook_edition import Rulebook, Sides
from tournament.drawing.formats import FORMATS
from tournament.pairing.solo import solo_sizes

KINDS: Final = {
    "club": (
        gettext_lazy("Club evening"),
        gettext_lazy("Everybody alone, new partners at new tables each round, over in an evening."),
    ),
    "individual": (
        gettext_lazy("Individual contest"),
        gettext_lazy("Everybody alone, a longer day, one ranking."),
    ),
    "pairs": (
        gettext_lazy("Pairs"),
        gettext_lazy("Fixed partners; all play all, or pairs with similar scores meet."),
    ),
    "championship": (
        gettext_lazy("Championship"),
        gettext_lazy("Rounds, then a semi-final of the best, then a final."),
    ),
}
"""Code → name and what it is."""
BETWEEN: Final = 10
"""Minutes from the end of a round to the next one."""
SMALL: Final = 32
"""With fewer players a championship has no semi-final."""


@dataclass(frozen=True, slots=True)
class Proposal:
    """Values for the form of a new event, and how the day would go."""

    initial: dict[str, Any]
    rounds: int

    def line(self, players: int, start: time | None, book: Rulebook) -> str:
        """Describe the number of the rulebook's tables, the byes and the end; empty without players."""
        if not players:
            return ""
        shape = self.initial["shape"]
        in_pairs = shape in FORMATS and FORMATS[shape].pairs
        if players < min(book.players):
            return _("Too few players for a table.")
        tables, out = divmod(players // 2, 2) if in_pairs else _seated(players, book)
        who = (
            ngettext("%(n)s pair", "%(n)s pairs", players // 2) % {"n": players // 2}
            if in_pairs
            else ngettext("%(n)d player", "%(n)d players", players) % {"n": players}
        )
        parts = [who + " = " + ngettext("%(n)d table", "%(n)d tables", tables) % {"n": tables}]
        if in_pairs and players % 2:
            parts.append(_("one player without partner"))
        if out:
            parts.append(ngettext("%(n)d bye", "%(n)d byes", out) % {"n": out})
        parts.append(ngettext("%(n)d round", "%(n)d rounds", self.rounds) % {"n": self.rounds})
        if start is not None:
            minutes = self.rounds * self.initial["minutes"] + (self.rounds - 1) * BETWEEN
            over = datetime.combine(date(2000, 1, 1), start) + timedelta(minutes=minutes)
            parts.append(_("over about %(time)s") % {"time": time_format(over.time(), "H:i")})
        return ", ".join(parts)


def _seated(players: int, book: Rulebook) -> tuple[int, int]:
    """Return the number of tables that the rulebook makes of the players, and the number of byes."""
    sizes = [size for size in book.players if 3 <= size <= 7]
    if book.sides is Sides.PAIRS or len(sizes) == 1 or players < sizes[0]:
        return divmod(players, book.usual_players)
    return len(solo_sizes(players, book.usual_players)), 0


def propose(kind: str, players: int) -> Proposal:
    """Return the defaults of a kind of event that fit the field."""
    if kind == "championship":
        half = players // 2 // 16 * 16
        cut = 0 if 0 < players < SMALL else min(128, half) if players else 128
        rounds = 3 + (2 if cut else 0)
        shown = {"shape": "championship", "rounds": 3, "deals": 4, "minutes": 90, "cut": cut}
        return Proposal(shown | {"ranking": ""}, rounds)
    if kind == "pairs":
        return _pairs(players // 2)
    minutes = {"club": 50, "individual": 75}.get(kind, 75)
    rounds = {"club": 3, "individual": 4}.get(kind, 4)
    if 0 < players < 8:
        # One table: the same four again and again, no matter who sits out.
        rounds = 1 if players == 4 else 3
    return Proposal(
        {
            "shape": "individual_draw",
            "rounds": rounds,
            "deals": 4,
            "minutes": minutes,
            "cut": 0,
            "ranking": "",
        },
        rounds,
    )


def _pairs(pairs: int) -> Proposal:
    """Propose a round robin while all can meet in a day, else a Swiss system."""
    small = 0 < pairs <= 6
    rounds = (pairs - 1 + pairs % 2) if small else min(7, max(4, pairs.bit_length() + 1))
    return Proposal(
        {
            "shape": "round_robin" if small else "pairs_swiss",
            "rounds": max(1, rounds),
            "deals": 8,
            "minutes": 45,
            "cut": 0,
            "ranking": "recommended",
        },
        max(1, rounds),
    )
