"""The rulebooks an event can be played by: the published ones, and a club's own rules."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from dataclasses import dataclass

from django.utils.translation import gettext_lazy as _

from ledger.errors import Refused
from scoring.engine.options import options_of_edition
from scoring.engine.rulebook import RULEBOOKS, Game, Rulebook, resolve
from scoring.engine.rulebooks import house_options, read_house_rules
from scoring.texts import Text
from tournament.models import Event, HouseRules
from tournament.signals import answers, penalties_requested


def book_of(event: Event) -> Rulebook:
    """Return the rulebook of an event; with a club's own rules its title and defaults are theirs."""
    return read_house_rules(event.house_rules) if event.house_rules else RULEBOOKS[event.rulebook]


def game_shown(event: Event) -> Game:
    """Return the game of an event under the name by which it is printed."""
    game = resolve(event.rulebook, options_of_edition(event.edition, event.options))
    return Game(book_of(event), game.options)


@dataclass(frozen=True, slots=True)
class ChangedPenalty:
    """An article of the penal code that a club's rules change: its penalty by these rules and by
    the rulebook.
    """

    article: Text
    ours: Text
    rulebook: Text


def changed_penalties(house_rules: Mapping[str, object]) -> list[ChangedPenalty]:
    """Return what a club's own rules change in the penal code of their rulebook, in its order."""
    if not house_rules.get("penalties"):
        return []
    listed = answers(penalties_requested, rules=house_rules)
    return [penalty for penalties in listed for penalty in penalties]


def offered() -> dict[str, Rulebook]:
    """Return the rulebooks a form offers: the club's own by their id, then the published by key."""
    own = {str(rules.pk): read_house_rules(rules.whole) for rules in HouseRules.objects.all()}
    return {**own, **RULEBOOKS}


@dataclass(frozen=True, slots=True)
class Choice:
    """Rules of a new event: the key of a rulebook, switches, and a club's rules or ``{}``."""

    rulebook: str
    options: dict[str, object]
    house_rules: dict[str, object]

    @property
    def penalties(self) -> Mapping[str, object]:
        """Changes of the rules to the penal code."""
        return read_house_rules(self.house_rules).penalties if self.house_rules else {}


def choice(value: str) -> Choice:
    """Return what a key or the id of a club's rules stands for.

    Raises :class:`Refused` (``no_such_rules``) for an unknown or deleted id.
    """
    if value in RULEBOOKS:
        return Choice(value, {}, {})
    rules = HouseRules.objects.filter(pk=uuid.UUID(value)).first()
    if rules is None:
        raise Refused("no_such_rules", _("No such rules."), field="house_rules")
    whole = rules.whole
    return Choice(str(rules.stated["base"]), house_options(whole), whole)
