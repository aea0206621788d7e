"""Texts about a sheet's deals, and the switches under which they are played."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Final, Protocol

from django.utils.translation import gettext as _

from scoring.engine.articles import ARTICLES, OF_PERSONS
from scoring.engine.options import options_of_edition
from scoring.engine.score_clauses import ScoreLine
from scoring.engine.shapes import LineJson
from scoring.engine.speech import speak


class Opened(Protocol):
    """An event or a sheet: its rulebook and switches, under the edition it was opened with."""

    edition: str
    options: dict[str, object]


def options_of(opened: Opened) -> dict[str, object]:
    """Return the switches in force: those set, and the defaults of the edition where they have changed."""
    return options_of_edition(opened.edition, opened.options)


def spoken(
    line: LineJson,
    language: str,
    names: Mapping[str, str] | None = None,
    *,
    offences: bool = True,
) -> str:
    """Return one stored line of a deal as a sentence (``N-S mark 12: 47 − 44 = 3, × 2 for 44``).

    The sentence of a ruling on conduct gives its marks, not its article or offender: sheets are
    read by the whole table. Without ``offences`` this holds for all rulings: the public reads it
    (C.8). ``names`` of the players by their sides, where each plays against all.
    """
    spoken_line = ScoreLine.from_json(line)
    article = spoken_line.params.get("article")
    if article in OF_PERSONS or (article is not None and not offences):
        side = spoken_line.side if spoken_line.marks else None
        spoken_line = replace(spoken_line, clause="ruled", side=side, params={})
    return speak(spoken_line, language, names)


def game_won(side: str, total: object, games: str) -> str:
    """Return the end of a game of a match: its winner, their total, and the score in games (``1–0``)."""
    return _("%(side)s %(total)s: game won, %(games)s") % {
        "side": side,
        "total": total,
        "games": games,
    }


def level_name(level: object) -> str:
    """Return the level of a contract in the active language."""
    if level == "generale":
        return _("générale")
    if level == "all":
        return _("all the tricks")
    return "" if level is None else str(level)


_RULING_CITED: Final = re.compile(r"(\S+) (\(\d+\.\d+\))")


def reason_shown(reason: str) -> str:
    """Return the public part of the reason of a deal's version.

    A ruling writes its article, number and version: ``T-SLOW (3.1)``. An article on conduct, or of the
    event's own, is left out (C.8).
    """
    cited = _RULING_CITED.fullmatch(reason)
    if cited is None or (cited[1] in ARTICLES and cited[1] not in OF_PERSONS):
        return reason
    return cited[2]
