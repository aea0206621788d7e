"""Format advisor next to the form of a stage: its questions, and a line for each format."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import NamedTuple

from django import forms
from django.http import Http404, HttpRequest
from django.utils.translation import get_language, gettext, ngettext
from django.utils.translation import gettext_lazy as _

from ledger.errors import Refused
from tournament.advice.lines import LEAST, MOST, Line
from tournament.models import Event, Stage
from tournament.queries.advice import USUAL_DEALS, advice, planned, plays_pairs, question
from tournament.queries.rulebooks import choice
from tournament.ranking.figures import format_percentage
from tournament.services.events import new_stage
from tournament.views.forms import (
    EVENT,
    STAGE,
    choice_field,
    form_field,
    format_of,
    rulebook_choices,
)
from tournament.views.stage_forms import UNIT

ASKED = ("entrants", "unit", "rounds", "deals", "minutes", "ranked")
RANKED = [("net", _("point difference")), ("won", _("games won, then point difference"))]


class AdviceForm(forms.Form):
    """Conditions for the comparison of formats."""

    entrants = forms.IntegerField(label=_("How many play"), min_value=LEAST, max_value=MOST)
    unit = forms.ChoiceField(label=_("Who enters"), choices=UNIT)
    rounds = form_field(STAGE["rounds_planned"])
    deals = forms.IntegerField(label=_("Deals in a round"), min_value=1, max_value=180)
    minutes = form_field(STAGE["minutes"])
    ranked = forms.ChoiceField(label=_("Ranked by"), choices=RANKED)

    def __init__(self, request: HttpRequest, initial: Mapping[str, object]) -> None:
        given = request.GET if "entrants" in request.GET else None
        super().__init__(given, initial=dict(initial), auto_id="advice_%s")


class NewEventAdviceForm(AdviceForm):
    """The same before an event is opened: its rulebook is chosen too, the answers about its kind are hidden."""

    field_order = ("rulebook", "entrants", "unit")
    rulebook = choice_field(EVENT["rulebook"], rulebook_choices)
    kind = forms.CharField(widget=forms.HiddenInput)
    players = forms.CharField(widget=forms.HiddenInput, required=False)
    start = forms.CharField(widget=forms.HiddenInput, required=False)


class AdviceRow(NamedTuple):
    """A format in words; ``refused``: why it cannot be played, all else but its name is then empty."""

    name: str
    variant: str
    length: str = ""
    deals: str = ""
    first: str = ""
    three: str = ""
    wait: str = ""
    uncounted: str = ""
    refused: str = ""


class Advice(NamedTuple):
    """The form, and the comparison once it was sent."""

    form: AdviceForm
    rows: list[AdviceRow]


def advice_for(request: HttpRequest, event: Event, stage: Stage | None) -> Advice:
    """Return the advisor for a stage, with an answer where one is asked; one to be added is asked as the last."""
    plan = stage or event.stages.order_by("order").last()
    if plan is None:
        raise Http404
    form = AdviceForm(request, planned(event, plan))
    if not plays_pairs(event):
        del form.fields["unit"]
    return _answered(form, event, plan)


def advice_for_new(request: HttpRequest, proposed: Mapping[str, object]) -> Advice:
    """Return the advisor of an event to be opened, from the settings proposed for its kind."""
    in_pairs = format_of(str(proposed.get("shape"))).pairs
    players = request.GET.get("players", "")
    initial = {
        **{name: request.GET.get(name, "") for name in ("kind", "players", "start")},
        "rulebook": proposed.get("rulebook", "belgian"),
        "entrants": int(players) // (1 + in_pairs) if players.isdecimal() else None,
        "unit": "pair" if in_pairs else "player",
        "rounds": proposed.get("rounds"),
        "deals": USUAL_DEALS,
        "minutes": proposed.get("minutes"),
        "ranked": "won",
    }
    form = NewEventAdviceForm(request, initial)
    if not form.is_bound or not form.is_valid():
        return Advice(form, [])
    try:
        rules = choice(form.cleaned_data["rulebook"])
    except Refused as error:
        form.add_error("rulebook", str(error))
        return Advice(form, [])
    event = Event(rulebook=rules.rulebook, options=rules.options)
    plan = new_stage("", rounds=form.cleaned_data["rounds"], games_per_round=3)
    return _answered(form, event, plan)


def _answered(form: AdviceForm, event: Event, plan: Stage) -> Advice:
    """Return the form with the comparison, once it was sent without a mistake."""
    if not form.is_bound or not form.is_valid():
        return Advice(form, [])
    given = {name: form.cleaned_data[name] for name in ASKED if name in form.cleaned_data}
    wanted = question(event, plan, **{"unit": "player"} | given)
    return Advice(form, [_row(line, wanted.entrants) for line in advice(wanted)])


def _row(line: Line, entrants: int) -> AdviceRow:
    language = (get_language() or "en")[:2]
    name = line.label.render(language)
    variant = line.variant.render(language) if line.variant else ""
    if line.refused is not None:
        return AdviceRow(name, variant, refused=line.refused.render(language))
    length = ngettext(
        "%(rounds)d round of %(deals)s, %(minutes)d min each",
        "%(rounds)d rounds of %(deals)s, %(minutes)d min each",
        line.rounds,
    ) % {
        "rounds": line.rounds,
        "deals": ngettext("%(n)d deal", "%(n)d deals", line.deals) % {"n": line.deals},
        "minutes": line.minutes,
    }
    every = gettext("%(least)d to %(most)d") if line.least < line.most else "%(most)d"
    wait = ngettext("%(n)d round", "%(n)d rounds", line.wait) % {"n": line.wait}
    return AdviceRow(
        name=name,
        variant=variant,
        length=length,
        deals=every % {"least": line.least, "most": line.most},
        first=_percent(line.first, language),
        three=_percent(line.three, language),
        wait=wait if line.wait else gettext("none"),
        uncounted=gettext("%(idle)d of %(count)d play a round that does not count")
        % {"idle": line.uncounted, "count": entrants}
        if line.uncounted
        else "",
    )


def _percent(share: float, language: str) -> str:
    return format_percentage(Fraction(round(100 * share), 100), language)
