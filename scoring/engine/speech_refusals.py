"""Refusals as sentences for people, in English, French and Dutch.

``explain(error, language)`` words an :class:`~scoring.engine.errors.EngineError` by its code and
parameters; English is the error's own message. The defects of an impossible entry are
:class:`Defect` values, so that each of them can be said in every language.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from scoring.texts import SEPARATOR, Message, ngettext_lazy
from scoring.texts import gettext_lazy as _

from .errors import EngineError, Impossible


@dataclass(frozen=True, slots=True)
class Defect:
    """One reason why an entry is impossible."""

    code: str
    values: Mapping[str, object] = field(default_factory=dict)

    def render(self, language: str) -> str:
        """Return the reason as a sentence."""
        values = {
            name: value for name, value in self.values.items() if isinstance(value, str | int)
        }
        counted = {
            f"counted_{name}": text.format(n=values[name])
            for name, text in _COUNTED.items()
            if name in values
        }
        return DEFECTS[self.code].format(**values, **counted).render(language)


def defect(code: str, **values: object) -> Defect:
    """Return a defect of :data:`DEFECTS` with the values of its sentence."""
    return Defect(code, values)


def impossible(code: str, defects: Sequence[Defect], where: str) -> Impossible:
    """Return one error that lists every defect."""
    return Impossible(
        code,
        [each.render("en") for each in defects],
        where,
        {"defects": [{"code": each.code, **each.values} for each in defects]},
    )


_COUNTED: Final[Mapping[str, Message]] = {
    "points": ngettext_lazy("{n} point", "{n} points", "n"),
    "tricks": ngettext_lazy("{n} trick", "{n} tricks", "n"),
}

DEFECTS: Final[Mapping[str, Message]] = {
    "trick_count": _("{side} cannot have won {tricks} of {of} tricks"),
    "tricks_sum": _("the tricks add up to {shown} = {total}, not {wanted}"),
    "tricks_of_others": ngettext_lazy(
        "the other players have {total} trick, more than {most}",
        "the other players have {total} tricks, more than {most}",
        "total",
    ),
    "points_range": _("{side} cannot have {points} card points: a deal has 0 to {most}"),
    "points_sum": _("the points add up to {shown} = {total}, not {wanted}"),
    "points_sum_between": _(
        "the points add up to {shown} = {total}, and must be between {low} and {high}"
    ),
    "points_of_players": _("the points of the players add up to {total}, over {most}"),
    "points_of_others": ngettext_lazy(
        "the other players have {total} point, more than {most}",
        "the other players have {total} points, more than {most}",
        "total",
    ),
    "points_for_tricks": _(
        "{side} cannot have {counted_points} with {counted_tricks}: between {low} and {high}"
    ),
    "points_never": _("{side} cannot have {counted_points} with any number of tricks"),
    "list_points": ngettext_lazy(
        "{side} has {given} point but the list of tricks gives {counted}",
        "{side} has {given} points but the list of tricks gives {counted}",
        "given",
    ),
    "list_tricks": ngettext_lazy(
        "{side} has {given} trick but the list of tricks gives {counted}",
        "{side} has {given} tricks but the list of tricks gives {counted}",
        "given",
    ),
    "list_missing": ngettext_lazy(
        "{count} trick is listed, not {of}: trick {trick} is missing",
        "{count} tricks are listed, not {of}: trick {trick} is missing",
        "count",
    ),
    "list_extra": _("{count} tricks are listed, not {of}: trick {trick} is one too many"),
    "trick_value": _("trick {trick} cannot be worth {points}: one trick is worth {low} to {high}"),
    "list_sum": _(
        "tricks 1 to {of} add up to {total}, not {wanted}: the count is wrong from trick {trick} with {points} on"
    ),
    "trick_cards": _(
        "trick {trick} cannot be worth {points}: the cards of that value are in the tricks before"
    ),
}

_REFUSALS: Final[Mapping[str, Message]] = {
    "unknown_card": _(
        "{card} is not a card: rank (10 A K Q J 9 8 7), then suit (♠ ♥ ♦ ♣ or S H D C)"
    ),
    "unknown_trump": _("{trump} is not a trump: ♠ (S), ♥ (H), ♦ (D), ♣ (C) or NT"),
    "unknown_rulebook": _("{rulebook} is not a rulebook; known: {allowed}"),
    "unknown_option": _("{option} is not an option; allowed: {allowed}"),
    "option_not_of_rulebook": _("{option} is not an option of {rulebook}; allowed: {allowed}"),
    "unknown_side": _("{side} is not a side of this deal: {allowed}"),
    "seat": _("{seat} is not a seat of this game: {allowed}"),
    "unknown_contract": _("this contract does not exist in this rulebook"),
    "unknown_doubling": ngettext_lazy(
        "{rulebook} allows no more than {most} doubling here, not {doubling}",
        "{rulebook} allows no more than {most} doublings here, not {doubling}",
        "most",
    ),
    "no_trump": _("{rulebook} is never played without trump"),
    "blind": _("blind trump is not played here"),
    "unknown_article": _("{article} is not a known article"),
    "unknown_key": _("“{field}” is not known; allowed: {allowed}"),
    "option_value": _("this value is not allowed for “{field}”"),
    "missing_key": _("“{field}” is missing"),
    "malformed_value": _("“{field}” cannot be read"),
    "match_over": _("the match is over: this deal is one too many"),
    "no_auction": _("{rulebook} has no auction"),
    "options": _("the options must be an object"),
    "unknown_call": _("no such call; allowed: {allowed}"),
    "target": _("a match by deals has no target"),
    "stakes": _("the organiser must set the {needed} stakes"),
    "declarer": _("there must be a declarer: {allowed}"),
}


def explain(
    error: EngineError, language: str = "en", call: Callable[[str], str] | None = None
) -> str:
    """Return a refusal as a sentence in ``language``; the error's own words without a translation.

    ``call`` names a side as the reader knows it; without it a side is its code (``NS``, ``1``).
    """
    english = language[:2].lower() == "en"
    defects = error.params.get("defects")
    if isinstance(error, Impossible) and isinstance(defects, list) and (call or not english):
        return SEPARATOR.render(language).join(
            Defect(
                str(each["code"]),
                {**each, "side": call(str(each["side"]))} if call and "side" in each else each,
            ).render(language)
            for each in defects
        )
    if english:
        return error.message
    texts = _REFUSALS.get(error.code)
    if texts is None:
        return error.message
    values: dict[str, str | int] = {"field": error.field}
    for name, value in error.params.items():
        listed = ", ".join(map(str, value)) if isinstance(value, list) else value
        values[name] = listed if isinstance(listed, str | int) else str(listed)
    try:
        return texts.format(**values).render(language)
    except KeyError:
        return error.message
