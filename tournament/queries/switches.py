"""Switches of a rulebook in words: their meaning, their default, and an event's values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from scoring.engine.options import options_of_edition
from scoring.engine.rulebook import RULEBOOKS, Rulebook
from scoring.engine.rulebook_edition import Switch
from tournament.models import Event
from tournament.queries.rulebooks import book_of

Text = str | Promise
YES_NO: Final[Mapping[object, Text]] = {True: gettext_lazy("yes"), False: gettext_lazy("no")}
OF_A_STAGE: Final = "target"
"""Switch that every stage sets for itself: the end of a match."""


@dataclass(frozen=True, slots=True)
class Words:
    """A switch as people know it; ``values`` names those of a closed list."""

    label: Text
    meaning: Text = ""
    values: Mapping[object, Text] | None = None


WORDS: Final[Mapping[str, Words]] = {
    "direction": Words(
        gettext_lazy("Direction of play"),
        gettext_lazy("The way in which the deal, the bids and the cards go round the table."),
        {"CCW": gettext_lazy("counter-clockwise"), "CW": gettext_lazy("clockwise")},
    ),
    "target": Words(
        gettext_lazy("End of a match"),
        gettext_lazy("The end of a match is set for each stage."),
    ),
    "compose": Words(
        gettext_lazy("Several multipliers on one deal"),
        gettext_lazy("For example no trump and a doubling."),
        {"PRODUCT": gettext_lazy("they multiply each other")},
    ),
    "max_factor": Words(
        gettext_lazy("Highest multiplier of a deal"),
        gettext_lazy("Empty: no limit."),
    ),
    "max_marks": Words(
        gettext_lazy("Most points of a deal"),
        gettext_lazy("Empty: no limit."),
    ),
    "infinite_tap": Words(
        gettext_lazy("Unlimited doubling"),
        gettext_lazy("The sides may go on doubling each other after the second doubling."),
        YES_NO,
    ),
    "doubling_allowed": Words(
        gettext_lazy("Doubling allowed"),
        gettext_lazy("Contre, tap, cogné or knock, as the rulebook calls it."),
        YES_NO,
    ),
    "redoubling_allowed": Words(
        gettext_lazy("Redoubling allowed"),
        gettext_lazy("The answer of the side that was doubled."),
        YES_NO,
    ),
    "blind_trump_allowed": Words(
        gettext_lazy("Blind trump allowed"),
        gettext_lazy("Trump may be named before looking at the cards."),
        YES_NO,
    ),
    "penalty_value": Words(
        gettext_lazy("Points of a penalty"),
        gettext_lazy("What an ordinary penalty for a fault in play is worth."),
    ),
    "penalty_mode": Words(
        gettext_lazy("How a penalty is scored"),
        "",
        {
            "CREDIT_OPPONENTS": gettext_lazy("the other side scores it"),
            "DEBIT_OFFENDER": gettext_lazy("the side at fault loses it"),
        },
    ),
    "penalty_multiplied": Words(
        gettext_lazy("Penalties follow the multipliers"),
        gettext_lazy("A penalty on a doubled deal is doubled too."),
        YES_NO,
    ),
    "penalty_floor": Words(
        gettext_lazy("Penalty for a deal"),
        gettext_lazy("What the side that is not at fault scores."),
        {
            True: gettext_lazy("the penalty, or the deal as played where that is worth more"),
            False: gettext_lazy("the penalty alone, even where the deal as played is worth more"),
        },
    ),
    "penalty_replaces_deal": Words(
        gettext_lazy("A penalty for a fault in play"),
        "",
        {
            True: gettext_lazy("stands in place of the deal’s points"),
            False: gettext_lazy("is added to the deal’s points"),
        },
    ),
    "bonus_survives_tie": Words(
        gettext_lazy("The bonus of the turned-up card counts on a tied deal"), "", YES_NO
    ),
    "bonus_survives_redeal": Words(
        gettext_lazy("The bonus of the turned-up card counts when the deal is dealt again"),
        "",
        YES_NO,
    ),
    "tied_match": Words(
        gettext_lazy("A tied match"),
        gettext_lazy("Only where a match is a number of deals."),
        {
            "DRAW": gettext_lazy("stays tied"),
            "EXTRA_DEALS": gettext_lazy("continues: more deals until one side is ahead"),
        },
    ),
    "two_cards": Words(
        gettext_lazy("Two cards played at once"),
        "",
        {
            "OPPONENTS_CHOOSE": gettext_lazy("the opponents choose which one stays"),
            "LOWER": gettext_lazy("the lower one stays"),
        },
    ),
    "failure_multiplied": Words(
        gettext_lazy("A contract that fails is multiplied"),
        gettext_lazy("The opponents score the difference times the multiplier."),
        YES_NO,
    ),
    "generale_value": Words(
        gettext_lazy("Points of a générale"),
        gettext_lazy("Empty: it wins the current game; in a match by deals it counts 150."),
    ),
    "beat": Words(
        gettext_lazy("Must beat the winning card"),
        gettext_lazy("For a player who follows suit."),
        {
            "ALWAYS": gettext_lazy("in every suit"),
            "TRUMPS_ONLY": gettext_lazy("only where trumps are led"),
            "NEVER": gettext_lazy("never"),
        },
    ),
    "beat_partner": Words(
        gettext_lazy("Must beat the partner’s winning card too"),
        gettext_lazy("In the suit led, and by overruffing a trump of the partner."),
        YES_NO,
    ),
    "ruff": Words(
        gettext_lazy("When to ruff"),
        gettext_lazy("For a player who has none of the suit led."),
        {
            "OPPONENT_MASTER": gettext_lazy("when an opponent holds the trick"),
            "ALWAYS": gettext_lazy("always: any trump held"),
            "OPTIONAL": gettext_lazy("free"),
        },
    ),
    "overruff": Words(gettext_lazy("Must overruff if possible"), "", YES_NO),
    "must_ruff_over_partner": Words(
        gettext_lazy("Must ruff although the partner holds the trick"), "", YES_NO
    ),
    "cut_rule": Words(
        gettext_lazy("When to ruff"),
        gettext_lazy("For a player who has none of the suit led."),
        {
            "OPPONENT_MASTER": gettext_lazy("when an opponent holds the trick"),
            "LITERAL_003": gettext_lazy("by the letter of the coinchée rules"),
        },
    ),
    "nt_beat": Words(gettext_lazy("Must beat the opponents’ card at no trump"), "", YES_NO),
    "under_ruff": Words(
        gettext_lazy("A lower trump when unable to overruff"),
        "",
        {
            "PERMITTED": gettext_lazy("permitted"),
            "FORBIDDEN": gettext_lazy("forbidden, unless only trumps are left"),
        },
    ),
    "muette_ruff": Words(
        gettext_lazy("Ruffing"),
        gettext_lazy("For a player who has none of the suit led."),
        {
            "OPTIONAL": gettext_lazy("free"),
            "ALWAYS": gettext_lazy("always: any trump held"),
            "OPPONENT_MASTER": gettext_lazy("when an opponent holds the trick"),
        },
    ),
    "sweep60": Words(
        gettext_lazy("All 60 points in one deal"),
        gettext_lazy("60 only where no trick at all was lost: the tricks must be recorded."),
        {30: gettext_lazy("count 30"), 60: gettext_lazy("count 60")},
    ),
    "players": Words(
        gettext_lazy("Players at a table"),
        gettext_lazy("The draw uses it wherever the numbers allow."),
    ),
    "stakes": Words(
        gettext_lazy("Stakes of the first auction"),
        gettext_lazy("Only for that rulebook: five amounts, for 0 to 4 cards exchanged."),
    ),
    "minimum_bid": Words(gettext_lazy("Lowest bid")),
    "all_tricks_value": Words(
        gettext_lazy("Points of a bid of all the tricks"),
        gettext_lazy("The rulebook counts 60 and one a trick."),
    ),
    "double_all_tricks": Words(gettext_lazy("A bid of all the tricks counts double"), "", YES_NO),
    "double_no_exchange": Words(gettext_lazy("A deal without exchange counts double"), "", YES_NO),
}


def target_in_words(target: object) -> str:
    """When a match ends: “101 points”, “12 deals”, “2 games of 34 points”."""
    if not isinstance(target, Mapping):
        return ngettext("to %(n)d point", "to %(n)d points", int(str(target))) % {"n": target}
    if "deals" in target:
        if not isinstance(target["deals"], int):
            return _("a number of deals that lets everybody deal equally often")
        return ngettext("%(n)d deal", "%(n)d deals", target["deals"]) % {"n": target["deals"]}
    words = (
        ngettext(
            "%(games)d game won, to %(of)d points",
            "%(games)d games won, each to %(of)d points",
            target["games"],
        )
        % target
    )
    if "decider" in target:
        words += _(", the deciding one to %(decider)d") % target
    return words


def value_in_words(switch: Switch, value: object) -> str:
    """Return a value of a switch in the words of the pages."""
    words = WORDS[switch.name]
    if words.values is not None and value in words.values:
        return str(words.values[value])
    if switch.name == OF_A_STAGE:
        return target_in_words(value)
    if switch.name == "generale_value" and value == "GAME":
        return _("the current game")
    if isinstance(value, list | tuple):
        return " · ".join(map(str, value))
    return _("none") if value is None else str(value)


@dataclass(frozen=True, slots=True)
class ShownSwitch:
    """One switch of an event: its words, its value, the rulebook's own, and whether it was changed."""

    name: str
    label: str
    meaning: str
    value: str
    default: str
    changed: bool


def defaults_of(book: Rulebook, options: Mapping[str, Any]) -> dict[str, object]:
    """Return the value of each switch of a rulebook where an event sets nothing."""
    players = options.get("players") or book.usual_players
    return {switch.name: switch.default(book, players) for switch in book.switches}


def switches_shown(event: Event) -> list[ShownSwitch]:
    """Return every switch in force of the event's rulebook, in the order of the rules."""
    in_force = options_of_edition(event.edition, event.options)
    return in_words(RULEBOOKS[event.rulebook], in_force, book_of(event))


def in_words(book: Rulebook, options: Mapping[str, object], beside: Rulebook) -> list[ShownSwitch]:
    """Return every switch of a game with ``options``, and the value of ``beside`` for the same key."""
    values = {**defaults_of(book, options), **options}
    defaults = defaults_of(beside, options)
    shown = []
    for switch in book.switches:
        if switch.name == OF_A_STAGE:
            continue
        default = defaults[switch.name]
        value = values[switch.name]
        words = WORDS[switch.name]
        shown.append(
            ShownSwitch(
                switch.name,
                str(words.label),
                str(words.meaning),
                value_in_words(switch, value),
                value_in_words(switch, default),
                value != default,
            )
        )
    return shown
