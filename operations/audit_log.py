"""The logs of events and of the organisation: who did what and when, from the audit chain; proofs."""

from __future__ import annotations

import json
import uuid
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Final, NamedTuple

from django.contrib import messages
from django.core import paginator
from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

import accounts.access
from accounts.evidence import STATE
from accounts.models import ApiToken, User
from accounts.pages import Page, show_page
from adjudication.models import Ruling
from adjudication.queries.shown import actor_names
from ledger import audit
from ledger.actors import Actor, ActorKind
from ledger.anchors import anchor_of
from ledger.errors import Refused
from ledger.models import ORGANISATION, AuditEntry, Job
from tournament.access import needs
from tournament.documents.draws import Person, alphabetical
from tournament.models import Draw, Event, Member, Round, Stage, Table
from tournament.models.tables import Sheet
from tournament.queries.brackets import full_title, title_of
from tournament.queries.document_names import document_name
from tournament.queries.falls import fallen_in_words
from tournament.queries.names import directory
from tournament.queries.room import address
from tournament.views.doing import perform
from tournament.views.frame import event_by_slug, show_event

from .proofs import Proof, last_proofs, request_proof
from .verb_words import SUBJECTS, SUBJECTS_OF_ORGANISATION

A_PAGE: Final = 100


@dataclass(frozen=True, slots=True)
class ShownEntry:
    """An entry of the chain in words."""

    entry: AuditEntry
    who: str
    what: str
    subject: str
    details: str
    url: str = ""
    """The page where staff see the subject; empty where it has none."""
    falls: tuple[str, ...] = ()
    """What fell with the act, in words."""


class Subject(NamedTuple):
    """Subject of an entry, with its page for staff."""

    name: str
    url: str = ""


def entries(scope: uuid.UUID, *, who: str = "", what: str = "") -> QuerySet[AuditEntry]:
    """Return the entries of a chain, newest first.

    Args:
        who: an actor as the chain writes it (``user:3``), or a kind of actor (``player``).
        what: the first half of a verb (``round``), or a verb (``round.closed``).
    """
    rows = AuditEntry.objects.filter(scope=scope).order_by("-sequence")
    if who:
        rows = rows.filter(Q(actor=who) | Q(actor__startswith=f"{who}:"))
    if what:
        rows = rows.filter(Q(verb=what) | Q(verb__startswith=f"{what}."))
    return rows


def in_words(event: Event, rows: Iterable[AuditEntry]) -> list[ShownEntry]:
    """Return entries with the names of people, tables and rounds, in a fixed number of queries."""
    rows = list(rows)
    actors = {row.actor for row in rows}
    names = actor_names(actors)
    players = {actor: Actor.parse(actor).id for actor in actors if actor.startswith("player:")}
    ids = {int(pk) for pk in players.values() if pk.isdigit()}
    ids |= {int(row.object_id) for row in rows if _is_entrant(row)}
    people = {
        str(pk): Subject(
            f"{shown.number} {shown.name}",
            reverse("desk-player-games", args=[event.slug, shown.number]),
        )
        for pk, shown in directory(event, ids).items()
    }
    for actor, pk in players.items():
        names[actor] = people[pk].name if pk in people else names[actor]
    subjects = _subjects(event, rows) | {("entrant", pk): who for pk, who in people.items()}
    return [_shown(row, names[row.actor], _subject(row, subjects)) for row in rows]


def of_organisation(rows: Iterable[AuditEntry]) -> list[ShownEntry]:
    """Return entries of the organisation's chain with the names of accounts and members."""
    rows = list(rows)
    ids: dict[str, set[str]] = {}
    for row in rows:
        ids.setdefault(row.object_type, set()).add(row.object_id)
    users = User.objects.filter(pk__in=ids.get("user", ()))
    members = Member.objects.filter(pk__in=ids.get("member", ()))
    tokens = ApiToken.objects.filter(pk__in=ids.get("apitoken", ())).select_related("user")
    subjects = {
        **{("user", str(user.pk)): Subject(user.get_username()) for user in users},
        **{("member", str(member.pk)): Subject(member.name) for member in members},
        **{
            ("apitoken", str(token.pk)): Subject(f"{token.user} · {token.name}") for token in tokens
        },
    }
    names = actor_names(row.actor for row in rows)
    return [
        _shown(row, names[row.actor], subjects.get((row.object_type, row.object_id), Subject("")))
        for row in rows
    ]


def _shown(row: AuditEntry, who: str, subject: Subject) -> ShownEntry:
    after = dict(row.after or {})
    falls = after.pop("falls", None) or {}
    after.pop(STATE, None)
    changed = {name: value for name, value in (("−", row.before), ("+", after)) if value}
    return ShownEntry(
        row,
        who,
        str(audit.WORDS.get(row.verb, row.verb)),
        subject.name,
        json.dumps(changed, ensure_ascii=False, indent=1) if changed else "",
        subject.url,
        tuple(fallen_in_words(falls)) if isinstance(falls, dict) else (),
    )


def _is_entrant(row: AuditEntry) -> bool:
    return row.object_type == "entrant" and row.object_id.isdigit()


def _subject(row: AuditEntry, subjects: dict[tuple[str, str], Subject]) -> Subject:
    if row.verb.startswith("deal.") and row.after:
        sheet = subjects.get(("sheet", row.after["sheet"]), Subject(""))
        name = _("%(sheet)s, deal %(n)s") % {"sheet": sheet.name, "n": row.after["number"]}
        return Subject(name, sheet.url)
    if row.verb.startswith("document.") and row.after:
        return Subject(document_name(row.after["kind"]))
    own = subjects.get((row.object_type, row.object_id))
    table = ("table", str((row.after or {}).get("table", "")))
    return own or subjects.get(table, Subject(""))


def _subjects(event: Event, rows: list[AuditEntry]) -> dict[tuple[str, str], Subject]:
    """Return each entry's subject (round, table and game, draw, stage, ruling) by type and key."""
    wanted: dict[str, list[str]] = {}
    for row in rows:
        wanted.setdefault(row.object_type, []).append(row.object_id)
        if row.verb.startswith("deal.") and row.after:
            wanted.setdefault("sheet", []).append(row.after["sheet"])
        elif row.object_type == "refereecall" and row.after:
            wanted.setdefault("table", []).append(row.after["table"])
    subjects: dict[tuple[str, str], Subject] = {}
    for stage in Stage.objects.filter(pk__in=wanted.get("stage", [])):
        book = reverse("desk-book", args=[event.slug, stage.order])
        subjects["stage", str(stage.pk)] = Subject(stage.title, book)
    for ruling in Ruling.objects.filter(pk__in=wanted.get("ruling", [])):
        name = _("Ruling %(n)d") % {"n": ruling.number}
        page = reverse("referee-ruling", args=[event.slug, ruling.number])
        subjects["ruling", str(ruling.pk)] = Subject(name, page)
    rounds = Round.objects.select_related("stage__event")
    for round_ in rounds.filter(pk__in=wanted.get("round", [])):
        subjects["round", str(round_.pk)] = _round(round_)
    for draw in Draw.objects.filter(pk__in=wanted.get("draw", [])).select_related(
        "round__stage__event"
    ):
        subjects["draw", str(draw.pk)] = _round(draw.round)
    for table in Table.objects.filter(pk__in=wanted.get("table", [])).select_related(
        "round__stage__event"
    ):
        subjects["table", str(table.pk)] = _table(table)
    sheets = Sheet.objects.select_related("table__round__stage__event")
    for sheet in sheets.filter(pk__in=wanted.get("sheet", [])):
        name = _("%(table)s, game %(n)d") % {"table": _table(sheet.table).name, "n": sheet.order}
        subjects["sheet", str(sheet.pk)] = Subject(name, reverse("staff-sheet", args=[sheet.pk]))
    return subjects


def _round(round_: Round) -> Subject:
    hall = reverse("desk-round-room", args=[round_.stage.event.slug, round_.pk])
    return Subject(full_title(round_), hall if round_.published_at else "")


def _table(table: Table) -> Subject:
    name = _("Table %(n)s") % {"n": table.number}
    if table.round is None:
        return Subject(name)
    return Subject(f"{name} · {title_of(table.round)}", address(table.round, table.number))


def _staff(scope: uuid.UUID) -> list[tuple[str, str]]:
    """Return the staff who acted in a chain, as choices of the filter."""
    staff = (
        AuditEntry.objects.filter(scope=scope, actor__startswith=f"{ActorKind.USER}:")
        .order_by("actor")
        .values_list("actor", flat=True)
        .distinct()
    )
    return sorted(actor_names(staff).items(), key=_as_read)


def _as_read(choice: tuple[str, object]) -> tuple[str, str]:
    """Return the sort key of a choice: its label, in the order of a list of names."""
    return alphabetical(Person(str(choice[1])))


class ShownLog(NamedTuple):
    """A page of a chain by ``who`` and ``what``, and the choices of these."""

    rows: list[ShownEntry]
    page: paginator.Page[AuditEntry]
    who: str
    what: str
    people: list[tuple[str, str]]
    subjects: list[tuple[str, Promise]]
    query: str
    anchor: str


def _listed(
    request: HttpRequest,
    scope: uuid.UUID,
    subjects: Mapping[str, Promise],
    words: Callable[[Iterable[AuditEntry]], list[ShownEntry]],
) -> ShownLog:
    who, what = request.GET.get("who", "")[:80], request.GET.get("what", "")[:60]
    page: paginator.Page[AuditEntry] = paginator.Paginator(
        entries(scope, who=who, what=what), A_PAGE
    ).get_page(request.GET.get("page"))
    return ShownLog(
        rows=words(page.object_list),
        page=page,
        who=who,
        what=what,
        people=_staff(scope),
        subjects=sorted(subjects.items(), key=_as_read),
        query=f"&who={who}&what={what}",
        anchor=anchor_of(scope),
    )


class LogPage(Page, template="desk/log.html", here="desk-log"):
    log: ShownLog
    proofs: list[tuple[Proof, Job | None]]


@needs("audit.read")
@require_safe
def log(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the log, paginated and filtered by actor and action, and the proofs with their last results."""
    event = event_by_slug(slug)
    shown = _listed(request, event.pk, SUBJECTS, partial(in_words, event))
    shown.people.extend(
        [
            (str(ActorKind.PLAYER), _("Players")),
            (str(ActorKind.DEVICE), _("Tables")),
            (str(ActorKind.SYSTEM), _("The service")),
        ]
    )
    return show_event(request, event, LogPage(log=shown, proofs=last_proofs(event.pk)))


class OrganisationLogPage(Page, template="system_log.html"):
    log: ShownLog


@accounts.access.needs("organisation.manage")
@require_safe
def organisation_log(request: HttpRequest) -> HttpResponse:
    """Show the log of accounts, tokens and members, paginated."""
    shown = _listed(request, ORGANISATION, SUBJECTS_OF_ORGANISATION, of_organisation)
    return show_page(request, OrganisationLogPage(log=shown))


@needs("audit.read")
@require_POST
def start_proof(request: HttpRequest, slug: str) -> HttpResponse:
    """Start a proof and show the log, where its result appears."""
    event = event_by_slug(slug)
    try:
        perform(request, request_proof, event)
    except Refused as refusal:
        messages.error(request, str(refusal))
    return redirect("desk-log", slug=event.slug)
