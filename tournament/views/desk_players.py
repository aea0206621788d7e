"""Players at the door: search, check in, enter, withdraw, return, import."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from django.contrib import messages
from django.db.models import Exists, OuterRef, QuerySet
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST

from accounts.roles import capabilities_of
from ledger.actors import Actor
from ledger.errors import Refused
from tournament.access import needs
from tournament.models import Entrant, EntrantState, Event, Seat
from tournament.queries import pages
from tournament.queries.names import shown_name
from tournament.services import entrants, notices, registrations
from tournament.services.entrants import next_round_number
from tournament.services.imports import keep_file, request_import, stored_file
from tournament.services.late import plays_from
from tournament.services.mail import is_offered
from tournament.services.pasted import as_file
from tournament.services.plain import plain
from tournament.services.players_file import COLUMNS, MAIL, Layout, Preview, read_players
from tournament.tables.links import token_hash
from tournament.tables.wedge import tokens_in
from tournament.views.desk import actor_of, attempt, whole
from tournament.views.forms import ImportForm, PasteForm, PlayerForm
from tournament.views.frame import event_by_slug, page

A_PAGE: Final = 700
"""Players listed at once: a championship is searched where it stands."""
BADGE_END: Final = 8
"""Last characters of an unknown badge that the page shows."""
MOST_COLUMNS: Final = 40
"""Columns of a file that a director may point at."""
MOST_WORDS: Final = 200
"""Words in a column of payments that a director may be asked about."""


@needs("entrants.check_in")
def desk_players(request: HttpRequest, slug: str) -> HttpResponse:
    """Players at the door: search, check in, enter, withdraw, return."""
    event = event_by_slug(slug)
    can = capabilities_of(request.user, event.pk)
    form = PlayerForm(request.POST if "name" in request.POST else None)
    in_pairs = pages.in_pairs(event)
    if not in_pairs:
        del form.fields["partner"]
    posted = (
        request.method == "POST"
        and "name" in request.POST
        and "entrants.manage" in can
        and form.is_valid()
    )
    same = (
        pages.find(event, form.cleaned_data["name"], most=5)
        if posted and "anyway" not in request.POST
        else []
    )
    if posted and not same:
        data = form.cleaned_data
        try:
            entrant = entrants.enter_player(
                event_id=event.pk,
                actor=actor_of(request),
                name=data["name"],
                club=data["club"],
                partner=data.get("partner", ""),
                number=data["number"],
                email=data.get("email", ""),
                fixed_seat=data["fixed_seat"],
                present=True,
                reserve=data["reserve"],
            )
        except Refused as refusal:
            form.add_error(refusal.field if refusal.field in form.fields else None, str(refusal))
        else:
            says = (
                _("%(name)s is registered as number %(number)d, as a reserve.")
                if data["reserve"]
                else _(
                    "%(name)s is registered as number %(number)d and plays from round %(round)d."
                )
            )
            messages.success(
                request,
                says
                % {"name": data["name"], "number": entrant.number, "round": entrant.from_round},
            )
            return redirect("desk-players", slug)
    words = request.GET.get("q", "").strip()[:60]
    state = request.GET.get("state", "")
    listed = _listed(event)
    all_of_them = listed.count()
    if words:
        named = [entrant.pk for entrant in pages.find(event, words, most=A_PAGE)]
        listed = listed.filter(pk__in=named)
    if state in ("registered", "present", "withdrawn"):
        listed = listed.filter(state=state)
    total = listed.count()
    at = _page_number(request)
    rows = [
        {"entrant": e, "name": shown_name(e, shorten=False)}
        for e in listed[(at - 1) * A_PAGE : at * A_PAGE]
    ]
    return render(
        request,
        "desk/players.html",
        page(
            request,
            event,
            "desk-players",
            rows=rows,
            words=words,
            state=state,
            form=form,
            same=[{"number": e.number, "name": shown_name(e, shorten=False)} for e in same],
            total=total,
            all=all_of_them,
            in_pairs=in_pairs,
            mail_links=notices.wanting_links(event) if "links.mail" in can else 0,
            at=at,
            pages=range(1, (total + A_PAGE - 1) // A_PAGE + 1),
            pending=len(registrations.pending(event)),
            waiting=listed.filter(state=EntrantState.REGISTERED).exists(),
            may_manage="entrants.manage" in can,
            next_round=plays_from(event, next_round_number(event)),
        ),
    )


def _listed(event: Event) -> QuerySet[Entrant]:
    """The rows of the desk's list, each with ``played``: whether they were ever drawn to a table."""
    return (
        event.entrants.exclude(state=EntrantState.MERGED)
        .annotate(played=Exists(Seat.objects.filter(entrant=OuterRef("pk"))))
        .select_related("person", "partner", "club")
        .order_by("number")
    )


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
        "check_in": (
            True,
            lambda: entrants.check_in(entrant_id=entrant.pk, actor=actor),
            _("Number %(n)d is present."),
        ),
        "check_out": (
            True,
            lambda: entrants.check_in(entrant_id=entrant.pk, actor=actor, present=False),
            _("Number %(n)d is not present."),
        ),
        "withdraw": (
            manage,
            lambda: entrants.withdraw(entrant_id=entrant.pk, actor=actor),
            _("Number %(n)d has withdrawn."),
        ),
        "paid": (
            True,
            lambda: entrants.mark_paid(entrant_id=entrant.pk, actor=actor),
            _("Number %(n)d has paid."),
        ),
        "unpaid": (
            True,
            lambda: entrants.mark_paid(entrant_id=entrant.pk, actor=actor, paid=False),
            _("Number %(n)d has not paid."),
        ),
        "return": (
            manage,
            lambda: entrants.take_back(entrant_id=entrant.pk, actor=actor),
            _("Number %(n)d has returned."),
        ),
    }
    if verb not in acts or not acts[verb][0]:
        raise Http404
    back = request.POST.get("back") == "player"
    return _acted(request, event, entrant, acts[verb][1], acts[verb][2], manage, back=back)


def _acted(
    request: HttpRequest,
    event: Event,
    entrant: Entrant,
    act: Callable[[], Any],
    success: str,
    may_manage: bool,
    *,
    back: bool = False,
) -> HttpResponse:
    """Do one thing; answer the row as it is then where the page asks for that, else go back."""
    message = success % {"n": entrant.number}
    if request.headers.get("X-Part") != "row":
        attempt(request, act, message)
        if back:
            return redirect("desk-player", event.slug, entrant.number)
        return redirect("desk-players", event.slug)
    try:
        act()
    except Refused as refusal:
        return HttpResponse(str(refusal), status=409, content_type="text/plain; charset=utf-8")
    entrant = _listed(event).get(pk=entrant.pk)
    row = {"entrant": entrant, "name": shown_name(entrant, shorten=False)}
    context = {
        "event": event,
        "row": row,
        "may_manage": may_manage,
        "said": f"{message} {row['name']}",
    }
    return render(request, "desk/player_row.html", context)


@needs("entrants.check_in")
@require_POST
def scan(request: HttpRequest, slug: str) -> HttpResponse:
    """Check in whose badge was scanned, or whose number was typed."""
    event = event_by_slug(slug)
    text = request.POST.get("scan", "").strip()[:300]
    known = event.entrants.exclude(state=EntrantState.MERGED)
    if number := whole(text):
        entrant = known.filter(number=number).first()
    else:
        hashes = [token_hash(token) for token in tokens_in(text) if token]
        entrant = known.filter(link_hash__in=hashes).first()
    if entrant is None:
        says = (
            _("Nobody in this event has number %(n)d.") % {"n": number}
            if number
            else _("Nobody in this event has the badge that ends in “%(end)s”.")
            % {"end": plain(text)[-BADGE_END:]}
        )
        if request.headers.get("X-Part") == "row":
            return HttpResponse(says, status=409, content_type="text/plain; charset=utf-8")
        messages.error(request, says)
        return redirect("desk-players", slug)
    return _acted(
        request,
        event,
        entrant,
        lambda: _check_in_named(entrant, actor_of(request)),
        _("Number %(n)d is present."),
        "entrants.manage" in capabilities_of(request.user, event.pk),
    )


def _check_in_named(entrant: Entrant, actor: Actor) -> None:
    """Check in a scanned player; a refusal names them, since the next badge may be scanned by then."""
    who = f"{entrant.number} {shown_name(entrant, shorten=False)}"
    try:
        entrants.check_in(entrant_id=entrant.pk, actor=actor)
    except Refused as refusal:
        says = (
            _("%(who)s has left: register the return first.") % {"who": who}
            if refusal.code == "withdrawn"
            else f"{who}{_(':')} {refusal}"
        )
        raise Refused(refusal.code, says) from refusal


@needs("entrants.manage")
@require_POST
def check_in_all(request: HttpRequest, slug: str) -> HttpResponse:
    """Mark every registered player present, but those who are named as absent."""
    event = event_by_slug(slug)
    absent = [whole(number) for number in request.POST.getlist("but")]
    count = entrants.check_in_all(event_id=event.pk, actor=actor_of(request), but=absent)
    message = (
        ngettext("%(count)d pair checked in.", "%(count)d pairs checked in.", count)
        if pages.in_pairs(event)
        else ngettext("%(count)d player checked in.", "%(count)d players checked in.", count)
    )
    messages.success(request, message % {"count": count})
    return redirect("desk-event", slug)


def _layout_in(data: QueryDict) -> Layout | None:
    """Where the director says that the columns are; ``None`` where they have not said."""
    first = data.get("first_row", "")
    if not (first.isascii() and first.isdigit() and len(first) < 6):
        return None
    columns: dict[str, int] = {}
    for index in range(MOST_COLUMNS):
        column = data.get(f"column-{index}", "")
        if column in COLUMNS and column not in columns:
            columns[column] = index
    return Layout(columns, int(first))


def _paid_in(data: QueryDict) -> dict[str, bool]:
    """What the director says of words in the column of payments: whether they mean paid."""
    words = data.getlist("paid-word")[:MOST_WORDS]
    answers = data.getlist("paid-means")[:MOST_WORDS]
    return {
        word.casefold(): answer == "yes"
        for word, answer in zip(words, answers, strict=False)
        if answer in ("yes", "no")
    }


def _column_names() -> list[tuple[str, str]]:
    names = {
        "name": _("Name (first and last)"),
        "turned": _("Last name, first name: first name first"),
        "last": _("Last name"),
        "first": _("First name"),
        "club": _("Club"),
        "number": _("Number"),
        "email": _("E-mail address"),
        "family": _("Family"),
        "phone": _("Phone number"),
        "category": _("Category"),
        "paid": _("Paid"),
        "fixed": _("Fixed seat"),
        "keeps_score": _("Keeps score"),
        "partner": _("Partner"),
        "partner_email": _("Partner e-mail"),
        "partner_phone": _("Partner phone"),
        "state": _("State"),
    }
    columns = [column for column in COLUMNS if column not in MAIL or is_offered()]
    return [("", _("not used")), *((column, names[column]) for column in columns)]


def _shown_rows(preview: Preview) -> dict[str, object]:
    """Every row of the file with what becomes of it, for the table of the preview."""
    partners = any(line.partner for line in preview.lines)
    emails = any(line.email for line in preview.lines)
    headers = [_("No."), _("Name"), _("Club")]
    headers += [_("Partner")] if partners else []
    headers += [_("E-mail address")] if emails else []
    more = {
        "phone": _("Phone number"),
        "partner_email": _("Partner e-mail"),
        "partner_phone": _("Partner phone"),
        "category": _("Category"),
    }
    used = [name for name in more if any(getattr(line, name) for line in preview.lines)]
    headers += [more[name] for name in used]
    pays = any(line.paid for line in preview.lines)
    headers += [_("Paid")] if pays else []
    excused = any(not line.keeps_score for line in preview.lines)
    headers += [_("Keeps score")] if excused else []
    fixed = any(line.fixed for line in preview.lines)
    headers += [_("Fixed seat")] if fixed else []
    left = any(line.withdrawn for line in preview.lines)
    headers += [_("State")] if left else []
    rows = []
    for line in preview.rows:
        cells = [str(line.number or ""), line.name, line.club]
        cells += [line.partner] if partners else []
        cells += [line.email] if emails else []
        cells += [getattr(line, name) for name in used]
        cells += [_("yes") if line.paid else ""] if pays else []
        cells += [_("yes") if line.keeps_score else _("no")] if excused else []
        cells += [_("yes") if line.fixed else ""] if fixed else []
        cells += [str(EntrantState.WITHDRAWN.label) if line.withdrawn else ""] if left else []
        state, why = "ok", _("ready to be imported")
        if line.left_out:
            state, why = "out", _("left out: %(why)s") % {"why": line.left_out}
        elif line.errors:
            state, why = "bad", _("; ").join(line.errors)
        elif line.unclear:
            state, why = "bad", _("does “%(word)s” mean paid?") % {"word": line.unclear[:30]}
        elif line.duplicate_of:
            state, why = "double", _("duplicate: %(where)s") % {"where": line.duplicate_of}
        elif line.doubt:
            state, why = "double", _("to be checked: %(why)s") % {"why": line.doubt}
        rows.append(
            {
                "line": line.line,
                "cells": list(zip(headers, cells, strict=True)),
                "state": state,
                "why": why,
            }
        )
    return {"headers": headers, "rows": rows}


def _columns_shown(preview: Preview) -> list[dict[str, object]]:
    """Each column of the file with its first cells and what it is taken for."""
    width = min(MOST_COLUMNS, max((len(row) for _line, row in preview.sample), default=0))
    taken = preview.layout.columns if preview.layout else preview.guess
    return [
        {
            "index": index,
            "is": next((column for column, at in taken.items() if at == index), ""),
            "cells": [row[index][:30] if index < len(row) else "" for _line, row in preview.sample],
        }
        for index in range(width)
    ]


@needs("entrants.manage")
def desk_import(request: HttpRequest, slug: str) -> HttpResponse:
    """Bring in a spreadsheet: every row with what becomes of it, then all or nothing."""
    event = event_by_slug(slug)
    again = "confirm" in request.POST or "look" in request.POST
    pastes = "text" in request.POST
    form = ImportForm(None if again or pastes else request.POST or None, request.FILES or None)
    paste_form = PasteForm(request.POST if pastes else None)
    preview = file = None
    actor = actor_of(request)
    layout = _layout_in(request.POST)
    sheet = request.POST.get("sheet", "")[:100]
    paid = _paid_in(request.POST)
    if "confirm" in request.POST:
        try:
            stored = stored_file(event_id=event.pk, file_id=request.POST["confirm"])
            if pastes and as_file(request.POST["text"])[0] != bytes(stored.content):
                messages.warning(request, _("The names were changed: check them again."))
            else:
                job = request_import(
                    file_id=stored.pk,
                    actor=actor,
                    skip_duplicates="skip_duplicates" in request.POST,
                    layout=layout,
                    sheet=sheet,
                    paid=paid,
                )
                return redirect("desk-job", slug, job.pk)
        except Refused as refusal:
            messages.error(request, str(refusal))
            return redirect("desk-import", slug)
    try:
        if "look" in request.POST:
            file = stored_file(event_id=event.pk, file_id=request.POST["look"])
            preview = read_players(
                event=event, content=bytes(file.content), layout=layout, sheet=sheet, paid=paid
            )
        elif request.method == "POST" and (paste_form if pastes else form).is_valid():
            if pastes:
                content, layout = as_file(paste_form.cleaned_data["text"])
            else:
                content = form.cleaned_data["file"].read()
            preview = read_players(event=event, content=content, layout=layout)
            if preview.sample:
                file = keep_file(event_id=event.pk, content=content, actor=actor)
    except Refused as refusal:
        if form.is_bound:
            form.add_error("file", str(refusal))
        elif pastes:
            paste_form.add_error("text", str(refusal))
        else:
            messages.error(request, str(refusal))
    more: dict[str, object] = {}
    if preview is not None:
        corrected = pastes and preview.importable
        if corrected:
            paste_form.fields["text"].widget.attrs["form"] = "import"
        more = {
            **_shown_rows(preview),
            "file_columns": _columns_shown(preview),
            "column_names": _column_names(),
            "said": layout,
            "paid_words": paid,
            "corrected": corrected,
        }
    return render(
        request,
        "desk/import.html",
        page(
            request,
            event,
            "desk-players",
            form=form,
            paste_form=paste_form,
            preview=preview,
            kept=file,
            **more,
        ),
    )
