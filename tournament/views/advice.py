"""Format advisor next to the form of a stage: its questions, and a line for each format."""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

from django import forms
from django.http import Http404, HttpRequest
from django.utils.translation import get_language, gettext, ngettext
from django.utils.translation import gettext_lazy as _

from tournament.advice.lines import LEAST, MOST, Line
from tournament.models import Event, Stage
from tournament.queries.advice import advice, planned, plays_pairs, question
from tournament.ranking.figures import format_percentage
from tournament.views.forms import STAGE, form_field
from tournament.views.stage_forms import UNIT

RANKED = [("net", _("point difference")), ("won", _("games won, then point difference"))]


class AdviceForm(forms.Form):
    """Conditions for the comparison of formats."""

    entrants = forms.IntegerField(label=_("How many play"), min_value=LEAST, max_value=MOST)
    unit = forms.ChoiceField(label=_("Who enters"), choices=UNIT)
    rounds = form_field(STAGE["rounds_planned"])
    deals = forms.IntegerField(label=_("Deals in a round"), min_value=1, max_value=180)
    minutes = form_field(STAGE["minutes"])
    ranked = forms.ChoiceField(label=_("Ranked by"), choices=RANKED)

    def __init__(self, request: HttpRequest, event: Event, stage: Stage) -> None:
        given = request.GET if "entrants" in request.GET else None
        super().__init__(given, initial=planned(event, stage), auto_id="advice_%s")
        if not plays_pairs(event):
            del self.fields["unit"]


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
    form = AdviceForm(request, event, plan)
    if not form.is_bound or not form.is_valid():
        return Advice(form, [])
    wanted = question(event, plan, **{"unit": "player"} | form.cleaned_data)
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
