"""Every stage and round: draw, start, close, go on to the next stage."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from datetime import datetime
from typing import Final, NamedTuple

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_safe

from accounts.pages import Page
from ledger.change import change
from ledger.errors import Refused
from ledger.models import Job
from ledger.verbs import VERBS
from tournament.access import needs
from tournament.models import (
    Draw,
    DrawState,
    Event,
    Round,
    RoundState,
    Stage,
    StandingsState,
    Table,
)
from tournament.queries import chains, standings
from tournament.queries.after_final import late_rulings
from tournament.queries.brackets import (
    ShownForfeit,
    ShownOvertaken,
    forfeited_shown,
    full_title,
    overtaken_shown,
)
from tournament.queries.chains import ShownChain
from tournament.queries.falls import Act, of_round
from tournament.queries.fields import held_entrants, next_round, stage_seed
from tournament.queries.left_out import LeftOut, left_out, will_sit_out
from tournament.queries.luck import luck_in_words
from tournament.queries.matches import PoolTie, bracket_is_drawn, level_matches, pool_ties
from tournament.queries.pages import state_of
from tournament.queries.rounds import ShownTable, clock_shown, room, tables_waiting, unsigned_tables
from tournament.queries.table_clock import ClockShown
from tournament.services import draws
from tournament.services.event_life import OpenMatter, open_matters
from tournament.services.standings import set_state, settle_late
from tournament.views.doing import do, done_words, perform, submit
from tournament.views.falls import do_asked, tell
from tournament.views.frame import event_by_slug, show_event
from tournament.views.typed import numbers_in


class ShownRound(NamedTuple):
    """A round with its draws and what keeps it from being closed or drawn; ``next``: to be drawn."""

    round: Round
    candidates: list[Draw]
    job: Job | None
    published: Draw | None
    waiting: list[int]
    level: list[Table]
    forfeited: list[ShownForfeit]
    overtaken: list[ShownOvertaken]
    clock: ClockShown | None
    next: bool
    held: int
    seed: str


class ShownStage(NamedTuple):
    """A stage with its rounds; ``volunteers``: whether its next round can be drawn by hand."""

    stage: Stage
    rounds: list[ShownRound]
    field: int
    standings: str
    volunteers: bool
    ties: list[PoolTie]


class RoundsPage(Page, template="desk/rounds.html", here="desk-rounds"):
    parts: list[ShownStage]
    states: Sequence[tuple[str, str | Promise]]
    under_way: bool
    now: datetime
    chain: ShownChain | None
    left_out: list[LeftOut]
    sits_out: str


@needs("rounds.manage")
@require_safe
def desk_rounds(request: HttpRequest, slug: str) -> HttpResponse:
    """Show every stage and round, with the actions to draw, review, publish, start, close and continue."""
    event = event_by_slug(slug)
    jobs = {
        job.parameters.get("round"): job
        for job in Job.objects.filter(
            scope=event.pk, kind__in=["tournament.draw", "tournament.publish"]
        ).order_by("created_at")
    }
    upcoming = next_round(event)
    parts, under_way = [], False
    for stage in event.stages.prefetch_related("rounds__draws"):
        listed = []
        for round_ in stage.rounds.all():
            candidates = [d for d in round_.draws.all() if d.state == DrawState.CANDIDATE]
            active = round_.state in (RoundState.PUBLISHED, RoundState.PLAYING)
            under_way = under_way or active
            listed.append(
                ShownRound(
                    round_,
                    candidates,
                    jobs.get(str(round_.pk)),
                    next((d for d in round_.draws.all() if d.state == DrawState.PUBLISHED), None),
                    unsigned_tables(round_) if active else [],
                    level_matches(round_),
                    forfeited_shown(round_),
                    overtaken_shown(round_),
                    clock_shown(round_),
                    (is_next := upcoming is not None and round_.pk == upcoming.pk),
                    len(held_entrants(round_)) if is_next else 0,
                    stage_seed(stage, round_.draws.count() + 1) if is_next else "",
                )
            )
        ties = stage.played_as.pools and not bracket_is_drawn(stage)
        parts.append(
            ShownStage(
                stage,
                listed,
                chains.places_in(stage),
                state_of(stage),
                not stage.played_as.laid_out,
                pool_ties(stage, standings.rule_of(stage)) if ties else [],
            )
        )
    return show_event(
        request,
        event,
        RoundsPage(
            parts=parts,
            states=StandingsState.choices,
            under_way=under_way,
            now=timezone.now(),
            chain=chains.shown_chain(event),
            left_out=left_out(upcoming) if upcoming else [],
            sits_out=will_sit_out(upcoming) if upcoming else "",
        ),
    )


ASKED: Final = {"unpublish": Act.UNPUBLISH, "reopen": Act.REOPEN}
"""Verbs of a round that are asked about on a page of their own."""


@needs("rounds.manage")
@require_http_methods(["GET", "HEAD", "POST"])
def round_verb(request: HttpRequest, slug: str, round_id: uuid.UUID, verb: str) -> HttpResponse:
    """Draw, start, pause, extend, close, reopen or unpublish one round; shown: what falls with the last two."""
    event = event_by_slug(slug)
    rounds = Round.objects.select_related("stage__event")
    round_ = get_object_or_404(rounds, pk=round_id, stage__event=event)
    if verb in ASKED:
        return _ask_first(request, event, round_, ASKED[verb])
    if request.method != "POST":
        return HttpResponseNotAllowed(["POST"])
    if verb == "draw":
        return _draw(request, slug, round_)
    named_verb = VERBS.get(f"rounds_{verb}")
    if named_verb is None or named_verb.needs != "rounds.manage":
        raise Http404
    if verb == "close" and "forfeits" not in request.POST and not round_.stage.played_as.bracket:
        unsigned, unplayed = tables_waiting(round_)
        if unplayed and not unsigned:
            return _ask_forfeits(request, event, round_, unplayed)
    done = do(request, named_verb.act, round_)
    if verb == "close" and done and (level := level_matches(round_)):
        messages.warning(
            request,
            ngettext(
                "%(n)d match has no winner: decide who qualifies.",
                "%(n)d matches have no winner: decide who qualifies.",
                len(level),
            )
            % {"n": len(level)},
        )
        drawn = round_.draws.get(state=DrawState.PUBLISHED)
        return redirect(reverse("desk-draw", args=[slug, drawn.pk]) + "#matches")
    return redirect("desk-event" if request.POST.get("back") == "desk" else "desk-rounds", slug)


def _ask_first(request: HttpRequest, event: Event, round_: Round, act: Act) -> HttpResponse:
    """Do an act on a round, with its reason, once what falls and what stays with it was seen."""
    state = RoundState(round_.state)
    fits = (RoundState.CLOSED,) if act is Act.REOPEN else (RoundState.PUBLISHED, RoundState.PLAYING)
    if request.method != "POST" and state not in fits:
        return redirect("desk-rounds", event.slug)
    back = request.POST.get("back") or request.GET.get("back", "")
    back_url = reverse("desk-event" if back == "desk" else "desk-rounds", args=[event.slug])
    return tell(
        request,
        back_url,
        lambda: do_asked(
            request,
            of_round(act, round_),
            VERBS[f"rounds_{act}"].act,
            round_,
            where=full_title(round_),
            back_url=back_url,
            tries=False,
        ),
    )


class CloseForfeitsPage(Page, template="desk/close_forfeits.html", here="desk-rounds"):
    round: Round
    tables: list[ShownTable]
    back: str


def _ask_forfeits(
    request: HttpRequest, event: Event, round_: Round, unplayed: list[int]
) -> HttpResponse:
    """Ask for confirmation to close a round with games that a forfeit prevented."""
    return show_event(
        request,
        event,
        CloseForfeitsPage(
            round=round_,
            tables=[each for each in room(round_) if each.number in unplayed],
            back=request.POST.get("back", ""),
        ),
    )


def _draw(request: HttpRequest, slug: str, round_: Round) -> HttpResponse:
    """Request a draw and show the job at work."""
    job = submit(
        request,
        None,
        draws.request_draw,
        round_,
        seed=request.POST.get("seed", "").strip(),
        hold="hold" in request.POST,
        bye_first=numbers_in(request.POST.get("bye_first", "")),
    )
    return redirect("desk-job", slug, job.pk) if job else redirect("desk-rounds", slug)


class FinalPage(Page, template="desk/final.html", here="desk-rounds"):
    stage: Stage
    final: bool
    luck: str
    late: list[int]
    matters: list[OpenMatter]
    back: str
    all: bool


@needs("rounds.manage")
@require_http_methods(["GET", "HEAD", "POST"])
def standings_state(request: HttpRequest, slug: str, order: int) -> HttpResponse:
    """Make a stage's standings provisional, frozen or final; shown: open matters before that, later rulings.

    With ``all`` those of every stage that has players, or none where one is refused.
    """
    event = event_by_slug(slug)
    stage = get_object_or_404(Stage, event=event, order=order)
    back = "desk-event" if request.POST.get("back") == "desk" else "desk-rounds"
    status, every = 200, request.POST.get("all") == "yes" and "state" in request.POST
    concerned = [stage]
    if every:
        concerned = list(event.stages.filter(field__isnull=False).distinct().order_by("order"))
    if request.method == "POST":
        if "state" in request.POST and request.POST["state"] not in StandingsState:
            raise Http404
        service = set_state if "state" in request.POST else settle_late
        try:
            with change():
                for stage in concerned:
                    perform(request, service, stage)
        except Refused as refusal:
            if refusal.code not in ("matters_open", "reason_missing"):
                messages.error(request, str(refusal))
                return redirect(back, slug)
            status = refusal.status
        else:
            messages.success(request, done_words(service, stage))
            return redirect(back, slug)
    final = state_of(stage) == StandingsState.FINAL
    context = FinalPage(
        stage=stage,
        final=final,
        luck=luck_in_words(stage) if final else "",
        late=late_rulings(stage),
        matters=list(dict.fromkeys(m for each in concerned for m in open_matters(event, each))),
        back=back,
        all=every,
    )
    return show_event(request, event, context, status=status)
