"""The rules of an event's game: every switch of its rulebook with meaning and default."""

from __future__ import annotations

from typing import Any

from django import forms
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from accounts.pages import Page
from scoring.engine.options import options_of_edition
from scoring.engine.rulebook import RULEBOOKS, Rulebook
from scoring.engine.rulebook_edition import Switch
from tournament.access import needs
from tournament.queries.rulebooks import book_of
from tournament.queries.switches import (
    OF_A_STAGE,
    WORDS,
    ShownSwitch,
    defaults_of,
    switches_shown,
    value_in_words,
)
from tournament.services import events
from tournament.views.doing import submit
from tournament.views.frame import event_by_slug, show_event
from tournament.views.typed import numbers_in

OPEN = frozenset({"penalty_value", "stakes", "minimum_bid", "all_tricks_value"})
"""Switches of which one description stands for many values; others with one value cannot be set."""
NO_NUMBER = {"max_factor": None, "max_marks": None, "generale_value": "GAME"}
"""Switches that are a number or nothing, with what they are when left empty."""


class SwitchForm(forms.Form):
    """One field for every switch of a rulebook that can be set."""

    def __init__(
        self,
        data: QueryDict | None,
        *,
        rulebook: str,
        options: dict[str, object],
        edition: str,
        named: Rulebook,
    ) -> None:
        """Ask for switches.

        Args:
            options: those set; the others are the rulebook's own.
            named: the rulebook whose values the help texts say.
        """
        super().__init__(data)
        self.book = RULEBOOKS[rulebook]
        self.stored = dict(options)
        in_force = options_of_edition(edition, options)
        values = defaults_of(self.book, in_force) | in_force
        defaults = defaults_of(named, in_force)
        self.switches = [
            switch
            for switch in self.book.switches
            if switch.name != OF_A_STAGE and len(switch.allowed) > (switch.name not in OPEN)
        ]
        for switch in self.switches:
            self.fields[switch.name] = _field(switch, values[switch.name], defaults[switch.name])

    def options(self) -> dict[str, object]:
        """Return the switches for storage: those that differ from the rulebook's own."""
        data = self.cleaned_data
        switches = {OF_A_STAGE: self.stored[OF_A_STAGE]} if OF_A_STAGE in self.stored else {}
        given = {switch.name: _value(switch, data[switch.name]) for switch in self.switches}
        defaults = defaults_of(self.book, given)
        for name, value in given.items():
            empty = value in (None, []) and name not in NO_NUMBER
            if not empty and value != defaults[name]:
                switches[name] = value
        return switches


def _field(switch: Switch, value: Any, default: object) -> forms.Field:
    words = WORDS[switch.name]
    shown = _("The rulebook: %(value)s.") % {"value": value_in_words(switch, default)}
    if switch.name == "stakes":
        shown = ""
    common: dict[str, Any] = {
        "label": words.label,
        "required": False,
        "help_text": " ".join(part for part in (str(words.meaning), shown) if part),
    }
    if words.values is not None or switch.name == "players":
        choices = [(str(each), value_in_words(switch, each)) for each in switch.allowed]
        return forms.ChoiceField(choices=choices, initial=str(value), **common)
    if switch.name == "stakes":
        return forms.CharField(max_length=60, initial=" ".join(map(str, value or ())), **common)
    initial = value if isinstance(value, int) else None
    return forms.IntegerField(min_value=0, max_value=9999, initial=initial, **common)


def _value(switch: Switch, typed: Any) -> Any:
    """Convert a typed or chosen value to the rulebook's type."""
    if switch.name == "stakes":
        return numbers_in(typed)
    if isinstance(typed, str):
        return next((each for each in switch.allowed if str(each) == typed), None)
    return NO_NUMBER.get(switch.name) if typed is None else typed


class RulesPage(Page, template="desk/rules.html", here="desk-settings"):
    form: SwitchForm
    fixed: bool
    shown: list[ShownSwitch]
    rulebook: str


@needs("event.manage")
@require_http_methods(["GET", "HEAD", "POST"])
def rules(request: HttpRequest, slug: str) -> HttpResponse:
    """Show every switch of the rulebook: editable before the first publication, read-only after it."""
    event = event_by_slug(slug)
    fixed = events.rules_are_fixed(event)
    form = SwitchForm(
        request.POST if request.method == "POST" else None,
        rulebook=event.rulebook,
        options=event.options,
        edition=event.edition,
        named=book_of(event),
    )
    if request.method == "POST" and form.is_valid():
        changes, done = {"options": form.options()}, _("The rules are saved.")
        if submit(request, form, events.update_event, event, done=done, changes=changes):
            return redirect("desk-rules", slug)
        event.refresh_from_db()
    context = RulesPage(
        form=form,
        fixed=fixed,
        shown=switches_shown(event),
        rulebook=book_of(event).title.render(get_language() or "en"),
    )
    return show_event(request, event, context, status=422 if form.errors else 200)
