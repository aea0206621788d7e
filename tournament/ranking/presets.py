"""Ranking rules of known events, each with its source, in three languages.

Source of each: rules specification D.1 (the E numbers are its third-party sources); gaps of a
source follow D.2, and are marked. A preset is a starting point: the event stores its own copy.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from scoring.texts import Message
from scoring.texts import gettext_lazy as _
from tournament.ranking.model import (
    AVERAGE,
    HALF,
    NO_CREDIT,
    Cap,
    CapOn,
    Credit,
    CreditBy,
    Outcome,
    Rule,
    Withdrawal,
    use,
)


@dataclass(frozen=True, slots=True)
class Preset:
    """A named rule; ``source`` cites where it is known from."""

    code: str
    name: Message
    explanation: Message
    source: str
    rule: Rule
    alone: bool = False
    """Whether it is meant for games in which each plays against all."""


_ALL = (
    Preset(
        "world_championship",
        _("World championship"),
        _("Games won, then the difference, then points; players still tied share the rank."),
        "D.2 Classification, individual: each player is credited with their side's result",
        Rule(
            (use("games_won"), use("net_marks"), use("marks")),
            sat_out=AVERAGE,
            code="world_championship",
        ),
    ),
    Preset(
        "recommended",
        _("Recommended"),
        _("Match points 2/1/0, difference, points, head-to-head, fewest penalties, drawn lots."),
        "D.2 Classification, in full",
        Rule(
            (
                use("match_points"),
                use("net_marks"),
                use("marks"),
                use("head_to_head"),
                use("fewest_penalties"),
                use("lots"),
            ),
            sat_out=AVERAGE,
            code="recommended",
        ),
    ),
    Preset(
        "botifarra",
        _("Botifarra style"),
        _(
            "1 for a game won, ½ for a tie; then the difference, then points; a side’s points count for at most "
            "121 in a game to 101."
        ),
        "E19–E23",
        Rule(
            (use("match_points"), use("net_marks"), use("marks")),
            win=1,
            draw=HALF,
            loss=0,
            cap=Cap(121, CapOn.MARKS),
            withdrawn=Withdrawal.STRUCK,
            sat_out=AVERAGE,
            code="botifarra",
        ),
    ),
    Preset(
        "belote_total",
        _("Belote-style total"),
        _("The total of the points of all games, nothing else."),
        "E25, E27",
        Rule((use("marks"),), sat_out=AVERAGE, code="belote_total"),
    ),
    Preset(
        "belote_pools",
        _("Belote-style pools"),
        _("2 points for a match won, 1 for a match lost, then the difference."),
        "E26; a drawn match is not provided for there and gives 1 here",
        Rule(
            (use("match_points", per="match"), use("net_marks")),
            win=2,
            draw=1,
            loss=1,
            sat_out=AVERAGE,
            code="belote_pools",
        ),
    ),
    Preset(
        "twelve_deals",
        _("Twelve deals"),
        _("Most points after twelve deals."),
        "004: most points after 12 deals",
        Rule((use("marks"),), bye=NO_CREDIT, sat_out=NO_CREDIT, code="twelve_deals"),
    ),
    Preset(
        "belgian_clubs",
        _("Belgian club championship"),
        _("The percentage of games won (18 of 25 is 72%), for players as for clubs."),
        "E8",
        Rule(
            (use("games_percentage"), use("net_marks")),
            bye=NO_CREDIT,
            sat_out=NO_CREDIT,
            code="belgian_clubs",
        ),
    ),
    Preset(
        "harelbeke",
        _("World championship, Harelbeke 2020"),
        _("Points and number of games won: points first, then games won."),
        "E2, E3, E3b; which of the two goes first is not stated there",
        Rule((use("marks"), use("games_won")), sat_out=AVERAGE, code="harelbeke"),
    ),
    Preset(
        "club_league",
        _("Club league"),
        _("2 points for each game won, nothing for a forfeit; then the difference."),
        "E10 (2 points a game, forfeit 0); E23 (results against one who withdraws deleted)",
        Rule(
            (use("match_points"), use("net_marks")),
            withdrawn=Withdrawal.STRUCK,
            sat_out=AVERAGE,
            code="club_league",
        ),
    ),
    Preset(
        "fixed_pairs_evening",
        _("Fixed-pairs evening"),
        _("Games won, a tie counting as a win for both, then points."),
        "E11",
        Rule(
            (use("games_won", draw=1), use("marks")),
            bye=Credit(CreditBy.FIELD_SPREAD, Outcome.WIN),
            sat_out=Credit(CreditBy.FIELD_SPREAD, Outcome.WIN),
            code="fixed_pairs_evening",
        ),
    ),
    Preset(
        "auction_total",
        _("Each against all: total"),
        _("The total of the points, then games won at the table."),
        "004: a player's account over all deals",
        Rule((use("marks"), use("games_won")), sat_out=AVERAGE, code="auction_total"),
        alone=True,
    ),
    Preset(
        "auction_per_deal",
        _("Each against all: points per deal"),
        _(
            "Points per deal, where tables differ in size and so in deals; then games won at the table."
        ),
        "004 fixes no ranking; the deals a table plays are a multiple of its players",
        Rule(
            (use("marks_per_deal"), use("games_won")),
            sat_out=AVERAGE,
            code="auction_per_deal",
        ),
        alone=True,
    ),
    Preset(
        "table_places",
        _("Each against all: places at the table"),
        _(
            "Place points of every game, then the difference from the mean of the others, then points."
        ),
        "usual where three play: who is first of three is ahead of two",
        Rule(
            (use("place_points"), use("net_marks"), use("marks")),
            sat_out=AVERAGE,
            code="table_places",
        ),
        alone=True,
    ),
)

PRESETS: Final[dict[str, Preset]] = {preset.code: preset for preset in _ALL}
"""Every preset by its code."""
