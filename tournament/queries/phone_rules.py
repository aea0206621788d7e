"""Data with which a phone counts and speaks without a network: rules, words, and the match's state.

``static/js/table-score.js`` reads them; the engine decides when the deals arrive.
"""

from __future__ import annotations

from collections.abc import Mapping

from django.utils.translation import gettext as _

from scoring.engine.bounds import table as bounds_table
from scoring.engine.entry_fields import entry_fields
from scoring.engine.match import GENERALE_BY_DEALS, MatchScore
from scoring.engine.rulebook_edition import Bids, Sides, TrumpChoice
from scoring.engine.speech import side_name, texts
from tournament.models.tables import DealVersion
from tournament.queries import alarms
from tournament.tables.rules import game_won, level_name
from tournament.tables.score_sheet import ScoreSheet, counts

COUNTED = ("side", "points", "tricks")
"""Fields of what was counted: how many of them a deal needs depends on its contract."""


def phone_words(sheet: ScoreSheet, names: Mapping[str, str], language: str) -> dict[str, object]:
    """Return the words of a deal's lines, as the sheet says them, as JSON."""
    named = not sheet.game.in_pairs
    return {
        "language": language,
        **texts(language),
        "doubts": alarms.phone_texts(sheet.game),
        "game_of_match": game_won("{side}", "{total}", "{games}"),
        "game_won": _("%(side)s %(total)s: game won") % {"side": "{side}", "total": "{total}"},
        "levels": {level: level_name(level) for level in ("generale", "all")},
        "passed": _("passed by all: the next player deals"),
        "calls": [call.title.render(language) for call in sheet.game.book.calls],
        "sides": {
            side: names.get(side, side) if named else side_name(side, language)
            for side in sheet.sides
        },
    }


def phone_rules(sheet: ScoreSheet) -> dict[str, object]:
    """Return the rules of a sheet by which a deal is counted, as JSON."""
    game = sheet.game
    book, options = game.book, game.options
    required = [each.name for each in entry_fields(game) if each.missing and not each.default]
    return {
        "seats": list(game.seats),
        "asked": [name for name in required if name not in ("dealer", "bid", *COUNTED)],
        "calls": len(book.calls),
        "sides": book.sides.value,
        "dealer_declares": book.sides is Sides.PAIRS
        and book.trump_choice in (TrumpChoice.DEALER, TrumpChoice.DEALER_OR_PARTNER),
        "total": game.total,
        "half": game.half,
        "exact": game.total_is_exact,
        "reserve": game.reserve_scores,
        "tricks": game.tricks,
        "trick_point": game.trick_point,
        "bounds": [[low, high] for _tricks, low, high in bounds_table(game)],
        "turn_up": book.turn_up,
        "bonus_survives_tie": options.get("bonus_survives_tie") is not False,
        "levels": {str(level): factor for level, factor in book.levels.items()},
        "no_trump_factor": book.no_trump_factor,
        "max_factor": options.get("max_factor"),
        "max_marks": options.get("max_marks"),
        "failure_multiplied": options.get("failure_multiplied") is not False,
        "generale_value": options.get("generale_value"),
        "generale_by_deals": GENERALE_BY_DEALS,
        "sweep": options.get("sweep60") == game.total,
        "bids": book.bids is Bids.POINTS,
        "all_tricks_value": options.get("all_tricks_value"),
        "double_all_tricks": game.flag("double_all_tricks"),
        "double_no_exchange": game.flag("double_no_exchange"),
        "stakes": list(game.stakes) if book.stakes else None,
        "needed": 15 if game.players > 4 else 21,
        "target": options["target"],
        "ties_play_on": sheet.ties_play_on,
        "extra_deals": sheet.extra_deals,
        "doubt": alarms.limits(game),
    }


def phone_match(sheet: ScoreSheet, deals: list[DealVersion]) -> dict[str, object] | None:
    """Return the match's state after ``deals``, and from what it came; ``None`` where the bell or a ruling decides."""
    if sheet.row.ended_by or sheet.row.reopened:
        return None
    counted = [deal for deal in deals if counts(deal)]
    given = zip(counted, sheet.match_deals(counted), strict=True)
    return {
        **_state(sheet.state(counted)),
        "start": _state(sheet.state([])),
        "deals": [
            {"number": deal.number, **each.marks, "game_won": each.game_won} for deal, each in given
        ],
    }


def _state(state: MatchScore) -> dict[str, object]:
    return {
        "score": state.score,
        "marks": state.marks,
        "games": state.games,
        "deals_left": state.deals_left,
        "finished": state.finished,
    }
