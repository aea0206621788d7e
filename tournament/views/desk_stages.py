"""The stages of an event at the desk: their formats, the cut between them, wishes and bans."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from itertools import chain
from typing import Any, NamedTuple

from django import forms
from django.contrib import messages
from django.forms.forms import Form
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.access import actor_of
from accounts.pages import Page
from ledger.errors import Refused
from scoring.texts import Message
from tournament.access import needs
from tournament.drawing.brackets import rounds_of
from tournament.drawing.formats import FORMATS, Format
from tournament.drawing.rules import read_rules
from tournament.models import Ban, Entrant, EntrantState, Event, RoundState, Stage
from tournament.queries import chains
from tournament.queries.chains import ShownChain
from tournament.queries.falls import Act, of_entrant
from tournament.queries.matches import TiedPeople, bracket_is_drawn, tied_people
from tournament.queries.names import Shown, by_number, directory
from tournament.queries.pages import ShownColumn, standings_of
from tournament.queries.standings import rule_of
from tournament.services import bans_and_wishes, reseating, stage_plans, stages
from tournament.services.entrants import unknown_number
from tournament.services.stages import Qualifier, Undecided
from tournament.views.advice import Advice, advice_for
from tournament.views.doing import do, refuse, submit
from tournament.views.falls import do_asked, name_replacement
from tournament.views.frame import event_by_slug, show_event
from tournament.views.stage_forms import BanForm, ReplaceForm, StageForm, WishForm
from tournament.views.typed import whole


class ListedStage(NamedTuple):
    """A stage of the plan, its players, the stage they come from and how many whole tables take of it.

    ``top_is_cut``: whether a number alone says who comes, so that it is changed in place. ``expected``: how many
    will come, where it is known. ``rounds``: those of its bracket for so many, else those planned.
    """

    stage: Stage
    players: int
    previous: Stage | None
    whole: int | None
    top_is_cut: bool
    expected: int | None
    rounds: int


class StagesPage(Page, template="desk/stages.html", here="desk-rounds"):
    listed: list[ListedStage]
    chain: ShownChain | None


@needs("event.manage")
@require_http_methods(["GET", "HEAD", "POST"])
def desk_stages(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the plan: every stage with the origin and number of its players, its format and rounds.

    A post changes how many qualify from the stage ``order``.
    """
    event = event_by_slug(slug)
    if request.method == "POST":
        _change_top(request, event)
        return redirect("desk-stages", slug)
    links = chains.links_of(event, entrants=chains.entered(event))
    planned = list(event.stages.order_by("order"))
    listed = [
        ListedStage(
            stage,
            chains.places_in(stage),
            previous,
            link.field if previous is not None and previous.cut.get("whole") else None,
            previous is not None and set(previous.cut) <= {"top", "whole", "tie"},
            link.field,
            _rounds(stage, chains.places_in(stage) or link.field),
        )
        for stage, previous, link in zip(planned, [None, *planned[:-1]], links, strict=True)
    ]
    return show_event(request, event, StagesPage(listed=listed, chain=chains.shown_chain(event)))


def _rounds(stage: Stage, entrants: int | None) -> int:
    """Return how many rounds a stage will have: before its first draw, those of its bracket for so many entrants."""
    drawn = stage.rounds.filter(published_at__isnull=False).exists()
    if drawn or not entrants or not stage.played_as.bracket:
        return int(stage.rounds_planned)
    return rounds_of(entrants, read_rules(stage.drawing), pools=stage.played_as.pools)


def _change_top(request: HttpRequest, event: Event) -> None:
    """Change how many qualify from a stage; without a number all do."""
    order, typed = whole(request.POST.get("order")) or 0, request.POST.get("top", "").strip()
    stage = get_object_or_404(Stage, event=event, order=order)
    top = whole(typed)
    if typed and not top:
        messages.error(request, _("Enter a whole number."))
        return
    cut = {**stage.cut, "top": top} if top else {}
    do(request, stage_plans.change_stage, event, order=order, cut=cut)


class FieldGroup(NamedTuple):
    """Fields of a form under a heading, folded or open."""

    title: str
    fold: bool
    open: bool
    fields: list[forms.BoundField]


class StagePage(Page, template="desk/stage.html", here="desk-rounds"):
    form: StageForm
    stage: Stage | None
    groups: list[FieldGroup]
    chain: ShownChain | None
    advice: Advice


@needs("event.manage")
def desk_stage(request: HttpRequest, slug: str, order: int = 0) -> HttpResponse:
    """Add a stage (``order`` 0) or change one."""
    event = event_by_slug(slug)
    stage = get_object_or_404(Stage, event=event, order=order) if order else None
    if request.method == "POST" and "remove" in request.POST and stage is not None:
        done = do(request, stage_plans.remove_stage, event, order=order)
        return redirect(
            "desk-stages" if done else "desk-stage", *([slug] if done else [slug, order])
        )
    posted = request.method == "POST"
    form = StageForm(request.POST, event=event, stage=stage) if posted else None
    if form is not None and form.is_valid():
        given = form.values()
        if (
            submit(request, form, stage_plans.change_stage, event, order=order, **given)
            if order
            else submit(request, form, stage_plans.add_stage, event, **given)
        ):
            return redirect("desk-stages", slug)
    if form is None:
        form = StageForm.of(stage) if stage else StageForm(event=event)
    return show_event(
        request,
        event,
        StagePage(
            form=form,
            stage=stage,
            groups=_groups(form),
            chain=chains.shown_chain(event),
            advice=advice_for(request, event, stage),
        ),
    )


def _groups(form: StageForm) -> list[FieldGroup]:
    """Group the form's fields by subject; options inside a format fold away unless it is chosen."""
    chosen = form["format"].value()
    language, by_heading = get_language() or "en", dict[Message, list[Format]]()
    for each in FORMATS.values():
        by_heading.setdefault(each.heading, []).append(each)
    inside = {
        heading: dict.fromkeys(chain.from_iterable(each.choices for each in formats))
        for heading, formats in by_heading.items()
    }
    times = Counter(chain.from_iterable(inside.values()))
    choices = [
        (
            heading.render(language),
            [each.key for each in formats],
            " ".join(name for name in inside[heading] if times[name] == 1),
        )
        for heading, formats in by_heading.items()
    ]
    # Fields of formats under two headings appear once, below them.
    both = " ".join(name for name, count in times.items() if count > 1)
    parts = [
        *choices,
        (
            _("Ranking and draw"),
            None,
            f"ranking credit carries_over {both} club_rounds family_rounds",
        ),
        (_("The cut to the next stage"), None, "top half per_table fill whole tie"),
    ]
    elsewhere = {name for _title, _formats, names in parts for name in names.split()}
    first = " ".join(name for name in form.fields if name not in elsewhere)
    parts.insert(0, (_("The stage"), None, first))
    return [
        FieldGroup(
            title,
            formats is not None,
            formats is not None and (chosen in formats or any(field.errors for field in fields)),
            fields,
        )
        for title, formats, names in parts
        if (fields := [form[name] for name in names.split() if name in form.fields])
    ]


class CutPage(Page, template="desk/cut.html", here="desk-rounds"):
    stage: Stage
    columns: list[ShownColumn]
    through: list[tuple[Qualifier, Shown, list[str]]]
    tied: list[tuple[Undecided, list[Shown]]]
    below: list[tuple[Shown, str]]
    following: Stage | None
    pool_ties: list[TiedPeople]
    settled: bool
    chain: ShownChain | None
    problem: str
    added: bool
    in_play: bool
    begun: bool
    ordered: bool


@needs("rounds.manage")
@require_safe
def desk_cut(request: HttpRequest, slug: str, order: int) -> HttpResponse:
    """Show the qualified players, those tied at the cut, and the reserves below it."""
    event = event_by_slug(slug)
    stage = get_object_or_404(Stage.objects.select_related("event"), event=event, order=order)
    people = by_number(event)
    through: list[tuple[Qualifier, Shown, list[str]]] = []
    tied: list[tuple[Undecided, list[Shown]]] = []
    below: list[tuple[Shown, str]] = []
    columns: list[ShownColumn] = []
    if stage.cut:
        shown = standings_of(stage)
        columns = shown.columns[:3]
        points = {row.number: row.values[:3] for row in shown.rows}
        try:
            through = [
                (item, people[item["number"]], points.get(item["number"], []))
                for item in stages.qualifiers(stage)
            ]
            tied = [
                (group, [people[n] for n in group["numbers"]]) for group in stages.undecided(stage)
            ]
            below = [(people[n], " · ".join(points.get(n, ()))) for n in stages.reserves(stage)]
        except Refused as refusal:
            messages.error(request, str(refusal))
    following = chains.following_of(stage)
    problem = ""
    if following is not None and through and not tied:
        try:
            chains.require_field(following, len(through))
        except Refused as refusal:
            problem = str(refusal)
    return show_event(
        request,
        event,
        CutPage(
            stage=stage,
            columns=columns,
            through=through,
            tied=tied,
            below=below,
            following=following,
            pool_ties=tied_people(stage, rule_of(stage), people),
            settled=bracket_is_drawn(stage),
            chain=chains.shown_chain(event),
            problem=problem,
            added=following is not None
            and bool(through)
            and {item["number"] for item, _who, _points in through}
            == set(following.field.values_list("entrant__number", flat=True)),
            in_play=stage.rounds.exclude(state=RoundState.CLOSED).exists(),
            begun=following is not None
            and following.rounds.filter(published_at__isnull=False).exists(),
            ordered=stage.lots.exists(),
        ),
    )


@needs("rounds.manage")
@require_POST
def stage_next(request: HttpRequest, slug: str, order: int) -> HttpResponse:
    """Take the qualifiers on, draw lots, enter a play-off, take these back, let the field stand."""
    event = event_by_slug(slug)
    stage = get_object_or_404(Stage, event=event, order=order)
    verb = request.POST.get("verb", "open")
    acts: dict[str, Callable[..., object]] = {
        "open": stages.open_next_stage,
        "lots": stages.draw_lots,
        "play_off": stages.settle_play_off,
        "stand": stages.let_field_stand,
        "take_back": stages.take_back_order,
    }
    if verb not in acts:
        raise Http404
    done = do(request, acts[verb], stage)
    if done and verb == "open":
        return redirect("desk-rounds", slug)
    if verb == "stand":
        return redirect("desk-event", slug)
    return redirect("desk-cut", slug, order)


class WishesPage(Page, template="desk/wishes.html", here="desk-players"):
    bans: list[tuple[int, Shown, Shown]]
    wishers: list[tuple[Shown, list[str]]]
    ban_form: Form
    wish_form: Form
    replace_form: Form
    leaving: Shown | None
    reserve: Shown | None


@needs("entrants.manage")
def desk_wishes(request: HttpRequest, slug: str) -> HttpResponse:
    """Bans, families, fixed seats, scorekeeping; name_replacement a player, ``?old`` by the first reserve."""
    event = event_by_slug(slug)
    bound: dict[str, forms.Form] = {}
    if request.method == "POST":
        verb = request.POST.get("verb", "")
        if verb == "lift":
            do(request, bans_and_wishes.lift_ban, event)
            return redirect("desk-wishes", slug)
        if verb == "unwish":
            done = _("The requests of this player are removed.")
            do(request, bans_and_wishes.wish, event, done, **bans_and_wishes.NO_WISHES)
            return redirect("desk-wishes", slug)
        kinds: dict[str, type[forms.Form]] = {
            "ban": BanForm,
            "wish": WishForm,
            "replace": ReplaceForm,
        }
        if verb not in kinds:
            raise Http404
        form = kinds[verb](request.POST)
        bound[verb] = form
        if form.is_valid() and (went := _do(request, event, verb, form)):
            return went
    people = directory(event)
    leaving = by_number(event).get(whole(request.GET.get("old")) or 0)
    reserve = by_number(event).get(stages.first_reserve(event) or 0) if leaving else None
    return show_event(
        request,
        event,
        WishesPage(
            bans=[
                (ban.pk, people[ban.one_id], people[ban.two_id])
                for ban in Ban.objects.filter(event=event)
            ],
            wishers=[
                (people[entrant.pk], wishes)
                for entrant in event.entrants.exclude(state=EntrantState.MERGED)
                if (wishes := _wishes_of(entrant))
            ],
            ban_form=bound.get("ban", BanForm()),
            wish_form=bound.get("wish", WishForm()),
            replace_form=bound.get(
                "replace",
                ReplaceForm(
                    initial={
                        "old": leaving and leaving.number,
                        "new": whole(request.GET.get("new")) or (reserve and reserve.number),
                    }
                ),
            ),
            leaving=leaving,
            reserve=reserve,
        ),
    )


def _wishes_of(entrant: Entrant) -> list[str]:
    return [
        words
        for words, holds in (
            (_("family") + " " + entrant.family, entrant.family),
            (_("cannot change tables"), entrant.fixed_seat),
            (_("does not keep the score"), not entrant.keeps_score),
        )
        if holds
    ]


def _do(request: HttpRequest, event: Event, verb: str, form: forms.Form) -> HttpResponse | None:
    """Do what a valid form asks for, and answer; ``None`` where it is refused."""
    data, here = form.cleaned_data, redirect("desk-wishes", event.slug)
    if verb == "ban":
        return here if submit(request, form, bans_and_wishes.ban, event, **data) else None
    try:
        if verb == "replace":
            return _replace(request, event, data)
        bans_and_wishes.wish_for_all(
            event_id=event.pk, numbers=data["number"], actor=actor_of(request), **data["wishes"]
        )
    except Refused as refusal:
        refuse(request, form, refusal)
        return None
    messages.success(request, _("The request is saved."))
    return here


def _replace(request: HttpRequest, event: Event, data: Mapping[str, Any]) -> HttpResponse:
    """Replace an entrant by another once what falls with it was seen; refusals propagate."""
    people = by_number(event)
    goes = event.entrants.filter(number=data["old"]).first()
    if goes is None or data["new"] not in people:
        raise unknown_number(*((data["old"], "old") if goes is None else (data["new"], "new")))
    names = [f"{number} {people[number].name}" for number in (data["old"], data["new"])]
    return do_asked(
        request,
        of_entrant(Act.REPLACE, goes),
        reseating.replace_player,
        event,
        where=" → ".join(names),
        title=name_replacement(request),
        back_url=reverse("desk-wishes", args=[event.slug]),
        **data,
    )
