"""Documents as jobs: asked for at the desk, made by a worker, kept with the hash they carry."""

from __future__ import annotations

import uuid
from typing import Any

from django.db import transaction
from django.utils import translation
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from ledger import audit
from ledger.actors import Actor
from ledger.errors import Refused
from ledger.jobs import JobFailed, Run, enqueue, job_kind
from ledger.models import Job
from tournament.documents import DocumentError
from tournament.models import Event, PrintedDocument
from tournament.selectors import papers_people, papers_report  # noqa: F401  (they register)
from tournament.selectors.papers import BUILDERS


@transaction.atomic
def request_document(
    *,
    event_id: uuid.UUID,
    kind: str,
    language: str,
    paper: str,
    parameters: dict[str, Any],
    actor: Actor,
) -> Job:
    """Ask for a document; the job's result names it.

    ``language`` is the document's; a refusal is told in that of whoever asks.
    """
    if kind not in BUILDERS:
        raise Refused("unknown_document", _("There is no such document."), field="kind")
    if language not in ("fr", "nl", "en") or paper not in ("a4", "letter"):
        raise Refused("unknown_choice", _("Choose a language and a paper size."), field="language")
    return enqueue(
        kind="tournament.document", scope=event_id, actor=actor,
        parameters={
            **parameters, "kind": kind, "language": language, "paper": paper,
            "reader": (get_language() or language)[:2],
        },
    )  # fmt: skip


@job_kind("tournament.document")
def make_document(run: Run) -> None:
    """The job: build the PDF and keep it."""
    event = Event.objects.get(pk=run.job.scope)
    asked = dict(run.parameters)
    kind, language, size = asked.pop("kind"), asked.pop("language"), asked.pop("paper")
    reader = asked.pop("reader", language)
    run.progress(0, 2)
    try:
        with translation.override(language):
            content, fingerprint, state = BUILDERS[kind](event, asked, language, size)
    except (Refused, DocumentError) as refusal:
        with translation.override(reader):
            raise JobFailed(str(refusal)) from refusal
    run.progress(1, 2)
    with run.effect() as result:
        document = PrintedDocument.objects.create(
            event=event, kind=kind, parameters=asked, language=language, paper=size, state=state,
            fingerprint=fingerprint, content=content, made_by=run.job.requested_by,
        )  # fmt: skip
        audit.append(
            scope=event.pk, actor=run.actor, verb="document.made", subject=document,
            after={"kind": kind, "fingerprint": fingerprint, "state": state},
        )  # fmt: skip
        result["document"] = str(document.pk)
