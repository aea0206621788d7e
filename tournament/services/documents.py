"""Documents as jobs: requested at the desk, written by a worker, stored with the hash they carry.

An archive of the event is made and stored likewise; there is one of an event, the newest. A
document with the links of tables or players is not stored: it is rebuilt each time that it is
opened, which is recorded.
"""

from __future__ import annotations

import hashlib
import uuid
from collections.abc import Callable
from typing import Final

from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import PermissionDenied
from django.utils import translation
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from accounts.roles import may
from ledger import audit
from ledger.actors import Actor, ActorKind
from ledger.change import change
from ledger.errors import Refused
from ledger.jobs import JobFailed, Run, enqueue, job_kind
from ledger.models import Job
from ledger.verbs import verb
from scoring.texts import LANGUAGES
from tournament.documents import DocumentError
from tournament.models import Event, PrintedDocument
from tournament.queries import papers, papers_people
from tournament.queries.papers import Built, Parameters
from tournament.queries.papers_report import event_report

from .archive import pack

audit.name_verbs("document", made=_("Document created"), opened=_("Document with links opened"))

BUILDERS: Final[dict[str, Callable[[Event, Parameters, str, str], Built]]] = {
    "standings": papers.standings,
    "bracket": papers.bracket,
    "draw-by-table": papers.draw_by_table,
    "draw-by-name": papers.draw_by_name,
    "round": papers.whole_round,
    "slips": papers.slips,
    "badges": papers_people.badges,
    "seat-cards": papers_people.seat_cards,
    "table-cards": papers_people.table_cards,
    "score-sheets": papers_people.score_sheets,
    "certificates": papers_people.diplomas,
    "prizes": papers_people.prizes,
    "receipts": papers_people.receipts,
    "event-report": event_report,
}
"""Kind of document → what builds it."""
ARCHIVE: Final = "archive"
"""The kind of the event's archive."""
OF_A_ROUND: Final = papers.WITH_LINKS - {"badges"}
"""Documents rebuilt at each opening that stay those of the round they were made for."""


def barred_kinds(user: User | AnonymousUser, event_id: uuid.UUID) -> frozenset[str]:
    """Return the kinds of documents of an event that ``user`` may not have."""
    links = frozenset() if may(user, "documents.print_links", event_id) else papers.WITH_LINKS
    return links if may(user, "event.manage", event_id) else links | {ARCHIVE}


@verb("documents_ask", Event, "documents.print", at="documents/", statuses={Job: 202})
def request_document(
    *,
    event_id: uuid.UUID,
    kind: str,
    parameters: Parameters,
    actor: Actor,
    paper: str = "a4",
    language: str = "",
) -> Job:
    """Request a document; the job's result names it."""
    # A refusal is in the language of the person who requests it.
    user = User.objects.filter(pk=actor.id).first() if actor.kind == ActorKind.USER else None
    if user is not None and kind in barred_kinds(user, event_id):
        raise PermissionDenied("documents.print_links")
    language = language or Event.objects.get(pk=event_id).language
    if kind not in BUILDERS:
        raise Refused("unknown_document", _("No such document."), field="kind")
    if language not in LANGUAGES or paper not in ("a4", "letter"):
        raise Refused("unknown_choice", _("Choose a language and a paper size."), field="language")
    if kind == "prizes":
        papers_people.require_prizes(parameters)
    elif kind == "receipts":
        papers_people.require_fee(parameters)
        papers_people.require_payments(Event.objects.get(pk=event_id))
    elif kind in ("slips", "round"):
        papers.require_open_round(papers.round_of(Event.objects.get(pk=event_id), parameters))
    return enqueue(
        kind="tournament.document",
        scope=event_id,
        actor=actor,
        parameters={
            **parameters,
            "kind": kind,
            "language": language,
            "paper": paper,
            "reader": (get_language() or language)[:2],
        },
    )


@job_kind("tournament.document", seconds=600)
def make_document(run: Run) -> None:
    """Build the PDF and store it (job)."""
    event = Event.objects.get(pk=run.job.scope)
    options = run.parameters.copy()
    kind, language, size = options.pop("kind"), options.pop("language"), options.pop("paper")
    reader = options.pop("reader", language)
    run.progress(0, 2)
    try:
        if kind in OF_A_ROUND:
            options["round"] = str(papers.round_of(event, options).pk)
        with translation.override(language):
            content, fingerprint, state = BUILDERS[kind](event, options, language, size)
    except (Refused, DocumentError) as refusal:
        with translation.override(reader):
            raise JobFailed(str(refusal)) from refusal
    run.progress(1, 2)
    with run.effect() as result:
        document = PrintedDocument.objects.create(
            event=event,
            kind=kind,
            parameters=options,
            language=language,
            paper=size,
            state=state,
            fingerprint=fingerprint,
            content=b"" if kind in papers.WITH_LINKS else content,
            made_by=run.job.requested_by,
        )
        audit.append(
            document,
            "document.made",
            run.actor,
            scope=event.pk,
            after={"kind": kind, "fingerprint": fingerprint, "state": state},
        )
        result["document"] = str(document.pk)
        result["with_links"] = kind in papers.WITH_LINKS


def open_with_links(*, document: PrintedDocument, actor: Actor) -> bytes:
    """Build a document with links from the records as they are now, and record who opened it.

    Returns:
        The PDF. Links that were revoked since the document was made are not in it.

    Raises:
        Refused: where it can no longer be made, such as the slips of a closed round.
        DocumentError: where the document does not take what the records hold.
    """
    kind = document.kind
    with translation.override(document.language):
        content, fingerprint, _state = BUILDERS[kind](
            document.event, document.parameters, document.language, document.paper
        )
    with change():
        audit.append(
            document,
            "document.opened",
            actor,
            scope=document.event_id,
            after={"kind": kind, "fingerprint": fingerprint},
        )
    return content


@verb("event_archive", Event, "event.manage", statuses={Job: 202})
def request_archive(*, event_id: uuid.UUID, actor: Actor) -> Job:
    """Request the event as one file; the job's result names it as a document."""
    return enqueue(kind="tournament.archive", scope=event_id, actor=actor, key="tournament.archive")


@job_kind("tournament.archive", seconds=600)
def make_archive(run: Run) -> None:
    """Pack the event and replace its stored archive (job)."""
    event = Event.objects.get(pk=run.job.scope)
    run.progress(0, 2)
    content = pack(event.pk)
    run.progress(1, 2)
    with run.effect() as result:
        event.documents.filter(kind=ARCHIVE).delete()
        document = PrintedDocument.objects.create(
            event=event,
            kind=ARCHIVE,
            language=event.language,
            fingerprint=hashlib.sha256(content).hexdigest(),
            content=content,
            made_by=run.job.requested_by,
        )
        audit.append(
            document,
            "document.made",
            run.actor,
            scope=event.pk,
            after={"kind": ARCHIVE, "fingerprint": document.fingerprint, "state": ""},
        )
        result["document"] = str(document.pk)
