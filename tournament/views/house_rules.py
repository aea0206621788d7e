"""A club's own rules at the desk: made from a rulebook, changed, compared with it, printed."""

from __future__ import annotations

import uuid
from collections.abc import Iterable

from django import forms
from django.forms import BoundField
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from accounts.access import needs
from accounts.pages import Page, show_page
from scoring.engine.options import read_options
from scoring.engine.rulebook import RULEBOOKS, Game
from scoring.engine.rulebooks import house_options, read_house_rules
from tournament.models import HouseRules
from tournament.queries.rulebooks import changed_penalties, choice
from tournament.queries.switches import in_words
from tournament.services import house_rules as services
from tournament.views.desk_rules import SwitchForm
from tournament.views.doing import do, submit
from tournament.views.forms import rulebook_choices
from tournament.views.guides import card


class NewRulesForm(forms.Form):
    """Name of new rules, and the rules they start from."""

    name = forms.CharField(label=gettext_lazy("Name of the rules"), max_length=80)
    start = forms.ChoiceField(
        label=gettext_lazy("They start from"), choices=rulebook_choices, initial="belgian"
    )


class RulesForm(SwitchForm):
    """A club's own rules: their name and every switch of their rulebook."""

    name = forms.CharField(label=gettext_lazy("Name of the rules"), max_length=80)

    def __init__(self, data: QueryDict | None, *, rules: HouseRules) -> None:
        base = RULEBOOKS[rules.stated["base"]]
        super().__init__(
            data,
            rulebook=base.key,
            options=house_options(rules.whole),
            edition=base.edition,
            named=base,
        )
        self.fields["name"].initial = rules.name

    @property
    def groups(self) -> list[tuple[str, list[BoundField]]]:
        """The switches by what they are about, each group with its heading."""
        duties = {switch.name for switch in self.switches if switch.duty is not None}
        penalties = {switch.name for switch in self.switches if switch.name.startswith("penalty_")}
        others = {switch.name for switch in self.switches} - duties - penalties
        return [
            (_("Play of the cards"), self._of(duties)),
            (_("The deal and its points"), self._of(others)),
            (_("Penalties"), self._of(penalties)),
        ]

    def _of(self, names: Iterable[str]) -> list[BoundField]:
        return [field for field in self if field.name in names]


def _language() -> str:
    return (get_language() or "en")[:2]


def _title(key: str) -> str:
    return RULEBOOKS[key].title.render(_language())


class HouseRulesPage(Page, template="desk/house_rules.html"):
    form: NewRulesForm
    listed: list[tuple[HouseRules, str]]


@needs("event.create")
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def all_rules(request: HttpRequest) -> HttpResponse:
    """List the stored rules; posted: add new ones, from a rulebook or from other stored rules."""
    form = NewRulesForm(request.POST if request.method == "POST" else None)
    if form.is_bound and form.is_valid():
        start = choice(form.cleaned_data["start"])
        saved = submit(
            request,
            form,
            services.add_house_rules,
            name=form.cleaned_data["name"],
            base=start.rulebook,
            switches=start.options,
            penalties=start.penalties,
        )
        if saved:
            return redirect("house-rules-one", saved.pk)
    listed = [(rules, _title(rules.stated["base"])) for rules in HouseRules.objects.all()]
    context = HouseRulesPage(form=form, listed=listed)
    return show_page(request, context, status=422 if form.errors else 200)


class HouseRulesOnePage(Page, template="desk/house_rules_one.html"):
    rules: HouseRules
    form: RulesForm
    rulebook: str


@needs("event.create")
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def one(request: HttpRequest, rules_id: uuid.UUID) -> HttpResponse:
    """Show the switches of one club's rules; posted: change them, or delete the rules."""
    rules = get_object_or_404(HouseRules, pk=rules_id)
    if request.method == "POST" and request.POST.get("verb") == "remove":
        do(request, services.remove_house_rules, rules)
        return redirect("house-rules")
    form = RulesForm(request.POST if request.method == "POST" else None, rules=rules)
    if form.is_bound and form.is_valid():
        name, base = form.cleaned_data["name"], rules.stated["base"]
        given = {"name": name, "base": base, "switches": form.options()}
        if submit(request, form, services.change_house_rules, rules, **given):
            return redirect("house-rules-one", rules.pk)
    context = HouseRulesOnePage(rules=rules, form=form, rulebook=_title(rules.stated["base"]))
    return show_page(request, context, status=422 if form.errors else 200)


class HouseRulesComparePage(Page, template="desk/house_rules_compare.html"):
    rules: HouseRules
    rulebook: str
    lines: list[tuple[str, str, str]]


@needs("event.create")
@never_cache
@require_safe
def compare(request: HttpRequest, rules_id: uuid.UUID) -> HttpResponse:
    """Show the differences from the rulebook that the rules start from: switches, then penalties."""
    rules = get_object_or_404(HouseRules, pk=rules_id)
    base, language = RULEBOOKS[rules.stated["base"]], _language()
    switches = in_words(base, house_options(rules.whole), base)
    lines = [(each.label, each.value, each.default) for each in switches if each.changed]
    for penalty in changed_penalties(rules.whole):
        ours, theirs = penalty.ours.render(language), penalty.rulebook.render(language)
        lines.append((penalty.article.render(language), ours, theirs))
    context = HouseRulesComparePage(rules=rules, rulebook=_title(base.key), lines=lines)
    return show_page(request, context)


@needs("event.create")
@never_cache
@require_safe
def rules_card(request: HttpRequest, rules_id: uuid.UUID) -> HttpResponse:
    """Serve the rules on one page for the table."""
    rules = get_object_or_404(HouseRules, pk=rules_id)
    base = RULEBOOKS[rules.stated["base"]]
    game = Game(read_house_rules(rules.whole), read_options(base, house_options(rules.whole)))
    return card(game, rules.name, base.key, rules.whole)
