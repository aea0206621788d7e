"""The ranking rule of a stage at the desk: chosen and ordered, with examples; read once it is fixed."""

from __future__ import annotations

from typing import Any, NamedTuple

from django import forms
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from accounts.pages import Crumb, Page
from tournament.access import needs
from tournament.models import Stage
from tournament.queries.stage_rule import bye_of, without_bracket
from tournament.queries.standings import club_rule_of, rule_of
from tournament.ranking.criteria import build
from tournament.ranking.examples import GAMES, LATER, Game, example_event
from tournament.ranking.model import LineKind, Row
from tournament.ranking.presets import PRESETS
from tournament.ranking.rule_words import clubs_in_words, in_words
from tournament.services import ranking_rules, stage_plans
from tournament.views.doing import submit
from tournament.views.frame import event_by_slug, show_event
from tournament.views.ranking_forms import ClubForm, RankingForm


class Example(NamedTuple):
    """An example under a rule: headings, and lines with their figures."""

    heads: list[str]
    rows: list[tuple[Row, list[str]]]


class RankingPage(Page, template="desk/ranking.html", here="desk-rounds"):
    stage: Stage
    fixed: bool
    form: RankingForm
    club_form: ClubForm
    rule_words: list[str]
    criteria: list[str]
    club_words: str
    preset: str
    presets: list[tuple[str, str]]
    games: list[Game]
    example: Example
    crumbs: list[Crumb]


@needs("event.manage")
@require_http_methods(["GET", "HEAD", "POST"])
def desk_ranking(request: HttpRequest, slug: str, order: int) -> HttpResponse:
    """Set the ranking of a stage before its first publication, or read it afterwards.

    ``?from=`` fills the form with a preset. A post with ``verb`` ``example`` works the typed rule
    out and keeps nothing.
    """
    event = event_by_slug(slug)
    stage = get_object_or_404(Stage.objects.select_related("event"), event=event, order=order)
    rule = without_bracket(rule_of(stage))
    preset = PRESETS.get(request.GET.get("from", ""))
    verb = request.POST.get("verb", "") if request.method == "POST" else ""
    if request.method == "POST" and verb not in ("rule", "example", "preset", "clubs"):
        raise Http404
    form = RankingForm(
        request.POST if verb in ("rule", "example") else None,
        rule=preset.rule if preset else rule,
        bye=LineKind.BYE if stage.in_pairs else LineKind.SAT_OUT,
    )
    clubs = ClubForm(request.POST if verb == "clubs" else None, rule=club_rule_of(stage))
    if verb not in ("", "example") and _save(request, stage, verb, form, clubs):
        return redirect("desk-ranking", slug, order)
    language = get_language() or "en"
    context = RankingPage(
        stage=stage,
        fixed=stage_plans.ranking_is_fixed(stage),
        form=form,
        club_form=clubs,
        rule_words=[words.render(language) for words in in_words(rule, bye_of(stage, rule))],
        criteria=[build(used).name.render(language) for used in rule.criteria],
        club_words=clubs_in_words(club_rule_of(stage)).render(language),
        preset="" if stage.ranking_rule else PRESETS[stage.ranking].name.render(language),
        presets=[(code, each.name.render(language)) for code, each in PRESETS.items()],
        games=[*GAMES, LATER],
        example=_example(form, language),
        crumbs=[
            Crumb(_("Stages and formats"), reverse("desk-stages", args=[slug])),
            Crumb(stage.title, reverse("desk-stage", args=[slug, order])),
            Crumb(_("Ranking")),
        ],
    )
    bad = form.errors or clubs.errors
    return show_event(request, event, context, status=422 if bad else 200)


def _save(
    request: HttpRequest, stage: Stage, verb: str, form: RankingForm, clubs: ClubForm
) -> bool:
    """Save the sent rule; ``False`` after a refusal, which the form shows."""
    bound: forms.Form = clubs if verb == "clubs" else form
    given: dict[str, Any] = {}
    if verb == "preset":
        given = {"preset": request.POST.get("preset", "")[:40]}
    elif not bound.is_valid():
        return False
    elif verb == "rule":
        given = {"rule": form.json()}
    else:
        given = {"clubs": dict(clubs.cleaned_data)}
    done = submit(
        request, bound, ranking_rules.set_ranking, stage.event, order=stage.order, **given
    )
    return bool(done) or not bound.is_bound


def _example(form: RankingForm, language: str) -> Example:
    """Return the longer example under the rule of a form: headings and one line for each pair."""
    rule = form.in_force
    criteria = [build(used) for used in rule.criteria]
    return Example(
        [criterion.short.render(language) for criterion in criteria],
        [
            (
                row,
                [
                    criterion.format(value, language)
                    for criterion, value in zip(criteria, row.values, strict=True)
                ],
            )
            for row in example_event(rule, form.bye).rows
        ],
    )
