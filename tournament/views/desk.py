"""The director's desk: what holds up the event, players at the door, rounds, documents, jobs."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.db.models import Count, Q
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from ledger.access import capabilities_of, needs, signed_in
from ledger.actors import Actor
from ledger.errors import Refused
from ledger.models import Job, RoleGrant
from tournament.models import Draw, DrawState, Entrant, Event, Round, Stage
from tournament.selectors import rounds as round_selectors
from tournament.selectors.names import directory, shown_name
from tournament.services import draws, entrants, events, rounds, stages, standings
from tournament.services.entrants import next_round_number
from tournament.services.imports import import_players, read_players
from tournament.views.forms import EventForm, ImportForm, PlayerForm
from tournament.views.frame import event_by_slug, page


def actor_of(request: HttpRequest) -> Actor:
    """The signed-in member of staff as an actor."""
    return Actor.user(request.user.pk)


def attempt(request: HttpRequest, act: Callable[[], Any], success: str = "") -> bool:
    """Do one thing; tell the success, or the refusal as the service words it."""
    try:
        act()
    except Refused as refusal:
        messages.error(request, str(refusal))
        return False
    if success:
        messages.success(request, success)
    return True


@signed_in
@require_safe
def desk(request: HttpRequest) -> HttpResponse:
    """The events in which the caller has a role."""
    scopes = set(RoleGrant.objects.filter(user=request.user).values_list("scope", flat=True))
    can = capabilities_of(request.user, None)
    mine = Event.objects.annotate(players=Count("entrants"))
    if "event.create" not in can:
        mine = mine.filter(pk__in=scopes)
    return render(request, "desk/home.html", {"events": mine, "may_create": "event.create" in can})


@needs("event.create")
def event_new(request: HttpRequest) -> HttpResponse:
    """Open an event."""
    form = EventForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        data = form.cleaned_data
        try:
            event = events.create_event(
                actor=actor_of(request), name=data["name"], place=data["place"], day=data["day"],
                language=data["language"], rulebook=data["rulebook"], protocol=data["protocol"],
                bell_rule=data["bell_rule"], plan=form.plan(),
            )  # fmt: skip
        except Refused as refusal:
            form.add_error(refusal.field if refusal.field in form.fields else None, str(refusal))
        else:
            messages.success(request, _("The event is open. Now bring in the players."))
            return redirect("desk-import", event.slug)
    return render(request, "desk/event_new.html", {"form": form})


@needs("event.read")
@require_safe
def desk_event(request: HttpRequest, slug: str) -> HttpResponse:
    """What the director needs now: the next step, what holds up the round, running jobs."""
    event = event_by_slug(slug)
    now = round_selectors.current_round(event)
    tables = round_selectors.room(now) if now and now.state != "closed" else []
    counts = event.entrants.aggregate(
        registered=Count("pk", filter=Q(state="registered")),
        present=Count("pk", filter=Q(state="present")),
        withdrawn=Count("pk", filter=Q(state="withdrawn")),
    )
    return render(
        request,
        "desk/event.html",
        page(
            request, event, "desk-event", round=now, tables=tables, counts=counts,
            holdups=[t for t in tables if t.state != "signed"][:12],
            signed=sum(t.state == "signed" for t in tables),
            jobs=Job.objects.filter(scope=event.pk)[:5],
            stages=event.stages.prefetch_related("rounds__draws").all(),
            next_round=_next_round(event), now=timezone.now(),
        ),
    )  # fmt: skip


def _next_round(event: Event) -> Round | None:
    """The first round that is not published and whose stage has a field."""
    return (
        Round.objects.filter(
            stage__event=event, published_at__isnull=True, stage__field__isnull=False
        )
        .select_related("stage")
        .order_by("stage__order", "number")
        .distinct()
        .first()
    )


@needs("entrants.check_in")
def desk_players(request: HttpRequest, slug: str) -> HttpResponse:
    """Players at the door: search, check in, enter, withdraw, return."""
    event = event_by_slug(slug)
    can = capabilities_of(request.user, event.pk)
    form = PlayerForm(request.POST if "name" in request.POST else None)
    if (
        request.method == "POST"
        and "name" in request.POST
        and "entrants.manage" in can
        and form.is_valid()
    ):
        data = form.cleaned_data
        try:
            entrant = entrants.enter_player(
                event_id=event.pk, actor=actor_of(request), name=data["name"], club=data["club"],
                number=data["number"], email=data["email"], fixed_seat=data["fixed_seat"],
                present=True,
            )  # fmt: skip
        except Refused as refusal:
            form.add_error(refusal.field if refusal.field in form.fields else None, str(refusal))
        else:
            messages.success(
                request,
                _("%(name)s is entered as number %(number)d and plays from round %(round)d.")
                % {"name": data["name"], "number": entrant.number, "round": entrant.from_round},
            )
            return redirect("desk-players", slug)
    words = request.GET.get("q", "").strip()[:60]
    state = request.GET.get("state", "")
    listed = event.entrants.select_related("person", "partner", "club").order_by("number")
    if words:
        listed = (
            listed.filter(number=int(words[:8]))
            if words.isascii() and words.isdigit()
            else listed.filter(Q(person__name__icontains=words) | Q(club__name__icontains=words))
        )
    if state in ("registered", "present", "withdrawn"):
        listed = listed.filter(state=state)
    total = listed.count()
    at = _page_number(request)
    rows = [
        {"entrant": e, "name": shown_name(e, shorten=False)}
        for e in listed[(at - 1) * 50 : at * 50]
    ]
    return render(
        request,
        "desk/players.html",
        page(
            request, event, "desk-players", rows=rows, words=words, state=state, form=form,
            total=total, at=at, pages=range(1, (total + 49) // 50 + 1),
            may_manage="entrants.manage" in can, next_round=next_round_number(event),
        ),
    )  # fmt: skip


def _page_number(request: HttpRequest) -> int:
    text = request.GET.get("page", "1")
    return (
        max(1, min(int(text), 10_000)) if text.isascii() and text.isdigit() and len(text) < 6 else 1
    )


@needs("entrants.check_in")
@require_POST
def entrant_state(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Check in, check out, withdraw or take back one player."""
    event = event_by_slug(slug)
    entrant = get_object_or_404(Entrant, event=event, number=number)
    verb = request.POST.get("verb", "")
    manage = "entrants.manage" in capabilities_of(request.user, event.pk)
    actor = actor_of(request)
    acts: dict[str, tuple[bool, Callable[[], Any], str]] = {
        "check_in": (True, lambda: entrants.check_in(entrant_id=entrant.pk, actor=actor),
                     _("Number %(n)d is present.")),
        "check_out": (True, lambda: entrants.check_in(entrant_id=entrant.pk, actor=actor, present=False),
                      _("Number %(n)d is not present.")),
        "withdraw": (manage, lambda: entrants.withdraw(entrant_id=entrant.pk, actor=actor),
                     _("Number %(n)d has withdrawn.")),
        "return": (manage, lambda: entrants.take_back(entrant_id=entrant.pk, actor=actor),
                   _("Number %(n)d is back.")),
    }  # fmt: skip
    if verb not in acts or not acts[verb][0]:
        raise Http404
    attempt(request, acts[verb][1], acts[verb][2] % {"n": number})
    return redirect("desk-players", slug)


@needs("entrants.manage")
@require_POST
def check_in_all(request: HttpRequest, slug: str) -> HttpResponse:
    """Mark every registered player present."""
    event = event_by_slug(slug)
    count = entrants.check_in_all(event_id=event.pk, actor=actor_of(request))
    messages.success(request, _("%(count)d players checked in.") % {"count": count})
    return redirect("desk-event", slug)


@needs("entrants.manage")
def desk_import(request: HttpRequest, slug: str) -> HttpResponse:
    """Bring in a spreadsheet: preview with every bad row, then all or nothing."""
    event = event_by_slug(slug)
    form = ImportForm(request.POST or None, request.FILES or None)
    preview = None
    kept = request.session.get(f"import-{event.pk}")
    if request.method == "POST" and "confirm" in request.POST and kept:
        content = bytes.fromhex(kept)

        def act() -> None:
            count = import_players(
                event_id=event.pk, content=content, actor=actor_of(request),
                skip_duplicates="skip_duplicates" in request.POST,
            )  # fmt: skip
            messages.success(request, _("%(count)d players imported.") % {"count": count})

        if attempt(request, act):
            del request.session[f"import-{event.pk}"]
            return redirect("desk-players", slug)
        return redirect("desk-import", slug)
    if request.method == "POST" and form.is_valid():
        content = form.cleaned_data["file"].read()
        try:
            preview = read_players(event=event, content=content)
        except Refused as refusal:
            form.add_error("file", str(refusal))
        else:
            if preview.importable:
                request.session[f"import-{event.pk}"] = content.hex()
    return render(
        request,
        "desk/import.html",
        page(request, event, "desk-players", form=form, preview=preview),
    )


@needs("rounds.manage")
@require_safe
def desk_rounds(request: HttpRequest, slug: str) -> HttpResponse:
    """Every stage and round: draw, look, publish, start, close, go on."""
    event = event_by_slug(slug)
    jobs = {
        job.parameters.get("round"): job
        for job in Job.objects.filter(scope=event.pk, kind="tournament.draw").order_by("created_at")
    }
    parts = []
    for stage in event.stages.prefetch_related("rounds__draws"):
        listed = []
        for part in stage.rounds.all():
            candidates = [d for d in part.draws.all() if d.state == DrawState.CANDIDATE]
            listed.append(
                {
                    "round": part, "candidates": candidates, "job": jobs.get(str(part.pk)),
                    "waiting": rounds.unsigned_tables(part) if part.state in ("published", "playing") else [],
                }
            )  # fmt: skip
        parts.append({"stage": stage, "rounds": listed, "field": stage.field.count()})
    return render(
        request, "desk/rounds.html",
        page(request, event, "desk-rounds", parts=parts, next_round=_next_round(event)),
    )  # fmt: skip


@needs("rounds.manage")
@require_POST
def round_verb(request: HttpRequest, slug: str, round_id: uuid.UUID, verb: str) -> HttpResponse:
    """Draw, start, extend, close, reopen or unpublish one round."""
    event = event_by_slug(slug)
    part = get_object_or_404(Round, pk=round_id, stage__event=event)
    actor = actor_of(request)
    reason = request.POST.get("reason", "")
    minutes = request.POST.get("minutes", "")
    acts: dict[str, tuple[Callable[[], Any], str]] = {
        "draw": (lambda: draws.request_draw(round_id=part.pk, actor=actor, seed=request.POST.get("seed", "")[:60]),
                 _("The draw is being made.")),
        "start": (lambda: rounds.start_round(round_id=part.pk, actor=actor), _("The clock runs.")),
        "extend": (lambda: rounds.extend_round(round_id=part.pk, minutes=int(minutes) if minutes.lstrip("-").isdigit() and len(minutes) < 5 else 0, actor=actor),
                   _("The clock was changed.")),
        "close": (lambda: rounds.close_round(round_id=part.pk, actor=actor), _("The round is closed.")),
        "reopen": (lambda: rounds.reopen_round(round_id=part.pk, actor=actor, reason=reason), _("The round is open again.")),
        "unpublish": (lambda: draws.unpublish(round_id=part.pk, actor=actor, reason=reason), _("The publication is withdrawn.")),
    }  # fmt: skip
    if verb not in acts:
        raise Http404
    attempt(request, acts[verb][0], acts[verb][1])
    return redirect("desk-rounds", slug)


@needs("rounds.manage")
def draw_preview(request: HttpRequest, slug: str, draw_id: uuid.UUID) -> HttpResponse:
    """Look at a candidate draw with its certificate; publish it or put it aside."""
    event = event_by_slug(slug)
    candidate = get_object_or_404(
        Draw.objects.select_related("round__stage"), pk=draw_id, round__stage__event=event
    )
    if request.method == "POST":
        actor = actor_of(request)
        if request.POST.get("verb") == "publish":
            done = attempt(
                request, lambda: draws.publish_draw(draw_id=candidate.pk, actor=actor),
                _("The draw is published: players see it now."),
            )  # fmt: skip
            return redirect("desk-event" if done else "desk-rounds", slug)
        if request.POST.get("verb") == "discard":
            attempt(
                request, lambda: draws.discard_draw(draw_id=candidate.pk, actor=actor),
                _("The draw is put aside."),
            )  # fmt: skip
        return redirect("desk-rounds", slug)
    people = directory(event)
    tables = [
        {"number": t["number"], "players": [people[p] for p in t["players"]],
         "scorekeeper": t["scorekeeper"]}
        for t in candidate.tables
    ]  # fmt: skip
    language = getattr(request, "LANGUAGE_CODE", "en")[:2]
    lines = [
        {**line, "why": line["why"].get(language, line["why"]["en"])}
        for line in candidate.certificate.get("lines", [])
    ]
    return render(
        request, "desk/draw.html",
        page(request, event, "desk-rounds", draw=candidate, tables=tables, lines=lines,
             byes=[people[p] for p in candidate.byes]),
    )  # fmt: skip


@needs("rounds.manage")
@require_POST
def stage_next(request: HttpRequest, slug: str, order: int) -> HttpResponse:
    """Take a stage's qualifiers into the next stage."""
    event = event_by_slug(slug)
    stage = get_object_or_404(Stage, event=event, order=order)
    attempt(
        request, lambda: stages.open_next_stage(stage_id=stage.pk, actor=actor_of(request)),
        _("The field of the next stage is set."),
    )  # fmt: skip
    return redirect("desk-rounds", slug)


@needs("rounds.manage")
@require_POST
def standings_state(request: HttpRequest, slug: str, order: int) -> HttpResponse:
    """Make a stage's standings provisional, frozen or final."""
    event = event_by_slug(slug)
    stage = get_object_or_404(Stage, event=event, order=order)
    state = request.POST.get("state", "")
    if state not in ("provisional", "frozen", "final"):
        raise Http404
    attempt(
        request,
        lambda: standings.set_state(stage_id=stage.pk, state=state, actor=actor_of(request)),
        _("The standings are marked."),
    )
    return redirect("desk-rounds", slug)


@needs("room.watch")
@require_safe
def desk_room(request: HttpRequest, slug: str) -> HttpResponse:
    """Every table of the round in play: late, unsigned and disputed first."""
    event = event_by_slug(slug)
    now = round_selectors.current_round(event)
    tables = round_selectors.room(now) if now else []
    template = "desk/room_tables.html" if request.GET.get("part") == "tables" else "desk/room.html"
    return render(
        request, template,
        page(request, event, "desk-room", round=now, tables=tables, now=timezone.now(),
             signed=sum(t.state == "signed" for t in tables)),
    )  # fmt: skip


@needs("jobs.read")
@require_safe
def desk_job(request: HttpRequest, slug: str, job_id: uuid.UUID) -> HttpResponse:
    """One job's progress, as a page or (``?part=1``) as the fragment that live pages fetch."""
    event = event_by_slug(slug)
    job = get_object_or_404(Job, pk=job_id, scope=event.pk)
    template = "parts/job.html" if request.GET.get("part") else "desk/job.html"
    return render(request, template, page(request, event, "desk-rounds", job=job))
