"""Import of players from a spreadsheet, all or none: stored until confirmed, imported by a job.

:mod:`.player_lists` reads the file; :func:`import_players` writes it whole.
"""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated

from django.conf import settings
from django.utils import timezone, translation
from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _

from ledger.actors import Actor
from ledger.change import change
from ledger.errors import Refused
from ledger.jobs import JobFailed, Run, enqueue, job_kind
from ledger.models import Job
from ledger.verbs import Inner, verb
from tournament.lists.headed import HEADINGS_WITHIN
from tournament.lists.reading import Layout, Settled
from tournament.models import (
    Club,
    EntrantState,
    Event,
    PlayerFile,
)
from tournament.models.players import new_entrant
from tournament.queries.pages import in_pairs
from tournament.tables.links import entrant_token, token_hash

from .banned import Coming, admit, require_admitted
from .entrants import enter_at_once, freed_epochs, mark_paid, next_round_number
from .events import locked_event
from .late import require_place
from .player_lists import Line, Preview, layout_of, read_players, remember


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
    settled: Mapping[int, Settled] | None = None,
    ready_only: bool = False,
    despite: str = "",
    as_they_stand: bool = False,
) -> int:
    """Import the whole file, or nothing: any bad row refuses it. Returns how many were entered.

    ``ready_only``: import the new players whose rows were understood whole, and no other row.
    ``despite``: the reason to enter players although suspensions are in force on their names.
    ``as_they_stand``: a row in a spelling near another's is another person.
    """
    if as_they_stand:
        every = range(1, settings.IMPORT_MAX_ROWS + HEADINGS_WITHIN + 1)
        settled = {**dict.fromkeys(every, Settled.AS_IS), **(settled or {})}
    event = locked_event(event_id)
    preview = read_players(
        event=event, content=content, layout=layout, sheet=sheet, paid=paid, settled=settled
    )
    if preview.questions:
        raise Refused(
            "column_unclear",
            _("Choose what these columns contain: %(headings)s.")
            % {"headings": ", ".join(f"“{text[:30]}”" for text in preview.questions[:10])},
            field="file",
        )
    if preview.problems or not (
        preview.ready or preview.payers if ready_only else preview.importable
    ):
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
            or _("; ").join(
                _("%(name)s: the same person as %(other)s?")
                % {"name": line.name, "other": line.near}
                for line in preview.undecided[:10]
            )
            or _("Say whether this means paid: %(words)s.")
            % {"words": ", ".join(f"“{word[:30]}”" for word in preview.asks[:10])},
            field="file",
        )
    lines = [
        line
        for line in (preview.ready if ready_only else preview.lines)
        if not (line.same or (skip_duplicates and line.duplicate_of))
    ]
    for line in preview.payers:
        if line.pays:
            mark_paid(entrant_id=line.pays, actor=actor)
    require_place(event, coming=sum(not line.withdrawn for line in lines))
    coming, rows = banned_lines(lines)
    bans = require_admitted(coming, despite, actor, event.pk)
    names = {line.club for line in lines if line.club}
    known = {club.name: club for club in event.clubs.filter(name__in=names)}
    Club.objects.bulk_create(Club(event=event, name=name) for name in sorted(names - set(known)))
    clubs = {club.name: club for club in event.clubs.all()}
    given = {line.number for line in lines if line.number}
    epochs = freed_epochs(event.pk)
    # The number of a former player may be on a badge: it is not reassigned.
    given |= {*event.entrants.values_list("number", flat=True), *epochs}
    free = iter(range(1, len(lines) + len(given) + 2))
    entrants = []
    from_round = next_round_number(event)
    for line in lines:
        number = line.number or next(n for n in free if n not in given)
        entrant = new_entrant(line.values)
        entrant.event, entrant.number, entrant.club = event, number, clubs.get(line.club)
        entrant.person.member_id = line.member
        if entrant.partner is not None:
            entrant.partner.member_id = line.partner_member
        entrant.from_round = from_round
        entrant.withdrawn_after = from_round - 1 if line.withdrawn else None
        entrant.link_epoch = epochs.get(number, 1)
        entrant.link_hash = token_hash(entrant_token(entrant))
        entrants.append(entrant)
    withdrawn = [each.number for each in entrants if each.state == EntrantState.WITHDRAWN]
    more = {"withdrawn": withdrawn} if withdrawn else {}
    created = enter_at_once(event, entrants, actor, **more)
    for ban in bans:
        admit(created[rows[ban.place]], [ban], despite, actor)
    return len(created)


def banned_lines(lines: Sequence[Line]) -> tuple[list[Coming], list[int]]:
    """Return the people of the rows of a list, and the row of each."""
    people = [
        (Coming(str(line.values[key]), member), row)
        for row, line in enumerate(lines)
        for key, member in (("name", line.member), ("partner", line.partner_member))
        if line.values.get(key)
    ]
    return [coming for coming, _row in people], [row for _coming, row in people]


@dataclass(frozen=True, slots=True)
class Upload:
    """A list that is stored until it is imported, and its preview."""

    preview: Preview
    file: PlayerFile


@verb("event_players-file", Event, "entrants.manage", at="players-file/", statuses={Upload: 201})
def keep_file(
    *,
    event_id: uuid.UUID,
    actor: Actor,
    file: bytes,
    sheet: str = "",
    layout: Annotated[Layout | None, Inner()] = None,
) -> Upload:
    """Store the list in place of an earlier one; return each row with its effect."""
    event = Event.objects.get(pk=event_id)
    preview = read_players(event=event, content=file, sheet=sheet, layout=layout)
    locked_event(event_id).player_files.filter(imported_at__isnull=True).delete()
    stored = PlayerFile.objects.create(event=event, content=file, uploaded_by=str(actor))
    return Upload(preview, stored)


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


@verb(
    "event_players-file-import",
    Event,
    "entrants.manage",
    at="players-file/import/",
    statuses={Job: 202},
)
def request_import(
    *,
    event_id: uuid.UUID,
    file: str,
    skip_duplicates: bool,
    actor: Actor,
    layout: Layout | None = None,
    sheet: str = "",
    paid: Mapping[str, bool] | None = None,
    settled: Annotated[Mapping[int, Settled] | None, Inner()] = None,
    ready_only: bool = False,
    despite: str = "",
    as_they_stand: bool = False,
) -> Job:
    """Request the import of a stored list, all or nothing; while one runs, that job is returned.

    The meanings of words about payments are remembered for the next list.
    """
    stored = stored_file(event_id=event_id, file_id=file)
    remember(paid or {})
    return enqueue(
        kind="tournament.import",
        scope=event_id,
        actor=actor,
        key="import",
        parameters={
            "file": str(stored.pk),
            "skip_duplicates": skip_duplicates,
            "language": get_language() or "en",
            "layout": layout.as_json() if layout else None,
            "sheet": sheet,
            "paid": dict(paid or {}),
            "settled": {str(line): each.value for line, each in (settled or {}).items()},
            "ready_only": ready_only,
            "despite": despite[:300],
            "as_they_stand": as_they_stand,
        },
    )


@job_kind("tournament.import", seconds=300)
def import_file(run: Run) -> None:
    """Import a stored file, all or nothing, and empty it in the same transaction (job)."""
    run.progress(0, 1)
    with translation.override(run.parameters["language"]), run.effect() as result:
        locked_event(run.job.scope)
        file = PlayerFile.objects.select_for_update(no_key=True).get(pk=run.parameters["file"])
        ready_only = run.parameters.get("ready_only", False)
        try:
            result["imported"] = import_players(
                event_id=file.event_id,
                content=bytes(file.content),
                actor=run.actor,
                skip_duplicates=run.parameters["skip_duplicates"],
                layout=layout_of(run.parameters.get("layout")),
                sheet=run.parameters.get("sheet", ""),
                paid=run.parameters.get("paid"),
                settled={
                    int(line): Settled(each)
                    for line, each in run.parameters.get("settled", {}).items()
                },
                ready_only=ready_only,
                despite=run.parameters.get("despite", ""),
                as_they_stand=run.parameters.get("as_they_stand", False),
            )
            result["pairs"] = in_pairs(file.event)
        except Refused as refusal:
            raise JobFailed(str(refusal)) from refusal
        if ready_only:
            result["file"] = str(file.pk)  # the other rows are looked at next
            return
        file.content = b""
        file.imported_at = timezone.now()
        file.save(update_fields=["content", "imported_at"])
