"""The stages of an event at the desk: their formats, the cut between them, wishes and bans."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from ledger.errors import Refused
from tournament.access import needs
from tournament.models import Ban, Entrant, EntrantState, Event, Format, RoundState, Stage
from tournament.queries import chains
from tournament.queries.matches import bracket_is_drawn, pool_ties
from tournament.queries.names import Shown, directory
from tournament.queries.standings import rule_of
from tournament.services import bans_and_wishes, reseating, stage_plans, stages
from tournament.views.desk import actor_of, attempt, numbers_in, whole
from tournament.views.frame import event_by_slug, page
from tournament.views.stage_forms import BanForm, ReplaceForm, StageForm, WishForm


@needs("event.manage")
@require_safe
def desk_stages(request: HttpRequest, slug: str) -> HttpResponse:
    """Every stage with its format and cut."""
    event = event_by_slug(slug)
    links = chains.links_of(event, entrants=chains.entered(event))
    listed = [
        {
            "stage": stage,
            "players": stage.field.count(),
            "whole": link.field if link is not None and stage.cut.get("whole") else None,
        }
        for stage, link in zip(event.stages.order_by("order"), [*links[1:], None], strict=True)
    ]
    return render(
        request,
        "desk/stages.html",
        page(request, event, "desk-rounds", listed=listed, chain=chains.shown_chain(event)),
    )


@needs("event.manage")
def desk_stage(request: HttpRequest, slug: str, order: int = 0) -> HttpResponse:
    """Add a stage (``order`` 0) or change one."""
    event = event_by_slug(slug)
    stage = get_object_or_404(Stage, event=event, order=order) if order else None
    if request.method == "POST" and "remove" in request.POST and stage is not None:
        done = attempt(
            request,
            lambda: stage_plans.remove_stage(
                event_id=event.pk, order=order, actor=actor_of(request)
            ),
            _("The stage has been deleted."),
        )
        return redirect(
            "desk-stages" if done else "desk-stage", *([slug] if done else [slug, order])
        )
    form = StageForm(request.POST, event=event) if request.method == "POST" else None
    if form is not None and form.is_valid():
        try:
            saved = stage_plans.save_stage(
                event_id=event.pk, actor=actor_of(request), order=order or None, **form.values()
            )
        except Refused as refusal:
            form.add_error(refusal.field if refusal.field in form.fields else None, str(refusal))
        else:
            messages.success(request, _("Stage %(name)s is saved.") % {"name": saved.title})
            return redirect("desk-stages", slug)
    if form is None:
        form = StageForm.of(stage) if stage else StageForm(event=event)
    return render(
        request,
        "desk/stage.html",
        page(
            request,
            event,
            "desk-rounds",
            form=form,
            stage=stage,
            groups=_groups(form),
            chain=chains.shown_chain(event),
        ),
    )


def _groups(form: StageForm) -> list[dict[str, object]]:
    """The form's fields by what they are about; choices inside a format fold away unless it is chosen."""
    chosen = form["format"].value()
    parts = [
        (
            _("The stage"),
            None,
            "name format rounds games_per_round match deals_per_game target games decider minutes",
        ),
        (_("Individual tables"), ("individual_draw", "random"), "odd by_score table_size unit"),
        (_("Fixed movement"), ("individual_movement",), "movement"),
        (_("Swiss"), ("pairs_swiss",), "order bye_for"),
        (_("Round robin"), ("round_robin",), "twice"),
        (_("Mitchell"), ("pairs_mitchell",), "one_list"),
        (
            _("Pools and knock-out"),
            ("pools_ko", "ko"),
            "seeds pool_size main best_next consolation third_place",
        ),
        (_("Ranking and draw"), None, "ranking credit carries_over club_rounds family_rounds"),
        (_("The cut to the next stage"), None, "top half per_table fill whole tie"),
    ]
    return [
        {
            "title": title,
            "fold": formats is not None,
            "open": formats is not None
            and (chosen in formats or any(field.errors for field in fields)),
            "fields": fields,
        }
        for title, formats, names in parts
        if (fields := [form[name] for name in names.split() if name in form.fields])
    ]


@needs("rounds.manage")
@require_safe
def desk_cut(request: HttpRequest, slug: str, order: int) -> HttpResponse:
    """Who goes through by the cut, who is level at it, and who waits below it."""
    event = event_by_slug(slug)
    stage = get_object_or_404(Stage.objects.select_related("event"), event=event, order=order)
    by_number = {shown.number: shown for shown in directory(event).values()}
    through, tied, below = [], [], []
    if stage.cut:
        try:
            through = [
                {**item, "person": by_number[item["number"]]} for item in stages.qualifiers(stage)
            ]
            tied = [
                {**group, "people": [by_number[n] for n in group["numbers"]]}
                for group in stages.undecided(stage)
            ]
            below = [by_number[n] for n in stages.reserves(stage)]
        except Refused as refusal:
            messages.error(request, str(refusal))
    following = chains.following_of(stage)
    problem = ""
    if following is not None and through and not tied:
        try:
            chains.require_field(following, len(through))
        except Refused as refusal:
            problem = str(refusal)
    return render(
        request,
        "desk/cut.html",
        page(
            request,
            event,
            "desk-rounds",
            stage=stage,
            through=through,
            tied=tied,
            below=below,
            following=following,
            pool_ties=_pool_ties(stage, by_number),
            settled=bracket_is_drawn(stage),
            chain=chains.shown_chain(event),
            problem=problem,
            added=following is not None
            and bool(through)
            and {item["number"] for item in through}
            == set(following.field.values_list("entrant__number", flat=True)),
            in_play=stage.rounds.exclude(state=RoundState.CLOSED).exists(),
            begun=following is not None
            and following.rounds.filter(published_at__isnull=False).exists(),
            ordered=stage.lots.exists(),
        ),
    )


def _pool_ties(stage: Stage, by_number: Mapping[int, Shown]) -> list[dict[str, object]]:
    """Who is level in a pool, and in which order lots or a play-off put them."""
    if stage.format != Format.POOLS_KO:
        return []
    return [
        {
            "pool": tie.pool,
            "recorded": tie.recorded,
            "by_lot": tie.by_lot,
            "people": [by_number[number] for number in tie.order if number in by_number],
        }
        for tie in pool_ties(stage, rule_of(stage))
    ]


@needs("rounds.manage")
@require_POST
def stage_next(request: HttpRequest, slug: str, order: int) -> HttpResponse:
    """Take the qualifiers on, draw lots, enter a play-off, take these back, let the field stand."""
    event = event_by_slug(slug)
    stage = get_object_or_404(Stage, event=event, order=order)
    actor = actor_of(request)
    verb = request.POST.get("verb", "open")
    acts: dict[str, tuple[Callable[[], Any], str]] = {
        "open": (
            lambda: stages.open_next_stage(stage_id=stage.pk, actor=actor),
            _("The field of the next stage is set."),
        ),
        "lots": (
            lambda: stages.draw_lots(stage_id=stage.pk, actor=actor),
            _("The lots have been drawn."),
        ),
        "play_off": (
            lambda: stages.settle_play_off(
                stage_id=stage.pk, order=numbers_in(request.POST.get("order", "")), actor=actor
            ),
            _("The play-off result has been entered."),
        ),
        "stand": (
            lambda: stages.let_field_stand(
                stage_id=stage.pk, reason=request.POST.get("reason", ""), actor=actor
            ),
            _("The field has been kept."),
        ),
        "take_back": (
            lambda: stages.take_back_order(
                stage_id=stage.pk, actor=actor, reason=request.POST.get("reason", "")
            ),
            _("Lots and play-offs of this stage have been undone."),
        ),
    }
    if verb not in acts:
        raise Http404
    done = attempt(request, acts[verb][0], acts[verb][1])
    if done and verb == "open":
        return redirect("desk-rounds", slug)
    if verb == "stand":
        return redirect("desk-event", slug)
    return redirect("desk-cut", slug, order)


@needs("entrants.manage")
def desk_wishes(request: HttpRequest, slug: str) -> HttpResponse:
    """Bans, families, fixed seats, scorekeeping; replacing a player, ``?old`` by the first reserve."""
    event = event_by_slug(slug)
    bound: dict[str, forms.Form] = {}
    if request.method == "POST":
        verb = request.POST.get("verb", "")
        actor = actor_of(request)
        removals: dict[str, tuple[Callable[[], Any], str]] = {
            "lift": (
                lambda: bans_and_wishes.lift_ban(
                    event_id=event.pk, ban_id=whole(request.POST.get("ban")), actor=actor
                ),
                _("They may meet again."),
            ),
            "unwish": (
                lambda: bans_and_wishes.wish(
                    event_id=event.pk,
                    number=whole(request.POST.get("number")),
                    actor=actor,
                    **bans_and_wishes.NO_WISHES,
                ),
                _("The requests of this player are removed."),
            ),
        }
        if verb in removals:
            attempt(request, *removals[verb])
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
        if form.is_valid() and _do(request, event, verb, form):
            return redirect("desk-wishes", slug)
    people = directory(event)
    by_number = {shown.number: shown for shown in people.values()}
    leaving = by_number.get(whole(request.GET.get("old")))
    reserve = by_number.get(stages.first_reserve(event) or 0) if leaving else None
    return render(
        request,
        "desk/wishes.html",
        page(
            request,
            event,
            "desk-players",
            bans=[
                {"pk": ban.pk, "one": people[ban.one_id], "two": people[ban.two_id]}
                for ban in Ban.objects.filter(event=event)
            ],
            wishers=[
                {"person": people[entrant.pk], "wishes": wishes}
                for entrant in event.entrants.exclude(state=EntrantState.MERGED)
                if (wishes := _wishes_of(entrant))
            ],
            ban_form=bound.get("ban", BanForm()),
            wish_form=bound.get("wish", WishForm()),
            replace_form=bound.get(
                "replace",
                ReplaceForm(
                    initial={"old": leaving and leaving.number, "new": reserve and reserve.number}
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
            (f"{_('family')} {entrant.family}", entrant.family),
            (_("cannot change tables"), entrant.fixed_seat),
            (_("does not keep the score"), not entrant.keeps_score),
        )
        if holds
    ]


def _do(request: HttpRequest, event: Event, verb: str, form: forms.Form) -> bool:
    data, actor = form.cleaned_data, actor_of(request)
    acts: dict[str, tuple[Callable[[], Any], str]] = {
        "ban": (
            lambda: bans_and_wishes.ban(
                event_id=event.pk, one=data["one"], two=data["two"], actor=actor
            ),
            _("They will not be drawn at the same table."),
        ),
        "wish": (
            lambda: bans_and_wishes.wish_for_all(
                event_id=event.pk, numbers=data["number"], actor=actor, **data["wishes"]
            ),
            _("The request is saved."),
        ),
        "replace": (
            lambda: reseating.replace_player(
                event_id=event.pk, old=data["old"], new=data["new"], actor=actor
            ),
            _("The replacement has been made."),
        ),
    }
    try:
        acts[verb][0]()
    except Refused as refusal:
        form.add_error(refusal.field if refusal.field in form.fields else None, str(refusal))
        return False
    messages.success(request, acts[verb][1])
    return True
