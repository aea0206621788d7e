"""A drawn round before its publication: certificate, reasons, changes by hand, publication."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Collection, Mapping
from typing import Any, NamedTuple

from django import forms
from django.contrib import messages
from django.core import paginator
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.http import require_safe

from accounts.access import actor_of
from accounts.pages import Page
from ledger.actors import Actor
from ledger.errors import Refused
from tournament.access import needs
from tournament.models import Draw, DrawState, Event, Round, RoundState
from tournament.pairing.manual import Change
from tournament.pairing.model import Kind
from tournament.queries.brackets import full_title, own_name
from tournament.queries.certificates import (
    CertificateLine,
    Moved,
    ShownEdit,
    cards_of,
    changed_tables,
    edits_of,
    lines_of,
    movement_name,
    side_by_side,
)
from tournament.queries.falls import (
    Act,
    Hanging,
    is_prevented,
    of_draft,
    of_exchange,
    of_table,
    what_falls,
)
from tournament.queries.left_out import LeftOut, left_out
from tournament.queries.matches import open_matches
from tournament.queries.names import Shown, by_number, directory
from tournament.queries.room import address
from tournament.queries.rounds import TableCard
from tournament.queries.standings import rule_of, worth_of_bye
from tournament.services import draws, edits, publication, reseating
from tournament.services.draws import certificate_json, table_json
from tournament.services.edits import EDIT_VERBS, Edit
from tournament.services.readiness import changes_since
from tournament.views.desk import attempt
from tournament.views.doing import do, submit
from tournament.views.draw_tables import Listed, concerned, listed, pickable
from tournament.views.falls import do_asked, tell
from tournament.views.forms import MomentField
from tournament.views.frame import event_by_slug, show_event
from tournament.views.typed import numbers_in, whole


class PublishAtForm(forms.Form):
    """When a draw is to be published."""

    at = MomentField(
        label=gettext_lazy("Publish at"),
        widget=forms.DateTimeInput(attrs={"type": "datetime-local"}, format="%Y-%m-%dT%H:%M"),
        input_formats=["%Y-%m-%dT%H:%M", "%Y-%m-%dT%H:%M:%S"],
        error_messages={
            "required": gettext_lazy("Enter a day and a time."),
            "invalid": gettext_lazy("Enter a day and a time."),
        },
    )


def edit_in(question: QueryDict) -> Edit | None:
    """Return the change in a query or form; ``None`` without one."""
    verb = next((each for each in EDIT_VERBS if each == question.get("verb")), None)
    if verb is None:
        return None
    return Edit(
        verb,
        one=whole(question.get("one")) or 0,
        two=whole(question.get("two")) or 0,
        table=whole(question.get("table")) or 0,
        to=whole(question.get("to")) or 0,
        players=tuple(numbers_in(question.get("players", ""))),
    )


def _draw(slug: str, draw_id: uuid.UUID) -> tuple[Event, Draw]:
    event = event_by_slug(slug)
    candidate = get_object_or_404(
        Draw.objects.select_related("round__stage__event"), pk=draw_id, round__stage__event=event
    )
    return event, candidate


class Weighed(NamedTuple):
    """Cost of a change: the lines that differ, the changed tables, the tables with deals."""

    edit: Edit
    lines: list[Moved]
    same: bool
    players: str
    written: list[int]
    cards: list[TableCard]
    falls: list[Hanging]
    stopped: bool


class MatchToDecide(NamedTuple):
    """A match that is level, decided or without a result; ``chosen``: the side to be ticked.

    ``seen``: the number of the side that it is decided for, or 0.
    """

    number: int
    level: bool
    forfeited: bool
    decided: bool
    plays_on: str
    late: bool
    reason: str
    winner: str
    chosen: int | None
    seen: int
    sides: list[tuple[int, str]]


class DrawPage(Page, template="desk/draw.html", here="desk-rounds"):
    draw: Draw
    round: Round
    own_name: str
    changeable: bool
    keeps_tables: bool
    tables: list[TableCard]
    tables_page: paginator.Page[TableCard]
    find: str
    hits: int
    all_tables: int
    seated: int
    query: str
    picked: Shown | None
    concerned: list[TableCard]
    weighed: Weighed | None
    who: str
    proposals: list[tuple[Shown, str]]
    why: int
    reasons: list[str]
    lines: list[CertificateLine]
    best: bool
    movement: str
    edits: list[ShownEdit]
    changed: list[tuple[str, list[Shown]]]
    byes: list[Shown]
    bye_worth: str
    held: list[Shown]
    form: PublishAtForm
    published: bool
    others: QuerySet[Draw]
    matches: list[MatchToDecide]
    knockout: bool
    uneven: bool
    left_out: list[LeftOut]


@needs("rounds.manage")
def draw_preview(request: HttpRequest, slug: str, draw_id: uuid.UUID) -> HttpResponse:
    """Look at a draw: certificate, tables, why; weigh a change; publish, schedule, put aside."""
    event, candidate = _draw(slug, draw_id)
    form = PublishAtForm(request.POST if request.POST.get("act") == "schedule" else None)
    if form.is_bound:
        if _scheduled(request, candidate, form):
            return redirect("desk-draw", slug, candidate.pk)
    elif request.method == "POST":
        return _act(request, slug, candidate)
    if request.GET.get("act") == "discard" and candidate.state == DrawState.CANDIDATE:
        return _discard(request, candidate)
    people = directory(event)
    edit, why = edit_in(request.GET), whole(request.GET.get("why")) or 0
    cards = cards_of(candidate, candidate.tables, people)
    tables = listed(cards, request.GET, pick=request.GET.get("pick", "")[:6])
    changeable = candidate.state == DrawState.CANDIDATE or (
        candidate.state == DrawState.PUBLISHED and candidate.round.state != RoundState.CLOSED
    )
    picked = pickable(tables["tables"], request.GET) if changeable else 0
    if candidate.state == DrawState.PUBLISHED:
        for card in tables["tables"]:
            card["url"] = address(candidate.round, card["number"])
    drawn_as = candidate.round.stage.played_as
    return show_event(
        request,
        event,
        DrawPage(
            draw=candidate,
            changeable=changeable,
            keeps_tables=not (drawn_as.laid_out and drawn_as.pairs),
            round=candidate.round,
            own_name=own_name(candidate.round, candidate.plan),
            **tables,
            picked=next((who for who in people.values() if who.number == picked), None),
            concerned=concerned(cards, edit, why),
            weighed=_weighed(request, candidate, edit, people),
            who=request.GET.get("who", ""),
            proposals=_proposals(request, candidate, people),
            why=why,
            reasons=_reasons(request, candidate, why),
            changed=_changed(candidate, people),
            lines=(lines := lines_of(candidate)),
            best=bool(lines) and all(line.optimal for line in lines),
            movement=movement_name(candidate.movement),
            edits=edits_of(candidate, event),
            byes=[people[p] for p in candidate.byes],
            bye_worth=worth_of_bye(candidate.round.stage) if candidate.byes else "",
            held=[people[p] for p in candidate.held],
            form=form,
            published=candidate.state == DrawState.PUBLISHED,
            others=candidate.round.draws.filter(state=DrawState.CANDIDATE).exclude(pk=candidate.pk),
            matches=_matches(candidate, people),
            knockout="knockout_from" in candidate.plan,
            # If points come first, a table with more deals yields more points.
            uneven=rule_of(candidate.round.stage).criteria[0].code == "marks"
            and len({len(table["players"]) for table in candidate.tables}) > 1
            and all(table["kind"] == Kind.SOLO for table in candidate.tables),
            left_out=left_out(candidate.round, candidate)
            if candidate.state == DrawState.CANDIDATE
            else [],
        ),
        status=422 if form.errors else 200,
    )


def _discard(request: HttpRequest, draft: Draw) -> HttpResponse:
    """Discard a draft once what falls with it was seen."""
    slug = draft.round.stage.event.slug
    here = reverse("desk-draw", args=[slug, draft.pk])
    where = _("%(round)s, draw %(n)d") % {"round": full_title(draft.round), "n": draft.number}
    return tell(
        request,
        reverse("desk-rounds", args=[slug]),
        lambda: do_asked(
            request,
            of_draft(draft),
            draws.discard_draw,
            draft,
            where=where,
            back_url=here,
            to=reverse("desk-rounds", args=[slug]),
            tries=False,
        ),
    )


def _decide(request: HttpRequest, drawn: Draw, act: Act) -> HttpResponse:
    """Decide the match of a table, or take the decision back, once what changes with it was seen."""
    slug, round_ = drawn.round.stage.event.slug, drawn.round
    here = reverse("desk-draw", args=[slug, drawn.pk])
    service: Callable[..., object] = reseating.decide_match
    if act is Act.UNDECIDE:
        service = reseating.withdraw_decision
    table = (
        round_.tables.filter(number=whole(request.POST.get("table")) or 0)
        .select_related("round__stage__event", "decided_for")
        .first()
    )
    if table is None:
        do(request, service, round_)
        return redirect(here)
    who = by_number(round_.stage.event).get(whole(request.POST.get("winner")) or 0)
    where = _("%(round)s, table %(table)d") % {"round": full_title(round_), "table": table.number}
    if act is Act.DECIDE and who is not None:
        where += f"{_(':')} {who.number} {who.name}"
    former = table.decided_for.number if table.decided_for else 0
    known: dict[str, Any] = {"seen": former} if act is Act.DECIDE else {}
    return tell(
        request,
        here,
        lambda: do_asked(
            request,
            of_table(act, table),
            service,
            round_,
            where=where,
            back_url=here,
            stale=whole(request.POST.get("seen", str(former))) != former,
            **known,
        ),
    )


def _changed(candidate: Draw, people: Mapping[int, Shown]) -> list[tuple[str, list[Shown]]]:
    """Return the changes since a candidate was made, with the players concerned."""
    if candidate.state != DrawState.CANDIDATE:
        return []
    by_number = {shown.number: shown for shown in people.values()}
    return [
        (each.label, [by_number[number] for number in each.numbers if number in by_number])
        for each in changes_since(candidate)
    ]


def _scheduled(request: HttpRequest, candidate: Draw, form: PublishAtForm) -> bool:
    """Set the time of publication; a refusal is shown at the field, with the typed value."""
    if not form.is_valid():
        return False
    done = _("The draw will be published automatically at that time.")
    at = form.cleaned_data["at"]
    return bool(submit(request, form, publication.publish_later, candidate, done, at=at))


def _weighed(
    request: HttpRequest, candidate: Draw, edit: Edit | None, people: Mapping[int, Shown]
) -> Weighed | None:
    """Return the cost of the change in the query; ``None`` without one, or when it is impossible."""
    if edit is None:
        return None
    try:
        change = edits.weigh(candidate, edit)
    except Refused as refusal:
        messages.error(request, str(refusal))
        return None
    lines = candidate.certificate.get("lines", [])
    falls = _falls(candidate, edit, people)
    moved = side_by_side(lines, certificate_json(change.after.certificate))
    return Weighed(
        edit=edit,
        lines=[line for line in moved if line.by],
        same=not any(line.by for line in moved),
        players=" ".join(map(str, edit.players)),
        written=_written(candidate, edit, people),
        cards=_changed_cards(candidate, change, people),
        falls=falls,
        stopped=is_prevented(falls),
    )


def _falls(candidate: Draw, edit: Edit, people: Mapping[int, Shown]) -> list[Hanging]:
    """List the consequences of an exchange in a published draw; a draft has none yet."""
    if candidate.state != DrawState.PUBLISHED or edit.verb != "swap":
        return []
    return what_falls(of_exchange(candidate.round, _moved(edit, people)))


def _moved(edit: Edit, people: Mapping[int, Shown]) -> list[int]:
    """Return the keys of the two exchanged players."""
    return [key for key, shown in people.items() if shown.number in (edit.one, edit.two)]


def _written(candidate: Draw, edit: Edit, people: Mapping[int, Shown]) -> list[int]:
    """Return the tables of a published exchange with recorded deals."""
    if candidate.state != DrawState.PUBLISHED or edit.verb != "swap":
        return []
    return reseating.written_tables(candidate, _moved(edit, people))


def _changed_cards(candidate: Draw, change: Change, people: Mapping[int, Shown]) -> list[TableCard]:
    """Return the tables after a change, with the new players of each marked."""
    ids = {shown.number: key for key, shown in people.items()}
    now = {table["number"]: table["players"] for table in candidate.tables}
    then = [table_json(table, ids) for table in change.after.tables]
    fresh = [table for table in then if table["players"] != now.get(table["number"])]
    cards = cards_of(candidate, fresh, people)
    for card in cards:
        sat = {people[key].number for key in now.get(card["number"], ())}
        for seat in card["seats"]:
            seat["me"] = seat["entrant"] not in sat
    return cards


def _proposals(
    request: HttpRequest, candidate: Draw, people: Mapping[int, Shown]
) -> list[tuple[Shown, str]]:
    """Return the best exchanges for the player in the query."""
    if not request.GET.get("who"):
        return []
    by_number = {shown.number: shown for shown in people.values()}
    try:
        return [
            (by_number[number], _cost_words(cost))
            for number, cost in edits.proposals(candidate, whole(request.GET["who"]) or 0)
        ]
    except Refused as refusal:
        messages.error(request, str(refusal))
        return []


def _reasons(request: HttpRequest, candidate: Draw, table: int) -> list[str]:
    """Why the table in the query is as it is."""
    if not table:
        return []
    try:
        return edits.why(candidate, table)
    except Refused as refusal:
        messages.error(request, str(refusal))
        return []


def _cost_words(cost: int) -> str:
    """Describe the change in the number of repeated meetings."""
    if cost == 0:
        return _("as many repeated meetings as now")
    if cost >= 1000:
        return _("puts together players to be kept apart")
    words = (
        ngettext("%(n)d more repeated meeting", "%(n)d more repeated meetings", cost)
        if cost > 0
        else ngettext("%(n)d fewer repeated meeting", "%(n)d fewer repeated meetings", -cost)
    )
    return words % {"n": abs(cost)}


def _matches(candidate: Draw, people: Mapping[int, Shown]) -> list[MatchToDecide]:
    """Matches between two in a published round that are level, decided, or without a result."""
    if candidate.state != DrawState.PUBLISHED:
        return []
    shown = []
    for match in open_matches(candidate.round.stage, candidate.round.number):
        sides = {pk: people[pk] for pk in match.sides}
        chosen = sides.get(match.plays_on or match.table.decided_for_id or 0)
        decided = people.get(match.table.decided_for_id or 0)
        shown.append(
            MatchToDecide(
                number=match.table.number,
                level=match.level,
                forfeited=match.forfeited,
                decided=match.decided,
                plays_on=people[match.plays_on].name if match.plays_on else "",
                late=match.late,
                reason=match.table.decided_reason,
                winner=decided.name if decided else "",
                chosen=chosen.number if chosen else None,
                seen=decided.number if decided else 0,
                sides=[
                    (
                        who.number,
                        f"{who.number} {who.name}" + (f" ({who.club})" if who.club else ""),
                    )
                    for who in sides.values()
                ],
            )
        )
    return shown


def _act(request: HttpRequest, slug: str, candidate: Draw) -> HttpResponse:
    verb = request.POST.get("act", "")
    here = redirect("desk-draw", slug, candidate.pk)
    if verb == "publish":
        done = do(request, publication.publish_draw, candidate)
        return redirect("desk-event", slug) if done else here
    if verb == "discard":
        return _discard(request, candidate)
    if verb == "redraw":
        return _redraw(request, slug, candidate)
    if verb == "undo":
        do(request, edits.undo, candidate)
        return here
    if verb in (Act.DECIDE, Act.UNDECIDE):
        return _decide(request, candidate, Act(verb))
    if verb == "unschedule":
        do(request, publication.cancel_publication, candidate.round)
        return here
    edit = edit_in(request.POST)
    if verb != "make" or edit is None:
        raise Http404
    actor = actor_of(request)
    attempt(request, lambda: _make(candidate, edit, request, actor), _("The change is made."))
    return here


def _make(candidate: Draw, edit: Edit, request: HttpRequest, actor: Actor) -> Draw:
    if candidate.state != DrawState.PUBLISHED:
        return edits.make(
            draw_id=candidate.pk,
            edit=edit,
            after=whole(request.POST.get("after")) or 0,
            actor=actor,
        )
    if edit.verb == "swap":
        return reseating.exchange(
            round_id=candidate.round_id,
            one=edit.one,
            two=edit.two,
            actor=actor,
            reason=request.POST.get("reason", "")[:300],
        )
    if edit.verb == "seat":
        return reseating.seat_late(
            round_id=candidate.round_id, players=edit.players, table=edit.to, actor=actor
        )
    raise Refused("tables_laid", _("Published tables keep their numbers."))


def _redraw(request: HttpRequest, slug: str, candidate: Draw) -> HttpResponse:
    keep = numbers_in(request.POST.get("keep", ""))
    job = submit(
        request, None, draws.request_draw, candidate.round, keep_of=candidate.pk, keep=keep
    )
    return redirect("desk-job", slug, job.pk) if job else redirect("desk-draw", slug, candidate.pk)


class ComparedDraw(Listed):
    """The tables of a draw that the other does not have."""

    draw: Draw
    movement: str
    byes: list[Shown]


class ComparePage(Page, template="desk/compare.html", here="desk-rounds"):
    round: Round
    both: list[ComparedDraw]
    listed: Collection[Draw]
    first: Draw
    second: Draw
    find: str
    lines: list[Moved]
    same: bool


@needs("rounds.manage")
@require_safe
def draw_compare(request: HttpRequest, slug: str, round_id: uuid.UUID) -> HttpResponse:
    """Compare two candidate draws of a round: ``?a=1&b=2`` by their number."""
    event = event_by_slug(slug)
    round_ = get_object_or_404(
        Round.objects.select_related("stage"), pk=round_id, stage__event=event
    )
    candidates = {draw.number: draw for draw in round_.draws.exclude(state=DrawState.DISCARDED)}
    if len(candidates) < 2:
        messages.info(request, _("There is only one draw: make another to compare it with."))
        return redirect("desk-rounds", slug)
    numbers = sorted(candidates)
    first = candidates.get(whole(request.GET.get("a")) or 0, candidates[numbers[-2]])
    second = candidates.get(whole(request.GET.get("b")) or 0, candidates[numbers[-1]])
    people = directory(event)
    both: list[ComparedDraw] = [
        {
            "draw": draw,
            "movement": movement_name(draw.movement),
            **listed(
                cards_of(
                    draw,
                    [t for t in draw.tables if t["number"] in changed_tables(other, draw)],
                    people,
                ),
                request.GET,
                a=first.number,
                b=second.number,
            ),
            "byes": [people[p] for p in draw.byes],
        }
        for draw, other in ((first, second), (second, first))
    ]
    lines = side_by_side(first.certificate.get("lines", []), second.certificate.get("lines", []))
    return show_event(
        request,
        event,
        ComparePage(
            round=round_,
            both=both,
            listed=candidates.values(),
            first=first,
            second=second,
            find=both[0]["find"],
            lines=lines,
            same=not any(line.by for line in lines),
        ),
    )
