"""The rules of an event's game: every switch of its rulebook with meaning and default."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from ledger.errors import Refused
from scoring.engine.options import Switch, options_of_edition, switches_of
from scoring.engine.rulebook import RULEBOOKS
from tournament.access import needs
from tournament.models import Event
from tournament.queries.switches import (
    OF_A_STAGE,
    WORDS,
    defaults_of,
    switches_shown,
    value_in_words,
)
from tournament.services import events
from tournament.views.desk import actor_of, numbers_in
from tournament.views.forms import rulebook_choices
from tournament.views.frame import event_by_slug, page

OPEN = frozenset({"penalty_value", "stakes", "minimum_bid", "all_tricks_value"})
"""Switches of which one description stands for many values; others with one value cannot be set."""
NO_NUMBER = {"max_factor": None, "generale_value": "GAME"}
"""Switches that are a number or nothing, with what they are when left empty."""


class SwitchForm(forms.Form):
    """One field for every switch of the event's rulebook that can be set."""

    def __init__(self, data: Any, *, event: Event) -> None:
        super().__init__(data)
        self.book = RULEBOOKS[event.rulebook]
        self.stored = dict(event.options)
        in_force = options_of_edition(event.edition, event.options)
        defaults = defaults_of(self.book, in_force)
        self.switches = [
            switch
            for switch in switches_of(event.rulebook)
            if switch.name != OF_A_STAGE and len(switch.allowed) > (switch.name not in OPEN)
        ]
        for switch in self.switches:
            value = in_force.get(switch.name, defaults[switch.name])
            self.fields[switch.name] = _field(switch, value, defaults[switch.name])

    def options(self) -> dict[str, object]:
        """The switches as the event keeps them: those that differ from the rulebook's own."""
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
    """What was typed or chosen, as the rulebook reads it."""
    if switch.name == "stakes":
        return numbers_in(typed)
    if isinstance(typed, str):
        return next((each for each in switch.allowed if str(each) == typed), None)
    return NO_NUMBER.get(switch.name) if typed is None else typed


@needs("event.manage")
@require_http_methods(["GET", "HEAD", "POST"])
def rules(request: HttpRequest, slug: str) -> HttpResponse:
    """Every switch of the rulebook: to be set before the first publication, to be read after it."""
    event = event_by_slug(slug)
    fixed = events.rules_are_fixed(event)
    form = SwitchForm(request.POST if request.method == "POST" else None, event=event)
    if request.method == "POST" and form.is_valid():
        try:
            events.update_event(
                event_id=event.pk, actor=actor_of(request), changes={"options": form.options()}
            )
        except Refused as refusal:
            form.add_error(refusal.field if refusal.field in form.fields else None, str(refusal))
        else:
            messages.success(request, _("The rules are saved."))
            return redirect("desk-rules", slug)
        event.refresh_from_db()
    context = page(
        request,
        event,
        "desk-settings",
        form=form,
        fixed=fixed,
        shown=switches_shown(event),
        rulebook=dict(rulebook_choices())[event.rulebook],
    )
    return render(request, "desk/rules.html", context, status=422 if form.errors else 200)
