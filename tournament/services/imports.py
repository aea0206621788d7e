"""Players from a spreadsheet, all of them or nobody: kept until confirmed, imported by a job.

What a file says is read by :mod:`.players_file`; :func:`import_players` writes it whole.
"""

from __future__ import annotations

import uuid
from collections.abc import Mapping

from django.utils import timezone, translation
from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _

from ledger import audit
from ledger.actors import Actor
from ledger.change import change
from ledger.errors import Refused
from ledger.jobs import JobFailed, Run, enqueue, job_kind
from ledger.models import Job
from tournament.models import (
    Club,
    Entrant,
    EntrantState,
    Person,
    PlayerFile,
    StageEntrant,
)
from tournament.queries.pages import in_pairs
from tournament.tables.links import entrant_token, token_hash

from .entrants import freed_epochs, next_round_number
from .events import locked_event
from .late import require_place
from .players_file import Layout, read_players


@change()
def import_players(
    *,
    event_id: uuid.UUID,
    content: bytes,
    actor: Actor,
    skip_duplicates: bool = False,
    layout: Layout | None = None,
    sheet: str = "",
    paid: Mapping[str, bool] | None = None,
) -> int:
    """Import the whole file, or nothing: any bad row refuses it. Returns how many were entered."""
    event = locked_event(event_id)
    preview = read_players(event=event, content=content, layout=layout, sheet=sheet, paid=paid)
    if not preview.importable:
        raise Refused(
            "file_has_errors",
            ngettext(
                "Nothing was imported: %(count)d row needs correction.",
                "Nothing was imported: %(count)d rows need correction.",
                len(preview.bad),
            )
            % {"count": len(preview.bad)}
            if preview.bad
            else _("; ").join(preview.problems)
            or _("Say whether this means paid: %(words)s.")
            % {"words": ", ".join(f"“{word[:30]}”" for word in preview.asks[:10])},
            field="file",
        )
    lines = [line for line in preview.lines if not (skip_duplicates and line.duplicate_of)]
    require_place(event, coming=sum(not line.withdrawn for line in lines))
    names = {line.club for line in lines if line.club}
    known = {club.name: club for club in event.clubs.filter(name__in=names)}
    Club.objects.bulk_create(Club(event=event, name=name) for name in sorted(names - set(known)))
    clubs = {club.name: club for club in event.clubs.all()}
    given = {line.number for line in lines if line.number}
    epochs = freed_epochs(event.pk)
    # A number that somebody had before may be on a badge: nobody else is given it.
    given |= {*event.entrants.values_list("number", flat=True), *epochs}
    free = iter(range(1, len(lines) + len(given) + 2))
    people, partners, entrants = [], [], []
    from_round = next_round_number(event)
    for line in lines:
        number = line.number or next(n for n in free if n not in given)
        person = Person(name=line.name, email=line.email, phone=line.phone)
        people.append(person)
        second = (
            Person(name=line.partner, email=line.partner_email, phone=line.partner_phone)
            if line.partner
            else None
        )
        if second:
            partners.append(second)
        entrant = Entrant(
            event=event,
            number=number,
            person=person,
            partner=second,
            club=clubs.get(line.club),
            family=line.family,
            fixed_seat=line.fixed,
            keeps_score=line.keeps_score,
            category=line.category,
            paid=line.paid,
            from_round=from_round,
            state=EntrantState.WITHDRAWN if line.withdrawn else EntrantState.REGISTERED,
            withdrawn_after=from_round - 1 if line.withdrawn else None,
            link_epoch=epochs.get(number, 1),
        )
        entrant.link_hash = token_hash(entrant_token(entrant))
        entrants.append(entrant)
    Person.objects.bulk_create(people + partners, batch_size=500)
    created = Entrant.objects.bulk_create(entrants, batch_size=500)
    first = event.stages.order_by("order").first()
    if first is not None:
        StageEntrant.objects.bulk_create(
            (StageEntrant(stage=first, entrant=entrant, origin="entry") for entrant in created),
            batch_size=500,
        )
    withdrawn = [each.number for each in created if each.state == EntrantState.WITHDRAWN]
    audit.append(
        event,
        "entrants.imported",
        actor,
        after={
            "count": len(created),
            "entrants": [[e.pk, e.number, str(e.person_id)] for e in created],
            **({"withdrawn": withdrawn} if withdrawn else {}),
        },
    )
    return len(created)


@change()
def keep_file(*, event_id: uuid.UUID, content: bytes, actor: Actor) -> PlayerFile:
    """Keep an uploaded file until it is imported; files kept before it are emptied."""
    event = locked_event(event_id)
    event.player_files.filter(imported_at__isnull=True).delete()
    return PlayerFile.objects.create(event=event, content=content, uploaded_by=str(actor))


def stored_file(*, event_id: uuid.UUID, file_id: str) -> PlayerFile:
    """Return the file that the event keeps for its import; :class:`Refused` once it is gone."""
    try:
        return PlayerFile.objects.get(
            pk=uuid.UUID(file_id), event=event_id, imported_at__isnull=True
        )
    except (ValueError, PlayerFile.DoesNotExist) as error:
        raise Refused(
            "file_gone", _("This file is no longer kept: choose it again."), field="file"
        ) from error


@change()
def request_import(
    *,
    file_id: uuid.UUID,
    skip_duplicates: bool,
    actor: Actor,
    layout: Layout | None = None,
    sheet: str = "",
    paid: Mapping[str, bool] | None = None,
) -> Job:
    """Ask for the import of a kept file; while one runs for the event, that job is returned."""
    file = PlayerFile.objects.filter(pk=file_id, imported_at__isnull=True).first()
    if file is None:
        raise Refused("file_gone", _("This file is no longer kept: choose it again."), field="file")
    return enqueue(
        kind="tournament.import",
        scope=file.event_id,
        actor=actor,
        key="import",
        parameters={
            "file": str(file.pk),
            "skip_duplicates": skip_duplicates,
            "language": get_language() or "en",
            "layout": layout.as_json() if layout else None,
            "sheet": sheet,
            "paid": dict(paid or {}),
        },
    )


@job_kind("tournament.import")
def import_file(run: Run) -> None:
    """The job: import a kept file, all or nothing, and empty it in the same transaction."""
    run.progress(0, 1)
    with translation.override(run.parameters["language"]), run.effect() as result:
        locked_event(run.job.scope)
        file = PlayerFile.objects.select_for_update(no_key=True).get(pk=run.parameters["file"])
        try:
            result["imported"] = import_players(
                event_id=file.event_id,
                content=bytes(file.content),
                actor=run.actor,
                skip_duplicates=run.parameters["skip_duplicates"],
                layout=Layout.from_json(run.parameters.get("layout")),
                sheet=run.parameters.get("sheet", ""),
                paid=run.parameters.get("paid"),
            )
            result["pairs"] = in_pairs(file.event)
        except Refused as refusal:
            raise JobFailed(str(refusal)) from refusal
        file.content = b""
        file.imported_at = timezone.now()
        file.save(update_fields=["content", "imported_at"])
