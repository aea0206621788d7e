"""Players at the door: search, check in, enter, withdraw, return, import."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Mapping
from typing import Final, NamedTuple
from urllib.parse import urlencode

from django import forms
from django.contrib import messages
from django.db.models import Exists, OuterRef, QuerySet
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST

from accounts.access import actor_of
from accounts.pages import Page, show_page
from accounts.roles import capabilities_of, may
from ledger.errors import Refused
from ledger.models import AuditEntry, Job
from ledger.verbs import VERBS
from tournament.access import needs
from tournament.documents.draws import Person, alphabetical
from tournament.lists.reading import Layout, Settled
from tournament.lists.words import plain
from tournament.models import Entrant, EntrantState, Event, PlayerFile, Seat
from tournament.models.players import GIVEN, Given, Value
from tournament.queries import pages
from tournament.queries.falls import Act, of_entrant
from tournament.queries.names import shown_name
from tournament.queries.search import Letter, letters_of
from tournament.services import entrants, notices, registrations
from tournament.services.banned import bans_on
from tournament.services.entrants import next_round_number
from tournament.services.imports import banned_lines, keep_file, request_import, stored_file
from tournament.services.late import plays_from
from tournament.services.mail import is_offered
from tournament.services.player_lists import (
    COLUMNS,
    MAIL,
    MEMBER,
    Line,
    Preview,
    as_file,
    layout_of,
    read_players,
)
from tournament.tables.links import token_hash
from tournament.tables.wedge import tokens_in
from tournament.views.doing import done_words, perform, submit, verb_was_sent
from tournament.views.falls import ask_again
from tournament.views.forms import ImportForm, PasteForm, PlayerForm
from tournament.views.frame import event_by_slug, show_event
from tournament.views.typed import whole

A_PAGE: Final = 700
"""Number of players on one page: a championship is searched instead."""
BADGE_END: Final = 8
"""Last characters of an unknown badge that the page shows."""
MOST_COLUMNS: Final = 40
"""Columns of a file that a director may point at."""
MOST_WORDS: Final = 200
"""Words in a column of payments that a director may be asked about."""


class PlayerRow(NamedTuple):
    """A player of the desk's list with their name in full."""

    entrant: Entrant
    name: str


class PlayersPage(Page, template="desk/players.html", here="desk-players"):
    rows: list[PlayerRow]
    words: str
    state: str
    form: PlayerForm
    same: list[PlayerRow]
    total: int
    all: int
    in_pairs: bool
    mail_links: int
    at: int
    pages: range
    pending: int
    waiting: bool
    may_manage: bool
    next_round: int | None
    by: str
    letters: list[Letter]
    mine: int


@needs("entrants.check_in")
def desk_players(request: HttpRequest, slug: str) -> HttpResponse:
    """Players at the door: search, check in, enter, withdraw, return."""
    event = event_by_slug(slug)
    can = capabilities_of(request.user, event.pk)
    in_pairs = pages.in_pairs(event)
    form = PlayerForm(request.POST if "name" in request.POST else None, pairs=in_pairs)
    posted = (
        request.method == "POST"
        and "name" in request.POST
        and "entrants.manage" in can
        and form.is_valid()
    )
    same = (
        pages.find(event, form.cleaned_data["name"], most=5)
        if posted
        and "anyway" not in request.POST
        and not verb_was_sent(request, entrants.enter_player, event)
        else []
    )
    if posted and not same:
        data = form.cleaned_data
        entrant = submit(request, form, entrants.enter_player, event, present=True, **data)
        if entrant:
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
        if "despite" in form.errors:
            form.fields["despite"].widget = forms.TextInput()
            form.fields["despite"].required = True  # it is asked for now
    words = request.GET.get("q", "").strip()[:60]
    state = request.GET.get("state", "")
    listed = _listed(event)
    all_of_them = listed.count()
    if words:
        matched = [entrant.pk for entrant in pages.find(event, words, most=A_PAGE)]
        listed = listed.filter(pk__in=matched)
    if state in ("registered", "present", "withdrawn"):
        listed = listed.filter(state=state)
    total = listed.count()
    at = _page_number(request)
    named = _by_name(listed) if pages.is_long(total) else []
    by = "name" if named and request.GET.get("by") == "name" else ""
    first = (at - 1) * A_PAGE
    rows = (
        named[first : first + A_PAGE]
        if by
        else [PlayerRow(e, shown_name(e, shorten=False)) for e in listed[first : first + A_PAGE]]
    )
    return show_event(
        request,
        event,
        PlayersPage(
            rows=rows,
            words=words,
            state=state,
            form=form,
            same=[PlayerRow(e, shown_name(e, shorten=False)) for e in same],
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
            by=by,
            letters=_letters(named, here=bool(by) and total <= A_PAGE, state=state),
            mine=_checked_in_by(request, event),
        ),
    )


def _by_name(listed: QuerySet[Entrant]) -> list[PlayerRow]:
    """Return the rows of the list in the order of their names."""
    rows = [PlayerRow(e, shown_name(e, shorten=False)) for e in listed]
    return sorted(rows, key=lambda row: alphabetical(Person(row.name)))


def _letters(named: list[PlayerRow], *, here: bool, state: str) -> list[Letter]:
    """Return the letters over the list; they lead into the order by name, where it is not ``here``."""

    def place(index: int, row: PlayerRow) -> str:
        anchor = f"#p-{row.entrant.number}"
        sent = {"by": "name", "state": state, "page": index // A_PAGE + 1}
        return anchor if here else f"?{urlencode(sent)}{anchor}"

    return letters_of((row.name, place(index, row)) for index, row in enumerate(named))


def _listed(event: Event) -> QuerySet[Entrant]:
    """Return the rows of the desk's list, each with ``played``: whether they were ever drawn to a table."""
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
    named_verb = VERBS.get(f"entrants_{verb.replace('_', '-')}")
    if named_verb is None or not may(request.user, named_verb.needs, event.pk):
        raise Http404
    back = request.POST.get("back") == "player"
    if verb == "withdraw":
        question = ask_again(
            request,
            of_entrant(Act.WITHDRAW, entrant),
            named_verb.act,
            entrant,
            where=f"{number} {shown_name(entrant, shorten=False)}",
            back_url=reverse("desk-player", args=[slug, number]),
        )
        if question:
            return question
    return _acted(request, event, entrant, named_verb.act, manage, back=back)


class PlayerRowPage(Page, template="desk/player_row.html"):
    event: Event
    row: PlayerRow
    may_manage: bool
    message: str
    again: bool = False
    mine: int | None = None


def _acted(
    request: HttpRequest,
    event: Event,
    entrant: Entrant,
    service: Callable[..., Entrant],
    may_manage: bool,
    *,
    back: bool = False,
    scanned: bool = False,
) -> HttpResponse:
    """Do one thing; answer the row as it is then where the page asks for that, else go back.

    ``scanned``: a refusal names the player, since the next badge may be scanned by then; a badge that was
    scanned before is told apart.
    """
    again = scanned and entrant.state == EntrantState.PRESENT
    as_row = request.headers.get("X-Part") == "row"
    try:
        done = perform(request, service, entrant)
    except Refused as refusal:
        says = _names(refusal, entrant) if scanned else str(refusal)
        if as_row:
            return HttpResponse(says, status=409, content_type="text/plain; charset=utf-8")
        messages.error(request, says)
    else:
        says = (
            _("Number %(number)d is already here.") % {"number": entrant.number}
            if again
            else done_words(service, done)
        )
        if not as_row:
            messages.success(request, says)
    if not as_row:
        if back:
            return redirect("desk-player", event.slug, entrant.number)
        return redirect("desk-players", event.slug)
    entrant = _listed(event).get(pk=entrant.pk)
    row = PlayerRow(entrant, shown_name(entrant, shorten=False))
    context = PlayerRowPage(
        event=event,
        row=row,
        may_manage=may_manage,
        message=f"{says} {row.name}",
        again=again,
        mine=_checked_in_by(request, event) if scanned else None,
    )
    return show_page(request, context)


def _checked_in_by(request: HttpRequest, event: Event) -> int:
    """Return the number of players that the caller has checked in, on any device."""
    by = {"actor": str(actor_of(request)), "verb": "entrant.checked_in"}
    return AuditEntry.objects.filter(scope=event.pk, **by).count()


def _names(refusal: Refused, entrant: Entrant) -> str:
    who = f"{entrant.number} {shown_name(entrant, shorten=False)}"
    if refusal.code == "withdrawn":
        return _("%(who)s has left: register the return first.") % {"who": who}
    return f"{who}{_(':')} {refusal}"


@needs("entrants.check_in")
@require_POST
def scan(request: HttpRequest, slug: str) -> HttpResponse:
    """Check in the player of a scanned badge or a typed number."""
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
        entrants.check_in,
        "entrants.manage" in capabilities_of(request.user, event.pk),
        scanned=True,
    )


@needs("entrants.manage")
@require_POST
def check_in_all(request: HttpRequest, slug: str) -> HttpResponse:
    """Mark every registered player present, but those who are named as absent."""
    event = event_by_slug(slug)
    absent = [whole(number) or 0 for number in request.POST.getlist("but")]
    count = entrants.check_in_all(event_id=event.pk, actor=actor_of(request), but=absent)
    message = (
        ngettext("%(count)d pair checked in.", "%(count)d pairs checked in.", count)
        if pages.in_pairs(event)
        else ngettext("%(count)d player checked in.", "%(count)d players checked in.", count)
    )
    messages.success(request, message % {"count": count})
    return redirect("desk-event", slug)


def _layout_in(data: QueryDict) -> Layout | None:
    """Return the column mapping chosen by the director, now or before; ``None`` without one."""
    chosen = "choose-" if "choose" in data else ""
    first = data.get(f"{chosen}first_row", "")
    if not (first.isascii() and first.isdigit() and len(first) < 6):
        return None
    columns: dict[str, int] = {}
    for index in range(MOST_COLUMNS):
        column = data.get(f"{chosen}column-{index}", "")
        if column in COLUMNS and column not in columns:
            columns[column] = index
    return Layout(columns, int(first))


def _paid_in(data: QueryDict) -> dict[str, bool]:
    """Return the director's answers about words in the column of payments: whether they mean paid."""
    words = data.getlist("paid-word")[:MOST_WORDS]
    answers = data.getlist("paid-means")[:MOST_WORDS]
    return {
        word.casefold(): answer == "yes"
        for word, answer in zip(words, answers, strict=False)
        if answer in ("yes", "no")
    }


def _settled_in(data: QueryDict) -> dict[int, Settled]:
    """Return the director's decisions about rows of the file."""
    decisions = {}
    for name, value in data.items():
        line = whole(name.removeprefix("row-")) if name.startswith("row-") else None
        if line and value in list(Settled):
            decisions[line] = Settled(value)
    return decisions


def _choices(line: Line, *, pairs: bool) -> list[tuple[str, str]]:
    """Return the decisions that a row offers."""
    if line.aside or line.settled == Settled.IN:
        return [(Settled.IN, _("enter all the same"))]
    if line.left_out and not line.settled:
        return []
    if line.ready and not line.settled:
        return []
    if line.near or line.owes:
        return [
            *([(Settled.PAID, _("the same: take the payment over"))] if line.owes else []),
            (Settled.SAME, _("the same") if line.near else _("leave the payment as it is")),
            *([(Settled.AS_IS, _("another person"))] if line.near else []),
        ]
    if line.unclear and not (line.doubt or line.errors or line.settled):
        return []
    if line.members:
        which = zip(MEMBER, line.members, strict=False)
        says = ((code, ", ".join(filter(None, (m.name, m.club, m.category)))) for code, m in which)
        return [*says, (Settled.AS_IS, _("none of these members"))]
    two = [(Settled.SPLIT, _("two players"))] if not pairs else []
    pair = [(Settled.PAIR, _("a pair"))] if pairs else []
    several = [*two, *pair] if line.several or line.settled in (Settled.SPLIT, Settled.PAIR) else []
    as_is = [] if line.errors else [(Settled.AS_IS, _("right as it stands"))]
    return [
        *as_is,
        *several,
        (Settled.OUT, _("not a player")),
        (Settled.CLUB, _("the club of the rows below")),
    ]


class ShownRow(NamedTuple):
    """A row of a file: its own words, its cells by header, its outcome (ok, bad, double, out), decisions."""

    line: int
    text: str
    cells: list[tuple[str, str]]
    state: str
    why: str
    choices: list[tuple[str, str]]
    chosen: str


class ShownColumn(NamedTuple):
    """A column of a file with its first cells, and the key of its assumed content."""

    at: int
    key: str
    cells: list[str]


class ImportPage(Page, template="desk/import.html", here="desk-players"):
    """``layout``: as the director pointed out; ``corrected``: pasted names may be changed below before import."""

    form: ImportForm
    paste_form: PasteForm
    preview: Preview | None
    file: PlayerFile | None
    rows: list[ShownRow]
    file_columns: list[ShownColumn]
    column_names: list[tuple[str, str]]
    sheets: list[tuple[str, str]]
    paid_means: list[tuple[str, str]]
    layout: Layout | None
    paid_words: Mapping[str, bool]
    settled_rows: Mapping[str, str]
    corrected: bool
    pairs: bool
    bans: list[str]


def _column_names() -> list[tuple[str, str]]:
    """Return the possible contents of a file's column, by key."""
    names = {
        **{each.key: each.label for each in GIVEN},
        "name": _("Name (first and last)"),
        "turned": _("Last name, first name: first name first"),
        "last": _("Last name"),
        "first": _("First name"),
        "off": _("Called off (yes or no)"),
    }
    columns = [column for column in COLUMNS if column not in MAIL or is_offered()]
    return [("", _("not used")), *((column, names[column]) for column in columns)]


def _shown_cell(each: Given, value: Value) -> str:
    """Return a row's value for display; empty for the usual value."""
    if value == each.usual:
        return _("yes") if value is True else ""
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    return str(dict(each.column.flatchoices).get(value, value))


def _shown_rows(preview: Preview, *, pairs: bool) -> list[ShownRow]:
    """Return every row of the file with its outcome, for the table of the preview."""
    always = ("number", "name", "club")
    used = [
        each
        for each in GIVEN
        if each.key in always or any(line.values[each.key] != each.usual for line in preview.lines)
    ]
    headers = [_("No.") if each.key == "number" else each.label for each in used]
    rows = []
    for line in preview.rows:
        cells = [_shown_cell(each, line.values[each.key]) for each in used]
        state, why = "ok", _("ready to be imported")
        if line.left_out:
            state, why = "out", _("left out: %(why)s") % {"why": line.left_out}
        elif line.errors:
            state, why = "bad", _("; ").join(line.errors)
        elif line.unclear:
            state, why = "bad", _("“%(word)s”: answer above") % {"word": line.unclear[:30]}
        elif line.doubt:
            state, why = "double", _("to be checked: %(why)s") % {"why": line.doubt}
        elif line.pays:
            state, why = "ok", _("the payment is taken over")
        elif line.member:
            state, why = "ok", _("ready to be imported, as this member of the register")
        elif line.duplicate_of:
            state, why = "double", _("duplicate: %(where)s") % {"where": line.duplicate_of}
        shown_cells = list(zip(headers, cells, strict=True))
        choices = [(str(code), says) for code, says in _choices(line, pairs=pairs)]
        rows.append(ShownRow(line.line, line.text, shown_cells, state, why, choices, line.settled))
    return rows


def _columns_shown(preview: Preview) -> list[ShownColumn]:
    """Return each column of the file with its first cells and its assumed content."""
    width = min(MOST_COLUMNS, max((len(row) for _line, row in preview.sample), default=0))
    taken = preview.layout.columns if preview.layout else preview.guess
    return [
        ShownColumn(
            index,
            next((column for column, at in taken.items() if at == index), ""),
            [row[index][:30] if index < len(row) else "" for _line, row in preview.sample],
        )
        for index in range(width)
    ]


class _Before(NamedTuple):
    """An import of the ready rows, whose other rows are looked at next."""

    file: str
    layout: Layout | None
    sheet: str
    paid: dict[str, bool]
    settled: dict[int, Settled]


def _import_before(request: HttpRequest, event: Event) -> _Before | None:
    """Return the import that the address names; ``None`` without one."""
    if request.method == "POST" or "after" not in request.GET:
        return None
    try:
        wanted = uuid.UUID(request.GET["after"])
    except ValueError as error:
        raise Http404 from error
    job = get_object_or_404(Job, pk=wanted, scope=event.pk, kind="tournament.import")
    return _Before(
        str(job.parameters["file"]),
        layout_of(job.parameters["layout"]),
        str(job.parameters["sheet"]),
        {str(word): bool(means) for word, means in job.parameters["paid"].items()},
        {int(line): Settled(each) for line, each in job.parameters.get("settled", {}).items()},
    )


@needs("entrants.manage")
def desk_import(request: HttpRequest, slug: str) -> HttpResponse:
    """Import a spreadsheet: every row with its outcome, then all or nothing."""
    event = event_by_slug(slug)
    ready_only = "ready" in request.POST
    look = request.POST.get("look") or request.POST.get("choose")
    again = ready_only or "confirm" in request.POST or look is not None
    pastes = "text" in request.POST
    form = ImportForm(None if again or pastes else request.POST or None, request.FILES or None)
    paste_form = PasteForm(request.POST if pastes else None)
    preview = file = None
    actor = actor_of(request)
    layout = _layout_in(request.POST)
    sheet = request.POST.get("sheet", "")[:100]
    paid = _paid_in(request.POST)
    settled = _settled_in(request.POST)
    read = request.POST.get("sheet-read", sheet)
    if sheet != read and look is None:
        sheet = read  # another sheet is chosen, and nobody has seen it
    elif sheet != read:
        layout, settled = None, {}
    before = _import_before(request, event)
    if before is not None:
        layout, sheet, paid, settled = before.layout, before.sheet, before.paid, before.settled
    if confirmed := request.POST.get("ready") or request.POST.get("confirm"):
        try:
            stored = stored_file(event_id=event.pk, file_id=confirmed)
            if pastes and as_file(request.POST["text"])[0] != bytes(stored.content):
                messages.warning(request, _("The names were changed: check them again."))
            else:
                job = request_import(
                    event_id=event.pk,
                    file=str(stored.pk),
                    actor=actor,
                    skip_duplicates=ready_only or "skip_duplicates" in request.POST,
                    layout=layout,
                    sheet=sheet,
                    paid=paid,
                    settled=settled,
                    ready_only=ready_only,
                    despite=request.POST.get("despite", ""),
                )
                return redirect("desk-job", slug, job.pk)
        except Refused as refusal:
            messages.error(request, str(refusal))
            return redirect("desk-import", slug)
    try:
        if look is not None or before is not None:
            wanted = before.file if before is not None else look or ""
            file = stored_file(event_id=event.pk, file_id=wanted)
            preview = read_players(
                event=event,
                content=bytes(file.content),
                layout=layout,
                sheet=sheet,
                paid=paid,
                settled=settled,
            )
        elif request.method == "POST" and (paste_form if pastes else form).is_valid():
            if pastes:
                content, layout = as_file(paste_form.cleaned_data["text"])
            else:
                content = form.cleaned_data["file"].read()
            upload = keep_file(event_id=event.pk, file=content, layout=layout, actor=actor)
            preview = upload.preview
            file = upload.file if preview.sample else None
    except Refused as refusal:
        if form.is_bound:
            form.add_error("file", str(refusal))
        elif pastes:
            paste_form.add_error("text", str(refusal))
        else:
            messages.error(request, str(refusal))
    corrected = pastes and preview is not None and preview.importable
    if corrected:
        paste_form.fields["text"].widget.attrs["form"] = "import"
    return show_event(
        request,
        event,
        ImportPage(
            form=form,
            paste_form=paste_form,
            preview=preview,
            file=file,
            rows=_shown_rows(preview, pairs=pages.in_pairs(event)) if preview else [],
            file_columns=_columns_shown(preview) if preview else [],
            column_names=_column_names(),
            sheets=[(sheet, sheet) for sheet in preview.sheets] if preview else [],
            paid_means=[("yes", _("paid")), ("no", _("not paid"))],
            layout=layout,
            paid_words=paid,
            settled_rows={f"row-{line}": each.value for line, each in settled.items()},
            corrected=corrected,
            pairs=pages.in_pairs(event),
            bans=[ban.question for ban in bans_on(banned_lines(preview.lines)[0])]
            if preview
            else [],
        ),
    )
